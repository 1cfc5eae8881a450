"""A run goes on from what an earlier attempt left in the bucket, if that is whole and HEAD is still its base.

The spine over the real history, as in test_whole_run; here every process takes a checkpoint wherever one may be taken.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from consumer import paths
from consumer.clients.signing import Ed25519Signer
from consumer.delivery import checkpoints
from consumer.delivery import outcome as out
from consumer.delivery.checkpoints import Carried, Checkpoints
from consumer.delivery.handler import Handler
from consumer.delivery.pipeline import Pipeline
from consumer.delivery.settlement import Settlement
from consumer.entrypoints import job
from consumer.errors import BlobUnavailable, RequestRefused, ToolFailed
from consumer.maintenance import gc
from consumer.maintenance.verify import Verification
from consumer.ports import Guard, IndexCounts
from consumer.repository.workspace import WorkspaceStore
from consumer.run import Exported, Rendered, Run, Short, Synthesized
from consumer.stages.hydrate import Hydrate
from consumer.stages.persist import Persist
from consumer.storage.memory import FakeClock, Fault, Faults, Killed, Op, no_fault
from contract.api import Redaction, Usage
from tests.fixtures_telemetry import logs
from tests.spine import USER, FakeStage, World, a_delivery, an_event, job_id, report
from tests.unit.repository.workspaces import PEM, Free

TEMPLATES = Path(__file__).parents[2] / "fixtures" / "templates"
Act = Callable[[Run, Guard], Run]


def nothing(run: Run, _guard: Guard) -> Run:
    return run


@dataclass
class Service:
    """One bucket and the processes that work on it; ``ran`` counts stages over all of them."""

    world: World
    ran: Counter[str] = field(default_factory=Counter)
    #: What a stage does before its own work, e.g. fail.
    before: dict[str, Act] = field(default_factory=dict)
    after_s: float = 0.0

    def deliver(self, fault: Fault = no_fault, clock: FakeClock | None = None, **event: Any) -> out.Outcome | None:
        number = int(event.pop("number", 1))
        store = self.store(fault, clock)
        try:
            return self.process(store, fault, clock).job(a_delivery(an_event(number, **event)))
        except Killed:
            return None
        finally:
            store.close()

    def store(self, fault: Fault = no_fault, clock: FakeClock | None = None) -> WorkspaceStore:
        blobs = self.world.blobs.as_seen_by(fault)
        return WorkspaceStore(blobs, Ed25519Signer(PEM), clock or self.world.clock, templates=TEMPLATES)

    def process(self, store: WorkspaceStore, fault: Fault, clock: FakeClock | None) -> Handler:
        blobs = self.world.blobs.as_seen_by(fault)
        base = self.world.handler(blobs, clock=clock)
        real = {
            "hydrate": Hydrate(store, lambda _user, carried: carried).run,
            "persist": Persist(store, base.parts.clock).run,
        }
        acts: dict[str, Act] = {"export": export, "render": render, "synthesize": synthesize, "report": report}
        names = ("hydrate", "export", "render", "index", "synthesize", "report", "persist")
        stages = {
            name: FakeStage(name, self.counted(name, real.get(name) or acts.get(name, nothing))) for name in names
        }
        parts = replace(
            base.parts,
            heads=store,
            pipeline=Pipeline(stages, base.parts.clock),  # type: ignore[arg-type]  # names as text
            settlement=Settlement(blobs, store),
            checkpoints=Checkpoints(store),
            checkpoint_after_s=self.after_s,
        )
        return replace(base, parts=parts)

    def counted(self, name: str, act: Act) -> Act:
        def run(run: Run, guard: Guard) -> Run:
            self.ran[name] += 1
            return act(self.before.get(name, nothing)(run, guard), guard)

        return run

    def converge(self) -> None:
        for _ in range(12):
            if all(row.status == "completed" for row in self.world.plane.rows.values()):
                return
            self.world.clock.advance(300)
            for number in range(1, len(self.world.plane.rows) + 1):
                self.deliver(number=number)
        raise AssertionError(self.world.ledger())

    def history(self) -> list[tuple[str, dict[str, Any]]]:
        """(job id, cursors) of every commit, oldest first; the whole history verifies."""
        checked = Verification(self.world.blobs, Ed25519Signer(PEM), self.world.clock, USER, Free()).run()
        assert checked.ok, checked
        store, commits = self.store(), []
        head = store.of(USER).read_head()
        seq, digest = (head.seq, head.commit) if head else (0, None)
        while digest:
            commit = store.of(USER).loader.commit(seq, digest)
            commits.append((commit.job_id, dict(commit.cursors)))
            seq, digest = seq - 1, commit.parent
        store.close()
        return commits[::-1]

    def sweep(self) -> set[str]:
        """gc as if a day had passed; the folders that something was deleted from."""
        store = self.store()
        swept = gc.collect(store.of(USER), Free(), grace=timedelta(0))  # type: ignore[arg-type]  # asked only check()
        store.close()
        return {name.split("/")[2] for name, _ in swept.deleted}

    def files(self) -> dict[str, str]:
        """path -> digest of HEAD's files, without the stage results, which name the attempt."""
        store = self.store()
        entries = store.of(USER).load().tree.entries
        store.close()
        return {path: entry.digest for path, entry in entries.items() if "job-runs/" not in path}


