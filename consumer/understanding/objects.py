"""
Whether two noun phrases name the same thing.

Two levels. ``identical``: the same words, so that it holds anywhere. ``compatible``: one may stand for the
other within a
conversation that speaks of it ("the price deck", "the deck"). Numbers and versions must agree in both; resemblance is
neither.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from consumer.understanding import languages, numerals
from consumer.understanding.languages import Words
from consumer.understanding.languages.words import words as table
from consumer.understanding.text import fold, tokens

Sameness = Literal["", "compatible", "identical"]
#: Endings that a word may lose, the longest first; what is left has at least four letters.
_ENDINGS: Final = {
    "en": ("'s", "es", "s"),
    "de": ("en", "er", "es", "em", "e", "n", "s"),
    "fr": ("es", "s", "x", "e"),
    "es": ("es", "s", "o", "a"),
    "pt": ("es", "s", "o", "a"),
    "it": ("i", "e", "o", "a"),
    "nl": ("'s", "en", "s", "e"),
}
_NUMBERED: Final = re.compile(r"^v?\d[\d.,:/]*\w{0,2}$|^[a-z]{1,3}\d+$")
_ROMANCE: Final = frozenset({"fr", "es", "pt", "it"})


#: Pronouns that mean no certain thing.
_ANYTHING: Final = table(
    "something everything anything so what things stuff etwas alles was tout quelque chose todo algo tudo qualcosa "
    "tutto iets"
)
#: Of all languages, since a sentence as short as "Je te l'envoie lundi" may not tell its own.
_PRONOUNS: Final = frozenset().union(*(words.pronoun_objects for words in languages.LANGUAGES.values())) - _ANYTHING


class _Named(NamedTuple):
    """``head`` is the thing itself ("deck"), ``others`` what tells which one."""

    head: str
    others: frozenset[str]
    numbers: frozenset[str]


def same_object(left: str, right: str, language: str) -> Sameness:
    """How surely two noun phrases name one thing; "" where they do not, or nobody can tell."""
    first, second = _named(left, language), _named(right, language)
    if not first.head or first.head != second.head:
        return ""
    if first.others == second.others and first.numbers == second.numbers:
        return "identical"
    numbers_agree = first.numbers <= second.numbers or second.numbers <= first.numbers
    nested = first.others <= second.others or second.others <= first.others
    both_numbered = bool(first.numbers) and bool(second.numbers)
    if nested and numbers_agree and (not both_numbered or first.numbers == second.numbers):
        return "compatible"
    return ""


def is_part_of_compound(short: str, compound: str, language: str) -> bool:
    """Whether the first is what the second is a kind of, in one word: "Plan" and "Wartungsplan"."""
    if language[:2] not in _COMPOUNDING:
        return False
    first, second = _named(short, language), _named(compound, language)
    # "Plan" is too short to lose a letter as an ending, which "Wartungsplan" does.
    left, right = _head_of(short, language), _head_of(compound, language)
    is_end = right.endswith(left) or second.head.endswith(first.head)
    is_longer = len(left) > _PART and len(right) - len(left) >= _PART
    return is_end and is_longer and not first.others and first.numbers <= second.numbers


#: Languages that write "maintenance plan" as one word.
_COMPOUNDING: Final = frozenset({"de", "nl"})
#: Letters that a part of a compound has at least.
_PART: Final = 3


def _head_of(text: str, language: str) -> str:
    words = languages.LANGUAGES[language[:2]]
    return _head([token.word for token in tokens(fold(text), words.elision)], words)


def is_pronoun(text: str) -> bool:
    """Whether it only points to a thing: "it", "ihn", "l'"."""
    return text.casefold().rstrip("'\u2019") in _PRONOUNS


def telling(text: str, language: str) -> frozenset[str]:
    """The words that tell what a text is about, without endings."""
    named = _named(text, language)
    return frozenset({named.head, *named.others, *named.numbers} - {""})


def head(text: str, language: str) -> str:
    """The thing itself, without its ending: phrases with different heads never name one thing."""
    return _named(text, language).head


def is_idle(text: str, words: Words) -> bool:
    """Whether a phrase is an object of talk that promises nothing: "my screen"."""
    named = [token.word for token in tokens(fold(text), words.elision)]
    content = _content(named, words)
    if _is_while(named, content, words):
        return True
    verb = content[0].removesuffix("ing" if words.code == "en" else "") if len(content) == 1 else ""
    if verb in words.idle_verbs and verb not in NOUNS:
        return True  # "finish talking", "ti lascio andare"
    # "Window drawings" are no window: of English words the last is the thing, of Romance ones the first.
    return bool(content) and (_head(named, words) in words.idle or (len(content) < 2 and content[0] in words.idle))


#: French nouns with the ending of a verb, which their table lists so that nobody takes them for one.
NOUNS: Final = frozenset({"dossier", "courrier", "papier", "atelier"})


def _is_while(named: list[str], content: list[str], words: Words) -> bool:
    """ "5 minutes", "a few minutes": how long, and not what."""
    numbers = numerals.up_to_twenty(words.code)
    counted = any(_NUMBERED.match(word) or word in _FEW or word in numbers for word in content[:1])
    # A Romance head is the number itself, "cinq".
    whole = content[1] if len(content) == len(("5", "minutes")) else _head(named, words)
    return counted and whole in {*words.dates.units, "min", "mins", "sec", "secs"}


_FEW: Final = frozenset({"few", "couple", "some"})


@lru_cache(maxsize=65536)
def _named(text: str, language: str) -> _Named:
    words = languages.get(language) or languages.LANGUAGES["en"]
    named = [token.word for token in tokens(fold(text), words.elision)]
    head = _head(named, words)
    content = _content(named, words)
    counts = numerals.up_to_twenty(words.code)
    numbers = frozenset(
        str(counts[word]) if word in counts else word for word in content if word in counts or _NUMBERED.match(word)
    )
    others = frozenset(
        _stem(word, words.code) for word in content if word != head and word not in counts and not _NUMBERED.match(word)
    )
    return _Named(_stem(head, words.code), others, numbers)


def _content(named: list[str], words: Words) -> list[str]:
    empty = words.articles | words.pronouns | words.prepositions | words.conjunctions | words.adverbs
    return [word for word in named if word[0].isalnum() and word not in empty]


def _head(named: list[str], words: Words) -> str:
    """The noun that the phrase is about: the first one of a Romance phrase, the last before a preposition of others."""
    run: list[str] = []
    for word in named:
        if run and (word in words.prepositions or (words.code == "de" and word in _GENITIVE)):
            break
        if (
            word[0].isalpha()
            and word not in words.articles
            and word not in words.prepositions
            and not _NUMBERED.match(word)
        ):
            run.append(word)
    if not run:
        return ""
    return run[0] if words.code in _ROMANCE else run[-1]


#: Behind a German noun, whose it is: "die Maße *der Tür*".
_GENITIVE: Final = frozenset({"der", "des", "eines", "einer", "deines", "deiner", "meines", "meiner", "unserer"})


def _stem(word: str, code: str) -> str:
    """Without endings of number, case and gender: Romance words lose two ("tabelas" and "tabela")."""
    for _ in range(2 if code in _ROMANCE else 1):
        ending = next((each for each in _ENDINGS[code] if word.endswith(each) and len(word) - len(each) >= 4), "")
        word = word.removesuffix(ending)
    return word
