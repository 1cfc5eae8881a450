"""Whether the control plane can work: both databases' logins answer and have every right that they need."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import manifests
from contract import rights
from contract.rights import Grantee, Lack
from controlplane.db import Database
from controlplane.errors import ApiFault

#: Probes come every few seconds from each instance's platform; the catalogs are asked once in this time.
KEEP_S: Final = 5.0


@dataclass
class Readiness:
    """``database`` and ``export`` are what the two logins see; ``monotonic`` is in seconds."""

    database: Database
    export: Database
    monotonic: Callable[[], float]
    keep_s: float = KEEP_S
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _known: tuple[float, list[Lack]] | None = field(default=None, repr=False)

    def require(self) -> None:
        """Raises ApiFault 503: the database is away, lacks the tables (not_migrated) or rights (rights_missing)."""
        lacks = self._lacks()
        if absent := [lack for lack in lacks if lack.absent]:
            raise ApiFault(503, "not_migrated", _message(absent), hint="run the migrations", retryable=True)
        if lacks:
            remedies = [lack.remedy for lack in lacks]
            extra = {"missing": [lack.text for lack in lacks], "remedies": remedies}
            hint = " ".join(dict.fromkeys(remedies))
            raise ApiFault(503, "rights_missing", _message(lacks), hint=hint, retryable=True, extra=extra)

    def _lacks(self) -> list[Lack]:
        with self._lock:
            now = self.monotonic()
            if self._known is None or now - self._known[0] >= self.keep_s:
                views = [entry.view for entry in manifests.export_manifest().sources]
                found = [
                    *_lacking(self.database, rights.SERVICE, owner=True),
                    *_lacking(self.export, rights.reader(views), owner=False),
                ]
                self._known = (now, found)
            return self._known[1]


def _lacking(database: Database, grantee: Grantee, *, owner: bool) -> list[Lack]:
    with database.transaction() as tx:
        return rights.lacking(tx.connection.execute, grantee, owner=owner)


def _message(lacks: Sequence[Lack]) -> str:
    return f"the database lacks what this version needs: {'; '.join(lack.text for lack in lacks)}"
