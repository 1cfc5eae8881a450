"""Whose a loop of a mail is, and whether it is still open: threads of Mara's with Ann, Bob and Cleo."""

from __future__ import annotations

from functools import cache

import manifests
import renderers
from consumer.understanding import life, reader
from contract.manifest import SourceEntry
from renderers.base import Item
from tests.tables import table

ZONE = "Europe/London"
MARA, ANN, BOB, CLEO = (
    {"name": f"{name} {family}", "email": f"{name.casefold()}@{family.casefold()}.example"}
    for name, family in (("Mara", "Lindqvist"), ("Ann", "Lee"), ("Bob", "Marsh"), ("Cleo", "Voss"))
)
#: A mail: who writes it, to whom, at what time, its text; its first recipient is the one of its header.
Mail = tuple[dict[str, str], tuple[dict[str, str], ...], str, str]


@cache
def _sources() -> dict[str, SourceEntry]:
    return {entry.source_key: entry for entry in manifests.export_manifest().sources}


def _item(source: str, ident: str, at: str, **data: object) -> Item:
    exported = {"record_id": ident, "occurred_at": at, "updated_at": at, "data": data, "checksum": "sha256:0"}
    return renderers.item({"source_key": source, **exported}, _sources()[source], ZONE)


def _mail(ident: str, mail: Mail, talk: str) -> Item:
    author, to, clock, text = mail
    at, thread = f"2026-11-24T{clock}:00.000000Z", {"channel": "email", "thread_id": talk}
    if author is MARA:
        sent = {"recipient_name": to[0]["name"], "recipient_address": to[0]["email"], "body_text": text, "sent_at": at}
        return _item("outbound_messages", ident, at, **thread, **sent, status="sent")
    got = {"sender_name": author["name"], "sender_address": author["email"], "normalized_text": text}
    return _item("inbound_messages", ident, at, **thread, **got, parse_result={"to": list(to)})


def _loops(*mails: Mail, talks: tuple[str, ...] = ()) -> list[tuple[str, list[str]]]:
    """Of each open loop of the user's: its direction, and the others for whom it is or who are asked.

    ``talks``: the conversations of the mails, by default one.
    """
    items = [_item("user_profiles", "p", "2026-11-01T09:00:00.000000Z", display_name="Mara Lindqvist", timezone=ZONE)]
    several = zip(mails, talks or ("plan",) * len(mails), strict=True)
    items += [_mail(f"m{number}", mail, talk) for number, (mail, talk) in enumerate(several)]
    memory = life.fold([reader.read(item, ZONE, "GB") for item in items], (), "2026-11-24 18:00 +00:00")
    known = [loop for loop in memory.loops if loop.state == "open" and loop.direction != "others"]
    others = [sorted({*loop.beneficiaries, *loop.asked} - {"me"}) for loop in known]
    names = [[memory.directory.name(who) for who in several] for several in others]
    return [(loop.direction, several) for loop, several in zip(known, names, strict=True)]


def _directions(text: str, *to: dict[str, str], author: dict[str, str] = ANN) -> list[str]:
    """Of a mail of Ann's, by default to Mara."""
    return [direction for direction, _ in _loops((author, to or (MARA,), "09:00", text))]


@table(
    "text",
    [
        "It rains.\n\nGuthrie: can you send me the plan?",
        "It rains.\n\nGuthrie: are you planning on attending?",
        "Guthrie, could you send me the plan?",
        "It rains.\n\nTwanda -- please change the dates in the plan.",
        "Es regnet.\n\nGuthrie, kannst du mir den Plan schicken?",
        "Il pleut.\n\nGuthrie, peux-tu m'envoyer le plan ?",
        "Llueve.\n\nGuthrie, ¿puedes enviarme el plano?",
        "Chove.\n\nGuthrie, podes enviar-me o plano?",
        "Piove.\n\nGuthrie, puoi mandarmi il piano?",
        "Het regent.\n\nGuthrie, kun je me het plan sturen?",
        "Hi Jim,\nPlease send me the plan.",
        "Hallo Jim,\nbitte schick mir den Plan.",
    ],
)
def test_what_a_mail_to_the_user_asks_of_somebody_else_by_name_is_not_asked_of_the_user(text: str) -> None:
    assert _directions(text) == []


