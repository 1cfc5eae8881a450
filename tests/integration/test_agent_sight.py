"""What an agent finds of held records when it searches everything that it can reach, in a real sandbox."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import yaml

import manifests
from consumer import layout, paths
from consumer.agent import sandbox
from consumer.agent.gateway.ledger import UsageLedger, UsageLimits
from consumer.agent.gateway.server import GatewaySession
from consumer.agent.gbrain.brain import GBrain
from consumer.agent.hermes.agent import HermesAgent
from consumer.agent.localbrain.brain import LocalBrain
from consumer.agent.process import ProcessTool
from consumer.agent.sandbox import Sandbox
from consumer.evidence.index import open_index
from consumer.ports import Brain, ModelAccess, ModelTags, ModelView
from consumer.reports.evidence import PageCache
from consumer.run import Run
from consumer.stages.index import Index
from consumer.stages.report import Report
from consumer.stages.synthesize import Synthesize
from consumer.storage.memory import FakeClock, MemoryBlobStore
from contract.api import Usage
from service.clock import SystemClock
from tests import brains
from tests.fake_export import EPOCH, FakeExport, Row, export_and_render, run_of
from tests.overlays import FakeOverlays
from tests.unit.stages.test_ruled_reports import DAY, HELD, RULE, mail, rule

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]
ROOT = Path(__file__).parents[2]
DOUBLE = ROOT / "tests/doubles/searching_agent.py"
GBRAIN = ROOT / "tests/doubles/gbrain.py"
#: Words of records that no rule holds: without them the search would prove nothing.
FREE = ("price deck", "landlord")
SESSION = "Sofie wrote in a session of an earlier job"


@pytest.fixture(autouse=True, scope="module")
def _available() -> None:
    if why := sandbox.unavailable():
        if os.environ.get("CI"):
            pytest.fail(f"no sandbox on a machine of CI: {why}")
        pytest.skip(f"NOT TESTED, this system gives no sandbox: {why}")


class Gateway:
    @contextmanager
    def open(self, tags: ModelTags, spent: Usage, view: ModelView | None = None) -> Iterator[GatewaySession]:
        yield GatewaySession(
            ModelAccess("http://127.0.0.1:1/v1", "t"), UsageLedger(tags, UsageLimits(1, 1, 1.0), {}, spent)
        )


@dataclass
class Workspace:
    """Whole jobs but for hydrate and persist, with an agent that searches. ``server``: the user's records.

    ``with_gbrain``: the brain is GBrain's double, and not the local one.
    """

    root: Path
    tools: Path
    server: FakeExport
    with_gbrain: bool = False
    number: int = 0
    desk: PageCache = field(init=False)

    def __post_init__(self) -> None:
        self.desk = PageCache(open_index, FakeOverlays(self.server))
        self.tools.mkdir()
        self.binary = self.tools / "hermes"
        self.binary.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{DOUBLE}" "{self.tools}/order.json" "$@"\n')
        self.binary.chmod(0o755)
        (self.tools / "faults.json").write_text('{"log": "/dev/null"}')
        self.gbrain = self.tools / "gbrain"
        self.gbrain.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{GBRAIN}" "{self.tools}/faults.json" "$@"\n')
        self.gbrain.chmod(0o755)

    @property
    def brain(self) -> Brain:
        if self.with_gbrain:
            return GBrain(self.tool, str(self.gbrain), SystemClock(), path=os.environ["PATH"])
        return LocalBrain()

    @property
    def tool(self) -> ProcessTool:
        return ProcessTool(SystemClock(), linger_s=0.2, grace_s=0.5, poll_s=0.02, sandbox=Sandbox())

    def job(self, profile: str = "user-memory-prod") -> dict[str, list[str]]:
        """Where the agent of the next job found each word."""
        self.number += 1
        spec = {"requested_at": EPOCH + 4 * DAY, "period": f"2026-03-05T{self.number:02}", "runtime_profile": profile}
        run = run_of(self.root, self.server, "backfill_digest", self.number, **spec)
        run = export_and_render(replace(run, job=run.job.model_copy(update={"force": True})))
        run = Index(self.brain, desk=self.desk, profiles=manifests.profiles()).run(run, brains.Free())
        output = layout.synthesis(run.job.job_id)
        order = {
            "output": output,
            "job_id": run.job.job_id,
            "words": [*HELD, *FREE],
            "tops": ["/tmp", "/var/tmp"],
            # A sandbox shows them, also below /tmp. These tests are in one of them, with the words.
            "skipped": [str(path) for path in sandbox.OURS],
        }
        (self.tools / "order.json").write_text(json.dumps(order))
        Report(self.desk, profiles=manifests.profiles()).run(self.synthesize(run), brains.Free())
        seen: dict[str, list[str]] = json.loads((self.root / output).with_name("seen.json").read_text())
        return seen

    def synthesize(self, run: Run) -> Run:
        config = yaml.safe_load((ROOT / "templates/v1/hermes-home/config.yaml").read_text())
        bucket = MemoryBlobStore(FakeClock())
        return Synthesize(
            agent=HermesAgent(self.tool, str(self.binary), config),
            brain=self.brain,
            gateway=Gateway(),
            bucket_of=lambda user_id: bucket.for_prefix(paths.user(user_id)),
            efforts=brains.efforts("m"),
            prompts={path.stem: path.read_text() for path in (ROOT / "templates/v1/prompts").glob("*.md")},
            profiles=manifests.profiles(),
            desk=self.desk,
        ).run(run, brains.Free())

    def keep_session(self) -> None:
        home = self.root / layout.HERMES_HOME
        (home / "sessions").mkdir(parents=True, exist_ok=True)
        (home / "state.db").write_text(SESSION)
        (home / "sessions" / "s1.json").write_text(SESSION)


@pytest.fixture
def workspace(tmp_path: Path, request: pytest.FixtureRequest) -> Workspace:
    server = FakeExport()
    server.put("user_profiles", "p", Row(0, None, {"display_name": "Mara Lind"}))
    contact = {"display_name": "Sofie Brandt", "emails": ["sofie@brandt.example"], "summary": "An old friend"}
    server.put("contacts", "c", Row(2, EPOCH, contact))
    server.put("inbound_messages", "held", mail(3, "Sofie Brandt", "I'll bring you the keys by Friday."))
    server.put("inbound_messages", "open", mail(4, "Ann Lee", "I'll send you the price deck by Friday."))
    # Two items of one page, of which one is held.
    server.put("checklist_items", "gift", Row(5, EPOCH + DAY, {"title": "Buy a present for Sofie", "checked": False}))
    server.put("checklist_items", "call", Row(6, EPOCH + DAY, {"title": "Call the landlord", "checked": False}))
    return Workspace(tmp_path / "run", tmp_path / "tools", server, getattr(request, "param", "") == "gbrain")


@pytest.mark.parametrize("workspace", ["local", "gbrain"], indirect=True)
def test_a_search_of_everything_finds_nothing_that_a_rule_holds(workspace: Workspace) -> None:
    workspace.server.put("user_rules", "r", rule(7, RULE))
    seen = workspace.job()
    assert not any(seen[word] for word in HELD), seen
    for word in FREE:
        assert {"the brain's tools", "evidence_search"} <= set(seen[word])
    assert not (workspace.root / layout.AGENT_VIEW).exists()


def test_a_new_rule_begins_sessions_anew_and_an_old_one_keeps_them(workspace: Workspace) -> None:
    before = workspace.job()
    # Without a rule it sees pages and their index, and of all else in the workspace only what it was handed.
    places = {path.removeprefix(f"{workspace.root}/").partition("/")[0] for word in HELD for path in before[word]}
    assert places == {"the brain's tools", "evidence_search", layout.BRAIN, layout.RUNTIME}
    runtime = {Path(path).name for word in HELD for path in before[word] if f"/{layout.RUNTIME}/" in path}
    assert runtime <= {"search-index.sqlite", "synthesis-input.json"}
    workspace.keep_session()
    workspace.server.put("user_rules", "r", rule(7, RULE))
    after = workspace.job()
    assert not any(after[word] for word in HELD), after
    # From now on sessions hold nothing of it, so they stay, also when more comes that the rule holds.
    kept = workspace.root / layout.HERMES_HOME / "sessions" / "s2.json"
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("a session under the rule")
    workspace.server.put("inbound_messages", "more", mail(8, "Sofie Brandt", "The keys are with the neighbour."))
    again = workspace.job()
    assert not any(again[word] for word in HELD), again
    assert kept.exists()


def test_where_rules_hold_for_output_alone_the_agent_sees_all(workspace: Workspace) -> None:
    workspace.server.put("user_rules", "r", rule(7, RULE))
    workspace.job()
    seen = workspace.job("internal-full")
    for word in HELD:
        assert "the brain's tools" in seen[word]
    # It is held again in the other profile, and so are the sessions of this one.
    workspace.keep_session()
    assert not any(workspace.job()[word] for word in HELD)
