"""The whole command line: quick help, an example at every verb, errors as one line of advice with an exit code."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from consumer.cli import main
from consumer.errors import BlobUnavailable, ControlPlaneUnavailable, LockBusy, RequestRefused, WorkspaceMismatch
from consumer.settings import SettingsError
from tests.spine import USER

#: What takes long to import and no help text needs. (typer itself brings pydantic.)
HEAVY = ("google", "psycopg", "mcp", "opentelemetry.sdk", "cryptography", "httpx", "starlette", "yaml")


def verbs() -> Iterator[tuple[str, Any]]:
    """(name, command) of every verb there is."""
    for name, command in typer.main.get_command(main.app).commands.items():  # type: ignore[attr-defined]
        if name not in main.GROUPS:
            yield name, command
            continue
        for verb, of_group in command.commands.items():
            yield f"{name} {verb}", of_group


VERBS = dict(verbs())


@pytest.mark.integration
@pytest.mark.parametrize(
    ("words", "groups"), [(["--help"], set()), (["job", "--help"], {"job"}), (["job", "show", "--help"], {"job"})]
)
def test_help_imports_nothing_heavy_and_no_other_group(words: list[str], groups: set[str]) -> None:
    names = (*HEAVY, *(f"consumer.cli.{group}" for group in main.GROUPS))
    script = (
        "import sys; from consumer.cli import main as ops\n"
        "try: ops.main()\n"
        f"finally: sys.stderr.write(' '.join(m for m in {names!r} if m in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *words], capture_output=True, text=True, timeout=60, check=True
    )
    assert set(done.stderr.split()) == {f"consumer.cli.{group}" for group in groups}
    assert "\x1b[" not in done.stdout, "colour belongs on a terminal"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_says_what_it_does_with_an_example(verb: str) -> None:
    text = VERBS[verb].help or ""
    assert "Example:" in text
    assert text.split("Example:")[0].strip()


@pytest.mark.parametrize(
    ("error", "code", "output"),
    [
        (SettingsError("cannot start, correct these variables:\n  X: not set"), 1, "X: not set"),
        (ControlPlaneUnavailable("GET /memory-jobs: ConnectError"), 4, ControlPlaneUnavailable.hint),
        (BlobUnavailable("read x"), 4, BlobUnavailable.hint),
        (WorkspaceMismatch("job 1"), 1, WorkspaceMismatch.hint),
        (LockBusy("lock.json: held by x"), 1, "try again when it has ended"),
        (RequestRefused("GET /memory-jobs/1: 404 job_not_found: no job 1", 404), 3, "no job 1"),
        (RequestRefused("POST /memory-users: 422 invalid_request: x", 422), 2, "invalid_request"),
        (RequestRefused("POST /memory-jobs: 409 user_disabled: x", 409), 1, "user_disabled"),
    ],
)
def test_errors_leave_as_advice(
    error: Exception, code: int, output: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def raising() -> None:
        raise error

    monkeypatch.setattr(main, "app", raising)
    with pytest.raises(SystemExit) as left:
        main.main()
    captured = capsys.readouterr()
    assert left.value.code == code
    assert captured.out == ""
    assert captured.err.startswith("cloop-memory: ")
    assert output in captured.err
    assert "Traceback" not in captured.err
    assert "('" not in captured.err, "a sentence, not a tuple"


@pytest.mark.parametrize(
    "words",
    [
        ("job", "cancel", USER),
        ("dlq", "replay", "m-1"),
        ("dlq", "discard", "m-1"),
        ("claim", "mark", USER, "1", "wrong"),
        ("flag", "set", "synthesis", "off", "--for", "all"),
        ("workspace", "restore", "--to", "1", "--user", USER),
        ("workspace", "repair", "--user", USER),
    ],
)
@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_a_reason_says_something(words: tuple[str, ...], reason: str) -> None:
    done = CliRunner().invoke(main.app, [*words, "--reason", reason])
    assert done.exit_code == 2, done.output
    assert "1 to 500 characters" in done.output


def test_an_embedded_stack_that_is_down_is_told_how_to_start(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def raising() -> None:
        raise ControlPlaneUnavailable("GET /memory-jobs: ConnectError")

    monkeypatch.setattr(main, "app", raising)
    monkeypatch.setattr(sys, "argv", ["cloop-memory", "--local", "job", "list"])
    with pytest.raises(SystemExit):
        main.main()
    assert "`make dev`" in capsys.readouterr().err


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def raising() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(main, "app", raising)
    with pytest.raises(ZeroDivisionError):
        main.main()
