"""`workspace purge`: what matches is shown, what was confirmed is erased, and nothing else."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from consumer import paths
from consumer.cli import main
from consumer.erasure.matching import RecordKey
from consumer.evidence.records import Rerender
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.storage.conditional import ConditionalWriter
from contract.api import BucketDeedRequest, ErasureResponse, JobList
from tests import erasing
from tests.copies import copied
from tests.fake_export import Row
from tests.unit.repository.workspaces import USER

NOTE = ("meeting_notes", "note-4711")
OTHER = ("meeting_notes", "note-47110")
CONTACT = ("contacts", "17")
EDGE = ("event_contacts", "edge-0001")
MAIL = ("inbound_messages", "mail-0001")
TASK = ("checklist_items", "task-0001")
BODY = "the settlement is seven hundred thousand and nobody else may hear of it"
DATA: dict[RecordKey, dict[str, Any]] = {
    NOTE: {"title": "Call with HENRIK AALTONEN", "attendees": ["Henrik Aaltonen"], "note_text": BODY},
    OTHER: {"title": "Weekly", "attendees": ["Ann Lee"], "note_text": "Henrik Aaltonen was not there, nobody minded"},
    CONTACT: {"display_name": "Henrik Aaltonen", "emails": ["Henrik@Example.com"], "summary": "Lives in Turku"},
    EDGE: {"contact_id": "17", "event_id": "e", "role": "guest"},
    MAIL: {"channel": "email", "sender_name": "H.", "sender": "H. <henrik@example.com>", "normalized_text": "see you"},
    TASK: {"title": "Write to Henriks brother", "people": ["Ann Lee"], "description": "seventeen, 17"},
}


class Audit:
    def __init__(self) -> None:
        self.requests: list[BucketDeedRequest] = []

    def note_deed(self, request: BucketDeedRequest) -> None:
        self.requests.append(request)

    def mark_erased(self, user_id: str, reason: str) -> ErasureResponse:
        raise AssertionError("tests/unit/erasure/test_erase.py erases everything")

    def jobs(self, filters: Mapping[str, str]) -> JobList:
        raise AssertionError("tests/unit/erasure/test_erase.py erases everything")


class Operations:
    operator = "operator@example.com"

    def __init__(self, world: erasing.World, audit: Audit) -> None:
        ids = itertools.count()
        bench = world.bench
        bench.clock.advance(200)
        self.workspaces = bench.store(templates=erasing.TEMPLATES)
        self.locks = Locks(ConditionalWriter(bench.blobs, bench.clock), bench.clock, lambda: f"i-{next(ids)}", Lease())
        self.api = audit
        self.suppressions = world.suppressions()

    @staticmethod
    def rerender() -> Rerender:
        return erasing.rerender()


class Cli:
    def __init__(self, tmp: Path) -> None:
        self.audit = Audit()
        self.world = erasing.World(tmp)
        for number, (key, data) in enumerate(DATA.items()):
            self.world.server.put(*key, Row(number, erasing.DAY + timedelta(days=number), data))
        self.world.job("backfill_digest")
        #: What happens elsewhere while the question stands.
        self.meanwhile: Callable[[], object] = lambda: None

    def _operations(self) -> Operations:
        return Operations(self.world, self.audit)

    def invoke(self, *words: str, typed: str | None = None) -> Result:
        return CliRunner().invoke(main.app, ["workspace", *words], input=typed, obj=self._operations)

    def __call__(self, *words: str, exit_code: int = 0, typed: str | None = None) -> Result:
        result = self.invoke("purge", *words, "--user", USER, typed=typed)
        assert result.exit_code == exit_code, result.output
        return result

    def preview(self, *words: str, exit_code: int = 0) -> Any:
        return json.loads(self(*words, "--dry-run", "--json", exit_code=exit_code).stdout)

    def raw(self) -> bytes:
        files = self.world.files(self._head())
        return b"".join(data for path, data in files.items() if path.endswith(".jsonl"))

    def _head(self) -> int:
        head = self.world.looking.of(USER).read_head()
        assert head is not None
        return head.seq


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    return Cli(tmp_path_factory.mktemp("purge"))


@pytest.fixture
def cli(template: Cli, tmp_path: Path) -> Cli:
    cli = copied(template)
    cli.world.tmp = cli.world.bench.tmp = tmp_path
    return cli


def test_a_dry_run_shows_counts_days_and_titles_and_no_body(cli: Cli) -> None:
    before = cli.world.bench.blobs.contents()
    shown = cli("--about", "henrik  aaltonen", "--dry-run").output
    assert cli.world.bench.blobs.contents() == before
    assert cli.audit.requests == []
    assert "records    3" in shown
    assert "contacts 1, meeting_notes 2" in shown
    assert "2026-03-05 to 2026-03-07" in shown
    assert "Call with HENRIK AALTONEN" in shown
    assert "settlement" not in shown


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--record", "meeting_notes:note-4711"], {NOTE}),
        (["--source", "meeting_notes", "--record", "note-4711"], {NOTE}),
        (["--record", "meeting_notes:note-4711", "--record", "checklist_items:task-0001"], {NOTE, TASK}),
        (["--source", "meeting_notes"], {NOTE, OTHER}),
        # Whole words in any case: Henriks is another word.
        (["--about", "HENRIK"], {NOTE, OTHER, CONTACT, MAIL}),
        (["--about", "Henrik Aaltonen"], {NOTE, OTHER, CONTACT}),
        # Who it is says the contact: by name, address or id, and not every 17 is that contact.
        (["--person", "henrik aaltonen"], {NOTE, CONTACT, EDGE, MAIL}),
        (["--person", "HENRIK@example.com"], {NOTE, CONTACT, EDGE, MAIL}),
        (["--person", "17"], {NOTE, CONTACT, EDGE, MAIL}),
        (["--person", "Ann Lee"], {OTHER, TASK}),
        (["--before", "2026-03-07"], {NOTE, OTHER}),
        (["--source", "meeting_notes", "--about", "aaltonen", "--before", "2026-03-06"], {NOTE}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_every_selector_has_to_match(cli: Cli, words: list[str], expected: set[RecordKey]) -> None:
    assert cli.preview(*words)["records"] == len(expected)
    cli(*words, "--reason", "asked", "--yes", "--expect", str(len(expected)))
    lines = map(json.loads, cli.raw().splitlines())
    left = {(line["source_key"], line["record_id"]) for line in lines if "record_id" in line}
    assert left == DATA.keys() - expected
    cli.world.verify()


def test_the_number_has_to_be_typed(cli: Cli) -> None:
    before = cli.raw()
    asked = ["--source", "meeting_notes", "--reason", "asked"]
    assert "'1' is not 2" in cli(*asked, typed="1\n", exit_code=1).output
    assert "--yes --expect" in cli(*asked, exit_code=1).output
    assert (cli.raw(), cli.audit.requests) == (before, [])
    assert "records          2" in cli(*asked, typed="2\n").output
    assert BODY.encode() not in cli.raw()


def test_what_matches_has_to_be_what_was_shown(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record comes between the question and its answer: the number that was typed is of another selection."""

    def typed(*_: object, **__: object) -> str:
        cli.world.server.put("meeting_notes", "note-new", Row(99, erasing.DAY, {"title": "Late", "note_text": "late"}))
        cli.world.job()
        return "2"

    monkeypatch.setattr(typer, "prompt", typed)
    refused = cli("--source", "meeting_notes", "--reason", "asked", exit_code=1).output
    assert "1 more record matches now; HEAD moved from commit 1 to 2" in refused
    assert BODY.encode() in cli.raw()
    assert cli.audit.requests == []


