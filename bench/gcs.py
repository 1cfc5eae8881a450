"""The embedded GCS server as a process, with its own counts of requests and bytes."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

BUCKET = "bench"


@dataclass(frozen=True, slots=True)
class Served:
    endpoint: str

    def counts(self) -> tuple[int, int, int]:
        """Requests, body bytes in and out since the last reset."""
        with urllib.request.urlopen(f"{self.endpoint}/_stats") as answer:
            stats = json.load(answer)
        return stats["requests"], stats["bytes_in"], stats["bytes_out"]

    def reset(self) -> None:
        urllib.request.urlopen(urllib.request.Request(f"{self.endpoint}/_stats", method="DELETE")).close()


@contextmanager
def served(data: Path) -> Iterator[Served]:
    command = [sys.executable, "-m", "local.gcs", "--data", str(data), "--bucket", BUCKET]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Served(f"http://127.0.0.1:{json.loads(process.stdout.readline())['port']}")
        finally:
            process.terminate()
