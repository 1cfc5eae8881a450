"""A report as a page: its sections, their order and wording. Text from the evidence is not formatted here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any

from consumer.evidence import pages
from consumer.reports import reporting, summary
from consumer.reports.citations import Resolved
from consumer.reports.detectors import Findings
from consumer.reports.reporting import Content, Statement, Unverified
from consumer.run import Run
from renderers.report import Cited, ReportLine, ReportPage, ReportPart

_TITLES = {
    "inventory": "Inventory",
    "backfill_digest": "Backfill report",
    "hourly_digest": "Digest",
    "insight": "Insight report",
}
_NOTHING = "Nothing found."
_LEFT_OUT = "None concerns the changes; brain/CONTEXT.md lists all of them."
#: The places (page, anchor) that a statement cites, and the words at the first.
_Key = tuple[frozenset[tuple[str, str | None]], str]


def digest(
    run: Run,
    content: Content,
    findings: Findings,
    since: dict[str, Any] | None,
    *,
    ruled: Sequence[str] = (),
    lead: str = "",
) -> ReportPage:
    """The page of a backfill, a digest or an insight. ``ruled``: what it says of the user's rules and corrections.

    ``lead``: its first line, where that is not ``summary.line``.
    """
    facts, before = content.facts, _in_last_report(since, "contradictions")
    none = _LEFT_OUT if leaves_out(run, since) else _NOTHING
    parts = (
        ReportPart(_changes_heading(since), _items(facts["changes"]), _changes_intro(findings), "Nothing changed."),
        ReportPart("Emerging themes", _items(facts["themes"]), _themes_intro(facts["themes"]), none),
        ReportPart("Important people", _items(facts["people"]), none=none),
        ReportPart("Important projects", _items(facts["projects"]), none=none),
        ReportPart(
            "Open loops",
            _items(facts["open_loops"], _in_last_report(since, "open_loops")),
            _loops_intro(facts["open_loops"], findings),
            _NOTHING,
        ),
        ReportPart(
            "Contradictions",
            _items(facts["contradictions"], before),
            _contradictions_intro(facts["contradictions"], before),
            "No contradiction was found.",
        ),
        ReportPart("People gone silent", _items(facts["stale"])),
        ReportPart("Low confidence", _items(content.unsure), none="No verified claim is in doubt."),
        ReportPart("Could not be verified", _unverified(content.unverified), none="All claims were verified."),
        ReportPart("Your rules and corrections", tuple(ReportLine(line) for line in ruled)),
        ReportPart("Why this is useful", useful(run, content, findings)),
        *_closing(run),
    )
    return ReportPage(_title(run), lead or summary.line(run, content, findings), _front(run), parts)


def leaves_out(run: Run, since: dict[str, Any] | None) -> bool:
    """Whether the report omits what an earlier one says: an hourly digest after another report."""
    return bool(since) and run.job.job_type == "hourly_digest"


def inventory(run: Run) -> ReportPage:
    """The page of an inventory."""
    evidence = run.inventory
    document = summary.inventory(run)
    rows: list[tuple[str, ...]] = [("Source", "Records", "Bytes", "Needed", "Enough")]
    for source in evidence.sources if evidence else ():
        enough = ("yes" if source.enough else "no") if source.wanted else "-"
        rows.append(
            (source.source_key, f"{source.records:,}", summary.size(source.bytes), str(source.wanted or "-"), enough)
        )
    verdict = f"Evidence is **{evidence.verdict}** for a backfill: {summary.enough(evidence)}." if evidence else ""
    parts = (
        ReportPart("Verdict", intro=verdict or "No inventory was taken."),
        ReportPart("Sources", rows=rows),
        *_closing(run),
    )
    return ReportPage(_title(run), document["summary"], _front(run), parts)


def useful(run: Run, content: Content, findings: Findings) -> tuple[ReportLine, ...]:
    """Counts of what the memory found without being asked."""
    facts = content.facts
    overdue = sum(1 for loop in findings.open_loops if loop.due and str(loop.due) < run.period[:10])
    sources = {citation.page.split("/")[2] for citation in content.citations() if citation.page.startswith("sources/")}
    lines = [
        f"This report is based on {findings.counts.get('records', 0):,} records and cites"
        f" {len(content.citations())} places in {len(sources)} sources; each place can be opened and checked.",
        f"It tracks {summary.many(findings.counts.get('open_loops', 0), 'open loop')}"
        + (f"; {overdue} of those listed above {'is' if overdue == 1 else 'are'} overdue." if overdue else "."),
    ]
    if facts["contradictions"]:
        lines.append(
            f"It found {summary.many(len(facts['contradictions']), 'contradiction')} that no single source shows."
        )
    if facts["stale"]:
        silent = len(facts["stale"])
        lines.append(
            f"It found {f'{silent:,} people' if silent != 1 else '1 person'}, often named before, who went silent."
        )
    return tuple(ReportLine(line) for line in lines)


def _title(run: Run) -> str:
    return f"{_TITLES[run.job.job_type]}, {run.period}"


def _front(run: Run) -> dict[str, Any]:
    synthesis = run.synthesized
    return {
        "source_system": "cloop-memory",
        "report_type": run.job.job_type,
        "job_id": run.job.job_id,
        "user_id": run.job.user_id,
        "period": run.period,
        "occurred_at": _occurred_at(run.period),
        "sensitivity": "private",
        "template_version": run.job.template_version,
        "runtime_profile": run.job.runtime_profile,
        "brain": run.brain or None,
        "model": synthesis.model if synthesis else None,
        "agent": synthesis.agent if synthesis else None,
    }


def _occurred_at(period: str) -> str:
    """The start of a period: a day (YYYY-MM-DD) or an hour (YYYY-MM-DDTHH) in UTC."""
    return f"{period[:10]}T{period[11:13] or '00'}:00:00Z"


def _changes_heading(since: dict[str, Any] | None) -> str:
    """Names the last report to the minute, because it may be of the same day."""
    if not since or not since.get("period"):
        return "What this memory contains"
    generated_at = str(since.get("generated_at") or "")
    moment = f"{generated_at[:10]} {generated_at[11:16]} UTC" if len(generated_at) >= 16 else since["period"]
    return f"What changed since {moment}"


def _changes_intro(findings: Findings) -> str:
    counts = findings.counts
    listed = len(findings.changes)
    total = counts.get("new", 0) + counts.get("changed", 0)
    line = f"{counts.get('new', 0)} new, {counts.get('changed', 0)} changed, {counts.get('removed', 0)} removed pages."
    gone = [f"{number} of {name.removeprefix('removed ')}" for name, number in counts.items() if " " in name]
    line += f" Removed: {', '.join(gone)}." if gone else ""
    return line if listed >= total or not listed else f"{line} The most relevant:"


def _themes_intro(shown: tuple[Statement, ...]) -> str:
    if not any(statement.origin == "detector" for statement in shown):
        return ""
    return "Terms that recur on several days and in several sources, and whether they recur more often than before."


def _loops_intro(shown: tuple[Statement, ...], findings: Findings) -> str:
    total = findings.counts.get("open_loops", 0)
    return f"{total} open; the {len(shown)} most urgent:" if total > len(shown) else ""


def _contradictions_intro(shown: tuple[Statement, ...], before: Set[_Key] | None) -> str:
    lines = ["Statements that cannot both be true, with a citation of each."] if shown else []
    gone = len((before or frozenset()) - {_key(statement.to_json()) for statement in shown})
    if gone:
        lines.append(f"{summary.many(gone, 'contradiction')} of the last report {'is' if gone == 1 else 'are'} gone.")
    return " ".join(lines)


def _in_last_report(since: dict[str, Any] | None, group: reporting.Group) -> Set[_Key] | None:
    """The last report's statements in this section; None: there is no last report, or its file is damaged."""
    try:
        return {_key(statement) for statement in since["sections"][group]} if since else None
    except (KeyError, TypeError):
        return None


