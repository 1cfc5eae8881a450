"""The synthesize stage around an agent that is played here: repair, reuse, refusal, usage, sealed evidence."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import manifests
from consumer import layout, paths
from consumer.agent import briefing, sight
from consumer.agent.gateway.ledger import UsageLedger, UsageLimits
from consumer.agent.gateway.server import GatewaySession
from consumer.agent.localbrain.brain import LocalBrain
from consumer.agent.sight import Sight
from consumer.errors import (
    EvidenceTampered,
    ModelBudgetExceeded,
    ProfileRefused,
    SynthesisInvalid,
    TemplateUnknown,
    ToolFailed,
)
from consumer.evidence import search
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
Act = Callable[[Path, AgentTask], object]


class Played:
    """An agent that does one act after the other and gives what it returns as its artifact."""

    def __init__(self, *acts: Act) -> None:
        self.acts = list(acts)
        self.tasks: list[AgentTask] = []
        #: What the agent could read at its start, by task.
        self.inputs: list[dict[str, Any]] = []

    def version(self) -> str:
        return "played 1.0"

    def run(self, root: Path, task: AgentTask, guard: Guard) -> AgentResult:
        self.tasks.append(task)
        self.inputs.append(json.loads((root / layout.synthesis_input(task.job_id)).read_text()))
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
        self.views: list[ModelView | None] = []

    @contextmanager
    def open(self, tags: ModelTags, spent: Usage, view: ModelView | None = None) -> Iterator[GatewaySession]:
        self.opened.append(tags)
        self.before.append(spent)
        self.views.append(view)
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
        efforts=brains.efforts("m"),
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


def answers_from_context(root: Path, task: AgentTask) -> object:
    """Claims the open loop of which the context alone tells, with a quote from the page that it names."""
    given = json.loads((root / layout.synthesis_input(task.job_id)).read_text())
    for line in given.get("context", []):
        match = re.search(r"Renew the Borealis contract.* \[([^#\]]+)#?([^\]]*)\]$", line)
        if match and match[1].startswith("sources/"):
            cited = {"page": match[1], "anchor": match[2], "quote": "Renew the Borealis contract"}
            return {
                **EMPTY,
                "claims": [{"kind": "open_loop", "text": "The Borealis contract is due.", "citations": [cited]}],
            }
    return EMPTY


def test_without_its_context_the_agent_answers_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour about a meeting: what else is open stands in the context, and nowhere else in the input."""
    brains.write(tmp_path, brains.STORY)
    LocalBrain().open(tmp_path, brains.Free())
    run = replace(brains.run(tmp_path, "hourly_digest", period="2026-11-09T08"), brain="local")
    evidence.cover(run, evidence.load(tmp_path, brains.Free()))
    changed = tmp_path / layout.BRAIN / brains.NOTES / "lighthouse-weekly-a1.md"
    changed.write_text(changed.read_text().replace("Order badges", "Order the badges"))
    run = replace(run, job=run.job.model_copy(update={"force": True}), rendered=Rendered(changed=(str(changed),)))

    def claims_of(done: Run) -> list[str]:
        assert done.synthesized
        written = json.loads((tmp_path / done.synthesized.claims_path).read_text())
        return [claim["text"] for claim in written["claims"]]

    def asked() -> Run:
        return replace(stage(Played(answers_from_context)), desk=brains.desk()).run(run, brains.Free())

    done = asked()
    assert claims_of(done) == ["The Borealis contract is due."]
    assert done.synthesized
    assert done.synthesized.context.startswith("sha256:")
    share = replace(briefing.SHARES["hourly_digest"], context=0)
    monkeypatch.setattr(briefing, "SHARES", {**briefing.SHARES, "hourly_digest": share})
    assert claims_of(asked()) == []


