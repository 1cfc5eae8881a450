"""What users order, carried out: what was chosen is purged, whoever dies where, and the receipt can be proven."""

from __future__ import annotations

import io
import itertools
import tarfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from consumer import layout, paths
from consumer.clients.signing import Ed25519Signer, PublicRing
from consumer.erasure.late_writers import HORIZON
from consumer.erasure.orders import OrderWalk
from consumer.errors import ControlPlaneUnavailable
from consumer.locking.exclusive import Exclusive
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.repository.history import History
from consumer.snapshot import proof
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import Fault, Killed, no_fault
from contract.keyed import record_digest
from contract.orders import OrderedStep, OrderStep, OrderView, StepReport
from tests import erasing
from tests.fixtures_telemetry import logs
from tests.unit.erasure.test_purge import DAY, OTHER, SECRET_ID, TASK_ID, TRACES, Workspace
from tests.unit.repository.workspaces import PEM, USER

KEY = b"k" * 32
SECRET_NOTE, TASK_ITEM = ("meeting_notes", SECRET_ID), ("checklist_items", TASK_ID)
ORDER = "77777777-7777-4777-8777-000000000001"
SECOND = "77777777-7777-4777-8777-000000000002"


@dataclass
class Plane:
    """The control plane's part: the next step of the first order that is open. ``fault``: raised by the next report."""

    steps: dict[str, OrderStep | None]
    records: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    views: dict[str, OrderView] = field(default_factory=dict)
    reports: list[StepReport] = field(default_factory=list)
    fault: BaseException | None = None

    def begin_order(self, user_id: str) -> OrderedStep:
        open_orders = [order for order, step in self.steps.items() if step]
        if not open_orders:
            return OrderedStep()
        order, step = open_orders[0], self.steps[open_orders[0]]
        kind: Any = "export" if step in ("export", "expire") else "forget"
        view = self.views.setdefault(order, OrderView(id=order, kind=kind, state="waiting", ordered_at=DAY, records=1))
        hashes = tuple(record_digest(KEY.hex(), *record) for record in self.records.get(order, ()))
        return OrderedStep(step=step, order=view, key=KEY.hex(), records=hashes)

    def report_order(self, user_id: str, report: StepReport) -> None:
        fault, self.fault = self.fault, None
        if fault is not None:
            raise fault
        self.reports.append(report)
        if report.failure is None:
            view = self.views[report.order_id]
            update = {"result": report.result, "done_at": DAY} if report.step in ("purge", "export") else {}
            self.views[report.order_id] = view.model_copy(update=update)
            later: dict[OrderStep, OrderStep | None] = {"purge": "sweep", "export": "expire"}
            self.steps[report.order_id] = later.get(report.step)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("orders"))


@pytest.fixture
def workspace(template: Workspace, tmp_path: Path) -> Iterator[Workspace]:
    contents = dict(template.bench.blobs._bucket.objects)
    template.bench.tmp = tmp_path
    yield template
    template.bench.blobs._bucket.objects.clear()
    template.bench.blobs._bucket.objects.update(contents)


def walk(workspace: Workspace, plane: Plane, fault: Fault = no_fault) -> OrderWalk:
    ids = itertools.count(len(workspace.bench.blobs.ops) * 1000)
    blobs, clock = workspace.bench.blobs.as_seen_by(fault), workspace.bench.clock
    locks = Locks(ConditionalWriter(blobs, clock), clock, lambda: f"id-{next(ids)}", Lease())
    exclusive = Exclusive(locks, workspace.bench.store(fault), "user's order", threads=False)
    return OrderWalk(exclusive, workspace.suppressions(fault), plane, erasing.rerender, clock, 300.0, threading.Event())


def checked(document: dict[str, Any]) -> str:
    keys = PublicRing(Ed25519Signer(PEM).public_keys)
    return proof.check(document, keys.verify)


@logs("order step done")
def test_the_chosen_record_goes_and_the_receipt_proves_the_commit_that_took_it(workspace: Workspace) -> None:
    plane = Plane({ORDER: "purge"}, {ORDER: (SECRET_NOTE,)})
    orders = walk(workspace, plane)
    assert orders.walk([USER]) == 1
    result = plane.reports[0].result
    assert result.commit is not None
    assert (result.records, result.commit.seq) == (1, 4)
    assert workspace.objects_with((SECRET_ID.encode(), b"merger with")) == []
    assert workspace.objects_with((b"escrow account",)), "what was not chosen stays"
    _, commit = History(workspace.bench.store().of(USER)).commit(4)
    assert commit.reason == f"order {ORDER}", "the commit names the order, not what was forgotten"
    assert orders.walk([USER]) == 0, "whoever wrote before is not gone yet, so there is no receipt"
    workspace.bench.blobs.write(paths.answer(USER, "b" * 64), b"late", if_generation=None)
    workspace.bench.clock.advance(HORIZON.total_seconds() + 1)
    assert orders.walk([USER]) == 1
    assert plane.reports[1].result.objects["answers"] == 1
    receipt = orjson.loads(workspace.bench.blobs.read(paths.receipt(USER, ORDER)).data)
    assert (receipt["order"], receipt["records"], receipt["commit"]["seq"]) == (ORDER, 1, 4)
    assert "commit 4" in checked(receipt["proof"])
    assert not any(trace.decode() in str(receipt) for trace in TRACES)
    workspace.sound()


