"""
A new day for what was promised or asked for before: "make that Wednesday", "mit der Karte wird es leider erst
Mittwoch", "I can't send the map before Wednesday", and by whom it is for: "Wednesday is fine for the map".

Alone such a sentence promises nothing: the fold only moves what is owed in the same conversation.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from consumer.understanding import phrases
from consumer.understanding.grammar import CLOSING, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.statements import Due


class NewDay(NamedTuple):
    """``thing`` "" for what was spoken of just before."""

    thing: str
    due: Due


def find(reading: SentenceReading) -> NewDay | None:
    coming = reading.coming
    if len(coming) == 1 and coming[0].due and _CORRECTED.fullmatch(reading.text.replace(coming[0].due.words, "")):
        return NewDay("", coming[0].due)
    if reading.is_question or len(coming) != 1 or len(reading.dates) != 1 or reading.condition:
        return None
    # "It won't be ready on Wednesday" names no new day.
    if _WILL_NOT.intersection(reading.words) and not not_before(reading):
        return None
    due = coming[0].due
    forms = _FORMS.get(reading.lexicon.words.code)
    # "Sorry Tom, it'll be Wednesday."
    begins = dict.fromkeys((0, reading.begin))
    match = next((hit for n in begins if forms and (hit := forms.match(_without_day(reading, n)))), None)
    if due is None:
        return None
    if match is None:
        return _delayed(reading, due)
    things = [name for name, value in match.groupdict().items() if name.startswith("t") and value]
    return NewDay(match[things[0]].strip() if things else "", due)


_DAY: Final = "\u00a7"
#: "*Friday": what the message just before should have said.
_CORRECTED: Final = re.compile(r"\s*\*\s*(?:on |am |by )?\W*", re.IGNORECASE)


def _delayed(reading: SentenceReading, due: Due) -> NewDay | None:
    """A definite thing, a day, and words that tell of a delay or allow one, in whatever order: "no rush, I only need
    the map by Wednesday", "les plans ne seront prêts que mercredi".
    """
    code, words = reading.lexicon.words.code, reading.words
    cue = _DELAYS.get(code)
    kept = [n for n, word in enumerate(words) if n not in reading.dated and word not in CLOSING]
    match = cue.search(" ".join(words[n] for n in kept)) if cue and len(words) <= _LONGEST else None
    rest = match.string[: match.start()] + match.string[match.end() :] if match else " ".join(words)
    denied = not reading.lexicon.words.negation.isdisjoint(rest.split())
    if (denied or match is None) and not (denied and not_before(reading)):
        return None
    within = kept[len(match.string[: match.start()].split()) :][: len(match[0].split())] if match else ()
    first = next((n for n in kept if n not in within and _is_definite(reading, n) and _is_noun(reading, n + 1)), -1)
    # "The map is done, we meet on Wednesday" gives the map no day.
    day = min(reading.dated)
    if first < 0 or not (CLOSING | {","}).isdisjoint(words[min(first, day) : max(first, day)]):
        return None
    end = next((n for n in range(first + 1, len(words)) if not _is_noun(reading, n)), len(words))
    item = phrases.find(reading, first, end)
    return NewDay(item.text, due._replace(before=False)) if item.text and item.first <= first + 1 else None


def _is_definite(reading: SentenceReading, n: int) -> bool:
    """Whether the word is an article; the "la" of "je te la dépose" is none."""
    before = reading.words[n - 1] if n else ""
    return reading.words[n] in _DEFINITE[reading.lexicon.words.code] and before not in _READERS


_READERS: Final = table("te t vous ti vi te le les os lhe me m")


def _is_noun(reading: SentenceReading, n: int) -> bool:
    """Whether a word may belong to a thing's name."""
    words = reading.words
    return n < len(words) and n not in reading.dated and words[n] not in CLOSING | {","} and words[n] not in _VERBS


