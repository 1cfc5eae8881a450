"""A report as a page: its sections, their order and wording. Text from the evidence is not formatted here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from consumer import layout
from consumer.evidence import pages
from consumer.reports import summary
from consumer.reports.citations import Resolved
from consumer.reports.detectors import Findings
from consumer.reports.evidence import ReportBasis
from consumer.reports.phrases import ReportPhrases
from consumer.reports.reporting import Content, PrintedLines, Statement, Unverified
from consumer.reports.wording import Wording
from consumer.run import Run
from consumer.understanding.moments import day_of
from renderers import markdown as md
from renderers.report import UP, Cited, ReportLine, ReportPage, ReportPart

#: Lines above the fold of a digest, those of the agent's claims among them.
LINES: Final = 7
#: Decisions that a portrait lists; brain/DECISIONS.md has the others.
DECISIONS: Final = 6
#: Moved days and changed values that it lists.
CHANGES: Final = 6
#: Loops of one direction, people and projects that it names; brain/OPEN_LOOPS.md has all loops.
OWED: Final = 6
PEOPLE: Final = 8
PROJECTS: Final = 6
#: Claims of the agent that an hour's digest prints; its JSON has the others.
CLAIMS: Final = 5
OPEN_LOOPS_PAGE: Final = layout.OPEN_LOOPS.removeprefix(f"{layout.BRAIN}/")
DECISIONS_PAGE: Final = layout.DECISIONS.removeprefix(f"{layout.BRAIN}/")
INSIGHTS_FOLDER: Final = f"{layout.INSIGHTS.removeprefix(f'{layout.BRAIN}/')}/"


class Ruled(NamedTuple):
    """What a report says of the user's rules and corrections. ``summary``: the report in numbers, with these."""

    lines: tuple[str, ...] = ()
    summary: str = ""


def digest(run: Run, content: Content, printed: PrintedLines, basis: ReportBasis, ruled: Ruled) -> ReportPage:
    """The page of an hour's or a morning's digest: a few lines, then what they rest on."""
    wording = basis.wording(run)
    phrases = wording.phrases
    lines = [_line(statement, phrases) for statement in printed.lines]
    claims = list(_claims(content, basis.findings))
    room = max(0, LINES - len(lines))
    lines += [_noted(claim, phrases.noted_label) for claim in claims[:room]]
    above, folded = _rules_parts(basis, ruled, phrases)
    parts = (
        ReportPart(phrases.day_ahead, tuple(_of_the_day(entry, phrases) for entry in printed.day_ahead), marked=True),
        ReportPart(
            phrases.since_last_evening, tuple(_line(entry, phrases) for entry in printed.since_evening), marked=True
        ),
        ReportPart(phrases.claims, tuple(_noted(claim) for claim in claims[room : room + CLAIMS]), marked=True),
        *above,
    )
    title = phrases.daily_title if printed.daily else phrases.hourly_title
    return ReportPage(
        title=title.format(when=_when(wording, hour=not printed.daily)),
        lead="",
        front=_front(run),
        parts=parts,
        lines=tuple(lines),
        below=_below(basis.findings, printed, wording),
        quotes=phrases.quotes,
        folded=(*folded, *_doubted(content), *_closing(run, ruled.summary)),
        folded_title=phrases.machinery,
    )


