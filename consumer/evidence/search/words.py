"""Text as the index stores it: one token a word, and pairs of signs in scripts that are written without blanks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from typing import Final

#: Words of a snippet.
SNIPPET_WORDS: Final = 60
#: Thai, Lao, Tibetan, Myanmar, Khmer; Hangul, whose words carry particles; kana and Han.
_UNSPACED: Final = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"
    "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
#: A run of signs of scripts without blanks.
RUN: Final = re.compile(f"[{_UNSPACED}]+")
_ASCII_WORD: Final = re.compile(r"[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*")
#: Python counts no marks among the signs of a word, but Hindi's vowels are marks.
_WORD: Final = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff]|'(?=[^\W_]))*")
#: A word of a snippet; a dozen signs of a script without blanks are as long.
_PIECE: Final = re.compile(r"\S{1,12}")
_POSSESSIVE: Final = re.compile(r"'s?$")
_APOSTROPHES: Final = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u00b4": "'"})


def indexed(text: str) -> str:
    """The text as it is given to SQLite's tokenizer: a run of signs without blanks becomes its pairs.

    ``AB``, ``BC`` and, at the end, ``C`` stand for the run ``ABC``, so that every sign begins a token and a search for
    one sign finds it as a prefix.
    """
    if text.isascii():
        return text
    return RUN.sub(lambda match: f" {' '.join(_pairs(match[0]))} ", _alike(text))


def words(text: str, *, fold: bool = True) -> list[str]:
    """The words of a question, in order, in small letters with ``fold``; a run without blanks gives its pairs."""
    if text.isascii():
        plain = _ASCII_WORD.findall(text.lower() if fold else text)
        return [_POSSESSIVE.sub("", word) if "'" in word else word for word in plain]
    text = _alike(text).translate(_APOSTROPHES)
    text = RUN.sub(lambda run: f" {run[0]} ", text)
    several: list[str] = []
    for word in _WORD.findall(text.lower() if fold else text):
        if not word.isascii() and RUN.match(word):
            several += _pairs(word)[:-1] or [word]
        else:
            several.append(_POSSESSIVE.sub("", word) if "'" in word else word)
    return several


def _alike(text: str) -> str:
    """Letters that the tokenizer does not take apart become those that people write for them: "stra\u00dfe", "strasse".

    Greek loses its accents, and an Arabic word the article that is written as its beginning.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_ALIKE)
    plain = _GREEK.sub(lambda match: _without_accents(match[0]), plain)
    return _ARTICLE.sub("", plain)


def _without_accents(word: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))


_ALIKE: Final = str.maketrans(
    {
        **{"\u00df": "ss", "\u1e9e": "SS", "\u0153": "oe", "\u0152": "OE", "\u00e6": "ae", "\u00c6": "AE"},
        **{"\u00f8": "o", "\u00d8": "O", "\u0142": "l", "\u0141": "L", "\u0111": "d", "\u0110": "D", "\u0131": "i"},
    }
)
_GREEK: Final = re.compile("[\u0370-\u03ff\u1f00-\u1fff]+")
_ARTICLE: Final = re.compile("(?<![\u0621-\u064a])\u0627\u0644(?=[\u0621-\u064a]{3})")


def spaced(text: str) -> list[str]:
    """Of ``words`` those of scripts with blanks between them."""
    return words(RUN.sub(" ", unicodedata.normalize("NFKC", text)))


def runs(text: str) -> list[str]:
    """The runs of signs of scripts without blanks."""
    return RUN.findall(unicodedata.normalize("NFKC", text))


def is_single_sign(word: str) -> bool:
    """Whether the word is one sign of a script without blanks: it is searched for as the beginning of a pair."""
    return len(word) == 1 and RUN.match(word) is not None


def snippet(text: str, wanted: Collection[str], most: int = SNIPPET_WORDS) -> str:
    """At most so many words of the text: the stretch with the most of the wanted words."""
    spans = [match.span() for match in _PIECE.finditer(text)]
    if len(spans) <= most:
        return " ".join(text.split())
    stems = [word[: max(4, len(word) - 2)] for word in wanted]
    folded = text.lower() if len(text.lower()) == len(text) else text
    hits = [{stem for stem in stems if stem in folded[start:end]} for start, end in spans]
    starts = range(0, len(spans) - most + 1, 5)
    best = max(starts, key=lambda start: (len(set().union(*hits[start : start + most])), -start))
    shown = " ".join(text[spans[best][0] : spans[best + most - 1][1]].split())
    return f"{'… ' if best else ''}{shown}{' …' if best + most < len(spans) else ''}"


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run))]
