"""
What users order for their own memory: forget records, export everything, switch a rule, end an exclusion.

A forgetting is shown first and confirmed with a token. The confirmation is one transaction: the token is used, the
records are suppressed (so that no export brings them and every reader hides them), and the order waits for the
consumer, which a tick sends. docs/erasure.md, "When a user forgets", has the timeline.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from psycopg.types.json import Jsonb

import manifests
from contract import exclusions
from contract.exclusions import ExclusionRequest
from contract.keyed import digest, record_digest
from contract.orders import (
    ConfirmedForget,
    ConfirmForgetRequest,
    ExclusionList,
    ExclusionView,
    OrderedStep,
    OrderList,
    OrderResult,
    OrderState,
    OrderView,
    RecordRef,
    RuleSwitchRequest,
    ShowForgetRequest,
    ShownForget,
    StepReport,
)
from controlplane.corrections import OWNER, user_key
from controlplane.db import Database, Row, Tx
from controlplane.deletions import require_rows_stay, waits
from controlplane.errors import ApiFault, existing, invalid, not_found

#: How long a list that was shown can be confirmed.
TOKEN_LIFE_S: Final = 600
_TOKEN_BYTES: Final = 32
#: Users that one tick names.
PIECE: Final = 100
_ENDED: Final = "Ask for the list again."


@dataclass(frozen=True, slots=True)
class UserOrders:
    """Every method takes the id of the user whose token was verified."""

    database: Database

    # --- forgetting

    def show(self, user_id: str, request: ShowForgetRequest) -> ShownForget:
        """Keep which records are shown, as digests, and give the token that confirms them.

        Raises ApiFault 404 user_not_found, 409 erasure_begun.
        """
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        with self.database.transaction() as tx:
            key = _locked(tx, user_id)
            tx.run("forget_shown", user_id=user_id)
            row = tx.only(
                "show_forget",
                user_id=user_id,
                token=_token_digest(token),
                life_s=TOKEN_LIFE_S,
                selection=bytes.fromhex(_selection(key, request.selection)),
                head_seq=request.head_seq,
            )
            hashes = _hashes(key, request.records)
            tx.run("add_order_records", order_id=row["id"], user_id=user_id, hashes=hashes)
        return ShownForget(token=token, until=row["token_until"])

    def confirm(self, user_id: str, request: ConfirmForgetRequest) -> ConfirmedForget:
        """Order that the chosen records are forgotten. They are suppressed from now on. Repeatable: the same choice
        with the same token again is the order that is there.

        Raises ApiFault 404 user_not_found, forget_not_shown (no list of this user has this token); 409 erasure_begun,
        forget_expired, forget_ordered (the token was used for another choice), forget_changed (the records were
        selected otherwise); 422 a record was not in the list.
        """
        with self.database.transaction() as tx:
            key = _locked(tx, user_id)
            row = tx.row("lock_shown", user_id=user_id, token=_token_digest(request.token))
            if row is None:
                raise ApiFault(404, "forget_not_shown", "no list has been shown with this token", hint=_ENDED)
            chosen = _hashes(key, request.records)
            shown = [each["hash"] for each in tx.rows("order_records", order_id=row["id"])]
            if row["ordered_at"] is not None:
                # After the purge nothing tells any more which records they were: then their number must do.
                if (shown and shown != chosen) or row["records"] != len(chosen):
                    raise ApiFault(409, "forget_ordered", "this token was already used for other records", hint=_ENDED)
                return ConfirmedForget(order=_view(row))
            if row["expired"]:
                raise ApiFault(409, "forget_expired", "the list was shown more than ten minutes ago", hint=_ENDED)
            if row["selection"].hex() != _selection(key, request.selection):
                raise ApiFault(
                    409, "forget_changed", "this token belongs to the list of another selection", hint=_ENDED
                )
            if not set(chosen) <= set(shown):
                raise invalid("one of the chosen records was not in the list", hint=_ENDED)
            tx.run("keep_chosen", order_id=row["id"], hashes=chosen)
            tx.run("add_suppressions", user_id=user_id, key=key, hashes=chosen)
            tx.run("drop_correction_places", user_id=user_id, key=key, hashes=chosen)
            if request.keep_out is not None:
                _keep_out(tx, user_id, key, request.keep_out)
            ordered = tx.only("order_forget", id=row["id"], records=len(chosen))
            kept_out = {"keep_out": request.keep_out.kind} if request.keep_out else {}
            tx.audit(OWNER, "memory.forget", user_id, order=str(row["id"]), records=len(chosen), **kept_out)
            arrived = [each for each in request.matching if record_digest(key, each.source, each.id) not in shown]
        return ConfirmedForget(order=_view(ordered), arrived=tuple(arrived))

    # --- exports, and what users see of their orders

    def export(self, user_id: str) -> OrderView:
        """Order an export. Repeatable: an order that is not carried out yet is the same. Raises ApiFault 404, 409."""
        with self.database.transaction() as tx:
            _locked(tx, user_id)
            row = tx.row("open_export", user_id=user_id)
            if row is None:
                row = tx.only("order_export", user_id=user_id)
                tx.audit(OWNER, "memory.export", user_id, order=str(row["id"]))
        return _view(row)

    def listed(self, user_id: str) -> OrderList:
        """The newest 50 orders."""
        with self.database.transaction() as tx:
            rows = tx.rows("orders_of", user_id=user_id, id=None)
        return OrderList(orders=tuple(map(_view, rows)))

    def order(self, user_id: str, order_id: str) -> OrderView:
        """Raises ApiFault 404 order_not_found: this user has no such order."""
        with self.database.transaction() as tx:
            rows = tx.rows("orders_of", user_id=user_id, id=order_id)
        if not rows:
            raise not_found("order", order_id)
        return _view(rows[0])

    # --- rules and exclusions

    def switch_rule(self, user_id: str, request: RuleSwitchRequest) -> None:
        """Repeatable. Raises ApiFault 404 rule_not_found, user_not_found; 409 erasure_begun."""
        rule = {"user_id": user_id, "source_key": request.source_key, "record_id": request.record_id}
        with self.database.transaction() as tx:
            _locked(tx, user_id)
            if not tx.only("has_rule", **rule)["known"]:
                raise not_found("rule", f"{request.source_key}/{request.record_id}")
            tx.run("switch_rule_on" if request.on else "switch_rule_off", **rule)
            tx.audit(OWNER, "rule.on" if request.on else "rule.off", user_id)

    def exclusions(self, user_id: str) -> ExclusionList:
        with self.database.transaction() as tx:
            rows = tx.rows("exclusions_of", user_id=user_id)
        views = [ExclusionView.model_validate({**row, "id": str(row["id"])}) for row in rows]
        return ExclusionList(exclusions=tuple(views))

    def end_exclusion(self, user_id: str, exclusion_id: str) -> None:
        """Repeatable. What was forgotten stays away. Raises ApiFault 404 exclusion_not_found."""
        with self.database.transaction() as tx:
            existing(tx.row("end_exclusion", user_id=user_id, id=exclusion_id), "exclusion", exclusion_id)
            tx.audit(OWNER, "exclusion.end", user_id)

    # --- carrying out

    def due(self) -> tuple[str, ...]:
        """Users of whose orders a step is due."""
        with self.database.transaction() as tx:
            rows = tx.rows("due_orders", **_terms(), limit=PIECE)
        return tuple(str(row["user_id"]) for row in rows)

    def begin(self, user_id: str) -> OrderedStep:
        """The step that is due for this user, asked under their lock. It counts as tried from here on. Repeatable."""
        with self.database.transaction() as tx:
            row = tx.row("next_order", user_id=user_id, **_terms())
            if row is None:
                return OrderedStep()
            begun = tx.only("begin_order", id=row["id"])
            erasure = tx.row("erasure_of", user_id=user_id)
            hashes = [each["hash"] for each in tx.rows("order_records", order_id=row["id"])]
        return OrderedStep(
            step=row["step"], order=_view(begun), key=erasure["key"] if erasure else None, records=tuple(hashes)
        )

    def done(self, user_id: str, report: StepReport) -> OrderView:
        """Record what became of a step. Repeatable. Raises ApiFault 404 order_not_found."""
        with self.database.transaction() as tx:
            row = existing(tx.row("lock_order", user_id=user_id, id=report.order_id), "order", report.order_id)
            return _view(_changed(tx, row, report))


def _changed(tx: Tx, row: Row, report: StepReport) -> Row:
    last = report.step in ("sweep", "expire")
    if row["closed_at" if last else "done_at"] is not None or (last and row["done_at"] is None):
        return row
    if report.failure is not None:
        return tx.row("fail_order", id=row["id"], failure=report.failure) or row
    if not last:
        tx.run("drop_order_records", order_id=row["id"])
        result = Jsonb(report.result.model_dump(mode="json"))
        return tx.row("finish_order", id=row["id"], result=result) or row
    before = OrderResult.model_validate(row["result"])
    objects = {
        kind: before.objects.get(kind, 0) + report.result.objects.get(kind, 0)
        for kind in {*before.objects, *report.result.objects}
    }
    closed = before.model_copy(update={"objects": objects})
    return tx.row("close_order", id=row["id"], result=Jsonb(closed.model_dump(mode="json"))) or row


def _locked(tx: Tx, user_id: str) -> str:
    """The user's key, with their workspace's row locked. Raises ApiFault 404 user_not_found, 409 erasure_begun."""
    existing(tx.row("lock_user", user_id=user_id), "user", user_id)
    require_rows_stay(tx, user_id)
    return user_key(tx, user_id)


def _keep_out(tx: Tx, user_id: str, key: str, request: ExclusionRequest) -> None:
    source = request.texts[0] if request.kind == "source" else None
    parts = () if source else exclusions.parts(key, request)
    if not source and not parts:
        raise invalid("keep_out has no name or word by which later records could be recognized")
    tx.run(
        "make_exclusion",
        user_id=user_id,
        kind=request.kind,
        source_key=source,
        parts=[bytes.fromhex(part) for part in parts],
    )


def _hashes(key: str, records: Iterable[RecordRef]) -> list[str]:
    return sorted({record_digest(key, record.source, record.id) for record in records})


def _token_digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _selection(key: str, text: str) -> str:
    return digest(key, "selection", text)


def _terms() -> dict[str, int]:
    """``sweep_s``: seconds after a purge until no earlier run can write; ``export_s``: how long an export is kept."""
    return {"sweep_s": waits()["sweep_s"], "export_s": manifests.limits()["export_kept"]}


def _state(row: Row) -> OrderState:
    if row["closed_at"] is not None:
        return "closed"
    if row["done_at"] is not None:
        return "sweeping" if row["kind"] == "forget" else "ready"
    if row["begun_at"] is not None:
        return "forgetting" if row["kind"] == "forget" else "exporting"
    return "waiting"


def _view(row: Row) -> OrderView:
    ends = None
    if row["kind"] == "export" and row["done_at"] is not None:
        ends = row["done_at"] + timedelta(seconds=_terms()["export_s"])
    stated = {"id": str(row["id"]), "state": _state(row), "shown_seq": row["head_seq"], "ends_at": ends}
    return OrderView.model_validate({**row, **stated})
