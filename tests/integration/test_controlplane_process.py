"""The control plane as a process: settings from the environment, one ready line, exit codes, nothing secret said."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx

from local.logins import CONTROLPLANE, READER
from tests.fixtures_controlplane import AUDIENCE, CONSUMER, OPERATOR, World
from tests.fixtures_postgres import as_login
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).parents[2]


def start(environ: Mapping[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "controlplane.main"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_serves_and_stops_on_sigterm(world: World) -> None:
    process = start(
        {
            "DATABASE_URL": as_login(world.dsn, CONTROLPLANE),
            "EXPORT_DATABASE_URL": as_login(world.dsn, READER),
            "CONTROLPLANE_AUDIENCE": AUDIENCE,
            "OIDC_JWKS_URL": "http://127.0.0.1:9/none",
            "CONSUMER_SERVICE_ACCOUNTS": CONSUMER,
            "OPERATOR_EMAILS": OPERATOR,
            "JOB_TOKEN_KEY": str(world.key_path),
            "WORKSPACE_BUCKET": "test",
            "HOST": "127.0.0.1",
            "PORT": "0",
        }
    )
    try:
        assert process.stdout
        ready = json.loads(process.stdout.readline())
        assert ready["ready"] == "controlplane"
        with httpx.Client(base_url=ready["url"], timeout=PATIENCE_S) as client:
            assert client.get("/healthz").json() == {"status": "ok"}
            assert client.get("/readyz").json() == client.get("/ready").json() == {"status": "ready"}
            # Tokens of this world's key are good here too: same key, same database, the reader logged in as itself.
            user = world.user()
            world.sql("insert into user_rules (user_id, rule_text) values (%s, 'x')", user)
            job = world.job(user)
            path = f"/api/internal/memory-export/jobs/{job}/batches"
            headers = {"authorization": f"Bearer {world.token(job)}"}
            body = {"mode": "backfill", "cursor": {}, "source_keys": ["user_rules"]}
            page = client.post(path, json=body, headers=headers)
        assert [r["user_id"] for r in page.json()["records"]] == [user]
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")


def test_every_wrong_setting_is_told_at_once_and_no_secret() -> None:
    process = start({"DATABASE_URL": "postgresql://user:hunter2@db/x", "PORT": "99999", "PLAN_SPREAD_S": "-1"})
    out, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2
    assert out == ""
    for name in ("CONTROLPLANE_AUDIENCE", "JOB_TOKEN_KEY", "WORKSPACE_BUCKET", "PORT", "PLAN_SPREAD_S"):
        assert name in errors
    assert "hunter2" not in errors
