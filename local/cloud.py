"""Declares on the embedded servers what terraform declares in the cloud: topics, subscriptions, the Cloud Run job.

Uses Google's own clients, so a declaration that the real services would refuse is refused here too. Repeatable: updates
what exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import manifests

PROJECT = "cloop-local"
LOCATION = "us-central1"
BUCKET = "cloop-memory-workspaces"
JOBS, TICKS, DEAD, UNDELIVERABLE = "memory-jobs", "memory-ticks", "memory-jobs-dead", "memory-jobs-undeliverable"
RUN_JOB = f"projects/{PROJECT}/locations/{LOCATION}/jobs/cloop-memory-job"
READER_ACCOUNT = "cloop-memory-reader@cloop-local.iam.gserviceaccount.com"
PUSH_ACCOUNT = "cloop-memory-push@cloop-local.iam.gserviceaccount.com"
WORKER_ACCOUNT = "cloop-memory-worker@cloop-local.iam.gserviceaccount.com"
MODEL_KEY_SECRET = "cloop-memory-openai-api-key"
OPERATOR_EMAIL = "operator@clo0p.test"


@dataclass(frozen=True, slots=True)
class Push:
    """One push subscription: its topic, the consumer's path, and the dead-letter topic."""

    topic: str
    path: str
    undeliverable: str | None = None


SUBSCRIPTIONS: Mapping[str, Push] = {
    "memory-jobs-push": Push(JOBS, "/push/jobs", UNDELIVERABLE),
    "memory-ticks-push": Push(TICKS, "/push/ticks"),
    "memory-jobs-undeliverable-push": Push(UNDELIVERABLE, "/push/dead-letters"),
}


def topic(name: str) -> str:
    return f"projects/{PROJECT}/topics/{name}"


def subscription(name: str) -> str:
    return f"projects/{PROJECT}/subscriptions/{name}"


def declare_pubsub(pubsub_host: str, consumer_url: str, audience: str, *, min_backoff_s: int) -> None:
    """Topics and push subscriptions. ``pubsub_host`` is ``host:port``; pushes carry tokens for ``audience``."""
    from google.api_core.exceptions import AlreadyExists  # noqa: PLC0415

    with _clients(pubsub_host) as (publisher, subscriber):
        for name in (JOBS, TICKS, DEAD, UNDELIVERABLE):
            with suppress(AlreadyExists):
                publisher.create_topic(name=topic(name))
        for name, push in SUBSCRIPTIONS.items():
            wanted = _subscription(name, push, consumer_url, audience, min_backoff_s)
            try:
                subscriber.create_subscription(request=wanted)
            except AlreadyExists:
                subscriber.modify_push_config(
                    request={"subscription": wanted["name"], "push_config": wanted["push_config"]}
                )
        # Without a subscription the dead-letter topic would drop its messages; operators pull from this one.
        with suppress(AlreadyExists):
            subscriber.create_subscription(request={"name": subscription("memory-jobs-dead-ops"), "topic": topic(DEAD)})


def publish(pubsub_host: str, name: str, data: bytes, attributes: Mapping[str, str], ordering_key: str = "") -> str:
    """Publish one message to a topic of the embedded stack; its id."""
    with _clients(pubsub_host) as (publisher, _):
        message = {"data": data, "attributes": dict(attributes), "ordering_key": ordering_key}
        reply = publisher.publish(topic=topic(name), messages=[message])
        return str(reply.message_ids[0])


@contextmanager
def _clients(pubsub_host: str) -> Iterator[tuple[Any, Any]]:
    """Google's publisher and subscriber of this server."""
    import grpc  # noqa: PLC0415 (only who brings the stack up pays for these)
    from google.pubsub_v1 import PublisherClient, SubscriberClient  # noqa: PLC0415
    from google.pubsub_v1.services.publisher.transports import PublisherGrpcTransport  # noqa: PLC0415
    from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcTransport  # noqa: PLC0415

    with grpc.insecure_channel(pubsub_host) as channel:
        publisher = PublisherClient(transport=PublisherGrpcTransport(channel=channel))
        yield publisher, SubscriberClient(transport=SubscriberGrpcTransport(channel=channel))


def _subscription(name: str, push: Push, consumer_url: str, audience: str, min_backoff_s: int) -> dict[str, Any]:
    limits = manifests.limits()
    wanted: dict[str, Any] = {
        "name": subscription(name),
        "topic": topic(push.topic),
        "ack_deadline_seconds": limits["push_ack_deadline"],
        "enable_message_ordering": push.topic == JOBS,
        "push_config": {
            "push_endpoint": f"{consumer_url}{push.path}",
            "oidc_token": {"service_account_email": PUSH_ACCOUNT, "audience": audience},
        },
        "retry_policy": {
            "minimum_backoff": {"seconds": min_backoff_s},
            "maximum_backoff": {"seconds": limits["push_max_backoff"]},
        },
    }
    if push.undeliverable:
        wanted["dead_letter_policy"] = {
            "dead_letter_topic": topic(push.undeliverable),
            "max_delivery_attempts": limits["max_delivery_attempts"],
        }
    return wanted


def declare_run_job(endpoint: str, command: Sequence[str], env: Mapping[str, str]) -> None:
    """The Cloud Run Job that long runs are dispatched to, running ``command``; ``env`` holds no secret."""
    from google.api_core.client_options import ClientOptions  # noqa: PLC0415
    from google.api_core.exceptions import NotFound  # noqa: PLC0415
    from google.auth.credentials import AnonymousCredentials  # noqa: PLC0415
    from google.cloud import run_v2  # noqa: PLC0415

    client = run_v2.JobsClient(
        transport="rest", client_options=ClientOptions(api_endpoint=endpoint), credentials=AnonymousCredentials()
    )
    # The job's definition is readable to many; the key is not in it, only where to find it.
    reference = run_v2.EnvVarSource(secret_key_ref=run_v2.SecretKeySelector(secret=MODEL_KEY_SECRET, version="latest"))
    container = run_v2.Container(
        name="worker",
        image="cloop-memory-runtime:local",
        command=[command[0]],
        args=list(command[1:]),
        env=[
            *(run_v2.EnvVar(name=name, value=value) for name, value in sorted(env.items())),
            run_v2.EnvVar(name="OPENAI_API_KEY", value_source=reference),
        ],
    )
    # Retries are counted in one place, the run ledger; hence none here.
    task = run_v2.TaskTemplate(containers=[container], max_retries=0)
    job = run_v2.Job(template=run_v2.ExecutionTemplate(template=task, task_count=1))
    parent, name = RUN_JOB.rsplit("/jobs/", 1)
    try:
        client.get_job(name=RUN_JOB)
    except NotFound:
        client.create_job(parent=parent, job_id=name, job=job).result(timeout=60)
        return
    job.name = RUN_JOB
    client.update_job(job=job).result(timeout=60)
