"""The local Pub/Sub server through the unmodified google-cloud-pubsub clients, and by plain HTTP where it pushes."""

from __future__ import annotations

import base64
import itertools
import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import grpc
import httpx
import jwt
import pytest
from google.api_core import exceptions as api
from google.cloud import pubsub_v1
from google.cloud.pubsub_v1 import types
from google.protobuf import field_mask_pb2
from google.pubsub_v1 import PublisherClient
from google.pubsub_v1.services.publisher.transports import PublisherGrpcTransport
from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcTransport

from consumer.clients.pubsub import PubsubTopic
from consumer.errors import TopicUnavailable
from local import oidc
from local.pubsub import server
from local.pubsub.server import PubsubServer
from local.serving import Background
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.integration
EMAIL = "push@p.iam.gserviceaccount.com"


@dataclass
class Clients:
    """Google's clients on one plaintext channel, and short names."""

    address: str
    channel: grpc.Channel = field(init=False)
    publisher: Any = field(init=False)
    subscriber: Any = field(init=False)

    def __post_init__(self) -> None:
        self.channel = grpc.insecure_channel(self.address)
        self.publisher = pubsub_v1.PublisherClient(
            publisher_options=types.PublisherOptions(enable_message_ordering=True),
            batch_settings=types.BatchSettings(max_latency=0.002),
            transport=PublisherGrpcTransport(channel=self.channel),
        )
        self.subscriber = pubsub_v1.SubscriberClient(transport=SubscriberGrpcTransport(channel=self.channel))

    def close(self) -> None:
        self.publisher.stop()
        self.channel.close()

    def topic(self, name: str) -> str:
        return str(self.publisher.create_topic(name=f"projects/p/topics/{name}").name)

    def subscribe(self, name: str, topic: str, **config: Any) -> str:
        # A lease that ends while a busy machine does something else would bring a message twice.
        patient = {"ack_deadline_seconds": 600}
        wanted = {"name": f"projects/p/subscriptions/{name}", "topic": topic, **patient, **config}
        return str(self.subscriber.create_subscription(request=wanted).name)

    def publish(self, topic: str, *data: str, key: str = "", **attributes: str) -> list[str]:
        futures = [self.publisher.publish(topic, item.encode(), ordering_key=key, **attributes) for item in data]
        return [future.result(PATIENCE_S) for future in futures]

    def pull(self, subscription: str, limit: int = 100) -> list[Any]:
        """What is ready, or the next that is."""
        request = {"subscription": subscription, "max_messages": limit}
        return list(self.subscriber.pull(request=request, timeout=PATIENCE_S).received_messages)

    def peek(self, subscription: str) -> list[Any]:
        """What is ready now; a publish is answered after its message became ready."""
        request = {"subscription": subscription, "max_messages": 100, "return_immediately": True}
        with pytest.warns(DeprecationWarning, match="return_immediately"):
            return list(self.subscriber.pull(request=request, timeout=PATIENCE_S).received_messages)

    def ack(self, subscription: str, messages: list[Any]) -> None:
        self.subscriber.acknowledge(subscription=subscription, ack_ids=[message.ack_id for message in messages])

    def nack(self, subscription: str, messages: list[Any]) -> None:
        request = {
            "subscription": subscription,
            "ack_ids": [message.ack_id for message in messages],
            "ack_deadline_seconds": 0,
        }
        self.subscriber.modify_ack_deadline(request=request)

    def drain(self, subscription: str, count: int) -> list[Any]:
        """Pull and ack until that many came."""
        seen: list[Any] = []
        while len(seen) < count:
            batch = self.pull(subscription)
            assert batch, f"{len(seen)} of {count} messages came"
            self.ack(subscription, batch)
            seen += batch
        return seen


@dataclass
class Endpoint:
    """A push endpoint. ``answer`` decides the status by the delivered text; ``pushes`` has every request."""

    url: str
    answer: Callable[[str], int] = lambda _: 204
    pushes: queue.Queue[Push] = field(default_factory=queue.Queue)

    def next(self) -> Push:
        return self.pushes.get(timeout=PATIENCE_S)


