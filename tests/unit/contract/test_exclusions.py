"""Which records a user's exclusions keep out of an export."""

from __future__ import annotations

from typing import Any

from contract import exclusions
from contract.exclusions import Excluder, Exclusion, ExclusionKind, ExclusionRequest, parts
from tests.tables import table

KEY = "ab" * 32
ID = "11111111-1111-4111-8111-111111111111"


def excluder(*several: tuple[ExclusionKind, tuple[str, ...]], key: str = KEY) -> Excluder:
    given = tuple(
        Exclusion(id=ID, kind=kind, source_key=texts[0])
        if kind == "source"
        else Exclusion(id=ID, kind=kind, parts=parts(KEY, ExclusionRequest(kind=kind, texts=texts)))
        for kind, texts in several
    )
    return Excluder(key, given)


@table(
    ("kind", "texts", "data", "excluded"),
    [
        ("source", ("messages",), {}, True),
        ("source", ("messages",), None, True),
        ("source", ("notes",), {}, False),
        ("person", ("Ann Lee",), {"sender_name": " ann  LEE "}, True),
        ("person", ("Ann Lee", "ann@x.example"), {"to": [{"name": "Ann", "address": "ANN@x.example"}]}, True),
        ("person", ("ann@x.example",), {"body": "Write to <ann@x.example>, please"}, True),
        ("person", ("ann@x.example",), {"body": "Write to joann@x.example"}, False),
        ("person", ("Ann Lee",), {"body": "I met Ann Lee"}, False),  # a name counts as a whole field only
        ("person", ("Ann Lee",), None, False),
        ("topic", ("Kestrel launch",), {"title": "Launch", "body": ["of the KESTREL"]}, True),
        ("topic", ("Kestrel launch",), {"body": "the Kestrel"}, False),
        ("topic", ("Kestrel",), {"body": "the Kestrels", "count": 7}, False),
        ("topic", ("Kestrel",), {"kestrel": 1}, False),  # the name of a field says nothing
        ("topic", ("--",), {"body": "--"}, False),
    ],
)
def test_a_record_is_kept_out_by_its_source_a_person_or_all_words_of_a_topic(
    kind: ExclusionKind, texts: tuple[str, ...], data: Any, excluded: bool
) -> None:
    assert excluder((kind, texts)).excludes("messages", data) is excluded


def test_one_of_several_exclusions_is_enough() -> None:
    several = excluder(("topic", ("Kestrel",)), ("person", ("Ann Lee",)), ("source", ("notes",)))
    assert several.excludes("messages", {"body": "Kestrel"})
    assert several.excludes("messages", {"name": "Ann Lee"})
    assert several.excludes("notes", {})
    assert not several.excludes("messages", {"body": "Ann Lee and Bob"})
    assert not excluder().excludes("messages", {"body": "Kestrel"})
    assert not excluder(("topic", ("Kestrel",)), key="cd" * 32).excludes("messages", {"body": "Kestrel"})


def test_each_part_of_a_request_is_kept_once_and_at_most_so_many() -> None:
    assert len(parts(KEY, ExclusionRequest(kind="topic", texts=("a b", "B c")))) == 3
    assert len(parts(KEY, ExclusionRequest(kind="person", texts=("Ann Lee", "ann  lee", "Bob")))) == 2
    many = " ".join(f"w{n}" for n in range(exclusions.MAX_PARTS + 1))
    assert len(parts(KEY, ExclusionRequest(kind="topic", texts=(many,)))) == exclusions.MAX_PARTS
