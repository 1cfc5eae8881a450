"""
What a reader of a text sees: the visible text of HTML, without characters that show nothing.

Our own scanner, for a reason. Libraries were tried on mails and on hostile input: a tree of HTML5 (selectolax) takes
nine seconds for 200 kB of ``<div>`` and ends the process at 1 MB, since the standard's rules walk up the tree at each
tag; the standard library's parser does not end on unclosed comments; inscriptis shows what ``hidden`` and
``font-size:0`` hide. What is visible needs no tree: one pass over the tags, and a stack of those that are open.

Pure, and linear in the length of the text.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

#: Characters that show nothing: soft hyphen, zero-width space, word joiner and invisible operators, byte order mark,
#: Mongolian vowel separator, Hangul and Braille fillers that hide words, interlinear marks, supplementary selectors.
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0100-\U000e01ef]+"
)
#: Tag characters spell the region of a flag behind a black flag; anywhere else they are hidden words.
_TAGS: Final = re.compile("(\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f)|[\U000e0000-\U000e007f]+")
#: Joiners change how letters of some scripts and parts of emoji join; behind a Latin, Greek or Cyrillic letter, a sign
#: or a space they do nothing.
_JOINERS: Final = re.compile("(?<![\u0530-\u1fff\u2190-\uffff\U00010000-\U0010ffff])[\u200c\u200d]+")

#: A text is HTML when it begins with a tag of a page, or closes or breaks as only HTML does. A lone tag that somebody
#: writes about stays as it is.
_HTML: Final = re.compile(
    r"\A\s*<(?:!doctype\s+html|html|head|body|div|p|table|span|meta|style|font|center|h[1-6]|ul|ol|br)\b[^<>]*>"
    r"|</(?:div|p|td|table|body|html|blockquote|span|font)\s*>|<br\s*/?>",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:-]{0,30})([^<>]*+)>")
#: The same where a quoted value holds "<" or ">"; looked for in a window only.
_CAREFUL_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:-]{0,30})((?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+)>")
_WINDOW: Final = 4096
#: No element, and never text: declarations, processing instructions, conditional sections.
_DECLARATION: Final = re.compile(r"<[!?][^<>]*+>")


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VOID: Final = _names("area base br col embed hr img input link meta param source track wbr")
#: All up to their end tag is no markup, and none of it is shown.
_RAW: Final = _names("script style title textarea xmp iframe noembed noframes")
#: Never shown, whatever their style, or struck out and so taken back.
_UNSHOWN: Final = _names("head template noscript select datalist object audio video canvas svg math map s strike del")
_BLOCKS: Final = _names(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul"
)
#: Blocks with an empty line before and after.
_APART: Final = _names("blockquote dl h1 h2 h3 h4 h5 h6 hr ol p pre table ul")
#: An open one ends where the next of its kind begins.
_SELF_CLOSING: Final = {
    "p": frozenset({"p"}),
    "li": frozenset({"li", "p"}),
    "tr": frozenset({"tr", "td", "th", "p"}),
    "td": frozenset({"td", "th", "p"}),
    "th": frozenset({"td", "th", "p"}),
}
_SPACES: Final = re.compile(r"[ \t\r\n\f\u00a0]+")
_CSS_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_ZERO: Final = r"0*(?:\.0+)?(?:px|pt|em|rem|%|vh|vw)?\s*(?:!important)?\s*(?:;|\Z)"
_HIDING: Final = re.compile(
    r"(?<![\w-])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|color\s*:\s*transparent"
    rf"|opacity\s*:\s*(?=[\d.])(?:{_ZERO})|text-indent\s*:\s*-\d{{3}}|(?:left|top|margin-left)\s*:\s*-\d{{4}}"
    r"|clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01])",
    re.IGNORECASE,
)
_NO_ROOM: Final = re.compile(rf"(?<![\w-])(?:max-)?(?:height|width)\s*:\s*(?=[\d.])(?:{_ZERO})", re.IGNORECASE)
_CUT_OFF: Final = re.compile(r"(?<![\w-])overflow(?:-[xy])?\s*:\s*hidden", re.IGNORECASE)
_FONT_SIZE: Final = re.compile(r"(?<![\w-])font-size\s*:\s*([^;]*)", re.IGNORECASE)
_NO_SIZE: Final = re.compile(rf"(?=[\d.])(?:{_ZERO})", re.IGNORECASE)
_INK: Final = re.compile(r"(?<![\w-])(background(?:-color)?|color)\s*:\s*([^;!]*)", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"([A-Za-z-]+)(?:\s*=\s*(\"[^\"]*+\"|'[^']*+'|[^\s\"'>]++))?")
_BRACE: Final = re.compile(r"[{}]")
_SELECTOR: Final = re.compile(r"[a-z0-9]*([.#][\w-]+)")
#: Rules of a style sheet that are looked at.
_RULES: Final = 2000


def text(raw: str) -> str:
    """What is seen of a text, HTML or not. A text that hides nothing is returned as it is."""
    shown = _page_text(raw) if "<" in raw and _HTML.search(raw) else raw
    return seen(shown)


def seen(plain: str) -> str:
    """Plain text without the characters that show nothing."""
    if plain.isascii():
        return plain
    return _JOINERS.sub("", _TAGS.sub(lambda match: match[1] or "", _UNSEEN.sub("", plain)))


class _Open(NamedTuple):
    """An element that is open; ``hides`` all in it; ``tiny``: text of no size, unless something inside has one."""

    name: str
    hides: bool
    tiny: bool


class _Page:
    """The state of one pass over the tags."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []
        self._open: list[_Open] = []
        self._names: Counter[str] = Counter()
        self._hiding = 0
        self._hidden_names: set[str] = set()
        self._gap = False
        self._item = ""

    def text(self, chunk: str) -> None:
        if self._hiding or (self._open and self._open[-1].tiny):
            return
        if self._names["pre"]:
            first, *others = html.unescape(chunk).split("\n")
            self._line.append(first)
            for other in others:
                self._end_line()
                self._line.append(other)
            return
        self._line.append(html.unescape(_SPACES.sub(" ", chunk)))

    def start(self, name: str, attributes: str) -> None:
        ended = _SELF_CLOSING.get(name) or (_SELF_CLOSING["p"] if name in _BLOCKS else ())
        while self._open and self._open[-1].name in ended:
            self._pop()
        self._break(name)
        if name not in _VOID:
            self._push(name, attributes)
        if name == "li" and not self._hiding:
            self._item = "- "

    def end(self, name: str) -> None:
        if name in _BLOCKS and not self._hiding:
            self._end_line()
        if self._names[name]:
            while self._pop() != name:
                pass
        self._break(name)

    def style(self, sheet: str) -> None:
        """Names of classes and ids that a style sheet hides; rules for one medium only do not count."""
        self._hidden_names.update(_hidden_by(sheet))

    def finished(self) -> str:
        self._end_line()
        return "\n".join(self.lines).strip("\n")

    def _break(self, name: str) -> None:
        if self._hiding:
            return
        if name == "br":
            self._end_line(always=True)
        elif name in ("td", "th"):
            self._line.append("\t")
        elif name in _BLOCKS:
            self._end_line()
            self._gap = self._gap or name in _APART

    def _end_line(self, *, always: bool = False) -> None:
        line = "".join(self._line)
        self._line.clear()
        shown = line.rstrip() if self._names["pre"] else "\t".join(_joined(line))
        if not shown.strip():
            if always and self.lines and self.lines[-1].strip("> "):
                self.lines.append(self._quote().rstrip())
            return
        if self._gap and self.lines and self.lines[-1].strip("> "):
            self.lines.append(self._quote().rstrip())
        self._gap = False
        self.lines.append(self._quote() + self._item + shown)
        self._item = ""

    def _quote(self) -> str:
        return "> " * min(self._names["blockquote"], 20)

    def _push(self, name: str, attributes: str) -> None:
        hides, size = _hides(attributes, self._hidden_names) if attributes.strip() else (False, None)
        hides = hides or name in _UNSHOWN
        tiny = bool(self._open and self._open[-1].tiny) if size is None else size
        self._open.append(_Open(name, hides, tiny))
        self._names[name] += 1
        self._hiding += hides

    def _pop(self) -> str:
        gone = self._open.pop()
        self._names[gone.name] -= 1
        self._hiding -= gone.hides
        return gone.name