@dataclass
class Push:
    at: float
    headers: dict[str, str]
    body: bytes

    @property
    def envelope(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return base64.b64decode(self.envelope["message"].get("data", "")).decode()


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[oidc.OidcServer]:
    with Background(partial(oidc.start, tmp_path_factory.mktemp("oidc"))) as running:
        yield running


@pytest.fixture
def pubsub(tmp_path: Path, issuer: oidc.OidcServer) -> Iterator[PubsubServer]:
    with Background(partial(server.start, tmp_path, token_url=issuer.token_url, push_max_backoff_s=0.2)) as running:
        yield running


@pytest.fixture
def clients(pubsub: PubsubServer) -> Iterator[Clients]:
    made = Clients(pubsub.address)
    yield made
    made.close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: Any) -> None:
            return

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            push = Push(time.monotonic(), {k.lower(): v for k, v in self.headers.items()}, body)
            status = made.answer(push.text if push.headers["content-type"] == "application/json" else body.decode())
            made.pushes.put(push)
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        made = Endpoint(f"http://127.0.0.1:{http.server_port}/push")
        worker = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        worker.start()
        yield made
        http.shutdown()
        worker.join()


def texts(messages: list[Any]) -> list[str]:
    return [message.message.data.decode() for message in messages]


def test_names_and_existence_are_checked(clients: Clients) -> None:
    topic = clients.topic("jobs")
    with pytest.raises(api.AlreadyExists):
        clients.topic("jobs")
    with pytest.raises(api.NotFound):
        clients.publisher.get_topic(topic="projects/p/topics/nope")
    with pytest.raises(api.NotFound):
        clients.subscribe("sub", "projects/p/topics/nope")
    with pytest.raises(api.InvalidArgument):
        clients.topic("ab")
    with pytest.raises(api.InvalidArgument):
        clients.topic("google-thing")
    assert [listed.name for listed in clients.publisher.list_topics(project="projects/p")] == [topic]
    assert list(clients.publisher.list_topic_subscriptions(topic=topic)) == []


@pytest.mark.parametrize(
    "config",
    [
        {"ack_deadline_seconds": 9},
        {"ack_deadline_seconds": 601},
        {"retry_policy": {"minimum_backoff": {"seconds": 601}}},
        {"message_retention_duration": {"seconds": 60}},
        {"dead_letter_policy": {"dead_letter_topic": "projects/p/topics/jobs", "max_delivery_attempts": 4}},
        {"dead_letter_policy": {"dead_letter_topic": "projects/p/topics/jobs", "max_delivery_attempts": 101}},
        {"enable_exactly_once_delivery": True, "push_config": {"push_endpoint": "http://127.0.0.1:1/"}},
    ],
)
def test_subscriptions_outside_the_limits_are_refused(clients: Clients, config: dict[str, Any]) -> None:
    topic = clients.topic("jobs")
    with pytest.raises(api.InvalidArgument):
        clients.subscribe("sub", topic, **config)


def test_what_is_not_offered_says_so(clients: Clients) -> None:
    topic = clients.topic("jobs")
    for config in ({"filter": "attributes.a"}, {"enable_exactly_once_delivery": True}):
        with pytest.raises(api.MethodNotImplemented):
            clients.subscribe("sub", topic, **config)


def test_defaults_are_the_real_ones(clients: Clients) -> None:
    topic = clients.topic("jobs")
    name = clients.subscribe("sub", topic, ack_deadline_seconds=0, dead_letter_policy={"dead_letter_topic": topic})
    subscription = clients.subscriber.get_subscription(subscription=name)
    assert subscription.ack_deadline_seconds == 10
    assert subscription.message_retention_duration == timedelta(days=7)
    assert subscription.dead_letter_policy.max_delivery_attempts == 5


