"""A user's cost per month: counters of real jobs on the embedded stack, times list prices.

    python -m bench.cost [--write] [--dream]

Measures a backfill, an hourly digest after a morning of changes, one after ten mails in an hour, one without changes,
and an insight of the sample user, always as on the same day at the same hours. The agent is the real Hermes; its model
is the offline one, whose requests and answers the gateway counts. What the offline model cannot do (read records, judge
claims, embed) is computed from what the job read and claimed, and a question to memory from its bounds. A dream needs a
real GBrain (GBRAIN_BIN), which gets a stack of its own; without one, its kept counters are used, or its whole budget if
there are none. ``--dream``: measure only the dream. ``--write`` keeps the counters in bench/cost_measured.yaml. Prices,
how often, and every assumption are in manifests/prices.yaml and are printed below the tables.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson
import psycopg
import yaml

import manifests
from consumer import bootstrap, layout, settings
from consumer.reports import asking
from consumer.repository.reading import Reader
from consumer.settings.table import variables
from consumer.understanding import askform, judgeform
from consumer.understanding.askform import ShownPassage
from consumer.understanding.support import Question
from contract.api import EnableUserRequest
from local import seed
from local.jobs import AppJobs
from local.model import tokens
from local.stack import Stack

MEASURED: Final = Path(__file__).with_name("cost_measured.yaml")
PRICES: Final = Path(manifests.__file__).parent / "prices.yaml"
FREE: Final = ("objects.delete", "buckets.delete")
READS: Final = ("objects.get", "objects.download", "buckets.get")
#: The user's day in all measurements. A job takes its time from its period, unless it was requested in it: so a day
#: that is past makes what is told, and whether it is night, the same whenever this runs. The story ends on a Saturday.
DAY: Final = date(2025, 11, 29)
#: A question to memory, among a month's jobs.
ASK: Final = "ask"
#: The brain's nightly upkeep. Its questions have no common prefix that a provider could cache.
DREAM: Final = "dream"
#: Seconds that a job may take on a machine that does other work as well.
JOB_S: Final = 1_200
#: Processes whose work grows with jobs, beside executions, whose starter knows their time.
PARTS: Final = ("consumer", "controlplane", "publisher")
#: A provider caches prompts from this length on.
CACHED_FROM: Final = 1_024
_TICK: Final = os.sysconf("SC_CLK_TCK")


#: Tokens (in, out) of each request of a session, in order.
Requests = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Counters:
    """Of one job: bucket requests by class, body bytes, CPU of the project's processes, seconds, and its model use.

    ``agent``: tokens (in, out) of each of the agent's requests, in order. ``subagents``: the same for each subagent.
    ``evidence_tokens``: tokens of the new records. ``judged``: tokens (in, out) of the question to a judge about its
    claims.
    """

    class_a: int = 0
    class_b: int = 0
    bytes_up: int = 0
    bytes_down: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    agent: Requests = ()
    subagents: tuple[Requests, ...] = ()
    evidence_tokens: int = 0
    judged: tuple[int, int] = (0, 0)

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Counters:
        """From a row of bench/cost_measured.yaml."""
        agent, *subagents = (
            tuple((given, written) for given, written in session)
            for session in (values["agent"], *values.get("subagents", ()))
        )
        return cls(**{**values, "agent": agent, "subagents": tuple(subagents), "judged": tuple(values["judged"])})

    @property
    def sessions(self) -> tuple[Requests, ...]:
        """Of the agent and its subagents."""
        return (self.agent, *self.subagents)

    @property
    def requests(self) -> int:
        return sum(map(len, self.sessions))

    @property
    def tokens_in(self) -> int:
        return sum(map(given, self.sessions))

    @property
    def tokens_out(self) -> int:
        return sum(map(written, self.sessions))

    def minus(self, other: Counters) -> Counters:
        """What was used since ``other``, without the model's part."""
        names = ("class_a", "class_b", "bytes_up", "bytes_down", "cpu_s", "wall_s")
        return Counters(**{name: round(getattr(self, name) - getattr(other, name), 2) for name in names})


def given(session: Requests) -> int:
    return sum(tokens_in for tokens_in, _ in session)


def written(session: Requests) -> int:
    return sum(tokens_out for _, tokens_out in session)


