"""Scenes written by hand (``story/*.yaml``) -> rows of the table each belongs to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib import resources
from typing import Any, Final
from zoneinfo import ZoneInfo

import yaml

from local.seed import mail
from local.seed.cast import BY_KEY, CastMember
from local.seed.rows import Rows

Scene = dict[str, Any]
#: The day on which the story is told, as its files have it.
STORY_DAY: Final = date(2026, 11, 28)
#: Scene -> (source of the export, id of its record).
Records = dict[str, tuple[str, str]]


@cache
def load() -> tuple[Scene, ...]:
    """All scenes as they stand in their files, oldest first."""
    folder = resources.files(__package__).joinpath("story")
    files = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".yaml")), key=lambda entry: entry.name)
    texts = [entry.read_text(encoding="utf-8") for entry in files]
    scenes: list[Scene] = [scene for text in texts for scene in yaml.load(text, Loader=yaml.CSafeLoader)]
    return tuple(sorted(scenes, key=_begins))


def _begins(scene: Scene) -> str:
    lines = scene.get("lines", ())
    return str(scene.get("at") or scene.get("first") or lines[0]["at"])


def titles(kind: str, **fields: bool) -> tuple[str, ...]:
    """Titles of scenes of a kind that have (True) or lack (False) these fields."""
    return tuple(
        scene["title"]
        for scene in load()
        if scene["kind"] == kind and all((name in scene) == wanted for name, wanted in fields.items())
    )


def add_story(rows: Rows, name: str, address: str) -> Records:
    """Add the story of the user of this name and address."""
    return _Writer(rows, CastMember(name, name, (address,), (), "", "", "", "", "apple-en", "Mara", main=False)).all()


@dataclass(slots=True)
class _Writer:
    rows: Rows
    user: CastMember
    records: Records = field(default_factory=dict)
    mails: dict[str, mail.WrittenMail] = field(default_factory=dict)

    def all(self) -> Records:
        writers: dict[str, Callable[[Scene], None]] = {
            "mail": self._mail,
            "sent": self._sent,
            "messages": self._messages,
            "chat": self._chat,
            "transcript": self._transcript,
            "note": self._note,
            "briefing": self._briefing,
            "event": self._event,
            "series": self._series,
            "item": self._item,
            "draft": self._draft,
        }
        for scene in load():
            writers[scene["kind"]](scene)
        return self.records

    # --- time ----------------------------------------------------------------------------------------------------

    def _moved(self, day: date) -> date:
        """A day of the story on the calendar of these rows."""
        return self.rows.today - (STORY_DAY - day)

    def _local(self, value: str) -> datetime:
        """``2026-11-27 09:12`` on the user's clock, or on that of a zone named behind it."""
        day, clock, *zone = str(value).split()
        moment = datetime.combine(self._moved(date.fromisoformat(day)), time.fromisoformat(clock))
        return moment.replace(tzinfo=ZoneInfo(zone[0]) if zone else self.rows.zone)

    def _at(self, value: str) -> datetime:
        return self._local(value).astimezone(UTC)

    def _text(self, text: str) -> str:
        return mail.dated(text, self._moved)

    # --- mails and messages --------------------------------------------------------------------------------------

    def _mail(self, scene: Scene) -> None:
        sender = BY_KEY[scene["from"]] if "from" in scene else None
        stranger = scene.get("sender", {})
        name = scene.get("named") or (sender.name if sender else stranger["name"])
        address = scene.get("address") or (sender.address if sender else stranger["address"])
        subject, text = self._text(scene["thread"]), self._text(scene.get("html") or scene["text"])
        if sender and "html" not in scene:
            text = mail.signed(text, "" if "Sent from my phone" in text else sender.signs)
        text = self._answering(scene, text, sender)
        others = [BY_KEY[key] for key in scene.get("to", ())]
        parsed: dict[str, Any] = {
            "subject": f"Re: {subject}" if "answers" in scene else subject,
            "to": [person.attendee() for person in (self.user, *others)],
        }
        if "headers" in scene:
            parsed["headers"] = {key: self._text(value) for key, value in scene["headers"].items()}
        self._keep(scene, "inbound_messages", self.rows.id("inbound", scene["key"]))
        local = self._local(scene["at"])
        self.mails[scene["key"]] = mail.WrittenMail(name, address, self.user.name, subject, local, text)
        add_mail(self.rows, subject, self._at(scene["at"]), (name, address), text, key=scene["key"], parsed=parsed)

    def _sent(self, scene: Scene) -> None:
        to = BY_KEY[scene["to"]]
        subject = self._text(scene["thread"])
        text = self._answering(scene, mail.signed(self._text(scene["text"]), self.user.signs), self.user)
        self._keep(scene, "outbound_messages", self.rows.id("outbound", scene["key"]))
        local = self._local(scene["at"])
        self.mails[scene["key"]] = mail.WrittenMail(self.user.name, self.user.address, to.name, subject, local, text)
        status = scene.get("status", "delivered")
        add_sent(
            self.rows, subject, self._at(scene["at"]), (to.name, to.address), text, key=scene["key"], status=status
        )

    def _answering(self, scene: Scene, text: str, sender: CastMember | None) -> str:
        answered = self.mails.get(scene.get("answers", ""))
        return mail.answering(text, answered, sender.writes) if answered and sender else text

    def _messages(self, scene: Scene) -> None:
        person = BY_KEY[scene["with"]]
        for number, line in enumerate(scene["lines"], 1):
            key, when = f"{scene['key']}-{number}", self._at(line["at"])
            sides = (person.name, scene["address"])
            if "in" in line:
                self._keep(scene, "inbound_messages", self.rows.id("inbound", key), key)
                add_mail(self.rows, None, when, sides, self._text(line["in"]), key=key, channel=scene["channel"])
            else:
                self._keep(scene, "outbound_messages", self.rows.id("outbound", key), key)
                add_sent(self.rows, None, when, sides, self._text(line["out"]), key=key, channel=scene["channel"])

    def _chat(self, scene: Scene) -> None:
        turns: list[tuple[str, str, datetime]] = []
        moment = self._at(scene["at"])
        for line in scene["lines"]:
            role = "user" if "user" in line else "assistant"
            moment = self._at(line["at"]) if "at" in line else moment
            turns.append((role, self._text(line[role]), moment))
            moment += timedelta(seconds=30)
        self._keep(scene, "chat_sessions", self.rows.id("chat", scene["title"]))
        add_chat(self.rows, scene["title"], turns)

    # --- meetings ------------------------------------------------------------------------------------------------

    def _transcript(self, scene: Scene) -> None:
        self._keep(scene, "granola_transcripts", self.rows.id("transcript", scene["title"] + scene["at"]))
        texts: Scene = {name: self._text(scene[name]) for name in ("notes", "text") if name in scene}
        add_transcript(self.rows, {**scene, **texts}, self._at(scene["at"]), key=scene["title"] + scene["at"])

    def _note(self, scene: Scene) -> None:
        self._keep(scene, "meeting_notes", self.rows.id("note", scene["title"]))
        calendar = self._reference(scene["calendar"]) if "calendar" in scene else ""
        add_note(self.rows, {**scene, "text": self._text(scene["text"])}, self._at(scene["at"]), calendar=calendar)

    def _reference(self, key: str) -> str:
        """The calendar's own id of an entry."""
        return f"evt_{self.rows.id('event', key)[:8]}"

    def _event(self, scene: Scene) -> None:
        key = f"{scene['key']}-{scene['row']}" if "row" in scene else scene["key"]
        self._keep(scene, "activity_events", self.rows.id("event", f"calendar/{key}"), key)
        self._entry(scene, key, self._reference(scene["key"]), scene["starts"], scene["ends"])

    def _series(self, scene: Scene) -> None:
        """One entry for each meeting, all written when the first was planned."""
        first = datetime.fromisoformat(scene["first"])
        written = f"{first - timedelta(days=3):%Y-%m-%d %H:%M}"
        for number in range(scene["times"]):
            start = first + timedelta(days=scene["every"] * number)
            end = start + timedelta(minutes=scene["minutes"])
            key = f"{scene['key']}-{number + 1}"
            self._keep(scene, "activity_events", self.rows.id("event", f"calendar/{key}"), key)
            reference = f"{self._reference(scene['key'])}_{number + 1}"
            self._entry({**scene, "at": written}, key, reference, f"{start:%Y-%m-%d %H:%M}", f"{end:%Y-%m-%d %H:%M}")

    def _entry(self, scene: Scene, key: str, reference: str, starts: str | date, ends: str | date) -> None:
        """A calendar entry as an integration writes it: details as JSON, the calendar's id as reference."""
        attendees = [self.user.attendee(), *(BY_KEY[name].attendee() for name in scene.get("people", ()))]
        details = {
            "start": self._calendar_time(starts),
            "end": self._calendar_time(ends),
            "organizer": self.user.attendee(),
            "attendees": attendees if len(attendees) > 1 else [],
            "status": scene.get("status", "confirmed"),
        }
        begins = self._at(f"{starts} 00:00") if isinstance(starts, date) else self._at(starts)
        self.rows.add(
            "social.activity_events",
            self._at(scene["at"]),
            id=self.rows.id("event", f"calendar/{key}"),
            source="calendar",
            event_type=scene.get("type", "calendar_event"),
            title=scene["title"],
            body=json.dumps(details, ensure_ascii=False, sort_keys=True),
            occurred_at=begins,
            source_ref=reference,
            external_seq=scene.get("version", 1),
            raw={"etag": "raw payload of the integration"},
        )

    def _calendar_time(self, value: str | date) -> dict[str, str]:
        if isinstance(value, date):
            return {"date": self._moved(value).isoformat()}
        # As in Google's calendar, the zone is that of the meeting's place.
        _, _, *zone = str(value).split()
        return {"dateTime": self._local(value).isoformat()} | ({"timeZone": zone[0]} if zone else {})

    # --- the app's own -------------------------------------------------------------------------------------------

    def _briefing(self, scene: Scene) -> None:
        when = self._at(scene["at"])
        day = self._local(scene["at"]).date()
        self._keep(scene, "briefings", self.rows.id("briefing", day.isoformat()))
        add_briefing(self.rows, day, when, scene["title"], self._text(scene["text"]))

    def _item(self, scene: Scene) -> None:
        written = self._at(scene["at"])
        columns: dict[str, Any] = {
            "people": [{"name": BY_KEY[name].name} for name in scene.get("people", ())],
            "project": scene.get("project"),
            "description": scene.get("description"),
            "due_at": self._at(scene["due"]) if "due" in scene else None,
            "checked": "done" in scene,
            "checked_at": self._at(scene["done"]) if "done" in scene else None,
        }
        changed = self._at(scene.get("changed") or scene.get("done") or scene["at"])
        self._keep(scene, "checklist_items", self.rows.id("item", scene["title"]))
        add_item(self.rows, scene["title"], written, changed=changed, **columns)

    def _draft(self, scene: Scene) -> None:
        self._keep(scene, "agentic_drafts", self.rows.id("draft", scene["key"]))
        self.rows.add(
            "public.agentic_drafts",
            self._at(scene["at"]),
            id=self.rows.id("draft", scene["key"]),
            kind="email",
            title=scene["title"],
            body=self._text(scene["text"]),
            status=scene["status"],
            recipients=[BY_KEY[scene["recipient"]].attendee()],
            model="cloop-draft-1",
            provider_payload={"trace": "internal"},
        )

    def _keep(self, scene: Scene, source: str, record_id: str, key: str = "") -> None:
        key = key or scene["key"]
        if key in self.records:
            raise ValueError(f"two scenes have the key {key!r}: keys name one scene each")
        self.records[key] = (source, record_id)


