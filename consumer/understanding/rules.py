"""
The reader that needs no model: statements from utterances by tables of words, in seven languages.

It reads only what it can show to be right: a first person with an object, not negated, not asked, not idle
talk. What it
cannot place it leaves out. Languages without a table say nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, lru_cache
from typing import Final, Literal, TypeVar

from consumer.understanding import (
    acts,
    aloud,
    announced,
    certainty,
    chatter,
    checks,
    contacts,
    dates,
    errands,
    events,
    facts,
    languages,
    needs,
    newdays,
    objects,
    particulars,
    phrases,
    promises,
    proposals,
    replies,
    requests,
    signs,
    speech,
    terms,
    terse,
    topics,
    zones,
)
from consumer.understanding.grammar import CLOSING, Lexicon, Phrases, SentenceReading, lexicon
from consumer.understanding.languages import Words
from consumer.understanding.languages.words import words as table
from consumer.understanding.moments import day_of
from consumer.understanding.reading import names as spelled
from consumer.understanding.reading import salutations
from consumer.understanding.statements import (
    CONVERSATION,
    Answer,
    Commitment,
    Decision,
    Due,
    Fact,
    Quote,
    Refusal,
    Request,
    Statement,
)
from consumer.understanding.text import Sentence, fold, sentences, tokens
from consumer.understanding.utterances import COMMITTING, ME, Person, RecordText, TextKind, Utterance
from renderers import persons

#: Change it with the rules: readings of another version are read again.
VERSION: Final = "rules-23"
#: A sentence of more words is a list or a paragraph without ends; nobody promises in it.
_LONGEST: Final = 120
#: A pronoun may mean what was missed so many sentences before.
_REACH: Final = 3
#: A line of fewer characters is a greeting or a heading; these signs end one.
_LINE: Final = 20
_ENDS: Final = frozenset(".!?:;\u2026\u3002")
_SENTENCE_ENDS: Final = frozenset(".!?\u3002")
_Loop = TypeVar("_Loop", Commitment, Request)


def read(
    record: RecordText, *, region: str = "", allowed: Collection[TextKind] = COMMITTING
) -> tuple[list[Statement], list[Refusal]]:
    """Statements of a record in the order of its text, and why others were left out.

    ``region``: of the user, "US" or "en-US"; it says how "12/03/2026" is read in English. ``allowed``: kinds of text
    that may say anything; ``generated`` and ``machine`` never may. What says something that the rules fail on is
    refused with the reason "fault".
    """
    statements: list[Statement] = []
    refusals: list[Refusal] = []
    people = _people(record)
    names = _names(people)
    letters = certainty.writers_to_many(record)
    whole, checked = _Whole(record), checks.Checks(record, region=region)
    for utterance in record.utterances:
        if utterance.kind not in allowed or utterance.kind not in COMMITTING or not utterance.text:
            continue
        try:
            for statement in _utterance(whole, utterance, region, names, people, statements, letters):
                refusal = checked.refusal(statement)
                if refusal:
                    refusals.append(refusal)
                else:
                    statements.append(statement)
        except Exception as exc:  # noqa: BLE001 - a fault of the rules costs an utterance, not all that the user has
            refusals.append(Refusal(type(exc).__name__, "fault"))
    if certainty.is_chat(record) and (answer := _answered(whole, statements, region)):
        statements.append(answer)
    return statements, refusals


def _people(record: RecordText) -> Mapping[str, Person]:
    """By number: everybody who takes part and has a name."""
    several = [*record.people]
    for utterance in record.utterances:
        several += [utterance.author, *utterance.addressees]
    distinct = dict.fromkeys(person for person in several if person.name)
    return {str(number): person for number, person in enumerate(distinct)}


#: Mentions at the start of a message.
_MENTIONS: Final = re.compile(
    r"\s*(?:(?:hi|hey|hello|ok|okay|hallo|salut|hola|oi|ciao|hoi)\s+)?(?:@\w(?:[\w.-]*\w)?,?\s+)+(?=\S)", re.IGNORECASE
)


def _names(people: Mapping[str, Person]) -> Phrases:
    """Full names, and first names that only one of them has."""
    return _phrases(tuple((key, person.name) for key, person in people.items()))


@lru_cache(maxsize=256)
def _phrases(people: tuple[tuple[str, str], ...]) -> Phrases:
    by_name: dict[str, set[str]] = {}
    for key, written in people:
        name = persons.given_first(written)
        full = " ".join(token.word for token in tokens(fold(name)) if token.word[0].isalnum())
        for each in {full, full.split()[0]} if full else ():
            by_name.setdefault(each, set()).add(key)
    return Phrases([(name, keys.pop()) for name, keys in sorted(by_name.items()) if len(keys) == 1], False)


@dataclass
class _Whole:
    """A record, with what all of its words tell: worked out once, as it may have thousands of lines."""

    record: RecordText
    _formal: dict[tuple[Person, str], bool] = field(default_factory=dict)
    #: Places of spoken lines whose first sentence was read with the line before.
    joined: set[int] = field(default_factory=set)

    @cached_property
    def places(self) -> Mapping[int, int]:
        """Where the utterance of each number stands."""
        return {each.number: place for place, each in enumerate(self.record.utterances)}

    @cached_property
    def has_several(self) -> bool:
        """Whether more than two take part, so that "you" is somebody only by name."""
        return len({*self.record.people, *(each.author for each in self.record.utterances if each.author.name)}) > 2

    @cached_property
    def has_ends(self) -> bool:
        """Whether most lines of a talk end with a sign that ends a sentence, so that another line is unfinished."""
        spoken = [each.text.rstrip()[-1:] in _SENTENCE_ENDS for each in self.record.utterances if each.kind == "spoken"]
        return sum(spoken) * 2 > len(spoken)

    @cached_property
    def language(self) -> str:
        """The language of most utterances; else the one that all of them together are in, "" for none."""
        several = self.record.utterances
        known = Counter(each.language for each in several if each.language)
        if known:
            return max(known, key=lambda code: (known[code], code))
        return languages.guess(fold(" ".join(each.text for each in several if each.kind in COMMITTING)))

    def is_formal(self, author: Person, words: Words) -> bool:
        """Whether the author speaks to a stranger: "Sehr geehrte ...", "Estimada se\u00f1ora"."""
        key = (author, words.code)
        if key not in self._formal:
            texts = (each.text for each in self.record.utterances if each.author == author)
            self._formal[key] = any(
                not words.formal.isdisjoint(token.word for token in tokens(fold(text))) for text in texts
            )
        return self._formal[key]


@dataclass(slots=True)
class _Talk:
    """What a sentence stands in. ``before``: the statements of the record so far."""

    whole: _Whole
    utterance: Utterance
    region: str
    names: Phrases
    people: Mapping[str, Person]
    before: list[Statement]
    #: Whether the author writes to many, or an article.
    is_letter: bool = False
    #: What the author says in the same line right before the sentence and right behind it, as far as it has words.
    beside: tuple[str, str] = ("", "")
    #: The words of the sentence as they stand in the record.
    quotes: tuple[Quote, ...] = ()

    def is_to_many(self, hearers: tuple[Person, ...]) -> bool:
        return self.is_letter or certainty.is_crowd(hearers, chat=self.is_chat)

    @property
    def record(self) -> RecordText:
        return self.whole.record

    @property
    def place(self) -> int:
        """Where the utterance stands in its record."""
        return self.whole.places.get(self.utterance.number, 0)

    @property
    def is_chat(self) -> bool:
        return certainty.is_chat(self.record)

    def preceding(self, code: str) -> str:
        """The sentence that the author says right before this one, in the same line or at the end of the one before."""
        if self.beside[0]:
            return self.beside[0]
        several = sentences(self._line(self.place - 1), code)
        return _nearest(several, reversed(range(len(several))))

    def following(self, code: str) -> str:
        """The sentence that the author says right behind this one, in the same line or at the start of the next one."""
        if self.beside[1]:
            return self.beside[1]
        several = sentences(self._line(self.place + 1), code)
        return _nearest(several, range(len(several)))

    def with_list(self, sentence: str) -> str:
        """A sentence that announces something ("for the following meeting:"), with it; "" for another."""
        behind = [self._line(self.place + ahead) for ahead in range(1, _LISTED + 1)]
        return " ".join((sentence, *behind)) if sentence.rstrip().endswith(":") else ""

    def _line(self, place: int) -> str:
        near = self.record.utterances[place : place + 1] if place >= 0 else ()
        return next((each.text for each in near if each.author == self.utterance.author), "")

    @property
    def goes_on(self) -> bool:
        """Of a mail: whether the line before has no end, so that this one may be its second half."""
        if not certainty.is_message(self.record) or self.is_chat:
            return False
        several, place = self.record.utterances, self.utterance.number - 1
        before = several[place] if 0 <= place < len(several) and several[place].number == place else None
        if before is None or before.author != self.utterance.author or len(before.text) < _LINE:
            return False
        return before.text.rstrip()[-1:] not in _ENDS


def _nearest(several: Sequence[Sentence], places: Iterable[int]) -> str:
    """The first sentence at these places that is more than signs; "" for none."""
    return next((text for place in places if any(map(str.isalnum, text := several[place].text))), "")


def _utterance(  # noqa: PLR0917
    whole: _Whole,
    utterance: Utterance,
    region: str,
    names: Phrases,
    people: Mapping[str, Person],
    before: list[Statement],
    letters: Collection[Person],
) -> Iterator[Statement]:
    day = day_of(utterance.day)
    words = _language(utterance, whole)
    if words is None or day is None:
        return
    lex = lexicon(words.code)
    talk = _Talk(whole, utterance, region, names, people, before, utterance.author in letters)
    several = _sentences(utterance, lex, day, region)
    for place, sentence in enumerate(several):
        talk.beside = _nearest(several, range(place - 1, -1, -1)), _nearest(several, range(place + 1, len(several)))
        # "@Bob can you send it?" asks as "Bob, can you send it?" does; whom it asks is known by now.
        mention = _MENTIONS.match(sentence.text) if "@" in sentence.text else None
        mention = mention or (signs.calling(sentence.text) if talk.is_chat else None)
        first = mention.end() if mention else 0
        text = signs.without_tag(sentence.text) if talk.is_chat else sentence.text
        talk.quotes = (Quote(utterance.number, text[first:]),)
        if utterance.kind == "spoken":
            text = _as_spoken(text, talk, words.code, is_first=not place, is_last=place + 1 == len(several))
        reading = SentenceReading.of(text[first:], sentence.start + first, lex, day, region)
        reading = reading if place else _behind_names(reading, utterance)
        if 0 < len(reading.words) <= _LONGEST and _may_say(reading):
            for statement in _sentence(reading, talk):
                if not _binds_nobody(statement, reading, talk):
                    yield _with_event(statement, reading, talk)


def _as_spoken(text: str, talk: _Talk, code: str, *, is_first: bool, is_last: bool) -> str:
    """A sentence of a talk as its speaker meant it; with the beginning of their next line, if it goes on there."""
    record, place = talk.record, talk.place
    if is_first and place in talk.whole.joined:
        return ""  # read with the line before
    parts = [text]
    while (
        is_last
        and (after := speech.sequel(record, place, ends=talk.whole.has_ends)) is not None
        and len(parts) < _PIECES
    ):
        utterance = record.utterances[after]
        following = sentences(utterance.text, utterance.language)
        parts.append(following[0].text)
        talk.quotes += (Quote(utterance.number, following[0].text),)
        talk.whole.joined.add(after)
        place, is_last = after, len(following) == 1
    return speech.smooth(" ".join(parts), code)


def _sentences(utterance: Utterance, lex: Lexicon, day: date, region: str) -> list[Sentence]:
    several = sentences(utterance.text, lex.words.code)
    if utterance.kind == "spoken":
        return speech.joined(several, utterance.text)
    return [part for sentence in several for part in _halves(sentence, lex, day, region)]


def _halves(sentence: Sentence, lex: Lexicon, day: date, region: str) -> list[Sentence]:
    """ "I'll bring the speakers on Saturday, can you bring the cables?": a promise, and a request for the same day."""
    pattern = _AND_YOU if sentence.text.rstrip().endswith("?") else _AND_IT
    match = pattern.match(sentence.text) if "," in sentence.text else None
    if match is None:
        return [sentence]
    end, second = match.end("own"), match.start("asks")
    asked = SentenceReading.of(sentence.text[second:], 0, lex, day, region)
    own = Sentence(sentence.text[:end], sentence.start)
    return [own, Sentence(asked.text, sentence.start + second) if asked.dates else sentence]


#: "I'll send the list tonight, *and the menu will follow by Friday*".
_AND_IT: Final = re.compile(
    r"(?P<own>[^,?]*\b(?:i['\u2019]?ll|i will)\b[^,?]+),\s*(?:and )?"
    r"(?P<asks>(?:the|my|our) \w+(?: \w+){0,2} (?:will|['\u2019]ll) (?:follow|come|be)\b)",
    re.IGNORECASE,
)
_AND_YOU: Final = re.compile(
    r"(?P<own>\W*(?:[^\W\d_]+[ ,]+){0,2}(?:i['\u2019]?ll|i will|ich|je|j['\u2019]\w+|ik)\b[^?]{4,}?)\s*[,;\u2013-]\s*"
    r"(?:and |und |et |en )?(?P<asks>(?:can|could|would|will) (?:you|u)\b|(?:kannst|könntest|bringst) du\b"
    r"|(?:tu peux|peux-tu|tu pourrais)\b|(?:kun|kan|wil) (?:je|jij)\b)",
    re.IGNORECASE,
)


#: A sentence is read in so many pieces at most.
_PIECES: Final = 4


def _answered(whole: _Whole, statements: Sequence[Statement], region: str) -> Answer | None:
    """What a message of a chat answers beside what its sentences say: "ok", "never mind", in whatever language."""
    written = [each for each in whole.record.utterances if each.kind == "written" and each.text]
    verdicts = {each.verdict for each in statements if isinstance(each, Answer)}
    if not written or "released" in verdicts:
        return None
    released = next((each for each in written if signs.releases(each.text)), None)
    says_more = verdicts or any(isinstance(each, Commitment) and not each.tentative for each in statements)
    due = None if released or says_more else _day_agreed(written, region)
    if released is None and (says_more or not (due or signs.agrees([each.text for each in written]))):
        return None
    answer = released or written[0]
    verdict: Literal["released", "accepted"] = "released" if released else "accepted"
    due = due or (None if released else _day_of_doing(answer, whole, region))
    return Answer(answer.author, answer.addressees, verdict, "", (Quote(answer.number, answer.text),), due)


def _day_agreed(written: Sequence[Utterance], region: str) -> Due | None:
    """The day of "Prima, dinsdag", whose few words may not tell their language."""
    only, day = written[0], day_of(written[0].day)
    if len(written) > 1 or day is None or len(only.text) > _LINE * 2:
        return None
    several = [SentenceReading.of(only.text, 0, lexicon(code), day, region) for code in languages.LANGUAGES]
    due = next((each.coming[0].due for each in several if replies.agrees_on_day(each)), None)
    due = due or next(filter(None, map(newdays.other_day, several)), None)
    return dates.ahead(due, only.said_at) if due else None


def _day_of_doing(utterance: Utterance, whole: _Whole, region: str) -> Due | None:
    """The day in "sure, I'll do it on Friday"."""
    day, words = day_of(utterance.day), _language(utterance, whole)
    if day is None or words is None or not signs.does(utterance.text):
        return None
    reading = SentenceReading.of(utterance.text, 0, lexicon(words.code), day, region)
    due = reading.coming[0].due if len(reading.coming) == 1 else None
    return dates.ahead(due, utterance.said_at) if due else None


def _language(utterance: Utterance, whole: _Whole) -> Words | None:
    """The language of the utterance; where its few words do not tell, that of the record."""
    if utterance.language:
        return languages.get(utterance.language)
    code = languages.guess(fold(utterance.text)) or whole.language
    return languages.get(code or replies.language_of_answer(utterance.text))


def _may_say(reading: SentenceReading) -> bool:
    """Whether any word of it can begin something; most sentences have none, and need no more reading."""
    lex = reading.lexicon
    if not lex.triggers.isdisjoint(reading.words) or errands.may_be(reading) or replies.may_be(reading):
        return True
    if (terse.may_be(reading) or needs.may_be(reading) or replies.agrees_on_day(reading)) and reading.dated:
        return True
    calls = contacts.may_be(reading) and (reading.dated or lex.please.anywhere(reading))
    if lex.words.code != "en" and (calls or acts.may_be(reading)):
        return True
    # A fact has the name of an attribute, in German also as the end of a word ("Falcon-Budget"), or an event's day.
    if lex.attributes.anywhere(reading) or (lex.words.verb_second and "-" in reading.text):
        return True
    if (
        (reading.coming and newdays.find(_behind_greeting(reading)))
        or announced.may_be(reading)
        or particulars.may_be(reading)
    ):
        return True
    return lex.copula.anywhere(reading) and any(map(str.isdigit, reading.text))


def _sentence(reading: SentenceReading, talk: _Talk) -> Iterator[Statement]:
    quotes = talk.quotes
    # "We've moved the launch to 3 February", "wir verschieben die Übergabe auf den 3." promises and hands over nothing.
    change = facts.change(reading)
    made = False
    for each in () if change else _promised(reading, talk, quotes):
        made = True
        yield each
        if talk.is_chat and isinstance(each, Answer):
            yield from _proposed(reading, talk, quotes)  # "I'll send it to you later": a yes, or more
    if made or _is_day_of_last(reading, talk, quotes):
        return
    others = list(_said_otherwise(change, reading, talk, quotes))
    yield from others
    if talk.is_chat and not any(isinstance(each, Request | Decision) for each in others):
        yield from _proposed(reading, talk, quotes)


def _proposed(reading: SentenceReading, talk: _Talk, quotes: tuple[Quote, ...]) -> Iterator[Commitment | Request]:
    """What a chat only proposes."""
    utterance = talk.utterance
    made = proposals.find(_without_name(reading, talk), talk.names)
    if made is None:
        return
    due = _ahead(made.due, talk)
    if made.asks:
        yield Request(utterance.author, _called(reading, talk), made.object, quotes, due, tentative=True)
    else:
        to = tuple(person for person in utterance.addressees if person != utterance.author)
        yield Commitment(utterance.author, to, made.object, quotes, due, tentative=True)


def _said_otherwise(
    change: facts.Plain | None, reading: SentenceReading, talk: _Talk, quotes: tuple[Quote, ...]
) -> Iterator[Statement]:
    utterance, before = talk.utterance, talk.before
    reply = None if change else _reply(reading, talk)
    if reply and not _is_understood(reply, utterance, before):
        answer = _answer(reply, utterance, quotes, before)
        # "I can't send the map before Wednesday" does not decline it.
        if reply.verdict == "declined" and (day := newdays.not_before(reading)):
            yield replace(answer, verdict="moved", due=_ahead(day, talk))
            return
        due = reading.coming[0].due if reply.verdict == "accepted" and len(reading.coming) == 1 else None
        yield replace(answer, due=_ahead(due, talk))
        return
    choice = replies.decision(reading)
    if choice:
        yield Decision((utterance.author,), choice.what, choice.about, quotes)
        return
    several = _requested(reading, talk, quotes)
    yield from several or _told(change, reading, talk, quotes)


def _promised(
    reading: SentenceReading, talk: _Talk, quotes: tuple[Quote, ...]
) -> Iterator[Commitment | Answer | Request]:
    """What somebody takes on, or in a talk is to do by another's words."""
    owners = {talk.utterance.author}
    for made in _commitments(reading, talk, quotes):
        owners |= {made.owner} if isinstance(made, Commitment) else set()
        yield made
    if talk.utterance.kind == "spoken" and aloud.may_be(reading):
        for act in aloud.handed_out(reading, talk.names, talk.people):
            if act.owner and act.owner not in owners:
                yield Request(talk.utterance.author, (act.owner,), act.act, quotes, act.due)


