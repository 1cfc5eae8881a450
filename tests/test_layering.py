"""
The import rule, enforced. ALLOWED is the architecture: change it only together with docs/architecture.md.

A module belongs to the longest prefix listed here. It may import the layers named and its own layer; PEERS may not
import each other, only their package (the registry) knows them all.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

_INNER = {"contract", "consumer.core", "consumer.ports", "consumer.retry"}
#: Whoever calls a foreign system also tells how long that took.
_TALKS = {*_INNER, "consumer.telemetry"}
ALLOWED: dict[str, set[str]] = {
    "contract": set(),
    "manifests": {"contract"},
    "templates": set(),
    "renderers.base": {"contract"},
    "renderers.markdown": set(),
    "renderers.grouping": {"contract", "renderers.base", "renderers.markdown"},
    "renderers.splitting": {"renderers.markdown"},
    "renderers.derived": {"contract", "renderers.markdown"},
    "renderers.entities": {"renderers.base", "renderers.derived", "renderers.markdown"},
    "renderers.sensitivity": {"contract"},
    "renderers.fields": {"contract", "renderers.base", "renderers.entities", "renderers.markdown"},
    "renderers.pages": {
        "contract",
        "renderers.base",
        "renderers.entities",
        "renderers.grouping",
        "renderers.markdown",
        "renderers.splitting",
    },
    "renderers.report": {"renderers.markdown"},
    "renderers.notes": {"renderers.markdown", "renderers.report"},
    "renderers.days": {"renderers.base", "renderers.derived", "renderers.entities", "renderers.markdown"},
    "renderers.concepts": {
        "contract",
        "renderers.derived",
        "renderers.entities",
        "renderers.markdown",
        "renderers.report",
    },
    "renderers": {
        "contract",
        "renderers.base",
        "renderers.days",
        "renderers.derived",
        "renderers.entities",
        "renderers.fields",
        "renderers.grouping",
        "renderers.markdown",
        "renderers.pages",
        "renderers.sensitivity",
    },
    # One trace crosses all processes, so they share what makes it; it imports nothing of ours.
    "publisher": {"contract", "manifests", "consumer.telemetry"},
    "controlplane": {"contract", "manifests", "consumer.telemetry"},
    "consumer.core": {"contract"},
    "consumer.ports": {"contract", "consumer.core"},
    "consumer.retry": {"consumer.core", "consumer.ports"},
    "consumer.telemetry": set(),
    "consumer.adapters": _TALKS,
    "consumer.adapters.netfence": set(),
    "consumer.adapters.namespaces": set(),
    # A program of its own, which knows nothing of the process that starts it.
    "consumer.adapters.supervisor": {"consumer.adapters.namespaces"},
    "consumer.adapters.sandbox": {"consumer.adapters.netfence"},
    "consumer.adapters.process": {*_TALKS, "consumer.adapters.netfence", "consumer.adapters.sandbox"},
    "consumer.adapters.gbrain": _INNER,
    "consumer.adapters.localbrain": _INNER,
    "consumer.adapters.hermes": _INNER,
    "consumer.adapters.recordindex": _INNER,
    "consumer.gateway": _TALKS,
    "consumer.stages.base": _INNER,
    "consumer.stages.checks": _INNER,
    "consumer.stages.pagefiles": _INNER,
    "consumer.stages.rawfiles": _INNER,
    "consumer.stages.rawlines": _INNER,
    "consumer.stages.streams": _INNER,
    "consumer.stages": {
        *_INNER,
        "consumer.stages.base",
        "consumer.stages.checks",
        "consumer.stages.pagefiles",
        "consumer.stages.rawfiles",
        "consumer.stages.rawlines",
        "consumer.stages.streams",
        "renderers",
        "renderers.base",
        "renderers.markdown",
    },
    "consumer.stages.evidence": {*_INNER, "consumer.stages.base"},
    "consumer.stages.report": {
        *_INNER,
        "consumer.stages.base",
        "consumer.stages.evidence",
        "renderers.concepts",
        "renderers.notes",
        "renderers.report",
    },
    "consumer.stages.synthesize": {*_INNER, "consumer.stages.base", "consumer.stages.evidence"},
    "consumer.engine": {*_INNER, "consumer.stages", "consumer.stages.base", "consumer.telemetry"},
    "consumer.settings": {"consumer.core", "contract", "manifests"},
    "consumer.bootstrap": {
        *_INNER,
        "manifests",
        "templates",
        "renderers",
        "consumer.adapters",
        "consumer.adapters.netfence",
        "consumer.adapters.process",
        "consumer.adapters.sandbox",
        "consumer.adapters.hermes",
        "consumer.adapters.gbrain",
        "consumer.adapters.localbrain",
        "consumer.adapters.recordindex",
        "consumer.engine",
        "consumer.gateway",
        "consumer.settings",
        "consumer.stages",
        "consumer.stages.base",
        "consumer.stages.evidence",
        "consumer.stages.report",
        "consumer.stages.synthesize",
        "consumer.telemetry",
    },
    # Looks at every part alone, as bootstrap wires them together.
    "consumer.doctor": {
        *_INNER,
        "manifests",
        "consumer.adapters",
        "consumer.adapters.netfence",
        "consumer.adapters.process",
        "consumer.adapters.sandbox",
        "consumer.adapters.gbrain",
        "consumer.adapters.hermes",
        "consumer.bootstrap",
        "consumer.settings",
    },
    "consumer.entrypoints": {
        *_INNER,
        "manifests",
        "consumer.bootstrap",
        "consumer.doctor",
        "consumer.engine",
        "consumer.settings",
        "consumer.telemetry",
    },
}
#: Package markers that hold no code.
EMPTY = {"consumer"}
#: May import anything, so nothing may import them.
OUTER = {"local", "tests", "bench"}
#: Layers whose modules must not know each other.
PEERS = {"renderers", "consumer.stages", "consumer.adapters"}
#: Layers that do no I/O: importing one of these there is a design error, not a style one.
PURE = {"contract", "renderers", "renderers.base", "renderers.markdown", "consumer.core"}
#: Of ``IMPURE`` packages, modules that only take text apart.
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


def modules() -> list[tuple[str, Path]]:
    tops = sorted({name.split(".")[0] for name in ALLOWED})
    return [
        (".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), p)
        for top in tops
        for p in sorted((ROOT / top).rglob("*.py"))
    ]


def layer(module: str) -> str | None:
    hits = [name for name in ALLOWED if module == name or module.startswith(name + ".")]
    return max(hits, key=len, default=None)


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; write the full path so that the rule can be read"
            module = node.module or ""
            folder = ROOT.joinpath(*module.split("."))
            submodules = {f"{module}.{a.name}" for a in node.names if (folder / f"{a.name}.py").exists()}
            found |= submodules
            if len(submodules) < len(node.names):  # else the package only says where they are
                found.add(module)
    return found


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda v: v if isinstance(v, str) else "")
def test_imports_point_inwards(module: str, path: Path) -> None:
    if module in EMPTY:
        assert not imports(path), f"{module} only marks a package; put code in a layer"
        return
    mine = layer(module)
    assert mine, f"{module} is in no layer: add it to ALLOWED"
    for target in sorted(imports(path)):
        top = target.split(".")[0]
        if mine in PURE and target not in PARSERS:
            assert top not in IMPURE, f"{module} is pure but imports {target}: pass the value in, or move to an adapter"
        assert top not in OUTER, f"{module} imports {target}: {top} knows the product, never the reverse"
        theirs = layer(target)
        if theirs is None or target == module:
            continue
        same = theirs == mine and (mine not in PEERS or mine in (module, target))
        allowed = ALLOWED[mine]
        assert same or theirs in allowed, f"{module} ({mine}) imports {target} ({theirs}); allowed: {sorted(allowed)}"
