"""What is new, changed or gone since the last report, by page checksum, and on a page of many records by record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import date
from typing import Final

from consumer.evidence.pages import Page
from consumer.reports.claims import Citation
from consumer.reports.detectors import records
from consumer.reports.detectors.findings import Finding, ranked, titled
from consumer.reports.detectors.records import PageRecord
from consumer.run import Revision

LIMIT: Final = 20
#: Records of one page that get findings of their own.
PER_PAGE: Final = 6
#: The part of a checksum, behind ``sha256:``, that a fingerprint is.
_DIGEST: Final = slice(7, 23)
#: A shorter passage says too little to be quoted alone; then the record's title is cited.
QUOTED: Final = 8
#: Characters of a passage before or after a change.
PASSAGE_CHARS: Final = 140
#: To a first report the whole brain is new; then a summary by source says more than a list.
FIRST_LIMIT: Final = 8


def find(
    by_slug: Mapping[str, Page],
    before: Mapping[str, str] | None,
    touched: Set[str] = frozenset(),
    revised: Sequence[Revision] = (),
) -> tuple[tuple[Finding, ...], dict[str, int]]:
    """(changes, counts).

    ``before`` maps slugs to fingerprints at the last report; None: there was none. ``touched``: ids of the records that
    this job brought, which tell what on a page of many is new; empty: not known. ``revised``: what changed inside
    records that were there before.
    """
    evidence = fingerprints(by_slug)
    if before is None:
        return _first({slug: by_slug[slug] for slug in evidence}), {"new": len(evidence), "changed": 0, "removed": 0}
    passages: dict[tuple[str, str], list[Revision]] = {}
    for revision in revised:
        passages.setdefault((revision.source, revision.record_id), []).append(revision)
    other = [(slug, by_slug[slug]) for slug, mark in evidence.items() if before.get(slug) != mark]
    new = [page for slug, page in other if slug not in before]
    changed = [page for slug, page in other if slug in before]
    gone = Counter(_folder(slug) for slug in before if slug.startswith(records.EVIDENCE) and slug not in by_slug)
    findings = [
        finding
        for word, several in (("New", new), ("Changed", changed))
        for page in several
        for finding in _findings(page, word, touched, passages)
    ]
    counts = {"new": len(new), "changed": len(changed), "removed": sum(gone.values())}
    return ranked(findings, LIMIT), {
        **counts,
        **{f"removed {source}": number for source, number in sorted(gone.items())},
    }


def fingerprints(by_slug: Mapping[str, Page]) -> dict[str, str]:
    """Of each page of evidence 16 hexadecimal characters of its checksum, by slug: enough to detect a change, short in
    a list of all pages.
    """
    return {slug: page.checksum[_DIGEST] for slug, page in by_slug.items() if slug.startswith(records.EVIDENCE)}


def _first(evidence: Mapping[str, Page]) -> tuple[Finding, ...]:
    """One finding per source: the number of pages, with the newest cited."""
    by_source: dict[str, list[Page]] = {}
    for page in evidence.values():
        by_source.setdefault(_source(page), []).append(page)
    findings = []
    for source, several in by_source.items():
        newest = max(several, key=lambda page: (page.text("occurred_at"), page.slug))
        total = sum(max(1, len(page.anchors)) for page in several)
        amount = f"{_many(total, 'record')} on {_many(len(several), 'page')}"
        text = f"{source}: {amount}, the newest {titled(newest.title)}."
        findings.append(Finding("change", text, (_cite(newest),), _prose(several)))
    return ranked(findings, FIRST_LIMIT)


def _prose(several: list[Page]) -> float:
    """How much the newest ten of these pages state: people's texts rank before machine logs."""
    newest = sorted(several, key=lambda page: (page.text("occurred_at"), page.slug))[-10:]
    stated = sum(len(record.statements) for page in newest for record in records.of_page(page))
    return round(stated / len(newest), 2)


def _findings(
    page: Page, word: str, touched: Set[str], passages: Mapping[tuple[str, str], Sequence[Revision]]
) -> Iterator[Finding]:
    """One finding for each record of the page that is known to be new or different, else one for the page."""
    all_records = records.of_page(page)
    rewritten = [record for record in all_records if (record.source, record.record_id) in passages]
    for record in rewritten[:PER_PAGE]:
        yield _rewritten(record, page, passages[record.source, record.record_id])
    of_page = [record for record in all_records if record.record_id in touched and record not in rewritten]
    if rewritten and not of_page:
        return
    if not page.anchors or not of_page:
        day = records.day_of(page.text("occurred_at"))
        text = f"{word} in {_source(page)}: {titled(page.title)}."
        yield Finding("change", text, (_cite(page),), float((day or date.min).toordinal()), day)
        return
    for record in of_page[:PER_PAGE]:
        state = record.facts.get("State", "")
        text = f"{word} in {_source(page)}: {titled(record.title)}{f' is {state}' if state else ''}."
        quote = f"State: {state}" if state else record.telling
        yield Finding("change", text, (record.cite(quote),), record.weight, record.day)


def _rewritten(record: PageRecord, page: Page, passages: Sequence[Revision]) -> Finding:
    """A record's words before and after. What it says now is cited; what it said before is in its raw file."""
    wording = "; ".join(_passage(revision) for revision in passages)
    quotes = list(dict.fromkeys(revision.after for revision in passages if len(revision.after) >= QUOTED)) or [
        record.title
    ]
    text = f"Changed in {_source(page)}: {titled(record.title)}: {wording}."
    cited = tuple(map(record.cite, quotes))
    return Finding("change", text, cited, record.weight, record.day, tuple(passages), subject=record.title)


def _passage(revision: Revision) -> str:
    before, after = (titled(text.rstrip(". "), PASSAGE_CHARS) for text in (revision.before, revision.after))
    if not revision.before:
        return f"{after} is new"
    return f"{before} before, {after} now" if revision.after else f"{before} is gone"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _source(page: Page) -> str:
    return page.text("source_key").replace("_", " ") or _folder(page.slug)


def _folder(slug: str) -> str:
    return slug.split("/")[-2].replace("-", " ")


def _cite(page: Page) -> Citation:
    """The page's newest statement, or its title."""
    of_page = [record for record in records.of_page(page) if record.statements]
    if not of_page:
        return records.PageRecord(page.slug, None, "", "", page.title, None, {}, (), ()).cite(page.title)
    newest = max(of_page, key=lambda record: record.order)
    return newest.cite(newest.telling)
