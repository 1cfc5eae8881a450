"""Dead letters for the pages: read once, grouped by fingerprint; replayed and discarded with a reason."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, get_args

from consumer.delivery import deadquery
from consumer.delivery.deadletter import DeadLetter, StoredDeadLetter
from consumer.errors import ConsumerError
from contract.api import ReplayRequest
from contract.event import StageName
from service import telemetry

if TYPE_CHECKING:
    from consumer.bootstrap import Operations, OperatorApi

Verb = Literal["replay", "discard"]
#: Records of a group that one form acts on, and how many at a time: a request must end within seconds.
MOST_AT_ONCE: Final = 2000
AT_ONCE: Final = 8
_PAST: Final[dict[Verb, Literal["replayed", "discarded"]]] = {"replay": "replayed", "discard": "discarded"}


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The result for one record. ``why``: empty on success. ``job_id``: empty if the record has no job."""

    key: str
    result: str
    why: str = ""
    job_id: str = ""


@dataclass(frozen=True, slots=True)
class DeadLetterAction:
    """An operator's action with its reason; ``api``: the control plane's, acting for the operator.

    ``go_on``: replay from the stage that failed, as far as a checkpoint allows.
    """

    api: OperatorApi
    operator: str
    verb: Verb
    reason: str
    go_on: bool = False


@dataclass(frozen=True, slots=True)
class Period:
    """From ``since`` to before ``until``; None: open."""

    since: datetime | None = None
    until: datetime | None = None

    def has(self, moment: datetime) -> bool:
        return (self.since is None or moment >= self.since) and (self.until is None or moment < self.until)


@dataclass
class DeadLetterList:
    """The bucket's records. Unchanged ones are not read again."""

    operations: Operations
    _cache: dict[str, StoredDeadLetter] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def all(self) -> list[StoredDeadLetter]:
        """Every readable record, oldest day first. Raises BlobUnavailable."""
        with self._lock:
            entries = list(self.operations.dead_letters.entries(known=self._cache))
            self._cache = {entry.name: entry for entry in entries}
        return [entry for entry in entries if entry.dead_letter is not None]

    def letters(self, fingerprint: str | None = None, state: str = "") -> list[DeadLetter]:
        """Records of one fingerprint and state, the latest failure first."""
        dead_letters = [entry.dead_letter for entry in self.all() if entry.dead_letter]
        chosen = [
            dead_letter
            for dead_letter in dead_letters
            if fingerprint in (None, dead_letter.fingerprint) and (not state or dead_letter.state == state)
        ]
        return sorted(chosen, key=lambda dead_letter: dead_letter.last_seen, reverse=True)

    def act(self, action: DeadLetterAction, keys: Iterable[str]) -> list[ActionResult]:
        """Replay or discard these open records, and read no others. Another operator's action in the meantime stays.

        Raises BlobUnavailable.
        """
        wanted = set(keys)
        stored = self.operations.dead_letters.entries(lambda name: name.key in wanted)
        return self._each(action, [entry for entry in stored if entry.dead_letter])

    def act_on_group(self, action: DeadLetterAction, fingerprint: str, period: Period) -> list[ActionResult]:
        """The same for the open records of this fingerprint whose last failure is in the period, the oldest first, at
        most ``MOST_AT_ONCE``.
        """
        chosen = [
            entry
            for entry in self.all()
            if entry.dead_letter
            and (entry.dead_letter.fingerprint, entry.dead_letter.state) == (fingerprint, "open")
            and period.has(entry.dead_letter.last_seen)
        ]
        return self._each(action, chosen[:MOST_AT_ONCE])

    def _each(self, action: DeadLetterAction, entries: Sequence[StoredDeadLetter]) -> list[ActionResult]:
        with ThreadPoolExecutor(AT_ONCE, "dead-letters") as pool:
            acted = pool.map(lambda entry: entry.dead_letter and self._act(action, entry, entry.dead_letter), entries)
            return [result for result in acted if result]

    def _act(self, action: DeadLetterAction, entry: StoredDeadLetter, dead_letter: DeadLetter) -> ActionResult:
        if dead_letter.state != "open":
            return ActionResult(dead_letter.key, dead_letter.state, "it was already handled")
        if action.verb == "replay" and dead_letter.replay_refusal():
            return ActionResult(dead_letter.key, "skipped", "it is not a job; discard it once its sender is fixed")
        try:
            if action.verb == "replay":
                _replay(action, dead_letter)
            else:
                action.api.note_discard(deadquery.discard_request(entry, action.reason))
            noted = self.operations.dead_letters.mark(
                entry, _PAST[action.verb], reason=action.reason, by=action.operator
            )
        except ConsumerError as exc:
            return ActionResult(dead_letter.key, "failed", f"{exc}. {exc.hint}")
        telemetry.log(
            f"console_{action.verb}", operator=action.operator, key=dead_letter.key, job_id=dead_letter.job_id
        )
        if noted.state != _PAST[action.verb]:
            return ActionResult(
                dead_letter.key, noted.state, "another operator handled it first", job_id=dead_letter.job_id or ""
            )
        return ActionResult(dead_letter.key, _PAST[action.verb], job_id=dead_letter.job_id or "")


def _replay(action: DeadLetterAction, dead_letter: DeadLetter) -> None:
    # A record of a later version may name an unknown stage: then replay from the beginning.
    stage = dead_letter.stage if action.go_on and dead_letter.stage in get_args(StageName) else None
    body = {"replay_id": dead_letter.replay_id, "reason": action.reason, "from_stage": stage}
    action.api.replay(str(dead_letter.job_id), ReplayRequest.model_validate(body))
