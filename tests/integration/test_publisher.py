"""From an INSERT to a message: the publisher over a real database and the Pub/Sub server, and when either goes away."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from google.pubsub_v1 import PublisherClient, SubscriberClient
from google.pubsub_v1.services.publisher.transports import PublisherGrpcTransport
from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcTransport
from grpc import insecure_channel
from psycopg.conninfo import make_conninfo
from psycopg.rows import dict_row

from contract.event import JobEvent, decode_job
from local.faults import tcp_proxy
from local.logins import RELAY
from local.pubsub import server
from local.serving import Background
from publisher.batch import Message
from publisher.outbox import Outbox, connect
from publisher.relay import BATCH, SILENT_S, OutboxRelay
from publisher.topic import JobsTopic
from publisher.webhook import RIGHTS_KEEP_S, Nudge, Rights
from tests.cases import cases
from tests.fixtures_postgres import as_login
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.integration
TOPIC = "projects/p/topics/memory-jobs"
SUBSCRIPTION = "projects/p/subscriptions/test"
SECRET = "a-secret-of-enough-letters"


@dataclass
class Table:
    """memory_jobs as clo0p-app and the control plane use it. ``dsn`` is the publisher's, with that role's rights."""

    db: psycopg.Connection[dict[str, Any]]
    dsn: str

    def user(self, email: str) -> str:
        [row] = self.sql("insert into auth.users (email) values (%s) returning id", email)
        user_id = str(row["id"])
        uri = f"gs://bucket/users/{user_id}/"
        self.sql("insert into memory_workspaces (user_id, workspace_uri) values (%s, %s)", user_id, uri)
        return user_id

    def job(self, user_id: str, **columns: Any) -> str:
        columns = {"user_id": user_id, "job_type": "insight", **columns}
        names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
        [row] = self.sql(f"insert into memory_jobs ({names}) values ({marks}) returning id", *columns.values())
        return str(row["id"])

    def set(self, job_id: str, changes: str) -> None:
        self.sql(f"update memory_jobs set {changes} where id = %s", job_id)

    def unpublished(self) -> int:
        return int(self.sql("select count(*) as n from memory_outbox where published_at is null")[0]["n"])

    def sql(self, query: str, *values: Any) -> list[dict[str, Any]]:
        cursor = self.db.execute(query.encode(), values or None)
        return cursor.fetchall() if cursor.description else []


@dataclass
class Bus:
    """The jobs topic and one pull subscription on it, in order."""

    address: str

    def __post_init__(self) -> None:
        self.channel = insecure_channel(self.address)
        self.publisher = PublisherClient(transport=PublisherGrpcTransport(channel=self.channel))
        self.subscriber = SubscriberClient(transport=SubscriberGrpcTransport(channel=self.channel))

    def create(self, *, ordered: bool = True) -> None:
        """``ordered=False`` shows the order in which the topic took the messages, a thousand a pull."""
        self.publisher.create_topic(name=TOPIC)
        wanted = {
            "name": SUBSCRIPTION,
            "topic": TOPIC,
            "enable_message_ordering": ordered,
            "ack_deadline_seconds": 600,
        }
        self.subscriber.create_subscription(request=wanted)

    def events(self, count: int) -> list[JobEvent]:
        """So many events, acked, in the order of their arrival."""
        events: list[JobEvent] = []
        deadline = time.monotonic() + PATIENCE_S
        while len(events) < count and time.monotonic() < deadline:
            events += self.pull()
        assert len(events) == count
        return events

    def pull(self) -> list[JobEvent]:
        request = {"subscription": SUBSCRIPTION, "max_messages": 1000}
        received = self.subscriber.pull(request=request, timeout=PATIENCE_S).received_messages
        if received:
            self.subscriber.acknowledge(subscription=SUBSCRIPTION, ack_ids=[message.ack_id for message in received])
        return [decode_job(message.message.data, dict(message.message.attributes)) for message in received]


@dataclass
class Recorder:
    """A topic that confirms what the test lets it, and remembers what it was asked."""

    asked: list[str] = field(default_factory=list)
    confirms: Callable[[Message], bool] = lambda _: True

    def publish_all(self, messages: Sequence[Message]) -> Mapping[int, str]:
        self.asked += [message.job_id for message in messages]
        return {message.outbox_id: f"m{message.outbox_id}" for message in messages if self.confirms(message)}


@pytest.fixture
def table(database: str) -> Iterator[Table]:
    with psycopg.connect(database, autocommit=True, row_factory=dict_row) as db:
        yield Table(db, as_login(database, RELAY))


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bus]:
    with Background(partial(server.start, tmp_path)) as running:
        monkeypatch.setenv("PUBSUB_EMULATOR_HOST", running.address)
        made = Bus(running.address)
        yield made
        made.channel.close()


@contextmanager
def running(relay: OutboxRelay) -> Iterator[OutboxRelay]:
    worker = threading.Thread(target=relay.run)
    worker.start()
    try:
        yield relay
    finally:
        relay.stop()
        worker.join(PATIENCE_S)
        assert not worker.is_alive()


def make(table: Table, topic: Any, poll_s: float = 60.0, stale_s: float = 180.0) -> OutboxRelay:
    return OutboxRelay(lambda: Outbox(connect(table.dsn)), topic, time.monotonic, poll_s=poll_s, stale_s=stale_s)


def test_an_insert_becomes_a_message_without_any_poll(table: Table, bus: Bus) -> None:
    bus.create()
    user = table.user("ada@example.com")
    topic = JobsTopic(TOPIC)
    with running(make(table, topic)) as relay:
        until(lambda: relay.state == "leading")
        jobs = [table.job(user, period=f"2026-11-{day:02}") for day in range(1, 6)]
        events = bus.events(5)
        assert [event.job_id for event in events] == jobs
        assert {event.user_id for event in events} == {user}
        until(lambda: table.unpublished() == 0)
    rows = table.sql(
        "select o.message_id, o.attempts, j.published_at from memory_outbox o join memory_jobs j on j.id = job_id"
    )
    assert all(row["message_id"] and row["published_at"] and row["attempts"] == 1 for row in rows)
    topic.close()


def test_a_relay_does_not_wake_itself(table: Table) -> None:
    outbox, other = Outbox(connect(table.dsn)), Outbox(connect(table.dsn))
    with outbox.connection, other.connection:
        outbox.listen()
        assert outbox.enqueue_due() == outbox.enqueue_stale(600) == 0
        assert not outbox.wait(0.3)
        other.nudge()
        assert outbox.wait(PATIENCE_S)
        outbox.nudge()
        other.nudge()
        assert outbox.wait(PATIENCE_S) or outbox.wait(PATIENCE_S)
        assert not outbox.wait(0.1)


@pytest.mark.properties
def test_thousands_of_jobs_in_one_statement_are_each_published_once(table: Table, bus: Bus) -> None:
    """In no order within a user: messages have no ordering key, and a batch goes out in requests side by side."""
    each = cases(100)
    bus.create(ordered=False)
    users = [table.user(f"user{n}@example.com") for n in range(20)]
    table.sql(
        "insert into memory_jobs (user_id, job_type, requested_at) select u, 'insight', "
        "timestamptz '2026-11-01' + make_interval(secs => n) from unnest(%s::uuid[]) u, generate_series(1, %s) n",
        users,
        each,
    )
    topic = JobsTopic(TOPIC)
    assert make(table, topic).once() == 20 * each > 3 * BATCH
    assert table.unpublished() == 0
    events = bus.events(20 * each)
    assert Counter(event.user_id for event in events) == Counter(dict.fromkeys(users, each))
    assert len({event.job_id for event in events}) == 20 * each
    topic.close()


def test_a_refused_publish_leaves_the_row_and_keeps_the_order(table: Table, bus: Bus) -> None:
    user = table.user("ada@example.com")
    jobs = [table.job(user) for _ in range(3)]
    topic = JobsTopic(TOPIC, timeout_s=PATIENCE_S)
    with pytest.raises(RuntimeError, match="could not be published"):
        make(table, topic).once()  # there is no topic yet
    assert table.unpublished() == 3
    bus.create()
    assert make(table, topic).once() == 3
    assert [event.job_id for event in bus.events(3)] == jobs
    topic.close()


def test_a_users_next_job_does_not_wait_behind_one_that_is_not_acknowledged(table: Table, bus: Bus) -> None:
    """The subscription may still be an ordered one, as its flag cannot change: only keys would hold messages back."""
    bus.create(ordered=True)
    user = table.user("ada@example.com")
    jobs = {table.job(user), table.job(user)}
    topic = JobsTopic(TOPIC)
    assert make(table, topic).once() == 2
    seen: set[str] = set()
    while seen != jobs:  # nothing is acknowledged meanwhile
        request = {"subscription": SUBSCRIPTION, "max_messages": 10}
        received = bus.subscriber.pull(request=request, timeout=PATIENCE_S).received_messages
        seen |= {decode_job(each.message.data, dict(each.message.attributes)).job_id for each in received}
    topic.close()


def test_a_topic_that_was_away_is_used_as_soon_as_it_is_back(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = table.user("ada@example.com")
    topic = JobsTopic(TOPIC, timeout_s=2)
    with (
        Background(partial(server.start, tmp_path)) as there,
        # In front of the server, so that it can be away without giving its port to somebody else.
        tcp_proxy("127.0.0.1", there.port) as way,
    ):
        monkeypatch.setenv("PUBSUB_EMULATOR_HOST", way.address)
        bus = Bus(there.address)
        bus.create()
        assert make(table, topic).once() == 0
        way.cut()
        way.refuse()
        job = table.job(user)
        with running(make(table, topic)) as relay:
            until(lambda: relay.state == "failing")
            way.refuse(False)
            # A confirmation that comes late makes it come twice, which is allowed.
            assert {event.job_id for event in until(bus.pull)} == {job}
            until(lambda: relay.state == "leading")
        topic.close()
        bus.channel.close()


def test_what_was_confirmed_before_a_failure_is_not_sent_again(table: Table) -> None:
    ada, bob = table.user("ada@example.com"), table.user("bob@example.com")
    jobs = [table.job(ada), table.job(bob), table.job(ada)]
    topic = Recorder(confirms=lambda message: message.attributes["user_id"] == bob)
    with pytest.raises(RuntimeError):
        make(table, topic).once()
    topic.asked.clear()
    topic.confirms = lambda _: True
    make(table, topic).once()
    assert topic.asked == [jobs[0], jobs[2]]


def test_a_crash_between_reply_and_mark_publishes_again(table: Table) -> None:
    job = table.job(table.user("ada@example.com"))

    class Crash(Exception):
        pass

    @dataclass
    class Dying(Recorder):
        def publish_all(self, messages: Sequence[Message]) -> Mapping[int, str]:
            super().publish_all(messages)
            raise Crash

    dying = Dying()
    with pytest.raises(Crash):
        make(table, dying).once()
    assert table.unpublished() == 1
    topic = Recorder()
    assert make(table, topic).once() == 1
    assert dying.asked == topic.asked == [job]


def test_a_due_retry_is_published_once_and_a_later_one_waits(table: Table) -> None:
    user = table.user("ada@example.com")
    due, later, over = (table.job(user) for _ in range(3))
    make(table, Recorder()).once()
    table.set(due, "retry_at = clock_timestamp(), substate = 'retrying', status = 'running'")
    table.set(later, "retry_at = clock_timestamp() + interval '1 hour'")
    table.set(over, "retry_at = clock_timestamp(), status = 'cancelled'")
    topic = Recorder()
    relay = make(table, topic)
    assert relay.once() == 1
    assert topic.asked == [due]
    assert make(table, topic).once() == 0
    assert table.sql("select retry_at from memory_jobs where id = %s", due)[0]["retry_at"]  # the app still shows it


def test_a_job_planned_for_later_waits_for_its_time(table: Table) -> None:
    user = table.user("ada@example.com")
    planned = table.job(user, retry_at="2999-01-01")
    topic = Recorder()
    assert make(table, topic).once() == 0
    table.set(planned, "retry_at = clock_timestamp()")
    assert make(table, topic).once() == 1


def test_silent_jobs_are_swept_and_living_ones_are_not(table: Table) -> None:
    user = table.user("ada@example.com")
    names = ("lost", "kept", "beating", "fresh", "dead holder", "done", "waiting", "never sent")
    jobs = {name: table.job(user) for name in names}
    make(table, Recorder()).once()
    long_ago = "clock_timestamp() - interval '61 minutes'"
    for job in jobs.values():
        table.set(job, f"published_at = {long_ago}, created_at = {long_ago}")
    table.sql(f"update memory_outbox set published_at = {long_ago}")
    # Pub/Sub may still have its message.
    table.sql("update memory_outbox set published_at = published_at + interval '2 min' where job_id = %s", jobs["kept"])
    table.sql("delete from memory_outbox where job_id = %s", jobs["never sent"])
    table.set(jobs["beating"], "status = 'running', heartbeat_at = clock_timestamp()")
    table.set(jobs["fresh"], f"heartbeat_at = {long_ago}, published_at = clock_timestamp()")
    table.sql("update memory_outbox set published_at = clock_timestamp() where job_id = %s", jobs["fresh"])
    table.set(jobs["dead holder"], "status = 'running', heartbeat_at = clock_timestamp() - interval '181 s'")
    table.set(jobs["done"], "status = 'completed'")
    table.set(jobs["waiting"], "retry_at = clock_timestamp() + interval '1 hour'")
    topic = Recorder()
    assert make(table, topic).once() == 3
    assert set(topic.asked) == {jobs["lost"], jobs["dead holder"], jobs["never sent"]}
    assert make(table, topic).once() == 0


def test_each_copy_waits_twice_as_long_as_the_one_before(table: Table) -> None:
    """In minutes since the heartbeat of a running job, and since the message of a queued one."""
    user = table.user("ada@example.com")
    running, queued = table.job(user), table.job(user)
    topic = Recorder()
    make(table, topic).once()
    table.sql("update memory_outbox set published_at = now() - interval '1 s'")
    table.sql("update memory_jobs set created_at = now() - interval '9 s'")
    table.set(running, "status = 'running', heartbeat_at = now()")
    sent: dict[str, list[int]] = {running: [], queued: []}
    for minute in range(3, 100, 3):
        for column in ("created_at", "heartbeat_at", "published_at"):
            table.sql(f"update memory_jobs set {column} = {column} - interval '3 min'")
        table.sql("update memory_outbox set published_at = published_at - interval '3 min'")
        topic.asked.clear()
        make(table, topic).once()
        for job in topic.asked:
            sent[job].append(minute)
    assert sent[running] == [3, 9, 21, 45, 93]
    assert sent[queued] == [60]


def test_a_job_that_is_over_is_settled_without_a_message(table: Table) -> None:
    job = table.job(table.user("ada@example.com"))
    table.set(job, "status = 'cancelled'")
    topic = Recorder()
    assert make(table, topic).once() == 0
    assert (topic.asked, table.unpublished()) == ([], 0)


def test_a_row_that_is_no_event_does_not_stop_the_others(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    user = table.user("ada@example.com")
    bad = table.job(user, replay_reason="x" * 501, replay_id="00000000-0000-4000-8000-000000000009")
    good = table.job(user)
    topic = Recorder()
    assert make(table, topic).once() == 1
    assert topic.asked == [good]
    assert f"job {bad} is not a valid event" in caplog.text


def test_a_row_that_another_session_holds_holds_up_nobody_and_is_sent_once(table: Table) -> None:
    """Whoever holds the row of one user's job stops neither the others nor the poll, and costs no second message."""
    held, other = (table.job(table.user(f"{name}@example.com")) for name in ("ada", "bob"))
    topic = Recorder()
    with psycopg.connect(table.db.info.dsn, password="") as app:
        app.execute("select 1 from memory_jobs where id = %s for update", (held,))
        assert make(table, topic).once() == 2
        for _ in range(3):
            table.set(other, "retry_at = now() - interval '1 s', published_at = now() - interval '1 h'")
            table.sql("update memory_outbox set published_at = now() - interval '1 h' where job_id = %s", other)
            assert make(table, topic).once() == 1
        assert topic.asked == [held, other, other, other, other]
    # Its mark was skipped; what says that it was sent is the outbox.
    table.set(held, "retry_at = now() - interval '1 s'")
    table.sql("update memory_outbox set published_at = now() where job_id = %s", held)
    assert make(table, topic).once() == 0
    with psycopg.connect(table.db.info.dsn, password="") as app:
        app.execute("select 1 from memory_jobs where id = %s for update", (held,))
        table.sql("update memory_outbox set published_at = now() - interval '1 h' where job_id = %s", held)
        assert make(table, topic, stale_s=0.001).once() == 1, "only the other one is swept"
    assert make(table, topic).once() == 1, "it waited alone, for the lock's end"
    assert topic.asked[-1] == held