@table(
    "text",
    [
        "It rains.\n\nMara: can you send me the plan?",
        "It rains.\n\nMara: are you planning on attending?",
        "It rains.\n\nMara -- please change the dates in the plan.",
        "It rains.\n\nLindqvist: can you send me the plan?",
        "It rains.\n\nMeanwhile, please send me the plan.",
        "It rains.\n\nBudget: can you send me the plan?",
        "It rains.\n\nMonday, can you send me the plan?",
        "Es regnet.\n\nSchatz, kannst du mir bitte den Plan schicken?",
        "Il pleut.\n\nBonjour, peux-tu m'envoyer le plan ?",
        "Llueve.\n\nHola, ¿puedes enviarme el plano?",
        "Piove.\n\nAllora, puoi mandarmi il piano?",
        "Het regent.\n\nTrouwens, kun je me het plan sturen?",
        "It rains.\n\nInvoice: could you pay it?",
        "It rains.\n\nContract: please sign and return it.",
        "It rains.\n\nLegal - please send me the contract.",
        "It rains.\n\nBerlin: could you book the hotel?",
        "Es regnet.\n\nRechnung: bitte überweise sie.",
        "Llueve.\n\nFactura: por favor envíame el original.",
    ],
)
def test_what_calls_the_user_or_nobody_by_name_is_asked_of_the_user(text: str) -> None:
    assert _directions(text) == ["asked_of_you"]


@table(
    "text",
    [
        "Tom is not sure about the rest of the week, so will call you about other days.",
        "Tom is looking at it and will let you know whether the hall is free.",
        "My neighbour has the plan and will send you the list by Friday.",
        "I told him I would give you his number.",
        "I promised them to send you the plan by Friday.",
        "Ich habe ihm versprochen, dir den Plan bis Freitag zu schicken.",
        "Je lui ai promis de t'envoyer le plan vendredi.",
        "Gli ho promesso di mandarti il piano venerdì.",
        "Ik heb hem beloofd je het plan vrijdag te sturen.",
    ],
)
def test_what_another_does_or_is_promised_is_no_promise_to_the_reader(text: str) -> None:
    assert _directions(text) == []


@table(
    "text",
    [
        "I talked to Tom and will call you tomorrow.",
        "That works, will send you the plan on Friday.",
        "Sorry this is late, will send you the plan.",
        "Got it, this makes sense, will call you on Monday.",
        "Great news that Tom can come, will book the hall by Friday.",
        "I promised to send you the plan by Friday.",
        "Ich habe dir versprochen, den Plan bis Freitag zu schicken.",
        "Je t'ai promis de t'envoyer le plan vendredi.",
        "Ik heb beloofd je het plan vrijdag te sturen.",
    ],
)
def test_what_the_author_does_or_promises_the_reader_is_a_promise(text: str) -> None:
    assert _directions(text) == ["owed_to_you"]


@table(
    "text",
    [
        "I'll give you my new number: 555 123 4567.",
        "I will give you my private email if they close the desk - ann.lee@home.example.",
        "You may have seen it, but I will send it anyway.",
        "Ich gebe dir meine neue Nummer: 0171 555 12 34.",
        "Je te donne mon numéro : 06 12 34 56 78.",
        "Te doy mi número: 655 123 456.",
    ],
)
def test_what_comes_with_the_mail_is_no_promise(text: str) -> None:
    assert _directions(text) == []


@table("text", ["I'll give you my new number by 4.12.2026.", "I'll send you the address by 2026-12-04."])
def test_a_day_is_no_number_that_comes_with_the_mail(text: str) -> None:
    assert _directions(text) == ["owed_to_you"]


