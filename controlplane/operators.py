"""Operators' calls: enable, disable, submit, show, cancel, replay, rerun. The audit records each change."""

from __future__ import annotations

import base64
import binascii
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, get_args

import manifests
from contract.api import (
    TERMINAL,
    BucketDeedRequest,
    CommitRef,
    DiscardRequest,
    EnableUserRequest,
    JobList,
    JobStatus,
    JobView,
    PauseView,
    ReasonRequest,
    ReplayRequest,
    RerunRequest,
    SubmitJobRequest,
    UserDetails,
)
from contract.profile import DEFAULT_PROFILE
from controlplane.db import Database, Row, Tx
from controlplane.deletions import deletion_of, require_not_erasing
from controlplane.errors import ApiFault, existing, invalid, not_found, one_of
from controlplane.jobs import DISABLED, terminal

#: Jobs in one listing.
PAGE: Final = 50
ENABLE: Final = "Run `cloop-memory user enable` with the user's id or e-mail address."
STATUSES: Final = sorted(get_args(JobStatus))


@dataclass(frozen=True, slots=True)
class Operators:
    """``bucket`` holds the workspaces. ``actor``: the operator's e-mail address, for the audit."""

    database: Database
    bucket: str

    def enable(self, actor: str, request: EnableUserRequest) -> dict[str, Any]:
        """Give a user a workspace, or enable it again. Repeatable.

        Raises ApiFault 404 user_not_found; 409 erasure_begun (the account was deleted and its memory is being erased),
        or user_erased (and the request lacks ``begin_anew``); 422.
        """
        if (request.user_id is None) == (request.email is None):
            raise invalid("give exactly one of user_id and email")
        with self.database.transaction() as tx:
            if request.user_id:
                account = tx.row("user_by_id", user_id=request.user_id)
            else:
                account = tx.row("user_by_email", email=request.email)
            user_id = str(existing(account, "user", request.user_id or "with that e-mail address")["id"])
            require_not_erasing(tx, user_id)
            details = {"begin_anew": True} if _begin_anew(tx, user_id, allowed=request.begin_anew) else {}
            workspace = _workspace(enable_workspace(tx, self.bucket, user_id, request.runtime_profile))
            tx.run("mark_users", user_ids=[user_id])
            tx.audit(actor, "user.enable", user_id, profile=workspace["runtime_profile"], **details)
            return workspace

    def disable(self, actor: str, user_id: str) -> dict[str, Any]:
        """Plan nothing more for this user, and ask open jobs to stop. Repeatable.

        Raises ApiFault 404 user_not_found.
        """
        with self.database.transaction() as tx:
            row = existing(tx.row("disable_workspaces", user_ids=[user_id]), "user", user_id)
            cancelled = tx.rows("cancel_open_jobs", user_ids=[user_id], reason=DISABLED)
            tx.audit(actor, "user.disable", user_id, cancelled=len(cancelled))
            return _workspace(row)

    def user(self, user_id: str) -> UserDetails:
        """A user, with or without an account or a workspace, and the account's latest deletion.

        Raises ApiFault 404 user_not_found: neither account nor workspace nor deletion.
        """
        with self.database.transaction() as tx:
            row = tx.row("user_details", user_id=user_id)
            deletion = deletion_of(tx, user_id)
        if row is None and deletion is None:
            raise not_found("user", user_id)
        details = {**(row or {"status": "none"}), "user_id": user_id, "deletion": deletion}
        return UserDetails.model_validate(details)

    def submit(self, actor: str, request: SubmitJobRequest) -> JobView:
        """Queue a job. Raises ApiFault 404 user_not_found, 409 user_disabled."""
        with self.database.transaction() as tx:
            _require_enabled(tx, request.user_id)
            row = submit_job(tx, **request.model_dump())
            tx.audit(actor, "job.submit", request.user_id, row["id"], type=request.job_type, force=request.force)
            return _view(row, (), _pause(tx, row))

    def rerun(self, actor: str, job_id: str, request: RerunRequest) -> JobView:
        """Queue a new job that names the old one, which must have ended.

        Raises ApiFault 404, 409 job_open, user_disabled, 422: force_render for a job type that does not render.
        """
        with self.database.transaction() as tx:
            old = existing(tx.row("lock_job", job_id=job_id), "job", job_id)
            if request.force_render and "render" not in manifests.pipelines()[old["job_type"]]["stages"]:
                raise invalid(f"force_render: {old['job_type']} renders nothing; rerun a digest")
            if old["status"] not in TERMINAL:
                raise ApiFault(
                    409, "job_open", f"job {job_id} is {old['status']}", hint="Wait until it ends, or cancel it."
                )
            _require_enabled(tx, str(old["user_id"]))
            same = {name: old[name] for name in ("user_id", "job_type", "period")}
            forced = {"force": old["forced"], "force_render": request.force_render}
            row = submit_job(tx, "operator", **same, **forced, rerun_of=job_id)
            tx.audit(actor, "job.rerun", old["user_id"], row["id"], of=job_id, force_render=request.force_render)
            return _view(row, (), _pause(tx, row))

    def cancel(self, actor: str, job_id: str, request: ReasonRequest) -> JobView:
        """Ask a job to stop; it ends at its next stage boundary. Repeatable. Raises ApiFault 404, 409 job_terminal."""
        with self.database.transaction() as tx:
            row = existing(tx.row("lock_job", job_id=job_id), "job", job_id)
            if row["status"] in TERMINAL:
                raise terminal(row)
            if row["cancel_requested_at"] is None:
                # No run would read the request of a parked or waiting job: wake it.
                tx.run("wake_job", job_id=job_id)
                tx.audit(actor, "job.cancel", row["user_id"], job_id, reason=request.reason)
            return _view(tx.only("request_cancel", job_id=job_id, reason=request.reason), ())

    def replay(self, actor: str, job_id: str, request: ReplayRequest) -> JobView:
        """Queue a failed job again and wake it, in one transaction. Repeatable by replay_id.

        Raises ApiFault 404, 409 not_failed (a completed job never runs again; use rerun), replay_stale, user_disabled.
        """
        with self.database.transaction() as tx:
            row = existing(tx.row("lock_job", job_id=job_id), "job", job_id)
            if str(row["replay_id"]) == request.replay_id:
                return _view(row, ())
            if tx.only("was_replayed", job_id=job_id, replay_id=request.replay_id)["known"]:
                raise ApiFault(409, "replay_stale", f"job {job_id} was replayed again after {request.replay_id}")
            if row["status"] != "failed":
                hint = "Use rerun for a job that has ended; an open job needs no replay."
                raise ApiFault(
                    409, "not_failed", f"job {job_id} is {row['status']}; only a failed job can be replayed", hint=hint
                )
            _require_enabled(tx, str(row["user_id"]))
            changed = tx.only("reopen_job", job_id=job_id, **request.model_dump())
            tx.run("wake_job", job_id=job_id)
            tx.audit(actor, "job.replay", row["user_id"], job_id, **request.model_dump(exclude_none=True))
            return _view(changed, (), _pause(tx, changed))

    def discard(self, actor: str, request: DiscardRequest) -> dict[str, Any]:
        """Record who closes a dead letter and why; the dead letter is in the bucket. Repeatable by actor and key."""
        with self.database.transaction() as tx:
            if not tx.only("was_discarded", actor=actor, key=request.key)["known"]:
                details = {"key": request.key, "reason": request.reason}
                tx.audit(actor, "dead_letter.discard", request.user_id, request.job_id, **details)
        return {"key": request.key}

    def bucket_deed(self, actor: str, request: BucketDeedRequest) -> dict[str, Any]:
        """Record what an operator is about to do in the bucket, and why."""
        with self.database.transaction() as tx:
            tx.audit(actor, request.action, request.user_id, **{**request.details, "reason": request.reason})
        return {"action": request.action}

    def job(self, job_id: str) -> JobView:
        """Raises ApiFault 404 job_not_found."""
        with self.database.transaction() as tx:
            row = existing(tx.row("read_job", job_id=job_id), "job", job_id)
            return _view(row, tx.rows("job_artifacts", job_ids=[row["id"]]), _pause(tx, row))

    def jobs(self, filters: Mapping[str, str]) -> JobList:
        """Newest first, a page at a time. Raises ApiFault 422 for a malformed filter."""
        status = one_of(filters, "status", STATUSES)
        after_at, after_id = _after(filters.get("after"))
        with self.database.transaction() as tx:
            rows = tx.rows(
                "list_jobs",
                status=status,
                user_id=_uuid(filters.get("user_id")),
                job_type=filters.get("type") or None,
                after_at=after_at,
                after_id=after_id,
                limit=PAGE + 1,
            )
            artifacts = tx.rows("job_artifacts", job_ids=[row["id"] for row in rows[:PAGE]])
        jobs = tuple(_view(row, [a for a in artifacts if a["job_id"] == row["id"]]) for row in rows[:PAGE])
        return JobList(jobs=jobs, next_after=_token(rows[PAGE - 1]) if len(rows) > PAGE else None)


