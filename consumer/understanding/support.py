"""
Whether a claim says what its quotes say, as far as code can tell, and what a judge adds to it.

Five checks, in order: the citations are evidence; the quotes stand there; every name and value of the claim is in the
quotes or on the header of the cited record; the quotes prove something and the claim neither drops nor adds a
negation, a condition, a doubt, a question or a plan; a judge, where there is one, calls it supported. Pure: who asks
the judge and keeps its answers hands both in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from consumer.ports import ModelCall, ModelTags
from consumer.understanding import bounds, concepts, languages, mentions, modality, values
from consumer.understanding.grammar import lexicon
from consumer.understanding.mentions import Mentions
from consumer.understanding.modality import Modality
from consumer.understanding.moments import day_of
from consumer.understanding.text import fold, sentences
from consumer.understanding.values import Value
from contract.api import Usage

CheckName = Literal["evidence", "quotes", "values", "meaning", "judge"]
RULINGS: Final[frozenset[str]] = frozenset({"supported", "partial", "unsupported"})

#: Only pages below it hold what the user's sources say; reports, context and derived pages repeat it.
EVIDENCE: Final = "sources/"


class Check(NamedTuple):
    """``passed`` is None where the check was not made; ``reason`` says in plain words why it failed or was not made."""

    name: CheckName
    passed: bool | None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"check": self.name, "passed": self.passed, "reason": self.reason or None}


class CitedRecord(NamedTuple):
    """The record that a quote stands on. ``facts``: its header's (label, value); ``people``: (page, name) it links to.

    ``day`` is the local day, ISO, "" where it is unknown; ``lines`` its visible text, a line each; ``zone`` an IANA
    name.
    """

    title: str
    page_title: str
    day: str
    facts: tuple[tuple[str, str], ...]
    people: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]
    zone: str = "UTC"


class CitedQuote(NamedTuple):
    """A quote, the page that it is cited from, and its record."""

    page: str
    quote: str
    record: CitedRecord


@dataclass(frozen=True, slots=True)
class KnownPeople:
    """Known people: each spelling, as ``mentions.key`` writes its words, and the pages that it may mean."""

    spellings: Mapping[tuple[str, ...], frozenset[str]]

    @classmethod
    def of(cls, people: Iterable[tuple[str, str]]) -> KnownPeople:
        """From (page, name or alias); a page may come with several."""
        spellings: dict[tuple[str, ...], set[str]] = {}
        for page, name in people:
            parts = tuple(mentions.words(name))
            for several in (parts, *((part,) for part in parts if len(part) > 1)):
                if several:
                    spellings.setdefault(several, set()).add(page)
        return cls({spelling: frozenset(pages) for spelling, pages in spellings.items()})

    def pages(self, parts: Sequence[str]) -> frozenset[str]:
        """Pages of the people whom all of these words may mean: words of one name, in any order, or an initial."""
        whole = self.spellings.get(tuple(parts))
        if whole is not None:
            return whole
        several = [self._part(part) for part in parts]
        return frozenset.intersection(*several) if several else frozenset()

    def _part(self, part: str) -> frozenset[str]:
        if len(part) > 1:
            return self.spellings.get((part,), frozenset())
        initials = (pages for spelling, pages in self.spellings.items() if spelling[0].startswith(part))
        return frozenset().union(*initials)


NOBODY: Final = KnownPeople({})


def is_evidence(page: str) -> bool:
    """Whether a page holds what a source said, and not what this memory made of it."""
    return page.startswith(EVIDENCE) and ".." not in page.split("/")


def compare(
    text: str, passages: Sequence[CitedQuote], directory: KnownPeople = NOBODY, known: str = ""
) -> tuple[Check, ...]:
    """Checks "values" and "meaning" of a claim whose quotes stand on evidence.

    ``known``: words that code computed from the same places ("3 days overdue"); their values count as found.
    """
    claim = _Claim.read(text, passages)
    evidence = [_Evidence.read(passage, directory) for passage in passages]
    unsupported = next(_missing(claim, evidence, directory, known), "")
    misread = next(_misread(claim, evidence, directory), "")
    return Check("values", not unsupported, unsupported), Check("meaning", not misread, misread)


# --- the judge ---------------------------------------------------------------------------------------------------


class Question(NamedTuple):
    """A claim that code found nothing against, and its quotes as (page, quote)."""

    claim: str
    quotes: tuple[tuple[str, str], ...]

    @property
    def key(self) -> str:
        """The same words get the same key, so that an answer is kept and not asked for again."""
        digest = sha256()
        for part in (self.claim, *(each for quote in self.quotes for each in quote)):
            digest.update(len(part.encode()).to_bytes(8, "big") + part.encode())
        return digest.hexdigest()


class Judgement(NamedTuple):
    """``rulings``: one for each question, in their order; whatever is not one of RULINGS counts as no answer."""

    rulings: Sequence[str] = ()
    usage: Usage = Usage()
    #: What was asked of a model, without content.
    calls: tuple[ModelCall, ...] = ()


class Judge(Protocol):
    """Somebody who understands both texts, a small model say. Asked once a report."""

    def judge(self, questions: Sequence[Question], tags: ModelTags, spent: Usage, limit_s: float) -> Judgement:
        """Rule on claims. A judge that gives no answer within ``limit_s`` seconds gives no rulings.

        ``tags``, ``spent``: under which the job's model calls are booked, and what it has spent.
        Raises ProviderBusy: too many jobs ask this provider now.
        """


def unasked(questions: Sequence[Question], kept: Mapping[str, str]) -> list[Question]:
    """The questions to which no answer is kept, each once."""
    return list({question.key: question for question in questions if kept.get(question.key) not in RULINGS}.values())


def answers(questions: Sequence[Question], rulings: Sequence[str]) -> dict[str, str]:
    """Key -> ruling of what a judge answered. An answer of another length answers nothing: who is meant is unknown."""
    if len(questions) != len(rulings):
        return {}
    pairs = zip(questions, rulings, strict=True)
    return {question.key: ruling for question, ruling in pairs if isinstance(ruling, str) and ruling in RULINGS}


def judged(ruling: str | None) -> Check:
    """The check "judge" of a claim that passed all others; ``ruling`` is None where the judge gave no answer."""
    if ruling == "supported":
        return Check("judge", True)
    if ruling == "partial":
        return Check("judge", None, "the judge found only a part of the claim in the quotes")
    if ruling == "unsupported":
        return Check("judge", False, "the judge did not find the claim in the quotes")
    return Check("judge", None, "the judge gave no answer")


# --- two claims of one record -------------------------------------------------------------------------------------


def touched(record: CitedRecord, quote: str) -> list[str]:
    """The sentences of a record that a quote touches; the quote itself where its place is not found."""
    return [each.text for each in _touched(record, quote, _spoken(record))]


def names_the_same(text: str, other: str, record: CitedRecord) -> bool:
    """Whether two claims of one record name the same people, days and values, which may be none."""
    people, rest = _named(text, record)
    others, other_rest = _named(other, record)
    # "Ana" and "Ana Silva" are one in one record.
    same_people = people <= others or others <= people if people and others else people == others
    return same_people and rest == other_rest


def _spoken(record: CitedRecord) -> str:
    return _language(" ".join(record.lines), "en") or "en"


def _named(text: str, record: CitedRecord) -> tuple[frozenset[str], frozenset[object]]:
    """Words of the people that a text names, and the days and values."""
    mentioned = mentions.find(text, _day(record.day), _language(text, _spoken(record)) or _spoken(record))
    people = frozenset(mentions.words(" ".join(mentioned.names))) - mentions.PARTICLES
    days = {each.day for each in mentioned.days}
    numbers = {value.number for value, _ in mentioned.numbers}
    rest: set[object] = {*days, *mentioned.times, *mentioned.codes, *numbers, *mentioned.per}
    rest |= {("month", month) for month in mentioned.months} | {("quarter", each) for each in mentioned.quarters}
    return people, frozenset(rest)


# --- what is compared --------------------------------------------------------------------------------------------


class _Claim(NamedTuple):
    text: str
    language: str
    modality: Modality
    words: frozenset[str]

    @classmethod
    def read(cls, text: str, passages: Sequence[CitedQuote]) -> _Claim:
        quoted = next((spoken for each in passages if (spoken := _language(each.quote, _spoken(each.record)))), "en")
        language = _language(text, quoted) or quoted
        return cls(text, language, _modality(text, language), frozenset(mentions.words(text)))

    def mentions(self, day: str) -> Mentions:
        return mentions.find(self.text, _day(day), self.language)


class _Sentence(NamedTuple):
    """A sentence that a quote touches, and who says it ("" where nobody is named)."""

    text: str
    speaker: str
    language: str


class _Evidence(NamedTuple):
    passage: CitedQuote
    language: str
    quoted: Mentions
    sentences: tuple[_Sentence, ...]
    #: Of quote and header, as names are compared.
    quote_words: frozenset[str]
    header_words: frozenset[str]
    #: People whom quote and header name, by page.
    quote_people: frozenset[str]
    header_people: frozenset[str]

    @classmethod
    def read(cls, passage: CitedQuote, directory: KnownPeople) -> _Evidence:
        record, quote = passage.record, passage.quote
        around = _language(" ".join(record.lines), "en") or "en"
        language = _language(quote, around) or around
        header = [
            record.title,
            record.page_title,
            *(value for _, value in record.facts),
            *(n for _, n in record.people),
        ]
        touched = tuple(_touched(record, quote, language))
        speakers = [each.speaker for each in touched if each.speaker]
        names = mentions.words(" ".join([quote, *speakers]))
        own = KnownPeople.of(record.people)
        return cls(
            passage=passage,
            language=language,
            quoted=mentions.find(quote, _day(record.day), language),
            sentences=touched,
            quote_words=frozenset(names),
            header_words=frozenset(mentions.words(" ".join(header))),
            quote_people=_people(mentions.words(quote), own) | _people(mentions.words(quote), directory),
            header_people=frozenset(page for page, _ in record.people),
        )


def _people(parts: Sequence[str], directory: KnownPeople) -> frozenset[str]:
    """People whom a word of a text can only mean."""
    several = (directory.pages([part]) for part in parts if len(part) > 1 and part not in mentions.PARTICLES)
    return frozenset(page for pages in several if len(pages) == 1 for page in pages)


@lru_cache(maxsize=512)
def _language(text: str, expected: str = "") -> str:
    """The language whose words the text uses most, small words twice; ``expected`` where it is as good; "" for none."""
    scores = _scores(text)
    most = max(scores.values())
    best = [code for code, score in scores.items() if score == most]
    if not most:
        return expected
    return expected if expected in best else best[0] if len(best) == 1 else ""


def _scores(text: str) -> dict[str, int]:
    tokens = {match[0] for match in _LETTERS.finditer(fold(text))}
    signs = {code for code, letters in _SIGNS_OF.items() if not letters.isdisjoint(text)}
    return {
        code: sum(2 * (token in known.common) + mentions.is_ordinary(token, code) for token in tokens) + (code in signs)
        for code, known in languages.LANGUAGES.items()
    }


def _modality(text: str, language: str) -> Modality:
    """As ``modality.read``; of a few words, which may be of several languages, each of these may tell the tense."""
    read = modality.read(text, language)
    if read.future or read.done:
        return read
    scores = _scores(text)
    likely = [code for code, score in scores.items() if score + _SMALL_WORD >= max(scores.values())]
    others = [modality.read(text, code) for code in likely]
    future = any(each.future for each in others)
    done = any(each.done for each in others)
    return read._replace(future=future, planned=read.planned or future, done=done)


#: What a small word adds to the score of its language.
_SMALL_WORD: Final = 3
#: Letters that only one of the languages has.
_SIGNS_OF: Final = {
    "de": frozenset("\u00df\u00e4\u00f6\u00fc\u00c4\u00d6\u00dc"),
    "es": frozenset("\u00f1\u00bf\u00a1"),
    "pt": frozenset("\u00e3\u00f5"),
    "fr": frozenset("\u0153\u00ea\u00fb"),
}


def _day(day: str) -> date:
    return day_of(day) or date(1, 1, 8)


# --- values ------------------------------------------------------------------------------------------------------


def _missing(  # noqa: C901, PLR0912 - one branch a kind of value
    claim: _Claim, evidence: Sequence[_Evidence], directory: KnownPeople, known: str
) -> Iterator[str]:
    """What the claim names and neither a quote nor a header does, in plain words."""
    per_record = [claim.mentions(each.passage.record.day) for each in evidence]
    first = per_record[0] if per_record else claim.mentions("")
    computed = claim._replace(text=known).mentions(evidence[0].passage.record.day) if known and evidence else None
    for number in range(len(first.days)):
        several = [each.days[number] for each in per_record if number < len(each.days)]
        if not any(_has_day(day, evidence, computed) for day in several):
            yield f"the day \u201c{first.days[number].words}\u201d is not in the quotes or on the record"
    for time in first.times:
        if not any(time in _times(each) for each in evidence) and not (computed and time in computed.times):
            yield f"the time {time} is not in the quotes or on the record"
    for month in first.months:
        if not any(month in _months(each) for each in evidence) and not (computed and month in computed.months):
            yield f"month {month} of the year is not in the quotes or on the record"
    for quarter in first.quarters:
        if not any(quarter in _quarters(each) for each in evidence):
            yield f"quarter {quarter} is not in the quotes or on the record"
    numbers = [value for each in evidence for value in _numbers(each)]
    numbers += [value for value, _ in computed.numbers] if computed else []
    units = {number.unit for number in numbers}
    for value, words in first.numbers:
        if not any(_is_same(value, other, units) for other in numbers) and not _is_hour_or_day(value, words, evidence):
            yield f"the number \u201c{words}\u201d is not in the quotes or on the record"
    # "The third site" of a quote that counts nothing may be told of its place in a list.
    stated = {n for each in evidence for n in _ordinals(each.passage.quote)}
    for place in sorted(_ordinals(claim.text) - stated) if stated else ():
        yield f"number {place} in the order is not in the quotes"
    # A short claim may look like one of another language.
    spoken = {each.language for each in evidence}
    for unit in {*first.per, *(u for code in spoken for u in mentions.find(claim.text, _day(""), code).per)}:
        if not any(unit in _per(each) for each in evidence):
            yield f"\u201cper {unit}\u201d is not in the quotes or on the record"
    for code in first.codes:
        if not any(_has_code(code, each) for each in evidence) and code not in fold(known):
            yield f"\u201c{code}\u201d is not in the quotes or on the record"
    for name in first.names:
        if not _has_name(name, claim, evidence, directory, known):
            yield f"the name \u201c{name}\u201d is not in the quotes or on the record"


def _is_hour_or_day(value: Value, words: str, evidence: Sequence[_Evidence]) -> bool:
    """ "At eight" of "at 8", and "14.12." of "14 December"."""
    if value.kind != "number":
        return False
    dotted = _DOTTED_DAY.fullmatch(words)
    if dotted:
        wanted = f"-{int(dotted[2]):02}-{int(dotted[1]):02}"
        return any(day.day.endswith(wanted) for each in evidence for day in each.quoted.days)
    hours = {f"{int(value.number) + half:02}:00" for half in (0, 12)} if value.number.isdigit() else set()
    return any(not hours.isdisjoint(each.quoted.times) for each in evidence)


_DOTTED_DAY: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.?")
#: Places in an order from the second to the sixth; "first" and "last" are said of much else.
_ORDINAL_WORDS: Final = {
    word: n
    for n, several in enumerate(
        (
            "second zweite zweiten zweiter zweites deuxième seconde segundo segunda secondo seconda tweede 2nd",
            "third dritte dritten dritter drittes troisième tercer tercero tercera terceiro terceira terzo terza "
            "derde 3rd",
            "fourth vierte vierten vierter viertes quatrième cuarto cuarta quarto quarta vierde 4th",
            "fifth fünfte fünften fünfter fünftes cinquième quinto quinta vijfde 5th",
            "sixth sechste sechsten sechster sechstes sixième sexto sexta sesto sesta zesde 6th",
        ),
        2,
    )
    for word in several.split()
}


def _ordinals(text: str) -> set[int]:
    return {_ORDINAL_WORDS[word] for word in re.findall(r"\w+", fold(text)) if word in _ORDINAL_WORDS}


def _has_day(day: mentions.MentionedDay, evidence: Sequence[_Evidence], computed: Mentions | None) -> bool:
    others = {other.day for other in computed.days} if computed else set()
    for each in evidence:
        others |= {other.day for other in each.quoted.days}
        others |= {other for label, other in _header_days(each.passage.record) if not day.due or _is_due(label)}
        if day.weekday and not day.due:
            # Said on Friday of "Friday" is that very day, or the last one.
            stated_on = each.passage.record.day
            if (
                stated_on
                and (_day(day.day) - _day(stated_on)).days == 7
                and _day(day.day).weekday() == _day(stated_on).weekday()
            ):
                others.add(day.day)
    return day.day in others


def _is_due(label: str) -> bool:
    return bool(re.search(r"due|deadline|end|until|remind|expir|title", label, re.IGNORECASE))


_STAMP: Final = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::\d\d)?)?\s?(UTC|Z|[+-]\d\d:?\d\d)?")


def _stamps(record: CitedRecord) -> Iterator[tuple[str, str, str]]:
    """(label, day, time) of the header's times, as written and in the user's zone."""
    header = [*record.facts, ("title", record.title), ("title", record.page_title)]
    for label, value in header:
        for match in _STAMP.finditer(value):
            yield label, match[1], match[2] or ""
            if match[2] and match[3]:
                shift = match[3].replace("UTC", "+00:00").replace("Z", "+00:00")
                try:
                    local = datetime.fromisoformat(f"{match[1]}T{match[2]}{shift}").astimezone(ZoneInfo(record.zone))
                except (ValueError, OverflowError, ZoneInfoNotFoundError, OSError):  # OSError: a folder of zones
                    continue
                yield label, local.date().isoformat(), f"{local:%H:%M}"


def _header_days(record: CitedRecord) -> Iterator[tuple[str, str]]:
    if record.day:
        yield "When", record.day
    for label, day, _ in _stamps(record):
        yield label, day
    for title in (record.title, record.page_title):
        for hit in mentions.find(title, _day(record.day), _language(title) or "en").days:
            yield "title", hit.day


def _times(each: _Evidence) -> set[str]:
    return {*each.quoted.times, *(time for _, _, time in _stamps(each.passage.record) if time)}


def _months(each: _Evidence) -> set[int]:
    days = [day.day for day in each.quoted.days] + [day for _, day in _header_days(each.passage.record)]
    titles = _titles(each).months
    return {*each.quoted.months, *titles, *(int(day[5:7]) for day in days)}


def _quarters(each: _Evidence) -> set[int]:
    return {*each.quoted.quarters, *_titles(each).quarters}


def _titles(each: _Evidence) -> Mentions:
    """What title and facts of the record name, dates apart."""
    record = each.passage.record
    facts = [value for _, value in record.facts if not _STAMP.search(value)]
    whole = " \n".join([record.title, record.page_title, *facts])
    return mentions.find(whole, _day(record.day), _language(whole) or each.language)


def _numbers(each: _Evidence) -> list[Value]:
    years = {day.day[:4] for day in each.quoted.days}
    years |= {day[:4] for _, day in _header_days(each.passage.record)}
    numbers = [value for value, _ in (*each.quoted.numbers, *_titles(each).numbers)]
    return numbers + [Value("number", year, "", 0, 0) for year in years]


def _is_same(claimed: Value, stated: Value, units: Set[str] = frozenset()) -> bool:
    """Whether a number of the claim is one of the evidence; a currency must be stated there, and not added.

    ``units``: of all numbers there, for "48,000 euros, not the 62,000": the second is one of euros too.
    """
    if "version" in (claimed.kind, stated.kind):
        return _plain(claimed.number) == _plain(stated.number) and claimed.unit in ("", stated.unit)
    if claimed.unit != stated.unit and (
        claimed.kind == "share" or (claimed.kind == "amount" and (stated.unit or claimed.unit not in units))
    ):
        return False
    if values.same(claimed, stated):
        return True
    things = claimed.kind == stated.kind == "count" and not {claimed.unit, stated.unit} & MEASURES
    return things and Decimal(claimed.number) == Decimal(stated.number)


#: Units that no other word stands for: "two weeks" are not "two months", but "40 guests" are "40 people".
MEASURES: Final = frozenset(
    {"minute", "hour", "day", "week", "month", "year", "km", "kg", "gb", "tb", "m2", "ft2", "mile"}
)


def _plain(number: str) -> str:
    return number.rstrip("0").rstrip(".") if "." in number else number


def _per(each: _Evidence) -> set[str]:
    return {*each.quoted.per, *_titles(each).per}


def _has_code(code: str, each: _Evidence) -> bool:
    record = each.passage.record
    whole = fold(" ".join([each.passage.quote, record.title, record.page_title, *(v for _, v in record.facts),
                           *(name for _, name in record.people)]))  # fmt: skip
    if code.isdigit():
        return code.lstrip("0") in re.sub(r"[ ()/.\-]", "", whole)
    return bool(re.search(rf"(?<![\w]){re.escape(code)}(?!\w)", whole.replace("\\", "")))


def _has_name(name: str, claim: _Claim, evidence: Sequence[_Evidence], directory: KnownPeople, known: str) -> bool:
    """Whether quote or header name this: by its words, or as another spelling of somebody there."""
    parts = [part for part in mentions.words(name) if part not in mentions.PARTICLES]
    computed = frozenset(mentions.words(known))
    for each in evidence:
        there = each.quote_words | (each.header_words if _header_counts(parts, each, directory) else frozenset())
        if all(_is_there(part, there | computed, claim.language) for part in parts):
            return True
        meant = directory.pages(parts)
        people = each.quote_people | (each.header_people if _header_counts(parts, each, directory) else frozenset())
        if len(meant) == 1 and meant <= people:
            return True
    several = [word for word in name.split() if fold(word) not in mentions.PARTICLES]
    return len(several) > 1 and all(_has_name(word, claim, evidence, directory, known) for word in several)


def _is_there(part: str, there: frozenset[str], language: str) -> bool:
    if part in there or len(part) == 1:
        return len(part) > 1 or any(word.startswith(part) for word in there)
    return language in ("de", "nl") and part.endswith("s") and part[:-1] in there


_YOU_OR_THEY: Final = re.compile(
    r"(?<!\w)(?:i|i'll|i'm|i've|i'd|me|my|you|your|we|us|our|he|she|him|her|his|they|them|their|everyone|all"
    r"|ich|mir|mich|mein\w*|du|dir|dich|dein\w*|sie|ihnen|ihr\w*|wir|uns\w*|er|ihm|ihn|euch"
    r"|je|j|me|moi|mon|ma|mes|tu|te|toi|vous|votre|vos|nous|notre|nos|il|elle|lui|leur\w*|ils|elles"
    r"|yo|mí|mi|tú|ti|su|sus|nos|nuestr\w*|os|le|les|él|ella|ellos|usted\w*"
    r"|eu|mim|meu|minha|lhe|lhes|ele|ela|você\w*|vos|io|mi|tuo|tua|ci|vi|gli|lei|loro|noi|voi"
    r"|ik|mij|mijn|je|jij|jou\w*|u|uw|we|wij|ons|onze|hij|zij|ze|hem|haar|hun)(?!\w)"
)


def _header_counts(parts: Sequence[str], each: _Evidence, directory: KnownPeople) -> bool:
    """Whether the header may name somebody whom the quote does not: not where the quote names others and only them."""
    own = KnownPeople.of(each.passage.record.people)
    person = own.pages(parts) or (directory.pages(parts) & each.header_people)
    if not person:
        return True
    quote = fold(each.passage.quote)
    if not (each.quote_people - person) or re.search(r"(?<!\w)(?:we|us|wir|uns|nous|they|them|all)(?!\w)", quote):
        return True
    author = _author(each)
    if author and set(parts) & set(mentions.words(author)):
        return True
    others = _YOU_OR_THEY.sub(lambda m: "" if m[0] in _FIRST else m[0], quote)
    return bool(_YOU_OR_THEY.search(others))


_FIRST: Final = frozenset("i i'll i'm i've i'd me my ich mir mich je j moi mon ma yo eu io ik mij mijn".split())  # noqa: SIM905


# --- meaning -----------------------------------------------------------------------------------------------------


def _misread(claim: _Claim, evidence: Sequence[_Evidence], directory: KnownPeople) -> Iterator[str]:
    """Why the quotes do not prove what the claim says, in plain words."""
    for each in evidence:
        yield from _is_nothing(claim, each)
        if not _is_joined_well(each):
            yield "the quote joins words of several sentences or speakers"
    yield from _other_voice(claim, evidence, directory)
    relevant = [sentence for each in evidence for sentence in each.sentences]
    yield from _differing(claim, _best(claim, relevant), relevant)


#: A title of so few words names something and says nothing of it.
TITLE_WORDS: Final = 3
_STATE: Final = re.compile(r"(?:-\s*)?(?:state|status|checked|done)\s*:\s*(?P<state>[\w -]+)", re.IGNORECASE)
#: Words of one state, in the seven languages.
_STATES: Final = tuple(
    frozenset(several.split())
    for several in (
        "open pending outstanding todo unfinished offen ouvert ouverte abierto abierta aberto aberta aperto aperta"
        " openstaand",
        "done finished completed complete closed checked erledigt fertig terminé fait hecho terminado feito concluído"
        " fatto completato klaar gedaan",
        "dismissed discarded cancelled canceled verworfen annulé cancelado annullato geannuleerd",
        "sent delivered read confirmed accepted declined draft",
    )
)
_STATE_TALK: Final = frozenset(
    """
    still yet task item state status is are remains to the a of for and it aufgabe noch ist bleibt tâche est reste tarea
    sigue está tarefa continua compito ancora è taak nog
    """.split()  # noqa: SIM905 - a table of words
)


def _is_nothing(claim: _Claim, each: _Evidence) -> Iterator[str]:
    quote = each.passage.quote.strip()
    state = _STATE.fullmatch(fold(quote))
    if state or fold(quote) in frozenset().union(*_STATES):
        word = (state["state"] if state else quote).strip().lower()
        if not _says_state(claim, each, word):
            yield "the quote is only a state, and the claim says more than that state"
        return
    if _is_name(quote, each) or _is_about_else(claim, quote, each):
        yield "the quote is only a name or a title, which proves nothing by itself"


def _says_state(claim: _Claim, each: _Evidence, state: str) -> bool:
    group = next((several for several in _STATES if state in several), frozenset({state}))
    words = [word.group() for word in re.finditer(r"[^\W\d_]+", fold(claim.text))]
    if any(word in several for several in _STATES if several is not group for word in words) or claim.modality.negated:
        return False
    allowed = group | _STATE_TALK | {state}
    return all(
        word in allowed
        or mentions.key(word) in each.header_words
        or len(word) == 1
        or _is_function(word, claim.language)
        for word in words
    )


def _is_function(word: str, language: str) -> bool:
    known = languages.get(language)
    return known is not None and (word in known.articles or word in known.prepositions or word in known.common)


def _is_name(quote: str, each: _Evidence) -> bool:
    """A few words without a verb, a pronoun or a value: "Kestrel launch", "Carla Mendes"."""
    quoted = each.quoted
    tokens = [match[0] for match in re.finditer(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*", quote)]
    if quoted.days or quoted.numbers or quoted.times or quoted.codes:
        return len(tokens) == 0
    if len(tokens) > 4:
        return False
    read = _modality(_CAPITALIZED.sub(r"\1n", quote), each.language)
    telling = read.future or read.done or any(
        mentions.is_ordinary(word, each.language) and _tells(word, each.language) for word in tokens
    )  # fmt: skip
    record = each.passage.record
    is_title = fold(quote) in {fold(record.title), fold(record.page_title), *(fold(v) for _, v in record.facts)}
    return not telling or (is_title and len(tokens) <= TITLE_WORDS)


#: Words that may be names, whose ends are no verb's: "Rivera", "Museu".
_CAPITALIZED: Final = re.compile(r"\b([A-ZÀ-Þ])\w*")


def _is_about_else(claim: _Claim, quote: str, each: _Evidence) -> bool:
    """ "Orca rollout" for "Tom was fired": a few nouns, none of which the claim has."""
    known = languages.get(each.language)
    words = [fold(match[0]) for match in re.finditer(r"[^\W\d_]+", quote)]
    quoted = each.quoted
    if known is None or claim.language != each.language or len(words) > TITLE_WORDS + 1:
        return False
    if quoted.days or quoted.numbers or quoted.times or quoted.codes:
        return False
    lex = lexicon(known.code)
    small = known.negation | known.pronouns | frozenset(known.subjects) | known.you | known.adverbs
    speaks = small - known.articles - known.prepositions
    if any(word in speaks or word in lex.base or word in lex.finite or word in lex.participles for word in words):
        return False
    if " ".join(words) in lex.whole or not quote[-1:].isalnum():
        return False
    claimed = {fold(match[0])[:5] for match in re.finditer(r"[^\W\d_]+", claim.text)}
    content = [word for word in words if not _is_function(word, each.language)]
    return claimed.isdisjoint(word[:5] for word in content)


def _tells(word: str, language: str) -> bool:
    """Whether a word belongs to a sentence: no article, no preposition."""
    known = languages.get(language)
    return known is not None and fold(word) not in known.articles and fold(word) not in {"of", "de", "di", "von", "van"}


_LETTERS: Final = re.compile(r"[^\W\d_]+")
#: What a quote leaves out, in a report or an answer.
ELLIPSIS: Final = re.compile(r"\s*(?:\[?(?:\.{3,}|\u2026)\]?)\s*")


def _is_joined_well(each: _Evidence) -> bool:
    """Whether the pieces around an ellipsis are of one sentence of one speaker."""
    pieces = [piece for part in ELLIPSIS.split(each.passage.quote) if (piece := _flat(part))]
    whole = _flat(each.passage.quote)
    if len(pieces) < 2 or any(whole in _flat(line) for line in each.passage.record.lines):
        return True
    for line in each.passage.record.lines:
        speaker, words = _speaker(line, each.passage.record)
        for sentence in sentences(words, each.language):
            text, place = _flat(f"{speaker}: {sentence.text}" if speaker else sentence.text), 0
            for piece in pieces:
                place = text.find(piece, place)
                if place < 0:
                    break
                place += len(piece)
            else:
                return True
    return False


def _flat(text: str) -> str:
    return " ".join(re.findall(r"\w+|[%\u20ac$\u00a3]", fold(text)))


_SPEAKER: Final = re.compile(r"^(?:[-*>]\s*)?\[?(?P<name>[^\W\d_][\w .'\u2019-]{0,40}?)\]?:\s+(?P<said>\S.*)$")


def _speaker(line: str, record: CitedRecord) -> tuple[str, str]:
    """("Bob", what Bob says) of a line of a transcript; ("", the line) of any other."""
    match = _SPEAKER.match(line)
    if match is None or not match["name"][0].isupper():
        return "", line
    people = {part for _, name in record.people for part in mentions.words(name)}
    parts = mentions.words(match["name"])
    if parts and (set(parts) & people or (not record.people and len(parts) <= 2)):
        return match["name"], match["said"]
    return "", line


def _touched(record: CitedRecord, quote: str, language: str) -> Iterator[_Sentence]:
    """The sentences that a quote touches; the quote itself where its place is not found."""
    flat = _flat(quote)
    pieces = [piece for part in ELLIPSIS.split(quote) if (piece := _flat(part))]
    begun = False
    for line in record.lines:
        speaker, words = _speaker(line, record)
        for sentence in sentences(words, language):
            text = _flat(sentence.text)
            named = _flat(f"{speaker} {sentence.text}") if speaker else text
            if not text:
                continue
            if _within(flat, pieces, text) or _within(flat, pieces, named):
                begun = True
                yield _Sentence(sentence.text, speaker, language)
    if not begun:
        yield _Sentence(quote, "", language)


def _within(flat: str, pieces: Sequence[str], text: str) -> bool:
    """Whether a sentence holds the quote, or a piece of it, or is held by it."""
    padded = f" {text} "
    return any(f" {piece} " in padded for piece in (flat, *pieces)) or f" {text} " in f" {flat} "


def _author(each: _Evidence) -> str:
    """Who speaks in the quote: the line's speaker, else the record's sender; "" where nobody is known."""
    speakers = {sentence.speaker for sentence in each.sentences}
    if len(speakers) == 1 and (speaker := next(iter(speakers))):
        return speaker
    record = each.passage.record
    facts = {label.lower(): value for label, value in record.facts}
    for label in ("from", "author", "sender"):
        if label in facts:
            return facts[label]
    if "to" in facts:
        return ""
    names = {fold(name): name for _, name in record.people}
    return names.get(fold(record.title), "")


_FIRST_PERSON: Final[Mapping[str, re.Pattern[str]]] = {
    "en": re.compile(r"(?<!\w)(?:i|i'll|i'm|i've|i'd)(?!\w)"),
    "de": re.compile(r"(?<!\w)ich(?!\w)"),
    "fr": re.compile(r"(?<!\w)(?:je|j)(?!\w)"),
    "es": re.compile(r"(?<!\w)(?:yo|he|voy|\w+r[é])(?!\w)|^\W*(?:te|le|os|les)\s\w+(?:o|é)(?!\w)"),
    "pt": re.compile(r"(?<!\w)(?:eu|vou|\w+rei)(?!\w)|^\W*(?:te|lhe|vos)\s\w+o(?!\w)"),
    "it": re.compile(r"(?<!\w)(?:io|ho|\w+rò)(?!\w)|^\W*(?:ti|le|vi|gli)\s\w+o(?!\w)"),
    "nl": re.compile(r"(?<!\w)ik(?!\w)"),
}
_RECEIVES: Final = re.compile(
    r"(?:gets?|got|receiv\w*|is owed|was promised|was offered|expects?|awaits?|waits?|needs?|is to get|will get|will be"
    r"|should get|is to|should|has been|is being|was told|was asked|was sent|is due|bekomm\w*"
    r"|erh[aä]lt\w*|wartet|erwartet|reçoit"
    r"|recevra|attend|recib\w*|espera|receb\w*|ricev\w*|aspetta|krijgt|ontvangt|wacht)\b"
)
_SAYS: Final = re.compile(
    r"(?:reports?|reported|notes?|noted|thinks?|thought|believes?|mentions?|mentioned|denies|denied|confirms?|confirmed"
    r"|tells?|told|expects?|expected|puts|knows?|knew|explains?|explained|reminds?|reminded|announc\w*|warns?|warned"
    r"|nennt|meldet|berichtet|meint|bestätigt|weiß|annonce|confirme|signale|pense|informa|confirma|avisa|conferma|meldt"
    r"|bevestigt|says?|said|asks?|asked|promis\w*|writes?|wrote|wants?|sagt\w*|fragt\w*|schreibt|verspricht|dit|demande|promet"
    r"|dice|pregunta|promete|diz|pergunta|chiede|promette|zegt|vraagt|belooft)\b"
)


def _other_voice(claim: _Claim, evidence: Sequence[_Evidence], directory: KnownPeople) -> Iterator[str]:
    """The claim gives to one person what another says of themself."""
    if len({_author(each) for each in evidence}) != 1:
        return
    subject = _subject(claim)
    author = _author(evidence[0]) if evidence else ""
    if not subject or not author or mentions.is_ordinary(author.split()[0], "en"):
        return
    own = KnownPeople.of([person for each in evidence for person in each.passage.record.people])
    parts, voice = mentions.words(subject), mentions.words(author)
    meant = own.pages(parts) or directory.pages(parts)
    rest = fold(claim.text).partition(fold(subject.split()[-1]))[2].lstrip(" ,")
    spoken = [sentence for each in evidence for sentence in each.sentences]
    first = any(_FIRST_PERSON[s.language].search(fold(s.text)) for s in spoken if s.language in _FIRST_PERSON)
    if set(parts) & set(voice) or meant & (own.pages(voice) or directory.pages(voice)):
        others = frozenset().union(*(each.quote_people for each in evidence)) - meant
        named = any(set(parts) & set(mentions.words(each.passage.quote)) for each in evidence)
        ours = any(_OURS.search(fold(sentence.text)) for sentence in spoken)
        if others and not (named or first or ours or _SAYS.match(rest) or rest[:1] == ":"):
            yield f"the quote is of somebody else, and {subject} only says so"
            return
    elif (meant or not set(voice) & claim.words) and (
        (first and not _RECEIVES.match(rest)) or (meant and _SAYS.match(rest))
    ):
        yield f"these are the words of {author}, and the claim gives them to {subject}"
        return
    quoted = {_begun(each) for each in spoken}
    actor = quoted.pop() if len(quoted) == 1 else ""
    if actor and meant and not first and set(mentions.words(actor)).isdisjoint({*claim.words, *parts}) and not (
        _RECEIVES.match(rest) or _SAYS.match(rest) or rest[:1] == ":"
    ):  # fmt: skip
        yield f"the quote is of {actor}, and the claim gives it to {subject}"


def _begun(sentence: _Sentence) -> str:
    """The name with which a sentence begins: "Carmen pagar\u00e1 la fianza"; "" where it begins with none."""
    names = mentions.find(sentence.text, _day(""), sentence.language).names
    return names[0] if names and sentence.text.startswith(names[0]) else ""


#: Words by which those who speak speak of themselves too.
_OURS: Final = re.compile(
    r"(?<!\w)(?:we|we'll|we're|we've|our|us|me|my|wir|uns\w*|mir|mich|mein\w*|nous|notre|nos|on|moi|mon|ma|mes|me"
    r"|nosotr\w*|nuestr\w*|mi|mis|nós|noss\w*|meu\w*|minha\w*|noi|nostr\w*|mio|mia|wij|ons|onze|mij|mijn)(?!\w)"
)


def _subject(claim: _Claim) -> str:
    """The name with which the claim's main clause begins; "" where it begins with none."""
    names = claim.mentions("2024-01-01").names
    if not names:
        return ""
    name = names[0]
    before, _, after = claim.text.partition(name.split()[0])
    after = after.partition(name.split()[-1])[2] if " " in name else after
    begins = before.rsplit(",", 1)[-1].strip(" \"'\u201c")
    if begins and fold(begins) not in {"a", "o", "la", "il", "die", "der", "frau", "herr", "dann", "then", "now"}:
        return ""
    owns = name.endswith(("'s", "\u2019s")) or after.startswith(("'", "\u2019"))
    return "" if owns else name


