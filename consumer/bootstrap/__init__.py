"""The composition root: builds all objects from the settings. The only package where adapters meet stages.

Modules that are expensive to import are imported where they are used, so that the push app is ready early and the
command line shows its help at once.
"""

from __future__ import annotations

import gc
import os
import secrets
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

import httpx

import manifests
import templates
from consumer import paths
from consumer.agent.plugins import Plugin
from consumer.bootstrap.readiness import reasons
from consumer.bootstrap.stage_wiring import agent_fence, stages
from consumer.breakers import Breakers
from consumer.clients import signing
from consumer.clients.controlplane import HttpControlPlane
from consumer.clients.identity import Identity, from_endpoint, from_google
from consumer.clients.oidc import IdTokens, OidcVerifier, TokenPolicy
from consumer.clients.operators import OperatorApi as OperatorApi
from consumer.clients.pubsub import PubsubTopic
from consumer.clients.signin import OidcSignIn, Registration
from consumer.delivery import plan
from consumer.delivery.checkpoints import Checkpoints
from consumer.delivery.deadletter import DeadLetters
from consumer.delivery.deps import AttemptDeps
from consumer.delivery.dispatch import Dispatcher
from consumer.delivery.handler import Handler
from consumer.delivery.ledger import DeliveryLimits
from consumer.delivery.ledgers import Ledgers
from consumer.delivery.parking import Parking
from consumer.delivery.pipeline import Pipeline
from consumer.delivery.rounds import Rounds
from consumer.delivery.runfolder import WARM, RunFolder
from consumer.delivery.settlement import Settlement
from consumer.delivery.ticks import Ticks
from consumer.erasure.erasures import Erasures
from consumer.erasure.orders import OrderWalk
from consumer.erasure.suppressions import Suppressions
from consumer.errors import PluginRefused
from consumer.evidence.records import Rerender
from consumer.locking.exclusive import Exclusive
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.ports import BlobStore, Clock, Signer
from consumer.repository.cache import CACHE, ObjectCache
from consumer.repository.warm import WarmBounds, WarmFolders
from consumer.repository.workspace import WorkspaceStore
from consumer.settings import ConsumerSettings, OperatorSettings, cannot_start
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.gcs import GcsBlobStore
from service import roots, telemetry
from service.clock import SystemClock
from service.oidc import KeySet

#: A push must be answered within the ack deadline; this part of it is reserved for recording the outcome.
PUSH_MARGIN_S: Final = 60
#: Margin and grace of manifests/limits.yaml suit a cloud; a laptop's short leases keep the same proportions.
_LOCAL_SHARE: Final = 8


@dataclass(frozen=True, slots=True)
class Consumer:
    """A process that runs jobs. ``ready`` returns the reasons why it cannot; none means it can."""

    handler: Handler
    verifier: OidcVerifier
    shutdown: threading.Event
    ready: Callable[[], Sequence[str]]
    body_limit: int
    warm: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Operations:
    """The objects of the command line. ``operator``: the person running it, for records and audit."""

    api: OperatorApi
    workspaces: WorkspaceStore
    suppressions: Suppressions
    dead_letters: DeadLetters
    locks: Locks
    ledgers: Ledgers
    clock: Clock
    operator: str
    #: Closes connections and threads.
    close: Callable[[], None]
    #: Renders a workspace for a command; built on demand, since only a purge or a restore needs the renderers.
    rerender: Callable[[], Rerender]

    def acting_for(self, operator: str) -> OperatorApi:
        """The API on behalf of an operator who signed in at a console; the control plane decides whether it may."""
        return self.api if operator == self.operator else replace(self.api, acting_for=operator)


