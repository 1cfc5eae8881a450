"""What an hourly tick costs where there are many users: time by user and by due user, memory, and how even they start.

    python -m bench.ticks [--users 1000000] [--due 0.05]

An embedded PostgreSQL with that many enabled users, each with one old row, and a new one for those who are due. The
planner is called page by page, as the consumer's tick does.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from contract.api import TickRequest
from controlplane.db import Database, open_pool
from controlplane.planning import PAGE, Planning
from local.app import fixture
from local.logins import CONTROLPLANE, PASSWORDS
from local.postgres import Postgres

#: A tick is planned within one push, and a push may take this long.
TIME_BAR_S = 580
EVEN_BAR, MEMORY_BAR_MB = 1.2, 32
#: PLAN_SPREAD_S where nobody sets it.
SPREAD = timedelta(minutes=50)
MINUTES = int(SPREAD.total_seconds() // 60)
USER = "md5('user ' || n)::uuid"
USERS = f"""
set session_replication_role = replica;
insert into auth.users (id, email) select {USER}, n || '@example.com' from generate_series(1, %(users)s) n;
insert into public.memory_workspaces (user_id, workspace_uri, last_backfill_at, last_digest_at)
  select {USER}, 'gs://b/users/' || {USER} || '/', now() - interval '2 days', now() - interval '1 day'
  from generate_series(1, %(users)s) n;
insert into public.checklist_items (user_id, title, created_at, updated_at)
  select {USER}, 'old', now() - interval '9 days', now() - interval '9 days' from generate_series(1, %(users)s) n;
insert into public.checklist_items (user_id, title, created_at, updated_at)
  select {USER}, 'new', now(), now() from generate_series(1, %(users)s) n where n %% %(every)s = 0;
"""


@dataclass
class Walked:
    """One tick, all pages: how many jobs, seconds of each page, and MB that this process grew after the first tenth."""

    planned: int = 0
    pages: list[float] = field(default_factory=list)
    grown_mb: float = 0.0

    @property
    def seconds(self) -> float:
        return sum(self.pages)


def walk(planning: Planning, period: str, pages: int) -> Walked:
    walked, page, settled = Walked(), None, 0.0
    while True:
        began = time.perf_counter()
        reply = planning.tick(TickRequest(kind="hourly", period=period, tick_id="t", page=page))
        walked.pages.append(time.perf_counter() - began)
        walked.planned += reply.planned
        if len(walked.pages) == max(1, pages // 10):
            settled = peak_mb()
        page = reply.next_page
        if page is None:
            walked.grown_mb = peak_mb() - settled
            return walked


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def spread(connection: psycopg.Connection) -> tuple[float, float]:
    """Jobs of the fullest and of the emptiest minute, by an even share."""
    rows = connection.execute("select retry_at from public.memory_jobs where retry_at is not null").fetchall()
    counts = Counter(moment.minute for (moment,) in rows)
    even = len(rows) / MINUTES
    return max(counts.values()) / even, min(counts[minute] for minute in range(MINUTES)) / even


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--users", type=int, default=1_000_000)
    parser.add_argument("--due", type=float, default=0.05)
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="cloop-memory-ticks-"))
    folder.chmod(0o755)  # the server may run under another account
    try:
        with Postgres(folder / "pg", durable=False) as server:
            measure(server.dsn(), args.users, max(1, round(1 / args.due)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measure(dsn: str, users: int, every: int) -> None:
    fixture.install(dsn)
    with psycopg.connect(dsn, autocommit=True) as connection:
        # One statement after the other: bound values and several statements do not go together.
        for statement in filter(str.strip, USERS.split(";")):
            connection.execute(
                statement.replace("%(users)s", str(users)).replace("%(every)s", str(every)).replace("%%", "%")
            )
        connection.execute("reset session_replication_role")
        connection.execute("analyze")
    pool = open_pool(make_conninfo(dsn, user=CONTROLPLANE, password=PASSWORDS[CONTROLPLANE]), size=1)
    planning = Planning(Database(pool), SPREAD)
    # Of an hour that is still to come, so that every job waits for its time.
    soon = datetime.now(UTC) + timedelta(hours=2)
    pages = users // PAGE
    first = walk(planning, f"{soon:%Y-%m-%dT%H}", pages)
    again = walk(planning, f"{soon:%Y-%m-%dT%H}", pages)
    pool.close()
    with psycopg.connect(dsn) as connection:
        fullest, emptiest = spread(connection)
    tell(users, first, again, fullest, emptiest)


def tell(users: int, first: Walked, again: Walked, fullest: float, emptiest: float) -> None:
    due_us = (first.seconds - again.seconds) / max(1, first.planned) * 1e6
    page_ms = statistics.median(first.pages) * 1000
    print(f"{users} users, {first.planned} due, {len(first.pages)} pages of {PAGE}")
    print(f"a page, p50 and longest        {page_ms:.0f} and {max(first.pages) * 1000:.0f} ms")
    print(f"a user looked at, a user due   {again.seconds / users * 1e6:.0f} and {max(0.0, due_us):.0f} us")
    rows = [
        ("the whole tick", f"{first.seconds:.0f} s", first.seconds <= TIME_BAR_S, f"<= {TIME_BAR_S} s, a push's time"),
        ("the same tick again", f"{again.planned} planned, {again.seconds:.0f} s", again.planned == 0, "0 planned"),
        (
            "memory after the first tenth",
            f"+{first.grown_mb:.0f} MB",
            first.grown_mb <= MEMORY_BAR_MB,
            f"<= {MEMORY_BAR_MB} MB",
        ),
        (
            "fullest and emptiest minute",
            f"{fullest:.2f} and {emptiest:.2f} of even",
            even(fullest, emptiest),
            "within 20 %",
        ),
    ]
    for name, shown, met, bar in rows:
        print(f"{name:30} {shown:28} {bar:26} {'met' if met else 'NOT MET'}")


def even(fullest: float, emptiest: float) -> bool:
    return fullest <= EVEN_BAR and emptiest >= 2 - EVEN_BAR


if __name__ == "__main__":
    main()
