"""What an agent may see of the pages: by which digest an answer belongs to it."""

from __future__ import annotations

from consumer.agent import sight
from consumer.agent.sight import Sight
from consumer.evidence import pages
from consumer.reports.withholding import Withheld
from contract import derived
from tests import brains
from tests.tables import table

ITEMS = "sources/cloop/checklist-items/2026-11-08"
NOTE = f"{brains.NOTES}/lighthouse-weekly-a1"
#: Lines of pages in a folder of ``brain/``.
FREE, HELD = f"- [Badges](../{NOTE}.md)", f"- [Borealis](../{ITEMS}.md#r-1)"
BESIDE = f"- [Hotel](../{ITEMS}.md#r-2)"


def shown(slug: str, body: str) -> str | None:
    """What is left of a page's body where the record ``r-1`` of ITEMS is held; None: the page is hidden."""
    written = {**brains.STORY, f"{slug}.md": brains.page("Harbor", body)}
    by_slug = {pages.slug_of(path): pages.parse(pages.slug_of(path), text.encode()) for path, text in written.items()}
    rule = frozenset({"rule"})
    seen = sight.of(Withheld(places={(ITEMS, "r-1"): rule}, pages={ITEMS: rule}), by_slug, brains.Free())
    assert "Borealis" not in seen.shown[f"{ITEMS}.md"].decode()
    assert "hotel" in seen.shown[f"{ITEMS}.md"].decode()
    if f"{slug}.md" in seen.hidden:
        return None
    text = seen.shown.get(f"{slug}.md", written[f"{slug}.md"].encode()).decode()
    return text.partition("# Harbor\n\n")[2].strip()


@table(
    ("slug", "body", "left"),
    [
        # A rendered list loses the lines that link to what is held.
        ("people/x", f"{FREE}\n{HELD}\n{BESIDE}", f"{FREE}\n{BESIDE}"),
        ("people/x", FREE, FREE),
        ("people/x", f"List\n\n{HELD}", None),  # all that it was made of is held
        # Notes that link to it go as a whole, and the list above them stays.
        ("people/x", f"{FREE}\n{derived.MARKER}\nSee.\n{HELD}", f"{FREE}\n{derived.MARKER}"),
        ("people/x", f"{FREE}\n{HELD}\n{derived.MARKER}\nMy notes.", f"{FREE}\n{derived.MARKER}\n\nMy notes."),
        ("people/x", f"{FREE}\n{derived.MARKER}\nMy notes.", f"{FREE}\n{derived.MARKER}\nMy notes."),
        # Of somebody's own page nobody knows which of its words come from the record.
        ("notes/x", f"A thought.\n{HELD}", None),
        ("notes/x", f"A thought.\n{BESIDE}", f"A thought.\n{BESIDE}"),
        ("reports/x", FREE, None),
    ],
)
def test_an_agent_sees_of_a_page_what_links_to_nothing_held(slug: str, body: str, left: str | None) -> None:
    assert shown(slug, body) == left


def test_each_sight_has_a_digest_and_one_that_holds_nothing_has_none() -> None:
    """An answer that an agent gave under other rules is not used again."""
    rules = frozenset({"r"})
    sights = [
        Sight(),
        Sight(rules=rules),
        Sight(rules=rules | {"s"}),
        Sight(rules=rules, hidden=frozenset({"a.md"})),
        Sight(rules=rules, shown={"a.md": b"some"}),
        Sight(rules=rules, shown={"a.md": b"more"}),
    ]
    digests = [sight.digest for sight in sights]
    assert digests[0] == ""
    assert len(set(digests)) == len(sights)
    assert Sight(rules=frozenset({"s", "r"})).digest == digests[2], "whatever the order"
