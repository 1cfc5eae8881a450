from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consumer import layout
from consumer.agent.localbrain import brain as local
from consumer.agent.localbrain import search, server, store, tools
from consumer.errors import BrainRefused
from consumer.evidence import pages
from contract import derived
from tests import brains
from tests.cases import cases


@pytest.fixture
def root(tmp_path: Path) -> Path:
    brains.write(tmp_path, brains.PAGES)
    return tmp_path


@pytest.fixture
def filled(root: Path) -> tools.ToolContext:
    brain = local.LocalBrain()
    brain.open(root, brains.Free())
    brain.update(root, sorted(brains.PAGES), [], brains.Free())
    return tools.ToolContext(root / local.DATABASE, root / layout.BRAIN)


def ask(brain: tools.ToolContext, name: str, **arguments: object) -> object:
    answer, failed = server.call(brain, name, arguments)
    assert not failed, answer
    return answer


def refused(brain: tools.ToolContext, name: str, **arguments: object) -> str:
    answer, failed = server.call(brain, name, arguments)
    assert failed, answer
    return str(answer["error"]["code"])


def slugs(answer: object) -> list[str]:
    assert isinstance(answer, list)
    return [row["slug"] for row in answer]


def test_update_imports_once_and_counts(root: Path) -> None:
    brain = local.LocalBrain()
    brain.open(root, brains.Free())
    first = brain.update(root, sorted(brains.PAGES), [], brains.Free())
    again = brain.update(root, sorted(brains.PAGES), [], brains.Free())
    assert (first.imported, first.unchanged, first.pages, first.links) == (4, 0, 4, 3)
    assert (again.imported, again.unchanged, again.pages) == (0, 4, 4)
    brain.close(root, brains.Free())


def test_a_changed_page_replaces_its_words_and_links(root: Path, filled: tools.ToolContext) -> None:
    name = f"{brains.NOTES}/atlas-kickoff-1a2b.md"
    brains.write(root, {name: brains.page("Atlas kickoff", "Cancelled.")})
    local.LocalBrain().update(root, [name], [], brains.Free())
    assert slugs(ask(filled, "search", query="launch planned")) == []
    assert ask(filled, "get_backlinks", slug="people/anna-kowal-9f") == []


def test_a_deleted_page_is_gone_and_deleting_again_is_nothing(root: Path, filled: tools.ToolContext) -> None:
    counts = local.LocalBrain().update(root, [], ["projects/atlas.md", "projects/atlas.md"], brains.Free())
    assert (counts.deleted, counts.pages) == (1, 3)
    assert local.LocalBrain().update(root, [], ["projects/atlas.md"], brains.Free()).deleted == 0
    assert refused(filled, "get_page", slug="projects/atlas") == "page_not_found"


def test_pages_that_cannot_be_read_are_skipped_with_a_reason(root: Path) -> None:
    (root / layout.BRAIN / "bad.md").write_bytes(b"---\ntitle: [\n---\n")
    (root / layout.BRAIN / "nul.md").write_bytes(b"a\0b")
    (root / layout.BRAIN / "latin.md").write_bytes(b"caf\xe9")
    asked = ["bad.md", "nul.md", "latin.md", "absent.md", "RESOLVER.md"]
    counts = local.LocalBrain().update(root, asked, [], brains.Free())
    assert sorted(counts.skipped) == sorted(asked)
    assert counts.pages == 0


@pytest.mark.parametrize("damage", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 4096, b""])
def test_open_replaces_a_damaged_database(root: Path, filled: tools.ToolContext, damage: bytes) -> None:
    filled.db.write_bytes(damage)
    brain = local.LocalBrain()
    brain.open(root, brains.Free())
    assert brain.update(root, sorted(brains.PAGES), [], brains.Free()).pages == 4


def test_another_version_of_the_database_is_made_again(root: Path, filled: tools.ToolContext) -> None:
    with sqlite3.connect(filled.db) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    assert local.LocalBrain().update(root, ["projects/atlas.md"], [], brains.Free()).imported == 1


@pytest.mark.parametrize("name", ["README.md", "people/index.md", ".hidden/a.md", "a/.b.md", "notes.txt", "a[1].md"])
def test_what_brains_never_import(name: str) -> None:
    assert not pages.importable(name)
    assert all(pages.importable(path) for path in brains.PAGES)


def test_the_local_brain_serves_local_mode_only() -> None:
    local.refuse_local("local", "internal-full")
    with pytest.raises(BrainRefused, match="internal-full"):
        local.refuse_local("cloud", "internal-full")


