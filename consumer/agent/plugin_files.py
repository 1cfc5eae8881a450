"""Reads plugins from disk, once, when a process starts. What they may say is decided in consumer.agent.plugins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

from consumer.agent import plugins
from consumer.agent.plugins import Loaded, Plugin, Subagent
from consumer.errors import PluginRefused
from contract.profile import Profile
from service import telemetry


def for_profiles(own: Path, further: str, profiles: Mapping[str, Profile]) -> dict[str, tuple[Subagent, ...]]:
    """Profile -> the subagents that it lists. Our own plugin comes first, so that no further one takes a name from it.

    ``further``: more plugin folders, separated by colons. Every profile is checked, also those that are not enabled.
    Raises PluginRefused.
    """
    found = load((str(own.absolute()), *plugins.split_path(further)), plugins.known_tools(profiles.values()))
    for note in found.dropped:
        telemetry.log(note, level=30)
    return {name: plugins.of_profile(profile, found.subagents) for name, profile in profiles.items()}


def load(folders: Sequence[str], tools: Set[str]) -> Loaded:
    """Every plugin of these absolute folders, the first with a name keeps it.

    Raises PluginRefused: a folder or its manifest cannot be read, or a file is not what it must be.
    """
    return plugins.merge(_plugin(Path(folder), tools) for folder in folders)


def _plugin(folder: Path, tools: Set[str]) -> Plugin:
    source = str(folder)
    manifest = plugins.manifest(source, _read(folder, folder / plugins.MANIFEST))
    return Plugin(source, manifest, tuple(_subagents(folder, manifest.subagents, tools)))


def _subagents(folder: Path, below: str, tools: Set[str]) -> Iterator[Subagent]:
    if not (folder / below).is_dir():
        raise PluginRefused(f"plugin {folder}: its subagents folder {below} is not there")
    for path in sorted((folder / below).glob("*.md")):
        yield plugins.subagent(str(folder), path.stem, _read(folder, path), tools)


def _read(folder: Path, path: Path) -> bytes:
    """A regular file's start. A link would bring in what nobody looked at when the plugin was reviewed."""
    try:
        inside = path.resolve(strict=True).is_relative_to(folder.resolve(strict=True))
        if not inside or path.is_symlink() or not path.is_file():
            raise PluginRefused(f"plugin {folder}: {path.name} is not a file of the plugin's own folder")
        with path.open("rb") as file:
            return file.read(plugins.FILE_BYTES + 1)
    except OSError as exc:
        raise PluginRefused(f"plugin {folder}: {path.name} cannot be read ({type(exc).__name__})") from exc
