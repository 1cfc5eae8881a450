"""``cloop-memory plugin``: check a plugin before a deployment uses it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from consumer import bootstrap
from consumer.agent.plugins import Plugin
from consumer.cli.options import Json
from consumer.cli.output import emit_json, fail
from consumer.errors import PluginRefused

app = typer.Typer()


# Without it, typer makes the only command of a group the group itself.
@app.callback()
def _group() -> None:
    pass


@app.command()
def check(
    path: Annotated[Path, typer.Argument(help="The plugin's folder, with gbrain.plugin.json in it.")],
    as_json: Json = False,
) -> None:
    """Show what a process would load from a plugin, and what it would leave out.

    Exits with 1 if a definition would be left out. Example: cloop-memory plugin check /opt/plugins/house-style
    """
    faults: list[PluginRefused] = []
    try:
        plugin = bootstrap.check_plugin(str(path.absolute()), faults.append)
    except PluginRefused as exc:
        fail(str(exc))
    if as_json:
        emit_json(
            {
                "name": plugin.manifest.name,
                "version": plugin.manifest.version,
                "subagents": [subagent.to_json() for subagent in plugin.subagents],
                "ignored": list(plugin.notes),
                "faults": [str(fault) for fault in faults],
            }
        )
    else:
        _print(plugin)
    for fault in faults:
        typer.echo(f"left out: {fault}", err=True)
    raise typer.Exit(1 if faults else 0)


def _print(plugin: Plugin) -> None:
    typer.echo(f"{plugin.manifest.name} {plugin.manifest.version}: {len(plugin.subagents)} subagent(s)")
    for subagent in plugin.subagents:
        tools = "every tool that reads" if subagent.allowed_tools is None else ", ".join(subagent.allowed_tools)
        model = subagent.model or "the job's model"
        typer.echo(f"  {subagent.name}: {tools}; at most {subagent.max_turns} turns; {model}")
    for note in plugin.notes:
        typer.echo(f"ignored: {note}")
