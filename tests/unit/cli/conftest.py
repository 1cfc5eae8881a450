"""Commands are built once: typer's runner would build all of them anew at each call."""

from __future__ import annotations

from functools import cache

from typer import testing
from typer.main import get_command

testing._get_command = cache(get_command)  # type: ignore[attr-defined]
