"""Words in the form in which those of a question and those of memory are compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from consumer.understanding import languages, mentions

#: Endings that a word may lose, the longest first. What is left has at least ``_LEAST`` letters.
_ENDINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "en": ("ings", "ing", "als", "al", "ies", "ed", "es", "s", "e", "y"),
    "de": ("ungen", "ung", "test", "ten", "ern", "te", "et", "en", "em", "er", "es", "st", "e", "n", "s", "t"),
    "fr": ("erons", "erez", "erai", "era", "ees", "ons", "ent", "ee", "es", "ez", "er", "re", "ir", "e", "s", "x", "t"),
    "es": (
        *("aremos", "iendo", "ando", "adas", "ados", "idos", "idas", "are", "ire", "ara", "ira", "ado", "ada", "ido"),
        *("ida", "ar", "er", "ir", "as", "es", "os", "an", "en", "o", "a", "e", "s"),
    ),
    "pt": (
        *("aremos", "ando", "endo", "indo", "adas", "ados", "idos", "idas", "arei", "irei", "ado", "ada", "ido", "ida"),
        *("ar", "er", "ir", "as", "es", "os", "am", "em", "ei", "ou", "o", "a", "e", "s"),
    ),
    "it": (
        *("eremo", "iamo", "ando", "endo", "ate", "ati", "ato", "ata", "ito", "ita", "ero", "era", "are", "ere", "ire"),
        *("mi", "ti", "no", "i", "e", "o", "a"),
    ),
    "nl": ("ingen", "ing", "den", "ten", "en", "de", "te", "s", "t", "d", "e", "n"),
}
_LEAST: Final = 3
_SPLIT_VERB: Final = re.compile(
    r"^(ab|an|auf|aus|ein|mit|nach|vor|zu|zuruck|uber|um|los|op|in|af|uit|terug|over)(?:ge|zu)"
)
_PARTICIPLE: Final = re.compile(r"^ge(?=\w{4,}(?:t|en|d)$)")


@lru_cache(maxsize=65536)
def stem(word: str, language: str) -> str:
    """A word without accents and endings; forms of a verb that the reader's tables know are one."""
    plain = mentions.key(word)
    plain = _verbs(language).get(plain, plain)
    if any(sign.isdigit() for sign in plain):
        return plain
    if language in ("de", "nl"):
        plain = _SPLIT_VERB.sub(r"\1", plain) if len(plain) > 6 else plain
        plain = _PARTICIPLE.sub("", plain)
    for ending in _ENDINGS.get(language, ()):
        if plain.endswith(ending) and len(plain) - len(ending) >= _LEAST:
            plain = plain.removesuffix(ending)
            break
    # "booked" and "book" lose different endings of one letter more or less: "propose", "propos".
    return plain[:-1] if language == "en" and len(plain) > 4 and plain[-1] == plain[-2] else plain


def stems(text: str, language: str) -> frozenset[str]:
    """Of all words and numbers of a text; parts of joined words, and the whole, count each."""
    return frozenset(stem(word, language) for word in _words(text))


def starts(text: str) -> frozenset[str]:
    """The first letters of each word: what may have a stem in common begins alike, in whatever language."""
    return frozenset(mentions.key(word)[:3] for word in _words(text))


def keys(text: str) -> frozenset[str]:
    """Each word as names are compared, see ``mentions.key``."""
    return frozenset(map(mentions.key, _words(text)))


def _words(text: str) -> Iterator[str]:
    for match in re.finditer(r"\w[\w'\u2019-]*\w|\w", text):
        whole = match[0]
        yield whole
        parts = re.split(r"[-'\u2019]", whole)
        if len(parts) > 1:
            yield from (part for part in parts if part)


@cache
def _verbs(language: str) -> Mapping[str, str]:
    """Irregular and other forms of known verbs -> the infinitive: "sent" -> "send"."""
    known = languages.get(language)
    forms: dict[str, str] = {}
    for verb in known.verbs if known else ():
        infinitive = mentions.key(verb.infinitive)
        for form in (verb.present, *verb.participle.split("/")):
            if len(form) > 2:
                forms.setdefault(mentions.key(form), infinitive)
    return forms
