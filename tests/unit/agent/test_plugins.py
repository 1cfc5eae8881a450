"""What a plugin may say, and what every refusal names."""

from __future__ import annotations

import json

import pytest
import yaml

import manifests
from consumer.agent import plugins
from consumer.errors import PluginRefused
from tests.tables import table

REGISTRY = plugins.Registry(frozenset({"search", "get_page"}), frozenset({"gpt-5.4-mini"}))
GOOD = {"description": "Looks.", "allowed_tools": ["search"]}


def definition(body: str = "Look closely.", **changes: object) -> bytes:
    front = {name: value for name, value in {**GOOD, **changes}.items() if value is not None}
    return f"---\n{yaml.safe_dump(front)}---\n{body}\n".encode()


def manifest(**changes: object) -> bytes:
    whole = {"name": "ours", "version": "1.0", "plugin_version": "gbrain-plugin-v1", **changes}
    return json.dumps({name: value for name, value in whole.items() if value is not None}).encode()


def plugin(source: str, *names: str) -> plugins.Plugin:
    made = tuple(parsed(name=name) for name in names)
    return plugins.Plugin(source, plugins.manifest(source, manifest())[0], made)


def parsed(body: str = "Look closely.", **changes: object) -> plugins.Subagent:
    return plugins.subagent("/p", "looker", definition(body, **changes), REGISTRY)[0]


def refuse(fault: PluginRefused) -> None:
    raise fault


def test_absolute_folders_in_order_each_once() -> None:
    assert plugins.split_path("/b:/a::/b", refuse) == ("/b", "/a")
    assert plugins.split_path("", refuse) == ()


def test_an_entry_that_is_no_absolute_path_costs_only_itself() -> None:
    faults: list[PluginRefused] = []
    assert plugins.split_path("plugins:/a:~/b", faults.append) == ("/a",)
    assert [str(fault).split("'")[1] for fault in faults] == ["plugins", "~/b"]


@table(
    "path",
    ["plugins", "./plugins", "../plugins", "~/plugins", "/a/../etc", "/a:b", "https://x/y", "file:///a", "/a:s3://b/c"],
)
def test_a_path_that_is_not_absolute_as_it_stands(path: str) -> None:
    with pytest.raises(PluginRefused):
        plugins.split_path(path, refuse)


@table("path", ["https://x/y", "file:///a", "file:/a", "/a:s3://b/c", "/a://b", "git+ssh://x:/a"])
def test_a_url_is_refused_as_a_whole(path: str) -> None:
    faults: list[PluginRefused] = []
    assert plugins.split_path(path, faults.append) == ()
    [fault] = faults
    assert "is a URL" in str(fault)


def test_a_manifest() -> None:
    declared, notes = plugins.manifest("/p", manifest(name="Our Brain's", subagents="more/agents", homepage="x"))
    assert (declared.name, declared.subagents) == ("Our Brain's", "more/agents")
    assert notes == ("plugin /p: gbrain.plugin.json: unknown fields without effect: homepage",)


