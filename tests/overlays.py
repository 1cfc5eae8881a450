"""The control plane's corrections and rules in memory: a ``ports.Overlays`` over the rows of a FakeExport."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from contract.overlay import CorrectionView, Overlay, PlaceRequest, RuleRef, person_digest, record_digest
from tests.fake_export import EPOCH, FakeExport

KEY = "5e" * 32


@dataclass
class FakeOverlays:
    """``before``: called at each question, with its number from 1. ``off``: rules that are switched off. ``hidden``:
    records that are being forgotten; both as (source, record id).
    """

    server: FakeExport
    made_at: datetime = EPOCH + timedelta(days=3)
    views: dict[str, CorrectionView] = field(default_factory=dict)
    asked: int = 0
    before: Callable[[int], None] = lambda _number: None
    off: set[tuple[str, str]] = field(default_factory=set)
    hidden: set[tuple[str, str]] = field(default_factory=set)

    def say(self, verdict: Any, statement: str | None = None, **fields: Any) -> str:
        """A correction, as the user makes it; its id."""
        number = f"cccccccc-0000-4000-8000-{len(self.views) + 1:012d}"
        for name in ("person", "other"):
            if name in fields:
                fields[name] = person_digest(KEY, fields[name])
        self.views[number] = CorrectionView(
            id=number, verdict=verdict, statement=statement, made_at=self.made_at, **fields
        )
        return number

    def undo(self, number: str) -> None:
        del self.views[number]

    def overlay(self, user_id: str) -> Overlay:
        self.asked += 1
        self.before(self.asked)
        rules = tuple(
            RuleRef(
                source_key=source,
                record_id=record_id,
                changed_at=EPOCH + timedelta(seconds=row.changed_s),
                off=(source, record_id) in self.off,
            )
            for source in ("user_preferences", "user_rules")
            for record_id, row in sorted(self.server.rows.get(source, {}).items())
            if row.data is not None
        )
        hidden = tuple(sorted(record_digest(KEY, *record) for record in self.hidden))
        kept = repr([sorted((each.id, each.verdict, each.until) for each in self.views.values()), rules, hidden])
        version = hashlib.sha256(kept.encode()).hexdigest()
        corrections = tuple(self.views.values())
        return Overlay(version=version, key=KEY, hidden_records=hidden, corrections=corrections, rules=rules)

    def place_corrections(self, user_id: str, request: PlaceRequest) -> None:
        for placed in request.placed:
            view = self.views.get(placed.id)
            if view is not None and view.placed_at is None:
                update = {"about": placed.about, "places": placed.places, "placed_at": self.made_at}
                self.views[placed.id] = view.model_copy(update=update)
