"""``workspace purge``: select records, show them, and erase exactly those once the operator confirms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

import manifests
from consumer import paths
from consumer.cli import erase
from consumer.cli.options import Json, User, is_reason
from consumer.cli.output import emit_json, fail, pairs, table, tell
from consumer.cli.session import connect
from consumer.cli.writing import exclusive, note
from consumer.erasure import rawhistory, selecting
from consumer.erasure.purge import Announce, Purge, Purged, SelectionChanged, as_many, as_shown
from consumer.erasure.selecting import Matched, Selection
from consumer.errors import SnapshotIncomplete, WorkspaceFrozen
from consumer.layout import EXPORTS
from consumer.run import NoDeadline
from consumer.snapshot.suppression import Suppressed

if TYPE_CHECKING:
    from consumer.bootstrap import Operations

#: The selectors, as messages name them.
_SELECTORS = "--record, --source, --about, --person, --before or --suppressed"

app = typer.Typer()


@app.command()
def purge(
    ctx: typer.Context,
    *,
    user: User,
    reason: Annotated[
        str | None, typer.Option(help="Recorded in the commit permanently; cite the request.", callback=is_reason)
    ] = None,
    record: Annotated[
        list[str] | None,
        typer.Option(help="SOURCE:ID, or with --source the record_id alone. Repeatable."),
    ] = None,
    source: Annotated[str | None, typer.Option(help="Records of this source_key.")] = None,
    about: Annotated[
        str, typer.Option(help="Records that contain this phrase: consecutive whole words, in any case.")
    ] = "",
    person: Annotated[
        str, typer.Option(help="Records with this person in a field: a name, an address or a contact's id.")
    ] = "",
    before: Annotated[str, typer.Option(help="Records dated before this day, YYYY-MM-DD (UTC).")] = "",
    suppressed: Annotated[
        bool,
        typer.Option("--suppressed", help="Purged records that came back, e.g. in a restored bucket."),
    ] = False,
    everything: Annotated[
        bool, typer.Option("--everything", help="Everything of this user, who must be disabled.")
    ] = False,
    drop_unreadable: Annotated[
        bool,
        typer.Option(
            "--drop-unreadable",
            help="Also erase from older commits the contents of damaged or missing packs, which cannot be read.",
        ),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be erased without erasing it.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask for confirmation. With selectors it needs --expect.")
    ] = False,
    expect: Annotated[int | None, typer.Option(help="With --yes: number of records that must match.")] = None,
    as_json: Json = False,
) -> None:
    """Erase from the whole history the records that match all given selectors. This cannot be undone.

    Example: cloop-memory workspace purge --user 0a6e...-... --about "Henrik Aaltonen" --dry-run
    """
    query = _query(record or [], source, about, person, before, suppressed=suppressed)
    request = _Request(user, query, everything, drop_unreadable, dry_run, yes, expect, reason or "", as_json)
    request.require_sense()
    operations = connect(ctx)
    if everything:
        erase.confirmed(user, f"delete everything of {user}", yes=yes)
        erased = erase.counts(erase.erased(operations, user, request.reason))
        emit_json(erased) if as_json else pairs(erased)
        return
    if suppressed:
        request = replace(request, query=replace(query, suppressed=operations.suppressions.read(user)))
    with _damage_as_advice():
        for key in sorted({key for key, _ in query.records} | ({source} if source else set())):
            _require_source(operations, user, key)
        if dry_run:
            _show(_resolved(operations, request), _aside(operations, user), as_json=as_json)
        else:
            _report(_purged(operations, request, _confirmed(operations, request)), as_json=as_json)


@dataclass(frozen=True, slots=True)
class _Request:
    """What the operator asked for."""

    user: str
    query: Selection
    everything: bool
    drop_unreadable: bool
    dry_run: bool
    yes: bool
    expect: int | None
    reason: str
    as_json: bool

    def require_sense(self) -> None:
        """Exit with code 2 where options are missing or contradict each other."""
        if self.everything == bool(self.query.selectors):
            fail(f"choose what to purge: {_SELECTORS} (a record must match all of them), or --everything alone", code=2)
        if self.everything and self.drop_unreadable:
            fail("--drop-unreadable needs selectors: --everything reads nothing", code=2)
        if self.everything and self.dry_run:
            fail("--everything has no --dry-run; `workspace ls` shows the files that it would erase", code=2)
        if not self.dry_run and not self.reason:
            fail("--reason is missing; it is recorded in the commit for ever", code=2)
        if self.expect is not None and (self.everything or not self.yes):
            fail("--expect needs --yes and selectors; its value is the number that --dry-run shows", code=2)
        if self.yes and not self.everything and self.expect is None:
            fail("--yes needs --expect N, the number of records that --dry-run shows", code=2)
        if self.as_json and not (self.dry_run or self.yes):
            fail(
                "--json cannot ask for confirmation: add --dry-run or --yes (with selectors: --yes --expect N)", code=2
            )


def _query(
    records: list[str], source: str | None, about: str, person: str, before: str, *, suppressed: bool
) -> Selection:
    """The selection. ``suppressed``: with an empty list, which the caller fills with the user's own."""
    try:
        named = frozenset((source, record_id) for record_id in records) if source else selecting.keys(records)
        limit = _day(before) if before else None
        list_of_user = Suppressed() if suppressed else None
        query = selecting.Selection(named, source, about.strip(), person.strip(), limit, list_of_user)
        selecting.Matching(query)
    except ValueError as exc:
        fail(f"cannot select records: {exc}", code=2)
    return query