_VERBS: Final = table(
    """
    is are will would have has be hat haben ist sind wird werden kommt kommen kann reicht reichen est sont sera seront
    es son será está estão fica ficam è sono sarà vanno va gaat wordt lukt kan komt mogen mag krijg krijgt zijn worden
    zitten liggen komen kunnen
    """
)
#: More words tell of more than one thing.
_LONGEST: Final = 24
_DEFINITE: Final = {
    "en": table("the your my"),
    "de": table("der die das den dem"),
    "fr": table("le la les l"),
    "es": table("el la los las"),
    "pt": table("o a os as"),
    "it": table("il lo la i gli le l"),
    "nl": table("de het"),
}
_DELAYS: Final = {
    code: re.compile(rf"(?<!\w)(?:{cues})(?!\w)")
    for code, cues in (
        (
            "en",
            r"slip\w*|delay\w*|late|postpon\w*|push\w* back|take your time|no (?:rush|stress|hurry)"
            r"|only need|is (?:fine|ok|okay|early enough|soon enough)|works(?: too| just as well)?|have to wait",
        ),
        (
            "de",
            r"erst|verschieb\w*|verzöger\w*|verspät\w*|(?:reich|genüg)(?:t|en)|kein stress|keine eile|hat zeit",
        ),
        (
            "fr",
            r"n(?:e)? (?:\w+ ){1,6}que|seulement|repouss\w*|retard\w*|décal\w*|prends ton temps"
            r"|pas de souci|suffi\w*|ça ira|ira très bien|convient|me va",
        ),
        ("es", r"retras\w*|sin prisa|(?:me )?va bien|(?:me )?viene bien|está bien|basta|tranquil\w*|sólo|solo"),
        ("pt", r"só|atras\w*|adia\w*|sem pressa|pode ser|tudo bem"),
        (
            "it",
            r"solo|soltanto|ritard\w*|slitt\w*|rimandat[oaie]|(?:va|vanno) bene|senza fretta|con calma|basta"
            r"|tranquill\w*",
        ),
        ("nl", r"pas|later|uitgesteld|vertra\w*|geen haast|(?:mag|mogen) ook|is prima|vroeg genoeg"),
    )
}


def other_day(reading: SentenceReading) -> Due | None:
    """English: the day of "can't tomorrow, but Thursday works", which accepts for another day than was asked for."""
    due = reading.dates[-1].due if len(reading.dates) in (1, 2) else None
    if due is None or reading.lexicon.words.code != "en" or reading.is_question:
        return None
    return due if _OTHER_DAY.fullmatch(_without_day(reading, 0)) else None


_OTHER_DAY: Final = re.compile(
    rf"(?:i )?(?:can't|cant|cannot)(?: do| make)? {_DAY} (?:, )?(?:but )?(?:(?:i )?(?:can|could)(?: do| make)? )?"
    rf"{_DAY} (?:works|is (?:fine|ok|okay|good|better))(?: for me| better| though)? (?:[.!] )?"
)


def not_before(reading: SentenceReading) -> Due | None:
    """The day of what its author cannot do before or until it: "I can't send the map until Wednesday"."""
    day = reading.dates[0] if len(reading.dates) == 1 else None
    if day is None or day.due is None or reading.condition:
        return None
    until = _UNTIL.get(reading.lexicon.words.code, frozenset())
    is_first = day.due.before or not until.isdisjoint(reading.words[n] for n in reading.dated)
    return day.due._replace(before=False) if is_first else None


_WILL_NOT: Final = frozenset({"won't", "can't"})
#: Behind a negation, a day with one of these is the first one on which it may be.
_UNTIL: Final = {
    "en": frozenset({"until", "till", "til"}),
    "de": frozenset({"vor"}),
    "fr": frozenset({"avant"}),
    "es": frozenset({"hasta"}),
    "it": frozenset({"fino"}),
    "nl": frozenset({"voor", "vóór", "tot"}),
}


def _without_day(reading: SentenceReading, begin: int) -> str:
    """The words from ``begin`` on: a sign for the day, another for words that tell of a change, none for courtesies."""
    kept = list[str]()
    for n, word in enumerate(reading.words[begin:], begin):
        sign = _DAY if n in reading.dated else _CHANGED if word in _NEW else word
        if word in _SOFT and n not in reading.dated:
            continue
        if kept[-1:] != [sign] or sign not in (_DAY, _CHANGED):
            kept.append(sign)
    while kept and kept[0] in {",", ".", "-", "!", ":"}:
        kept.pop(0)
    return " ".join(kept) + " "


