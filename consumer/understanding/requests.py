"""What a sentence asks for: "could you send me the deck", "please send it", "don't forget to book the room"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from consumer.understanding import certainty, chatter, dates, objects, phrases
from consumer.understanding.grammar import CLOSING, Phrase, Phrases, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.statements import Due
from consumer.understanding.text import fold

_ADDRESS = re.compile(r"(?:https?\b|www\b)|\S+\.(?:com|org|net)\b")


class Asking(NamedTuple):
    """``object`` is a word such as "it" or "" where ``pronoun``."""

    object: str
    due: Due | None
    pronoun: bool = False


def ask(  # noqa: C901, PLR0911 - one branch a reason
    reading: SentenceReading,
    names: Phrases,
    *,
    spoken: bool = False,
    to_many: bool = False,
    in_chat: bool = False,
    goes_on: Callable[[], bool] = lambda: False,
) -> Asking | None:
    """A request: "could you send me", "please send", "send me"; with a verb of doing and an object.

    ``spoken``: in a talk, where "tell me more" and "remember to celebrate" ask for nothing that is left open.
    ``to_many``: of a crowd, where nobody in particular owes what has no day and is for nobody in particular.
    ``in_chat``: in a room or on a messenger, where only a later day or a thing that its author gets outlasts the day.
    ``goes_on``: whether the line before has no end, and so may say for whom it is.
    """
    place = _asking_place(reading)
    if place is None:
        return None
    end = next(
        (n for n in range(place, len(reading.words)) if reading.words[n] in CLOSING - {"-", "/"}), len(reading.words)
    )
    core = _core(reading, place, end)
    if _goes_on(reading, place):
        core = place  # "please review and let me know what you think"
    if phrases.denies(reading, place, core):
        return None
    item, due = _thing_and_day(reading, names, place, core, end)
    if is_for_some(reading, place, item, due):
        return None
    if _is_no_errand(reading, place, core, item) or (spoken and not _outlasts_talk(reading, names, place, core, due)):
        return None
    if in_chat and not _outlasts_chat(reading, place, end, item, due):
        return None
    if due is None and (
        (to_many and not (is_for_asker(reading) and (reading.is_question or _is_polite_ask(reading))))
        or (reading.text[:1].islower() and goes_on())
        or _is_loose(reading, place, core, end)
        or _is_only_duty(reading, place, item)
    ):
        return None
    text = item.text if core > place else ""
    pronoun = "" if text else _asked_pronoun(reading, place, end, due)
    if not text and not pronoun and not (core <= place and _is_polite_ask(reading)):
        return None
    return Asking(text or pronoun, due, not text)


def _asking_place(reading: SentenceReading) -> int | None:
    """The first word after the verb that asks somebody for something; None where nobody does."""
    if reading.lexicon.asking.isdisjoint(reading.words) or is_offer(reading) or _asks_any_of_several(reading):
        return None
    place = _ask_verb(reading)
    if place and _is_pair(reading, place):
        place += 2
    if place is None or is_reported(reading, place) or _is_suggested(reading) or _is_in_quotes(reading, place):
        return None
    return None if certainty.is_promotion(reading) or certainty.is_offered_help(reading) else place


def _asks_any_of_several(reading: SentenceReading) -> bool:
    """English: "could *one of you* lock the shed tonight": each may leave it to the others."""
    return any(
        triple in _ANY_OF_YOU for triple in zip(reading.words, reading.words[1:], reading.words[2:], strict=False)
    )


_ANY_OF_YOU: Final = (("one", "of", "you"), ("any", "of", "you"), ("either", "of", "you"))


def verb_asked(reading: SentenceReading) -> int | None:
    """The verb after the first "could you" or "please" of a clause, whatever verb it is; None where none stands."""
    lex, words = reading.lexicon, reading.words
    _, verb = next(_asked(reading), (None, len(words)))
    while verb < len(words) and (words[verb] in lex.words.adverbs or words[verb] == "," or lex.please.at(words, verb)):
        verb += 1
    return verb if verb < len(words) else None


def is_duty(reading: SentenceReading) -> bool:
    """Whether it says what one has to do, or could: "you must ...", "maybe you can ..."."""
    phrase, _ = next(_asked(reading), (None, 0))
    return phrase is not None and phrase.kind == "duty"


def _is_loose(reading: SentenceReading, place: int, core: int, end: int) -> bool:
    """Whether it is advice, an offer, a call to all, a gesture, talk or a habit, and so needs a day to be a request."""
    return (
        _is_advice(reading)
        or (not _is_polite_ask(reading) and certainty.is_bargain(reading))
        or _is_open_call(reading, place)
        or _is_gesture(reading, place)
        or _is_chat(reading, place, core)
        or is_habit(reading, place, end)
    )


def _outlasts_chat(reading: SentenceReading, place: int, end: int, item: phrases.Object, due: Due | None) -> bool:
    """Whether it names a later day, or asks to hand its author a certain thing: "send me the list", "bring my book".

    What else a chat asks is done in its minutes, or forgotten: "can you buy milk?".
    """
    if due and (due.last_day > reading.said_on.isoformat() or phrases.is_by(reading, due)):
        return True
    w, verbs = reading.lexicon.words, _verbs(reading, place, end)
    if _is_polite_ask(reading) and (item.first < 0 or not w.sending.isdisjoint(verbs)):
        return True  # "please send me photos"; "please resend it", of what the same message names
    if item.first < 1 or not _is_definite(reading, item) or "whenever" in reading.words:
        return False
    if w.code != "en":
        return is_for_asker(reading) or any(verb.endswith(tuple(w.me)) for verb in verbs)
    gets = due is not None or is_for_asker(reading) or chatter.is_own(reading, item.first)
    return gets and not (w.giving | w.sending).difference(_AT_ONCE).isdisjoint(verbs)


#: What is done in the minutes of the chat, or waited for there: "give me the result".
_AT_ONCE: Final = table("call phone give")


def _is_only_duty(reading: SentenceReading, place: int, item: phrases.Object) -> bool:
    """Whether it says what one has to do or could do, and not for its author: "you must read the rules", "perhaps you
    could take a bus"; "you must return the keys" is a request.
    """
    if not is_duty(reading) or is_for_asker(reading):
        return False
    w = reading.lexicon.words
    certain = item.first > 0 and _is_definite(reading, item)
    does = reading.words[place - 1 :] if w.verb_second else reading.words[max(0, place - 2) : place]
    return not certain or (w.giving | w.sending).isdisjoint(does)


def _is_definite(reading: SentenceReading, item: phrases.Object) -> bool:
    """Whether an article or a possessive stands before a thing; a Portuguese "a" is no English one."""
    w = reading.lexicon.words
    return reading.words[item.first - 1] in (w.articles - (ANY_THING - {"a"} if w.code == "pt" else ANY_THING))


ANY_THING: Final = table("a an any some another ein eine einen un une una uno um uma een")


def _thing_and_day(
    reading: SentenceReading, names: Phrases, place: int, core: int, end: int
) -> tuple[phrases.Object, Due | None]:
    stop, receivers = core if core > place else end, frozenset(names.first)
    item = phrases.find(reading, place, stop, receivers)
    due = _due(reading, place, core, end, item)
    due = due or _day_of_courtesy(reading, place)
    if due and not item.text:
        item = phrases.find(reading, place, stop, receivers, dated=True)
    return item, due


def _day_of_courtesy(reading: SentenceReading, place: int) -> Due | None:
    """English: the day in "please read it, if you can, this afternoon", which a condition would keep for itself."""
    span = reading.condition
    if span is None or span[0] < place or reading.lexicon.words.code != "en":
        return None
    begin, words = span[0], reading.words
    after = begin + next(
        (len(courtesy) for courtesy in _IF_YOU_CAN if words[begin : begin + len(courtesy)] == courtesy), 0
    )
    small = reading.lexicon.words.prepositions | {","}
    while begin < after < len(words) and words[after] in small and after not in reading.dated:
        after += 1
    if not begin < after < len(words) or after not in reading.dated:
        return None
    best = dates.choose(reading.dates, reading.said_on, reading.tokens[begin].start, len(reading.text))
    return best.due if best else None


_IF_YOU_CAN: Final = (("if", "you", "can"), ("if", "you", "could"), ("if", "possible"))


def _due(reading: SentenceReading, place: int, core: int, end: int, item: phrases.Object) -> Due | None:
    until = phrases.main_end(reading, max(core, place), end)
    due = phrases.due(reading, _front(reading, place), max(place - 1, 0), until)
    if due is None or reading.words[place - 1] != "know" or item.first < 0:
        return due
    # "Let me know what time works for you on Monday": the day of what is to be known.
    hit = next(hit for hit in reading.dates if hit.due == due)
    return due if hit.role == "by" or hit.start < reading.tokens[item.first].start else None


def _is_no_errand(reading: SentenceReading, place: int, core: int, item: phrases.Object) -> bool:
    """Whether what it asks for is idle, a name, a page to look at, or a habit: "do you do that every day?"."""
    w = reading.lexicon.words
    returns = item.head == "money" and reading.words[place - 1] in w.giving
    if (
        (item.text and objects.is_idle(item.text, w) and not returns)
        or _ADDRESS.match(item.text)
        or _is_naming(reading, place, item)
    ):
        return True
    if w.code == "en" and reading.words[place - 1] == "give" and _TIME.fullmatch(item.text.casefold()):
        return True  # "give me some minutes"
    if w.code == "en" and certainty.is_told_to_all(_from_verb(reading, place)):
        return True
    return not w.habits.isdisjoint(reading.words[place:core]) and not _is_polite_ask(reading)


_TIME: Final = re.compile(r"(?:(?:couple of|few|\d+) )?(?:minutes?|mins?|seconds?|secs?|hours?)")


def is_offer(reading: SentenceReading) -> bool:
    """ "If you have any questions, please contact ...": asks only those who want something."""
    span = reading.condition
    if span is None or _asks_before(reading, span[0]):
        return False
    w, words = reading.lexicon.words, reading.words[span[0] : span[1] + 1]
    return not w.offers.isdisjoint(words) or ("any" in words and not _REMARKS.isdisjoint(words))


def _asks_before(reading: SentenceReading, place: int) -> bool:
    """English: whether something else is asked for first: "please *read it* and let me know if you have questions"."""
    words = reading.words
    know = next((n for n in range(1, place) if words[n - 1 : n + 1] in _THEN), 0)
    verb = verb_asked(reading) if know else None
    return verb is not None and verb < know - 1 and not words[verb].startswith(reading.lexicon.words.contacting)


def _is_pair(reading: SentenceReading, place: int) -> bool:
    """English: whether a second verb follows, which has the object: "sign *and return* the form"."""
    lex, words = reading.lexicon, reading.words
    verbs = lex.words.code == "en" and words[place : place + 1] in _JOINED and words[place - 1] in lex.base
    following = words[place + 1] if place + 1 < len(words) else ""
    return verbs and following in lex.base and following not in _TOUCHING and place + 2 < len(words)


_JOINED: Final = (("and",), ("or",), ("/",))
_TOUCHING: Final = frozenset({"call", "contact", "email", "phone"})


def _goes_on(reading: SentenceReading, place: int) -> bool:
    """English: whether what one does with it follows at once: "review *and let me know*", "read *and we talk*"."""
    lex, words = reading.lexicon, reading.words
    following = words[place + 1] if place + 1 < len(words) else ""
    known = following in lex.base and following not in _TOUCHING
    return lex.words.code == "en" and words[place : place + 1] == ("and",) and not known


_THEN: Final = (("and", "let"), ("and", "advise"), ("and", "call"), ("and", "contact"), ("and", "email"))


#: English: "if you have any comments or changes, please call Ann by noon".
_REMARKS: Final = table("comments changes edits corrections feedback suggestions input remarks objections additions")


def _is_naming(reading: SentenceReading, place: int, item: phrases.Object) -> bool:
    """ "Call me Tom", "call me a fool": what I am called."""
    words = reading.words
    named = item.first == place + 1 or words[place + 1 : place + 2] in (("a",), ("an",))
    return words[place - 1 : place + 1] in (("call", "me"), ("sign", "me"), ("color", "me")) and named


def is_for_some(  # noqa: PLR0911 - one branch a reason
    reading: SentenceReading, place: int, item: phrases.Object, due: Due | None
) -> bool:
    """Whether it asks only those whom something concerns, if it does; what has a day of its own asks its reader.

    "If this occurs, please restart it", "for other questions, please contact Ann", "please call with any questions".
    """
    english, words = reading.lexicon.words.code == "en", reading.words
    if due and not (english and _is_day_of_event(reading, place, due)):
        return False
    if certainty.is_fronted_by_purpose(reading, place):
        return True
    if reading.condition and _asks_before(reading, reading.condition[0]):
        return False
    asked_about = english and _QUESTIONS.search(" ".join(words[:place]))
    if asked_about or (words[0] in reading.lexicon.words.help and not _CALLING_UP.isdisjoint(words[1:2])):
        return True  # "questions? call me", "any questions or problems, give me a ring"
    if words[0] in _OTHERWISE or is_unsure(reading, place) or (english and _is_announced(reading, place)):
        return True
    touches = _gets_in_touch(reading, place, item)
    if touches and (
        _is_if_you(reading, place) or _is_fronted_purpose(reading, place) or _is_any_trouble(reading, place)
    ):
        return True
    return _offers_help(reading, place, touches) or (touches and _is_reached(reading, place, item))


def _is_if_you(reading: SentenceReading, place: int) -> bool:
    """ "Please email the desk if you are able to attend": only those who are."""
    span, w = reading.condition, reading.lexicon.words
    if span is None or span[0] < place:
        return False
    words = reading.words[span[0] : span[1] + 1]
    about_reader = not (w.you | w.subject_you).isdisjoint(words[1:3])
    return about_reader and len(words) > 3 and w.courtesy.isdisjoint(words[-2:])


def _is_any_trouble(reading: SentenceReading, place: int) -> bool:
    """English: "please call me should any problems arise": behind the verb, what may never be."""
    words, w = reading.words, reading.lexicon.words
    some = any(words[n - 1] == "any" and words[n] in w.help for n in range(place + 1, len(words)))
    return w.code == "en" and some


def _is_fronted_purpose(reading: SentenceReading, place: int) -> bool:
    """ "For personal use or to order copies, please contact ..."."""
    words, begin = reading.words, reading.begin
    front = range(begin, place)
    return words[begin] in _FOR[reading.lexicon.words.code] and any(words[n] == "," for n in front)


def _offers_help(reading: SentenceReading, place: int, touches: bool) -> bool:
    """Whether it is for those who need help: "for more details, please ...", "please call Ann with any questions"."""
    w, words = reading.lexicon.words, reading.words
    for n in range(1, len(words)):
        first = n - 1
        while first > 0 and words[first] in _MORE[w.code]:
            first -= 1
        if words[n] in w.help and words[first] in _FOR[w.code]:
            quantified = w.code == "en" and not _ANY.isdisjoint(words[first:n])
            if quantified or touches or first == reading.begin < place:
                return True
    return False


#: Before what somebody may need or ask: "for", "with", "to discuss".
_FOR: Final = {
    "en": table("for with about regarding concerning discuss address answer resolve review"),
    "de": table("für mit bei zu über bezüglich"),
    "fr": table("pour avec en concernant discuter"),
    "es": table("para por con en sobre comentar discutir"),
    "pt": table("para por com em sobre discutir esclarecer"),
    "it": table("per con in su discutere chiarire"),
    "nl": table("voor met bij over"),
}
#: What may stand between: "for *any further* questions", "en *caso de* dudas".
_MORE: Final = {
    "en": table("any your more further other additional issues comments or and"),
    "de": table("weitere weiteren mehr ihren deinen euren allen etwaigen eventuelle eventuellen"),
    "fr": table("plus de d toute toutes tout tous vos tes autre autres cas"),
    "es": table("más cualquier otra otras su sus tus caso de"),
    "pt": table("mais qualquer quaisquer outra outras sua suas caso de"),
    "it": table("ulteriori qualsiasi eventuali altre altri maggiori caso di"),
    "nl": table("meer verdere eventuele uw je andere"),
}
#: With these, whatever the verb: "please come by with any questions".
_ANY: Final = frozenset({"any", "your"})


def _gets_in_touch(reading: SentenceReading, place: int, item: phrases.Object) -> bool:
    """Whether it asks to call or write to somebody, and not to write something: "email Ken *the figures*"."""
    words = reading.words
    end = next((n for n in range(place, len(words)) if words[n] in CLOSING - {"-"}), len(words))
    verbs = _verbs(reading, place, end)
    if words[place - 1] == "give" and item.text in ("call", "ring"):
        # "Give me a call after you have read it" is an errand, "if you disagree" is not.
        return reading.condition is not None and words[reading.condition[0]] == "if"
    if not any(verb.startswith(reading.lexicon.words.contacting) for verb in verbs):
        return False
    return not (any(verb.startswith(_WRITING) for verb in verbs) and _is_written(reading, place, item))


def _is_written(reading: SentenceReading, place: int, item: phrases.Object) -> bool:
    """Whether the object of "write" or "email" is what is written, and not who gets it."""
    w, words = reading.lexicon.words, reading.words
    if not item.text or not _TO[w.code].isdisjoint(words[place : item.first]):
        return False
    if w.code == "de":
        return words[item.first - 1] in w.articles
    return any(not reading.capital(n) and words[n] not in w.articles for n in range(item.first, item.last + 1))


#: How verbs of getting in touch begin that have what is written as their object.
_WRITING: Final = ("email", "e-mail", "mail", "write", "schreib", "écri", "escrib", "escrev", "scriv", "schrijf")
#: Before who gets it: "write *to* the front desk".
_TO: Final = {
    code: table(to)
    for code, to in {
        "en": "to",
        "de": "an",
        "fr": "à au aux",
        "es": "a al",
        "pt": "a ao à",
        "it": "a al alla",
        "nl": "naar",
    }.items()
}


def _is_reached(reading: SentenceReading, place: int, item: phrases.Object) -> bool:
    """Whether a number or an address says how to get in touch: "contact Ann at 555-0142"."""
    rest = fold(reading.text[reading.tokens[place - 1].end :])
    contacts = _REACHED[reading.lexicon.words.code].finditer(rest)
    return "@" in item.text or any("@" in hit[1] or sum(c.isdigit() for c in hit[1]) >= _PHONE for hit in contacts)


#: Behind "at" and "on": a number, or an address.
_REACHED: Final = {
    code: re.compile(rf"\b(?:{behind})\s+(?:ext\w*\.?\s*|tel\.?\s*)?(\S+@\S+|[x+(]*\d[\d\s().-]*)")
    for code, behind in {
        "en": "at|on",
        "de": "unter|an|über",
        "fr": "au|à|sur",
        "es": "al|a|en",
        "pt": "para|pelo|ao|no",
        "it": "al|allo|a",
        "nl": "op|via|naar",
    }.items()
}
#: Digits of an extension.
_PHONE = 4


def _is_announced(reading: SentenceReading, place: int) -> bool:
    """English: what is said to many."""
    if reading.words[0] == ")":
        return True  # the end of a smiley, or of the number of an item
    clause = _from_verb(reading, place)
    return is_for_some_in_front(reading, place) or any(pattern.match(clause) for pattern in _NOTICES)


def is_for_some_in_front(reading: SentenceReading, place: int) -> bool:
    """English: whether the words before a place say who is to do what follows: "to join the list, please ..."."""
    front = " ".join(reading.words[:place])
    return any(pattern.match(front) for pattern in _FRONTS)


def _from_verb(reading: SentenceReading, place: int) -> str:
    """The words from the verb on; "check out" is one verb."""
    first = place - 2 if reading.words[max(0, place - 2) : place] == ("check", "out") else place - 1
    return " ".join(reading.words[first:])


def _is_day_of_event(reading: SentenceReading, place: int, due: Due) -> bool:
    """ "Plan to attend on Friday", "mark your calendars for Friday": the day is not when it is due."""
    if any(hit.role == "by" and hit.due == due for hit in reading.dates):
        return False
    clause = _from_verb(reading, place)
    return any(pattern.match(clause) for pattern in _OF_EVENTS)


#: What is said to many, up to its verb.
_FRONTS: Final = (
    # "To join the list, please write to Ann."
    re.compile(
        r"to (?:join|be|subscribe|unsubscribe|register|enrol|enroll|order|apply|attend|participate|sign|learn|view|see"
        r"|access|download|receive|get|find|reply|rsvp|contact|report|request|donate|help|obtain)\b.*[,:]"
    ),
    # "In your reply, please indicate how many seats you want."
    re.compile(r"in your (?:e-mail|email|reply|response|message|application|order)\b"),
    # "For those who drive, please use the back door."
    re.compile(r"for those\b"),
)
#: "Save the date", "hold this slot".
_KEPT_FREE: Final = re.compile(
    r"(?:save|hold|block|mark|reserve) (?:the|this|these|that|your) (?:dates?|times?|slots?|day|evening|calendars?)\b"
)
#: What speaks of an event, from its verb on; a day is the day of the event.
_OF_EVENTS: Final = (
    # "Be sure to check out the parade on Friday", "join us on Friday".
    re.compile(r"(?:check out|join|attend|stop by|come|enjoy|celebrate)\b"),
    _KEPT_FREE,
    # "Please plan to attend the town hall."
    re.compile(r"plan (?:to|on)\b"),
    # "Please mark the offsite in your calendars."
    re.compile(r"mark\b.* calendars?\b"),
)
#: What is said to many, from its verb on.
_NOTICES: Final = (
    *_OF_EVENTS,
    # "Please visit our new site."
    re.compile(r"visit\b"),
    # "Please read our privacy policy."
    re.compile(
        r"(?:read|review|see|consult|check|observe|follow) (?:our|the|these|its)\b.*\b"
        r"(?:policy|policies|terms|conditions|guidelines|disclaimer|faq)\b"
    ),
    # "Please read this message", "open the attached file to read it": what already happens.
    re.compile(
        r"read (?:this|the following) (?:important |entire |whole )?(?:message|e-mail|email|memo|note|notice)\b"
    ),
    re.compile(r"open (?:the|this)\b.* to (?:read|view|see)\b"),
    # "Please save it before using it."
    re.compile(r"(?!.*\b(?:me|us)\b).*\bbefore (?:using|opening|running|installing|starting) (?:it|this|them)\b"),
    # "Please save the date."
    _KEPT_FREE,
    # "Please take this as an excuse to rest."
    re.compile(r"take (?:this|that|it) as\b"),
    # "Be sure to check out our site."
    re.compile(r"check out\b"),
    # "Please make us proud."
    re.compile(r"make (?:me|us)\b"),
    # "Give us a call, should you need a key."
    re.compile(r".*\bshould you\b"),
    # "Please forward this page to others who may like it."
    re.compile(r".*\bto (?:others|anyone|anybody|whoever)\b"),
    # "Please send it to those who matter", "forward people who ask to the front desk".
    re.compile(r"(?:.*\bto|forward) (?:those people|those who|people who)\b"),
)
_QUESTIONS: Final = re.compile(
    r"(?:\A|[-.:)] |\b(?:any|for|with) )(?:questions?|problems?|issues|concerns|comments)"
    r"(?: (?:or|and) (?:\w+ )?(?:questions?|problems?|issues|concerns|comments))? [,:?\u2013\u2014-]"
)
_CALLING_UP = frozenset({",", ":", "?", "-", "\u2013", "\u2014"})
_OTHERWISE = frozenset({"otherwise", "sonst", "andernfalls", "sinon", "altrimenti", "anders"})


def is_unsure(reading: SentenceReading, place: int) -> bool:
    """Whether a condition stands before it that may never hold: "if you did get it, please ..."; "if you can" may."""
    span, w = reading.condition, reading.lexicon.words
    if span and w.code == "en" and not _SOME.isdisjoint(reading.words[span[0] : span[1] + 1]):
        return True  # "give me a call if there are any issues"
    if span is None or span[1] >= place:
        return False
    words = reading.words[span[0] : span[1] + 1]
    if words[0] not in w.doubt:
        # "When booking deals, please ...": whenever you do.
        return not w.help.isdisjoint(words) or (w.code == "en" and words[1].endswith("ing"))
    suits = w.suits - w.pronoun_objects if _MIGHT.isdisjoint(words) else frozenset[str]()
    polite = not suits.isdisjoint(words) or not w.courtesy.isdisjoint(words[-2:])
    return not polite or not w.negation.isdisjoint(words)


#: English: "if this might be useful to you, please ..." offers it.
_MIGHT = frozenset({"might", "may"})
#: What may not exist: "if anything further is required".
_SOME = frozenset({"any", "anything", "anyone", "further", "other", "there"})


def _front(reading: SentenceReading, place: int) -> int:
    """Where a date before the verb may be its date: "by Friday, please send", and not "as I said on Friday, please"."""
    w, first = reading.lexicon.words, max(place - 1, 0)
    small = w.fronting | w.adverbs | w.prepositions | w.articles | {",", ":"}
    asks = {*reading.lexicon.ask.first, *reading.lexicon.please.first, *reading.lexicon.could.first, *w.you, *w.me}
    plain = all(
        n in reading.dated or reading.words[n] in small | asks or reading.words[n] in CLOSING or reading.capital(n)
        for n in range(first)
    )
    return 0 if plain or w.verb_second else first


def is_habit(reading: SentenceReading, place: int, end: int) -> bool:
    """ "Enter the date every time you start", "check it once a day", "use the code when booking": a rule for always."""
    words, w = reading.words, reading.lexicon.words
    units, habits = _TIMES | w.dates.units.keys() | w.dates.periods.keys(), w.habits | {"each"}
    last = min(end, len(words)) - 1
    if w.code == "en" and any(
        (words[n] == "when" and words[n + 1].endswith("ing")) or words[n : n + 2] == ("once", "a")
        for n in range(place, last)
    ):
        return True
    return any(words[n] in habits and words[n + 1] in units for n in range(reading.begin, last))


_TIMES = frozenset({"time", "mal", "fois", "vez", "volta", "keer"})


def _outlasts_talk(reading: SentenceReading, names: Phrases, place: int, core: int, due: Due | None) -> bool:
    """Whether it asks for something after the conversation: of somebody by name, or by a later day, or to be sent."""
    if due is None and _is_talk(reading, place, core):
        return False
    called = any(
        names.at(reading.words, n) and reading.capital(n) and "," in reading.words[n : n + 4]
        for n in range(min(reading.begin, len(reading.words)))
    )
    later = (
        due is not None
        and not phrases.is_at_once(due)
        and any(hit.role == "by" and hit.due == due for hit in reading.dates)
    )
    sends = not reading.lexicon.words.sending.isdisjoint(_verbs(reading, place, core))
    return called or later or sends


#: How verbs begin that ask for knowledge, and what one is given of it; words between the verb and this.
_KNOWING: Final = (
    *(
        "recommend",
        "explain",
        "suggest",
        "point",
        "tell",
        "share",
        "describe",
        "confirm",
        "clarify",
        "outline",
        "email",
    ),
    *("summari", "verify", "elaborate", "post", "give", "enlighten", "empfehl", "erklär", "verrat", "recommand"),
    *("expliqu", "recomend", "explic", "aconsej", "aconselh", "consigli", "spieg", "aanbevel", "aanraden", "uitleg"),
)
_HINTS: Final = table(
    "idea ideas pointer pointers advice hint hints tip tips suggestion suggestions insight example examples tipp tipps "
    "help assistance rat conseil conseils consejo consejos conselho conselhos consiglio consigli advies"
)
_NEXT: Final = 5
#: Whoever may help, in all languages.
ANYBODY: Final = table("anyone anybody someone somebody jemand quelqu'un quelqu alguien alguém qualcuno iemand")


def _is_advice(reading: SentenceReading) -> bool:
    """English: "be sure to save it before you start", where nothing is for the author."""
    words, begin = reading.words, reading.begin
    front = words[begin : begin + _NEXT]
    advises = any(front[n : n + 2] in _MIND for n in range(len(front) - 1))
    return advises and not _is_polite_ask(reading) and reading.lexicon.words.me.isdisjoint(words)


#: Before advice.
_MIND: Final = (("be", "sure"), ("make", "sure"))


def _is_open_call(reading: SentenceReading, place: int) -> bool:
    """ "Can anyone recommend a book?", "can someone describe it?": whoever knows; "can someone cancel the taxi?" is an
    errand.
    """
    words = reading.words
    if ANYBODY.isdisjoint(words[reading.begin : place]):
        return False
    last = next((n for n in range(len(words) - 1, place, -1) if words[n] not in CLOSING), place)
    verbs = {*words[max(0, place - 1) : place + 1], words[min(last, len(words) - 1)]}
    return any(verb.startswith(_KNOWING) for verb in verbs) or not _HINTS.isdisjoint(words[place:])


def _is_gesture(reading: SentenceReading, place: int) -> bool:
    """English: "hand me a wrench", "pass the salt": at once, or a joke."""
    verb, following = reading.words[max(0, place - 1)], reading.words[place : place + 1]
    me = reading.lexicon.words.me
    return reading.lexicon.words.code == "en" and verb in ("hand", "pass") and not {*me, "the"}.isdisjoint(following)


def _verbs(reading: SentenceReading, place: int, core: int) -> set[str]:
    """The words among which the verb of the request is; in German and Dutch, it may be the last word."""
    words = reading.words
    return {*words[max(0, place - 2) : place], *words[place : place + 1], words[max(0, core - 1)]}


def _is_chat(reading: SentenceReading, place: int, core: int) -> bool:
    """ "Tell me more about your trip", "show me what you got": these only continue a chat."""
    w, words = reading.lexicon.words, reading.words
    telling = any(verb.startswith(w.telling) for verb in _verbs(reading, place, core) if w.telling)
    shares = telling or "share" in words[max(0, place - 2) : place + 1] or "sharing" in words[max(0, place - 2) : place]
    if shares and not w.chatting.isdisjoint(words[place : min(core, place + 4)]):
        return True
    return telling and not reading.is_question and not _is_polite_ask(reading)


def _is_talk(reading: SentenceReading, place: int, core: int) -> bool:
    """Whether it asks for words, a look or a thing at hand, or gives advice: the conversation itself settles these."""
    lex, words = reading.lexicon, reading.words
    w = lex.words
    verbs = _verbs(reading, place, core)
    settled = w.telling + w.at_once
    if settled and any(verb.startswith(settled) for verb in verbs):
        return True
    if not _is_polite_ask(reading) and not any(verb in lex.base or verb in lex.doing for verb in verbs):
        return True  # "would you anticipate that", "can you fit it in"
    advises = any(lex.remind.within(words, 0, place))
    return advises and w.me.isdisjoint(words) and verbs.isdisjoint(w.giving | w.elliptic)


def _core(reading: SentenceReading, place: int, end: int) -> int:
    """Where what is asked for ends: before its reason, its condition or a "please" behind it."""
    lex, words = reading.lexicon, reading.words
    please = lex.please.anywhere(reading)
    for n in range(place, end):
        if words[n] == ",":
            return n
        if n > place and (words[n] in lex.words.subordinate or words[n] in lex.words.contrast):
            return n
        behind = not lex.words.verb_second and (n > place or _object_of(reading, n - 1) != "")
        if please and lex.please.at(words, n) and (behind or _is_trailing(reading, n, end)):
            return n
    return end


def _is_trailing(reading: SentenceReading, place: int, end: int) -> bool:
    """Whether nothing but a reason or a name stands behind a "please"."""
    following = reading.words[place + 1] if place + 1 < end else ","
    return following == "," or following in reading.lexicon.words.subordinate


def _is_polite_ask(reading: SentenceReading) -> bool:
    return any(reading.lexicon.please.within(reading.words, 0, len(reading.words)))


def is_reported(reading: SentenceReading, place: int) -> bool:
    """ "Anna asked: could you send it?": somebody else's words."""
    words, reported = reading.words, reading.lexicon.words.reported
    return ":" in words[:place] and not reported.isdisjoint(words[:place])