@table(
    ("data", "named"),
    [
        (b"{", "not JSON"),
        (b"[]", "the file"),
        (manifest(plugin_version="gbrain-plugin-v2"), "plugin_version"),
        (manifest(plugin_version=None), "plugin_version"),
        (manifest(name=""), "name"),
        (manifest(name="a\nb"), "name"),
        (manifest(version=1.0), "version"),
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
    subagent = parsed(max_turns=3)
    assert (subagent.name, subagent.allowed_tools, subagent.max_turns) == ("looker", ("search",), 3)
    assert subagent.instructions == "Look closely."


def test_what_a_definition_leaves_out_has_a_default() -> None:
    """Only a body is needed: the name is the file's, the tools are all that the profile's agent may read with."""
    subagent, notes = plugins.subagent("/p", "looker", b"---\n{}\n---\nLook.\n", REGISTRY)
    assert subagent == plugins.Subagent(name="looker", instructions="Look.")
    assert (subagent.allowed_tools, subagent.model, subagent.max_turns, notes) == (None, None, 20, ())


def test_a_definition_may_have_another_name_than_its_file() -> None:
    assert parsed(name="Meeting_Ingestion").name == "Meeting_Ingestion"


@table("spelled", [["search", "get_page"], ["brain_search", "brain_get_page"], ["brain_search", "search", "get_page"]])
def test_tools_have_two_spellings(spelled: list[str]) -> None:
    assert parsed(allowed_tools=spelled).allowed_tools == ("search", "get_page")


def test_a_model_whose_price_is_unknown_is_not_used_and_the_note_says_so() -> None:
    assert parsed(model="gpt-5.4-mini").model == "gpt-5.4-mini"
    subagent, notes = plugins.subagent("/p", "looker", definition(model="claude-sonnet-4-6"), REGISTRY)
    assert subagent.model is None
    (note,) = notes
    assert "claude-sonnet-4-6" in note


def test_unknown_fields_have_no_effect_and_the_note_names_them() -> None:
    data = definition(agent_safe=True, instructions="Do as I say.", tools=["shell"])
    subagent, notes = plugins.subagent("/p", "looker", data, REGISTRY)
    assert subagent == parsed()
    assert notes == ("plugin /p: subagent looker: unknown fields without effect: agent_safe, instructions, tools",)


@table(
    ("data", "named"),
    [
        (b"Look closely.", "front matter"),
        (b"---\n[1\n---\nx", "not YAML"),
        (b"---\n- a\n---\nx", "not a mapping"),
        (b"\xff", "UTF-8"),
        (definition("x" * plugins.FILE_BYTES), "bytes"),
        (definition(""), "instructions"),
        (definition(name="../other"), "name"),
        (definition(allowed_tools=[]), "allowed_tools"),
        (definition(allowed_tools=["search", "shell"]), "shell"),
        (definition(allowed_tools="search"), "allowed_tools"),
        (definition(max_turns=0), "max_turns"),
        (definition(max_turns="many"), "max_turns"),
        (definition(allowed_tools=["brain_shell"]), "brain_shell"),
    ],
)
def test_a_definition_that_is_refused(data: bytes, named: str) -> None:
    with pytest.raises(PluginRefused, match=named):
        plugins.subagent("/p", "looker", data, REGISTRY)


def test_a_file_name_that_is_no_name() -> None:
    with pytest.raises(PluginRefused, match="name"):
        plugins.subagent("/p", "Looker 2", definition(), REGISTRY)


def test_left_wins_and_the_other_is_told() -> None:
    loaded = plugins.merge([plugin("/left", "a", "b"), plugin("/right", "b", "c")])
    assert sorted(loaded.subagents) == ["a", "b", "c"]
    (reason,) = loaded.notes
    assert "b of /right" in reason
    assert "/left" in reason


def test_a_profile_takes_what_it_lists_and_nothing_wider() -> None:
    profile = manifests.profiles()["user-memory-prod"].model_copy(update={"subagents": ("looker",)})
    narrow = parsed()
    assert plugins.listed(profile, {"looker": narrow, "other": narrow}) == (narrow,)
    with pytest.raises(PluginRefused, match="no plugin has a subagent looker"):
        plugins.listed(profile, {})
    registry = plugins.Registry(frozenset({"put_page"}))
    wide, _ = plugins.subagent("/p", "looker", definition(allowed_tools=["put_page"]), registry)
    with pytest.raises(PluginRefused, match="put_page"):
        plugins.listed(profile, {"looker": wide})


def test_the_registry_has_the_tools_of_all_profiles() -> None:
    registry = plugins.registry_of(manifests.profiles().values(), manifests.model_prices())
    assert {"search", "put_page"} <= registry.tools
    assert "gpt-5.4-nano" in registry.models
