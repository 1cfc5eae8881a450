"""Environment -> frozen settings. The only reader of os.environ in the publisher."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

import manifests
from contract import dsn
from service.settings import DATABASE_CA, SPANS, SettingsError, Variable, masked, port, read_all, text

__all__ = ["MIN_SECRET_CHARS", "PublisherSettings", "SettingsError", "load", "variables"]

#: Shorter secrets can be guessed.
MIN_SECRET_CHARS = 16


@dataclass(frozen=True, slots=True)
class PublisherSettings:
    """What one publisher process needs. Secrets stay out of ``repr``."""

    database_url: str
    webhook_secret: str
    project: str
    jobs_topic: str
    host: str
    port: int
    poll_s: float
    sweep_every_s: float
    stale_after_s: float
    otlp_endpoint: str | None
    database_ca: str | None

    def __repr__(self) -> str:
        return masked(self, variables())


def _database(value: str) -> str:
    return dsn.checked(value, session=True)


def _webhook_secret(value: str) -> str:
    if 0 < len(value) < MIN_SECRET_CHARS:
        raise ValueError(f"must have at least {MIN_SECRET_CHARS} characters")
    return value


def _seconds(value: str) -> float:
    number = float(value)
    if not 0 < number < 1e9:
        raise ValueError("must be a number of seconds above 0")
    return number


def variables() -> tuple[Variable, ...]:
    """Every variable that the publisher reads, in the order of docs/operations.md."""
    limits = manifests.limits()
    return (
        Variable(
            "DATABASE_URL",
            _database,
            "connection string of `memory_publisher`, direct or through a session pooler (not a transaction pooler)",
            example="postgresql://memory_publisher@db:5432/postgres",
            secret=True,
        ),
        DATABASE_CA,
        Variable(
            "WEBHOOK_SECRET",
            _webhook_secret,
            f"value of the database webhook's X-Webhook-Secret header, at least {MIN_SECRET_CHARS} characters;"
            " empty: no webhook",
            example="a-long-random-text",
            default="",
            secret=True,
        ),
        Variable("GOOGLE_CLOUD_PROJECT", text, "project that owns the topic", example="clo0p-prod", field="project"),
        Variable("JOBS_TOPIC", text, "topic of job events", default="memory-jobs"),
        Variable("HOST", text, "address for the webhook to listen on", example="127.0.0.1", default="0.0.0.0"),
        Variable("PORT", port, "port for the webhook; 0: any free port", example="0", default="8080"),
        Variable(
            "POLL_S",
            _seconds,
            "time between two polls of the outbox if no notification arrives",
            example="5",
            default=str(limits["publisher_poll"]),
            unit="s",
        ),
        Variable("SWEEP_EVERY_S", _seconds, "how often to look for jobs without progress", default="60", unit="s"),
        Variable(
            "SWEEP_STALE_AFTER_S",
            _seconds,
            "silence after which a running job is published again; a queued one after 20 times as long",
            example="180",
            default=str(limits["sweep_stale_after"]),
            unit="s",
            field="stale_after_s",
        ),
        SPANS,
    )


def load(environ: Mapping[str, str] | None = None) -> PublisherSettings:
    """Read the environment. Raises SettingsError: lists every variable that is missing or wrong."""
    return PublisherSettings(**read_all(os.environ if environ is None else environ, variables()))