def _requested(reading: SentenceReading, talk: _Talk, quotes: tuple[Quote, ...]) -> list[Request]:
    asking, is_spoken = _asking(reading, talk), talk.utterance.kind == "spoken"
    request = _request(asking, reading, talk, quotes) if asking else None
    if request and is_spoken:
        request = _of_one(request, reading, talk)
    if request and not (certainty.is_notice(talk.record) and not requests.is_for_asker(reading)):
        return list(_with_further(reading, request))
    if is_spoken:
        return list(_asked_aloud(reading, talk, quotes))
    awaited = _awaited(reading, talk, quotes)
    return [awaited] if awaited else []


def _told(
    change: facts.Plain | None, reading: SentenceReading, talk: _Talk, quotes: tuple[Quote, ...]
) -> Iterator[Statement]:
    """What it states. That may also move what its author owes: "the delivery comes on 18 December"."""
    utterance = talk.utterance
    if reading.coming and (moved := newdays.find(_behind_greeting(reading))):
        yield Answer(utterance.author, utterance.addressees, "moved", moved.thing, quotes, _ahead(moved.due, talk))
    plain = _plain(change or facts.find(reading), reading)
    if plain:
        yield from _facts(plain, talk, quotes)


def _binds_nobody(made: Statement, reading: SentenceReading, talk: _Talk) -> bool:
    """Whether a mail only says on what terms its author would do it, or jests. Chats have signs of their own."""
    if not isinstance(made, Commitment | Request) or talk.is_chat:
        return False
    following = talk.following(reading.lexicon.words.code)
    if made.due is None and terms.is_in_jest(reading.text, following):
        return True
    you, dated = reading.lexicon.words.you - reading.lexicon.words.articles, made.due is not None
    return isinstance(made, Commitment) and terms.binds_nobody(reading.text, following, you, dated=dated)


