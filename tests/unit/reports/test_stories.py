"""What a report says of a few rows, from the app's tables to the lines a person reads.

Each story is of a kind that memory once got wrong: words that seemed to close a task, machines that seemed to promise,
days of another zone, people with one name. ``tests/stories.py`` has the rows' forms.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import orjson
import pytest

from consumer import layout
from consumer.reports import view
from tests.stories import QUIET, Story, Told

ANN = "Ann Lee <ann@lee.example>"
BOB = "Bob Marsh <bob@marsh.example>"
#: A Friday.
FRIDAY = "2026-11-27 10:00"


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return Story(tmp_path)


def silent(report: Told) -> bool:
    """Nothing is open, contradicts or changed its value."""
    return not (report.loops or report.contradictions or any("before" in change for change in report.changes))


def test_an_accepted_request_is_told_in_the_words_of_who_accepted_it(story: Story) -> None:
    story.received(ANN, "Could you send me the lease draft by December 3?", at="2026-11-24", thread="lease")
    story.sent(ANN, "I'll send you the lease draft by December 2.", at="2026-11-25", thread="lease")
    assert story.report(FRIDAY).loops == (
        "You promised Ann Lee: “I'll send you the lease draft by December 2”, due Wed 2 Dec.",
    )


def test_two_promises_of_one_sentence_are_one_line_with_the_date_of_either(story: Story) -> None:
    story.report("2026-11-20 09:00")
    story.received(ANN, "I'll send you the keys, and I'll email you the deck by Monday.", at="2026-11-20 10:00")
    lines = [line["text"] for line in story.report("2026-11-20 11:05").document["lines"]]
    promise = "I'll send you the keys, and I'll email you the deck by Monday"
    assert lines == [f"Ann Lee promised you: \u201c{promise}\u201d, due Mon 23 Nov."]
    assert story.report("2026-11-20 12:05") is QUIET


def test_two_promises_of_one_sentence_with_dates_of_their_own_are_two_lines(story: Story) -> None:
    story.report("2026-11-20 09:00")
    story.received(ANN, "I'll send you the keys by Tuesday and the deck by Monday.", at="2026-11-20 10:00")
    lines = story.report("2026-11-20 11:05").document["lines"]
    assert sorted(line["text"].rpartition(", ")[2] for line in lines) == ["due Mon 23 Nov.", "due Tue 24 Nov."]


@pytest.mark.parametrize(
    ("asks", "replies", "open_loops"),
    [
        ("Which price should I add to the offer?", "", 1),
        ("Which price should I add to the offer?", "The old one.", 0),
        ("Bea, any news on the offer?", "None yet.", 0),
        ("When can you send the offer?", "It rains here.", 1),
        ("Have you sent the offer?", "It rains here.", 1),
        ("Could you send me the offer, which is the newest?", "It rains here.", 1),
        ("Could you send me the plumber's number by Monday?", "Sure: 020 7946 0111, ask for Ben.", 0),
        ("Could you send me the lease by Monday?", "The agent has it: 020 7946 0111.", 1),
    ],
)
def test_a_question_in_a_mail_is_answered_by_any_reply(story: Story, asks: str, replies: str, open_loops: int) -> None:
    story.received(ANN, asks, at="2026-11-26", thread="offer")
    if replies:
        story.sent(ANN, replies, at="2026-11-26 18:00", thread="offer")
    assert len(story.report(FRIDAY).loops) == open_loops


@pytest.mark.parametrize(
    ("first", "second", "thread", "open_loops"),
    [
        ("I'll call you on Tuesday.", "I'll call you on Wednesday.", "boat", 2),
        ("I'll call you on Tuesday.", "I'll call you on Wednesday.", "lease", 1),
        ("I'll call you on Tuesday.", "I'll call you on Tuesday.", "boat", 1),
        ("I'll get back to you by Tuesday.", "I'll get back to you by Wednesday.", "boat", 2),
        ("I'll send you the deck on Tuesday.", "I'll send you the deck on Wednesday.", "boat", 1),
    ],
)
def test_a_call_in_another_conversation_is_another_call(
    story: Story, first: str, second: str, thread: str, open_loops: int
) -> None:
    story.received(ANN, first, at="2026-11-26 09:00", thread="lease")
    story.received(ANN, second, at="2026-11-26 10:00", thread=thread)
    assert len(story.report(FRIDAY).loops) == open_loops


def test_a_yes_to_a_question_promises_nothing(story: Story) -> None:
    story.received(ANN, "What should I put down as your title?", at="2026-11-26", thread="form")
    story.sent(ANN, "Absolutely!", at="2026-11-26 18:00", thread="form")
    assert story.report(FRIDAY).loops == ()


@pytest.mark.parametrize("title", ["Gym", "Tax", "TÜV", "买牛奶", "洗车", "병원", "歯医者"])
def test_a_task_of_a_few_letters_is_told(story: Story, title: str) -> None:
    story.item(title, due_at="2026-11-28T09:00:00Z")
    assert [loop for loop in story.report(FRIDAY).loops if title in loop]


@pytest.mark.parametrize("name", ["Jon", "Bo Li", "Bo", "Ann", "王伟", "李娜", "김민"])
def test_people_with_short_names_are_told(story: Story, name: str) -> None:
    spoken = (f"{name}: Did you like the play?", "Mara: Very much.")
    story.transcript("Theatre", *spoken, at="2026-11-26", attendees=[{"name": name}])
    assert [person for person in story.report(FRIDAY).people if person.startswith(f"{name}:")]


def test_a_sentence_that_promises_two_things_is_told_once(story: Story) -> None:
    story.received(BOB, "I'll take a look at the report in a moment and will send you my remarks.")
    assert len(story.report(FRIDAY).loops) == 1


# --- what closes a loop


BOB_PHONE = "Bob Marsh <+447700900123>"


def messages(story: Story, asked: str, reply: str, channel: str = "whatsapp", by: str = BOB_PHONE) -> None:
    """The user asks Bob, and ``by`` writes three minutes later."""
    story.sent(BOB_PHONE, asked, at="2026-11-27 08:00", thread="t", channel=channel)
    story.received(by, reply, at="2026-11-27 08:03", thread="t", channel=channel)


@pytest.mark.parametrize("reply", ["12 Quay Street", "ask Ann", "on the fridge", "guarda sotto", "在这里"])
def test_on_a_messenger_any_words_answer_a_request_without_a_day(story: Story, reply: str) -> None:
    messages(story, "Can you send me the address?", reply)
    assert story.report("2026-11-27 08:30").loops == ("You asked Bob Marsh: “Can you send me the address?”",)
    assert story.report("2026-11-27 09:30", "backfill_digest").loops == ()


@pytest.mark.parametrize(
    ("asked", "reply", "more"),
    [
        ("Can you send me the address by Monday?", "Ok, which one?", {}),
        ("Can you send me the address?", "Sure", {}),
        ("Can you send me the address?", "Thanks for your mail.", {"channel": "email"}),
        ("Can you send me the address?", "12 Quay Street", {"by": "Ann Lee <+447700900124>"}),
    ],
    ids=["a day", "a promise", "a mail", "somebody else"],
)
def test_these_leave_a_request_open(story: Story, asked: str, reply: str, more: dict[str, str]) -> None:
    messages(story, asked, reply, **more)
    assert len(story.report("2026-11-27 12:00").loops) == 1


def test_a_question_back_leaves_a_request_open(story: Story) -> None:
    messages(story, "Can you send me the address?", "Which one?")
    assert len(story.report("2026-11-27 12:00").loops) == 1


@pytest.mark.parametrize(("reply", "open_loops"), [("[photo]", 0), ("https://example.org/a", 0), ("Nice day", 1)])
def test_a_photo_or_a_link_hands_over_what_was_to_be_sent(story: Story, reply: str, open_loops: int) -> None:
    story.received(BOB_PHONE, "I'll send you the map", at="2026-11-27 08:00", thread="t", channel="whatsapp")
    story.received(BOB_PHONE, reply, at="2026-11-27 08:03", thread="t", channel="whatsapp")
    assert len(story.report("2026-11-27 12:00").loops) == open_loops


def test_the_users_own_words_on_a_messenger_answer_what_they_were_asked(story: Story) -> None:
    story.received(BOB_PHONE, "Can you send me the address?", at="2026-11-27 08:00", thread="t", channel="whatsapp")
    story.sent(BOB_PHONE, "12 Quay Street", at="2026-11-27 08:01", thread="t", channel="whatsapp")
    assert story.report("2026-11-27 12:00").loops == ()


def test_a_tasks_own_state_closes_it_and_no_other_tasks(story: Story) -> None:
    story.item("Call the landlord about the heating", checked=True)
    story.item("Call the landlord about the lease", due_at="2026-11-29T09:00:00Z")
    assert story.report(FRIDAY).loops == (
        "“Call the landlord about the lease” is on your list, due Sun 29 Nov, 09:00.",
    )


@pytest.mark.parametrize(
    "words",
    [
        "Other companies shared their quarterly board report templates with us.",
        "We sent the quarterly report to the board of another client last week.",
        "Thanks for sending the quarterly report to the board in time!",
    ],
)
def test_words_of_others_close_no_task(story: Story, words: str) -> None:
    story.item("Send the quarterly report to the board")
    story.received("Shared Weekly <news@shared.example>", words, at="2026-11-21")
    assert story.report(FRIDAY).loops == ("“Send the quarterly report to the board” is on your list.",)


@pytest.mark.parametrize(
    "words",
    [
        "Has the lease draft for the quay been signed?",
        "The lease draft for the quay was never signed.",
        "Nothing happens until the lease draft for the quay is signed.",
        "What if the lease draft for the quay gets signed?",
        "Nobody has signed the lease draft for the quay.",
        "The lease draft for the quay is yet to be signed.",
        "Did you send the lease draft for the quay?",
        "You have not sent the lease draft for the quay.",
    ],
)
def test_questions_negations_and_conditions_close_no_promise(story: Story, words: str) -> None:
    story.sent(ANN, "I will send the lease draft for the quay by December 3.", thread="t")
    story.received(ANN, words, at="2026-11-24", thread="t")
    assert "You promised Ann Lee: “I will send the lease draft for the quay by December 3”, due Thu 3 Dec." in (
        story.report(FRIDAY).loops
    )


@pytest.mark.parametrize(
    ("author", "words"),
    [
        ("mine", "Please find attached the price deck."),
        ("mine", "Here is the price deck."),
        ("theirs", "No longer needed, thanks."),
        ("theirs", "Got the price deck, thank you!"),
    ],
)
def test_delivery_and_release_close_a_promise(story: Story, author: str, words: str) -> None:
    story.sent(ANN, "I'll send the price deck by Monday.", thread="t")
    if author == "mine":
        story.sent(ANN, words, at="2026-11-23", thread="t")
    else:
        story.received(ANN, words, at="2026-11-23", thread="t")
    assert silent(story.report(FRIDAY))


@pytest.mark.parametrize(
    ("promise", "words"),
    [
        ("I'll send the price deck by Monday.", "Price deck attached."),
        ("I'll send the price deck by Monday.", "Hi Ann,\n\nprice deck attached.\n\nBest, Mara"),
        ("I'll send the price deck by Monday.", "Attached: price deck."),
        ("Ich schicke dir das Angebot bis Montag.", "Angebot anbei."),
        ("Je t'envoie le devis lundi.", "Devis en pièce jointe."),
        ("Te envío el presupuesto el lunes.", "Presupuesto adjunto."),
        ("Ti invio il preventivo lunedì.", "Preventivo in allegato."),
        ("Ik stuur je de offerte maandag.", "Offerte bijgevoegd."),
        ("Envio-te o orçamento na segunda.", "Orçamento em anexo."),
    ],
)
def test_a_few_words_without_a_verb_deliver(story: Story, promise: str, words: str) -> None:
    story.sent(ANN, promise, at="2026-11-21", thread="t")
    story.sent(ANN, words, at="2026-11-23", thread="t")
    assert silent(story.report(FRIDAY))


def test_no_attachment_delivers_nothing(story: Story) -> None:
    story.sent(ANN, "I'll send the price deck by Monday.", thread="t")
    story.received(ANN, "No price deck attached.", at="2026-11-23", thread="t")
    assert len(story.report(FRIDAY).loops) == 1


def moved_entry(story: Story, row_id: str, starts: str, written: str) -> None:
    body = {"start": {"dateTime": story.time(starts).isoformat()}, "attendees": [{"email": "ann@lee.example"}]}
    story.event("Board review", starts, row_id, written=written, source_ref="k", body=body)


def test_a_calendar_entry_that_moved_is_told_in_the_report_that_first_sees_both_times(story: Story) -> None:
    moved_entry(story, "a", "2026-12-02 14:00", "2026-11-20 09:00")
    moved_entry(story, "b", "2026-12-03 09:30", "2026-11-25 09:00")
    (change,) = [text for text in story.report(FRIDAY).changes if "Board review" in text]
    assert change.startswith("Board review: Wed 2 Dec, 14:00 → Thu 3 Dec, 09:30")


@pytest.mark.parametrize("place", ["Room {}", {"displayName": "Room {}"}])
def test_an_entry_that_a_calendar_holds_in_another_place_is_told(place: str | dict[str, str], story: Story) -> None:
    def entry(number: int, written: str) -> None:
        name = place.format(number) if isinstance(place, str) else {"displayName": place["displayName"].format(number)}
        body = {
            "start": {"dateTime": "2026-12-03T09:00:00Z"},
            "location": name,
            "attendees": [{"email": "ann@lee.example"}],
        }
        story.event("Board", "2026-12-03 09:00", "e", source_ref="k", written=written, body=body)

    entry(4, "2026-11-20 09:00")
    story.report("2026-11-26 10:00")
    entry(9, "2026-11-27 09:00")
    story.received(ANN, "I'll send you the price deck by Monday.", at="2026-11-27 09:30")
    assert any("Room 4" in line and "Room 9" in line for line in story.report("2026-11-27 10:00").changes)


def test_a_calendar_entry_that_moves_is_told_in_the_next_digest(story: Story) -> None:
    moved_entry(story, "a", "2026-12-02 14:00", "2026-11-20 09:00")
    story.report(FRIDAY)
    moved_entry(story, "a", "2026-12-03 09:30", "2026-11-27 12:00")
    page = story.report("2026-11-27 13:00").page
    assert "Board review: Wed 2 Dec, 14:00 → Thu 3 Dec, 09:30" in page


def test_an_announced_change_is_told_with_its_new_value_alone(story: Story) -> None:
    story.received(ANN, "The Harbour review has been moved to Thursday.", at="2026-11-25")
    changes = [text for text in story.report(FRIDAY).changes if "Harbour" in text]
    assert changes == ["Harbour review → Thu 26 Nov (Ann Lee, Wed 25 Nov)."]


def test_preparation_of_a_cancelled_meeting_lapses(story: Story) -> None:
    story.note("Board review", "", at="2026-11-30", calendar_event_id="k", note_json={"action_items": []})
    story.event("Board review", at="2026-11-30", source_ref="k")
    story.event("Cancelled: Board review", at="2026-11-30", source_ref="k", event_type="calendar_event_cancelled")
    assert silent(story.report(FRIDAY))


@pytest.mark.parametrize(
    ("title", "prepare", "cancelled"),
    [
        ("Board review", "Slides for the Board review", "Canceled: Board review"),
        ("Board review", "Slides for the Board review", "Board review (cancelled)"),
        ("Vorstandssitzung", "Folien für die Vorstandssitzung", "Abgesagt: Vorstandssitzung"),
        ("Réunion budget", "Préparer la réunion budget", "Annulé : Réunion budget"),
        ("Kwartaaloverleg", "Slides voor het kwartaaloverleg", "Geannuleerd: Kwartaaloverleg"),
    ],
)
def test_a_title_that_says_cancelled_lapses_what_prepares_the_meeting(
    story: Story, title: str, prepare: str, cancelled: str
) -> None:
    starts = "2026-11-30T09:00:00Z"
    body = orjson.dumps({"start": starts, "attendees": [{"email": "ann@lee.example"}]}).decode()
    story.item(prepare, due_at="2026-11-29T18:00:00Z")
    for seq, version in enumerate((title, cancelled)):
        story.event(version, at="2026-11-30", source_ref="k", external_seq=str(seq), occurred_at=starts, body=body)
    assert not story.report(FRIDAY).loops


@pytest.mark.parametrize(
    "details",
    [
        {"attendees": [{"email": "mara@x.example", "self": True, "responseStatus": "declined"}]},
        {"responseStatus": {"response": "declined", "time": "2026-11-20T09:00:00Z"}},
        {"response_status": "declined"},
    ],
)
def test_a_meeting_that_the_user_declined_is_not_on_their_day(story: Story, details: dict[str, object]) -> None:
    story.report("2026-11-26 06:00")
    start = {"start": {"dateTime": "2026-11-27T14:00:00Z"}}
    story.event("Pier review", at="2026-11-26 06:30", body={**start, **details})
    accepted = json.loads(json.dumps(details).replace("declined", "accepted"))
    story.event("Quay review", at="2026-11-26 06:30", body={**start, **accepted})
    ahead = [line["text"] for line in story.report("2026-11-27 07:05").document["day_ahead"]]
    assert ahead == ["“Quay review”, today, Fri 27 Nov, 14:00."]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("@Mara can you review the deck by Monday?", True),
        ("Hey @Mara please review the deck by Monday.", True),
        # Whom of several it asks, nobody can say until one of them accepts.
        ("@Ann @Mara can you review the deck by Monday?", False),
        ("@mara.lindqvist kannst du bis Montag die Liste schicken?", True),
        ("@Mara peux-tu m'envoyer la liste avant lundi ?", True),
        ("@Ann can you review the deck by Monday?", False),
    ],
)
def test_a_mention_at_the_start_says_whom_a_message_asks(story: Story, text: str, asks: bool) -> None:
    story.received(BOB, text, at="2026-11-26", thread="t", channel="slack")
    assert bool([loop for loop in story.report(FRIDAY).loops if "asks you" in loop]) == asks


# --- who commits whom


def test_the_users_own_promise_has_owner_recipient_object_and_day(story: Story) -> None:
    story.sent(ANN, "I will send you the signed Harbor contract by Friday.", at="2026-11-25")
    assert story.report(FRIDAY).loops == (
        "You promised Ann Lee: “I will send you the signed Harbor contract by Friday”, due today, Fri 27 Nov.",
    )


def test_each_voice_of_a_transcript_owes_its_own(story: Story) -> None:
    story.transcript("Sync", "Bob: I'll send the numbers.", "Mara: I will book the room.", at="2026-11-24")
    assert set(story.report(FRIDAY).loops) == {
        "Bob promised you: “I'll send the numbers”.",
        "You promised Bob: “I will book the room”.",
    }


#: Forms of a recorder: the user's end and the other, by channel or by name.
RECORDED = {
    "ends": "Me: I will book the room.\nThem: I'll send the numbers.",
    "channels": json.dumps(
        [
            {"source": "microphone", "text": "I will book the room."},
            {"source": "system", "text": "I'll send the numbers."},
        ]
    ),
    "channels of voices": json.dumps(
        [
            {"speaker": {"source": "microphone"}, "text": "I will book the room."},
            {"speaker": {"source": "speaker"}, "text": "I'll send the numbers."},
        ]
    ),
    "names": json.dumps(
        [
            {"speaker": "Mara Lindqvist", "text": "I will book the room."},
            {"speaker": "Bob Marsh", "text": "I'll send the numbers."},
        ],
        indent=2,
    ),
    "captions": ">> Mara Lindqvist: I will book the room.\n>> Bob Marsh: I'll send the numbers.",
}


@pytest.mark.parametrize("form", list(RECORDED))
def test_both_ends_of_a_call_are_told_apart(story: Story, form: str) -> None:
    attendees = [{"name": "Bob Marsh"}, {"name": "Mara Lindqvist"}]
    story.transcript("Call", RECORDED[form], at="2026-11-24", attendees=attendees)
    assert set(story.report(FRIDAY).loops) == {
        "Bob Marsh promised you: “I'll send the numbers”.",
        "You promised Bob Marsh: “I will book the room”.",
    }


@pytest.mark.parametrize("form", ["ends", "channels", "channels of voices"])
def test_the_other_end_is_nobody_where_several_may_be_there(story: Story, form: str) -> None:
    attendees = [{"name": name} for name in ("Bob Marsh", "Ann Lee", "Mara Lindqvist")]
    story.transcript("Call", RECORDED[form], at="2026-11-24", attendees=attendees)
    assert [loop for loop in story.report(FRIDAY).loops if "numbers" in loop] == []


@pytest.mark.parametrize("label", ["Mara L.", "Mara [Northlight]", "Mara | Northlight", "Mara Lindqvist (Northlight)"])
def test_a_speakers_label_may_have_an_initial_or_a_firm(story: Story, label: str) -> None:
    story.transcript("Sync", "Bob: I'll send the numbers.", f"{label}: I will book the room.", at="2026-11-24")
    assert set(story.report(FRIDAY).loops) == {
        "Bob promised you: “I'll send the numbers”.",
        "You promised Bob: “I will book the room”.",
    }


@pytest.mark.parametrize(
    "words",
    [
        "No need to send anything.",
        "I'll share my screen.",
        "We'll see.",
        "I will never understand this.",
        "Will do my best to be brief.",
        "I'll be honest with you.",
        "I'll let you get back to work.",
    ],
)
def test_idle_talk_commits_nobody(story: Story, words: str) -> None:
    story.sent(ANN, words)
    assert silent(story.report(FRIDAY))


@pytest.mark.parametrize(
    ("sender", "text", "subject", "headers"),
    [
        ("no-reply <no-reply@acme.example>", "Please review our updated privacy policy.", "", {}),
        ("Mugs <hello@mugs.example>", "Order now and we will send you a free mug.\n\nUnsubscribe", "", {}),
        (BOB, "I am away until 1 December. I will reply when I am back.", "Automatic reply: Numbers", {}),
        (BOB, "Ich bin bis 1. Dezember nicht im Büro.", "Abwesenheitsnotiz: Zahlen", {}),
        ("La Banque <ne-pas-repondre@banque.example>", "Veuillez confirmer vos coordonnées avant vendredi.", "", {}),
        ("Deals <deals@shop.example>", "We'll send your order by Monday.", "", {"List-Unsubscribe": "<mailto:x@y>"}),
    ],
)
def test_machines_commit_nobody_and_are_no_people(
    story: Story, sender: str, text: str, subject: str, headers: dict[str, str]
) -> None:
    story.received(sender, text, parse_result={"subject": subject, "headers": headers})
    report = story.report(FRIDAY)
    assert silent(report)
    assert sender == BOB or not report.people


def test_drafts_assistants_and_briefings_commit_nobody(story: Story) -> None:
    to = [{"name": "Ann Lee", "email": "ann@lee.example"}]
    body = "I will deliver the pilot contract by December 9."
    story.put("agentic_drafts", "2026-11-20", title="Pilot", body=body, status="discarded", recipients=to)
    story.chat(("user", "What is on?"), ("assistant", "I'll check your calendar and send you a summary by Friday."))
    for day in ("2026-11-24", "2026-11-27"):
        story.briefing("You still need to book the offsite venue by Friday.", at=day)
    assert silent(story.report(FRIDAY))


def test_a_quoted_promise_is_its_authors_and_counted_once(story: Story) -> None:
    story.sent(ANN, "I'll send the price deck by Monday.", at="2026-11-26", thread="t")
    reply = "Great.\n\nOn Thu, 26 Nov 2026 at 09:00, Mara Lindqvist wrote:\n> I'll send the price deck by Monday."
    for hour in (10, 11):
        story.received(ANN, reply, at=f"2026-11-26 {hour}:00", thread="t")
    assert story.report(FRIDAY).loops == (
        "You promised Ann Lee: “I'll send the price deck by Monday”, due Mon 30 Nov.",
    )


# --- days


def test_days_are_those_of_the_users_zone(tmp_path: Path) -> None:
    story = Story(tmp_path, zone="America/Los_Angeles")
    story.item("Pay the rent", due_at="2026-11-28T07:30:00Z")
    story.item("Call home", due_at="2026-11-27T04:00:00Z")
    assert story.report("2026-11-26 20:10").loops == (
        "“Call home” is on your list, overdue since 20:00 today.",
        "“Pay the rent” is on your list, due tomorrow, Fri 27 Nov, 23:30.",
    )


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("I'll send the agenda tomorrow.", "was due yesterday, Thu 26 Nov"),
        ("I'll send the budget by the end of the week.", "due today, Fri 27 Nov"),
        ("I'll send the deck by Fri.", "due today, Fri 27 Nov"),
        ("Not in on Friday but I'll send the plan by Tuesday.", "due Tue 1 Dec"),
        ("I'll send the drawings to Dr. Weber by December 2.", "due Wed 2 Dec"),
    ],
)
def test_words_of_days_are_resolved_on_the_day_they_were_written(story: Story, words: str, day: str) -> None:
    story.sent(ANN, words, at="2026-11-25")
    assert story.report(FRIDAY).loops == (f"You promised Ann Lee: “{words.rstrip('.')}”, {day}.",)


@pytest.mark.parametrize(
    "words",
    [
        "I'll send invoice no. 4 to Ann by December 2.",
        "I'll send the drawings (incl. fig. 3) by Dec. 2.",
        "I'll send the drawings to J. R. Weber by December 2.",
        "I'll send the drawings to Washington D.C. by December 2.",
        "I'll send the drawings, e.g. the quay, by December 2.",
        "I'll send the drawings to Sra. García by December 2.",
        "Ich schicke Hrn. Dr. Weber die Pläne bis 2. Dezember.",
        "Ich schicke dir z. B. die Pläne bis zum 2. Dezember.",
        "Ich schicke der Fa. Weber die Pläne bis 2. Dezember.",
        "Je t'envoie les plans (cf. p. 4) le 2 décembre.",
        "Te envío los planos de EE. UU. el 2 de diciembre.",
        "Envio-te os planos da Av. Brasil até 2 de dezembro.",
        "Ti invio i disegni dell'avv. Rossi entro il 2 dicembre.",
        "Ik stuur je de tekeningen m.b.t. de kade uiterlijk 2 december.",
    ],
)
def test_a_dot_of_an_abbreviation_cuts_no_date_off(story: Story, words: str) -> None:
    story.sent(BOB, words, at="2026-11-25")
    assert story.report(FRIDAY).loops == (f"You promised Bob Marsh: “{words.removesuffix('.')}”, due Wed 2 Dec.",)


@pytest.mark.parametrize(
    ("zone", "locale", "day"),
    [
        ("America/New_York", None, ", due Thu 3 Dec"),
        ("America/Chicago", "en-US", ", due Thu 3 Dec"),
        ("Europe/London", "en_US", ", due Thu 3 Dec"),
        ("Europe/London", None, ""),
        ("America/New_York", "en-GB", ""),
        ("America/Toronto", None, ""),
        ("UTC", "en", ""),
        ("UTC", 7, ""),
    ],
)
def test_the_order_of_day_and_month_is_the_users(tmp_path: Path, zone: str, locale: object, day: str) -> None:
    """12 March was over when it was written. Canadians write both orders, and UTC is no country's: no day, no guess."""
    story = Story(tmp_path, zone=zone)
    story.put("user_profiles", "2026-11-02", display_name=story.user, preferences={"locale": locale})
    story.sent(ANN, "I'll send the contract by 12/03/2026.", at="2026-11-20")
    assert story.report(FRIDAY).loops == (f"You promised Ann Lee: “I'll send the contract by 12/03/2026”{day}.",)


