"""One attempt of one task: a process group with a clean start that gets SIGTERM, then SIGKILL, and leaves nothing."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from local.machine import dying_with_us

#: The time that Cloud Run gives a container between SIGTERM and SIGKILL.
GRACE_S = 10.0
#: A container starts with its own environment, not the machine's; commands need at least these variables.
_BASE = ("PATH", "HOME", "LANG", "TMPDIR")

End = Literal["exited", "timeout", "cancelled"]


@dataclass(frozen=True, slots=True)
class Finished:
    """How an attempt ended; ``returncode`` is negative for a signal, 127 when the command cannot be started."""

    how: End
    returncode: int


async def run(
    argv: Sequence[str],
    env: Mapping[str, str],
    *,
    cwd: Path,
    log: Path,
    timeout_s: float,
    cancelled: asyncio.Event,
    grace_s: float = GRACE_S,
) -> Finished:
    """Run until the end, the timeout or the cancellation; appends output to ``log``."""
    with log.open("ab") as output:
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                env={**_base(), **env},
                cwd=cwd,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                preexec_fn=dying_with_us(signal.SIGKILL),
            )
        except OSError as exc:
            output.write(f"cannot start {argv[0]}: {exc}\n".encode())
            return Finished("exited", 127)
    try:
        how = await _end(process, timeout_s, cancelled)
        if how != "exited":
            await _stop(process, grace_s)
    finally:
        _signal(process, signal.SIGKILL)  # whatever the command left behind in its group
    return Finished(how, await process.wait())


async def _end(process: asyncio.subprocess.Process, timeout_s: float, cancelled: asyncio.Event) -> End:
    exited = asyncio.create_task(process.wait())
    stopped = asyncio.create_task(cancelled.wait())
    try:
        await asyncio.wait({exited, stopped}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        if exited.done():
            return "exited"
        return "cancelled" if stopped.done() else "timeout"
    finally:
        exited.cancel()
        stopped.cancel()


async def _stop(process: asyncio.subprocess.Process, grace_s: float) -> None:
    _signal(process, signal.SIGTERM)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), grace_s)


def _signal(process: asyncio.subprocess.Process, number: int) -> None:
    """To the whole group; its id is the process's, because it started its own session."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def _base() -> dict[str, str]:
    return {name: os.environ[name] for name in _BASE if name in os.environ}
