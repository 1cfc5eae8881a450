"""Output of the command line: tables for people, one JSON document for machines, advice on stderr."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import orjson
import typer

if TYPE_CHECKING:
    from consumer.doctor.health import Diagnosis

Item = TypeVar("Item")
#: Control characters, line breaks and characters that change the text direction. A tab stays.
_UNSHOWN: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """One line without anything that a terminal would obey: messages, pages and names hold what others wrote."""
    return _UNSHOWN.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def tell(text: str, *, err: bool = False) -> None:
    """Print one line, ``printable``."""
    typer.echo(printable(text), err=err)


def fail(message: str, *, code: int = 1) -> NoReturn:
    """Print the message on stderr and exit with this code."""
    # Our own messages may have several lines.
    for number, part in enumerate(message.splitlines() or [""]):
        tell(part if number else f"cloop-memory: {part}", err=True)
    raise typer.Exit(code)


def program() -> str:
    """The program as it was called, for a command that the output advises."""
    return "cloop-memory --local" if "--local" in sys.argv else "cloop-memory"


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


def minute(moment: datetime | None) -> str:
    """To the minute; empty for None."""
    return f"{moment:%Y-%m-%d %H:%M}" if moment else ""


def listed(fetch: Callable[[str], tuple[Sequence[Item], str | None]], limit: int) -> tuple[list[Item], bool]:
    """Up to ``limit`` items of a paged list, and whether there are more.

    ``fetch``: the cursor of a page, "" for the first -> its items, and the cursor of the next page or None.
    """
    items: list[Item] = []
    after: str | None = ""
    while after is not None and len(items) < limit:
        page, after = fetch(after)
        items += page
    return items[:limit], after is not None or len(items) > limit


def say_more(limit: int) -> None:
    """Print on stderr that the list is longer, and how to see more."""
    typer.echo(f"there are more than {limit}; use --limit {limit * 4} to see more", err=True)


def finding(diagnosis: Diagnosis) -> None:
    """Print one diagnosis, and what to do if it is a fault."""
    mark = {True: "ok", False: "FAULT", None: "-"}[diagnosis.ok]
    tell(f"{mark:<6} {diagnosis.check:<14} {diagnosis.detail}")
    if diagnosis.ok is False and diagnosis.advice:
        tell(f"{'':22}{diagnosis.advice}")


def findings(diagnoses: Iterable[Diagnosis]) -> None:
    """Print all of them."""
    for diagnosis in diagnoses:
        finding(diagnosis)
