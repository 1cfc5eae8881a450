"""
What a user wants kept out of their memory in future: a source, a person or a topic, without its words being kept.

A person is the digests of names and addresses, a topic those of its words, under the user's key. A record is kept out
if it is of the source; if a text in it is one of the person's names or holds one of their addresses; or if all words
of the topic stand in it, in any order and case. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from contract.api import Hex64, Wire
from contract.event import Uuid
from contract.keyed import digest

ExclusionKind = Literal["source", "person", "topic"]
#: Names and addresses of a person, or words of a topic.
MAX_PARTS: Final = 40
_WORD: Final = re.compile(r"[^\W_]+")
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


class ExclusionRequest(Wire):
    """``texts``: of a source its key; names and addresses of a person; the words of a topic. Only digests are kept."""

    kind: ExclusionKind
    texts: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=400)], ...], Field(min_length=1, max_length=MAX_PARTS)
    ]


class Exclusion(Wire):
    """``parts``: see the module; ``source_key``: of kind ``source``."""

    id: Uuid
    kind: ExclusionKind
    source_key: str | None = None
    parts: tuple[Hex64, ...] = ()


def fold(text: str) -> str:
    """Small letters of one form, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def parts(key: str, request: ExclusionRequest) -> tuple[str, ...]:
    """The digests of a person or a topic; empty: nothing that could be recognized again."""
    if request.kind == "person":
        return tuple(dict.fromkeys(digest(key, "exclude", "person", fold(text)) for text in request.texts))
    words = dict.fromkeys(word for text in request.texts for word in _WORD.findall(fold(text)))
    return tuple(digest(key, "exclude", "topic", word) for word in words)[:MAX_PARTS]


@dataclass
class Excluder:
    """Recognizes records that are to be kept out. Each word is digested once."""

    key: str
    exclusions: tuple[Exclusion, ...]
    _digests: dict[tuple[str, str], str] = field(default_factory=dict)

    def excludes(self, source_key: str, data: Any) -> bool:
        """Whether a record is kept out. ``data``: its JSON value; None, a deleted record, only by its source."""
        if any(each.source_key == source_key for each in self.exclusions if each.kind == "source"):
            return True
        sought = [(each.kind, frozenset(each.parts)) for each in self.exclusions if each.parts]
        if not sought or data is None:
            return False
        texts = [fold(text) for text in _texts(data)]
        persons = self._all("person", (name for text in texts for name in (text, *_ADDRESS.findall(text))))
        words = self._all("topic", (word for text in texts for word in _WORD.findall(text)))
        return any(bool(held & persons) if kind == "person" else held <= words for kind, held in sought)

    def _all(self, kind: str, texts: Iterable[str]) -> frozenset[str]:
        if not any(each.kind == kind for each in self.exclusions):
            return frozenset()
        return frozenset(self._digest(kind, text) for text in texts)

    def _digest(self, kind: str, text: str) -> str:
        if (kind, text) not in self._digests:
            self._digests[kind, text] = digest(self.key, "exclude", kind, text)
        return self._digests[kind, text]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for entry in value.values():
            yield from _texts(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from _texts(entry)
