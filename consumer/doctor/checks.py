"""Check everything that a deployment needs. One finding per line, in the order in which to fix them.

Besides bootstrap, only this module uses both settings and adapters. It checks each part separately, so that a missing
part does not hide other faults.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final

import httpx

import manifests
from consumer import bootstrap, settings
from consumer.agent import netfence, sandbox
from consumer.agent.gbrain.brain import GBrain
from consumer.agent.hermes.agent import HermesAgent
from consumer.agent.process import ProcessTool
from consumer.bootstrap import stage_wiring
from consumer.clients import pubsub_topics, signing
from consumer.doctor import health
from consumer.doctor.health import Diagnosis
from consumer.errors import ConsumerError
from consumer.settings import ConsumerSettings, OperatorSettings, SettingsError
from consumer.storage import gcs_bucket
from service.clock import SystemClock
from service.upstreams import Endpoint

TIMEOUT_S: Final = 10.0
GOOGLE_STORAGE: Final = "https://storage.googleapis.com"
#: A check of one part. The second argument is the environment, which may have a worker's variables.
Check = Callable[[OperatorSettings, Mapping[str, str]], Iterator[Diagnosis]]


def findings(environ: Mapping[str, str]) -> Iterator[Diagnosis]:
    """The findings of every check in order; without a readable configuration, only its faults.

    The checks run side by side: in an outage, each of them waits for a service that does not answer.
    """
    try:
        read = settings.load_operator(environ)
    except SettingsError as exc:
        yield from _of_settings(exc)
        return
    yield Diagnosis("configuration", True, f"project {read.project}, bucket {read.bucket}")
    with ThreadPoolExecutor(len(CHECKS), thread_name_prefix="doctor") as pool:
        running = [pool.submit(_findings_of, name, read, environ) for name in CHECKS]
        yield from _worker(environ)
        for checked in running:
            yield from checked.result()


def _findings_of(name: str, read: OperatorSettings, environ: Mapping[str, str]) -> list[Diagnosis]:
    diagnoses: list[Diagnosis] = []
    try:
        diagnoses.extend(CHECKS[name](read, environ))
    except ConsumerError as exc:
        diagnoses.append(Diagnosis(name, False, str(exc), exc.hint))
    return diagnoses


def _of_settings(error: SettingsError) -> Iterator[Diagnosis]:
    for line in str(error).splitlines()[1:]:
        yield Diagnosis("configuration", False, line.strip(), "docs/operations.md lists every variable.")


def _worker(environ: Mapping[str, str]) -> Iterator[Diagnosis]:
    """Check a worker's variables, if this machine has them."""
    if not environ.get("PUSH_SERVICE_ACCOUNT"):
        yield Diagnosis("worker", None, "this machine has no worker's variables (PUSH_SERVICE_ACCOUNT is not set)")
        return
    try:
        worker = settings.load(environ)
    except SettingsError as exc:
        yield from _of_settings(exc)
        return
    yield Diagnosis("worker", True, "all variables of a worker are set")
    yield from _fence(worker)
    yield _models(worker, environ)
    if exposed := signing.exposed(worker.signing_key):
        yield Diagnosis("signing key", False, exposed, "In terraform: default_mode of the secret's volume.")


def _models(worker: ConsumerSettings, environ: Mapping[str, str]) -> Diagnosis:
    """Check which provider serves each model, and that every key of MODEL_UPSTREAMS and every price is known."""
    name = "models"
    models = stage_wiring.models_in_use(worker, stage_wiring.subagents_of(worker))
    try:
        endpoints = stage_wiring.model_endpoints(worker, models, environ)
    except SettingsError as exc:
        return Diagnosis(name, False, str(exc).splitlines()[-1].strip(), "Correct MODEL_UPSTREAMS, or set the key.")
    if missing := stage_wiring.unpriced(models, manifests.model_prices()):
        advice = "Add the price to manifests/models.yaml and build the image again."
        return Diagnosis(name, False, "; ".join(missing), advice)
    default = Endpoint(worker.model_base_url, "").host
    served = (f"{model} at {endpoints[model].host if model in endpoints else default}" for model in models)
    return Diagnosis(name, True, f"{', '.join(served)}; all have a price")


def _fence(worker: ConsumerSettings) -> Iterator[Diagnosis]:
    """Check the isolation of agents and brains that a worker on this machine would have."""
    if worker.agent_fence == "off":
        yield Diagnosis("agent fence", None, "AGENT_FENCE=off: agents and brains have this machine's network and files")
        return
    for part, why in (("network", netfence.unavailable()), ("sandbox", sandbox.unavailable())):
        if why is None:
            yield Diagnosis(f"agent {part}", True, f"each tool gets its own {part}")
        else:
            verdict = False if worker.agent_fence == "required" else None
            advice = "Isolation needs root, or Linux user namespaces."
            yield Diagnosis(f"agent {part}", verdict, f"tools cannot get their own {part}: {why}", advice)


def _bucket(read: OperatorSettings, _: Mapping[str, str]) -> Iterator[Diagnosis]:
    faults = gcs_bucket.faults_of(read.bucket, project=read.project, endpoint=read.storage_endpoint)
    yield from health.of_faults("bucket", faults, f"{read.bucket}: reachable, grants and policies as needed")


