"""Short sentences without context: an ability, a feeling, a courtesy or an order of the moment is no loop, and whoever
is told to call does not promise to.
"""

from __future__ import annotations

from tests.tables import table
from tests.unit.understanding.test_polite import loops

FRIDAY = "2026-11-27"


@table(
    ("code", "text"),
    [
        # What one is able to do.
        ("de", "Kannst du gut backen?"),
        ("de", "Könnt ihr Italienisch sprechen?"),
        ("de", "Können Sie Partituren lesen?"),
        ("de", "Kannst du einen Kopfstand machen?"),
        ("de", "Kannst du schnell schwimmen?"),
        ("fr", "Pouvez-vous lire des partitions ?"),
        ("es", "¿Puedes leer partituras?"),
        ("es", "¿Puedes cocinar una tortilla?"),
        ("pt", "Consegues ler partituras?"),
        ("it", "Puoi leggere spartiti?"),
        ("nl", "Kun je partituren lezen?"),
        ("en", "Can you read maps?"),
        ("en", "Can you bake a pie?"),
        ("en", "Can you program in C?"),
        ("en", "Can you read Latin?"),
        # Orders of the moment.
        ("en", "Please step aside."),
        ("en", "Please hurry up!"),
        ("en", "Get him out of here."),
        # Without a thing: the verb at the end, a particle, an adverb, a pronoun.
        ("de", "Könnt ihr uns verstecken?"),
        ("de", "Können Sie das nachweisen?"),
        ("de", "Bitte weiterfahren!"),
        ("de", "Sag es mir ehrlich!"),
        ("de", "Bring uns hier weg."),
        ("de", "Gebt mir den zurück."),
        ("de", "Lass mich bitte bestellen!"),
        ("nl", "Kun je het ontcijferen?"),
        # Feelings, favours and courtesies.
        ("de", "Ich sorge mich um den Garten."),
        ("de", "Gibst du mir die Schuld?"),
        ("de", "Hört bitte auf zu streiten."),
        ("fr", "Je te ferai confiance."),
        ("fr", "Je ferai semblant de lire."),
        ("fr", "Je vous présente mes excuses."),
        ("fr", "Donnez-moi un coup de main."),
        ("fr", "Appelle-moi quand tu veux."),
        ("fr", "Je vous prie d'être patient."),
        ("fr", "Veuillez tourner à gauche."),
        ("fr", "Je parle à moi-même."),
        ("es", "Llámame cuando quieras."),
        ("es", "Gire a la derecha, por favor."),
        ("pt", "Liga-me quando quiseres."),
        ("it", "Chiamami quando vuoi."),
        ("it", "Per favore, dammi una mano."),
        ("pt", "Dá-me a mão."),
        ("nl", "Bel me alsjeblieft wanneer je wilt."),
        ("nl", "Hou alsjeblieft op, hou op."),
        ("fr", "Je te prie de revenir."),
        ("de", "Bitte sag etwas."),
        ("de", "Den Mund bitte weit öffnen."),
        ("en", "My mind was wandering."),
        ("de", "Gebt mir das genauer."),
        ("de", "Geben Sie mir zwei Wochen."),
        ("fr", "Donne-moi deux jours."),
        ("es", "Dame diez minutos."),
        ("de", "Ich gebe dir mein Wort."),
        ("de", "Bitte nennen Sie mich Jonas."),
        ("fr", "Appelle-moi Jonas."),
        ("it", "Chiamami Jonas."),
        ("fr", "Appelle-moi Jonas, s'il te plaît."),
        ("es", "Llámeme Jonas, por favor."),
        ("it", "Chiamami Jonas, per favore."),
        ("nl", "Noem mij Jonas, alsjeblieft."),
        ("de", "Ich werde mir eine andere Wohnung suchen."),
        # What one does anyway, with one's own things.
        ("de", "Ich werde meinen Mantel holen."),
        ("de", "Ich gehe meinen Mantel holen."),
        ("de", "Ich werde die Teller waschen."),
        ("fr", "Je vais prendre mes lunettes."),
        ("fr", "Je ferai ma valise."),
        ("fr", "Je vais laver les verres."),
        ("fr", "Je m'y rendrai à pied."),
        ("fr", "Je me mettrai au travail lundi."),
        ("es", "Voy a buscar mi bufanda."),
        ("es", "Voy a lavar los vasos."),
        ("es", "Me pondré un gorro."),
        ("pt", "Vou fazer a minha mala."),
        ("it", "Vado a prendere la mia sciarpa."),
        ("it", "Mi metterò al lavoro lunedì."),
        ("nl", "Ik ga mijn sjaal halen."),
        # "Ihr" is who is asked here, and not whose.
        ("de", "Habt ihr Jonas geschickt?"),
    ],
)
def test_what_only_sounds_like_a_deed_is_no_loop(code: str, text: str) -> None:
    assert not loops(text, code)


