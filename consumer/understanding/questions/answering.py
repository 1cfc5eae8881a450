"""
Answers from what memory holds. What it is not sure of it does not answer.

An entry of memory answers a question only if every word of the question's topic is explained: it is a word of what the
entry is about, or of the sentence that it rests on, the name of somebody who takes part, or the attribute that is asked
for. One word that nothing explains ("the launch *party*") means that something else was asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, cached_property
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from consumer.understanding import languages, objects
from consumer.understanding.memory import Change, DecisionMade, Loop, Meeting, StandingFact, StatementEvidence
from consumer.understanding.people import CONTACTS, USER, PersonId
from consumer.understanding.questions import asked as asking
from consumer.understanding.questions.asked import Asked, Days
from consumer.understanding.questions.book import QuestionBook
from consumer.understanding.questions.newer import DATED, Stated
from consumer.understanding.questions.stems import stem, stems
from consumer.understanding.questions.tables import TABLES
from consumer.understanding.questions.wording import Teller
from consumer.understanding.statements import CONVERSATION
from consumer.understanding.text import fold, tokens

#: A list has at most so many sentences. An answer that is no list has at most so many: more is no answer.
LISTED: Final = 12
ANSWERS: Final = 3
#: "What is due" without a time means within so many days.
DUE_DAYS: Final = 7
#: "What changed" means within so many days.
CHANGED_DAYS: Final = 14
#: A name that so many people carry means nobody.
NAMESAKES: Final = 3
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_MINE: Final = ("you_owe", "asked_of_you")
#: What is said of something open, by whether it is an item of the user's list, which is ticked once it is done.
_NOT_DONE: Final[Mapping[bool, str]] = {True: "no", False: "no_word"}
_ENDS: Final = frozenset({"end", "closing"})
#: Attributes of changes, besides ``DATED``, that are days: of a promise, and of a meeting.
_MOVED: Final = frozenset({"due", "start"})
_TEXTUAL: Final = frozenset({"phone", "email", "version"})
#: Asks for the hour, which a day does not answer.
_HOUR_ASKED: Final = re.compile(
    r"\b(?:what time|wie ?viel uhr|welche uhrzeit|quelle heure|qué hora|que horas?|che ora|hoe laat)\b"
)


class FactSentence(NamedTuple):
    """A sentence of an answer and the records it rests on.

    ``evidence``: of each place to cite the quotes that may stand there, the first that does counts. ``stated``: the
    value that the sentence gives as the last word, which a later record may make unsure (``newer.differs``).
    """

    text: str
    evidence: tuple[StatementEvidence, ...]
    stated: Stated | None = None


@dataclass(frozen=True, slots=True)
class FactsAnswer:
    """``sentences`` are in the question's language. ``is_list``: a sentence may be left out and the rest stays true.

    ``more``: how many entries a list leaves out, of those that are due last.
    """

    asked: Asked
    sentences: tuple[FactSentence, ...]
    is_list: bool = False
    more: int = 0


def answer(question: str, book: QuestionBook, *, locale: str) -> FactsAnswer | None:
    """None: memory's facts do not say. The day is that of the memory. ``locale``: the user's, ``en-GB``; "" unknown."""
    today = date.fromisoformat(book.memory.now[:10])
    read = asking.read(question, book.people, today, locale, book.words)
    if read is None or any(len(who) > NAMESAKES for who in read.people):
        return None
    return _Answering(read, book, today).answer()


class _Answering:
    """One run of ``answer``."""

    def __init__(self, read: Asked, book: QuestionBook, today: date) -> None:
        self.asked, self.book, self.today = read, book, today
        self.teller = Teller(read.language, book.memory.directory, today)
        self.topic = read.stems

    def answer(self) -> FactsAnswer | None:
        return _BY_KIND[self.asked.kind](self)

    def _answer(self, sentences: Iterable[FactSentence], *, listed: bool = False) -> FactsAnswer | None:
        distinct = tuple(dict.fromkeys(sentences))
        if not distinct or (len(distinct) > ANSWERS and not listed):
            return None
        return FactsAnswer(self.asked, distinct[:LISTED], listed, max(0, len(distinct) - LISTED))

    # --- what explains a word ----------------------------------------------------------------------------------

    def _explains(self, stated: frozenset[str], evidence: Callable[[], Iterable[StatementEvidence]]) -> bool:
        """Whether what an entry is about, or else the sentence it rests on, has every word of the topic."""
        missing = self.topic - stated
        if not missing:
            return True
        if missing & self._small_elsewhere:
            return False
        return missing <= frozenset().union(*(self._stems(quoted.quote) for quoted in evidence()))

    @cached_property
    def _small_elsewhere(self) -> frozenset[str]:
        """Stems of the topic's words that are function words of another language: the "die" of an English question is
        in every German sentence, where it means nothing.
        """
        small = frozenset().union(*(words.filler for code, words in TABLES.items() if code != self.asked.language))
        return frozenset(stem(word, self.asked.language) for word in self.asked.topic if word in small)

    def _stems(self, text: str) -> frozenset[str]:
        return stems(text, self.asked.language)

    def _has_head(self, text: str) -> bool:
        """Whether the topic names the thing itself: "agreement" of "revised supply agreement"."""
        head = objects.head(text, self.asked.language)
        return head != "" and head in {objects.head(word, self.asked.language) for word in self.asked.topic}

    def _names(self, text: str) -> bool:
        """Whether the topic names the thing itself, or two words of what it is called."""
        words = self._stems(text)
        return bool(words & self.topic) and (self._has_head(text) or len(words & self.topic) > 1)

    # --- people and days ---------------------------------------------------------------------------------------

    def _involves(self, people: Iterable[PersonId | None], stated: frozenset[str] = frozenset()) -> bool:
        """Whether everybody whom the question names takes part, or is named by the thing itself: "call Sofie"."""
        several = frozenset(people)
        return all(who & several or any(map(stated.intersection, self._called(who))) for who in self.asked.people)

    def _called(self, people: Iterable[PersonId]) -> Iterator[frozenset[str]]:
        """The words of each one's name."""
        return (self._stems(self.book.memory.directory.known(who).name) for who in people)

    def _is_within(self, day: str, days: Days | None) -> bool:
        if days is None:
            return True
        return bool(day) and days.first.isoformat() <= day[:10] <= days.last.isoformat()

    def _is_in_period(self, scope: Mapping[str, str] | None, value: str) -> bool:
        """Whether the years and quarters of the question are those of the fact or of its date."""
        stated = set(scope.values()) if scope else set()
        return all(period in stated or value[:4] == period for period in self.asked.periods)

    # --- loops -------------------------------------------------------------------------------------------------

    def _loops(self, fits: Callable[[Loop], bool]) -> list[Loop]:
        """Those that fit, involve whom the question names, and explain its topic."""
        if self.asked.periods:
            return []
        near: Sequence[Loop] = self.book.memory.loops
        if self.topic:
            near = self.book.loops.near([*self.asked.topic, *self._subjects()], self.asked.people)
        return [loop for loop in near if fits(loop) and self._is_about(loop)]

    def _is_about(self, loop: Loop) -> bool:
        stated = self._stems(loop.object)
        if not self._involves((loop.owner, *loop.asked, *loop.beneficiaries), stated):
            return False
        if self._leads_elsewhere(loop.object):
            return False
        if not self.topic:
            return True
        # The user takes part in every loop: their name says nothing about which one is meant.
        names_others = any(who != {USER} for who in self.asked.people)
        if not (stated & self.topic) and not names_others:
            return False
        # "The contract" is not the comments on it, whoever promised them. In "Sofie about the cake" she is the thing.
        is_of_others = names_others and (not stated & self.topic or bool(stated & self._subject_stems))
        named = self._names(loop.object) or loop.kind == "task" or is_of_others
        return named and self._explains(stated, lambda: loop.evidence)

    def _best(self, loops: Sequence[Loop]) -> Sequence[Loop]:
        """Open ones before others; of these, those that name all words of the thing before those that have more."""
        return self._exact([loop for loop in loops if loop.state == "open"] or list(loops))

    def _exact(self, loops: Sequence[Loop]) -> Sequence[Loop]:
        return [loop for loop in loops if self._stems(loop.object) <= self.topic] or loops

    def _tell_loops(self, loops: Iterable[Loop]) -> list[FactSentence]:
        ordered = sorted(loops, key=lambda loop: (loop.due.day if loop.due else "9", loop.since))
        return [FactSentence(self.teller.loop(loop), (*loop.evidence, *loop.closed_by)) for loop in ordered]

    def _list(self, fits: Callable[[Loop], bool]) -> FactsAnswer | None:
        today = self.book.memory.now[:10]

        def wanted(loop: Loop) -> bool:
            is_open = loop.state == "open" and not loop.snoozed_until > today
            return is_open and fits(loop) and self._is_due_then(loop)

        return self._answer(self._tell_loops(self._loops(wanted)), listed=True)

    def owe(self) -> FactsAnswer | None:
        promised = "promise" in self.asked.roles
        named = frozenset().union(*self.asked.people)

        def mine(loop: Loop) -> bool:
            own = loop.direction == "you_owe" or (loop.direction == "asked_of_you" and not promised)
            # "Tell Katrin about it" is owed to whom it was promised, and to her only if it was promised to nobody.
            elsewhere = named and loop.beneficiaries and named.isdisjoint(loop.beneficiaries)
            if elsewhere and {"owe", "promise"} & self.asked.roles:
                return False
            return own and not (promised and loop.kind == "task")

        def theirs(loop: Loop) -> bool:
            return loop.owner in named and loop.kind != "request"

        if "owed_me" in self.asked.roles and not named:
            return self._list(lambda loop: loop.direction == "owed_to_you")
        if self.asked.by_user:
            return self._list(mine)
        if named:
            return self._list(theirs)
        return self._list(lambda loop: loop.direction == "owed_to_you") if self._is_of_others() else self._list(mine)

    def _is_of_others(self) -> bool:
        """ "Who owes me something?" """
        return "who" in self.asked.roles

    def want(self) -> FactsAnswer | None:
        named = frozenset().union(*self.asked.people)
        if self.asked.by_user:
            return self._list(lambda loop: loop.direction == "asked_by_you")
        if not named:
            return None
        return self._list(lambda loop: loop.direction == "asked_of_you" and bool(named & set(loop.beneficiaries)))

    def wait(self) -> FactsAnswer | None:
        if "others_wait" in self.asked.roles:
            named = frozenset().union(*self.asked.people)
            return self._list(lambda loop: loop.direction in _MINE and bool(named & set(loop.beneficiaries)))
        return self._list(lambda loop: loop.direction in ("owed_to_you", "asked_by_you"))

    def due(self) -> FactsAnswer | None:
        days = self.asked.days or Days(date.min, self.today + timedelta(days=DUE_DAYS))

        def fits(loop: Loop) -> bool:
            return loop.direction != "others" and loop.due is not None and self._is_within(loop.due.day, days)

        return self._list(fits)

    def overdue(self) -> FactsAnswer | None:
        if self.asked.days:
            return None
        return self._list(lambda loop: loop.direction != "others" and loop.stage == "overdue")

    # --- facts -------------------------------------------------------------------------------------------------

    def _facts(self, fits: Callable[[StandingFact], bool]) -> list[StandingFact]:
        if self.asked.days or not self.topic:
            return []
        near = self.book.facts.near([*self.asked.topic, *self._subjects()])
        several = self._without_parts_of_meetings([fact for fact in near if fits(fact) and self._is_of(fact)])
        exact = [fact for fact in several if self._stems(fact.subject) <= self.topic]
        return exact or several

    def _without_parts_of_meetings(self, facts: Sequence[StandingFact]) -> list[StandingFact]:
        """Without those that leave out a word by which the topic names a meeting.

        "The launch review" is not the launch, even if a sentence about the launch speaks of the review.
        """
        meetings = self._all_meetings() if facts else []
        # Without such a meeting "the event budget" may still be a budget. A day is that of the event, or unknown.
        general = self._any_meeting if meetings or self.asked.kind in ("when", "yes_no") else frozenset()

        def names_meeting(word: str) -> bool:
            is_head = any(objects.head(word, self.asked.language) in self._heads(each.title) for each in meetings)
            return is_head or bool(self._stems(word) & general)

        return [fact for fact in facts if not any(map(names_meeting, self._left_out(fact)))]

    def _left_out(self, fact: StandingFact) -> list[str]:
        """Words of the topic that neither the fact's subject has nor its attribute explains."""
        subject = self._stems(fact.subject)
        return [
            word
            for word in self.asked.topic
            if not all(
                part in subject or self._asks_for(part, fact.attribute, subject)
                for part in self._stems(word.replace("-", " "))
            )
        ]

    def _subjects(self) -> list[str]:
        """Names of people that the question has, who may be what a fact is about."""
        directory = self.book.memory.directory
        return [directory.known(who).name for several in self.asked.people for who in several]

    @cached_property
    def _subject_stems(self) -> frozenset[str]:
        return frozenset().union(*map(self._stems, self._subjects()))

    def _is_of(self, fact: StandingFact) -> bool:
        scope = {name: value for name, value in fact.scope if name != CONVERSATION}
        if not self._is_in_period(scope, fact.value if fact.attribute in DATED else ""):
            return False
        subject = self._stems(fact.subject)
        named = self._subject_stems
        if self.asked.people and fact.by not in frozenset().union(*self.asked.people) and not subject & named:
            return False
        explained = subject | {word for word in self.topic if self._asks_for(word, fact.attribute, subject)}
        hit = subject & self.topic
        if not (hit or subject <= named) or (hit and not self._names_subject(fact.subject, hit, named)):
            return False
        return self._explains(explained, lambda: () if self._misses_attribute(fact, subject) else fact.evidence)

    def _names_subject(self, subject: str, hit: frozenset[str], named: frozenset[str]) -> bool:
        return self._has_head(subject) or self._stems(subject) <= hit | named

    def _asks_for(self, word: str, attribute: str, subject: frozenset[str]) -> bool:
        """Whether a word of the topic asks for this attribute: "cost", "rent" for a rent."""
        return word not in subject and attribute in _attributes(self.asked.language).get(word, frozenset())

    def _misses_attribute(self, fact: StandingFact, subject: frozenset[str]) -> bool:
        """Whether the topic asks for another attribute: then no word of the sentence makes up for it."""
        known = _attributes(self.asked.language)
        return any(
            word in known and word not in subject and fact.attribute not in known[word] for word in self.topic
        )  # fmt: skip

    def _tell_facts(self, facts: Iterable[StandingFact]) -> list[FactSentence]:
        sentences = []
        for fact in facts:
            sides = [evidence for side in fact.disputed.sides for evidence in side.evidence] if fact.disputed else ()
            said_at = max((evidence.said_at for evidence in fact.evidence), default=fact.since)
            periods = frozenset(value for name, value in fact.scope if name != CONVERSATION)
            words = (fact.subject, fact.attribute, fact.value, fact.unit, said_at, periods)
            stated = None if sides else Stated(*words)
            sentences.append(FactSentence(self.teller.fact(fact), tuple(sides) or fact.evidence, stated))
        return sentences

    def _is_when(self, fact: StandingFact) -> bool:
        if _HOUR_ASKED.search(fold(self.asked.text)) and fact.unit != "time":
            return False
        asked = {each for word in self.topic for each in _attributes(self.asked.language).get(word, ())}
        return (fact.attribute in DATED and (fact.attribute not in _ENDS or fact.attribute in asked)) or (
            fact.unit == "time"
        )

    # --- meetings ----------------------------------------------------------------------------------------------

    def _meetings(self, more: frozenset[str] = frozenset()) -> list[Meeting]:
        """Those that the topic names, the next one of each title; of past ones the last."""
        meetings = self._all_meetings(more)
        # "The launch" is not the review of the launch: what is named in full is no other meeting.
        exact = [meeting for meeting in meetings if self._stems(meeting.title) <= self.topic]
        return self._next_of_each(exact or meetings)

    def _all_meetings(self, more: frozenset[str] = frozenset()) -> list[Meeting]:
        if self.asked.periods or not self.topic:
            return []
        generic = {stem(word, self.asked.language) for word in TABLES[self.asked.language].meeting | more}
        fitting = []
        for meeting in self.book.meetings.near(self.asked.topic):
            title = self._stems(meeting.title)
            people = (meeting.organizer, *meeting.attendees)
            if not (title & self.topic) or not self.topic <= title | generic or not self._involves(people):
                continue
            if not meeting.starts or not self._is_within(meeting.starts, self.asked.days):
                continue
            is_named = self._names_title(title) and self._names_meeting(meeting.title)
            if is_named and not self._leads_elsewhere(meeting.title):
                fitting.append(meeting)
        # "The pilot call" is that of this title; "the pilot meeting" may be any about the pilot.
        named = self.topic - {stem(word, self.asked.language) for word in more}
        return [meeting for meeting in fitting if named <= self._stems(meeting.title)] or fitting

    def _names_title(self, title: frozenset[str]) -> bool:
        """Whether the topic has more of the title than a word that any meeting may have."""
        return bool((title & self.topic) - self._any_meeting) or title <= self.topic

    def _names_meeting(self, title: str) -> bool:
        """Whether the topic has the title's thing itself, a word for any meeting, or the first word alone.

        "The board" may be "Board dry run", but "the launch" is no review of the launch, and "Ann's birthday" no lunch.
        """
        heads = {objects.head(word, self.asked.language) for word in self.asked.topic}
        if self.topic & self._any_meeting or heads & self._heads(title):
            return True
        first = next(iter(title.split()), "")
        return not self.asked.people and self.topic & self._stems(title) == self.topic & self._stems(first)

    def _leads_elsewhere(self, title: str) -> bool:
        """Whether the question asks for the way back: "the train from Jena" is not "Train to Jena"."""
        asked = self._ways(self.asked.text)
        return any(asked.get(place, way) != way for place, way in self._ways(title).items())

    def _ways(self, text: str) -> dict[str, str]:
        """Stem of a place -> ``toward`` or ``away``."""
        known, grammar = TABLES[self.asked.language], languages.LANGUAGES[self.asked.language]
        words = [token.word for token in tokens(fold(text), grammar.elision) if token.word not in grammar.articles]
        ways = {"toward": known.toward, "away": known.away}
        return {
            stem(place, self.asked.language): way
            for before, place in pairwise(words)
            for way, prepositions in ways.items()
            if before in prepositions
        }

    def _heads(self, title: str) -> set[str]:
        """What the meeting is. Of a title without small words the last word may be it: "launch review" in French."""
        grammar = languages.LANGUAGES[self.asked.language]
        parts = title.split()
        heads = {objects.head(title, self.asked.language)}
        if parts and (grammar.prepositions | grammar.articles).isdisjoint(title.casefold().split()):
            heads.add(objects.head(parts[-1], self.asked.language))
        return heads - {""}

    @cached_property
    def _any_meeting(self) -> frozenset[str]:
        return frozenset(stem(word, self.asked.language) for word in TABLES[self.asked.language].meeting)

    def _next_of_each(self, meetings: Iterable[Meeting]) -> list[Meeting]:
        by_title: dict[str, list[Meeting]] = {}
        for meeting in meetings:
            by_title.setdefault(meeting.title.casefold(), []).append(meeting)
        chosen: list[Meeting] = []
        for several in by_title.values():
            before, ahead = self._by_time(several)
            before = [meeting for meeting in before if meeting.state == "planned"]
            planned = [meeting for meeting in ahead if meeting.state == "planned"]
            if self._is_past and "called_off" not in self.asked.roles:
                chosen += before[-1:]
            elif "next" in self.asked.roles:
                chosen += planned[:1] or ahead[:1]
            else:
                chosen += planned[:1] or ahead[:1] or before[-1:]
        # "When is the board meeting?": where one is to come, none is meant that is over.
        return self._by_time(chosen)[1] or chosen

    @property
    def _is_past(self) -> bool:
        return bool({"over", "last"} & self.asked.roles)

    def _by_time(self, meetings: Iterable[Meeting]) -> tuple[list[Meeting], list[Meeting]]:
        """Those that have begun, and those that have not; of today's without a time nobody knows, so they have not."""
        now = self.book.memory.now
        before: list[Meeting] = []
        ahead: list[Meeting] = []
        for meeting in meetings:
            length = len(meeting.starts[:16])
            (before if meeting.starts[:length] < now[:length] else ahead).append(meeting)
        return before, ahead

    def _tell_meetings(self, meetings: Iterable[Meeting]) -> list[FactSentence]:
        return [FactSentence(self.teller.meeting(meeting), meeting.evidence[:1]) for meeting in meetings]

    def meet(self) -> FactsAnswer | None:
        before, ahead = self._by_time(
            meeting
            for meeting in self.book.memory.meetings
            if meeting.starts
            and meeting.state == "planned"
            and self._involves((meeting.organizer, *meeting.attendees))
            and self._is_within(meeting.starts, self.asked.days)
        )
        return self._answer(self._tell_meetings(before[-1:] if self._is_past else ahead[:1]))

    # --- when, who, how much -----------------------------------------------------------------------------------

    def when(self) -> FactsAnswer | None:
        facts = self._facts(self._is_when)
        meetings = self._meetings()
        # Where a fact is named in full, the topic names no other meeting.
        exact = [meeting for meeting in meetings if self._stems(meeting.title) <= self.topic]
        if exact or any(self._stems(fact.subject) <= self.topic and not self._left_out(fact) for fact in facts):
            meetings = exact
        if facts or meetings:
            return self._answer([*self._tell_facts(facts), *self._tell_meetings(meetings)])
        if self.asked.people and not self.asked.by_user and self._asks_for_attribute():
            return None
        loops = self._best(self._loops(self._has_day)) if self.topic else []
        sentences = self._tell_loops(loops)
        is_done = {"past", "over"} & self.asked.roles and not {"due", "must", "promise"} & self.asked.roles
        if "last" in self.asked.roles and any(loop.state == "open" for loop in loops):
            return None  # What is still to do does not say when it was done before.
        if is_done and len(loops) == 1 and loops[0].state == "open":
            return self._verdict(_NOT_DONE[loops[0].kind == "task"], sentences)
        return self._answer(sentences)

    def _asks_for_attribute(self) -> bool:
        """ "When will Henrik start?": a task about his start has its own day, which is another."""
        return self.topic <= _attributes(self.asked.language).keys()

    def _has_day(self, loop: Loop) -> bool:
        if not self._is_due_then(loop) or self._is_of_the_thing(loop):
            return False
        if self.asked.by_user and USER not in (loop.owner, *loop.asked):
            return False
        if loop.state == "open":
            return loop.due is not None
        return loop.state == "delivered" and bool(loop.changed_at) and loop.kind != "task"

    def _is_of_the_thing(self, loop: Loop) -> bool:
        """Whether the question asks when a thing is that an item of the list has to do with: "book the flight" is due
        on another day than the flight.
        """
        of_deed = self.asked.by_user or {"due", "must", "owe", "promise"} & self.asked.roles
        return loop.kind == "task" and not of_deed and self._stems(loop.object.partition(" ")[0]).isdisjoint(self.topic)

    def who(self) -> FactsAnswer | None:
        if not self.topic:
            return None
        if "want" in self.asked.roles:
            return self._who_asked()
        attend = {stem(word, self.asked.language) for word in TABLES[self.asked.language].attend}
        meetings = [meeting for meeting in self._meetings(TABLES[self.asked.language].attend) if meeting.attendees]
        if self._names_fact_in_full():
            meetings = [meeting for meeting in meetings if self._stems(meeting.title) <= self.topic]
        if meetings:
            return self._answer(self._tell_meetings(meetings))
        if self.topic & attend or "attend" in self.asked.roles:
            return None
        return self._answer(self._tell_loops(self._best(self._loops(self._has_owner))))

    def _names_fact_in_full(self) -> bool:
        """Whether a fact is about all of what the topic names, as "the launch": then a review of it is not meant."""
        subjects = (self._stems(fact.subject) for fact in self.book.facts.near(self.asked.topic))
        return any(len(subject) > 1 and subject <= self.topic for subject in subjects)

    def _who_asked(self) -> FactsAnswer | None:
        """ "Who wants the price list?": with "I" whom the user asked for it."""
        if self.asked.people:
            return None
        direction = "asked_by_you" if self.asked.by_user else "asked_of_you"
        asked_for = self._loops(lambda loop: loop.direction == direction and self._is_due_then(loop))
        return self._answer(self._tell_loops(self._best(asked_for)))

    def _has_owner(self, loop: Loop) -> bool:
        """Whether it says who does it: a list's item that is ticked does not say who did."""
        if not self._is_due_then(loop):
            return False
        is_ticked = loop.kind == "task" and loop.state != "open"
        return loop.owner is not None and loop.kind != "request" and not loop.condition and not is_ticked

    def _is_due_then(self, loop: Loop) -> bool:
        """Whether it is due on a day that the question names, if it names any."""
        return self._is_within(loop.due.day if loop.due else "", self.asked.days)

    def much(self) -> FactsAnswer | None:
        if {"owe", "must"} & self.asked.roles and (self.asked.people or not self.topic):
            return self._much_owed()
        facts = self._facts(lambda fact: fact.attribute not in DATED | _TEXTUAL and fact.unit != "time")
        return self._answer(self._tell_facts(facts))

    def _much_owed(self) -> FactsAnswer | None:
        named = frozenset().union(*self.asked.people)

        def fits(loop: Loop) -> bool:
            own = loop.direction == "you_owe" if self.asked.by_user else loop.owner in named
            return own and loop.kind == "commitment" and any(sign.isdigit() for sign in loop.object)

        return self._list(fits)

    # --- contacts, silence, decisions, changes -----------------------------------------------------------------

    def phone(self) -> FactsAnswer | None:
        return self._reach("phone")

    def email(self) -> FactsAnswer | None:
        return self._reach("email")

    def _reach(self, attribute: Literal["phone", "email"]) -> FactsAnswer | None:
        if self.topic or len(self.asked.people) != 1:
            return None
        sentences = [each for who in sorted(self.asked.people[0]) for each in self._addresses(who, attribute)]
        named = self._subject_stems
        stated = [
            fact
            for fact in self.book.memory.facts
            if fact.attribute == attribute and self._stems(fact.subject) & named
        ]  # fmt: skip
        return self._answer([*sentences, *self._tell_facts(stated)])

    def _addresses(self, who: PersonId, attribute: str) -> Iterable[FactSentence]:
        known = self.book.memory.directory.known(who)
        for address in known.addresses:
            if ("@" in address) != (attribute == "email"):
                continue
            source, _, record_id = who.partition("/")
            seen = self.book.seen.get(who)
            names = (address, known.name, *known.aliases)
            places = [(CONTACTS, record_id)] if source == "contact" else []
            places += [(seen.source, seen.record_id)] if seen and not places else []
            evidence = tuple(
                StatementEvidence(source, record_id, name, "", None, "")
                for source, record_id in places
                for name in names
            )
            yield FactSentence(self.teller.contact(known.name, address), evidence)

    def heard(self) -> FactsAnswer | None:
        if self.topic or len(self.asked.people) != 1 or len(self.asked.people[0]) != 1:
            return None
        if self.asked.by_user and "hears" not in self.asked.roles:
            return None  # "When did I write to Ann?": what is known is what she wrote.
        (who,) = self.asked.people[0]
        seen = self.book.seen.get(who)
        # The last record may be one to them, or a meeting to come.
        if seen is None or seen.source != "inbound_messages":
            return None
        evidence = StatementEvidence(seen.source, seen.record_id, seen.written, "", who, "")
        return self._answer([FactSentence(self.teller.heard(who, seen.last_day), (evidence,))])

    def decided(self) -> FactsAnswer | None:
        if not self.topic:
            return None
        fitting: list[DecisionMade] = []
        for decision in self.book.decisions.near(self.asked.topic, self.asked.people):
            stated = self._stems(f"{decision.what} {decision.about}")
            if decision.replaced_by or not stated & self.topic or not self._involves(decision.who):
                continue
            if self._is_within(decision.at, self.asked.days) and self._explains(stated, lambda d=decision: d.evidence):  # type: ignore[misc]
                fitting.append(decision)
        return self._answer(FactSentence(self.teller.decision(each), each.evidence) for each in fitting)

    def changed(self) -> FactsAnswer | None:
        if not self.topic:
            return self._changed_lately()
        fitting: dict[tuple[str, str], Change] = {}
        by_subject: set[tuple[str, str]] = set()
        for change in self.book.changes.near([*self.asked.topic, *self._cued()]):
            subject = self._stems(change.subject)
            asked_for = {word for word in self.topic if self._asks_for(word, change.attribute, subject)}
            hit = subject & self.topic
            if not (hit or asked_for) or not self._is_in_period({}, change.after) or self.asked.people:
                continue
            if "date" in self.asked.roles and change.attribute not in DATED | _MOVED:
                continue  # "The date of Falcon": its budget is none.
            if self.topic <= subject | asked_for and (not hit or self._names_subject(change.subject, hit, frozenset())):
                key = (change.subject.casefold(), change.attribute)
                fitting[key] = change
                if hit:
                    by_subject.add(key)
        # In "has the launch moved?" the launch is the thing; no other thing's start is meant by it.
        chosen = [change for key, change in fitting.items() if key in by_subject] or fitting.values()
        return self._answer(FactSentence(self.teller.change(change), change.evidence) for change in chosen)

    def _changed_lately(self) -> FactsAnswer | None:
        """ "What changed?": everything that somebody replaced or called off and that is still to come.

        "What changed this week?": what they replaced or called off on these days, over or not.
        """
        days = self.asked.days
        if "has_changed" not in self.asked.roles or self.asked.people or self.asked.periods:
            return None
        if days and days.first > self.today:
            return None  # "What changed next week?" asks for what lies ahead
        first, today = (self.today - timedelta(days=CHANGED_DAYS)).isoformat(), self.today.isoformat()
        memory = self.book.memory
        cancelled = [each for each in memory.meetings if each.state == "cancelled"]
        if days:
            changes = [change for change in memory.changes if self._is_within(change.at, days)]
            called_off = [each for each in cancelled if self._is_within(_last_said(each.evidence), days)]
        else:
            changes = [each for each in memory.changes if each.at[:10] >= first and not _is_over(each.after, today)]
            called_off = [each for each in cancelled if each.starts[:10] >= today]
        moved = [FactSentence(self.teller.change(change), change.evidence) for change in reversed(changes)]
        return self._answer([*moved, *self._tell_meetings(called_off)], listed=True)

    def _cued(self) -> Iterable[str]:
        """Subjects of all changes where the question names an attribute alone: "what about the delivery date?"."""
        known = _attributes(self.asked.language)
        if any(word in known for word in self.topic):
            return [change.subject for change in self.book.memory.changes]
        return ()

    # --- yes or no, and words alone ----------------------------------------------------------------------------

    def yes_no(self) -> FactsAnswer | None:
        if not self.topic or any(len(who) > 1 for who in self.asked.people):
            return None
        if {"called_off", "still_on"} & self.asked.roles:
            return self._is_on()
        if self.asked.days and self.asked.days.first == self.asked.days.last:
            return self._is_then(self.asked.days.first.isoformat())
        if self.asked.days or self.asked.periods:
            return None
        if "must" in self.asked.roles:
            return self._is_still_to_do()
        return self._is_done() if "past" in self.asked.roles or self._is_passive() else self._promise()

    def _is_passive(self) -> bool:
        """ "Are the tyres changed?": the past is in the participle alone."""
        return not self.asked.people and not self.asked.by_user

    def _verdict(self, name: str, sentences: Sequence[FactSentence]) -> FactsAnswer | None:
        if len(sentences) != 1:
            return None
        return self._answer([sentences[0]._replace(text=self.teller.verdict(name, sentences[0].text))])

    def _is_on(self) -> FactsAnswer | None:
        meetings = self._meetings()
        if len(meetings) != 1 or meetings[0].starts[:10] < self.today.isoformat():
            return None
        planned = meetings[0].state == "planned"
        yes = planned == ("still_on" in self.asked.roles)
        return self._verdict("yes" if yes else "no", self._tell_meetings(meetings))

    def _is_then(self, day: str) -> FactsAnswer | None:
        self.asked = replace(self.asked, days=None)
        facts, meetings = self._facts(self._is_when), self._on(day)
        loops = [] if facts or meetings else self._due_then()
        sentences = [*self._tell_facts(facts), *self._tell_meetings(meetings), *self._tell_loops(loops)]
        days = [fact.value for fact in facts] + [meeting.starts[:10] for meeting in meetings]
        days += [loop.due.day for loop in loops if loop.due]
        if len(days) != 1 or any(fact.disputed for fact in facts) or any(m.state != "planned" for m in meetings):
            return None
        return self._verdict("yes" if days[0] == day else "no", sentences)

    def _due_then(self) -> Sequence[Loop]:
        """Open ones: the day on which something is due is not the day on which it was done, or is so."""
        if "past" in self.asked.roles or (self._is_passive() and "due" not in self.asked.roles):
            return []
        return self._best(self._loops(lambda loop: loop.due is not None and loop.state == "open"))

    def _on(self, day: str) -> list[Meeting]:
        """The meeting of that day; where there is none, all that are to come: of several none is meant for sure."""
        meetings = self._all_meetings()
        on_day = [meeting for meeting in meetings if meeting.starts[:10] == day]
        return on_day or [meeting for meeting in meetings if meeting.starts[:10] >= self.today.isoformat()]

    def _is_still_to_do(self) -> FactsAnswer | None:
        mine = self._loops(lambda loop: USER in (loop.owner, *loop.asked) and not loop.condition)
        if not self.asked.by_user or not mine:
            return None
        waiting = [loop for loop in mine if loop.state == "open"]
        if waiting:
            return self._verdict("yes", self._tell_loops(self._best(waiting)))
        return self._verdict("no", self._tell_loops(loop for loop in mine if loop.state in ("delivered", "withdrawn")))

    def _is_done(self) -> FactsAnswer | None:
        named = frozenset().union(*self.asked.people)

        def fits(loop: Loop) -> bool:
            if loop.condition:
                return False
            if self.asked.by_user:
                return USER in (loop.owner, *loop.asked)
            return not named or loop.owner in named or bool(named & set(loop.asked))

        # Of two things the one may be done and the other not: then nobody knows which is meant.
        loops = self._exact([loop for loop in self._loops(fits) if loop.state != "superseded"])
        if len(loops) != 1:
            return None
        is_task = loops[0].kind == "task"
        verdict = {"open": _NOT_DONE[is_task], "delivered": "yes"}.get(loops[0].state, "no" if is_task else "")
        return self._verdict(verdict, self._tell_loops(loops)) if verdict else None

    def _promise(self) -> FactsAnswer | None:
        """ "Will Amara book the hall?": what she said of it, without a verdict on what is to come."""
        named = frozenset().union(*self.asked.people)

        def fits(loop: Loop) -> bool:
            return loop.state == "open" and (loop.owner == USER if self.asked.by_user else loop.owner in named)

        return self._answer(self._tell_loops(self._loops(fits)))

    def tell(self) -> FactsAnswer | None:
        if not self.topic:
            return None
        wants_day = "date" in self.asked.roles
        facts = self._facts(
            self._is_value if "what" in self.asked.roles else lambda fact: fact.attribute in DATED or not wants_day
        )
        if facts or "what" in self.asked.roles:
            return self._answer(self._tell_facts(facts))
        meetings = self._meetings()
        if meetings:
            return self._answer(self._tell_meetings(meetings))
        return self._answer(self._tell_loops(self._best(self._loops(lambda loop: loop.state == "open"))))

    def _is_value(self, fact: StandingFact) -> bool:
        """Whether the question asks for a value: "what is the *budget*?", and not "what is the launch about?"."""
        if fact.attribute in DATED and "date" in self.asked.roles:
            return True
        known, subject = _attributes(self.asked.language), self._stems(fact.subject)

        def names_thing(word: str) -> bool:
            """The launch is a thing, and no word for its day; a deadline is its own day."""
            return fact.attribute in DATED and word in subject and len(known[word]) > 1

        return any(fact.attribute in known.get(word, frozenset()) and not names_thing(word) for word in self.topic)

    def elsewhere(self) -> FactsAnswer | None:
        """A place, a reason, a way: facts hold none."""
        return None


