"""One job through the API: token, export, progress, completion; and every refusal on the way."""

from __future__ import annotations

from tests.fixtures_controlplane import BUCKET, World


def test_an_inserted_row_runs_to_its_end(world: World) -> None:
    user = world.user()
    world.sql("insert into user_rules (user_id, rule_text) values (%s, 'No meetings on Friday')", user)
    job = world.job(user)
    assert world.sql("select job_id from memory_outbox") == [{"job_id": world.row(job)["id"]}]

    granted = world.open(job).json()
    assert granted["job"]["workspace_uri"] == f"gs://{BUCKET}/users/{user}/"
    assert granted["job"]["timezone"] == "Europe/Berlin"
    assert granted["job"]["status"] == "running"
    assert len(granted["job"]["allowed_sources"]) == 23
    token = granted["token"]

    page = world.batch(job, token).json()
    assert [r["data"]["rule_text"] for r in page["records"]] == ["No meetings on Friday"]
    assert page["has_more"] is False

    assert world.progress(job, token, stage="export", counts={"records": 1}).json() == {"cancel_requested": False}
    done = world.complete(job, token, commit={"seq": 1, "digest": "sha256:ab"})
    assert done.json() == {"status": "completed"}
    assert world.row(job)["stage"] == "export"
    workspace = world.sql("select * from memory_workspaces where user_id = %s", user)[0]
    assert workspace["last_backfill_at"] == world.row(job)["started_at"]
