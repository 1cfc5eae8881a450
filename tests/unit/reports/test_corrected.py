"""A claim that says again what the user called wrong is known, in whatever words and scripts."""

from __future__ import annotations

from consumer.reports.claims import Citation, Claim
from consumer.reports.corrected import CorrectedReport, WrongClaim
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
    ],
)
def test_a_claim_of_something_else_is_told(wrong: str, text: str) -> None:
    assert repeated(wrong, text, "first") == repeated(wrong, text, "second") == ""


def test_a_claim_from_the_same_words_is_the_same_whatever_it_says() -> None:
    assert repeated("Bob is CEO.", "Somebody leads it.", "first", "It was said so.") == "corrected"
