"""
One user's memory for one request: what each call shows, with the overlay applied.

What the user forgets is in no answer. What a standing rule holds is not told: reports, today, answers and everything
that other programs are given are without it (``telling``). The owner's own search and pages have it, and say so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from consumer import layout
from consumer.evidence import html, moved, pages
from consumer.evidence.index import stored
from consumer.evidence.search import EvidenceIndex, IndexUnusable, Passage
from consumer.evidence.search.passages import cut
from consumer.reports import holds, newmarks
from consumer.reports.holds import Holds
from consumer.reports.withholding import Withheld
from consumer.snapshot.snapshot import name_fault
from consumer.understanding.support import KnownPeople
from contract.overlay import CorrectionView, Overlay, RuleRef, record_digest
from reader import hiding, wire
from reader.errors import RuleUnread, invalid, not_found
from reader.library import OpenMemory
from reader.meaning import VectorOf, no_vector
from renderers import splitting
from renderers.grouping import zone

#: Reports in a list, and passages in an answer.
REPORTS: Final = 50
HITS: Final = 10
MOST_HITS: Final = 50
#: How far an answer can be paged; who looks further should ask something narrower.
MOST_OFFSET: Final = 200
MAX_QUERY: Final = 400
#: Passages that are looked through for one answer, where many of them are left out.
MOST_LOOKED_THROUGH: Final = 1000
#: Pages on which memory speaks for itself: rules hold there, whoever reads them.
TOLD: Final = ("reports/", "insights/", "concepts/")
#: The source of rows that are rules, and nothing else.
RULES_SOURCE: Final = "user_rules"
#: The largest page that is rendered as HTML; a larger one is shown as plain text.
RENDERED_BYTES: Final = 256 * 1024
_REPORT: Final = re.compile(
    r"brain/reports/(digest|backfill|insights|inventory)/(\d{4}-\d\d-\d\d(?:T\d\d)?)__([0-9a-f-]{36})\.md"
)
_KINDS: Final[Mapping[str, Any]] = {"insights": "insight"}
#: Verdicts after which a loop is not open for the owner.
CLOSING: Final = frozenset({"done", "not_mine", "not_a_task", "wrong", "private"})
#: Pages of evidence, which are the records themselves.
EVIDENCE: Final = "sources/"
_DAY_CHARS: Final = len("2026-11-27")
#: Pages that are written once, so that their links age: reports.
_WRITTEN_ONCE: Final = ("reports/",)
_SOURCE: Final = re.compile(re.escape(layout.EVIDENCE) + r"/([^/]+)/.+\.md")


class Query(NamedTuple):
    """A search. ``since`` and ``until``: first and last day."""

    text: str
    since: date | None = None
    until: date | None = None
    source: str = ""
    person: str = ""
    limit: int = HITS
    offset: int = 0


class PageText(NamedTuple):
    """A page of the memory as markdown. ``title``: of its front matter, or its name."""

    path: str
    title: str
    body: str
    #: How many records on it a rule holds.
    held: int


class CorrectedLoop(NamedTuple):
    """A loop that a correction hides, until the next run leaves it out. ``until``: see ``Correction``."""

    correction: str
    verdict: str
    until: str
    text: str


@dataclass(frozen=True)
class MemoryView:
    """``now``: the time of the request. ``folder``: for index files. ``user_id``: whose memory it is.
    ``vector_of``: the vectors of questions.
    """

    opened: OpenMemory
    overlay: Overlay
    now: datetime
    folder: Path
    user_id: str = ""
    vector_of: VectorOf = no_vector
    #: (path of a page, what is hidden) -> the lines that it says without that.
    _said: dict[tuple[str, hiding.Hidden], frozenset[str]] = field(default_factory=dict)

    # --- reports

    def reports(self, after: str = "") -> wire.ReportList:
        """Reports, newest first, after the one with the id ``after``. Raises CallRefusal 404: no such report."""
        entries = self._reports
        ids = [entry.id for entry in entries]
        if after and after not in ids:
            raise not_found("report")
        start = ids.index(after) + 1 if after else 0
        return wire.ReportList(reports=tuple(entries[start : start + REPORTS]), more=len(entries) > start + REPORTS)

    def period_of(self, entry: wire.ReportEntry) -> str:
        """A report's day; of an hour its day and time for the user, ``2026-11-27 17:00``."""
        if len(entry.period) <= _DAY_CHARS:
            return entry.period
        hour = datetime.strptime(entry.period, "%Y-%m-%dT%H").replace(tzinfo=UTC)
        return f"{hour.astimezone(self._zone):%Y-%m-%d %H:%M}"

    @cached_property
    def _zone(self) -> tzinfo:
        """The user's, as the newest report has it; UTC where none says."""
        document = self._document(self._reports[0]) if self._reports else None
        return zone(str((document or {}).get("timezone")))

    def _document(self, entry: wire.ReportEntry) -> dict[str, Any] | None:
        document: dict[str, Any] | None = self._json(f"{layout.RUNTIME}/reports/{_folder_of(entry)}/{entry.id}.json")
        return document

    def report(self, report_id: str) -> wire.ReportDocument:
        """A report as data. Raises CallRefusal 404, RuleUnread."""
        entry = self._report(report_id)
        document = self._document(entry)
        if document is None:
            raise not_found("report")
        return wire.ReportDocument(**entry.model_dump(), document=hiding.filtered(document, self.untold))

    def report_page(self, report_id: str) -> PageText:
        """A report as a page. Raises CallRefusal 404, RuleUnread."""
        entry = self._report(report_id)
        return self.page(f"reports/{_folder_of(entry)}/{entry.period}__{report_id}", telling=True)

    @cached_property
    def _reports(self) -> list[wire.ReportEntry]:
        matches = filter(None, map(_REPORT.fullmatch, self.opened.entries))
        entries = [
            wire.ReportEntry(id=match[3], kind=_KINDS.get(match[1], match[1]), period=match[2]) for match in matches
        ]
        return sorted(entries, key=lambda entry: (entry.period, entry.id), reverse=True)

    def _report(self, report_id: str) -> wire.ReportEntry:
        entry = next((entry for entry in self._reports if entry.id == report_id), None)
        if entry is None:
            raise not_found("report")
        return entry

    # --- pages

    def page(self, name: str, *, telling: bool = False) -> PageText:
        """A page by its path below ``brain/``, with or without ``.md``. ``telling``: without what rules hold.

        Raises CallRefusal 404, also for odd names; RuleUnread: it tells.
        """
        slug = name.removesuffix(".md")
        path = f"{layout.BRAIN}/{slug}.md"
        plain = slug and not set("\\#") & set(slug) and slug.isprintable() and name_fault(path) is None
        if plain and path not in self.opened.entries:
            # A page of one record keeps the record's mark, whatever it is called.
            path = self._places({moved.mark_of(path)} - {""}).get(moved.mark_of(path), moved.LinkedPlace(path, "")).path
            slug = path.removeprefix(f"{layout.BRAIN}/").removesuffix(".md")
        # A name is only looked up among this commit's files, so no trick with it can lead elsewhere.
        # What memory says of itself is told, whoever opens it.
        telling = telling or slug.startswith(TOLD)
        hidden = self.untold if telling else self.hidden
        if not plain or path not in self.opened.entries or hiding.hides_page(slug, hidden.marks):
            raise not_found("page")
        text = self.opened.read(path).decode("utf-8", errors="replace")
        if slug.startswith(_WRITTEN_ONCE):
            places = self._places(moved.marks(text, path))
            text = moved.followed(text, path, places, self.opened.entries.__contains__)
        front, body = html.split_front(text)
        title = _title(front) or slug.rpartition("/")[2]
        if telling and self._names_held(slug, title):
            raise not_found("page")
        held = 0 if telling else sum(page == splitting.first_part(slug) for page, _ in self.withheld.places)
        return PageText(path, title, hiding.without_hidden(body, hidden), held)

    def search(self, query: Query, *, telling: bool = False) -> wire.SearchAnswer:
        """Passages that answer a query. ``telling``: none that a rule holds.

        Raises CallRefusal 422 an unusable query; RuleUnread, where ``telling``. IndexUnusable: this commit has no
        index, or one of another release.
        """
        if not query.text.strip() or len(query.text) > MAX_QUERY:
            raise invalid(f"q must have 1 to {MAX_QUERY} characters")
        if not self.opened.seq:
            return wire.SearchAnswer(hits=(), more=False)
        passages = self.passages(query._replace(limit=query.limit + 1), telling=telling)
        hits = tuple(_hit(passage, held=self.is_held(passage)) for passage in passages[: query.limit])
        return wire.SearchAnswer(hits=hits, more=len(passages) > query.limit)

    def passages(self, query: Query, *, telling: bool = False) -> list[Passage]:
        """Passages for a query, on pages of this commit. ``telling``: none that a rule holds. Raises IndexUnusable."""
        try:
            path = self.opened.index_file(self.folder)
        except KeyError as exc:
            raise IndexUnusable("this commit has no evidence index") from exc
        hidden = self.untold if telling else self.hidden
        wanted = query.offset + query.limit
        asked = wanted
        with EvidenceIndex(path) as index:
            vector = self.vector_of(query.text, index.embedding_model)
            while True:
                passages = index.search(
                    query.text,
                    limit=asked,
                    since=query.since,
                    until=query.until,
                    sources=[query.source] if query.source else (),
                    people=[query.person] if query.person else (),
                    withheld=hidden.ids,
                    vector=vector,
                )
                shown = [passage for passage in passages if self._may_show(passage, hidden, telling=telling)]
                # Some may be left out here: then more are looked for, so that a page of the answer is full.
                if len(shown) >= wanted or len(passages) < asked or asked >= MOST_LOOKED_THROUGH:
                    return shown[query.offset : wanted]
                asked = min(asked * 4, MOST_LOOKED_THROUGH)

    def _may_show(self, passage: Passage, hidden: hiding.Hidden, *, telling: bool) -> bool:
        """Whether the page is of this commit, and nothing of a hidden record: its marks say so too."""
        marks = hidden.marks
        if passage.anchor.removeprefix("r-") in marks or hiding.hides_page(passage.page, marks):
            return False
        if telling and self.is_held(passage):
            return False
        path = f"{layout.BRAIN}/{passage.page}.md"
        return path in self.opened.entries and (not hidden or self._still_says(passage, path, hidden))

    def _still_says(self, passage: Passage, path: str, hidden: hiding.Hidden) -> bool:
        """Whether a page that memory made says all of this passage, also without what is hidden: it may quote that."""
        if passage.page.startswith(EVIDENCE):
            return True
        if (path, hidden) not in self._said:
            _, body = html.split_front(self.opened.read(path).decode("utf-8", errors="replace").replace("\0", ""))
            page = pages.parse(passage.page, hiding.without_hidden(body, hidden).encode())
            self._said[path, hidden] = frozenset(cut(page).text.splitlines())
        return self._said[path, hidden].issuperset(passage.text.splitlines())

    def is_held(self, passage: Passage) -> bool:
        """Whether a standing rule keeps this passage out of what is told."""
        withheld = self.withheld
        stands = withheld.of_place(passage.page, passage.anchor or None) | withheld.of_name(passage.page)
        return bool(stands or withheld.of_text(f"{passage.title}\n{passage.text}"))

    def _names_held(self, slug: str, title: str) -> bool:
        """Whether a rule holds a page as a whole: the record that it is, or what its name or title names."""
        withheld = self.withheld
        return bool(
            withheld.places.get((splitting.first_part(slug), None)) or withheld.of_name(slug) or withheld.of_text(title)
        )

    def _places(self, marks: Collection[str]) -> dict[str, moved.LinkedPlace]:
        """Where the records with these marks stand now, of those that are known. A page of its own counts first."""
        if not marks:
            return {}
        places = {}
        try:
            with EvidenceIndex(self.opened.index_file(self.folder)) as index:
                for mark, (slug, anchor) in index.places(marks).items():
                    places[mark] = moved.LinkedPlace(f"{layout.BRAIN}/{slug}.md", anchor)
        except (KeyError, IndexUnusable):
            # Without an index only pages of their own are found.
            pass
        # Of a page with several parts the first.
        by_length = sorted(self.opened.entries, key=len, reverse=True)
        own = {mark: path for path in by_length if (mark := moved.mark_of(path)) in marks}
        known = places | {mark: moved.LinkedPlace(path, "") for mark, path in own.items() if _SOURCE.fullmatch(path)}
        return {mark: place for mark, place in known.items() if mark not in self.hidden.marks}

    # --- what counts now

    def today(self) -> wire.Today:
        """What counts now; empty lists before the first report. Raises RuleUnread."""
        document = self._today
        if document is None:
            empty: dict[str, Any] = dict.fromkeys(
                ("due", "you_owe", "asked_of_you", "owed_to_you", "asked_by_you", "meetings"), ()
            )
            return wire.Today(as_of=None, today=None, **empty)
        now = self.local_now(document["at"])
        loops = [_loop(entry, now.date()) for entry in document["loops"]]
        by_id = {loop.id: loop for loop in loops}
        rest = [loop for loop in loops if loop.stage == "open"]
        return wire.Today(
            as_of=document["at"],
            today=now.date().isoformat(),
            due=tuple(loop for loop in loops if loop.stage != "open"),
            you_owe=_towards(rest, "you_owe"),
            asked_of_you=_towards(rest, "asked_of_you"),
            owed_to_you=_towards(rest, "owed_to_you"),
            asked_by_you=_towards(rest, "asked_by_you"),
            meetings=tuple(
                wire.MeetingView(**{**entry, "loops": tuple(by_id[loop] for loop in entry["loops"] if loop in by_id)})
                for entry in document["meetings"]
                if not _over(entry, now)
            ),
        )

    def corrected(self) -> tuple[CorrectedLoop, ...]:
        """What corrections hide that would be open otherwise, the newest correction first. Raises RuleUnread."""
        loops = (self._written or {"loops": ()})["loops"]
        return tuple(
            CorrectedLoop(view.id, view.verdict, view.until or "", loop["text"])
            for view in reversed(self._hiding_loops)
            for loop in loops
            if view.statement in _statements(loop)
        )

    def people(self) -> wire.People:
        """People, those seen most lately first, with the number of loops that are open with each; and projects."""
        document = self._today or {"people": (), "projects": (), "loops": ()}
        # Without those that the user corrected since the last report.
        is_open = {loop["id"] for loop in document["loops"]}
        people = [
            wire.PersonView(**{**entry, "loops": len(is_open.intersection(entry["loops"]))})
            for entry in document["people"]
            if entry["name"]
        ]
        return wire.People(
            people=tuple(people), projects=tuple(wire.ProjectView(**entry) for entry in document["projects"])
        )

    def sources(self) -> wire.Sources:
        """How much evidence each source has, and which state of memory this is."""
        counts = Counter(match[1] for match in map(_SOURCE.fullmatch, self.opened.entries) if match)
        return wire.Sources(
            sources=tuple(wire.SourceView(source=source, pages=pages) for source, pages in sorted(counts.items())),
            commit=self.opened.seq,
            committed_at=datetime.fromisoformat(self.opened.committed_at) if self.opened.committed_at else None,
        )

    def loop_text(self, statement: str) -> str:
        """The words of an open loop that a statement speaks of; "" where there is none that may be told."""
        if not self.knows_rules:
            return ""
        loops = (self._today or {"loops": ()})["loops"]
        return next((str(loop["text"]) for loop in loops if statement in _statements(loop)), "")

    def known_people(self) -> KnownPeople:
        """The people with pages, by every name that they carry."""
        people = (self._today or {"people": ()})["people"]
        return KnownPeople.of(
            (page, name)
            for person in people
            for page in person["pages"]
            for name in (person["name"], *person["aliases"])
        )

    # --- inside

    @property
    def as_of(self) -> str:
        """The user's time at the last report, with its offset; without one, a time in UTC."""
        return self._stored["at"] if self._stored else "2026-01-01 00:00 +00:00"

    @property
    def locale(self) -> str:
        """The user's, ``de-AT``, as of the last report; "" unknown."""
        return str(self._stored.get("locale", "")) if self._stored else ""

    def read(self, path: str) -> bytes | None:
        """A file of this commit, whatever the overlay hides of it; None: it has none there."""
        return self.opened.read(path) if path in self.opened.entries else None

    @cached_property
    def hidden(self) -> hiding.Hidden:
        """The records of this commit that the overlay names by their digests."""
        digests, key = frozenset(self.overlay.hidden_records), self.overlay.key
        if not digests or key is None or layout.RENDER_INDEX not in self.opened.entries:
            return hiding.NOTHING

        def find() -> hiding.Hidden:
            records = stored.records(self.opened.read(layout.RENDER_INDEX))
            return hiding.Hidden.of(record for record in records if record_digest(key, *record) in digests)

        return self.opened.once(f"hidden {self.overlay.version}", find)

    @cached_property
    def held(self) -> Holds | None:
        """What all of the user's rules hold in this commit, those that are switched off too; None: nobody knows, as in
        a commit of an earlier release.
        """
        if layout.HOLDS not in self.opened.entries:
            return None
        return self.opened.once(layout.HOLDS, lambda: holds.read(self._json(layout.HOLDS)))

    @cached_property
    def withheld(self) -> Withheld:
        """What rules and the user's marks hold now; see ``knows_rules``."""
        full = self.held.withheld if self.held else Withheld()

        def find() -> Withheld:
            held = holds.in_force(full, self.overlay)
            data = self.read(layout.RENDER_INDEX) if newmarks.waiting(held, self.overlay) else None
            return held if data is None else newmarks.holding(held, self.overlay, data)

        return self.opened.once(f"withheld {self.overlay.version}", find)

    @cached_property
    def changed_rules(self) -> tuple[RuleRef, ...]:
        """Rows that may hold a rule and are newer than this commit, which the next run reads."""
        return self.overlay.rules if self.held is None else holds.changed_since(self.held, self.overlay)

    @property
    def knows_rules(self) -> bool:
        """Whether it is known what the user's rules hold. Where it is not, nothing may be told. A preference that
        changed is most likely no rule: it counts from the next run on.
        """
        if self.held is None:
            return not self.overlay.rules
        return all(rule.off or rule.source_key != RULES_SOURCE for rule in self.changed_rules)

    @cached_property
    def untold(self) -> hiding.Hidden:
        """What is hidden, and what rules hold. Whatever tells asks for it first.

        Raises RuleUnread: nobody knows yet what rules hold.
        """
        if not self.knows_rules:
            raise RuleUnread
        withheld = self.withheld
        if not withheld:
            return self.hidden
        speaks = (lambda text: bool(withheld.of_text(text))) if withheld.words else None
        held = hiding.Hidden.of(withheld.records, speaks)
        # Also of records without statements, by where they stand.
        stands = frozenset(hiding.mark_of_place(page, anchor) for page, anchor in withheld.places) - {""}
        return self.hidden.plus(held._replace(marks=held.marks | stands))

    @cached_property
    def _stored(self) -> dict[str, Any] | None:
        """The document of what counts now, whatever is hidden of it; None: this commit has none, as before the first
        report and after a purge.
        """
        document = self.opened.once(layout.TODAY, lambda: self._json(layout.TODAY))
        return document if isinstance(document, dict) and "loops" in document else None

    @cached_property
    def _written(self) -> dict[str, Any] | None:
        """The stored document without what is hidden and what rules hold. Raises RuleUnread."""
        return None if self._stored is None else hiding.filtered(self._stored, self.untold)

    @cached_property
    def _today(self) -> dict[str, Any] | None:
        """``_written`` without the loops that corrections hide."""
        if self._written is None:
            return None
        corrected = {view.statement for view in self._hiding_loops}
        # A correction counts at once; what else follows from it, the next run puts together.
        loops = [loop for loop in self._written["loops"] if not corrected & _statements(loop)]
        return {**self._written, "loops": loops}

    @cached_property
    def _hiding_loops(self) -> tuple[CorrectionView, ...]:
        """The corrections after which a loop is not open today, oldest first."""
        today = self.local_now(self.as_of).date().isoformat()
        return tuple(
            view
            for view in self.overlay.corrections
            if view.statement and (view.verdict in CLOSING or (view.verdict == "later" and (view.until or "") > today))
        )

    def _json(self, path: str) -> Any:
        data = self.read(path)
        return None if data is None else orjson.loads(data)

    def local_now(self, at: str) -> datetime:
        """Now in the zone of the document's time (``2026-11-27 20:10 -08:00``)."""
        return self.now.astimezone(datetime.strptime(at, "%Y-%m-%d %H:%M %z").tzinfo)