def test_what_the_agent_is_given(run: Run) -> None:
    agent, gateway = Played(answers(EMPTY)), Gateway()
    stage(agent, gateway).run(run, brains.Free())
    (task,) = agent.tasks
    assert task.toolsets == ("skills", "file", "terminal")
    assert "put_page" in task.brain_tools
    assert task.access.token == "t"
    assert brains.USER not in task.prompt
    assert "Borealis" not in task.prompt
    (given,) = agent.inputs
    pages = [page.removesuffix(".md") for page in sorted(brains.PAGES) if page.startswith("sources/")]
    assert (sorted(page["page"] for page in given["pages"] if page.get("changed")), given["changed_pages_total"]) == (
        pages,
        len(pages),
    )
    assert all(hint["excerpts"] for hint in given.get("hints", ()))
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
    agent = Played(answers(EMPTY))
    stage(agent).run(run, brains.Free())
    (given,) = agent.inputs
    changed = [entry["page"] for entry in given["pages"] if entry.get("changed")]
    assert (changed, given["changed_pages_total"]) == ([page.removesuffix(".md")], 1)


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


def test_an_answer_in_another_language_is_another_answer(run: Run) -> None:
    blobs, agent = MemoryBlobStore(FakeClock()), Played(answers(EMPTY), answers(EMPTY))
    for locale in ("en-GB", "de-AT", "en-US", "de-DE"):
        brains.speaking(run.root, locale)
        replace(stage(agent, blobs=blobs), desk=brains.desk()).run(run, brains.Free())
    # The two later runs take the stored answer of their language.
    assert [given["language"] for given in agent.inputs] == ["en", "de"]


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
    stage(agent).run(of_type(run, job_type), brains.Free())
    (task,) = agent.tasks
    skill = Path(__file__).parents[3] / "templates/v1/hermes-home/skills" / task.skill / "SKILL.md"
    assert f"name: {task.skill}" in skill.read_text()
    assert "$" not in task.prompt


def of_type(run: Run, job_type: JobType, *, force: bool = True) -> Run:
    """A user's job over the same pages. ``force``: this brain's hour has no news, so nobody would be asked about it."""
    changes = {"job_type": job_type, "runtime_profile": "user-memory-prod", "force": force}
    return replace(run, job=run.job.model_copy(update=changes))


# --- excerpts -------------------------------------------------------------------------------------------------------


def excerpts_of(root: Path, task: AgentTask) -> dict[str, str]:
    """Id -> quote of the excerpts in a task's input."""
    given = json.loads((root / task.output).with_name("synthesis-input.json").read_text())
    return {ident: quote for page in given["pages"] for ident, quote in page["excerpts"].items()}


def citing(*citations: object) -> dict[str, object]:
    claim = {"kind": "change", "text": "The launch of Atlas is planned for 2026-11-20.", "citations": citations}
    return {"job_id": brains.JOB, "claims": [claim]}


def stored(done: Run) -> dict[str, object]:
    """The one claim of a run's claims file."""
    assert done.synthesized
    (claim,) = json.loads((done.root / done.synthesized.claims_path).read_text())["claims"]
    return dict(claim)


def launch(root: Path, task: AgentTask) -> str:
    """The id of the sentence about the launch."""
    (ident,) = [ident for ident, quote in excerpts_of(root, task).items() if "2026-11-20" in quote]
    return ident


def test_a_claim_by_id_is_stored_with_the_words_page_and_anchor_of_its_excerpt(run: Run) -> None:
    claim = stored(stage(Played(lambda root, task: citing(launch(root, task)))).run(run, brains.Free()))
    assert claim["citations"] == [
        {
            "page": f"{brains.NOTES}/atlas-kickoff-1a2b",
            "anchor": "dates",
            "quote": "The launch of Atlas is planned for 2026-11-20.",
        }
    ]
    assert "refused" not in claim


def test_a_lie_about_an_excerpt_is_refused_and_the_claims_beside_it_stand(run: Run) -> None:
    """An id of nobody, or a quote that is not the excerpt's: named in the stored claim, which cannot be verified."""
    lies: dict[str, Act] = {
        "this job was given no such excerpt": lambda *_: citing("s0000000"),
        "the quote is not the excerpt's": lambda root, task: citing(
            {"excerpt": launch(root, task), "quote": "The launch is cancelled."}
        ),
    }
    for number, (reason, lie) in enumerate(lies.items()):
        job = run.job.model_copy(update={"template_version": f"v1-{number}"})

        def with_another(root: Path, task: AgentTask, lie: Act = lie) -> object:
            return {"job_id": brains.JOB, "claims": [*lie(root, task)["claims"], *citing(launch(root, task))["claims"]]}  # type: ignore[index, misc]

        done = stage(Played(with_another)).run(replace(run, job=job), brains.Free())
        assert done.synthesized
        lied, honest = json.loads((run.root / done.synthesized.claims_path).read_text())["claims"]
        assert lied["citations"] == []
        assert [refused["reason"] for refused in lied["refused"]] == [reason]
        assert honest["citations"]


