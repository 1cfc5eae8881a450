"""The catalog: for every commit its tree, for every content its place in a pack. HEAD names the current one.

It is a small object that is written anew with each commit. What is recent lies in it; when that grows, it moves to
objects of its own that later catalogs only name, so a commit writes what changed and not what exists:

- trees: an epoch is a whole tree and *runs* of the differences of the commits after it; a new epoch begins when
  reading the runs would cost about as much as reading a whole tree;
- packs: their directories in *segments*. A hydrate reads the live ones; the cold hold packs that only history needs.

Everything is JSON under zstd. Pack directories name contents by the first 16 bytes of their digest: enough to find
them, and what is found is checked against the whole digest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Final, NamedTuple, TypeVar

import orjson
import zstandard

from consumer.errors import NotOfForm
from consumer.snapshot.snapshot import Delta, Entry, Tree
from contract.canonical import sha256_hex

T = TypeVar("T")

FORMAT: Final = 1
#: Compressed bytes that may stay inside the catalog. It is written with every commit, so this bounds a commit's floor.
INLINE_BYTES: Final = 24 * 1024
#: Objects that one hydrate may have to read beside the whole tree, and beside the packs.
MAX_RUNS: Final = 12
MAX_SEGMENTS: Final = 12
#: Hexadecimal digits of a content's digest that a pack directory keeps.
KEY_DIGITS: Final = 32
#: The kinds of a row's first fields: path, mode, size, digest, nonce.
_ROW: Final = (str, int, int, str, str)
#: No metadata object of ours is larger; what claims to be is not ours.
MAX_METADATA_BYTES: Final = 512 << 20


class Frame(NamedTuple):
    """One compressed run of contents inside a pack: its stored and its raw length, and (key, length) of each."""

    stored: int
    raw: int
    contents: tuple[tuple[str, int], ...]


class Pack(NamedTuple):
    """A pack's directory. Frames follow each other from offset 0."""

    digest: str
    frames: tuple[Frame, ...]

    @property
    def stored(self) -> int:
        return sum(frame.stored for frame in self.frames)


class Place(NamedTuple):
    """Where a content is: frame ``frame`` of ``pack``, whose stored bytes start at ``offset``; then inside it."""

    pack: str
    frame: int
    offset: int
    stored: int
    raw: int
    start: int
    length: int


class DiffRun(NamedTuple):
    """A stored run of differences, of commits ``first`` to ``last``."""

    first: int
    last: int
    digest: str
    stored: int


class CatalogBase(NamedTuple):
    """The whole tree of commit ``seq``, and the runs after it."""

    seq: int
    digest: str
    stored: int
    runs: tuple[DiffRun, ...] = ()


@dataclass(frozen=True, slots=True)
class Catalog:
    """One state of the catalog, as of commit ``seq``."""

    seq: int = 0
    epochs: tuple[CatalogBase, ...] = ()
    #: (seq, difference) of the commits after the last run of the last epoch.
    recent: tuple[tuple[int, Delta], ...] = ()
    live: tuple[str, ...] = ()
    cold: tuple[str, ...] = ()
    #: Directories that are in no segment yet.
    packs: tuple[Pack, ...] = ()
    #: Merkle frontier over the digests of all commits from the first to seq, hexadecimal.
    frontier: tuple[str, ...] = ()

    @property
    def origin(self) -> int:
        """The number of the first commit: 1, or after an erasure a higher one; without a commit that of the next."""
        return self.epochs[0].seq if self.epochs else self.seq + 1

    def epoch_of(self, seq: int) -> CatalogBase:
        """The epoch that holds this commit's tree.

        Raises:
            KeyError: no such commit.
        """
        found = [epoch for epoch in self.epochs if epoch.seq <= seq]
        if not found or seq > self.seq:
            raise KeyError(f"the catalog of commit {self.seq} holds no tree of commit {seq}")
        return found[-1]

    def tree_objects(self) -> list[str]:
        """Digests of everything below trees/ that this catalog names."""
        return [digest for epoch in self.epochs for digest in (epoch.digest, *(run.digest for run in epoch.runs))]


class MetadataObject(NamedTuple):
    """A metadata object to upload: folder ``trees`` or ``index``, digest, bytes."""

    folder: str
    digest: str
    data: bytes


# --- the next catalog --------------------------------------------------------------------------------------------


