"""What it costs to compare workspaces with accounts, and what it asks for, where there are many users.

    python -m bench.reconcile [--users 100000]

An embedded PostgreSQL with that many accounts and workspaces. The floor is what listing the workspaces alone takes, a
page after the other, in the same run: times are told as ratios to it. The daily comparison is run where nothing is
missing, where as many accounts are missing as are believed, and when they are missing for the second time; the hourly
look for accounts that are back, where every deletion but a few still waits.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from controlplane import deletions
from controlplane.db import Database, Tx, open_pool
from controlplane.deletions import DeletionSchedule
from local.app import fixture
from local.logins import CONTROLPLANE, PASSWORDS
from local.postgres import Postgres

PAGE = 1000
#: Bars: the time of a comparison by that of listing alone, and what this process holds at most.
RATIO_BAR, MEMORY_BAR_MB = 10.0, 16.0
USER = "md5('user ' || n)::uuid"
USERS = (
    "set session_replication_role = replica",
    f"insert into auth.users (id, email) select {USER}, n || '@example.com' from generate_series(1, {{users}}) n",
    "insert into public.memory_workspaces (user_id, workspace_uri)"
    f" select {USER}, 'gs://b/users/' || {USER} || '/' from generate_series(1, {{users}}) n",
    "analyze",
)
#: A hundredth of all accounts goes without the trigger, which is as many as are believed.
VANISH = f"delete from auth.users where id in (select {USER} from generate_series(1, {{users}} / 100) n)"
A_DAY_LATER = "update public.memory_deletions set seen_at = seen_at - interval '25 hours'"
#: Every other account is deleted and waits, and one in a thousand is there again.
ALL_WAIT = (
    "delete from public.memory_deletions",
    "insert into public.memory_deletions (user_id, source, purge_after)"
    " select user_id, 'trigger', now() + interval '7 days' from public.memory_workspaces",
    f"delete from auth.users where id not in (select {USER} from generate_series(1, {{users}}, 1000) n)",
    "analyze",
)


@dataclass
class Measured:
    name: str
    seconds: float
    statements: int
    most_rows: int
    peak_mb: float


class Counted:
    """Counts the statements of this process, and the rows that one of them returns at most."""

    def __init__(self) -> None:
        self.statements, self.most_rows = 0, 0
        for name in ("rows", "row", "run", "run_many"):
            setattr(Tx, name, self._counting(getattr(Tx, name)))

    def measure(self, name: str, work: Callable[[], object]) -> Measured:
        self.statements = self.most_rows = 0
        tracemalloc.start()
        began = time.perf_counter()
        work()
        seconds = time.perf_counter() - began
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(f"{name}: {seconds:.1f} s", file=sys.stderr, flush=True)
        return Measured(name, seconds, self.statements, self.most_rows, peak / 1e6)

    def _counting(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def counted(tx: Tx, *given: Any, **values: Any) -> Any:
            answer = method(tx, *given, **values)
            self.statements += 1
            self.most_rows = max(self.most_rows, len(answer) if isinstance(answer, list) else 0)
            return answer

        return counted


def listing(dsn: str) -> None:
    """The floor: every workspace's user, in pages."""
    after = "00000000-0000-0000-0000-000000000000"
    with psycopg.connect(dsn) as connection:
        while True:
            rows = connection.execute(
                "select user_id from public.memory_workspaces where user_id > %s order by user_id limit %s",
                (after, PAGE),
            ).fetchall()
            if len(rows) < PAGE:
                return
            after = str(rows[-1][0])


def measure(dsn: str, users: int) -> list[Measured]:
    fixture.install(dsn)
    with psycopg.connect(dsn, autocommit=True) as owner:

        def run(*statements: str) -> None:
            for statement in statements:
                owner.execute(statement.format(users=users).encode())

        run(*USERS)
        login = make_conninfo(dsn, user=CONTROLPLANE, password=PASSWORDS[CONTROLPLANE])
        with closing(open_pool(login, size=1)) as pool:
            schedule, counted = DeletionSchedule(Database(pool), timedelta(days=7)), Counted()
            # A connection is made before anything is timed.
            schedule.tick("sweep")
            measured = [counted.measure("listing alone", lambda: listing(dsn))]
            measured.append(counted.measure("all are there", lambda: schedule.tick("daily")))
            run(VANISH)
            measured.append(counted.measure("one in a hundred is missing", lambda: schedule.tick("daily")))
            run(A_DAY_LATER)
            measured.append(counted.measure("and is missing again: planned", lambda: schedule.tick("daily")))
            run(*ALL_WAIT)
            measured.append(counted.measure("all wait, one in a thousand is back", lambda: schedule.tick("hourly")))
    return measured


def main() -> int:
    """0: every bar is met."""
    parser = argparse.ArgumentParser(prog="python -m bench.reconcile", description=__doc__)
    parser.add_argument("--users", type=int, default=100_000)
    users = parser.parse_args().users
    folder = Path(tempfile.mkdtemp(prefix="cloop-memory-reconcile-"))
    folder.chmod(0o755)  # the server may run under another account
    try:
        with Postgres(folder / "pg", durable=False) as server:
            floor, *measured = measure(server.dsn(), users)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{users} users; listing them alone: {floor.seconds * 1000:.0f} ms")
    met = True
    for case in measured:
        ratio = case.seconds / floor.seconds
        good = ratio <= RATIO_BAR and case.peak_mb <= MEMORY_BAR_MB and case.most_rows <= deletions.PIECE
        met = met and good
        print(
            f"{case.name:36} {ratio:5.1f} x listing  {case.statements:4} statements  {case.most_rows:4} rows at most"
            f"  {case.peak_mb:5.1f} MB  {'met' if good else 'NOT MET'}"
        )
    print(f"bars: {RATIO_BAR:.0f} x listing, {deletions.PIECE} rows, {MEMORY_BAR_MB:.0f} MB")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
