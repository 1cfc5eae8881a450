"""
The import rule, enforced. ROWS is the architecture: change it only together with docs/architecture.md.

A module stands in the row of its longest prefix. It may import from the rows above its own and from its own package.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.tables import table

ROOT = Path(__file__).parent.parent

#: From the foundation to the doors. What stands in one row does not know each other.
ROWS: tuple[tuple[str, ...], ...] = (
    ("contract", "templates"),
    ("service", "manifests"),
    ("controlplane", "publisher", "renderers"),
    ("consumer.errors", "consumer.layout"),
    ("consumer.paths", "consumer.snapshot"),
    ("consumer.ports", "consumer.inventory"),
    ("consumer.breakers", "consumer.guarding", "consumer.interruptible"),
    ("consumer.retry", "consumer.run", "consumer.settings", "consumer.delivery.plan"),
    ("consumer.storage", "consumer.clients", "consumer.evidence"),
    ("consumer.repository", "consumer.understanding"),
    # The evidence index reads the dates of questions as the readers of records do.
    ("consumer.evidence.search",),
    ("consumer.reports",),
    ("consumer.locking", "consumer.agent", "consumer.delivery.checkpoint"),
    # Whoever erases or looks reads the ledger too, so it stands below those who act on it.
    ("consumer.maintenance", "consumer.stages", "consumer.delivery.ledger"),
    ("consumer.erasure",),
    ("consumer.delivery",),
    ("consumer.bootstrap",),
    ("consumer.doctor", "consumer.console"),
    ("consumer.cli", "consumer.entrypoints"),
    # A program of its own on top of what reads committed snapshots; see READER_MAY.
    ("reader",),
)
#: Programs of their own: they meet in the contract and in the database, never in an import.
PROGRAMS = {"consumer", "controlplane", "publisher"}
#: Whoever speaks to a foreign system is built by bootstrap, looked at by doctor, and known to all others by its port.
WIRED = {
    "consumer.agent.answerer",
    "consumer.agent.gateway",
    "consumer.agent.gbrain",
    "consumer.agent.hermes",
    "consumer.agent.judge",
    "consumer.agent.localbrain",
    "consumer.agent.process",
    "consumer.agent.reader",
    "consumer.clients",
    "consumer.evidence.index",
    "consumer.storage.gcs",
    "consumer.storage.gcs_bucket",
    "consumer.storage.memory",
}
#: Not wired: they read bytes of a commit in memory, and have no port.
FORMATS = {"consumer.agent.hermes.sessions", "consumer.evidence.index.stored"}
WIRES = (
    "consumer.bootstrap",
    "consumer.doctor",
    "consumer.agent",
    "consumer.clients",
    "consumer.evidence.index",
    "reader.main",
    "reader.controlplane",
    "reader.keys",
    "reader.model",
)
#: What the reader may know of the consumer: how snapshots are read, and what is in them. Never how they are written.
READER_MAY = {
    # One call to a model, and the gateway that it goes through.
    "consumer.agent.answerer",
    "consumer.agent.embedder",
    "consumer.agent.gateway",
    "consumer.agent.judge",
    "consumer.clients.identity",
    "consumer.clients.signing",
    "consumer.errors",
    "consumer.evidence",
    "consumer.layout",
    "consumer.paths",
    "consumer.ports",
    "consumer.reports",
    "consumer.repository",
    "consumer.retry",
    "consumer.snapshot",
    "consumer.storage",
    "consumer.understanding",
}
#: Siblings that must not know each other; only their package, the registry, knows them all. Below: what they share.
PEERS = {"renderers", "consumer.stages"}
SHARED = {
    f"renderers.{name}"
    for name in (
        "base",
        "calendars",
        "concepts",
        "days",
        "derived",
        "entities",
        "fields",
        "grouping",
        "markdown",
        "notes",
        "pages",
        "persons",
        "report",
        "restricted",
        "samename",
        "sensitivity",
        "splitting",
        "visible",
    )
}
#: May import anything, so nothing may import them.
OUTER = {"local", "tests", "bench"}
#: Decisions and forms: values in, values out. Importing one of IMPURE there is a design error, not a style one.
PURE = {
    "contract",
    "renderers",
    "consumer.errors",
    "consumer.inventory",
    "consumer.layout",
    "consumer.paths",
    "consumer.run",
    "consumer.snapshot",
    "consumer.agent.answers",
    "consumer.agent.bounds",
    "consumer.agent.plugins",
    "consumer.delivery.checkpoint",
    "consumer.delivery.ledger",
    "consumer.delivery.outcome",
    "consumer.delivery.plan",
    "consumer.doctor.health",
    "consumer.evidence.pages",
    "consumer.evidence.search.days",
    "consumer.evidence.search.passages",
    "consumer.evidence.search.questions",
    "consumer.evidence.search.ranking",
    "consumer.evidence.search.related",
    "consumer.evidence.search.results",
    "consumer.evidence.search.words",
    "consumer.locking.lease",
    "consumer.erasure.matching",
    "consumer.erasure.selecting",
    "consumer.reports.agentmemory",
    "consumer.reports.citations",
    "consumer.reports.claims",
    "consumer.reports.consequences",
    "consumer.reports.context",
    "consumer.reports.detectors",
    "consumer.reports.excerpts",
    "consumer.reports.edition",
    "consumer.reports.insights",
    "consumer.reports.news",
    "consumer.reports.notes",
    "consumer.reports.passages",
    "consumer.reports.phrases",
    "consumer.reports.portrait",
    "consumer.reports.preferences",
    "consumer.reports.remembered",
    "consumer.reports.reporting",
    "consumer.reports.toldledger",
    "consumer.reports.waking",
    "consumer.reports.wording",
    "consumer.understanding.acquaintances",
    "consumer.understanding.askform",
    "consumer.understanding.calledoff",
    "consumer.understanding.checks",
    "consumer.understanding.corrections",
    "consumer.understanding.dates",
    "consumer.understanding.encoding",
    "consumer.understanding.facts",
    "consumer.understanding.grammar",
    "consumer.understanding.judgeform",
    "consumer.understanding.languages",
    "consumer.understanding.life",
    "consumer.understanding.memory",
    "consumer.understanding.mentions",
    "consumer.understanding.modality",
    "consumer.understanding.moments",
    "consumer.understanding.namedays",
    "consumer.understanding.numerals",
    "consumer.understanding.modelform",
    "consumer.understanding.objects",
    "consumer.understanding.needs",
    "consumer.understanding.paid",
    "consumer.understanding.people",
    "consumer.understanding.phrases",
    "consumer.understanding.promises",
    "consumer.understanding.questions",
    "consumer.understanding.reader",
    "consumer.understanding.readers",
    "consumer.understanding.reading",
    "consumer.understanding.recorded",
    "consumer.understanding.replies",
    "consumer.understanding.requests",
    "consumer.understanding.rules",
    "consumer.understanding.rulewords",
    "consumer.understanding.sequels",
    "consumer.understanding.standing_rules",
    "consumer.understanding.statements",
    "consumer.understanding.structured",
    "consumer.understanding.support",
    "consumer.understanding.terse",
    "consumer.understanding.text",
    "consumer.understanding.topics",
    "consumer.understanding.undertakings",
    "consumer.understanding.utterances",
    "consumer.understanding.values",
}
PARSERS = {"urllib.parse"}
IMPURE = {
    "os",
    "sys",
    "time",
    "random",
    "secrets",
    "socket",
    "subprocess",
    "logging",
    "threading",
    "asyncio",
    "tempfile",
    "shutil",
    "urllib",
    "http",
    "httpx",
    "google",
    "tenacity",
    "opentelemetry",
    "jwt",
    "psycopg",
    "sqlite3",
}
#: A table has one owner, and only its owner speaks SQL to it.
SQLITE = {
    "consumer.agent.hermes.sessions",
    "consumer.agent.hermes.state",
    "consumer.agent.localbrain.brain",
    "consumer.delivery.disk",
    "consumer.evidence.index.pending",
    "consumer.evidence.index.schema",
    "consumer.evidence.index.sightings",
    "consumer.evidence.index.store",
    "consumer.evidence.index.stored",
    "consumer.evidence.search.building",
    "consumer.evidence.search.schema",
    "consumer.evidence.search.searching",
    "consumer.evidence.search.terms",
    "consumer.evidence.search.vectors",
}


def modules() -> list[tuple[str, Path]]:
    tops = sorted({name.split(".")[0] for row in ROWS for name in row})
    return [
        (".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), p)
        for top in tops
        for p in sorted((ROOT / top).rglob("*.py"))
    ]


def within(module: str, packages: set[str] | tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(name + ".") for name in packages)


def place(module: str) -> tuple[int, str] | None:
    """The module's row and its package there."""
    hits = [(n, name) for n, row in enumerate(ROWS) for name in row if within(module, (name,))]
    return max(hits, key=lambda hit: len(hit[1]), default=None)


