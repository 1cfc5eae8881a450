"""How the command line speaks: tables for people, one JSON document for machines, advice on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn
from uuid import UUID

import orjson
import typer

if TYPE_CHECKING:
    from consumer.core.health import Finding


#: As in contract.api.ReasonRequest.
REASON_LENGTH = 500


def fail(message: str, *, code: int = 1) -> NoReturn:
    """Say what is wrong on stderr and leave with this exit code."""
    typer.echo(f"cloop-memory: {message}", err=True)
    raise typer.Exit(code)


def program() -> str:
    """How this command was called, for the next command that a verb advises."""
    return "cloop-memory --local" if "--local" in sys.argv else "cloop-memory"


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


def emit_json(value: Any) -> None:
    """One JSON document on stdout, keys in the order given."""
    sys.stdout.write(orjson.dumps(value, default=str).decode() + "\n")


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Aligned columns, no colour: the same on a terminal and in a file."""
    texts = [[("" if cell is None else str(cell)) for cell in row] for row in rows]
    widths = [max(len(c), *(len(r[i]) for r in texts)) if texts else len(c) for i, c in enumerate(columns)]
    for line in [list(columns), *texts]:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def pairs(values: Mapping[str, Any]) -> None:
    """One ``name  value`` line each, empty ones left out."""
    width = max(map(len, values), default=0)
    for name, value in values.items():
        if value not in (None, "", {}, []):
            shown = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, Mapping) else value
            typer.echo(f"{name.ljust(width)}  {shown}")


def finding(one: Finding) -> None:
    """A line of a diagnosis, and what to do about it if it is a fault."""
    mark = {True: "ok", False: "FAULT", None: "-"}[one.ok]
    typer.echo(f"{mark:<6} {one.check:<14} {one.detail}")
    if one.ok is False and one.advice:
        typer.echo(f"{'':22}{one.advice}")


def findings(found: Iterable[Finding]) -> None:
    """All of them."""
    for one in found:
        finding(one)
