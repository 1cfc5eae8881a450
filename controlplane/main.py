"""
``python -m controlplane.main``: the API as a process, configured by the environment (see settings.py).

PORT=0 takes any free port. When the process accepts requests, it prints one JSON line on standard output:
``{"ready": "controlplane", "pid": ..., "port": ..., "url": ...}``.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx
import urllib3
import uvicorn
from google.auth.transport.urllib3 import Request as AuthRequest

from contract.overlay import Overlay
from controlplane import bucket_tokens, tokens
from controlplane import settings as configuration
from controlplane.api import Services, create_app
from controlplane.assistants import Assistants
from controlplane.completion import CompletionService
from controlplane.corrections import Corrections
from controlplane.db import Database, certificates, open_pool
from controlplane.deletions import DeletionSchedule
from controlplane.export import Exporter
from controlplane.feedback import Feedback
from controlplane.flags import Flags
from controlplane.identity import Identities
from controlplane.jobs import JobGrants
from controlplane.operators import Operators
from controlplane.orders import UserOrders
from controlplane.planning import Planning
from controlplane.provisioning import Provisioning
from controlplane.readiness import Readiness
from controlplane.reading import AppUsers, ReadGrants
from controlplane.settings import ControlPlaneSettings, SettingsError
from controlplane.suppressions import Suppressing
from service import telemetry
from service.clock import SystemClock
from service.oidc import ASYMMETRIC, KeySet


def build(settings: ControlPlaneSettings, resources: ExitStack) -> Services:
    """The services with their real dependencies; ``resources`` closes pools, clients and threads.

    Raises:
        ValueError: a signing key cannot be read.
    """
    clock = SystemClock()
    keys = tokens.load_keys(settings.job_token_keys)
    job_tokens = tokens.JobTokens(keys, settings.audience, clock.now)
    ca = certificates(settings.database_ca)
    pool = open_pool(settings.database_url, size=settings.pool_size, ca=ca)
    resources.callback(pool.close)
    export_pool = open_pool(settings.export_database_url, size=settings.pool_size, ca=ca)
    resources.callback(export_pool.close)
    client = resources.enter_context(httpx.Client())
    threads = ThreadPoolExecutor(settings.pool_size, thread_name_prefix="api")
    resources.callback(threads.shutdown)
    database = Database(pool)
    return Services(
        database=database,
        identities=Identities(
            keys=KeySet(client, settings.oidc_jwks_url, clock.monotonic),
            issuers=settings.oidc_issuers,
            audience=settings.audience,
            accounts={
                "consumer": settings.consumer_accounts,
                "operator": settings.operator_emails,
                "reader": settings.reader_accounts,
            },
            clock=clock,
            consoles=settings.console_accounts,
        ),
        tokens=job_tokens,
        jobs=JobGrants(database, job_tokens),
        completion=CompletionService(database),
        exporter=Exporter(export_pool),
        planning=Planning(database, settings.plan_spread),
        deletions=DeletionSchedule(database, settings.purge_after_deletion),
        operators=Operators(database, settings.workspace_bucket),
        provisioning=Provisioning(database, settings.workspace_bucket),
        flags=Flags(database),
        feedback=Feedback(database),
        corrections=Corrections(database),
        orders=UserOrders(database),
        assistants=Assistants(database),
        readiness=Readiness(database, Database(export_pool), clock.monotonic),
        suppressing=Suppressing(database),
        reading=_reading(settings, database, Corrections(database).overlay, client, clock),
        threads=threads,
    )


def _reading(
    settings: ControlPlaneSettings,
    database: Database,
    overlay: Callable[[str], Overlay],
    client: httpx.Client,
    clock: SystemClock,
) -> ReadGrants:
    if settings.app_issuer is None:
        return ReadGrants(database, settings.workspace_bucket)
    keys_url = settings.app_jwks_url or f"{settings.app_issuer}/.well-known/jwks.json"
    keys = KeySet(client, keys_url, clock.monotonic, algorithms=ASYMMETRIC)
    request = AuthRequest(urllib3.PoolManager(retries=False, timeout=bucket_tokens.TIMEOUT))
    source = (
        bucket_tokens.Impersonated(settings.read_account, request, clock.now)
        if settings.read_account
        else bucket_tokens.Unimpersonated(clock.now)
    )
    narrowed = bucket_tokens.NarrowedTokens(settings.workspace_bucket, settings.sts_url, source, request)
    users = AppUsers(keys, settings.app_issuer, clock.now)
    return ReadGrants(database, settings.workspace_bucket, users, narrowed, overlay)


class _ApiServer(uvicorn.Server):
    """Prints a line on standard output when it accepts requests, with the URL."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            host, port = sockets[0].getsockname()[:2]
            line: dict[str, Any] = {"ready": "controlplane", "pid": os.getpid(), "port": port}
            sys.stdout.write(json.dumps(line | {"url": f"http://{host}:{port}"}) + "\n")
            sys.stdout.flush()


def main() -> int:
    """Exit code 0 after SIGTERM, 2 when a setting is wrong."""
    try:
        settings = configuration.load()
        if settings.otlp_endpoint:
            telemetry.setup_export("controlplane")
        with ExitStack() as resources:
            app = create_app(build(settings, resources))
            # A log line must not hold a query string or a token; the platform logs requests anyway.
            config = uvicorn.Config(
                app,
                # The other parser keeps headers of any length, even before a token is checked.
                http="h11",
                ws="none",
                log_level="warning",
                access_log=False,
                timeout_graceful_shutdown=7,
            )
            # uvicorn raises the signal again at its end, for the previous handler: this process, done by then.
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: None)
            with socket.create_server((settings.host, settings.port)) as listener:
                _ApiServer(config).run(sockets=[listener])
    except (SettingsError, ValueError) as exc:
        sys.stderr.write(f"controlplane: {exc}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
