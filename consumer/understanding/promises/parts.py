"""The parts of a promise: its verb, what is promised, to whom and by when."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from consumer.understanding import phrases, undertakings
from consumer.understanding.grammar import SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.phrases import Object
from consumer.understanding.promises.clauses import ENDING, Clause, after_name
from consumer.understanding.promises.triggers import Trigger
from consumer.understanding.statements import Due
from consumer.understanding.utterances import Person


class Promise(NamedTuple):
    """``owner`` None is the author. ``pronoun``: the object is a pronoun ("it") or left out ("I'll pay").

    ``to``: to whom it was promised by name. ``gets``: who gets it by name, and not the reader. ``need``: the author
    only has to do it, and not for the reader.
    """

    owner: Person | None
    object: str
    due: Due | None
    condition: str
    pronoun: bool
    to: str = ""
    gets: str = ""
    need: bool = False


def is_end(reading: SentenceReading, place: int) -> bool:
    return all(word in ENDING for word in reading.words[place:])


def due_end(reading: SentenceReading, clause: Clause, verb: str) -> int:
    """The end of the words among which its date must be."""
    trigger, words = clause.trigger, reading.words
    if verb in ASKED_TO:  # "I'll ask them to stay until Monday": they stay
        asked = (
            n
            for n in range(trigger.after, clause.core - 1)
            if words[n] == "to" and words[n + 1] in reading.lexicon.base.keys() | reading.lexicon.words.idle_verbs
        )
        if place := next(asked, 0):
            return place
    if reading.words[trigger.start : trigger.after] == ("let", "me"):
        return clause.core  # "let me look, we can meet on Friday"
    return phrases.main_end(reading, clause.core, clause.end)


def is_reported(reading: SentenceReading, begin: int) -> bool:
    """ "Bob said: I'll send it": somebody else's words."""
    w = reading.lexicon.words
    before, after = reading.words[:begin], reading.words[begin:]
    place = next((n for n, word in enumerate(after[:-2]) if word == "," and after[n + 1] in w.reported), 0)
    if place and reading.capital(begin + place + 2):
        return True  # "I'll send it, said Anna"
    quoted = len(before)
    while quoted and before[quoted - 1] in _QUOTES:
        quoted -= 1
    if quoted and before[quoted - 1] == ":" and (quoted < len(before) or not _WORDING.isdisjoint(before)):
        return True  # "Tom m'a écrit : « Je t'envoie le plan »", "his words were: I'll send it"
    if not begin or w.reported.isdisjoint(before):
        return False
    # "Anna meinte, ich schicke es": German and Dutch say so without "that".
    return before[-1] == ":" or (before[-1] == "," and w.verb_second and not any(each in before for each in w.subjects))


#: Signs of quotation, and what introduces one.
_QUOTES: Final = frozenset('"\u201c\u201d\u201e\u00ab\u00bb')
_WORDING: Final = frozenset({"words", "worte", "wörtlich", "mots", "palabras", "parole", "palavras", "woorden"})


def promised_to(reading: SentenceReading, trigger: Trigger) -> str:
    """The name after "I promised", or behind the thing: "I owe the drawings to Anna"."""
    first, last = _name_behind(reading, trigger)
    return reading.slice(first, last - 1) if last > first else undertakings.receiver(reading, first)


def named_receiver(reading: SentenceReading, clause: Clause, verb: str, first: int) -> str:
    """Who gets it by name, and not the reader: "I'll send *Tom* the plan", "envoie le plan à *Tom*"; "" for none."""
    w, words, end = reading.lexicon.words, reading.words, clause.core
    yours = w.you - _FORMAL if w.code in ("es", "pt", "it") else w.you
    if verb not in (w.giving | _GIVING) - _FOR_PLACES or not yours.isdisjoint(words[clause.trigger.start : end]):
        return ""
    for n in range(first, end):
        # Two objects stand side by side in Germanic languages; "Bilder der Ausstellung" is one.
        direct = n == first and w.code in ("en", "de", "nl")
        if not reading.capital(n) or n in reading.dated or not (direct or words[n - 1] in w.recipient):
            continue
        last = n + 1
        while last < len(words) and (reading.capital(last) or words[last] == ".") and last not in reading.dated:
            last += 1  # "Dr. Weiss"
        last -= words[last - 1] == "."
        if words[last - 1].endswith(("'s", "s'")):
            return ""  # "the plan to Bob's office": a place, or somebody else
        thing = next((k for k in range(last, end) if k not in reading.dated), end)
        if not direct or (thing < end and words[thing] in w.articles - {"der", "des"}):
            return reading.slice(n, last - 1)
    return ""


