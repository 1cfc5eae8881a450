"""Fixtures that every test may use, how generated tests run, and what one worker does alone."""

from __future__ import annotations

import gc
import os
import re
import socket
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadGroupScheduling

from local.machine import direct
from tests.cases import cases

# What is imported and collected lives as long as the process. Looking through these millions of objects for garbage
# again and again took a quarter of the collection's time, and a part of every test that makes many objects.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
    # By itself, Python looks for garbage after every 700 objects.
    gc.set_threshold(10_000, 20, 20)


# Tests talk to servers on this machine.
os.environ.update(direct(os.environ))

pytest_plugins = [
    "tests.ending",
    "tests.fixtures_postgres",
    "tests.fixtures_controlplane",
    "tests.fixtures_pages",
    "tests.fixtures_telemetry",
]

#: A busy machine is no finding. In CI the examples follow from the test alone, so that nobody's change is refused for
#: an example that came up by chance; everywhere else they are new ones at each run.
settings.register_profile(
    "project",
    deadline=None,
    max_examples=cases(100),
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
    database=None if os.environ.get("CI") else settings().database,
    print_blob=True,
)
settings.load_profile("project")

#: Files whose tests share something that takes seconds to make: an image, the syntax trees of all modules, ten days of
#: the sample user. Each worker would make it again.
ONE_WORKER = {
    "tests/deploy/test_image.py",
    "tests/integration/test_gateway_attacks.py",
    "tests/test_layering.py",
    "tests/test_names.py",
    "tests/unit/delivery/test_whole_run.py",
    "tests/unit/erasure/test_purge_drop_unreadable.py",
    "tests/unit/local/test_seed_story.py",
    "tests/unit/reports/test_question_set.py",
    "tests/unit/reports/test_told_days.py",
}
#: End-to-end tests that share a running system and the memory of its main user, so neither is made twice.
ONE_SYSTEM = {
    f"tests/e2e/test_{name}.py" for name in ("account", "console", "main_job", "operators", "reader", "survival")
}


class ByFile(LoadGroupScheduling):
    """Any free worker takes the next test, but one worker all of a file of ``ONE_WORKER`` or of the end-to-end tests,
    and all files of ``ONE_SYSTEM``.

    xdist's own groups (``xdist_group``) have no effect with pytest 9.2: they rename tests, which it ignores.
    """

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        if path in ONE_SYSTEM:
            return "one system"
        return path if path in ONE_WORKER or path.startswith("tests/e2e/") else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile | None:
    return ByFile(config, log) if config.getvalue("dist") == "loadgroup" else None


# --- kinds of tests: what `make unit` and `make properties` select

#: What no test of `make unit` does, in whatever run: whoever starts a process or a server says so by
#: ``pytest.mark.integration``.
_STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "socket.bind"}
UNIT = Path(__file__).parent / "unit"
_plain_unit_test = False


#: What makes workspaces on disk: whoever imports one of these modules, or anything of one but a constant. There, a test
#: costs a hundred times as much as one of rules alone.
WORKSPACES = (
    "brains",
    "erasing",
    "fake_export",
    "lives",
    "replay",
    "stories",
    "unit.console.consoles",
    "unit.reader.worlds",
    "unit.repository.workspaces",
)
_IMPORTS_WORKSPACES = re.compile(
    rf"^from tests\.({'|'.join(map(re.escape, WORKSPACES))}) import (\(|.*\b(?!as\b)[A-Za-z]*[a-z])"
    rf"|^from tests import .*\b({'|'.join(WORKSPACES)})\b",
    re.MULTILINE,
)
_MODULE_MARKS = re.compile(r"^pytestmark = (\[[^\]]*\]|.*)", re.MULTILINE)
_EXCLUSIONS = re.compile(r"not \w+( and not \w+)*")


@cache
def _kinds(path: Path) -> frozenset[str]:
    """Marks that all tests of a file have, as its text says."""
    text = path.read_text()
    marks = _MODULE_MARKS.search(text)
    kinds = set(re.findall(r"\bmark\.(\w+)", marks[1])) if marks else set()
    return frozenset(kinds | ({"workspaces"} if _IMPORTS_WORKSPACES.search(text) else set()))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file none of whose tests would be selected is not imported: that would take longer than `make unit` itself."""
    if UNIT in collection_path.parents and re.fullmatch(r"test_\w+\.py", collection_path.name):
        expression = config.getoption("markexpr")
        excluded = re.findall(r"not (\w+)", expression) if _EXCLUSIONS.fullmatch(expression) else ()
        return True if _kinds(collection_path).intersection(excluded) else None
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.properties)
        if "workspaces" in _kinds(item.path):
            item.add_marker(pytest.mark.workspaces)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    global _plain_unit_test  # noqa: PLW0603 (an audit hook sees nothing but its module)
    _plain_unit_test = UNIT in item.path.parents and not {"integration", "properties"}.intersection(
        marker.name for marker in item.iter_markers()
    )
    try:
        return (yield)
    finally:
        _plain_unit_test = False


def _refuse_processes(event: str, arguments: tuple[Any, ...]) -> None:
    if not (_plain_unit_test and event in _STARTS):
        return
    if event != "socket.bind" or arguments[0].family in (socket.AF_INET, socket.AF_INET6):
        raise RuntimeError(f"a unit test caused {event}: mark it pytest.mark.integration, so that `make unit` skips it")


sys.addaudithook(_refuse_processes)
