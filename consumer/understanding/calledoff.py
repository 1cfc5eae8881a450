"""
Who says that a meeting is off: in words ("I have to cancel the Kestrel review on Thursday"), or by a calendar's message
in the text of a mail.

Which meeting is meant, and whether whoever says so may call it off, the fold decides (``life``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from consumer.understanding import dates, languages
from consumer.understanding.grammar import SentenceReading, lexicon
from consumer.understanding.languages.words import words as table
from consumer.understanding.moments import day_of
from consumer.understanding.reading import messages, names
from consumer.understanding.statements import CalledOff, Quote
from consumer.understanding.text import fold
from consumer.understanding.utterances import COMMITTING, ME, UNKNOWN, Person, RecordText, Utterance
from renderers import calendars
from renderers.base import Item

_MESSAGES: Final = {"inbound_messages": "normalized_text", "outbound_messages": "body_text"}
_CALENDAR: Final = re.compile(r"BEGIN:VCALENDAR.*?(?:END:VCALENDAR|\Z)", re.DOTALL | re.IGNORECASE)
_FOLDED_LINE: Final = re.compile(r"\r?\n[ \t]")
_FIELD: Final = re.compile(r"^(?P<name>[A-Z-]{2,40})(?:;[^:\n]*)?:(?P<value>.*?)\s*$", re.MULTILINE | re.IGNORECASE)
_EVENTS: Final = 20
#: What mail programs write before a subject.
_BEFORE_SUBJECT: Final = re.compile(
    r"\s*(?:(?:re|fwd?|wg|aw|tr|rv|r|sv|antw|invitation|updated invitation|einladung|invitación|invito|convite"
    r"|uitnodiging)\s*:\s*)+",
    re.IGNORECASE,
)
#: When and for whom, as calendars write it behind a title.
_WHEN: Final = re.compile(r"\s@\s(?P<when>.*)\Z", re.DOTALL)
#: Words that leave to the subject of the mail which meeting is meant.
_THIS: Final = table(
    """
    this that it meeting call event appointment invitation session invite today's tomorrow's
    termin meeting besprechung treffen call dieser dieses diese der das die es
    réunion rendez-vous rdv appel cette ce ça cela la le l
    reunión cita llamada esta este esto la el lo
    reunião encontro chamada este esta isto a o
    riunione incontro appuntamento chiamata questa questo la il lo
    vergadering afspraak overleg bijeenkomst deze dit het de our unser unsere notre nuestra nossa nostra onze
    """
)


def statements(item: Item, record: RecordText, region: str) -> Iterator[CalledOff]:
    """Meetings that are called off in a record."""
    field = _MESSAGES.get(item.source_key)
    title, day = "", ""
    sender = ME
    if field:
        sender = next((each.author for each in record.utterances if each.author != UNKNOWN), UNKNOWN)
        sender = ME if item.source_key == "outbound_messages" else sender
        body = item.data.get(field)
        if isinstance(body, str) and "BEGIN:VCALENDAR" in body.upper():
            if item.source_key == "inbound_messages":
                sender = names.person(item.data.get("sender_name"), item.data.get("sender_address"))
            yield from _by_calendar(body, sender)
        title, day, is_off = _subject(messages.subject(item.data), item.local[:10], region)
        if is_off and title:
            yield CalledOff(title, day, "", sender, (Quote(-1, messages.subject(item.data)),))
    for utterance in record.utterances:
        if utterance.kind in COMMITTING:
            yield from _by_words(utterance, title, day, region)


def _by_calendar(body: str, sender: Person) -> Iterator[CalledOff]:
    """The entries that a calendar's message cancels, by their id."""
    for calendar in _CALENDAR.findall(body):
        text = _FOLDED_LINE.sub("", calendar)
        cancels = any(name == "METHOD" and value == "CANCEL" for name, value in _fields(text))
        for event in re.split(r"BEGIN:VEVENT", text, flags=re.IGNORECASE)[1 : _EVENTS + 1]:
            fields = dict(reversed(list(_fields(event))))
            uid = fields.get("UID", "")
            if uid and (cancels or fields.get("STATUS") == "CANCELLED"):
                day = _day(fields["RECURRENCE-ID"]) if "RECURRENCE-ID" in fields else ""
                yield CalledOff(fields.get("SUMMARY", "")[:400], day, uid[:500], sender, (Quote(-1, uid[:500]),))


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for match in _FIELD.finditer(text):
        name = match["name"].upper()
        yield name, match["value"] if name in ("UID", "SUMMARY") else match["value"].strip().upper()


def _day(value: str) -> str:
    match = re.match(r"(\d{4})-?(\d\d)-?(\d\d)", value)
    return f"{match[1]}-{match[2]}-{match[3]}" if match else ""


