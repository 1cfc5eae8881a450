"""Two stacks in one folder: the file through which the one that is up is reached belongs to it."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from local.stack import Stack, StackRunning, is_alive


@pytest.mark.integration
def test_a_stack_that_is_up_keeps_its_environment_file(tmp_path: Path) -> None:
    environment = tmp_path / "environment.json"
    with socket.create_server(("127.0.0.1", 0)) as server:
        text = json.dumps({"CONTROLPLANE_URL": f"http://127.0.0.1:{server.getsockname()[1]}"})
        environment.write_text(text)
        stack = Stack(tmp_path / "demo", environment_file=environment)
        with pytest.raises(StackRunning, match="stop it first"):
            stack.start()
        stack.stop()
        assert environment.read_text() == text
        assert not (tmp_path / "demo").exists()
    assert not is_alive(environment)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"CONTROLPLANE_URL": "nothing"}'])
def test_a_file_that_names_no_stack_is_not_alive(tmp_path: Path, text: str) -> None:
    environment = tmp_path / "environment.json"
    assert not is_alive(environment)
    environment.write_text(text)
    assert not is_alive(environment)
