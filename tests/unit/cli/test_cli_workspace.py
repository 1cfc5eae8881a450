"""The workspace verbs over a bucket in memory: what they print, and their exit codes."""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from consumer.cli import main
from consumer.clients.signing import Ed25519Signer
from consumer.erasure.suppressions import Suppressions
from consumer.errors import ControlPlaneUnavailable, RequestRefused
from consumer.evidence.records import Rerender
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.repository.history import History
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot.suppression import Suppressed
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import MemorySuppressions
from contract.api import BucketDeedRequest, ErasureResponse, JobList
from tests import erasing
from tests.copies import copied
from tests.unit.repository.workspaces import PEM, USER, Bench, Free, content_digest


@dataclass
class Audit:
    """The control plane's, which may be away."""

    requests: list[BucketDeedRequest] = field(default_factory=list)
    error: Exception | None = None

    enabled: bool = False

    def note_deed(self, request: BucketDeedRequest) -> None:
        if self.error:
            raise self.error
        self.requests.append(request)

    def mark_erased(self, user_id: str, reason: str) -> ErasureResponse:
        if self.enabled:
            raise RequestRefused(f"POST /memory-users/{user_id}/erasure: 409 user_enabled", 409)
        return ErasureResponse(user_id=user_id, erased_at=datetime(2026, 11, 27, 8, tzinfo=UTC))

    def jobs(self, filters: Mapping[str, str]) -> JobList:
        return JobList()


@dataclass
class Operations:
    workspaces: WorkspaceStore
    suppressions: Suppressions
    locks: Locks
    api: Audit
    operator: str = "operator@example.com"

    @staticmethod
    def rerender() -> Rerender:
        return erasing.rerender()


#: Verbs that show what a memory says, or names that are made of it.
READING = ("ls", "cat", "diff", "export", "search")
WHY = "the user asked us to look"