def test_update_changes_what_the_mask_names_and_nothing_else(clients: Clients) -> None:
    topic = clients.topic("jobs")
    name = clients.subscribe("sub", topic, enable_message_ordering=True, labels={"a": "1"})
    wanted = {"name": name, "ack_deadline_seconds": 33, "labels": {"b": "2"}, "retain_acked_messages": True}

    def update(*paths: str) -> Any:
        mask = field_mask_pb2.FieldMask(paths=paths)
        return clients.subscriber.update_subscription(request={"subscription": wanted, "update_mask": mask})

    changed = update("ack_deadline_seconds", "labels")
    assert (changed.ack_deadline_seconds, dict(changed.labels)) == (33, {"b": "2"})
    assert not changed.retain_acked_messages
    assert clients.subscriber.get_subscription(subscription=name) == changed
    for path in ("topic", "enable_message_ordering", "filter", "nonsense"):
        with pytest.raises(api.InvalidArgument):
            update(path)
    with pytest.raises(api.InvalidArgument):
        update()


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"data": b""}],
        [{"data": b"x"}] * 1001,
        [{"data": b"x", "attributes": {"googclient": "x"}}],
        [{"data": b"x", "attributes": {"": "x"}}],
        [{"data": b"x", "attributes": {"a": "x" * 1025}}],
        [{"data": b"x", "attributes": {str(n): "" for n in range(101)}}],
        [{"data": b"x", "ordering_key": "k" * 1025}],
        [{"data": b"x" * 10_000_001}],
    ],
    ids=["none", "empty", "too many", "goog", "no key", "long value", "attributes", "long key", "too large"],
)
def test_publish_requests_outside_the_limits_are_refused(clients: Clients, messages: list[Any]) -> None:
    topic = clients.topic("jobs")
    # The generated client below the batching one sends the request as it is.
    raw = PublisherClient(transport=PublisherGrpcTransport(channel=clients.channel))
    with pytest.raises(api.InvalidArgument):
        raw.publish(request={"topic": topic, "messages": messages})


def test_a_message_arrives_whole_and_once_at_every_subscription(clients: Clients) -> None:
    topic = clients.topic("jobs")
    names = [clients.subscribe(name, topic) for name in ("one-sub", "two-sub")]
    [message_id] = clients.publish(topic, "hello", key="user", a="b")
    for name in names:
        [received] = clients.pull(name)
        message = received.message
        assert (message.data, dict(message.attributes), message.ordering_key) == (b"hello", {"a": "b"}, "user")
        assert message.message_id == message_id
        assert abs(message.publish_time - datetime.now(UTC)) < timedelta(minutes=1)
        assert received.delivery_attempt == 0
        clients.ack(name, [received])
        assert clients.peek(name) == []


def test_an_idle_pull_is_answered_when_a_message_comes(clients: Clients) -> None:
    topic = clients.topic("jobs")
    name = clients.subscribe("sub", topic)
    results: queue.Queue[list[Any]] = queue.Queue()
    waiting = threading.Thread(target=lambda: results.put(clients.pull(name)))
    waiting.start()
    clients.publish(topic, "x")
    assert texts(results.get(timeout=PATIENCE_S)) == ["x"]
    waiting.join()


def test_one_message_of_a_key_is_out_at_a_time_and_redelivery_keeps_order(clients: Clients) -> None:
    topic = clients.topic("jobs")
    name = clients.subscribe("sub", topic, enable_message_ordering=True)
    clients.publish(topic, "a1", "a2", "a3", key="a")
    clients.publish(topic, "b1", key="b")
    first = clients.pull(name)
    assert texts(first) == ["a1", "b1"]
    clients.nack(name, first[:1])
    again = clients.pull(name)
    assert texts(again) == ["a1"]
    clients.ack(name, [*again, first[1]])
    assert texts(clients.drain(name, 2)) == ["a2", "a3"]


def test_many_keys_stay_in_order(clients: Clients) -> None:
    topic = clients.topic("jobs")
    name = clients.subscribe("sub", topic, enable_message_ordering=True)
    futures = [clients.publisher.publish(topic, b"%d" % n, ordering_key=f"u{n % 7}") for n in range(350)]
    for future in futures:
        future.result(PATIENCE_S)
    seen: dict[str, list[int]] = {}
    for message in clients.drain(name, 350):
        seen.setdefault(message.message.ordering_key, []).append(int(message.message.data))
    assert sum(map(len, seen.values())) == 350
    assert all(numbers == sorted(numbers) for numbers in seen.values())


