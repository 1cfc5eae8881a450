"""
Forms of text that must not be passed on, found and replaced: the mechanism. The forms are in contract/secretforms.py
(secrets) and renderers/restricted.py (restricted values).

Trying a hundred expressions on every text is slow, so a text is first searched once for the words that some form needs,
and a form is tried only where one of its words stands. Words and places are derived from the expressions themselves
(``needed``): a gate that somebody writes down beside a form sooner or later asks for more than the form does, and then
lets secrets pass.

Full-width letters, special spaces, zero-width and combining characters are folded before a text is searched
(``folded``), so that a form is written once, for plain text. What is not replaced keeps its characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation

#: Python's own parser of expressions, which has no public name. A test holds that it says what we take from it.
parser: Any = import_module("re._parser")
op: Any = import_module("re._constants")
#: Alternatives of one needed word: a country's code and a digit are about a thousand.
MOST_WORDS: Final = 1200
#: A shorter word is in nearly every text, and tells nothing.
SHORTEST_WORD: Final = 2
#: A longer word is no rarer to speak of.
LONG_ENOUGH: Final = 6
#: So many characters before a label are looked at.
BEFORE: Final = 80
#: A word that may stand farther from the start of a match tells no place to try: the whole text is searched.
FARTHEST: Final = 12
#: Digits become 0, all else a dot; what stands between groups of digits goes: one pass in C.
_DIGITS: Final = bytes(ord("0") if chr(byte).isdigit() and byte < 128 else ord(".") for byte in range(256))
_SEPARATORS: Final = b" -."
#: Where the digits of other scripts begin.
_OTHER_DIGITS: Final = re.compile("[\u0660-\U0010ffff]")


def _always(_: str) -> bool:
    return True


#: Where the words of a form stand in a text.
Places = Sequence[int]
#: Start and end.
Span = tuple[int, int]


class Around(NamedTuple):
    """What stands around a label; one of both has the group "value".

    ``after`` begins where the label ends. ``before`` reads the text from the label's start backwards, so that it is
    tried at one place only: its letters stand in reverse. ``inner``: both only say whether these are worth a try.
    """

    after: re.Pattern[str]
    valid: Callable[[str], bool] = _always
    before: re.Pattern[str] | None = None
    inner: tuple[Around, ...] = ()


def _value(choices: tuple[Around, ...], text: str, backwards: str, start: int, end: int) -> tuple[Span, int] | None:
    """Where the value is, and where what belongs to the label ends.

    ``start``, ``end``: of the label; ``backwards``: what stands before it, read from there.
    """
    for after, valid, before, inner in choices:
        precedes = before.match(backwards) if before else None
        if before and not precedes:
            continue
        follows = after.match(text, end)
        if not follows:
            continue
        if inner:
            if value := _value(inner, text, backwards, start, end):
                return value
            continue
        if "value" in after.groupindex:
            span = follows.span("value")
        else:
            assert precedes is not None, "neither side of a label has the value"
            span = (start - precedes.end("value"), start - precedes.start("value"))
        if valid(text[span[0] : span[1]]):
            return span, follows.end()
    return None


@dataclass(frozen=True, slots=True)
class Form:
    """``pattern``: its group "value" is replaced, or the whole match where it has none.

    ``valid``: a check of the value that an expression cannot make. ``around``: the pattern is a label only, and the
    value is in the first of these that stands around it; they are compiled when a label is first met. ``digits``: the
    form holds so many digits in a row, apart from separators; only for forms without a word.
    """

    name: str
    pattern: re.Pattern[str]
    valid: Callable[[str], bool] = _always
    digits: int = 0
    around: Callable[[], tuple[Around, ...]] | None = None
    #: Any match holds one of these words, at most ``lead`` characters after its start.
    words: frozenset[str] = field(init=False)
    lead: int = field(init=False)

    def __post_init__(self) -> None:
        needs = Needed(frozenset(), UNKNOWN) if self.digits else needed(self.pattern)
        if not needs.words and not self.digits:
            raise ValueError(
                f"form {self.name}: every match must hold a word; none is certain in {self.pattern.pattern}"
            )
        if self.around:
            object.__setattr__(self, "around", cache(self.around))
        object.__setattr__(self, "words", needs.words)
        object.__setattr__(self, "lead", needs.lead)

    def spans(self, text: str, places: Places | None = None) -> list[Span]:
        """Start and end of each value in a folded text. ``places``: of this form's words; without, all is searched."""
        far = places is None or self.lead > FARTHEST
        return list(self._everywhere(text)) if far else self._near(text, places or ())

    def _values(self, match: re.Match[str]) -> tuple[list[Span], int]:
        """Where the values of a match are, and where the form ends; none: what stands there is no value."""
        if self.around:
            text, (start, end) = match.string, match.span()
            value = _value(self.around(), text, text[max(0, start - BEFORE) : start][::-1], start, end)
            return ([value[0]], value[1]) if value else ([], end)
        group = "value" if "value" in self.pattern.groupindex else 0
        return ([match.span(group)], match.end()) if self.valid(match[group]) else ([], 0)

    def _everywhere(self, text: str) -> Iterator[Span]:
        start = 0
        while match := self.pattern.search(text, start):
            values, end = self._values(match)
            yield from values
            start = max(match.start() + 1, end) if values else match.start() + 1

    def _near(self, text: str, places: Places) -> list[Span]:
        spans: list[Span] = []
        tried = 0
        for place in sorted(places):
            for start in range(max(tried, place - self.lead), place + 1):
                tried = start + 1
                if match := self.pattern.match(text, start):
                    values, end = self._values(match)
                    if values:
                        spans += values
                        tried = max(end, tried)
                        break
        return spans


