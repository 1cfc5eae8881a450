"""The catalog: the tree of every commit, and the place of every content in a pack. HEAD names the current catalog.

It is a small object, written with each commit. Recent data is inside it. When that grows, it moves to objects of its
own, which later catalogs only name. So a commit writes what changed, and not what exists:

- trees: an epoch is a whole tree and *runs* of the differences of the commits after it; a new epoch starts when reading
  the runs would cost about as much as reading a whole tree;
- packs: their directories in *segments*. A hydrate reads the live ones; cold ones have packs that only history needs.

Everything is JSON under zstd. Pack directories name contents by the first 16 bytes of their digest, which suffices to
find them; the content is then checked against the full digest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, Final, NamedTuple, TypeVar

import orjson
import zstandard

from consumer.errors import NotOfForm
from consumer.snapshot.snapshot import Delta, Entry, Tree
from contract.canonical import sha256_hex

T = TypeVar("T")

FORMAT: Final = 1
#: Compressed bytes that may stay inside the catalog. It is written with every commit, so this is a commit's base cost.
INLINE_BYTES: Final = 24 * 1024
#: Objects that one hydrate may have to read besides the whole tree, and besides the packs.
MAX_RUNS: Final = 12
MAX_SEGMENTS: Final = 12
#: Hexadecimal digits of a content's digest that a pack directory keeps.
KEY_DIGITS: Final = 32
#: The kinds of a row's first fields: path, mode, size, digest, nonce.
_ROW: Final = (str, int, int, str, str)
#: None of our metadata objects is larger; an object that claims to be is not ours.
MAX_METADATA_BYTES: Final = 512 << 20


class Frame(NamedTuple):
    """A compressed run of contents inside a pack: its stored and raw lengths, and (key, length) of each content."""

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
    """The place of a content: frame ``frame`` of ``pack``, whose stored bytes start at ``offset``; ``start`` and
    ``length`` are inside the frame's raw bytes.
    """

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
        """The number of the first commit: 1, or higher after an erasure; without commits, the number of the next."""
        return self.epochs[0].seq if self.epochs else self.seq + 1

    def epoch_of(self, seq: int) -> CatalogBase:
        """The epoch with this commit's tree. Raises KeyError: no such commit."""
        epochs = [epoch for epoch in self.epochs if epoch.seq <= seq]
        if not epochs or seq > self.seq:
            raise KeyError(f"the catalog of commit {self.seq} has no tree of commit {seq}")
        return epochs[-1]

    def tree_objects(self) -> list[str]:
        """Digests of all objects below trees/ that this catalog names."""
        return [digest for epoch in self.epochs for digest in (epoch.digest, *(run.digest for run in epoch.runs))]


class MetadataObject(NamedTuple):
    """A metadata object to upload: folder ``trees`` or ``index``, digest, bytes."""

    folder: str
    digest: str
    data: bytes

    def as_base(self, seq: int, runs: Iterable[DiffRun] = ()) -> CatalogBase:
        """How a catalog names a whole tree."""
        return CatalogBase(seq, self.digest, len(self.data), tuple(runs))

    def as_run(self, first: int, last: int) -> DiffRun:
        """How a catalog names a run of differences."""
        return DiffRun(first, last, self.digest, len(self.data))


# --- the next catalog --------------------------------------------------------------------------------------------


def advance(
    catalog: Catalog, delta: Delta, tree: Tree, new_packs: Sequence[Pack], frontier: Sequence[bytes]
) -> tuple[Catalog, list[MetadataObject]]:
    """The next commit's catalog, and the objects that it newly names (without itself).

    ``tree`` is the next commit's whole tree, ``frontier`` the Merkle frontier with its digest.
    """
    advanced = replace(
        catalog,
        seq=catalog.seq + 1,
        recent=(*catalog.recent, (catalog.seq + 1, delta)),
        packs=(*catalog.packs, *new_packs),
        frontier=tuple(item.hex() for item in frontier),
    )
    advanced, trees = _spill_trees(advanced, tree)
    advanced, segments = _spill_packs(advanced)
    return advanced, [*trees, *segments]


def store_catalog(catalog: Catalog) -> MetadataObject:
    """A catalog as an object."""
    return _stored("index", _catalog_json(catalog))


