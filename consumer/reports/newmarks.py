"""
What the user marked as private since a run wrote what is held (``holds``), so that it is held at once. Pure.

The next run holds it itself. Marks of a report's claims are not among these: they wait for that run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from consumer.evidence import pages
from consumer.evidence.index import stored
from consumer.reports.withholding import NOBODY, PRIVATE, Holders, Withheld, holders_by_page
from consumer.understanding import corrections, encoding, life, reader
from contract.overlay import CorrectionView, Overlay, PlacedCorrection, record_digest


def waiting(held: Withheld, overlay: Overlay) -> tuple[CorrectionView, ...]:
    """Marks that hold nothing yet, without those of which a run found that they speak of nothing."""
    known = {holder for holders in (*held.records.values(), *held.places.values()) for holder in holders}
    return tuple(
        view
        for view in overlay.corrections
        if view.verdict == "private"
        and view.statement
        and f"{PRIVATE}{view.id}" not in known
        and (view.placed_at is None or view.places)
    )


def holding(held: Withheld, overlay: Overlay, data: bytes) -> Withheld:
    """With the records on which the statements of waiting marks rest. ``data``: the record index.

    Raises SnapshotIncomplete: as ``stored.readings``.
    """
    views = waiting(held, overlay)
    if not views or not overlay.key:
        return held
    rows = stored.readings(data, reader.NAME)
    readings = [encoding.decode(row.source, row.record_id, row.body) for row in rows]
    asked = overlay.model_copy(update={"corrections": views})
    given, _ = corrections.given(asked, readings, datetime.isoformat)
    placements = corrections.placed(readings, life.fold(readings), given, overlay.key)
    marked: dict[str, Holders] = {}
    for correction_id, digest in (*_records(views), *_records(placements)):
        marked[digest] = marked.get(digest, NOBODY) | {f"{PRIVATE}{correction_id}"}
    records, places = dict(held.records), dict(held.places)
    for row in rows:
        holders = marked.get(record_digest(overlay.key, row.source, row.record_id))
        if not holders:
            continue
        key, place = (row.source, row.record_id), (pages.slug_of(row.page), row.anchor or None)
        records[key] = records.get(key, NOBODY) | holders
        if row.page:
            places[place] = places.get(place, NOBODY) | holders
    return replace(held, records=records, places=places, pages=holders_by_page(places))


def _records(several: Iterable[CorrectionView | PlacedCorrection]) -> Iterator[tuple[str, str]]:
    """The id of each correction with the digest of each of its records."""
    return ((each.id, place.record) for each in several for place in each.places)