def test_streaming_pull_delivers_redelivers_and_ends(clients: Clients) -> None:
    topic = clients.topic("jobs")
    name = clients.subscribe("sub", topic)
    got: queue.Queue[str] = queue.Queue()
    nacked: set[str] = set()

    def take(message: Any) -> None:
        text = message.data.decode()
        if text == "7" and not nacked:
            nacked.add(text)
            message.nack()
            return
        message.ack()
        got.put(text)

    stream = clients.subscriber.subscribe(
        name, take, flow_control=types.FlowControl(max_messages=20, min_duration_per_lease_extension=600)
    )
    clients.publish(topic, *map(str, range(300)))
    assert {got.get(timeout=PATIENCE_S) for _ in range(300)} == set(map(str, range(300)))
    assert nacked == {"7"}
    stream.cancel()
    stream.result(PATIENCE_S)


def test_a_lease_that_is_not_extended_ends(pubsub: PubsubServer, clients: Clients) -> None:
    topic = clients.topic("jobs")
    name = clients.subscribe("sub", topic)
    clients.publish(topic, "x")
    [first] = clients.pull(name)
    # The shortest deadline a subscription may have is 10 s; a lease itself may be set to one second.
    request = {"subscription": name, "ack_ids": [first.ack_id], "ack_deadline_seconds": 1}
    clients.subscriber.modify_ack_deadline(request=request)
    [second] = clients.pull(name)
    assert second.message.message_id == first.message.message_id
    clients.ack(name, [first])  # too late: the lease is over
    clients.nack(name, [second])
    assert texts(clients.pull(name)) == ["x"]


def test_the_retry_policy_delays_redelivery(clients: Clients) -> None:
    topic = clients.topic("jobs")
    backoff = {"minimum_backoff": {"nanos": 800_000_000}, "maximum_backoff": {"seconds": 1}}
    name = clients.subscribe("sub", topic, retry_policy=backoff)
    clients.publish(topic, "x")
    taken = clients.pull(name)
    began = time.monotonic()
    clients.nack(name, taken)
    assert texts(clients.pull(name)) == ["x"]
    assert time.monotonic() - began >= 0.8


def test_after_the_last_attempt_a_message_is_dead_lettered_with_its_story(clients: Clients) -> None:
    topic, dead = clients.topic("jobs"), clients.topic("dead")
    grave = clients.subscribe("grave", dead)
    policy = {"dead_letter_topic": dead, "max_delivery_attempts": 5}
    name = clients.subscribe("sub", topic, enable_message_ordering=True, dead_letter_policy=policy)
    clients.publish(topic, "poison", "next", key="u", job="1")
    attempts = []
    for _ in range(5):
        [received] = clients.pull(name)
        attempts.append(received.delivery_attempt)
        clients.nack(name, [received])
    assert attempts == [1, 2, 3, 4, 5]
    [buried] = clients.drain(grave, 1)
    attributes = dict(buried.message.attributes)
    assert buried.message.data == b"poison"
    assert attributes.pop("CloudPubSubDeadLetterSourceTopicPublishTime").endswith("Z")
    assert attributes == {
        "job": "1",
        "CloudPubSubDeadLetterSourceDeliveryCount": "5",
        "CloudPubSubDeadLetterSourceSubscription": "sub",
        "CloudPubSubDeadLetterSourceSubscriptionProject": "p",
    }
    assert texts(clients.pull(name)) == ["next"]


def test_without_its_dead_letter_topic_a_message_stays(clients: Clients) -> None:
    topic, dead = clients.topic("jobs"), clients.topic("dead")
    name = clients.subscribe("sub", topic, dead_letter_policy={"dead_letter_topic": dead})
    clients.publisher.delete_topic(topic=dead)
    clients.publish(topic, "x")
    for _ in range(6):
        clients.nack(name, clients.pull(name))
    assert texts(clients.pull(name)) == ["x"]


def test_seek_brings_back_what_is_retained_and_acks_what_is_older(clients: Clients) -> None:
    topic = clients.topic("jobs")
    name = clients.subscribe("sub", topic, retain_acked_messages=True)
    clients.publish(topic, "old")
    [old] = clients.drain(name, 1)
    clients.publish(topic, "new")
    clients.subscriber.seek(request={"subscription": name, "time": old.message.publish_time})
    assert texts(clients.drain(name, 2)) == ["old", "new"]
    clients.publish(topic, "skipped")
    clients.subscriber.seek(request={"subscription": name, "time": datetime.now(UTC) + timedelta(minutes=1)})
    assert clients.peek(name) == []


