"""What a snapshot is: HEAD, entries, the tree over them, differences between trees, and which names are safe.

Digests are lower-case hexadecimal SHA-256; modes are permission bits only. A tree's order never depends on names: its
Merkle leaves are sorted by their own hash, so an erased entry can stay behind as a bare hash in its place.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import orjson

from consumer.errors import NotOfForm
from consumer.layout import unnamed
from consumer.snapshot import merkle
from contract import canonical

#: Large files are cut here, so that a database that changes a page uploads one block. PGlite's pages are 8 KiB and
#: lie together; smaller blocks only make the tree bigger (measured: 128 KiB is best for 20 changed files).
BLOCK_BYTES: Final = 128 * 1024
NONCE_BYTES: Final = 16
#: ``size`` of a folder.
FOLDER: Final = -1
#: How ``frozen`` begins.
_INVARIANTS: Final = re.compile(r"([a-z-]{1,40}(?:, [a-z-]{1,40})*) broken\b")
#: POSIX limits that every file system we meet has; longer names would fail in the middle of a hydrate.
NAME_BYTES: Final = 255
PATH_BYTES: Final = 1024


@dataclass(frozen=True, slots=True)
class Base:
    """The snapshot a run started from: HEAD as it was hydrated. seq 0 and no digest: the user has no commit yet.

    ``tree`` is the digest of its contents alone, the same for the same files anywhere.
    """

    seq: int
    digest: str | None
    head_generation: int
    tree: str | None = None


@dataclass(frozen=True, slots=True)
class Hydrated:
    """What hydrate brought: ``files`` and ``bytes`` now in the run folder, the cursors of the commit it came from.

    ``written``: how many of the files had to be written; the others stood already in a warm folder.
    """

    base: Base
    cursors: Mapping[str, Any]
    template_version: str
    files: int
    bytes: int
    written: int = 0


@dataclass(frozen=True, slots=True)
class Head:
    """HEAD, and the generation at which it was read (0: it does not exist)."""

    seq: int = 0
    commit: str | None = None
    index: str | None = None
    epoch: int = 0
    job_id: str | None = None
    attempt: int = 0
    #: Why nobody may write, or empty. Set when the history does not verify, and while everything is being erased.
    frozen: str = ""
    generation: int = 0
    #: When everything was erased, or empty. Such a HEAD names no commit; the next one is an origin above ``seq``.
    erased: str = ""

    def encode(self) -> bytes:
        """Canonical JSON without the generation, which belongs to the object; with a check sum of its own, since no
        other object names HEAD's digest.
        """
        names = ("seq", "commit", "index", "epoch", "job_id", "attempt", "frozen")
        body = {name: getattr(self, name) for name in (*names, *(("erased",) if self.erased else ()))}
        return canonical.dumps({**body, "check": canonical.digest(body)})

    def require_types(self) -> None:
        """Raises TypeError: a field is not of its type, as in a HEAD that nobody of us wrote."""
        for number in (self.seq, self.epoch, self.attempt):
            if type(number) is not int or number < 0:
                raise TypeError("a number of HEAD is none, or negative")
        for name in (self.commit, self.index, self.job_id):
            if not isinstance(name, str | None):
                raise TypeError("a name of HEAD is no text")
        if not isinstance(self.frozen, str) or not isinstance(self.erased, str):
            raise TypeError("HEAD freezes or erases without saying why or when")
        if self.erased and (self.commit or self.index):
            raise TypeError("HEAD names a commit although all was erased")
        if not self.erased and (self.seq > 0) != bool(self.commit):
            raise TypeError("HEAD names a seq without a commit")

    @property
    def broken(self) -> str:
        """The invariants that a frozen history breaks; what else ``frozen`` says may name a page: not for messages."""
        if self.erased:
            return f"its erasure of {self.erased} is not finished"
        found = _INVARIANTS.match(self.frozen)
        return f"{found[1]} broken" if found else "HEAD says why"

    def at(self, generation: int) -> Head:
        return replace(self, generation=generation)


def decode_head(data: bytes, generation: int) -> Head:
    """HEAD's bytes -> Head.

    Raises:
        ValueError: not a HEAD, or not as it was written.
    """
    try:
        fields = orjson.loads(data)
        fields.pop("check", None)
        head = Head(**fields, generation=generation)
        head.require_types()
    except (orjson.JSONDecodeError, TypeError, AttributeError) as exc:
        raise NotOfForm(f"HEAD of {len(data)} bytes is not a head record: {type(exc).__name__}") from exc
    if head.encode() != data:
        raise NotOfForm(f"HEAD of {len(data)} bytes is not as it was written: its check sum or its form is wrong")
    return head


class Entry(NamedTuple):
    """A file or folder. ``digest`` is of the content (see ``file_digest``), empty for a folder.

    ``nonce`` (hexadecimal) makes the leaf of an erased entry say nothing about what it was.
    """

    path: str
    mode: int
    size: int
    digest: str
    nonce: str
    blocks: tuple[str, ...] = ()

    @property
    def contents(self) -> tuple[str, ...]:
        """Digests of the stored pieces in order: of nothing, of the whole small file, or one a block."""
        if self.size <= 0:
            return ()
        return self.blocks or (self.digest,)

    def leaf(self) -> bytes:
        """The Merkle leaf; where the bytes are stored is no part of it."""
        body = f"{self.path}\0{self.mode:o}\0{self.size}\0{self.digest}".encode()
        return merkle.leaf_hash(bytes.fromhex(self.nonce) + body)

    def same(self, other: Entry | None) -> bool:
        """Equal but for the nonce."""
        return other is not None and self[:4] == other[:4]


def file_digest(blocks: Collection[str]) -> str:
    """The content digest of a file longer than BLOCK_BYTES, from its blocks' digests in order.

    It cannot be taken for that of a small file, because the size is part of the leaf.
    """
    return hashlib.sha256(b"blocks/1\0" + bytes.fromhex("".join(blocks))).hexdigest()


def digest_of(data: bytes) -> tuple[int, str]:
    """(size, content digest) of a whole file's bytes, as an entry would say."""
    if len(data) <= BLOCK_BYTES:
        return len(data), hashlib.sha256(data).hexdigest()
    starts = range(0, len(data), BLOCK_BYTES)
    return len(data), file_digest([hashlib.sha256(data[n : n + BLOCK_BYTES]).hexdigest() for n in starts])


