"""
What a user's standing rules hold back -> one markdown file for that user, outside of ``brain/``.

The same rules and records give the same bytes. All text is foreign and escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderers import markdown as md

VERSION = 1
#: From runtime/rules/ to brain/.
UP = "../../brain/"
TEXT_CHARS = 500
NOTICE = (
    "These records are on their own pages and in the index. Reports, the context and notes do not tell them and only"
    " count them. To change that, change the rule in the app."
)


@dataclass(frozen=True, slots=True)
class HeldLine:
    """A record that is held: a page below ``brain/`` with ``.md``."""

    title: str
    page: str
    anchor: str | None


@dataclass(frozen=True, slots=True)
class HeldPart:
    """``heading``: foreign, the rule. ``read_as``: finished markdown. ``more``: the number of records not listed."""

    heading: str
    read_as: str
    lines: tuple[HeldLine, ...] = ()
    more: int = 0


def render(parts: Sequence[HeldPart], user_id: str) -> str:
    """The file's text."""
    title = "What your rules hold back"
    blocks = [md.heading(1, title), NOTICE]
    for part in parts:
        blocks += [md.heading(2, part.heading), part.read_as]
        if part.lines:
            blocks.append(
                "\n".join(f"- {md.link(line.title, md.href(UP, line.page, line.anchor))}" for line in part.lines)
            )
        if part.more:
            blocks.append(f"And {part.more:,} more.")
    return md.document(
        md.front_matter({"title": title, "type": "held", "sensitivity": "private", "user_id": user_id}), blocks
    )
