"""Every variable of the consumer, declared once with its default, unit and an example.

A test compares docs/operations.md with this table.
"""

from __future__ import annotations

from typing import Final

import manifests
from service import upstreams
from service.settings import (
    Variable,
    choice,
    listed,
    optional,
    optional_path,
    optional_url,
    path,
    port,
    positive,
    text,
    url,
    user,
)

#: A holder that died delays its user by this at most (locking.lease.MAX_TTL_S).
LONGEST_LOCK_TTL_S: Final = 3600


def variables() -> tuple[Variable, ...]:
    """Every variable that the consumer reads, in the order of docs/operations.md."""
    return (*_stores(), *_identities(), *_dispatch(), *_tools(), *_models(), *_runs(), *_process())


def _model_or_none(value: str) -> str | None:
    """A model's name, or None for ``none``."""
    return None if value == "none" else value


def _lock_ttl(value: str) -> int:
    seconds = positive(value)
    if seconds > LONGEST_LOCK_TTL_S:
        raise ValueError(f"must be a whole number from 1 to {LONGEST_LOCK_TTL_S}")
    return seconds


def _limit(name: str) -> str:
    return str(manifests.limits()[name])


def _stores() -> tuple[Variable, ...]:
    """The bucket and the control plane."""
    return (
        Variable(
            "GOOGLE_CLOUD_PROJECT",
            text,
            "project that owns the topics and the Cloud Run job",
            example="clo0p-prod",
            field="project",
        ),
        Variable(
            "WORKSPACE_BUCKET",
            text,
            "bucket of workspaces, locks and ledgers",
            example="cloop-memory-workspaces",
            field="bucket",
        ),
        Variable(
            "STORAGE_EMULATOR_HOST",
            optional_url,
            "URL of a GCS server other than Google's; the client libraries read the same variable",
            example="http://127.0.0.1:4443",
            field="storage_endpoint",
        ),
        Variable("CONTROLPLANE_URL", url, "base URL of the control plane", example="https://app.clo0p.com"),
        Variable(
            "CONTROLPLANE_AUDIENCE",
            text,
            "audience of the ID tokens that the consumer sends to the control plane",
            example="https://app.clo0p.com",
        ),
    )


def _identities() -> tuple[Variable, ...]:
    """Whose tokens the consumer accepts, and its own identity."""
    return (
        Variable(
            "PUSH_AUDIENCES",
            listed,
            "audiences accepted in push tokens, comma-separated",
            example="https://consumer.example/push",
            default="",
        ),
        Variable(
            "PUSH_SERVICE_ACCOUNT",
            text,
            "e-mail of the account that signs pushes",
            example="cloop-memory-push@clo0p-prod.iam.gserviceaccount.com",
            default="",
        ),
        Variable(
            "OIDC_ISSUERS",
            listed,
            "issuers (`iss`) that a push token may have, comma-separated",
            default="https://accounts.google.com,accounts.google.com",
        ),
        Variable(
            "OIDC_JWKS_URL",
            url,
            "URL of the issuers' public keys",
            default="https://www.googleapis.com/oauth2/v3/certs",
        ),
        Variable(
            "IDENTITY_TOKEN_URL",
            optional_url,
            "URL that issues the consumer's ID tokens instead of the metadata server (embedded stack)",
            example="http://127.0.0.1:4001/token",
        ),
        Variable(
            "IDENTITY_EMAIL",
            optional,
            "account for which IDENTITY_TOKEN_URL issues tokens",
            example="cloop-memory-worker@local.test",
        ),
    )


def _dispatch() -> tuple[Variable, ...]:
    """Topics, and where runs happen."""
    return (
        Variable("JOBS_TOPIC", text, "topic of job events", default="memory-jobs"),
        Variable("DEAD_LETTER_TOPIC", text, "topic of dead letters", default="memory-jobs-dead"),
        Variable("TICKS_TOPIC", text, "topic of scheduler ticks", default="memory-ticks"),
        Variable(
            "DISPATCH",
            choice("inline", "cloud-run-job", "by-manifest"),
            "where runs happen: in the push (inline), in a Cloud Run Job (cloud-run-job), or as "
            "manifests/pipelines.yaml says (by-manifest)",
            default="by-manifest",
        ),
        Variable(
            "CLOUD_RUN_JOB",
            text,
            "full name of the Cloud Run Job that long runs are dispatched to",
            example="projects/clo0p-prod/locations/us-central1/jobs/cloop-memory-job",
            default="",
        ),
        Variable("RUN_ENDPOINT", optional, "Cloud Run API endpoint instead of Google's", example="127.0.0.1:8701"),
    )


