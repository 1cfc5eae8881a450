"""What the core needs from the world. Each method says its precondition, whether it may be repeated, what it raises.

Foreign exceptions never pass a port: adapters translate them into consumer.errors, once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, Protocol
from urllib.parse import urlsplit

from consumer.snapshot.chain import CommitMeta
from consumer.snapshot.snapshot import Base, Hydrated, StatCache
from consumer.snapshot.suppression import Suppressed
from contract.api import (
    BatchRequest,
    BatchResponse,
    CommitRef,
    CompleteRequest,
    CompleteResponse,
    ErasureOrder,
    ErasureReport,
    ProgressRequest,
    ProgressResponse,
    TickRequest,
    TickResponse,
    TokenRequest,
    TokenResponse,
    Usage,
)
from contract.orders import OrderedStep, StepReport
from contract.overlay import Overlay, PlaceRequest

# --- bucket ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BlobStat:
    """What the bucket knows of a live object. ``updated`` and ``server_time`` come from the same server's clock."""

    name: str
    generation: int
    size: int
    updated: datetime
    server_time: datetime


@dataclass(frozen=True, slots=True)
class Blob:
    stat: BlobStat
    data: bytes


class BlobStore(Protocol):
    """One bucket. Strongly consistent per object; about one write a second and object name.

    No call retries by itself after a write was sent: a lost reply must stay a question for the caller.
    """

    def read(self, name: str) -> Blob:
        """The live object, whole, checked against the server's CRC32C.

        Repeatable. Raises BlobNotFound, BlobUnavailable.
        """

    def read_range(self, name: str, offset: int, length: int) -> bytes:
        """``length`` bytes from ``offset``. Repeatable. Raises BlobNotFound, BlobUnavailable (also when short)."""

    def stat(self, name: str) -> BlobStat:
        """Repeatable. Raises BlobNotFound, BlobUnavailable."""

    def write(
        self, name: str, data: bytes, *, if_generation: int | None, content_type: str = "application/octet-stream"
    ) -> BlobStat:
        """Write the whole object.

        ``if_generation``: 0 = only if absent; n = only over exactly that generation; None = whatever is there (only
        for objects named by their content, where every writer writes the same bytes).
        Raises PreconditionFailed (a question: it may be our own lost success), BlobUnavailable (outcome unknown).
        """

    def delete(self, name: str, *, if_generation: int) -> None:
        """Delete exactly that generation. Raises BlobNotFound, PreconditionFailed, BlobUnavailable (unknown)."""

    def list(self, prefix: str, *, start_after: str = "") -> Iterator[BlobStat]:
        """Live objects in name order, strictly after ``start_after``. Repeatable. Raises BlobUnavailable."""


class ReadBlobs(BlobStore, Protocol):
    """A bucket of which somebody keeps what they read."""

    def read_newer(self, name: str, generation: int) -> Blob | None:
        """The live object as ``read``, or None if it still has this generation. Repeatable. Raises as ``read``."""


# --- topics ------------------------------------------------------------------------------------------------------


class Topic(Protocol):
    def publish(self, data: bytes, attributes: Mapping[str, str]) -> str:
        """Publish one message and wait for the reply; the message id. May be repeated (a duplicate is harmless).

        Raises TopicUnavailable.
        """


# --- control plane -----------------------------------------------------------------------------------------------


class JobSession(Protocol):
    """The control plane as one attempt of one job sees it: every call carries the job token, renewed before expiry.

    All raise ControlPlaneUnavailable, NotAllowed, RequestRefused; AttemptStale on 409 attempt_stale or replay_stale.
    """

    def batch(self, request: BatchRequest) -> BatchResponse:
        """One page of the export. Repeatable."""

    def progress(self, request: ProgressRequest) -> ProgressResponse:
        """Stage, counts, heartbeat. Repeatable."""

    def complete(self, request: CompleteRequest) -> CompleteResponse:
        """Record the result once. Repeatable: the same again gives the same answer."""


