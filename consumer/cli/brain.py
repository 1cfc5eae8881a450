"""``cloop-memory brain``: a brain prepared once for all workspaces."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from consumer import bootstrap
from consumer.cli.options import Json
from consumer.cli.output import emit_json, fail
from consumer.errors import ToolFailed

app = typer.Typer()


@app.command()
def prepare(
    out: Annotated[Path, typer.Argument(help="File to write, e.g. template.tar.zst; an existing one is replaced.")],
    binary: Annotated[str, typer.Option("--binary", help="The gbrain executable.", envvar="GBRAIN_BIN")] = "gbrain",
    model: Annotated[
        str, typer.Option("--embedding-model", help="The workers' EMBEDDING_MODEL.", envvar="EMBEDDING_MODEL")
    ] = "text-embedding-3-small",
    as_json: Json = False,
) -> None:
    """Write an empty brain to a file. Workers with GBRAIN_TEMPLATE set to it unpack it instead of running gbrain init.

    Only the gbrain version that made the file uses it. Example: cloop-memory brain prepare /opt/gbrain/template.tar.zst
    """
    if not out.absolute().parent.is_dir():
        fail(f"cannot write {out}: {out.absolute().parent} is not a folder")
    if out.is_dir():
        fail(f"cannot write {out}: it is a folder; give the name of a file in it")
    lock = _prepared(binary, model, out)
    if as_json:
        emit_json({"path": str(out), "bytes": out.stat().st_size, **lock})
    else:
        typer.echo(f"{out}: {out.stat().st_size:,} bytes, gbrain {lock['gbrain']}, {lock['embedding_model']}")


def _prepared(binary: str, model: str, out: Path) -> Mapping[str, object]:
    """Pack the brain. The hint of ``ToolFailed`` is about jobs and their dead letters, so another one is printed."""
    executable = shutil.which(binary)
    if executable is None:
        fail(f"cannot run {binary}; set --binary or GBRAIN_BIN to the gbrain executable")
    try:
        return bootstrap.prepare_brain(str(Path(executable).absolute()), model, out)
    except ToolFailed as exc:
        fail(f"{exc} (ran {executable}); set --binary or GBRAIN_BIN to the gbrain executable")
    except OSError as exc:
        fail(f"cannot write {out}: {exc.strerror}")
