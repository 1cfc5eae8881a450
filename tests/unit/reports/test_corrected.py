"""A claim that says again what the user called wrong is known, in whatever words and scripts."""

from __future__ import annotations

from consumer.evidence import pages
from consumer.reports import recall, withholding
from consumer.reports.claims import Citation, Claim
from consumer.reports.corrected import CorrectedReport, WrongClaim
from contract.overlay import CorrectionView
from tests.tables import table

PAGE = "sources/cloop/mail/2026-11-20"


def cited(record: str, quote: str) -> Citation:
    return Citation.model_validate({"page": PAGE, "anchor": f"r-{record}", "quote": quote})


def repeated(wrong: str, text: str, record: str, quote: str = "It was said again later.") -> str:
    """What becomes of a claim that cites this record, after a claim of the record ``first`` was called wrong."""
    called_wrong = WrongClaim(wrong, (cited("first", "It was said so."),))
    claim = Claim.model_validate(
        {"kind": "insight", "text": text, "confidence": 0.9, "citations": [cited(record, quote).model_dump()]}
    )
    return CorrectedReport(claims=(called_wrong,)).repeated_by(claim)


@table(
    ("wrong", "text"),
    [
        ("Ana signs the lease on Monday.", "On Monday Ana signs the lease."),
        ("Bob is our CEO.", "Bob is our new CEO."),
        ("IT is on fire.", "IT is on fire again."),
        ("Jörg leitet das Falcon-Projekt.", "Das Falcon-Projekt leitet Jörg Klein."),
        ("Le budget de Falcon est de 48k.", "Falcon : le budget est 48k."),
        ("Ana quiere vender el piso.", "Ana quiere vender su piso."),
        ("Rui vai sair da firma.", "O Rui vai sair da firma."),
        ("Bram wil het huis niet.", "Bram wil het huis echt niet."),
        ("Анна подпишет договор в пятницу.", "Анна подпишет договор уже в пятницу."),
        ("安娜将发送价格表。", "安娜会发送价格表。"),
        ("Mara owes Ann the signed lease.", "Mara still owes Ann the signed lease."),
        ("The deposit for the quay is 1,200 euros.", "The deposit for the quay: 1,200 euros."),
        ("Kestrel launches on 4 February.", "Kestrel launches on 4 February 2027."),
        ("Die Kaution beträgt 1.200 Euro.", "Die Kaution beträgt nun 1.200 Euro."),
        ("Paul a signé le bail.", "Paul a déjà signé le bail."),
        ("Ana firma el contrato el lunes.", "El lunes Ana firma el contrato."),
        ("A Rita paga a renda na sexta.", "Na sexta a Rita paga a renda."),
        ("Il contratto scade a marzo.", "A marzo il contratto scade."),
        ("Bram betaalt de huur op maandag.", "Op maandag betaalt Bram de huur."),
        ("Анна оплатит аренду в мае.", "Анна оплатит аренду уже в мае."),
        ("アンナは金曜日に契約に署名する。", "アンナが金曜日に契約に署名します。"),
        ("안나는 금요일에 계약서에 서명한다.", "안나가 금요일에 계약서에 서명합니다."),
    ],
)
def test_much_the_same_text_is_the_same_claim(wrong: str, text: str) -> None:
    assert repeated(wrong, text, "first") == "corrected"
    assert repeated(wrong, text, "second") == "again"


@table(
    ("wrong", "text"),
    [
        ("Bob is CEO.", "Ann is CEO."),
        ("Budget is 48k.", "Rent is 12k."),
        ("Ana signs the lease.", "Rob paid the gardener on Tuesday."),
        ("安娜将发送价格表。", "鲍勃取消了会议。"),
        ("王さんは社長です。", "李さんは社長です。"),
        ("张伟将寄送合同。", "李娜将寄送合同。"),
        ("Anna will send the contract to Clara.", "Rita will send the contract to Clara."),
    ],
)
def test_a_claim_of_something_else_is_told(wrong: str, text: str) -> None:
    assert repeated(wrong, text, "first") == repeated(wrong, text, "second") == ""


def test_a_claim_from_the_same_words_is_the_same_whatever_it_says() -> None:
    assert repeated("Bob is CEO.", "Somebody leads it.", "first", "It was said so.") == "corrected"


#: A mail as a record's page shows it. A claim about one of its sentences is called wrong; another words it otherwise.
MAIL = """---
title: Mail
date: 2026-11-20
---

## Mara Lind {{#r-first}}

{text}
"""


def reworded(record: str, wrong: tuple[str, str], again: tuple[str, str]) -> str:
    """What becomes of a claim after another of the same record was called wrong; both as (text, quote)."""
    page = pages.parse(PAGE, MAIL.format(text=record).encode())
    called_wrong = WrongClaim(wrong[0], (cited("first", wrong[1]),)).with_records({PAGE: page}.get)
    citations = [cited("first", again[1]).model_dump()]
    claim = Claim.model_validate({"kind": "insight", "text": again[0], "confidence": 0.9, "citations": citations})
    return CorrectedReport(claims=(called_wrong,)).repeated_by(claim)