@dataclass(frozen=True, slots=True)
class Delta:
    """How one tree becomes the next. The erased ones are bare leaves (hexadecimal)."""

    put: tuple[Entry, ...] = ()
    drop: tuple[str, ...] = ()
    put_erased: tuple[str, ...] = ()
    drop_erased: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.put or self.drop or self.put_erased or self.drop_erased)


@dataclass(frozen=True, slots=True)
class Tree:
    """Everything of one snapshot, by path. Treat as immutable."""

    entries: Mapping[str, Entry] = field(default_factory=dict)
    erased: frozenset[str] = frozenset()
    #: path -> leaf, filled as needed and handed on by ``apply``, since hashing all leaves is most of a small commit.
    _leaves: dict[str, bytes] = field(default_factory=dict, repr=False, compare=False)

    def leaves(self) -> list[bytes]:
        """All leaf hashes in tree order."""
        known = self._leaves
        for path, entry in self.entries.items():
            if path not in known:
                known[path] = entry.leaf()
        return sorted([*known.values(), *map(bytes.fromhex, self.erased)])

    def merkle_root(self) -> str:
        return merkle.root(self.leaves()).hex()

    def digest(self) -> str:
        """Over paths, modes, sizes and contents alone: the same for the same files, wherever and whenever."""
        rows = [f"{path}\0{it[1]:o}\0{it[2]}\0{it[3]}" for path, it in sorted(self.entries.items())]
        return hashlib.sha256("\n".join(rows).encode()).hexdigest()

    def apply(self, *deltas: Delta) -> Tree:
        """The tree after these differences, one upon the other."""
        entries, leaves, erased = dict(self.entries), dict(self._leaves), self.erased
        for delta in deltas:
            for path in delta.drop:
                entries.pop(path, None)
                leaves.pop(path, None)
            for entry in delta.put:
                entries[entry.path] = entry
                leaves.pop(entry.path, None)
            erased = (erased - frozenset(delta.drop_erased)) | frozenset(delta.put_erased)
        return Tree(entries, erased, leaves)

    @property
    def files(self) -> int:
        return sum([entry.size != FOLDER for entry in self.entries.values()])

    @property
    def total_bytes(self) -> int:
        return sum([entry.size for entry in self.entries.values() if entry.size > 0])


