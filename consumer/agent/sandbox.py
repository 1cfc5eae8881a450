"""A tool's sandbox: nothing it writes outlives it, except in the folders that it may write.

It sees the machine read-only; its own temporary folders, shared memory, message queues and processes; and of this
instance's runs only its own. The supervisor builds it with ``namespaces.py``.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from consumer.agent import netfence

#: Of each temporary folder of a tool, bytes. They are memory of this machine.
TMP_BYTES: Final = 256 * 1024 * 1024
#: What the interpreter and this package need to be read for, wherever they were installed.
OURS: Final = (Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parents[2])


def unavailable() -> str | None:
    """Why this process cannot give a tool a sandbox; None if it can. Found by trying."""
    return netfence.tried("probe-sandbox")


@dataclass(frozen=True, slots=True)
class Sandbox:
    """``hidden``: folders of this process that appear empty to every tool, except the paths below that a call names."""

    hidden: tuple[Path, ...] = ()
    tmp_bytes: int = TMP_BYTES

    def places(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        readable: Iterable[Path],
        writable: Iterable[Path],
        hidden: Sequence[Path] = (),
    ) -> dict[str, Any]:
        """The fields of namespaces.Places for one run of a tool. ``hidden``: see ports.Tool."""
        written = [path for path in writable if path.exists() and not path.is_symlink()]
        program = shutil.which(argv[0], path=env.get("PATH", os.defpath))
        covered = [path.resolve() for path in (*self.hidden, *hidden)]
        # A hidden working folder is still there, with only the named paths in it.
        working = () if cwd.resolve() in {path.resolve() for path in hidden} else (cwd,)
        shown = [*readable, *OURS, *working, *(_installation(Path(program)) if program else ())]
        return {
            "cwd": str(cwd.absolute()),
            "hidden": [str(path) for path in covered],
            "readable": [str(path.resolve()) for path in shown if path.exists()],
            "writable": [str(path.resolve()) for path in written],
            "links": {str(link): str(link.readlink()) for path in (*shown, *written) for link in _links(path)},
            "size": self.tmp_bytes,
        }


def _installation(program: Path) -> list[Path]:
    """A program and its installation folder, by the name it is called by and by its real name."""
    paths = []
    for path in (program.absolute(), program.resolve()):
        paths += [path, path.parent.parent if path.parent.name == "bin" else path.parent]
    return paths


def _links(path: Path) -> list[Path]:
    """The links among ``path`` and its parents."""
    absolute = path.absolute()
    return [part for part in (*reversed(absolute.parents), absolute) if part.is_symlink()]
