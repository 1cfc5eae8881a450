"""Workspaces of conversations: rows as the app has them, through the real export and render stages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Literal

from bench.locomo.conversations import Conversation, Session, Turn
from consumer import layout
from consumer.evidence import pages
from consumer.run import Run
from local.seed.rows import stable_id
from tests.fake_export import FakeExport, Row, export_and_render, run_of

Kind = Literal["transcript", "chat"]
SOURCES: Final[Mapping[Kind, str]] = {"transcript": "granola_transcripts", "chat": "chat_sessions"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a session is: the conversation's name and the session's number."""

    conversation: str
    session: int


def build(root: Path, conversations: Iterable[Conversation], kind: Kind) -> Run:
    """Export and render every session of these conversations as one record; the run as it leaves render."""
    export = FakeExport()
    row_of = _transcript if kind == "transcript" else _chat
    number = 0
    for conversation in conversations:
        for session in conversation.sessions:
            number += 1
            data = row_of(conversation, session)
            export.put(SOURCES[kind], _record_id(conversation, session), Row(number, session.when, data))
    return export_and_render(run_of(root, export, "backfill_digest", timezone="UTC"))


def places(root: Path, conversations: Iterable[Conversation]) -> dict[str, Place]:
    """Slug of each session's page -> the session."""
    by_record = {
        _record_id(conversation, session): Place(conversation.name, session.number)
        for conversation in conversations
        for session in conversation.sessions
    }
    brain = root / layout.BRAIN
    slugs = {}
    for path in (root / layout.EVIDENCE).rglob("*.md"):
        slug = pages.slug_of(path.relative_to(brain).as_posix())
        record_id = pages.parse(slug, path.read_bytes()).text("source_id")
        if record_id in by_record:
            slugs[slug] = by_record[record_id]
    return slugs


def said(turn: Turn) -> str:
    """A turn as one line of text; a photo's caption is kept in words."""
    photo = f" [shares a photo: {turn.caption}]" if turn.caption else ""
    return " ".join(f"{turn.text}{photo}".split())


def _record_id(conversation: Conversation, session: Session) -> str:
    return stable_id("locomo", conversation.name, session.number)


def _title(conversation: Conversation) -> str:
    return " and ".join(conversation.speakers)


def _transcript(conversation: Conversation, session: Session) -> dict[str, Any]:
    return {
        "title": _title(conversation),
        "meeting_started_at": session.when.isoformat(),
        "meeting_ended_at": (session.when + timedelta(minutes=30)).isoformat(),
        "attendees": [{"name": speaker} for speaker in conversation.speakers],
        "transcript": "\n".join(f"{turn.speaker}: {said(turn)}" for turn in session.turns),
    }


def _chat(conversation: Conversation, session: Session) -> dict[str, Any]:
    return {
        "title": _title(conversation),
        "started_at": session.when.isoformat(),
        "messages": [
            {
                "id": turn.id,
                "role": "user" if turn.speaker == conversation.speakers[0] else "assistant",
                "content": f"{turn.speaker}: {said(turn)}",
                "created_at": (session.when + timedelta(seconds=20 * number)).isoformat(),
            }
            for number, turn in enumerate(session.turns)
        ],
    }