def _page_text(raw: str) -> str:
    page = _Page()
    for kind, value, attributes in _tokens(raw):
        if kind == "text":
            page.text(value)
        elif kind == "start":
            page.start(value, attributes)
        elif kind == "end":
            page.end(value)
        else:
            page.style(value)
    return page.finished()


def _tokens(raw: str) -> Iterator[tuple[str, str, str]]:
    """(kind, name or text, attributes): ``text``, ``start``, ``end``, ``style`` with the text of a style sheet."""
    at = 0
    while at < len(raw):
        sign = raw.find("<", at)
        if sign != at:
            end = sign if sign >= 0 else len(raw)
            yield "text", raw[at:end], ""
            at = end
            continue
        tag = _tag(raw, sign)
        if tag is None:
            at = _passed_over(raw, sign)
            if at == sign:
                yield "text", "<", ""
                at += 1
            continue
        name, at = tag[2].lower(), tag.end()
        if tag[1]:
            yield "end", name, ""
        elif name not in _RAW:
            yield "start", name, tag[3]
        else:
            close = _ENDS[name].search(raw, at)
            if name == "style":
                yield "style", raw[at : close.start() if close else len(raw)], ""
            at = close.end() if close else len(raw)


def _passed_over(raw: str, sign: int) -> int:
    """The end of a comment or declaration that begins here; ``sign`` itself where there is none."""
    if raw.startswith("<!--", sign):
        end = raw.find("-->", sign + 2)
        return end + 3 if end >= 0 else len(raw)  # never closed: a browser shows nothing of the rest
    declaration = _DECLARATION.match(raw, sign)
    return declaration.end() if declaration else sign


