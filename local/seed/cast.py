"""Who and what the main sample user's story is about (``cast.yaml``)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import yaml


@dataclass(frozen=True, slots=True)
class CastMember:
    """``key``: how the story names them. ``signs``: what stands below their mails; ``writes``: their mail program."""

    key: str
    name: str
    addresses: tuple[str, ...]
    phones: tuple[str, ...]
    company: str
    job: str
    relationship: str
    about: str
    writes: str
    signs: str
    main: bool

    @property
    def address(self) -> str:
        return self.addresses[0]

    @property
    def first(self) -> str:
        return self.name.split()[0]

    def attendee(self) -> dict[str, str]:
        return {"name": self.name, "email": self.address}


@dataclass(frozen=True, slots=True)
class Project:
    people: tuple[str, ...]
    about: str


def data_file(name: str) -> Any:
    """A YAML file of this package."""
    return yaml.load(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def _member(entry: dict[str, Any]) -> CastMember:
    texts = {name: entry.get(name, "") for name in ("company", "job", "relationship", "about", "writes", "signs")}
    return CastMember(
        key=entry.get("key", entry["name"]),
        name=entry["name"],
        addresses=tuple(entry["addresses"]),
        phones=tuple(entry.get("phones", ())),
        main=entry.get("main", False),
        **texts,
    )


_CAST: Final = data_file("cast.yaml")
PEOPLE: Final = tuple(_member(entry) for entry in _CAST["people"])
BY_KEY: Final = {person.key: person for person in PEOPLE}
PROJECTS: Final = {name: Project(tuple(entry["people"]), entry["about"]) for name, entry in _CAST["projects"].items()}
