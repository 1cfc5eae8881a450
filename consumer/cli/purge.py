"""``workspace purge``: find records, show what they are, and erase exactly those once a person has confirmed it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

from consumer.cli import erase
from consumer.cli.output import emit_json, fail, is_reason, pairs, table, tell
from consumer.cli.workspace_writes import Json, OpenOperations, Operations, User, exclusive, note

if TYPE_CHECKING:
    from consumer.erasure.purge import Announce, Purged
    from consumer.erasure.selecting import Matched, Selection

#: How the ways to select are named where one of them is missing.
_SELECTORS = "--record, --source, --about, --person, --before or --suppressed"


def purging_verb(app: typer.Typer, open_operations: OpenOperations) -> None:
    """Add purge."""

    @app.command()
    def purge(
        *,
        user: User,
        reason: Annotated[
            str | None, typer.Option(help="Kept for ever in the commit; name the request.", callback=is_reason)
        ] = None,
        record: Annotated[
            list[str] | None,
            typer.Option(help="SOURCE:ID, or with --source the record_id alone. May be given several times."),
        ] = None,
        source: Annotated[str | None, typer.Option(help="A source_key: its records only.")] = None,
        about: Annotated[str, typer.Option(help="Words that a record's data holds, as whole words, in any case.")] = "",
        person: Annotated[
            str, typer.Option(help="A name, an address or a contact's id: records with this person in a field.")
        ] = "",
        before: Annotated[str, typer.Option(help="Records dated before this day, YYYY-MM-DD (UTC).")] = "",
        suppressed: Annotated[
            bool,
            typer.Option("--suppressed", help="Records that were purged before and are back, as in a restored bucket."),
        ] = False,
        everything: Annotated[
            bool, typer.Option("--everything", help="All that is known of this user, who must be disabled.")
        ] = False,
        dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what matches, erase nothing.")] = False,
        yes: Annotated[bool, typer.Option("--yes", help="Do not ask. With selectors it needs --expect.")] = False,
        expect: Annotated[int | None, typer.Option(help="With --yes: how many records have to match.")] = None,
        as_json: Json = False,
    ) -> None:
        """Erase records from all history, and keep only the fact. Selectors are combined by AND. It cannot be undone.

        Example: cloop-memory workspace purge --user 0a6e...-... --about "Henrik Aaltonen" --dry-run
        """
        query = _query(record or [], source, about, person, before, suppressed=suppressed)
        asked = _Asked(user, query, everything, dry_run, yes, expect, reason or "", as_json)
        asked.require_sense()
        operations = open_operations()
        if everything:
            erase.confirmed(user, f"delete everything of {user}", yes=yes)
            erased = erase.told(erase.erased(operations, user, asked.reason))
            emit_json(erased) if as_json else pairs(erased)
            return
        if suppressed:
            asked = replace(asked, query=replace(query, suppressed=operations.suppressions.read(user)))
        for key in sorted({key for key, _ in query.records} | ({source} if source else set())):
            _require_source(operations, user, key)
        if dry_run:
            _show(_resolved(operations, asked), as_json=as_json)
        else:
            _report(_purged(operations, asked, _confirmed(operations, asked)), as_json=as_json)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was typed."""

    user: str
    query: Selection
    everything: bool
    dry_run: bool
    yes: bool
    expect: int | None
    reason: str
    as_json: bool

    def require_sense(self) -> None:
        """Leave with exit code 2 where options are missing or contradict each other."""
        if self.everything == bool(self.query.selectors):
            fail(f"say what to purge: {_SELECTORS}, all of which have to match; or --everything alone", code=2)
        if self.everything and self.dry_run:
            fail("--everything has no preview: `workspace ls` shows what there is", code=2)
        if not self.dry_run and not self.reason:
            fail("--reason is missing: it is kept for ever in the commit", code=2)
        if self.expect is not None and (self.everything or not self.yes):
            fail("--expect N goes with --yes and selectors: N is the number that --dry-run shows", code=2)
        if self.yes and not self.everything and self.expect is None:
            fail("--yes needs --expect N, the number of records that --dry-run shows", code=2)
        if self.as_json and not (self.dry_run or self.yes):
            fail("--json cannot ask: add --dry-run, or --yes (with selectors: --yes --expect N)", code=2)


