"""
English: what a mail to few people asks or promises with any verb: "please put her on the list", "give me a call when
you get a chance", "do you have an address for him?", "I'll bring them up".

Elsewhere a request needs a verb of doing and its object. In a mail to few people, every verb counts except those that
ask for nothing. The object of the statement is then the act as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from consumer.understanding import acts, certainty, phrases, requests
from consumer.understanding.grammar import CLOSING, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.promises import Promise, parts, worth
from consumer.understanding.requests import Asking
from consumer.understanding.statements import Due


def may_be(reading: SentenceReading) -> bool:
    """Whether a sentence begins as such questions and orders do. Cheap; false for most sentences."""
    begin = reading.words[reading.begin : reading.begin + 1]
    return reading.lexicon.words.code == "en" and not _FIRST.isdisjoint(begin)


def asked(reading: SentenceReading) -> Asking | None:
    """What a sentence asks its reader to do, to tell, or to say whether they have it."""
    if reading.lexicon.words.code != "en" or not _is_for_reader(reading) or acts.awaits_answer(reading):
        return None
    if question := _asked_for(reading):
        return question
    verb = _verb_asked(reading)
    if verb is None or not _is_errand(reading, verb):
        return None
    item = phrases.find(reading, verb + 1, _end(reading, verb))
    # The "if" in "I wonder if you could ..." is no condition.
    asks = reading.condition is not None and reading.condition[0] < verb <= reading.condition[1]
    if requests.is_habit(reading, verb + 1, len(reading.words)) or requests.is_ability(
        reading, verb + 1, len(reading.words)
    ):
        return None
    return _asking(reading, verb) if asks or not requests.is_for_some(reading, verb + 1, item, None) else None


def is_question(act: str) -> bool:
    """Whether an act that is asked for is a question, which any answer settles."""
    return _QUESTIONS.match(act.casefold()) is not None


def act(reading: SentenceReading, first: int) -> Asking:
    """The act from its first word to the end of its clause, without its day."""
    return _asking(reading, first)


def asks_who_asks(before: str) -> bool:
    """Whether the text just before is "Questions?", so that only people who have some are asked to call."""
    return _WHO_ASKS.search(before) is not None


def promised(reading: SentenceReading) -> Promise | None:
    """What the author says that they will do, if the sentence names no thing: "I'll call", "will send it"."""
    if reading.lexicon.words.code != "en" or reading.is_question:
        return None
    w, words = reading.lexicon.words, reading.words
    patterns = (_WILL, _EXPECTED) if len(reading.coming) == 1 else (_WILL,)
    hits = (reading.match(pattern, place) for place in _clauses(reading) for pattern in patterns)
    hit = next(filter(None, hits), None)
    if hit is None or _is_said_otherwise(reading, hit.begin) or certainty.is_for_whoever(reading):
        return None
    first, _ = hit.span("act")
    end = _end(reading, first)
    clause = words[max(0, hit.begin - 1) : end]
    if not (w.hedges | w.habits | _NO_PROMISE).isdisjoint(clause):
        return None
    if (
        worth.is_greeting(reading, first, end)
        or phrases.denies(reading, hit.begin, end)
        or hangs_on_if(reading)
        or reading.lexicon.casual.at(words, first)
    ):
        return None
    act = _asking(reading, first)
    comes_with = worth.is_reach_given(reading, first) or (not act.due and _ANYWAY.match(" ".join(words[first:])))
    if comes_with or _AFTER_ALL.search(" ".join(words[first:])) or words[-3:-1] == ("i'm", "sure"):
        return None
    condition = reading.slice(*reading.condition) if reading.condition else ""
    return Promise(None, act.object, act.due, condition, False)


def _is_said_otherwise(reading: SentenceReading, place: int) -> bool:
    """ "Ann said: I'll send it", "order now and I'll send it", "let me know, and I'll send it", "(I'll ask them)", "Ann
    looks at it and will send it".
    """
    before = reading.words[:place]
    asks = bool(before) and (before[reading.begin : reading.begin + 1] or before[:1])[0] in reading.lexicon.base
    aside = "(" in before and ")" not in before
    quoted = reading.in_quotes(place)
    vague = any(reading.lexicon.vague.within(reading.words, 0, len(reading.words)))
    aside = aside or before[-1:] == (")",)  # "Tom (the plumber) will send the bill"
    reported = (
        requests.is_reported(reading, place)
        or parts.is_reported(reading, place)
        or _SAID.search(" ".join(reading.words[place:])) is not None
    )
    others = certainty.is_of_another(reading, place)
    return asks or aside or quoted or vague or reported or others or _KNOW.search(" ".join(before)) is not None


def _is_for_reader(reading: SentenceReading) -> bool:
    return not (
        certainty.is_promotion(reading)
        or certainty.is_offered_help(reading)
        or requests.is_offer(reading)
        or (certainty.is_bargain(reading) and "and" in reading.words and not reading.lexicon.please.anywhere(reading))
        or not requests.ANYBODY.isdisjoint(reading.words)
    )


def _verb_asked(reading: SentenceReading) -> int | None:
    """The verb behind "could you" or "please", else the first one of a clause that orders something."""
    verb = requests.verb_asked(reading)
    if verb is not None and not requests.is_duty(reading):
        return verb
    if reading.is_question:
        return None  # "Get it for just 49?"
    if _goes_on_with_own(reading):
        return None
    hits = (reading.match(_ORDERS, place) for place in _clauses(reading) if not _has_subject(reading, place))
    hit = next(filter(None, hits), None)
    return hit.span("act")[0] if hit else None


def _goes_on_with_own(reading: SentenceReading) -> bool:
    """ "I'll have Olaf call them and, without haste, find out what it costs": the author does both."""
    words = reading.words[reading.begin :]
    will = words[:1] in (("i'll",), ("we'll",)) or words[:2] in (("i", "will"), ("we", "will"))
    return will and "and" in words and not reading.lexicon.please.anywhere(reading)


def _is_errand(reading: SentenceReading, verb: int) -> bool:
    """Whether the words from the verb on are an act, and the reader is asked unconditionally."""
    lex, words = reading.lexicon, reading.words
    word = words[verb]
    small = word in lex.empty or verb in reading.dated or not word[0].isalpha()
    if (small and word not in _ALSO_VERBS) or (
        reading.capital(verb) and verb != reading.begin and words[verb - 1] not in CLOSING | {","}
    ):
        return False
    if words[verb - 1 : verb] == ("(",) and verb > reading.begin + 1:
        return False  # "Prices (find out what they are)": an outline
    clause = " ".join(words[verb:])
    if _NO_ACT.match(clause) or (word in lex.words.idle_verbs | _WEAK and not _ACT.match(clause)):
        return False
    if (
        reading.in_quotes(verb)
        or requests.is_reported(reading, verb)
        or certainty.is_told_to_all(clause)
        or requests.is_for_some_in_front(reading, verb)
    ):
        return False
    end = _end(reading, verb)
    alone = end == verb + 1 and word not in _ALONE
    return not alone and not hangs_on_if(reading) and not phrases.denies(reading, verb, min(end, verb + _NEAR))


def hangs_on_if(reading: SentenceReading) -> bool:
    """ "If you want to come, please call": only whoever wants to; "if you can" is a courtesy."""
    text = _OTHER_CLAUSE.split(" ".join(reading.words))[0]
    if ("should", "you") in pairwise(reading.words):
        return True
    return not _IF.isdisjoint(text.split()) and _WHETHER.search(text) is None and _COURTESY.search(text) is None


def _asked_for(reading: SentenceReading) -> Asking | None:
    """ "Do you have an address for him?", "any news on the lease?", "can we meet about it?"."""
    if hangs_on_if(reading):
        return None
    hits = (reading.match(_QUESTIONS, place) for place in _clauses(reading))
    hit = next(filter(None, hits), None)
    if hit is None:
        return None
    first, _ = hit.span("act")
    return None if reading.in_quotes(first) else _asking(reading, first)._replace(due=None)


def _asking(reading: SentenceReading, first: int) -> Asking:
    """The act from its first word to the end of its clause, without its day."""
    last = _end(reading, first) - 1
    until = last
    while last > first and (last in reading.dated or reading.words[last] in reading.lexicon.words.adverbs):
        last -= 1
    return Asking(reading.slice(first, last), _due(reading, first, until))


def _due(reading: SentenceReading, first: int, last: int) -> Due | None:
    """The day by which it is due. In "put it down for Friday", the day is part of the act."""
    start, end = reading.tokens[first].start, reading.tokens[last].end
    hits = [hit for hit in reading.coming if start <= hit.start < end]
    front = [n for n in range(first) if n not in reading.dated]
    if not hits and all(reading.words[n] in (",", "please") for n in front):
        return next((hit.due for hit in reading.coming), None)  # "on Saturday, please feed the cats"
    if len(hits) != 1 or hits[0].due is None:
        return None
    sure = hits[0].role == "by" or not _DAYS_OF_DOING.isdisjoint(hits[0].due.words.casefold().split())
    return hits[0].due if sure else None


def _clauses(reading: SentenceReading) -> Iterator[int]:
    """Where a new clause may begin; the "and" in "Bob *and I* will" begins none."""
    words, last = reading.words, len(reading.words) - 1
    yield reading.begin
    for n in range(reading.begin + 1, last):
        if words[n] in CLOSING or (words[n] in _JOINTS and not (words[n + 1] == "i" and reading.capital(n - 1))):
            yield n + 1


def _has_subject(reading: SentenceReading, place: int) -> bool:
    """ "I wanted to call *and make sure*": whether a subject stands before, so that the reader is not asked."""
    words, first = reading.words, place
    while first > reading.begin and words[first - 1] not in CLOSING | {","}:
        first -= 1
    if words[place - 1 : place] == ("and",) and words[first] not in reading.lexicon.base:
        return words[first] not in reading.lexicon.words.idle_verbs | _SOFTLY
    return any(
        word.partition("'")[0] in reading.lexicon.words.pronouns for word in words[first : max(first, place - 1)]
    )


def _end(reading: SentenceReading, first: int) -> int:
    """The place just after the last word of the act."""
    words = reading.words
    stops = (
        n
        for n in range(first + 1, len(words))
        if (
            words[n] in CLOSING - {"-", "/"}
            or words[n] in _STOPS
            or (reading.is_condition(n) and words[n - 1] not in _FINDING)
        )
        and n not in reading.dated
    )
    return next(stops, len(words))


def alternatives(several: str) -> str:
    """A pattern of alternatives, separated by " | ". A line that does not begin with one continues the line before."""
    lines = (line.strip() for line in several.splitlines())
    whole = "".join(f" {line}" if line.startswith("| ") else line for line in lines)
    return "(?:" + "|".join(part.strip() for part in whole.split(" | ")) + ")"


#: Only so near to its verb does a "not" negate it: the one in "to be sure we are not late" does not.
_NEAR: Final = 4
_FIRST: Final = table(
    """
    what what's which where how should do did were have any is can could may might call give send forward fax email
    e-mail get bring print mail take look ask make let tell check talk speak see remind keep schedule add review sign
    draft prepare put set change cancel update remove include copy
    """
)
_JOINTS: Final = frozenset({",", "and", "but", "so"})
_STOPS: Final = frozenset({",", "because", "since", "but", "thanks", "thx", "so"})
#: After these, "if" begins an indirect question.
_FINDING: Final = frozenset({"know", "see", "ask", "check", "confirm", "verify", "sure"})
_IF: Final = frozenset({"if", "unless", "whenever"})
#: "Read it, *and if you have questions, ...*".
_OTHER_CLAUSE: Final = re.compile(r" (?:and|but) if ")
#: Indirect questions, and courtesies.
_WHETHER: Final = re.compile(r"\b(?:know|see|ask|check|find out|confirm|tell (?:me|us)|verify|say|sure) (?:\w+ )?if\b")
_COURTESY: Final = re.compile(
    r"\bif (?:so|(?:at all )?possible|convenient|everything is (?:ok|okay|fine|right|correct)"
    r"|you (?:can|could|don't mind|get (?:a|the) (?:chance|moment|minute)"
    r"|have (?:a|the) (?:chance|moment|minute|second)|have (?:the )?time|would|are able))\b|\byou could\b"
)
_WHO_ASKS: Final = re.compile(r"\b(?:questions|comments|problems|concerns)\s*\?\s*\Z", re.IGNORECASE)
#: "Let me know, and I'll fix it": if it has to be.
_KNOW: Final = re.compile(r"\b(?:let (?:me|us) know|if)\b")
_DAYS_OF_DOING: Final = table("today tomorrow tonight morning afternoon week asap")
#: Function words elsewhere, but acts here.
_ALSO_VERBS: Final = table("check review mail call fax copy file book set put")
#: Acts that need no object.
_ALONE: Final = table(
    """
    call reply respond advise confirm schedule proceed resend review discuss correct approve calendar handle
    expedite print forward sen d
    """
)
#: Verbs of talk, feeling and being, which need more words to be an act.
_WEAK: Final = table("take hand pass share")
#: "I'll send it monthly", "I guess I'll call".
_NO_PROMISE: Final = table("monthly weekly daily guess suppose think accordingly")
#: What the mail itself does: "but I'll send it anyway".
_ANYWAY: Final = re.compile(r"(?:send|forward|share|pass|ask|tell)\b.*\b(?:anyway|anyways|regardless)\b")
#: "I'll let you know if there are any changes".
_AFTER_ALL: Final = re.compile(
    r"let \w+ know if (?:i |we |there |anything |you |it )?.*\b(?:any|anything|need|changes)\b"
)
#: What an order may begin with: "*just* read it and make sure ...".
_SOFTLY: Final = table("please pls just also then look call")
_SAID: Final = re.compile(r", (?:said|says|wrote|writes) \w+")
_HIM: Final = "(?:me|us|him|her|them)"
_IT: Final = "(?:it|this|that|these|those|the)"
_WHOM: Final = r"\w+(?: \w+){0,2}?"
#: With these words, verbs of talk, feeling and being are acts.
_ACT: Final = re.compile(
    alternatives(
        rf"""
        put (?!up\b|yourself\b) | set (?:up|aside|a|my|your|{_HIM}|{_IT})\b
        | get (?:with|back|in touch|together|someone|your|my|our|rid|a|{_HIM}|{_IT})\b
        | give (?:{_HIM}|{_IT}|\w+ (?:a|my|your|{_IT}))\b
        | let(?:ting)? (?!me\b|us\b|you\b){_WHOM} know\b | let (?:me|us) have\b
        | have (?!fun|no\b|the\b|any|some|you\b|your\b|been\b|had\b|to\b|an?\b)[\w.]+
          (?: \w+)? (?!you|been|to\b|for\b|in\b|and\b|a\b|on\b|of\b|that\b)\w+
        | leave (?:a|your|{_HIM}|{_IT})\b | tell (?:him|her|them|[\w.]+ (?:to|that|about|i)\b)
        | help (?:with|out|{_IT}|{_HIM}(?! by\b))\b | take (?:care of|a look|over|off|out|{_HIM}|{_IT})\b
        | make (?:sure|the|this|that|these|those|any|a (?:copy|note|list|reservation|change)|copies|changes
          |arrangements)\b
        | see (?:if|whether|what|about|to it)\b | find out\b
        | be sure (?!to\b)\w | (?:speak|talk) (?:to|with)\b | go (?:ahead and|over|through|to|by)\b | do (?:a|{_IT})\b
        | (?:advise|handle|use|start|begin|allow|ensure|include|consider|encourage|follow up|manage the)\b
        """
    )
)
#: Requests for nothing that can be completed.
_NO_ACT: Final = re.compile(
    alternatives(
        r"""
        (?:note|accept|excuse|forgive|feel|be(?! sure\b)|disregard|ignore|understand|remember|enjoy|stay|wait|hold
          |pardon|stop|believe|imagine|remain|visit|click|refer|come|think|hear|like|love|need|want|know|hope|guess
            |bear|join|please|spot
          |thank|congratulate|wish|welcome|trust|expect|recall|realize|assume|rest|relax|picture|pretend|don't|not|never
          |delete|pray|beware|act|recognize|say|attend|rsvp|also|continue|plan|suggest|step(?! (?:by|into)\b)|hurry)\b
        | get (?:him|her|us|me|them) out of here\b | give (?:me|us) your hand\b
        | see(?! (?:if|whether|what|about|to it)\b) | see what (?:happens|\w+ do(?:es)?)\b
        | find(?! out\b) | (?:put|keep|have|take|bear)\b.* in mind\b
        | (?:take|have) (?:care|it easy|your time|a seat|a (?:\w+ )?(?:day|weekend|trip|time|drink|beer))\b(?! of)
        | tell (?:me|us) (?:you|that|it|more|about|how|what|why|something)\b | make (?:me|us|it|my|your)\b
        | tell (?!me\b|us\b)\w+ (?:that )?(?:i|we|it)\b
        | look at (?:this|these|that)\b(?!.*\b(?:and|when|if|before|by|for)\b)
        | hand (?:me|us)\b | pass (?:me|us|the)\b | let (?:go|it go|it be|me go|us go)\b
        | give (?:\w+ )*(?:regards|best|love|hugs?|kiss(?:es)?|thought|break|hell|time|thanks|shot|try)\b
        | (?:say|send|pass|give|tell)\b.*\b(?:hi|hello|regards|best wishes|love|greetings|condolences)\b
        | (?:call|contact|e-?mail|page|reach|ask|let|phone|give|see|advise|reply|respond|write)\b.*\b
          (?:any|further|additional|more|with|you have|have) (?:\w+ ){0,2}
          (?:questions?|comments?|concerns?|problems?|issues?|suggestions?|information|trouble|help|assistance
            |details)\b
        | get (?:over|out of here|well|some|a (?:life|grip|room))\b | (?:go|get) (?:ahead and )?(?:have|enjoy)\b
        | use (?:your|caution|care|discretion|common)\b | help (?:yourself|but)\b
        | (?:copy|paste|highlight|type|enter|click|make sure|be sure)\b.*\b(?:browser|hyperlink|url)\b
        | let (?:me|us) know\b | (?:e-?mail|write|text) me\W*\Z
        | (?:respond|reply) to [\w.@ -]+ ?\.?\Z
        """
    )
)
#: Beginnings of clauses that tell the reader to do something.
_ORDERS: Final = re.compile(
    r"(?:also |just |then |now |quickly )*(?P<act>"
    + alternatives(
        rf"""
        (?:call|phone|page|e-?mail|fax|ring) {_HIM}\b(?! an? (?!call)| old| crazy| with any)
        | give {_HIM} (?:a (?:quick )?(?:call|ring|shout|buzz|copy)|your|those|these|the)\b
        | (?:send|forward|fax|e-?mail|get|bring|print|mail) (?:{_HIM}|it|this|that)\b
        | (?:take a (?:quick )?look|look) (?:at|into|over) (?:my|your|how|what|{_IT})\b
        | have [\w.]+ (?:call|send|e-?mail|give|get|check|contact|fax|bring|do|put|set|fix|make|change)\b
        | call (?!it\b|this\b|the\b|that\b)\w+ (?:to|about|at|on)
        | (?:figure|find) out (?:how|what|if|whether|who|when|where)\b
        | ask (?!god\b)[\w.]+ (?:to|if|about|for|whether|what|when|where)\b | make sure (?:that |to )?(?!you)\w
        | let (?!you\b){_WHOM} know\b | tell (?:him|her|them|[\w.]+) (?:to|that|i|we)\b
        | tell (?:me|us) (?:the|your|if|whether|when|where|who)\b
        | (?:check|talk|speak|coordinate|work|get) with (?!you|yourself|me\b) | talk to (?!y(?:ou|a\b)|me\b|god\b)\w
        | add [\w.]+ to\b
        | see (?:if|whether|what) (?!you (?:like|think|want|need)\b)\w+ | see me (?:about|on|when|before|after)\b
        | remind (?:{_HIM}|[\w.]+) (?:to|about|that)\b
        | do (?:this|that|it)\b
        | (?:schedule|add|review|sign|draft|prepare|put|set up|change|cancel|update|remove|include
          |copy) (?:{_HIM}|{_IT})\b
        """
    )
    + ")"
)
#: "I'll call", "will forward": at the beginning of a clause, the subject is always the author.
_WILL: Final = re.compile(
    r"(?:i(?:'ll| will| shall)|will|we(?:'ll| will)(?= (?:get back|follow up|clear up"
    r"|check with|let you know|call (?:you|him|her|them)(?! individually))\b)) "
    r"(?:also |then |definitely |certainly |gladly |try and |go ahead and |have to )*(?P<act>"
    + alternatives(
        r"""
        (?:clear up|phone|page|e-?mail|fax|forward|send|resend|re-send|mail|bring
          |ask(?! you\b)|reserve|book|double-?check|verify
          |follow up|check|review|contact|find out
          |update|prepare|draft|revise|handle|reply|respond|get back(?= (?:to|with)\b)|get with
          |touch base|drop|print|sign|submit
          |return(?! (?:to|from|home|on|at|in|by(?! (?:mail|post|courier|e-?mail|fax)\b)|next|this
            |tomorrow|today|later|soon|early|monday|tuesday|wednesday
            |thursday|friday|saturday|sunday)\b|\W*\Z)
          |order|arrange|schedule|set up|add|put|fix|finish|complete|tell|discuss|provide|start working)\b
        | call(?! it\b) | talk to (?!you\b|ya\b) | speak (?:to|with)\b
        | look (?:into|at|over|for)\b | work (?:on|with)\b | take (?:care of|a look)\b | see (?:if|about)\b
        | make (?:sure|the|those|these|a copy|copies|arrangements|reservations|changes)\b | let \w+(?: \w+)? know\b
        | give (?!me\b|us\b)\w+\b
        | get (?:you|him|her|an?)\b | get (?:it|them|this|that|the [\w ]+?) (?:to|over|out|done|sent|fixed|set|back)\b
        | pass (?:it|this|that|them|along)\b | try to (?:call|get|find|send|have)\b
        | be (?:sending|forwarding|faxing|calling|e-?mailing|mailing|bringing|contacting|depositing|wiring|shipping
          |delivering|working on)\b
        """
    )
    + ")"
)
#: "I should have it by noon": only with a day. "We plan to have a call on Sunday" announces it.
_EXPECTED: Final = re.compile(
    r"(?:i|we) (?:should|expect to|plan to) (?P<act>(?:have|get|finish|send|complete) "
    r"(?!(?:\w+ ){1,3}(?:call|meeting|session|review|lunch|dinner|party)\b)"
    rf"(?:an?|you|your|something|answers?|my|our|them|{_IT})\b.*)"
)
_INFORMATION: Final = alternatives(
    """
    address(?:es)? | e-?mails? | numbers? | information | info | details | copy | copies | lists? | schedule | status
    | calendar | contacts? | names? | maps? | keys? | photos? | pictures? | documents? | memo | template
    | receipts? | versions? | dates? | figures | updates? | news | resume | files? | report | model | spreadsheet
    | agreement | contract | draft | form | invoice | data | thoughts | preference | ideas? | suggestions?
    | comments | recommendations? | time (?:to|for)
    """
)
#: Questions that ask for an answer, or for a thing that the author lacks.
_QUESTIONS: Final = re.compile(
    "(?P<act>"
    + alternatives(
        rf"""
        do you (?:(?:happen to|still|also|already|by chance|guys|all|ever) )*
          have (?:an?|any|his|her|their|our|more|some|my|{_IT})(?: [\w'/-]+){{0,4}}? {_INFORMATION}\b
        | (?:is there )?any (?:news|word|luck|updates?|progress|feedback|thoughts|comments) (?:on|about|from|yet|\.
          |\?)(?!\w)
        | what(?:'s| is) the (?:status|latest|word|update) (?:of|on|with|for|about)\b
        | where (?:do we stand|are we|do things stand) (?:on|with)\b
        | were you able to\b
        | did you (?:ever )?(?:find out|hear back|(?:talk|speak) (?:to|with)|get (?:a )?hold of|reach)\b
        | (?:can|could|may|might|shall) we (?:please |also |just |possibly )?
          (?:meet|talk|speak|discuss|get together|set up|schedule|have a|review|change|move|add|visit)\b
        | do you (?:happen to )?know [\w']+ {_INFORMATION}\b
        | do you (?:happen to )?know (?:any|who|whom|where|when|whether|if|which|what|how (?:to|many|much|long))\b
          (?! (?:i|that) (?:mean|am|means)\b)
        | (?:i|we)(?:'d| would) (?:(?:really|greatly|very much) )?appreciate (?:an?|any|the|some)\b(?! help\b)
        | (?:i|we)(?:'d| would)? (?:(?:also|still|really|just|both) )?(?:need|like) (?:to have )?
           (?:an?|my|our|two|one|\d+|{_IT}) (?:[\w/'()-]+ ){{1,8}}?(?:set up|sent|done|(?:add|chang|remov|fix|mov|enter
          |creat|approv|sign|correct|print|process|schedul|updat|deliver)ed)\b
        | (?:i|we)(?:'d| would) (?:like|love|welcome) (?:any|some|your) (?:feedback|comments|input|help|thoughts)\b
        | (?:which|what|who|where|when|how)(?: \w+){{0,3}} should (?:i|we)\b
        | do you (?:want|need) (?:me|us) to\b | (?:how )?would you (?:still )?like (?:me|us) to\b | do you prefer\b
        | are you (?:still )?planning (?:to|on)\b
        | is (?:this|that|it) (?:correct|right|the case)\b
        | (?:i |we )?(?:do |just |still |really |also )*need (?:your|{_IT}) .*\b(?:asap|as soon as possible)\b
        | (?:i|we)(?:'d| would| will|'ll)? (?:like|need|want) to
          (?: (?:talk|speak|meet|sit down) (?:to|with) you| get together| discuss)\b
        | (?:can|could|may) i (?:please |also |just )?
          (?:get|have|see|borrow|come|use|sign|send|copy|bring|call|grab|talk|speak)\b
        | have you (?:received|reviewed|signed|executed|finished|completed|decided|talked|spoken|heard (?:back|from))\b
        | (?:i|we) need to know\b | should (?:i(?! (?:ask|say)\b)|we|this|that|these|the)\b
          (?!.*, or |.*\b(?:i|we|he|she|they)(?:'ll| will)\b|.* please\b)
        | any chance (?:we|i|you) (?:can|could)\b
        | what(?:'s| is| are) (?:the|your|his|her|their|our) (?:\w+ ){{0,2}}?
          (?:{_INFORMATION}|costs?|prices?|rates?|estimate|basis|deadline|eta|amount|volumes?)\b
        | would it be possible to\b | (?:i|we)(?:'d| would)? (?:like|need) (?:to have )?access to\b
        | any (?:help|assistance|details|information|info|advice) .*\bappreciated\b
        | which (?:\w+ ){{0,3}}?do you (?:think|want|prefer|need|suggest|recommend)\b
        | what (?:\w+ ){{0,3}}?do you (?:prefer|need|suggest|recommend)\b
        | (?:i|we) need your (?:help|assistance|signature|approval|input|advice)\b
        """
    )
    + ")"
)
