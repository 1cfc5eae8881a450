"""Plugins as they lie on disk: ours, further ones, and files that are not where they seem to be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import manifests
import templates
from consumer.agent import plugin_files, plugins
from consumer.agent.plugins import Registry
from consumer.errors import PluginRefused

OWN = templates.FOLDER / "v1" / "gbrain-plugin"
REGISTRY = Registry(frozenset({"search"}))
MODELS = manifests.model_prices()
MANIFEST = {"name": "more", "version": "1", "plugin_version": "gbrain-plugin-v1"}
DEFINITION = "---\ndescription: Looks.\nallowed_tools: [search]\n---\nLook.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "more"
    (made / "subagents").mkdir(parents=True)
    (made / "gbrain.plugin.json").write_text(json.dumps(MANIFEST))
    (made / "subagents/looker.md").write_text(DEFINITION)
    return made


def names(own: Path, further: str, profile: str = "internal-full") -> list[str]:
    by_profile = plugin_files.for_profiles(own, further, manifests.profiles(), MODELS)
    return [subagent.name for subagent in by_profile[profile]]


def refuse(fault: PluginRefused) -> None:
    raise fault


def test_every_profile_gets_what_it_lists() -> None:
    for name, profile in manifests.profiles().items():
        assert tuple(names(OWN, "", name)) == profile.subagents
    assert set(names(OWN, "")) >= {"loop-keeper", "contradiction-checker"}


def test_a_further_plugin_adds_and_never_replaces(folder: Path) -> None:
    (folder / "subagents/loop-keeper.md").write_text(DEFINITION)
    by_profile = plugin_files.for_profiles(OWN, str(folder), manifests.profiles(), MODELS)
    subagents = {subagent.name: subagent for subagent in by_profile["internal-full"]}
    assert list(subagents) == [*names(OWN, ""), "looker"]
    assert subagents["loop-keeper"].instructions != "Look."


def test_it_joins_only_the_profiles_that_have_its_tools(folder: Path) -> None:
    (folder / "subagents/looker.md").write_text(DEFINITION.replace("search", "traverse_graph"))
    assert "looker" in names(OWN, str(folder), "internal-full")
    assert "looker" not in names(OWN, str(folder), "user-memory-prod")


def test_it_is_offered_no_tool_that_writes(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "subagents/looker.md").write_text(DEFINITION.replace("search", "search, brain_put_page"))
    (folder / "subagents/writer.md").write_text(DEFINITION.replace("search", "put_page"))
    by_profile = plugin_files.for_profiles(OWN, str(folder), manifests.profiles(), MODELS)
    for name, profile in manifests.profiles().items():
        assert [each.name for each in by_profile[name]] == [*profile.subagents, "looker"]
        assert plugins.tools_of(profile, by_profile[name][-1]) == ("search",)
    text = caplog.text
    assert "not offered put_page" in text
    assert "['put_page'] only write" in text


EXAMPLE = """\
---
name: my-summarizer
model: claude-sonnet-4-6
allowed_tools:
  - brain_search
  - brain_get_page
---

Fetch the page of the given slug and sum it up in three sentences.
"""


def test_the_smallest_plugin_of_the_guide_and_its_example_load(tmp_path: Path) -> None:
    """No description, a model of another provider, GBrain's spelling of tools, a version by date."""
    for name, manifest, definitions in (
        ("my-plugin", {"version": "1.0.0"}, ["my-summarizer"]),
        (
            "your-openclaw",
            {"version": "2026.4.20", "description": "Your OpenClaw's personal-brain subagents"},
            ["meeting-ingestion", "signal-detector", "daily-task-prep"],
        ),
    ):
        (tmp_path / name / "subagents").mkdir(parents=True)
        (tmp_path / name / "gbrain.plugin.json").write_text(json.dumps({**MANIFEST, "name": name, **manifest}))
        for definition in definitions:
            text = EXAMPLE.replace("my-summarizer", definition)
            (tmp_path / name / f"subagents/{definition}.md").write_text(text)
    path = f"{tmp_path}/my-plugin:{tmp_path}/your-openclaw"
    more = names(OWN, path, "user-memory-prod")[len(names(OWN, "", "user-memory-prod")) :]
    assert more == ["my-summarizer", "daily-task-prep", "meeting-ingestion", "signal-detector"]


def test_a_fault_of_a_further_plugin_costs_what_is_faulty_and_is_logged(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "subagents/shell.md").write_text(DEFINITION.replace("search", "shell"))
    more = f"relative:{tmp_path}/none:{folder}"
    assert names(OWN, more) == [*names(OWN, ""), "looker"]
    logged = [record.getMessage() for record in caplog.records]
    assert len(logged) == 3
    for text, part in zip(
        logged, ("'relative' is not an absolute path", "none: gbrain.plugin.json", "shell"), strict=True
    ):
        assert text.startswith("left out: plugin")
        assert part in text


def test_a_fault_of_the_built_in_plugin_stops_the_process(folder: Path) -> None:
    (folder / "subagents/shell.md").write_text(DEFINITION.replace("search", "shell"))
    with pytest.raises(PluginRefused, match="shell"):
        plugin_files.for_profiles(folder, "", manifests.profiles(), MODELS)


def test_a_profile_whose_subagent_is_nowhere() -> None:
    profile = manifests.profiles()["internal-full"].model_copy(update={"subagents": ("nobody",)})
    with pytest.raises(PluginRefused, match="nobody"):
        plugin_files.for_profiles(OWN, "", {"internal-full": profile}, MODELS)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PluginRefused, match="cannot be read"):
        plugin_files.load(str(tmp_path / "none"), REGISTRY, refuse)


def test_a_plugin_without_its_subagents_folder(folder: Path) -> None:
    (folder / "subagents/looker.md").unlink()
    (folder / "subagents").rmdir()
    with pytest.raises(PluginRefused, match="subagents"):
        plugin_files.load(str(folder), REGISTRY, refuse)


def test_a_linked_definition_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text(DEFINITION)
    (folder / "subagents/linked.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(PluginRefused, match="not a regular file in the plugin's folder"):
        plugin_files.load(str(folder), REGISTRY, refuse)


def test_a_linked_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "subagents").rename(tmp_path / "outside")
    (folder / "subagents").symlink_to(tmp_path / "outside")
    with pytest.raises(PluginRefused, match="not a regular file in the plugin's folder"):
        plugin_files.load(str(folder), REGISTRY, refuse)


def test_a_definition_of_any_size_is_read_only_to_its_limit(folder: Path) -> None:
    (folder / "subagents/looker.md").write_text(DEFINITION + "x" * 10_000_000)
    with pytest.raises(PluginRefused, match="the limit is"):
        plugin_files.load(str(folder), REGISTRY, refuse)
