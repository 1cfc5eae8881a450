"""Environment -> frozen settings; the only reader of os.environ in the reader."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import manifests
from service.settings import (
    SPANS,
    Rule,
    SettingsError,
    Variable,
    choice,
    hold,
    listed,
    masked,
    optional_path,
    optional_url,
    path,
    port,
    read_all,
    text,
    url,
)

__all__ = ["ReaderSettings", "SettingsError", "load", "variables"]

#: Hosts whose connections stay on this machine, so that they need no TLS.
LOOPBACK: Final = ("127.0.0.1", "localhost")
_KEY_CHARS: Final = 32


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """``origin`` None: http://127.0.0.1:<port>."""

    controlplane_url: str
    controlplane_audience: str
    identity_token_url: str | None
    identity_email: str
    storage_endpoint: str | None
    verify_keys: Path
    origin: str | None
    app_origins: tuple[str, ...]
    hosts: tuple[str, ...]
    session_key: str | None
    codes: bool
    cache_mb: int
    cache: Path | None
    host: str
    port: int
    model: str = ""
    model_judge: str = ""
    embedding_model: str = ""
    model_base_url: str = ""
    openai_api_key: str = ""
    model_usd_a_day: float = 0.0
    otlp_endpoint: str | None = None

    def __repr__(self) -> str:
        return masked(self, variables())


def _origin(value: str) -> str:
    parts = urlsplit(value.rstrip("/"))
    safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    if not safe or not parts.hostname or parts.path or parts.query or parts.fragment or parts.username:
        raise ValueError("must be https://<host>, without a path (http on this machine only)")
    return value.rstrip("/")


def _optional_origin(value: str) -> str | None:
    return _origin(value) if value else None


def _origins(value: str) -> tuple[str, ...]:
    return tuple(_origin(entry) for entry in listed(value))


def _switch(value: str) -> bool:
    return choice("on", "off")(value) == "on"


def _key(value: str) -> str | None:
    if value and len(value) < _KEY_CHARS:
        raise ValueError(f"must have at least {_KEY_CHARS} characters")
    return value or None


def _megabytes(least: int) -> Callable[[str], int]:
    def parse(value: str) -> int:
        number = int(value)
        if number < least:
            raise ValueError(f"must be at least {least}")
        return number

    return parse


def variables() -> tuple[Variable, ...]:
    """Every variable that the reader reads, in the order of docs/operations.md."""
    return (*_neighbours(), *_doors(), *_models(), *_process())


def _neighbours() -> tuple[Variable, ...]:
    return (
        Variable("CONTROLPLANE_URL", url, "base URL of the control plane", example="https://app.clo0p.com"),
        Variable(
            "CONTROLPLANE_AUDIENCE", text, "audience of the reader's own ID tokens", example="https://app.clo0p.com"
        ),
        Variable(
            "IDENTITY_TOKEN_URL",
            optional_url,
            "token endpoint of the embedded issuer; empty: Google's metadata server",
            example="http://127.0.0.1:23545/token",
        ),
        Variable(
            "IDENTITY_EMAIL",
            text,
            "account for which IDENTITY_TOKEN_URL issues tokens",
            example="cloop-memory-reader@cloop-local.iam.gserviceaccount.com",
            default="",
        ),
        Variable(
            "STORAGE_EMULATOR_HOST",
            optional_url,
            "Cloud Storage endpoint; empty: Google's",
            example="http://127.0.0.1:23544",
            field="storage_endpoint",
        ),
        Variable(
            "VERIFY_KEYS",
            path,
            "folder of the public keys (`*.pub`) that verify commits; a private key in it is not read",
            example="/secrets/verify",
        ),
    )


def _doors() -> tuple[Variable, ...]:
    return (
        Variable(
            "READER_ORIGIN",
            _optional_origin,
            "the reader's address for browsers; empty: http://127.0.0.1:<port>",
            example="https://memory.clo0p.com",
            default="",
            field="origin",
        ),
        Variable(
            "READER_APP_ORIGINS",
            _origins,
            "origins of the app, comma-separated: their pages may call `/v1` and post a sign-in",
            example="https://app.clo0p.com",
            default="",
            field="app_origins",
        ),
        Variable(
            "READER_HOSTS",
            listed,
            "further host names that requests may be addressed to, comma-separated, such as the platform's own",
            example="cloop-memory-reader-abc-uc.a.run.app",
            default="",
            field="hosts",
        ),
        Variable(
            "READER_SESSION_KEY",
            _key,
            "secret that encrypts the pages' cookies, at least 32 characters, the same in all instances; empty: a"
            " random one, and sessions end with the process",
            example="0123456789abcdef0123456789abcdef",
            default="",
            field="session_key",
            secret=True,
        ),
        Variable(
            "READER_CODES",
            _switch,
            "`on`: `POST /v1/me/codes` issues codes that open the pages in a browser; a code works only in the process "
            "that issued it",
            example="on",
            default="off",
            field="codes",
        ),
    )


