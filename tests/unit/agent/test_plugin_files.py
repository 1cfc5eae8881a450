"""Plugins as they lie on disk: ours, further ones, and files that are not where they seem to be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import manifests
import templates
from consumer.agent import plugin_files
from consumer.errors import PluginRefused

OWN = templates.FOLDER / "v1" / "gbrain-plugin"
TOOLS = frozenset({"search"})
MANIFEST = {"name": "more", "version": "1", "plugin_version": "gbrain-plugin-v1"}
DEFINITION = "---\ndescription: Looks.\nallowed_tools: [search]\n---\nLook.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "more"
    (made / "subagents").mkdir(parents=True)
    (made / "gbrain.plugin.json").write_text(json.dumps(MANIFEST))
    (made / "subagents/looker.md").write_text(DEFINITION)
    return made


def test_every_profile_gets_what_it_lists() -> None:
    by_profile = plugin_files.for_profiles(OWN, "", manifests.profiles())
    for name, profile in manifests.profiles().items():
        assert tuple(subagent.name for subagent in by_profile[name]) == profile.subagents
    assert {subagent.name for subagent in by_profile["internal-full"]} >= {"loop-keeper", "contradiction-checker"}


def test_a_further_plugin_adds_and_never_replaces(folder: Path) -> None:
    (folder / "subagents/loop-keeper.md").write_text(DEFINITION)
    profiles = manifests.profiles()
    full = profiles["internal-full"].model_copy(update={"subagents": ("looker", "loop-keeper")})
    subagents = plugin_files.for_profiles(OWN, str(folder), {**profiles, "internal-full": full})["internal-full"]
    assert [subagent.name for subagent in subagents] == ["looker", "loop-keeper"]
    assert subagents[1].instructions != "Look."


def test_a_profile_whose_subagent_is_nowhere() -> None:
    profile = manifests.profiles()["internal-full"].model_copy(update={"subagents": ("nobody",)})
    with pytest.raises(PluginRefused, match="nobody"):
        plugin_files.for_profiles(OWN, "", {"internal-full": profile})


def test_a_relative_folder_is_refused() -> None:
    with pytest.raises(PluginRefused, match="absolute"):
        plugin_files.for_profiles(OWN, "more", manifests.profiles())


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PluginRefused, match="cannot be read"):
        plugin_files.load([str(tmp_path / "none")], TOOLS)


def test_a_plugin_without_its_subagents_folder(folder: Path) -> None:
    (folder / "subagents/looker.md").unlink()
    (folder / "subagents").rmdir()
    with pytest.raises(PluginRefused, match="subagents"):
        plugin_files.load([str(folder)], TOOLS)


def test_a_linked_definition_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text(DEFINITION)
    (folder / "subagents/linked.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(PluginRefused, match="not a regular file in the plugin's folder"):
        plugin_files.load([str(folder)], TOOLS)


def test_a_linked_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "subagents").rename(tmp_path / "outside")
    (folder / "subagents").symlink_to(tmp_path / "outside")
    with pytest.raises(PluginRefused, match="not a regular file in the plugin's folder"):
        plugin_files.load([str(folder)], TOOLS)


def test_a_definition_of_any_size_is_read_only_to_its_limit(folder: Path) -> None:
    (folder / "subagents/looker.md").write_text(DEFINITION + "x" * 10_000_000)
    with pytest.raises(PluginRefused, match="the limit is"):
        plugin_files.load([str(folder)], TOOLS)
