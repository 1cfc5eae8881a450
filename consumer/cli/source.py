"""``cloop-memory source ...``: what memory may see of a user, and what becomes of it, by the manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from consumer.cli.output import emit_json, fail, pairs, table

if TYPE_CHECKING:
    from contract.manifest import ExportManifest, SourceEntry

Json = Annotated[bool, typer.Option("--json", help="machine-readable output")]


def source_app() -> typer.Typer:
    app = typer.Typer(help="The sources that memory may see.", no_args_is_help=True)
    app.command("list")(_list)
    app.command("show")(_show)
    return app


def _list(as_json: Json = False) -> None:
    """Every source: its table, class, pages and threshold. Example: cloop-memory source list"""
    manifest = _manifest()
    rows = [_brief(entry) for entry in manifest.sources]
    if as_json:
        emit_json({"version": manifest.version, "sources": rows})
        return
    table(list(rows[0]), [list(row.values()) for row in rows])
    needed = manifest.sufficient_sources
    typer.echo(f"{len(rows)} sources; a backfill wants sufficient_at records in {needed} of those that have it")
    typer.echo(f"never exported: {', '.join(manifest.excluded)}")


def _show(
    source_key: Annotated[str, typer.Argument(help="as `source list` names it")],
    as_json: Json = False,
) -> None:
    """One source: the fields that leave, those that never do. Example: cloop-memory source show checklist_items"""
    try:
        entry = _manifest().source(source_key)
    except KeyError as exc:
        fail(str(exc.args[0]), code=3)
    document = entry.model_dump(mode="json")
    emit_json(document) if as_json else pairs({name: _text(value) for name, value in document.items()})


def _brief(entry: SourceEntry) -> dict[str, Any]:
    return {
        "source_key": entry.source_key,
        "table": entry.table_or_wrapper,
        "sensitivity": entry.sensitivity,
        "pages": f"{entry.page.grouping} in {entry.gbrain_mapping}",
        "sufficient_at": entry.sufficient_at,
    }


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(one)}" for name, one in value.items() if one not in (None, [], ()))
    return str(value)


def _manifest() -> ExportManifest:
    import manifests  # noqa: PLC0415 (--help stays fast)

    return manifests.export_manifest()
