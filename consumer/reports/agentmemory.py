"""
What an agent of a staff profile knows from its first turn on: Hermes's MEMORY.md and USER.md. Pure.

Hermes puts both files into its system prompt, so a line there weighs more than one in a tool's answer. They are
generated for each run from the context (``reports.context``), which follows the user's rules and corrections: standing
facts, and how the user is reached. A line is a statement; whatever could be read as an order, or holds a secret, is
left out.

An agent may add notes. Each is checked like a claim: it names the page that it rests on, and what stands there must say
it. The others are dropped and counted. A kept note is checked again in every later run, against the pages of that run.
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
#: Of MEMORY.md, what notes of agents may take.
NOTES_CHARS: Final = 1100
#: Hermes writes this between two entries.
DELIMITER: Final = "\n§\n"
#: Characters of one entry, and entries that an agent may leave; further ones are dropped.
ENTRY_CHARS: Final = 300
ENTRIES: Final = 40
#: Sentences of a cited record that are compared with a note, those with most words in common first.
COMPARED: Final = 3
#: What a fact looks like: a few words, a value, and where it stands. Anything longer may be somebody's text.
SUBJECT_WORDS: Final = 14
_PLACED: Final = re.compile(r"^(?P<text>.*\S)\s*\[(?P<places>[^\[\]]+)\]$")
#: Signs of code, markup and addresses; none of them belongs in a statement about the user.
_SIGNS: Final = re.compile(r"[<>{}`|\\$§]|https?:|[\x00-\x1f\x7f]")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
#: Words that speak to whoever reads, besides each language's "you" and "please".
_ADDRESSING: Final = frozenset(
    {"your", "yours", "yourself", "must", "always", "never", "shall", "don't", "cannot", "ignore", "disregard"}
    | {"forget", "obey", "instruction", "instructions", "prompt", "system", "assistant", "agent", "tool", "tools"}
)

#: Whether a note may be told: no rule of the user holds it, and no correction says otherwise.
MayTell = Callable[[Claim], bool]


@dataclass(frozen=True, slots=True)
class AgentMemory:
    """``generated``: entries by file. ``notes``: those of agents that were kept; they stand in MEMORY.md."""

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
    """``dropped``: the number of those that are no supported statement."""

    kept: tuple[str, ...] = ()
    dropped: int = 0


def generate(context: Context | None, language: str, timezone: str, notes: Iterable[str]) -> AgentMemory:
    """``context``: without a task. ``notes``: checked ones of earlier runs."""
    sections = {section.name: section.items for section in context.sections} if context else {}
    facts = [str(item).removeprefix("- ") for item in sections.get("facts", ()) if _is_brief(item.text)]
    # Of the snapshot only what has no place: its other lines repeat titles, which others have written.
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
    """What an agent left in its files besides what code had generated: earlier notes that it kept, and new ones."""
    ours = {entry for several in given.generated.values() for entry in several}
    theirs = (entry for name in CHARS for entry in entries(left.get(name, b"")) if entry not in ours)
    return tuple(dict.fromkeys(theirs))


def checked(
    notes: Collection[str], find: Find, directory: KnownPeople, may_tell: MayTell = lambda _claim: True
) -> CheckedNotes:
    """The notes that are statements, name their place, and say no more than what stands there."""
    supported = [note for note in list(notes)[:ENTRIES] if _is_supported(note, find, directory, may_tell)]
    kept = _fitting(supported, NOTES_CHARS)
    return CheckedNotes(kept, len(notes) - len(kept))


def is_statement(text: str) -> bool:
    """Whether a line says something about the user, and neither orders anything, nor holds markup or a secret.

    Strict: it prefers to leave out a statement. In any language of the reader by rules, a line that begins with a verb
    or says "you" or "please" is none.
    """
    stated = _PLACED.match(text)
    body = stated["text"] if stated else text
    if len(text) > ENTRY_CHARS or _SIGNS.search(text) or sensitivity.mask_text(text)[1]:
        return False
    words = [word.casefold() for word in _WORD.findall(body)]
    if not words or _ADDRESSING & set(words):
        return False
    written_in = language(body)
    # Of a line that no language is sure of, its first word is looked at in all of them.
    return not any(
        _orders(words, code, sure=bool(written_in)) for code in ([written_in] if written_in else languages.LANGUAGES)
    )


def _orders(words: Sequence[str], code: str, *, sure: bool) -> bool:
    """Whether these words of a line speak to its reader. ``sure``: the line is written in this language."""
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
    """Sentences of the records that a note names, the most similar first."""
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
    """The first entries that fit into so many characters; one that does not is left out."""
    kept: list[str] = []
    for entry in several:
        size = len(entry) + (len(DELIMITER) if kept else 0)
        if size <= most:
            kept.append(entry)
            most -= size
    return tuple(kept)


def _encoded(several: Iterable[str]) -> bytes:
    return DELIMITER.join(several).encode()
