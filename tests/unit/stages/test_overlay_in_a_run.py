"""A correction or a rule that arrives at any moment of a run is in its report, or in the next one, and never lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import orjson
import pytest

import manifests
from consumer import layout
from consumer.agent.localbrain.brain import LocalBrain
from consumer.delivery.pipeline import is_idle
from consumer.errors import ControlPlaneUnavailable, OverlayMoved
from consumer.evidence import search
from consumer.evidence.index import open_index
from consumer.evidence.pagefiles import digest
from consumer.reports.evidence import PageCache
from consumer.run import Run
from consumer.stages.hydrate import Hydrate
from consumer.stages.index import STATE, Index
from consumer.stages.persist import Persist
from consumer.stages.report import Report
from contract.overlay import PlaceRequest
from tests.fake_export import EPOCH, FakeExport, Row, export_and_render, run_of
from tests.overlays import FakeOverlays
from tests.unit.repository.workspaces import USER, Bench, Free

DAY = timedelta(days=1)
#: The questions of one run to the control plane, in order.
HYDRATE, INDEX, REPORT, SWAP = 1, 2, 3, 4


@dataclass
class Jobs:
    """Jobs of one user over the real store: each from HEAD's snapshot to the swap."""

    bench: Bench
    server: FakeExport
    overlays: FakeOverlays
    number: int = 0
    documents: dict[int, dict[str, object]] = field(default_factory=dict)

    def run(self) -> Run:
        """One job; it goes as far as it goes. Retried, it is the same job in a new folder."""
        self.number += 1
        self.overlays.asked = 0
        return self.attempt()

    def attempt(self) -> Run:
        desk = PageCache(open_index, self.overlays)
        store = self.bench.store()
        kind = "backfill_digest" if self.number == 1 else "hourly_digest"
        spec = {"requested_at": EPOCH + 4 * DAY, "period": f"2026-03-05T{self.number:02}"}
        run = run_of(self.bench.folder(), self.server, kind, self.number, **spec)
        run = Hydrate(store, lambda _user, carried: carried, desk.is_corrected).run(run, Free())
        run = export_and_render(run)
        if is_idle(run):
            return run
        run = Index(LocalBrain(), desk=desk).run(run, Free())
        run = Report(desk, profiles=manifests.profiles()).run(run, Free())
        return Persist(store, self.bench.clock, self.overlays).run(run, Free())

    def seq(self) -> int:
        head = self.bench.store().of(USER).read_head()
        return head.seq if head else 0

    def loops(self, run: Run) -> str:
        return str(self.document(run)["sections"]["open_loops"])

    def statement(self, run: Run) -> str:
        """Of the only open loop."""
        [row] = self.document(run)["sections"]["open_loops"]
        return str(row["statement"])

    @staticmethod
    def document(run: Run) -> dict[str, dict[str, list[dict[str, object]]]]:
        assert run.reported is not None
        document: dict[str, dict[str, list[dict[str, object]]]] = orjson.loads(
            (run.root / run.reported.json).read_bytes()
        )
        return document


@pytest.fixture
def jobs(tmp_path: Path) -> Jobs:
    server = FakeExport()
    server.put("user_profiles", "p", Row(0, None, {"display_name": "Mara Lind"}))
    server.put("checklist_items", "call", Row(1, EPOCH + DAY, {"title": "Call the landlord", "checked": False}))
    return Jobs(Bench(tmp_path), server, FakeOverlays(server))


def at(question: int, act: Callable[[], object]) -> Callable[[int], None]:
    """Act once, right before a question to the control plane is answered."""
    left = [act]

    def before(number: int) -> None:
        if number == question and left:
            left.pop()()

    return before


@pytest.mark.parametrize("question", [HYDRATE, INDEX, REPORT])
def test_a_correction_before_the_report_is_in_it(jobs: Jobs, question: int) -> None:
    target = jobs.statement(jobs.run())
    jobs.server.put("checklist_items", "more", Row(50, EPOCH + DAY, {"title": "Water the plants", "source": "meeting"}))
    jobs.overlays.before = at(question, lambda: jobs.overlays.say("done", target))
    run = jobs.run()
    assert run.commit is not None
    assert "landlord" not in jobs.loops(run)


def test_a_correction_alone_makes_a_report(jobs: Jobs) -> None:
    target = jobs.statement(jobs.run())
    assert jobs.run().reported is None, "nothing is new"
    number = jobs.overlays.say("done", target)
    assert "landlord" not in jobs.loops(jobs.run())
    assert jobs.run().reported is None, "the last report had it"
    jobs.overlays.undo(number)
    assert "landlord" in jobs.loops(jobs.run())


