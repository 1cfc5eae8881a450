"""Requests to only some readers: those who have a question, a problem or a wish."""

from __future__ import annotations

import re
from typing import Final

from consumer.understanding import certainty, phrases
from consumer.understanding.grammar import CLOSING, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.requests.parts import from_verb, verbs_of
from consumer.understanding.requests.places import asks_before
from consumer.understanding.statements import Due
from consumer.understanding.text import fold


def asks_any_of_several(reading: SentenceReading) -> bool:
    """English: "could *one of you* lock the shed tonight": each may leave it to the others."""
    return any(
        triple in _ANY_OF_YOU for triple in zip(reading.words, reading.words[1:], reading.words[2:], strict=False)
    )


_ANY_OF_YOU: Final = (("one", "of", "you"), ("any", "of", "you"), ("either", "of", "you"))


def is_offer(reading: SentenceReading) -> bool:
    """ "If you have any questions, please contact ...": asks only those who want something."""
    if _is_in_case(reading):
        return True
    span = reading.condition
    if span is None or asks_before(reading, span[0]):
        return False
    w, words = reading.lexicon.words, reading.words[span[0] : span[1] + 1]
    if any(word in w.subjects for word in words[1:2]):
        return False  # "if we need a key, please send it": the author's need
    return not w.offers.isdisjoint(words) or ("any" in words and not _REMARKS.isdisjoint(words))


def _is_in_case(reading: SentenceReading) -> bool:
    """ "Should you have comments, please ...", "Brauchen Sie Hilfe, rufen Sie mich an": a case of the reader's own need
    without an "if". With a day, it asks.
    """
    opening = _IN_CASE.get(reading.lexicon.words.code)
    if opening is None or reading.is_question or reading.coming:
        return False
    return reading.match(opening, reading.begin) is not None


#: In other languages, a case needs an "if".
_IN_CASE: Final = {
    "en": re.compile(
        r"should (?:you (?:(?:ever|still|also|then) )?(?:have|need|want|wish|require|like|prefer|be interested)"
        r"|any|there be)\b[^?]* ,"
    ),
    "de": re.compile(
        r"(?:(?:sollten?|solltest) (?:sie|du|ihr|es|noch|weitere)\b[^?]*\b"
        r"(?:haben|brauchen|benötigen|wünschen|möchten|wollen|bestehen|geben|interessiert|interesse)\b[^?]* ,"
        r"|(?:haben|hast|habt) (?:sie|du|ihr|noch|weitere)\b[^?,]*"
        r"\b(?:\w*fragen?|interesse|bedarf|wünsche|anregungen|anmerkungen|problem\w*|zweifel|lust)\b[^?]* ,"
        r"|(?:brauchen|brauchst|benötigen|wünschen|möchten|möchtest|wollen) (?:sie|du|ihr|es|noch|weitere)\b[^?]* ,)"
    ),
    "nl": re.compile(
        r"(?:mocht(?:en)? (?:u|je|jij|jullie|er)\b[^?]*\b(?:hebben|nodig|willen|wensen|zijn|vragen)\b[^?]* ,"
        r"|(?:heeft|heb|hebt) (?:u|je|jij|jullie)\b[^?,]*"
        r"\b(?:vra(?:gen|ag)|interesse|nodig|behoefte|problemen|opmerkingen|suggesties)\b[^?]* ,"
        r"|(?:wilt|wil|wenst) (?:u|je|jij|jullie) (?:meer|ook|graag|liever|iets|nog)\b[^?]* ,)"
    ),
}


#: English: "if you have any comments or changes, please call Ann by noon".
_REMARKS: Final = table("comments changes edits corrections feedback suggestions input remarks objections additions")


def is_for_some(  # noqa: PLR0911 - one branch a reason
    reading: SentenceReading, place: int, item: phrases.Object, due: Due | None
) -> bool:
    """Whether it asks only those whom something may concern. A request with a day of its own asks its reader.

    "If this occurs, please restart it", "for other questions, please contact Ann", "please call with any questions".
    """
    english, words = reading.lexicon.words.code == "en", reading.words
    if due and not (english and _is_day_of_event(reading, place, due)):
        return False
    if certainty.is_fronted_by_purpose(reading, place):
        return True
    if reading.condition and asks_before(reading, reading.condition[0]):
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
    """English: "please call me should any problems arise": behind the verb, something that may never happen."""
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
    verbs = verbs_of(reading, place, end)
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
    contacts = _REACH_VALUES[reading.lexicon.words.code].finditer(rest)
    return "@" in item.text or any("@" in hit[1] or sum(c.isdigit() for c in hit[1]) >= _PHONE for hit in contacts)


#: Behind "at" and "on": a number, or an address.
_REACH_VALUES: Final = {
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
    """English: whether it is an announcement to many people."""
    if reading.words[0] == ")":
        return True  # the end of a smiley, or of the number of an item
    clause = from_verb(reading, place)
    return is_for_some_in_front(reading, place) or any(pattern.match(clause) for pattern in _NOTICES)


def is_for_some_in_front(reading: SentenceReading, place: int) -> bool:
    """English: whether the words before a place say who is to do what follows: "to join the list, please ..."."""
    front = " ".join(reading.words[:place])
    return any(pattern.match(front) for pattern in _FRONTS)


def _is_day_of_event(reading: SentenceReading, place: int, due: Due) -> bool:
    """ "Plan to attend on Friday", "mark your calendars for Friday": the day is not when it is due."""
    if any(hit.role == "by" and hit.due == due for hit in reading.dates):
        return False
    clause = from_verb(reading, place)
    return any(pattern.match(clause) for pattern in _OF_EVENTS)


#: Announcements to many people, up to the verb.
_FRONTS: Final = (
    # "To join the list, please write to Ann."
    re.compile(
        r"in order to avoid\b.*[,:]|(?:in order )?to (?:join|be|ensure|qualify"
        r"|subscribe|unsubscribe|register|enrol|enroll|order|apply|attend|participate|sign|learn|view|see"
        r"|access|download|receive|get|find|reply|rsvp|contact|report|request|donate|help|obtain|retrieve)\b.*[,:]"
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
#: Words about an event, from the verb on. Their day is that of the event.
_OF_EVENTS: Final = (
    # "Be sure to check out the parade on Friday", "join us on Friday".
    re.compile(r"(?:check out|join|attend|stop by|come|enjoy|celebrate)\b"),
    _KEPT_FREE,
    # "Please plan to attend the town hall."
    re.compile(r"plan (?:to|on)\b"),
    # "Please mark the offsite in your calendars."
    re.compile(r"mark\b.* calendars?\b"),
)
#: Announcements to many people, from the verb on.
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
    """Whether it depends on a condition that may never hold: "if you did get it, please ..."; not "if you can"."""
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
#: Words for anybody who may help, in all languages.
ANYBODY: Final = table("anyone anybody someone somebody jemand quelqu'un quelqu alguien alguém qualcuno iemand")


def is_for_asker(reading: SentenceReading) -> bool:
    """Whether its author is to get something, from this reader: "send me your slides"."""
    words = reading.words
    return not reading.lexicon.words.me.isdisjoint(words) and ANYBODY.isdisjoint(words)
