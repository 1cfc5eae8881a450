"""Check that pages, reports and the record index of one commit agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.index import stored
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
    """The faults of a report's citations, one sentence each, without quoting the report.

    A page that a purge removed is not a fault: the report stays, and verify counts erased entries.
    """
    try:
        document = orjson.loads(reader.read(path))
        cited = document["citations"]["citations"] if isinstance(document, dict) and "citations" in document else []
        replaced = list(_earlier(document)) if isinstance(document, dict) else []
    except (ValueError, KeyError, TypeError, AttributeError):
        yield f"{path} is not a report"
        return
    for number, citation in enumerate(cited, start=1):
        if fault := _citation_fault(citation, reader):
            yield f"{path}, citation {number} of {citation.get('page')}: {fault}"
    for earlier in replaced:
        if fault := _earlier_fault(earlier, reader):
            yield f"{path}, words before a change, in {earlier.get('raw')}: {fault}"


def incoherent(reader: Reader) -> Iterator[str]:
    """Evidence pages that differ from the record index, in either direction."""
    if layout.RENDER_INDEX not in reader.tree.entries:
        return
    digests, fault = stored.digests(reader.read(layout.RENDER_INDEX))
    if fault:
        # A damaged index says nothing reliable about pages.
        yield f"{layout.RENDER_INDEX} {fault}"
        return
    rendered = {f"{layout.BRAIN}/{path}": digest for path, digest in digests.items()}
    for path, digest in sorted(rendered.items()):
        entry = reader.tree.entries.get(path)
        if entry is None:
            yield f"{path} is in the record index but not in the snapshot"
        elif not _has_digest(entry.size, entry.digest, digest, path, reader):
            yield f"{path} differs from what was rendered"
    for path in sorted(reader.tree.entries):
        if path.startswith(f"{layout.EVIDENCE}/") and path.endswith(".md") and path not in rendered:
            yield f"{path} is in the snapshot but not in the record index"


def _citation_fault(citation: dict[str, Any], reader: Reader) -> str | None:
    by_slug: dict[str, Page] = {}
    path = f"{layout.BRAIN}/{pages.path_of(str(citation.get('page')))}"
    entry = reader.tree.entries.get(path)
    if entry is None or entry.size == FOLDER:
        return None if reader.tree.erased else "no such page in this snapshot"
    page = pages.parse(str(citation["page"]), reader.read(path))
    by_slug[page.slug] = page
    parsed = claims.Citation(page=citation["page"], anchor=citation.get("anchor"), quote=citation["quote"])
    verdict = citations.resolve(parsed, by_slug.get)
    if isinstance(verdict, citations.Unresolved):
        return verdict.reason
    return None if verdict.checksum == citation["checksum"] else "the page's checksum differs"


def _earlier(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """What the report's changes say that their records said before (``reporting.earlier``).

    Raises ValueError, TypeError or AttributeError for sections of another form.
    """
    for statements in document.get("sections", {}).values():
        for statement in statements:
            yield from map(dict, statement.get("before", ()))


def _earlier_fault(earlier: Mapping[str, Any], reader: Reader) -> str | None:
    """Whether the raw file still holds that version of the record. A purge blanks its line and tells so."""
    path = str(earlier.get("raw"))
    entry = reader.tree.entries.get(path)
    if reader.tree.erased:
        return None
    if entry is None or entry.size == FOLDER:
        return "no such raw file in this snapshot"
    key = (earlier.get("source"), earlier.get("record_id"), earlier.get("checksum"))
    for line in reader.read(path).splitlines():
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if (record.get("source_key"), record.get("record_id"), record.get("checksum")) == key:
            return None
    return "the file does not hold that version of the record"


def _has_digest(size: int, entry_digest: str, digest: bytes, path: str, reader: Reader) -> bool:
    if size <= snapshot.BLOCK_BYTES:
        return entry_digest == digest.hex()
    return canonical.sha256_hex(reader.read(path)) == digest.hex()
