"""The reader by model against a scripted gateway: what is asked again, what stops it, and what is kept of answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from consumer import layout, paths
from consumer.agent import answers, gateway_requests
from consumer.agent import reader as model_reader
from consumer.agent.gateway_requests import GatewayResponse
from consumer.agent.reader import MOST_TRIES, MOST_UNUSABLE, ModelReader, PaidReadings, ReadByModel
from consumer.errors import BudgetExceeded, ConsumerError, LockLost
from consumer.ports import Guard, ModelAccess, ModelCall, ModelSession
from consumer.run import Run
from consumer.storage.memory import FakeClock, MemoryBlobStore
from consumer.understanding import modelform
from consumer.understanding.paid import PaidReading
from consumer.understanding.readers import RulesReader, fingerprint
from consumer.understanding.statements import Commitment
from consumer.understanding.utterances import RecordText
from contract.api import Usage
from tests.fixtures_telemetry import logs
from tests.modelnotes import BOB, TWO_A_BATCH, noted, record
from tests.tables import table

USER = "11111111-1111-4111-8111-111111111111"
AT = datetime(2026, 11, 27, 9, tzinfo=UTC)
ACCESS = ModelAccess("http://127.0.0.1:1/v1", "token")


RECORDS = [record(number) for number in range(4)]


def reply(content: str, finish: str = "stop") -> GatewayResponse:
    body = {"choices": [{"message": {"content": content}, "finish_reason": finish}]}
    return GatewayResponse(json.dumps(body).encode())


def honest(shown: list[dict[str, Any]]) -> GatewayResponse:
    return reply(json.dumps({"statements": noted(shown)}))


class Gateway:
    """A session whose requests ``answer`` answers. ``asked``: the numbers of the records of each request."""

    def __init__(self, answer: Callable[[list[dict[str, Any]]], GatewayResponse] = honest, tokens: int = 10) -> None:
        self.answer, self.tokens = answer, tokens
        self.access = ACCESS
        self.asked: list[list[str]] = []
        self.limits: list[int] = []
        self._lock = threading.Lock()

    def usage(self) -> Usage:
        return Usage(requests=len(self.asked), input_tokens=self.tokens * len(self.asked))

    def post(self, access: ModelAccess, path: str, body: bytes, limit_s: float, _client: object) -> GatewayResponse:
        assert (access, path) == (ACCESS, gateway_requests.COMPLETIONS)
        assert limit_s > 0
        document = json.loads(body)
        messages = document["messages"]
        shown = [json.loads(line) for line in messages[1]["content"].splitlines()[1:]]
        with self._lock:
            self.asked.append([each["lines"][0]["text"].rpartition(" ")[2].strip(".") for each in shown])
            self.limits.append(document["max_completion_tokens"])
            return self.answer(shown)

    @property
    def numbers(self) -> list[str]:
        return sorted(number for batch in self.asked for number in batch)


class Free:
    """A guard of a run that nobody stops; ``raises`` from its n-th question on."""

    def __init__(self, raises: ConsumerError | None = None, after: int = 0, left_s: float = 600.0) -> None:
        self.raises, self.after, self.left_s = raises, after, left_s

    def check(self) -> None:
        self.after -= 1
        if self.raises is not None and self.after < 0:
            raise self.raises

    def time_left(self) -> float:
        return self.left_s


def bucket() -> MemoryBlobStore:
    return MemoryBlobStore(FakeClock())


def reader(
    gateway: Gateway,
    monkeypatch: pytest.MonkeyPatch,
    blobs: MemoryBlobStore | None = None,
    *,
    job: str = "job-1",
    most_tokens: int = 1_000_000,
    guard: Free | None = None,
    committed: tuple[str, ...] = (),
) -> ModelReader:
    monkeypatch.setattr(gateway_requests, "post", gateway.post)
    own = (blobs or bucket()).for_prefix(paths.user(USER))
    held = PaidReadings(own, USER, modelform.VERSION, job, committed.__contains__)
    session, free = cast(ModelSession, gateway), cast(Guard, guard or Free())
    return ModelReader(session, "model-1", held, RulesReader(), free, most_tokens, batch_tokens=TWO_A_BATCH)


def by_model(read: Any) -> list[str]:
    return [each.record.record_id for each in read if each.reader == modelform.VERSION]


def test_records_are_read_in_batches_once_whatever_job_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    blobs, first = bucket(), Gateway()
    read = reader(first, monkeypatch, blobs).read(RECORDS)
    assert sorted(map(len, first.asked)) == [2, 2]
    assert by_model(read) == ["m0", "m1", "m2", "m3"]
    owed = [each for reading in read for each in reading.statements if isinstance(each, Commitment)]
    assert [(each.owner, each.due and each.due.day) for each in owed] == [(BOB, "2026-12-01")] * 4
    second = Gateway()
    again = reader(second, monkeypatch, blobs, job="job-2")
    assert again.read(RECORDS) == read
    assert (second.asked, again.usage().requests, again.exhausted) == ([], 0, False)
    again.read([*RECORDS, record(7)])
    assert second.asked == [["7"]]


def test_a_batch_without_a_usable_answer_is_asked_about_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    gateway = Gateway(lambda shown: honest(shown) if len(shown) == 1 else reply("no JSON"))
    read = reader(gateway, monkeypatch).read(RECORDS)
    assert sorted(map(len, gateway.asked)) == [1, 1, 1, 1, 2, 2]
    assert by_model(read) == ["m0", "m1", "m2", "m3"]


def test_a_record_that_no_answer_fits_is_read_by_rules_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(shown: list[dict[str, Any]]) -> GatewayResponse:
        return reply("no JSON") if any("No 1." in each["lines"][0]["text"] for each in shown) else honest(shown)

    blobs, gateway = bucket(), Gateway(answer)
    read = reader(gateway, monkeypatch, blobs).read(RECORDS)
    assert by_model(read) == ["m0", "m1", "m2", "m3"], "nobody asks again"
    assert [(each.kind, each.reason) for each in read[1].refusals] == [("statement", "form")]
    assert [each.owner for each in read[1].statements if isinstance(each, Commitment)] == [BOB], "by rules"
    later = Gateway()
    reader(later, monkeypatch, blobs, job="job-2").read(RECORDS)
    assert later.asked == []


def test_a_model_that_never_answers_usably_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [record(number) for number in range(3 * MOST_UNUSABLE)]
    blobs, gateway = bucket(), Gateway(lambda _: reply("no JSON"))
    made = reader(gateway, monkeypatch, blobs)
    read = made.read(many)
    assert (made.stopped, made.exhausted, by_model(read)) == ("model", True, [])
    assert len([batch for batch in gateway.asked if len(batch) == 1]) >= MOST_UNUSABLE
    assert len(gateway.asked) < len(many)
    # Nobody knows whether the records or the model were at fault, so they are asked about again.
    assert blobs.names(paths.paid_readings(USER, modelform.VERSION)) == []


@table(
    ("response", "stopped"),
    [
        (GatewayResponse(None, "429 model_budget_exceeded", 429, "model_budget_exceeded"), "tokens"),
        (GatewayResponse(None, "503 busy", 503, "busy"), "model"),
        (GatewayResponse(None, "ConnectError"), "model"),
    ],
)
@logs("reader stopped")
def test_what_makes_further_requests_vain_stops_them_and_the_rules_read_the_rest(
    response: GatewayResponse, stopped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway = Gateway(lambda _: response)
    made = reader(gateway, monkeypatch)
    read = made.read(RECORDS)
    assert (made.stopped, made.exhausted, by_model(read)) == (stopped, True, [])
    assert all(any(isinstance(each, Commitment) for each in reading.statements) for reading in read)
    asked = len(gateway.asked)
    made.read([record(9)])
    assert len(gateway.asked) == asked


LATE = GatewayResponse(None, "ReadTimeout", is_late=True)
CUT = reply('{"statements": []}', "length")


@table(
    ("endless", "runs"),
    [
        # One that takes all the time ends the run: it is asked about alone once the others had their turn.
        (LATE, [[["0", "1"]], [["2", "3"], ["0"]], [["1"]]]),
        (CUT, [[["0", "1"], ["2", "3"], ["0"], ["1"]], [], []]),
    ],
)
def test_an_answer_that_does_not_end_lets_others_take_their_turn_and_is_given_up(
    endless: GatewayResponse, runs: list[list[list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(shown: list[dict[str, Any]]) -> GatewayResponse:
        return endless if any("No 0." in each["lines"][0]["text"] for each in shown) else honest(shown)

    monkeypatch.setattr(model_reader, "AT_ONCE", 1)
    blobs, asked, read = bucket(), list[list[list[str]]](), list[Any]()
    for job in ("job-1", "job-2", "job-3"):
        gateway = Gateway(answer)
        read = reader(gateway, monkeypatch, blobs, job=job).read(RECORDS)
        asked.append(gateway.asked)
    assert asked == runs
    # The rules have read the one, the model the others; nobody asks again.
    assert by_model(read) == ["m0", "m1", "m2", "m3"]
    assert any(isinstance(each, Commitment) for each in read[0].statements)


def test_a_record_that_is_never_answered_is_given_up_though_nothing_else_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blobs, gateway = bucket(), Gateway(lambda _: LATE)
    for number in range(MOST_TRIES + 1):
        reader(gateway, monkeypatch, blobs, job=f"job-{number}").read(RECORDS[:1])
    assert len(gateway.asked) == MOST_TRIES


def test_requests_under_way_may_not_take_more_than_the_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answers as much as it may, and what times out is counted with all that it could have cost."""
    many = [record(number) for number in range(30)]
    share = 4 * modelform.cost(modelform.parts(many[0]))
    gateway = Gateway(tokens=0)
    gateway.usage = lambda: Usage(output_tokens=sum(gateway.limits) + len(gateway.asked) * modelform.FRAME_TOKENS)  # type: ignore[method-assign]
    made = reader(gateway, monkeypatch, most_tokens=share)
    made.read(many)
    assert (made.stopped, made.usage().output_tokens <= share) == ("tokens", True)
    assert set(gateway.limits) == {modelform.LEAST_ANSWER}
    late = reader(Gateway(lambda _: LATE), monkeypatch, most_tokens=share)
    late.read(RECORDS[:1])
    assert late._unreported == modelform.LEAST_ANSWER