def test_a_deleted_topic_leaves_its_subscriptions_behind(clients: Clients) -> None:
    topic = clients.topic("jobs")
    name = clients.subscribe("sub", topic)
    clients.publish(topic, "x")
    clients.publisher.delete_topic(topic=topic)
    assert clients.subscriber.get_subscription(subscription=name).topic == "_deleted-topic_"
    assert texts(clients.drain(name, 1)) == ["x"]
    clients.subscriber.delete_subscription(subscription=name)
    with pytest.raises(api.NotFound):
        clients.pull(name)


def test_a_push_carries_the_envelope_and_a_token_that_holds(
    clients: Clients, endpoint: Endpoint, issuer: oidc.OidcServer
) -> None:
    topic, dead = clients.topic("jobs"), clients.topic("dead")
    push = {
        "push_endpoint": endpoint.url,
        "oidc_token": {"service_account_email": EMAIL, "audience": "https://consumer.example/push"},
    }
    name = clients.subscribe("sub", topic, push_config=push, dead_letter_policy={"dead_letter_topic": dead})
    [message_id] = clients.publish(topic, "hello", key="user", a="b")
    got = endpoint.next()
    message = got.envelope["message"]
    assert got.envelope["subscription"] == name
    assert got.envelope["deliveryAttempt"] == 1
    assert (message["messageId"], message["message_id"]) == (message_id, message_id)
    assert message["publishTime"] == message["publish_time"]
    assert (message["data"], message["attributes"], message["orderingKey"]) == ("aGVsbG8=", {"a": "b"}, "user")
    token = got.headers["authorization"].removeprefix("Bearer ")
    key = jwt.PyJWKClient(issuer.jwks_url).get_signing_key_from_jwt(token)
    claims = jwt.decode(token, key, ["RS256"], audience="https://consumer.example/push")
    assert (claims["email"], claims["email_verified"]) == (EMAIL, True)
    assert claims["iss"] == "https://accounts.google.com"
    assert claims["exp"] - claims["iat"] == 3600


def test_absent_fields_are_left_out_of_the_envelope(clients: Clients, endpoint: Endpoint) -> None:
    topic = clients.topic("jobs")
    clients.subscribe("sub", topic, push_config={"push_endpoint": endpoint.url})
    clients.publish(topic, "", only="attributes")
    got = endpoint.next()
    assert set(got.envelope) == {"message", "subscription"}
    assert set(got.envelope["message"]) == {"attributes", "messageId", "message_id", "publishTime", "publish_time"}
    assert "authorization" not in got.headers


def test_an_unwrapped_push_is_the_data_itself(clients: Clients, endpoint: Endpoint) -> None:
    topic = clients.topic("jobs")
    push = {"push_endpoint": endpoint.url, "no_wrapper": {"write_metadata": True}}
    name = clients.subscribe("sub", topic, push_config=push)
    clients.publish(topic, "raw", a="b")
    got = endpoint.next()
    assert got.body == b"raw"
    assert got.headers["x-goog-pubsub-subscription-name"] == name
    assert got.headers["a"] == "b"


def test_only_the_documented_answers_ack_a_push(clients: Clients, endpoint: Endpoint) -> None:
    topic = clients.topic("jobs")
    tries: dict[str, int] = {}

    def answer(text: str) -> int:
        tries[text] = tries.get(text, 0) + 1
        return int(text) if tries[text] == 1 else 204

    endpoint.answer = answer
    clients.subscribe("sub", topic, push_config={"push_endpoint": endpoint.url})
    statuses = ["200", "201", "202", "204", "203", "302", "404", "429", "503"]
    clients.publish(topic, *statuses)
    nacked = statuses[4:]
    for _ in range(len(statuses) + len(nacked)):
        endpoint.next()
    assert tries == {**dict.fromkeys(statuses[:4], 1), **dict.fromkeys(nacked, 2)}