def export(run: Run, _guard: Guard) -> Run:
    done = int(run.cursors.get("granola", 0))
    return replace(run, exported=Exported(1, 0, {"granola": 1}, {"granola": 9}), cursors={"granola": done + 1})


def render(run: Run, _guard: Guard) -> Run:
    page = run.root / "brain" / "sources" / f"{run.job.job_id}.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text(f"page {run.cursors['granola']} of {run.job.job_id}\n")
    page.chmod(0o400)
    return replace(run, rendered=Rendered((f"sources/{page.name}",), (), 0, 1))


def synthesize(run: Run, _guard: Guard) -> Run:
    (run.root / "brain" / "claims.json").write_text("[]")
    return replace(run, synthesized=Synthesized("brain/claims.json", "m", "a", "s", 3), usage=Usage(requests=2))


def once(error: Exception) -> Act:
    """Raises the first time only."""
    left = [error]

    def act(run: Run, _guard: Guard) -> Run:
        if left:
            raise left.pop()
        return run

    return act


@pytest.fixture
def service(tmp_path: Path) -> Service:
    world = World(tmp_path)
    world.plane.add(an_event())
    return Service(world)


def clean(tmp_path: Path) -> Service:
    """One run without any trouble."""
    world = World(tmp_path / "clean")
    world.plane.add(an_event())
    service = Service(world)
    assert service.deliver() == out.Done(job_id(1), result="completed")
    return service


def fail_in_report(service: Service) -> None:
    service.before["report"] = once(ToolFailed("the disk was full"))
    assert isinstance(service.deliver(), out.RetryRecorded)
    service.world.clock.advance(300)


# --- going on ----------------------------------------------------------------------------------------------------


@logs("resumed")
def test_a_failure_after_synthesis_repeats_nothing_before_it(tmp_path: Path, service: Service) -> None:
    fail_in_report(service)
    assert [checkpoint["stage"] for checkpoint in service.world.ledger()["checkpoints"]] == ["index", "synthesize"]

    assert service.deliver() == out.Done(job_id(1), result="completed")

    assert service.ran == Counter(hydrate=1, export=1, render=1, index=1, synthesize=1, report=2, persist=1)
    expected = clean(tmp_path)
    assert service.files() == expected.files()
    assert service.history() == expected.history() == [(job_id(1), {"granola": 1})]
    completion = service.world.plane.rows[job_id(1)].completion
    assert completion is not None
    assert completion.source_counts == {"granola": 1}
    assert completion.usage.requests == 2


def test_an_execution_keeps_what_stands_before_synthesis_however_quick_it_was(tmp_path: Path) -> None:
    """Its own process dispatches nothing, so its plans say inline."""
    world = World(tmp_path, setting="cloud-run-job")
    world.plane.add(an_event())
    service = Service(world, after_s=600)
    for attempt, error in ((1, ToolFailed("hermes broke")), (2, None)):
        service.before["synthesize"] = once(error) if error else nothing
        assert isinstance(service.deliver(), out.Launched)
        execution = job.parse(world.launcher.launched[-1])
        world.setting = "inline"
        store = service.store()
        outcome = service.process(store, no_fault, None).execute(job_id(1), execution.attempt, execution.expected)
        store.close()
        world.setting = "cloud-run-job"
        assert outcome.name == ("retry_recorded", "done")[attempt - 1], outcome
        assert [checkpoint["stage"] for checkpoint in world.ledger()["checkpoints"]] == ["index"]
        world.clock.advance(300)
    assert (service.ran["export"], service.ran["synthesize"]) == (1, 2)