def _subject(subject: str, said_on: str, region: str) -> tuple[str, str, bool]:
    """(title, day, whether it says that the meeting is off) of the subject of a mail."""
    plain = _BEFORE_SUBJECT.sub("", subject, count=1)
    when = _WHEN.search(plain)
    title = calendars.plain_title(plain)
    is_off = title != plain
    if when:
        title = _WHEN.sub("", title)
    day = _only_day(when["when"], said_on, region) if when else ""
    return title.strip(), day, is_off


def _only_day(text: str, said_on: str, region: str) -> str:
    on = day_of(said_on)
    if on is None:
        return ""
    for code in ("en", "de", "fr", "es", "pt", "it", "nl"):
        days = {due.day for due, _, _ in dates.find(text, on, code, region) if due.basis == "stated"}
        if len(days) == 1:
            return days.pop()
    return ""


def _by_words(utterance: Utterance, title: str, day: str, region: str) -> Iterator[CalledOff]:
    folded = fold(utterance.text)
    said_on = day_of(utterance.day)
    match, code = _words_of_off(utterance, folded)
    if match is None or said_on is None:
        return
    reading = SentenceReading.of(utterance.text, 0, lexicon(code), said_on, region)
    hits = dates.scan(utterance.text, said_on, code, region)
    # "The review on Friday is cancelled, we meet on Monday": the day of what is off.
    hits = tuple(hit for hit in hits if hit.start < match.end()) or hits
    days = {hit.due.day for hit in hits if hit.due}
    # "Last month's review was cancelled" has no day to come.
    past = any(hit.due is None or hit.due.day < utterance.day for hit in hits)
    if past or len(days) > 1 or _is_denied(reading, match) or _is_hearsay(reading, folded, match):
        return
    words = reading.lexicon.words
    meant = _without_dates(reading, match, hits)
    named = [word for word in fold(meant).split() if word not in _THIS and word not in words.articles]
    quotes = (Quote(utterance.number, utterance.text),)
    day_named = days.pop() if days else ""
    if named:
        yield CalledOff(meant, day_named, "", utterance.author, quotes)
    elif title:
        yield CalledOff(title, day_named or day, "", utterance.author, quotes)


def _words_of_off(utterance: Utterance, folded: str) -> tuple[re.Match[str] | None, str]:
    """The words that say so and their language: a short text with a foreign title may be taken for another one."""
    if _HINT.search(folded) and not utterance.text.rstrip().endswith("?"):
        for code in dict.fromkeys((utterance.language, languages.guess(folded))):
            for pattern in _patterns(code) if code in _OFF else ():
                if hit := pattern.search(folded):
                    return hit, code
    return None, ""


def _is_denied(reading: SentenceReading, match: re.Match[str]) -> bool:
    """ "Findet nicht statt" is off; "f\u00e4llt nicht aus" is on, and so is what was off, "but is on again"."""
    words = reading.lexicon.words
    inside = [match.span(name) for name, text in match.groupdict().items() if text and name.startswith("m")]

    def belongs(place: int) -> bool:
        return match.start("off") <= place < match.end("off") and not any(first <= place < end for first, end in inside)

    return any(
        token.word in words.negation if token.start < match.end() else token.word in words.contrast
        for token in reading.tokens
        if not belongs(token.start)
    )


def _is_hearsay(reading: SentenceReading, folded: str, match: re.Match[str]) -> bool:
    """ "Tom sagt, das Review f\u00e4llt aus", "it may be cancelled"."""
    words, before = reading.lexicon.words, folded[: match.start()].split()
    says = not words.reported.union(_THINKS).isdisjoint(before)
    # The "se" of "não se realiza" is no "if".
    place = reading.tokens[reading.condition[0]].start if reading.condition else -1
    is_conditional = place >= 0 and not match.start("off") <= place < match.end("off")
    return is_conditional or not words.hedges.isdisjoint(reading.words) or says


_THINKS: Final = table(
    "thinks thought heard hope wish denkt glaubt h\u00f6rte pense croit cree piensa pensa crede acha denkt"
)
#: "I'm sorry to tell you that" says nothing of its own; "Tom thinks that" does.
_ANNOUNCES: Final = re.compile(
    r"\b(?:(?:tell|inform|let|remind|advise)(?:ing)? (?:you|everyone|everybody|all)(?: all)?(?: know)?|note|announce"
    r"|confirm|(?:vous|t') ?(?:inform|annonc)\w+|noter|(?:te|le|les|os|ti|vi|la) (?:informo|aviso|avviso|comunico|digo)"
    r"|(?:informa|avisa|avvisa|comunica)r(?:te|les?|los|ros|ti|vi|la)?|weten|melden|mededelen)"
    r"(?: de)? (?:that|que|che|dat) "
)