_BY_KIND: Final[Mapping[asking.Kind, Callable[[_Answering], FactsAnswer | None]]] = {
    "when": _Answering.when,
    "who": _Answering.who,
    "much": _Answering.much,
    "elsewhere": _Answering.elsewhere,
    "owe": _Answering.owe,
    "want": _Answering.want,
    "wait": _Answering.wait,
    "due": _Answering.due,
    "overdue": _Answering.overdue,
    "changed": _Answering.changed,
    "decided": _Answering.decided,
    "heard": _Answering.heard,
    "meet": _Answering.meet,
    "phone": _Answering.phone,
    "email": _Answering.email,
    "yes_no": _Answering.yes_no,
    "tell": _Answering.tell,
}


def _last_said(evidence: Iterable[StatementEvidence]) -> str:
    return max((each.said_at for each in evidence), default="")


def _is_over(value: str, today: str) -> bool:
    """Whether a value is a day before today."""
    return _DAY.match(value) is not None and value[:10] < today


@cache
def _attributes(language: str) -> Mapping[str, frozenset[str]]:
    """Stems of a question's words -> the attributes they ask for."""
    made: dict[str, set[str]] = {}
    known = languages.LANGUAGES[language]
    for word, attribute in (*known.attributes.items(), *known.happens.items()):
        several = word.split()
        if attribute == "date":
            continue  # "party", "wedding": what is on a day, and not a word for the day
        if len(several) == 1 or word in known.happens:
            made.setdefault(stem(several[0], language), set()).add(attribute)
    for word, attributes in TABLES[language].attributes.items():
        made.setdefault(stem(word, language), set()).update(attributes.split())
    return {word: frozenset(attributes) for word, attributes in made.items()}
