"""
``python -m reader.main``: the reader as a process, configured by the environment (see settings.py).

PORT=0 takes any free port. When the process accepts requests, it prints one JSON line on standard output:
``{"ready": "reader", "pid": ..., "port": ..., "url": ...}``.
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import httpx

import manifests
from consumer.agent.embedder import ModelEmbedder
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.clients import identity
from consumer.ports import ModelAccess, ReadBlobs
from consumer.storage.gcs import GcsBlobStore
from reader import settings as configuration
from reader.app import Doors, create_app
from reader.controlplane import HttpReaderCalls
from reader.grants import Grant, Grants
from reader.keys import KeyFolder
from reader.library import OpenMemories
from reader.limits import Limits
from reader.meaning import QuestionVectors, no_vector
from reader.model import AskModel, GatewayModel, Spending
from reader.service import ReaderService
from reader.settings import ReaderSettings, SettingsError
from service import roots, serving, telemetry
from service.clock import SystemClock

#: An idle memory is dropped at most this much later than it has to be, even if nobody asks for anything.
TRIM_EVERY_S = 60.0
#: Seconds that open responses get after SIGTERM.
GRACEFUL_S = 7
#: Tokens of one call: twelve passages and eight sentences take some 8,000.
QUESTION_TOKENS = 50_000


def build(settings: ReaderSettings, keys: KeyFolder, resources: ExitStack) -> ReaderService:
    """The service with its real dependencies; ``resources`` closes them."""
    clock = SystemClock()
    client = resources.enter_context(httpx.Client(follow_redirects=False, verify=roots.trusted()))
    fetch = (
        identity.from_endpoint(client, settings.identity_token_url, settings.identity_email)
        if settings.identity_token_url
        else identity.from_google()
    )
    audience = settings.controlplane_audience
    controlplane = HttpReaderCalls(client, settings.controlplane_url, audience, identity.Identity(fetch, clock))
    folder = _emptied(settings.cache) if settings.cache else Path(tempfile.mkdtemp(prefix="cloop-reader-"))
    resources.callback(shutil.rmtree, folder, ignore_errors=True)
    bucket = _bucket(settings, clock, resources)
    library = OpenMemories(bucket, keys, clock, folder, settings.cache_mb << 20)
    resources.callback(library.close)
    resources.callback(_trimming(library).set)
    limits = Limits(clock.monotonic)
    return ReaderService(
        grants=Grants(controlplane, clock.now, clock.monotonic),
        controlplane=controlplane,
        library=library,
        limits=limits,
        clock=clock,
        folder=folder,
        model=_model(settings, clock, limits) if settings.model else None,
        vector_of=_vectors(settings, client) if settings.embedding_model else no_vector,
    )


def _trimming(library: OpenMemories) -> threading.Event:
    """Trim the library from time to time, until the event is set."""
    stopped = threading.Event()

    def trim() -> None:
        while not stopped.wait(TRIM_EVERY_S):
            library.trim()

    threading.Thread(target=trim, name="trim", daemon=True).start()
    return stopped


def _vectors(settings: ReaderSettings, client: httpx.Client) -> QuestionVectors:
    """The vectors of questions. All searches share the client's connections."""
    access = ModelAccess(settings.model_base_url, settings.openai_api_key)
    return QuestionVectors(ModelEmbedder(access, settings.embedding_model, client))


def _model(settings: ReaderSettings, clock: SystemClock, limits: Limits) -> AskModel:
    """The model for questions, behind a gateway that opens for each call and admits that call alone."""
    gateway = LoopbackGateway(
        base_url=settings.model_base_url,
        key=settings.openai_api_key,
        models=frozenset(filter(None, (settings.model, settings.model_judge))),
        budget=UsageLimits(requests=1, tokens=QUESTION_TOKENS, cost_usd=max(settings.model_usd_a_day, 0.01)),
        prices=manifests.model_prices(),
        clock=clock,
    )
    spending = Spending(clock.monotonic, settings.model_usd_a_day)
    return GatewayModel(gateway, settings.model, settings.model_judge, limits, spending)


def _bucket(settings: ReaderSettings, clock: SystemClock, resources: ExitStack) -> Callable[[Grant], ReadBlobs]:
    """grant -> the bucket as it may read it. All share their connections, and none has rights of this process."""
    stores: dict[str, GcsBlobStore] = {}

    def narrowed(grant: Grant) -> ReadBlobs:
        if grant.bucket not in stores:
            stores[grant.bucket] = GcsBlobStore.without_rights(grant.bucket, clock, endpoint=settings.storage_endpoint)
            resources.callback(stores[grant.bucket].close)
        return stores[grant.bucket].with_token(grant.bucket_token, grant.prefix)

    return narrowed


def _emptied(folder: Path) -> Path:
    """A private folder without what a process before this one left in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    return folder


def main() -> int:
    """Exit code 0 after SIGTERM, 2 when a setting is wrong."""
    try:
        settings = configuration.load()
        telemetry.setup("reader", "", export=bool(settings.otlp_endpoint), stream=sys.stderr)
        with ExitStack() as resources:
            keys = KeyFolder(settings.verify_keys, SystemClock().monotonic)
            service = build(settings, keys, resources)
            listener = resources.enter_context(socket.create_server((settings.host, settings.port)))
            origin = settings.origin or f"http://127.0.0.1:{listener.getsockname()[1]}"
            key = hashlib.sha256((settings.session_key or secrets.token_hex(32)).encode()).digest()
            doors = Doors(origin, settings.app_origins, key, settings.codes, settings.hosts)
            app = create_app(service, doors, ready=keys.ready)
            config = serving.configuration(app, log_config=None, timeout_graceful_shutdown=GRACEFUL_S)
            serving.ignore_signals()
            serving.AnnouncedServer(config, "reader").run(sockets=[listener])
    except SettingsError as exc:
        sys.stderr.write(f"reader: {exc}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
