"""
Stage 5 of 8, synthesize: an agent reads the brain and leaves claims that cite pages.

Reads    run.rendered, run.brain, the pages, the brain through its MCP server; the model through the gateway.
         What standing rules hold: where a profile holds its input too, the agent sees nothing of it (agent.sight).
         First the subagents of the job type and profile, each an agent of its own (agent.subagents).
Writes   runtime/job-runs/<job_id>/{synthesis-input.json, claims.json, model-calls.jsonl, agent-steps.jsonl},
         and in the bucket answers/<digest>, of the agent and of each subagent, so that the same question is not paid
         for twice.
         Sets run.synthesized, run.usage, and run.sealed if the agent ran.
Repeats  safely: the same workspace, prompt, model and template give the stored answer; otherwise the agent runs again.
         With the flag ``synthesis`` off, without evidence, or in an hour that needs no judgement (both unless forced),
         nothing is written and no agent runs. The report stage then renews the agent's memory.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

import orjson

from consumer import layout
from consumer.agent import briefing, seal, sight, storedanswers, subagents, task
from consumer.agent.memories import RunMemory
from consumer.agent.plugins import Subagent
from consumer.agent.sight import Sight
from consumer.agent.storedanswers import BucketOf
from consumer.agent.subagents import BRAIN_PREFIX, INPUT_LINES, Inquiry, SubagentFindings, SubagentLimits, Subagents
from consumer.errors import EvidenceTampered, OverlayMoved, ProfileRefused, Retryable, SynthesisInvalid
from consumer.evidence.pages import Page
from consumer.ports import (
    Agent,
    AgentResult,
    AgentStep,
    AgentTask,
    Brain,
    Guard,
    ModelCall,
    ModelGateway,
    ModelSession,
    ModelView,
)
from consumer.reports import claims, excerpts, repeats
from consumer.reports.claims import ClaimSet
from consumer.reports.evidence import PageCache
from consumer.run import MemoryUse, Run, SubagentRun, Synthesized
from contract import canonical
from contract.event import JobType
from contract.profile import Profile

#: First try and one repair round.
TRIES: Final = 2
#: Paths named in an error; the job's folder lists all of them.
NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Effort:
    """What a job type's agent may use. ``brain_tools``: the profile's tools that it is offered; (): all of them.

    ``subagents``: the limits of the profile's subagents; None: the job type has none.
    """

    model: str
    max_turns: int
    brain_tools: tuple[str, ...] = ()
    subagents: SubagentLimits | None = None

    def tools(self, profile: Profile) -> tuple[str, ...]:
        """The brain's tools of a profile's agent."""
        return tuple(name for name in profile.brain_tool_names if not self.brain_tools or name in self.brain_tools)


@dataclass(frozen=True, slots=True)
class _Question:
    """The inputs that one run of the stage passes to its helpers."""

    run: Run
    work: task.Work
    profile: Profile
    effort: Effort
    sealed: seal.Seal
    guard: Guard
    memory: RunMemory | None
    brief: briefing.Briefing
    by_slug: Mapping[str, Page]
    #: Those that run before the agent.
    subagents: tuple[Subagent, ...]
    #: What every answer of this run depends on.
    basics: Mapping[str, str]
    #: See ports.AgentTask. Only where the profile holds rules to the agent's input, too.
    sees: tuple[str, ...] | None = None
    #: Not None once the gateway is open.
    session: ModelSession | None = None


@dataclass(frozen=True, slots=True)
class _StoredAnswer:
    """``claims``: the file's bytes. ``notes``: the agent's notes in its own memory."""

    made: Synthesized
    claims: bytes
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Synthesize:
    """``prompts``: texts of templates/<version>/prompts by name (a job type, or ``repair``).

    ``bucket_of``: the bucket narrowed to one user's prefix, where validated answers are kept.
    """

    agent: Agent
    brain: Brain
    gateway: ModelGateway
    bucket_of: BucketOf
    efforts: Mapping[JobType, Effort]
    prompts: Mapping[str, str]
    profiles: Mapping[str, Profile]
    #: Profile -> the subagents that its agent may use.
    subagents: Mapping[str, tuple[Subagent, ...]] = field(default_factory=dict)
    #: Shared with the report stage, which reads the same pages.
    desk: PageCache = field(default_factory=PageCache)
    #: The template's skills by path in the workspace. They are renewed with each run: a workspace may have been made
    #: with earlier ones, whose form of answers the prompt does not ask for any more.
    skills: Mapping[str, bytes] = field(default_factory=dict)
    #: Raises ModelUnavailable while the model is known to be away: no agent is started that could do nothing.
    require_model: Callable[[], None] = lambda: None
    #: (user_id, number of a commit) -> reads that commit's files; None: a seal keeps copies of all files.
    commits: Callable[[str, int], seal.ReadsCommit] | None = None
    name: ClassVar[str] = "synthesize"

    def run(self, run: Run, guard: Guard) -> Run:
        profile = self._profile(run)
        if not run.job.flags.get("synthesis", True):
            # Switched off for this user; the report says so and contains only the detectors' findings.
            return run
        # What is news follows what the user corrected and which rules they have by now.
        self.desk.look(run)
        by_slug = self.desk.load(run, guard)
        basis = self.desk.find(run, by_slug)
        if not (run.job.force or basis.needs_judgement(run)):
            # Code alone tells this hour's news, or there is none.
            return run
        everywhere = profile.rules_hold != "output"
        brief = briefing.brief(run, self.desk, guard, hold_pages=everywhere)
        if not (brief.evidence or run.job.force):
            # A new user without records, or everything was purged: a claim could cite nothing.
            return run
        seen = self._sight(run, sight.of(basis.withheld, by_slug, guard) if everywhere else Sight())
        question = self._question(run, brief, by_slug, seen, guard)
        key = self._key(question)
        user_id, parse = run.job.user_id, partial(_from_json, run.job.job_id)
        stored = storedanswers.read(self.bucket_of, user_id, key, parse)
        reused = stored is not None
        if stored is None:
            self.require_model()
            run, stored = self._asked(question, seen if everywhere else None)
            # The bucket is written outside the commit: a run that lost its lock must leave nothing behind.
            guard.check()
            storedanswers.write(self.bucket_of, user_id, key, _to_json(stored))
        if question.memory:
            question.memory.keep(stored.notes)
        output = question.work.output
        _write(run.root / output, stored.claims)
        made = dataclasses.replace(stored.made, claims_path=output, reused=reused)
        return dataclasses.replace(run, synthesized=made)

    def _question(
        self, run: Run, brief: briefing.Briefing, by_slug: Mapping[str, Page], seen: Sight, guard: Guard
    ) -> _Question:
        """What the agent is asked in this workspace, which has the skills by now, and is sealed."""
        profile = self._profile(run)
        work = task.prepare(run, self.prompts, brief)
        for path, content in self.skills.items():
            _write(run.root / path, content)
        memory = RunMemory.prepare(run, profile, self.desk, by_slug)
        original = partial(self.commits, run.job.user_id, run.base.seq) if self.commits else None
        sealed = seal.take(run.root, work.folder, guard, run.hydrated, original)
        effort = self.efforts[run.job.job_type]
        has_subagents = effort.subagents and brief.evidence >= effort.subagents.from_pages
        before = self.subagents.get(profile.name, ()) if has_subagents else ()
        basics = self._basics(run, sealed, seen)
        return _Question(run, work, profile, effort, sealed, guard, memory, brief, by_slug, before, basics)

    def _asked(self, question: _Question, seen: Sight | None) -> tuple[Run, _StoredAnswer]:
        """The answer of the subagents and the agent, and the run with what they used. ``seen``: what the agent may see;
        None: no rule holds its input.
        """
        run, work, guard = question.run, question.work, question.guard
        try:
            if seen is not None:
                question = dataclasses.replace(question, sees=self._shown(run, seen, guard))
            gathered = self._gather(question)
            if gathered.findings:
                brief = briefing.with_findings(question.brief, run, gathered.findings, question.by_slug)
                work = task.with_input(work, run, brief)
            _write(run.root / work.input, work.input_bytes)
            run = dataclasses.replace(run, usage=run.usage.plus(gathered.usage))
            with self.gateway.open(run.tags, run.usage, _view(run, question.profile, question.effort, work)) as session:
                question = dataclasses.replace(question, run=run, work=work, session=session)
                try:
                    result, answer = self._ask(question)
                finally:
                    usage = run.usage.plus(session.usage())
                    calls = [*gathered.calls, *(("", call) for call in session.calls())]
                    _write(run.root / layout.model_calls(run.job.job_id), _lines(calls))
        finally:
            sight.close(run.root)
        steps = [*gathered.steps, *(("", step) for step in result.steps)]
        _write(run.root / layout.agent_steps(run.job.job_id), _lines(steps))
        self.brain.close(run.root, guard)
        _write(run.root / work.input, work.kept_bytes)
        notes, memory_use = question.memory.settled(result.memory) if question.memory else ((), None)
        made = Synthesized(
            work.output,
            question.effort.model,
            self.agent.version(),
            result.session_id,
            result.tool_calls,
            context=question.brief.context.digest if question.brief.context else "",
            subagents=gathered.ledger,
            memory=memory_use,
        )
        run = dataclasses.replace(run, usage=usage, sealed=question.sealed.intact)
        return run, _StoredAnswer(made, repeats.joined(answer, gathered.findings).encode(), notes)

    def _profile(self, run: Run) -> Profile:
        job = run.job
        profile = self.profiles.get(job.runtime_profile)
        if profile is None or not profile.enabled:
            enabled = sorted(name for name, entry in self.profiles.items() if entry.enabled)
            raise ProfileRefused(f"job {job.job_id}: runtime profile {job.runtime_profile} is not one of {enabled}")
        return profile

    def _sight(self, run: Run, seen: Sight) -> Sight:
        """What this run's agent sees, noted before it does. Raises OverlayMoved."""
        if self.brain.keeps_pages:
            before = sight.sighted(run.root)
            if seen.digest != (before.digest if before else ""):
                raise OverlayMoved(f"job {run.job.job_id}: a rule came after the brain was given its pages")
        elif sight.remember(run.root, seen):
            sight.forget_sessions(run.root)
            self.brain.forget(run.root)
        return seen

    def _shown(self, run: Run, seen: Sight, guard: Guard) -> tuple[str, ...]:
        """The paths that the agent may read, besides what it may write. See ports.AgentTask."""
        if not seen:
            return layout.BRAIN, layout.SEARCH_INDEX
        sight.view(run.root, seen, guard)
        return (layout.AGENT_VIEW,)

    def _gather(self, question: _Question) -> SubagentFindings:
        """The findings of the subagents, if there are any."""
        if not question.subagents:
            return SubagentFindings()
        inquiry = Inquiry(
            question.run,
            question.profile,
            question.subagents,
            question.effort.model,
            question.effort.subagents,
            question.brief,
            question.basics,
            question.sees or (layout.BRAIN, layout.SEARCH_INDEX),
            question.by_slug,
        )
        runs = Subagents(self.agent, self.brain, self.gateway, self.bucket_of, self.prompts["subagent"])
        return runs.gather(inquiry, question.guard)

    def _ask(self, question: _Question) -> tuple[AgentResult, ClaimSet]:
        """The agent's validated answer. After one refusal, the agent gets the reason and tries again."""
        prompt = question.work.prompt
        for attempt in range(1, TRIES + 1):
            try:
                result = self._run_agent(question, prompt)
                answer = _answer(result.artifact, question.run, question.work)
            except SynthesisInvalid as exc:
                self._check_evidence(question)
                if attempt == TRIES:
                    raise
                prompt = task.repair(question.work, self.prompts, str(exc))
            else:
                self._check_evidence(question)
                return result, answer
        raise AssertionError("unreachable: the last try returns or raises")

    def _run_agent(self, question: _Question, prompt: str) -> AgentResult:
        assert question.session
        root, profile, effort = question.run.root, question.profile, question.effort
        agent_task = AgentTask(
            job_id=question.run.job.job_id,
            prompt=prompt,
            output=question.work.output,
            mcp=self.brain.mcp(root, root / layout.AGENT_VIEW if layout.AGENT_VIEW in (question.sees or ()) else None),
            model=effort.model,
            access=question.session.access,
            toolsets=profile.toolsets,
            brain_tools=effort.tools(profile),
            max_turns=min(profile.max_turns, effort.max_turns),
            timeout_s=profile.timeout_s,
            skill=question.work.skill,
            sees=question.sees,
            memory=question.memory.given.files if question.memory else None,
        )
        try:
            return self.agent.run(root, agent_task, question.guard)
        except Retryable:
            # A spent budget, or a model that is away, is the real cause of the agent's error.
            question.session.check()
            raise

    def _check_evidence(self, question: _Question) -> None:
        changes = question.sealed.mend(question.guard)
        if not changes:
            return
        job_id = question.run.job.job_id
        report = [dataclasses.asdict(change) for change in changes]
        _write(question.run.root / layout.tampering(job_id), orjson.dumps(report, option=orjson.OPT_INDENT_2))
        if question.profile.strict_evidence or not all(change.undone for change in changes):
            # A page's name contains its title, so the error gives the digest of its path.
            named = ", ".join(f"{_short(change.path)} ({change.kind})" for change in changes[:NAMED])
            raise EvidenceTampered(f"job {job_id}: the agent touched {len(changes)} sealed files: {named}")

    def _basics(self, run: Run, sealed: seal.Seal, seen: Sight) -> dict[str, str]:
        """What each answer of this run depends on."""
        return {
            "pages": sealed.pages_digest,
            "template": run.job.template_version,
            "profile": run.job.runtime_profile,
            "brain": run.brain,
            "sight": seen.digest,
        }

    def _key(self, asked: _Question) -> str:
        """The name of the answer to this question, with the input before findings: they follow from the rest."""
        work, effort, profile = asked.work, asked.effort, asked.profile
        question: dict[str, Any] = {
            **asked.basics,
            "prompt": work.prompt,
            "input": canonical.sha256_hex(work.input_bytes),
            "model": effort.model,
            "tools": [*profile.toolsets, *effort.tools(profile)],
            "turns": min(profile.max_turns, effort.max_turns),
        }
        if asked.subagents:
            assert effort.subagents
            prompt = self.prompts["subagent"]
            question["subagents"] = [
                subagents.terms_of(subagent, profile, effort.model, effort.subagents, prompt)
                for subagent in asked.subagents
            ]
            question["most_subagents"] = effort.subagents.most
        if asked.memory:
            question["memory"] = asked.memory.given.digest
        return storedanswers.key(question)