def _key(statement: dict[str, Any]) -> _Key:
    """A statement's places identify it: its words contain the days left, and so differ between reports."""
    cited = statement["citations"]
    places = frozenset((citation["page"], citation["anchor"]) for citation in cited)
    return places, cited[0]["quote"] if cited else statement["text"]


def _items(statements: tuple[Statement, ...], before: Set[_Key] | None = None) -> tuple[ReportLine, ...]:
    """``before``: the statements of the last report in this section; others are marked as new."""
    return tuple(
        ReportLine(
            f"{statement.text} ({statement.doubt})" if statement.doubt else statement.text,
            tuple(_cited(place) for place in statement.resolved),
            ", ".join(_notes(statement, before)),
        )
        for statement in statements
    )


def _notes(statement: Statement, before: Set[_Key] | None) -> Iterator[str]:
    if before is not None and _key(statement.to_json()) not in before:
        yield "new"
    if statement.origin == "claim":
        yield f"claim {statement.number}, confidence {statement.confidence:.2f}"


def _cited(citation: Resolved) -> Cited:
    return Cited(pages.path_of(citation.page), citation.anchor, citation.quote, citation.title)


def _unverified(unverified: tuple[Unverified, ...]) -> tuple[ReportLine, ...]:
    return tuple(
        ReportLine(
            f"Unverified: {statement.checked.claim.text} ({'; '.join(statement.checked.reasons)})",
            note=f"claim {statement.number}, score {statement.checked.score:.2f}",
        )
        for statement in unverified
    )


