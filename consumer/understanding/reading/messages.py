"""Messages in and out, sent drafts among them: own words, quotes, passed-on mails, signatures, machines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from consumer.understanding.reading import bulk, mailtext, mailwords, names, salutations
from consumer.understanding.reading.passages import TextPassage
from consumer.understanding.reading.sentences import sentences
from consumer.understanding.reading.tables import word_set
from consumer.understanding.utterances import ME, UNKNOWN, Person, TextKind
from renderers import fields
from renderers import markdown as md
from renderers.base import Item

#: States of an outgoing message in which nobody has received it, and may never.
_NOT_SENT: Final = word_set(
    "draft queued pending scheduled failed bounced cancelled canceled discarded rejected error undelivered expired"
)
_SENT: Final = word_set("sent delivered read opened seen accepted clicked replied")
#: Channels on which a message without a thread belongs to the talk with its other side.
DIRECT: Final = word_set("whatsapp sms imessage signal telegram messenger wechat line viber phone dm")
#: Channels of mail, and none: what has no channel is a mail.
MAIL: Final = word_set("email e-mail mail gmail outlook imap letter") | {""}
INBOUND: Final = "inbound_messages"
OUTBOUND: Final = "outbound_messages"
#: So many others read an answer that only whoever is answered is meant.
_CROWD: Final = 4
_ADDRESSED: Final = ("to", "recipients")
_RECIPIENTS: Final = (*_ADDRESSED, "cc")


def inbound(item: Item) -> Iterator[TextPassage]:
    """A message to the user."""
    data = item.data
    sender = names.person(data.get("sender_name"), data.get("sender_address"))
    parsed = data.get("parse_result")
    others = recipients(parsed)
    hearers = (ME, *(person for person in others if person not in (ME, sender))) if len(others) > 1 else (ME,)
    if others == (sender,):
        hearers = (ME, sender)  # To many unseen, of whom the user is one.
    # Whoever only gets a copy, perhaps the user, is told, and not asked.
    addressed = tuple(person for person in recipients(parsed, _ADDRESSED) if person != sender)
    copied = len(addressed) < len(hearers) - 1
    yield from message(
        text(data, "normalized_text"),
        sender,
        addressed if addressed and copied else hearers,
        item.local,
        subject=subject(data),
        parsed=parsed,
        hearers=hearers,
        first=addressed,
    )


def outbound(item: Item) -> Iterator[TextPassage]:
    """A message that the user, or the app in their name, has sent. What the app sends by a template is the app's."""
    data = item.data
    recipient = names.person(data.get("recipient_name"), data.get("recipient_address"))
    to = names.distinct([recipient])
    state = fields.text(data, "status").strip().casefold()
    template = data.get("template")
    if isinstance(template, str) and template.strip():
        yield TextPassage(UNKNOWN, to, item.local, "generated", text(data, "body_text"))
        return
    unsent = state in _NOT_SENT or (state not in _SENT and not data.get("sent_at"))
    yield from message(text(data, "body_text"), ME, to, item.local, subject=subject(data), generated=unsent)


def draft(item: Item) -> Iterator[TextPassage]:
    """A draft of the assistant; the user's own words once it is sent."""
    data = item.data
    sent = fields.text(data, "status").strip().casefold() in _SENT
    to = names.people(data.get("recipients"))
    yield from message(
        text(data, "body"), ME if sent else UNKNOWN, to, item.local, subject=subject(data), generated=not sent
    )


def message(
    body: str,
    author: Person,
    to: tuple[Person, ...],
    said_at: str,
    *,
    subject: str = "",
    parsed: object = None,
    hearers: Sequence[Person] = (),
    first: tuple[Person, ...] = (),
    generated: bool = False,
) -> Iterator[TextPassage]:
    """The passages of one message as it stands on its page.

    ``hearers``: all who get it, copies included; ``first``: those to whom it is sent, and not only copied.
    """
    hearers = tuple(hearers) or to
    lines = _without_respond_to(mailtext.unwrapped(mailtext.lines(body, author, subject)))
    own: TextKind = "written"
    if generated:
        own = "generated"
    elif author != ME and bulk.by_program(author.address, parsed, subject, _own_text(lines, body)):
        own = "machine"
    around = names.distinct((author, *hearers))
    own_lines = [number for number, line in enumerate(lines) if line.part == "own" and line.text.strip()]
    last = own_lines[-1] if own_lines else -1
    opening = lines[own_lines[0]].text if own_lines else ""
    spoken_to = _spoken_to(opening, hearers, to, first, subject)
    for number, line in enumerate(lines):
        if not line.text or line.text.isspace():
            continue
        if line.part == "own":
            spoken_to = _turns_to(line.text, hearers, first) or spoken_to
            for passage in _own(line.text, author, spoken_to, said_at, own, ends=number == last, alone=len(lines) == 1):
                yield passage._replace(hearers=hearers)
        elif line.part == "boilerplate":
            yield TextPassage(author, to, said_at, "boilerplate", line.text)
        else:
            # Under another name of somebody in the header it is still them.
            writer = line.author if line.author.address else names.match(line.author.name, around) or line.author
            yield TextPassage(writer, (), line.day, line.part, line.text)