def diff(old: Tree, new: Mapping[str, Entry]) -> Delta:
    """What leads from ``old`` to ``new``, nonces apart. Erased leaves go: a new snapshot has nothing of them."""
    known = old.entries.get
    # Almost every entry is the very one it was; only the others are compared.
    put = tuple(entry for path, entry in new.items() if (it := known(path)) is not entry and not entry.same(it))
    drop = tuple(path for path in old.entries if path not in new)
    return Delta(put, drop, drop_erased=tuple(sorted(old.erased)))


@dataclass(frozen=True, slots=True)
class SnapshotLimits:
    """What a snapshot may hold at most; beyond is taken for an attack or an accident."""

    entries: int = 2_000_000
    bytes: int = 64 * 1024**3


def fault(entries: Mapping[str, Entry], limits: SnapshotLimits, new: Iterable[Entry] | None = None) -> str | None:
    """Why this tree must not be written to a disk, or None. The answer names places by digest, never a path.

    ``new``: only these can have a fault of their own, the others have been looked at; collisions are looked for in all.
    """
    if len(entries) > limits.entries:
        return f"{len(entries)} entries, at most {limits.entries} are allowed"
    total = sum([entry.size for entry in entries.values() if entry.size > 0])
    if total > limits.bytes:
        return f"{total} bytes, at most {limits.bytes} are allowed"
    suspects = entries.values() if new is None else new
    return _first(_entry_fault(entry, entries) for entry in suspects) or _collision(entries)


def name_fault(path: str) -> str | None:
    """Why this path may not be created below a run folder, or None."""
    return None if _plain(path) else _odd_name_fault(path)


def _odd_name_fault(path: str) -> str | None:
    try:
        encoded = path.encode()
    except UnicodeEncodeError:
        return f"{unnamed(path)} is not UTF-8"
    if "\0" in path:
        return f"{unnamed(path)} holds a NUL"
    if len(encoded) > PATH_BYTES:
        return f"{unnamed(path)} is longer than {PATH_BYTES} bytes"
    parts = path.split("/")
    if not {"", ".", ".."}.isdisjoint(parts):
        return f"{unnamed(path)} is not a plain relative path"
    if len(encoded) > NAME_BYTES and max(len(part.encode()) for part in parts) > NAME_BYTES:
        return f"{unnamed(path)} has a name longer than {NAME_BYTES} bytes"
    return None


def _plain(path: str) -> bool:
    """Nothing can be wrong with it: almost every path, told at a tenth of the cost of looking for what is wrong."""
    return (
        path.isascii()
        and 0 < len(path) <= NAME_BYTES
        and path[0] not in "./"
        and path[-1] != "/"
        and "/." not in path
        and "//" not in path
        and "\0" not in path
    )


def _entry_fault(entry: Entry, entries: Mapping[str, Entry]) -> str | None:
    path, mode, size = entry[:3]
    if found := name_fault(path):
        return found
    if size < FOLDER or not 0 <= mode <= 0o777:
        return f"{unnamed(path)} has size {size} and mode {mode:o}: not a plain file or folder"
    if size != FOLDER and len(entry.blocks) != (-(-size // BLOCK_BYTES) if size > BLOCK_BYTES else 0):
        return f"{unnamed(path)} of {size} bytes has {len(entry.blocks)} blocks"
    parent = path.rpartition("/")[0]
    if parent and (parent not in entries or entries[parent].size != FOLDER):
        return f"{unnamed(path)} lies in something that is no folder of this snapshot"
    return None


def _collision(entries: Collection[str]) -> str | None:
    """Two names that one file system (macOS, Windows, a case-folding mount) would take for the same."""
    if all(map(str.isascii, entries)) and len(set(map(str.lower, entries))) == len(entries):
        return None
    seen: dict[str, str] = {}
    for path in entries:
        key = path.lower() if path.isascii() else _folded(path)
        other = seen.setdefault(key, path)
        if other is not path:
            return f"{unnamed(other)} and {unnamed(path)} differ only by case or by Unicode normal form"
    return None


def _folded(path: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", path).casefold())


def _first(faults: Iterable[str | None]) -> str | None:
    return next((found for found in faults if found), None)
