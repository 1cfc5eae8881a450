"""No renderer makes a link of an address in somebody's text; it stays readable and can be cited."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import cmarkgfm  # type: ignore[import-untyped]
import mistune
import pytest
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from consumer.erasure.matching import ErasureMatcher
from consumer.evidence import pages
from consumer.reports import citations
from consumer.reports.claims import Citation
from renderers import markdown as md
from renderers import report
from tests import pagecheck
from tests.tables import table

Renderer = Callable[[str], str]

_mistune = mistune.create_markdown(escape=True, plugins=["url", "table"])
_markdown_it = MarkdownIt("gfm-like", {"html": False, "linkify": True})


def _github(text: str) -> str:
    return str(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE))


def _with_linkify(text: str) -> str:
    html: str = _markdown_it.render(text)
    return html


def _with_mistune(text: str) -> str:
    return str(_mistune(text))


#: cmark-gfm is GitHub's own; markdown-it with linkify goes furthest in what it takes for an address.
RENDERERS: dict[str, Renderer] = {"github": _github, "linkify": _with_linkify, "mistune": _with_mistune}

#: Pieces that addresses are made of, and what stands around them.
PIECES = [
    "http", "https", "ftp", "mailto", "xmpp", "www", "example", "com", "a", "b", "md", "localhost",
    "xn--p1ai", "рф", "例え",
    *list(":/.@-_~?#&=%+,;!'\"()[]{}<>|`*\\ $^\n\t1é"),
    "://", "//", "www.", ".com", "@b.com", "mailto:", "xmpp:", "\u200b", "\u00ad", "&lt;", "&amp;", "\u3002", "](",
]  # fmt: skip
TEXT = st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text()
HOSTILE = [
    json.loads(line)["text"] for line in (Path(__file__).parents[2] / "data" / "hostile.jsonl").read_text().splitlines()
]
ADDRESSES = [
    "https://evil.example/a?b=c#d",
    "HTTP://EVIL.EXAMPLE",
    "ftp://evil.example",
    "http://localhost:8080/x",
    "//evil.example/x",
    "www.evil.example",
    "WWW.evil.example",
    "www.",
    "(www.)",
    "see www. or www.1 there",
    "evil.com",
    "evil.com/path",
    "README.md",
    "a@evil.example",
    "mailto:a@evil.example",
    "xmpp:a@evil.example/x",
    "<https://evil.example>",
    "<mailto:a@evil.example>",
    "(https://evil.example)",
    "*https://evil.example*",
    "_www.evil.example_",
    "~www.evil.example~",
    "text:https://evil.example",
    "see\thttps://evil.example, www.evil.example; a@evil.example.",
    "`https://evil.example`",
    "``https://evil.example` www.evil.example``",
    "[x](https://evil.example)",
    "![x](https://evil.example)",
    "[x]: https://evil.example",
    "https://evil.example/`` `www.evil.example",
    "\\https://evil.example \\www.evil.example",
    "https&#58;//evil.example www&#46;evil.example",
    "https://evil.example/\U0001f600",
    "http://[::1]/ http://user:password@evil.example:1/",
    "пример.рф xn--e1afmkfd.xn--p1ai",
    "a.b@c-d.example+e@f.example",
    "data:text/html,x javascript:alert(1) tel:+49123",
    "1. https://evil.example",
    "# https://evil.example",
    "| https://evil.example |",
    "_evil.com_",
    "__www.evil.com__",
    "_a@b.com_",
    "_evil.com__",
    "(_evil.biz_)",
    "https:\\\\evil.example",
    "http:/evil.example",
    "https:///evil.example",
    "hTtPs://EVIL\u3002example",
    "www\uff0eevil.example",
    "http\u200b://evil.example",
    "www\u200b.evil.example",
    "evil\xad.example",
    "\u202ehttps://evil.example",
    "http://0x7f.1",
    "127.0.0.1:8080/x",
    "...evil.example",
    "a|b@evil.com",
    "&#119;ww.evil.com",
    "https&colon;//evil.com",
    "mailto&colon;a@b.com",
    "\\`www.evil.com\\`",
    "` www.evil.com `",
    "$www.evil.com$",
    "[[www.evil.com]]",
    "^www.evil.com^",
    "==www.evil.com==",
    "git@evil.com:x",
    "MAILTO:a@b",
    "mailto:?to=a",
    "evil.museum",
    "http://[fe80::1%25eth0]",
    "http://a@b:c@d",
    "> www.evil.com",
    "    www.evil.com",
    "a\r\n\r\nhttps://evil.com",
    "a\u2028www.evil.com",
    "\U0001f600www.evil.com",
    "\u4e2dwww.evil.com",
    "~~www.evil.com~~",
    "\\<https://evil.com\\>",
    "](https://evil.com)",
    "x](//evil.com)[y",
    "{www.evil.com}",
    "``` www.evil.com",
    ":www.evil.com:",
    "magnet:?xt=x",
    "http://\u263a.evil.com/",
    "x" * 152 + " www.evil.com",
    "x" * 155 + ".com",
]


class Links(HTMLParser):
    """Where a page's links lead, and the text that a reader sees."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.hrefs: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hrefs += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


