"""What an hourly tick costs where there are many users, beside what its due rows alone cost, and how even they start.

    python -m bench.ticks [--users 1000000] [--due 0.05]

Two embedded databases: one with that many enabled users, each with one old row and the due ones with a new one, which
the app's triggers marked; and one with the due users alone. The planner is called page by page, as the consumer's tick
does. Of the others, a tick looks at a twenty-fourth, so that each is looked at once a day.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from contract.api import TickRequest
from controlplane.db import Database, Tx, open_pool
from controlplane.planning import PAGE, Planning, PlanningPlace, hours_share
from local.app import fixture
from local.logins import CONTROLPLANE, PASSWORDS
from local.postgres import Postgres

#: Bars: a tick with 50,000 due of a million users; its time in the database by that of the due rows alone; the fullest
#: minute by an even share; growth of this process; rows that the daily look at an idle user reads beside its indexes.
TIME_BAR_S, DATABASE_BAR, FULLEST_BAR, MEMORY_BAR_MB, HEAP_BAR = 60.0, 2.0, 1.1, 32.0, 0.01
#: PLAN_SPREAD_S where nobody sets it.
SPREAD = timedelta(minutes=50)
MINUTES = int(SPREAD.total_seconds() // 60)
USER = "md5('user ' || n)::uuid"
OLD = f"""
set session_replication_role = replica;
insert into auth.users (id, email)
  select {USER}, n || '@example.com' from generate_series(1, %(users)s) n where %(those)s;
insert into public.memory_workspaces (user_id, workspace_uri, last_backfill_at, last_digest_at)
  select {USER}, 'gs://b/users/' || {USER} || '/', now() - interval '2 days', now() - interval '1 day'
  from generate_series(1, %(users)s) n where %(those)s;
insert into public.checklist_items (user_id, title, created_at, updated_at)
  select {USER}, 'old', now() - interval '9 days', now() - interval '9 days' from generate_series(1, %(users)s) n
  where %(those)s;
reset session_replication_role;
analyze
"""
NEW = f"""
insert into public.checklist_items (user_id, title)
  select {USER}, 'new' from generate_series(1, %(users)s) n where %(due)s
"""
#: As if a digest had told everything to these users.
TOLD = """
update public.memory_workspaces set last_digest_at = now() + interval '1 hour' where user_id > %s and user_id <= %s
"""
SOURCES = """
select coalesce(sum(idx_tup_fetch), 0) from pg_stat_user_tables
where schemaname in ('public', 'granola1', 'social', 'msg', 'rules') and relname not like 'memory%'
"""


class DatabaseTime:
    """Sums the seconds that this process waits for its statements."""

    def __init__(self) -> None:
        self.seconds = 0.0
        for name in ("rows", "row", "run", "run_many"):
            setattr(Tx, name, self._timed(getattr(Tx, name)))

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def timed(tx: Tx, *given: Any, **values: Any) -> Any:
            began = time.perf_counter()
            try:
                return method(tx, *given, **values)
            finally:
                self.seconds += time.perf_counter() - began

        return timed


@dataclass
class Walked:
    """One tick, all pages. ``pages``: seconds of each; ``grown_mb``: this process, after the first tenth of them."""

    planned: int = 0
    pages: list[float] = field(default_factory=list)
    database_s: float = 0.0
    grown_mb: float = 0.0

    @property
    def seconds(self) -> float:
        return sum(self.pages)


@dataclass(frozen=True)
class PlannedTick:
    """What was measured. ``heap_rows``: rows read beside the indexes for each idle user of the daily look."""

    users: int
    load_s: float
    marked_s: float
    first: Walked
    again: Walked
    alone: Walked
    idle_looked_at: int
    idle_s: float
    heap_rows: float
    fullest: float
    emptiest: float

    def rows(self) -> list[tuple[str, str, str, bool]]:
        """What, its figure, the bar, and whether it is met."""
        ratio = self.first.database_s / self.alone.database_s
        return [
            (
                "the whole tick",
                f"{self.first.seconds:.1f} s",
                f"<= {TIME_BAR_S:.0f} s",
                self.first.seconds <= TIME_BAR_S,
            ),
            (
                "time in the database, by the due rows alone",
                f"{self.first.database_s:.1f} s, {ratio:.2f} x",
                f"<= {DATABASE_BAR:.0f} x",
                ratio <= DATABASE_BAR,
            ),
            ("the same tick again", f"{self.again.planned} planned", "0 planned", self.again.planned == 0),
            (
                "memory after the first tenth",
                f"+{self.first.grown_mb:.0f} MB",
                f"<= {MEMORY_BAR_MB:.0f} MB",
                self.first.grown_mb <= MEMORY_BAR_MB,
            ),
            (
                "fullest and emptiest minute",
                f"{self.fullest:.2f} and {self.emptiest:.2f} of even",
                f"fullest <= {FULLEST_BAR}",
                self.fullest <= FULLEST_BAR,
            ),
            (
                "rows read for an idle user, once a day",
                f"{self.heap_rows:.3f}, in {self.idle_s / max(1, self.idle_looked_at) * 1e6:.0f} us",
                "the indexes alone",
                self.heap_rows <= HEAP_BAR,
            ),
        ]

    def document(self) -> dict[str, Any]:
        return {
            "users": self.users,
            "due": self.first.planned,
            "tick_s": round(self.first.seconds, 2),
            "database_s": round(self.first.database_s, 2),
            "database_by_due_alone": round(self.first.database_s / self.alone.database_s, 2),
            "fullest_minute": round(self.fullest, 3),
            "idle_us": round(self.idle_s / max(1, self.idle_looked_at) * 1e6, 1),
            "idle_heap_rows": round(self.heap_rows, 4),
            "marking_us_a_user": round(self.marked_s / max(1, self.first.planned) * 1e6, 1),
        }


def walk(planning: Planning, spent: DatabaseTime, period: str, page: str | None = None) -> Walked:
    walked, settled, before = Walked(), 0.0, spent.seconds
    expected = 100
    while True:
        began = time.perf_counter()
        reply = planning.tick(TickRequest(kind="hourly", period=period, tick_id="t", page=page))
        walked.pages.append(time.perf_counter() - began)
        walked.planned += reply.planned
        if len(walked.pages) == expected // 10:
            settled = peak_mb()
        page = reply.next_page
        if page is None:
            walked.grown_mb = peak_mb() - settled if settled else 0.0
            walked.database_s = spent.seconds - before
            return walked


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def spread(connection: psycopg.Connection) -> tuple[float, float]:
    """Jobs of the fullest and of the emptiest minute, by an even share."""
    rows = connection.execute("select retry_at from public.memory_jobs where retry_at is not null").fetchall()
    counts = Counter(moment.minute for (moment,) in rows)
    even = len(rows) / MINUTES
    return max(counts.values()) / even, min(counts[minute] for minute in range(MINUTES)) / even


def fill(dsn: str, users: int, every: int, *, due_alone: bool) -> tuple[float, float]:
    """Seconds of loading, and of the app's statement whose triggers leave the marks."""
    fixture.install(dsn)
    due = f"n % {every} = 0"
    with psycopg.connect(dsn, autocommit=True) as connection:
        began = time.perf_counter()
        for statement in filter(str.strip, OLD.split(";")):
            values = statement.replace("%(users)s", str(users)).replace("%(those)s", due if due_alone else "true")
            connection.execute(values.encode())
        loaded = time.perf_counter()
        connection.execute(NEW.replace("%(users)s", str(users)).replace("%(due)s", due).encode())
        marked = time.perf_counter()
        # So that index-only scans need no look at the tables.
        connection.execute("vacuum analyze")
    return loaded - began, marked - loaded


