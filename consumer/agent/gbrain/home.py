"""What lies in ``gbrain-home/``: the database, its configuration, and what the dead leave behind.

GBrain stores absolute paths. A database that was made at another path is not trusted to be moved: it would write pages
to where the brain used to be. It is made anew, and the index stage fills it.
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

#: A process that writes more WAL than the default limit spins for ever, and recycled segments make dead weight.
AUTO_CONF: Final = "max_wal_size = '16GB'\nwal_recycle = 'off'\n"
#: In a prepared brain: the gbrain version and the embedding that it was made with.
LOCK: Final = "template.json"
_LEVEL: Final = 12
#: Of a configuration, a mark or a lock.
_JSON_BYTES: Final = 1024 * 1024
#: What a lost process leaves: a reused pid or a zombie would block every later start.
_LEFT: Final = (
    "brain.pglite/.gbrain-lock",
    "brain.pglite/.gbrain-resolve.sock",
    "brain.pglite/postmaster.pid",
    "brain.pglite.lock-reap.json",
)


@dataclass(frozen=True, slots=True)
class Home:
    """The places of one run folder's brain."""

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
        """Ours: where this brain was made, with which version, and how many pages it had."""
        return self.settings / "cloop-memory.json"

    @property
    def writable(self) -> tuple[Path, ...]:
        """What GBrain's processes must be able to write, where they run as a user of their own."""
        return (self.folder, *(self.root / place for place in layout.DERIVED))

    @property
    def scratch(self) -> Path:
        """HOME and TMPDIR of GBrain's processes; gone when the brain is closed."""
        return self.folder / ".scratch"

    def clear_dead(self) -> None:
        """Remove locks, sockets and pid files. Only right while no process can be running: after hydrate."""
        self.clear_left()
        remove(self.scratch)

    def clear_left(self) -> None:
        """As ``clear_dead``, but for the scratch folder, which may hold what the next command is to read."""
        for name in _LEFT:
            remove(self.settings / name)

    def usable(self) -> bool:
        """Whether the database there is was made at this very path, by us, and has a configuration that says so."""
        mark, config = read_json(self.mark), read_json(self.config)
        here = str(self.database)
        return self.database.is_dir() and mark.get("database") == here == config.get("database_path")

    def forget(self) -> None:
        """Remove the database and its configuration, to be made anew."""
        remove(self.settings)

    def tune(self) -> None:
        """Settings that GBrain's embedded PostgreSQL needs to live in snapshots; once per database."""
        path = self.database / "postgresql.auto.conf"
        held = path.read_text("utf-8") if path.is_file() else ""
        if AUTO_CONF not in held:
            path.write_text(held + AUTO_CONF, "utf-8")

    def remember(self, version: str, pages: int) -> None:
        """Write the mark."""
        mark = {"database": str(self.database), "version": version, "pages": pages}
        self.mark.write_bytes(orjson.dumps(mark, option=orjson.OPT_INDENT_2))

    def expected_pages(self) -> int:
        """What the brain held when it was last closed well."""
        found = read_json(self.mark).get("pages")
        return found if isinstance(found, int) else 0

    def prepare_scratch(self) -> None:
        for folder in (self.scratch / "home", self.scratch / "tmp"):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def unpack(self, template: Path) -> None:
        """A prepared, empty brain (tar.zst of ``.gbrain/``) in place of ``init``; its paths are set to this folder.

        Raises ToolFailed for an archive that cannot be read or would leave the folder.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with (
                template.open("rb") as packed,
                zstandard.ZstdDecompressor().stream_reader(packed) as plain,
                tarfile.open(fileobj=plain, mode="r|") as archive,
            ):
                # Python before 3.11.4 has no filters and ignores this; _inside refuses what would matter on any.
                archive.extraction_filter = getattr(tarfile, "data_filter", None)
                archive.extractall(self.folder, members=_inside(archive))
        except (OSError, tarfile.TarError, zstandard.ZstdError) as exc:
            raise ToolFailed(f"gbrain template {template.name} cannot be unpacked: {type(exc).__name__}") from exc
        config = {**read_json(self.config), "engine": "pglite", "database_path": str(self.database)}
        self.config.write_bytes(orjson.dumps(config, option=orjson.OPT_INDENT_2))

    def pack(self, out: Path, lock: Mapping[str, Any]) -> None:
        """The prepared brain of ``unpack``: this folder's, without what belongs to this place. ``lock``: see Template.

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
            # First, so that a reader knows it without unpacking the rest.
            _add(archive, f"{self.settings.name}/{LOCK}", orjson.dumps(dict(lock), option=orjson.OPT_SORT_KEYS))
            for path in sorted(self.settings.rglob("*")):
                archive.add(path, path.relative_to(self.folder).as_posix(), recursive=False, filter=_plain)
        beside.replace(out)

    def holder(self) -> int | None:
        """The pid in the lock, if it is held and says so."""
        pid = read_json(self.lock / "lock").get("pid")
        return pid if isinstance(pid, int) else None


def lock_of(template: Path) -> dict[str, Any]:
    """What a prepared brain was made with; nothing where the archive does not say.

    Raises ToolFailed for an archive that cannot be read.
    """
    try:
        with (
            template.open("rb") as packed,
            zstandard.ZstdDecompressor().stream_reader(packed) as plain,
            tarfile.open(fileobj=plain, mode="r|") as archive,
        ):
            first = archive.next()
            file = archive.extractfile(first) if first and first.name.endswith(f"/{LOCK}") else None
            found = orjson.loads(file.read()) if file else {}
    except orjson.JSONDecodeError:
        return {}
    except (OSError, tarfile.TarError, zstandard.ZstdError) as exc:
        raise ToolFailed(f"gbrain template {template.name} cannot be read: {type(exc).__name__}") from exc
    return found if isinstance(found, dict) else {}


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = 0, 0, 0, "", ""
    return entry


def alive(pid: int) -> bool:
    """Whether a process of this id runs; a zombie does not."""
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
    """A file, link or folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object, or nothing where there is none."""
    try:
        # Never waits: an agent may have left a pipe here.
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:  # noqa: PTH123 (a descriptor)
            found = orjson.loads(file.read(_JSON_BYTES) or b"") if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else {}
    except (OSError, orjson.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def _inside(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Files and folders below the place that they are unpacked to. Raises tarfile.ExtractError for anything else."""
    for member in archive:
        parts = member.name.split("/")
        if not (member.isfile() or member.isdir()) or member.name.startswith("/") or ".." in parts:
            raise tarfile.ExtractError("an entry is a link or would leave the folder")
        yield member
