"""What a mail says on terms that nobody has accepted, or in jest, is no loop; what serves an event ends with it."""

from __future__ import annotations

import pytest

from consumer.understanding import rules
from consumer.understanding.statements import Commitment, Request
from consumer.understanding.text import Sentence, sentences
from consumer.understanding.utterances import RecordText, Utterance
from tests.readings import BOB, MARA, SAID
from tests.tables import table


def statements(code: str, *lines: str) -> list[Commitment | Request]:
    """The loops of a mail from Mara to Bob."""
    several = tuple(Utterance(n, MARA, (BOB,), SAID, "written", line, code) for n, line in enumerate(lines))
    mail = RecordText("inbound_messages", "1", "email:1", several, (MARA, BOB))
    made, refusals = rules.read(mail, region="US")
    assert not refusals
    return [each for each in made if isinstance(each, Commitment | Request)]


def loops(code: str, *lines: str) -> list[str]:
    return [each.object for each in statements(code, *lines)]


@table(
    ("code", "text"),
    [
        # Bids, and prices of each piece.
        ("en", "I will pay $40 per dozen for your lamps."),
        ("en", "I'll pay you 40 euros a box."),
        ("de", "Ich zahle dir 40 Euro pro Kiste."),
        ("fr", "Je te paie les caisses 40 euros la pièce."),
        ("es", "Te pago 40 euros por caja."),
        ("pt", "Pago-te 40 euros por caixa."),
        ("it", "Ti pago le casse a 40 euros al pezzo."),
        ("nl", "Ik betaal je 40 euro per stuk voor de kisten."),
        # Offers that nobody has taken up.
        ("en", "I can ship the lamps tomorrow, I will pay for the shipping. If you are interested, let me know."),
        ("de", "Ich schicke dir die Kisten. Bei Interesse sag Bescheid."),
        ("fr", "Je t'envoie les caisses. Si ça t'intéresse, dis-le-moi."),
        ("es", "Te envío las cajas. Si te interesa, avísame."),
        ("pt", "Envio-te as caixas. Se te interessar, avisa."),
        ("it", "Ti mando le casse. Se ti interessa, fammi sapere."),
        ("nl", "Ik stuur je de kisten. Bij interesse hoor ik het graag."),
        # Notices of what follows a silence.
        ("en", "I am going to put the lamps on the market tonight if I do not here from you."),
        ("en", "I'll ship the lamps to Olaf on Friday unless I hear otherwise."),
        ("de", "Ich schicke Tom die Kisten, falls ich bis Montag nichts von dir höre."),
        ("fr", "Sans nouvelles de votre part, j'envoie les caisses à Tom lundi."),
        ("es", "Si no recibo respuesta, envío las cajas a Tom el lunes."),
        ("pt", "Se não receber resposta, envio as caixas ao Tom na segunda."),
        ("it", "Se non ricevo risposta, mando le casse a Tom lunedì."),
        ("nl", "Als ik niets van je hoor, stuur ik Tom maandag de kisten."),
        # Jokes, and what is taken back at once.
        ("en", "I'll bring you the crown, haha."),
        ("en", "Please send me the elephant ;-P"),
        ("en", "I'll send you an elephant. Just kidding!"),
        ("en", "Please send me the key. Never mind, I found it."),
        ("de", "Ich schicke dir einen Elefanten. War nur Spaß!"),
        ("fr", "Je t'envoie un éléphant. Je plaisante !"),
        ("es", "Te envío un elefante. Era una broma."),
        ("pt", "Envio-te um elefante. É brincadeira."),
        ("it", "Ti mando un elefante. Scherzo!"),
        ("nl", "Ik stuur je een olifant. Grapje!"),
    ],
)
def test_terms_notices_and_jokes_bind_nobody(code: str, text: str) -> None:
    assert not loops(code, text)
    head, stop, tail = text.partition(". ")
    assert not loops(code, head + stop.strip(), *([tail] if tail else []))


@table(
    "text",
    [
        "I will pay you the 40 euros for the boxes.",
        "I'll pay you $40 per box on Friday.",
        "I'll send you the plan tomorrow :)",
        "I'll send you the list of those who are interested.",
        "I'll bring the crown on Friday, haha.",
        "I will send you the plan when I hear from Olaf.",
        "Please send me the key. Do not forget the bag.",
        "If I don't hear from you by noon, I will send you the fax.",
        "I'll send you the price of each lamp.",
    ],
)
def test_a_sale_that_is_agreed_and_a_smile_are_in_earnest(text: str) -> None:
    assert len(loops("en", text)) == 1


