"""Users: by id or address, in pages, in waves."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer.errors import RequestRefused
from contract.api import DeletionReceipt, DeletionView, UserView
from tests.spine import USER, World, job_id
from tests.unit.cli.operators import AT, Cli

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


def test_without_a_profile_none_is_sent(cli: Cli) -> None:
    cli("user", "enable", USER)
    cli("user", "provision", "--wave", "1", "--cap", "9", "--dry-run", code=3)
    cli("user", "provision", "--wave", "1", "--cap", "9", "--profile", "internal-full", code=3)
    enabled, wave, named = [request for _, request in cli.api.calls]
    assert (enabled.runtime_profile, wave.runtime_profile) == (None, "user-memory-prod")
    assert named.runtime_profile == "internal-full"


def test_deleted_accounts_are_listed_in_pages_and_shown(cli: Cli) -> None:
    cli.api.gone = [a_deletion(n) for n in range(5)]
    assert [user["user_id"] for user in cli.json("user", "list", "--deleted")] == [job_id(n) for n in range(5)]
    text = cli("user", "list", "--deleted", "--limit", "3")
    assert text.count("waiting") == 3
    assert "more than 3" in text
    assert "--status" in cli("user", "list", "--deleted", "--status", "enabled", code=2)
    assert cli.json("user", "show", job_id(1))["deletion"]["state"] == "waiting"
    assert "The account was deleted" in cli("user", "show", job_id(1))
    assert "deleted" not in cli("user", "show", USER)
    kept = cli.json("user", "keep-deleted", job_id(1), "--reason", "legal hold")
    assert (kept["state"], kept["cancel_reason"]) == ("cancelled", "legal hold")
    assert "reason" in cli("user", "keep-deleted", job_id(1), "--reason", " ", code=2)


def test_a_receipt_is_printed_when_there_is_one(cli: Cli) -> None:
    with pytest.raises(RequestRefused, match="its state is: erased"):
        cli.invoke("user", "receipt", USER, catch=False)
    times = dict.fromkeys(("seen_at", "purge_after", "erased_at", "swept_at", "rows_kept_until"), AT)
    cli.api.proof = DeletionReceipt.model_validate(
        {"user_id": USER, "source": "trigger", "epoch": 7, "objects": {"packs": 3}, **times}
    )
    assert cli.json("user", "receipt", USER)["objects"] == {"packs": 3}
    assert "packs" in cli("user", "receipt", USER)


def a_deletion(number: int) -> DeletionView:
    return DeletionView(user_id=job_id(number), state="waiting", source="trigger", seen_at=AT, purge_after=AT)


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
    assert "every user has a workspace" in cli("user", "provision", "--wave", "2", "--cap", "9", code=3)
