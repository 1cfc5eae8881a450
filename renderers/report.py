"""
A report -> one markdown page below ``brain/reports/<kind>/``; lists (open loops, decisions) -> pages of the same form.

The same report gives the same bytes. Every statement about the user cites its places: a link to the page and the words
to find there. All text is foreign and escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderers import markdown as md

VERSION = 3
#: From brain/reports/<kind>/ up to brain/.
UP = "../../"
TEXT_CHARS = 2000
QUOTE_CHARS = 320
#: A digest has at most this many words before its folded part.
DIGEST_WORDS = 600
#: Characters of a quotation below a digest, the longest that lets it keep to its words.
SHORT_QUOTES = (200, 120, 70, 40)
TITLE_CHARS = 70


@dataclass(frozen=True, slots=True)
class Cited:
    """``page`` is a path below ``brain/`` with ``.md``."""

    page: str
    anchor: str | None
    quote: str
    title: str


@dataclass(frozen=True, slots=True)
class ReportLine:
    """``text``: foreign. ``note``: trusted, printed after it. ``label``: trusted, printed before it."""

    text: str
    cited: tuple[Cited, ...] = ()
    note: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class ReportPart:
    """``intro``, ``none``, ``below``, rows and code are trusted. ``none``: printed if the part is otherwise empty.

    ``heading`` "": the part has none.

    ``marked``: citations are short marks, and their quotations are at the end of the page.
    """

    heading: str
    items: tuple[ReportLine, ...] = ()
    intro: str = ""
    none: str = ""
    rows: Sequence[Sequence[str]] = ()
    code: str = ""
    marked: bool = False
    below: str = ""


@dataclass(frozen=True, slots=True)
class ReportPage:
    """``lines``: the list above all headings, whose citations are marks. ``below``: trusted markdown below it.

    ``quotes``: heading of the quotations that marks lead to. ``folded``: parts that a reader opens, under
    ``folded_title`` (trusted). ``up``: the path from the page's folder to ``brain/``.
    """

    title: str
    lead: str
    front: dict[str, md.FrontValue]
    parts: tuple[ReportPart, ...]
    lines: tuple[ReportLine, ...] = ()
    below: str = ""
    quotes: str = ""
    folded: tuple[ReportPart, ...] = ()
    folded_title: str = ""
    up: str = UP


def render(report: ReportPage) -> str:
    """The page's text."""
    front = md.front_matter({"title": report.title, "type": "report", **report.front})
    return md.document(front, [*_open(report), *_folded(report)])


def list_page(report: ReportPage, kind: str) -> str:
    """The text of a page of lists. ``kind``: its type in the front matter."""
    front = md.front_matter({"title": report.title, "type": kind, **report.front})
    return md.document(front, _open(report))


def _open(report: ReportPage) -> list[str]:
    """What stands before the folded part, with quotations as long as there is room."""
    blocks: list[str] = []
    for limit in SHORT_QUOTES if report.quotes else (QUOTE_CHARS,):
        blocks = _blocks(report, limit)
        if len(" ".join(blocks).split()) < DIGEST_WORDS:
            break
    return blocks


def _blocks(report: ReportPage, quote_chars: int) -> list[str]:
    marks = _Marks(report.up)
    blocks = [md.heading(1, report.title)]
    if report.lead:
        blocks.append(report.lead)
    if report.lines:
        blocks.append("\n".join(_marked(line, marks) for line in report.lines))
    if report.below:
        blocks.append(report.below)
    for part in report.parts:
        body = _part(part, report.up, marks)
        if body:
            blocks += [f"## {part.heading}", *body] if part.heading else body
    if marks.places:
        blocks += [f"## {report.quotes}", "\n".join(marks.listed(quote_chars))]
    return blocks


def _folded(report: ReportPage) -> list[str]:
    if not report.folded:
        return []
    blocks = [f"<details>\n<summary>{report.folded_title}</summary>"]
    for part in report.folded:
        body = _part(part, report.up, _Marks(report.up))
        if body:
            blocks += [f"## {part.heading}", *body]
    return [*blocks, "</details>"]


class _Marks:
    """The numbers of the places that lines cite, in the order in which they are first cited."""

    def __init__(self, up: str) -> None:
        self._up = up
        self.places: dict[Cited, int] = {}

    def of(self, cited: Cited) -> str:
        """``[1](…)``: the mark leads to the place itself, so that a purge of it takes the line as well."""
        number = self.places.setdefault(cited, len(self.places) + 1)
        return f"[{number}]({md.href(self._up, cited.page, cited.anchor)})"

    def listed(self, quote_chars: int) -> list[str]:
        return [
            f"{number}. {_link(cited, self._up, TITLE_CHARS)}: \u201c{md.inline(cited.quote, quote_chars)}\u201d"
            for cited, number in self.places.items()
        ]


def _marked(line: ReportLine, marks: _Marks) -> str:
    label = f"**{line.label}.** " if line.label else ""
    note = f" ({line.note})" if line.note else ""
    cited = "".join(f" {marks.of(place)}" for place in line.cited)
    return f"- {label}{_words(line.text)}{note}{cited}"


def _words(text: str) -> str:
    return md.isolated(md.inline(text, TEXT_CHARS))


def _part(part: ReportPart, up: str, marks: _Marks) -> list[str]:
    blocks = [part.intro] if part.intro else []
    if part.items and part.marked:
        blocks.append("\n".join(_marked(item, marks) for item in part.items))
    elif part.items:
        blocks.append("\n".join(line for item in part.items for line in _item(item, up)))
    if part.rows:
        blocks.append(_table(part.rows))
    if part.code:
        blocks.append(f"```text\n{part.code}\n```")
    if part.below:
        blocks.append(part.below)
    return blocks if part.items or part.rows or part.code or not part.none else [*blocks, part.none]


def _item(item: ReportLine, up: str) -> list[str]:
    note = f" ({item.note})" if item.note else ""
    label = f"**{item.label}.** " if item.label else ""
    lines = [f"- {label}{_words(item.text)}{note}"]
    lines += [f"  - {_link(cited, up)}: \u201c{md.inline(cited.quote, QUOTE_CHARS)}\u201d" for cited in item.cited]
    return lines


def _link(cited: Cited, up: str, title_chars: int = md.TITLE_CHARS) -> str:
    return md.link(md.one_line(cited.title, title_chars), md.href(up, cited.page, cited.anchor))


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *rest = rows
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rest]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