def measure(server: Postgres, users: int, every: int) -> PlannedTick:
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("create database fleet")
        connection.execute("create database alone")
    spent = DatabaseTime()
    # Of an hour that is still to come, so that every job waits for its time.
    soon = datetime.now(UTC) + timedelta(hours=2)
    period = f"{soon:%Y-%m-%dT%H}"
    fill(server.dsn("alone"), users, every, due_alone=True)
    alone = _walked(server.dsn("alone"), lambda planning: walk(planning, spent, period))
    load_s, marked_s = fill(server.dsn("fleet"), users, every, due_alone=False)
    dsn = server.dsn("fleet")
    first = _walked(dsn, lambda planning: walk(planning, spent, period))
    again = _walked(dsn, lambda planning: walk(planning, spent, period))
    with psycopg.connect(dsn, autocommit=True) as connection:
        looked_at = connection.execute(TOLD, hours_share(soon.hour)).rowcount
        connection.execute("vacuum analyze public.memory_workspaces")
    before = _fetched(dsn)
    idle = _walked(dsn, lambda planning: walk(planning, spent, period, str(PlanningPlace("daily"))))
    heap_rows = (_fetched(dsn) - before) / looked_at
    with psycopg.connect(dsn) as connection:
        fullest, emptiest = spread(connection)
    return PlannedTick(
        users, load_s, marked_s, first, again, alone, looked_at, idle.database_s, heap_rows, fullest, emptiest
    )


def _walked(dsn: str, act: Callable[[Planning], Walked]) -> Walked:
    pool = open_pool(make_conninfo(dsn, user=CONTROLPLANE, password=PASSWORDS[CONTROLPLANE]), size=1)
    try:
        return act(Planning(Database(pool), SPREAD))
    finally:
        pool.close()


def _fetched(dsn: str) -> int:
    """Rows that index scans read from the app's tables so far; sessions tell it when they end."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute(SOURCES.encode()).fetchone()
    assert row is not None
    return int(row[0])


def tell(planned: PlannedTick) -> bool:
    """Print the figures; whether every bar is met."""
    page_ms = statistics.median(planned.first.pages) * 1000
    print(f"{planned.users} users, {planned.first.planned} due, {len(planned.first.pages)} pages of up to {PAGE}")
    print(f"a page, p50 and longest                      {page_ms:.0f} and {max(planned.first.pages) * 1000:.0f} ms")
    print(f"the app's statement with its marks           {planned.document()['marking_us_a_user']:.0f} us a user")
    for name, shown, bar, met in planned.rows():
        print(f"{name:44} {shown:28} {bar:20} {'met' if met else 'NOT MET'}")
    return all(met for *_, met in planned.rows())


def run(users: int, due: float) -> PlannedTick:
    folder = Path(tempfile.mkdtemp(prefix="cloop-memory-ticks-"))
    folder.chmod(0o755)  # the server may run under another account
    try:
        with Postgres(folder / "pg", durable=False) as server:
            return measure(server, users, max(1, round(1 / due)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.ticks", description=__doc__)
    parser.add_argument("--users", type=int, default=1_000_000)
    parser.add_argument("--due", type=float, default=0.05)
    args = parser.parse_args()
    return 0 if tell(run(args.users, args.due)) else 1


if __name__ == "__main__":
    sys.exit(main())
