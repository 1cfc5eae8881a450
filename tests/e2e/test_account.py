"""A person deletes their account, and the memory goes: from bucket, index, disks and lists, with a receipt."""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

import psycopg
import pytest

from consumer import paths
from contract.api import EnableUserRequest
from contract.event import TickEvent, TickKind
from local import cloud
from local.stack import Stack
from tests.e2e import rows
from tests.e2e.conftest import JOB_S, System
from tests.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]
#: Stands in every record of the person, and nowhere else.
CANARY = "Quillfeather"


def ask(stack: Stack, method: str, name: str, body: bytes | None = None) -> None:
    """Change one object past every client of ours, as a fault of the bucket or a slip in its console would."""
    upload = f"{stack.gcs_url}/upload/storage/v1/b/{cloud.BUCKET}/o?uploadType=media&name={quote(name, safe='')}"
    url = upload if body is not None else f"{stack.gcs_url}/storage/v1/b/{cloud.BUCKET}/o/{quote(name, safe='')}"
    with urlopen(Request(url, data=body, method=method), timeout=30) as reply:
        reply.read()


def tick(system: System, kind: TickKind) -> None:
    cloud.publish(system.stack.pubsub_host, cloud.TICKS, TickEvent(kind=kind).encode(), {})


def run_cli(system: System, *words: str, code: int = 0) -> Any:
    done = system.cli(*words, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout) if code == 0 else done.stderr


def state(system: System, user_id: str) -> str:
    return str(run_cli(system, "user", "show", user_id)["deletion"]["state"])


def names(system: System, user_id: str) -> set[str]:
    return {stored["name"] for stored in system.stack.list_objects() if user_id in stored["name"]}