@pytest.mark.parametrize(
    ("zone", "locale", "kept"),
    [
        ("Europe/Vienna", "de-CH", "de-CH"),
        ("Europe/Vienna", "de", "de-AT"),
        ("Europe/London", None, "en-GB"),
        ("UTC", None, "en"),
    ],
)
def test_what_is_kept_for_the_owner_names_their_locale(tmp_path: Path, zone: str, locale: object, kept: str) -> None:
    story = Story(tmp_path, zone=zone)
    story.put("user_profiles", "2026-11-02", display_name=story.user, preferences={"locale": locale})
    story.sent(ANN, "I'll send the contract by Friday.", at="2026-11-20")
    story.report(FRIDAY)
    assert orjson.loads((story.root / layout.TODAY).read_bytes())["locale"] == kept


def test_another_locale_resolves_the_days_again(story: Story) -> None:
    story.put("user_profiles", "2026-11-02", "me", display_name=story.user)
    story.sent(ANN, "I'll send the contract by 12/01/2026.", at="2026-11-20")
    assert "due" not in story.report(FRIDAY).loops[0]
    story.put("user_profiles", "2026-11-02", "me", display_name=story.user, preferences={"locale": "en-US"})
    assert "due Tue 1 Dec" in story.report(FRIDAY, "backfill_digest").loops[0]


