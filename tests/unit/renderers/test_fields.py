"""A field of any JSON has its type or nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from renderers import fields
from renderers import markdown as md
from renderers.base import Item, Mention, RecordSection, Ref
from tests.tables import table


@table(
    ("value", "text"),
    [
        (None, ""),
        ("", ""),
        ("a\nb", "a\nb"),
        (0, "0"),
        (12345678901234567890, "12345678901234567890"),
        (1.5, "1.5"),
        (True, "true"),
        ([], "[]"),
        (["é", 1], '[\n  "é",\n  1\n]'),
        ({"b": 1, "a": None}, '{\n  "a": null,\n  "b": 1\n}'),
    ],
)
def test_a_field_as_text(value: Any, text: str) -> None:
    assert fields.text({"f": value}, "f") == text
    assert fields.text({}, "f") == ""


@table(
    ("value", "line"),
    [
        (None, ""),
        ("a *b*\n c", r"a \*b\* c"),
        ("x" * 300, md.inline("x" * 300)),
        (7, "7"),
        (False, "false"),
        (["a", 2, 1.5, True], "a, 2, 1.5, true"),
        ([], ""),
        ({}, ""),
        (["a", None], md.inline('[\n  "a",\n  null\n]')),
        ([["a"]], md.inline('[\n  [\n    "a"\n  ]\n]')),
        ({"a": 1}, md.inline('{\n  "a": 1\n}')),
    ],
)
def test_a_field_as_one_line(value: Any, line: str) -> None:
    data = {"f": value}
    assert fields.line(data, "f") == line
    assert fields.facts(data, ("Label", "f"), ("Other", "g")) == ([("Label", line)] if line else [])


def test_a_line_ends_at_its_limit_whatever_it_is_of() -> None:
    assert fields.line({"f": "abcdef"}, "f", 4) == md.inline("abcdef", 4) != md.inline("abcdef")
    assert fields.line({"f": ["abc", "def"]}, "f", 4) == md.inline("abc, def", 4)
    assert fields.line({"f": {"a": "bcd"}}, "f", 4) == md.inline(fields.dump({"a": "bcd"}), 4)


@table(
    ("value", "moment", "shown"),
    [
        ("2026-11-27T14:03:59Z", datetime(2026, 11, 27, 14, 3, 59, tzinfo=UTC), "2026-11-27 14:03 UTC"),
        ("2026-11-27T14:03:00+02:00", datetime(2026, 11, 27, 12, 3, tzinfo=UTC), "2026-11-27 12:03 UTC"),
        ("2026-11-27T14:03:00", datetime(2026, 11, 27, 14, 3, tzinfo=UTC), "2026-11-27 14:03 UTC"),
        ("2026-11-27", datetime(2026, 11, 27, tzinfo=UTC), "2026-11-27 00:00 UTC"),
        ("0001-01-01T00:00:00+02:00", None, "0001-01-01T00:00:00+02:00"),
        ("next *week*", None, r"next \*week\*"),
        ("x" * 61, None, md.inline("x" * 61, 60)),
        (5, None, "5"),
        ({"a": 1}, None, md.inline('{\n  "a": 1\n}', 60)),
        (None, None, ""),
    ],
)
def test_a_field_as_a_time(value: Any, moment: datetime | None, shown: str) -> None:
    assert fields.moment(value) == moment
    assert fields.when({"f": value}, "f") == shown
    assert fields.times({"f": value}, ("At", "f"), ("Until", "g")) == ([("At", shown)] if shown else [])


@table(
    ("value", "texts"),
    [
        (None, ()),
        ("", ()),
        ([], ()),
        ({}, ()),
        ("<p>Hello</p>", ("Hello",)),
        ({"a": 1}, ('{\n  "a": 1\n}',)),
        (0, ("0",)),
        (False, ("false",)),
    ],
)
def test_a_field_as_a_section(value: Any, texts: tuple[str, ...]) -> None:
    assert fields.section("Notes", {"f": value}, "f") == RecordSection("Notes", texts)


def test_a_field_with_an_id_is_a_reference_and_only_true_is_yes() -> None:
    data = {"a": "1", "b": 2, "c": "", "d": None}
    triples = [("A", "a", "s"), ("B", "b", "s"), ("C", "c", "s"), ("D", "d", "s"), ("E", "e", "s")]
    assert fields.refs(data, *triples) == [Ref("A", "s", "1"), Ref("B", "s", "2")]
    assert fields.refs(data, triples[0], inherit_role="guest") == [Ref("A", "s", "1", "guest")]
    assert [fields.yes({"f": value}, "f") for value in (True, 1, "true", None)] == [True, False, False, False]
    assert not fields.yes({}, "f")


def names(mentions: list[Mention]) -> list[tuple[str, str]]:
    return [(mention.name, dict(mention.facts).get("Email", "")) for mention in mentions]


@table(
    ("value", "people"),
    [
        (None, []),
        ("Ada Lovelace", []),
        (
            ["Ada Lovelace", "bob@example.com", "", " ", 5, None, ["Cleo Ray"]],
            [("Ada Lovelace", ""), ("bob@example.com", "")],
        ),
        ([{"name": "Ada Lovelace", "email": "Ada@Example.com"}], [("Ada Lovelace", "ada@example.com")]),
        ([{"displayName": "Ada Lovelace", "address": "ada@example.com"}], [("Ada Lovelace", "ada@example.com")]),
        ([{"display_name": "Ada Lovelace"}, {"full_name": "Cleo Ray"}], [("Ada Lovelace", ""), ("Cleo Ray", "")]),
        ([{"name": " ", "full_name": "Cleo Ray"}], [("Cleo Ray", "")]),
        ([{"name": 3, "email_address": "bob@example.com"}], [("bob@example.com", "")]),
        ([{"name": "bob@example.com", "email": "bob@example.com"}], [("bob@example.com", "")]),
        ([{}], []),
    ],
)
def test_people_are_named_in_any_of_the_shapes_that_integrations_send(
    value: Any, people: list[tuple[str, str]]
) -> None:
    mentions = fields.people(value, "guest")
    assert names(mentions) == people
    assert {mention.role for mention in mentions} <= {"guest"}
    assert {mention.kind for mention in mentions} <= {"person"}


def test_a_long_name_and_a_stated_fact_make_the_same_person() -> None:
    (plain,) = fields.person("Ada Lovelace", role="guest")
    (stated,) = fields.person("Ada Lovelace", role="guest", stated=(("Company", "Acme"),))
    assert (stated.key, stated.name, stated.role) == (plain.key, plain.name, "guest")
    assert (plain.facts, stated.facts) == ((), (("Company", "Acme"),))
    (project,) = fields.project("Atlas", "container")
    (active,) = fields.project("Atlas", "container", (("Status", "active"),))
    assert (project.kind, project.name, project.role, project.facts) == ("project", "Atlas", "container", ())
    assert active == project._replace(facts=(("Status", "active"),))
    long = "Atlas " * 200
    assert [mention.key for mention in fields.project(long)] == [
        mention.key for mention in fields.project(long.upper())
    ]
    assert fields.project(" ") == []


def test_whoever_a_contact_describes_has_a_page_whatever_their_name_is() -> None:
    assert fields.person("no-reply", "no-reply@example.com") == []
    assert names(fields.person("no-reply", "no-reply@example.com", fields.CONTACT)) != []
    assert fields.person("", "") == []


def item(local: str, occurred_at: str, **data: Any) -> Item:
    return Item("s", "r", occurred_at, occurred_at, local, data, "")


def test_a_meeting_is_known_by_its_day_in_utc_and_named_by_the_users_day() -> None:
    start = "2026-11-28T02:00:00.000000Z"
    own = item("2026-11-27 21:00 -05:00", start, at="2026-11-28T03:00:00+01:00")
    (meeting,) = fields.meeting(own, "Weekly\nsync", "at", "attended")
    assert (meeting.kind, meeting.name, meeting.role) == ("meeting", "Weekly sync (2026-11-27)", "attended")
    (elsewhere,) = fields.meeting(
        item("2026-12-01 09:00 +00:00", "2026-12-01T09:00:00.000000Z", at=start), "Weekly sync", "at"
    )
    assert elsewhere.name == "Weekly sync (2026-11-28)", "a note of another moment has the meeting's day"
    assert (elsewhere.key, elsewhere.role) == (meeting.key, "")
    assert fields.meeting(own, " ", "at") == []
    assert fields.meeting(own, "Weekly sync", "other") == []
