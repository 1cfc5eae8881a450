"""
Builds the evidence index from pages, and brings it up to date with changed ones.

A writer works on a copy and replaces the file at the end. Readers never see a half-built index, a writer that dies
leaves the file as it was, and an update without changes leaves its bytes as they were.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from consumer import layout
from consumer.evidence import pagefiles, pages
from consumer.evidence.pages import Page
from consumer.evidence.search import passages, schema, terms, vectors, words
from consumer.evidence.search.passages import CutPage
from consumer.evidence.search.results import IndexUnusable
from consumer.guarding import guarded
from consumer.ports import Guard

#: Where people's pages are; the texts of links to them are the people's other names.
PEOPLE: Final = "people/"


@dataclass(frozen=True, slots=True)
class Changed:
    """What a change did. ``put``, ``same``, ``removed``: numbers of pages. ``skipped``: path -> why it is not a page.

    ``pages`` and ``links``: how many there are now.
    """

    put: int
    same: int
    removed: int
    pages: int
    links: int
    skipped: Mapping[str, str]


def update(root: Path, digests: Mapping[str, str], guard: Guard) -> None:
    """Make the index of the workspace at ``root`` hold exactly these pages. Repeatable.

    ``digests``: path below ``brain/`` -> digest of the file (``pagefiles.digests``). Only files whose digest is not the
    index's are read. A damaged index, or one of another release, is built anew. Raises the guard's errors and OSError.
    """
    index = root / layout.SEARCH_INDEX
    known = _known(index)
    changed = [path for path, digest in digests.items() if known.get(path) != digest]
    gone = [path for path in known if path not in digests]
    if changed or gone or not index.is_file():
        change(root, changed, gone, guard)


def change(root: Path, changed: Sequence[str], deleted: Sequence[str], guard: Guard) -> Changed:
    """Put the changed pages into the index of the workspace at ``root`` and remove the deleted ones, in one step.

    Paths are relative to ``brain/``. A damaged index loses all other pages: the caller sees it in ``Changed.pages``.
    """
    path = root / layout.SEARCH_INDEX
    try:
        return _change(path, root, changed, deleted, guard)
    except IndexUnusable:
        path.unlink(missing_ok=True)
        return _change(path, root, changed, deleted, guard)


def _known(path: Path) -> dict[str, str]:
    """Path -> digest of the pages in the index; empty for none and for an index that cannot be read."""
    try:
        with closing(schema.open_read_only(path)) as db:
            return _digests(db)
    except (IndexUnusable, sqlite3.DatabaseError):
        return {}


def _change(path: Path, root: Path, changed: Sequence[str], deleted: Sequence[str], guard: Guard) -> Changed:
    skipped: dict[str, str] = {}
    put = same = 0
    with writing(path) as index:
        known = index.digests()
        removed = sum(index.remove(pages.slug_of(name)) for name in sorted(set(deleted)))
        for name in guarded(sorted(set(changed)), guard):
            try:
                data = _read(root, name)
                digest = pagefiles.digest(data)
                if known.get(name) == digest:
                    same += 1
                    continue
                index.put(pages.parse(pages.slug_of(name), data), digest)
                put += 1
            except pages.PageError as exc:
                index.remove(pages.slug_of(name))
                skipped[name] = str(exc)
        total, links = index.counts()
    return Changed(put, same, removed, total, links, skipped)


def _read(root: Path, name: str) -> bytes:
    if not pages.importable(name):
        raise pages.PageError("a name that brains never import")
    try:
        return (root / layout.BRAIN / name).read_bytes()
    except OSError as exc:
        raise pages.PageError(f"cannot be read: {type(exc).__name__}") from exc


@contextmanager
def writing(path: Path) -> Iterator[IndexWriter]:
    """Change the index at ``path``, created if absent; its end replaces the file if anything changed.

    Raises IndexUnusable: the file at ``path`` is damaged or of another release. It stays as it is.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    is_new = not path.exists()
    beside.unlink(missing_ok=True)
    if is_new:
        beside.touch()
    else:
        shutil.copyfile(path, beside)
    try:
        db = schema.open_new(beside)
        try:
            writer = IndexWriter(db, is_new=is_new)
            yield writer
            changed = writer.finish()
        except sqlite3.DatabaseError as exc:
            raise schema.unusable(exc) from exc
        finally:
            db.close()
        if changed or is_new:
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


