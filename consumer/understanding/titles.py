"""What a mail's title names: "it has been moved to Friday" tells nothing without it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from consumer.understanding.languages.words import words as table
from consumer.understanding.statements import CONVERSATION, Fact, Statement
from consumer.understanding.text import fold

_BEFORE: Final = re.compile(
    r"\A\s*(?:(?:re|fwd?|wg|aw|tr|rv|r|sv|antw|updated?|reminder|new time"
    r"|(?:(?:time|date|day|room|location|venue) )?change)\s*:\s*)+",
    re.IGNORECASE,
)
#: What a title says of what it names: "Plan meeting - rescheduled, again".
_NEWS: Final = re.compile(
    r"\s*[-\u2013:(!*]*\s*\b(?:(?:has|have|is|was|ist|est) (?:now )?(?:been )?)?"
    r"(?:re-?scheduled|moved|postponed|cancell?ed|update[ds]?|changed?|new (?:time|date|day"
    r"|room|location)"
    r"|date change|verschoben|verlegt|report\u00e9e?|aplazad[oa]|adiad[oa]|rinviat[oa]|verplaatst|extension"
    r"|extended)\b.*",
    re.IGNORECASE,
)
_EVENTS: Final = table(
    """
    meeting mtg call conference session review interview lunch dinner breakfast party training class workshop webinar
    appointment presentation demo game match trip visit event hearing seminar deadline launch termin treffen besprechung
    sitzung feier abgabe kurs r\u00e9union rdv rendez cours d\u00eener d\u00e9jeuner reuni\u00f3n cita cena
    almuerzo clase
    reuni\u00e3o jantar almo\u00e7o aula riunione cena pranzo lezione vergadering afspraak overleg les
    """
)
#: Of an event that is over, or of many: "it" is something else.
_REPORTS: Final = table(
    "minutes notes report summary newsletter protokoll bericht compte rendu acta atas ata verbale notulen verslag"
)
#: Subjects that only point at what the mail is about.
_POINTING: Final = table("it this es dies elle il het")
#: Of what, only the title tells: "the location has changed to the Tern Room".
_BARE: Final = table(
    "location venue place room time date day start ort raum uhrzeit datum zeit lieu salle heure date lugar sala hora "
    "fecha local data luogo orario locatie zaal tijd datum"
) | {"starting time", "start time", "start date", "end date"}
#: Words beside an event that point to the title: "the meeting referenced below".
_SHOWN: Final = table("above below referenced mentioned")
_SHOWN_FIRST: Final = re.compile(r"\A(?:above|below)\s(?:(?:referenced|mentioned)\s)?", re.IGNORECASE)
_SHORTEST: Final = 3
_LONGEST: Final = 80


def named(statements: Iterable[Statement], title: str) -> Iterator[Statement]:
    """The statements, with the event of the title for "it" and for "meeting"; without a change of an unknown "it"."""
    event = _event(title)
    for statement in statements:
        if not isinstance(statement, Fact):
            yield statement
            continue
        words = fold(statement.subject).split()
        subject = " ".join(word for word in words if word not in _SHOWN)
        if CONVERSATION not in dict(statement.scope) and _SHOWN.isdisjoint(words):
            yield statement
            continue
        if event and (subject in _POINTING | _BARE or (subject in _EVENTS and _names(event, subject))):
            yield replace(statement, subject=event)
        elif subject not in _POINTING | _BARE:
            yield replace(statement, subject=_SHOWN_FIRST.sub("", statement.subject))


def _names(event: str, subject: str) -> bool:
    words = re.findall(r"\w+", fold(event))
    return subject in words or (subject == "meeting" and "mtg" in words)


def _event(title: str) -> str:
    """The event that the title names, "" for none."""
    plain = _NEWS.sub("", _BEFORE.sub("", " ".join(title.split()))).strip(" -\u2013:!*,.")
    words = set(re.findall(r"\w+", fold(plain)))
    is_event = not _EVENTS.isdisjoint(words) and _REPORTS.isdisjoint(words)
    return plain if is_event and _SHORTEST <= len(plain) <= _LONGEST else ""
