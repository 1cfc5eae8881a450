"""
Whatever page any test renders must parse back: the one place that all of them go through.

Every page is made by ``md.front_matter`` and ``md.document``, and every workspace of pages by ``Render.run``; for the
whole session these three check what they give. End-to-end tests look so at what other processes rendered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from consumer import layout
from consumer.ports import Guard
from consumer.run import Rendered, Run
from consumer.stages.render import Render
from contract import derived
from renderers import markdown as md
from tests import pagecheck

#: Folders whose pages the render stage makes, and answers for.
RENDERED = ("sources", "people", "projects", "meetings", "daily")


@pytest.fixture(scope="session", autouse=True)
def every_page_parses_back() -> Iterator[None]:
    """Front matter equal to what went in, exactly one title, anchors unique, links that resolve - or the test fails."""
    front_matter, document, run = md.front_matter, md.document, Render.run

    def checked_front(values: Mapping[str, md.FrontValue]) -> str:
        text = front_matter(values)
        pagecheck.check_front(values, text)
        return text

    def checked_document(front: str, blocks: Iterable[str]) -> str:
        text = document(front, blocks)
        pagecheck.check_text(text)
        return text

    def checked_run(self: Render, of: Run, guard: Guard) -> Run:
        done = run(self, of, guard)
        assert done.rendered is not None
        _check(rendered_pages(of.root / layout.BRAIN), done.rendered)
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(md, "front_matter", checked_front)
        patch.setattr(md, "document", checked_document)
        patch.setattr(Render, "run", checked_run)
        yield


def _check(pages: Mapping[str, str], rendered: Rendered) -> None:
    """The pages written by themselves, their links, and every link that led to what was written or removed."""
    for path in rendered.changed:
        pagecheck.check(path, pages[path])
    touched = {*rendered.changed, *rendered.removed}
    for path in pages if touched else ():
        pagecheck.check_links(path, pages, None if path in touched else touched)


def rendered_pages(brain: Path) -> dict[str, str]:
    """Path below ``brain/`` -> what rendering wrote of it; below the marker stands what others wrote."""
    pages = {}
    for folder in RENDERED:
        for path in sorted((brain / folder).rglob("*.md")):
            above, marker, _ = path.read_text().partition(derived.MARKER)
            pages[path.relative_to(brain).as_posix()] = f"{above}{marker}"
    return pages
