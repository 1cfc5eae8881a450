"""Filters that select dead letters, and grouping by failure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from consumer.delivery.deadletter import DeadLetter, RecordName, StoredDeadLetter
from contract.api import DiscardRequest


class QueryError(ValueError):
    """An invalid filter; the message lists the valid fields."""


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as exc:
        raise QueryError(f"{text!r} is not a time; write 2026-11-27 or 2026-11-27T14:00:00Z") from exc
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _day(moment: datetime) -> str:
    """The folder of records of that day (UTC)."""
    return f"{moment.astimezone(UTC):%Y-%m-%d}"


_FIELDS: Final[dict[str, Callable[[DeadLetter, str], bool]]] = {
    "code": lambda dead_letter, value: dead_letter.code == value,
    "stage": lambda dead_letter, value: dead_letter.stage == value,
    "user": lambda dead_letter, value: dead_letter.user_id == value,
    "job": lambda dead_letter, value: dead_letter.job_id == value,
    "type": lambda dead_letter, value: dead_letter.job_type == value,
    "fingerprint": lambda dead_letter, value: dead_letter.fingerprint == value,
    "state": lambda dead_letter, value: dead_letter.state == value,
    "since": lambda dead_letter, value: dead_letter.last_seen >= _moment(value),
    "until": lambda dead_letter, value: dead_letter.last_seen < _moment(value),
}


#: Filters by time.
_TIMES: Final = ("since", "until")


@dataclass(frozen=True, slots=True)
class DeadLetterQuery:
    """A record matches if all ``terms`` hold and, where ``keys`` are given, one key or job id is its own."""

    terms: tuple[tuple[str, str], ...] = ()
    keys: frozenset[str] = field(default_factory=frozenset)

    def may_match(self, name: RecordName) -> bool:
        """Whether a record of this name may match: all that can be said before it is read."""
        if self.keys:
            return bool(self.keys & {name.key, name.job_id})
        firsts = [_day(_moment(value)) for field, value in self.terms if field == "since"]
        # The end of a time is not part of it.
        lasts = [_day(_moment(value) - timedelta(microseconds=1)) for field, value in self.terms if field == "until"]
        return max(firsts, default="") <= name.day <= min(lasts, default="9999")

    def matches(self, dead_letter: DeadLetter) -> bool:
        named = not self.keys or bool(self.keys & {dead_letter.key, dead_letter.job_id})
        return named and all(_FIELDS[name](dead_letter, value) for name, value in self.terms)


def discard_request(entry: StoredDeadLetter, reason: str) -> DiscardRequest:
    """The request that reports a discarded record. A message of no job may claim any id, so only UUIDs are sent."""
    dead_letter = entry.dead_letter
    claimed = {"job_id": dead_letter.job_id, "user_id": dead_letter.user_id} if dead_letter else {}
    ids = {name: value for name, value in claimed.items() if value and _is_uuid(value)}
    return DiscardRequest(key=(dead_letter.key if dead_letter else entry.name)[:300], reason=reason, **ids)


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def parse(filters: Sequence[str], keys: Sequence[str] = (), *, every_state: bool = False) -> DeadLetterQuery:
    """Parse ``field=value`` filters; only open records match unless ``every_state``, a state or a key is given.

    Raises QueryError: an unknown field, a filter without ``=``, or an invalid time.
    """
    terms = [_term(text) for text in filters]
    if not every_state and not keys and "state" not in dict(terms):
        terms.append(("state", "open"))
    return DeadLetterQuery(tuple(terms), frozenset(keys))


def select(stored: Iterable[StoredDeadLetter], query: DeadLetterQuery) -> list[StoredDeadLetter]:
    """Matching records in the order given. A record that cannot be parsed never matches. A job id selects only the
    job's latest record, because the earlier ones belong to attempts that a later attempt followed.
    """
    parsed = [(entry, entry.dead_letter) for entry in stored if entry.dead_letter is not None]
    # Of a job's equal records the first one given counts.
    ordered = sorted(parsed[::-1], key=lambda pair: pair[1].order)
    latest = {dead_letter.job_id: dead_letter for _, dead_letter in ordered}
    return [
        entry
        for entry, dead_letter in parsed
        if query.matches(dead_letter)
        and (not query.keys or dead_letter.key in query.keys or latest[dead_letter.job_id].key == dead_letter.key)
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


def groups(dead_letters: Iterable[DeadLetter]) -> list[FailureGroup]:
    """Groups by fingerprint, the largest first; groups of equal size in the order of their fingerprints."""
    by_mark: dict[str, list[DeadLetter]] = {}
    for dead_letter in dead_letters:
        by_mark.setdefault(dead_letter.fingerprint, []).append(dead_letter)
    failure_groups = [
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
    return sorted(failure_groups, key=lambda group: (-group.count, group.fingerprint))


def _term(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or name not in _FIELDS:
        raise QueryError(f"{text!r} is not a filter; write field=value with one of {', '.join(_FIELDS)}")
    if name in _TIMES:
        _moment(value)
    return name, value
