"""What opens loops: recorded tasks, promises and requests, each joined with what it repeats, answers or moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from consumer.understanding import contacts, deeds, languages, objects, signs
from consumer.understanding.life.entries import LifeEntry, cites, compatible, days_between, identical, may_be
from consumer.understanding.life.loops import FoldedLoop, FoldedLoops, asks_to_know
from consumer.understanding.memory import Change
from consumer.understanding.people import USER, Directory, PersonId
from consumer.understanding.reading import names as spelled
from consumer.understanding.reading.messages import OUTBOUND, is_chat, is_direct
from consumer.understanding.statements import Answer, Commitment, Due, Request, Task
from consumer.understanding.text import tokens
from consumer.understanding.threads import Threads, is_called
from consumer.understanding.utterances import Person

#: A closed recorded task covers promises of the same object made up to this many days after it.
TASK_DAYS: Final = 14
#: Sources whose tasks are the user's own if no owner is recorded.
_OWN_TASKS: Final = "checklist"
#: "Rosa, could you", "Rosa - please", "Rosa will you".
_CALL: Final = re.compile(
    r"\W*(?:(?:hi|hey|hello|dear|ok|okay|hallo|liebe[rs]?|salut|bonjour|hola|ciao)\s+)?(?P<name>[^\W\d_][\w'\u2019-]+)"
    r"(?:\s*[,:]\s|\s*[-\u2013\u2014]+\s|\s+(?=(?:please|bitte|(?:can|could|will|would)\s+you|(?:kannst|könntest)\s+du)\b))",
    re.IGNORECASE,
)


class _Receivers(NamedTuple):
    """To whom something is promised, and who else gets it."""

    promised: frozenset[PersonId]
    gets: frozenset[PersonId] = frozenset()

    @property
    def served(self) -> frozenset[PersonId]:
        """All for whom it is done."""
        return self.promised | self.gets


@dataclass(slots=True)
class Opening:
    """Opens loops in the order in which they were said, and adds a promise's new day to ``changes``."""

    people: Directory
    threads: Threads
    loops: FoldedLoops
    changes: list[Change]
    #: Whether the user is called by a name.
    is_users: Callable[[str], bool]

    def task(self, entry: LifeEntry, task: Task) -> None:
        owner = self.people.who(task.owner, entry.talk)
        if owner is None and entry.reading.source.startswith(_OWN_TASKS):
            owner = USER
        others = self.people.all_of(task.people, entry.talk) - {owner or ""}
        loop = FoldedLoop(entry, "task", task.title, owner, frozenset(), others, task.due)
        self.loops.open(loop)
        if task.state != "open":
            loop.close("delivered" if task.state == "done" else "withdrawn", entry)

    def commitment(self, entry: LifeEntry, made: Commitment) -> None:
        owner = self.people.who(made.owner, entry.talk)
        if owner is None or self._is_to_self(entry, made):
            return
        if made.tentative and (self._answers_request(entry, owner) or not self._is_taken(entry, owner, signs.TAKES)):
            return
        receivers = self._receivers(entry, made, owner)
        served = receivers.served
        meant = self._meant(entry, owner, served) if objects.is_pronoun(made.object) else None
        if meant:
            made = replace(made, object=meant.object)
        elif is_chat(entry.talk) and objects.is_pronoun(made.object) and not deeds.hands_over(entry.quoted):
            return  # "I'll watch it tomorrow"; who reads "I'll bring it tomorrow" knows what
        accepted = meant if meant and meant.kind == "request" else self._requested(entry, made, owner, served)
        joins = self._joins_task(entry, made, owner, served)
        if accepted is not None:
            if joins:
                self.loops.forget(accepted)
            else:
                self.loops.accept(accepted, entry, owner, made.due, made.object)
        elif not joins:
            self._promised(entry, made, owner, receivers, meant)

    def _is_taken(self, entry: LifeEntry, author: PersonId, sign: str) -> bool:
        return self.threads.taker(entry.talk, entry.place[:3], author, sign) is not None

    def _answers_request(self, entry: LifeEntry, owner: PersonId) -> bool:
        """Whether the message accepts a request, so that what it offers is no promise of its own."""
        accepts = any(isinstance(each, Answer) and each.verdict == "accepted" for each in entry.reading.statements)
        return accepts and any(
            loop.newest.reading is entry.reading or (loop.kind == "request" and owner in loop.asked)
            for loop in self.loops.in_talk(entry)
        )

    def moved(self, entry: LifeEntry, answer: Answer) -> None:
        """A new day for what its author owes those they write to, if that is one thing of this conversation, or a later
        one for what these owe the author.
        """
        by = self.people.who(answer.by, entry.talk)
        to = self.people.all_of(answer.to, entry.talk)
        due = answer.due
        if by is None or due is None:
            return
        several = [
            loop
            for loop in dict.fromkeys(self.loops.in_talk(entry))
            if loop.kind != "task"
            and loop.due is not None
            and entry.after(loop.newest)
            and (not answer.object or may_be(answer.object, loop.object, entry, loop.lead))
        ]
        owed = [
            loop
            for loop in several
            if (by in loop.asked or (loop.kind == "commitment" and loop.owner == by)) and loop.beneficiaries & to
        ]
        if meant := _last_one(owed):
            before = meant.due if meant.kind == "commitment" else None
            self.loops.accept(meant, entry, by, due)
            self._redated(before, meant.entries[-2], meant, entry)
        elif answer.object:
            awaited = [
                loop
                for loop in several
                if by in loop.beneficiaries
                and (loop.owner in to or loop.asked & to)
                and loop.due
                and loop.due.day < due.day
            ]
            if meant := _last_one(awaited):
                before, meant.due = meant.due, due
                meant.add(entry)
                self._redated(before, meant.entries[-2], meant, entry)

    def _is_to_self(self, entry: LifeEntry, made: Commitment) -> bool:
        """Whether it stands in a mail that the user sent to themself, and is no note with a day: what it says to a
        reader is misdirected.
        """
        if entry.reading.source != OUTBOUND or not entry.addressees or is_chat(entry.talk):
            return False
        if self.people.all_of(entry.addressees, entry.talk) != {USER}:
            return False
        known = languages.get(entry.language or "en")
        spoken = {token.word for token in tokens(entry.quoted.casefold())}
        return made.due is None or known is None or not known.you.isdisjoint(spoken)

    def _promised(
        self,
        entry: LifeEntry,
        made: Commitment,
        owner: PersonId,
        receivers: _Receivers,
        meant: FoldedLoop | None,
    ) -> None:
        beneficiaries, gets = receivers
        before = meant or self._same_promise(entry, made, owner, receivers.served)
        if before is not None and (made.due is None or before.due is None or made.due.day == before.due.day):
            before.add(entry)
            self.loops.speaks(entry, before)
            before.due = before.due or made.due
            before.beneficiaries |= beneficiaries
            before.gets |= gets
            return
        none = frozenset[PersonId]()
        loop = FoldedLoop(entry, "commitment", made.object, owner, none, beneficiaries, made.due, made.condition, gets)
        self.loops.open(loop)
        if before is not None:
            before.close("superseded", entry)
            loop.supersedes.extend((*before.supersedes, before.lead))
            self._redated(before.due, before.newest, loop, entry)

    def _meant(self, entry: LifeEntry, owner: PersonId, beneficiaries: frozenset[PersonId]) -> FoldedLoop | None:
        """What "it" is in "I'll send it on Monday": what this person was last asked for or promised in the
        conversation, if that is one thing.
        """
        several = [
            loop
            for loop in dict.fromkeys(self.loops.in_talk(entry))
            if loop.kind != "task"
            and (owner in loop.asked or (loop.kind == "commitment" and loop.owner == owner))
            and loop.beneficiaries & beneficiaries
            and entry.after(loop.newest)
            and not deeds.is_talk(entry.quoted, loop.lead.quoted)
            and not (contacts.is_contact(loop.object) or contacts.is_answer(loop.object) or asks_to_know(loop))
        ]
        return _last_one(several)

    def _receivers(self, entry: LifeEntry, made: Commitment, owner: PersonId) -> _Receivers:
        """To whom a promise is, and who gets the thing by name.

        The user promises it to whom they write, whoever gets it. Others may only report it ("I'll send Tom the plan"):
        they promise it to whom they name.
        """
        written_to = self.people.all_of(entry.addressees, entry.talk) - {owner}
        first, *others = made.beneficiaries or entry.addressees or (None,)
        if first and not first.address and others and {*others} <= {*entry.addressees} and _names(entry, first):
            known = self.people.all_of((first,), entry.talk) - {owner}
            here = self.people.all_of(entry.reading.people, entry.talk)
            # A name that nobody known has may be a place.
            gets = frozenset(who for who in known if who in here or self.people.known(who).addresses)
            return _Receivers(written_to, gets) if owner == USER or not gets else _Receivers(gets)
        return _Receivers(self._promised_to(entry, made, written_to) - {owner})

    def _promised_to(self, entry: LifeEntry, made: Commitment, written_to: frozenset[PersonId]) -> frozenset[PersonId]:
        """The people named, else those addressed; in a group, the person called or answered."""
        named = self.people.all_of(made.beneficiaries, entry.talk) or written_to
        if made.beneficiaries not in ((), entry.addressees):
            return named
        if not self.threads.is_group(entry.talk):
            names = ((who, self.people.known(who).name) for who in written_to) if len(written_to) > 1 else ()
            return frozenset(who for who, name in names if is_called(name, entry.quoted, asks=False)) or named
        if called := self._called(entry, asks=False):
            return called
        author = self.people.who(entry.author, entry.talk) or ""
        if made.tentative and (taker := self.threads.taker(entry.talk, entry.place[:3], author, signs.TAKES)):
            return frozenset({taker})
        answered = self.threads.answered(entry.talk, entry.place[:3], author)
        return frozenset({answered} if answered else ())

    def _called(self, entry: LifeEntry, *, asks: bool) -> frozenset[PersonId]:
        """Who in a group is called by name."""
        members = self.threads.members(entry.talk) - {self.people.who(entry.author, entry.talk)}
        return frozenset(who for who in members if is_called(self.people.known(who).name, entry.quoted, asks=asks))

    def _asked(self, entry: LifeEntry, made: Request) -> frozenset[PersonId]:
        """Whom a request asks. In a group, all who read it, unless it calls somebody by name."""
        to_all = made.asked in ((), entry.addressees)
        named = self.people.all_of(made.asked, entry.talk) or self.people.all_of(entry.addressees, entry.talk)
        if not to_all:
            called = made.asked[0]
            return frozenset({USER}) if not called.address and self.is_users(called.name) else named
        if self.threads.is_group(entry.talk):
            return self._called(entry, asks=True) or self.threads.members(entry.talk)
        return self._called_elsewhere(entry, named)

    def _called_elsewhere(self, entry: LifeEntry, read_by: frozenset[PersonId]) -> frozenset[PersonId]:
        """Whom "Rosa, could you ..." asks in a message that is not to Rosa: the only Rosa known, or nobody if there are
        several.
        """
        call = _CALL.match(entry.quoted)
        others = self.people.carriers(call["name"]) if call and call["name"][0].isupper() else frozenset()
        known = [Person(self.people.known(who).name) for who in sorted(read_by)]
        if call is None or not others or others & read_by or spelled.nicknamed(call["name"], known):
            return read_by
        return others if len(others) == 1 else frozenset()

    def _redated(self, due: Due | None, before: LifeEntry, after: FoldedLoop, entry: LifeEntry) -> None:
        if due and after.due and due.day != after.due.day:
            self.changes.append(
                Change(
                    id=entry.id,
                    kind="due",
                    subject=after.object,
                    attribute="due",
                    before=due.day,
                    after=after.due.day,
                    at=entry.said_at,
                    who=after.owner,
                    evidence=(*cites(before, self.people), *cites(entry, self.people)),
                )
            )

    def _joins_task(
        self, entry: LifeEntry, made: Commitment | Request, owner: PersonId, others: frozenset[PersonId]
    ) -> bool:
        """Join a promise or request to the recorded task that covers it. Only the task is reported; its state counts.

        A closed task still covers promises, since they may be older than its last change. A request after it is new.
        """
        promised = isinstance(made, Commitment)
        fitting = [
            loop
            for loop in self.loops.tasks(owner, made.object, entry)
            if self._same_task(made, loop, entry, others)
            and _same_day(made.due, loop.due)
            and (loop.active or (promised and days_between(loop.lead.moment, entry.moment) <= TASK_DAYS))
        ]
        if not fitting:
            return False
        best = min(fitting, key=lambda loop: (not loop.active, loop.lead.id))
        best.add(entry)
        best.due = best.due or made.due
        return True

    def _same_task(
        self, made: Commitment | Request, loop: FoldedLoop, entry: LifeEntry, others: frozenset[PersonId]
    ) -> bool:
        """Whether a task is to do this: it has the same object, or the statement has all words of its title.

        Names of those who get it need not be: in "Send the report to Bob" as in "I'll send you the report" Bob gets it.
        """
        if identical(made.object, loop.object, entry):
            return True
        if not compatible(made.object, loop.object, entry):
            return False
        getting = [self.people.known(who).name for who in sorted(others & loop.served)]
        texts = (made.object, *(quote.text for quote in made.quotes), *getting)
        words = frozenset().union(*(objects.telling(text, entry.language) for text in texts))
        return objects.telling(loop.object, entry.language) <= words

    def _requested(
        self, entry: LifeEntry, made: Commitment, owner: PersonId, beneficiaries: frozenset[PersonId]
    ) -> FoldedLoop | None:
        """The request that a promise answers: for the same object, to its author, and from the person promised."""
        for loop in reversed(self.loops.about(owner, made.object, entry)):
            if loop.kind != "request" or not loop.active or owner not in loop.asked or not entry.after(loop.newest):
                continue
            if entry.talk in loop.talks and compatible(made.object, loop.object, entry):
                return loop
            if loop.beneficiaries & beneficiaries and identical(made.object, loop.object, entry):
                return loop
        return None

    def _same_promise(
        self, entry: LifeEntry, made: Commitment, owner: PersonId, served: frozenset[PersonId]
    ) -> FoldedLoop | None:
        is_ring = contacts.is_contact(made.object) and contacts.is_call(made.object, entry.quoted)
        if is_ring and (call := self._call_of(entry, owner, served)):
            return call
        for loop in reversed(self.loops.about(owner, made.object, entry)):
            if loop.kind != "commitment" or not loop.active or loop.owner != owner:
                continue
            near = bool(loop.served & served) or not (loop.served and served)
            # "I'll call you" in two conversations is two calls, unless both are on one day.
            is_call = contacts.is_answer(made.object) or contacts.is_contact(made.object)
            on_one_day = made.due is not None and loop.due is not None and made.due.day == loop.due.day
            elsewhere = near and (on_one_day or not is_call)
            if (entry.talk in loop.talks or elsewhere) and identical(made.object, loop.object, entry):
                return loop
            # "Sure, I'll fetch the boxes from school." "OK, I'll fetch the boxes then."
            if entry.talk in loop.talks and is_direct(entry.talk) and compatible(made.object, loop.object, entry):
                return loop
        return None

    def _call_of(self, entry: LifeEntry, owner: PersonId, served: frozenset[PersonId]) -> FoldedLoop | None:
        """The call that somebody has promised before in this conversation, whatever it is about."""
        several = [
            loop
            for loop in dict.fromkeys(self.loops.in_talk(entry))
            if loop.kind == "commitment"
            and loop.owner == owner
            and loop.served & served
            and contacts.is_call(loop.object, loop.lead.quoted)
            and entry.after(loop.newest)
        ]
        return _last_one(several)

    def request(self, entry: LifeEntry, made: Request) -> None:
        asker = self.people.who(made.asker, entry.talk)
        asked = self._asked(entry, made) - {asker or ""}
        if asker is None or not asked or (made.tentative and not self._is_taken(entry, asker, signs.AGREES)):
            return
        if USER in asked and self._joins_task(entry, made, USER, frozenset({asker})):
            return
        for loop in reversed(self.loops.in_talk(entry)):
            same = loop.kind == "request" and asker in loop.beneficiaries and loop.asked & asked
            owed = loop.kind == "commitment" and loop.owner in asked and asker in loop.beneficiaries
            if loop.active and (same or owed) and identical(made.object, loop.object, entry):
                # Asked again, or reminded of what is promised already. Who asks may ask for another day: a later one
                # holds at once, an earlier one of a promise only once it is accepted.
                loop.add(entry)
                if made.due and loop.due and made.due.day < loop.due.day and owed:
                    loop.wanted = made.due
                else:
                    loop.due, loop.wanted = made.due or loop.due, None
                return
        owner = next(iter(asked)) if len(asked) == 1 else None
        for loop in self.loops.about(owner, made.object, entry) if owner else ():
            lead = loop.lead.statement
            if loop.kind == "request" and isinstance(lead, Request) and _is_sent_again(lead, made):
                loop.add(entry)
                loop.beneficiaries |= {asker}
                return
        self.loops.open(FoldedLoop(entry, "request", made.object, owner, asked, frozenset({asker}), made.due))


def _same_day(left: Due | None, right: Due | None) -> bool:
    """Whether two due dates can be one. A missing date agrees with any."""
    return left is None or right is None or left.day == right.day


def _is_sent_again(before: Request, now: Request) -> bool:
    """Whether somebody of the same name asks for the same in the same words, from another address."""
    words = [tuple(quote.text for quote in each.quotes) for each in (before, now)]
    return words[0] == words[1] and before.asker.name.casefold() == now.asker.name.casefold() != ""


def _names(entry: LifeEntry, person: Person) -> bool:
    """Whether the sentence has the first word of somebody's name."""
    given = re.escape(person.name.partition(" ")[0])
    return re.search(rf"(?<!\w){given}(?!\w)", entry.quoted, re.IGNORECASE) is not None


def _last_one(several: Sequence[FoldedLoop]) -> FoldedLoop | None:
    """The one that was spoken of last; None if the record that did so speaks of several."""
    last = max((loop.newest.place[:3] for loop in several), default=None)
    newest = [loop for loop in several if loop.newest.place[:3] == last]
    return newest[0] if len(newest) == 1 else None
