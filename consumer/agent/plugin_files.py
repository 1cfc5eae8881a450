"""Reads plugins from disk, once, when a process starts. consumer.agent.plugins validates them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from consumer.agent import plugins
from consumer.agent.plugins import Plugin, Registry, Subagent
from consumer.errors import PluginRefused
from contract.profile import Profile
from service import telemetry


def for_profiles(
    own: Path, further: str, profiles: Mapping[str, Profile], models: Iterable[str]
) -> dict[str, tuple[Subagent, ...]]:
    """Profile -> its subagents: those of the built-in plugin that it lists, then those of further plugins.

    ``own``: the built-in plugin, a part of this release: any fault in it, and a profile that lists a subagent it does
    not have, raises PluginRefused. ``further``: more plugin folders, separated by colons. What is faulty there is left
    out, and the log says so: one author's mistake must not stop everybody's memory. A further plugin takes no name
    from the built-in one, and its subagent joins the profiles that have all its tools.
    """
    registry = plugins.registry_of(profiles.values(), models)
    builtin = load(str(own.absolute()), registry, _refuse)
    loaded = plugins.merge([builtin, *_further(further, registry)])
    for note in loaded.notes:
        telemetry.log(note, level=telemetry.WARNING)
    owned = plugins.merge([builtin]).subagents
    more = [subagent for name, subagent in loaded.subagents.items() if name not in owned]
    return {
        name: plugins.listed(profile, owned)
        + tuple(subagent for subagent in more if not plugins.beyond_profile(profile, subagent))
        for name, profile in profiles.items()
    }


def load(folder: str, registry: Registry, refused: Callable[[PluginRefused], None]) -> Plugin:
    """The plugin of an absolute folder. ``refused`` is called with the fault of each definition that is left out.

    Raises PluginRefused: the folder or its manifest cannot be read or is invalid.
    """
    place = Path(folder)
    manifest, notes = plugins.manifest(folder, _read(place, place / plugins.MANIFEST))
    if not (place / manifest.subagents).is_dir():
        raise PluginRefused(f"plugin {folder}: its subagents folder {manifest.subagents} does not exist")
    subagents = []
    for path in sorted((place / manifest.subagents).glob("*.md")):
        try:
            subagent, ignored = plugins.subagent(folder, path.stem, _read(place, path), registry)
        except PluginRefused as exc:
            refused(exc)
        else:
            subagents.append(subagent)
            notes += ignored
    return Plugin(folder, manifest, tuple(subagents), notes)


def _further(path: str, registry: Registry) -> Iterator[Plugin]:
    for folder in plugins.split_path(path, _leave_out):
        try:
            yield load(folder, registry, _leave_out)
        except PluginRefused as exc:
            _leave_out(exc)


def _refuse(fault: PluginRefused) -> None:
    raise fault


def _leave_out(fault: PluginRefused) -> None:
    telemetry.log(f"left out: {fault}", level=telemetry.WARNING)


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
