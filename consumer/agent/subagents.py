"""
Subagents: each follows a line of inquiry, as an agent of its own, before the agent of a job runs.

Code holds each of them to its tools (the brain's server offers it no others, and a call of another ends its session),
to its turns and to its tokens. It sees the pages, its input and its own folder. What it leaves are claims like any
other: code keeps those whose quotes stand on their pages, and the report stage checks what they say. A subagent that is
stopped or fails costs its findings at most, never the job.

Each subagent's answer is stored as soon as the subagent has ended, under the digest of everything that it depends on.
So a later attempt of the job pays only for subagents that had not ended.
"""

from __future__ import annotations

import contextvars
import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from string import Template
from typing import Any, Final

import orjson

from consumer import layout
from consumer.agent import agentfolders, briefing, plugins, storedanswers, task
from consumer.agent.briefing import Briefing
from consumer.agent.plugins import Subagent
from consumer.agent.storedanswers import BucketOf
from consumer.errors import ConsumerError, ModelUnavailable, ProviderBusy, SynthesisInvalid, ToolFailed
from consumer.evidence.pages import Page
from consumer.ports import (
    Agent,
    AgentResult,
    AgentStep,
    AgentTask,
    Brain,
    Guard,
    McpCommand,
    ModelCall,
    ModelGateway,
    ModelSession,
    ModelView,
    SessionLimits,
    UsageTotal,
)
from consumer.reports import citations, claims, excerpts
from consumer.reports.claims import Citation, Claim
from consumer.run import Run, SubagentRun
from contract import canonical
from contract.api import Usage
from contract.profile import Profile

#: Hermes puts this before the names of the brain's tools.
BRAIN_PREFIX: Final = "mcp__gbrain__"
#: Lines of the input that a subagent reads in its first call: the most that Hermes's ``read_file`` returns.
INPUT_LINES: Final = 2000
#: Hermes's tools with which a subagent reads its input and writes its file, and their toolset.
TOOLSET: Final = "file"
FILE_TOOLS: Final = frozenset({"read_file", "write_file"})
#: The share of the job's remaining time that all subagents together may take.
SHARE_OF_TIME: Final = 0.5
#: A subagent with less time than this, in seconds, is not started.
LEAST_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class SubagentLimits:
    """A job type's, from manifests/pipelines.yaml. ``at_once``: how many run side by side; ``tokens``: of each;
    ``most``: how many a job has, the first of its profile; ``from_pages``: the agent reads a memory with fewer pages of
    evidence alone.
    """

    at_once: int
    tokens: int
    most: int = 4
    from_pages: int = 0


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What the subagents of one run share. ``model``: the job's own, of those whose definition names none.

    ``question``: all that an answer depends on besides the subagent and its input. ``sees``: the paths that subagents
    may read. ``pages``: by slug, those of this run.
    """

    run: Run
    profile: Profile
    subagents: tuple[Subagent, ...]
    model: str
    #: Not None if there are subagents.
    limits: SubagentLimits | None
    brief: Briefing
    question: Mapping[str, str]
    sees: tuple[str, ...]
    pages: Mapping[str, Page]


@dataclass(frozen=True, slots=True)
class SubagentAnswer:
    """What one subagent left, and what it used in this attempt."""

    entry: SubagentRun
    findings: tuple[Claim, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[ModelCall, ...] = ()
    steps: tuple[AgentStep, ...] = ()


@dataclass(frozen=True, slots=True)
class SubagentFindings:
    """``usage``: what this attempt paid for. ``calls`` and ``steps``: by subagent, with its name."""

    findings: tuple[Claim, ...] = ()
    ledger: tuple[SubagentRun, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[tuple[str, ModelCall], ...] = ()
    steps: tuple[tuple[str, AgentStep], ...] = ()


class _Together:
    """The guard of subagents that run side by side: the first subagent that fails stops the others with its error."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._error: BaseException | None = None
        #: Sessions read it before each request, so that together they stay within the job's budget.
        self.total = UsageTotal()
        #: Seconds of the job's time that the subagents must leave for the agent.
        self.reserved_s = guard.time_left() * (1 - SHARE_OF_TIME)

    def fail(self, error: BaseException) -> None:
        self._error = self._error or error

    def check(self) -> None:
        if self._error:
            raise self._error
        self._guard.check()

    def time_left(self) -> float:
        return max(0.0, self._guard.time_left() - self.reserved_s)