def advance(
    catalog: Catalog, delta: Delta, tree: Tree, new: Sequence[Pack], frontier: Sequence[bytes]
) -> tuple[Catalog, list[MetadataObject]]:
    """The catalog of the next commit, and the objects that it newly names (itself not among them).

    ``tree`` is the next commit's whole tree, ``frontier`` the Merkle frontier with its digest.
    """
    grown = replace(
        catalog,
        seq=catalog.seq + 1,
        recent=(*catalog.recent, (catalog.seq + 1, delta)),
        packs=(*catalog.packs, *new),
        frontier=tuple(item.hex() for item in frontier),
    )
    grown, trees = _spill_trees(grown, tree)
    grown, segments = _spill_packs(grown)
    return grown, [*trees, *segments]


def store_catalog(catalog: Catalog) -> MetadataObject:
    """The catalog itself as an object."""
    return _stored("index", _catalog_json(catalog))


def _spill_trees(catalog: Catalog, tree: Tree) -> tuple[Catalog, list[MetadataObject]]:
    run = store_run(catalog.recent)
    if catalog.epochs and len(run.data) <= INLINE_BYTES:
        return catalog, []
    if not catalog.epochs:
        # The first commit's difference is its whole tree: the epoch alone says it.
        whole = store_tree(tree)
        return replace(catalog, epochs=(CatalogBase(catalog.seq, whole.digest, len(whole.data)),), recent=()), [whole]
    *older, last = catalog.epochs
    named = DiffRun(catalog.recent[0][0], catalog.seq, run.digest, len(run.data))
    last = last._replace(runs=(*last.runs, named))
    if len(last.runs) <= MAX_RUNS and sum(item.stored for item in last.runs) <= max(last.stored, INLINE_BYTES):
        return replace(catalog, epochs=(*older, last), recent=()), [run]
    whole = store_tree(tree)
    fresh = CatalogBase(catalog.seq, whole.digest, len(whole.data))
    return replace(catalog, epochs=(*older, last, fresh), recent=()), [run, whole]


def _spill_packs(catalog: Catalog) -> tuple[Catalog, list[MetadataObject]]:
    segment = store_segment(catalog.packs)
    if len(segment.data) <= INLINE_BYTES:
        return catalog, []
    return replace(catalog, live=(*catalog.live, segment.digest), packs=()), [segment]


def merge_segments(
    catalog: Catalog, live: Sequence[Pack], wanted: Collection[str]
) -> tuple[Catalog, list[MetadataObject]]:
    """Sort all live directories into one live and one cold segment, once there are too many of them.

    ``live`` are the packs of all live segments (not of the catalog itself), ``wanted`` those that HEAD's tree needs.
    """
    if len(catalog.live) <= MAX_SEGMENTS:
        return catalog, []
    hot = store_segment([pack for pack in live if pack.digest in wanted])
    dead = [pack for pack in live if pack.digest not in wanted]
    if not dead:
        return replace(catalog, live=(hot.digest,)), [hot]
    cold = store_segment(dead)
    return replace(catalog, live=(hot.digest,), cold=(*catalog.cold, cold.digest)), [hot, cold]


# --- where contents are ------------------------------------------------------------------------------------------


def key(digest: str) -> str:
    """The name of a content in a pack's directory."""
    return digest[:KEY_DIGITS]


def keys(entries: Iterable[Entry]) -> set[str]:
    """The keys of all contents of these entries."""
    # ``Entry.contents`` and ``key`` spelled out: every persist asks this of every file.
    return {digest[:KEY_DIGITS] for entry in entries if entry.size > 0 for digest in (entry.blocks or (entry.digest,))}


def places(packs: Iterable[Pack]) -> dict[str, Place]:
    """key -> place. A content that is in several packs is taken from the last: repacking puts newer ones behind."""
    found: dict[str, Place] = {}
    for pack in packs:
        offset = 0
        for number, frame in enumerate(pack.frames):
            start = 0
            for name, length in frame.contents:
                found[name] = Place(pack.digest, number, offset, frame.stored, frame.raw, start, length)
                start += length
            offset += frame.stored
    return found


#: A pack smaller than this counts as small: reading it costs a request more than it costs bytes.
SMALL_PACK_BYTES: Final = 1 << 20
MAX_SMALL_PACKS: Final = 8
#: Bytes of packs that HEAD does not need may grow to this share of those it does, before they are left behind.
MAX_WASTE: Final = 0.15


