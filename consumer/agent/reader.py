"""
The reader by model: records through the gateway, in batches, each record version once.

A request holds at most 8,000 tokens of lines (consumer/understanding/modelform.py has what is asked and what of the
answer holds). An answer is stored before anything else is done with it, so a run that dies pays again at most for the
requests that were under way. What is stored are the model's words, not statements (consumer/understanding/paid.py).

A batch whose answer is no answer, or with a statement that its form does not allow, is asked again record by record,
once. A record that fails alone as well is left to the rules, for good. The reader stops asking when its share of the
job's tokens or time is spent, or when the model gives no answer: the rules read the rest, and a later run asks for it.

An answer that does not end (it was cut, or time ran out) counts against the records of its batch, and that is stored:
a later run asks about all others first, then about each of these alone. So none keeps the others from their turn.
docs/memory.md, "When the reader by model dies", has the failures one by one.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

import httpx
import orjson

from consumer import layout, paths
from consumer.agent import answers, gateway_requests
from consumer.errors import BlobNotFound, BlobUnavailable, BudgetExceeded, PreconditionFailed, ShuttingDown
from consumer.ports import BlobStore, Guard, ModelAccess, ModelCall, ModelGateway, ModelSession, ModelTags
from consumer.run import Run
from consumer.understanding import modelform, paid
from consumer.understanding.paid import PaidReading
from consumer.understanding.readers import ReadRecord, RecordReader, RulesReader, Stopped, fingerprint
from consumer.understanding.statements import Refusal
from consumer.understanding.utterances import RecordText
from contract import canonical
from contract.api import Usage
from contract.event import JobType
from service import telemetry

#: Requests under way; the gateway lets a job have so many.
AT_ONCE: Final = 4
#: Seconds for one answer. A small model needs some ten.
ANSWER_S: Final = 180.0
#: The reader's share of the time that the run has left: an hour's digest must also be written.
TIME_SHARE: Final = 0.25
#: Between two questions to the guard while answers are under way, seconds.
GUARD_S: Final = 1.0
#: So many records without a usable answer, and no usable answer at all: the model cannot do this, whatever it reads.
MOST_UNUSABLE: Final = 5
#: Answers about a record that do not end, the first beside others. After these it is left to the rules.
MOST_TRIES: Final = 4
#: Of a record that got none.
UNUSABLE: Final = (Refusal("statement", "form"),)
SCHEMA: Final = "memory.paid-readings.v1"


def _none_committed(_: str) -> bool:
    return False


@dataclass(slots=True)
class PaidReadings:
    """Answers that were paid for, in the user's prefix of the bucket, until the job that paid has committed.

    ``blobs``: the bucket narrowed to the user. One object a request, named by the job, what was read and by which
    version. ``committed``: whether a job's own answers are in the workspace that this run hydrated.
    """

    blobs: BlobStore
    user_id: str
    version: str = modelform.VERSION
    job_id: str = ""
    committed: Callable[[str], bool] = _none_committed

    def load(self) -> dict[str, PaidReading]:
        """By fingerprint of a part: what jobs paid for that have not committed. Raises BlobUnavailable.

        An object that cannot be understood counts as none. Those of jobs that have committed are deleted: the workspace
        has what they hold.
        """
        known: dict[str, PaidReading] = {}
        for stat in self.blobs.list(paths.paid_readings(self.user_id, self.version)):
            if self.committed(stat.name.rpartition("/")[2].rpartition("-")[0]):
                # One that stays is deleted by the next run, or by gc.
                with suppress(BlobNotFound, PreconditionFailed, BlobUnavailable):
                    self.blobs.delete(stat.name, if_generation=stat.generation)
                continue
            try:
                known = paid.joined(known, _decoded(self.blobs.read(stat.name).data))
            except (BlobNotFound, ValueError, LookupError, TypeError, AttributeError):
                telemetry.log("paid readings unreadable", name=stat.name, level=telemetry.WARNING)
        return known

    def store(self, readings: Mapping[str, PaidReading]) -> None:
        """Repeatable: of two answers to one batch the first stays. Raises BlobUnavailable (outcome unknown)."""
        ends = [[reading.unreadable, reading.tries] for _, reading in sorted(readings.items())]
        asked = canonical.digest([sorted(readings), ends])
        name = f"{self.job_id}-{asked.removeprefix('sha256:')}"
        path = paths.paid_readings(self.user_id, self.version, name)
        try:
            self.blobs.write(path, _encoded(readings), if_generation=0, content_type="application/json")
        except PreconditionFailed:
            return


def _nothing(_: Collection[str]) -> Mapping[str, PaidReading]:
    return {}


@dataclass(slots=True)
class ModelReader:
    """Implements consumer.understanding.readers.PayingReader, for one job while its gateway session is open.

    ``rules`` reads what the model did not. ``most_tokens``: what this reader may take of the job's tokens, in and out.
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
    part_tokens: int = modelform.PART_TOKENS
    earlier: Callable[[Collection[str]], Mapping[str, PaidReading]] = _nothing
    #: Why no more is asked; see PayingReader.
    stopped: Stopped = ""
    #: Answers of jobs that died, once they are loaded; and those of them that no record was asked for yet.
    _loaded: dict[str, PaidReading] | None = None
    _unused: set[str] = field(default_factory=set)
    #: Seconds of the run that are left when this reader's share of them is over.
    _until_s: float = 0.0
    #: Whether the model gave any usable answer; before that, nobody knows whether a record or the model is at fault.
    _usable: bool = False
    _undecided: dict[str, PaidReading] = field(default_factory=dict)
    #: Tokens of requests whose answer never came: nobody reports them, and the provider may bill them.
    _unreported: int = 0

    def __post_init__(self) -> None:
        left_s = self.guard.time_left()
        self._until_s = left_s * (1 - TIME_SHARE) if math.isfinite(left_s) else 0.0

    @property
    def exhausted(self) -> bool:
        """See PayingReader."""
        return bool(self.stopped) and self._loaded is not None and not self._unused

    def usage(self) -> Usage:
        """See PayingReader."""
        return self.session.usage()

    def read(self, records: Sequence[RecordText]) -> list[ReadRecord]:
        """See RecordReader. Raises BlobUnavailable, ProviderBusy, the guard's."""
        pieces = [modelform.parts(record, min(self.part_tokens, self.batch_tokens)) for record in records]
        wanted = {fingerprint(part): part for several in pieces for part in several}
        known = dict(self.earlier(wanted.keys())) if wanted else {}
        if any(key not in known or not known[key].is_settled for key in wanted):
            known = paid.joined(known, self._of_dead_jobs(wanted.keys()))
        unread = {key: part for key, part in wanted.items() if key not in known or not known[key].is_settled}
        if unread and not self.stopped:
            self._ask(unread, known)
        return [self._result(record, several, known) for record, several in zip(records, pieces, strict=True)]

    def _of_dead_jobs(self, wanted: Collection[str]) -> dict[str, PaidReading]:
        if self._loaded is None:
            self._loaded = self.paid.load()
            self._unused = set(self._loaded)
        self._unused -= set(wanted)
        return {key: self._loaded[key] for key in wanted if key in self._loaded}

    def _result(self, record: RecordText, parts: Sequence[RecordText], known: Mapping[str, PaidReading]) -> ReadRecord:
        """By the model where it has read every part, else by the rules; with what was paid for in either case."""
        keys = [fingerprint(part) for part in parts]
        bought = tuple((key, orjson.dumps(paid.plain(known[key]))) for key in dict.fromkeys(keys) if key in known)
        size = min(self.part_tokens, self.batch_tokens)
        noted = paid.statements(record, known, region=self.region, part_tokens=size)
        if noted is None:
            return self.rules.read([record])[0]._replace(paid=bought)
        if not noted.readable:
            # For good, and by this reader's version: asking once more would cost once more.
            return self.rules.read([record])[0]._replace(reader=self.version, refusals=noted.refusals, paid=bought)
        return ReadRecord(record, self.version, noted.statements, noted.refusals, bought)

    def _ask(self, unread: Mapping[str, RecordText], known: dict[str, PaidReading]) -> None:
        """Into ``known``, as far as the limits allow. What came before an error is stored, and the error raised."""
        limit_s = min(ANSWER_S, self.guard.time_left() - self._until_s)
        with gateway_requests.open_client(self.session.access, AT_ONCE) as client:
            pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="reader")
            try:
                _Asking(self, client, self.session.access, limit_s, pool, known).all(unread)
            finally:
                # Whoever lost the lock does not wait for answers that it may not store.
                pool.shutdown(wait=False, cancel_futures=True)