def repeated(session: Requests) -> int:
    """Tokens that a request repeats from the previous request, which a provider can cache."""
    return sum(tokens_in for tokens_in, _ in session[:-1] if tokens_in >= CACHED_FROM)


# --- measuring


def measured() -> dict[str, Any]:
    """Job kind -> counters, and the bytes that the user's workspace then takes."""
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder) / "state", gbrain="") as stack:
        with psycopg.connect(stack.dsn) as connection:
            users = seed.seed(connection, DAY)
        operations = bootstrap.operations(settings.load_operator(stack.operator_env()))
        operations.api.enable_user(EnableUserRequest(email=users.main.email))
        user = users.main.user_id

        def run_job(job_type: str, period: str | None) -> Counters:
            return _run_job(stack, operations, user, job_type, period)

        counters_by_kind = {"backfill_digest": run_job("backfill_digest", f"{DAY}")}
        counters_by_kind["hourly_digest without changes"] = run_job("hourly_digest", f"{DAY}T13")
        with psycopg.connect(stack.dsn) as connection:
            seed.insert_changes(connection, users, DAY)
        counters_by_kind["hourly_digest after a morning"] = run_job("hourly_digest", f"{DAY}T14")
        with psycopg.connect(stack.dsn) as connection:
            seed.insert_busy_hour(connection, users, DAY)
        # The one that months are counted with: ten new records, and an agent that is asked about them.
        counters_by_kind["hourly_digest"] = run_job("hourly_digest", f"{DAY}T15")
        counters_by_kind["insight"] = run_job("insight", f"{DAY}")
        operations.close()
        stored = sum(int(item["size"]) for item in stack.list_objects(f"users/{user}/"))
    return {"jobs": {kind: _plain(counters) for kind, counters in counters_by_kind.items()}, "stored_bytes": stored}


def measured_dream(gbrain: str) -> dict[str, Any]:
    """The counters of a dream after a backfill and a busy hour. ``gbrain``: the executable."""
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder) / "state", gbrain=gbrain) as stack:
        with psycopg.connect(stack.dsn) as connection:
            users = seed.seed(connection, DAY)
        operations = bootstrap.operations(settings.load_operator(stack.operator_env()))
        operations.api.enable_user(EnableUserRequest(email=users.main.email))
        user = users.main.user_id
        _run_job(stack, operations, user, "backfill_digest", f"{DAY}")
        with psycopg.connect(stack.dsn) as connection:
            seed.insert_busy_hour(connection, users, DAY)
        _run_job(stack, operations, user, "hourly_digest", f"{DAY}T15")
        counters = _run_job(stack, operations, user, DREAM, f"{DAY}")
        operations.close()
    return _plain(counters)


def _plain(counters: Counters) -> dict[str, Any]:
    """As YAML holds it, which knows no tuples."""
    plain: dict[str, Any] = orjson.loads(orjson.dumps(dataclasses.asdict(counters)))
    return plain


def _run_job(stack: Stack, operations: bootstrap.Operations, user: str, job_type: str, period: str | None) -> Counters:
    jobs, before, began = AppJobs(stack.dsn), _now(stack), time.monotonic()
    row = jobs.wait(jobs.insert(user, job_type, period), timeout_s=JOB_S)
    if row["status"] != "completed":
        raise RuntimeError(f"{job_type} ended {row['status']}: {row['error_summary']}")
    wall_s = round(time.monotonic() - began, 2)
    if manifests.pipelines()[job_type]["dispatch"] == "cloud-run-job":
        _wait_for_the_execution(stack, before.execution_s)
    spent = _now(stack).counters.minus(before.counters)
    spent = dataclasses.replace(spent, wall_s=wall_s)
    if row["usage"]["requests"] == 0:
        return spent
    if job_type == DREAM:
        return dataclasses.replace(spent, agent=_questions(operations.workspaces.of(user).reader(), str(row["id"])))
    counted = _model_use(operations.workspaces.of(user).reader(), str(row["id"]))
    # With GBrain, only the job's usage counts the index stage's embeddings.
    if not stack.gbrain and (counted.tokens_in, counted.tokens_out) != (
        row["usage"]["input_tokens"],
        row["usage"]["output_tokens"],
    ):
        raise RuntimeError(f"{job_type}: its list of model calls and its usage differ")
    return dataclasses.replace(
        spent,
        agent=counted.agent,
        subagents=counted.subagents,
        evidence_tokens=counted.evidence_tokens,
        judged=counted.judged,
    )


