"""How mails look: dates in the words of a language, signatures, and the quoted mail below an answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from local.seed.cast import data_file

_FORMS: Final = data_file("mail_programs.yaml")
_DATE: Final = re.compile(r"\{(\d{4}-\d\d-\d\d)(?: (day|weekday))?(?: ([a-z]{2}))?\}")


@dataclass(frozen=True, slots=True)
class WrittenMail:
    """A mail as its answer quotes it. ``local``: when it was sent, on the clock of who answers."""

    name: str
    address: str
    to: str
    subject: str
    local: datetime
    text: str


def dated(text: str, moved: Callable[[date], date]) -> str:
    """``text`` with the dates in its braces in words: ``{2027-01-20}``, ``{... day}``, ``{... weekday de}``."""

    def words(match: re.Match[str]) -> str:
        return in_words(moved(date.fromisoformat(match[1])), match[2] or "long", match[3] or "en")

    return _DATE.sub(words, text)


def in_words(day: date, form: str = "long", language: str = "en") -> str:
    """``20 January 2027`` (``long``), ``20 January`` (``day``) or ``Wednesday`` (``weekday``), whatever the locale."""
    words = _FORMS["languages"][language]
    if form == "weekday":
        return str(words["weekdays"].split()[day.weekday()])
    shown: str = words[form].format(day=day.day, month=words["months"].split()[day.month - 1], year=day.year)
    return shown


def signed(text: str, signature: str) -> str:
    """A text with what stands below it."""
    return f"{text.strip()}\n\n{signature}" if signature else text.strip()


def answering(text: str, mail: WrittenMail, program: str) -> str:
    """A text with the mail that it answers below it, as this mail program quotes it."""
    form = _FORMS["programs"][program]
    words = _FORMS["languages"][form["language"]]
    intro = form["intro"].format(
        name=mail.name,
        address=mail.address,
        to=mail.to,
        subject=mail.subject,
        weekday=words["weekdays"].split()[mail.local.weekday()],
        day=mail.local.day,
        month=words["months"].split()[mail.local.month - 1],
        number=mail.local.month,
        year=mail.local.year,
        time=f"{mail.local:%H:%M}",
    )
    quoted = "\n".join(f"{form['marks']}{line}".rstrip() for line in mail.text.split("\n"))
    return f"{text}\n\n{intro}\n{quoted}"
