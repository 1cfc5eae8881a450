"""Folding and splitting of text, with places kept: what stands in folded text stands in the text at the same place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Final, NamedTuple

from consumer.understanding import languages

_FOLDED: Final = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u00b4": "'", "\u00a0": " ", "\u202f": " ", "\u2009": " "}
)
#: Words, numbers with what stands inside of them, and single signs. A hyphen or an apostrophe joins.
_TOKEN: Final = re.compile(r"\d+(?:[.,:/]\d+)*[^\W\d_]*|[^\W_]+(?:['\-&][^\W_]+)*|[^\w\s]")
#: The same where an apostrophe ends a word: "j'enverrai" is two.
_ELIDED: Final = re.compile(r"\d+(?:[.,:/]\d+)*[^\W\d_]*|([^\W_]+(?:[\-&][^\W_]+)*)'?|[^\w\s]")
_DIRECTION: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_END: Final = re.compile(
    r"(?<=[.!?\u2026])[\"'\u201d\u00bb)\]]*\s+|\s*\n+\s*"
    # Chinese and Japanese write no blank behind a full stop.
    r"|(?<=[\u3002\uff01\uff1f])[\u300d\u300f\u201d\uff09]*\s*(?=\S)(?![\u300d\u300f\u201d\uff09\u3002\uff01\uff1f])"
)
#: What stands at any end but the last.
_MAY_END: Final = re.compile(r"\n|[.!?\u2026\"'\u201d\u00bb)\]]\s|[\u3002\uff01\uff1f]")
_LAST_WORD: Final = re.compile(r"([^\s(\"'\u2019\u201e\u00ab]+)\.[\"'\u201d\u00bb)\]]*$")
#: Short forms before a name, in whatever language the name is mentioned: "the drawings to Sra. Garc\u00eda".
_TITLES: Final = frozenset(
    (
        *("dr", "dra", "prof", "profa", "mr", "mrs", "mme", "mlle", "sr", "sra", "srta", "sres", "d\u00f1a", "hrn"),
        *("amb", "gov", "sen", "capt", "dott", "avv", "dhr", "mevr", "drs", "sig", "sigg", "exmo", "exma"),
    )
)
#: German: "Fr." is Friday behind these words, and elsewhere "Frau".
_BEFORE_DAY: Final = frozenset({"bis", "am", "ab", "vor", "nach", "zum", "vom", "seit", "den"})
_ENDED: Final = re.compile(r"[^\"\u201c\u201d\n]{2,}[.!?,]\)?[\"\u201d](?=\s|[^\W\d_]|\Z)")
_QUOTED: Final = re.compile(
    r'"[^"\n]{2,}"|\u201c[^\u201d\n]{2,}\u201d|\u201e[^\u201c\u201d\n]{2,}[\u201c\u201d]|\u00ab[^\u00bb\n]{2,}\u00bb'
    r"|(?<=[,:] )['\u2018](?=[^\W\d_a-z])(?:[^'\u2019\n]|['\u2019](?=\w))+['\u2019](?!\w)"
)
#: A quotation that is not closed, or in a later sentence: 'The note says "please enter 40.'
_UNCLOSED: Final = re.compile(r'(?<=\s)"(?=[^\W\d_])[^"\n]{12,}\Z')


#: What opens a quotation. A single quotation mark does so only after a comma or a colon.
_OPENS: Final = ('"', "\u201c", "\u201d", "\u201e", "\u00ab", ", '", ": '", ", \u2018", ": \u2018")


class Token(NamedTuple):
    """A folded word or sign and its place."""

    word: str
    start: int
    end: int


#: Without a call of Python's: these are most of what is made when a text is read.
_token: Final[Callable[[tuple[str, int, int]], Token]] = partial(tuple.__new__, Token)


class Sentence(NamedTuple):
    """``text`` stands at ``start`` of the utterance, without the blanks around it."""

    text: str
    start: int


def undirected(text: str) -> str:
    """Text as it is shown, without signs that change the direction of what stands behind them."""
    return text if text.isascii() else _DIRECTION.sub("", text)


def flat(text: str) -> str:
    """The same on one line."""
    return " ".join(undirected(text).split())


def fold(text: str) -> str:
    """Small letters, plain apostrophes and blanks; as many characters as ``text`` has."""
    if text.isascii():
        return text.lower()
    folded = text.translate(_FOLDED)
    lowered = folded.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in folded)


def overlaps(span: tuple[int, int], taken: Iterable[tuple[int, int]]) -> bool:
    """Whether a stretch of text shares a character with any of the others."""
    return any(start < span[1] and span[0] < end for start, end in taken)


def tokens(folded: str, elided: bool = False) -> list[Token]:
    if elided:
        return [_token((match[1] or match[0], match.start(), match.end())) for match in _ELIDED.finditer(folded)]
    return [_token((match[0], match.start(), match.end())) for match in _TOKEN.finditer(folded)]


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Where somebody else's words are quoted inside of a sentence."""
    if not any(sign in text for sign in _OPENS):
        return []
    unclosed = [match] if text.count('"') == 1 and (match := _UNCLOSED.search(text)) else []
    several = (*_begun_before(text), *_QUOTED.finditer(text), *unclosed)
    return [match.span() for match in several]


