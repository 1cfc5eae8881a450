"""The questions of tests/data/questions: worlds of evidence as memory has them, and the judge of an answer's text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import parseaddr
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import yaml

import manifests
import renderers
from consumer import layout
from consumer.evidence import pagefiles
from consumer.evidence import search as evidence
from consumer.evidence.pages import Page, PageSection
from consumer.evidence.pages import lines as page_lines
from consumer.evidence.search import Passage
from consumer.reports import asking
from consumer.reports.asking import Search
from consumer.run import Run
from consumer.understanding import languages, life, reader
from consumer.understanding.memory import Memory
from consumer.understanding.statements import Reading
from contract.event import utc_text
from renderers import grouping
from renderers.base import Item
from tests.fake_export import FakeExport, OpenGuard, Row, export_and_render, run_of

FOLDER: Final = Path(__file__).parent / "data/questions"
#: Files that were looked at only when the code was done, and those that were written after it.
HELD_OUT: Final = "held-out-"
VARIANT: Final = "variant-"
#: Words with which an answer says yes or no, by language.
YES: Final = ("yes", "ja", "oui", "sí", "sim", "sì")
NO: Final = ("no", "nein", "non", "não", "nee")


@dataclass(frozen=True)
class World:
    """One user's evidence and the questions about it; see the folder's README.md."""

    name: str
    now: str
    zone: str
    locale: str
    rows: Sequence[Mapping[str, Any]]
    questions: Sequence[Mapping[str, Any]]
    #: Questions whose answers are only compared with those of before.
    further: Sequence[Mapping[str, Any]] = ()

    @property
    def set(self) -> str:
        """The set that it belongs to: ``dev``, HELD_OUT or VARIANT."""
        return next((prefix for prefix in (HELD_OUT, VARIANT) if self.name.startswith(prefix)), "dev")

    @property
    def today(self) -> date:
        return date.fromisoformat(self.now[:10])

    @property
    def at(self) -> datetime:
        """``now`` with the user's offset."""
        return datetime.strptime(self.now_local, "%Y-%m-%d %H:%M %z")

    @property
    def now_local(self) -> str:
        moment = datetime.fromisoformat(self.now).replace(tzinfo=ZoneInfo(self.zone))
        return grouping.local(utc_text(moment), self.zone)

    def items(self) -> Iterator[Item]:
        entries = {entry.source_key: entry for entry in manifests.export_manifest().sources}
        for row in self.rows:
            yield renderers.item(row, entries[row["source_key"]], self.zone)

    def readings(self) -> list[Reading]:
        region = self.locale.partition("-")[2]
        return [reader.read(item, self.zone, region) for item in self.items()]

    def memory(self) -> Memory:
        return life.fold(self.readings(), (), self.now_local)


def load(folder: Path = FOLDER) -> list[World]:
    return [_world(path) for path in sorted(folder.glob("*.yaml"))]


def named(name: str) -> World:
    """The world of this file, without the worlds of the other files."""
    return _world(FOLDER / f"{name}.yaml")


def _world(path: Path) -> World:
    document = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    user = document["user"]
    profile = {"display_name": user["name"], "preferences": {"locale": document["locale"]}}
    rows = [_row("user_profiles", "me", "2026-01-01T00:00", profile)]
    rows += [_record(record) for record in document["records"]]
    further = [{"id": f"{path.stem}+{n}", "ask": ask} for n, ask in enumerate(document.get("further", ()), 1)]
    return World(path.stem, document["now"], document["zone"], document["locale"], rows, document["questions"], further)


def _row(source: str, record_id: str, at: str, data: Mapping[str, Any]) -> dict[str, Any]:
    moment = utc_text(datetime.fromisoformat(str(at)).replace(tzinfo=UTC))
    return {
        "source_key": source,
        "record_id": record_id,
        "occurred_at": moment,
        "updated_at": moment,
        "data": {name: value for name, value in data.items() if value is not None},
        "checksum": "sha256:0",
    }