def test_what_was_uploaded_half_way_is_not_needed_by_the_commit(service: Service) -> None:
    """A commit that named a checkpoint's packs would lose them to gc, or keep more than its own files."""
    fail_in_report(service)
    assert isinstance(service.deliver(), out.Done)
    assert service.sweep() >= {"checkpoints", "packs", "trees", "index"}
    assert service.world.blobs.names(f"users/{USER}/checkpoints/") == []
    assert service.history() == [(job_id(1), {"granola": 1})]


def test_the_next_job_goes_on_from_a_resumed_ones_commit(service: Service) -> None:
    fail_in_report(service)
    service.deliver()
    service.world.plane.add(an_event(2))
    assert service.deliver(number=2) == out.Done(job_id(2), result="completed")
    assert service.history() == [(job_id(1), {"granola": 1}), (job_id(2), {"granola": 2})]


FAULTS: dict[str, Callable[[Faults, int], Faults]] = {
    "killed": lambda faults, n: faults.kill(n, after=n % 2 == 0),
    "unanswered": lambda faults, n: faults.lose_reply(n) if n % 2 else faults.refuse(n),
}


@pytest.mark.properties
@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_at_every_request_of_a_run_with_checkpoints(tmp_path: Path, kind: str) -> None:
    expected = clean(tmp_path)
    for number in range(1, len(expected.world.blobs.ops) + 1):
        world = World(tmp_path / f"at-{number}")
        world.plane.add(an_event())
        service = Service(world)
        service.deliver(FAULTS[kind](Faults(world.clock), number))
        service.converge()
        assert service.history() == [(job_id(1), {"granola": 1})], (kind, number)
        assert service.files() == expected.files(), (kind, number)
        assert world.plane.rows[job_id(1)].completions == 1


@pytest.mark.properties
def test_a_fault_at_every_request_of_the_attempt_that_resumes(tmp_path: Path) -> None:
    expected, number = clean(tmp_path), 0
    while True:
        number += 1
        world = World(tmp_path / f"at-{number}")
        world.plane.add(an_event())
        service = Service(world)
        fail_in_report(service)
        done = len(world.blobs.ops)
        service.deliver(FAULTS["killed"](Faults(world.clock), done + number))
        if len(world.blobs.ops) < done + number:
            break
        service.converge()
        assert service.history() == [(job_id(1), {"granola": 1})], number
        assert service.files() == expected.files(), number
    assert number > 10


@pytest.mark.properties
def test_an_owner_paused_at_every_request_names_no_checkpoint_after_its_successor(tmp_path: Path) -> None:
    last = len(clean(tmp_path).world.blobs.ops)
    for number in range(1, last + 1):
        world = World(tmp_path / f"at-{number}")
        world.plane.add(an_event())
        service = Service(world)

        def meanwhile(service: Service = service) -> None:
            service.world.clock.advance(400)
            service.deliver()

        service.deliver(Faults().call(number, meanwhile), FakeClock())
        service.converge()
        assert service.history() == [(job_id(1), {"granola": 1})], number
        assert world.plane.rows[job_id(1)].completions == 1


# --- dropping ----------------------------------------------------------------------------------------------------


@logs("checkpoint dropped")
def test_a_commit_of_another_job_in_between_drops_it(service: Service) -> None:
    fail_in_report(service)
    service.world.plane.add(an_event(2))
    assert service.deliver(number=2) == out.Done(job_id(2), result="completed")

    assert service.deliver() == out.Done(job_id(1), result="completed")

    assert service.ran["export"] == 3
    assert service.history() == [(job_id(2), {"granola": 1}), (job_id(1), {"granola": 2})]
    assert f"brain/sources/{job_id(2)}.md" in service.files()


