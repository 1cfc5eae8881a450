"""The sample user's sixty days against what a careful reader would want told of them (tests/data/story)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from consumer.understanding.memory import Loop, Memory, StatementEvidence
from consumer.understanding.people import PersonId
from local.seed.cast import BY_KEY
from local.seed.story import STORY_DAY, load
from tests import sample_user

EXPECTED: Final = Path(__file__).parents[2] / "data/story/expected.yaml"
#: The bars of loops, owners and dates, and of all that is expected.
PRECISION: Final = 0.95
RECALL: Final = 0.8
LOOPS: Final = frozenset({"task", "you_owe", "owed_to_you", "asked_of_you", "asked_by_you"})
#: Scenes that nobody wrote to anybody, or that were never sent.
SILENT: Final = frozenset({"draft", "briefing"})


@dataclass(frozen=True)
class ExpectedNews:
    """An entry of the file; see its head for the fields."""

    kind: str
    day: date
    what: str
    gist: str
    records: tuple[str, ...]
    state: str = ""
    due: str = ""
    who: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    private: bool = False


@cache
def expected() -> tuple[ExpectedNews, ...]:
    entries: list[dict[str, Any]] = yaml.safe_load(EXPECTED.read_text("utf-8"))
    for entry in entries:
        entry.update({name: tuple(entry[name]) for name in ("records", "who", "sides") if name in entry})
        entry["due"] = str(entry.get("due", ""))
    return tuple(ExpectedNews(**entry) for entry in entries)


def keys_of(evidence: Iterable[StatementEvidence]) -> set[str]:
    """The scenes that these words stand in; of records outside of the story their source."""
    by_record = {record: key for key, record in sample_user.story()[1].items()}
    return {by_record.get((one.source, one.record_id), one.source) for one in evidence}


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
    return f"{loop.due.day} {loop.due.time}".rstrip() if loop.due else ""


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
            return any(what in one.what.casefold() and keys_of(one.evidence) & records for one in memory.decisions)
        case "changed":
            return any(
                what in one.subject.casefold()
                and one.before.startswith(entry.before)
                and one.after.startswith(entry.after)
                and one.at.startswith(entry.day.isoformat())
                for one in memory.changes
            )
        case "contradicts":
            return any(
                what == one.subject.casefold() + " " + one.attribute.casefold()
                and [side.value for side in one.sides] == list(entry.sides)
                and [side.by for side in one.sides] == [id_of(name) for name in entry.who]
                for one in memory.contradictions
            )
        case "meeting" | "cancelled":
            state = "planned" if entry.kind == "meeting" else "cancelled"
            return any(
                what == one.title.casefold() and one.starts.startswith(entry.due) and one.state == state
                for one in memory.meetings
                if not entry.who or set(one.attendees) == {id_of(name) for name in entry.who}
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
        said = [days[key] for key in entry.records if days.get(key)]
        assert not said or min(said) <= entry.day.isoformat() <= STORY_DAY.isoformat(), entry.gist


def test_what_a_careful_reader_would_want_is_told() -> None:
    memory = sample_user.memory()
    loops = matched(memory)
    missed = [entry for entry in expected() if not is_told(entry, memory, loops)]
    told = [entry for entry in expected() if entry not in missed]
    assert share(told, expected()) >= RECALL, [entry.gist for entry in missed]
    of_loops = [entry for entry in expected() if entry.kind in LOOPS]
    assert share(list(loops), of_loops) >= RECALL, [entry.gist for entry in of_loops if entry not in loops]


def test_every_open_loop_that_is_told_is_one() -> None:
    memory = sample_user.memory()
    told = [loop for loop in memory.open_loops() if loop.direction != "others"]
    right = [loop for entry, loop in matched(memory).items() if entry.state == "open"]
    wrong = [f"{loop.object}: {loop.evidence[0].quote}" for loop in told if loop not in right]
    assert share(right, told) >= PRECISION, wrong


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
    told = [loop for loop in sample_user.memory().open_loops() if keys_of(loop.evidence) & idle and not loop.condition]
    assert [loop.evidence[0].quote for loop in told] == []


def test_the_launch_is_on_its_new_day_and_nobody_contradicts_it() -> None:
    """The answer to "when does Kestrel launch?": 3 February 2027, before it was 20 January."""
    [change] = [one for one in sample_user.memory().changes if one.subject == "Kestrel launch"]
    assert (change.before, change.after, change.who) == ("2027-01-20", "2027-02-03", id_of("Amara Okonkwo"))
    assert keys_of(change.evidence) == {"move-3"}
    assert [one for one in sample_user.memory().contradictions if one.attribute == "date"] == []


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
    assert len(memory.people) <= len(BY_KEY) + 2, "the two who wrote hostile mails"


def test_a_trip_to_another_zone_moves_no_day() -> None:
    memory = sample_user.memory()
    [visit] = [one for one in memory.meetings if one.title == "Visit to the furnace"]
    assert visit.starts == "2026-11-10 03:00 +01:00"
    [days] = [one for one in memory.meetings if one.title == "In Kaohsiung"]
    assert (days.starts, days.ends) == ("2026-11-09", "2026-11-12")
