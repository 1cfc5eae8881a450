"""Requests for an act or an answer: "could you speak at the dinner", "let me know whether the price works"."""

from __future__ import annotations

from consumer.understanding import rules
from consumer.understanding.statements import Commitment, Request
from consumer.understanding.utterances import RecordText, Utterance
from tests import readings
from tests.readings import BOB, MARA
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
        ("en", "Let me know a good time for you.", "a good time for you", ""),
        ("en", "Any day suits me, so let me know what works for you.", "what works for you", ""),
        ("en", "Let me know when the boat is ready and I will pick it up.", "when the boat is ready", ""),
        ("en", "Please let us know if one evening this week suits you.", "if one evening this week suits you", ""),
        ("en", "Please read it and let me know if the rent is right.", "if the rent is right", ""),
        ("en", "Please check and let Dana know whether it fits.", "whether it fits", ""),
        ("en", "I need to know when we sign the lease.", "when we sign the lease", ""),
        ("en", "Please update me on the repairs.", "repairs", ""),
        ("en", "Could you give the porter a call?", "give the porter a call", ""),
        ("en", "Please answer the following questions:", "the following questions", ""),
        ("en", "Please forward to the accountant.", "forward to the accountant", ""),
        ("en", "Please find time in your busy schedule to fill in the form.", "fill in the form", ""),
        ("en", "Your comments are needed for Ann Lee, who sat in on Wednesday.", "Your comments", ""),
        ("en", "Have you sent the invoice yet?", "invoice", ""),
        ("en", "Let me know which rooms are not booked.", "which rooms are not booked", ""),
        ("en", "Please let me know when I can come and discuss it.", "when I can come and discuss it", ""),
        ("en", "If you could let me know of the new owners, that would be helpful.", "of the new owners", ""),
        ("en", "Would you check to see if you have a copy?", "if you have a copy", ""),
        ("en", "It is a first draft and your comments would be welcome.", "your comments", ""),
        ("en", "Can I get a lease put together for the shop?", "a lease put together", ""),
        ("en", "I just need your address to mail it.", "your address to mail it", ""),
        ("en", "Take a look and let me know what you think.", "what you think", ""),
        ("en", "When you have signed it can you let me know?", "When you have signed it", ""),
        ("en", "Please sign and return the form.", "form", ""),
        ("en", "Theresa please review the lease.", "lease", ""),
        ("en", "Could I please be sent the final lease?", "the final lease", ""),
        ("en", "May I have the list of guests?", "the list of guests", ""),
        ("en", "I was wondering if I could get more information on the prices.", "more information on the prices", ""),
        ("en", "Wanted to see if you have signed yet.", "if you have signed yet", ""),
        ("en", "I'd be interested to know what plans you have made.", "what plans you have made", ""),
        ("en", "Can you see if Olaf can play again?", "if Olaf can play again", ""),
        ("en", "Please advise Nina when the boat leaves.", "when the boat leaves", ""),
        ("en", "Can you give me a sense of when the shop will close?", "when the shop will close", ""),
        ("en", "Could you have someone send me the forms?", "the forms", ""),
        ("en", "Your comments would be greatly appreciated.", "Your comments", ""),
        ("en", "A reminder to send me the guest list.", "guest list", ""),
        ("en", "Please email him with your fax number.", "fax number", ""),
        ("en", "If you could advise of your plans by Friday, I can tell the cook.", "your plans", "2026-11-27"),
        ("en", "Once they have signed it, let me know.", "Once they have signed it", ""),
        ("en", "Since Olaf is out, could you send the list?", "list", ""),
        ("en", "Please let us know if May 12, 2027 suits you.", "if May 12, 2027 suits you", ""),
        ("de", "Hast du die Rechnung schon geschickt?", "Rechnung", ""),
        ("nl", "Heb je de factuur al gestuurd?", "factuur", ""),
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
        ("it", "Fammi sapere se il prezzo va bene.", "se il prezzo va bene", ""),
        ("it", "Abbiamo bisogno della tua firma sul modulo.", "tua firma sul modulo", ""),
        ("it", "Hai avuto tempo di leggere la bozza?", "leggere la bozza", ""),
        ("pt", "Diz-me se o preço está bem.", "se o preço está bem", ""),
        ("pt", "Preciso da tua assinatura no formulário.", "tua assinatura no formulário", ""),
        ("pt", "Peço-lhe que envie as fotos.", "envie as fotos", ""),
        ("nl", "Laat me weten of de prijs goed is.", "of de prijs goed is", ""),
        ("nl", "We hebben je handtekening op het formulier nodig.", "je handtekening op het formulier", ""),
        ("nl", "Heb je tijd gehad om het concept te lezen?", "het concept te lezen", ""),
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
        ("it", "Volevo chiederti se potresti mandare le foto.", "mandare le foto"),
        ("pt", "Queria perguntar se podias enviar as fotos.", "enviar as fotos"),
        ("nl", "Ik wilde vragen of je de foto's kunt sturen.", "de foto's kunt sturen"),
        ("nl", "Het zou fijn zijn als je de foto's kunt meenemen.", "de foto's kunt meenemen"),
        ("en", "Could you guys move the desk?", "desk"),
        ("en", "Could you please relabel crates 4 and 5?", "crates 4 and 5"),
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
        ("en", "Let me know if you see any errors."), ("en", "Let me know if you'd like a copy."),
        ("en", "Please let me know when we can help."),
        ("en", "How would you spend the money?"), ("en", "Please add desk@shop.example to your address book."),
        ("en", "Your help would be appreciated."), ("en", "Can we see your face?"), ("en", "Drop me a line."),
        ("en", "Please check your email tonight."), ("en", "Let me know if you have an interest in it."),
        ("en", "If you could fly, I would film it."), ("en", "Did you get my voice mail about the lease?"),
        ("en", "Let me know if that's a problem."),
        ("en", "If you have no map, please let me know and I'll send a copy."), ("en", "Let me know how it goes."),
        ("en", "Let me know when you get home."), ("en", "Have you sent a card?"),
        ("en", "Have you read the book?"), ("en", "If any of this is wrong, please let me know the right amount."),
        ("en", "Not only will you shorten the queue, you will save money."), ("en", "Will you win the first prize?"),
        ("it", "Fammi sapere se hai domande."), ("it", "La prego di scusare il ritardo."),
        ("pt", "Peço-lhe que desculpe o atraso."), ("nl", "Laat me weten of je nog vragen hebt."),
        ("en", "I helped you with the move."), ("en", "I wonder whether the hall is free."),
        ("de", "Ich bitte um Verständnis für die Verspätung."), ("de", "Sag mir, ob du noch Hilfe brauchst."),
        ("fr", "Je vous prie d'agréer mes salutations distinguées."), ("fr", "Je vous prie d'excuser le retard."),
        ("es", "Le ruego que disculpe el retraso."),
    ],
)  # fmt: skip
def test_what_offers_excuses_or_only_wonders_asks_for_nothing(language: str, text: str) -> None:
    assert not loops(text, language)