class _Answered(NamedTuple):
    """``parsed`` None: no usable answer. ``stopped``: no further request makes sense. ``is_endless``: time ran out, or
    the answer was cut.
    """

    parsed: modelform.Parsed | None
    stopped: Stopped = ""
    is_endless: bool = False
    unreported: int = 0
    failure: str = ""


#: Parts that one request is about, each with its fingerprint.
_Batch = tuple[tuple[str, RecordText], ...]


@dataclass(slots=True)
class _Asking:
    """One round of questions. Only ``_call`` runs in other threads."""

    reader: ModelReader
    client: httpx.Client
    access: ModelAccess
    limit_s: float
    pool: ThreadPoolExecutor
    known: dict[str, PaidReading]

    def all(self, unread: Mapping[str, RecordText]) -> None:
        waiting = deque((key, part) for key, part in unread.items() if key not in self.known)
        alone = deque[tuple[str, RecordText]]()
        tried = deque((key, part) for key, part in unread.items() if key in self.known)
        running: dict[Future[_Answered], _Batch] = {}
        while True:
            while len(running) < AT_ONCE and (batch := self._next(alone, waiting, tried, running=running.values())):
                self.reader.guard.check()
                parts = [part for _, part in batch]
                running[self.pool.submit(self._call, parts)] = batch
            if not running:
                break
            done, _ = wait(running, timeout=GUARD_S, return_when=FIRST_COMPLETED)
            ending: ShuttingDown | BudgetExceeded | None = None
            try:
                self.reader.guard.check()
            except (ShuttingDown, BudgetExceeded) as exc:
                # The lock is still ours, so what was paid for may be stored; after any other error it may not.
                ending = exc
            for future in done:
                batch = running.pop(future)
                answered = future.result()
                (tried if answered.is_endless else alone).extend(self._take(batch, answered))
            if ending is not None:
                raise ending
        if self.reader.stopped:
            left = sum(key not in self.known or not self.known[key].is_settled for key in unread)
            job_id = self.reader.paid.job_id
            telemetry.log(
                "reader stopped", job_id=job_id, why=self.reader.stopped, unread_parts=left, level=telemetry.WARNING
            )

    def _next(
        self,
        alone: deque[tuple[str, RecordText]],
        waiting: deque[tuple[str, RecordText]],
        tried: deque[tuple[str, RecordText]],
        *,
        running: Collection[_Batch],
    ) -> _Batch:
        """The next request's parts, as many as fit into what is left of the tokens; () where nothing is to be asked.

        ``alone``, ``waiting``, ``tried``: in their order. Only those that wait go together.
        """
        reader = self.reader
        if not reader.stopped and reader.guard.time_left() <= reader._until_s:
            reader.stopped = "time"
        source = alone or waiting or tried
        if reader.stopped or not source:
            return ()
        usage = reader.usage()
        # The gateway counts a request before its answer is here: only those under way are estimated.
        reserved = sum(modelform.cost([part for _, part in batch]) for batch in running)
        left = reader.most_tokens - usage.input_tokens - usage.output_tokens - reader._unreported - reserved
        most = len(waiting) if source is waiting else 1
        first = [part for _, part in islice(source, most)]
        room = modelform.room(left)
        count = modelform.take(first, min(reader.batch_tokens, room))
        if not count and modelform.line_tokens(first[0]) <= room:
            # A line that is longer than a batch goes alone.
            count = 1
        if not count:
            if not running:
                reader.stopped = "tokens"
            return ()
        return tuple(source.popleft() for _ in range(count))

    def _take(self, batch: _Batch, answered: _Answered) -> Sequence[tuple[str, RecordText]]:
        """Store what an answer holds; the parts that are to be asked about again, alone."""
        parsed, reader = answered.parsed, self.reader
        if answered.failure and not reader.stopped:
            _complain(reader, answered.failure)
        reader.stopped = reader.stopped or answered.stopped
        reader._unreported += answered.unreported
        reader._usable = reader._usable or parsed is not None
        if answered.is_endless:
            self._count_try(batch)
        if answered.stopped:
            return ()
        if len(batch) > 1 and (parsed is None or parsed.malformed):
            return batch
        self._settle(batch, parsed)
        if reader._usable and reader._undecided:
            self._store(reader._undecided)
            reader._undecided = {}
        return ()

    def _settle(self, batch: _Batch, parsed: modelform.Parsed | None) -> None:
        """Store an answer about one part, or a whole one about several."""
        reader, key = self.reader, batch[0][0]
        if parsed is None:
            if key not in self.known or not self.known[key].is_settled:
                reader._undecided[key] = PaidReading((), UNUSABLE, unreadable=True)
            if not reader._usable and len(reader._undecided) >= MOST_UNUSABLE and not reader.stopped:
                reader.stopped = "model"
                _complain(reader, f"no usable answer. {ASKED_OF_IT}")
        elif parsed.malformed:
            refusals = tuple(refusal for _, refusal in parsed.malformed)
            self._store({key: PaidReading(parsed.noted[0], refusals)})
        else:
            self._store({key: PaidReading(parsed.noted[place]) for place, (key, _) in enumerate(batch)})

    def _count_try(self, batch: _Batch) -> None:
        """Count an answer that did not end against its parts. One that failed alone is left to the rules if the model
        answers about others, and after MOST_TRIES in any case.
        """
        counted: dict[str, PaidReading] = {}
        for key, _ in batch:
            before = self.known.get(key)
            tries = (before.tries if before else 0) + 1
            is_last = tries >= MOST_TRIES or (tries > 1 and self.reader._usable)
            counted[key] = PaidReading((), UNUSABLE if is_last else (), unreadable=is_last, tries=tries)
        self._store(counted)

    def _store(self, readings: Mapping[str, PaidReading]) -> None:
        """The guard was asked since the answer came: who lost the lock writes nothing."""
        self.reader.paid.store(readings)
        self.known |= readings

    def _call(self, batch: Sequence[RecordText]) -> _Answered:
        body = modelform.body(self.reader.model, batch)
        response = gateway_requests.post(self.access, gateway_requests.COMPLETIONS, body, self.limit_s, self.client)
        if response.body is not None:
            content = answers.text(response.body)
            if content is None:
                return _Answered(None, is_endless=answers.is_cut(response.body))
            return _Answered(modelform.parse(content, len(batch)))
        if response.code == "model_budget_exceeded":
            return _Answered(None, "tokens")
        if response.status == httpx.codes.BAD_REQUEST:
            return _Answered(None)
        if response.is_late:
            lost = modelform.answer_tokens(batch)
            return _Answered(
                None, "model", is_endless=True, unreported=lost, failure=f"no answer in {self.limit_s:.0f} s"
            )
        return _Answered(None, "model", failure=response.failure)


