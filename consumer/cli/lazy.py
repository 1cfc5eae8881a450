"""Groups of the command line that are imported when one of their commands is asked for, not when they are listed."""

from __future__ import annotations

from functools import cache, cached_property
from importlib import import_module
from typing import Any

from typer.core import TyperGroup
from typer.main import get_group


class LazyGroup(TyperGroup):
    """The group called ``name``: the commands of ``app`` in ``consumer.cli.<name>``."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        del self.commands  # The base class sets an empty one, which would hide the property.

    @cached_property
    def commands(self) -> Any:  # type: ignore[override]  # nobody sets it again
        return _commands(self.name)


@cache
def _commands(name: str | None) -> Any:
    """Built once a process: typer reads the signature of every command, whenever somebody invokes one."""
    return get_group(import_module(f"consumer.cli.{name}").app).commands