def test_one_relay_leads_and_the_next_takes_over(table: Table) -> None:
    user = table.user("ada@example.com")
    first, second = Recorder(), Recorder()
    with running(make(table, second)) as waiting:
        until(lambda: waiting.state == "leading")
        with running(make(table, first)) as idle:
            until(lambda: idle.state == "waiting")
            table.job(user)
            until(lambda: waiting.published == 1)
            waiting.stop()
            until(lambda: idle.state == "leading")
            table.job(user)
            until(lambda: idle.published == 1)
    assert (len(second.asked), len(first.asked)) == (1, 1)


def test_a_relay_whose_connection_is_half_open_loses_the_lead_and_is_not_ready(table: Table) -> None:
    """All bytes stop, and no connection ends: the server frees the lead, and the relay notices by itself."""
    address = table.db.info
    with tcp_proxy(address.host, address.port) as proxy:
        dsn = make_conninfo(table.dsn, host="127.0.0.1", port=proxy.port)
        skipped = 0.0
        stalled = OutboxRelay(
            lambda: Outbox(connect(dsn), statement_s=2.0),
            Recorder(),
            lambda: time.monotonic() + skipped,
            poll_s=1.0,
            stale_s=600,
        )
        with running(stalled), running(make(table, Recorder())) as other:
            until(lambda: "leading" in (stalled.state, other.state))
            if other.state == "leading":
                table.sql("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted")
            until(lambda: stalled.state == "leading")
            proxy.stall()
            until(lambda: other.state == "leading")
            until(lambda: stalled.state == "failing")
            skipped = SILENT_S
            assert not stalled.is_heard()
            table.job(table.user("ada@example.com"))
            until(lambda: other.published == 1)
            proxy.stall(False)


