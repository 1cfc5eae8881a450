"""Build the stages of a run and the tools that they use."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args
from urllib.parse import urlsplit

import yaml

import manifests
import templates
from consumer.breakers import Breakers
from consumer.erasure.suppressions import Suppressions
from consumer.ports import Agent, BlobStore, Brain, Clock, Embedder, ModelAccess, ModelGateway, Overlays, Tool
from consumer.repository.workspace import WorkspaceStore
from consumer.run import Stage
from consumer.settings import ConsumerSettings, cannot_start, environment, models_of
from contract.event import JobType, StageName
from contract.exclusions import Excluder
from service import telemetry, upstreams
from service.upstreams import Endpoint

if TYPE_CHECKING:
    from consumer.agent.judge import ModelJudge
    from consumer.agent.plugins import Subagent
    from consumer.agent.reader import ReadByModel
    from consumer.stages.synthesize import Effort

#: Users that tools run as, from AGENT_USER on: below 65,536, which is all that some container runtimes know.
AGENT_USERS: Final = 50_000


@dataclass(frozen=True, slots=True)
class Fence:
    """The isolation of every tool. ``lacking``: why this process must not work, as a required part is unavailable."""

    network: bool
    sandbox: bool
    lacking: tuple[str, ...] = ()


def stages(
    settings: ConsumerSettings,
    blobs: BlobStore,
    workspaces: WorkspaceStore,
    suppressions: Suppressions,
    clock: Clock,
    *,
    overlays: Overlays,
    fence: Fence,
    breakers: Breakers,
    shutdown: threading.Event,
) -> Mapping[StageName, Stage]:
    from consumer.agent.process import ProcessTool, User, hide_process  # noqa: PLC0415
    from consumer.agent.sandbox import Sandbox  # noqa: PLC0415
    from consumer.evidence.index import open_index, open_sightings  # noqa: PLC0415
    from consumer.reports.evidence import PageCache  # noqa: PLC0415
    from consumer.stages.dream import Dream, SynthesizeOrDream  # noqa: PLC0415
    from consumer.stages.export import Export  # noqa: PLC0415
    from consumer.stages.hydrate import Hydrate  # noqa: PLC0415
    from consumer.stages.index import Index  # noqa: PLC0415
    from consumer.stages.persist import Persist  # noqa: PLC0415
    from consumer.stages.render import Render  # noqa: PLC0415
    from consumer.stages.report import Report  # noqa: PLC0415
    from consumer.stages.synthesize import Synthesize  # noqa: PLC0415

    hide_process()
    agent_user = agent_user_of(settings, os.geteuid())
    tool = ProcessTool(
        clock,
        user=User(*agent_user, count=AGENT_USERS) if agent_user else None,
        fence=fence.network,
        sandbox=Sandbox(hidden=(settings.run_root, settings.signing_key)) if fence.sandbox else None,
    )
    brain = _brain(settings, tool, clock)
    manifest = manifests.export_manifest()
    template, subagents = templates.FOLDER / "v1", subagents_of(settings)
    gateway = _gateway(settings, models_in_use(settings, subagents), clock, blobs, shutdown=shutdown)
    judge = _judge(settings, gateway)
    desk = PageCache(open_index, overlays, reviews=judge is not None)
    return {
        "hydrate": Hydrate(workspaces, suppressions.read, desk.is_corrected),
        "export": Export(
            manifest,
            open_sightings,
            page_records=manifests.limits()["export_page"],
            excluder_of=_excluder_of(overlays),
        ),
        "render": Render(manifest, open_index, by_model=_reader(settings, gateway, workspaces)),
        "index": Index(
            brain,
            gateway,
            desk,
            manifests.profiles(),
            embedder=_embedder(settings),
            clock=clock,
            reviewer=judge,
            bucket_of=workspaces.narrowed,
        ),
        "synthesize": SynthesizeOrDream(
            Synthesize(
                agent=_agent(settings, tool, template),
                brain=brain,
                gateway=gateway,
                bucket_of=workspaces.narrowed,
                efforts=efforts(settings, manifests.pipelines()),
                prompts={
                    path.stem: path.read_text(encoding="utf-8") for path in sorted((template / "prompts").glob("*.md"))
                },
                profiles=manifests.profiles(),
                subagents=subagents,
                desk=desk,
                skills={
                    path.relative_to(template).as_posix(): path.read_bytes()
                    for path in sorted((template / "hermes-home" / "skills").rglob("SKILL.md"))
                },
                require_model=breakers.require_model,
                commits=lambda user_id, seq: workspaces.of(user_id).reader(seq).read,
            ),
            Dream(
                brain, gateway, settings.model_small, manifests.model_prices(), desk=desk, profiles=manifests.profiles()
            ),
        ),
        "report": Report(desk, judge=judge, bucket_of=workspaces.narrowed, profiles=manifests.profiles()),
        "persist": Persist(workspaces, clock, overlays),
    }


def _excluder_of(overlays: Overlays) -> Callable[[str], Excluder]:
    """user_id -> what they want kept out, as it stands now."""

    def excluder(user_id: str) -> Excluder:
        overlay = overlays.overlay(user_id)
        return Excluder(overlay.key or "", overlay.exclusions)

    return excluder


def agent_user_of(settings: ConsumerSettings, euid: int) -> tuple[int, int] | None:
    """The user that agents and brains run as; None: this process's own, which is logged at start.

    Raises SettingsError in the cloud, as root, without AGENT_USER: agents' code could read our keys from /proc.
    """
    if euid == 0 and settings.agent_user is None and settings.mode == "cloud":
        raise cannot_start("AGENT_USER: not set, and this process is root")
    if euid == 0 and settings.agent_user:
        return settings.agent_user
    why = "AGENT_USER is not set" if euid == 0 else "this process is not root"
    telemetry.log(f"agents and brains run as this process's own user: {why}", level=telemetry.WARNING)
    return None


def agent_fence(settings: ConsumerSettings) -> Fence:
    """The isolation that this process can give its tools. It is tried, and missing parts are logged once.

    A required but unavailable part stays switched on, so that no tool starts.
    """
    from consumer.agent import netfence, sandbox  # noqa: PLC0415

    required = settings.agent_fence == "required"
    lacking: list[str] = []
    enabled: dict[str, bool] = {}
    for part, unavailable, consequence in (
        ("network", netfence.unavailable, "agents and brains reach the network that this process reaches"),
        ("sandbox", sandbox.unavailable, "what agents and brains write to temporary folders and memory outlives a run"),
    ):
        why = "AGENT_FENCE=off" if settings.agent_fence == "off" else unavailable()
        enabled[part] = why is None or required
        if why and required:
            lacking.append(f"AGENT_FENCE=required, but this system cannot give tools their own {part}: {why}")
        if why:
            telemetry.log(
                lacking[-1] if required else f"{consequence}: {why}", level=telemetry.ERROR if required else 30
            )
    return Fence(enabled["network"], enabled["sandbox"], tuple(lacking))


def _brain(settings: ConsumerSettings, tool: Tool, clock: Clock) -> Brain:
    evidence_model = settings.embedding_model if settings.search_vectors == "on" else ""
    if settings.brain == "local":
        from consumer.agent.localbrain.brain import LocalBrain, refuse_local  # noqa: PLC0415

        refuse_local(settings.mode, "any")
        return LocalBrain(evidence_model)
    from consumer.agent.gbrain.brain import GBrain  # noqa: PLC0415

    return GBrain(
        tool=tool,
        binary=settings.gbrain_bin,
        clock=clock,
        embedding_model=settings.embedding_model,
        template=settings.gbrain_template,
        evidence_model=evidence_model,
    )


def _embedder(settings: ConsumerSettings) -> Callable[[ModelAccess], Embedder] | None:
    from consumer.agent.embedder import ModelEmbedder  # noqa: PLC0415

    return partial(ModelEmbedder, model=settings.embedding_model) if settings.search_vectors == "on" else None


def _agent(settings: ConsumerSettings, tool: Tool, template: Path) -> Agent:
    from consumer.agent.hermes.agent import HermesAgent  # noqa: PLC0415

    config: dict[str, Any] = yaml.safe_load((template / "hermes-home" / "config.yaml").read_text(encoding="utf-8"))
    return HermesAgent(tool=tool, binary=settings.hermes_bin, config=config)


def efforts(settings: ConsumerSettings, pipelines: Mapping[str, Any]) -> dict[JobType, Effort]:
    """What each job type's agent may spend, as manifests/pipelines.yaml says; job types without an agent are absent."""
    from consumer.agent.subagents import SubagentLimits  # noqa: PLC0415
    from consumer.stages.synthesize import Effort  # noqa: PLC0415

    models = {"large": settings.model, "small": settings.model_small}
    declared = {job_type: pipelines[job_type].get("agent") for job_type in get_args(JobType)}
    return {
        job_type: Effort(
            models[agent["model"]],
            agent["max_turns"],
            tuple(agent.get("brain_tools", ())),
            SubagentLimits(**agent["subagents"]) if "subagents" in agent else None,
        )
        for job_type, agent in declared.items()
        if agent
    }


