from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from consumer import layout
from consumer.agent.localbrain.brain import LocalBrain
from consumer.errors import CancelRequested
from consumer.evidence.pagefiles import digest
from consumer.ports import IndexCounts, ModelAccess, ModelTags, ModelView
from consumer.repository.scan import stat_key
from consumer.run import Run
from consumer.snapshot import snapshot
from consumer.snapshot.snapshot import Entry
from consumer.stages.index import STATE, Index
from contract.api import Usage
from tests import brains
from tests.unit.evidence.test_search_vectors import Meanings, StoppedClock


class CountedGateway:
    """A gateway whose sessions have each used one request."""

    @contextmanager
    def open(self, tags: ModelTags, spent: Usage, view: ModelView | None = None) -> Iterator[Any]:
        yield SimpleNamespace(access=ModelAccess("http://127.0.0.1:9/v1", "t"), usage=lambda: Usage(requests=1))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    brains.write(tmp_path, brains.PAGES)
    return brains.run(tmp_path)


def index(run: Run) -> IndexCounts:
    after = Index(LocalBrain()).run(run, brains.Free())
    assert after.brain.startswith("local ")
    assert after.indexed is not None
    return after.indexed


def test_a_first_run_imports_all_and_a_second_nothing(run: Run) -> None:
    assert index(run).imported == len(brains.PAGES)
    state = (run.root / STATE).stat().st_mtime_ns
    second = index(run)
    assert (second.imported, second.unchanged, second.pages) == (0, 0, len(brains.PAGES))
    assert (run.root / STATE).stat().st_mtime_ns == state


def test_pages_count_as_changed_by_bytes_whoever_wrote_them(run: Run) -> None:
    index(run)
    brains.write(run.root, {"projects/atlas.md": "# Atlas\n\nNew.\n", "reports/insights/x.md": "# Report\n"})
    (run.root / layout.BRAIN / "people/anna-kowal-9f.md").unlink()
    counts = index(run)
    assert (counts.imported, counts.deleted, counts.pages) == (2, 1, len(brains.PAGES))


def as_hydrated(run: Run, path: str, forged: str = "") -> Run:
    """The run, with a record of a page as hydrate would leave it. ``forged``: a digest instead of that of its bytes."""
    file = run.root / layout.BRAIN / path
    size, actual = snapshot.digest_of(file.read_bytes())
    entry = Entry(f"{layout.BRAIN}/{path}", 0o600, size, forged or actual, "")
    return replace(run, hydrated={**run.hydrated, entry.path: (stat_key(file.stat()), entry)})


def test_a_page_that_is_as_hydrated_is_not_read(run: Run) -> None:
    index(as_hydrated(run, "projects/atlas.md", forged="ab" * 32))
    kept = orjson.loads((run.root / STATE).read_bytes())["pages"]
    assert kept["projects/atlas.md"] == "ab" * 8
    assert kept["people/anna-kowal-9f.md"] == digest((run.root / layout.BRAIN / "people/anna-kowal-9f.md").read_bytes())


def test_a_page_that_changed_since_hydrate_is_read(run: Run) -> None:
    index(run)
    after = as_hydrated(run, "projects/atlas.md")
    brains.write(run.root, {"projects/atlas.md": "# Atlas\n\nNew.\n"})
    assert index(after).imported == 1


def test_a_long_page_has_the_digest_of_its_bytes(run: Run) -> None:
    """A snapshot names a long file by its blocks."""
    brains.write(run.root, {"concepts/long.md": "# Long\n\n" + "word " * 40_000})
    index(as_hydrated(run, "concepts/long.md"))
    assert index(run).imported == 0


@pytest.mark.parametrize("contained", [True, False])
def test_files_that_the_brains_programs_could_write_are_sealed_no_more(
    run: Run, contained: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = as_hydrated(run, "projects/atlas.md")
    page = run.hydrated["brain/projects/atlas.md"]
    run = replace(run, sealed={"brain/projects/atlas.md": page, "gbrain-home/config": page, "gbrain-homes": page})
    monkeypatch.setattr(LocalBrain, "contained", contained)
    after = Index(LocalBrain()).run(run, brains.Free())
    assert after.sealed.keys() == ({"brain/projects/atlas.md", "gbrain-homes"} if contained else set())


def test_a_lost_database_is_filled_again(run: Run) -> None:
    index(run)
    (run.root / layout.SEARCH_INDEX).unlink()
    assert index(run).imported == len(brains.PAGES)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"brain": "gbrain", "pages": {}}', '{"brain": "local", "pages": 3}'])
def test_a_damaged_or_foreign_state_means_a_full_import(run: Run, text: str) -> None:
    index(run)
    (run.root / STATE).write_text(text)
    counts = index(run)
    assert counts.unchanged == len(brains.PAGES)


def test_a_page_that_cannot_be_read_is_tried_again_each_time(run: Run) -> None:
    brains.write(run.root, {"concepts/bad.md": "---\n[\n---\n"})
    assert set(index(run).skipped) == {"concepts/bad.md"}
    assert set(index(run).skipped) == {"concepts/bad.md"}
    brains.write(run.root, {"concepts/bad.md": "# Mended\n"})
    assert index(run).imported == 1


def test_an_interrupted_run_imports_nothing_and_can_be_repeated(run: Run) -> None:
    class Cancelled(brains.Free):
        def check(self) -> None:
            raise CancelRequested("job cancelled")

    with pytest.raises(CancelRequested):
        Index(LocalBrain()).run(run, Cancelled())
    assert index(run).imported == len(brains.PAGES)


def test_runs_started_at_any_time_give_the_same_state(run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    brains.write(other, brains.PAGES)
    index(run)
    index(brains.run(other, started_at=datetime(2031, 1, 1, tzinfo=UTC)))
    assert (run.root / STATE).read_bytes() == (other / STATE).read_bytes()


def test_passages_are_embedded_through_the_gateway_and_its_usage_counts(run: Run) -> None:
    model, gateway = Meanings(), CountedGateway()
    stage = Index(LocalBrain(), gateway, embedder=lambda _: model, clock=StoppedClock())  # type: ignore[arg-type]
    after = stage.run(run, brains.Free())
    assert after.indexed is not None
    assert (after.indexed.embedded, after.indexed.notes) == (len(model.asked), ())
    assert model.asked
    assert after.usage.requests == run.usage.requests + 1


def test_a_model_that_fails_is_a_note_and_the_words_are_indexed(run: Run) -> None:
    stage = Index(LocalBrain(), CountedGateway(), embedder=lambda _: Meanings(fails_at=1), clock=StoppedClock())  # type: ignore[arg-type]
    after = stage.run(run, brains.Free())
    assert after.indexed is not None
    assert (after.indexed.embedded, after.indexed.notes) == (0, ("embedding: meanings-1: 503",))
    assert after.indexed.imported == len(brains.PAGES)
