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
