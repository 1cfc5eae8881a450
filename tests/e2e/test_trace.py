"""One unbroken trace from the insert to the completion, through every process; and nothing in it that is secret."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import psycopg
import pytest

from consumer import bootstrap, settings
from contract.api import EnableUserRequest
from local import seed
from local.jobs import AppJobs
from local.stack import Stack
from tests.doubles.otlp import Collector, Seen, collector
from tests.e2e import rows
from tests.e2e.conftest import CANARY_KEY, JOB_S

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

#: Texts in what the job reads.
WORDS = ("Northlight", "Kestrel", "mara.lindqvist@northlight.example")


class Traced:
    """A stack whose processes export; a backfill, which runs as an execution, and what the collector got of it."""

    def __init__(self, stack: Stack, kept: Collector) -> None:
        self.kept = kept
        with psycopg.connect(stack.dsn) as connection:
            users = seed.seed(connection, datetime.now(UTC).date())
        user = users.others[0]
        rows.thicken(stack.dsn, user.user_id)
        rows.add_item(stack.dsn, user.user_id, " ".join(WORDS))
        operations = bootstrap.operations(settings.load_operator(stack.operator_env()))
        operations.api.enable_user(EnableUserRequest(email=user.email))
        operations.close()
        jobs = AppJobs(stack.dsn)
        self.job_id = jobs.insert(user.user_id, "backfill_digest")
        self.row = jobs.wait(self.job_id, timeout_s=JOB_S)
        _, self.trace_id, self.insert_id, _ = self.row["traceparent"].split("-")
        kept.wait(lambda spans: any(s.name == "execution" for s in spans))

    @property
    def spans(self) -> list[Seen]:
        return [span for span in self.kept.spans if span.trace_id == self.trace_id]


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Traced]:
    with collector() as kept:
        environment = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": kept.endpoint,
            "OTEL_BSP_SCHEDULE_DELAY": "100",
            "OTEL_METRIC_EXPORT_INTERVAL": "1000",
            "OPENAI_API_KEY": CANARY_KEY,
        }
        with Stack(tmp_path_factory.mktemp("traced") / "state", extra_env=environment) as stack:
            trace = Traced(stack, kept)
        # The processes have ended, and sent what they had left.
        yield trace


def test_every_part_of_the_way_is_in_one_trace(traced: Traced) -> None:
    assert traced.row["status"] == "completed"
    names = {(span.service, span.name) for span in traced.spans}
    assert names >= {
        ("publisher", "publish memory_job"),
        ("consumer", "job"),
        ("consumer", "run_job"),
        ("job", "execution"),
        ("job", "control plane token"),
        ("controlplane", "api token"),
        *(("job", f"stage {name}") for name in ("hydrate", "export", "render", "index", "synthesize", "report")),
        ("job", "stage persist"),
        ("controlplane", "api batches"),
        ("job", "run hermes"),
        ("job", "model completions"),
        ("job", "control plane complete"),
        ("controlplane", "api complete"),
    }


def test_every_span_hangs_on_another_down_to_the_insert(traced: Traced) -> None:
    known = {span.span_id for span in traced.spans} | {traced.insert_id}
    loose = [(span.service, span.name) for span in traced.spans if span.parent_id not in known]
    assert loose == []
    assert {s.name for s in traced.spans if s.parent_id == traced.insert_id} == {"publish memory_job"}


def test_the_way_is_as_it_was_gone(traced: Traced) -> None:
    spans = {span.span_id: span for span in traced.spans}
    last = next(span for span in traced.spans if span.name == "api complete")
    way = []
    while last.parent_id in spans:
        last = spans[last.parent_id]
        way.append(last.name)
    assert way == ["control plane complete", "attempt", "execution", "run_job", "job", "publish memory_job"]


def test_metrics_name_what_operations_need_to_see(traced: Traced) -> None:
    names = {name.removeprefix("cloop_memory.") for name in traced.kept.metrics}
    assert names >= {
        "outcomes",
        "queue_age",
        "stage_duration",
        "gcs_requests",
        "gcs_bytes",
        "model_calls",
        "model_tokens",
        "model_cost_usd",
        "citations",
    }


def test_nothing_secret_and_nobodys_words_leave_with_the_telemetry(traced: Traced) -> None:
    exported = b"\n".join(traced.kept.raw)
    assert traced.job_id.encode() in exported
    for canary in (CANARY_KEY, *WORDS, "Bearer "):
        assert canary.encode() not in exported
    assert [span.name for span in traced.spans if span.events] == [], "an exception's text may quote anything"