def is_for_asker(reading: SentenceReading) -> bool:
    """Whether its asker is to get something, and not from anybody: "send me your slides"."""
    words = reading.words
    return not reading.lexicon.words.me.isdisjoint(words) and ANYBODY.isdisjoint(words)


def _is_in_quotes(reading: SentenceReading, place: int) -> bool:
    """ "Give me a rule and I'll show you an exception", between marks: a saying, or somebody else's words."""
    return reading.in_quotes(max(place - 1, 0))


def _is_suggested(reading: SentenceReading) -> bool:
    """ "You could send them a card, no?": its author wants to know what the other thinks."""
    words = reading.words
    last = len(words) - 1
    while last > 0 and words[last] in CLOSING:
        last -= 1
    return reading.is_question and last > 1 and words[last] in _TAGS and words[last - 1] in (",", "\u00bf")


_BEING = frozenset({"is", "are"})
#: What makes a question of a statement, in all languages.
_TAGS = frozenset({"no", "non", "n\u00e3o", "oder", "toch", "right", "or", "nee", "hein", "n\u00e9", "vero"})


def _asked_pronoun(reading: SentenceReading, place: int, end: int, due: Due | None) -> str:
    """What a pronoun stands for in "please take it over", where nothing else is asked for; "" for none.

    Only a "please" or a day makes this a request: "can you do that?" is talk as often.
    """
    w, words = reading.lexicon.words, reading.words
    when = not _WHEN_ASKED.isdisjoint(words[reading.begin : reading.begin + 1])
    if due is None and not when and not _is_polite_ask(reading):
        return ""
    for n in range(place, min(place + 2, end)):
        if words[n] in ("that", "this") and n + 1 < end and words[n + 1] in _BEING:
            break  # "confirm that is fine"
        if words[n] == "that" and n + 1 < end and (words[n + 1] in w.pronouns or words[n + 1] in w.articles):
            break  # "let them know that they should call"
        if words[n + 1 : n + 2] == ("with",):
            break  # "provide them with any contacts"
        if words[n] in w.pronoun_objects - _VAGUE and n not in reading.dated:
            return reading.slice(n, n)
    return _object_of(reading, place - 1)