def attendees(names: list[str]) -> list[dict[str, str]]:
    return [BY_KEY[name].attendee() for name in names]


def add_item(rows: Rows, title: str, when: datetime, **columns: Any) -> None:
    """An item that the user wrote on their list in a chat."""
    rows.add("public.checklist_items", when, id=rows.id("item", title), title=title, source="chat", **columns)


def add_transcript(rows: Rows, scene: Scene, when: datetime, key: str = "") -> None:
    key = key or scene["title"]
    end = when + timedelta(minutes=scene.get("minutes", 30))
    rows.add(
        "granola1.granola_transcripts",
        end,
        id=rows.id("transcript", key),
        granola_document_id=f"doc-{rows.id('granola', key)[:13]}",
        title=scene["title"],
        meeting_started_at=when,
        meeting_ended_at=end,
        attendees=attendees(scene["people"]),
        notes=scene.get("notes"),
        transcript=scene["text"],
        analysis={"topics": [scene["project"]] if scene.get("project") else []},
        raw_payload={"vendor": "granola", "internal": True},
        fetch_cursor="cursor-of-the-integration",
        fetched_at=end,
        analyzed_at=end + timedelta(minutes=4),
    )


def add_note(rows: Rows, scene: Scene, when: datetime, calendar: str = "") -> None:
    rows.add(
        "public.meeting_notes",
        when + timedelta(minutes=45),
        id=rows.id("note", scene["title"]),
        calendar_event_id=calendar or f"evt_{rows.id('event', scene['title'])[:8]}",
        title=scene["title"],
        meeting_started_at=when,
        attendees=attendees(scene["people"]),
        note_text=scene["text"],
        note_json={"project": scene.get("project")},
        source_ref={"app": "calendar"},
    )


