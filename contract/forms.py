"""
Forms of text that must not be passed on, found and replaced: the mechanism. The forms are in contract/secretforms.py
(secrets) and renderers/sensitivity.py (restricted values).

Trying a hundred expressions on every text is slow, so a text is first searched once for the words that some form needs.
Those words are derived from the expressions themselves (``needed``): a gate that somebody writes down beside a form
sooner or later asks for more than the form does, and then lets secrets pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

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
#: Characters that stand between groups of digits, besides those of ASCII: no-break, figure, thin and narrow spaces.
SPACES: Final = "\u00a0\u2007\u2009\u202f"
#: Digits become 0, all else a dot; what stands between groups of digits goes: one pass in C.
_DIGITS: Final = bytes(ord("0") if chr(byte).isdigit() and byte < 128 else ord(".") for byte in range(256))
_SEPARATORS: Final = b" -."


def _always(_: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Form:
    """``pattern``: its group "value" is replaced, or the whole match where it has none.

    ``valid``: a check of the value that an expression cannot make. ``digits``: the form holds so many digits in a row,
    apart from separators; only for forms without a word.
    """

    name: str
    pattern: re.Pattern[str]
    valid: Callable[[str], bool] = _always
    digits: int = 0
    words: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        words = frozenset() if self.digits else needed(self.pattern)
        if not words and not self.digits:
            raise ValueError(
                f"form {self.name}: every match must hold a word; none is certain in {self.pattern.pattern}"
            )
        object.__setattr__(self, "words", words)

    def replace(self, text: str, placeholder: str, found: list[str]) -> str:
        """The text with each value replaced; this form's name is added to ``found`` for each."""
        group = "value" if "value" in self.pattern.groupindex else 0

        def put(match: re.Match[str]) -> str:
            if not self.valid(match[group]):
                return match[0]
            found.append(self.name)
            start, end = match.start(group) - match.start(), match.end(group) - match.start()
            return f"{match[0][:start]}{placeholder}{match[0][end:]}"

        return self.pattern.sub(put, text)


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
        if len(text) < self.shortest:
            return []
        found = self._find(text.lower(), overlapping=True)
        numbers = {number for match in found for number in self._by_word[match[0]]} if found else set()
        if self._by_digits:
            row = _digits(text)
            numbers.update([number for number, run in self._by_digits if run in row])
        return [self.forms[number] for number in sorted(numbers)] if numbers else []


def _digits(text: str) -> bytes:
    """The text's digits as zeros, without separators."""
    if not text.isascii():
        for space in SPACES:
            text = text.replace(space, "")
        if any(character.isdecimal() for character in set(text) if character > "\x7f"):
            # Forms take the digits of every script.
            text = "".join("0" if character.isdecimal() else character for character in text)
    return text.encode("ascii", "replace").translate(_DIGITS, _SEPARATORS)


# --- what a form needs -----------------------------------------------------------------------------------------------

#: Operation and argument, as Python's own parser of expressions gives them.
Token = tuple[Any, Any]


def needed(pattern: re.Pattern[str]) -> frozenset[str]:
    """Lower-case words of which any match of the pattern holds at least one; empty where no word is certain.

    Raises ValueError for a pattern without re.ASCII: one that ignores case would take "\u017f" for an "s".
    """
    if not pattern.flags & re.ASCII:
        raise ValueError(f"{pattern.pattern} needs re.ASCII")
    return _best(_words_of(parser.parse(pattern.pattern, pattern.flags), {""}))


def _best(candidates: Iterable[set[str] | frozenset[str]]) -> frozenset[str]:
    """Long words are rare in ordinary text, and few are fast to build: the longest to LONG_ENOUGH, then the fewest."""
    useful = [words for words in map(_shortened, candidates) if 0 < len(words) <= MOST_WORDS]
    useful = [words for words in useful if min(map(len, words)) >= SHORTEST_WORD]
    return max(useful, key=lambda words: (min(LONG_ENOUGH, *map(len, words)), -len(words)), default=frozenset())


def _shortened(words: Iterable[str]) -> frozenset[str]:
    """The same without words that begin with another one: who looks for that one finds them, too."""
    kept: list[str] = []
    for word in sorted(words):
        if not kept or not word.startswith(kept[-1]):
            kept.append(word)
    return frozenset(kept)


def _words_of(tokens: Iterable[Token], before: set[str]) -> Iterable[frozenset[str]]:
    """Sets of words, from each of which one stands in any match of this sequence. ``before``: what may stand right
    before it, all of which counts.
    """
    run = before
    for token in tokens:
        nested = _nested(token, run)
        if nested:
            yield nested
        words = _finite(token)
        if words is not None and len(run) * len(words) <= MOST_WORDS:
            run = {left + right for left in run for right in words}
        else:
            yield frozenset(run)
            run = words or {""}
    yield frozenset(run)


def _nested(token: Token, before: set[str]) -> frozenset[str]:
    """What a part that must occur needs, together with what stands right before it."""
    kind, argument = token
    if kind in (op.SUBPATTERN, op.ATOMIC_GROUP):
        return _best(_words_of(argument[-1] if kind is op.SUBPATTERN else argument, before))
    if kind is op.ASSERT:
        direction, inner = argument
        return _best(_words_of(inner, before if direction > 0 else {""}))
    if kind is op.BRANCH:
        each = [_best(_words_of(branch, before)) for branch in argument[1]]
        return frozenset().union(*each) if all(each) else frozenset()
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT) and argument[0] > 0:
        return _best(_words_of(argument[2], before))
    return frozenset()


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