def _questions(reader: Reader, job_id: str) -> tuple[tuple[int, int], ...]:
    """Tokens (in, out) of each question of a dream. Its embeddings are left out: it embeds only pages that it overwrote
    and restored.
    """
    calls = [orjson.loads(line) for line in reader.read(layout.model_calls(job_id)).splitlines()]
    asked = [call for call in calls if call["path"].endswith("/chat/completions")]
    return tuple((call["input_tokens"], call["output_tokens"]) for call in asked)


def _model_use(reader: Reader, job_id: str) -> Counters:
    """The model's part of one job, from what the job left in the workspace."""
    calls = [orjson.loads(line) for line in reader.read(layout.model_calls(job_id)).splitlines()]
    summary = orjson.loads(reader.read(layout.job_run(job_id)))
    exported = summary["counts"].get("exported", {}).get("bytes_by_source", {})
    claims = orjson.loads(reader.read(layout.synthesis(job_id)))["claims"]
    questions = [
        Question(claim["text"], tuple((cited["page"], cited["quote"]) for cited in claim["citations"]))
        for claim in claims
    ]
    asked = tokens(judgeform.body("m", questions, 0).decode()) if questions else 0
    sessions: dict[str, Requests] = {"": ()}
    for call in calls:
        name = call.get("subagent", "")
        sessions[name] = (*sessions.get(name, ()), (call["input_tokens"], call["output_tokens"]))
    return Counters(
        agent=sessions.pop(""),
        subagents=tuple(sessions.values()),
        evidence_tokens=sum(exported.values()) // 4,
        judged=(asked, prices()["assumed"]["judge_tokens_a_claim"] * len(questions)),
    )


def _wait_for_the_execution(stack: Stack, before_s: float) -> None:
    """Its time is known once it has ended, a moment after its job. Raises TimeoutError."""
    until = time.monotonic() + 60
    while _cpu_s(stack.parts["cloudrun"].pid, own=False) == before_s:
        if time.monotonic() > until:
            raise TimeoutError("the execution did not end within 60 s")
        time.sleep(0.1)


@dataclass(frozen=True, slots=True)
class Spent:
    """All resources used so far, except for time and the model's part."""

    counters: Counters
    execution_s: float


def _now(stack: Stack) -> Spent:
    a = b = up = down = 0
    for call, part in stack.bucket_stats()["by_call"].items():
        a += part["requests"] if call not in READS and call not in FREE else 0
        b += part["requests"] if call in READS else 0
        up, down = up + part["bytes_in"], down + part["bytes_out"]
    execution_s = _cpu_s(stack.parts["cloudrun"].pid, own=False)
    cpu_s = execution_s + sum(_cpu_s(stack.parts[name].pid, own=True) for name in PARTS)
    return Spent(Counters(a, b, up, down, cpu_s), execution_s)


def _cpu_s(pid: int, *, own: bool) -> float:
    """User and system time of a process and of the children that it waited for; of these alone unless ``own``."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = [int(value) for value in fields[11:15]]
    return (sum(ticks) if own else sum(ticks[2:])) / _TICK


# --- counting


class ModelUse(NamedTuple):
    """One purpose's tokens in a job. ``cached``: of ``given``, those that a provider's prompt cache can serve."""

    purpose: str
    model: str
    given: int
    cached: int
    written: int

    def usd(self, *, cache: bool) -> float:
        """At list prices, with or without the provider's prompt cache."""
        price = manifests.model_prices()[self.model]
        cached = self.cached if cache else 0
        return (
            (self.given - cached) * price["input"] + cached * price["cached"] + self.written * price["output"]
        ) / 1e6