def _terms(text: str, language: str) -> set[str]:
    """What a stretch of text speaks of: stems of its words, and its numbers."""
    known = languages.get(language)
    small = (known.common | known.articles | known.prepositions | known.pronouns) if known else frozenset()
    return {
        mentions.key(match[0])[:5]
        for match in re.finditer(r"[^\W\d_]{3,}", text)
        if fold(match[0]) not in small and len(match[0]) > 3
    }


def _overlap(claim: _Claim, text: str, language: str) -> int:
    """How much a stretch of text speaks of what the claim does; a shared number weighs most."""
    day = "2024-01-01"
    mine = [value for value, _ in claim.mentions(day).numbers]
    theirs = [value for value, _ in mentions.find(text, _day(day), language).numbers]
    shared = sum(3 for value in mine if any(values.same(value, other) for other in theirs))
    if language != claim.language:
        shared += len(concepts.named(claim.text, claim.language) & concepts.named(text, language))
    return shared + len(_terms(claim.text, claim.language) & _terms(text, language))


def _best(claim: _Claim, several: Sequence[_Sentence]) -> list[_Sentence]:
    """Of the sentences that are quoted those that the claim speaks of: all of them where none shares a word with it."""
    scores = [_overlap(claim, sentence.text, sentence.language) for sentence in several]
    most = max(scores, default=0)
    return [sentence for sentence, score in zip(several, scores, strict=True) if score * 2 >= most]


