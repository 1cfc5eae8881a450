"""Reads plugins from disk, once, when a process starts. consumer.agent.plugins validates them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

from consumer.agent import plugins
from consumer.agent.plugins import Loaded, Plugin, Subagent
from consumer.errors import PluginRefused
from contract.profile import Profile
from service import telemetry


def for_profiles(own: Path, further: str, profiles: Mapping[str, Profile]) -> dict[str, tuple[Subagent, ...]]:
    """Profile -> the subagents that it lists. The built-in plugin comes first, so that no other takes a name from it.

    ``further``: more plugin folders, separated by colons. Every profile is checked, also those that are not enabled.
    Raises PluginRefused.
    """
    loaded = load((str(own.absolute()), *plugins.split_path(further)), plugins.known_tools(profiles.values()))
    for note in loaded.dropped:
        telemetry.log(note, level=30)
    return {name: plugins.of_profile(profile, loaded.subagents) for name, profile in profiles.items()}


def load(folders: Sequence[str], tools: Set[str]) -> Loaded:
    """Every plugin of these absolute folders; of two with the same name the first wins.

    Raises PluginRefused: a folder or its manifest cannot be read, or a file is invalid.
    """
    return plugins.merge(_plugin(Path(folder), tools) for folder in folders)


def _plugin(folder: Path, tools: Set[str]) -> Plugin:
    source = str(folder)
    manifest = plugins.manifest(source, _read(folder, folder / plugins.MANIFEST))
    return Plugin(source, manifest, tuple(_subagents(folder, manifest.subagents, tools)))


def _subagents(folder: Path, below: str, tools: Set[str]) -> Iterator[Subagent]:
    if not (folder / below).is_dir():
        raise PluginRefused(f"plugin {folder}: its subagents folder {below} does not exist")
    for path in sorted((folder / below).glob("*.md")):
        yield plugins.subagent(str(folder), path.stem, _read(folder, path), tools)


def _read(folder: Path, path: Path) -> bytes:
    """The start of a regular file. A link could bring in a file that was not part of the plugin's review."""
    try:
        inside = path.resolve(strict=True).is_relative_to(folder.resolve(strict=True))
        if not inside or path.is_symlink() or not path.is_file():
            raise PluginRefused(f"plugin {folder}: {path.name} is not a regular file in the plugin's folder")
        with path.open("rb") as file:
            return file.read(plugins.FILE_BYTES + 1)
    except OSError as exc:
        raise PluginRefused(f"plugin {folder}: {path.name} cannot be read ({type(exc).__name__})") from exc
