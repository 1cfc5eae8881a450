"""
Which functions of the product every test calls: ``REACHED=FOLDER pytest -p bench.reached`` adds a file a process.

A row is a test: its node id and the functions as ``path:first line``. Only calls in the process
of the test count. What a shared fixture calls counts for every test that uses it. What modules call while they are
imported is a row of its own.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import pytest

#: The product: what mutants change, and what is measured.
PACKAGES: Final = ("consumer", "contract", "controlplane", "publisher", "reader", "renderers", "service")
FOLDER: Final = "REACHED"
#: The "test" that calls what modules call while they are imported.
IMPORT: Final = "import"


class Reached:
    def __init__(self, root: Path, target: Path) -> None:
        self.prefixes = tuple(f"{root / package}{os.sep}" for package in PACKAGES)
        self.root, self.target = f"{root}{os.sep}", target
        #: By identity: the hash of a code object reads all of its constants.
        self.called: dict[int, CodeType] = {}
        self.of_fixtures: dict[pytest.FixtureDef[Any], dict[int, CodeType]] = {}
        self.caches: list[Any] = []

    def trace(self, frame: FrameType, _event: str, _arg: Any) -> None:
        code = frame.f_code
        if id(code) not in self.called:
            self.called[id(code)] = code

    def pytest_collection_finish(self) -> None:
        self.stop()
        self._write(IMPORT, self.called)
        # A cache would hide from all tests but one what the product calls.
        wrappers = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
        self.caches = [each for each in wrappers if (each.__module__ or "").split(".")[0] in PACKAGES]

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        if fixturedef.scope == "function":
            return (yield)
        outer, self.called = self.called, {}
        try:
            return (yield)
        finally:
            self.of_fixtures[fixturedef] = self.called
            self.called = outer

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.called = {}
        for cache in self.caches:
            cache.cache_clear()
        self.start()
        try:
            return (yield)
        finally:
            self.stop()
            self._write(item.nodeid, self.called | self._of_fixtures(item))

    def start(self) -> None:
        threading.settrace(self.trace)
        sys.settrace(self.trace)

    def stop(self) -> None:
        sys.settrace(None)
        threading.settrace(None)

    def _of_fixtures(self, item: pytest.Item) -> dict[int, CodeType]:
        known = item._fixtureinfo.name2fixturedefs if isinstance(item, pytest.Function) else {}
        codes: dict[int, CodeType] = {}
        for fixture in (each for fixtures in known.values() for each in fixtures):
            codes |= self.of_fixtures.get(fixture, {})
        return codes

    def _write(self, test: str, codes: dict[int, CodeType]) -> None:
        functions = {
            f"{code.co_filename.removeprefix(self.root)}:{code.co_firstlineno}"
            for code in codes.values()
            if code.co_filename.startswith(self.prefixes)
        }
        row = {"test": test, "functions": sorted(functions)}
        with self.target.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def pytest_configure(config: pytest.Config) -> None:
    folder = Path(os.environ[FOLDER])
    folder.mkdir(parents=True, exist_ok=True)
    plugin = Reached(config.rootpath, folder / f"{os.getpid()}.jsonl")
    config.pluginmanager.register(plugin)
    plugin.start()
