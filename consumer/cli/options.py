"""Arguments and options that several commands have, and the checks of what was typed."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

import typer

#: As in contract.api.ReasonRequest.
REASON_LENGTH: Final = 500


def is_user_id(text: str | None) -> str | None:
    """The callback of every ``user_id`` a verb takes: a name or an address must not look like a user without data."""
    if text is None or is_uuid(text):
        return text
    raise typer.BadParameter(f"{text!r} is no user_id (a lower-case UUID); `cloop-memory user list` shows them")


def is_reason(text: str | None) -> str | None:
    """The callback of every ``--reason``: what is kept for others must say something, and has 500 characters."""
    if text is not None and not 0 < len(text.strip()) <= len(text) <= REASON_LENGTH:
        raise typer.BadParameter(f"say why, in 1 to {REASON_LENGTH} characters")
    return text


def is_uuid(text: str) -> bool:
    """Whether this is a UUID in the one spelling that names are made of."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


User = Annotated[str, typer.Option("--user", help="user_id", callback=is_user_id)]
UserId = Annotated[str, typer.Argument(help="user_id", callback=is_user_id)]
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]
Limit = Annotated[int, typer.Option(min=1, help="At most so many; pages are fetched as needed.")]
