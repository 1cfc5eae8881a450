"""A user's cost per month: counters of real jobs on the embedded stack, times list prices.

    python -m bench.cost [--write]

Measures a backfill, an hourly digest after a morning of changes, one without changes, and an insight of the sample
user; ``--write`` keeps the counters in bench/cost_measured.yaml. Prices and how often: manifests/prices.yaml.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import psycopg
import yaml

import manifests
from consumer import bootstrap, settings
from contract.api import EnableUserRequest
from local import seed
from local.jobs import AppJobs
from local.stack import Stack

MEASURED: Final = Path(__file__).with_name("cost_measured.yaml")
PRICES: Final = Path(manifests.__file__).parent / "prices.yaml"
FREE: Final = ("objects.delete", "buckets.delete")
READS: Final = ("objects.get", "objects.download", "buckets.get")
#: Processes whose work grows with jobs, beside executions, whose starter knows their time.
PARTS: Final = ("consumer", "controlplane", "publisher")
_TICK: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Counters:
    """Of one job: bucket requests by class, body bytes, CPU of the project's processes, seconds, the model's part."""

    class_a: int
    class_b: int
    bytes_up: int
    bytes_down: int
    cpu_s: float
    wall_s: float
    model_calls: int
    tokens_in: int
    tokens_out: int

    def minus(self, other: Counters) -> Counters:
        pairs = zip(dataclasses.astuple(self), dataclasses.astuple(other), strict=True)
        return Counters(*(round(mine - theirs, 2) for mine, theirs in pairs))


# --- measuring


def measured() -> dict[str, Any]:
    """Job kind -> counters, and the bytes that the user's workspace then takes."""
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder) / "state") as stack:
        today = datetime.now(UTC)
        with psycopg.connect(stack.dsn) as connection:
            users = seed.seed(connection, today.date())
        operations = bootstrap.operations(settings.load_operator(stack.operator_env()))
        operations.api.enable_user(EnableUserRequest(email=users.main.email))
        operations.close()
        user, hour = users.main.user_id, "%Y-%m-%dT%H"
        counters_by_kind = {"backfill_digest": _run_job(stack, user, "backfill_digest", None)}
        counters_by_kind["hourly_digest without changes"] = _run_job(stack, user, "hourly_digest", today.strftime(hour))
        with psycopg.connect(stack.dsn) as connection:
            seed.insert_changes(connection, users, today.date())
        later = today + timedelta(hours=1)
        counters_by_kind["hourly_digest"] = _run_job(stack, user, "hourly_digest", later.strftime(hour))
        counters_by_kind["insight"] = _run_job(stack, user, "insight", today.strftime("%Y-%m-%d"))
        stored = sum(int(item["size"]) for item in stack.list_objects(f"users/{user}/"))
    jobs = {kind: dataclasses.asdict(counters) for kind, counters in counters_by_kind.items()}
    return {"jobs": jobs, "stored_bytes": stored}


def _run_job(stack: Stack, user: str, job_type: str, period: str | None) -> Counters:
    jobs, before, began = AppJobs(stack.dsn), _now(stack), time.monotonic()
    row = jobs.wait(jobs.insert(user, job_type, period), timeout_s=stack.patience_s)
    if row["status"] != "completed":
        raise RuntimeError(f"{job_type} ended {row['status']}: {row['error_summary']}")
    wall_s = round(time.monotonic() - began, 2)
    if manifests.pipelines()[job_type]["dispatch"] == "cloud-run-job":
        _wait_for_the_execution(stack, before.execution_s)
    usage = row["usage"]
    spent = _now(stack).counters.minus(before.counters)
    tokens = {"tokens_in": usage["input_tokens"], "tokens_out": usage["output_tokens"]}
    return dataclasses.replace(spent, wall_s=wall_s, model_calls=usage["requests"], **tokens)


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
    return Spent(Counters(a, b, up, down, cpu_s, 0.0, 0, 0, 0), execution_s)


