"""Claims that cite real quotes: those that say the same are verified, those that say something else are not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from consumer.understanding import support
from consumer.understanding.support import CitedQuote, CitedRecord, KnownPeople
from tests import goldens
from tests.tables import table

DATA = Path(__file__).parent.parent.parent / "data" / "support" / "claims.yaml"
#: Every claim and why it is not verified.
VERDICTS = DATA.parent / "verdicts.txt"


class Case(NamedTuple):
    record: str
    kind: str
    claim: str
    quote: str


def documents() -> list[dict[str, Any]]:
    return list(yaml.load(DATA.read_text("utf-8"), Loader=yaml.CSafeLoader))


def record(document: dict[str, Any]) -> CitedRecord:
    return CitedRecord(
        title=document["title"],
        page_title=document["title"],
        day=str(document["day"]),
        facts=tuple((label, str(value)) for label, value in document["facts"].items()),
        people=tuple((f"people/{name.lower().replace(' ', '-')}", name) for name in document["people"]),
        lines=tuple(document["text"].splitlines()),
    )


RECORDS = {document["record"]: record(document) for document in documents()}
PEOPLE = KnownPeople.of([person for each in RECORDS.values() for person in each.people])


def cases(kind: str) -> Iterator[Case]:
    for document in documents():
        for row in document.get(kind, "").splitlines():
            *label, claim, quote = row.split(" | ")
            yield Case(document["record"], label[0] if label else kind, claim, quote)


def checked(case: Case) -> str:
    """Why a claim is not verified, "" if it is."""
    passage = CitedQuote("sources/cloop/x/y", case.quote, RECORDS[case.record])
    return next((each.reason for each in support.compare(case.claim, [passage], PEOPLE) if not each.passed), "")


def document() -> str:
    """Every claim of the set, and why it is not verified."""
    lines = []
    for case in chain.from_iterable(map(cases, ("holds", "wrong", "judge"))):
        passage = CitedQuote("sources/cloop/x/y", case.quote, RECORDS[case.record])
        reasons = [each.reason for each in support.compare(case.claim, [passage], PEOPLE) if not each.passed]
        lines += [f"{case.record}: {case.claim}", *(f"    {reason}" for reason in reasons or ["verified"])]
    return "\n".join(lines) + "\n"


def write_golden() -> None:
    VERDICTS.write_text(document(), "utf-8")


def test_each_claim_is_judged_for_the_same_reasons_as_before() -> None:
    goldens.compare(VERDICTS, document())


@pytest.mark.properties
def test_no_claim_that_says_something_else_is_verified() -> None:
    wrong = list(cases("wrong"))
    verified = [case for case in wrong if not checked(case)]
    rate = f"{len(wrong) - len(verified)} of {len(wrong)} wrong claims are refused, but not these:"
    assert not verified, "\n".join([rate, *map(str, verified)])
    assert len(wrong) >= 110


@pytest.mark.properties
def test_claims_in_other_words_are_verified() -> None:
    true = list(cases("holds"))
    refused = [(case, reason) for case in true if (reason := checked(case))]
    rate = 1 - len(refused) / len(true)
    assert rate >= 0.95, "\n".join(
        [f"{rate:.1%} of {len(true)} true claims are verified, but not:", *map(str, refused)]
    )
    assert len(true) >= 110


def test_what_only_a_judge_could_tell_is_marked_and_not_claimed_to_be_caught() -> None:
    """No value, name or negation differs: code finds no fault, and the set says so. A judge's answer decides."""
    assert [case for case in cases("judge") if checked(case)] == []
    for ruling, passed in (("unsupported", False), ("partial", None), (None, None), ("supported", True)):
        assert support.judged(ruling).passed is passed


def test_the_sets_are_of_at_least_five_languages() -> None:
    tongues = {document["record"].split("-")[0] for document in documents() if "mail" in document["record"]}
    assert len(tongues) >= 5


MARA = ("people/mara", "Mara Silva")
ROB = ("people/rob", "Robert Müller")
NOTE = CitedRecord(
    "Kestrel", "Kestrel", "2026-11-27", (("Due", "2026-12-02 01:00 UTC"),), (ROB,),
    ("Rob will pay 48k on Friday.", "Maria left."), "America/New_York",
)  # fmt: skip
SPELLINGS = KnownPeople.of(
    [MARA, ROB, ("people/rob", "Rob M."), ("people/ann-1", "Ann Lee"), ("people/ann-2", "Ann Fox")]
)


