"""The operator's way from a failed job to its replay, with the real records and a control plane that remembers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from typer.testing import CliRunner

from consumer.cli import main
from consumer.delivery.deadletter import READERS, DeadLetters
from consumer.delivery.envelope import Delivery
from consumer.errors import ControlPlaneUnavailable, RequestRefused, TenantMismatch, ToolFailed
from consumer.locking.lock import Locks
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import FakeClock, Op
from contract.api import BucketDeedRequest, DiscardRequest, JobView, ReplayRequest
from tests.copies import copied
from tests.spine import USER, FakeStage, World, a_delivery, an_event, job_id, raising


@dataclass
class Api:
    """POST /memory-jobs/{id}/replay, idempotent by replay_id."""

    world: World
    seen: dict[str, list[ReplayRequest]] = field(default_factory=dict)
    error: Exception | None = None
    discards: list[DiscardRequest] = field(default_factory=list)
    deeds: list[BucketDeedRequest] = field(default_factory=list)

    def note_deed(self, request: BucketDeedRequest) -> None:
        self.deeds.append(request)

    def note_discard(self, request: DiscardRequest) -> None:
        if self.error:
            raise self.error
        self.discards.append(request)

    def replay(self, job_id: str, request: ReplayRequest) -> JobView:
        if self.error:
            raise self.error
        self.seen.setdefault(job_id, []).append(request)
        row = self.world.plane.rows[job_id]
        if row.replay_id != request.replay_id:
            row.status, row.replay_id, row.completion = "queued", request.replay_id, None
        wire = row.event.to_wire()
        return JobView.model_validate({**wire, "status": row.status})


@dataclass
class Operations:
    world: World
    operator: str = "ann@example.com"

    def __post_init__(self) -> None:
        writer = ConditionalWriter(self.world.blobs, self.world.clock)
        self.api = Api(self.world)
        self.clock: FakeClock = self.world.clock
        self.dead_letters = DeadLetters(self.world.blobs, self.world.dead_topic, self.world.clock)
        self.locks = Locks(writer, self.world.clock, self.world.ids, self.world.lease)


class Cli:
    def __init__(self, world: World) -> None:
        self.operations = Operations(world)

    def __call__(self, *words: str, code: int = 0) -> str:
        result = CliRunner().invoke(main.app, list(words), obj=lambda: self.operations)
        assert result.exit_code == code, result.output + result.stderr + repr(result.exception)
        return result.output + result.stderr

    def json(self, *words: str, code: int = 0) -> Any:
        return json.loads(self(*words, "--json", code=code).splitlines()[0])


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Three dead jobs of two kinds, and a message that is no job."""
    world = World(tmp_path_factory.mktemp("dead"))
    kinds = [(1, "export", TenantMismatch("a")), (2, "export", TenantMismatch("b")), (3, "report", ToolFailed("c"))]
    for number, stage, error in kinds:
        event = an_event(number)
        world.plane.add(event)
        handler = world.handler(stages={stage: FakeStage(stage, raising(error))})
        while handler.job(a_delivery(event)).name != "dead_lettered":
            world.clock.advance(300)
    world.handler().job(Delivery("4711", b"{}", {}))
    return world


@pytest.fixture
def world(template: World, tmp_path: Path) -> World:
    world = copied(template)
    world.tmp = tmp_path
    return world


@pytest.fixture
def cli(world: World) -> Cli:
    return Cli(world)


def test_list_shows_open_records_and_filters(cli: Cli) -> None:
    text = cli("dlq", "list")
    assert [line.split()[0] for line in text.splitlines()[1:]] == [
        f"{job_id(1)}-1",
        f"{job_id(2)}-1",
        f"{job_id(3)}-5",
        "m-4711",
    ]
    assert [r["key"] for r in cli.json("dlq", "list", "--filter", "code=tool_failed")] == [f"{job_id(3)}-5"]
    assert len(cli.json("dlq", "list", "--filter", f"user={USER}", "--filter", "stage=export")) == 2
    assert cli.json("dlq", "list", "--filter", "since=2026-11-28") == []
    assert len(cli.json("dlq", "list", "--filter", "until=2026-11-28")) == 4


