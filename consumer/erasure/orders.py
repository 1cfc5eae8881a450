"""
Carries out what users order for their memory: purge what they forget, and export everything. One step at a time, for
the users that a tick names, within a time limit.

The control plane decides which step is due, asked under the user's lock. A step that dies is ordered again; each is
repeatable, and finds what an earlier try has done. docs/erasure.md, "When a user forgets", has the timeline.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from consumer import paths
from consumer.erasure import late_writers, walks
from consumer.erasure.purge import Purge
from consumer.erasure.selecting import Selection
from consumer.erasure.suppressions import Suppressions
from consumer.errors import BlobNotFound, ConsumerError, LockBusy, PreconditionFailed
from consumer.evidence.records import Rerender
from consumer.locking.exclusive import Exclusive, Hold
from consumer.ports import Clock, Orders
from consumer.repository.history import History, NoSuchCommit
from consumer.repository.workspace import Repository
from consumer.snapshot import proof
from consumer.snapshot.suppression import Suppressed
from contract import canonical
from contract.api import CommitRef
from contract.orders import OrderedStep, OrderResult, OrderView, StepReport
from service import telemetry

#: The purpose stored in the lock.
WHY: Final = "user's order"
RECEIPT: Final = "memory.forget-receipt.v1"
#: Commits that are searched for the purge of an order whose report was lost.
SEARCHED: Final = 200


@dataclass(frozen=True, slots=True)
class OrderWalk:
    """``limit_s``: after this many seconds of a walk, no further user is started."""

    exclusive: Exclusive
    suppressions: Suppressions
    orders: Orders
    rerender: Callable[[], Rerender]
    clock: Clock
    limit_s: float
    shutdown: threading.Event

    def walk(self, user_ids: Sequence[str]) -> int:
        """Do one step for each user and return how many were done. One user's failure stops no other."""
        finished, unreached = 0, "orders left for the next tick"
        for user_id in walks.in_time(user_ids, self.clock, self.limit_s, self.shutdown, unreached):
            result = self._step(user_id)
            telemetry.count("order_steps", result=result)
            finished += result == "done"
        return finished

    def _step(self, user_id: str) -> str:
        try:
            with self.exclusive.hold(user_id, WHY) as hold:
                return self._carried_out(user_id, self.orders.begin_order(user_id), hold)
        except LockBusy:
            telemetry.log("order waits for the user's lock", user_id=user_id, code=LockBusy.code)
            return "busy"
        except ConsumerError as exc:
            telemetry.log("order not begun", user_id=user_id, code=exc.code, level=telemetry.ERROR)
            return "failed"

    def _carried_out(self, user_id: str, due: OrderedStep, hold: Hold) -> str:
        order = due.order
        if due.step is None or order is None:
            return "not_due"
        try:
            result = self._result(user_id, due, order, hold)
        except ConsumerError as exc:
            telemetry.log("order failed", user_id=user_id, step=due.step, code=exc.code, level=telemetry.ERROR)
            self.orders.report_order(user_id, StepReport(order_id=order.id, step=due.step, failure=exc.code))
            return "failed"
        if result is None:
            return "not_due"
        self.orders.report_order(user_id, StepReport(order_id=order.id, step=due.step, result=result))
        telemetry.log("order step done", user_id=user_id, step=due.step, objects=sum(result.objects.values()))
        return "done"

    def _result(self, user_id: str, due: OrderedStep, order: OrderView, hold: Hold) -> OrderResult | None:
        """Do the step. None: it is too early for it."""
        if due.step == "purge":
            return self._purge(user_id, due, order, hold)
        if due.step == "sweep":
            return self._sweep(user_id, order, hold)
        return self._export(user_id, order, hold) if due.step == "export" else self._expire(user_id, order, hold)

    # --- forgetting

    def _purge(self, user_id: str, due: OrderedStep, order: OrderView, hold: Hold) -> OrderResult:
        named = Suppressed(bytes.fromhex(due.key or ""), frozenset(due.records))
        purged = Purge(
            self._repository(user_id),
            Selection(suppressed=named),
            _reason(order),
            hold,
            self.rerender(),
            self.suppressions,
        ).run()
        # Of a try that died after its swap, the commit is in the history.
        commit = purged.commit or self._purge_of(user_id, order)
        return OrderResult(commit=commit, records=purged.records, objects={"objects": purged.deleted_objects})

    def _purge_of(self, user_id: str, order: OrderView) -> CommitRef | None:
        history = History(self._repository(user_id))
        for digest, commit in history.log(SEARCHED):
            if commit.reason == _reason(order):
                return CommitRef(seq=commit.seq, digest=digest)
        return None

    def _sweep(self, user_id: str, order: OrderView, hold: Hold) -> OrderResult | None:
        swept = late_writers.sweep(self._repository(user_id), hold)
        if swept.due is not None:
            return None
        objects = dict(swept.removed.objects)
        self._put(paths.receipt(user_id, order.id), user_id, self._receipt(user_id, order, objects))
        return OrderResult(objects=objects)

    def _receipt(self, user_id: str, order: OrderView, swept: dict[str, int]) -> dict[str, Any]:
        """What was done, without content. ``proof``: that the purge is a signed commit which continues the history."""
        result = order.result
        return {
            "schema": RECEIPT,
            "order": order.id,
            "user_id": user_id,
            "records": order.records,
            "ordered_at": order.ordered_at.isoformat(),
            "purged_at": order.done_at.isoformat() if order.done_at else None,
            "swept_at": self.clock.now().isoformat(),
            "commit": result.commit.model_dump(mode="json") if result.commit else None,
            "objects": {"purge": dict(result.objects), "sweep": swept},
            "proof": self._proof(user_id, result.commit) if result.commit else None,
        }

    def _proof(self, user_id: str, commit: CommitRef) -> dict[str, Any] | None:
        try:
            return History(self._repository(user_id)).prove_after(commit.seq - 1, commit.seq)
        except NoSuchCommit:
            # The memory was reset since: its history is gone, with everything that it held.
            return None

    # --- exports

    def _export(self, user_id: str, order: OrderView, hold: Hold) -> OrderResult:
        """Write a tar of HEAD's snapshot, and the proof that it is all of a signed commit."""
        history = History(self._repository(user_id))
        try:
            snapshot = history.at(None)
        except NoSuchCommit:
            return OrderResult()
        assert snapshot.commit is not None
        seq = snapshot.head.seq
        with tempfile.TemporaryFile(prefix="cloop-takeout-") as file:
            history.export(file, hold, seq)
            file.seek(0)
            data = file.read()
        whole = proof.prove_whole(snapshot.tree, snapshot.commit).model_dump(mode="json")
        self._put(paths.takeout_proof(user_id, seq, order.id), user_id, whole)
        hold.check()
        self._write(paths.takeout(user_id, seq, order.id), user_id, data, "application/x-tar")
        commit = CommitRef(seq=seq, digest=snapshot.head.commit or "")
        return OrderResult(commit=commit, bytes=len(data), sha256=canonical.sha256_hex(data))

    def _expire(self, user_id: str, order: OrderView, hold: Hold) -> OrderResult:
        seq = order.result.commit.seq if order.result.commit else 0
        names = (paths.takeout(user_id, seq, order.id), paths.takeout_proof(user_id, seq, order.id))
        removed = [late_writers.delete_below(self._repository(user_id), name, hold).count for name in names]
        return OrderResult(objects={"takeout": sum(removed)})

    # --- objects

    def _repository(self, user_id: str) -> Repository:
        return self.exclusive.store.of(user_id)

    def _put(self, name: str, user_id: str, document: dict[str, Any]) -> None:
        self._write(name, user_id, orjson.dumps(document, option=orjson.OPT_INDENT_2), "application/json")

    def _write(self, name: str, user_id: str, data: bytes, content_type: str) -> None:
        """Repeatable: what an earlier try wrote is replaced. Raises BlobUnavailable."""
        blobs = self._repository(user_id).blobs
        try:
            generation = blobs.stat(name).generation
        except BlobNotFound:
            generation = 0
        try:
            blobs.write(name, data, if_generation=generation, content_type=content_type)
        except PreconditionFailed:
            # A lost reply: this holder's own earlier request came through.
            if blobs.read(name).data != data:
                raise


def _reason(order: OrderView) -> str:
    """Recorded in the purge's commit for ever: names the order, not what was forgotten."""
    return f"order {order.id}"