class IndexWriter:
    """Writes of one open index."""

    def __init__(self, db: sqlite3.Connection, *, is_new: bool) -> None:
        self._db = db
        self._is_new = is_new
        self._changed = False
        self._frequencies = None if is_new else terms.FrequencyChanges(db)
        #: Vectors of removed passages, by fingerprint: most of a changed page's passages are as they were.
        self._removed: dict[bytes, bytes] = {}

    def digests(self) -> dict[str, str]:
        """Path below ``brain/`` -> digest of every page in the index."""
        return _digests(self._db)

    def counts(self) -> tuple[int, int]:
        """The numbers of pages, and of pages linked from pages."""
        (total,) = self._db.execute("select count(*) from pages").fetchone()
        (links,) = self._db.execute("select count(*) from (select distinct target, source from links)").fetchone()
        return total, links

    def put(self, page: Page, digest: str) -> None:
        """Insert or replace a page."""
        self.remove(page.slug)
        self._changed = True
        number = self._name(page.slug)
        cut = passages.cut(page)
        self._db.execute(
            "insert into pages values (?,?,?,?,?,?,?,?)",
            (number, digest, page.title, type_of(page), source_of(page), *_times(page), schema.packed(cut.text)),
        )
        self._db.executemany(
            "insert into records values (?,?,?,?,?)",
            [(number, at, record.anchor, record.record_id, record.day) for at, record in enumerate(cut.records)],
        )
        first = number << passages.PASSAGE_BITS
        self._db.executemany(
            "insert into passages values (?,?,?,?)",
            [(first + at, each.start, each.end, each.record) for at, each in enumerate(cut.cuts)],
        )
        rows = _indexed(page.title, cut.text, [(each.start, each.end) for each in cut.cuts])
        self._db.executemany(
            "insert into words (rowid, title, body) values (?,?,?)",
            [(first + at, *row) for at, row in enumerate(rows)],
        )
        if self._frequencies:
            self._frequencies.add(rows)
        self._links(number, page, cut)
        if self._removed and source_of(page):
            for at, each in enumerate(cut.cuts):
                self.reuse_vector(first + at, vectors.fingerprint(page.title, cut.text[each.start : each.end]))

    def without_vectors(self, model: str, skipped: Collection[str] = ()) -> list[tuple[int, str, str]]:
        """(passage, title, text) of the passages of evidence that have no vector of ``model``; drops other models'.

        ``skipped``: slugs of pages that are left out.
        """
        if vectors.model_of(self._db) != model:
            vectors.use(self._db, model)
            self._changed = True
        return list(vectors.missing(self._db, skipped))

    def put_vector(self, passage: int, mark: bytes, vector: bytes) -> None:
        """``mark``: the fingerprint of what was embedded. ``vector``: as ``vectors.packed`` gives it."""
        self._db.execute("insert or replace into vectors values (?,?,?)", (passage, mark, vector))
        self._changed = True

    def reuse_vector(self, passage: int, mark: bytes) -> bool:
        """Give a passage the vector of its text, if this index has it or had it before this change."""
        vector = self._removed.get(mark) or vectors.known(self._db, mark)
        if vector is None:
            return False
        self.put_vector(passage, mark, vector)
        return True

    def remove(self, slug: str) -> bool:
        """Remove a page and its links to others; False if there is none."""
        row = self._db.execute("select id, title, text from pages join names using (id) where slug = ?", (slug,))
        page = row.fetchone()
        if page is None:
            return False
        self._changed = True
        number, title, data = page
        text = schema.unpacked(data)
        first = number << passages.PASSAGE_BITS
        inside = (first, first + passages.MOST_PASSAGES)
        cuts = self._db.execute("select id, start, end from passages where id >= ? and id < ?", inside).fetchall()
        # An index without content forgets a row only when it is told the row's words.
        indexed = _indexed(title, text, [(start, end) for _, start, end in cuts])
        self._db.executemany(
            "insert into words (words, rowid, title, body) values ('delete',?,?,?)",
            [(at, *row) for (at, _, _), row in zip(cuts, indexed, strict=True)],
        )
        if self._frequencies:
            self._frequencies.remove(indexed)
        rows = self._db.execute("select fingerprint, vector from vectors where passage >= ? and passage < ?", inside)
        self._removed.update(rows.fetchall())
        for table, column in (("passages", "id"), ("vectors", "passage")):
            self._db.execute(f"delete from {table} where {column} >= ? and {column} < ?", inside)
        for table, column in (("pages", "id"), ("records", "page"), ("links", "source")):
            self._db.execute(f"delete from {table} where {column} = ?", (number,))
        return True

    def finish(self) -> bool:
        """End the transaction; whether anything changed."""
        if self._changed:
            self._db.execute(
                "delete from names where id not in (select id from pages) and id not in (select target from links)"
            )
            self._db.execute("delete from aliases")
            self._db.execute("insert into aliases select distinct label, target from links where label <> ''")
            if self._frequencies:
                self._frequencies.apply()
        if self._is_new:
            terms.count_all(self._db)
        if self._changed or self._is_new:
            self._db.execute("delete from totals")
            self._db.execute(
                "insert into totals select count(*), coalesce(sum(end - start), 0),"
                " (select coalesce(max(day), '') from records) from passages"
            )
        if self._is_new:
            self._db.execute("insert into words (words) values ('optimize')")
        self._db.execute("commit")
        return self._changed

    def _links(self, number: int, page: Page, cut: CutPage) -> None:
        at = {record.anchor: place for place, record in enumerate(cut.records)}
        self._db.executemany(
            "insert or ignore into links values (?,?,?,?,?)",
            [
                (
                    self._name(link.target),
                    number,
                    at.get(link.section or "", 0),
                    link.anchor or "",
                    " ".join(words.words(link.text)) if link.target.startswith(PEOPLE) else "",
                )
                for link in passages.links_out(page)
            ],
        )

    def _name(self, slug: str) -> int:
        """The number of a slug, whether there is such a page or not."""
        row = self._db.execute("select id from names where slug = ?", (slug,)).fetchone()
        if row is None:
            return int(self._db.execute("insert into names (slug) values (?)", (slug,)).lastrowid or 0)
        return int(row[0])


def _digests(db: sqlite3.Connection) -> dict[str, str]:
    rows = db.execute("select slug, digest from pages join names using (id)")
    # ``pages.path_of`` without its call: a workspace has thousands of pages.
    return {f"{slug}.md": digest for slug, digest in rows}


def type_of(page: Page) -> str:
    """The page's type, as its front matter states it, or else its folder."""
    return page.text("type") or page.slug.split("/", 1)[0]


def source_of(page: Page) -> str:
    """The key of the source that an evidence page is of, or else its folder; "" for a derived page."""
    return page.text("source_key") or page.slug.split("/")[-2] if page.slug.startswith("sources/") else ""


def _times(page: Page) -> tuple[str, str]:
    """(when its content happened, when it was last changed), each "" where the page does not say."""
    happened = page.text("occurred_at") or page.text("date") or page.text("updated_at")
    return happened, page.text("updated_at") or page.text("occurred_at")


def _indexed(title: str, text: str, places: Iterable[tuple[int, int]]) -> list[tuple[str, str]]:
    """(title, body) of the passages at these places of a page's text, as the tokenizer gets them."""
    heading = words.indexed(title)
    return [(heading, words.indexed(text[start:end])) for start, end in places]
