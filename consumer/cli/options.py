"""Arguments and options that several commands have, and the checks of what was typed."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

import typer

#: As in contract.api.ReasonRequest.
REASON_LENGTH: Final = 500


def is_user_id(text: str | None) -> str | None:
    """Callback of every ``user_id``: a name or an address must not look like a user without data."""
    if text is None or is_uuid(text):
        return text
    raise typer.BadParameter(f"{text!r} is not a user_id (a lower-case UUID); `cloop-memory user list` shows them")


def is_reason(text: str | None) -> str | None:
    """Callback of every ``--reason``: it is kept for others, so it must not be empty."""
    if text is not None and not 0 < len(text.strip()) <= len(text) <= REASON_LENGTH:
        raise typer.BadParameter(f"a reason has 1 to {REASON_LENGTH} characters and is not blank")
    return text


def is_uuid(text: str) -> bool:
    """Whether this is a UUID as object names have it: lower case, with hyphens."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


User = Annotated[str, typer.Option("--user", help="The user's id (user_id).", callback=is_user_id)]
UserId = Annotated[str, typer.Argument(help="The user's id (user_id).", callback=is_user_id)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Limit = Annotated[int, typer.Option(min=1, help="Maximum number of entries; pages are fetched as needed.")]
