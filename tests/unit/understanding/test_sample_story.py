"""The sample user's sixty days against what a careful reader would want told of them (tests/data/story)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

import pytest

from consumer.understanding import life
from consumer.understanding.memory import Loop, Memory, StatementEvidence
from consumer.understanding.people import PersonId
from local.seed.cast import BY_KEY
from local.seed.sample import main_story
from local.seed.story import STORY_DAY, load
from tests import sample_user
from tests.expected import BEFORE, LOOPS, ExpectedNews, expected

#: Sixty days of records.
pytestmark = pytest.mark.properties

#: The bars of loops, owners and dates, and of all that is expected.
PRECISION: Final = 0.95
RECALL: Final = 0.8
#: Scenes that nobody wrote to anybody, or that were never sent.
SILENT: Final = frozenset({"draft", "briefing"})


def keys_of(evidence: Iterable[StatementEvidence]) -> set[str]:
    """The scenes that these words stand in; of records outside of the story their source."""
    by_record = {record: key for key, record in sample_user.story()[1].items()}
    return {by_record.get((words.source, words.record_id), words.source) for words in evidence}


def id_of(key: str) -> PersonId:
    return f"contact/{sample_user.story()[0].id('contact', key)}"


def kind_of(loop: Loop) -> str:
    return "task" if loop.kind == "task" else loop.direction


def fits(loop: Loop, entry: ExpectedNews) -> bool:
    return (
        kind_of(loop) == entry.kind
        and entry.what.casefold() in loop.object.casefold()
        and loop.state == entry.state
        and bool(keys_of(loop.evidence) & set(entry.records))
    )


def due_of(loop: Loop) -> str:
    return f"{BEFORE * loop.due.before}{loop.due.day} {loop.due.time}".rstrip() if loop.due else ""


def others_of(loop: Loop) -> set[PersonId]:
    """The other side: who owes it, who gets it, who is asked."""
    if loop.direction == "owed_to_you":
        return {loop.owner or ""}
    return set(loop.asked if loop.direction == "asked_by_you" else loop.beneficiaries)


def matched(memory: Memory) -> dict[ExpectedNews, Loop]:
    """Each loop that is expected with the one that memory has; each of memory's loops for one of them."""
    left = list(memory.loops)
    pairs: dict[ExpectedNews, Loop] = {}
    for entry in expected():
        loop = next((loop for loop in left if entry.kind in LOOPS and fits(loop, entry)), None)
        if loop is not None:
            left.remove(loop)
            pairs[entry] = loop
    return pairs


def is_told(entry: ExpectedNews, memory: Memory, loops: Mapping[ExpectedNews, Loop]) -> bool:
    what, records = entry.what.casefold(), set(entry.records)
    match entry.kind:
        case "decided":
            return any(
                what in decision.what.casefold() and keys_of(decision.evidence) & records
                for decision in memory.decisions
            )
        case "changed":
            return any(
                what in change.subject.casefold()
                and change.before.startswith(entry.before)
                and change.after.startswith(entry.after)
                and change.at.startswith(entry.day.isoformat())
                for change in memory.changes
            )
        case "contradicts":
            return any(
                what == contradiction.subject.casefold() + " " + contradiction.attribute.casefold()
                and [side.value for side in contradiction.sides] == list(entry.sides)
                and [side.by for side in contradiction.sides] == [id_of(name) for name in entry.who]
                for contradiction in memory.contradictions
            )
        case "meeting" | "cancelled":
            state = "planned" if entry.kind == "meeting" else "cancelled"
            return any(
                what == meeting.title.casefold() and meeting.starts.startswith(entry.due) and meeting.state == state
                for meeting in memory.meetings
                if not entry.who or set(meeting.attendees) == {id_of(name) for name in entry.who}
            )
        case _:
            return entry in loops


def share(right: Sequence[object], of: Sequence[object]) -> float:
    return len(right) / len(of)


def test_the_expectation_is_about_the_story() -> None:
    keys = sample_user.story()[1]
    days = {scene.get("key"): str(scene.get("at") or scene.get("first") or "")[:10] for scene in load()}
    assert len(expected()) >= 40
    for entry in expected():
        assert entry.records, entry.gist
        assert [key for key in entry.records if key not in keys] == [], entry.gist
        assert [name for name in entry.who if name not in BY_KEY] == [], entry.gist
        assert entry.kind in LOOPS | {"decided", "changed", "contradicts", "meeting", "cancelled"}, entry.gist
        written = [days[key] for key in entry.records if days.get(key)]
        assert not written or min(written) <= entry.day.isoformat() <= STORY_DAY.isoformat(), entry.gist


def test_what_a_careful_reader_would_want_is_told() -> None:
    memory = sample_user.memory()
    loops = matched(memory)
    missed = [entry for entry in expected() if not is_told(entry, memory, loops)]
    hits = [entry for entry in expected() if entry not in missed]
    assert share(hits, expected()) >= RECALL, [entry.gist for entry in missed]
    of_loops = [entry for entry in expected() if entry.kind in LOOPS]
    assert share(list(loops), of_loops) >= RECALL, [entry.gist for entry in of_loops if entry not in loops]


def test_every_open_loop_that_is_told_is_one() -> None:
    memory = sample_user.memory()
    reported = [loop for loop in memory.open_loops() if loop.direction != "others"]
    right = [loop for entry, loop in matched(memory).items() if entry.state == "open"]
    wrong = [f"{loop.object}: {loop.evidence[0].quote}" for loop in reported if loop not in right]
    assert share(right, reported) >= PRECISION, wrong