@table(
    ("code", "text", "thing", "day"),
    [
        ("de", "Kannst du einen Tisch reservieren?", "Tisch", ""),
        ("de", "Können Sie Fotos schicken?", "Fotos", ""),
        ("de", "Schick mir die zwei Verträge.", "zwei Verträge", ""),
        ("de", "Schick mir die liste.", "liste", ""),
        ("de", "Kannst du das Gutachten nachbessern?", "Gutachten", ""),
        ("de", "Kannst du es bis Freitag nachbessern?", "es", FRIDAY),
        ("de", "Kannst du bitte Noten lesen?", "Noten", ""),
        ("fr", "Peux-tu réserver une table ?", "table", ""),
        ("fr", "Tu peux jeter un œil au plan ?", "plan", ""),
        ("fr", "Veuillez envoyer de nouveau la facture.", "facture", ""),
        ("es", "¿Puedes mandarme fotos?", "fotos", ""),
        ("pt", "Podes reservar uma mesa?", "mesa", ""),
        ("it", "Puoi prenotare un tavolo?", "tavolo", ""),
        ("nl", "Kun je de gevel ontkalken?", "gevel", ""),
        ("nl", "Stuur me alsjeblieft de lijst.", "lijst", ""),
        ("de", "Schick mir das Gutachten, wann du willst.", "Gutachten", ""),
        ("fr", "Envoie-moi le devis et donne un coup de main à Jonas.", "devis", ""),
        ("en", "My mind is set, please send me the lease.", "lease", ""),
        ("en", "If you require changes, please send them to me by Friday.", "them", FRIDAY),
        ("es", "Mándame todo, por favor.", "todo", ""),
        ("pt", "Manda-me uma mão de obra para o telhado.", "mão de obra para o telhado", ""),
        ("en", "Can you book a table?", "table", ""),
        ("en", "Can you recommend a baker?", "baker", ""),
        # Calls: the reader is to make them.
        ("de", "Rufen Sie mich am Freitag an.", "Rufen Sie mich", FRIDAY),
        ("de", "Holen Sie mich morgen ab.", "Holen Sie mich", FRIDAY),
        ("de", "Rufen Sie mich bitte zurück!", "Rufen Sie mich", ""),
        ("fr", "S'il te plaît, rappelle-moi.", "rappelle-moi", ""),
        ("es", "Llámame, por favor.", "Llámame", ""),
        ("pt", "Por favor, ligue-me.", "ligue-me", ""),
        ("it", "Chiamami, per favore.", "Chiamami", ""),
        ("it", "Chiami il medico domani.", "medico", FRIDAY),
        ("nl", "Belt u mij morgen.", "Belt u mij", FRIDAY),
        ("nl", "Bel me alsjeblieft terug.", "Bel me", ""),
    ],
)
def test_what_names_its_thing_or_its_day_is_asked_for(code: str, text: str, thing: str, day: str) -> None:
    assert loops(text, code) == [("Request", thing, day)]