@pytest.mark.parametrize("damaged", ["HEAD", "packs/"])
def test_damage_is_told_with_the_ways_to_erase_all_the_same(cli: Cli, damaged: str) -> None:
    blobs = cli.world.bench.blobs
    for name in [name for name in blobs.names(f"users/{USER}/") if damaged in name]:
        blobs.write(name, b"{", if_generation=None)
    for words in (["--dry-run"], ["--reason", "asked", "--yes", "--expect", "2"]):
        refused = cli("--source", "meeting_notes", *words, exit_code=1).output
        assert "nothing was purged: " in refused
        assert "--everything" in refused
        assert "--drop-unreadable" in refused
    assert cli.audit.requests == []


def test_an_archive_that_goes_with_a_purge_is_shown_before(cli: Cli) -> None:
    aside = paths.archive(USER, "20260301T000000000000Z")
    cli.world.bench.blobs.write(aside + "HEAD", b"of before", if_generation=None)
    assert cli.preview("--source", "meeting_notes")["archived_objects"] == 1
    cli("--source", "meeting_notes", "--reason", "asked", "--yes", "--expect", "2")
    assert cli.world.bench.blobs.names(aside) == []


def test_a_restore_after_a_purge_does_not_say_that_it_equals(cli: Cli) -> None:
    cli("--source", "meeting_notes", "--reason", "asked", "--yes", "--expect", "2")
    words = ["restore", "--to", "1", "--user", USER, "--reason", "back", "--json"]
    done = json.loads(cli.invoke(*words).stdout)
    assert done["made_again_from"] == 1
    assert done["purged_entries"] > 0
    assert "equals" not in done
    words[2] = "2"
    assert json.loads(cli.invoke(*words).stdout)["equals"] == 2


