"""Dead letters: first a record for the operator, then a message on the dead-letter topic.

``dead/{date}/{key}.json``; key is ``<job_id>-<attempt>``, or ``m-<message id>`` for a message that belongs to no job.
A record holds no user content and no secrets: the original message (it names ids only), codes, places and hints.
"""

from __future__ import annotations

import base64
import re
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from consumer import paths
from consumer.delivery.envelope import Delivery
from consumer.delivery.ledger import STORED_ATTEMPT, Failure, Ledger, fingerprint
from consumer.errors import BlobUnavailable, ConsumerError, PreconditionFailed
from consumer.ports import BlobStat, BlobStore, Clock, Topic
from consumer.storage.conditional import existing
from contract import canonical
from contract.event import ATTRIBUTE_BYTES, JOB_NAMESPACE, JobEvent, utc_text
from service import telemetry

DEAD_SCHEMA: Final = "memory.dead.v1"
#: A job event is under 2 KiB. For anything larger, the first bytes and the digest are enough to find the sender.
MAX_ORIGINAL_BYTES: Final = 64 * 1024
MAX_MESSAGE: Final = 1000
#: Two operators rarely handle one record at the same time; three never do.
MARK_TRIES: Final = 3
#: Records that are read at a time.
READERS: Final = 16
_REDACTOR: Final = telemetry.Redactor()
_SAFE_KEY: Final = re.compile(r"[A-Za-z0-9_-]{1,128}\Z")


class Handled(BaseModel):
    """What an operator did about a record; the job's audit has the same entry."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    reason: str
    by: str
    at: AwareDatetime


class DeadLetter(BaseModel):
    """One record. ``job_id`` is None for a message that belongs to no job."""

    model_config = ConfigDict(frozen=True, extra="ignore", validate_by_name=True)

    schema_version: Literal["memory.dead.v1"] = Field(default=DEAD_SCHEMA, alias="schema")
    key: str
    job_id: str | None = None
    user_id: str | None = None
    job_type: str | None = None
    attempt: Annotated[int | None, Field(alias=STORED_ATTEMPT)] = None
    epoch: int | None = None
    failures: int = 0
    code: str
    stage: str | None = None
    error_class: str
    message: str
    hint: str
    fingerprint: str
    first_seen: AwareDatetime
    last_seen: AwareDatetime
    message_id: str = ""
    attributes: dict[str, str] = Field(default_factory=dict)
    original_b64: str = ""
    original_bytes: int = 0
    original_sha256: str = ""
    trace_id: str | None = None
    discarded: Handled | None = None
    replayed: Handled | None = None

    @property
    def state(self) -> str:
        """``open`` until an operator replays or discards the record. If both happened, the later one counts, since a
        discarded record can be replayed by force. A job that fails for good again gets a new record.
        """
        if self.discarded and not (self.replayed and self.replayed.at >= self.discarded.at):
            return "discarded"
        return "replayed" if self.replayed else "open"

    def replay_refusal(self, *, force: bool = False) -> Literal["discarded", "not_a_job"] | None:
        """The replay rule: only a failed job can be replayed, a discarded record only with ``force``. None: replay it.

        A record that was replayed may be replayed again: the control plane recognises ``replay_id`` and does nothing.
        """
        if self.state == "discarded" and not force:
            return "discarded"
        return "not_a_job" if self.job_id is None or self.attempt is None else None

    @property
    def replay_id(self) -> str:
        """Derived from the key, so that a record is replayed once however often operators request it."""
        return str(uuid.uuid5(JOB_NAMESPACE, f"replay/{self.key}"))

    @property
    def order(self) -> tuple[datetime, int]:
        """Sort key of the records of one job; the latest record has the highest."""
        return self.last_seen, self.attempt or 0

    @property
    def handled(self) -> Handled | None:
        """Who handled the record and why, consistent with ``state``."""
        return self.discarded if self.state == "discarded" else self.replayed

    @property
    def date(self) -> str:
        """The record's folder: the UTC day of its last failure."""
        return utc_text(self.last_seen)[:10]

    def encode(self) -> bytes:
        return canonical.dumps(self.model_dump(mode="json", by_alias=True))


class RecordName(NamedTuple):
    """What the name of a record says: ``day`` of its last failure (UTC), ``key``, and the job if the key names one."""

    day: str
    key: str
    job_id: str

    @classmethod
    def of(cls, name: str) -> RecordName:
        day, _, file = name.removeprefix(paths.dead_letters()).partition("/")
        key = file.removesuffix(".json")
        return cls(day, key, key.rpartition("-")[0])


