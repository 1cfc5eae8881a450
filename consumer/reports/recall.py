"""
The content of memory for one report: folded with the user's corrections, without what their standing rules hold.

Reads the record index, the raw lines of rules, the reports whose claims were called wrong, and, where rules changed
after the export, these rules from the control plane. Writes nothing but where corrections belong (``place``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import orjson

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.evidence.rawlines import RawLines
from consumer.evidence.records import RecordIndex
from consumer.ports import Overlays
from consumer.reports import corrected, holds, preferences, today, withholding
from consumer.reports.citing import Citing
from consumer.reports.corrected import CorrectedPlace, CorrectedReport, WrongClaim
from consumer.reports.doubts import SecondReading
from consumer.reports.holds import Holds, RuleVersion
from consumer.reports.preferences import ReaderPreferences
from consumer.reports.remembered import Remembered, Telling
from consumer.reports.withholding import PRIVATE, HeldEvidence, Holders, Place, RecordKey, Withheld
from consumer.run import Run
from consumer.understanding import corrections, encoding, life, reader, standing_rules
from consumer.understanding.corrections import Corrected
from consumer.understanding.memory import Correction
from consumer.understanding.people import PROFILES
from consumer.understanding.standing_rules import RuleText, StandingRule, Unread
from consumer.understanding.statements import Reading
from contract.api import BatchRequest
from contract.event import utc_text
from contract.overlay import MAX_PLACED, CorrectionView, Overlay, PlaceRequest, record_digest
from renderers import grouping

#: The sources whose rows may hold a standing rule, with the field that has its text.
RULES: Final = {"user_rules": "rule_text", "user_preferences": "value"}
PREFERENCES: Final = "user_preferences/"
#: Records of a source that a rule holds by name: enough for years of a source, and bounded.
_OF_SOURCE: Final = 20_000


@dataclass(frozen=True, slots=True)
class Recalled:
    """``telling``: memory in sentences, while the record index is open; None without one."""

    remembered: Remembered = field(default_factory=Remembered)
    telling: Telling | None = None
    second_reading: SecondReading | None = None
    reads_as: ReaderPreferences = field(default_factory=ReaderPreferences)
    withheld: Withheld = field(default_factory=Withheld)
    corrections: CorrectedReport = field(default_factory=CorrectedReport)
    #: Under all rules, also those that the user switched off; ``withheld`` is what holds now.
    holds: Holds = field(default_factory=Holds)
    #: What the owner sees first (``reports.today``).
    today: dict[str, Any] = field(default_factory=dict)


def recall(
    run: Run,
    overlay: Overlay,
    index: RecordIndex,
    by_slug: Mapping[str, Page],
    now: str,
    *,
    ruled: Mapping[str, str] = MappingProxyType({}),
) -> Recalled:
    """``now``: the user's time, see ``life.fold``. ``overlay``: as ``placed`` gave it. ``ruled``: see ``doubts``."""
    readings = readings_of(index)
    key = overlay.key or ""
    given, strangers = corrections.given(overlay, readings, partial(_local, zone=run.job.timezone))
    folded = life.fold(readings, given, now, key=key)
    second_reading = SecondReading(folded, readings, ruled)
    memory = replace(folded, doubted=second_reading.doubted())
    spoken_of = Corrected.of(readings, given, key)
    claims, missing = corrected.wrong_claims(run.root, overlay.corrections)
    rules = _rule_texts(run, overlay, index)
    read = [standing_rules.compiled(text, memory.directory) for text in rules.texts]
    held = withholding.withheld(
        [rule for rule in read if isinstance(rule, StandingRule)],
        [rule for rule in read if isinstance(rule, Unread) and is_told(rule)],
        withholding.Marked({**_private_records(spoken_of), **_forgetting(readings, overlay)}, _private_places(claims)),
        HeldEvidence(readings, memory.directory, by_slug, index.find, lambda source: records_of(index, source)),
        late=rules.late,
    )
    withheld = holds.in_force(held, overlay)
    nowhere = {*strangers, *missing, *(each.id for each in given if each.targets and each.placed and not each.places)}
    ids, before = {view.id for view in overlay.corrections}, corrected.applied(run.root)
    profiles = _profiles(run, index)
    reads_as = preferences.of(profiles, readings, memory.directory)
    region = reader.region(profiles, grouping.country(run.job.timezone))
    telling = Telling(memory, Citing(lambda record: index.find(*record), by_slug.get), reads_as.language, withheld)
    return Recalled(
        holds=Holds(held, rules.read),
        remembered=telling.all(),
        telling=telling,
        second_reading=second_reading,
        reads_as=reads_as,
        withheld=withheld,
        corrections=CorrectedReport(
            ids=tuple(sorted(ids)),
            new=len(ids - before - nowhere),
            gone=len(before - ids),
            unknown=len((ids - before) & nowhere),
            places=tuple(_corrected_places(spoken_of, index)),
            claims=tuple(claim.with_records(by_slug.get) for view, claim in claims if view.verdict == "wrong"),
        ),
        today=today.document(
            memory,
            lambda record: index.find(*record),
            by_slug,
            withheld,
            locale="-".join(filter(None, (reads_as.language, region))),
        ),
    )