@table(
    ("claim", "holds"),
    [
        ("Robert Mueller will pay 48,000 on Friday.", True),
        ("R. Müller will pay 48k on 4 December.", True),
        ("Mara Silva will pay 48k on Friday.", False),
        ("Ann will pay 48k on Friday.", False),
        ("Rob will pay 48k, due on 1 December at 20:00.", True),
        ("Rob will pay 48k, due on 3 December.", False),
        ("Rob will pay €48k on Friday.", False),
    ],
)
def test_people_days_and_hours_are_compared_by_what_they_mean(claim: str, holds: bool) -> None:
    passage = CitedQuote("sources/cloop/x/y", "Rob will pay 48k on Friday.", NOTE)
    checks = support.compare(claim, [passage], SPELLINGS)
    assert all(check.passed for check in checks) is holds, checks


@table(
    ("quote", "joined_well"),
    [
        ("I'll send the lease ... by Friday", True),
        ("I'll send \u2026 by Friday", True),
        ("Rob: I'll send the lease ... by Friday", True),
        ("send the lease [...] by Friday.", True),
        ("by Friday ... I'll send the lease", False),  # in another order
        ("I'll send the lease ... pays the rent", False),  # of two sentences
        ("I'll send the lease ... It is signed", False),  # of two speakers
        ("Well... it may rain.", True),  # the record's own ellipsis
    ],
)
def test_an_ellipsis_leaves_out_words_of_one_sentence_only(quote: str, joined_well: bool) -> None:
    lines = (
        "Rob: I'll send the lease to Ann by Friday. Ann pays the rent.",
        "Mara Silva: It is signed.",
        "Well... it may rain.",
    )
    record = NOTE._replace(lines=lines)
    checks = support.compare("Rob sends the lease.", [CitedQuote("sources/cloop/x/y", quote, record)], SPELLINGS)
    reasons = [check.reason for check in checks if not check.passed]
    assert ("the quote joins words of several sentences or speakers" not in reasons) is joined_well


@table("zone", ["Europe", "Mars/Base", "../x", "A" * 300])
def test_times_of_a_record_in_an_unknown_zone_are_left_out(zone: str) -> None:
    passage = CitedQuote("sources/cloop/x/y", "Rob will pay 48k on Friday.", NOTE._replace(zone=zone))
    checks = support.compare("Rob will pay 48k, due on 1 December at 20:00.", [passage], SPELLINGS)
    assert not all(check.passed for check in checks)


@table(
    ("claim", "quote", "holds"),
    [
        ("Kestrel was cancelled.", "Nobody cancelled Kestrel.", False),
        ("Kestrel wurde abgesagt.", "Niemand hat Kestrel abgesagt.", False),
        ("The offer was refused.", "The offer was not refused.", False),
        ("Nobody cancelled Kestrel.", "Nobody cancelled Kestrel.", True),
        ("The offer was refused.", "They refused the offer, but not the lease.", True),
        # The month is no doubt.
        ("The lease was signed on 3 May.", "The lease might be signed on 3 May.", False),
        ("The lease was signed on 3 May.", "The lease was signed on 3 May.", True),
        # A few nouns say nothing of something else.
        ("Rob was dismissed.", "harbour rollout", False),
        ("Rob a d\u00e9missionn\u00e9.", "le lancement du port", False),
        ("The harbour rollout is planned.", "harbour rollout plan", True),
    ],
)
def test_a_denied_denial_a_month_and_a_few_nouns(claim: str, quote: str, holds: bool) -> None:
    record = NOTE._replace(lines=(quote,), title="Note", page_title="Note")
    checks = support.compare(claim, [CitedQuote("sources/cloop/x/y", quote, record)], SPELLINGS)
    assert all(check.passed for check in checks) is holds, checks


@table(
    ("claim", "holds"),
    [
        ("Der Start von Atlas ist für den 20. November 2026 geplant.", True),
        ("Der Start von Atlas ist am 20. November 2026 vorgesehen.", True),
        ("Atlas ist am 20. November 2026 gestartet.", False),
        ("Le lancement d'Atlas est planifi\u00e9 pour le 20 novembre 2026.", True),
        ("El lanzamiento de Atlas está programado para el 20 de noviembre de 2026.", True),
        ("O lançamento de Atlas está marcado para 20 de novembro de 2026.", True),
        ("Il lancio di Atlas è fissato per il 20 novembre 2026.", True),
        ("De lancering van Atlas is gepland op 20 november 2026.", True),
        ("Atlas is op 20 november 2026 gelanceerd.", False),
    ],
)
def test_a_plan_told_in_the_readers_language_is_not_taken_for_done(claim: str, holds: bool) -> None:
    quote = "The launch of Atlas is planned for 2026-11-20."
    record = NOTE._replace(lines=(quote,), title="Atlas", page_title="Atlas")
    checks = support.compare(claim, [CitedQuote("sources/cloop/x/y", quote, record)], SPELLINGS)
    assert all(check.passed for check in checks) is holds, checks


