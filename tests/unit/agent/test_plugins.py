"""What a plugin may say, and what every refusal names."""

from __future__ import annotations

import json

import pytest
import yaml

import manifests
from consumer.agent import plugins
from consumer.errors import PluginRefused

TOOLS = frozenset({"search", "get_page"})
GOOD = {"description": "Looks.", "allowed_tools": ["search"]}


def definition(body: str = "Look closely.", **changes: object) -> bytes:
    front = {name: value for name, value in {**GOOD, **changes}.items() if value is not None}
    return f"---\n{yaml.safe_dump(front)}---\n{body}\n".encode()


def manifest(**changes: object) -> bytes:
    whole = {"name": "ours", "version": "1.0", "plugin_version": "gbrain-plugin-v1", **changes}
    return json.dumps({name: value for name, value in whole.items() if value is not None}).encode()


def plugin(source: str, *names: str) -> plugins.Plugin:
    made = tuple(plugins.subagent(source, name, definition(), TOOLS) for name in names)
    return plugins.Plugin(source, plugins.manifest(source, manifest()), made)


def test_absolute_folders_in_order_each_once() -> None:
    assert plugins.split_path("/b:/a::/b") == ("/b", "/a")
    assert plugins.split_path("") == ()


@pytest.mark.parametrize(
    "path",
    ["plugins", "./plugins", "../plugins", "~/plugins", "/a/../etc", "/a:b", "https://x/y", "file:///a", "/a:s3://b/c"],
)
def test_a_path_that_is_not_absolute_as_it_stands(path: str) -> None:
    with pytest.raises(PluginRefused):
        plugins.split_path(path)


def test_a_manifest() -> None:
    parsed = plugins.manifest("/p", manifest(subagents="more/agents"))
    assert (parsed.name, parsed.subagents) == ("ours", "more/agents")


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"{", "not JSON"),
        (b"[]", "the file"),
        (manifest(plugin_version="gbrain-plugin-v2"), "plugin_version"),
        (manifest(plugin_version=None), "plugin_version"),
        (manifest(name="../x"), "name"),
        (manifest(tools=["mine"]), "tools"),
        (manifest(subagents="../elsewhere"), "is outside the plugin"),
        (manifest(subagents="/etc"), "is outside the plugin"),
        (manifest(subagents="a/./b"), "is outside the plugin"),
        (manifest(subagents="a\\..\\b"), "is outside the plugin"),
    ],
)
def test_a_manifest_that_is_refused(data: bytes, named: str) -> None:
    with pytest.raises(PluginRefused, match=named):
        plugins.manifest("/p", data)


def test_a_definition() -> None:
    subagent = plugins.subagent("/p", "looker", definition(max_turns=3), TOOLS)
    assert (subagent.name, subagent.allowed_tools, subagent.max_turns) == ("looker", ("search",), 3)
    assert subagent.instructions == "Look closely."


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"Look closely.", "front matter"),
        (b"---\n[1\n---\nx", "not YAML"),
        (b"---\n- a\n---\nx", "not a mapping"),
        (b"\xff", "UTF-8"),
        (definition("x" * plugins.FILE_BYTES), "bytes"),
        (definition(""), "instructions"),
        (definition(instructions="other"), "not a mapping"),
        (definition(name="other"), "must equal the file"),
        (definition(allowed_tools=None), "allowed_tools"),
        (definition(allowed_tools=[]), "allowed_tools"),
        (definition(allowed_tools=["search", "shell"]), "shell"),
        (definition(allowed_tools="search"), "allowed_tools"),
        (definition(max_turns=0), "max_turns"),
        (definition(max_turns=1000), "max_turns"),
        (definition(description=None), "description"),
        (definition(agent_safe=True), "agent_safe"),
    ],
)
def test_a_definition_that_is_refused(data: bytes, named: str) -> None:
    with pytest.raises(PluginRefused, match=named):
        plugins.subagent("/p", "looker", data, TOOLS)


def test_a_file_name_that_is_no_name() -> None:
    with pytest.raises(PluginRefused, match="name"):
        plugins.subagent("/p", "Looker 2", definition(), TOOLS)


def test_left_wins_and_the_other_is_told() -> None:
    loaded = plugins.merge([plugin("/left", "a", "b"), plugin("/right", "b", "c")])
    assert sorted(loaded.subagents) == ["a", "b", "c"]
    (reason,) = loaded.dropped
    assert "b of /right" in reason
    assert "/left" in reason


def test_a_profile_takes_what_it_lists_and_nothing_wider() -> None:
    profile = manifests.profiles()["user-memory-prod"].model_copy(update={"subagents": ("looker",)})
    tools = frozenset({"search", "put_page"})
    narrow = plugins.subagent("/p", "looker", definition(), tools)
    assert plugins.of_profile(profile, {"looker": narrow, "other": narrow}) == (narrow,)
    with pytest.raises(PluginRefused, match="no plugin has a subagent looker"):
        plugins.of_profile(profile, {})
    wide = plugins.subagent("/p", "looker", definition(allowed_tools=["put_page"]), tools)
    with pytest.raises(PluginRefused, match="put_page"):
        plugins.of_profile(profile, {"looker": wide})