def _profiles(run: Run, index: RecordIndex) -> list[Mapping[str, Any]]:
    """The user's current profile; empty where there is none."""
    with closing(RawLines(run.root)) as lines:
        placements = [lines.read(record).get("data") for record in index.outdated(PROFILES, "")]
    return [data for data in placements if isinstance(data, dict)]


def readings_of(index: RecordIndex) -> list[Reading]:
    return [encoding.decode(*row) for row in index.readings(reader.NAME)]


def _local(moment: datetime, zone: str) -> str:
    return grouping.local(moment.isoformat(), zone)


# --- corrections -------------------------------------------------------------------------------------------------


def placed(user_id: str, overlay: Overlay, index: RecordIndex, zone: str, overlays: Overlays) -> Overlay:
    """The overlay with each correction's records and marks; those that this index gives are kept in the control plane.

    Repeatable: the first answer for a correction stands. Raises as ``Overlays``.
    """
    waiting = [view for view in overlay.corrections if view.statement and view.placed_at is None]
    if not waiting or not overlay.key:
        return overlay
    readings = readings_of(index)
    given, _ = corrections.given(
        overlay.model_copy(update={"corrections": tuple(waiting)}), readings, partial(_local, zone=zone)
    )
    placements = corrections.placed(readings, life.fold(readings), given, overlay.key)
    for start in range(0, len(placements), MAX_PLACED):
        overlays.place_corrections(user_id, PlaceRequest(placed=placements[start : start + MAX_PLACED]))
    by_id = {each.id: each for each in placements}
    views = [
        view.model_copy(
            update={"about": by_id[view.id].about, "places": by_id[view.id].places, "placed_at": view.made_at}
        )
        if view.id in by_id
        else view
        for view in overlay.corrections
    ]
    return overlay.model_copy(update={"corrections": tuple(views)})


def _corrected_places(spoken_of: Corrected, index: RecordIndex) -> Iterator[CorrectedPlace]:
    """The words of corrected statements where they stand, but those that are only private or put off."""
    for (source, record_id), statement, about in spoken_of.pairs():
        kinds = {correction.kind for correction in about} - {"private"}
        record = index.find(source, record_id) if kinds else None
        if record is not None:
            only_loops = all(map(corrected.loops_only, kinds))
            for quote in statement.quotes:
                yield CorrectedPlace(pages.slug_of(record.page), record.anchor or None, quote.text, only_loops)


def _private_records(spoken_of: Corrected) -> dict[RecordKey, Holders]:
    records: dict[RecordKey, Holders] = {}
    for record, _, about in spoken_of.pairs():
        holders = frozenset(f"{PRIVATE}{correction.id}" for correction in about if _is_private(correction))
        if holders:
            records[record] = records.get(record, frozenset()) | holders
    return records


def _forgetting(readings: Iterable[Reading], overlay: Overlay) -> dict[RecordKey, Holders]:
    """Records that the user is forgetting: a report must not tell of them while they wait for their purge."""
    digests, key = frozenset(overlay.hidden_records), overlay.key
    if not digests or key is None:
        return {}
    records = ((reading.source, reading.record_id) for reading in readings)
    return {record: frozenset({holds.FORGETTING}) for record in records if record_digest(key, *record) in digests}


def _is_private(correction: Correction) -> bool:
    return correction.kind == "private"


def _private_places(claims: Iterable[tuple[CorrectionView, WrongClaim]]) -> dict[Place, Holders]:
    places: dict[Place, Holders] = {}
    for view, claim in claims:
        for cited in claim.citations if view.verdict == "private" else ():
            place = (cited.page, cited.anchor)
            places[place] = places.get(place, frozenset()) | {f"{PRIVATE}{view.id}"}
    return places


# --- rules -------------------------------------------------------------------------------------------------------


class _Rules(NamedTuple):
    """``late``: how many changed since the export of a job that may not export, and so are not read."""

    texts: list[RuleText]
    read: frozenset[RuleVersion]
    late: int = 0


