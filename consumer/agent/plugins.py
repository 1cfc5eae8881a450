"""Plugins: folders with definitions of subagents, each for one line of inquiry with a few tools.

The contract is gbrain-plugin-v1, as GBrain's guide for plugin authors has it. A plugin can only name, describe and
narrow: it declares no tool, widens no allow-list and raises no limit. Plugins are read once, when a process starts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import orjson
import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from consumer.errors import PluginRefused
from consumer.reports.claims import problems
from contract.profile import Profile

MANIFEST: Final = "gbrain.plugin.json"
#: A definition is about a page of instructions; a much larger file is refused.
FILE_BYTES: Final = 32 * 1024
#: Turns of one subagent when its definition does not say.
TURNS: Final = 20
#: GBrain writes its tools with this prefix in definitions. Its MCP server names them without.
TOOL_PREFIX: Final = "brain_"
_URL: Final = re.compile(r"://|^file:")
_FRONT: Final = re.compile(r"\A---\n(?P<front>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)
_NAME: Final = r"^[A-Za-z][A-Za-z0-9._-]{0,63}$"

Line = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]*$")]


class _Declared(BaseModel):
    # Strict: the 2.0 of ``version: 2.0`` in YAML is a number, and no name of a version.
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Manifest(_Declared):
    """``name`` is shown in messages. ``subagents``: the folder of the definitions, relative to the plugin's."""

    name: Annotated[Line, Field(min_length=1, max_length=100)]
    version: Annotated[Line, Field(min_length=1, max_length=40)]
    plugin_version: Literal["gbrain-plugin-v1"]
    description: Annotated[Line, Field(max_length=300)] = ""
    subagents: Annotated[Line, Field(min_length=1, max_length=100)] = "subagents"


class Subagent(_Declared):
    """``instructions``: the definition's body. ``allowed_tools``: tools of the brain, by their names on its MCP server;
    None: every tool of its profile that only reads. ``model``: None for the job's own.
    """

    name: Annotated[str, Field(pattern=_NAME)]
    description: Annotated[str, Field(max_length=300)] = ""
    model: Annotated[Line, Field(min_length=1, max_length=100)] | None = None
    max_turns: Annotated[int, Field(ge=1)] = TURNS
    allowed_tools: Annotated[tuple[str, ...], Field(min_length=1, max_length=64, strict=False)] | None = None
    instructions: Annotated[str, Field(min_length=1, max_length=FILE_BYTES)]

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_defaults=True)


