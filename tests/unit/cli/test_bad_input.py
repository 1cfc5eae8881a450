"""Each row of "Malformed input" in docs/delivery.md: the answer, the record, the log, and what stays untouched."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from consumer import paths
from consumer.clients.oidc import OidcVerifier, TokenPolicy
from consumer.errors import KeysUnavailable, NotAllowed
from contract import canonical
from contract.event import TickEvent
from service.clock import SystemClock
from service.oidc import KeySet
from tests.fixtures_telemetry import Lines
from tests.spine import USER, World, an_event, job_id
from tests.unit.cli.test_push import BODY_LIMIT, Push, wrapped
from tests.unit.delivery.test_whole_run import process

CANARY = "what a user wrote"


@pytest.fixture
def push(tmp_path: Path) -> Push:
    made = Push(World(tmp_path))
    made.world.plane.add(an_event())
    return made


def logged(lines: Lines) -> list[tuple[str, Any]]:
    """(line, code) of what was logged about outcomes and refusals; no line quotes content."""
    assert CANARY not in repr(lines.seen)
    return [(text, fields.get("code")) for text, fields in lines.seen if text != "bug"]


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


MALFORMED: dict[str, Any] = {
    "too large": f"{CANARY} ".encode() * BODY_LIMIT,
    "not JSON": f"<{CANARY}>".encode(),
    "no message": b"{}",
    "data not base64": wrapped(an_event(), data=f"{CANARY}!"),
    "data not JSON": wrapped(an_event(), data=b64(CANARY)),
    "unknown schema": wrapped(an_event(), data=b64(f'{{"schema": "memory.job.v9", "text": "{CANARY}"}}')),
    "attributes contradict": wrapped(an_event(), attributes={"job_id": job_id(2)}),
}


@pytest.mark.parametrize("name", MALFORMED)
@pytest.mark.parametrize("path", ["/push/jobs", "/push/ticks"])
def test_a_malformed_message_is_acknowledged_recorded_and_told(push: Push, lines: Lines, path: str, name: str) -> None:
    reply = push.post(path, MALFORMED[name])
    assert (reply.status_code, reply.headers["x-outcome"]) == (204, "dead_lettered")
    [record] = push.world.dead_letters()
    assert record["code"] == "malformed_message"
    assert CANARY not in record["message"]
    assert logged(lines) == [("dead_lettered", "malformed_message")]
    assert push.world.blobs.names("jobs/") == []
    assert push.world.plane.calls == []


def test_a_broken_message_makes_one_dead_letter_however_often_it_is_delivered(push: Push) -> None:
    """Pub/Sub counts the deliveries in the body, on any day."""
    for number in range(1, 6):
        body = {"message": {"messageId": "7", "data": "%%%", "publishTime": "2026-11-27T12:00:00Z"}}
        assert push.post("/push/jobs", json.dumps(body | {"deliveryAttempt": number}).encode()).status_code == 204
        push.world.clock.advance(86400)
    assert [record["key"] for record in push.world.dead_letters()] == ["m-7"]


def test_a_tick_without_a_time_has_no_period(push: Push, lines: Lines) -> None:
    reply = push.post("/push/ticks", wrapped(TickEvent(kind="hourly"), publishTime=None))
    assert reply.status_code == 204
    assert logged(lines) == [("dead_lettered", "malformed_message")]
    assert [dead_letter["code"] for dead_letter in push.world.dead_letters()] == ["malformed_message"]


@pytest.mark.parametrize("known_to", ["ledger", "row"])
def test_another_payload_touches_neither_ledger_nor_row(push: Push, lines: Lines, known_to: str) -> None:
    if known_to == "ledger":
        push.post("/push/jobs", wrapped(an_event()))
        push.handler.completed_jobs.__init__()  # type: ignore[misc]  # as another instance would be
    before, row = push.world.blobs.contents(), push.world.plane.rows[job_id(1)]
    status = row.status
    lines.seen.clear()
    other = an_event().model_copy(update={"period": "2026-11-27T23"})

    reply = push.post("/push/jobs", wrapped(other, "9"))

    assert (reply.status_code, reply.headers["x-outcome"]) == (204, "dead_lettered")
    assert logged(lines)[-1] == ("dead_lettered", "payload_mismatch")
    [record] = push.world.dead_letters()
    assert (record["code"], record["key"]) == ("payload_mismatch", "m-9")
    name = paths.ledger(job_id(1))
    if known_to == "ledger":
        assert push.world.blobs.contents()[name] == before[name]
        assert row.status == status == "completed"
    else:
        assert push.world.ledger()["payload_digest"] is None  # unbound: the right message is not kept out
        assert row.completion is None


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff\xfe", f'{{"state": "{CANARY}"}}'.encode()])
def test_an_unreadable_ledger_is_left_as_it_is(push: Push, lines: Lines, data: bytes) -> None:
    push.world.blobs.write(paths.ledger(job_id(1)), data, if_generation=0)
    reply = push.post("/push/jobs", wrapped(an_event()))
    assert (reply.status_code, reply.headers["x-outcome"]) == (204, "dead_lettered")
    assert [dead_letter["code"] for dead_letter in push.world.dead_letters()] == ["ledger_unreadable"]
    assert logged(lines) == [("dead_lettered", "ledger_unreadable")]
    blob = push.world.blobs.peek(paths.ledger(job_id(1)))
    assert blob is not None
    assert blob.data == data
    assert push.world.plane.rows[job_id(1)].status == "queued"


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", f'{{"owner": "{CANARY}"}}'.encode()])
def test_an_unreadable_lock_counts_as_held_and_is_then_taken(push: Push, lines: Lines, data: bytes) -> None:
    push.world.blobs.write(paths.lock(USER), data, if_generation=0)
    reply = push.post("/push/jobs", wrapped(an_event()))
    assert (reply.status_code, reply.headers["x-outcome"]) == (204, "parked")
    assert logged(lines) == [("parked", None)]
    assert push.world.plane.rows[job_id(1)].substate == "parked"
    push.world.clock.advance(135)
    lines.seen.clear()
    assert push.post("/push/jobs", wrapped(an_event())).headers["x-outcome"] == "done"
    assert logged(lines) == [("unreadable lock taken", None), ("done", None)]


def head(**fields: Any) -> bytes:
    """HEAD's bytes with a check sum that fits, whatever the fields say."""
    body: dict[str, Any] = {"seq": 0, "commit": None, "index": None, "epoch": 0, "job_id": None, "attempt": 0}
    body = {**body, "frozen": "", **fields}
    return canonical.dumps({**body, "check": canonical.digest(body)})