def _without_dates(reading: SentenceReading, match: re.Match[str], hits: Sequence[dates.Found]) -> str:
    """What is off, without its day."""
    # "Thursday's" is one word.
    days = [range(hit.start, hit.end) for hit in hits]
    announces = _ANNOUNCES.search(match["t"])
    first = match.start("t") + (announces.end() if announces else 0)
    kept = [
        n
        for n, token in enumerate(reading.tokens)
        if first <= token.start < match.end("t") and not any(token.start in day for day in days)
    ]
    small = reading.lexicon.words.prepositions | reading.lexicon.words.articles | {",", "'s"}
    while kept and reading.words[kept[0]] in small:
        kept.pop(0)
    while kept and reading.words[kept[-1]] in small:
        kept.pop()
    return " ".join(reading.slice(n, n) for n in kept)


class _Forms(NamedTuple):
    """Regular expressions of a language: what ends with being off, and who calls what off."""

    is_off: str
    calls_off: tuple[str, ...]


_OFF: Final[Mapping[str, _Forms]] = {
    "en": _Forms(
        r"(?:is|are|has been|have been|was|were|'s been|got|had to be|will be|needs to be|'s) "
        r"(?:now |unfortunately |sadly |officially |hereby )*"
        r"(?:cancell?ed|called off|scrapped|not happening|not taking place|off(?=\s*(?:$|[.,;!:)\u2013\u2014-]"
        r"|\s(?:for|because|due|this|on|today|tomorrow|next|until|sorry)\b)))"
        r"|(?:won't|will not|isn't|is not|won't be|will not be|isn't going to|is not going to) "
        r"(?:now )?(?:take place|taking place|happen|happening|go ahead|going ahead|be held|held)\b",
        (
            r"\b(?:i|we|i'm|we're|i've|we've|i'll|we'll)(?: am| are| have| had| need| must| will| going)?"
            r"(?: to| have to| had to| been| just| need to| afraid)* "
            r"(?:cancel|cancell?ed|cancell?ing|call off|called off|calling off|scrap)(?= )",
            r"\b(?:let's|let us) (?:scrap|cancel|call off)(?= )",
            r"\bthere(?:'ll be| will be|'s| is) no(?= )",
            r"^(?:sorry,? |hi,? )?(?:have to|need to|must|had to) (?:cancel|call off)(?= )",
        ),
    ),
    "de": _Forms(
        r"(?:(?:ist|wurde|wird|sind|wurden|werden|musste) (?P<m>.{0,40}?)?(?:abgesagt|gestrichen|gecancelt|storniert)"
        r"|(?:fällt|fallen) (?P<m2>.{0,40}?)?(?:aus|flach)\b|entfällt|entfallen"
        r"|findet (?P<m3>.{0,40}?)?nicht statt)",
        (
            r"\b(?:ich|wir) (?:muss|müssen|musste|mussten|habe|haben|hab|werde|werden)(?: leider)?(?= .{2,80} "
            r"(?:absagen|abgesagt|canceln|gecancelt|streichen|gestrichen)\b)",
            r"\b(?:ich|wir) (?:sage|sagen|cancel[en]*)(?: leider)?(?= .{2,80}(?:\bab\b|$|[.!]))",
        ),
    ),
    "fr": _Forms(
        r"(?:(?:est|a été|sera|a dû être|est donc|est finalement) (?:malheureusement )?(?:annulée?s?|supprimée?)"
        r"|n'aura (?:finalement )?(?:pas|plus) lieu|n'a (?:finalement )?(?:pas|plus) lieu|tombe à l'eau)",
        (
            r"\b(?:j'annule|je dois annuler|nous annulons|nous devons annuler|on annule|on doit annuler|j'ai annulé"
            r"|je suis obligée? d'annuler|j'ai dû annuler|nous avons annulé)(?= )",
        ),
    ),
    "es": _Forms(
        r"(?:(?:está|queda|ha sido|fue|se ha|ha quedado) (?:cancelad[oa]|anulad[oa]|suspendid[oa])"
        r"|se (?:cancela|anula|suspende)|(?:ya |al final )*no (?:se celebra(?:rá)?|se hará?|tendrá lugar|tiene lugar))",
        (
            r"\b(?:cancelo|tengo que cancelar|tenemos que cancelar|cancelamos|he cancelado|hemos cancelado"
            r"|debo cancelar|anulo|voy a cancelar|vamos a cancelar|tengo que anular)(?= )",
            r"^(?:se cancela|se suspende|no habrá"
            r"|(?:se ha|ha sido|queda|está) (?:cancelad[oa]|anulad[oa]|suspendid[oa]))(?= )",
        ),
    ),
    "pt": _Forms(
        r"(?:(?:foi|está|fica|ficou|será) (?:cancelad[oa]|anulad[oa]|desmarcad[oa])"
        r"|(?:já |afinal )*não (?:se (?:vai )?realizar?á?|vai acontecer|vai haver|terá lugar))",
        (
            r"\b(?:cancelo|tenho (?:de|que) cancelar|temos (?:de|que) cancelar|vou cancelar|vamos cancelar|cancelei"
            r"|cancelámos|cancelamos|preciso (?:de )?cancelar|precisamos (?:de )?cancelar"
            r"|tive (?:de|que) cancelar|desmarco"
            r"|tenho de desmarcar)(?= )",
        ),
    ),
    "it": _Forms(
        r"(?:(?:è|è stat[ao]|viene|sarà) (?:purtroppo )?(?:annullat[ao]|cancellat[ao]|disdett[ao])|salta\b"
        r"|non (?:si (?:tiene|terrà|farà|fa)\b|avrà(?: più)? luogo|ha più luogo))",
        (
            r"\b(?:annullo|devo annullare|dobbiamo annullare|annulliamo|ho annullato|abbiamo annullato|devo disdire"
            r"|cancello|devo cancellare|ho dovuto annullare)(?= )",
        ),
    ),
    "nl": _Forms(
        r"(?:(?:is|wordt|werd|zijn) (?P<m>.{0,40}?)?(?:geannuleerd|afgelast|gecanceld|afgezegd|geschrapt)"
        r"|gaat (?P<m2>.{0,40}?)?niet door|vervalt)",
        (
            r"\b(?:ik|we|wij) (?:moet|moeten|heb|hebben|zal|ga)(?= .{2,80} "
            r"(?:annuleren|geannuleerd|afzeggen|afgezegd|cancelen|gecanceld|afblazen)\b)",
            r"\b(?:ik|we|wij) (?:annuleer|annuleren|cancel)(?= )",
        ),
    ),
}
_HINT: Final = re.compile(
    r"cancel|call(?:ed|ing)? off|take place|happen|go(?:ing)? ahead|\bheld\b|\boff\b"
    r"|scrapp?|not happening|not taking|absag|abgesagt|gestrichen|streichen|storniert"
    r"|sage\b|sagen\b|aus\b|flach|entf[äa]ll|nicht statt|annul|supprim|(?:pas|plus) lieu|à l'eau"
    r"|anul|suspend|celebra|lugar"
    r"|desmarc|realiza|acontecer|haver|disdett|disdire|salta|non si|luogo|\bno\b|habrá|afge|afzegg|afblaz|geschrapt"
    r"|niet door|vervalt"
)
_TITLE: Final = r"(?P<t>(?:[^.,;:!?\n]|(?<=\d)\.|,(?=\s\d)){2,100}?)"
#: Behind a colon or a dash, as in a heading: "Kestrel review on Friday: cancelled".
_STATE: Final = (
    "cancell?ed|called off|abgesagt|entfällt|fällt aus|annulée?|cancelad[oa]|anulad[oa]|annullat[oa]|afgelast"
    "|geannuleerd|gaat niet door"
)


