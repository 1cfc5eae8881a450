"""The parts of a snapshot: HEAD, entries, the tree over them, differences between trees, and the check of names.

Digests are lower-case hexadecimal SHA-256; modes are permission bits only. A tree's order never depends on names: its
Merkle leaves are sorted by their hashes, so the bare hash of an erased entry keeps its place.
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

#: Large files are cut into blocks of this size, so that a changed database page uploads one block. PGlite's pages are
#: 8 KiB and adjacent; smaller blocks only enlarge the tree (measured: 128 KiB is best for 20 changed files).
BLOCK_BYTES: Final = 128 * 1024
NONCE_BYTES: Final = 16
#: ``size`` of a folder.
FOLDER: Final = -1
#: The start of ``frozen``.
_INVARIANTS: Final = re.compile(r"([a-z-]{1,40}(?:, [a-z-]{1,40})*) broken\b")
#: POSIX limits of all supported file systems; longer names would fail in the middle of a hydrate.
NAME_BYTES: Final = 255
PATH_BYTES: Final = 1024


@dataclass(frozen=True, slots=True)
class Base:
    """The snapshot that a run started from: HEAD as hydrated. seq 0 and no digest: the user has no commit yet."""

    seq: int
    digest: str | None
    head_generation: int


@dataclass(frozen=True, slots=True)
class Hydrated:
    """The result of a hydrate: ``files`` and ``bytes`` in the run folder, the cursors of the hydrated commit.

    ``written``: the number of files written; the others were in a warm folder already. ``stats``: the files of that
    commit as they are in the folder now.
    """

    base: Base
    cursors: Mapping[str, Any]
    template_version: str
    files: int
    bytes: int
    written: int = 0
    stats: StatCache = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Head:
    """HEAD, and the generation at which it was read (0: the object does not exist)."""

    seq: int = 0
    commit: str | None = None
    index: str | None = None
    epoch: int = 0
    job_id: str | None = None
    attempt: int = 0
    #: Why no commit is allowed, or "". Set if the history does not verify, and during an erasure of everything.
    frozen: str = ""
    generation: int = 0
    #: When everything was erased, or "". Such a HEAD names no commit; the next one is an origin above ``seq``.
    erased: str = ""

    def encode(self) -> bytes:
        """Canonical JSON without the generation, which belongs to the object, and with a checksum, since no other
        object names HEAD's digest.
        """
        names = ("seq", "commit", "index", "epoch", "job_id", "attempt", "frozen")
        body = {name: getattr(self, name) for name in (*names, *(("erased",) if self.erased else ()))}
        return canonical.dumps({**body, "check": canonical.digest(body)})

    def require_types(self) -> None:
        """Raises TypeError if a field has another type or contradicts the others, as in a HEAD that is not ours."""
        for number in (self.seq, self.epoch, self.attempt):
            if type(number) is not int or number < 0:
                raise TypeError("seq, epoch and attempt of HEAD must be integers from 0")
        for name in (self.commit, self.index, self.job_id):
            if not isinstance(name, str | None):
                raise TypeError("commit, index and job_id of HEAD must be strings or null")
        if not isinstance(self.frozen, str) or not isinstance(self.erased, str):
            raise TypeError("frozen and erased of HEAD must be strings")
        if self.erased and (self.commit or self.index):
            raise TypeError("HEAD names a commit although everything was erased")
        if not self.erased and (self.seq > 0) != bool(self.commit):
            raise TypeError("HEAD must name both a seq and a commit, or neither")

    @property
    def broken(self) -> str:
        """The invariants that a frozen history breaks. The rest of ``frozen`` may name a page, so messages omit it."""
        if self.erased:
            return f"its erasure of {self.erased} is not finished"
        match = _INVARIANTS.match(self.frozen)
        return f"{match[1]} broken" if match else "HEAD says why"

    def at(self, generation: int) -> Head:
        return replace(self, generation=generation)


def decode_head(data: bytes, generation: int) -> Head:
    """Parse HEAD's bytes. Raises ValueError: they are not a HEAD, or were changed."""
    try:
        fields = orjson.loads(data)
        fields.pop("check", None)
        head = Head(**fields, generation=generation)
        head.require_types()
    except (orjson.JSONDecodeError, TypeError, AttributeError) as exc:
        raise NotOfForm(f"HEAD of {len(data)} bytes is not a head record: {type(exc).__name__}") from exc
    if head.encode() != data:
        raise NotOfForm(f"HEAD of {len(data)} bytes was changed: its checksum or its encoding is wrong")
    return head