def _reader(settings: ConsumerSettings, gateway: ModelGateway, workspaces: WorkspaceStore) -> ReadByModel | None:
    from consumer.agent.reader import ReadByModel  # noqa: PLC0415

    if settings.model_reader is None:
        return None
    share = dict.fromkeys(get_args(JobType), settings.reader_tokens)
    share["backfill_digest"] = settings.reader_backfill_tokens
    return ReadByModel(gateway, workspaces.narrowed, settings.model_reader, share)


def _judge(settings: ConsumerSettings, gateway: ModelGateway) -> ModelJudge | None:
    from consumer.agent.judge import ModelJudge  # noqa: PLC0415

    return ModelJudge(gateway, settings.model_judge) if settings.model_judge else None


def subagents_of(settings: ConsumerSettings) -> dict[str, tuple[Subagent, ...]]:
    """The subagents by profile. Reads all plugins and logs what it leaves out: call it once at a start."""
    from consumer.agent import plugin_files  # noqa: PLC0415

    ours = templates.FOLDER / "v1" / "gbrain-plugin"
    return plugin_files.for_profiles(
        ours, settings.gbrain_plugin_path or "", manifests.profiles(), manifests.model_prices()
    )


def models_in_use(settings: ConsumerSettings, subagents: Mapping[str, tuple[Subagent, ...]]) -> dict[str, str]:
    """Model -> the variable or the subagent's definition that names it. ``subagents``: by profile."""
    defined = {
        subagent.model: f"subagent {subagent.name}"
        for several in subagents.values()
        for subagent in several
        if subagent.model
    }
    return {**defined, **models_of(settings)}


