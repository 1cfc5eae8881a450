"""Every error says what happens next, and the operator's manual has a heading for it."""

from __future__ import annotations

import re
from pathlib import Path

from consumer import errors
from tests.tables import table

OPERATIONS = Path(__file__).parent.parent / "docs" / "operations.md"


def _leaves(kind: type[errors.ConsumerError]) -> list[type[errors.ConsumerError]]:
    below = kind.__subclasses__()
    return [kind] if not below else [leaf for sub in below for leaf in _leaves(sub)]


LEAVES = _leaves(errors.ConsumerError)


@table("kind", LEAVES, ids=lambda k: k.__name__)
def test_error_has_code_disposition_and_hint(kind: type[errors.ConsumerError]) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", kind.code)
    assert kind.disposition in {"retry", "dead", "yield"}
    assert len(kind.hint) > 20
    assert kind.hint.endswith(".")


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in LEAVES]
    assert sorted(codes) == sorted(set(codes))


@table("kind", LEAVES, ids=lambda k: k.__name__)
def test_error_is_in_the_tree_at_the_top_of_the_module(kind: type[errors.ConsumerError]) -> None:
    assert errors.__doc__ is not None
    assert kind.__name__ in errors.__doc__


@table("kind", LEAVES, ids=lambda k: k.__name__)
def test_error_code_has_its_heading_in_the_operators_manual(kind: type[errors.ConsumerError]) -> None:
    assert f"### {kind.code}\n" in OPERATIONS.read_text()
