"""What every page must be, whoever's text is in it: the checks that any test may run over rendered pages."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

_NAME = re.compile(r"^[a-z0-9-]+(/[a-z0-9-]+)*\.md$")
_RESERVED = {"readme", "index", "log", "schema"}


def split(text: str) -> tuple[dict[str, object], str]:
    """Front matter, parsed, and the body."""
    assert text.startswith("---\n")
    head, found, body = text[4:].partition("\n---\n")
    assert found
    front = yaml.load(head, Loader=yaml.CSafeLoader)
    assert isinstance(front, dict)
    return front, body


@lru_cache(maxsize=2000)
def tokens(body: str) -> tuple[Token, ...]:
    """CommonMark's own reading of a page; nobody may change the tokens."""
    return tuple(MarkdownIt("commonmark").parse(body))


def check(path: str, text: str) -> None:
    """One page by itself: name, encoding, front matter, one title, unique anchors, no control characters.

    Raises:
        AssertionError: it is not as every page must be.
    """
    assert _NAME.match(path), path
    assert posixpath.basename(path).removesuffix(".md") not in _RESERVED
    text.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]", text)
    front, body = split(text)
    parsed = tokens(body)
    titles = [i for i, token in enumerate(parsed) if token.type == "heading_open" and token.tag == "h1"]
    assert len(titles) == 1
    shown = _plain(parsed[titles[0] + 1])
    assert shown == " ".join(str(front["title"]).split()), (shown, front["title"])
    names = anchors(text)
    assert len(names) == len(set(names))
    records = front.get("records") or []
    assert isinstance(records, list)
    assert [record["anchor"] for record in records] == [name for name in names if name.startswith("r-")]
    # Only our own tags are markup: whatever a user wrote as one is text.
    for token in parsed:
        html = [token] if token.type == "html_block" else [c for c in token.children or [] if c.type == "html_inline"]
        assert all(
            re.fullmatch(r'(<a id="r-[a-z2-7]{12}">|</a>|<!-- synthesis: [^<>]* -->)+\n?', h.content)
            or re.fullmatch(r'<a id="r-[a-z2-7]{12}"></a>\n?', h.content)
            for h in html
        ), html


def anchors(text: str) -> list[str]:
    _, body = split(text)
    return [
        name
        for token in tokens(body)
        for part in [token, *(token.children or [])]
        if part.type in {"html_block", "html_inline"}
        for name in re.findall(r'<a id="([^"]*)">', part.content)
    ]


def links(path: str, text: str) -> Iterator[tuple[str, str]]:
    """(page, anchor) of every relative link, resolved against the page's own place."""
    _, body = split(text)
    for token in tokens(body):
        for child in token.children or []:
            href = str(child.attrs.get("href", "")) if child.type == "link_open" else ""
            if href and ":" not in href:
                target, _, anchor = href.partition("#")
                yield posixpath.normpath(posixpath.join(posixpath.dirname(path), target)), anchor


def check_all(pages: Mapping[str, str], every: int = 1) -> None:
    """Each page by itself, and every link from it; ``every``: 4 looks at a quarter of the pages."""
    for path, text in list(pages.items())[::every]:
        check(path, text)
        for target, anchor in links(path, text):
            assert target in pages, (path, target)
            assert not anchor or f'<a id="{anchor}"></a>' in pages[target], (path, target, anchor)


def _plain(inline: Token) -> str:
    return "".join(" " if child.type == "softbreak" else child.content for child in inline.children or [])