#: Of the pronouns, those that point to nothing that was named.
_VAGUE = frozenset({"what", "so", "things", "stuff", "something", "everything", "anything"})


def _object_of(reading: SentenceReading, place: int) -> str:
    """The pronoun that is written onto a verb as its object: "rimandamela"; "" for none."""
    w = reading.lexicon.words
    verb = reading.words[place] if place >= 0 else ""
    ending = next((each for each in w.enclitics if verb.endswith(each) and each.strip("-") in w.pronoun_objects), "")
    return ending.strip("-")


def _ask_verb(reading: SentenceReading) -> int | None:
    """The first word after the verb that asks; None where nothing is asked for."""
    lex, begin = reading.lexicon, reading.begin
    reminded = _reminded(reading, begin) if lex.remind.anywhere(reading) else None
    if reminded is not None:
        return reminded
    other = _of_another(reading, begin) if lex.could.anywhere(reading) else None
    if other is not None:
        return other
    for phrase, verb in _asked(reading):
        if phrase.kind != "please":
            return _subjunctive(reading, verb) if phrase.words[-1] == "que" else _infinitive(reading, verb)
        after = _imperative(reading, _past_comma(reading, verb), True)
        if after is not None:
            return after
    return _imperative(reading, begin, _is_polite_ask(reading))