def submit_job(tx: Tx, triggered_by: str, **columns: Any) -> Row:
    """Insert a job; what is not given is as in a job that the schedule plans."""
    unless_given = {"period": None, "rerun_of": None, "force": False, "force_render": False}
    return tx.only("submit_job", **{**unless_given, **columns}, triggered_by=triggered_by)


def enable_workspace(tx: Tx, bucket: str, user_id: str, profile: str | None) -> Row:
    """Make a user's workspace, or enable the one that is there; returns its row."""
    return tx.only(
        "enable_workspace",
        user_id=user_id,
        workspace_uri=f"gs://{bucket}/users/{user_id}/",
        runtime_profile=profile,
        default_profile=DEFAULT_PROFILE,
    )


def _require_enabled(tx: Tx, user_id: str) -> None:
    row = tx.row("workspace_of", user_id=user_id)
    if row is None:
        raise ApiFault(404, "user_not_found", f"user {user_id} has no workspace", hint=ENABLE)
    if row["status"] != "enabled":
        raise ApiFault(409, "user_disabled", f"user {user_id} is disabled", hint=ENABLE)


def _begin_anew(tx: Tx, user_id: str, *, allowed: bool) -> bool:
    """Whether this reverts an erasure. Raises ApiFault 409 user_erased: it would, and the request does not allow it."""
    erasure = tx.row("erasure_of", user_id=user_id)
    if erasure is None or not erasure["erased"]:
        return False
    if not allowed:
        raise ApiFault(
            409,
            "user_erased",
            f"everything of user {user_id} was erased at {erasure['erased_at']:%Y-%m-%dT%H:%M:%SZ}; if enabled, "
            "the next digest would bring back everything the app still has",
            hint=f"To bring the data back, run `cloop-memory user enable {user_id} --begin-anew`. "
            "Records that were purged by name stay out.",
        )
    tx.run("begin_anew", user_id=user_id)
    return True


