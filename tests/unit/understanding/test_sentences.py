"""Where sentences end: not after "Dr.", not after an initial, not inside of "3. Dezember"."""
# ruff: noqa: E501 - tables of cases

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from consumer.understanding.text import fold, sentences, tokens
from tests.tables import table


@table(
    ("language", "text"),
    [
        ("en", "Drawings to Dr. Weber by December 2."), ("en", "Ask Mr. Stone, Mrs. Reed and Ms. Novak."), ("en", "See e.g. the annex."),
        ("en", "It costs approx. 40 euros."), ("en", "J. R. Stone will call."), ("en", "Due Dec. 3 at 5 p.m. sharp."), ("en", "Acme Inc. signed it."),
        ("en", "Version 2.1 is out."), ("en", "We ship the hdwr. tomorrow."), ("en", "See St. Mary's at No. 5."), ("en", "Prof. Ito vs. Prof. Lee"), ("en", "We met on Fri. 4 December."),
        ("de", "Die Zeichnungen gehen bis 3. Dezember an Dr. Weber."), ("de", "Hr. Meier kommt ca. um 5."), ("de", "Bis Fr. 4. Dez. bitte."),
        ("de", "Es kostet z.B. 40 Tsd. Euro."), ("de", "Das ist Nr. 5 laut Abs. 3."), ("fr", "Voir M. Weber et Mme. Petit."),
        ("fr", "Les plans au Dr. Weber, env. 40 pages."), ("es", "El Sr. Weber y la Sra. Ruiz firman."), ("es", "Los planos al Dr. Weber, aprox. 40."),
        ("pt", "O Sr. Weber e a Dra. Ruiz assinam."), ("pt", "Os desenhos ao Eng. Weber."), ("it", "I disegni al Dott. Weber e alla Sig. Rossi."),
        ("it", "Spett. Ditta Rossi, ca. 40 pagine."), ("nl", "De tekeningen aan dhr. Weber en mevr. Smit."), ("nl", "Het kost ca. 40 euro bijv. per stuk."),
        ("en", "The deed is for Messrs. Hale and Gov. Ruiz."), ("de", "Die Akte geht an Fr. Lenz und Dipl.-Ing. Kern."),
        ("de", "Das gilt gem. Abs. 2 f\u00fcr Dr. jur. Voss."), ("fr", "L'acte est pour Me. Garnier et Mlle. Roux."),
        ("es", "Los planos son para el Lic. Soto y D. Luis."), ("it", "Le chiavi sono per l'Avv. Conti e la Sig.ra Bruno."),
        ("pt", "As plantas s\u00e3o para a Profa. Reis."), ("nl", "De akte is voor fam. Kok t.a.v. mevr. Kok."),
        ("nl", "De kaart van ir. Vos, d.d. 3 nov., resp. de lijst."), ("de", "Die Listen etc. gehen resp. kommen an Stb. Kern."),
        ("pt", "O mapa do Arq. Reis resp. da Profª. Luz."), ("it", "La lista dell'arch. Bini resp. dell'on. Conti."),
    ],
)  # fmt: skip
def test_an_abbreviation_ends_no_sentence(language: str, text: str) -> None:
    assert [each.text for each in sentences(text, language)] == [text]


@table(
    ("text", "parts"),
    [
        ("Done. I'll call. Bye!", ["Done.", "I'll call.", "Bye!"]),
        ("One line\nand another\n\nand more", ["One line", "and another", "and more"]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("Really? Yes… Good.", ["Really?", "Yes…", "Good."]),
        # Mails have blanks that do not break, and tables tabs.
        ("I'll send it.\u00a0Please call Bob.", ["I'll send it.", "Please call Bob."]),
        ("Done.\tBye!", ["Done.", "Bye!"]),
        ("[As agreed.] Bye!", ["[As agreed.]", "Bye!"]),
        ("", []),
        ("   ", []),
        ("I will do it Fri. Then we talk.", ["I will do it Fri.", "Then we talk."]),
        ("I saw it. May was there.", ["I saw it.", "May was there."]),
        ("It was March. Then came May.", ["It was March.", "Then came May."]),
        ("I will do it on Fri. Then we talk.", ["I will do it on Fri.", "Then we talk."]),
        ("See Dr. Weber. Then call.", ["See Dr. Weber.", "Then call."]),
        ("We meet at 5 p.m. Monday at 6 p.m. it closes.", ["We meet at 5 p.m. Monday at 6 p.m. it closes."]),
        ("See abc.de. Annex follows.", ["See abc.de.", "Annex follows."]),
        ("It has 2.5. Annex follows.", ["It has 2.5.", "Annex follows."]),
    ],
)
def test_sentences_end_where_they_end(text: str, parts: list[str]) -> None:
    assert [each.text for each in sentences(text, "en")] == parts


@given(st.text(max_size=80), st.sampled_from(["en", "de", "fr", ""]))
def test_every_sentence_stands_in_its_text(text: str, language: str) -> None:
    made = sentences(text, language)
    assert all(text[each.start : each.start + len(each.text)] == each.text for each in made)
    assert "".join("".join(each.text for each in made).split()) == "".join(text.split())


@given(st.text(max_size=80), st.booleans())
def test_folding_keeps_places(text: str, elided: bool) -> None:
    folded = fold(text)
    assert len(folded) == len(text)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens(folded, elided))


def test_an_abbreviation_and_a_blank_may_be_the_end() -> None:
    assert [each.text for each in sentences("That was a big no. ", "en")] == ["That was a big no."]
    assert [each.text for each in sentences("Wir sehen uns am 3. ", "de")] == ["Wir sehen uns am 3."]


def test_a_german_day_may_end_a_sentence_and_a_title_does_not() -> None:
    assert len(sentences("Ich schicke es bis Fr. Danke dir.", "de")) == 2
    assert len(sentences("Ich schicke es an Fr. Danke.", "de")) == 1


@table(
    ("text", "parts"),
    [
        ("会議は三日です。李さんが来ます。", ["会議は三日です。", "李さんが来ます。"]),
        ("合同发了吗\uff1f发了\uff01谢谢。", ["合同发了吗\uff1f", "发了\uff01", "谢谢。"]),
        ("他说\uff1a「我来。」然后走了。", ["他说\uff1a「我来。」", "然后走了。"]),
        ("はい。。。そうです", ["はい。。。", "そうです"]),
    ],
)
def test_a_full_stop_of_chinese_and_japanese_needs_no_blank(text: str, parts: list[str]) -> None:
    assert [each.text for each in sentences(text)] == parts
