from __future__ import annotations

import sys
from pathlib import Path

import pytest

from consumer import layout
from consumer.agent.localbrain import __main__ as process
from consumer.agent.localbrain import brain as local
from consumer.agent.localbrain import tools
from consumer.errors import BrainRefused
from consumer.evidence import pages
from consumer.evidence.search import EvidenceIndex
from contract import derived
from tests import brains
from tests.tables import table
from tests.unit.evidence.test_search_vectors import PAGES, Meanings, build, embed


@pytest.fixture
def root(tmp_path: Path) -> Path:
    brains.write(tmp_path, brains.PAGES)
    return tmp_path


@pytest.fixture
def filled(root: Path) -> tools.ToolContext:
    brain = local.LocalBrain()
    brain.open(root, brains.Free())
    brain.update(root, sorted(brains.PAGES), [], brains.Free())
    return session(root)


def session(root: Path) -> tools.ToolContext:
    """A new session of an agent."""
    return tools.ToolContext(root / layout.SEARCH_INDEX, root / local.COPY, root / layout.BRAIN)


def ask(brain: tools.ToolContext, name: str, **arguments: object) -> object:
    answer, failed = tools.call(brain, name, arguments)
    assert not failed, answer
    return answer


def refused(brain: tools.ToolContext, name: str, **arguments: object) -> str:
    answer, failed = tools.call(brain, name, arguments)
    assert failed, answer
    return str(answer["error"]["code"])


def slugs(answer: object) -> list[str]:
    assert isinstance(answer, list)
    return [row["slug"] for row in answer]


