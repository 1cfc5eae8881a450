"""Searches the evidence index."""

from __future__ import annotations

import json
import math
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import zstandard

from consumer.evidence.search import questions, ranking, related, schema, terms, vectors, words
from consumer.evidence.search.passages import PASSAGE_BITS
from consumer.evidence.search.questions import SearchQuestion
from consumer.evidence.search.ranking import PassagePlace, page_of
from consumer.evidence.search.results import EvidencePassage, PageInfo, QuestionVector

#: Columns of a word in BM25: a page's title, and the text. Titles repeat a project's name on many pages.
_TITLE_WEIGHT: Final = 1.0
_BODY_WEIGHT: Final = 1.0
#: A word of so many letters finds the words that begin with its stem: "injured" finds "injury".
_STEM_LETTERS: Final = 6
#: Words of a text that are looked up if they find enough pages, the rarest. Questions have fewer words; a longer text
#: is one of many subjects, as the titles of an hour's pages are.
MOST_LOOKED_UP: Final = 12
_PAGE_INFO: Final = "select slug, title, type, happened, updated from pages join names using (id)"


@dataclass(frozen=True, slots=True)
class _Filters:
    """See ``EvidenceIndex.search``."""

    since: date | None = None
    until: date | None = None
    sources: Collection[str] = ()
    people: Collection[str] = ()
    types: Collection[str] = ()
    withheld: Collection[str] = ()
    besides: Collection[str] = ()


