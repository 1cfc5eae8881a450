"""The synthesize stage around an agent that is played here: repair, reuse, refusal, usage, sealed evidence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

import manifests
import templates
from consumer import layout, paths
from consumer.agent import plugin_files
from consumer.agent.gateway.ledger import UsageLedger, UsageLimits
from consumer.agent.gateway.server import GatewaySession
from consumer.agent.localbrain.brain import LocalBrain
from consumer.errors import (
    EvidenceTampered,
    ModelBudgetExceeded,
    ProfileRefused,
    SynthesisInvalid,
    TemplateUnknown,
    ToolFailed,
)
from consumer.ports import AgentResult, AgentTask, Guard, ModelAccess, ModelTags, ModelView
from consumer.reports import evidence
from consumer.run import Rendered, Run
from consumer.stages.synthesize import Effort, Synthesize
from consumer.storage.memory import FakeClock, MemoryBlobStore
from contract.api import Usage
from contract.event import JobType
from tests import brains

EMPTY = {"schema": "memory.claims.v1", "job_id": brains.JOB, "claims": []}
PROMPTS = {path.stem: path.read_text() for path in (Path(__file__).parents[3] / "templates/v1/prompts").glob("*.md")}
PLUGIN = templates.FOLDER / "v1" / "gbrain-plugin"
Act = Callable[[Path, AgentTask], object]


class Played:
    """An agent that does one act after the other and gives what it returns as its artifact."""

    def __init__(self, *acts: Act) -> None:
        self.acts = list(acts)
        self.tasks: list[AgentTask] = []

    def version(self) -> str:
        return "played 1.0"

    def run(self, root: Path, task: AgentTask, guard: Guard) -> AgentResult:
        self.tasks.append(task)
        answer = self.acts.pop(0)(root, task)
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        return AgentResult("s1", Usage(), 3, 0.1, data)


class Gateway:
    """A gateway without a server; ``spent`` has refused a call already."""

    def __init__(self, *, spent: bool = False) -> None:
        self.opened: list[ModelTags] = []
        self.spent = spent
        #: What was taken from the budget before, by session.
        self.before: list[Usage] = []

    @contextmanager
    def open(self, tags: ModelTags, spent: Usage, view: ModelView | None = None) -> Iterator[GatewaySession]:
        self.opened.append(tags)
        self.before.append(spent)
        ledger = UsageLedger(tags, UsageLimits(0 if self.spent else 10, 100, 1.0), {}, spent)
        ledger.admit()
        yield GatewaySession(ModelAccess("http://127.0.0.1:1/v1", "t"), ledger)


def stage(agent: Played, gateway: Gateway | None = None, blobs: MemoryBlobStore | None = None) -> Synthesize:
    bucket = MemoryBlobStore(FakeClock())
    return Synthesize(
        agent=agent,
        brain=LocalBrain(),
        gateway=gateway or Gateway(),
        bucket_of=lambda user_id: (blobs or bucket).for_prefix(paths.user(user_id)),
        efforts=dict.fromkeys(("hourly_digest", "backfill_digest", "insight"), Effort("m", 40)),
        prompts=PROMPTS,
        profiles=manifests.profiles(),
    )


@pytest.fixture
def run(tmp_path: Path) -> Run:
    brains.write(tmp_path, brains.PAGES)
    LocalBrain().open(tmp_path, brains.Free())
    return replace(brains.run(tmp_path), rendered=Rendered(changed=tuple(sorted(brains.PAGES))), brain="local")


def answers(value: object) -> Act:
    return lambda *_: value


def fails(error: Exception) -> Act:
    def act(*_: object) -> object:
        raise error

    return act


def test_a_valid_answer_becomes_the_claims_file(run: Run) -> None:
    done = stage(Played(answers(EMPTY))).run(run, brains.Free())
    assert done.synthesized
    assert (done.synthesized.agent, done.synthesized.model, done.synthesized.tool_calls) == ("played 1.0", "m", 3)
    assert json.loads((run.root / done.synthesized.claims_path).read_text()) == EMPTY


def test_with_the_flag_off_no_agent_runs_and_nothing_is_written(run: Run) -> None:
    off = replace(run, job=run.job.model_copy(update={"flags": {"synthesis": False}}))
    agent, gateway = Played(), Gateway()
    assert stage(agent, gateway).run(off, brains.Free()) is off
    assert (agent.tasks, gateway.opened) == ([], [])
    assert not (run.root / layout.synthesis_input(run.job.job_id)).exists()


def test_without_evidence_there_is_nothing_to_ask_about(run: Run) -> None:
    """A user without a record, or one whose everything was purged; derived pages alone prove nothing."""
    shutil.rmtree(run.root / layout.EVIDENCE)
    agent, gateway = Played(), Gateway()
    assert stage(agent, gateway).run(run, brains.Free()) is run
    assert (agent.tasks, gateway.opened) == ([], [])
    assert not (run.root / layout.synthesis_input(run.job.job_id)).exists()
    # The smoke of a runtime wants to see the agent at work all the same.
    forced = replace(run, job=run.job.model_copy(update={"force": True}))
    assert stage(Played(answers(EMPTY))).run(forced, brains.Free()).synthesized


def test_the_agent_is_given_the_subagents_of_its_profile(run: Run) -> None:
    made = plugin_files.for_profiles(PLUGIN, "", manifests.profiles())
    replace(stage(Played(answers(EMPTY))), subagents=made).run(run, brains.Free())
    given = json.loads((run.root / layout.synthesis_input(run.job.job_id)).read_text())["subagents"]
    assert tuple(subagent["name"] for subagent in given) == manifests.profiles()["internal-full"].subagents
    assert all(subagent["instructions"] and subagent["allowed_tools"] for subagent in given)


def test_what_the_agent_is_given(run: Run) -> None:
    agent, gateway = Played(answers(EMPTY)), Gateway()
    stage(agent, gateway).run(run, brains.Free())
    (task,) = agent.tasks
    assert task.toolsets == ("skills", "file", "terminal")
    assert "put_page" in task.brain_tools
    assert task.access.token == "t"
    assert brains.USER not in task.prompt
    assert "Borealis" not in task.prompt
    given = json.loads((run.root / layout.synthesis_input(run.job.job_id)).read_text())
    pages = [page.removesuffix(".md") for page in sorted(brains.PAGES) if page.startswith("sources/")]
    assert (given["changed_pages"], given["changed_pages_total"]) == (pages, len(pages))
    assert all(hint["citations"] for hint in given["hints"])
    assert gateway.opened[0].user_id == brains.USER


def test_what_the_index_took_is_spent_when_the_agent_begins(run: Run) -> None:
    gateway, taken = Gateway(), Usage(input_tokens=7, requests=2, cost_usd=0.5)
    done = stage(Played(answers(EMPTY)), gateway).run(replace(run, usage=taken), brains.Free())
    assert gateway.before == [taken]
    assert done.usage == taken


def test_the_agent_is_told_the_pages_that_changed_since_the_last_report_and_no_others(run: Run) -> None:
    evidence.cover(run, evidence.load(run.root, brains.Free()))
    page, *_ = (path for path in sorted(brains.PAGES) if path.startswith("sources/"))
    file = run.root / layout.BRAIN / page
    file.write_text(file.read_text() + "\nOne more sentence.\n")
    stage(Played(answers(EMPTY))).run(run, brains.Free())
    given = json.loads((run.root / layout.synthesis_input(run.job.job_id)).read_text())
    assert (given["changed_pages"], given["changed_pages_total"]) == ([page.removesuffix(".md")], 1)


@pytest.mark.parametrize("bad", [b"", b"{", b"[]", {"schema": "memory.claims.v1"}, {**EMPTY, "job_id": "other"}])
def test_a_bad_file_is_repaired_once(run: Run, bad: object) -> None:
    agent = Played(answers(bad), answers(EMPTY))
    done = stage(agent).run(run, brains.Free())
    assert done.synthesized
    assert "was refused" in agent.tasks[1].prompt
    assert "was refused" not in agent.tasks[0].prompt


def test_twice_bad_is_invalid(run: Run) -> None:
    with pytest.raises(SynthesisInvalid):
        stage(Played(answers(b"{"), answers(b"{"))).run(run, brains.Free())


def test_a_missing_file_is_asked_for_again(run: Run) -> None:
    agent = Played(fails(SynthesisInvalid("wrote no file")), answers(EMPTY))
    assert stage(agent).run(run, brains.Free()).synthesized


def test_a_failed_tool_is_not_repaired(run: Run) -> None:
    agent = Played(fails(ToolFailed("hermes hung")))
    with pytest.raises(ToolFailed):
        stage(agent).run(run, brains.Free())
    assert len(agent.tasks) == 1


def test_a_spent_budget_explains_the_failure(run: Run) -> None:
    with pytest.raises(ModelBudgetExceeded):
        stage(Played(fails(ToolFailed("code 1"))), Gateway(spent=True)).run(run, brains.Free())


def test_the_same_question_is_paid_for_once(run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    blobs = MemoryBlobStore(FakeClock())
    stage(Played(answers(EMPTY)), blobs=blobs).run(run, brains.Free())
    # The next attempt starts in a new folder, from the same snapshot and export.
    other = tmp_path_factory.mktemp("again")
    brains.write(other, brains.PAGES)
    LocalBrain().open(other, brains.Free())
    gateway = Gateway()
    again = stage(Played(), gateway, blobs).run(replace(run, root=other), brains.Free())
    assert again.synthesized
    assert again.synthesized.reused
    assert json.loads((other / again.synthesized.claims_path).read_text()) == EMPTY
    assert not gateway.opened


def test_another_page_is_another_question(run: Run) -> None:
    blobs = MemoryBlobStore(FakeClock())
    stage(Played(answers(EMPTY)), blobs=blobs).run(run, brains.Free())
    brains.write(run.root, {"sources/cloop/meeting-notes/new-9.md": brains.page("New", "Something else.")})
    agent = Played(answers(EMPTY))
    assert stage(agent, blobs=blobs).run(run, brains.Free()).synthesized
    assert len(agent.tasks) == 1


def test_a_damaged_store_only_costs_another_run(run: Run) -> None:
    blobs = MemoryBlobStore(FakeClock())
    stage(Played(answers(EMPTY)), blobs=blobs).run(run, brains.Free())
    (name,) = blobs.names()
    blobs.write(name, b"{", if_generation=None)
    assert stage(Played(answers(EMPTY)), blobs=blobs).run(run, brains.Free()).synthesized


def test_touched_evidence_refuses_the_run_and_is_undone(run: Run) -> None:
    page = run.root / "brain" / brains.NOTES / "atlas-kickoff-1a2b.md"
    before = page.read_bytes()

    def tamper(root: Path, _: AgentTask) -> object:
        page.write_text("forged")
        return EMPTY

    with pytest.raises(EvidenceTampered, match=r"1 sealed files: [0-9a-f]{12} \("):
        stage(Played(tamper)).run(run, brains.Free())
    assert page.read_bytes() == before
    report = json.loads((run.root / layout.tampering(run.job.job_id)).read_text())
    assert [(change["kind"], change["undone"]) for change in report] == [("written", True)]


def test_notes_on_derived_pages_are_allowed(run: Run) -> None:
    def note(root: Path, _: AgentTask) -> object:
        (root / "brain/people/anna-kowal-9f.md").write_text("noted")
        return EMPTY

    assert stage(Played(note)).run(run, brains.Free()).synthesized


@pytest.mark.parametrize("profile", ["unknown", "retired"])
def test_a_profile_that_is_not_enabled_is_refused(run: Run, profile: str) -> None:
    other = replace(run, job=run.job.model_copy(update={"runtime_profile": profile}))
    known = manifests.profiles()
    retired = known["user-memory-prod"].model_copy(update={"name": "retired", "enabled": False})
    with pytest.raises(ProfileRefused, match=rf"{profile} is not one of \['internal-full', 'user-memory-prod'\]"):
        replace(stage(Played()), profiles={**known, "retired": retired}).run(other, brains.Free())


def test_a_template_without_the_prompt_is_unknown(run: Run) -> None:
    with pytest.raises(TemplateUnknown):
        replace_prompts(stage(Played())).run(run, brains.Free())


def replace_prompts(stage: Synthesize) -> Synthesize:
    return replace(stage, prompts={"repair": "$prompt $fault"})


@pytest.mark.parametrize("job_type", ["backfill_digest", "hourly_digest", "insight"])
def test_every_job_type_has_a_prompt_and_a_skill_that_exists(run: Run, job_type: JobType) -> None:
    agent = Played(answers(EMPTY))
    stage(agent).run(replace(run, job=run.job.model_copy(update={"job_type": job_type})), brains.Free())
    task = json.loads(agent.tasks[0].prompt.split("```json\n")[1].split("\n```")[0])
    skill = Path(__file__).parents[3] / "templates/v1/hermes-home/skills" / task["skill"] / "SKILL.md"
    assert f"name: {task['skill']}" in skill.read_text()
    assert "$" not in agent.tasks[0].prompt
