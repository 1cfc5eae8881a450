"""Requests for an act or an answer: "could you speak at the dinner", "let me know whether the price works"."""

from __future__ import annotations

from tests.tables import table
from tests.unit.understanding.test_terse import loops


@table(
    ("language", "text", "what", "due"),
    [
        ("en", "Could you introduce me to the architect?", "the architect", ""),
        ("en", "Could you put us in touch with your printer?", "your printer", ""),
        ("en", "Would you consider joining our board?", "board", ""),
        ("en", "Is there any way you could speak at our fair?", "our fair", ""),
        ("en", "We would very much like to invite you to give the opening talk.", "the opening talk", ""),
        ("en", "Please advise on the lease.", "the lease", ""),
        ("en", "Please respond to the letter of the landlord by Friday.", "the letter of the landlord", "2026-11-27"),
        ("en", "Could you come to the site on Friday?", "the site", "2026-11-27"),
        ("en", "Could you help me with the move?", "the move", ""),
        ("en", "Please confirm whether we may proceed.", "whether we may proceed", ""),
        ("en", "Could you check whether the hall is free on Friday?", "whether the hall is free", ""),
        ("en", "Please let me know by Friday if we can proceed.", "if we can proceed", "2026-11-27"),
        ("en", "Let me know if you can make the dinner.", "if you can make the dinner", ""),
        ("en", "Let me know what you think of the draft.", "what you think of the draft", ""),
        ("en", "We need your comments on the draft.", "your comments on the draft", ""),
        ("en", "I'd love to hear your thoughts on the plan.", "your thoughts on the plan", ""),
        ("en", "May I have a copy of the minutes?", "a copy of the minutes", ""),
        ("de", "Gib mir bitte Bescheid, ob der Preis passt.", "ob der Preis passt", ""),
        ("de", "Wir bitten Sie, das Formular auszufüllen.", "das Formular auszufüllen", ""),
        ("de", "Ich bitte um Ihre Stellungnahme zum Entwurf.", "Ihre Stellungnahme zum Entwurf", ""),
        ("fr", "Dites-moi si le prix convient.", "si le prix convient", ""),
        ("fr", "J'aurais besoin de votre avis sur le bail.", "votre avis sur le bail", ""),
        ("fr", "Puis-je vous demander d'envoyer les photos ?", "envoyer les photos", ""),
        ("es", "Necesito tu firma en el formulario.", "tu firma en el formulario", ""),
        ("es", "Le ruego que envíe las fotos.", "envíe las fotos", ""),
    ],
)  # fmt: skip
def test_an_act_or_an_answer_is_asked_for(language: str, text: str, what: str, due: str) -> None:
    assert loops(text, language) == [(what, due)]


@table(
    ("language", "text", "what"),
    [
        ("en", "We'd be honoured if you would read the preface.", "preface"),
        ("en", "I would like to ask you to sign the waiver.", "waiver"),
        ("en", "Would it be possible for you to send the slides?", "slides"),
        ("en", "I was wondering whether you could write the foreword.", "foreword"),
        ("en", "It would be lovely if you would bring the slides.", "slides"),
        ("en", "It would mean a lot to us if you would sponsor the race.", "race"),
        ("en", "We kindly request that you return the form.", "form"),
        ("en", "Have you had a chance to review the draft?", "draft"),
        ("en", "If you could send the slides, that would be great.", "slides"),
        ("de", "Es wäre toll, wenn du die Folien schicken könntest.", "die Folien schicken könntest"),
        ("de", "Ich wollte fragen, ob du die Folien schicken könntest.", "die Folien schicken könntest"),
        ("fr", "Je vous prie de bien vouloir envoyer les photos.", "envoyer les photos"),
        ("es", "Sería genial si pudieras enviar las fotos.", "enviar las fotos"),
    ],
)
def test_a_request_may_be_as_polite_as_people_are(language: str, text: str, what: str) -> None:
    assert loops(text, language) == [(what, "")]


@table(
    ("language", "text"),
    [
        ("en", "Let me know if you need anything."), ("en", "Let me know if you have any questions."),
        ("en", "Please let me know if you see any problems with the draft."), ("en", "Let me know how I can help."),
        ("en", "Let me know if the above is helpful."), ("en", "Please let me know whether this helps."),
        ("en", "Please let me know if your plans change."), ("en", "Please respond to this survey by Friday."),
        ("en", "Let us know if you hear from the landlord."), ("en", "We ask for your patience."),
        ("en", "I need your understanding on this."),
        ("en", "If you could fly, where would you go?"), ("en", "They wonder whether we could help with the move."),
        ("en", "He asked whether you could speak at the dinner."), ("en", "Don't help me with the move."),
        ("en", "I helped you with the move."), ("en", "I wonder whether the hall is free."),
        ("de", "Ich bitte um Verständnis für die Verspätung."), ("de", "Sag mir, ob du noch Hilfe brauchst."),
        ("fr", "Je vous prie d'agréer mes salutations distinguées."), ("fr", "Je vous prie d'excuser le retard."),
        ("es", "Le ruego que disculpe el retraso."),
    ],
)  # fmt: skip
def test_what_offers_excuses_or_only_wonders_asks_for_nothing(language: str, text: str) -> None:
    assert not loops(text, language)
