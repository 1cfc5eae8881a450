"""Workspace pages as HTML. No content of a page can add markup, a script or a link out of the viewer.

Raw HTML is shown as text, except for what the renderers write: an anchor (``<a id="r-...">``) stays an anchor, the
folded part of a report stays folded, a comment is dropped. A link stays a link only if it leads to another file of the
same workspace.

The work grows only linearly with the length of the page: anybody who can mail a user can choose a page's content.
markdown-it-py ensures that, with its nesting limit, except in one rule (see ``_parser``).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from html import escape
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.token import Token

#: The anchor of a record on a page that holds many.
ANCHOR: Final = re.compile(r"r-[a-z2-7]{12}")
_ANCHOR_TAG: Final = re.compile(r'<a id="(r-[a-z2-7]{12})">(</a>)?\s*')
#: The beginning and the end of a report's folded part (``renderers/report.py``).
_FOLD: Final = re.compile(r"<details>\n<summary>([^<>&]{1,80})</summary>\s*")
_UNFOLD: Final = re.compile(r"</details>\s*")
_COMMENT: Final = re.compile(r"<!--(?:(?!-->).)*-->\s*", re.DOTALL)
_FRONT: Final = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)

#: The quote that a report writes behind a citation's link; a cut quote ends in dots.
_QUOTE: Final = re.compile("^[^\u201c]*: \u201c(.+?)(?:\u2026|\\.\\.\\.)?\u201d\\s*$", re.DOTALL)
#: The most words of a quote that is searched in full, and the words of each end of a longer one.
_WHOLE: Final = 8
_ENDS: Final = 4
#: The tokens and characters behind a link in which its quote is searched; ``renderers/report.py`` writes at most 320
#: characters, each of which may need an escape.
_QUOTE_TOKENS: Final = 64
_QUOTE_CHARS: Final = 1024

#: Key of the number of open folded parts in a rendering's environment.
_FOLDED: Final = "folded"
#: (workspace path, anchor or "") -> address in the viewer.
Address = Callable[[str, str], str]


def split_front(text: str) -> tuple[str, str]:
    """(front matter without its fences, the rest); the first is "" without front matter."""
    match = _FRONT.match(text)
    return (match[1], text[match.end() :]) if match else ("", text)


def render(text: str, path: str, address: Address) -> str:
    """Markdown of the page at ``path`` -> HTML that is safe to print unescaped."""
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        _make_safe(token.children or (), path, address)
    env: dict[str, int] = {}
    html: str = parser.renderer.render(tokens, parser.options, env)
    # A page that does not close its folded parts must not fold what the console prints below it.
    return html + "</details>" * env.get(_FOLDED, 0)


def target(href: str, path: str) -> tuple[str, str] | None:
    """The target of a link on the page at ``path``: (path in the workspace, anchor or ""); None: outside."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return None
    if parts.scheme or parts.netloc or parts.query or parts.path.startswith("/"):
        return None
    name = unquote(parts.path)
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) if name else path
    if joined.startswith("..") or "\\" in joined or not joined.isprintable():
        return None
    return joined, parts.fragment if ANCHOR.fullmatch(parts.fragment) else ""


@cache
def _parser() -> MarkdownIt:
    # HTML is parsed to recognise the renderers' anchors; the two rules below print none of it.
    # Reference definitions are off: no rendered page has one, and each of many reads the rest of its paragraph again.
    parser = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table").disable("reference")
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.add_render_rule("html_inline", _html)
    parser.add_render_rule("html_block", _html)
    parser.add_render_rule("image", _image)
    return parser


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A table, unless earlier ones made more cells than the page has characters: the rest of such a page is text.

    A short row is filled up to the width of its table's head: a kilobyte can stand for 60,000 empty cells.
    """
    cells = state.env.get("cells", 0)
    before = len(state.tokens)
    if cells > len(state.src) or not table(state, start, end, silent):
        return False
    state.env["cells"] = cells + (len(state.tokens) - before) // 3  # each is its start, its text and its end
    return True


def _html(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, env: dict[str, int]) -> str:
    text = tokens[index].content
    if match := _FOLD.fullmatch(text):
        env[_FOLDED] = env.get(_FOLDED, 0) + 1
        return f"<details><summary>{escape(match[1])}</summary>"
    if _UNFOLD.fullmatch(text) and env.get(_FOLDED):
        env[_FOLDED] -= 1
        return "</details>"
    if match := _ANCHOR_TAG.fullmatch(text):
        return f'<a id="{match[1]}"></a>'
    if text == "</a>" or _COMMENT.fullmatch(text):
        return ""
    return escape(text)


def _image(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    # Loading an image would tell another server who looks at what.
    return f'<span class="outside">{escape(tokens[index].content)} (image not shown)</span>'


def _make_safe(tokens: Sequence[Token], path: str, address: Address) -> None:
    """Rewrite the links of one line of text in place: into the viewer, or to plain text."""
    inside = False
    for number, token in enumerate(tokens):
        if token.type == "link_open":
            place = target(str(token.attrs.get("href", "")), path)
            inside = place is not None
            following = tokens[number + 1 : number + 1 + _QUOTE_TOKENS]
            token.attrs = {"href": address(*place) + _quoted(place, following)} if place else {"class": "outside"}
            token.tag = "a" if inside else "span"
        elif token.type == "link_close":
            token.tag = "a" if inside else "span"


def _quoted(place: tuple[str, str], following: Iterable[Token]) -> str:
    """The text fragment with which the browser finds a citation without an anchor by its quote. No server sees it.

    "" without a quote. ``following``: the tokens after the link's start; reports write the quote behind the link.
    """
    if place[1]:
        return ""
    match = _QUOTE.search(_text_of(following))
    words = match[1].split() if match else []
    if not words:
        return ""
    if len(words) <= _WHOLE:
        return f"#:~:text={_fragment(words)}"
    # Search both ends: between them the page may break lines, and the report may have cut the quote.
    return f"#:~:text={_fragment(words[:_ENDS])},{_fragment(words[-_ENDS:])}"


def _text_of(tokens: Iterable[Token]) -> str:
    """What a reader sees of these tokens, up to the next link and at most ``_QUOTE_CHARS``."""
    text = ""
    for token in tokens:
        if token.type == "link_open" or len(text) > _QUOTE_CHARS:
            break
        text += token.content[:_QUOTE_CHARS] or " " * (token.type == "softbreak")
    return text


def _fragment(words: Sequence[str]) -> str:
    return quote(" ".join(words), safe="").replace("-", "%2D")