#: What an operator checks first of a model that answers nothing usable.
ASKED_OF_IT: Final = "MODEL_READER must name a model that takes structured output by JSON schema"


def _complain(reader: ModelReader, what: str) -> None:
    hint = f". {ASKED_OF_IT}" if what.startswith(("400", "404")) else ""
    telemetry.log(
        f"model reader: {reader.model}: {what}{hint}; the rules read the rest",
        job_id=reader.paid.job_id,
        level=telemetry.ERROR,
    )


class _LazySession:
    """A session of the gateway that its first use opens: most runs have nothing to ask. Implements ModelSession."""

    def __init__(self, gateway: ModelGateway, tags: ModelTags, spent: Usage) -> None:
        self._open = partial(gateway.open, tags, spent)
        self._stack = ExitStack()
        self._session: ModelSession | None = None

    @property
    def access(self) -> ModelAccess:
        """Raises ToolFailed, ProviderBusy."""
        if self._session is None:
            self._session = self._stack.enter_context(self._open())
        return self._session.access

    def usage(self) -> Usage:
        return self._session.usage() if self._session else Usage()

    def calls(self) -> Sequence[ModelCall]:
        return self._session.calls() if self._session else ()

    def exceeded(self) -> str:
        return self._session.exceeded() if self._session else ""

    def check(self) -> None:
        if self._session:
            self._session.check()

    def close(self) -> None:
        self._stack.close()