def _spill_trees(catalog: Catalog, tree: Tree) -> tuple[Catalog, list[MetadataObject]]:
    if not catalog.epochs:
        # The first commit's difference is its whole tree, which the epoch has already.
        whole_tree = store_tree(tree)
        return replace(catalog, epochs=(whole_tree.as_base(catalog.seq),), recent=()), [whole_tree]
    run = store_run(catalog.recent)
    if len(run.data) <= INLINE_BYTES:
        return catalog, []
    *older, current = catalog.epochs
    current = current._replace(runs=(*current.runs, run.as_run(catalog.recent[0][0], catalog.seq)))
    if len(current.runs) <= MAX_RUNS and sum(item.stored for item in current.runs) <= max(current.stored, INLINE_BYTES):
        return replace(catalog, epochs=(*older, current), recent=()), [run]
    whole_tree = store_tree(tree)
    return replace(catalog, epochs=(*older, current, whole_tree.as_base(catalog.seq)), recent=()), [run, whole_tree]


def _spill_packs(catalog: Catalog) -> tuple[Catalog, list[MetadataObject]]:
    segment = store_segment(catalog.packs)
    if len(segment.data) <= INLINE_BYTES:
        return catalog, []
    return replace(catalog, live=(*catalog.live, segment.digest), packs=()), [segment]


def merge_segments(
    catalog: Catalog, live: Sequence[Pack], needed: Collection[str]
) -> tuple[Catalog, list[MetadataObject]]:
    """Sort all live directories into one live and one cold segment, once there are too many of them.

    ``live``: the packs of all live segments (not of the catalog itself). ``needed``: those that HEAD's tree needs.
    """
    if len(catalog.live) <= MAX_SEGMENTS:
        return catalog, []
    live_segment = store_segment([pack for pack in live if pack.digest in needed])
    cold_packs = [pack for pack in live if pack.digest not in needed]
    if not cold_packs:
        return replace(catalog, live=(live_segment.digest,)), [live_segment]
    cold_segment = store_segment(cold_packs)
    return replace(catalog, live=(live_segment.digest,), cold=(*catalog.cold, cold_segment.digest)), [
        live_segment,
        cold_segment,
    ]


# --- where contents are ------------------------------------------------------------------------------------------


def key(digest: str) -> str:
    """A content's name in a pack's directory."""
    return digest[:KEY_DIGITS]


def keys(entries: Iterable[Entry]) -> set[str]:
    """The keys of all contents of these entries."""
    # ``Entry.contents`` and ``key`` are inlined, since every persist calls this for every file.
    return {digest[:KEY_DIGITS] for entry in entries if entry.size > 0 for digest in (entry.blocks or (entry.digest,))}


def places(packs: Iterable[Pack]) -> dict[str, Place]:
    """key -> place. For a content in several packs the last one counts, since repacking appends newer packs."""
    by_key: dict[str, Place] = {}
    for digest, frames in packs:
        offset = 0
        for number, (stored, raw, contents) in enumerate(frames):
            start = 0
            for name, length in contents:
                by_key[name] = _place((digest, number, offset, stored, raw, start, length))
                start += length
            offset += stored
    return by_key


#: A place from its fields without a call of Python's: a workspace has tens of thousands of them.
_place: Final[Callable[[Sequence[Any]], Place]] = partial(tuple.__new__, Place)


#: Below this size, reading a pack costs more for the request than for the bytes.
SMALL_PACK_BYTES: Final = 1 << 20
MAX_SMALL_PACKS: Final = 8
#: The bytes of packs that HEAD does not need may reach this share of the needed bytes before packs are rewritten.
MAX_WASTE: Final = 0.15


def to_repack(packs: Iterable[Pack], located: Mapping[str, Place], needed: Iterable[str]) -> set[str]:
    """Packs whose needed contents should be written again with this commit, so that a hydrate stays cheap.

    ``needed``: the keys that the tree needs. Returns all small packs if there are many; and, while too much of what a
    hydrate reads is dead, the packs with the largest dead share.
    """
    alive: dict[str, int] = {}
    for name in needed:
        if place := located.get(name):
            alive[place.pack] = alive.get(place.pack, 0) + place.length
    sizes = {pack.digest: (sum(frame.raw for frame in pack.frames), pack.stored) for pack in packs}
    small = {digest for digest in alive if digest in sizes and sizes[digest][1] < SMALL_PACK_BYTES}
    chosen = small if len(small) > MAX_SMALL_PACKS else set()
    dead = sum(sizes[digest][0] - alive[digest] for digest in alive if digest in sizes)
    for digest in sorted(alive, key=lambda name: alive[name] / max(sizes.get(name, (1, 0))[0], 1)):
        if digest not in sizes or dead <= MAX_WASTE * sum(alive.values()):
            break
        chosen = {*chosen, digest}
        dead -= sizes[digest][0] - alive[digest]
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
    """Turn any parse error into NotOfForm: whoever may write the bucket chooses the bytes and their digest."""

    @wraps(load)
    def checked(data: bytes) -> T:
        try:
            return load(data)
        except NotOfForm:
            raise
        except (ValueError, LookupError, TypeError) as exc:
            raise NotOfForm(f"{len(data)} bytes of metadata have another form: {type(exc).__name__}") from exc

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
    document = _document(data, "epochs")
    return Catalog(
        seq=_count(document["seq"]),
        epochs=tuple(
            CatalogBase(_count(seq), _digest(digest), _count(stored), tuple(_run(*run) for run in runs))
            for seq, digest, stored, runs in document["epochs"]
        ),
        recent=tuple(_deltas(document["recent"])),
        live=tuple(map(_digest, document["live"])),
        cold=tuple(map(_digest, document["cold"])),
        packs=tuple(_pack(item) for item in document["packs"]),
        frontier=tuple(map(_digest, document["frontier"])),
    )