@pytest.mark.parametrize("what", ["correction", "undo", "rule"])
def test_what_comes_after_the_report_prevents_the_swap_and_is_in_the_next_attempt(jobs: Jobs, what: str) -> None:
    target = jobs.statement(jobs.run())
    before = jobs.overlays.say("later", target, until="2026-03-20")
    jobs.run()
    jobs.server.put("checklist_items", "more", Row(50, EPOCH + DAY, {"title": "Water the plants", "source": "meeting"}))
    acts: dict[str, Callable[[], object]] = {
        "correction": lambda: jobs.overlays.say("done", target),
        "undo": lambda: jobs.overlays.undo(before),
        "rule": lambda: jobs.server.put("user_rules", "r", Row(90, EPOCH, {"rule_text": "The landlord is private"})),
    }
    jobs.overlays.before = at(SWAP, acts[what])
    with pytest.raises(OverlayMoved):
        jobs.run()
    assert jobs.seq() == 2, "nobody reads what the user has just taken back"
    run = jobs.attempt()
    assert (run.commit is not None, jobs.seq()) == (True, 3)
    assert ("landlord" in jobs.loops(run)) is (what == "undo")


def test_what_comes_after_the_last_look_is_in_the_next_report(jobs: Jobs) -> None:
    target = jobs.statement(jobs.run())
    jobs.server.put("checklist_items", "more", Row(50, EPOCH + DAY, {"title": "Water the plants", "source": "meeting"}))
    assert "landlord" in jobs.loops(jobs.run())
    jobs.overlays.say("done", target)
    assert "landlord" not in jobs.loops(jobs.run())


@pytest.mark.parametrize("question", [HYDRATE, INDEX, REPORT, SWAP])
def test_without_an_answer_nothing_is_committed(jobs: Jobs, question: int) -> None:
    jobs.overlays.say("done", "0" * 16)

    def down() -> None:
        raise ControlPlaneUnavailable("down")

    jobs.overlays.before = at(question, down)
    with pytest.raises(ControlPlaneUnavailable):
        jobs.run()
    assert jobs.seq() == 0
    assert jobs.attempt().commit is not None


@pytest.mark.parametrize("question", [0, INDEX, REPORT])
def test_the_run_that_writes_the_lists_indexes_them(jobs: Jobs, question: int) -> None:
    """What the user corrects after the index stage is no longer in them either."""
    water = {"title": "Water the plants", "source": "meeting", "due_at": "2026-01-02T09:00:00Z"}
    jobs.server.put("checklist_items", "old", Row(2, EPOCH + DAY, water))
    first = jobs.run()
    lists = ["OPEN_LOOPS.md", "DECISIONS.md"]
    lists += [f"insights/{page.name}" for page in (first.root / layout.INSIGHTS).glob("*.md")]
    assert len(lists) == 3, "a task that waits long is an insight"
    waiting = next(row for row in jobs.document(first)["sections"]["open_loops"] if "plants" in str(row["text"]))
    jobs.overlays.before = at(question, lambda: jobs.overlays.say("done", str(waiting["statement"])))
    jobs.server.put("checklist_items", "more", Row(50, EPOCH + DAY, {"title": "Paint the fence", "source": "meeting"}))
    run = jobs.run() if question else first
    assert ("plants" in (run.root / layout.OPEN_LOOPS).read_text("utf-8")) is not bool(question)
    left = [name for name in lists if (run.root / layout.BRAIN / name).is_file()]
    assert len(left) == (2 if question else 3), "its insight is gone"
    given = orjson.loads((run.root / STATE).read_bytes())["pages"]
    if question != REPORT:
        assert {name for name in given if name in lists} == set(left)
        assert all(given[name] == digest((run.root / layout.BRAIN / name).read_bytes()) for name in left)
    again = search.change(run.root, left, sorted({*lists} - {*left}), Free())
    assert (again.put, again.same, again.removed) == (0, len(left), 0), "the index holds what this run wrote"


def test_a_place_that_was_not_kept_is_found_by_the_next_attempt(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    target = jobs.statement(jobs.run())
    number = jobs.overlays.say("done", target)
    keep = jobs.overlays.place_corrections

    def down(user_id: str, request: PlaceRequest) -> None:
        raise ControlPlaneUnavailable("down")

    monkeypatch.setattr(jobs.overlays, "place_corrections", down)
    with pytest.raises(ControlPlaneUnavailable):
        jobs.run()
    assert jobs.overlays.views[number].placed_at is None
    monkeypatch.setattr(jobs.overlays, "place_corrections", keep)
    assert "landlord" not in jobs.loops(jobs.attempt())
    assert jobs.overlays.views[number].places