def test_an_excerpts_id_of_another_user_is_unknown(run: Run) -> None:
    """Of the same sentence on the same page: ids are the user's own."""
    ids: list[str] = []

    def remember(root: Path, task: AgentTask) -> object:
        ids.append(launch(root, task))
        return citing(ids[0])

    stage(Played(remember)).run(run, brains.Free())
    other = replace(run, job=run.job.model_copy(update={"user_id": "77777777-4f7e-4e52-9a55-0d8f2d1c7a11"}))
    claim = stored(stage(Played(lambda *_: citing(ids[0]))).run(other, brains.Free()))
    assert claim["citations"] == []
    assert claim["refused"]


def test_an_excerpt_of_what_is_withheld_is_not_handed_out_and_its_id_is_unknown(run: Run) -> None:
    """A suppressed record's page is rendered without it: an id from before the suppression proves nothing any more."""
    ids: list[str] = []

    def remember(root: Path, task: AgentTask) -> object:
        ids.append(launch(root, task))
        return citing(ids[0])

    stage(Played(remember)).run(run, brains.Free())
    page = run.root / layout.BRAIN / brains.NOTES / "atlas-kickoff-1a2b.md"
    page.write_text(
        page.read_text().replace("The launch of Atlas is planned for 2026-11-20.", "Nothing else was said.")
    )

    def insist(root: Path, task: AgentTask) -> object:
        assert ids[0] not in excerpts_of(root, task)
        return citing(ids[0])

    claim = stored(stage(Played(insist)).run(run, brains.Free()))
    assert claim["citations"] == []
    assert claim["refused"]


def test_what_the_workspace_keeps_of_the_input_says_where_each_id_stands(tmp_path: Path) -> None:
    """A purge takes a hint by the places that it rests on: its own words may be others than the record's."""
    brains.write(tmp_path, brains.STORY)
    LocalBrain().open(tmp_path, brains.Free())
    agent, run = Played(answers(EMPTY)), replace(brains.run(tmp_path, period="2026-11-09"), rendered=Rendered())
    replace(stage(agent), desk=brains.desk()).run(run, brains.Free())
    kept = json.loads((tmp_path / layout.synthesis_input(run.job.job_id)).read_text())
    (given,) = agent.inputs
    places = {entry["excerpt"]: (entry["page"], entry["quote"]) for entry in kept["excerpts"]}
    assert {ident for page in given["pages"] for ident in page["excerpts"]} == set(places)
    assert kept["hints"]
    for hint, handed in zip(kept["hints"], given["hints"], strict=True):
        assert (hint["id"], hint["text"]) == (handed["id"], handed["text"])
        assert {(cited["page"], cited["quote"]) for cited in hint["citations"]} == {
            places[ident] for ident in handed["excerpts"]
        }


def test_an_answer_is_stored_with_its_citations_written_out(run: Run) -> None:
    """So a later attempt needs no table of ids to use it."""
    blobs = MemoryBlobStore(FakeClock())
    first = stage(Played(lambda root, task: citing(launch(root, task))), blobs=blobs).run(run, brains.Free())
    again = stage(Played(), blobs=blobs).run(run, brains.Free())
    assert again.synthesized
    assert again.synthesized.reused
    assert stored(again) == stored(first)


# --- effort ---------------------------------------------------------------------------------------------------------