def _with_event(made: Statement, reading: SentenceReading, talk: _Talk) -> Statement:
    """A loop of a mail that has no day, with that of the event that its sentence or one next to it names."""
    if not isinstance(made, Commitment | Request) or made.due or talk.is_chat or talk.utterance.kind != "written":
        return made
    if events.outlives(reading, made.object):
        return made
    code = reading.lexicon.words.code
    beside = (talk.preceding(code), talk.following(code), talk.with_list(reading.text))
    near = (SentenceReading.of(each, 0, reading.lexicon, reading.said_on, talk.region) for each in beside if each)
    days = [events.last_event_day(each) for each in (reading, *near)]
    return replace(made, event_day=max(days)) if any(days) else made


def _is_day_of_last(reading: SentenceReading, talk: _Talk, quotes: tuple[Quote, ...]) -> bool:
    """English: whether it only says by when the author needs what they have just asked for: "I need it by Friday."
    Then that is due on this day.
    """
    last = talk.before[-1] if talk.before else None
    if not isinstance(last, Request) or last.due or last.asker != talk.utterance.author:
        return False
    near = last.quotes[-1].utterance >= talk.utterance.number - 1
    if not near or reading.lexicon.words.code != "en" or len(reading.coming) != 1:
        return False
    if _NEEDED.match(" ".join(reading.words)) is None or reading.coming[0].role != "by":
        return False
    talk.before[-1] = replace(last, due=_ahead(reading.coming[0].due, talk), quotes=last.quotes + quotes)
    return True