def test_search_wants_all_words_and_falls_back_to_any(filled: tools.ToolContext) -> None:
    assert slugs(ask(filled, "search", query="Atlas launch")) == [f"{brains.NOTES}/atlas-kickoff-1a2b"]
    assert slugs(ask(filled, "search", query="Borealis spaceship")) == [f"{brains.NOTES}/billing-review-3c4d"]


def test_a_question_finds_its_page_through_inflection_and_accents(filled: tools.ToolContext) -> None:
    best = ask(filled, "query", query="Who has to check the renewals of Boréalis?")
    assert slugs(best)[0] == f"{brains.NOTES}/billing-review-3c4d"


def test_a_hit_names_the_anchor_and_quotes_the_page(filled: tools.ToolContext) -> None:
    answer = ask(filled, "search", query="launch planned")
    assert isinstance(answer, list)
    assert answer[0]["anchor"] == "dates"
    assert "planned for 2026-11-20" in answer[0]["chunk_text"]


def test_a_title_outranks_a_mention(filled: tools.ToolContext) -> None:
    assert slugs(ask(filled, "query", query="atlas", recency="off"))[:1] == ["projects/atlas"]


@pytest.mark.parametrize("kind", ["person", "day", "concept", "report"])
def test_evidence_comes_before_a_page_that_repeats_it(root: Path, filled: tools.ToolContext, kind: str) -> None:
    sentence = "The quince harvest begins on Sunday."
    pages_ = {
        "sources/cloop/chat-sessions/quince-1.md": brains.page("Chat: harvest", sentence),
        "aaa/quince.md": brains.page("Harvest", sentence, type=kind),
    }
    brains.write(root, pages_)
    local.LocalBrain().update(root, sorted(pages_), [], brains.Free())
    expected = ["sources/cloop/chat-sessions/quince-1", "aaa/quince"]
    assert slugs(ask(filled, "query", query="When does the quince harvest begin?"))[:2] == expected


def test_results_can_be_paged_and_filtered(filled: tools.ToolContext) -> None:
    everything = slugs(ask(filled, "query", query="atlas billing"))
    assert slugs(ask(filled, "query", query="atlas billing", limit=1, offset=1)) == everything[1:2]
    assert set(slugs(ask(filled, "query", query="atlas billing", types=["person"]))) == {"people/anna-kowal-9f"}


def test_get_page_gives_the_body_and_on_request_the_file(filled: tools.ToolContext, root: Path) -> None:
    answer = ask(filled, "get_page", slug="brain/projects/atlas.md", include_content=True)
    assert isinstance(answer, dict)
    assert answer["compiled_truth"].startswith("# Atlas")
    assert answer["content"] == (root / layout.BRAIN / "projects/atlas.md").read_text()


def test_a_part_of_a_slug_is_enough_when_it_is_one_page(filled: tools.ToolContext) -> None:
    answer = ask(filled, "get_page", slug="anna-kowal", fuzzy=True)
    assert isinstance(answer, dict)
    assert answer["slug"] == "people/anna-kowal-9f"
    assert refused(filled, "get_page", slug="a", fuzzy=True) == "page_not_found"


def test_list_pages_gives_the_newest_first(filled: tools.ToolContext) -> None:
    listed = slugs(ask(filled, "list_pages", prefix="sources/"))
    assert listed == [f"{brains.NOTES}/billing-review-3c4d", f"{brains.NOTES}/atlas-kickoff-1a2b"]
    assert len(slugs(ask(filled, "list_pages", updated_after="2026-10-15"))) == 1


@pytest.mark.parametrize("tool", ["get_backlinks", "backlinks"])
def test_backlinks_know_both_kinds_of_links(filled: tools.ToolContext, tool: str) -> None:
    rows = ask(filled, tool, slug="projects/atlas")
    assert isinstance(rows, list)
    assert [row["from_slug"] for row in rows] == ["people/anna-kowal-9f", f"{brains.NOTES}/atlas-kickoff-1a2b"]


