"""``cloop-memory workspace ...``: inspect, prove, export and change a user's history."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import orjson
import typer

from consumer.agent.hermes.sessions import search as find_turns
from consumer.cli import erase, purge, workspace_writes
from consumer.cli.options import Json, User, is_reason
from consumer.cli.output import emit_json, fail, pairs, table, tell
from consumer.cli.session import connect
from consumer.cli.writing import note
from consumer.erasure.late_writers import is_reset
from consumer.maintenance.search import search as find_lines
from consumer.maintenance.verify import Verification, VerifyReport
from consumer.repository.history import History
from consumer.run import NoDeadline
from consumer.snapshot.proof import check
from contract.canonical import sha256_hex

if TYPE_CHECKING:
    from consumer.repository.reading import Reader
    from consumer.repository.workspace import Repository
    from consumer.snapshot.chain import Commit
    from consumer.snapshot.snapshot import Entry

Seq = Annotated[int | None, typer.Option("--seq", help="Number of a commit; without it, HEAD.")]
Reason = Annotated[
    str, typer.Option("--reason", help="Why you read it; recorded in the audit with your name.", callback=is_reason)
]
T = TypeVar("T")

app = typer.Typer()


@app.command()
def log(
    ctx: typer.Context,
    user: User,
    limit: Annotated[int, typer.Option(help="Maximum number of commits.")] = 20,
    as_json: Json = False,
) -> None:
    """List commits, newest first. Example: cloop-memory workspace log --user 0a6e...-..."""
    history = _history(ctx, user)
    commits = list(history.log(limit))
    if not commits:
        _no_commit(history.repository)
    if as_json:
        emit_json([_commit_json(digest, commit) for digest, commit in commits])
        return
    columns = ("seq", "commit", "created_at", "type", "job_id", "attempt", "files", "bytes")
    table(columns, [_commit_row(digest, commit) for digest, commit in commits])


@app.command()
def show(
    ctx: typer.Context,
    seq: Annotated[int, typer.Argument(help="Number of a commit.")],
    user: User,
    as_json: Json = False,
) -> None:
    """Show a commit; --json includes its cursors. Example: cloop-memory workspace show 3 --user 0a6e...-..."""
    history = _history(ctx, user)
    digest, commit = _or_exit(lambda: history.commit(seq))
    body = {**_commit_json(digest, commit), "tree": history.tree(seq).digest()}
    if as_json:
        emit_json(body)
        return
    pairs({name: value for name, value in body.items() if name not in ("signature", "cursors")})
    changes = history.changes(seq - 1, seq)
    typer.echo(f"\n{len(changes)} paths differ from commit {seq - 1}: cloop-memory workspace diff {seq - 1} {seq}")


@app.command()
def diff(
    ctx: typer.Context,
    *,
    old: Annotated[int, typer.Argument(help="Number of a commit; 0 is the empty workspace.")],
    new: Annotated[int, typer.Argument(help="Number of another commit.")],
    user: User,
    reason: Reason,
    as_json: Json = False,
) -> None:
    """List paths that differ between two commits.

    Example: cloop-memory workspace diff 2 3 --user 0a6e...-... --reason "ticket 7"
    """
    history = _read(ctx, "diff", user, reason)
    changes = _or_exit(lambda: history.changes(old, new))
    if as_json:
        emit_json([{"path": change.path, "kind": change.kind} for change in changes])
        return
    rows = [(change.kind, _size(change.old), _size(change.new), change.path) for change in changes]
    table(("kind", "bytes before", "bytes after", "path"), rows)


@app.command("ls")
def list_files(
    ctx: typer.Context,
    *,
    user: User,
    reason: Reason,
    under: Annotated[str, typer.Argument(help="Folder to list; without it, everything.")] = "",
    seq: Seq = None,
    as_json: Json = False,
) -> None:
    """List files and folders of a commit.

    Example: cloop-memory workspace ls brain --user 0a6e...-... --reason "ticket 7"
    """
    prefix = under.strip("/")
    history = _read(ctx, "ls", user, reason)
    entries = _or_exit(lambda: history.tree(seq)).entries
    chosen = [entries[path] for path in sorted(entries) if not prefix or f"{path}/".startswith(f"{prefix}/")]
    if not chosen:
        fail(f"no file or folder {under!r} in this commit", code=3)
    if as_json:
        emit_json([{"path": e.path, "mode": f"{e.mode:o}", "bytes": e.size, "digest": e.digest} for e in chosen])
        return
    table(("mode", "bytes", "path"), [(f"{e.mode:04o}", _size(e), e.path) for e in chosen])


@app.command()
def cat(
    ctx: typer.Context,
    path: Annotated[str, typer.Argument(help="Path of the file in the workspace.")],
    user: User,
    reason: Reason,
    seq: Seq = None,
) -> None:
    """Print a file.

    Example: cloop-memory workspace cat brain/CONTEXT.md --user 0a6e...-... --reason "ticket 7"
    """
    history = _read(ctx, "cat", user, reason)
    sys.stdout.buffer.write(_or_exit(lambda: history.read(path, seq)))
    sys.stdout.buffer.flush()


@app.command()
def export(
    ctx: typer.Context,
    *,
    out: Annotated[Path, typer.Argument(help="The .tar file to write.")],
    user: User,
    reason: Reason,
    seq: Seq = None,
    as_json: Json = False,
) -> None:
    """Write a snapshot as a tar file, byte for byte the same on any machine.

    Example: cloop-memory workspace export out.tar --user 0a6e...-... --reason "ticket 7"
    """
    history = _read(ctx, "export", user, reason)
    _or_exit(lambda: history.tree(seq))
    try:
        with out.open("wb") as file:
            tree = history.export(file, NoDeadline(), seq)
    except OSError as exc:
        fail(f"cannot write {out}: {exc.strerror}")
    body = {"file": str(out), "bytes": out.stat().st_size, "sha256": sha256_hex(out.read_bytes()), "tree": tree}
    emit_json(body) if as_json else pairs(body)


@app.command()
def search(
    ctx: typer.Context,
    *,
    words: Annotated[list[str], typer.Argument(help="Words to find, all on one line, in any case.")],
    user: User,
    reason: Reason,
    seq: Seq = None,
    limit: Annotated[int, typer.Option(help="Maximum number of lines.")] = 50,
    threads: Annotated[bool, typer.Option("--threads", help="Search the agent's sessions instead of pages.")] = False,
    as_json: Json = False,
) -> None:
    """Find lines of pages that contain all words.

    Example: cloop-memory workspace search budget --user 0a6e...-... --reason "ticket 7"
    """
    history = _read(ctx, "search", user, reason)
    if threads:
        _threads(history.reader, words, seq, limit, as_json=as_json)
        return
    hits = _or_exit(lambda: list(islice(find_lines(history.reader(seq), words), limit)))
    if as_json:
        emit_json([{"path": hit.path, "line": hit.line, "text": hit.text} for hit in hits])
        return
    for hit in hits:
        tell(f"{hit.path}:{hit.line}: {hit.text[:200]}")
    if not hits:
        fail(f"no line contains {' '.join(words)!r}", code=3)


def _threads(
    reader: Callable[[int | None], Reader], words: list[str], seq: int | None, limit: int, *, as_json: bool
) -> None:
    """Messages of past jobs' sessions, newest first."""
    turns = _or_exit(lambda: list(islice(find_turns(reader(seq), words), limit)))
    if as_json:
        emit_json(
            [{name: getattr(turn, name) for name in ("session_id", "job_id", "at", "role", "text")} for turn in turns]
        )
        return
    table(
        ("at", "job_id", "role", "text"),
        [(f"{turn.at:%Y-%m-%d %H:%M:%S}", turn.job_id, turn.role, turn.text) for turn in turns],
    )
    if not turns:
        fail(f"no session contains {' '.join(words)!r}", code=3)


