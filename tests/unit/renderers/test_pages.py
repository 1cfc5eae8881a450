"""Pages of every record type: goldens, hostile texts and shapes, the same bytes everywhere."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import unicodedata
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import manifests
import renderers
from consumer.evidence import pages as reader
from contract import canonical
from contract.event import utc_text
from contract.manifest import SourceEntry
from renderers import entities, grouping
from renderers import markdown as md
from renderers import pages as rendered
from renderers.base import Item, RenderContext
from tests import goldens, pagecheck
from tests.cases import cases
from tests.tables import table

ROOT = Path(__file__).parents[3]
HOSTILE = [json.loads(line) for line in (ROOT / "tests/data/hostile.jsonl").read_text().splitlines()]
ENTRIES = {entry.source_key: entry for entry in manifests.export_manifest().sources}
WHEN = datetime(2026, 5, 30, 13, 30, tzinfo=UTC)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(1 - 2**53, 2**53 - 1) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def _item(entry: SourceEntry, record_id: str, data: dict[str, Any], when: datetime | None = WHEN) -> Item:
    happened = utc_text(when) if when else ""
    local = grouping.local(happened, goldens.CONTEXT.timezone) if when else ""
    return Item(entry.source_key, record_id, happened, utc_text(WHEN), local, data, canonical.digest(data))


def _read_alike(path: str, text: str) -> None:
    """The consumer's own reader, which knows no CommonMark, finds the same front matter and anchors."""
    page = reader.parse(path.removesuffix(".md"), text.encode())
    assert dict(page.front) == pagecheck.split(text)[0]
    assert page.anchors == set(pagecheck.anchors(text))


def _evidence_links_only(pages: dict[str, str]) -> None:
    """Pages by themselves; entity pages are the render stage's."""
    for path, text in pages.items():
        pagecheck.check(path, text)
        _read_alike(path, text)
        for target, _ in pagecheck.links(path, text):
            assert target in pages or target.split("/")[0] in {"people", "projects", "meetings"}


def test_every_source_has_a_renderer_and_a_golden() -> None:
    wanted, registered = {entry.renderer for entry in ENTRIES.values()}, set(renderers.RENDERERS)
    assert not wanted - registered, f"RENDERERS in renderers/__init__.py lacks {', '.join(sorted(wanted - registered))}"
    assert not registered - wanted, (
        f"no entry of the manifest has the renderer {', '.join(sorted(registered - wanted))}"
    )
    types = {entry.record_type for entry in ENTRIES.values()}
    missing = [
        record_type for record_type in sorted(types) if not (goldens.FOLDER / record_type / "records.json").is_file()
    ]
    assert not missing, f"no tests/golden/{'/records.json, no tests/golden/'.join(missing)}/records.json"


@table("record_type", sorted(goldens.entries()))
def test_golden(record_type: str) -> None:
    pages = goldens.render(goldens.entries()[record_type], goldens.records(record_type))
    assert pages == goldens.expected(record_type), "an intended change? bump VERSION and run python -m tests.goldens"
    _evidence_links_only(pages)


@pytest.mark.properties
@pytest.mark.parametrize("source", sorted(ENTRIES))
def test_hostile_text_in_every_field_breaks_nothing(source: str) -> None:
    entry = ENTRIES[source]
    items = [item for case in HOSTILE for item in _hostile(entry, case["text"])]
    pages = goldens.render(entry, items)
    _evidence_links_only(pages)
    assert all(page.startswith(entry.gbrain_mapping.removeprefix("brain/")) for page in pages)


def _hostile(entry: SourceEntry, text: str) -> list[Item]:
    """One record with the text in every field, and one with it in lists and objects."""
    data: dict[str, Any] = dict.fromkeys(entry.include_fields, text)
    listed = [text, {"name": text, "email": text, "role": text, "content": text}]
    return [_item(entry, text + "1", data), _item(entry, text + "2", dict.fromkeys(data, listed))]


