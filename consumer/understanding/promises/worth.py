"""Which promises count: those of something definite, for somebody, and not of what people do anyway."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Final

from consumer.understanding import certainty, numerals, objects, phrases
from consumer.understanding.grammar import SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.phrases import Object
from consumer.understanding.promises.clauses import ENDING, MY, Clause
from consumer.understanding.promises.parts import has_subject, is_plural, is_to_reader, pronoun_of, verb_of
from consumer.understanding.promises.triggers import Trigger
from consumer.understanding.statements import Due

#: "I can send it by four" offers it, in all languages.
CAN: Final = table("can could let kann können peux peut pouvons puedo podemos posso possiamo kan kunnen")


def is_enough(  # noqa: C901, PLR0911 - one branch a form
    reading: SentenceReading, clause: Clause, verb: str, item: Object, due: Due | None
) -> bool:
    """Whether verb, object and date together make a promise, and not idle talk or a habit."""
    w, trigger = reading.lexicon.words, clause.trigger
    own = phrases.contact_clause(reading, trigger.after, clause.core)
    to_you = is_to_reader(reading, trigger.start, own or clause.core)
    of_house = not to_you and due is None and reading.words[trigger.start] in ("our", "my")  # "our team will review it"
    if of_house or _is_empty(reading, clause, verb, item, due, to_you=to_you):
        return False
    if not item.text and not item.pronoun and due and verb in w.elliptic and trigger.kind in _PLAIN:
        return True
    if not item.text and not (item.pronoun and due):
        pointed = bool(not item.text and due and pronoun_of(reading, trigger.start, clause.core))
        return pointed and trigger.kind not in ("you_get", "gerund")
    if trigger.kind == "you_get":
        return bool(item.text) and _is_from_me(reading, clause, item, due)
    if trigger.kind == "must" and not to_you and (_is_of_several(reading, trigger) or not _is_owed(reading, verb, due)):
        return False  # "we need to call them by Friday": nobody in particular; "I need to cancel my lesson tomorrow"
    # "Let me send you the list", "I still have to send you the list", and not "I can send you the list".
    owes = trigger.kind == "must" and to_you and verb in w.giving and _is_no_offer(reading, trigger)
    if owes and bool(item.text):
        return True
    if trigger.kind == "must" or verb in w.weak:
        return due is not None or (
            trigger.kind != "must" and to_you and verb in ("give", "get", "bring", "geben", "make")
        )
    if trigger.kind in ("perfect", "promised"):
        return due is not None and (trigger.kind == "promised" or phrases.is_by(reading, due))
    if trigger.kind == "gerund":
        # "I'm organising a race next month" tells of a plan; whoever sends or pays something owes it.
        following = reading.words[trigger.after] if trigger.after < len(reading.words) else ""
        # "We're sharing the first page tomorrow": with each other.
        shared = reading.words[trigger.after - 1] == "sharing" and not to_you
        # "I am reviewing the lists today" tells what the author is doing.
        looks = reading.words[trigger.after - 1] == "reviewing" and not to_you
        gives = (_gives(reading, trigger.after - 1) and not shared and not looks) or following in w.you
        future = not _WILL_BE.isdisjoint(reading.words[trigger.start : trigger.after])
        of_thing = not w.prepositions.isdisjoint(reading.words[item.first : item.last])
        if of_thing and not future and not phrases.is_by(reading, due):
            return False  # "I'm forwarding the slide from the talk on Monday": the day of the talk
        # "I'm sending you two files": with these words. "I'm giving a talk on Monday": a plan.
        return gives and due is not None and (to_you or is_certain(reading, item) or phrases.is_by(reading, due))
    if trigger.kind == "present":
        if verb in w.performative:
            return phrases.is_by(reading, due)
        # "Ich schicke die Zahlen", and not "every Friday" or by a day that is over.
        sends = verb in w.sending and not reading.dated and not reading.dates
        named = not w.verb_second and w.code != "fr" and has_subject(reading, clause)
        volunteers = sends or named or verb in w.arranging
        return due is not None or to_you or (volunteers and is_certain(reading, item))
    return True


def _is_no_offer(reading: SentenceReading, trigger: Trigger) -> bool:
    words = reading.words[trigger.start : trigger.after]
    return words == ("let", "me") or CAN.isdisjoint(words)


#: "I'll be forwarding" is no plan.
_WILL_BE: Final = frozenset({"i'll", "we'll", "will"})


def _is_of_several(reading: SentenceReading, trigger: Trigger) -> bool:
    """ "We have to", "temos de": what several people need."""
    words = reading.words[trigger.start : trigger.after]
    romance = not reading.lexicon.words.verb_second and reading.lexicon.words.code != "en"
    return any(word in reading.lexicon.words.us or (romance and word.endswith(_SEVERAL)) for word in words)


#: Endings of verbs whose subject is "we".
_SEVERAL: Final = ("mos", "iamo", "ons")


def _is_owed(reading: SentenceReading, verb: str, due: Due | None) -> bool:
    return verb in reading.lexicon.words.giving or phrases.is_by(reading, due)


def _is_programme(reading: SentenceReading, clause: Clause, verb: str, item: Object) -> bool:
    """English: "we will close the day with a talk", "I'll have some people over": how a time is spent."""
    guests = verb == "finish" and reading.words[item.last + 1 : item.last + 2] == ("over",)
    following = reading.words[item.last + 2 : item.last + 3]
    if guests and following not in (("to",), ("by",)) and _is_having(reading, clause):
        return True
    gives = reading.words[clause.trigger.after - 1] == "giving" and item.head in phrases.OCCASIONS | _LECTURES
    text = " ".join(reading.words)
    if gives or _BROADCAST.search(text) or _AT_MEETING.match(text) or _TO_BE_REVIEWED.search(text):
        return True
    return reading.words[max(item.first, 0)] in _SESSIONS and verb in _SPENDING


def _is_having(reading: SentenceReading, clause: Clause) -> bool:
    return "have" in reading.words[clause.trigger.after - 1 : clause.trigger.after + 2]


#: "We'll bring you the latest from the fair", "in that meeting, we will review the results".
_BROADCAST: Final = re.compile(
    r"\bwe(?:'ll| will) bring you\b.*\b(?:details|news|coverage|stories|story|updates?|highlights|reports?|latest)\b"
)
_AT_MEETING: Final = re.compile(
    r"(?:in|at|during) (?:the|that|this|our) (?:\w+ )?(?:meeting|call|session|workshop|seminar) ,? ?"
    r"we(?:'ll| will)\b(?!.*\byou\b)"
)
#: "We will review the results in an upcoming meeting."
_TO_BE_REVIEWED: Final = re.compile(
    r"\bwe(?:'ll| will) (?:review|discuss|present|cover|go over)\b(?!.*\byou\b).*"
    r" (?:in|at|during) (?:an?|our|the) (?:\w+ ){0,3}(?:meeting|session|workshop|seminar)\b"
)
#: "I am giving my lecture on Monday."
_LECTURES: Final = frozenset({"lecture", "defense", "defence", "concert", "class"})
_SESSIONS: Final = table("day morning afternoon evening night week weekend session month quarter season year")
#: What is said of an event or a house to announce its time.
_TIMING: Final = table("move postpone reschedule shift push hold delay cancel start begin open close")
_PREMISES: Final = table("office offices shop store building site gates line lines pool library")
_SPENDING: Final = frozenset(
    {"finish", "start", "begin", "open", "close", "end", "conclude", "spend", "continue", "kick off"}
)


def _is_regular(reading: SentenceReading, item: Object) -> bool:
    """ "I'll send the report monthly to the board"; "the table of monthly rents" is one thing."""
    words, ends = reading.words, reading.lexicon.words.prepositions | ENDING
    return any(
        words[n] in _OFTEN and (n + 1 == len(words) or words[n + 1] in ends)
        for n in range(item.first + 1, min(item.last + 2, len(words)))
    )


def _is_empty(  # noqa: C901, PLR0911 - one branch a reason
    reading: SentenceReading, clause: Clause, verb: str, item: Object, due: Due | None, *, to_you: bool
) -> bool:
    """Whether it is idle talk, a habit, a proposal to all, a plan of one's own or somebody else's sentence."""
    w, words, trigger = reading.lexicon.words, reading.words, clause.trigger
    idle = item.text and objects.is_idle(item.text, w) and not (item.head in _OWED and verb in w.giving)
    if idle or (item.text and _is_regular(reading, item)):
        return True
    if trigger.kind == "must" and (_is_reason(reading, trigger) or _is_because(reading, clause) or verb == "tell"):
        return True  # "I can tell you that she left this morning"
    if not to_you and (verb == "meet" or (trigger.kind == "must" and _proposes(reading, trigger))):
        return True  # "I'll meet some friends": a plan of one's own
    if due is None and phrases.is_no_deed(reading, trigger.after - 1, item):
        return True  # "ich sorge mich um die Kinder", "je te présente mes excuses"
    if due or to_you:
        return False
    if words[trigger.after - 1] == "just" or (verb == "pass on" and not is_certain(reading, item)):
        return True  # "I'll just take the other one": a choice of one's own; "I'll pass on dessert"
    casual = reading.lexicon.casual
    if any(casual.within(words, trigger.start, clause.core)):
        return True
    # "Will deploy the cables": somebody in the mail. "Will call the venue later": the author.
    alone = w.code == "en" and words[trigger.start] == "will" and trigger.kind == "will" and not trigger.owner
    if trigger.alone and words[trigger.start] in ("going", "gonna") and not (item.pronoun or is_certain(reading, item)):
        return True  # "going to write a plan"
    return alone and w.soon.isdisjoint(words)


#: English: idle in most phrases ("I'll make money"), but owed if it is to be paid or returned.
_OWED: Final = frozenset({"money"})


def is_greeting(reading: SentenceReading, first: int, end: int) -> bool:
    """ "Te mando un abrazo", "I'll send my love to the kids": the words themselves are all that is sent."""
    w, words = reading.lexicon.words, reading.words
    for n in range(first, min(first + _TO_GREETING, end)):
        warm = words[n] in _WARMLY and (n == first or not _WARM.isdisjoint(words[max(first, n - 2) : n + 2]))
        if warm or words[n] in _GREETINGS:
            following = words[n + 1] if n + 1 < end else ""
            if following in w.conjunctions:
                return False  # "best wishes and the signed contract"
            small = w.prepositions | w.adverbs | w.to
            return w.code != "en" or not following.isalpha() or following in small or n + 1 in reading.dated
        if words[n] in w.prepositions - {"de", "d'"} and words[n] not in w.adverbs | w.you | w.pronouns | w.articles:
            return False  # "the photos of the wishes"
    return False


#: What closes a letter. A short sentence may be read in a language next to its own, so that all stand together.
_GREETINGS: Final = table(
    """
    love hug hugs kiss kisses regards wishes greetings vibes prayers condolences congratulations
    gruß grüße grüsse küsse kuss küsschen umarmung umarmungen glückwünsche bisous bisou bises bise baisers amitiés
    salutations vœux voeux félicitations tendresses condoléances saludo saludos abrazo abrazos abrazote beso
    besos besito besitos felicitaciones enhorabuena abraço abraços beijo beijos beijinho beijinhos cumprimentos
    saudações felicitações parabéns saluti saluto bacio baci bacione bacioni abbraccio abbracci auguri condoglianze
    knuffel knuffels groet groeten groetjes kus kusjes liefs felicitaties
    anteilnahme beileid mitgefühl sympathie affection affetto affetti cariño cariños afecto carinho carinhos afeto
    pésame pêsames sentimentos medeleven deelneming genegenheid liefde
    """
)
#: Greetings beside such words only: "my best thoughts", "alle meine Gedanken", and not "my thoughts on the plan".
_WARMLY: Final = table(
    "thoughts sympathy gedanken wünsche pensées souhaits deseos sentimientos pensamientos recuerdos pensieri "
    " desideri sentimenti desejos pensamentos votos wensen gedachten"
)
_WARM: Final = table(
    """
    best warm warmest kind kindest heartfelt deepest sincere sincerest fond all
    beste besten liebe liebsten lieben herzliche herzlichen herzlichsten warme warmen alle allen ganze aufrichtige
    meilleures meilleurs meilleure affectueuses chaleureuses tendres sincères amicales douces toutes tous toute
    mejores buenos sinceros cariñosos afectuosos cálidos todos todas
    melhores sinceros carinhosos bons boas
    migliori sinceri affettuosi calorosi cari tutti tutte più
    hartelijke hartelijkste lieve liefste warmste goede oprechte
    """
)
#: Words between the verb and the greeting, and the greeting: "le envío a usted un muy cordial saludo".
_TO_GREETING: Final = 7


def is_own(  # noqa: C901, PLR0911, PLR0912 - one branch a form
    reading: SentenceReading, clause: Clause, verb: str, item: Object, due: Due | None
) -> bool:
    """Whether people do it for themselves: "ich kaufe mir einen Schal", "I'm going to order some sushi tonight"."""
    w = reading.lexicon.words
    to_reader = is_to_reader(reading, clause.begin, clause.core)
    after = clause.trigger.after
    if (
        w.code == "en"
        and (
            _is_programme(reading, clause, verb, item)
            # "I'll just give you the highlights": they follow.
            or (due is None and reading.words[after - 1 : after + 1] == ("just", "give"))
        )
    ):
        return True
    if w.code == "en" and verb in _TIMING and _is_announcement(reading, clause, item, due):
        return True
    if verb in _CALLING and clause.trigger.kind == "present":
        small = w.pronouns | w.you | _ONLY
        following = (word for word in reading.words[clause.trigger.after : clause.core] if word not in small)
        if next(following, "") in _WHY:
            return True  # "ich rufe Sie wegen des Termins an", "ti chiamo per dirti": said in the call itself
    if clause.trigger.owner:
        return False
    if due is None and w.code == "en" and is_plural(reading, clause) and _is_service(reading, item):
        return True
    if w.code == "en" and certainty.is_looking(verb) and not to_reader and _is_mine(reading, item):
        return True
    if due is None and w.code == "en" and verb == "buy" and not is_certain(reading, item):
        return True  # "I'll buy you a drink at the fair": thanks
    if to_reader:
        return False
    if _is_for_oneself(reading, clause, verb, item, due):
        return True
    if due is None and w.code == "it" and reading.words[clause.trigger.after - 1].endswith("iamo"):
        return True  # "prepariamo le cose": let us
    if due is None and is_plural(reading, clause) and verb not in w.giving | w.arranging:
        # "We'll export goods", "we will publish the interview on our page": what a company does.
        return w.code == "en" or (not item.pronoun and not is_certain(reading, item))
    alone = not w.for_self.isdisjoint(reading.words[clause.begin : clause.core])
    if due is None and alone and w.code == "en" and verb not in w.giving:
        return True  # "I'm going to compile it myself"
    if verb not in w.acquiring:
        return False
    if w.code == "en" and item.first > 0 and reading.words[item.first - 1] in ("my", "our"):
        return True  # "we'll get our training in this week"
    if alone:
        return True
    return not item.pronoun and not is_certain(reading, item) and not phrases.is_by(reading, due)


def _is_announcement(reading: SentenceReading, clause: Clause, item: Object, due: Due | None) -> bool:
    """ "We will move the staff meeting to 11:00 - 12:00 tomorrow", "we will close the office on Friday"."""
    days = {hit.due.day for hit in reading.dates if hit.due and not hit.due.words[:1].isdigit()}
    to_all = is_plural(reading, clause) and reading.words[item.first - 1] != "your" and not phrases.is_by(reading, due)
    return to_all and len(days) == 1 and item.head in phrases.OCCASIONS | _PREMISES


def _is_for_oneself(reading: SentenceReading, clause: Clause, verb: str, item: Object, due: Due | None) -> bool:
    """ "Je me rendrai au marché", "ich werde mein Auto holen", "je vais laver les plats": what one does anyway."""
    words, w = reading.words, reading.lexicon.words
    reflexive = words[clause.trigger.start : max(clause.trigger.after, verb_of(reading, clause)[1])]
    if verb in _ON_ONESELF and clause.trigger.kind in _PLAIN and not w.for_self.isdisjoint(reflexive):
        return True
    if due:
        return False
    mine = item.first > 0 and words[item.first - 1] in MY
    if not w.giving.isdisjoint(words[clause.trigger.after : clause.core]):
        return False  # "je vais prendre mes notes et les envoyer à Tom"
    return verb in _WASHING or (mine and verb in w.acquiring | _HANDLING)


#: Romance verbs of moving and of care for oneself, and no others: "je m'engage à payer" is a promise.
_ON_ONESELF: Final = table(
    """
    rendre mettre laver habiller coucher lever reposer promener préparer ir poner vestir lavar duchar acostar levantar
    dormir pôr deitar mettere vestire lavare alzare riposare recare preparare
    """
)
_WASHING: Final = table("waschen putzen laver lavar lavare wassen")
#: Verbs of handling what one has, beside those of getting it.
_HANDLING: Final = table(
    """
    machen nehmen packen aufräumen faire prendre ranger hacer tomar coger recoger fazer pegar arrumar fare prendere
    maken pakken nemen opruimen
    """
)


def _is_mine(reading: SentenceReading, item: Object) -> bool:
    """English: "I'll check messages on Monday", "I'll look at all my options"."""
    return "my" in reading.words[max(0, item.first - 2) : item.first] or item.head in _MAIL


_MAIL: Final = table("mail email emails e-mail e-mails messages voicemail voicemails inbox")
_CALLING: Final = frozenset({"anrufen", "bellen", "appeler", "llamar", "ligar", "chiamare"})
_ONLY: Final = frozenset({"nur", "alleen", "juste", "seulement", "solo", "só", "apenas", "soltanto"})
_WHY: Final = frozenset({"wegen", "weil", "om", "omdat", "pour", "por", "porque", "per", "perché"})


def is_later(reading: SentenceReading, due: Due | None) -> bool:
    """Whether it is due after the conversation: on another day, or at an hour of the same day."""
    if due is None or phrases.is_at_once(due):
        return False
    return bool(due.time) or due.day > reading.said_on.isoformat()


def is_next(reading: SentenceReading, clause: Clause, verb: str) -> bool:
    """Whether it is the next step of the conversation, or what "we" intend, and nobody gets anything from it."""
    w, trigger = reading.lexicon.words, clause.trigger
    if trigger.owner:
        return False
    to_reader = is_to_reader(reading, trigger.start, clause.core)
    if verb in w.staging or trigger.kind == "gerund":
        looks = verb.endswith("look at") and not w.asking.isdisjoint(reading.words[trigger.after + 1 : clause.end])
        return not looks  # "look at it and see if it fits" is work
    if verb in _ASKING and to_reader:
        return True
    return is_plural(reading, clause) and not to_reader


#: "I'll ask you": the question follows.
_ASKING: Final = frozenset({"ask", "fragen", "demander", "preguntar", "perguntar", "chiedere", "vragen"})
#: Behind what is done: a habit.
_OFTEN: Final = frozenset({"daily", "weekly", "monthly", "quarterly"})
_PLAIN: Final = frozenset({"will", "future", "present"})


def _proposes(reading: SentenceReading, trigger: Trigger) -> bool:
    """ "We can ask Ed on Friday" is a proposal to all."""
    return reading.words[trigger.start : trigger.after] in (("we", "can"), ("we", "could"))


def _is_reason(reading: SentenceReading, trigger: Trigger) -> bool:
    """ "Bring two copies so I can give you one": what for; or "I could call you", a proposal."""
    if reading.lexicon.words.code == "en" and "could" in reading.words[trigger.start : trigger.after]:
        return True
    before = reading.words[trigger.start - 1] if trigger.start > 1 else ""
    return reading.lexicon.words.code == "en" and before in ("so", "that", "where")


def _is_because(reading: SentenceReading, clause: Clause) -> bool:
    """ "Because we have to give a number on Friday, ...": why."""
    return not _BECAUSE.isdisjoint(reading.words[clause.begin : clause.trigger.start])


_BECAUSE: Final = frozenset({"because", "since", "as"})


def _gives(reading: SentenceReading, place: int) -> bool:
    """Whether the word in -ing comes from a verb of giving."""
    stem = reading.words[place].removesuffix("ing")
    return not reading.lexicon.words.giving.isdisjoint({stem, stem + "e", stem[:-1]})


def is_certain(reading: SentenceReading, item: Object) -> bool:
    """Whether the object is definite: "the boxes", "my boxes", and not "a box" or "boxes"."""
    w = reading.lexicon.words
    numbers = numerals.up_to_twenty(w.code)
    before = reading.words[max(0, item.first - 1) : max(0, item.first)]
    return any(word in w.articles and word not in numbers and word not in _SOME for word in before)


def _is_service(reading: SentenceReading, item: Object) -> bool:
    """English, of "we": what a company does for everybody: "we'll provide updates as we get them", "we'll send you a
    letter as soon as it is processed". A thing with an article, a number or a name and without a condition is none.
    """
    w, counts = reading.lexicon.words, numerals.up_to_twenty(reading.lexicon.words.code)
    if reading.condition or reading.text.rstrip().endswith("!"):
        return True  # "we will give you all the training that you need!"
    if item.pronoun or item.first < 0:
        return False
    before, first = reading.words[max(0, item.first - 1)], reading.words[item.first]
    named = reading.capital(item.first)
    return not named and before not in w.articles and not first.isdigit() and counts.keys().isdisjoint((before, first))


_SOME: Final = frozenset({"some", "any", "another", "every", "einige", "etwas", "quelques", "des"}) | {
    "alcuni", "alcune", "algunos", "algunas", "alguns", "algumas",
}  # fmt: skip


def _is_from_me(reading: SentenceReading, clause: Clause, item: Object, due: Due | None) -> bool:
    """Whether you get it from the author: "from me", or a certain thing or by a day, and from nobody else."""
    lex, words = reading.lexicon, reading.words
    span = range(clause.begin, clause.core)
    if any(lex.from_me.at(words, n) for n in span):
        return True
    first = words[clause.trigger.after : clause.trigger.after + 1]
    if first and (first[0] in lex.participles or first[0].endswith("ed")):
        return False  # "you'll get used to it", "you should have received it"
    if due is None or any(words[n] in lex.words.from_others and n not in reading.dated for n in span):
        return False
    if lex.words.code == "en" and item.head in _GAINED:
        return False  # "by Friday you'll have a better understanding of it"
    has = any(words[n] in _HAVE for n in range(clause.trigger.start, clause.trigger.after))
    return phrases.is_by(reading, due) or (not has and is_certain(reading, item))


#: What people get although nobody gives it.
_GAINED: Final = table(
    "understanding idea experience knowledge skills skill access feeling impression opportunity option choice success "
    "sense fun trouble problem problems issue issues difficulty difficulties time insight insights confidence tools"
)
#: "Hast du": the same word says what you will get and what you have.
_HAVE: Final = frozenset({"hast", "haben", "heb", "heeft"})


def is_reach_given(reading: SentenceReading, after: int) -> bool:
    """Whether the words from ``after`` on give the address or number that they promise: "my new number: +44 ..."."""
    words = reading.words
    verb = after < len(words) and words[after] in reading.lexicon.base
    item = phrases.find(reading, after + verb, len(words))
    # "The contract *to your email*", "the invoice *by mail*": where it goes.
    thing = takewhile(lambda word: word not in reading.lexicon.words.prepositions, words[item.first : item.last + 1])
    if _REACH_NOUNS.isdisjoint(thing):
        return False
    reach = _REACH_VALUE.search(reading.text, reading.tokens[after - 1].end if after else 0)
    return reach is not None and not any(hit.start <= reach.start() < hit.end for hit in reading.dates)


#: How somebody is reached, in all languages; and what reaches them, which is not where a thing is sent.
_REACH_NOUNS: Final = table(
    """
    email e-mail mail address number phone cell mobile fax nummer handynummer telefonnummer adresse mailadresse numéro
    número teléfono dirección correo endereço morada telefone numero indirizzo telefono adres telefoonnummer
    """
)
_REACH_VALUE: Final = re.compile(r"(?<!to )(?<!at )(?<![\w.])(?:[\w.+-]+@[\w-]+\.[\w.]+|\+?\d(?:[ ()./-]{0,2}\d){6,})")
