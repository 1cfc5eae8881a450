"""The complete system on one machine, over real wire protocols: start in parallel, wait until ready, stop in reverse.

State lives below one folder and survives restarts; ports are free ones, chosen at each start; nothing listens beyond
loopback. Consumer, publisher and control plane are the shipped programs, started with environment variables alone and
restarted when they die, as Cloud Run would.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from google.api_core.exceptions import GoogleAPICallError

from consumer.settings import operator_variables
from contract.event import TickEvent, TickKind
from local import cloud, logins, oidc, postgres
from local import model as offline_model
from local.app import fixture
from local.machine import direct, free_ports
from local.postgres import Postgres
from local.processes import StackProcess, Watcher
from service.keys import pem

ROOT = Path(__file__).parent.parent
AUDIENCE = "https://controlplane.clo0p.test"
PUSH_AUDIENCE = "https://consumer.clo0p.test/push"
WEBHOOK_SECRET = "local-webhook-secret"
#: Seconds between sweep ticks of a stack that stays up; the cloud's scheduler sends one a minute.
TICK_EVERY_S = 15.0
#: When it plans, as the cloud's scheduler does (terraform/scheduler.tf): kind -> (seconds between two ticks, seconds
#: after midnight UTC of one of them).
PLANS_AT: Mapping[TickKind, tuple[int, int]] = {"hourly": (3600, 0), "daily": (86400, 3 * 3600 + 1800)}
#: On one machine a dead consumer is back within a second, so these times can be shorter than in the cloud.
LOCAL_TIMES = {"LOCK_TTL_S": "8", "SWEEP_EVERY_S": "1", "POLL_S": "1"}


class StackRunning(Exception):
    """This environment file belongs to a running stack, which is left untouched."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The port of each part, on 127.0.0.1."""

    postgres: int
    gcs: int
    oidc: int
    pubsub: int
    cloudrun: int
    model: int
    controlplane: int
    publisher: int
    consumer: int
    reader: int

    @classmethod
    def free(cls) -> Ports:
        """Different ports without a listener."""
        return cls(*free_ports(len(fields(cls))))


