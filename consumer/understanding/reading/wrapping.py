"""Lines that a mail program wrapped, put together again: half of a sentence promises something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from consumer.understanding.languages.words import words as table

#: A shorter line was ended by whoever wrote it.
WRAPPED_CHARS: Final = 50
#: A text without an end is joined up to that length.
JOINED_CHARS: Final = 1000
_ENDS: Final = ".!?:;\u2026\u3002"
#: What begins a line of its own: a mark of a list or a quote, a heading, a speaker or a label ("Tom: ...").
_BEGINS: Final = re.compile(
    r"(?:[-*+>|\u2022\u2023\u25aa\u25cf\u25e6\u2013\u2014#]|\d{1,3}[.)](?!\d)|\[|`{3}|~{3}|[\w .'-]{1,30}:\s)"
)
#: Words with which no whole line ends: "The cap on the".
_UNENDED: Final = table(
    """
    the a an of to for from with at on by in and or your our my its their der die das den dem ein eine von zu mit und
    oder le les du des un une et ou avec el los del y con o os da e il lo di della het een van met en
    """
)


#: English: no line of its own ends so.
_UNFINISHED: Final = frozenset(
    ("the", "a", "an", "of", "from", "with", "at", "your", "our", "their", "and", "or", "my")
)
#: A day whose month, or a clause whose end is in the next line: "bis 3." and "Dezember", "the plan" and "by Monday".
_DAY: Final = re.compile(r"(?:^|\s)\d{1,2}(?:\.|st|nd|rd|th|er|\u00ba)?(?:\s+(?:of|de))?$")
_MONTH: Final = re.compile(
    r"(?:of |de )?(?:jan|feb|f\u00e9v|fev|mar|m\u00e4r|mrz|mrt|maa|apr|avr|abr|may|mai|mag|mei|jun|jui|giu|jul|lug|aug"
    r"|ao\u00fb|ago|sep|set|okt|oct|ott|out|nov|dez|dec|d\u00e9c|dic|ene|gen)[^\W\d_]{0,8}\b",
    re.IGNORECASE,
)
_BY: Final = re.compile(
    r"(?:by|before|until|bis|vor|sp\u00e4testens|avant|d'ici|antes|hasta|at\u00e9|entro|uiterlijk|v\u00f3\u00f3r)"
    r"(?:\s[^\s.!]+){1,3}[.!]?"
)


def joined(lines: Sequence[str]) -> Iterator[str]:
    """Lines with those joined that are one, by a space: as one reads them, so that each can be quoted."""
    widest = max(map(len, lines), default=0)
    held: str | None = None
    for line in lines:
        if held is not None and goes_on(held, line, widest):
            held = f"{held.rstrip()} {line.lstrip()}"
            continue
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def goes_on(line: str, following: str, widest: int) -> bool:
    """Whether a line goes on in the next: it is long, ends no sentence, and the next one begins in small letters, or
    with a word that had no room in a text whose widest line has ``widest`` characters. "The cap on the" goes on anyway.
    """
    line, following = line.rstrip(), following.strip()
    if following and line.rpartition(" ")[2] in _UNFINISHED and len(line) <= JOINED_CHARS:
        return not _BEGINS.match(following)
    ends_so = line[-1:].isalnum() and _BY.fullmatch(following)
    if len(line) <= JOINED_CHARS and (ends_so or (_DAY.search(line) and _MONTH.match(following))):
        return True
    if not WRAPPED_CHARS <= len(line) <= JOINED_CHARS or line[-1] in _ENDS:
        return False
    if not following or _BEGINS.match(following):
        return False
    if (
        following[0].islower()
        or following[0].isdigit()
        or line[-1] == ","
        or (line.rsplit(maxsplit=1)[-1].lower() in _UNENDED)
    ):
        return True
    # The last line of what was joined so far is what had to fit; a joined one is wider than any.
    return len(line) < widest + 1 and len(line) + 1 + len(following.split(maxsplit=1)[0]) > widest
