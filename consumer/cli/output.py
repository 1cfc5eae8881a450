"""How the command line speaks: tables for people, one JSON document for machines, advice on stderr."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn
from uuid import UUID

import orjson
import typer

if TYPE_CHECKING:
    from consumer.doctor.health import Diagnosis


#: As in contract.api.ReasonRequest.
REASON_LENGTH = 500


#: What a terminal obeys instead of showing, what breaks a line, and what turns its order around. A tab stays.
_UNSHOWN: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """One line that a terminal only shows: messages, pages and names hold what others wrote."""
    return _UNSHOWN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def tell(text: str, *, err: bool = False) -> None:
    """Print one line, ``printable``."""
    typer.echo(printable(text), err=err)


def fail(message: str, *, code: int = 1) -> NoReturn:
    """Say what is wrong on stderr and leave with this exit code."""
    # Advice of ours may have lines.
    for number, part in enumerate(message.splitlines() or [""]):
        tell(part if number else f"cloop-memory: {part}", err=True)
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
    texts = [[("" if cell is None else printable(str(cell))) for cell in row] for row in rows]
    widths = [max(len(c), *(len(r[i]) for r in texts)) if texts else len(c) for i, c in enumerate(columns)]
    for cells in [list(columns), *texts]:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())


def pairs(values: Mapping[str, Any]) -> None:
    """One ``name  value`` line each, empty ones left out."""
    width = max(map(len, values), default=0)
    for name, value in values.items():
        if value not in (None, "", {}, []):
            shown = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, Mapping) else value
            tell(f"{name.ljust(width)}  {shown}")


def finding(one: Diagnosis) -> None:
    """A line of a diagnosis, and what to do about it if it is a fault."""
    mark = {True: "ok", False: "FAULT", None: "-"}[one.ok]
    tell(f"{mark:<6} {one.check:<14} {one.detail}")
    if one.ok is False and one.advice:
        tell(f"{'':22}{one.advice}")


def findings(found: Iterable[Diagnosis]) -> None:
    """All of them."""
    for one in found:
        finding(one)