@table(
    ("language", "text", "what", "due"),
    [
        ("en", "You must return the keys.", "keys", ""), ("en", "You need to send me a form.", "form", ""),
        ("en", "By Friday you have to sign the contract.", "contract", "2026-11-27"),
        ("en", "Perhaps you could send the list.", "list", ""), ("en", "When can you send the list?", "list", ""),
        ("de", "Sie müssen die Schlüssel zurückgeben.", "Schlüssel", ""),
        ("de", "Wann kannst du mir die Liste schicken?", "Liste", ""),
        ("fr", "Peut-être pourriez-vous m'envoyer la liste.", "liste", ""),
        ("fr", "Quand pouvez-vous envoyer la liste ?", "liste", ""),
        ("es", "Tienes que devolver las llaves antes del viernes.", "llaves", "2026-11-27"),
        ("es", "¿Cuándo puedes enviarme la lista?", "lista", ""), ("it", "Devi mandarmi la lista.", "lista", ""),
        ("it", "Quando puoi mandarmi la lista?", "lista", ""), ("pt", "Quando podes enviar-me a lista?", "lista", ""),
        ("nl", "Wanneer kun je de lijst sturen?", "lijst", ""),
    ],
)  # fmt: skip
def test_what_one_has_to_hand_over_is_asked_for(language: str, text: str, what: str, due: str) -> None:
    assert loops(text, language) == [(what, due)]


@table(
    ("language", "text"),
    [
        ("en", "You must read the rules."), ("en", "You have to take a bus."), ("en", "Do you need to send the list?"),
        ("en", "You should receive the parcel today."), ("en", "Perhaps you could try the other door."),
        ("en", "When will you arrive at the quay?"), ("en", "If you want a refund, you must return the keys."),
        ("de", "Du musst die Regeln lesen."), ("nl", "Je moet de regels lezen."), ("it", "Devi prendere un autobus."),
    ],
)  # fmt: skip
def test_what_one_has_to_do_for_nobody_is_advice(language: str, text: str) -> None:
    assert not loops(text, language)


@table(
    "text", ["So will you", "When can you", "Hi Bob,", "Please", "Let me know", "You must", "Have you", "I'll let you"]
)
def test_a_sentence_that_breaks_off_says_nothing_and_fails_nothing(text: str) -> None:
    assert not loops(text, "en")


@table(
    ("language", "lines", "what"),
    [
        ("en", ("Is the hall free on Friday?", "Please let me know."), "Is the hall free on Friday"),
        ("en", ("Which room shall we take?", "Thanks.", "Let me know asap."), "Which room shall we take"),
        ("de", ("Passt dir der neue Preis?", "Gib mir bitte Bescheid."), "Passt dir der neue Preis"),
        ("fr", ("Le prix vous convient-il ?", "Merci de me dire."), "Le prix vous convient-il"),
        ("it", ("Il prezzo va bene?", "Fammi sapere."), "Il prezzo va bene"),
        ("en", ("Attached is a draft of the lease.", "The rent is new.", "Please review."), "draft of the lease"),
        ("en", ("Attached is the plan.", "Please review and let me know if you have any comments."), "plan"),
        ("en", ("See attached.", "Please review."), "review"),
        ("en", ("Do you have any questions?", "Please let me know."), ""),
        ("en", ("The hall is free.", "Please let me know."), ""),
        ("en", ("Does anybody want it?", "Let me know."), ""),
    ],
)
def test_a_request_without_a_thing_means_what_stands_before(language: str, lines: tuple[str, ...], what: str) -> None:
    several = tuple(
        Utterance(number, MARA, (BOB,), readings.SAID, "written", line, language) for number, line in enumerate(lines)
    )
    made, refusals = rules.read(RecordText("inbound_messages", "1", "email:1", several, (MARA, BOB)), region="US")
    assert not refusals
    assert [each.object for each in made if isinstance(each, Request)] == ([what] if what else [])


def test_a_request_is_told_beside_the_thing_of_a_question() -> None:
    lines = ("Let me know if the price is right.", "If so, I'll sign it tomorrow.")
    several = tuple(Utterance(n, MARA, (BOB,), readings.SAID, "written", line, "en") for n, line in enumerate(lines))
    made, _ = rules.read(RecordText("inbound_messages", "1", "email:1", several, (MARA, BOB)), region="US")
    assert [each.object for each in made if isinstance(each, Request | Commitment)] == ["if the price is right", "it"]