@pytest.mark.parametrize("word", ["colour=red", "code", "since=yesterday", ""])
def test_a_filter_that_means_nothing_is_refused_with_those_there_are(cli: Cli, word: str) -> None:
    text = cli("dlq", "list", "--filter", word, code=2)
    assert "field=value" in text or "2026-11-27" in text


def test_show_has_hint_and_original(cli: Cli) -> None:
    record = cli.json("dlq", "show", job_id(3))
    assert (record["code"], record["stage"], record["failures"], record["state"]) == (
        "tool_failed",
        "report",
        5,
        "open",
    )
    assert record["hint"] == ToolFailed.hint
    assert record["original_bytes"] > 0
    assert "tool_failed" in cli("dlq", "show", f"{job_id(3)}-5")
    assert "dlq list" in cli("dlq", "show", "nothing", code=3)


def test_stats_group_equal_failures(cli: Cli) -> None:
    assert "+00:00" not in cli("dlq", "stats")
    groups = cli.json("dlq", "stats")
    assert [(g["code"], g["stage"], g["count"], g["users"]) for g in groups[:1]] == [
        ("tenant_mismatch", "export", 2, 1)
    ]
    assert {(g["code"], g["stage"], g["count"]) for g in groups[1:]} == {
        ("malformed_message", None, 1),
        ("tool_failed", "report", 1),
    }


def test_a_replay_brings_the_job_back_to_completion_and_repeating_it_changes_nothing(cli: Cli, world: World) -> None:
    words = ("dlq", "replay", job_id(3), "--from-stage", "report", "--reason", "gbrain fixed")
    [done] = cli.json(*words)
    assert (done["result"], done["status"]) == ("replayed", "queued")
    [again] = cli.json(*words)
    assert again["replay_id"] == done["replay_id"]
    assert again["result"] == "already"
    assert "by ann@example.com: gbrain fixed; its job is queued" in again["why"]
    assert {r.replay_id for r in cli.operations.api.seen[job_id(3)]} == {done["replay_id"]}
    assert cli.operations.api.seen[job_id(3)][0].from_stage == "report"

    event = an_event(3, replay_id=done["replay_id"], from_stage="report", reason="gbrain fixed")
    assert world.handler().job(a_delivery(event)).name == "done"
    assert world.plane.rows[job_id(3)].status == "completed"
    assert cli.json(*words)[0]["status"] == "completed"
    assert cli.json(*words, "--dry-run")[0]["result"] == "already"
    [kept] = cli.json("dlq", "discard", job_id(3), "--reason", "x")
    assert kept["result"] == "already"
    assert kept["why"].startswith("replayed ")
    assert len(cli.json("dlq", "list")) == 3
    [record] = cli.json("dlq", "list", "--filter", "state=replayed")
    assert (record["replayed"]["by"], record["replayed"]["reason"]) == ("ann@example.com", "gbrain fixed")


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "--from-stage", "synthesis", "--reason", "mended"),
        ("replay", "--reason", ""),
        ("discard", "--reason", ""),
    ],
)
def test_a_stage_that_is_none_or_an_empty_reason_is_told_and_touches_nothing(cli: Cli, words: tuple[str, ...]) -> None:
    verb, *options = words
    output = cli("dlq", verb, "--filter", "state=open", *options, code=2)
    assert ("synthesize" if "synthesis" in words else "reason") in output
    assert {record["state"] for record in cli.json("dlq", "list")} == {"open"}


def test_a_dry_run_does_nothing(cli: Cli, world: World) -> None:
    before = world.blobs.contents()
    results = cli.json("dlq", "replay", "--filter", "state=open", "--reason", "x", "--dry-run")
    assert [r["result"] for r in results] == ["would replay"] * 3 + ["skipped"]
    assert cli.json("dlq", "discard", "m-4711", "--reason", "x", "--dry-run")[0]["result"] == "would discard"
    assert world.blobs.contents() == before
    assert cli.operations.api.seen == {}


