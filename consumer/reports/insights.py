"""
Insights: what no single page shows. What the user keeps postponing, who has faded, which projects share people, what
waits for something that another promised, and what may come late. Pure; each rests on places of records, and a
prediction is marked as such.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Final, Literal, NamedTuple

from consumer.reports.claims import Citation
from consumer.reports.detectors.findings import Connection
from consumer.reports.remembered import STALE_DAYS, STALE_RECORDS, Telling
from consumer.reports.wording import Wording, sentence
from consumer.understanding.memory import Loop, Memory, StatementEvidence
from consumer.understanding.moments import day_of
from consumer.understanding.people import USER, PersonId
from renderers import grouping
from renderers import markdown as md

InsightKind = Literal["postponed", "faded", "connected", "expected"]
#: Insights of one kind.
LIMIT: Final = 5
#: A promise moved that often, or a task that long beyond its date, is being postponed.
MOVES: Final = 2
WAITED_DAYS: Final = 14
#: The dated promises of somebody from which a habit can be told, and the share of late ones that makes it one.
PROMISES: Final = 3
LATE_SHARE: Final = 0.6
_CITED: Final = 3
#: Letters of a word that names something, and signs around one.
_NAMING: Final = 4
_SIGNS: Final = ".,;:!?()\"'\u201c\u201d\u201e\u00ab\u00bb"


class Insight(NamedTuple):
    """``name``: of its page below ``brain/insights/``; ends in the mark of a record, with which a purge finds it.

    ``since``: the day of its newest evidence, ``2026-11-27``; "" for unknown.
    """

    kind: InsightKind
    name: str
    text: str
    citations: tuple[Citation, ...]
    prediction: bool = False
    since: str = ""


def find(memory: Memory, telling: Telling, connections: Sequence[Connection]) -> tuple[Insight, ...]:
    """All insights that the user's rules do not hold, by kind."""
    several = (
        *_postponed(memory, telling),
        *_waiting(memory, telling),
        *_undated(memory, telling),
        *_faded(memory, telling),
        *_connected(connections, telling),
        *_depending(telling),
        *_expected(memory, telling),
    )
    return tuple(entry for entry in several if not telling.holds(entry.text, entry.citations))


def _named(kind: InsightKind, words: str, source: str, record_id: str) -> str:
    return "-".join(part for part in (kind, md.slug(words, 40), grouping.mark(source, record_id)) if part)


def _of_evidence(
    kind: InsightKind,
    words: str,
    text: str,
    evidence: Sequence[StatementEvidence],
    telling: Telling,
    *,
    prediction: bool = False,
    least: int = 1,
) -> Iterator[Insight]:
    """None unless ``least`` places of it can be cited."""
    cited = telling.citing.of(evidence, _CITED)
    if len(cited) >= least:
        first = evidence[0]
        since = max((place.said_at[:10] for place in evidence), default="")
        yield Insight(
            kind, _named(kind, words, first.source, first.record_id), sentence(text), cited, prediction, since
        )


def _first_places(*loops: Loop) -> list[StatementEvidence]:
    return [place for loop in loops for place in loop.evidence[:1]]


# --- postponed ---------------------------------------------------------------------------------------------------


def _postponed(memory: Memory, telling: Telling) -> Iterator[Insight]:
    """Promises of the user that moved twice or more."""
    wording = telling.wording
    moved = [loop for loop in telling.loops if loop.direction == "you_owe" and loop.moves >= MOVES]
    superseded = [loop for loop in memory.loops if loop.state == "superseded"] if moved else []
    earlier = {loop.id: loop for loop in superseded}
    for loop in sorted(moved, key=lambda loop: (-loop.moves, loop.id))[:LIMIT]:
        chain = [*(earlier[key] for key in loop.supersedes if key in earlier), loop]
        days = [wording.full_day(day) for entry in chain if entry.due and (day := day_of(entry.due.day))]
        text = wording.many(wording.phrases.postponed, loop.moves, what=wording.words(loop), days=" \u2192 ".join(days))
        yield from _of_evidence("postponed", loop.object, text, _first_places(loop, *chain[:-1]), telling)


def _waiting(memory: Memory, telling: Telling) -> Iterator[Insight]:
    """The user's own dated things that have waited long beyond their date."""
    wording, today = telling.wording, date.fromisoformat(memory.now[:10])
    late = [
        ((today - day).days, loop, day)
        for loop in telling.loops
        if loop.direction == "you_owe" and loop.moves < MOVES
        if loop.due and (day := day_of(loop.due.day)) and (today - day).days > WAITED_DAYS
    ]
    for _, loop, day in sorted(late, key=lambda row: (-row[0], row[1].id))[:LIMIT]:
        text = wording.phrases.overdue_long.format(what=wording.words(loop), day=wording.full_day(day))
        yield from _of_evidence("postponed", loop.object, text, loop.evidence, telling)


def _undated(memory: Memory, telling: Telling) -> Iterator[Insight]:
    """The user's own tasks that never had a date and have waited long, the oldest first."""
    wording, today = telling.wording, date.fromisoformat(memory.now[:10])
    waiting = [
        (day, loop)
        for loop in telling.loops
        if loop.kind == "task" and loop.direction == "you_owe" and loop.due is None
        if (day := day_of(loop.since)) and (today - day).days > WAITED_DAYS
    ]
    for day, loop in sorted(waiting, key=lambda row: (row[0], row[1].id))[:LIMIT]:
        text = wording.phrases.waiting_undated.format(what=wording.words(loop), day=wording.full_day(day))
        yield from _of_evidence("postponed", loop.object, text, loop.evidence, telling)


