"""Users: by id or address, in pages, in waves."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract.api import UserView
from tests.spine import USER, World, job_id
from tests.unit.entrypoints.operators import AT, Cli

PEOPLE = [UserView(user_id=job_id(n), status="enabled", open_jobs=n, last_digest_at=AT) for n in range(5)]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(World(tmp_path))


def test_enable_by_id_or_address_and_disable(cli: Cli) -> None:
    cli("user", "enable", "ann@example.com")
    cli("user", "enable", USER, "--profile", "trial")
    sent = [request for _, request in cli.api.calls]
    assert (sent[0].email, sent[0].user_id) == ("ann@example.com", None)
    assert (sent[1].user_id, sent[1].runtime_profile) == (USER, "trial")
    assert cli.json("user", "disable", USER) == {"user_id": USER, "status": "disabled"}


@pytest.mark.parametrize(
    "words",
    [
        ("user", "enable", "ann"),
        ("user", "disable", "ann"),
        ("user", "backfill", USER.replace("-", "")),
        ("job", "list", "--user", "ann@example.com"),
        ("job", "smoke", "--user", USER[:-1]),
    ],
)
def test_what_is_no_user_id_is_said_and_sent_nowhere(cli: Cli, words: tuple[str, ...]) -> None:
    assert "user_id" in cli(*words, code=2)
    assert cli.api.calls == []


def test_backfill_is_a_job(cli: Cli) -> None:
    assert cli.json("user", "backfill", USER)["job_type"] == "backfill_digest"


def test_list_follows_pages_up_to_the_limit(cli: Cli) -> None:
    cli.api.people = PEOPLE
    assert [user["user_id"] for user in cli.json("user", "list")] == [p.user_id for p in PEOPLE]
    text = cli("user", "list", "--status", "enabled", "--limit", "3")
    assert text.count("enabled") == 3
    assert "2026-11-27 14:00" in text
    assert "more than 3" in text
    assert cli.api.calls[-1][1] == {"status": "enabled", "after": "2"}


def test_provision_sends_the_wave_and_tells_who(cli: Cli) -> None:
    cli.api.people = PEOPLE
    text = cli("user", "provision", "--wave", "2", "--cap", "9", "--no-backfill", "--dry-run")
    assert text.splitlines() == [
        f"would enable  {PEOPLE[0].user_id}",
        f"would enable  {PEOPLE[1].user_id}",
        "enabled 2, waiting 3, open backfills 0",
    ]
    sent = cli.api.calls[0][1]
    assert (sent.size, sent.cap, sent.backfill, sent.dry_run) == (2, 9, False, True)


def test_provision_needs_a_cap_and_says_when_there_is_nobody(cli: Cli) -> None:
    cli("user", "provision", "--wave", "2", code=2)
    cli("user", "provision", "--wave", "501", "--cap", "9", code=2)
    assert "everybody has a workspace" in cli("user", "provision", "--wave", "2", "--cap", "9", code=3)
