"""A console over the small world: dead jobs, a workspace with a report and the evidence it cites, hostile pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from consumer import bootstrap
from consumer.delivery.deadletter import DeadLetters
from consumer.delivery.envelope import Delivery
from consumer.delivery.ledgers import Ledgers
from consumer.errors import ConsumerError, NotAllowed, RequestRefused, TenantMismatch, ToolFailed
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import FakeClock
from contract.api import (
    Artifact,
    BucketDeedRequest,
    CommitRef,
    DiscardRequest,
    EnableUserRequest,
    FlagList,
    FlagView,
    JobList,
    JobView,
    PauseList,
    PauseView,
    ReasonRequest,
    ReplayRequest,
    RerunRequest,
    SetFlagRequest,
    UnsetFlagRequest,
    UserList,
    UserView,
)
from renderers.report import Cited, ReportLine, ReportPage, ReportPart, render
from tests.copies import copied_without
from tests.spine import USER, FakeStage, World, a_delivery, an_event, job_id, raising
from tests.unit.cli.operators import AT, a_job
from tests.unit.repository.workspaces import Bench

OPERATOR = "ann@example.com"
REPORT = f"brain/reports/insights/2026-11-27__{job_id(7)}.md"
EVIDENCE = "brain/sources/cloop/activity-events/2026-11-27-gmail.md"
HOSTILE = "brain/sources/cloop/meeting-notes/hostile.md"
LONG = "brain/sources/cloop/meeting-notes/long.md"
LONG_QUOTE = "the self-made invoice, they said, is due on Friday"
ANCHOR = "r-xvw7u2szffev"
HOSTILE_TEXTS = [
    json.loads(line) for line in (Path(__file__).parents[2] / "data" / "hostile.jsonl").read_text().splitlines()
]
#: What the renderers never write, because they escape it; the viewer must hold even if they did not.
RAW_ATTACKS = (
    "<script>window.owned = 1</script>",
    '<img src=x onerror="window.owned = 1">',
    "[click](javascript:window.owned=1)",
    "[click](data:text/html,<script>1</script>)",
    "[out](https://evil.example/) ![pixel](https://evil.example/p.png)",
    "[up](../../../../../../etc/passwd) [root](/jobs) [twice](//evil.example/x)",
    '<a id="r-xvw7u2szffev" onclick="window.owned=1"></a>',
    '<a id="r-xvw7u2szffev"></a><svg onload=window.owned=1>',
    "<!-- a --><script>window.owned = 1</script><!-- b -->",
    '<form action="/dead-letters/x" method="post"><button>ok</button></form>',
    '<style>body{display:none}</style>\n\n<iframe src="https://evil.example/"></iframe>',
    '[x]( <javascript:alert(1)> "title\\"onmouseover=window.owned=1" )',
    "<https://evil.example/auto>",
)


def pages() -> dict[str, str]:
    """Workspace paths and texts of the commit that the console shows."""
    cited = Cited(EVIDENCE.removeprefix("brain/"), ANCHOR, "Li sent the draft", "Activity: gmail")
    whole = Cited(HOSTILE.removeprefix("brain/"), None, "x", "Hostile note")
    plain = Cited(LONG.removeprefix("brain/"), None, LONG_QUOTE, "Planning")
    items = (
        ReportLine("Li sent the draft.", (cited,)),
        ReportLine("A note came in.", (whole,)),
        ReportLine("Money is due.", (plain,)),
    )
    facts = ReportPart("Changes", items)
    report = render(ReportPage("Insight of 2026-11-27", "What stands out.", {"job_id": job_id(7)}, (facts,)))
    evidence = (
        '---\ntitle: "Activity: <b>gmail</b>"\n---\n\n# Activity: gmail\n\n'
        + "".join(f'<a id="r-{"abcdefgh"[i]}aaaaaaaaaaa"></a>\n\n## Event {i}\n\n- When: then\n\n' for i in range(8))
        + f'<a id="{ANCHOR}"></a>\n\n## Contract draft\n\n```text\nLi sent the draft\n```\n'
    )
    hostile = "\n\n".join([*RAW_ATTACKS, *(entry["text"] for entry in HOSTILE_TEXTS)])
    long = "# Planning\n\n" + "Words of no weight.\n\n" * 200 + f"At last {LONG_QUOTE}, or so.\n\n" + "More.\n\n" * 200
    files = {LONG: long, REPORT: report, EVIDENCE: evidence, HOSTILE: hostile}
    return {**files, "runtime/job-runs/x.json": '{"b":1,"a":"<i>"}'}


def a_workspace(tmp: Path) -> tuple[Bench, int]:
    """A bucket with two commits of USER, and the seq of the one with the report."""
    bench = Bench(tmp)
    store = bench.store()
    root, workspace = bench.hydrate(store)
    bench.commit(store, root, workspace.base)
    for path, text in pages().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode(errors="surrogatepass"))
    (root / "brain" / "blob.bin").write_bytes(b"\x00\x01")
    _, again = bench.hydrate(store)
    ref = bench.commit(store, root, again.base, "job-2")
    store.close()
    return bench, ref.seq


@dataclass
class Api:
    """The operator API: one list of jobs and one of users, replays by replay_id, and every change with who made it."""

    listed: list[JobView] = field(default_factory=list)
    people: list[UserView] = field(default_factory=list)
    replays: list[tuple[str, ReplayRequest]] = field(default_factory=list)
    asked: list[dict[str, str]] = field(default_factory=list)
    error: ConsumerError | None = None
    #: (operator, call, what it was called with)
    changes: list[tuple[str, str, Any]] = field(default_factory=list)
    set_flags: list[FlagView] = field(default_factory=list)
    paused: list[PauseView] = field(default_factory=list)
    #: In whose name the calls come; the console says so before each.
    operator: str = OPERATOR
    known: tuple[str, ...] = (OPERATOR,)

    def jobs(self, filters: Mapping[str, str]) -> JobList:
        self._called(filters)
        jobs = [j for j in self.listed if filters.get("user_id") in (None, j.user_id)]
        jobs = [j for j in jobs if filters.get("status") in (None, j.status)]
        return JobList(jobs=tuple(jobs[:50]), next_after="older" if len(jobs) > 50 else None)

    def job(self, job_id: str) -> JobView:
        for job in self.listed:
            if job.job_id == job_id:
                return job
        raise RequestRefused(f"GET /memory-jobs/{job_id}: 404 job_not_found: no job {job_id}", 404)

    def users(self, filters: Mapping[str, str]) -> UserList:
        self._called(filters)
        return UserList(users=tuple(self.people))

    def replay(self, job_id: str, request: ReplayRequest) -> JobView:
        if self.error:
            raise self.error
        self.replays.append((job_id, request))
        return self.job(job_id)

    def note_discard(self, request: DiscardRequest) -> None:
        self._changed("discard", request)

    def note_deed(self, request: BucketDeedRequest) -> None:
        self._changed("deed", request)

    def cancel(self, job_id: str, request: ReasonRequest) -> JobView:
        self._changed("cancel", (job_id, request.reason))
        return self.job(job_id)

    def rerun(self, job_id: str, request: RerunRequest) -> JobView:
        self._changed("rerun", (job_id, request.force_render))
        made = a_job(50, rerun_of=job_id)
        self.listed.append(made)
        return made

    def enable_user(self, request: EnableUserRequest) -> dict[str, Any]:
        self._changed("enable", request)
        return {"user_id": request.user_id or USER}

    def disable_user(self, user_id: str) -> dict[str, Any]:
        self._changed("disable", user_id)
        return {"user_id": user_id}

    def pauses(self) -> PauseList:
        return PauseList(pauses=tuple(self.paused))

    def flags(self, filters: Mapping[str, str]) -> FlagList:
        self._called(filters)
        return FlagList(flags=tuple(self.set_flags))

    def set_flag(self, request: SetFlagRequest) -> FlagView:
        self._changed("flag", request)
        made = FlagView(**request.model_dump(), set_by=self.operator, set_at=AT)
        self.set_flags.append(made)
        return made

    def unset_flag(self, request: UnsetFlagRequest) -> FlagView:
        self._changed("unset", request)
        return self.set_flags.pop()

    def _changed(self, call: str, what: Any) -> None:
        if self.error:
            raise self.error
        self.changes.append((self.operator, call, what))

    def _called(self, filters: Mapping[str, str]) -> None:
        if self.error:
            raise self.error
        self.asked.append(dict(filters))


@dataclass
class Operations:
    """Three dead jobs of two kinds, a message that is no job, a completed job with a report, one that runs."""

    tmp: Path
    operator: str = OPERATOR

    def __post_init__(self) -> None:
        self.world = World(self.tmp / "world")
        self.clock: FakeClock = self.world.clock
        writer = ConditionalWriter(self.world.blobs, self.clock)
        self.dead_letters = DeadLetters(self.world.blobs, self.world.dead_topic, self.clock)
        self.ledgers = Ledgers(writer, self.clock, self.world.ids)
        self.bench, self.seq = a_workspace(self.tmp / "workspace")
        self.workspaces = self.bench.store()
        self._die()
        self.api = Api(self._jobs(), [UserView(user_id=USER, status="enabled", open_jobs=1)])

    def __deepcopy__(self, memo: dict[int, Any]) -> Operations:
        return copied_without(self, memo, workspaces=lambda made: made.bench.store())

    def acting_for(self, operator: str) -> Api:
        if isinstance(self.api, Api):  # a test may put the real one in its place
            if operator not in self.api.known:
                raise NotAllowed(f"{operator} is no operator here", 403)
            self.api.operator = operator
        return self.api

    def _die(self) -> None:
        kinds = [(1, "export", TenantMismatch("a")), (2, "export", TenantMismatch("b")), (3, "report", ToolFailed("c"))]
        for number, stage, error in kinds:
            event = an_event(number)
            self.world.plane.add(event)
            handler = self.world.handler(stages={stage: FakeStage(stage, raising(error))})
            while handler.job(a_delivery(event)).name != "dead_lettered":
                self.clock.advance(300)
        self.world.handler().job(Delivery("4711", b"{}", {}))

    def _jobs(self) -> list[JobView]:
        failure: dict[str, Any] = {"code": "tool_failed", "stage": "report", "hint": ToolFailed.hint}
        report = Artifact(artifact_type="insight_report", workspace_path=REPORT)
        times = {"started_at": AT + timedelta(seconds=2), "finished_at": AT + timedelta(minutes=5)}
        done: dict[str, Any] = {"commit": CommitRef(seq=self.seq, digest="0" * 64), "artifacts": (report,), **times}
        return [
            a_job(8, status="running", stage="synthesize", attempt=1),
            a_job(7, status="completed", source_counts={"meeting_notes": 12}, **done),
            *(a_job(number, status="failed", error=failure, attempt=5, **times) for number in (1, 2, 3)),
        ]


def typed(operations: Operations) -> bootstrap.Operations:
    """These operations as the type that the console takes."""
    return cast(bootstrap.Operations, operations)
