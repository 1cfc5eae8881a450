"""What two mails say of one thing, read by the rules and put together: a change, a contradiction, or neither."""

from __future__ import annotations

from consumer.understanding import reader, rules, titles
from consumer.understanding.life import fold
from consumer.understanding.statements import Fact, Reading
from consumer.understanding.utterances import Person, RecordText, Utterance
from tests.tables import table

ANN, BOB = Person("Ann Lee", "ann@example.org"), Person("Bob Stone", "bob@example.org")
NOW = "2026-11-27 12:00"

#: Language, what Ann writes on the 20th, who writes on the 24th, what, and what is told.
PAIRS = [
    ("en", "The launch of Kestrel is on January 20.", ANN, "The launch of Kestrel is on February 3.", "change"),
    ("en", "The launch of Kestrel is on January 20.", BOB, "The launch of Kestrel is on February 3.", "contradiction"),
    ("en", "The launch of Kestrel is on January 20.", BOB, "We've moved the Kestrel launch to February 3.", "change"),
    ("en", "The launch of Kestrel is on January 20.", BOB, "The launch of Kestrel is on January 20.", ""),
    ("en", "The launch of Kestrel is on January 20.", BOB, "The launch of Osprey is on February 3.", ""),
    ("en", "The launch of Kestrel is on January 20.", BOB, "Is the launch of Kestrel on February 3?", ""),
    ("en", "The launch of Kestrel is on January 20.", BOB, "If the launch of Kestrel is on February 3, call me.", ""),
    ("en", "The deposit for the Quay flat is 1,200 euros.", ANN,
     "The deposit for the Quay flat is 1,500 euros.", "change"),
    ("en", "The deposit for the Quay flat is 1,200 euros.", BOB, "The deposit for the Quay flat is 1,500 euros.",
     "contradiction"),
    ("en", "The deposit for the Quay flat is 1,200 euros.", BOB,
     "The deposit for the Quay flat has been raised from 1,200 to 1,500 euros.", "change"),
    ("en", "The deposit for the Quay flat is 1,200 euros.", BOB, "The rent for the Quay flat is 1,500 euros.", ""),
    ("en", "The Falcon budget for Q1 is 40k euros.", BOB, "The Falcon budget for Q2 is 55k euros.", ""),
    ("en", "The Falcon budget for Q1 is 40k euros.", BOB, "The Falcon budget for Q1 is 55k euros.", "contradiction"),
    ("en", "The Falcon budget for Q1 is 40k euros.", BOB, "The Falcon budget for Q1 is 40,000 euros.", ""),
    ("en", "The Falcon price is 12 euros a month.", BOB, "The Falcon price is 120 euros a year.", ""),
    ("en", "The deadline for abstracts is December 4.", BOB,
     "The deadline for abstracts has been extended to December 18.",
     "change"),
    ("en", "The deadline for abstracts is December 4.", BOB,
     "The deadline for abstracts is December 18.", "contradiction"),
    ("en", "The deadline for abstracts is November 22.", BOB, "The deadline for abstracts is December 18, 2027.", ""),
    ("en", "Homework 3 is due on December 4.", ANN, "Homework 3 is due on December 8.", "change"),
    ("en", "Homework 3 is due on December 4.", ANN, "Homework 3 is due on March 8.", ""),
    ("en", "The next Pier meetup is on December 24.", ANN, "The next Pier meetup is on December 2.", ""),
    ("en", "The release of Osprey is on December 4.", BOB,
     "The release of Osprey is delayed until December 18.", "change"),
    ("en", "R version is 4.1.2.", BOB, "R version is 3.0.2.", ""),
    ("en", "The initial budget is 15k euros.", BOB, "The initial budget is 40k euros.", ""),
    ("en", "Phone: +44 20 7946 0018", BOB, "Phone: +44 20 7946 0991", ""),
    ("de", "Der Start von Kestrel ist am 20. Januar.", ANN, "Der Start von Kestrel ist am 3. Februar.", "change"),
    ("de", "Die Kaution für die Kai-Wohnung beträgt 1.200 Euro.", BOB,
     "Die Kaution für die Kai-Wohnung beträgt 1.500 Euro.",
     "contradiction"),
    ("de", "Das Falcon-Budget für Q1 beträgt 40.000 Euro.", BOB, "Das Falcon-Budget für Q2 beträgt 55.000 Euro.", ""),
    ("de", "Das Falcon-Budget beträgt 40.000 Euro.", BOB, "Das Falcon-Budget beträgt 40k Euro.", ""),
    ("fr", "Le budget de Falcon est de 40 000 euros.", ANN, "Le budget de Falcon est de 55 000 euros.", "change"),
    ("fr", "Le budget de Falcon est de 40 000 euros.", BOB,
     "Le budget de Falcon est de 55 000 euros.", "contradiction"),
    ("fr", "Le budget de Falcon est de 40 000 euros.", BOB, "Le budget de Kestrel est de 55 000 euros.", ""),
    ("es", "El presupuesto de Falcon es de 40.000 euros.", ANN,
     "El presupuesto de Falcon es de 55.000 euros.", "change"),
    ("es", "El presupuesto de Falcon es de 40.000 euros.", BOB, "El presupuesto de Falcon es de 55.000 euros.",
     "contradiction"),
    ("es", "El depósito de Falcon es de 1.200 euros.", BOB,
     "El depósito de Falcon es de 1.500 euros.", "contradiction"),
    ("pt", "O orçamento de Falcon é de 40.000 euros.", ANN, "O orçamento de Falcon é de 55.000 euros.", "change"),
    ("pt", "O orçamento de Falcon é de 40.000 euros.", BOB,
     "O orçamento de Falcon é de 55.000 euros.", "contradiction"),
    ("it", "Il budget di Falcon è di 40.000 euro.", ANN, "Il budget di Falcon è di 55.000 euro.", "change"),
    ("it", "Il budget di Falcon è di 40.000 euro.", BOB, "Il budget di Falcon è di 55.000 euro.", "contradiction"),
    ("it", "La caparra di Falcon è di 1.200 euro.", BOB, "La caparra di Falcon è di 1.200 euro.", ""),
    ("nl", "Het budget van Falcon is 40.000 euro.", ANN, "Het budget van Falcon is 55.000 euro.", "change"),
    ("nl", "Het budget van Falcon is 40.000 euro.", BOB, "Het budget van Falcon is 55.000 euro.", "contradiction"),
    ("nl", "De waarborgsom voor Falcon is 1.200 euro.", BOB,
     "De waarborgsom voor Falcon is 1.500 euro.", "contradiction"),
    # Quarters and halves in words, other bases of a rent, other things that a price is for.
    ("en", "The Falcon budget for the first quarter is 40k euros.", BOB,
     "The Falcon budget for Q1 is 55k euros.", "contradiction"),
    ("en", "The Falcon budget for the first quarter is 40k euros.", BOB, "The Falcon budget for Q2 is 55k euros.", ""),
    ("de", "Das Falcon-Budget für das erste Quartal beträgt 40.000 Euro.", BOB,
     "Das Falcon-Budget für das zweite Quartal beträgt 55.000 Euro.", ""),
    ("de", "Das Falcon-Budget für das erste Halbjahr beträgt 40.000 Euro.", BOB,
     "Das Falcon-Budget für das zweite Halbjahr beträgt 55.000 Euro.", ""),
    ("fr", "Le budget de Falcon pour le premier semestre est de 40 000 euros.", BOB,
     "Le budget de Falcon pour le second semestre est de 55 000 euros.", ""),
    ("en", "The Falcon price is 40 euros per seat.", BOB, "The Falcon price is 400 euros per team.", ""),
    ("en", "The Falcon price is 40 euros per seat.", BOB, "The Falcon price is 44 euros per seat.", "contradiction"),
    ("en", "The Falcon price is 40 euros excl. VAT.", BOB, "The Falcon price is 48 euros incl. VAT.", ""),
    ("de", "Die Miete für die Kai-Wohnung beträgt 1.200 Euro kalt.", BOB,
     "Die Miete für die Kai-Wohnung beträgt 1.450 Euro warm.", ""),
    # Near a value is not another value.
    ("en", "The Falcon budget is about 48,000 euros.", BOB, "The Falcon budget is 48,200 euros.", ""),
    ("en", "The launch of Kestrel is around January 20.", BOB, "The launch of Kestrel is on January 22.", ""),
    ("de", "Das Falcon-Budget beträgt rund 48.000 Euro.", BOB, "Das Falcon-Budget beträgt 48.200 Euro.", ""),
    ("fr", "Le budget de Falcon est d'environ 48 000 euros.", BOB, "Le budget de Falcon est de 48 200 euros.", ""),
    ("es", "El presupuesto de Falcon es de unos 48.000 euros.", BOB,
     "El presupuesto de Falcon es de 48.200 euros.", ""),
    # A word with a colon leads in.
    ("en", "The Falcon budget is 40k euros.", BOB, "Update: the Falcon budget is 55k euros.", "contradiction"),
    ("en", "The Falcon budget is 40k euros.", BOB,
     "Correction: the Falcon budget is 55k euros, not 40k.", "change"),
    ("de", "Das Falcon-Budget beträgt 40.000 Euro.", BOB,
     "Korrektur: Das Falcon-Budget beträgt 55.000 Euro, nicht 40.000 Euro.", "change"),
    ("en", "The Falcon budget is 40k euros for Q1.", BOB, "The Falcon budget is 55k euros for Q2.", ""),
    ("en", "The Falcon budget is 30k euros in 2026.", BOB, "The Falcon budget is 42k euros in 2027.", ""),
    ("en", "The fee for the ski trip is 240 euros for children.", BOB,
     "The fee for the ski trip is 310 euros for adults.", ""),
    ("en", "The fee for the ski trip is 240 euros per child.", BOB,
     "The fee for the ski trip is 310 euros per adult.", ""),
    ("en", "The Harbour Inn rate is 90 euros without breakfast.", BOB,
     "The Harbour Inn rate is 105 euros with breakfast.", ""),
    ("en", "The Harbour Inn rate is 90 euros on weekdays.", BOB, "The Harbour Inn rate is 120 euros on weekends.", ""),
    ("en", "The fee for Pyfest is 200 euros until 30 November.", BOB,
     "The fee for Pyfest is 260 euros from 1 December.", ""),
    ("en", "The Falcon budget is 40k euros.", BOB, "Tom said the Falcon budget is 70k euros.", ""),
    ("en", "The Falcon budget is 40k euros.", BOB, "No, the Falcon budget is 55k euros.", "contradiction"),
    ("en", "The Falcon budget is 40k euros.", ANN, "Sorry, typo: the Falcon budget is 48k euros.", "change"),
    ("en", "Hi Mara, the Falcon budget is 40k euros.", BOB, "So the Falcon budget is 45k euros.", "contradiction"),
    ("en", "The Falcon budget is 48k euros.", BOB,
     "The board has cut the Falcon budget from 48k to 40k euros.", "change"),
    ("en", "The Winter Gala is on 12 December.", BOB,
     "The Winter Gala has been moved from 12 December to 19 December.", "change"),
    ("en", "The Winter Gala is on 12 December.", BOB, "Tom moved the Winter Gala to 19 December.", "change"),
    ("en", "The Winter Gala is on 12 December.", BOB, "The Winter Gala will be on 13 December.", "contradiction"),
    ("en", "The meeting is scheduled for December 1.", BOB, "The meeting is scheduled for December 2.", ""),
    ("en", "The Orion call is on December 1.", BOB, "The Orion call has been moved up to 1:00.", ""),
    ("en", "The guest count for the Harbour wedding is 120.", BOB,
     "The guest count for the Harbour wedding is 95.", "contradiction"),
    ("en", "The number of lockers is 24.", BOB, "The number of lockers is 28.", "contradiction"),
    ("en", "Ann Lee's phone number is +44 20 7946 0018.", ANN,
     "Ann Lee's new phone number is +44 20 7946 0991.", "change"),
    ("en", "The delivery date of the tiles is December 4.", BOB,
     "The delivery of the tiles is delayed to December 11.", "change"),
    ("de", "Das Falcon-Budget beträgt 48.000 Euro.", BOB,
     "Der Vorstand hat das Falcon-Budget von 48.000 auf 40.000 Euro gekürzt.", "change"),
    ("de", "Das Falcon-Budget beträgt 40.000 Euro für das erste Quartal.", BOB,
     "Das Falcon-Budget beträgt 55.000 Euro für das zweite Quartal.", ""),
    ("de", "Die Anzahl der Spinde ist 24.", BOB, "Die Anzahl der Spinde ist 28.", "contradiction"),
    ("fr", "Le budget de Falcon est de 48 000 euros.", BOB,
     "Le conseil a réduit le budget de Falcon de 48 000 à 40 000 euros.", "change"),
    ("fr", "Le tarif de Lexi est de 0,12 euro par mot.", BOB, "Le tarif de Lexi est de 35 euros par page.", ""),
    ("es", "El presupuesto de Falcon es de 48.000 euros.", BOB,
     "La junta ha recortado el presupuesto de Falcon a 40.000 euros.", "change"),
    ("pt", "O lançamento do Falcon é no dia 20 de janeiro.", BOB,
     "A direção adiou o lançamento do Falcon para 3 de fevereiro.", "change"),
    ("it", "Il lancio di Falcon è il 20 gennaio.", BOB,
     "Il consiglio ha spostato il lancio di Falcon al 3 febbraio.", "change"),
    ("nl", "De lancering van Falcon is op 20 januari.", BOB,
     "Het bestuur heeft de lancering van Falcon naar 3 februari verplaatst.", "change"),
    ("es", "El estreno de Caminos es el 20 de enero.", BOB, "El estreno de Caminos es el 3 de febrero.",
     "contradiction"),
    ("it", "La prima di Strade è il 20 gennaio.", BOB, "La prima di Strade è stata spostata al 3 febbraio.", "change"),
    ("fr", "Le prix du séjour à Porto est de 640 euros en basse saison.", BOB,
     "Le prix du séjour à Porto est de 890 euros en haute saison.", ""),
    # Behind a greeting, a call or a notice.
    ("en", "The cost of the zoo trip is 18 pounds.", BOB,
     "Reminder to all parents: the cost of the zoo trip is 22 pounds.", "contradiction"),
    ("en", "Dear parents, Parents Evening will be held on Thursday 3 December.", ANN,
     "Dear parents, please note that Parents Evening has been postponed to Thursday 10 December due to repairs.",
     "change"),
    ("de", "Das Falcon-Budget beträgt 3.000 Euro.", BOB,
     "Hallo Jan, nur zur Info: Das Falcon-Budget ist 2.500 Euro.", "contradiction"),
    ("es", "El precio de la mudanza es de 600 euros.", ANN,
     "Hola Lucía, al final el precio de la mudanza es de 750 euros porque no hay ascensor.", "change"),
    ("pt", "A renda do apartamento da Graça é de 700 euros.", ANN,
     "Rui, a renda do apartamento da Graça sobe para 750 euros.", "change"),
    ("en", "The budget for the trip is 400 euros.", BOB, "In Berlin, the budget for the trip is 600 euros.", ""),
    ("en", "Option 1: the price for the dinner is 60 euros.", BOB,
     "Option 2: the price for the dinner is 75 euros.", ""),
    # What is planned, and what comes at another time.
    ("en", "The scaffold arrives on Monday 30 November.", ANN,
     "Scaffold will now arrive on Wednesday 2 December.", "change"),
    ("en", "The flu clinic on 2 December starts at 9:30.", ANN,
     "Quick change: the flu clinic on 2 December now starts at 11:00 instead of 9:30.", "change"),
    ("fr", "La livraison du site est prévue le 4 décembre.", ANN,
     "La livraison du site est repoussée au 11 décembre.", "change"),
    ("it", "La consegna del divano è prevista per il 3 dicembre.", ANN,
     "La consegna del divano è stata rinviata al 9 dicembre.", "change"),
    ("it", "La consegna del divano è prevista per il 3 dicembre.", ANN,
     "La consegna del tavolo è prevista per il 9 dicembre.", ""),
    ("es", "La entrega de la cocina está prevista para el 2 de diciembre.", ANN,
     "La entrega de la cocina está prevista para el 9 de diciembre.", "change"),
    ("fr", "La livraison du site est prévue le 4 décembre.", BOB,
     "La livraison du site est prévue le 11 décembre.", "contradiction"),
    ("es", "La entrega de la cocina está prevista para el 2 de diciembre.", BOB,
     "La entrega de la cocina está prevista para el 9 de diciembre.", "contradiction"),
    ("pt", "A entrega da cozinha está prevista para 2 de dezembro.", BOB,
     "A entrega da cozinha está prevista para 9 de dezembro.", "contradiction"),
    ("it", "La consegna del divano è prevista per il 3 dicembre.", BOB,
     "La consegna del divano è prevista per il 9 dicembre.", "contradiction"),
    ("nl", "De levering van de bank staat gepland op 3 december.", BOB,
     "De levering van de bank staat gepland op 9 december.", "contradiction"),
    # One of two days is none.
    ("en", "Osprey task #1 is due on Wednesday/Thursday by 6 PM.", ANN,
     "Osprey task #1 is due by 6 PM Tue (12/15) or Wed (12/16).", ""),
    # An event without a name is the same one only within its conversation; what repeats is many.
    ("en", "The school fair is on 5 December.", BOB, "The school fair is on 12 December.", ""),
    # Nor does a label or a word that anything may have mean one thing in two conversations.
    ("en", "Participant fee: 700 dollars.", ANN, "Participant fee: 800 dollars.", ""),
    ("en", "The total is 13 dollars.", ANN, "The total is 64 dollars.", ""),
    ("en", "Your Kestrel cash total is 2,933 dollars.", ANN, "Your Kestrel cash total is 3,256 dollars.", ""),
    ("en", "The cost of this survey is 250 dollars.", BOB, "The cost of this survey is 300 dollars.", ""),
    ("en", "THE PRICE OF THE TICKET IS 370 DOLLARS.", BOB, "THE PRICE OF THE TICKET IS 203 DOLLARS.", ""),
    ("en", "The offer ends on 2 December.", BOB, "The offer ends on 17 December.", ""),
    ("en", "Your night shift is on Saturday 28 November.", ANN, "Your night shift is on Monday 30 November.", ""),
    ("de", "Die Wohnungsübergabe ist am 1. Dezember.", ANN,
     "Kein Problem, wir verschieben die Wohnungsübergabe auf den 3. Dezember um 10 Uhr.", "change"),
]  # fmt: skip


