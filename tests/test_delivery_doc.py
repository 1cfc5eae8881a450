"""docs/delivery.md says what the code does: outcomes with their answers, the ledger's states and moves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from consumer.delivery import outcome as out
from consumer.delivery.ledger import LedgerState

TEXT = (Path(__file__).parent.parent / "docs" / "delivery.md").read_text(encoding="utf-8")
KINDS = {kind.name: kind for kind in out.Outcome.__subclasses__()}


def test_every_outcome_has_its_row_with_the_answers_it_gets() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (\d+) \| (\d+) \|", TEXT, re.MULTILINE)
    assert {name: (int(status), int(code)) for name, status, code in rows} == {
        name: (kind.http_status, kind.exit_code) for name, kind in KINDS.items()
    }


def test_the_diagram_has_exactly_the_ledgers_states() -> None:
    moves = re.findall(r"^    (\S+) --> (\w+):", TEXT, re.MULTILINE)
    states = {state for move in moves for state in move} - {"[*]"}
    assert states == set(get_args(LedgerState))
    # Done is final, and only death can be undone.
    assert {after for before, after in moves if before == "DONE"} == {"DONE"}
    assert {after for before, after in moves if before == "DEAD"} == {"DEAD", "RUNNING", "QUEUED"}


def test_every_code_that_the_page_names_exists() -> None:
    from consumer import errors

    codes = {
        kind.code
        for base in (errors.Retryable, errors.Terminal, errors.Interrupted)
        for kind in base.__subclasses__()
        if hasattr(kind, "code")
    }
    for code in ("malformed_message", "payload_mismatch", "ledger_unreadable", "lock_lost", "job_terminal"):
        assert code in codes
        assert f"`{code}`" in TEXT
