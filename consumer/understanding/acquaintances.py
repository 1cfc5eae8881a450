"""Whom the user is in touch with, and which mail of other people is still meant for the user.

Announcements, newsletters and form letters ask and promise as people do. They differ from mail that is meant for the
user in that the user has nothing to do with their sender.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from consumer.understanding.people import PROFILES, USER, Directory, PersonId, conversation, fold_name
from consumer.understanding.reading import names, salutations
from consumer.understanding.reading.messages import INBOUND, OUTBOUND, is_chat
from consumer.understanding.statements import Reading
from consumer.understanding.utterances import Person

#: A user who has sent fewer mails may write to people elsewhere, so their mail does not show whom they know.
MAILS_SENT: Final = 20
#: A longer mail (in sentences) from a stranger that does not greet the user by name is a form letter.
BRIEF: Final = 6
_LINK: Final = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
_GREETS: Final = "greets:"


def turn(written: Sequence[str]) -> str:
    """Signs of whom a mail is meant for (``Reading.turn``): the name after "greets:", and "brief" if it is short."""
    name = salutations.name_greeted(written[0])
    is_brief = len(written) <= BRIEF and not any(map(_LINK.search, written))
    return " ".join([f"{_GREETS}{name}"] * bool(name) + ["brief"] * is_brief)


class Acquaintances:
    """Whom the user has written to or met, and in which conversations."""

    def __init__(self, readings: Iterable[Reading], people: Directory) -> None:
        self._people = people
        self._own = people.known(USER).name
        self._talks: set[str] = set()
        self._known: set[PersonId] = {USER}
        self._writers: set[PersonId | None] = set()
        mails = 0
        for reading in readings:
            if reading.source == INBOUND and reading.people:
                self._writers.add(people.who(reading.people[0], conversation(reading)))
            if reading.source in (INBOUND, PROFILES):
                continue
            self._known |= people.all_of(reading.people, conversation(reading))
            if reading.source == OUTBOUND:
                self._talks.add(reading.thread)
                mails += not is_chat(reading.thread)
        self._tells = mails >= MAILS_SENT

    def is_meant(self, reading: Reading) -> bool:
        """Whether a record is meant for the user.

        A mail is if it greets the user. It also is if its sender is known, if the user wrote in its conversation, or if
        it is brief and for the user alone, unless all its recipients are other people. Other records always are.
        """
        if reading.source != INBOUND or is_chat(reading.thread) or not self._tells or not reading.people:
            return True
        if self._is_greeted(reading):
            return True
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

    def _is_greeted(self, reading: Reading) -> bool:
        name = next((word.removeprefix(_GREETS) for word in reading.turn.split() if word.startswith(_GREETS)), "")
        if not name or not self._own:
            return bool(name)
        return fold_name(name) in fold_name(self._own).split() or names.nicknamed(name, [Person(self._own)]) is not None
