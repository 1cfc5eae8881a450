"""What release 470a19c stored is read, replayed, verified and continued.

``tests/data/stored/470a19c`` was written by that release's own code: ``workspace`` is a user's history with a purge
whose list lies in the tree, ``delivery`` the objects of five jobs, one in each state. A line is one object.
"""

from __future__ import annotations

import base64
import itertools
import json
import shutil
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
import zstandard

from consumer import paths
from consumer.clients.signing import Ed25519Signer
from consumer.erasure.suppressions import Suppressions
from consumer.locking.exclusive import Exclusive
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.maintenance.restore import restore
from consumer.maintenance.verify import Verification
from consumer.ports import Blob, BlobStat
from consumer.repository.history import History
from consumer.snapshot import suppression
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import MemoryBlobStore, MemorySuppressions
from tests.fake_export import FakeExport, Row, export_and_render, run_of
from tests.spine import World, a_delivery, an_event, job_id
from tests.unit.erasure.test_purge import DAY, NOTES, OTHER, SECRET, SECRET_ID, TASK, TASK_ID
from tests.unit.repository.workspaces import PEM, USER, Bench, Free

STORED = Path(__file__).parents[1] / "data" / "stored" / "470a19c"


def load(name: str, blobs: MemoryBlobStore) -> None:
    """Put the objects of a file into an empty bucket, with the generations and times that they had."""
    lines = zstandard.ZstdDecompressor().decompress((STORED / f"{name}.jsonl.zst").read_bytes()).splitlines()
    for row in map(json.loads, lines):
        data, updated = base64.b64decode(row["data"]), datetime.fromisoformat(row["updated"])
        stat = BlobStat(row["name"], row["generation"], len(data), updated, updated)
        blobs._bucket.objects[row["name"]] = Blob(stat, data)
        blobs._bucket.last_generation = max(blobs._bucket.last_generation, row["generation"])


# --- a history ---------------------------------------------------------------------------------------------------


class Continued:
    """The history, and the source as it was."""

    def __init__(self, tmp: Path) -> None:
        self.bench = Bench(tmp)
        load("workspace", self.bench.blobs)
        self.bench.clock.advance(3600)
        self.mirror = MemorySuppressions()
        self.suppressions = Suppressions(
            lambda _user: self.bench.blobs, self.mirror, self.bench.clock, self.bench.entropy
        )
        self.server = FakeExport()
        self.server.put("meeting_notes", SECRET_ID, Row(5, DAY, {**NOTES, "note_text": SECRET + " Really nobody."}))
        self.server.put("meeting_notes", "note-0001-plain", Row(2, DAY, {**NOTES, "note_text": OTHER}))
        self.server.put("checklist_items", TASK_ID, Row(3, DAY, {"title": TASK}))
        self.server.put("checklist_items", "task-0001-plain", Row(4, DAY, {"title": "Water the plants in the office"}))

    def job(self, number: int, job_type: str = "hourly_digest") -> None:
        """One run as the stages make it: with the list of purged records that hydrate carries over."""
        store = self.bench.store()
        root, hydrated = self.bench.hydrate(store)
        listed = root / suppression.PATH
        carried = suppression.decode(listed.read_bytes()) if listed.is_file() else suppression.Suppressed()
        run = replace(
            run_of(root, self.server, job_type, number),
            base=hydrated.base,
            cursors=hydrated.cursors,
            suppressed=self.suppressions.read(USER, carried),
        )
        done = export_and_render(run)
        head = store.of(USER).read_head()
        assert head is not None
        meta = replace(self.bench.meta(f"job-{number}", head.epoch), cursors=dict(done.cursors))
        store.of(USER).persist(root, hydrated.base, meta, Free())
        store.close()
        shutil.rmtree(root)

    def verify(self) -> None:
        made = Verification(self.bench.blobs, Ed25519Signer(PEM), self.bench.clock, USER, Free())
        assert made.run().ok, made.report.faults

    def text(self) -> bytes:
        """All pages and raw lines of HEAD."""
        reader = History(self.bench.store().of(USER)).reader()
        names = [path for path in reader.tree.entries if path.endswith((".md", ".jsonl"))]
        return b"\n".join(reader.read(path) for path in names)


