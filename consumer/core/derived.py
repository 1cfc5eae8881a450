"""Derived pages: rendering writes above a marker, synthesis below it, and neither touches the other."""

from __future__ import annotations

import re
from typing import Final

#: The renderer writes this line last; everything below it belongs to synthesis.
MARKER: Final = "<!-- synthesis: rendering keeps everything below this line -->"
_LINE: Final = re.compile(rf"^{re.escape(MARKER)}$", re.MULTILINE)


def split(text: str) -> tuple[str, str]:
    """-> (above the marker and with it, below). Without a marker everything is below."""
    # A whole line: the same words inside a title or a quotation are somebody's text.
    match = _LINE.search(text)
    return (text[: match.end()], text[match.end() :].lstrip("\n")) if match else ("", text)


def join(above: str, below: str) -> str:
    """The page again: one blank line after the marker, one newline at the end."""
    below = below.strip("\n")
    if not above:
        return below + "\n"
    return f"{above}\n\n{below}\n" if below else above + "\n"


def replace_notes(current: str, content: str) -> str:
    """The page with ``content`` as its notes.

    Where the page has a marker, only what ``content`` has below its own marker (or all of it after its front matter)
    is taken.
    """
    above, _ = split(current)
    if not above:
        return content if content.endswith("\n") else content + "\n"
    notes = split(content)[1]
    if notes.startswith("---\n"):
        _, ended, rest = notes.partition("\n---\n")
        notes = rest if ended else notes
    return join(above, notes)