#: Spanish, Portuguese and Italian verbs of giving.
_GIVING: Final = table(
    """
    enviar mandar dar entregar llevar pasar devolver pagar levar passar inviare mandare dare consegnare portare spedire
    """
)
#: Of somebody else, too: "*le* mando el plano a Tom".
_FORMAL: Final = frozenset({"le", "les", "lhe", "lhes", "la", "lo", "li", "o", "a", "as"})
#: What one books or orders may be for a place: "flights to Oslo".
_FOR_PLACES: Final = frozenset(
    {"book", "order", "call", "phone", "buchen", "bestellen", "réserver", "reservar", "boeken"}
)


def _name_behind(reading: SentenceReading, trigger: Trigger) -> tuple[int, int]:
    """Where a name right behind the verb begins and ends."""
    w, words, first = reading.lexicon.words, reading.words, trigger.after
    if first < len(words) and (words[first] in w.to or words[first] in w.recipient):
        first += 1
    last = first
    while last < len(words) and reading.capital(last) and words[last] not in w.articles and last not in reading.dated:
        last += 1
    return first, last


def _is_to_stranger(reading: SentenceReading, trigger: Trigger) -> bool:
    """ "I owe my landlady 200 euros": not the reader, and nobody whom the record names."""
    whom = reading.words[trigger.after : trigger.after + 3]
    return (
        len(whom) == 3
        and whom[0] in ("my", "our")
        and (whom[2] in reading.lexicon.words.articles or not whom[2].isalpha())
    )


def excludes_date(reading: SentenceReading, place: int) -> bool:
    """ "Not before Friday": the word is about the date."""
    return any(hit.role == "never" and 0 <= hit.start - reading.tokens[place].end < 16 for hit in reading.dates)


def verb_of(  # noqa: C901, PLR0911, PLR0912 - one branch a form
    reading: SentenceReading, clause: Clause
) -> tuple[str, int]:
    """(the infinitive, the first word that may belong to its object); (_, -1) if there is no action."""
    trigger, words, lex = clause.trigger, reading.words, reading.lexicon
    if trigger.kind in ("future", "present"):
        return trigger.verbs[0].infinitive, trigger.after
    if trigger.kind in ("undertaking", "gerund", "you_get"):
        # "I'm calling to offer you the position" is done by saying it.
        following = words[trigger.after] if trigger.after < len(words) else ""
        why = trigger.kind == "gerund" and following == "to"
        # "You should have received the form": that was earlier.
        done = following in lex.participles or following.endswith("ed")
        past = trigger.kind == "you_get" and words[trigger.after - 1] == "have" and done
        return ("", -1) if why or past else (trigger.kind, trigger.after)
    if trigger.kind == "promised" and (
        words[trigger.after : trigger.after + 1] in (("myself",), ("ourselves",)) or _is_to_stranger(reading, trigger)
    ):
        return "", -1
    if trigger.kind == "promised":
        first, last = _name_behind(reading, trigger)
        return trigger.kind, trigger.after + last - first
    if trigger.kind == "perfect":
        done = any(word in lex.participles for word in words[trigger.after : clause.core])
        return (trigger.kind, trigger.after) if done else ("", -1)
    if lex.words.verb_second:
        if trigger.kind == "will" and not _NEED.isdisjoint(words[trigger.after : clause.core]):
            return "", -1  # "ich werde mir 70.000 leihen m\u00fcssen"
        infinitives = [n for n in range(trigger.after, clause.core) if words[n] in lex.base and not reading.capital(n)]
        return (words[infinitives[-1]], trigger.after) if infinitives else ("", -1)
    place = trigger.after
    while place < clause.core and (words[place] in lex.words.adverbs or words[place] in lex.words.pronouns):
        place += 1
    if place >= clause.core:
        return "", -1
    if lex.words.code == "en":
        phrase = lex.undertaking.at(words, place)
        if phrase:
            return " ".join(phrase.words), place + len(phrase.words)
        if words[place] == "have" and words[place - 1] == "could":
            return "", -1  # "I could have sent it": nobody did
        if words[place] == "have":
            return _have_done(reading, place, clause.core)
    if words[place : place + 2] in _MAKING:
        return "", -1
    verbs = lex.infinitive(words[place])
    return (verbs[0].infinitive, place + 1) if verbs else ("", -1)


