"""A workspace of template v1 becomes one of v2 at hydrate, and the next commit says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from consumer.errors import TemplateUnknown
from consumer.maintenance.verify import Verification
from consumer.repository.template import Templates
from consumer.snapshot.templates import Template, TemplateMigration, upgrades
from tests.unit.repository.workspaces import TEMPLATES, USER, Bench, Free, listing

FIXTURES = Path(__file__).parents[2] / "fixtures/templates"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_v1_workspace_is_upgraded_at_hydrate_and_recorded_in_the_commit(bench: Bench) -> None:
    store = bench.store(templates=FIXTURES)
    root = bench.folder()
    workspace = store.of(USER).hydrate(root, "v1", Free())
    (root / "brain/notes/ann.md").write_text("# Ann\n")
    (root / "brain/RULES.md").write_text("rules that somebody changed\n")
    store.of(USER).persist(root, workspace.base, bench.meta(), Free())

    root = bench.folder()
    workspace = store.of(USER).hydrate(root, "v2", Free())
    assert workspace.template_version == "v2"
    files = {path: data for path, (_, data) in listing(root).items()}
    assert files["brain/people/ann.md"] == b"# Ann\n"
    assert files["brain/RULES.md"] == b"second rules\n"
    assert files["brain/NEW.md"] == b"new page\n"
    assert not {"brain/notes", "brain/GREETING.md"} & files.keys()
    assert "runtime/new" in files
    meta = bench.meta("job-2")
    store.of(USER).persist(root, workspace.base, replace(meta, template_version="v2"), Free())
    again = bench.folder()
    bench.store(templates=FIXTURES).of(USER).hydrate(again, "v2", Free())
    assert listing(again) == listing(root)
    commit = bench.store().of(USER).load().commit
    assert commit is not None
    assert commit.template_version == "v2"
    assert Verification(bench.blobs, store.signer, bench.clock, USER, Free()).run().ok


def test_an_upgrade_moves_and_adds_into_folders_that_are_new(tmp_path: Path) -> None:
    """The template declares the top of its folders alone; what lies deeper is made when something goes there."""
    folder, root = tmp_path / "templates", tmp_path / "root"
    for version, declared in {
        "v1": {"version": "v1", "folders": ["brain"]},
        "v2": {
            "version": "v2",
            "folders": ["brain"],
            "migration": {"from_version": "v1", "moves": [["brain/notes", "brain/people/of/notes"]]},
        },
    }.items():
        (folder / version / "brain").mkdir(parents=True)
        (folder / version / "template.yaml").write_text(yaml.safe_dump(declared))
    (folder / "v2/brain/guides/deep").mkdir(parents=True)
    (folder / "v2/brain/guides/deep/HOW.md").write_text("how\n")
    root.mkdir()
    templates = Templates(folder)
    templates.instantiate("v1", root)
    (root / "brain/notes").mkdir()
    (root / "brain/notes/ann.md").write_text("# Ann\n")
    templates.upgrade("v1", "v2", root)
    assert {path: data for path, (_, data) in listing(root).items() if data} == {
        "brain/people/of/notes/ann.md": b"# Ann\n",
        "brain/guides/deep/HOW.md": b"how\n",
    }
    assert (root / "brain/people/of").stat().st_mode & 0o777 == 0o755


def test_an_upgrade_removes_and_replaces_files_links_and_whole_folders(tmp_path: Path) -> None:
    folder, root, outside = tmp_path / "templates", tmp_path / "root", tmp_path / "outside"
    migration = {
        "from_version": "v1",
        "removes": ["brain/old", "brain/gone.md", "brain/link", "brain/never"],
        "replaces": ["brain/guides", "brain/RULES.md"],
    }
    for version, declared in {
        "v1": {"version": "v1", "folders": ["brain"]},
        "v2": {"version": "v2", "folders": ["brain"], "migration": migration},
    }.items():
        (folder / version / "brain").mkdir(parents=True)
        (folder / version / "template.yaml").write_text(yaml.safe_dump(declared))
    for path in ("brain/guides/HOW.md", "brain/RULES.md"):
        (folder / "v2" / path).parent.mkdir(exist_ok=True)
        (folder / "v2" / path).write_text("second\n")
    outside.mkdir()
    (outside / "kept.md").write_text("kept\n")
    for path in ("old/deep/a.md", "gone.md", "guides/HOW.md", "guides/mine.md", "RULES.md", "stays.md"):
        (root / "brain" / path).parent.mkdir(parents=True, exist_ok=True)
        (root / "brain" / path).write_text("first\n")
    (root / "brain/link").symlink_to(outside)
    Templates(folder).upgrade("v1", "v2", root)
    assert {path: data for path, (_, data) in listing(root).items() if data} == {
        "brain/guides/HOW.md": b"second\n",
        "brain/RULES.md": b"second\n",
        "brain/stays.md": b"first\n",
    }
    assert not (root / "brain/old").exists()
    assert (outside / "kept.md").read_text() == "kept\n"


def test_there_is_no_way_back_and_no_way_to_what_is_not_there(bench: Bench) -> None:
    store = bench.store(templates=FIXTURES)
    root = bench.folder()
    workspace = store.of(USER).hydrate(root, "v2", Free())
    meta = bench.meta()
    store.of(USER).persist(root, workspace.base, replace(meta, template_version="v2"), Free())
    with pytest.raises(TemplateUnknown, match="there is no migration from template 'v2' to 'v1'"):
        store.of(USER).hydrate(bench.folder(), "v1", Free())
    with pytest.raises(TemplateUnknown, match="unknown template 'v9'"):
        store.of(USER).hydrate(bench.folder(), "v9", Free())
    with pytest.raises(TemplateUnknown, match="no template 'v9'"):
        bench.store(templates=FIXTURES).of("22222222-2222-4222-8222-222222222222").hydrate(bench.folder(), "v9", Free())


def test_upgrades_are_a_chain_and_a_circle_is_refused() -> None:
    def template(version: str, before: str | None) -> Template:
        migration = TemplateMigration(from_version=before) if before else None
        return Template(version=version, folders=("brain",), migration=migration)

    line = {name: template(name, before) for name, before in (("v1", None), ("v2", "v1"), ("v3", "v2"))}
    assert [step.version for step in upgrades(line, "v1", "v3")] == ["v2", "v3"]
    assert upgrades(line, "v2", "v2") == []
    circle = {"a": template("a", "b"), "b": template("b", "a")}
    with pytest.raises(TemplateUnknown):
        upgrades(circle, "v1", "a")


@pytest.mark.parametrize("path", ["../out", "/etc/x", "a/../b"])
def test_a_template_cannot_name_what_is_outside(path: str) -> None:
    with pytest.raises(ValueError, match="not a plain relative path"):
        Template(version="v1", folders=(path,))


def test_our_own_template_has_every_folder_the_specification_names(bench: Bench) -> None:
    root, _ = bench.hydrate(bench.store(templates=TEMPLATES))
    for name in (
        *("hermes-home/skills", "hermes-home/sessions", "hermes-home/logs", "hermes-home/cron", "hermes-home/plugins"),
        *("gbrain-home/.gbrain", "brain/sources/cloop", "brain/people", "brain/meetings", "brain/concepts"),
        *("brain/reports/backfill", "brain/reports/digest", "brain/reports/insights", "brain/projects", "brain/daily"),
        *("runtime/exports", "runtime/cursors", "runtime/manifests", "runtime/reports", "runtime/job-runs"),
    ):
        assert (root / name).is_dir(), name
    assert "sources/cloop" in (root / "brain/RESOLVER.md").read_text()
    assert "read only" in (root / "brain/ACCESS_POLICY.md").read_text()
