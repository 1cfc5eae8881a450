"""Subagents as agents of their own, simulated here: limits, ledger, replays, and their findings in the report."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import manifests
from consumer import layout, paths
from consumer.agent import subagents
from consumer.agent.gateway.ledger import UsageLedger, UsageLimits
from consumer.agent.gateway.server import GatewaySession
from consumer.agent.localbrain.brain import LocalBrain
from consumer.agent.plugins import Subagent
from consumer.agent.subagents import SubagentLimits
from consumer.errors import CancelRequested, ModelBudgetExceeded, ModelUnavailable, ProviderBusy, ToolFailed
from consumer.ports import (
    AgentResult,
    AgentStep,
    AgentTask,
    Guard,
    McpCommand,
    ModelAccess,
    ModelCall,
    ModelTags,
    ModelView,
)
from consumer.reports import claims, repeats
from consumer.reports.claims import Claim, ClaimSet
from consumer.run import Rendered, Run, SubagentRun
from consumer.stages.synthesize import Effort, Synthesize
from consumer.storage.memory import FakeClock, MemoryBlobStore
from contract.api import Usage
from tests import brains
from tests.tables import table
from tests.waiting import until

PROMPTS = {path.stem: path.read_text() for path in (Path(__file__).parents[3] / "templates/v1/prompts").glob("*.md")}
KICKOFF, REVIEW = (f"{brains.NOTES}/atlas-kickoff-1a2b", f"{brains.NOTES}/billing-review-3c4d")
LAUNCH = {"page": KICKOFF, "anchor": "dates", "quote": "The launch of Atlas is planned for 2026-11-20."}
LATE = {"page": REVIEW, "anchor": None, "quote": "The invoices of Borealis are late."}
FOUND = {"kind": "open_loop", "text": "The invoices of Borealis are late.", "citations": [LATE], "confidence": 0.9}
MAIN = ""
TIMELY, LOOPS = (
    Subagent(name="timely", allowed_tools=("search", "get_page"), max_turns=3, instructions="Look for dates."),
    Subagent(name="loops", model="gpt-5.4-nano", instructions="Look for loops."),
)
Act = Callable[[Path, AgentTask], Any]


def answer(*claimed: object, **more: object) -> dict[str, Any]:
    return {"job_id": brains.JOB, "claims": list(claimed), **more}


class Played:
    """Each agent, by its name ("" is the job's own), runs its act, which returns the agent's file or its fault."""

    def __init__(self, **acts: Any) -> None:
        self.acts = {name.removeprefix("main"): act for name, act in {"main": answer(), **acts}.items()}
        self.tasks: dict[str, AgentTask] = {}
        self.inputs: dict[str, dict[str, Any]] = {}
        self.guards: dict[str, Any] = {}

    def version(self) -> str:
        return "played 1.0"

    def run(self, root: Path, task: AgentTask, guard: Guard) -> AgentResult:
        name = task.place.rpartition("/")[2]
        self.tasks[name], self.guards[name] = task, guard
        source = f"{task.place}/input.json" if name else layout.synthesis_input(task.job_id)
        self.inputs[name] = json.loads((root / source).read_text())
        act = self.acts[name]
        made = act(root, task) if callable(act) else act
        guard.check()
        fault = made if isinstance(made, Exception) else None
        if fault and not name:
            raise fault
        data = b"" if fault else made if isinstance(made, bytes) else json.dumps(made).encode()
        steps = (AgentStep("now", "mcp__gbrain__search", "completed", 0.1),) * 2
        return AgentResult("s1", Usage(), 2, 0.1, data, steps, fault=fault)


class Gateway:
    """A gateway without a server, whose agents make calls by their token."""

    def __init__(self, cost_usd: float = 1.0, tokens: int = 1_000_000, slots: int = 9) -> None:
        self.views: list[ModelView | None] = []
        self.spent: list[Usage] = []
        self.ledgers: dict[str, UsageLedger] = {}
        self.budget = UsageLimits(200, tokens, cost_usd)
        #: Sessions at a time; more are refused.
        self.slots, self.open_now, self.refused = slots, 0, threading.Event()

    @contextmanager
    def open(self, tags: ModelTags, spent: Usage, view: ModelView | None = None) -> Iterator[GatewaySession]:
        if self.open_now >= self.slots:
            self.refused.set()
            raise ProviderBusy("all slots are taken")
        token = f"t{len(self.views)}"
        self.views.append(view)
        self.spent.append(spent)
        limits, total = (view.limits, view.total) if view else (None, None)
        ledger = UsageLedger(tags, self.budget, {}, spent, limits, total)
        self.ledgers[token] = ledger
        self.open_now += 1
        try:
            yield GatewaySession(ModelAccess("http://127.0.0.1:1/v1", token), ledger)
        finally:
            self.open_now -= 1

    def calls(self, task: AgentTask, *statuses: int, tokens: int = 100) -> None:
        """Requests of an agent, as far as it may make them."""
        ledger = self.ledgers[task.access.token]
        for status in statuses:
            if ledger.admit() is None:
                at = FakeClock().now()
                ledger.record(ModelCall(at, "/v1/chat/completions", "m", status, tokens, 0, 10, 0.0, 0.1, 1))


class Bench:
    """A stage with two subagents. ``attempt`` runs it with fresh agents over the same bucket."""

    def __init__(self, run: Run) -> None:
        self.first, self.bucket = run, MemoryBlobStore(FakeClock())
        self.limits = SubagentLimits(at_once=2, tokens=5_000)
        self.brain: LocalBrain = LocalBrain()
        self.prompts: Mapping[str, str] = PROMPTS
        self.profiles = manifests.profiles()
        self.subagents = (TIMELY, LOOPS)

    def attempt(
        self, agent: Played, gateway: Gateway | None = None, guard: Guard | None = None
    ) -> tuple[ClaimSet, Mapping[str, SubagentRun], Run]:
        stage = Synthesize(
            agent=agent,
            brain=self.brain,
            gateway=gateway or Gateway(),
            bucket_of=lambda user_id: self.bucket.for_prefix(paths.user(user_id)),
            efforts={"backfill_digest": Effort("m", 40, subagents=self.limits)},
            prompts=self.prompts,
            profiles=self.profiles,
            subagents={"internal-full": self.subagents},
            desk=brains.desk(),
        )
        done = stage.run(self.first, guard or brains.Free())
        assert done.synthesized
        assert not (done.root / layout.SUBAGENTS).exists()
        written = claims.parse((done.root / done.synthesized.claims_path).read_bytes(), brains.JOB)
        return written, {entry.name: entry for entry in done.synthesized.subagents}, done


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    brains.write(tmp_path, brains.PAGES)
    LocalBrain().open(tmp_path, brains.Free())
    run = replace(brains.run(tmp_path), rendered=Rendered(changed=tuple(sorted(brains.PAGES))), brain="local")
    return Bench(run)


def test_each_has_its_own_tools_turns_tokens_model_and_place(bench: Bench) -> None:
    agent, gateway = Played(timely=answer(), loops=answer()), Gateway()
    bench.attempt(agent, gateway)
    timely, loops = agent.tasks["timely"], agent.tasks["loops"]
    assert (timely.brain_tools, timely.max_turns, timely.model) == (("search", "get_page"), 3 + 1, "m")
    # Without a list: all tools that only read, and 20 turns.
    profile = manifests.profiles()["internal-full"]
    reading = tuple(tool.name for tool in profile.brain_tools if tool.risk == "read")
    assert (loops.brain_tools, loops.max_turns, loops.model) == (reading, 20 + 1, "gpt-5.4-nano")
    assert timely.toolsets == loops.toolsets == ("file",)
    assert timely.place != loops.place
    for task in (timely, loops):
        assert task.output.startswith(f"{task.place}/")
        assert task.sees == (layout.BRAIN, layout.SEARCH_INDEX)
    views = {view.limits.turns: view for view in gateway.views if view and view.limits}
    assert views[3].tools == {"read_file", "write_file", "mcp__gbrain__search", "mcp__gbrain__get_page"}
    assert {view.limits.tokens for view in views.values() if view.limits} == {5_000}
    assert "Look for dates." in timely.prompt
    assert "Look for dates." not in loops.prompt + agent.tasks[MAIN].prompt


def test_findings_are_hints_to_the_agent_and_claims_that_name_their_finder(bench: Bench) -> None:
    ours = {"kind": "change", "text": "Atlas launches on 2026-11-20.", "citations": [LAUNCH], "found_by": "somebody"}
    agent = Played(main=answer(ours), timely=answer(), loops=answer(FOUND))
    written, ledger, done = bench.attempt(agent)
    (hint,) = [hint for hint in agent.inputs[MAIN]["hints"] if "found_by" in hint]
    assert (hint["text"], hint["found_by"]) == (FOUND["text"], "loops")
    quotes = {ident: quote for page in agent.inputs[MAIN]["pages"] for ident, quote in page["excerpts"].items()}
    assert [quotes[ident] for ident in hint["excerpts"]] == [LATE["quote"]]
    assert [(claim.text, claim.found_by) for claim in written.claims] == [(ours["text"], ""), (FOUND["text"], "loops")]
    assert ledger["loops"].findings == 1
    assert ledger["loops"].tools == {"search": 2}
    assert {entry.outcome for entry in ledger.values()} == {"completed"}
    lines = (done.root / layout.agent_steps(brains.JOB)).read_text().splitlines()
    assert [json.loads(line).get("subagent", MAIN) for line in lines] == ["timely"] * 2 + ["loops"] * 2 + [MAIN] * 2


def test_what_two_of_them_found_is_one_hint_and_claimed_twice_it_is_one_claim(bench: Bench) -> None:
    again = {**FOUND, "text": f"{claims.OFFLINE_MARK}: {FOUND['text']}"}
    agent = Played(main=answer(FOUND, again, {**FOUND, "text": "Borealis pays late."}), timely=answer(FOUND))
    agent.acts["loops"] = answer(again)
    written, _, _ = bench.attempt(agent)
    assert [hint["found_by"] for hint in agent.inputs[MAIN]["hints"] if "found_by" in hint] == ["timely"]
    assert [claim.text for claim in written.claims] == [FOUND["text"], "Borealis pays late."]


@pytest.mark.parametrize(
    "cited",
    [
        [{**LATE, "quote": "The invoices of Borealis are paid."}],
        [LATE, {**LATE, "page": f"{brains.NOTES}/nowhere-0000"}],
        [{"excerpt": "s0000000"}],
        [],
    ],
)
def test_a_finding_whose_quotes_do_not_stand_is_refused_and_shown_to_nobody(bench: Bench, cited: list[Any]) -> None:
    agent = Played(timely=answer({**FOUND, "text": "All is paid.", "citations": cited}), loops=answer(FOUND))
    written, ledger, _ = bench.attempt(agent)
    entry = ledger["timely"]
    assert (entry.outcome, entry.findings, entry.refused) == ("completed", 0, 1)
    assert "paid" not in json.dumps(agent.inputs[MAIN])
    assert [claim.found_by for claim in written.claims] == ["loops"]


def test_one_that_finds_too_much_has_ended_well_and_loses_the_rest(bench: Bench) -> None:
    many = [{**FOUND, "text": f"The invoices of Borealis are late, part {number}."} for number in range(25)]
    agent = Played(timely=answer(*many), loops=answer())
    _, ledger, _ = bench.attempt(agent)
    entry = ledger["timely"]
    assert (entry.outcome, entry.findings, entry.refused) == ("completed", claims.FINDINGS, 25 - claims.FINDINGS)
    assert len([hint for hint in agent.inputs[MAIN]["hints"] if "found_by" in hint]) == claims.FINDINGS


@pytest.mark.parametrize(
    ("limit", "spend"),
    [
        ("turns", lambda gateway, task: gateway.calls(task, 200, 200, 200, 200)),
        ("tokens", lambda gateway, task: gateway.calls(task, 200, 200, tokens=9_000)),
        ("tools", lambda gateway, task: gateway.ledgers[task.access.token].refuse_tool("patch")),
    ],
)
def test_at_a_limit_one_is_stopped_its_valid_findings_stay_and_the_others_go_on(
    bench: Bench, limit: str, spend: Callable[[Gateway, AgentTask], None]
) -> None:
    gateway = Gateway()

    def exceeds(root: Path, task: AgentTask) -> object:
        spend(gateway, task)
        return answer(FOUND, {"kind": "rumour", "text": "Of no kind."})

    def is_careful(root: Path, task: AgentTask) -> object:
        gateway.calls(task, 200)
        return answer({**FOUND, "citations": [LAUNCH]})

    written, ledger, _ = bench.attempt(Played(timely=exceeds, loops=is_careful), gateway)
    stopped = ledger["timely"]
    assert (stopped.outcome, stopped.why, stopped.findings, stopped.refused) == ("stopped", limit, 1, 1)
    assert stopped.turns <= TIMELY.max_turns
    assert ledger["loops"].outcome == "completed"
    assert {claim.found_by for claim in written.claims} == {"timely", "loops"}


def test_one_that_fails_costs_its_findings_and_nothing_else_and_is_asked_again(bench: Bench) -> None:
    fails = Played(main=ToolFailed("the job was killed here"), timely=ToolFailed("hung"), loops=answer(FOUND))
    with pytest.raises(ToolFailed, match="killed"):
        bench.attempt(fails)
    written, ledger, _ = bench.attempt(Played(timely=ToolFailed("hung")))
    assert (ledger["timely"].outcome, ledger["timely"].why) == ("failed", "tool_failed")
    assert [claim.found_by for claim in written.claims] == ["loops"]


def test_a_later_attempt_pays_only_for_those_that_had_not_ended(bench: Bench) -> None:
    bench.limits = SubagentLimits(at_once=1, tokens=5_000)
    gateway = Gateway()

    def pays(root: Path, task: AgentTask) -> object:
        gateway.calls(task, 200)
        return answer(FOUND)

    def is_killed(root: Path, task: AgentTask) -> object:
        raise CancelRequested("killed in the second one")

    with pytest.raises(CancelRequested):
        bench.attempt(Played(timely=pays, loops=is_killed), gateway)
    # Killed again, between the subagents and the agent.
    again = Played(main=ToolFailed("killed"), loops=answer())
    with pytest.raises(ToolFailed):
        bench.attempt(again)
    assert set(again.tasks) == {"loops", MAIN}
    last = Played()
    written, ledger, done = bench.attempt(last)
    assert set(last.tasks) == {MAIN}
    assert [claim.found_by for claim in written.claims] == ["timely"]
    assert (ledger["timely"].reused, ledger["timely"].input_tokens) == (True, 100)
    assert done.usage == Usage()
    # Once the agent's answer is stored, no agent runs: the ledger comes from the answer.
    _, same, replayed = bench.attempt(Played())
    assert replayed.synthesized
    assert replayed.synthesized.reused
    assert same == ledger


def test_a_small_memory_is_read_by_the_agent_alone(bench: Bench) -> None:
    bench.limits = SubagentLimits(at_once=2, tokens=5_000, from_pages=10_000)
    agent = Played(timely=answer(FOUND))
    _, ledger, done = bench.attempt(agent)
    assert (set(agent.tasks), dict(ledger)) == ({MAIN}, {})
    assert done.synthesized


def test_what_subagents_spent_counts_against_the_jobs_budget(bench: Bench) -> None:
    gateway = Gateway()

    def spends(root: Path, task: AgentTask) -> object:
        gateway.calls(task, 200)
        return answer()

    _, _, done = bench.attempt(Played(main=spends, timely=spends, loops=spends), gateway)
    assert gateway.spent[-1] == Usage(input_tokens=200, output_tokens=20, requests=2)
    assert done.usage.requests == 3
    calls = [json.loads(line) for line in (done.root / layout.model_calls(brains.JOB)).read_text().splitlines()]
    assert [call.get("subagent", MAIN) for call in calls] == ["timely", "loops", MAIN]


@pytest.mark.parametrize(
    ("status", "cost_usd", "error"), [(503, 1.0, ModelUnavailable), (200, 0.0, ModelBudgetExceeded)]
)
def test_what_the_agent_could_not_do_without_ends_the_job_at_once(
    bench: Bench, status: int, cost_usd: float, error: type[Exception]
) -> None:
    gateway = Gateway(cost_usd)

    def asks(root: Path, task: AgentTask) -> object:
        gateway.calls(task, status)
        return ToolFailed("no answer")

    agent = Played(timely=asks, loops=asks)
    with pytest.raises(error):
        bench.attempt(agent, gateway)
    assert MAIN not in agent.tasks


@pytest.mark.parametrize(
    ("name", "fault"),
    [("loops", ToolFailed("no answer")), ("timely", ToolFailed("slow", timed_out=True))],
    ids=["a model of its own is away", "it was too slow"],
)
def test_the_fault_of_one_is_not_the_jobs(bench: Bench, name: str, fault: ToolFailed) -> None:
    gateway = Gateway()

    def gets_no_answer(root: Path, task: AgentTask) -> object:
        gateway.calls(task, 503)
        return fault

    both: dict[str, Any] = {"timely": answer(FOUND), "loops": answer(FOUND), name: gets_no_answer}
    agent = Played(**both)
    written, ledger, _ = bench.attempt(agent, gateway)
    assert (ledger[name].outcome, ledger[name].why) == ("failed", "tool_failed")
    assert MAIN in agent.tasks
    assert len(written.claims) == 1


def test_side_by_side_they_share_the_jobs_budget_and_none_that_it_stopped_counts_as_ended(bench: Bench) -> None:
    both, gateway = threading.Barrier(2), Gateway(tokens=250)

    def spends(root: Path, task: AgentTask) -> object:
        # In step: alone, the first would reach its own three turns before the job's budget.
        for _ in range(4):
            both.wait(10)
            gateway.calls(task, 200)
        # Refused, it gives up without a file, and with a finding.
        return answer(FOUND, {"kind": "rumour"})

    with pytest.raises(ModelBudgetExceeded, match="250 allowed"):
        bench.attempt(Played(timely=spends, loops=spends), gateway)
    used = sum(len(ledger.calls()) for ledger in gateway.ledgers.values())
    assert used <= 4, "three calls of 110 tokens, and one more may have begun"
    assert {ledger.exceeded() for ledger in gateway.ledgers.values()} == {""}
    again = Played(timely=answer(), loops=answer())
    bench.attempt(again)
    assert set(again.tasks) == {"timely", "loops", MAIN}


def test_one_without_a_slot_waits_for_the_other_to_end(bench: Bench) -> None:
    gateway = Gateway(slots=1)

    def waits(root: Path, task: AgentTask) -> object:
        assert gateway.refused.wait(10)
        return answer(FOUND)

    written, ledger, _ = bench.attempt(Played(timely=waits, loops=waits), gateway)
    assert {entry.outcome for entry in ledger.values()} == {"completed"}
    assert [claim.found_by for claim in written.claims] == ["timely"]


def test_where_not_even_one_gets_a_slot_the_job_waits(bench: Bench) -> None:
    agent = Played()
    with pytest.raises(ProviderBusy):
        bench.attempt(agent, Gateway(slots=0))
    assert not agent.tasks


def test_a_job_has_only_so_many(bench: Bench) -> None:
    bench.limits = SubagentLimits(at_once=2, tokens=5_000, most=1)
    agent = Played(timely=answer(FOUND))
    _, ledger, _ = bench.attempt(agent)
    assert set(agent.tasks) == {"timely", MAIN}
    assert (ledger["loops"].outcome, ledger["loops"].why) == ("not started", "number")


@pytest.mark.parametrize("changed", ["prompt", "tokens", "profile", "definition", "language"])
def test_whatever_a_subagent_depends_on_makes_it_another_question(bench: Bench, changed: str) -> None:
    bench.attempt(Played(timely=answer(), loops=answer()))
    if changed == "prompt":
        bench.prompts = {**PROMPTS, "subagent": PROMPTS["subagent"] + "\nBe brief."}
    elif changed == "tokens":
        bench.limits = replace(bench.limits, tokens=4_000)
    elif changed == "definition":
        bench.subagents = (TIMELY, LOOPS.model_copy(update={"max_turns": 9}))
    elif changed == "language":
        brains.speaking(bench.first.root, "de-AT")
    else:
        full = bench.profiles["internal-full"]
        bench.profiles = {"internal-full": full.model_copy(update={"max_turns": 2})}
    again = Played(timely=answer(), loops=answer())
    bench.attempt(again)
    assert {"loops", MAIN} <= set(again.tasks)
    assert {given["language"] for given in again.inputs.values()} == {"de" if changed == "language" else "en"}


def test_the_first_that_must_stop_stops_the_other(bench: Bench) -> None:
    both, agent = threading.Barrier(2), Played()

    def is_cancelled(root: Path, task: AgentTask) -> object:
        both.wait(10)
        raise CancelRequested("cancelled")

    def works_on(root: Path, task: AgentTask) -> object:
        both.wait(10)
        # Its own guard, that of brains.Free, would never stop it.
        until(lambda: bool(agent.guards["loops"].check()))
        return answer()

    agent.acts |= {"timely": is_cancelled, "loops": works_on}
    with pytest.raises(CancelRequested):
        bench.attempt(agent)
    assert MAIN not in agent.tasks


class Alone(LocalBrain):
    """A brain whose server writes to its store to read from it, as GBrain's does."""

    def mcp(self, root: Path, view: Path | None = None) -> McpCommand:
        return replace(super().mcp(root, view), writes=(layout.GBRAIN_HOME,))


@pytest.mark.parametrize(("brain", "most"), [(LocalBrain(), 2), (Alone(), 1)])
def test_two_side_by_side_and_one_where_the_brain_has_one_server(bench: Bench, brain: LocalBrain, most: int) -> None:
    bench.brain = brain
    lock, here, seen = threading.Lock(), [0], [0]
    meet = threading.Barrier(most)

    def counts(root: Path, task: AgentTask) -> object:
        with lock:
            here[0] += 1
            seen[0] = max(seen[0], here[0])
        meet.wait(10)
        with lock:
            here[0] -= 1
        return answer()

    bench.attempt(Played(timely=counts, loops=counts))
    assert seen[0] == most


class Short(brains.Free):
    def time_left(self) -> float:
        return 50.0


def test_without_time_for_both_the_agent_comes_first(bench: Bench) -> None:
    agent = Played()
    _, ledger, _ = bench.attempt(agent, guard=Short())
    assert set(agent.tasks) == {MAIN}
    assert {(entry.outcome, entry.why) for entry in ledger.values()} == {("not started", "time")}


# --- how findings and the agent's claims come together --------------------------------------------------------------


def claim(text: str, kind: Any = "open_loop", found_by: str = "", **cited: Any) -> Claim:
    return Claim(text=text, kind=kind, citations=(claims.Citation(**(cited or LATE)),), found_by=found_by)


def test_a_claim_that_repeats_a_finding_stands_in_its_place_and_names_its_finder() -> None:
    own = (claim("Borealis pays late."), claim("Atlas launches.", "change", **LAUNCH))
    findings = (claim("Late.", found_by="loops"), claim("Late too.", found_by="timely"), claim("X", "theme", "timely"))
    joined = repeats.joined(ClaimSet(job_id="j", claims=own), findings).claims
    assert [(each.text, each.found_by) for each in joined] == [
        ("Borealis pays late.", "loops"),
        ("Atlas launches.", ""),
        ("X", "timely"),
    ]


def test_two_findings_of_one_place_are_both_claimed_unless_one_repeats_the_other() -> None:
    findings = (
        claim("Borealis pays late.", found_by="loops"),
        claim("Borealis owes the invoice.", found_by="timely"),
        claim("borealis pays late", found_by="timely"),
    )
    both = repeats.joined(ClaimSet(job_id="j", claims=()), findings).claims
    assert [(each.text, each.found_by) for each in both] == [
        ("Borealis pays late.", "loops"),
        ("Borealis owes the invoice.", "timely"),
    ]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"claims": 3}', b'{"claims": [3, null]}'])
def test_a_file_that_is_none_has_no_findings(data: bytes) -> None:
    assert claims.salvaged(data, "loops")[0] == ()


@table(
    ("written", "is_whole"),
    [
        (None, False),
        (b"", False),
        (b'{"claims": [', False),
        (b"[]", False),
        (b'{"claims": {}}', False),
        (b'{"claims": []}', True),
        (b'{"claims": [{"text": "no kind"}]}', False),
    ],
)
def test_a_session_ends_once_its_file_has_only_valid_claims(written: bytes | None, is_whole: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = brains.run(Path(folder))
        if written is not None:
            (run.root / "claims.json").write_bytes(written)
        assert subagents._is_written(run, "claims.json") is is_whole