def test_a_backfill_lists_six_of_a_kind_and_links_the_page_with_the_others(story: Story) -> None:
    for number, letter in enumerate("ABCDEFGH", 1):
        story.sent(ANN, f"I'll send plan {letter} of the bridge by December {number}.", at="2026-11-20")
        story.received(BOB, f"We decided to rent hall {letter}.", at=f"2026-11-{number + 10}")
    page = story.report(FRIDAY).page
    owed, decided = (
        page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0] for heading in ("You owe", "What was decided")
    )
    assert len(re.findall("^- Ann Lee: ", owed, re.MULTILINE)) == view.OWED == 6
    assert owed.endswith("\n[and 2 more](../../OPEN_LOOPS.md).\n")
    assert len(re.findall("^- ", decided, re.MULTILINE)) == view.DECISIONS == 6
    assert decided.endswith("\n[and 2 more](../../DECISIONS.md).\n")


@pytest.mark.parametrize("name", ["Bob", "Bob Marsh", "Oslo", "Dr. Weber"])
def test_what_the_user_promises_is_owed_to_the_reader_whoever_gets_it(story: Story, name: str) -> None:
    story.received(BOB, "The hall is cold.", at="2026-11-24")
    story.sent(ANN, f"I'll send the drawings to {name} by December 2.", at="2026-11-25")
    assert story.report(FRIDAY).loops == (
        f"You promised Ann Lee: “I'll send the drawings to {name} by December 2”, due Wed 2 Dec.",
    )


