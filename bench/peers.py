"""What others do with the same folder and the same bucket: tar and zstd as one object, restic over rclone, rclone."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.gcs import BUCKET
from consumer.ports import BlobStore


@dataclass(frozen=True, slots=True)
class TarZstd:
    """``tar | zstd -1`` as one object and a HEAD. Always writes and reads everything."""

    blobs: BlobStore
    name: str = "tar+zstd"

    def persist(self, root: Path, place: str) -> None:
        packed = subprocess.run(
            f"tar -C {root} -cf - . | zstd -1 -q -c", shell=True, check=True, capture_output=True
        ).stdout
        self.blobs.write(f"tar/{place}", packed, if_generation=None)
        self.blobs.write(f"tar/{place}-HEAD", b"{}", if_generation=None)

    def hydrate(self, root: Path, place: str) -> None:
        self.blobs.read(f"tar/{place}-HEAD")
        packed = self.blobs.read(f"tar/{place}").data
        root.mkdir(mode=0o700)
        subprocess.run(f"zstd -d -q -c | tar -C {root} -xf -", shell=True, check=True, input=packed)


class Rclone:
    """``rclone sync`` with eight transfers. Loses empty folders."""

    name = "rclone"

    def __init__(self, endpoint: str) -> None:
        self.env = rclone_environment(endpoint)

    def persist(self, root: Path, place: str) -> None:
        self._run("sync", str(root), f"g:{BUCKET}/rclone/{place}")

    def hydrate(self, root: Path, place: str) -> None:
        self._run("sync", f"g:{BUCKET}/rclone/{place}", str(root))

    def _run(self, *arguments: str) -> None:
        subprocess.run(
            ["rclone", *arguments, "--transfers", "8", "--checkers", "8"], check=True, env=self.env, capture_output=True
        )


class Restic:
    """``restic backup`` and ``restore``, its rclone backend, no cache (a fresh instance has none)."""

    name = "restic"

    def __init__(self, endpoint: str) -> None:
        self.env = {**rclone_environment(endpoint), "RESTIC_PASSWORD": "bench"}

    def prepare(self, place: str) -> None:
        self._run(place, "init")

    def persist(self, root: Path, place: str) -> None:
        self._run(place, "backup", ".", cwd=root)

    def hydrate(self, root: Path, place: str) -> None:
        self._run(place, "restore", "latest", "--target", str(root))

    def _run(self, place: str, *arguments: str, cwd: Path | None = None) -> None:
        command = ["restic", "-r", f"rclone:g:{BUCKET}/restic/{place}", "--no-cache", "-q", *arguments]
        subprocess.run(command, check=True, env=self.env, cwd=cwd, capture_output=True)


def rclone_environment(endpoint: str) -> dict[str, str]:
    options = {
        "TYPE": "google cloud storage",
        "ENDPOINT": f"{endpoint}/storage/v1/",
        "ANONYMOUS": "true",
        "NO_CHECK_BUCKET": "true",
    }
    home = tempfile.gettempdir()
    given = {f"RCLONE_CONFIG_G_{name}": value for name, value in options.items()}
    return {"PATH": os.environ["PATH"], "HOME": home, "RCLONE_CONFIG": "/dev/null", **given}


def installed(name: str) -> bool:
    return shutil.which(name) is not None