def model_endpoints(
    settings: ConsumerSettings, models: Mapping[str, str], environ: Mapping[str, str]
) -> dict[str, Endpoint]:
    """Model -> the endpoint that MODEL_UPSTREAMS gives it. ``models``: see ``models_in_use``.

    Raises SettingsError if a key is not where its reference says, or if no setting names the model: nothing would use
    its endpoint.
    """
    if unknown := sorted({each.model for each in settings.model_upstreams} - models.keys()):
        used = ", ".join(f"{model} ({variable})" for model, variable in models.items())
        raise cannot_start(f"MODEL_UPSTREAMS: names {', '.join(unknown)}, but the models in use are {used}")
    try:
        return upstreams.resolve(settings.model_upstreams, environ)
    except ValueError as exc:
        raise cannot_start(f"MODEL_UPSTREAMS: {exc}") from None


def unpriced(models: Mapping[str, str], prices: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Warnings for models without a price. ``models``: model -> the variable that names it."""
    return [
        f"{variable}: {model} has no price in manifests/models.yaml, so limits on requests and tokens "
        "apply to it, but costs and money budgets do not include it"
        for model, variable in models.items()
        if model not in prices
    ]


def _gateway(
    settings: ConsumerSettings,
    models: Mapping[str, str],
    clock: Clock,
    blobs: BlobStore,
    *,
    shutdown: threading.Event,
) -> ModelGateway:
    from consumer.agent.gateway.ledger import UsageLimits  # noqa: PLC0415
    from consumer.agent.gateway.server import LoopbackGateway  # noqa: PLC0415
    from consumer.agent.gateway.slots import Slots  # noqa: PLC0415

    limits = manifests.limits()
    embeddings = limits["model_embeddings_per_job"]
    for warning in unpriced(models, manifests.model_prices()):
        telemetry.log(warning, level=telemetry.WARNING)
    return LoopbackGateway(
        base_url=settings.model_base_url,
        key=settings.openai_api_key,
        upstreams=model_endpoints(settings, models, environment()),
        models=frozenset(models),
        budget=UsageLimits(
            requests=limits["model_requests_per_job"],
            embeddings=embeddings,
            tokens=limits["model_tokens_per_job"],
            cost_usd=limits["model_cost_per_job"],
        ),
        budgets={
            "dream": UsageLimits(
                requests=limits["model_requests_per_job"],
                embeddings=embeddings,
                tokens=limits["dream_tokens"],
                cost_usd=limits["dream_cost"],
            )
        },
        prices=manifests.model_prices(),
        clock=clock,
        slots=Slots(
            blobs, clock, str(urlsplit(settings.model_base_url).hostname), limits["provider_slots"], shutdown=shutdown
        ),
        shutdown=shutdown,
    )