def _asked(reading: SentenceReading) -> Iterator[tuple[Phrase, int]]:
    """Each "could you" and "please" that begins a clause, and the first word after it."""
    lex, words = reading.lexicon, reading.words
    for place in range(reading.begin, len(words)):
        if (words[place] not in lex.ask.first and words[place] not in lex.please.first) or reading.in_quotes(place):
            continue
        phrase = asks_at(reading, place)
        if phrase is None:
            continue
        if phrase.kind != "please" and _only_sounds(reading, phrase, place):
            return
        if _is_front(reading, reading.begin, place):
            verb = place + len(phrase.words)
            verb += lex.words.code == "en" and words[verb : verb + 1] in _ALL_OF_YOU
            if verb >= len(words) or not _really_asks(reading, phrase, place > reading.begin, verb):
                return
            yield phrase, verb


#: "Could you *guys* move the desk".
_ALL_OF_YOU: Final = (("guys",), ("all",), ("both",), ("folks",), ("two",))


def _only_sounds(reading: SentenceReading, phrase: Phrase, place: int) -> bool:
    """ "How could you", "I would you inform", "you couldn't open it", "not only will you": these only sound like
    "could you".
    """
    w, before = reading.lexicon.words, reading.words[place - 1] if place else ""
    possible = phrase.words == ("you", "couldn't") and not reading.is_question
    possible = possible or (phrase.kind == "duty" and reading.is_question)  # "do you need to send it?"
    return before in w.questioning or before in w.subjects or before in _INVERTING or possible