@dataclass
class Stack:
    """``state`` holds everything; ``model_key`` switches from the offline model to the provider's endpoint."""

    state: Path
    model_key: str | None = None
    model_base_url: str = "https://api.openai.com/v1"
    model: str = "gpt-5.4"
    model_small: str = "gpt-5.4-mini"
    #: GBrain's executable; empty: the local brain.
    gbrain: str = field(default_factory=lambda: os.environ.get("GBRAIN_BIN", ""))
    extra_env: Mapping[str, str] = field(default_factory=dict)
    #: Seconds between an account's deletion and its memory's erasure; None: as the control plane does by itself.
    purge_after_deletion_s: int | None = None
    #: See ``sweep_stale_after`` in manifests/limits.yaml: a fifteenth of it, as nobody here waits for minutes.
    sweep_stale_after_s: int = 12
    #: Where ``cloop-memory --local`` looks; below the state if not given.
    environment_file: Path | None = None
    ports: Ports = field(default_factory=Ports.free)
    ready_s: float = 0.0
    parts: dict[str, StackProcess] = field(default_factory=dict)
    _postgres: Postgres | None = None
    _watcher: Watcher | None = None
    _named: bool = False

    def __post_init__(self) -> None:
        self.state = self.state.absolute()

    # --- addresses ---------------------------------------------------------------------------------------------

    @property
    def dsn(self) -> str:
        """The URL for the owner of the app's tables, which acts as the app; the processes have their own logins."""
        return logins.dsn(self.ports.postgres)

    @property
    def gcs_url(self) -> str:
        return f"http://127.0.0.1:{self.ports.gcs}"

    @property
    def oidc_url(self) -> str:
        return f"http://127.0.0.1:{self.ports.oidc}"

    @property
    def controlplane_url(self) -> str:
        return f"http://127.0.0.1:{self.ports.controlplane}"

    @property
    def consumer_url(self) -> str:
        return f"http://127.0.0.1:{self.ports.consumer}"

    @property
    def reader_url(self) -> str:
        return f"http://127.0.0.1:{self.ports.reader}"

    @property
    def pubsub_host(self) -> str:
        return f"127.0.0.1:{self.ports.pubsub}"

    @property
    def patience_s(self) -> float:
        """How long a job may take; a real GBrain and a real model need more time."""
        return 900.0 if self.model_key or self.gbrain else 300.0

    @property
    def run_root(self) -> Path:
        return self.state / "run"

    # --- life --------------------------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    def start(self) -> Self:
        """Start all parts in parallel; a part that needs another retries until it is up."""
        began = time.monotonic()
        self.require_free()
        # Google's libraries, gRPC and urllib look there for a proxy by themselves, and would ask it for 127.0.0.1.
        os.environ.update(direct(os.environ))
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        self.ready_s = time.monotonic() - began
        return self

    def require_free(self) -> None:
        """Raises StackRunning if this environment file belongs to a running stack."""
        if is_alive(self._environment):
            raise StackRunning(
                f"the stack of {self._environment} is running; stop it first (or remove the file if it is left over)"
            )

    def _start(self) -> None:
        for folder in ("logs", "keys", "home", "run"):
            (self.state / folder).mkdir(parents=True, exist_ok=True)
        _make_token_key(self.state / "keys" / "job-token.pem")
        self._environment.write_text(json.dumps(self.operator_env(), indent=1))
        self._named = True
        self._launch(self._servers())
        # PDEATHSIG follows the starting thread, so PostgreSQL starts from this one, while the servers import.
        self._postgres = Postgres(self.state / "postgres", port=self.ports.postgres).start()
        with ThreadPoolExecutor(3, thread_name_prefix="stack") as pool:
            # The app's tables once; the control plane's migrations each time, as a deploy would.
            waits = [pool.submit(fixture.install, self.dsn), pool.submit(self._declare_pubsub)]
            waits.append(pool.submit(self._declare_run_job))
            self._launch(self._programs())
            for wait in waits:
                wait.result()
        for part in self.parts.values():
            part.wait_ready()
        self._watcher = Watcher(list(self.parts.values()))
        self._watcher.start()

    def _launch(self, parts: Iterable[StackProcess]) -> None:
        for part in parts:
            part.start()
            self.parts[part.name] = part

    def stop(self) -> None:
        """In reverse; nothing is left behind. Repeatable."""
        if self._watcher:
            self._watcher.stop()
            self._watcher = None
        for part in reversed(list(self.parts.values())):
            part.stop()
        self.parts.clear()
        if self._postgres:
            self._postgres.stop()
            self._postgres = None
        if self._named:
            self._environment.unlink(missing_ok=True)
            self._named = False

    @property
    def _environment(self) -> Path:
        return self.environment_file or self.state / "environment.json"

    # --- parts -------------------------------------------------------------------------------------------------

    def _servers(self) -> list[StackProcess]:
        """The embedded replacements of external systems."""
        state = self.state
        pubsub = ["--oidc-issuer", self.oidc_url, "--push-max-backoff-s", "1"]
        secret = ["--secret", f"{cloud.MODEL_KEY_SECRET}=MODEL_KEY"]
        model_key = {"MODEL_KEY": self.consumer_env()["OPENAI_API_KEY"]}
        servers = [
            self._server("gcs", self.ports.gcs, ["--data", str(state / "gcs"), "--bucket", cloud.BUCKET]),
            self._server("oidc", self.ports.oidc, ["--data", str(state / "oidc")]),
            self._server("pubsub", self.ports.pubsub, ["--data", str(state / "pubsub"), *pubsub]),
            self._server("cloudrun", self.ports.cloudrun, ["--data", str(state / "cloudrun"), *secret], model_key),
        ]
        if not self.model_key:
            servers.append(self._server("model", self.ports.model, []))
        return servers

    def _server(self, name: str, port: int, arguments: list[str], env: Mapping[str, str] | None = None) -> StackProcess:
        command = ["-m", f"local.{name}", "--port", str(port), *arguments]
        return self._part(name, command, env or {}, f"127.0.0.1:{port}")

    def _programs(self) -> list[StackProcess]:
        """The shipped programs."""
        consumer_env = {**self.consumer_env(), "PORT": str(self.ports.consumer)}
        programs = (
            ("controlplane", "controlplane.main", self.controlplane_env()),
            ("publisher", "publisher.main", self.publisher_env()),
            ("consumer", "consumer.entrypoints.push", consumer_env),
            ("reader", "reader.main", self.reader_env()),
        )
        return [
            self._part(name, ["-m", module], env, f"http://127.0.0.1:{env['PORT']}/readyz")
            for name, module, env in programs
        ]

    def _part(self, name: str, arguments: list[str], env: Mapping[str, str], ready: str) -> StackProcess:
        log = self.state / "logs" / f"{name}.log"
        return StackProcess(name, [sys.executable, *arguments], {**self._base_env(), **env}, ready, log)

    # --- environments ------------------------------------------------------------------------------------------

    def _base_env(self) -> dict[str, str]:
        """A fresh environment: a part sees only what it is given, as in a container."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.state / "home"),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": os.environ.get("PYTHONDONTWRITEBYTECODE", ""),
            **{name: value for name, value in self.extra_env.items() if name.startswith("OTEL_")},
        }

    def _google_env(self) -> dict[str, str]:
        return {
            "GOOGLE_CLOUD_PROJECT": cloud.PROJECT,
            "PUBSUB_EMULATOR_HOST": self.pubsub_host,
            "STORAGE_EMULATOR_HOST": self.gcs_url,
        }

    def controlplane_env(self) -> dict[str, str]:
        grace_s = self.purge_after_deletion_s
        return {
            "DATABASE_URL": logins.dsn(self.ports.postgres, user=logins.CONTROLPLANE),
            "EXPORT_DATABASE_URL": logins.dsn(self.ports.postgres, user=logins.READER),
            "PLAN_SPREAD_S": "0",
            **({} if grace_s is None else {"PURGE_AFTER_DELETION_S": str(grace_s)}),
            "CONTROLPLANE_AUDIENCE": AUDIENCE,
            "OIDC_ISSUERS": "https://accounts.google.com,accounts.google.com",
            "OIDC_JWKS_URL": f"{self.oidc_url}/oauth2/v3/certs",
            "CONSUMER_SERVICE_ACCOUNTS": cloud.WORKER_ACCOUNT,
            "OPERATOR_EMAILS": cloud.OPERATOR_EMAIL,
            "JOB_TOKEN_KEY": str(self.state / "keys" / "job-token.pem"),
            "WORKSPACE_BUCKET": cloud.BUCKET,
            "READER_SERVICE_ACCOUNTS": cloud.READER_ACCOUNT,
            "APP_ISSUER": oidc.APP_ISSUER,
            "APP_JWKS_URL": f"{self.oidc_url}/oauth2/v3/certs",
            "STS_URL": f"{self.gcs_url}/sts/v1/token",
            "HOST": "127.0.0.1",
            "PORT": str(self.ports.controlplane),
        }

    def _reader_model(self) -> dict[str, str]:
        if not self.model_key:
            return {}
        return {
            "MODEL_BASE_URL": self.model_base_url,
            "OPENAI_API_KEY": self.model_key,
            "READER_MODEL": self.model_small,
        }

    def reader_env(self) -> dict[str, str]:
        return {
            "STORAGE_EMULATOR_HOST": self.gcs_url,
            "CONTROLPLANE_URL": self.controlplane_url,
            "CONTROLPLANE_AUDIENCE": AUDIENCE,
            "IDENTITY_TOKEN_URL": f"{self.oidc_url}/token",
            "IDENTITY_EMAIL": cloud.READER_ACCOUNT,
            "VERIFY_KEYS": str(self.state / "keys" / "signing"),
            "READER_CODES": "on",
            "READER_CACHE": str(self.state / "reader"),
            # The offline model writes reports; it answers no questions.
            **self._reader_model(),
            "HOST": "127.0.0.1",
            "PORT": str(self.ports.reader),
        }

    def publisher_env(self) -> dict[str, str]:
        return {
            **self._google_env(),
            **LOCAL_TIMES,
            "SWEEP_STALE_AFTER_S": str(self.sweep_stale_after_s),
            "DATABASE_URL": logins.dsn(self.ports.postgres, user=logins.RELAY),
            "WEBHOOK_SECRET": WEBHOOK_SECRET,
            "JOBS_TOPIC": cloud.JOBS,
            "HOST": "127.0.0.1",
            "PORT": str(self.ports.publisher),
        }

    def consumer_env(self) -> dict[str, str]:
        """What push app and Cloud Run Job share."""
        hermes = os.environ.get("HERMES_BIN") or str(ROOT / ".tools" / "hermes" / "bin" / "hermes")
        offline = not self.model_key
        return {
            **self._google_env(),
            "WORKSPACE_BUCKET": cloud.BUCKET,
            "CONTROLPLANE_URL": self.controlplane_url,
            "CONTROLPLANE_AUDIENCE": AUDIENCE,
            "PUSH_AUDIENCES": PUSH_AUDIENCE,
            "PUSH_SERVICE_ACCOUNT": cloud.PUSH_ACCOUNT,
            "OIDC_JWKS_URL": f"{self.oidc_url}/oauth2/v3/certs",
            "IDENTITY_TOKEN_URL": f"{self.oidc_url}/token",
            "IDENTITY_EMAIL": cloud.WORKER_ACCOUNT,
            "JOBS_TOPIC": cloud.JOBS,
            "DEAD_LETTER_TOPIC": cloud.DEAD,
            "TICKS_TOPIC": cloud.TICKS,
            "DISPATCH": "by-manifest",
            "CLOUD_RUN_JOB": cloud.RUN_JOB,
            "RUN_ENDPOINT": f"http://127.0.0.1:{self.ports.cloudrun}",
            "BRAIN": "gbrain" if self.gbrain else "local",
            **({"GBRAIN_BIN": self.gbrain} if self.gbrain else {}),
            "HERMES_BIN": hermes,
            "MODEL_BASE_URL": f"http://127.0.0.1:{self.ports.model}/v1" if offline else self.model_base_url,
            "OPENAI_API_KEY": self.model_key or "offline-model-needs-no-key",
            "MODEL": offline_model.MODEL if offline else self.model,
            "MODEL_SMALL": offline_model.MODEL if offline else self.model_small,
            # The offline model can neither read nor judge.
            **({"MODEL_READER": "none", "MODEL_JUDGE": "none"} if offline else {}),
            "LOCK_TTL_S": LOCAL_TIMES["LOCK_TTL_S"],
            "RUN_ROOT": str(self.run_root),
            "SIGNING_KEY": str(self.state / "keys" / "signing"),
            "MODE": "local",
            "HOST": "127.0.0.1",
            **self.extra_env,
        }

    def operator_env(self) -> dict[str, str]:
        """The variables for ``cloop-memory --local``: this stack's addresses and accounts."""
        shared = {variable.name for variable in operator_variables()} - {"IDENTITY_EMAIL"}
        return {
            **self._google_env(),
            **direct(os.environ),
            **{name: value for name, value in self.consumer_env().items() if name in shared},
            "OPERATOR_EMAIL": cloud.OPERATOR_EMAIL,
            "READER_URL": self.reader_url,
            "USER_TOKEN_URL": f"{self.oidc_url}/app/token",
            "RUN_ROOT": str(self.state / "operator-run"),
        }

    # --- declarations ------------------------------------------------------------------------------------------

    def _declare_pubsub(self) -> None:
        self.parts["pubsub"].wait_ready()
        cloud.declare_pubsub(self.pubsub_host, self.consumer_url, PUSH_AUDIENCE, min_backoff_s=1)

    def _declare_run_job(self) -> None:
        part = self.parts["cloudrun"]
        part.wait_ready()
        env = {**self._base_env(), **self.consumer_env(), "RUN_ROOT": str(self.state / "run-job")}
        del env["OPENAI_API_KEY"]
        cloud.declare_run_job(
            f"http://127.0.0.1:{self.ports.cloudrun}", [sys.executable, "-m", "consumer.entrypoints.job"], env
        )

    # --- looking in --------------------------------------------------------------------------------------------

    def bucket_stats(self) -> dict[str, Any]:
        """The requests and bytes that the bucket has served so far."""
        stats: dict[str, Any] = json.loads(_get(f"{self.gcs_url}/_stats"))
        return stats

    def read_object(self, name: str) -> bytes:
        """One live object of the bucket."""
        return _get(f"{self.gcs_url}/download/storage/v1/b/{cloud.BUCKET}/o/{quote(name, safe='')}?alt=media")

    def user_token(self, user_id: str) -> str:
        """An access token of one of the app's users."""
        return str(_posted(f"{self.oidc_url}/app/token", {"user_id": user_id})["token"])

    def my_memory(self, user_id: str) -> str:
        """The address of a user's pages, with a code that signs in once within ten minutes."""
        token = self.user_token(user_id)
        return str(_posted(f"{self.reader_url}/v1/me/codes", {}, {"authorization": f"Bearer {token}"})["sign_in"])

    def list_objects(self, prefix: str = "") -> list[dict[str, Any]]:
        """Metadata of the live objects below ``prefix``, in name order."""
        objects: list[dict[str, Any]] = []
        token = ""
        while True:
            query = f"prefix={quote(prefix)}" + (f"&pageToken={quote(token)}" if token else "")
            page = json.loads(_get(f"{self.gcs_url}/storage/v1/b/{cloud.BUCKET}/o?{query}"))
            objects += page.get("items", [])
            token = page.get("nextPageToken", "")
            if not token:
                return objects

    def consumer_log(self) -> list[dict[str, Any]]:
        """The push app's structured lines so far."""
        lines = (self.state / "logs" / "consumer.log").read_text(errors="replace").splitlines(keepends=True)
        # A line without its end is still being written.
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("\n")]