def mail(number: int, author: Person, text: str, day: int, language: str, *, thread: str = "") -> Reading:
    said_at = f"2026-11-{day} 09:00 +00:00"
    other = BOB if author == ANN else ANN
    utterance = Utterance(0, author, (other,), said_at, "written", text, language)
    record = RecordText("inbound_messages", f"m{number}", thread or f"email/{number}", (utterance,), (author, other))
    return reader.put_together(record, said_at, rules.read(record, region="US")[0])


def test_labels_of_two_conversations_are_not_compared() -> None:
    labels = [
        mail(1, ANN, "Osprey budget: 40,000 euros.", 20, "en"),
        mail(2, BOB, "Osprey budget: 50,000 euros.", 24, "en"),
    ]
    memory = fold(labels, (), NOW)
    assert not memory.contradictions
    assert not memory.changes


def test_each_form_and_signature_of_a_conversation_has_its_own_labels() -> None:
    for first, second in (
        ("Total: 80 dollars.", "Total: 15 dollars."),
        ("Phone: 020 7946 0958.", "Phone: 020 7946 0123."),
    ):
        several = [mail(1, ANN, first, 20, "en", thread="email/t"), mail(2, BOB, second, 24, "en", thread="email/t")]
        memory = fold(several, (), NOW)
        assert not memory.contradictions
        assert not memory.changes


