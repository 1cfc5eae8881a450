"""Workspace templates: the content of a version, and the upgrade of an older workspace to it.

``templates/<version>/template.yaml`` declares a template. Its steps are ordered and the same on every run, so an
upgrade at hydrate needs no further code and can be repeated from the older snapshot at any time.
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
    """The steps to upgrade a workspace of template ``from_version``, in this order: moves, removes, replaces."""

    from_version: str
    #: (from, to): files or folders; missing ones are skipped.
    moves: tuple[tuple[RelativePath, RelativePath], ...] = ()
    removes: tuple[RelativePath, ...] = ()
    #: Files of the new template that replace existing ones. All others are added only where absent.
    replaces: tuple[RelativePath, ...] = ()


class Template(_Model):
    version: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]
    #: Folders of every workspace, including empty ones (which git does not store).
    folders: tuple[RelativePath, ...]
    migration: TemplateMigration | None = None


def upgrades(templates: Mapping[str, Template], have: str, want: str) -> list[Template]:
    """The templates to apply, in order, to get from ``have`` to ``want``; none if they are the same.

    Raises TemplateUnknown: there is no such version, or no upgrade to it. Downgrades do not exist.
    """
    if want not in templates:
        raise TemplateUnknown(f"unknown template {want!r}; existing ones: {', '.join(sorted(templates)) or 'none'}")
    steps: list[Template] = []
    version = want
    while version != have:
        template = templates[version]
        before = template.migration.from_version if template.migration else None
        if before is None or before not in templates or template in steps:
            raise TemplateUnknown(f"there is no migration from template {have!r} to {want!r}")
        steps.append(template)
        version = before
    return steps[::-1]
