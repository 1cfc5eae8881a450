"""
A stream reads pages of several sources in one sequence of requests, with one cursor for all of them.

An increment without changes is one request, however many sources there are. Sources added to the manifest later start
a stream of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from consumer.errors import ExportStalled
from consumer.ports import JobSession
from contract.api import BatchRequest, BatchResponse, ExportMode

#: Consecutive pages without any record, valid or broken, before the export counts as stalled.
MAX_EMPTY_PAGES: Final = 1000
_KEY: Final = "streams"


@dataclass(slots=True)
class Stream:
    """``before``: the cursor at the start; ``cursor``: the current one. Both are opaque values of the server."""

    source_keys: tuple[str, ...]
    before: Mapping[str, Any]
    cursor: Mapping[str, Any]

    def pages(
        self, session: JobSession, mode: ExportMode, limit: int, check: Callable[[], object]
    ) -> Iterator[BatchResponse]:
        """All remaining pages. Calls ``check`` before each request; the cursor moves after a page is processed.

        Raises ExportStalled: the cursor makes no progress. Errors of the session pass through.
        """
        progress = _Progress(self.source_keys)
        while True:
            check()
            page = session.batch(
                BatchRequest(mode=mode, cursor=dict(self.cursor), source_keys=self.source_keys, limit=limit)
            )
            yield page
            self.cursor = page.next_cursor or self.cursor
            if not page.has_more:
                return
            progress.step(page)

    def to_json(self) -> dict[str, Any]:
        """For the raw export's manifest."""
        return {
            "source_keys": list(self.source_keys),
            "cursor_before": dict(self.before),
            "cursor_after": dict(self.cursor),
        }


def resumed(cursors: Mapping[str, Any], source_keys: Sequence[str]) -> list[Stream]:
    """The streams of the last snapshot's cursors, for these sources. Sources without a cursor start a new stream."""
    remaining = list(source_keys)
    streams: list[Stream] = []
    for saved in cursors.get(_KEY, ()):
        if shared := tuple(key for key in saved["source_keys"] if key in remaining):
            streams.append(Stream(shared, saved["cursor"], saved["cursor"]))
            remaining = [key for key in remaining if key not in shared]
    return [*streams, Stream(tuple(remaining), {}, {})] if remaining else streams


def cursors(streams: Sequence[Stream]) -> dict[str, Any]:
    """The streams' cursors as plain JSON, in the form that ``resumed`` reads."""
    return {_KEY: [{"source_keys": list(stream.source_keys), "cursor": dict(stream.cursor)} for stream in streams]}


class _Progress:
    """Detects a stalled stream: a repeated cursor, or too many empty pages in a row.

    Brent's cycle detection: one remembered cursor, replaced at powers of two, finds any cycle in constant memory.
    """

    def __init__(self, source_keys: Sequence[str]) -> None:
        self._sources = ", ".join(source_keys)
        self._kept: dict[str, Any] | None = None
        self._steps = 0
        self._next_keep = 1
        self._empty = 0

    def step(self, page: BatchResponse) -> None:
        """Check one page that is not the last.

        Raises ExportStalled: its cursor occurred before, or too many pages were empty.
        """
        cursor = page.next_cursor
        self._empty = 0 if page.records or page.refused else self._empty + 1
        if not cursor or cursor == self._kept or self._empty > MAX_EMPTY_PAGES:
            raise ExportStalled(
                f"sources {self._sources}: the cursor repeats after {self._steps + 1} pages, has_more=true"
            )
        self._steps += 1
        if self._steps == self._next_keep:
            self._kept, self._next_keep = cursor, self._next_keep * 2