def _turns_to(line: str, hearers: tuple[Person, ...], first: tuple[Person, ...]) -> tuple[Person, ...]:
    """The one of several whom a line of its own calls, to speak to: "Cat:"."""
    called = salutations.greeted(line, hearers, first) if len(hearers) > 1 and _CALL.fullmatch(line) else ()
    return called if len(called) == 1 else ()


_CALL: Final = re.compile(r"\s*(?:[A-Z][\w'\u2019-]+ ?){1,2}[:,]\s*")


def _without_respond_to(lines: list[mailtext.MailLine]) -> list[mailtext.MailLine]:
    """Without what a mail program left in front of the text: "Please respond to", and maybe the greeting behind it."""
    number = next((n for n, line in enumerate(lines) if line.text.strip()), -1)
    left = mailwords.LEFT_RESPOND_TO.fullmatch(lines[number].text) if number >= 0 else None
    if left is None:
        return lines
    return [*lines[:number], lines[number]._replace(text=left["greeting"] or ""), *lines[number + 1 :]]


def _spoken_to(
    opening: str, hearers: tuple[Person, ...], to: tuple[Person, ...], first: tuple[Person, ...], subject: str
) -> tuple[Person, ...]:
    """Whom a message speaks to: whom its first line greets, or, in an answer that many get, whom it answers."""
    greeted = salutations.greeted(opening, hearers, first) if opening and len(hearers) > 1 else hearers
    if greeted != hearers:
        return greeted
    # Programs put whoever is answered in front of all others who get the answer.
    is_answer = len(hearers) > _CROWD and mailwords.REPLY_SUBJECT.match(subject) is not None
    return first[:1] if is_answer and first else to


def is_direct(thread: str) -> bool:
    """Whether a conversation (``thread``) is one of a messenger."""
    return thread.partition(":")[0] in DIRECT


def is_chat(thread: str) -> bool:
    """Whether a conversation (``thread``) is one of a messenger or of a room, and no mail."""
    channel, colon, _ = thread.partition(":")
    return bool(colon) and channel not in MAIL


def subject(data: Mapping[str, Any]) -> str:
    """The subject of a mail, wherever the app keeps it; "" for none."""
    parsed = data.get("parse_result")
    value = parsed.get("subject") or parsed.get("Subject") if isinstance(parsed, Mapping) else None
    for other in (value, data.get("title")):
        if isinstance(other, str) and other.strip():
            return other[:400]
    return ""


def recipients(parsed: object, headers: Sequence[str] = _RECIPIENTS) -> tuple[Person, ...]:
    """Everybody to whom a message went, as its parse result or these headers of it tell."""
    if not isinstance(parsed, Mapping):
        return ()
    people: list[Person] = []
    for holder in (parsed, parsed.get("headers")):
        if isinstance(holder, Mapping):
            for key, value in holder.items():
                if str(key).casefold() in headers:
                    people += names.people(value)
    return names.distinct(people)


def thread(item: Item) -> str:
    """Channel and thread id; for a talk without threads, channel and the other side."""
    data = item.data
    channel = fields.text(data, "channel").strip().casefold()
    ident = fields.text(data, "thread_id").strip()
    if ident:
        return f"{channel}:{ident}"
    if channel in DIRECT:
        other = names.person(
            data.get("sender_name") or data.get("recipient_name"),
            data.get("sender_address") or data.get("recipient_address"),
        )
        if other.address or other.name:
            return f"{channel}:with:{other.address or names.fold(other.name)}"
    return ""


def people(item: Item) -> tuple[Person, ...]:
    """Sender or recipients of a message, as its header names them."""
    data = item.data
    sides = [
        names.person(data.get("sender_name"), data.get("sender_address")),
        names.person(data.get("recipient_name"), data.get("recipient_address")),
        *recipients(data.get("parse_result")),
        *names.people(data.get("recipients")),
    ]
    return names.distinct(sides)


def text(data: Mapping[str, Any], name: str) -> str:
    """A field in the letters of its page."""
    value = data.get(name)
    return md.clean(fields.shown(data, name)) if isinstance(value, str) else ""


def _own_text(lines: Sequence[mailtext.MailLine], body: str) -> str:
    if len(lines) == 1:
        return body
    return "\n".join(line.text for line in lines if line.part in ("own", "boilerplate"))


def _own(
    line: str, author: Person, to: tuple[Person, ...], said_at: str, kind: TextKind, *, ends: bool, alone: bool
) -> Iterator[TextPassage]:
    """A line of the sender's; at the end of a message "Best, Noor" or "Noor" behind the last sentence is no word."""
    if ends and kind == "written":
        parts = list(sentences(line))
        closing = parts[-1] if len(parts) > 1 or not alone else ""
        if closing and _closes(closing, author) and line.rstrip().endswith(closing):
            rest = line.rstrip()[: -len(closing)]
            if rest.strip():
                yield TextPassage(author, to, said_at, kind, rest)
            yield TextPassage(author, to, said_at, "boilerplate", closing)
            return
    yield TextPassage(author, to, said_at, kind, line)


def _closes(sentence: str, author: Person) -> bool:
    if len(sentence) > 60:
        return False
    if mailwords.CLOSING_AND_NAME.fullmatch(sentence):
        return True
    bare = sentence.strip(" .,!-\u2013\u2014")
    return bool(author.name) and names.match(bare, [author]) is not None
