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
            "GOOGLE_CLOUD_PROJECT", "project", text, "project that owns the topics and the Cloud Run job", "clo0p-prod"
        ),
        Variable(
            "WORKSPACE_BUCKET", "bucket", text, "bucket of workspaces, locks and ledgers", "cloop-memory-workspaces"
        ),
        Variable(
            "STORAGE_EMULATOR_HOST",
            "storage_endpoint",
            optional_url,
            "URL of a GCS server other than Google's; the client libraries read the same variable",
            "http://127.0.0.1:4443",
            "",
        ),
        Variable("CONTROLPLANE_URL", "controlplane_url", url, "base URL of the control plane", "https://app.clo0p.com"),
        Variable(
            "CONTROLPLANE_AUDIENCE",
            "controlplane_audience",
            text,
            "audience of the ID tokens that the consumer sends to the control plane",
            "https://app.clo0p.com",
        ),
    )


def _identities() -> tuple[Variable, ...]:
    """Whose tokens the consumer accepts, and its own identity."""
    return (
        Variable(
            "PUSH_AUDIENCES",
            "push_audiences",
            listed,
            "audiences accepted in push tokens, comma-separated",
            "https://consumer.example/push",
            "",
        ),
        Variable(
            "PUSH_SERVICE_ACCOUNT",
            "push_service_account",
            text,
            "e-mail of the account that signs pushes",
            "cloop-memory-push@clo0p-prod.iam.gserviceaccount.com",
            "",
        ),
        Variable(
            "OIDC_ISSUERS",
            "oidc_issuers",
            listed,
            "issuers (`iss`) that a push token may have, comma-separated",
            "https://accounts.google.com,accounts.google.com",
            "https://accounts.google.com,accounts.google.com",
        ),
        Variable(
            "OIDC_JWKS_URL",
            "oidc_jwks_url",
            url,
            "URL of the issuers' public keys",
            "https://www.googleapis.com/oauth2/v3/certs",
            "https://www.googleapis.com/oauth2/v3/certs",
        ),
        Variable(
            "IDENTITY_TOKEN_URL",
            "identity_token_url",
            optional_url,
            "URL that issues the consumer's ID tokens instead of the metadata server (embedded stack)",
            "http://127.0.0.1:4001/token",
            "",
        ),
        Variable(
            "IDENTITY_EMAIL",
            "identity_email",
            optional,
            "account for which IDENTITY_TOKEN_URL issues tokens",
            "cloop-memory-worker@local.test",
            "",
        ),
    )


def _dispatch() -> tuple[Variable, ...]:
    """Topics, and where runs happen."""
    return (
        Variable("JOBS_TOPIC", "jobs_topic", text, "topic of job events", "memory-jobs", "memory-jobs"),
        Variable(
            "DEAD_LETTER_TOPIC",
            "dead_letter_topic",
            text,
            "topic of dead letters",
            "memory-jobs-dead",
            "memory-jobs-dead",
        ),
        Variable("TICKS_TOPIC", "ticks_topic", text, "topic of scheduler ticks", "memory-ticks", "memory-ticks"),
        Variable(
            "DISPATCH",
            "dispatch",
            choice("inline", "cloud-run-job", "by-manifest"),
            "where runs happen: in the push (inline), in a Cloud Run Job (cloud-run-job), or as "
            "manifests/pipelines.yaml says (by-manifest)",
            "by-manifest",
            "by-manifest",
        ),
        Variable(
            "CLOUD_RUN_JOB",
            "cloud_run_job",
            text,
            "full name of the Cloud Run Job that long runs are dispatched to",
            "projects/clo0p-prod/locations/us-central1/jobs/cloop-memory-job",
            "",
        ),
        Variable(
            "RUN_ENDPOINT",
            "run_endpoint",
            optional,
            "Cloud Run API endpoint instead of Google's",
            "127.0.0.1:8701",
            "",
        ),
    )


def _tools() -> tuple[Variable, ...]:
    """Brain and agent, and what they run as."""
    return (
        Variable("BRAIN", "brain", choice("gbrain", "local"), "which brain indexes the pages", "gbrain", "gbrain"),
        Variable("GBRAIN_BIN", "gbrain_bin", text, "the gbrain executable", "/usr/local/bin/gbrain", "gbrain"),
        Variable(
            "GBRAIN_TEMPLATE",
            "gbrain_template",
            optional_path,
            "a prepared empty brain for new workspaces (`cloop-memory brain prepare`); "
            "empty: `gbrain init` creates each",
            "/opt/gbrain/template.tar.zst",
            "",
        ),
        Variable(
            "GBRAIN_PLUGIN_PATH",
            "gbrain_plugin_path",
            optional,
            "absolute paths of further plugins with subagents, separated by colons; "
            "the template's plugin always comes first",
            "/opt/plugins/house-style",
            "",
        ),
        Variable("HERMES_BIN", "hermes_bin", text, "the hermes executable", "/opt/hermes/bin/hermes", "hermes"),
        Variable(
            "AGENT_USER",
            "agent_user",
            user,
            "uid:gid under which Hermes and the brain run if this process is root. It is the first of 50,000 users; "
            "each run of a tool takes the next. Empty: the user of this process",
            "10002:10002",
            "",
        ),
        Variable(
            "AGENT_FENCE",
            "agent_fence",
            choice("auto", "required", "off"),
            "isolation of Hermes and the brain: their network contains only the model gateway, and their files and "
            "processes end with the run; auto: if the system allows it; required: a worker without it is not ready; "
            "off: none",
            "auto",
            "auto",
        ),
    )


