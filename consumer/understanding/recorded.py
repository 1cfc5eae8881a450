"""
Statements from state that the app and its integrations recorded: tasks and calendar entries, never from words.

Text never overrides them. Shapes differ between integrations, so each field is looked for under all names they use;
what has another shape says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any, Final

from consumer.understanding import dates, notelists, reading
from consumer.understanding.reading import headerdates, messages, names
from consumer.understanding.reading.tables import word_set
from consumer.understanding.statements import Decision, Due, Event, Quote, Statement, Task
from consumer.understanding.utterances import ME, UNKNOWN, Person, RecordText, Utterance
from contract.event import utc_text
from renderers import calendars, fields, grouping
from renderers import markdown as md
from renderers.base import Item

_LISTS: Final = (
    *("action_items", "actionItems", "actions", "tasks", "todos", "to_dos", "toDos", "todo", "next_steps", "nextSteps"),
    *("follow_ups", "followUps", "followups", "commitments"),
)
#: Where integrations wrap the lists.
_WRAPPERS: Final = ("summary", "note", "structured", "result", "data", "analysis", "meeting", "sections")
_TITLES: Final = (
    "title",
    "task",
    "text",
    "description",
    "action",
    "item",
    "what",
    "content",
    "name",
    "summary",
    "todo",
)
_OWNERS: Final = (
    "owner",
    "assignee",
    "assigned_to",
    "assignedTo",
    "responsible",
    "who",
    "person",
    "owners",
    "assignees",
    "speaker",
)
_DUES: Final = (
    "due",
    "due_date",
    "dueDate",
    "due_at",
    "dueAt",
    "deadline",
    "due_on",
    "dueOn",
    "by_when",
    "date",
    "when",
)
_STATES: Final = (
    "status",
    "state",
    "done",
    "completed",
    "complete",
    "checked",
    "is_done",
    "isDone",
    "is_completed",
    "closed",
)
_IDS: Final = ("id", "uuid", "key")
_DONE: Final = word_set(
    "done completed complete closed finished checked resolved delivered erledigt fertig fait terminé hecho "
    "completado feito concluído fatto klaar gedaan true yes x"
)
_DISMISSED: Final = word_set(
    "dismissed cancelled canceled dropped rejected wontfix wont_do obsolete skipped abandoned declined archived "
    "abgesagt"
)
_NOBODY: Final = frozenset(("", "unassigned", "unknown", "none", "n/a", "tbd", "-", "?", "everyone", "all", "team"))
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
#: Tasks of one record, and signs of a title.
_TASKS: Final = 300
_CHARS: Final = 1000


def statements(item: Item, zone: str, text: RecordText | None = None, region: str = "") -> tuple[Statement, ...]:
    """Tasks and events that a record holds as state. ``zone``: IANA name of the user's zone.

    ``text``: the record as ``reading.read`` gives it; read here, where it is needed, when absent. ``region``: see
    ``reader.region``.
    """
    read = _READERS.get(item.source_key)
    made = read(item, zone) if read else ()
    notes = _NOTES.get(item.source_key)
    return (*made, *(_noted(item, zone, notes, text, region) if notes else ()))


def _checklist_item(item: Item, zone: str) -> Iterator[Statement]:
    title = fields.text(item.data, "title")
    if not (shown := _header(title)):
        return
    state: notelists.State = "open"
    if fields.yes(item.data, "checked"):
        state = "done"
    elif fields.yes(item.data, "dismissed"):
        state = "dismissed"
    yield Task(
        title=md.one_line(title, _CHARS),
        state=state,
        quotes=(Quote(-1, shown),),
        owner=ME,
        people=names.people(item.data.get("people")),
        project=md.one_line(fields.text(item.data, "project")),
        due=_due(item.data.get("due_at"), zone),
    )


def _meeting_note(item: Item, zone: str) -> Iterator[Statement]:
    present = names.people(item.data.get("attendees"))
    yield from _meeting(item, zone, present)
    yield from _listed(item.data.get("note_json"), zone, present)


def _transcript(item: Item, zone: str) -> Iterator[Statement]:
    present = names.people(item.data.get("attendees"))
    yield from _meeting(item, zone, present)
    yield from _listed(item.data.get("analysis"), zone, present)


def _meeting(item: Item, zone: str, present: tuple[Person, ...]) -> Iterator[Statement]:
    title = fields.text(item.data, "title")
    starts = _local(item.data.get("meeting_started_at"), zone)
    if not (shown := _header(title)) or not (starts or present):
        return
    yield Event(
        key=fields.text(item.data, "calendar_event_id").strip(),
        title=md.one_line(title, _CHARS),
        starts=starts,
        ends=_local(item.data.get("meeting_ended_at"), zone),
        state="planned",
        organizer=UNKNOWN,
        attendees=present,
        quotes=(Quote(-1, shown),),
    )


def _calendar(item: Item, zone: str) -> Iterator[Statement]:
    entry = calendars.entry(item.data, zone, item.updated_at)
    title = fields.text(item.data, "title")
    if entry is None or entry.declined or not (shown := _header(title)):
        return
    organizer = names.people(entry.organizer)
    yield Event(
        key=entry.key,
        title=md.one_line(calendars.plain_title(title), _CHARS),
        starts=entry.starts,
        ends=entry.ends,
        state="cancelled" if entry.cancelled else "planned",
        organizer=organizer[0] if organizer else UNKNOWN,
        attendees=names.people(entry.attendees),
        quotes=(Quote(-1, shown),),
        version=entry.version,
        zone=entry.zone,
    )


def _listed(holder: object, zone: str, present: Sequence[Person]) -> Iterator[Task]:
    """Action items of a structured note or analysis."""
    yielded = 0
    for number, entry in _entries(holder):
        task = _task(entry, zone, present, number)
        if task is not None:
            yield task
            yielded += 1
            if yielded >= _TASKS:
                return


def _entries(holder: object) -> Iterator[tuple[str, Any]]:
    """(id within the record, entry) of every list of tasks, also in one of the usual wrappers."""
    if not isinstance(holder, Mapping):
        return
    for place in (holder, *(holder[name] for name in _WRAPPERS if isinstance(holder.get(name), Mapping))):
        for name in _LISTS:
            value = place.get(name)
            if isinstance(value, Mapping):
                value = [{"owner": owner, "text": task} for owner, tasks in value.items() for task in _as_list(tasks)]
            if isinstance(value, str):
                value = [line for line in value.split("\n") if line.strip()]
            if isinstance(value, list):
                yield from ((f"{name}:{number}", entry) for number, entry in enumerate(value))


def _as_list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _task(entry: object, zone: str, present: Sequence[Person], number: str) -> Task | None:
    if isinstance(entry, str):
        owner, state, text = notelists.line(entry, present)
        due, ident = None, number
    elif isinstance(entry, Mapping):
        owner, state, text = notelists.line(_first_text(entry, _TITLES), present)
        stated = next((entry[name] for name in _OWNERS if entry.get(name) not in (None, "", [], {})), None)
        owner = _owner(stated, present) if stated is not None else owner
        state = _state(entry) or state
        due = next((stated_due for name in _DUES if (stated_due := _due(entry.get(name), zone)) is not None), None)
        ident = _first_text(entry, _IDS) or number
    else:
        return None
    if not text:
        return None
    return Task(md.one_line(text, _CHARS), state, (Quote(-1, text),), owner=owner, due=due, item=ident[:200])


def _owner(value: object, present: Sequence[Person]) -> Person:
    if isinstance(value, str) and names.fold(value) in notelists.ME_WORDS:
        return ME
    if isinstance(value, str) and names.fold(value) in _NOBODY:
        return UNKNOWN
    people = names.people(value if not isinstance(value, str) else [value])
    if not people:
        return UNKNOWN
    return (None if people[0].address else names.match(people[0].name, present)) or people[0]


def _state(entry: Mapping[str, Any]) -> notelists.State | None:
    for name in _STATES:
        value = entry.get(name)
        if value is True:
            return "done"
        if isinstance(value, str):
            word = value.strip().casefold().replace(" ", "_")
            if word in _DONE:
                return "done"
            if word in _DISMISSED:
                return "dismissed"
    return None


def _noted(item: Item, zone: str, name: str, record: RecordText | None, region: str) -> Iterator[Task | Decision]:
    """Tasks and decisions that the user's notes list. A task without a name is the user's own where it has a box, or
    nobody else is there; of another nobody can say whose it is.
    """
    body = messages.text(item.data, name)
    if not notelists.may_list(body):
        return
    present = names.people(item.data.get("attendees"))
    place = 0
    for number, entry in enumerate(islice(notelists.listed(body, present), _TASKS)):
        if isinstance(entry, notelists.ListedTask) and entry.owner == UNKNOWN and present and not entry.own:
            continue
        record = record or reading.read(item, zone)
        place = _place(record, entry.text, place)
        line = record.utterances[place] if place >= 0 else None
        quote = Quote(place, entry.text if line is None or entry.text in line.text else line.text)
        place = max(place, 0)
        title = md.one_line(entry.text, _CHARS)
        if isinstance(entry, notelists.ListedDecision):
            yield Decision((), title, "", (quote,))
            continue
        owner = ME if entry.owner == UNKNOWN else entry.owner
        due = _spoken_due(entry.due or entry.text, line, region)
        yield Task(title, entry.state, (quote,), owner=owner, due=due, item=f"{name}:{number}")


def _spoken_due(words: str, line: Utterance | None, region: str) -> Due | None:
    """The day that the words of a task name."""
    if line is None or not line.day:
        return None
    dues = dates.find(words, date.fromisoformat(line.day), line.language, region)
    return dues[-1][0] if dues else None


def _place(record: RecordText, text: str, start: int) -> int:
    """The utterance that this line begins with, from ``start`` on; -1: it is in none."""
    for number in range(start, len(record.utterances)):
        line = record.utterances[number].text
        if text in line or (len(line) > 3 and text.startswith(line)):
            return number
    return -1


def _due(value: object, zone: str) -> Due | None:
    """A recorded day or moment, on the user's clock."""
    if not isinstance(value, str) or not value.strip():
        return None
    text = value.strip()[:100]
    words = md.one_line(text)
    if not _DAY.fullmatch(text) and (local := _local(text, zone)):
        clock = local[11:16]
        return Due(local[:10], "" if clock in ("00:00", "23:59") else clock, words, "recorded")
    day = headerdates.day(text)
    return Due(day, "", words, "recorded") if day else None


def _local(value: object, zone: str) -> str:
    moment = fields.moment(value)
    return grouping.local(utc_text(moment), zone) if moment else ""


def _header(title: str) -> str:
    """A title as the page's heading shows it, without the mark of a cut."""
    shown = md.one_line(title)
    return shown.removesuffix("\u2026").rstrip() if len(title) > len(shown) else shown


def _first_text(entry: Mapping[str, Any], keys: Sequence[str]) -> str:
    for key in keys:
        value = entry.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return ""


#: Where a source's records have the user's own notes, in which markdown's boxes are tasks.
_NOTES: Final[Mapping[str, str]] = {"meeting_notes": "note_text", "granola_transcripts": "notes"}
_READERS: Final = {
    "checklist_items": _checklist_item,
    "meeting_notes": _meeting_note,
    "granola_transcripts": _transcript,
    "activity_events": _calendar,
}