def _record(record: Mapping[str, Any]) -> dict[str, Any]:
    at = record["at"]
    at = at.isoformat() if isinstance(at, datetime) else str(at)
    source, data = _DATA[record["kind"]](record, at)
    return _row(source, record["id"], at, data)


def _inbound(record: Mapping[str, Any], at: str) -> tuple[str, dict[str, Any]]:
    name, address = parseaddr(record["from"])
    channel = "email" if record["kind"] == "mail" else "whatsapp"
    text = {"channel": channel, "normalized_text": record["text"], "thread_id": record.get("thread")}
    return "inbound_messages", {"sender_name": name, "sender_address": address, **text}


def _outbound(record: Mapping[str, Any], at: str) -> tuple[str, dict[str, Any]]:
    name, address = parseaddr(record["to"])
    channel = "email" if record["kind"] == "sent" else "whatsapp"
    text = {"channel": channel, "body_text": record["text"], "thread_id": record.get("thread")}
    to = {"recipient_name": name, "recipient_address": address, "status": "sent", "sent_at": f"{at}:00Z"}
    return "outbound_messages", {**to, **text}


def _people(record: Mapping[str, Any]) -> list[dict[str, str]]:
    return [dict(zip(("name", "email"), parseaddr(person), strict=True)) for person in record["people"]]


def _talk(record: Mapping[str, Any], at: str) -> tuple[str, dict[str, Any]]:
    data = {"title": record["title"], "attendees": _people(record), "transcript": record["text"]}
    return "granola_transcripts", data


def _meeting(record: Mapping[str, Any], at: str) -> tuple[str, dict[str, Any]]:
    entry = {
        "start": f"{_text(record['starts'])}:00Z",
        "end": f"{_text(record['ends'])}:00Z",
        "attendees": _people(record),
        "status": "cancelled" if record.get("cancelled") else "confirmed",
    }
    shown = {"source": "google_calendar", "event_type": "event", "title": record["title"]}
    return "activity_events", {**shown, "source_ref": f"cal-{record['id']}", "body": json.dumps(entry)}


def _text(value: object) -> str:
    return value.isoformat(timespec="minutes") if isinstance(value, datetime) else str(value)


def _task(record: Mapping[str, Any], at: str) -> tuple[str, dict[str, Any]]:
    state, due = record.get("state", "open"), record.get("due")
    flags = {"checked": state == "done", "dismissed": state == "dismissed"}
    return "checklist_items", {"title": record["title"], "due_at": str(due) if due else None, **flags}


def _contact(record: Mapping[str, Any], at: str) -> tuple[str, dict[str, Any]]:
    listed = {"emails": record.get("emails"), "phones": record.get("phones")}
    return "contacts", {"display_name": record["name"], **listed}


_DATA: Final = {
    "mail": _inbound,
    "chat": _inbound,
    "sent": _outbound,
    "wrote": _outbound,
    "talk": _talk,
    "meeting": _meeting,
    "task": _task,
    "contact": _contact,
}


# --- judging -----------------------------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """``right``, ``wrong``, or ``silent``: answered with nothing although memory holds it. ``why`` of a wrong one."""

    outcome: str
    why: str = ""


def judge(question: Mapping[str, Any], sentences: Sequence[str], cited: Sequence[str]) -> Verdict:
    """Whether the sentences answer the question. ``cited``: ids of the records that they cite."""
    if not sentences:
        return Verdict("right" if question.get("none") or question.get("or_none") else "silent")
    if question.get("none"):
        return Verdict("wrong", "memory does not say")
    text = " ".join(sentences)
    missing = [token for token in question.get("says", ()) if not _says(text, token)]
    if missing:
        return Verdict("wrong", f"does not say {missing}")
    spoken = [token for token in question.get("never", ()) if _says(text, token)]
    if spoken:
        return Verdict("wrong", f"says {spoken}")
    uncited = [record for record in question.get("cites", ()) if record not in cited]
    return Verdict("wrong", f"does not cite {uncited}") if uncited else Verdict("right")