def test_once_leaves_the_work_to_a_relay_that_leads(table: Table) -> None:
    leader = Outbox(connect(table.dsn))
    assert leader.try_lead()
    table.job(table.user("ada@example.com"))
    topic, hours = Recorder(), iter(range(0, 3600 * 1000, 3600))
    relay = OutboxRelay(lambda: Outbox(connect(table.dsn)), topic, lambda: float(next(hours)), poll_s=5, stale_s=600)
    assert relay.once() == 0
    assert (topic.asked, table.unpublished()) == ([], 1)
    leader.connection.close()


def test_a_relay_survives_its_database_connection(table: Table) -> None:
    user = table.user("ada@example.com")
    with running(make(table, Recorder())) as relay:
        until(lambda: relay.state == "leading")
        table.sql(
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where application_name = 'cloop-memory-publisher' and datname = current_database()"
        )
        table.job(user)
        until(lambda: relay.published == 1)


def test_a_nudge_wakes_the_leader_and_carries_a_row_without_an_outbox(table: Table) -> None:
    user = table.user("ada@example.com")
    nudge = Nudge(lambda: Outbox(connect(table.dsn)))
    with running(make(table, Recorder())) as relay:
        until(lambda: relay.state == "leading")
        table.sql("alter table memory_jobs disable trigger outbox_new_jobs")
        job = table.job(user)
        assert nudge(job) == "nudged"
        until(lambda: relay.published == 1)
        assert nudge(job) == "nudged"
        assert nudge("00000000-0000-0000-0000-000000000001") == "not visible yet"
    assert relay.published == 1


