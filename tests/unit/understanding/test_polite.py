"""Usual polite forms of promises and requests in languages beside English, and what only looks like them."""

from __future__ import annotations

from consumer.understanding.reading import language
from consumer.understanding.statements import Commitment, Request
from tests.tables import table
from tests.unit.understanding.test_rules import due, read

MONDAY = "2026-11-30"


def loops(text: str, code: str) -> list[tuple[str, str, str]]:
    made = [each for each in read(text, code) if isinstance(each, Commitment | Request)]
    return [(type(each).__name__, each.object, due(each)) for each in made]


@table(
    ("code", "text", "thing", "day"),
    [
        ("de", "Wie besprochen schicke ich dir die Zeichnungen bis Montag.", "Zeichnungen", MONDAY),
        ("de", "Wie versprochen sende ich Ihnen die Zeichnungen bis Montag.", "Zeichnungen", MONDAY),
        ("de", "Wie telefonisch vereinbart schicke ich Ihnen das Angebot bis Montag.", "Angebot", MONDAY),
        ("de", "Wie am Dienstag besprochen schicke ich dir die Zeichnungen.", "Zeichnungen", ""),
        ("de", "Dann bringe ich dir die Schlüssel am Montag vorbei.", "Schlüssel", MONDAY),
        ("de", "Alles klar, dann schicke ich dir die Liste.", "Liste", ""),
        ("nl", "Zoals afgesproken stuur ik je maandag de tekeningen.", "tekeningen", MONDAY),
        ("nl", "Zoals gisteren besproken stuur ik u maandag de offerte.", "offerte", MONDAY),
        ("nl", "Dan breng ik je maandag de sleutels.", "sleutels", MONDAY),
        ("de", "Wie besprochen rufe ich dich am Montag an.", "rufe ich dich", MONDAY),
        ("nl", "Zoals beloofd bel ik je maandag.", "bel ik je", MONDAY),
        ("fr", "Je reviens vers toi lundi.", "reviens vers toi", MONDAY),
        ("fr", "Nous reviendrons vers vous d'ici lundi.", "reviendrons vers vous", MONDAY),
        ("fr", "Comme convenu lundi, je t'envoie les plans.", "plans", ""),
        ("es", "Le contesto el lunes.", "Le contesto", MONDAY),
        ("pt", "Digo-te alguma coisa até segunda.", "Digo-te alguma coisa", MONDAY),
        ("it", "Mi faccio sentire entro lunedì.", "Mi faccio sentire", MONDAY),
    ],
)
def test_a_usual_form_promises(code: str, text: str, thing: str, day: str) -> None:
    assert loops(text, code) == [("Commitment", thing, day)]


