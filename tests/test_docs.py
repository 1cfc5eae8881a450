"""docs/operations.md is whole: every setting, verb, limit, metric and alert has its place there, and no other."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import consumer.settings
import controlplane.settings
import manifests
import publisher.settings
import reader.settings
from consumer.cli import main
from consumer.console import settings as console_settings
from tests.docs_tables import DEPLOY, OPERATIONS, filled
from tests.tables import table
from tests.unit.cli.test_ops import VERBS

ROOT = Path(__file__).parent.parent
DOCUMENT = OPERATIONS.read_text(encoding="utf-8")
MONITORING = (ROOT / "terraform" / "monitoring.tf").read_text(encoding="utf-8")
#: The alerts that a deployment has.
ALERTS = re.findall(r"^ {6}name +\= \"(.+)\"$", MONITORING, re.MULTILINE)


def section(title: str) -> str:
    """What stands below a heading of the second level."""
    assert f"\n## {title}\n" in DOCUMENT, f"docs/operations.md has no section {title!r}"
    return DOCUMENT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def headings(title: str) -> list[str]:
    return re.findall(r"^### (.+)$", section(title), re.MULTILINE)


def test_comments_name_headings_that_exist() -> None:
    """``docs/reports.md, "What matters"``: the heading must be there, also after a section has moved."""
    cited = [
        (path.name, page, title)
        for package in ("consumer", "controlplane", "publisher", "reader", "renderers", "contract", "service", "local")
        for path in (ROOT / package).rglob("*.py")
        for page, title in _CITED.findall(_NEXT_LINE.sub(" ", path.read_text(encoding="utf-8")))
    ]
    assert len(cited) > 5
    for name, page, title in cited:
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        assert re.search(rf"(?m)^#+ {re.escape(title)}$", text), f"{name} cites {page}, {title!r}"


_NEXT_LINE = re.compile(r"\n\s*(?:#:? )?")
_CITED = re.compile(r'docs/([a-z-]+\.md),? \(?"([A-Z][^"]+)"')


def test_tables_are_as_the_code_says() -> None:
    for document in (DOCUMENT, DEPLOY.read_text(encoding="utf-8")):
        assert filled(document) == document, "run: python -m tests.docs_tables"


@pytest.mark.parametrize("name", ["consumer", "console", "publisher", "controlplane", "reader", "limits"])
def test_tables_are_there(name: str) -> None:
    assert DOCUMENT.count(f"<!-- table: {name} -->") == 1


@pytest.mark.parametrize(
    "process", [consumer.settings, console_settings, publisher.settings, controlplane.settings, reader.settings]
)
def test_the_example_of_every_variable_can_be_read(process: ModuleType) -> None:
    for variable in process.variables():
        variable.parse(variable.example)
        assert len(variable.about) > 5, variable.name


def test_every_limit_says_why() -> None:
    limits = yaml.safe_load((Path(manifests.__file__).parent / "limits.yaml").read_text())["limits"]
    for name, entry in limits.items():
        assert set(entry) == {"value", "unit", "why"}, name
        assert len(entry["why"]) > 10, name


def test_every_verb_has_its_heading_and_no_other() -> None:
    assert headings("Commands") == [*VERBS]


@table("verb", VERBS)
def test_every_verb_shows_a_call_and_what_comes_back(verb: str) -> None:
    text = section("Commands").split(f"### {verb}\n")[1].split("\n### ")[0]
    [block] = re.findall(r"```\n(.+?)```", text, re.DOTALL)
    call, *answer = block.strip().splitlines()
    assert re.match(rf"\$ (\w+=\S+ )*cloop-memory (--local )?{verb}( |$)", call)
    assert answer, "show what comes back"
    options = {param for param in re.findall(r"(--[a-z][a-z-]+)", call)} - {"--local", "--json"}
    assert options <= _options(verb), f"{verb} has no {options - _options(verb)}"


def _options(verb: str) -> set[str]:
    import typer

    command = typer.main.get_command(main.app)
    for word in verb.split():
        command = command.commands[word]  # type: ignore[attr-defined]
    return {flag for param in command.params for flag in (*param.opts, *param.secondary_opts)}


def test_every_exit_code_is_explained() -> None:
    assert set(re.findall(r"\b(\d) [a-z]", main.EXIT_CODES)) <= set(re.findall(r"\| (\d) \|", section("Commands")))


def test_every_metric_is_explained() -> None:
    names = set()
    for package in ("consumer", "publisher", "controlplane"):
        for path in (ROOT / package).rglob("*.py"):
            names |= set(re.findall(r"telemetry\.(?:count|observe|gauge)\(\s*\"([a-z_]+)\"", path.read_text()))
    assert set(re.findall(r"^\| `cloop_memory\.([a-z_]+)` \|", section("Metrics"), re.MULTILINE)) == names


def test_every_alert_says_what_to_do() -> None:
    assert len(ALERTS) > 4
    assert headings("Alerts") == ALERTS
    for alert in ALERTS:
        text = section("Alerts").split(f"### {alert}\n")[1].split("\n### ")[0]
        assert "`cloop-memory " in text, alert


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", DOCUMENT):
        assert (OPERATIONS.parent / target).exists(), target
    anchors = {
        re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.+)$", DOCUMENT, re.MULTILINE)
    }
    for anchor in re.findall(r"\]\(#([^)]+)\)", DOCUMENT):
        assert anchor in anchors, anchor