def shortened(data: bytes) -> bytes:
    return data[: len(data) // 2]


def ahead(data: bytes) -> bytes:
    now = {name: value for name, value in json.loads(data).items() if name != "check"}
    return head(**{**now, "seq": now["seq"] + 7})


def frozen(data: bytes) -> bytes:
    now = {name: value for name, value in json.loads(data).items() if name != "check"}
    return head(**{**now, "frozen": f"signatures broken, first at {CANARY}"})


HEADS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _: b"", "snapshot_incomplete"),
    "truncated": (shortened, "snapshot_incomplete"),
    "no JSON": (lambda _: CANARY.encode(), "snapshot_incomplete"),
    "another object": (lambda _: canonical.dumps({CANARY: CANARY}), "snapshot_incomplete"),
    "a check sum that does not fit": (lambda data: data.replace(b'"attempt":1', b'"attempt":9'), "snapshot_incomplete"),
    "a seq that is text": (lambda _: head(seq=CANARY), "snapshot_incomplete"),
    "an epoch below zero": (lambda _: head(epoch=-1), "snapshot_incomplete"),
    "a commit without a seq": (lambda _: head(commit="0" * 64, index="0" * 64), "snapshot_incomplete"),
    "a seq that is not the commit's": (ahead, "snapshot_incomplete"),
    "commits that are not there": (lambda _: head(seq=1, commit="0" * 64, index="0" * 64), "snapshot_incomplete"),
    "frozen": (frozen, "workspace_frozen"),
}


