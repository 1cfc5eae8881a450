"""Environment -> frozen Settings. The only reader of os.environ in the publisher."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

#: Shorter ones can be guessed by trying.
MIN_SECRET_CHARS = 16


class SettingsError(Exception):
    """One or more variables are missing or wrong; the message lists every one, and what to set."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What one publisher process needs. Secrets stay out of ``repr``."""

    database_url: str = field(repr=False)
    webhook_secret: str = field(repr=False)
    project: str
    jobs_topic: str
    host: str
    port: int


#: name -> (default, or None when required; what it is, with an example).
VARIABLES: Mapping[str, tuple[str | None, str]] = {
    "DATABASE_URL": (
        None,
        "PostgreSQL as memory_publisher, a session (not transaction) pooler: postgresql://user@host:5432/postgres",
    ),
    "WEBHOOK_SECRET": (
        "",
        "at least 16 characters, sent by the database webhook as X-Webhook-Secret; empty: no webhook",
    ),
    "GOOGLE_CLOUD_PROJECT": (None, "project that owns the topic, e.g. clo0p-prod"),
    "JOBS_TOPIC": ("memory-jobs", "topic of job events"),
    "HOST": ("0.0.0.0", "address that the webhook listens on"),
    "PORT": ("8080", "its port; 0 = any free one"),
}


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the environment.

    Raises:
        SettingsError: lists every variable that is missing or wrong.
    """
    source = os.environ if environ is None else environ
    values = {name: source.get(name, "").strip() or default for name, (default, _) in VARIABLES.items()}
    faults = [f"{name}: not set; {VARIABLES[name][1]}" for name, value in values.items() if value is None]
    texts = {name: value or "" for name, value in values.items()}
    if not texts["PORT"].isdecimal() or int(texts["PORT"]) > 65535:
        faults.append("PORT: must be 0 (any free port) to 65535")
    if 0 < len(texts["WEBHOOK_SECRET"]) < MIN_SECRET_CHARS:
        faults.append(f"WEBHOOK_SECRET: must have at least {MIN_SECRET_CHARS} characters")
    if faults:
        raise SettingsError("cannot start, correct these variables:\n  " + "\n  ".join(faults))
    return Settings(
        database_url=texts["DATABASE_URL"],
        webhook_secret=texts["WEBHOOK_SECRET"],
        project=texts["GOOGLE_CLOUD_PROJECT"],
        jobs_topic=texts["JOBS_TOPIC"],
        host=texts["HOST"],
        port=int(texts["PORT"]),
    )