#: "I'll make sure", "I can make it at noon": nothing is made.
_MAKING: Final = (("make", "sure"), ("make", "it"), ("call", "it"), ("make", "time"), ("make", "that"))
_NEED: Final = frozenset({"m\u00fcssen", "moeten"})


def _have_done(reading: SentenceReading, place: int, end: int) -> tuple[str, int]:
    """ "I'll have the slides ready", "I'll have reviewed the contract", "I'll have Bob send you the deck"."""
    if ("time", "to") in pairwise(reading.words[place:end]):
        return "", -1  # "I'll have time to work on it"
    if caused := _caused(reading, place, end):
        return caused
    states, joints = reading.lexicon.participles | _STATES, reading.lexicon.words.conjunctions
    subjects = reading.lexicon.words.subjects
    stops = joints.union(subjects, ("you", "they", "has", "which", "that"))
    end = next((n for n in range(place + 1, end) if reading.words[n] in stops), end)
    done = [n for n in range(place + 1, end) if reading.words[n] in states and _is_reached(reading, place, n)]
    if done and "to" in reading.words[place : done[0]]:
        return "", -1  # "I'll have more chances to get trained"
    if done and reading.words[done[0] - 1] in reading.lexicon.words.idle | phrases.OCCASIONS:
        return "", -1  # "we'll have lunch with Ann", "we shall have a meeting with her"
    return ("finish", done[0] + 1 if done[0] == place + 1 else place + 1) if done else ("", -1)


def _caused(reading: SentenceReading, place: int, end: int) -> tuple[str, int] | None:
    """What the author makes somebody else do: a name or a noun, then an infinitive with an object."""
    w, words = reading.lexicon.words, reading.words
    for n in range(place + 2, min(place + 6, end - 1)):
        longer = reading.lexicon.idioms.at(words, n)
        verbs = reading.lexicon.infinitive(words[n])
        if longer and not reading.capital(n) and words[n - 1].isalpha():
            return " ".join(longer.words), n + len(longer.words)
        doer = words[n - 1].isalpha() and words[n - 1] not in w.articles | w.prepositions | w.conjunctions
        following = words[n + 1]
        thing = following in w.articles | w.you | w.me | w.pronouns | w.pronoun_objects
        if verbs and doer and thing and not reading.capital(n):
            return verbs[0].infinitive, n + 1
    return None


def _is_reached(reading: SentenceReading, verb: int, place: int) -> bool:
    """ "The draft to you", "with Anna by Friday"; and not "chances to invite you to the quay"."""
    w, words = reading.lexicon.words, reading.words
    if words[place] not in ("to", "with"):
        return True
    if words[place] in words[verb:place] or words[place - 1] in ("similar", "related", "comparable"):
        return False
    following = words[place + 1] if place + 1 < len(words) else ""
    named = following and reading.capital(place + 1)
    return bool(named) or following in w.you or (words[place] == "to" and following in w.articles)


_STATES: Final = frozenset({"ready", "done", "finished", "complete", "back", "over", "sorted", "to", "with"})


