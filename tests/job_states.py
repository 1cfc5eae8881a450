"""The job's state machine as the control plane shows it: five statuses, with substates. SQL enforces the same moves.

::

    queued ──▶ running ──▶ completed (also no_change, superseded)
      ▲ ▲         │  ├───▶ failed ──(replay)──▶ queued
      │ └─────────┘  └───▶ cancelled
      └ parked, retrying: back in the queue, with a reason

"""

from __future__ import annotations

from typing import Final, Literal

from contract.api import JobStatus, Outcome, ProgressState

#: What makes a job move: a token (claim), a progress state, a completion's outcome, an operator.
Move = Literal["claim", "progress", "park", "retry", "queue", "complete", "fail", "cancel", "replay"]

_MOVES: Final[dict[JobStatus, dict[Move, JobStatus]]] = {
    "queued": {
        "claim": "running",
        "progress": "running",
        "park": "queued",
        "retry": "queued",
        "queue": "queued",
        "complete": "completed",
        "fail": "failed",
        "cancel": "cancelled",
    },
    "running": {
        "claim": "running",
        "progress": "running",
        "park": "queued",
        "retry": "queued",
        "queue": "queued",
        "complete": "completed",
        "fail": "failed",
        "cancel": "cancelled",
    },
    "completed": {},
    "failed": {"replay": "queued"},
    "cancelled": {},
}

_OF_OUTCOME: Final[dict[Outcome, Move]] = {
    "completed": "complete",
    "no_change": "complete",
    "superseded": "complete",
    "failed": "fail",
    "cancelled": "cancel",
}
_OF_PROGRESS: Final[dict[ProgressState, Move]] = {
    "running": "progress",
    "retrying": "retry",
    "parked": "park",
    "queued": "queue",
}


class IllegalMove(ValueError):
    """A job cannot go there from here."""


def advance(status: JobStatus, move: Move) -> JobStatus:
    """The status after ``move``.

    Raises:
        IllegalMove: names the moves that are possible.
    """
    possible = _MOVES[status]
    if move not in possible:
        raise IllegalMove(f"a {status} job cannot {move}; possible: {', '.join(possible) or 'nothing, it is over'}")
    return possible[move]


def of_outcome(outcome: Outcome) -> Move:
    return _OF_OUTCOME[outcome]


def of_progress(state: ProgressState) -> Move:
    return _OF_PROGRESS[state]