def add_chat(rows: Rows, title: str, turns: list[tuple[str, str, datetime]]) -> None:
    """A session with the assistant and its messages: (role, text, time)."""
    session = rows.id("chat", title)
    first, last = turns[0][2], turns[-1][2]
    rows.add(
        "public.chat_sessions",
        first,
        changed=last,
        id=session,
        title=title,
        surface="app",
        model="cloop-chat-2",
        started_at=first,
        last_message_at=last,
        provider_thread_token=f"thread_{session[:8]}",
    )
    for number, (role, content, moment) in enumerate(turns):
        rows.add(
            "public.chat_messages",
            moment,
            id=rows.id("message", f"{title}/{number}"),
            session_id=session,
            role=role,
            content=content,
            token_count=len(content) // 4,
        )


def add_briefing(rows: Rows, day: date, when: datetime, title: str, text: str) -> None:
    rows.add(
        "public.briefings",
        when,
        id=rows.id("briefing", day.isoformat()),
        briefing_date=day,
        kind="daily",
        title=f"{title} of {mail.in_words(day)}",
        content_markdown=text,
        model="cloop-brief-1",
        prompt_snapshot="the app's own prompt, which stays in the app",
        generated_at=when,
    )


def add_mail(
    rows: Rows,
    thread: str | None,
    when: datetime,
    sender: tuple[str, str],
    text: str,
    *,
    key: str = "",
    channel: str = "email",
    parsed: dict[str, Any] | None = None,
) -> None:
    """An inbound message; ``sender`` is name and address; ``thread`` is None on a channel without threads."""
    key = key or f"{thread}/{when.isoformat()}"
    rows.add(
        "msg.inbound_messages",
        when,
        id=rows.id("inbound", key),
        channel=channel,
        thread_id=thread,
        sender_name=sender[0],
        sender_address=sender[1],
        normalized_text=text,
        parse_result=parsed or ({"subject": thread} if thread is not None else {}),
        received_at=when,
        provider_message_id=f"<{rows.id('mid', key)}@mail.example>",
        raw_payload={"headers": "as they came"},
    )


