"""Who speaks in a transcript: ``Bob: ...``, ``[00:12] Mara: ...``, ``Bob Lee  0:12`` above its words, WebVTT, JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from consumer.understanding.reading import names
from consumer.understanding.reading.tables import word_set
from consumer.understanding.utterances import ME, THEM, UNKNOWN, Person


class SpeakerTurn(NamedTuple):
    """A line and who says it; ``machine``: it is of the form of the transcript, and of nobody."""

    speaker: Person
    text: str
    machine: bool = False


_CLOCK: Final = r"[\[(]?\s*(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?(?:\s*[ap]m)?\s*[\])]?"
_NAME: Final = (
    r"[^\W\d_](?:[\w'\u2019.,-]|[ ](?=[\w(])){0,48}?(?:\s*(?:\([^()]{1,30}\)|\[[^\[\]:]{1,30}\]|\|\s?[\w .&-]{1,30}))?"
)
_LABELLED: Final = re.compile(
    rf"\s*(?:(?:[-\u2022]|>>)\s+)?(?:{_CLOCK}\s*(?:[-\u2013|]\s*)?)?[*_]{{0,2}}(?P<name>{_NAME})[*_]{{0,2}}(?:\s*{_CLOCK})?"
    r"\s*[:\uff1a][*_]{0,2}(?=\s|\Z)\s*(?P<text>.*)",
    re.IGNORECASE,
)
_ABOVE: Final = re.compile(
    rf"\s*(?:{_CLOCK}\s+)?[*_]{{0,2}}(?P<name>{_NAME})[*_]{{0,2}}(?:\s*[-\u2013|,]?\s+{_CLOCK})?\s*", re.IGNORECASE
)
_VOICE: Final = re.compile(r"\s*<v(?:\.[\w.]+)?\s+(?P<name>[^>]{1,60})>(?P<text>.*?)(?:</v>)?\s*")
_CUE: Final = re.compile(rf"\s*(?:WEBVTT.*|NOTE\b.*|\d{{1,6}}|{_CLOCK}\s*-->\s*{_CLOCK}.*|{_CLOCK})\s*")
_TIMED: Final = re.compile(_CLOCK)
#: Labels of recorders that say which side speaks: the user's microphone, and everybody else.
_MINE: Final = word_set("me you ich moi yo eu io ik myself mich")
_OTHER_END: Final = word_set("them other others")
_NOBODY: Final = re.compile(
    r"(?:speaker|sprecher(?:in)?|participant|teilnehmer(?:in)?|voice|orateur|intervenant|hablante|participante|"
    r"orador|parlante|spreker|guest|caller|"
    r"unknown(?: speaker)?|unidentified|person|user)\s*[#\d\w]{0,4}",
    re.IGNORECASE,
)
#: What stands before a colon in minutes and is nobody.
NO_SPEAKERS: Final = word_set(
    "note notes agenda action actions todo decision decisions decided summary next topic topics date time "
    "attendees participants present location subject re title question questions answer update updates status "
    "goal goals risk risks issue issues context background discussion conclusion follow-up followup deadline due "
    "owner url http https link meeting recording transcript ps fyi important warning example beschluss beschlüsse "
    "entscheidung notiz notizen aufgabe aufgaben thema themen teilnehmer datum ort frage fragen risiko offen "
    "décision décisions ordre sujet date lieu question questions suite résumé remarque action decisión decisiones "
    "tema fecha lugar pregunta nota notas resumen acción decisão decisões assunto data local pergunta ação resumo "
    "decisione decisioni argomento luogo domanda azione besluit besluiten onderwerp datum plaats vraag actie "
    "budget price total plan first second third finally also remember reminder idea result results reason problem "
    "solution"
)
_WORDS: Final = 4
#: Fields of a recorder's JSON that name who speaks, and what recorders call the ends of a line.
_LABELS: Final = ("speaker", "speaker_name", "name", "source")
_CHANNELS: Final = {"microphone": "Me", "system": "Them", "speaker": "Them"}


def turns(text: str, known: Sequence[Person], *, minutes: bool = False) -> Iterator[SpeakerTurn]:
    """The lines of a transcript with who speaks. ``minutes``: notes, where only somebody known is a speaker.

    A line without a label goes on with the speaker before; ``UNKNOWN`` before the first.
    """
    if entries := _entries(text):
        yield from _of_entries(entries, known)
        return
    lines = text.split("\n")
    speakers: dict[str, Person] = {}
    current = UNKNOWN
    for number, line in enumerate(lines):
        if not line or line.isspace():
            current = UNKNOWN if minutes else current
        elif not minutes and len(line) < 200 and _CUE.fullmatch(line):
            yield SpeakerTurn(UNKNOWN, line.strip(), machine=True)
        elif labelled := _labelled(line, known, speakers, minutes=minutes):
            current = labelled.speaker
            if labelled.text:
                yield labelled
        elif (above := _above(lines, number, known, speakers, minutes=minutes)) is not None:
            current = above
        else:
            current = UNKNOWN if minutes else current
            yield SpeakerTurn(current, line.strip())


def _entries(text: str) -> list[tuple[str, str]]:
    """(label, words) of a recorder's JSON, a list of objects; empty for any other text."""
    if not (text.startswith("[") and text.rstrip().endswith("]")):
        return []
    try:
        entries = orjson.loads(text)
    except orjson.JSONDecodeError:
        return []
    if not (isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries)):
        return []
    return [(_label(entry), words) for entry in entries if isinstance(words := entry.get("text"), str) and words]