@cache
def imports(path: Path) -> frozenset[str]:
    seen: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            seen |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; write the full path so that the rule can be read"
            module = node.module or ""
            folder = ROOT.joinpath(*module.split("."))
            submodules = {
                f"{module}.{a.name}"
                for a in node.names
                if (folder / f"{a.name}.py").exists() or (folder / a.name / "__init__.py").exists()
            }
            seen |= submodules
            if len(submodules) < len(node.names):  # else the package only says where they are
                seen.add(module)
    return frozenset(seen)


MODULES = modules()
each_module = table(("module", "path"), MODULES)


@each_module
def test_imports_point_inwards(module: str, path: Path) -> None:
    if module == "consumer":
        assert not imports(path), "consumer only marks a package; put code in a room of it"
        return
    mine = place(module)
    assert mine, f"{module} is in no row: add it to ROWS"
    for target in sorted(imports(path)):
        assert target.split(".")[0] not in OUTER, f"{module} imports {target}: it knows the product, never the reverse"
        theirs = place(target)
        if theirs is None or target == module:
            continue
        if theirs[1] == mine[1]:
            apart = mine[1] in PEERS and mine[1] not in (module, target) and target not in SHARED
            assert not apart, f"{module} imports {target}: siblings do not know each other"
            continue
        assert theirs[0] < mine[0], f"{module} imports {target}, which does not stand above it"
        top, other = module.split(".", maxsplit=1)[0], target.split(".")[0]
        assert top == other or not {top, other} <= PROGRAMS, f"{module} imports {target}: another program"