def add_sent(
    rows: Rows,
    thread: str | None,
    when: datetime,
    to: tuple[str, str],
    text: str,
    *,
    key: str,
    channel: str = "email",
    status: str = "delivered",
) -> None:
    """An outbound message with its delivery and its event; one that failed was never sent."""
    message = rows.id("outbound", key)
    delivered = when + timedelta(seconds=3)
    rows.add(
        "msg.outbound_messages",
        when,
        changed=delivered,
        id=message,
        channel=channel,
        thread_id=thread,
        recipient_name=to[0],
        recipient_address=to[1],
        body_text=text,
        status=status,
        sent_at=when if status == "delivered" else None,
        provider_message_id=f"<{message}@mail.example>",
        raw_request={"via": "smtp"},
    )
    log: dict[str, Any] = {"message_id": message, "channel": channel}
    rows.add("msg.delivery_log", delivered, **log, status=status, attempt=1, provider="postal", attempted_at=delivered)
    for event, moment in _events(status, delivered, channel):
        rows.add(
            "msg.message_events", moment, **log, thread_id=thread, event_type=event, details={}, occurred_at=moment
        )


def _events(status: str, delivered: datetime, channel: str) -> Iterator[tuple[str, datetime]]:
    yield status, delivered
    if status == "delivered" and channel == "email":
        yield "opened", delivered + timedelta(minutes=20)