class ControlPlane(Protocol):
    def open(self, job_id: str, request: TokenRequest) -> tuple[TokenResponse, JobSession]:
        """Exchange the service identity for a job token. Repeatable by the same owner.

        Raises ControlPlaneUnavailable (also for 404: the row may not be visible yet), NotAllowed, RequestRefused,
        AttemptStale, JobTerminal (its args[1] is the stored status).
        """

    def plan_tick(self, request: TickRequest) -> TickResponse:
        """Plan one page of due jobs. Repeatable. Raises ControlPlaneUnavailable, NotAllowed, RequestRefused."""


class Deletions(Protocol):
    """What is to be erased of deleted accounts. All raise ControlPlaneUnavailable, NotAllowed, RequestRefused."""

    def begin_erasure(self, user_id: str) -> ErasureOrder:
        """The step that is due, asked under the user's lock; an account that is there again has none. Repeatable."""

    def report_erasure(self, user_id: str, report: ErasureReport) -> None:
        """A step was done. Repeatable: a step that was told before changes nothing."""


class Orders(Protocol):
    """What users ordered for their memory. All raise ControlPlaneUnavailable, NotAllowed, RequestRefused."""

    def begin_order(self, user_id: str) -> OrderedStep:
        """The step that is due, asked under the user's lock. It counts as tried. Repeatable."""

    def report_order(self, user_id: str, report: StepReport) -> None:
        """What became of a step. Repeatable: a step that was told before changes nothing."""


class SuppressionMirror(Protocol):
    """The database's copy of what must stay away from users' memories. It only grows.

    All raise ControlPlaneUnavailable, NotAllowed, RequestRefused.
    """

    def suppressed(self, user_id: str) -> Suppressed:
        """All that the database knows; empty for a user from whom nothing was ever purged. Repeatable."""

    def suppress(self, user_id: str, more: Suppressed) -> Suppressed:
        """Add hashes and the time of an erasure. Repeatable.

        The first key that any caller sends becomes the user's; the answer has it, and need not have any record.
        """


class Overlays(Protocol):
    """What a user said about their memory, as it stands now. All raise ControlPlaneUnavailable, NotAllowed,
    RequestRefused.
    """

    def overlay(self, user_id: str) -> Overlay:
        """Repeatable."""

    def place_corrections(self, user_id: str, request: PlaceRequest) -> None:
        """Keep what a run found that corrections speak of. Repeatable: the first answer for each stands."""


# --- history -----------------------------------------------------------------------------------------------------


class HeadView(Protocol):
    """HEAD as the event spine needs it; ``generation`` 0: it does not exist."""

    @property
    def seq(self) -> int: ...
    @property
    def commit(self) -> str | None: ...
    @property
    def epoch(self) -> int: ...
    @property
    def generation(self) -> int: ...


class CommitHistory(Protocol):
    """A user's history, as far as claim, lock and settlement touch it. All raise BlobUnavailable."""

    def read_head(self) -> HeadView | None:
        """Repeatable."""

    def fence(self, epoch: int) -> HeadView:
        """Rewrite HEAD with the same commit and this epoch, so that every older holder's swap fails.

        Repeatable. Raises LockLost when a higher epoch is there.
        """

    def committed_by(self, job_id: str, base_seq: int, head: HeadView | None = None) -> CommitRef | None:
        """The commit of this job above ``base_seq``, walking the chain back from HEAD. Repeatable."""

    def publish(self, seq: int, workspace_paths: Sequence[str]) -> None:
        """Readable copies of committed files. Repeatable: the same bytes again are no change."""


class HeadStore(Protocol):
    """Everyone's histories."""

    def of(self, user_id: str) -> CommitHistory:
        """One user's. Makes no request."""


# --- tools -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolResult:
    """``stdout`` and ``stderr`` hold at most the limit asked for, from the end; ``truncated`` says that more came."""

    returncode: int
    stdout: bytes
    stderr: bytes
    duration_s: float
    truncated: bool = False