def _tools() -> tuple[Variable, ...]:
    """Brain and agent, and what they run as."""
    return (
        Variable("BRAIN", choice("gbrain", "local"), "which brain indexes the pages", default="gbrain"),
        Variable("GBRAIN_BIN", text, "the gbrain executable", example="/usr/local/bin/gbrain", default="gbrain"),
        Variable(
            "GBRAIN_TEMPLATE",
            optional_path,
            "a prepared empty brain for new workspaces (`cloop-memory brain prepare`); "
            "empty: `gbrain init` creates each",
            example="/opt/gbrain/template.tar.zst",
        ),
        Variable(
            "GBRAIN_PLUGIN_PATH",
            optional,
            "absolute paths of further plugins with subagents, separated by colons; "
            "the template's plugin always comes first",
            example="/opt/plugins/house-style",
        ),
        Variable("HERMES_BIN", text, "the hermes executable", example="/opt/hermes/bin/hermes", default="hermes"),
        Variable(
            "AGENT_USER",
            user,
            "uid:gid under which Hermes and the brain run if this process is root. It is the first of 50,000 users; "
            "each run of a tool takes the next. Empty: the user of this process",
            example="10002:10002",
        ),
        Variable(
            "AGENT_FENCE",
            choice("auto", "required", "off"),
            "isolation of Hermes and the brain: their network contains only the model gateway, and their files and "
            "processes end with the run; auto: if the system allows it; required: a worker without it is not ready; "
            "off: none",
            default="auto",
        ),
    )


def _models() -> tuple[Variable, ...]:
    """The models and their provider."""
    return (
        Variable(
            "MODEL_BASE_URL", url, "OpenAI-compatible endpoint behind the gateway", default="https://api.openai.com/v1"
        ),
        Variable(
            "OPENAI_API_KEY",
            text,
            "API key of the model provider; no child process gets it",
            example="(secret)",
            secret=True,
        ),
        Variable(
            "MODEL_UPSTREAMS",
            upstreams.upstreams,
            "providers of single models, as a JSON object of model to base_url and key; a key is a reference: "
            "`env:NAME`, `file:/path` or `none`. Other models go to MODEL_BASE_URL",
            example='{"gpt-5.4-nano": {"base_url": "https://models.example/v1", "key": "env:MODELS_KEY"}}',
            default="",
            guarded=True,
        ),
        Variable("MODEL", text, "model of the agent in backfills and insights", default="gpt-5.4"),
        Variable("MODEL_SMALL", text, "model of the agent in hourly digests", default="gpt-5.4-mini"),
        Variable(
            "MODEL_READER",
            _model_or_none,
            "model that reads each version of a record once; `none`: only the built-in rules read records",
            default="gpt-5.4-nano",
        ),
        Variable(
            "MODEL_READER_TOKENS",
            positive,
            "share of a job's tokens that the reader may use, in and out; records beyond it wait for the next job",
            example="12000",
            default=_limit("reader_tokens_per_job"),
            unit="tokens",
            field="reader_tokens",
        ),
        Variable(
            "MODEL_READER_BACKFILL_TOKENS",
            positive,
            "the same for a backfill, which has all records to read",
            example="600000",
            default=_limit("reader_tokens_per_backfill"),
            unit="tokens",
            field="reader_backfill_tokens",
        ),
        Variable(
            "MODEL_JUDGE",
            _model_or_none,
            "model that judges whether a report's claims say what their quotes say, and whether open loops read from"
            " words are real; `none`: only code checks them",
            default="gpt-5.4-nano",
        ),
        Variable("EMBEDDING_MODEL", text, "model of the embeddings", default="text-embedding-3-small"),
        Variable(
            "SEARCH_VECTORS",
            choice("on", "off"),
            "whether the evidence index has vectors of EMBEDDING_MODEL beside its words",
            example="on",
            default="off",
        ),
    )


def _runs() -> tuple[Variable, ...]:
    """Leases, failures and run folders."""
    return (
        Variable(
            "LOCK_TTL_S",
            _lock_ttl,
            "time after which a lock or ledger lease expires if it is not renewed; at most 3600",
            example="120",
            default=_limit("lock_ttl"),
            unit="s",
        ),
        Variable(
            "MAX_ATTEMPTS",
            positive,
            "failures after which a job becomes a dead letter",
            example="5",
            default=_limit("max_failures"),
            unit="failures",
            field="max_failures",
        ),
        Variable(
            "RUN_ROOT",
            path,
            "parent of all run folders; the workspace of a run is always at <RUN_ROOT>/workspace",
            default="/run/cloop",
        ),
        Variable(
            "WARM_FOLDERS",
            choice("stat", "rehash", "off"),
            "stat: keep a run's folder for its user's next run, and trust files whose stat has not changed; "
            "rehash: keep it, but read every file again; off: keep no folder",
            example="rehash",
            default="stat",
        ),
        Variable(
            "SIGNING_KEY",
            path,
            "folder of the key ring that signs commits: current.key (Ed25519, PEM) and <key id>.pub of every key",
            example="/secrets/signing",
        ),
    )


def _process() -> tuple[Variable, ...]:
    """The process itself."""
    return (
        Variable(
            "MODE",
            choice("cloud", "local"),
            "local allows the local brain, and root without AGENT_USER",
            default="cloud",
        ),
        Variable("PORT", port, "port of the push app; 0: any free port", default="8080"),
        Variable(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            optional_url,
            "OTLP endpoint for spans and metrics; empty: none are sent. The OpenTelemetry SDK reads others",
            example="http://collector:4318",
            field="otlp_endpoint",
        ),
        Variable("HOST", text, "address that the push app listens on", default="0.0.0.0"),
    )
