"""Response times of the console's pages, with a hundred thousand jobs in a real PostgreSQL.

    python -m bench.console [--looks 30]

From the request to its last byte, the control plane and the database included, all in this process but the database.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import psycopg
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from local.app import fixture
from local.postgres import Postgres
from tests.console_crowd import JOBS_EACH, USERS, Crowd, crowd
from tests.fixtures_controlplane import Issuer, opened_world

BAR_MS: Final = 100
_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


def measure(crowded: Crowd, looks: int) -> list[tuple[str, float, float, float]]:
    """(page, median, slowest, median of this process's CPU), milliseconds."""
    rows = []
    for path in crowded.pages():
        walls, cpus = [], []
        for _ in range(looks):
            began, cpu = time.perf_counter(), time.process_time()
            answer = crowded.client.get(path)
            walls.append((time.perf_counter() - began) * 1000)
            cpus.append((time.process_time() - cpu) * 1000)
            if answer.status_code != 200:
                raise RuntimeError(f"{path}: {answer.status_code}")
        rows.append((path, statistics.median(walls), max(walls), statistics.median(cpus)))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--looks", type=int, default=30)
    args = parser.parse_args()
    issuer = Issuer(rsa.generate_private_key(public_exponent=65537, key_size=2048))
    with tempfile.TemporaryDirectory() as folder:
        # The server may run under another account.
        Path(folder).chmod(0o755)
        with Postgres(Path(folder) / "pg", durable=False) as server:
            with psycopg.connect(server.dsn(), autocommit=True) as admin:
                admin.execute("create database console")
            fixture.install(server.dsn("console"))
            key = ec.generate_private_key(ec.SECP256R1())
            with (
                opened_world(server.dsn("console"), issuer, key, Path(folder)) as world,
                crowd(world, Path(folder) / "world") as crowded,
            ):
                rows = measure(crowded, args.looks)
    print(f"console pages, {USERS * JOBS_EACH:,} jobs, {args.looks} looks each (ms)")
    print(f"{'page':62} {'p50':>7} {'max':>7} {'CPU':>7}   p50 <= {BAR_MS}")
    for path, p50, most, cpu in rows:
        shown = _ID.sub("<id>", path if len(path) < 90 else path[:12] + "...")
        print(f"{shown:62} {p50:7.1f} {most:7.1f} {cpu:7.1f}   {'met' if p50 <= BAR_MS else 'NOT MET'}")
    return 0 if all(p50 <= BAR_MS for _, p50, _, _ in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
