"""What the verbs work with, opened on first use: --help must not wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from consumer.bootstrap import Operations
    from consumer.repository.workspace import WorkspaceStore


def open_operations() -> Operations:
    """Everything the command line talks to; given back when the command ends."""
    import atexit  # noqa: PLC0415 (--help stays fast)

    from consumer import bootstrap, settings  # noqa: PLC0415
    from service import telemetry  # noqa: PLC0415

    telemetry.setup_for_people()
    operations = bootstrap.operations(settings.load_operator())
    atexit.register(operations.close)
    return operations


def open_store() -> WorkspaceStore:
    """The workspace store of the configured bucket."""
    return open_operations().workspaces
