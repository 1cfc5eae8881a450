"""A language's table made ready for looking up, and a sentence made ready for reading."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from itertools import pairwise
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from consumer.understanding import dates, languages, namedays
from consumer.understanding.languages import Verb, Words
from consumer.understanding.text import Token, abbreviations, fold, quoted_spans, tokens

Form = Literal["future", "present", "third"]
#: "sending": the last letter is doubled.
_DOUBLED: Final = frozenset({"get", "set", "put", "drop", "ship", "plan", "scan"})
CLOSING: Final = frozenset('.!?;:\u2026()[]\u2013\u2014\u2022|/"\u201c\u201d\u201e\u00ab\u00bb-')


_WORD_OF: Final = itemgetter(0)
_DIGIT: Final = re.compile(r"\d")
_OPENING_SIGNS: Final = CLOSING | {"\u00bf", "\u00a1"}


class Phrase(NamedTuple):
    words: tuple[str, ...]
    kind: str


class Phrases:
    """Phrases of words, found at a place of a sentence by their first word; the longest wins."""

    def __init__(self, several: Iterable[tuple[str, str]], elided: bool) -> None:
        """``several``: (phrase, kind)."""
        self.first: dict[str, list[Phrase]] = {}
        for text, kind in several:
            words = tuple(token.word for token in tokens(fold(text), elided))
            self.first.setdefault(words[0], []).append(Phrase(words, kind))
        for group in self.first.values():
            group.sort(key=lambda phrase: -len(phrase.words))
        self._sizes = {
            word: tuple(dict.fromkeys(len(phrase.words) for phrase in group)) for word, group in self.first.items()
        }
        # Of several kinds the first given counts.
        self._whole = {phrase.words: phrase for group in self.first.values() for phrase in reversed(group)}

    def anywhere(self, reading: SentenceReading) -> bool:
        """Whether any phrase can stand in the sentence at all; cheap, and mostly no."""
        return not self.first.keys().isdisjoint(reading.words)

    def at(self, words: Sequence[str], place: int) -> Phrase | None:
        for size in self._sizes.get(words[place], ()):
            if phrase := self._whole.get(tuple(words[place : place + size])):
                return phrase
        return None

    def within(self, words: Sequence[str], begin: int, end: int) -> Iterator[tuple[int, Phrase]]:
        """(place, phrase) of each place from ``begin`` to before ``end`` where a phrase begins."""
        first = self.first
        if first.keys().isdisjoint(words):
            return
        for place in range(begin, min(end, len(words))):
            if words[place] in first and (phrase := self.at(words, place)):
                yield place, phrase

    def before(self, words: Sequence[str], end: int) -> Phrase | None:
        """The phrase that ends just before a place."""
        hits = [
            phrase for start in range(max(0, end - 5), end) if (phrase := self.at_length(words, start, end - start))
        ]
        return hits[0] if hits else None

    def at_length(self, words: Sequence[str], place: int, length: int) -> Phrase | None:
        phrase = self._whole.get(tuple(words[place : place + length]))
        return phrase if phrase and len(phrase.words) == length else None


class WordMatch(NamedTuple):
    """A match of a pattern on the words of a sentence. ``begin``: the word at which the pattern was tried."""

    match: re.Match[str]
    begin: int

    def span(self, group: int | str = 0) -> tuple[int, int]:
        """The first word of a group, and the first one past it."""
        first = self.begin + len(self.match.string[: self.match.start(group)].split())
        return first, first + len(self.match[group].split())


class Sequel(NamedTuple):
    """A beginning, and what must follow somewhere in its sentence: "ich kann ... nicht"."""

    words: tuple[str, ...]
    later: tuple[str, ...]


@dataclass(frozen=True)
class Lexicon:
    words: Words
    #: Infinitive or base form.
    base: Mapping[str, tuple[Verb, ...]]
    #: Finite form of a first person (or "third").
    finite: Mapping[str, tuple[tuple[Verb, Form], ...]]
    participles: frozenset[str]
    openings: Phrases
    undertaking: Phrases
    vague: Phrases
    conditions: Phrases
    third: Phrases
    ask: Phrases
    imperatives: Phrases
    please: Phrases
    have: Phrases
    from_me: Phrases
    joints: Phrases
    copula: Phrases
    attributes: Phrases
    of: Phrases
    #: One word of each thing the rules look for; a sentence without any says nothing.
    triggers: frozenset[str]
    whole: Mapping[str, str]
    begins: Mapping[str, tuple[tuple[str, Sequel], ...]]
    ends: Phrases
    polite: frozenset[str]
    lead_ins: Phrases
    #: First and last words of "wie besprochen", between which a day or a place may stand.
    agreed: frozenset[tuple[str, str]]
    moving: Phrases
    remind: Phrases
    have_you: Phrases
    missing: Phrases
    happens: Phrases
    could: Phrases
    idioms: Phrases
    casual: Phrases
    herewith: Phrases
    ways: Phrases
    no_deeds: Phrases
    #: Action words: forms of the verbs, and of undertakings of several words.
    doing: frozenset[str]
    #: First words of what stands before the day by which something is due.
    by: frozenset[str]
    #: All words of short answers and of what is polite around them.
    short: frozenset[str]
    accepting: Phrases
    #: Words of which every date without a figure has one.
    dating: frozenset[str]
    #: Words with which a promise can begin.
    promising: frozenset[str]
    #: Words with which a request can begin.
    asking: frozenset[str]
    #: Words with which what the author has done can begin.
    telling: frozenset[str]

    def infinitive(self, word: str) -> tuple[Verb, ...]:
        """Verbs that this word is the infinitive of, without the pronouns written onto it."""
        known = self.base.get(word) or self.base.get(word.removeprefix("re-"))
        if known:
            return known
        for ending in self.words.enclitics:
            if word.endswith(ending) and len(word) > len(ending) + 2:
                stem = word[: -len(ending)]
                for whole in (stem, stem + "e", _REST.get(stem[-1:], "") and stem[:-1] + _REST[stem[-1:]]):
                    if whole and whole in self.base:
                        return self.base[whole]
        return ()

    @cached_property
    def noun_marks(self) -> frozenset[str]:
        """Words behind which no finite verb stands: "el", "de"."""
        w = self.words
        return (w.articles | w.prepositions) - w.pronouns - w.pronoun_objects - w.adverbs - w.conjunctions

    @cached_property
    def empty(self) -> frozenset[str]:
        """Words that name nothing."""
        w = self.words
        return (
            w.articles
            | w.pronouns
            | w.prepositions
            | w.adverbs
            | w.conjunctions
            | w.pronoun_objects
            | w.you
            | w.me
            | w.contrast
        )


#: Portuguese "enviá-lo", Italian "mandarti": how the infinitive before a pronoun is whole again.
_REST: Final = {"\u00e1": "ar", "\u00ea": "er", "\u00ed": "ir"}


@cache
def lexicon(code: str) -> Lexicon:
    w = languages.LANGUAGES[code]
    e = w.elision

    def table(*several: tuple[Iterable[str], str]) -> Phrases:
        return Phrases([(text, kind) for group, kind in several for text in group], e)

    base, finite = _forms(w)
    participles = frozenset(p for verb in w.verbs for p in verb.participle.split("/") if p != "-")
    begins: dict[str, tuple[tuple[str, Sequel], ...]] = {}
    for kind, group in _beginnings(w):
        for text in (*group, *_elided(group, w)):
            first, _, later = text.partition("...")
            sequel = Sequel(_split(first, e), _split(later, e))
            begins[sequel.words[0]] = (*begins.get(sequel.words[0], ()), (kind, sequel))
    begins = {key: tuple(sorted(group, key=lambda pair: -len(pair[1].words))) for key, group in begins.items()}
    openings = table(
        (w.will, "will"), (w.must, "must"), (w.undertaking if not _is_english(w) else (), "undertaking"),
        (w.you_get, "you_get"), (_gerunds(w), "gerund"), (w.will_alone, "will_alone"),
        (w.you_get_formal, "you_get_formal"), (w.have if w.verb_second else (), "perfect"),
        (w.promised, "promised"), (w.undertaken, "undertaken"),
    )  # fmt: skip
    ask, imperatives, please = (
        table(
            ([text for text in w.ask_infinitive if text not in w.can], "ask"),
            (w.ask_duty, "duty"),
            (w.ask_wish, "wish"),
            (w.can, "can"),
        ),
        table((w.imperatives, "do")),
        table((w.please, "please")),
    )
    have = table((w.have, "have"))
    copula = table((w.copula, "is"), (w.moved, "moved"))
    ends = table(
        (w.attached_end, "delivered"), (w.released_end, "released"), (w.received_end, "received"),
        (w.declined_end, "declined"),
    )  # fmt: skip
    could = table((w.could, "could"))
    remind, happens = table((w.remind, "remind")), table(*[((verb,), kind) for verb, kind in w.happens.items()])
    third = table((w.third, "third"))
    polite = frozenset(" ".join(_split(text, e)) for text in w.polite)
    whole = {
        " ".join(_split(text, e)): kind
        for kind in ("accepted", "declined", "received", "released", "done")
        for text in getattr(w, kind)
    }
    several = (openings, ask, imperatives, please, remind, could, happens, ends, third)
    known = [phrase.words for each in several for group in each.first.values() for phrase in group]
    known += [sequel.words + sequel.later for group in begins.values() for _, sequel in group]
    known += [tuple(text.split()) for text in whole]
    short = frozenset(word for text in (*whole, *polite) for word in text.split())
    to_me = w.me if _is_english(w) else frozenset[str]()  # "send me the deck"
    return Lexicon(
        words=w,
        base=base,
        finite=finite,
        participles=participles,
        openings=openings,
        undertaking=table((w.undertaking, "undertaking")),
        vague=table((w.vague, "vague")),
        conditions=table((w.condition, "if")),
        casual=table((w.casual, "casual")),
        herewith=table((w.herewith, "herewith")),
        ways=table((w.ways, "way")),
        no_deeds=table((w.no_deeds, "no_deed")),
        third=third,
        ask=ask,
        imperatives=imperatives,
        please=please,
        have=have,
        from_me=table((w.from_me, "from")),
        joints=table((w.dates.by + w.dates.on + w.dates.of + w.dates.at + w.dates.before_month, "joint")),
        copula=copula,
        attributes=table(*[((name,), kind) for name, kind in w.attributes.items()]),
        of=table((w.of, "of")),
        triggers=frozenset((*(_rarest(words, w) for words in known), *finite, *participles, *to_me)),
        whole=whole,
        begins=begins,
        ends=ends,
        polite=polite,
        lead_ins=table((w.lead_ins, "lead_in")),
        agreed=frozenset(
            (text.split()[0], text.split()[-1]) for text in (*w.lead_ins, *w.handed) if text.startswith(_AS)
        ),
        moving=table((w.moving, "moving")),
        remind=remind,
        have_you=table((w.have_you, "have_you")),
        missing=table((w.missing, "missing")),
        happens=happens,
        could=could,
        idioms=table((w.idioms, "idiom"), (w.undertaking if _is_english(w) else (), "idiom")),
        doing=frozenset((*finite, *imperatives.first, *(text.split()[0] for text in (*w.undertaking, *w.idioms)))),
        by=frozenset(text.split()[0] for text in w.dates.by),
        short=short | CLOSING | {","},
        accepting=table(([text for text in w.accepted if " " in text], "accepted")),
        dating=_dating(w),
        promising=frozenset((*openings.first, *finite)),
        asking=frozenset((*ask.first, *imperatives.first, *please.first, *remind.first, *could.first, *to_me)),
        telling=frozenset(have.first) | (participles if w.code in ("en", "es", "pt") else frozenset()),
    )


def _elided(group: tuple[str, ...], w: Words) -> list[str]:
    """French: "inutile de" before a vowel."""
    return [f"{text[:-1]}'" for text in group if w.code == "fr" and text.endswith(" de")]


#: How "as agreed" begins in the languages in which the verb follows it at once.
_AS: Final = ("wie ", "zoals ")


def _rarest(several: tuple[str, ...], w: Words) -> str:
    """The word of a phrase that is least likely to stand in a sentence without the phrase."""
    return max(several, key=lambda word: (word not in w.common and word not in w.articles, len(word), word))


def _dating(w: Words) -> frozenset[str]:
    d = w.dates
    several = (
        *d.months, *d.weekdays, *d.short_weekdays, *d.days, *d.day_ends, *d.no_dates, *d.this_week, *d.later_week,
        *d.next_week,
        *d.this_month, *d.next_month, *d.weekend, *d.periods, *d.year_end, *d.units, *d.times, "q1", "q2", "q3", "q4",
    )  # fmt: skip
    compounds = [f"{day}{part}" for day in d.weekdays for part in (*d.parts, "morgen") if w.verb_second]
    halves = ("half", "halb", "demie", "media", "meia", "mezza")
    several = (*several, *compounds, *halves)
    return frozenset(word for text in several for word in _split(text, w.elision)) | namedays.words(w.code)


def _is_english(w: Words) -> bool:
    return w.code == "en"


def _split(text: str, elided: bool) -> tuple[str, ...]:
    return tuple(
        token.word for token in tokens(fold(text), elided) if token.word not in CLOSING | {","} or token.word == ":"
    )


def _beginnings(w: Words) -> list[tuple[str, tuple[str, ...]]]:
    return [
        ("delivered", w.attached), ("declined", w.declined_begin), ("received", w.received_begin),
        ("released", w.released_begin), ("decided", w.decided), ("handed", w.handed),
    ]  # fmt: skip


def _gerunds(w: Words) -> list[str]:
    if not _is_english(w):
        return []
    made = []
    for verb in w.verbs:
        stem = verb.infinitive
        stem = stem[:-1] if stem.endswith("e") else stem + (stem[-1] if stem in _DOUBLED else "")
        made += [
            f"{subject} {stem}ing" for subject in ("i'm", "i am", "we're", "we are", "i'll be", "i will be", "we'll be")
        ]
    return made


def _forms(  # noqa: C901 - one branch a form
    w: Words,
) -> tuple[dict[str, tuple[Verb, ...]], dict[str, tuple[tuple[Verb, Form], ...]]]:
    base: dict[str, tuple[Verb, ...]] = {}
    finite: dict[str, tuple[tuple[Verb, Form], ...]] = {}

    def add(form: str, verb: Verb, kind: Form) -> None:
        if form and form != "-":
            finite[form] = (*finite.get(form, ()), (verb, kind))

    for verb in w.verbs:
        base[verb.infinitive] = (*base.get(verb.infinitive, ()), verb)
        if verb.particle and w.code in ("de", "nl"):
            # "einzureichen", "na te kijken" are left to their separate words; "einreichen" stands whole.
            add(verb.infinitive.removeprefix(verb.particle), verb, "present")
        elif w.verb_second:
            add(verb.infinitive, verb, "present")
        add(verb.present, verb, "present")
        if w.code == "de" and verb.present.endswith("e"):
            add(verb.present[:-1], verb, "present")  # "ich schick", as people talk and chat
        for ending, (first, plural, third) in w.future.items():
            if verb.infinitive.endswith(ending):
                stem = verb.infinitive.removesuffix(ending)
                add(stem + first, verb, "future")
                add(stem + plural, verb, "future")
                add(stem + third, verb, "third")
        if w.code in ("fr", "it"):
            ending = next((each for each in w.plural if verb.infinitive.endswith(each)), "")
            add(ending and verb.infinitive.removesuffix(ending) + w.plural[ending], verb, "present")
    for form, infinitive in w.irregular.items():
        if infinitive:
            verb = next((v for v in w.verbs if v.infinitive == infinitive), Verb(infinitive, form, "-"))
            kind: Form = "present" if form in _PRESENT else "third" if form.endswith("ra") else "future"
            for part in [form.split()[0]] if " " in form else [form]:
                add(
                    part,
                    Verb(verb.infinitive, verb.present, verb.participle, form.partition(" ")[2])
                    if " " in form
                    else verb,
                    kind,
                )
    return base, finite


_PRESENT: Final = frozenset(
    {"paye", "fais parvenir", "hago llegar", "faccio avere", "fa\u00e7o chegar", "fazemos chegar"}
)


_PAST: Final = frozenset({"was", "were", "had", "did"})
_YESTERDAY: Final = frozenset({"yesterday", "gestern", "hier", "ayer", "ontem", "ieri", "gisteren"})
#: English: "the time when it starts" names a time and no condition.
_MOMENTS: Final = frozenset({"time", "day", "date", "moment", "point", "week", "of"})


def split(folded: str, words: Words, forms: Container[str]) -> list[Token]:
    """Tokens; a pronoun that Portuguese writes onto a finite verb ("envio-te") is one of its own."""
    made = tokens(folded, words.elision)
    if words.code != "pt" or "-" not in folded:
        return made
    parts: list[Token] = []
    for token in made:
        verb, sign, pronoun = token.word.partition("-")
        if sign and verb in forms and f"-{pronoun}" in words.enclitics:
            parts += [
                Token(verb, token.start, token.start + len(verb)),
                Token(pronoun, token.end - len(pronoun), token.end),
            ]
        else:
            parts.append(token)
    return parts


def _in_full(made: Iterable[Token], words: Words) -> list[Token]:
    """Short forms as the words that they stand for: "w" and "w/" as "with"; "2 x 3" stays."""
    whole: list[Token] = []
    for token in made:
        before = whole[-1].word if whole else ""
        if before in words.short.values() and whole[-1].end == token.start:
            if token.word == "/":
                whole[-1] = whole[-1]._replace(end=token.end)
                continue
            if (before, token.word) == ("with", "o"):  # "w/o"
                whole[-1] = Token("without", whole[-1].start, token.end)
                continue
        # A letter alone at the beginning numbers a list.
        is_short = not before[:1].isdigit() and (before or len(token.word) > 1)
        full = words.short.get(token.word) if is_short else None
        whole.append(token._replace(word=full) if full else token)
    return whole


def _sentence_tokens(text: str, lex: Lexicon) -> list[Token]:
    """Without dots that end nothing: after abbreviations, numbers and initials, and inside of words."""
    made = split(fold(text), lex.words, lex.finite)
    if "." not in text[:-1]:
        return made
    kept: list[Token] = []
    for number, token in enumerate(made):
        if token.word == "." and number and number + 1 < len(made):
            before = made[number - 1].word
            is_short = before in abbreviations(lex.words.code) or (len(before) == 1 and before.isalnum())
            if before == "no" and made[number + 1].word[0].isdigit():
                kept[-1] = kept[-1]._replace(word="number")  # "invoice no. 4711" denies nothing
                continue
            if is_short or before[-1].isdigit() or made[number + 1].start == token.end:
                continue
        kept.append(token)
    return kept


@dataclass(frozen=True)
class SentenceReading:
    """A sentence with its words, its dates and the tables of its language."""

    text: str
    start: int
    lexicon: Lexicon
    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    said_on: date
    region: str
    is_question: bool

    @classmethod
    def of(cls, text: str, start: int, lex: Lexicon, said_on: date, region: str) -> SentenceReading:
        made = _sentence_tokens(text, lex)
        if not lex.words.short.keys().isdisjoint([word for word, _, _ in made]):
            made = _in_full(made, lex.words)
        question = text.rstrip(" )\"'").endswith("?") or "\u00bf" in text
        return cls(text, start, lex, tuple(made), tuple(map(_WORD_OF, made)), said_on, region, question)

    @property
    def coming(self) -> list[dates.Found]:
        """The dates of today and later that may be a due date."""
        today = self.said_on.isoformat()
        return [hit for hit in self.dates if hit.due and hit.due.day >= today and hit.role != "never"]

    @cached_property
    def dates(self) -> tuple[dates.Found, ...]:
        if self.lexicon.dating.isdisjoint(self.words) and not _DIGIT.search(self.text):
            return ()
        return dates.scan(self.text, self.said_on, self.lexicon.words.code, self.region)

    @cached_property
    def dated(self) -> frozenset[int]:
        """Numbers of the words that belong to a date, with the prepositions before it."""
        numbers: set[int] = set()
        for hit in self.dates:
            inside = [n for n, token in enumerate(self.tokens) if token.start < hit.end and hit.start < token.end]
            numbers.update(inside)
            first = min(inside, default=0)
            while hit.role != "of" and (phrase := self.lexicon.joints.before(self.words, first)):
                numbers.update(range(first - len(phrase.words), first))
                first -= len(phrase.words)
                if phrase.words[-1] not in self.lexicon.words.articles:
                    break
        return frozenset(numbers) | self.instead

    @cached_property
    def instead(self) -> frozenset[int]:
        """Numbers of the words around a date that is not meant, before the one that is: "*not* on Monday *but* on
        Tuesday", "*niet* maandag *maar* dinsdag".
        """
        w, words, numbers = self.lexicon.words, self.words, set[int]()
        if not any(hit.role == "never" for hit in self.dates):
            return frozenset()
        several = (*w.dates.on, *w.dates.by, *w.dates.never, *w.negation, "non")
        small = {word for text in several for word in text.split()}
        for hit, following in pairwise(self.dates):
            gap = [n for n, token in enumerate(self.tokens) if hit.end <= token.start < following.start]
            if hit.role != "never" or not gap or w.contrast.isdisjoint(words[n] for n in gap):
                continue
            if all(words[n] in {",", *w.contrast, *small} for n in gap):
                first = next(n for n, token in enumerate(self.tokens) if token.start >= hit.start)
                while first and words[first - 1] in small:
                    first -= 1
                    gap.append(first)
                numbers.update(gap)
        return frozenset(numbers)

    @cached_property
    def begin(self) -> int:
        """The first word past "Hi Bob," and "\u00bf"."""
        words, place = self.words, 0
        if "," in words[:5]:
            for n in range(min(5, len(words) - 1)):
                if words[n] == "," and all(
                    words[k] in self.lexicon.words.fronting or self.capital(k) for k in range(n)
                ):  # fmt: skip
                    place = n + 1
        while place < len(words) and words[place] in _OPENING_SIGNS:
            place += 1
        return place

    def match(self, pattern: re.Pattern[str], begin: int = 0) -> WordMatch | None:
        """The pattern on the words from ``begin`` on, with a blank between two words."""
        match = pattern.match(" ".join(self.words[begin:]))
        return WordMatch(match, begin) if match else None

    @cached_property
    def herewith(self) -> frozenset[int]:
        """Numbers of the words that say that something comes with the text; "the attached list" has none."""
        lex, numbers = self.lexicon, set[int]()
        for place, phrase in lex.herewith.within(self.words, 0, len(self.words)):
            if not (place and self.words[place - 1] in lex.words.articles):
                numbers.update(range(place, place + len(phrase.words)))
        return frozenset(numbers)

    @cached_property
    def ways(self) -> frozenset[int]:
        """Numbers of the words that say how or where to something is done, and never what: "zur Seite"."""
        several = self.lexicon.ways.within(self.words, 0, len(self.words))
        return frozenset(n for place, phrase in several for n in range(place, place + len(phrase.words)))

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        return quoted_spans(self.text)

    @cached_property
    def _has_condition(self) -> bool:
        return self.lexicon.conditions.anywhere(self)

    def is_condition(self, place: int) -> bool:
        """Whether a condition can begin here: "if", "as soon as"."""
        return self._has_condition and self.lexicon.conditions.at(self.words, place) is not None

    def in_quotes(self, place: int) -> bool:
        at = self.tokens[place].start
        return any(start <= at < end for start, end in self.quoted)

    def capital(self, place: int) -> bool:
        return self.text[self.tokens[place].start].isupper()

    def is_tight(self, place: int) -> bool:
        """Whether this sign stands between two words without a blank: "S/P"."""
        around = self.tokens[place - 1 : place + 2] if place else ()
        return len(around) == len("a/b") and around[0].end == around[1].start and around[1].end == around[2].start

    def slice(self, first: int, last: int) -> str:
        """The letters from one word to another, both with."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    @cached_property
    def condition(self) -> tuple[int, int] | None:
        """(first, last) word of a condition of the sentence."""
        return next(self._conditions(), None) if self._has_condition else None

    @cached_property
    def conditions(self) -> tuple[tuple[int, int], ...]:
        """(first, last) word of each condition of the sentence."""
        return tuple(self._conditions()) if self._has_condition else ()

    def _conditions(self) -> Iterator[tuple[int, int]]:
        end = 0
        for place, phrase in self.lexicon.conditions.within(self.words, 0, len(self.words)):
            if place >= end and self._begins_clause(place, phrase) and not self._is_just(place):
                last = place
                while (
                    last + 1 < len(self.words) and self.words[last + 1] not in CLOSING and self.words[last + 1] != ","
                ):
                    last += 1
                if last - place >= len(phrase.words) and not self._is_past(place, last):
                    yield place, last
                    end = last + 1

    def _is_past(self, first: int, last: int) -> bool:
        """ "After I spoke to him yesterday"; English: "when I was about to leave"."""
        past = _YESTERDAY.isdisjoint(self.words[first : last + 1])
        return not past or (self.words[first] == "when" and not _PAST.isdisjoint(self.words[first:last]))

    def _is_just(self, place: int) -> bool:
        """Italian: "appena" is "as soon as", and in "ti ho appena mandato" it is "just"."""
        firsts = ((first, self.lexicon.have.at(self.words, first)) for first in range(max(0, place - 2), place))
        return any(phrase and first + len(phrase.words) > place for first, phrase in firsts)

    def _begins_clause(self, place: int, phrase: Phrase) -> bool:
        """A date or a noun after "until" or "after" makes no condition: a clause has more words than that."""
        after = place + len(phrase.words)
        if after in self.dated or place in self.dated:
            return False
        if self.words[place] == "when" and place and self.words[place - 1] in _MOMENTS:
            return False  # "the time when it starts"
        if not set(phrase.words) <= self.lexicon.words.prepositions:
            return True
        end = next((n for n in range(after, len(self.words)) if self.words[n] in CLOSING | {","}), len(self.words))
        articles = self.lexicon.words.articles
        return sum(self.words[n] not in articles for n in range(after, end)) > 1
