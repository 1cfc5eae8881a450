"""Fixtures that every test may use, how generated tests run, and what one worker does alone."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadGroupScheduling

from local.machine import direct

# Tests talk to servers on this machine.
os.environ.update(direct(os.environ))

pytest_plugins = [
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
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
    database=None if os.environ.get("CI") else settings().database,
    print_blob=True,
)
settings.load_profile("project")

#: Files whose tests share something that takes a minute to make.
ONE_WORKER = ("tests/deploy/test_image.py",)


class ByFile(LoadGroupScheduling):
    """Any free worker takes the next test, but one worker all of a file of ``ONE_WORKER``.

    xdist's own groups (``xdist_group``) have no effect with pytest 9.2: they rename tests, which it ignores.
    """

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        return path if path in ONE_WORKER else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile | None:
    return ByFile(config, log) if config.getvalue("dist") == "loadgroup" else None
