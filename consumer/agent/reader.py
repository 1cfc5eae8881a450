"""
The reader by model: records through the gateway, in batches, each record version once.

A request holds at most 8,000 tokens of lines (consumer/understanding/modelform.py has what is asked and what of the
answer holds). An answer is stored before the next one is taken, so a run that dies has paid for nothing twice. What is
stored are the model's words, not statements: they are checked against the record whenever they are used.

A batch whose answer is no answer, or with a statement that its form does not allow, is asked again record by record,
once. A record that fails alone as well is left to the rules, for good. Where the share of the job's tokens is spent,
the rest is left to the rules too, and a later run asks the model for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import orjson

from consumer import paths
from consumer.errors import BlobNotFound, PreconditionFailed, ToolFailed
from consumer.ports import BlobStore, Guard, ModelAccess, ModelSession
from consumer.understanding import modelform
from consumer.understanding.modelform import Noted
from consumer.understanding.readers import ReadRecord, RecordReader, fingerprint
from consumer.understanding.statements import Refusal, Statement
from consumer.understanding.utterances import RecordText
from contract import canonical
from service import telemetry

#: Requests under way; the gateway lets a job have so many.
AT_ONCE: Final = 4
#: Tokens of one answer: what is noted of a batch is shorter than the batch.
ANSWER_TOKENS: Final = 12_000
#: Seconds for one answer. A small model needs some ten.
ANSWER_S: Final = 180.0
#: So many requests refused as malformed, and none accepted: the endpoint does not take this form at all.
MOST_REFUSED: Final = 5
SCHEMA: Final = "memory.paid-readings.v1"
_CODE: Final = re.compile(r"\w{1,60}", re.ASCII)


@dataclass(frozen=True, slots=True)
class PaidReading:
    """What a model noted of one part of a record. ``unreadable``: it gave no usable answer, alone as well."""

    noted: tuple[Noted, ...]
    malformed: tuple[Refusal, ...] = ()
    unreadable: bool = False


@dataclass(slots=True)
class PaidReadings:
    """Answers that were paid for, in the user's prefix of the bucket, until the run that asked has committed.

    ``blobs``: the bucket narrowed to the user. One object a batch, named by what was read and by which version.
    """

    blobs: BlobStore
    user_id: str
    version: str = modelform.VERSION

    def load(self) -> dict[str, PaidReading]:
        """By fingerprint of a part. Raises BlobUnavailable. An object that cannot be understood counts as none."""
        known: dict[str, PaidReading] = {}
        for stat in self.blobs.list(paths.paid_readings(self.user_id, self.version)):
            try:
                known |= _decoded(self.blobs.read(stat.name).data)
            except (BlobNotFound, ValueError, KeyError, TypeError):
                telemetry.log("paid readings unreadable", name=stat.name, level=30)
        return known

    def store(self, readings: Mapping[str, PaidReading]) -> None:
        """Repeatable: of two answers to one batch the first stays. Raises BlobUnavailable (outcome unknown)."""
        name = canonical.digest([sorted(readings), [reading.unreadable for _, reading in sorted(readings.items())]])
        path = paths.paid_readings(self.user_id, self.version, name.removeprefix("sha256:"))
        try:
            self.blobs.write(path, _encoded(readings), if_generation=0, content_type="application/json")
        except PreconditionFailed:
            return


def _nothing(_: Collection[str]) -> Mapping[str, bytes]:
    return {}


@dataclass(frozen=True, slots=True)
class ModelReader:
    """Implements consumer.understanding.readers.RecordReader, for one job while its gateway session is open.

    ``rules`` reads what the model did not. ``most_tokens``: what this reader may take of the job's tokens.
    ``earlier``: what ``ReadRecord.paid`` of earlier runs held, for some of the fingerprints asked for.
    """

    session: ModelSession
    model: str
    paid: PaidReadings
    rules: RecordReader
    guard: Guard
    most_tokens: int
    region: str = ""
    version: str = modelform.VERSION
    batch_tokens: int = modelform.BATCH_TOKENS
    earlier: Callable[[Collection[str]], Mapping[str, bytes]] = field(default=_nothing, repr=False)

    def read(self, records: Sequence[RecordText]) -> list[ReadRecord]:
        """See RecordReader. Raises ToolFailed, BlobUnavailable, the guard's."""
        pieces = [modelform.parts(record, self.batch_tokens) for record in records]
        wanted = {fingerprint(part): part for several in pieces for part in several}
        known = _kept(self.earlier(wanted.keys())) if wanted else {}
        if wanted.keys() - known.keys():
            known = self.paid.load() | known
        unread = {key: part for key, part in wanted.items() if key not in known}
        if unread:
            known |= self._ask(unread)
        return [self._result(record, several, known) for record, several in zip(records, pieces, strict=True)]

    def _result(self, record: RecordText, parts: Sequence[RecordText], known: Mapping[str, PaidReading]) -> ReadRecord:
        keys = [fingerprint(part) for part in parts]
        readings = [known[key] for key in keys if key in known]
        paid = tuple((key, _bytes(reading)) for key, reading in zip(keys, readings, strict=False))
        if len(readings) < len(parts):
            return self.rules.read([record])[0]
        if any(reading.unreadable for reading in readings):
            # For good, and by this reader's version: asking once more would cost once more.
            malformed = tuple(refusal for reading in readings for refusal in reading.malformed)
            return self.rules.read([record])[0]._replace(reader=self.version, refusals=malformed, paid=paid)
        statements: list[Statement] = []
        refusals: list[Refusal] = []
        for part, reading in zip(parts, readings, strict=True):
            made, refused = modelform.statements(record, part, reading.noted, region=self.region)
            statements += [statement for statement in made if statement not in statements]
            refusals += [*reading.malformed, *refused]
        return ReadRecord(record, self.version, tuple(statements), tuple(refusals), paid)

    def _ask(self, unread: Mapping[str, RecordText]) -> dict[str, PaidReading]:
        """As much as the budget allows. What came before an error is stored, and the error raised."""
        limits = httpx.Limits(max_connections=AT_ONCE)
        timeout = httpx.Timeout(ANSWER_S, connect=10.0)
        with httpx.Client(timeout=timeout, limits=limits, trust_env=False) as client:
            asking = _Asking(self, client, {id(part): key for key, part in unread.items()})
            return asking.all(list(unread.values()))