def consumer(settings: ConsumerSettings, *, launches: bool = True) -> Consumer:
    """The objects of the push app and the Cloud Run Job. ``launches`` False: this process dispatches no jobs.

    Raises SettingsError; for a Cloud Run Job also for what would make the push app not ready, as it has no /readyz.
    """
    clock, shutdown = SystemClock(), threading.Event()
    fence = agent_fence(settings)
    if fence.lacking and not launches:
        raise cannot_start("; ".join(fence.lacking))
    limits = manifests.limits()
    blobs = GcsBlobStore.connect(settings.bucket, clock, endpoint=settings.storage_endpoint, shutdown=shutdown)
    writer = ConditionalWriter(blobs, clock)
    lease = _lease(settings.lock_ttl_s)
    warm = _warm(settings, clock)
    signer = _signer(settings.signing_key, settings.mode, blobs)
    workspaces = _workspaces(blobs, clock, signer, settings.run_root, warm)
    jobs_topic = PubsubTopic(_topic(settings.project, settings.jobs_topic))
    dead_topic = PubsubTopic(_topic(settings.project, settings.dead_letter_topic))
    client = httpx.Client(base_url=settings.controlplane_url, verify=roots.trusted())
    identity = _identity(settings, clock, httpx.Client(verify=roots.trusted()))
    controlplane = HttpControlPlane(client, identity, clock, shutdown)
    suppressions = Suppressions(workspaces.narrowed, controlplane, clock)
    breakers = Breakers(clock)
    dead_letters = DeadLetters(blobs, dead_topic, clock)
    run_stages = stages(
        settings,
        blobs,
        workspaces,
        suppressions,
        clock,
        overlays=controlplane,
        fence=fence,
        breakers=breakers,
        shutdown=shutdown,
    )
    parts = AttemptDeps(
        controlplane=controlplane,
        heads=workspaces,
        locks=Locks(writer, clock, _new_id, lease),
        parking=Parking(blobs, jobs_topic),
        pipeline=Pipeline(run_stages, clock),
        settlement=Settlement(blobs, workspaces, dead_letters),
        dead_letters=dead_letters,
        clock=clock,
        shutdown=shutdown,
        bucket=settings.bucket,
        limits=_claim_limits(lease, settings.max_failures),
        retry_delays_s=tuple(limits["retry_delays"]),
        heartbeat_s=float(min(limits["heartbeat"], settings.lock_ttl_s)),
        mode=settings.mode,
        breakers=breakers,
        overrun=_end_process,
        checkpoints=Checkpoints(workspaces),
        checkpoint_after_s=float(limits["checkpoint_after"]),
        vouch=lambda user_id: workspaces.of(user_id).vouch(),
    )
    handler = Handler(
        ledgers=Ledgers(writer, clock, _new_id),
        plans=plan.plans(
            manifests.pipelines(),
            setting=settings.dispatch if launches else "inline",
            push_limit_s=limits["push_ack_deadline"] - PUSH_MARGIN_S,
        ),
        folder=RunFolder(settings.run_root, warm),
        parts=parts,
        ticks=_ticks(settings, blobs, signer, controlplane, shutdown),
        dispatcher=_dispatcher(settings, shutdown) if launches and settings.dispatch != "inline" else None,
    )
    return Consumer(
        handler=handler,
        verifier=_verifier(settings, clock),
        shutdown=shutdown,
        ready=partial(reasons, settings, fence.lacking),
        body_limit=limits["push_body"],
        warm=jobs_topic.warm,
    )


def operations(settings: OperatorSettings) -> Operations:
    """The command line's objects. Call ``close`` at the end."""
    clock, stack = SystemClock(), ExitStack()
    blobs = stack.enter_context(
        closing(GcsBlobStore.connect(settings.bucket, clock, endpoint=settings.storage_endpoint))
    )
    client = stack.enter_context(httpx.Client(base_url=settings.controlplane_url, verify=roots.trusted()))
    issuer = stack.enter_context(httpx.Client(verify=roots.trusted()))
    # Only for purges, which remove what a consumer on this machine keeps of the user.
    warm = WarmFolders(settings.run_root / WARM, clock)
    workspaces = _workspaces(blobs, clock, signing.read_ring(settings.signing_key), settings.run_root, warm)
    stack.callback(workspaces.close)
    writer = ConditionalWriter(blobs, clock)
    api = OperatorApi(client, _identity(settings, clock, issuer))
    return Operations(
        close=stack.close,
        api=api,
        suppressions=Suppressions(workspaces.narrowed, api, clock),
        workspaces=workspaces,
        dead_letters=DeadLetters(blobs, PubsubTopic(_topic(settings.project, settings.dead_letter_topic)), clock),
        locks=Locks(writer, clock, _new_id, _lease(settings.lock_ttl_s)),
        ledgers=Ledgers(writer, clock, _new_id),
        clock=clock,
        operator=settings.identity_email or "operator",
        rerender=_rerender,
    )


def sign_in(
    issuer: str, client_id: str, client_secret: str | None, *, emails: Collection[str], groups: Collection[str]
) -> OidcSignIn:
    """Operators' sign-in at an OIDC issuer, for a console."""
    registration = Registration(issuer, client_id, client_secret, frozenset(emails), frozenset(groups))
    client = httpx.Client(verify=roots.trusted())
    return OidcSignIn(client, registration, IdTokens(client, issuer, client_id, SystemClock()).claims)


def proof_verifier(keys: Path) -> Callable[[str, bytes, bytes], bool]:
    """Checks signatures with the public keys of a folder, offline.

    Raises ValueError if the folder does not exist or has no public key, or if a file's name is not its key's id.
    """
    ring = signing.public_ring(keys)
    if not ring:
        raise ValueError(f"{keys} has no public key (*.pub)" if keys.is_dir() else f"folder {keys} does not exist")
    return partial(signing.verify, ring)


