"""Every call of the control plane: who may make it, and which service answers with what. And what a bad call gets."""

from __future__ import annotations

import json
from concurrent.futures import Executor, Future
from typing import Any, Final, cast

import psycopg
import pytest
from pydantic import BaseModel

from contract.api import ACTING_FOR, TickResponse, Usefulness, Wire
from controlplane.api import ROUTES, Services, create_app
from controlplane.calls import BODY_BYTES
from controlplane.deletions import Ticked
from controlplane.errors import ApiFault
from tests.asgi import Client
from tests.tables import table
from tests.unit.controlplane.scripted import Scripted
from tests.unit.controlplane.test_assistants import AT

NAMES: Final = ("job", "user", "correction", "token", "proposal", "order", "exclusion", "replay")
IDS: Final = {name: f"{number}" * 8 + "-0000-4000-8000-000000000000" for number, name in enumerate(NAMES, 1)}
S1, HASH = f"{1:016x}", "ab" * 32
OWN: Final = {"user_token": "t"}
REASON: Final = {"reason": "x"}
RECORDS: Final = {"records": [{"source": "a", "id": "1"}], "selection": "topic: x"}
DONE: Final = {"verdict": "done", "statement": S1}

#: Call -> who may make it, its body, and what is asked of the services then.
CALLS: Final[dict[str, tuple[str, Any, str]]] = {
    "token": ("consumer", {"attempt": 1, "owner": "x"}, "jobs.grant(job, TokenRequest)"),
    "progress": ("run", {"attempt": 1, "state": "running"}, "jobs.progress(claims, job, ProgressRequest)"),
    "complete": ("run", {"attempt": 1, "outcome": "completed"}, "completion.complete(claims, job, CompleteRequest)"),
    "begin_erasure": ("consumer", None, "deletions.begin(user)"),
    "report_erasure": ("consumer", {"step": "erase", "epoch": 1}, "deletions.done(user, ErasureReport)"),
    "list_deletions": ("operator", None, "deletions.listed(query)"),
    "show_receipt": ("operator", None, "deletions.receipt(user)"),
    "keep_deleted": ("operator", REASON, "deletions.keep(operator, user, ReasonRequest)"),
    "enable_user": ("operator", {"email": "a@x.example"}, "operators.enable(operator, EnableUserRequest)"),
    "list_users": ("operator", None, "provisioning.users(query)"),
    "user_wave": ("operator", {"size": 1, "cap": 1}, "provisioning.wave(operator, WaveRequest)"),
    "show_user": ("operator", None, "operators.user(user)"),
    "disable_user": ("operator", None, "operators.disable(operator, user)"),
    "union_suppressions": ("consumer or operator", {}, "suppressing.union(user, SuppressRequest)"),
    "erase_user": ("consumer or operator", REASON, "suppressing.erase(operator, user, ReasonRequest)"),
    "overlay": ("consumer", None, "corrections.overlay(user)"),
    "place_corrections": ("consumer", {"placed": []}, "corrections.place(user, PlaceRequest)"),
    "list_corrections": ("operator", None, "corrections.listed(user)"),
    "make_correction": ("operator", DONE, "corrections.make(operator, user, CorrectionRequest)"),
    "undo_correction": ("operator", None, "corrections.undo(operator, user, correction)"),
    "queue": ("operator", None, "provisioning.queue()"),
    "list_pauses": ("operator", None, "pauses.listed()"),
    "pause_queue": ("operator", {"target": "*", **REASON}, "pauses.pause(operator, PauseRequest)"),
    "resume_queue": ("operator", {"target": "*", **REASON}, "pauses.resume(operator, PauseRequest)"),
    "submit_job": (
        "operator",
        {"user_id": IDS["user"], "job_type": "hourly_digest"},
        "operators.submit(operator, SubmitJobRequest)",
    ),
    "list_jobs": ("operator", None, "operators.jobs(query)"),
    "show_job": ("operator", None, "operators.job(job)"),
    "cancel_job": ("operator", REASON, "operators.cancel(operator, job, ReasonRequest)"),
    "replay_job": (
        "operator",
        {"replay_id": IDS["replay"], **REASON},
        "operators.replay(operator, job, ReplayRequest)",
    ),
    "rerun_job": ("operator", None, "operators.rerun(operator, job, RerunRequest)"),
    "note_discard": ("operator", {"key": "k", **REASON}, "operators.discard(operator, DiscardRequest)"),
    "note_bucket_deed": (
        "operator",
        {"action": "lock.unlock", "user_id": IDS["user"], **REASON},
        "operators.bucket_deed(operator, BucketDeedRequest)",
    ),
    "list_marks": ("operator", None, "feedback.marks(job)"),
    "mark_claim": (
        "operator",
        {"claim": 1, "verdict": "wrong", **REASON},
        "feedback.mark(operator, job, MarkRequest)",
    ),
    "list_flags": ("operator", None, "flags.listed(query)"),
    "set_flag": (
        "operator",
        {"name": "synthesis", "scope": "all", "target": "*", "value": True, **REASON},
        "flags.put(operator, SetFlagRequest)",
    ),
    "unset_flag": (
        "operator",
        {"name": "synthesis", "scope": "all", "target": "*", **REASON},
        "flags.unset(operator, UnsetFlagRequest)",
    ),
    "change_cohort": (
        "operator",
        {"cohort": "early", "user_id": IDS["user"], "member": True, **REASON},
        "flags.cohort(operator, CohortRequest)",
    ),
    "grant_reading": ("reader", OWN, "reading.grant(ReadGrantRequest)"),
    "list_access": ("reader", OWN, "reading.access(AccessRequest)"),
    "make_own_correction": ("reader", {**OWN, "correction": DONE}, "corrections.make(user, owner, CorrectionRequest)"),
    "list_own_corrections": ("reader", OWN, "corrections.listed(owner)"),
    "undo_own_correction": (
        "reader",
        {**OWN, "correction_id": IDS["correction"]},
        "corrections.undo(user, owner, correction)",
    ),
    "begin_order": ("consumer", None, "orders.begin(user)"),
    "report_order": ("consumer", {"order_id": IDS["order"], "step": "purge"}, "orders.done(user, StepReport)"),
    "show_forget": ("reader", {**OWN, **RECORDS, "head_seq": 1}, "orders.show(owner, ShowForgetRequest)"),
    "confirm_forget": ("reader", {**OWN, **RECORDS, "token": "x"}, "orders.confirm(owner, ConfirmForgetRequest)"),
    "order_export": ("reader", OWN, "orders.export(owner)"),
    "list_orders": ("reader", OWN, "orders.listed(owner)"),
    "show_order": ("reader", {**OWN, "order_id": IDS["order"]}, "orders.order(owner, order)"),
    "switch_rule": (
        "reader",
        {**OWN, "source_key": "user_rules", "record_id": "5", "on": False},
        "orders.switch_rule(owner, RuleSwitchRequest)",
    ),
    "list_exclusions": ("reader", OWN, "orders.exclusions(owner)"),
    "end_exclusion": ("reader", {**OWN, "exclusion_id": IDS["exclusion"]}, "orders.end_exclusion(owner, exclusion)"),
    "create_token": ("reader", {**OWN, "token": {"name": "x"}}, "assistants.create(owner, AssistantTokenRequest)"),
    "list_tokens": ("reader", OWN, "assistants.listed(owner)"),
    "revoke_token": ("reader", {**OWN, "token_id": IDS["token"]}, "assistants.revoke(owner, token)"),
    "propose_correction": (
        "reader",
        {**OWN, "correction": DONE},
        "assistants.propose(assistant, CorrectionRequest)",
    ),
    "list_proposals": ("reader", OWN, "assistants.proposals(owner)"),
    "decide_proposal": (
        "reader",
        {**OWN, "proposal_id": IDS["proposal"], "accept": True},
        "assistants.decide(owner, proposal, accept=True)",
    ),
    "jwks": ("anybody", None, "tokens.jwks()"),
    "readyz": ("anybody", None, "readiness.require()"),
}
#: Calls that say nothing of what they did.
SILENT: Final = {"place_corrections", "switch_rule", "end_exclusion"}


