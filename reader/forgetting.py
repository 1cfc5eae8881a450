"""
Finds what a user may want to forget, shows it, and orders that the chosen records are purged.

A list is made from the record index and the evidence index of the commit that the reader shows. The order names records
by their ids; the purge takes them in all versions, from the whole history.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

import orjson

from consumer import layout
from consumer.evidence import pages
from consumer.evidence.index import stored
from consumer.evidence.index.stored import StoredRecord
from consumer.evidence.search import Passage, words
from consumer.understanding import encoding, reader
from consumer.understanding.life import fold
from consumer.understanding.people import USER, Directory, conversation
from consumer.understanding.statements import Reading
from contract.exclusions import MAX_PARTS, ExclusionRequest
from contract.orders import MAX_FORGOTTEN, ConfirmForgetRequest, RecordRef
from reader import wire
from reader.errors import invalid
from reader.memory import MemoryView, Query
from reader.readable import readable
from reader.service import ReaderService

#: Passages of a topic that are shown; and those that are ticked: the user adds others.
PASSAGES: Final = 100
TICKED: Final = 10
_SNIPPET: Final = 300
#: Signs of a script without blanks, and letters of a word in the plural, that say enough to tick a record.
_RUN_SIGNS: Final = 2
_PLURAL_LETTERS: Final = 3
Key = tuple[str, str]


def forget(service: ReaderService, user_token: str, request: wire.ForgetRequest) -> wire.ForgetAnswer:
    """Show what would be forgotten; with a token: order that the chosen records are.

    Raises CallRefusal 404 the record or person is not there, forget_not_shown; 409 forget_expired, forget_changed,
    forget_ordered; 422; 429; and as ``ReaderService.answer``.
    """
    if request.token is None:
        return _show(service, user_token, request)
    if not request.records:
        raise invalid("records is empty: choose at least one record of the list")
    return _confirm(service, user_token, request, request.token)


def _show(service: ReaderService, user_token: str, request: wire.ForgetSelection) -> wire.ForgetAnswer:
    seq, matching = service.answer(user_token, lambda memory: (memory.opened.seq, selected(memory, request)), "forget")
    records = matching[:MAX_FORGOTTEN]
    if not records:
        return wire.ForgetAnswer()
    refs = [each.record for each in records]
    shown = service.look(
        user_token, lambda plane: plane.show_forget(user_token, refs, _canonical(request), seq), "forget"
    )
    return wire.ForgetAnswer(
        records=tuple(records),
        more=len(matching) - len(records),
        token=shown.token,
        until=shown.until,
        can_keep_out=_keeps_out(request),
    )


def _confirm(service: ReaderService, user_token: str, request: wire.ForgetRequest, token: str) -> wire.ForgetAnswer:
    if request.keep_out and not _keeps_out(request):
        raise invalid("keep_out needs person, topic or source")

    def look(memory: MemoryView) -> tuple[list[wire.ForgetRecord], ExclusionRequest | None]:
        return selected(memory, request), _exclusion(memory, request) if request.keep_out else None

    matching, keep_out = service.answer(user_token, look)
    by_ref = {each.record: each for each in matching[:MAX_FORGOTTEN]}
    confirmed = service.change(
        user_token,
        lambda plane: plane.confirm_forget(
            ConfirmForgetRequest(
                user_token=user_token,
                token=token,
                records=request.records,
                matching=tuple(by_ref),
                selection=_canonical(request),
                keep_out=keep_out,
            )
        ),
        "forget",
    )
    arrived = tuple(by_ref[ref] for ref in confirmed.arrived if ref in by_ref)
    return wire.ForgetAnswer(order=confirmed.order, arrived=arrived)


# --- selecting -------------------------------------------------------------------------------------------------------


def selected(memory: MemoryView, request: wire.ForgetSelection) -> list[wire.ForgetRecord]:
    """The records that a selection means, without those that are being forgotten; of a topic the best first.

    Raises CallRefusal 404, 422; SnapshotIncomplete, IndexUnusable.
    """
    if layout.RENDER_INDEX not in memory.opened.entries:
        return []
    data = memory.opened.read(layout.RENDER_INDEX)
    by_key = {(each.source, each.record_id): each for each in stored.rendered(data)}
    for key in memory.hidden.records:
        by_key.pop(key, None)
    if request.topic is not None:
        return list(_of_topic(memory, request.topic, by_key.values()))
    if request.person is not None:
        keys = _of_person(data, memory.as_of, request.person)
        return [_entry(record) for key, record in by_key.items() if key in keys]
    if request.source is not None:
        return [_entry(record) for record in by_key.values() if record.source == request.source]
    if request.before is not None:
        limit = request.before.isoformat()
        return [_entry(record) for record in by_key.values() if "" < record.day < limit]
    return [_entry(record) for record in by_key.values() if _stands_at(record, request.record or "")]


def _entry(record: StoredRecord, text: str = "", *, ticked: bool = True) -> wire.ForgetRecord:
    return wire.ForgetRecord(
        record=RecordRef(source=record.source, id=record.record_id),
        title=record.title,
        day=record.day,
        page=pages.slug_of(record.page) if record.page else "",
        anchor=record.anchor,
        text=text,
        ticked=ticked,
    )


def _stands_at(record: StoredRecord, place: str) -> bool:
    page, _, anchor = place.partition("#")
    at = bool(record.page) and pages.slug_of(record.page) == page.removesuffix(".md")
    return at and (not anchor or record.anchor in (anchor, ""))


def _of_topic(memory: MemoryView, topic: str, records: Iterable[StoredRecord]) -> Iterator[wire.ForgetRecord]:
    """What a search finds. The best are ticked: the person decides."""
    places: dict[tuple[str, str], list[StoredRecord]] = {}
    by_id: dict[tuple[str, str], StoredRecord] = {}
    for record in records:
        if record.page:
            places.setdefault((pages.slug_of(record.page), record.anchor), []).append(record)
        by_id[record.source, record.record_id] = record
    shown: set[Key] = set()
    for passage in memory.passages(Query(topic, limit=PASSAGES)):
        for record in _behind(passage, places, by_id):
            key = (record.source, record.record_id)
            if key not in shown:
                shown.add(key)
                ticked = len(shown) <= TICKED and _says(passage, topic)
                yield _entry(record, _snippet(passage.text), ticked=ticked)


def _behind(
    passage: Passage, places: dict[tuple[str, str], list[StoredRecord]], by_id: dict[tuple[str, str], StoredRecord]
) -> list[StoredRecord]:
    named = by_id.get((passage.source, passage.record_id))
    return [named] if named else places.get((passage.page, passage.anchor), [])


def _says(passage: Passage, topic: str) -> bool:
    """Whether all words of a topic stand in a passage; then it is very likely meant.

    A word stands there whole, or one of the two is the other's plural: "car" is not in "care". Nobody sees where a word
    of a script without blanks ends, so a run of its signs must stand there as it is.
    """
    asked, text = _folded(topic), _folded(f"{passage.title} {passage.text}")
    terms, runs, passage_terms = words.spaced(asked), words.runs(asked), frozenset(words.spaced(text))
    plurals = frozenset(map(_plural, passage_terms))
    return bool(terms or runs) and (
        all(len(run) >= _RUN_SIGNS and run in text for run in runs)
        and all(term in passage_terms or term in plurals or _plural(term) in passage_terms for term in terms)
    )


def _plural(word: str) -> str:
    """The regular plural of an English word, which many languages share; other words are only found whole."""
    if len(word) < _PLURAL_LETTERS:
        return word
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    return f"{word[:-1]}ies" if word[-1] == "y" and word[-2] not in "aeiou" else f"{word}s"


def _snippet(text: str) -> str:
    flat = " ".join(readable(text).split())
    return flat if len(flat) <= _SNIPPET else f"{flat[:_SNIPPET].rsplit(' ', 1)[0]}…"


def _of_person(data: bytes, as_of: str, person: str) -> frozenset[Key]:
    """Records in which somebody of this name or address takes part or is named, and their contact."""
    readings, directory = _known_people(data, as_of)
    carriers = directory.carriers(" ".join(person.split())) - {USER}
    keys: set[Key] = set()
    for reading in readings if carriers else ():
        named = set(reading.people)
        for author, addressees, _ in reading.cited.values():
            named |= {author, *addressees}
        meant = set(directory.all_of(tuple(sorted(named)), conversation(reading)))
        if meant & carriers or f"contact/{reading.record_id}" in carriers:
            keys.add((reading.source, reading.record_id))
    return frozenset(keys)


def _known_people(data: bytes, as_of: str) -> tuple[list[Reading], Directory]:
    """Everybody whom any record names, also those whom a rule holds."""
    readings = [encoding.decode(row.source, row.record_id, row.body) for row in stored.readings(data, reader.NAME)]
    return readings, fold(readings, (), as_of).directory


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


# --- keeping out in future -------------------------------------------------------------------------------------------


def _keeps_out(request: wire.ForgetSelection) -> bool:
    return not {"person", "topic", "source"}.isdisjoint(request.chosen())


def _exclusion(memory: MemoryView, request: wire.ForgetSelection) -> ExclusionRequest:
    """What later exports leave out. Of a person all names and addresses that memory knows of whoever is meant."""
    if request.source is not None:
        return ExclusionRequest(kind="source", texts=(request.source,))
    if request.topic is not None:
        return ExclusionRequest(kind="topic", texts=(request.topic,))
    person = " ".join((request.person or "").split())
    texts = [person]
    if layout.RENDER_INDEX in memory.opened.entries:
        _, directory = _known_people(memory.opened.read(layout.RENDER_INDEX), memory.as_of)
        for known in map(directory.known, sorted(directory.carriers(person) - {USER})):
            texts += [name for name in (known.name, *known.aliases, *known.addresses) if " " in name or "@" in name]
    return ExclusionRequest(kind="person", texts=tuple(dict.fromkeys(texts))[:MAX_PARTS])


def _canonical(request: wire.ForgetSelection) -> str:
    """The selection as a text, the same for the same selection: the token is bound to it."""
    return orjson.dumps(request.chosen(), option=orjson.OPT_SORT_KEYS).decode()