def _begun_before(text: str) -> list[re.Match[str]]:
    """Where a quotation ends that began in an earlier sentence: 'Give me the list." The audience rose.'"""
    ended = _ENDED.match(text)
    return [ended] if ended and (ended[0].endswith("\u201d") or text.count('"') % 2) else []


def sentences(text: str, language: str = "") -> list[Sentence]:
    """Sentences in order. A dot after an abbreviation ("Dr."), an initial or an ordinal ("3. Dezember") ends none."""
    if not _MAY_END.search(text):
        stripped = text.strip()
        return [Sentence(stripped, text.index(stripped))] if stripped else []
    begin, made = 0, []
    for match in _END.finditer(text):
        if "\n" not in match[0] and not _ends(text[begin : match.start()], text[match.end() :], language):
            continue
        made.append((begin, match.end()))
        begin = match.end()
    made.append((begin, len(text)))
    return [Sentence(part, text.index(part, start)) for start, end in made if (part := text[start:end].strip())]


def _ends(  # noqa: C901, PLR0911 - one branch a form
    before: str, after: str, language: str
) -> bool:
    """Whether the sentence ``before`` ends where ``after`` begins."""
    match = _LAST_WORD.search(before)
    if match is None:
        return True
    word = match[1].lower()
    if len(word) == 1 and word.isalpha() and word not in "\u00e0\u00e9" and not after[:1].isdigit():
        return False  # an initial: "J. Smith"
    if word == "fr" and language == "de" and _BEFORE_DAY.isdisjoint(before.lower().split()[-2:-1]):
        return False  # "an Fr. Lenz", and "bis Fr." ends
    if word == "no" or word in _short_dates():
        return not (after[:1].isdigit() or after[:1].islower() or languages.is_month(_first_word(after)))
    if _INITIALS.fullmatch(match[1]) or word in abbreviations(language):
        # "By 3 p.m. Please send", "at Stone Corp. Could you", and not "J.M. Stone", "Stone Corp. Ltd."
        return language == "en" and word not in _TITLES and _first_word(after) in _OPENING
    if word.isdigit() and len(word) < 3 and language in ("de", ""):
        if after[:1].islower():
            return False  # "bis zum 20. die Liste"
        return not (after[:1].isalpha() and languages.is_month(_first_word(after)))
    if not after[:1].isalpha() and not after[:1].isdigit():
        return True
    return not after[:1].islower()


#: "J.M.".
_INITIALS: Final = re.compile(r"(?!O\.K)[A-Z](?:\.[A-Z])+")
#: English: words that open a sentence, and stand in no name.
_OPENING: Final = frozenset(
    (
        *("Please", "Could", "Can", "Would", "Will", "Let", "I", "I'll", "I'm", "I've", "We", "We'll", "You", "They"),
        *("He", "She", "It", "This", "That", "These", "There", "If", "When", "What", "How", "Thanks", "Also", "Do"),
    )
)


def _first_word(text: str) -> str:
    return next(iter(text.split(maxsplit=1)), "")


@cache
def _short_dates() -> frozenset[str]:
    """Months and days, short or not: a dot after them may end a sentence."""
    several = [words.dates for words in languages.LANGUAGES.values()]
    return frozenset(name for dates in several for table in (dates.months, dates.short_weekdays) for name in table)


@cache
def abbreviations(language: str) -> frozenset[str]:
    """Words after which a dot ends no sentence; of every language if this one is not known."""
    known = languages.get(language)
    several = [known] if known else list(languages.LANGUAGES.values())
    return _TITLES | frozenset(word for each in several for word in each.abbreviations)
