"""A small brain to test against: written by hand, every page's text known."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import orjson

from consumer import layout
from consumer.evidence.index import open_index
from consumer.evidence.records import IndexedRecord, ReadingRow
from consumer.reports.evidence import PageCache
from consumer.reports.toldledger import Mark, ToldLedger
from consumer.run import Base, Run
from consumer.stages.synthesize import Effort
from consumer.understanding import encoding, reader
from consumer.understanding.statements import Due, Fact, Quote, Reading, Task
from consumer.understanding.utterances import ME, UNKNOWN, Person
from contract import derived
from contract.api import (
    BatchRequest,
    BatchResponse,
    CompleteRequest,
    CompleteResponse,
    JobSpec,
    ProgressRequest,
    ProgressResponse,
)
from contract.event import JobType


def efforts(model: str) -> dict[JobType, Effort]:
    """The same for every job type."""
    return dict.fromkeys(get_args(JobType), Effort(model, 40))


class Free:
    """A guard that lets everything pass."""

    def check(self) -> None:
        return

    def time_left(self) -> float:
        return 240.0


def page(title: str, body: str, **front: object) -> str:
    """A page's text; ``front`` adds front matter fields."""
    fields = {"title": f'"{title}"', "type": "source", **front}
    head = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f"---\n{head}---\n# {title}\n\n{body}\n"


NOTES = "sources/cloop/meeting-notes"
PAGES = {
    f"{NOTES}/atlas-kickoff-1a2b.md": page(
        "Atlas kickoff",
        "With [Anna Kowal](../../../people/anna-kowal-9f.md) about [[projects/atlas|Atlas]].\n\n"
        '<a id="dates"></a>\n## Dates\n\nThe launch of Atlas is planned for 2026-11-20.',
        occurred_at='"2026-10-01T09:00:00Z"',
        updated_at='"2026-10-01T10:00:00Z"',
    ),
    f"{NOTES}/billing-review-3c4d.md": page(
        "Billing review",
        "The invoices of Borealis are late. Refunds need a renewal check by Ravi.",
        occurred_at='"2026-11-01T09:00:00Z"',
        updated_at='"2026-11-01T10:00:00Z"',
    ),
    "people/anna-kowal-9f.md": page("Anna Kowal", "Works on [Atlas](../projects/atlas.md).", type="person"),
    "projects/atlas.md": page("Atlas", "The new billing platform.", type="project"),
}


def evidence(title: str, body: str, source: str, day: str) -> str:
    """An evidence page as rendering writes it."""
    times = {"occurred_at": f'"{day}T09:00:00Z"', "updated_at": f'"{day}T10:00:00Z"'}
    return page(title, body, source_key=source, **times)


ANNA = "[Anna Kowal](../../../people/anna-kowal-9f.md)"
#: A brain in which everything that the detectors look for stands once.
STORY = {
    f"{NOTES}/lighthouse-weekly-a1.md": evidence(
        "Meeting note: Lighthouse weekly",
        "## Note\n\n```text\nWe agreed that Lighthouse launches on November 20.\n"
        "Action: Anna to send the deck by Friday.\n- [ ] Book the venue for the offsite\n- [x] Order badges\n```\n\n"
        f"- People: {ANNA}",
        "meeting_notes",
        "2026-11-02",
    ),
    "sources/cloop/chat-sessions/dates-b2.md": evidence(
        "Chat: Launch dates",
        "## Message: user\n\n```text\nRemind me that the Lighthouse launch is December 4, so marketing has time.\n```",
        "chat_sessions",
        "2026-11-05",
    ),
    "sources/cloop/granola-transcripts/budget-c3.md": evidence(
        "Granola: Harbor steering",
        "```text\nTom: The Harbor budget is $48,000, approved by finance.\nTom: We sent the badges.\n```\n\n"
        f"- People: {ANNA}",
        "granola_transcripts",
        "2026-11-06",
    ),
    "sources/cloop/briefings/2026-11-07-d4.md": evidence(
        "Briefing: 2026-11-07", "```text\nHarbor has a budget of 62k for the quarter.\n```", "briefings", "2026-11-07"
    ),
    "sources/cloop/checklist-items/2026-11-08.md": evidence(
        "Checklist items: 2026-11-08",
        '<a id="r-1"></a>\n\n## Renew the Borealis contract\n\n- When: 2026-11-08 09:00 +00:00\n- State: open\n'
        "- Due: 2026-11-30 00:00 UTC\n- Project: Harbor\n- Projects: [Harbor](../../../projects/harbor-77.md)\n\n"
        '<a id="r-2"></a>\n\n## Pay the hotel invoice\n\n- When: 2026-11-08 10:00 +00:00\n- State: done',
        "checklist_items",
        "2026-11-08",
    ),
    "people/anna-kowal-9f.md": page("Anna Kowal", f"## Evidence\n\n{derived.MARKER}", type="person"),
    "projects/harbor-77.md": page("Harbor", f"## Evidence\n\n{derived.MARKER}", type="project"),
}


