"""What was purged from a user's memory, in two copies that outlive the workspace: an object beside HEAD, database rows.

Both only grow, so their union is the truth. A purge writes the database first, then the object, and swaps HEAD last:
whatever dies in between, the next export already leaves the records out.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from consumer import paths
from consumer.errors import (
    BlobNotFound,
    BlobUnavailable,
    ConsumerError,
    ControlPlaneUnavailable,
    NotAllowed,
    PreconditionFailed,
    RequestRefused,
    SuppressionsUnreadable,
)
from consumer.ports import BlobStore, Clock, SuppressionMirror
from consumer.snapshot import suppression
from consumer.snapshot.suppression import Suppressed
from service import telemetry

#: Rounds of read, union and conditional write. More means that the bucket is down or that somebody else is busy here.
ROUNDS: Final = 6
#: Seconds before the second round; each later pause is twice as long.
FIRST_PAUSE_S: Final = 0.1
_NOTHING: Final = Suppressed()


@dataclass(frozen=True, slots=True)
class _Copy:
    """The object as it was read. ``content`` None: there is none, or what is there is no list."""

    content: Suppressed | None
    generation: int
    fault: str


@dataclass(frozen=True, slots=True)
class Suppressions:
    """``bucket_of`` gives the bucket narrowed to one user's prefix, ``mirror`` the database's copy."""

    bucket_of: Callable[[str], BlobStore]
    mirror: SuppressionMirror
    clock: Clock
    entropy: Callable[[int], bytes] = secrets.token_bytes

    def read(self, user_id: str, carried: Suppressed = _NOTHING) -> Suppressed:
        """The union of both copies and of ``carried`` (a list that an earlier version kept in the tree).

        A copy that lacks something is repaired. Where that fails the other one holds it, and the next read tries again.

        Raises:
            SuppressionsUnreadable: neither copy can be read. Nobody may export: what was purged could come back.
            BlobUnavailable: the bucket does not answer.
        """
        kept = self._object(user_id)
        try:
            rows: Suppressed | None = self.mirror.suppressed(user_id)
        except (ControlPlaneUnavailable, NotAllowed, RequestRefused) as exc:
            if kept.content is None:
                raise SuppressionsUnreadable(
                    f"what was purged from the memory of {user_id} is not known: {kept.fault}; "
                    f"the database's copy: {exc}"
                ) from exc
            telemetry.log("suppressions read from the bucket alone", user_id=user_id, code=exc.code, level=30)
            rows = None
        known = (rows or _NOTHING).union(kept.content or _NOTHING).union(carried)
        if rows is not None and not _holds(rows, known):
            self._repaired("database", user_id, partial(self.mirror.suppress, user_id, known))
        if known != _NOTHING and not _same(kept.content, known):
            self._repaired("object", user_id, partial(self._write, user_id, known))
        return known

    def add(self, user_id: str, records: Iterable[tuple[str, str]], carried: Suppressed = _NOTHING) -> Suppressed:
        """Suppress these (source_key, record_id) too; all that is suppressed then, durable in both copies. Repeatable.

        Call it before HEAD is swapped: a purge that dies right after leaves records that no export brings any more.

        Raises:
            SuppressionsUnreadable, ControlPlaneUnavailable, NotAllowed, RequestRefused, BlobUnavailable: not both
                copies have them; the same call again goes on.
        """
        known = self.read(user_id, carried)
        # Whoever comes first with a key gives it to the user; the others hash under that one.
        mine = known.key or self.entropy(suppression.KEY_BYTES)
        key = self.mirror.suppress(user_id, Suppressed(mine)).key
        grown = Suppressed(key).union(known).adding(records, key)
        self.mirror.suppress(user_id, grown)
        return self._write(user_id, grown)

    def erase(self, user_id: str, at: datetime, carried: Suppressed = _NOTHING) -> Suppressed:
        """Note in both copies that all of this user is erased as of ``at``. Repeatable; the latest time counts.

        Raises as ``add``.
        """
        return self.add(user_id, (), carried.union(Suppressed(erased_at=at)))

    # --- the object

    def _object(self, user_id: str) -> _Copy:
        name = paths.suppressed(user_id)
        try:
            blob = self.bucket_of(user_id).read(name)
        except BlobNotFound:
            return _Copy(None, 0, f"{name} does not exist")
        try:
            return _Copy(suppression.decode(blob.data), blob.stat.generation, "")
        except ValueError as exc:
            return _Copy(None, blob.stat.generation, f"{name}: {exc}")

    def _write(self, user_id: str, known: Suppressed) -> Suppressed:
        """Union it into the object. A refused write or a lost reply is a question that reading again answers."""
        name, bucket = paths.suppressed(user_id), self.bucket_of(user_id)
        for round_number in range(ROUNDS):
            kept = self._object(user_id)
            merged = known.union(kept.content or _NOTHING)
            if _same(kept.content, merged):
                return merged
            try:
                bucket.write(name, merged.encode(), if_generation=kept.generation, content_type="application/json")
            except (PreconditionFailed, BlobUnavailable):
                self.clock.sleep(FIRST_PAUSE_S * 2**round_number)
                continue
            return merged
        raise BlobUnavailable(f"{name} could not be written in {ROUNDS} rounds")

    @staticmethod
    def _repaired(copy: str, user_id: str, repair: Callable[[], object]) -> None:
        try:
            repair()
        except ConsumerError as exc:
            telemetry.log("suppressions not repaired", user_id=user_id, copy=copy, code=exc.code, level=30)
        else:
            telemetry.log("suppressions repaired", user_id=user_id, copy=copy, level=30)


def _same(content: Suppressed | None, known: Suppressed) -> bool:
    """Does the object hold all of it, and hash under the same key?"""
    return content is not None and content.key == known.key and content.covers(known)


def _holds(rows: Suppressed, known: Suppressed) -> bool:
    """Does the database have it all? Only an operator's command begins anew there, so that is no part of it."""
    return rows.covers(replace(known, begun_anew_at=rows.begun_anew_at))