@pytest.mark.parametrize(
    ("line", "loops"),
    [
        ("I'll send Ann the numbers by Friday.", 0),
        ("I'll send you the numbers by Friday, Ann.", 0),
        ("Mara, I'll send Ann the numbers by Friday.", 0),
        ("I'll send everybody the numbers by Friday.", 1),
    ],
)
def test_what_one_in_a_meeting_promises_another_is_not_owed_to_the_user(story: Story, line: str, loops: int) -> None:
    story.transcript("Sync", f"Bob: {line}", at="2026-11-24", attendees=["Bob Hale", "Ann Cole", "Mara Lindqvist"])
    assert len(story.report("2026-11-25 10:00").loops) == loops


@pytest.mark.parametrize(
    ("thread", "about"), [("Quay lease", " (“Quay lease”)"), ("CAF9+xQ=aa31-77@mail.example", ""), ("19c2f0d81e", "")]
)
def test_what_it_is_is_told_by_the_conversations_subject_and_not_by_its_id(
    story: Story, thread: str, about: str
) -> None:
    story.received(ANN, "The hall is cold.", at="2026-11-25", thread=thread)
    story.report("2026-11-26 10:00")
    story.sent(ANN, "I'll send it on Monday.", at="2026-11-26 10:30", thread=thread)
    (line,) = story.report("2026-11-26 11:00").document["lines"]
    assert line["text"] == f"You promised Ann Lee: “I'll send it on Monday”{about}, due Mon 30 Nov."


