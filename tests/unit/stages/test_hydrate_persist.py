"""The first and the seventh stage over the real store: a run starts from the last commit and ends in the next one."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from consumer import layout
from consumer.errors import HeadMoved, SnapshotRefused
from consumer.reports.toldledger import ToldLedger
from consumer.repository import hydrating, persisting
from consumer.run import Exported, Rendered, Reported, Run
from consumer.snapshot import suppression
from consumer.snapshot.suppression import Suppressed
from consumer.stages.hydrate import Hydrate
from consumer.stages.persist import Persist
from tests.fake_export import STARTED, run_of
from tests.unit.repository.workspaces import USER, Bench, Free


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def hydrated(bench: Bench, number: int, **spec: Any) -> Run:
    return Hydrate(bench.store(), lambda _user, carried: carried).run(
        run_of(bench.folder(), None, number=number, **spec), Free()
    )


def test_cursors_and_counts_become_durable_with_the_files(bench: Bench) -> None:
    run = hydrated(bench, 1)
    assert (run.base.seq, run.base.digest, dict(run.cursors)) == (0, None, {})
    (run.root / "brain/people/ann.md").write_text("# Ann\n")
    run = replace(
        run,
        cursors={"meeting_notes": {"s": 5}},
        exported=Exported(records=3, deleted=1, source_counts={}, source_bytes={}),
        rendered=Rendered(changed=("people/ann.md",), pages_total=1),
        reported=Reported("a.md", "a.json", "one page", citations_total=2, citations_resolved=2),
    )
    done = Persist(bench.store(), bench.clock).run(run, Free())
    assert done.commit is not None
    assert done.commit.seq == 1

    again = hydrated(bench, 2)
    assert again.base.digest == done.commit.digest
    assert again.cursors == {"meeting_notes": {"s": 5}}
    assert (again.root / "brain/people/ann.md").read_text() == "# Ann\n"
    commit = bench.store().of(USER).load().commit
    assert commit is not None
    assert (commit.job_id, commit.job_type, commit.attempt) == (run.job.job_id, "hourly_digest", 1)
    assert run.counts.items() <= commit.counts.items()
    expected = {"records": 3, "deleted": 1, "pages_changed": 1, "pages_total": 1, "citations_total": 2}
    assert expected.items() <= commit.counts.items()


def test_a_run_that_started_no_program_reads_only_what_changed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a write may not show in a file's stat, as in memory: nobody else was there to write."""
    run = hydrated(bench, 1)
    (run.root / "brain/people/ann.md").write_text("# Ann\n")
    (run.root / "brain/people/bob.md").write_text("# Bob\n")
    Persist(bench.store(), bench.clock).run(run, Free())

    # Even a file that was written in this very tick of the clock.
    monkeypatch.setattr(hydrating, "settled", lambda stats, _now: stats)
    run = hydrated(bench, 2)
    opened: list[str] = []
    really = os.open

    def recorded(path: str | Path, *more: Any, **named: Any) -> int:
        opened.append(str(path))
        return really(path, *more, **named)

    monkeypatch.setattr(persisting, "shows_every_write", lambda _folder: False)
    monkeypatch.setattr(os, "open", recorded)
    (run.root / "brain/people/ann.md").write_text("# Ana\n")
    Persist(bench.store(), bench.clock).run(run, Free())
    assert {path for path in opened if path.endswith(".md")} == {f"{run.root}/brain/people/ann.md"}
    assert bench.store().of(USER).reader().read("brain/people/ann.md") == b"# Ana\n"


def test_two_runs_from_one_base_cannot_both_commit(bench: Bench) -> None:
    first, second = hydrated(bench, 1), hydrated(bench, 2)
    Persist(bench.store(), bench.clock).run(first, Free())
    with pytest.raises(HeadMoved, match="at commit 1; this run started from 0"):
        Persist(bench.store(), bench.clock).run(second, Free())


def test_a_stopped_run_does_not_commit(bench: Bench) -> None:
    class Stopped(Free):
        def check(self) -> None:
            raise HeadMoved("stopped")

    run = hydrated(bench, 1)
    with pytest.raises(HeadMoved, match="stopped"):
        Persist(bench.store(), bench.clock).run(run, Stopped())
    assert bench.store().of(USER).read_head() is None


def test_what_was_purged_is_known_to_the_run_and_a_list_in_the_tree_is_carried_over(bench: Bench) -> None:
    in_tree = Suppressed().adding([("meeting_notes", "note-4711")], b"t" * 32)
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / suppression.PATH).write_bytes(in_tree.encode())
    bench.commit(store, root, workspace.base)
    asked: list[tuple[str, Suppressed]] = []

    def suppressed_of(user_id: str, carried: Suppressed) -> Suppressed:
        asked.append((user_id, carried))
        return carried.adding([("meeting_notes", "note-0815")], b"")

    run = Hydrate(bench.store(), suppressed_of).run(run_of(bench.folder(), None, number=1), Free())
    assert asked == [(USER, in_tree)]
    assert run.suppressed.hides("meeting_notes", "note-4711")
    assert run.suppressed.hides("meeting_notes", "note-0815")


def test_a_list_in_the_tree_that_cannot_be_read_stops_the_run(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / suppression.PATH).write_bytes(b"{}")
    bench.commit(store, root, workspace.base)
    with pytest.raises(SnapshotRefused, match="not a list of suppressed records"):
        hydrated(bench, 1)


def test_a_run_is_woken_by_the_clock_that_planned_it(bench: Bench) -> None:
    """A consumer whose clock is a second behind must not find that its time has not come, and sleep for an hour."""
    wake_at = STARTED + timedelta(seconds=1)
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / layout.TOLD).parent.mkdir(parents=True, exist_ok=True)
    (root / layout.TOLD).write_bytes(ToldLedger(wake_at=wake_at).encode())
    bench.commit(store, root, workspace.base)
    assert hydrated(bench, 1).woken_at is None
    assert hydrated(bench, 2, now=wake_at).woken_at == wake_at
    assert hydrated(bench, 3, now=wake_at - timedelta(seconds=1)).woken_at is None