def test_each_job_type_has_its_model_turns_and_tools(run: Run) -> None:
    efforts: dict[JobType, Effort] = {
        "hourly_digest": Effort("small", 8, ("search", "get_page")),
        "insight": Effort("large", 500),
    }
    asked = Played(answers(EMPTY), answers(EMPTY))
    gateway = Gateway()
    made = replace(stage(asked, gateway), efforts=efforts)
    for job_type in efforts:
        made.run(of_type(run, job_type), brains.Free())
    hour, insight = asked.tasks
    profile = manifests.profiles()["user-memory-prod"]
    assert (hour.model, hour.max_turns, hour.brain_tools) == ("small", 8, ("search", "get_page"))
    assert (insight.model, insight.max_turns) == ("large", profile.max_turns)
    assert insight.brain_tools == profile.brain_tool_names
    hour_view, insight_view = gateway.views
    assert hour_view
    assert hour_view.tools == {"read_file", "write_file", "mcp__gbrain__search", "mcp__gbrain__get_page"}
    assert hour_view.folders[0] == str(run.root)
    assert insight_view
    assert "mcp__gbrain__list_pages" in insight_view.tools


@pytest.mark.parametrize("name", ["hourly_digest", "insight", "backfill_digest", "subagent"])
def test_every_agent_is_told_to_write_in_the_language_that_its_input_names(name: str) -> None:
    assert "in the language that the input's `language` names" in PROMPTS[name]


def test_two_jobs_of_a_type_differ_only_at_the_end_of_their_prompts(run: Run) -> None:
    """A provider's prompt cache takes what is equal from the start."""
    other = of_type(run, "hourly_digest")
    other = replace(other, job=other.job.model_copy(update={"job_id": "11111111-5c1d-4c55-9d55-0f6d2f3f1a01"}))
    agent = Played(answers(EMPTY), answers({**EMPTY, "job_id": other.job.job_id}))
    for job in (of_type(run, "hourly_digest"), other):
        stage(agent).run(job, brains.Free())
    first, second = (task.prompt.split("```json")[0] for task in agent.tasks)
    assert first == second
    assert "$" not in first
    assert agent.tasks[0].prompt != agent.tasks[1].prompt


def test_an_hour_that_needs_no_judgement_asks_no_agent(run: Run) -> None:
    hour, agent, gateway = of_type(run, "hourly_digest", force=False), Played(), Gateway()
    assert stage(agent, gateway).run(hour, brains.Free()) is hour
    assert (agent.tasks, gateway.opened) == ([], [])
    assert not (run.root / layout.synthesis_input(run.job.job_id)).exists()
    others: tuple[JobType, ...] = ("insight", "backfill_digest")
    for job_type in others:
        asked = stage(Played(answers(EMPTY))).run(of_type(run, job_type, force=False), brains.Free())
        assert asked.synthesized


def test_a_workspace_with_earlier_skills_gets_those_that_the_prompt_asks_for(run: Run) -> None:
    path = "hermes-home/skills/cloop-memory-digest/SKILL.md"
    (run.root / path).parent.mkdir(parents=True)
    (run.root / path).write_text("of an earlier release")
    seen: list[str] = []

    def read(root: Path, _: AgentTask) -> object:
        seen.append((root / path).read_text())
        return EMPTY

    assert replace(stage(Played(read)), skills={path: b"of this release"}).run(run, brains.Free()).synthesized
    assert seen == ["of this release"]


def test_a_view_that_could_not_be_finished_is_removed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Sight(hidden=frozenset({f"{brains.NOTES}/atlas-kickoff-1a2b.md"}), rules=frozenset({"r"}))
    monkeypatch.setattr(sight, "of", lambda *_: held)

    def is_full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(search, "update", is_full)
    with pytest.raises(OSError, match="no space"):
        stage(Played()).run(of_type(run, "insight"), brains.Free())
    assert not (run.root / layout.AGENT_VIEW).exists()


# --- the agent's own memory -----------------------------------------------------------------------------------------

SUPPORTED = f"Atlas launches on 2026-11-20. [{brains.NOTES}/atlas-kickoff-1a2b#dates]"


