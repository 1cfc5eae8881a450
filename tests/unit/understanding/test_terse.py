"""Promises and requests in other words than "I will send": told, in a few words, as a need."""

from __future__ import annotations

from consumer.understanding import rules
from consumer.understanding.statements import Commitment, Request, Statement
from consumer.understanding.utterances import Person, RecordText, Utterance
from tests import readings
from tests.readings import BOB, MARA
from tests.tables import table

ANN = Person("Ann Lee", "ann@example.org")


def read(text: str, language: str, *people: Person) -> list[Statement]:
    utterance = Utterance(0, MARA, (BOB,), readings.SAID, "written", text, language)
    record = RecordText("email", "1", "thread", (utterance,), (MARA, BOB, *people))
    statements, refusals = rules.read(record, region="US")
    assert not refusals
    return statements


def loops(text: str, language: str) -> list[tuple[str, str]]:
    """(object, due day) of each promise and request."""
    made = [each for each in read(text, language) if isinstance(each, Commitment | Request)]
    return [(each.object, each.due.day if each.due else "") for each in made]


@table(
    ("language", "text", "what", "day"),
    [
        ("en", "I promised to send Ann the draft by Friday.", "draft", "2026-11-27"),
        ("en", "I promised Ann to send the draft.", "draft", ""),
        ("en", "I promised Ann on Monday that I'd send her the draft by Friday.", "draft", "2026-11-27"),
        ("en", "I told Ann I would send the draft by Friday.", "draft", "2026-11-27"),
        ("en", "On Monday I agreed to send the draft to Ann.", "draft", ""),
        ("de", "Ich habe Ann versprochen, ihr den Entwurf bis Freitag zu schicken.", "Entwurf", "2026-11-27"),
        ("fr", "J'ai promis à Ann de lui envoyer le devis vendredi.", "devis", "2026-11-27"),
        ("es", "Le prometí a Ann enviarle el borrador el viernes.", "borrador", "2026-11-27"),
        ("es", "Quedé en mandarle el presupuesto a Ann.", "presupuesto", ""),
        ("pt", "Fiquei de enviar o orçamento à Ann.", "orçamento", ""),
        ("it", "Ho promesso ad Ann di mandarle la bozza entro venerdì.", "bozza", "2026-11-27"),
        ("nl", "Ik heb Ann beloofd om het concept vrijdag te sturen.", "concept", "2026-11-27"),
    ],
)
def test_what_the_author_tells_of_having_promised_is_owed_to_whom_they_name(
    language: str, text: str, what: str, day: str
) -> None:
    (made,) = read(text, language, ANN)
    assert isinstance(made, Commitment)
    assert (made.owner, made.beneficiaries, made.object) == (MARA, (ANN,), what)
    assert (made.due.day if made.due else "") == day


@table(
    "text",
    [
        "I told Ann to send me the draft.", "I promised myself to write the book.",
        "I never promised to send the draft.",
        "I promised not to send Ann the draft.", "I told you I'd think about it.",
    ],
)  # fmt: skip
def test_what_others_are_told_and_what_was_never_promised_is_no_promise(text: str) -> None:
    assert not loops(text, "en")


