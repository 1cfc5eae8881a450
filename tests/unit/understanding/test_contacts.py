"""Calls, visits, answers and payments on a day: "please call me tomorrow", "I'll get back to you by Friday"."""

from __future__ import annotations

from pathlib import Path

from consumer.understanding import contacts
from consumer.understanding.statements import Commitment, Request
from tests.stories import Story
from tests.tables import table
from tests.unit.understanding.test_terse import read

FRIDAY = "2026-11-27"


@table(
    ("language", "text", "kind", "act", "due"),
    [
        ("en", "Please call me on Friday.", Request, "call me", FRIDAY),
        ("en", "Can you phone me on Friday?", Request, "phone me", FRIDAY),
        ("en", "Please call me on Friday when you have a minute.", Request, "call me", FRIDAY),
        ("en", "Please come by on Friday.", Request, "come by", FRIDAY),
        ("en", "Please sign and return by Friday.", Request, "sign and return", FRIDAY),
        ("en", "OK, I'll call you on Friday.", Commitment, "call you", FRIDAY),
        ("en", "I'll get back to you by Friday.", Commitment, "get back to you", FRIDAY),
        ("en", "I'll let you know by Friday.", Commitment, "let you know", FRIDAY),
        ("en", "I'll pay you back on Friday.", Commitment, "pay you back", FRIDAY),
        ("en", "I'll transfer you 200 on Friday.", Commitment, "transfer you 200", FRIDAY),
        ("de", "Ruf mich bitte am Freitag an.", Request, "Ruf mich", FRIDAY),
        ("de", "Bitte melde dich bis Freitag.", Request, "melde dich", FRIDAY),
        ("de", "Ich melde mich bis Freitag.", Commitment, "melde mich", FRIDAY),
        ("de", "Ich rufe dich am Freitag zurück.", Commitment, "rufe dich", FRIDAY),
        ("fr", "Rappelez-moi vendredi.", Request, "Rappelez-moi", FRIDAY),
        ("fr", "Je vous répondrai vendredi.", Commitment, "vous répondrai", FRIDAY),
        ("es", "Llámame el viernes.", Request, "Llámame", FRIDAY),
        ("es", "Te llamo el viernes.", Commitment, "Te llamo", FRIDAY),
        ("it", "Chiamami venerdì.", Request, "Chiamami", FRIDAY),
        ("it", "Ti faccio sapere entro venerdì.", Commitment, "Ti faccio sapere", FRIDAY),
        ("pt", "Liga-me na sexta-feira.", Request, "Liga-me", FRIDAY),
        ("pt", "Aviso-te até sexta-feira.", Commitment, "Aviso-te", FRIDAY),
        ("nl", "Bel me vrijdag.", Request, "Bel me", FRIDAY),
        ("nl", "Ik laat het je voor vrijdag weten.", Commitment, "laat het je", FRIDAY),
        # Of several.
        ("de", "Wir antworten Ihnen bis Freitag.", Commitment, "antworten Ihnen", FRIDAY),
        ("fr", "Nous vous répondrons vendredi.", Commitment, "vous répondrons", FRIDAY),
        ("es", "Le responderemos antes del viernes.", Commitment, "Le responderemos", FRIDAY),
        ("it", "Vi risponderemo entro venerdì.", Commitment, "Vi risponderemo", FRIDAY),
        # Behind what the author does first.
        ("es", "Lo miro y te contesto el viernes.", Commitment, "te contesto", FRIDAY),
        ("es", "Hablo con Ana y le llamo el viernes.", Commitment, "le llamo", FRIDAY),
        ("fr", "Je vérifie et je te réponds vendredi.", Commitment, "te réponds", FRIDAY),
        ("fr", "Je demande à Anna et te rappelle vendredi.", Commitment, "te rappelle", FRIDAY),
        ("it", "Vedo oggi e ti rispondo venerdì.", Commitment, "ti rispondo", FRIDAY),
        ("pt", "Vou ver e respondo-te na sexta-feira.", Commitment, "respondo-te", FRIDAY),
        ("nl", "Ik overleg en bel je vrijdag.", Commitment, "bel je", FRIDAY),
    ],
)
def test_a_call_or_an_answer_on_a_day_is_a_loop(language: str, text: str, kind: type, act: str, due: str) -> None:
    [loop] = read(text, language)
    assert isinstance(loop, Commitment | Request)
    assert (type(loop), loop.object) == (kind, act)
    assert loop.due
    assert loop.due.day == due


