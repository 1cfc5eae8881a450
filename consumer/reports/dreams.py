"""Pages of what a brain wrote at night, as the workspace keeps them: derived, and cited.

A brain's text is a model's. So it is taken line by line as plain text, each line with links to the pages of evidence
that it cites; a line that cites none says so, and a page on which no line cites any is not kept. No claim may cite such
a page (``support.is_evidence``), and search puts it behind evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import Final

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.pages import Page
from consumer.ports import DreamPage
from consumer.understanding import support
from renderers import markdown as md

FOLDER: Final = layout.DREAMS.removeprefix(f"{layout.BRAIN}/") + "/"
TYPE: Final = "dream"
NOTICE: Final = "Derived at night from the pages that each line cites. Not evidence: cite those pages, never this one."
UNCITED: Final = "*(no source)*"
#: Lines of a page, and characters of a line; a dossier has twenty short ones.
LINES: Final = 60
LINE_CHARS: Final = 600
#: Days after which a page that no dream wrote anew is removed: what it rests on has changed by then.
KEPT_DAYS: Final = 30
_CITED: Final = re.compile(r"\[Source:\s*([^\]]{1,400})\]|\[\[([^\]|#]{1,200})[^\]]{0,200}\]\]")
_MARKS: Final = re.compile(r"^\s*(#{1,6}\s+|[-*+]\s+|\d+[.)]\s+|>\s*)?")
_LINK: Final = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,400}\)")

Find = Callable[[str], Page | None]


def path(dream: DreamPage) -> str | None:
    """Where the page is kept, relative to ``brain/``; None: its name is no page's."""
    name = f"{FOLDER}{dream.slug}.md"
    plain = re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,120}(/[a-z0-9][a-z0-9._-]{0,120}){0,6}", dream.slug)
    return name if plain and pages.importable(name) else None


def render(dream: DreamPage, by_slug: Mapping[str, Page], front: Mapping[str, str]) -> str | None:
    """The page; None if no line of it cites a page of evidence. ``front``: more fields of the front matter."""
    # A brain writes slugs in lower case.
    evidence = {slug.lower(): page for slug, page in by_slug.items() if support.is_evidence(slug)}
    up = "../" * (FOLDER.count("/") + dream.slug.count("/"))
    lines = list(_lines(dream.body, evidence, up))[:LINES]
    if not any(cites for _, cites in lines):
        return None
    values: dict[str, md.FrontValue] = {**front, "title": md.one_line(dream.title), "type": TYPE, "derived": True}
    blocks = [md.heading(1, dream.title), NOTICE, *(text for text, _ in lines)]
    return md.document(md.front_matter(values), blocks)


def outdated(page: Page, by_slug: Mapping[str, Page], today: date) -> bool:
    """Whether an earlier night's page is to be removed: a page that it cites is gone, or it is too old."""
    cited = [link.target for link in page.links]
    if not all(target in by_slug for target in cited):
        return True
    try:
        return date.fromisoformat(page.text("date")[:10]) < today - timedelta(days=KEPT_DAYS)
    except ValueError:
        return True


def _lines(body: str, evidence: Mapping[str, Page], up: str) -> Iterator[tuple[str, bool]]:
    """(a line as markdown, whether it cites evidence)."""
    for line in body.splitlines():
        marks = _MARKS.match(line)
        rest = line[marks.end() :] if marks else line
        text = md.inline(_LINK.sub(r"\1", _CITED.sub(" ", rest)), LINE_CHARS)
        if not text.strip():
            continue
        if marks and (marks[1] or "").startswith("#"):
            yield md.heading(2, text), False
            continue
        cited = {name.lower(): None for name in _names(rest)}
        places = [evidence[name] for name in cited if name in evidence]
        links = [md.link(page.title, md.href(up, pages.path_of(page.slug), None)) for page in places]
        yield f"- {text} {'; '.join(links) if links else UNCITED}", bool(links)


def _names(line: str) -> Iterator[str]:
    for match in _CITED.finditer(line):
        for name in (match[1] or match[2]).split(","):
            yield name.strip().removesuffix(".md")
