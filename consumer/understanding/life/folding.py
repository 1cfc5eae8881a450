"""The one pass over all statements."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from consumer.understanding.acquaintances import Acquaintances
from consumer.understanding.corrections import Corrected
from consumer.understanding.life.answers import Answers
from consumer.understanding.life.decisions import decisions
from consumer.understanding.life.entries import (
    DECISIONS,
    FOLDED,
    LifeEntry,
    Statements,
    author_of,
    by_first_authors,
    meant_for_user,
)
from consumer.understanding.life.facts import Facts
from consumer.understanding.life.lapses import Lapses
from consumer.understanding.life.loops import FoldedLoops
from consumer.understanding.life.meetings import Meetings
from consumer.understanding.life.opening import Opening
from consumer.understanding.life.seen import people_seen
from consumer.understanding.life.views import LoopViews
from consumer.understanding.memory import Change, Correction, Memory
from consumer.understanding.moments import moment
from consumer.understanding.people import Directory
from consumer.understanding.statements import Answer, Commitment, Fact, Reading, Request, Task
from consumer.understanding.threads import Threads
from consumer.understanding.utterances import Person


def fold(
    readings: Iterable[Reading],
    corrections: Iterable[Correction] = (),
    now_local: str = "",
    directory: Directory | None = None,
    key: str = "",
) -> Memory:
    """Current readings, at most one a record and reader, in any order, and the user's corrections -> Memory.

    ``now_local``: the user's time, ``2026-11-27 20:10 -08:00``. ``directory``: see ``Directory.of``; made here when
    absent, with the corrections that join people and keep them apart. ``key``: what the corrections' digests were made
    with.
    """
    current = list(readings)
    corrected = Corrected.of(current, corrections, key)
    if directory is None:
        pairs = {
            kind: [(each.target, each.other) for each in corrected.corrections if each.kind == kind]
            for kind in ("same_person", "different_person")
        }
        directory = Directory.of(current, pairs["same_person"], pairs["different_person"])
    statements = Statements.of(current, corrected)
    directory.read_names(statements.named())
    entries = statements.entries(FOLDED)
    _read_authors(entries, directory)
    threads = Threads(current, partial(author_of, people=directory))
    acquaintances = Acquaintances(current, directory)
    entries = meant_for_user(by_first_authors(entries, directory), acquaintances)
    loops, changes = FoldedLoops(), list[Change]()
    opening = Opening(directory, threads, loops, changes, acquaintances.is_own)
    answers = Answers(directory, threads, loops)
    for entry in entries:
        if isinstance(entry.statement, Task):
            opening.task(entry, entry.statement)
    for entry in entries:
        statement = entry.statement
        if isinstance(statement, Commitment):
            opening.commitment(entry, statement)
        elif isinstance(statement, Request):
            opening.request(entry, statement)
        elif isinstance(statement, Answer):
            (opening.moved if statement.verdict == "moved" else answers.answer)(entry, statement)
    meetings = Meetings(directory, changes, statements)
    meetings.find_moves()
    now = moment(now_local)
    Lapses(directory, now, threads, loops.all).lapse(meetings, current)
    several = [entry for entry in entries if isinstance(entry.statement, Fact)]
    facts = Facts(directory, corrected, changes)
    contradictions = facts.contradictions(several)
    views = LoopViews(directory, threads, corrected, now_local, loops.all)
    return Memory(
        now=now_local,
        loops=views.in_order(),
        contradictions=contradictions,
        changes=tuple(sorted(changes, key=lambda change: (change.at, change.id))),
        people=people_seen(current, directory, now, acquaintances),
        directory=directory,
        find_decisions=lambda: decisions(meant_for_user(statements.entries(DECISIONS), acquaintances), directory),
        find_meetings=meetings.all,
        find_meetings_from=meetings.beginning,
        find_cancelled_from=meetings.cancelled,
        find_facts=lambda: facts.standing(several),
        loop_statements_of=views.statements_of,
    )


def _read_authors(entries: Iterable[LifeEntry], people: Directory) -> None:
    """Learn the names of all speakers first, so that the order of later queries cannot change the result."""
    before: tuple[Person, str] | None = None
    for entry in entries:
        # Most statements of a record have one author.
        if before is None or before[0] is not entry.author or before[1] is not entry.talk:
            before = entry.author, entry.talk
            people.who(*before)
