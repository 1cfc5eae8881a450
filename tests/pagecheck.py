"""What every page must be, whoever's text is in it: the checks that any test may run over rendered pages."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from renderers import markdown as md

#: Pages that were found good are remembered by their digest, with where they link to: most are looked at twice.
REMEMBERED: Final = 20_000
_GOOD: Final[dict[bytes, tuple[str, ...]]] = {}
_NAME = re.compile(r"^[a-z0-9-]+(/[a-z0-9-]+)*\.md$")
#: What a renderer did that left out the escaping.
_RAW: Final = "is foreign text in a title, fact or note without md.inline, or a section's text outside of its texts?"
_RESERVED = {"readme", "index", "log", "schema"}


def split(text: str) -> tuple[dict[str, object], str]:
    """Front matter, parsed, and the body."""
    assert text.startswith("---\n")
    head, separator, body = text[4:].partition("\n---\n")
    assert separator
    front = yaml.load(head, Loader=yaml.CSafeLoader)
    assert isinstance(front, dict)
    return front, body


@lru_cache(maxsize=200)
def tokens(body: str) -> tuple[Token, ...]:
    """CommonMark's own reading of a page; nobody may change the tokens."""
    return tuple(MarkdownIt("commonmark").parse(body))


def check(path: str, text: str) -> None:
    """One page by itself: its name, and what ``check_text`` wants.

    Raises:
        AssertionError: it is not as every page must be.
    """
    assert _NAME.match(path), path
    assert posixpath.basename(path).removesuffix(".md") not in _RESERVED
    check_text(text)


def check_text(text: str) -> None:
    """Encoding, front matter, exactly one title, unique anchors, no markup but ours, no control characters.

    Raises:
        AssertionError: it is not as every page must be.
    """
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    if digest in _GOOD:
        return
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]", text), _RAW
    front, body = split(text)
    parsed = tokens(body)
    titles = [i for i, token in enumerate(parsed) if token.type == "heading_open" and token.tag == "h1"]
    assert len(titles) == 1, f"{len(titles)} titles; {_RAW}"
    shown = _plain(parsed[titles[0] + 1])
    assert shown == " ".join(str(front["title"]).split()), (shown, front["title"])
    names = anchors(text)
    assert len(names) == len(set(names)), "two records of one anchor"
    records = front.get("records") or []
    assert isinstance(records, list)
    assert [record["anchor"] for record in records] == [name for name in names if name.startswith("r-")]
    # Only our own tags are markup: whatever a user wrote as one is text.
    for token in parsed:
        html = [token] if token.type == "html_block" else [c for c in token.children or [] if c.type == "html_inline"]
        assert all(
            re.fullmatch(r'(<a id="r-[a-z2-7]{12}">|</a>|<!-- synthesis: [^<>]* -->)+\n?', h.content)
            or re.fullmatch(r'<a id="r-[a-z2-7]{12}"></a>\n?', h.content)
            # The folded part of a report.
            or re.fullmatch(r"<details>\n<summary>[^<>]+</summary>\n?|</details>\n?", h.content)
            for h in html
        ), f"{html}; {_RAW}"
    _remember(_GOOD, digest, _hrefs(parsed))


def check_front(values: Mapping[str, Any], text: str) -> None:
    """Front matter parses back to what went in: every value, in its order, and nothing else.

    Raises:
        AssertionError: it does not.
    """
    parsed = yaml.load(text.removeprefix("---\n").removesuffix("---"), Loader=yaml.CSafeLoader) or {}
    assert parsed == _stated(values), (parsed, values)
    assert list(parsed) == list(_stated(values))


def _stated(value: Any) -> Any:
    """What YAML must give: unfit characters are replaced, what is absent is left out."""
    if isinstance(value, str):
        return md.clean(value)
    if isinstance(value, Mapping):
        return {name: _stated(item) for name, item in value.items() if item is not None}
    return [_stated(item) for item in value] if isinstance(value, Sequence) else value


def _remember(known: dict[bytes, tuple[str, ...]], digest: bytes, hrefs: tuple[str, ...]) -> None:
    if len(known) >= REMEMBERED:
        known.clear()
    known[digest] = hrefs


def _hrefs(parsed: Sequence[Token]) -> tuple[str, ...]:
    return tuple(
        str(child.attrs.get("href", ""))
        for token in parsed
        for child in token.children or []
        if child.type == "link_open"
    )


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
    known = _GOOD.get(hashlib.sha256(text.encode("utf-8")).digest())
    for href in _hrefs(tokens(split(text)[1])) if known is None else known:
        if href and ":" not in href:
            target, _, anchor = href.partition("#")
            yield posixpath.normpath(posixpath.join(posixpath.dirname(path), target)), anchor


def check_all(pages: Mapping[str, str]) -> None:
    """Each page by itself, and every link from it."""
    for path, text in pages.items():
        check(path, text)
        check_links(path, pages)


def check_links(path: str, pages: Mapping[str, str], only: Collection[str] | None = None) -> None:
    """Every relative link of a page leads to a page that is there, and to an anchor that is on it.

    ``only``: looks at those that lead to one of these.

    Raises:
        AssertionError: one does not.
    """
    for target, anchor in links(path, pages[path]):
        if only is not None and target not in only:
            continue
        assert target in pages, (path, target)
        assert not anchor or f'<a id="{anchor}"></a>' in pages[target], (path, target, anchor)


def _plain(inline: Token) -> str:
    return "".join(" " if child.type == "softbreak" else child.content for child in inline.children or [])
