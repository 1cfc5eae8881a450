"""
What an agent sees of a workspace where standing rules hold for its input too: no record that a rule holds.

A page of evidence is shown without the sections of held records; if the rest still names what is held, not at all. Of a
page of a person, project, meeting or day, the lines that name or link to something held are left out. Earlier reports
are not shown while a rule holds anything, nor is another derived page that names it: their sentences rest on each
other.

What an agent has seen stays in the brain's own store and in its sessions. ``Sighted`` remembers what that may be, so
that a rule that holds any of it begins both anew.
"""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

from consumer import layout
from consumer.evidence import pagefiles, pages, search
from consumer.evidence.pages import Page
from consumer.guarding import guarded
from consumer.ports import Guard
from consumer.reports.withholding import SOURCES, Withheld
from contract import canonical, derived
from renderers import splitting

#: Pages in which each line is a statement of its own, with its links.
_LISTS: Final = tuple(folder.removeprefix(f"{layout.BRAIN}/") + "/" for folder in layout.DERIVED)
_REPORTS: Final = "reports/"
_HREF: Final = re.compile(r"\]\(\s*<?([^()<>\s]+)")
#: Of a digest of a record that was shown: enough to tell records of one user apart.
_MARK_CHARS: Final = 16
#: An agent's sessions and logs, as a purge deletes them too.
_HISTORY: Final = ("state.db", "state.db-wal", "state.db-shm", "sessions", "logs", "memories")


