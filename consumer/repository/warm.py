"""
Keep run folders on this instance for their users' next runs. docs/workspace.md, "A warm folder", lists the failures.

``RUN_ROOT/warm/<user_id>/<token>``. A folder's record (commit, tree, stats) is only in this process's memory, so the
folders of a dead process are removed. A run takes a folder over by a rename; it belongs to one run at a time.
"""

from __future__ import annotations

import secrets
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from consumer.errors import SnapshotIncomplete, SnapshotRefused
from consumer.ports import Clock, Guard
from consumer.repository import folders
from consumer.repository.hydrating import Fetcher
from consumer.repository.loading import Snapshot
from consumer.repository.refreshing import Refreshed, refresh
from consumer.repository.scan import shows_every_write
from consumer.snapshot.snapshot import SnapshotLimits


@dataclass(frozen=True, slots=True)
class WarmBounds:
    """Limits: number of folders, bytes in total, and seconds that a folder is kept after its run.

    If less than twice these bytes are free when a run begins, only its own user's folder stays.
    """

    folders: int = 2
    bytes: int = 512 << 20
    age_s: float = 7200.0


@dataclass(frozen=True, slots=True)
class _WarmFolder:
    folder: Path
    snapshot: Snapshot
    bytes: int
    since: float


@dataclass(slots=True)
class WarmFolders:
    """``shared``: agents run as this process's own user and could read any folder, so no other user's folder stays
    while one runs. ``rehash``: always hash a folder's files before use, as on file systems that do not show every
    write.

    All methods but ``forget`` are called by the one run of this instance, under its mutex.
    """

    root: Path
    clock: Clock
    bounds: WarmBounds = field(default_factory=WarmBounds)
    shared: bool = True
    rehash: bool = False
    token: Callable[[], str] = field(default=lambda: secrets.token_hex(8))
    free_bytes: Callable[[Path], int] = field(default=lambda folder: shutil.disk_usage(folder).free)
    #: By user, the latest one last.
    _folders: dict[str, _WarmFolder] = field(default_factory=dict)
    _vouched: tuple[str, Snapshot] | None = None

    def begin(self, user_id: str) -> None:
        """A run begins: remove folders that are too old, unknown, or that its agents must not see."""
        self._vouched = None
        oldest = self.clock.monotonic() - self.bounds.age_s
        alone = self.shared or (bool(self._folders) and self._is_disk_low())
        for user, warm in list(self._folders.items()):
            if warm.since < oldest or (alone and user != user_id):
                del self._folders[user]
        self._sweep()

    def vouch(self, user_id: str, snapshot: Snapshot) -> None:
        """Confirm that the run's folder is as recorded in ``stats`` and no other process can still change it."""
        self._vouched = (user_id, snapshot)

    def end(self, folder: Path) -> None:
        """The run is over: keep its folder if it was vouched for and the limits allow it. Raises OSError."""
        vouched, self._vouched = self._vouched, None
        if vouched is None:
            return
        user_id, snapshot = vouched
        size = folders.size(folder)
        if size > self.bounds.bytes or not self.bounds.folders:
            return
        self.forget(user_id)
        place = self.root / user_id / self.token()
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.root.chmod(0o700)
        folder.rename(place)
        self._folders[user_id] = _WarmFolder(place, snapshot, size, self.clock.monotonic())
        self._shrink()

    def recorded(self, user_id: str) -> Snapshot | None:
        """The snapshot recorded for this user's warm folder."""
        warm = self._folders.get(user_id)
        return warm.snapshot if warm else None

    def hydrate(
        self, snapshot: Snapshot, root: Path, fetcher: Fetcher, limits: SnapshotLimits, guard: Guard
    ) -> Refreshed | None:
        """Turn this user's warm folder into the snapshot and move it to the empty ``root``; None: there is no usable
        one, and ``root`` is empty. Raises OSError, BlobUnavailable, and whatever the guard raises.
        """
        warm, root = self._folders.pop(fetcher.objects.user_id, None), root.resolve()
        if warm is None or not _take_over(warm.folder, root):
            return None
        try:
            rehash = self.rehash or not shows_every_write(root)
            return refresh(warm.snapshot, snapshot, root, fetcher, guard, limits=limits, rehash=rehash)
        except (OSError, SnapshotIncomplete, SnapshotRefused):
            # A hydrate into an empty folder either meets the same fault or avoids it.
            folders.empty(root)
            return None

    def forget(self, user_id: str) -> None:
        """Remove all warm folders of one user, of any process, as after a purge."""
        self._folders.pop(user_id, None)
        with suppress(OSError):
            folders.remove(self.root / user_id)

    def _is_disk_low(self) -> bool:
        try:
            return self.free_bytes(self.root) < 2 * self.bounds.bytes
        except OSError:  # The folder was removed, so nothing is kept in it.
            return True

    def _shrink(self) -> None:
        while (
            len(self._folders) > self.bounds.folders or sum(k.bytes for k in self._folders.values()) > self.bounds.bytes
        ):
            self.forget(next(iter(self._folders)))

    def _sweep(self) -> None:
        recorded = {warm.folder for warm in self._folders.values()}
        with suppress(OSError):
            for user in self.root.iterdir():
                for folder in user.iterdir():
                    if folder not in recorded:
                        folders.remove(folder)
                with suppress(OSError):  # Not empty: it has the recorded folder.
                    user.rmdir()


def _take_over(folder: Path, root: Path) -> bool:
    """Rename the warm folder to the run's folder, which must be empty and is empty again if the rename fails."""
    try:
        root.rmdir()
    except FileNotFoundError:
        root.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False  # Not empty; the cold hydrate reports it.
    try:
        folder.rename(root)
        # A link in its place would redirect all later writes.
        if stat.S_ISDIR(root.lstat().st_mode):
            root.chmod(0o700)
            return True
        root.unlink()
    except OSError:
        if root.is_dir():
            folders.remove(root)
    root.mkdir(mode=0o700, exist_ok=True)
    return False
