"""The packages of this environment in another one, without downloading and unpacking them a second time.

``make setup`` lets pip install this environment by the same constraints, so that they can be had and fit together is
known. What an image holds is less: the packages that it declares, and what those need.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def install(requirements: Path, constraints: Path, site: Path) -> None:
    """As ``pip install --constraint ... --requirement ...`` into the folder ``site``, but for commands.

    Raises:
        AssertionError: a package is not of the version that somebody requires, or not the pinned one.
        PackageNotFoundError: a package is required that this environment does not have.
    """
    packages = closure(requirements.read_text().splitlines())
    pins = _pins(constraints)
    for name, package in packages.items():
        assert pins.get(name) == package.version, f"{name} {package.version} is installed, {pins.get(name)} is pinned"
        _link(package, site)


def closure(requirements: Iterable[str]) -> Mapping[str, Distribution]:
    """By name: what these need, and what that needs, with the extras that are asked for."""
    packages: dict[str, Distribution] = {}
    asked: set[tuple[str, str]] = set()
    waiting = [Requirement(line) for line in requirements if line.strip()]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        package = packages.setdefault(name, distribution(name))
        assert requirement.specifier.contains(package.version, prereleases=True), (str(requirement), package.version)
        for extra in {"", *requirement.extras}:
            if (name, extra) not in asked:
                asked.add((name, extra))
                waiting += _required(package, extra)
    return packages


def _required(package: Distribution, extra: str) -> list[Requirement]:
    several = [Requirement(line) for line in package.requires or ()]
    return [each for each in several if each.marker is None or each.marker.evaluate({"extra": extra})]


def _pins(constraints: Path) -> dict[str, str]:
    lines = (line.partition("#")[0].strip() for line in constraints.read_text().splitlines())
    pairs = (line.partition("==") for line in lines if line)
    return {canonicalize_name(name): version for name, _, version in pairs}


def _link(package: Distribution, site: Path) -> None:
    """Files by a second name where the file system can do that: nobody writes into them."""
    for file in package.files or ():
        source, target = Path(str(package.locate_file(file))), site / file
        if ".." in file.parts or not source.exists():  # a command; a compiled file that nobody needed yet
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)
