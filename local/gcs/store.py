"""Buckets and object versions on disk: one SQLite file for metadata and small bodies, files for large ones.

Crash safety: a large body is written and flushed under its generation's name before the transaction that names it
commits; a kill in between leaves an unnamed file, which the next start removes. So an object is the old one or the
new one, and a confirmed write stays. With ``durable`` that holds for a power cut too: SQLite runs in WAL mode with
synchronous=FULL and large bodies are flushed, which costs the disk's flush time (0.3 to 5 ms) a write. Without it only
the kernel's cache stands between a write and the disk, and the process may still be killed at any time.

Deleted content is overwritten in the file (secure_delete), and ``scrub`` also removes it from the log: after a purge no
search of the disk's files may find it.

One thread uses a store (the server's event loop); no method awaits, so each is atomic.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from local.gcs.errors import conflict, invalid, no_bucket, not_found, too_fast
from local.gcs.model import Hashes, ObjectVersion, changed
from local.gcs.preconditions import Preconditions

#: The largest body in the database, in bytes: for these a transaction beats a file's open, write, flush and rename.
INLINE_BYTES = 256 * 1024
NAME_BYTES = 1024
_BUCKET_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]")
_OF_VERSION = "where bucket = ? and name = ? and generation = ?"
_SCHEMA = """
create table if not exists bucket (name text primary key, document blob not null);
create table if not exists object (
    bucket text not null, name text not null, generation integer not null,
    live integer not null, document blob not null,
    primary key (bucket, name, generation)
) without rowid;
create table if not exists body (generation integer primary key, data blob not null);
create table if not exists counter (id integer primary key check (id = 1), last_generation integer not null);
insert or ignore into counter values (1, 0);
"""


class ObjectStore:
    """``now`` gives the server's time; every time and the Date header come from it.

    ``write_interval_s``: an object overwritten sooner than that is refused with 429, as the service does at about one
    second; 0 lets everything through.
    """

    def __init__(
        self,
        root: Path,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        write_interval_s: float = 0.0,
        durable: bool = True,
    ) -> None:
        self._files = root / "bodies"
        self._files.mkdir(parents=True, exist_ok=True)
        # Made by the thread that starts the server, used by the loop's thread only.
        self._db = sqlite3.connect(root / "meta.sqlite3", isolation_level=None, check_same_thread=False)
        self._durable = durable
        level = "full" if durable else "normal"
        self._db.executescript(
            f"pragma journal_mode = wal; pragma synchronous = {level}; pragma secure_delete = on; " + _SCHEMA
        )
        #: Something was deleted since the last scrub.
        self.unscrubbed = False
        self._last_generation = int(self._one("select last_generation from counter")[0])
        self.now = now
        self._write_interval_s = write_interval_s
        self._remove_unnamed_files()

    def close(self) -> None:
        self._db.close()

    # buckets

    def buckets(self) -> list[dict[str, Any]]:
        return [orjson.loads(row[0]) for row in self._db.execute("select document from bucket order by name")]

    def bucket(self, name: str) -> dict[str, Any]:
        row = self._one("select document from bucket where name = ?", name)
        if row is None:
            raise no_bucket(name)
        document: dict[str, Any] = orjson.loads(row[0])
        return document

    def create_bucket(self, document: Mapping[str, Any]) -> dict[str, Any]:
        name = str(document.get("name", ""))
        if not _BUCKET_NAME.fullmatch(name):
            raise invalid(f"Invalid bucket name: '{name}'")
        if self._one("select 1 from bucket where name = ?", name):
            raise conflict("Your previous request to create the named bucket succeeded and you already own it.")
        created = self.timestamp()
        bucket = {
            "kind": "storage#bucket",
            "id": name,
            "projectNumber": "1",
            "location": "US",
            "storageClass": "STANDARD",
            **document,
            "metageneration": "1",
            "etag": "CAE=",
            "timeCreated": created,
            "updated": created,
        }
        self._db.execute("insert into bucket values (?, ?)", (name, orjson.dumps(bucket)))
        return bucket

    def change_bucket(self, name: str, document: Mapping[str, Any], conditions: Preconditions) -> dict[str, Any]:
        bucket = self.bucket(name)
        number = int(bucket["metageneration"])
        conditions.require(ObjectVersion(name, "", 0, number, 0, "", None, "", ""))
        bucket = {**bucket, **document, "metageneration": str(number + 1), "updated": self.timestamp()}
        bucket = {key: value for key, value in bucket.items() if value is not None}
        self._db.execute("update bucket set document = ? where name = ?", (orjson.dumps(bucket), name))
        return bucket

    def delete_bucket(self, name: str) -> None:
        self.bucket(name)
        if self._one("select 1 from object where bucket = ? limit 1", name):
            raise conflict("The bucket you tried to delete is not empty.")
        self._db.execute("delete from bucket where name = ?", (name,))

    # reading objects

    def live(self, bucket: str, name: str) -> ObjectVersion | None:
        row = self._one(
            "select document from object where bucket = ? and name = ? and live = 1 order by generation desc limit 1",
            bucket,
            name,
        )
        return _version(row[0]) if row else None

    def find(self, bucket: str, name: str, generation: int | None = None) -> ObjectVersion:
        """The live version, or exactly that generation. Raises 404 for bucket or object."""
        if generation is None:
            version = self.live(bucket, name)
        else:
            key = (bucket, name, generation)
            row = self._one(f"select document from object {_OF_VERSION}", *key)
            version = _version(row[0]) if row else None
        if version is None:
            self.bucket(bucket)
            raise not_found(f"{bucket}/{name}" + (f"#{generation}" if generation is not None else ""))
        return version

    def body(self, version: ObjectVersion) -> bytes:
        row = self._one("select data from body where generation = ?", version.generation)
        return bytes(row[0]) if row else (self._files / str(version.generation)).read_bytes()

    def part(self, version: ObjectVersion, first: int, length: int) -> bytes:
        """Bytes of the body from ``first``; of a large one only these are read."""
        if version.size <= INLINE_BYTES:
            return self.body(version)[first : first + length]
        with (self._files / str(version.generation)).open("rb") as file:
            file.seek(first)
            return file.read(length)

    def scan(self, bucket: str, start: tuple[str, int], *, versions: bool) -> Iterator[ObjectVersion]:
        """Versions from (name, generation) on, by UTF-8 bytes of the name, then by generation."""
        live = "" if versions else "and live = 1"
        rows = self._db.execute(
            f"select document from object where bucket = ? and (name, generation) >= (?, ?) {live}"
            " order by name, generation",
            (bucket, *start),
        )
        return (_version(row[0]) for row in rows)

    # writing objects

    def put(
        self,
        bucket: str,
        name: str,
        data: bytes,
        fields: Mapping[str, Any],
        conditions: Preconditions,
        *,
        components: int | None = None,
        hashes: Hashes | None = None,
    ) -> ObjectVersion:
        """Add a live generation; the old one is removed, or becomes noncurrent if the bucket keeps versions.

        ``hashes`` of the data, where the caller has computed them already.
        """
        keeps = self._keeps_versions(bucket)
        _require_name(name)
        old = self.live(bucket, name)
        conditions.require(old)
        self._require_pace(old)
        generation = self._next_generation()
        if len(data) > INLINE_BYTES:
            self._write_file(generation, data)
        hashes, now = hashes or Hashes.of(data), self.timestamp()
        new = ObjectVersion(
            bucket,
            name,
            generation,
            1,
            len(data),
            hashes.crc32c,
            None if components else hashes.md5,
            now,
            now,
            components=components,
            fields=fields,
        )
        with self._transaction():
            self._retire(old, keeps=keeps)
            if len(data) <= INLINE_BYTES:
                self._db.execute("insert into body values (?, ?)", (generation, data))
            self._db.execute(
                "insert into object values (?, ?, ?, 1, ?)", (bucket, name, generation, orjson.dumps(new.stored()))
            )
            self._db.execute("update counter set last_generation = ?", (generation,))
        self._remove_file(old, keeps=keeps)
        return new

    def delete(self, bucket: str, name: str, generation: int | None, conditions: Preconditions) -> None:
        """Without a generation, a bucket that keeps versions turns the live one noncurrent; with one, it is gone."""
        version = self.find(bucket, name, generation)
        conditions.require(version)
        keeps = generation is None and self._keeps_versions(bucket)
        with self._transaction():
            self._retire(version, keeps=keeps)
        self._remove_file(version, keeps=keeps)
        self.unscrubbed = self.unscrubbed or not keeps

    def scrub(self) -> None:
        """Write back and truncate the log, which still holds deleted content. Costs two flushes of the disk."""
        self.unscrubbed = False
        self._db.execute("pragma wal_checkpoint(truncate)").fetchone()

    def change(
        self,
        bucket: str,
        name: str,
        generation: int | None,
        document: Mapping[str, Any],
        conditions: Preconditions,
        *,
        replace_all: bool,
    ) -> ObjectVersion:
        """PATCH or update of metadata: the metageneration rises, the generation stays."""
        version = self.find(bucket, name, generation)
        conditions.require(version)
        new = replace(
            version,
            metageneration=version.metageneration + 1,
            updated=self.timestamp(),
            fields=changed(version.fields, document, replace=replace_all),
        )
        self._save(new)
        return new

    def timestamp(self) -> str:
        """The server's time as the service writes it."""
        return self.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"

    # inside

    def _one(self, sql: str, *values: object) -> Any:
        return self._db.execute(sql, values).fetchone()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")

    def _require_pace(self, old: ObjectVersion | None) -> None:
        if old is None or not self._write_interval_s:
            return
        age_s = (self.now() - datetime.fromisoformat(old.updated)).total_seconds()
        if age_s < self._write_interval_s:
            raise too_fast(old.name)

    def _next_generation(self) -> int:
        # Microseconds, like the service's own; the stored counter keeps it rising when the clock steps back.
        self._last_generation = max(self._last_generation + 1, int(self.now().timestamp() * 1_000_000))
        return self._last_generation

    def _keeps_versions(self, bucket: str) -> bool:
        return bool((self.bucket(bucket).get("versioning") or {}).get("enabled"))

    def _save(self, version: ObjectVersion, *, live: bool | None = None) -> None:
        values = (orjson.dumps(version.stored()), live, version.bucket, version.name, version.generation)
        self._db.execute(f"update object set document = ?, live = coalesce(?, live) {_OF_VERSION}", values)

    def _retire(self, old: ObjectVersion | None, *, keeps: bool) -> None:
        if old is None:
            return
        if keeps:
            self._save(replace(old, deleted=self.timestamp()), live=False)
            return
        key = (old.bucket, old.name, old.generation)
        self._db.execute(f"delete from object {_OF_VERSION}", key)
        self._db.execute("delete from body where generation = ?", (old.generation,))

    def _write_file(self, generation: int, data: bytes) -> None:
        with (self._files / str(generation)).open("wb") as file:
            file.write(data)
            file.flush()
            if self._durable:
                os.fdatasync(file.fileno())
        if not self._durable:
            return
        folder = os.open(self._files, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _remove_file(self, old: ObjectVersion | None, *, keeps: bool) -> None:
        if old is not None and not keeps and old.size > INLINE_BYTES:
            (self._files / str(old.generation)).unlink(missing_ok=True)

    def _remove_unnamed_files(self) -> None:
        named = {str(row[0]) for row in self._db.execute("select generation from object")}
        for path in self._files.iterdir():
            if path.name not in named:
                path.unlink()


def _version(document: bytes) -> ObjectVersion:
    return ObjectVersion(**orjson.loads(document))


def _require_name(name: str) -> None:
    if not name or name in (".", "..") or "\r" in name or "\n" in name:
        raise invalid("Invalid object name: empty, a dot segment, or with a line break")
    if len(name.encode()) > NAME_BYTES:
        raise invalid(f"Invalid object name: {len(name.encode())} bytes of UTF-8, at most {NAME_BYTES}")
