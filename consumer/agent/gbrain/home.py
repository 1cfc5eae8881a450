"""The contents of ``gbrain-home/``: the database, its configuration, and files that dead processes leave behind.

A brain moves with its folder. GBrain stores two absolute paths: that of the database, in its configuration, which
``relocate`` rewrites; and that of a source's files, in the database, from where only the removal of the source and of
all its pages could take it. So a source is registered without files, and GBrain writes none.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import stat
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson
import zstandard

from consumer import layout
from consumer.errors import ToolFailed
from contract import jsonobject

#: A process that writes more WAL than the default limit spins for ever, and recycled segments waste space.
AUTO_CONF: Final = "max_wal_size = '16GB'\nwal_recycle = 'off'\n"
#: In a prepared brain: the gbrain version and the embedding that it was made with.
LOCK: Final = "template.json"
#: What GBrain counts in its database.
STATS: Final = ("page_count", "chunk_count", "link_count", "embedded_count")
_LEVEL: Final = 12
#: Of a configuration, a mark or a lock.
_JSON_BYTES: Final = 1024 * 1024
#: Files of a lost process: a reused pid or a zombie would block every later start.
_LEFT: Final = (
    "brain.pglite/.gbrain-lock",
    "brain.pglite/.gbrain-resolve.sock",
    "brain.pglite/postmaster.pid",
    "brain.pglite.lock-reap.json",
)


@dataclass(frozen=True, slots=True)
class Home:
    """The paths of one run folder's brain."""

    root: Path

    @property
    def folder(self) -> Path:
        return self.root / layout.GBRAIN_HOME

    @property
    def settings(self) -> Path:
        return self.folder / ".gbrain"

    @property
    def config(self) -> Path:
        return self.settings / "config.json"

    @property
    def database(self) -> Path:
        return self.settings / "brain.pglite"

    @property
    def lock(self) -> Path:
        return self.database / ".gbrain-lock"

    @property
    def mark(self) -> Path:
        """This adapter's own file: the path, version and counts of this brain.

        An agent's tools may write it. Only decisions about this same home may follow from it.
        """
        return self.settings / "cloop-memory.json"

    @property
    def scratch(self) -> Path:
        """HOME and TMPDIR of GBrain's processes; removed when the brain is closed."""
        return self.folder / ".scratch"

    def clear_dead(self) -> None:
        """Remove locks, sockets and pid files. Call only when no process can be running: after hydrate."""
        self.clear_left()
        remove(self.scratch)

    def clear_left(self) -> None:
        """Like ``clear_dead``, but keeps the scratch folder, which may hold input for the next command."""
        for name in _LEFT:
            remove(self.settings / name)

    def usable(self) -> bool:
        """Whether this adapter made the existing database, here or elsewhere, according to mark and configuration."""
        mark, config = read_json(self.mark), read_json(self.config)
        made_at = mark.get("database")
        return self.database.is_dir() and isinstance(made_at, str) and made_at == config.get("database_path")

    def relocate(self) -> None:
        """Make a usable brain of another folder one of this folder. Repeatable."""
        for path, key in ((self.config, "database_path"), (self.mark, "database")):
            document = read_json(path)
            if document.get(key) != str(self.database):
                path.write_bytes(orjson.dumps({**document, key: str(self.database)}, option=orjson.OPT_INDENT_2))

    def writes_files(self) -> bool:
        """Whether its source was registered with a folder, as earlier releases did, to which GBrain writes pages."""
        return read_json(self.mark).get("writes_files") is not False

    def ask_of(self, model: str) -> None:
        """Name the model that phases of a dream ask, in the configuration. Repeatable."""
        config = read_json(self.config)
        if config.get("chat_model") != model:
            self.config.write_bytes(orjson.dumps({**config, "chat_model": model}, option=orjson.OPT_INDENT_2))

    def forget(self) -> None:
        """Remove the database and its configuration, so that they are made anew."""
        remove(self.settings)

    def tune(self) -> None:
        """Settings that GBrain's embedded PostgreSQL needs to live in snapshots; once per database."""
        path = self.database / "postgresql.auto.conf"
        current = path.read_text("utf-8") if path.is_file() else ""
        if AUTO_CONF not in current:
            path.write_text(current + AUTO_CONF, "utf-8")

    def remember(self, version: str, stats: Mapping[str, int]) -> None:
        """Write the mark after the last command of an update."""
        mark = {
            "database": str(self.database),
            "version": version,
            "pages": stats["page_count"],
            "stats": dict(stats),
            "writes_files": False,
        }
        self.mark.write_bytes(orjson.dumps(mark, option=orjson.OPT_INDENT_2))

    def unsettle(self) -> None:
        """Call before a process that may write to the database: the stats are then unknown until ``remember``.
        Repeatable.
        """
        mark = read_json(self.mark)
        if mark.pop("stats", None) is not None:
            self.mark.write_bytes(orjson.dumps(mark, option=orjson.OPT_INDENT_2))

    def settled(self, version: str) -> Mapping[str, int] | None:
        """The stats after the last update; None if a process may have written since, or if another version wrote the
        mark.
        """
        mark = read_json(self.mark)
        stats = mark.get("stats")
        if mark.get("version") != version or not isinstance(stats, dict):
            return None
        return stats if all(isinstance(stats.get(name), int) for name in STATS) else None

    def expected_pages(self) -> int:
        """The number of pages when the brain was last closed properly."""
        pages = read_json(self.mark).get("pages")
        return pages if isinstance(pages, int) else 0

    def prepare_scratch(self) -> None:
        for folder in (self.scratch / "home", self.scratch / "tmp"):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def unpack(self, template: Path) -> None:
        """A prepared, empty brain (tar.zst of ``.gbrain/``) in place of ``init``; its paths are set to this folder.

        Raises ToolFailed for an archive that cannot be read or would write outside the folder.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with _opened(template) as archive:
            # Python before 3.11.4 has no filters and ignores this; _inside refuses dangerous entries everywhere.
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(self.folder, members=_inside(archive))
        config = {**read_json(self.config), "engine": "pglite", "database_path": str(self.database)}
        self.config.write_bytes(orjson.dumps(config, option=orjson.OPT_INDENT_2))

    def pack(self, out: Path, lock: Mapping[str, Any]) -> None:
        """Write the archive that ``unpack`` reads, without anything specific to this path. ``lock``: see Template.

        The same folder gives the same bytes.
        """
        self.clear_dead()
        remove(self.mark)
        beside = out.with_name(f".{out.name}.tmp")
        with (
            beside.open("wb") as packed,
            zstandard.ZstdCompressor(level=_LEVEL).stream_writer(packed) as plain,
            tarfile.open(fileobj=plain, mode="w|", format=tarfile.PAX_FORMAT) as archive,
        ):
            # First, so that readers need not unpack the rest.
            _add(archive, f"{self.settings.name}/{LOCK}", orjson.dumps(dict(lock), option=orjson.OPT_SORT_KEYS))
            for path in sorted(self.settings.rglob("*")):
                archive.add(path, path.relative_to(self.folder).as_posix(), recursive=False, filter=_plain)
        beside.replace(out)

    def holder(self) -> int | None:
        """The pid in the lock, if the lock is held and names one."""
        pid = read_json(self.lock / "lock").get("pid")
        return pid if isinstance(pid, int) else None


def lock_of(template: Path) -> dict[str, Any]:
    """What a prepared brain was made with; empty if the archive does not say.

    Raises ToolFailed for an archive that cannot be read.
    """
    with _opened(template) as archive:
        first = archive.next()
        file = archive.extractfile(first) if first and first.name.endswith(f"/{LOCK}") else None
        return jsonobject.parsed(file.read() if file else b"")


@contextlib.contextmanager
def _opened(template: Path) -> Iterator[tarfile.TarFile]:
    """The archive of a prepared brain. Raises ToolFailed if it cannot be read, or its files cannot be written."""
    try:
        with (
            template.open("rb") as packed,
            zstandard.ZstdDecompressor().stream_reader(packed) as plain,
            tarfile.open(fileobj=plain, mode="r|") as archive,
        ):
            yield archive
    except (OSError, tarfile.TarError, zstandard.ZstdError) as exc:
        raise ToolFailed(f"gbrain template {template.name} cannot be unpacked: {type(exc).__name__}") from exc


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = 0, 0, 0, "", ""
    return entry


def alive(pid: int) -> bool:
    """Whether a process with this id runs; a zombie does not count."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True


def remove(path: Path) -> None:
    """Remove a file, link or folder, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def read_json(path: Path) -> dict[str, Any]:
    """A file's JSON object, or an empty one."""
    try:
        # Never blocks: an agent may have left a pipe.
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:  # noqa: PTH123 (a descriptor)
            is_file = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            return jsonobject.parsed(file.read(_JSON_BYTES) or b"") if is_file else {}
    except OSError:
        return {}


def _inside(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The files and folders to unpack. Raises tarfile.ExtractError for a link or an entry outside the target folder."""
    for member in archive:
        parts = member.name.split("/")
        if not (member.isfile() or member.isdir()) or member.name.startswith("/") or ".." in parts:
            raise tarfile.ExtractError("an entry is a link or lies outside the folder")
        yield member
