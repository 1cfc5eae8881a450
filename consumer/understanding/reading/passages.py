"""
A passage: words of one person in one kind of text, as a family of records finds them; and passages as utterances.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from consumer.understanding.reading import names, wrapping
from consumer.understanding.reading.language import language
from consumer.understanding.reading.sentences import sentences
from consumer.understanding.utterances import COMMITTING, ME, UNKNOWN, Person, TextKind, Utterance


class TextPassage(NamedTuple):
    """``text`` may be many lines; each line is an utterance or several. ``said_at`` as in ``Utterance``."""

    author: Person
    addressees: tuple[Person, ...]
    said_at: str
    kind: TextKind
    text: str
    #: All who get the message, where it speaks to some of them.
    hearers: tuple[Person, ...] = ()


#: What a list, a quote or a heading begins with; it is no word of anybody.
_MARK: Final = re.compile(r"\s*(?:(?:[-*+\u2022\u2023\u25aa\u25cf\u25e6\u2013\u2014]|\d{1,3}[.)]|#{1,6}|>)\s+)+")
_BOX: Final = re.compile(r"\[[ xX\u2713]?\]\s+")
_AT: Final = re.compile(r"(?<![\w@.])@([\w][\w.-]{0,60}\w|\w)")
_VOCATIVE: Final = re.compile(
    r"(?:(?:hi|hello|hey|dear|hallo|hi|liebe[rs]?|lieber|bonjour|salut|cher|chère|hola|querid[oa]|olá|oi|ciao|car[oa]|"
    r"hoi|beste|thanks|thank you|danke|merci|gracias|obrigad[oa]|grazie|ok|okay|so|and|yes|no|sure)[,\s]\s*)?"
    r"@?(?P<name>[^\W\d_][\w'.-]{0,30}(?: [^\W\d_][\w'-]{0,30}){0,2})(?:\s*[,:]|\s+(?:[\u2013\u2014]|-{1,2}))\s+(?=\S)",
    re.IGNORECASE,
)
#: Between "Tom" and "and Mara" in "Tom and Mara, ..."
_ALSO: Final = re.compile(r"\s+(?:and|und|et|y|e|en)\s+", re.IGNORECASE)


def utterances(passages: Iterable[TextPassage]) -> Iterator[Utterance]:
    """Numbered utterances of a record, one sentence or line each."""
    number = 0
    passages = list(passages)
    # What a record tells of its language holds for its short passages, and a passage's for its short sentences.
    whole = " ".join([passage.text for passage in passages if passage.kind in COMMITTING])
    around = language(whole)
    # A single passage is the whole: its language is known.
    known = {whole: around} if around else {}
    for passage in passages:
        tongue = known.get(passage.text) or language(passage.text, around)
        around = around or tongue
        hearers = passage.hearers or passage.addressees
        listening = (passage.kind in COMMITTING and len(hearers) > 1) or "@" in passage.text
        for line in _lines(passage.text):
            for sentence, is_quoted in _with_quotations(list(sentences(line))):
                if is_quoted and passage.kind in COMMITTING:
                    yield Utterance(number, UNKNOWN, (), passage.said_at, "quoted", sentence, tongue)
                    number += 1
                    continue
                to = addressed(sentence, hearers) if listening else ()
                own = language(sentence, tongue) if 12 < len(sentence) < len(passage.text) else tongue
                to = to or passage.addressees
                yield Utterance(number, passage.author, to, passage.said_at, passage.kind, sentence, own)
                number += 1


def _with_quotations(several: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The sentences of a line, each with whether it stands in a quotation that began in an earlier one and ends."""
    opened = -1
    inside = set[int]()
    for number, sentence in enumerate(several):
        for mark in _QUOTATION_MARK.finditer(sentence):
            if opened < 0:
                opened = number
                continue
            ends = not any(sign.isalnum() for sign in sentence[mark.end() :])
            inside.update(range(opened + 1, number + 1 if ends else number))
            opened = -1
    return ((sentence, number in inside) for number, sentence in enumerate(several))


#: Not inches, as in 5".
_QUOTATION_MARK: Final = re.compile(r"(?<!\d)[\"\u201c\u201d\u201e\u00ab\u00bb]|(?<=\d[.!?,])[\"\u201d\u201c\u00bb]")


def addressed(sentence: str, known: tuple[Person, ...]) -> tuple[Person, ...]:
    """Those of a sentence's hearers whom it names, by a mention or by a name at its start ("Tom, ..."); () for none."""
    mentioned = [_mentioned(match[1], known) for match in _AT.finditer(sentence)] if "@" in sentence else []
    if mentioned := [person for person in mentioned if person is not None]:
        return names.distinct(mentioned)
    vocative = _VOCATIVE.match(sentence)
    if vocative is None:
        return ()
    hit = names.match(vocative["name"], known)
    if hit is None:
        first, *others = _ALSO.split(vocative["name"])
        hits = [names.match(part, known) for part in (first, *others)] if others else []
        several = [person for person in hits if person is not None]
        return tuple(several) if several and len(several) == len(hits) else ()
    return (hit,)


def _mentioned(handle: str, known: Sequence[Person]) -> Person | None:
    handle = handle.rstrip(".-")
    if handle.casefold() in ("all", "channel", "here", "everyone", "team", "alle", "todos", "tous"):
        return None
    spaced = re.sub(r"[._-]+", " ", handle)
    hit = names.match(handle, known) or names.match(spaced, known)
    if hit is not None:
        return hit
    return ME if handle.casefold() == "me" else Person(spaced, "")


def _lines(text: str) -> Iterator[str]:
    for line in wrapping.joined(text.split("\n")):
        if line and not line.isspace():
            bare = line
            if not line[0].isalpha() and (mark := _MARK.match(line)):
                bare = line[mark.end() :]
                if box := _BOX.match(bare):
                    bare = bare[box.end() :]
            if bare:
                yield bare