@pytest.mark.properties
@table("text", ["", "?", "\u0000", "x" * 2000, "9" * 2000, "A " * 900, "..." * 600, "('" * 900, "not " * 500])
def test_no_text_breaks_the_comparison(text: str) -> None:
    passage = CitedQuote("sources/cloop/x/y", text, NOTE._replace(lines=(text,), title=text, day=text[:10]))
    for claim in (text, "Rob will pay 48k on Friday."):
        assert [check.name for check in support.compare(claim, [passage], SPELLINGS)] == ["values", "meaning"]


def test_nothing_is_asked_twice() -> None:
    first, second = support.Question("a", (("p", "q"),)), support.Question("ap", (("", "q"),))
    assert first.key != second.key
    assert support.unasked([first, first, second], {second.key: "partial"}) == [first]
    assert support.unasked([first], {first.key: "perhaps"}) == [first]
    assert support.answers([first, second], ["supported"]) == {}
    assert support.answers([first, second], ["supported", "no idea"]) == {first.key: "supported"}


@table(
    ("page", "holds"),
    [
        ("sources/cloop/notes/x", True), ("reports/2026/x", False), ("CONTEXT", False), ("people/anna", False),
        ("insights/x", False), ("sources/../reports/x", False), ("/sources/x", False),
    ],
)  # fmt: skip
def test_only_what_a_source_said_is_evidence(page: str, holds: bool) -> None:
    assert support.is_evidence(page) is holds


TASK = CitedRecord(
    title="Order cables",
    page_title="Order cables",
    day="2026-11-24",
    facts=(),
    people=(),
    lines=("Status: done", "open"),
)


@table(
    "quote, claim, is_verified",
    [
        # A state proves that the thing of the record has it, and nothing more.
        ("Status: done", "Order cables is done", True),
        ("Status: done", "The task is finished", True),
        ("open", "Order cables is still open", True),
        ("Status: done", "Order cables is open", False),
        ("Status: done", "Order cables is not done", False),
        ("Status: done", "Bob finished the cables", False),
        ("open", "The budget is open", False),
    ],
)
def test_a_quote_that_is_only_a_state_proves_only_that_state(quote: str, claim: str, is_verified: bool) -> None:
    passage = CitedQuote("sources/cloop/x/y", quote, TASK)
    assert all(each.passed for each in support.compare(claim, [passage], PEOPLE)) is is_verified


