"""
What people take on, ask for and hand out in a talk: "I'll update the spec", "let me check with legal and get back to
you", "Bob, can you open an issue?", "Ann's going to draft the letter".

In a talk most acts are done on the spot: somebody shares a screen, explains, asks, opens a page. So an act counts only
if its verb is work that outlasts the talk, or if its words put it off ("after the call"). The object of the statement
is the act as a whole. English only: the tables of the other languages read such acts as they read those of a letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from consumer.understanding import phrases, speech
from consumer.understanding.errands import alternatives, hangs_on_if
from consumer.understanding.grammar import CLOSING, Phrases, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.statements import Due
from consumer.understanding.utterances import Person


class SpokenAct(NamedTuple):
    """``owner``: who is to do it, if the words name them; None for the speaker, or for whoever is asked."""

    act: str
    due: Due | None
    owner: Person | None = None


def may_be(reading: SentenceReading) -> bool:
    """Whether a sentence has a word that takes something on or asks for it. Cheap; false for most sentences."""
    return reading.lexicon.words.code == "en" and not _BEGINNINGS.isdisjoint(reading.words)


def taken_on(reading: SentenceReading, names: Phrases) -> Iterator[SpokenAct]:
    """What the speaker says that they will do."""
    if reading.is_question:
        return
    for opening in (_I_WILL, _WE_WILL, _LET_ME):
        yield from _acts(reading, opening, names)


def offered(reading: SentenceReading, names: Phrases) -> Iterator[SpokenAct]:
    """What the speaker offers to do: "I can write to them". It counts if somebody says yes, or if it is put off."""
    return _acts(reading, _I_CAN, names)


def asked(reading: SentenceReading, names: Phrases, *, by_name: bool) -> Iterator[SpokenAct]:
    """What a sentence asks of somebody who is there: "can you send it round?", "you're going to draft the letter"; if
    it calls them by name, also "Bob, draft the letter".
    """
    if reading.lexicon.words.code != "en" or _WH.search(" ".join(reading.words)):
        return
    order = _act(reading, _ORDER, reading.begin, names) if by_name else None
    for act in [order] if order and _WORK.match(order.act.casefold()) else _acts(reading, _YOU_WILL, names):
        if not _ANSWERED.match(act.act.casefold()):
            yield act


def handed_out(reading: SentenceReading, names: Phrases, people: Mapping[str, Person]) -> Iterator[SpokenAct]:
    """What somebody who is there is to do by the speaker's words: "Ann's going to draft it"."""
    plain = tuple(word.removesuffix("'s") for word in reading.words)
    if reading.is_question:
        return
    for place in _clauses(reading):
        lead = reading.match(_LEAD, place)
        first = lead.span()[1] if lead else place
        name = names.at(plain, first)
        if name is None or not reading.capital(first):
            continue
        last = first + len(name.words) - 1
        elided = reading.words[last] != plain[last]
        if act := _act(reading, _IS_TO if elided else _WILL, last + 1, names):
            yield act._replace(owner=people[name.kind])


def is_settled(reading: SentenceReading, names: Phrases, due: Due | None) -> bool:
    """Whether a promise of a talk is kept while people still talk, or is no work that outlasts it: "I'll share the
    screen", "I'll invite Bob to speak".
    """
    words, code = reading.words, reading.lexicon.words.code
    if code == "en" and not _FIRST.isdisjoint(words):
        by = any(hit.role == "by" and hit.due == due for hit in reading.coming)
        return not by and not any(taken_on(reading, names))
    later = (due and due.day > reading.said_on.isoformat()) or speech.is_afterwards(words, code)
    return not later and speech.is_on_the_spot(words, code)


#: Words with which somebody takes something on.
_FIRST: Final = table("i'll we'll gonna going let will")


def _acts(reading: SentenceReading, opening: re.Pattern[str], names: Phrases) -> Iterator[SpokenAct]:
    """The acts of a sentence, each once: two places may lead to the same one."""
    several = (_act(reading, opening, place, names) for place in _clauses(reading))
    return iter(dict.fromkeys(act for act in several if act))


