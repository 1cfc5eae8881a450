"""From a user's token to an answer: the grant, the rate limit, the open memory, and one more try where it may help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from consumer.errors import BlobUnavailable, SnapshotIncomplete
from consumer.ports import Clock
from contract.api import AccessList
from contract.overlay import CorrectionList, CorrectionRequest, CorrectionView
from reader.grants import Grant, Grants, ReaderCalls
from reader.library import OpenMemories
from reader.limits import Kind, Limits
from reader.meaning import VectorOf, no_vector
from reader.memory import MemoryView
from reader.model import AskModel

T = TypeVar("T")


@dataclass(frozen=True)
class ReaderService:
    """``folder``: for index files. ``model``: answers what facts do not; None: nobody does.
    ``vector_of``: the vectors of questions.
    """

    grants: Grants
    controlplane: ReaderCalls
    library: OpenMemories
    limits: Limits
    clock: Clock
    folder: Path
    model: AskModel | None = None
    vector_of: VectorOf = no_vector

    def answer(self, user_token: str, act: Callable[[MemoryView], T], kind: Kind = "read") -> T:
        """What ``act`` makes of the memory of the token's user, as HEAD names it now. ``act`` may be called twice.

        Raises CallRefusal: no right to read, too many calls; and whatever ``act`` raises, and ``Library.open``.
        """
        grant = self.grants.of(user_token)
        self.limits.take(grant.user_id, kind)
        try:
            return self._read(grant, act)
        except SnapshotIncomplete:
            # A purge or gc removed an object after HEAD was read: HEAD names others now.
            self.library.forget(grant.user_id)
            return self._read(grant, act)
        except BlobUnavailable as exc:
            if exc.passing:
                raise
            # The bucket refuses the token, for example because its key was withdrawn.
            return self._read(self.grants.of(user_token, fresh=True), act)

    def access(self, user_token: str, after: int | None = None) -> AccessList:
        """The control plane's log of who did what to this memory. Raises CallRefusal."""
        grant = self.grants.of(user_token)
        self.limits.take(grant.user_id, "read")
        return self.controlplane.access(user_token, after)

    def corrections(self, user_token: str) -> CorrectionList:
        """What the token's user corrected, newest first, those taken back too. Raises CallRefusal."""
        grant = self.grants.of(user_token)
        self.limits.take(grant.user_id, "read")
        return self.controlplane.corrections(user_token)

    def correct(self, user_token: str, request: CorrectionRequest) -> CorrectionView:
        """Make a correction. Repeatable. It counts from the next call on, at this process.

        Raises CallRefusal 404 job_not_found, claim_not_found; 409 too_many_corrections; also as ``Grants.of`` and 429.
        """
        return self.change(user_token, lambda plane: plane.correct(user_token, request))

    def undo(self, user_token: str, correction_id: str) -> CorrectionView:
        """Take a correction back. Repeatable. Raises CallRefusal 404 correction_not_found; also as ``correct``."""
        return self.change(user_token, lambda plane: plane.undo(user_token, correction_id))

    def look(self, user_token: str, act: Callable[[ReaderCalls], T], kind: Kind = "read") -> T:
        """What the control plane answers to a call that changes nothing of what is shown.

        Raises CallRefusal, as ``Grants.of`` and the call.
        """
        grant = self.grants.of(user_token)
        self.limits.take(grant.user_id, kind)
        return act(self.controlplane)

    def change(self, user_token: str, act: Callable[[ReaderCalls], T], kind: Kind = "correct") -> T:
        """Change something by a call of the control plane; this user's next call here sees it. Raises CallRefusal."""
        grant = self.grants.of(user_token)
        self.limits.take(grant.user_id, kind)
        try:
            return act(self.controlplane)
        finally:
            # Also after a failure: the answer may have been lost, and not the change.
            self.grants.drop(grant.user_id)

    def object_of(self, user_token: str, name_of: Callable[[str], str]) -> bytes:
        """An object of the user that no commit names. ``name_of``: user id -> its name.

        Raises CallRefusal, BlobNotFound, BlobUnavailable.
        """
        grant = self.grants.of(user_token)
        self.limits.take(grant.user_id, "read")
        return self.library.object_of(grant, name_of(grant.user_id)).data

    def _read(self, grant: Grant, act: Callable[[MemoryView], T]) -> T:
        with self.library.open(grant) as opened:
            return act(MemoryView(opened, grant.overlay, self.clock.now(), self.folder, grant.user_id, self.vector_of))