def sql(system: System, query: str, *values: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(system.stack.dsn) as connection:
        cursor = connection.execute(query.encode(), values)
        return cursor.fetchall() if cursor.description else []


def a_person(system: System) -> tuple[str, str]:
    """A user whose memory has grown; the id, and the backfill's."""
    user_id = str(uuid.uuid4())
    system.operations.api.enable_user(EnableUserRequest(email=rows.add_user(system.stack.dsn, user_id)))
    rows.thicken(system.stack.dsn, user_id)
    sql(system, "update public.checklist_items set title = title || ' ' || %s where user_id = %s", CANARY, user_id)
    sql(
        system, "update public.meeting_notes set note_text = note_text || ' ' || %s where user_id = %s", CANARY, user_id
    )
    backfill = system.jobs.insert(user_id, "backfill_digest")
    assert system.jobs.wait(backfill, timeout_s=JOB_S)["status"] == "completed"
    rows.add_item(system.stack.dsn, user_id, f"Call {CANARY} back")
    hourly = system.jobs.insert(user_id, "hourly_digest", "2026-02-01T00")
    assert system.jobs.wait(hourly, timeout_s=JOB_S)["status"] == "completed"
    return user_id, backfill


def sound(system: System, user_id: str) -> None:
    """Nothing happened to the workspace."""


def damaged(system: System, user_id: str) -> None:
    """A pack is overwritten and HEAD is lost, the day before."""
    packs = sorted(name for name in names(system, user_id) if "/packs/" in name)
    ask(system.stack, "POST", packs[0], b"not a pack")
    ask(system.stack, "DELETE", paths.head(user_id))


def ticked(system: System, user_id: str) -> str:
    """How far the erasure is, and one more tick for it: a tick while a shared service is away plans nothing."""
    tick(system, "hourly")
    return state(system, user_id)


def time_passes(system: System, user_id: str) -> None:
    """Three hours after the first sweep: in the row, and in the bucket's own note of when late writers have ended."""
    sql(system, "update memory_deletions set erased_at = erased_at - interval '4 hours' where user_id = %s", user_id)
    for stored in system.stack.list_objects("late/"):
        if user_id in stored["name"]:
            note = json.loads(system.stack.read_object(stored["name"]))
            ask(system.stack, "POST", stored["name"], json.dumps({**note, "due": "2026-01-01T00:00:00Z"}).encode())


@pytest.mark.parametrize("harm", [sound, damaged], ids=["sound", "damaged"])
def test_a_deleted_account_is_gone_from_everywhere_with_a_receipt(system: System, harm: Any) -> None:
    user_id, backfill = a_person(system)
    assert holding(system.stack.run_root, user_id), "an instance keeps something of the user"
    harm(system, user_id)
    sql(system, "delete from auth.users where id = %s", user_id)

    until(lambda: ticked(system, user_id) == "erased")
    tombstones = {paths.head(user_id), paths.lock(user_id), paths.suppressed(user_id)}
    notes = {name for name in names(system, user_id) if name.startswith("late/")}
    assert names(system, user_id) == tombstones | notes
    refused = run_cli(system, "user", "receipt", user_id, code=3)
    assert "receipt_not_found" in refused
    assert "its state is: erased" in refused

    time_passes(system, user_id)
    until(lambda: ticked(system, user_id) == "receipt given")
    receipt = run_cli(system, "user", "receipt", user_id)
    assert receipt["objects"]["packs"] >= 1
    assert receipt["rows"]["memory_artifacts"] >= 2
    assert names(system, user_id) == tombstones
    assert not [name for name in tombstones if CANARY.encode() in system.stack.read_object(name)]
    assert not [stored for stored in system.stack.list_objects() if backfill in stored["name"]], (
        "ledgers and letters went too"
    )

    assert [holding(system.stack.state / folder, user_id) for folder in ("run", "run-job")] == [[], []]
    assert user_id not in {user["user_id"] for user in run_cli(system, "user", "list", "--limit", "1000")}
    assert user_id in {user["user_id"] for user in run_cli(system, "user", "list", "--deleted")}
    assert run_cli(system, "job", "list", "--user", user_id)[0]["report_uri"] is None

    sql(system, "update memory_deletions set swept_at = swept_at - interval '8 days' where user_id = %s", user_id)
    tick(system, "hourly")
    until(lambda: run_cli(system, "user", "show", user_id)["deletion"]["forgotten_at"] is not None)
    assert run_cli(system, "job", "list", "--user", user_id) == []
    assert sql(system, "select 1 from memory_workspaces where user_id = %s", user_id) == []
    assert run_cli(system, "user", "receipt", user_id) == receipt


def holding(folder: Path, user_id: str) -> list[str]:
    """Files below this folder that hold the canary, or are packs of this user."""
    # Not rglob: a run's folder may be on its way to where it is kept, which os.walk passes over.
    files = [Path(root, name) for root, _, names_here in os.walk(folder) for name in names_here]
    return [str(path.relative_to(folder)) for path in files if path.parent.name == user_id or _says(path)]


def _says(path: Path) -> bool:
    try:
        return path.is_file() and CANARY.encode() in path.read_bytes()
    except FileNotFoundError:
        return False


def test_a_job_that_runs_at_that_moment_ends_and_brings_nothing_back(system: System) -> None:
    user_id, _ = a_person(system)
    rows.add_many_items(system.stack.dsn, user_id, 1500)
    running = system.jobs.insert(user_id, "hourly_digest", "2026-02-01T01")
    system.jobs.wait(running, lambda row: row["stage"] in ("export", "render", "index", "synthesize"), timeout_s=JOB_S)
    sql(system, "delete from auth.users where id = %s", user_id)
    tick(system, "hourly")
    # The lock is the run's until it has stopped; the next ticks name the user again.
    until(lambda: ticked(system, user_id) == "erased")
    assert system.jobs.wait(running, timeout_s=JOB_S)["status"] in ("cancelled", "completed")
    assert not [stored for stored in system.stack.list_objects("dead/") if running in stored["name"]]
    kept = {paths.head(user_id), paths.lock(user_id), paths.suppressed(user_id)}
    assert {name for name in names(system, user_id) if name.startswith("users/")} == kept
