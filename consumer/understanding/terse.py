"""Promises without a verb of doing: "Draft to you by Friday", "Fri EOD you have the contract"."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from consumer.understanding import objects, phrases
from consumer.understanding.grammar import CLOSING, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.promises.parts import excludes_date
from consumer.understanding.statements import Due


class Terse(NamedTuple):
    object: str
    due: Due


def may_be(reading: SentenceReading) -> bool:
    """Whether a sentence is short and speaks of its reader; cheap, and mostly no."""
    reader = _READER.get(reading.lexicon.words.code)
    return reader is not None and len(reading.words) <= _LONGEST and not reader.isdisjoint(reading.words)


def find(reading: SentenceReading) -> Terse | None:
    """What a short sentence promises its reader by a day; None for every other sentence."""
    if not may_be(reading) or reading.is_question or reading.condition:
        return None
    named = not any(
        phrases.denies(reading, n, n + 1) and not excludes_date(reading, n) for n in range(len(reading.words))
    )
    return _pointed(reading) or ((_ensured(reading) or _arriving(reading)) if named else None)


def _arriving(reading: SentenceReading) -> Terse | None:
    """ "The contract is with you by Friday"."""
    words = reading.words
    place, after = _arrival(reading)
    due = _due(reading) or (_on_day(reading, place, after) if after else None)
    if due is None or not after:
        return _had(reading, due) if due else None
    first = _behind_lead(reading, place)
    if words[place - 2 : place] == ("will", "be"):
        place -= 2  # "the contract will be with you"
    lies = next((n for n in range(place - 1, first, -1) if n not in reading.dated), place)
    place = lies if words[lies] in _STAND_OR_LIE else place
    front, behind = range(first, place), range(after, len(words))
    wishes = "happy" in words[:place]
    if wishes or not all(_is_small(reading, n) for n in behind) or any(_is_verb(reading, n, place) for n in front):
        return None
    item = phrases.find(reading, first, place)
    return Terse(item.text, due) if item.text and not objects.is_idle(item.text, reading.lexicon.words) else None


def _on_day(reading: SentenceReading, place: int, after: int) -> Due | None:
    """The day on which a thing that is sent will be where its reader gets it: "the draft will be *with you on Monday*",
    "het concept ligt *maandag op je bureau*"; anybody may be "with you".
    """
    words, w = reading.words, reading.lexicon.words
    hits = [hit for hit in reading.coming if hit.role in ("on", "bare")]
    will = words[place - 1] == "be" or not _STAND_OR_LIE.isdisjoint(words[:place])
    sent = words[place:after] not in _PLACES_WITH_READER or not _SENT.isdisjoint(words[:place])
    return hits[0].due if will and sent and len(hits) == len(reading.coming) == 1 and w.code in _ARRIVING else None


_STAND_OR_LIE: Final = table("liegt ist ligt sera estará sarà staat")
_PLACES_WITH_READER: Final = (
    ("with", "you"),
    ("bei", "dir"),
    ("bei", "ihnen"),
    ("bij", "je"),
    ("bij", "jou"),
    ("bij", "u"),
    ("chez", "vous"),
    ("chez", "toi"),
)
#: What people send each other.
_SENT: Final = table(
    """
    draft drafts plan plans report reports contract contracts offer quote invoice invoices deck slides numbers figures
    photos pictures drawings list form forms keys agreement proposal documents document files file papers summary
    minutes notes results copy copies version spreadsheet presentation letter parcel package cheque check order estimate
    entwurf plan bericht vertrag angebot rechnung folien zahlen fotos bilder zeichnungen liste formular schlüssel
    unterlagen datei dateien protokoll ergebnisse kopie version brief paket brouillon rapport contrat devis facture
    photos plans document documents liste formulaire clés dossier concept rapport verslag offerte factuur tekening
    tekeningen lijst formulier sleutels stukken documenten bestand notulen resultaten kopie versie pakket
    """
)


def _ensured(reading: SentenceReading) -> Terse | None:
    """ "Ik zorg dat je het contract vrijdag hebt": the reader will have it."""
    pattern = _ENSURING.get(reading.lexicon.words.code)
    hit = reading.match(pattern, reading.begin) if pattern else None
    hits = reading.coming
    if hit is None or len(hits) != 1 or hits[0].due is None:
        return None
    item = phrases.find(reading, *hit.span(hit.match.lastgroup or "t"))
    return Terse(item.text, hits[0].due) if item.text else None


_ENSURING: Final = {
    "de": re.compile(
        r"(?:ich|wir) (?:sorge|sorgen|kümmere mich|kümmern uns|verspreche|versprechen|garantiere)"
        r"(?: dafür| darum| dir| ihnen| euch)? , dass (?:du|sie|ihr) (?P<t>.+?) "
        r"(?:hast|haben|habt|bekommst|bekommen|bekommt|kriegst)\b"
        # "Geht Ihnen vom Amt zu": from somebody else.
        r"|(?P<sent>(?:der|die|das|den|mein\w*|unser\w*|dein\w*|ihre?|euer) .+?) (?:geht|gehen)(?!.* vo[nm] )"
        r" (?:(?:dir|ihnen|euch) (?:.+ )?zu|(?:.+ )?an (?:dich|sie|euch) (?:r?aus|heraus|ab))(?: \W|\Z)"
    ),
    "nl": re.compile(
        r"(?:ik|we|wij) (?:zorg|zorgen|beloof|beloven)(?: ervoor| je| jou| u| jullie)?(?: ,)? dat "
        r"(?:je|jij|u|jullie) (?P<t>.+?) (?:hebt|heeft|krijgt|hebben)\b"
        r"|(?P<sent>(?:de|het|mijn|onze?|je|jouw|uw) .+?) (?:gaat|gaan) (?:.+ )?naar (?:je|jou|u|jullie) toe\b"
    ),
    "fr": re.compile(
        r"(?:je|nous) (?:fais en sorte|faisons en sorte|ferai en sorte|ferons en sorte|m assure|m assurerai"
        r"|veille à ce|veillons à ce|veillerai à ce|(?:te |vous )?promets"
        r"|(?:te |vous )?promettons) que? ?(?:tu aies|vous ayez|tu reçoives|vous receviez|tu auras|vous aurez"
        r"|tu recevras|vous recevrez) (?P<t>.+)"
    ),
    "es": re.compile(
        r"(?:(?:me|nos) (?:aseguro|encargo|aseguramos|encargamos|aseguraré|encargaré|aseguraremos"
        r"|encargaremos) de|(?:te|le|os) (?:prometo|prometemos))"
        r" que (?:tengas|tenga|recibas|reciba|tendrás|tendrá|recibirás|recibirá) (?P<t>.+)"
    ),
    "it": re.compile(
        r"(?:faccio in modo|mi assicuro|facciamo in modo|farò in modo|faremo in modo|mi assicurerò"
        r"|(?:ti |le |vi )?promett(?:o|iamo))"
        r" che (?:tu abbia|lei abbia|tu riceva|avrai|avrà|riceverai|riceverà) (?P<t>.+)"
    ),
    "pt": re.compile(
        r"(?:garanto|asseguro|garantimos|prometo|prometemos|vou garantir|vou assegurar|garantirei)"
        r"(?:-| )?(?:te|lhe)?"
        r" que (?:(?:você|o senhor|a senhora) (?:receba|tenha|terá|vai ter|vai receber)|tens|tenhas|recebes|recebas|tem"
        r"|terás|terá|receberás|receberá|vais ter|vai ter) (?P<t>.+)"
    ),
    "en": re.compile(
        r"(?:i|we) (?:promise|guarantee|can promise|can assure)(?: you)?(?: that)? you(?:'ll| will) "
        r"(?:have|get|receive) (?P<t>.+)"
        r"|(?P<sent>(?:the|my|our|your) .+?) (?:goes?|will go) out to you\b"
    ),
}


def _pointed(reading: SentenceReading) -> Terse | None:
    """ "Sorry, not by Friday, you'll have it on Monday", "am Montag bekommst du ihn": all of the last clause but its
    day.
    """
    lex, words = reading.lexicon, reading.words
    last_word = next((n for n in range(len(words) - 1, -1, -1) if words[n] not in CLOSING), -1)
    end = last_word - 1 if words[last_word : last_word + 1] in _PROMISE and words[last_word - 1] == "," else len(words)
    first = max((n + 1 for n, word in enumerate(words[:end]) if word in (",", "-", "\u2013", "\u2014")), default=0)
    last = [hit for hit in reading.coming if first < len(words) and hit.start >= reading.tokens[first].start]
    if len(last) != 1 or last[0].due is None:
        return None
    w = lex.words
    small = w.adverbs | w.contrast | w.conjunctions | lex.polite | CLOSING | lex.by | _YES
    kept = " ".join(words[n] for n in range(first, end) if n not in reading.dated and words[n] not in small)
    return Terse("it", last[0].due) if _POINTED[w.code].fullmatch(kept) else None


_PROMISE: Final = (
    ("promise",),
    ("promised",),
    ("versprochen",),
    ("promis",),
    ("prometido",),
    ("promesso",),
    ("beloofd",),
)
_YES: Final = table("ok okay yes sure sorry ja klar nein oui désolé sí vale claro sì certo sim no leider helaas prima")
_POINTED: Final = {
    "en": re.compile(
        r"(?:i promise (?:that )?)?(?:you'll|you will) (?:have|get|receive) (?:it|them|everything)(?: from me)?"
        r"|(?:it|they)(?:'ll| will) be (?:with you|in your inbox|on your desk)"
    ),
    "de": re.compile(
        r"(?:(?:du|ihr) (?:bekommst|kriegst|hast|erhältst|bekommt|kriegt|erhaltet)|sie (?:bekommen|erhalten))"
        r" (?:ihn|sie|es|das)(?: von mir)?"
        r"|(?:(?:ihn|sie|es|das|den|die) )?(?:(?:bekommst|kriegst|hast|erhältst) du|(?:bekommt|kriegt|erhaltet) ihr"
        r"|(?:bekommen|erhalten) sie)(?: (?:ihn|sie|es|das))?(?: von mir)?"
    ),
    "fr": re.compile(r"(?:tu|vous) (?:l|les|le|la) (?:auras|aurez|recevras|recevrez)"),
    "es": re.compile(r"(?:l[oa]s? (?:tendrás|tienes|tendrá|tiene|recibirás|recibirá)|te l[oa]s? hago llegar)"),
    "it": re.compile(
        r"(?:ce )?(?:l|l[oaie]) (?:avrai|avrà|riceverai|riceverà|avrete)|(?:te|ve|gli) ?l[oaie] (?:faccio|farò) avere"
    ),
    "pt": re.compile(
        r"(?:envio|mando|entrego|trago|levo|passo)-(?:t|lh)[oa]s?|(?:tê|recebê)-l[oa]s?-(?:ás|á)|recebe-l[oa]s?"
        r"|(?:vais|vai) (?:tê|recebê)-l[oa]s?"
    ),
    "nl": re.compile(
        r"(?:(?:je|jij) (?:hebt|krijgt|ontvangt)|u (?:hebt|heeft|krijgt|ontvangt)) (?:het|ze|hem)(?: van (?:me|mij))?"
        r"|(?:heb|krijg) je (?:het|ze|hem)(?: van (?:me|mij))?"
    ),
}


def _behind_lead(reading: SentenceReading, place: int) -> int:
    """Where the thing begins: behind "ok,", "quick one:", "I'll make sure"."""
    words, first = reading.words, 0
    lead = next((n for n in range(place - 1, 0, -1) if words[n] in (":", "\u2013", "\u2014", "-")), -1)
    if 0 < lead < _LEAD:
        first = lead + 1
    for sure in _SURE:
        if words[first : first + len(sure)] == sure:
            return first + len(sure)
    while first < place and (words[first] in reading.lexicon.words.fronting or words[first] == ","):
        first += 1
    return first


#: Words before a colon that say nothing.
_LEAD: Final = 4
_SURE: Final = (("i'll", "make", "sure"), ("i", "will", "make", "sure"), ("we'll", "make", "sure"))


def _had(reading: SentenceReading, due: Due) -> Terse | None:
    """ "Fri EOD you have the contract", "by Friday you get the keys": behind the day, which has to be an end."""
    words, w = reading.words, reading.lexicon.words
    place = next((n for n in range(1, len(words) - 2) if words[n : n + 2] in _YOU_HAVE), 0)
    if w.code != "en" or not place or not all(_is_small(reading, n) for n in range(place)):
        return None
    if words[place + 2] not in w.articles:
        return None
    item = phrases.find(reading, place + 2, len(words))
    return Terse(item.text, due) if item.text and not objects.is_idle(item.text, w) else None


_YOU_HAVE: Final = (("you", "have"), ("you", "get"), ("you've", "got"))


def _arrival(reading: SentenceReading) -> tuple[int, int]:
    """Where "to you" or "in your inbox" stands, and what follows; (0, 0) for none."""
    words = reading.words
    for several in _ARRIVING.get(reading.lexicon.words.code, ()):
        for place in range(1, len(words) - len(several) + 1):
            if words[place : place + len(several)] == several:
                return place, place + len(several)
    return 0, 0


def _due(reading: SentenceReading) -> Due | None:
    """The day by which, or at whose end."""
    hits = reading.coming
    if len(hits) != 1 or hits[0].due is None:
        return None
    due, ends = hits[0].due, reading.lexicon.words.dates.day_ends
    return due if hits[0].role == "by" or any(text in due.words.casefold() for text in ends) else None


def _is_small(reading: SentenceReading, n: int) -> bool:
    """Whether a word belongs to the day, or says nothing."""
    word, lex = reading.words[n], reading.lexicon
    sure = word in _ASSURING
    return n in reading.dated or sure or word in CLOSING or word == "," or word in lex.words.fronting or word in lex.by


def _is_verb(reading: SentenceReading, n: int, place: int) -> bool:
    """Whether a word before "to you" makes it a sentence: "it was sent to you", "send to you"."""
    lex, word = reading.lexicon, reading.words[n]
    if word in lex.words.pronouns - lex.words.articles or word in lex.words.subjects or word in _IS:
        return True
    if n in reading.dated or "'" in word:
        return "'" in word
    return (n == place - 1 and word in lex.participles) or word in _ONLY_VERBS


_ASSURING: Final = table("zu promise promised sharp guaranteed latest versprochen beloofd")
_LONGEST: Final = 16
#: One of them stands in every such sentence: the reader, or what comes.
_READER: Final = {
    "en": table("you your you'll follow"),
    "de": table("dir ihnen dich deinem ihrem du sie folgt folgen"),
    "nl": table("je jij u jou jouw jullie volgt volgen"),
    "fr": table("tu vous toi suit suivra suivront votre ton ta"),
    "es": table("tengas tenga recibas reciba tendrás tendrá recibirás recibirá lo la los las tu su tus"),
    "it": table("tu lei te ve avrai avrà avrete riceverai riceverà tua sua"),
    "pt": table(
        """
        tens tenhas recebes recebas receba tem vais vai terás terá receberás receberá tua sua envio-to envio-ta
        envio-tos envio-tas envio-lho envio-lha mando-to mando-ta mando-tos mando-tas mando-lho mando-lha
        entrego-to entrego-ta entrego-lho entrego-lha trago-to trago-ta levo-to levo-ta passo-to passo-ta
        recebe-lo recebe-la tê-lo-ás tê-la-ás recebê-lo-ás recebê-la-ás
        """
    ),
}
_ARRIVING: Final = {
    "fr": (
        *(("suit",), ("suivra",), ("suivront",), ("chez", "vous"), ("chez", "toi"), ("sur", "votre", "bureau")),
        *(("sur", "ton", "bureau"), ("dans", "votre", "boîte"), ("dans", "ta", "boîte")),
    ),
    "en": (
        ("to", "follow"),
        ("will", "follow"),
        ("coming", "your", "way"),
        ("heading", "your", "way"),
        ("on", "its", "way", "to", "you"),
        ("on", "their", "way", "to", "you"),
        ("reaches", "you"),
        ("reach", "you"),
        ("gets", "to", "you"),
        ("is", "with", "you"),
        ("over", "to", "you"),
        ("to", "you"),
        ("with", "you"),
        ("in", "your", "inbox"),
        ("on", "your", "desk"),
        ("in", "your", "hands"),
    ),
    "de": (
        ("folgt",),
        ("folgen",),
        ("geht", "dir"),
        ("geht", "ihnen"),
        ("gehen", "ihnen"),
        ("bei", "dir"),
        ("bei", "ihnen"),
        ("auf", "deinem", "tisch"),
        ("auf", "ihrem", "tisch"),
        ("in", "deinem", "postfach"),
    ),
    "es": (("en", "tu", "mesa"), ("en", "su", "mesa"), ("en", "tu", "bandeja"), ("en", "tus", "manos")),
    "pt": (("na", "tua", "mesa"), ("na", "sua", "mesa"), ("na", "tua", "caixa"), ("na", "sua", "caixa")),
    "it": (("sulla", "tua", "scrivania"), ("sulla", "sua", "scrivania"), ("nella", "tua", "casella")),
    "nl": (
        ("op", "je", "bureau"),
        ("op", "uw", "bureau"),
        ("volgt",),
        ("volgen",),
        ("bij", "je"),
        ("bij", "jou"),
        ("bij", "u"),
        ("in", "je", "inbox"),
    ),
}
_IS: Final = table(
    "is are was were be been being will would has have had ist sind war waren wird werden hat haben is zijn was waren"
)
_ONLY_VERBS: Final = table(
    "send sent sending deliver bring catch give get getting due owe come coming go going talk speak spoke thanks happy"
)
