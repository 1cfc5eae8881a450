"""Check that this instance can work: that its tools are executable and its disk is writable."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from consumer.settings import ConsumerSettings


def reasons(settings: ConsumerSettings, lacking: Sequence[str] = ()) -> list[str]:
    """The reasons why this instance cannot work. ``lacking``: those found at its start."""
    problems = list(lacking)
    for name, binary in (("HERMES_BIN", settings.hermes_bin), ("GBRAIN_BIN", settings.gbrain_bin)):
        if name == "GBRAIN_BIN" and settings.brain != "gbrain":
            continue
        if not _executable(binary):
            problems.append(f"{name}={binary} cannot be executed")
    if settings.brain == "gbrain" and settings.gbrain_template and not settings.gbrain_template.is_file():
        problems.append(f"GBRAIN_TEMPLATE={settings.gbrain_template} is not a file")
    if not _writable(settings.run_root):
        problems.append(f"RUN_ROOT={settings.run_root} is not writable")
    return problems


def _writable(folder: Path) -> bool:
    """Whether a write succeeds. To root, a read-only or full disk also looks writable, so this writes."""
    import tempfile  # noqa: PLC0415 (rarely needed)

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
