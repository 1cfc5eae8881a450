"""Standing rules: what a sentence holds, in eight languages, and what is no rule."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consumer.understanding.people import Directory
from consumer.understanding.standing_rules import RULE_CHARS, RuleText, StandingRule, Unread, compiled
from consumer.understanding.utterances import Person
from tests.tables import table
from tests.unit.understanding.talks import ANN, BOB, contact, profile, record

SOFIE = Person("Sofie Brandt", "sofie@brandt.example")
OTHER = Person("Sofie Lund", "sofie@lund.example")
DIRECTORY = Directory.of(
    [
        profile("Mara Lind"),
        contact("s", SOFIE.name, SOFIE.address),
        record(people=(SOFIE, ANN, BOB, Person("Tom Reed"))),
    ]
)
SOFIE_ID = "contact/s"


def read(text: str, directory: Directory = DIRECTORY) -> StandingRule | Unread:
    return compiled(RuleText("user_rules/1", text), directory)


def held(text: str, directory: Directory = DIRECTORY) -> StandingRule:
    rule = read(text, directory)
    assert isinstance(rule, StandingRule), rule
    return rule


@table(
    "text",
    [
        "Mails of Sofie are private and never in a work summary",
        "Sofie's mails are private, never in a work summary.",
        "Never mention Sofie Brandt.",
        "Keep Sofie out of my reports",
        "Don't quote what Sofie writes",
        "sofie@brandt.example is off limits",
        "Sofies Mails sind privat und gehören nie in eine Arbeitszusammenfassung.",
        "Erwähne Sofie nie in einem Bericht.",
        "Halte Sofie aus dem Wochenbericht heraus.",
        "Les mails de Sofie sont privés, jamais dans un résumé de travail.",
        "Ne mentionne jamais Sofie dans un rapport.",
        "Los correos de Sofie son privados y nunca en un resumen de trabajo.",
        "Nunca menciones a Sofie.",
        "Os e-mails da Sofie são privados e nunca num resumo de trabalho.",
        "Nunca mencione a Sofie nos relatórios.",
        "Le mail di Sofie sono private, mai in un riassunto di lavoro.",
        "Non menzionare mai Sofie.",
        "De mails van Sofie zijn privé en horen nooit in een werksamenvatting.",
        "Noem Sofie nooit in een verslag.",
        "Reports must not contain anything by Sofie Brandt",
        "Sofie bleibt aus allen Berichten drau\u00dfen",
        "\u00dcber Sofie wird nicht berichtet",
        "Zitiere Sofie niemals",
        "N\u00e3o incluas a Sofie nos relat\u00f3rios",
        "Nada da Sofie no resumo",
        "Neem Sofie niet op in verslagen",
        "Please leave Sofie out of everything you write for me.",
        "What Sofie writes is nobody's business.",
        "Don't ever bring up Sofie.",
        "Sofie Brandt stays between us.",
        "Not a word about Sofie, thanks.",
        "Ignore mails from Sofie in reports",
        "Sofie bitte nirgends erwähnen.",
        "Sofie soll nirgends auftauchen",
        "Lass Sofie aus allem raus.",
        "Sofie ne doit figurer nulle part.",
        "No hables nunca de Sofie.",
        "De Sofie, ni una palabra.",
        "Nunca fales da Sofie.",
        "Deixa a Sofie fora dos resumos.",
        "Sofie mag nergens voorkomen",
        "No Sofie in the digests.",
        "pls no sofie brandt in my morning digest",
        "Sofie shouldn't show up in any report.",
        "I don't want to see Sofie in my digests.",
        "Please don't ever refer to Sofie.",
        "Avoid mentioning Sofie Brandt.",
        "Stop telling me about Sofie.",
        "Stop including Sofie's mails in my briefing.",
        "Remove Sofie from all summaries.",
        "What Sofie tells me stays with me.",
        "In the weekly report, nothing from Sofie please.",
        "Reports: no Sofie.",
        "Digest without Sofie please",
        "never, ever, mention sofie brandt",
        "Keine Sofie in den Berichten.",
        "Ich will von Sofie nichts in der Zusammenfassung lesen.",
        "Sofies Mails gehen niemanden was an.",
        "Erwähn Sofie bitte nicht.",
        "Ich möchte nicht, dass Sofie erwähnt wird.",
        "Mails von Sofie bitte nicht in den Wochenbericht.",
        "In meinen Berichten bitte keine Sofie!",
        "Bericht ohne Sofie bitte",
        "Pas de Sofie dans les résumés.",
        "Je ne veux pas voir Sofie dans mes rapports.",
        "Ne mentionnez jamais Sofie.",
        "Parle pas de Sofie stp",
        "Évite de parler de Sofie.",
        "Sofie ne doit pas être mentionnée.",
        "Les messages de Sofie ne regardent personne.",
        "No quiero ver a Sofie en los resúmenes.",
        "Los correos de Sofie son personales.",
        "Evita nombrar a Sofie.",
        "Que no se mencione a Sofie.",
        "Que Sofie no aparezca en los informes.",
        "Informe sin Sofie, por favor",
        "Não quero ver a Sofie nos relatórios.",
        "Não ponhas a Sofie no resumo.",
        "Jamais mencione a Sofie.",
        "O que a Sofie escreve fica entre nós.",
        "Sem Sofie nos resumos.",
        "Niente Sofie nei riepiloghi.",
        "Non voglio vedere Sofie nei report.",
        "Evita di nominare Sofie.",
        "Sofie non deve essere menzionata.",
        "Quello che scrive Sofie resta tra noi.",
        "Geen Sofie in de samenvattingen.",
        "Wat Sofie schrijft blijft onder ons.",
        "Praat niet over Sofie.",
        "Ik wil niet dat Sofie genoemd wordt.",
        "Sofie moet buiten de verslagen blijven.",
        "Bez Sofie w podsumowaniach.",
        "Nie chcę widzieć Sofie w raportach.",
    ],
)
def test_whoever_a_rule_names_is_held_with_all_that_is_theirs(text: str) -> None:
    rule = held(text)
    assert (rule.people, rule.sources, rule.topics) == ({SOFIE_ID}, frozenset(), ()), rule


@table(
    ("text", "topics"),
    [
        ("Never mention the divorce.", {("divorce",)}),
        ("Anything about my health is private", {("health",)}),
        ("Keep Project Falcon out of my reports", {("falcon",)}),
        ("Anything about my emails is private", {("emails",)}),
        ('Everything about "Blue Moon" is confidential', {("blue", "moon")}),
        ("#salaries is confidential", {("salaries",)}),
        ("Never mention the private school", {("school",)}),
        ("Alles über die Scheidung ist vertraulich.", {("scheidung",)}),
        ("Tout ce qui concerne le divorce est confidentiel", {("concerne",), ("divorce",)}),
        ("Todo sobre el divorcio es privado", {("divorcio",)}),
        ("Tudo sobre o divórcio é privado", {("divorcio",)}),
        ("Tutto sul divorzio è privato", {("divorzio",)}),
        ("Alles over de scheiding is privé", {("scheiding",)}),
        ("Never mention Zebediah", {("zebediah",)}),
        ("Nothing medical in the work digest.", {("medical",)}),
        ("No health stuff in my reports please", {("health",)}),
        ("Anything with the word 'biopsy' must not be reported.", {("biopsy",)}),
        ("Kein Wort zu meinem Gehalt in den Zusammenfassungen.", {("gehalt",)}),
        ("Rien de médical dans les résumés.", {("medical",)}),
        ("No saques mi divorcio en los informes.", {("divorcio",)}),
        ("Nada de saúde nos resumos.", {("saude",)}),
        ("Il mio divorzio non va nei report.", {("divorzio",)}),
        ("Niets medisch in de samenvatting.", {("medisch",)}),
        # Too short to tell their language: several read them, and the one that knows most of the words counts.
        ("Resumo divórcio confidencial", {("divorcio",)}),
        ("Alles Scheidung private", {("scheidung",)}),
    ],
)
def test_a_topic_is_held_by_its_words(text: str, topics: set[tuple[str, ...]]) -> None:
    assert set(held(text).topics) == topics


@table(
    "text",
    [
        "Kestrel may appear in no report",
        "No report may mention Kestrel.",
        "Kestrel must not appear in any report",
        "Kestrel darf in keinem Bericht vorkommen",
        "Kestrel soll in keinem einzigen Wochenbericht auftauchen.",
        "Kein Bericht darf Kestrel erwähnen",
        "Kestrel hat in Berichten nichts zu suchen",
        "Bitte Kestrel aus allen Berichten heraushalten",
        "Kestrel nicht in Berichte aufnehmen",
        "Kestrel mag in geen enkel verslag voorkomen",
        "Geen enkel rapport mag Kestrel noemen",
        "Kestrel ne doit apparaître dans aucun rapport",
        "Aucun rapport ne doit mentionner Kestrel",
        "Kestrel no debe aparecer en ningún informe",
        "Ningún informe debe mencionar Kestrel",
        "Kestrel non deve comparire in nessun rapporto",
        "Nessun rapporto deve menzionare Kestrel",
        "Kestrel não deve aparecer em nenhum relatório",
        "Nenhum relatório deve mencionar Kestrel",
        "Kestrel nie może pojawić się w żadnym raporcie",
        "Żaden raport nie może wspominać o Kestrelu",
        "Nigdy nie wspominaj o Kestrelu",
    ],
)
def test_a_rule_may_say_that_no_report_has_something(text: str) -> None:
    assert held(text).topics == (("kestrel",),)


def test_a_polish_name_is_known_in_another_case() -> None:
    assert held("Maile od Sofii są prywatne").people == {SOFIE_ID}


def test_a_rule_may_name_several() -> None:
    rule = held("Never mention Sofie or the divorce, and keep Tom Reed out of reports")
    assert rule.people == {SOFIE_ID, "name/tom reed"}
    assert rule.topics == (("divorce",),)


@table(
    ("text", "source"),
    [
        ("My chats are private", "chat_sessions"),
        ("Meine Notizen sind vertraulich", "meeting_notes"),
        ("Mes brouillons sont privés", "agentic_drafts"),
        ("Mis tareas son privadas", "checklist_items"),
        ("As minhas reuniões são privadas", "granola_transcripts"),
        ("I miei contatti sono privati", "contacts"),
        ("Mijn mails zijn privé", "inbound_messages:mail"),
        ("Meine Chats sind privat", "inbound_messages:chat"),
        ("My calendar is private.", "activity_events"),
        ("No chats in the weekly report.", "chat_sessions"),
        ("Bitte keine Chats im Tagesbericht.", "chat_sessions"),
        ("Pas de chats dans le rapport hebdomadaire.", "chat_sessions"),
        ("Sin chats en el informe semanal.", "chat_sessions"),
        ("Sem chats no relatório semanal.", "chat_sessions"),
        ("Niente chat nel report settimanale.", "chat_sessions"),
        ("Geen chats in het weekverslag.", "chat_sessions"),
    ],
)
def test_a_source_is_held_where_a_rule_names_nothing_else(text: str, source: str) -> None:
    rule = held(text)
    assert source in rule.sources
    assert (rule.people, rule.topics) == (frozenset(), ())


def test_a_name_that_two_carry_holds_both_and_a_full_name_one() -> None:
    directory = Directory.of([record(people=(SOFIE, OTHER))])
    both = held("Sofie is private", directory)
    assert (both.people, both.doubtful) == ({"address/sofie@brandt.example", "address/sofie@lund.example"}, True)
    lund = held("Sofie Lund is private", directory)
    assert (lund.people, lund.doubtful) == ({"address/sofie@lund.example"}, False)


def test_an_exception_is_not_applied_and_said_so() -> None:
    rule = held("Everything about the divorce is private except the date")
    assert (rule.topics, rule.narrowed) == ((("divorce",),), True)


def test_the_user_is_nobody_to_hold() -> None:
    assert read("Mara Lind is private") == Unread(RuleText("user_rules/1", "Mara Lind is private"), "nothing")
    assert held("Mara's letters about Sofie are private").people == {SOFIE_ID}
    assert held("My mails are private").people == frozenset()


@table(
    ("text", "reason"),
    [
        ("Never schedule anything before nine.", "other"),
        ("Show money in euros.", "other"),
        ("Write Tomás with an accent.", "other"),
        ("Call the product the Kestrel probe, not the unit.", "other"),
        ("I'm not in Berlin on Mondays", "other"),
        ("Never in the morning", "other"),
        ("Hide done items", "other"),
        ("Sofie works in a private school.", "other"),
        ("Remind me to call Sofie in private.", "other"),
        ("Sofie dirige una clínica privada", "other"),
        ("Ignore mails from Sofie", "other"),
        ("Reports must not contain more than ten lines", "other"),
        ("Die Sonne bleibt drau\u00dfen", "other"),
        ("Der Bericht soll in keinem Fall länger als eine Seite sein.", "other"),
        ("Write reports in no more than ten lines", "other"),
        ("Nigdy nie dzwoń przed dziewiątą", "other"),
        ("Antworte immer auf Deutsch.", "other"),
        ("Nie vor neun Uhr anrufen.", "other"),
        ("If Sofie does not answer within a week, mention it in the digest.", "other"),
        ("Tell me in the digest when Sofie has not replied.", "other"),
        ("Don't send the digest on Sundays.", "other"),
        ("The digest should not be longer than one page.", "other"),
        ("No more than five lines in the digest.", "other"),
        ("Send the report without attachments.", "nothing"),
        ("Don't use emojis in the report.", "nothing"),
        ("Use private browsing when researching.", "other"),
        ("I don't report to Sofie any more.", "other"),
        ("Don't reply to Sofie without asking me.", "other"),
        ("Erwähne Sofie auch wenn sie nicht antwortet.", "other"),
        ("Schreib mir im Bericht, ob Sofie noch nicht bezahlt hat.", "other"),
        ("Bitte die Berichte nicht auf Englisch.", "other"),
        ("Si Sofie ne répond pas, mentionne-le dans le rapport.", "other"),
        ("N'envoie pas le rapport le dimanche.", "other"),
        ("Si Sofie no contesta, menciónalo en el informe.", "other"),
        ("Se a Sofie não responder, menciona isso no relatório.", "other"),
        ("Se Sofie non risponde, menzionalo nel report.", "other"),
        ("Als Sofie niet antwoordt, vermeld dat in het rapport.", "other"),
        ("Don't forget to mention Sofie in the digest.", "allows"),
        ("Vergiss Sofie im Bericht nicht.", "allows"),
        ("N'oublie pas Sofie dans le résumé.", "allows"),
        ("No olvides a Sofie en el resumen.", "allows"),
        ("Não te esqueças da Sofie no resumo.", "allows"),
        ("Non dimenticare Sofie nel riepilogo.", "allows"),
        ("Vergeet Sofie niet in de samenvatting.", "allows"),
        ("Sofie darf wieder erwähnt werden.", "allows"),
        ("", "other"),
        ("\u202e\u200b", "other"),
        ("Keep it private", "nothing"),
        ("Everything is private", "nothing"),
        ("Alles ist privat", "nothing"),
        ("Mails of Sofie are no longer private", "allows"),
        ("Sofies Mails sind nicht mehr privat.", "allows"),
        ("Les mails de Sofie ne sont plus privés", "allows"),
        ("Los correos de Sofie ya no son privados", "allows"),
        ("Le mail di Sofie non sono più private", "allows"),
        ("De mails van Sofie zijn niet meer privé", "allows"),
        ("Never mention " + "Sofie " * RULE_CHARS, "long"),
        ("Private: " + ", ".join(f"topic{number}" for number in range(20)), "long"),
    ],
)
def test_what_is_no_such_rule_is_told_apart_by_its_reason(text: str, reason: str) -> None:
    rule = read(text)
    assert isinstance(rule, Unread), rule
    assert rule.reason == reason


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert isinstance(read(f"{text} is private"), StandingRule | Unread)


@pytest.mark.parametrize("text", ["(a+)+$ is private", "Private: " + "a" * 400, "[](){}|\\.*+?^$ private x"])
def test_signs_of_a_pattern_are_text(text: str) -> None:
    read(text)


def test_the_order_of_records_makes_no_difference() -> None:
    records = [record(people=(SOFIE,)), record(people=(OTHER,)), contact("s", SOFIE.name, SOFIE.address)]
    assert held("Sofie is private", Directory.of(records)) == held("Sofie is private", Directory.of(records[::-1]))
