"""Whether this instance can work at all: its tools and its disk, tried."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from consumer.settings import ConsumerSettings


def reasons(settings: ConsumerSettings, lacking: Sequence[str] = ()) -> list[str]:
    """Why this instance cannot work, in words that say what to mend. ``lacking``: what was found at its start."""
    found = list(lacking)
    for name, binary in (("HERMES_BIN", settings.hermes_bin), ("GBRAIN_BIN", settings.gbrain_bin)):
        if name == "GBRAIN_BIN" and settings.brain != "gbrain":
            continue
        if not _executable(binary):
            found.append(f"{name}={binary} cannot be executed")
    if settings.brain == "gbrain" and settings.gbrain_template and not settings.gbrain_template.is_file():
        found.append(f"GBRAIN_TEMPLATE={settings.gbrain_template} is no file")
    if not _writable(settings.run_root):
        found.append(f"RUN_ROOT={settings.run_root} is not writable")
    return found


def _writable(folder: Path) -> bool:
    """Tried, not asked: to root, a read-only or full disk looks writable."""
    import tempfile  # noqa: PLC0415 (asked for seldom)

    try:
        folder.mkdir(mode=0o711, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"x")
    except OSError:
        return False
    return True


def _executable(binary: str) -> bool:
    import shutil  # noqa: PLC0415

    return shutil.which(binary) is not None