_CLAUSE: Final = re.compile(
    r"[,;:()\u2013\u2014](?!\d)|\s(?:and|but|while|und|aber|sondern|et|mais|y|pero|sino|e|mas|ma|en|maar)\s"
)


def _differing(  # noqa: C901 - one branch a kind of difference
    claim: _Claim, best: Sequence[_Sentence], several: Sequence[_Sentence]
) -> Iterator[str]:
    """Where the claim drops or adds a negation, a question, a condition, a doubt, or makes a plan a fact."""
    mine = claim.modality
    read = [_modality(sentence.text, sentence.language) for sentence in best]
    asked = [
        each.question or modality.is_indirect_question(sentence.text, sentence.language)
        for each, sentence in zip(read, best, strict=True)
    ]
    if all(asked) and asked and not mine.asking:
        yield "the quote asks, and the claim says that it is so"
    if any(asked):
        return
    every = [modality.read(sentence.text, sentence.language) for sentence in several]
    denied = any(modality.denies_denial(each.text, each.language) for each in best)
    says_no = mine.negated or (_denies(claim, best) and not denied)
    if _negates(claim, best) and not says_no:
        yield "the quote says no, and the claim does not"
    elif not says_no and (word := _affirmed(claim, several)):
        yield f"the quote denies \u201c{word}\u201d, and the claim does not"
    if mine.negated and not any(each.negated or each.denying for each in every):
        yield "the claim says no, and the quote does not"
    if any(each.condition for each in read) and not (mine.conditional or (mine.negated and mine.doubtful)):
        yield "the quote makes a condition, and the claim leaves it out"
    if mine.condition and not any(each.conditional or each.doubtful for each in every):
        yield "the claim makes a condition, and the quote does not"
    if any(each.doubt for each in read) and not mine.doubtful:
        yield "the quote says that it may be so, and the claim that it is"
    if mine.doubt and not any(each.doubtful or each.conditional for each in every):
        yield "the claim says that it may be so, and the quote does not"
    if mine.done and not mine.planned and _is_plan(read):
        yield "the quote speaks of a plan, and the claim says that it is done"
    if mine.future and not mine.negated and any(each.done for each in read) and not any(each.planned for each in read):
        yield "the quote says that it is done, and the claim that it will be"
    yield from _opposite(mine, read)
    yield from _bounded(claim, several)
    if mine.universal and not any(each.universal for each in every):
        yield f"\u201c{sorted(mine.universal)[0]}\u201d is not in the quotes"