def _act(reading: SentenceReading, opening: re.Pattern[str], place: int, names: Phrases) -> SpokenAct | None:
    """The act behind an opening at ``place``, if it outlasts the talk."""
    hit = reading.match(opening, place)
    first = hit.span()[1] if hit else len(reading.words)
    if first >= len(reading.words) or reading.in_quotes(place):
        return None
    end = _end(reading, first)
    due, code = _due(reading, first, end), reading.lexicon.words.code
    # What stands behind the act may put it off, too: "I'll send it round, once it's ready".
    whole = reading.words[place : _end_of_aside(reading, end)]
    later = due is not None or speech.is_afterwards(whole, code)
    if not _outlasts(reading, first, end, names, later=later) or _is_unsure(reading, place, end):
        return None
    if not later and speech.is_on_the_spot(whole, code):
        return None
    ends = (n for n in range(first, end) if n not in reading.dated and reading.words[n] not in _TRAILING)
    last = max(ends, default=first)
    return SpokenAct(reading.slice(first, last), due)


def _outlasts(reading: SentenceReading, first: int, end: int, names: Phrases, *, later: bool) -> bool:
    """Whether an act is work for the time after the talk, by its verb or by words that put it off."""
    text = " ".join(reading.words[first:end])
    work = _WORK.match(text) if _ANY.isdisjoint(reading.words[first + 1 : first + _NEAR]) else None
    if later:
        return work is not None or _IDLE.match(text) is None
    if work is None:
        return False
    whom = work["asked"] or work["called"] or work["gets"]
    return whom is None or _is_somebody(reading, first + 1 + (reading.words[first + 1] == ","), names)


def _is_somebody(reading: SentenceReading, place: int, names: Phrases) -> bool:
    """Whether somebody stands there who is not in the talk: "ask Ann", "call the supplier"."""
    if reading.words[place] in _SOMEBODY or reading.match(_SOME_OTHERS, place):
        return True
    return reading.capital(place) and names.at(reading.words, place) is None


def _is_unsure(reading: SentenceReading, place: int, end: int) -> bool:
    """Whether it may never be done, is done again and again, or is only told or thought of."""
    words = reading.words
    is_tale = _TOLD.search(" ".join(words)) is not None or not _HABITS.isdisjoint(words)
    return (
        is_tale
        or _WHO_ASKS.search(" ".join(words[:place])) is not None
        or not _HEDGES.isdisjoint(words[place:end])
        or phrases.denies(reading, place, end)
        or hangs_on_if(reading)
    )


def _clauses(reading: SentenceReading) -> Iterator[int]:
    """Where a new clause may begin."""
    yield 0
    yield from (n for n, before in enumerate(reading.words[:-1], 1) if before in CLOSING | _JOINTS)


def _end(reading: SentenceReading, first: int) -> int:
    """The place just after the last word of the act. A comma right behind the verb is only a breath."""
    words = reading.words
    for n in range(first + 1, len(words)):
        breath = words[n] == "," and n == first + 1
        joins = words[n] in _OPENERS or (words[n] in _AND and not _SUBJECTS.isdisjoint(words[n + 1 : n + 2]))
        if n not in reading.dated and not breath and (words[n] in CLOSING - {"-", "/"} or words[n] in _STOPS or joins):
            return n
    return len(words)


def _end_of_aside(reading: SentenceReading, end: int) -> int:
    """Where the words end that stand behind an act and a comma: "I'll update it, right after the call, and ..."."""
    words = reading.words
    if words[end : end + 1] != (",",) or not _SUBJECTS.isdisjoint(words[end + 1 : end + 3]):
        return end
    return next((n for n in range(end + 1, len(words)) if words[n] in CLOSING | _STOPS | _AND), len(words))


def _due(reading: SentenceReading, first: int, end: int) -> Due | None:
    """The one day of the act, if it comes after the talk."""
    if len(reading.coming) != 1:
        return None
    hit, start, stop = reading.coming[0], reading.tokens[first].start, reading.tokens[end - 1].end
    if hit.due is None or not start <= hit.start < stop or phrases.is_at_once(hit.due):
        return None
    later = hit.due.day > reading.said_on.isoformat() or bool(hit.due.time)
    return hit.due if later or hit.due.words.casefold() in _LATER_TODAY else None


