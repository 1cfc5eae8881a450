"""The verdict on a user's evidence."""

from __future__ import annotations

import manifests
from consumer.inventory import assess, thin

MANIFEST = manifests.export_manifest()
COUNTED = {entry.source_key: entry.sufficient_at for entry in MANIFEST.sources if entry.sufficient_at}
ALL = tuple(entry.source_key for entry in MANIFEST.sources)


def test_enough_of_enough_sources_is_sufficient() -> None:
    needed = MANIFEST.sufficient_sources
    names = sorted(COUNTED)[:needed]
    counts = {name: COUNTED[name] for name in names}
    inventory = assess(MANIFEST, ALL, counts, dict.fromkeys(names, 10))
    assert (inventory.verdict, inventory.reached, inventory.needed) == ("sufficient", needed, needed)
    assert (inventory.records, inventory.bytes) == (sum(counts.values()), 10 * needed)
    one_less = {**counts, names[0]: COUNTED[names[0]] - 1}
    assert assess(MANIFEST, ALL, one_less, {}).verdict == "insufficient"


def test_records_of_sources_that_do_not_count_prove_nothing() -> None:
    counts = {entry.source_key: 10_000 for entry in MANIFEST.sources if not entry.sufficient_at}
    inventory = assess(MANIFEST, ALL, counts, {})
    assert (inventory.verdict, inventory.reached) == ("insufficient", 0)
    assert inventory.records > 0


def test_only_allowed_sources_are_counted_and_odd_numbers_are_none() -> None:
    inventory = assess(MANIFEST, ("user_profiles", "unknown"), {"user_profiles": -3, "contacts": 99}, {})
    assert [source.source_key for source in inventory.sources] == ["user_profiles"]
    assert inventory.records == 0


def test_a_thin_source_is_named_with_what_it_lacks() -> None:
    inventory = assess(MANIFEST, ("checklist_items", "user_rules"), {"checklist_items": 7}, {})
    assert thin(inventory) == (f"checklist_items 7/{COUNTED['checklist_items']}",)
    document = inventory.to_json()
    assert document["sources"][0]["enough"] is False
    assert document["verdict"] == "insufficient"