@dataclass(frozen=True, slots=True)
class Cost:
    """USD. ``models``: by purpose, (with the provider's prompt cache, with every token at its full price)."""

    run: float
    bucket: float
    models: Mapping[str, tuple[float, float]] = dataclasses.field(default_factory=dict)

    @property
    def cached(self) -> float:
        return sum(cached for cached, _ in self.models.values())

    @property
    def model(self) -> float:
        return sum(full for _, full in self.models.values())

    @property
    def total(self) -> tuple[float, float]:
        """Everything, with the provider's prompt cache and without."""
        return self.run + self.bucket + self.cached, self.run + self.bucket + self.model

    def plus(self, other: Cost, times: float = 1) -> Cost:
        purposes = dict.fromkeys((*self.models, *other.models))
        nothing = (0.0, 0.0)

        def summed(purpose: str) -> tuple[float, float]:
            mine, theirs = self.models.get(purpose, nothing), other.models.get(purpose, nothing)
            return mine[0] + times * theirs[0], mine[1] + times * theirs[1]

        models = {purpose: summed(purpose) for purpose in purposes}
        return Cost(self.run + times * other.run, self.bucket + times * other.bucket, models)


def model_names() -> dict[str, str]:
    """The models that a consumer uses unless its settings say otherwise, by the name of the setting."""
    return {variable.name: str(variable.default) for variable in variables() if "MODEL" in variable.name}


def question(rates: Mapping[str, Any]) -> Counters:
    """A question that facts do not answer, at its bounds: every passage and record that a model may be shown, each of
    full length, and a judge that is asked about each sentence of the answer.
    """
    assumed = rates["assumed"]
    passage = ShownPassage("x" * 60, f"{DAY}", "inbound_messages", "x" * askform.PASSAGE_CHARS)
    record = ShownPassage("", f"{DAY}", "inbound_messages", "x" * asking.RECORD_CHARS, "x" * askform.UNDERSTOOD_CHARS)
    shown = [passage] * asking.PASSAGES + [record] * (2 * asking.RECORDS)
    body = askform.body("m", "x" * 80, f"{DAY}", shown, 0)
    sentence = Question("x" * 120, (("x" * 60, "x" * 200),))
    sentences = assumed["ask_sentences"]
    judged = tokens(judgeform.body("m", [sentence] * sentences, 0).decode())
    return Counters(
        wall_s=assumed["ask_s"],
        agent=((tokens(body.decode()), assumed["ask_tokens_a_sentence"] * sentences),),
        judged=(judged, assumed["judge_tokens_a_claim"] * sentences),
    )


def model_use(kind: str, counters: Counters, rates: Mapping[str, Any]) -> Iterator[ModelUse]:
    """What each purpose takes of a job. ``kind``: a job type, perhaps with words after it, or ASK."""
    names, assumed, evidence = model_names(), rates["assumed"], counters.evidence_tokens
    if kind == ASK:
        yield ModelUse("ask", names["MODEL_SMALL"], given(counters.agent), 0, written(counters.agent))
        yield ModelUse("judge", names["MODEL_JUDGE"], counters.judged[0], 0, counters.judged[1])
        return
    if kind == DREAM:
        yield ModelUse(DREAM, names["MODEL_SMALL"], given(counters.agent), 0, written(counters.agent))
        return
    size = manifests.pipelines()[kind.split(maxsplit=1)[0]]["agent"]["model"]
    agent = names["MODEL" if size == "large" else "MODEL_SMALL"]
    yield ModelUse("agent", agent, given(counters.agent), repeated(counters.agent), written(counters.agent))
    if subagents := counters.subagents:
        parts = (sum(map(count, subagents)) for count in (given, repeated, written))
        yield ModelUse("subagents", agent, *parts)
    share = manifests.limits()["reader_tokens_per_backfill" if "backfill" in kind else "reader_tokens_per_job"]
    read = round(evidence * assumed["reader_tokens_in_a_token"])
    noted = round(evidence * assumed["reader_tokens_out_a_token"])
    # What exceeds the share waits for the next jobs, which have less to read.
    part = min(1.0, share / (read + noted)) if read + noted else 0.0
    yield ModelUse("reader", names["MODEL_READER"], round(read * part), 0, round(noted * part))
    yield ModelUse("judge", names["MODEL_JUDGE"], counters.judged[0], 0, counters.judged[1])
    embedded = round(evidence * assumed["embedded_tokens_a_token"])
    yield ModelUse("embeddings", names["EMBEDDING_MODEL"], embedded, 0, 0)