_NEEDED: Final = re.compile(
    r"(?:(?:i|we)(?:'ll| will)?(?: really| do)? need (?:it|this|these|them|that|everything)"
    r"(?: all| back| done| finished)?"
    r"|(?:it|this|they|these) (?:is|are) due) (?:by|before|until|no)\b[^,;]*$"
)


def _plain(plain: facts.Plain | None, reading: SentenceReading) -> facts.Plain | None:
    """The value that the sentence states, or the change that it announces, whichever tells more."""
    stated = _stated_or_told(plain, reading)
    return announced.as_news(stated, reading) if stated and stated.changed else stated


def _stated_or_told(plain: facts.Plain | None, reading: SentenceReading) -> facts.Plain | None:
    change = announced.find(reading)
    # Of what only its conversation knows, an announcement tells more: the time, and what was planned.
    if change and (plain is None or plain.alone or (plain.changed and change.before and not plain.before)):
        return change._replace(attribute=plain.attribute) if plain and plain.value == change.value else change
    return plain if plain and plain.changed else particulars.find(reading) or plain


def _asking(reading: SentenceReading, talk: _Talk) -> requests.Asking | None:
    ahead = certainty.ahead_of_courtesy(reading)
    if ahead == "" or certainty.is_too_late_or_optional(reading):
        return None
    asking = _asked(reading, talk)
    return asking if not ahead or (asking and asking.object and asking.object in ahead) else None