@pytest.mark.parametrize(
    ("rule", "things"),
    [
        ("My chats are private, never in a report.", "price deck, drill"),
        ("Meine Chats sind privat.", "price deck, drill"),
        ("My mails are private, never in a report.", "ladder, keys"),
        ("Mes mails et mes chats sont priv\u00e9s.", ""),
    ],
)
def test_a_rule_about_chats_keeps_no_mail_and_one_about_mails_no_chat(rule: str, things: str, tmp_path: Path) -> None:
    story = Story(tmp_path)
    story.put("user_rules", "2026-11-01", rule_text=rule, enabled=True)
    story.received(ANN, "I'll send you the price deck by Monday.", at="2026-11-25", thread="m")
    story.sent(ANN, "I'll bring you the drill on Monday.", at="2026-11-25")
    bob = "Bob Marsh <+447700900123>"
    story.received(bob, "I'll bring you the ladder on Monday.", at="2026-11-25", thread="w", channel="whatsapp")
    story.received(bob, "I'll bring you the keys on Monday.", at="2026-11-25", channel="slack")
    loops = " ".join(story.report("2026-11-27 10:00").loops)
    assert ", ".join(thing for thing in ("price deck", "drill", "ladder", "keys") if thing in loops) == things


def test_a_meeting_that_a_rule_keeps_private_is_not_told_with_the_people_who_come(story: Story) -> None:
    story.received(ANN, "I'll send you the price deck by Monday.", at="2026-11-25")
    attending = {"start": {"dateTime": "2026-12-02T19:00:00+00:00"}, "attendees": [{"email": "ann@lee.example"}]}
    story.event("Dinner with Zed", "2026-12-02 19:00", body=attending)
    (person,) = story.report(FRIDAY).people
    assert "next meeting Wed 2 Dec, 19:00: Dinner with Zed" in person
    story.put("user_rules", "2026-11-01", rule_text="My calendar is private, never in a report.", enabled=True)
    after = story.report("2026-11-27 11:00", "backfill_digest")
    assert after.people == ("Ann Lee: they owe you one thing; last contact Wed 25 Nov.",)
    assert "Zed" not in after.page


