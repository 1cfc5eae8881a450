"""An utterance: one person's words in one kind of text, as the reading step finds them in a record."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

#: ``spoken`` and ``written`` can commit somebody. ``quoted`` repeats what another record holds; ``forwarded`` is shown
#: to the addressees and belongs to its first author; ``generated`` was written by an assistant or never sent;
#: ``machine`` was sent to many or by nobody; ``boilerplate`` is a signature, a disclaimer, a footer.
TextKind = Literal["spoken", "written", "quoted", "forwarded", "generated", "machine", "boilerplate"]
#: The kinds of text that can make a commitment, a request, a decision, a fact, and name a person.
COMMITTING: Final[frozenset[TextKind]] = frozenset({"spoken", "written"})


class Person(NamedTuple):
    """Somebody as one record names them. Who that is, across records, is decided by the fold (``people``).

    ``address``: an e-mail address in lower case, a phone number in E.164 form, or "" where the record gives none.
    ``name``: as written, "" for none. Both "" is nobody known: see UNKNOWN.
    """

    name: str = ""
    address: str = ""


#: The user themself, where the record's own form says so: an outgoing message, a chat's role ``user``.
ME: Final = Person("", "me")
#: Whoever is not the user, as recorders label voices from the other end: one person where a conversation has only one
#: other (``people.Directory.who``), else nobody known.
THEM: Final = Person("", "them")
#: Somebody spoke, and the record does not say who.
UNKNOWN: Final = Person()


class Utterance(NamedTuple):
    """``number`` counts within its record, in the order of the text.

    ``said_at`` is its own time on the user's clock: ``2026-11-27 09:03 -05:00``, a day alone, or "".
    ``text`` is visible text, and a piece of it can be quoted: it stands on the record's page in the same letters.
    """

    number: int
    author: Person
    addressees: tuple[Person, ...]
    said_at: str
    kind: TextKind
    text: str
    #: ISO 639-1 of the language that it is written in, "" where that cannot be told.
    language: str = ""

    @property
    def day(self) -> str:
        """The user's day on which it was said, ``2026-11-27``; "" for none."""
        return self.said_at[:10]


class RecordText(NamedTuple):
    """A record as utterances, with what ties it to others."""

    source: str
    record_id: str
    #: Conversation that it belongs to, e.g. channel and thread id; "" for none. Equal texts are one conversation.
    thread: str
    utterances: tuple[Utterance, ...]
    #: Everybody that its header names: sender, recipients, attendees. Identities are learned from these.
    people: tuple[Person, ...] = ()
    #: The user as this record's own form names them: the profile, the sender of an outgoing message.
    own: tuple[Person, ...] = ()