@pytest.mark.parametrize("fault", [Killed(), ControlPlaneUnavailable("away")], ids=["dies", "report lost"])
def test_a_purge_whose_report_was_lost_is_reported_with_its_commit(workspace: Workspace, fault: BaseException) -> None:
    plane = Plane({ORDER: "purge"}, {ORDER: (SECRET_NOTE,)}, fault=fault)
    if isinstance(fault, Killed):
        with pytest.raises(Killed):
            walk(workspace, plane).walk([USER])
        workspace.bench.clock.advance(600)
    else:
        assert walk(workspace, plane).walk([USER]) == 0
    assert walk(workspace, plane).walk([USER]) == 1
    [report] = plane.reports
    assert report.result.commit is not None
    assert (report.result.commit.seq, report.result.records) == (4, 0)


def test_two_orders_are_carried_out_one_after_the_other(workspace: Workspace) -> None:
    plane = Plane({ORDER: "purge", SECOND: "purge"}, {ORDER: (SECRET_NOTE,), SECOND: (SECRET_NOTE, TASK_ITEM)})
    orders = walk(workspace, plane)
    orders.walk([USER])
    plane.steps[ORDER] = None
    orders.walk([USER])
    assert [report.result.records for report in plane.reports] == [1, 1], "the second finds what the first left"
    assert workspace.objects_with(TRACES[:-1]) == []


@logs("order waits for the user's lock")
def test_while_a_job_runs_the_order_waits(workspace: Workspace) -> None:
    plane = Plane({ORDER: "purge"}, {ORDER: (SECRET_NOTE,)})
    orders = walk(workspace, plane)
    orders.exclusive.locks.acquire(USER, owner="run-1", job_id=ORDER, attempt=1, head_epoch=3)
    assert orders.walk([USER]) == 0
    assert plane.reports == []


@logs("order failed")
def test_a_damaged_history_is_told_and_tried_again(workspace: Workspace) -> None:
    blobs = workspace.bench.blobs
    pack = next(name for name in blobs.names(f"users/{USER}/packs/"))
    data = blobs.read(pack)
    blobs.delete(pack, if_generation=data.stat.generation)
    plane = Plane({ORDER: "purge"}, {ORDER: (SECRET_NOTE,)})
    assert walk(workspace, plane).walk([USER]) == 0
    assert plane.reports[0].failure == "snapshot_incomplete"
    blobs.write(pack, data.data, if_generation=0)
    assert walk(workspace, plane).walk([USER]) == 1


def test_an_export_is_complete_proven_and_ends(workspace: Workspace) -> None:
    plane = Plane({ORDER: "export"})
    orders = walk(workspace, plane)
    assert orders.walk([USER]) == 1
    result = plane.reports[0].result
    assert result.commit is not None
    blobs = workspace.bench.blobs
    data = blobs.read(paths.takeout(USER, result.commit.seq, ORDER)).data
    assert len(data) == result.bytes
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        names = archive.getnames()
    assert "brain/reports/digest/r3.md" in names
    whole = orjson.loads(blobs.read(paths.takeout_proof(USER, result.commit.seq, ORDER)).data)
    assert "consists of exactly" in checked(whole)
    with pytest.raises(proof.ProofRefused):
        checked({**whole, "entries": whole["entries"][1:]})
    assert {entry[0] for entry in whole["entries"] if entry[3]} == set(names) - {
        entry[0] for entry in whole["entries"] if not entry[3]
    }
    assert orders.walk([USER]) == 1
    assert not blobs.names(f"users/{USER}/takeout/")


def test_a_purge_takes_exports_of_before_also_one_that_was_written_late(workspace: Workspace) -> None:
    plane = Plane({ORDER: "export"})
    orders = walk(workspace, plane)
    orders.walk([USER])
    blobs, seq = workspace.bench.blobs, 3
    name = paths.takeout(USER, seq, ORDER)
    late = blobs.read(name).data
    plane.steps = {SECOND: "purge"}
    plane.records = {SECOND: (SECRET_NOTE,)}
    orders.walk([USER])
    assert not blobs.names(f"users/{USER}/takeout/")
    blobs.write(name, late, if_generation=0)
    plane.steps = {"77777777-7777-4777-8777-000000000003": "export", **plane.steps}
    orders.walk([USER])
    workspace.bench.clock.advance(timedelta(hours=4).total_seconds())
    plane.steps = {SECOND: "sweep"}
    orders.walk([USER])
    [left] = [name for name in blobs.names(f"users/{USER}/takeout/") if name.endswith(".tar")]
    assert left != name, "an export made after the purge stays"


def test_what_the_owner_sees_first_is_there_after_a_purge(workspace: Workspace) -> None:
    store = workspace.bench.store()
    root, base = workspace.bench.hydrate(store)
    document = {"schema": "memory.today.v1", "at": "2026-03-06 09:00 +01:00", "locale": "en", "loops": []}
    (root / layout.TODAY).write_bytes(orjson.dumps(document))
    workspace.bench.commit(store, root, base.base, "job-4", epoch=4)
    store.close()
    walk(workspace, Plane({ORDER: "purge"}, {ORDER: (TASK_ITEM,)})).walk([USER])
    history = History(workspace.bench.store().of(USER))
    made = orjson.loads(history.read(layout.TODAY))
    assert made["at"] == document["at"]
    assert [loop["text"] for loop in made["loops"]] == ["Water the plants in the office"]
    assert layout.HOLDS in history.tree().entries
    assert OTHER.encode() not in history.read(layout.TODAY)