@table(("language", "first", "who", "second", "expected"), PAIRS)
def test_two_values_change_contradict_or_are_of_two_things(
    language: str, first: str, who: Person, second: str, expected: str
) -> None:
    memory = fold([mail(1, ANN, first, 20, language), mail(2, who, second, 24, language)], (), NOW)
    kinds = ["contradiction"] * len(memory.contradictions) + ["change"] * len(memory.changes)
    assert kinds == ([expected] if expected else [])


@table(
    ("language", "first", "second", "expected"),
    [
        ("en", "Your dental appointment is on November 30.",
         "Your dental appointment has been rescheduled to December 3.", 1),
        ("en", "Your dental appointment is on November 30.", "Your dental appointment is on November 30.", 0),
        ("en", "Your dental appointment is on November 30.", "Your daughter's dental appointment is on December 3.", 0),
        ("en", "Your first interview is on 30 November.", "Your second interview is on 7 December.", 0),
        ("en", "Your next lesson is on 30 November.", "Your next lesson is on 7 December.", 0),
        ("es", "Su cita con la doctora Vega es el 30 de noviembre.",
         "Le informamos de que su cita con la doctora Vega se ha cambiado al miércoles 2 de diciembre a las 10:00.", 1),
        ("fr", "L'assemblée générale de la copropriété aura lieu le 8 décembre à 18h.",
         "Madame, Monsieur, l'assemblée générale de la copropriété est reportée au 15 décembre à 18h.", 1),
    ],
)  # fmt: skip
def test_an_event_without_a_name_changes_within_its_conversation(
    language: str, first: str, second: str, expected: int
) -> None:
    readings = [mail(1, ANN, first, 20, language, thread="t"), mail(2, ANN, second, 24, language, thread="t")]
    memory = fold(readings, (), NOW)
    assert (len(memory.changes), memory.contradictions) == (expected, ())