def page(text: str) -> str:
    """The text at every place where renderers put a foreign one."""
    front = md.front_matter({"title": text, "names": [text], "records": [{"record_id": text}]})
    shown = md.inline(text)
    blocks = [
        md.heading(1, text),
        f"{md.bullet('Label', shown)}\n- {md.link(text, '../a.md')} ({shown})\n  - \u201c{shown}\u201d",
        shown,
        f"| a | b |\n| --- | --- |\n| {shown.replace('|', chr(92) + '|')} | x |",
        md.fenced(md.clean(text)),
    ]
    return "\n\n".join([front, *blocks]) + "\n"


@pytest.mark.properties
@table("renderer", RENDERERS)
@table("text", [*ADDRESSES, *HOSTILE])
def test_no_known_address_becomes_a_link(text: str, renderer: str) -> None:
    assert set(Links(RENDERERS[renderer](page(text))).hrefs) == {"../a.md"}


@pytest.mark.properties
@pytest.mark.parametrize("renderer", RENDERERS)
@given(text=TEXT)
@example(text="a`http://x")
def test_no_text_becomes_a_link(text: str, renderer: str) -> None:
    assert set(Links(RENDERERS[renderer](page(text))).hrefs) == {"../a.md"}


def test_the_renderers_do_make_links_of_bare_addresses() -> None:
    for name, text in (("github", "www.x.example"), ("linkify", "x.com"), ("mistune", "https://x.example")):
        assert Links(RENDERERS[name](text)).hrefs, name


@table("text", ADDRESSES)
def test_an_address_can_be_read_and_copied(text: str) -> None:
    shown = Links(_github(f"- {md.inline(text)}\n")).text.strip()
    assert shown == md.one_line(text)
    assert pages.plain(md.inline(text)) == md.one_line(text)


@given(TEXT)
def test_what_a_reader_of_ours_sees_is_the_text(text: str) -> None:
    assert pages.plain(md.inline(text)) == md.one_line(text)


@given(TEXT)
def test_an_address_adds_no_link_for_readers_of_ours(text: str) -> None:
    """They look for links without reading code spans."""
    page = pages.parse("x/y", f"---\ntitle: x\n---\n\n- {md.inline(text)}\n".encode())
    assert page.links == ()


@given(TEXT)
def test_a_title_is_read_back_with_and_without_the_yaml_parser(text: str) -> None:
    front, _ = pagecheck.split(md.front_matter({"title": text}) + "\n\nbody\n")
    assert pages.split_front_matter(md.front_matter({"title": text}) + "\n")[0] == front == {"title": md.clean(text)}


#: Texts that can be quoted, and that one line of a page shows whole.
QUOTED = [t for t in ADDRESSES if len(re.findall(r"\w", t)) >= citations.QUOTE_SIGNS and len(t) <= 120]


@table("text", QUOTED)
def test_a_quote_with_an_address_holds_as_written_and_as_shown(text: str) -> None:
    sentence = f"They wrote {text} and left"
    body = f"---\ntitle: x\n---\n\n# x\n\n- Note: {md.inline(sentence)}\n"
    page = pages.parse("x", body.encode())
    shown = Links(_github(f"- {md.inline(sentence)}\n")).text.strip()
    for quote in (sentence, md.one_line(sentence), md.inline(sentence), shown):
        verdict = citations.resolve(Citation(page="x", anchor=None, quote=quote), {"x": page}.get)
        assert isinstance(verdict, citations.Resolved), (quote, verdict)


def test_a_report_links_to_evidence_alone() -> None:
    cited = report.Cited("sources/a.md", None, "see https://evil.example", "Mail of a@evil.example")
    item = report.ReportLine("Ask www.evil.example.", (cited,))
    text = report.render(report.ReportPage("evil.com", "Lead.", {"by": "x"}, (report.ReportPart("Part", (item,)),)))
    for render in RENDERERS.values():
        assert set(Links(render(text)).hrefs) == {"../../sources/a.md"}


@pytest.mark.parametrize("ident", ["<mail-17@evil.example>", "https://evil.example/meetings/17"])
def test_a_purge_finds_an_id_that_front_matter_escapes(ident: str) -> None:
    needles = ErasureMatcher()
    needles.add({"source_key": "mail", "record_id": ident, "data": {}}, "a" * 12)
    front = md.front_matter({"records": [{"record_id": ident, "anchor": "r-a"}]})
    assert ident not in front
    assert needles.matches(front.encode())
