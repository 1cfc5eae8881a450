"""
What an agent of a staff profile knows from its first turn on: Hermes's MEMORY.md and USER.md. Pure.

Hermes puts both files into its system prompt, so a line there carries more weight than a line in a tool's answer. Code
generates the files for each run from the context (``reports.context``), which follows the user's rules and corrections:
standing facts, and the user's settings and contacts. Each line is a statement. Code leaves out a line that could be
read as an order, or that has a secret.

An agent may add notes. Code checks each note like a claim: it must name its page, and the text there must support it.
Other notes are dropped and counted. Every later run checks the kept notes again, against the pages of that run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from consumer.evidence.pages import Page
from consumer.reports import citations
from consumer.reports.citations import Find
from consumer.reports.claims import Citation, Claim
from consumer.reports.context import Context
from consumer.reports.detectors import records
from consumer.understanding import languages, support
from consumer.understanding.grammar import lexicon
from consumer.understanding.reading.language import language
from consumer.understanding.support import KnownPeople
from contract import canonical
from renderers import sensitivity

MEMORY: Final = "MEMORY.md"
USER: Final = "USER.md"
#: Characters of each file, as Hermes 0.19 limits them by default, with its delimiters.
CHARS: Final[Mapping[str, int]] = {MEMORY: 2200, USER: 1375}
#: Characters of MEMORY.md that agents' notes may take.
NOTES_CHARS: Final = 1100
#: Hermes writes this between two entries.
DELIMITER: Final = "\n§\n"
#: Characters of an entry, and number of entries that an agent may leave. Further entries are dropped.
ENTRY_CHARS: Final = 300
ENTRIES: Final = 40
#: Number of sentences of a cited record that are compared with a note: those with the most words in common.
COMPARED: Final = 3
#: A fact is short: a few words, a value and its page. A longer line may be text that somebody wrote.
SUBJECT_WORDS: Final = 14
_PLACED: Final = re.compile(r"^(?P<text>.*\S)\s*\[(?P<places>[^\[\]]+)\]$")
#: Signs of code, markup and addresses. A statement about the user has none of them.
_SIGNS: Final = re.compile(r"[<>{}`|\\$§]|https?:|[\x00-\x1f\x7f]")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
#: Words that address the reader, besides each language's "you" and "please".
_ADDRESSING: Final = frozenset(
    {"your", "yours", "yourself", "must", "always", "never", "shall", "don't", "cannot", "ignore", "disregard"}
    | {"forget", "obey", "instruction", "instructions", "prompt", "system", "assistant", "agent", "tool", "tools"}
)

#: Whether a note may be shown: no rule withholds it, and no correction contradicts it.
MayTell = Callable[[Claim], bool]


@dataclass(frozen=True, slots=True)
class AgentMemory:
    """``generated``: entries by file. ``notes``: the kept notes of agents, which MEMORY.md includes."""

    generated: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...] = ()

    def with_notes(self, notes: Iterable[str]) -> AgentMemory:
        return replace(self, notes=tuple(notes))

    @property
    def files(self) -> dict[str, bytes]:
        """Both files as Hermes reads them; within CHARS, whole entries only."""
        kept = _fitting(self.notes, NOTES_CHARS)
        rest = CHARS[MEMORY] - sum(len(note) + len(DELIMITER) for note in kept)
        return {
            MEMORY: _encoded((*_fitting(self.generated[MEMORY], rest), *kept)),
            USER: _encoded(_fitting(self.generated[USER], CHARS[USER])),
        }

    @property
    def digest(self) -> str:
        return canonical.digest({name: data.decode() for name, data in self.files.items()})


@dataclass(frozen=True, slots=True)
class CheckedNotes:
    """``dropped``: the number of notes that are not supported statements."""

    kept: tuple[str, ...] = ()
    dropped: int = 0


def generate(context: Context | None, language: str, timezone: str, notes: Iterable[str]) -> AgentMemory:
    """``context``: the context without a task. ``notes``: checked notes of earlier runs."""
    sections = {section.name: section.items for section in context.sections} if context else {}
    facts = [str(item).removeprefix("- ") for item in sections.get("facts", ()) if _is_brief(item.text)]
    # Only lines of the snapshot that cite nothing: its other lines repeat titles, which other people wrote.
    about = [item.text for item in sections.get("snapshot", ()) if not item.places]
    user = (f"Time zone: {timezone}. Language of reports: {language}.", *about)
    return AgentMemory(
        {MEMORY: tuple(filter(is_statement, facts)), USER: tuple(filter(is_statement, user))}, tuple(notes)
    )


def entries(data: bytes) -> tuple[str, ...]:
    """A file's entries, each once. Bytes that are not UTF-8 are replaced."""
    parts = (part.strip() for part in data.decode("utf-8", "replace").split(DELIMITER.strip("\n")))
    return tuple(dict.fromkeys(part for part in parts if part))


