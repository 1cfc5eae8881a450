"""
Subagents: each follows a line of inquiry, as an agent of its own, before the agent of a job runs.

Code enforces each subagent's tools, turns and tokens. The brain's server offers it no other tool, and a call of another
tool ends its session. It sees the pages, its input and its own folder. Its findings are ordinary claims: the report
stage checks them against their quotes. If a subagent is stopped or fails, at most its findings are lost; the job goes
on.

Each subagent's answer is stored as soon as the subagent has ended, under the digest of everything that it depends on.
So a later attempt of the job pays only for subagents that had not ended.
"""

from __future__ import annotations

import contextvars
import dataclasses
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from string import Template
from typing import Any, Final

import orjson

from consumer import layout, paths
from consumer.agent import briefing, plugins, task
from consumer.agent.briefing import Briefing
from consumer.agent.plugins import Subagent
from consumer.errors import BlobNotFound, ConsumerError, PreconditionFailed, SynthesisInvalid
from consumer.ports import (
    Agent,
    AgentResult,
    AgentStep,
    AgentTask,
    BlobStore,
    Brain,
    Guard,
    McpCommand,
    ModelCall,
    ModelGateway,
    ModelSession,
    ModelView,
    SessionLimits,
)
from consumer.reports import claims, excerpts
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
    """The limits of a job type, from manifests/pipelines.yaml. ``at_once``: how many subagents run side by side.
    ``tokens``: the limit of each. ``from_pages``: in a memory with fewer pages of evidence, no subagent runs.
    """

    at_once: int
    tokens: int
    from_pages: int = 0


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What the subagents of a run share. ``model``: for subagents whose definition names none.

    ``question``: everything that an answer depends on, besides the subagent and its input. ``sees``: the paths that
    subagents may read.
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


