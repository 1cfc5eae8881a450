"""What an agent may see of the pages, what it may have seen before, and by which digest an answer belongs to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from consumer import layout
from consumer.agent import sight
from consumer.agent.sight import Sight, Sighted
from consumer.errors import CancelRequested
from consumer.evidence import pages, search
from consumer.reports.withholding import HeldWords, Withheld
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


def looked_at(held: Withheld, written: dict[str, str], guard: brains.Free | None = None) -> Sight:
    by_slug = {pages.slug_of(path): pages.parse(pages.slug_of(path), text.encode()) for path, text in written.items()}
    return sight.of(held, by_slug, guard or brains.Free())


def test_a_sight_remembers_which_records_it_shows_and_which_it_holds() -> None:
    """Each page stands for itself, too; a page that is hidden holds all of its records."""
    rule = frozenset({"rule"})
    item = '<a id="r-1"></a>\n## Borealis\n\nSecret.\n\n<a id="r-2"></a>\n## Hotel\n\nOpen.'
    written = {f"{ITEMS}.md": brains.page("Items", item), f"{NOTE}.md": brains.page("Badges", "A note.")}
    anchors = (ITEMS, ""), (ITEMS, "r-1"), (ITEMS, "r-2"), (NOTE, "")
    marks = {place: sight._mark(*place) for place in anchors}
    one_record = looked_at(Withheld(places={(ITEMS, "r-1"): rule}), written)
    assert one_record.held == {marks[ITEMS, "r-1"]}
    assert one_record.records == set(marks.values()) - one_record.held
    page = looked_at(Withheld(places={(ITEMS, None): rule}), written)
    assert page.held == {marks[ITEMS, anchor] for anchor in ("", "r-1", "r-2")}
    assert page.records == {marks[NOTE, ""]}
    assert (one_record.hidden, page.hidden) == (set(), {f"{ITEMS}.md"})


def test_a_page_that_names_somebody_held_is_hidden_with_what_links_to_it() -> None:
    """By its name, its title, its header, or a section that is left."""
    words = HeldWords("rule", re.compile("Zoltan"), None, ())
    chats = "sources/cloop/chat-sessions"
    written = {
        f"{chats}/free.md": brains.page("Lunch", "With Ann."),
        f"{chats}/with-zoltan-a1.md": brains.page("Lunch", "With somebody."),
        f"{chats}/titled.md": brains.page("Lunch with Zoltan", "With somebody."),
        f"{chats}/headed.md": brains.page("Lunch", "With somebody.", people="Zoltan"),
        f"{chats}/said.md": brains.page("Lunch", "With Zoltan."),
        "people/zoltan-b2.md": brains.page("A friend", FREE),
        "people/ann.md": brains.page(
            "Ann", f"- [Lunch](../{chats}/free.md)\n- [Other](../{chats}/said.md)\n- Zoltan knows her."
        ),
        "daily/2026-11-08.md": brains.page("Sunday", f"- [Other](../{chats}/titled.md)"),
        "projects/roof.md": brains.page("Roof", f"{FREE}\n{derived.MARKER}\nZoltan will pay."),
    }
    seen = looked_at(Withheld(words=(words,), places={("x", None): frozenset({"rule"})}), written)
    assert seen.hidden == {
        *(f"{chats}/{name}.md" for name in ("with-zoltan-a1", "titled", "headed", "said")),
        "people/zoltan-b2.md",
        "daily/2026-11-08.md",
    }
    assert seen.shown["people/ann.md"].decode().endswith(f"# Ann\n\n- [Lunch](../{chats}/free.md)\n")
    assert "Zoltan" not in seen.shown["projects/roof.md"].decode()
    assert seen.shown.keys() == {"people/ann.md", "projects/roof.md"}


def test_without_anything_held_no_page_is_looked_at_and_a_long_look_can_be_stopped() -> None:
    class Cancelled(brains.Free):
        def check(self) -> None:
            raise CancelRequested("stop")

    assert looked_at(Withheld(), brains.STORY, Cancelled()) == Sight()
    with pytest.raises(CancelRequested):
        looked_at(Withheld(places={(ITEMS, "r-1"): frozenset({"rule"})}), brains.STORY, Cancelled())


def test_a_page_without_a_header_is_shown_without_one() -> None:
    seen = looked_at(
        Withheld(places={(ITEMS, "r-1"): frozenset({"rule"})}), {"people/x.md": f"# Ann\n\n{FREE}\n{HELD}\n"}
    )
    assert seen.shown["people/x.md"].decode() == f"# Ann\n\n{FREE}\n"


def sees(rules: str, records: str, held: str = "") -> Sight:
    return Sight(rules=frozenset(rules), records=frozenset(records), held=frozenset(held))


@table(
    ("before", "now", "stale", "remembered"),
    [
        # Nobody knows what was seen, or a rule is new, or what was seen is held now: all begins anew.
        (None, sees("a", "12"), True, "12"),
        (sees("a", "12"), sees("ab", "34"), True, "34"),
        (sees("a", "12"), sees("a", "3", "1"), True, "3"),
        # Else what was seen before is still in the brain.
        (sees("a", "12"), sees("a", "34"), False, "1234"),
        (sees("ab", "12"), sees("a", "3", "9"), False, "123"),
    ],
)
def test_brain_and_sessions_begin_anew_when_they_may_hold_what_is_held_now(
    tmp_path: Path, before: Sight | None, now: Sight, stale: bool, remembered: str
) -> None:
    sight.remember(tmp_path, Sight())
    if before is not None:
        sight.remember(tmp_path, before)
    assert sight.remember(tmp_path, now) is stale
    assert sight.sighted(tmp_path) == Sighted(now.digest, now.rules, frozenset(remembered))


def test_when_nothing_is_held_any_more_nothing_is_remembered(tmp_path: Path) -> None:
    sight.remember(tmp_path, sees("a", "1"))
    assert sight.remember(tmp_path, Sight()) is False
    assert sight.sighted(tmp_path) is None
    assert sight.remember(tmp_path, Sight()) is False, "repeatable"


@pytest.mark.parametrize(
    "text", ["", "[]", '{"digest": "d", "rules": []}', '{"digest": "d", "rules": 1, "records": []}']
)
def test_a_damaged_memory_of_sights_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / layout.AGENT_SIGHT
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert sight.sighted(tmp_path) is None


def test_sessions_and_logs_are_forgotten_whatever_they_are(tmp_path: Path) -> None:
    home = tmp_path / layout.HERMES_HOME
    sight.forget_sessions(tmp_path)
    (home / "sessions").mkdir(parents=True)
    (home / "sessions/s1.json").write_text("x")
    (home / "skills").mkdir()
    (home / "logs").symlink_to(home / "skills")
    for name in ("state.db", "state.db-wal", "state.db-shm", "memories", "config.yaml"):
        (home / name).write_text("x")
    sight.forget_sessions(tmp_path)
    assert sorted(path.name for path in home.iterdir()) == ["config.yaml", "skills"]


def test_a_view_holds_what_is_shown_as_it_is_shown_and_its_index_too(tmp_path: Path) -> None:
    slug = f"{brains.NOTES}/plan"
    written = {
        f"{slug}.md": brains.page("Plan", "Kestrel and Borealis."),
        f"{slug}-2.md": brains.page("Plan", "Whole."),
        "people/ann.md": brains.page("Ann", "Hidden."),
    }
    brains.write(tmp_path, written)
    cut = brains.page("Plan", "Kestrel.").encode()
    seen = Sight({f"{slug}.md": cut}, frozenset({"people/ann.md"}), rules=frozenset({"r"}))
    for _ in range(2):  # It replaces an earlier one.
        (tmp_path / layout.AGENT_VIEW).mkdir(parents=True, exist_ok=True)
        (tmp_path / layout.AGENT_VIEW / "old").write_text("x")
        folder = sight.view(tmp_path, seen, brains.Free())
        shown = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.md")}
        assert shown == {
            f"{layout.BRAIN}/{slug}.md": cut,
            f"{layout.BRAIN}/{slug}-2.md": written[f"{slug}-2.md"].encode(),
        }
        assert not (folder / "old").exists()
    with search.EvidenceIndex(folder / layout.SEARCH_INDEX) as index:
        assert [hit.page for hit in index.search("Kestrel")] == [slug]
        assert index.search("Borealis") == []
    sight.close(tmp_path)
    assert not folder.exists()
    sight.close(tmp_path)
