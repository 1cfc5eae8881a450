"""
The database and the bucket as release 470a19c left them, for tests of what a deployment of today finds.

``tests/data/stored/470a19c/database.sql`` says how both were made and who is who.
"""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote
from urllib.request import Request, urlopen

import psycopg
import zstandard
from psycopg.conninfo import make_conninfo

from controlplane import migrate as migrations
from local.app import fixture
from local.logins import SUPERUSER

FOLDER: Final = Path(__file__).parent / "data" / "stored" / "470a19c"
#: How many migrations that release had.
MIGRATIONS: Final = 15
#: The bucket that its workspaces name.
BUCKET: Final = "cloop-memory-workspaces"

#: a: two jobs completed, one running. b: a dead letter. c: a job that nobody published. d: an execution was launched.
A, B, C, D = (f"{letter * 8}-0000-4000-8000-000000000470" for letter in "abcd")
BACKFILL: Final = "959d8172-6cb0-4e18-9919-63a997137063"
DIGEST: Final = "c168f3db-9f8b-4bfb-8b54-b7bfea854fb8"
FAILED: Final = "74586e3f-5acd-44e3-86da-64c071de2489"
LAUNCHED: Final = "5fcd7fe2-ce3e-4da7-9899-9bfc69f2b095"
RUNNING: Final = "8684a902-9e48-4ce3-9aa3-a74631c94fea"
UNSENT: Final = "2ef5a5c3-1d51-4099-8419-c7c153dac630"
JOBS: Final = (BACKFILL, DIGEST, FAILED, LAUNCHED, RUNNING, UNSENT)
#: Who ran RUNNING.
OWNER: Final = "4b7063dc384eca732b5bf635868b75a6"


def install(dsn: str) -> None:
    """Make an empty database that release's: the app's tables, its migrations, its rows. ``dsn``: the owner's."""
    fixture.install_app(dsn)
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute(migrations.LEDGER.encode())
        for migration in migrations.load()[:MIGRATIONS]:
            migrations._apply(owner, migration)
        # The dump has rows of its own for both.
        owner.execute("delete from memory_migrations.applied")
        owner.execute("delete from memory_private.seal")
    with psycopg.connect(make_conninfo(dsn, user=SUPERUSER)) as superuser:
        superuser.execute("set local session_replication_role = replica")
        superuser.execute((FOLDER / "database.sql").read_bytes())


def objects() -> Iterator[tuple[str, bytes]]:
    """Name and content of each object of the bucket."""
    packed = (FOLDER / "bucket.jsonl.zst").read_bytes()
    for line in zstandard.ZstdDecompressor().decompress(packed).splitlines():
        row = json.loads(line)
        yield row["name"], base64.b64decode(row["data"])


def upload(gcs_url: str) -> None:
    """Make the bucket at ``gcs_url``. Leases count from an object's change, so they live again."""
    _post(f"{gcs_url}/storage/v1/b?project=p", json.dumps({"name": BUCKET}).encode())
    for name, data in objects():
        _post(f"{gcs_url}/upload/storage/v1/b/{BUCKET}/o?uploadType=media&name={quote(name, safe='')}", data)


def install_keys(ring: Path) -> None:
    """The public key that its commits were signed with: today's worker adds a key of its own, as after a rotation."""
    ring.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.pub"):
        shutil.copy(path, ring)


def _post(url: str, data: bytes) -> None:
    with urlopen(Request(url, data=data, method="POST"), timeout=30) as reply:
        reply.read()
