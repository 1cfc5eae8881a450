"""The form of a language's table: words and phrases in small letters, for the rules to look up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final, NamedTuple

#: An hour among ``DateWords.units``, of which the others are days.
HOUR: Final = -24


def phrases(text: str) -> tuple[str, ...]:
    """``"by | no later than"``: alternatives, without the blanks around them."""
    return tuple(part.strip() for part in text.split("|") if part.strip())


def combined(*parts: str) -> tuple[str, ...]:
    """Every phrase of one alternative of each part, in their order; an alternative "-" stands for nothing."""
    choices = [[choice if choice != "-" else "" for choice in phrases(part)] for part in parts]
    return tuple(" ".join(filter(None, chosen)) for chosen in product(*choices))


def words(text: str) -> frozenset[str]:
    """Single words, parted by blanks."""
    return frozenset(text.split())


def numbered(text: str, first: int = 1) -> dict[str, int]:
    """``"january jan | february feb"``: each word by the number of its alternative."""
    return {word: number for number, part in enumerate(phrases(text), first) for word in part.split()}


class Verb(NamedTuple):
    """A verb of doing: what it looks like where somebody promises it, and where they say that it is done."""

    infinitive: str
    #: First person singular of the present: "schicke".
    present: str
    #: "geschickt"; several, parted by a slash.
    participle: str
    #: What stands apart from a German or Dutch verb: "rufe ... an".
    particle: str = ""


def verbs(text: str) -> tuple[Verb, ...]:
    """One verb a line: infinitive, present, participle, particle."""
    return tuple(Verb(*line.split()) for line in text.strip().splitlines())


@dataclass(frozen=True, slots=True)
class DateWords:
    months: Mapping[str, int]
    #: Monday is 0.
    weekdays: Mapping[str, int]
    #: Forms that mean a day only after a preposition or before a number: "Fr.", "segunda".
    short_weekdays: Mapping[str, int]
    #: Days from the day of the utterance.
    days: Mapping[str, int]
    #: "end of the day": that day.
    day_ends: tuple[str, ...]
    #: What may follow a day: "morning".
    parts: tuple[str, ...]
    #: Before a weekday: the first one from now on.
    coming: tuple[str, ...]
    #: Before a weekday: the one of the week after this.
    following: tuple[str, ...]
    #: After a weekday: the first one from now on.
    coming_after: tuple[str, ...]
    #: Before or after a weekday, a week, a month: past. Such a date is nobody's due date.
    past: tuple[str, ...]
    past_after: tuple[str, ...]
    #: Phrases with the word of a date that mean no date: "good morning".
    no_dates: tuple[str, ...]
    this_week: tuple[str, ...]
    #: Its later days: "later in the week". Said on a weekend, the next week's.
    later_week: tuple[str, ...]
    next_week: tuple[str, ...]
    this_month: tuple[str, ...]
    next_month: tuple[str, ...]
    weekend: tuple[str, ...]
    #: Before a period: "end of the".
    end_of: tuple[str, ...]
    #: "week" -> w, m, q, y.
    periods: Mapping[str, str]
    #: The end of this year in a word: "Jahresende".
    year_end: tuple[str, ...]
    #: Before a count of units from now: "in", "within".
    ahead: tuple[str, ...]
    #: After a count of units: "from now".
    ahead_after: tuple[str, ...]
    #: Days of a unit; -1 a month, ``HOUR`` an hour, 0 less than that.
    units: Mapping[str, int]
    #: Before a bare month: "in", "by".
    before_month: tuple[str, ...]
    #: Between the parts of a date: "of", "de".
    joints: tuple[str, ...]
    #: Times by name: "noon" -> 12:00.
    times: Mapping[str, str]
    #: Before an hour: "at", "um".
    at: tuple[str, ...]
    #: After an hour: "Uhr", "h".
    hours: tuple[str, ...]
    #: Follows an hour and is part of the time: "de la tarde".
    afternoon: tuple[str, ...]
    #: Beside an hour: it is one of the first half of the day.
    mornings: tuple[str, ...]
    #: Beside an hour up to eight, and beside an hour from five on: the hour is in the second half of the day. A word
    #: such as "tarde", which lasts until night, is in both.
    afternoons: frozenset[str]
    evenings: frozenset[str]
    #: Before the day that something is due: "by", "until".
    by: tuple[str, ...]
    #: First words of the phrases in ``by`` that exclude the day itself: "before".
    before: frozenset[str]
    #: Before the day on which something happens: "on".
    on: tuple[str, ...]
    #: Before a date that tells of which day something is: "the minutes of Friday".
    of: tuple[str, ...]
    #: Before a date: it is the one day that is not meant.
    never: tuple[str, ...]
    month_first: bool = False
    #: Whether "at 3:30" is said of the afternoon.
    twelve_hours: bool = False
    #: Before and after the number of a day of this month or the next: "the 19th", "zum 20.", "de 14e".
    day_of_month: tuple[str, ...] = ()
    day_of_month_after: tuple[str, ...] = ()
    #: After a weekday: the one a week later than the next, "Friday week".
    week_later: tuple[str, ...] = ()
    #: Between a count of units and the day that it is counted from: "a week from Friday".
    counted_from: tuple[str, ...] = ()
    #: Before a month: its fifteenth, "mid-December".
    middle_of: tuple[str, ...] = ()
    #: Before a month: its first, in words, "the first of December".
    first_of: tuple[str, ...] = ()
    #: Before and after a weekday: the one of the week after the next, "the Monday after next".
    second_next: tuple[str, ...] = ()
    second_next_after: tuple[str, ...] = ()
    week_after_next: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    code: str
    dates: DateWords
    #: Short forms of small words as people type them, and the word: "w", "with".
    short: Mapping[str, str]
    #: Small numbers, beside those that ``numerals`` counts: articles, inflected forms, "a couple of".
    other_numbers: Mapping[str, int]
    abbreviations: tuple[str, ...]
    #: Frequent small words by which the language is recognised.
    common: frozenset[str]
    #: Thousands are parted by this sign.
    grouping: str
    #: Amounts: "k", "million" -> thousands, and the currencies by name.
    scales: Mapping[str, int]
    currencies: Mapping[str, str]
    #: Counted things, by a name common to all languages.
    counted: Mapping[str, str]
    percent: tuple[str, ...]

    verbs: tuple[Verb, ...]
    #: Verbs whose present tense alone is a promise: "ich kümmere mich um".
    undertaking: tuple[str, ...]
    #: "I will": an infinitive follows.
    will: tuple[str, ...]
    #: "I have to", "I can": a promise only with a due date.
    must: tuple[str, ...]
    #: "you will get" something.
    you_get: tuple[str, ...]
    from_me: tuple[str, ...]
    #: "will" of a third person.
    third: tuple[str, ...]
    #: First person subjects.
    subjects: tuple[str, ...]
    #: Forms of a first-person verb in one word that their infinitive does not tell.
    irregular: Mapping[str, str] = field(default_factory=dict)
    #: How the future is made of an infinitive: ending -> (first singular, first plural, third singular).
    future: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    #: How the first plural of the present is made of an infinitive.
    plural: Mapping[str, str] = field(default_factory=dict)
    #: "will" where "I" is left out, as in a chat: only at the beginning of a clause.
    will_alone: tuple[str, ...] = ()
    #: Infinitives of giving and telling. Where "I" is left out, "bring you" at the beginning promises, "bring me" asks.
    giving: frozenset[str] = frozenset()
    #: Infinitives whose present tense promises a certain object without a date: "ich besorge die Kartons".
    arranging: frozenset[str] = frozenset()
    #: Infinitives without an object that they need: it is what was spoken of just before. "OK, I'll pay on Thursday".
    elliptic: frozenset[str] = frozenset()
    #: "you will get" in a form that is also said of others; a promise only in a text that has a word of ``formal``.
    you_get_formal: tuple[str, ...] = ()
    formal: frozenset[str] = frozenset()
    #: Words of a time that is near: "later".
    soon: frozenset[str] = frozenset()
    #: Pronouns for "you" that are the subject where they stand behind a verb.
    subject_you: frozenset[str] = frozenset()
    #: Before the one from whom you get it, who may be anybody: "from".
    from_others: frozenset[str] = frozenset()
    #: "I promised": who gets it, what, and a day to come follow.
    promised: tuple[str, ...] = ()
    #: "I told", "I agreed": only with what the author is to do, "to send" or "I'd send".
    undertaken: tuple[str, ...] = ()
    #: Words that make a habit of the present tense: "every".
    habits: frozenset[str] = frozenset()
    #: Pronouns that are written onto an infinitive.
    enclitics: tuple[str, ...] = ()
    #: The finite verb is the second part of a sentence, infinitives are its end.
    verb_second: bool = False

    negation: frozenset[str] = frozenset()
    condition: tuple[str, ...] = ()
    #: After verbs of asking and checking "if" begins what is asked.
    asking: frozenset[str] = frozenset()
    hedges: frozenset[str] = frozenset()
    #: Infinitives that ask for nothing after "could you", and do nothing: "hear", "imagine", "be".
    idle_verbs: frozenset[str] = frozenset()
    #: How an infinitive ends, for verbs that ``verbs`` does not have.
    infinitive_ends: tuple[str, ...] = ()
    #: Words by which somebody repeats what another has said: "said".
    reported: frozenset[str] = frozenset()
    #: What may stand before "I'll" in its clause.
    fronting: frozenset[str] = frozenset()
    conjunctions: frozenset[str] = frozenset()
    #: What may stand before a statement, with a comma behind it, and says nothing of it: "for the record".
    lead_ins: tuple[str, ...] = ()
    contrast: frozenset[str] = frozenset()
    #: Begin a clause that is about something else.
    subordinate: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()
    pronouns: frozenset[str] = frozenset()
    #: Objects that name nothing: "it", "that".
    pronoun_objects: frozenset[str] = frozenset()
    #: Pronouns of those who are spoken to.
    you: frozenset[str] = frozenset()
    prepositions: frozenset[str] = frozenset()
    adverbs: frozenset[str] = frozenset()
    #: Prepositions before those who get something: "to you", "for you".
    to: frozenset[str] = frozenset()
    #: Of these, those that end the object: "the drawings to Anna".
    recipient: frozenset[str] = frozenset()
    #: "me", "us".
    me: frozenset[str] = frozenset()
    #: Verbs that promise something only together with a date.
    weak: frozenset[str] = frozenset()
    #: Verbs whose present tense does what it says: "hereby I confirm".
    performative: frozenset[str] = frozenset()
    #: A casual intention, which promises something only together with a date, or to the reader: "check it out".
    casual: tuple[str, ...] = ()
    #: How verbs of telling and showing begin. Among people who talk they ask for words, which follow at once.
    telling: tuple[str, ...] = ()
    #: Beginnings of verbs for handing over and for gestures: in a conversation, such a request is settled at once.
    at_once: tuple[str, ...] = ()
    #: Verbs for a speaker's next step in the conversation: "I'll answer that". In a conversation, a promise only with a
    #: day.
    staging: frozenset[str] = frozenset()
    #: Infinitives for getting something, which may be for the speaker: "I'll buy some bread", "ich kaufe mir einen
    #: Schal".
    acquiring: frozenset[str] = frozenset()
    #: "We", including contractions with a verb.
    us: frozenset[str] = frozenset()
    #: The first person as the receiver.
    for_self: frozenset[str] = frozenset()
    #: After a verb of telling, these only ask to talk on: "tell me more", "tell me about it".
    chatting: frozenset[str] = frozenset()
    #: A time that may never come: "next time", "some day".
    vague: tuple[str, ...] = ()
    #: Right before "can you": a question about how or why, not a request.
    questioning: frozenset[str] = frozenset()
    #: "Do you want to": a request only if "me" follows.
    ask_wish: tuple[str, ...] = ()
    #: What somebody has to do or could do: a request with a day, for its author, or to hand over a certain thing.
    ask_duty: tuple[str, ...] = ()
    #: "You can", as a statement and as a question: without a question mark, a permission.
    can: tuple[str, ...] = ()
    #: "if", which leaves open whether it happens at all; "as soon as" does not.
    doubt: frozenset[str] = frozenset()
    #: Verbs of being and having: with "if" they make a mood of a promise ("if the soup is good").
    states: frozenset[str] = frozenset()
    #: What makes an event or a courtesy of such a condition: "if that is fine", "if it is ready".
    suits: frozenset[str] = frozenset()
    #: After "if you": it asks nothing of a reader who has no such thing, and offers something to others: "questions".
    offers: frozenset[str] = frozenset()
    #: After "for" at the front of a sentence: what only some want, "for more information, please call".
    help: frozenset[str] = frozenset()
    #: What makes a courtesy of the condition of a request: "if you can", "when you get a chance".
    courtesy: frozenset[str] = frozenset()
    #: How verbs of getting in touch begin.
    contacting: tuple[str, ...] = ()
    #: Words of verbs of sending, in the forms in which people ask: even in a conversation, what is sent comes later.
    sending: frozenset[str] = frozenset()
    #: An apostrophe ends a word.
    elision: bool = False
    #: What stands around a short answer: "thanks".
    polite: tuple[str, ...] = ()
    #: Objects of talk that promise nothing: "my screen", "my best".
    idle: frozenset[str] = frozenset()

    #: Before an infinitive: "could you".
    ask_infinitive: tuple[str, ...] = ()
    #: Infinitives of several words: "echar un vistazo a".
    idioms: tuple[str, ...] = ()
    #: "could", before the name of somebody else: "could Tom review the annex?"
    could: tuple[str, ...] = ()
    #: "don't forget to": an infinitive or the object follows.
    remind: tuple[str, ...] = ()
    #: Forms of verbs that ask: "schick mir", "send me".
    imperatives: tuple[str, ...] = ()
    please: tuple[str, ...] = ()
    #: Whole sentences.
    accepted: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    received: tuple[str, ...] = ()
    released: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    #: Sentences that begin so; the object follows. After "..." stands what must follow somewhere.
    declined_begin: tuple[str, ...] = ()
    received_begin: tuple[str, ...] = ()
    released_begin: tuple[str, ...] = ()
    #: What one gives thanks for and has not received: "patience".
    thanked: frozenset[str] = frozenset()
    #: Sentences that end so; the object stands before.
    received_end: tuple[str, ...] = ()
    released_end: tuple[str, ...] = ()
    declined_end: tuple[str, ...] = ()
    attached: tuple[str, ...] = ()
    attached_end: tuple[str, ...] = ()
    #: Beside a verb of giving in the present: it is given with these words. "I'm sending you the deck attached".
    herewith: tuple[str, ...] = ()
    #: How, where to or how soon something is done, and never what: "de nouveau", "zur Seite", "in Kürze".
    ways: tuple[str, ...] = ()
    #: What looks like a deed and is none: a feeling, a favour of the moment, a courtesy at will. "Ich sorge mich",
    #: "donne-moi un coup de main", "llámame cuando quieras".
    no_deeds: tuple[str, ...] = ()
    #: Before a thing that is handed over by its name alone: "as promised, the deck".
    handed: tuple[str, ...] = ()
    #: "I have": a participle follows.
    have: tuple[str, ...] = ()
    #: "have you": whether something was done. What it was done to is what a pronoun in the next sentence means.
    have_you: tuple[str, ...] = ()
    #: "still without": the thing that is missed follows, and is what a pronoun soon after means.
    missing: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()

    #: Facts: "is", "moved to", and attributes by a name common to all languages.
    copula: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    #: "We've moved", before what is moved, and the word before its new value: "to".
    moving: tuple[str, ...] = ()
    moved_to: frozenset[str] = frozenset()
    #: The last word of such a sentence in German and Dutch: "verschoben".
    moved_ends: frozenset[str] = frozenset()
    attributes: Mapping[str, str] = field(default_factory=dict)
    #: Verbs with a day or a time behind them, and the attribute that it is: "starts on".
    happens: Mapping[str, str] = field(default_factory=dict)
    #: "for", between an attribute and what it is of.
    of: tuple[str, ...] = ()
