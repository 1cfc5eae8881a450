"""What a sentence answers, or says was decided."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

from consumer.understanding import contacts, languages, objects, phrases
from consumer.understanding.grammar import CLOSING, Lexicon, Phrases, SentenceReading, Sequel, lexicon
from consumer.understanding.languages.words import words
from consumer.understanding.text import fold, tokens


class Reply(NamedTuple):
    """``verdict`` as in ``statements.Answer``; ``object`` "" for what stands before in the conversation."""

    verdict: str
    object: str


class Choice(NamedTuple):
    what: str
    about: str


#: Words that name a thing: "the photos of Friday".
_FEW = 4
#: Words that a day has at most.
_DAY = 4
#: More words are no short answer.
_SHORT = 20

# --- answers -----------------------------------------------------------------------------------------------------


def reply(reading: SentenceReading, names: Phrases) -> Reply | None:
    if reading.is_question or _reminds(reading):
        return None
    return _whole_answer(reading, names) or _about_thing(reading, names)


def _whole_answer(reading: SentenceReading, names: Phrases) -> Reply | None:
    """A sentence that is nothing but an answer, or gives thanks for a call."""
    if call := contacts.thanked_call(reading.text):
        return Reply("received", call)
    verdict = "released" if _is_released_for(reading) else "declined" if _refers_elsewhere(reading) else None
    if verdict is None and _releases(reading, _trailing(reading)):
        verdict = "released"
    verdict = verdict or _short_answer(reading, names)
    if verdict:
        return Reply("delivered" if verdict == "done" else verdict, "")
    return Reply("delivered", "") if _is_done(reading) else None


def _about_thing(reading: SentenceReading, names: Phrases) -> Reply | None:
    if reading.condition:
        return None
    answer = (
        _lacking(reading, names)
        or _not_needed(reading, names)
        or _begun(reading, names)
        or _ended(reading, names)
        or _have(reading, names)
        or _handed_thing(reading, names)
    )
    # "See attached": a verb names nothing.
    if answer is None or answer.object.casefold() in reading.lexicon.words.idle_verbs - objects.NOUNS:
        return None
    return None if answer.verdict in ("delivered", "received") and _IN_PART.search(reading.text) else answer


def _reminds(reading: SentenceReading) -> bool:
    """ "Não esquece de levar o bolo" takes nothing back."""
    return reading.begin < len(reading.words) and reading.lexicon.remind.at(reading.words, reading.begin) is not None


def _refers_elsewhere(reading: SentenceReading) -> bool:
    """ "No, ask Bob for the report", "sorry, I don't have it": the author will not do it."""
    match = _ASK_ANOTHER.match(reading.text) or _HAVE_NONE.match(reading.text)
    return match is not None and (match["name"] is None or match["name"][0].isupper())


def _lacking(reading: SentenceReading, names: Phrases) -> Reply | None:
    """ "I don't have the map, ask Bob", "den Plan habe ich leider nicht": the author will not do it either."""
    if _HAVING.isdisjoint(reading.words):
        return None
    pattern = _LACKS.get(reading.lexicon.words.code)
    words = " ".join(reading.words[: _trailing(reading)])
    match = pattern.fullmatch(words) if pattern and not reading.dates else None
    span = next((match.span(n) for n in range(1, match.re.groups + 1) if match[n]), None) if match else None
    if span is None:
        return None
    first, end = (words[:place].count(" ") for place in span)
    item = phrases.find(reading, first, end + 1, frozenset(names.first))
    return Reply("declined", item.text) if item.text and item.last == end else None


def _not_needed(reading: SentenceReading, names: Phrases) -> Reply | None:
    """ "The party is off, so no seating plan needed", "plus la peine pour les photos, Luc me les a données", "I found
    the plan in my inbox".
    """
    if _NEEDING.isdisjoint(reading.words):
        return None
    patterns = _NOT_NEEDED.get(reading.lexicon.words.code, ())
    words = " ".join(reading.words[: _trailing(reading)])
    for verdict, pattern in patterns:
        match = pattern.search(words)
        span = next((match.span(n) for n in range(1, match.re.groups + 1) if match[n]), None) if match else None
        if span is None or reading.dates:
            continue
        first, end = (words[:place].count(" ") for place in span)
        item = phrases.find(reading, first, end + 1, frozenset(names.first))
        if item.text and item.last == end:
            return Reply(verdict, item.text)
    return None


#: No sentence without any of these matches the patterns below, which cost more.
_HAVING: Final = words("have habe hab ai tengo tenho ho heb")
_NEEDING: Final = words("needed necessary required found all peine besoin hat haben")
_FROM = r"(?:\A|(?<=, )|(?<=, so )|(?<=: ))"
_NOT_NEEDED: Final = {
    "en": (
        (
            "released",
            re.compile(
                rf"{_FROM}(?:there's |there is )?no (?:more )?((?!need\b)\w+(?: \w+){{0,3}}?) (?:is |are )?"
                r"(?:needed|necessary|required)(?: after all| any ?more| now)?(?: ,.+)?\Z"
            ),
        ),
        (
            "received",
            re.compile(
                rf"{_FROM}(?:i|we)(?:'ve| have)? (?:just )?found ((?:the|your) \w+(?: \w+){{0,3}}?)"
                r" (?:(?:in|on|under) (?:my|our|the) .+|after all)\Z"
            ),
        ),
        (
            "declined",
            re.compile(
                rf"{_FROM}(?:i|we) (?:can't|cannot|won't be able to) (?:do|make|manage) "
                r"((?:the|your) \w+(?: \w+){0,3}?) after all(?: ,.+)?\Z"
            ),
        ),
    ),
    "fr": (
        (
            "released",
            re.compile(
                r"\A(?:c est )?(?:plus (?:la peine|besoin)|pas la peine) pour ((?:le|la|les|l|ton|ta|tes) [\w ]+?)"
                r"(?: ,.+)?\Z"
            ),
        ),
    ),
    "de": (
        (
            "received",
            re.compile(
                r"\A((?:den|die|das) [\w ]+?) (?:hat|haben) (?:mir|uns) \w+(?: schon| bereits| inzwischen)* "
                r"(?:gegeben|geschickt|gebracht)(?: ,.+)?\Z"
            ),
        ),
    ),
}
_SORRY = (
    r"(?:(?:sorry|unfortunately|i'm afraid|leider|malheureusement|désolée?|lo siento|infelizmente|purtroppo|helaas)"
    r" (?:, )?)?"
)
_ELSE = r"(?: [,.;-])?(?: (?:but|aber|mais|pero|mas|ma|maar))?(?: (?:please|bitte))? (?:{}) .+"
_LACKS: Final = {
    code: re.compile(rf"{_SORRY}(?:{have})(?:{_ELSE.format(ask)})?")
    for code, have, ask in (
        ("en", r"i (?:don't|do not) have ((?:the|your) .+?)(?: myself| anymore| any more)?", "ask|try|contact"),
        (
            "de",
            r"((?:den|die|das) .+?) habe? ich (?:leider |selbst |auch )*nicht(?: mehr)?"
            r"|ich habe? ((?:den|die|das) .+?) (?:leider |selbst |auch )*nicht(?: mehr)?",
            "frag|fragen sie|wende dich|wenden sie sich",
        ),
        (
            "fr",
            r"je n ai (?:malheureusement )?(?:pas|plus) ((?:le|la|les|l) .+?)",
            "demande|demandez|vois|voyez|adressez vous",
        ),
        ("es", r"(?:yo )?(?:ya )?no tengo ((?:el|la|los|las) .+?)", "pregunta|pregúntale|pide|pídeselo"),
        ("pt", r"(?:eu )?(?:já )?não tenho ((?:o|a|os|as) .+?)", "pergunta|pergunte|pede|peça|fala com|fale com"),
        ("it", r"(?:io )?non ho (?:più )?((?:il|la|i|le|l|lo|gli) .+?)", "chiedi|chieda|senti|prova con"),
        (
            "nl",
            r"((?:de|het) .+?) heb ik (?:helaas |zelf |ook )*niet(?: meer)?"
            r"|ik heb ((?:de|het) .+?) (?:helaas |zelf |ook )*niet(?: meer)?",
            "vraag",
        ),
    )
}
_ASK: Final = (
    r"(?:please |bitte |por favor,? |s'il te plaît,? )?"
    r"(?:(?:you(?:'ll| will)? (?:need|have) to |you'd better |you could |maybe |best )?(?:better )?"
    r"(?:ask|try|contact|talk to|speak to|check with)|frag(?:e|en sie)?(?: bitte| lieber| mal| doch)*"
    r"|(?:demande|vois|voyez)(?:z)?(?:-le)?(?: ça)?(?: plutôt)? (?:à|avec)|adresse-toi à|adressez-vous à"
    r"|p[ií]de(?:se)?(?:lo)? a|pregunta(?:le)? a|habla con|chiedi(?:lo)? a|senti|prova con|pede a|pergunta a|fala com"
    r"|vraag(?: het)?(?: maar| even)?(?: aan)?|probeer) (?P<name>[^\W\d_][\w-]+)"
)
_ASK_ANOTHER: Final = re.compile(rf"\W*(?:sorry,? )?(?:no|nein|non|nee|não)\W+(?:sorry,? )?{_ASK}", re.IGNORECASE)
#: All of a sentence, since "I don't have it yet" and "I don't have it, but I'll get it" promise.
_HAVE_NONE: Final = re.compile(
    r"\W*(?:(?:sorry|no|nope|unfortunately|i'm afraid|nein|leider|tut mir leid|non|désolée?|malheureusement|hélas"
    r"|lo siento|perdona|lamentablemente|por desgracia|não|desculpa|desculpe|infelizmente|lamento|purtroppo|scusa"
    r"|mi dispiace|mi spiace|nee|helaas|het spijt me)\W+)*"
    r"(?:(?:i|we) (?:don't|do not) have (?:it|that|them|those|this one|that one|one)(?: either| any ?more)?"
    r"|(?:i|we) (?:haven't|have not) got (?:it|that|them|those|one)(?: either| any ?more)?"
    r"|(?:ich|wir) hab(?:e|en)? (?:ihn|sie|es|das|die|den) (?:leider |auch |selbst )*nicht(?: mehr)?"
    r"|(?:ihn|sie|es|das|die|den) hab(?:e|en)? (?:ich|wir) (?:leider |auch |selbst )*nicht(?: mehr)?"
    r"|(?:je|nous|on) (?:ne )?(?:l'(?:ai|avons|a)|les (?:ai|avons|a)) (?:malheureusement )?(?:pas|plus)(?: non plus)?"
    r"|(?:yo )?(?:ya )?no (?:lo|la|los|las) (?:tengo|tenemos)(?: tampoco)?"
    r"|(?:eu )?(?:já )?não (?:o|a|os|as) (?:tenho|temos)(?: também)?"
    r"|(?:io )?non ce (?:l'|li |le )(?:ho|abbiamo)(?: più| neanch'io)?"
    r"|(?:ik|we|wij) heb(?:ben)? (?:het|hem|die|dat|ze) (?:helaas |zelf |ook )*niet(?: meer)?"
    r"|(?:het|hem|die|dat|ze) heb(?:ben)? (?:ik|we|wij) (?:helaas |zelf |ook )*niet(?: meer)?)"
    rf"(?:\W+{_ASK}(?: for (?:it|that)| darum| danach)?)?\W*\Z",
    re.IGNORECASE,
)


def may_be(reading: SentenceReading) -> bool:
    """Whether it may say who has the thing, for which no other table has the words."""
    if _HAS.isdisjoint(reading.words):
        return False
    return _HAVE_NONE.match(reading.text) is not None or _owned(reading) is not None


_HAS: Final = words("have got hab habe haben ai avons as avez a tengo tenemos tenho temos ho abbiamo heb hebben")
#: What says that more is to come, or that it came from another: "the first of the drawings, the rest follows".
_IN_PART: Final = re.compile(
    r"\b(?:the rest|the remaining|the remainder|(?:the first|part|half|one|some|most|page \w+) of (?:the|your|my|our)"
    r"|the others? (?:will )?follows?|more (?:will follow|to (?:follow|come))|die anderen folgen|les autres suiv\w+"
    r"|los demás siguen|gli altri segu\w+|os outros seguem|de andere(?:n)? volgen"
    r"|still (?:need|miss|waiting|missing)|need yours|(?:der|den) rest|restlichen?|übrigen|ein teil|die hälfte"
    r"|fehlt noch|fehlen noch|brauche noch|le reste|une partie|la moitié|manque encore|el resto|una parte|la mitad"
    r"|faltan? todavía|il resto|la metà|manca(?:no)? ancora|o resto|os restantes|uma parte|metade d|ainda falta"
    r"|de rest|de overige|een deel|de helft|ontbreekt nog|mist nog)\b"
    r"|\b(?:got|received)\b.* from (?!you\b)(?-i:[A-Z])",
    re.IGNORECASE,
)


def _handed_thing(reading: SentenceReading, names: Phrases) -> Reply | None:
    given = _attached(reading, names) or _linked(reading, names) or _is_there_already(reading, names)
    return given or _sent_by_reader(reading, names) or _praised(reading, names)


def _is_there_already(reading: SentenceReading, names: Phrases) -> Reply | None:
    """ "You already have the map", "den Lageplan hast du ja inzwischen": the author has handed it over before."""
    match = _owned(reading)
    span = next((match.span(n) for n in range(1, match.re.groups + 1) if match[n]), None) if match else None
    if match is None or span is None:
        return None
    first, end = (match.string[:place].count(" ") for place in span)
    item = phrases.find(reading, first, end + 1, frozenset(names.first))
    return Reply("delivered", item.text) if item.text and item.last == end else None


def _owned(reading: SentenceReading) -> re.Match[str] | None:
    pattern = _YOU_HAVE.get(reading.lexicon.words.code)
    return pattern.fullmatch(" ".join(reading.words[: _trailing(reading)])) if pattern else None


_ALREADY_DE = r"(?: (?:ja|doch|schon|inzwischen|mittlerweile|bereits|jetzt))+"
_ALREADY_NL = r"(?: (?:al|inmiddels|ondertussen|intussen|toch|reeds|nu))+"
_YOU_HAVE: Final = {
    "en": re.compile(r"you already have ((?:the|your) .+)|you(?: have|'ve got) ((?:the|your) .+) (?:already|by now)"),
    "de": re.compile(
        rf"((?:den|die|das) .+) (?:hast du|habt ihr){_ALREADY_DE}"
        rf"|(?:du hast|ihr habt) ((?:den|die|das) .+?){_ALREADY_DE}"
        rf"|(?:du hast|ihr habt){_ALREADY_DE} ((?:den|die|das) .+)"
    ),
    "fr": re.compile(r"(?:tu as|vous avez) (?:déjà|maintenant) ((?:le|la|les|l|ton|ta|tes) .+)"),
    "es": re.compile(r"ya (?:tienes|tiene usted|tenéis) ((?:el|la|los|las|tu|tus) .+)"),
    "pt": re.compile(r"(?:tu |você )?já (?:tens|tem) ((?:o|a|os|as) .+)"),
    "it": re.compile(r"(?:hai|avete|ha) già ((?:il|la|i|le|l|lo|gli) .+)"),
    "nl": re.compile(
        rf"((?:de|het) .+) (?:heb je|hebt u|hebben jullie){_ALREADY_NL}"
        rf"|(?:je hebt|u hebt|jullie hebben) ((?:de|het) .+?){_ALREADY_NL}"
    ),
}


def _linked(reading: SentenceReading, names: Phrases) -> Reply | None:
    """ "The price deck is in our folder: https://..."."""
    words = reading.words
    if "://" not in reading.text or not reading.lexicon.words.negation.isdisjoint(words):
        return None
    place = next((n for n in range(reading.begin + 2, len(words) - 1) if words[n] in _IS_SOMEWHERE), 0)
    is_definite = words[reading.begin] in reading.lexicon.words.articles
    item = phrases.find(reading, reading.begin, place, frozenset(names.first)) if place and is_definite else None
    return Reply("delivered", item.text) if item and item.text and item.last == place - 1 else None


_IS_SOMEWHERE = words("is are ist sind liegt liegen est sont está están é estão è sono staat staan")


def _praised(reading: SentenceReading, names: Phrases) -> Reply | None:
    """English: "your price deck looks great", "the price deck looks great"."""
    words, lex = reading.words, reading.lexicon
    begin = reading.begin
    if (
        lex.words.code != "en"
        or words[begin : begin + 1] not in (("your",), ("the",))
        or not lex.words.negation.isdisjoint(words)
    ):
        return None
    place = next((n for n in range(begin + 2, len(words) - 1) if words[n : n + 2] in _LOOKS_GOOD), 0)
    thanks = not _THANKS.isdisjoint(words[place:])
    if words[begin] == "the" and words[place] == "is" and not thanks:
        return None  # "the plan is good": nobody has sent it
    item = phrases.find(reading, begin, place, frozenset(names.first)) if place else None
    return Reply("received", item.text) if item and item.text and item.last == place - 1 else None


_THANKS = frozenset({"thanks", "thank", "thx", "cheers"})
_LOOKS_GOOD = tuple((verb, how) for verb in ("looks", "is", "reads") for how in ("good", "great", "perfect", "fine"))


def _attached(reading: SentenceReading, names: Phrases) -> Reply | None:
    """A sentence without a verb that hands something over: "Price deck attached.", "Angebot anbei", "Attached: map"."""
    words, lex = reading.words, reading.lexicon
    begin, last = _behind_done(reading), len(words) - (words[-1:] in ((".",), ("!",)))
    given = sorted(reading.herewith & set(range(begin, last)))
    handed = last > begin + 1 and words[last - 1] in _HANDED_OVER[lex.words.code]
    handed = handed and not words[last - 2].endswith("ly")  # "highly paid"
    # "The deck Ann sent".
    commands = handed and words[begin] in lex.base.keys() | lex.words.idle_verbs
    commands = commands and words[begin + 1] in lex.words.articles
    if (
        not given
        and handed
        and not commands
        and (lex.words.code == "de" or last - 2 == begin or not reading.capital(last - 2))
    ):
        given = [last - 1]  # "Price deck sent."
    if not given or given[-1] - given[0] >= len(given):
        return None
    # "Price deck attached - let me know what you think."
    last = next((n for n in range(given[-1] + 1, last) if words[n] in _AFTER_THING), last)
    if given[-1] == last - 1:
        first, end = begin, given[0]
    elif given[0] == begin and words[given[-1] + 1 :][:1] == (":",):
        first, end = given[-1] + 2, last
    else:
        return None
    named = words[first:end]
    others = frozenset(lex.words.subjects) | lex.words.negation | lex.polite | {","}
    # "Review the deck attached": a verb has its thing behind an article.
    has_verb = any(
        word in lex.finite and after in lex.words.articles | lex.words.pronouns for word, after in pairwise(named)
    )
    if not 0 < len(named) <= _FEW + 2 or has_verb or not others.isdisjoint(named):
        return None
    item = phrases.find(reading, first, end, frozenset(names.first))
    return Reply("delivered", item.text) if item.text and item.last == end - 1 else None


def _behind_done(reading: SentenceReading) -> int:
    """Where it goes on behind "Here you go, ..."."""
    words = reading.words
    comma = next((n for n, word in enumerate(words[: _DAY + 1]) if word in _AFTER_THING), 0)
    is_done = reading.lexicon.whole.get(" ".join(words[:comma])) in ("done", "accepted")
    return comma + 1 if is_done else reading.begin


_HANDED_OVER = {
    "en": words("sent emailed delivered paid booked shipped submitted uploaded"),
    "de": words("verschickt geschickt gesendet bezahlt gebucht geliefert hochgeladen abgeschickt"),
    "fr": words("envoyé envoyée envoyés envoyées payé payée réservé réservée livré livrée"),
    "es": words("enviado enviada enviados enviadas pagado pagada reservado reservada entregado entregada"),
    "pt": words("enviado enviada enviados enviadas pago paga reservado reservada entregue"),
    "it": words("inviato inviata inviati inviate pagato pagata prenotato prenotata consegnato consegnata"),
    "nl": words("verstuurd gestuurd verzonden betaald geboekt geleverd"),
}
_AFTER_THING = frozenset({"-", "\u2013", "\u2014", ";", ",", "(", ".", "!"})


def _sent_by_reader(reading: SentenceReading, names: Phrases) -> Reply | None:
    """ "I'm going through the price deck you sent", "your price deck looks great": it has arrived."""
    lex, words = reading.lexicon, reading.words
    asks = any(next(each.within(words, 0, len(words)), None) for each in (lex.please, lex.ask))
    if asks or not lex.words.negation.isdisjoint(words) or not _NOT_IT.isdisjoint(words):
        return None
    match = _SENT[lex.words.code].search(" ".join(words))
    place = len(match.string[: match.start()].split()) if match else 0
    marks = lex.words.articles - _OF_THING
    first = next((n for n in range(place - 1, -1, -1) if words[n] in marks), -1)
    if match is None or first < 0 or words[first] in _SOME_THING:
        return None
    item = phrases.find(reading, first, place, frozenset(names.first))
    ends = item.last == place - 1 or (item.last == place - 2 and words[place - 1] == ",")
    return Reply("received", item.text) if item.text and ends else None


#: What makes it another thing than what was promised.
_NOT_IT = words(
    "wrong old outdated earlier previous last first until meanwhile still empty lost broken corrupted falsche alte"
)
#: Before what belongs to a thing: "la liste *des* prix".
_OF_THING = words("des du dos das")
_SOME_THING = words("a an another any every ein eine einen un une uno una um uma een my our")
_SENT = {
    "en": re.compile(
        r"(?<= )(?:(?:that |which )?you(?:'ve| have)?(?: just| already)? (?:sent|shared|forwarded|attached|emailed"
        r"|mailed|uploaded)\b)"
    ),
    "de": re.compile(
        r"(?<= ), (?:die|der|das|den) (?:du|sie) (?:mir |uns )?(?:ge(?:schickt|sendet|mailt)|mit(?:ge)?schickt)"
    ),
    "fr": re.compile(r"(?<= )que (?:tu|vous) (?:m |nous )?(?:as|avez) (?:envoyée?s?|transmise?s?|partagée?s?)"),
    "es": re.compile(r"(?<= )que (?:me |nos )?(?:enviaste|mandaste|has enviado|has mandado|envió usted|pasaste)"),
    "pt": re.compile(r"(?<= )que (?:me |nos )?(?:enviaste|mandaste|você enviou|você mandou|partilhaste)"),
    "it": re.compile(r"(?<= )che (?:mi |ci )?(?:hai|ha) (?:inviat|mandat|spedit|condivis)[oaie]"),
    "nl": re.compile(
        r"(?<= )(?:die|dat) (?:je|jij|u) (?:me |mij |ons )?"
        r"(?:hebt gestuurd|stuurde|heeft gestuurd|gestuurd hebt|gestuurd heeft)"
    ),
}


def language_of_answer(text: str) -> str:
    """A language in which all of it is an answer: "No, sorry" has words of several; "" for none."""
    if len(text) > _SHORT_TEXT:
        return ""
    answer = " ".join(token.word for token in tokens(fold(text)) if token.word[0].isalnum())
    return next((code for code in languages.LANGUAGES if answer in lexicon(code).whole), "")


#: More characters are no short answer.
_SHORT_TEXT = 40


def _is_done(reading: SentenceReading) -> bool:
    """ "Asked, and she was quick": what was done is named by the talk before it."""
    lex, words = reading.lexicon, reading.words
    if words[1:2] != (",",) or words[2:3] == () or words[2] not in lex.words.conjunctions:
        return False
    return words[0] in lex.participles or lex.whole.get(words[0]) == "done"


def is_acceptance(reading: SentenceReading, names: Phrases) -> bool:
    """Whether all of it accepts what was asked, with or without a day: "Sure, I'll do it this afternoon"."""
    return not reading.is_question and _short_answer(reading, names) == "accepted"


def _short_answer(reading: SentenceReading, names: Phrases) -> str | None:
    """The verdict of a sentence that is nothing but an answer; None for others."""
    if len(reading.words) > _SHORT:
        return None
    others = frozenset(reading.words) - reading.lexicon.short - names.first.keys()
    if len(others) > _DAY:
        return None
    verdict = None if others else _whole(reading, _parts(reading, names))
    if verdict or agrees_on_day(reading):
        return verdict or "accepted"
    accepting = reading.lexicon.accepting
    if not others or not any(accepting.within(reading.words, 0, len(reading.words))):
        return None
    if any(word in others and n not in reading.dated for n, word in enumerate(reading.words)):
        return None
    # "I'll do it tonight" accepts; "paid on Friday" says that it is done, or that it will be.
    return "accepted" if _whole(reading, _parts(reading, names, reading.dated)) == "accepted" else None


def agrees_on_day(reading: SentenceReading) -> bool:
    """Whether nothing but a yes and a day stands there: "sure, on Friday", "Klar, am Dienstag"."""
    words, w = reading.words, reading.lexicon.words
    if not words or words[0] not in _YES or 0 in reading.dated or len(reading.coming) != 1 or reading.is_question:
        return False
    if words[0] in _BEGIN_YES and words[1:2] != (_BEGIN_YES[words[0]],):
        return False  # "Va lunedì"
    small = _YES | _LATEST | CLOSING | {","}
    return all(n in reading.dated or word in small for n, word in enumerate(words)) and w.negation.isdisjoint(words)


_YES = words(
    """
    yes yeah yep yup ok okay sure absolutely certainly definitely gladly alright fine ja klar gerne gern natürlich
    oui d accord bien sûr volontiers sí si vale claro sì certo va bene sim ok oké oke prima goed natuurlijk tuurlijk
    """
)
#: Words that say yes only before another.
_BEGIN_YES = {"va": "bene", "d": "accord", "bien": "sûr"}
#: Words about a day: "at the latest".
_LATEST = words(
    """
    at the latest by then but only more like erst dann spätestens au plus tard como tarde al più tardi no máximo
    uiterlijk pas
    """
)


def _is_released_for(reading: SentenceReading) -> bool:
    """ "Never mind, we solved it": a short release and its reason, which takes nothing back."""
    lex, words = reading.lexicon, reading.words
    comma = next((n for n, word in enumerate(words[: _DAY + 4]) if word == ","), 0)
    rest = words[comma + 1 :]
    front = " ".join(words[:comma])
    if comma and not (lex.words.contrast - _SO).intersection(words) and _is_settled(reading):
        return True
    if not comma or not rest or not (front in _NO_NEED or _releases(reading, comma)):
        return False
    return lex.words.negation.isdisjoint(rest) and rest[0] not in lex.words.contrast and "," not in rest


def _releases(reading: SentenceReading, end: int) -> bool:
    """Whether the first words are a release, of it or of "that one": "den brauchst du nicht mehr zu schicken"."""
    lex, words = reading.lexicon, reading.words[:end]
    if lex.words.verb_second and words[-2:-1] in (("zu",), ("te",)):
        words = words[:-2]
    first = words[:1] != () and words[0] in _THAT_ONE
    return any(lex.whole.get(" ".join(each)) == "released" for each in ((words, words[1:]) if first else (words,)))


_THAT_ONE = words("den die das der dem ihn sie es die dat deze dit hem het ze dies diesen diese")


def _is_settled(reading: SentenceReading) -> bool:
    """ "We've settled this without it, so please disregard": the reason stands first."""
    words = reading.words[: _trailing(reading)]
    comma = next((n for n in range(len(words) - 1, 0, -1) if words[n] == ","), 0)
    front, last = words[:comma], words[comma + 1 :]
    last = last[1:] if last[:1] and last[0] in _SO else last
    is_release = reading.lexicon.whole.get(" ".join(last)) == "released"
    return is_release and front[:1] != () and front[0] in _WE and not _SOLVED.isdisjoint(front)


_SO = words("so also daher deshalb donc alors así entonces então portanto quindi perciò dus")
_WE = words("we i we've i've wir ich nous on je j j' lo ya hemos he já conseguimos resolvemos abbiamo ho l we wij ik")
_SOLVED = words(
    """
    settled solved sorted resolved found fixed managed gelöst geklärt gefunden geregelt erledigt réglé trouvé trouvée
    trouvés résolu encontrada trovata trovati
    resuelto encontrado solucionado resolvemos resolvi encontrei encontramos risolto trovato sistemato opgelost geregeld
    gevonden
    """
)


#: Before a reason only: "no need, I have it already".
_NO_NEED = frozenset(
    {"no need", "nicht nötig", "pas la peine", "pas besoin", "no hace falta", "non serve", "niet nodig"}
)


def asked_about(reading: SentenceReading, names: Phrases) -> str:
    """What a question is about that asks whether something was done: "did you send the invoice yet"; "" for others."""
    lex, words = reading.lexicon, reading.words
    begin = reading.begin
    phrase = lex.have_you.at(words, begin) if begin < len(words) else None
    after = begin + len(phrase.words) if phrase else begin
    if lex.words.verb_second:
        return phrases.find(reading, after, len(words), frozenset(names.first)).text if phrase else ""
    if phrase is None and not (lex.words.code in ("es", "pt") and begin < len(words) and words[begin].endswith("ste")):
        return ""
    return phrases.find(reading, after + 1, len(words), frozenset(names.first)).text


def missed(reading: SentenceReading, names: Phrases) -> str:
    """The thing that a sentence says has not come: "I am still without the report"; "" for others."""
    lex, words = reading.lexicon, reading.words
    place, phrase = next(lex.missing.within(words, 0, len(words)), (0, None))
    if phrase is None or (place and lex.words.code == "en" and words[place - 1] in ("been", "is", "are")):
        return ""  # "the reports have been waiting for your approval"
    after = place + len(phrase.words)
    return phrases.find(reading, after, _sentence_end(reading, after), frozenset(names.first)).text


def _whole(reading: SentenceReading, parts: list[tuple[str, ...]]) -> str | None:
    """The verdict of a short answer: all of it is known, or each of its parts says the same ("Sure, with pleasure")."""
    whole = reading.lexicon.whole
    if sum(map(len, parts)) > 12:
        return None
    together = whole.get(" ".join(word for part in parts for word in part))
    verdicts = {whole.get(" ".join(part)) for part in parts}
    return together or (verdicts.pop() if len(verdicts) == 1 else None)


def _parts(reading: SentenceReading, names: Phrases, without: frozenset[int] = frozenset()) -> list[tuple[str, ...]]:
    """The parts of a short answer without thanks, greetings and names around it; ``without``: numbers of words."""
    chunks: list[list[str]] = [[]]
    for place, word in enumerate(reading.words):
        if word in CLOSING or word == ",":
            chunks.append([])
        elif place not in without:
            chunks[-1].append(word)
    w = reading.lexicon
    full = tuple(word for chunk in chunks for word in chunk)
    if " ".join(full) in w.whole:
        return [full]
    kept = [chunk for chunk in chunks if chunk and " ".join(chunk) not in w.polite and not _is_name(chunk, names)]
    trimmed = [_without_polite(chunk, w) for chunk in kept]
    return [tuple(chunk) for chunk in trimmed]


def _without_polite(chunk: list[str], lex: Lexicon) -> list[str]:
    for size in (3, 2, 1):
        if len(chunk) > size and " ".join(chunk[-size:]) in lex.polite:
            return chunk[:-size]
    for size in (3, 2, 1):
        if len(chunk) > size and " ".join(chunk[:size]) in lex.polite and " ".join(chunk[size:]) in lex.whole:
            return chunk[size:]
    return chunk


def _is_name(chunk: list[str], names: Phrases) -> bool:
    phrase = names.at(chunk, 0)
    greeting = names.at(chunk, 1) if len(chunk) > 1 else None
    return bool(phrase and len(phrase.words) == len(chunk)) or bool(greeting and len(greeting.words) == len(chunk) - 1)


def _begun(  # noqa: C901, PLR0911, PLR0912 - one branch a form
    reading: SentenceReading, names: Phrases
) -> Reply | None:
    """Sentences that begin with what they answer: "Please find attached the deck"."""
    beginning = _sequel(reading, {*_BEGUN, "handed"})
    if beginning and beginning[0] == "handed":
        if handed := _handed(reading, beginning[1], names):
            return handed
        beginning = _sequel(reading, _BEGUN)
    if beginning is None or (beginning[0] == "delivered" and _is_remark(reading, beginning[1])):
        return None
    kind, after, until = beginning
    after = _past_that(reading, after) if kind == "released" else after
    if kind == "received" and any(
        hit.due and hit.due.day > reading.said_on.isoformat() and hit.role == "by" for hit in reading.dates
    ):
        return None
    if (
        kind == "released"
        and reading.words[after : after + 1]
        and reading.words[after] in reading.lexicon.words.subjects
    ):
        return Reply(kind, "")  # "laisse tomber je les ai"
    end = _sentence_end(reading, after)
    if kind == "received" and not reading.lexicon.words.negation.isdisjoint(reading.words[after:end]):
        return None  # "ich habe den Vertrag noch nicht erhalten"
    if reading.words[after - 1] == "got" and not _A_THING.isdisjoint(reading.words[after : after + 1]):
        return None  # "I've got a new number", "I got that wrong"
    if kind == "declined" and reading.lexicon.words.verb_second:
        end, core = _denied(reading, after, end), end
        if end < core and reading.words[core - 1] in reading.lexicon.words.idle_verbs:
            return None  # "ich kann dich nicht h\u00f6ren"
    else:
        end = min(until, end)
    item = phrases.find(reading, after, end, frozenset(names.first))
    text = item.text
    if _is_clause(reading, item) or (kind == "received" and _is_thanks(reading, text)):
        return None
    verb = _leading_verb(reading, after)
    if verb is not None:
        text = phrases.find(reading, verb, _sentence_end(reading, verb), frozenset(names.first)).text
    if kind == "declined" and not (verb is not None or reading.lexicon.words.verb_second):
        return None
    if not text or _is_nothing(text, reading) or objects.is_idle(text, reading.lexicon.words):
        return None
    if kind == "delivered" and reading.words[0] == "attached" and verb is not None:
        return None
    return Reply(kind, text)


_A_THING = frozenset({"a", "an", "that", "this"})


def _is_clause(reading: SentenceReading, item: phrases.Object) -> bool:
    """ "Im Anhang fehlt die Seite drei", "scrap metal is cheap": what follows has a verb of its own."""
    lex, words = reading.lexicon, reading.words
    if item.first < 0:
        return False
    if lex.words.verb_second:
        second = words[item.first + 1] if item.first < item.last else ""
        return second in lex.words.articles and not reading.capital(item.first)
    return lex.words.code == "en" and not _IS.isdisjoint(words[item.first : item.last + 1])


_IS = frozenset({"is", "are", "was", "were"})


def _handed(reading: SentenceReading, after: int, names: Phrases) -> Reply | None:
    """ "As promised, the deck": the sentence has nothing but the thing, and no verb."""
    lex, words = reading.lexicon, reading.words
    first = next((n for n in range(after, len(words)) if words[n] not in CLOSING and words[n] != ","), len(words))
    end = _sentence_end(reading, first)
    spoken = words[first:end]
    w = lex.words
    if end != _trailing(reading) or not spoken or spoken[0] not in w.articles | w.me | w.pronouns | w.you:
        return None
    clause = {*w.subjects, *w.subordinate, *w.negation, *lex.copula.first}
    if "," in spoken or not clause.isdisjoint(spoken) or any(word in lex.participles for word in spoken[2:]):
        return None
    if any(word in lex.finite and not reading.capital(n) for n, word in enumerate(spoken, first)):
        return None
    item = phrases.find(reading, first, end, frozenset(names.first))
    whole = item.text and item.last == end - 1 and not objects.is_idle(item.text, w)
    return Reply("delivered", item.text) if whole else None


def _trailing(reading: SentenceReading) -> int:
    """Where the signs at the end of the sentence begin."""
    end = len(reading.words)
    while end and reading.words[end - 1] in CLOSING:
        end -= 1
    return end


def _past_that(reading: SentenceReading, after: int) -> int:
    """Behind the verb of "ya no hace falta que mandes": what it does is not needed, and what follows is the thing."""
    words, w = reading.words, reading.lexicon.words
    if w.verb_second or w.code == "en":
        return after
    if after < len(words) and words[after] in _THAT:
        after += 1
    elif not after or words[after - 1] not in _THAT:
        return after
    while after < len(words) and words[after] in w.pronouns and words[after] not in w.articles:
        after += 1
    return after + 1 if after < len(words) and words[after] not in w.articles else after


_THAT = frozenset({"que", "qu", "che"})


def _denied(reading: SentenceReading, first: int, end: int) -> int:
    """Where what a German or Dutch sentence denies ends: at its "not"."""
    negation = reading.lexicon.words.negation
    return next((n for n in range(first, end) if reading.words[n] in negation), end)


def _is_thanks(reading: SentenceReading, text: str) -> bool:
    """ "Thanks for your patience": nothing has arrived."""
    return not reading.lexicon.words.thanked.isdisjoint(fold(text).split())


def _is_remark(reading: SentenceReading, after: int) -> bool:
    """ "Here's hoping", "here is why": what follows is no thing."""
    word = reading.words[after] if after < len(reading.words) else ""
    english = reading.lexicon.words.code == "en"
    return word in reading.lexicon.words.subordinate or (
        english and (word.endswith("ing") or word in ("why", "how", "what"))
    )


def _is_nothing(text: str, reading: SentenceReading) -> bool:
    """ "No need to send anything"."""
    w = reading.lexicon.words
    return all(word in w.negation or word in w.pronoun_objects or word == "quoi" for word in fold(text).split())


_BEGUN = {"delivered", "declined", "received", "released"}


def _sequel(reading: SentenceReading, kinds: set[str]) -> tuple[str, int, int] | None:
    """(kind, first word after the beginning, the one behind its object) where the sentence begins so."""
    words, lex = reading.words, reading.lexicon
    if lex.begins.keys().isdisjoint(words):
        return None
    phrase = next((n for n in (3, 2) if " ".join(words[:n]) in lex.polite), 0)
    polite = phrase or next((n for n, word in enumerate(words[:3]) if word not in lex.polite), 0)
    starts = [0, polite] if polite else [0]
    starts += [n + 1 for n, word in enumerate(words[:8]) if word in _FRONT_ENDS and _is_polite(reading, n)]
    for place in starts:
        for kind, sequel in lex.begins.get(words[place] if place < len(words) else "", ()):
            if kind in kinds and (until := _follows(words, place, sequel)):
                return kind, place + len(sequel.words), until
    return None


#: What may stand between a greeting and what is said.
_FRONT_ENDS = frozenset({",", ":", "-", "\u2013", "\u2014", "!"})


def _is_polite(reading: SentenceReading, end: int) -> bool:
    """Whether nothing but greetings, thanks, dates and names stands before."""
    w = reading.lexicon.words
    return all(
        word in w.fronting or word == "," or reading.capital(n) or n in reading.dated
        for n, word in enumerate(reading.words[:end])
    )


def _follows(words: tuple[str, ...], place: int, sequel: Sequel) -> int:
    """Where what must follow begins, the end of the sentence where nothing must; 0 where it does not follow."""
    if words[place : place + len(sequel.words)] != sequel.words:
        return 0
    size = len(sequel.later)
    after = range(place + len(sequel.words), len(words) - size + 1)
    return next((n for n in after if words[n : n + size] == sequel.later), 0) if size else len(words)


def _leading_verb(reading: SentenceReading, after: int) -> int | None:
    """Where the object begins if a verb stands first: "you don't need to send the deck"."""
    lex, words = reading.lexicon, reading.words
    if after and words[after - 1] in lex.words.articles:
        return None  # "got the draft"
    place = after
    before_verbs = ("to",) if lex.words.code == "en" else ("to", "de", "a", "di", "que")
    while place < len(words) and (
        words[place] in lex.words.pronouns or words[place] in lex.words.adverbs or words[place] in before_verbs
    ):
        place += 1
    if place >= len(words) or lex.words.verb_second:
        return None
    if words[place - 1] in lex.words.articles and not {*before_verbs} & {*words[after - 1 : place]}:
        return None  # "j'ai reçu la facture", and not "plus besoin de la facturer"
    longer = lex.undertaking.at(words, place) if lex.words.code == "en" else None  # "take on the migration"
    if longer:
        return place + len(longer.words)
    return place + 1 if phrases.is_verb(reading, place) else None


def _ended(  # noqa: C901, PLR0911 - one branch a form
    reading: SentenceReading, names: Phrases
) -> Reply | None:
    """Sentences that end with it: "The deck is no longer needed."."""
    words, lex = reading.words, reading.lexicon
    if not lex.ends.anywhere(reading):
        return None
    begin, last = _first_clause(reading)
    if bare := _just_ended(reading, begin, last, names):
        return bare
    if lex.words.verb_second and (declined := _declined_end(reading, begin, last, names)):
        return declined
    for end in _clause_ends(reading, begin, last):
        for first in range(max(begin + 1, end - 6), end):
            phrase = lex.ends.at_length(words, first, end - first)
            if phrase is None:
                continue
            subject = words[begin:first]
            if not lex.words.negation.isdisjoint(subject) or not lex.words.subordinate.isdisjoint(subject):
                return None
            item = phrases.find(reading, begin, first, frozenset(names.first))
            if _is_opinion(reading, begin, item.first) and first not in reading.herewith:
                return None  # "vous trouverez le plan en pi\u00e8ce jointe" is none
            if phrase.kind == "received" and not _is_bare(reading, subject, item.last):
                return None
            if _is_somebody(reading, item, names):
                return None
            return Reply(phrase.kind, item.text) if item.text and len(subject) < 10 else None
    return None


def _is_somebody(reading: SentenceReading, item: phrases.Object, names: Phrases) -> bool:
    """ "Bob is ready"."""
    somebody = names.at(reading.words, item.first) if item.text else None
    return somebody is not None and item.first + len(somebody.words) > item.last


def _just_ended(reading: SentenceReading, begin: int, end: int, names: Phrases) -> Reply | None:
    """ "Die Liste ist soeben raus", "de lijst is vanochtend aangekomen": "just now" stands inside of what ends it."""
    if any(hit.due and hit.due.day > reading.said_on.isoformat() for hit in reading.dates):
        return None
    inside = {n for n in range(begin, end) if reading.words[n] in _JUST} | set(reading.dated & set(range(begin, end)))
    kept = [n for n in range(begin, end) if n not in inside]
    plain = tuple(reading.words[n] for n in kept)
    if not inside or len(kept) < _FEW - 1 or not reading.lexicon.words.negation.isdisjoint(plain):
        return None
    for size in range(2, min(_FEW + 2, len(plain))):
        phrase = reading.lexicon.ends.at_length(plain, len(plain) - size, size)
        if phrase is None:
            continue
        first = kept[len(plain) - size]
        item, subject = phrases.find(reading, begin, first, frozenset(names.first)), reading.words[begin:first]
        others = _is_opinion(reading, begin, item.first) or _is_somebody(reading, item, names)
        if not item.text or others or not reading.lexicon.words.subordinate.isdisjoint(subject):
            return None
        return (
            Reply(phrase.kind, item.text)
            if phrase.kind != "received" or _is_bare(reading, subject, item.last)
            else None
        )
    return None


#: "Just now", "already".
_JUST = words("just already soeben gerade eben schon bereits vorhin déjà ya già appena já net zojuist al reeds")


def _is_opinion(reading: SentenceReading, begin: int, first: int) -> bool:
    """ "I doubt the deck was sent", "you said the deck is done": who thinks so stands before the thing."""
    w, before = reading.lexicon.words, reading.words[begin : max(begin, first)]
    return any(word in w.subjects or (word in _SPEAKERS and word not in w.articles) for word in before)


_SPEAKERS = words(
    """
    he she they you er man du il elle ils elles tu vous él ella ellos usted ele ela eles você lui lei voi hij zij
    """
)


def _declined_end(reading: SentenceReading, begin: int, end: int, names: Phrases) -> Reply | None:
    """ "Die Migration schaffe ich diesen Monat nicht": a day stands inside of what ends the sentence."""
    if not reading.dated:
        return None
    kept = [n for n in range(begin, end) if n not in reading.dated]
    undated = tuple(reading.words[n] for n in kept)
    for size in range(2, min(6, len(undated))):
        phrase = reading.lexicon.ends.at_length(undated, len(undated) - size, size)
        if phrase and phrase.kind in ("declined", "delivered"):
            item = phrases.find(reading, begin, kept[len(undated) - size], frozenset(names.first))
            return Reply(phrase.kind, item.text) if item.text else None
    return None


def _is_bare(reading: SentenceReading, subject: tuple[str, ...], last: int) -> bool:
    """Whether nothing but the thing stands there: "photos received", and not "Anna has the photos received"."""
    articles = reading.lexicon.words.articles
    if not _AUXILIARIES.isdisjoint(subject):
        return False
    # Not "Invoice received": every sentence begins with a capital.
    named = last > reading.begin and reading.capital(last) and reading.lexicon.words.code != "de"
    return len(subject) < _FEW + 1 and articles.isdisjoint(subject[1:]) and not named


#: "Die Kinder haben Post bekommen": somebody has received it.
_AUXILIARIES = frozenset({"hat", "haben", "hatte", "hatten", "heeft", "hebben", "had", "has", "have"})


def _first_clause(reading: SentenceReading) -> tuple[int, int]:
    """(first word, the one behind the last) of the first clause behind a greeting; all of it where "but" goes on."""
    words = reading.words
    begin = reading.begin
    end = next((n for n in range(begin, len(words)) if words[n] == "," or words[n] in CLOSING - {"-"}), len(words))
    rest = words[end:]
    return begin, end if reading.lexicon.words.contrast.isdisjoint(rest) else begin


def _clause_ends(reading: SentenceReading, begin: int, end: int) -> list[int]:
    """Where "is no longer needed" may end: with its clause, or before a date, thanks, or an infinitive."""
    words, lex = reading.words, reading.lexicon
    ends = [end]
    ends += [n for n in range(begin + 2, end) if words[n] in lex.words.conjunctions and n + 1 < end]
    last = end
    while last > begin and (
        last - 1 in reading.dated or words[last - 1] in lex.words.adverbs or words[last - 1] in lex.polite
    ):  # fmt: skip
        last -= 1
        ends.append(last)
    if lex.words.verb_second and last - 1 > begin and phrases.is_verb(reading, last - 1):
        ends += [last - 1 - (words[last - 2] in ("zu", "te"))]
    return list(dict.fromkeys(ends))


def _inverted(reading: SentenceReading, begin: int, names: Phrases) -> Reply | None:
    """ "Die Rechnung habe ich dir geschickt": the thing stands first."""
    lex, words = reading.lexicon, reading.words
    place, phrase = next(lex.have.within(words, begin + 1, min(begin + 8, len(words) - 2)), (0, None))
    if phrase is None or phrase.words[-1] not in lex.words.subjects:
        return None
    end = _sentence_end(reading, place)
    last = end - 1
    while last > place and (last in reading.dated or words[last] in lex.words.adverbs or words[last] in lex.polite):
        last -= 1
    front = words[begin:place]
    denied = not lex.words.negation.isdisjoint(words[begin:end]) or not lex.words.habits.isdisjoint(words[begin:end])
    if words[last] not in lex.participles or denied or not lex.words.subordinate.isdisjoint(front) or "," in front:
        return None
    later = any(hit.due and hit.due.day > reading.said_on.isoformat() for hit in reading.dates)
    item = phrases.find(reading, begin, place, frozenset(names.first))
    if later or not item.text or objects.is_idle(item.text, lex.words):
        return None
    return Reply("delivered", item.text)


#: Endings of the first person of the past in Spanish and Portuguese.
_FIRST_PAST = ("\u00e9", "\u00ed", "ei", "i")


def _have(  # noqa: C901, PLR0911, PLR0912 - one branch a form
    reading: SentenceReading, names: Phrases
) -> Reply | None:
    """ "I've sent you the deck": the author has done it; not negated."""
    lex, words = reading.lexicon, reading.words
    if lex.telling.isdisjoint(words):
        return None
    begin = reading.begin
    place = begin
    while place < len(words) and words[place] in lex.words.fronting and not lex.have.at(words, place):
        place += 1
    if place >= len(words):
        return None
    if lex.words.verb_second and (inverted := _inverted(reading, begin, names)):
        return inverted
    phrase = lex.have.at(words, place)
    after = place + len(phrase.words) if phrase else place
    if phrase is None and lex.words.code not in ("es", "pt", "en"):
        return None
    end = _sentence_end(reading, after)
    if not lex.words.negation.isdisjoint(words[begin:end]) or not lex.words.habits.isdisjoint(words[begin:end]):
        return None
    if phrase is None and lex.words.code == "en":
        # "Sent you the deck": "I" is left out, as in a chat.
        following = words[after + 1] if after + 1 < end else ""
        if words[after] not in lex.participles or not (following in lex.words.articles or following in lex.words.you):
            return None
    following = words[after] if after < end else ""
    alone = phrase is not None and len(phrase.words) == 1 and lex.words.verb_second
    if alone and following in lex.words.you and (lex.words.code == "nl" or following in lex.words.subject_you):
        return None  # "heb je het gestuurd" asks
    if lex.words.verb_second:
        done = next((n for n in range(end - 1, after, -1) if words[n] in lex.participles), None)
        if done is None or phrase is None:
            return None
        item = phrases.find(reading, after, done, frozenset(names.first))
    else:
        # "Je viens d'envoyer", "acabo de mandar": an infinitive follows.
        just = phrase is not None and len(phrase.words) > 1 and not _OF.isdisjoint(phrase.words[-2:])
        while after < end and (words[after] in lex.words.adverbs or words[after] in lex.words.pronouns):
            after += 1
        if just and after < end and lex.infinitive(words[after]):
            item = phrases.find(reading, after + 1, end, frozenset(names.first))
            return Reply("delivered", item.text) if item.text and not objects.is_idle(item.text, lex.words) else None
        if (
            after >= end
            or words[after] not in lex.participles
            or words[after] == "got"  # "I've got the map"
            or (phrase is None and lex.words.code != "en" and not words[after].endswith(_FIRST_PAST))
        ):
            return None
        item = phrases.find(reading, after + 1, end, frozenset(names.first))
    if not item.text or objects.is_idle(item.text, lex.words):
        return None
    # "Bis Freitag habe ich die Fliesen bestellt" has not been done.
    later = any(hit.due and hit.role == "by" and hit.due.day > reading.said_on.isoformat() for hit in reading.dates)
    return None if later else Reply("delivered", item.text)


_OF = frozenset({"de", "d"})


def _sentence_end(reading: SentenceReading, first: int) -> int:
    return next(
        (n for n in range(first, len(reading.words)) if reading.words[n] in CLOSING - {"-", "/", "(", ")"}),
        len(reading.words),
    )


#: English: what the message does in which it stands, and courtesies.
_TELLING: Final = frozenset({"contact", "write", "ask", "tell", "share", "email", "message", "inform", "introduce"})
_TOUCH: Final = ("in", "touch")

# --- decisions ---------------------------------------------------------------------------------------------------


def decision(reading: SentenceReading) -> Choice | None:
    """ "We decided to move the offsite": what stands after it, and what it is about."""
    if reading.is_question or reading.condition:
        return None
    beginning = _sequel(reading, {"decided"})
    if beginning is None:
        return None
    after = beginning[1]
    while after < len(reading.words) and (
        reading.words[after] in (",", ":") or reading.words[after] in ("que", "che", "dass", "dat")
    ):
        after += 1
    end = _sentence_end(reading, after)
    if any(word in reading.lexicon.words.negation for word in reading.words[:after]) or end - after < 1:
        return None
    if end - after < 3 and reading.words[after] in reading.lexicon.words.pronouns:
        return None  # "wir nehmen es weg"
    if reading.words[after] in _TELLING or reading.words[after + 1 : after + 3] == _TOUCH:
        return None  # "I've decided to write to you": the message itself
    what = reading.slice(after, end - 1)
    verb = _leading_verb(reading, after)
    item = phrases.find(reading, after if verb is None else verb, end)
    return Choice(what, item.text) if fold(what).strip() and (item.text or end - after > 1) else None
