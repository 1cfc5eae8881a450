"""What doctor says of the push subscriptions, over the embedded Pub/Sub: the emergency stop, and how it is undone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.pubsub_v1 import SubscriberClient
from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcTransport

from consumer.clients.pubsub_topics import ExpectedPush, faults_of
from local import cloud
from local.pubsub import server
from local.serving import Background

pytestmark = pytest.mark.integration
CONSUMER = "https://cloop-memory-consumer.example"
AUDIENCE = "https://cloop-memory-consumer.example/push"
TOPICS = {cloud.topic(cloud.JOBS): "/push/jobs", cloud.topic(cloud.TICKS): "/push/ticks"}
DEAD_LETTERS = "/push/dead-letters"
UNDELIVERABLE = str(cloud.SUBSCRIPTIONS["memory-jobs-push"].undeliverable)


@pytest.fixture
def pubsub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with Background(partial(server.start, tmp_path)) as running:
        monkeypatch.setenv("PUBSUB_EMULATOR_HOST", running.address)
        declare(running.address)
        yield running.address


def declare(address: str) -> None:
    cloud.declare_pubsub(address, CONSUMER, AUDIENCE, min_backoff_s=10)


def set_by_hand(address: str, name: str, endpoint: str, account: str = "", audience: str = "") -> None:
    """As `gcloud pubsub subscriptions update --push-endpoint` does: all of the push configuration is replaced."""
    token = {"service_account_email": account, "audience": audience} if account else {}
    config = {"push_endpoint": endpoint, **({"oidc_token": token} if token else {})}
    with grpc.insecure_channel(address) as channel:
        client = SubscriberClient(transport=SubscriberGrpcTransport(channel=channel))
        client.modify_push_config(request={"subscription": cloud.subscription(name), "push_config": config})


def faults(expected: ExpectedPush | None = None) -> tuple[str, ...]:
    return faults_of(TOPICS, DEAD_LETTERS, expected or ExpectedPush())


def test_what_was_declared_is_without_fault(pubsub: str) -> None:
    assert faults() == ()
    assert faults(ExpectedPush(cloud.PUSH_ACCOUNT, (AUDIENCE,))) == ()


@pytest.mark.parametrize("name", cloud.SUBSCRIPTIONS)
def test_a_stop_and_an_endpoint_set_again_by_hand_are_seen_and_a_new_declaration_restores(
    pubsub: str, name: str
) -> None:
    set_by_hand(pubsub, name, "")
    (stopped,) = faults()
    assert f"{name} has no push endpoint" in stopped
    set_by_hand(pubsub, name, f"{CONSUMER}{cloud.SUBSCRIPTIONS[name].path}")
    (without_token,) = faults()
    assert f"{name} pushes without a token" in without_token
    assert "terraform apply" in stopped
    assert "terraform apply" in without_token
    declare(pubsub)
    assert faults() == ()


def test_another_path_host_account_or_audience_is_seen(pubsub: str) -> None:
    name, account = "memory-jobs-push", cloud.PUSH_ACCOUNT
    set_by_hand(pubsub, name, f"{CONSUMER}/push/ticks", account, AUDIENCE)
    assert "not to the consumer's /push/jobs" in faults()[0]
    for endpoint, signer, audience, word in (
        ("https://elsewhere.example/push/jobs", account, AUDIENCE, "host"),
        (f"{CONSUMER}/push/jobs", "other@example.com", AUDIENCE, "account"),
        (f"{CONSUMER}/push/jobs", account, "https://other.example", "audience"),
    ):
        set_by_hand(pubsub, name, endpoint, signer, audience)
        (fault,) = faults()
        assert f"differ in their {word}" in fault or f"differ in their endpoint's {word}" in fault
    reported = faults(ExpectedPush(account, (AUDIENCE,)))
    assert any("not in PUSH_AUDIENCES" in fault and name in fault for fault in reported)
    set_by_hand(pubsub, name, f"{CONSUMER}/push/jobs", "other@example.com", AUDIENCE)
    assert any(f"the consumer accepts {account}" in fault for fault in faults(ExpectedPush(account, (AUDIENCE,))))


@pytest.mark.parametrize(
    ("path", "change", "fault_text"),
    [
        ("ack_deadline_seconds", {"ack_deadline_seconds": 10}, "waits 10 s for an answer, not 600 s"),
        ("message_retention_duration", {"message_retention_duration": {"seconds": 600}}, "keeps messages for 600 s"),
        ("dead_letter_policy", {}, "has no dead-letter topic"),
        (
            "dead_letter_policy",
            {"dead_letter_policy": {"dead_letter_topic": cloud.topic(UNDELIVERABLE), "max_delivery_attempts": 5}},
            "gives up after 5 deliveries, not 100",
        ),
    ],
)
def test_what_decides_about_lost_messages_is_compared(
    pubsub: str, path: str, change: dict[str, Any], fault_text: str
) -> None:
    name = "memory-jobs-push"
    with grpc.insecure_channel(pubsub) as channel:
        client = SubscriberClient(transport=SubscriberGrpcTransport(channel=channel))
        changed = {"name": cloud.subscription(name), **change}
        client.update_subscription(request={"subscription": changed, "update_mask": {"paths": [path]}})
    reported = faults()
    assert any(f"subscription {name} {fault_text}" in fault for fault in reported), reported
    assert all("terraform apply" in fault for fault in reported)


def test_a_missing_topic_is_told(pubsub: str) -> None:
    missing = cloud.topic("nowhere")
    (fault,) = faults_of({**TOPICS, missing: "/push/x"}, DEAD_LETTERS, ExpectedPush())
    assert fault == f"topic {missing} does not exist: create it"
