"""When two noun phrases name the same thing."""
# ruff: noqa: E501 - tables of cases

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from consumer.understanding import languages
from consumer.understanding.objects import same_object
from tests.tables import table


@table(
    ("language", "left", "right"),
    [
        ("en", "the price deck", "price deck"), ("en", "price decks", "our price deck"), ("en", "lease draft for the quay", "the lease draft for the quay"),
        ("en", "Draft 2", "draft 2"), ("en", "three references", "3 references"), ("de", "drei Entwürfe", "3 Entwürfe"), ("de", "die Preisliste", "Preislisten"), ("de", "den Vertrag", "Vertrags"),
        ("fr", "la grille tarifaire", "les grilles tarifaires"), ("es", "la lista de precios", "lista de precios"),
        ("pt", "a tabela de preços", "tabelas de preços"), ("it", "il listino prezzi", "listino prezzi"), ("nl", "de prijslijst", "prijslijsten"),
    ],
)  # fmt: skip
def test_the_same_words_are_identical(language: str, left: str, right: str) -> None:
    assert same_object(left, right, language) == same_object(right, left, language) == "identical"


@table(
    ("language", "left", "right"),
    [
        ("en", "price deck", "the deck"), ("en", "signed Harbor contract", "contract"), ("en", "lease draft for the quay", "lease draft"),
        ("en", "draft 2", "the draft"), ("en", "three customer references", "the customer references"), ("en", "three customer references", "customer references from Taiwan"), ("de", "unterschriebenen Vertrag", "der Vertrag"), ("de", "die Maße der Tür", "Maße"), ("fr", "contrat signé", "le contrat"),
        ("es", "lista de precios", "la lista"), ("pt", "tabela de preços", "a tabela"), ("it", "listino prezzi", "il listino"), ("nl", "het ondertekende contract", "contract"),
    ],
)  # fmt: skip
def test_a_shorter_name_is_compatible_and_not_identical(language: str, left: str, right: str) -> None:
    assert same_object(left, right, language) == same_object(right, left, language) == "compatible"


@table(
    ("language", "left", "right"),
    [
        ("en", "landlord about the heating", "heating"), ("en", "heating", "lease"), ("en", "draft 2", "draft 3"), ("en", "price deck", "sales deck"),
        ("en", "price deck", "deck price"), ("en", "", ""), ("en", "the", "the"), ("en", "version 2.1 of the contract", "version 2.2 of the contract"),
        ("en", "quarterly report", "quarterly board report templates"), ("de", "Mietvertrag", "Heizung"), ("de", "Vertrag 2", "Vertrag 3"),
        ("fr", "contrat de bail", "contrat de travail"), ("es", "factura de marzo", "factura de abril"), ("nl", "huurcontract", "arbeidscontract"),
        ("en", "invoice 17", "invoice 71"), ("en", "two references", "three references"), ("en", "Q1 budget", "Q2 budget"),
    ],
)  # fmt: skip
def test_resemblance_is_not_sameness(language: str, left: str, right: str) -> None:
    assert same_object(left, right, language) == ""


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from([*languages.LANGUAGES, "", "zh"]))
def test_sameness_is_symmetric(left: str, right: str, language: str) -> None:
    assert same_object(left, right, language) == same_object(right, left, language)
    assert same_object(left, left, language) in ("", "identical")
