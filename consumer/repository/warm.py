"""
Run folders kept on this instance for their users' next runs. docs/workspace.md, "A warm folder", has the failures.

``RUN_ROOT/warm/<user_id>/<token>``; what is known of one (commit, tree, stats) is in this process's memory alone, so
what a dead process left is nobody's and is removed. It is taken over by a rename and belongs to one run at a time.
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
    """How many folders, how many bytes in all, and how long after its run a folder is kept.

    Where less than twice these bytes are free when a run begins, only its own user's folder stays.
    """

    folders: int = 2
    bytes: int = 512 << 20
    age_s: float = 7200.0


@dataclass(frozen=True, slots=True)
class _Kept:
    folder: Path
    snapshot: Snapshot
    bytes: int
    since: float


@dataclass(slots=True)
class WarmFolders:
    """``shared``: agents run as this process's own user and could look into any folder, so no other user's folder
    stays while one runs. ``rehash``: a folder's files are read again and compared before they are believed, as they are
    wherever the file system does not show every write.

    Everything but ``forget`` is called by the one run of this instance, under its mutex.
    """

    root: Path
    clock: Clock
    bounds: WarmBounds = field(default_factory=WarmBounds)
    shared: bool = True
    rehash: bool = False
    token: Callable[[], str] = field(default=lambda: secrets.token_hex(8))
    free_bytes: Callable[[Path], int] = field(default=lambda folder: shutil.disk_usage(folder).free)
    #: By user, the one that was kept last at the end.
    _kept: dict[str, _Kept] = field(default_factory=dict)
    _vouched: tuple[str, Snapshot] | None = None

    def begin(self, user_id: str) -> None:
        """A run begins: remove what is too old, what nobody knows, and what its agents must not see."""
        self._vouched = None
        oldest = self.clock.monotonic() - self.bounds.age_s
        alone = self.shared or (bool(self._kept) and self._cramped())
        for user, kept in list(self._kept.items()):
            if kept.since < oldest or (alone and user != user_id):
                del self._kept[user]
        self._sweep()

    def vouch(self, user_id: str, found: Snapshot) -> None:
        """The run's folder is what ``found.stats`` says, and no process but this one is left that could change it."""
        self._vouched = (user_id, found)

    def end(self, folder: Path) -> None:
        """The run is over: keep its folder if it was vouched for and there is room. Raises OSError."""
        vouched, self._vouched = self._vouched, None
        if vouched is None:
            return
        user_id, found = vouched
        size = folders.size(folder)
        if size > self.bounds.bytes or not self.bounds.folders:
            return
        self.forget(user_id)
        place = self.root / user_id / self.token()
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.root.chmod(0o700)
        folder.rename(place)
        self._kept[user_id] = _Kept(place, found, size, self.clock.monotonic())
        self._shrink()

    def known(self, user_id: str) -> Snapshot | None:
        """The snapshot that this user's warm folder was left at."""
        kept = self._kept.get(user_id)
        return kept.snapshot if kept else None

    def hydrate(
        self, found: Snapshot, root: Path, fetcher: Fetcher, limits: SnapshotLimits, guard: Guard
    ) -> Refreshed | None:
        """``root`` (which must be empty) becomes ``found``, out of this user's warm folder; None: there is none that
        serves, and ``root`` is empty. Raises OSError, BlobUnavailable, the guard's.
        """
        kept, root = self._kept.pop(fetcher.objects.user_id, None), root.resolve()
        if kept is None or not _taken(kept.folder, root):
            return None
        try:
            rehash = self.rehash or not shows_every_write(root)
            return refresh(kept.snapshot, found, root, fetcher, guard, limits=limits, rehash=rehash)
        except (OSError, SnapshotIncomplete, SnapshotRefused):
            # Whatever it was, a hydrate into an empty folder meets it again, or does without what was in the way.
            folders.empty(root)
            return None

    def forget(self, user_id: str) -> None:
        """Remove what is kept of one user, by whichever process, as after a purge."""
        self._kept.pop(user_id, None)
        with suppress(OSError):
            folders.remove(self.root / user_id)

    def _cramped(self) -> bool:
        try:
            return self.free_bytes(self.root) < 2 * self.bounds.bytes
        except OSError:  # somebody removed it: what it held is gone in any case
            return True

    def _shrink(self) -> None:
        while len(self._kept) > self.bounds.folders or sum(k.bytes for k in self._kept.values()) > self.bounds.bytes:
            self.forget(next(iter(self._kept)))

    def _sweep(self) -> None:
        known = {kept.folder for kept in self._kept.values()}
        with suppress(OSError):
            for user in self.root.iterdir():
                for folder in user.iterdir():
                    if folder not in known:
                        folders.remove(folder)
                with suppress(OSError):  # not empty: it holds the one that is known
                    user.rmdir()


def _taken(folder: Path, root: Path) -> bool:
    """Rename the warm folder to where the run works, which must be empty and is so again if that fails."""
    try:
        root.rmdir()
    except FileNotFoundError:
        root.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False  # not empty: the cold way says so
    try:
        folder.rename(root)
        # Somebody's link in its place would lead all that follows elsewhere.
        if stat.S_ISDIR(root.lstat().st_mode):
            root.chmod(0o700)
            return True
        root.unlink()
    except OSError:
        if root.is_dir():
            folders.remove(root)
    root.mkdir(mode=0o700, exist_ok=True)
    return False
