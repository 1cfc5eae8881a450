"""Records that were purged and must not come back with the next export: kept as keyed hashes, so the list names none.

``runtime/manifests/suppressed.json``: ``{"key": hex, "records": [hex, ...]}``. The key makes one workspace's hashes say
nothing in another; ids that can be guessed (counters) can still be tried by whoever holds the workspace.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import orjson

from consumer.core import layout
from consumer.core.errors import NotOfForm

PATH: Final = f"{layout.MANIFESTS}/suppressed.json"
KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Suppressed:
    """Treat as immutable. Without a key nothing is suppressed."""

    key: bytes = b""
    records: frozenset[str] = frozenset()

    def hides(self, source: str, record_id: str) -> bool:
        """Was this record purged?"""
        return bool(self.records) and self._hash(source, record_id) in self.records

    def adding(self, records: Iterable[tuple[str, str]], new_key: bytes) -> Suppressed:
        """With these too; ``new_key`` is taken where there is none yet."""
        grown = Suppressed(self.key or new_key, self.records)
        return Suppressed(grown.key, grown.records | {grown._hash(*record) for record in records})

    def encode(self) -> bytes:
        return orjson.dumps({"key": self.key.hex(), "records": sorted(self.records)}) + b"\n"

    def _hash(self, source: str, record_id: str) -> str:
        return hmac.new(self.key, f"{source}\0{record_id}".encode(), hashlib.sha256).hexdigest()


def decode(data: bytes) -> Suppressed:
    """The file's bytes -> Suppressed.

    Raises:
        ValueError: not such a file. Nobody may go on then: what was purged could come back.
    """
    try:
        document: dict[str, Any] = orjson.loads(data)
        return Suppressed(bytes.fromhex(document["key"]), frozenset(document["records"]))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as exc:
        raise NotOfForm(f"{PATH} of {len(data)} bytes is no list of suppressed records: {type(exc).__name__}") from exc