def reading_of(
    source: str, record_id: str, day: str, *statements: Any, people: Any = (), author: Person = UNKNOWN
) -> Reading:
    """What a record of one utterance says."""
    said_by: dict[int, tuple[Person, tuple[Person, ...], str]] = {0: (author, (), f"{day} 09:00 +00:00")}
    return Reading(source, record_id, "", f"{day} 09:00 +00:00", tuple(people), statements, said_by)


def _story_readings() -> list[tuple[Reading, str, str]]:
    """What the records of STORY say, and where each stands: (reading, page, anchor)."""
    anna, tom = Person("Anna Kowal"), Person("Tom Berg")
    folder = "sources/cloop"

    def fact(subject: str, attribute: str, value: str, quote: str, by: Person = UNKNOWN) -> Fact:
        amount, _, unit = value.partition(" ")
        return Fact(subject, attribute, amount, unit, (), (Quote(0, quote),), by=by)

    return [
        (
            reading_of(
                *("meeting_notes", "a1", "2026-11-02"),
                fact("Lighthouse", "launch", "2026-11-20", "We agreed that Lighthouse launches on November 20."),
                Task(
                    *("send the deck", "open", (Quote(0, "Action: Anna to send the deck by Friday."),), anna),
                    due=Due("2026-11-06", "", "Friday", "relative"),
                ),
                Task(
                    "Book the venue for the offsite",
                    "open",
                    (Quote(0, "Book the venue for the offsite"),),
                    ME,
                    item="2",
                ),
                Task("Order badges", "done", (Quote(0, "Order badges"),), ME, item="3"),
                people=[anna],
            ),
            f"{folder}/meeting-notes/lighthouse-weekly-a1.md",
            "",
        ),
        (
            reading_of(
                *("chat_sessions", "b2", "2026-11-05"),
                fact("Lighthouse", "launch", "2026-12-04", "the Lighthouse launch is December 4", ME),
                author=ME,
            ),
            f"{folder}/chat-sessions/dates-b2.md",
            "",
        ),
        (
            reading_of(
                *("granola_transcripts", "c3", "2026-11-06"),
                fact("Harbor", "budget", "48000 USD", "The Harbor budget is $48,000, approved by finance.", tom),
                people=[anna],
                author=tom,
            ),
            f"{folder}/granola-transcripts/budget-c3.md",
            "",
        ),
        (
            reading_of(
                *("briefings", "d4", "2026-11-07"),
                fact("Harbor", "budget", "62000 USD", "Harbor has a budget of 62k for the quarter."),
            ),
            f"{folder}/briefings/2026-11-07-d4.md",
            "",
        ),
        (
            reading_of(
                *("checklist_items", "1", "2026-11-08"),
                Task(
                    *(
                        "Renew the Borealis contract",
                        "open",
                        (Quote(-1, "State: open"), Quote(-1, "Due: 2026-11-30 00:00 UTC")),
                    ),
                    owner=ME,
                    due=Due("2026-11-30", "", "", "recorded"),
                ),
            ),
            f"{folder}/checklist-items/2026-11-08.md",
            "r-1",
        ),
    ]