@table(
    ("language", "text", "what"),
    [
        ("en", "Draft to you by Friday.", "Draft"), ("en", "Fri EOD you have the contract.", "contract"),
        ("en", "The contract will be with you by Friday - promise.", "contract"),
        ("en", "Quick one: contract coming your way by Friday.", "contract"),
        ("en", "I'll make sure the contract reaches you by Friday.", "contract"),
        ("en", "Count on having the contract by Friday.", "contract"),
        ("en", "Contract to follow by Friday.", "Contract"),
        ("de", "Vertrag bis Freitag bei dir.", "Vertrag"), ("de", "Angebot folgt bis Freitag.", "Angebot"),
        ("de", "Ich sorge dafür, dass du den Vertrag bis Freitag hast.", "Vertrag"),
        ("fr", "Je fais en sorte que tu aies le contrat vendredi.", "contrat"),
        ("es", "Me aseguro de que tengas el contrato el viernes.", "contrato"),
        ("it", "Faccio in modo che tu abbia il contratto venerdì.", "contratto"),
        ("pt", "Garanto que tens o contrato na sexta.", "contrato"),
        ("nl", "Ik zorg dat je het contract vrijdag hebt.", "contract"),
        ("nl", "Beste Mara, ik zorg dat je het contract vrijdag hebt.", "contract"),
        ("it", "Farò in modo che tu abbia il contratto venerdì.", "contratto"),
        ("pt", "Vou garantir que você receba o contrato na sexta.", "contrato"),
        ("en", "I will, as discussed, send you the contract by Friday.", "contract"),
        ("en", "I'll send you, Bob, the contract by Friday.", "contract"),
        ("en", "I will send you the contract no later than Friday.", "contract"),
        ("de", "Ich schicke dir den Vertrag nicht später als Freitag.", "Vertrag"),
        ("it", "Ti mando il contratto non oltre venerdì.", "contratto"),
        ("en", "As for the contract, I'll send it by Friday.", "contract"),
        ("en", "Contract: I'll send it by Friday.", "Contract"),
        ("en", "Leave the contract to me, I'll file it by Friday.", "contract"),
        ("de", "Zum Vertrag: ich schicke ihn bis Freitag.", "Vertrag"),
        ("de", "Der Vertrag geht Ihnen am Freitag per Boten zu.", "Vertrag"),
        ("de", "Der Vertrag geht am Freitag an dich raus.", "Vertrag"),
        ("nl", "Het contract gaat vrijdag naar je toe.", "contract"),
        ("en", "The contract goes out to you on Friday.", "contract"),
        ("fr", "Je te fais suivre le contrat vendredi.", "contrat"),
        ("fr", "Nous vous ferons suivre le contrat vendredi.", "contrat"),
        # The second verb has the day, and what only answers the first is no second promise.
        ("en", "I'll run the figures tonight and email them across tomorrow.", "them"),
        ("fr", "Je m'occupe du bail et te donne une réponse vendredi.", "réponse"),
        ("es", "Me encargo del permiso y te doy una respuesta el viernes.", "respuesta"),
        ("it", "Mi occupo del contratto e ti do una risposta venerdì.", "risposta"),
        ("pt", "Vou tratar do contrato e dou-te uma resposta até sexta.", "resposta"),
        ("nl", "Ik regel het contract en geef je vrijdag antwoord.", "antwoord"),
    ],
)  # fmt: skip
def test_a_few_words_with_a_day_promise_the_thing(language: str, text: str, what: str) -> None:
    assert loops(text, language) == [(what, "2026-11-27")]


@table(
    ("language", "text"),
    [
        ("en", "On Friday you have the meeting with Ann."), ("en", "It's up to you by Friday."),
        ("en", "Contract to you by Friday?"), ("en", "No contract to you by Friday."),
        ("en", "The contract was sent to you by Ann on Friday."), ("en", "Talk to you by Friday."),
        ("en", "I'll pass on dessert."),
        ("de", "Der Zug kommt bis Freitag nicht."), ("de", "Die Rechnung geht Ihnen am Freitag vom Amt zu."),
        ("de", "Der Brief geht am Freitag nicht an Sie raus."),
    ],
)  # fmt: skip
def test_what_only_has_the_words_of_a_short_promise_is_none(language: str, text: str) -> None:
    assert not loops(text, language)


@table(
    ("language", "text", "what"),
    [
        ("en", "I need the numbers by Friday.", "numbers"), ("en", "Could I have the numbers by Friday?", "numbers"),
        ("en", "Looking forward to receiving the numbers by Friday.", "numbers"),
        ("de", "Ich brauche die Zahlen bis Freitag.", "Zahlen"),
        ("fr", "J'ai besoin des chiffres pour vendredi.", "chiffres"),
        ("es", "Necesito los números para el viernes.", "números"), ("pt", "Preciso dos números até sexta.", "números"),
        ("it", "Mi servono i numeri entro venerdì.", "numeri"), ("nl", "Ik heb de cijfers vrijdag nodig.", "cijfers"),
    ],
)  # fmt: skip
def test_what_somebody_needs_by_a_day_is_a_request(language: str, text: str, what: str) -> None:
    assert [type(each) for each in read(text, language)] == [Request]
    assert loops(text, language) == [(what, "2026-11-27")]


@table(
    ("language", "text"),
    [
        ("en", "I need the numbers."), ("en", "I need a holiday by Friday."), ("en", "I need to rest by Friday."),
        ("en", "I don't need the numbers by Friday."), ("en", "If I need the numbers by Friday, I'll ask."),
        ("de", "Ich brauche bis Freitag eine Pause."), ("fr", "J'ai besoin de temps pour vendredi."),
    ],
)  # fmt: skip
def test_a_need_without_a_day_or_a_certain_thing_asks_for_nothing(language: str, text: str) -> None:
    assert not loops(text, language)


@table(("language", "text"), [("de", "Schicke"), ("nl", "Stuur")])
def test_a_verb_alone_without_a_stop_promises_nothing(language: str, text: str) -> None:
    assert not loops(text, language)


def test_no_piece_of_a_sentence_breaks_the_reader() -> None:
    for path in sorted(readings.FOLDER.glob("??.txt")):
        for sentence in readings.sentences(path.read_text("utf-8"))[::40]:
            words = sentence.split()[:12]
            for end in range(1, len(words) + 1):
                for piece in (words[:end], words[-end:]):
                    readings.readings(" ".join(piece), path.stem)
