"""
Answers a user's question over one snapshot: facts first, then a model's checked sentences, else the nearest passages.

1. Facts (consumer.understanding.questions): code alone, at no cost. A sentence that cannot be cited is not said.
2. A model, where there is one, reads what the search finds, and the words behind the facts and open loops of the
   question's context (consumer.reports.context). Each of its sentences passes the checks of an agent's
   claims (consumer.reports.citations), and a judge's ruling where one is asked. The rest is not said.
3. Nobody: "memory does not say", with the passages.

The question steers the search and nothing else. docs/asking.md explains the rules to a user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Any, Final, Literal, NamedTuple

from consumer import layout
from consumer.errors import SnapshotIncomplete
from consumer.evidence import pages
from consumer.evidence.index import stored
from consumer.evidence.search import Passage
from consumer.ports import ModelTags
from consumer.reports import citations, context
from consumer.reports.citations import Checked, Find, Resolved
from consumer.reports.claims import QUOTE_CHARS, Citation, Claim
from consumer.reports.context import ContextSources
from consumer.reports.detectors.records import shorten
from consumer.reports.withholding import Withheld
from consumer.understanding import corrections, encoding, life, reader, support
from consumer.understanding.askform import Drafting, DraftSentence, ShownPassage
from consumer.understanding.memory import Memory, StatementEvidence
from consumer.understanding.questions import answering, newer
from consumer.understanding.questions.answering import FactsAnswer, FactSentence
from consumer.understanding.questions.book import QuestionBook
from consumer.understanding.questions.newer import Stated
from consumer.understanding.support import Judge, KnownPeople, Question
from contract.api import Usage
from contract.overlay import EMPTY, Overlay

#: Characters of a question that are read; a longer one is no question.
QUESTION_CHARS: Final = 500
#: Passages that a model reads, and that are shown where memory does not say.
PASSAGES: Final = 12
NEAREST: Final = 5
#: Records that a model reads besides, behind facts and behind open loops, and the characters of each that it is shown.
RECORDS: Final = 4
RECORD_CHARS: Final = 300
#: Places that a sentence cites.
CITED: Final = 3

#: Text -> the passages that fit best, best first; None: nothing can be searched. Whoever makes it leaves out what the
#: user has hidden.
Search = Callable[[str], Sequence[Passage] | None]
#: Claims -> a ruling for each, by the key of the question; see ``support.Judge``.
Rule = Callable[[Sequence[Question]], Mapping[str, str]]
#: Path below the workspace -> the file's bytes, None where there is none.
ReadFile = Callable[[str], bytes | None]


class RecordPlace(NamedTuple):
    """Where a record is rendered: a page below ``brain/`` without ``.md``, and its anchor, "" for a page of its own."""

    page: str
    anchor: str


@dataclass(frozen=True)
class AskableMemory:
    """The memory of one commit at one time, ready for questions. Keep it as long as HEAD, the day and what is hidden
    stay the same: it takes about a second to make from 5,000 pages, and a question some milliseconds.

    ``withheld``: ids of records of which nothing may be said.
    """

    memory: Memory
    places: Mapping[tuple[str, str], RecordPlace]
    withheld: frozenset[str] = frozenset()

    @cached_property
    def book(self) -> QuestionBook:
        return QuestionBook.of(self.memory)


#: What an answer shows of the passages nearest to the question.
_SHOWN: Final = ("page", "anchor", "title", "day", "source", "text")


class SentenceCitation(NamedTuple):
    """``page``: a slug; ``anchor``: "" for the whole page."""

    page: str
    anchor: str
    quote: str


class AnswerSentence(NamedTuple):
    text: str
    citations: tuple[SentenceCitation, ...]


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """``said_by``: ``nobody`` means that memory does not say; then ``nearest`` has passages to look at.

    ``unsupported``: how many sentences of a model were not said because a check failed. ``more``: how many entries a
    list of facts leaves out. ``read``: the passages that a model was given.
    """

    sentences: tuple[AnswerSentence, ...] = ()
    said_by: Literal["facts", "model", "nobody"] = "nobody"
    nearest: tuple[Passage, ...] = ()
    unsupported: int = 0
    more: int = 0
    read: tuple[Passage, ...] = ()

    @property
    def supported(self) -> bool:
        """Whether there is an answer: what is not supported is no part of one."""
        return bool(self.sentences)

    def citations(self) -> Iterator[SentenceCitation]:
        """Those of all sentences, in order."""
        for sentence in self.sentences:
            yield from sentence.citations

    def to_json(self, usage: Usage | None = None) -> dict[str, Any]:
        """``{answer: [{text, citations: [{page, anchor, quote}]}], supported, said_by, unsupported, more, nearest,
        read: [{page, anchor}], usage}``.

        ``usage``: what a model cost.
        """
        return {
            "answer": [sentence_json(sentence) for sentence in self.sentences],
            "supported": self.supported,
            "said_by": self.said_by,
            "unsupported": self.unsupported,
            "more": self.more,
            "nearest": [{name: getattr(passage, name) for name in _SHOWN} for passage in self.nearest],
            "read": places_json(self.read),
            "usage": (usage or Usage()).model_dump(mode="json"),
        }


def places_json(passages: Sequence[Passage]) -> list[dict[str, str]]:
    """``[{page, anchor}]`` of what a model is given, each place once."""
    places = dict.fromkeys((passage.page, passage.anchor) for passage in passages)
    return [{"page": page, "anchor": anchor} for page, anchor in places]


def sentence_json(sentence: AnswerSentence) -> dict[str, Any]:
    """One sentence as ``CheckedAnswer.to_json`` has it, for whoever streams them."""
    return {"text": sentence.text, "citations": [cited._asdict() for cited in sentence.citations]}


# --- memory ------------------------------------------------------------------------------------------------------


def load(
    read: ReadFile, now: datetime, *, overlay: Overlay = EMPTY, withheld: Set[tuple[str, str]] = frozenset()
) -> AskableMemory:
    """Fold the memory of a commit from its record index, the one file that it needs.

    ``now``: with the user's offset. ``overlay``: its corrections count; those that a run has placed, by the digests
    under its key. ``withheld``: source and record id of each record that the user has hidden; they are left out before
    anything is put together, so that nothing of them shows in what others say.

    Raises SnapshotIncomplete: the commit has no record index, or one that this release cannot read.
    """
    data = read(layout.RENDER_INDEX)
    if data is None:
        raise SnapshotIncomplete(f"the commit has no {layout.RENDER_INDEX}; the user's next job makes it")
    rows = [row for row in stored.readings(data, reader.NAME) if (row.source, row.record_id) not in withheld]
    readings = [encoding.decode(row.source, row.record_id, row.body) for row in rows]
    places = {(row.source, row.record_id): RecordPlace(pages.slug_of(row.page), row.anchor) for row in rows if row.page}
    given, _ = corrections.given(overlay, readings, lambda at: _local(at.astimezone(now.tzinfo)))
    folded = life.fold(readings, given, _local(now), key=overlay.key or "")
    return AskableMemory(folded, places, frozenset(record_id for _, record_id in withheld))


def _local(moment: datetime) -> str:
    """``2026-11-27 20:10 -08:00``."""
    text = moment.isoformat(" ", "minutes")
    return f"{text[:16]} {text[16:]}"


@dataclass(slots=True)
class RuledBy:
    """A ``Rule`` that asks a judge, for one question of one user.

    ``tags``, ``spent``, ``limit_s``: see ``support.Judge``. ``usage``: what the judge cost, once it was asked.
    """

    judge: Judge
    tags: ModelTags
    spent: Usage = field(default_factory=Usage)
    limit_s: float = 20.0
    usage: Usage = field(default_factory=Usage)

    def __call__(self, claims: Sequence[Question]) -> Mapping[str, str]:
        """Raises ProviderBusy."""
        judgement = self.judge.judge(claims, self.tags, self.spent, self.limit_s)
        self.usage = judgement.usage
        return support.answers(claims, judgement.rulings)


# --- asking ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asker:
    """Answers questions about one user's memory.

    ``find``: the pages of the commit. ``locale``: the user's, ``de-AT``, "" unknown. ``model``: None answers by facts
    alone. ``rule``: asks a judge about the model's sentences; None: the checks of code decide. ``reading``: is told
    which passages the model is about to read. ``withheld``: what the user's rules keep from the model.
    """

    memory: AskableMemory
    find: Find
    search: Search
    locale: str = ""
    model: Drafting | None = None
    rule: Rule | None = None
    people: KnownPeople = field(default=support.NOBODY)
    reading: Callable[[Sequence[Passage]], None] = field(default=lambda _: None)
    withheld: Withheld = field(default_factory=Withheld)

    def ask(self, question: str) -> CheckedAnswer:
        """Every sentence of the answer is checked when this returns. Raises what ``search`` and ``find`` raise."""
        question = " ".join(question.split())
        if not 0 < len(question) <= QUESTION_CHARS:
            return CheckedAnswer()
        stated = answering.answer(question, self.memory.book, locale=self.locale)
        sentences = self._cite_all(stated) if stated and not self._is_outdated(stated) else ()
        if stated and sentences:
            return CheckedAnswer(sentences, "facts", more=stated.more)
        passages = [passage for passage in self.search(question) or () if self._may_show(passage)][:PASSAGES]
        nearest = tuple(passages[:NEAREST])
        if self.model is None or not passages:
            return CheckedAnswer(nearest=nearest)
        return self._by_model(self.model, question, passages, nearest)

    def _may_show(self, passage: Passage) -> bool:
        """Evidence that is not hidden: what this memory made of it is no evidence."""
        return support.is_evidence(passage.page) and passage.record_id not in self.memory.withheld

    # --- facts -------------------------------------------------------------------------------------------------

    def _is_outdated(self, answer: FactsAnswer) -> bool:
        """Whether a later record gives another value of what the answer says, or none can be searched for."""
        return any(self._is_replaced(fact.stated) for fact in answer.sentences if fact.stated)

    def _is_replaced(self, stated: Stated) -> bool:
        passages = self.search(stated.subject)
        return passages is None or any(
            newer.differs(passage.text, passage.day, stated) for passage in passages if self._may_show(passage)
        )

    def _cite_all(self, stated: FactsAnswer) -> tuple[AnswerSentence, ...]:
        """The sentences with their places; without those of a list that cannot be cited, none where it is no list."""
        sentences = [self._cite(fact) for fact in stated.sentences]
        cited = tuple(sentence for sentence in sentences if sentence.citations)
        return cited if stated.is_list or len(cited) == len(sentences) else ()

    def _cite(self, fact: FactSentence) -> AnswerSentence:
        """Of each record the first quote that stands on its page."""
        cited: dict[RecordPlace, SentenceCitation] = {}
        for evidence in fact.evidence:
            place = self.memory.places.get((evidence.source, evidence.record_id))
            if place is None or place in cited or len(cited) == CITED:
                continue
            citation = self._stands(place, evidence)
            if citation:
                cited[place] = citation
        return AnswerSentence(fact.text, tuple(cited.values()))

    def _stands(self, place: RecordPlace, evidence: StatementEvidence) -> SentenceCitation | None:
        if not evidence.quote.strip():
            return None
        quote = Citation(page=place.page, anchor=place.anchor or None, quote=shorten(evidence.quote))
        verdict = citations.resolve(quote, self.find)
        if not isinstance(verdict, Resolved):
            return None
        return SentenceCitation(verdict.page, verdict.anchor or "", verdict.quote)

    # --- the model ---------------------------------------------------------------------------------------------

    def _by_model(
        self, model: Drafting, question: str, hits: Sequence[Passage], nearest: tuple[Passage, ...]
    ) -> CheckedAnswer:
        passages, shown = self._readable(question, hits)
        self.reading(passages)
        drafts = model.draft(question, self.memory.memory.now[:10], shown)
        checked = [self._check(draft, passages) for draft in drafts]
        sentences = tuple(map(_sentence, self._ruled([each for each in checked if each.verified])))
        unsupported = len(drafts) - len(sentences)
        read = tuple(passages)
        if not sentences:
            return CheckedAnswer(nearest=nearest, unsupported=unsupported, read=read)
        return CheckedAnswer(sentences, "model", unsupported=unsupported, read=read)

    def _readable(self, question: str, hits: Sequence[Passage]) -> tuple[list[Passage], list[ShownPassage]]:
        """What the model reads: the hits of the search, and the words that facts and open loops rest on."""
        sources = ContextSources(
            self.memory.memory,
            self.memory.places.get,
            self.find,
            lambda _: hits,
            withheld=self.withheld,
            language=context.language_of(self.locale),
        )
        passages = list(hits)
        shown = [ShownPassage(hit.title, hit.day, hit.source, hit.text) for hit in hits]
        for section in context.assemble(sources, about=question, narrow=True).sections:
            quoted = {item.places[0]: item.text for item in section.items if item.places[0].quote}
            for place, understood in islice(quoted.items(), RECORDS):
                quote = place.quote[:RECORD_CHARS]
                passages.append(
                    Passage(place.page, place.anchor, "", "", place.day, place.source, "source", quote, 0.0)
                )
                shown.append(ShownPassage("", place.day, place.source, quote, understood))
        return passages, shown

    def _check(self, draft: DraftSentence, passages: Sequence[Passage]) -> Checked:
        """The checks of an agent's claim. A quote must stand in the very record that the sentence cites."""
        cited = [
            Citation(
                page=passages[each.passage].page,
                anchor=passages[each.passage].anchor or None,
                quote=each.quote[:QUOTE_CHARS],
            )
            for each in draft.citations
        ]
        checked = citations.check(
            Claim(text=draft.text, kind="insight", citations=tuple(cited)), self.find, self.people
        )
        places = {(each.page, each.anchor) for each in cited if each.anchor}
        strays = [
            each for each in checked.resolved if each.anchor and places and (each.page, each.anchor) not in places
        ]
        return checked.judged("unsupported") if strays else checked

    def _ruled(self, checked: Sequence[Checked]) -> Iterator[Checked]:
        """Those that a judge calls supported; all where none is asked."""
        if self.rule is None:
            yield from checked
            return
        rulings = self.rule([each.question for each in checked]) if checked else {}
        yield from (each for each in checked if rulings.get(each.question.key) == "supported")


def _sentence(checked: Checked) -> AnswerSentence:
    cited = [SentenceCitation(each.page, each.anchor or "", each.quote) for each in checked.resolved]
    return AnswerSentence(checked.claim.text, tuple(dict.fromkeys(cited)))