# --- what agrees


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Das Budget für Falcon beträgt €48.000.", "The Falcon budget is 48,000 euros."),
        ("The Falcon budget for Q1 is 40k euros.", "The Falcon budget for Q2 is 55k euros."),
        ("The Falcon budget is 48k euros.", "The Falcon budget is EUR 48,000."),
    ],
)
def test_equal_values_and_other_scopes_do_not_contradict(story: Story, first: str, second: str) -> None:
    story.received("Uwe Kern <uwe@kern.example>", first, at="2026-11-20")
    story.received(ANN, second, at="2026-11-21")
    assert story.report(FRIDAY).contradictions == ()


def test_two_voices_with_two_values_contradict(story: Story) -> None:
    story.received(BOB, "The Falcon budget is 48,000 euros.", at="2026-11-20")
    story.received(ANN, "The Falcon budget is 62,000 euros.", at="2026-11-21")
    (contradiction,) = story.report(FRIDAY).contradictions
    assert "Bob Marsh says 48,000 EUR (Fri 20 Nov)" in contradiction
    assert "Ann Lee says 62,000 EUR (Sat 21 Nov)" in contradiction


# --- what changed


def test_a_change_is_told_in_the_words_before_and_after(story: Story) -> None:
    story.item("Ask Rita", row_id="x", description="She may agree.", due_at="2026-11-30T09:00:00Z")
    story.contact("Rita Voss", "rita@voss.example", row_id="c", job_title="Analyst")
    story.note("Pilot", "The pilot starts in May. Six probes are enough.", row_id="n")
    story.report("2026-11-26 10:00")
    story.item("Ask Rita", row_id="x", description="She refused.", due_at="2026-12-02T09:00:00Z")
    story.contact("Rita Voss", "rita@voss.example", row_id="c", job_title="Head of Sales")
    story.note("Pilot", "The pilot starts in June. Six probes are enough. Ann joins.", row_id="n")
    report = story.report(FRIDAY)
    changes = {change.partition(":")[0]: change.partition(": ")[2] for change in report.changes}
    assert changes["Changed in checklist items"].startswith("“Ask Rita”: “She may agree” before, “She refused” now;")
    assert (
        "“Due: 2026-11-30 09:00 UTC” before, “Due: 2026-12-02 09:00 UTC” now" in (changes["Changed in checklist items"])
    )
    assert changes["Changed in contacts"].endswith("“Title: Analyst” before, “Title: Head of Sales” now.")
    assert changes["Changed in meeting notes"] == (
        "“Meeting note: Pilot”: “The pilot starts in May” before, “The pilot starts in June” now; “Ann joins” is new."
    )
    for change in report.document["sections"]["changes"]:
        assert all(cited["quote"].rstrip(".") in change["text"] for cited in change["citations"])
        assert all(earlier["raw"].startswith("runtime/exports/") for earlier in change["before"])


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("job_title", "Analyst", "Head of Sales"),
        ("job_title", "Leiterin Einkauf", "Leiterin Vertrieb"),
        ("company", "Quay Optics", "Harbor Optics"),
        ("job_title", "营销总监", "销售总监"),
    ],
)
def test_a_changed_field_of_a_contact_is_quoted_before_and_after(
    story: Story, name: str, before: str, after: str
) -> None:
    story.contact("Rita Voss", "rita@voss.example", row_id="c", **{name: before})
    story.report("2026-11-26 10:00")
    story.contact("Rita Voss", "rita@voss.example", row_id="c", **{name: after})
    [change] = story.report(FRIDAY).changes
    assert f"{before}” before" in change
    assert f"{after}” now" in change


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Waiting.", "No."),
        ("ok", "Ella se negó."),
        ("Il a accepté.", "Elle a refusé."),
        ("她同意了。", "她拒绝了。"),
        ("Ja.", "Nee."),
        ("The price is 1,200.", "The price is 1,250."),
        ("Sie hat zugesagt.", "Sie hat abgesagt."),
        ("Aspetta.", "Ha rifiutato."),
        ("À espera.", "Ela recusou."),
        ("Открыто.", "Закрыто."),
        ("대기 중.", "거절했다."),
    ],
)
def test_a_change_of_few_letters_is_quoted(story: Story, before: str, after: str) -> None:
    story.item("Ask Rita", row_id="x", description=before)
    story.report("2026-11-26 10:00")
    story.item("Ask Rita", row_id="x", description=after)
    [change] = story.report(FRIDAY).changes
    old, new = before.rstrip("."), after.rstrip(".")
    assert change == f"Changed in checklist items: “Ask Rita”: “{old}” before, “{new}” now."


