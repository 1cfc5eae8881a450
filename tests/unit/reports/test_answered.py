"""What answers make of what was asked and promised: one line with the new day, none for what is done or given up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stories import Story

ANN = "Ann Lee <ann@lee.example>"
ANN_PHONE, BOB_PHONE = "Ann Lee <+447700900124>", "Bob Marsh <+447700900123>"
#: A Friday.
FRIDAY = "2026-11-27 10:00"


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return Story(tmp_path)


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("Could you send me the lease by Friday?", "Ok, I'll send it on Monday."),
        ("Could you send me the lease by Friday?", "Sorry, I won't manage Friday, but you'll have it on Monday."),
        ("Kannst du mir bis Freitag den Mietvertrag schicken?", "Ich schicke ihn dir am Montag."),
        ("Kannst du mir bis Freitag den Mietvertrag schicken?", "Am Montag bekommst du ihn."),
        ("Peux-tu m'envoyer le bail vendredi ?", "Je te l'envoie lundi."),
        ("Peux-tu m'envoyer le bail vendredi ?", "Oui, tu l'auras d'ici lundi."),
        ("¿Puedes enviarme el contrato el viernes?", "Te lo envío el lunes."),
        ("¿Puedes enviarme el contrato el viernes?", "Vale, lo tendrás el lunes."),
        ("Mi mandi la bozza entro venerdì?", "Te la mando lunedì."),
        ("Podes enviar-me o contrato na sexta?", "Envio-to na segunda."),
        ("Kun je me vrijdag het contract sturen?", "Ik stuur het maandag."),
        ("Kun je me vrijdag het contract sturen?", "Je hebt het maandag."),
        ("Mi mandi la bozza entro venerdì?", "Te la mando lunedì, va bene?"),
        ("Could you send me the lease by Friday?", "I'll send it on Monday, ok?"),
    ],
)
def test_a_request_answered_with_it_and_a_day_is_one_promise_for_that_day(story: Story, asked: str, reply: str) -> None:
    story.received(ANN, asked, at="2026-11-25", thread="lease")
    story.sent(ANN, reply, at="2026-11-25 15:00", thread="lease")
    (loop,) = story.report(FRIDAY).loops
    assert loop.startswith("You promised Ann Lee") and loop.endswith("due Mon 30 Nov.")


def test_it_is_what_was_promised_before_or_nothing_if_that_is_not_one_thing(story: Story) -> None:
    story.sent(ANN, "I'll send you the lease by Friday.", at="2026-11-24", thread="lease")
    story.sent(ANN, "Sorry, I'll send it on Monday.", at="2026-11-25", thread="lease")
    assert [loop.rpartition(", ")[2] for loop in story.report(FRIDAY).loops] == ["due Mon 30 Nov."]
    story.received(ANN, "Could you call Tom?", at="2026-11-25 18:00", thread="lease")
    story.sent(ANN, "I'll send it on Tuesday.", at="2026-11-25 19:00", thread="lease")
    assert len(story.report(FRIDAY).loops) == 2
    story.received(ANN, "Can you send me the map? Can you send me the keys?", at="2026-11-26", thread="lease")
    story.sent(ANN, "I'll send it on Tuesday.", at="2026-11-26 15:00", thread="lease")
    assert len(story.report(FRIDAY).loops) == 5


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Ik stuur je maandag de kaart.", "Ik stuur je de kaart toch pas donderdag."),
        ("Te envío el plano el lunes.", "Al final te envío el plano el jueves."),
        ("Je t'envoie la carte lundi.", "Finalement je t'envoie la carte jeudi."),
        ("Ti mando la pianta lunedì.", "Alla fine ti mando la pianta giovedì."),
        ("Envio-te o mapa na segunda.", "Afinal envio-te o mapa na quinta."),
    ],
)
def test_a_new_day_in_other_words_takes_the_place_of_the_old_one(story: Story, before: str, after: str) -> None:
    story.sent(ANN, before, at="2026-11-24", thread="map")
    story.sent(ANN, after, at="2026-11-26", thread="map")
    (loop,) = story.report(FRIDAY).loops
    assert loop.endswith("due Thu 3 Dec.")


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        (("Can you bring me the saw tomorrow?", "ok, on Saturday"), "tomorrow, Sat 28 Nov."),
        (("Can you send me the map by Monday?", "sure, Tuesday at the latest"), "due Tue 1 Dec."),
        (("Can you send me the map?", "sure, on Tuesday"), "due Tue 1 Dec."),
        (("Kannst du mir bis Montag die Karte schicken?", "Klar, am Dienstag"), "due Tue 1 Dec."),
        (("¿Me mandas el mapa el lunes?", "Vale, el martes"), "due Tue 1 Dec."),
        (("Peux-tu m'envoyer la carte lundi ?", "D'accord, mardi au plus tard"), "due Tue 1 Dec."),
        (("Mi mandi la mappa lunedì?", "Va bene, martedì"), "due Tue 1 Dec."),
        (("Podes mandar-me o mapa na segunda?", "Sim, na terça"), "due Tue 1 Dec."),
        (("Kun je me maandag de kaart sturen?", "Prima, dinsdag"), "due Tue 1 Dec."),
        (("Can you send me the map by Friday?", "sure", "", "I'll send you the map on Monday instead"), "Mon 30 Nov."),
        # Who asks moves it: at once to a later day, to an earlier one when the other agrees.
        (("Can you bring the saw on Saturday?", "sure", "Could you bring the saw on Sunday instead?"), "Sun 29 Nov."),
        (("Can you bring the saw on Sunday?", "sure", "Could you bring the saw on Saturday?"), "Sun 29 Nov."),
        (("Can you bring the saw on Sunday?", "sure", "Could you bring the saw on Saturday?", "ok"), "Sat 28 Nov."),
    ],
)
def test_in_a_chat_the_day_named_last_counts(story: Story, lines: tuple[str, ...], due: str) -> None:
    for number, text in enumerate(lines):
        write = story.sent if number % 2 else story.received
        if text:
            write(BOB_PHONE, text, at=f"2026-11-26 09:{number:02}", thread="t", channel="whatsapp")
    (loop,) = story.report(FRIDAY).loops
    assert loop.startswith("You promised Bob Marsh") and loop.endswith(due)


@pytest.mark.parametrize(("other", "reply"), [("Is it raining?", "yes"), ("Anyone for coffee?", "ok!")])
def test_a_yes_to_somebody_elses_question_is_none_to_the_request_before(story: Story, other: str, reply: str) -> None:
    chat = {"thread": "t", "channel": "whatsapp"}
    story.received(BOB_PHONE, "Mara, can you send me the invoice by Monday?", at="2026-11-26 09:00", **chat)
    story.received(ANN_PHONE, other, at="2026-11-26 09:01", **chat)
    story.sent(BOB_PHONE, reply, at="2026-11-26 09:02", **chat)
    assert story.report(FRIDAY).loops == (
        "Bob Marsh asks you: “Mara, can you send me the invoice by Monday?”, due Mon 30 Nov.",
    )


@pytest.mark.parametrize(
    ("promised", "done", "open_loops"),
    [
        ("I'll send you the map by Monday.", "I sent Ann the map.", 0),
        ("I'll send you the map by Monday.", "I've emailed the map to Ann.", 0),
        ("I'll send you the map by Monday.", "The map is done.", 0),
        ("Ich schicke dir bis Montag den Vertrag.", "Ich habe den Vertrag an Ann geschickt.", 0),
        ("Je t'envoie le contrat lundi.", "J'ai envoyé le contrat à Ann.", 0),
        # To somebody else.
        ("I'll send you the map by Monday.", "I sent Bob the map.", 1),
        ("I'll send you the map by Monday.", "I sent the map to Zoe.", 1),
        ("Ich schicke dir bis Montag den Vertrag.", "Ich habe Bob den Vertrag geschickt.", 1),
        ("Te envío el contrato el lunes.", "Le envié el contrato a Bob.", 1),
        # Another deed.
        ("I'll send you the map by Monday.", "I printed the map.", 1),
        ("I'll send you the map by Monday.", "I deleted the map.", 1),
        ("I'll book the ferry by Monday.", "I cancelled the ferry.", 1),
        ("Je t'envoie le contrat lundi.", "J'ai signé le contrat.", 1),
        ("Ich schicke dir bis Montag den Vertrag.", "Ich habe den Vertrag gelöscht.", 1),
    ],
)
def test_what_the_user_says_they_did_closes_a_promise_of_that_deed_to_that_person(
    story: Story, promised: str, done: str, open_loops: int
) -> None:
    story.received("Bob Marsh <bob@marsh.example>", "All fine.", at="2026-11-20")
    story.sent(ANN, promised, at="2026-11-24")
    story.chat(("user", done), at="2026-11-26")
    assert len(story.report(FRIDAY).loops) == open_loops


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("Could you send me the lease by Monday?", "Please see attached."),
        ("Could you send me the lease by Monday?", "I've just sent it to you."),
        ("Kannst du mir bis Montag den Mietvertrag schicken?", "Siehe Anhang."),
        ("Kannst du mir bis Montag den Mietvertrag schicken?", "Hier ist er."),
        ("Peux-tu m'envoyer le bail lundi ?", "Le voici."),
        ("¿Puedes enviarme el contrato el lunes?", "Aquí lo tienes."),
        ("Mi mandi la bozza entro lunedì?", "Eccola."),
        ("Podes enviar-me o contrato na segunda?", "Já to enviei."),
        ("Kun je me maandag het contract sturen?", "Zie bijlage."),
        # Not done, and nobody waits for it.
        ("Could you send me the lease by Monday?", "I'm afraid that's not possible."),
        ("Could you send me the lease by Monday?", "No, ask Bob for the lease."),
        ("Kannst du mir bis Montag den Mietvertrag schicken?", "Nein, frag bitte Bob."),
    ],
)
def test_a_request_that_is_met_or_refused_in_a_few_words_is_closed(story: Story, asked: str, reply: str) -> None:
    story.received(ANN, asked, at="2026-11-25", thread="lease")
    story.sent(ANN, reply, at="2026-11-25 15:00", thread="lease")
    assert story.report(FRIDAY).loops == ()


@pytest.mark.parametrize(
    ("author", "reply", "open_loops"),
    [
        ("Ann", "The price deck looks great, thanks.", 0),
        ("Ann", "Many thanks for the price deck, it looks great.", 0),
        ("Ann", "No need, I already have the price deck.", 0),
        # Another's, or only a part of it.
        ("Ann", "Got the price deck from Bob, but I still need yours.", 1),
        ("Ann", "Received the price deck from Bob.", 1),
        ("Ann", "The price deck is good for everybody.", 1),
        ("me", "Attached is the first of the price decks, the rest follows on Monday.", 1),
        ("me", "Attached is one of your price decks.", 1),
    ],
)
def test_a_promise_is_closed_by_all_of_what_was_promised(
    story: Story, author: str, reply: str, open_loops: int
) -> None:
    story.sent(ANN, "I'll send you the price deck by Monday.", at="2026-11-24", thread="deck")
    (story.received if author == "Ann" else story.sent)(ANN, reply, at="2026-11-25", thread="deck")
    assert len(story.report(FRIDAY).loops) == open_loops


@pytest.mark.parametrize(
    "text",
    [
        "I hope to send you the drawings by Monday.",
        "No, ask Bob for the lease.",
        "<p><s>I'll send you the plan by Monday.</s> Bob does it.</p>",
    ],
)
def test_a_hope_and_struck_words_are_no_promise_and_a_hint_is_no_request(story: Story, text: str) -> None:
    story.sent(ANN, text, at="2026-11-25")
    assert story.report(FRIDAY).loops == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I'll send the map on Monday.", "Make that Wednesday, sorry - it needs another look."),
        ("I'll send the map on Monday.", "Sorry, the map won't be ready until Wednesday."),
        ("I'll send the map on Monday.", "Sorry Ann, it'll be Wednesday now, I'm afraid."),
        ("Ich schicke dir die Landkarte am Montag.", "Mit der Karte wird es leider erst Mittwoch, 2. Dezember."),
        ("Ich schicke dir die Karte am Montag.", "Die Karte kommt leider erst am Mittwoch."),
        ("Je t'envoie la carte lundi.", "Finalement ce sera mercredi 2 décembre pour la carte."),
        ("Je t'envoie la carte lundi.", "La carte arrivera plutôt mercredi."),
        ("Ti mando la mappa lunedì.", "La mappa arriva mercoledì 2 dicembre, scusa il ritardo."),
        ("Te envío el plano el lunes.", "El plano llegará el miércoles, perdona."),
        ("Te envío el plano el lunes.", "Solo puedo enviarte el plano el miércoles."),
        ("Ik stuur je maandag de kaart.", "Wordt toch woensdag 2 december, sorry."),
        ("Envio-te o mapa na segunda.", "Só consigo enviar-te o mapa na quarta, 2 de dezembro."),
        ("Envio-te o mapa na segunda.", "Afinal fica para quarta."),
        ("I'll send the map on Monday.", "I can't send you the map before Wednesday."),
        ("I'll send the map on Monday.", "Quick update: the map is slipping to Wednesday."),
        ("Je t'envoie la carte lundi.", "La carte ne sera prête que mercredi, désolée !"),
        ("Te envío el plano el lunes.", "No podré mandarte el plano hasta el miércoles."),
        ("Te envío el plano el lunes.", "Te envío el plano el miércoles, no el lunes."),
        ("Vou te mandar o mapa da horta na segunda.", "Só consigo mandar o mapa da horta na quarta."),
    ],
)
def test_a_new_day_without_its_deed_moves_what_was_promised(story: Story, before: str, after: str) -> None:
    story.sent(ANN, before, at="2026-11-24", thread="map")
    story.sent(ANN, after, at="2026-11-26", thread="map")
    (loop,) = story.report(FRIDAY).loops
    assert loop.endswith("due Wed 2 Dec.")


@pytest.mark.parametrize(
    ("sender", "thread", "text"),
    [
        ("me", "map", "The chairs arrive on Wednesday."),
        ("me", "map", "Shall we make that Wednesday?"),
        ("me", "map", "Make that Wednesday or Thursday."),
        ("me", "chairs", "Make that Wednesday, sorry."),
        ("Ann", "map", "Make that Wednesday, sorry."),
        ("me", "map", "The map won't be ready on Wednesday."),
        ("me", "map", "The map is not late, and the chairs come on Wednesday."),
        ("me", "map", "Bob is late with the map, so we meet on Wednesday."),
        ("Ann", "map", "Saturday is fine for the map."),
        ("Ann", "map", "Wednesday is fine for the chairs."),
    ],
)
def test_a_day_of_another_thing_conversation_or_person_moves_nothing(
    story: Story, sender: str, thread: str, text: str
) -> None:
    story.sent(ANN, "I'll send you the map on Monday.", at="2026-11-24", thread="map")
    story.sent(ANN, "Lovely weather.", at="2026-11-25", thread="chairs")
    (story.sent if sender == "me" else story.received)(ANN, text, at="2026-11-26", thread=thread)
    (loop,) = story.report(FRIDAY).loops
    assert loop.endswith("due Mon 30 Nov.")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I'll send you the map on Monday.", "No rush, Wednesday is fine for the map."),
        ("Ich schicke dir die Karte am Montag.", "Hallo Mara, die Karte hat Zeit bis Mittwoch."),
        ("Je t'envoie la carte lundi.", "Mercredi suffit pour la carte."),
        ("Ti mando la mappa lunedì.", "Tranquilla Mara, la mappa va bene anche mercoledì."),
        ("Ik stuur je maandag de kaart.", "Geen haast, de kaart mag ook woensdag."),
    ],
)
def test_whom_a_promise_is_for_may_give_it_more_time(story: Story, before: str, after: str) -> None:
    story.sent(ANN, before, at="2026-11-24", thread="map")
    story.received(ANN, after, at="2026-11-26", thread="map")
    (loop,) = story.report(FRIDAY).loops
    assert loop.endswith("due Wed 2 Dec.")


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("Could you send me the boiler manual by Monday?", "Dear Ann, please find the boiler manual attached."),
        ("Peux-tu m'envoyer le bail d'ici lundi ?", "Je te joins le bail."),
        ("Kannst du mir bis Montag den Plan schicken?", "Der Plan liegt in eurem Ordner: https://drive.example/x"),
        ("Kannst du mir bitte bis Montag die signierte NDA schicken?", "Hallo Ann, anbei die signierte NDA."),
        ("¿Puedes enviarme el contrato antes del lunes?", "Va adjunto el contrato."),
        ("Could you send me the boiler manual by Monday?", "Here you go, manual attached."),
        ("Could you send me the boiler manual by Monday?", "Here you go, boiler manual attached."),
        ("Kannst du mir bis Montag den Belegungsplan schicken?", "Anbei der Plan."),
        ("Kun je me uiterlijk maandag het zaalrooster sturen?", "Hierbij het rooster."),
        ("Peux-tu m'envoyer le cahier de recettes d'ici lundi ?", "Voici le cahier."),
        ("Puoi mandarmi il verbale di collaudo entro lunedì?", "Eccolo in allegato."),
        ("Puoi mandarmi il verbale di collaudo entro lunedì?", "In allegato il verbale."),
        ("Could you send me the lease by Monday?", "No, sorry."),
        ("Could you send me the lease by Monday?", "Sorry, I don't have it, ask Nadia."),
        ("Could you send me the lease by Monday?", "Hi Ann, I don't have the lease, please ask Nadia."),
        ("Kannst du mir bis Montag den Vertrag schicken?", "Den Vertrag habe ich leider nicht, frag bitte Nadia."),
        ("Kannst du mir bis Montag den Vertrag schicken?", "Leider nein, den hab ich nicht, frag mal Nadia."),
        ("Peux-tu m'envoyer le bail d'ici lundi ?", "Désolé, je ne l'ai pas, vois avec Nadia."),
        ("Puoi mandarmi il contratto entro lunedì?", "Purtroppo no, non ce l'ho."),
        ("¿Puedes enviarme el contrato antes del lunes?", "Lo siento, no lo tengo, pregunta a Nadia."),
        ("Podes enviar-me o contrato até segunda?", "Infelizmente não o tenho."),
        ("Kun je me uiterlijk maandag het contract sturen?", "Sorry, ik heb het niet, vraag Nadia."),
    ],
)
def test_a_short_answer_with_or_without_the_thing_ends_a_dated_request(story: Story, asked: str, reply: str) -> None:
    story.received(ANN, asked, at="2026-11-25", thread="x")
    assert len(story.report("2026-11-25 12:00").loops) == 1
    story.sent(ANN, reply, at="2026-11-25 15:00", thread="x")
    assert story.report(FRIDAY, "backfill_digest").loops == ()


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("Could you send me the boiler manual by Monday?", "Here you go, photo attached."),
        ("Kannst du mir bis Montag den Belegungsplan schicken?", "Anbei der Vertrag."),
        ("Kannst du mir bis Montag den Plan schicken?", "Anbei der Belegungsplan."),
        ("Could you send me the lease by Monday?", "Sorry, I don't have it yet, but I'll ask Nadia."),
        ("Could you send me the lease by Monday?", "I don't have it with me."),
    ],
)
def test_another_thing_or_not_yet_ends_no_request(story: Story, asked: str, reply: str) -> None:
    story.received(ANN, asked, at="2026-11-25", thread="x")
    story.sent(ANN, reply, at="2026-11-25 15:00", thread="x")
    assert len(story.report(FRIDAY).loops) >= 1


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("Could you send me the plan by Monday?", "We've sorted this without it, so please disregard."),
        ("Peux-tu m'envoyer le plan d'ici lundi ?", "Bonjour Mara, finalement nous n'en avons plus besoin."),
        ("Kannst du mir bis Montag den Plan schicken?", "Den brauchst du nicht mehr zu schicken."),
        ("Kannst du mir bis Montag den Plan schicken?", "Wir haben ihn gefunden, also hat sich erledigt."),
        ("Kun je me uiterlijk maandag de kaart sturen?", "Die hoeft niet meer, we hebben hem zelf gevonden."),
        ("Kun je me uiterlijk maandag de kaart sturen?", "Kaart binnen, dank!"),
        ("Peux-tu m'envoyer le plan d'ici lundi ?", "Inutile d'envoyer le plan, on l'a trouvé."),
        ("Peux-tu m'envoyer le plan d'ici lundi ?", "On l'a trouvé, donc laisse tomber."),
        ("Puoi mandarmi la pianta entro lunedì?", "L'abbiamo trovata, quindi lascia stare."),
    ],
)
def test_who_asked_and_has_it_or_needs_it_no_more_waits_for_nothing(story: Story, asked: str, words: str) -> None:
    story.received(ANN, asked, at="2026-11-25", thread="x")
    assert len(story.report("2026-11-25 12:00").loops) == 1
    story.received(ANN, words, at="2026-11-25 15:00", thread="x")
    assert story.report(FRIDAY, "backfill_digest").loops == ()


@pytest.mark.parametrize(
    ("promised", "words"),
    [
        ("I'll send you the plan by Monday.", "You already have the plan."),
        ("Ich schicke dir bis Montag den Plan.", "Den Plan hast du ja inzwischen."),
        ("Je t'envoie le plan lundi.", "Tu as déjà le plan."),
        ("Te envío el plano el lunes.", "Ya tienes el plano."),
        ("Envio-te o mapa na segunda.", "Já tens o mapa."),
        ("Ti mando la mappa lunedì.", "Hai già la mappa."),
        ("Ik stuur je maandag de kaart.", "De kaart heb je inmiddels."),
    ],
)
def test_what_its_reader_has_already_is_owed_no_more(story: Story, promised: str, words: str) -> None:
    story.sent(ANN, promised, at="2026-11-24", thread="x")
    assert len(story.report("2026-11-24 12:00").loops) == 1
    story.sent(ANN, words, at="2026-11-25", thread="x")
    assert story.report(FRIDAY, "backfill_digest").loops == ()