@dataclass(frozen=True, slots=True)
class Sight:
    """Paths are relative to ``brain/``. ``shown``: pages of which a part is left out, as they are shown. ``hidden``:
    pages that are left out. ``records``: digests of the records that are shown. ``rules``: digests of what holds.
    """

    shown: Mapping[str, bytes] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    records: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Whether anything may be held."""
        return bool(self.rules)

    def digests(self, files: Mapping[str, str]) -> dict[str, str]:
        """Of all pages that are shown, the digests of what is shown. ``files``: those of the files."""
        parts = {path: pagefiles.digest(data) for path, data in self.shown.items()}
        return {path: parts.get(path, digest) for path, digest in files.items() if path not in self.hidden}

    @property
    def digest(self) -> str:
        """The same for the same sight; "" where nothing is held."""
        if not self:
            return ""
        parts = sorted((path, pagefiles.digest(data)) for path, data in self.shown.items())
        return canonical.digest({"rules": sorted(self.rules), "hidden": sorted(self.hidden), "shown": parts})


def of(withheld: Withheld, by_slug: Mapping[str, Page], guard: Guard) -> Sight:
    """What an agent may see of these pages. Reads every page. Without anything held: everything."""
    rules = frozenset(_rules(withheld))
    if not rules:
        return Sight()
    looking = _Looking(withheld)
    importable = [(slug, page) for slug, page in by_slug.items() if pages.importable(pages.path_of(slug))]
    # Evidence first: lists link to it.
    for slug, page in guarded(sorted(importable, key=lambda item: not item[0].startswith(SOURCES)), guard):
        looking.look(slug, page)
    return Sight(looking.shown, frozenset(looking.hidden), frozenset(looking.records), frozenset(looking.held), rules)


def _rules(withheld: Withheld) -> Iterable[str]:
    """Digests of the rules and marks that hold something."""
    texts = {rule.rule.id: rule.rule.text for rule in withheld.rules}
    holders = {holder for several in (*withheld.places.values(), *withheld.records.values()) for holder in several}
    for holder in sorted(holders | set(texts)):
        yield _mark(holder, texts.get(holder, ""))


def _mark(*parts: str) -> str:
    return canonical.sha256_hex("\0".join(parts).encode())[:_MARK_CHARS]


class _Looking:
    """Looks at one page after another. Digests in ``records`` and ``held`` are of records on pages of evidence."""

    def __init__(self, withheld: Withheld) -> None:
        self._withheld = withheld
        #: Slug -> anchors of held records; None: the whole page is a held record.
        self._anchors: dict[str, set[str | None]] = defaultdict(set)
        for slug, anchor in withheld.places:
            self._anchors[slug].add(anchor)
        self.shown: dict[str, bytes] = {}
        self.hidden: set[str] = set()
        self.records: set[str] = set()
        self.held: set[str] = set()

    def look(self, slug: str, page: Page) -> None:
        path = pages.path_of(slug)
        shown = self._evidence(slug, page) if slug.startswith(SOURCES) else self._derived(slug, page)
        if shown is None:
            self.hidden.add(path)
        elif shown != page.body:
            self.shown[path] = (f"---\n{page.head}---\n{shown}" if page.head else shown).encode()
        if slug.startswith(SOURCES):
            self._remember(slug, page, shown)

    def _remember(self, slug: str, page: Page, shown: str | None) -> None:
        anchors = {section.anchor or "" for section in page.sections} | {""}
        gone = self._held_on(slug)
        for anchor in anchors:
            seen = shown is not None and anchor not in gone
            (self.records if seen else self.held).add(_mark(slug, anchor))

    def _held_on(self, slug: str) -> set[str | None]:
        """Anchors of held records on a page; None: the page, or the page that it is a part of, is a held record."""
        anchors = self._anchors.get(slug, set())
        return anchors | {None} if None in self._anchors.get(splitting.first_part(slug), ()) else anchors

    def _evidence(self, slug: str, page: Page) -> str | None:
        anchors = self._held_on(slug)
        if None in anchors or self._names(slug, page):
            return None
        body = pages.without(page.body, {anchor for anchor in anchors if anchor}) if anchors else page.body
        body = self._without_links(slug, body)
        left = list(pages.sections(body))
        if page.anchors and not any(section.anchor for section in left):
            return None
        held = any(self._withheld.of_text(f"{section.heading}\n{section.text}") for section in left)
        return None if held else body

    def _derived(self, slug: str, page: Page) -> str | None:
        if slug.startswith(_REPORTS) or self._names(slug, page):
            return None
        lists, notes = derived.split(page.body)
        if not lists:
            # Without a marker all of it is a rendered list, or somebody's text.
            lists, notes = (notes, "") if slug.startswith(_LISTS) else ("", notes)
        notes_held = self._line_held(slug, notes)
        if notes_held:
            if not slug.startswith(_LISTS):
                return None
            notes = ""
        kept = self._without_links(slug, lists)
        kept = "\n".join(line for line in kept.split("\n") if not self._withheld.of_text(line))
        if kept != lists and not _HREF.search(kept):
            # All that it was made of is held.
            return None
        return page.body if kept == lists and not notes_held else derived.join(kept, notes)

    def _names(self, slug: str, page: Page) -> bool:
        """Whether a page's name, title or header names what is held. Names are written small in a page's name."""
        name = slug.rpartition("/")[2].replace("-", " ")
        texts = (name, name.title(), page.title, page.head)
        return any(self._withheld.of_text(text) for text in texts)

    def _line_held(self, slug: str, text: str) -> bool:
        return bool(self._withheld.of_text(text)) or self._without_links(slug, text) != text

    def _without_links(self, slug: str, text: str) -> str:
        """Without the lines that link to something held."""
        if "](" not in text:
            return text
        lines = text.split("\n")
        kept = [line for line in lines if not ("](" in line and self._links_to_held(slug, line))]
        return text if len(kept) == len(lines) else "\n".join(kept)

    def _links_to_held(self, slug: str, line: str) -> bool:
        folder = slug.rpartition("/")[0]
        for href in _HREF.findall(line):
            target, anchor = pages.resolve(folder, href)
            if not target:
                continue
            anchors = self._held_on(target)
            if None in anchors or (anchor and anchor in anchors) or pages.path_of(target) in self.hidden:
                return True
        return False


# --- what was seen before ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sighted:
    """What agents of this workspace may have seen. ``rules`` held then; ``records``: digests of those shown since."""

    digest: str
    rules: frozenset[str]
    records: frozenset[str]


def sighted(root: Path) -> Sighted | None:
    """None: everything, or nobody knows."""
    try:
        document: Any = orjson.loads((root / layout.AGENT_SIGHT).read_bytes())
        return Sighted(document["digest"], frozenset(document["rules"]), frozenset(document["records"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remember(root: Path, sight: Sight) -> bool:
    """Note what agents may see from now on, before any does; whether they may have seen what is held now.

    Then brain and sessions must begin anew (``forget_sessions``, ``Brain.forget``): they hold copies.
    """
    path = root / layout.AGENT_SIGHT
    if not sight:
        path.unlink(missing_ok=True)
        return False
    before = sighted(root)
    stale = before is None or bool(sight.rules - before.rules) or bool(before.records & sight.held)
    records = sight.records if before is None or stale else sight.records | before.records
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"digest": sight.digest, "rules": sorted(sight.rules), "records": sorted(records)}
    path.write_bytes(orjson.dumps(document))
    return stale


def forget_sessions(root: Path) -> None:
    """Delete the agent's sessions and logs, and a brain's copy of an agent's notes. Repeatable."""
    for name in _HISTORY:
        path = root / layout.HERMES_HOME / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def view(root: Path, sight: Sight, guard: Guard) -> Path:
    """A folder with the pages that an agent may see, and an index of just these. See ``close``. Raises OSError."""
    close(root)
    folder = root / layout.AGENT_VIEW
    for path in guarded(sight.digests(pagefiles.digests(root, guard)), guard):
        target = folder / layout.BRAIN / path
        target.parent.mkdir(parents=True, exist_ok=True)
        data = sight.shown.get(path)
        target.write_bytes((root / layout.BRAIN / path).read_bytes() if data is None else data)
    search.update(folder, pagefiles.digests(folder, guard), guard)
    return folder


def close(root: Path) -> None:
    """Remove the view. Repeatable."""
    shutil.rmtree(root / layout.AGENT_VIEW, ignore_errors=True)