def test_a_refused_request_is_the_records_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(shown: list[dict[str, Any]]) -> GatewayResponse:
        bad = any("No 1." in each["lines"][0]["text"] for each in shown)
        return GatewayResponse(None, "400 too_long", 400, "too_long") if bad else honest(shown)

    made = reader(Gateway(answer), monkeypatch)
    read = made.read(RECORDS)
    assert (made.stopped, by_model(read)) == ("", ["m0", "m1", "m2", "m3"])
    assert [each.reason for each in read[1].refusals] == ["form"]


def test_a_share_of_tokens_or_time_that_is_used_up_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    poor = reader(Gateway(), monkeypatch, most_tokens=1)
    assert (by_model(poor.read(RECORDS)), poor.stopped) == ([], "tokens")
    guard = Free()
    late = reader(Gateway(), monkeypatch, guard=guard)
    guard.left_s = 1.0
    assert (by_model(late.read(RECORDS)), late.stopped) == ([], "time")
    dear = Gateway(tokens=100_000)
    costly = reader(dear, monkeypatch, most_tokens=100_000)
    costly.read(RECORDS[:2])
    costly.read(RECORDS[2:])
    assert (costly.stopped, len(dear.asked)) == ("tokens", 1)


def test_what_was_paid_for_before_a_stop_is_kept_but_not_after_the_lock_was_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for error, kept in ((BudgetExceeded("no time"), True), (LockLost("gone"), False)):
        blobs = bucket()
        made = reader(Gateway(), monkeypatch, blobs, guard=Free(error, after=2))
        with pytest.raises(type(error)):
            made.read(RECORDS)
        assert bool(blobs.names(paths.paid_readings(USER, modelform.VERSION))) == kept