@dataclass(frozen=True, slots=True)
class Subagents:
    """``prompt``: templates/<version>/prompts/subagent.md. ``bucket_of``: see stages.synthesize."""

    agent: Agent
    brain: Brain
    gateway: ModelGateway
    bucket_of: BucketOf
    prompt: str

    def gather(self, inquiry: Inquiry, guard: Guard) -> SubagentFindings:
        """Run them and return what they found, in their order. Those beyond the limit of a job are not started.

        Raises what stops the whole job: the guard's errors, a spent budget of the job, the job's own model if it is
        unavailable, a provider without a free slot even for one of them alone, an unavailable bucket.
        """
        assert inquiry.limits
        together, root = _Together(guard), inquiry.run.root
        mcp = self.brain.mcp(root, root / layout.AGENT_VIEW if layout.AGENT_VIEW in inquiry.sees else None)
        # A brain whose server writes to its store has one server at a time.
        at_once = 1 if mcp.writes else inquiry.limits.at_once

        def work(subagent: Subagent) -> SubagentAnswer | None:
            """None: the provider has no free slot. Those that run have one each, and may go on."""
            try:
                together.check()
                return self._work(subagent, inquiry, mcp, together)
            except ProviderBusy:
                return None
            except BaseException as exc:
                together.fail(exc)
                raise

        chosen = inquiry.subagents[: inquiry.limits.most]
        try:
            with ThreadPoolExecutor(at_once, thread_name_prefix="subagent") as pool:
                # Each subagent runs in a copy of this thread's context, so its spans belong to the run's trace.
                contexts = [contextvars.copy_context() for _ in chosen]
                answers = list(pool.map(lambda context, each: context.run(work, each), contexts, chosen))
            # Subagents that got no slot run one after the other, now that the others' slots are free.
            ended = [
                answer or self._work(subagent, inquiry, mcp, together)
                for subagent, answer in zip(chosen, answers, strict=True)
            ]
        finally:
            agentfolders.remove(root / layout.SUBAGENTS)
        ended += [
            SubagentAnswer(SubagentRun(each.name, each.model or inquiry.model, "not started", "number"))
            for each in inquiry.subagents[inquiry.limits.most :]
        ]
        usage = Usage()
        for each in ended:
            usage = usage.plus(each.usage)
        return SubagentFindings(
            tuple(finding for each in ended for finding in each.findings),
            tuple(each.entry for each in ended),
            usage,
            tuple((each.entry.name, call) for each in ended for call in each.calls),
            tuple((each.entry.name, step) for each in ended for step in each.steps),
        )

    def _work(self, subagent: Subagent, inquiry: Inquiry, mcp: McpCommand, guard: _Together) -> SubagentAnswer:
        assert inquiry.limits
        run, model = inquiry.run, subagent.model or inquiry.model
        tools, limits = _offers(subagent, inquiry.profile, inquiry.limits)
        # If a job has no hints, a subagent begins with the changed pages.
        brief = briefing.of_hints(inquiry.brief) if inquiry.brief.hints else inquiry.brief
        given = task.encoded(run, brief)
        terms = terms_of(subagent, inquiry.profile, inquiry.model, inquiry.limits, self.prompt)
        key = storedanswers.key({**inquiry.question, **terms, "input": canonical.sha256_hex(given)})
        stored = storedanswers.read(self.bucket_of, run.job.user_id, key, _from_json)
        if stored is not None:
            return stored
        if not tools:
            return SubagentAnswer(SubagentRun(subagent.name, model, "not started", "tools"))
        if guard.time_left() < LEAST_S:
            return SubagentAnswer(SubagentRun(subagent.name, model, "not started", "time"))
        place = f"{layout.SUBAGENTS}/{subagent.name}"
        source, output = f"{place}/input.json", f"{place}/findings.json"
        agentfolders.remove(run.root / place)
        (run.root / place).mkdir(parents=True)
        (run.root / source).write_bytes(given)
        offered = FILE_TOOLS | {f"{BRAIN_PREFIX}{name}" for name in tools}
        view = ModelView(
            offered,
            (str(run.root), str(run.root.resolve())),
            first_call=("read_file", {"path": source, "limit": INPUT_LINES}),
            is_finished=lambda: _is_written(run, output),
            limits=limits,
            total=guard.total,
        )
        with self.gateway.open(run.tags, run.usage, view) as session:
            order = AgentTask(
                job_id=run.job.job_id,
                prompt=self._prompt(subagent, inquiry, limits, source, output),
                output=output,
                mcp=mcp,
                model=model,
                access=session.access,
                toolsets=(TOOLSET,),
                brain_tools=tools,
                # Reading the input is a turn of the agent, but not a request to the model. After its last turn, an
                # agent may request a summary, which the gateway refuses.
                max_turns=limits.turns + 1,
                timeout_s=min(float(inquiry.profile.timeout_s), guard.time_left()),
                sees=inquiry.sees,
                place=place,
            )
            result = self.agent.run(run.root, order, guard)
            ended = _ended(
                SubagentRun(subagent.name, model, "completed"), result, session, task.offered(brief), inquiry.pages
            )
            if ended.entry.outcome == "failed":
                _raise_for_job(session, result, model, inquiry)
        if mcp.writes:
            self.brain.close(run.root, guard)
        # The bucket is written outside the commit: a run that lost its lock must leave nothing behind.
        guard.check()
        if ended.findings or ended.entry.outcome != "failed":
            storedanswers.write(self.bucket_of, run.job.user_id, key, _to_json(ended))
        return ended

    def _prompt(self, subagent: Subagent, inquiry: Inquiry, limits: SessionLimits, source: str, output: str) -> str:
        run = inquiry.run
        given = {"job_id": run.job.job_id, "job_type": run.job.job_type, "period": run.period}
        given |= {"input": source, "output": output}
        return Template(self.prompt).substitute(
            instructions=subagent.instructions,
            turns=limits.turns,
            findings=claims.FINDINGS,
            task=orjson.dumps(given, option=orjson.OPT_INDENT_2).decode(),
        )