def portrait(run: Run, content: Content, printed: PrintedLines, basis: ReportBasis, ruled: Ruled) -> ReportPage:
    """The page of a backfill: who matters, what each project is at, what is owed both ways, what does not agree."""
    wording = basis.wording(run)
    phrases, facts, today = wording.phrases, content.facts, wording.today

    loops = {loop.id: loop for loop in basis.memory.open_loops()} if basis.memory else {}

    def rest(page: str, more: int) -> str:
        return f"{md.link(wording.many(phrases.and_more, more), UP + page)}." if more > 0 else ""

    def owed(heading: str, direction: str) -> ReportPart:
        statements = [statement for statement in facts["open_loops"] if statement.subject == direction]
        items = _items(
            replace(entry, text=wording.owed(loops[entry.statement]))
            if entry.statement in loops and entry.origin == "detector"
            else entry
            for entry in statements[:OWED]
        )
        # Of many loops only the weightiest are findings; those that a rule holds are no longer in this list.
        total = sum(finding.subject == direction for finding in basis.open_loops)
        return ReportPart(heading, items, below=rest(OPEN_LOOPS_PAGE, total - len(items)))

    moved = {change.id: day_of(change.after) for change in basis.memory.changes} if basis.memory else {}
    # Of what was moved, a day that is over is no news.
    changes = [
        entry for entry in facts["changes"] if entry.statement in moved and (moved[entry.statement] or today) >= today
    ]
    above, folded = _rules_parts(basis, ruled, phrases)
    parts = (
        ReportPart(phrases.people, _items(facts["people"][:PEOPLE]), none=phrases.none),
        ReportPart(phrases.projects, _items(facts["projects"][:PROJECTS])),
        ReportPart(
            phrases.decisions,
            _items(printed.decisions[:DECISIONS]),
            below=rest(DECISIONS_PAGE, len(printed.decisions) - DECISIONS) or _all_decisions(phrases)
            if printed.decisions
            else "",
        ),
        ReportPart(phrases.changes, _items(changes[:CHANGES])),
        owed(phrases.owed_by_you, "you_owe"),
        owed(phrases.asked_of_you, "asked_of_you"),
        owed(phrases.owed_to_you, "owed_to_you"),
        owed(phrases.asked_by_you, "asked_by_you"),
        ReportPart(phrases.contradictions, _items(facts["contradictions"]), none=phrases.none),
        ReportPart(phrases.faded_title, _items(facts["stale"])),
        ReportPart(phrases.claims, _items([*_claims_of(content, "themes", "changes"), *_unplaced(content)])),
        *above,
    )
    return ReportPage(
        title=phrases.backfill_title.format(when=_when(wording)),
        lead=_open_loops(basis.findings, printed, wording),
        front=_front(run),
        parts=parts,
        folded=(*folded, *_doubted(content), *_closing(run, ruled.summary)),
        folded_title=phrases.machinery,
    )


def insight(run: Run, content: Content, printed: PrintedLines, basis: ReportBasis, ruled: Ruled) -> ReportPage:
    """The page of an insight: what no page shows alone, then what the agent adds."""
    wording = basis.wording(run)
    phrases = wording.phrases
    headings = (
        ("connected", phrases.connected_title),
        ("postponed", phrases.postponed_title),
        ("faded", phrases.faded_title),
        ("expected", phrases.expected_title),
    )
    parts = [
        ReportPart(
            heading,
            tuple(
                ReportLine(
                    statement.text,
                    tuple(map(_cited, statement.resolved)),
                    f"[{phrases.details}]({UP}{INSIGHTS_FOLDER}{entry.name}.md)",
                    phrases.prediction.capitalize() if entry.prediction else "",
                )
                for entry, statement in printed.insights
                if entry.kind == kind
            ),
        )
        for kind, heading in headings
    ]
    claims = _items(
        entry for group in content.facts.values() for entry in group if entry.origin == "claim" and not entry.repeats
    )
    nothing = not (printed.insights or claims or content.facts["contradictions"])
    above, folded = _rules_parts(basis, ruled, phrases)
    return ReportPage(
        title=phrases.insight_title.format(when=_when(wording)),
        lead=phrases.no_insight if nothing else "",
        front=_front(run),
        parts=(
            ReportPart(phrases.claims, claims),
            *parts,
            ReportPart(phrases.contradictions, _items(content.facts["contradictions"])),
            *above,
        ),
        folded=(*folded, *_doubted(content), *_closing(run, ruled.summary)),
        folded_title=phrases.machinery,
    )


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
    )
    return ReportPage(
        f"Inventory, {run.period}",
        document["summary"],
        _front(run),
        parts,
        folded=_closing(run, ""),
        folded_title="How this report was made",
    )


def _rules_parts(
    basis: ReportBasis, ruled: Ruled, phrases: ReportPhrases
) -> tuple[tuple[ReportPart, ...], tuple[ReportPart, ...]]:
    """What is said of rules and corrections, above the fold and in it: what became of a correction is told once, and
    which rules hold is the same in every report.
    """
    part = ReportPart(phrases.rules_title, tuple(ReportLine(line) for line in ruled.lines))
    is_answered = bool(basis.corrections.new or basis.corrections.gone or basis.corrections.unknown)
    return ((part,), ()) if is_answered else ((), (part,))


# --- lines -------------------------------------------------------------------------------------------------------


