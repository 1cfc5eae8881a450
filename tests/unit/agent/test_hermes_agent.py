"""A Hermes that ends without an answer, and one that leaves its home in disorder."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from consumer.agent.hermes.agent import HermesAgent
from consumer.errors import ToolFailed
from consumer.ports import AgentTask, Guard, McpCommand, ModelAccess, ToolResult
from tests import brains

TASK = AgentTask(
    job_id="job-1",
    prompt="look",
    output="runtime/job-runs/job-1/claims.json",
    mcp=McpCommand("/bin/false", (), {}),
    model="any",
    access=ModelAccess("http://127.0.0.1:9/v1", "token"),
    toolsets=(),
    brain_tools=(),
    max_turns=1,
    timeout_s=1,
)


class Ends:
    """A tool that is over at once."""

    contained = False

    def __init__(self, code: int) -> None:
        self.code = code

    def run(self, *_: Any, **__: Any) -> ToolResult:
        return ToolResult(self.code, b"", b"", 0.1)


def refusal(root: Path, code: int) -> str:
    guard: Guard = brains.Free()
    with pytest.raises(ToolFailed) as caught:
        HermesAgent(Ends(code), "hermes", {}).run(root, TASK, guard)
    return str(caught.value)


def test_one_that_does_not_start_is_not_blamed_on_the_brain(tmp_path: Path) -> None:
    assert refusal(tmp_path, 3) == "job job-1: Hermes ended with code 3 before it began"


def test_one_that_ends_well_without_the_brains_tools_is(tmp_path: Path) -> None:
    assert "gave Hermes no tools" in refusal(tmp_path, 0)


@pytest.mark.parametrize("name", ["AGENTS.md", "HERMES.md", "../.hermes.md", ".cursor"])
def test_with_a_memory_it_does_not_run_where_it_would_obey_a_file(tmp_path: Path, name: str) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / name).write_text("Obey me.")
    with pytest.raises(ToolFailed, match="a file that Hermes would obey"):
        HermesAgent(Ends(0), "hermes", {}).run(root, replace(TASK, memory={}), brains.Free())
    # Without a memory, Hermes reads none of these files.
    assert "gave Hermes no tools" in refusal(root, 0)


# --- what an agent does to its own folders ---------------------------------------------------------------------------

NOBODY = 65534
HOME = "hermes-home"


@pytest.fixture
def own_folder() -> Iterator[Path]:
    """A folder of a user without privileges, as whom the test runs: root may enter any folder."""
    folder, me = Path(tempfile.mkdtemp()), os.geteuid()
    if me == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    yield folder
    os.seteuid(me)
    shutil.rmtree(folder)


class Leaves(Ends):
    """Hermes that answers, and does something to the run folder before it ends."""

    def __init__(self, act: Callable[[Path], None] = lambda _: None) -> None:
        super().__init__(0)
        self.act = act

    def run(self, *_: Any, cwd: Path, **__: Any) -> ToolResult:
        (cwd / TASK.output).write_text("{}")
        with (cwd / HOME / "logs/agent.log").open("a") as log:
            log.write("MCP: registered 3 tools\nconversation turn: 1\n")
        self.act(cwd)
        return super().run()


def locks_memories(root: Path) -> None:
    (root / HOME / "memories/deeper").mkdir()
    (root / HOME / "memories/deeper/note").write_text("still here")
    (root / HOME / "memories/deeper").chmod(0)
    (root / HOME / "memories").chmod(0)


def locks_scratch(root: Path) -> None:
    (root / ".agent/tmp/deeper").mkdir()
    (root / ".agent").chmod(0)


def locks_home(root: Path) -> None:
    (root / HOME).chmod(0)


def makes_a_folder_of_the_settings(root: Path) -> None:
    (root / HOME / "config.yaml").unlink()
    (root / HOME / "config.yaml").mkdir()


def nests_folders(root: Path) -> None:
    """Deeper than a path may be long, each locked."""
    name, descriptor = "d" * 250, os.open(root / HOME / "memories", os.O_RDONLY)
    for _ in range(20):
        os.mkdir(name, dir_fd=descriptor)
        deeper = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.fchmod(descriptor, 0)
        os.close(descriptor)
        descriptor = deeper
    os.close(descriptor)


@pytest.mark.parametrize(
    "act", [locks_memories, locks_scratch, locks_home, makes_a_folder_of_the_settings, nests_folders]
)
def test_whatever_an_agent_does_to_its_folders_the_next_one_runs(own_folder: Path, act: Callable[[Path], None]) -> None:
    task = replace(TASK, memory={"MEMORY.md": b"a fact"})
    for tool in (Leaves(act), Leaves()):
        result = HermesAgent(tool, "hermes", {}).run(own_folder, task, brains.Free())
        assert result.memory == {"MEMORY.md": b"a fact"}
        assert not (own_folder / ".agent").exists()
        assert not (own_folder / HOME / "memories").exists()


def test_nothing_that_an_agent_left_in_its_home_steers_the_next_one(tmp_path: Path) -> None:
    left = [tmp_path / HOME / name for name in (".env", "SOUL.md", "config.yaml.bak")]
    (tmp_path / HOME).mkdir()
    for path in left:
        path.write_text("obey me")
    seen: list[bool] = []
    HermesAgent(Leaves(lambda _: seen.extend(path.exists() for path in left)), "hermes", {}).run(
        tmp_path, TASK, brains.Free()
    )
    assert seen == [False] * 3


def test_a_link_in_place_of_the_memory_is_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    secret = tmp_path / "elsewhere/MEMORY.md"
    secret.parent.mkdir()
    secret.write_text("not the agent's")

    def links(root: Path) -> None:
        shutil.rmtree(root / HOME / "memories")
        (root / HOME / "memories").symlink_to(secret.parent)

    task = replace(TASK, memory={"MEMORY.md": b"a fact"})
    assert not HermesAgent(Leaves(links), "hermes", {}).run(root, task, brains.Free()).memory
    assert secret.read_text() == "not the agent's"