class _Watched(dict[str, Any]):
    """A record's data that keeps which fields were asked for."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(data)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.asked.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.asked.add(name)
        return super().get(name, default)


@table("source", sorted(ENTRIES))
def test_a_renderer_reads_only_what_is_exported(source: str) -> None:
    """A misspelt field is no error: it would be missing from every page, and from the golden as well."""
    entry = ENTRIES[source]
    renderer = renderers.renderer_of(entry)
    # Without text, so that no "or" stops before what it reads when the first is empty.
    for filling in ("x", ""):
        data = _Watched(dict.fromkeys(entry.include_fields, filling))
        item = _item(entry, "r", {})._replace(data=data)
        for say in (renderer.title, renderer.facts, renderer.sections, renderer.mentions, renderer.refs):
            say(item)
        asked = data.asked | {*entry.page.by, *(("channel",) if entry.page.grouping == "channel_day" else ())}
        asked |= {entry.page.day} if entry.page.day else set()
        unknown = sorted(asked - set(entry.include_fields))
        assert not unknown, f"{entry.renderer} or its page rule reads what include_fields lacks: {', '.join(unknown)}"


@settings(max_examples=cases(60), deadline=None)
@given(st.sampled_from(sorted(ENTRIES)), st.data())
def test_data_of_any_shape_becomes_a_page(source: str, draw: st.DataObject) -> None:
    entry = ENTRIES[source]
    data = {name: draw.draw(_JSON) for name in entry.include_fields}
    pages = goldens.render(entry, [_item(entry, draw.draw(st.text(min_size=1, max_size=9)), data, None)])
    assert pages
    _evidence_links_only(pages)


@given(st.sets(st.text(min_size=1, max_size=6), min_size=2, max_size=8))
def test_no_two_records_share_a_page_or_an_anchor(ids: set[str]) -> None:
    for source in ("granola_transcripts", "checklist_items"):
        entry = ENTRIES[source]
        items = [_item(entry, record_id, {"title": "same"}) for record_id in ids]
        pages = goldens.render(entry, items)
        if source == "granola_transcripts":
            assert len(pages) == len(ids)
        else:
            (text,) = pages.values()
            assert len(set(pagecheck.anchors(text))) == len(ids)


def test_the_order_of_arrival_does_not_matter() -> None:
    for record_type, entry in goldens.entries().items():
        items = goldens.records(record_type)
        mixed = random.Random(7).sample(items, len(items))
        assert goldens.render(entry, mixed) == goldens.render(entry, items)


def _digest() -> str:
    everything = {kind: goldens.render(entry, goldens.records(kind)) for kind, entry in goldens.entries().items()}
    return hashlib.sha256(json.dumps(everything, sort_keys=True).encode()).hexdigest()


@pytest.mark.integration
@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LANG": "C", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "2", "TZ": "America/Lima", "LANG": "tr_TR.UTF-8", "PYTHONTZPATH": ""},
    ],
)
def test_bytes_do_not_depend_on_seed_zone_or_locale(environment: dict[str, str]) -> None:
    code = "from tests.unit.renderers import test_pages as t; print(t._digest())"
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment}
    result = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout.strip() == _digest()


def test_a_long_transcript_splits_into_linked_parts_and_loses_nothing() -> None:
    entry = ENTRIES["granola_transcripts"]
    lines = [f"Speaker {n % 3}: sentence number {n}." for n in range(5000)]
    pages = goldens.render(entry, [_item(entry, "long", {"title": "Long", "transcript": "\n".join(lines)})])
    assert len(pages) > 2
    pagecheck.check_all(pages)
    fronts = [pagecheck.split(text)[0] for text in pages.values()]
    assert [front["part"] for front in fronts] == list(range(1, len(pages) + 1))
    assert len({front["checksum"] for front in fronts}) == 1
    text = "\n".join(pages.values())
    assert all(line in text for line in lines)


def test_a_crowded_day_splits_between_records() -> None:
    entry = ENTRIES["checklist_items"]
    items = [
        _item(entry, f"i{n}", {"title": f"Item {n}", "description": "d" * 900}, WHEN + timedelta(seconds=n))
        for n in range(120)
    ]
    pages = goldens.render(entry, items)
    assert sorted(pages) == [
        "sources/cloop/checklist-items/2026-05-30-part-2.md",
        "sources/cloop/checklist-items/2026-05-30-part-3.md",
        "sources/cloop/checklist-items/2026-05-30-part-4.md",
        "sources/cloop/checklist-items/2026-05-30.md",
    ]
    pagecheck.check_all(pages)
    assert sum(len(pagecheck.anchors(text)) for text in pages.values()) == len(items)


@table(
    ("moment", "zone", "day"),
    [
        (datetime(2026, 3, 8, 4, 59, 59, tzinfo=UTC), "America/New_York", "2026-03-07"),
        (datetime(2026, 3, 8, 5, 0, tzinfo=UTC), "America/New_York", "2026-03-08"),
        # Clocks went forward at 07:00 UTC: the next midnight comes an hour earlier.
        (datetime(2026, 3, 9, 3, 59, 59, tzinfo=UTC), "America/New_York", "2026-03-08"),
        (datetime(2026, 3, 9, 4, 0, tzinfo=UTC), "America/New_York", "2026-03-09"),
        (datetime(2026, 11, 1, 5, 30, tzinfo=UTC), "America/New_York", "2026-11-01"),
        (datetime(2026, 5, 30, 23, 0, tzinfo=UTC), "Pacific/Kiritimati", "2026-05-31"),
        (datetime(2026, 5, 30, 23, 0, tzinfo=UTC), "../../etc/passwd", "2026-05-30"),
        (datetime(2026, 5, 30, 23, 0, tzinfo=UTC), "zone.tab", "2026-05-30"),
    ],
)
def test_days_are_the_users_days(moment: datetime, zone: str, day: str) -> None:
    entry = ENTRIES["checklist_items"]
    item = _item(entry, "x", {"title": "x"})._replace(local=grouping.local(utc_text(moment), zone))
    assert renderers.place(item, entry) == f"sources/cloop/checklist-items/{day}"


def test_another_zone_rule_or_version_gives_another_profile() -> None:
    entry = ENTRIES["checklist_items"]
    ruled = entry.model_copy(update={"page": entry.page.model_copy(update={"grouping": "week"})})
    profiles = {
        renderers.profile(entry, "UTC"),
        renderers.profile(entry, "Asia/Tokyo"),
        renderers.profile(ruled, "UTC"),
    }
    assert len(profiles) == 3
    assert renderers.profile(entry, "No/Such") == renderers.profile(entry, "UTC")


def test_the_context_is_on_the_page() -> None:
    entry = ENTRIES["user_profiles"]
    ctx = RenderContext("someone", "UTC", "job-7")
    (text,) = goldens.render(entry, [_item(entry, "u", {"display_name": "D"})], ctx).values()
    front, _ = pagecheck.split(text)
    assert front["digest_job_id"] == "job-7"
    assert front["user_id"] == "someone"
    assert front["timezone"] == "UTC"


@given(st.text(max_size=30) | st.text(alphabet="aB  .-\t\n~", max_size=260))
def test_plain_names_take_the_short_way_to_the_same_identity(text: str) -> None:
    long_way = " ".join(unicodedata.normalize("NFKC", md.clean(text)).casefold().split())[:200]
    assert entities.identity(text) == long_way


@pytest.mark.parametrize(
    ("hours", "expected"),
    [
        # New York: the evening before. The newest counts, whatever the order.
        ([3], "2026-05-29"),
        ([50, 3, None], "2026-05-31"),
        # None happened at a time: the day it was last changed on.
        ([None], "2026-05-30"),
    ],
)
def test_a_page_is_dated_by_the_local_day_of_its_newest_record(hours: list[int | None], expected: str) -> None:
    entry = ENTRIES["user_preferences"]
    midnight = datetime(2026, 5, 30, tzinfo=UTC)
    when = [None if hour is None else midnight + timedelta(hours=hour) for hour in hours]
    items = [_item(entry, str(n), {"preference_key": "x"}, moment) for n, moment in enumerate(when)]
    (text,) = goldens.render(entry, items).values()
    assert pagecheck.split(text)[0]["date"] == expected


def test_an_entity_is_dated_by_its_newest_evidence() -> None:
    mention = renderers.base.Mention("person", "ann", "Ann")

    def dated(*days: str) -> object:
        evidence = [renderers.Evidence("x.md", "", day, "T", "", mention) for day in days]
        entity = renderers.Entity("person", "ann", len(days), evidence, [])
        text = entities.page(entity).text("someone", "job")
        return pagecheck.split(text)[0].get("date")

    assert dated("2026-05-30", "2026-06-02", "undated") == "2026-06-02"
    assert dated("undated") is None


@table(
    ("number", "total", "links"),
    [(1, 1, []), (1, 3, ["Next part"]), (2, 3, ["Previous part", "Next part"]), (3, 3, ["Previous part"])],
)
def test_a_part_of_a_page_leads_to_those_beside_it(number: int, total: int, links: list[str]) -> None:
    text = rendered._neighbours("sources/cloop/notes/n", number, total)
    assert re.findall(r"\[([^]]+)\]", text) == links