def test_the_user_promises_a_thing_to_whom_they_write_whoever_gets_it() -> None:
    met: Mail = (CLEO, (MARA,), "08:00", "The hall is cold.")
    promise: Mail = (MARA, (ANN,), "09:00", "I'll send Cleo the plan by Friday.")
    assert _loops(met, promise) == [("you_owe", ["Ann Lee"])]
    assert _loops(met, promise, (MARA, (CLEO,), "10:00", "Here is the plan.")) == []
    assert _directions("I'll send Cleo the plan by Friday.", MARA, CLEO) == ["owed_to_you"]


@table(
    ("text", "owed"),
    [
        ("I told him I'd send the plan to Tom.", ["you_owe"]),
        ("I promised them to send Tom the plan by Friday.", ["you_owe"]),
        ("I told him I'd send the plan.", []),
    ],
)
def test_what_the_user_told_somebody_unnamed_is_owed_to_whom_it_names(text: str, owed: list[str]) -> None:
    assert _directions(text, ANN, author=MARA) == owed


def test_a_mail_of_the_users_to_themself_promises_nothing() -> None:
    assert _directions("I'll send you the plan by Friday.", MARA, author=MARA) == []


@table(
    ("text", "owed"),
    [
        ("Note: I'll pay the invoice by Friday.", ["you_owe"]),
        ("Ich bezahle die Rechnung bis Freitag.", ["you_owe"]),
        ("Note: I'll pay the invoice.", []),
        ("Ich schicke dir den Plan bis Freitag.", []),
    ],
)
def test_a_note_of_the_users_to_themself_needs_a_day(text: str, owed: list[str]) -> None:
    assert _directions(text, MARA, author=MARA) == owed


PLEASE = "Please send me the plan."
TELL = "Please let me know by Friday what you think of the plan."
QUOTED = f"\n\nOn Tue, Nov 24, 2026 at 9:00 AM Ann Lee <ann@lee.example> wrote:\n> {PLEASE}"
OUTLOOK = (
    f"\n\n-----Original Message-----\nFrom: Lee, Ann\nSent: Tuesday, 24 November 2026 09:00\nSubject: Plan\n\n{PLEASE}"
)
ANSWER = "\n\nOn Tue, Nov 24, 2026 at 9:30 AM Mara Lindqvist <mara@lindqvist.example> wrote:\n> It is with the notary."


@table(
    ("asks", "later", "is_open"),
    [
        (PLEASE, (MARA, (ANN,), "09:04", f"It is with the notary.{QUOTED}"), False),
        (PLEASE, (MARA, (ANN,), "09:04", f"It is with the notary.{OUTLOOK}"), False),
        (PLEASE, (MARA, (ANN,), "09:04", "It is with the notary."), True),
        (PLEASE, (MARA, (ANN,), "09:04", f"Hi Ann,\n\nWhich plan do you mean?\n\nMara{QUOTED}"), True),
        (PLEASE, (MARA, (BOB,), "09:04", f"It is with the notary.{QUOTED}"), True),
        (PLEASE, (MARA, (ANN,), "08:04", f"It is with the notary.{QUOTED}"), True),
        (PLEASE, (MARA, (ANN,), "08:58", f"It is with the notary.{QUOTED}"), False),
        (PLEASE, (ANN, (MARA,), "11:00", f"Thank you.{ANSWER}"), False),
        (PLEASE, (BOB, (MARA,), "11:00", f"Thank you.{ANSWER}"), True),
        (PLEASE + ANSWER, (ANN, (MARA,), "11:00", f"Thank you.{ANSWER}"), True),
        ("Please send me the plan by Friday.", (MARA, (ANN,), "09:04", f"It is with the notary.{QUOTED}"), True),
        (TELL, (MARA, (ANN,), "09:04", "It looks fine."), False),
        ("I would appreciate any information about the post.", (MARA, (ANN,), "09:04", "My desk knows."), False),
    ],
)  # fmt: skip
def test_the_users_answer_by_mail_ends_what_was_asked(asks: str, later: Mail, is_open: bool) -> None:
    directions = [direction for direction, _ in _loops((ANN, (MARA,), "09:00", asks), later)]
    assert ("asked_of_you" in directions) is is_open


