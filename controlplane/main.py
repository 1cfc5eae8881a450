"""
``python -m controlplane.main``: the API as a process, configured by the environment (see settings.py).

PORT=0 takes any free port. When the process accepts requests, it prints one JSON line on standard output:
``{"ready": "controlplane", "pid": ..., "port": ..., "url": ...}``.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import urllib3
from google.auth.transport.urllib3 import Request as AuthRequest

from contract.overlay import Overlay
from controlplane import bucket_tokens, tokens
from controlplane import settings as configuration
from controlplane.api import Services, create_app
from controlplane.assistants import Assistants
from controlplane.completion import CompletionService
from controlplane.corrections import Corrections
from controlplane.db import Database, Pool, open_pool
from controlplane.deletions import DeletionSchedule
from controlplane.export import Exporter
from controlplane.feedback import Feedback
from controlplane.flags import Flags
from controlplane.identity import Identities
from controlplane.jobs import JobGrants
from controlplane.operators import Operators
from controlplane.orders import UserOrders
from controlplane.pauses import Pauses
from controlplane.planning import Planning
from controlplane.provisioning import Provisioning
from controlplane.readiness import Readiness
from controlplane.reading import AppUsers, ReadGrants
from controlplane.settings import ControlPlaneSettings, SettingsError
from controlplane.suppressions import Suppressing
from service import roots, serving, telemetry
from service.clock import SystemClock
from service.databases import certificates
from service.oidc import ASYMMETRIC, KeySet


def build(settings: ControlPlaneSettings, resources: ExitStack) -> Services:
    """The services with their real dependencies; ``resources`` closes pools, clients and threads.

    Raises ValueError: a signing key cannot be read.
    """
    clock = SystemClock()
    keys = tokens.load_keys(settings.job_token_keys)
    job_tokens = tokens.JobTokens(keys, settings.audience, clock.now)
    pool = _pool(settings.database_url, settings, resources)
    export_pool = _pool(settings.export_database_url, settings, resources)
    client = resources.enter_context(httpx.Client(verify=roots.trusted()))
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
        completion=CompletionService(database, settings.plan_spread),
        exporter=Exporter(export_pool),
        planning=Planning(database, settings.plan_spread),
        deletions=DeletionSchedule(database, settings.purge_after_deletion),
        operators=Operators(database, settings.workspace_bucket),
        provisioning=Provisioning(database, settings.workspace_bucket),
        pauses=Pauses(database),
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


def _pool(url: str, settings: ControlPlaneSettings, resources: ExitStack) -> Pool:
    pool = open_pool(url, size=settings.pool_size, ca=certificates(settings.database_ca))
    resources.callback(pool.close)
    return pool


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


def main() -> int:
    """Exit code 0 after SIGTERM, 2 when a setting is wrong."""
    try:
        settings = configuration.load()
        if settings.otlp_endpoint:
            telemetry.setup_export("controlplane")
        with ExitStack() as resources:
            app = create_app(build(settings, resources))
            config = serving.configuration(app, log_level="warning", timeout_graceful_shutdown=7)
            serving.ignore_signals()
            with socket.create_server((settings.host, settings.port)) as listener:
                serving.AnnouncedServer(config, "controlplane").run(sockets=[listener])
    except (SettingsError, ValueError) as exc:
        sys.stderr.write(f"controlplane: {exc}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