def remember(root: Path, readings: list[tuple[Reading, str, str]]) -> None:
    """Write a record index with what these records say and where each stands."""
    with open_index(root / layout.RENDER_INDEX) as index:
        for reading, page_, anchor in readings:
            record = IndexedRecord(
                *(reading.source, reading.record_id, "c", "then", "", "", "stem", page_, anchor, "profile"),
                *("raw", 0, 1, reading.said_at[:10], ""),
            )
            index.put(record, [], [], index.find(reading.source, reading.record_id))
            row = (reading.source, reading.record_id, reader.NAME, "1", "c", encoding.encode(reading))
            index.put_reading(ReadingRow(*row))
        index.commit()


def speaking(root: Path, locale: str) -> None:
    """The user's profile names a locale."""
    indexed(root, "user_profiles", {"preferences": {"locale": locale}})


def indexed(root: Path, source: str, data: dict[str, Any]) -> None:
    """A raw record in the record index."""
    line = orjson.dumps({"record_id": "me", "checksum": "c", "source_key": source, "data": data})
    (root / f"{source}.jsonl").write_bytes(line)
    with open_index(root / layout.RENDER_INDEX) as index:
        raw = (f"{source}.jsonl", 0, len(line))
        before = index.find(source, "me")
        record = IndexedRecord(source, "me", "c", "t", "", "", "s", "p.md", "", "p", *raw, "2026-11-28", "")
        index.put(record, [], [], before)
        index.commit()


def begin_ledger(root: Path, *marks: Mark, daily: str = "2026-11-27") -> None:
    """Begin the ledger of what the user was told; the day's morning report is out, unless ``daily`` says otherwise."""
    path = root / layout.TOLD
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(ToldLedger({mark.key: mark for mark in marks}, daily=daily).encode())


def desk() -> PageCache:
    """A desk that looks into the record index."""
    return PageCache(open_index)


def write(root: Path, files: dict[str, str]) -> None:
    """Write pages below ``root``'s brain folder; of STORY also what its records say."""
    if files is STORY:
        remember(root, _story_readings())
    for name, text in files.items():
        path = root / layout.BRAIN / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


class NoSession:
    """A control plane that these stages never ask."""

    def batch(self, request: BatchRequest) -> BatchResponse:
        raise AssertionError("no stage after export reads the control plane")

    def progress(self, request: ProgressRequest) -> ProgressResponse:
        return ProgressResponse()

    def complete(self, request: CompleteRequest) -> CompleteResponse:
        raise AssertionError("only complete completes")


USER = "5b7c3c46-4f7e-4e52-9a55-0d8f2d1c7a11"
JOB = "0b8a7f0e-5c1d-4c55-9d55-0f6d2f3f1a01"


def run(root: Path, job_type: JobType = "backfill_digest", **changes: Any) -> Run:
    """A run over the pages in ``root``; ``job_id`` and ``period`` change the job, other names the run."""
    started_at = changes.setdefault("started_at", datetime(2026, 11, 27, 14, 5, tzinfo=UTC))
    job = JobSpec(
        job_id=changes.pop("job_id", JOB),
        user_id=USER,
        workspace_id="77d0c7d4-6a0e-4b4c-8f0c-1f62b1b0a0aa",
        job_type=job_type,
        runtime_profile="internal-full",
        template_version="v1",
        period=changes.pop("period", "2026-11-27"),
        requested_at=started_at,
        status="running",
        attempt=1,
        workspace_uri=f"gs://bucket/users/{USER}/",
    )
    base = Base(seq=0, digest=None, head_generation=0)
    return Run(job=job, session=NoSession(), attempt=1, epoch=1, owner="o", root=root, base=base, **changes)