def _asked(reading: SentenceReading, talk: _Talk) -> requests.Asking | None:
    utterance, to_many = talk.utterance, talk.is_to_many(_called(reading, talk))
    asking = requests.ask(
        _without_name(reading, talk),
        talk.names,
        spoken=utterance.kind == "spoken",
        to_many=to_many,
        in_chat=talk.is_chat,
        goes_on=lambda: talk.goes_on,
    )
    act = None if to_many or utterance.kind != "written" else acts.find(reading)
    if asking and act:
        # "Let me know what works for you": the question as a whole.
        whole = acts.is_question(act.object) and (asking.pronoun or asking.object in act.object)
        asking = act if not asking.object else act._replace(due=asking.due) if whole else asking
    # The pronoun of "llámeme, por favor" is its author, and no thing.
    call = _call(reading, talk) if asking and asking.pronoun and not to_many else None
    asking = call or asking
    if not (asking or to_many or utterance.kind != "written"):
        in_chat = act and talk.is_chat and act.due is None
        asking = _asking_otherwise(reading, talk) or (None if in_chat else act) or _errand(reading, talk)
    return None if asking and talk.is_chat and asking.object.casefold().startswith(_OF_YOURS) else asking


#: English: what the words that follow give.
_OF_YOURS: Final = ("your help", "your opinion", "your advice")


def _asking_otherwise(reading: SentenceReading, talk: _Talk) -> requests.Asking | None:
    if need := needs.find(reading):
        return requests.Asking(need.object, need.due)
    return _call(reading, talk)


def _call(reading: SentenceReading, talk: _Talk) -> requests.Asking | None:
    contact = contacts.asked(reading)
    if contact is None or _is_arranged(contact, reading, talk):
        return None
    return requests.Asking(contact.act, contact.due)


def _errand(reading: SentenceReading, talk: _Talk) -> requests.Asking | None:
    """What a mail asks in any verb."""
    if not _is_plain_mail(reading, talk) or errands.asks_who_asks(talk.utterance.text[: reading.start]):
        return None
    return errands.asked(_without_name(reading, talk))


def _is_plain_mail(reading: SentenceReading, talk: _Talk) -> bool:
    """Whether it is a sentence of a mail, and not the second half of one."""
    is_mail = certainty.is_message(talk.record) and not talk.is_chat and not talk.is_letter
    return is_mail and not (reading.text[:1].islower() and talk.goes_on)


def _commitments(reading: SentenceReading, talk: _Talk, quotes: tuple[Quote, ...]) -> Iterator[Commitment | Answer]:
    if chatter.is_aside(reading.text) or (_is_asked(talk) and replies.is_acceptance(reading, talk.names)):
        return
    utterance, made = talk.utterance, False
    reading = _without_tag(reading)
    for promise in _promises(reading, talk):
        if commitment := _commitment(reading, promise, talk, quotes):
            made = True
            yield from _told_in_chat(commitment) if talk.is_chat else _with_further(reading, commitment)
    if made:
        return
    to = tuple(person for person in utterance.addressees if person != utterance.author)
    if utterance.kind == "spoken" and aloud.may_be(reading):
        yield from _taken_on(reading, talk, to, quotes)
    else:
        yield from _promised_otherwise(reading, talk, to, quotes)


def _promised_otherwise(
    reading: SentenceReading, talk: _Talk, to: tuple[Person, ...], quotes: tuple[Quote, ...]
) -> Iterator[Commitment]:
    """What is promised in few words, or in words that name no thing."""
    if promised := terse.find(reading):
        terse_promise = Commitment(talk.utterance.author, to, promised.object, quotes, _ahead(promised.due, talk))
        pointed = objects.is_pronoun(promised.object)
        if commitment := _pointed_to(terse_promise, talk, quotes) if pointed else terse_promise:
            yield commitment
    elif talk.utterance.kind == "written" and not talk.is_to_many(to):
        yield from _done_for_reader(reading, talk, to, quotes)


def _without_tag(reading: SentenceReading) -> SentenceReading:
    """ "I'll send it on Wednesday, ok?" without the question at its end."""
    text = signs.without_tag(reading.text) if reading.is_question else reading.text
    if text == reading.text:
        return reading
    return SentenceReading.of(text, reading.start, reading.lexicon, reading.said_on, reading.region)


def _promises(reading: SentenceReading, talk: _Talk) -> Iterator[promises.Promise]:
    utterance = talk.utterance
    is_spoken = utterance.kind == "spoken"
    for promise in promises.find(
        reading,
        talk.names,
        talk.people,
        lambda: talk.whole.is_formal(utterance.author, reading.lexicon.words),
        spoken=is_spoken,
        to_many=talk.is_to_many(utterance.addressees),
        in_chat=talk.is_chat,
        goes_on=lambda: talk.goes_on,
    ):
        if not is_spoken or promise.owner or not aloud.is_settled(reading, talk.names, promise.due):
            yield promise


def _taken_on(
    reading: SentenceReading, talk: _Talk, to: tuple[Person, ...], quotes: tuple[Quote, ...]
) -> Iterator[Commitment]:
    """What a talk leaves to its speaker to do; what they offer, if it is put off or somebody says yes."""
    acts_said = list(aloud.taken_on(reading, talk.names))
    put_off = "happy" not in reading.words and speech.is_afterwards(reading.words, reading.lexicon.words.code)
    if put_off or speech.agreeing(talk.record, talk.place):
        acts_said += aloud.offered(reading, talk.names)
    for each in acts_said:
        if act := _said_before(each.act, talk):
            yield Commitment(talk.utterance.author, to, act, quotes, each.due)


def _said_before(act: str, talk: _Talk) -> str:
    """An act, or the object of the same act that its speaker has taken on before: "so I'll reach out to them"; "" for
    "do it" right behind another act of theirs.
    """
    own = [each for each in talk.before if isinstance(each, Commitment) and each.owner == talk.utterance.author]
    if own and _DOING_IT.match(act) and own[-1].quotes[0].utterance >= talk.utterance.number - _NEAR:
        return ""
    match = _WHAT_IS_DONE.match(act)
    begins = match[0].strip().casefold() if match else ""
    if " " not in begins:
        return act
    return next((each.object for each in own if any(begins in q.text.casefold() for q in each.quotes)), act)


_DOING_IT: Final = re.compile(r"do (?:it|that|this|so)\b", re.IGNORECASE)
#: A verb with its first thing, up to a pronoun for it: "reach out to", "update the handbook", "check with the bank".
_WHAT_IS_DONE: Final = re.compile(
    r"\S+ (?:(?:out|up|back|in|on|into|to|with|the|a|an|my|our|that|this|those|these)\b *)*"
    r"(?:(?=(?:it|them|him|her|that|this)\b)|\S+)",
    re.IGNORECASE,
)