_CHANGED: Final = "\u00b1"
#: What says that it was to be another day.
_NEW: Final = table(
    "instead doch erst toch pas finalement plutôt seulement afinal mejor solo sólo só solamente soltanto"
)
#: Beside them, words that tell nothing here.
_SOFT: Final = table(
    """
    sorry unfortunately sadly now only probably actually afraid leider nun jetzt wohl voraussichtlich dann entschuldige
    entschuldigung tut désolé désolée malheureusement hélas donc lamentablemente perdona disculpa infelizmente desculpa
    desculpe purtroppo scusa scusate helaas nu wel dus
    """
)


def _forms(*several: str) -> re.Pattern[str]:
    things = 0

    def numbered(_: re.Match[str]) -> str:
        nonlocal things
        things += 1
        return rf"(?P<t{things}>(?:[^\W\d_][\w'-]* ){{1,4}}?)"

    text = "|".join(several).replace("DAY", rf"(?:{_CHANGED} )*{_DAY} (?:{_CHANGED} )*")
    text = re.sub(r"THING ", numbered, text)
    return re.compile(rf"(?:{text})(?:i'm )?(?:[,.;:!()\u2013\u2014-]|\Z)")


_FORMS: Final = {
    "en": _forms(
        r"make (?:that|it) DAY",
        r"(?:it'll|that'll|(?:it|that|this) will|(?:it's|that's) going to) (?:have to )?(?:be|come|arrive|follow) DAY",
        rf"{_DAY} {_CHANGED} ",
        r"(?:(?:the|your|my) )?(?!(?:i|we|you|he|she|it|they|there|this|that|who|which|what|all|everything|not) )"
        r"THING (?:will|'ll|is going to|are going to) (?:have to )?"
        r"(?:be|come|arrive|follow|wait|be ready|be there|be with you) (?:more like |until |till )?DAY",
        r"(?:the|your|my) THING won't (?:be|come|arrive|be ready|be there|be with you|be done|be finished) DAY",
        r"(?:the|your|my) THING (?:is|are) (?:delayed|postponed|late|coming) (?:to |until )?DAY",
        r"i(?:'ll| will) (?:manage to|be able to|get to) (?:send|get|give|bring|finish|deliver|return|have)"
        r" (?:you )?(?:the|your|my) THING (?:to you |done |ready )?DAY",
        r"(?:i|we) need DAY(?:for|with) (?:the|your|my) THING ",
        r"you (?:have|'ve got) DAY(?:for|with) (?:the|your|my) THING ",
        r"you can (?:send|give|bring|return) (?:me |us )?(?:the|your|my) THING DAY",
    ),
    "de": _forms(
        r"(?:mit (?:der|dem|den) THING )?(?:wird|wirds|wird's) (?:es|das) DAY",
        r"(?:es|das) wird DAY",
        rf"wird {_CHANGED} DAY",
        rf"{_CHANGED} DAY",
        r"(?:der|die|das|dein|deine|ihr|ihre|mein|meine) THING (?:kommt|kommen|folgt|folgen|wird|werden) DAY"
        r"(?:fertig )?",
        rf"(?:der|die|das|den|dein|deine|deinen|ihr|ihre|mein|meine) THING (?:schaffe|schaff|bekomme|kriege) ich"
        rf" (?:dir |ihnen )?{_CHANGED} {_DAY} (?:hin |fertig )?",
    ),
    "fr": _forms(
        rf"(?:{_CHANGED} )?(?:ce|ça) sera DAY(?:pour (?:la|le|les|l|ta|ton|tes|votre|vos) THING )?",
        r"pour (?:la|le|les|l|ta|ton|tes|votre|vos) THING (?:, )?(?:ce|ça) sera DAY",
        rf"(?:disons|mettons) DAY|{_CHANGED} DAY",
        r"(?:la|le|les|l|ta|ton|tes|votre|vos) THING (?:arrive|arrivent|arrivera|arriveront|suivra|suivront"
        r"|sera (?:prête?|là)|seront (?:prête?s|là)) DAY",
        r"je ne (?:peux|pourrai) (?:te |t |vous )?(?:l )?(?:envoyer|donner|rendre|faire|apporter|livrer) que DAY",
        r"je ne (?:peux|pourrai) (?:te |t |vous )?(?:envoyer|donner|rendre|apporter|livrer) (?:la|le|les|l|ta|ton|tes)"
        r" THING que DAY",
        r"il me faut DAYpour (?:la|le|les|l|ta|ton|tes|votre|vos) THING ",
        r"(?:vous avez|tu as) DAYpour (?:la|le|les|l) THING ",
    ),
    "es": _forms(
        r"(?:al final )(?:será|va a ser|es) DAY(?:(?:el|la|los|las) THING )?",
        r"(?:con|para) (?:el|la|los|las) THING (?:, )?(?:será|va a ser) DAY",
        rf"{_CHANGED} DAY|(?:dejémoslo en|que sea|será) DAY",
        r"(?:al final )?(?:el|la|los|las|tu|tus|su|sus) THING (?:llega|llegan|llegará|llegarán|irá|irán"
        r"|estará(?:n)?(?: list[oa]s?)?) DAY",
        rf"{_CHANGED} (?:puedo|podré) \w+ (?:el|la|los|las|tu|tus) THING DAY",
        rf"{_CHANGED} (?:puedo|podré) \w+ DAY",
        r"(?:el|la|los|las|tu|tus|su|sus) THING (?:lo |la |los |las )?(?:tendrás|tendrá usted|tendréis|recibirás) DAY",
        r"(?:al final )?(?:el|la|los|las|tu|tus) THING (?:te|os|se|le) l[oa]s?"
        r" (?:paso|mando|envío|doy|llevo|traigo) DAY",
        r"(?:tienes|tiene|tenéis) DAYpara (?:el|la|los|las) THING ",
    ),
    "pt": _forms(
        rf"(?:{_CHANGED} )+(?:será|vai ser|fica|passa) (?:para )?DAY",
        r"(?:que seja|fica para|passa para) DAY",
        rf"{_CHANGED} DAY",
        rf"(?:{_CHANGED} )?(?:o|a|os|as) THING (?:{_CHANGED} )?(?:chega|chegam|chegará|chegarão|segue|seguem|fica|ficam"
        r"|vai|vão|estará(?: pront[oa])?)"
        r"(?: pront[oa]s?)? (?:para )?DAY",
        r"(?:o|a|os|as) THING (?:vai|vão) (?:ficar|ter que ficar) (?:para |pra )?DAY",
        r"(?:você tem|tens|tem) DAY(?:para|pra) (?:o|a|os|as) THING ",
    ),
    "it": _forms(
        r"(?:alla fine )?(?:sarà|facciamo) DAY",
        r"per (?:la|il|i|le|l|lo|gli) THING (?:, )?(?:sarà|facciamo|ci vorrà fino a) DAY",
        r"(?:alla fine )?(?:la|il|i|le|l|lo|gli) THING (?:arriva|arrivano|arriverà|arriveranno|sarà(?: pront[oa])?"
        r"|slitta)(?: a)? DAY",
        rf"(?:te |ve |glie)?(?:lo|la|li|le) posso \w+ {_CHANGED} {_DAY} ",
        r"hai DAYper (?:la|il|i|le|l|lo|gli) THING ",
    ),
    "nl": _forms(
        rf"(?:het |dat |die )?(?:wordt|komt) (?:{_CHANGED} )+{_DAY} ",
        r"(?:het|dat) wordt DAY",
        rf"{_CHANGED} DAY|maak (?:er|daar) (?:maar )?DAYvan ",
        r"met (?:de|het|je) THING wordt het DAY",
        r"(?:de|het|je|uw|mijn) THING (?:wordt|worden|komt|komen|volgt|volgen) DAY(?:klaar )?",
        rf"(?:de|het|je|uw|mijn) THING lukt {_CHANGED} {_DAY} ",
        r"je hebt DAYvoor (?:de|het) THING ",
    ),
}
