"""The declared volatile names, as they occur in a run folder, and what must not be taken for one."""

from __future__ import annotations

import manifests
from consumer.repository.scan import Volatile
from tests.tables import table

VOLATILE = Volatile(manifests.volatile())


@table(
    "path",
    [
        "gbrain-home/.gbrain/brain.pglite/.gbrain-lock",
        "gbrain-home/.gbrain/.gbrain-resolve.sock",
        "gbrain-home/.gbrain/brain.pglite/postmaster.pid",
        "gbrain-home/.gbrain/brain.pglite.lock-reap.json",
        "hermes-home/sessions/request_dump_20261127.json",
        "hermes-home/.env",
        ".agent",
        "hermes-home/skills/x/__pycache__",
    ],
)
def test_left_out(path: str) -> None:
    assert VOLATILE(path)


@table(
    "path",
    [
        "gbrain-home/.gbrain/brain.pglite/PG_VERSION",
        "gbrain-home/.gbrain/config.json",
        "hermes-home/state.db",
        "hermes-home/state.db-wal",
        "hermes-home/sessions/session_1.json",
        "hermes-home/config.yaml",
        "brain/people/agent.md",
        "brain/tmp/page.md",
        "runtime/manifests/render-index.sqlite",
    ],
)
def test_kept(path: str) -> None:
    assert not VOLATILE(path)
