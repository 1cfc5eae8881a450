"""``cloop-memory lock ...``: show and remove the lock on a user's workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from consumer.cli.options import Json, UserId, is_reason
from consumer.cli.output import emit_json, fail, pairs
from consumer.cli.session import connect
from consumer.cli.writing import note
from consumer.errors import LockBusy

if TYPE_CHECKING:
    from consumer.locking.lock import LockView

Reason = Annotated[str, typer.Option("--reason", help="Recorded in the lock and in the audit.", callback=is_reason)]

app = typer.Typer()


@app.command()
def show(ctx: typer.Context, user_id: UserId, as_json: Json = False) -> None:
    """Show the holder of a lock, its job and expiry. Example: cloop-memory lock show 0a6e...-..."""
    view = connect(ctx).locks.show(user_id)
    if view is None:
        fail(f"user {user_id} has no lock: no job has run yet", code=3)
    values = _lock_values(view)
    emit_json(values) if as_json else pairs(values)


@app.command()
def unlock(
    ctx: typer.Context,
    user_id: UserId,
    generation: Annotated[
        int, typer.Option("--generation", help="Generation that `lock show` prints; any other is refused.")
    ],
    reason: Reason,
) -> None:
    """Remove a lock. Its holder stops at the next renewal and cannot commit; no data is lost.

    Example: cloop-memory lock unlock 0a6e...-... --generation 1764236 --reason "instance is gone"
    """
    operations = connect(ctx)
    owner = f"operator {operations.operator}: {reason}"[:200]
    view = operations.locks.show(user_id)
    if view and view.generation == generation:
        note(operations, "lock.unlock", user_id, reason, generation=generation)
    try:
        operations.locks.unlock(user_id, generation=generation, owner=owner)
    except LockBusy as exc:
        fail(f"{exc}; the lock is no longer at generation {generation}: see `lock show`")
    typer.echo(f"removed the lock of {user_id} at generation {generation}")


def _lock_values(view: LockView) -> dict[str, Any]:
    record = view.record
    if record and record.state == "free":
        # Nobody holds it, so nothing can expire.
        return {
            "state": "free",
            "since": view.updated.isoformat(),
            "last_owner": record.owner,
            "last_job_id": record.job_id,
            "last_attempt": record.attempt,
            "epoch": record.epoch,
            "generation": view.generation,
        }
    values = record.model_dump(mode="json", exclude={"schema_version", "put_id"}) if record else {"state": "unreadable"}
    return {
        **values,
        "generation": view.generation,
        "updated": view.updated.isoformat(),
        "expires_at": view.expires_at.isoformat(),
        "stale": view.stale,
    }
