"""Dead letters as pages show them: read once, grouped by fingerprint; replayed and discarded with a reason."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from consumer.console.requests import Api, Operations
from consumer.delivery import deadquery
from consumer.delivery.deadletter import DeadLetter, StoredDeadLetter
from consumer.errors import ConsumerError
from contract.api import ReplayRequest
from contract.event import StageName
from service import telemetry

Verb = Literal["replay", "discard"]
_PAST: Final[dict[Verb, Literal["replayed", "discarded"]]] = {"replay": "replayed", "discard": "discarded"}


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What became of one record. ``why`` is empty where it worked; ``job_id`` where it is of no job."""

    key: str
    result: str
    why: str = ""
    job_id: str = ""


@dataclass(frozen=True, slots=True)
class Deed:
    """Who does what and why; ``api`` is the control plane's as theirs.

    ``go_on``: replay from the stage that failed, as far as a checkpoint allows.
    """

    api: Api
    operator: str
    verb: Verb
    reason: str
    go_on: bool = False


@dataclass
class DeadLetterList:
    """The bucket's records. One that has not changed since the last look is not read again."""

    operations: Operations
    _known: dict[str, StoredDeadLetter] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def all(self) -> list[StoredDeadLetter]:
        """Every record that can be read, oldest day first. Raises BlobUnavailable."""
        with self._lock:
            found = list(self.operations.dead_letters.entries(known=self._known))
            self._known = {entry.name: entry for entry in found}
        return [entry for entry in found if entry.dead_letter is not None]

    def letters(self, fingerprint: str | None = None, state: str = "") -> list[DeadLetter]:
        """Records of one fingerprint and state, the latest failure first."""
        letters = [entry.dead_letter for entry in self.all() if entry.dead_letter]
        chosen = [
            letter
            for letter in letters
            if fingerprint in (None, letter.fingerprint) and (not state or letter.state == state)
        ]
        return sorted(chosen, key=lambda letter: letter.last_seen, reverse=True)

    def act(self, deed: Deed, keys: Iterable[str]) -> list[ActionResult]:
        """Replay or discard open records. What another operator did meanwhile stays. Raises BlobUnavailable."""
        wanted = set(keys)
        chosen = [entry for entry in self.all() if entry.dead_letter and entry.dead_letter.key in wanted]
        return [self._act(deed, entry, entry.dead_letter) for entry in chosen if entry.dead_letter]

    def _act(self, deed: Deed, entry: StoredDeadLetter, letter: DeadLetter) -> ActionResult:
        if letter.state != "open":
            return ActionResult(letter.key, letter.state, "it was dealt with before")
        if deed.verb == "replay" and (letter.job_id is None or letter.attempt is None):
            return ActionResult(letter.key, "skipped", "it is no job; discard it once its sender is mended")
        try:
            if deed.verb == "replay":
                _replay(deed, letter)
            else:
                deed.api.note_discard(deadquery.discard_request(entry, deed.reason))
            noted = self.operations.dead_letters.mark(entry, _PAST[deed.verb], reason=deed.reason, by=deed.operator)
        except ConsumerError as exc:
            return ActionResult(letter.key, "failed", f"{exc}. {exc.hint}")
        telemetry.log(f"console_{deed.verb}", operator=deed.operator, key=letter.key, job_id=letter.job_id)
        if noted.state != _PAST[deed.verb]:
            return ActionResult(letter.key, noted.state, "another operator was faster", job_id=letter.job_id or "")
        return ActionResult(letter.key, _PAST[deed.verb], job_id=letter.job_id or "")


def _replay(deed: Deed, letter: DeadLetter) -> None:
    # A record may be of a later version, with stages of its own: then from the beginning.
    stage = letter.stage if deed.go_on and letter.stage in get_args(StageName) else None
    body = {"replay_id": letter.replay_id, "reason": deed.reason, "from_stage": stage}
    deed.api.replay(str(letter.job_id), ReplayRequest.model_validate(body))
