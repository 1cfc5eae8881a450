"""Create a new workspace from its template, and upgrade an older one."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml
from pydantic import ValidationError

from consumer.errors import TemplateUnknown
from consumer.snapshot import templates
from consumer.snapshot.templates import Template

DECLARATION: Final = "template.yaml"


@dataclass(frozen=True, slots=True)
class Templates:
    """The folder ``templates/``: one folder per version, each with a template.yaml and the files."""

    folder: Path

    def instantiate(self, version: str, root: Path) -> None:
        """Fill an empty ``root``. Raises TemplateUnknown."""
        template = self._all().get(version)
        if template is None:
            raise TemplateUnknown(f"no template {version!r} in {self.folder.name}/")
        self._copy_files(template, root)

    def upgrade(self, have: str, want: str, root: Path) -> None:
        """Upgrade a workspace from version ``have`` to ``want``. Raises TemplateUnknown."""
        for template in templates.upgrades(self._all(), have, want):
            if migration := template.migration:
                for old, new in migration.moves:
                    _move(root / old, root / new)
                for path in migration.removes:
                    _remove(root / path)
                for path in migration.replaces:
                    _remove(root / path)
            self._copy_files(template, root)

    def _all(self) -> dict[str, Template]:
        declared = [_declared(path) for path in sorted(self.folder.glob(f"*/{DECLARATION}"))]
        return {template.version: template for template in declared}

    def _copy_files(self, template: Template, root: Path) -> None:
        for folder in template.folders:
            (root / folder).mkdir(mode=0o755, parents=True, exist_ok=True)
        source = self.folder / template.version
        # Only files of the workspace; prompts and report frames lie next to them.
        for path in _files([source / top for top in sorted({name.split("/")[0] for name in template.folders})]):
            target = root / path.relative_to(source)
            if not target.exists():
                target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())
                target.chmod(0o644)


def _declared(path: Path) -> Template:
    try:
        return Template.model_validate(yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    except ValidationError as exc:
        raise TemplateUnknown(f"{path.parent.name}/{path.name} is not a template declaration: {exc}") from exc


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".gitkeep")


def _move(source: Path, target: Path) -> None:
    if source.exists() and not target.exists():
        target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        source.rename(target)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