@table(
    ("code", "text", "thing", "day"),
    [
        ("de", "Bitte denk daran, den Bauantrag bis Montag zurückzuschicken.", "Bauantrag", MONDAY),
        ("de", "Denken Sie bitte daran, mir die Liste bis Montag zu schicken.", "Liste", MONDAY),
        ("de", "Denkst du bitte daran, die Liste bis Montag zu schicken?", "Liste", MONDAY),
        ("de", "Vergiss bitte nicht, den Bauantrag bis Montag zurückzuschicken.", "Bauantrag", MONDAY),
        ("nl", "Denk er alsjeblieft aan om de offerte maandag terug te sturen.", "offerte", MONDAY),
        ("nl", "Wil je eraan denken de offerte voor maandag terug te sturen?", "offerte", MONDAY),
        ("nl", "Zou je zo vriendelijk willen zijn de lijst voor maandag te sturen?", "lijst", MONDAY),
        ("fr", "Merci de ne pas oublier de renvoyer le devis d'ici lundi.", "devis", MONDAY),
        ("es", "Por favor, recuerda enviarme la lista antes del lunes.", "lista", MONDAY),
        ("it", "Per favore ricordati di mandarmi la lista entro lunedì.", "lista", MONDAY),
        ("it", "Mi raccomando, mandami la lista entro lunedì.", "lista", MONDAY),
        ("de", "Könntest du mir bis Montag Bescheid geben, ob der Saal frei ist?", "ob der Saal frei ist", MONDAY),
        ("de", "Bitte gib mir Bescheid, ob der Saal frei ist.", "ob der Saal frei ist", ""),
        ("de", "Bitte teilen Sie mir bis Montag mit, ob der Saal frei ist.", "ob der Saal frei ist", MONDAY),
        (
            "de",
            "Wäre nett, wenn Sie mir bis Montag sagen könnten, ob der Saal frei ist.",
            "ob der Saal frei ist",
            MONDAY,
        ),
        ("nl", "Laat me voor maandag weten of de zaal vrij is.", "of de zaal vrij is", MONDAY),
        ("nl", "Graag hoor ik of de zaal vrij is.", "of de zaal vrij is", ""),
        ("fr", "Merci de me dire d'ici lundi si la salle est libre.", "si la salle est libre", MONDAY),
        ("fr", "Fais-moi savoir si la salle est libre.", "si la salle est libre", ""),
        ("es", "Dime si la sala está libre, por favor.", "si la sala está libre", ""),
        ("es", "¿Me puedes decir antes del lunes si la sala está libre?", "si la sala está libre", MONDAY),
        ("pt", "Por favor, diz-me até segunda se a sala está livre.", "se a sala está livre", MONDAY),
        ("it", "Puoi dirmi entro lunedì se la sala è libera?", "se la sala è libera", MONDAY),
        ("nl", "Graag ontvang ik de getekende offerte uiterlijk maandag.", "getekende offerte", MONDAY),
        ("nl", "Wij ontvangen graag de getekende offerte voor maandag.", "getekende offerte", MONDAY),
        ("de", "Ich hätte gern die Liste bis Montag.", "Liste", MONDAY),
        ("fr", "J'aurais besoin de la liste d'ici lundi.", "liste", MONDAY),
        ("it", "Avrei bisogno della lista entro lunedì.", "lista", MONDAY),
        ("pt", "Precisaria da lista até segunda.", "lista", MONDAY),
        ("de", "Wäre super, wenn du mir die Liste bis Montag schicken könntest.", "die Liste", MONDAY),
        ("de", "Ich würde mich freuen, wenn Sie uns die Liste bis Montag zurückschicken.", "die Liste", MONDAY),
        ("de", "Ich wäre dir dankbar, wenn du mir bis Montag die Liste schickst.", "die Liste", MONDAY),
        ("de", "Können Sie mir bitte bis Montag die Liste zukommen lassen?", "die Liste", MONDAY),
        ("de", "Lass uns bis Montag die Liste zukommen.", "die Liste", MONDAY),
        ("de", "Über die Zusendung der Liste bis Montag wären wir dankbar.", "Zusendung der Liste", MONDAY),
        ("de", "Über eine Rückgabe der Liste würden wir uns freuen.", "Rückgabe der Liste", ""),
        ("de", "Über eine kurze Antwort bis Montag freue ich mich.", "Antwort", MONDAY),
        ("de", "Ich wäre Ihnen dankbar, wenn Sie mir die Liste bis Montag schicken könnten.", "die Liste", MONDAY),
        ("nl", "Het zou fijn zijn als je me de lijst voor maandag stuurt.", "de lijst", MONDAY),
        ("fr", "Ce serait super que tu m'envoies la liste lundi.", "la liste", MONDAY),
        ("es", "Sería genial que me enviaras la lista el lunes.", "la lista", MONDAY),
        ("es", "Estaría bien que me pudieras enviar la lista el lunes.", "enviar la lista", MONDAY),
        ("pt", "Seria ótimo se me enviasses a lista até segunda.", "a lista", MONDAY),
        ("pt", "Ficaria grato se me pudesse enviar a lista até segunda.", "enviar a lista", MONDAY),
        ("it", "Sarebbe bello se mi mandassi la lista entro lunedì.", "la lista", MONDAY),
    ],
)
def test_a_usual_form_asks(code: str, text: str, thing: str, day: str) -> None:
    assert loops(text, code) == [("Request", thing, day)]