def _done_for_reader(
    reading: SentenceReading, talk: _Talk, to: tuple[Person, ...], quotes: tuple[Quote, ...]
) -> Iterator[Commitment]:
    """Calls, visits and answers that are promised, and in a mail what is promised in any verb."""
    author = talk.utterance.author
    if certainty.is_offered_help(reading):
        return
    contact = contacts.promised(reading)
    if contact and not _is_arranged(contact, reading, talk):
        yield Commitment(author, to, contact.act, quotes, _ahead(contact.due, talk), contact.condition)
    elif _is_plain_mail(reading, talk) and (errand := errands.promised(reading)):
        yield Commitment(author, to, errand.object, quotes, errand.due, errand.condition)


def _told_in_chat(made: Commitment) -> Iterator[Commitment | Answer]:
    """ "I'll bring it tomorrow" is a yes to what a message before asks for."""
    if chatter.names_nothing(made.object) and not (made.due and objects.is_pronoun(made.object)):
        yield Answer(made.owner, made.beneficiaries, "accepted", "", made.quotes, made.due)
    else:
        yield made


def _is_arranged(contact: contacts.Contact, reading: SentenceReading, talk: _Talk) -> bool:
    """Whether a chat only arranges it: a visit of the same day ("I'll pick you up at 8"), a call in minutes."""
    if not talk.is_chat:
        return False
    if contact.due is None:
        return True
    today = contact.due.day == talk.utterance.day
    acts = contact.act.split()
    place = next((n for n in range(len(reading.words)) if reading.words[n] == acts[0].casefold()), 0)
    end = place + len(acts)
    while end < len(reading.words) and reading.words[end] != "," and end < place + len(acts) + _SOON:
        end += 1
    at_once = chatter.is_at_once(reading, reading.words[place:end])
    meets = contact.act.casefold().startswith(("meet", "join", "tell"))
    return meets or (today and contacts.is_visit(contact.act)) or at_once


#: Words behind an act that may say when it is done: "in half an hour".
_SOON: Final = 4


def _with_further(reading: SentenceReading, first: _Loop) -> Iterator[_Loop]:
    """Also "the budget by Friday" in "I'll send the deck by Monday and the budget by Friday"."""
    yield first
    if first.due:
        yield from (replace(first, object=each.object.text, due=each.due) for each in phrases.further(reading))


def _reply(reading: SentenceReading, talk: _Talk) -> replies.Reply | None:
    if thing := promises.handed_over(reading, talk.names, talk.people):
        return replies.Reply("delivered", thing)
    return replies.reply(_behind_greeting(reading), talk.names)


def _behind_greeting(reading: SentenceReading) -> SentenceReading:
    """ "Dear Ann, no longer needed": what follows is all of an answer."""
    end = salutations.past(reading.text)
    rest = reading.text[end:]
    if not end:
        return reading
    return SentenceReading.of(rest, reading.start + end, reading.lexicon, reading.said_on, reading.region)


def _behind_names(reading: SentenceReading, utterance: Utterance) -> SentenceReading:
    """The first sentence of a message to one person, without the greeting and the name that it begins with."""
    if utterance.kind != "written" or len(utterance.addressees) != 1:
        return reading
    behind = _behind_greeting(_behind_call(reading))
    # "Hallo Bob, dann schicke ich es": without the greeting, the second half of a bargain.
    return reading if reading.lexicon.words.conjunctions.intersection(behind.words[:1]) else behind


def _behind_call(reading: SentenceReading) -> SentenceReading:
    """ "hi tom can you send it?", "tom porfa mándame ...": what follows a name that no comma parts."""
    words = reading.words
    name = salutations.greeting_words(words)
    after = name + 1
    if after >= len(words) or (not name and reading.capital(0)) or not _may_be_name(reading, name):
        return reading
    asks = requests.asks_at(reading, after)
    if reading.is_question:  # "ciao tom mi giri la ricevuta?"
        asks = asks or reading.lexicon.imperatives.at(words, after)
    if not asks and not (name and words[after].partition("'")[0] in reading.lexicon.words.subjects):
        return reading
    if not name and asks and asks.kind == "please":
        verb = after + len(asks.words)
        asks = reading.lexicon.imperatives.at(words, verb) if verb < len(words) else None
    elif not name and not reading.is_question:
        return reading
    return _from(reading, after) if name or asks else reading


def _from(reading: SentenceReading, word: int) -> SentenceReading:
    """What follows from this word on."""
    first = reading.tokens[word].start
    return SentenceReading.of(
        reading.text[first:], reading.start + first, reading.lexicon, reading.said_on, reading.region
    )


def _facts(plain: facts.Plain, talk: _Talk, quotes: tuple[Quote, ...]) -> Iterator[Fact]:
    """What holds now and, where it is named in the same breath, what held before."""
    scope = plain.scope
    if plain.attribute == "email" and plain.changed and _has_recipient(talk, plain.value):
        return  # A confirmation repeats to the user what they have entered.
    if plain.alone:
        # "The budget is 40k" agrees or disagrees with nothing that is said elsewhere.
        scope = tuple(sorted((*scope, (CONVERSATION, talk.record.thread or talk.record.record_id))))
    valid_from = talk.utterance.day if plain.changed else ""
    by = talk.utterance.author
    subject = plain.subject or by.name
    if plain.before:
        yield Fact(subject, plain.attribute, plain.before, plain.unit, scope, quotes, by=by)
    yield Fact(subject, plain.attribute, plain.value, plain.unit, scope, quotes, valid_from, by)


def _has_recipient(talk: _Talk, address: str) -> bool:
    author = talk.utterance.author.address
    return any(person.address.casefold() == address for person in talk.record.people if person.address != author)


def _is_asked(talk: _Talk) -> bool:
    """Whether somebody else's request was the last thing said: then "sure, I'll do it tonight" accepts it."""
    last = talk.before[-1] if talk.before else None
    return isinstance(last, Request) and last.asker != talk.utterance.author


def _request(
    asking: requests.Asking, reading: SentenceReading, talk: _Talk, quotes: tuple[Quote, ...]
) -> Request | None:
    utterance = talk.utterance
    thing = (_spoken_of(talk) if asking.pronoun else "") or asking.object or _given(talk)
    if not thing and (errand := _errand(reading, talk)):
        thing = errand.object
    due = _ahead(asking.due, talk) or _in_the_morning(reading, talk)
    if not thing or (talk.is_chat and chatter.names_nothing(thing)):
        return None
    return Request(utterance.author, _called(reading, talk), thing, quotes, due)


