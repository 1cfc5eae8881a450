"""Environment -> frozen Settings. The only reader of os.environ in the consumer.

Every variable is declared once, with its default, unit and an example; docs/operations.md is held to this table by a
test. All faults are reported together, and a secret is never shown.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import manifests

Dispatch = Literal["inline", "cloud-run-job", "by-manifest"]
BrainKind = Literal["gbrain", "local"]
Fence = Literal["auto", "required", "off"]
Mode = Literal["cloud", "local"]
WarmFolders = Literal["stat", "rehash", "off"]


class SettingsError(Exception):
    """One or more variables are missing or wrong; the message lists every one, and what to set."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable: how to read it and what to tell about it."""

    name: str
    field: str
    parse: Callable[[str], Any]
    about: str
    example: str
    default: str | None = None  # None: required
    unit: str = ""
    secret: bool = False


def _text(value: str) -> str:
    return value


def _optional(value: str) -> str | None:
    return value or None


def _list(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _path(value: str) -> Path:
    return Path(value).expanduser().absolute()


def _optional_path(value: str) -> Path | None:
    return _path(value) if value else None


def _positive(value: str) -> int:
    number = int(value)
    if number <= 0:
        raise ValueError("must be a whole number above 0")
    return number


def _port(value: str) -> int:
    number = int(value)
    if not 0 <= number <= 65535:
        raise ValueError("must be 0 (any free port) to 65535")
    return number


def _user(value: str) -> tuple[int, int] | None:
    if not value:
        return None
    uid, _, gid = value.partition(":")
    return _positive(uid), _positive(gid)


def _url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise ValueError("must be an http or https URL")
    return value.rstrip("/")


def _optional_url(value: str) -> str | None:
    return _url(value) if value else None


def _choice(*allowed: str) -> Callable[[str], str]:
    def parse(value: str) -> str:
        if value not in allowed:
            raise ValueError(f"must be one of: {', '.join(allowed)}")
        return value

    return parse


def _limit(name: str) -> str:
    return str(manifests.limits()[name])


def variables() -> tuple[Variable, ...]:
    """Every variable that the consumer reads, in the order of docs/operations.md."""
    return (
        Variable(
            "GOOGLE_CLOUD_PROJECT", "project", _text, "project that owns the topics and the Cloud Run job", "clo0p-prod"
        ),
        Variable(
            "WORKSPACE_BUCKET", "bucket", _text, "bucket of workspaces, locks and ledgers", "cloop-memory-workspaces"
        ),
        Variable(
            "STORAGE_EMULATOR_HOST",
            "storage_endpoint",
            _optional_url,
            "a GCS server other than Google's, as the client libraries read it",
            "http://127.0.0.1:4443",
            "",
        ),
        Variable(
            "CONTROLPLANE_URL", "controlplane_url", _url, "base URL of the control plane", "https://app.clo0p.com"
        ),
        Variable(
            "CONTROLPLANE_AUDIENCE",
            "controlplane_audience",
            _text,
            "audience of the ID token that we send to the control plane",
            "https://app.clo0p.com",
        ),
        Variable(
            "PUSH_AUDIENCES",
            "push_audiences",
            _list,
            "audiences accepted in push tokens, comma-separated",
            "https://consumer.example/push",
            "",
        ),
        Variable(
            "PUSH_SERVICE_ACCOUNT",
            "push_service_account",
            _text,
            "e-mail of the account that signs pushes",
            "cloop-memory-push@clo0p-prod.iam.gserviceaccount.com",
            "",
        ),
        Variable(
            "OIDC_ISSUERS",
            "oidc_issuers",
            _list,
            "issuers accepted in push tokens, comma-separated",
            "https://accounts.google.com,accounts.google.com",
            "https://accounts.google.com,accounts.google.com",
        ),
        Variable(
            "OIDC_JWKS_URL",
            "oidc_jwks_url",
            _url,
            "where the issuer's public keys are",
            "https://www.googleapis.com/oauth2/v3/certs",
            "https://www.googleapis.com/oauth2/v3/certs",
        ),
        Variable(
            "IDENTITY_TOKEN_URL",
            "identity_token_url",
            _optional_url,
            "issuer of our own ID tokens instead of the metadata server (embedded stack)",
            "http://127.0.0.1:4001/token",
            "",
        ),
        Variable(
            "IDENTITY_EMAIL",
            "identity_email",
            _optional,
            "account asked for at IDENTITY_TOKEN_URL",
            "cloop-memory-worker@local.test",
            "",
        ),
        Variable("JOBS_TOPIC", "jobs_topic", _text, "topic of job events", "memory-jobs", "memory-jobs"),
        Variable(
            "DEAD_LETTER_TOPIC",
            "dead_letter_topic",
            _text,
            "topic of dead letters",
            "memory-jobs-dead",
            "memory-jobs-dead",
        ),
        Variable("TICKS_TOPIC", "ticks_topic", _text, "topic of scheduler ticks", "memory-ticks", "memory-ticks"),
        Variable(
            "DISPATCH",
            "dispatch",
            _choice("inline", "cloud-run-job", "by-manifest"),
            "where runs happen: in the push, in a Cloud Run Job, or as manifests/pipelines.yaml says",
            "by-manifest",
            "by-manifest",
        ),
        Variable(
            "CLOUD_RUN_JOB",
            "cloud_run_job",
            _text,
            "full name of the Cloud Run Job that long runs are dispatched to",
            "projects/clo0p-prod/locations/us-central1/jobs/cloop-memory-job",
            "",
        ),
        Variable(
            "RUN_ENDPOINT",
            "run_endpoint",
            _optional,
            "Cloud Run API endpoint instead of Google's",
            "127.0.0.1:8701",
            "",
        ),
        Variable("BRAIN", "brain", _choice("gbrain", "local"), "which brain indexes the pages", "gbrain", "gbrain"),
        Variable("GBRAIN_BIN", "gbrain_bin", _text, "the gbrain executable", "/usr/local/bin/gbrain", "gbrain"),
        Variable(
            "GBRAIN_TEMPLATE",
            "gbrain_template",
            _optional_path,
            "a prepared empty brain for new workspaces (`cloop-memory brain prepare`); empty: gbrain init makes each",
            "/opt/gbrain/template.tar.zst",
            "",
        ),
        Variable(
            "GBRAIN_PLUGIN_PATH",
            "gbrain_plugin_path",
            _optional,
            "further plugin folders with subagents, absolute, separated by colons; the template's own comes first",
            "/opt/plugins/house-style",
            "",
        ),
        Variable("HERMES_BIN", "hermes_bin", _text, "the hermes executable", "/opt/hermes/bin/hermes", "hermes"),
        Variable(
            "AGENT_USER",
            "agent_user",
            _user,
            "uid:gid that Hermes and the brain run as, if this process is root; empty: as this process",
            "10002:10002",
            "",
        ),
        Variable(
            "AGENT_FENCE",
            "agent_fence",
            _choice("auto", "required", "off"),
            "a network of their own for Hermes and the brain, with the model gateway in it and nothing else: where the "
            "system allows it (auto), or no start without it (required)",
            "auto",
            "auto",
        ),
        Variable(
            "MODEL_BASE_URL",
            "model_base_url",
            _url,
            "OpenAI-compatible endpoint behind the gateway",
            "https://api.openai.com/v1",
            "https://api.openai.com/v1",
        ),
        Variable(
            "OPENAI_API_KEY",
            "openai_api_key",
            _text,
            "the model provider's key; stays in this process",
            "(secret)",
            secret=True,
        ),
        Variable("MODEL", "model", _text, "model of the synthesis", "gpt-5.4", "gpt-5.4"),
        Variable(
            "EMBEDDING_MODEL",
            "embedding_model",
            _text,
            "model of the embeddings",
            "text-embedding-3-small",
            "text-embedding-3-small",
        ),
        Variable(
            "LOCK_TTL_S",
            "lock_ttl_s",
            _positive,
            "life of a lock or ledger lease without renewal",
            "120",
            _limit("lock_ttl"),
            "s",
        ),
        Variable(
            "MAX_ATTEMPTS",
            "max_failures",
            _positive,
            "failures after which a job becomes a dead letter",
            "5",
            _limit("max_failures"),
            "failures",
        ),
        Variable(
            "RUN_ROOT",
            "run_root",
            _path,
            "folder of run folders; the workspace is always at <RUN_ROOT>/workspace",
            "/run/cloop",
            "/run/cloop",
        ),
        Variable(
            "WARM_FOLDERS",
            "warm_folders",
            _choice("stat", "rehash", "off"),
            "keep a run's folder for its user's next run here: believe files whose stat is the recorded one (stat), "
            "read each again all the same (rehash), or keep none (off)",
            "rehash",
            "stat",
        ),
        Variable(
            "SIGNING_KEY",
            "signing_key",
            _path,
            "folder of the key ring that signs commits: current.key (Ed25519, PEM) and <key id>.pub of every key",
            "/secrets/signing",
        ),
        Variable(
            "MODE",
            "mode",
            _choice("cloud", "local"),
            "local allows the local brain and no per-child user",
            "cloud",
            "cloud",
        ),
        Variable("PORT", "port", _port, "port of the push app; 0 = any free one", "8080", "8080"),
        Variable(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "otlp_endpoint",
            _optional_url,
            "where spans and metrics go; the OpenTelemetry SDK reads its other variables itself",
            "http://collector:4318",
            "",
        ),
        Variable("HOST", "host", _text, "address that the push app listens on", "0.0.0.0", "0.0.0.0"),
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """What one consumer process needs to know. ``repr`` masks secrets."""

    project: str
    bucket: str
    storage_endpoint: str | None
    controlplane_url: str
    controlplane_audience: str
    push_audiences: tuple[str, ...]
    push_service_account: str
    oidc_issuers: tuple[str, ...]
    oidc_jwks_url: str
    identity_token_url: str | None
    identity_email: str | None
    jobs_topic: str
    dead_letter_topic: str
    ticks_topic: str
    dispatch: Dispatch
    cloud_run_job: str
    run_endpoint: str | None
    brain: BrainKind
    gbrain_bin: str
    gbrain_template: Path | None
    gbrain_plugin_path: str | None
    hermes_bin: str
    agent_user: tuple[int, int] | None
    agent_fence: Fence
    model_base_url: str
    openai_api_key: str
    model: str
    embedding_model: str
    lock_ttl_s: int
    max_failures: int
    run_root: Path
    warm_folders: WarmFolders
    signing_key: Path
    mode: Mode
    port: int
    otlp_endpoint: str | None
    host: str

    def __repr__(self) -> str:
        secret = {v.field for v in variables() if v.secret}
        shown = (f"{f.name}={'***' if f.name in secret else repr(getattr(self, f.name))}" for f in fields(self))
        return f"Settings({', '.join(shown)})"


#: Rules between variables: (holds, what to do).
_RULES: Final[tuple[tuple[Callable[[Settings], bool], str], ...]] = (
    (
        lambda s: s.mode == "local" or s.brain == "gbrain",
        "BRAIN=local needs MODE=local: the local brain is for laptops and tests",
    ),
    (
        lambda s: s.dispatch == "inline" or bool(s.cloud_run_job),
        "CLOUD_RUN_JOB must name the job unless DISPATCH=inline",
    ),
    (
        lambda s: bool(s.identity_token_url) == bool(s.identity_email),
        "IDENTITY_TOKEN_URL and IDENTITY_EMAIL go together",
    ),
    (
        lambda s: s.lock_ttl_s > manifests.limits()["lock_margin"] * 2 or s.mode == "local",
        "LOCK_TTL_S must be more than twice the lock margin of manifests/limits.yaml",
    ),
)


@dataclass(frozen=True, slots=True)
class OperatorSettings:
    """What the command line needs: the bucket to look into and the control plane to ask. No model key."""

    bucket: str
    project: str
    storage_endpoint: str | None
    controlplane_url: str
    controlplane_audience: str
    identity_token_url: str | None
    identity_email: str | None
    jobs_topic: str
    dead_letter_topic: str
    ticks_topic: str
    brain: BrainKind
    gbrain_bin: str
    gbrain_template: Path | None
    hermes_bin: str
    signing_key: Path
    lock_ttl_s: int
    run_root: Path


def environment() -> Mapping[str, str]:
    """The process environment, for what an execution is told beside its settings (JOB_ID, FENCE, ...)."""
    return os.environ


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the environment of a consumer process.

    Raises:
        SettingsError: lists every variable that is missing or wrong.
    """
    values = read_all(os.environ if environ is None else environ, _fields_of(Settings))
    settings = Settings(**values)
    faults = [advice for holds, advice in _RULES if not holds(settings)]
    if faults:
        raise _faulty(faults)
    return settings


def load_operator(environ: Mapping[str, str] | None = None) -> OperatorSettings:
    """Read the environment of the command line.

    Raises:
        SettingsError: lists every variable that is missing or wrong.
    """
    source = dict(os.environ if environ is None else environ)
    if source.get("OPERATOR_EMAIL"):
        source["IDENTITY_EMAIL"] = source["OPERATOR_EMAIL"]
    return OperatorSettings(**read_all(source, _fields_of(OperatorSettings)))


def _fields_of(kind: type[Settings | OperatorSettings]) -> tuple[Variable, ...]:
    wanted = {f.name for f in fields(kind)}
    return tuple(variable for variable in variables() if variable.field in wanted)


def read_all(source: Mapping[str, str], wanted: Iterable[Variable]) -> dict[str, Any]:
    """Field -> value of each variable. Raises SettingsError: lists every one that is missing or wrong."""
    values: dict[str, Any] = {}
    faults: list[str] = []
    for variable in wanted:
        try:
            values[variable.field] = _read(variable, source)
        except ValueError as exc:
            faults.append(f"{variable.name}: {exc} (e.g. {variable.example})")
    if faults:
        raise _faulty(faults)
    return values


def _faulty(faults: list[str]) -> SettingsError:
    return SettingsError("cannot start, correct these variables:\n  " + "\n  ".join(faults))


def _read(variable: Variable, source: Mapping[str, str]) -> Any:
    raw = source.get(variable.name, "").strip() or variable.default
    if raw is None:
        raise ValueError(f"not set; {variable.about}")
    try:
        return variable.parse(raw)
    except ValueError as exc:
        shown = "a value that" if variable.secret else repr(raw[:80])
        reason = str(exc) if "must" in str(exc) else "has the wrong form"
        raise ValueError(f"{shown} {reason}") from None
