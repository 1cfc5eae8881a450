"""What a report says of the user's rules and corrections: how many things, never which."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson

from consumer import layout
from consumer.reports import holds, summary
from consumer.reports.evidence import ReportBasis
from consumer.reports.files import encode, put
from consumer.reports.reporting import Content
from consumer.reports.withholding import KeptOut, Withheld
from consumer.reports.wording import Wording
from consumer.run import Run
from consumer.understanding.standing_rules import Unread
from contract import canonical


def lines(run: Run, basis: ReportBasis, content: Content, *, output_only: bool) -> list[str]:
    """Sentences for the report. ``output_only``: in this profile an agent reads what rules hold."""
    kept, wording = kept_out(basis, content), basis.wording(run)
    ruled = _rule_lines(run, basis.withheld, kept, wording, output_only=output_only)
    return [*ruled, *_correction_lines(basis, content, wording)]


def _untold(root: Path, withheld: Withheld) -> list[Unread]:
    """Texts that are not applied, of which no report has said so. Later only the reader says it."""
    marks = _told(root)
    return [unread for unread in withheld.unread if _mark(unread) not in marks]


def _told(root: Path) -> frozenset[str]:
    try:
        return frozenset(map(str, orjson.loads((root / layout.UNREAD_RULES).read_bytes())["rules"]))
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        return frozenset()


def _mark(unread: Unread) -> str:
    return canonical.sha256_hex(f"{unread.rule.id}\0{unread.rule.text}\0{unread.reason}".encode())


def kept_out(basis: ReportBasis, content: Content) -> KeptOut:
    return basis.findings.kept_out.plus(content.kept_out)


def line(basis: ReportBasis, content: Content) -> list[str]:
    """The same for the line that the control plane stores: numbers only."""
    kept = kept_out(basis, content)
    parts = [_kept(kept)] if kept.things else []
    if basis.corrections.new:
        parts.append(f"{summary.many(basis.corrections.new, 'correction')} applied")
    return parts


def document(basis: ReportBasis, content: Content) -> dict[str, object]:
    """For the report's JSON: counts only."""
    kept, withheld, corrections = kept_out(basis, content), basis.withheld, basis.corrections
    return {
        "rules": {
            "in_force": len(withheld.rules),
            "unread": len(withheld.unread),
            "doubtful": sum(rule.doubtful for rule in withheld.rules),
            "late": withheld.late,
            "kept_out": kept.things,
            "kept_out_by": kept.rules,
        },
        "corrections": {
            "in_force": len(corrections.ids),
            "new": corrections.new,
            "gone": corrections.gone,
            "unknown": corrections.unknown,
            "claims_left_out": content.corrected,
        },
    }


def write(run: Run, basis: ReportBasis, *, reported: bool) -> None:
    """Keep which corrections this report applied, what rules hold and, for the reader, how each rule was read.

    ``reported``: a report was written, so that the user was told which texts are not applied.
    """
    put(run.root / layout.CORRECTED, encode({"ids": list(basis.corrections.ids)}))
    put(run.root / layout.HOLDS, encode(holds.document(basis.holds)))
    if reported:
        put(run.root / layout.UNREAD_RULES, encode({"rules": sorted(map(_mark, basis.withheld.unread))}))
    # Earlier versions listed for the user what rules hold in a file, which users could not open.
    (run.root / layout.HELD).unlink(missing_ok=True)


# --- words -------------------------------------------------------------------------------------------------------


def _rule_lines(run: Run, withheld: Withheld, kept: KeptOut, wording: Wording, *, output_only: bool) -> Iterator[str]:
    phrases = wording.phrases
    if kept.things:
        parts = [(phrases.rule_count, kept.rules), (phrases.mark_count, kept.marks)]
        named = [wording.many(counted, number) for counted, number in parts if number]
        by = phrases.both.format(first=named[0], last=named[-1]) if len(named) > 1 else "".join(named)
        yield " ".join((
            phrases.rules_held_back.format(by=by, things=wording.many(phrases.thing_count, kept.things)),
            phrases.rules_list,
        ))  # fmt: skip
    elif withheld.rules:
        yield wording.many(phrases.rules_idle, len(withheld.rules))
    unread = {
        "other": phrases.rules_unreadable,
        "allows": phrases.rules_allowing,
        "nothing": phrases.rules_empty,
        "long": phrases.rules_too_long,
    }
    untold = _untold(run.root, withheld)
    for reason in dict.fromkeys(rule.reason for rule in untold):
        count = sum(rule.reason == reason for rule in untold)
        yield f"{wording.many(unread[reason], count)} {phrases.rules_which}"
    counted = (
        (phrases.rules_doubtful, sum(rule.doubtful for rule in withheld.rules)),
        (phrases.rules_narrowed, sum(rule.narrowed for rule in withheld.rules)),
        (phrases.rules_late, withheld.late),
    )
    yield from (wording.many(phrase, number) for phrase, number in counted if number)
    if withheld.rules and output_only:
        yield phrases.rules_profile.format(profile=run.job.runtime_profile)


def _correction_lines(basis: ReportBasis, content: Content, wording: Wording) -> Iterator[str]:
    corrections, phrases = basis.corrections, wording.phrases
    counted = (
        (phrases.corrected_things, corrections.new),
        (phrases.corrections_unknown, corrections.unknown),
        (phrases.corrections_gone, corrections.gone),
        (phrases.claims_repeated, content.corrected),
    )
    yield from (wording.many(phrase, number) for phrase, number in counted if number)


def _kept(kept: KeptOut) -> str:
    """``1 rule kept 3 things out``."""
    marks = summary.many(kept.marks, "mark") if kept.marks else ""
    by = " and ".join(part for part in (_rules(kept.rules) if kept.rules else "", marks) if part)
    return f"{by} kept {summary.many(kept.things, 'thing')} out"


def _rules(count: int) -> str:
    return summary.many(count, "rule")