def _tag(raw: str, sign: int) -> re.Match[str] | None:
    tag = _TAG.match(raw, sign)
    if tag and tag[3].count('"') % 2 == 0:
        return tag
    return _CAREFUL_TAG.match(raw, sign, sign + _WINDOW) or tag


_ENDS: Final = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in _RAW}


def _joined(line: str) -> Iterator[str]:
    """The cells of a line with single spaces, empty ones left out."""
    for cell in line.split("\t"):
        if shown := " ".join(cell.split()):
            yield shown


def _hides(attributes: str, hidden_names: set[str]) -> tuple[bool, bool | None]:
    """(whether an element with these attributes is hidden, whether its text has no size; None: not stated)."""
    lowered = attributes.lower()
    if not ("hidden" in lowered or "style" in lowered or hidden_names):
        return False, None
    style = ""
    for match in _ATTRIBUTE.finditer(attributes):
        name, value = match[1].lower(), html.unescape((match[2] or "").strip("\"'"))
        if name == "hidden" and value.lower() != "false":
            return True, None
        if name == "style":
            style = value
        elif (name == "class" and any(f".{word}" in hidden_names for word in value.split())) or (
            name == "id" and f"#{value}" in hidden_names
        ):
            return True, None
    return _style_hides(style) if style else (False, None)


def _style_hides(style: str) -> tuple[bool, bool | None]:
    style = _CSS_COMMENT.sub("", style)
    if _HIDING.search(style) or (_CUT_OFF.search(style) and _NO_ROOM.search(style)):
        return True, None
    inks = {match[1].lower()[:5]: "".join(match[2].lower().split()) for match in _INK.finditer(style)}
    if inks.get("color") and inks.get("color") == inks.get("backg"):
        return True, None
    size = _FONT_SIZE.search(style)
    return False, (None if size is None else bool(_NO_SIZE.match(size[1].strip())))


def _hidden_by(sheet: str) -> Iterator[str]:
    for selectors, body in _rules(_CSS_COMMENT.sub("", sheet).replace("<!--", "").replace("-->", "")):
        if "{" not in body and not selectors.lstrip().startswith("@") and _style_hides(body)[0]:
            for selector in selectors.split(","):
                if match := _SELECTOR.fullmatch(selector.strip()):
                    yield match[1]


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """(selectors, body) of the rules at the top of a style sheet; the body of a group of rules holds them all."""
    depth = start = 0
    selectors = ""
    for sign in islice(_BRACE.finditer(sheet), 2 * _RULES):
        if sign[0] == "{":
            depth += 1
            if depth == 1:
                selectors, start = sheet[start : sign.start()], sign.end()
        elif depth:
            depth -= 1
            if depth == 0:
                yield selectors, sheet[start : sign.start()]
                start = sign.end()