@table(
    ("code", "text", "thing", "day"),
    [
        ("fr", "Je ferai mon rapport d'ici vendredi.", "rapport", FRIDAY),
        ("fr", "Je t'apporterai mes livres.", "livres", ""),
        ("fr", "Je m'occupe de la facture.", "facture", ""),
        ("de", "Ich werde meinen Bericht fertigstellen.", "Bericht", ""),
        ("de", "Ich bringe dir morgen meine Leiter.", "Leiter", FRIDAY),
        ("es", "Me encargo de la factura.", "factura", ""),
        ("es", "Le enviaré mi informe mañana.", "informe", FRIDAY),
        ("it", "Mi occupo della fattura.", "fattura", ""),
        ("nl", "Ik stuur je morgen mijn verslag.", "verslag", FRIDAY),
    ],
)
def test_ones_own_thing_is_promised_to_the_reader_or_by_a_day(code: str, text: str, thing: str, day: str) -> None:
    assert loops(text, code) == [("Commitment", thing, day)]


@table(
    ("code", "text", "things"),
    [
        ("fr", "Mes excuses pour le retard, je t'enverrai le devis signé.", ["devis signé"]),
        ("es", "Mis disculpas por el retraso, te enviaré el contrato.", ["contrato"]),
        ("pt", "As minhas desculpas pelo atraso, vou enviar-te o contrato.", ["contrato"]),
        ("it", "Le mie scuse per il ritardo, ti manderò il contratto.", ["contratto"]),
        ("nl", "Mijn excuses voor de vertraging, ik stuur je de offerte.", ["offerte"]),
        ("de", "Ich mache mich auf den Weg und bringe dir den Vertrag.", ["Vertrag"]),
    ],
)
def test_a_promise_may_follow_an_excuse_or_a_departure(code: str, text: str, things: list[str]) -> None:
    assert [thing for _, thing, _ in loops(text, code)] == things


@table(
    ("code", "text"),
    [
        ("fr", "Je m'engage à payer la facture."),
        ("es", "Me comprometo a pagar la factura."),
        ("it", "Mi impegno a pagare la fattura."),
        ("pt", "Comprometo-me a pagar a fatura."),
        ("es", "Me traeré el proyector."),
        ("es", "Me informaré sobre el precio."),
        ("en", "I'll send the lease to your email (lena@home.example)."),
        ("en", "I'll call Jonas on his mobile +44 20 7946 0958."),
        ("en", "I'll email the invoice to Jonas (jonas@yard.example)."),
        ("en", "I'll send the lease by mail, reference 20251234567."),
        ("fr", "Je t'envoie le devis à l'adresse lena@home.example."),
        ("es", "Te mando el contrato al correo lena@home.example."),
        ("en", "I will cancel your appointment tomorrow."),
        ("en", "I will cancel the appointment by Friday."),
        ("en", "I will reschedule the interview by tomorrow."),
        ("en", "I'll give you credit notes for the returned chairs."),
        ("fr", "Je vais prendre mes notes et les envoyer à Jonas."),
        ("de", "Rufe Sie morgen an."),
        ("de", "Hole Sie am Freitag ab."),
        ("de", "Rufe Sie am Montag zurück."),
    ],
)
def test_one_promises_for_oneself_with_an_address_or_for_an_event(code: str, text: str) -> None:
    assert [kind for kind, _, _ in loops(text, code)] == ["Commitment"]


@table(
    ("code", "text", "thing"),
    [
        ("de", "Rufe dich morgen an.", "Rufe dich"),
        ("de", "Ich rufe Sie morgen an.", "Sie"),
        ("nl", "Bel je morgen.", "Bel je"),
    ],
)
def test_whoever_says_i_or_calls_the_reader_promises(code: str, text: str, thing: str) -> None:
    assert loops(text, code) == [("Commitment", thing, FRIDAY)]


def test_your_mother_is_not_called_by_the_author() -> None:
    assert not [kind for kind, _, _ in loops("Bel je moeder morgen.", "nl") if kind == "Commitment"]