def _day(text: str) -> date:
    """Raises ValueError: ``text`` is not a day of the form YYYY-MM-DD."""
    try:
        return date.fromisoformat(text)
    except ValueError as exc:
        raise ValueError(f"--before takes a day of the form YYYY-MM-DD, not {text!r} ({exc})") from None


def _resolved(operations: Operations, request: _Request) -> Matched:
    return rawhistory.resolve(
        operations.workspaces.of(request.user), request.query, NoDeadline(), drop_unreadable=request.drop_unreadable
    )


@contextmanager
def _damage_as_advice() -> Iterator[None]:
    """A purge by selectors reads the workspace. Where that fails, print the alternatives and exit with code 1."""
    try:
        yield
    except (SnapshotIncomplete, WorkspaceFrozen) as exc:
        fail(
            f"nothing was purged: {exc}. If only an older commit is damaged, --drop-unreadable also erases what cannot "
            "be read there. If HEAD is damaged, run `workspace repair`, or `workspace restore` to an intact commit, "
            "then this command again. Two commands do not read the history: `workspace reset --history erase` starts "
            "again from the app's data; `workspace purge --everything` leaves nothing of a disabled user",
            code=1,
        )


def _confirmed(operations: Operations, request: _Request) -> Announce:
    """Limits the purge to what was confirmed: the number that --expect gives, or the records that were shown."""
    if request.expect is not None:
        return as_many(request.expect)
    shown = _resolved(operations, request)
    count = len(shown.records)
    if count:
        _show(shown, _aside(operations, request.user), as_json=False)
        try:
            typed = typer.prompt(f"\nThis cannot be undone. Type {count} to purge them")
        except typer.Abort:
            fail("no answer, so nothing was purged; use --yes --expect N in a script", code=1)
        if typed.strip() != str(count):
            fail(f"{typed!r} is not {count}, so nothing was purged", code=1)
    return as_shown(shown)


def _purged(operations: Operations, request: _Request, confirmed: Announce) -> Purged:
    user, query, reason = request.user, request.query, request.reason

    def announce(matched: Matched) -> None:
        # How the records were selected, never by what: no id or name may outlive the record.
        named = {"source": query.source} if query.source else {}
        note(
            operations,
            "workspace.purge",
            user,
            reason,
            what=", ".join(query.selectors),
            records=len(matched.records),
            **named,
        )

    try:
        with exclusive(operations).hold(user, "purge") as hold:
            rerender = operations.rerender()
            return Purge(
                operations.workspaces.of(user),
                query,
                reason,
                hold,
                rerender,
                operations.suppressions,
                announce=(confirmed, announce),
                drop_unreadable=request.drop_unreadable,
            ).run()
    except SelectionChanged as exc:
        fail(f"{exc}. Check the selection again with --dry-run", code=1)


def _aside(operations: Operations, user: str) -> int:
    """Number of objects that a reset archived: a purge deletes them all."""
    return sum(1 for _ in operations.workspaces.of(user).blobs.list(paths.archive(user)))


def _show(matched: Matched, aside: int, *, as_json: bool) -> None:
    """Print counts, days and a few titles of what matches, never a body. Exits with code 3 where nothing matches."""
    span = f"{matched.first} to {matched.last}" if matched.first else "undated"
    body: dict[str, Any] = {
        "records": len(matched.records),
        "by_source": dict(matched.by_source),
        "dated": span,
        "head": matched.seq,
        "selection": matched.digest,
    }
    if aside:
        body["archived_objects"] = aside
    if as_json:
        samples = [{"source": sample.source, "day": sample.day, "title": sample.title} for sample in matched.samples]
        emit_json({**body, "samples": samples})
    else:
        pairs(body)
        if matched.samples:
            tell("")
            table(("source", "day", "title"), [(sample.source, sample.day, sample.title) for sample in matched.samples])
    if not matched.records:
        fail("no record matches; nothing was deleted", code=3)


def _report(done: Purged, *, as_json: bool) -> None:
    body: dict[str, Any] = {
        "seq": done.commit.seq if done.commit else None,
        "commit": done.commit.digest if done.commit else None,
        "records": done.records,
        "erased_entries": done.erased_entries,
        "deleted_objects": done.deleted_objects,
    }
    if done.unreadable_entries:
        body["unreadable_entries"] = done.unreadable_entries
    emit_json(body) if as_json else pairs(body)
    if done.commit is None:
        fail("no record matches (any more); leftovers of an earlier purge were deleted", code=3)


def _require_source(operations: Operations, user: str, source: str) -> None:
    """Refuse a misspelt source: it must not look like one without records, as if the erasure were done."""
    try:
        manifests.export_manifest().source(source)
    except KeyError as exc:
        # A source that the manifest no longer has may still be in the workspace.
        stored: Iterable[str] = operations.workspaces.of(user).load().tree.entries
        if not any(path.startswith(f"{EXPORTS}/") and f"/{source}.batch-" in path for path in stored):
            fail(f"{exc.args[0]}; nothing was deleted", code=2)