@dataclass(frozen=True, slots=True)
class StoredDeadLetter:
    """A record as listed. ``dead_letter`` is None if the object cannot be parsed."""

    name: str
    generation: int
    dead_letter: DeadLetter | None


@dataclass(frozen=True, slots=True)
class DeadLetters:
    blobs: BlobStore
    topic: Topic
    clock: Clock

    def record_job(self, ledger: Ledger, event: JobEvent, failure: Failure, epoch: int | None) -> DeadLetter:
        """Record and announce a job that cannot succeed. Repeatable. Raises BlobUnavailable, TopicUnavailable."""
        dead_letter = DeadLetter(
            key=f"{ledger.job_id}-{ledger.attempt}",
            job_id=ledger.job_id,
            user_id=event.user_id,
            job_type=event.job_type,
            attempt=ledger.attempt,
            epoch=epoch,
            failures=ledger.failures,
            trace_id=_trace_id(event.traceparent),
            **failure.model_dump(),
            **_original(event.encode(), event.attributes()),
        )
        return self._record(dead_letter, announce=True)

    def record_message(self, delivery: Delivery, error: ConsumerError, *, announce: bool = True) -> DeadLetter:
        """Record and announce a message that belongs to no job. Repeatable: one record per message id.

        ``announce`` False: the message came from the dead-letter topic itself.
        """
        seen = delivery.publish_time or self.clock.now()
        dead_letter = DeadLetter(
            key=f"m-{_key_part(delivery.message_id)}",
            code=error.code,
            error_class=type(error).__name__,
            message=safe_text(error),
            hint=error.hint,
            fingerprint=fingerprint(error.code, None, type(error).__name__),
            first_seen=seen,
            last_seen=seen,
            message_id=delivery.message_id,
            trace_id=_trace_id(delivery.attributes.get("traceparent")),
            **_original(delivery.data, delivery.attributes),
            **_routing(delivery.attributes),
        )
        return self._record(dead_letter, announce=announce)

    def entries(
        self,
        wanted: Callable[[RecordName], bool] = lambda _: True,
        known: Mapping[str, StoredDeadLetter] | None = None,
        *,
        newest_first: bool = False,
    ) -> Iterator[StoredDeadLetter]:
        """The wanted records, oldest day first. Only these are read, several at a time. Raises BlobUnavailable.

        ``known``: records from an earlier listing, by name; a record that has not changed is not read again.
        """
        stats = [stat for stat in self.blobs.list(paths.dead_letters()) if wanted(RecordName.of(stat.name))]
        if newest_first:
            stats.reverse()
        read = partial(self._stored, known or {})
        if len(stats) < READERS:
            yield from filter(None, map(read, stats))
            return
        with ThreadPoolExecutor(READERS, "dead-letters") as pool:
            for start in range(0, len(stats), READERS):
                yield from filter(None, pool.map(read, stats[start : start + READERS]))

    def named(self, keys: Collection[str]) -> list[StoredDeadLetter]:
        """The records with these keys, and all records of the jobs with these ids. Reads no other record."""
        return list(self.entries(lambda name: name.key in keys or name.job_id in keys))

    def find(self, key: str) -> StoredDeadLetter | None:
        """The record with this key, or the latest record of the job with this id."""
        hits = [(stored.dead_letter.order, stored) for stored in self.named({key}) if stored.dead_letter]
        return max(hits, key=lambda hit: hit[0])[1] if hits else None

    def _stored(self, known: Mapping[str, StoredDeadLetter], stat: BlobStat) -> StoredDeadLetter | None:
        previous = known.get(stat.name)
        if previous and previous.generation == stat.generation:
            return previous
        blob = existing(self.blobs, stat.name)
        return StoredDeadLetter(stat.name, blob.stat.generation, _parse(blob.data)) if blob else None

    def mark(
        self, stored: StoredDeadLetter, verb: Literal["discarded", "replayed"], *, reason: str, by: str
    ) -> DeadLetter:
        """Note on the record what an operator did, and return the record as stored.

        If another operator was faster, their note stays, except that a replay overwrites a discard: a job that was
        replayed must not look discarded. Raises BlobUnavailable if the bucket does not answer or the record keeps
        changing.
        """
        for _ in range(MARK_TRIES):
            if stored.dead_letter is None:
                raise ValueError(f"{stored.name} cannot be parsed: read the object itself")
            handled = Handled(reason=reason, by=by, at=self.clock.now())
            marked = stored.dead_letter.model_copy(update={verb: handled})
            with suppress(PreconditionFailed):
                self.blobs.write(
                    stored.name, marked.encode(), if_generation=stored.generation, content_type="application/json"
                )
                return marked
            if (blob := existing(self.blobs, stored.name)) is None:
                return marked  # The record was deleted meanwhile, but the operator's action has taken effect.
            current = _parse(blob.data)
            if current and (current.replayed or (verb == "discarded" and current.discarded)):
                return current
            stored = StoredDeadLetter(stored.name, blob.stat.generation, current)
        raise BlobUnavailable(f"{stored.name} changed {MARK_TRIES} times while it was being marked")

    def _record(self, dead_letter: DeadLetter, *, announce: bool) -> DeadLetter:
        name = paths.dead_letter(dead_letter.date, dead_letter.key)
        # The key names the message or attempt: an existing record is an earlier delivery's, or ours with a lost reply.
        with suppress(PreconditionFailed):
            self.blobs.write(name, dead_letter.encode(), if_generation=0, content_type="application/json")
        if announce:
            self.topic.publish(dead_letter.encode(), _announcement(dead_letter))
        telemetry.count("dead_letters", code=dead_letter.code)
        return dead_letter


