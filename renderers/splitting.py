"""
Splits long text into numbered parts at natural boundaries: between sections, paragraphs, lines, words.

A page longer than PART_CHARS is hard to cite and to embed. Splitting drops nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from renderers import markdown as md

#: About 10,000 tokens: two parts of the longest meeting measured (90 minutes) still fit one prompt.
PART_CHARS: Final = 40_000
#: Text of one block, so that the block before it, a record's facts, still fits on its page.
_BLOCK_CHARS: Final = 36_000
_PART: Final = re.compile(r"-part-\d+\Z")
#: Natural boundaries, best first.
_BOUNDARIES: Final = ("\n\n", "\n", ". ", " ")


def pieces(text: str, limit: int = PART_CHARS) -> Iterator[str]:
    """``text`` in pieces of at most ``limit`` characters; joined they give the text."""
    start = 0
    while len(text) - start > limit:
        end = _cut(text, start, limit)
        yield text[start:end]
        start = end
    yield text[start:]


def fences(text: str) -> list[str]:
    """Foreign text as one fenced block, or several when it is long."""
    return [block for piece in pieces(md.clean(text), _BLOCK_CHARS) if (block := md.fenced(piece))]


def part_path(stem: str, number: int) -> str:
    """A part's path: the first keeps the stem, so that links to it survive when the page grows."""
    return f"{stem}.md" if number == 1 else f"{stem}-part-{number}.md"


def first_part(name: str) -> str:
    """The name of a page's first part, which is that of a page without parts; names are without extension."""
    return _PART.sub("", name)


def _cut(text: str, start: int, limit: int) -> int:
    window = text[start : start + limit]
    for boundary in _BOUNDARIES:
        at = window.rfind(boundary)
        # A boundary in the first half would make needlessly small parts.
        if at >= limit // 2:
            return start + at + len(boundary)
    return start + limit


def pack(sizes: Sequence[int], limit: int = PART_CHARS) -> list[range]:
    """Blocks of these sizes, in order, into parts of at most ``limit``; a longer block is a part by itself."""
    result: list[range] = []
    first = total = 0
    for number, size in enumerate(sizes):
        if number > first and total + size > limit:
            result.append(range(first, number))
            first, total = number, 0
        total += size
    result.append(range(first, len(sizes)))
    return result
