"""`user disable --purge`: first no more jobs, then nothing left, whoever still holds the lock."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from consumer.cli import main
from consumer.cli.user import WAIT_S
from consumer.erasure.suppressions import Suppressions
from consumer.errors import LockBusy
from consumer.evidence.records import Rerender
from consumer.locking.lease import Lease
from consumer.locking.lock import Lock, Locks
from consumer.repository.workspace import WorkspaceStore
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import FakeClock, MemorySuppressions
from contract.api import BucketDeedRequest, CommitRef, ErasureResponse, JobList
from tests import erasing
from tests.unit.cli.operators import a_job
from tests.unit.repository.workspaces import USER, Bench

SECRET = b"only this workspace says so"


class Clock(FakeClock):
    """Runs ``between`` at each sleep: what others do while the verb waits."""

    between: Callable[[], object] = staticmethod(lambda: None)

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self.between()


@dataclass
class Api:
    disabled: list[str] = field(default_factory=list)
    requests: list[BucketDeedRequest] = field(default_factory=list)

    def note_deed(self, request: BucketDeedRequest) -> None:
        self.requests.append(request)

    def mark_erased(self, user_id: str, reason: str) -> ErasureResponse:
        assert user_id in self.disabled
        return ErasureResponse(user_id=user_id, erased_at=datetime(2026, 11, 27, 8, tzinfo=UTC))

    def jobs(self, filters: Mapping[str, str]) -> JobList:
        page = int(filters.get("after", "0"))
        commit = CommitRef(seq=40 + page, digest="d")
        return JobList(jobs=(a_job(page + 1, commit=commit),), next_after="1" if page == 0 else None)

    def disable_user(self, user_id: str) -> dict[str, Any]:
        self.disabled.append(user_id)
        return {"user_id": user_id, "status": "disabled"}


class Operations:
    operator = "operator@example.com"

    def __init__(self, bench: Bench) -> None:
        self.api = Api()
        self.clock = bench.clock
        self.workspaces: WorkspaceStore = bench.store()
        self.suppressions = Suppressions(lambda _user: bench.blobs, MemorySuppressions(), bench.clock, bench.entropy)
        ids = itertools.count()
        writer = ConditionalWriter(bench.blobs, bench.clock)
        self.locks = Locks(writer, bench.clock, lambda: f"id-{next(ids)}", Lease())

    @staticmethod
    def rerender() -> Rerender:
        return erasing.rerender()

    def job_takes_the_lock(self) -> Lock:
        return self.locks.acquire(USER, owner="run-1", job_id="job-1", attempt=1, head_epoch=1)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path, clock=Clock())
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "brain/people/ann.md").write_bytes(SECRET)
    bench.commit(store, root, workspace.base)
    return bench


@pytest.fixture
def operations(bench: Bench) -> Operations:
    return Operations(bench)


def disable(operations: Operations, *words: str) -> Any:
    return CliRunner().invoke(main.app, ["user", "disable", USER, *words], obj=lambda: operations)


def read_again(bench: Bench) -> list[bytes]:
    root, _ = bench.hydrate(bench.store())
    return [path.read_bytes() for path in root.rglob("*") if path.is_file()]


def test_disable_alone_keeps_the_workspace(bench: Bench, operations: Operations) -> None:
    assert disable(operations).exit_code == 0
    assert operations.api.disabled == [USER]
    assert SECRET in read_again(bench)


def test_purge_erases_after_disabling(bench: Bench, operations: Operations) -> None:
    before = set(bench.blobs.contents())
    result = disable(operations, "--purge", "--reason", "account deleted")
    assert result.exit_code == 0, result.output
    assert operations.api.disabled == [USER]
    assert SECRET not in read_again(bench)
    assert not [name for name in before & set(bench.blobs.contents()) if "/packs/" in name]
    head = bench.store().of(USER).read_head()
    assert head is not None
    assert (head.commit, bool(head.erased), head.seq) == (None, True, 42), "above what the rows of all pages know"
    assert [deed.reason for deed in operations.api.requests] == ["account deleted"]
    for words in (["complete", "False"], ["packs", "1"], ["status", "disabled"]):
        assert any(line.split() == words for line in result.output.splitlines()), result.output


def test_a_job_that_is_stopping_is_waited_for(bench: Bench, operations: Operations) -> None:
    lock = operations.job_takes_the_lock()
    steps: Iterator[Callable[[], None]] = iter([lock.renew, lock.renew, partial(lock.release, doubt=False)])

    def others() -> None:
        next(steps)()

    operations.clock.between = others  # type: ignore[attr-defined]
    assert disable(operations, "--purge", "--reason", "account deleted").exit_code == 0
    assert len(operations.clock.slept) == 3
    assert SECRET not in read_again(bench)


def test_a_job_that_does_not_stop_is_told_and_nothing_is_erased(bench: Bench, operations: Operations) -> None:
    lock = operations.job_takes_the_lock()
    operations.clock.between = lock.renew  # type: ignore[attr-defined]
    result = disable(operations, "--purge", "--reason", "account deleted")
    assert isinstance(result.exception, LockBusy)
    assert sum(operations.clock.slept) > WAIT_S
    assert SECRET in read_again(bench)
    assert operations.api.disabled == [USER], "repeating the command goes on from here"


@pytest.mark.parametrize("words", [["--purge"], ["--reason", "account deleted"]])
def test_erasing_needs_both_words(operations: Operations, words: list[str]) -> None:
    assert disable(operations, *words).exit_code == 2
    assert operations.api.disabled == []