def is_announcement(attributes: Mapping[str, str]) -> bool:
    """Whether a dead-letter message announces one of our records; if not, Pub/Sub gave up on the original message."""
    return attributes.get("dead_letter_schema") == DEAD_SCHEMA


def failure_of(error: Exception, *, code: str, hint: str, stage: Any, now: datetime, before: Failure | None) -> Failure:
    """A Failure for the ledger. ``before`` is the previous one: an equal failure keeps its ``first_seen``."""
    mark = fingerprint(code, stage, type(error).__name__)
    repeated = before is not None and before.fingerprint == mark
    return Failure(
        code=code,
        error_class=type(error).__name__,
        message=safe_text(error),
        hint=hint,
        stage=stage,
        fingerprint=mark,
        first_seen=before.first_seen if repeated and before else now,
        last_seen=now,
    )


def safe_text(error: Exception) -> str:
    """The text of an error that may be stored. For a foreign exception only the class: its text may quote content.

    Our own messages repeat what tools print, so anything shaped like a credential is masked.
    """
    if not isinstance(error, ConsumerError):
        return type(error).__name__
    return _REDACTOR.text(str(error))[:MAX_MESSAGE]


def _parse(data: bytes) -> DeadLetter | None:
    try:
        return DeadLetter.model_validate_json(data)
    except ValidationError:
        return None


def _original(data: bytes, attributes: Any) -> dict[str, Any]:
    return {
        "attributes": {str(k)[:256]: str(v)[:ATTRIBUTE_BYTES] for k, v in sorted(attributes.items())},
        "original_b64": base64.b64encode(data[:MAX_ORIGINAL_BYTES]).decode(),
        "original_bytes": len(data),
        "original_sha256": canonical.sha256_hex(data),
    }


def _routing(attributes: Any) -> dict[str, Any]:
    """The ids that a message claims: for filters only, never trusted."""
    return {name: attributes[name][:64] for name in ("job_id", "user_id", "job_type") if name in attributes}


def _announcement(dead_letter: DeadLetter) -> dict[str, str]:
    """Attributes for filters and alerts, cut to Pub/Sub's limits."""
    names = ("code", "stage", "job_id", "user_id", "job_type", "fingerprint", "hint")
    attributes = {
        "dead_letter_schema": DEAD_SCHEMA,
        "dead_letter": f"{dead_letter.date}/{dead_letter.key}",
        "failures": str(dead_letter.failures),
        **{name: getattr(dead_letter, name) for name in names},
    }
    return {
        name: value.encode()[:ATTRIBUTE_BYTES].decode(errors="ignore") for name, value in attributes.items() if value
    }


def _key_part(message_id: str) -> str:
    # A message id becomes part of an object name: an id with other than plain characters is replaced by its digest.
    return message_id if _SAFE_KEY.match(message_id) else canonical.sha256_hex(message_id.encode())[:40]


def _trace_id(traceparent: str | None) -> str | None:
    parts = (traceparent or "").split("-")
    return parts[1] if len(parts) == 4 else None
