"""The user's own corrections: made, listed and taken back, and what the next call shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from contract.reading import ReadGrant
from reader.errors import CallRefusal
from reader.openapi import document
from tests.tables import table
from tests.unit.reader.worlds import ADA_TOKEN, BOB_TOKEN, S1, S2, World, both, refusal

CORRECTIONS = "/v1/me/corrections"
UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return both(tmp_path)


def correct(world: World, token: str = ADA_TOKEN, **fields: Any) -> Any:
    answer = world.post(CORRECTIONS, {"verdict": "done", "statement": S1, **fields}, token)
    assert answer.status_code == 200, answer.text
    return answer.json()


def due(world: World, token: str = ADA_TOKEN) -> list[str]:
    return [loop["id"] for loop in world.json("/v1/me/today", token)["due"]]


def test_the_next_call_shows_a_correction_and_its_undoing(world: World) -> None:
    assert due(world) == [S1, S2]
    made = correct(world)
    schema = {"$ref": "#/components/schemas/CorrectionEntry", "components": document()["components"]}
    jsonschema.Draft202012Validator(schema).validate(made)
    assert due(world) == [S2]
    assert due(world, BOB_TOKEN) == [S1, S2]
    assert [view["id"] for view in world.json(CORRECTIONS)["corrections"]] == [made["id"]]
    assert world.json(CORRECTIONS, BOB_TOKEN)["corrections"] == []
    for _ in range(2):
        undone = world.post(f"{CORRECTIONS}/{made['id']}/undo")
        assert undone.json()["undone_at"] is not None
    assert due(world) == [S1, S2]


def test_people_are_counted_without_what_is_corrected(world: World) -> None:
    def open_with_ann() -> int:
        [ann] = world.json("/v1/me/people")["people"]
        return int(ann["loops"])

    assert open_with_ann() == 2
    correct(world, verdict="not_mine")
    assert open_with_ann() == 1


def test_every_session_of_the_user_sees_it_at_once(world: World) -> None:
    world.controlplane.users["ada.phone.x"] = world.controlplane.users[ADA_TOKEN]
    assert due(world, "ada.phone.x") == [S1, S2]
    correct(world, verdict="not_mine")
    assert due(world, "ada.phone.x") == [S2]


def test_put_off_is_hidden_until_its_day(world: World) -> None:
    correct(world, verdict="later", until="2026-11-29")
    assert due(world) == [S2]
    world.clock.advance(2 * 86400)
    assert S1 in due(world)


def test_a_correction_whose_answer_was_lost_counts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    due(world)
    real = world.controlplane.correct

    def lost(*given: Any) -> Any:
        real(*given)
        raise CallRefusal(503, "controlplane_unavailable", "The control plane does not answer", retryable=True)

    monkeypatch.setattr(world.controlplane, "correct", lost)
    body = {"verdict": "done", "statement": S1}
    assert refusal(world.post(CORRECTIONS, body)) == (503, "controlplane_unavailable")
    assert due(world) == [S2]


def test_a_grant_that_was_asked_for_before_is_not_kept_after(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read whose grant is on its way while the user corrects must not bring back the older overlay."""
    real = world.controlplane.grant

    def slow(user_token: str) -> ReadGrant:
        grant = real(user_token)
        monkeypatch.setattr(world.controlplane, "grant", real)
        correct(world)
        return grant

    monkeypatch.setattr(world.controlplane, "grant", slow)
    assert due(world) == [S1, S2]
    assert due(world) == [S2]


def test_nobody_undoes_what_another_corrected(world: World) -> None:
    made = correct(world)
    for correction_id, token in ((made["id"], BOB_TOKEN), (UNKNOWN, ADA_TOKEN)):
        answer = world.post(f"{CORRECTIONS}/{correction_id}/undo", token=token)
        assert refusal(answer) == (404, "correction_not_found")
    for odd in ("x", "..%2Flist", UNKNOWN.upper() + "0"):
        assert world.post(f"{CORRECTIONS}/{odd}/undo").status_code == 404
    assert due(world) == [S2]


@table(
    "body",
    [
        None,
        [],
        {},
        {"verdict": "done"},
        {"verdict": "later", "statement": "0000000000000001"},
        {"verdict": "done", "statement": "SECRETWORD"},
        {"verdict": "done", "statement": "0000000000000001", "job_id": UNKNOWN, "claim": 1},
    ],
)
def test_a_correction_of_another_form_is_refused_without_its_words(world: World, body: Any) -> None:
    answer = world.post(CORRECTIONS, body)
    assert refusal(answer) == (422, "invalid_request")
    assert "SECRETWORD" not in answer.text
    assert world.controlplane.made == {}


def test_who_may_not_read_may_not_correct(world: World) -> None:
    body = {"verdict": "done", "statement": S1}
    assert refusal(world.post(CORRECTIONS, body, None)) == (401, "user_token_invalid")
    assert refusal(world.post(CORRECTIONS, body, "stranger.token.x")) == (401, "user_token_invalid")
    world.controlplane.refusals[ADA_TOKEN] = CallRefusal(403, "memory_off", "the memory is disabled")
    assert refusal(world.post(CORRECTIONS, body)) == (403, "memory_off")
    assert world.controlplane.made == {}


def test_too_many_corrections_are_told_to_wait(world: World) -> None:
    body = {"verdict": "done", "statement": S1}
    answers = [world.post(CORRECTIONS, body) for _ in range(31)]
    assert [answer.status_code for answer in answers] == [200] * 30 + [429]
    assert world.get("/v1/me/today").status_code == 200
    world.clock.advance(int(answers[-1].headers["retry-after"]))
    assert world.post(CORRECTIONS, body).status_code == 200