def test_the_publishers_role_may_do_no_more_than_it_needs(table: Table) -> None:
    job = table.job(table.user("ada@example.com"))
    with connect(table.dsn) as db:
        for forbidden in (
            f"update memory_jobs set status = 'completed' where id = '{job}'",
            f"delete from memory_jobs where id = '{job}'",
            "delete from memory_outbox",
            "insert into memory_jobs (user_id, job_type) select user_id, job_type from memory_jobs",
            "select * from auth.users",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute(forbidden.encode())


def test_a_policy_that_is_gone_is_named_where_every_list_would_be_empty(table: Table) -> None:
    now = [0.0]
    lacks = Rights(lambda: Outbox(connect(table.dsn)), lambda: now[0])
    assert lacks() == []
    table.sql("drop policy publisher on memory_outbox")
    table.job(table.user("ada@example.com"))
    with connect(table.dsn) as db:
        assert Outbox(db).waiting(9) == []
    assert lacks() == [], "kept"
    now[0] += RIGHTS_KEEP_S
    assert {lack.remedy for lack in lacks()} == {
        "create policy memory_publisher on public.memory_outbox to memory_publisher using (true) with check (true);"
    }


def test_the_process_serves_publishes_and_stops(table: Table, bus: Bus) -> None:
    bus.create()
    user = table.user("ada@example.com")
    env = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": table.dsn,
        "WEBHOOK_SECRET": SECRET,
        "GOOGLE_CLOUD_PROJECT": "p",
        "PUBSUB_EMULATOR_HOST": bus.address,
        "HOST": "127.0.0.1",
        "PORT": "0",
    }
    argv = [sys.executable, "-m", "publisher.main"]
    with subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = f"http://127.0.0.1:{json.loads(process.stdout.readline())['port']}"
        until(lambda: httpx.get(f"{url}/readyz", timeout=PATIENCE_S).status_code == 200)
        job = table.job(user)
        payload = {"type": "INSERT", "table": "memory_jobs", "record": {"id": job}}
        secret = {"x-webhook-secret": SECRET}
        sent = httpx.post(f"{url}/webhooks/memory-jobs", json=payload, headers=secret, timeout=PATIENCE_S)
        assert (sent.status_code, sent.json()) == (202, {"status": "nudged"})
        assert [event.job_id for event in bus.events(1)] == [job]
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    table.job(user)
    done = subprocess.run([*argv, "--once"], env=env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"published": 1}
