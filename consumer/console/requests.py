"""A request as the pages see it, and its errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from starlette.requests import Request

from consumer.console.sessions import ConsoleSession
from service import forms

#: Bytes of a form: a reason and a page of record keys.
MAX_FORM: Final = 64 * 1024
_FORM_FIELDS: Final = 1000
#: Python refuses to parse numbers of thousands of digits.
MAX_DIGITS: Final = 10


class RequestRefusal(Exception):
    """A refused request, with its status and what to do."""

    def __init__(self, status: int, title: str, advice: str) -> None:
        super().__init__(title)
        self.status, self.title, self.advice = status, title, advice


@dataclass(frozen=True, slots=True)
class Goto:
    """The path to redirect to after an action; always within the console."""

    path: str


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of a signed-in operator. ``path``: the parts of the address, by the names of its route."""

    session: ConsoleSession
    path: dict[str, str]
    query: dict[str, str]
    form: dict[str, list[str]] = field(default_factory=dict)

    def field(self, name: str) -> str:
        """A form's field without surrounding space; "" if it is absent."""
        return (self.form.get(name) or [""])[0].strip()

    def number(self, name: str) -> int | None:
        """A whole number of the query. Raises RequestRefusal: not a number."""
        text = self.query.get(name, "")
        return parse_number(text, name) if text else None


def parse_number(text: str, name: str) -> int:
    """A number in an address. Raises RequestRefusal: not a number, or too long."""
    if not (text.isascii() and text.isdecimal() and len(text) < MAX_DIGITS):
        raise RequestRefusal(400, "That address is not one of the console's", f"{name} must be a number.")
    return int(text)


async def read_form(request: Request) -> dict[str, list[str]]:
    """The fields of a posted form. Raises RequestRefusal: too large, or not a form."""
    try:
        return await forms.read(request, MAX_FORM, _FORM_FIELDS)
    except forms.FormRefused as exc:
        raise RequestRefusal(exc.status, *_FORM_REFUSALS[exc.status]) from None


_AGAIN: Final = "Go back to the page and submit it again."
#: By status: what is wrong with a form, and what to do.
_FORM_REFUSALS: Final = {
    415: ("That is not a form of the console", _AGAIN),
    413: ("That form is too large", "Choose fewer records, or use `cloop-memory dlq`."),
    400: ("That form cannot be read", _AGAIN),
}
