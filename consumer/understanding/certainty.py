"""Signs that a sentence only looks like a promise or a request: what is offered, told to many, or done by the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from consumer.understanding.grammar import SentenceReading
from consumer.understanding.languages.words import phrases
from consumer.understanding.languages.words import words as table
from consumer.understanding.reading import mailwords, messages, salutations
from consumer.understanding.utterances import ME, Person, RecordText
from renderers import persons

#: So many who get a message, the user apart, are a crowd: each of them leaves it to the others. In a chat fewer are,
#: because whoever is in the room reads it without being meant.
CROWD: Final = 4
ROOM: Final = 3
#: An author who writes so many sentences writes a letter to many, an article or instructions; what each of them asks
#: is no loop, unless it has a day or is for its author.
LETTER: Final = 14


def writers_to_many(record: RecordText) -> Collection[Person]:
    """Those who write a letter, to a group, or to all whom they greet. Only of messages: in a talk, somebody says as
    much to one.
    """
    if is_notice(record):
        return {each.author for each in record.utterances}
    if record.source not in _MESSAGES:
        return ()
    first = next((each for each in record.utterances if each.kind == "written"), None)
    if first and salutations.greets_all(first.text):
        return {first.author}
    if len(record.utterances) < LETTER:
        return ()
    if first and salutations.greets_one(first.text) and not _advertises(record):
        return ()
    lines = Counter(each.author for each in record.utterances if each.kind == "written" and len(each.text) > _LINE)
    return {author for author, count in lines.items() if count >= LETTER}


#: A shorter line is a heading or an item.
_LINE: Final = 15


def _advertises(record: RecordText) -> bool:
    """Whether a letter that greets somebody by name sells, as advertising does that merges in the name."""
    return any(mailwords.SELLING.search(utterance.text) for utterance in record.utterances)


def is_crowd(hearers: Iterable[Person], *, chat: bool) -> bool:
    return len({person for person in hearers if person != ME}) >= (ROOM if chat else CROWD)


def is_message(record: RecordText) -> bool:
    return record.source in _MESSAGES


def is_chat(record: RecordText) -> bool:
    """Whether the record is a message of a chat, and no mail, letter or talk."""
    return record.source in _MESSAGES and messages.is_chat(record.thread)


#: Sources in which a record is one message.
_MESSAGES: Final = frozenset({"inbound_messages", "outbound_messages", "agentic_drafts"})


def _has_english(reading: SentenceReading, pattern: re.Pattern[str]) -> bool:
    """Whether it is an English sentence with words of this pattern."""
    return reading.lexicon.words.code == "en" and pattern.search(" ".join(reading.words)) is not None


def is_promotion(reading: SentenceReading) -> bool:
    """English: what advertising says, "sign up today to secure your seat", "share it with friends who may like it"."""
    return _has_english(reading, _PROMOTED)


_PROMOTED: Final = re.compile(
    r"\b(?:sign up|register|enroll?|subscribe|order|buy|shop|apply) (?:today|now|here|(?:at|on|via) (?:https?|www))\b"
    r"|\b(?:secure|reserve|book|make) your (?:spots?|seats?|places?|tickets?|reservations?)\b"
    r"|\b(?:pass|forward|share|tell|send|spread|circulate)\b.* "
    r"(?:any ?one|anybody|colleagues|friends|students|others|members|family|networks?|contacts)\b.* "
    r"(?:who|may|might|could|interest\w*|benefit\w*)\b"
    r"|\bplease (?:allow|note) \d|\bfeel free to\b"
    r"|\b(?:be|is|are) entered (?:in|into)\b|\b(?:win|receive) a (?:free|complimentary)\b|\bcomplimentary\b"
    r"|\bexpress(?:ing)? (?:your |an )?interest\b|\bif interested\b"
    # "Verify your password, or your account will be deleted."
    r"|\byour (?:\w+ )?(?:account|mailbox|access|profile)\b.* (?:be|been|was|is) (?:deleted|suspended|closed"
    r"|deactivated|disabled|blocked|terminated|locked|limited)\b"
    r"|\brush me\b|\b(?:free (?:shipping|trial)|early bird|money back|toll free|special offer|limited time)\b"
)


def is_offered_help(reading: SentenceReading) -> bool:
    """English: "let me know how I can help", "if I have missed something, please tell me", "while I am away, please
    contact Ann": only whoever needs it.
    """
    return _has_english(reading, _OFFERED)


_OFFERED: Final = re.compile(
    r"\A(?:just )?let me know and i\b"
    r"|\bknow (?:where|when) (?:i|we) (?:can|could|may) (?:help|assist|be of)\b"
    r"|\bknow (?:what|how|if|whether)(?: else| more| best)? (?:i|we)(?: can| could| may| might|'ll|'d)\b"
    # "Let me know if we may proceed" waits for an answer.
    r"(?! (?:\w+ )?(?:proceed|go ahead|start|begin|send|sign|book|order|pay|close|publish|release|share|count on)\b)"
    r"|\bknow (?:if|whether) (?:this|that|it) (?:helps|helped|answers|makes sense|clarifies"
    r"|(?:is|sounds) (?:too|confusing))\b"
    r"|\bknow (?:if|whether) there(?:'s| is| are)? (?:anything|something|any)\b"
    r"|\bif (?:i|i'm|i've|we|we're|we've) (?:am |are |have )?"
    r"(?:missing|missed|wrong|mistaken|incorrect|misunderst\w+|misread|over\w+ing|bothering)\b"
    r"|\b(?:while|when) (?:i am|i'm|we are|we're) (?:out|away|gone|absent|on (?:vacation|leave|holiday))\b"
    r".*\b(?:contact|reach|see|refer|direct)\b"
    r"|\b(?:in|during) (?:my|our) (?:absence|leave|vacation|holiday)\b.*\b(?:contact|reach|see|refer|direct)\b"
    # "I would appreciate your help in advance" only thanks, "I'll call you to see if you need anything" only offers.
    r"|\b(?:appreciate|thank|thanks|grateful)\b(?!.*\b(?:if|can|could|will|would) you\b)[^,;]* in advance\b(?!.*,)"
    r"|\b(?:call|phone|ring|write(?: to)?|e-?mail|text|contact|visit|(?:back|in) with) you\b[^,;]{0,40} "
    r"to (?:see|ask|find out|check) (?:if|whether) you(?:'d| would| might| may| do| still)? "
    r"(?:have (?:\w+ )?(?:questions?|problems?|concerns|comments)|need|want|like|are interested|wish|require)\b"
    r"|\byou(?:'ll| will) have to tell (?:me|us) (?:all |everything )?about\b"
    r"|\byou (?:can|could|may) (?:\w+ ){0,2}(?:give|send|drop|leave|bring|hand|mail|e-?mail|fax) "
    r"(?:(?:it|them|this|these|that|those) \w|(?:me|us) (?:it|them|this|these|that|those)\b)"
    r".* and (?:i|we)(?:'ll| will)\b"
    r"|\bdrop (?:me|us) an? ?(?:line|note|mail|e-?mail|message)\b|\bif ,? ?you (?:are|will be) (?:unable|not able)\b"
)


def is_told_to_all(clause: str) -> bool:
    """English, from the verb on: what stands below mails of a house, or in their instructions."""
    return _TOLD_TO_ALL.match(clause) is not None


_TOLD_TO_ALL: Final = re.compile(
    r"(?:respect|honou?r|maintain|keep|treat)\b.* (?:confidential\w*|privacy)\b"
    r"|(?:notify|inform|contact|advise|tell) the (?:sender|originator)\b"
    r"|(?:delete|destroy|discard)\b.* (?:e-mail|email|message|communication|copies|attachments?)\b"
    r"|add\b.* to your (?:address book|contacts|safe senders?)\b"
    r"|(?:check|chk|watch) your (?:e-?mails?|inbox|mailbox|mail|voice ?mail)\b"
    r"|read\b.* (?:carefully|thoroughly|before you)\b|read (?:this|the following) (?:important|notice|information)\b"
    r"|(?:consider|think of) the (?:environment|planet)\b|update your (?:records|address books?)\b"
    r"|rate (?:your|our|the|his|her|their)\b[^.;]{0,30}"
    r"\b(?:stay|visits?|experience|services?|purchases?|orders?|work|apps?|products?|website|support|performance)\b"
    # "Please pay attention to page 2", "take this into account", "keep in mind that ...": nothing is to be done.
    r"|pay (?:\w+ )*(?:attention|note|heed)\b"
    r"|take\b[^.;]{0,40} (?:into|under) (?:consideration|account|advisement)\b"
    r"|(?:keep|bear|have)\b[^.;]{0,40} in mind\b"
    r"|(?:print|keep|retain|save) (?:this|a copy)\b[^.;]{0,40} for (?:your|future) (?:own )?"
    r"(?:records|reference|files|use)\b"
    r"|take\b[^.;]{0,20} (?:moments?|minutes?|time)\b[^.;]*\b(?:survey|poll|questionnaire|quiz)\b"
    r"|(?:refer|direct|address|bring|route|submit) (?:all|any|further|other)\b[^.;]{0,40} ?"
    r"\b(?:questions|inquiries|enquiries|queries|concerns)\b[^.;]* to\b"
    r"|(?:send|direct|address|submit|forward|report|mail|e-mail|email) "
    r"(?:all |any |your |any and all |us |mailing list )*"
    r"(?:inquiries|enquiries|queries|orders|bids?|bugs?|bug reports?|problems|comments|suggestions|questions|"
    r"subscriptions?|requests|submissions|contributions|donations|mail|e-mails?|emails?) ?"
    r"(?:, [\w ]+ |and [\w ]+ |or [\w ]+ |,)?(?:to|at|:|and|with)\b"
    r"|(?:contact|call|e-mail|email|see|visit|phone) (?:the|our|your)\b[^.;]*? "
    r"(?:cent(?:er|re)|help ?desk|support|hotline|services?|representatives?|department|webmaster|administrator)\b"
    r"|(?:contact|call|e-mail|email|see|phone)\b[^.;]* for (?:the|a|any|your)\b[^.;]{0,30} ?"
    r"\b(?:numbers?|passcodes?|passwords?|directions|dial-in|reservations?|tickets|access)\b"
    r"|(?:contact|call|e-mail|email|see|visit|phone|write)\b[^.;]* to "
    r"(?:make a (?:\w+ )?(?:donation|reservation|payment|contribution)|donate|register|sign up|order|volunteer"
    r"|purchase|rsvp|join|participate|reserve|enroll|subscribe|learn more|attend)\b"
    r"|(?:circulate|distribute|forward|pass|send)\b[^.;]* to (?:any(?:one| other| others)?|all (?:of )?your|as many)\b"
    r"|(?:read|see|visit|check|view|browse) (?:our|us)\b"
    r"|(?:fill (?:out|in)|take|complete|answer) (?:this|our|the|a|your)\b"
    r"[^.;]{0,30} (?:survey|poll|questionnaire|quiz)\b"
    r"|(?:click|dial|press|scroll|rsvp|unsubscribe|log (?:in|on|into|onto|off|out))\b"
    r"|(?:circulate|distribute|forward|pass|share)\b[^.;]* "
    r"(?:interested|concerned|affected) (?:parties|people|persons|staff)\b"
    r"|(?:reinstall|restart|reboot|update|upgrade) your (?:machine|computer|pc|browser|software|add-in|client)s?\b"
    r"|(?:send|direct|address|submit|report) (?:all |any )(?:inquiries|enquiries|queries|orders|bugs?|problems)\b"
    r"|(?:report|submit) (?:bugs?|bug reports?|problems|bids?)\b"
)


def is_for_whoever(reading: SentenceReading) -> bool:
    """English: "a copy to anyone who asks", "to the first ten people who write": nobody in particular."""
    return _has_english(reading, _WHOEVER_GETS_IT)


_WHOEVER_GETS_IT: Final = re.compile(
    r"\b(?:to|for|with) (?:anyone|anybody|whoever|whomever|everyone who|everybody who|those who|people who|all who"
    r"|the first (?:\w+ )?(?:people|persons|readers|callers))\b"
)


def is_of_another(reading: SentenceReading, place: int) -> bool:
    """English: whether a "will" without a subject has another one than the author: "Ann is ill *and will* send it",
    "he is not sure, *so will* call you"; "was away, *so will* send it" and "that works, *will* send it" are the
    author's.
    """
    if place <= reading.begin or reading.words[place] != "will" or reading.words[place - 1] not in {"and", "so", "but"}:
        return False
    opening = reading.words[reading.begin : reading.begin + 1]
    first = reading.begin + (opening in (("was",), ("were",)))
    before = {word.partition("'")[0] for word in reading.words[first:place]}
    names = any(map(reading.capital, range(reading.begin + 1, place)))
    return before.isdisjoint(("i", "we")) and (names or not before.isdisjoint(_OF_OTHERS))


#: Another subject, or the verb of one: "the plan is ready and will give us room".
_OF_OTHERS: Final = table("is are was were has will would should can the this that these those it he she they")


def is_step_of_text(reading: SentenceReading, first: int, start: int, verb: str) -> bool:
    """English: what the text itself does next: "I'll explain", "then I will introduce the speakers"."""
    if reading.lexicon.words.code != "en":
        return False
    if verb in _EXPLAINING:
        return True
    return not _STEPS.isdisjoint(reading.words[max(0, first - 2) : start]) and verb in _PRESENTING


_EXPLAINING: Final = frozenset({"explain", "go over", "outline", "answer", "describe", "cover"})
_PRESENTING: Final = frozenset(
    {"introduce", "present", "show", "give", "ask", "move", "read", "start", "open", "close"}
)
_STEPS: Final = table("first second third then next finally lastly afterwards")


def is_offer_to_whom_it_may_concern(reading: SentenceReading, span: tuple[int, int]) -> bool:
    """English: "if anyone wants it", "if you like", "if I ever get round to it": nobody has taken the offer up."""
    words = reading.words[span[0] : span[1] + 1]
    if reading.lexicon.words.code != "en" or words[0] not in ("if", "should", "when", "whenever", "once"):
        return False
    wanted = not _WANTING.isdisjoint(words) and not _WANTERS.isdisjoint(words)
    return not _WHOEVER.isdisjoint(words) or wanted or "ever" in words


#: "If you have questions, I'll call": help is offered by the same words.
_WANTING: Final = table(
    "want wants like wish wishes prefer interested care fancy question questions problem problems concerns trouble"
)
_WANTERS: Final = table("you you're you'd people they they're they'd folks others u")
_WHOEVER: Final = table("anyone anybody someone somebody people there's")


def is_fronted_by_purpose(reading: SentenceReading, place: int) -> bool:
    """English: "for reimbursement of a ride, please ...": whoever wants it."""
    front = " ".join(reading.words[reading.begin : place])
    return reading.lexicon.words.code == "en" and _PURPOSE.match(front) is not None


_PURPOSE: Final = re.compile(
    r"(?:to the extent\b"
    r"|for (?:\w+ )?(?:reimbursement|registration|payment|admission|cancellation|participation|delivery"
    r"|information|assistance|access|refunds?|membership|enrollment|reservations?|tickets|inquiries|bookings?)\b).*,"
)


def is_notice(record: RecordText) -> bool:
    """Whether a header names a list, or a mailbox that many read: "All Houston", "members@...", "Harbour News 2026"; or
    no person wrote the mail, "Office of the Chairman", or is named as its recipient, "harbour.desk@..."; or nobody but
    its author is.
    """
    if record.source not in _MESSAGES:
        return False
    return any(_is_group(person) for person in record.people) or (not is_chat(record) and _is_of_office(record))


def _is_of_office(record: RecordText) -> bool:
    """Whether a mail to the user is by no person, or only to what is none; "info@..." may be the user."""
    first = next((each for each in record.utterances if each.kind == "written"), None)
    if first is None or first.author == ME:
        return False
    author = first.author
    if author in first.addressees:
        return True
    to = [person for person in record.people if person not in (ME, author)]
    nobody = [person for person in to if not (persons.is_office_box(person.address) or _may_be_person(person))]
    return not _may_be_person(author) or (bool(to) and nobody == to)


def _may_be_person(person: Person) -> bool:
    return persons.is_person(person.name, person.address)


@lru_cache(maxsize=4096)
def _is_group(person: Person) -> bool:
    local = person.address.partition("@")[0] if "@" in person.address else ""
    name, mailbox = (
        re.sub(r"[\W_]+", " ", text.casefold()).strip() for text in (persons.given_first(person.name), local)
    )
    if _NUMBERED.search(name) or _GROUP.search(f" {name} ") or _ALL_OF.match(name):
        return True
    if set(mailbox.split()) <= set(name.split()):
        return False  # "Marie Tous <marie.tous@...>": her own mailbox
    return bool(_GROUP.search(f" {mailbox} ") or _EVERYBODY.search(mailbox))


#: No person's name: "40Harbour", "Harbour News 2026".
_NUMBERED: Final = re.compile(r"^\d+[^\W\d_]|[^\W\d_] (?:19|20)\d\d\b")
_GROUP: Final = re.compile(
    r"\b(?:all|everyone|everybody|employees|staff|members|undisclosed|recipients|subscribers|distribution|worldwide|announce(?:ments?)?"
    r"|newsletter|news|bulletin|mailing list|no address|mitarbeiter|mitglieder|membres|miembros|membros|soci|leden)\b"
    r"| in action |\bl \Z"
)
_WHOLE: Final = r"(?:alle|tous|toutes|todos|todas|tutti|tutte|iedereen)"
#: A name that begins so: "Tous les membres". Behind a given name it is a family's: "Marie Tous".
_ALL_OF: Final = re.compile(rf"(?:to |an |à |a )?{_WHOLE}\b")
_EVERYBODY: Final = re.compile(rf"\b{_WHOLE}\b")


def is_bargain(reading: SentenceReading) -> bool:
    """English: "give me a call and I can tell you the price": what one gets for it, and no errand."""
    return _has_english(reading, _BARGAIN)


_BARGAIN: Final = re.compile(
    r"(?<!you )\bgive (?:me|us) a (?:call|ring|buzz)\b"
    r"|\b(?:and|then) (?:i|we)(?:'ll| will| can| could|'d| would| shall)\b"
)


def is_too_late_or_optional(reading: SentenceReading) -> bool:
    """English: what is too late, or only for whoever wants it: "I was hoping that you would have called", "once it is
    printed, if you'd like to see it, let me know".
    """
    return _has_english(reading, _TOO_LATE_OR_OPTIONAL)


_TOO_LATE_OR_OPTIONAL: Final = re.compile(
    r"\b(?:hop(?:ed|ing)|wish(?:ed|ing)?|thought) (?:that )?you(?:'d| would| could) have \w+"
    r"(?!.*(?:\b(?:can|could|will) you\b|\bplease\b))"
    r"|\bif you(?:'d| would) like to (?:see|have|get|try|read|hear|join|come|go)\b.*\blet (?:me|us) know\b"
)


def ahead_of_courtesy(reading: SentenceReading) -> str | None:
    """The words ahead of a courtesy, which only asks those to get in touch who need something: "avisa-me se precisares
    de ajuda", "bei Fragen melde dich". They may ask for more: "schick mir den Vertrag, bei Fragen ruf an". None without
    a courtesy: with a day, or for a thing, it asks for an answer: "fammi sapere se ti serve una camera". English has
    more forms, see ``is_offered_help``.
    """
    patterns = _COURTESIES.get(reading.lexicon.words.code)
    if patterns is None or reading.coming:
        return None
    folded = " ".join(reading.words)
    hits = [hit for hit in (pattern.search(folded) for pattern in patterns) if hit]
    if len(hits) < len(patterns) or _THING_NEEDED.match(folded, hits[1].start()):
        return None
    place = folded.count(" ", 0, min(hit.start() for hit in hits))
    return reading.text[: reading.tokens[place].start]


#: In a need: an article, and no word for help.
_THING_NEEDED: Final = re.compile(
    r"(?:ob|si|se|of)\b[^,;.]* (?:ein|eine|einen|einem|un|une|una|uno|um|uma|een)"
    r" (?!\w*(?:hilfe|frage|problem|coup|main|aid|ayud|ajud|man[oi]\b|mão|aiut|dubbi|dud|dúvid|domand|pregunt|pergunt"
    r"|hand|vraa|hulp|probl|question|doute))\w+"
)
#: Of each language: words for getting in touch, and words for a need that some may have.
_COURTESIES: Final = {
    code: (re.compile(rf"\b(?:{contact})"), re.compile(rf"\b(?:{need})"))
    for code, contact, need in (
        (
            "de",
            r"(?:meld|sag|ruf|schreib|kontakt|wend|kommen? )\w*|fragt? |mailt? |bescheid|verfügung|wissen",
            r"(?:wenn|falls|sofern|ob|sollten?|soweit) .*\b(?:brauchs?t?|brauchen|benötig\w+|unklar\w*"
            r"|helfen (?:kann|können)|(?:fragen|rückfragen|probleme|zweifel|hilfe|bedarf|interesse)(?: \w+)?"
            r" (?:hast|habt|haben|auf\w+|bestehen|gibt))"
            r"|(?:bei|für) (?:\w+ )?(?:fragen|rückfragen|problemen|unklarheiten|bedarf)\b",
        ),
        (
            "fr",
            r"(?:dis|dites|fais|faites|tiens|tenez|appel|écri|contact|préven|prévien|hésit|joindre|savoir|revenir)\w*",
            r"si .*\b(?:besoin|questions?|doutes?|problèmes?|pas claire?|puis .*aider|peux .*aider|pouvons .*aider)\b"
            r"|(?:pour toute|en cas de|au) (?:besoin|questions?|problème|doute)\b",
        ),
        (
            "es",
            r"(?:aví|avis|d[ií](?:me|nos|gan?me|gan?nos|ces|ga|gas)|hazme|hágame|escríb|escrib|llám|llam|contáct|contact|consult|pregúnt)\w*|quedo|duden?\b",
            r"si .*\b(?:necesit\w+|dudas?|preguntas?|problemas?|hace falta|puedo .*ayud\w+|pued\w+ ayudar\w*"
            r"|no .* claro)\b"
            r"|(?:cualquier|en caso de) (?:duda|cosa|pregunta|problema|consulta|dudas)\b",
        ),
        (
            "it",
            r"(?:fammi|facci|fatemi|faccia|dimmi|dici|ditemi|dica|avvis|scriv|chiam|contatt|telefon|esit|rest|sent)\w*",
            r"se .*\b(?:serv\w+|bisogno|dubbio?|domand[ae]|problem[ai]|non .* chiaro|posso .*aiutar\w*|occorr\w+)\b"
            r"|(?:per )?(?:qualsiasi|qualunque) (?:cosa|dubbio|domanda|problema|chiarimento)\b|in caso di \w+",
        ),
        (
            "pt",
            r"(?:avis|di[zg]|lig|escrev|contat|contact|fal|cham|hesit|disp)\w*",
            r"se .*\b(?:precis\w+|dúvidas?|perguntas?|problemas?|ajuda\w*|necessit\w+|não .* claro)\b"
            r"|(?:qualquer|em caso de) (?:dúvida|dúvidas|coisa|problema|pergunta)\b",
        ),
        (
            "nl",
            r"(?:laat|laten|bel|mail|app|schrijf|meld|neem|hoor|horen|seintje|bericht|contact|weten)\b",
            r"(?:als|indien|mocht|mochten|of) .*\b(?:nodig|vragen (?:hebt|heeft|hebben|zijn)|onduidelijk|hulp"
            r"|kan helpen|problemen)\b|(?:bij|voor) (?:\w+ )?(?:vragen|onduidelijkheden|problemen)\b",
        ),
    )
}


def is_looking(verb: str) -> bool:
    """English: whether a verb only says that somebody will see: "I'll look into it", "I'll figure it out"."""
    return verb in _LOOKING


_LOOKING: Final = frozenset(
    phrases(
        "look into | look at | take a look at | have a look at | check | read | test | investigate | check on | "
        "research | work on | find out | figure out | work out | look up | read through | compare | evaluate"
    )
)


def may_be_forgotten(words: tuple[str, ...]) -> bool:
    """English: "if I don't forget", "if I find the time": a condition that only the author's mood meets."""
    mine = words[0] in ("if", "when", "once") and not {"i", "we"}.isdisjoint(words[1:2])
    return mine and not _FORGETTING.isdisjoint(words)


def may_never_be(words: tuple[str, ...]) -> bool:
    """English: "if I get any other changes", "in case of further delays": what nobody expects."""
    return words[0] in ("if", "should", "in") and not _UNEXPECTED.isdisjoint(words)


_UNEXPECTED: Final = table("any anything additional further else case")
_FORGETTING: Final = table("forget remember time chance energy manage motivated bored")