@pytest.mark.parametrize("name", HEADS)
def test_a_damaged_head_fails_the_job_and_stays_as_it_is(tmp_path: Path, lines: Lines, name: str) -> None:
    damage, code = HEADS[name]
    world = World(tmp_path)
    for number in (1, 2):
        world.plane.add(an_event(number))
    answered(world, 1)
    whole = world.blobs.read(paths.head(USER))
    data = damage(whole.data)
    world.blobs.write(paths.head(USER), data, if_generation=whole.stat.generation)
    lines.seen.clear()

    answers = [answered(world, 2)]
    while answers[-1] == (204, "retry_recorded") and len(answers) < 9:
        world.clock.advance(900)
        answers.append(answered(world, 2))

    assert answers[-1] == (204, "dead_lettered"), answers
    assert set(answers[:-1]) <= {(204, "retry_recorded")}
    assert [dead_letter["code"] for dead_letter in world.dead_letters()] == [code]
    assert logged(lines)[-1] == ("dead_lettered", code)
    row = world.plane.rows[job_id(2)]
    assert row.status == "failed"
    blob = world.blobs.peek(paths.head(USER))
    assert blob is not None
    # A HEAD that can be read is fenced by whoever dies under the lock; one that cannot is nobody's to rewrite.
    assert blob.data == data or json.loads(blob.data)["seq"] == json.loads(data)["seq"]


def test_the_head_of_another_user_opens_nothing(tmp_path: Path, lines: Lines) -> None:
    world = World(tmp_path)
    other = "11111111-1111-4111-8111-000000000002"
    world.plane.add(an_event(1))
    world.plane.add(an_event(2, user_id=other))
    answered(world, 1)
    world.blobs.write(paths.head(other), world.blobs.read(paths.head(USER)).data, if_generation=0)

    assert answered(world, 2, user_id=other) == (204, "retry_recorded")
    assert ("retry_recorded", "snapshot_incomplete") in logged(lines)
    assert not [name for name in world.blobs.names(paths.user(other)) if "/packs/" in name or "/published/" in name]


def answered(world: World, number: int, **fields: Any) -> tuple[int, str]:
    """One delivery to a new process with the real history behind it."""
    handler, heads = process(world)
    try:
        reply = Push(world, handler).post("/push/jobs", wrapped(an_event(number, **fields)))
    finally:
        heads.close()
    return reply.status_code, reply.headers["x-outcome"]


@pytest.mark.parametrize("data", [b"", b"{}", f'{{"schema": "{CANARY}"}}'.encode()])
def test_an_unreadable_parked_file_is_passed_over_and_told(push: Push, lines: Lines, data: bytes) -> None:
    push.world.blobs.write(paths.parked(USER, job_id(2)), data, if_generation=0)
    assert push.post("/push/jobs", wrapped(an_event())).headers["x-outcome"] == "done"
    assert ("parked file unreadable", None) in logged(lines)
    assert push.world.blobs.names(f"users/{USER}/parked/") == []


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotAllowed("token refused: aud is not exactly one accepted audience", 403), 403),
        (NotAllowed("no bearer token in the Authorization header", 401), 401),
        (KeysUnavailable("keys cannot be had"), 503),
    ],
)
def test_a_refused_token_is_told_with_its_reason_and_nothing_is_read(
    push: Push, lines: Lines, error: NotAllowed | KeysUnavailable, status: int
) -> None:
    push.verifier.error = error
    assert push.post("/push/jobs", wrapped(an_event())).status_code == status
    [(text, fields)] = lines.seen
    assert (text, fields["status"], fields["code"]) == ("push refused", status, error.code)
    assert fields["reason"] == error.args[0]
    assert push.world.blobs.ops == []


@pytest.mark.parametrize("token", [None, CANARY, f"{CANARY}.x.y", "a.b.c"])
def test_nothing_of_a_forged_token_reaches_the_log(push: Push, lines: Lines, token: str | None) -> None:
    clock = SystemClock()
    # Nobody listens there: such tokens are refused before their key matters.
    with httpx.Client() as client:
        keys = KeySet(client, "http://127.0.0.1:1/", clock.monotonic)
        verifier = OidcVerifier(keys, TokenPolicy.of(["us"], ["p@x"], ["i"]), clock)
        push.verifier.verify = verifier.verify  # type: ignore[method-assign]  # the real one
        assert push.post("/push/jobs", wrapped(an_event()), token=token).status_code == 401
    assert logged(lines) == [("push refused", "not_allowed")]