def to_repack(packs: Iterable[Pack], located: Mapping[str, Place], wanted: Iterable[str]) -> set[str]:
    """Packs whose wanted contents should be written again with this commit, so that a hydrate stays cheap.

    ``wanted`` are the keys that the tree needs. All small packs once there are many of them; and, while too much of
    what a hydrate would read is dead, the packs with the largest dead share.
    """
    alive: dict[str, int] = {}
    for name in wanted:
        if place := located.get(name):
            alive[place.pack] = alive.get(place.pack, 0) + place.length
    read = {pack.digest: (sum(frame.raw for frame in pack.frames), pack.stored) for pack in packs}
    small = {digest for digest in alive if digest in read and read[digest][1] < SMALL_PACK_BYTES}
    chosen = small if len(small) > MAX_SMALL_PACKS else set()
    dead = sum(read[digest][0] - alive[digest] for digest in alive if digest in read)
    for digest in sorted(alive, key=lambda name: alive[name] / max(read.get(name, (1, 0))[0], 1)):
        if digest not in read or dead <= MAX_WASTE * sum(alive.values()):
            break
        chosen = {*chosen, digest}
        dead -= read[digest][0] - alive[digest]
    return chosen


# --- bytes -------------------------------------------------------------------------------------------------------


def store_tree(tree: Tree) -> MetadataObject:
    """A whole tree as an object."""
    rows = [_row(tree.entries[path]) for path in sorted(tree.entries)]
    return _stored("trees", {"format": FORMAT, "entries": rows, "erased": sorted(tree.erased)})


def store_run(recent: Sequence[tuple[int, Delta]]) -> MetadataObject:
    """Differences of consecutive commits as an object."""
    return _stored("trees", {"format": FORMAT, "deltas": _deltas_json(recent)})


def store_segment(packs: Iterable[Pack]) -> MetadataObject:
    """Pack directories as an object."""
    return _stored("index", {"format": FORMAT, "packs": [_pack_json(pack) for pack in packs]})


def _checked(load: Callable[[bytes], T]) -> Callable[[bytes], T]:
    """Whatever is wrong with the bytes is a NotOfForm: who may write the bucket chooses them, digest and all."""

    @wraps(load)
    def checked(data: bytes) -> T:
        try:
            return load(data)
        except NotOfForm:
            raise
        except (ValueError, LookupError, TypeError) as exc:
            raise NotOfForm(f"{len(data)} bytes of metadata are of another form: {type(exc).__name__}") from exc

    return checked


@_checked
def load_tree(data: bytes) -> Tree:
    """Raises ValueError: not a whole tree of a known format."""
    document = _document(data, "entries")
    entries = _entries(document["entries"])
    return Tree({entry.path: entry for entry in entries}, frozenset(_leaves(document["erased"])))


@_checked
def load_run(data: bytes) -> list[tuple[int, Delta]]:
    """Raises ValueError: not a run of a known format."""
    return _deltas(_document(data, "deltas")["deltas"])


@_checked
def load_segment(data: bytes) -> list[Pack]:
    """Raises ValueError: not a segment of a known format."""
    return [_pack(item) for item in _document(data, "packs")["packs"]]


@_checked
def load_catalog(data: bytes) -> Catalog:
    """Raises ValueError: not a catalog of a known format."""
    found = _document(data, "epochs")
    return Catalog(
        seq=_whole(found["seq"]),
        epochs=tuple(
            CatalogBase(_whole(seq), _digest(digest), _whole(stored), tuple(_run(*run) for run in runs))
            for seq, digest, stored, runs in found["epochs"]
        ),
        recent=tuple(_deltas(found["recent"])),
        live=tuple(map(_digest, found["live"])),
        cold=tuple(map(_digest, found["cold"])),
        packs=tuple(_pack(item) for item in found["packs"]),
        frontier=tuple(map(_digest, found["frontier"])),
    )


def encode_directory(frames: Sequence[Frame]) -> bytes:
    """The directory as it lies at the end of its own pack, from which a lost catalog can be made again."""
    return _compress({"format": FORMAT, "frames": _frames_json(frames)})


@_checked
def decode_directory(data: bytes) -> tuple[Frame, ...]:
    """Raises ValueError: not a pack directory of a known format."""
    return _frames(_document(data, "frames")["frames"])


