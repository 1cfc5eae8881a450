"""Read the environment into frozen settings. Only this module reads os.environ in the consumer.

All faults are reported together, and secrets are never shown.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final, Literal

import manifests
from consumer.settings.table import variables
from service.settings import Rule, SettingsError, Variable, cannot_start, hold, masked, read_all
from service.upstreams import ModelUpstream

__all__ = [
    "ConsumerSettings",
    "OperatorSettings",
    "SettingsError",
    "cannot_start",
    "environment",
    "load",
    "load_operator",
    "models_of",
    "operator_variables",
    "variables",
]

Dispatch = Literal["inline", "cloud-run-job", "by-manifest"]
BrainKind = Literal["gbrain", "local"]
Fence = Literal["auto", "required", "off"]
Mode = Literal["cloud", "local"]
WarmFolders = Literal["stat", "rehash", "off"]


@dataclass(frozen=True, slots=True)
class ConsumerSettings:
    """The settings of a consumer process. ``repr`` masks secrets."""

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
    model_upstreams: tuple[ModelUpstream, ...]
    model: str
    model_small: str
    model_reader: str | None
    reader_tokens: int
    reader_backfill_tokens: int
    model_judge: str | None
    embedding_model: str
    search_vectors: str
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
        return masked(self, variables())


def models_of(settings: ConsumerSettings) -> dict[str, str]:
    """Model -> the first variable that names it, for each model that a job's gateway serves."""
    named = (
        ("MODEL", settings.model),
        ("MODEL_SMALL", settings.model_small),
        ("MODEL_READER", settings.model_reader),
        ("MODEL_JUDGE", settings.model_judge),
        ("EMBEDDING_MODEL", settings.embedding_model),
    )
    return {model: variable for variable, model in reversed(named) if model}


#: Fewer could not hold one part of a record, its instructions and its answer.
_LEAST_READER_TOKENS: Final = 8_000
_RULES: Final[tuple[Rule[ConsumerSettings], ...]] = (
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
        lambda s: min(s.reader_tokens, s.reader_backfill_tokens) >= _LEAST_READER_TOKENS,
        f"MODEL_READER_TOKENS and MODEL_READER_BACKFILL_TOKENS must be at least {_LEAST_READER_TOKENS:,}, which one"
        " request may take; MODEL_READER=none switches the reader off",
    ),
    (
        lambda s: s.lock_ttl_s > manifests.limits()["lock_margin"] * 2 or s.mode == "local",
        "LOCK_TTL_S must be more than twice the lock margin of manifests/limits.yaml",
    ),
)


@dataclass(frozen=True, slots=True)
class OperatorSettings:
    """The settings of the command line: bucket and control plane, but no model key."""

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
    """The process environment, for an execution's variables besides the settings (JOB_ID, FENCE, ...)."""
    return os.environ


def load(environ: Mapping[str, str] | None = None) -> ConsumerSettings:
    """Read the environment of a consumer process.

    Raises SettingsError: lists every variable that is missing or wrong.
    """
    values = read_all(os.environ if environ is None else environ, _fields_of(ConsumerSettings))
    return hold(ConsumerSettings(**values), _RULES)


def load_operator(environ: Mapping[str, str] | None = None) -> OperatorSettings:
    """Read the environment of the command line. Raises SettingsError: lists every variable that is missing or wrong."""
    source = dict(os.environ if environ is None else environ)
    if source.get("OPERATOR_EMAIL"):
        source["IDENTITY_EMAIL"] = source["OPERATOR_EMAIL"]
    return OperatorSettings(**read_all(source, operator_variables()))


def operator_variables() -> tuple[Variable, ...]:
    """The variables of the command line, in the order of ``variables``."""
    return _fields_of(OperatorSettings)


def _fields_of(kind: type[ConsumerSettings | OperatorSettings]) -> tuple[Variable, ...]:
    names = {f.name for f in fields(kind)}
    return tuple(variable for variable in variables() if variable.field in names)
