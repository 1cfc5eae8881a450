"""From a row in ``memory_jobs`` to the start of its first stage, on the embedded stack with nothing else to do.

    python -m bench.start [--jobs 20]

All times are the database's: it notes each job's insert, its wake-up's publish, its token, and its first stage.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any, Final

import psycopg

from local import cloud
from local.stack import Stack

START_BAR_MS: Final = 50
WAIT_S: Final = 60
#: First jobs of fresh processes, which still import and connect.
WARM_UP: Final = 3

#: ``at`` is the moment inside the transaction, so the commit after it is not counted against us twice.
WATCH: Final = """
create table public.bench_moments (job_id uuid, what text, at timestamptz default clock_timestamp());
create function public.bench_note() returns trigger language plpgsql security definer as $$
begin
  if new.published_at is distinct from old.published_at then
    insert into public.bench_moments (job_id, what) values (new.id, 'published');
  end if;
  if new.attempt is distinct from old.attempt then
    insert into public.bench_moments (job_id, what) values (new.id, 'token');
  end if;
  if new.stage is distinct from old.stage and new.stage = 'hydrate' then
    insert into public.bench_moments (job_id, what) values (new.id, 'started');
  end if;
  return null;
end $$;
create trigger bench_note after update on public.memory_jobs for each row execute function public.bench_note();
"""


def measure(stack: Stack, jobs: int) -> list[dict[str, float]]:
    """Milliseconds since its insert for each moment of each job."""
    with psycopg.connect(stack.dsn, autocommit=True) as connection:
        user = _user(connection)
        connection.execute(WATCH)
        return [_measure_job(connection, user) for _ in range(jobs)]


def _user(connection: psycopg.Connection[Any]) -> str:
    user = str(uuid.uuid4())
    connection.execute("insert into auth.users (id, email) values (%s, 'bench@example.com')", (user,))
    connection.execute(
        "insert into memory_workspaces (user_id, workspace_uri) values (%s, %s)",
        (user, f"gs://{cloud.BUCKET}/users/{user}/"),
    )
    return user


def _measure_job(connection: psycopg.Connection[Any], user: str) -> dict[str, float]:
    inserted = connection.execute(
        "insert into memory_jobs (user_id, job_type) values (%s, 'inventory') returning id, clock_timestamp()", (user,)
    ).fetchone()
    assert inserted is not None
    job, at = inserted
    until = time.monotonic() + WAIT_S
    while not connection.execute(
        "select 1 from memory_jobs where id = %s and finished_at is not null", (job,)
    ).fetchone():
        if time.monotonic() > until:
            raise TimeoutError(f"job {job} did not end within {WAIT_S} s")
        time.sleep(0.3)
    rows = connection.execute("select what, min(at) from bench_moments where job_id = %s group by what", (job,))
    return {what: (moment - at).total_seconds() * 1000 for what, moment in rows}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=20)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder) / "state") as stack:
        jobs = measure(stack, WARM_UP + args.jobs)[WARM_UP:]
    for what in ("published", "token", "started"):
        print(f"insert to {what:24} p50 {statistics.median(job[what] for job in jobs):8.1f} ms")
    p50 = statistics.median(job["started"] for job in jobs)
    met = "met" if p50 <= START_BAR_MS else "NOT MET"
    print(f"{'insert to start of first stage':34} {p50:.1f} ms  <= {START_BAR_MS}  {met}")


if __name__ == "__main__":
    main()
