"""The public keys that verify commits, from a folder that gets another key with each rotation."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NoReturn

from consumer.clients import signing

#: Least seconds between two looks into the folder, so that forged key ids are no load.
LOOK_AGAIN_S: Final = 10.0


@dataclass
class KeyFolder:
    """``ports.Signer`` that only verifies. A private key in the folder is never read. Thread-safe."""

    folder: Path
    monotonic: Callable[[], float]
    key_id: str = ""
    _keys: dict[str, bytes] = field(default_factory=dict, repr=False)
    _looked_s: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def sign(self, payload: bytes) -> NoReturn:
        """Never: the reader makes no commit."""
        raise PermissionError(f"the reader signs nothing ({len(payload)} bytes)")

    def verify(self, key_id: str, payload: bytes, signature: bytes) -> bool:
        """False also for a key that is not in the folder."""
        self._look(key_id)
        return signing.verify(self._keys, key_id, payload, signature)

    def ready(self) -> bool:
        """Whether there is a key at all."""
        self._look("")
        return bool(self._keys)

    def _look(self, key_id: str) -> None:
        """Read the folder if it may hold a key that is not known yet."""
        with self._lock:
            now = self.monotonic()
            known = key_id in self._keys if key_id else bool(self._keys)
            if known or (self._keys and self._looked_s is not None and now - self._looked_s < LOOK_AGAIN_S):
                return
            self._looked_s = now
            try:
                self._keys = signing.public_ring(self.folder)
            except (OSError, ValueError):
                # A file that is just being written; the keys that are known stay.
                return
