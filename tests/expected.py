"""What a careful reader of the sample user's sixty days would want told (tests/data/story/expected.yaml)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

#: Prefix of a ``due`` that is late when its day begins.
BEFORE: Final = "before "
EXPECTED: Final = Path(__file__).parent / "data/story/expected.yaml"
LOOPS: Final = frozenset({"task", "you_owe", "owed_to_you", "asked_of_you", "asked_by_you"})


@dataclass(frozen=True)
class ExpectedNews:
    """An entry of the file; see its head for the fields."""

    kind: str
    day: date
    what: str
    gist: str
    records: tuple[str, ...]
    state: str = ""
    due: str = ""
    who: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    private: bool = False


@cache
def expected() -> tuple[ExpectedNews, ...]:
    """All entries, in the order of the file."""
    entries: list[dict[str, Any]] = yaml.load(EXPECTED.read_text("utf-8"), Loader=yaml.CSafeLoader)
    for entry in entries:
        entry.update({name: tuple(entry[name]) for name in ("records", "who", "sides") if name in entry})
        entry["due"] = str(entry.get("due", ""))
    return tuple(ExpectedNews(**entry) for entry in entries)