@dataclass(frozen=True, slots=True)
class _Ended:
    """One subagent's part."""

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
    bucket_of: Callable[[str], BlobStore]
    prompt: str

    def gather(self, inquiry: Inquiry, guard: Guard) -> SubagentFindings:
        """Run all subagents and return their findings, in the order of the subagents.

        Raises what stops the whole job: the guard's errors, a spent job budget, an unavailable model, a provider
        without a free slot, an unavailable bucket.
        """
        assert inquiry.limits
        together, root = _Together(guard), inquiry.run.root
        mcp = self.brain.mcp(root, root / layout.AGENT_VIEW if layout.AGENT_VIEW in inquiry.sees else None)
        # A brain whose server writes to its store has one server at a time.
        at_once = 1 if mcp.writes else inquiry.limits.at_once

        def work(subagent: Subagent) -> _Ended:
            try:
                together.check()
                return self._work(subagent, inquiry, mcp, together)
            except BaseException as exc:
                together.fail(exc)
                raise

        try:
            with ThreadPoolExecutor(at_once, thread_name_prefix="subagent") as pool:
                # Each subagent runs in a copy of this thread's context, so its spans belong to the run's trace.
                contexts = [contextvars.copy_context() for _ in inquiry.subagents]
                ended = list(pool.map(lambda context, each: context.run(work, each), contexts, inquiry.subagents))
        finally:
            shutil.rmtree(root / layout.SUBAGENTS, ignore_errors=True)
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

    def _work(self, subagent: Subagent, inquiry: Inquiry, mcp: McpCommand, guard: _Together) -> _Ended:
        assert inquiry.limits
        run, model = inquiry.run, subagent.model or inquiry.model
        tools = plugins.tools_of(inquiry.profile, subagent)
        limits = SessionLimits(min(subagent.max_turns, inquiry.profile.max_turns), inquiry.limits.tokens)
        # If a job has no hints, a subagent begins with the changed pages.
        brief = briefing.of_hints(inquiry.brief) if inquiry.brief.hints else inquiry.brief
        given = task.encoded(run, brief)
        key = self._key(subagent, inquiry, given, (model, list(tools), dataclasses.astuple(limits)))
        stored = self._stored(run, key)
        if stored is not None:
            return stored
        if not tools:
            return _Ended(SubagentRun(subagent.name, model, "not started", "tools"))
        if guard.time_left() < LEAST_S:
            return _Ended(SubagentRun(subagent.name, model, "not started", "time"))
        place = f"{layout.SUBAGENTS}/{subagent.name}"
        source, output = f"{place}/input.json", f"{place}/findings.json"
        shutil.rmtree(run.root / place, ignore_errors=True)
        (run.root / place).mkdir(parents=True)
        (run.root / source).write_bytes(given)
        offered = FILE_TOOLS | {f"{BRAIN_PREFIX}{name}" for name in tools}
        view = ModelView(
            offered,
            (str(run.root), str(run.root.resolve())),
            first_call=("read_file", {"path": source, "limit": INPUT_LINES}),
            is_finished=lambda: _is_written(run, output),
            limits=limits,
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
            if result.fault is not None and not session.exceeded():
                # The job's own budget is spent, or the model is unavailable: the job's agent would fail as well.
                session.check()
            ended = _ended(subagent.name, model, result, session, task.offered(brief))
        if mcp.writes:
            self.brain.close(run.root, guard)
        # The bucket is written outside the commit: a run that lost its lock must leave nothing behind.
        guard.check()
        if ended.findings or ended.entry.outcome != "failed":
            self._store(run, key, ended)
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

    def _key(self, subagent: Subagent, inquiry: Inquiry, given: bytes, effort: Sequence[Any]) -> str:
        question = {
            **inquiry.question,
            "prompt": self.prompt,
            "input": canonical.sha256_hex(given),
            "subagent": subagent.to_json(),
            "effort": list(effort),
        }
        return canonical.digest(question).removeprefix("sha256:")

    def _stored(self, run: Run, key: str) -> _Ended | None:
        try:
            blob = self.bucket_of(run.job.user_id).read(paths.answer(run.job.user_id, key))
            document = orjson.loads(blob.data)
            entry = dataclasses.replace(SubagentRun(**document["entry"]), reused=True)
            return _Ended(entry, tuple(Claim.model_validate(finding) for finding in document["findings"]))
        except (BlobNotFound, ValueError, KeyError, TypeError):
            # Nothing is stored, or this version cannot use it. Running the subagent again is always safe.
            return None

    def _store(self, run: Run, key: str, ended: _Ended) -> None:
        document = {
            "entry": dataclasses.asdict(ended.entry),
            "findings": [finding.model_dump(mode="json") for finding in ended.findings],
        }
        name = paths.answer(run.job.user_id, key)
        try:
            self.bucket_of(run.job.user_id).write(
                name, orjson.dumps(document), if_generation=0, content_type="application/json"
            )
        except PreconditionFailed:
            # Another attempt stored its answer to the same question; both are valid.
            return


def _ended(
    name: str, model: str, result: AgentResult, session: ModelSession, offered: Mapping[str, Sequence[Citation]]
) -> _Ended:
    """The ledger entry, and the findings whose form is valid, however the subagent ended."""
    valid, malformed = claims.salvaged(excerpts.expand(result.artifact, offered), name)
    findings = valid[: claims.FINDINGS]
    fault, exceeded = result.fault, session.exceeded()
    if exceeded:
        outcome, why = "stopped", exceeded
    elif fault is not None:
        outcome, why = "failed", fault.code if isinstance(fault, ConsumerError) else "tool_failed"
    else:
        whole = not malformed and _is_document(result.artifact)
        outcome, why = ("completed", "") if whole else ("failed", SynthesisInvalid.code)
    usage, calls = session.usage(), tuple(session.calls())
    entry = SubagentRun(
        name,
        model,
        outcome,  # type: ignore[arg-type]
        why,
        turns=sum(not call.path.endswith("/embeddings") for call in calls),
        tools=dict(Counter(step.tool.removeprefix(BRAIN_PREFIX) for step in result.steps)),
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_usd=usage.cost_usd,
        findings=len(findings),
        refused=malformed + len(valid) - len(findings),
    )
    return _Ended(entry, findings, usage, calls, result.steps)


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
