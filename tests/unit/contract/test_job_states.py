from __future__ import annotations

import itertools
from typing import get_args

from consumer.delivery import outcome as out
from contract.api import TERMINAL, JobStatus, Outcome, ProgressState
from tests.job_states import IllegalMove, Move, advance, of_outcome, of_progress
from tests.tables import table

MOVES = get_args(Move)
STATUSES = get_args(JobStatus)


@table(("status", "move"), list(itertools.product(STATUSES, MOVES)))
def test_every_move_from_every_status_is_legal_or_refused_with_the_legal_ones(status: JobStatus, move: Move) -> None:
    try:
        after = advance(status, move)
    except IllegalMove as exc:
        assert status in TERMINAL or move == "replay"
        assert "possible" in str(exc)
    else:
        assert after in STATUSES
        assert status not in TERMINAL or (status, move, after) == ("failed", "replay", "queued")


def test_only_a_failed_job_can_be_replayed() -> None:
    assert [status for status in STATUSES if _can(status, "replay")] == ["failed"]


def test_every_outcome_ends_a_job_and_no_progress_does() -> None:
    assert {advance("running", of_outcome(o)) for o in get_args(Outcome)} == set(TERMINAL)
    assert not {advance("running", of_progress(p)) for p in get_args(ProgressState)} & TERMINAL


def test_only_what_exists_nowhere_is_kept_by_pubsub() -> None:
    kinds = out.Outcome.__subclasses__()
    assert {kind.name for kind in kinds if kind.http_status != 204} == {
        "shut_down",
        "busy",
        "waiting",
        "not_recorded",
    }
    assert {kind.http_status for kind in kinds} == {204, 503}
    assert {kind.name for kind in kinds if kind.exit_code} == {"not_recorded"}


def _can(status: JobStatus, move: Move) -> bool:
    try:
        advance(status, move)
    except IllegalMove:
        return False
    return True