DEMAND = "Please give the money that you got for the old hall to the people of the quay"


@table(
    ("asks", "count"),
    [
        ([f"{DEMAND} now.", f"{DEMAND}, Cleo", f"{DEMAND}."], 0),
        ([f"{DEMAND} now.", f"{DEMAND}, Cleo"], 2),
        (["Please send me the list of guests."] * 3, 3),
    ],
)
def test_what_three_people_ask_in_the_same_long_words_is_a_campaign(asks: list[str], count: int) -> None:
    mails = [(author, (MARA,), "09:00", text) for author, text in zip((ANN, BOB, CLEO), asks, strict=False)]
    assert len(_loops(*mails, talks=("one", "two", "three")[: len(mails)])) == count


BY_MARA = "On Tue, Nov 24, 2026 at 9:30 AM Mara Lindqvist <mara@lindqvist.example> wrote:"
TELL_QUOTED = (
    f"\n\nOn Tue, Nov 24, 2026 at 9:00 AM Ann Lee <ann@lee.example> wrote:\n> Thank you. {TELL[:40]}\n> {TELL[41:]}"
)


@table(
    ("later", "is_open"),
    [
        ((MARA, (ANN,), "10:00", f"It looks fine.{TELL_QUOTED}"), False),
        ((MARA, (ANN,), "10:00", "It looks fine."), True),
        ((MARA, (BOB,), "10:00", f"It looks fine.{TELL_QUOTED}"), True),
        ((ANN, (MARA,), "10:00", f"Thank you.\n\n{BY_MARA}\n> It looks fine.\n>> {TELL}"), False),
        ((ANN, (MARA,), "10:00", f"Thank you.\n\n{BY_MARA}\n> It looks fine."), True),
    ],
)
def test_in_another_conversation_the_words_of_the_request_tell_what_is_answered(later: Mail, is_open: bool) -> None:
    loops = _loops((ANN, (MARA,), "09:00", TELL), later, talks=("plan", "other"))
    assert (("asked_of_you", ["Ann Lee"]) in loops) is is_open


@table(
    ("asks", "answers", "open_requests"),
    [
        (PLEASE, f"I don't have it yet.{QUOTED}", 1),
        (PLEASE, f"Not yet, the printer is broken.{QUOTED}", 1),
        (PLEASE, f"Let me check with Legal.{QUOTED}", 1),
        (PLEASE, f"Yes.{QUOTED}", 1),
        (PLEASE, f"Ja klar, kommt noch.{QUOTED}", 1),
        (PLEASE, f"I will, promise.{QUOTED}", 1),
        (PLEASE, f"Sorry for the delay. I'll get to it.{QUOTED}", 1),
        (PLEASE, f"Happy birthday, by the way!{QUOTED}", 1),
        (PLEASE, f"When do you need it? I have no time before Monday.{QUOTED}", 1),
        (PLEASE, f"It is not with me yet.{QUOTED}", 1),
        ("Please send me your feedback on the draft.", "Haven't had time yet, sorry.", 1),
        ("Please send me your feedback on the draft.", "I like it.", 0),
        ("Please send me the plan. Please send me the invoice.", f"The plan is attached.{QUOTED}", 1),
    ],
)  # fmt: skip
def test_an_answer_that_puts_it_off_ends_nothing(asks: str, answers: str, open_requests: int) -> None:
    several = _loops((ANN, (MARA,), "09:00", asks), (MARA, (ANN,), "09:04", answers))
    assert len([1 for direction, _ in several if direction in ("asked_of_you", "you_owe")]) == open_requests
