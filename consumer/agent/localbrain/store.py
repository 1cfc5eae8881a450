"""The local brain's database: pages, their chunks under FTS5, and the links between them.

The files under ``brain/`` are the source of truth; the database can be rebuilt from them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from consumer.evidence.pages import Page, PageSection

#: Incremented with the schema below: a database of another version is rebuilt from the files.
VERSION: Final = 1
#: Long enough that a meeting's paragraph stays whole, short enough to be shown to a model as one result.
CHUNK_CHARS: Final = 1200

_SCHEMA: Final = """
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, title TEXT NOT NULL, type TEXT NOT NULL,
    happened TEXT NOT NULL, updated TEXT NOT NULL, checksum TEXT NOT NULL,
    first_chunk INTEGER NOT NULL, last_chunk INTEGER NOT NULL
) STRICT;
CREATE TABLE links (
    source TEXT NOT NULL, target TEXT NOT NULL, anchor TEXT NOT NULL, section TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (source, target, anchor, section, text)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_in ON links (target, source);
CREATE VIRTUAL TABLE chunks USING fts5(
    title, heading, body, anchor UNINDEXED, page UNINDEXED, tokenize = 'porter unicode61 remove_diacritics 2'
);
"""


@dataclass(frozen=True, slots=True)
class PageRow:
    """``happened``: the time of its content; ``updated``: when its source last changed. RFC 3339 or empty."""

    slug: str
    title: str
    type: str
    happened: str
    updated: str
    checksum: str


@dataclass(frozen=True, slots=True)
class LinkRow:
    source: str
    target: str
    anchor: str
    section: str
    text: str


@dataclass(frozen=True, slots=True)
class Counts:
    pages: int
    chunks: int
    links: int


@contextmanager
def opened(path: Path) -> Iterator[BrainStore]:
    """The store at ``path``, created if absent or of another version. Commits if the block ends without an error.

    Raises:
        sqlite3.Error: the file is not a database, or is locked by another process.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=10.0)
    try:
        # A crash loses the run folder with the file, so a sync would save nothing.
        connection.execute("PRAGMA synchronous = OFF")
        _prepare(connection)
        with connection:
            yield BrainStore(connection)
    finally:
        connection.close()


def _prepare(connection: sqlite3.Connection) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == VERSION:
        return
    for name in ("chunks", "links", "pages"):
        connection.execute(f"DROP TABLE IF EXISTS {name}")
    connection.executescript(_SCHEMA)
    connection.execute(f"PRAGMA user_version = {VERSION}")


class BrainStore:
    """Reads and writes of one open database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def put(self, page: Page) -> bool:
        """Insert or replace a page; False if it was there with the same checksum. Repeatable."""
        row = self.connection.execute("SELECT checksum FROM pages WHERE slug = ?", (page.slug,)).fetchone()
        if row and row[0] == page.checksum:
            return False
        if row:
            self.delete(page.slug)
        first, last = self._add_chunks(page)
        self.connection.execute(
            "INSERT INTO pages (slug, title, type, happened, updated, checksum, first_chunk, last_chunk)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (page.slug, page.title, _type(page), _happened(page), _updated(page), page.checksum, first, last),
        )
        self._add_links(page)
        return True

    def delete(self, slug: str) -> bool:
        """Remove a page and its outgoing links; False when there is none. Repeatable."""
        row = self.connection.execute("SELECT first_chunk, last_chunk FROM pages WHERE slug = ?", (slug,)).fetchone()
        if row is None:
            return False
        self.connection.execute("DELETE FROM chunks WHERE rowid BETWEEN ? AND ?", row)
        self.connection.execute("DELETE FROM links WHERE source = ?", (slug,))
        self.connection.execute("DELETE FROM pages WHERE slug = ?", (slug,))
        return True

    def page(self, slug: str) -> PageRow | None:
        row = self.connection.execute(f"SELECT {_COLUMNS} FROM pages WHERE slug = ?", (slug,)).fetchone()
        return PageRow(*row) if row else None

    def pages(self, *, prefix: str = "", type_: str = "", order: str = "slug") -> list[PageRow]:
        """Pages below a slug prefix and of a type (empty: any), by slug or by time of update."""
        by = "updated DESC, slug" if order == "updated_desc" else "updated, slug" if order == "updated_asc" else "slug"
        rows = self.connection.execute(
            f"SELECT {_COLUMNS} FROM pages WHERE (? = '' OR type = ?) AND substr(slug, 1, length(?)) = ? ORDER BY {by}",
            (type_, type_, prefix, prefix),
        )
        return [PageRow(*row) for row in rows]

    def backlinks(self, slug: str) -> list[LinkRow]:
        """Links that point at a page, whether it exists or not, by source."""
        rows = self.connection.execute(
            "SELECT source, target, anchor, section, text FROM links WHERE target = ? AND source <> target"
            " ORDER BY source, section, anchor, text",
            (slug,),
        )
        return [LinkRow(*row) for row in rows]

    def counts(self) -> Counts:
        execute = self.connection.execute
        return Counts(
            pages=execute("SELECT count(*) FROM pages").fetchone()[0],
            chunks=execute("SELECT coalesce(sum(last_chunk - first_chunk + 1), 0) FROM pages").fetchone()[0],
            links=execute("SELECT count(*) FROM links").fetchone()[0],
        )

    def check(self) -> str:
        """SQLite's own verdict on the file: ``ok``, or its first fault."""
        return str(self.connection.execute("PRAGMA quick_check(1)").fetchone()[0])

    def _add_chunks(self, page: Page) -> tuple[int, int]:
        top = self.connection.execute("SELECT coalesce(max(last_chunk), 0) FROM pages").fetchone()[0]
        rows = [
            (top + number, page.title, section.heading, text, section.anchor or "", page.slug)
            for number, (section, text) in enumerate(chunks(page.sections), start=1)
        ]
        if not rows:
            rows = [(top + 1, page.title, "", "", "", page.slug)]
        self.connection.executemany(
            "INSERT INTO chunks (rowid, title, heading, body, anchor, page) VALUES (?, ?, ?, ?, ?, ?)", rows
        )
        return rows[0][0], rows[-1][0]

    def _add_links(self, page: Page) -> None:
        self.connection.executemany(
            "INSERT OR IGNORE INTO links (source, target, anchor, section, text) VALUES (?, ?, ?, ?, ?)",
            [(page.slug, link.target, link.anchor or "", link.section or "", link.text) for link in page.links],
        )


_COLUMNS: Final = "slug, title, type, happened, updated, checksum"


def chunks(sections: Iterable[PageSection], size: int = CHUNK_CHARS) -> Iterator[tuple[PageSection, str]]:
    """Each section's text in pieces of about ``size`` characters, cut at blank lines, then lines, then anywhere."""
    for section in sections:
        buffer = ""
        for piece in _pieces(section.text, size):
            if buffer and len(buffer) + len(piece) > size:
                yield section, buffer.strip("\n")
                buffer = ""
            buffer += piece
        if buffer.strip() or section.heading:
            yield section, buffer.strip("\n")


def _pieces(text: str, size: int) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        block = paragraph + "\n\n"
        if len(block) <= size:
            yield block
            continue
        for line in block.splitlines(keepends=True):
            yield from (line[start : start + size] for start in range(0, len(line), size))


def _type(page: Page) -> str:
    return page.text("type") or page.slug.split("/", 1)[0]


def _happened(page: Page) -> str:
    return page.text("occurred_at") or page.text("date") or page.text("updated_at")


def _updated(page: Page) -> str:
    return page.text("updated_at") or page.text("occurred_at")
