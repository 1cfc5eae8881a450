"""Whatever an operator changes is one line in the audit: by whom, what and whom it was about. Looking is none."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from controlplane.openapi import document
from tests.fixtures_controlplane import OPERATOR, World

pytestmark = pytest.mark.integration
INTERNAL = "/api/internal"
#: Calls of operators that change nothing.
LOOKS = {"get"}
Call = tuple[str, str, dict[str, Any] | None]


def changes(world: World) -> dict[str, Call]:
    """operationId -> a call that has an effect."""
    user, other = world.user(), world.user("bob@example.com")
    world.sql("insert into auth.users (email) values ('new@example.com')")
    open_job, failed, reported = world.job(user), world.job(user), world.job(user)
    error = {"code": "tool_failed", "stage": "index", "hint": ""}
    world.complete(failed, world.token(failed), outcome="failed", error=error)
    report = {"artifact_type": "backfill_report", "workspace_path": "brain/r.md", "metadata": {"claims": 3}}
    commit = {"seq": 1, "digest": "sha256:" + "0" * 64}
    world.complete(reported, world.token(reported), commit=commit, artifacts=[report])
    why = {"reason": "because"}
    flag = {**why, "name": "hourly", "scope": "user", "target": user}
    replay = {**why, "replay_id": str(uuid.uuid4())}
    deed = {**why, "action": "lock.unlock", "user_id": user, "details": {"generation": 1}}
    wrong = {"verdict": "wrong", "statement": "0123456789abcdef"}
    made = world.operate("POST", f"/memory-users/{user}/corrections", {**wrong, "verdict": "done"}).json()["id"]
    deleted = world.user("carl@example.com")
    world.sql("delete from auth.users where id = %s", deleted)
    world.services.deletions.tick("sweep")
    return {
        "enable_user": ("POST", "/memory-users", {"user_id": other}),
        "user_wave": ("POST", "/memory-users/waves", {"size": 1, "cap": 9, "runtime_profile": "internal-full"}),
        "submit_job": ("POST", "/memory-jobs", {"user_id": user, "job_type": "insight"}),
        "cancel_job": ("POST", f"/memory-jobs/{open_job}/cancel", why),
        "replay_job": ("POST", f"/memory-jobs/{failed}/replay", replay),
        "rerun_job": ("POST", f"/memory-jobs/{reported}/rerun", {}),
        "note_discard": ("POST", "/memory-dead-letters/discards", {**why, "key": f"{failed}-1", "user_id": user}),
        "note_bucket_deed": ("POST", "/memory-bucket-deeds", deed),
        "mark_claim": ("POST", f"/memory-jobs/{reported}/marks", {**why, "claim": 1, "verdict": "useful"}),
        "make_correction": ("POST", f"/memory-users/{user}/corrections", wrong),
        "undo_correction": ("POST", f"/memory-users/{user}/corrections/{made}/undo", None),
        "set_flag": ("POST", "/memory-flags", {**flag, "value": False}),
        "unset_flag": ("POST", "/memory-flags/unset", flag),
        "pause_queue": ("POST", "/memory-queue/pause", {**why, "target": user}),
        "resume_queue": ("POST", "/memory-queue/resume", {**why, "target": user}),
        "change_cohort": ("POST", "/memory-cohorts", {**why, "cohort": "pilot", "user_id": user}),
        "keep_deleted": ("POST", f"/memory-deletions/{deleted}/keep", why),
        "disable_user": ("DELETE", f"/memory-users/{other}", None),
    }


def test_each_change_is_one_line_and_no_call_is_forgotten(world: World) -> None:
    made = changes(world)
    known = {
        operation["operationId"]
        for methods in document()["paths"].values()
        for method, operation in methods.items()
        if operation.get("security") == [{"operator": []}] and method not in LOOKS
    }
    assert set(made) == known, "a call that changes something needs its line here, and in the audit"
    for name, (method, path, body) in made.items():
        before = lines(world)
        answer = world.operate(method, path, body)
        assert answer.status_code == 200, (name, answer.text)
        [line] = lines(world)[len(before) :]
        assert line["actor"] == OPERATOR, name
        assert line["user_id"] or line["job_id"], name
        if body and body.get("reason"):
            assert line["details"]["reason"] == "because", name


def test_a_change_that_is_refused_is_none(world: World) -> None:
    made = changes(world)
    before = len(lines(world))
    for method, path, body in made.values():
        assert world.call(method, path, None, body).status_code == 401
        assert world.call(method, path, world.issuer.token("eve@example.com"), body).status_code == 403
    assert len(lines(world)) == before


def lines(world: World) -> list[dict[str, Any]]:
    return world.sql("select * from memory_audit order by id")