class Tool(Protocol):
    @property
    def contained(self) -> bool:
        """Whether each run has processes of its own: none is left when it ends, and a process id that one of them
        wrote down means another process to everybody else. It can write only to the folders named as writable.
        """

    def run(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        timeout_s: float,
        guard: Guard,
        output_bytes: int = 256 * 1024,
        progress: Callable[[], object] | None = None,
        stall_s: float | None = None,
        writable: Sequence[Path] = (),
        readable: Sequence[Path] = (),
        reach: Sequence[int] = (),
        hidden: Sequence[Path] = (),
    ) -> ToolResult:
        """Run a command in its own process group with exactly this environment and no stdin, until all of it is gone.

        ``writable``: files and folders that it must be able to write; where tools run as a user of their own, theirs.
        In a sandbox nothing else can be written, except temporary folders that end with the tool.
        ``readable``: folders that it must be able to read besides; a sandbox shows nothing else of temporary folders
        and of other runs.
        ``hidden``: folders of which a sandbox shows only what is ``readable`` or ``writable`` below them.
        ``reach``: loopback ports of this machine that it may connect to; where tools have a network of their own, there
        is nothing else.
        ``progress`` gives a value that changes while the tool works; unchanged for ``stall_s`` seconds it is hung.
        Raises ToolFailed (cannot start, out of time), and whatever ``guard.check()`` raises while it runs, after the
        whole group was stopped. A non-zero return code is a result, not an error.
        """


# --- brain -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class McpCommand:
    """How an agent starts the brain's stdio MCP server.

    ``env`` is all that the server gets. A value ``${NAME}`` names a variable of the agent's own environment; of those
    only OPENAI_API_KEY and OPENAI_BASE_URL (the model gateway) are meant for a brain that embeds its queries.
    """

    command: str
    args: tuple[str, ...]
    env: Mapping[str, str]
    #: Folders of the run folder to which the server must write even for reading. Only one server at a time may use
    #: them.
    writes: tuple[str, ...] = ()


#: Of a page that a brain was not given yet, in ``IndexCounts.skipped``.
WAITS: Final = "waits for the next run: this one had no time for it"


@dataclass(frozen=True, slots=True)
class IndexCounts:
    """``skipped`` maps a page path to the brain's own reason; a page asked for is imported, unchanged or skipped."""

    imported: int = 0
    unchanged: int = 0
    deleted: int = 0
    pages: int = 0
    links: int = 0
    embedded: int = 0
    skipped: Mapping[str, str] = field(default_factory=dict)
    #: What went wrong without failing the update, e.g. an embedding that ran out of time.
    notes: tuple[str, ...] = ()

    def plus(self, later: IndexCounts) -> IndexCounts:
        """Of two updates one after the other; ``pages`` and ``links`` are the brain's, as the later one left it."""
        return IndexCounts(
            self.imported + later.imported,
            self.unchanged + later.unchanged,
            self.deleted + later.deleted,
            later.pages,
            later.links,
            self.embedded + later.embedded,
            {**self.skipped, **later.skipped},
            tuple(dict.fromkeys((*self.notes, *later.notes))),
        )


@dataclass(frozen=True, slots=True)
class DreamPhase:
    """One phase of a brain's nightly upkeep. ``counts``: the brain's own, without content."""

    name: str
    outcome: Literal["done", "skipped", "failed", "no time"]
    seconds: float = 0.0
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DreamPage:
    """What the brain wrote about the page ``slug``. ``body``: markdown that cites pages as ``[Source: slug]``."""

    slug: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Dreamt:
    """What a brain did in one night. No phases: it has no upkeep."""

    phases: tuple[DreamPhase, ...] = ()
    pages: tuple[DreamPage, ...] = ()


@dataclass(frozen=True, slots=True)
class DreamModel:
    """The model that a dreaming brain may ask. ``price``: USD per million tokens by "input", "output", if known."""

    access: ModelAccess
    name: str
    price: Mapping[str, float] | None = None