def encode_directory(frames: Sequence[Frame]) -> bytes:
    """The directory at the end of its pack, from which a lost catalog can be rebuilt."""
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
    # By column: a check of each field of each row would cost as much as reading them.
    columns = list(zip(*rows, strict=False))[: len(_ROW)] or [()] * len(_ROW)
    if any(set(map(type, column)) - {kind} for column, kind in zip(columns, _ROW, strict=True)):
        raise TypeError
    for nonce in columns[4]:
        bytes.fromhex(nonce)
    blocks = [() if len(row) == len(_ROW) else _texts(*row[len(_ROW) :]) for row in rows]
    return list(map(_entry, zip(*columns, blocks, strict=True)))


#: An entry from its fields without a call of Python's, as ``_place``.
_entry: Final[Callable[[Sequence[Any]], Entry]] = partial(tuple.__new__, Entry)


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise TypeError
    return value


def _digest(value: Any) -> str:
    # The lookup checks whether it names an object.
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError
    return tuple(values)


def _leaves(values: Any) -> tuple[str, ...]:
    leaves = _texts(values)
    for value in leaves:
        bytes.fromhex(value)
    return leaves


def _run(first: Any, last: Any, digest: Any, stored: Any) -> DiffRun:
    return DiffRun(_count(first), _count(last), _digest(digest), _count(stored))


def _deltas_json(recent: Sequence[tuple[int, Delta]]) -> list[Any]:
    return [
        [seq, [_row(entry) for entry in delta.put], delta.drop, delta.put_erased, delta.drop_erased]
        for seq, delta in recent
    ]


def _deltas(rows: list[Any]) -> list[tuple[int, Delta]]:
    return [
        (_count(seq), Delta(tuple(_entries(put)), _texts(drop), _leaves(put_erased), _leaves(drop_erased)))
        for seq, put, drop, put_erased, drop_erased in rows
    ]


def _pack_json(pack: Pack) -> list[Any]:
    return [pack.digest, _frames_json(pack.frames)]


def _pack(item: list[Any]) -> Pack:
    return Pack(_digest(item[0]), _frames(item[1]))


def _frames_json(frames: Sequence[Frame]) -> list[Any]:
    # All keys in one string: much shorter in JSON, and faster to read, than a list of pairs.
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
        (keys[n * KEY_DIGITS : (n + 1) * KEY_DIGITS], length) for n, length in enumerate(map(_count, lengths))
    )
    return Frame(_count(stored), _count(raw), contents)


def _stored(folder: str, document: dict[str, Any]) -> MetadataObject:
    data = _compress(document)
    return MetadataObject(folder, sha256_hex(data), data)


def _compress(document: dict[str, Any]) -> bytes:
    return zstandard.ZstdCompressor(level=3).compress(orjson.dumps(document))


def _document(data: bytes, field: str) -> dict[str, Any]:
    try:
        # The length in the header decides what the library allocates, so it is checked first.
        if zstandard.frame_content_size(data) > MAX_METADATA_BYTES:
            raise NotOfForm(f"{len(data)} bytes of metadata claim to unpack to more than {MAX_METADATA_BYTES}")
        raw = zstandard.ZstdDecompressor().decompress(data, max_output_size=MAX_METADATA_BYTES)
        document = orjson.loads(raw)
    except (zstandard.ZstdError, orjson.JSONDecodeError) as exc:
        raise NotOfForm(f"{len(data)} bytes of metadata cannot be read: {type(exc).__name__}") from exc
    if not isinstance(document, dict) or document.get("format") != FORMAT or field not in document:
        raise NotOfForm(f"{len(data)} bytes of metadata have no {field} of format {FORMAT}")
    return document
