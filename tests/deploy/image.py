"""The Dockerfile as stages, and a way to run the steps of one without a container: paths moved below a folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import dockerfile

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Step:
    """One instruction: ``words`` as the parser splits them."""

    name: str
    words: tuple[str, ...]
    flags: tuple[str, ...]
    line: int

    @property
    def source_stage(self) -> str | None:
        """Of a COPY: the stage it takes from; None: the build context."""
        return next((flag.removeprefix("--from=") for flag in self.flags if flag.startswith("--from=")), None)


@dataclass
class Stage:
    name: str
    base: str
    steps: list[Step] = field(default_factory=list)

    def all(self, name: str) -> Iterator[Step]:
        return (step for step in self.steps if step.name == name)


@cache
def stages() -> Mapping[str, Stage]:
    """By name, in the file's order."""
    stages: dict[str, Stage] = {}
    for command in dockerfile.parse_file(str(ROOT / "Dockerfile")):
        if command.cmd == "FROM":
            base, _, name = command.value
            current = stages[name] = Stage(name, base)
        else:
            current.steps.append(Step(command.cmd, command.value, command.flags, command.start_line))
    return stages


def chain(name: str) -> list[Stage]:
    """The stage and those it is made from, the lowest first."""
    stage = stages()[name]
    return [*chain(stage.base), stage] if stage.base in stages() else [stage]


def environment(name: str) -> dict[str, str]:
    """What ENV of a stage and of those below it says."""
    values: dict[str, str] = {}
    for stage in chain(name):
        for step in stage.all("ENV"):
            values |= dict(zip(step.words[::2], step.words[1::2], strict=True))
    return values


def last(name: str, instruction: str) -> tuple[str, ...]:
    """The words of the last such instruction that holds for a stage."""
    return [step.words for stage in chain(name) for step in stage.all(instruction)][-1]


@dataclass
class Replay:
    """Runs stages of Python steps under ``root``: /opt and each stage's own files lie there.

    ``env``: the machine's variables (registry, certificates); what a stage sets comes on top. ``instead``: commands as
    they are written, and what to do in their place with the stage's folder.
    """

    root: Path
    env: Mapping[str, str]
    instead: Mapping[str, Callable[[Path], None]] = field(default_factory=dict)

    def run(self, name: str, skip: Collection[str] = ()) -> None:
        """Every step in order but those skipped. Fails with the step's line and output."""
        self._env = {**self.env, "HOME": str(self.root / "home"), "PATH": f"{self._python()}:{os.defpath}"}
        self._folder = self.root / name
        for step in (step for step in stages()[name].steps if step.name not in skip):
            match step.name:
                case "WORKDIR":
                    self._folder = self._file(name, step.words[0])
                    self._folder.mkdir(parents=True, exist_ok=True)
                case "COPY":
                    self._copy(step)
                case "ARG":
                    key, _, value = step.words[0].partition("=")
                    self._env[key] = value
                case "RUN":
                    self._run(step)
                case _:
                    raise AssertionError(f"line {step.line}: {step.name} cannot be replayed")

    def _file(self, stage: str, path: str) -> Path:
        return self.root / stage / path.lstrip("/")

    def _copy(self, step: Step) -> None:
        *sources, target = step.words
        for source in sources:
            origin = self._file(step.source_stage, source) if step.source_stage else ROOT / source
            destination = self._folder / target
            if origin.is_dir():
                skipped = shutil.ignore_patterns("__pycache__")
                shutil.copytree(origin, destination, dirs_exist_ok=True, ignore=skipped)
            else:
                destination = destination / origin.name if target.endswith("/") else destination
                destination.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(origin, destination)

    def _run(self, step: Step) -> None:
        """The step's commands: all in one shell, or one by one where one of them is replaced."""
        several = [" ".join(command.split()) for command in step.words[0].split(" && ")]
        if not self.instead.keys() & set(several):
            self._shell(step, step.words[0])
            return
        for command in several:
            if command in self.instead:
                self.instead[command](self._folder)
            else:
                self._shell(step, command)

    def _shell(self, step: Step, written: str) -> None:
        command = written.replace("/opt/", f"{self.root}/opt/")
        done = subprocess.run(
            ["/bin/sh", "-ec", command], cwd=self._folder, env=self._env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"line {step.line}: {command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"

    def _python(self) -> Path:
        """The interpreter of the base image: a fresh environment of this one's version."""
        folder = self.root / "python"
        if not folder.exists():
            subprocess.run([_system_python(), "-m", "venv", folder], check=True)
        return folder / "bin"


def _system_python() -> str:
    return str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")
