"""Topics and subscriptions at run time: publish fans out, acks and nacks reach the store, timers fire."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from local.pubsub import config as configs
from local.pubsub import push
from local.pubsub.config import PubsubMessage, Topic, not_found
from local.pubsub.delivery import Queue, QueuedMessage
from local.pubsub.store import MessageStore, StoredMessage

#: Retention is counted in days, so expiring messages once a minute is enough.
EXPIRY_EVERY_S = 60.0


@dataclass(frozen=True, slots=True)
class PushSettings:
    """Settings that pushers share. ``tokens`` None: all pushes are unsigned."""

    session: aiohttp.ClientSession
    tokens: push.TokenSource | None = None
    max_backoff_s: float = push.MAX_BACKOFF_S


class Subscription:
    """One subscription: its configuration, its queue, its timer and its pusher."""

    def __init__(self, number: int, config: Any, broker: Broker) -> None:
        self.number = number
        self.config = config
        self._broker = broker
        self._loop = asyncio.get_running_loop()
        self.queue = Queue(configs.policy(config), self._loop.time, self)
        self._timer: asyncio.TimerHandle | None = None
        self._pushers: list[push.Pusher] = []
        self._pushing: asyncio.Task[None] | None = None
        self._start_pusher()

    def configure(self, config: Any) -> None:
        """Running requests keep the configuration they began with."""
        self.config = config
        self.queue.policy = configs.policy(config)
        if self._pushing is not None:
            self._pushing.cancel()
        self._start_pusher()

    def changed(self) -> None:
        """After leases or nacks: make sure that the timer fires when the earliest of them is due."""
        due = self.queue.next_due()
        if due is None or (self._timer is not None and self._timer.when() <= due):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._tick)

    def close(self) -> None:
        for handle in (self._timer, self._pushing):
            if handle is not None:
                handle.cancel()
        for pusher in self._pushers:
            pusher.abandon()

    # --- the queue's journal ---

    def acked(self, message_id: int) -> None:
        self._broker.store.acked(self.number, message_id, retain=self.queue.policy.retain_acked)

    def attempted(self, message_id: int, attempt: int) -> None:
        self._broker.store.attempted(self.number, message_id, attempt)

    def dead_letter(self, message: Any, attempt: int) -> bool:
        return self._broker.dead_letter(self.config, message, attempt)

    # --- internals ---

    def _tick(self) -> None:
        self._timer = None
        self.queue.tick()
        self.changed()

    def _start_pusher(self) -> None:
        self._pushing = None
        self._pushers = [pusher for pusher in self._pushers if pusher.busy]
        if not self.config.push_config.push_endpoint:
            return
        settings = self._broker.push
        backoff = push.Backoff(self._loop.time, settings.max_backoff_s)
        pusher = push.Pusher(self.config, self.queue, settings.session, settings.tokens, backoff, self.changed)
        self._pushers.append(pusher)
        self._pushing = self._loop.create_task(pusher.run())


@dataclass
class Broker:
    """Everything of one server. Used from one event loop."""

    store: MessageStore
    push: PushSettings
    topics: dict[str, Any] = field(default_factory=dict)
    subscriptions: dict[str, Subscription] = field(default_factory=dict)
    _expiry: asyncio.TimerHandle | None = None

    def __post_init__(self) -> None:
        # Ids keep rising over restarts, even if no message is left.
        self._ids = itertools.count(max(time.time_ns() // 1000, self.store.last_message_id() + 1))
        for body in self.store.topics():
            topic = Topic.FromString(body)
            self.topics[topic.name] = topic
        for number, body in self.store.subscriptions():
            subscription = Subscription(number, configs.Subscription.FromString(body), self)
            self.subscriptions[subscription.config.name] = subscription
            subscription.queue.add(map(_entry, self.store.unacked(number)))
        self._expire()

    async def close(self) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
        for subscription in self.subscriptions.values():
            subscription.close()
        await self.store.close()

    # --- topics ---

    def topic(self, name: str) -> Any:
        if name not in self.topics:
            raise not_found(name)
        return self.topics[name]

    async def create_topic(self, topic: Any) -> Any:
        configs.check_name(topic.name, "topics")
        if topic.name in self.topics:
            raise configs.already_exists(topic.name)
        self.topics[topic.name] = topic
        await self.store.put_topic(topic.name, topic.SerializeToString())
        return topic

    async def delete_topic(self, name: str) -> None:
        self.topic(name)
        del self.topics[name]
        await self.store.drop_topic(name)
        for subscription in self.of_topic(name):
            subscription.config.topic = configs.DELETED_TOPIC
            await self.store.put_subscription(subscription.number, subscription.config.SerializeToString())

    def of_topic(self, name: str) -> list[Subscription]:
        return [subscription for subscription in self.subscriptions.values() if subscription.config.topic == name]

    async def publish(self, topic: str, messages: Sequence[Any]) -> list[str]:
        """The ids, once the messages are on disk. They are handed out in the order of the calls."""
        self.topic(topic)
        configs.check_messages(messages)
        await self._append(topic, messages)
        return [message.message_id for message in messages]

    def dead_letter(self, source: Any, message: Any, attempt: int) -> bool:
        """Forward to the dead-letter topic, in the transaction that takes the message away from its source."""
        target = source.dead_letter_policy.dead_letter_topic
        if target not in self.topics:
            return False
        _, project, _, short = source.name.split("/")
        copy = PubsubMessage(data=message.data, ordering_key=message.ordering_key)
        copy.attributes.update(
            {
                **dict(message.attributes),
                "CloudPubSubDeadLetterSourceDeliveryCount": str(attempt),
                "CloudPubSubDeadLetterSourceSubscription": short,
                "CloudPubSubDeadLetterSourceSubscriptionProject": project,
                "CloudPubSubDeadLetterSourceTopicPublishTime": push.published_text(message),
            }
        )
        self._append(target, [copy])
        return True

    def _append(self, topic: str, messages: Sequence[Any]) -> asyncio.Future[None]:
        targets = self.of_topic(topic)
        published = time.time()
        for message in messages:
            number = next(self._ids)
            message.message_id = str(number)
            message.publish_time.FromNanoseconds(int(published * 1e9))
            body = message.SerializeToString()
            for subscription in targets:
                self.store.add(subscription.number, number, published, body)

        def deliver() -> None:
            for subscription in targets:
                subscription.queue.add([QueuedMessage(message) for message in messages])

        return self.store.when_durable(deliver)

    # --- subscriptions ---

    def subscription(self, name: str) -> Subscription:
        if name not in self.subscriptions:
            raise not_found(name)
        return self.subscriptions[name]

    async def create_subscription(self, request: Any) -> Any:
        configs.check_name(request.name, "subscriptions")
        self.topic(request.topic)
        if request.name in self.subscriptions:
            raise configs.already_exists(request.name)
        config = self._completed(request)
        number = await self.store.add_subscription(request.name, config.SerializeToString())
        self.subscriptions[request.name] = Subscription(number, config, self)
        return config

    async def update_subscription(self, request: Any, mask: Any) -> Any:
        subscription = self.subscription(request.name)
        config = self._completed(configs.updated(subscription.config, request, mask))
        subscription.configure(config)
        await self.store.put_subscription(subscription.number, config.SerializeToString())
        return config

    async def delete_subscription(self, name: str) -> None:
        subscription = self.subscription(name)
        del self.subscriptions[name]
        subscription.close()
        await self.store.drop_subscription(subscription.number)

    async def seek(self, name: str, published: float) -> None:
        """Unacked from this publish time on; what was acked comes back only if the subscription retains it."""
        subscription = self.subscription(name)
        stored = await self.store.seek(subscription.number, published)
        subscription.queue.reset(map(_entry, stored))

    def _completed(self, request: Any) -> Any:
        config = configs.completed(request)
        if config.dead_letter_policy.dead_letter_topic:
            self.topic(config.dead_letter_policy.dead_letter_topic)
        return config

    def _expire(self) -> None:
        """Drop acked messages past their retention from disk; unacked ones go with the next start."""
        for subscription in self.subscriptions.values():
            self.store.expire(subscription.number, time.time() - configs.retention_s(subscription.config))
        self._expiry = asyncio.get_running_loop().call_later(EXPIRY_EVERY_S, self._expire)


def _entry(stored: StoredMessage) -> QueuedMessage:
    return QueuedMessage(PubsubMessage.FromString(stored.body), stored.attempt)