class Brain(Protocol):
    """The index over ``brain/``. One process at a time per brain; every method leaves it closed."""

    #: "gbrain" or "local": named in every report.
    name: str
    #: Whether update asks the model for embeddings, and so wants its access.
    embeds: bool
    #: Whether it copies pages into a store of its own, and so must be given only what an agent may see.
    keeps_pages: bool

    @property
    def contained(self) -> bool:
        """Whether no program that it starts, except ``mcp``, can write to anything of a workspace but gbrain-home."""

    def version(self) -> str:
        """Raises ToolFailed, BrainRefused (an unsupported version)."""

    def open(self, root: Path, guard: Guard) -> None:
        """After hydrate: clear what the dead left, create the brain where there is none, check its page count.

        Repeatable. Raises ToolFailed, BrainRefused.
        """

    def update(
        self,
        root: Path,
        changed: Sequence[str],
        deleted: Sequence[str],
        guard: Guard,
        access: ModelAccess | None = None,
        *,
        shown: Mapping[str, bytes] = MappingProxyType({}),
    ) -> IndexCounts:
        """Import changed pages (paths relative to ``brain/``), drop deleted ones, extract links, embed with ``access``.

        ``shown``: what a brain that keeps pages takes instead of these files.
        Repeatable. Raises ToolFailed; a page neither imported nor unchanged is in ``skipped``.
        """

    def dream(
        self, root: Path, given: Sequence[str], model: DreamModel, guard: Guard, *, shown: Mapping[str, bytes]
    ) -> Dreamt:
        """The brain's nightly upkeep, after ``update``. Afterwards it holds the pages of before, as ``given`` (paths
        relative to ``brain/``; ``shown`` as in update), and no others; what it wrote about them is in the result.

        Repeatable. Raises ToolFailed where the pages cannot be made what they were.
        """

    def mcp(self, root: Path, view: Path | None = None) -> McpCommand:
        """The stdio MCP server over this brain and the evidence index. ``view``: the folder whose pages and index are
        read instead of the workspace's.
        """

    def forget(self, root: Path) -> None:
        """Drop the store and every copy of a page in it; ``open`` makes it anew. Repeatable."""

    def close(self, root: Path, guard: Guard) -> None:
        """Wait until no process holds the brain and its files are whole. Raises ToolFailed."""


# --- model -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ModelTags:
    """What every model call of a job is recorded under."""

    job_id: str
    user_id: str
    job_type: str
    runtime_profile: str
    template_version: str


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """An OpenAI-compatible endpoint on loopback. ``token`` opens only this one, only while the job runs."""

    base_url: str
    token: str = field(repr=False)

    @property
    def port(self) -> int:
        """Its port; 0 where the URL names none."""
        return urlsplit(self.base_url).port or 0


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call to the model, without content. ``cost_usd`` is None where the price is not known. ``upstream``: host and
    port of the provider.
    """

    at: datetime
    path: str
    model: str
    status: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float | None
    duration_s: float
    attempts: int
    upstream: str = ""


class ModelSession(Protocol):
    """The model as one job may use it."""

    @property
    def access(self) -> ModelAccess: ...

    def usage(self) -> Usage:
        """Sum over the calls so far."""

    def calls(self) -> Sequence[ModelCall]:
        """Every call so far, in order of its end."""

    def check(self) -> None:
        """Why an error of whoever uses the model may be the model's.

        Raises ModelBudgetExceeded once a call was refused for the job's budget; ModelUnavailable if the provider did
        not answer the last call, or answered what says nothing about it (no access, too many requests, 5xx).
        """

    def exceeded(self) -> str:
        """Which of its view's limits ended this session: "turns", "tokens" or "tools"; "" for none, also where the
        job's budget ended it.
        """


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """What a session may use of its job's budget. ``turns``: requests to the model; ``tokens``: in and out."""

    turns: int
    tokens: int


