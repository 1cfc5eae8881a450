"""From which numbers on something is at fault."""

from __future__ import annotations

import json
from typing import Any

import pytest

import manifests
from consumer.doctor import health
from contract.api import QueueView, Usefulness
from tests.tables import table

LIMITS = manifests.limits()
AT = "2026-11-27T14:00:00Z"


def faults(**queue: float) -> list[str]:
    return [
        diagnosis.check for diagnosis in health.of_queue(QueueView.model_validate(queue), LIMITS) if not diagnosis.ok
    ]


@table(
    ("queue", "expected"),
    [
        ({}, []),
        ({"queued": 9, "oldest_due_s": 300.0}, []),
        ({"queued": 9, "oldest_due_s": 300.1}, ["queue"]),
        ({"unpublished": 1, "oldest_unpublished_s": 60.0}, []),
        ({"unpublished": 1, "oldest_unpublished_s": 61.0}, ["publisher"]),
        ({"silent": 1}, ["sweep"]),
        ({"failed_7d": 99, "over_7d": 99}, []),
        ({"failed_7d": 1, "over_7d": 100}, []),
        ({"failed_7d": 2, "over_7d": 100}, ["failures"]),
    ],
)
def test_queue(queue: dict[str, float], expected: list[str]) -> None:
    assert faults(**queue) == expected


def test_a_pause_is_told_with_its_reason_and_what_waits() -> None:
    pause = {"target": "*", "paused_at": AT, "paused_by": "ann@clo0p.com", "reason": "provider down"}
    queue = QueueView.model_validate({"queued": 7, "withheld": 7, "pauses": [pause, {**pause, "target": "u"}]})
    [paused] = [diagnosis for diagnosis in health.of_queue(queue, LIMITS) if not diagnosis.ok]
    assert paused.check == "pause"
    for part in ("everybody and 1 more", "2026-11-27 14:00", "ann@clo0p.com", "provider down", "7 jobs wait"):
        assert part in paused.detail
    assert "queue resume" in paused.advice


@table(("number", "ok"), [(0, True), (1, False)])
def test_time_zones(number: int, ok: bool) -> None:
    assert health.of_zones(QueueView(unknown_zones=number)).ok is ok


@table(
    ("queue", "states"),
    [
        ({}, [True, None]),
        ({"reconciliation": "sound", "reconciled_at": AT}, [True, True]),
        ({"overdue_erasures": 1, "reconciliation": "sound", "reconciled_at": AT}, [False, True]),
        ({"reconciliation": "too_many", "reconciled_at": AT, "reconciliation_detail": "6 of 100"}, [True, False]),
        ({"reconciliation": "blind", "reconciled_at": AT, "reconciliation_detail": "hidden"}, [True, False]),
    ],
)
def test_deletions(queue: dict[str, Any], states: list[bool | None]) -> None:
    diagnoses = list(health.of_deletions(QueueView.model_validate(queue)))
    assert [diagnosis.ok for diagnosis in diagnoses] == states
    assert queue.get("reconciliation_detail", "") in diagnoses[1].detail


def test_usefulness_names_the_users_and_is_a_fault_where_it_is_low() -> None:
    user = "79694297-da81-59b9-b0ee-3f50e8352d43"
    low = health.of_usefulness(Usefulness(marks=30, useful=11, users=(user,), low=True))
    assert low.ok is False
    assert "11 of 30" in low.detail
    assert user in low.detail
    assert "claim list" in low.advice
    assert health.of_usefulness(Usefulness(marks=30, useful=20)).ok is True


@table(("ahead_s", "ok"), [(0.4, True), (30.0, True), (-30.0, True), (31.0, False), (-31.0, False)])
def test_clock(ahead_s: float, ok: bool) -> None:
    diagnosis = health.of_clock(ahead_s, LIMITS["clock_skew"])
    assert diagnosis.ok is ok
    assert ("behind" in diagnosis.detail) is (ahead_s < 0)


def test_dead_letters_are_work() -> None:
    assert health.of_dead_letters(0).ok
    assert not health.of_dead_letters(1).ok


def test_faults_of_a_part_become_findings_with_their_advice() -> None:
    assert [diagnosis.ok for diagnosis in health.of_faults("bucket", (), "fine")] == [True]
    diagnoses = list(health.of_faults("topics", ("topic projects/p/topics/t does not exist: create it", "odd"), "fine"))
    assert [(diagnosis.detail, diagnosis.advice) for diagnosis in diagnoses] == [
        ("topic projects/p/topics/t does not exist", "create it"),
        ("odd", ""),
    ]


def test_a_control_plane_that_is_not_ready_says_what_it_lacks_and_which_statement_gives_it() -> None:
    grant = "grant select on public.memory_jobs to memory_service;"
    error = {"code": "rights_missing", "message": "select on public.memory_jobs is missing", "hint": grant}
    diagnosis = health.of_readiness("http://cp/ready", 503, json.dumps({"error": error}).encode())
    assert diagnosis.ok is False
    assert "503 rights_missing: select on public.memory_jobs is missing" in diagnosis.detail
    assert diagnosis.advice == grant


@pytest.mark.parametrize("body", [b"", b"<html>bad gateway</html>", b"[]", b'{"error": "no"}'])
def test_an_answer_that_is_not_the_control_planes_is_a_fault_too(body: bytes) -> None:
    assert health.of_readiness("http://cp/ready", 502, body).ok is False


def test_a_ready_control_plane_is_fine_whatever_it_says() -> None:
    assert health.of_readiness("http://cp/ready", 200, b"").ok is True