def test_a_renamed_note_moves_its_page_and_is_still_one_change(story: Story) -> None:
    story.note("Pilot", "The pilot starts in May.", row_id="n")
    story.report("2026-11-26 10:00")
    story.note("Harbour pilot", "The pilot starts in May.", row_id="n")
    hour = story.report(FRIDAY)
    assert [line["text"] for line in hour.document["lines"]] == [
        "“Meeting note: Harbour pilot”: “Meeting note: Pilot” → “Meeting note: Harbour pilot”."
    ]
    assert len(hour.changes) == 1


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("2026-12-03T09:00:00Z", "2026-12-03T11:00:00Z", "Board: Thu 3 Dec, 09:00 → Thu 3 Dec, 11:00."),
        ("2026-12-03T09:00:00Z", "2026-12-01T11:00:00+02:00", "Board: Thu 3 Dec, 09:00 → Tue 1 Dec, 09:00."),
        ("2026-12-03", "2026-12-04", "Board: Thu 3 Dec → Fri 4 Dec."),
        ("2026-12-03T09:00:00Z", "2026-12-03T10:00:00+01:00", ""),
        ("2026-11-03T09:00:00Z", "2026-11-03T11:00:00Z", ""),
    ],
)
def test_an_entry_that_a_calendar_moves_in_place_is_told(story: Story, before: str, after: str, line: str) -> None:
    """Until it is over, and not if only the offset of its time is another."""
    for starts, now in ((before, "2026-11-26 10:00"), (after, FRIDAY)):
        body = orjson.dumps({"start": starts, "attendees": [{"email": "ann@lee.example"}]}).decode()
        at = starts if "T" in starts else f"{starts}T00:00:00+00:00"
        story.event("Board", at=at, row_id="e", source_ref="k", body=body)
        report = story.report(now)
    assert [each["text"] for each in report.document.get("lines", ())] == ([line] if line else [])