def test_a_push_that_fails_backs_off_and_is_dead_lettered(clients: Clients, endpoint: Endpoint) -> None:
    topic, dead = clients.topic("jobs"), clients.topic("dead")
    grave = clients.subscribe("grave", dead)
    endpoint.answer = lambda text: 500 if text == "poison" else 204
    clients.subscribe(
        "sub",
        topic,
        push_config={"push_endpoint": endpoint.url},
        retry_policy={"minimum_backoff": {"nanos": 100_000_000}, "maximum_backoff": {"nanos": 400_000_000}},
        dead_letter_policy={"dead_letter_topic": dead, "max_delivery_attempts": 5},
    )
    clients.publish(topic, "poison")
    pushes = [endpoint.next() for _ in range(5)]
    assert [push.envelope["deliveryAttempt"] for push in pushes] == [1, 2, 3, 4, 5]
    gaps = [later.at - earlier.at for earlier, later in itertools.pairwise(pushes)]
    assert all(gap >= least for gap, least in zip(gaps, (0.09, 0.19, 0.39, 0.39), strict=True))
    assert texts(clients.drain(grave, 1)) == ["poison"]
    clients.publish(topic, "healthy")
    assert endpoint.next().text == "healthy"


def test_pushes_of_a_key_come_one_by_one(clients: Clients, endpoint: Endpoint) -> None:
    topic = clients.topic("jobs")
    failed_once: set[str] = set()

    def answer(text: str) -> int:
        if text.endswith("3") and text not in failed_once:
            failed_once.add(text)
            return 503
        return 204

    endpoint.answer = answer
    clients.subscribe("sub", topic, enable_message_ordering=True, push_config={"push_endpoint": endpoint.url})
    for key in "ab":
        clients.publish(topic, *(f"{key}{n}" for n in range(6)), key=key)
    seen = [endpoint.next().text for _ in range(14)]
    for key in "ab":
        assert [text for text in seen if text[0] == key] == [f"{key}{n}" for n in (0, 1, 2, 3, 3, 4, 5)]


def test_a_subscription_can_turn_from_pull_to_push_and_back(clients: Clients, endpoint: Endpoint) -> None:
    topic = clients.topic("jobs")
    name = clients.subscribe("sub", topic)
    clients.publish(topic, "waited")
    clients.subscriber.modify_push_config(subscription=name, push_config={"push_endpoint": endpoint.url})
    assert endpoint.next().text == "waited"
    with pytest.raises(api.FailedPrecondition):
        clients.pull(name)
    clients.subscriber.modify_push_config(subscription=name, push_config={})
    clients.publish(topic, "pulled")
    assert texts(clients.drain(name, 1)) == ["pulled"]


def test_a_push_under_way_is_not_lost_when_the_subscription_changes(clients: Clients, endpoint: Endpoint) -> None:
    topic = clients.topic("jobs")
    arrived, changed = threading.Event(), threading.Event()

    def answer(_: str) -> int:
        arrived.set()
        return 204 if changed.wait(PATIENCE_S) else 500

    endpoint.answer = answer
    push = {"push_endpoint": endpoint.url}
    name = clients.subscribe("sub", topic, push_config=push, enable_message_ordering=True)
    clients.publish(topic, "first", "second", key="u")
    assert arrived.wait(PATIENCE_S)
    clients.subscriber.modify_push_config(subscription=name, push_config=push)
    changed.set()
    assert [endpoint.next().text for _ in range(2)] == ["first", "second"]


def test_unacked_messages_survive_a_killed_server(tmp_path: Path) -> None:
    with _process(tmp_path) as address:
        before = Clients(address)
        topic, dead = before.topic("jobs"), before.topic("dead")
        policy = {"dead_letter_topic": dead, "max_delivery_attempts": 9}
        name = before.subscribe("sub", topic, enable_message_ordering=True, dead_letter_policy=policy)
        ids = before.publish(topic, "acked", "nacked", "leased", key="u") + before.publish(topic, *map(str, range(40)))
        [first] = [message for message in before.pull(name) if message.message.data == b"acked"]
        before.ack(name, [first])
        [second] = before.pull(name)
        before.nack(name, [second])
        # Acks are written behind the answer, so something that waits for the disk comes after them.
        before.publish(topic, "last")
        before.close()
    with _process(tmp_path) as address:
        after = Clients(address)
        received = after.drain(name, 43)
        ordered = [message for message in received if message.message.ordering_key == "u"]
        assert texts(ordered) == ["nacked", "leased"]
        assert ordered[0].delivery_attempt == 2
        assert {message.message.message_id for message in received} >= set(ids[1:])
        assert int(after.publish(topic, "later")[0]) > int(ids[-1])
        after.close()


