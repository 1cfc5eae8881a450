"""Tasks and decisions that people list in notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer.understanding import notelists
from consumer.understanding.notelists import ListedDecision, ListedTask
from consumer.understanding.utterances import ME, UNKNOWN, Person
from tests.stories import Story
from tests.tables import table

BOB, ANN, MARA = Person("Bob Marsh"), Person("Ann Lee"), Person("Mara Lindqvist")
FRIDAY = "2026-11-27 10:00"


def listed(body: str) -> list[tuple[Person, str, str] | str]:
    entries = notelists.listed(body, (BOB, ANN, MARA))
    assert notelists.may_list(body)
    return [(each.owner, each.state, each.text) if isinstance(each, ListedTask) else each.text for each in entries]


@table(
    "heading",
    [
        *("Action items:", "## Action items", "**Next steps**", "TODOs", "1. Actions", "Follow-ups:", "*Tasks:*"),
        *("Aufgaben:", "Nächste Schritte", "Actions :", "À faire :", "Prochaines étapes", "Tareas:", "Próximos pasos"),
        *("Azioni:", "Prossimi passi", "Tarefas:", "Próximos passos", "Actiepunten:", "Vervolgstappen"),
    ],
)
def test_a_list_below_a_heading_has_owners(heading: str) -> None:
    entries = "- Bob -> send the drawings\n* @Ann review the budget\n1. Book the ferry (Mara)\n- Bob bucht die Halle"
    body = f"Good talk.\n\n{heading}\n\n{entries}\n\nBye."
    assert listed(body) == [
        (BOB, "open", "send the drawings"),
        (ANN, "open", "review the budget"),
        (MARA, "open", "Book the ferry"),
        (BOB, "open", "Bob bucht die Halle"),
    ]


@table(
    ("entry", "state"),
    [
        ("send the drawings (done)", "done"), ("send the drawings - done", "done"), ("send the drawings ✅", "done"),
        ("send the drawings (done 24 Nov)", "done"), ("send the drawings - erledigt", "done"),
        ("send the drawings (fait)", "done"), ("send the drawings - hecho", "done"),
        ("send the drawings (feito)", "done"), ("send the drawings (fatto)", "done"),
        ("send the drawings - klaar", "done"), ("send the drawings: done!", "done"),
        ("send the drawings (done by Friday)", "open"), ("get the drawings done", "open"),
        ("send the drawings (not done)", "open"),
    ],
)  # fmt: skip
def test_a_mark_behind_an_entry_says_that_it_is_done(entry: str, state: str) -> None:
    expected = "send the drawings" if state == "done" else entry
    assert listed(f"Action items\n- Bob: {entry}") == [(BOB, state, expected)]


def test_a_list_ends_with_the_next_paragraph_and_other_lists_are_no_tasks() -> None:
    body = "Present:\n- Bob: on the phone\n\nTasks\n- Bob: send it\nThen we ate.\n- Bob: had fish\n# Menu\n- Ann: soup"
    assert listed(body) == [(BOB, "open", "send it")]


@table(
    ("text", "owner", "state"),
    [
        ("- [ ] Bob Marsh to send the drawings", BOB, "open"),
        ("- [x] Ann to review the budget", ANN, "done"),
        ("- [ ] Ann wird das Budget prüfen", ANN, "open"),
        ("- [ ] send the drawings", UNKNOWN, "open"),
        ("- [ ] Zoe to send the drawings", UNKNOWN, "open"),
        ("TODO @Bob send the drawings", BOB, "open"),
        ("TODO: send the drawings", UNKNOWN, "open"),
        ("À faire : envoyer les plans", UNKNOWN, "open"),
    ],
)
def test_a_box_or_a_todo_needs_no_heading(text: str, owner: Person, state: str) -> None:
    (task,) = notelists.listed(text, (BOB, ANN, MARA))
    assert isinstance(task, ListedTask)
    assert (task.owner, task.state, task.own) == (owner, state, True)


@table(
    "header",
    [
        "| Owner | Task | Due | Status |",
        "| Wer | Was | Bis | Status |",
        "| Qui | Tâche | Échéance | État |",
        "| Responsable | Tarea | Plazo | Estado |",
    ],
)
def test_a_table_of_tasks(header: str) -> None:
    body = (
        f"{header}\n|---|---|---|---|\n| Bob | Send the drawings | 27 Nov | open |\n| Mara | Book it | 30 Nov | done |"
    )
    assert listed(body) == [(BOB, "open", "Send the drawings"), (MARA, "done", "Book it")]
    assert [each.due for each in notelists.listed(body, (BOB,)) if isinstance(each, ListedTask)] == ["27 Nov", "30 Nov"]


@table(
    "body",
    [
        "| Owner | Phone |\n|---|---|\n| Bob | 555 |",
        "| Crane | Price |\n|---|---|\n| red | 900 |",
        "Tasks\n- none\n- n/a",
        "Decisions\n- Which crane?\n- none",
        "We decided nothing, and Bob: well.",
        "x | y | z",
    ],
)
def test_what_is_no_list_of_tasks(body: str) -> None:
    assert list(notelists.listed(body, (BOB, ANN, MARA))) == []


@table(
    "heading",
    [
        "Decisions",
        "## Key decisions",
        "Decisions made:",
        "Beschlüsse:",
        "Décisions :",
        "Acuerdos",
        "Decisioni",
        "Besluiten",
    ],
)
def test_decisions_below_a_heading(heading: str) -> None:
    body = f"{heading}\n- We take the red crane.\n2. Ship without SSO\n\nTasks\n- Bob: send it"
    entries = list(notelists.listed(body, (BOB,)))
    assert entries[:2] == [ListedDecision("We take the red crane."), ListedDecision("Ship without SSO")]
    assert isinstance(entries[2], ListedTask)


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return Story(tmp_path)


def note(story: Story, text: str, *people: str) -> tuple[str, ...]:
    story.note("Weekly", text, at="2026-11-25", attendees=[{"name": name} for name in people])
    return story.report(FRIDAY).loops


def test_minutes_tell_who_does_what_by_when_and_once(story: Story) -> None:
    text = (
        "Action items:\n- Bob: send the crane drawings by Monday\n- Mara to book the ferry by Tuesday\n"
        "- [x] Ann to review the budget\n- clean the pier\n"
    )
    assert note(story, text, "Bob Marsh", "Ann Lee", "Mara Lindqvist") == (
        "“Mara to book the ferry by Tuesday” is on your list, due Tue 1 Dec.",
        "“send the crane drawings by Monday” is assigned to Bob Marsh, due Mon 30 Nov.",
    )


def test_a_list_without_others_is_the_users(story: Story) -> None:
    assert note(story, "Next steps\n- clean the pier by Monday\n") == (
        "“clean the pier by Monday” is on your list, due Mon 30 Nov.",
    )


def test_listed_decisions_are_told_once(story: Story) -> None:
    story.note("Weekly", "Decisions\n- We decided to take the red crane.\n- Ship without SSO", at="2026-11-25")
    page = story.report(FRIDAY).page
    assert page.count("red crane” (") == 1
    assert "“Ship without SSO” (Weekly" in page


def test_me_is_who_writes() -> None:
    (task,) = notelists.listed("Tasks\n- me: pay the rent", (BOB,))
    assert isinstance(task, ListedTask)
    assert task.owner == ME