# --- words ---------------------------------------------------------------------------------------------------------

_BEGINNINGS: Final = table("i'll i will shall gonna going let can could would please you'll you're we'll happy")
_JOINTS: Final = table(", and but so then yeah okay ok yes sure") | {","}
_AND: Final = frozenset({"and", "then", "or"})
_SUBJECTS: Final = table(
    "i i'll i'm we we'll you you'll he she it they that that's this there then maybe hopefully let's"
)
_OPENERS: Final = frozenset({"i'll", "i'm", "we'll", "you'll"})
_STOPS: Final = table("because since but thanks so cause cuz") | {","}
#: With these words, no act ends.
_TRAILING: Final = table("and or if as when to for by i we also too then again soon later the a")
_LATER_TODAY: Final = frozenset({"tonight", "this evening", "this afternoon", "end of day", "eod"})
_HEDGES: Final = table("probably maybe perhaps might possibly hopefully eventually someday")
#: "Ping me, and I will add you": only whoever asks.
_WHO_ASKS: Final = re.compile(r"\b(?:ping|tell|e-?mail|contact|dm|message|hit|ask|let) me\b|\breach out\b")
_HABITS: Final = table("always usually normally often sometimes typically whenever imagine suppose")
#: What is said of the talk itself, or of cases that are only thought of.
_TOLD: Final = re.compile(
    r"\b(?:let's say|for example|for instance|next question|as a user|the user|pretend|hypothetical\w*|says|saying"
    r"|(?:he|she|they) said|was like|i(?:'m| am) not)\b"
)
#: What may stand before the words that take something on.
_LEADS: Final = (
    r"(?:(?:yeah|yes|yep|ok|okay|oh|so|and|but|well|right|cool|great|good|perfect|sure|alright|all right|then|also|no"
    r"|thanks|thank you|anyway|sorry|of course|definitely|exactly|actually|i think|i mean|as i said"
    r"|(?:what|all) (?:i'll|i will|i can|i'm gonna|i'm going to|i am going to) do (?:then |now )?is"
    r"|after (?:the |this )?(?:call|meeting)) ,? ?)*"
)
_LEAD: Final = re.compile(_LEADS + "(?=.)")
#: What may stand between "I'll" and the verb.
_THEN: Final = (
    r"(?: ,? ?(?:also|then|definitely|certainly|personally|again|still|first|further|need to|have to|kind of|sort of"
    r"|go ahead and|go and|try and|try to|make sure to|make sure i|for sure|later|once more))*(?: ,)? "
)
_I_WILL: Final = re.compile(
    _LEADS + r"(?:i(?:'ll| will| shall)|i(?:'m| am) (?:gonna|going to)"
    r"|i(?:'ll| will) take (?:an|the|that) action (?:item )?(?:(?:,|to|of|and) )+)" + _THEN
)
#: Most of what "let me" announces follows at once.
_LET_ME: Final = re.compile(
    _LEADS
    + r"let me(?: also| then)? (?=(?:get back|come back to|check with|talk (?:to|with)|speak (?:to|with)|follow up"
    r"|reach out|find out|run (?:it|that|this) (?:by|past)|take (?:it|that|this)(?: one| up)? (?:offline|with)"
    r"|confirm (?:it|that|this) with|ask (?!(?:you|a|one|this|that|another)\b)|(?:take a look|look into).* and"
    r" (?:get|come) back|.*\b(?:after the|offline|by (?:the )?(?:end|next|this|mon|tues|wednes|thurs|fri))))"
)
_WE_WILL: Final = re.compile(
    _LEADS + r"we(?:'ll| will)(?: also| then| definitely)? (?=(?:get back to|reach out|follow up|be in touch"
    r"|let (?:you|him|her|them)(?: guys| all)? know|send (?:you|him|her|them|over)|e-?mail (?:you|him|her|them))\b)"
)
_I_CAN: Final = re.compile(
    _LEADS + r"(?:i (?:can|could)|(?:i(?:'d| would) be |i(?:'m| am) )?(?:more than )?happy to)" + _THEN
)
_YOU_WILL: Final = re.compile(
    r"(?:.* )??(?:(?:can|could|would|will) you(?: guys| two| both| all)?|please|i need you to"
    r"|i(?:'d| would) like you to|if you (?:can|could)|you(?:'re| are) (?:gonna|going to)|you(?:'ll| will))"
    r"(?: ,? ?(?:please|also|maybe|just|then|kindly|perhaps|go ahead and|possibly))*(?: ,)? "
)
_ORDER: Final = re.compile(r"(?:(?:please|also|then|maybe|go ahead and) ,? ?)*(?=\w)")
_WILL: Final = re.compile(
    r"(?:, )?(?:will|'ll|is (?:gonna|going to)|you(?:'ll| will)|you(?:'re| are) (?:gonna|going to))" + _THEN
)
_IS_TO: Final = re.compile(r"(?:gonna|going to)" + _THEN)
#: "What would you like us to look at?" asks for words.
_WH: Final = re.compile(
    r"\b(?:what|which|how|when|where|who|why)\b(?: \w+){0,2}? (?:can|could|would|will|you'll|you're) (?:you\b)?"
)
#: What is asked to be said or looked up at once.
_ANSWERED: Final = re.compile(
    r"(?:verify|double-?check|double check|check|clarify|find out|figure out) (?:if|whether|that|what|why|how)\b"
    r"|let (?:me|us) know\b|(?:reach out|get in touch|get back|talk|speak|come back) (?:to|with) (?:me|us)\b"
    r"|follow up on\b|work on\b|look into\b"
)
#: Acts that nobody ticks off, whenever they are to be done; "I'll do it after the call" is none of them.
_IDLE: Final = re.compile(
    r"(?:am|is|are|was|have|need|see|think|say|know|hear|feel|come|go|get (?:in)?to|stop|explain|describe|discuss"
    r"|be(?! (?:sending|sharing|raising|opening|creating|writing|updating|preparing|posting|publishing|merging"
    r"|submitting|filing|putting|following up|reaching out|working on)\b)|mention|touch|cover|speak (?:about|more)"
    r"|talk (?:about|more|to you (?:all|guys|tomorrow|soon|very|again|next|later))|look(?! (?:at|into|over)\b)|show"
    r"|give|let|leave|stay|wait|start|begin|continue|keep|move|want|like|love|hope|expect|guess|try|take|do|make|turn|hand"
    r"|jump|pass|skip|end|finish|use|catch|join|not|never|present|introduce|summari[sz]e|return|remember|probably|maybe"
    r"|also|we|you|it|i|the|a|this|that|answer|sleep|eat|drive|travel|fly|resign|retire|note|count|very|really"
    r"|call down|cut down|just|to|ask you|tell you|call it|meet|run through|walk|act)\b"
    r"(?! (?:it|that|this|so|the same) (?:right |straight |directly )?(?:after|tomorrow|tonight|by|before|next|this|on"
    r"|over|later|offline|async|as soon|once)\b)"
)
_ANY: Final = frozenset({"any", "anything", "anybody"})
#: Words of an act that tell its thing.
_NEAR: Final = 4
#: Who is asked or called; a name of nobody who is there counts, too.
_SOMEBODY: Final = table(
    "him her them legal finance marketing sales support accounting purchasing engineering management"
)
#: Behind an article: "ask the vendor", "ask the hotel for a rate".
_SOME_OTHERS: Final = re.compile(
    r"(?:the|my|our|their|his|her|your) (?:\w+ )?(?:team|guys|folks|people|office|department|group|clients?|customers?"
    r"|vendors?|suppliers?|managers?|lawyers?|authors?|doctors?|surgery|agency|authorit\w+|bank|school|council|landlord"
    r"|company|boss|colleagues?|partners?|wife|husband|accountant|others|pharmacy|clinic|hospital|insurance|garage)\b"
    r"|the \w+ (?:for an?|about|if|whether|when)\b"
)
#: A document, or an entry of a list, that outlasts the talk.
_PAPER: Final = (
    r"(?:an?|the|another|some|that|this|your|my|our|those|these|two|three|a couple of|a few)"
    r"(?: (?!(?:for|of|to|about|on|in|with|that)\b)[\w-]+){0,3}? "
    r"(?:prs?|pull requests?|issues?|tickets?|bugs?|threads?|channels?|docs?|documents?|pages?|polls?|proposals?"
    r"|requests?|comments?|notes?|reports?|e?-?mails?|letters?|drafts?|summary|minutes|lists?|spreadsheets?|tables?"
    r"|articles?|papers?|posts?|write-?ups?|specs?|descriptions?|templates?|tests?|test cases?|scripts?|releases?"
    r"|agenda|events?|invites?|invitations?|calendar|meetings?|calls?|contracts?|quotes?|estimates?|invoices?|offers?"
    r"|plans?|slides|decks?|presentations?|branch|branches|fix|fixes|patch|patches|referrals?|prescriptions?"
    r"|appointments?|surveys?|questionnaires?|forms?|budgets?|schedules?|reminders?)\b"
)
#: Work that outlasts a talk.
_WORK: Final = re.compile(
    alternatives(
        rf"""
        (?:send|resend|e?-?mail|forward|circulate|distribute)(?! in\b| it back\b)(?: ,)? (?!,|\.)\w.*
        | (?:write|prepare|draft|put together|compile|create|file|submit|raise|add|make|schedule|update|review
          |revise|finish|finali[sz]e|set up|rerun|re-run|redo|rewrite|edit|correct|translate|print|sign)(?: up)?(?: ,)?
          (?! the (?:last |previous )?(?:minutes|agenda)\b| an? (?:quick )?note\b) {_PAPER}
        | open(?: up)?(?: ,)? (?:an?|another|some)(?: [\w-]+){{0,2}}? (?:prs?|pull requests?|issues?|tickets?|bugs?
          |threads?|channels?|discussion|claim|account|order)\b
        | (?:write|type) (?:it|that|this|them) up\b | write (?:up|back|minutes|the minutes)\b | type up\b
        | write to (?!you\b)\w.*
        | (?:write (?:it|that|this) down|check (?:on )?(?:it|that|this)) and
          [ ](?:send|share|post|update|let|get|tell|come back)\b.*
        | (?:update|fix|implement|finali[sz]e|revise|rewrite|investigate|upload|reschedule|organi[sz]e|arrange|book
          |order|hire|prepare|draft|put together|set up|translate|review|draw up|pull together|merge|deploy|launch
          |publish|release|restart|rebase)(?: also| today)?(?: ,)?
          [ ](?:the|that|those|these|an?|my|our|your|this|some|another|both|all)
          (?! (?:game|way|sense|minutes|agenda|last|now|here)\b) \w.*
        | (?:prepare|draft|review|read|look at|check|respond to|reply to) (?:it|that|this|them) later\b
        | (?:follow up|follow (?:it|that|this) up|reach out|reach back out|touch base|get in touch|check back
          |circle back|ask around|escalate)\b.*
        | add (?:\w+ ){{1,6}}?to (?:the|our|my|your|that) (?:\w+ )?(?:agenda|specs?|docs?|document|wiki|backlog
          |tickets?|issues?|proposal|report|contract|invoice|order|quote|plan|calendar|eip|readme|description)\b.*
        | put (?:it|them|those|these|the [\w ]+?|my [\w ]+?) (?:in|into|on) (?:the|our|your|that) (?:[\w-]+ ){{0,3}}?
          (?:folder|drive|wiki|repo|repository|agenda|calendar|backlog|website|site|report)\b.*
        | read (?:the|your|that|this) (?:\w+ )?(?:docs?|documents?|papers?|reports?|drafts?|proposals?|contract)\b.*
        | (?:check|talk|speak|sync|sync up|coordinate|liaise|clarify (?:it|that|this)|discuss (?:it|that|this))
          [ ](?:with|to) (?!you\b|y'all\b|that\b|this\b|it\b|these\b).*
        | check (?:that|this|it) with\b.* | run (?:it|that|this) (?:by|past)\b.*
        | confirm (?:it|that|this|the \w+) with (?!you\b)\w.*
        | (?:raise|bring up|bring|mention|take) (?:it|that|this)(?: up| back)? (?:with (?!you\b|me\b|us\b)\w
          |to (?:the \w*team|legal|management|my\b|our\b|him|her|them)).*
        | (?:double-check|double check|verify|look into|dig into|figure out|sort out|take care of|deal with|work on)
          (?: ,)? \w.*
        | find out\b(?! from you\b).* | (?:sort|figure) (?:it|that|this|them) out\b | find (?:someone|somebody)\b.*
        | (?:get back|come back|report back) to (?:you|him|her|them|everyone|everybody|us|me
          |the (?:team|group|committee|board|council|client|customer|author))\b.*
        | let (?:you|you guys|you all|y'all|him|her|them|everyone|everybody|people|us|me) know\b
          (?! (?:if|whether) (?:i|we|there|anything|you)\b).*
        | (?:ping|message|contact|inform|chase|phone)(?: ,)? (?!me\b|you\b|it\b|that\b)\w.*
        | invite (?:him|her|them|\w+) to (?:the|our|an?) (?:\w+ ){{0,2}}?(?:call|meeting|channel|group|event)\b.*
        | ask(?: ,)? (?P<asked>\w+(?!.*\b(?:questions?|first)\b).*)
        | (?:call|text)(?: ,)? (?P<called>\w[\w']*(?: \w+)?)(?: up| back)?(?: (?:and|to|about|for|again|on)\b.*|\Z)
        | get (?P<gets>\w.*?) to (?:call|contact|send|look|check|e-?mail|write|reach|fix|sign|review|do)\b.*
        | (?:get|ask|have) (?:someone|somebody)\b.* | get (?:working|going|started) on\b.*
        | get (?:it|that|this|them|those|the [\w ]+?) (?:sorted|done|fixed|ready|sent|signed|printed|approved|merged
          |over to|out to|back to)\b.*
        | get (?:you|him|her|them) (?:the|an?|some|that|those|access|more|all)\b.*
        | (?:have|take) a (?:(?:closer|deeper|better|proper) look\b.*|(?:quick |good )?look
          (?: (?:at|into|through|over) (?!here\b|this\b|that\b|it\b)\w.*| and (?:get|let|come|send).*))
        | do (?:some|the|a|an|that) (?:\w+ )?(?:research|survey|analysis|review|draft|write-?up|investigation|testing
          |test run|minutes|paperwork|write up|summary|recap)\b.*
        | take (?:an|the|that|this) action(?: item)?\b.* | take (?:it|that|this)(?: one| up)? offline\b.*
        | take (?:it|that|this) up with\b.* | bring (?:it|that|this|the \w+|some \w+|an? \w+) (?:to|for|along)\b.*
        | bring (?:the |some |an? |my )?(?!up\b|it\b|that\b|this\b|you\b|us\b|in\b|back\b)\w+\Z
        | refer (?:you|him|her|them) to\b.* | book (?:you|him|her|them|us) (?:in|an?|the|for|on)\b.*
        | (?:put|get) (?:you|him|her|them|us) in touch\b.* | (?:put|add) you (?:on|as|to|in)\b.*
        | (?:connect|introduce) (?:you|him|her|them|us) (?:with|to)\b.* | intro you\b.*
        | loop (?:in\b.*|\w+ in\b)
        | (?:shoot|drop|write|give) \w+ an? (?:quick )?(?:e-?mail|line|note|message|text|dm|call|ring|shout|buzz)\b.*
        | pass (?:it|that|this|them|the [\w ]+?) (?:on|along)\b(?! to (?:you|me|us)\b).*
        """
    )
)