class Inline(Executor):
    """Runs at once, in the thread that asks."""

    def submit(self, act: Any, /, *given: Any, **more: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(act(*given, **more))
        except BaseException as exc:  # noqa: BLE001 (as an executor does)
            future.set_exception(exc)
        return future


class Plane:
    """Services that note what is asked of them. ``roles``: those of whoever calls."""

    def __init__(self, *roles: str) -> None:
        self.roles = roles
        self.asked: list[str] = []
        self.acting_for: list[str | None] = []
        #: What a service answers instead: by the name of the service and method.
        self.answers: dict[str, Any] = {}
        services = [name for name in Services.__dataclass_fields__ if name not in {"database", "threads"}]
        made: dict[str, Any] = {name: Noting(self, name) for name in services}
        self.database = Scripted()
        self.app = create_app(Services(**made, database=self.database.database, threads=cast(Any, Inline())))
        self.client = Client(self.app, "http://plane", raises=False)

    def call(self, name: str, body: Any = None, query: str = "", **headers: str) -> Any:
        method, path = next((method, path) for method, path, endpoint in ROUTES if endpoint.__name__ == name)
        address = path.format(**{f"{name}_id": uuid for name, uuid in IDS.items()}) + query
        content = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        return self.client.request(method, address, content=content, headers=headers)

    def answer(self, service: str, method: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if (service, method) == ("identities", "require"):
            self.acting_for.append(given[2] if len(given) > 2 else None)
            if given[1] not in self.roles:
                raise ApiFault(403, "not_allowed", "no")
            return given[1]
        if (service, method) == ("tokens", "verify"):
            if "run" not in self.roles:
                raise ApiFault(401, "token_invalid", "no")
            return Noting(self, "claims")
        if (service, method) in {("reading", "owner"), ("reading", "assistant")}:
            return method
        shown = [*map(_shown, given), *(f"{name}={value}" for name, value in named.items())]
        self.asked.append(f"{service}.{method}({', '.join(shown)})")
        answer = self.answers.get(f"{service}.{method}", {"answer": f"{service}.{method}"})
        if isinstance(answer, Exception):
            raise answer
        return answer


class Noting:
    def __init__(self, plane: Plane, name: str) -> None:
        self.plane, self.name = plane, name

    def __getattr__(self, method: str) -> Any:
        return lambda *given, **named: self.plane.answer(self.name, method, given, named)


def _shown(value: Any) -> str:
    if isinstance(value, Noting):
        return value.name
    if isinstance(value, dict):
        return "query"
    return (
        type(value).__name__
        if isinstance(value, BaseModel)
        else {each: name for name, each in IDS.items()}.get(value, value)
    )


def test_every_call_has_its_line() -> None:
    known = {endpoint.__name__ for _, _, endpoint in ROUTES}
    assert known == set(CALLS) | {"batches", "ticks", "healthz", "openapi"}


@table("name", CALLS)
def test_a_call_is_answered_for_who_may_make_it_and_for_nobody_else(name: str) -> None:
    who, body, asks = CALLS[name]
    may = who.split(" or ") if who != "anybody" else ["nobody"]
    for role in may:
        plane = Plane(role)
        answer = plane.call(name, body)
        assert answer.status_code == 200, answer.text
        # Who is not an operator is in the audit as what they are.
        expected = asks.replace("(operator, user, Reason", f"({role}, user, Reason") if len(may) > 1 else asks
        assert plane.asked == [expected]
        service_method = asks.partition("(")[0]
        if name == "readyz":
            assert answer.json() == {"status": "ready"}
        else:
            assert answer.json() == ({} if name in SILENT else {"answer": service_method})
    if who != "anybody":
        others = {"consumer", "operator", "reader", "run"} - set(may)
        stranger = Plane(*others)
        assert stranger.call(name, body).status_code in (401, 403)
        assert stranger.asked == []


def test_a_console_calls_for_its_operator() -> None:
    for name, (who, body, _) in CALLS.items():
        if "operator" in who:
            plane = Plane("operator")
            assert plane.call(name, body, **{ACTING_FOR: "op@x.example"}).status_code == 200
            assert set(plane.acting_for) == {"op@x.example"}, name


def test_a_query_and_a_rerun_without_a_body_are_passed_on() -> None:
    plane = Plane("operator")
    assert plane.call("list_jobs", query="?status=failed").status_code == 200
    assert plane.call("rerun_job", {"force_render": True}).status_code == 200
    assert plane.call("rerun_job", {"force_render": "perhaps"}).status_code == 422
    assert plane.call("healthz").json() == {"status": "ok"}
    assert "paths" in plane.call("openapi").json()


def test_an_export_is_of_the_tokens_job() -> None:
    plane = Plane("run")
    plane.database.finds["read_job"] = {"id": IDS["job"]}
    request = {"mode": "incremental", "source_keys": ["inbound_messages"]}
    answer = plane.call("batches", request)
    assert answer.status_code == 200, answer.text
    assert plane.asked == ["claims.require(memory_export:read, job)", "exporter.batch(query, claims, BatchRequest)"]
    missing = Plane("run")
    assert missing.call("batches", request).json()["error"]["code"] == "job_not_found"
    assert Plane("consumer", "operator", "reader").call("batches", request).status_code == 401


@table(
    ("kind", "page", "asks"),
    [
        ("hourly", None, {"erase": True, "usefulness": False}),
        ("daily", None, {"erase": True, "usefulness": True}),
        # Only the first page of a tick does more than plan.
        ("hourly", "x", {"erase": False, "usefulness": False}),
    ],
)
def test_the_first_page_of_a_tick_names_whose_erasures_and_orders_are_due(kind: str, page: Any, asks: Any) -> None:
    plane = Plane("consumer")
    plane.answers = {
        "planning.tick": TickResponse(planned=3),
        "deletions.tick": Ticked((IDS["user"],), "an alarm"),
        "orders.due": (IDS["order"],),
        "feedback.usefulness": Usefulness(marks=7),
    }
    body = {"kind": kind, "period": "2026-11-27T09" if kind == "hourly" else "2026-11-27", "tick_id": "t", "page": page}
    answer = plane.call("ticks", body).json()
    assert answer["planned"] == 3
    assert answer["erase"] == ([IDS["user"]] if asks["erase"] else [])
    assert answer["orders"] == ([IDS["order"]] if asks["erase"] else [])
    assert answer["reconciliation_alarm"] == ("an alarm" if asks["erase"] else None)
    assert (answer["usefulness"] is not None) == asks["usefulness"]
    assert Plane("operator", "reader", "run").call("ticks", body).status_code == 403


# --- what a bad call gets


@table(
    ("body", "status", "code"),
    [
        (b"{", 400, "bad_json"),
        (b"", 400, "bad_json"),
        (b'{"attempt": 0, "owner": "SECRETWORD", "x": 1}', 422, "invalid_request"),
        (b" " * (BODY_BYTES + 1), 413, "body_too_large"),
        (b'{"attempt": 1, "owner": "x"}'.ljust(BODY_BYTES), 200, None),
    ],
)
def test_a_body_that_is_none_is_refused_without_a_word_of_it(body: bytes, status: int, code: str | None) -> None:
    answer = Plane("consumer").call("token", body)
    assert (answer.status_code, answer.json().get("error", {}).get("code")) == (status, code)
    assert "SECRETWORD" not in answer.text
    if status == 422:
        assert "attempt: " in answer.json()["error"]["message"]


def test_an_id_in_an_address_is_a_uuid_and_an_unknown_address_no_call() -> None:
    plane = Plane("operator")
    address = f"/api/internal/memory-jobs/{IDS['job']}"
    assert plane.client.get(address).status_code == 200
    wrong = plane.client.get("/api/internal/memory-jobs/X")
    assert (wrong.status_code, wrong.json()["error"]["message"]) == (422, "job_id in the path is not a lower-case UUID")
    for method, path, status, code in (
        ("GET", "/nothing", 404, "not_found"),
        ("PUT", address, 405, "method_not_allowed"),
    ):
        answer = plane.client.request(method, path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@table(
    ("fault", "headers", "asks"),
    [
        (ApiFault(404, "job_not_found", "no"), {}, True),
        (ApiFault(401, "token_unknown", "no"), {"www-authenticate": "Bearer"}, True),
        (ApiFault(401, "user_token_invalid", "no"), {"www-authenticate": "Bearer"}, False),
        (ApiFault(503, "busy", "no"), {"retry-after": "2"}, False),
        (ApiFault(409, "x", "no", extra={"status": "failed"}), {}, False),
    ],
)
def test_a_refusal_says_what_to_do_and_what_is_missing_may_only_be_out_of_sight(
    fault: ApiFault, headers: Any, asks: bool
) -> None:
    plane = Plane("operator")
    plane.answers = {"operators.job": fault}
    answer = plane.call("show_job")
    assert (answer.status_code, answer.json()) == (fault.status, fault.body())
    for name in ("www-authenticate", "retry-after"):
        assert answer.headers.get(name) == headers.get(name)
    assert plane.asked[1:] == ["readiness.require(fresh=True)"] * asks, "as it is now, not as it was seconds ago"
    if asks:
        plane.answers["readiness.require"] = ApiFault(503, "rights_missing", "grant it")
        assert plane.call("show_job").json()["error"]["code"] == "rights_missing"


@table("error", [psycopg.errors.InsufficientPrivilege("SECRETWORD"), psycopg.errors.UndefinedColumn("SECRETWORD")])
def test_an_error_of_the_database_is_told_by_its_class(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    plane = Plane("operator")
    plane.answers = {"operators.job": error}
    answer = plane.call("show_job")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal_error")
    assert answer.json()["error"]["retryable"] is True
    assert type(error).__name__ in caplog.text
    assert "SECRETWORD" not in caplog.text + answer.text
    assert plane.asked[1:] == ["readiness.require(fresh=True)"] * isinstance(
        error, psycopg.errors.InsufficientPrivilege
    )
    assert answer.json()["error"]["message"].startswith("internal error")


def test_a_bug_is_an_answer_too_and_times_are_written_in_utc() -> None:
    plane = Plane("operator")
    plane.answers = {"operators.job": RuntimeError("SECRETWORD"), "operators.jobs": {"at": AT}}
    answer = plane.call("show_job")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal_error")
    assert answer.json()["error"]["retryable"] is True
    assert "SECRETWORD" not in answer.text
    assert plane.call("list_jobs").json() == {"at": "2026-11-27T09:00:00.000000Z"}
    plane.answers = {"operators.job": Wire(), "operators.jobs": {"at": object()}}
    assert plane.call("show_job").json() == {}
    assert plane.call("list_jobs").status_code == 500
