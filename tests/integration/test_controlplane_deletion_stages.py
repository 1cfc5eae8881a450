"""An account is deleted while a run is in each of its stages, with a worker whose clock is ten minutes off."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from consumer.clients.controlplane import HttpControlPlane
from consumer.errors import AttemptStale
from contract.api import BatchRequest, CompleteRequest, ErasureReport, Outcome, ProgressRequest, TokenRequest
from contract.event import StageName
from tests.fixtures_controlplane import CONSUMER, World
from tests.integration.test_controlplane_deletions import (
    HOUR,
    SWEEP,
    begin,
    delete_account,
    later,
    state,
    tick,
)
from tests.integration.test_controlplane_rights_lost import Hurried, over

pytestmark = pytest.mark.integration
STAGES = ("hydrate", "export", "render", "index", "synthesize", "report", "persist")
EXPORT = BatchRequest(mode="backfill", source_keys=("user_rules",))


class Skewed(Hurried):
    """A clock that is ``by`` ahead."""

    def __init__(self, by: timedelta) -> None:
        self.by = by

    def now(self) -> datetime:
        return super().now() + self.by


@pytest.mark.parametrize("minutes", [-10, 0, 10])
@pytest.mark.parametrize("stage", STAGES)
def test_a_run_exports_no_more_is_asked_to_stop_and_may_say_how_it_ended(
    world: World, stage: StageName, minutes: int
) -> None:
    user = world.user()
    world.sql("insert into user_rules (user_id, rule_text) values (%s, 'Short sentences.')", user)
    job = world.job(user)
    clock = Skewed(timedelta(minutes=minutes))
    plane = HttpControlPlane(over(world), lambda: world.issuer.token(CONSUMER), clock)
    _, session = plane.open(job, TokenRequest(attempt=1, owner="run-1"))
    assert len(session.batch(EXPORT).records) == 1
    assert not session.progress(ProgressRequest(attempt=1, state="running", stage=stage)).cancel_requested

    delete_account(world, user)
    tick(world, SWEEP)
    assert session.progress(ProgressRequest(attempt=1, state="running", stage=stage)).cancel_requested
    for renewed in (False, True):
        if renewed:
            _, session = plane.open(job, TokenRequest(attempt=1, owner="run-1", renew=True))
        with pytest.raises(AttemptStale):
            session.batch(EXPORT)
    # Whichever comes first, the run's end or the erasure, the other finds it in order.
    later(world, "purge_after", "8 days")
    assert tick(world, HOUR)["erase"] == [user]
    assert begin(world, user)["step"] == "erase"
    outcome: Outcome = "completed" if stage == "persist" else "cancelled"
    assert session.complete(CompleteRequest(attempt=1, outcome=outcome)).status == outcome
    plane.report_erasure(user, ErasureReport(step="erase", epoch=9, objects={}))
    assert state(world, user) == "erased"
    # The second sweep waits by the database's clock alone, whatever the worker's says.
    assert tick(world, HOUR)["erase"] == []
    later(world, "erased_at", "25 hours")
    assert tick(world, HOUR)["erase"] == [user]
    plane.report_erasure(user, ErasureReport(step="sweep", epoch=9, objects={}))
    assert state(world, user) == "receipt given"


@pytest.mark.parametrize("when", ["waiting", "erased", "receipt given", "forgotten"])
def test_who_signs_up_again_gets_a_memory_of_their_own(world: World, when: str) -> None:
    """The same id within the grace is the same person back; later, and with another id, nothing of before is theirs."""
    user = world.user()
    world.job(user)
    delete_account(world, user)
    tick(world, SWEEP)
    other = world.user()
    assert other != user, "the same address, another account"
    if when != "waiting":
        later(world, "purge_after", "8 days")
        assert begin(world, user)["step"] == "erase"
        report(world, user, "erase")
    if when in ("receipt given", "forgotten"):
        later(world, "erased_at", "25 hours")
        report(world, user, "sweep")
    if when == "forgotten":
        later(world, "swept_at", "30 days")
        report(world, user, "forget")
    world.sql("insert into auth.users (id, email) values (%s, 'again@example.com')", user)
    tick(world, HOUR)
    assert state(world, user) == (
        "cancelled" if when == "waiting" else "receipt given" if when == "forgotten" else when
    )
    enabled = world.operate("POST", "/memory-users", {"email": "again@example.com"})
    if when in ("erased", "receipt given"):
        # The steps that are still to come would take what a new memory wrote.
        assert (enabled.status_code, enabled.json()["error"]["code"]) == (409, "erasure_begun")
    else:
        assert enabled.status_code == 200, enabled.text
    # The other account's memory has nothing to do with any of it.
    assert (state(world, other), world.operate("GET", f"/memory-users/{other}").json()["status"]) == (None, "enabled")


def report(world: World, user: str, step: str) -> None:
    body = {"step": step, "epoch": 9, "objects": {}}
    begun = begin(world, user)
    assert begun["step"] == step
    answer = world.call("POST", f"/memory-deletions/{user}/done", world.issuer.token(CONSUMER), body)
    assert answer.is_success, answer.text
