"""Declarations shared by several programs, and their only loader. Data only."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import yaml

from contract import manifest
from contract.profile import Profile


def _load(name: str) -> Any:
    return yaml.load(resources.files(__name__).joinpath(name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


@cache
def export_manifest() -> manifest.ExportManifest:
    """manifests/memory-export-manifest.yaml, validated."""
    return manifest.parse(_load("memory-export-manifest.yaml"))


@cache
def limits() -> dict[str, Any]:
    """manifests/limits.yaml: name -> value."""
    return {name: entry["value"] for name, entry in _load("limits.yaml")["limits"].items()}


@cache
def pipelines() -> dict[str, Any]:
    """manifests/pipelines.yaml: job type -> {stages, budget_s, dispatch}."""
    document: dict[str, Any] = _load("pipelines.yaml")["pipelines"]
    return document


@cache
def model_prices() -> dict[str, dict[str, float]]:
    """manifests/models.yaml: model -> USD per million tokens by input, cached, output."""
    document: dict[str, dict[str, float]] = _load("models.yaml")["models"]
    return document


@cache
def profiles() -> dict[str, Profile]:
    """manifests/profiles.yaml, validated: runtime profile -> its agents' permissions."""
    return {
        name: Profile.model_validate({"name": name, **entry})
        for name, entry in _load("profiles.yaml")["profiles"].items()
    }


@cache
def volatile() -> tuple[str, ...]:
    """manifests/volatile.yaml: name patterns that snapshots leave out."""
    return tuple(entry["pattern"] for entry in _load("volatile.yaml")["patterns"])