@dataclass(frozen=True, slots=True)
class Registry:
    """What a definition may name: brain tools that any profile allows, and models whose price is known.

    ``writing``: tools that change something. No subagent is offered them.
    """

    tools: frozenset[str]
    models: frozenset[str] = frozenset()
    writing: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Plugin:
    """``source``: the folder it was read from, for messages. ``notes``: what was ignored or left out, and why."""

    source: str
    manifest: Manifest
    subagents: tuple[Subagent, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loaded:
    """Subagents by name over all plugins. ``notes``: those of the plugins, and subagents that an earlier plugin's of
    the same name hides.
    """

    subagents: Mapping[str, Subagent]
    notes: tuple[str, ...] = ()


def split_path(text: str, refused: Callable[[PluginRefused], None]) -> tuple[str, ...]:
    """``/a:/b`` -> its folders, in order, each once.

    An entry that is not a plain absolute path (relative, ``~``, a URL, with ``..``) goes to ``refused`` instead.
    """
    # Otherwise a scheme's colon would act as a separator and give two meaningless entries.
    if _URL.search(text):
        refused(PluginRefused(f"plugin path {text[:200]!r} is a URL; plugins must be folders on this machine"))
        return ()
    folders = []
    for entry in dict.fromkeys(entry for entry in text.split(":") if entry):
        if entry.startswith("/") and ".." not in entry.split("/"):
            folders.append(entry)
        else:
            refused(PluginRefused(f"plugin path {entry[:200]!r} is not an absolute path without '..'"))
    return tuple(folders)


def manifest(source: str, data: bytes) -> tuple[Manifest, tuple[str, ...]]:
    """gbrain.plugin.json -> the manifest, and notes about ignored fields.

    Raises PluginRefused: malformed, another contract, a folder outside.
    """
    try:
        document = orjson.loads(data)
        declared = Manifest.model_validate(document)
    except orjson.JSONDecodeError as exc:
        raise PluginRefused(f"plugin {source}: {MANIFEST} is not JSON: {exc.msg}") from None
    except ValidationError as exc:
        raise PluginRefused(f"plugin {source}: {MANIFEST}: {problems(exc)}") from None
    parts = declared.subagents.split("/")
    if any(part in ("", ".", "..") for part in parts) or "\\" in declared.subagents:
        raise PluginRefused(f"plugin {source}: its subagents folder {declared.subagents!r} is outside the plugin")
    return declared, _ignored(f"plugin {source}: {MANIFEST}", document, Manifest)


def subagent(source: str, stem: str, data: bytes, registry: Registry) -> tuple[Subagent, tuple[str, ...]]:
    """One definition -> the subagent, and notes about what of it has no effect.

    ``stem``: the file's name without ``.md``, which is the subagent's name if the definition has none. Raises
    PluginRefused: too large, no front matter, a field of the wrong form, a tool that does not exist.
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
    notes = _ignored(place, front, Subagent, besides={"instructions"})
    if definition.model is not None and definition.model not in registry.models:
        notes += (f"{place}: model {definition.model} is not in manifests/models.yaml; it runs on the job's model",)
        definition = definition.model_copy(update={"model": None})
    if definition.allowed_tools is not None:
        named = _tools(place, definition.allowed_tools, registry.tools)
        tools = tuple(name for name in named if name not in registry.writing)
        if not tools:
            raise PluginRefused(f"{place}: allowed_tools {sorted(named)} only write, but a subagent may only read")
        if writing := sorted(set(named) - set(tools)):
            notes += (f"{place}: a subagent may only read, so it is not offered {', '.join(writing)}",)
        definition = definition.model_copy(update={"allowed_tools": tools})
    return definition, notes


def merge(plugins: Iterable[Plugin]) -> Loaded:
    """All subagents by name; of two with the same name the earlier plugin's wins."""
    kept: dict[str, Subagent] = {}
    owner: dict[str, str] = {}
    notes: list[str] = []
    for plugin in plugins:
        notes += plugin.notes
        for subagent in plugin.subagents:
            if subagent.name in kept:
                notes.append(f"subagent {subagent.name} of {plugin.source} is left out: {owner[subagent.name]} has one")
            else:
                kept[subagent.name], owner[subagent.name] = subagent, plugin.source
    return Loaded(kept, tuple(notes))


def listed(profile: Profile, loaded: Mapping[str, Subagent]) -> tuple[Subagent, ...]:
    """The subagents that a profile lists, in its order.

    Raises PluginRefused: a subagent does not exist, or has a tool that the profile lacks.
    """
    chosen = []
    for name in profile.subagents:
        subagent = loaded.get(name)
        if subagent is None:
            raise PluginRefused(f"profile {profile.name}: no plugin has a subagent {name}; available: {sorted(loaded)}")
        beyond = beyond_profile(profile, subagent)
        if beyond:
            raise PluginRefused(f"profile {profile.name}: subagent {name} has tools that the profile lacks: {beyond}")
        chosen.append(subagent)
    return tuple(chosen)


def tools_of(profile: Profile, subagent: Subagent) -> tuple[str, ...]:
    """The brain's tools that a subagent is offered: those that it names, or else all; only tools that read."""
    reading = [tool.name for tool in profile.brain_tools if tool.risk == "read"]
    return tuple(name for name in reading if subagent.allowed_tools is None or name in subagent.allowed_tools)


def beyond_profile(profile: Profile, subagent: Subagent) -> list[str]:
    """A subagent's tools that a profile lacks."""
    return sorted(set(subagent.allowed_tools or ()) - set(profile.brain_tool_names))


def registry_of(profiles: Iterable[Profile], models: Iterable[str]) -> Registry:
    """Every brain tool that any profile allows; a tool that none allows does not exist."""
    tools = [tool for profile in profiles for tool in profile.brain_tools]
    writing = frozenset(tool.name for tool in tools if tool.risk != "read")
    return Registry(frozenset(tool.name for tool in tools), frozenset(models), writing)


def _tools(place: str, names: Iterable[str], known: Set[str]) -> tuple[str, ...]:
    """Tools by the names of the brain's MCP server, each once."""
    spelled = [name if name in known else name.removeprefix(TOOL_PREFIX) for name in names]
    unknown = sorted({name for name, tool in zip(names, spelled, strict=True) if tool not in known})
    if unknown:
        raise PluginRefused(f"{place}: allowed_tools {unknown} are not tools of the brain: {sorted(known)}")
    return tuple(dict.fromkeys(spelled))


def _ignored(
    place: str, document: Mapping[str, Any], form: type[BaseModel], besides: Set[str] = frozenset()
) -> tuple[str, ...]:
    unknown = sorted(str(name)[:64] for name in document if name not in form.model_fields or name in besides)
    return (f"{place}: unknown fields without effect: {', '.join(unknown)}",) if unknown else ()


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
    if not isinstance(fields, dict):
        raise PluginRefused(f"{place}: its front matter is not a mapping")
    return fields
