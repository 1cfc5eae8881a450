"""Themes: what comes back on several days in several sources, counted from words that can be cited."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from types import SimpleNamespace
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from consumer.evidence import pages
from consumer.reports import citations, detectors
from consumer.reports import evidence as evidence_of_reports
from consumer.reports.claims import Citation
from consumer.reports.detectors import Theme, records, terms, themes
from consumer.reports.withholding import Withheld
from tests import brains
from tests.cases import cases
from tests.tables import table

TODAY = date(2026, 11, 27)
SOURCES = ("meeting_notes", "chat_sessions", "inbound_messages")
Brain = dict[str, pages.Page]


def brain(files: dict[str, str]) -> Brain:
    return {pages.slug_of(path): pages.parse(pages.slug_of(path), text.encode()) for path, text in files.items()}


def speaking(*texts: tuple[int, str], titles: tuple[str, ...] = (), people: tuple[str, ...] = ()) -> Brain:
    """(days ago, prose) -> a brain with a page each, the sources in turn; ``titles``: projects."""
    files = {
        f"sources/cloop/{SOURCES[n % 3].replace('_', '-')}/n-{n:03}.md": brains.evidence(
            f"Note {n}", f"```text\n{text}\n```", SOURCES[n % 3], (TODAY - timedelta(days=ago)).isoformat()
        )
        for n, (ago, text) in enumerate(texts)
    }
    files |= {f"projects/p{n}.md": brains.page(title, "About it.") for n, title in enumerate(titles)}
    files |= {f"people/p{n}.md": brains.page(name, "About them.") for n, name in enumerate(people)}
    return brain(files)


def themes_by_name(pages_: Brain) -> dict[str, Theme]:
    evidence = records.of_pages(pages_.values())
    return {theme.name: theme for theme in themes.find(pages_, evidence, TODAY)[1]}


def test_a_pair_of_words_that_comes_back_is_a_theme_and_names_what_comes_with_it() -> None:
    text = "Hello, the packaging proof came back with the old logo."
    seen = themes_by_name(speaking(*((ago, text) for ago in (1, 3, 5)), (2, "Nothing to say.")))
    assert list(seen) == ["packaging proof"]
    theme = seen["packaging proof"]
    assert "old logo" in theme.terms
    assert (theme.records, theme.days, theme.trend) == (3, 3, "new")
    assert (theme.first, theme.last) == (TODAY - timedelta(days=5), TODAY - timedelta(days=1))
    assert len(theme.sources) == 3


def test_a_theme_may_end_its_text() -> None:
    assert list(themes_by_name(speaking(*((ago, "About the packaging proof") for ago in (1, 3, 5))))) == [
        "packaging proof"
    ]


def test_a_project_is_a_theme_if_its_name_has_three_letters() -> None:
    texts = [(ago, f"Hello, about {name} again.") for name in ("oak", "io") for ago in (1, 3, 5)]
    seen = themes_by_name(speaking(*texts, titles=("Oak", "Io")))
    assert list(seen) == ["Oak"]
    assert seen["Oak"].records == 3


def test_a_theme_is_shown_with_three_terms_beside_it() -> None:
    text = "Hello, the packaging proof came with the old logo, a matte finish, a wrong barcode and blurred photos."
    theme = themes_by_name(speaking(*((ago, text) for ago in (1, 3, 5)), (2, "Nothing to say.")))["packaging proof"]
    assert len(theme.terms) == themes.BESIDE == 3


def test_one_source_or_too_few_days_make_no_theme() -> None:
    text = "Hello, the packaging proof is here."
    assert themes_by_name(speaking((1, text), (1, text), (1, text), (3, text))) == {}
    one_source = speaking(*((ago, text if n % 3 == 0 else "Hm.") for n, ago in enumerate(range(12))))
    assert themes_by_name(one_source) == {}


def test_projects_are_themes_by_their_title_and_its_parts_are_not() -> None:
    lines = ["The Kestrel launch is near.", "Ask about Kestrel.", "For the Kestrel launch we wait."]
    seen = themes_by_name(speaking(*((n + 1, line) for n, line in enumerate(lines * 3)), titles=("Kestrel launch",)))
    assert list(seen) == ["Kestrel launch"]
    assert seen["Kestrel launch"].records == 6


def test_names_inside_a_sentence_are_themes_people_are_not() -> None:
    texts = [
        (n + 1, f"So Ann Lee and Borealis Optics {verb} again.") for n, verb in enumerate(("met", "spoke", "wrote"))
    ]
    assert list(themes_by_name(speaking(*texts, people=("Ann Lee",)))) == ["Borealis Optics"]


def test_what_is_said_everywhere_tells_nothing() -> None:
    texts = [(n % 40, f"The daily note of matter{n} xx{n}.") for n in range(80)]
    assert themes_by_name(speaking(*texts)) == {}


def test_other_scripts_and_languages_count_too() -> None:
    texts = [(n + 1, f"{word}: тендерная заявка.") for n, word in enumerate(("Пора", "Важно", "Кстати", "Сначала"))]
    assert list(themes_by_name(speaking(*texts))) == ["тендерная заявка"]


def trend(*days_ago: int) -> str:
    (theme,) = themes_by_name(speaking(*((ago, "See the data room please.") for ago in days_ago))).values()
    return theme.trend


def test_the_trend_compares_the_last_two_weeks_with_the_two_before() -> None:
    assert trend(0, 2, 4, 20, 50) == "rising"
    assert trend(0, 15, 18, 21, 50) == "fading"
    assert trend(0, 3, 16, 20, 50) == "steady"
    assert trend(0, 3, 13) == "new"


def test_a_report_tells_themes_of_now_and_keeps_those_of_then_as_topics() -> None:
    now = [(ago, "The price list changes.") for ago in (1, 4, 6)]
    then = [(ago, "See the data room please.") for ago in (60, 64, 66)]
    everything = detectors.detect(speaking(*now, *then), TODAY)
    (finding,) = everything.themes
    assert finding.text == (
        "\u201cprice list\u201d: new, on 3 of the last 14 days; 3 records on 3 days since 2026-11-21, in 3 sources."
    )
    assert {theme.name for theme in everything.topics} == {"price list", "data room"}


def test_records_of_days_to_come_are_no_theme_yet() -> None:
    assert themes_by_name(speaking(*((ago, "See the data room please.") for ago in (-1, -2, -3)))) == {}


WORDS = st.sampled_from(
    ["data", "room", "Kestrel", "launch", "we", "the", "Ann", "is", "Zürich", "名前", "-", ".", "7"]
)


@settings(max_examples=cases(60), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.lists(WORDS, max_size=12).map(" ".join)), max_size=30))
def test_every_theme_can_be_cited_and_the_order_of_reading_does_not_matter(texts: list[tuple[int, str]]) -> None:
    here = speaking(*texts, titles=("Kestrel launch",), people=("Ann",))
    evidence = records.of_pages(here.values())
    findings, topics = themes.find(here, evidence, TODAY)
    again = themes.find(dict(reversed(here.items())), records.of_pages(here.values()), TODAY)
    assert (findings, topics) == again
    for finding in findings:
        assert finding.citations
        for cited in finding.citations:
            assert isinstance(citations.resolve(cited, here.get), citations.Resolved)
    for theme in topics:
        assert theme.days >= terms.LEAST_DAYS
        assert len(theme.sources) >= themes.LEAST_SOURCES


def test_of_projects_in_one_sentence_the_first_is_the_same_in_every_process() -> None:
    titles = tuple(f"{name} works" for name in ("Pine", "Elm", "Oak", "Fir", "Ash", "Yew", "Bay", "Fig", "Box", "Tea"))
    pages_ = speaking((1, f"We spoke of {', '.join(titles)} today."), titles=titles)
    by_key = terms.find(pages_, [record for record in records.of_pages(pages_.values()) if record.day])
    named = sorted((term.at, key) for key, term in by_key.items() if term.rank == 0)
    assert [key for _, key in named] == sorted(title.casefold() for title in titles)


@given(st.text("ab_ -.1\u00e9", min_size=1, max_size=4), st.text("ab_ -.1\u00e9", max_size=14))
def test_words_stand_in_a_text_where_they_are_no_part_of_longer_ones(words: str, text: str) -> None:
    whole = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text)
    assert terms.stands_in(words, text) == (whole is not None)


def test_what_programs_write_is_no_theme() -> None:
    text = "Hello, the packaging proof came back with the old logo."
    of_people = speaking(*((ago, text) for ago in (1, 3, 5)), (2, "Nothing to say."))
    assert "packaging proof" in themes_by_name(of_people)
    names = [("briefings", "Note"), ("agentic_drafts", "Note"), ("inbound_messages", "no-reply@shop.example")]
    files = {
        f"sources/cloop/{source.replace('_', '-')}/n-{number}.md": brains.evidence(
            title, f"```text\n{text}\n```", source, (TODAY - timedelta(days=1 + 2 * number)).isoformat()
        )
        for number, (source, title) in enumerate(names)
    }
    assert themes_by_name(brain(files)) == {}


class Holding:
    """What a rule holds: texts with these words, and what rests on these pages."""

    def __init__(self, words: str, *pages_: str) -> None:
        self.words, self.pages = words, pages_

    def of_text(self, text: str) -> frozenset[str]:
        return frozenset({"rule"} if self.words and self.words in text else ())

    def of_citations(self, citations: Iterable[Citation]) -> frozenset[str]:
        return frozenset({"rule"} if any(each.page in self.pages for each in citations) else ())

    def of_told(self, text: str, citations: Iterable[Citation]) -> frozenset[str]:
        return self.of_text(text) | self.of_citations(citations)


def test_a_topic_is_kept_without_the_places_and_terms_that_a_rule_holds() -> None:
    texts = [(ago, "Hello, the price list came with the old logo.") for ago in (1, 3, 5)]
    here = speaking(*texts)
    detected = detectors.detect(here, TODAY)
    (topic,) = (each for each in detected.topics if each.name == "price list")
    assert "old logo" in topic.terms
    first, *rest = topic.evidence
    held = evidence_of_reports.without(detected, cast(Withheld, Holding("old logo", first[1].page)))
    (kept,) = (each for each in held.topics if each.name == "price list")
    assert kept.evidence == tuple(rest)
    assert kept.terms == tuple(term for term in topic.terms if term != "old logo")
    nothing = Holding("price list")
    assert all(
        "price list" not in each.name for each in evidence_of_reports.without(detected, cast(Withheld, nothing)).topics
    )
    everywhere = Holding("", *(place.page for _, place in topic.evidence))
    assert topic.name not in {
        each.name for each in evidence_of_reports.without(detected, cast(Withheld, everywhere)).topics
    }


@table(
    ("key", "rank", "places", "tells"),
    [
        ("osprey", 0, 1, True),  # a project is one wherever it is named
        ("harbour", 2, terms.LEAST_DAYS - 1, False),
        ("harbour", 2, terms.LEAST_DAYS, True),
        ("harbour", 2, 30, True),
        ("harbour", 2, 31, False),  # everywhere
        ("ann", 2, 5, False),  # a part of a name
        ("ann deck", 1, 5, False),  # it begins as a name does
        ("ann deck", 2, 5, True),
        ("ann lee", 2, 5, False),
        ("of deck", 2, 5, False),  # a word of function
        ("old rig", 2, 5, False),  # too short together
        ("old deck", 2, 5, True),
        ("common deck", 2, 5, False),  # one of them is everywhere
        ("slow deck", 2, 6, True),  # of ten places of the rarer word it has six
        ("slow deck", 2, 5, False),
    ],
)
def test_a_term_is_a_theme_if_it_is_frequent_nobodys_name_and_not_everywhere(
    key: str, rank: int, places: int, tells: bool
) -> None:
    term = cast(terms.Term, SimpleNamespace(rank=rank, places=range(places)))
    words = {"ann": 5, "lee": 9, "of": 5, "old": 5, "rig": 5, "deck": 10, "common": 31, "slow": 10}
    assert terms._tells(key, term, words, {"ann", "lee"}, 30) is tells
