"""A user's purged records, in two copies that outlive the workspace: an object beside HEAD, and database rows.

Both copies only grow, so their union is authoritative. A purge writes the database first, then the object, and swaps
HEAD last: if the process dies in between, the next export already leaves the records out.
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
from consumer.storage.conditional import existing
from service import telemetry

#: Rounds of read, union and conditional write; if all fail, the bucket is down or another writer interferes.
ROUNDS: Final = 6
#: Seconds before the second round; each later pause is twice as long.
FIRST_PAUSE_S: Final = 0.1
_NOTHING: Final = Suppressed()


@dataclass(frozen=True, slots=True)
class _Copy:
    """The object as read. ``content`` None: it does not exist or cannot be parsed; ``fault`` says which."""

    content: Suppressed | None
    generation: int
    fault: str


@dataclass(frozen=True, slots=True)
class Suppressions:
    """``bucket_of`` returns the bucket narrowed to one user's prefix; ``mirror`` is the database's copy."""

    bucket_of: Callable[[str], BlobStore]
    mirror: SuppressionMirror
    clock: Clock
    entropy: Callable[[int], bytes] = secrets.token_bytes

    def read(self, user_id: str, carried: Suppressed = _NOTHING) -> Suppressed:
        """The union of both copies and of ``carried`` (a list that an earlier release kept in the tree).

        An incomplete copy is repaired. If the repair fails, the other copy is complete, and the next read tries again.

        Raises SuppressionsUnreadable: neither copy can be read. No export may run, as purged records could come back.
        ControlPlaneUnavailable: the same, but the database's copy may be readable once the control plane answers.
        BlobUnavailable: the bucket does not answer.
        """
        stored = self._object(user_id)
        try:
            rows: Suppressed | None = self.mirror.suppressed(user_id)
        except (ControlPlaneUnavailable, NotAllowed, RequestRefused) as exc:
            if stored.content is None:
                if isinstance(exc, ControlPlaneUnavailable):
                    # An outage that all jobs share is no fault of this one: it waits, and its attempts do not count.
                    raise
                raise SuppressionsUnreadable(
                    f"the purged records of {user_id} cannot be read from either copy: {stored.fault}; "
                    f"the database's copy: {exc}"
                ) from exc
            telemetry.log(
                "suppressions read from the bucket alone", user_id=user_id, code=exc.code, level=telemetry.WARNING
            )
            rows = None
        suppressed = (rows or _NOTHING).union(stored.content or _NOTHING).union(carried)
        if rows is not None and not _covers(rows, suppressed):
            self._repaired("database", user_id, partial(self.mirror.suppress, user_id, suppressed))
        if suppressed != _NOTHING and not _is_current(stored.content, suppressed):
            self._repaired("object", user_id, partial(self._write, user_id, suppressed))
        return suppressed

    def add(self, user_id: str, records: Iterable[tuple[str, str]], carried: Suppressed = _NOTHING) -> Suppressed:
        """Suppress these (source_key, record_id) too, durably in both copies, and return all suppressions. Repeatable.

        Call it before HEAD is swapped: if the purge dies right after, no export brings the records back.

        Raises SuppressionsUnreadable, ControlPlaneUnavailable, NotAllowed, RequestRefused, BlobUnavailable: at least
        one copy lacks them; call it again to resume.
        """
        suppressed = self.read(user_id, carried)
        # The first key that reaches the database becomes the user's; later callers hash under that key.
        proposed_key = suppressed.key or self.entropy(suppression.KEY_BYTES)
        key = self.mirror.suppress(user_id, Suppressed(proposed_key)).key
        grown = Suppressed(key).union(suppressed).adding(records, key)
        self.mirror.suppress(user_id, grown)
        return self._write(user_id, grown)

    def erase(self, user_id: str, at: datetime, carried: Suppressed = _NOTHING) -> Suppressed:
        """Note in both copies that everything of this user is erased as of ``at``. Repeatable; the latest time counts.

        Raises as ``add``.
        """
        return self.add(user_id, (), carried.union(Suppressed(erased_at=at)))

    # --- the object

    def _object(self, user_id: str) -> _Copy:
        name = paths.suppressed(user_id)
        if (blob := existing(self.bucket_of(user_id), name)) is None:
            return _Copy(None, 0, f"{name} does not exist")
        try:
            return _Copy(suppression.decode(blob.data), blob.stat.generation, "")
        except ValueError as exc:
            return _Copy(None, blob.stat.generation, f"{name}: {exc}")

    def _write(self, user_id: str, suppressed: Suppressed) -> Suppressed:
        """Add it to the object. After a failed precondition or a lost reply, read again and decide."""
        name, bucket = paths.suppressed(user_id), self.bucket_of(user_id)
        for round_number in range(ROUNDS):
            stored = self._object(user_id)
            merged = suppressed.union(stored.content or _NOTHING)
            if _is_current(stored.content, merged):
                return merged
            try:
                bucket.write(name, merged.encode(), if_generation=stored.generation, content_type="application/json")
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
            telemetry.log(
                "suppressions not repaired", user_id=user_id, copy=copy, code=exc.code, level=telemetry.WARNING
            )
        else:
            telemetry.log("suppressions repaired", user_id=user_id, copy=copy, level=telemetry.WARNING)


def _is_current(content: Suppressed | None, suppressed: Suppressed) -> bool:
    """Whether the object covers all of ``suppressed`` and hashes under the same key."""
    return content is not None and content.key == suppressed.key and content.covers(suppressed)


def _covers(rows: Suppressed, suppressed: Suppressed) -> bool:
    """Whether the database's copy covers all of ``suppressed``. ``begun_anew_at`` is excluded: only an operator's
    command sets it there.
    """
    return rows.covers(replace(suppressed, begun_anew_at=rows.begun_anew_at))