def test_a_backlink_names_the_section_that_it_stands_in(root: Path, filled: tools.ToolContext) -> None:
    name = "sources/cloop/meeting-notes/two-links-7e.md"
    body = '[[people/anna-kowal-9f]]\n\n<a id="r-owner"></a>\n## Owner\n\nIt is [[people/anna-kowal-9f]] who decides.'
    brains.write(root, {name: brains.page("Two links", body)})
    local.LocalBrain().update(root, [name], [], brains.Free())
    rows = ask(filled, "get_backlinks", slug="people/anna-kowal-9f")
    assert isinstance(rows, list)
    mine = [row for row in rows if row["from_slug"] == name.removesuffix(".md")]
    assert sorted((row["anchor"] for row in mine), key=str) == [None, "r-owner"]


def test_put_page_writes_below_derived_folders_and_is_found(filled: tools.ToolContext, root: Path) -> None:
    ask(filled, "put_page", slug="concepts/pricing", content=brains.page("Pricing", "Tiered zebra pricing."))
    assert slugs(ask(filled, "search", query="zebra")) == ["concepts/pricing"]
    assert (root / layout.BRAIN / "concepts/pricing.md").is_file()


@pytest.mark.parametrize(
    "slug",
    [
        "sources/cloop/x",
        "reports/insights/x",
        "RESOLVER",
        "peoples/x",
        "people",
        "../x",
        "people/../sources/x",
        "/etc/x",
    ],
)
def test_put_page_anywhere_else_is_refused(filled: tools.ToolContext, root: Path, slug: str) -> None:
    before = sorted(path for path in root.rglob("*") if path.suffix == ".md")
    assert refused(filled, "put_page", slug=slug, content="x") in ("permission_denied", "invalid_params")
    assert sorted(path for path in root.rglob("*") if path.suffix == ".md") == before


def test_put_page_through_a_link_out_of_the_brain_is_refused(
    filled: tools.ToolContext, root: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / layout.BRAIN / "concepts").symlink_to(outside)
    assert refused(filled, "put_page", slug="concepts/x", content="x") == "permission_denied"
    assert [*outside.iterdir()] == []


def test_put_page_keeps_what_rendering_wrote(filled: tools.ToolContext, root: Path) -> None:
    name = "people/anna-kowal-9f"
    rendered = brains.page("Anna Kowal", f"Rendered part.\n\n{derived.MARKER}")
    brains.write(root, {f"{name}.md": rendered})
    ask(filled, "put_page", slug=name, content=brains.page("Someone else", "A note."))
    text = (root / layout.BRAIN / f"{name}.md").read_text()
    assert text.startswith(rendered.rstrip("\n"))
    assert text.endswith("# Someone else\n\nA note.\n")
    assert pages.parse(name, text.encode()).title == "Anna Kowal"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {}),
        ("search", {"query": 7}),
        ("query", {"query": "a", "limit": "many"}),
        ("query", {"query": "a", "types": [1]}),
        ("get_page", {"slug": ""}),
        ("put_page", {"slug": "concepts/x", "content": "x" * (tools.PAGE_BYTES + 1)}),
        ("put_page", {"slug": "concepts/x", "content": "---\n[\n---\n"}),
        ("no_such_tool", {}),
    ],
)
def test_bad_calls_are_answers_with_a_code(filled: tools.ToolContext, tool: str, arguments: dict[str, object]) -> None:
    assert refused(filled, tool, **arguments) in ("invalid_params", "unknown_tool")


@settings(max_examples=cases(60), deadline=None)
@given(text=st.text(max_size=60))
def test_any_text_can_be_asked(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    with store.opened(tmp_path_factory.getbasetemp() / "any.sqlite") as opened:
        opened.put(pages.parse("a", b'# A "quoted" page\n\nNEAR(x) AND * "y'))
        assert len(search.query(opened, text)) <= 1
        assert len(search.search(opened, text)) <= 1


def test_order_of_import_does_not_change_the_answer(root: Path, tmp_path: Path) -> None:
    answers = []
    for number, names in enumerate((sorted(brains.PAGES), sorted(brains.PAGES, reverse=True))):
        with store.opened(tmp_path / f"{number}.sqlite") as opened:
            for name in names:
                opened.put(pages.parse(pages.slug_of(name), (root / layout.BRAIN / name).read_bytes()))
            answers.append(search.query(opened, "atlas billing anna"))
    assert answers[0] == answers[1]


def test_long_sections_are_cut_at_blank_lines() -> None:
    section = pages.PageSection("a", "H", "\n\n".join(f"paragraph {n} " + "x" * 300 for n in range(12)))
    pieces = [text for _, text in store.chunks([section])]
    assert all(len(piece) <= store.CHUNK_CHARS for piece in pieces)
    assert "\n\n".join(pieces) == section.text
