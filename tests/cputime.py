"""
What tests cost: ``pytest -p tests.cputime`` ends with the processor seconds of the run, its costliest tests and files.

User and system time of this process and of the children that it waited for, because wall time says more about a busy
machine than about a test. Only for runs without ``-n``: a worker's time is not the time of the process that reports.
"""

from __future__ import annotations

import resource
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

#: Tests, files and fixtures that are shown.
SHOWN = 15


class CpuTime:
    """Seconds of every test, its fixtures included. A shared fixture counts for the test that asked first."""

    def __init__(self) -> None:
        self.tests: dict[str, float] = {}
        self.fixtures: defaultdict[str, float] = defaultdict(float)
        self.collection = 0.0
        #: With every row of the tables (tests/tables.py).
        self.cases = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Iterator[None]:
        before = spent_s()
        result = yield
        self.collection = spent_s() - before
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        before = spent_s()
        result = yield
        self.fixtures[f"{fixturedef.argname} ({fixturedef.scope})"] += spent_s() - before
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        before = spent_s()
        result = yield
        self.tests[item.nodeid] = spent_s() - before
        self.cases += getattr(getattr(item, "obj", None), "rows", 1)
        return result

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        files: defaultdict[str, float] = defaultdict(float)
        count: Counter[str] = Counter()
        for nodeid, seconds in self.tests.items():
            files[nodeid.partition("::")[0]] += seconds
            count[nodeid.partition("::")[0]] += 1
        write = terminalreporter.write_line
        terminalreporter.section("processor seconds")
        for nodeid, seconds in dearest(self.tests):
            write(f"{seconds:7.2f}  {nodeid}")
        write("")
        for path, seconds in dearest(files):
            write(f"{seconds:7.2f}  {path}: {count[path]} tests")
        write("")
        for fixture, seconds in dearest(self.fixtures)[: SHOWN // 3]:
            write(f"{seconds:7.2f}  fixture {fixture}")
        write("")
        write(f"{self.collection:7.2f}  collection, with the imports of the tests")
        write(f"{sum(self.tests.values()):7.2f}  {len(self.tests)} tests of {self.cases} cases")
        write(f"{spent_s():7.2f}  in all, with the start of pytest")


def dearest(seconds: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda row: -row[1])[:SHOWN]


def spent_s() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(CpuTime())