def test_replays_keep_their_rate(cli: Cli) -> None:
    cli("dlq", "replay", "--filter", "code=tenant_mismatch", "--reason", "x", "--rate", "0.5")
    assert cli.operations.clock.slept == [2.0]


def test_without_a_choice_nothing_is_touched(cli: Cli) -> None:
    assert "--filter" in cli("dlq", "replay", "--reason", "x", code=2)
    assert "--filter" in cli("dlq", "discard", "--reason", "x", code=2)
    cli("dlq", "replay", job_id(1), code=2)
    assert "no dead letter matches" in cli("dlq", "replay", job_id(9), "--reason", "x", code=3)


@pytest.mark.parametrize("error", [ControlPlaneUnavailable("503"), RequestRefused("job is completed")])
def test_a_refused_replay_says_why_and_leaves_the_record_open(cli: Cli, error: Exception) -> None:
    cli.operations.api.error = error
    [result] = cli.json("dlq", "replay", job_id(1), "--reason", "x", code=1)
    assert result["result"] == "failed"
    assert str(error) in result["why"]
    assert len(cli.json("dlq", "list")) == 4


def test_discard_closes_a_record_and_leaves_the_job_failed(cli: Cli, world: World) -> None:
    cli("dlq", "discard", "m-4711", job_id(1), "--reason", "test message")
    assert cli.json("dlq", "discard", "m-4711", "--reason", "x")[0]["why"].endswith("by ann@example.com: test message")
    assert len(cli.json("dlq", "list")) == 2
    assert len(cli.json("dlq", "list", "--all")) == 4
    assert world.plane.rows[job_id(1)].status == "failed"
    discarded = {(discard.key, discard.job_id, discard.reason) for discard in cli.operations.api.discards}
    assert discarded == {("m-4711", None, "test message"), (f"{job_id(1)}-1", job_id(1), "test message")}


@pytest.mark.parametrize("words", [(job_id(1),), ("--filter", "state=discarded")])
def test_what_was_discarded_is_not_replayed_by_accident(cli: Cli, world: World, words: tuple[str, ...]) -> None:
    cli("dlq", "discard", job_id(1), "--reason", "the user left")

    for more in ((), ("--dry-run",)):
        [refused] = cli.json("dlq", "replay", *words, "--reason", "x", *more, code=1)
        assert refused["result"] == "refused"
        assert "by ann@example.com: the user left" in refused["why"]
        assert "--force" in refused["why"]
    assert cli.operations.api.seen == {}
    assert world.plane.rows[job_id(1)].status == "failed"


def test_what_was_discarded_is_replayed_by_force_and_says_so(cli: Cli, world: World) -> None:
    cli("dlq", "discard", job_id(1), "--reason", "the user left")
    world.clock.advance(60)
    words = ("dlq", "replay", job_id(1), "--reason", "the user came back", "--force")

    assert cli.json(*words, "--dry-run")[0]["result"] == "would replay"
    assert cli.json(*words)[0]["result"] == "replayed"
    assert world.plane.rows[job_id(1)].status == "queued"
    [record] = cli.json("dlq", "list", "--filter", "state=replayed")
    assert (record["replayed"]["reason"], record["discarded"]["reason"]) == ("the user came back", "the user left")
    assert cli.json(*words)[0]["result"] == "already"
    kept = cli.json("dlq", "discard", job_id(1), "--reason", "x")[0]
    assert kept["why"].endswith("by ann@example.com: the user came back")


def meanwhile(cli: Cli, key: str, verb: Literal["replayed", "discarded"]) -> None:
    """Another operator deals with a record after this one has read it, and before it is marked."""
    letters = cli.operations.dead_letters
    first = letters.find(key)
    assert first is not None

    def faster(op: Op) -> None:
        if op.verb == "write" and op.name == first.name and op.phase == "before":
            cli.operations.world.blobs.set_fault()
            letters.mark(first, verb, reason="was faster", by="bob@example.com")

    cli.operations.world.blobs.set_fault(faster)


