"""Plugins: folders with definitions of subagents, each for one line of inquiry with a few tools.

A plugin can only name, describe and narrow. It declares no tool, widens no allow-list and changes no limit. A
definition with an unknown field is refused, not partly applied. Everything is checked when a process starts, so that a
faulty file stops a deployment and not a job at night.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import orjson
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from consumer.errors import PluginRefused
from consumer.reports.claims import problems
from contract.profile import Profile

MANIFEST: Final = "gbrain.plugin.json"
#: A definition is about a page of instructions; a much larger file is refused.
FILE_BYTES: Final = 32 * 1024
#: Turns of one subagent when its definition does not say.
TURNS: Final = 20
_SCHEME: Final = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://|^file:")
_FRONT: Final = re.compile(r"\A---\n(?P<front>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)
_NAME: Final = r"^[a-z][a-z0-9-]{0,63}$"
_TOOL: Final = r"^[a-z][a-z0-9_]{0,63}$"


class _DeclaredSubagent(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Manifest(_DeclaredSubagent):
    """``subagents``: the folder of the definitions, relative to the plugin's."""

    name: Annotated[str, Field(pattern=_NAME)]
    version: Annotated[str, Field(min_length=1, max_length=40)]
    plugin_version: Literal["gbrain-plugin-v1"]
    description: Annotated[str, Field(max_length=300)] = ""
    subagents: Annotated[str, Field(min_length=1, max_length=100)] = "subagents"


class Subagent(_DeclaredSubagent):
    """``instructions``: the definition's body. ``allowed_tools``: names of tools of the brain's MCP server."""

    name: Annotated[str, Field(pattern=_NAME)]
    description: Annotated[str, Field(min_length=1, max_length=300)]
    allowed_tools: Annotated[tuple[Annotated[str, Field(pattern=_TOOL)], ...], Field(min_length=1, max_length=32)]
    max_turns: Annotated[int, Field(ge=1, le=60)] = TURNS
    instructions: Annotated[str, Field(min_length=1, max_length=FILE_BYTES)]

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json")


@dataclass(frozen=True, slots=True)
class Plugin:
    """``source``: the folder it was read from, for messages."""

    source: str
    manifest: Manifest
    subagents: tuple[Subagent, ...]


@dataclass(frozen=True, slots=True)
class Loaded:
    """Subagents by name over all plugins; ``dropped``: those hidden by an earlier plugin's of the same name."""

    subagents: Mapping[str, Subagent]
    dropped: tuple[str, ...] = ()


def split_path(text: str) -> tuple[str, ...]:
    """``/a:/b`` -> its folders, in order, each once.

    Raises PluginRefused: an entry that is not a plain absolute path (relative, ``~``, a URL, with ``..``).
    """
    # Otherwise a scheme's colon would act as a separator and give two meaningless entries.
    if _SCHEME.search(text) or re.search(r":(?=//)", text):
        raise PluginRefused(f"plugin path {text[:200]!r} is a URL; plugins must be folders on this machine")
    entries = tuple(dict.fromkeys(entry for entry in text.split(":") if entry))
    for entry in entries:
        if not entry.startswith("/") or ".." in entry.split("/"):
            raise PluginRefused(f"plugin path {entry[:200]!r} is not an absolute path without '..'")
    return entries


def manifest(source: str, data: bytes) -> Manifest:
    """gbrain.plugin.json -> Manifest. Raises PluginRefused: malformed, another contract, a folder outside."""
    try:
        declared = Manifest.model_validate(orjson.loads(data))
    except orjson.JSONDecodeError as exc:
        raise PluginRefused(f"plugin {source}: {MANIFEST} is not JSON: {exc.msg}") from None
    except ValidationError as exc:
        raise PluginRefused(f"plugin {source}: {MANIFEST}: {problems(exc)}") from None
    parts = declared.subagents.split("/")
    if any(part in ("", ".", "..") for part in parts) or "\\" in declared.subagents:
        raise PluginRefused(f"plugin {source}: its subagents folder {declared.subagents!r} is outside the plugin")
    return declared


def subagent(source: str, stem: str, data: bytes, tools: Set[str]) -> Subagent:
    """One definition -> Subagent. ``stem``: the file's name without ``.md``; ``tools``: those that exist.

    Raises PluginRefused: too large, no front matter, an unknown field, a tool that does not exist, another name.
    """
    place = f"plugin {source}: subagent {stem}"
    match = _FRONT.match(_text(place, data))
    if match is None:
        raise PluginRefused(f"{place}: no front matter between two lines of ---")
    front = _mapping(place, match["front"])
    try:
        definition = Subagent.model_validate({"name": stem, **front, "instructions": match["body"].strip()})
    except ValidationError as exc:
        raise PluginRefused(f"{place}: {problems(exc)}") from None
    if definition.name != stem:
        raise PluginRefused(f"{place}: its name is {definition.name}; the name must equal the file's")
    unknown = sorted(set(definition.allowed_tools) - tools)
    if unknown:
        raise PluginRefused(f"{place}: allowed_tools {unknown} are not tools of the brain: {sorted(tools)}")
    return definition


def merge(plugins: Iterable[Plugin]) -> Loaded:
    """All subagents by name; of two with the same name the earlier plugin's wins."""
    kept: dict[str, Subagent] = {}
    owner: dict[str, str] = {}
    dropped: list[str] = []
    for plugin in plugins:
        for subagent in plugin.subagents:
            if subagent.name in kept:
                dropped.append(f"subagent {subagent.name} of {plugin.source}: {owner[subagent.name]} comes first")
            else:
                kept[subagent.name], owner[subagent.name] = subagent, plugin.source
    return Loaded(kept, tuple(dropped))


def of_profile(profile: Profile, loaded: Mapping[str, Subagent]) -> tuple[Subagent, ...]:
    """The subagents that a profile lists, in its order.

    Raises PluginRefused: a subagent does not exist, or has a tool that the profile lacks.
    """
    chosen = []
    for name in profile.subagents:
        subagent = loaded.get(name)
        if subagent is None:
            raise PluginRefused(f"profile {profile.name}: no plugin has a subagent {name}; available: {sorted(loaded)}")
        beyond = sorted(set(subagent.allowed_tools) - set(profile.brain_tool_names))
        if beyond:
            raise PluginRefused(f"profile {profile.name}: subagent {name} has tools that the profile lacks: {beyond}")
        chosen.append(subagent)
    return tuple(chosen)


def known_tools(profiles: Iterable[Profile]) -> frozenset[str]:
    """Every brain tool that any profile allows; a tool that none allows does not exist."""
    return frozenset(name for profile in profiles for name in profile.brain_tool_names)


def _text(place: str, data: bytes) -> str:
    if len(data) > FILE_BYTES:
        raise PluginRefused(f"{place}: {len(data)} bytes; the limit is {FILE_BYTES}")
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise PluginRefused(f"{place}: not UTF-8") from None


def _mapping(place: str, text: str) -> Mapping[str, Any]:
    try:
        fields = yaml.safe_load(text)
    except yaml.YAMLError:
        raise PluginRefused(f"{place}: its front matter is not YAML") from None
    if not isinstance(fields, dict) or "instructions" in fields:
        raise PluginRefused(f"{place}: its front matter is not a mapping of the known fields")
    return fields