class Forms:
    """Forms that are tried in this order: the longer first, so that a key is not cut in two.

    ``shortest``: of a text with fewer characters none is tried.
    """

    def __init__(self, forms: Sequence[Form], shortest: int = 7) -> None:
        self.forms = forms
        self.shortest = shortest
        words = sorted({word for form in forms for word in form.words})
        #: Numbers of the forms that need a word, by the word's number.
        self._by_word = [[number for number, form in enumerate(forms) if word in form.words] for word in words]
        self._by_digits = [(number, b"0" * form.digits) for number, form in enumerate(forms) if form.digits]
        self._find = AhoCorasick(words, store_patterns=False, implementation=Implementation.DFA).find_matches_as_indexes

    def possible(self, text: str) -> list[Form]:
        """The forms that may occur in a text; nearly always none."""
        return [self.forms[number] for number in self._places(folded(text))] if len(text) >= self.shortest else []

    def replace(
        self, text: str, placeholder: Callable[[str], str], tried: Iterable[Form] | None = None
    ) -> tuple[str, list[str]]:
        """The text with each value replaced by its form's placeholder, and the names of the forms, one for each value.

        ``tried``: these forms, wherever their words stand; a test asks whether the gate changes anything.
        """
        if len(text) < self.shortest:
            return text, []
        plain = folded(text)
        places: Mapping[int, Places | None]
        places = self._places(plain) if tried is None else dict.fromkeys(map(self.forms.index, tried))
        if not places:
            return text, []
        replaced: list[str] = []
        # The characters of the text, one piece for each of the folded text; only of a text that something is found in.
        pieces: list[str] | None = None
        for number in sorted(places):
            form = self.forms[number]
            # Places are those of the text as it came.
            spans = form.spans(plain, None if replaced else places[number])
            for start, end in reversed(spans):
                if pieces is None:
                    pieces = list(text) if plain is text else _pieces(text)
                plain = f"{plain[:start]}{_REPLACED}{plain[end:]}"
                pieces[start:end] = [placeholder(form.name), ""]
                replaced.append(form.name)
        return ("".join(pieces) if pieces else text), replaced

    def _places(self, plain: str) -> dict[int, Places | None]:
        """Number of each form that may occur in a folded text -> where its words stand; None: unknown."""
        lower = plain.lower()
        places: dict[int, list[int]] = {}
        for word, start, _ in self._find(lower, overlapping=True):
            for number in self._by_word[word]:
                if number in places:
                    places[number].append(start)
                else:
                    places[number] = [start]
        # A letter whose small form is two letters moves all places behind it.
        numbers: dict[int, Places | None] = {**places} if len(lower) == len(plain) else dict.fromkeys(places)
        if self._by_digits:
            row = _digits(plain)
            for number, run in self._by_digits:
                if run in row:
                    numbers[number] = None
        return numbers