def added(given: AgentMemory, left: Mapping[str, bytes]) -> tuple[str, ...]:
    """The lines of an agent's files that code had not generated: earlier notes that the agent kept, and new notes."""
    ours = {entry for several in given.generated.values() for entry in several}
    theirs = (entry for name in CHARS for entry in entries(left.get(name, b"")) if entry not in ours)
    return tuple(dict.fromkeys(theirs))


def checked(
    notes: Collection[str], find: Find, directory: KnownPeople, may_tell: MayTell = lambda _claim: True
) -> CheckedNotes:
    """The notes that are statements, name their place, and say no more than the text there."""
    supported = [note for note in list(notes)[:ENTRIES] if _is_supported(note, find, directory, may_tell)]
    kept = _fitting(supported, NOTES_CHARS)
    return CheckedNotes(kept, len(notes) - len(kept))


def is_statement(text: str) -> bool:
    """Whether a line is a statement about the user, without an order, markup or a secret.

    Strict: if in doubt, a line is not a statement. In every language that the rules read, a line that begins with a
    verb, or has "you" or "please", is not a statement.
    """
    stated = _PLACED.match(text)
    body = stated["text"] if stated else text
    if len(text) > ENTRY_CHARS or _SIGNS.search(text) or sensitivity.mask_text(text)[1]:
        return False
    words = [word.casefold() for word in _WORD.findall(body)]
    if not words or _ADDRESSING & set(words):
        return False
    written_in = language(body)
    # If the language of a line is not clear, its first word is checked in every language.
    return not any(
        _orders(words, code, sure=bool(written_in)) for code in ([written_in] if written_in else languages.LANGUAGES)
    )


def _orders(words: Sequence[str], code: str, *, sure: bool) -> bool:
    """Whether these words of a line address its reader. ``sure``: the line is written in this language."""
    known, lex = languages.LANGUAGES[code], lexicon(code)
    # A line that begins with a verb orders or asks, or leaves out who does it.
    begins = words[0] in lex.base or words[0] in lex.finite or (code == "fr" and words[0].endswith("ez"))
    asks = any(lex.please.at(words, place) for place in range(len(words)))
    return begins or asks or (sure and not known.you.isdisjoint(words))


def _is_brief(text: str) -> bool:
    return len(_WORD.findall(text)) <= SUBJECT_WORDS


def _is_supported(note: str, find: Find, directory: KnownPeople, may_tell: MayTell) -> bool:
    placed = _PLACED.match(note)
    if placed is None or not is_statement(note):
        return False
    for citation in _candidates(placed["text"], placed["places"], find):
        claim = Claim(text=placed["text"], kind="insight", citations=(citation,))
        if citations.check(claim, find, directory).verified and may_tell(claim):
            return True
    return False


def _candidates(text: str, places: str, find: Find) -> Iterator[Citation]:
    """The sentences of the records that a note names, the most similar sentence first."""
    wanted = _words(text)
    for place in places.split(","):
        slug, _, anchor = place.strip().partition("#")
        page = find(slug) if support.is_evidence(slug) else None
        for record in _records(page, anchor) if page else ():
            ranked = sorted(record.statements, key=lambda sentence: -len(wanted & _words(sentence)))
            yield from (record.cite(sentence) for sentence in ranked[:COMPARED])


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _records(page: Page, anchor: str) -> list[records.PageRecord]:
    of_page = records.of_page(page)
    return [record for record in of_page if not anchor or record.anchor == anchor] or of_page


def _fitting(several: Iterable[str], most: int) -> tuple[str, ...]:
    """The entries, in order, that fit into so many characters; an entry that does not fit is left out."""
    kept: list[str] = []
    for entry in several:
        size = len(entry) + (len(DELIMITER) if kept else 0)
        if size <= most:
            kept.append(entry)
            most -= size
    return tuple(kept)


def _encoded(several: Iterable[str]) -> bytes:
    return DELIMITER.join(several).encode()