class _Spent(Exception):
    """The gateway refuses further calls: the job's budget is gone."""


@dataclass(frozen=True, slots=True)
class _BatchAnswer:
    """What was paid for, and why there is no more of it."""

    readings: dict[str, PaidReading]
    error: _Spent | ToolFailed | None = None


@dataclass(slots=True)
class _Asking:
    """One round of questions."""

    reader: ModelReader
    client: httpx.Client
    keys: Mapping[int, str]
    accepted: int = 0
    refused: int = 0

    def all(self, parts: list[RecordText]) -> dict[str, PaidReading]:
        known: dict[str, PaidReading] = {}
        waiting = modelform.batches(parts, self.reader.batch_tokens)
        began = self._tokens()
        spent = False
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="reader") as pool:
            for group in _grouped(waiting, AT_ONCE):
                self.reader.guard.check()
                if spent or self._tokens() - began >= self.reader.most_tokens:
                    spent = True
                    break
                futures = [pool.submit(self._batch, batch) for batch in group]
                error: ToolFailed | None = None
                for future in futures:
                    answer = future.result()
                    known |= self._stored(answer.readings)
                    spent = spent or isinstance(answer.error, _Spent)
                    if isinstance(answer.error, ToolFailed):
                        error = error or answer.error
                if error is not None:
                    raise error
        left = len({self.keys[id(part)] for part in parts} - known.keys())
        if spent:
            telemetry.log("reader: the share of the job's tokens is spent", unread=left, level=30)
        return known

    def _stored(self, readings: dict[str, PaidReading]) -> dict[str, PaidReading]:
        """Raises what the guard raises: who lost the lock writes nothing."""
        if readings:
            self.reader.guard.check()
            self.reader.paid.store(readings)
        return readings

    def _tokens(self) -> int:
        usage = self.reader.session.usage()
        return usage.input_tokens + usage.output_tokens

    def _batch(self, batch: Sequence[RecordText]) -> _BatchAnswer:
        """A batch, and where its answer is not of its form each of its records alone, once. Does not raise."""
        readings: dict[str, PaidReading] = {}
        try:
            parsed = self._call(batch)
            if parsed is not None and not parsed.malformed:
                return _BatchAnswer(
                    {self._key(part): PaidReading(parsed.noted[place]) for place, part in enumerate(batch)}
                )
            for part in batch:
                readings[self._key(part)] = self._alone(part)
        except (_Spent, ToolFailed) as exc:
            return _BatchAnswer(readings, exc)
        return _BatchAnswer(readings)

    def _alone(self, part: RecordText) -> PaidReading:
        parsed = self._call([part])
        if parsed is None:
            return PaidReading((), (Refusal("statement", "form"),), unreadable=True)
        return PaidReading(parsed.noted[0], tuple(refusal for _, refusal in parsed.malformed))

    def _key(self, part: RecordText) -> str:
        return self.keys[id(part)]

    def _call(self, batch: Sequence[RecordText]) -> modelform.Parsed | None:
        """The parsed answer; None for one that is none. Raises ToolFailed, _Spent."""
        access: ModelAccess = self.reader.session.access
        try:
            response = self.client.post(
                f"{access.base_url}/chat/completions",
                content=modelform.body(self.reader.model, batch, ANSWER_TOKENS),
                headers={"authorization": f"Bearer {access.token}", "content-type": "application/json"},
            )
        except httpx.HTTPError as exc:
            raise ToolFailed(f"model reader: the model gave no answer: {type(exc).__name__}") from exc
        if response.status_code == httpx.codes.OK:
            self.accepted += 1
            content = _content(response.content)
            return modelform.parse(content, len(batch)) if content is not None else None
        if _code(response.content) == "model_budget_exceeded":
            raise _Spent
        if response.status_code == httpx.codes.BAD_REQUEST:
            self.refused += 1
            if self.refused < MOST_REFUSED or self.accepted:
                return None
        raise ToolFailed(
            f"model reader: the model answered {response.status_code} {_code(response.content)}".rstrip()
            + "; MODEL_READER must name a model that takes structured output by JSON schema"
        )