def of_job(kind: str, counters: Counters, rates: Mapping[str, Any]) -> Cost:
    """One job. Pub/Sub and requests to Cloud Run are part of ``run``."""
    prices, run = rates["prices"], rates["run"]
    seconds = counters.wall_s + counters.requests * run["model_call_s"]
    instance = seconds * (run["cpus"] * prices["cpu_second"] + run["gib"] * prices["gib_second"])
    messages = run["messages_per_job"] * 1000 / 2**40 * prices["pubsub_tib"] + prices["request_million"] / 1e6
    requests = (counters.class_a * prices["class_a_million"] + counters.class_b * prices["class_b_million"]) / 1e6
    models = {use.purpose: (use.usd(cache=True), use.usd(cache=False)) for use in model_use(kind, counters, rates)}
    return Cost(instance + messages, requests, models)


def dream_at_most(rates: Mapping[str, Any]) -> Cost:
    """A dream that spends its whole budget, for a month's cost until a dream is measured."""
    run, prices, limits = rates["run"], rates["prices"], manifests.limits()
    second = run["cpus"] * prices["cpu_second"] + run["gib"] * prices["gib_second"]
    return Cost(rates["assumed"]["dream_s"] * second, 0.0, {DREAM: (limits["dream_cost"], limits["dream_cost"])})


def of_month(jobs: Mapping[str, int], kept: Mapping[str, Any], rates: Mapping[str, Any]) -> Cost:
    """One user: what is stored, and the jobs."""
    total = Cost(0.0, kept["stored_bytes"] / 1e9 * rates["prices"]["storage_gb_month"])
    for kind, times in jobs.items():
        if kind == DREAM and DREAM not in kept["jobs"]:
            total = total.plus(dream_at_most(rates), times)
            continue
        counters = question(rates) if kind == ASK else Counters.read(kept["jobs"][kind])
        total = total.plus(of_job(kind, counters, rates), times)
    return total


def prices() -> dict[str, Any]:
    """manifests/prices.yaml."""
    document: dict[str, Any] = yaml.safe_load(PRICES.read_text(encoding="utf-8"))
    return document


def kept() -> dict[str, Any]:
    """The counters of bench/cost_measured.yaml."""
    document: dict[str, Any] = yaml.safe_load(MEASURED.read_text(encoding="utf-8"))
    return document