def test_the_hour_of_an_event_is_shown_without_its_unit() -> None:
    readings = [
        mail(1, ANN, "The flu clinic on 2 December starts at 9:30.", 20, "en", thread="t"),
        mail(2, ANN, "The flu clinic on 2 December starts at 11:00.", 24, "en", thread="t"),
    ]
    (change,) = fold(readings, (), NOW).changes
    assert (change.before, change.after) == ("09:30", "11:00")


#: Language, what a mail says by itself, and the changes that are told: what, before ("" for unnamed), after.
ANNOUNCED = [
    ("en", "The Harbour review has been moved to next Tuesday at 10:00 a.m.", "Harbour review: -> 2026-12-01"),
    ("en", "The pier inspection scheduled for this Thursday has been moved to Friday.",
     "pier inspection: 2026-11-26 -> 2026-11-27"),
    ("en", "Please note that the crew meeting was rescheduled from November 25 @ 1:30 to December 2 @ 3:00.",
     "crew meeting: 2026-11-25 13:30 -> 2026-12-02 15:00"),
    ("en", "The work plan for the quay that was originally scheduled for Monday, November 30, 2026, has been changed "
     "to Wednesday, December 2, 2026.", "work plan for the quay: 2026-11-30 -> 2026-12-02"),
    ("en", "Bea has changed the time of her Thursday call to 8:30 - 10:30 AM (previously scheduled 8:00 - 10:00 AM).",
     "time of her Thursday call: 08:00 -> 08:30"),
    ("en", "The game is going to be played Thursday instead of Sunday, so bring both kits.",
     "game: 2026-11-29 -> 2026-11-26"),
    ("en", "Sorry, the deadline is next Thursday, December 3rd, not August 3rd.", "deadline: 2026-08-03 -> 2026-12-03"),
    ("en", "Therefore, the berth fee will increase from $25 to $30 per month.", "berth fee: 25 USD -> 30 USD"),
    ("en", "Starting January 1 the rent will be 950 euros instead of 900.", "rent: 900 EUR -> 950 EUR"),
    ("en", "The price of the Tern crane was changed to $41/MW from $42 on their request.",
     "Tern crane: 42 USD -> 41 USD"),
    ("en", "The location was also changed from the Dolphin Hotel to the Quay office, 20 Mill Lane.",
     "location: Dolphin Hotel -> Quay office"),
    ("en", "The meeting room has been changed to The Tern Room.", "meeting room: -> Tern Room"),
    ("en", "NOTE: This workshop has moved to 5075 (same floor).", "workshop: -> 5075"),
    ("en", "Due to fog, the ferry now departs at 14:20.", "ferry: -> 14:20"),
    ("en", "Your appointment has been moved from Tuesday to Thursday at 3 p.m. in Quay Street.",
     "appointment: 2026-11-24 -> 2026-11-26 15:00"),
    ("en", "My new number, by the way, is 020 7946 0018.", "number: -> 02079460018"),
    ("en", "Our new phone extension is # 619.", "phone extension: -> 619"),
    ("en", "Our new address is 4 Mill Lane, York.", "address: -> 4 Mill Lane, York"),
    ("en", "I have moved to room EB4260.", "Ann Lee: -> room EB4260"),
    ("en", "Mike Holm is taking over from Lisa Vang as project lead since Lisa is away.",
     "project lead: Lisa Vang -> Mike Holm"),
    ("en", "Mike Holm will be replacing Lisa Vang as treasurer effective Monday.", "treasurer: Lisa Vang -> Mike Holm"),
    ("en", "Your new account manager is Priya Shah.", "account manager: -> Priya Shah"),
    ("en", "Lisa Vang will be moving to the Harbour Planning group in May.", "Lisa Vang: -> Harbour Planning group"),
    ("en", "Effective May 22, Quay Holding B.V., a Dutch company, changed its name to Pier Holding B.V.",
     "Quay Holding B.V.: -> Pier Holding B.V."),
    ("de", "Das Treffen am Freitag wurde auf Montag, 10 Uhr, verschoben.",
     "Treffen: 2026-11-27 -> 2026-11-30 10:00"),
    ("de", "Die Miete beträgt ab Januar 950 Euro statt 900 Euro.", "Miete: 900 EUR -> 950 EUR"),
    ("de", "Die Miete steigt ab Januar von 900 auf 950 Euro.", "Miete: 900 EUR -> 950 EUR"),
    ("de", "Unsere neue Adresse lautet Lindenstraße 5, 10115 Berlin.", "Adresse: -> Lindenstraße 5, 10115 Berlin"),
    ("de", "Tom Reed löst Ann Lee als Projektleiter ab.", "Projektleiter: Ann Lee -> Tom Reed"),
    ("fr", "La réunion de jeudi est reportée au lundi 30 novembre à 14h.",
     "réunion: 2026-11-26 -> 2026-11-30 14:00"),
    ("fr", "À partir de janvier, le loyer sera de 950 euros au lieu de 900 euros.", "loyer: 900 EUR -> 950 EUR"),
    ("es", "La cita del jueves pasa al viernes a las 10:00.", "cita: 2026-11-26 -> 2026-11-27 10:00"),
    ("es", "Mi nuevo número es el 612 345 678.", "número: -> 612345678"),
    ("it", "La riunione di giovedì è stata spostata a lunedì 30 novembre.", "riunione: 2026-11-26 -> 2026-11-30"),
    ("pt", "A consulta foi remarcada para sexta-feira às 10h.", "consulta: -> 2026-11-27 10:00"),
    ("nl", "De afspraak is verzet van donderdag naar vrijdag om 10 uur.",
     "afspraak: 2026-11-26 -> 2026-11-27 10:00"),
    # Wishes, questions, conditions, what may be, and what is long past.
    ("en", "Can we move the review to Friday?", ""),
    ("en", "Please move the review to Friday.", ""),
    ("en", "I would like to move the review to Friday.", ""),
    ("en", "If the crane is late, the start may then be delayed until December 4.", ""),
    ("en", "Either the December 1 date will be changed to December 4, or it stays.", ""),
    ("en", "In October the review was moved to 12 October 2026.", ""),
    # A verb of change with the day on which it happened, and not with a new one.
    ("en", "Football practice was delayed on Tuesday for nearly two hours.", ""),
    ("en", "The pump went down Friday morning.", ""),
    ("en", "We changed time zones on Sunday.", ""),
    ("en", "Tom has moved the big ticket for July 2027 forward.", ""),
    ("en", "The call is now from 9 to 11am.", ""),
    ("en", "We moved to Gmail last week.", ""),
    ("en", "The snowdrift goes up to the 4th floor.", ""),
    ("en", "In mid-2001, Doug was named the firm's chief strategist.", ""),
    ("en", "Many say that Lee has replaced Stone as the most powerful person in town.", ""),
    ("en", "The charts are now in the most recent version of Acrobat 4.0.", ""),
    ("en", "I hope my new phone number is 020 7946 0018.", ""),
    # Half a subject.
    ("en", "Too many clashes today, so we've moved to Friday.", ""),
    ("en", "She just rescheduled to Wednesday.", ""),
    ("en", "The submission has been extended by Payroll until Tuesday.", ""),
    ("en", "with Quay & Stone has been changed to Monday.", ""),
    ("en", "The rehearsal will is now planned for Friday.", ""),
    ("en", "Quay registration, scheduled to begin tomorrow, has been postponed to Dec. 7.", ""),
    ("en", "Note change from Wednesday to Friday.", ""),
    ("en", "The Harbour and Pier Committee postponed until Friday a vote on the crane.", ""),
    ("en", "Please join the Tern Planning group for lunch.", ""),
    ("en", "Since joining the Tern Planning group, I have learned a lot.", ""),
    ("en", "Lisa has moved from the York office to the Leeds office.", "Lisa: York office -> Leeds office"),
    # Figures of reports, headlines and adverts.
    ("en", "The number of cranes working in Quayland fell by 2 to 362.", ""),
    ("en", "Capacity was increased from 920 units to 1,100.", ""),
    ("en", "Vacancy Rate Rose to 4.5% in April", ""),
    ("en", "Ms. Vang reduced her price target for Tern shares to $9.", ""),
    ("en", "Your cost will be reduced from $995 to $845 for one person and to $795 for two.", ""),
    ("en", "The base rate is now 2.5.", ""),
    ("en", "The total for the crane is now 48,200 euros, up from 45k.", "crane: 45000 EUR -> 48200 EUR"),
    # The day that is written, not only its weekday; no single day for every week.
    ("en", "The Tern review is now planned for Thursday (12/10/26).", "Tern review: -> 2026-12-10"),
    ("en", "The Tern review has been moved to Thursday (10/12/26).", "Tern review: -> 2026-12-10"),
    ("en", "The Tern review was re-scheduled to Thursday 9:30 to 11:30am, 12/10/2026.",
     "Tern review: -> 2026-12-10 09:30"),
    ("en", "The Tern review has been moved to Thursday (12/11/26).", ""),
    ("en", "The tastings are now scheduled for Thursday nights.", ""),
    ("en", "We have changed the Crew Lunch from Thursday's to Wednesday's.", ""),
    ("en", "Ida's office hours change to Tues-Fri, 8-10 PM.", ""),
    ("en", "The Tern call has been moved to Monday and Wednesday.", ""),
    ("en", "Project 4 is now due this Wednesday (9/16/26).", ""),
    ("en", "Tests of the pump are delayed until Monday or Tuesday.", ""),
    ("en", "I moved to Tern Street 3 about a year and a half ago.", ""),
    ("en", "Please note that the number of the Help Desk has been changed to 020-7946-0018.", ""),
    ("en", "We rescheduled the plan meeting with Ida to December 12.", "plan meeting with Ida: -> 2026-12-12"),
    ("en", "I noticed that you changed the Stop Date to 12/30/26.", "Stop Date: -> 2026-12-30"),
    # A day of the year before, or a slip of the pen.
    ("en", "The deadline for drawings has been extended to Friday, Sep 8.", ""),
    ("en", "The deadline for drawings has been extended to October 8.", ""),
    ("en", "The deadline for drawings has been extended to October 8, 2027.", "drawings: -> 2027-10-08"),
    # What was before.
    ("en", "In the Tern book (note the berth fee will be changed to $4 on Friday from $56).",
     "berth fee: 56 USD -> 4 USD"),
    ("en", "The pipeline is now delayed to May 24, 2027 from the previous April 7, 2027.",
     "pipeline: 2027-04-07 -> 2027-05-24"),
    ("en", "Colin's match tonight is at 6:00pm not 7:30 as I previously thought.", "Colin's match: 19:30 -> 18:00"),
    ("en", "The Crew Summary for November 22, 2026 will be delayed until this evening.",
     "Crew Summary: -> 2026-11-23"),
    ("en", "The crew call has been moved from Monday to Tuesday.", "crew call: 2026-11-23 -> 2026-11-24"),
    # Names of firms, with their legal form and nothing behind it.
    ("en", "TernStudio, PBC changed its name to Kestrel, PBC.", "TernStudio, PBC: -> Kestrel, PBC."),
    ("en", "Tern, Inc. has changed its name to Kestrel Quay, Inc.", "Tern, Inc.: -> Kestrel Quay, Inc."),
    ("en", "Tern has changed their name to Kestrel Inc.  Global Desk will file it.", "Tern: -> Kestrel Inc."),
    ("en", "Quay Holdings 3 Ltd., a Leeds firm, changed its name to Pier Ltd. today.",
     "Quay Holdings 3 Ltd.: -> Pier Ltd."),
    ("en", "Tern Advisors, a subsidiary of Quay Life Investment Management Holdings, LLC, changed its name to Kestrel.",
     "Tern Advisors: -> Kestrel"),
    ("en", "Upon closing Tern Securities will be renamed Kestrel", ""),
    ("en", "Priya Shah, now head of Quay Networks will take over as President of Quay Networks.", ""),
    ("en", "The new short name is QUAYX, which stands for Quay Exchange.", ""),
    ("en", "Bob is taking over as I have accepted another job.", ""),
    # A proposal, a span, a rule, the time of day, and what is long past.
    ("en", "We're proposing that the standing crew meeting be changed to Wednesday.", ""),
    ("en", "Kestrel will be down from 5 AM to 7 AM.", ""),
    ("en", "Trading in crane futures will be extended until 2:45 whenever the harbour is closed.", ""),
    ("en", "The crew meeting will be extended till 1:30.", ""),
    ("en", "At that time, his contract was extended to Dec. 31, 2029.", ""),
    ("en", "In 1994 I moved to the Leeds office.", ""),
    ("en", "11/1/94 - Tern Services, Inc. changed its name to Kestrel, Inc.", ""),
    # Whose it is, only other sentences tell.
    ("en", "Her new email address is lisa@example.com.", ""),
    ("en", "The new address is 4 Mill Lane, York.", ""),
    ("en", "New email: bob@example.org", ""),
    ("en", "The new phone extension is # 619.", ""),
    ("en", "The pier is not ready, so its opening date has been moved to December 4.", ""),
    ("en", "I had to bump his review to Friday.", ""),
    ("en", "Due to the regatta on the 3rd, that week's call has been moved to 11:00.", ""),
    ("en", "Ida got the crew dinner changed to Friday night, so we can go.", ""),
    ("en", "The Tern desk will be moving from Quay Street to the Harbour desk.", ""),
    ("en", "We have extended the deadline for submission of drawings for the Tern pier to December 12.",
     "submission of drawings for the Tern pier: -> 2026-12-12"),
    ("en", "I've extended the due date for Lab 2 by two days to this Friday.", ""),
    ("en", "NOTE THAT MY E-MAIL ADDRESS HAS CHANGED TO REFLECT THE MERGER OF TERN", ""),
    ("en", "Project postponed until December 15. The pier opens then. Project postponed until December 29.", ""),
    ("en", "Ida Vang reported this has been postponed to December 11.", ""),
    ("en", "Ida's Tue 4-5pm section has been moved to Wed 9-10am.", ""),
    # A price without a name: each order has its own.
    ("en", "The purchase price was changed to $41/MW from $42 on their request.", ""),
    ("en", "They are reducing their variable costs from $40 to $30.", ""),
    # The end of a period, how something is, and what is cut off.
    ("en", "The cap on the berths was extended until December 30.", ""),
    ("en", "The crane will be down on December 3 instead of December 4.", ""),
    ("en", "My new address is: Ida Vang, 21 Mill Road, HARBOUR, T.Q. 4R5", ""),
    ("en", "The deadline for applying to fill these posts has been extended to December 13.",
     "applying to fill these posts: -> 2026-12-13"),
    # A form, and a word that is no name of what is new.
    ("en", "NEW DAY PHONE: 020 7946 0018", ""),
    ("en", "My new cell: 020 7946 0018", "cell: -> 02079460018"),
    ("en", "The summit in New York is held on December 12.", ""),
    # An amount by itself may be of anything.
    ("en", "The mooring fee goes up to $30 after January 1.", ""),
    ("en", "We are reducing our price target to $16 from $17.", ""),
    # Neither half a subject, nor a heading, nor a table.
    ("en", 'The release of the "status report" on the harbour crane has been delayed until Friday.', ""),
    ("en", "TO ALL QUAY CREWS MOVING TO TERN BUILDING SOUTH", ""),
    ("en", "kk (THIS HAS BEEN MOVED TO FRIDAY AT 9:00 AM)", ""),
    ("en", "We are moving the crew web site forward to NETQUAY.", ""),
    ("en", "The crew call has been moved to EVERY FRIDAY at 1:30 pm.", ""),
    ("en", "I was not aware that the files were moved until this morning.", ""),
    # The day that was planned, on the weekday on which it is written.
    ("en", "The crew dinner will be held on Thursday, November 26, rather than Monday, November 30.",
     "crew dinner: 2026-11-30 -> 2026-11-26"),
    # One person, by their whole name, and their whole role.
    ("en", "Per Moss, secretary of TQA and Quay Gas-Tern Gas has been appointed vice president.", ""),
    ("en", "Lisa Vang has been promoted to Project Manager - Piers and Cranes.", ""),
    ("en", "Lisa Vang will take over as liaison between Bob Stone and the crane team.", ""),
    # The hour of a day, however far it stands from it, and the first one of two.
    ("en", "The crew call is re-scheduled for Thursday, Dec. 3, from 10 to 11:30 a.m.", "crew call: -> 2026-12-03"),
    ("en", "The crew call has been postponed until 3:00pm on Friday, December 4.", "crew call: -> 2026-12-04 15:00"),
    # An hour of another zone.
    ("en", "The crew call has been moved to 11:00 (CDT).", ""),
    ("en", "The crew call will now be from 2:00 - 5:00 PM on Thursday, December 3, 2026.",
     "crew call: -> 2026-12-03 14:00"),
    ("en", "The Tern talk scheduled for Tuesday, December 1 from 3:30 - 4:30 pm has been rescheduled for Thursday.",
     "Tern talk: 2026-12-01 15:30 -> 2026-11-26"),
    ("en", "Talk on the pier in QB4054-MOVED TO FRIDAY", ""),
    # What is new was on no other day, and what is only expected, or sometime, has none.
    ("en", "A pier workshop is now scheduled for December 3 to discuss the options.", ""),
    ("en", "I expect that the crane office will be moved to Pier Street 5 if this thing survives.", ""),
    ("en", "I have postponed the Tern meeting scheduled for Thursday until sometime next week.", ""),
    ("en", "Tern was cut 7314 at the pier for the 1st.", ""),
    ("en", "*** Outage dates changed to December 3.", "Outage dates: -> 2026-12-03"),
    ("en", "Please note--the return flight now leaves at 6:45am instead of 7:05am.", "return flight: 07:05 -> 06:45"),
    ("en", "The Tern call has been moved back to 1030.", ""),
    ("en", "The incident was raised Thursday during a discussion on the pier.", ""),
    ("en", "TERNA has postponed until Friday a meeting of its crews which had been set for Tuesday.", ""),
    ("en", "I've rescheduled room QB5 in York for Dec. 2.", "room QB5 in York: -> 2026-12-02"),
    ("en", "We moved the crew meeting to 12:00 for tomorrow, and I can do it on the floor if that is no problem.",
     "crew meeting: -> 2026-11-24 12:00"),
    ("en", "PLEASE NOTE THAT THE QUAY MEETING WILL BE AT 11:00 RATHER THAN 10:00 IN QB7.",
     "QUAY MEETING: 10:00 -> 11:00"),
    # What may change, what somebody wants, what was undone, and what changed long ago.
    ("en", "The Harbour review may be moved to Thursday.", ""),
    ("en", "The Harbour review should be moved to Thursday.", ""),
    ("en", "Tom wants the Harbour review to be moved to Thursday.", ""),
    ("en", "The Harbour review has to be moved to Thursday.", "Harbour review: -> 2026-11-26"),
    ("en", "The Harbour review had been moved to Thursday, but it is back on Wednesday.", ""),
    ("en", "Last year the Harbour review was moved to Thursday.", ""),
    ("fr", "L'an dernier, la réunion Harbour a été reportée au jeudi.", ""),
    ("es", "El año pasado la reunión Harbour se trasladó al jueves.", ""),
    ("de", "Letztes Jahr wurde das Harbour-Treffen auf Donnerstag verschoben.", ""),
    ("it", "L'anno scorso la riunione Harbour è stata spostata a giovedì.", ""),
    ("pt", "No ano passado a reunião Harbour foi transferida para quinta-feira.", ""),
    ("nl", "Vorig jaar is de Harbour-vergadering verplaatst naar donderdag.", ""),
    ("de", "Das Harbour-Treffen könnte auf Donnerstag verschoben werden.", ""),
    ("fr", "La réunion Harbour pourrait être reportée à jeudi.", ""),
    # Prices of two orders in one mail.
    ("en", "Deal 51: the price was changed to $260. Deal 52: the price was changed to $300.", ""),
    ("en", "Lisa Vang has been promoted to Chief Pilot.", "Chief Pilot: -> Lisa Vang"),
    ("en", "TQA joining the Tern group on cranes in York.", ""),
    ("en", "Quay Singapore Ltd, a Leeds firm, changed its name to Quay Asia/Pacific Ltd on April 2, 2026.",
     "Quay Singapore Ltd: -> Quay Asia/Pacific Ltd"),
    ("en", "Quay Ltd. (No. 3), a firm of the Province of Ternland, changed its name to Tern Quay Corp. today.", ""),
]  # fmt: skip