def _query(
    records: list[str], source: str | None, about: str, person: str, before: str, *, suppressed: bool
) -> Selection:
    """``suppressed``: with an empty list, to be filled once the user's own can be read."""
    from consumer.erasure import selecting  # noqa: PLC0415
    from consumer.snapshot.suppression import Suppressed  # noqa: PLC0415

    try:
        named = frozenset((source, one) for one in records) if source else selecting.keys(records)
        limit = _day(before) if before else None
        list_of_user = Suppressed() if suppressed else None
        query = selecting.Selection(named, source, about.strip(), person.strip(), limit, list_of_user)
        selecting.Matching(query)
    except ValueError as exc:
        fail(f"cannot select: {exc}", code=2)
    return query


def _day(text: str) -> date:
    """Raises ValueError: ``text`` is no day in the form YYYY-MM-DD."""
    try:
        return date.fromisoformat(text)
    except ValueError as exc:
        raise ValueError(f"--before is a day in the form YYYY-MM-DD, not {text!r} ({exc})") from None


def _resolved(operations: Operations, asked: _Asked) -> Matched:
    from consumer.erasure import rawhistory  # noqa: PLC0415
    from consumer.run import NoDeadline  # noqa: PLC0415

    return rawhistory.resolve(operations.workspaces, asked.user, asked.query, NoDeadline())


def _confirmed(operations: Operations, asked: _Asked) -> Announce:
    """What holds the purge to what was confirmed: the number that a script expects, or what a person was shown."""
    from consumer.erasure.purge import as_many, as_shown  # noqa: PLC0415

    if asked.expect is not None:
        return as_many(asked.expect)
    shown = _resolved(operations, asked)
    count = len(shown.records)
    if count:
        _show(shown, as_json=False)
        try:
            typed = typer.prompt(f"\nThis cannot be undone. Type {count} to purge them")
        except typer.Abort:
            fail("nobody answered, so nothing was purged; a script says --yes --expect N", code=1)
        if typed.strip() != str(count):
            fail(f"{typed!r} is not {count}, so nothing was purged", code=1)
    return as_shown(shown)


def _purged(operations: Operations, asked: _Asked, confirmed: Announce) -> Purged:
    from consumer.erasure.purge import Purge, SelectionChanged  # noqa: PLC0415

    user, query, reason = asked.user, asked.query, asked.reason

    def told(matched: Matched) -> None:
        # How it was selected, never what: neither an id nor a name may outlive the record.
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
                operations.workspaces,
                user,
                query,
                reason,
                hold,
                rerender,
                operations.suppressions,
                announce=(confirmed, told),
            ).run()
    except SelectionChanged as exc:
        fail(f"{exc}. Look again with --dry-run", code=1)


def _show(matched: Matched, *, as_json: bool) -> None:
    """What matches: counts, days and a few titles, never a body. Exit 3 if nothing does."""
    span = f"{matched.first} to {matched.last}" if matched.first else "undated"
    body: dict[str, Any] = {
        "records": len(matched.records),
        "by_source": dict(matched.by_source),
        "dated": span,
        "head": matched.seq,
        "selection": matched.digest,
    }
    if as_json:
        samples = [{"source": one.source, "day": one.day, "title": one.title} for one in matched.samples]
        emit_json({**body, "samples": samples})
    else:
        pairs(body)
        if matched.samples:
            tell("")
            table(("source", "day", "title"), [(one.source, one.day, one.title) for one in matched.samples])
    if not matched.records:
        fail("no record matches; nothing was deleted", code=3)


def _report(done: Purged, *, as_json: bool) -> None:
    body = {
        "seq": done.commit.seq if done.commit else None,
        "commit": done.commit.digest if done.commit else None,
        "records": done.records,
        "erased_entries": done.erased_entries,
        "deleted_objects": done.deleted_objects,
    }
    emit_json(body) if as_json else pairs(body)
    if done.commit is None:
        fail("no record matches (any more); what an earlier purge left over was deleted", code=3)


def _require_source(operations: Operations, user: str, source: str) -> None:
    """A misspelt source must not look like one that holds nothing: who asked to erase would believe it done."""
    import manifests  # noqa: PLC0415
    from consumer.layout import EXPORTS  # noqa: PLC0415

    try:
        manifests.export_manifest().source(source)
    except KeyError as exc:
        # A source that the manifest no longer has may still be in the workspace.
        found: Iterable[str] = operations.workspaces.load(user).tree.entries
        if not any(path.startswith(f"{EXPORTS}/") and f"/{source}.batch-" in path for path in found):
            fail(f"{exc.args[0]}; nothing was deleted", code=2)
