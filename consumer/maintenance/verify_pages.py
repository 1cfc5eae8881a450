"""What pages, reports and the record index of one commit must say of each other."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import orjson

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.reports import citations, claims
from consumer.repository.reading import Reader
from consumer.snapshot import snapshot
from consumer.snapshot.snapshot import FOLDER, Tree
from contract import canonical


def new_reports(tree: Tree, before: Tree) -> list[str]:
    """Report JSON files that this commit added or changed."""
    return sorted(
        path
        for path, entry in tree.entries.items()
        if path.startswith(f"{layout.RUNTIME}/reports/")
        and path.endswith(".json")
        and not entry.same(before.entries.get(path))
    )


def uncited(path: str, reader: Reader) -> Iterator[str]:
    """What is wrong with a report's citations, one sentence each, without its words.

    Pages that a purge took are no fault: the report stays, and verify counts what is erased.
    """
    try:
        document = orjson.loads(reader.read(path))
        cited = document["citations"]["citations"] if isinstance(document, dict) and "citations" in document else []
    except (orjson.JSONDecodeError, KeyError, TypeError):
        yield f"{path} is no report"
        return
    for number, one in enumerate(cited, start=1):
        if fault := _citation_fault(one, reader):
            yield f"{path}, citation {number} of {one.get('page')}: {fault}"


def incoherent(reader: Reader) -> Iterator[str]:
    """Evidence pages that differ from what the record index says was rendered, either way."""
    if layout.RENDER_INDEX not in reader.tree.entries:
        return
    rendered, fault = _rendered(reader.read(layout.RENDER_INDEX))
    if fault:
        # What else it says of pages would be guesses.
        yield f"{layout.RENDER_INDEX} {fault}"
        return
    for path, digest in sorted(rendered.items()):
        entry = reader.tree.entries.get(path)
        if entry is None:
            yield f"{path} is in the record index and not in the snapshot"
        elif not _is(entry.size, entry.digest, digest, path, reader):
            yield f"{path} is not as it was rendered"
    for path in sorted(reader.tree.entries):
        if path.startswith(f"{layout.EVIDENCE}/") and path.endswith(".md") and path not in rendered:
            yield f"{path} is in the snapshot and not in the record index"


def _rendered(index: bytes) -> tuple[dict[str, bytes], str]:
    """The evidence pages that the record index lists, with their digests, and what is wrong with it, "" for nothing."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(index)
        try:
            # What SQLite says of it may quote the file; whether it is sound is all that is asked.
            sound = database.execute("pragma quick_check(1)").fetchone() == ("ok",)
            rows = database.execute("select path, digest from pages where path like 'sources/%'").fetchall()
        except sqlite3.DatabaseError as exc:
            return {}, f"cannot be read: {getattr(exc, 'sqlite_errorname', type(exc).__name__)}"
    return {f"{layout.BRAIN}/{path}": digest for path, digest in rows}, "" if sound else "is damaged"


def _citation_fault(one: dict[str, Any], reader: Reader) -> str | None:
    found: dict[str, Page] = {}
    path = f"{layout.BRAIN}/{pages.path_of(str(one.get('page')))}"
    entry = reader.tree.entries.get(path)
    if entry is None or entry.size == FOLDER:
        return None if reader.tree.erased else "no such page in this snapshot"
    page = pages.parse(str(one["page"]), reader.read(path))
    found[page.slug] = page
    citation = claims.Citation(page=one["page"], anchor=one.get("anchor"), quote=one["quote"])
    verdict = citations.resolve(citation, found.get)
    if isinstance(verdict, citations.Unresolved):
        return verdict.reason
    return None if verdict.checksum == one["checksum"] else "the page has another checksum"


def _is(size: int, known: str, digest: bytes, path: str, reader: Reader) -> bool:
    if size <= snapshot.BLOCK_BYTES:
        return known == digest.hex()
    return canonical.sha256_hex(reader.read(path)) == digest.hex()