@table(("language", "text", "expected"), ANNOUNCED)
def test_what_says_itself_that_something_changed_is_told_at_once(language: str, text: str, expected: str) -> None:
    memory = fold([mail(1, ANN, text, 23, language)], (), NOW)
    changes = [
        f"{change.subject}: {change.before} -> {change.after}".replace(":  ->", ": ->") for change in memory.changes
    ]
    assert (changes, memory.contradictions) == ([expected] if expected else [], ())


@table(
    ("title", "text", "expected"),
    [
        ("Harbour planning meeting - rescheduled, again", "It will now be held on Friday.", "Harbour planning meeting"),
        ("RE: Trailer review", "This meeting has now been rescheduled for Friday.", "meeting"),
        ("RE: Trailer meeting", "The meeting has now been rescheduled for Friday.", "Trailer meeting"),
        ("Weekly update", "It has been moved to Friday.", ""),
        ("", "It has been moved to Friday.", ""),
        ("FW: Harbour directors mtg-Dec. 2", "The location has changed to QB 13.", "Harbour directors mtg-Dec. 2"),
        ("Weekly update", "The location has changed to QB 13.", ""),
        ("Time Change: Tern\n meeting", "The above meeting has been moved to Friday.", "Tern meeting"),
        ("Pier analysis/Tern mtg.", "The above meeting has been moved to Friday.", "Pier analysis/Tern mtg"),
        ("", "The above meeting has been moved to Friday.", "meeting"),
        ("Minutes of the crew meeting", "The start time has changed to 9:00am.", ""),
        ("Crew meeting has been changed", "The above meeting has been moved to Friday.", "Crew meeting"),
    ],
)
def test_it_is_the_event_that_the_title_names(title: str, text: str, expected: str) -> None:
    record = mail(1, ANN, text, 23, "en")
    named = titles.named(record.statements, title)
    assert [fact.subject for fact in named if isinstance(fact, Fact)] == ([expected] if expected else [])


