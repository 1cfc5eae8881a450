"""The main job with real parts: what a user of it would look at, looked at."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from consumer import layout, paths
from consumer.evidence import pages
from consumer.reports.citations import Resolved, resolve
from consumer.reports.claims import Citation
from consumer.run import NoDeadline
from contract.event import JobType
from local import cloud, seed
from tests import pagecheck
from tests.e2e.conftest import CANARY_KEY, JOB_S, System
from tests.fixtures_pages import rendered_pages
from tests.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@dataclass
class Story:
    """The four jobs in the order of the demo, and the environments of every process seen while they ran."""

    system: System
    rows: dict[JobType, dict[str, Any]] = field(default_factory=dict)
    environs: dict[str, bytes] = field(default_factory=dict)
    tree: Path | None = None

    def report(self, job_type: JobType) -> dict[str, Any]:
        entry: dict[str, Any] = json.loads(
            self.system.history(self.system.me).read(layout.report_json(job_type, str(self.rows[job_type]["id"])))
        )
        return entry


@pytest.fixture(scope="module")
def story(system: System, tmp_path_factory: pytest.TempPathFactory) -> Story:
    whole_story = Story(system)
    with _watching_environs(whole_story.environs):
        _job(whole_story, "inventory")
        _job(whole_story, "backfill_digest")
        with psycopg.connect(system.stack.dsn) as connection:
            seed.insert_changes(connection, system.users, datetime.now(UTC).date())
        _job(whole_story, "hourly_digest", datetime.now(UTC).strftime("%Y-%m-%dT%H"))
        _job(whole_story, "insight", datetime.now(UTC).strftime("%Y-%m-%d"))
    whole_story.tree = tmp_path_factory.mktemp("tree") / "workspace"
    system.history(system.me).hydrate(whole_story.tree, NoDeadline())
    return whole_story


def test_every_job_type_completes_with_one_commit(story: Story) -> None:
    for job_type, row in story.rows.items():
        assert (row["status"], row["outcome"]) == ("completed", "completed"), job_type
        assert story.system.commits_of(story.system.me, str(row["id"])) == [row["commit_seq"]]


def test_long_runs_are_dispatched_and_short_ones_are_not(story: Story) -> None:
    def execution(job_type: JobType) -> str | None:
        ledger = json.loads(story.system.stack.read_object(paths.ledger(str(story.rows[job_type]["id"]))))
        return ledger["execution"]

    assert str(execution("backfill_digest")).startswith(cloud.RUN_JOB)
    assert [execution(job_type) for job_type in ("inventory", "hourly_digest", "insight")] == [None, None, None]


def test_backfill_report_names_what_the_sample_user_lives_through(story: Story) -> None:
    text = _markdown(story, "backfill_digest")
    users = story.system.users
    assert sum(person in text for person in users.people) >= 8
    assert [project for project in users.projects if project not in text] == []
    # The portrait has the first of what is owed, and links the page that has all of it.
    assert "OPEN_LOOPS.md" in text
    seq = story.rows["backfill_digest"]["commit_seq"]
    loops = story.system.history(story.system.me).read("brain/OPEN_LOOPS.md", seq).decode()
    assert [title for title in users.open_loops if title not in loops] == []
    assert any(title in text for title in users.open_loops)
    stated = story.report("backfill_digest")["sections"]["contradictions"]
    quoted = [" ".join(citation["quote"] for citation in entry["citations"]) for entry in stated]
    for subject, value, other in users.contradictions:
        assert any(value in quotes and other in quotes for quotes in quoted), f"not in the report: {subject}"
    assert "offline" in text.lower()


def test_citations_all_resolve_and_the_cited_pages_say_so(story: Story) -> None:
    citations = story.report("backfill_digest")["citations"]
    assert citations["total"] == citations["resolved"] > 20
    for job_type in ("backfill_digest", "hourly_digest", "insight"):
        report = story.report(job_type)
        # The report cites the snapshot it was committed with; open every page there.
        snapshot = story.system.history(story.system.me).reader(story.rows[job_type]["commit_seq"])
        for cited in report["citations"]["citations"]:
            page = pages.parse(cited["page"], snapshot.read(f"brain/{cited['page']}.md"))
            verdict = resolve(
                Citation(page=cited["page"], anchor=cited["anchor"], quote=cited["quote"]), {page.slug: page}.get
            )
            assert isinstance(verdict, Resolved), cited
            assert verdict.checksum == cited["checksum"]


def test_hourly_digest_tells_the_changes_and_advances_the_cursors(story: Story) -> None:
    text = _markdown(story, "hourly_digest")
    assert "Kestrel date settled" in text
    history = story.system.history(story.system.me)
    before = history.commit(story.rows["backfill_digest"]["commit_seq"])[1].cursors
    after = history.commit(story.rows["hourly_digest"]["commit_seq"])[1].cursors
    assert set(before) == set(after)
    assert before != after


def test_insight_reads_no_source(story: Story) -> None:
    report = story.report("insight")
    assert not report["counts"].get("exported")
    assert report["citations"]["total"] == report["citations"]["resolved"] > 0


def test_all_sources_have_raw_lines_and_pages(story: Story) -> None:
    import manifests

    assert story.tree is not None
    raw = story.tree / layout.exports("backfill_digest", str(story.rows["backfill_digest"]["id"]))
    for source in manifests.export_manifest().sources:
        assert list(raw.glob(f"{source.source_key}.batch-*.jsonl")), source.source_key
        assert list((story.tree / source.gbrain_mapping).rglob("*.md")), source.source_key


def test_every_page_parses_back_and_every_link_leads_somewhere(story: Story) -> None:
    assert story.tree is not None
    rendered = rendered_pages(story.tree / layout.BRAIN)
    assert len(rendered) > 500
    pagecheck.check_all(rendered)


def test_reports_and_job_runs_are_published_where_the_specification_says(story: Story) -> None:
    for job_type, row in story.rows.items():
        job_id = str(row["id"])
        names = {o["name"] for o in story.system.stack.list_objects(f"{paths.user(story.system.me)}published/")}
        wanted = [layout.report_json(job_type, job_id), layout.job_run(job_id)]
        for path in wanted:
            assert paths.published(story.system.me, row["commit_seq"], path) in names
        assert str(row["report_uri"]).removeprefix(f"gs://{cloud.BUCKET}/") in names


def test_capability_summary_is_exact(story: Story) -> None:
    text = _markdown(story, "backfill_digest")
    for line in (
        "Source write capability: none",
        "Supabase service role in worker: no",
        "Integration credentials in worker: no",
        "Allowed API scopes: memory_export:read, memory_job:complete",
        f"Workspace write capability: gs://{cloud.BUCKET}/users/{story.system.me}/...",
    ):
        assert line in text


def test_nothing_of_another_user_is_in_the_workspace(story: Story) -> None:
    assert story.tree is not None
    for user in story.system.users.others:
        for word in (user.canary, user.user_id, user.email):
            assert _files_with(story.tree, word.encode()) == [], word


def test_secrets_and_withheld_fields_never_arrive(story: Story) -> None:
    assert story.tree is not None
    for secret in story.system.users.secret_canaries:
        assert _files_with(story.tree, secret.encode()) == [], secret


def test_planted_instruction_is_quoted_and_not_obeyed(story: Story) -> None:
    """It stands in evidence, as text; no report repeats its canary, no file was made of it."""
    assert story.tree is not None
    canary = story.system.users.injection_canary.encode()
    hits = [str(path.relative_to(story.tree)) for path in _files_with(story.tree, canary)]
    assert hits, "the planted text is evidence and must be kept"
    allowed = ("brain/sources/", "runtime/exports/", "gbrain-home/", "hermes-home/state.db")
    assert [path for path in hits if not path.startswith(allowed)] == []


def test_the_model_key_is_nowhere(story: Story) -> None:
    stack = story.system.stack
    assert story.tree is not None
    assert _files_with(story.tree, CANARY_KEY.encode()) == []
    assert _files_with(stack.state, CANARY_KEY.encode()) == [], "bucket, queues, database, logs, run folders"
    holders = {name for name, environ in story.environs.items() if CANARY_KEY.encode() in environ}
    assert {"hermes", "localbrain"} <= {name.split(":")[0] for name in story.environs}, "children were really seen"
    assert {name.split(":")[0] for name in holders} <= {"consumer", "job"}


def test_history_verifies(story: Story) -> None:
    done = story.system.cli("workspace", "verify", "--user", story.system.me)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_same_message_again_writes_nothing(story: Story) -> None:
    system = story.system
    job_id = str(story.rows["insight"]["id"])
    event = system.jobs.event(job_id)
    watched = [paths.head(system.me), paths.ledger(job_id), paths.lock(system.me)]

    def generations() -> list[tuple[str, str]]:
        return [(o["name"], o["generation"]) for name in watched for o in system.stack.list_objects(name)]

    before, seen = generations(), _outcomes(system, job_id)
    cloud.publish(system.stack.pubsub_host, cloud.JOBS, event.encode(), event.attributes(), event.user_id)
    until(lambda: len(_outcomes(system, job_id)) > len(seen))
    assert _outcomes(system, job_id)[-1] == "duplicate"
    assert generations() == before


def test_an_hour_without_news_commits_nothing_and_starts_no_tool(story: Story) -> None:
    system = story.system
    head = system.operations.workspaces.of(system.me).read_head()
    row = system.jobs.wait(system.jobs.insert(system.me, "hourly_digest", "2020-01-01T01"), timeout_s=JOB_S)
    assert (row["status"], row["substate"], row["outcome"]) == ("completed", "no_change", "no_change")
    ledger = json.loads(system.stack.read_object(paths.ledger(str(row["id"]))))
    assert [mark["stage"] for mark in ledger["stages"]] == ["hydrate", "export"]
    after = system.operations.workspaces.of(system.me).read_head()
    assert head is not None
    assert after is not None
    assert (after.seq, after.commit) == (head.seq, head.commit)


# --- how it is looked at ----------------------------------------------------------------------------------------


def _job(story: Story, job_type: JobType, period: str | None = None) -> None:
    job_id = story.system.jobs.insert(story.system.me, job_type, period)
    story.rows[job_type] = story.system.jobs.wait(job_id, timeout_s=JOB_S)


def _markdown(story: Story, job_type: JobType) -> str:
    row = story.rows[job_type]
    uri = str(row["report_uri"])
    assert uri.endswith(".md")
    return story.system.stack.read_object(uri.removeprefix(f"gs://{cloud.BUCKET}/")).decode()


def _outcomes(system: System, job_id: str) -> list[str]:
    return [
        line["message"] for line in system.stack.consumer_log() if line.get("job_id") == job_id and "status" in line
    ]


def _files_with(folder: Path, word: bytes) -> list[Path]:
    files = [Path(place) / name for place, _, names in os.walk(folder) for name in names]
    return [path for path in sorted(files) if word in _bytes(path)]


def _bytes(path: Path) -> bytes:
    """Of a file; nothing where it is none, or is gone by now: the stack works on below its folder."""
    try:
        return path.read_bytes() if path.is_file() and not path.is_symlink() else b""
    except FileNotFoundError:
        return b""


class _watching_environs:
    """Collects /proc/*/environ of the run's processes while the block runs, by what they are."""

    def __init__(self, pages: dict[str, bytes]) -> None:
        self._pages = pages
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(0.1):
            for pid, kind in _kinds():
                try:
                    self._pages.setdefault(f"{kind}:{pid}", Path(f"/proc/{pid}/environ").read_bytes())
                except OSError:
                    continue


def _kinds() -> Iterator[tuple[str, str]]:
    marks = {
        "consumer.entrypoints.push": "consumer",
        "consumer.entrypoints.job": "job",
        "consumer.agent.localbrain": "localbrain",
        "/hermes": "hermes",
    }
    for pid in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 (a scan every 100 ms)
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        for mark, kind in marks.items():
            if mark in command:
                yield pid, kind
                break