@table(
    ("language", "text", "what"),
    [
        ("de", "Ich schicke die Zahlen.", "Zahlen"), ("de", "Ich buche den Raum.", "Raum"),
        ("nl", "Ik stuur de cijfers.", "cijfers"), ("nl", "Ik boek de zaal.", "zaal"),
        ("fr", "J'envoie les chiffres.", "chiffres"), ("fr", "Je réserve la salle.", "salle"),
        ("es", "Mando los números.", "números"), ("it", "Mando i numeri.", "numeri"),
    ],
)  # fmt: skip
def test_who_sends_or_books_a_certain_thing_promises_it_without_a_day(language: str, text: str, what: str) -> None:
    assert [(type(each), getattr(each, "object", "")) for each in read(text, language)] == [(Commitment, what)]


@table(
    ("language", "text"),
    [
        ("de", "Jeden Freitag schicke ich die Zahlen."), ("de", "Ich schicke Zahlen."),
        ("fr", "J'envoie des chiffres."),
        ("en", "Please call me."), ("en", "I'll call you."), ("en", "Call me if it rains on Friday."),
        ("en", "I'll call you on Friday if I get a chance."),
        ("en", "I might call you on Friday."), ("en", "I won't call you on Friday."),
        ("en", "They'll call you on Friday."), ("en", "I called you on Friday."), ("en", "Shall I call you on Friday?"),
        ("de", "Ich rufe dich an."), ("de", "Ich melde mich am Freitag nicht."), ("fr", "Je vous réponds."),
        ("es", "No te llamo el viernes."), ("it", "Ti chiamo solo per invitarti venerdì."),
        ("en", "I'll let you know how it goes."), ("en", "I'll let you know if I need anything."),
        ("es", "Ana lo mira y te contesta el viernes."), ("es", "Si lo miro y te contesto el viernes, bien."),
        ("es", "Quizás lo miro y te contesto el viernes."), ("fr", "Paul regarde et te répond vendredi."),
        ("en", "I'll let you know."), ("en", "She'll introduce you to Dana."),
    ],
)  # fmt: skip
def test_without_a_day_or_a_promise_there_is_none(language: str, text: str) -> None:
    assert not [each for each in read(text, language) if isinstance(each, Commitment | Request)]


@table(
    ("text", "act", "condition"),
    [
        ("I'll let you know whether the hall is free.", "let you know whether the hall is free", ""),
        ("Let me ask Ann and get back to you.", "get back to you", ""),
        ("I'll introduce you to Dana.", "introduce you to Dana", ""),
        ("I'll forward to Olaf for his review.", "forward to Olaf for his review", ""),
        ("They paint the boat this week and I'll let you know what it costs.", "let you know what it costs", ""),
        ("As soon as the lease is here, I'll let you know.", "let you know", "As soon as the lease is here"),
        ("I'll get back to you once we have met.", "get back to you", "once we have met"),
    ],
)
def test_what_names_its_matter_needs_no_day(text: str, act: str, condition: str) -> None:
    [loop] = read(text, "en")
    assert isinstance(loop, Commitment)
    assert (loop.object, loop.condition, loop.due) == (act, condition, None)


@table(
    ("act", "contact", "answer"),
    [
        ("call me", True, False), ("Ruf mich", True, False), ("Te llamo", True, False), ("get back to you", True, True),
        ("let you know whether the hall is free", True, True), ("Ti faccio sapere", True, True),
        ("Aviso-te", True, True), ("laat het je", True, True), ("Liga-me", True, False), ("Bel me", True, False),
        ("melde mich", True, True), ("vous répondrai", True, True), ("pay you back", False, False),
        ("call the bank", False, False), ("sign and return", False, False), ("write the report", False, False),
    ],
)  # fmt: skip
def test_acts_differ_in_whether_a_word_settles_them(act: str, contact: bool, answer: bool) -> None:
    assert (contacts.is_contact(act), contacts.is_answer(act)) == (contact, answer)


def test_a_promised_answer_is_settled_by_the_next_message_of_that_conversation(tmp_path: Path) -> None:
    story = Story(tmp_path, user="Jeff Lind")
    anna = "Anna Berg <anna@berg.example>"
    story.sent(anna, "I'll get back to you by Friday.", at="2026-11-25 10:00", thread="lease")
    story.sent(anna, "The weather is fine here.", at="2026-11-26 10:00", thread="holidays")
    assert len(story.report("2026-11-26 18:00").loops) == 1
    story.sent(anna, "The landlord takes 900 a month.", at="2026-11-27 10:00", thread="lease")
    assert not story.report("2026-11-27 18:00").loops


def test_a_call_is_told_for_three_days_after_its_day_and_a_payment_longer(tmp_path: Path) -> None:
    for day, acts in (("2026-11-30", ["call you", "pay you back"]), ("2026-12-01", ["pay you back"])):
        story = Story(tmp_path / day, user="Jeff Lind")
        for act in ("call you", "pay you back"):
            story.sent("Anna Berg <anna@berg.example>", f"I'll {act} on Friday.", at="2026-11-25 10:00", thread=act)
        loops = " ".join(map(str, story.report(f"{day} 18:00").loops))
        assert [act for act in ("call you", "pay you back") if act in loops] == acts
