"""Scenes written by hand (scenes.yaml) -> rows of the table each belongs to."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from importlib import resources
from typing import Any

import yaml

from local.seed.cast import BY_NAME
from local.seed.rows import Rows, long_date

Scene = dict[str, Any]
_DAY = re.compile(r"\{day([+-]\d+)\}")


def load(rows: Rows) -> list[Scene]:
    """All scenes, with their dates filled in, oldest first."""
    text = resources.files(__package__).joinpath("scenes.yaml").read_text(encoding="utf-8")
    filled = _DAY.sub(lambda match: long_date(rows.today + timedelta(days=int(match[1]))), text)
    scenes: list[Scene] = yaml.safe_load(filled)
    return sorted(scenes, key=lambda scene: -int(scene["days_ago"]))


def add_scenes(rows: Rows) -> None:
    writers: dict[str, Callable[[Rows, Scene, datetime], None]] = {
        "transcript": add_transcript,
        "note": add_note,
        "chat": _chat,
        "briefing": _briefing,
        "mail": _mail,
        "sent": _sent,
    }
    for scene in load(rows):
        hour, minute = (int(part) for part in scene["time"].split(":"))
        writers[scene["kind"]](rows, scene, rows.at(scene["days_ago"], hour, minute))


def attendees(names: list[str]) -> list[dict[str, str]]:
    return [BY_NAME[name].attendee() for name in names]


def add_transcript(rows: Rows, scene: Scene, when: datetime) -> None:
    end = when + timedelta(minutes=scene.get("minutes", 30))
    rows.add(
        "granola1.granola_transcripts",
        end,
        id=rows.id("transcript", scene["title"]),
        granola_document_id=f"doc-{rows.id('granola', scene['title'])[:13]}",
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


def add_note(rows: Rows, scene: Scene, when: datetime) -> None:
    rows.add(
        "public.meeting_notes",
        when + timedelta(minutes=45),
        id=rows.id("note", scene["title"]),
        calendar_event_id=f"evt_{rows.id('event', scene['title'])[:8]}",
        title=scene["title"],
        meeting_started_at=when,
        attendees=attendees(scene["people"]),
        note_text=scene["text"],
        note_json={"project": scene.get("project")},
        source_ref={"app": "calendar"},
    )


def _chat(rows: Rows, scene: Scene, when: datetime) -> None:
    turns = [line.partition(": ")[::2] for line in scene["text"].strip().splitlines()]
    add_chat(rows, scene["title"], when, turns)


def add_chat(rows: Rows, title: str, when: datetime, turns: list[tuple[str, str]]) -> None:
    """A session and its messages, half a minute apart."""
    session = rows.id("chat", title)
    times = [when + timedelta(seconds=30 * number) for number in range(len(turns))]
    rows.add(
        "public.chat_sessions",
        when,
        changed=times[-1],
        id=session,
        title=title,
        surface="app",
        model="cloop-chat-2",
        started_at=when,
        last_message_at=times[-1],
        provider_thread_token=f"thread_{session[:8]}",
    )
    for number, ((role, content), moment) in enumerate(zip(turns, times, strict=True)):
        rows.add(
            "public.chat_messages",
            moment,
            id=rows.id("message", f"{title}/{number}"),
            session_id=session,
            role=role,
            content=content,
            token_count=len(content) // 4,
        )


def _briefing(rows: Rows, scene: Scene, when: datetime) -> None:
    add_briefing(rows, scene["days_ago"], when, scene["title"], scene["text"])


def add_briefing(rows: Rows, days_ago: int, when: datetime, title: str, text: str) -> None:
    rows.add(
        "public.briefings",
        when,
        id=rows.id("briefing", days_ago),
        briefing_date=rows.day(days_ago),
        kind="daily",
        title=f"{title} of {long_date(rows.day(days_ago))}",
        content_markdown=text,
        model="cloop-brief-1",
        prompt_snapshot="the app's own prompt, which stays in the app",
        generated_at=when,
    )


def _mail(rows: Rows, scene: Scene, when: datetime) -> None:
    person = BY_NAME[scene["from"]]
    add_mail(rows, scene["title"], when, (person.name, person.address), scene["text"])


def add_mail(rows: Rows, title: str, when: datetime, sender: tuple[str, str], text: str) -> None:
    """An inbound message; ``sender`` is name and address."""
    key = f"{title}/{when.isoformat()}"
    rows.add(
        "msg.inbound_messages",
        when,
        id=rows.id("inbound", key),
        channel="email",
        thread_id=title,
        sender_name=sender[0],
        sender_address=sender[1],
        normalized_text=text,
        parse_result={"subject": title},
        received_at=when,
        provider_message_id=f"<{rows.id('mid', key)}@mail.example>",
        raw_payload={"headers": "as they came"},
    )


def _sent(rows: Rows, scene: Scene, when: datetime) -> None:
    person = BY_NAME[scene["to"]]
    add_sent(rows, scene["title"], when, (person.name, person.address), scene["text"])


def add_sent(rows: Rows, title: str, when: datetime, to: tuple[str, str], text: str) -> None:
    """An outbound message with its delivery and its event."""
    key = f"{title}/{when.isoformat()}"
    message = rows.id("outbound", key)
    delivered = when + timedelta(seconds=3)
    rows.add(
        "msg.outbound_messages",
        when,
        changed=delivered,
        id=message,
        channel="email",
        thread_id=title,
        recipient_name=to[0],
        recipient_address=to[1],
        body_text=text,
        status="delivered",
        sent_at=when,
        provider_message_id=f"<{message}@mail.example>",
        raw_request={"via": "smtp"},
    )
    log: dict[str, Any] = {"message_id": message, "channel": "email"}
    rows.add(
        "msg.delivery_log", delivered, **log, status="delivered", attempt=1, provider="postal", attempted_at=delivered
    )
    rows.add(
        "msg.message_events",
        delivered,
        **log,
        thread_id=title,
        event_type="delivered",
        details={},
        occurred_at=delivered,
    )