@pytest.mark.parametrize(
    ("ours", "theirs", "result", "noted"),
    [
        ("discard", "discarded", "already", ("discarded", "bob@example.com")),
        ("discard", "replayed", "already", ("replayed", "bob@example.com")),
        ("replay", "replayed", "already", ("replayed", "bob@example.com")),
        # The job is queued: a record that says discarded would hide it.
        ("replay", "discarded", "replayed", ("replayed", "ann@example.com")),
    ],
)
def test_of_two_operators_at_one_record_the_record_says_what_became_of_its_job(
    cli: Cli, ours: str, theirs: Literal["replayed", "discarded"], result: str, noted: tuple[str, str]
) -> None:
    key = f"{job_id(1)}-1"
    meanwhile(cli, key, theirs)
    [reply] = cli.json("dlq", ours, key, "--reason", "mended")
    assert reply["result"] == result
    assert result == "replayed" or "bob@example.com: was faster" in reply["why"]
    entry = cli.operations.dead_letters.find(key)
    assert entry is not None
    assert entry.dead_letter is not None
    assert entry.dead_letter.handled is not None
    assert (entry.dead_letter.state, entry.dead_letter.handled.by) == noted
    assert cli.operations.world.plane.rows[job_id(1)].status == ("queued" if ours == "replay" else "failed")


def test_a_record_that_is_deleted_meanwhile_does_not_undo_what_was_done(cli: Cli, world: World) -> None:
    entry = cli.operations.dead_letters.find(f"{job_id(1)}-1")
    assert entry is not None
    world.blobs.delete(entry.name, if_generation=entry.generation)
    noted = cli.operations.dead_letters.mark(entry, "replayed", reason="mended", by="ann@example.com")
    assert noted.state == "replayed"
    assert world.blobs.peek(entry.name) is None


def test_a_job_id_means_its_latest_record(cli: Cli, world: World) -> None:
    """Of the tenth attempt, whose name sorts before that of the ninth."""
    first = cli.operations.dead_letters.find(job_id(1))
    assert first is not None
    assert first.dead_letter is not None
    for fence, stage in ((9, first.dead_letter.stage), (10, "index")):
        letter = first.dead_letter.model_copy(update={"key": f"{job_id(1)}-{fence}", "attempt": fence, "stage": stage})
        name = first.name.replace(first.dead_letter.key, letter.key)
        world.blobs.write(name, letter.encode(), if_generation=0)
    assert json.loads(cli("dlq", "show", job_id(1), "--json"))["attempt"] == 10
    # Also beside a filter that only an older one matches.
    older = ("--filter", f"stage={first.dead_letter.stage}")
    assert "no dead letter" in cli("dlq", "replay", job_id(1), *older, "--reason", "mended", code=3).lower()
    for result in ("replayed", "already"):
        results = cli.json("dlq", "replay", job_id(1), "--reason", "mended")
        assert [(result["key"], result["result"]) for result in results] == [(f"{job_id(1)}-10", result)]


def test_what_the_audit_cannot_be_told_is_not_discarded(cli: Cli) -> None:
    cli.operations.api.error = ControlPlaneUnavailable("POST: ConnectError")
    assert cli.json("dlq", "discard", "m-4711", "--reason", "x", code=1)[0]["result"] == "failed"
    assert len(cli.json("dlq", "list")) == 4


def test_an_unreadable_record_hides_no_other(cli: Cli, world: World) -> None:
    world.blobs.write("dead/2026-11-26/broken.json", b"{", if_generation=0)
    assert len(cli.json("dlq", "list")) == 4