def test_a_version_without_other_words_is_no_change_of_words(story: Story) -> None:
    story.note("Pilot", "The pilot starts in May.", row_id="n", source_ref="a")
    story.report("2026-11-26 10:00")
    story.note("Pilot", "The pilot  starts in May.", row_id="n", source_ref="b")
    assert story.report(FRIDAY) is QUIET


def test_words_that_a_record_lost_are_no_news_of_an_hour_and_stand_in_the_next_report(story: Story) -> None:
    story.note("Pilot", "The pilot starts in May. Six probes are enough.", row_id="n")
    story.report("2026-11-26 10:00")
    story.note("Pilot", "The pilot starts in May.", row_id="n")
    assert story.report(FRIDAY) is QUIET
    story.received(ANN, "I'll send the contract by Monday.", at="2026-11-27")
    changes = story.report("2026-11-27 21:10").changes
    assert "Changed in meeting notes: “Meeting note: Pilot”." in changes


# --- who is who


def test_two_people_with_one_name_are_told_apart(story: Story) -> None:
    for firm in ("bank", "bakery"):
        story.contact("Maria Silva", f"maria@{firm}.example", company=firm.title())
        story.received(f"Maria Silva <maria@{firm}.example>", f"I'll send the {firm} list.", at="2026-11-25")
    report = story.report(FRIDAY)
    assert set(report.loops) == {
        "Maria Silva (maria@bank.example) promised you: “I'll send the bank list”.",
        "Maria Silva (maria@bakery.example) promised you: “I'll send the bakery list”.",
    }
    assert len(report.people) == 2


def test_one_address_is_one_person_by_the_fullest_name(story: Story) -> None:
    spellings = ("Rob Müller <rob@m.example>", "Müller, Robert <rob@m.example>", "R. Mueller <ROB@m.example>")
    for number, sender in enumerate((*spellings, "rob <rob@m.example>")):
        story.received(sender, "The drawings look right.", at=f"2026-11-2{number}", thread="t")
    (person,) = story.report(FRIDAY).people
    assert person.startswith("Rob Müller: ")


def test_neither_the_user_nor_machines_are_people(story: Story) -> None:
    for day in range(1, 6):
        story.received("GitHub <notifications@github.com>", f"alice commented on issue {day}", at=f"2026-11-0{day}")
        story.received(ANN, "Hi Mara Lindqvist, all fine.", at=f"2026-11-2{day}")
        story.received("Shoes <offers@shoes.example>", "Sale! 20 % off.\n\nUnsubscribe", at=f"2026-10-0{day}")
    report = story.report(FRIDAY)
    assert [person.partition(":")[0] for person in report.people] == ["Ann Lee"]
    assert not report.findings["stale"]


def test_a_signature_is_no_theme(story: Story) -> None:
    signature = "Best,\nAnn Lee\nHead of Partnerships, Kestrel Holdings\n+44 20 5550 1234"
    quoted = "On Mon, 16 Nov 2026 at 10:00, Mara Lindqvist wrote:\n> Could you send the annex?\n> Best,\n> Mara"
    for day in range(10, 20):
        text = f"Point {day} is fine with us.\n\n{signature}\n\n{quoted}"
        story.received(ANN, text, at=f"2026-11-{day}", thread=f"t{day}")
    report = story.report(FRIDAY)
    assert not report.findings["themes"]
    assert silent(report)


# --- languages


@pytest.mark.parametrize(
    "words",
    [
        "Ich schicke dir den Vertrag bis Freitag",
        "Te enviaré el contrato firmado el viernes",
        "Je vous envoie le contrat signé vendredi",
        "Ti mando il contratto firmato entro venerdì",
        "Vou enviar o contrato assinado até sexta-feira",
        "Ik stuur je het contract vrijdag",
    ],
)
def test_promises_in_each_language_of_the_rules(story: Story, words: str) -> None:
    story.sent(ANN, f"{words}.", at="2026-11-25")
    assert story.report(FRIDAY).loops == (f"You promised Ann Lee: “{words}”, due today, Fri 27 Nov.",)
