"""What a user or an agent wrote, or how a file is named, never leaves the workspace in words about a failure.

Ledger, dead letter, both topics, log and spans are searched for a canary that stands in names and in contents.
"""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from consumer import errors, layout, paths
from consumer.ports import Guard
from consumer.run import Run
from consumer.snapshot.snapshot import Entry, Head, SnapshotLimits, fault
from contract import canonical
from service import telemetry
from tests.cases import cases
from tests.spine import USER, FakeStage, World, a_delivery, an_event
from tests.unit.delivery.test_whole_run import process

CANARY = "jane-doe-canary"
STAGES = ("hydrate", "export", "render", "index", "synthesize", "report", "persist")
Act = Callable[[Run], None]


class Told:
    """Everything that leaves: log lines as they are written, spans with their events, the bucket outside workspaces."""

    def __init__(self) -> None:
        self.log = StringIO()
        self.spans = InMemorySpanExporter()

    def text(self, world: World) -> str:
        kept = [data for name, data in world.blobs.contents().items() if name.startswith(("jobs/", "dead/"))]
        sent = [
            (message.data, message.attributes) for message in (*world.dead_topic.messages, *world.jobs_topic.messages)
        ]
        spans = [span.to_json() for span in self.spans.get_finished_spans()]
        rows = [row.completion for row in world.plane.rows.values()]
        return repr((kept, sent, spans, rows, world.plane.calls)) + self.log.getvalue()


@contextmanager
def listening() -> Iterator[Told]:
    heard = Told()
    handler = logging.StreamHandler(heard.log)
    handler.setFormatter(telemetry.JsonFormatter("test", "p", telemetry.Redactor()))
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(heard.spans))
    level = telemetry.LOGGER.level
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(telemetry, "_TRACER", provider.get_tracer("test"))
        telemetry.LOGGER.addHandler(handler)
        telemetry.LOGGER.setLevel(logging.DEBUG)
        try:
            yield heard
        finally:
            telemetry.LOGGER.removeHandler(handler)
            telemetry.LOGGER.setLevel(level)
            provider.shutdown()


def until_dead(world: World, stages: dict[str, FakeStage] | None = None, number: int = 1) -> list[str]:
    outcomes: list[str] = []
    for _ in range(6):
        handler, heads = process(world, replaced=stages)
        try:
            outcomes.append(handler.job(a_delivery(an_event(number))).name)
        finally:
            heads.close()
        world.clock.advance(900)
    return outcomes


def failing(stage: str, act: Act) -> dict[str, FakeStage]:
    def run(given: Run, _guard: Guard) -> Run:
        act(given)
        return given

    return {stage: FakeStage(stage, run)}


# --- what a stage may raise


class OddError(Exception):
    def __str__(self) -> str:
        return CANARY

    def __repr__(self) -> str:
        return CANARY


RAISED: tuple[Callable[[], Exception], ...] = (
    lambda: OSError(errno.EACCES, "denied", f"/run/workspace/brain/people/{CANARY}.md"),
    lambda: OSError(errno.ENOSPC, "full", f"/run/workspace/brain/people/{CANARY}.md"),
    lambda: KeyError(CANARY),
    lambda: ValueError(f"invalid literal for int(): {CANARY}"),
    lambda: UnicodeDecodeError("utf-8", CANARY.encode(), 0, 1, CANARY),
    lambda: sqlite3.OperationalError(f"near {CANARY}: syntax error"),
    lambda: ExceptionGroup(CANARY, [RuntimeError(CANARY)]),
    OddError,
    lambda: errors.ChecksumMismatch("record sha256 0123: stated a, computed b"),
)


@settings(max_examples=cases(10), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(STAGES), st.sampled_from(RAISED), st.booleans())
def test_what_a_stage_raises_is_told_without_its_words(stage: str, make: Callable[[], Exception], caused: bool) -> None:
    def act(_run: Run) -> None:
        error = make()
        if not caused:
            raise error
        raise errors.ToolFailed("the tool ended with code 1") from error

    with tempfile.TemporaryDirectory() as folder, listening() as heard:
        world = World(Path(folder))
        world.plane.add(an_event())
        assert "dead_lettered" in until_dead(world, failing(stage, act))
        text = heard.text(world)
    assert CANARY not in text
    assert "dead_lettered" in text
    assert '"error.type"' in text


# --- what an agent may call its files