@table(
    "quote, claim, is_verified",
    [
        # One clause gives a value, the next denies something: the claim joins the two and drops the negation.
        ("The deposit is 900 euros and is not refundable.", "The deposit of 900 euros is refundable.", False),
        ("The deposit is 900 euros. It is not refundable.", "The deposit of 900 euros is refundable.", False),
        ("I paid the 900 euros but did not sign the lease.", "Jonas paid the 900 euros and signed the lease.", False),
        ("I paid the 900 euros but didn't get the key.", "Jonas paid the 900 euros and got the key.", False),
        ("The rent was paid on 3 May, not the deposit.", "The rent and the deposit were paid on 3 May.", False),
        (
            "Die Karten kosten 40 Euro und sind nicht übertragbar.",
            "Die Karten kosten 40 Euro und sind übertragbar.",
            False,
        ),
        (
            "Ich habe die 900 Euro gezahlt, den Mietvertrag aber nicht.",
            "Jonas hat die 900 Euro und den Mietvertrag gezahlt.",
            False,
        ),
        (
            "Das Zimmer kostet 80 Euro, es gibt aber kein Frühstück.",
            "Das Zimmer kostet 80 Euro mit Frühstück.",
            False,
        ),
        ("Le prix est de 400 euros, livraison non comprise.", "Le prix de 400 euros comprend la livraison.", False),
        (
            "Le loyer est de 700 euros et ne comprend pas le chauffage.",
            "Le loyer de 700 euros comprend le chauffage.",
            False,
        ),
        ("La entrada cuesta 40 euros, pero no incluye bebida.", "La entrada cuesta 40 euros e incluye bebida.", False),
        ("O bilhete custa 40 euros, mas não inclui o almoço.", "O bilhete de 40 euros inclui o almoço.", False),
        ("Il biglietto costa 40 euro e non include il pranzo.", "Il biglietto da 40 euro include il pranzo.", False),
        (
            "De kamer kost 80 euro, maar het ontbijt is niet inbegrepen.",
            "De kamer kost 80 euro, ontbijt inbegrepen.",
            False,
        ),
        ("The flat has 3 rooms and no balcony.", "The flat has 3 rooms and a balcony.", False),
        ("Ik heb de 400 euro betaald, het contract heb ik niet.", "Jonas heeft de 400 euro en het contract.", False),
        # What the other clause says stays true, whatever this one denies.
        ("The deposit is 900 euros and is not refundable.", "The deposit is 900 euros.", True),
        ("The deposit is not refundable and is 900 euros.", "The deposit is 900 euros.", True),
        ("The deposit is 900 euros and is not refundable.", "The deposit of 900 euros is not refundable.", True),
        (
            "The deposit is 900 euros and is due no later than Friday.",
            "The deposit of 900 euros is due by Friday.",
            True,
        ),
        ("I paid the 900 euros but did not sign the lease.", "Jonas paid the 900 euros.", True),
        ("The rent was paid on 3 May, but the deposit was not paid.", "The rent was paid on 3 May.", True),
        ("Die Karten kosten 40 Euro und sind nicht übertragbar.", "Die Karten kosten 40 Euro.", True),
        ("Le prix est de 400 euros, livraison non comprise.", "Le prix est de 400 euros.", True),
        ("La entrada cuesta 40 euros, pero no incluye bebida.", "La entrada cuesta 40 euros.", True),
        ("O bilhete custa 40 euros, mas não inclui o almoço.", "O bilhete custa 40 euros.", True),
        ("Il biglietto costa 40 euro e non include il pranzo.", "Il biglietto costa 40 euro.", True),
        ("De kamer kost 80 euro, maar het ontbijt is niet inbegrepen.", "De kamer kost 80 euro.", True),
        ("Don't worry, I'll pay the 400 euros on Monday.", "Jonas will pay the 400 euros on Monday.", True),
        ("Ich kann am Freitag nicht, aber ich rufe dich am Montag an.", "Jonas ruft am Montag an.", True),
        # A claim in another language than its quote is compared by what words mean.
        ("Die Karten kosten 40 Euro und sind nicht übertragbar.", "The tickets at 40 euros are transferable.", False),
        ("Die Kaution beträgt 900 Euro und wird nicht verzinst.", "The deposit is 900 euros.", True),
        ("Die Kaution ist 900 Euro und nicht rückzahlbar.", "The deposit of 900 euros is refundable.", False),
        (
            "Ich habe die 900 Euro bezahlt, aber den Mietvertrag nicht unterschrieben.",
            "Jonas paid the 900 euros and signed the lease.",
            False,
        ),
        ("Le prix est de 400 euros, livraison non comprise.", "The price of 400 euros includes delivery.", False),
        ("La entrada cuesta 40 euros, pero no incluye bebida.", "The ticket at 40 euros includes a drink.", False),
        ("O bilhete custa 40 euros, mas não inclui bebidas.", "Das Ticket für 40 Euro enthält Getränke.", False),
        ("Il biglietto costa 40 euro e non è rimborsabile.", "Le billet à 40 euros est remboursable.", False),
        ("De kamer kost 80 euro, maar het ontbijt is niet inbegrepen.", "The room is 80 euros with breakfast.", False),
        ("The room is 80 euros, but breakfast is not included.", "Das Zimmer kostet 80 Euro mit Frühstück.", False),
        ("Die Karten kosten 40 Euro und sind nicht übertragbar.", "The tickets cost 40 euros.", True),
        ("Le prix est de 400 euros, livraison non comprise.", "The price is 400 euros.", True),
        ("La entrada cuesta 40 euros, pero no incluye bebida.", "The ticket costs 40 euros.", True),
        ("Il biglietto costa 40 euro e non è rimborsabile.", "The ticket at 40 euros is not refundable.", True),
        (
            "De kamer kost 80 euro, maar het ontbijt is niet inbegrepen.",
            "The room is 80 euros without breakfast.",
            True,
        ),
        ("Ich habe die 900 Euro bezahlt, aber nicht unterschrieben.", "Jonas paid the 900 euros.", True),
    ],
)
def test_what_one_clause_denies_is_not_joined_to_what_another_says(quote: str, claim: str, is_verified: bool) -> None:
    people = (("people/jonas-kraft", "Jonas Kraft"),)
    record = CitedRecord(
        title="Jonas Kraft",
        page_title="Jonas Kraft",
        day="2026-11-24",
        facts=(("When", "2026-11-24 09:30 +00:00"),),
        people=people,
        lines=(quote,),
    )
    checks = support.compare(claim, [CitedQuote("sources/cloop/x/y", quote, record)], KnownPeople.of(people))
    assert all(each.passed for each in checks) is is_verified, checks