def _models() -> tuple[Variable, ...]:
    """The models and their provider."""
    return (
        Variable(
            "MODEL_BASE_URL",
            "model_base_url",
            url,
            "OpenAI-compatible endpoint behind the gateway",
            "https://api.openai.com/v1",
            "https://api.openai.com/v1",
        ),
        Variable(
            "OPENAI_API_KEY",
            "openai_api_key",
            text,
            "API key of the model provider; no child process gets it",
            "(secret)",
            secret=True,
        ),
        Variable(
            "MODEL_UPSTREAMS",
            "model_upstreams",
            upstreams.upstreams,
            "providers of single models, as a JSON object of model to base_url and key; a key is a reference: "
            "`env:NAME`, `file:/path` or `none`. Other models go to MODEL_BASE_URL",
            '{"gpt-5.4-nano": {"base_url": "https://models.example/v1", "key": "env:MODELS_KEY"}}',
            "",
            guarded=True,
        ),
        Variable("MODEL", "model", text, "model of the agent in backfills and insights", "gpt-5.4", "gpt-5.4"),
        Variable(
            "MODEL_SMALL",
            "model_small",
            text,
            "model of the agent in hourly digests",
            "gpt-5.4-mini",
            "gpt-5.4-mini",
        ),
        Variable(
            "MODEL_READER",
            "model_reader",
            _model_or_none,
            "model that reads each version of a record once; `none`: only the built-in rules read records",
            "gpt-5.4-nano",
            "gpt-5.4-nano",
        ),
        Variable(
            "MODEL_READER_TOKENS",
            "reader_tokens",
            positive,
            "share of a job's tokens that the reader may use, in and out; records beyond it wait for the next job",
            "12000",
            _limit("reader_tokens_per_job"),
            "tokens",
        ),
        Variable(
            "MODEL_READER_BACKFILL_TOKENS",
            "reader_backfill_tokens",
            positive,
            "the same for a backfill, which has all records to read",
            "600000",
            _limit("reader_tokens_per_backfill"),
            "tokens",
        ),
        Variable(
            "MODEL_JUDGE",
            "model_judge",
            _model_or_none,
            "model that judges whether a report's claims say what their quotes say; `none`: only code checks them",
            "gpt-5.4-nano",
            "gpt-5.4-nano",
        ),
        Variable(
            "EMBEDDING_MODEL",
            "embedding_model",
            text,
            "model of the embeddings",
            "text-embedding-3-small",
            "text-embedding-3-small",
        ),
        Variable(
            "SEARCH_VECTORS",
            "search_vectors",
            choice("on", "off"),
            "whether the evidence index has vectors of EMBEDDING_MODEL beside its words",
            "on",
            "off",
        ),
    )


def _runs() -> tuple[Variable, ...]:
    """Leases, failures and run folders."""
    return (
        Variable(
            "LOCK_TTL_S",
            "lock_ttl_s",
            _lock_ttl,
            "time after which a lock or ledger lease expires if it is not renewed; at most 3600",
            "120",
            _limit("lock_ttl"),
            "s",
        ),
        Variable(
            "MAX_ATTEMPTS",
            "max_failures",
            positive,
            "failures after which a job becomes a dead letter",
            "5",
            _limit("max_failures"),
            "failures",
        ),
        Variable(
            "RUN_ROOT",
            "run_root",
            path,
            "parent of all run folders; the workspace of a run is always at <RUN_ROOT>/workspace",
            "/run/cloop",
            "/run/cloop",
        ),
        Variable(
            "WARM_FOLDERS",
            "warm_folders",
            choice("stat", "rehash", "off"),
            "stat: keep a run's folder for its user's next run, and trust files whose stat has not changed; "
            "rehash: keep it, but read every file again; off: keep no folder",
            "rehash",
            "stat",
        ),
        Variable(
            "SIGNING_KEY",
            "signing_key",
            path,
            "folder of the key ring that signs commits: current.key (Ed25519, PEM) and <key id>.pub of every key",
            "/secrets/signing",
        ),
    )


def _process() -> tuple[Variable, ...]:
    """The process itself."""
    return (
        Variable(
            "MODE",
            "mode",
            choice("cloud", "local"),
            "local allows the local brain, and root without AGENT_USER",
            "cloud",
            "cloud",
        ),
        Variable("PORT", "port", port, "port of the push app; 0: any free port", "8080", "8080"),
        Variable(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "otlp_endpoint",
            optional_url,
            "OTLP endpoint for spans and metrics; empty: none are sent. The OpenTelemetry SDK reads others",
            "http://collector:4318",
            "",
        ),
        Variable("HOST", "host", text, "address that the push app listens on", "0.0.0.0", "0.0.0.0"),
    )
