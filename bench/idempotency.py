"""PyPI's gcp-pubsub-idempotency on the same bucket: what its lease and done mark cost, for a message that is new and
for one that it has seen. It neither locks a user nor commits anything: the floor of what deduplication alone takes.

Not among our dependencies: without it the rows are left out (``pip install gcp-pubsub-idempotency``).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from consumer.errors import BlobNotFound, PreconditionFailed
from consumer.ports import BlobStore

TTL = timedelta(hours=1)


def installed() -> bool:
    return find_spec("gcp_pubsub_idempotency") is not None


@dataclass(frozen=True, slots=True)
class BucketLock:
    """Its backend port over a bucket: a record a key, changed only over the generation that was read."""

    blobs: BlobStore

    def claim(self, key: str, lease: timedelta) -> Any:
        from gcp_pubsub_idempotency.ports import AlreadyDone, Claim, HeldByOther, Won

        record, generation = self._read(key)
        now = datetime.now(UTC).timestamp()
        if record and now < record["until"]:
            return AlreadyDone(key) if record["done"] else HeldByOther(key)
        fence = record["fence"] + 1 if record else 1
        try:
            self._write(key, {"fence": fence, "done": False, "until": now + lease.total_seconds()}, generation)
        except PreconditionFailed:
            return HeldByOther(key)
        return Won(Claim(key=key, fencing_id=fence))

    def complete(self, claim: Any) -> bool:
        record, generation = self._read(claim.key)
        if record is None or record["fence"] != claim.fencing_id:
            return False
        until = datetime.now(UTC).timestamp() + TTL.total_seconds()
        self._write(claim.key, {**record, "done": True, "until": until}, generation)
        return True

    def release(self, claim: Any) -> None:
        record, generation = self._read(claim.key)
        if record and record["fence"] == claim.fencing_id and not record["done"]:
            self._write(claim.key, {**record, "fence": record["fence"] + 1, "until": 0.0}, generation)

    def _read(self, key: str) -> tuple[dict[str, Any] | None, int]:
        try:
            blob = self.blobs.read(f"leases/{key}")
        except BlobNotFound:
            return None, 0
        return json.loads(blob.data), blob.stat.generation

    def _write(self, key: str, record: dict[str, Any], generation: int) -> None:
        self.blobs.write(f"leases/{key}", json.dumps(record).encode(), if_generation=generation)


def app(blobs: BlobStore) -> Starlette:
    """A push handler as its documentation has it, around an empty body."""
    from gcp_pubsub_idempotency import Duplicate, lock

    async def accept(request: Request) -> Response:
        message = json.loads(await request.body())["message"]
        try:
            with lock(message["attributes"]["job_id"], backend=BucketLock(blobs)):
                pass
        except Duplicate:
            pass
        return Response(status_code=204)

    return Starlette(routes=[Route("/push/jobs", accept, methods=["POST"])])
