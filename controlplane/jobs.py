"""The calls of a run: the token exchange and progress reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from psycopg.types.json import Jsonb

import manifests
from contract.api import (
    TERMINAL,
    CommitRef,
    FlagName,
    JobSpec,
    ProgressRequest,
    ProgressResponse,
    TokenRequest,
    TokenResponse,
)
from controlplane.db import Database, Row, Tx
from controlplane.errors import ApiFault, attempt_stale, existing, queue_paused, replay_stale
from controlplane.tokens import COMPLETE, SKEW, JobClaims, JobTokens, may_export

#: The row's status and substate for each progress state.
STATES: Final = {
    "running": ("running", None),
    "retrying": ("queued", "retrying"),
    "parked": ("queued", "parked"),
    "queued": ("queued", "dispatched"),
}

#: The cancel reason for a disabled user's jobs.
DISABLED: Final = "user disabled"
#: A withheld job is due this long after its refusal at the earliest: its attempt has to write the ledger before.
PAUSE_SETTLE_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class JobGrants:
    database: Database
    tokens: JobTokens

    def grant(self, job_id: str, request: TokenRequest) -> TokenResponse:
        """Start (or continue) this attempt and issue a token for it.

        Raises ApiFault 404 job_not_found (retryable), 409 job_terminal, attempt_stale, replay_stale; 503 queue_paused:
        the row is queued again, due at the end of the pause. A running attempt may renew its token.
        """
        with self.database.transaction() as tx:
            row = existing(tx.row("lock_job", job_id=job_id), "job", job_id, retryable=True)
            require_open(row)
            require_replay(row, request.replay_id)
            _require_attempt(row, request)
            row = _stopped_if_disabled(tx, row)
            pause = tx.row("pause_of", user_id=row["user_id"])
            row = row | {"queue_resumed_at": pause and pause["resumed_at"]}
            # A job that is to be cancelled only ends.
            is_withheld = pause is not None and pause["resumed_at"] is None and row["cancel_requested_at"] is None
            if request.renew:
                tx.run("beat", job_id=job_id)
                return self._mint(tx, row)
            if not is_withheld:
                tx.run("start_attempt", job_id=job_id, attempt=request.attempt, owner=request.owner)
                newer = tx.row("newer_digest", job_id=job_id)
                started = {"status": "running", "attempt": request.attempt}
                return self._mint(tx, row | started | {"newer_digest": newer["period"] if newer else None})
            tx.run("withhold_job", job_id=job_id, settle_s=PAUSE_SETTLE_S)
        # Raised after the transaction, which has to stand.
        assert pause is not None
        raise queue_paused(job_id, pause["target"])

    def progress(self, claims: JobClaims, job_id: str, request: ProgressRequest) -> ProgressResponse:
        """Record stage, counts and heartbeat.

        Raises ApiFault 403 wrong_job, 409 attempt_stale, replay_stale, job_terminal, 404.
        """
        claims.require(COMPLETE, job_id)
        with self.database.transaction() as tx:
            row = current_row(tx, claims, request.attempt)
            require_open(row)
            row = _stopped_if_disabled(tx, row)
            status, substate = STATES[request.state]
            progress: dict[str, Any] = {"counts": request.counts}
            if request.message:
                progress["message"] = request.message
            if request.waiting_for:
                progress["waiting_for"] = request.waiting_for
            tx.run(
                "report_progress",
                job_id=job_id,
                status=status,
                substate=substate,
                stage=request.stage,
                retry_at=request.retry_at if status == "queued" else None,
                progress=Jsonb(progress),
            )
            return ProgressResponse(cancel_requested=row["cancel_requested_at"] is not None)

    def _mint(self, tx: Tx, row: Row) -> TokenResponse:
        names = list(get_args(FlagName))
        flags = tx.rows("flags_of", names=names, user_id=row["user_id"], profile=row["runtime_profile"])
        spec = job_spec(row, flags)
        replay_id = str(row["replay_id"]) if row["replay_id"] else None
        minted = self.tokens.mint(spec, issued_at=row["now"], replay_id=replay_id)
        tx.run("forget_tokens", job_id=spec.job_id, attempt=spec.attempt)
        tx.run(
            "remember_token",
            jti_digest=minted.jti_digest,
            job_id=spec.job_id,
            attempt=spec.attempt,
            # A job of a deleted account may report its end, but read nothing more.
            may_export=may_export(spec.job_type) and not row["account_deleted"],
            # The database must not expire a token before the signature check does.
            expires_at=minted.expires_at + SKEW,
        )
        return TokenResponse(token=minted.token, expires_at=minted.expires_at, job=spec)


def job_spec(row: Row, flags: Sequence[Row] = ()) -> JobSpec:
    """A row of `lock_job`: what the consumer compares with the event; rows of `flags_of`: what the job may do."""
    sources = [e.source_key for e in manifests.export_manifest().sources] if may_export(row["job_type"]) else []
    zone = known_zone(row["timezone"])
    stated = {
        "job_id": str(row["id"]),
        "user_id": str(row["user_id"]),
        "workspace_id": str(row["workspace_id"]),
        "allowed_sources": sources,
        "timezone": zone or "UTC",
        "timezone_unknown": zone is None,
        "cancel_requested": row["cancel_requested_at"] is not None,
        "force": row["forced"],
        "flags": {flag["name"]: flag["value"] for flag in flags},
        "flag_notes": {flag["name"]: f"{flag['scope']}: {flag['reason']}" for flag in flags if not flag["value"]},
    }
    return JobSpec.model_validate({**row, **stated})


def known_zone(name: str) -> str | None:
    """A profile's time zone; None where there is no such zone. A typing mistake must not stop a memory."""
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def current_row(tx: Tx, claims: JobClaims, attempt: int) -> Row:
    """The locked row, if token, request and row agree on the attempt, and token and row on user and replay.

    Raises ApiFault 403 wrong_user, 404, 409 attempt_stale, replay_stale.
    """
    row = existing(tx.row("lock_job", job_id=claims.job_id), "job", claims.job_id)
    check_token(row, claims)
    if attempt != row["attempt"]:
        raise attempt_stale(claims.job_id, attempt, row["attempt"])
    return row