class UsageTotal:
    """What a job's sessions that run side by side use together. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._usage = Usage()

    def add(self, usage: Usage) -> None:
        with self._lock:
            self._usage = self._usage.plus(usage)

    def usage(self) -> Usage:
        with self._lock:
            return self._usage


@dataclass(frozen=True, slots=True)
class ModelView:
    """What the model gets of an agent's requests.

    ``tools``: the names of the tools that it is offered; definitions of others are not sent, for each costs tokens in
    every request. ``folders``: spellings of the run folder, which become ``.`` in system prompts: the provider learns
    no path, and the same job type has the same prompt in any folder, which a provider's prompt cache needs.

    A provider bills the whole conversation with each request, so the gateway takes the two steps that need no model.
    ``first_call``: name and arguments of the tool call that answers a session's first request; None asks the model.
    ``is_finished``: whether the agent's work is done, which ends the session after a tool's result.

    ``limits``: the session's own, besides the job's budget; with them, a call of a tool that is not in ``tools`` ends
    the session, too. None: the job's budget alone.

    ``total``: shared by the sessions of one job that run side by side. Each adds its calls to it, and the job's budgets
    of tokens and money are compared with it. None: the session is alone.
    """

    tools: frozenset[str]
    folders: tuple[str, ...]
    first_call: tuple[str, Mapping[str, Any]] | None = None
    is_finished: Callable[[], bool] | None = None
    limits: SessionLimits | None = None
    total: UsageTotal | None = None


class Embedder(Protocol):
    """A model that turns texts into vectors, of one length."""

    @property
    def model(self) -> str:
        """Names the vectors: those of two models are not comparable."""

    def embed(self, texts: Sequence[str], limit_s: float) -> Sequence[Sequence[float]]:
        """A vector for each text, in order, within ``limit_s`` seconds. Raises ToolFailed, without content."""


class ModelGateway(Protocol):
    def open(
        self, tags: ModelTags, spent: Usage, view: ModelView | None = None
    ) -> AbstractContextManager[ModelSession]:
        """Listen on loopback for one job, until the context ends; the real key stays outside.

        ``spent``: what the job took from its budgets of tokens and money before. ``view``: narrows an agent's
        requests; None: requests of our own, which need no narrowing.

        Raises ToolFailed, and ProviderBusy where a cap on sessions at the provider is reached.
        """


# --- agent -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AgentTask:
    """One synthesis. The agent writes JSON to ``output`` (relative to the run folder); nothing else is an answer."""

    job_id: str
    prompt: str
    output: str
    mcp: McpCommand
    model: str
    #: Where the agent finds its model, with a token that is worth nothing elsewhere or later.
    access: ModelAccess
    toolsets: tuple[str, ...]
    #: Tools of the brain's MCP server the agent may see; empty = all that it has.
    brain_tools: tuple[str, ...]
    max_turns: int
    timeout_s: float
    #: The skill of the workspace that the agent has from the start; "": none.
    skill: str = ""
    #: Paths of the run folder that the agent and its tools may read, besides what they may write; None: all of it.
    sees: tuple[str, ...] | None = None
    #: The folder with this agent's home and temporary files, inside the run folder. The agent may write nowhere else.
    #: "": the agent uses the workspace's home, which keeps its sessions.
    place: str = ""
    #: The agent's own memory, by file name. The agent works on a copy. None: the agent has no memory.
    memory: Mapping[str, bytes] | None = None


@dataclass(frozen=True, slots=True)
class AgentStep:
    """One tool call of an agent, without content. ``at`` is the agent's own log time."""

    at: str
    tool: str
    outcome: Literal["completed", "failed", "cancelled"]
    duration_s: float


@dataclass(frozen=True, slots=True)
class AgentResult:
    session_id: str
    usage: Usage
    tool_calls: int
    duration_s: float
    #: Bytes of the artifact as written; the caller validates them.
    artifact: bytes
    steps: tuple[AgentStep, ...] = ()
    #: What it left in its memory, by file name, of the files that could be read; empty without a memory.
    memory: Mapping[str, bytes] = field(default_factory=dict)
    #: Only for a task with a ``place``: why the agent was stopped, or why it ended without an artifact.
    fault: Exception | None = None