def _says(text: str, token: str) -> bool:
    return any(_says_one(text, each) for each in str(token).split("|"))


def _says_one(text: str, token: str) -> bool:
    if token.startswith("@"):
        day = date.fromisoformat(token[1:])
        return any(_is_day(text, day, words.dates.months) for words in languages.LANGUAGES.values())
    if token.startswith("#"):
        plain = re.sub(r"(?<=\d)[.,\u00a0\u202f '](?=\d{3}(?!\d))|(?<=\d)[ \-/](?=\d)", "", text)
        return bool(re.search(rf"(?<!\d){token[1:]}(?!\d)", plain))
    if token in ("=yes", "=no"):
        first = re.match(r"\w+", text.casefold())
        return bool(first and first[0] in (YES if token == "=yes" else NO))
    return token.casefold() in text.casefold()


def _is_day(text: str, day: date, months: Mapping[str, int]) -> bool:
    names = "|".join(re.escape(name) for name, number in months.items() if number == day.month)
    day_month = rf"(?<!\d){day.day}(?:\.|º|er|st|nd|rd|th)?\s(?:de\s)?(?:{names})\b"
    month_day = rf"\b(?:{names})\s{day.day}(?!\d)"
    match = re.search(f"{day_month}|{month_day}", text.casefold())
    if match is None:
        return False
    year = re.match(r",?\s(?:de\s)?(\d{4})", text[match.end() :])
    return (int(year[1]) if year else date(2026, 1, 1).year) == day.year


# --- a workspace -------------------------------------------------------------------------------------------------


def rendered(world: World, root: Path) -> Run:
    """The world as a run of the pipeline leaves it in ``root``: exported and rendered."""
    server = FakeExport()
    for row in world.rows:
        happened = datetime.fromisoformat(row["occurred_at"])
        server.put(row["source_key"], row["record_id"], Row(0, happened, row["data"]))
    return export_and_render(run_of(root, server, "backfill_digest", timezone=world.zone))


@contextmanager
def searching(root: Path) -> Iterator[Search]:
    """The search of a question over the evidence index of a rendered world, as the reader makes it."""
    evidence.update(root, pagefiles.digests(root, OpenGuard()), OpenGuard())
    with evidence.EvidenceIndex(root / layout.SEARCH_INDEX) as index:
        yield partial(index.search, limit=asking.PASSAGES)


def search(
    pages: Mapping[str, Page], text: str, records: Mapping[tuple[str, str], str] = MappingProxyType({})
) -> list[Passage]:
    """A stand-in for the evidence index: records by how many longer words they share with the text.

    ``records``: (page, anchor) -> record id.
    """
    wanted = set(re.findall(r"\w{3,}", text.casefold()))
    hits = []
    for page in pages.values():
        for section in page.sections if page.slug.startswith("sources/") else ():
            shared = len(wanted & set(re.findall(r"\w{3,}", f"{section.heading} {section.text}".casefold())))
            if shared:
                hits.append(_passage(page, section, float(shared), records))
    return sorted(hits, key=lambda hit: (-hit.score, hit.page, hit.anchor))


def _passage(page: Page, section: PageSection, score: float, records: Mapping[tuple[str, str], str]) -> Passage:
    day = re.search(r"- When: (\d{4}-\d\d-\d\d)", section.text)
    anchor = section.anchor or ""
    return Passage(
        page=page.slug,
        anchor=anchor,
        record_id=records.get((page.slug, anchor), ""),
        title=section.heading or page.title,
        day=day[1] if day else page.text("date")[:10],
        source="",
        type="source",
        text="\n".join(line for line, _ in page_lines(section.text) if line.strip()),
        score=score,
    )