#: Characters to fold: special spaces, what has no width, full-width forms, and letters with combining marks.
_UNUSUAL: Final = (
    "\u00a0\u00ad\u034f\u061c\u115f\u17b4\u17b5\u180e\u2000-\u200f\u202a-\u202f\u205f-\u206f\u3000\ufe00-\ufe0f\ufeff"
    "\uff01-\uff5e\U0001d400-\U0001d7ff"
)
_MARKS: Final = "\u0300-\u034e\u0350-\u036f"
_SPECIAL: Final = re.compile(f"[{_UNUSUAL}{_MARKS}]")
_FOLDED: Final = re.compile(
    rf"[{_UNUSUAL}][{_MARKS}]*|[^\W\d_][{_MARKS}]+|\[(?:redacted:|restricted: )[a-z_ -]{{1,40}}\]"
)
#: In place of what was replaced: the words of a placeholder ("access token") would be the label of what follows it.
_REPLACED: Final = "[]"
_NO_WIDTH: Final = dict.fromkeys(
    [
        *(0xAD, 0x34F, 0x61C, 0x115F, 0x17B4, 0x17B5, 0x180E, 0xFEFF),
        *(*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFE00, 0xFE10)),
    ]
)


def folded(text: str) -> str:
    """The text as it is searched: plain letters and spaces, nothing without width. The same object if it is plain."""
    if (text.isascii() or not _SPECIAL.search(text)) and "[re" not in text:
        return text
    return _FOLDED.sub(lambda match: _fold(match[0]), text)


def _fold(cluster: str) -> str:
    return _REPLACED if cluster[0] == "[" else unicodedata.normalize("NFKC", cluster.translate(_NO_WIDTH))


def _pieces(text: str) -> list[str]:
    """What of the text stands behind each character of the folded text; joined, they are the text."""
    pieces: list[str] = []
    end, waiting = 0, ""
    for match in _FOLDED.finditer(text):
        between, end = text[end : match.start()], match.end()
        pieces.extend(between)
        plain = _fold(match[0])
        if waiting and between:
            pieces[-len(between)] = waiting + between[0]
            waiting = ""
        if plain:
            pieces.extend([waiting + match[0], *[""] * (len(plain) - 1)])
            waiting = ""
        else:
            waiting += match[0]
    # What has no width stands before the next character, or after the last.
    rest = text[end:]
    return [*pieces, waiting + rest[:1], *rest[1:]] if rest or waiting else pieces


def _digits(text: str) -> bytes:
    """A folded text's digits as zeros, without separators."""
    if not text.isascii() and _OTHER_DIGITS.search(text):
        # Forms take the digits of every script.
        text = "".join("0" if character.isdecimal() else character for character in text)
    return text.encode(errors="replace").translate(_DIGITS, _SEPARATORS)


# --- what a form needs -----------------------------------------------------------------------------------------------

#: Operation and argument, as Python's own parser of expressions gives them.
Token = tuple[Any, Any]


class Needed(NamedTuple):
    """``words``, lower case: any match holds at least one, which stands at most ``lead`` characters after its start."""

    words: frozenset[str]
    lead: int


#: A word that may stand anywhere, also before the match.
UNKNOWN: Final = 1_000_000


def needed(pattern: re.Pattern[str]) -> Needed:
    """Words of which any match of the pattern holds at least one; none where no word is certain.

    Raises ValueError for a pattern without re.ASCII: one that ignores case would take "\u017f" for an "s".
    """
    if not pattern.flags & re.ASCII:
        raise ValueError(f"{pattern.pattern} needs re.ASCII")
    return _best(_words_of(parser.parse(pattern.pattern, pattern.flags), Needed(frozenset([""]), 0)))


def _best(candidates: Iterable[Needed]) -> Needed:
    """Long words are rare in ordinary text, and few are fast to build: the longest to LONG_ENOUGH, then the fewest."""
    useful = [Needed(_shortened(words), lead) for words, lead in candidates if 0 < len(words) <= MOST_WORDS]
    useful = [needs for needs in useful if min(map(len, needs.words)) >= SHORTEST_WORD]
    return max(
        useful,
        key=lambda needs: (min(LONG_ENOUGH, *map(len, needs.words)), -len(needs.words)),
        default=Needed(frozenset(), UNKNOWN),
    )


