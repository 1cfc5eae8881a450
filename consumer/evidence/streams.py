"""
Pages of several sources in one row of requests: a stream. All sources share one as long as they share its cursor.

An increment that finds nothing is one request, however many sources there are. Sources that a stream did not have - the
manifest has grown - begin one of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from consumer.errors import ExportStalled
from consumer.ports import JobSession
from contract.api import BatchRequest, BatchResponse, ExportMode

#: Pages without a record, broken ones included, that may follow each other; a server that filters that much is stuck.
MAX_EMPTY_PAGES: Final = 1000
_KEY: Final = "streams"


@dataclass(slots=True)
class Stream:
    """``before``: the cursor that it began with; ``cursor``: where it stands. Both are the server's, opaque."""

    source_keys: tuple[str, ...]
    before: Mapping[str, Any]
    cursor: Mapping[str, Any]

    def pages(
        self, session: JobSession, mode: ExportMode, limit: int, check: Callable[[], object]
    ) -> Iterator[BatchResponse]:
        """Page by page to the end; ``check`` is called before each request. The cursor moves when a page is done with.

        Raises:
            ExportStalled: the pages lead nowhere; and what the session raises.
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
    """The streams that the last snapshot's cursors speak of, for these sources; what they do not have begins anew."""
    left = list(source_keys)
    streams: list[Stream] = []
    for known in cursors.get(_KEY, ()):
        mine = tuple(key for key in known["source_keys"] if key in left)
        if mine:
            streams.append(Stream(mine, known["cursor"], known["cursor"]))
            left = [key for key in left if key not in mine]
    return [*streams, Stream(tuple(left), {}, {})] if left else streams


def cursors(streams: Sequence[Stream]) -> dict[str, Any]:
    """What ``resumed`` reads, as plain JSON."""
    return {_KEY: [{"source_keys": list(one.source_keys), "cursor": dict(one.cursor)} for one in streams]}


class _Progress:
    """Sees that a stream's pages lead somewhere: no cursor twice, no endless row of empty pages.

    Brent's cycle detection: one remembered cursor, replaced at powers of two, finds any cycle in constant memory.
    """

    def __init__(self, source_keys: Sequence[str]) -> None:
        self._sources = ", ".join(source_keys)
        self._kept: dict[str, Any] | None = None
        self._steps = 0
        self._next_keep = 1
        self._empty = 0

    def step(self, page: BatchResponse) -> None:
        """One page with more to come.

        Raises:
            ExportStalled: its cursor came before, or too many pages were empty.
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