#: English: what stands before "will you" where nobody asks: "*nor* will you".
_INVERTING: Final = frozenset({"only", "nor", "neither", "never"})


def asks_at(reading: SentenceReading, place: int) -> Phrase | None:
    """What asks or is a "please", and begins at this word."""
    return _ask_at(reading, place) or reading.lexicon.please.at(reading.words, place)


def _ask_at(reading: SentenceReading, place: int) -> Phrase | None:
    """What asks and begins at this word: "could you"; "if you could" only before thanks for it."""
    phrase = reading.lexicon.ask.at(reading.words, place)
    if phrase and phrase.words[:2] == ("if", "you"):
        rest = reading.words[place:]
        then = any(rest[n : n + 2] in _THEN_I for n in range(len(rest) - 1))
        return phrase if then or not _WELCOME.isdisjoint(rest) else None
    return phrase


def _really_asks(reading: SentenceReading, phrase: Phrase, inside: bool, verb: int) -> bool:
    """ "Vuoi provare?" is an offer, "puoi chiedere alla polizia" a permission, "puoi mandarmi il piano" a request.

    ``inside``: whether words precede ``phrase``. ``verb``: the first word after it.
    """
    lex, words = reading.lexicon, reading.words
    w = lex.words
    # "Potrebbe piovere", "es posible ver el mar": may be, where no question stands.
    may = phrase.words[0].startswith(_MAY) and w.code in ("it", "es", "pt") and not reading.is_question
    if phrase.words[0] in _WHEN_ASKED:
        # "When can you send it" waits for it, and "when will you arrive" for an answer.
        return reading.is_question and not (w.giving | w.sending).isdisjoint(words[verb:])
    known = w.code != "en" or lex.idioms.at(words, verb) or words[verb] in lex.base or words[verb] in w.adverbs
    if not known and (phrase.kind == "duty" or phrase.words == ("will", "you")) and not _is_polite_ask(reading):
        return False  # "will you win the first prize", "you must receive it today"
    if (phrase.kind in ("ask", "duty") and not may) or _is_polite_ask(reading):
        return True
    to_me = any(word in w.me for word in words[max(0, verb - 3) :]) or any(
        word.endswith(w.enclitics) and _asks_me(reading, (word,)) for word in words[verb : verb + 2] if w.enclitics
    )
    if to_me:
        return True
    inverted = w.verb_second and not inside
    return phrase.kind == "can" and (reading.is_question or inverted)


