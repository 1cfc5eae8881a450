"""
What tests cost: ``pytest -p tests.cputime`` ends with the processor seconds of the run and its costliest tests.

User and system time of this process and of the children that it waited for, because wall time says more about a busy
machine than about a test. Only for runs without ``-n``: a worker's time is not the time of the process that reports.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

#: Tests that are shown.
SHOWN = 15


class CpuTime:
    """Seconds a test, its fixtures included; a fixture of a module counts for the test that asked first."""

    def __init__(self) -> None:
        self.of: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        before = spent_s()
        result = yield
        self.of[item.nodeid] = spent_s() - before
        return result

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("processor seconds")
        for nodeid, seconds in sorted(self.of.items(), key=lambda row: -row[1])[:SHOWN]:
            terminalreporter.write_line(f"{seconds:7.2f}  {nodeid}")
        terminalreporter.write_line(f"{sum(self.of.values()):7.2f}  {len(self.of)} tests")
        terminalreporter.write_line(f"{spent_s():7.2f}  in all, with imports and collection")


def spent_s() -> float:
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(CpuTime())