def terms_of(subagent: Subagent, profile: Profile, model: str, limits: SubagentLimits, prompt: str) -> dict[str, Any]:
    """All that a subagent's answer depends on besides its input and what it reads. ``model``: the job's own;
    ``prompt``: the template's for subagents.
    """
    tools, session = _offers(subagent, profile, limits)
    return {
        "prompt": prompt,
        "subagent": subagent.to_json(),
        "model": subagent.model or model,
        "tools": list(tools),
        "limits": dataclasses.asdict(session),
        "findings": claims.FINDINGS,
    }


def _offers(subagent: Subagent, profile: Profile, limits: SubagentLimits) -> tuple[tuple[str, ...], SessionLimits]:
    """The brain's tools and the limits of a subagent in this profile."""
    session = SessionLimits(min(subagent.max_turns, profile.max_turns), limits.tokens)
    return plugins.tools_of(profile, subagent), session


def _raise_for_job(session: ModelSession, result: AgentResult, model: str, inquiry: Inquiry) -> None:
    """Raises what the agent of the job could not do without, either: a spent budget, or its own model."""
    try:
        session.check()
    except ModelUnavailable:
        # A request that ended with its subagent's time says nothing about the model.
        timed_out = isinstance(result.fault, ToolFailed) and result.fault.timed_out
        if model == inquiry.model and not timed_out:
            raise


def _to_json(answer: SubagentAnswer) -> dict[str, Any]:
    findings = [finding.model_dump(mode="json") for finding in answer.findings]
    return {"entry": dataclasses.asdict(answer.entry), "findings": findings}


def _from_json(document: Any) -> SubagentAnswer:
    entry = dataclasses.replace(SubagentRun(**document["entry"]), reused=True)
    return SubagentAnswer(entry, tuple(Claim.model_validate(finding) for finding in document["findings"]))


def _ended(
    entry: SubagentRun,
    result: AgentResult,
    session: ModelSession,
    offered: Mapping[str, Sequence[Citation]],
    pages: Mapping[str, Page],
) -> SubagentAnswer:
    """The ledger entry, and the findings whose form is valid and whose quotes stand on their pages, however the
    subagent ended.
    """
    valid, malformed = claims.salvaged(excerpts.expand(result.artifact, offered), entry.name)
    # The agent is shown what a finding quotes as an excerpt of its page.
    findings = tuple(finding for finding in valid if citations.check(finding, pages.get).stands)[: claims.FINDINGS]
    fault, exceeded = result.fault, session.exceeded()
    if exceeded:
        outcome, why = "stopped", exceeded
    elif fault is not None:
        outcome, why = "failed", fault.code if isinstance(fault, ConsumerError) else "tool_failed"
    else:
        whole = not malformed and _is_document(result.artifact)
        outcome, why = ("completed", "") if whole else ("failed", SynthesisInvalid.code)
    usage, calls = session.usage(), tuple(session.calls())
    entry = dataclasses.replace(
        entry,
        outcome=outcome,  # type: ignore[arg-type]
        why=why,
        turns=sum(not call.path.endswith("/embeddings") for call in calls),
        tools=dict(Counter(step.tool.removeprefix(BRAIN_PREFIX) for step in result.steps)),
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_usd=usage.cost_usd,
        findings=len(findings),
        refused=malformed + len(valid) - len(findings),
    )
    return SubagentAnswer(entry, findings, usage, calls, result.steps)


def _is_document(data: bytes) -> bool:
    try:
        return isinstance(orjson.loads(data)["claims"], list)
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return False


def _is_written(run: Run, output: str) -> bool:
    """Whether the file exists and has only valid claims, which ends the session. The ids of excerpts are not checked
    yet.
    """
    data = task.written(run.root / output)
    if data is None or not _is_document(data):
        return False
    return not claims.salvaged(excerpts.expand(data, {}), "")[1]