def _catalog_json(catalog: Catalog) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "seq": catalog.seq,
        "epochs": [
            [epoch.seq, epoch.digest, epoch.stored, [list(run) for run in epoch.runs]] for epoch in catalog.epochs
        ],
        "recent": _deltas_json(catalog.recent),
        "live": catalog.live,
        "cold": catalog.cold,
        "packs": [_pack_json(pack) for pack in catalog.packs],
        "frontier": catalog.frontier,
    }


def _row(entry: Entry) -> list[Any]:
    return list(entry) if entry.blocks else list(entry[:5])


def _entries(rows: list[list[Any]]) -> list[Entry]:
    # All kinds at once: a question for each field of each row would cost as much as reading them.
    if {tuple(map(type, row[:5])) for row in rows} - {_ROW}:
        raise TypeError
    for row in rows:
        bytes.fromhex(row[4])
    return [_entry(row) for row in rows]


def _entry(row: list[Any]) -> Entry:
    return Entry._make([*row[:5], _texts(row[5])]) if len(row) == 6 else Entry._make([*row, ()])


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise TypeError
    return value


def _digest(value: Any) -> str:
    # Whether it names anything is asked where it is looked up.
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError
    return tuple(values)


def _leaves(values: Any) -> tuple[str, ...]:
    found = _texts(values)
    for value in found:
        bytes.fromhex(value)
    return found


def _run(first: Any, last: Any, digest: Any, stored: Any) -> DiffRun:
    return DiffRun(_whole(first), _whole(last), _digest(digest), _whole(stored))


def _deltas_json(recent: Sequence[tuple[int, Delta]]) -> list[Any]:
    return [
        [seq, [_row(entry) for entry in delta.put], delta.drop, delta.put_erased, delta.drop_erased]
        for seq, delta in recent
    ]


def _deltas(rows: list[Any]) -> list[tuple[int, Delta]]:
    return [
        (_whole(seq), Delta(tuple(_entries(put)), _texts(drop), _leaves(put_erased), _leaves(drop_erased)))
        for seq, put, drop, put_erased, drop_erased in rows
    ]


def _pack_json(pack: Pack) -> list[Any]:
    return [pack.digest, _frames_json(pack.frames)]


def _pack(item: list[Any]) -> Pack:
    return Pack(_digest(item[0]), _frames(item[1]))


def _frames_json(frames: Sequence[Frame]) -> list[Any]:
    # All keys in one string: much shorter in JSON, and quicker to read, than a list of pairs.
    return [
        [frame.stored, frame.raw, "".join(name for name, _ in frame.contents), [length for _, length in frame.contents]]
        for frame in frames
    ]


def _frames(rows: list[Any]) -> tuple[Frame, ...]:
    return tuple(_frame(*row) for row in rows)


def _frame(stored: Any, raw: Any, keys: Any, lengths: Any) -> Frame:
    if not isinstance(keys, str):
        raise TypeError
    contents = tuple(
        (keys[n * KEY_DIGITS : (n + 1) * KEY_DIGITS], length) for n, length in enumerate(map(_whole, lengths))
    )
    return Frame(_whole(stored), _whole(raw), contents)


def _stored(folder: str, document: dict[str, Any]) -> MetadataObject:
    data = _compress(document)
    return MetadataObject(folder, sha256_hex(data), data)


def _compress(document: dict[str, Any]) -> bytes:
    return zstandard.ZstdCompressor(level=3).compress(orjson.dumps(document))


def _document(data: bytes, field: str) -> dict[str, Any]:
    try:
        # The header's own claim decides what the library allocates, so it is looked at first.
        if zstandard.frame_content_size(data) > MAX_METADATA_BYTES:
            raise NotOfForm(f"{len(data)} bytes of metadata claim to unpack to more than {MAX_METADATA_BYTES}")
        raw = zstandard.ZstdDecompressor().decompress(data, max_output_size=MAX_METADATA_BYTES)
        document = orjson.loads(raw)
    except (zstandard.ZstdError, orjson.JSONDecodeError) as exc:
        raise NotOfForm(f"{len(data)} bytes of metadata cannot be read: {type(exc).__name__}") from exc
    if not isinstance(document, dict) or document.get("format") != FORMAT or field not in document:
        raise NotOfForm(f"{len(data)} bytes of metadata hold no {field} of format {FORMAT}")
    return document