def _of_one(request: Request, reading: SentenceReading, talk: _Talk) -> Request | None:
    """A request of a talk without a day, of the one who says yes to it; None if it asks several and nobody does."""
    if request.due or len(request.asked) < 2:
        return request
    lex = reading.lexicon
    polite = reading.is_question or lex.please.anywhere(reading) or lex.could.anywhere(reading)
    yes = speech.agreeing(talk.record, talk.place) if polite else None
    return replace(request, asked=(yes.author,)) if yes else None


def _asked_aloud(reading: SentenceReading, talk: _Talk, quotes: tuple[Quote, ...]) -> Iterator[Request]:
    """What a talk asks of one who is there: of whom it calls by name, or of who says yes."""
    called = _called(reading, talk)
    is_named = len(called) == 1 and talk.whole.has_several
    if not is_named:
        yes = speech.agreeing(talk.record, talk.place)
        called = (yes.author,) if yes else ()
    for act in aloud.asked(reading, talk.names, by_name=is_named) if called else ():
        yield Request(talk.utterance.author, called, act.act, quotes, act.due)


def _ahead(due: Due | None, talk: _Talk) -> Due | None:
    """The due date of a chat: of an hour that is over today, "at 8" at noon, the evening's."""
    return dates.ahead(due, talk.utterance.said_at) if due and talk.is_chat else due


def _in_the_morning(reading: SentenceReading, talk: _Talk) -> Due | None:
    """The day of "in the morning", where the sentence names no other."""
    if reading.lexicon.words.code != "en" or any(hit.due for hit in reading.dates):
        return None
    return dates.next_morning(reading.text, talk.utterance.said_at)


def _awaited(reading: SentenceReading, talk: _Talk, quotes: tuple[Quote, ...]) -> Request | None:
    """What "please let me know" waits for: the answer to its author's question just before."""
    utterance, several = talk.utterance, talk.record.utterances
    called = _called(reading, talk)
    if utterance.kind != "written" or talk.is_to_many(called) or not acts.awaits_answer(reading):
        return None
    asked = {quote for statement in talk.before for quote in statement.quotes}
    # The question may stand in the same line, or in one just before.
    for earlier in (utterance, *reversed(several[max(0, talk.place - _NEAR) : talk.place])):
        own = earlier.author == utterance.author and earlier.kind == utterance.kind
        text = earlier.text[: reading.start] if earlier is utterance else earlier.text
        for sentence in reversed(list(sentences(text, reading.lexicon.words.code))) if own else ():
            before = SentenceReading.of(sentence.text, sentence.start, reading.lexicon, reading.said_on, talk.region)
            quote = Quote(earlier.number, sentence.text)
            if (thing := acts.question(before)) and quote not in asked:
                due = next((hit.due for hit in reading.coming), None)
                return Request(utterance.author, called, thing, (quote, *quotes), due)
    return None


#: So many lines behind a colon tell what it announces.
_LISTED: Final = 3
#: So many lines before "please let me know", its question stands at most.
_NEAR: Final = 4


def _called(reading: SentenceReading, talk: _Talk) -> tuple[Person, ...]:
    """Of several addressees the one whom the sentence calls by name: "Bob, could you ...", "could you ..., Bob?"; of a
    mail to the user alone, whomever it calls.
    """
    addressees, words = talk.utterance.addressees, reading.words
    if len(addressees) < 2 and (addressees != (ME,) or talk.is_chat or not certainty.is_message(talk.record)):
        return addressees
    for place in range(len(words) if len(addressees) > 1 else 0):
        phrase = talk.names.at(words, place)
        person = talk.people[phrase.kind] if phrase and reading.capital(place) else None
        if phrase and person in addressees:
            after = place + len(phrase.words)
            first = (
                place == 0
                and words[after : after + 1]
                and (words[after] in _CALLING or requests.asks_at(reading, after))
            )
            last = words[place - 1 : place] == (",",) and all(word in CLOSING for word in words[after:])
            if first or last:
                return (person,)
    return _called_otherwise(reading, addressees)


def _without_name(reading: SentenceReading, talk: _Talk) -> SentenceReading:
    """ "Bob can you send it?" asks as "Bob, can you send it?" does."""
    name = talk.names.at(reading.words, 0) if reading.words else None
    after = len(name.words) if name else 1
    if after >= len(reading.words) or not reading.capital(0) or not requests.asks_at(reading, after):
        return reading
    if name is None and not (_may_call(reading) and _is_english_name(reading)):
        return reading
    return _from(reading, after)


def _called_otherwise(reading: SentenceReading, addressees: tuple[Person, ...]) -> tuple[Person, ...]:
    """ "Jake, please ...", "Jake: are you ..." where nobody is called Jake: who is called so for short, else somebody
    who is not told of. The fold knows whether the user is.
    """
    words, lex = reading.words, reading.lexicon
    after = next((n for n in range(1, len(words)) if words[n] not in _CALLING), 1)
    if after == 1 or not _may_call(reading) or (words[1] != "," and _may_be_topic(reading)):
        return addressees
    after += words[after] == "\u00bf"
    asks = any(
        word in several.first for word in words[after : after + 1] for several in (lex.ask, lex.please, lex.could)
    )
    if not (asks or (reading.is_question and lex.words.code == "en" and words[after + 1 : after + 2] == ("you",))):
        return addressees
    name = reading.slice(0, 0)
    return (spelled.nicknamed(name, addressees) or Person(name),)


def _may_be_topic(reading: SentenceReading) -> bool:
    """Whether the word before a colon or a dash can say what the sentence is about: "Invoice: could you ..." """
    lex, word = reading.lexicon, reading.words[0]
    known = (lex.attributes.first, lex.words.weak, _TOPICS)
    return lex.words.code != "en" or any(word in several for several in known) or zones.is_city(word)


def _may_call(reading: SentenceReading) -> bool:
    """Whether the first word can be the name of who is spoken to."""
    return bool(reading.words) and reading.capital(0) and _may_be_name(reading, 0)


def _may_be_name(reading: SentenceReading, place: int) -> bool:
    lex, word = reading.lexicon, reading.words[place]
    if not word.isalpha() or word.endswith("ly"):
        return False
    w = lex.words
    known = (lex.empty, w.fronting, w.common, w.questioning, lex.dating, lex.short, salutations.NO_NAMES)
    return not any(word in several for several in known)


