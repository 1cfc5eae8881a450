"""The reader by model over the real gateway, with models that behave and models that do not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ALL_COMPLETED
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

import manifests
from consumer import paths
from consumer.agent import reader as model_reader
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.agent.reader import ModelReader, PaidReadings
from consumer.errors import BlobUnavailable, BudgetExceeded, CancelRequested, ConsumerError, LockLost, ShuttingDown
from consumer.ports import ModelTags
from consumer.storage.memory import Faults, Killed, MemoryBlobStore
from consumer.understanding import modelform, paid
from consumer.understanding.paid import PaidReading
from consumer.understanding.readers import ReadRecord, RulesReader, fingerprint
from consumer.understanding.statements import Commitment, Refusal
from contract.api import Usage
from local.model import MODEL
from local.offline import OfflineAnswer
from service.clock import SystemClock
from tests import brains, models
from tests.modelnotes import BOB, TWO_A_BATCH, noted, record
from tests.waiting import PATIENCE_S, until

pytestmark = [pytest.mark.integration, pytest.mark.timeout(120)]
USER = "0f4230bc-6123-4f83-ab0b-f83b53e5e34e"
JOB = "5b4d5c7e-2f1a-4f1e-9f0d-0c8f6f1f2a11"
PLENTY = UsageLimits(200, 2_000_000, 5.0)


RECORDS = [record(number) for number in range(6)]


def text_of(statements: list[dict[str, Any]]) -> OfflineAnswer:
    return OfflineAnswer(text=json.dumps({"statements": statements}))


@dataclass
class Model:
    """Answers as ``answer`` says; ``asked``: the ids of the records of each request, told apart by their texts."""

    answer: Callable[[list[dict[str, Any]]], OfflineAnswer | Response] = field(
        default=lambda shown: text_of(noted(shown))
    )
    asked: list[list[str]] = field(default_factory=list)

    def __call__(self, messages: Any, _tools: Any) -> OfflineAnswer | Response:
        lines = messages[1]["content"].splitlines()[1:]
        shown = [json.loads(line) for line in lines]
        self.asked.append([each["lines"][0]["text"].rpartition(" ")[2].strip(".") for each in shown])
        return self.answer(shown)

    @property
    def numbers(self) -> list[str]:
        return sorted(number for batch in self.asked for number in batch)


@dataclass
class Ending(brains.Free):
    """A guard that raises from its n-th question on."""

    left: int
    error: ConsumerError

    def check(self) -> None:
        self.left -= 1
        if self.left <= 0:
            raise self.error


@dataclass
class Hurried(brains.Free):
    """A guard whose time runs out with each answer that is stored."""

    blobs: MemoryBlobStore

    def time_left(self) -> float:
        return 240.0 - 100 * len(self.blobs.names(paths.paid_readings(USER, modelform.VERSION)))


@contextmanager
def reading(
    model: Model,
    blobs: MemoryBlobStore,
    *,
    limits: UsageLimits = PLENTY,
    most_tokens: int = 1_000_000,
    guard: brains.Free | None = None,
    tokens: int = TWO_A_BATCH,
    version: str = modelform.VERSION,
    name: str = MODEL,
    job: str = JOB,
    committed: Sequence[str] = (),
) -> Iterator[ModelReader]:
    clock = SystemClock()
    with models.serving(model, at_once=True) as base_url:
        gateway = LoopbackGateway(base_url, "key", frozenset({MODEL, name}), limits, manifests.model_prices(), clock)
        with gateway.open(ModelTags("j", USER, "hourly_digest", "user-memory-prod", "v1"), Usage()) as session:
            held = PaidReadings(blobs.for_prefix(paths.user(USER)), USER, version, job, committed.__contains__)
            yield ModelReader(
                session, name, held, RulesReader(), guard or brains.Free(), most_tokens, batch_tokens=tokens
            )


def bucket() -> MemoryBlobStore:
    return MemoryBlobStore(SystemClock())


def by_model(read: list[ReadRecord]) -> list[str]:
    return [each.record.record_id for each in read if each.reader == modelform.VERSION]


def days(read: list[ReadRecord]) -> list[str]:
    return [
        each.due.day for reading in read for each in reading.statements if isinstance(each, Commitment) and each.due
    ]


def test_records_are_read_in_batches_and_their_days_are_ours() -> None:
    model = Model()
    with reading(model, bucket()) as reader:
        read = reader.read(RECORDS)
        assert reader.session.usage().requests == 3
    assert sorted(map(len, model.asked)) == [2, 2, 2]
    assert by_model(read) == [each.record_id for each in RECORDS]
    assert days(read) == ["2026-12-01"] * 6
    assert [each.owner for reading in read for each in reading.statements if isinstance(each, Commitment)] == [BOB] * 6


def test_what_was_read_is_never_asked_again_not_by_another_run_and_not_by_another_model() -> None:
    blobs = bucket()
    with reading(Model(), blobs) as reader:
        before = reader.read(RECORDS)
    again = Model()
    with reading(again, blobs, name="another-model") as reader:
        assert reader.read(RECORDS) == before
        assert reader.session.usage().input_tokens == 0
    assert again.asked == []
    with reading(again, blobs) as reader:
        reader.read([*RECORDS, record(7)])
    assert again.asked == [["7"]]


def test_another_version_of_a_record_or_of_the_reader_is_read_anew() -> None:
    blobs = bucket()
    with reading(Model(), blobs) as reader:
        reader.read(RECORDS)
    changed, other = Model(), Model()
    with reading(changed, blobs) as reader:
        reader.read([record(0, "I'll send you the revised lease by Tuesday, Bob."), *RECORDS[1:]])
    assert changed.numbers == ["0"]
    with reading(other, blobs, version="model-2") as reader:
        reader.read(RECORDS)
    assert other.numbers == ["0", "1", "2", "3", "4", "5"]


def test_what_a_caller_kept_is_read_in_another_zone_without_model_and_bucket() -> None:
    with reading(Model(), bucket()) as reader:
        pairs = [pair for each in reader.read(RECORDS) for pair in each.paid]
        kept = {key: paid.reading_of(json.loads(data)) for key, data in pairs}
    # The same moment on another user's clock: still Wednesday.
    moved = [
        each._replace(
            utterances=tuple(utterance._replace(said_at="2026-12-02 22:00 -10:00") for utterance in each.utterances)
        )
        for each in RECORDS
    ]
    model, blobs = Model(), bucket()
    with reading(model, blobs) as reader:
        again = replace(reader, earlier=lambda keys: {key: kept[key] for key in keys})
        assert days(again.read(moved)) == ["2026-12-08"] * 6
    assert (model.asked, blobs.ops) == ([], [])


@pytest.mark.parametrize(
    ("error", "kept"),
    [
        (LockLost("it is another's"), []),
        (CancelRequested("by the user"), []),
        (ShuttingDown("now"), ["0", "1", "2", "3"]),
        (BudgetExceeded("its time is over"), ["0", "1", "2", "3"]),
    ],
)
def test_a_run_that_ends_when_answers_arrive_stores_them_if_it_still_may(
    monkeypatch: pytest.MonkeyPatch, error: ConsumerError, kept: list[str]
) -> None:
    """Whoever lost the lock, or may not read this user any more, writes nothing. A run out of time still may."""
    monkeypatch.setattr(model_reader, "FIRST_COMPLETED", ALL_COMPLETED)
    monkeypatch.setattr(model_reader, "GUARD_S", PATIENCE_S)
    blobs, again = bucket(), Model()
    # It is asked before each of the two requests, and when both are answered.
    with reading(Model(), blobs, guard=Ending(3, error)) as reader, pytest.raises(type(error)):
        reader.read(RECORDS[:4])
    with reading(again, blobs) as reader:
        assert len(by_model(reader.read(RECORDS[:4]))) == 4
    assert again.numbers == sorted({"0", "1", "2", "3"} - set(kept))


def test_an_answer_is_stored_while_others_are_under_way() -> None:
    """One that takes long must not keep what is paid for from being stored: the process may die meanwhile."""
    blobs, seen = bucket(), list[int]()

    def answer(shown: list[dict[str, Any]]) -> OfflineAnswer:
        if "No 0" in shown[0]["lines"][0]["text"]:
            until(lambda: len(blobs.names(paths.paid_readings(USER, modelform.VERSION))) == 2)
            seen.append(len(blobs.names(paths.paid_readings(USER, modelform.VERSION))))
        return text_of(noted(shown))

    with reading(Model(answer), blobs) as reader:
        assert len(by_model(reader.read(RECORDS))) == 6
    assert seen == [2], "the first batch was answered when the two others were stored"


def test_answers_of_a_job_that_has_committed_are_deleted_and_those_of_one_that_died_are_used() -> None:
    blobs, again = bucket(), Model()
    with reading(Model(), blobs, job="committed") as reader:
        reader.read(RECORDS[:2])
    with reading(Model(), blobs, job="dead") as reader:
        reader.read(RECORDS[2:])
    with reading(again, blobs, committed=["committed"]) as reader:
        assert len(by_model(reader.read(RECORDS))) == 6
    assert again.numbers == ["0", "1"], "in a run its workspace has what the first job paid for"
    jobs = {name.rpartition("/")[2].split("-")[0] for name in blobs.names(paths.paid_readings(USER, modelform.VERSION))}
    assert jobs == {"dead", JOB.split("-", maxsplit=1)[0]}


def test_a_record_of_which_only_some_parts_were_read_keeps_what_was_paid_for_them() -> None:
    """The kept notes name the part that they are of: the second is read here, and the first is not."""
    utterances = [
        RECORDS[0].utterances[0],
        record(1).utterances[0]._replace(number=1, text="I'll send you the keys today."),
    ]
    whole = RECORDS[0]._replace(utterances=tuple(utterances))
    first, second = modelform.parts(whole, 80)
    known = {fingerprint(second): PaidReading(())}
    with reading(Model(), bucket(), most_tokens=0, tokens=80) as reader:
        reader.earlier = lambda keys: {key: known[key] for key in keys if key in known}
        (read,) = reader.read([whole])
    assert fingerprint(first) != fingerprint(second)
    assert [key for key, _ in read.paid] == [fingerprint(second)]
    assert read.reader == RulesReader().version


@pytest.mark.parametrize("after", [False, True])
def test_a_run_that_is_killed_while_it_stores_is_followed_by_one_that_goes_on(after: bool) -> None:
    blobs = bucket()
    rehearsal = bucket()
    with reading(Model(), rehearsal) as reader:
        reader.read(RECORDS)
    second_write = [op.number for op in rehearsal.ops if op.verb == "write"][1]
    with reading(Model(), blobs.as_seen_by(Faults().kill(second_write, after=after))) as reader, pytest.raises(Killed):
        reader.read(RECORDS)
    again = Model()
    with reading(again, blobs) as reader:
        assert days(reader.read(RECORDS)) == ["2026-12-01"] * 6
    assert len(again.numbers) == (2 if after else 4)


def test_a_damaged_object_is_read_anew() -> None:
    blobs = bucket()
    with reading(Model(), blobs) as reader:
        reader.read(RECORDS)
    for name, data in zip(
        blobs.names(paths.paid_readings(USER, modelform.VERSION)), (b"{", b'{"schema": "x"}', b"[]"), strict=True
    ):
        blobs.write(name, data, if_generation=None)
    again = Model()
    with reading(again, blobs) as reader:
        assert len(by_model(reader.read(RECORDS))) == 6
    assert len(again.numbers) == 6


def test_what_lies_in_the_bucket_is_checked_like_an_answer() -> None:
    blobs = bucket()
    with reading(Model(), blobs, tokens=10_000) as reader:
        reader.read(RECORDS[:1])
    (name,) = blobs.names(paths.paid_readings(USER, modelform.VERSION))
    document = json.loads(blobs.read(name).data)
    (entry,) = document["records"].values()
    entry["noted"][0]["by"] = "me"
    blobs.write(name, json.dumps(document).encode(), if_generation=None)
    with reading(Model(), blobs, tokens=10_000) as reader:
        (read,) = reader.read(RECORDS[:1])
    assert (read.statements, read.refusals) == ((), (Refusal("commitment", "author"),))


# --- answers that are none

BAD: dict[str, OfflineAnswer | Response] = {
    "words": OfflineAnswer(text="Of course! Bob will send the lease."),
    "half": OfflineAnswer(text='{"statements": [{"kind": "comm'),
    "key twice": OfflineAnswer(text='{"statements": [], "statements": []}'),
    "giant": OfflineAnswer(text=json.dumps({"statements": ["x" * modelform.ANSWER_BYTES]})),
    "no text": JSONResponse({"choices": [{"message": {"content": None, "refusal": "no"}, "finish_reason": "stop"}]}),
    "no choice": JSONResponse({"choices": []}),
    "cut": JSONResponse({"choices": [{"message": {"content": '{"statements": []}'}, "finish_reason": "length"}]}),
    "filtered": JSONResponse({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}),
    "400": models.refusal(400, "invalid_prompt"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_batch_without_an_answer_is_asked_record_by_record_once(bad: str) -> None:
    model = Model(lambda shown: BAD[bad] if len(shown) > 1 else text_of(noted(shown)))
    blobs = bucket()
    with reading(model, blobs) as reader:
        assert days(reader.read(RECORDS)) == ["2026-12-01"] * 6
    assert sorted(map(len, model.asked)) == [1] * 6 + [2] * 3


def test_a_record_that_gets_no_answer_alone_either_is_left_to_the_rules_for_good() -> None:
    def answer(shown: list[dict[str, Any]]) -> OfflineAnswer | Response:
        poisoned = any("No 3" in each["lines"][0]["text"] for each in shown)
        return OfflineAnswer(text="!") if poisoned else text_of(noted(shown))

    blobs, model, again = bucket(), Model(answer), Model()
    with reading(model, blobs) as reader:
        read = reader.read(RECORDS)
    assert by_model(read) == [each.record_id for each in RECORDS]
    assert read[3].refusals == (Refusal("statement", "form"),)
    assert read[3].statements == tuple(RulesReader().read([RECORDS[3]])[0].statements)
    with reading(again, blobs) as reader:
        assert reader.read(RECORDS) == read
    assert again.asked == []


def test_a_statement_that_is_no_statement_costs_its_batch_a_second_question_and_no_more() -> None:
    def answer(shown: list[dict[str, Any]]) -> OfflineAnswer:
        wrong = [{**each, "record": "r9"} for each in noted(shown)[:1] if "No 0" in shown[0]["lines"][0]["text"]]
        return text_of([*noted(shown), *wrong])

    model = Model(answer)
    with reading(model, bucket()) as reader:
        read = reader.read(RECORDS)
    assert sorted(map(len, model.asked)) == [1, 1, 2, 2, 2]
    assert days(read) == ["2026-12-01"] * 6
    assert [each.refusals for each in read] == [(Refusal("commitment", "form"),), *[()] * 5]


# --- providers that do not answer


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503])
def test_a_provider_that_refuses_leaves_the_rest_to_the_rules_and_what_was_paid_stays(status: int) -> None:
    def answer(shown: list[dict[str, Any]]) -> OfflineAnswer | Response:
        if any("No 5" in each["lines"][0]["text"] for each in shown):
            return models.refusal(status, "no_luck", **{"retry-after-ms": "0"})
        return text_of(noted(shown))

    blobs, again = bucket(), Model()
    with reading(Model(answer), blobs) as reader:
        read = reader.read(RECORDS)
        assert (reader.stopped, reader.exhausted) == ("model", True)
    assert days(read) == ["2026-12-01"] * 6
    assert by_model(read) == ["m0", "m1", "m2", "m3"]
    with reading(again, blobs) as reader:
        assert len(by_model(reader.read(RECORDS))) == 6
    assert again.numbers == ["4", "5"]


def test_after_a_provider_refused_nothing_more_is_asked(caplog: pytest.LogCaptureFixture) -> None:
    model = Model(lambda _: models.refusal(404, "model_not_found"))
    with reading(model, bucket()) as reader:
        reader.read(RECORDS)
        asked = len(model.asked)
        assert days(reader.read([record(9)])) == ["2026-12-01"]
    assert len(model.asked) == asked
    assert "404 model_not_found" in caplog.text
    assert "MODEL_READER" in caplog.text


def test_a_rate_limit_that_ends_is_waited_out() -> None:
    left = [2]

    def answer(shown: list[dict[str, Any]]) -> OfflineAnswer | Response:
        left[0] -= 1
        return models.refusal(429, **{"retry-after-ms": "1"}) if left[0] >= 0 else text_of(noted(shown))

    with reading(Model(answer), bucket(), tokens=10_000) as reader:
        assert days(reader.read(RECORDS)) == ["2026-12-01"] * 6


@pytest.mark.parametrize(
    "useless",
    [models.refusal(400, "unsupported_parameter"), OfflineAnswer(text="Of course!"), OfflineAnswer(text="{}")],
    ids=["400", "words", "other JSON"],
)
def test_a_model_that_can_answer_nothing_condemns_no_record(useless: OfflineAnswer | Response) -> None:
    """Nobody knows whether the record or the model is at fault, so another model may read them all."""
    model, blobs, again = Model(lambda _: useless), bucket(), Model()
    with reading(model, blobs) as reader:
        read = reader.read([record(number) for number in range(20)])
        assert reader.stopped == "model"
    assert len(model.asked) < 20
    assert by_model(read) == []
    assert blobs.names(paths.paid_readings(USER, modelform.VERSION)) == []
    with reading(again, blobs) as reader:
        assert len(by_model(reader.read(RECORDS))) == 6


def test_a_model_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_reader, "ANSWER_S", 0.05)
    model = Model(lambda _: models.never_ends())
    with reading(model, bucket()) as reader:
        assert by_model(reader.read(RECORDS[:1])) == []
        assert reader.stopped == "model"


def test_the_reader_leaves_the_run_its_time() -> None:
    blobs, model = bucket(), Model()
    with reading(model, blobs, guard=Hurried(blobs), tokens=80) as reader:
        read = reader.read(RECORDS)
        assert reader.stopped == "time"
    assert 1 <= len(by_model(read)) <= model_reader.AT_ONCE
    assert len(days(read)) == 6


# --- budgets


def test_when_the_readers_share_is_spent_the_rest_is_left_to_the_rules_until_the_next_run() -> None:
    many = [record(number) for number in range(20)]
    blobs, again = bucket(), Model()
    share = 2 * modelform.cost(modelform.parts(many[0])) + 1
    with reading(Model(), blobs, most_tokens=share) as reader:
        read = reader.read(many)
        usage = reader.usage()
        assert (reader.stopped, reader.exhausted) == ("tokens", True)
    assert 0 < usage.input_tokens + usage.output_tokens <= share
    count = len(by_model(read))
    assert 0 < count < 20
    assert [each.reader for each in read[count:]] == [RulesReader().version] * (20 - count)
    assert all(each.statements for each in read)
    with reading(again, blobs) as reader:
        assert len(by_model(reader.read(many))) == 20
    assert len(again.numbers) == 20 - count


def test_answers_of_a_dead_job_are_used_after_the_share_is_spent() -> None:
    """The newest records are asked about first, so what a dead job paid for may come after them."""
    blobs = bucket()
    with reading(Model(), blobs, job="dead") as reader:
        reader.read(RECORDS[4:])
    with reading(Model(), blobs, most_tokens=1) as reader:
        assert by_model(reader.read(RECORDS[:2])) == []
        assert not reader.exhausted
        assert by_model(reader.read(RECORDS[4:])) == ["m4", "m5"]
        assert reader.exhausted


def test_when_the_job_s_budget_is_spent_the_run_goes_on_without_the_model() -> None:
    with reading(Model(), bucket(), limits=UsageLimits(1, 2_000_000, 5.0)) as reader:
        read = reader.read(RECORDS)
    assert len(by_model(read)) == 2
    assert len(days(read)) == 6


def test_where_nobody_speaks_neither_model_nor_bucket_is_asked() -> None:
    silent = [each._replace(utterances=(each.utterances[0]._replace(kind="machine"),)) for each in RECORDS]
    blobs, model = bucket(), Model()
    with reading(model, blobs) as reader:
        assert [each.statements for each in reader.read(silent)] == [()] * 6
    assert (model.asked, blobs.ops) == ([], [])


def test_a_bucket_that_does_not_answer_fails_the_run() -> None:
    blobs = bucket()
    rehearsal = bucket()
    with reading(Model(), rehearsal) as reader:
        reader.read(RECORDS)
    write = next(op.number for op in rehearsal.ops if op.verb == "write")
    lost = Faults().refuse(write)
    with reading(Model(), blobs.as_seen_by(lost)) as reader, pytest.raises(BlobUnavailable):
        reader.read(RECORDS)
