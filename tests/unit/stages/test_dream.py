"""The stage of a dream around a brain that is played here: what is kept of a night, and what is not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import manifests
from consumer import layout
from consumer.agent.localbrain.brain import LocalBrain
from consumer.delivery.pipeline import is_idle
from consumer.errors import CancelRequested, EvidenceTampered
from consumer.ports import DreamModel, DreamPage, DreamPhase, Dreamt, Guard, IndexCounts
from consumer.reports.evidence import PageCache
from consumer.reports.withholding import Withheld
from consumer.repository import content
from consumer.run import Run
from consumer.stages.dream import Dream, SynthesizeOrDream
from tests import brains
from tests.unit.stages.test_synthesize import Gateway

KICKOFF = f"{brains.NOTES}/atlas-kickoff-1a2b"
ANNA = DreamPage("people/anna-kowal-9f", "Anna Kowal", f"Leads Atlas. [Source: {KICKOFF}]")
NIGHT = Dreamt((DreamPhase("enrich_thin", "done", 4.2, {"pages_enriched": 1}),), (ANNA, DreamPage("x", "X", "Vague.")))


@dataclass
class Sleeper(LocalBrain):
    """A brain whose night is given."""

    night: Dreamt
    during: Callable[[Path], None] = lambda _root: None
    given: list[str] = field(default_factory=list)
    models: list[DreamModel] = field(default_factory=list)

    embedding_model = ""
    keeps_pages = True

    def dream(
        self, root: Path, given: Sequence[str], model: DreamModel, guard: Guard, *, shown: Mapping[str, bytes]
    ) -> Dreamt:
        self.given, self.models = list(given), [*self.models, model]
        self.during(root)
        return self.night


class HeldKickoff(PageCache):
    """A user with a rule that holds the page of the kickoff."""

    def held(self, run: Run, guard: Guard) -> Withheld:
        return Withheld(places={(KICKOFF, None): frozenset({"rule"})}, pages={KICKOFF: frozenset({"rule"})})


@pytest.fixture
def run(tmp_path: Path) -> Run:
    brains.write(tmp_path, brains.PAGES)
    run = brains.run(tmp_path)
    indexed = IndexCounts(pages=4)
    return replace(run, job=run.job.model_copy(update={"job_type": "dream"}), indexed=indexed, brain="played 1.0")


def dream(brain: LocalBrain, gateway: Gateway | None = None) -> Dream:
    return Dream(brain, gateway or Gateway(), "small", {"small": {"input": 1.0, "cached": 0.1, "output": 2.0}})


def everything(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_night_leaves_cited_pages_and_an_account_of_its_phases(run: Run) -> None:
    before = everything(run.root)
    brain = Sleeper(NIGHT)
    done = dream(brain).run(run, brains.Free())

    page = "brain/dreams/people/anna-kowal-9f.md"
    after = everything(run.root)
    job_files = {layout.job_run(run.job.job_id), layout.model_calls(run.job.job_id)}
    assert set(after) - set(before) == {page, *job_files}
    assert {path: after[path] for path in before} == before
    assert f"- Leads Atlas. [Atlas kickoff](../../{KICKOFF}.md)" in after[page].decode()
    assert 'made_by: "played 1.0"' in after[page].decode()
    account: dict[str, Any] = json.loads(after[layout.job_run(run.job.job_id)])["dream"]
    assert (account["pages"], account["dropped"]) == (["dreams/people/anna-kowal-9f.md"], 1)
    assert account["phases"] == [
        {"name": "enrich_thin", "outcome": "done", "seconds": 4.2, "counts": {"pages_enriched": 1}}
    ]
    # The brain is given the pages, and the small model with its price.
    assert brain.given == sorted(brains.PAGES)
    assert [(model.name, model.price) for model in brain.models] == [
        ("small", {"input": 1.0, "cached": 0.1, "output": 2.0})
    ]
    assert not is_idle(done)
    assert done.counts["dream_phases"] == 1


def test_persist_may_believe_only_what_was_read_after_the_night(run: Run) -> None:
    page = f"{layout.BRAIN}/{KICKOFF}.md"
    before = content.read(str(run.root), page)
    assert before is not None
    # Hydrate's record of a page, which a program may have changed since, whatever its stat says.
    run = replace(run, sealed={page: (before[0], before[1]._replace(digest="ab" * 32)), "brain/gone.md": before})
    done = dream(Sleeper(NIGHT)).run(run, brains.Free())
    assert "brain/gone.md" not in done.sealed
    assert done.sealed[page] == before


def test_pages_of_earlier_nights_go_with_what_they_cite(run: Run) -> None:
    dream(Sleeper(NIGHT)).run(run, brains.Free())
    (run.root / layout.BRAIN / f"{KICKOFF}.md").unlink()
    dream(Sleeper(replace(NIGHT, pages=()))).run(run, brains.Free())
    assert not list((run.root / layout.DREAMS).rglob("*.md"))


@pytest.mark.parametrize("why", ["local brain", "flag"])
def test_nothing_is_written_where_there_is_no_night(run: Run, why: str) -> None:
    before = everything(run.root)
    if why == "flag":
        run = replace(run, job=run.job.model_copy(update={"flags": {"dream": False}}))
    done = dream(LocalBrain() if why == "local brain" else Sleeper(NIGHT)).run(run, brains.Free())
    assert is_idle(done)
    assert everything(run.root) == before


@pytest.mark.parametrize(("profile", "sees"), [("internal-full", True), ("user-memory-prod", False)])
def test_a_brain_dreams_of_what_a_rule_holds_only_if_rules_hold_for_output_alone(
    run: Run, profile: str, sees: bool
) -> None:
    brain = Sleeper(NIGHT)
    run = replace(run, job=run.job.model_copy(update={"runtime_profile": profile}))
    replace(dream(brain), desk=HeldKickoff(), profiles=manifests.profiles()).run(run, brains.Free())
    assert (f"{KICKOFF}.md" in brain.given) == sees
    assert len(brain.given) > 1


def test_a_brain_that_touches_evidence_is_refused_and_its_change_undone(run: Run) -> None:
    evidence = run.root / layout.BRAIN / f"{KICKOFF}.md"
    before = evidence.read_bytes()

    def forge(_root: Path) -> None:
        evidence.write_text("forged")

    with pytest.raises(EvidenceTampered):
        dream(Sleeper(NIGHT, during=forge)).run(run, brains.Free())
    assert evidence.read_bytes() == before
    assert not (run.root / layout.DREAMS).exists()


def test_a_spent_budget_ends_no_dream_and_is_told(run: Run) -> None:
    dream(Sleeper(NIGHT), Gateway(spent=True)).run(run, brains.Free())
    assert json.loads((run.root / layout.job_run(run.job.job_id)).read_text())["dream"]["budget_spent"] is True


def test_a_dream_that_is_stopped_writes_nothing(run: Run) -> None:
    before = everything(run.root)

    def stop(_root: Path) -> None:
        raise CancelRequested("cancelled")

    with pytest.raises(CancelRequested):
        dream(Sleeper(NIGHT, during=stop)).run(run, brains.Free())
    assert everything(run.root) == before


def test_only_a_dream_dreams(run: Run) -> None:
    class Stage:
        name: ClassVar[str] = "synthesize"

        def run(self, run: Run, guard: Guard) -> Run:
            return replace(run, brain="an agent's")

    both = SynthesizeOrDream(Stage(), dream(Sleeper(NIGHT)))
    other = replace(run, job=run.job.model_copy(update={"job_type": "insight"}))
    assert both.run(other, brains.Free()).brain == "an agent's"
    assert both.run(run, brains.Free()).dreamt == NIGHT
