"""What is said of a message that is no event."""

from __future__ import annotations

import orjson
import pytest

from contract.event import JOB_SCHEMA, TICK_SCHEMA, EventError, decode_job, decode_tick

#: Nine faults: all fields of a job are wrong.
FIELDS = (
    *("job_id", "user_id", "workspace_id", "job_type", "runtime_profile", "template_version", "period"),
    *("requested_at", "from_stage"),
)
PRIVATE = "The surgery is on Friday"


def test_a_refused_job_names_its_first_eight_faults_and_nothing_of_what_it_held() -> None:
    body = {"schema": JOB_SCHEMA, **{name: [PRIVATE] for name in FIELDS}}
    with pytest.raises(EventError) as refused:
        decode_job(orjson.dumps(body), {})
    assert [fault.partition(":")[0] for fault in str(refused.value).split("; ")] == list(FIELDS[:8])
    assert PRIVATE not in str(refused.value)


def test_a_refused_tick_says_nothing_of_what_it_held() -> None:
    with pytest.raises(EventError) as refused:
        decode_tick(orjson.dumps({"schema": TICK_SCHEMA, "kind": PRIVATE}))
    assert str(refused.value).startswith("kind: ")
    assert PRIVATE not in str(refused.value)
