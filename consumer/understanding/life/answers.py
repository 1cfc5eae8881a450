"""What answers say about loops: that they are accepted, declined, delivered, received or released."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from consumer.understanding import contacts, deeds
from consumer.understanding.life.entries import LifeEntry, compatible, identical, may_be, telling
from consumer.understanding.life.loops import FoldedLoop, FoldedLoops, asks_to_know, is_told_at_once
from consumer.understanding.people import USER, Directory, PersonId
from consumer.understanding.statements import Answer
from consumer.understanding.threads import ThreadMessage, Threads


@dataclass(slots=True)
class Answers:
    """Settles loops by what people say of them later."""

    people: Directory
    threads: Threads
    loops: FoldedLoops

    def answer(self, entry: LifeEntry, answer: Answer) -> None:
        by = self.people.who(answer.by, entry.talk)
        if by is None:
            return
        to = (self.people.all_of(answer.to, entry.talk) or self.people.all_of(entry.addressees, entry.talk)) - {by}
        settle = {
            "accepted": self._accepted,
            "declined": self._declined,
            "delivered": self._delivered,
            "received": self._received,
            "released": self._released,
        }[answer.verdict]
        settle(entry, answer.object, by, to)

    def _accepted(self, entry: LifeEntry, object_: str, by: PersonId, to: frozenset[PersonId]) -> None:
        def asked(loop: FoldedLoop) -> bool:
            wanted = loop.wanted is not None and loop.owner == by
            if not wanted and (loop.kind != "request" or by not in loop.asked):
                return False
            # "Sure" accepts nothing if the question only asks for information.
            return bool(object_) or (self._is_next(loop, entry) and not asks_to_know(loop))

        for loop in self._settled(entry, object_, asked, to, [by]):
            self.loops.accept(loop, entry, by, entry.statement.due if isinstance(entry.statement, Answer) else None)
            if "tells" in entry.reading.turn and is_told_at_once(loop):
                loop.close("delivered", entry)  # "All right. It is Becka.", to "give me the name"

    def _is_next(self, loop: FoldedLoop, entry: LifeEntry) -> bool:
        """Whether "sure" can answer this. In a chat, not if it was answered before or a later question follows it."""
        between = self.threads.between(entry.talk, loop.newest.place[:3], entry.place[:3])
        by = self.people.who(entry.author, entry.talk)

        def comes_between(message: ThreadMessage) -> bool:
            # The asker may add words, the person asked may ask back, and everybody may say "oh".
            if "parts" in message.turn:
                return False
            asks = "asks" in message.turn
            return asks if message.author in loop.beneficiaries else not (asks and message.author == by)

        return not any(map(comes_between, between))

    def _declined(self, entry: LifeEntry, object_: str, by: PersonId, to: frozenset[PersonId]) -> None:
        for loop in self._settled(entry, object_, _done_by(by), to, [by]):
            loop.close("withdrawn", entry)

    def _delivered(self, entry: LifeEntry, object_: str, by: PersonId, to: frozenset[PersonId]) -> None:
        settled = self._settled(entry, object_, _done_by(by), to, [by])
        if not settled and by == USER and not to and object_:
            settled = self._done_as_told(entry, object_)
        for loop in settled:
            loop.close("delivered", entry)

    def _done_as_told(self, entry: LifeEntry, object_: str) -> list[FoldedLoop]:
        """Loops that the user calls done in a note or to the assistant: those with the same object, or with a similar
        one for somebody whom the words name. If several similar ones fit, none, since it is not clear which is meant.
        """
        quoted = " ".join(quote.text for quote in entry.statement.quotes).casefold()

        def is_named(loop: FoldedLoop) -> bool:
            names = (self.people.known(who).name.casefold().split()[:1] for who in loop.served)
            return any(name and name[0] in quoted for name in names)

        several = [
            loop
            for loop in self.loops.about(USER, object_, entry)
            if loop.kind != "task"
            and _done_by(USER)(loop)
            and entry.after(loop.newest)
            and deeds.is_same(entry.quoted, [each.quoted for each in loop.entries])
            and not self._is_to_another(entry, object_, loop)
        ]
        same = [loop for loop in several if identical(object_, loop.object, entry)]
        fitting = same or [loop for loop in several if is_named(loop) and compatible(object_, loop.object, entry)]
        if len(fitting) > 1:
            fitting = [loop for loop in fitting if is_named(loop)]
        return fitting if len(fitting) == 1 else []

    def _is_to_another(self, entry: LifeEntry, object_: str, loop: FoldedLoop) -> bool:
        """Whether "I sent Bob the deck" names somebody other than those to whom the loop is owed."""
        own = {name for who in loop.served for name in self.people.known(who).name.casefold().split()}
        in_object = object_.casefold().split()
        for match in _CAPITAL.finditer(entry.quoted):
            name = match["name"].casefold()
            is_name = match["to"] or self.people.carriers(match["name"])
            if is_name and name not in own and name not in in_object:
                return True
        return False

    def _received(self, entry: LifeEntry, object_: str, by: PersonId, to: frozenset[PersonId]) -> None:
        if contacts.names_call(object_):
            for loop in self._calls_made(entry, by, to):
                loop.close("delivered", entry)
        # "Got it, thanks" after a promise only confirms hearing it: a delivery needs a named object.
        elif object_:
            for loop in self._settled(entry, object_, _owed_to(by, to), frozenset({by}), sorted(to)):
                loop.close("delivered", entry)

    def _calls_made(self, entry: LifeEntry, by: PersonId, to: frozenset[PersonId]) -> list[FoldedLoop]:
        """The calls that were due when somebody gives thanks for one, in whichever conversation it was promised."""
        return [
            loop
            for loop in self.loops.all
            if loop.active
            and loop.kind == "commitment"
            and contacts.is_call(loop.object, loop.lead.quoted)
            and _owed_to(by, to)(loop)
            and entry.after(loop.newest)
            and (loop.due is None or loop.due.day <= entry.moment.day)
        ]

    def _released(self, entry: LifeEntry, object_: str, by: PersonId, to: frozenset[PersonId]) -> None:
        for loop in self._settled(entry, object_, _owed_to(by, to), frozenset({by}), sorted(to)):
            loop.close("withdrawn", entry)

    def _settled(
        self,
        entry: LifeEntry,
        object_: str,
        fits: Callable[[FoldedLoop], bool],
        to: frozenset[PersonId],
        owners: Sequence[PersonId],
    ) -> list[FoldedLoop]:
        """The loops that an answer is about; ``owners``: the owners that they may have.

        In the same conversation, a compatible object is enough if only one loop has it. An answer without an object is
        about what was said just before, if that is one thing. Elsewhere, the object must be identical, and both must
        share a person. Only its own state closes a task.
        """

        def earlier(several: Iterable[FoldedLoop]) -> list[FoldedLoop]:
            return [
                loop
                for loop in several
                if loop.active and loop.kind != "task" and fits(loop) and entry.after(loop.newest)
            ]

        here = list(dict.fromkeys(earlier(self.loops.in_talk(entry))))
        if not object_:
            # If one message promises two things, it is not clear which of them is meant.
            last = max((loop.newest.place[:3] for loop in here), default=None)
            here = [loop for loop in here if loop.newest.place[:3] == last]
            return here if len(here) == 1 else []
        same = [loop for loop in here if identical(object_, loop.object, telling(entry, loop.lead))]
        alike = same or [loop for loop in here if may_be(object_, loop.object, entry, loop.lead)]
        settled = alike if same or len(alike) == 1 else []
        for owner in owners:
            about = self.loops.about(owner, object_, entry)
            shared = [loop for loop in about if loop.served & to and loop not in alike]
            settled += [loop for loop in earlier(shared) if identical(object_, loop.object, entry)]
        return list(dict.fromkeys(settled))


#: A word with a capital inside of a sentence, and "to" before it.
_CAPITAL: Final = re.compile(
    r"(?<=\s)(?:(?P<to>to|an|à|a|al|aan|para|sent|gave|handed|emailed) )?(?P<name>[^\W\d_a-zà-öø-ÿ][\w-]+)"
)


def _done_by(who: PersonId) -> Callable[[FoldedLoop], bool]:
    return lambda loop: loop.owner == who or who in loop.asked


def _owed_to(who: PersonId, by: frozenset[PersonId]) -> Callable[[FoldedLoop], bool]:
    return lambda loop: who in loop.served and (loop.owner in by or bool(loop.asked & by))