# --- people and projects -----------------------------------------------------------------------------------------


def _faded(memory: Memory, telling: Telling) -> Iterator[Insight]:
    """People with whom regular contact has stopped; those of most records first."""
    wording, today = telling.wording, date.fromisoformat(memory.now[:10])
    silent = [
        (seen, last)
        for seen in memory.people
        if not telling.withheld.of_people(seen.ids)
        if seen.records >= STALE_RECORDS and (last := day_of(seen.last_day)) and (today - last).days > STALE_DAYS
    ]
    for seen, last in sorted(silent, key=lambda row: (-row[0].records, row[0].id))[:LIMIT]:
        text = wording.phrases.faded.format(who=wording.seen(seen), day=wording.full_day(last))
        if cited := telling.cited_person(seen):
            page = _named("faded", wording.name(seen.id) or seen.written, seen.source, seen.record_id)
            yield Insight("faded", page, sentence(text), cited, since=seen.last_day)


def _connected(connections: Sequence[Connection], telling: Telling) -> Iterator[Insight]:
    wording = telling.wording
    own = {wording.directory.known(USER).name.casefold()}
    for connection in connections:
        people = [name for name in connection.people if name.casefold() not in own]
        if len(people) < MOVES:
            continue
        text = wording.phrases.connected.format(
            first=connection.first, last=connection.last, who=wording.listed(people)
        )
        # No record names both, so the page's name says nothing: a purge takes the lines that cite a purged record.
        page = _named("connected", "", connection.first, connection.last)
        yield Insight("connected", page, sentence(text), connection.citations)


def _depending(telling: Telling) -> Iterator[Insight]:
    """What the user owes one person where another promised them the same thing: the one may wait for the other."""
    return islice(_dependences(telling), LIMIT)


def _dependences(telling: Telling) -> Iterator[Insight]:
    wording = telling.wording
    owed = [loop for loop in telling.loops if loop.direction == "owed_to_you" and loop.owner and loop.due]
    names = frozenset(word for loop in owed for word in wording.name(loop.owner or "").casefold().split())
    for loop in telling.loops:
        if loop.direction not in ("you_owe", "asked_of_you"):
            continue
        for other in owed:
            thing = shared_thing(loop.object, other.object, names)
            if not thing or other.owner in (*loop.beneficiaries, *loop.asked):
                continue
            text = wording.phrases.depends.format(
                what=_dated(loop, wording),
                other=_dated(other, wording),
                who=wording.name(other.owner or ""),
                thing=wording.quoted(thing, 60),
            )
            evidence = _first_places(loop, other)
            yield from _of_evidence("connected", loop.object, text, evidence, telling, prediction=True, least=2)


def shared_thing(first: str, last: str, names: Collection[str] = ()) -> str:
    """The longest run of words that both texts have, of at least two words that name something; "" for none.

    ``names``: words of people's names, which say nothing about a thing.
    """
    ours, theirs = first.split(), f" {' '.join(_bare(word) for word in last.split())} "
    runs = [
        run
        for start in range(len(ours))
        for end in range(start + 2, len(ours) + 1)
        if f" {' '.join(map(_bare, run := ours[start:end]))} " in theirs
        if all(map(_names, (run[0], run[-1])))
        if sum(_names(word) and _bare(word) not in names for word in run) >= MOVES
    ]
    longest: list[str] = max(runs, key=len) if runs else []
    return " ".join(longest).strip(_SIGNS)


def _bare(word: str) -> str:
    return word.casefold().strip(_SIGNS)


def _names(word: str) -> bool:
    """Whether a word may name something: short ones are articles and prepositions."""
    bare = _bare(word)
    return len(bare) >= _NAMING or bare.isdigit()


def _dated(loop: Loop, wording: Wording) -> str:
    day = day_of(loop.due.day) if loop.due else None
    return f"{wording.words(loop)} ({wording.full_day(day)})" if day else wording.words(loop)


# --- predictions -------------------------------------------------------------------------------------------------


def _expected(memory: Memory, telling: Telling) -> Iterator[Insight]:
    """Dated promises to the user by people who were late before."""
    wording, history = telling.wording, _history(memory)
    for loop in telling.loops:
        if loop.direction != "owed_to_you" or not loop.due or loop.stage == "overdue" or not loop.owner:
            continue
        before = history.get(loop.owner, [])
        late = [entry for entry, was_late in before if was_late]
        if len(before) >= PROMISES and len(late) >= LATE_SHARE * len(before):
            text = wording.phrases.expected_late.format(
                what=wording.words(loop),
                who=wording.name(loop.owner),
                late=wording.number(len(late)),
                count=wording.number(len(before)),
            )
            evidence = _first_places(loop, *late)
            yield from _of_evidence("expected", loop.object, text, evidence, telling, prediction=True)


def _history(memory: Memory) -> Mapping[PersonId | None, list[tuple[Loop, bool]]]:
    """Dated promises of each person whose date has come, moved or was kept; and whether they were late."""
    by_owner: dict[PersonId | None, list[tuple[Loop, bool]]] = defaultdict(list)
    for loop in memory.loops:
        if loop.kind != "commitment" or not loop.due:
            continue
        if loop.state == "delivered":
            by_owner[loop.owner].append((loop, loop.changed_at[:10] > loop.due.day))
        elif loop.state == "superseded" or loop.stage == "overdue":
            by_owner[loop.owner].append((loop, True))
    return by_owner
