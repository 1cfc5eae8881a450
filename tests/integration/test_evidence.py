"""Export and render over the real database, its views and the real API: the law, on the sample user's own rows."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import manifests
from consumer.evidence.index import open_index, open_sightings
from consumer.run import Run
from consumer.stages.export import Export
from consumer.stages.render import Render
from contract.api import BatchRequest, BatchResponse, JobSpec, TokenResponse
from local.seed import insert_changes, seed
from tests import pagecheck
from tests.fake_export import OpenGuard, run_of
from tests.fixtures_controlplane import World

pytestmark = pytest.mark.integration

TODAY = date(2026, 11, 27)


class Session:
    """A JobSession over the API in process, for as long as one token lives."""

    def __init__(self, world: World, job_id: str) -> None:
        self._world = world
        self._job_id = job_id
        opened = TokenResponse.model_validate(world.open(job_id).json())
        self._token = opened.token
        self.spec: JobSpec = opened.job

    def batch(self, request: BatchRequest) -> BatchResponse:
        answer = self._world.batch(self._job_id, self._token, **request.model_dump(mode="json"))
        assert answer.status_code == 200, answer.text
        return BatchResponse.model_validate_json(answer.content)


def _run(world: World, user_id: str, root: Path, job_type: str, cursors: dict[str, Any]) -> Run:
    job_id = world.job(user_id, job_type)
    session = Session(world, job_id)
    run = replace(run_of(root, session), job=session.spec, cursors=cursors)
    manifest = manifests.export_manifest()
    run = Export(manifest, open_sightings, page_records=97).run(run, OpenGuard())
    if job_type != "inventory":
        run = Render(manifest, open_index).run(run, OpenGuard())
    world.sql("update memory_jobs set status = 'completed', finished_at = now() where id = %s", job_id)
    return run


def _pages(root: Path) -> dict[str, str]:
    brain = root / "brain"
    return {p.relative_to(brain).as_posix(): p.read_text() for p in sorted(brain.rglob("*.md"))}


def _masked(pages: dict[str, str]) -> dict[str, str]:
    return {path: re.sub(r'(?m)^digest_job_id: ".*"$', "", text) for path, text in pages.items()}


@pytest.mark.timeout(600)
def test_the_sample_users_pages(world: World, tmp_path: Path) -> None:
    users = seed(world.db, TODAY)
    user_id = users.main.user_id
    assert world.operate("POST", "/memory-users", {"user_id": user_id}).is_success
    key = "AKIA" + 4 * "ABCD"
    world.sql("insert into public.user_rules (user_id, rule_text) values (%s, %s)", user_id, f"Upload with {key}.")
    counted = _run(world, user_id, tmp_path / "none", "inventory", {})
    assert counted.exported is not None
    assert counted.inventory is not None
    assert counted.exported.examined == counted.inventory.records > 1_000
    reasons = {redaction.reason for redaction in counted.exported.redactions}
    assert {"excluded", "secret_name", "aws_key"} <= reasons
    assert not (tmp_path / "none").exists()

    first = _run(world, user_id, tmp_path / "one", "backfill_digest", {})
    assert first.inventory is not None
    assert first.inventory.verdict == "sufficient"
    pages = _pages(tmp_path / "one")
    pagecheck.check_all(pages)
    everything = "\n".join(pages.values())
    assert "Upload with [redacted:aws_key]." in everything
    assert key not in everything
    for source in manifests.export_manifest().sources:
        assert any(path.startswith(source.gbrain_mapping.removeprefix("brain/")) for path in pages), source.source_key
    for name in (*users.people, *users.projects):
        assert name in everything
    for secret in users.secret_canaries:
        assert secret not in everything
    raw = b"".join(path.read_bytes() for path in (tmp_path / "one/runtime/exports").rglob("*.jsonl"))
    for secret in users.secret_canaries:
        assert secret.encode() not in raw

    unchanged = _run(world, user_id, tmp_path / "one", "hourly_digest", dict(first.cursors))
    assert unchanged.exported is not None
    assert (unchanged.exported.records, unchanged.exported.deleted) == (0, 0)

    # A new zone is a changed profile: the next increment renders everything into the days of the new place.
    world.sql("update public.user_profiles set timezone = 'Asia/Tokyo' where user_id = %s", user_id)
    moved = _run(world, user_id, tmp_path / "one", "hourly_digest", dict(first.cursors))
    assert moved.exported is not None
    assert moved.exported.records == moved.exported.source_counts["user_profiles"] == 1
    evidence = {path: text for path, text in _pages(tmp_path / "one").items() if path.startswith("sources/")}
    assert {path for path, text in evidence.items() if 'timezone: "Asia/Tokyo"' not in text} == set()

    insert_changes(world.db, users, TODAY)
    second = _run(world, user_id, tmp_path / "one", "hourly_digest", dict(first.cursors))
    assert second.exported is not None
    assert second.rendered is not None
    assert second.exported.records > 0
    assert second.exported.deleted > 0
    assert second.rendered.changed
    _run(world, user_id, tmp_path / "two", "backfill_digest", {})
    assert _masked(_pages(tmp_path / "one")) == _masked(_pages(tmp_path / "two"))
