"""Reads a question: which words to search for, and the days that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from consumer.evidence.search import days, words
from consumer.evidence.search.days import DayRange

#: More words than any question has; a pasted document is searched by its first ones.
MOST_WORDS: Final = 64
STOP: Final = frozenset(
    re.findall(
        r"\w+",
        "a about also an and any are as at be been being but by can could did do does for from had has have he him"
        " how i if in into is it its just me my no not of on or our out s said say says she should so some t tell than"
        " that the their them then there these they this to up us was we were what when where which while who whom"
        " whose why will with would you your",
    )
)
#: What a question asks to be done with the passages says nothing about them: "Summarize the discussion about ...".
_INSTRUCTION: Final = re.compile(
    r"\s*(?:(?:please|kindly|can you|could you|i want you to|i need you to|help me)\s+)*"
    r"(?:(?:summari[sz]e|describe|explain|list|show|find|give|tell|remind|outline|recap|search|look)\b"
    r"(?:\s+(?:me|us|up|for|out|all|every|everything|the|a|an|any|of|brief|short|full|quick))*"
    r"(?:\s+(?:summary|overview|discussions?|conversations?|notes?|messages?|mails?|e-?mails?|meetings?|list|details))?"
    r"(?:\s+(?:about|on|of|regarding|concerning|for|from|where|in which|that mention|mentioning))?)(?=\s)",
    re.IGNORECASE,
)


#: Asks for a day, in the languages of ``days``: "on which date" is no more about dates than "when" is.
_WHEN: Final = re.compile(
    r"\b(?:when|(?:what|which) (?:day|date)|wann|welche[mnrs]? (?:tag|datum)|quand|quel(?:le)? (?:jour|date)"
    r"|cu\u00e1ndo|qu\u00e9 (?:d\u00eda|fecha)|quando|que (?:dia|data)|(?:che|quale) (?:giorno|data)|wanneer"
    r"|welke (?:dag|datum))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    """``words``: in small letters, each once, without stop words unless it has no others. ``capitals``: those of them
    that are written with a capital letter, as names are.
    """

    words: tuple[str, ...]
    capitals: frozenset[str]
    days: tuple[DayRange, ...]


def read(text: str, today: date | None) -> SearchQuestion:
    """``today``: where "last week" and a missing year are counted from."""
    instruction = _INSTRUCTION.match(text)
    asked = text[instruction.end() :] if instruction else text
    every = words.words(_WHEN.sub(" ", asked)) or words.words(text)
    telling = [word for word in every if word not in STOP] or every
    capitals = {word.lower() for word in words.words(asked, fold=False) if word[:1].isupper()}
    return SearchQuestion(tuple(dict.fromkeys(telling))[:MOST_WORDS], frozenset(capitals), days.find(text, today))