class Agent(Protocol):
    #: e.g. "hermes 0.19.0".
    def version(self) -> str: ...

    def run(self, root: Path, task: AgentTask, guard: Guard) -> AgentResult:
        """Run the agent to its end. Repeatable. Raises ToolFailed, SynthesisInvalid (no artifact), the guard's errors.

        For a task with a ``place``, the first two are not raised: the result has them as ``fault``, with what the agent
        wrote.
        """


# --- cloud -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExecutionState:
    """An execution as Cloud Run describes it. ``reason``: Cloud Run's own words about its end, without content."""

    is_over: bool
    reason: str = ""


class JobLauncher(Protocol):
    def launch(self, env: Mapping[str, str], *, timeout_s: int) -> str:
        """Start one execution with these overrides; its full name. NOT idempotent. Raises LauncherUnavailable."""

    def state(self, execution: str) -> ExecutionState:
        """Whether the execution of this name may still start or run. Raises LauncherUnavailable."""


class TokenVerifier(Protocol):
    def verify(self, authorization: str | None) -> Mapping[str, Any]:
        """The claims of a push's bearer token. Raises NotAllowed (args[1]: 401 or 403), KeysUnavailable."""

    def known(self, authorization: str | None) -> Mapping[str, Any] | None:
        """The claims if this token was accepted before and still holds, else None. Never waits."""


# --- workspace ---------------------------------------------------------------------------------------------------


class Signer(Protocol):
    """Signs commits with one key, and knows the public halves of this and all earlier keys."""

    key_id: str

    def sign(self, payload: bytes) -> bytes:
        """The Ed25519 signature (64 bytes). Repeatable: the same payload gives the same bytes."""

    def verify(self, key_id: str, payload: bytes, signature: bytes) -> bool:
        """False also for a key that is not in the ring."""


class Workspace(Protocol):
    """One user's workspace. Needs the user's lock and a fenced HEAD for ``persist``."""

    def hydrate(self, root: Path, template_version: str, guard: Guard) -> Hydrated:
        """HEAD's snapshot, or the template where there is none, into ``root``, which must not exist or be empty.

        Repeatable into a fresh folder. Raises SnapshotIncomplete, SnapshotRefused, WorkspaceFrozen, TemplateUnknown,
        BlobUnavailable, the guard's.
        """

    def persist(
        self,
        root: Path,
        base: Base,
        meta: CommitMeta,
        guard: Guard,
        *,
        last_look: Callable[[], None] | None = None,
        sealed: StatCache | None = None,
    ) -> CommitRef:
        """Commit ``root`` on top of ``base``. Where nothing changed no commit is made and base's own comes back.

        ``last_look``: called once, after all uploads and right before HEAD is swapped; what it raises prevents that.
        ``sealed``: files that no other program can have changed since their stat was taken; they are not read again
        while their stat is the same.

        Repeatable: what was uploaded before a crash is written again or left behind, and becomes visible only by the
        swap of HEAD. Raises LockLost, HeadMoved, WorkspaceFrozen, SnapshotRefused, BlobUnavailable (look whether the
        commit is there), the guard's.
        """


class Workspaces(Protocol):
    """Everyone's workspaces."""

    def of(self, user_id: str) -> Workspace:
        """One user's. Makes no request."""


# --- time and safety ---------------------------------------------------------------------------------------------


class Clock(Protocol):
    def now(self) -> datetime:
        """Aware, UTC. For names and texts; never decides who holds a lock."""

    def monotonic(self) -> float:
        """Seconds; only differences mean anything."""

    def sleep(self, seconds: float) -> None: ...


class Guard(Protocol):
    """May this run go on? Asked in every loop, at every stage boundary, and while a subprocess runs."""

    def check(self) -> None:
        """Raises LockLost, CancelRequested, BudgetExceeded, ShuttingDown, AttemptStale."""

    def time_left(self) -> float:
        """Seconds until the run's deadline, never negative."""