def _cpu_s(pid: int, *, own: bool) -> float:
    """User and system time of a process and of the children that it waited for; of these alone unless ``own``."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = [int(value) for value in fields[11:15]]
    return (sum(ticks) if own else sum(ticks[2:])) / _TICK


# --- counting


@dataclass(frozen=True, slots=True)
class Cost:
    """USD."""

    run: float
    bucket: float
    #: With what earlier calls of the session sent read from the provider's prompt cache, as far as that can go.
    cached: float
    #: With every token at its full price.
    model: float

    def plus(self, other: Cost, times: float = 1) -> Cost:
        pairs = zip(dataclasses.astuple(self), dataclasses.astuple(other), strict=True)
        return Cost(*(mine + times * theirs for mine, theirs in pairs))


def of_job(counters: Counters, rates: Mapping[str, Any]) -> Cost:
    """One job. Pub/Sub and requests to Cloud Run are part of ``run``."""
    prices, run = rates["prices"], rates["run"]
    model = manifests.model_prices()[run["model"]]
    seconds = counters.wall_s + counters.model_calls * run["model_call_s"]
    instance = seconds * (run["cpus"] * prices["cpu_second"] + run["gib"] * prices["gib_second"])
    messages = run["messages_per_job"] * 1000 / 2**40 * prices["pubsub_tib"] + prices["request_million"] / 1e6
    requests = (counters.class_a * prices["class_a_million"] + counters.class_b * prices["class_b_million"]) / 1e6
    tokens = (counters.tokens_in * model["input"] + counters.tokens_out * model["output"]) / 1e6
    # A call repeats the one before it: of all that was sent, at least an average call's part was new.
    again = counters.tokens_in * (1 - 1 / max(1, counters.model_calls))
    return Cost(instance + messages, requests, tokens - again * (model["input"] - model["cached"]) / 1e6, tokens)


def of_month(jobs: Mapping[str, int], kept: Mapping[str, Any], rates: Mapping[str, Any]) -> Cost:
    """One user: what is stored, and the jobs."""
    total = Cost(0.0, kept["stored_bytes"] / 1e9 * rates["prices"]["storage_gb_month"], 0.0, 0.0)
    for kind, times in jobs.items():
        total = total.plus(of_job(Counters(**kept["jobs"][kind]), rates), times)
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
        c = Counters(**values)
        requests, moved = f"{c.class_a} + {c.class_b}", f"{(c.bytes_up + c.bytes_down) / 1e6:.2f}"
        model = f"{c.model_calls} / {c.tokens_in:,} / {c.tokens_out:,}"
        cost = of_job(c, prices())
        rest = cost.run + cost.bucket
        usd = f"{rest:.4f} + {cost.cached:.2f} to {cost.model:.2f}"
        rows.append((kind, requests, moved, f"{c.cpu_s:.1f}", f"{c.wall_s:.1f}", model, usd))
    return rows


def month_rows(measurements: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """For docs/deploy.md: a user's month."""
    rates = prices()
    rows: list[tuple[str, ...]] = []
    for name, jobs in rates["users"].items():
        cost = of_month(jobs, measurements, rates)
        often = ", ".join(f"{times} x {kind}" for kind, times in jobs.items() if times) or "none"
        model = f"{cost.cached:.0f} to {cost.model:.0f}" if cost.model else "0"
        rows.append((name, often, f"{cost.run:.2f}", f"{cost.bucket:.3f}", model))
    return rows


JOB_COLUMNS: Final = (
    "job",
    "requests A + B",
    "MB moved",
    "CPU s",
    "seconds",
    "model calls / tokens in / out",
    "USD: ours + model",
)
MONTH_COLUMNS: Final = ("user", "jobs a month", "Cloud Run", "bucket", "model (USD)")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="keep the counters in bench/cost_measured.yaml")
    args = parser.parse_args()
    measurements = measured()
    for columns, rows in ((JOB_COLUMNS, job_rows(measurements)), (MONTH_COLUMNS, month_rows(measurements))):
        table = [columns, *rows]
        widths = [max(len(row[at]) for row in table) for at in range(len(columns))]
        for row in table:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
        print()
    if args.write:
        MEASURED.write_text("# By `make cost ARGS=--write`.\n" + yaml.safe_dump(measurements, sort_keys=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
