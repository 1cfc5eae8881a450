"""Who says in a sentence that they will do something: first persons, and participants by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from consumer.understanding import certainty, objects, phrases
from consumer.understanding.grammar import Phrases, SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.promises.chats import kept_in_chat
from consumer.understanding.promises.clauses import ENDING, Clause, clause_of
from consumer.understanding.promises.conditions import condition_of
from consumer.understanding.promises.parts import (
    Promise,
    due_end,
    excludes_date,
    is_end,
    is_reported,
    is_to_reader,
    named_receiver,
    object_of,
    promised_to,
    pronoun_of,
    verb_of,
)
from consumer.understanding.promises.triggers import Trigger, triggers_in
from consumer.understanding.promises.worth import (
    CAN,
    is_certain,
    is_enough,
    is_greeting,
    is_later,
    is_next,
    is_own,
    is_reach_given,
)
from consumer.understanding.utterances import Person


def find(
    reading: SentenceReading,
    names: Phrases,
    people: Mapping[str, Person],
    is_formal: Callable[[], bool],
    *,
    spoken: bool = False,
    to_many: bool = False,
    in_chat: bool = False,
    goes_on: Callable[[], bool] = lambda: False,
) -> Iterator[Promise]:
    """``names``: of participants, each with the key of its person in ``people``.

    ``is_formal``: whether the text around the sentence addresses its reader formally. ``spoken``: in a conversation,
    where "I'll answer that" and "we'll go through it" only announce the next step. ``to_many``: to a crowd.
    ``in_chat``: in a room or on a messenger, where most promises end with the day. ``goes_on``: whether the line before
    is unfinished, so that "will return the list" may have its subject there.
    """
    if reading.is_question:
        return
    if reading.lexicon.promising.isdisjoint(reading.words) and names.first.keys().isdisjoint(reading.words):
        return
    triggers = list(triggers_in(reading, names, people, is_formal))
    made = list(_each(reading, triggers, names, spoken=spoken, to_many=to_many, in_chat=in_chat, goes_on=goes_on))
    for (trigger, promise), second in zip_longest(made, made[1:]):
        if second is None or not _is_first_half(reading, trigger, promise, *second):
            yield promise


def _each(
    reading: SentenceReading,
    triggers: Sequence[Trigger],
    names: Phrases,
    *,
    spoken: bool,
    to_many: bool,
    in_chat: bool,
    goes_on: Callable[[], bool],
) -> Iterator[tuple[Trigger, Promise]]:
    previous = 0
    for number, trigger in enumerate(triggers):
        limit = triggers[number + 1].start if number + 1 < len(triggers) else len(reading.words)
        clause = clause_of(reading, trigger, previous, limit)
        if clause is None:
            continue
        promise = _promise(reading, clause, frozenset(names.first), spoken)
        if promise and reading.lexicon.words.code == "en":
            promise = _of_pronoun(reading, clause, promise)
        if promise and not promise.due:
            aside = to_many and not _is_for_many(reading, clause, promise)
            if aside or (_may_be_second_half(reading, trigger) and goes_on()):
                continue
        if kept := kept_in_chat(reading, clause, promise) if promise and in_chat else promise:
            yield trigger, kept
            previous = trigger.after


def _of_pronoun(reading: SentenceReading, clause: Clause, promise: Promise) -> Promise:
    """In "I can bring it tomorrow to the office", the thing is "it"."""
    named = next(iter(reading.words[verb_of(reading, clause)[1] :]), "")
    return promise._replace(object=named, pronoun=True) if named in ("it", "them") else promise


def _is_first_half(reading: SentenceReading, trigger: Trigger, promise: Promise, after: Trigger, then: Promise) -> bool:
    """ "Vou tratar da licença *e dou-te uma resposta até terça*": one promise, kept when the answer comes."""
    if promise.due or not then.due or _ANSWER.isdisjoint(then.object.casefold().split()):
        return False
    between = reading.words[trigger.after : after.start]
    joined = between[-1:] and between[-1] in reading.lexicon.words.conjunctions and ENDING.isdisjoint(between)
    same = (promise.owner, promise.to, promise.gets) == (then.owner, then.to, then.gets)
    return bool(joined) and "," not in between and same


_ANSWER: Final = table(
    """
    answer reply response feedback update news antwort rückmeldung nachricht bescheid réponse retour nouvelles respuesta
    contestación noticias resposta retorno notícias risposta riscontro notizie antwoord reactie terugkoppeling bericht
    """
)


def _may_be_second_half(reading: SentenceReading, trigger: Trigger) -> bool:
    """Whether the subject of "will return the list" may stand in the line before."""
    soon = reading.lexicon.words.soon
    return trigger.alone and not trigger.start and not reading.capital(0) and soon.isdisjoint(reading.words)


def _is_for_many(reading: SentenceReading, clause: Clause, promise: Promise) -> bool:
    """Whether a promise to a crowd, without a day, is more than small talk: to somebody, or to hand over a thing."""
    if promise.owner or promise.to or is_to_reader(reading, clause.trigger.start, clause.core):
        return True
    verb, first = verb_of(reading, clause)
    item = object_of(reading, clause, first, frozenset())
    return verb in reading.lexicon.words.giving and is_certain(reading, item)


def handed_over(reading: SentenceReading, names: Phrases, people: Mapping[str, Person]) -> str:
    """What the author gives with this very text: "Je vous envoie ci-joint le plan"; "" for none."""
    if reading.is_question or not reading.herewith:
        return ""
    for trigger in triggers_in(reading, names, people, lambda: False):
        clause = clause_of(reading, trigger, 0, len(reading.words))
        if clause is None or trigger.owner or not _is_with_text(reading, clause):
            continue
        denied = not reading.lexicon.words.negation.isdisjoint(reading.words[clause.begin : clause.core])
        item = object_of(reading, clause, trigger.after, frozenset(names.first))
        return "" if denied or objects.is_idle(item.text, reading.lexicon.words) else item.text
    return ""


def _is_with_text(reading: SentenceReading, clause: Clause) -> bool:
    """Whether it is given with the text itself, and so is no promise."""
    trigger = clause.trigger
    if trigger.kind not in ("present", "gerund"):
        return False
    if trigger.verbs and trigger.verbs[0].infinitive in reading.lexicon.words.performative:
        return False  # "hiermit best\u00e4tige ich"
    return not reading.herewith.isdisjoint(range(clause.begin, clause.end))


def _promise(  # noqa: PLR0911 - one branch a reason
    reading: SentenceReading, clause: Clause, names: frozenset[str], in_talk: bool
) -> Promise | None:
    w, words, trigger = reading.lexicon.words, reading.words, clause.trigger
    opening = words[clause.begin : clause.core]
    if any(
        reading.words[n] in w.negation and not excludes_date(reading, n) and phrases.denies(reading, n, n + 1)
        for n in range(clause.begin, clause.core)
    ):
        return None
    if not w.hedges.isdisjoint(opening) or words[0] in w.hedges or is_reported(reading, clause.begin):
        return None
    if (
        is_greeting(reading, clause.trigger.after, clause.core)
        or not w.habits.isdisjoint(opening)
        or _is_given(reading, clause)
        or _is_thought(reading, clause)
    ):
        return None
    verb, first = verb_of(reading, clause)
    # "We will only release what was approved": a rule; "I'll only send it on Friday": not before.
    only = w.code == "en" and words[trigger.after : trigger.after + 1] == ("only",) and not reading.coming
    if first < 0 or only or verb in _INVITING:
        return None
    # "On Monday I promised Bob to ...": the day of the promise.
    front = (clause.front, trigger.start) if trigger.told_to is None else (trigger.after, trigger.after)
    due = phrases.due(reading, *front, due_end(reading, clause, verb))
    item = object_of(reading, clause, first, names, due)
    condition = condition_of(reading, clause, verb, first)
    if condition is None or not is_enough(reading, clause, verb, item, due) or is_own(reading, clause, verb, item, due):
        return None
    if in_talk and not is_later(reading, due) and is_next(reading, clause, verb):
        return None
    # "I'll introduce the speakers, and you will have time": not to the reader.
    to_reader = is_to_reader(reading, trigger.start, item.last + 1 if item.text else clause.core)
    steps = certainty.is_step_of_text(reading, clause.begin, trigger.start, verb)
    passing = due is None and not to_reader and (steps or certainty.is_for_whoever(reading))
    if passing or (not (due and to_reader) and _is_aside(words, trigger.start)):
        return None
    text = item.text or pronoun_of(reading, trigger.start, clause.core)
    to = promised_to(reading, trigger) if trigger.kind == "promised" else trigger.told_to or ""
    for_reader = to_reader or is_to_reader(reading, trigger.start, clause.core)
    gets = "" if to else named_receiver(reading, clause, verb, first)
    need = trigger.kind == "must" and not for_reader and CAN.isdisjoint(words[trigger.start : trigger.after])
    return Promise(trigger.owner, text, due, condition, not item.text, to, gets, need)


#: "La invitiamo ad aggiornare i dati": the reader is to do it.
_INVITING: Final = frozenset({"invitare", "inviter", "invitar", "convidar"})


def _is_aside(words: tuple[str, ...], place: int) -> bool:
    """ "(I'll explain it below)"."""
    return "(" in words[:place] and ")" not in words[words.index("(") : place]


def _is_given(reading: SentenceReading, clause: Clause) -> bool:
    """Whether it comes with these words: "herewith", "I'll share the link: https://...", "I'll give you my new number:
    +44 ...".
    """
    after = clause.trigger.after
    shares = not _LINKING.isdisjoint(reading.words[after : after + 2])
    if _is_with_text(reading, clause) or (shares and "://" in reading.text[reading.tokens[after - 1].end :]):
        return True
    return is_reach_given(reading, after)


_LINKING: Final = frozenset({"share", "post", "send", "paste", "link", "drop", "leave", "put"})


def _is_thought(reading: SentenceReading, clause: Clause) -> bool:
    """Whether it may never happen ("next time"), or is only a thought ("ich glaube, ich sollte ...")."""
    words, lex = reading.words, reading.lexicon
    # "Feel free to write, and I will answer."
    offers = certainty.is_promotion(reading) or certainty.is_offered_help(reading)
    if any(lex.vague.within(words, 0, clause.end)) or offers:
        return True
    begin = clause.begin
    if any(words[n : n + 2] in _SUPPOSING and is_end(reading, n + 2) for n in range(clause.trigger.after, len(words))):
        return True  # "I'm going to return it, I think"
    return begin > 1 and words[begin - 1] == "," and not _THINKING.isdisjoint(words[max(0, begin - 4) : begin - 1])


_SUPPOSING: Final = (("i", "think"), ("i", "guess"), ("i", "suppose"), ("i", "believe"))
#: "I think", before a comma.
_THINKING: Final = frozenset({"glaube", "denke", "think", "guess", "denk", "geloof", "credo", "penso", "creo", "acho"})