def _line(statement: Statement, phrases: ReportPhrases) -> ReportLine:
    """A line above the fold, behind the word for its kind."""
    label = getattr(phrases, f"{statement.group}_label")
    return ReportLine(statement.text, tuple(map(_cited, statement.resolved)), label=label)


def _of_the_day(statement: Statement, phrases: ReportPhrases) -> ReportLine:
    """A line of the day ahead: that a meeting is one needs no word."""
    line = _line(statement, phrases)
    return replace(line, label="") if statement.group == "prepare" else line


def _noted(statement: Statement, label: str = "") -> ReportLine:
    """A claim of the agent, with the number by which a reader marks it as right or wrong."""
    return ReportLine(statement.text, tuple(map(_cited, statement.resolved[:2])), f"claim {statement.number}", label)


def _claims(content: Content, findings: Findings) -> Iterator[Statement]:
    """Verified claims about other places than any finding, the surest first: what code finds, it tells itself, and only
    while it is news.
    """
    places = {
        frozenset((cited.page, cited.anchor, cited.quote) for cited in entry.citations) for entry in findings.all()
    }
    claims = [
        entry for group in content.facts.values() for entry in group if entry.origin == "claim" and not entry.repeats
    ]
    for claim in sorted(claims, key=lambda entry: (-entry.confidence, entry.number)):
        cited = frozenset((place.page, place.anchor, place.quote) for place in claim.resolved)
        if not any(cited <= others for others in places):
            yield claim


def _claims_of(content: Content, *groups: str) -> list[Statement]:
    return [
        entry for group in groups for entry in content.facts[group] if entry.origin == "claim" and not entry.repeats
    ]


def _unplaced(content: Content) -> list[Statement]:
    """Claims about open loops do not say who owes what to whom."""
    return [entry for entry in content.facts["open_loops"] if not entry.subject]


def _open_loops(findings: Findings, printed: PrintedLines, wording: Wording) -> str:
    """``3 more next time; [22 open loops](../../OPEN_LOOPS.md), 3 overdue or due within a week.``"""
    phrases, total = wording.phrases, findings.counts.get("open_loops", 0)
    more = f"{wording.many(phrases.more, printed.more)}; " if printed.more else ""
    if not total:
        return f"{more}{phrases.nothing_open}"
    link = md.link(wording.many(phrases.open_loops, total), UP + OPEN_LOOPS_PAGE)
    due = findings.counts.get("due_this_week", 0)
    soon = f", {wording.many(phrases.due_soon, due)}" if due else ""
    return f"{more}{link}{soon}."


def _below(findings: Findings, printed: PrintedLines, wording: Wording) -> str:
    """Links to the open loops, and to all decisions if the digest reports one."""
    below = _open_loops(findings, printed, wording)
    if not any(statement.group == "decided" for statement in (*printed.lines, *printed.since_evening)):
        return below
    return f"{below} {_all_decisions(wording.phrases)}"


def _all_decisions(phrases: ReportPhrases) -> str:
    return f"{md.link(phrases.decisions_title, UP + DECISIONS_PAGE)}."


def _when(wording: Wording, *, hour: bool = False) -> str:
    """The user's day of a report, of an hour's digest with its hour."""
    return wording.full_day(wording.today) + (f", {wording.at}" if hour and wording.at else "")


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


def _items(statements: Iterable[Statement]) -> tuple[ReportLine, ...]:
    return tuple(
        ReportLine(
            f"{statement.text} ({statement.doubt})" if statement.doubt else statement.text,
            tuple(map(_cited, statement.resolved)),
            f"claim {statement.number}" if statement.origin == "claim" else "",
        )
        for statement in statements
    )


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


def _doubted(content: Content) -> tuple[ReportPart, ...]:
    """What a reader is told of claims that are in doubt, or do not hold."""
    return (
        ReportPart("Low confidence", _items(content.unsure)),
        ReportPart("Could not be verified", _unverified(content.unverified)),
    )


def _closing(run: Run, numbers: str) -> tuple[ReportPart, ...]:
    """How a report was made: the same parts in every report, in English, for operators."""
    return (
        ReportPart("In numbers", intro=numbers) if numbers else ReportPart(""),
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
    if synthesis := run.synthesized:
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
    if run.job.timezone_unknown:
        lines.append("Time zone: that of the profile does not exist, so all times are in UTC.")
    return tuple(ReportLine(line) for line in lines)