class Cli:
    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.ids = itertools.count()
        self.audit = Audit()
        self.mirror = MemorySuppressions()

    def invoke(self, *arguments: str, typed: str | None = None) -> Result:
        return CliRunner().invoke(main.app, ["workspace", *arguments], input=typed, obj=self._operations)

    def __call__(self, *arguments: str, exit_code: int = 0) -> Result:
        why = ("--reason", WHY) if arguments[0] in READING else ()
        result = self.invoke(*arguments, *why, "--user", USER)
        assert result.exit_code == exit_code, result.output
        return result

    def json(self, *arguments: str) -> Any:
        return json.loads(self(*arguments, "--json").output)

    def _operations(self) -> Operations:
        clock = self.bench.clock
        locks = Locks(ConditionalWriter(self.bench.blobs, clock), clock, lambda: f"id-{next(self.ids)}", Lease())
        suppressions = Suppressions(lambda _user: self.bench.blobs, self.mirror, clock, self.bench.entropy)
        return Operations(self.bench.store(), suppressions, locks, self.audit)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Three commits."""
    bench = Bench(tmp_path_factory.mktemp("workspace"))
    for n in (1, 2, 3):
        store = bench.store()
        root, workspace = bench.hydrate(store)
        (root / "brain/people/ann.md").write_text(f"# Ann\n\nVersion {n}: the Budget moves.\n")
        (root / "brain/caf\u00e9").mkdir(exist_ok=True)
        bench.commit(store, root, workspace.base, f"job-{n}")
    return bench


@pytest.fixture
def cli(template: Bench, tmp_path: Path) -> Cli:
    bench = copied(template)
    bench.tmp = tmp_path
    return Cli(bench)


@pytest.mark.parametrize(
    "arguments",
    [
        ("ls",),
        ("cat", "brain/people/ann.md"),
        ("diff", "1", "2"),
        ("search", "budget"),
        ("search", "budget", "--threads"),
        ("export", "{tmp}/out.tar"),
    ],
    ids=" ".join,
)
def test_what_a_memory_says_is_shown_once_the_audit_knows_why(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    given = [part.replace("{tmp}", str(tmp_path)) for part in arguments]
    without = cli.invoke(*given, "--user", USER)
    assert without.exit_code == 2
    assert "--reason" in without.output
    assert cli.audit.requests == []
    cli.audit.error = ControlPlaneUnavailable("POST /memory-bucket-deeds: ConnectError")
    refused = cli.invoke(*given, "--user", USER, "--reason", WHY)
    assert refused.exception is cli.audit.error
    assert "ann" not in refused.output.lower()
    assert not (tmp_path / "out.tar").exists()
    cli.audit.error = None
    cli.invoke(*given, "--user", USER, "--reason", WHY)
    (request,) = cli.audit.requests
    assert (request.action, request.user_id, request.reason) == ("workspace.read", USER, WHY)
    assert request.details == {"verb": arguments[0]}


def test_log_is_newest_first(cli: Cli) -> None:
    assert [row["seq"] for row in cli.json("log")] == [3, 2, 1]
    lines = cli("log", "--limit", "2").output.splitlines()
    assert lines[0].split()[:3] == ["seq", "commit", "created_at"]
    assert [line.split()[0] for line in lines[1:]] == ["3", "2"]


def test_show_diff_ls_and_cat(cli: Cli) -> None:
    assert cli.json("show", "2")["job_id"] == "job-2"
    assert "1 paths differ from commit 1" in cli("show", "2").output
    assert cli.json("diff", "1", "3") == [{"path": "brain/people/ann.md", "kind": "changed"}]
    assert {row["path"] for row in cli.json("ls", "brain/people")} == {"brain/people", "brain/people/ann.md"}
    assert "Version 1" in cli("cat", "brain/people/ann.md", "--seq", "1").output
    assert "Version 3" in cli("cat", "brain/people/ann.md").output


@pytest.mark.parametrize(
    "arguments",
    [("cat", "nope"), ("cat", "brain"), ("show", "9"), ("ls", "nope"), ("diff", "1", "9"), ("search", "zzz")],
)
def test_what_is_not_there_is_exit_3_and_a_sentence(cli: Cli, arguments: tuple[str, ...]) -> None:
    result = cli(*arguments, exit_code=3)
    assert result.output.startswith("cloop-memory: ")
    assert len(result.output.splitlines()) == 1


def test_search_finds_all_words_in_any_case(cli: Cli) -> None:
    assert cli.json("search", "budget", "MOVES") == [
        {"path": "brain/people/ann.md", "line": 3, "text": "Version 3: the Budget moves."}
    ]


def test_sessions_are_searched_where_there_are_any(cli: Cli) -> None:
    assert "has no agent sessions" in cli("search", "budget", "--threads", exit_code=3).output
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute("create table messages (id integer, session_id, role, content, tool_calls, timestamp)")
        made.execute("insert into messages values (1, 's1', 'assistant', 'The Budget moves', null, 1795836323.5)")
        made.commit()
        data = made.serialize()
    store = cli.bench.store()
    root, workspace = cli.bench.hydrate(store)
    (root / "hermes-home/state.db").write_bytes(data)
    cli.bench.commit(store, root, workspace.base, "job-4")
    (turn,) = cli.json("search", "budget", "--threads")
    assert (turn["session_id"], turn["role"], turn["text"]) == ("s1", "assistant", "The Budget moves")
    assert "The Budget moves" in cli("search", "budget", "--threads").output
    cli("search", "nowhere", "--threads", exit_code=3)


def test_verify_says_ok_and_names_what_is_broken(cli: Cli) -> None:
    assert cli.json("verify")["ok"] is True
    result = cli("verify", "--canary", "the Budget", exit_code=1)
    assert "FAULT  no-secret-canary" in result.output
    assert "brain/people/ann.md of users/" in result.output


@pytest.mark.parametrize("verb", ["log", "verify"])
def test_a_workspace_without_commits_is_nothing_found(tmp_path: Path, verb: str) -> None:
    output = Cli(Bench(tmp_path))(verb, exit_code=3).output
    assert "no commit yet" in output
    assert "ok " not in output


def test_a_proof_is_checked_with_public_keys_alone(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    signer = Ed25519Signer(PEM)
    keys = tmp_path / "keys"
    keys.mkdir()
    (keys / f"{signer.key_id}.pub").write_text(signer.public_keys[signer.key_id].hex())
    for arguments in (("--path", "brain/people/ann.md", "--seq", "2"), ("--after", "1", "--seq", "3")):
        proof = tmp_path / "proof.json"
        proof.write_text(cli("prove", *arguments).output)
        checked = cli.invoke("verify-proof", str(proof), "--keys", str(keys))
        assert checked.exit_code == 0, checked.output
        assert checked.output.startswith("proven: ")
        proof.write_text(proof.read_text().replace("job-2", "job-X").replace("job-3", "job-X"))
        checked = cli.invoke("verify-proof", str(proof), "--keys", str(keys))
        assert checked.exit_code == 1
        assert "not proven: " in checked.output


@pytest.mark.parametrize("made", [False, True], ids=["no folder", "no key in it"])
def test_keys_that_are_not_there_are_no_forged_proof(cli: Cli, tmp_path: Path, made: bool) -> None:
    keys = tmp_path / "keys"
    if made:
        keys.mkdir()
    proof = tmp_path / "proof.json"
    proof.write_text(cli("prove", "--after", "1", "--seq", "3").output)
    refused = cli.invoke("verify-proof", str(proof), "--keys", str(keys))
    assert refused.exit_code == 2
    assert "not proven" not in refused.output
    assert "--keys" in refused.output


def test_a_proof_from_elsewhere_is_obeyed_by_no_terminal(cli: Cli, tmp_path: Path) -> None:
    store = cli.bench.store()
    root, workspace = cli.bench.hydrate(store)
    name = "brain/\x1b[2J.md"
    (root / name).write_text("# A file name that clears the screen\n")
    cli.bench.commit(store, root, workspace.base, "job-4")
    signer = Ed25519Signer(PEM)
    (tmp_path / f"{signer.key_id}.pub").write_text(signer.public_keys[signer.key_id].hex())
    proof = tmp_path / "proof.json"
    proof.write_text(cli("prove", "--path", name, "--seq", "4").output)
    checked = cli.invoke("verify-proof", str(proof), "--keys", str(tmp_path))
    assert checked.output.startswith("proven: brain/\\x1b[2J.md (")


def test_restore_and_gc(cli: Cli) -> None:
    assert cli.json("restore", "--to", "1", "--reason", "test")["seq"] == 4
    assert "Version 1" in cli("cat", "brain/people/ann.md").output
    cli.bench.clock.advance(90_000)
    planned = cli.json("gc", "--dry-run")
    assert planned["deleted"] > 0
    assert cli.json("gc")["objects"] == planned["objects"]
    assert cli.json("gc")["deleted"] <= 1
    assert cli.json("verify")["ok"] is True
    assert "commits 1 to 4" in cli("restore", "--to", "8", "--reason", "test", exit_code=3).output


def test_repair_says_that_nothing_was_to_do_and_leaves_frozen_what_cannot_be_mended(cli: Cli) -> None:
    assert "nothing to do" in cli("repair", "--reason", "to be sure").output
    oldest, *_, newest = [name for name in cli.bench.blobs.names(f"users/{USER}/") if "/commits/" in name]
    good = cli.bench.blobs.read(oldest).data
    cli.bench.blobs.write(oldest, b"damaged", if_generation=None)
    output = cli("repair", "--reason", "daily check").output
    assert "HEAD is intact and jobs go on, but older commits are damaged" in output
    assert oldest in output
    cli.bench.blobs.write(oldest, good, if_generation=None)
    cli.bench.blobs.write(newest, b"damaged", if_generation=None)
    assert newest in cli("repair", "--reason", "daily check", exit_code=1).output


def test_a_lost_head_is_told_with_what_it_may_name_and_made_again_by_choice(cli: Cli) -> None:
    assert cli("repair", "--head", "ab", "--reason", "to be sure", exit_code=2).output
    name = f"users/{USER}/HEAD"
    cli.bench.blobs.write(name, b"{", if_generation=None)
    shown = cli("repair", "--reason", "HEAD is cut", exit_code=1).output
    assert "Nothing was done" in shown
    rows = json.loads(cli("repair", "--reason", "HEAD is cut", "--json", exit_code=1).stdout)
    assert [(row["seq"], row["continued"]) for row in rows] == [(3, ""), (2, "yes"), (1, "yes")]
    assert all(row["commit"] in shown and len(row["commit"]) == 12 for row in rows)
    assert (
        "must match one proven commit, but matches 0"
        in cli("repair", "--head", "xy", "--reason", "HEAD is cut", exit_code=1).output
    )
    done = cli("repair", "--head", rows[1]["commit"], "--reason", "HEAD is cut").output
    assert "HEAD names commit 2 again; no longer part of the history: commit 3 of job job-3" in done
    [request] = cli.audit.requests
    assert str(request.details["head"]).startswith(rows[1]["commit"])
    assert cli.json("verify")["ok"] is True


DEEDS: list[tuple[list[str], str, dict[str, str | int]]] = [
    (["restore", "--to", "1", "--reason", "back"], "workspace.restore", {"to": 1}),
    (["gc"], "workspace.gc", {}),
    (["repair", "--reason", "back"], "workspace.repair", {}),
    (["purge", "--everything", "--yes", "--reason", "back"], "workspace.purge", {"what": "everything"}),
    (["reset", "--history", "erase", "--yes", "--reason", "back"], "workspace.reset", {"history": "erase"}),
    # Which record it was must not outlive it.
    (
        ["purge", "--source", "meeting_notes", "--record", "note-4711", "--reason", "back", "--yes", "--expect", "1"],
        "workspace.purge",
        {"what": "record, source", "source": "meeting_notes", "records": 0},
    ),
]


@pytest.mark.parametrize(("words", "action", "details"), DEEDS)
def test_what_changes_the_bucket_is_told_to_the_audit_once_and_first(
    cli: Cli, words: list[str], action: str, details: dict[str, str | int]
) -> None:
    before = {name: cli.bench.blobs.peek(name) for name in cli.bench.blobs.names() if not name.endswith("lock.json")}
    cli.audit.error = ControlPlaneUnavailable("POST /memory-bucket-deeds: ConnectError")
    failed = cli.invoke(*words, "--user", USER)
    assert isinstance(failed.exception, ControlPlaneUnavailable)
    changed = {name for name, blob in before.items() if cli.bench.blobs.peek(name) != blob}
    assert changed <= {f"users/{USER}/HEAD"}, "nothing but a fence"
    cli.audit.error = None
    cli.invoke(*words, "--user", USER)
    [request] = cli.audit.requests
    assert (request.action, request.user_id, request.details) == (action, USER, details)
    assert request.reason


def test_what_only_looks_is_not_told(cli: Cli) -> None:
    cli("gc", "--dry-run")
    cli("verify")
    cli("log")
    cli("repair", "--head", "ab", "--reason", "x", exit_code=2)
    assert cli.audit.requests == []


def test_there_is_nothing_to_repair_where_no_commit_is(cli: Cli) -> None:
    nobody = "00000000-0000-4000-8000-000000000000"
    done = cli.invoke("repair", "--reason", "to be sure", "--user", nobody)
    assert (done.exit_code, "no commit yet" in done.output) == (3, True)


def test_purge_takes_one_record_one_source_or_everything(cli: Cli) -> None:
    text = "nine plain words that only this one record has"
    line = json.dumps({"data": {"text": text}, "record_id": "r-12345678", "source_key": "notes"}).encode() + b"\n"
    store = cli.bench.store()
    root, workspace = cli.bench.hydrate(store)
    (root / "runtime/exports/hourly/notes.batch-000.jsonl").write_bytes(line)
    cli.bench.commit(store, root, workspace.base, "job-4")
    cli("purge", "--reason", "x", exit_code=2)
    cli("purge", "--reason", "x", "--record", "r-12345678", exit_code=2)
    cli("purge", "--reason", "x", "--source", "notes", "--record", "other", exit_code=3)
    before = cli.bench.blobs.contents()
    refused = cli("purge", "--reason", "x", "--source", "note", exit_code=2).output
    assert "'note'" in refused
    assert "meeting_notes" in refused
    assert cli.bench.blobs.contents() == before
    asked = ["--source", "notes", "--record", "r-12345678", "--yes", "--expect", "1"]
    done = cli.json("purge", "--reason", "asked", *asked)
    assert (done["seq"], done["records"]) == (5, 1)
    assert b"nine plain" not in cli("cat", "runtime/exports/hourly/notes.batch-000.jsonl").output.encode()
    assert cli.json("verify", "--canary", "nine plain words")["ok"] is True
    done = cli.json("purge", "--reason", "asked", "--everything", "--yes")
    assert (done["seq"], done["complete"], done["commits"]) == (6, False, 5)
    assert "everything was erased at 2026-11-27T09:00:00" in cli("verify", exit_code=3).output


def test_everything_is_erased_only_of_a_disabled_user_and_by_who_types_the_id(cli: Cli) -> None:
    before = cli.bench.blobs.contents()
    words = ["purge", "--everything", "--reason", "asked", "--user", USER]
    asked = cli.invoke(*words, typed="yes\n")
    assert asked.exit_code == 1
    assert "Type the user's id to continue" in asked.output
    assert "nothing was changed" in asked.output
    cli.audit.enabled = True
    refused = cli.invoke(*words, typed=f"{USER}\n")
    assert isinstance(refused.exception, RequestRefused)
    assert cli.bench.blobs.contents() == before
    cli.audit.enabled = False
    done = cli.invoke(*words, typed=f"{USER}\n")
    assert done.exit_code == 0, done.output
    assert re.search(r"^complete +False$", done.output, re.MULTILINE)
    assert re.search(r"^packs +[1-9]", done.output, re.MULTILINE)


@pytest.mark.parametrize("history", ["archive", "erase"])
def test_reset_begins_anew_and_says_what_comes_next(cli: Cli, history: str) -> None:
    cli.bench.blobs.write(f"users/{USER}/HEAD", b"{", if_generation=None)
    asked = cli.invoke("reset", "--history", history, "--reason", "r", "--user", USER, typed="no\n")
    assert asked.exit_code == 1
    done = cli.json("reset", "--history", history, "--yes", "--reason", "HEAD is cut")
    assert done["next"] == f"cloop-memory user backfill {USER}"
    assert (done["archived_objects"] > 0, done["deleted_objects"] > 0) == (history == "archive", history == "erase")
    store = cli.bench.store()
    root, workspace = cli.bench.hydrate(store)
    assert cli.bench.commit(store, root, workspace.base, "job-9", epoch=1 << 40).seq > 3
    assert cli.json("verify")["ok"] is True


def test_a_head_is_not_made_again_over_what_was_erased(cli: Cli) -> None:
    rows_before = cli.json("log")
    cli.bench.blobs.write(f"users/{USER}/HEAD", b"{", if_generation=None)
    cli.mirror.rows[USER] = Suppressed(b"k" * 32, erased_at=datetime(2027, 1, 1, tzinfo=UTC))
    refused = cli("repair", "--head", rows_before[0]["commit"], "--reason", "HEAD is cut", exit_code=1).output
    assert "everything was erased at" in refused


def test_an_export_is_the_same_bytes_again_and_the_same_tree_elsewhere(cli: Cli, tmp_path: Path) -> None:
    document = cli.json("export", str(tmp_path / "one.tar"))
    two = cli.json("export", str(tmp_path / "two.tar"))
    assert document["sha256"] == two["sha256"]
    with tarfile.open(tmp_path / "one.tar") as archive:
        assert {(member.mtime, member.uid, member.uname) for member in archive} == {(0, 0, "")}
        archive.extraction_filter = getattr(tarfile, "fully_trusted_filter", None)
        archive.extractall(tmp_path / "elsewhere")
    assert content_digest(tmp_path / "elsewhere") == document["tree"]


_EXPORT = """
import sys
from pathlib import Path
from tests.unit.repository.export_child import exported
sys.stdout.write(exported(Path(sys.argv[1])))
"""


@pytest.mark.integration
@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1"},
        {"LC_ALL": "tr_TR.UTF-8", "TZ": "America/Lima", "PYTHONHASHSEED": "2"},
    ],
)
def test_an_export_is_the_same_under_another_locale_zone_and_hash_seed(
    cli: Cli, tmp_path: Path, environment: dict[str, str]
) -> None:
    out = io.BytesIO()
    History(cli.bench.store().of(USER)).export(out, Free())
    bucket = tmp_path / "bucket"
    for name, (_, data) in cli.bench.blobs.contents().items():
        (bucket / name).parent.mkdir(parents=True, exist_ok=True)
        (bucket / name).write_bytes(data)
    repository = Path(__file__).parents[3]
    child = subprocess.run(
        [sys.executable, "-c", _EXPORT, str(bucket)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(repository), **environment},
        capture_output=True,
        check=True,
        cwd=tmp_path,
    )
    import hashlib

    assert child.stdout.decode() == hashlib.sha256(out.getvalue()).hexdigest()