def _to_json(answer: _StoredAnswer) -> dict[str, Any]:
    document = {"made": dataclasses.asdict(answer.made), "claims": orjson.loads(answer.claims)}
    return document | ({"notes": list(answer.notes)} if answer.notes else {})


def _from_json(job_id: str, document: Any) -> _StoredAnswer:
    answer = orjson.dumps(document["claims"], option=orjson.OPT_INDENT_2)
    try:
        claims.parse(answer, job_id)
    except SynthesisInvalid as exc:
        raise ValueError(str(exc)) from exc
    made = dict(document["made"])
    ledger = tuple(SubagentRun(**entry) for entry in made.pop("subagents", ()))
    used = made.pop("memory", None)
    synthesized = Synthesized(**made, subagents=ledger, memory=MemoryUse(**used) if used else None)
    return _StoredAnswer(synthesized, answer, tuple(document.get("notes", ())))


def _view(run: Run, profile: Profile, effort: Effort, work: task.Work) -> ModelView:
    tools = {f"{BRAIN_PREFIX}{name}" for name in effort.tools(profile)} | set(profile.hermes_tool_names)
    return ModelView(
        frozenset(tools),
        (str(run.root), str(run.root.resolve())),
        first_call=("read_file", {"path": work.input, "limit": INPUT_LINES}),
        is_finished=lambda: _is_written(run, work),
    )


