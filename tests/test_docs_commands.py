"""Every command in the documents is one that a test runs, or is marked as needing the cloud."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import typer

from consumer.cli import main
from tests.tables import table
from tests.unit.cli.test_ops import VERBS

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
TESTS = sorted((ROOT / "tests").rglob("*.py"))
#: Programs of the cloud's side: their lines stand below a heading or beside a comment that says so.
CLOUD = ("gcloud", "terraform", "docker", "supabase")
#: Other lines, by how they begin, and the test that runs what they say; none: the shell's own.
OTHERS = {
    "python -m controlplane.schema export": "tests/deploy/test_deploy_doc.py::test_the_migrations_export_as_it_says",
    ".venv/bin/pytest tests/deploy": "tests/deploy/test_image.py::test_nothing_is_installed_without_a_pin",
    "openssl rand -hex 32": "",
    "mkdir -m 0700 signing && openssl genpkey": (
        "tests/deploy/test_deploy_doc.py::test_a_signing_key_made_as_it_says_signs"
    ),
    "export ": "",
    "cd ": "",
    "cat > ": "",
    "IMAGE=": "",
    "git clone": "",
}
#: Targets that no test and no step of .ci/run calls, and why.
NOT_RUN_IN_CI = {
    "dev": "the stack until Ctrl-C; it is the stack of every end-to-end test",
    "demo": "tests/e2e has its jobs, duplicate and kill, with more said about each",
    "goldens": "rewrites what tests compare with",
    "clean": "deletes the environment that runs the tests",
    "migrations-export": "the same as controlplane.schema export",
    "soak": "the long version of tests that run",
    "mutants": "tests the tests, for half an hour",
    "unit": "a part of make test",
    "properties": "a part of make test",
    "eval-reader": "tests/integration/test_eval_reader.py runs it",
    "cost": "measured by hand; tests/test_cost.py has its arithmetic, tests/test_docs.py its tables",
}
#: Verbs of the command line that only ever run as a process of their own.
PROCESSES = {
    "demo": NOT_RUN_IN_CI["demo"],
    "dev": NOT_RUN_IN_CI["dev"],
    "consumer": "tests/integration/test_push_process.py",
    "publisher": "tests/integration/test_publisher.py",
    "controlplane": "tests/integration/test_controlplane_process.py",
    "reader": "tests/e2e/test_reader.py",
    "console": "tests/e2e/test_console.py",
}


@dataclass(frozen=True)
class Command:
    """A line of a block; ``cloud``: it, or the heading above it, says that it needs the cloud."""

    document: str
    line: str
    cloud: bool

    def __str__(self) -> str:
        return f"{self.document}: {self.line[:60]}"


def commands() -> Iterator[Command]:
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        heading, fenced, going_on = "", "", False
        for line in text.splitlines():
            if line.startswith("```"):
                fenced, going_on = "" if fenced else (line[3:] or "sh"), False
            elif line.startswith("#") and not fenced:
                heading = line
            elif fenced == "sh" and not going_on and (command := _command(line)):
                name = path.relative_to(ROOT).as_posix()
                yield Command(name, command, "(cloud" in heading + line)
            going_on = bool(fenced) and line.endswith("\\")


def _command(line: str) -> str:
    """What is typed on a line; "" for what is answered."""
    if line.startswith("$ "):
        return line[2:]
    plain = line.split("  #", maxsplit=1)[0].strip()
    first = plain.split(" ")[0]
    starts = (*CLOUD, "make", "cloop-memory", ".venv/bin/cloop-memory", ".ci/run")
    return plain if first in starts or plain.startswith(tuple(OTHERS)) else ""


COMMANDS = list(commands())


@cache
def _sources() -> dict[str, str]:
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in TESTS}


def test_the_documents_have_commands() -> None:
    assert len(COMMANDS) > 100
    assert {name for name in CLOUD if any(c.line.startswith(name) for c in COMMANDS)} == set(CLOUD)


@table("command", COMMANDS, ids=str)
def test_a_command_is_run_by_a_test_or_marked_as_the_clouds(command: Command) -> None:
    words = command.line.split(" ")
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]) and len(words) > 1:
        words = words[1:]
    line, first = " ".join(words), words[0].removeprefix(".venv/bin/")
    if first in CLOUD or "| gcloud" in line:
        assert command.cloud, "say *(cloud)* in its heading, or # (cloud) beside it"
    elif first == "make":
        _is_run_by_ci(words[1:])
    elif first == "cloop-memory":
        _is_a_verb_that_tests_run(line)
    elif first != ".ci/run":
        _is_known(line)


def _is_run_by_ci(words: list[str]) -> None:
    run, makefile = (ROOT / ".ci" / "run").read_text(), (ROOT / "Makefile").read_text()
    # `ARGS="--base-url ..."` goes to the program and may be of several words.
    for target in (word for word in words if re.fullmatch("[a-z0-9][a-z0-9-]*", word)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"no target {target}"
        known = target.startswith("bench") or target in NOT_RUN_IN_CI
        assert known or re.search(rf"^\s*make .*\b{target}\b", run, re.MULTILINE), f"CI does not run {target}"


def _is_a_verb_that_tests_run(line: str) -> None:
    # A shell's redirections and comments are not the verb's.
    typed = re.split(r"\s(?:[|>#]|2>)", line)[0]
    words = [word for word in shlex.split(typed)[1:] if word != "--local"]
    if words == ["--help"] or words[:1] == ["--install-completion"]:
        return
    verb = " ".join(words[:2]) if " ".join(words[:2]) in VERBS else words[0]
    assert verb in VERBS, f"no verb {verb}"
    options = {word.split("=")[0] for word in words if word.startswith("--")}
    assert options <= _options(verb), f"{verb} has no {options - _options(verb)}"
    assert verb in PROCESSES or _runs(verb), f"no test runs {verb}"


def _options(verb: str) -> set[str]:
    command = typer.main.get_command(main.app)
    for word in verb.split():
        command = command.commands[word]  # type: ignore[attr-defined]
    return {flag for param in command.params for flag in (*param.opts, *param.secondary_opts)} | {"--help"}


def _runs(verb: str) -> bool:
    """A test says its words: all of them, or the last to an app that is its group."""
    group, _, last = verb.rpartition(" ")
    whole = re.compile(r",\s*".join(f'"{word}"' for word in verb.split()))
    return any(
        whole.search(text) or (group and f"cli_{group}" in name + text and f'"{last}"' in text)
        for name, text in _sources().items()
        if name != "tests/test_docs_commands.py"
    )


def _is_known(line: str) -> None:
    [test] = {test for start, test in OTHERS.items() if line.startswith(start)}
    path, _, name = test.partition("::")
    assert not test or f"def {name}(" in (ROOT / path).read_text()


@pytest.mark.parametrize(
    "where", [value for value in PROCESSES.values() if value.startswith("tests/") and " " not in value]
)
def test_what_runs_the_processes_is_there(where: str) -> None:
    assert (ROOT / where).exists()
