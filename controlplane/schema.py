"""
The migrations as one file to read, and as files for the app's repository.

``python -m controlplane.schema write``             rewrites schema.sql (a test fails while it is out of date)
``python -m controlplane.schema export DIR STAMP``  writes STAMP.._memory_runtime_*.sql, as Supabase's CLI wants them
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from controlplane.migrate import NO_TRANSACTION, Migration, load

FILE: Final = Path(__file__).with_name("schema.sql")
HEAD: Final = (
    "-- The sum of all migrations, written by `python -m controlplane.schema write`. To read, or to set up an empty\n"
    "-- database in one go; `controlplane.migrate` is what a living one needs.\n"
)


def render(migrations: list[Migration]) -> str:
    """One script. Indexes are built plainly: nobody writes to a database that is being set up."""
    return HEAD + "".join(f"\n-- {'-' * 20} {m.name}\n\n{_plain(m)}" for m in migrations)


def export(migrations: list[Migration], folder: Path, stamp: str) -> list[Path]:
    """Write each migration under a name that sorts by ``stamp`` (14 digits, UTC) and number; the paths.

    Raises:
        ValueError: the stamp is out of form.
    """
    if len(stamp) != 14 or not stamp.isdigit():
        raise ValueError(f"expected a stamp like 20261127140000, got {stamp!r}")
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for offset, migration in enumerate(migrations):
        path = folder / f"{int(stamp) + offset}_memory_runtime_{migration.name[5:]}"
        path.write_text(_plain(migration), encoding="utf-8")
        written.append(path)
    return written


def _plain(migration: Migration) -> str:
    # Supabase's CLI sends a file as one implicit transaction, where nothing can be built concurrently.
    if not migration.sql.startswith(NO_TRANSACTION):
        return migration.sql
    return migration.sql.removeprefix(NO_TRANSACTION).lstrip().replace(" concurrently ", " ")


def main(arguments: list[str]) -> int:
    """Exit code 0, or 2 with the usage."""
    match arguments:
        case ["write"]:
            FILE.write_text(render(load()), encoding="utf-8")
        case ["export", folder, stamp]:
            for path in export(load(), Path(folder), stamp):
                sys.stdout.write(f"{path}\n")
        case _:
            sys.stderr.write(__doc__ or "")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