def _is_english_name(reading: SentenceReading) -> bool:
    """English writes no verb with a capital before "please", as German does: "Ruf bitte an"."""
    lex, word = reading.lexicon, reading.words[0]
    return lex.words.code == "en" and word not in lex.base and word not in requests.ANYBODY


#: English: papers and desks that a sentence begins with.
_TOPICS: Final = table(
    """
    contract contracts invoices bill bills offer quote order form forms letter mail email draft slides deck agenda list
    photos pictures tickets ticket flight flights hotel travel trip room venue catering dinner lunch car rent payment
    payments taxes insurance visa passport keys key website minutes feedback meeting call party wedding
    legal finance accounting payroll sales marketing support hr it admin procurement
    """
)
#: Behind the name of who is called.
_CALLING: Final = frozenset({",", ":", "-", "\u2013", "\u2014"})


def _given(talk: _Talk) -> str:
    """What "please review" means, where it names nothing: what came with the words."""
    own = (each for each in reversed(talk.before) if isinstance(each, Answer) and each.by == talk.utterance.author)
    return next((each.object for each in own if each.verdict == "delivered"), "")


def _spoken_of(talk: _Talk) -> str:
    """What a pronoun means: what the sentence just before names, or asks about; "" where nobody can tell."""
    number = talk.utterance.number
    last = talk.before[-1] if talk.before else None
    if (
        isinstance(last, Commitment | Request | Answer)
        and last.quotes[0].utterance >= number - 1
        and (last.object and not acts.is_question(last.object))
    ):
        return last.object
    for back, earlier in enumerate(reversed(talk.record.utterances[max(0, talk.place - _REACH) : talk.place])):
        day, words = day_of(earlier.day), _language(earlier, talk.whole)
        if words is None or day is None:
            continue
        reading = SentenceReading.of(earlier.text, 0, lexicon(words.code), day, talk.region)
        asked = replies.asked_about(reading, talk.names) if back == 0 else ""
        own = earlier.author == talk.utterance.author and earlier.kind in COMMITTING
        if thing := asked or (replies.missed(reading, talk.names) if own else ""):
            return thing
    return ""


def _commitment(
    reading: SentenceReading, promise: promises.Promise, talk: _Talk, quotes: tuple[Quote, ...]
) -> Commitment | None:
    utterance = talk.utterance
    if certainty.is_message(talk.record) and _is_own_affair(promise, utterance):
        return None
    owner = promise.owner or utterance.author
    if owner != ME and utterance.author == ME and utterance.kind == "written":
        return None  # "David is going to send an email": what the user writes of others binds nobody
    to = tuple(person for person in utterance.addressees if person != owner)
    if promise.owner and promise.owner != utterance.author:
        to = (utterance.author,)
    if receiver := promise.to or promise.gets:
        name = tuple(token.word for token in tokens(fold(receiver)))
        named = talk.names.at(name, 0)
        # "Bob Fox" is not the Bob who writes it.
        known = talk.people[named.kind] if named and (named.words == name or promise.owner) else None
        person = known if known and known != owner else Person(receiver)
        # What gets it may be a place, so it is also owed to the reader unless the fold knows a person of that name.
        to = (person, *(each for each in to if promise.gets and each != person))
    due = _ahead(promise.due, talk) or _in_the_morning(reading, talk)
    made = Commitment(owner, to, promise.object, quotes, due, promise.condition)
    if not promise.pronoun:
        return made
    # In a chat it is a name that stands in front: "Rosa: I'll look at it tomorrow".
    if not talk.is_chat and (thing := topics.named(reading)):
        return replace(made, object=thing)
    return _pointed_to(made, talk, quotes, reading.lexicon.words.code)


def _pointed_to(made: Commitment, talk: _Talk, quotes: tuple[Quote, ...], language: str = "") -> Commitment | None:
    """A promise with the thing that its "it" means."""
    utterance, before, owner, due = talk.utterance, talk.before, made.owner, made.due
    several = (each for each in reversed(before) if isinstance(each, Commitment | Request))
    earlier = next((each for each in several if not acts.is_question(each.object)), None)
    if isinstance(earlier, Commitment) and earlier.owner == owner and earlier.quotes[0].utterance == utterance.number:
        if earlier.due is None and earlier is before[-1]:
            # "I owe you the results; I'll send them by Friday": one promise, said in two parts.
            before.pop()
            distinct = tuple(dict.fromkeys(earlier.quotes + quotes))
            return replace(earlier, due=due, quotes=distinct, condition=earlier.condition or made.condition)
        return replace(made, object=earlier.object)
    if isinstance(earlier, Request) and earlier.asker != owner:
        return replace(made, object=earlier.object)
    thing = _spoken_of(talk) or made.object or (_LEFT_OUT.get(language, "") if talk.is_chat and due else "")
    return replace(made, object=thing) if thing else None


#: "It", where a language leaves it out: "te mando amanhã", "bring ich dir morgen".
_LEFT_OUT: Final = {"de": "es", "nl": "dat", "pt": "isso", "es": "eso", "it": "questo", "fr": "ça"}


def _is_own_affair(promise: promises.Promise, utterance: Utterance) -> bool:
    """ "Harbour News will host it", by Harbour News; "I need to pay it back by Friday", by anybody but the user."""
    tells_of_itself = promise.owner is not None and promise.owner == utterance.author
    return tells_of_itself or (promise.need and utterance.author != ME)


def _is_understood(reply: replies.Reply, utterance: Utterance, before: list[Statement]) -> bool:
    """ "Got it" just after a promise says that it was understood, and not that the thing has arrived."""
    last = before[-1] if before else None
    return (
        reply.verdict == "received"
        and not reply.object
        and isinstance(last, Commitment)
        and last.owner != utterance.author
    )


def _answer(reply: replies.Reply, utterance: Utterance, quotes: tuple[Quote, ...], before: list[Statement]) -> Answer:
    """In a talk of several, what is accepted or declined was asked by one of them."""
    to = utterance.addressees
    asked = before[-1] if before else None
    if reply.verdict in ("accepted", "declined") and isinstance(asked, Request) and asked.asker in to:
        to = (asked.asker,)
    return Answer(utterance.author, to, reply.verdict, reply.object, quotes)  # type: ignore[arg-type]
