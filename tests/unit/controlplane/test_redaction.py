"""Secrets by name and by form go; everything else stays to the letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlplane.redaction import names_secret, without_secrets
from tests import secret_samples as samples
from tests.tables import table

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


@table("name", SECRET_NAMES)
def test_names_of_secrets(name: str) -> None:
    assert names_secret(name)


@table("name", [n for n in PLAIN_NAMES if n != "cookies_baked_by"])
def test_other_names(name: str) -> None:
    assert not names_secret(name)


@table("name", samples.TOKENS)
def test_secrets_by_form_are_named_where_they_stood(name: str) -> None:
    before, secret, after = samples.parts(samples.TOKENS[name][0])
    end = "@host" if name == "url_password" else ""
    text, reasons = without_secrets(f"before {before}{secret}{after}{end} after")
    assert text == f"before {before}[redacted:{name}]{after}{end} after"
    assert reasons == [name]


@pytest.mark.parametrize(
    "sample", [samples.PASSWORDS[0], samples.ONE_TIME_CODES[0], samples.TOKENS["github_token"][-1]]
)
def test_what_pages_hide_does_not_leave_the_database(sample: str) -> None:
    before, secret, after = samples.parts(sample)
    text, reasons = without_secrets(f"{before}{secret}{after}")
    assert secret not in text
    assert len(reasons) == 1


def test_a_password_in_an_address() -> None:
    text, reasons = without_secrets("see postgres://app:hunter2@db.example/x and https://example.com/a:b@c")
    assert text == "see postgres://[redacted:url_password]@db.example/x and https://example.com/a:b@c"
    assert reasons == ["url_password"]


def test_a_password_that_a_chat_shows_on_a_click() -> None:
    assert without_secrets("the password: ||Tulp3n!zwiebel|| ok")[0] == "the password: ||[redacted:password] ok"


def test_a_private_key_that_was_cut_off_goes_too() -> None:
    assert without_secrets(samples.key_block("PRIVATE " + "KEY").rpartition("\n")[0])[0] == "[redacted:private_key]"


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


_PIECES = st.sampled_from([sample.replace("|", "").replace("^", "") for sample in samples.PASSWORDS[:20]]) | st.text(
    max_size=9
)


@given(st.text() | st.lists(_PIECES, max_size=4).map(" ".join))
def test_redaction_is_stable(text: str) -> None:
    once, _ = without_secrets(text)
    assert without_secrets(once) == (once, [])
