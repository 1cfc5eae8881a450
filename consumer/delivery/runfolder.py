"""The run folder of an instance: a mutex, a private folder for each job, and one fixed path to the current one.

The mutex is a file lock, so the kernel frees it when the process dies. The fixed path is a symlink, because tools store
absolute paths. Each run points it to its own job's folder, so an instance runs one job at a time.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from consumer.repository import folders
from consumer.repository.descriptors import Opened
from consumer.repository.warm import WarmFolders

MUTEX: Final = "mutex"
WORKSPACE: Final = "workspace"
JOBS: Final = "jobs"
WARM: Final = "warm"


class FolderBusy(Exception):
    """Another run of this instance is still in progress."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """``root`` is RUN_ROOT. Only what ``warm`` keeps outlives a run; None keeps nothing."""

    root: Path
    warm: WarmFolders | None = None

    @property
    def workspace(self) -> Path:
        """The fixed path at which every run finds its files."""
        return self.root / WORKSPACE

    @contextmanager
    def mutex(self) -> Iterator[None]:
        """Hold it from before the claim until every process of the run has ended. Raises FolderBusy."""
        self.root.mkdir(mode=0o711, parents=True, exist_ok=True)
        with Opened(self.root / MUTEX, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600) as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as exc:
                raise FolderBusy(f"{self.root}: another run has not ended") from exc
            yield

    @contextmanager
    def open(self, name: str, user_id: str = "") -> Iterator[Path]:
        """A new empty folder (0700) at the fixed path. At the end it is removed, or kept warm for this user's next run
        if the run vouched for it. Call it under the mutex.
        """
        self.clear()
        if self.warm:
            self.warm.begin(user_id)
        folder = self.root / JOBS / name
        folder.mkdir(mode=0o700, parents=True)
        self.workspace.symlink_to(folder, target_is_directory=True)
        try:
            yield self.workspace
        finally:
            # The outcome is recorded, so a failed removal must not fail this run; the next run tries again.
            if self.warm:
                with suppress(OSError):
                    self.warm.end(folder)
            with suppress(OSError):
                self.clear()

    def clear(self) -> None:
        """Remove what this run or a dead one left. Read-only folders (evidence) are made writable first."""
        self.workspace.unlink(missing_ok=True)
        jobs = self.root / JOBS
        if jobs.exists():
            folders.remove(jobs)