@app.command()
def prove(
    ctx: typer.Context,
    user: User,
    path: Annotated[str | None, typer.Option(help="Prove that this file was in commit --seq.")] = None,
    seq: Seq = None,
    after: Annotated[int | None, typer.Option(help="Prove that commit --seq continues this one.")] = None,
) -> None:
    """Print a proof that a file was in a commit (--path), or that a commit continues an older one (--after).

    Example: cloop-memory workspace prove --path brain/RESOLVER.md --seq 3 --user 0a6e...-...
    """
    if (path is None) == (after is None):
        fail("use either --path or --after", code=2)
    history = _history(ctx, user)
    if path is not None:
        emit_json(_or_exit(lambda: history.prove_path(path, seq)))
    elif after is not None:
        emit_json(_or_exit(lambda: history.prove_after(after, seq)))


@app.command("verify-proof")
def verify_proof(
    proof: Annotated[Path, typer.Argument(help="File that `prove` printed.")],
    keys: Annotated[Path, typer.Option(help="Folder of public keys (*.pub).")],
) -> None:
    """Check a proof offline. Exit code 1: it is not valid.

    Example: cloop-memory workspace verify-proof p.json --keys keys/
    """
    from consumer import bootstrap  # noqa: PLC0415 (imports every adapter, and only this command needs them early)

    try:
        verifier = bootstrap.proof_verifier(keys)
    except (ValueError, OSError) as exc:
        fail(f"--keys: {exc}; give the folder of public keys that SIGNING_KEY names", code=2)
    try:
        tell("proven: " + check(orjson.loads(proof.read_bytes()), verifier))
    except (ValueError, OSError) as exc:
        fail(f"not proven: {exc}")


