"""A full disk has its own name, wherever it is met: told with the room left, retried, over when there is room."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from consumer.delivery import disk
from consumer.delivery.runfolder import RunFolder
from consumer.errors import (
    BlobUnavailable,
    DiskFull,
    EvidenceTampered,
    LockLost,
    SnapshotIncomplete,
    SynthesisInvalid,
    ToolFailed,
)
from consumer.ports import Guard
from consumer.run import Run
from tests.spine import FakeStage, World, a_delivery, an_event

STAGES = ("hydrate", "export", "render", "index", "synthesize", "report", "persist")


def write_nowhere() -> None:
    """The kernel's own answer, not one that we made up."""
    with Path("/dev/full").open("wb", buffering=0) as file:
        file.write(b"page")


def fill_a_database() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.execute("pragma max_page_count = 3")
        database.execute("create table pages (text)")
        for _ in range(100):
            database.execute("insert into pages values (randomblob(4000))")


def over_quota() -> None:
    raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT), "brain/people/a-private-name.md")


def tool_without_room() -> None:
    raise ToolFailed("gbrain import gave code 1 (0 bytes on stdout, 90 on stderr; ENOSPC)")


def database_without_room() -> None:
    raise ToolFailed("gbrain import gave code 1 (0 bytes on stdout, 90 on stderr; SQLSTATE 53100)")


def wrapped() -> None:
    try:
        fill_a_database()
    except sqlite3.Error as exc:
        raise SnapshotIncomplete("records.sqlite is not a record index") from exc


WAYS = (write_nowhere, fill_a_database, over_quota, tool_without_room, database_without_room, wrapped)


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.plane.add(an_event())
    return world


def failing(stage: str, act: Callable[[], None]) -> dict[str, FakeStage]:
    def run(given: Run, _guard: Guard) -> Run:
        act()
        return given

    return {stage: FakeStage(stage, run)}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_names_a_full_disk(world: World, stage: str, way: Callable[[], None]) -> None:
    outcome = world.handler(stages=failing(stage, way)).job(a_delivery(an_event()))

    assert (outcome.name, outcome.http_status) == ("retry_recorded", 204)
    failure = world.ledger()["failure"]
    assert (failure["code"], failure["stage"]) == ("disk_full", stage)
    assert "bytes free" in failure["message"]
    assert "private" not in str(world.ledger())

    world.clock.advance(60)
    again = world.handler().job(a_delivery(an_event()))
    assert again.name == "done"


def test_five_full_disks_make_a_dead_letter_that_says_so(world: World) -> None:
    handler = world.handler(stages=failing("hydrate", write_nowhere))
    outcomes = []
    for _ in range(5):
        outcomes.append(handler.job(a_delivery(an_event())).name)
        world.clock.advance(600)
    assert outcomes == ["retry_recorded"] * 4 + ["dead_lettered"]
    completion = world.plane.rows[an_event().job_id].completion
    assert completion is not None
    assert completion.error is not None
    assert completion.error.code == "disk_full"


@dataclass(frozen=True, slots=True)
class FullFolder(RunFolder):
    """A run folder that cannot be made."""

    @contextmanager
    def open(self, name: str, user_id: str = "") -> Iterator[Path]:
        del name, user_id
        write_nowhere()
        yield self.workspace


def test_a_run_folder_that_cannot_be_made_is_a_failure_of_the_job(world: World, tmp_path: Path) -> None:
    handler = replace(world.handler(), folder=FullFolder(tmp_path / "full"))

    outcome = handler.job(a_delivery(an_event()))

    assert outcome.name == "retry_recorded"
    ledger = world.ledger()
    assert (ledger["state"], ledger["failures"], ledger["failure"]["code"]) == ("RETRYING", 1, "disk_full")
    assert world.plane.calls[-1] == "progress retrying None", "so that the publisher brings it back"

    world.clock.advance(60)
    assert world.handler().job(a_delivery(an_event())).name == "done"


@pytest.mark.parametrize(
    "raised",
    [
        ToolFailed("gbrain import gave code 1 (0 bytes on stdout, 12 on stderr; EACCES)"),
        SynthesisInvalid("claims of job x: not JSON"),
        OSError(errno.EACCES, "no"),
        sqlite3.OperationalError("database or disk is full, says a page"),
        BlobUnavailable("read 'x': HTTP 503"),
        ValueError("ENOSPC"),
    ],
    ids=lambda raised: type(raised).__name__,
)
def test_other_faults_keep_their_names(tmp_path: Path, raised: Exception) -> None:
    assert disk.full(raised, tmp_path) is None


@pytest.mark.parametrize("kind", [LockLost, EvidenceTampered])
def test_what_ends_an_attempt_keeps_its_name_on_a_full_disk(tmp_path: Path, kind: type[Exception]) -> None:
    error = kind("over")
    error.__cause__ = OSError(errno.ENOSPC, "full")
    assert disk.full(error, tmp_path) is None


def test_the_message_has_the_folder_and_the_room_but_no_path_of_the_user(tmp_path: Path) -> None:
    raised = OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "brain" / "people" / "jane-doe.md"))
    with pytest.raises(DiskFull, match=r"\d+ of \d+ bytes free") as caught, disk.named(tmp_path):
        raise raised
    assert str(tmp_path) in str(caught.value)
    assert "jane" not in str(caught.value)
    assert caught.value.__cause__ is raised


def test_a_folder_that_is_gone_is_no_second_fault(tmp_path: Path) -> None:
    fault = disk.full(OSError(errno.ENOSPC, "full"), tmp_path / "gone")
    assert fault is not None
    assert "its size is unknown" in str(fault)
    assert disk.full(ToolFailed("x"), tmp_path / "gone") is None