def object_of(
    reading: SentenceReading, clause: Clause, first: int, names: frozenset[str], due: Due | None = None
) -> Object:
    words, lex, trigger = reading.words, reading.lexicon, clause.trigger
    end = clause.core
    small, when = lex.words.prepositions, False
    comma = next((n for n in range(first, min(first + 2, end)) if words[n] == ","), 0)
    first = (after_name(reading, comma) if comma else 0) or first
    while first < end and (words[first] in lex.words.adverbs or words[first] == ","):
        if when and words[first] in small and lex.words.code == "en":
            break  # "call now through the desk"
        when = words[first] not in small
        first += 1
    if (
        trigger.verbs
        and trigger.verbs[0].particle
        and lex.words.verb_second
        and words[end - 1] == trigger.verbs[0].particle
    ):
        end -= 1
    if words[first:end] and lex.words.code == "en" and words[first:end][0] == "have":
        first += 1
    if asked := of_asked(reading, trigger, first, end, names):
        return asked
    end_of_thing = _until_done(reading, first, end)
    item = phrases.find(reading, first, end_of_thing, names)
    if due and not item.text and not item.pronoun:  # "any invoices", by a day
        item = phrases.find(reading, first, end_of_thing, names, dated=True)
    if not item.text and (trigger.inverted or (trigger.kind == "you_get" and lex.words.verb_second)):
        front = phrases.find(reading, clause.front, trigger.start, names)
        return front if front.text else item
    return item


def of_asked(reading: SentenceReading, trigger: Trigger, first: int, end: int, names: frozenset[str]) -> Object | None:
    """English: the keys in "I'll ask Angela to bring the keys"; None if nobody is asked to do anything."""
    words, lex = reading.words, reading.lexicon
    if lex.words.code != "en" or trigger.kind != "will" or words[first - 1] not in ASKED_TO:
        return None
    place = next((n for n in range(first + 1, min(first + _WHOM, end - 1)) if words[n] == "to"), 0)
    if not place or words[place + 1] not in lex.base:
        return None
    item = phrases.find(reading, place + 2, _until_done(reading, place + 2, end), names)
    return item if item.text else None


#: Words for the person asked, and the word behind them.
_WHOM: Final = 4


def _until_done(reading: SentenceReading, first: int, end: int) -> int:
    """English: the object of "get the order shipped" ends before the participle."""
    if reading.lexicon.words.code != "en":
        return end
    for place in range(first + 1, end):
        if (
            reading.words[place] in reading.lexicon.participles
            and place + 1 in (end, *reading.dated)
            and place - 1 >= first
        ):
            return place
    return end


def is_plural(reading: SentenceReading, clause: Clause) -> bool:
    w, trigger = reading.lexicon.words, clause.trigger
    verb = reading.words[trigger.after - 1]
    ending = ("remo", "iamo", "rons", "remos") if trigger.verbs and not w.verb_second else ()
    subjects = [word for word in reading.words[: trigger.after] if word in w.us or word in w.subjects]
    return (bool(subjects) and subjects[-1] in w.us) or verb.endswith(ending or "\0")


#: English: verbs of asking others, who are to do what follows.
ASKED_TO: Final = frozenset({"ask", "tell", "remind", "invite", "request"})


def is_to_reader(reading: SentenceReading, first: int, end: int) -> bool:
    """Whether the words name those who are addressed; a lower-case "sie" in German and the Italian article "le" do not
    count.
    """
    w = reading.lexicon.words
    small = frozenset({"sie", "ihnen"}) if w.code == "de" else frozenset[str]()
    return any(
        reading.words[n] in w.you
        and (reading.words[n] not in small or reading.capital(n))
        and not (w.code == "it" and reading.words[n] in w.articles and n + 1 < end and n > first + 1)
        for n in range(first, end)
    )


def has_subject(reading: SentenceReading, clause: Clause) -> bool:
    """Italian, Portuguese and Spanish name a first person only where it matters who does it: "yo consigo las cajas"."""
    subjects = reading.lexicon.words.subjects
    return any(word in subjects for word in reading.words[clause.trigger.start : clause.core])


def pronoun_of(reading: SentenceReading, first: int, end: int) -> str:
    """The pronoun for what is promised, as it was written."""
    w = reading.lexicon.words
    for place in range(max(first, 0), end):
        if reading.words[place] in w.pronoun_objects - {"things", "stuff"} and place not in reading.dated:
            return reading.slice(place, place)
    return ""