def _bounded(claim: _Claim, several: Sequence[_Sentence]) -> Iterator[str]:
    """ "900 euros" for "more than 900 euros"."""
    if bounds.names_bound(claim.text):
        return
    read = [each for sentence in several for each in bounds.numbers(sentence.text, sentence.language)]
    exact = {number for number, is_bound in read if not is_bound}
    for number, _ in bounds.numbers(claim.text, claim.language):
        if number not in exact and (number, True) in read:
            yield f"\u201c{number}\u201d is only a bound in the quote"


def _denies(claim: _Claim, best: Sequence[_Sentence]) -> bool:
    """Whether the claim says no by a word that the quote has not anyway: "without" of "nothing without a report"."""
    there = frozenset().union(*(modality.denials(each.text, each.language) for each in best))
    return bool(modality.denials(claim.text, claim.language) - there)


def _opposite(mine: Modality, read: Sequence[Modality]) -> Iterator[str]:
    """ "The client refused the offer" for "accepted"."""
    for quoted, claimed in (("accepts", "refuses"), ("refuses", "accepts")):
        stated = [getattr(each, quoted) and not getattr(each, claimed) and not each.negated for each in read]
        if stated and all(stated) and getattr(mine, claimed) and not (getattr(mine, quoted) or mine.negated):
            yield f"the quote {quoted} what the claim {claimed}"