@table("model", ["", "text-embedding-3-small"])
def test_the_process_serves_what_its_arguments_name(
    model: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served: list[tuple[tools.ToolContext, str]] = []

    async def serve(context: tools.ToolContext, version: str) -> None:
        served.append((context, version))

    monkeypatch.setattr(process, "serve", serve)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    paths = [tmp_path / name for name in ("index", "notes", "brain")]
    arguments = ["--index", paths[0], "--notes", paths[1], "--brain", paths[2]]
    arguments += ["--embedding-model", model] if model else []
    monkeypatch.setattr(sys, "argv", ["x", *map(str, arguments)])
    process.main()
    [(context, version)] = served
    assert (context.db, context.notes, context.root) == tuple(paths)
    assert version == local.VERSION
    assert (context.embedder is not None) == bool(model)


@table("argument", ["--index", "--notes", "--brain"])
def test_the_process_needs_to_know_its_files(
    argument: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [name for name in ("--index", "--notes", "--brain") if name != argument]
    monkeypatch.setattr(sys, "argv", ["x", *(word for name in names for word in (name, "f"))])
    with pytest.raises(SystemExit):
        process.main()
    assert f"required: {argument}" in capsys.readouterr().err


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
def test_a_damaged_index_is_an_answer_and_is_built_anew(root: Path, filled: tools.ToolContext, damage: bytes) -> None:
    filled.db.write_bytes(damage)
    assert refused(filled, "search", query="atlas") == "storage_error"
    assert local.LocalBrain().update(root, sorted(brains.PAGES), [], brains.Free()).pages == 4
    assert slugs(ask(filled, "search", query="Borealis"))


@table("name", ["README.md", "people/index.md", ".hidden/a.md", "a/.b.md", "notes.txt", "a[1].md"])
def test_what_brains_never_import(name: str) -> None:
    assert not pages.importable(name)
    assert all(pages.importable(path) for path in brains.PAGES)


def test_the_local_brain_serves_local_mode_only() -> None:
    local.refuse_local("local", "internal-full")
    with pytest.raises(BrainRefused, match="internal-full"):
        local.refuse_local("cloud", "internal-full")


def test_a_question_finds_its_page_through_inflection_and_accents(filled: tools.ToolContext) -> None:
    best = ask(filled, "query", query="Who has to check the renewals of Boréalis?")
    assert slugs(best)[0] == f"{brains.NOTES}/billing-review-3c4d"


def test_a_hit_names_the_anchor_and_quotes_the_page(filled: tools.ToolContext) -> None:
    answer = ask(filled, "search", query="launch planned", full=True)
    assert isinstance(answer, list)
    assert answer[0]["anchor"] == "dates"
    assert "planned for 2026-11-20" in answer[0]["chunk_text"]
    assert "planned for 2026-11-20" in answer[0]["snippet"]
    assert "chunk_text" not in ask(filled, "search", query="launch planned")[0]  # type: ignore[index]


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


def test_a_search_gives_eight_snippets_of_sixty_words(root: Path, filled: tools.ToolContext) -> None:
    text = "\n\n".join(f"Zebra {n} " + "crosses the long and dusty road " * 30 for n in range(4))
    pages_ = {f"{brains.NOTES}/zebra-{n:02}.md": brains.page(f"Road {n}", text) for n in range(12)}
    brains.write(root, pages_)
    local.LocalBrain().update(root, sorted(pages_), [], brains.Free())
    answer = ask(filled, "query", query="zebra")
    assert isinstance(answer, list)
    assert len(answer) == tools.HITS == 8
    assert all(len(row["snippet"].split()) <= 62 for row in answer)
    assert len(slugs(ask(filled, "query", query="zebra", limit=1000))) == 12


def test_results_can_be_paged_and_filtered(filled: tools.ToolContext) -> None:
    everything = slugs(ask(filled, "query", query="atlas billing"))
    assert len(everything) == 4
    assert slugs(ask(filled, "query", query="atlas billing", limit=1, offset=1)) == everything[1:2]
    assert set(slugs(ask(filled, "query", query="atlas billing", types=["person"]))) == {"people/anna-kowal-9f"}


def test_get_page_gives_the_body(filled: tools.ToolContext) -> None:
    answer = ask(filled, "get_page", slug="brain/projects/atlas.md")
    assert isinstance(answer, dict)
    assert answer["compiled_truth"].startswith("# Atlas")
    assert answer["more"] is None


@pytest.mark.parametrize(
    "paragraph", ["The tide table of day {n} is wrong again. " * 8, "潮汐表第{n}天又错了。" * 12, "x" * 9000]
)
def test_a_long_page_comes_in_sections_that_give_it_all(root: Path, filled: tools.ToolContext, paragraph: str) -> None:
    body = "\n\n".join(paragraph.replace("{n}", str(n)) for n in range(60))
    brains.write(root, {"concepts/tides.md": brains.page("Tides", body)})
    local.LocalBrain().update(root, ["concepts/tides.md"], [], brains.Free())
    sections, offset = [], 0
    while True:
        answer = ask(filled, "get_page", slug="concepts/tides", offset=offset)
        assert isinstance(answer, dict)
        sections.append(answer["compiled_truth"])
        if answer["more"] is None:
            break
        offset = answer["more"]["offset"]
    assert len(sections) > 2
    assert all(len(text) <= tools.SECTION_CHARS for text in sections)
    assert "".join(sections) == pages.parse("x", (root / layout.BRAIN / "concepts/tides.md").read_bytes()).body


def test_get_page_begins_at_an_anchor(filled: tools.ToolContext) -> None:
    name = f"{brains.NOTES}/atlas-kickoff-1a2b"
    answer = ask(filled, "get_page", slug=name, anchor="dates")
    assert isinstance(answer, dict)
    assert answer["compiled_truth"].startswith('<a id="dates"></a>')
    assert refused(filled, "get_page", slug=name, anchor="nowhere") == "anchor_not_found"


def test_a_section_is_not_repeated_in_one_session(root: Path, filled: tools.ToolContext) -> None:
    first = ask(filled, "get_page", slug="projects/atlas")
    again = ask(filled, "get_page", slug="projects/atlas")
    assert isinstance(first, dict)
    assert isinstance(again, dict)
    assert "compiled_truth" not in again
    assert "again=true" in again["already_returned"]
    assert ask(filled, "get_page", slug="projects/atlas", again=True) == first
    assert ask(session(root), "get_page", slug="projects/atlas") == first
    # Another text of the page is no repetition.
    ask(filled, "put_page", slug="projects/atlas", content="# Atlas\n\nDecided.")
    assert "Decided." in ask(filled, "get_page", slug="projects/atlas")["compiled_truth"]  # type: ignore[index]


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
    # The index itself is sealed while an agent works; its note is in the next run's index.
    with EvidenceIndex(root / layout.SEARCH_INDEX) as index:
        assert index.page("concepts/pricing") is None
    local.LocalBrain().close(root, brains.Free())
    assert slugs(ask(filled, "search", query="zebra")) == []
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
        ("query", {"query": "a", "limit": True}),
        ("query", {"query": "a", "offset": -1}),
        ("query", {"query": "a", "types": [1]}),
        ("get_page", {"slug": ""}),
        ("put_page", {"slug": "concepts/x", "content": "x" * (tools.PAGE_BYTES + 1)}),
        ("put_page", {"slug": "concepts/x", "content": "---\n[\n---\n"}),
        ("no_such_tool", {}),
    ],
)
def test_bad_calls_are_answers_with_a_code(filled: tools.ToolContext, tool: str, arguments: dict[str, object]) -> None:
    assert refused(filled, tool, **arguments) in ("invalid_params", "unknown_tool")


@pytest.mark.parametrize(
    ("model", "first"),
    [(Meanings(), ["sources/cloop/meeting-notes/wedding"]), (Meanings(fails_at=1), [])],
)
def test_a_question_is_searched_by_its_vector_where_a_model_answers(
    tmp_path: Path, model: Meanings, first: list[str]
) -> None:
    build(tmp_path, PAGES)
    embed(tmp_path, Meanings())
    brain = session(tmp_path)
    brain.embedder = model
    assert slugs(ask(brain, "query", query="Who got married?"))[:1] == first


def test_only_a_brain_that_embeds_gets_the_model(root: Path) -> None:
    assert "OPENAI_API_KEY" not in local.LocalBrain().mcp(root).env
    command = local.LocalBrain("small").mcp(root)
    assert command.args[-2:] == ("--embedding-model", "small")
    assert command.env["OPENAI_API_KEY"] == "${OPENAI_API_KEY}"


def test_each_tool_describes_what_it_requires() -> None:
    for tool in tools.TOOLS.values():
        assert set(tool.required) <= tool.properties.keys()
    only_of_evidence = tools.TOOLS[tools.EVIDENCE_SEARCH].properties.keys()
    assert tools.TOOLS["search"].properties.keys() - only_of_evidence == {"types"}
