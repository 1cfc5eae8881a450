"""The GBrain adapter against a double of its command that behaves as the real one was measured."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import re
import shutil
import stat
import sys
import tarfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import zstandard
from mcp import Client, StdioServerParameters

import manifests
from consumer import layout
from consumer.agent import sandbox
from consumer.agent.gbrain import brain as gbrain
from consumer.agent.gbrain import cli, fence
from consumer.agent.gbrain.cli import last_json
from consumer.agent.gbrain.home import AUTO_CONF, Home, alive
from consumer.agent.process import ProcessTool, User
from consumer.agent.sandbox import Sandbox
from consumer.delivery.guard import RunGuard
from consumer.errors import BrainRefused, BudgetExceeded, CancelRequested, ToolFailed
from consumer.evidence import pagefiles, pages, search
from consumer.evidence.index import open_index
from consumer.ports import WAITS, DreamModel, Dreamt, Guard, IndexCounts, ModelAccess, Tool, ToolResult
from consumer.reports.evidence import PageCache
from consumer.stages.index import STATE, Index
from consumer.storage.memory import FakeClock
from service.clock import SystemClock
from tests import brains
from tests.fake_export import FakeExport, export_and_render, run_of
from tests.overlays import FakeOverlays
from tests.tables import table
from tests.unit.stages.test_ruled_reports import RULE, mail, rule

DOUBLE = Path(__file__).parent.parent.parent / "doubles" / "gbrain.py"
DOUBLE_CODE = compile(DOUBLE.read_text(), DOUBLE, "exec")
ACCESS = ModelAccess("http://127.0.0.1:1/v1", "token-of-this-job")


@dataclass
class InnerTool:
    """A Tool that runs the double's program in this process, for commands that end by themselves."""

    faults: Path
    contained = False

    def run(self, argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], guard: Guard, **_: Any) -> ToolResult:
        guard.check()
        out, err = io.StringIO(), io.StringIO()
        program: dict[str, Any] = {"__name__": "gbrain"}
        with (
            mock.patch.dict(os.environ, env, clear=True),
            contextlib.chdir(cwd),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            exec(DOUBLE_CODE, program)
            code = program["main"](list(argv[1:]), json.loads(self.faults.read_text()))
        return ToolResult(code, out.getvalue().encode(), err.getvalue().encode(), 0.0)


@dataclass
class Bench:
    """A run folder, the double, and its faults."""

    root: Path
    binary: Path
    faults: Path
    log: Path

    def fault(self, **faults: Any) -> None:
        self.faults.write_text(json.dumps({"log": str(self.log), **faults}))

    #: Where a test is about a command that hangs or is killed, the real tool runs it.
    inner: bool = True

    def brain(self, **changes: Any) -> gbrain.GBrain:
        tool: Tool = (
            InnerTool(self.faults) if self.inner else ProcessTool(SystemClock(), linger_s=0.2, grace_s=0.2, poll_s=0.02)
        )
        changes = {"tool": tool, "clock": SystemClock(), "path": os.environ["PATH"], **changes}
        return gbrain.GBrain(binary=str(self.binary), **changes)

    def calls(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def commands(self) -> list[str]:
        return [call["argv"][0] for call in self.calls()]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return new_bench(tmp_path)


def new_bench(tmp_path: Path) -> Bench:
    root, tools = tmp_path / "run", tmp_path / "tools"
    tools.mkdir()
    brains.write(root, brains.PAGES)
    bench = Bench(root, tools / "gbrain", tools / "faults.json", tools / "log.jsonl")
    # Only the server needs packages; without them the interpreter starts four times as fast.
    bench.binary.write_text(
        f'#!/bin/sh\n[ "$1" = serve ] || bare="-I -S"\nexec "{sys.executable}" $bare "{DOUBLE}" "{bench.faults}" "$@"\n'
    )
    bench.binary.chmod(bench.binary.stat().st_mode | stat.S_IXUSR)
    bench.fault()
    return bench


@pytest.fixture
def opened(bench: Bench) -> Bench:
    bench.brain().open(bench.root, brains.Free())
    return bench


def update(bench: Bench, changed: list[str] | None = None, deleted: list[str] | None = None, **more: Any) -> Any:
    wanted = sorted(brains.PAGES) if changed is None else changed
    return bench.brain().update(bench.root, wanted, deleted or [], brains.Free(), **more)


def test_open_makes_a_brain_once(bench: Bench) -> None:
    brain = bench.brain()
    brain.open(bench.root, brains.Free())
    brain.open(bench.root, brains.Free())
    assert bench.commands() == ["--version", "init", "sources"]
    home = Home(bench.root)
    assert AUTO_CONF in (home.database / "postgresql.auto.conf").read_text()
    assert (home.database / "source").is_file()


def test_every_process_starts_in_a_safe_folder_with_a_bare_environment(opened: Bench) -> None:
    update(opened, access=ACCESS)
    allowed = {"PATH", "HOME", "TMPDIR", "LANG", "GBRAIN_HOME", "GBRAIN_SOURCE", "GBRAIN_SKIP_STARTUP_HOOKS"}
    allowed |= {"GBRAIN_MODEL_DISCOVERY", "BUN_JSC_useOMGJIT", "PWD", "SHLVL", "_", "OLDPWD", "LC_CTYPE"}
    for call in opened.calls():
        assert call["cwd"] == "/"
        assert call["env"]["GBRAIN_SKIP_STARTUP_HOOKS"] == "1"
        keyed = {"OPENAI_API_KEY", "OPENAI_BASE_URL"} if call["argv"][0] in ("import", "embed") else set()
        ours = {name for name in call["env"] if not name.startswith("CLOOP_")}
        assert ours <= allowed | keyed, call["argv"]


def test_an_update_counts_imports_links_and_embeddings(opened: Bench) -> None:
    counts = update(opened, access=ACCESS)
    assert (counts.imported, counts.unchanged, counts.pages, counts.links, counts.embedded) == (4, 0, 4, 2, 4)
    again = update(opened, access=ACCESS)
    assert (again.imported, again.unchanged, again.embedded) == (0, 4, 0)
    assert not (Home(opened.root).scratch / "stage").exists()


def test_an_increment_asks_no_command_twice(opened: Bench) -> None:
    update(opened, access=ACCESS)
    brain = opened.brain()
    brain.version()
    for changed, deleted, wanted, held in (
        ([sorted(brains.PAGES)[0]], [], ["import", "extract", "call"], 4),
        ([], ["projects/atlas.md"], ["delete", "call"], 3),
        ([], [], [], 3),
    ):
        for path in changed:
            brains.write(opened.root, {path: f"# Changed\n\nNow of {path}.\n"})
        start = len(opened.calls())
        brain.open(opened.root, brains.Free())
        counts = brain.update(opened.root, changed, deleted, brains.Free(), ACCESS)
        assert opened.commands()[start:] == wanted
        assert (counts.imported, counts.pages, counts.notes) == (len(changed), held, ())


def test_whoever_may_have_written_to_a_brain_makes_the_next_run_count_its_pages(opened: Bench) -> None:
    update(opened, access=ACCESS)
    dreams = lambda brain: brain.dream(opened.root, sorted(brains.PAGES), DREAM_MODEL, brains.Free(), shown={})  # noqa: E731
    cases: list[tuple[Callable[[gbrain.GBrain], object], list[str]]] = [
        (lambda brain: brain.mcp(opened.root), ["call"]),
        (dreams, []),
        (lambda _: os.utime(opened.binary, (1, 1)), ["--version"]),
    ]
    brain = opened.brain()
    for writes, commands in cases:
        brain.open(opened.root, brains.Free())
        writes(brain)
        for expected in (commands, []):
            start = len(opened.calls())
            brain.open(opened.root, brains.Free())
            brain.update(opened.root, [], [], brains.Free(), ACCESS)
            assert opened.commands()[start:] == expected


@pytest.mark.parametrize("written", ["9.9.9", "0.46.99"])
def test_no_home_says_which_version_the_executable_is(opened: Bench, written: str) -> None:
    # An agent's tools may write the mark of their own user's home.
    mark = Home(opened.root).mark
    mark.write_text(json.dumps({**json.loads(mark.read_text()), "version": written}))
    other, brain = opened.root.with_name("other"), opened.brain()
    brains.write(other, brains.PAGES)
    brain.open(opened.root, brains.Free())
    brain.open(other, brains.Free())
    assert [json.loads(Home(root).mark.read_text())["version"] for root in (opened.root, other)] == ["0.46.28.0"] * 2
    opened.fault(version="0.47.0")
    opened.binary.write_text(opened.binary.read_text() + "\n")
    with pytest.raises(BrainRefused, match=r"0\.47\.0"):
        brain.open(opened.root, brains.Free())


def test_what_an_import_cannot_embed_is_imported_without_and_embedded_later(opened: Bench) -> None:
    update(opened, access=ACCESS)
    atlas, anna = "projects/atlas.md", "people/anna-kowal-9f.md"
    brains.write(opened.root, {path: f"# Changed\n\nNow of {path}.\n" for path in (atlas, anna)})
    opened.fault(not_embedded=[atlas])
    brain = opened.brain()
    brain.open(opened.root, brains.Free())
    start = len(opened.calls())
    counts = brain.update(opened.root, [anna, atlas], [], brains.Free(), ACCESS)
    assert opened.commands()[start:] == ["import", "import", "extract", "embed", "call"]
    assert (counts.imported, counts.unchanged, counts.pages, counts.notes) == (2, 0, 4, ())
    # An unavailable model leaves pages without embeddings; the next hour tries again, with or without news.
    opened.fault(fail="embed")
    brains.write(opened.root, {atlas: "# Atlas\n\nAgain.\n"})
    assert brain.update(opened.root, [atlas], [], brains.Free(), ACCESS).notes
    opened.fault()
    start = len(opened.calls())
    brain.open(opened.root, brains.Free())
    assert brain.update(opened.root, [], [], brains.Free(), ACCESS).embedded == 1
    assert opened.commands()[start:] == ["embed", "call"]


def test_gbrain_gets_lines_of_evidence_as_its_timeline_and_evidence_as_it_is(opened: Bench) -> None:
    line = "- 2026-11-27: [Kickoff](../sources/cloop/meeting-notes/k.md) (attendee)\n"
    note = "sources/cloop/meeting-notes/k.md"
    files = {
        "people/anna-kowal-9f.md": f"# Anna\n\n## Evidence\n\n{line}",
        note: f"# Kickoff\n\n{line}- 2026-11-27: no link\n",
    }
    brains.write(opened.root, files)
    update(opened, sorted(files))
    held = json.loads((Home(opened.root).database / "pages.json").read_text())
    assert (
        "\n- **2026-11-27** | [Kickoff](../sources/cloop/meeting-notes/k.md) (attendee)\n"
        in held["people/anna-kowal-9f"]["text"]
    )
    assert held[note.removesuffix(".md")]["text"] == files[note]
    assert (opened.root / layout.BRAIN / "people/anna-kowal-9f.md").read_text() == files["people/anna-kowal-9f.md"]
    # From the database, in which pages that are shown in part lack the rest.
    assert [call["argv"] for call in opened.calls() if call["argv"][0] == "extract"] == [
        ["extract", "--stale", "--json"]
    ]


def test_only_changed_files_are_staged(opened: Bench) -> None:
    update(opened)
    brains.write(opened.root, {"projects/atlas.md": "# Atlas\n\nNew.\n"})
    assert update(opened, ["projects/atlas.md"]).imported == 1


def test_deleted_pages_are_deleted_and_twice_is_nothing(opened: Bench) -> None:
    update(opened)
    assert update(opened, [], ["projects/atlas.md"]).pages == 3
    assert update(opened, [], ["projects/atlas.md"]).deleted == 0


def test_every_page_asked_for_is_accounted_for(opened: Bench) -> None:
    brains.write(opened.root, {"concepts/bad.md": "---\ntitle: [\n---\n", "concepts/README.md": "x"})
    opened.fault(drop=["projects/atlas.md"])
    counts = update(opened, [*brains.PAGES, "concepts/bad.md", "concepts/README.md", "concepts/absent.md"])
    assert counts.imported == 3
    assert counts.skipped == {
        "concepts/bad.md": "Invalid YAML frontmatter",
        "concepts/README.md": "a name that brains never import",
        "concepts/absent.md": "cannot be read: FileNotFoundError",
        "projects/atlas.md": "not in the brain after the import",
    }


def test_noise_around_the_json_is_tolerated(opened: Bench) -> None:
    opened.fault(noise=True)
    assert update(opened).imported == 4


@pytest.mark.parametrize("command", ["import", "extract", "call"])
def test_a_failing_command_fails_the_update_and_names_it(opened: Bench, command: str) -> None:
    opened.fault(fail=command)
    with pytest.raises(ToolFailed, match=f"gbrain {command} ended with code 1") as failed:
        update(opened)
    assert "something broke" not in str(failed.value)


@pytest.mark.parametrize(
    ("stderr", "named"),
    [
        (b"ENOSPC: no space left, write 'canary-anna-4711.md'", ["ENOSPC"]),
        (b"embedding: HTTP 429 for chunk 'canary anna 4711'", ["HTTP 429"]),
        (b'error: invalid input "canary anna 4711" (SQLSTATE 22P02)', ["SQLSTATE 22P02"]),
        (b"EANNA and EMEETING met; EACCES, then EACCES, ENOENT, EIO, EPERM", ["EPERM", "EIO", "ENOENT"]),
        (b"canary anna 4711", []),
        (b"\xff\xfe", []),
    ],
)
def test_of_a_tools_words_only_causes_of_closed_vocabularies_are_repeated(stderr: bytes, named: list[str]) -> None:
    result = ToolResult(1, b"", stderr, 0.1)
    message = str(cli.failed(["import", "canary.md"], result))
    assert cli.causes(stderr) == named
    assert all(cause in message for cause in named)
    assert not re.search("canary|anna|4711|MEETING", message, re.IGNORECASE)


def test_a_nul_byte_fails_the_import(opened: Bench) -> None:
    (opened.root / layout.BRAIN / "concepts").mkdir()
    (opened.root / layout.BRAIN / "concepts/nul.md").write_bytes(b"a\0b")
    with pytest.raises(ToolFailed, match="import ended with code 1"):
        update(opened, ["concepts/nul.md"])


def test_a_failed_embedding_is_a_note(opened: Bench) -> None:
    opened.fault(fail="embed")
    counts = update(opened, access=ACCESS)
    assert (counts.imported, counts.embedded) == (4, 0)
    assert "embed ended with code 1" in counts.notes[0]


@pytest.mark.integration
def test_embedding_is_bounded_in_time(opened: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gbrain, "EMBED_S", 0.3)
    monkeypatch.setattr(gbrain, "EMBEDDED_BY_IMPORT", 0)
    opened.inner = False
    opened.fault(hang="embed")
    counts = update(opened, access=ACCESS)
    assert counts.imported == 4
    assert counts.notes


DREAM_MODEL = DreamModel(ACCESS, "gpt-small", {"input": 0.25, "cached": 0.02, "output": 2.0})
NIGHT = {
    "enrich_thin": {"people/anna-kowal-9f": "# Anna Kowal\n\nLeads Atlas. [Source: sources/cloop/meeting-notes/x]"},
    "drift": {"reports/drift-2026-11-29": "# Drift\n\nNothing."},
}


def dream(bench: Bench, **more: Any) -> Dreamt:
    return bench.brain().dream(bench.root, sorted(brains.PAGES), DREAM_MODEL, brains.Free(), shown={}, **more)


def test_a_dream_runs_its_phases_and_leaves_the_pages_as_they_were(opened: Bench) -> None:
    update(opened)
    before = {
        slug: page["text"] for slug, page in json.loads((Home(opened.root).database / "pages.json").read_text()).items()
    }
    files = {path: path.read_bytes() for path in (opened.root / layout.BRAIN).rglob("*.md")}
    opened.fault(dreams=NIGHT)
    dreamt = dream(opened)

    phases = [call["argv"][2] for call in opened.calls() if call["argv"][0] == "dream"]
    assert phases == [phase.split()[0] for phase in (*gbrain.WRITING, *gbrain.UPKEEP)]
    assert not {"lint", "backlinks", "sync", "synthesize", "skillopt"} & set(phases)
    outcomes = {phase.name: (phase.outcome, dict(phase.counts)) for phase in dreamt.phases}
    assert outcomes["enrich_thin"] == ("done", {"pages_enriched": 1})
    assert outcomes["extract_atoms"] == ("skipped", {})
    # What was written is handed over, and the brain holds the given pages again, and no others.
    assert {page.slug: page.body for page in dreamt.pages} == {**NIGHT["enrich_thin"], **NIGHT["drift"]}
    after = json.loads((Home(opened.root).database / "pages.json").read_text())
    assert {slug: page["text"] for slug, page in after.items()} == before
    assert {path: path.read_bytes() for path in files} == files
    # Only a dream's phases may ask the model, through the gateway, by its price.
    asking = [call for call in opened.calls() if "LITELLM_API_KEY" in call["env"]]
    assert {call["argv"][0] for call in asking} == {"dream"}
    assert asking[0]["env"]["GBRAIN_MODEL"] == "litellm:gpt-small"
    assert asking[0]["env"]["LITELLM_BASE_URL"] == ACCESS.base_url
    settings = json.loads((Home(opened.root).database / "settings.json").read_text())
    assert json.loads(settings["pricing.overrides"]) == {"litellm:gpt-small": {"input": 0.25, "output": 2.0}}


def test_a_phase_that_fails_keeps_no_other_from_running(opened: Bench) -> None:
    update(opened)
    opened.fault(dreams=NIGHT, fail_phase="enrich_thin")
    dreamt = dream(opened)
    outcomes = {phase.name: phase.outcome for phase in dreamt.phases}
    assert outcomes.pop("enrich_thin") == "failed"
    assert "failed" not in outcomes.values()
    assert [page.slug for page in dreamt.pages] == ["reports/drift-2026-11-29"]


def test_a_brain_that_writes_without_end_is_not_taken_over(opened: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    update(opened)
    monkeypatch.setattr(gbrain, "DREAM_PAGES", 1)
    opened.fault(dreams=NIGHT)
    with pytest.raises(ToolFailed, match="wrote 2 pages in one night; 1 are allowed"):
        dream(opened)


def test_a_dream_without_time_left_runs_no_phase_and_restores_what_it_must(opened: Bench) -> None:
    class Late(brains.Free):
        def time_left(self) -> float:
            return gbrain.DREAM_REST_S

    update(opened)
    opened.log.unlink()
    dreamt = opened.brain().dream(opened.root, sorted(brains.PAGES), DREAM_MODEL, Late(), shown={})
    assert {phase.outcome for phase in dreamt.phases} == {"no time"}
    assert "dream" not in opened.commands()


@dataclass
class SpoiledTool(InnerTool):
    """One command ends as it is said here."""

    command: str
    result: ToolResult

    def run(self, argv: Sequence[str], **given: Any) -> ToolResult:
        return self.result if " ".join(argv[1:]).startswith(self.command) else super().run(argv, **given)


def answer(text: str, code: int = 0) -> ToolResult:
    return ToolResult(code, text.encode(), b"", 0.0)


@table(
    ("command", "result", "message"),
    [
        ("--version", answer("gbrain 0.46.28", 1), "--version ended with code 1"),
        ("--version", answer("hello"), "--version ended with code 0"),
        ("init", answer('{"status": "success", "path": "/elsewhere"}'), "init made no brain, or made it elsewhere"),
        ("init", answer("made"), "init: no JSON in 4 bytes of output"),
        ("sources add", answer("", 2), "sources ended with code 2"),
        ("import", answer("[]"), "import: its last line is not the summary"),
        ("import", answer('{"imported": 4, "skipped": 0}'), "import: its last line is not the summary"),
        ("call get_stats", answer("[]"), "get_stats: its answer lacks one of page_count"),
        ("call get_stats", answer('{"page_count": 4}'), "get_stats: its answer lacks one of page_count"),
        ("delete", answer("no room", 1), "delete ended with code 1"),
        ("call list_pages", answer('{"pages": []}'), "list_pages: its answer is not a list"),
    ],
)
def test_a_command_that_answers_otherwise_than_was_measured_fails_by_its_name(
    tmp_path_factory: pytest.TempPathFactory, command: str, result: ToolResult, message: str
) -> None:
    made = new_bench(tmp_path_factory.mktemp("spoiled"))
    if command not in ("--version", "init", "sources add"):
        made.brain().open(made.root, brains.Free())
    brain = made.brain(tool=SpoiledTool(made.faults, command, result))
    with pytest.raises(ToolFailed, match=f"gbrain {message}"):
        brain.open(made.root, brains.Free())
        brain.update(made.root, sorted(brains.PAGES), ["projects/atlas.md"], brains.Free())
        brain.dream(made.root, sorted(brains.PAGES), DREAM_MODEL, brains.Free(), shown={})


@pytest.mark.parametrize("words", ["Error [page_not_found]: atlas", "Page NOT FOUND: atlas"])
def test_a_page_that_is_not_there_is_deleted(opened: Bench, words: str) -> None:
    brain = opened.brain(tool=SpoiledTool(opened.faults, "delete", answer(words, 1)))
    assert brain.update(opened.root, [], ["projects/atlas.md"], brains.Free()).deleted == 0


def test_an_embedding_that_cannot_start_is_a_note(opened: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dead(InnerTool):
        def run(self, argv: Sequence[str], **given: Any) -> ToolResult:
            if argv[1] == "embed" or (argv[1] == "import" and "--no-embed" not in argv):
                raise ToolFailed("out of time")
            return super().run(argv, **given)

    counts = opened.brain(tool=Dead(opened.faults)).update(opened.root, sorted(brains.PAGES), [], brains.Free(), ACCESS)
    assert (counts.imported, counts.unchanged, counts.notes) == (4, 0, ("embedding: out of time",))


@dataclass
class NotedTool(InnerTool):
    noted: list[dict[str, Any]]

    def run(self, argv: Sequence[str], **given: Any) -> ToolResult:
        if argv[1] != "--version":
            self.noted.append({"argv": argv[1:], **given})
        return super().run(argv, **given)


@pytest.mark.parametrize(("few", "bulk"), [(4, []), (3, ["import", "extract", "embed"])])
def test_only_what_works_on_many_pages_takes_time_to_optimise_its_code(
    opened: Bench, few: int, bulk: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few: four pages are imported and embedded by one process."""
    monkeypatch.setattr(gbrain, "EMBEDDED_BY_IMPORT", few)
    tool = NotedTool(opened.faults, [])
    opened.brain(tool=tool).update(opened.root, sorted(brains.PAGES), [], brains.Free(), ACCESS)
    assert [call["argv"][0] for call in tool.noted if cli.SHORT_LIVED not in call["env"]] == bulk
    assert {call["output_bytes"] for call in tool.noted} == {cli.OUTPUT_BYTES}
    assert [call["argv"][0] for call in tool.noted if call["reach"]] == ([*bulk[2:], "import"][:1])


def test_an_agent_starts_the_server_behind_the_fence(opened: Bench, tmp_path: Path) -> None:
    update(opened)
    brain = opened.brain(evidence_model="minilm")
    command = brain.mcp(opened.root, tmp_path / "view")
    assert Home(opened.root).settled(brain.version()) is None, "an agent may write pages"
    assert (Home(opened.root).scratch / "tmp").is_dir()
    assert command.writes == (layout.GBRAIN_HOME,)
    assert command.args[-4:] == (str(opened.binary), "serve", "--surface", "starter")
    assert list(command.args[3:-4]) == [
        *("--pages", str(opened.root / layout.BRAIN)),
        *("--evidence", str(tmp_path / "view" / layout.SEARCH_INDEX)),
        *("--embedding-model", "minilm"),
    ]
    assert "--embedding-model" not in opened.brain().mcp(opened.root).args


def test_a_dream_asks_its_own_model_and_leaves_nothing_of_a_phase(opened: Bench) -> None:
    update(opened)
    dream(opened)
    home = Home(opened.root)
    assert json.loads(home.config.read_text())["chat_model"] == "litellm:gpt-small"
    assert not (home.scratch / "dream").exists()


def test_a_page_that_a_phase_deleted_comes_back_with_its_links(opened: Bench) -> None:
    update(opened)
    held = Home(opened.root).database / "pages.json"
    before = json.loads(held.read_text())

    class Deleting(InnerTool):
        def run(self, argv: Sequence[str], **given: Any) -> ToolResult:
            result = super().run(argv, **given)
            if argv[1:4] == ["dream", "--phase", gbrain.WRITING[0].split()[0]]:
                held.write_text(json.dumps({slug: page for slug, page in before.items() if "atlas" not in slug}))
            return result

    opened.brain(tool=Deleting(opened.faults)).dream(
        opened.root, sorted(brains.PAGES), DREAM_MODEL, brains.Free(), shown={}
    )
    after = json.loads(held.read_text())
    kept = ("text", "extracted", "links")
    assert {slug: [page[name] for name in kept] for slug, page in after.items()} == {
        slug: [page[name] for name in kept] for slug, page in before.items()
    }


@pytest.mark.parametrize(("error", "lives"), [(ProcessLookupError, False), (PermissionError, True)])
def test_a_process_of_another_user_lives(error: type[OSError], lives: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(_pid: int, _signal: int) -> None:
        raise error

    monkeypatch.setattr(os, "kill", kill)
    assert alive(7) is lives


def test_a_closed_brain_leaves_no_folder_of_its_processes(opened: Bench) -> None:
    home = Home(opened.root)
    assert home.scratch.is_dir()
    assert stat.S_IMODE((home.scratch / "home").stat().st_mode) == 0o700
    opened.brain().open(opened.root, brains.Free())
    opened.brain().close(opened.root, brains.Free())
    assert not home.scratch.exists()


@pytest.mark.integration
def test_a_cancelled_run_stops_a_hanging_command(opened: Bench) -> None:
    class Cancelled(brains.Free):
        asked = 0

        def check(self) -> None:
            self.asked += 1
            if self.asked > 3:
                raise CancelRequested("cancelled")

    opened.fault(hang="call")
    opened.inner = False
    with pytest.raises(CancelRequested):
        opened.brain().update(opened.root, [], [], Cancelled())


@pytest.mark.integration
def test_a_killed_import_is_repeated(opened: Bench) -> None:
    opened.inner = False
    opened.fault(die_in_import=1)
    with pytest.raises(ToolFailed):
        update(opened)
    opened.fault()
    opened.brain().open(opened.root, brains.Free())
    assert update(opened).pages == 4


@pytest.mark.integration
@pytest.mark.skipif(sandbox.unavailable() is not None, reason="NOT TESTED: this system gives no sandbox")
def test_in_a_sandbox_the_lock_of_a_killed_command_keeps_no_other_from_the_brain(opened: Bench) -> None:
    """Each command has the same process id in a namespace of its own, so the lock seems to be held by the next one."""
    opened.log = Path("/dev/null")
    contained = ProcessTool(SystemClock(), linger_s=0.2, grace_s=0.2, poll_s=0.02, sandbox=Sandbox())
    brain = gbrain.GBrain(contained, str(opened.binary), SystemClock(), path=os.environ["PATH"])
    opened.fault(die_in_import=1)
    with pytest.raises(ToolFailed):
        brain.update(opened.root, sorted(brains.PAGES), [], brains.Free())
    assert Home(opened.root).holder() is not None
    opened.fault()
    assert brain.update(opened.root, sorted(brains.PAGES), [], brains.Free()).pages == 4
    home = Home(opened.root)
    home.lock.mkdir()
    (home.lock / "lock").write_text(json.dumps({"pid": os.getpid()}))
    brain.mcp(opened.root)
    assert not home.lock.exists(), "the agent starts the server itself"
    home.lock.mkdir()
    (home.lock / "lock").write_text(json.dumps({"pid": os.getpid()}))
    brain.close(opened.root, brains.Free())
    assert not home.lock.exists()


@pytest.mark.parametrize("version", ["0.45.1", "0.47.0", "1.0.0"])
def test_an_unknown_version_is_refused(bench: Bench, version: str) -> None:
    bench.fault(version=version)
    with pytest.raises(BrainRefused, match=version):
        bench.brain().open(bench.root, brains.Free())


@pytest.mark.integration
def test_a_binary_that_is_not_there_is_a_failed_tool(bench: Bench) -> None:
    bench.binary.unlink()
    bench.inner = False
    with pytest.raises(ToolFailed):
        bench.brain().version()


@pytest.mark.parametrize("harm", ["no mark", "lost pages", "another database_path"])
def test_a_brain_that_is_not_the_one_we_closed_is_made_anew_and_filled(bench: Bench, harm: str) -> None:
    run = brains.run(bench.root)
    first = Index(bench.brain()).run(run, brains.Free())
    assert first.indexed is not None
    assert first.indexed.pages == 4
    home = Home(bench.root)
    if harm == "no mark":
        home.mark.unlink()
    elif harm == "lost pages":
        (home.database / "pages.json").write_text("{}")
        home.unsettle()
    else:
        home.config.write_text(json.dumps({"engine": "pglite", "database_path": "/elsewhere/brain.pglite"}))
    second = Index(bench.brain()).run(run, brains.Free())
    assert second.indexed is not None
    assert second.indexed.pages == 4
    assert bench.commands().count("init") == 2
    assert not Path("/elsewhere").exists()


def test_pages_that_were_lost_unseen_are_imported_again_by_the_next_change(bench: Bench) -> None:
    run = brains.run(bench.root)
    Index(bench.brain()).run(run, brains.Free())
    (Home(bench.root).database / "pages.json").write_text("{}")
    brains.write(bench.root, {"projects/atlas.md": "# Atlas\n\nNew.\n"})
    after = Index(bench.brain()).run(run, brains.Free())
    assert after.indexed is not None
    assert after.indexed.pages == 4


@dataclass
class SlowTool(InnerTool):
    """On a machine where each process takes three seconds, and ``page_s`` more for each page that it imports."""

    clock: FakeClock
    page_s: float

    def run(  # type: ignore[override]
        self, argv: Sequence[str], *, guard: Guard, timeout_s: float, **more: Any
    ) -> ToolResult:
        imported = len(list(Path(argv[2]).rglob("*.md"))) if argv[1] == "import" else 0
        needed_s = 3.0 + self.page_s * imported
        self.clock.advance(min(needed_s, timeout_s))
        guard.check()
        if needed_s > timeout_s:
            raise ToolFailed("out of time")
        return super().run(argv, guard=guard, **more)


def hour(bench: Bench, page_s: float, attempt: int = 1) -> tuple[IndexCounts, float]:
    """(counts of the index stage of an hourly digest, the seconds that are left to its other stages)."""
    clock = FakeClock()
    guard = RunGuard(clock, 480, threading.Event())
    run = replace(brains.run(bench.root), attempt=attempt)
    after = Index(bench.brain(tool=SlowTool(bench.faults, clock, page_s))).run(run, guard)
    assert after.indexed is not None
    return after.indexed, guard.time_left()


@pytest.fixture
def backlog(bench: Bench) -> Bench:
    """A memory of 600 pages, of which the brain has none."""
    shutil.rmtree(bench.root / layout.BRAIN)
    names = [f"{number:03}" for number in range(600)]
    brains.write(bench.root, {f"concepts/page-{name}.md": f"# Page {name}\n\nOf step {name}.\n" for name in names})
    return bench


@pytest.mark.properties
def test_a_backlog_that_no_hour_can_import_is_imported_over_several(backlog: Bench) -> None:
    first, left_s = hour(backlog, page_s=0.5)
    assert 400 < first.pages < 600
    assert set(first.skipped.values()) == {WAITS}
    assert (len(first.skipped), first.notes) == (
        600 - first.pages,
        (f"brain: {600 - first.pages} pages wait for the next run",),
    )
    assert left_s > 200
    second, left_s = hour(backlog, page_s=0.5)
    assert (second.imported, second.unchanged, second.pages) == (600 - first.pages, 0, 600)
    assert (dict(second.skipped), second.notes) == ({}, ())
    assert left_s > 300
    assert hour(backlog, page_s=0.5)[0].imported == 0


@pytest.mark.properties
def test_pages_that_wait_are_found_by_the_evidence_search_at_once(backlog: Bench) -> None:
    counts, _ = hour(backlog, page_s=0.5)
    page = sorted(counts.skipped)[-1]
    with search.EvidenceIndex(backlog.root / layout.SEARCH_INDEX) as index:
        assert page.removesuffix(".md") in [passage.page for passage in index.search(f"page {page[-6:-3]}")]


@pytest.mark.properties
def test_a_page_that_waits_and_then_goes_leaves_the_brain(backlog: Bench) -> None:
    hour(backlog, page_s=0.05)
    for path in (backlog.root / layout.BRAIN).rglob("*.md"):
        path.write_text(path.read_text() + "\nOf another day.\n")
    counts, _ = hour(backlog, page_s=0.5)
    gone = sorted(counts.skipped)[-1]
    (backlog.root / layout.BRAIN / gone).unlink()
    after, _ = hour(backlog, page_s=0.05)
    assert (after.imported, after.deleted, after.pages) == (len(counts.skipped) - 1, 1, 599)


@pytest.mark.properties
def test_a_dream_gives_the_brain_no_page_that_waits(backlog: Bench) -> None:
    counts, _ = hour(backlog, page_s=0.5)
    every = sorted(path.relative_to(backlog.root / layout.BRAIN).as_posix() for path in backlog.root.rglob("*.md"))
    backlog.fault(dreams={"enrich_thin": {pages.slug_of(every[0]): "# Overwritten"}})
    backlog.brain().dream(backlog.root, every, DREAM_MODEL, brains.Free(), shown={})
    held = json.loads((Home(backlog.root).database / "pages.json").read_text())
    assert len(held) == counts.pages
    assert "Overwritten" not in json.dumps(held)


@pytest.mark.properties
def test_at_its_usual_speed_a_brain_takes_a_backlog_in_one_hour(backlog: Bench) -> None:
    counts, left_s = hour(backlog, page_s=0.05)
    assert (counts.imported, counts.pages, dict(counts.skipped)) == (600, 600, {})
    assert left_s > 400


@pytest.mark.properties
def test_an_import_that_outlasts_the_job_begins_with_less_the_next_time(backlog: Bench) -> None:
    failed = 0
    for attempt in range(1, 6):
        # Each attempt hydrates the state of before.
        Home(backlog.root).forget()
        try:
            counts, left_s = hour(backlog, page_s=2.0, attempt=attempt)
            break
        except (ToolFailed, BudgetExceeded):
            failed += 1
    assert 0 < failed < manifests.limits()["max_failures"]
    assert 0 < counts.pages < 600
    assert left_s > 200
    assert hour(backlog, page_s=0.05)[0].pages == 600, "the next run goes on from there"


@pytest.mark.properties
def test_a_brain_that_would_delete_many_pages_is_made_anew(backlog: Bench) -> None:
    hour(backlog, page_s=0.05)
    for path in sorted((backlog.root / layout.BRAIN).rglob("*.md"))[:100]:
        path.unlink()
    backlog.log.unlink()
    counts, left_s = hour(backlog, page_s=0.05)
    assert (counts.imported, counts.pages) == (500, 500)
    assert "delete" not in backlog.commands()
    assert left_s > 400


def state_of(bench: Bench) -> dict[str, str]:
    state: dict[str, str] = json.loads((bench.root / STATE).read_text())["pages"]
    return state


@pytest.mark.properties
def test_pages_that_wait_for_a_brain_made_anew_are_given_by_the_next_run(backlog: Bench) -> None:
    hour(backlog, page_s=0.05)
    for path in sorted((backlog.root / layout.BRAIN).rglob("*.md"))[:100]:
        path.unlink()
    counts, _ = hour(backlog, page_s=0.6)
    assert set(counts.skipped.values()) == {WAITS}
    assert state_of(backlog).keys().isdisjoint(counts.skipped), "the brain has no version of them"
    after, _ = hour(backlog, page_s=0.05)
    assert (after.imported, after.unchanged, after.pages) == (len(counts.skipped), 0, 500)


@pytest.mark.properties
def test_pages_that_wait_for_a_brain_that_lost_its_pages_are_given_by_the_next_run(backlog: Bench) -> None:
    hour(backlog, page_s=0.05)
    Home(backlog.root).forget()
    counts, _ = hour(backlog, page_s=0.6)
    assert set(counts.skipped.values()) == {WAITS}
    after, _ = hour(backlog, page_s=0.05)
    assert (after.imported, after.unchanged, after.pages) == (len(counts.skipped), 0, 600)


@pytest.mark.properties
def test_a_large_brain_is_not_made_anew_where_deletions_take_less_time(backlog: Bench) -> None:
    names = [f"{number:04}" for number in range(2600)]
    shutil.rmtree(backlog.root / layout.BRAIN)
    brains.write(backlog.root, {f"concepts/page-{name}.md": f"# Page {name}\n\nOf step {name}.\n" for name in names})
    hour(backlog, page_s=0.01)
    for path in sorted((backlog.root / layout.BRAIN).rglob("*.md"))[:41]:
        path.unlink()
    counts, _ = hour(backlog, page_s=0.01)
    assert (counts.imported, counts.deleted, counts.pages) == (0, 41, 2559)


@pytest.mark.properties
def test_an_attempt_after_one_whose_deletions_took_too_long_makes_the_brain_anew(backlog: Bench) -> None:
    hour(backlog, page_s=0.05)
    for path in sorted((backlog.root / layout.BRAIN).rglob("*.md"))[:40]:
        path.unlink()
    backlog.log.unlink()
    counts, _ = hour(backlog, page_s=0.05, attempt=3)
    assert (counts.imported, counts.pages) == (560, 560)
    assert "delete" not in backlog.commands()


@pytest.mark.parametrize("earlier", [False, True], ids=["of this release", "with a source of files"])
def test_a_brain_moves_with_its_folder(bench: Bench, earlier: bool) -> None:
    Index(bench.brain()).run(brains.run(bench.root), brains.Free())
    if earlier:
        mark = Home(bench.root).mark
        mark.write_text(
            json.dumps({k: v for k, v in json.loads(mark.read_text()).items() if k in ("database", "version", "pages")})
        )
    old, moved = bench.root, bench.root.with_name("moved")
    old.rename(moved)
    page = moved / layout.BRAIN / "projects/atlas.md"
    page.write_text(page.read_text() + "\nNow with a second platform.\n")
    bench.log.unlink()
    after = Index(bench.brain()).run(brains.run(moved), brains.Free())
    assert after.indexed is not None
    assert (after.indexed.imported, after.indexed.pages) == (1, 4)
    assert "init" not in bench.commands()
    assert not old.exists(), "a brain that stayed behind would be made at the old path"
    settings = Home(moved).database / "settings.json"
    assert (json.loads(settings.read_text()) if earlier else None) == (
        {"sync.write_through": "false"} if earlier else None
    )
    # The second time there is nothing left to move or to set.
    bench.log.unlink()
    bench.brain().open(moved, brains.Free())
    assert bench.commands() == ["--version"], "nothing else where nothing changed"


def prepared(bench: Bench, tmp_path: Path) -> Path:
    template = tmp_path / "template.tar.zst"
    (tmp_path / "maker").mkdir()
    bench.brain().prepare(tmp_path / "maker", template)
    return template


def test_a_prepared_template_replaces_init(bench: Bench, tmp_path: Path) -> None:
    template = prepared(bench, tmp_path)
    other = tmp_path / "other"
    brains.write(other, brains.PAGES)
    brain = bench.brain(template=template)
    brain.open(other, brains.Free())
    assert brain.update(other, sorted(brains.PAGES), [], brains.Free()).pages == 4
    assert bench.commands().count("init") == 1
    assert json.loads(Home(other).config.read_text())["database_path"] == str(Home(other).database)
    tuned = (Home(other).database / "postgresql.auto.conf").read_text()
    assert tuned.count(AUTO_CONF) == 1


def test_a_brain_that_is_there_is_not_replaced_by_a_template(opened: Bench, tmp_path: Path) -> None:
    template = prepared(opened, tmp_path)
    held = opened.brain().update(opened.root, sorted(brains.PAGES), [], brains.Free()).pages
    again = opened.brain(template=template)
    again.open(opened.root, brains.Free())
    assert again.update(opened.root, [], [], brains.Free()).pages == held > 0


@pytest.mark.parametrize("other", [{"embedding_model": "another-model"}, {"embedding_dimensions": 256}, {}])
def test_a_template_of_another_gbrain_or_embedding_is_left_alone(
    bench: Bench, tmp_path: Path, other: dict[str, Any]
) -> None:
    template = prepared(bench, tmp_path)
    assert bench.brain().fits(template)
    if not other:
        bench.fault(version="0.46.29")
    brain = bench.brain(template=template, **other)
    assert not brain.fits(template)
    brain.open(bench.root, brains.Free())
    assert bench.commands().count("init") == 2, "one to prepare, one for the workspace"


def test_the_same_brain_packs_to_the_same_bytes_and_names_no_place(bench: Bench, tmp_path: Path) -> None:
    bench.brain().open(bench.root, brains.Free())
    lock = {"gbrain": "0.46.28"}
    Home(bench.root).pack(tmp_path / "one", lock)
    Home(bench.root).pack(tmp_path / "two", lock)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with (
        zstandard.ZstdDecompressor().stream_reader((tmp_path / "one").open("rb")) as plain,
        tarfile.open(fileobj=plain, mode="r|") as archive,
    ):
        names = [entry.name for entry in archive]
    assert names[0] == ".gbrain/template.json"
    assert not any("cloop-memory.json" in name or "lock" in name for name in names)


def test_a_hostile_template_is_refused(bench: Bench, tmp_path: Path) -> None:
    template = tmp_path / "template.tar.zst"
    template.write_bytes(b"no archive")
    with pytest.raises(ToolFailed, match=r"template\.tar\.zst"):
        bench.brain(template=template).open(bench.root, brains.Free())


@table(
    "name, kind, target",
    [
        ("/etc/planted", tarfile.REGTYPE, ""),
        (".gbrain/../../planted", tarfile.REGTYPE, ""), (".gbrain/a/../planted", tarfile.REGTYPE, ""),
        (".gbrain/planted", tarfile.SYMTYPE, "config.json"),
        (".gbrain/planted", tarfile.LNKTYPE, ".gbrain/config.json"),
        (".gbrain/planted", tarfile.FIFOTYPE, ""),
    ],
)  # fmt: skip
def test_a_template_with_an_entry_that_is_a_link_or_lies_outside_is_refused(
    tmp_path: Path, name: str, kind: bytes, target: str
) -> None:
    template = tmp_path / "template.tar.zst"
    with (
        template.open("wb") as packed,
        zstandard.ZstdCompressor().stream_writer(packed) as plain,
        tarfile.open(fileobj=plain, mode="w|") as archive,
    ):
        for each, its_kind in ((".gbrain", tarfile.DIRTYPE), (".gbrain/config.json", tarfile.REGTYPE), (name, kind)):
            entry = tarfile.TarInfo(each)
            entry.type, entry.linkname = its_kind, target if each == name else ""
            entry.mode = 0o755
            archive.addfile(entry)
    with pytest.raises(ToolFailed, match="cannot be unpacked: ExtractError"):
        Home(tmp_path / "brain").unpack(template)
    assert not list(tmp_path.rglob("planted"))


def test_what_the_dead_left_is_cleared_on_open(opened: Bench) -> None:
    home = Home(opened.root)
    home.lock.mkdir()
    (home.lock / "lock").write_text(json.dumps({"pid": os.getpid()}))
    (home.database / "postmaster.pid").write_text("1")
    opened.brain().open(opened.root, brains.Free())
    assert not home.lock.exists()
    assert not (home.database / "postmaster.pid").exists()


def test_close_waits_for_a_living_holder_and_removes_a_dead_ones_lock(opened: Bench) -> None:
    home = Home(opened.root)
    home.lock.mkdir()
    brain = opened.brain(clock=FakeClock())
    (home.lock / "lock").write_text(json.dumps({"pid": os.getpid()}))
    with pytest.raises(ToolFailed, match=f"process {os.getpid()} still holds"):
        brain.close(opened.root, brains.Free())
    (home.lock / "lock").write_text(json.dumps({"pid": 2**22 + 12345}))
    brain.close(opened.root, brains.Free())
    assert not home.lock.exists()
    assert not home.scratch.exists()


@pytest.mark.integration
@pytest.mark.parametrize(
    ("line", "passes"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n', True),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_page","arguments":{"slug":"x"}}}\n',
            True,
        ),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"put_page"}}\n', False),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}\n', False),
        (b'[{"method":"tools/call","params":{"name":"delete_page","arguments":{"slug":"people/x"}}}]\n', False),
        (b"not json\n", False),
        (b'"text"\n', False),
    ],
)
def test_the_fence_lets_through_what_it_understands(line: bytes, passes: bool) -> None:
    out = io.BytesIO()
    assert fence.relay(["cat"], io.BytesIO(line), out) == 0
    back = json.loads(out.getvalue())
    if passes:
        assert back == json.loads(line)
    else:
        assert back["result"]["isError"] is True


@pytest.mark.integration
def test_serve_is_found_by_a_client_behind_the_fence_and_never_starts_in_the_agents_folder(opened: Bench) -> None:
    update(opened)
    search.update(opened.root, pagefiles.digests(opened.root, brains.Free()), brains.Free())
    command = opened.brain().mcp(opened.root)
    env = {name: "x" if value.startswith("${") else value for name, value in command.env.items()}
    assert {name for name, value in command.env.items() if value.startswith("${")} == {
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
    }
    server = StdioServerParameters(command=command.command, args=list(command.args), env=env, cwd=str(opened.root))

    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("search", {"query": "borealis"}),
        ("put_page", {"slug": "sources/cloop/forged", "content": "forged borealis"}),
        ("put_page", {"slug": "concepts/../sources/cloop/forged", "content": "forged borealis"}),
        ("put_page", {"slug": "concepts/zebra", "content": "zebra"}),
        ("forget", {"slug": "concepts/zebra"}),
        ("search", {"query": "forged"}),
        ("search", {"query": "zebra"}),
        ("evidence_search", {"query": "Borealis billing"}),
    )

    async def run() -> list[Any]:
        async with Client(server) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} >= {
                "evidence_search",
                "search",
                "put_page",
            }
            parts: list[Any] = [(await client.call_tool(*call)).content[0] for call in calls]
            return [json.loads(part.text) for part in parts]

    hits, evidence, sly, derived, unknown, forged, zebra, passages = asyncio.run(asyncio.wait_for(run(), 60))
    assert [row["slug"] for row in hits] == [f"{brains.NOTES}/billing-review-3c4d"]
    assert [answer["error"] for answer in (evidence, sly, unknown)] == ["permission_denied"] * 3
    assert derived == {"status": "created"}
    assert (opened.root / layout.BRAIN / "concepts/zebra.md").read_text() == "zebra"
    assert not list((opened.root / layout.BRAIN).rglob("forged.md"))
    assert forged == []
    assert [row["slug"] for row in zebra] == ["concepts/zebra"]
    assert passages[0]["slug"] == f"{brains.NOTES}/billing-review-3c4d"
    opened.brain().close(opened.root, brains.Free())


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (b'noise\n{"a": 1}\n', {"a": 1}),
        (b'{"a": 1}\n{"b": 2}\nmore noise\n', {"b": 2}),
        (b'{"search_mode": "x"}\n{\n  "b": [\n    1\n  ]\n}\n', {"b": [1]}),
        (b"[1, 2]", [1, 2]),
        (b"{broken\n", None),
        (b"", None),
    ],
)
def test_the_last_json_is_found(output: bytes, expected: Mapping[str, Any] | None) -> None:
    assert last_json(output) == expected


SHELL_GBRAIN = """#!/bin/sh
echo "$HOME" > "$HOME/seen" && id -u > "$HOME/uid" && cp "$HOME/seen" "$HOME/uid" {copies} && echo "gbrain 0.46.28"
"""


@pytest.mark.integration
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can choose another user")
def test_asking_the_version_leaves_no_home_behind_whoever_asks(tmp_path: Path) -> None:
    for parent in list(tmp_path.parents)[:3]:
        parent.chmod(parent.stat().st_mode | 0o011)
    copies, binary = tmp_path / "copies", tmp_path / "gbrain"
    copies.mkdir()
    copies.chmod(0o777)
    tmp_path.chmod(0o755)
    binary.write_text(SHELL_GBRAIN.format(copies=copies))
    binary.chmod(0o755)
    tool = ProcessTool(SystemClock(), linger_s=0.2, grace_s=0.2, poll_s=0.02, user=User(65534, 65534))
    assert gbrain.GBrain(tool, str(binary), SystemClock()).version() == "0.46.28"
    assert (copies / "uid").read_text().strip() == "65534"
    assert not Path((copies / "seen").read_text().strip()).exists()


def test_every_command_may_write_its_home_and_nothing_else(bench: Bench) -> None:
    asked: list[Sequence[Path]] = []

    class Told(InnerTool):
        def run(self, argv: Sequence[str], **given: Any) -> ToolResult:
            if "--version" not in argv:
                asked.append(given["writable"])
            return super().run(argv, **given)

    brain = gbrain.GBrain(Told(bench.faults), str(bench.binary), SystemClock(), path=os.environ["PATH"])
    brain.open(bench.root, brains.Free())
    brain.update(bench.root, sorted(brains.PAGES), [], brains.Free())
    assert asked
    assert all(list(writable) == [bench.root / "gbrain-home"] for writable in asked)


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside", "a/../../outside", "link"])
def test_a_template_that_would_leave_its_folder_is_not_unpacked(tmp_path: Path, name: str) -> None:
    entry = tarfile.TarInfo(name)
    if name == "link":
        entry.type, entry.linkname = tarfile.SYMTYPE, "../outside"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.addfile(entry)
    template = tmp_path / "template.tar.zst"
    template.write_bytes(zstandard.compress(packed.getvalue()))
    with pytest.raises(ToolFailed, match="cannot be unpacked"):
        Home(tmp_path / "run").unpack(template)
    assert not list(tmp_path.rglob("outside"))


def test_a_lock_that_is_a_pipe_has_no_holder(tmp_path: Path) -> None:
    """An agent may leave one; nobody would ever fill it."""
    home = Home(tmp_path)
    home.lock.mkdir(parents=True)
    os.mkfifo(home.lock / "lock")
    assert home.holder() is None
    (home.lock / "lock").unlink()
    (home.lock / "lock").write_text('{"pid": 7}')
    assert home.holder() == 7


def test_a_brain_is_given_only_what_an_agent_may_see_and_a_new_rule_makes_it_anew(bench: Bench) -> None:
    server = FakeExport()
    server.put("inbound_messages", "held", mail(3, "Sofie Brandt", "I'll bring you the keys by Friday."))
    server.put("inbound_messages", "open", mail(4, "Ann Lee", "I'll send you the price deck by Friday."))
    shutil.rmtree(bench.root / layout.BRAIN)
    desk = PageCache(open_index, FakeOverlays(server))
    session = bench.root / layout.HERMES_HOME / "state.db"
    database = Home(bench.root).database / "pages.json"

    def index(number: int, profile: str = "user-memory-prod") -> str:
        run = run_of(bench.root, server, "backfill_digest", number, runtime_profile=profile)
        stage = Index(bench.brain(), desk=desk, profiles=manifests.profiles())
        stage.run(export_and_render(run), brains.Free())
        return database.read_text().lower()

    first = index(1)
    assert "the keys" in first
    session.parent.mkdir(exist_ok=True)
    session.write_text("a session with the keys")
    server.put("user_rules", "r", rule(5, RULE))
    second = index(2)
    assert "price deck" in second
    assert "the keys" not in second
    assert "sofie" not in second
    assert not session.exists()
    assert bench.commands().count("init") == 2
    # More that the rule holds changes nothing; it was never seen.
    server.put("inbound_messages", "more", mail(6, "Sofie Brandt", "The keys are with the neighbour."))
    assert "the keys" not in index(3)
    assert bench.commands().count("init") == 2
    # Without the rule everything is given again.
    server.delete("user_rules", "r", 7)
    assert "the keys" in index(4)
    # Where the rules hold for output alone, it may know everything; then it begins anew.
    server.put("user_rules", "r", rule(8, RULE))
    assert "the keys" in index(5, "internal-full")
    assert "the keys" not in index(6)
    assert bench.commands().count("init") == 3
