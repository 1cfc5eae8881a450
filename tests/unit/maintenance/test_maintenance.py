"""What the daily round does to one user: a sound history is swept, a broken one frozen, and nobody thaws by machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer.errors import LockBusy, WorkspaceFrozen
from consumer.maintenance.maintenance import maintain
from tests.unit.repository.test_workspace_writers import DAY_S, damaged, exclusive, sound
from tests.unit.repository.workspaces import USER, Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    for n in range(1, 4):
        store = made.store()
        root, found = made.hydrate(store)
        (root / "brain/people/ann.md").write_text(f"# Ann, version {n}\n")
        made.commit(store, root, found.base, f"job-{n}")
        store.close()
    made.clock.advance(DAY_S)
    return made


def test_a_sound_history_is_swept(bench: Bench) -> None:
    stray = f"users/{USER}/packs/{'0' * 64}"
    bench.blobs.write(stray, b"from a dead writer", if_generation=0)
    bench.clock.advance(DAY_S)
    done = maintain(exclusive(bench), USER)
    # What is old and unnamed is a fault of nobody: it is named in the report, and gone now.
    assert (done.frozen, done.report.broken()) == ("", {"orphans-only-young"})
    assert done.deleted_objects == 3  # it, and the catalogs of commits 1 and 2
    assert bench.blobs.peek(stray) is None
    again = maintain(exclusive(bench), USER)
    assert (again.report.ok, again.deleted_objects) == (True, 0)
    assert sound(bench)


def test_a_broken_history_is_frozen_and_nothing_of_it_deleted(bench: Bench) -> None:
    name = damaged(bench, "packs")
    before = set(bench.blobs.names(f"users/{USER}/packs/"))
    done = maintain(exclusive(bench), USER)
    assert name in done.frozen
    assert done.deleted_objects == 0
    assert set(bench.blobs.names(f"users/{USER}/packs/")) == before
    with pytest.raises(WorkspaceFrozen, match="is frozen"):
        bench.hydrate(bench.store())
    assert maintain(exclusive(bench), USER).frozen == done.frozen


def test_what_a_person_froze_stays_frozen(bench: Bench) -> None:
    store = bench.store()
    head = store.read_head(USER)
    assert head is not None
    store.heads(USER).freeze("somebody looks at it", head)
    done = maintain(exclusive(bench), USER)
    assert (done.report.broken(), done.frozen, done.deleted_objects) == (set(), "somebody looks at it", 0)


def test_a_user_without_a_commit_has_nothing_to_maintain(tmp_path: Path) -> None:
    done = maintain(exclusive(Bench(tmp_path)), USER)
    assert (done.report.ok, done.frozen, done.deleted_objects) == (True, "", 0)


def test_a_running_job_is_left_alone(bench: Bench) -> None:
    with exclusive(bench).hold(USER, "a job"), pytest.raises(LockBusy):
        maintain(exclusive(bench), USER)
