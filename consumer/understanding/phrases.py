"""The object of a sentence: what it is that somebody sends, books or wants."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Final, NamedTuple

from consumer.understanding import dates, english
from consumer.understanding.grammar import CLOSING, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.statements import Due
from consumer.understanding.text import fold

#: What stands behind these words says when, and not which: "the blog post before the move".
_WHEN = frozenset(
    {"before", "until", "till", "since", "during", "avant", "jusqu'\u00e0", "antes", "hasta", "at\u00e9", "fino", "tot"}
)


class Object(NamedTuple):
    """``text`` "" where only a pronoun stands for it; ``first`` and ``last`` are the numbers of its words."""

    text: str
    head: str
    last: int
    pronoun: bool = False
    first: int = -1


def is_no_deed(reading: SentenceReading, verb: int, item: Object) -> bool:
    """Whether a verb and its object only look like a deed: "ich sorge mich", "je te présente mes excuses", "appelle-moi
    quand tu veux"; "Mes excuses pour le retard, je t'enverrai le contrat" is one.
    """
    for place, phrase in reading.lexicon.no_deeds.within(reading.words, 0, len(reading.words)):
        own = range(place, place + len(phrase.words))
        whole = item.first in own and item.last in own
        if verb in own or whole or (item.first < 0 and place > verb):
            return True
    return False


def find(reading: SentenceReading, first: int, end: int, names: Collection[str] = (), *, dated: bool = False) -> Object:
    """The first noun phrase between two words, without dates, pronouns, and those who get it.

    ``dated``: what is asked has a day of its own, so that "any invoices" and "who has the keys" name something.
    """
    run: list[int] = []
    pronoun = False
    is_english = reading.lexicon.words.code == "en"
    place = first
    if is_english and (last := english.asked_clause(reading, first, end)):
        return Object(reading.slice(first, last), reading.words[last], last, first=first)
    while place < end:
        begun = bool(_trimmed(reading, run))
        verdict = english.verdict(reading, place, first, run, begun=begun, dated=dated) if is_english else ""
        verdict = verdict or _verdict(reading, place, end, run, names)
        if verdict == "stop":
            break
        if verdict == "take":
            run.append(place)
        elif _trimmed(reading, run):
            break
        else:
            pronoun = pronoun or reading.words[place] in reading.lexicon.words.pronoun_objects
            run = []
        place += 1
    kept = _trimmed(reading, run)
    while len(kept) > 1 and (english.is_doing(reading, kept[-1]) or english.is_manner(reading, kept[-1])):
        kept.pop()
    if not kept or english.names_nothing(reading, kept, dated=dated) or (not dated and _is_no_noun(reading, kept)):
        stripped = [word for word in (reading.words[n] for n in run) if word in reading.lexicon.words.pronoun_objects]
        return Object("", "", -1, pronoun or bool(stripped))
    return Object(reading.slice(kept[0], kept[-1]), reading.words[kept[-1]], kept[-1], first=kept[0])


def _verdict(  # noqa: C901, PLR0911, PLR0912 - one branch a form
    reading: SentenceReading, place: int, end: int, run: list[int], names: Collection[str]
) -> str:
    """take, break or stop."""
    w, word = reading.lexicon.words, reading.words[place]
    if word == "/" and reading.is_tight(place):
        return "take"  # "the S/P visit"
    if word in CLOSING or (word == "," and _trimmed(reading, run)):
        return "stop"
    if word in w.subordinate or word in w.contrast or reading.is_condition(place):
        return "stop" if run or word in w.contrast else "break"
    if place in reading.dated or word == "," or place in reading.herewith or place in reading.ways:
        return "break"
    if word in _WHEN and _trimmed(reading, run):
        return "stop"
    if w.code == "en" and (_is_purpose(reading, place) or _is_contracted(word)):
        return "stop"
    if word in _AROUND.get(w.code, ()) and (not _trimmed(reading, run) or english.is_at_once(reading, place)):
        return "stop"
    if word in w.conjunctions:
        return "stop" if _begins_clause(reading, place + 1) else "take"
    if word in w.recipient and _trimmed(reading, run):
        return "stop" if _is_recipient(reading, place + 1, end, names) else "take"
    if w.verb_second and (word in reading.lexicon.base or word in reading.lexicon.participles):
        return "break" if not reading.capital(place) else "take"
    following = reading.words[place + 1] if place + 1 < end else ""
    if (
        word in w.to
        and (following in w.you or following in w.me or following in w.pronouns)
        and following not in w.articles
    ):
        return "break"
    if word in w.pronouns and word not in w.articles:
        return "break"
    if word in w.adverbs or (word in w.pronouns and not run and following in w.articles):
        return "break"
    return "take"


def denies(reading: SentenceReading, first: int, end: int) -> bool:
    """Whether a "no" stands between two words that is none of a date: "no later than Friday"."""
    negation = reading.lexicon.words.negation
    return any(
        reading.words[n] in negation and n not in reading.instead and not _is_of_by(reading, n)
        for n in range(first, end)
    )


def _is_of_by(reading: SentenceReading, place: int) -> bool:
    """Whether the words from here to a date are one phrase of "by": "no later than", "nicht später als"."""
    start = reading.tokens[place].start
    before = (reading.text[start : hit.start] for hit in reading.dates if 0 < hit.start - start < _BY_CHARS)
    known = (*reading.lexicon.words.dates.by, *_NO_LATER)
    return any(" ".join(fold(text).split()) in known for text in before)


def leads_to_day(reading: SentenceReading, place: int) -> bool:
    """Whether the word stands right before the day by which something is due: "nicht später *als* Freitag"."""
    after = reading.tokens[place + 1].start if place + 1 < len(reading.tokens) else -1
    return any(hit.role == "by" and hit.start == after for hit in reading.dates)


_BY_CHARS: Final = 40
_NO_LATER: Final = (
    *("no later than the", "not later than the", "no later than on", "nicht später als", "nicht später als am"),
    *("nicht später als bis", "pas plus tard que", "pas plus tard que le", "no más tarde de", "no más tarde del"),
    *("não mais tarde que", "não depois de", "non oltre", "non più tardi di", "niet later dan", "e non oltre"),
)


#: Before a place, a time or a way, where no object stands before it: "call you *in your office*", "delete *from the
#: system*". What follows is not the thing.
_AROUND = {
    "en": table("in at during from through via after by over into within as onto towards"),
    "fr": table("dans pendant chez depuis"),
    "es": table("en durante desde"),
    "pt": table("em no na durante"),
    "it": table("in nel nella durante"),
}
#: English verbs that begin a clause behind "and", without a subject: modal ones, and some that are not in the table.
_CLAUSE_VERBS = table(
    "pass work would will can could should may might lets let respond discuss advise comment highlight wait"
)


def _is_purpose(reading: SentenceReading, place: int) -> bool:
    """English: "to find out", "so that we may talk": what for, and not which."""
    lex, word = reading.lexicon, reading.words[place]
    following = reading.words[place + 1] if place + 1 < len(reading.words) else ""
    if word == "so":
        return True
    verbs = following in lex.base or following in lex.words.idle_verbs or following in _PURPOSES
    behind = reading.words[place + 2] if place + 2 < len(reading.words) else ""
    ends = not behind or behind in CLOSING or behind == ","
    verbs = verbs or (following in _ALONE and ends)
    verbs = verbs or (following.isalpha() and following not in lex.empty and behind in _BEHIND_VERB)
    return word == "to" and verbs and not reading.capital(place + 1)


#: "Update the page *to clarify*".
_ALONE = table("clarify confirm reflect review discuss coordinate follow respond explain help decide advise")
#: "To reflect *that*".
_BEHIND_VERB = table("it them that this the a an my our your his her their")
_PURPOSES = frozenset({"ensure", "see", "find", "learn", "discuss", "join", "activate", "follow", "claim"})


def _is_contracted(word: str) -> bool:
    """English: "you'll", "that'd", "she's": a clause of its own begins, or a relative one."""
    subject, apostrophe, verb = word.partition("'")
    return bool(apostrophe) and (verb in ("ll", "d", "re", "ve", "m") or (verb == "s" and subject in _SUBJECTS))


_SUBJECTS = frozenset({"he", "she", "it", "that", "there", "who", "what", "let"})


def _begins_clause(reading: SentenceReading, place: int) -> bool:
    """Whether a verb, a subject or nothing follows "and"."""
    if place >= len(reading.words):
        return True
    word, lex = reading.words[place], reading.lexicon
    starters = (
        lex.base,
        lex.finite,
        lex.words.idle_verbs,
        lex.words.subjects,
        lex.words.pronouns - lex.words.articles,
        lex.words.adverbs,
    )
    if lex.words.code == "en" and (word in _CLAUSE_VERBS or _is_contracted(word)):
        return True
    return any(word in group for group in starters) or lex.openings.at(reading.words, place) is not None


def _is_recipient(reading: SentenceReading, place: int, end: int, names: Collection[str]) -> bool:
    """Whether "to" is followed by somebody: a name, or a pronoun."""
    if place >= end:
        return True
    word, w = reading.words[place], reading.lexicon.words
    if word in w.you or word in w.me or word in w.pronouns or word in names:
        return True
    return reading.capital(place) and w.code != "de" and word not in w.articles


#: German: "die Ma\u00dfe der Halle" is one thing, and not something for "die Ma\u00dfe".
_GENITIVE = frozenset({"der", "des"})


def _trimmed(reading: SentenceReading, run: list[int]) -> list[int]:  # noqa: C901 - one branch a form
    """A run of words without what names nothing at its ends, and without names before an article ("Anna the deck")."""
    empty, articles = reading.lexicon.empty, reading.lexicon.words.articles
    kept = list(run)
    if reading.lexicon.words.code == "en":
        kept = english.without_receiver(reading, kept)
    if reading.lexicon.words.code == "de" and _writes_nouns_large(reading):
        while kept and not reading.capital(kept[-1]) and not reading.words[kept[-1]][0].isdigit():
            kept.pop()  # "den Modellen erzählen"
    for number in range(1, min(4, len(kept))):
        if (
            reading.words[kept[number]] in articles
            and reading.words[kept[number]] not in _GENITIVE
            and all(reading.capital(n) for n in kept[:number])
            and _is_double(reading, kept, number)
        ):
            kept = kept[number:]
            break
    while kept and (reading.words[kept[0]] in empty or not reading.words[kept[0]][0].isalnum()):
        kept.pop(0)
    while kept and (reading.words[kept[-1]] in empty or not reading.words[kept[-1]][0].isalnum()):
        if reading.lexicon.words.code == "en" and len(kept) > 1 and english.is_pair(reading, kept[-1]):
            break
        kept.pop()
    return kept if any(reading.words[n][0].isalpha() for n in kept) else []


def _is_no_noun(reading: SentenceReading, kept: list[int]) -> bool:
    """German: small words in a sentence that begins with a capital letter: "ruf mich *zurück*"."""
    if reading.lexicon.words.code != "de" or not reading.text[:1].isupper():
        return False
    # "Schick mir die liste", as people type.
    articled = kept[0] > 0 and reading.words[kept[0] - 1] in reading.lexicon.words.articles
    return not articled and not any(reading.capital(n) or reading.words[n][0].isdigit() for n in kept)


def _writes_nouns_large(reading: SentenceReading) -> bool:
    """German: whether nouns have a capital letter, as not in every chat."""
    polite = reading.lexicon.words.you
    return any(reading.capital(n) for n in range(1, len(reading.words)) if reading.words[n] not in polite)


def _is_double(reading: SentenceReading, kept: list[int], number: int) -> bool:
    return kept[0] > 0 and len(kept) > number + 1 and reading.words[kept[0]] not in reading.lexicon.empty


def is_your(reading: SentenceReading, place: int) -> bool:
    """Dutch: whether a noun follows "je", so that "bel je moeder" asks; "bel je morgen" promises."""
    following = reading.words[place + 1] if place + 1 < len(reading.words) else ""
    small = following in reading.lexicon.empty or place + 1 in reading.dated or not following.isalpha()
    return reading.lexicon.words.code == "nl" and reading.words[place] == "je" and not small


def main_end(reading: SentenceReading, core: int, end: int) -> int:
    """Where the main clause after ``core`` ends: at a clause with its own subject.

    "Let me look, *we can meet on Friday*", "tell them *that we meet on Friday*".
    """
    w, words = reading.lexicon.words, reading.words
    if core < end and words[core] in w.subordinate and not reading.is_condition(core):
        return end if _is_told_of_past(reading, core, end) else core
    skipped, subjects = w.conjunctions | w.contrast | w.adverbs, w.pronouns.union(w.subjects) - w.articles
    for place in range(core, end):
        after = place + 1
        if w.code == "en" and place > core and english.is_subject_with_verb(words[place]):
            return place  # "please look it over I'd like to discuss it tomorrow"
        if words[place] != "," or after >= end or reading.is_condition(after):
            continue
        while after < end and words[after] in skipped and after not in reading.dated:
            after += 1
        if any(
            words[n] in w.subordinate and not reading.is_condition(n) for n in range(place + 1, min(place + 3, end))
        ):
            return place  # "given that I'm out tomorrow"
        second = after + 1 if w.code in ("de", "nl") else after  # "die wir am Montag besprochen haben"
        if any(
            words[n].partition("'")[0] in subjects and n not in reading.dated
            for n in range(after, min(second + 1, end))
        ):
            return place
    return end


def _is_told_of_past(reading: SentenceReading, place: int, end: int) -> bool:
    """Whether a clause tells what has been, so that a "by" and a day to come behind it are of the main one: "a list
    of those *who signed up* by Friday".
    """
    code, words = reading.lexicon.words.code, reading.words
    if words[place] not in _RELATIVE.get(code, ()):
        return False
    dated = next((n for n in range(place, end) if n in reading.dated), end)
    clause = words[place + 1 : dated] or ("",)
    if code == "en":
        clause = clause[:1]
    return not _PERFECT[code].isdisjoint(clause) or (code == "en" and clause[0].endswith("ed"))


#: Relative pronouns, and verbs by which a clause tells of the past. "Those who have paid by Friday", and its like
#: in Romance languages may tell of what will have been.
_RELATIVE = {"en": table("who that which whom"), "de": table("die der das denen"), "nl": table("die dat")}
_PERFECT = {
    "en": table("had was were did came paid sent went got made"),
    "de": table("haben hat hatten hatte sind ist waren war wurden wurde"),
    "nl": table("hebben heeft zijn is waren was werden werd"),
}


def is_at_once(due: Due) -> bool:
    """Whether it is due in minutes: the conversation settles it."""
    return "minut" in fold(due.words)


def is_by(reading: SentenceReading, due: Due | None) -> bool:
    """Whether a sentence says "by" before a day."""
    return due is not None and any(hit.role == "by" and hit.due == due for hit in reading.dates)


def contact_clause(reading: SentenceReading, first: int, end: int) -> int:
    """English: where a relative clause without a pronoun begins: "the file *we discussed*"; 0 for none."""
    w, words = reading.lexicon.words, reading.words
    if w.code != "en":
        return 0
    verbs = reading.lexicon.base.keys() | w.idle_verbs
    for place in range(first + 2, end - 1):
        before, following = words[place - 1], words[place + 1]
        is_noun = (
            before.isalpha()
            and before not in reading.lexicon.empty
            and (before not in verbs or words[place - 2] in w.articles)
            and place - 1 not in reading.dated
        )
        if words[place] in _WHO and is_noun and following.isalpha() and following not in w.articles:
            return place
    return 0


_WHO = frozenset({"i", "you", "we", "they", "he", "she"})


def _is_ahead(hit: dates.Found, reading: SentenceReading) -> bool:
    """Whether a date can only mean a future day: "tomorrow", but not "Monday"."""
    d = reading.lexicon.words.dates
    words = fold(hit.due.words) if hit.due else ""
    ahead = [text for text, days in d.days.items() if days > 0]
    return words.startswith((*ahead, *d.next_week, *d.next_month, *d.following))


def _is_of_question(reading: SentenceReading, place: int, hit: dates.Found) -> bool:
    """Whether a date belongs to the question that begins at a place: "report *what* happens at the meeting on Friday",
    and not "confirm what happened tomorrow".
    """
    words = [token.word for token in reading.tokens[place:] if token.start < hit.start]
    past = any(word.endswith("ed") or word in _PERFECT["en"] for word in words) and _is_ahead(hit, reading)
    return bool(words) and not (past and reading.lexicon.words.code == "en")


#: Where a question within a sentence begins.
_ASKED: Final = {
    "en": table("what how whether if when which why who"),
    "de": table("ob was wie welche welcher welches warum wer"),
    "fr": table("si comment quel quelle quels quelles pourquoi"),
    "es": table("si qué cómo cuál cuáles quién"),
    "pt": table("como qual quais quem"),
    "it": table("se cosa come quale quali perché"),
    "nl": table("hoe welke waarom wie"),
}


_REASONS: Final = table("since as - \u2013 \u2014")
_REASONED: Final = table("i we he she they i'm i'll we're we'll he's she's they're")


def due(reading: SentenceReading, first: int, trigger: int, end: int) -> Due | None:
    """When it is due: the words after the trigger before those that stand in front of it."""
    places, words = reading.tokens, reading.words
    end = next((each.joint for each in further(reading) if trigger < each.joint < end), end)
    if reading.lexicon.words.code == "en":  # "call Ann *since I* will be out until 2", "... *- he's* out until 2"
        end = next((n for n in range(trigger, end - 1) if words[n] in _REASONS and words[n + 1] in _REASONED), end)
    stop = places[end].start if end < len(places) else len(reading.text)
    hits = reading.dates
    own = contact_clause(reading, trigger, end) if hits else 0
    if own:  # "the file we discussed on Monday"
        start = places[own].start
        # "The shop she named before Christmas": when she named it.
        hits = tuple(
            hit
            for hit in hits
            if hit.start < start or (hit.role == "by" and not (hit.due and hit.due.before)) or _is_ahead(hit, reading)
        )
    questions = _ASKED[reading.lexicon.words.code]
    asked = next((n for n in range(trigger + 1, end) if words[n] in questions), end) if hits else end
    hits = tuple(
        hit
        for hit in hits
        if not (
            english.is_attribute(reading, hit)
            or _is_of_thing(reading, hit)
            or _is_of_period(reading, hit)
            or _is_in_relative_clause(reading, hit, trigger)
            or (hit.role != "by" and _is_of_question(reading, asked, hit))
        )
    )
    after = dates.choose(hits, reading.said_on, places[trigger].start, stop)
    if after and after.role == "by":
        return _of_its_day(reading, after)
    front = dates.choose(hits, reading.said_on, places[first].start, places[trigger].start)
    best = after or front
    return _of_its_day(reading, best) if best else None


class Further(NamedTuple):
    """A thing with a day of its own, behind the "and" at the word ``joint``."""

    joint: int
    object: Object
    due: Due


def further(reading: SentenceReading) -> tuple[Further, ...]:
    """What follows in one breath with a day of its own: "the deck on Monday *and the budget by Friday*", "am Montag den
    Plan *und am Mittwoch das Angebot*".
    """
    w, words = reading.lexicon.words, reading.words
    hits = [
        hit for hit in reading.coming if hit.role in ("by", "on", "bare") and not english.is_attribute(reading, hit)
    ]
    if len(hits) < 2 or len(reading.coming) != len(hits):
        return ()
    several = []
    for before, hit in pairwise(hits):
        last = next((n for n in range(len(words)) if reading.tokens[n].start >= hit.start), len(words))
        first = next(n for n in range(len(words)) if reading.tokens[n].start >= before.end)
        joint = next((n for n in range(first, last) if words[n] in w.conjunctions and n not in reading.dated), 0)
        if joint and hit.due and (item := _own_thing(reading, joint, last, hit)):
            several.append(Further(joint, item, hit.due))
    return tuple(several)


def _own_thing(reading: SentenceReading, joint: int, day: int, hit: dates.Found) -> Object | None:
    """The thing between "and" and its day, or between its day and the end of the clause; None for a clause."""
    w, words = reading.lexicon.words, reading.words
    while day - 1 > joint and (day - 1 in reading.dated or words[day - 1] in reading.lexicon.by):
        day -= 1
    behind = next(n for n in range(len(words) + 1) if n == len(words) or reading.tokens[n].start >= hit.end)
    end = next((n for n in range(behind, len(words)) if words[n] in CLOSING | {","} | w.conjunctions), len(words))
    if w.verb_second and end > behind and _is_end_of_verb(reading, end - 1):
        end -= 1  # "... und am Mittwoch das Angebot *schicken*"
    first, last = (joint + 1, day) if day > joint + 1 else (behind, end)
    alone = day > joint + 1 and end > behind  # "and the office on Friday is closed"
    if alone or first >= last or words[first] not in w.articles or reading.is_condition(first):
        return None
    item = find(reading, first, last)
    whole = item.text and (item.first, item.last) in ((first + 1, last - 1), (first, last - 1))
    occasion = w.code == "en" and item.head in OCCASIONS
    return item if whole and not occasion and not _is_of_thing(reading, hit) else None


def _is_end_of_verb(reading: SentenceReading, place: int) -> bool:
    """German, Dutch: an infinitive, a participle or the second half of a verb."""
    lex, word = reading.lexicon, reading.words[place]
    particles = {verb.particle for verb in lex.words.verbs}
    return not reading.capital(place) and (word in lex.base or word in lex.participles or word in particles)


def _of_its_day(reading: SentenceReading, best: dates.Found) -> Due | None:
    """An hour alone is today's, unless its sentence names another day.

    "Before 12pm (UTC) this Friday" is due on that day, "send it for tomorrow's call at 11" on none.
    """
    due = best.due
    if due is None or not due.time or due.day != reading.said_on.isoformat() or not due.words[:1].isdigit():
        return due
    others = [hit for hit in reading.dates if hit.due and hit.due.day > due.day and not hit.due.time]
    if not others:
        return due
    free = others[0].start > best.start and not english.is_attribute(reading, others[0])
    return others[0].due if free and best.role == "by" else None


def _is_of_thing(reading: SentenceReading, hit: dates.Found) -> bool:
    """Whether it is the time of the thing, and not when it is due: "book a table *for 8*", "move the call *to Monday*",
    or stands in an aside: "(it came out 6/03)".
    """
    words, code = reading.words, reading.lexicon.words.code
    if not hit.due:
        return False
    first = next((n for n, token in enumerate(reading.tokens) if token.start >= hit.start), len(words))
    while first and (words[first - 1] in _ABOUT or words[first - 1] in ("-", ":") or words[first - 1][0].isdigit()):
        first -= 1
    before = words[first - 1] if first else ""
    is_by = hit.role == "by" and _FOR_TIME[code].isdisjoint(words[max(0, first - 2) : first + 1])
    hour = hit.due.words[:1].isdigit() or fold(hit.due.words) in reading.lexicon.words.dates.times
    # "A plan from now until the end of the year".
    span = ("from", "now") in pairwise(words[max(0, first - 3) : first])
    if span or (before in _FOR_TIME[code] and hit.due.time and hour):
        return True
    # "The offer, valid until Monday", and not "the valid contract by Friday".
    near = [n for n in range(max(0, first - 3), first) if words[n] in _RUNNING]
    small = reading.lexicon.empty | reading.lexicon.words.prepositions | _ABOUT | _UNTIL
    runs = bool(near) and small.issuperset(words[near[-1] + 1 : first])
    if not is_by and (_is_of_what_is_arranged(reading, hit, first) or _is_of_what_for(reading, hit, first)):
        return True
    if runs or (code == "en" and hit.role != "by" and _is_of_english_thing(reading, hit, first)):
        return True
    moved = any(word.startswith(_MOVING[code]) for word in words[max(0, first - _NEAR) : first])
    if moved and before in reading.lexicon.words.moved_to:
        return True
    opened = max((n for n in range(first) if words[n] == "("), default=-1)
    aside = any(words[n] not in reading.lexicon.empty for n in range(opened + 1, first))
    return opened >= 0 and aside and ")" not in words[opened:first] and hit.role != "by"


def _is_of_period(reading: SentenceReading, hit: dates.Found) -> bool:
    """ "A room *from 3 to 5 December*", "move the end date *from Monday to Friday*": both days belong to the thing."""
    ordered = sorted(reading.dates, key=lambda each: each.start)
    for first, second in pairwise(ordered):
        if hit not in (first, second):
            continue
        before = fold(reading.text[: first.start]).split()[-1:]
        between = fold(reading.text[first.end : second.start]).split()
        if before and before[0] in _FROM and len(between) == 1 and between[0] in _TO:
            return True
    return False


_FROM: Final = table("from de du des del desde dal dalla da do van vanaf")
_TO: Final = table("to until till through thru au à jusqu'au a al hasta ao até alla fino tot tot-en-met")


def _joins(reading: SentenceReading, hit: dates.Found, other: dates.Found) -> bool:
    """ "The trains *on both Saturday and Sunday*": a thing is due once."""
    first, second = sorted((hit, other), key=lambda each: each.start)
    return reading.text[first.end : second.start].split() in (["and"], ["&"], ["and", "on"])


def _is_of_english_thing(reading: SentenceReading, hit: dates.Found, first: int) -> bool:
    """ "A time *in August*", "add the ceremony *on 14 July*", "some days *next week that you are free*"."""
    words, before = reading.words, reading.words[max(0, first - 1)]
    behind = next((n for n, token in enumerate(reading.tokens) if token.start >= hit.end), len(words))
    begin = first
    if words[first - 1 : first] in (("and",), ("or",)):  # "the meeting on Monday and Tuesday"
        begin = next((n for n in range(first - 1, 0, -1) if n - 1 not in reading.dated and n != first - 1), first)
        begin -= words[begin - 1] == "on"
    if "both" in words[max(0, first - _NEAR) : first] and any(_joins(reading, hit, other) for other in reading.dates):
        return True
    slot = before in ("in", "on", "for") and words[first - 2 : first - 1] in _SLOTS
    planned = "for" in words[max(0, first - 3) : first + 1] and (
        not _PLANS.isdisjoint(words[max(0, first - 3) : first]) or _is_span(hit)
    )
    near = range(max(0, first - _FAR), first)
    in_clause = any(
        words[n : n + 2] in _THAT_IS
        or (words[n] == "that" and words[n - 1] in _TELLING)
        or words[n : n + 2] in _SLOT_TO
        for n in near
    )
    listed = before == "on" and any(words[n] in _LISTING and (not n or words[n - 1] in _BEFORE_VERB) for n in near)
    past = words[behind : behind + 2] in (
        ("or", "yesterday"),
        ("and", "yesterday"),
    )  # "the trades for today or yesterday"
    journey = not _GOING_ON.isdisjoint(words[max(0, first - 3) : first])
    return (
        slot
        or planned
        or in_clause
        or listed
        or past
        or journey
        or words[behind : behind + 2] in _THAT
        or _is_of_occasion(words, begin)
    )


#: "Review the plan *for tonight*".
_PLANS: Final = table("plan plans agenda schedule schedules program programme itinerary forecast outlook numbers menu")
#: "Book a flight, *leaving today*", "show the volume *coming out in June*".
_GOING_ON: Final = table(
    """
    leaving returning arriving departing staying traveling travelling flying coming going starting beginning running
    taking happening occurring expiring ending closing opening
    """
)
#: "The sheet *that is* submitted today".
_THAT_IS: Final = tuple(("that", verb) for verb in ("is", "are", "was", "were", "has", "have", "had", "will"))
#: "Verify *that* they took it on the 22nd", "a *time to* see me next week", "*to be held* on Monday".
_TELLING: Final = table("verify confirm check ensure sure know tell say note see sure")
_SLOT_TO: Final = (("time", "to"), ("date", "to"), ("day", "to"), ("be", "held"))
#: "Some times next week *that you* are free".
_THAT: Final = tuple(
    (that, who)
    for that in ("that", "when", "where", "which")
    for who in ("i", "you", "we", "they")
    if that != "when" or who in ("you", "we")  # "I'll send it tomorrow when they open"
)


def _is_span(hit: dates.Found) -> bool:
    """ "For next month", "for the 20th": what of, and not by when."""
    words = fold(hit.due.words).removeprefix("the ") if hit.due else ""
    return hit.due is not None and (
        hit.due.basis == "period" or words[:1].isdigit() or words.endswith(("weekend", "year"))
    )


def _is_in_relative_clause(reading: SentenceReading, hit: dates.Found, trigger: int) -> bool:
    """ "The contract *that runs until May*", "die Rechnung, *die bis Montag bezahlt werden muss*"."""
    w, words = reading.lexicon.words, reading.words
    first = next((n for n, token in enumerate(reading.tokens) if token.start >= hit.start), len(words))
    begin = next((n for n in range(first - 1, trigger, -1) if words[n] == ","), 0) + 1
    if w.verb_second:
        end = next((n for n in range(first, len(words)) if words[n] in _CLAUSE_ENDS), len(words))
        infinitive = words[end - 2 : end - 1] in (("zu",), ("te",))  # "bitten, den Vertrag bis Freitag zu lesen"
        return begin > 1 and words[begin] in _WHICH[w.code] and begin not in reading.dated and not infinitive
    small = frozenset(w.subjects) | w.you | w.pronouns | w.articles
    return any(
        words[n] in _WHICH[w.code] and words[n + 1] not in small for n in range(max(begin, trigger + 2), first - 1)
    )


_CLAUSE_ENDS: Final = table(", . ! ? ; )")
_WHICH: Final = {
    "en": table("that which"),
    "de": table("der die das den dem deren dessen welche welcher welches welchen welchem"),
    "fr": table("qui"),
    "es": table("que"),
    "pt": table("que"),
    "it": table("che"),
    "nl": table("die dat welke"),
}
_UNTIL: Final = table("until till bis jusqu' jusqu jusque hasta até fino sino tot")
#: Before the day on which a thing begins or ends.
_RUNNING: Final = table(
    """
    valid expiring ending payable gültig zahlbar fällig datiert valable valables payable datée daté válido válida
    válidos válidas pagadero valido valida validi valide pagável pagabile geldig geldende betaalbaar
    """
)


def _is_of_what_for(reading: SentenceReading, hit: dates.Found, first: int) -> bool:
    """ "The slides *for the talk on Monday*", "Einladung *zum Fest am 12. Mai*", "the times *for Monday*"."""
    w, words = reading.lexicon.words, reading.words
    while first and (first - 1 in reading.dated or words[first - 1] in w.dates.on) and words[first - 1] not in _AIM:
        first -= 1
    if w.code == "en" and words[first - 1] == "for" and first > 1:
        before = words[first - 2]
        verbal = before in w.you | w.pronouns | w.pronoun_objects | reading.lexicon.participles or before.endswith("ed")
        return not verbal and not _SENDING.isdisjoint(words[:first])
    for place in range(first - 1, max(0, first - 5), -1):
        if words[place] in _AIM and words[place - 1] not in _AIM and place not in reading.dated:  # "para a palestra"
            occasion = any(is_occasion(words[n], w.code) for n in range(place + 1, first))
            invites = words[place - 1].endswith(_INVITING)
            return place < first - 1 and (invites or (occasion and words[place] in _AIM - _TOWARDS))
    return False


def is_occasion(word: str, code: str) -> bool:
    if code == "en":
        return word in OCCASIONS
    names = _OCCASION_ENDS[code]
    # A compound ends in one, but "Preise" is no "Reise".
    compound = code in ("de", "nl") and word.endswith(tuple(name for name in names if len(name) > _COMPOUNDED))
    return compound or word in names


#: Shorter words also end words that have nothing to do with them.
_COMPOUNDED: Final = 5
_SENDING: Final = table("send sending email forward share give get")
#: Before what a thing is for. Behind those of ``_TOWARDS`` it may be where it is brought.
_AIM: Final = table("for to für zu zum zur pour à au aux para a al alla allo all' per voor tot")
_TOWARDS: Final = table("to zu zum zur à au aux a al alla allo all' tot")
#: What takes place, and how the word for it ends, which may be a compound.
_OCCASION_ENDS: Final = {
    "de": (
        "vortrag", "fest", "feier", "party", "treffen", "termin", "meeting", "besprechung", "sitzung", "hochzeit",
        "geburtstag", "konzert", "spiel", "prüfung", "seminar", "workshop", "konferenz", "tagung", "messe", "kurs",
        "versammlung", "gespräch", "präsentation", "ausflug", "reise", "abend", "essen", "eröffnung", "lesung",
    ),
    "fr": (
        "réunion", "fête", "exposé", "conférence", "présentation", "mariage", "concert", "match", "anniversaire",
        "examen", "séminaire", "atelier", "rendez-vous", "entretien", "dîner", "assemblée", "soirée", "voyage",
    ),
    "es": (
        "reunión", "fiesta", "charla", "conferencia", "presentación", "boda", "concierto", "partido", "cumpleaños",
        "examen", "seminario", "taller", "cita", "entrevista", "cena", "asamblea", "viaje", "comida",
    ),
    "pt": (
        "reunião", "festa", "palestra", "conferência", "apresentação", "casamento", "concerto", "jogo", "aniversário",
        "exame", "seminário", "oficina", "entrevista", "jantar", "assembleia", "viagem", "almoço",
    ),
    "it": (
        "riunione", "festa", "conferenza", "presentazione", "matrimonio", "concerto", "partita", "compleanno", "esame",
        "seminario", "laboratorio", "appuntamento", "colloquio", "cena", "assemblea", "viaggio", "pranzo", "relazione",
    ),
    "nl": (
        "vergadering", "feest", "lezing", "presentatie", "bruiloft", "concert", "wedstrijd", "verjaardag", "examen",
        "seminar", "workshop", "afspraak", "gesprek", "diner", "etentje", "reis", "bijeenkomst", "overleg", "borrel",
    ),
}  # fmt: skip
#: How the words for what lets one in begin or end, in the singular or plural.
_INVITING: Final = (
    "invitation", "invitations", "invite", "ticket", "tickets", "einladung", "einladungen", "karten", "billets",
    "invitación", "invitaciones", "entradas", "convite", "convites", "bilhetes", "invito", "inviti", "biglietti",
    "uitnodiging", "uitnodigingen", "kaartjes",
)  # fmt: skip


def _is_of_what_is_arranged(reading: SentenceReading, hit: dates.Found, place: int) -> bool:
    """ "Schedule a meeting for Monday or Tuesday", "organisiere ein Treffen am Freitag": when it will be."""
    w, words, code = reading.lexicon.words, reading.words, reading.lexicon.words.code
    while place > 1 and (words[place - 1] in w.conjunctions or place - 1 in reading.dated):
        place -= 1
    alone = len(reading.dates) == 1 and hit.due is not None and not hit.due.time
    soon = alone and (fold(hit.due.words if hit.due else "") in w.dates.days or _is_ahead(hit, reading))
    if soon and w.prepositions.isdisjoint(words[max(0, place - 1) : place + 1]):
        return False  # "schedule a call tomorrow"
    near = range(max(0, place - _FAR), len(words) if w.verb_second else place)
    verbs = [n for n in near if words[n].startswith(_ARRANGING[code]) and not (n and reading.capital(n))]
    first = place if not verbs else 0 if w.verb_second else verbs[0]
    timed = any(words[n].startswith(_TIMING[code]) for n in verbs)
    return timed or any(words[n] in _ARRANGED[code] for n in range(first, place))


def _is_of_occasion(words: tuple[str, ...], place: int) -> bool:
    """ "Points for a call *this weekend*", "work on the speech *next week*": the day of what it is for or about."""
    place -= words[max(0, place - 1)] == "on"
    if place < 1 or words[place - 1] not in OCCASIONS:
        return False
    if words[place] == "on" and _TO_OCCASION.isdisjoint(words[max(0, place - _BEFORE_OCCASION) : place - 1]):
        return True  # "confirm the meeting on Friday"
    return not _ABOUT_OCCASION.isdisjoint(words[max(0, place - _BEFORE_OCCASION) : place - 1])


#: What one goes to, and does not take along.
OCCASIONS: Final = table(
    """
    party meeting call dinner lunch breakfast brunch class session event game match concert show wedding birthday
    anniversary appointment deadline launch premiere holiday trip visit interview workshop conference speech talk
    hearing summit seminar reception ceremony presentation tournament
    """
)
_ABOUT_OCCASION: Final = frozenset({"for", "of", "on", "about", "from", "regarding"})
#: "Bring it to the party on Friday", "give me a call on Friday".
_TO_OCCASION: Final = frozenset({"to", "at", "in", "before", "by", "with", "during", "give", "make"})
#: Words between such a preposition and the day.
_BEFORE_OCCASION: Final = 5
#: How verbs begin that arrange what takes place later, and what they arrange.
_ARRANGING: Final = {
    "en": ("schedul", "arrang", "set", "organi", "convene", "plan"),
    "de": ("organisier", "vereinbar", "plan", "setz", "mach"),
    "fr": ("organis", "planifi", "program", "fix", "prévo"),
    "es": ("organi", "program", "fij", "concert", "agend"),
    "pt": ("organi", "program", "marc", "agend", "combin"),
    "it": ("organizz", "fiss", "programm", "pianific"),
    "nl": ("organise", "plan", "regel", "spreek"),
}
#: Those with which one sets the time of anything: "schedule Sam for an hour on Friday".
_TIMING: Final = {
    "en": ("schedul", "reschedul"),
    "de": ("terminier", "anberaum"),
    "fr": ("planifi", "programm"),
    "es": ("program", "agend"),
    "pt": ("program", "agend"),
    "it": ("programm", "calendarizz"),
    "nl": ("inplan",),
}
_ARRANGED: Final = {
    "en": OCCASIONS,
    "de": table("treffen termin meeting besprechung sitzung gespräch telefonat anruf abendessen mittagessen"),
    "fr": table("réunion rendez-vous rencontre entretien appel dîner déjeuner"),
    "es": table("reunión cita encuentro entrevista llamada cena comida"),
    "pt": table("reunião encontro entrevista chamada jantar almoço"),
    "it": table("riunione incontro appuntamento colloquio chiamata cena pranzo"),
    "nl": table("vergadering afspraak bijeenkomst overleg gesprek telefoontje etentje lunch"),
}
#: "A time in August"; "add the ceremony on 14 July".
_SLOTS = (("time",), ("slot",), ("date",), ("day",))
_LISTING = table("add include list mark")
#: Before a verb, and not before a noun: "the list".
_BEFORE_VERB: Final = table("please to you and , i'll we'll will can could kindly :")
_FAR = 12
_ABOUT = table("around about approximately circa ca etwa ungefähr vers environ sobre alrededor verso rond omstreeks")
_FOR_TIME = {
    "en": table("for"),
    "de": table("für"),
    "fr": table("pour"),
    "es": table("para"),
    "pt": table("para"),
    "it": table("per"),
    "nl": table("voor"),
}
#: How verbs of moving a date begin, and words between such a verb and the new date.
_MOVING = {
    "en": ("move", "push", "postpone", "reschedule", "shift", "change", "defer", "delay"),
    "de": ("verschieb", "verleg", "schieb", "verschoben", "verlegt"),
    "fr": ("déplac", "repouss", "décal", "report"),
    "es": ("mueve", "mover", "muev", "pasa", "aplaz", "cambia", "traslad"),
    "pt": ("muda", "passa", "adia", "altera", "remarca"),
    "it": ("sposta", "rinvia", "rimanda", "posticip"),
    "nl": ("verzet", "verplaats", "verschuif", "uitstel"),
}
_NEAR = 8


def is_verb(reading: SentenceReading, place: int) -> bool:
    """Whether an infinitive of doing stands there: one of the table, or a word of the form of one."""
    w, word = reading.lexicon.words, reading.words[place]
    if word not in w.idle_verbs and reading.lexicon.infinitive(word):
        return True
    if word in w.idle_verbs | w.subordinate | w.conjunctions | _WHEN or reading.is_condition(place):
        return False
    if w.verb_second and word.startswith("ge"):
        return False  # a participle: "gekommen"
    if reading.capital(place) or not word.isalpha() or place in reading.dated or word in reading.lexicon.empty:
        return False
    stem = next((word[: -len(e)] for e in w.enclitics if word.endswith(e) and len(word) > len(e) + 3), word)
    if w.infinitive_ends:
        several = (word, stem, stem + "e")
        return any(each.endswith(w.infinitive_ends) and len(each) > 3 and each not in w.idle_verbs for each in several)
    following = reading.words[place + 1] if place + 1 < len(reading.words) else ""
    return w.code == "en" and (following in w.articles or following in w.me or following in ("it", "them"))