def test_the_first_announcement_of_a_value_is_told_and_not_each_repetition() -> None:
    text = "The Harbour review has been moved to 1 December."
    readings = [mail(number, ANN, text, 20 + number, "en", thread="t") for number in (1, 2)]
    (change,) = fold(readings, (), NOW).changes
    assert change.at == readings[0].said_at


LAUNCH, MOVED = "The launch of Kestrel is on January 20.", "We've moved the Kestrel launch to February 3."
FROM_TO = "The Harbour review has been moved from 30 November to 1 December."
TWICE = "The crew meeting has been moved to Friday, 4 December."
HOUR = "The crew meeting has been moved to 11:00."


@table(
    ("texts", "days", "expected"),
    [
        # A quote or a forward repeats both values, or the earlier one.
        ([FROM_TO, FROM_TO], [21, 24], [("2026-11-30", "2026-12-01", "21")]),
        ([LAUNCH, MOVED, LAUNCH], [20, 22, 24], [("2027-01-20", "2027-02-03", "22")]),
        ([LAUNCH, MOVED, "The Kestrel launch has been moved back to January 20."], [20, 22, 24],
         [("2027-02-03", "2027-01-20", "24")]),
        # Two conversations, and an hour of two days.
        ([TWICE, TWICE], [21, 24], [("", "2026-12-04", "21")]),
        (["Abstracts are due on December 4.", "We are extending the abstracts deadline to December 8.",
          "The deadline for abstracts has been extended to December 8 at 17:00."], [20, 22, 24],
         [("", "2026-12-08", "22")]),
        ([HOUR, HOUR], [21, 24], [("", "11:00", "21"), ("", "11:00", "24")]),
    ],
)  # fmt: skip
def test_a_change_is_told_once_and_not_taken_back_by_a_repetition(
    texts: list[str], days: list[int], expected: list[tuple[str, str, str]]
) -> None:
    readings = [mail(n, ANN, text, day, "en") for n, (text, day) in enumerate(zip(texts, days, strict=True))]
    changes = fold(readings, (), NOW).changes
    assert [(change.before, change.after, change.at[8:10]) for change in changes] == expected


def test_prices_of_a_market_are_no_changes() -> None:
    readings = [
        mail(1, ANN, "Day-ahead price is $27.60.", 20, "en"),
        mail(2, ANN, "Day-ahead price is $21.54.", 24, "en"),
    ]
    assert fold(readings, (), NOW).changes == ()