def _closing(run: Run) -> tuple[ReportPart, ...]:
    return (
        ReportPart("Counts", intro=_counts_intro(run), rows=_counts(run)),
        ReportPart("Left out", intro=_left_out_intro(run), rows=_left_out(run)),
        ReportPart("Redactions", intro=_examined(run), rows=_redactions(run)),
        ReportPart("How it was made", _made(run)),
        ReportPart("Capabilities", code=summary.capabilities(run)),
    )


def _counts_intro(run: Run) -> str:
    """Explains that the report counts new and changed records, not all."""
    if run.exported is None or run.job.job_type not in ("backfill_digest", "hourly_digest"):
        return ""
    if not run.exported.records:
        return "No record is new or changed since the last commit. Earlier records are not counted again."
    return f"New or changed since the last commit: {summary.many(run.exported.records, 'record')}."


def _counts(run: Run) -> list[tuple[str, ...]]:
    if run.exported is None or run.inventory is not None:
        return []
    rows = [
        (source, f"{count:,}", summary.size(run.exported.source_bytes.get(source, 0)))
        for source, count in sorted(run.exported.source_counts.items())
        if count
    ]
    return [("Source", "Records", "Bytes"), *rows] if rows else []


def _left_out_intro(run: Run) -> str:
    if not _left_out(run):
        return ""
    return (
        "Records of the sources that this memory does not contain. The raw export's refused.jsonl names broken records;"
        " missing records were counted by the control plane, but not delivered."
    )


def _left_out(run: Run) -> list[tuple[str, ...]]:
    if run.exported is None:
        return []
    short = {source.source_key: source.missing for source in run.exported.short}
    rows = [
        (source, f"{run.exported.refused.get(source, 0):,}", f"{short.get(source, 0):,}")
        for source in sorted({*run.exported.refused, *short})
    ]
    return [("Source", "Broken", "Missing"), *rows] if rows else []


def _examined(run: Run) -> str:
    """How many of the user's records an inventory examined."""
    if run.exported is None or run.exported.examined is None or run.inventory is None:
        return ""
    examined, total = run.exported.examined, run.inventory.records
    seen = f"all {total:,}" if examined >= total else f"the first {examined:,} of {total:,}"
    return (
        f"Fields left out by name, counted once for each record, and secrets found inside other values, in {seen}"
        " records. The job stored none of these records."
    )


def _redactions(run: Run) -> list[tuple[str, ...]]:
    redactions = run.exported.redactions if run.exported else ()
    rows = [
        (f"{redaction.source_key}.{redaction.field} ({redaction.reason})", f"{redaction.count:,}")
        for redaction in redactions
    ]
    return [("Field", "Times"), *rows] if rows else []


def _made(run: Run) -> tuple[ReportLine, ...]:
    usage = run.usage
    lines = [f"Job {run.job.job_id}, attempt {run.attempt}, profile {run.job.runtime_profile}, template"
             f" {run.job.template_version}."]  # fmt: skip
    if run.brain:
        pages_now = f", {run.indexed.pages} pages, {run.indexed.links} links" if run.indexed else ""
        lines.append(f"Brain: {run.brain}{pages_now}.")
    synthesis = run.synthesized
    if synthesis:
        reused = " (answer of an earlier attempt, reused)" if synthesis.reused else ""
        lines.append(
            f"Synthesis: {synthesis.agent} with model {synthesis.model}, {synthesis.tool_calls} tool calls{reused}."
        )
        lines.append(
            f"Usage: {usage.requests} requests, {usage.input_tokens:,} tokens in, {usage.output_tokens:,} out,"
            f" {usage.cost_usd:.4f} USD."
        )
    elif off := summary.synthesis_off(run):
        lines.append(f"Synthesis: switched off ({off}); code computed everything above, without an agent.")
    else:
        lines.append("Synthesis: none; code computed everything above, without an agent.")
    return tuple(ReportLine(line) for line in lines)
