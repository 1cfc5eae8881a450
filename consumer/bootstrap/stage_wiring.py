"""The stages of a run, and the tools that they work with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

import manifests
import templates
from consumer import telemetry
from consumer.engine.suppressions import Suppressions
from consumer.engine.workspace import WorkspaceStore
from consumer.ports import Agent, BlobStore, Brain, Clock, ModelGateway, Tool
from consumer.settings import Settings, cannot_start
from consumer.stages.base import Stage
from contract.event import StageName


def stages(
    settings: Settings, blobs: BlobStore, workspaces: WorkspaceStore, suppressions: Suppressions, clock: Clock
) -> Mapping[StageName, Stage]:
    from consumer.adapters import plugins  # noqa: PLC0415
    from consumer.adapters.process import ProcessTool, User, hide_process  # noqa: PLC0415
    from consumer.adapters.recordindex import open_index, open_sightings  # noqa: PLC0415
    from consumer.stages.evidence import Desk  # noqa: PLC0415
    from consumer.stages.export import Export  # noqa: PLC0415
    from consumer.stages.hydrate import Hydrate  # noqa: PLC0415
    from consumer.stages.index import Index  # noqa: PLC0415
    from consumer.stages.persist import Persist  # noqa: PLC0415
    from consumer.stages.render import Render  # noqa: PLC0415
    from consumer.stages.report.stage import Report  # noqa: PLC0415
    from consumer.stages.synthesize.stage import Synthesize  # noqa: PLC0415

    hide_process()
    agent_user = agent_user_of(settings, os.geteuid())
    tool = ProcessTool(clock, user=User(*agent_user) if agent_user else None, fence=_agent_fence(settings))
    brain = _brain(settings, tool, clock)
    gateway = _gateway(settings, clock, blobs)
    manifest = manifests.export_manifest()
    template, desk = templates.FOLDER / "v1", Desk()
    return {
        "hydrate": Hydrate(workspaces, suppressions.read),
        "export": Export(manifest, open_sightings, page_records=manifests.limits()["export_page"]),
        "render": Render(manifest, open_index),
        "index": Index(brain, gateway),
        "synthesize": Synthesize(
            agent=_agent(settings, tool, template),
            brain=brain,
            gateway=gateway,
            bucket_of=workspaces.blobs,
            model=settings.model,
            prompts={
                path.stem: path.read_text(encoding="utf-8") for path in sorted((template / "prompts").glob("*.md"))
            },
            profiles=manifests.profiles(),
            subagents=plugins.for_profiles(
                template / "gbrain-plugin", settings.gbrain_plugin_path or "", manifests.profiles()
            ),
            desk=desk,
        ),
        "report": Report(desk),
        "persist": Persist(workspaces, clock),
    }


def agent_user_of(settings: Settings, euid: int) -> tuple[int, int] | None:
    """Whom agents and brains run as, said once at start where that is not a user of their own.

    Raises SettingsError: in the cloud, as root, without one; their code could read our keys from /proc.
    """
    if euid == 0 and settings.agent_user is None and settings.mode == "cloud":
        raise cannot_start("AGENT_USER: not set, and this process is root")
    if euid == 0 and settings.agent_user:
        return settings.agent_user
    why = "AGENT_USER is not set" if euid == 0 else "this process is not root"
    telemetry.log(f"agents and brains run as this process's own user: {why}", level=30)
    return None


def _agent_fence(settings: Settings) -> bool:
    """Whether tools get a network of their own, said once at start where they do not.

    Raises SettingsError: it is demanded, and cannot be had here.
    """
    from consumer.adapters import netfence  # noqa: PLC0415

    why = "AGENT_FENCE=off" if settings.agent_fence == "off" else netfence.unavailable()
    if why and settings.agent_fence == "required":
        raise cannot_start(f"AGENT_FENCE: required, and no network namespace: {why}")
    if why:
        telemetry.log(f"agents and brains reach the network that this process reaches: {why}", level=30)
    return why is None


def _brain(settings: Settings, tool: Tool, clock: Clock) -> Brain:
    if settings.brain == "local":
        from consumer.adapters.localbrain.brain import LocalBrain, refuse_local  # noqa: PLC0415

        refuse_local(settings.mode, "any")
        return LocalBrain()
    from consumer.adapters.gbrain.brain import GBrain  # noqa: PLC0415

    return GBrain(
        tool=tool,
        binary=settings.gbrain_bin,
        clock=clock,
        embedding_model=settings.embedding_model,
        template=settings.gbrain_template,
        dream_s=float(manifests.limits()["dream"]),
    )


def _agent(settings: Settings, tool: Tool, template: Path) -> Agent:
    from consumer.adapters.hermes.agent import HermesAgent  # noqa: PLC0415

    config: dict[str, Any] = yaml.safe_load((template / "hermes-home" / "config.yaml").read_text(encoding="utf-8"))
    return HermesAgent(tool=tool, binary=settings.hermes_bin, config=config)


def _gateway(settings: Settings, clock: Clock, blobs: BlobStore) -> ModelGateway:
    from consumer.gateway.ledger import Budget  # noqa: PLC0415
    from consumer.gateway.server import LoopbackGateway  # noqa: PLC0415
    from consumer.gateway.slots import Slots  # noqa: PLC0415

    limits = manifests.limits()
    return LoopbackGateway(
        base_url=settings.model_base_url,
        key=settings.openai_api_key,
        models=frozenset({settings.model, settings.embedding_model}),
        budget=Budget(
            requests=limits["model_requests_per_job"],
            embeddings=limits["model_embeddings_per_job"],
            tokens=limits["model_tokens_per_job"],
            cost_usd=limits["model_cost_per_job"],
        ),
        prices=manifests.model_prices(),
        clock=clock,
        slots=Slots(blobs, clock, str(urlsplit(settings.model_base_url).hostname), limits["provider_slots"]),
    )