@cache
def _patterns(code: str) -> tuple[re.Pattern[str], ...]:
    forms = _OFF[code]
    if code in ("de", "nl"):
        ends = r"(?=(?:\s(?:leider|doch|kurzfristig|helaas|toch))*"
        ends += r"\s(?:absagen|abgesagt|canceln|gecancelt|streichen|gestrichen|ab|annuleren|geannuleerd|afzeggen"
        ends += r"|afgezegd|cancelen|gecanceld|afblazen)\b|\s*(?:$|[.,;!]))"
    else:
        ends = r"(?=\s*(?:$|[.,;:!)]|\s[\u2013\u2014-]\s"
        ends += r"|\s(?:because|as|since|due|sorry|car|parce|porque|perch\u00e9|weil|want)\b))"
    calls = [rf"(?P<off>{each})\s{_TITLE}{ends}" for each in forms.calls_off]
    return (
        *(re.compile(each) for each in calls),
        re.compile(rf"(?:^|[,;:\u2013\u2014-]\s){_TITLE}\s(?P<off>{forms.is_off})"),
        re.compile(rf"(?:^|[,;]\s){_TITLE}\s?[:\u2013\u2014-]\s(?P<off>{_STATE})(?=\s*(?:$|[.,;!]))"),
        re.compile(rf"(?:^|[,;:]\s){_TITLE}(?P<off>'s been (?:cancell?ed|called off)|'s off\b)"),
    )
