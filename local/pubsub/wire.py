"""google.pubsub.v1 over gRPC: requests in, replies out, refusals as status codes.

proto-plus keeps no service descriptors, so the two method tables are written out.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from typing import Any, TypeVar

import grpc
from google.protobuf import empty_pb2
from google.pubsub_v1 import types

from local.pubsub import config as configs
from local.pubsub.broker import Broker, Subscription
from local.pubsub.config import PubsubRefusal
from local.pubsub.delivery import QueuedMessage

#: A pull without a deadline gets an empty response after this time; real clients repeat it.
MAX_PULL_WAIT_S = 60.0
#: Left of the caller's deadline when an empty pull is answered.
PULL_MARGIN_S = 0.5
MAX_PER_RESPONSE = 1000
MAX_GRPC_BYTES = 64 << 20

_PullResponse = types.PullResponse.pb()
_ReceivedMessage = types.ReceivedMessage.pb()
_StreamingPullResponse = types.StreamingPullResponse.pb()
_Empty = empty_pb2.Empty
T = TypeVar("T")


class PublisherService:
    """google.pubsub.v1.Publisher"""

    name = "google.pubsub.v1.Publisher"
    methods: tuple[tuple[str, Any, Any], ...] = (
        ("CreateTopic", types.Topic, types.Topic),
        ("GetTopic", types.GetTopicRequest, types.Topic),
        ("ListTopics", types.ListTopicsRequest, types.ListTopicsResponse),
        ("ListTopicSubscriptions", types.ListTopicSubscriptionsRequest, types.ListTopicSubscriptionsResponse),
        ("DeleteTopic", types.DeleteTopicRequest, _Empty),
        ("Publish", types.PublishRequest, types.PublishResponse),
    )

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    async def create_topic(self, request: Any, context: Any) -> Any:
        return await self._broker.create_topic(request)

    async def get_topic(self, request: Any, context: Any) -> Any:
        return self._broker.topic(request.topic)

    async def list_topics(self, request: Any, context: Any) -> Any:
        return types.ListTopicsResponse.pb()(topics=_of_project(request.project, self._broker.topics))

    async def list_topic_subscriptions(self, request: Any, context: Any) -> Any:
        self._broker.topic(request.topic)
        names = [subscription.config.name for subscription in self._broker.of_topic(request.topic)]
        return types.ListTopicSubscriptionsResponse.pb()(subscriptions=names)

    async def delete_topic(self, request: Any, context: Any) -> Any:
        await self._broker.delete_topic(request.topic)
        return _Empty()

    async def publish(self, request: Any, context: Any) -> Any:
        ids = await self._broker.publish(request.topic, request.messages)
        return types.PublishResponse.pb()(message_ids=ids)


class SubscriberService:
    """google.pubsub.v1.Subscriber"""

    name = "google.pubsub.v1.Subscriber"
    methods: tuple[tuple[str, Any, Any], ...] = (
        ("CreateSubscription", types.Subscription, types.Subscription),
        ("GetSubscription", types.GetSubscriptionRequest, types.Subscription),
        ("UpdateSubscription", types.UpdateSubscriptionRequest, types.Subscription),
        ("ListSubscriptions", types.ListSubscriptionsRequest, types.ListSubscriptionsResponse),
        ("DeleteSubscription", types.DeleteSubscriptionRequest, _Empty),
        ("ModifyAckDeadline", types.ModifyAckDeadlineRequest, _Empty),
        ("Acknowledge", types.AcknowledgeRequest, _Empty),
        ("Pull", types.PullRequest, types.PullResponse),
        ("StreamingPull", types.StreamingPullRequest, types.StreamingPullResponse),
        ("ModifyPushConfig", types.ModifyPushConfigRequest, _Empty),
        ("Seek", types.SeekRequest, types.SeekResponse),
    )

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    async def create_subscription(self, request: Any, context: Any) -> Any:
        return await self._broker.create_subscription(request)

    async def get_subscription(self, request: Any, context: Any) -> Any:
        return self._broker.subscription(request.subscription).config

    async def update_subscription(self, request: Any, context: Any) -> Any:
        return await self._broker.update_subscription(request.subscription, request.update_mask)

    async def list_subscriptions(self, request: Any, context: Any) -> Any:
        listed = _of_project(request.project, self._broker.subscriptions)
        return types.ListSubscriptionsResponse.pb()(subscriptions=[subscription.config for subscription in listed])

    async def delete_subscription(self, request: Any, context: Any) -> Any:
        await self._broker.delete_subscription(request.subscription)
        return _Empty()

    async def modify_push_config(self, request: Any, context: Any) -> Any:
        subscription = configs.Subscription(name=request.subscription, push_config=request.push_config)
        mask = types.UpdateSubscriptionRequest.pb()(update_mask={"paths": ["push_config"]}).update_mask
        await self._broker.update_subscription(subscription, mask)
        return _Empty()

    async def acknowledge(self, request: Any, context: Any) -> Any:
        subscription = self._broker.subscription(request.subscription)
        for ack_id in request.ack_ids:
            subscription.queue.ack(ack_id)
        return _Empty()

    async def modify_ack_deadline(self, request: Any, context: Any) -> Any:
        subscription = self._broker.subscription(request.subscription)
        _extend(subscription, [(ack_id, request.ack_deadline_seconds) for ack_id in request.ack_ids])
        return _Empty()

    async def pull(self, request: Any, context: Any) -> Any:
        subscription = _pullable(self._broker.subscription(request.subscription))
        if request.max_messages <= 0:
            raise configs.invalid("max_messages must be at least 1.")
        patience = 0.0 if request.return_immediately else _patience_s(context)
        entries = await _wait_for_some(subscription, min(request.max_messages, MAX_PER_RESPONSE), patience)
        return _PullResponse(received_messages=_received(subscription, entries))

    async def streaming_pull(self, requests: AsyncIterator[Any], context: Any) -> AsyncIterator[Any]:
        first = await anext(aiter(requests))
        subscription = _pullable(self._broker.subscription(first.subscription))
        wake = asyncio.Event()
        limit = first.max_outstanding_messages if first.max_outstanding_messages > 0 else MAX_PER_RESPONSE
        lease_s = float(first.stream_ack_deadline_seconds or subscription.config.ack_deadline_seconds)
        _apply(subscription, first)
        reader = asyncio.create_task(_read_stream(subscription, requests))
        reader.add_done_callback(lambda _: wake.set())
        with ExitStack() as stack:
            stack.callback(reader.cancel)
            holder = stack.enter_context(subscription.queue.holding(wake.set))
            yield _properties(subscription)
            while not reader.done():
                wake.clear()
                entries = subscription.queue.take(min(limit - holder.out, MAX_PER_RESPONSE), holder, lease_s)
                if entries:
                    subscription.changed()
                    yield _StreamingPullResponse(received_messages=_received(subscription, entries))
                else:
                    await wake.wait()
            reader.result()  # the client is done, or asked for something that is refused

    async def seek(self, request: Any, context: Any) -> Any:
        if request.WhichOneof("target") != "time":
            raise PubsubRefusal(grpc.StatusCode.UNIMPLEMENTED, "Only seek to a time is offered by this local server.")
        await self._broker.seek(request.subscription, request.time.ToNanoseconds() / 1e9)
        return types.SeekResponse.pb()()


def _of_project(project: str, named: Mapping[str, T]) -> list[T]:
    """The topics or subscriptions of a project, by name."""
    return [entry for name, entry in sorted(named.items()) if name.startswith(f"{project}/")]


def _pullable(subscription: Subscription) -> Subscription:
    if subscription.config.push_config.push_endpoint:
        raise PubsubRefusal(
            grpc.StatusCode.FAILED_PRECONDITION, "This is a push subscription; it cannot be pulled from."
        )
    return subscription


def _patience_s(context: Any) -> float:
    left = context.time_remaining()
    return MAX_PULL_WAIT_S if left is None else min(MAX_PULL_WAIT_S, max(0.0, left - PULL_MARGIN_S))


async def _wait_for_some(subscription: Subscription, limit: int, patience_s: float) -> list[QueuedMessage]:
    wake = asyncio.Event()
    entries: list[QueuedMessage] = []
    with subscription.queue.holding(wake.set), suppress(TimeoutError):
        async with asyncio.timeout(patience_s):
            while not (entries := subscription.queue.take(limit)):
                wake.clear()
                await wake.wait()
    subscription.changed()
    return entries


async def _read_stream(subscription: Subscription, requests: AsyncIterator[Any]) -> None:
    async for request in requests:
        _apply(subscription, request)


def _apply(subscription: Subscription, request: Any) -> None:
    for ack_id in request.ack_ids:
        subscription.queue.ack(ack_id)
    deadlines = zip(request.modify_deadline_ack_ids, request.modify_deadline_seconds, strict=False)
    _extend(subscription, list(deadlines))


def _extend(subscription: Subscription, deadlines: list[tuple[str, int]]) -> None:
    if any(not 0 <= seconds <= configs.MAX_ACK_DEADLINE_S for _, seconds in deadlines):
        raise configs.invalid("ack_deadline_seconds must be 0 to 600.")
    for ack_id, seconds in deadlines:
        subscription.queue.extend(ack_id, seconds)
    subscription.changed()


def _received(subscription: Subscription, entries: list[QueuedMessage]) -> list[Any]:
    counted = bool(subscription.config.dead_letter_policy.dead_letter_topic)
    return [
        _ReceivedMessage(ack_id=entry.ack_id, message=entry.message, delivery_attempt=entry.attempt if counted else 0)
        for entry in entries
    ]


def _properties(subscription: Subscription) -> Any:
    """The client reads them before it takes the first message."""
    properties = _StreamingPullResponse.SubscriptionProperties(
        message_ordering_enabled=subscription.config.enable_message_ordering
    )
    return _StreamingPullResponse(subscription_properties=properties)


def handlers(broker: Broker) -> Iterator[Any]:
    """Both services, as grpc.aio takes them."""
    for service in (PublisherService(broker), SubscriberService(broker)):
        table = {}
        for method, request, response in service.methods:
            act = getattr(service, _snake(method))
            types_ = {
                "request_deserializer": _raw(request).FromString,
                "response_serializer": _raw(response).SerializeToString,
            }
            table[method] = (
                grpc.stream_stream_rpc_method_handler(_stream(act), **types_)
                if method == "StreamingPull"
                else grpc.unary_unary_rpc_method_handler(_unary(act), **types_)
            )
        yield grpc.method_handlers_generic_handler(service.name, table)


def _unary(act: Callable[[Any, Any], Awaitable[Any]]) -> Callable[[Any, Any], Awaitable[Any]]:
    async def handle(request: Any, context: Any) -> Any:
        try:
            return await act(request, context)
        except PubsubRefusal as exc:
            return await context.abort(exc.code, exc.message)
        except sqlite3.Error as exc:
            return await context.abort(grpc.StatusCode.UNAVAILABLE, f"the disk refused: {type(exc).__name__}")

    return handle


def _stream(act: Callable[[Any, Any], AsyncIterator[Any]]) -> Callable[[Any, Any], AsyncIterator[Any]]:
    async def handle(requests: Any, context: Any) -> AsyncIterator[Any]:
        try:
            async for reply in act(requests, context):
                yield reply
        except PubsubRefusal as exc:
            await context.abort(exc.code, exc.message)

    return handle


def _raw(kind: Any) -> Any:
    """The protobuf class behind a proto-plus one."""
    return kind.pb() if hasattr(kind, "pb") else kind


def _snake(name: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name).lstrip("_")