def _grouped(batches: Iterator[tuple[RecordText, ...]], size: int) -> Iterator[list[tuple[RecordText, ...]]]:
    group: list[tuple[RecordText, ...]] = []
    for batch in batches:
        group.append(batch)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def _content(data: bytes) -> str | None:
    """The text of the first choice; None where it was cut, was refused, or is no text."""
    try:
        choice = orjson.loads(data)["choices"][0]
        content, finish = choice["message"]["content"], choice.get("finish_reason")
    except (orjson.JSONDecodeError, LookupError, TypeError, AttributeError):
        return None
    return content if isinstance(content, str) and finish in ("stop", None) else None


def _code(data: bytes) -> str:
    """An error's code, if it looks like one: never words of the provider's."""
    try:
        code = orjson.loads(data)["error"]["code"]
    except (orjson.JSONDecodeError, LookupError, TypeError):
        return ""
    return code if isinstance(code, str) and _CODE.fullmatch(code) else ""


def _encoded(readings: Mapping[str, PaidReading]) -> bytes:
    return orjson.dumps({"schema": SCHEMA, "records": {key: _plain(each) for key, each in sorted(readings.items())}})


def _decoded(data: bytes) -> dict[str, PaidReading]:
    document: dict[str, Any] = orjson.loads(data)
    if document["schema"] != SCHEMA:
        raise ValueError("another schema")
    return {key: _reading(entry) for key, entry in document["records"].items()}


def _bytes(reading: PaidReading) -> bytes:
    return orjson.dumps(_plain(reading))


def _kept(earlier: Mapping[str, bytes]) -> dict[str, PaidReading]:
    return {key: _reading(orjson.loads(data)) for key, data in earlier.items()}


def _plain(reading: PaidReading) -> dict[str, Any]:
    malformed = [[refusal.kind, refusal.reason] for refusal in reading.malformed]
    return {"noted": reading.noted, "malformed": malformed, "unreadable": reading.unreadable}


def _reading(entry: dict[str, Any]) -> PaidReading:
    malformed = tuple(Refusal(kind, reason) for kind, reason in entry["malformed"])
    return PaidReading(tuple(entry["noted"]), malformed, bool(entry["unreadable"]))