def _file(run: Run, name: bytes) -> None:
    path = run.root / "brain" / os.fsdecode(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(CANARY.encode())


def differ_by_case(run: Run) -> None:
    _file(run, f"{CANARY}.md".encode())
    _file(run, f"{CANARY.upper()}.md".encode())


def no_utf8(run: Run) -> None:
    _file(run, CANARY.encode() + b"\xff\xfe.md")


def beyond_the_longest_path(run: Run) -> None:
    _file(run, b"/".join([CANARY.encode() * 8] * 9) + b".md")


def unreadable(run: Run) -> None:
    _file(run, f"{CANARY}.md".encode())
    os.mkfifo(run.root / "brain" / f"{CANARY}.pipe")


@pytest.mark.parametrize("act", [differ_by_case, no_utf8, beyond_the_longest_path, unreadable])
def test_a_hostile_name_is_told_by_its_digest(tmp_path: Path, act: Act) -> None:
    world = World(tmp_path)
    world.plane.add(an_event())
    with listening() as heard:
        outcomes = until_dead(world, failing("report", act))
        text = heard.text(world)
    assert CANARY not in text.lower()
    if act is not unreadable:  # a pipe is left out of the snapshot, not refused
        assert "dead_lettered" in outcomes
        assert "(sha256 " in text


names = st.text(st.characters(codec=None), min_size=1, max_size=300) | st.sampled_from(
    ["../x", "/x", "a//b", ".", "", "\0", "\ud800", "x" * 1100, "y" * 300, "brain/x/../y"]
)


@given(names, names)
def test_no_fault_of_a_tree_quotes_a_path(name: str, other: str) -> None:
    paths_ = [f"{CANARY}{name}", f"brain/{other}{CANARY}", CANARY, CANARY.upper()]
    entries = {path: Entry(path, 0o644, 0, "", "") for path in paths_}
    detail = fault(entries, SnapshotLimits())
    assert detail is not None
    assert CANARY not in detail.lower()


def test_a_digest_leads_to_the_path_and_a_known_folder_is_named() -> None:
    text = layout.unnamed("brain/people/jane.md")
    assert text == f"brain/(sha256 {canonical.sha256_hex(b'brain/people/jane.md')[:16]})"
    assert layout.unnamed("jane/doe") == f"(sha256 {canonical.sha256_hex(b'jane/doe')[:16]})"


# --- what may stand in the bucket


def _head(**fields: Any) -> bytes:
    body: dict[str, Any] = {name: getattr(Head(), name) for name in ("seq", "commit", "index", "epoch", "job_id")}
    body |= {"attempt": 0, "frozen": "", **fields}
    return canonical.dumps({**body, "check": canonical.digest(body)})


HEADS: dict[str, bytes] = {
    "another key": _head(**{CANARY: 1}),
    "frozen with a page": _head(frozen=f"reports-cited broken, first at brain/people/{CANARY}.md of trees/1"),
    "frozen by hand": _head(frozen=f"because of {CANARY}"),
    "a commit of that name": _head(seq=1, commit=CANARY, index=CANARY),
    "a seq that is text": _head(seq=CANARY),
    "no JSON": CANARY.encode(),
    "a list": canonical.dumps([CANARY]),
}


@pytest.mark.parametrize("name", HEADS)
def test_a_damaged_head_is_told_without_what_stands_in_it(tmp_path: Path, name: str) -> None:
    world = World(tmp_path)
    world.plane.add(an_event())
    world.blobs.write(paths.head(USER), HEADS[name], if_generation=None)
    with listening() as heard:
        until_dead(world)
        text = heard.text(world)
    readable = name.startswith(("frozen", "a commit"))
    assert ("HEAD not read" in text) is not readable
    # An object's name is told, even where it is one that nobody of us gave.
    assert CANARY not in text.replace(f"{USER}/commits/000000000001-{CANARY}", "").replace(f"/index/{CANARY}", "")


OBJECTS = ("commits/", "trees/", "index/", "packs/")


@pytest.mark.parametrize("kind", OBJECTS)
def test_a_damaged_object_is_told_by_its_name(tmp_path: Path, kind: str) -> None:
    world = World(tmp_path)
    for number in (1, 2):
        world.plane.add(an_event(number))
    assert "done" in until_dead(world)
    prefix = f"{paths.user(USER)}{kind}"
    damaged = [stat.name for stat in world.blobs.list(prefix)]
    for name in damaged:
        world.blobs.write(name, canonical.dumps({CANARY: CANARY}), if_generation=None)
    with listening() as heard:
        outcomes = until_dead(world, number=2)
        text = heard.text(world)
    assert CANARY not in text
    assert outcomes[0] in {"retry_recorded", "dead_lettered", "done", "not_recorded"}


# --- our own words


@pytest.mark.parametrize("error", [KeyError(CANARY), ValueError(CANARY), TypeError(CANARY)])
def test_only_our_own_words_are_repeated(error: Exception) -> None:
    assert errors.text_of(error) == type(error).__name__
    assert errors.text_of(errors.NotOfForm("7 bytes are no tree")) == "7 bytes are no tree"
    assert errors.text_of(errors.ToolFailed("code 1")) == "code 1"