def _rule_texts(run: Run, overlay: Overlay, index: RecordIndex) -> _Rules:
    """The user's rules as they are now, as far as this job may read them."""
    sources = [source for source in RULES if source in run.job.allowed_sources]
    with closing(RawLines(run.root)) as raw:
        rows = {
            (record.source, record.record_id): (record.updated_at, raw.read(record)["data"])
            for source in RULES
            for record in index.outdated(source, "")
        }
    now = {
        (rule.source_key, rule.record_id): utc_text(rule.changed_at)
        for rule in overlay.rules
        if rule.source_key in sources and not run.suppressed.hides(rule.source_key, rule.record_id, rule.changed_at)
    }
    known = {record: updated_at for record, (updated_at, _) in rows.items() if record[0] in sources}
    changed = set(now.items()) ^ set(known.items()) if overlay.version else set()
    # A purged row, or one of a source that this job may not read, is none that the next job could apply.
    newest = frozenset(map(holds.version, overlay.rules))
    exported = _texts((*record, data) for record, (_, data) in sorted(rows.items()))
    if not changed:
        return _Rules(exported, newest | {(*record, at) for record, at in known.items()})
    if run.job.job_type == "insight":
        return _without_export(exported, {record for record, _ in changed}, now, newest, held_before(run.root))
    return _Rules(_texts(_asked(run, sources)), newest)


def _without_export(
    exported: Sequence[RuleText],
    changed: Iterable[tuple[str, str]],
    now: Mapping[tuple[str, str], str],
    newest: frozenset[RuleVersion],
    before: Holds,
) -> _Rules:
    """The rules of a job whose token may not export: as the last export or the last report read them, whichever was
    later. Newer rules are not applied, and the report counts them.

    ``changed``: (source, record id) of the rows that are not as they were exported. ``now``: the time of each row's
    last change; deleted rows are not in it.
    """
    texts = {text.id: text for text in exported}
    read_before = _texts_read(before)
    late = set()
    for source, record_id in set(changed):
        rule_id, changed_at = f"{source}/{record_id}", now.get((source, record_id))
        if changed_at is not None and (source, record_id, changed_at) not in before.read:
            late.add((source, record_id))
            continue
        texts.pop(rule_id, None)
        if changed_at is not None and rule_id in read_before:
            texts[rule_id] = read_before[rule_id]
    applied = frozenset(row for row in newest if row[:2] not in late)
    return _Rules([texts[rule_id] for rule_id in sorted(texts)], applied, len(late))


def held_before(root: Path) -> Holds:
    """What the last report wrote; nothing if there was no report, or an earlier release wrote it."""
    try:
        return holds.read(orjson.loads((root / layout.HOLDS).read_bytes()))
    except (OSError, KeyError, TypeError, ValueError, re.error):
        return Holds()


def _asked(run: Run, sources: Sequence[str]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """The rows of these sources as the control plane has them now: there are few."""
    cursor: dict[str, Any] = {}
    while True:
        request = BatchRequest(mode="backfill", cursor=cursor, source_keys=tuple(sources))
        page = run.session.batch(request)
        for record in page.records:
            if record.data is not None and not run.suppressed.hides(
                record.source_key, record.record_id, record.updated_at
            ):
                yield record.source_key, record.record_id, record.data
        if not page.has_more or page.next_cursor == cursor:
            return
        cursor = dict(page.next_cursor)


def rules_in(index: RecordIndex, raw: RawLines, before: Holds) -> tuple[list[RuleText], frozenset[RuleVersion]]:
    """The workspace's rules, as exported or as the last report read them, whichever was later; and the versions of
    their rows.
    """
    rows = [record for source in RULES for record in index.outdated(source, "")]
    read_at = {(source, record_id): changed_at for source, record_id, changed_at in before.read}
    later = {key for record in rows if read_at.get(key := (record.source, record.record_id), "") > record.updated_at}
    texts = _texts(
        (record.source, record.record_id, raw.read(record)["data"])
        for record in rows
        if (record.source, record.record_id) not in later
    )
    read_before = _texts_read(before)
    texts += [read_before[rule_id] for key in sorted(later) if (rule_id := "/".join(key)) in read_before]
    versions = {(record.source, record.record_id): record.updated_at for record in rows}
    versions |= {key: read_at[key] for key in later}
    return texts, frozenset((*key, changed_at) for key, changed_at in versions.items())


def _texts_read(before: Holds) -> dict[str, RuleText]:
    """Rule id -> its text, of the rules and other texts that the last report read."""
    withheld = before.withheld
    texts = [*(rule.rule for rule in withheld.rules), *(unread.rule for unread in withheld.unread)]
    return {text.id: text for text in texts}


def _texts(rows: Iterable[tuple[str, str, Mapping[str, Any]]]) -> list[RuleText]:
    texts = []
    for source, record_id, data in rows:
        text = data.get(RULES[source])
        if isinstance(text, str) and text.strip() and data.get("enabled", True) is not False:
            texts.append(RuleText(f"{source}/{record_id}", text))
    return texts


def is_told(unread: Unread) -> bool:
    """Whether the user must learn that a text is not applied: a preference is a rule only if it sounds like one."""
    return not unread.rule.id.startswith(PREFERENCES) or unread.reason == "nothing"


def records_of(index: RecordIndex, source: str) -> Iterable[Any]:
    return islice(index.outdated(source, ""), _OF_SOURCE)