def check_token(row: Row, claims: JobClaims) -> None:
    """Compare the token with the job's current row, which may have changed since. Raises ApiFault 403, 409."""
    if str(row["user_id"]) != claims.user_id or row["job_type"] != claims.job_type:
        raise ApiFault(403, "wrong_user", f"job {claims.job_id} belongs to another user than its token says")
    require_replay(row, claims.replay_id)
    if claims.attempt != row["attempt"]:
        raise attempt_stale(claims.job_id, claims.attempt, row["attempt"])


def terminal(row: Row) -> ApiFault:
    """409 with the stored result, with which the caller can settle its message."""
    commit = None
    if row["commit_digest"]:
        commit = CommitRef(seq=row["commit_seq"], digest=row["commit_digest"]).model_dump()
    result = {
        "outcome": row["outcome"],
        "commit": commit,
        "report_uri": row["report_uri"],
        "source_counts": row["source_counts"],
        "output_counts": row["output_counts"],
        "error": row["error_summary"],
    }
    extra = {"status": row["status"], "result": result}
    return ApiFault(409, "job_terminal", f"job {row['id']} is {row['status']}", extra=extra)


def require_open(row: Row) -> None:
    if row["status"] in TERMINAL:
        raise terminal(row)


def require_replay(row: Row, replay_id: str | None) -> None:
    current = str(row["replay_id"]) if row["replay_id"] else None
    if current != replay_id:
        raise replay_stale(str(row["id"]))


def _stopped_if_disabled(tx: Tx, row: Row) -> Row:
    """Ask a job created after its user was disabled to stop, before it reads anything."""
    if row["workspace_status"] == "enabled" or row["cancel_requested_at"] is not None:
        return row
    changed = tx.only("request_cancel", job_id=row["id"], reason=DISABLED)
    return row | {"cancel_requested_at": changed["cancel_requested_at"]}


def _require_attempt(row: Row, request: TokenRequest) -> None:
    same = request.attempt == row["attempt"]
    # An attempt handed to an execution belongs to the run that takes it up; the ledger lets only one do so.
    mine = request.owner == row["owner"] or row["substate"] == "dispatched"
    if not (same and mine) and (request.renew or request.attempt <= row["attempt"]):
        raise attempt_stale(str(row["id"]), request.attempt, row["attempt"])