def _clock(read: OperatorSettings, _: Mapping[str, str]) -> Iterator[Diagnosis]:
    try:
        server_date = httpx.head(read.storage_endpoint or GOOGLE_STORAGE, timeout=TIMEOUT_S).headers["date"]
    except (httpx.HTTPError, KeyError) as exc:
        yield Diagnosis(
            "clock",
            False,
            f"the bucket's service returned no time ({type(exc).__name__})",
            "Check that the service is reachable.",
        )
        return
    yield health.of_clock(_ahead_s(SystemClock().now(), server_date), manifests.limits()["clock_skew"])


def _ahead_s(now: datetime, server_date: str) -> float:
    return (now - parsedate_to_datetime(server_date)).total_seconds()


def _controlplane(read: OperatorSettings, _: Mapping[str, str]) -> Iterator[Diagnosis]:
    advice = "Start the control plane, or correct CONTROLPLANE_URL."
    try:
        response = _readiness(read.controlplane_url)
    except httpx.HTTPError as exc:
        yield Diagnosis("control plane", False, f"{read.controlplane_url}: {type(exc).__name__}", advice)
        return
    yield health.of_readiness(str(response.request.url), response.status_code, response.content)


def _readiness(url: str) -> httpx.Response:
    """The response of /ready or, if that does not exist, of /readyz.

    Cloud Run's front end does not forward paths that end in z, and an app's own control plane may have only /readyz.
    """
    response = httpx.get(f"{url}/ready", timeout=TIMEOUT_S)
    return response if response.status_code != httpx.codes.NOT_FOUND else httpx.get(f"{url}/readyz", timeout=TIMEOUT_S)


def _topics(read: OperatorSettings, environ: Mapping[str, str]) -> Iterator[Diagnosis]:
    paths = {read.jobs_topic: "/push/jobs", read.ticks_topic: "/push/ticks"}
    topics = {f"projects/{read.project}/topics/{name}": path for name, path in paths.items()}
    faults = pubsub_topics.faults_of(topics, "/push/dead-letters", _pushes(environ))
    yield from health.of_faults("topics", faults, f"{' and '.join(paths)} exist and are pushed with tokens")


def _pushes(environ: Mapping[str, str]) -> pubsub_topics.ExpectedPush:
    """The pushes that a worker on this machine would accept."""
    try:
        worker = settings.load(environ)
    except SettingsError:  # The worker check reports it, if this machine is a worker.
        return pubsub_topics.ExpectedPush()
    return pubsub_topics.ExpectedPush(worker.push_service_account, worker.push_audiences)


def _tools(read: OperatorSettings, _: Mapping[str, str]) -> Iterator[Diagnosis]:
    clock = SystemClock()
    tool = ProcessTool(clock)
    agent = HermesAgent(tool=tool, binary=read.hermes_bin, config={})
    yield _version("hermes", read.hermes_bin, agent.version)
    if read.brain == "gbrain":
        brain = GBrain(tool=tool, binary=read.gbrain_bin, clock=clock)
        yield _version("gbrain", read.gbrain_bin, brain.version)
        if read.gbrain_template:
            yield _template(brain, read.gbrain_template)
    else:
        yield Diagnosis("gbrain", None, "BRAIN=local: the local brain needs no executable")


def _template(brain: GBrain, path: Path) -> Diagnosis:
    name, advice = "gbrain template", "Create it again: cloop-memory brain prepare."
    if not path.is_file():
        return Diagnosis(name, None, f"{path} is not on this machine; the worker's image has it")
    try:
        fits = brain.fits(path)
    except ConsumerError as exc:
        return Diagnosis(name, False, str(exc), advice)
    if fits:
        return Diagnosis(name, True, f"{path} fits this gbrain")
    detail = f"{path} was made by another gbrain version or embedding model, so `gbrain init` creates every new brain"
    return Diagnosis(name, False, detail, advice)


def _version(name: str, binary: str, version: Callable[[], str]) -> Diagnosis:
    if shutil.which(binary) is None:
        if "/" in binary:
            return Diagnosis(
                name, False, f"{binary} cannot be executed", f"Install the program, or correct {name.upper()}_BIN."
            )
        return Diagnosis(name, None, f"{binary} is not on this machine; the worker's image has it")
    try:
        return Diagnosis(name, True, f"{version()} at {binary}")
    except ConsumerError as exc:
        # The error's own hint points to this check.
        advice = f"Run the command to see its output; reinstall the program, or correct {name.upper()}_BIN."
        return Diagnosis(name, False, str(exc), advice)


def _work(read: OperatorSettings, _: Mapping[str, str]) -> Iterator[Diagnosis]:
    """Check queue, sweep and dead letters with the operator's rights."""
    with closing(bootstrap.operations(read)) as operations:
        queue = operations.api.queue()
        yield from health.of_queue(queue, manifests.limits())
        yield health.of_zones(queue)
        yield from health.of_deletions(queue)
        yield health.of_usefulness(queue.usefulness)
        entries = operations.dead_letters.entries()
        yield health.of_dead_letters(
            sum(1 for entry in entries if entry.dead_letter is None or entry.dead_letter.state == "open")
        )


CHECKS: Final[Mapping[str, Check]] = {
    "bucket": _bucket,
    "clock": _clock,
    "control plane": _controlplane,
    "topics": _topics,
    "tools": _tools,
    "work": _work,
}