class Entry(NamedTuple):
    """A file or folder. ``digest`` is of the content (see ``file_digest``), "" for a folder.

    ``nonce`` (hexadecimal) prevents that the leaf of an erased entry reveals what it was.
    """

    path: str
    mode: int
    size: int
    digest: str
    nonce: str
    blocks: tuple[str, ...] = ()

    @property
    def contents(self) -> tuple[str, ...]:
        """Digests of the stored contents in order: none, one for a small file, or one per block."""
        if self.size <= 0:
            return ()
        return self.blocks or (self.digest,)

    def leaf(self) -> bytes:
        """The Merkle leaf. It does not depend on where the bytes are stored."""
        body = f"{self.path}\0{self.mode:o}\0{self.size}\0{self.digest}".encode()
        return merkle.leaf_hash(bytes.fromhex(self.nonce) + body)

    def same(self, other: Entry | None) -> bool:
        """Whether the entries are equal except for the nonce."""
        return other is not None and self[:4] == other[:4]


class StatKey(NamedTuple):
    """The parts of a file's stat that change when its content does."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


#: path -> (stat as last seen, entry as last hashed).
StatCache = dict[str, tuple[StatKey, Entry]]


def file_digest(blocks: Collection[str]) -> str:
    """The content digest of a file longer than BLOCK_BYTES, from its blocks' digests in order.

    It cannot pass for a small file's digest, because the size is part of the leaf.
    """
    return hashlib.sha256(b"blocks/1\0" + bytes.fromhex("".join(blocks))).hexdigest()


def digest_of(data: bytes) -> tuple[int, str]:
    """(size, content digest) of a file's bytes, as in its entry."""
    if len(data) <= BLOCK_BYTES:
        return len(data), hashlib.sha256(data).hexdigest()
    starts = range(0, len(data), BLOCK_BYTES)
    return len(data), file_digest([hashlib.sha256(data[n : n + BLOCK_BYTES]).hexdigest() for n in starts])


@dataclass(frozen=True, slots=True)
class Delta:
    """The difference between two trees. Erased entries are bare leaves (hexadecimal)."""

    put: tuple[Entry, ...] = ()
    drop: tuple[str, ...] = ()
    put_erased: tuple[str, ...] = ()
    drop_erased: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.put or self.drop or self.put_erased or self.drop_erased)


@dataclass(frozen=True, slots=True)
class Tree:
    """All entries of one snapshot, by path. Treat as immutable."""

    entries: Mapping[str, Entry] = field(default_factory=dict)
    erased: frozenset[str] = frozenset()
    #: path -> leaf, filled as needed and passed on by ``apply``, since hashing all leaves is most of a small commit.
    _leaves: dict[str, bytes] = field(default_factory=dict, compare=False)

    def leaves(self) -> list[bytes]:
        """All leaf hashes in tree order."""
        leaves = self._leaves
        # ``Entry.leaf`` is inlined, since a hydrate calls it for every file. There are few different modes.
        sha256, fromhex = hashlib.sha256, bytes.fromhex
        octal = {mode: f"{mode:o}" for mode in {entry[1] for entry in self.entries.values()}}
        for path, (name, mode, size, digest, nonce, _) in self.entries.items():
            if path not in leaves:
                body = f"{name}\0{octal[mode]}\0{size}\0{digest}".encode()
                leaves[path] = sha256(b"\0" + fromhex(nonce) + body).digest()
        return sorted([*leaves.values(), *map(bytes.fromhex, self.erased)])

    def merkle_root(self) -> str:
        return merkle.root(self.leaves()).hex()

    def digest(self) -> str:
        """Digest of paths, modes, sizes and contents only: equal for equal files, anywhere and at any time."""
        rows = [f"{path}\0{entry[1]:o}\0{entry[2]}\0{entry[3]}" for path, entry in sorted(self.entries.items())]
        return hashlib.sha256("\n".join(rows).encode()).hexdigest()

    def apply(self, *deltas: Delta) -> Tree:
        """The tree after these differences, applied in order."""
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
    """The difference from ``old`` to ``new``, ignoring nonces. Erased leaves are dropped, as ``new`` has none."""
    old_entry = old.entries.get
    # Most entries are the identical object; only the others are compared.
    put = tuple(entry for path, entry in new.items() if (prev := old_entry(path)) is not entry and not entry.same(prev))
    drop = tuple(path for path in old.entries if path not in new)
    return Delta(put, drop, drop_erased=tuple(sorted(old.erased)))


