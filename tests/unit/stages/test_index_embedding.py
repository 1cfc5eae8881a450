"""The index stage pays for vectors of the evidence, and gives the model nothing that a rule holds."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from consumer.agent.sight import Sight
from consumer.evidence import search
from consumer.ports import IndexCounts, ModelAccess
from consumer.stages.index import Index
from consumer.storage.memory import FakeClock
from contract.api import Usage
from tests import brains

#: It makes no vectors of its own.
BRAIN: Any = SimpleNamespace()
ACCESS = ModelAccess("http://127.0.0.1:1/v1", "token")


class Gateway:
    @contextmanager
    def open(self, tags: object, usage: Usage) -> Any:
        yield SimpleNamespace(access=ACCESS, usage=lambda: Usage(cost_usd=0.5))


@pytest.mark.parametrize("note", ["", "the rest waits"])
def test_what_it_embeds_is_counted_and_paid(tmp_path: Path, note: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    def embed(*given: Any, skipped: set[str]) -> Any:
        asked.append((*given, skipped))
        return SimpleNamespace(embedded=3, note=note)

    monkeypatch.setattr(search, "embed", embed)
    seen = Sight(hidden=frozenset({"concepts/held.md"}), shown={"concepts/part.md": b"x"})
    monkeypatch.setattr(Index, "_seen", lambda *_: seen)
    run, clock, guard = brains.run(tmp_path), FakeClock(), brains.Free()
    counts = IndexCounts(embedded=1, notes=("before",))
    gateway: Any = Gateway()
    embedder: Any = lambda access: ("of", access)  # noqa: E731
    stage = Index(BRAIN, gateway=gateway, embedder=embedder, embedding_s=7.0, clock=clock)
    after, made = stage._embed(run, counts, guard)
    assert (made.embedded, made.notes) == (4, ("before", note) if note else ("before",))
    assert after.usage.cost_usd == run.usage.cost_usd + 0.5
    assert asked == [(tmp_path, ("of", ACCESS), clock, 7.0, guard, {"concepts/held", "concepts/part"})]


@pytest.mark.parametrize("lacking", ["gateway", "embedder", "clock"])
def test_without_one_of_its_parts_it_embeds_nothing(tmp_path: Path, lacking: str) -> None:
    parts: dict[str, Any] = {"gateway": Gateway(), "embedder": lambda access: access, "clock": FakeClock()}
    run, counts = brains.run(tmp_path), IndexCounts()
    stage = Index(BRAIN, **{**parts, lacking: None})
    assert stage._embed(run, counts, brains.Free()) == (run, counts)