def test_a_script_says_how_many_it_expects(cli: Cli) -> None:
    words = ["--source", "meeting_notes", "--reason", "asked", "--yes", "--expect"]
    assert "2 records match, 3 were expected" in cli(*words, "3", exit_code=1).output
    assert BODY.encode() in cli.raw()
    cli(*words, "2")
    assert BODY.encode() not in cli.raw()
    # The same call again: all that it could do is sweep what a purge that died had left.
    assert "no record matches" in cli(*words, "2", exit_code=3).output


@pytest.mark.parametrize(
    "words",
    [
        ["--reason", "x"],
        ["--everything", "--source", "meeting_notes", "--reason", "x"],
        ["--everything", "--dry-run"],
        ["--everything", "--drop-unreadable", "--reason", "x"],
        ["--source", "meeting_notes"],
        ["--source", "meeting_notes", "--reason", "x", "--yes"],
        ["--source", "meeting_notes", "--reason", "x", "--expect", "2"],
        ["--source", "meeting_notes", "--reason", "x", "--json"],
        ["--record", "note-4711", "--dry-run"],
        ["--before", "yesterday", "--dry-run"],
        ["--about", "...", "--dry-run"],
        ["--source", "note", "--dry-run"],
        ["--record", "note:1", "--dry-run"],
    ],
    ids=" ".join,
)
def test_wrong_words_are_exit_2_and_nothing_is_touched(cli: Cli, words: list[str]) -> None:
    before = cli.world.bench.blobs.contents()
    assert cli(*words, exit_code=2).output
    assert cli.world.bench.blobs.contents() == before


def test_the_audit_is_told_how_and_never_what(cli: Cli) -> None:
    cli("--about", "Henrik", "--source", "meeting_notes", "--reason", "asked", "--yes", "--expect", "2")
    [deed] = cli.audit.requests
    assert deed.details == {"what": "source, about", "source": "meeting_notes", "records": 2}


def test_nothing_that_matches_is_exit_3(cli: Cli) -> None:
    assert cli.preview("--about", "Nobody Here", exit_code=3)["records"] == 0


def test_what_was_purged_before_and_is_back_is_selected_by_its_suppression(cli: Cli) -> None:
    assert cli.preview("--suppressed", exit_code=3)["records"] == 0
    cli.world.suppressions().add(USER, [NOTE, ("feedback", "never-there")])
    assert cli.preview("--suppressed")["by_source"] == {NOTE[0]: 1}
    assert cli.preview("--suppressed", "--source", "contacts", exit_code=3)["records"] == 0
    cli("--suppressed", "--reason", "restored bucket", "--yes", "--expect", "1")
    assert BODY.encode() not in cli.raw()
    assert b"nobody minded" in cli.raw()
    assert cli.audit.requests[0].details["what"] == "suppressed"


def test_a_day_that_is_none_is_told_with_its_option_and_form(cli: Cli) -> None:
    refused = cli("--before", "2026-13-01", "--dry-run", exit_code=2).output
    assert "--before takes a day of the form YYYY-MM-DD, not '2026-13-01'" in refused