def _label(entry: Mapping[str, Any]) -> str:
    for name in _LABELS:
        value = entry.get(name)
        value = (value.get("name") or value.get("source")) if isinstance(value, dict) else value
        if isinstance(value, str) and value.strip():
            return _CHANNELS.get(value, value)
    return ""


def _of_entries(entries: Sequence[tuple[str, str]], known: Sequence[Person]) -> Iterator[SpeakerTurn]:
    speakers: dict[str, Person] = {}
    for label, words in entries:
        speaker = _speaker(label, known, speakers, minutes=False) or UNKNOWN
        yield from (SpeakerTurn(speaker, line.strip()) for line in words.split("\n") if line.strip())


def _labelled(line: str, known: Sequence[Person], speakers: dict[str, Person], *, minutes: bool) -> SpeakerTurn | None:
    """A line that names its speaker; its text may be on the next ones."""
    voice = _VOICE.fullmatch(line) if "<v" in line[:8] else None
    match = voice or _LABELLED.match(line[:120])
    speaker = _speaker(match["name"], known, speakers, minutes=minutes) if match else None
    if match is None or speaker is None:
        return None
    return SpeakerTurn(speaker, (match["text"] if voice else line[match.start("text") :]).strip())


def _above(
    lines: Sequence[str], number: int, known: Sequence[Person], speakers: dict[str, Person], *, minutes: bool
) -> Person | None:
    """The speaker whom a line of its own names: a known name, or a name with a time of day."""
    line = lines[number]
    if minutes or len(line) > 80 or number + 1 >= len(lines):
        return None
    match = _ABOVE.fullmatch(line)
    if match is None:
        return None
    label = match["name"].strip()
    timed = _TIMED.search(line) is not None and match["name"] != line.strip()
    if not timed and (names.match(label, known) is None and names.fold(label) not in speakers):
        return None
    return _speaker(label, known, speakers, minutes=minutes)


def _speaker(label: str, known: Sequence[Person], speakers: dict[str, Person], *, minutes: bool) -> Person | None:
    """Who has this label; None: it is no label of a speaker."""
    label = re.sub(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|\|.*)\Z", "", label).strip(" .,*_")
    key = names.fold(label)
    if key in speakers:
        return speakers[key]
    if not key or len(key.split()) > _WORDS:
        return None
    speaker: Person | None
    if key in _MINE and not (minutes and key == "you"):
        speaker = ME
    elif key in _OTHER_END:
        speaker = THEM if not minutes else None
    elif _NOBODY.fullmatch(key):
        speaker = UNKNOWN if not minutes else None
    elif (speaker := names.match(label, known) or _by_initials(label, known)) is None:
        strange = minutes or key in NO_SPEAKERS or key.split()[0] in NO_SPEAKERS or not _like_a_name(label)
        speaker = None if strange else Person(label, "")
    if speaker is not None:
        speakers[key] = speaker
    return speaker


def _by_initials(label: str, known: Sequence[Person]) -> Person | None:
    """The only one with these initials: "BM" for Bob Marsh."""
    if not (1 < len(label) <= _INITIALS and label.isupper() and label.isalpha()):
        return None
    several = [
        person for person in known if [word[0] for word in names.fold(person.name).split()] == list(label.casefold())
    ]
    return several[0] if len(several) == 1 else None


_INITIALS: Final = 3


def _like_a_name(label: str) -> bool:
    """Every word with a capital, or in a script that has none; small particles may stand between."""
    words = label.split()
    particles = {"de", "van", "von", "der", "den", "di", "da", "la", "le", "el", "al", "bin", "ten", "dos", "do"}
    return (all(word in particles or not word[0].islower() for word in words) and not label.isupper()) or (
        len(words) == 1 and label.isupper()
    )