#: First words of "when can you send it?", in all languages.
_WHEN_ASKED: Final = table("when how by wann quand cuándo quando wanneer")
#: English: what thanks in advance: "if you could send them, that would be *great*".
_WELCOME: Final = table(
    "great good nice lovely helpful wonderful fantastic amazing appreciated appreciate grateful thankful"
)
#: English: "if you could send them, *I'll* sign them".
_THEN_I: Final = ((",", "i'll"), (",", "we'll"), (",", "i"), (",", "we"))
_MAY = ("pot", "pod", "pud", "puo", "pued", "è", "es", "é")


def _reminded(reading: SentenceReading, begin: int) -> int | None:
    """ "Don't forget to book the room", "denk bitte an die Schl\u00fcssel"."""
    lex, words = reading.lexicon, reading.words
    if reading.is_question:
        return None
    for place in range(begin, len(words)):
        phrase = lex.remind.at(words, place)
        if phrase is None or not _is_front(reading, begin, place) or reading.in_quotes(place):
            continue
        if _is_own_care(reading, phrase, place, begin):
            continue
        after = place + len(phrase.words)
        if after >= len(words):
            return None
        object_ = _infinitive(reading, after)
        done = object_ is not None
        if object_ is not None and not lex.words.verb_second:
            after = object_
        if (not done and lex.words.code == "en" and not _is_to_take_along(reading, after)) or not _BEING.isdisjoint(
            words[after : after + 2]
        ):
            return None  # "don't forget tonight is the premiere"
        # "Denk an mich" is no errand, and "denk bitte an die Schl\u00fcssel" is.
        return after if done or reading.dated or _is_polite_ask(reading) else None
    return None