def _make_token_key(path: Path) -> None:
    """The control plane's ES256 key, once: job tokens survive a restart of the stack."""
    if path.exists():
        return
    path.touch(mode=0o600)
    path.write_bytes(pem(ec.generate_private_key(ec.SECP256R1())))


def _get(url: str) -> bytes:
    from urllib.request import urlopen  # noqa: PLC0415 (only for looking in)

    with urlopen(url, timeout=30) as reply:
        body: bytes = reply.read()
        return body


def _posted(url: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    from urllib.request import Request, urlopen  # noqa: PLC0415 (as above)

    sent = {"content-type": "application/json", **(headers or {})}
    with urlopen(Request(url, json.dumps(body).encode(), sent), timeout=30) as reply:
        answer: dict[str, Any] = json.loads(reply.read())
        return answer


def wipe(state: Path) -> None:
    """Delete the stack's state. The stack must be down."""
    postgres.remove(state / "postgres")
    shutil.rmtree(state, ignore_errors=True)


def is_alive(environment: Path) -> bool:
    """Whether the control plane that this environment file names still listens."""
    try:
        address = urlsplit(json.loads(environment.read_text())["CONTROLPLANE_URL"])
        with socket.create_connection((address.hostname or "", address.port or 0), timeout=2):
            return True
    except (OSError, ValueError, LookupError, TypeError):
        return False


def hold(stack: Stack, report: Callable[[str], None], now: Callable[[], float] = time.time) -> None:
    """Keep the stack up until Ctrl-C or SIGTERM. Ticks come as from the cloud's scheduler: sweeps carry out what users
    order for their memory, hourly and daily ticks plan jobs. The first of each stands for those that came while the
    stack was down; no tick plans a job twice.

    ``now``: seconds since 1970.
    """
    done = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: done.set())
    report("the stack stays up; Ctrl-C stops it")
    last_sent: dict[TickKind, int] = {}
    try:
        while not done.wait(TICK_EVERY_S):
            # A broker that restarts misses a sweep, and gets what it missed of the others.
            with contextlib.suppress(GoogleAPICallError):
                _send(stack, "sweep")
                for kind, (every_s, first_s) in PLANS_AT.items():
                    turn = int(now() - first_s) // every_s
                    if last_sent.get(kind) != turn:
                        _send(stack, kind)
                        last_sent[kind] = turn
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)
    report("stopping")


def _send(stack: Stack, kind: TickKind) -> None:
    cloud.publish(stack.pubsub_host, cloud.TICKS, TickEvent(kind=kind).encode(), {})
