"""Which dead letters an operator means, and how they group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from consumer.delivery.deadletter import DeadLetter, StoredDeadLetter
from contract.api import DiscardRequest


class QueryError(ValueError):
    """A filter that means nothing; names the fields there are."""


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as exc:
        raise QueryError(f"{text!r} is no time; write 2026-11-27 or 2026-11-27T14:00:00Z") from exc
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


_FIELDS: Final[dict[str, Callable[[DeadLetter, str], bool]]] = {
    "code": lambda letter, value: letter.code == value,
    "stage": lambda letter, value: letter.stage == value,
    "user": lambda letter, value: letter.user_id == value,
    "job": lambda letter, value: letter.job_id == value,
    "type": lambda letter, value: letter.job_type == value,
    "fingerprint": lambda letter, value: letter.fingerprint == value,
    "state": lambda letter, value: letter.state == value,
    "since": lambda letter, value: letter.last_seen >= _moment(value),
    "until": lambda letter, value: letter.last_seen < _moment(value),
}


@dataclass(frozen=True, slots=True)
class DeadLetterQuery:
    """All ``terms`` must hold; of ``keys`` (record keys or job ids), if there are any, one."""

    terms: tuple[tuple[str, str], ...] = ()
    keys: frozenset[str] = field(default_factory=frozenset)

    def matches(self, letter: DeadLetter) -> bool:
        named = not self.keys or bool(self.keys & {letter.key, letter.job_id})
        return named and all(_FIELDS[name](letter, value) for name, value in self.terms)


def discard_request(entry: StoredDeadLetter, reason: str) -> DiscardRequest:
    """What the control plane is told of a record that is closed. A message that is no job may claim any id."""
    letter = entry.letter
    about = {"job_id": letter.job_id, "user_id": letter.user_id} if letter else {}
    ids = {name: value for name, value in about.items() if value and _is_uuid(value)}
    return DiscardRequest(key=(letter.key if letter else entry.name)[:300], reason=reason, **ids)


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def parse(filters: Sequence[str], keys: Sequence[str] = (), *, every_state: bool = False) -> DeadLetterQuery:
    """``field=value`` words -> Query; only open records unless asked otherwise or named by key.

    Raises:
        QueryError: an unknown field, a word without ``=``, or a time that is none.
    """
    terms = [_term(word) for word in filters]
    if not every_state and not keys and "state" not in dict(terms):
        terms.append(("state", "open"))
    return DeadLetterQuery(tuple(terms), frozenset(keys))


def select(stored: Iterable[StoredDeadLetter], query: DeadLetterQuery) -> list[StoredDeadLetter]:
    """Readable records that match, in the order given. Unreadable ones match nothing; a job id means its latest record:
    those before it were of attempts that a later one has followed.
    """
    found = [(entry, entry.letter) for entry in stored if entry.letter is not None]
    latest: dict[str | None, DeadLetter] = {}
    for _, letter in found:
        latest[letter.job_id] = max(latest.get(letter.job_id, letter), letter, key=lambda one: one.order)
    return [
        entry
        for entry, letter in found
        if query.matches(letter)
        and (not query.keys or letter.key in query.keys or latest[letter.job_id].key == letter.key)
    ]


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Failures with one fingerprint: the same code at the same place."""

    fingerprint: str
    code: str
    stage: str | None
    count: int
    users: int
    first_seen: datetime
    last_seen: datetime
    hint: str


def groups(letters: Iterable[DeadLetter]) -> list[FailureGroup]:
    """Largest first; equal ones by fingerprint."""
    by_mark: dict[str, list[DeadLetter]] = {}
    for letter in letters:
        by_mark.setdefault(letter.fingerprint, []).append(letter)
    found = [
        FailureGroup(
            mark,
            members[0].code,
            members[0].stage,
            len(members),
            len({m.user_id for m in members if m.user_id}),
            min(m.first_seen for m in members),
            max(m.last_seen for m in members),
            members[0].hint,
        )
        for mark, members in by_mark.items()
    ]
    return sorted(found, key=lambda group: (-group.count, group.fingerprint))


def _term(word: str) -> tuple[str, str]:
    name, separator, value = word.partition("=")
    if not separator or name not in _FIELDS:
        raise QueryError(f"{word!r} is no filter; write field=value with one of {', '.join(_FIELDS)}")
    if name in ("since", "until"):
        _moment(value)
    return name, value
