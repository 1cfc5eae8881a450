"""
The migrations as one file to read, and as files for the app's repository.

``python -m controlplane.schema write``             rewrites schema.sql (a test fails while it is out of date)
``python -m controlplane.schema export DIR STAMP``  writes STAMP.._memory_runtime_*.sql in the form of Supabase's CLI:
                                                    those that DIR lacks, named to sort after those it has
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from controlplane.migrate import NO_TRANSACTION, Migration, MigrationError, load

FILE: Final = Path(__file__).with_name("schema.sql")
HEAD: Final = (
    "-- The sum of all migrations, written by `python -m controlplane.schema write`. To read, or to set up an empty\n"
    "-- database in one go; `controlplane.migrate` is what a living one needs.\n"
)
_STAMP: Final = re.compile("[0-9]{14}")
_INFIX: Final = "_memory_runtime_"


def render(migrations: list[Migration]) -> str:
    """One script. Indexes are not built concurrently: nobody writes to a database that is being set up."""
    return HEAD + "".join(f"\n-- {'-' * 20} {m.name}\n\n{_plain(m)}" for m in migrations)


def export(migrations: list[Migration], folder: Path, stamp: str) -> list[Path]:
    """Write each migration that the folder lacks, under a name that sorts by ``stamp`` (14 digits, UTC) and number;
    returns the paths. Repeatable with any stamp: an app applies a file once, so none is written twice.

    Raises ValueError: the stamp is no such time, or is not after the folder's files. MigrationError: a file in the
    folder was edited; the message names it. OSError: the folder cannot be written.
    """
    _require_time(stamp)
    folder.mkdir(parents=True, exist_ok=True)
    present = {path.name.partition(_INFIX)[2]: path for path in sorted(folder.glob(f"*{_INFIX}*.sql"))}
    missing = [
        (folder / f"{int(stamp) + offset}{_INFIX}{migration.name[5:]}", _plain(migration))
        for offset, migration in enumerate(migrations)
        if not _is_there(migration, present)
    ]
    _require_after([path.name for path, _ in missing], [path.name for path in present.values()], stamp)
    for path, text in missing:
        path.write_text(text, encoding="utf-8")
    return [path for path, _ in missing]


def _require_time(stamp: str) -> None:
    try:
        if _STAMP.fullmatch(stamp):
            datetime.fromisoformat(f"{stamp[:8]}T{stamp[8:]}Z")
            return
    except ValueError:
        pass
    raise ValueError(f"expected a stamp like 20261127140000 (year to second, UTC), got {stamp!r}")


def _is_there(migration: Migration, present: Mapping[str, Path]) -> bool:
    path = present.get(migration.name[5:])
    if path is not None and path.read_text(encoding="utf-8") != _plain(migration):
        raise MigrationError(
            f"{path} differs from {migration.name}; restore it, and write a new migration for the change"
        )
    return path is not None


def _require_after(missing: Sequence[str], present: Sequence[str], stamp: str) -> None:
    last = max(present, default="")
    if missing and missing[0] <= last:
        raise ValueError(f"stamp {stamp} would sort {missing[0]} before {last}, which exists; give a later stamp")


def _plain(migration: Migration) -> str:
    # Supabase's CLI sends a file as one implicit transaction, where nothing can be built concurrently.
    if not migration.sql.startswith(NO_TRANSACTION):
        return migration.sql
    return migration.sql.removeprefix(NO_TRANSACTION).lstrip().replace(" concurrently ", " ")


def main(arguments: list[str]) -> int:
    """Exit codes: 0 done, 2 usage error, or a fault of the folder or the stamp."""
    match arguments:
        case ["write"]:
            FILE.write_text(render(load()), encoding="utf-8")
        case ["export", folder, stamp]:
            return _export(Path(folder), stamp)
        case _:
            sys.stderr.write(__doc__ or "")
            return 2
    return 0


def _export(folder: Path, stamp: str) -> int:
    try:
        written = export(load(), folder, stamp)
    except (ValueError, MigrationError, OSError) as exc:
        sys.stderr.write(f"controlplane.schema: {exc}\n")
        return 2
    for path in written:
        sys.stdout.write(f"{path}\n")
    if not written:
        sys.stderr.write(f"{folder} already has all migrations\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