@each_module
def test_the_reader_knows_only_how_snapshots_are_read(module: str, path: Path) -> None:
    if within(module, {"reader"}):
        known = {target for target in imports(path) if within(target, {"consumer", "controlplane", "publisher"})}
        assert not {target for target in known if not within(target, READER_MAY)}, f"{module} imports {sorted(known)}"


@each_module
def test_foreign_systems_are_known_by_their_ports(module: str, path: Path) -> None:
    if within(module, WIRES):
        return
    known = {target for target in imports(path) if within(target, WIRED)} - {module} - FORMATS
    assert not known, f"{module} imports {sorted(known)}: take the port, and let bootstrap give what is behind it"


@each_module
def test_what_decides_does_no_input_or_output(module: str, path: Path) -> None:
    if within(module, PURE):
        impure = {target for target in imports(path) - PARSERS if target.split(".")[0] in IMPURE}
        assert not impure, f"{module} is pure but imports {sorted(impure)}: pass the value in"


@each_module
def test_a_database_is_opened_by_the_owner_of_its_tables(module: str, path: Path) -> None:
    if module.split(".", maxsplit=1)[0] == "consumer" and "sqlite3" in imports(path):
        assert module in SQLITE, f"{module} opens a database; ask a method of the owner of its tables"


def test_the_table_names_what_there_is() -> None:
    names = {name for name, _ in MODULES}
    for name in [*(name for row in ROWS for name in row), *WIRED, *FORMATS, *PURE, *SQLITE]:
        assert any(within(module, (name,)) for module in names), f"{name} is in the table and not in the tree"
