"""
Answers as server-sent events, for a client that shows each part as soon as it may be shown.

    event: reading    {"read": [{page, anchor}]}        a model is asked, and reads these passages
    event: sentence   {"text", "citations"}             one for each sentence, checked before it is sent
    event: done       the whole answer, as without streaming
    event: error      {"error": {...}}                  instead of ``done``

A model answers in one piece, and nothing of it is sent before code, and a judge if there is one, have checked it. A
refusal before the first event is an ordinary response with its status. If the client goes away, no further model is
asked; a call that has begun ends by itself, within its time limit, and its cost counts.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from consumer.evidence.search import Passage
from consumer.reports.asking import places_json
from reader.errors import bug, refusal_of
from reader.wire import AskAnswer

MEDIA_TYPE: Final = "text/event-stream"
#: Seconds between comments while a model thinks, so that proxies keep the connection.
QUIET_S: Final = 10.0
#: A proxy that collects a response (nginx) would undo the streaming.
_HEADERS: Final = {"x-accel-buffering": "no"}

Event = tuple[str, Any]
#: Tell what a model reads, whether nobody waits any more -> the answer. Runs in a thread.
Work = Callable[[Callable[[Sequence[Passage]], None], Callable[[], bool]], AskAnswer]


@dataclass
class _Listener:
    """Gets what a thread says, until ``abandoned``."""

    loop: asyncio.AbstractEventLoop
    events: asyncio.Queue[Event | Exception] = field(default_factory=asyncio.Queue)
    abandoned: threading.Event = field(default_factory=threading.Event)
    _has_read: bool = False

    def tell(self, event: Event | Exception) -> None:
        """From the thread."""
        if not self.abandoned.is_set():
            self.loop.call_soon_threadsafe(self.events.put_nowait, event)

    def reading(self, passages: Sequence[Passage]) -> None:
        # The act is repeated where a purge ran meanwhile: the client is told once.
        if not self._has_read:
            self._has_read = True
            self.tell(("reading", {"read": places_json(passages)}))


async def respond(work: Work) -> Response:
    """The response. Raises what ``work`` raises before its first event."""
    listener = _Listener(asyncio.get_running_loop())

    def run() -> None:
        try:
            listener.tell(("done", work(listener.reading, listener.abandoned.is_set)))
        except Exception as exc:  # noqa: BLE001 (it is raised, or told, where the events are read)
            listener.tell(exc)

    task = asyncio.ensure_future(run_in_threadpool(run))
    try:
        first = await listener.events.get()
    except asyncio.CancelledError:
        listener.abandoned.set()
        raise
    if isinstance(first, Exception):
        raise first
    return StreamingResponse(_lines(listener, first, task), headers=_HEADERS, media_type=MEDIA_TYPE)


async def _lines(listener: _Listener, first: Event, task: asyncio.Future[None]) -> AsyncIterator[bytes]:
    """The events as lines. ``task`` is held here, so that it is not collected before it is done."""
    event: Event | Exception | None = first
    try:
        while True:
            if event is None:
                yield b": still reading\n\n"
            else:
                for name, data in _told(event):
                    yield b"event: " + name.encode() + b"\ndata: " + orjson.dumps(data) + b"\n\n"
                if isinstance(event, Exception) or event[0] == "done":
                    return
            try:
                event = await asyncio.wait_for(listener.events.get(), QUIET_S)
            except TimeoutError:
                event = None
    finally:
        listener.abandoned.set()
        if task.done() and not task.cancelled():
            task.exception()


def _told(event: Event | Exception) -> list[Event]:
    if isinstance(event, Exception):
        return [("error", (refusal_of(event) or bug(event)).body())]
    name, data = event
    if name != "done":
        return [event]
    document = data.model_dump(mode="json")
    return [*(("sentence", sentence) for sentence in document["answer"]), ("done", document)]