def test_loops_have_the_right_other_side_and_the_right_day() -> None:
    pairs = matched(sample_user.memory())
    wrong: dict[str, Callable[[ExpectedNews, Loop], bool]] = {
        "who": lambda entry, loop: bool(entry.who) and not {id_of(name) for name in entry.who} <= others_of(loop),
        "due": lambda entry, loop: entry.due != due_of(loop),
    }
    for name, is_wrong in wrong.items():
        faults = [f"{entry.gist}: {due_of(loop)}" for entry, loop in pairs.items() if is_wrong(entry, loop)]
        assert share(faults, list(pairs)) <= 1 - PRECISION, f"{name}: {faults}"


def test_contradictions_and_changes_are_those_of_the_story_alone() -> None:
    memory = sample_user.memory()
    wanted = [entry for entry in expected() if entry.kind in ("contradicts", "changed")]
    assert len(memory.contradictions) + len(memory.changes) == len(wanted)
    assert [entry.gist for entry in wanted if not is_told(entry, memory, {})] == []


def test_machines_drafts_and_briefings_commit_nobody() -> None:
    silent = {scene["key"] for scene in load() if scene["kind"] in SILENT or "sender" in scene}
    silent |= {scene["key"] for scene in load() if scene.get("status") == "failed" or scene["key"].endswith("-away")}
    silent |= {"press-forwarded"}
    assert len(silent) > 20
    assert [loop.object for loop in sample_user.memory().loops if keys_of(loop.evidence) & silent] == []


def test_idle_talk_promises_nothing() -> None:
    idle = {key for key in sample_user.story()[1] if key.startswith(("idle-", "sofie-chat-", "osprey-standup-"))}
    wrong = [loop for loop in sample_user.memory().open_loops() if keys_of(loop.evidence) & idle and not loop.condition]
    assert [loop.evidence[0].quote for loop in wrong] == []


def test_the_launch_is_on_its_new_day_and_nobody_contradicts_it() -> None:
    """The answer to "when does Kestrel launch?": 3 February 2027, before it was 20 January."""
    [change] = [change for change in sample_user.memory().changes if change.subject == "Kestrel launch"]
    assert (change.before, change.after, change.who) == ("2027-01-20", "2027-02-03", id_of("Amara Okonkwo"))
    assert keys_of(change.evidence) == {"move-3"}
    assert "date" not in {contradiction.attribute for contradiction in sample_user.memory().contradictions}


def test_people_with_one_name_stay_two_and_one_with_three_addresses_is_one() -> None:
    memory = sample_user.memory()
    seen = {person.id: person for person in memory.people}
    for key in ("Anna Berg (hall)", "Anna Berg (physio)"):
        assert id_of(key) in seen
        assert BY_KEY[key].address in memory.directory.name(id_of(key))
    dafydd = BY_KEY["Dafydd Pryce"]
    assert len(dafydd.addresses) == 3
    assert set(dafydd.addresses) <= set(memory.directory.known(id_of("Dafydd Pryce")).addresses)
    assert [person.id for person in memory.people if "pryce" in person.written.casefold()] == [id_of("Dafydd Pryce")]


def test_machines_and_the_user_are_no_people() -> None:
    memory = sample_user.memory()
    names = {memory.directory.name(person.id) for person in memory.people}
    senders = {scene["sender"]["name"] for scene in load() if "sender" in scene} - {"Noor Haddad", "Tomás Aguirre"}
    assert names & {*senders, "you", "Mara Lindqvist", "Mara"} == set()
    known = {id_of(key) for key in BY_KEY}
    strangers = [person.written for person in memory.people if person.id not in known]
    assert [name for name in strangers if not name.startswith(("Odd", "Support Desk"))] == []


def shape(today: date) -> set[tuple[object, ...]]:
    """Everything that memory makes of the story on a day, with days counted from it."""
    memory = life.fold(sample_user.readings_of_story(today), now_local=f"{today} 09:00 +01:00")
    scenes = {record: key for key, record in main_story(today)[1].items()}

    def days_until(day: str) -> int:
        return (date.fromisoformat(day[:10]) - today).days

    loops: set[tuple[object, ...]] = {
        (
            scenes.get((loop.evidence[0].source, loop.evidence[0].record_id)),
            loop.direction,
            loop.state,
            days_until(loop.due.last_day) if loop.due else None,
        )
        for loop in memory.loops
    }
    changes = {(change.subject, days_until(change.before), days_until(change.after)) for change in memory.changes}
    return loops | changes | {(contradiction.subject,) for contradiction in memory.contradictions}


def test_the_story_means_the_same_on_whatever_day_it_is_told() -> None:
    """Weekdays in its mails, a month with another number of days, summer time: every day moves along."""
    as_written = shape(STORY_DAY)
    for days in (1, 2, 3, 4, 5, 6, 60, 150):
        assert shape(STORY_DAY + timedelta(days=days)) == as_written, days


def test_a_trip_to_another_zone_moves_no_day() -> None:
    memory = sample_user.memory()
    [visit] = [meeting for meeting in memory.meetings if meeting.title == "Visit to the furnace"]
    assert visit.starts == "2026-11-10 03:00 +01:00"
    [days] = [meeting for meeting in memory.meetings if meeting.title == "In Kaohsiung"]
    assert (days.starts, days.ends) == ("2026-11-09", "2026-11-12")