@pytest.fixture
def continued(tmp_path: Path) -> Continued:
    return Continued(tmp_path)


def test_a_history_verifies_and_is_hydrated(continued: Continued) -> None:
    continued.verify()
    commits = [commit for _, commit in History(continued.bench.store().of(USER)).log()]
    assert [(commit.seq, commit.job_type) for commit in commits[:1]] == [(4, "purge")]
    root, hydrated = continued.bench.hydrate(continued.bench.store())
    assert hydrated.base.seq == 4
    assert any("merger" in page.read_text() for page in (root / "brain/sources").rglob("*.md"))


@pytest.mark.parametrize("job_type", ["hourly_digest", "backfill_digest"])
def test_a_history_goes_on_and_what_was_purged_stays_away(continued: Continued, job_type: str) -> None:
    continued.server.put("checklist_items", TASK_ID, Row(9, DAY, {"title": TASK + ", at the latest"}))
    continued.server.put("checklist_items", "task-0002", Row(9, DAY, {"title": "Call the landlord about the door"}))
    continued.job(5, job_type)
    continued.verify()
    text = continued.text()
    assert b"landlord" in text
    assert b"Really nobody" in text
    assert b"escrow" not in text
    # The list that lay in the tree lies beside HEAD and in the database now.
    assert continued.mirror.suppressed(USER).hides("checklist_items", TASK_ID)
    kept = suppression.decode(continued.bench.blobs.read(paths.suppressed(USER)).data)
    assert kept.hides("checklist_items", TASK_ID)


def test_a_commit_of_before_is_restored(continued: Continued) -> None:
    ids, store, clock = itertools.count(), continued.bench.store(), continued.bench.clock
    locks = Locks(ConditionalWriter(continued.bench.blobs, clock), clock, lambda: f"id-{next(ids)}", Lease())
    with Exclusive(locks, store, "operator", threads=False).hold(USER, "restore") as hold:
        assert restore(store.of(USER), 4, "as it was", hold).seq == 5
    continued.verify()
    continued.job(6)
    continued.verify()
    assert b"escrow" not in continued.text()


# --- jobs --------------------------------------------------------------------------------------------------------

#: job -> (the row's attempt, owner, status), as that release's control plane had them.
ROWS = {
    1: (1, "id-1", "completed"),
    2: (5, "id-28", "failed"),
    3: (1, "id-34", "queued"),
    4: (1, "id-39", "running"),
    5: (1, "id-42", "queued"),
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    load("delivery", world.blobs)
    world.clock.advance(3000)
    world._numbers = itertools.count(100)
    for number, (attempt, owner, status) in ROWS.items():
        row = world.plane.add(an_event(number))
        row.attempt, row.owner, row.status = attempt, owner, status
    return world


def test_a_job_that_was_done_is_a_duplicate(world: World) -> None:
    assert world.handler().job(a_delivery(an_event(1))).name == "duplicate"


def test_a_dead_job_is_replayed(world: World) -> None:
    assert world.handler().job(a_delivery(an_event(2))).name == "duplicate"
    replay = "bbbbbbbb-0000-4000-8000-000000000009"
    row = world.plane.rows[job_id(2)]
    row.status, row.replay_id, row.completion = "queued", replay, None
    world.clock.advance(600)
    again = a_delivery(an_event(2, replay_id=replay, from_stage="export", reason="fixed"))
    assert world.handler().job(again).name == "done"
    assert (world.ledger(2)["state"], world.ledger(2)["failures"]) == ("DONE", 0)


@pytest.mark.parametrize("number", [3, 4, 5])
def test_a_job_that_waited_or_died_goes_on(world: World, number: int) -> None:
    world.clock.advance(600)
    assert world.handler().job(a_delivery(an_event(number))).name == "done"
    assert world.ledger(number)["state"] == "DONE"
    assert world.plane.rows[job_id(number)].status == "completed"
