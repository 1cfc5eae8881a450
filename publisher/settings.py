"""Environment -> frozen Settings. The only reader of os.environ in the publisher."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

import manifests
from contract import dsn
from contract.environment import given

#: Shorter ones can be guessed by trying.
MIN_SECRET_CHARS = 16
_SECONDS = ("POLL_S", "SWEEP_EVERY_S", "SWEEP_STALE_AFTER_S")


class SettingsError(Exception):
    """One or more variables are missing or wrong; the message lists every one, and what to set."""


@dataclass(frozen=True, slots=True)
class PublisherSettings:
    """What one publisher process needs. Secrets stay out of ``repr``."""

    database_url: str = field(repr=False)
    webhook_secret: str = field(repr=False)
    project: str
    jobs_topic: str
    host: str
    port: int
    poll_s: float
    sweep_every_s: float
    stale_after_s: float
    otlp_endpoint: str | None = None
    database_ca: str | None = None


def variables() -> Mapping[str, tuple[str | None, str]]:
    """name -> (default, or None when required; what it is, with an example)."""
    limits = manifests.limits()
    return {
        "DATABASE_URL": (
            None,
            "PostgreSQL as memory_publisher, through a session (not transaction) pooler: postgresql://user@host:5432/db",
        ),
        "DATABASE_CA": ("", dsn.CA_ABOUT),
        "WEBHOOK_SECRET": (
            "",
            "at least 16 characters, sent by the database webhook as X-Webhook-Secret; empty: no webhook",
        ),
        "GOOGLE_CLOUD_PROJECT": (None, "project that owns the topic, e.g. clo0p-prod"),
        "JOBS_TOPIC": ("memory-jobs", "topic of job events"),
        "HOST": ("0.0.0.0", "address that the webhook listens on"),
        "PORT": ("8080", "its port; 0 = any free one"),
        "POLL_S": (str(limits["publisher_poll"]), "seconds between two looks at the outbox without a notification"),
        "SWEEP_EVERY_S": ("60", "seconds between two looks for silent jobs"),
        "SWEEP_STALE_AFTER_S": (
            str(limits["sweep_stale_after"]),
            "seconds of silence after which a job is published again",
        ),
        "OTEL_EXPORTER_OTLP_ENDPOINT": (
            "",
            "where spans go, e.g. http://collector:4318; the OpenTelemetry SDK reads its other variables itself",
        ),
    }


def load(environ: Mapping[str, str] | None = None) -> PublisherSettings:
    """Read the environment.

    Raises:
        SettingsError: lists every variable that is missing or wrong.
    """
    source = os.environ if environ is None else environ
    values = {name: given(source, name) or default for name, (default, _) in variables().items()}
    faults = [f"{name}: not set; {variables()[name][1]}" for name, value in values.items() if value is None]
    texts = {name: value or "" for name, value in values.items()}
    if not texts["PORT"].isdecimal() or int(texts["PORT"]) > 65535:
        faults.append("PORT: must be 0 (any free port) to 65535")
    if 0 < len(texts["WEBHOOK_SECRET"]) < MIN_SECRET_CHARS:
        faults.append(f"WEBHOOK_SECRET: must have at least {MIN_SECRET_CHARS} characters")
    try:
        dsn.checked(texts["DATABASE_URL"], session=True)
    except ValueError as exc:
        faults.append(f"DATABASE_URL: {exc}")
    faults += [f"{name}: must be a number of seconds above 0" for name in _SECONDS if not _is_positive(texts[name])]
    if faults:
        raise SettingsError("cannot start, correct these variables:\n  " + "\n  ".join(faults))
    return PublisherSettings(
        database_url=texts["DATABASE_URL"],
        webhook_secret=texts["WEBHOOK_SECRET"],
        project=texts["GOOGLE_CLOUD_PROJECT"],
        jobs_topic=texts["JOBS_TOPIC"],
        host=texts["HOST"],
        port=int(texts["PORT"]),
        poll_s=float(texts["POLL_S"]),
        sweep_every_s=float(texts["SWEEP_EVERY_S"]),
        stale_after_s=float(texts["SWEEP_STALE_AFTER_S"]),
        otlp_endpoint=texts["OTEL_EXPORTER_OTLP_ENDPOINT"] or None,
        database_ca=texts["DATABASE_CA"] or None,
    )


def _is_positive(text: str) -> bool:
    try:
        return 0 < float(text) < 1e9
    except ValueError:
        return False
