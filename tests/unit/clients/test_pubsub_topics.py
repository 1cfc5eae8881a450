"""What doctor says of subscriptions that differ from what was declared."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from consumer.clients import pubsub_topics
from consumer.clients.pubsub_topics import JOBS_PATH, RESTORE, ExpectedPush
from tests.tables import table

ACCOUNT, AUDIENCE = "push@example.com", "https://consumer.example/push"
ENDPOINT = f"https://consumer.example{JOBS_PATH}"


def subscription(
    endpoint: str = ENDPOINT, account: str = ACCOUNT, audience: str = AUDIENCE, name: str = "jobs", **changes: object
) -> Any:
    """As it is declared, but for these changes."""
    token = SimpleNamespace(service_account_email=account, audience=audience)
    declared = {
        "name": f"projects/p/subscriptions/{name}",
        "ack_deadline_seconds": 600,
        "message_retention_duration": timedelta(days=7),
        "dead_letter_policy": SimpleNamespace(dead_letter_topic="projects/p/topics/dead", max_delivery_attempts=100),
        "push_config": SimpleNamespace(push_endpoint=endpoint, oidc_token=token),
    }
    return SimpleNamespace(**{**declared, **changes})


def policy(topic: str, attempts: int) -> SimpleNamespace:
    return SimpleNamespace(dead_letter_topic=topic, max_delivery_attempts=attempts)


@table(
    ("changes", "exhausts", "fault"),
    [
        ({}, True, ""),
        (
            {"ack_deadline_seconds": 10},
            True,
            "waits 10 s for an answer, not 600 s, so a longer job is delivered again while it runs",
        ),
        ({"ack_deadline_seconds": 601}, True, "waits 601 s for an answer, not 600 s, so a longer job is delivered"),
        (
            {"message_retention_duration": timedelta(days=7, seconds=-1)},
            True,
            "keeps messages for 604799 s, not 604800 s, so a longer outage loses them",
        ),
        ({"message_retention_duration": timedelta(days=30)}, True, ""),
        (
            {"dead_letter_policy": policy("", 100)},
            True,
            "has no dead-letter topic, so a message that cannot be recorded is delivered for 7 days and then lost",
        ),
        ({"dead_letter_policy": policy("dead", 5)}, True, "gives up after 5 deliveries, not 100"),
        # The next tick does the work of one that is lost.
        ({"dead_letter_policy": policy("", 5)}, False, ""),
    ],
)
def test_what_decides_about_lost_messages_is_compared(changes: dict[str, Any], exhausts: bool, fault: str) -> None:
    faults = list(pubsub_topics._delivery_faults(subscription(**changes), exhausts=exhausts))
    assert len(faults) == bool(fault)
    for text in faults:
        assert text.startswith(f"subscription jobs {fault}")
        assert text.endswith(f": {RESTORE}")


def push_faults(*subscriptions: Any, expected: ExpectedPush | None = None) -> list[str]:
    pushes = [pubsub_topics._push(each, JOBS_PATH) for each in subscriptions]
    faults = list(pubsub_topics._push_faults(pushes, expected or ExpectedPush()))
    assert all(fault.endswith(f": {RESTORE}") for fault in faults)
    return [fault.removesuffix(f": {RESTORE}") for fault in faults]


@table(
    ("changed", "fault"),
    [
        ({}, ""),
        ({"endpoint": ""}, "has no push endpoint, so its messages are not processed"),
        ({"account": ""}, "pushes without a token, so the consumer refuses every push"),
        ({"audience": ""}, "pushes without a token, so the consumer refuses every push"),
        (
            {"endpoint": "https://consumer.example/push/ticks"},
            f"pushes to https://consumer.example/push/ticks, not to the consumer's {JOBS_PATH}",
        ),
        ({"account": "other@example.com"}, f"signs as other@example.com, the consumer accepts {ACCOUNT}"),
        ({"audience": "https://other.example"}, "signs for https://other.example, which is not in PUSH_AUDIENCES"),
    ],
)
def test_where_and_as_whom_a_subscription_pushes_is_compared(changed: dict[str, str], fault: str) -> None:
    reported = push_faults(subscription(**changed), expected=ExpectedPush(ACCOUNT, ("https://old.example", AUDIENCE)))
    assert reported == ([f"subscription jobs {fault}"] if fault else [])


def test_without_a_workers_settings_any_account_and_audience_will_do() -> None:
    assert push_faults(subscription(account="other@example.com", audience="https://other.example")) == []


def test_subscriptions_that_push_as_two_are_told_by_name_and_in_order() -> None:
    first = subscription(name="a", endpoint=f"https://b.example{JOBS_PATH}", account="b@example.com", audience="b")
    second = subscription(name="b", endpoint=f"https://a.example{JOBS_PATH}", account="a@example.com", audience="a")
    unset = subscription(name="c", endpoint="")
    assert push_faults(unset, second, first) == [
        "subscription c has no push endpoint, so its messages are not processed",
        *(
            f"subscriptions differ in their {setting}, but the consumer has one"
            for setting in (
                "endpoint's host (a.example, b.example)",
                "audience (a, b)",
                "account (a@example.com, b@example.com)",
            )
        ),
    ]
    assert [
        fault.split()[1] for fault in push_faults(second, first, expected=ExpectedPush("c@example.com", ("c",)))[3:]
    ] == [*("a", "a", "b", "b")]