@pytest.mark.parametrize("how", ["missing", "damaged"])
def test_whatever_is_wrong_with_an_object_leads_to_an_earlier_start(tmp_path: Path, how: str) -> None:
    probe = Service(World(tmp_path / "probe"))
    probe.world.plane.add(an_event())
    fail_in_report(probe)
    left = left_behind(probe.world)
    assert {name.split("/")[2] for name in left} == {"checkpoints", "packs", "trees", "index"}
    expected = clean(tmp_path)
    for number in range(len(left)):
        world = World(tmp_path / f"at-{number}")
        world.plane.add(an_event())
        service = Service(world)
        fail_in_report(service)
        name = left_behind(world)[number]
        spoil(world, name, how)

        assert service.deliver() == out.Done(job_id(1), result="completed"), name

        assert service.files() == expected.files(), name
        service.sweep()  # what was spoilt and is named by nothing would be told as well
        assert service.history() == [(job_id(1), {"granola": 1})], name


def left_behind(world: World) -> list[str]:
    return [name for name in world.blobs.names(f"users/{USER}/") if not name.endswith(("lock.json", "HEAD"))]


def spoil(world: World, name: str, how: str) -> None:
    blob = world.blobs.peek(name)
    assert blob is not None, name
    if how == "missing":
        world.blobs.delete(name, if_generation=blob.stat.generation)
    else:
        world.blobs.write(name, blob.data[:-1] + bytes([blob.data[-1] ^ 1]), if_generation=None)


@pytest.mark.parametrize("field_name", ["signature", "key_id", "base", "stage"])
def test_a_ledger_that_names_it_wrongly_is_not_believed(service: Service, field_name: str) -> None:
    fail_in_report(service)
    wrong = {"signature": "0" * 128, "key_id": "nobody", "base": "0" * 64, "stage": "index"}
    ledger = service.world.ledger()
    ledger["checkpoints"] = [{**ledger["checkpoints"][1], field_name: wrong[field_name]}]
    service.world.blobs.write(paths.ledger(job_id(1)), json.dumps(ledger).encode(), if_generation=None)

    assert service.deliver() == out.Done(job_id(1), result="completed")

    assert service.ran["export"] == 2
    assert service.world.ledger()["checkpoints"][0]["stage"] == "index"


@logs("checkpoint not kept")
def test_a_bucket_that_is_away_while_uploading_does_not_stop_the_run(service: Service) -> None:
    def refuse(op: Op) -> None:
        if op.phase == "before" and "/checkpoints/" in op.name:
            raise BlobUnavailable("503")

    assert service.deliver(refuse) == out.Done(job_id(1), result="completed")
    assert service.world.ledger()["checkpoints"] == []
    assert service.ran["export"] == 1


# --- replay ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("from_stage", "again"),
    [("report", 0), ("synthesize", 0), ("index", 1), ("export", 1), (None, 1)],
)
def test_a_replay_starts_at_the_stage_asked_for(service: Service, from_stage: str | None, again: int) -> None:
    service.before["report"] = once(RequestRefused("refused for good"))
    assert isinstance(service.deliver(), out.DeadLettered)
    replay_id = "99999999-0000-4000-8000-000000000001"
    row = service.world.plane.rows[job_id(1)]
    row.status, row.replay_id, row.completion = "queued", replay_id, None

    done = service.deliver(replay_id=replay_id, from_stage=from_stage, reason="fixed")

    assert done == out.Done(job_id(1), result="completed")
    assert service.ran["export"] == 1 + again
    assert service.ran["synthesize"] == (1 if from_stage == "report" else 2)
    assert service.history() == [(job_id(1), {"granola": 1})]


def test_all_that_stages_leave_on_the_run_survives_the_bucket() -> None:
    redactions = (Redaction(source_key="granola", field="body", reason="secret", count=2),)
    carried = Carried(
        cursors={"granola": {"updated_at": "2026-11-27T09:00:00Z", "id": "é"}},
        inventory=None,
        exported=Exported(3, 1, {"a": 3}, {"a": 9}, redactions, "m.json", refused={"a": 1}, short=(Short("a", 5, 4),)),
        rendered=Rendered(("a.md",), ("b.md",), 4, 5),
        indexed=IndexCounts(1, 2, 3, 4, 5, 6, {"x.md": "too long"}, ("note",)),
        brain="local 1.0",
        synthesized=Synthesized("c.json", "m", "a", "s", 3, reused=True),
        artifacts=(),
        usage=Usage(input_tokens=5, requests=1, cost_usd=0.25),
        timings={"hydrate": 0.25},
    )
    again = Carried.model_validate_json(carried.model_dump_json())
    assert again == carried
    assert checkpoints.fields_of(again)["indexed"] == carried.indexed