def _models() -> tuple[Variable, ...]:
    return (
        Variable(
            "READER_MODEL",
            _model,
            "model that answers questions that facts do not answer; its price must be known; `none`: only facts answer",
            example="gpt-5.4-mini",
            default="none",
            field="model",
        ),
        Variable(
            "READER_MODEL_JUDGE",
            _model,
            "model that must confirm each sentence of an answer; `none`: code alone checks",
            example="gpt-5.4-nano",
            default="none",
            field="model_judge",
        ),
        Variable(
            "READER_EMBEDDING_MODEL",
            _model,
            "embeds questions, as the workers' `EMBEDDING_MODEL` embeds evidence with `SEARCH_VECTORS=on`;"
            " `none`: words alone are searched",
            example="text-embedding-3-small",
            default="none",
            field="embedding_model",
        ),
        Variable(
            "MODEL_BASE_URL",
            url,
            "OpenAI-compatible endpoint behind the reader's own gateway",
            default="https://api.openai.com/v1",
        ),
        Variable(
            "OPENAI_API_KEY",
            str.strip,
            "API key of the model provider; it stays in this process",
            example="(secret)",
            default="",
            secret=True,
        ),
        Variable(
            "READER_MODEL_USD_PER_DAY",
            _dollars,
            "limit of what one user's questions cost a day, in each instance; beyond it, facts and passages answer",
            default="1.00",
            unit="USD",
            field="model_usd_a_day",
        ),
    )


def _model(value: str) -> str:
    """A model's name; "" for ``none``."""
    name = value.strip()
    if name in ("", "none"):
        return ""
    if name not in manifests.model_prices():
        # Without a price nothing would count against READER_MODEL_USD_PER_DAY.
        raise ValueError(f"has no price in manifests/models.yaml: {name}")
    return name


def _dollars(value: str) -> float:
    number = float(value)
    if not 0 <= number <= 1000:
        raise ValueError("must be from 0 to 1000")
    return number


def _process() -> tuple[Variable, ...]:
    return (
        Variable(
            "READER_CACHE_MB",
            _megabytes(1),
            "maximum size of all open memories together, on disk and in memory",
            default="256",
            unit="MiB",
            field="cache_mb",
        ),
        Variable(
            "READER_CACHE",
            optional_path,
            "folder for evidence indexes; its content is deleted; empty: a temporary one",
            example="/run/cloop/reader",
            field="cache",
        ),
        Variable("HOST", text, "address to listen on", example="127.0.0.1", default="0.0.0.0"),
        Variable("PORT", port, "port to listen on; 0: any free port", example="0", default="8080"),
        SPANS,
    )


_RULES: Final[tuple[Rule[ReaderSettings], ...]] = (
    (
        lambda s: s.host in LOOPBACK or (s.origin or "").startswith("https://"),
        "HOST other than 127.0.0.1 needs an https READER_ORIGIN: sessions would travel unencrypted",
    ),
    (
        lambda s: not s.model or bool(s.openai_api_key),
        "READER_MODEL needs OPENAI_API_KEY",
    ),
    (
        lambda s: not s.embedding_model or bool(s.openai_api_key),
        "READER_EMBEDDING_MODEL needs OPENAI_API_KEY",
    ),
    (
        lambda s: bool(s.model) or not s.model_judge,
        "READER_MODEL_JUDGE needs READER_MODEL: a judge answers nothing itself",
    ),
    (
        lambda s: not s.codes or s.host in LOOPBACK,
        "READER_CODES=on needs HOST=127.0.0.1: codes are known to one process only",
    ),
)


def load(environ: Mapping[str, str] | None = None) -> ReaderSettings:
    """Read and check every variable. Raises SettingsError: names each variable that is missing or wrong."""
    return hold(ReaderSettings(**read_all(os.environ if environ is None else environ, variables())), _RULES)
