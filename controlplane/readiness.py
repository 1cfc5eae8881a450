"""Whether the control plane can work: both database logins answer and have every right they need."""

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

#: The platform probes each instance every few seconds; the catalogs are queried once in this time.
KEEP_S: Final = 5.0


@dataclass
class Readiness:
    """``database`` and ``export`` are what the two logins see; ``monotonic`` is in seconds."""

    database: Database
    export: Database
    monotonic: Callable[[], float]
    keep_s: float = KEEP_S
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _checked: tuple[float, list[Lack]] | None = None

    def require(self, *, fresh: bool = False) -> None:
        """Raises ApiFault 503: the database is unreachable, lacks tables (not_migrated) or rights (rights_missing).

        ``fresh``: query the database now, even if a recent result is kept.
        """
        lacks = self._lacks(0.0 if fresh else self.keep_s)
        if absent := [lack for lack in lacks if lack.absent]:
            raise ApiFault(503, "not_migrated", _message(absent), hint="run the migrations", retryable=True)
        if lacks:
            remedies = [lack.remedy for lack in lacks]
            extra = {"missing": [lack.text for lack in lacks], "remedies": remedies}
            hint = " ".join(dict.fromkeys(remedies))
            raise ApiFault(503, "rights_missing", _message(lacks), hint=hint, retryable=True, extra=extra)

    def _lacks(self, keep_s: float) -> list[Lack]:
        with self._lock:
            now = self.monotonic()
            if self._checked is None or now - self._checked[0] >= keep_s:
                views = [entry.view for entry in manifests.export_manifest().sources]
                lacks = [
                    *_lacking(self.database, rights.SERVICE, owner=True),
                    *_lacking(self.export, rights.reader(views), owner=False),
                ]
                self._checked = (now, lacks)
            return self._checked[1]


def _lacking(database: Database, grantee: Grantee, *, owner: bool) -> list[Lack]:
    with database.transaction() as tx:
        return rights.lacking(tx.connection.execute, grantee, owner=owner)


def _message(lacks: Sequence[Lack]) -> str:
    return f"the database lacks what this version needs: {'; '.join(lack.text for lack in lacks)}"