def check_plugin(folder: str, refused: Callable[[PluginRefused], None]) -> Plugin:
    """The plugin of an absolute folder as a process loads it. See plugin_files.load."""
    from consumer.agent import plugin_files, plugins  # noqa: PLC0415 (only the command line needs them)

    registry = plugins.registry_of(manifests.profiles().values(), manifests.model_prices())
    return plugin_files.load(folder, registry, refused)


def prepare_brain(binary: str, embedding_model: str, out: Path) -> Mapping[str, object]:
    """Pack a new empty brain of this gbrain into ``out`` for GBRAIN_TEMPLATE; returns the versions it depends on.

    Raises ToolFailed, BrainRefused, OSError.
    """
    import tempfile  # noqa: PLC0415 (only needed when an image is built)

    from consumer.agent.gbrain.brain import GBrain  # noqa: PLC0415
    from consumer.agent.process import ProcessTool  # noqa: PLC0415

    clock = SystemClock()
    brain = GBrain(tool=ProcessTool(clock), binary=binary, clock=clock, embedding_model=embedding_model)
    with tempfile.TemporaryDirectory(prefix="cloop-brain-") as folder:
        return brain.prepare(Path(folder), out.absolute())


def settle_memory() -> None:
    """Call it once after start: the objects built so far stay, so the garbage collector skips them and runs less often.

    Stages build many objects that stay until their end, and no cycles (``tests/unit/stages/test_garbage.py``).
    Searching the readings of 5,000 records for cycles took a third of the time of putting memory together. With this
    threshold the collector runs once in several such jobs; at most a million new objects wait for it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000_000, 20, 20)


def setup_telemetry(service: str, settings: ConsumerSettings) -> None:
    """Logs to stdout with this process's secrets masked, spans and metrics where an OTLP endpoint is set."""
    export = settings.otlp_endpoint is not None
    telemetry.setup(service, settings.project, export=export, secrets=(settings.openai_api_key,))


# --- parts -------------------------------------------------------------------------------------------------------


def _warm(settings: ConsumerSettings, clock: Clock) -> WarmFolders | None:
    if settings.warm_folders == "off":
        return None
    limits = manifests.limits()
    bounds = WarmBounds(limits["warm_folders"], limits["warm_bytes"], float(limits["warm_age"]))
    return WarmFolders(
        settings.run_root / WARM,
        clock,
        bounds,
        shared=os.geteuid() != 0 or settings.agent_user is None,
        rehash=settings.warm_folders == "rehash",
    )


def _workspaces(
    blobs: GcsBlobStore, clock: Clock, signer: Signer, run_root: Path | None, warm: WarmFolders | None
) -> WorkspaceStore:
    return WorkspaceStore(
        blobs,
        signer,
        clock,
        templates=templates.FOLDER,
        volatile=manifests.volatile(),
        cache=ObjectCache(run_root / CACHE) if run_root else None,
        narrow=blobs.for_prefix,
        warm=warm,
    )


def _ticks(
    settings: ConsumerSettings,
    blobs: GcsBlobStore,
    signer: Signer,
    controlplane: HttpControlPlane,
    shutdown: threading.Event,
) -> Ticks:
    """What the scheduler's ticks begin."""
    return Ticks(
        controlplane,
        _rounds(blobs, signer, SystemClock(), shutdown, _lease(settings.lock_ttl_s)),
        _erasures(settings, blobs, signer, controlplane, shutdown),
        _orders(settings, blobs, signer, controlplane, shutdown),
    )


def _rounds(blobs: GcsBlobStore, signer: Signer, clock: Clock, shutdown: threading.Event, lease: Lease) -> Rounds:
    """With its own store, since a tick may arrive while a job runs, and without a cache, which a check must not use."""
    store = _workspaces(blobs, clock, signer, None, None)
    exclusive = Exclusive(Locks(ConditionalWriter(blobs, clock), clock, _new_id, lease), store, "daily round")
    return Rounds(exclusive, clock, float(manifests.limits()["verify_round"]), shutdown)


def _exclusive(settings: ConsumerSettings, blobs: GcsBlobStore, signer: Signer, clock: Clock, why: str) -> Exclusive:
    """With its own store, since a tick may arrive while a job runs, over this machine's cache and warm folders, from
    which erased and forgotten content is deleted too.
    """
    store = _workspaces(blobs, clock, signer, settings.run_root, WarmFolders(settings.run_root / WARM, clock))
    locks = Locks(ConditionalWriter(blobs, clock), clock, _new_id, _lease(settings.lock_ttl_s))
    return Exclusive(locks, store, why)