class EvidenceIndex:
    """The evidence index at ``path``, open for reading. Several processes may read it while another builds it.

    Every method raises IndexUnusable where the file is damaged.

    Raises IndexUnusable: there is no index at ``path``, or it is damaged or of another release. Rebuild it with
    ``consumer.evidence.search.update``.
    """

    def __init__(self, path: Path) -> None:
        self._db = schema.open_read_only(path)
        #: What searches have looked up; the file never changes.
        self._known_places: dict[int, PassagePlace] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Repeatable."""
        self._db.close()

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        offset: int = 0,
        since: date | None = None,
        until: date | None = None,
        sources: Collection[str] = (),
        people: Collection[str] = (),
        types: Collection[str] = (),
        withheld: Collection[str] = (),
        besides: Collection[str] = (),
        today: date | None = None,
        vector: QuestionVector | None = None,
    ) -> list[EvidencePassage]:
        """The passages that answer ``text`` best, the best first; at most three of one page.

        ``since`` and ``until``: first and last day, inclusive; passages without a day are left out when either is
        given. ``sources``: source keys. ``people``: names, addresses or slugs of people's pages; a passage's record
        must name one of them. ``types``: page types; pages of others count towards the order, and are left out of it
        then. An empty filter lets everything pass. ``withheld``: record ids;
        no passage of such a record is returned, nor of one that links to it, nor of a derived page that links to it.
        ``besides``: slugs of pages that the caller has, and needs no passages of.
        ``today``: the day from which "last week" in the question is counted; by default the newest day of the evidence.
        ``vector``: the question's; it counts where the index has vectors of the same model.
        """
        filters = _Filters(since, until, sources, people, types, withheld, besides)
        with _readable():
            ranked = self._find(text, filters, today, offset + limit, vector)
            return [self._passage(passage, score) for passage, score in ranked[offset : offset + limit]]

    def search_pages(
        self,
        text: str,
        *,
        limit: int = 10,
        offset: int = 0,
        types: Collection[str] = (),
        vector: QuestionVector | None = None,
    ) -> list[list[EvidencePassage]]:
        """As ``search``, by page: each page's best passages, at most three. ``limit`` and ``offset`` count pages."""
        by_page: dict[int, list[tuple[int, float]]] = defaultdict(list)
        with _readable():
            for passage, score in self._find(text, _Filters(types=types), None, offset + limit, vector):
                by_page[page_of(passage)].append((passage, score))
            best = list(by_page.values())[offset : offset + limit]
            return [[self._passage(passage, score) for passage, score in page] for page in best]

    @property
    def embedding_model(self) -> str:
        """The model whose vectors the index has, "" without any."""
        with _readable():
            return vectors.model_of(self._db)

    def page(self, slug: str) -> PageInfo | None:
        """A page of the index; None if there is none."""
        with _readable():
            row = self._db.execute(f"{_PAGE_INFO} where slug = ?", (slug,)).fetchone()
        return PageInfo(*row) if row else None

    def pages(self, *, prefix: str = "", type_: str = "", order: str = "slug") -> list[PageInfo]:
        """Pages below a slug prefix and of a type ("": any), by slug, or with ``updated_desc``, ``updated_asc``."""
        by = {"updated_desc": "updated desc, slug", "updated_asc": "updated, slug"}.get(order, "slug")
        with _readable():
            rows = self._db.execute(
                f"{_PAGE_INFO} where (? = '' or type = ?) and substr(slug, 1, length(?)) = ? order by {by}",
                (type_, type_, prefix, prefix),
            ).fetchall()
        return [PageInfo(*row) for row in rows]

    def linking(self, slug: str) -> list[str]:
        """Slugs of the pages that link to a page, whether it exists or not, sorted."""
        with _readable():
            rows = self._db.execute(
                "select distinct n.slug from links l join names t on t.id = l.target join names n on n.id = l.source"
                " where t.slug = ? order by n.slug",
                (slug,),
            ).fetchall()
        return [slug for (slug,) in rows]

    def places(self, marks: Collection[str]) -> dict[str, tuple[str, str]]:
        """Mark of a record -> (slug, anchor) of its section on a page of several records, of those that have one."""
        wanted = {f"r-{mark}" for mark in marks}
        with _readable():
            rows = self._db.execute(
                "select n.slug, r.anchor from records r join names n on n.id = r.page where r.anchor like 'r-%'"
            )
            return {anchor.removeprefix("r-"): (slug, anchor) for slug, anchor in rows if anchor in wanted}

    # --- what the index knows once it is open

    @cached_property
    def _passages_and_length(self) -> tuple[int, float]:
        """The number of passages, and their average length in characters."""
        total, length = self._db.execute("select passages, characters from totals").fetchone()
        return total, max(1.0, length / max(1, total))

    @cached_property
    def _newest(self) -> date | None:
        return _date(self._db.execute("select newest from totals").fetchone()[0])

    @cached_property
    def _people(self) -> dict[str, set[int]]:
        """A word of a name -> the numbers of the people who are called so."""
        people: dict[str, set[int]] = defaultdict(set)
        for person, labels in self._labels.items():
            for word in {word for label in labels for word in label}:
                people[word].add(person)
        return people

    @cached_property
    def _labels(self) -> dict[int, list[list[str]]]:
        """The number of a person's page -> the words of each of the person's names."""
        labels: dict[int, list[list[str]]] = defaultdict(list)
        for label, person in self._db.execute("select label, person from aliases"):
            labels[person].append(label.split())
        return labels

    # --- searching

    def _find(
        self, text: str, filters: _Filters, today: date | None, wanted: int, vector: QuestionVector | None = None
    ) -> list[tuple[int, float]]:
        """(passage, score), the best first; complete for so many of the best pages."""
        question = questions.read(text, today or self._newest)
        allowed, hidden = self._allowed(filters), self._hidden(filters.withheld) | self._on_pages(filters.besides)
        # Words that the answer shares are found by its best passages, of whatever type their pages are.
        among = self._pages_of(filters.types) if filters.types else None

        def passing(scores: dict[int, float]) -> dict[int, float]:
            if allowed is None and not hidden:
                return scores
            kept = scores.keys() - hidden if allowed is None else (scores.keys() & allowed) - hidden
            return {passage: scores[passage] for passage in kept}

        named = self._named(question)
        spoken = {word for names, _ in named for word in names}
        asked = [word for word in question.words if word not in spoken]
        term_of = dict(zip(question.words, terms.of_words(question.words), strict=True))
        people = [several for group in named if (several := passing(self._of_people(*group)))]
        matches = self._matches(asked, term_of, people, passing, among, wanted=wanted)
        best = partial(ranking.Ranking.best, places_of=self._places, days=question.days, newest=self._newest)
        ranked, most = ranking.Ranking(matches, people), max(wanted, related.PASSAGES)
        close = passing(vectors.nearest(self._db, vector.model, vector.numbers)) if vector else {}
        if close:
            by_words = best(ranking.Ranking(matches, people), wanted=most)
            ranked.add_close(close)
        first = then = best(ranked, wanted=most)
        known = {*question.words, *self._people}
        related_words = self._related(first, known, term_of.values())
        if related_words:
            ranked.add_related([(weight, passing(having)) for weight, having in related_words])
        if related_words or among is not None:
            then = ranking.joined(first, best(ranked, wanted=wanted, among=among), ranking.KEPT_PAGES)
        if close:
            then = ranking.joined(by_words, then, ranking.safe_pages(by_words))
        return then if among is None else [each for each in then if page_of(each[0]) in among]

    def _matches(
        self,
        asked: Sequence[str],
        term_of: Mapping[str, str],
        people: Sequence[Mapping[int, float]],
        passing: Callable[[dict[int, float]], dict[int, float]],
        among: Collection[int] | None,
        *,
        wanted: int,
    ) -> list[dict[int, float]]:
        """The passages of each word that is looked up, with their BM25: as many words as ``wanted`` pages take.

        ``among``: the pages that count as wanted; None: all.
        """
        telling = [word for word in asked if self._is_telling(word, term_of[word])]
        scores: dict[str, dict[int, float]] = {}
        pages = {page_of(passage) for several in people for passage in several}
        for more in (self._rarest(telling, term_of), telling):
            scores |= {word: passing(self._bm25(word)) for word in more if word not in scores}
            pages.update(page_of(passage) for several in scores.values() for passage in several)
            if len(pages if among is None else pages.intersection(among)) >= wanted:
                break
        else:
            # The words that most passages have find the rest of the answer, on other pages.
            for word in (each for each in asked if each not in scores):
                faint = passing(self._bm25(word))
                scores[word] = {at: score for at, score in faint.items() if page_of(at) not in pages}
        return [scores[word] for word in asked if word in scores]

    def _related(
        self, ranked: Sequence[tuple[int, float]], known: Collection[str], known_terms: Collection[str]
    ) -> list[tuple[float, dict[int, float]]]:
        """(weight, passages) of the words that passages which answer the question share, and that it lacks.

        What several sessions tell in other words than the question's is near such words: "pottery" and "kiln" for a
        question about hobbies. ``known`` and ``known_terms``: words and terms that are left out.
        """
        most = ranked[0][1] if ranked else 0.0
        read = [each for each in ranked[: related.PASSAGES] if 0 < related.LEAST_SHARE * most <= each[1]]
        shared = related.candidates([(score / most, self._text(passage)) for passage, score in read], known)
        term_of = dict(zip(shared, terms.of_words(list(shared)), strict=True))
        total, _ = self._passages_and_length
        # Most frequent words lead nowhere, and reading their passages takes most of the time.
        limit = min(int(total * related.MOST_SHARE), related.MOST_PASSAGES)
        frequencies = terms.frequencies(self._db, {*term_of.values()}.difference(known_terms), 2, limit)
        return [(weight, self._having(word)) for weight, word in related.leading(shared, term_of, frequencies, total)]

    def _having(self, word: str) -> dict[int, float]:
        """The passages that have a word, each with 1."""
        rows = self._db.execute("select rowid from words where words match ?", (f'"{word}"',))
        return {passage: 1.0 for (passage,) in rows}

    def _text(self, passage: int) -> str:
        data, start, end = self._db.execute(
            f"select g.text, p.start, p.end from passages p join pages g on g.id = p.id >> {PASSAGE_BITS}"
            " where p.id = ?",
            (passage,),
        ).fetchone()
        return schema.unpacked(data)[start:end]

    def _places(self, passages: Sequence[int]) -> dict[int, PassagePlace]:
        _, average = self._passages_and_length
        unknown = [passage for passage in passages if passage not in self._known_places]
        rows = self._db.execute(
            "select p.id, g.source <> '', r.day, p.end - p.start from json_each(?) asked"
            f" cross join passages p on p.id = asked.value cross join pages g on g.id = p.id >> {PASSAGE_BITS}"
            " cross join records r on r.page = g.id and r.number = p.record",
            (json.dumps(unknown),),
        )
        for passage, evidence, day, length in rows:
            self._known_places[passage] = PassagePlace(evidence, _date(day), length / average)
        return self._known_places

    def _is_telling(self, word: str, term: str) -> bool:
        """Whether fewer than half of the passages have the word; any other is worth a millionth in SQLite's BM25."""
        half = -(-self._passages_and_length[0] // 2)
        if term:
            most, total = terms.passages_of(self._db, *_terms_from_to(word, term))
            if total < half or most >= half:
                return total < half
        query = "select 1 from words where words match ? limit 1 offset ?"
        return self._db.execute(query, (_match(word), max(0, half - 1))).fetchone() is None

    def _rarest(self, several: Sequence[str], term_of: Mapping[str, str]) -> list[str]:
        """The MOST_LOOKED_UP words that the fewest passages have."""
        if len(several) <= MOST_LOOKED_UP:
            return list(several)
        total = {
            word: terms.passages_of(self._db, *_terms_from_to(word, term_of[word]))[1] if term_of[word] else 0
            for word in several
        }
        return sorted(several, key=lambda word: total[word])[:MOST_LOOKED_UP]

    def _bm25(self, word: str) -> dict[int, float]:
        """EvidencePassage -> BM25 of one word."""
        rows = self._db.execute(
            "select rowid, -bm25(words, ?, ?) from words where words match ?",
            (_TITLE_WEIGHT, _BODY_WEIGHT, _match(word)),
        )
        return dict(rows)

    def _named(self, question: SearchQuestion) -> list[tuple[tuple[str, ...], frozenset[int]]]:
        """(words of the name in the question, the people who may be meant) for each name in the question.

        A word of a name counts if it is written as one, with a capital, or if the whole name is there.
        """
        groups: dict[frozenset[int], list[str]] = defaultdict(list)
        for word in question.words:
            several = self._people.get(word, set())
            whole = {
                person for person in several if any(set(label) <= set(question.words) for label in self._labels[person])
            }
            if whole or (several and word in question.capitals):
                groups[frozenset(whole or several)].append(word)
        return [(tuple(spoken), people) for people, spoken in groups.items()]

    def _of_people(self, spoken: Sequence[str], people: frozenset[int]) -> dict[int, float]:
        """The passages that name one of these people, in whatever spelling, or whose record links to them."""
        passages = self._linked(people)
        for word in {*spoken, *(word for person in people for label in self._labels[person] for word in label)}:
            rows = self._db.execute("select rowid from words where words match ?", (_match(word),))
            passages.update(passage for (passage,) in rows)
        total, _ = self._passages_and_length
        rarity = math.log(1 + (total - len(passages) + 0.5) / (len(passages) + 0.5))
        return dict.fromkeys(sorted(passages), ranking.NAME_WEIGHT * rarity)

    def _linked(self, people: Collection[int]) -> set[int]:
        """The passages of evidence records that link to one of these people."""
        linked: set[int] = set()
        for person in people:
            rows = self._db.execute(
                "select p.id from links l join passages p"
                " on p.id between l.source << ? and (l.source + 1 << ?) - 1 and p.record = l.record"
                " join pages g on g.id = l.source and g.source <> '' where l.target = ?",
                (PASSAGE_BITS, PASSAGE_BITS, person),
            )
            linked.update(at for (at,) in rows)
        return linked

    # --- filters

    def _allowed(self, by: _Filters) -> set[int] | None:
        """The passages that pass the filters by day, source and person; None: all."""
        if not (by.since or by.until or by.sources or by.people):
            return None
        conditions: list[str] = ["1"]
        values: list[str] = []
        if by.since or by.until:
            conditions.append("r.day <> '' and r.day between ? and ?")
            values += [by.since.isoformat() if by.since else "", by.until.isoformat() if by.until else "9999"]
        if by.sources:
            conditions.append(f"g.source in ({','.join('?' * len(by.sources))})")
            values += by.sources
        rows = self._db.execute(
            f"select p.id from passages p join pages g on g.id = p.id >> {PASSAGE_BITS}"
            f" join records r on r.page = g.id and r.number = p.record where {' and '.join(conditions)}",
            values,
        )
        allowed = {at for (at,) in rows}
        if by.people:
            allowed &= self._linked({number for name in by.people for number in self._meant(name)})
        return allowed

    def _pages_of(self, types: Collection[str]) -> set[int]:
        """The pages of these types."""
        rows = self._db.execute(f"select id from pages where type in ({','.join('?' * len(types))})", tuple(types))
        return {page for (page,) in rows}

    def _meant(self, name: str) -> set[int]:
        """The people whose page has this slug, name or address."""
        row = self._db.execute("select id from names where slug = ?", (name.removesuffix(".md"),)).fetchone()
        spoken = words.words(name)
        if row or not spoken:
            return {row[0]} if row else set()
        meant = {
            person for (person,) in self._db.execute("select person from aliases where label = ?", (" ".join(spoken),))
        }
        phrase = f'"{" ".join(spoken)}"'
        rows = self._db.execute(
            f"select distinct g.id from words join pages g on g.id = words.rowid >> {PASSAGE_BITS}"
            " where words match ? and g.type = 'person'",
            (phrase,),
        )
        return meant | {person for (person,) in rows}

    def _hidden(self, record_ids: Collection[str]) -> set[int]:
        """The passages of these records, of records that link to them, and of derived pages that link to them."""
        hidden: set[int] = set()
        for record_id in record_ids:
            records = self._db.execute(
                "select page, number, anchor from records where record_id = ?", (record_id,)
            ).fetchall()
            for page, number, anchor in records:
                hidden.update(self._passages(page, number))
                links = self._db.execute(
                    "select l.source, iif(g.source <> '', l.record, null) from links l join pages g on g.id = l.source"
                    " where l.target = ? and (? = '' or l.fragment in (?, ''))",
                    (page, anchor, anchor),
                )
                for source, record in links.fetchall():
                    hidden.update(self._passages(source, record))
        return hidden

    def _on_pages(self, slugs: Collection[str]) -> set[int]:
        """The passages of these pages."""
        numbers = self._db.execute(
            "select names.id from json_each(?) asked cross join names on slug = asked.value",
            (json.dumps(sorted(slugs)),),
        ).fetchall()
        return {passage for (page,) in numbers for passage in self._passages(page, None)}

    def _passages(self, page: int, record: int | None) -> Iterator[int]:
        """The passages of a record of a page; None: of the whole page."""
        rows = self._db.execute(
            "select id from passages where id between ? and ? and coalesce(record = ?, 1)",
            (page << PASSAGE_BITS, (page + 1 << PASSAGE_BITS) - 1, record),
        )
        return (at for (at,) in rows.fetchall())

    def _passage(self, passage: int, score: float) -> EvidencePassage:
        slug, title, type_, source, data, start, end, anchor, record_id, day = self._db.execute(
            "select n.slug, g.title, g.type, g.source, g.text, p.start, p.end, r.anchor, r.record_id, r.day"
            f" from passages p join pages g on g.id = p.id >> {PASSAGE_BITS} join names n on n.id = g.id"
            " join records r on r.page = g.id and r.number = p.record where p.id = ?",
            (passage,),
        ).fetchone()
        text = schema.unpacked(data)[start:end]
        return EvidencePassage(slug, anchor, record_id, title, day, source, type_, text, round(score, 6))


def _match(word: str) -> str:
    """The word as SQLite's full-text search is asked for it: a long one with all that its stem begins."""
    is_beginning = len(word) >= _STEM_LETTERS or words.is_single_sign(word)
    return f'"{word}"*' if is_beginning else f'"{word}"'


def _terms_from_to(word: str, term: str) -> tuple[str, str]:
    """The first and the last of the terms that ``_match`` finds for a word of this term."""
    return term, f"{term}\U0010ffff" if _match(word).endswith("*") else term


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except (sqlite3.DatabaseError, zstandard.ZstdError) as exc:
        raise schema.unusable(exc) from exc


@lru_cache(maxsize=4096)
def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