@table(
    ("sentence", "wrong", "again"),
    [
        (
            "As agreed, | Ana signs the lease | on Monday, | and I will be there.",
            "Ana signs the lease on Monday.",
            "On Monday Ana is to put her name under the rental contract.",
        ),
        (
            "We all hope | Bob leaves the firm | in May, | as he says himself.",
            "Bob leaves the firm in May.",
            "In May, Bob quits his job.",
        ),
        (
            "I checked and | the fee is 48k | from now on, | says the bank.",
            "The fee is 48k.",
            "What they ask comes to 48,000.",
        ),
        (
            "Wie besprochen | unterschreibt Ana den Mietvertrag | am Montag | bei der Verwaltung.",
            "Ana unterschreibt den Mietvertrag am Montag.",
            "Am Montag soll Ana die Vereinbarung zeichnen.",
        ),
        (
            "Ich habe gehört, dass | Jörg die Firma verlässt | und wir ihn | nicht halten können.",
            "Jörg verlässt die Firma.",
            "Jörg kündigt bald seine Stelle.",
        ),
        (
            "Pour la suite, | le loyer est de 900 € | à partir de là, | comme convenu.",
            "Le loyer est de 900 €.",
            "Il faut payer 900 € chaque fois.",
        ),
        (
            "Me dicen que | Ana quiere vender el piso | cuanto antes | y lo entiendo.",
            "Ana quiere vender el piso.",
            "Ana desea deshacerse de la vivienda.",
        ),
        (
            "Parece que | o Rui vai sair da firma | em breve, | segundo ele.",
            "O Rui vai sair da firma.",
            "O Rui deixa a empresa.",
        ),
        (
            "Come detto, | Marta firma il contratto | lunedì | in ufficio.",
            "Lunedì Marta firma il contratto.",
            "Marta sottoscrive l'accordo lunedì.",
        ),
        (
            "Ik hoor dat | Bram het huis niet wil | kopen | en dat spijt me.",
            "Bram wil het huis niet kopen.",
            "Bram ziet van de woning af.",
        ),
    ],
)
def test_a_claim_of_the_same_sentence_in_synonyms_is_the_same(sentence: str, wrong: str, again: str) -> None:
    first, quote, middle, last = (part.strip() for part in sentence.split("|"))
    record = " ".join((first, quote, middle, last))
    assert reworded(record, (wrong, quote), (again, last.rstrip("."))) == "corrected"


@table(
    ("record", "wrong", "again"),
    [
        (
            "Ana will send the price list by Friday. Ana will call the plumber by Friday.",
            ("Ana sends the price list by Friday.", "Ana will send the price list"),
            ("By Friday Ana rings the plumber.", "Ana will call the plumber by Friday."),
        ),
        (
            "Ana schickt die Preisliste bis Freitag. Ana ruft bis Freitag den Klempner an.",
            ("Ana schickt die Preisliste bis Freitag.", "Ana schickt die Preisliste"),
            ("Bis Freitag telefoniert Ana mit dem Klempner.", "Ana ruft bis Freitag den Klempner an."),
        ),
        (
            "Ana signs the lease on Monday, and Bob pays the gardener on Monday.",
            ("Ana signs the lease on Monday.", "Ana signs the lease on Monday"),
            ("On Monday Bob settles with the gardener.", "Bob pays the gardener"),
        ),
        (
            "Ana signs the lease on Monday and meets the bank on Tuesday.",
            ("Ana signs the lease on Monday.", "Ana signs the lease"),
            ("On Tuesday Ana sees her bankers.", "meets the bank on Tuesday"),
        ),
        (
            "The rent is 900 EUR and the deposit comes to 1,800 EUR.",
            ("The rent is 900 EUR.", "The rent is 900 EUR"),
            ("1,800 EUR must be left as security.", "the deposit comes to 1,800 EUR"),
        ),
    ],
)
def test_another_statement_of_the_same_record_is_told(
    record: str, wrong: tuple[str, str], again: tuple[str, str]
) -> None:
    assert reworded(record, wrong, again) == ""


@table(
    ("record", "wrong", "again"),
    [
        (
            "王さんは社長で、李さんは部長です。",
            ("王さんは社長です。", "王さんは社長で"),
            ("李さんは部長です。", "李さんは部長です"),
        ),
        (
            "張偉將寄送合同。李娜將付款。",
            ("張偉將寄送合同。", "張偉將寄送合同"),
            ("李娜將付款。", "李娜將付款"),
        ),
        (
            "会议在3日开始、在5日结束。",
            ("会议3日开始。", "会议在3日开始"),
            ("会议5日结束。", "在5日结束"),
        ),
    ],
)
def test_another_person_or_day_of_one_sentence_is_told_in_scripts_without_capitals(
    record: str, wrong: tuple[str, str], again: tuple[str, str]
) -> None:
    assert reworded(record, wrong, again) == ""


def test_synonyms_about_the_same_person_are_the_same_in_scripts_without_capitals() -> None:
    wrong, again = ("アンナは契約に署名する。", "アンナは契約に署名する"), ("アンナは書類にサインする。", "と言った")
    assert reworded("アンナは契約に署名する、と言った。", wrong, again) == "corrected"


def claim_called(verdict: str, ident: str, *records: str) -> tuple[CorrectionView, WrongClaim]:
    view = CorrectionView.model_construct(id=ident, verdict=verdict)
    return view, WrongClaim("x", tuple(cited(record, "x") for record in records))


def test_only_a_claim_that_is_private_hides_its_places() -> None:
    claims = [
        claim_called("private", "a", "1", "2"),
        claim_called("wrong", "b", "2", "3"),
        claim_called("private", "c", "2"),
    ]
    assert recall._private_places(claims) == {
        (PAGE, "r-1"): {f"{withholding.PRIVATE}a"},
        (PAGE, "r-2"): {f"{withholding.PRIVATE}a", f"{withholding.PRIVATE}c"},
    }