#: The same of several languages, done and to be done.
PAID = {
    "en": ("Iker paid 900 euros.", "Iker will pay 900 euros."),
    "de": ("Iker bezahlte 900 Euro.", "Iker wird 900 Euro bezahlen."),
    "fr": ("Iker a payé 900 euros.", "Iker paiera 900 euros."),
    "es": ("Iker pagó 900 euros.", "Iker pagará 900 euros."),
    "pt": ("Iker pagou 900 euros.", "Iker pagará 900 euros."),
    "it": ("Iker ha pagato 900 euro.", "Iker pagherà 900 euro."),
    "nl": ("Iker betaalde 900 euro.", "Iker zal 900 euro betalen."),
}


def is_told(claim: str, quote: str) -> bool:
    people = (("people/iker-sanz", "Iker Sanz"),)
    record = CitedRecord("Note", "Note", "2026-11-24", (), people, (quote,))
    checks = support.compare(claim, [CitedQuote("sources/cloop/x/y", quote, record)], KnownPeople.of(people))
    return all(each.passed for each in checks)


@table(
    "done, planned",
    [
        *PAID.values(),
        ("Iker a livré 12 pompes.", "Iker livrera 12 pompes."),
        ("Iker a signé le bail.", "Iker va signer le bail."),
        ("Iker a signé le bail.", "Iker signera le bail."),
        ("Iker l'a rendu avant le 4 décembre.", "Iker le rendra avant le 4 décembre."),
        ("Iker a pris les clés.", "Iker prendra les clés."),
        ("Iker entregó 12 bombas.", "Iker entregará 12 bombas."),
        ("Iker firmó el contrato.", "Iker firmará el contrato."),
        ("Iker ha hecho el informe.", "Iker hará el informe."),
        ("Iker trajo las llaves.", "Iker va a traer las llaves."),
        ("Iker reparó la caldera antes del viernes.", "Iker reparará la caldera antes del viernes."),
        ("Iker entregou 12 bombas.", "Iker vai entregar 12 bombas."),
        ("Iker fez o relatório.", "Iker fará o relatório."),
        ("Os vizinhos venderam a casa.", "Os vizinhos venderão a casa."),
        ("Iker ha consegnato 12 pompe.", "Iker consegnerà 12 pompe."),
        ("Iker ha preso le chiavi.", "Iker prenderà le chiavi."),
        ("Iker restituì le chiavi.", "Iker restituirà le chiavi."),
        ("I vicini hanno pagato 900 euro.", "I vicini pagheranno 900 euro."),
        ("De huurder betaalde 900 euro.", "De huurder zal 900 euro betalen."),
    ],
)
def test_what_will_be_done_is_not_told_as_done(done: str, planned: str) -> None:
    assert [is_told(done, done), is_told(planned, planned)] == [True, True]
    assert [is_told(done, planned), is_told(planned, done)] == [False, False]


def test_what_will_be_done_is_not_told_as_done_in_another_language() -> None:
    pairs = [(PAID[code], PAID[other]) for code in PAID for other in PAID if code != other]
    assert [pair for pair in pairs if not (is_told(pair[0][0], pair[1][0]) and is_told(pair[0][1], pair[1][1]))] == []
    assert [pair for pair in pairs if is_told(pair[0][0], pair[1][1]) or is_told(pair[0][1], pair[1][0])] == []


@table("name", ["Ana Rivera", "Vera Silva", "Rivera", "Museu Kestrel", "Casa Herrera"])
def test_a_name_that_ends_as_a_verb_does_is_still_only_a_name(name: str) -> None:
    assert not is_told(f"{name} signed the lease.", name)
