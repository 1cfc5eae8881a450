"""``cloop-memory brain``: what is made once for all workspaces."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from consumer.cli.output import emit_json, fail


def brain_app() -> typer.Typer:
    """The ``brain`` group."""
    app = typer.Typer(no_args_is_help=True, help="Prepared brains for new workspaces.")

    @app.callback()
    def group() -> None:
        """Keeps the group a group while it has one verb."""

    @app.command()
    def prepare(
        out: Annotated[Path, typer.Argument(help="File to write, e.g. template.tar.zst; replaced if it is there.")],
        binary: Annotated[str, typer.Option("--binary", help="The gbrain executable.", envvar="GBRAIN_BIN")] = "gbrain",
        model: Annotated[
            str, typer.Option("--embedding-model", help="As EMBEDDING_MODEL of the workers.", envvar="EMBEDDING_MODEL")
        ] = "text-embedding-3-small",
        as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
    ) -> None:
        """Make an empty brain once, so that no new workspace waits for gbrain init. Set GBRAIN_TEMPLATE to the file.

        Only the very gbrain that made it uses it. Example: cloop-memory brain prepare /opt/gbrain/template.tar.zst
        """
        if not out.absolute().parent.is_dir():
            fail(f"{out.absolute().parent} is no folder")
        if out.is_dir():
            fail(f"{out} is a folder; name the file to write in it")
        lock = _prepared(binary, model, out)
        if as_json:
            emit_json({"path": str(out), "bytes": out.stat().st_size, **lock})
        else:
            typer.echo(f"{out}: {out.stat().st_size:,} bytes, gbrain {lock['gbrain']}, {lock['embedding_model']}")

    return app


def _prepared(binary: str, model: str, out: Path) -> Mapping[str, object]:
    """The advice of ``ToolFailed`` is for jobs: here is no dead letter, and no configuration for ``doctor``."""
    from consumer import bootstrap  # noqa: PLC0415 (--help stays fast)
    from consumer.errors import ToolFailed  # noqa: PLC0415

    found = shutil.which(binary)
    if found is None:
        fail(f"{binary} is no program that can be run; --binary or GBRAIN_BIN names the gbrain executable")
    try:
        return bootstrap.prepare_brain(str(Path(found).absolute()), model, out)
    except ToolFailed as exc:
        fail(f"{exc}; asked was {found}: --binary or GBRAIN_BIN names the gbrain executable")
    except OSError as exc:
        fail(f"{out} cannot be written: {exc.strerror}")
