"""
The form of a derived page: rendering writes above a marker, synthesis below it, and neither touches the other's part.

All code that reads or rewrites such a page uses this module, so that all find the same marker.
"""

from __future__ import annotations

import re
from typing import Final

#: The renderer writes this line last; everything below it belongs to synthesis.
MARKER: Final = "<!-- synthesis: rendering keeps everything below this line -->"
_MARKER_LINE: Final = re.compile(rf"^{re.escape(MARKER)}[ \t]*\r?$", re.MULTILINE)
#: Where a fenced code block opens or closes (CommonMark): at most three spaces, then three or more of one character.
_FENCE_LINE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_FRONT_MATTER: Final = "---\n"


def split(text: str) -> tuple[str, str]:
    """Split into (the part up to and including the marker, the part below). Without a marker everything is below.

    Only a separate line outside fenced code is the marker; the same words in a title, a quotation or a code block are
    content.
    """
    match = next((line for line in _MARKER_LINE.finditer(text) if not _in_fence(text, line.start())), None)
    return (text[: match.end()], text[match.end() :].lstrip("\n")) if match else ("", text)


def join(above: str, below: str) -> str:
    """Join the parts: one blank line after the marker, one newline at the end."""
    above, below = above.rstrip("\n"), below.strip("\n")
    if not above:
        return below + "\n"
    return f"{above}\n\n{below}\n" if below.strip() else above + "\n"


def notes(text: str) -> str:
    """The text below the marker, which a rewrite of the derived part keeps; without surrounding newlines.

    A page without a marker was not rendered: all of it is kept except its front matter, which the new part brings.
    """
    above, below = split(text)
    return (below if above else _without_front_matter(below)).strip("\n")


def replace_notes(current: str, content: str) -> str:
    """The page with ``content`` as its notes.

    If the page has a marker, only the part of ``content`` below its own marker (or after its front matter) is taken.
    """
    above, _ = split(current)
    if not above:
        return content if content.endswith("\n") else content + "\n"
    return join(above, notes(content))


def _in_fence(text: str, position: int) -> bool:
    """Whether a fenced code block is open at this position, the start of a line."""
    fence = ""
    for line in _FENCE_LINE.finditer(text, 0, position):
        mark, info = line.groups()
        if not fence:
            # A backtick in the info string makes it a line of inline code, not a fence.
            fence = mark if mark[0] == "~" or "`" not in info else ""
        elif mark.startswith(fence) and not info.strip():
            fence = ""
    return bool(fence)


def _without_front_matter(text: str) -> str:
    if not text.startswith(_FRONT_MATTER):
        return text
    _, ended, rest = text[len(_FRONT_MATTER) :].partition("\n---\n")
    return rest if ended else text