def _is_own_care(reading: SentenceReading, phrase: Phrase, place: int, begin: int) -> bool:
    """ "I make sure to ...", and advice: "use the editor, and make sure you save it"."""
    if place and reading.words[place - 1] in reading.lexicon.words.subjects:
        return True
    before = reading.words[begin:place]
    if before[-1:] in (("to",), ("and",)) and any(
        word.partition("'")[0] in reading.lexicon.words.subjects for word in before
    ):
        return True  # "I'll have to try and remember to lock it"
    advises = place > begin and phrase.words[:2] in _MIND
    return advises and not reading.dated and not _is_polite_ask(reading)


def _is_to_take_along(reading: SentenceReading, place: int) -> bool:
    """ "Don't forget the keys on Friday", and not "the party on Friday"."""
    if not reading.dated or reading.words[place] not in reading.lexicon.words.articles:
        return False
    if not _TAKING_PLACE.isdisjoint(reading.words[place:]):
        return False  # "don't forget your train leaves at 9"
    return phrases.OCCASIONS.isdisjoint(reading.words[place:])


_TAKING_PLACE: Final = table("leaves starts begins departs opens closes ends arrives is are has")


def _of_another(reading: SentenceReading, begin: int) -> int | None:
    """ "Could Tom review section 4 by the 19th?": the one who is asked is to see to it."""
    lex, words = reading.lexicon, reading.words
    phrase = lex.could.at(words, begin) if begin < len(words) and reading.is_question else None
    if phrase is None:
        return None
    place = first = begin + len(phrase.words)
    while place < len(words) and reading.capital(place) and words[place] not in lex.words.subjects:
        place += 1
    if place == first or place >= len(words) or lex.by.isdisjoint(words):
        return None
    if lex.words.verb_second:
        return _infinitive(reading, place)
    return place + 1 if lex.infinitive(words[place]) else None


def _past_comma(reading: SentenceReading, place: int) -> int:
    return place + (place < len(reading.words) and reading.words[place] == ",")