def _is_plan(read: Sequence[Modality]) -> bool:
    return bool(read) and all((each.planned or each.future) and not each.done for each in read)


def _negates(claim: _Claim, best: Sequence[_Sentence]) -> bool:
    """Whether the clause that the claim speaks of is negated; any clause counts where none shares a word with it."""
    clauses: list[tuple[int, bool]] = []
    for sentence in best:
        for clause in _CLAUSE.split(sentence.text):
            if clause.strip():
                read = modality.read(clause, sentence.language)
                clauses.append((_overlap(claim, clause, sentence.language), read.negated))
    most = max((score for score, _ in clauses), default=0)
    return any(negated for score, negated in clauses if score == most)


def _affirmed(claim: _Claim, several: Sequence[_Sentence]) -> str:
    """A word that a clause denies and a claim that denies nothing uses: "is 900 euros and is not refundable".

    What is denied stands behind the negation, or before it where nothing new stands behind: "den Vertrag nicht". A
    word that another clause uses without a negation is free: the claim may mean that clause.
    """
    # Words of two languages are compared by what they mean.
    is_mixed = any(each.language != claim.language for each in several)
    content: Callable[[str, str], Set[str]] = concepts.named if is_mixed else _content
    mine = content(claim.text, claim.language)
    stated: list[Set[str]] = []
    denied: list[tuple[Set[str], Set[str]]] = []
    for sentence in several:
        for clause in _CLAUSE.split(sentence.text):
            around = modality.around_negation(clause, sentence.language)
            if around is None:
                stated.append(content(clause, sentence.language))
                continue
            before, behind = (content(part, sentence.language) for part in around)
            if not (before or behind) and stated and not is_mixed:
                # "Den Vertrag aber nicht": the conjunction parts the negation from what it denies.
                before = stated.pop()
            # "Breakfast is not included": there is none.
            lacks = "include" in concepts.named(around[1], sentence.language)
            denied.append((before, before | behind if lacks else behind))
    elsewhere = set().union(*stated)
    for before, behind in denied:
        free = {word for word in before | behind if any(_same_stem(word, other) for other in elsewhere)}
        for word in sorted((behind - free) or (before - free)):
            if any(_same_stem(word, other) for other in mine):
                return word
    return ""


def _content(text: str, language: str) -> set[str]:
    """The words of a text, as they are compared, without the small words of its language."""
    known = languages.get(language)
    small = (known.common | known.articles | known.prepositions | known.pronouns) if known else frozenset()
    return {mentions.key(match[0]) for match in re.finditer(r"[^\W\d_]{3,}", text) if fold(match[0]) not in small}


def _same_stem(word: str, other: str) -> bool:
    """ "sign" and "signed"; words of three letters are compared whole."""
    shorter, longer = sorted((word, other), key=len)
    return word == other or (len(shorter) > len("car") and longer.startswith(shorter[:5]))
