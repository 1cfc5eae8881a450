"""Whether the control plane can work: both databases' logins answer and have every right that they need."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import manifests
from contract import rights
from contract.rights import Grantee, Lack
from controlplane.db import Database, Row
from controlplane.errors import Fault

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
        """Raises Fault 503: the database is away, lacks the tables (not_migrated) or rights (rights_missing)."""
        lacks = self._lacks()
        if not lacks:
            return
        absent = any(lack.absent for lack in lacks)
        message = "; ".join(dict.fromkeys(lack.text for lack in lacks if lack.absent or not absent))
        raise Fault(
            503,
            "not_migrated" if absent else "rights_missing",
            f"the database lacks what this version needs: {message}",
            hint=" ".join(dict.fromkeys(lack.remedy for lack in lacks if lack.absent or not absent)),
            retryable=True,
            extra={"missing": [lack.text for lack in lacks], "remedies": [lack.remedy for lack in lacks]},
        )

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

        def execute(query: bytes, values: Mapping[str, Any]) -> list[Row]:
            return tx.connection.execute(query, values).fetchall()

        return rights.lacking(execute, grantee, owner=owner)
