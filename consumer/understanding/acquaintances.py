"""Whom the user is in touch with, and which mail of other people is still meant for the user.

Announcements, newsletters and form letters ask and promise as people do. They differ from mail that is meant for the
user in that the user has nothing to do with their sender.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from consumer.understanding.people import PROFILES, USER, Directory, PersonId, conversation, fold_name
from consumer.understanding.reading import names, salutations
from consumer.understanding.reading.messages import INBOUND, OUTBOUND, is_chat
from consumer.understanding.reading.tables import word_set
from consumer.understanding.statements import Reading
from consumer.understanding.utterances import Person

#: A user who has sent fewer mails may write to people elsewhere, so their mail does not show whom they know.
MAILS_SENT: Final = 20
#: A longer mail (in sentences) from a stranger that does not greet the user by name is a form letter.
BRIEF: Final = 6
_LINK: Final = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
#: Of a mail to the user: a name that it surely greets, and a word before a comma that may be one.
_GREETS, _CALLS = "greets:", "calls:"
#: Of a mail of the user's: the name below it.
_SIGNS: Final = "signs:"
#: People of a mail to the user alone.
_SENDER_AND_USER: Final = 2
#: So many people call the user by a name, or so many of the user's mails have it below, if it is theirs.
_USUAL: Final = 2


def turn(written: Sequence[str]) -> str:
    """Signs of whom a mail is for (``Reading.turn``): the names that it begins with, and "brief" if it is short."""
    mark = _GREETS if salutations.is_salutation(written[0]) else _CALLS
    is_brief = len(written) <= BRIEF and not any(map(_LINK.search, written))
    return " ".join([mark + name for name in salutations.names_begun_with(written[0])] + ["brief"] * is_brief)


def signature(lines: Sequence[str]) -> str:
    """The sign of how the user is called (``Reading.turn``): the name below a mail of theirs, of its lines in order."""
    below = [match[1] for line in lines[-SIGNED:] if (match := _BELOW.fullmatch(line))]
    names_below = [word for word in below if word.casefold() not in _CLOSINGS]
    return f"{_SIGNS}{names_below[-1]}" if names_below else ""


#: What a mail may end with instead of a name.
_CLOSINGS: Final = word_set(
    "thanks thx cheers best regards sincerely bye love xoxo danke gruß grüße lg vg mfg merci cordialement bises "
    "gracias saludos abrazos obrigado obrigada abraço grazie saluti ciao bedankt groeten groetjes"
)
#: The name stands on one of the last lines, above a title and numbers.
SIGNED: Final = 4
#: "Bob", "- Bob", "Best regards, Bob".
_BELOW: Final = re.compile(r"(?:[^\n,]{0,30},)?[\s-]*([^\W\d_]{2,20})[\s,.!-]*")


def _marked(reading: Reading, mark: str) -> list[str]:
    """The folded words behind this mark in a record's signs."""
    return [fold_name(word.removeprefix(mark)) for word in reading.turn.split() if word.startswith(mark)]


class Acquaintances:
    """Whom the user has written to or met, and in which conversations."""

    def __init__(self, readings: Iterable[Reading], people: Directory) -> None:
        self._people = people
        self._own = people.known(USER).name
        self._talks: set[str] = set()
        self._known: set[PersonId] = {USER}
        self._writers: set[PersonId | None] = set()
        called, signed = defaultdict[str, set[Person]](set), Counter[str]()
        mails = 0
        for reading in readings:
            if reading.source == INBOUND and reading.people:
                self._writers.add(people.who(reading.people[0], conversation(reading)))
                for name in _marked(reading, _GREETS) if len(reading.people) <= _SENDER_AND_USER else ():
                    called[name].add(reading.people[0])
            if reading.source in (INBOUND, PROFILES):
                continue
            self._known |= people.all_of(reading.people, conversation(reading))
            if reading.source == OUTBOUND:
                self._talks.add(reading.thread)
                mails += not is_chat(reading.thread)
                signed.update(_marked(reading, _SIGNS))
        self._tells = mails >= MAILS_SENT
        self._usual = {name for name, callers in called.items() if len(callers) >= _USUAL}
        self._usual |= {name for name, count in signed.items() if count >= _USUAL}

    def is_meant(self, reading: Reading) -> bool:
        """Whether a record is meant for the user.

        A mail is if it greets the user, and is not if it greets somebody else. It also is if its sender is known, if
        the user wrote in its conversation, or if it is brief and for the user alone, unless all its recipients are
        other people. Other records always are.
        """
        if reading.source != INBOUND or is_chat(reading.thread) or not self._tells or not reading.people:
            return True
        begins_with = [*_marked(reading, _GREETS), *_marked(reading, _CALLS)]
        if any(map(self._is_own, begins_with)):
            return True
        if any(map(self._is_anothers, _marked(reading, _GREETS))):
            return False
        sender, *others = (self._people.who(person, reading.thread) for person in reading.people)
        if others and all(map(self._is_other, others, reading.people[1:])):
            return False
        return (
            sender in self._known
            or (reading.thread != "" and reading.thread in self._talks)
            or ("brief" in reading.turn.split() and all(who == USER for who in others))
        )

    def _is_other(self, who: PersonId | None, person: Person) -> bool:
        """Whether a recipient is surely not the user under another address, nor a desk of theirs."""
        if who in (None, USER) or self._people.is_nobody(who):
            return False
        own, words = fold_name(self._own).split(), fold_name(person.name).split()
        is_named = len(words) > 1 and bool(own) and set(own).isdisjoint(words)
        return is_named or (who in self._known and who in self._writers)

    def _is_own(self, name: str) -> bool:
        if not self._own or name in self._usual:
            return True
        return name in fold_name(self._own).split() or names.nicknamed(name, [Person(self._own)]) is not None

    def _is_anothers(self, name: str) -> bool:
        """Whether a name that is not the user's can be compared with theirs: it may be the same in another script."""
        return name.isascii() == fold_name(self._own).isascii()
