"""The index file: its tables, and how it is opened for reading and for writing."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

import zstandard

from consumer.evidence.search.results import IndexUnusable

#: Increased when the tables change, or how text becomes passages and words: an older index is built anew.
VERSION: Final = 4
#: Marks (M*) are letters, as vowels of Thai and Hindi are.
_TOKENIZER: Final = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co'"


def words(table: str) -> str:
    """The statement that makes a table of passages' words. It is content-less: SQLite keeps where each word occurs."""
    return f"create virtual table {table} using fts5(title, body, content = '', tokenize = \"{_TOKENIZER}\")"


#: The text is stored once for each page, compressed. ``frequencies``: how many passages have a term, as the tokenizer
#: makes it of a word. ``totals``: the number of all passages, their length, and the newest day; one row.
_SCHEMA: Final = f"""
create table names (id integer primary key, slug text not null unique);
create table pages (
  id integer primary key, digest text not null, title text not null, type text not null, source text not null,
  happened text not null, updated text not null, text blob not null);
create table records (
  page integer not null, number integer not null, anchor text not null, record_id text not null, day text not null,
  primary key (page, number)) without rowid;
create index records_id on records (record_id) where record_id <> '';
create table passages (
  id integer primary key, start integer not null, end integer not null, record integer not null);
create table links (
  target integer not null, source integer not null, record integer not null, fragment text not null,
  label text not null, primary key (target, source, record, fragment, label)) without rowid;
create index links_out on links (source);
create table aliases (label text not null, person integer not null, primary key (label, person)) without rowid;
create table vectors (passage integer primary key, fingerprint blob not null, vector blob not null);
create index vectors_fingerprint on vectors (fingerprint);
create table vector_model (model text not null);
create table frequencies (term text primary key, passages integer not null) without rowid;
create table totals (passages integer not null, characters integer not null, newest text not null);
{words("words")};
"""


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open a finished index. It is never changed in place: building replaces the file, and readers keep the old one.

    Raises IndexUnusable: there is no such file, or it is not an index of this release.
    """
    try:
        # immutable: no lock and no journal; threads may share the connection, one at a time.
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        db = sqlite3.connect(uri, uri=True, check_same_thread=False)
    except sqlite3.Error as exc:
        raise unusable(exc) from exc
    return _checked(db)


def open_new(path: Path) -> sqlite3.Connection:
    """Open a file that nobody reads, in a transaction; an empty file becomes an empty index.

    Raises IndexUnusable: the file has content, but is not an index of this release.
    """
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("pragma journal_mode = off")
        db.execute("pragma synchronous = off")
        db.execute("pragma temp_store = memory")
        # Words of removed pages must not stay in unused parts of the file.
        db.execute("pragma secure_delete = on")
        db.execute("begin")
        if path.stat().st_size == 0:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                db.execute(statement)
            db.execute(f"pragma user_version = {VERSION}")
    except sqlite3.Error as exc:
        db.close()
        raise unusable(exc) from exc
    return _checked(db)


def packed(text: str) -> bytes:
    """A page's text as it is stored."""
    return zstandard.ZstdCompressor(level=6).compress(text.encode())


def unpacked(data: bytes) -> str:
    """The text of a page. Raises zstandard.ZstdError for damaged data."""
    return zstandard.ZstdDecompressor().decompress(data).decode()


def unusable(exc: Exception) -> IndexUnusable:
    """The error for a file that cannot be read. SQLite's message may quote content; its error name does not."""
    name = getattr(exc, "sqlite_errorname", type(exc).__name__)
    return IndexUnusable(f"the evidence index cannot be read: {name}")


def _checked(db: sqlite3.Connection) -> sqlite3.Connection:
    """The connection, if the file is an index of this release. Damage further inside shows when it is read."""
    try:
        (version,) = db.execute("pragma user_version").fetchone()
    except sqlite3.Error as exc:
        db.close()
        raise unusable(exc) from exc
    if version != VERSION:
        db.close()
        raise IndexUnusable(f"the evidence index has version {version}, this release reads version {VERSION}")
    return db
