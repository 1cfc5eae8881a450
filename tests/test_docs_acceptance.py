"""The documents name only what there is: tests, files, headings, tables; and no document is left out of the README."""

from __future__ import annotations

import re
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
DECISIONS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
ACCEPTANCE = (DOCS / "acceptance.md").read_text(encoding="utf-8")
MIGRATIONS = "\n".join(path.read_text() for path in sorted((ROOT / "controlplane" / "migrations").glob("*.sql")))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def defined_in(path: str) -> frozenset[str]:
    text = (ROOT / path).read_text(encoding="utf-8")
    return frozenset(re.findall(r"^\s*(?:async )?def (test_\w+)", text, re.MULTILINE))


@cache
def anchors(path: Path) -> frozenset[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return frozenset(re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings)


def section(text: str, heading: str, *ends: str) -> str:
    """What stands between a heading's line and the next line that starts with one of ``ends``."""
    assert f"\n{heading}\n" in text, heading
    own = text.split(f"\n{heading}\n", maxsplit=1)[1]
    for end in ends:
        own = own.split(f"\n{end}", maxsplit=1)[0]
    return own


def rows(title: str, text: str) -> list[list[str]]:
    """Cells of the table below a heading of the second level, without its two head lines."""
    lines = [line for line in section(text, f"## {title}", "## ").splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_named_test_and_test_file_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for path, name in re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text):
        assert (ROOT / path).is_file(), path
        assert not name or name in defined_in(path), f"{path}::{name}"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", page.read_text(encoding="utf-8")):
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), target
        assert not anchor or anchor in anchors(path), f"{target}#{anchor}"


@pytest.mark.parametrize(("title", "numbers"), [("Criteria", range(1, 16)), ("Stages", range(7))])
def test_every_criterion_and_stage_has_a_test(title: str, numbers: range) -> None:
    table = rows(title, ACCEPTANCE)
    assert [int(row[0]) for row in table] == [*numbers]
    for row in table:
        assert re.search(r"`tests/[\w/]+\.py::test_\w+`", row[2]), row[0]


def test_every_way_the_agent_fails_has_a_test() -> None:
    table = rows("Failures", (DOCS / "agent.md").read_text(encoding="utf-8"))
    assert len(table) > 30
    for row in table:
        assert re.search(r"`tests/[\w/]+\.py::test_\w+`", row[2]), row[0]


def test_every_threat_names_what_stops_it_and_a_test() -> None:
    table = rows("Threats", (DOCS / "security.md").read_text(encoding="utf-8"))
    assert len(table) > 10
    for row in table:
        assert len(row[2]) > 10, row
        assert re.search(r"`tests/[\w/]+\.py::test_\w+`", row[3]), row[1]


def test_the_readme_knows_every_document() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [named(page) for page in DOCS.glob("*.md") if f"({named(page)})" not in text]
    assert missing == []
    assert "(docs/decisions/README.md)" in text


def test_decisions_are_numbered_whole_and_listed() -> None:
    assert [path.name[:4] for path in DECISIONS] == [f"{n:04d}" for n in range(1, len(DECISIONS) + 1)]
    overview = (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    for path in DECISIONS:
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"], path.name
        title = text.splitlines()[0].removeprefix("# ")
        assert f"[{title}]({path.name})" in overview
    assert re.findall(r"^\| (\d+) \| ", section(overview, "## The ten open questions", "## "), re.MULTILINE) == [
        str(n) for n in range(1, 11)
    ]


def test_the_data_model_has_every_table_and_every_column() -> None:
    text = (DOCS / "data-model.md").read_text(encoding="utf-8")
    tables = columns()
    assert len(tables) > 8
    assert set(re.findall(r"^### `(memory_\w+)`", text, re.MULTILINE)) == set(tables)
    for table, names in tables.items():
        own = section(text, f"### `{table}`", "### ", "## ")
        assert names - set(re.findall(r"`(\w+)`", own)) == set(), table


def columns() -> dict[str, set[str]]:
    """Tables of the control plane and their columns, as the migrations make them."""
    tests: dict[str, set[str]] = {}
    for table, body in re.findall(
        r"^create table public\.(memory_\w+) \(\n(.*?)^\);", MIGRATIONS, re.MULTILINE | re.DOTALL
    ):
        tests[table] = set(re.findall(r"^  (\w+) ", body, re.MULTILINE)) - {"check", "unique", "primary"}
    for table, column in re.findall(r"alter table public\.(memory_\w+) add column (\w+)", MIGRATIONS):
        tests[table].add(column)
    return tests


def test_the_data_model_has_every_object_of_the_bucket() -> None:
    from consumer import paths

    text = (DOCS / "data-model.md").read_text(encoding="utf-8")
    made = [
        paths.head("<user>"),
        paths.lock("<user>"),
        *(f"users/<user>/{folder}/" for folder in ("commits", "trees", "index", "packs", "published", "parked")),
        *(f"users/<user>/{folder}/" for folder in ("checkpoints", "answers")),
        paths.ledger("<job>"),
        "dead/",
        "providers/",
    ]
    assert [name for name in made if f"`{name}" not in text] == []


def test_the_way_to_a_new_job_type_passes_by_files_that_exist() -> None:
    text = (DOCS / "adding-a-job-type.md").read_text(encoding="utf-8")
    named_files = re.findall(r"`((?:contract|consumer|controlplane|manifests|templates|tests|docs)/[\w/.-]+)`", text)
    assert len(named_files) > 8
    assert [name for name in named_files if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", ["quickstart.md", "security.md", "concepts.md", "acceptance.md"])
def test_every_call_of_the_command_line_exists(name: str) -> None:
    calls = re.findall(r"cloop-memory((?: [a-z-]+| --[a-z-]+)+)", (DOCS / name).read_text(encoding="utf-8"))
    for call in calls:
        words = [word for word in call.split() if word != "--local"]
        path = list(takewhile(lambda word: not word.startswith("--"), words))
        invoked, flags = command(path)
        assert invoked, f"no verb: {call}"
        assert {word for word in words if word.startswith("--")} <= flags, call


def command(path: list[str]) -> tuple[bool, set[str]]:
    """Whether the words begin with a verb of the command line, and its options."""
    import typer

    from consumer.cli import main

    here: Any = typer.main.get_command(main.app)
    for word in path:
        if not hasattr(here, "commands"):
            break
        here = here.commands.get(word)
    flags = {flag for param in here.params for flag in param.opts} if here else set()
    return here is not None and not hasattr(here, "commands"), flags
