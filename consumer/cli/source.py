"""``cloop-memory source ...``: what memory may read of a user, and the pages made of it, by the manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

import manifests
from consumer.cli.options import Json
from consumer.cli.output import emit_json, fail, pairs, table

if TYPE_CHECKING:
    from contract.manifest import SourceEntry

app = typer.Typer()


@app.command("list")
def list_sources(as_json: Json = False) -> None:
    """List all sources: table, sensitivity, pages and threshold. Example: cloop-memory source list"""
    manifest = manifests.export_manifest()
    rows = [_brief(entry) for entry in manifest.sources]
    if as_json:
        emit_json({"version": manifest.version, "sources": rows})
        return
    table(list(rows[0]), [list(row.values()) for row in rows])
    needed = manifest.sufficient_sources
    typer.echo(f"{len(rows)} sources; a backfill needs sufficient_at records in {needed} of those that have the value")
    typer.echo(f"never exported: {', '.join(manifest.excluded)}")


@app.command()
def show(
    source_key: Annotated[str, typer.Argument(help="A source_key, as `source list` shows it.")],
    as_json: Json = False,
) -> None:
    """Show a source: the fields that are exported, and those that never are.

    Example: cloop-memory source show checklist_items
    """
    try:
        entry = manifests.export_manifest().source(source_key)
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
        return ", ".join(f"{name} {_text(item)}" for name, item in value.items() if item not in (None, [], ()))
    return str(value)
