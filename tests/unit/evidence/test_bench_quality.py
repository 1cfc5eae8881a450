"""The benchmark of evidence asks each of GBrain's searches alone, too, so that what changes one of them is seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import pytest

from bench.brain_server import SEARCHES, BrainServer
from bench.quality import __main__ as quality

PAGES = {"sources/launch": "kestrel launches in february"}


@dataclass
class OneSearch:
    """A brain of which one search alone finds the page."""

    finds: str

    def rows(self, tool: str, **_: Any) -> list[dict[str, Any]]:
        return [{"slug": slug} for slug in PAGES] if tool == self.finds else []


@pytest.mark.parametrize("finds", SEARCHES)
@pytest.mark.parametrize("when", ["", " after a dream"])
def test_what_one_search_finds_is_seen_apart(monkeypatch: pytest.MonkeyPatch, finds: str, when: str) -> None:
    asked = [quality.QualityQuestion("fact", "When does Kestrel launch?", ("February",))]
    monkeypatch.setattr(quality, "questions", lambda: asked)
    verdicts = quality.judged_with(PAGES, cast(BrainServer, OneSearch(finds)), when)
    recalls = {name: quality.recall(answered) for name, answered in verdicts.items()}
    assert recalls.pop(f"gbrain{when}") == 1.0
    assert recalls == {f"gbrain {tool}{when}": float(tool == finds) for tool in SEARCHES}