@table(
    ("code", "text"),
    [
        # Denied, hedged, asked, of others, of always.
        ("de", "Wie besprochen schicke ich dir die Liste nicht."),
        ("de", "Wie besprochen schicke ich dir vielleicht die Liste am Montag."),
        ("de", "Wie schicke ich dir die Zeichnungen bis Montag?"),
        ("de", "Wie immer schicke ich dir die Liste am Montag."),
        ("de", "Wie vereinbart schickt Tom dir die Liste am Montag."),
        ("de", "Tom sagte, wie besprochen schicke ich dir die Liste bis Montag."),
        ("de", "Schicke ich dir dann die Liste?"),
        ("de", "Melde dich gern bei mir, dann schicke ich dir einen neuen Link."),
        ("de", "Sag Bescheid, dann schicke ich dir die Liste am Montag."),
        ("de", "Dann schicke ich dir die Liste."),
        ("de", "Es wäre super, wenn du mir dabei helfen könntest."),
        ("de", "Wir würden uns freuen, wenn Sie uns weiterempfehlen."),
        ("de", "Ich würde mich freuen, wenn Anna uns die Liste schickt."),
        ("de", "Über Ihren Besuch würden wir uns freuen."),
        ("de", "Über eine Antwort freue ich mich."),
        ("de", "Bitte denken Sie daran, dass am Montag die Schule geschlossen ist."),
        ("de", "Denk daran, den Knopf zu drücken."),
        ("de", "Wie vereinbart erlaube ich mir, Ihnen die Rechnung zu stellen."),
        ("de", "Ich habe vergessen, die Liste zu schicken."),
        ("de", "Sag mir nicht, ob der Saal frei ist."),
        ("de", "Gib mir Bescheid, falls du Fragen hast."),
        ("de", "Wäre super, wenn das klappen könnte."),
        ("de", "Ich hätte gern einen Hund."),
        ("de", "Ich hätte gern die Liste am Montag gehabt."),
        ("nl", "Zoals afgesproken stuur ik je de lijst niet."),
        ("nl", "Zoals altijd stuur ik je maandag de lijst."),
        ("nl", "Dan stuur ik je elke maandag de lijst."),
        ("nl", "Meld je aan, dan stuur ik je de link."),
        ("nl", "Vergeet niet dat het maandag een feestdag is."),
        ("nl", "Graag ontvang ik iedere maandag een lijst."),
        ("nl", "Ik hoor graag of u interesse heeft."),
        ("nl", "Laat me weten als je iets nodig hebt."),
        ("fr", "Je reviens vers vous suite à notre réunion de lundi."),
        ("fr", "Je ne reviendrai pas vers vous lundi."),
        ("fr", "Je me permets de revenir vers vous lundi."),
        ("fr", "N'oublie pas que lundi est férié."),
        ("fr", "J'aurais besoin de la renouveler lundi."),
        ("fr", "J'aurais eu besoin de la liste lundi."),
        ("fr", "Ce serait bien que la réunion soit lundi."),
        ("fr", "Dites-moi si vous avez des questions."),
        ("fr", "Merci de me dire si cela vous intéresse."),
        ("es", "Te contesto cada lunes."),
        ("es", "Ella recuerda enviar la lista."),
        ("es", "Recuerda que el lunes es festivo."),
        ("es", "Dime si necesitas algo."),
        ("es", "Dime cómo estás."),
        ("es", "Dime si lo quieres en papel."),
        ("es", "Sería genial que me echaras una mano."),
        ("es", "Tom me dice si la sala está libre."),
        ("es", "Sería genial que me dieran la plaza el lunes."),
        ("pt", "Não te digo nada até segunda."),
        ("pt", "Digo-te alguma coisa quando souber."),
        ("pt", "Diz-me se precisas de alguma coisa."),
        ("pt", "Seria ótimo se chovesse na segunda."),
        ("it", "Mi faccio sentire ogni lunedì."),
        ("it", "Sarebbe bello se mi assumessero lunedì."),
        ("it", "Ricordati che lunedì è festa."),
        ("it", "Avrei bisogno di una vacanza lunedì."),
        # Cases of the reader's own wish or need.
        ("de", "Brauchen Sie eine Rechnung, schicken Sie mir bitte Ihre Adresse."),
        ("de", "Sollten Sie noch etwas brauchen, schicken Sie mir bitte eine Mail."),
        ("de", "Falls Sie eine Rechnung benötigen, schicken Sie mir bitte Ihre Adresse."),
        ("fr", "Si vous avez besoin d'une facture, envoyez-moi s'il vous plaît votre adresse."),
        ("fr", "Merci de me dire si vous souhaitez recevoir les plans."),
        ("es", "Si necesitas una factura, por favor envíame tu dirección."),
        ("pt", "Se precisar de uma fatura, envie-me por favor a sua morada."),
        ("it", "Se ha bisogno di una fattura, mi mandi per favore il suo indirizzo."),
        ("it", "Qualora desideriate ricevere i disegni, vi prego di mandarmi un messaggio."),
        ("nl", "Heeft u vragen over de offerte, stuur mij dan alstublieft een bericht."),
        ("nl", "Als u een factuur nodig heeft, stuur mij dan alstublieft uw adres."),
    ],
)
def test_what_only_looks_like_one_says_nothing(code: str, text: str) -> None:
    assert not loops(text, code)


@table(
    ("text", "code"),
    [
        ("Diz-me quando a sala está livre.", "pt"),
        ("Laat me weten of de zaal vrij is, alsjeblieft.", "nl"),
        ("Por favor, envíame la lista.", "es"),
    ],
)
def test_a_short_request_tells_its_language(text: str, code: str) -> None:
    assert language.language(text) == code
