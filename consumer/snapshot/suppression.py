"""Records that were purged and must not come back with the next export, kept as keyed hashes that name none of them.

Two copies exist beside the workspace's history: ``users/<id>/suppressed.json`` in the bucket and rows in the control
plane's database. Both only ever grow, so their union is the truth and a copy that lags behind is repaired from it. A
list inside the workspace's tree (``PATH``), as earlier versions kept it, is read and carried over.

The key makes one workspace's hashes say nothing in another; ids that can be guessed (counters) can still be tried by
whoever holds the key. Copies of different keys are no conflict: the union keeps both lists, each under its own key.
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

#: Where the list lay inside the tree.
PATH: Final = f"{layout.MANIFESTS}/suppressed.json"
KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Suppressed:
    """What must stay away from one workspace. Treat as immutable. Without a key no single record is suppressed.

    ``records``: hashes (hexadecimal) under ``key``, which is the one that new records are hashed with. ``elder``:
    hashes under other keys. ``erased_at``: when everything of the user was erased last; ``begun_anew_at``: when an
    operator last allowed the memory to be filled again from the app's data.
    """

    key: bytes = b""
    records: frozenset[str] = frozenset()
    elder: Mapping[bytes, frozenset[str]] = field(default_factory=dict)
    erased_at: datetime | None = None
    begun_anew_at: datetime | None = None

    @property
    def erased(self) -> bool:
        """Everything was erased, and nobody has begun anew since."""
        return self.erased_at is not None and (self.begun_anew_at is None or self.begun_anew_at < self.erased_at)

    @property
    def lists(self) -> dict[bytes, frozenset[str]]:
        """Every list by its key, those without a hash left out."""
        return {key: hashes for key, hashes in {**self.elder, self.key: self.records}.items() if hashes}

    def hides(self, source: str, record_id: str, changed_at: datetime | None = None) -> bool:
        """Must this record stay away: it was purged, or it is no younger than an erasure that still holds?

        ``changed_at``: when the record changed last; None: not known, and so no younger.
        """
        if self.erased and (changed_at is None or self.erased_at is None or changed_at <= self.erased_at):
            return True
        return self.names(source, record_id)

    def names(self, source: str, record_id: str) -> bool:
        """Was this very record purged, whatever was erased besides?"""
        if not (self.records or self.elder):
            return False
        return any(_hash(key, source, record_id) in hashes for key, hashes in self.lists.items())

    def adding(self, records: Iterable[tuple[str, str]], new_key: bytes) -> Suppressed:
        """With these (source_key, record_id) too; ``new_key`` is taken where there is no key yet."""
        key = self.key or new_key
        return replace(self, key=key, records=self.records | {_hash(key, *record) for record in records})

    def union(self, other: Suppressed) -> Suppressed:
        """All that either knows. The key is this one's, where it has one."""
        key = self.key or other.key
        mine, theirs = self.lists, other.lists
        lists = {name: mine.get(name, frozenset()) | theirs.get(name, frozenset()) for name in {*mine, *theirs}}
        return Suppressed(
            key,
            lists.pop(key, frozenset()),
            lists,
            _later(self.erased_at, other.erased_at),
            _later(self.begun_anew_at, other.begun_anew_at),
        )

    def covers(self, other: Suppressed) -> bool:
        """Does this hold all that ``other`` does?"""
        return self.union(other) == self

    def encode(self) -> bytes:
        """The object's bytes, with a check sum of their own."""
        body: dict[str, Any] = {
            "key": self.key.hex(),
            "records": sorted(self.records),
            "elder": {key.hex(): sorted(hashes) for key, hashes in sorted(self.elder.items())},
            "erased_at": utc_text(self.erased_at) if self.erased_at else None,
            "begun_anew_at": utc_text(self.begun_anew_at) if self.begun_anew_at else None,
        }
        return canonical.dumps({**body, "check": canonical.digest(body)}) + b"\n"


def decode(data: bytes) -> Suppressed:
    """The object's bytes, or those of the list that earlier versions kept in the tree -> Suppressed.

    Raises:
        ValueError: not such a list. Nobody may go on then: what was purged could come back.
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
        raise NotOfForm(f"{len(data)} bytes are no list of suppressed records: {type(exc).__name__}") from exc


#: One call of the control plane: it adds what the request brings, and answers with a page of all there is.
Ask = Callable[[SuppressRequest], SuppressedPage]


def fetched(ask: Ask) -> Suppressed:
    """All that the control plane's database holds, page by page."""
    page = ask(SuppressRequest())
    found = _of_page(page)
    while page.next_after is not None:
        page = ask(SuppressRequest(after=page.next_after))
        found = _of_page(page).union(found)
    return found


def sent(more: Suppressed, ask: Ask) -> Suppressed:
    """Bring all of this to the control plane's database, in as many calls as it takes; the last answer's first page."""
    pairs = [(key.hex(), item) for key, hashes in more.lists.items() for item in sorted(hashes)]
    answer = SuppressedPage()
    for start in range(0, max(len(pairs), 1), MAX_SUPPRESSED):
        lists: dict[str, list[str]] = {}
        for key, item in pairs[start : start + MAX_SUPPRESSED]:
            lists.setdefault(key, []).append(item)
        body = {"key": more.key.hex() or None, "lists": lists, "erased_at": more.erased_at}
        answer = ask(SuppressRequest.model_validate(body))
    return _of_page(answer)


def _of_page(page: SuppressedPage) -> Suppressed:
    key = bytes.fromhex(page.key or "")
    lists = {bytes.fromhex(name): frozenset(hashes) for name, hashes in page.lists.items()}
    return Suppressed(key, lists.pop(key, frozenset()), lists, page.erased_at, page.begun_anew_at)


def _hash(key: bytes, source: str, record_id: str) -> str:
    return hmac.new(key, f"{source}\0{record_id}".encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _later(mine: datetime | None, theirs: datetime | None) -> datetime | None:
    return max((moment for moment in (mine, theirs) if moment is not None), default=None)