@logs("paid readings unreadable")
def test_answers_of_jobs_that_committed_are_deleted_and_unreadable_ones_count_as_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blobs = bucket()
    reader(Gateway(), monkeypatch, blobs).read(RECORDS)
    folder = paths.paid_readings(USER, modelform.VERSION)
    assert len(blobs.names(folder)) == 2
    blobs.write(paths.paid_readings(USER, modelform.VERSION, "job-9-x"), b'{"schema": "other"}', if_generation=0)
    held = PaidReadings(blobs.for_prefix(paths.user(USER)), USER)
    assert held.load().keys() == {fingerprint(each) for each in RECORDS}
    done = PaidReadings(blobs.for_prefix(paths.user(USER)), USER, committed=("job-1",).__contains__)
    assert done.load() == {}
    assert [name.rpartition("/")[2] for name in blobs.names(folder)] == ["job-9-x.json"]
    # Of two answers to one batch the first stays.
    for answer in (PaidReading(()), PaidReading(())):
        held.store({"f": answer})
    assert len(blobs.names(folder)) == 2


class Opening(Gateway):
    """A gateway of jobs, whose sessions it counts."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[tuple[Any, ...]] = []
        self.closed = 0

    @contextmanager
    def open(self, *given: Any) -> Iterator[Gateway]:
        self.opened.append(given)
        yield self
        self.closed += 1

    def calls(self) -> list[ModelCall]:
        return [ModelCall(AT, "/chat/completions", "model-1", 200, 1, 0, 2, 0.0, 1.0, 1)] * len(self.asked)

    def exceeded(self) -> str:
        return "tokens"


def test_a_session_is_opened_by_the_first_question_and_its_calls_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    job = SimpleNamespace(user_id=USER, job_id="job-1", job_type="hourly_digest")
    run = cast(Run, SimpleNamespace(job=job, tags="tags", usage=Usage(), root=tmp_path))
    blobs = bucket()
    kept = tmp_path / layout.reader_calls("job-1")

    def read(gateway: Opening, *records: RecordText) -> Any:
        monkeypatch.setattr(gateway_requests, "post", gateway.post)
        prefixed = blobs.for_prefix(paths.user(USER))
        reading = ReadByModel(cast(Any, gateway), lambda _: prefixed, "model-1", {"hourly_digest": 1_000_000})
        with reading.open(run, cast(Guard, Free()), lambda _: {}) as made:
            assert made.most_tokens == 1_000_000
            session = cast(Any, made.session)
            assert (session.calls(), session.exceeded(), made.usage()) == ((), "", Usage())
            answer = made.read(records)
            assert bool(session.exceeded()) == bool(gateway.asked)
        return answer

    idle = Opening()
    assert read(idle) == []
    assert (idle.opened, kept.exists()) == ([], False)
    busy = Opening()
    assert by_model(read(busy, *RECORDS)) == ["m0", "m1", "m2", "m3"]
    assert (busy.opened, busy.closed) == ([("tags", Usage())], 1)
    assert [json.loads(line)["status"] for line in kept.read_text().splitlines()] == [200] * len(busy.asked)
    # The job's own answers are in the workspace once it has committed.
    committed = tmp_path / layout.job_run("job-1")
    committed.parent.mkdir(parents=True, exist_ok=True)
    committed.touch()
    again = Opening()
    read(again, record(9))
    assert len(blobs.names(paths.paid_readings(USER, modelform.VERSION))) == 1


# --- one request


def posted(handler: Callable[[httpx.Request], httpx.Response]) -> GatewayResponse:
    with httpx.Client(transport=httpx.MockTransport(handler)) as client:
        return gateway_requests.post(ACCESS, gateway_requests.EMBEDDINGS, b"{}", 0.0, client)


def test_a_request_carries_the_sessions_token_and_says_of_a_failure_its_code_alone() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, content=b"body")

    assert posted(answer) == GatewayResponse(b"body")
    assert (str(seen[0].url), seen[0].headers["authorization"]) == (f"{ACCESS.base_url}/embeddings", "Bearer token")
    assert seen[0].extensions["timeout"]["read"] > 0, "a limit of zero would be none"

    def refuse(_: httpx.Request) -> httpx.Response:
        return httpx.Response(429, json={"error": {"code": "busy", "message": "SECRETWORD"}})

    assert posted(refuse) == GatewayResponse(None, "429 busy", 429, "busy")

    def away(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("SECRETWORD")

    assert posted(away) == GatewayResponse(None, "ConnectError")
    assert posted(lambda _: httpx.Response(500, text="SECRETWORD")) == GatewayResponse(None, "500", 500)


@table(
    ("document", "text"),
    [
        ({"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}]}, "x"),
        ({"choices": [{"message": {"content": "x"}}]}, "x"),
        ({"choices": [{"message": {"content": "x"}, "finish_reason": "length"}]}, None),
        ({"choices": [{"message": {"content": None}, "finish_reason": "stop"}]}, None),
        ({"choices": []}, None),
        ([], None),
        ("", None),
    ],
)
def test_a_whole_answer_is_text_and_anything_else_none(document: Any, text: str | None) -> None:
    assert answers.text(json.dumps(document).encode()) == text
    assert answers.text(b"{") is None


@table(("error", "code"), [("busy", "busy"), ("words of a provider", ""), (7, ""), (None, ""), ("x" * 61, "")])
def test_only_what_looks_like_a_code_is_one(error: Any, code: str) -> None:
    assert answers.error_code(json.dumps({"error": {"code": error}}).encode()) == code
    assert answers.error_code(b"[]") == answers.error_code(b"{") == ""
