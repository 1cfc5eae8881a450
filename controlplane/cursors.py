"""
The export's cursor: opaque to the consumer; for each source, its position in the order (change time, id).

A *round* reads a source once, to its end. The next incremental round starts before the end of the previous one: at the
earlier of the last row seen and the horizon (rows not yet committed when the round began get a later change time),
minus the overlap window. The consumer drops records that it already has with the same checksum.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from contract.api import ExportMode
from controlplane.errors import ApiFault

VERSION: Final = 1
#: A timestamptz as PostgreSQL prints it in UTC.
_TIME: Final = re.compile(r"(-?infinity|\d{4,6}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?\+00( BC)?)")


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a source's round. ``at`` and ``record_id``: the last row returned, or None and ''.

    ``start``: where the round began, None = at the first row. ``horizon``: see module. ``last``: the greatest change
    time of all rounds.
    """

    horizon: str
    at: str | None = None
    record_id: str = ""
    last: str | None = None
    done: bool = False

    def moved(self, at: str, record_id: str) -> Position:
        return replace(self, at=at, record_id=record_id, last=at)

    def to_wire(self) -> dict[str, Any]:
        return {"h": self.horizon, "t": self.at, "id": self.record_id, "l": self.last, "done": self.done}


def parse(cursor: Mapping[str, Any]) -> dict[str, Position]:
    """A request's cursor -> positions by source. Raises ApiFault 422 cursor_invalid: this server did not issue it."""
    if not cursor:
        return {}
    sources = cursor.get("sources")
    if cursor.get("v") != VERSION or not isinstance(sources, dict):
        raise _refused()
    return {str(key): _position(value) for key, value in sources.items()}


def to_wire(positions: Mapping[str, Position]) -> dict[str, Any]:
    return {"v": VERSION, "sources": {key: position.to_wire() for key, position in sorted(positions.items())}}


def in_round(positions: Mapping[str, Position], sources: Sequence[str]) -> bool:
    """Whether this request continues an open round."""
    return any(key in positions and not positions[key].done for key in sources)


def needs_start(mode: ExportMode, position: Position | None, *, open_round: bool) -> bool:
    """Whether a source begins a round now. A finished backfill never begins again."""
    if position is None:
        return True
    return mode == "incremental" and position.done and not open_round


def _position(value: Any) -> Position:
    if not isinstance(value, dict):
        raise _refused()
    record_id, done = value.get("id"), value.get("done")
    horizon = _time(value.get("h"))
    if horizon is None or not isinstance(record_id, str) or "\x00" in record_id or not isinstance(done, bool):
        raise _refused()
    return Position(
        horizon=horizon, at=_time(value.get("t")), record_id=record_id, last=_time(value.get("l")), done=done
    )


def _time(value: Any) -> str | None:
    if value is not None and not (isinstance(value, str) and _TIME.fullmatch(value)):
        raise _refused()
    return value


def _refused() -> ApiFault:
    return ApiFault(422, "cursor_invalid", "this server did not issue the cursor", hint="Start with an empty cursor.")
