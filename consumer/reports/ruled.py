"""What a report says of the user's rules and corrections: how many things, never which; and the list for the user."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import orjson

from consumer import layout
from consumer.evidence import pages
from consumer.reports import holds, summary
from consumer.reports.evidence import ReportBasis
from consumer.reports.files import encode, put
from consumer.reports.reporting import Content
from consumer.reports.withholding import KeptOut, Withheld
from consumer.reports.wording import Wording
from consumer.run import Run
from consumer.understanding.standing_rules import Reason, StandingRule, Unread
from contract import canonical
from renderers import held as renderer
from renderers import markdown as md

#: Records that the list names for one rule.
LISTED: Final = 500

#: Why a text is not applied, by its reason, for the list.
_UNREAD: Final[dict[Reason, str]] = {
    "other": "says nothing that can be read about what may be told",
    "allows": "says that something may be told",
    "nothing": "names nobody and nothing to keep out",
    "long": "is too long to be read surely",
}


def lines(run: Run, basis: ReportBasis, content: Content, *, output_only: bool) -> list[str]:
    """Sentences for the report. ``output_only``: in this profile an agent reads what rules hold."""
    kept, wording = kept_out(basis, content), basis.wording(run)
    ruled = _rule_lines(run, basis.withheld, kept, wording, output_only=output_only)
    return [*ruled, *_correction_lines(basis, content, wording)]


def _untold(root: Path, withheld: Withheld) -> list[Unread]:
    """Texts that are not applied, of which no report has said so. Later the list for the user says it."""
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
    """Keep which corrections this report applied, and list what rules hold and which texts are none.

    ``reported``: a report was written, so that the user was told which texts are not applied.
    """
    put(run.root / layout.CORRECTED, encode({"ids": list(basis.corrections.ids)}))
    put(run.root / layout.HOLDS, encode(holds.document(basis.holds)))
    if reported:
        put(run.root / layout.UNREAD_RULES, encode({"rules": sorted(map(_mark, basis.withheld.unread))}))
    path = run.root / layout.HELD
    if not (basis.withheld.rules or basis.withheld.unread):
        path.unlink(missing_ok=True)
        return
    put(path, renderer.render(list(_parts(basis.withheld)), run.job.user_id).encode("utf-8"))


# --- words -------------------------------------------------------------------------------------------------------


def _rule_lines(run: Run, withheld: Withheld, kept: KeptOut, wording: Wording, *, output_only: bool) -> Iterator[str]:
    phrases = wording.phrases
    if kept.things:
        parts = [(phrases.rule_count, kept.rules), (phrases.mark_count, kept.marks)]
        named = [wording.many(counted, number) for counted, number in parts if number]
        by = phrases.both.format(first=named[0], last=named[-1]) if len(named) > 1 else "".join(named)
        yield " ".join((
            phrases.rules_held_back.format(by=by, things=wording.many(phrases.thing_count, kept.things)),
            phrases.rules_list.format(path=layout.HELD),
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
        yield f"{wording.many(unread[reason], count)} {phrases.rules_which.format(path=layout.HELD)}"
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


# --- the list for the user ---------------------------------------------------------------------------------------


def _parts(withheld: Withheld) -> Iterator[renderer.HeldPart]:
    for rule in withheld.rules:
        records = [record for record in withheld.listed if record.holder == rule.rule.id]
        held = [
            renderer.HeldLine(record.title, pages.path_of(record.page), record.anchor) for record in records[:LISTED]
        ]
        more = len(records) - len(held)
        yield renderer.HeldPart(md.one_line(rule.rule.text, renderer.TEXT_CHARS), _read_as(rule), tuple(held), more)
    for unread in withheld.unread:
        why = f"Not applied: it {_UNREAD[unread.reason]}."
        yield renderer.HeldPart(md.one_line(unread.rule.text, renderer.TEXT_CHARS), why)


def _read_as(rule: StandingRule) -> str:
    """How a rule was read, in one line of markdown."""
    topics = [" ".join(topic) for topic in rule.topics]
    named = (("people", rule.names), ("topics", topics), ("sources", sorted(rule.sources)))
    parts = [f"{what}: {', '.join(map(md.inline, names))}" for what, names in named if names]
    doubt = " A name in it may mean several people: all are held." if rule.doubtful else ""
    exception = " Its exception is not applied." if rule.narrowed else ""
    return f"Read as {'; '.join(parts)}. It holds for every report.{doubt}{exception}"
