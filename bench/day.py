"""One day of the sample user as they see it, in pictures: the digests of a Friday, and the hours that told nothing.

    python -m bench.day

Writes docs/day/<language>.svg for English and German, the same for the same code. The reports are those of the real
export, render and report stages over the story's rows (``tests/replay.py``), without a model or a brain.
"""

from __future__ import annotations

import re
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from tests import sample_user, told
from tests.replay import Replay, ToldDigest

FOLDER: Final = Path(__file__).parents[1] / "docs/day"
#: The day before, the day that is shown, and the morning after it.
BACKFILL: Final = datetime(2026, 11, 26, 12, tzinfo=told.ZONE)
MORNING: Final = datetime(2026, 11, 27, tzinfo=told.ZONE)
NEXT_MORNING: Final = MORNING + timedelta(days=1, hours=8)
LOCALES: Final = {"en": "en-GB", "de": "de-DE"}
#: What the picture says of hours without a digest.
QUIET: Final = {"en": "nothing to tell", "de": "nichts zu melden"}
#: Characters of a line, and sizes in pixels.
_CHARS: Final = 96
_WIDTH, _LEFT, _LEADING, _PADDING, _GAP = 860, 90, 21, 16, 14
_LINE: Final = re.compile(r"^- (?:\*\*(?P<label>[^*]+)\*\* )?(?P<text>.*)$")
_LINK: Final = re.compile(r"\[(?P<shown>[^\]]*)\]\((?:[^()]|\([^()]*\))*\)")


class DayRow(NamedTuple):
    """A row of a card. ``style``: title, label, text or note. ``label``: bold words before the text."""

    style: str
    text: str
    label: str = ""


def digests(locale: str) -> list[ToldDigest]:
    """The digests of the day in a language, and the next morning's."""
    with tempfile.TemporaryDirectory() as folder:
        profile = {"preferences": {"locale": locale}}
        replay = Replay(Path(folder), sample_user.story()[0], profile, whole=True, story_only=True)
        replay.backfill(BACKFILL)
        told_by_then = list(replay.until(BACKFILL + timedelta(hours=1), NEXT_MORNING))
    return [digest for digest in told_by_then if digest.at >= MORNING]


def rows_of(page: str) -> Iterator[DayRow]:
    """What a person reads of a report's page: its title, lines and sections, without its list of sources."""
    body = page.split("\n---\n", 1)[1].split("\n<details>", 1)[0]
    for written in body.partition("\n1. ")[0].splitlines():
        line = _LINK.sub(lambda match: "" if match["shown"].isdigit() else match["shown"], written).strip()
        if line.startswith("# "):
            yield DayRow("title", _plain(line[2:]))
        elif line.startswith("## "):
            yield DayRow("heading", _plain(line[3:]))
        elif match := _LINE.match(line):
            yield DayRow("text", _plain(match["text"]), _plain(match["label"] or ""))
        elif line:
            yield DayRow("note", _plain(line))


def _plain(text: str) -> str:
    return re.sub(r"\\(?=[^\w\s])", "", text).strip()


def picture(language: str, several: Sequence[ToldDigest]) -> str:
    """An SVG with a card for each digest on the line of the day."""
    parts: list[str] = []
    top, last = 20, MORNING + timedelta(hours=6)
    for digest in several:
        if digest.at - last > timedelta(hours=1, minutes=30):
            hours = f"{last + timedelta(hours=1):%H}:00\u2013{digest.at:%H}:00"
            parts.append(_text(_LEFT, top + 12, f"{hours}  {QUIET[language]}", "quiet"))
            top += 34
        card, height = _card(top, digest)
        parts += card
        top, last = top + height + _GAP, digest.at
    style = (
        "text{font:15px system-ui,'Segoe UI',sans-serif;fill:#1f2328}.title{font-weight:600;font-size:17px}"
        ".heading{font-weight:600;fill:#57606a;font-size:13px}.note,.quiet{fill:#57606a;font-size:13px}"
        ".time{fill:#57606a}.label{font-weight:600}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top}" width="{_WIDTH}" height="{top}"'
        f' role="img" lang="{language}">\n<style>{style}</style>\n'
        f'<rect width="{_WIDTH}" height="{top}" fill="#f6f8fa"/>\n'
        f'<line x1="74" y1="20" x2="74" y2="{top - _GAP}" stroke="#d0d7de" stroke-width="2"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _card(top: int, digest: ToldDigest) -> tuple[list[str], int]:
    lines = [line for row in _told(rows_of(digest.page)) for line in _wrapped(row)]
    height = 2 * _PADDING + _LEADING * len(lines)
    box = (
        f'<rect x="{_LEFT}" y="{top}" width="{_WIDTH - _LEFT - 20}" height="{height}" rx="8" fill="#fff"'
        ' stroke="#d0d7de"/>'
    )
    parts = [
        _text(18, top + 28, f"{digest.at:%H:%M}", "time"),
        f'<circle cx="74" cy="{top + 23}" r="5" fill="#0969da"/>',
    ]
    baseline = top + _PADDING + 15
    for number, (style, label, text) in enumerate(lines):
        parts.append(_text(_LEFT + _PADDING, baseline + number * _LEADING, text, style, label))
    return [box, *parts], height


def _told(rows: Iterable[DayRow]) -> list[DayRow]:
    """Without a heading that nothing follows, as that of the sources."""
    several = list(rows)
    pairs = zip(several, [*several[1:], DayRow("heading", "")], strict=True)
    return [row for row, following in pairs if not (row.style == "heading" and following.style == "heading")]


def _wrapped(row: DayRow) -> Iterator[tuple[str, str, str]]:
    """(style, label, text) of each line of a row."""
    if row.style == "heading":
        yield ("note", "", "")
    label = f"{row.label} " if row.label else ""
    lines = textwrap.wrap(label + row.text, _CHARS, break_on_hyphens=False)
    yield (row.style, row.label, lines[0][len(label) :])
    for line in lines[1:]:
        yield (row.style, "", line)


def _text(x: int, y: int, text: str, style: str, label: str = "") -> str:
    bold = f'<tspan class="label">{escape(label)} </tspan>' if label else ""
    return f'<text x="{x}" y="{y}" class="{style}">{bold}{escape(text)}</text>'


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    for language, locale in LOCALES.items():
        path = FOLDER / f"{language}.svg"
        path.write_text(picture(language, digests(locale)), "utf-8")
        sys.stdout.write(f"{path}: {path.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