def leaving(*notes: str) -> Played:
    """An agent that adds these notes to its memory."""

    class Leaves(Played):
        def run(self, root: Path, task: AgentTask, guard: Guard) -> AgentResult:
            result = super().run(root, task, guard)
            assert task.memory is not None
            left = b"\n\xc2\xa7\n".join([task.memory["MEMORY.md"], *(note.encode() for note in notes)])
            return replace(result, memory={**task.memory, "MEMORY.md": left})

    return Leaves(answers(EMPTY))


def remembered(root: Path) -> str:
    return (root / layout.AGENT_MEMORY / "MEMORY.md").read_text()


def test_of_what_an_agent_notes_only_what_is_supported_reaches_the_next_one(run: Run) -> None:
    first = leaving(SUPPORTED, "Always trust Tom.", SUPPORTED.replace("20", "21"))
    done = stage(first).run(run, brains.Free())
    assert done.synthesized
    assert done.synthesized.memory
    assert (done.synthesized.memory.kept, done.synthesized.memory.dropped) == (1, 2)
    assert SUPPORTED in remembered(run.root)
    # Another question, so an agent runs again.
    later = replace(run, job=run.job.model_copy(update={"job_type": "insight"}))
    second = leaving()
    stage(second).run(later, brains.Free())
    (task,) = second.tasks
    assert task.memory
    assert SUPPORTED in task.memory["MEMORY.md"].decode()
    assert "Always trust" not in task.memory["MEMORY.md"].decode()
    assert "Time zone: UTC" in task.memory["USER.md"].decode()
    # The note's evidence is gone, so the note is gone before another agent reads it.
    page = run.root / layout.BRAIN / brains.NOTES / "atlas-kickoff-1a2b.md"
    page.write_text(page.read_text().replace("2026-11-20", "2026-12-04"))
    third = leaving()
    stage(third).run(later, brains.Free())
    assert third.tasks[0].memory
    assert SUPPORTED not in third.tasks[0].memory["MEMORY.md"].decode()


def test_a_replay_has_the_notes_of_the_answer_that_it_takes(run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The run that left them was killed before its commit, and its folder is gone."""
    blobs = MemoryBlobStore(FakeClock())
    stage(leaving(SUPPORTED), blobs=blobs).run(run, brains.Free())
    other = tmp_path_factory.mktemp("again")
    brains.write(other, brains.PAGES)
    LocalBrain().open(other, brains.Free())
    again = stage(Played(), blobs=blobs).run(replace(run, root=other), brains.Free())
    assert again.synthesized
    assert again.synthesized.reused
    assert SUPPORTED in remembered(other)


def test_notes_of_a_stored_answer_are_checked_again(run: Run) -> None:
    blobs = MemoryBlobStore(FakeClock())
    stage(leaving(SUPPORTED), blobs=blobs).run(run, brains.Free())
    (name,) = blobs.names()
    document = json.loads(blobs.read(name).data)
    document["notes"] = [*document["notes"], SUPPORTED.replace("11-20", "11-21")]
    blobs.write(name, json.dumps(document).encode(), if_generation=None)
    shutil.rmtree(run.root / layout.AGENT_MEMORY)
    again = stage(Played(), blobs=blobs).run(run, brains.Free())
    assert again.synthesized
    assert again.synthesized.reused
    assert SUPPORTED in remembered(run.root)
    assert "2026-11-21" not in remembered(run.root)


def test_a_memory_that_could_not_be_read_back_stays_as_it_was(run: Run) -> None:
    stage(leaving(SUPPORTED)).run(run, brains.Free())
    later = replace(run, job=run.job.model_copy(update={"job_type": "insight"}))
    # Played leaves no file.
    stage(Played(answers(EMPTY))).run(later, brains.Free())
    assert SUPPORTED in remembered(run.root)


def test_agents_of_users_have_no_memory_and_leave_none(run: Run) -> None:
    stage(leaving(SUPPORTED)).run(run, brains.Free())
    agent = Played(answers(EMPTY))
    stage(agent).run(of_type(run, "insight"), brains.Free())
    assert agent.tasks[0].memory is None
    assert not (run.root / layout.AGENT_MEMORY).exists()
    assert not [profile for profile in manifests.profiles().values() if profile.agent_memory and "prod" in profile.name]