@dataclass(frozen=True, slots=True)
class ReadByModel:
    """Opens a ModelReader for a run. ``most_tokens``: its share of a job's tokens, by job type."""

    gateway: ModelGateway
    #: The bucket narrowed to one user's prefix.
    bucket_of: Callable[[str], BlobStore]
    model: str
    most_tokens: Mapping[JobType, int]

    @contextmanager
    def open(
        self, run: Run, guard: Guard, earlier: Callable[[Collection[str]], Mapping[str, PaidReading]]
    ) -> Iterator[ModelReader]:
        """The calls are written beside the run's other files when the context ends, however it ends."""
        job = run.job
        session = _LazySession(self.gateway, run.tags, run.usage)
        held = PaidReadings(
            self.bucket_of(job.user_id),
            job.user_id,
            job_id=job.job_id,
            committed=lambda job_id: (run.root / layout.job_run(job_id)).is_file(),
        )
        try:
            yield ModelReader(
                session, self.model, held, RulesReader(), guard, self.most_tokens[job.job_type], earlier=earlier
            )
        finally:
            session.close()
            if calls := session.calls():
                path = run.root / layout.reader_calls(job.job_id)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(b"".join(orjson.dumps(asdict(call)) + b"\n" for call in calls))


def _encoded(readings: Mapping[str, PaidReading]) -> bytes:
    records = {key: paid.plain(reading) for key, reading in sorted(readings.items())}
    return orjson.dumps({"schema": SCHEMA, "records": records})


def _decoded(data: bytes) -> dict[str, PaidReading]:
    document: dict[str, Any] = orjson.loads(data)
    if document["schema"] != SCHEMA:
        raise ValueError("another schema")
    return {key: paid.reading_of(entry) for key, entry in document["records"].items()}