def _shortened(words: Iterable[str]) -> frozenset[str]:
    """The same without words that begin with another one: who looks for that one finds them, too."""
    kept: list[str] = []
    for word in sorted(words):
        if not kept or not word.startswith(kept[-1]):
            kept.append(word)
    return frozenset(kept)


def _words_of(tokens: Iterable[Token], before: Needed) -> Iterable[Needed]:
    """Sets of words, from each of which one stands in any match of this sequence. ``before``: what may stand right
    before it, all of which counts.
    """
    run, lead = before
    #: Most characters from the start of the match to here.
    here = lead + max(map(len, run))
    for token in tokens:
        nested = _nested(token, Needed(run, lead))
        if nested.words:
            yield nested
        here = min(UNKNOWN, here + _width(token))
        words = _finite(token)
        if words is not None and len(run) * len(words) <= MOST_WORDS:
            run = frozenset({left + right for left in run for right in words})
        else:
            yield Needed(run, lead)
            run = frozenset(words or {""})
            lead = here - max(map(len, run))
    yield Needed(run, lead)


def _nested(token: Token, before: Needed) -> Needed:
    """What a part that must occur needs, together with what stands right before it."""
    kind, argument = token
    if kind in (op.SUBPATTERN, op.ATOMIC_GROUP):
        return _best(_words_of(argument[-1] if kind is op.SUBPATTERN else argument, before))
    if kind is op.ASSERT:
        direction, inner = argument
        return _best(_words_of(inner, before if direction > 0 else Needed(frozenset([""]), UNKNOWN)))
    if kind is op.BRANCH:
        each = [_best(_words_of(branch, before)) for branch in argument[1]]
        if all(needs.words for needs in each):
            return Needed(frozenset().union(*(needs.words for needs in each)), max(needs.lead for needs in each))
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT) and argument[0] > 0:
        return _best(_words_of(argument[2], before))
    return Needed(frozenset(), UNKNOWN)


def _width(token: Token) -> int:
    """Most characters of this part."""
    kind, argument = token
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return min(UNKNOWN, int(argument[1]) * sum(map(_width, argument[2])))
    if kind in (op.SUBPATTERN, op.ATOMIC_GROUP):
        return sum(map(_width, argument[-1] if kind is op.SUBPATTERN else argument))
    if kind is op.BRANCH:
        return max(sum(map(_width, branch)) for branch in argument[1])
    if kind in (op.AT, op.ASSERT, op.ASSERT_NOT):
        return 0
    return 1 if kind in (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN) else UNKNOWN


def _finite(token: Token) -> set[str] | None:
    """All texts that this part can be, in lower case; None: too many."""
    kind, argument = token
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        least, most, inner = argument
        return _union(_sequence(list(inner) * times) for times in range(least, most + 1)) if most <= 2 else None
    finite = _FINITE.get(kind)
    return finite(argument) if finite else None


def _characters(items: Sequence[Token]) -> set[str] | None:
    """A class of few characters."""
    characters: set[str] = set()
    for kind, argument in items:
        if kind is op.LITERAL:
            characters.add(chr(argument).lower())
        elif (kind, argument) == (op.CATEGORY, op.CATEGORY_DIGIT):
            characters |= set("0123456789")  # the pattern is of ASCII
        elif kind is op.RANGE and argument[1] - argument[0] < 10:
            characters |= {chr(code).lower() for code in range(argument[0], argument[1] + 1)}
        else:
            return None
    return characters


def _sequence(tokens: Iterable[Token]) -> set[str] | None:
    texts = {""}
    for token in tokens:
        more = _finite(token)
        if more is None or len(texts) * len(more) > MOST_WORDS:
            return None
        texts = {before + after for before in texts for after in more}
    return texts


def _union(sets: Iterable[set[str] | None]) -> set[str] | None:
    texts: set[str] = set()
    for more in sets:
        if more is None or len(texts) + len(more) > MOST_WORDS:
            return None
        texts |= more
    return texts


def _nothing(_: Any) -> set[str] | None:
    return {""}


_FINITE: Final[dict[Any, Callable[[Any], set[str] | None]]] = {
    op.LITERAL: lambda code: {chr(code).lower()},
    op.IN: _characters,
    op.SUBPATTERN: lambda group: _sequence(group[-1]),
    op.BRANCH: lambda branch: _union(map(_sequence, branch[1])),
    **dict.fromkeys((op.AT, op.ASSERT, op.ASSERT_NOT), _nothing),
}
