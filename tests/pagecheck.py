"""What every page must be, whoever's text is in it: the checks that any test may run over rendered pages."""

from __future__ import annotations

import hashlib
import html
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import cmarkgfm  # type: ignore[import-untyped]
import yaml
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]
from markdown_it import MarkdownIt
from markdown_it.token import Token

from renderers import markdown as md

#: Pages that were found good are remembered by their digest, with where they link to: most are looked at twice.
REMEMBERED: Final = 20_000
_GOOD: Final[dict[bytes, tuple[str, ...]]] = {}
_NAME = re.compile(r"^[a-z0-9-]+(/[a-z0-9-]+)*\.md$")
#: What a renderer did that left out the escaping.
_RAW: Final = "is foreign text in a title, fact or note without md.inline, or a section's text outside of its texts?"
#: In the HTML of a page: a user's text has no "<" there.
_TITLE: Final = re.compile(r"<h1>(.*?)</h1>", re.DOTALL)
_ANCHOR: Final = re.compile(r'<a id="([^"]*)">')
_LINK: Final = re.compile(r'<a href="([^"]*)"')
#: Our own markup, and what stands for any.
#: Anchors, the marker of derived pages, and the folded part of a report.
_OURS: Final = re.compile(
    r'<a id="r-[a-z2-7]{12}">|</a>|<!-- synthesis: [^<>]* -->|<details>\n<summary>[^<>]+</summary>|</details>'
)
_OMITTED: Final = re.compile("</a>|<!-- raw HTML omitted -->")
_LONG: Final = 200
_RUNS: Final = re.compile(f"`{{{_LONG},}}")
_COMMONMARK: Final = MarkdownIt("commonmark")
_RESERVED = {"readme", "index", "log", "schema"}


def split(text: str) -> tuple[dict[str, object], str]:
    """Front matter, parsed, and the body."""
    head, body = _parts(text)
    front = yaml.load(head, Loader=yaml.CSafeLoader)
    assert isinstance(front, dict)
    return front, body


def _parts(text: str) -> tuple[str, str]:
    assert text.startswith("---\n")
    head, separator, body = text[4:].partition("\n---\n")
    assert separator
    return head, body


@lru_cache(maxsize=200)
def tokens(body: str) -> tuple[Token, ...]:
    """A page as the console's parser reads it; nobody may change the tokens."""
    return tuple(_COMMONMARK.parse(body))


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
    shown, written = _html(body), _html(body, Options.CMARK_OPT_UNSAFE)
    titles = _TITLE.findall(shown)
    assert len(titles) == 1, f"{len(titles)} titles; {_RAW}"
    assert _plain(titles[0]) == " ".join(str(front["title"]).split()), (titles[0], front["title"])
    names = _ANCHOR.findall(written)
    assert len(names) == len(set(names)), "two records of one anchor"
    records = front.get("records") or []
    assert isinstance(records, list)
    assert [record["anchor"] for record in records] == [name for name in names if name.startswith("r-")]
    # Only our own tags are markup: whatever a user wrote as one is text.
    assert _OURS.sub("", written) == _OMITTED.sub("", shown), f"{written}; {_RAW}"
    _remember(_GOOD, digest, _hrefs(shown))


def _html(body: str, options: int = 0) -> str:
    """A page by the reference implementation of CommonMark; without options, comments stand for all markup in it.

    It counts a fence's backticks in eight bits, so longer runs are shortened; which of two is longer stays as it is.
    """
    ranks = {length: _LONG + rank for rank, length in enumerate(sorted({len(run) for run in _RUNS.findall(body)}))}
    return str(cmarkgfm.markdown_to_html(_RUNS.sub(lambda run: "`" * ranks[len(run[0])], body), options))


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


def _hrefs(shown: str) -> tuple[str, ...]:
    return tuple(html.unescape(href) for href in _LINK.findall(shown))


def anchors(text: str) -> list[str]:
    return _ANCHOR.findall(_html(_parts(text)[1], Options.CMARK_OPT_UNSAFE))


def links(path: str, text: str) -> Iterator[tuple[str, str]]:
    """(page, anchor) of every relative link, resolved against the page's own place."""
    known = _GOOD.get(hashlib.sha256(text.encode("utf-8")).digest())
    for href in _hrefs(_html(_parts(text)[1])) if known is None else known:
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


def _plain(shown: str) -> str:
    """The text of a title."""
    return html.unescape(re.sub(r"<[^>]*>", "", shown)).replace("\n", " ")