def _erasures(
    settings: ConsumerSettings,
    blobs: GcsBlobStore,
    signer: Signer,
    controlplane: HttpControlPlane,
    shutdown: threading.Event,
) -> Erasures:
    clock = SystemClock()
    exclusive = _exclusive(settings, blobs, signer, clock, "account deletion")
    return Erasures(
        exclusive=exclusive,
        suppressions=Suppressions(exclusive.store.narrowed, controlplane, clock),
        deletions=controlplane,
        clock=clock,
        limit_s=float(manifests.limits()["erasure_round"]),
        shutdown=shutdown,
    )


def _orders(
    settings: ConsumerSettings,
    blobs: GcsBlobStore,
    signer: Signer,
    controlplane: HttpControlPlane,
    shutdown: threading.Event,
) -> OrderWalk:
    clock = SystemClock()
    exclusive = _exclusive(settings, blobs, signer, clock, "user's order")
    return OrderWalk(
        exclusive=exclusive,
        suppressions=Suppressions(exclusive.store.narrowed, controlplane, clock),
        orders=controlplane,
        rerender=_rerender,
        clock=clock,
        limit_s=float(manifests.limits()["orders_round"]),
        shutdown=shutdown,
    )


def _rerender() -> Rerender:
    from consumer.erasure.forget import Forget  # noqa: PLC0415
    from consumer.evidence.index import open_index  # noqa: PLC0415
    from consumer.stages.render import Render  # noqa: PLC0415

    manifest = manifests.export_manifest()
    return Forget(Render(manifest, open_index))


def _signer(folder: Path, mode: str, blobs: BlobStore) -> Signer:
    """Locally an empty key ring gets its first key; in the cloud the ring is mounted read-only and must be complete.

    Raises SettingsError if there is no key although there is history: a new key could neither verify nor continue it.
    """
    if mode == "local" and signing.is_empty(folder):
        signed = next((stat.name for stat in blobs.list(paths.USERS) if "/commits/" in stat.name), None)
        if signed is not None:
            raise cannot_start(
                f"SIGNING_KEY: {folder} has no key, but the bucket has signed commits "
                f"({signed}). Restore the key ring that signed them; only an empty bucket gets a new key"
            )
    elif mode != "local" and not (folder / signing.PRIVATE).is_file():
        raise cannot_start(f"SIGNING_KEY: no {signing.PRIVATE} in {folder}")
    if exposed := signing.exposed(folder):
        telemetry.log(f"SIGNING_KEY: {exposed}", level=telemetry.ERROR)
    return signing.open_ring(folder) if mode == "local" else signing.read_ring(folder)


def _identity(settings: ConsumerSettings | OperatorSettings, clock: Clock, client: httpx.Client) -> Callable[[], str]:
    if settings.identity_token_url and settings.identity_email:
        fetch = from_endpoint(client, settings.identity_token_url, settings.identity_email)
    else:
        fetch = from_google()
    return Identity(fetch, clock).bound(settings.controlplane_audience)


def _dispatcher(settings: ConsumerSettings, shutdown: threading.Event) -> Dispatcher:
    from consumer.clients.cloudrun import CloudRunLauncher  # noqa: PLC0415

    launcher = CloudRunLauncher(settings.cloud_run_job, settings.run_endpoint, shutdown=shutdown)
    return Dispatcher(launcher, settings.bucket)


def _verifier(settings: ConsumerSettings, clock: Clock) -> OidcVerifier:
    keys = KeySet(httpx.Client(timeout=5.0, verify=roots.trusted()), settings.oidc_jwks_url, clock.monotonic)
    policy = TokenPolicy.of(settings.push_audiences, [settings.push_service_account], settings.oidc_issuers)
    return OidcVerifier(keys, policy, clock)


def _lease(ttl_s: int) -> Lease:
    limits = manifests.limits()
    return Lease(
        ttl_s=float(ttl_s),
        grace_s=min(float(limits["lock_grace"]), ttl_s / _LOCAL_SHARE),
        margin_s=min(float(limits["lock_margin"]), ttl_s / 4),
        renewals=limits["renewals_per_ttl"],
    )


def _claim_limits(lease: Lease, max_failures: int) -> DeliveryLimits:
    limits = manifests.limits()
    return DeliveryLimits(
        lease=lease,
        max_failures=max_failures,
        early_due=timedelta(seconds=limits["early_due"]),
        execution_start=timedelta(seconds=limits["execution_start"]),
        execution_launches=limits["execution_launches"],
    )


def _topic(project: str, name: str) -> str:
    return f"projects/{project}/topics/{name}"


def _new_id() -> str:
    return secrets.token_hex(16)


def _end_process() -> None:
    """End the process: a run that does not stop may have open files and child processes in an unknown state."""
    telemetry.log("run outlived its deadline: ending the instance", level=telemetry.CRITICAL)
    os._exit(70)
