"""docs/deploy.md names what exists: commands, variables, outputs, resources, secrets, targets."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from consumer.cli import main
from consumer.clients import signing
from controlplane import migrate, schema
from tests.deploy import hcl, image

TEXT = (image.ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
CALLS = sorted(set(re.findall(r"^cloop-memory (.*?)(?: +#.*)?$", TEXT, re.MULTILINE)))


@pytest.mark.parametrize("call", CALLS)
def test_verbs_and_their_options_exist(call: str) -> None:
    words = shlex.split(call)
    path = [word for word in words[:2] if re.fullmatch("[a-z-]+", word)]
    shown = CliRunner().invoke(main.app, [*path, "--help"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0, shown.output
    for option in (word for word in words if word.startswith("--")):
        assert option in shown.output


def test_variables_targets_and_outputs_exist() -> None:
    (block,) = re.findall(r"<<'EOF'\n(.*?)EOF", TEXT, re.DOTALL)
    given = set(re.findall(r"^(\w+) +=", block, re.MULTILINE))
    assert {"project_id", "bucket_name", "image_version"} <= given <= set(hcl.document()["variable"])
    declared = {f"{kind}.{name}" for kind, name, _ in hcl.resources()}
    assert set(re.findall(r"-target=(\S+)", TEXT)) <= declared
    assert set(re.findall(r"`terraform output (\w+)`", TEXT)) <= set(hcl.document()["output"])
    assert set(re.findall(r"-var (\w+)=", TEXT)) <= set(hcl.document()["variable"])
    assert set(re.findall(r"--target (\w+)", TEXT)) <= set(image.stages())


def test_it_names_what_switches_search_by_meaning() -> None:
    switches = {"search_vectors", "embedding_model", "reader_embedding_model"}
    assert switches <= set(hcl.document()["variable"])
    assert {name for name in switches if f"`{name}" not in TEXT} == set()


def test_every_secret_is_filled() -> None:
    groups = ("worker_secrets", "publisher_secrets", "controlplane_secrets")
    secrets = {value for group in groups for value in hcl.locals_()[group].values()}
    assert {name for name in secrets if name not in TEXT} == set()
    assert set(re.findall(r"secrets versions add ([a-z-]+)", TEXT)) <= secrets


def test_pinned_bases_are_those_of_the_dockerfile() -> None:
    bases = {stage.base for stage in image.stages().values()} - set(image.stages())
    assert all(f"`{base}`" in TEXT or f"{base}=" in TEXT for base in bases)


def test_the_migrations_export_as_it_says(tmp_path: Path) -> None:
    (call,) = re.findall(r"^python (-m controlplane\.schema export) \S+ (\d+)", TEXT, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, *call[0].split(), str(tmp_path), call[1]],
        cwd=image.ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(done.stdout.splitlines()) == len(list(tmp_path.glob("*.sql"))) == len(migrate.load())
    assert schema.FILE.exists()


def test_a_signing_key_made_as_it_says_signs(tmp_path: Path) -> None:
    (command,) = re.findall(r"(openssl genpkey .*?) >", TEXT)
    made = subprocess.run(command.split(), capture_output=True, check=True)
    (tmp_path / "current.key").write_bytes(made.stdout)
    signer = signing.open_ring(tmp_path)
    assert signer.verify(signer.key_id, b"commit", signer.sign(b"commit"))
    assert [path.name for path in tmp_path.glob("*.pub")] == [f"{signer.key_id}.pub"]