def _workspace(row: Row) -> dict[str, Any]:
    same = ("workspace_uri", "runtime_profile", "template_version", "status")
    return {"user_id": str(row["user_id"]), "workspace_id": str(row["id"]), **{name: row[name] for name in same}}


def _pause(tx: Tx, row: Row) -> PauseView | None:
    """The pause that withholds an open job."""
    pause = None if row["status"] in TERMINAL else tx.row("pause_of", user_id=row["user_id"])
    return PauseView.model_validate(pause) if pause and pause["resumed_at"] is None else None


def _view(row: Row, artifacts: Sequence[Row], pause: PauseView | None = None) -> JobView:
    ids = {name: str(row[name]) if row[name] else None for name in ("user_id", "workspace_id", "replay_id", "rerun_of")}
    commit = CommitRef(seq=row["commit_seq"], digest=row["commit_digest"]) if row["commit_digest"] else None
    named = {"job_id": str(row["id"]), "force": row["forced"], "error": row["error_summary"] or None}
    return JobView.model_validate({**row, **ids, **named, "commit": commit, "artifacts": artifacts, "pause": pause})


def _uuid(value: str | None) -> str | None:
    try:
        return str(uuid.UUID(value)) if value else None
    except ValueError as exc:
        raise invalid("user_id is not a UUID") from exc


def _token(row: Row) -> str:
    return base64.urlsafe_b64encode(f"{row['requested_at'].isoformat()} {row['id']}".encode()).decode()


def _after(token: str | None) -> tuple[datetime | None, str | None]:
    if not token:
        return None, None
    try:
        at, _, job_id = base64.urlsafe_b64decode(token.encode()).decode().partition(" ")
        return datetime.fromisoformat(at), str(uuid.UUID(job_id))
    except (ValueError, binascii.Error) as exc:
        raise invalid("after is not a next_after that this server issued", "Begin again without it.") from exc