@dataclass(frozen=True, slots=True)
class SnapshotLimits:
    """The largest snapshot; a larger one counts as an attack or an accident."""

    entries: int = 2_000_000
    bytes: int = 64 * 1024**3


def fault(entries: Mapping[str, Entry], limits: SnapshotLimits, new: Collection[Entry] | None = None) -> str | None:
    """Why this tree must not be written to a disk, or None. The text names paths by digest only.

    ``new``: check only these entries, as the others were checked before; collisions are checked for all.
    """
    if len(entries) > limits.entries:
        return f"{len(entries)} entries, at most {limits.entries} are allowed"
    total = sum([entry.size for entry in entries.values() if entry.size > 0])
    if total > limits.bytes:
        return f"{total} bytes, at most {limits.bytes} are allowed"
    few = new is not None and len(new) < len(entries) // _MANY
    suspects = new if new is not None and few else _suspects(entries)
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
        return f"{unnamed(path)} contains a NUL"
    if len(encoded) > PATH_BYTES:
        return f"{unnamed(path)} is longer than {PATH_BYTES} bytes"
    parts = path.split("/")
    if not {"", ".", ".."}.isdisjoint(parts):
        return f"{unnamed(path)} is not a plain relative path"
    if len(encoded) > NAME_BYTES and max(len(part.encode()) for part in parts) > NAME_BYTES:
        return f"{unnamed(path)} has a name longer than {NAME_BYTES} bytes"
    return None


def _suspects(entries: Mapping[str, Entry]) -> Iterable[Entry]:
    """The entries to check one by one. Of most trees these are the large files alone, as everything else is seen to be
    safe in a look at all paths together, which costs a fifth.
    """
    several = entries.values()
    paths = [entry[0] for entry in several]
    together = "\n".join(["", *paths, ""])
    names = together.replace("/", "\n")
    folders = {path for path, entry in entries.items() if entry[2] == FOLDER}
    if (
        not together.isascii()
        or together.count("\n") != len(paths) + 1
        or any(odd in names for odd in _ODD)
        or len(max(paths, key=len, default="")) > NAME_BYTES
        or not {path.rpartition("/")[0] for path in paths} <= {*folders, ""}
        or any(not 0 <= mode <= 0o777 for mode in {entry[1] for entry in several})
    ):
        return several
    return [entry for entry in several if entry[5] or not FOLDER <= entry[2] <= BLOCK_BYTES]


#: To check this share of the entries one by one takes as long as to look at all of them.
_MANY: Final = 5
#: What no path may have: a NUL, or one of these names. Here each name has a line of its own.
_ODD: Final = ("\0", "\n\n", "\n.\n", "\n..\n")


def _plain(path: str) -> bool:
    """Whether a path is certainly safe. Most paths are; this costs a tenth of the full check."""
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
    if fault_of_name := name_fault(path):
        return fault_of_name
    if size < FOLDER or not 0 <= mode <= 0o777:
        return f"{unnamed(path)} has size {size} and mode {mode:o}: not a plain file or folder"
    if size != FOLDER and len(entry.blocks) != (-(-size // BLOCK_BYTES) if size > BLOCK_BYTES else 0):
        return f"{unnamed(path)} of {size} bytes has {len(entry.blocks)} blocks"
    parent = path.rpartition("/")[0]
    if parent and (parent not in entries or entries[parent].size != FOLDER):
        return f"{unnamed(path)} is not inside a folder of this snapshot"
    return None


def _collision(entries: Collection[str]) -> str | None:
    """Two names that some file system (macOS, Windows, a case-folding mount) treats as equal."""
    if all(map(str.isascii, entries)) and len(set(map(str.lower, entries))) == len(entries):
        return None
    seen: dict[str, str] = {}
    for path in entries:
        key = path.lower() if path.isascii() else _folded(path)
        earlier = seen.setdefault(key, path)
        if earlier is not path:
            return f"{unnamed(earlier)} and {unnamed(path)} differ only by case or by Unicode normal form"
    return None


def _folded(path: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", path).casefold())


def _first(faults: Iterable[str | None]) -> str | None:
    return next((fault for fault in faults if fault), None)
