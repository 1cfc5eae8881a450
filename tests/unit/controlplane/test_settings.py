"""Settings: all faults in one message; keys of the right kind only."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from contract.overlay import EMPTY
from controlplane import main, settings, tokens
from service.clock import SystemClock

GOOD = {
    "DATABASE_URL": "postgresql://db/x",
    "EXPORT_DATABASE_URL": "postgresql://reader@db/x",
    "CONTROLPLANE_AUDIENCE": "https://control.example",
    "CONSUMER_SERVICE_ACCOUNTS": "a@x, b@x",
    "JOB_TOKEN_KEY": "/keys/new.pem,/keys/old.pem",
    "WORKSPACE_BUCKET": "bucket",
}


def test_defaults_and_lists() -> None:
    loaded = settings.load(GOOD)
    assert loaded.consumer_accounts == {"a@x", "b@x"}
    assert loaded.operator_emails == frozenset()
    assert loaded.job_token_keys == (Path("/keys/new.pem"), Path("/keys/old.pem"))
    assert loaded.export_database_url == "postgresql://reader@db/x"
    assert "https://accounts.google.com" in loaded.oidc_issuers
    assert (loaded.plan_spread, loaded.port) == (timedelta(minutes=50), 8080)
    pooler = "postgresql://x.y:z@db.example:6543/x"
    assert settings.load({**GOOD, "DATABASE_URL": pooler}).database_url == pooler, "requests need no session"


def test_every_fault_is_named() -> None:
    with pytest.raises(settings.SettingsError) as raised:
        settings.load({"PORT": "http", "DATABASE_POOL": "0"})
    for name in (*GOOD, "PORT", "DATABASE_POOL"):
        assert name in str(raised.value)


def test_keys_that_are_none(tmp_path: Path) -> None:
    missing, garbage, other = tmp_path / "none.pem", tmp_path / "garbage.pem", tmp_path / "other.pem"
    garbage.write_text("secret garbage")
    other.write_bytes(
        ec.generate_private_key(ec.SECP384R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    for path in (missing, garbage, other):
        with pytest.raises(ValueError, match=path.name) as raised:
            tokens.load_keys([path])
        assert "secret garbage" not in str(raised.value)


@pytest.mark.parametrize("issuer", [None, "https://app.example/auth/v1"])
def test_memory_is_read_only_where_the_apps_issuer_is_known(issuer: str | None) -> None:
    loaded = settings.load({**GOOD, **({"APP_ISSUER": issuer} if issuer else {})})
    reading = main._reading(loaded, cast(Any, None), lambda _: EMPTY, httpx.Client(), SystemClock())
    assert reading.bucket == "bucket"
    assert (reading.users is not None, reading.tokens is not None) == (bool(issuer), bool(issuer))