def _folder_of(entry: wire.ReportEntry) -> str:
    """The folder of a report's page and of its data, below ``reports/``."""
    return "insights" if entry.kind == "insight" else entry.kind


def _hit(passage: Passage, *, held: bool) -> wire.Hit:
    return wire.Hit.model_validate({**asdict(passage), "held": held})


def _statements(loop: dict[str, Any]) -> set[str]:
    """The ids of all statements that speak of a loop."""
    return {loop["id"], *loop.get("statements", ())}


def _loop(entry: dict[str, Any], today: date) -> wire.LoopView:
    return wire.LoopView(**{**entry, "stage": _stage(entry, today)})


def _stage(entry: dict[str, Any], today: date) -> wire.Stage:
    try:
        day = date.fromisoformat(entry["due"]) - timedelta(days=bool(entry.get("due_before")))
    except ValueError:
        return "open"
    if day < today:
        return "overdue"
    return "due" if day <= today + timedelta(days=1) else "open"


def _towards(loops: Sequence[wire.LoopView], direction: str) -> tuple[wire.LoopView, ...]:
    return tuple(loop for loop in loops if loop.direction == direction)


def _over(meeting: dict[str, Any], now: datetime) -> bool:
    """Whether a meeting has ended; one without an end counts until its day is over."""
    end = _moment(meeting["ends"])
    return end < now if end else meeting["starts"][:10] < now.date().isoformat()


def _moment(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M %z")
    except ValueError:
        return None


def _title(front: str) -> str:
    """The title in a page's front matter, as rendering writes it: a JSON string, or plain."""
    match = re.search(r"^title: (.+)$", front, re.MULTILINE)
    if not match:
        return ""
    try:
        return str(orjson.loads(match[1]))
    except orjson.JSONDecodeError:
        return match[1].strip("\"' ")
