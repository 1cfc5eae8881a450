"""The body of each error of the API, and which of them a client may try again."""

from __future__ import annotations

from typing import Any

import pytest

from controlplane import errors
from tests.tables import table


@table(
    ("fault", "status", "error"),
    [
        (errors.not_found("job", "j1"), 404, ("job_not_found", "no job j1", "", False)),
        (errors.not_found("job", "j1", retryable=True), 404, ("job_not_found", "no job j1", "", True)),
        (errors.invalid("no", "Do."), 422, ("invalid_request", "no", "Do.", False)),
        (errors.invalid("no"), 422, ("invalid_request", "no", "", False)),
        (
            errors.attempt_stale("j1", 2, 2),
            409,
            (
                "attempt_stale",
                "job j1: attempt 2 belongs to another run",
                "Stop: a newer attempt or another run has this job.",
                False,
            ),
        ),
        (
            errors.attempt_stale("j1", 1, 2),
            409,
            (
                "attempt_stale",
                "job j1: attempt 1 is not the current one (2)",
                "Stop: a newer attempt or another run has this job.",
                False,
            ),
        ),
        (
            errors.replay_stale("j1"),
            409,
            (
                "replay_stale",
                "job j1: this request does not name the job's latest replay",
                "Stop: the newest replay has its own event.",
                False,
            ),
        ),
        # A consumer repeats what a pause refuses, whether it knows the code or not.
        *(
            (
                errors.queue_paused("j1", target),
                503,
                (
                    "queue_paused",
                    f"job j1: an operator paused the queue of {whose}",
                    "The job runs when the queue is resumed.",
                    True,
                ),
            )
            for target, whose in (("*", "everybody"), ("u1", "its user"))
        ),
        (errors.unavailable("busy", "wait"), 503, ("busy", "wait", "", True)),
    ],
)
def test_each_error_says_what_is_wrong_and_whether_to_try_again(
    fault: errors.ApiFault, status: int, error: tuple[object, ...]
) -> None:
    names = ("code", "message", "hint", "retryable")
    assert (fault.status, fault.body()) == (status, {"error": dict(zip(names, error, strict=True))})
    assert str(fault) == error[1]


def test_what_goes_beside_the_error_stands_in_the_body() -> None:
    assert errors.ApiFault(409, "ended", "it has ended", extra={"result": 1}).body()["result"] == 1


@pytest.mark.parametrize("more", [{}, {"retryable": True}])
def test_a_row_that_is_missing_is_an_error_and_a_row_is_itself(more: dict[str, Any]) -> None:
    row: dict[str, Any] = {}
    assert errors.existing(row, "job", "j1") is row
    with pytest.raises(errors.ApiFault) as caught:
        errors.existing(None, "job", "j1", **more)
    assert caught.value.body() == errors.not_found("job", "j1", **more).body()
    assert caught.value.retryable == bool(more)
