"""Calls, visits, answers and payments on a day: "please call me tomorrow", "I'll get back to you by Friday"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from consumer.understanding import certainty, phrases, requests
from consumer.understanding.grammar import SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.statements import Due
from consumer.understanding.text import fold


class Contact(NamedTuple):
    """``act``: the verb and whom it is for, "call me". ``due``: None only of what says by itself what it is about."""

    act: str
    due: Due | None
    condition: str = ""


def asked(reading: SentenceReading) -> Contact | None:
    """What a sentence of one author asks its reader to do on a day; None for every other sentence."""
    return _contact(reading, _ASKED)


def promised(reading: SentenceReading) -> Contact | None:
    """What a sentence of one author promises its reader to do on a day; None for every other sentence."""
    return None if reading.is_question else _contact(reading, _PROMISED) or _told_about(reading)


def may_be(reading: SentenceReading) -> bool:
    """Whether the sentence may begin with such an act; cheap, and mostly no."""
    patterns = _ASKED.get(reading.lexicon.words.code)
    return patterns is not None and reading.match(patterns, reading.begin) is not None


def is_visit(act: str) -> bool:
    """Whether people meet by it, which a chat arranges: "pick you up", "come by"."""
    return _VISITS.match(act.casefold()) is not None


_VISITS: Final = re.compile(r"(?:pick|meet|join|visit|come|stop|drop)\b")


def is_contact(act: str) -> bool:
    """Whether this is an act after which nobody writes that it is done: a call, a visit, a message."""
    return _CALLS.match(act.casefold()) is not None or is_answer(act)


def is_answer(act: str) -> bool:
    """Whether any message does it: "get back to you", "let you know"."""
    return _ANSWERS.match(act.casefold()) is not None


def is_call(act: str, quoted: str = "") -> bool:
    """Whether a promise is a call: by its act, "ring you", or by its words, "I'll call you about the lease"."""
    return _RINGS.match(act.casefold()) is not None or _RINGS_YOU.search(fold(quoted)) is not None


def thanked_call(text: str) -> str:
    """The word for a call that took place: "thanks for the call this morning"; "" for none."""
    match = _TOOK_PLACE.match(text)
    return match["call"] if match else ""


def names_call(thing: str) -> bool:
    return _CALL_NOUN.fullmatch(thing) is not None


_RINGS: Final = re.compile(r"(?:call|phone|ring)(?: you| back)*\Z|give you a (?:call|ring)\Z")
_RINGS_YOU: Final = re.compile(
    r"\b(?:(?:call|phone|ring) you|(?:give|giving) you a (?:call|ring)|rufe? (?:ich )?(?:dich|sie|euch)"
    r"|(?:dich|sie|euch) (?:\w+ )?an(?:rufen)?\b|(?:te|vous|t.)\s?r?appell\w+|(?:te|le|os) llam\w+"
    r"|(?:ti|la|vi) (?:(?:ri)?chiam|telefon)\w+|(?:te|lhe) lig\w+|lig\w+-(?:te|lhe)|bel (?:ik )?(?:je|jou|u))\b"
)
_CALL_NOUN: Final = re.compile(
    r"(?:phone )?call|chat|calling|anruf|telefonat|appel|coup de fil|llamada|ligação|chamada|chiamata|telefonata"
    r"|telefoontje|belletje",
    re.IGNORECASE,
)
_TOOK_PLACE: Final = re.compile(
    r"(?:[^\W\d_]+,? (?:[^\W\d_]+, )?)?(?:(?:many|tausend|lieben?|vielen|herzlichen|mille|mil|muito|heel erg) )?"
    r"(?:thanks?(?: you)?(?: so much| again| very much)? for|danke? (?:dir )?(?:nochmals? )?für|merci (?:encore )?pour"
    r"|gracias (?:de nuevo )?por|obrigad[oa] (?:de novo )?pel[oa]|grazie (?:ancora )?(?:per|del)|bedankt voor)"
    r"(?:s?\s(?:(?:the|your|our|den|das|dein\w*|la|le|ton|votre|tu|su|tua|sua|il|je|het|last)\s){0,2}|\sl['\u2019])"
    rf"(?P<call>{_CALL_NOUN.pattern})\b(?! (?:to|at)\b)",
    re.IGNORECASE,
)


def _told_about(reading: SentenceReading) -> Contact | None:
    """What needs no day because it names its matter: "I'll let you know whether the hall is free", "let me ask Ann and
    get back to you", "as soon as it is ready, I'll let you know".
    """
    w, patterns = reading.lexicon.words, _MATTERS.get(reading.lexicon.words.code)
    if patterns is None or reading.quoted or not w.hedges.isdisjoint(reading.words):
        return None
    begins = [n + 1 for n, word in enumerate(reading.words) if word in ("and", "but") and n > reading.begin]
    hits = (reading.match(patterns, place) for place in (reading.begin, *begins))
    hit = next(filter(None, hits), None)
    if hit is None or certainty.is_of_another(reading, hit.begin) or certainty.is_offered_help(reading):
        return None  # "let me know and I'll put you in touch"
    if phrases.denies(reading, reading.begin, len(reading.words)):
        return None
    group = hit.match.lastgroup or "act"
    first, end = hit.span(group)
    if reading.condition and group == "act" and not first < reading.condition[0] < end:
        return None
    while end - 1 in reading.dated:
        end -= 1
    # "I'll change it this week and let you know": the day of another clause.
    days = [each for each in reading.coming if each.start >= reading.tokens[hit.begin].start]
    due = days[0].due if len(days) == 1 else None
    condition = reading.slice(*reading.condition) if reading.condition and group != "act" else ""
    if (group == "later" and due is None) or any(
        certainty.may_never_be(reading.words[start : last + 1]) for start, last in reading.conditions
    ):
        return None  # "I'll let you know if anything changes"
    return Contact(reading.slice(first, end - 1), due, condition)


def _contact(reading: SentenceReading, patterns: Mapping[str, re.Pattern[str]]) -> Contact | None:
    w, begin = reading.lexicon.words, reading.begin
    if patterns is _PROMISED and (second := _second_part(reading) or _behind_comma(reading)):
        begin = second
    # "I'll look at it today and call you on Friday": the day of the first part is another.
    hits = [each for each in reading.coming if begin == reading.begin or each.start > reading.tokens[begin].start]
    due = hits[0].due if len(hits) == 1 else None
    polite = patterns is _ASKED and not hits and reading.lexicon.please.anywhere(reading)
    if (due is None and not polite) or w.code not in patterns:
        return None
    # English has the words of a habit in courtesies, too.
    other = w.hedges | w.help | (w.habits if w.code != "en" else frozenset())
    if reading.quoted or not other.isdisjoint(reading.words):
        return None
    # "By Friday with any questions" asks only who has some; "when you have a minute" is a courtesy.
    if reading.condition and not (patterns is _ASKED and _is_courtesy(reading, *reading.condition)):
        return None
    # "Chiamami, per favore" begins with no greeting.
    begins = dict.fromkeys((begin, 0 if polite else begin))
    hit = next(filter(None, (reading.match(patterns[w.code], place) for place in begins)), None)
    if hit is None or phrases.denies(reading, begin, len(reading.words)):
        return None
    first, end = hit.span(hit.match.lastgroup or "act")
    # "Je reviens vers vous *suite à la réunion de lundi*": this mail does it.
    done = hit.match.lastgroup == "act_at_day" and end not in reading.dated
    done = done or (patterns is _PROMISED and phrases.is_your(reading, end - 1))
    behind = [
        n for n in range(end, min(end + 2, len(reading.words))) if not reading.lexicon.please.at(reading.words, n)
    ]
    if done or requests.is_name_given(reading, end) or not _REASONS.isdisjoint(reading.words[n] for n in behind):
        return None
    act = reading.slice(first, end - 1)
    return Contact(act, due) if due or _TO_ME.search(act.casefold()) else None


def _second_part(reading: SentenceReading) -> int:
    """Where "te contesto el martes" begins behind "lo reviso y", a first part in the first person; 0 where none is."""
    w, words = reading.lexicon.words, reading.words
    pattern = _PROMISED.get(w.code)
    first = next((n for n in range(reading.begin, len(words)) if words[n] not in w.pronouns | w.fronting), 0)
    own = words[first : first + 1] and (
        not frozenset(w.subjects).isdisjoint(words[: first + 1])
        or words[first] in reading.lexicon.openings.first
        or (w.code in _IN_O and words[first].endswith("o"))
    )
    if pattern is None or not own:
        return 0
    for n in range(first + 1, len(words) - 1):
        if words[n] in w.conjunctions and reading.match(pattern, n + 1):
            return n + 1
    return 0


def _behind_comma(reading: SentenceReading) -> int:
    """Where "I'll ring you on Friday" begins behind "Thursday doesn't work any more,"; 0 where nobody says why."""
    w, words = reading.lexicon.words, reading.words
    pattern = _PROMISED.get(w.code)
    if pattern is None or not w.reported.isdisjoint(words) or reading.match(pattern, reading.begin):
        return 0
    starts = (n + 1 for n in range(reading.begin + 1, len(words) - 1) if words[n] == ",")
    return next((n for n in starts if _is_own(reading, n) and reading.match(pattern, n)), 0)


def _is_own(reading: SentenceReading, place: int) -> bool:
    """Whether a first person stands there by itself; "ti chiamo" tells one by its verb."""
    w, word = reading.lexicon.words, reading.words[place]
    return w.code in _IN_O or word in w.subjects or word.partition("'")[0] in w.subjects


#: Languages whose first person ends in "o": "reviso", "guardo", "vejo".
_IN_O: Final = frozenset({"es", "it", "pt"})

#: At the end of a call that a "please" asks for without a day; "please call us" is for whoever likes to.
_TO_ME: Final = re.compile(
    r"(?:ruf|rufe|rufen sie|ruft) mich$|^(?:bel|belt u) (?:me|mij)\b|^r?appel\w+-?moi$"
    r"|^(?:ll[aá]m[ae]|(?:ri)?chiama|telefona|lig(?:a|ue)-?) ?m[ei]$|^(?:mi (?:ri)?chiami|me lig(?:a|ue))$"
)


def _is_courtesy(reading: SentenceReading, first: int, last: int) -> bool:
    if reading.lexicon.please.at(reading.words, first):
        return True  # "s'il te plaît"
    return not reading.lexicon.words.courtesy.isdisjoint(reading.words[max(first, last - 1) : last + 1])


#: Behind "ti chiamo": what the call itself says, "I'm calling to invite you".
_REASONS: Final = table("wegen weil om omdat pour por porque para per perché")


_CALLS: Final = re.compile(
    r"(?:(?:call|phone|ring|visit|meet|meet with|pick|join|remind) (?:me|us|you)(?: up| back| there)?"
    r"|(?:call|phone|ring)(?: back)?"
    r"|give (?:me|us|you) a (?:call|ring)|(?:come|stop|drop) (?:by|over|round)|come to (?:the|your|our) \w+"
    r"|(?:ruf|rufe|rufen|hole|holen)(?: \w+)? (?:mich|uns|dich|sie|euch)|\w+ (?:du|sie) (?:mich|uns|dich|sich)"
    r"|(?:r?appelle|r?appelez)-?(?:moi|nous)|(?:te|vous|t) ?r?appel\w+|ll[aá]m\w+|(?:te|le|os|les) llam\w+"
    r"|(?:mi )?(?:ri)?chiam\w+|telefon\w+|(?:ti|la|le|vi) (?:(?:ri)?chiam|telefon)\w+"
    r"|(?:\w+ )?(?:lig|telefon)\w+(?:-?(?:me|nos|te|lhe|vos))?|bel\w* (?:\w+ )?(?:me|mij|ons|je|jou|u|jullie)"
    r"(?: terug)?)$"
)
_ANSWERS: Final = re.compile(
    r"(?:get back to you|let you know|tell you|be in touch|circle back|follow up|give you an answer|reply|respond"
    r"|answer|confirm|keep you posted|(?:dm|ping) you"
    r"|(?:text|e-?mail|write|write to|message|contact|answer|reply to|respond to) (?:me|us|you)(?: back)?"
    r"|(?:let you know|tell you) (?:whether|if|what|when|which|who|how)\b.*|come back to you|call you back"
    r"|(?:get back to you|update you|report back) (?:on|with)\b.*"
    r"|antworten?(?: \w+)? (?:dir|ihnen|euch)"
    r"|meld\w+(?: \w+)? (?:dich|sich|euch|mich|uns)|(?:gebe|geben|sage|sagen)(?: \w+)? (?:dir|ihnen|euch)"
    r"|revi\w+ vers (?:toi|vous)|(?:digo|direi)-? ?(?:te|lhe|vos) [\w ]+"
    r"|(?:mi|ci) fa\w+ (?:viv[oai]|sentire)"
    r"|(?:te|vous|t) ?(?:recontact\w+|répond\w+|dirai|tien\w+ au courant|confirm\w+)"
    r"|avís\w+|respónd\w+|(?:te|le|os|les) (?:avis\w+|respond\w+|contest\w+|confirm\w+|digo|diré)"
    r"|(?:ti|la|le|vi) (?:rispond\w+|f\w+ sapere|avvis\w+|aggiorn\w+)|(?:avvisa|scrivi|rispondi)mi"
    r"|(?:respond|avis|confirm)\w+-? ?(?:te|lhe|vos|me|nos)|(?:vou|vamos) (?:responder|avisar)-(?:te|lhe|vos)"
    r"|(?:laat|laten|antwoord\w*)(?: \w+)? (?:je|jou|u|jullie|me|mij|ons))$"
)
#: What may precede: "ok, so ...".
_FRONT: Final = (
    r"(?:(?:ok|okay|yes|sure|thanks|great|perfect|so|and|then|fine|alright|also|ja|gut|danke|dann|und|oui|merci|et"
    r"|alors|sí|vale|gracias|y|entonces|sì|grazie|allora|sim|obrigad[oa]|então|bedankt|dan|goed"
    r"|wie (?:besprochen|vereinbart|abgesprochen)|zoals (?:afgesproken|besproken|beloofd)) ,? ?)*"
)
_ASKED: Final[Mapping[str, re.Pattern[str]]] = {
    code: re.compile(_FRONT + asked)
    for code, asked in {
        "en": r"(?:(?:(?:can|could|would|will) you |please |pls |kindly |just )*"
        r"(?P<act>(?:call|phone|ring|text|e-?mail|write to|message|contact|meet|visit|pick) (?:me|us)(?: up)?"
        r"|give (?:me|us) a (?:call|ring)|pay (?:me|us)(?: back)?)\b"
        r"|(?:(?:can|could|would|will) you |please |pls |kindly |just )+"
        r"(?P<bare_act>(?:come|stop|drop) (?:by|over|round)"
        r"|(?:sign|review|reply|respond|answer|send|return|pay|confirm)"
        r"(?: and (?:sign|return|send|reply|comment|confirm|pay))?)(?= (?:it |them |this )?"
        r"(?:by|before|on|no later|until|tomorrow|today|tonight|this|next)\b))",
        "de": r"(?:bitte )?(?P<act>(?:ruf|rufe|rufen sie|ruft) (?:mich|uns)"
        r"|(?:hol|hole|holen sie|holt) (?:mich|uns)(?= .*\bab\b)|(?:melde dich|melden sie sich|meldet euch)"
        r"|(?:kannst|könntest|können|könnten) (?:du|sie) (?:mich|uns|dich|sich)"
        r"(?= .*(?:anrufen|zurückrufen|melden|abholen)\b))\b",
        "fr": r"(?:s il (?:te|vous) pla[iî]t ,? ?)?(?P<act>(?:rappelle|appelle|rappelez|appelez)-?(?:moi|nous)"
        r"|(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous) (?:me|nous|m) ?"
        r"(?:rappeler|appeler|rembourser|répondre))\b",
        "es": r"¿? ?(?:por favor ,? ?)?(?P<act>llámame|llámeme|llámanos|avísame|avíseme|respóndeme"
        r"|(?:puedes|puede|podrías|podría) (?:llamarme|avisarme|responderme|llamarnos))\b",
        "it": r"(?:per favore ,? ?)?(?P<act>(?:ri)?chiamami|mi (?:ri)?chiami|(?:ri)?chiamaci|telefonami|rispondimi"
        r"|mi risponda|avvisami|mi avvisi|scrivimi"
        r"|(?:puoi|potresti|può|potrebbe) (?:(?:ri)?chiamar(?:mi|ci)|telefonarmi|risponder(?:mi|ci)|avvisarmi))\b",
        "pt": r"(?:por favor ,? ?)?(?P<act>(?:liga|ligue|telefona|telefone|responde|responda|avisa|avise)-? ?(?:me|nos)"
        r"|(?:me|nos) (?:liga|ligue|responda|responde|avise|avisa)"
        r"|(?:podes|pode|podias|podia|poderia) (?:ligar|responder|telefonar|avisar)-(?:me|nos)"
        r"|(?:podes|pode|podias|podia|poderia) me (?:ligar|responder|telefonar|avisar))\b",
        "nl": r"(?:alsjeblieft ,? ?)?(?P<act>(?:bel|belt u) (?:me|mij|ons)(?: terug)?|antwoord (?:me|mij|ons)"
        r"|(?:kun|kan|zou|kunt|wil|wilt) (?:je|jij|u) (?:me|mij|ons)"
        r"(?= .*(?:bellen|antwoorden|ophalen|terugbetalen)\b))(?= )",
    }.items()
}
#: Without "ich", "rufe Sie" promises and "rufen Sie" asks.
_DO_DE: Final = "(?:rufe|hole|bezahle|zahle|überweise|gebe|sage)"
_DOES_DE: Final = "(?:rufe?|rufen|hole?|holen|bezahle|zahle|zahlen|überweise|überweisen|gebe|geben|sage|sagen)"
#: ``act_at_day``: only where its day follows at once.
_PROMISED: Final[Mapping[str, re.Pattern[str]]] = {
    code: re.compile(_FRONT + promised)
    for code, promised in {
        "en": r"(?:(?:i|we)(?:'ll| will|'m going to|'re going to| am going to| are going to)|ill|will)"
        r"(?: then| also| definitely| certainly| just)* "
        r"(?P<act>(?:call|phone|ring|text|e-?mail|write|write to|message|contact|visit|pay|reimburse|answer|reply to"
        r"|respond to|remind|join|meet|meet with|pick) you(?: back| up| there)?|(?:get|come) back to you|let you know"
        r"|(?:call|phone|ring)(?: back)?"
        r"(?= (?:on|by|tomorrow|tonight|today|this|next|(?:mon|tues|wednes|thurs|fri)day)\b)"
        r"|tell you|be in touch|circle back|follow up|give you (?:a|an) (?:call|ring|answer)"
        r"|(?:come|stop|drop) (?:by|over|round)|come to (?:the|your|our) \w+"
        r"|(?:bring|give|send|show) you(?= (?:tomorrow|tonight|today|on|by|next|this)\b)"
        r"|(?:transfer|wire|send|pay|give|lend) you (?:\S*\d\S*|the (?:rest|money|balance|remainder)))\b",
        "de": r"(?:(?:ich|wir) )?(?P<act>(?:melde|melden) (?:ich |wir )?(?:mich|uns)"
        rf"|(?:{_DO_DE} sie|{_DOES_DE} (?:ich |wir )?(?:dich|dir|ihnen|euch)|(?:(?<=ich )|(?<=wir )){_DOES_DE} sie"
        rf"|{_DOES_DE} (?:ich|wir) sie)(?= .*(?:an|zurück|ab|bescheid|euro)\b)"
        r"|antworten? (?:ich |wir )?(?:dir|ihnen|euch))",
        "fr": r"(?:(?:je|nous) )?(?P<act>(?:te|vous|t) ?(?:(?:fais|ferai) (?:le|un) virement"
        r"|rappelle|rappellerai|rappelons|appelle|appellerai|recontacte"
        r"|recontacterai|rembourse|rembourserai|réponds|répondrai|répondrons|dirai|dirons|tiens au courant"
        r"|tiendrai au courant|tiendrons au courant|rappellerons|recontacterons|confirmerai|confirmerons))\b"
        r"|(?:je|nous|on) (?P<act_at_day>(?:reviens|revient|revenons|reviendrai|reviendra|reviendrons)"
        r" vers (?:toi|vous))\b",
        "it": r"(?P<act>(?:ti|le|vi) (?:faccio|farò) (?:il|un) bonifico"
        r"|(?:ti|la|le|vi) (?:(?:ri)?chiam(?:o|erò|iamo|eremo)|telefon(?:o|erò|eremo)"
        r"|rispond(?:o|erò|iamo|eremo)"
        r"|f(?:accio|arò|aremo|acciamo) sapere|avvis(?:o|erò|iamo|eremo)|aggiorn(?:o|erò|iamo|eremo)"
        r"|pag(?:o|herò)|rimbors(?:o|erò)))\b"
        r"|(?P<act_at_day>mi (?:faccio|farò) (?:vivo|viva|sentire)|ci (?:facciamo|faremo) (?:vivi|sentire))\b",
        "pt": r"(?P<act>(?:(?:te|lhe) )?(?:faço|farei|vou fazer) (?:o|a|um|uma) (?:pix|transferência|depósito)"
        r"|(?:ligo|ligarei|respondo|responderei|aviso|avisarei|telefono|pago|pagarei|confirmo|confirmarei"
        r"|respondemos|avisamos|ligamos|confirmamos)"
        r"-? ?(?:te|lhe|vos)|(?:te|lhe|vos) (?:ligo|respondo|aviso|pago|confirmo|responderemos|avisaremos|ligaremos)"
        r"|(?:vou|vamos) (?:ligar|responder|avisar|pagar|telefonar)-(?:te|lhe|vos)"
        r"|(?:vou|vamos) (?:te|lhe) (?:ligar|responder|avisar|pagar|telefonar))\b"
        r"|(?P<act_at_day>(?:digo|direi)-? ?(?:te|lhe|vos) (?:alguma coisa|qualquer coisa|algo))\b",
        "nl": r"(?:(?:ik|we|wij) )?(?P<act>(?:bel|bellen) (?:ik |we )?(?:je|jou|u|jullie)(?: \w+ terug)?"
        r"|(?:laat|laten) (?:ik |we )?(?:het )?(?:je|jou|u|jullie)(?= .*weten\b)"
        r"|(?:betaal|betalen|antwoord|antwoorden) (?:ik |we )?(?:je|jou|u|jullie))\b",
        "es": r"(?P<act>(?:te|le|os|les) (?:hago|haré) (?:el|la|un|una) (?:bizum|transferencia|ingreso)"
        r"|(?:te|le|os|les) (?:llamo|llamaré|llamamos|aviso|avisaré|avisamos|respondo|responderé"
        r"|responderemos|respondemos|contesto|contestaré|contestaremos|contestamos|confirmaré|confirmaremos|llamaremos"
        r"|avisaremos|digo|diré|diremos|pago|pagaré|devuelvo el dinero|devolveré el dinero))\b",
    }.items()
}
_LETTING: Final = "get back to you|come back to you|let you know|call you back"
#: Up to a sign, "and", "as soon as" or "by".
_MATTER: Final = r"(?:(?! (?:[.,;:!()]|and|but|as soon as|once|when i|by|before)(?: |$)).)+"
_MATTERS: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(
        _FRONT + r"(?:(?:(?:i|we)(?:'ll| will|'m going to| am going to| shall)|will)(?: then| also| definitely| just)* "
        r"(?P<act>(?:let you know|tell you|get back to you on|get back to you with|update you on|report back on)"
        r" (?:(?:whether|if|what|when|which|who|how) "
        r"(?![,.;:!]|there\b|any|(?:i|we) (?:can|need|want|hear)\b|(?:it|things|they|he|she) (?:go|goes|went)\b)"
        r"|(?<=on )|(?<=with ))"
        rf"{_MATTER}"
        rf"|(?:introduce|connect) you (?:to|with) {_MATTER}|put you in (?:touch|contact) with {_MATTER}"
        rf"|(?:forward|send|fax|submit)(?: on| it on)? to (?!you\b|it\b){_MATTER})"
        r"|let me (?:check|ask|look|see|find out|talk|speak|consult|confirm|think|verify|discuss)\b"
        rf"(?:(?! [.;:!]).){{0,60}}? and (?:then )?(?:i(?:'ll| will) )?(?P<back>{_LETTING})"
        r"|(?:i|we)(?:'ll| will) (?:check|ask|look|see|find out|talk|speak|think)\b"
        rf"(?:(?! [.;:!]).){{0,60}}? and (?P<later>{_LETTING})"
        r"|(?:as soon as|once|when) (?!you )(?:(?! [.;:!]).){3,80}? ,? ?"
        rf"(?:i|we)(?:'ll| will) (?P<then>{_LETTING})\b)"
        rf"|(?:i|we)(?:'ll| will) (?P<now>{_LETTING}) (?:as soon as|once|when) (?!you |possible\b|i can\b|we can\b)"
    ),
}