@table(
    ("code", "text"),
    [
        # Agreed prices, and what only comes with a price.
        ("en", "I'll send you the plan, the price is 40 euros per unit."),
        ("en", "I will book the hall at $120 a night for you."),
        ("de", "Ich überweise dir die 50 € pro Person."),
        ("es", "Te mandaré la factura de 40 euros por caja."),
        ("en", "I'll buy the tickets at $40 each."),
        ("de", "Ich kaufe dir die Karten zu 40 Euro pro Person."),
        # What is there for whoever is interested, beside what is promised.
        ("en", "I'll send you the plan. If you're interested, there is also a film."),
        ("de", "Ich schicke dir den Plan. Bei Interesse kann ich auch den Film dazulegen."),
        # Another's silence, and a plan that only a word of the reader changes.
        ("en", "If I don't hear from the club by Friday, I'll pay the bill myself."),
        ("en", "If I don't hear from Olaf, I'll call the printer."),
        ("es", "Si no recibo respuesta del banco, envío las cajas a Tom el lunes."),
        ("nl", "Als ik niets van de bank hoor, stuur ik Tom maandag de kisten."),
        ("en", "Unless I hear otherwise, I'll book the hall on Friday."),
        # Nothing is taken back where the words go on.
        ("en", "I'll send you the photos. Never mind the typos."),
        ("en", "Could you send me the map? Never mind if it is a draft."),
        ("en", "I'll send you the bill. Forget it if Tom already paid."),
        ("de", "Ich bringe dir die Kisten. Schon gut, dass du gefragt hast."),
        ("de", "Ich schicke dir den Plan ;P"),
        ("en", "I'll send you the map. Haha, Tom will love it."),
    ],
)
def test_beside_prices_others_silence_and_smiles_a_promise_holds(code: str, text: str) -> None:
    assert len(loops(code, text)) == 1


def test_a_joke_is_seen_past_signs() -> None:
    assert not loops("en", "I'll send you an elephant. :) Just kidding!")


def test_a_line_of_many_promises_is_parted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parting the rest of the line for each of them would take its length squared."""
    parted = 0

    def counted(text: str, code: str) -> list[Sentence]:
        nonlocal parted
        parted += len(text)
        return sentences(text, code)

    monkeypatch.setattr(rules, "sentences", counted)
    line = "I'll send you the plan. " * 20
    assert len(loops("en", line)) == 20
    assert parted == len(line)


FRIDAY = "2026-11-27"


@table(
    ("code", "lines", "day"),
    [
        ("en", ("The tournament is on Friday. Please send me the names of your team.",), FRIDAY),
        ("en", ("I'll get you the detailed list.", "Our tournament is on Friday."), FRIDAY),
        ("en", ("Please check the seats for the following meeting:", "Boats", "Friday, room 2"), FRIDAY),
        ("en", ("She put me on your calendar for Friday. I want to talk to you about the hall.",), FRIDAY),
        ("en", ("Please send me the plan for the party on Friday.",), FRIDAY),
        ("en", ("Bob has time for a call with Tom on Friday.", "Can you let me know what times are good?"), FRIDAY),
        ("de", ("Bitte schick mir den Plan. Die Besprechung ist am Freitag.",), FRIDAY),
        ("fr", ("Envoie-moi le plan s'il te plaît. La réunion est vendredi.",), FRIDAY),
        ("es", ("Por favor, envíame el plan. La reunión es el viernes.",), FRIDAY),
        ("pt", ("Por favor, envia-me o plano. A reunião é na sexta-feira.",), FRIDAY),
        ("it", ("Per favore mandami il piano. La riunione è venerdì.",), FRIDAY),
        ("nl", ("Stuur me alsjeblieft het plan. De vergadering is op vrijdag.",), FRIDAY),
        ("en", ("Please let me know which team you joined. I look forward to seeing you Friday.",), FRIDAY),
        ("de", ("Bitte schick mir den Plan. Bis Freitag!",), FRIDAY),
        ("fr", ("Envoie-moi le plan s'il te plaît. À vendredi !",), FRIDAY),
        ("es", ("Por favor, envíame el plan. ¡Hasta el viernes!",), FRIDAY),
        ("pt", ("Por favor, envia-me o plano. Até sexta-feira!",), FRIDAY),
        ("it", ("Per favore mandami il piano. A venerdì!",), FRIDAY),
        ("nl", ("Stuur me alsjeblieft het plan. Tot vrijdag!",), FRIDAY),
        # No event, one that is over, one of another paragraph, an absence, and what comes afterwards.
        ("en", ("Tom will call today. Please send me the plan.",), ""),
        ("en", ("We saw Olaf at the meeting last Friday. Please send me the plan.",), ""),
        ("en", ("The meeting is on Friday. It is late.", "Please send me the plan."), ""),
        ("en", ("We are on a trip until Friday. Please send me the plan.",), ""),
        ("en", ("The meeting is on Friday. I'll send you the minutes.",), ""),
        # An appointment of the author's own, a deadline, and what is owed whatever takes place.
        ("en", ("I have a meeting on Friday. Could you send me the plan for the chairs?",), ""),
        ("en", ("I have a meeting on Friday. Could you send me the invoice for the chairs?",), ""),
        ("en", ("I have a call with Olaf on Friday. I'll send you the invoice.",), ""),
        ("en", ("The deadline is on Friday. Please send me the tax form.",), ""),
        ("en", ("The deadline is on Friday. Please send me the names of your team.",), ""),
        ("en", ("The wedding is on Friday, so I'll be away. Please send me the invoice.",), ""),
        ("nl", ("Tot vrijdag! Ik stuur je het contract.",), ""),
        ("it", ("A domani. Mandami il contratto firmato.",), ""),
        ("de", ("Bis Freitag! Bitte schick mir den Mietvertrag.",), ""),
    ],
)
def test_a_loop_has_the_day_of_the_event_beside_it(code: str, lines: tuple[str, ...], day: str) -> None:
    assert [each.event_day for each in statements(code, *lines)] == [day]


def test_what_has_a_day_of_its_own_needs_no_event() -> None:
    (made,) = statements("en", "The meeting is on Friday. Please send me the plan by Thursday.")
    assert (made.due and made.due.day, made.event_day) == ("2026-12-03", "")
