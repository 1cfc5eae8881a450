"""A report as data: the JSON beside the page, the job-run JSON, and the line sent to the control plane."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Final

from consumer.inventory import Inventory
from consumer.ports import WAITS
from consumer.reports import reporting
from consumer.reports.detectors import Findings
from consumer.reports.reporting import Content, PrintedLines, Statement
from consumer.run import Run
from contract.event import utc_text

SCHEMA: Final = "memory.report.v1"
RUN_SCHEMA: Final = "memory.job_run.v1"
NO_CITATIONS: Final[dict[str, Any]] = {"total": 0, "resolved": 0, "citations": []}


def document(
    run: Run,
    content: Content,
    printed: PrintedLines,
    findings: Findings,
    *,
    since: dict[str, Any] | None,
    language: str,
) -> dict[str, Any]:
    """The JSON of a digest, a backfill or an insight; the caller adds ``citations``.

    It has everything that was found, also what the page leaves out.
    """
    return {
        **_head(run),
        "language": language,
        "edition": "daily" if printed.daily else run.job.job_type.removesuffix("_digest"),
        "summary": line(run, content, findings),
        "lines": [_line(statement) for statement in printed.lines],
        "more": printed.more,
        "day_ahead": [_line(statement) for statement in printed.day_ahead],
        "since_evening": [_line(statement) for statement in printed.since_evening],
        "decisions": [_line(statement) for statement in printed.decisions],
        "insights": [
            {**_line(statement), "page": f"insights/{insight.name}", "prediction": insight.prediction}
            for insight, statement in printed.insights
        ],
        "since": {"job_id": since.get("job_id"), "period": since.get("period")} if since else None,
        "counts": {**counts(run), **findings.counts},
        "sections": {group: [statement.to_json() for statement in content.facts[group]] for group in reporting.GROUPS},
        "low_confidence": [statement.to_json() for statement in content.unsure],
        "unverified": reporting.unverified_json(content.unverified),
        "claims": content.claims,
        "rejections": {"hints": content.rejected, "unknown": content.rejected_unknown},
        "findings_replaced_by_claims": content.replaced,
        "detector_findings_dropped": content.dropped,
        "citations": dict(NO_CITATIONS),
        **_tail(run),
    }


def quiet(run: Run, findings: Findings) -> dict[str, Any]:
    """What the job-run JSON says of an hour in which nothing mattered, and for which no report was written."""
    return {
        **_head(run),
        "summary": "Nothing to tell.",
        "counts": {**counts(run), **findings.counts},
        "citations": dict(NO_CITATIONS),
        **_tail(run),
    }


def _line(statement: Statement) -> dict[str, Any]:
    return {"kind": statement.group, **statement.to_json()}


def inventory(run: Run) -> dict[str, Any]:
    """The JSON of an inventory."""
    taken = run.inventory
    text = (
        f"{taken.records:,} records in {len(taken.sources)} sources, {size(taken.bytes)}: evidence is {taken.verdict}"
        f" ({enough(taken)})."
        if taken
        else "No inventory was taken."
    )
    text = " ".join([text, *(f"{part}." for part in left_out(run))])
    return {
        **_head(run),
        "summary": text,
        "inventory": taken.to_json() if taken else None,
        "counts": counts(run),
        "citations": dict(NO_CITATIONS),
        **_tail(run),
    }


def line(run: Run, content: Content, findings: Findings, ruled: Sequence[str] = ()) -> str:
    """The line that the control plane stores: numbers only, no content.

    ``ruled``: of the user's rules and corrections.
    """
    facts = content.facts
    changed = findings.counts
    parts = [
        f"{changed.get('new', 0)} new, {changed.get('changed', 0)} changed, {changed.get('removed', 0)} removed pages",
        many(findings.counts.get("open_loops", 0), "open loop"),
        many(len(facts["contradictions"]), "contradiction"),
        f"{many(len(content.citations()), 'citation')}, all resolved",
    ]
    parts += left_out(run)
    parts += unread(run)
    parts += ruled
    if content.unverified:
        parts.append(many(len(content.unverified), "unverified claim"))
    if synthesis_off(run):
        parts.append("synthesis is switched off")
    if run.job.timezone_unknown:
        parts.append("unknown time zone, UTC used")
    return "; ".join(parts) + "."


def left_out(run: Run) -> list[str]:
    """Counts of records that this run could not export; empty where it exported all."""
    if run.exported is None:
        return []
    lines = []
    if refused := sum(run.exported.refused.values()):
        lines.append(f"{many(refused, 'broken record')} left out")
    if missing := sum(short.missing for short in run.exported.short):
        lines.append(f"{many(missing, 'record')} missing from the export")
    return lines


#: Why a model has not read all records, after ``unread_why``.
_UNREAD: Final = {
    "tokens": "this job's share of tokens is spent",
    "model": "the model gave no answer",
    "time": "this job's time for it is over",
}


def unread(run: Run) -> list[str]:
    """How many records only the rules have read so far, and why; empty where a model has read all, or none reads."""
    if run.rendered is None or not run.rendered.unread:
        return []
    why = _UNREAD.get(run.rendered.unread_why)
    number = many(run.rendered.unread, "record")
    return [f"{number} read by rules only so far{f', because {why}' if why else ''}"]


def synthesis_off(run: Run) -> str | None:
    """Why a flag switched the agent off for this run; None when it did not."""
    if run.job.flags.get("synthesis", True):
        return None
    return run.job.flag_notes.get("synthesis", "by a flag")


def capabilities(run: Run) -> str:
    """The capabilities of this run, in the words of every report."""
    scopes = (
        "memory_job:complete" if run.job.job_type in ("insight", "dream") else "memory_export:read, memory_job:complete"
    )
    return (
        "Source write capability: none\n"
        "Supabase service role in worker: no\n"
        "Integration credentials in worker: no\n"
        f"Allowed API scopes: {scopes}\n"
        f"Workspace write capability: {run.job.workspace_uri.rstrip('/')}/..."
    )


def job_run(run: Run, report: dict[str, Any]) -> dict[str, Any]:
    """runtime/job-runs/<job_id>.json: an overview of the run, for people and tools."""
    return {
        "schema": RUN_SCHEMA,
        "job_id": run.job.job_id,
        "job_type": run.job.job_type,
        "user_id": run.job.user_id,
        "period": run.period,
        "attempt": run.attempt,
        "started_at": utc_text(run.started_at),
        "runtime_profile": run.job.runtime_profile,
        "template_version": run.job.template_version,
        "base": {"seq": run.base.seq, "digest": run.base.digest},
        "timings_s": {name: round(seconds, 3) for name, seconds in run.timings.items()},
        "counts": report["counts"],
        "redactions": report["redactions"],
        "brain": run.brain or None,
        "synthesis": report["made_by"],
        "usage": report["usage"],
        "citations": {"total": report["citations"]["total"], "resolved": report["citations"]["resolved"]},
        "reports": dataclasses.asdict(run.reported) if run.reported else None,
        "artifacts": [artifact.model_dump(mode="json") for artifact in run.artifacts],
        "capabilities": report["capabilities"],
    }


def counts(run: Run) -> dict[str, Any]:
    """Counts of each stage that ran."""
    stages: dict[str, Any] = {}
    if run.exported:
        stages["exported"] = {
            "records": run.exported.records,
            "deleted": run.exported.deleted,
            "by_source": dict(run.exported.source_counts),
            "bytes_by_source": dict(run.exported.source_bytes),
            "refused": dict(run.exported.refused),
            "short": [dataclasses.asdict(short) for short in run.exported.short],
        }
    if run.rendered:
        stages["rendered"] = {
            "changed": len(run.rendered.changed),
            "removed": len(run.rendered.removed),
            "unchanged": run.rendered.unchanged,
            "pages": run.rendered.pages_total,
        }
        if run.rendered.unread:
            stages["rendered"] |= {"unread": run.rendered.unread, "unread_why": run.rendered.unread_why}
    if run.indexed:
        # Pages that wait may be thousands, and their names are made of titles: the note counts them.
        skipped = {path: reason for path, reason in run.indexed.skipped.items() if reason != WAITS}
        stages["indexed"] = {**dataclasses.asdict(run.indexed), "skipped": skipped}
    return stages


def enough(taken: Inventory) -> str:
    return f"{taken.reached} of {len(taken.sources)} sources have enough records, {taken.needed} are needed"


def many(number: int, what: str) -> str:
    """``1 open loop``, ``22 open loops``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def size(count: int) -> str:
    """A number of bytes for display: 812 B, 3.4 MB."""
    number, unit = float(count), "B"
    for larger in ("kB", "MB", "GB"):
        if number < 1000:
            break
        number, unit = number / 1000, larger
    return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"


def _head(run: Run) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "job_id": run.job.job_id,
        "job_type": run.job.job_type,
        "user_id": run.job.user_id,
        "period": run.period,
        "timezone": run.job.timezone,
        "generated_at": utc_text(run.started_at),
        "runtime_profile": run.job.runtime_profile,
        "template_version": run.job.template_version,
    }


def _tail(run: Run) -> dict[str, Any]:
    redactions = run.exported.redactions if run.exported else ()
    return {
        "redactions": [redaction.model_dump(mode="json") for redaction in redactions],
        "brain": run.brain or None,
        "made_by": dataclasses.asdict(run.synthesized) if run.synthesized else None,
        "synthesis_off": synthesis_off(run),
        "usage": run.usage.model_dump(mode="json"),
        "capabilities": capabilities(run).split("\n"),
    }
