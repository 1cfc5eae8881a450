"""A session with the assistant: the user's turns are theirs, all other text is generated."""

from __future__ import annotations

from collections.abc import Iterator

from consumer.understanding.reading import mailtext
from consumer.understanding.reading.messages import text
from consumer.understanding.reading.passages import TextPassage
from consumer.understanding.utterances import ME, UNKNOWN
from contract.event import utc_text
from renderers import chat_session, fields, grouping
from renderers import markdown as md
from renderers.base import Item


def session(item: Item, zone: str) -> Iterator[TextPassage]:
    """Each message with its own time. A mail that the user pastes stays the words of who wrote it."""
    yield TextPassage(UNKNOWN, (ME,), item.local, "generated", text(item.data, "summary"))
    for message in chat_session.messages(item):
        moment = fields.moment(message.get("created_at"))
        said_at = grouping.local(utc_text(moment), zone) if moment else item.local
        body = md.clean(chat_session.content(message))
        if fields.text(message, "role").strip().casefold() not in ("user", "human"):
            yield TextPassage(UNKNOWN, (ME,), said_at, "generated", body)
            continue
        for line in mailtext.unwrapped(mailtext.lines(body)):
            if line.part == "own":
                yield TextPassage(ME, (), said_at, "written", line.text)
            elif line.part == "boilerplate":
                yield TextPassage(UNKNOWN, (), said_at, "boilerplate", line.text)
            else:
                yield TextPassage(line.author, (), line.day, line.part, line.text)