def _is_front(reading: SentenceReading, begin: int, place: int) -> bool:
    w = reading.lexicon.words
    first = begin
    for n in range(begin, place):
        if reading.words[n] in CLOSING or reading.words[n] == "," or reading.words[n] in w.contrast | w.conjunctions:
            first = n + 1
    if w.code == "en" and not _SINCE.isdisjoint(reading.words[begin : begin + 1]):
        return True
    return all(
        reading.words[n] in w.fronting | w.adverbs or n in reading.dated or reading.words[n] == "\u00bf"
        for n in range(first, place)
    )


#: English: first words of a reason, "since Bob is out could you ...".
_SINCE: Final = frozenset({"since", "because"})


def _infinitive(reading: SentenceReading, place: int) -> int | None:
    """Past the infinitive after "could you"; in German and Dutch it stands at the end, so its object begins at once."""
    lex, words = reading.lexicon, reading.words
    if lex.words.verb_second:
        place = _past_comma(reading, place)
        end = next((n for n in range(place, len(words)) if words[n] in CLOSING - {"-"}), len(words))
        done = any(words[n] in lex.base and not reading.capital(n) for n in range(place, end))
        return place if done or _ends_in_verb(reading, place, end) else None
    while place < len(words) and (
        words[place] in lex.words.adverbs | lex.words.pronouns | lex.words.me
        or lex.please.at(words, place)
        or words[place] == ","
    ):
        place += 1
    if place >= len(words):
        return None
    if idiom := lex.idioms.at(words, place):
        return place + len(idiom.words)
    if lex.words.code == "en":
        gerund = words[place].removesuffix("ing")
        if words[place].endswith("ing") and (gerund in lex.base or gerund + "e" in lex.base):
            return place + 1
        if words[place] in _HANDING and words[place + 1 : place + 2] and words[place + 1] in lex.words.me:
            return place + 1
    sure = lex.words.code == "en" and _is_polite_ask(reading) and _may_be_verb(reading, place)
    return place + 1 if sure or phrases.is_verb(reading, place) else None


def _may_be_verb(reading: SentenceReading, place: int) -> bool:
    """English: whether a word is nothing else: behind "could you please", any other is a verb."""
    w, word = reading.lexicon.words, reading.words[place]
    small = reading.lexicon.empty | w.idle_verbs | w.subordinate | w.contrast | w.negation
    return word.isalpha() and word not in small and not reading.capital(place) and place not in reading.dated


#: Idle by themselves ("give it a try"), and asking where "me" follows: "give me the address".
_HANDING = frozenset({"give", "get", "tell"})


def _subjunctive(reading: SentenceReading, place: int) -> int | None:
    """Past the verb after "te agradezco que" and "necesito que tu": any form of it."""
    w, words = reading.lexicon.words, reading.words
    while place < len(words) and (words[place] in w.pronouns or words[place] in w.me or words[place] in w.you):
        place += 1
    return place + 1 if place < len(words) and words[place].isalpha() and words[place] not in w.negation else None


def _ends_in_verb(reading: SentenceReading, first: int, end: int) -> bool:
    """Whether the last word of a German or Dutch clause is an infinitive, "please", names and dates apart."""
    lex, last = reading.lexicon, end
    while last > first and (
        lex.please.at(reading.words, last - 1) or reading.words[last - 1] == "," or last - 1 in reading.dated
    ):  # fmt: skip
        last -= 1
    comma = next((n for n in range(first, last) if reading.words[n] == ","), last)
    return any(each - 1 > first and phrases.is_verb(reading, each - 1) for each in {last, comma})


def _imperative(  # noqa: C901, PLR0911 - one branch a form
    reading: SentenceReading, place: int, please: bool
) -> int | None:
    lex, words = reading.lexicon, reading.words
    if place >= len(words):
        return None
    phrase = lex.imperatives.at(words, place)
    following = words[place + 1] if place + 1 < len(words) else ""
    if phrase:
        after = place + len(phrase.words)
        attached = _asks_me(reading, phrase.words)
        to_me = any(word in lex.words.me for word in words[after : after + 2])
        # "Bringen Sie die Quittung mit?" wants to know; "prüfst du bis Donnerstag die Kasse?" asks.
        question = reading.is_question and len(phrase.words) > 1 and (bool(reading.dated) or not lex.words.verb_second)
        return after if please or attached or to_me or question else None
    if words[place] == "let" and "know" in words[place + 2 : place + 5]:
        return _let_know(reading, words.index("know", place) + 1, please)
    if please and (idiom := lex.idioms.at(words, place)):
        return place + len(idiom.words)
    if lex.words.code == "en" and please and words[place] in lex.words.idle_verbs:
        return place + 1 if words[place] in _HANDING and following in lex.words.me else None
    if lex.words.code == "en" and (
        (words[place] in lex.base and (following in lex.words.me or please))
        or (please and phrases.is_verb(reading, place))
    ):
        longer = lex.idioms.at(words, place)
        return place + (len(longer.words) if longer else 1)
    if following in lex.words.subjects:
        return None  # "darf ich bitte ..."
    if lex.words.verb_second and please and words[place] not in lex.words.pronouns:
        last = next((n for n in range(len(words) - 1, place, -1) if words[n] not in CLOSING), place)
        return place if phrases.is_verb(reading, last) or _ends_in_verb(reading, place, last + 1) else None
    if please and phrases.is_verb(reading, place) and lex.words.code in ("fr", "pt", "it", "es"):
        return place + 1
    return None


def _let_know(reading: SentenceReading, place: int, please: bool) -> int | None:
    """ "Let Dana know which room you want": with a "please" or a day, and not "if you need anything"."""
    words = reading.words
    if place >= len(words) or words[place] in CLOSING or reading.is_condition(place):
        return None
    if words[place] == "so" or (words[place] == "how" and not any(hit.role == "by" for hit in reading.dates)):
        return None  # "let me know how it goes"
    return place if please or reading.dated else None


def _asks_me(reading: SentenceReading, words: tuple[str, ...]) -> bool:
    """ "Env\u00edame", "mi mandi", "envoie-moi"."""
    me = reading.lexicon.words.me
    return any(word in me for word in words) or (
        words[-1].endswith(("me", "nos", "mi", "ci", "-moi", "-nous", "-me"))
        and reading.lexicon.words.code not in ("de", "nl")
    )