def job_rows(measurements: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """For docs/deploy.md: a job's counters and its cost."""
    rows: list[tuple[str, ...]] = []
    for kind, values in measurements["jobs"].items():
        c = Counters.read(values)
        requests, moved = f"{c.class_a} + {c.class_b}", f"{(c.bytes_up + c.bytes_down) / 1e6:.2f}"
        cost = of_job(kind, c, prices())
        ours = f"{cost.run + cost.bucket:.4f}"
        rows.append(
            (kind, requests, moved, f"{c.cpu_s:.1f}", f"{c.wall_s:.1f}", ours, _range(cost.cached, cost.model, 3))
        )
    return rows


def token_rows(measurements: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """For docs/deploy.md: where a job's tokens go."""
    rows: list[tuple[str, ...]] = []
    several = {kind: Counters.read(values) for kind, values in measurements["jobs"].items()}
    for kind, c in (several | {ASK: question(prices())}).items():
        for use in model_use(kind, c, prices()):
            if not use.given:
                continue
            requests = _requests(use.purpose, c)
            usd = _range(use.usd(cache=True), use.usd(cache=False), 4)
            tokens_of = (f"{use.given:,}", f"{use.cached:,}", f"{use.written:,}")
            rows.append((kind, use.purpose, use.model, requests, *tokens_of, usd))
    return rows


def _requests(purpose: str, counters: Counters) -> str:
    if purpose == "subagents":
        return " + ".join(str(len(session)) for session in counters.subagents)
    return str(len(counters.agent)) if purpose in ("agent", ASK, DREAM) else ""


def month_rows(measurements: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """For docs/deploy.md: a user's month."""
    rates = prices()
    rows: list[tuple[str, ...]] = []
    for name, jobs in rates["users"].items():
        cost = of_month(jobs, measurements, rates)
        often = ", ".join(f"{times} x {kind}" for kind, times in jobs.items() if times) or "none"
        models = [_range(*cost.models.get(purpose, (0.0, 0.0)), 2) for purpose in PURPOSES]
        rows.append((name, often, f"{cost.run:.2f}", f"{cost.bucket:.3f}", *models, _range(*cost.total, 2)))
    return rows


def assumptions(measurements: Mapping[str, Any]) -> list[str]:
    """What the tables assume, one sentence each."""
    rates = prices()
    assumed, run = rates["assumed"], rates["run"]
    turns = ", ".join(
        f"{kind} {len(values['agent'])}" for kind, values in measurements["jobs"].items() if values["agent"]
    )
    return [
        f"The agent's requests are those that the offline model makes through the real Hermes ({turns}); a real model"
        " may make more, up to max_turns in manifests/pipelines.yaml, and writes more or less.",
        "A token is four characters; a request counts its system prompt, its tool schemas and all messages.",
        "With the cache, a request pays the cached price for all that the request before it sent, if that was at least"
        f" {CACHED_FROM:,} tokens; nothing is taken as cached between jobs.",
        f"The reader by model takes {assumed['reader_tokens_in_a_token']} tokens in and"
        f" {assumed['reader_tokens_out_a_token']} out for each token of the exported records, within its share"
        " (manifests/limits.yaml). No model read here.",
        f"The judge is asked about every claim and answers with {assumed['judge_tokens_a_claim']} tokens for each. No"
        " model judged here.",
        f"A dream is counted at its whole budget ({manifests.limits()['dream_cost']} USD) and {assumed['dream_s']} s of"
        " an instance, unless one was measured with a real GBrain (GBRAIN_BIN).",
        f"Embeddings take {assumed['embedded_tokens_a_token']} token for each token of the exported records.",
        f"A question to memory (ask) that facts do not answer shows a model {asking.PASSAGES} passages of"
        f" {askform.PASSAGE_CHARS:,} characters and {2 * asking.RECORDS} records of {asking.RECORD_CHARS}, the most"
        f" that one may. It answers with {assumed['ask_sentences']}"
        f" sentences of {assumed['ask_tokens_a_sentence']} tokens with their quotes, and takes {assumed['ask_s']} s"
        " besides the model. No model answered here.",
        "Every hour with news asks the agent. Hours that need no judgement do not, and cost nothing but the reader and"
        " the embeddings.",
        f"A call to a real model takes {run['model_call_s']} s, in which the instance is paid for.",
        "Models: "
        + ", ".join(f"{name}={model}" for name, model in model_names().items() if model in manifests.model_prices())
        + ".",
    ]


def _range(low: float, high: float, digits: int) -> str:
    """``0.01 to 0.02``, or one figure where both are the same."""
    first, last = f"{low:.{digits}f}", f"{high:.{digits}f}"
    return first if first == last else f"{first} to {last}"


PURPOSES: Final = ("agent", "subagents", "reader", "judge", "embeddings", ASK, DREAM)
JOB_COLUMNS: Final = ("job", "requests A + B", "MB moved", "CPU s", "seconds", "USD: ours", "USD: models")
TOKEN_COLUMNS: Final = ("job", "purpose", "model", "requests", "tokens in", "of these repeated", "tokens out", "USD")
MONTH_COLUMNS: Final = ("user", "jobs a month", "Cloud Run", "bucket", *PURPOSES, "USD in all")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="keep the counters in bench/cost_measured.yaml")
    parser.add_argument(
        "--dream", action="store_true", help="measure only the dream; use the stored counters of the other jobs"
    )
    args = parser.parse_args()
    gbrain = os.environ.get("GBRAIN_BIN", "")
    if args.dream and not gbrain:
        parser.error("--dream needs a real GBrain: set GBRAIN_BIN to its executable")
    measurements = kept() if args.dream else measured()
    if gbrain:
        measurements["jobs"][DREAM] = measured_dream(gbrain)
    elif DREAM in kept()["jobs"]:
        measurements["jobs"][DREAM] = kept()["jobs"][DREAM]
    tables = (
        (JOB_COLUMNS, job_rows(measurements)),
        (TOKEN_COLUMNS, token_rows(measurements)),
        (MONTH_COLUMNS, month_rows(measurements)),
    )
    for columns, rows in tables:
        table = [columns, *rows]
        widths = [max(len(row[at]) for row in table) for at in range(len(columns))]
        for row in table:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
        print()
    print("Assumptions:")
    for sentence in assumptions(measurements):
        print(f"- {sentence}")
    if args.write:
        MEASURED.write_text("# By `make cost ARGS=--write`.\n" + yaml.safe_dump(measurements, sort_keys=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