def _is_written(run: Run, work: task.Work) -> bool:
    """Whether the agent's file is there and valid. An invalid one is no end: the agent may hear of it and mend it."""
    written = task.written(run.root / work.output)
    try:
        return written is not None and bool(_answer(written, run, work))
    except SynthesisInvalid:
        return False


def _answer(artifact: bytes, run: Run, work: task.Work) -> ClaimSet:
    """The agent's file with its citations written out. Raises SynthesisInvalid."""
    answer = claims.parse(excerpts.expand(artifact, work.offered), run.job.job_id)
    # Only code sets found_by.
    own = tuple(claim.model_copy(update={"found_by": ""}) if claim.found_by else claim for claim in answer.claims)
    return answer.model_copy(update={"claims": own})


def _short(path: str) -> str:
    return canonical.sha256_hex(path.encode())[:12]


def _lines(entries: Sequence[tuple[str, ModelCall]] | Sequence[tuple[str, AgentStep]]) -> bytes:
    """A line for each call or step; the lines of a subagent have its name."""
    return b"".join(
        orjson.dumps({**dataclasses.asdict(entry), **({"subagent": name} if name else {})}) + b"\n"
        for name, entry in entries
    )


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # An agent may have left a link here; it is replaced, not followed.
    path.unlink(missing_ok=True)
    path.write_bytes(data)
