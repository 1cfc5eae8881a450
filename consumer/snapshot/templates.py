"""Workspace templates: what a version brings, and how an older workspace becomes one of it.

``templates/<version>/template.yaml`` is one of these. Steps are declared, ordered and the same on every run, so an
upgrade at hydrate needs no code of its own and can be repeated from the older snapshot at any time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from consumer.errors import TemplateUnknown
from consumer.snapshot.snapshot import name_fault


def _safe(path: str) -> str:
    if fault := name_fault(path):
        raise ValueError(f"{path[:80]!r}: {fault}")
    return path


RelativePath = Annotated[str, AfterValidator(_safe)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TemplateMigration(_Model):
    """What has to be done to a workspace of template ``from_version``, in this order: moves, removes, replaces."""

    from_version: str
    #: (from, to): files or folders; what is not there is passed over.
    moves: tuple[tuple[RelativePath, RelativePath], ...] = ()
    removes: tuple[RelativePath, ...] = ()
    #: Files of the new template that replace what the workspace has. All others are added only where absent.
    replaces: tuple[RelativePath, ...] = ()


class Template(_Model):
    version: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]
    #: Folders that exist in every workspace, empty ones too (git keeps none).
    folders: tuple[RelativePath, ...]
    migration: TemplateMigration | None = None


def upgrades(templates: Mapping[str, Template], have: str, want: str) -> list[Template]:
    """The templates to apply, in order, to get from ``have`` to ``want``; none if they are the same.

    Raises:
        TemplateUnknown: there is no such version, or no way to it. Nothing ever goes back to an older version.
    """
    if want not in templates:
        raise TemplateUnknown(f"no template {want!r}; there are: {', '.join(sorted(templates)) or 'none'}")
    steps: list[Template] = []
    version = want
    while version != have:
        template = templates[version]
        before = template.migration.from_version if template.migration else None
        if before is None or before not in templates or template in steps:
            raise TemplateUnknown(f"no migration leads from template {have!r} to {want!r}")
        steps.append(template)
        version = before
    return steps[::-1]
