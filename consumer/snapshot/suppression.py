"""Purged records that must not come back with the next export, stored as keyed hashes that do not name them.

Two copies exist besides the workspace's history: ``users/<id>/suppressed.json`` in the bucket, and rows in the control
plane's database. Both only grow, so their union is authoritative, and an incomplete copy is repaired from it. A list
inside the workspace's tree (``PATH``), from earlier releases, is read and carried over.

The key makes hashes of one workspace meaningless in another; a key's holder can still test guessable ids (counters).
Copies with different keys do not conflict: the union keeps both lists, each under its own key.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

import orjson

from consumer import layout
from consumer.errors import NotOfForm
from contract import canonical
from contract.api import MAX_SUPPRESSED, SuppressedPage, SuppressRequest
from contract.event import utc_text

#: The list's path inside the tree, in earlier releases.
PATH: Final = f"{layout.MANIFESTS}/suppressed.json"
KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Suppressed:
    """What exports must leave out of one workspace. Treat as immutable. Without a key, no single record is suppressed.

    ``records``: hashes (hexadecimal) under ``key``, which also hashes new records. ``elder``: hashes under other keys.
    ``erased_at``: when everything of the user was last erased; ``begun_anew_at``: when an operator last allowed the
    memory to be filled again from the app's data.
    """

    key: bytes = b""
    records: frozenset[str] = frozenset()
    elder: Mapping[bytes, frozenset[str]] = field(default_factory=dict)
    erased_at: datetime | None = None
    begun_anew_at: datetime | None = None

    @property
    def erased(self) -> bool:
        """Whether everything was erased and the memory was not begun anew since."""
        return self.erased_at is not None and (self.begun_anew_at is None or self.begun_anew_at < self.erased_at)

    @property
    def lists(self) -> dict[bytes, frozenset[str]]:
        """Every non-empty list by its key."""
        return {key: hashes for key, hashes in {**self.elder, self.key: self.records}.items() if hashes}

    def hides(self, source: str, record_id: str, changed_at: datetime | None = None) -> bool:
        """Whether exports must leave out this record: it was purged, or is not newer than an erasure in force.

        ``changed_at``: when the record last changed; None: unknown, which counts as not newer.
        """
        if self.erased and (changed_at is None or self.erased_at is None or changed_at <= self.erased_at):
            return True
        return self.names(source, record_id)

    def names(self, source: str, record_id: str) -> bool:
        """Whether this single record was purged, regardless of an erasure of everything."""
        if not (self.records or self.elder):
            return False
        return any(_hash(key, source, record_id) in hashes for key, hashes in self.lists.items())

    def adding(self, records: Iterable[tuple[str, str]], new_key: bytes) -> Suppressed:
        """These suppressions and the given (source_key, record_id); ``new_key`` applies if there is no key yet."""
        key = self.key or new_key
        return replace(self, key=key, records=self.records | {_hash(key, *record) for record in records})

    def union(self, other: Suppressed) -> Suppressed:
        """The suppressions of both. The key is this one's if it has one."""
        key = self.key or other.key
        own_lists, other_lists = self.lists, other.lists
        lists = {
            name: own_lists.get(name, frozenset()) | other_lists.get(name, frozenset())
            for name in {*own_lists, *other_lists}
        }
        return Suppressed(
            key,
            lists.pop(key, frozenset()),
            lists,
            _later(self.erased_at, other.erased_at),
            _later(self.begun_anew_at, other.begun_anew_at),
        )

    def covers(self, other: Suppressed) -> bool:
        """Whether this contains all of ``other``."""
        return self.union(other) == self

    def encode(self) -> bytes:
        """The object's bytes, with a checksum."""
        body: dict[str, Any] = {
            "key": self.key.hex(),
            "records": sorted(self.records),
            "elder": {key.hex(): sorted(hashes) for key, hashes in sorted(self.elder.items())},
            "erased_at": utc_text(self.erased_at) if self.erased_at else None,
            "begun_anew_at": utc_text(self.begun_anew_at) if self.begun_anew_at else None,
        }
        return canonical.dumps({**body, "check": canonical.digest(body)}) + b"\n"


def decode(data: bytes) -> Suppressed:
    """Parse the object's bytes, or those of the list that earlier releases kept in the tree.

    Raises ValueError: the bytes are no such list. Do not export then, as purged records could come back.
    """
    try:
        document: dict[str, Any] = orjson.loads(data)
        check = document.pop("check", None)
        if check is not None and check != canonical.digest(document):
            raise NotOfForm("check sum")
        return Suppressed(
            bytes.fromhex(document["key"]),
            frozenset(document["records"]),
            {bytes.fromhex(key): frozenset(hashes) for key, hashes in document.get("elder", {}).items()},
            _moment(document.get("erased_at")),
            _moment(document.get("begun_anew_at")),
        )
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError) as exc:
        raise NotOfForm(f"{len(data)} bytes are not a list of suppressed records: {type(exc).__name__}") from exc


#: One call of the control plane: it adds the request's suppressions and returns a page of all.
Call = Callable[[SuppressRequest], SuppressedPage]


def fetched(call: Call) -> Suppressed:
    """All suppressions in the control plane's database, page by page."""
    page = call(SuppressRequest())
    suppressed = _of_page(page)
    while page.next_after is not None:
        page = call(SuppressRequest(after=page.next_after))
        suppressed = _of_page(page).union(suppressed)
    return suppressed


def sent(suppressed: Suppressed, call: Call) -> Suppressed:
    """Add these to the control plane's database, in as many calls as needed; returns the last response's page."""
    pairs = [(key.hex(), item) for key, hashes in suppressed.lists.items() for item in sorted(hashes)]
    response = SuppressedPage()
    for start in range(0, max(len(pairs), 1), MAX_SUPPRESSED):
        lists: dict[str, list[str]] = {}
        for key, item in pairs[start : start + MAX_SUPPRESSED]:
            lists.setdefault(key, []).append(item)
        body = {"key": suppressed.key.hex() or None, "lists": lists, "erased_at": suppressed.erased_at}
        response = call(SuppressRequest.model_validate(body))
    return _of_page(response)


def _of_page(page: SuppressedPage) -> Suppressed:
    key = bytes.fromhex(page.key or "")
    lists = {bytes.fromhex(name): frozenset(hashes) for name, hashes in page.lists.items()}
    return Suppressed(key, lists.pop(key, frozenset()), lists, page.erased_at, page.begun_anew_at)


def _hash(key: bytes, source: str, record_id: str) -> str:
    return hmac.new(key, f"{source}\0{record_id}".encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _later(first: datetime | None, second: datetime | None) -> datetime | None:
    return max((moment for moment in (first, second) if moment is not None), default=None)