def test_lock_show_and_unlock(cli: Cli, world: World) -> None:
    assert "is not a user_id" in cli("lock", "show", "../other", code=2)
    assert "no lock" in cli("lock", "show", "99999999-1111-4111-8111-111111111111", code=3)
    lock = cli.operations.locks.acquire(USER, owner="i-1", job_id=job_id(9), attempt=1, head_epoch=0)
    view = cli.json("lock", "show", USER)
    assert (view["state"], view["owner"], view["epoch"], view["stale"]) == ("held", "i-1", lock.epoch, False)
    assert "put_id" not in view
    cli("lock", "unlock", USER, "--generation", str(view["generation"]), "--reason", "instance gone")
    assert cli.json("lock", "show", USER)["owner"] == "operator ann@example.com: instance gone"
    assert "see `lock show`" in cli("lock", "unlock", USER, "--generation", "1", "--reason", "x", code=1)
    [deed] = cli.operations.api.deeds
    assert (deed.action, deed.user_id, deed.reason) == ("lock.unlock", USER, "instance gone")
    assert deed.details == {"generation": view["generation"]}


def test_a_free_lock_names_its_last_holder_and_nothing_that_could_expire(cli: Cli) -> None:
    cli.operations.locks.acquire(USER, owner="i-1", job_id=job_id(9), attempt=2, head_epoch=0).release(doubt=False)
    view = cli.json("lock", "show", USER)
    assert (view["state"], view["last_owner"], view["last_job_id"]) == ("free", "i-1", job_id(9))
    assert not {"owner", "job_id", "stale", "expires_at"} & set(view)
    assert "since" in cli("lock", "show", USER)
    assert "free, left" in cli("lock", "unlock", USER, "--generation", "1", "--reason", "x", code=1)


def test_every_verb_has_an_example_in_its_help(cli: Cli) -> None:
    for words in (("dlq", v) for v in ("list", "show", "stats", "replay", "discard")):
        assert "Example: cloop-memory dlq" in " ".join(cli(*words, "--help").split())


def crowd(world: World, cli: Cli, number: int) -> None:
    """So many more records of the first one's kind, of other jobs, a second apart on the day after."""
    first = cli.operations.dead_letters.find(f"{job_id(1)}-1")
    assert first is not None
    assert first.dead_letter is not None
    for copy in range(number):
        seen = datetime(2026, 11, 28, tzinfo=UTC) + timedelta(seconds=copy)
        job = job_id(100 + copy)
        fields = {"key": f"{job}-5", "job_id": job, "last_seen": seen}
        letter = first.dead_letter.model_copy(update=fields)
        world.blobs.write(f"dead/2026-11-28/{letter.key}.json", letter.encode(), if_generation=0)


def test_one_of_many_records_is_read_by_its_name_alone(cli: Cli, world: World) -> None:
    crowd(world, cli, 300)
    reads: list[str] = []
    world.blobs.set_fault(lambda op: reads.append(op.name) if (op.verb, op.phase) == ("read", "before") else None)
    assert json.loads(cli("dlq", "show", f"{job_id(2)}-1", "--json"))["job_id"] == job_id(2)
    assert json.loads(cli("dlq", "show", job_id(150), "--json"))["key"] == f"{job_id(150)}-5"
    assert cli.json("dlq", "replay", f"{job_id(2)}-1", "--reason", "mended")[0]["result"] == "replayed"
    assert len(reads) == 3
    assert cli.json("dlq", "list", "--filter", "until=2026-11-28")[0]["key"] == f"{job_id(1)}-1"
    assert len(reads) < 20, "a filter by time reads no other days"


def test_a_list_has_the_newest_up_to_its_limit_and_says_that_there_are_more(cli: Cli, world: World) -> None:
    crowd(world, cli, 40)
    reads: list[str] = []
    world.blobs.set_fault(lambda op: reads.append(op.name) if (op.verb, op.phase) == ("read", "before") else None)
    text = cli("dlq", "list", "--limit", "3")
    assert [line.split()[0] for line in text.splitlines() if job_id(1)[:20] in line] == [
        f"{job_id(number)}-5" for number in (137, 138, 139)
    ]
    assert "there are more than 3" in text
    assert len(reads) <= READERS