@contextmanager
def _process(data: Path) -> Iterator[str]:
    """The address of ``python -m local.pubsub`` over this folder; SIGKILL at the end."""
    argv = [sys.executable, "-m", "local.pubsub", "--port", "0", "--data", str(data)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield str(json.loads(process.stdout.readline())["address"])
        finally:
            process.kill()


def test_the_consumers_topic_publishes(pubsub: PubsubServer, clients: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", pubsub.address)
    name = clients.subscribe("sub", clients.topic("jobs"))
    topic = PubsubTopic("projects/p/topics/jobs")
    ids = [topic.publish(b"%d" % n, {"n": str(n)}) for n in range(5)]
    received = clients.drain(name, 5)
    assert sorted(texts(received)) == ["0", "1", "2", "3", "4"]
    assert sorted(message.message.message_id for message in received) == sorted(ids)
    topic.close()


def test_the_consumers_topic_says_when_it_cannot_and_recovers(
    pubsub: PubsubServer, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", pubsub.address)
    topic = PubsubTopic("projects/p/topics/jobs", timeout_s=PATIENCE_S)
    with pytest.raises(TopicUnavailable, match="NotFound"):
        topic.publish(b"x", {})
    clients.topic("jobs")
    assert topic.publish(b"x", {})
    topic.close()


def test_the_consumers_topic_gives_up_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", "127.0.0.1:1")
    topic = PubsubTopic("projects/p/topics/jobs", timeout_s=0.5)
    began = time.monotonic()
    with pytest.raises(TopicUnavailable, match=r"not confirmed within 0\.5 s"):
        topic.publish(b"x", {})
    assert time.monotonic() - began < PATIENCE_S
    topic.close()


def test_the_issuers_documents_agree(issuer: oidc.OidcServer) -> None:
    with httpx.Client(base_url=issuer.url, timeout=PATIENCE_S) as client:
        discovery = client.get("/.well-known/openid-configuration").json()
        assert discovery["jwks_uri"] == issuer.jwks_url
        before = client.post("/token", json={"email": EMAIL, "audience": "a"}).json()["token"]
        kid = client.post("/rotate").json()["kid"]
        after = client.post("/token", json={"email": EMAIL, "audience": "a"}).json()["token"]
        assert jwt.get_unverified_header(after)["kid"] == kid != jwt.get_unverified_header(before)["kid"]
        keys = jwt.PyJWKSet.from_dict(client.get("/oauth2/v3/certs").json())
        for token in (before, after):
            key = keys[jwt.get_unverified_header(token)["kid"]]
            assert jwt.decode(token, key, ["RS256"], audience="a")["email"] == EMAIL
        assert client.post("/token", json={"email": EMAIL}).status_code == 400


def test_google_auth_signs_in_through_the_metadata_path(issuer: oidc.OidcServer) -> None:
    script = (
        "import sys; from google.auth.transport.requests import Request; from google.oauth2 import id_token; "
        "sys.stdout.write(id_token.fetch_id_token(Request(), 'https://plane.example'))"
    )
    host = issuer.metadata_host("worker@p.iam.gserviceaccount.com")
    env = {"GCE_METADATA_HOST": host, "GCE_METADATA_IP": host, "GCE_METADATA_TIMEOUT": "60", "PATH": ""}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    claims = jwt.decode(done.stdout, options={"verify_signature": False})
    assert (claims["email"], claims["aud"]) == ("worker@p.iam.gserviceaccount.com", "https://plane.example")


def test_the_issuers_keys_survive_a_restart(tmp_path: Path) -> None:
    first = oidc.Issuer(oidc.KeyRing(tmp_path))
    token = first.mint(EMAIL, "a")
    again = oidc.KeyRing(tmp_path)
    assert jwt.decode(token, again.private.public_key(), ["RS256"], audience="a")["email"] == EMAIL
    assert (tmp_path / "keys.json").stat().st_mode & 0o077 == 0