@app.command()
def verify(
    ctx: typer.Context,
    user: User,
    canary: Annotated[list[str] | None, typer.Option(help="A secret that must not occur anywhere. Repeatable.")] = None,
    as_json: Json = False,
) -> None:
    """Check the whole history. Exit code 1: an invariant is broken.

    Example: cloop-memory workspace verify --user 0a6e...-...
    """
    repository = connect(ctx).workspaces.of(user)
    canaries = [text.encode() for text in canary or []]
    store = repository.store
    report = Verification(repository.blobs, store.signer, store.clock, user, NoDeadline(), canaries).run()
    if report.ok and not report.seq:
        _no_commit(repository)
    emit_json(_report_json(report)) if as_json else _print_report(report)
    if not report.ok:
        raise typer.Exit(1)


def _print_report(report: VerifyReport) -> None:
    for name, checked in report.checked.items():
        faults = [fault for fault in report.faults if fault.invariant == name]
        typer.echo(f"{'FAULT' if faults else 'ok   '}  {name:<22}  {checked:>7} checked")
        for fault in faults[:10]:
            tell(f"       {fault.object}: {fault.detail}")
        if len(faults) > 10:
            typer.echo(f"       and {len(faults) - 10} more")
    left = f"{len(report.superseded)} superseded catalogs and {len(report.orphans)} orphans for gc"
    typer.echo(f"\ncommits 1 to {report.seq}; {report.erased} erased entries; {left}")


def _report_json(report: VerifyReport) -> dict[str, Any]:
    return {
        "ok": report.ok,
        "seq": report.seq,
        "checked": report.checked,
        "erased": report.erased,
        "superseded": len(report.superseded),
        "orphans": len(report.orphans),
        "faults": [asdict(fault) for fault in report.faults],
    }


def _history(ctx: typer.Context, user: str) -> History:
    return History(connect(ctx).workspaces.of(user))


def _read(ctx: typer.Context, verb: str, user: str, reason: str) -> History:
    """The user's history, after the audit has recorded who reads it and why."""
    note(connect(ctx), "workspace.read", user, reason, verb=verb)
    return _history(ctx, user)


def _no_commit(repository: Repository) -> NoReturn:
    head, user = repository.read_head(), repository.user_id
    if head is not None and head.erased:
        verb = "the memory was reset" if is_reset(head) else "everything was erased"
        state = ", and that is not finished: run the same command again" if head.frozen else ""
        fail(f"the workspace of {user} has no commit: {verb} at {head.erased}{state}", code=3)
    fail(
        f"the workspace of {user} has no commit yet: `cloop-memory job list --user {user}` shows its jobs",
        code=3,
    )


def _or_exit(look: Callable[[], T]) -> T:
    """What ``look`` gives. Exits with code 3 where it finds nothing."""
    try:
        return look()
    except (LookupError, IsADirectoryError) as exc:
        fail(str(exc.args[0] if exc.args else exc), code=3)


def _commit_json(digest: str, commit: Commit) -> dict[str, Any]:
    return {"commit": digest, **commit.model_dump(mode="json")}


def _commit_row(digest: str, commit: Commit) -> Sequence[Any]:
    counts = commit.counts
    return (
        commit.seq,
        digest[:12],
        commit.created_at[:19] + "Z",
        commit.job_type,
        commit.job_id,
        commit.attempt,
        counts.get("files"),
        counts.get("bytes"),
    )


def _size(entry: Entry | None) -> str:
    if entry is None:
        return "-"
    return "folder" if entry.size < 0 else str(entry.size)


for part in (workspace_writes, erase, purge):
    app.add_typer(part.app)
