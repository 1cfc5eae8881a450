"""What a brain wrote at night, as a page: plain lines, each with the evidence that it cites."""

from __future__ import annotations

from datetime import date

import pytest

from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.ports import DreamPage
from consumer.reports import dreams
from consumer.understanding import support
from tests import brains

KICKOFF = f"{brains.NOTES}/atlas-kickoff-1a2b"
BY_SLUG: dict[str, Page] = {
    pages.slug_of(path): pages.parse(pages.slug_of(path), text.encode()) for path, text in brains.PAGES.items()
}
FRONT = {"date": "2026-11-29", "made_by": "gbrain 0.46.28", "job_id": brains.JOB}


def written(body: str, slug: str = "people/anna-kowal-9f") -> str | None:
    return dreams.render(DreamPage(slug, "Anna Kowal", body), BY_SLUG, FRONT)


def test_each_line_links_what_it_cites_and_says_where_it_cites_nothing() -> None:
    text = written(
        "## Role\n\nLeads Atlas. [Source: sources/cloop/meeting-notes/atlas-kickoff-1a2b]\n"
        f"- Was promoted. [Source: people/anna-kowal-9f]\n1. Knows Ravi. [[{KICKOFF}|notes]]\n"
    )
    assert text is not None
    link = f"[Atlas kickoff](../../{KICKOFF}.md)"
    assert text.endswith(
        f"# Anna Kowal\n\n{dreams.NOTICE}\n\n## Role\n\n- Leads Atlas. {link}\n\n"
        f"- Was promoted. {dreams.UNCITED}\n\n- Knows Ravi. {link}\n"
    )
    page = pages.parse("dreams/people/anna-kowal-9f", text.encode())
    assert (page.front["derived"], page.front["type"], page.title) == (True, "dream", "Anna Kowal")
    # Its links lead to where the pages are; and no claim may cite it.
    assert {target for target, *_ in page.links} == {KICKOFF}
    assert not support.is_evidence(page.slug)


@pytest.mark.parametrize(
    "body", ["", "Leads Atlas.", "Leads. [Source: projects/atlas]", "x [Source: sources/cloop/no]"]
)
def test_a_page_that_cites_no_evidence_is_not_kept(body: str) -> None:
    assert written(body) is None


def test_a_models_markup_is_text() -> None:
    text = written(
        f"<img src=x onerror=alert(1)> ![a](https://x.example/?q=1) [click](https://x.example) [[{KICKOFF}]]\n"
        f"<!-- cloop:derived --> # not a heading [[{KICKOFF}]]"
    )
    assert text is not None
    assert "x.example" not in text
    assert "<" not in text.partition("\n---\n")[2]


@pytest.mark.parametrize("slug", ["../people/anna", "People/Anna", "a//b", "/a", "a/..", "a\nb", "x" * 200, "a/readme"])
def test_a_name_that_is_no_pages_name_has_no_place(slug: str) -> None:
    assert dreams.path(DreamPage(slug, "x", "")) is None


def test_a_page_of_an_earlier_night_goes_with_what_it_cites_and_with_time() -> None:
    text = written(f"Leads Atlas. [[{KICKOFF}]]")
    assert text is not None
    page = pages.parse("dreams/people/anna-kowal-9f", text.encode())
    assert not dreams.outdated(page, BY_SLUG, date(2026, 12, 1))
    assert dreams.outdated(page, {slug: other for slug, other in BY_SLUG.items() if slug != KICKOFF}, date(2026, 12, 1))
    assert not dreams.outdated(page, BY_SLUG, date(2026, 12, 29)), "thirty days old"
    assert dreams.outdated(page, BY_SLUG, date(2026, 12, 30))
    undated = pages.parse(page.slug, text.replace("2026-11-29", "some day").encode())
    assert dreams.outdated(undated, BY_SLUG, date(2026, 12, 1))
