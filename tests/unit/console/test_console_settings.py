"""The console's own variables: where it would be open to others, it does not start."""

from __future__ import annotations

import pytest

from consumer.console import settings
from consumer.settings import SettingsError

ISSUER = {
    "CONSOLE_OIDC_ISSUER": "https://accounts.google.com",
    "CONSOLE_OIDC_CLIENT_ID": "id",
    "CONSOLE_OIDC_CLIENT_SECRET": "hunter2",
    "CONSOLE_EMAILS": "Ann@clo0p.com, li@clo0p.com",
}
SHARED = {**ISSUER, "CONSOLE_ORIGIN": "https://console.clo0p.com/", "CONSOLE_HOST": "0.0.0.0"}


def test_nothing_is_needed_on_ones_own_machine() -> None:
    loaded = settings.load({})
    assert (loaded.issuer, loaded.origin, loaded.host) == (None, None, "127.0.0.1")


def test_what_several_operators_need() -> None:
    loaded = settings.load(SHARED)
    assert loaded.emails == ("ann@clo0p.com", "li@clo0p.com")
    assert (loaded.origin, loaded.host) == ("https://console.clo0p.com", "0.0.0.0")
    assert "hunter2" not in repr(loaded)


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        ({"CONSOLE_HOST": "0.0.0.0"}, "CONSOLE_HOST"),
        ({**ISSUER, "CONSOLE_HOST": "0.0.0.0"}, "CONSOLE_HOST"),
        ({**SHARED, "CONSOLE_ORIGIN": "http://console.clo0p.com"}, "CONSOLE_ORIGIN"),
        ({**SHARED, "CONSOLE_ORIGIN": "http://127.0.0.1:8080"}, "CONSOLE_HOST"),
        ({**SHARED, "CONSOLE_ORIGIN": "https://console.clo0p.com/path"}, "CONSOLE_ORIGIN"),
        ({**SHARED, "CONSOLE_ORIGIN": "https://user@console.clo0p.com"}, "CONSOLE_ORIGIN"),
        ({"CONSOLE_ORIGIN": "https://console.clo0p.com"}, "CONSOLE_ORIGIN"),
        ({**ISSUER, "CONSOLE_OIDC_ISSUER": "http://accounts.google.com"}, "CONSOLE_OIDC_ISSUER"),
        ({**ISSUER, "CONSOLE_OIDC_ISSUER": "accounts.google.com"}, "CONSOLE_OIDC_ISSUER"),
        ({**ISSUER, "CONSOLE_OIDC_CLIENT_ID": ""}, "CONSOLE_OIDC_CLIENT_ID"),
        ({**ISSUER, "CONSOLE_EMAILS": " , "}, "CONSOLE_EMAILS"),
    ],
)
def test_it_does_not_start_where_it_would_be_open(environ: dict[str, str], named: str) -> None:
    with pytest.raises(SettingsError, match=named) as refused:
        settings.load(environ)
    assert "hunter2" not in str(refused.value)


def test_a_group_is_enough_to_say_who_may_come_in() -> None:
    assert settings.load({**ISSUER, "CONSOLE_EMAILS": "", "CONSOLE_GROUPS": "memory-operators"}).groups
