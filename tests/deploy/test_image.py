"""The image, as far as it can be checked without a daemon: pins, sources, users, and its Python layers, installed."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from consumer.agent.gbrain import brain, cli
from tests.deploy import image, linked
from tests.waiting import PATIENCE_S

ROOT = image.ROOT
PACKAGES = [
    name.rstrip("*")
    for name in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"][
        "include"
    ]
]
#: Beside compiled files, everything in a package's folder is part of it.
PROCESSES = ("consumer.entrypoints.push", "consumer.entrypoints.job", "publisher.main", "controlplane.main")

#: The command that installs what an image declares.
INSTALL = "/opt/cloop/bin/pip install --constraint requirements/constraints.txt --requirement dependencies.txt"
#: Run by the installed interpreter; its arguments are the packages whose homes it tells.
REPORT = """
import json, sys
import consumer.bootstrap, consumer.entrypoints.job, consumer.cli.main, consumer.entrypoints.push
import controlplane.db, controlplane.main, controlplane.migrate, controlplane.schema
import manifests, publisher.main, publisher.outbox, renderers.pages, templates
declared = (manifests.limits, manifests.pipelines, manifests.model_prices, manifests.profiles, manifests.volatile)
ours = [m for name, m in sys.modules.items() if name.partition(".")[0] in sys.argv[1:]]
print(json.dumps({
    "migrations": [m.name for m in controlplane.migrate.load()],
    "schema": controlplane.schema.FILE.read_text() == controlplane.schema.render(controlplane.migrate.load()),
    "queries": len(publisher.outbox.queries()),
    "manifests": [len(read()) for read in declared],
    "sources": len(manifests.export_manifest().sources),
    "templates": sorted(p.relative_to(templates.FOLDER).as_posix() for p in templates.FOLDER.rglob("*.md")),
    "homes": sorted({m.__file__ for m in ours if getattr(m, "__file__", None)}),
}))
"""
#: Run by the installed interpreter; imports the modules that its arguments name.
IMPORT = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
"""
#: Run by the installed interpreter; makes a key ring in the folder that its argument names.
MAKE_KEYS = """
import sys
from pathlib import Path
from consumer.clients import signing
signing.open_ring(Path(sys.argv[1]))
"""


# --- what it says


def test_the_linter_finds_nothing() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("stage", image.stages().values(), ids=lambda stage: stage.name)
def test_bases_are_pinned_to_a_version(stage: image.Stage) -> None:
    assert stage.base in image.stages() or re.fullmatch(r"[a-z/]+:\d+\.\d+\.\d+-[a-z-]+", stage.base)


@pytest.mark.parametrize(
    "step",
    [step for stage in image.stages().values() for step in stage.all("COPY")],
    ids=lambda step: f"line-{step.line}",
)
def test_every_copied_source_exists_and_is_in_the_context(step: image.Step) -> None:
    if step.source_stage:
        assert step.source_stage in list(image.stages())
        return
    allowed = {line[1:].rstrip("/") for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"}
    for source in step.words[:-1]:
        assert (ROOT / source).exists(), source
        assert source.split("/")[0] in allowed, f"{source} is kept out by .dockerignore"


def test_the_wheel_is_built_from_every_package_and_nothing_else() -> None:
    copied = {step.words[0].rstrip("/") for step in image.stages()["wheel"].all("COPY")}
    assert {name for name in copied if (ROOT / name).is_dir()} == set(PACKAGES)


@pytest.mark.parametrize(
    "step",
    [step for stage in image.stages().values() for step in stage.all("RUN")],
    ids=lambda step: f"line-{step.line}",
)
def test_nothing_is_installed_without_a_pin(step: image.Step) -> None:
    command = step.words[0]
    for install in re.findall(r"pip (?:install|wheel)[^&]*", command):
        assert "--constraint" in install or "--no-deps" in install, install
    for packages in re.findall(r"apt-get install([^&]*)", command):
        names = [word for word in packages.split() if not word.startswith("-")]
        assert names
        assert all("=" in name for name in names), packages
    if "bun install" in command:
        assert "--frozen-lockfile" in command


def test_tools_are_those_that_the_code_was_made_for() -> None:
    makefile = (ROOT / "Makefile").read_text()
    hermes, constraints = _argument("hermes", "HERMES_VERSION"), "requirements/hermes-constraints.txt"
    assert f"HERMES_VERSION := {hermes}\n" in makefile
    assert constraints in makefile
    assert constraints in [word for step in image.stages()["hermes"].all("COPY") for word in step.words]
    gbrain = _argument("brain", "GBRAIN_VERSION")
    assert brain.SUPPORTED.match(gbrain)
    assert gbrain in (ROOT / "vendor" / "README.md").read_text()


def test_a_missing_gbrain_stops_the_build_with_advice(tmp_path: Path) -> None:
    check = next(step for step in image.stages()["brain"].all("RUN") if "package.json" in step.words[0])
    command = check.words[0].replace("/build/", f"{tmp_path}/")
    done = subprocess.run(["/bin/sh", "-ec", command], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "vendor/README.md" in done.stderr
    (tmp_path / "vendor" / "gbrain").mkdir(parents=True)
    (tmp_path / "vendor" / "gbrain" / "package.json").write_text("{}")
    assert subprocess.run(["/bin/sh", "-ec", command], check=False).returncode == 0


def test_only_the_worker_starts_as_root_and_it_has_a_user_for_its_tools() -> None:
    assert list(image.stages())[-1] == "default"
    users = {name: image.last(name, "USER")[0] for name in ("app", "runtime", "worker", "default")}
    assert users == {"app": "10001:10001", "runtime": "10001:10001", "worker": "0:0", "default": "10001:10001"}
    agent = image.environment("worker")["AGENT_USER"]
    assert "AGENT_USER" not in image.environment("runtime")
    made = " ".join(step.words[0] for step in image.stages()["app"].all("RUN"))
    assert f"useradd --uid {agent.split(':')[0]} --gid {agent.split(':')[1]} " in made


def test_an_init_reaps_and_tools_are_where_the_settings_say() -> None:
    assert image.last("worker", "ENTRYPOINT") == ("/usr/bin/tini", "--")
    env = image.environment("worker")
    copied = {step.words[-1] for step in image.stages()["runtime"].all("COPY")}
    assert env["GBRAIN_BIN"] in copied
    assert any(env["HERMES_BIN"].startswith(f"{target}/") for target in copied)
    # Hermes starts GBrain by its own path; agents find python and the rest on theirs.
    assert str(Path(env["GBRAIN_BIN"]).parent) in cli.PATH.split(":")


def _argument(stage: str, name: str) -> str:
    values = dict(step.words[0].split("=") for step in image.stages()[stage].all("ARG"))
    return values[name]


# --- what it installs


def on_the_image(test: Callable[..., None]) -> Callable[..., None]:
    """Installing takes half a minute and more; one worker does it for all of these (see conftest.py)."""
    for mark in (pytest.mark.integration, pytest.mark.timeout(600)):
        test = mark(test)
    return test


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that stands for /: the stages wheel and venv, run as they are written.

    But for one command, which takes a minute: the packages come from this environment, not from the registry.
    """
    root = tmp_path_factory.mktemp("image")
    replay = image.Replay(root, _machine(), {INSTALL: partial(_link_packages, root)})
    for stage in ("wheel", "venv"):
        replay.run(stage)
    return root


def _link_packages(root: Path, stage: Path) -> None:
    (site,) = root.glob("opt/cloop/lib/python*/site-packages")
    linked.install(stage / "dependencies.txt", stage / "requirements/constraints.txt", site)


def _run(root: Path, *command: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """A program of the image, in an empty folder, with an environment built from nothing."""
    program = root / "opt" / "cloop" / "bin" / command[0]
    (root / "empty").mkdir(exist_ok=True)
    return subprocess.run(
        [program, *command[1:]],
        cwd=root / "empty",
        env={"PATH": os.defpath, "LANG": "C.UTF-8", **(env or {})},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@on_the_image
def test_the_wheel_holds_every_file_of_the_packages(installed: Path) -> None:
    (wheel,) = (installed / "wheel" / "build" / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = installed / "wheel" / "build"
    assert packed == {path.relative_to(sources).as_posix() for name in PACKAGES for path in _files(sources / name)}


@on_the_image
def test_the_same_sources_make_the_same_wheel(installed: Path) -> None:
    sources = installed / "wheel" / "build"
    (wheel,) = (sources / "dist").glob("*.whl")
    first = hashlib.sha256(wheel.read_bytes()).hexdigest()
    for made in (sources / "dist", sources / "build"):
        shutil.rmtree(made)
    image.Replay(installed, _machine()).run("wheel", skip=("COPY",))
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() == first


@on_the_image
def test_data_files_are_read_from_the_installed_packages(installed: Path) -> None:
    done = _run(installed, "python", "-I", "-c", REPORT, *PACKAGES)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    sources = installed / "wheel" / "build"
    assert document["migrations"] == sorted(
        path.name for path in (sources / "controlplane" / "migrations").glob("*.sql")
    )
    assert document["schema"] is True
    assert document["queries"] == (sources / "publisher" / "queries.sql").read_text().count("-- name:")
    assert all(document["manifests"])
    assert document["sources"] > 0
    folder = sources / "templates"
    assert document["templates"] == sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    assert all(home.startswith(str(installed / "opt" / "cloop")) for home in document["homes"])


@on_the_image
def test_everything_that_the_processes_import_is_declared(installed: Path) -> None:
    """Also what they import late: the development environment holds more than an image does."""
    foreign = {
        name
        for package in PACKAGES
        if package != "local"  # the embedded stack has an extra of its own
        for path in _files(ROOT / package)
        if path.suffix == ".py"
        for name in _imported(path)
        if name.partition(".")[0] not in PACKAGES
    }
    assert {"urllib3", "google.auth.transport.urllib3", "psycopg", "google.cloud"} <= foreign
    done = _run(installed, "python", "-I", "-c", IMPORT, *sorted(foreign))
    assert done.returncode == 0, done.stderr


@on_the_image
@pytest.mark.parametrize("module", PROCESSES)
def test_processes_start_from_the_wheel_and_ask_for_their_settings(installed: Path, module: str) -> None:
    done = _run(installed, "python", "-I", "-m", module)
    assert done.returncode == 2, done.stderr
    assert "missing" in done.stderr or "cannot start" in done.stderr
    assert "Traceback" not in done.stderr


@on_the_image
def test_the_push_app_serves_from_the_wheel(installed: Path) -> None:
    env = _consumer_env(installed)
    with subprocess.Popen(
        [installed / "opt" / "cloop" / "bin" / "cloop-memory", "consumer"],
        cwd=installed,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            port = _ready_port(process)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE_S) as reply:
                assert json.load(reply) == {"status": "alive"}
        finally:
            process.send_signal(signal.SIGTERM)
            # uvicorn ends in order and then lets the signal have its way.
            assert process.wait(PATIENCE_S) in (0, -signal.SIGTERM)


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _ready_port(process: subprocess.Popen[str]) -> int:
    assert process.stdout
    for line in process.stdout:
        if line.startswith("{") and json.loads(line)["message"] == "ready":
            return int(json.loads(line)["port"])
    raise AssertionError(f"ended with code {process.wait()} before it was ready")


def _consumer_env(root: Path) -> dict[str, str]:
    """Settings of a cloud, at servers that are not there: nothing is called before a push comes."""
    keys = root / "keys"
    keys.mkdir(exist_ok=True)
    made = _run(root, "python", "-I", "-c", MAKE_KEYS, str(keys))
    assert made.returncode == 0, made.stderr
    return {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "HOST": "127.0.0.1",
        "PORT": "0",
        "GOOGLE_CLOUD_PROJECT": "nowhere",
        "PUBSUB_EMULATOR_HOST": "127.0.0.1:9",
        "STORAGE_EMULATOR_HOST": "http://127.0.0.1:9",
        "WORKSPACE_BUCKET": "nothing",
        "CONTROLPLANE_URL": "http://127.0.0.1:9",
        "CONTROLPLANE_AUDIENCE": "https://nobody.test",
        "CLOUD_RUN_JOB": "projects/nowhere/locations/nowhere/jobs/none",
        "OPENAI_API_KEY": "none-needed-here",
        "SIGNING_KEY": str(keys),
        "RUN_ROOT": str(root / "run"),
        # As the worker image says it; tests may run as root, and root in the cloud does not start without one.
        "AGENT_USER": "10002:10002",
    }


def _machine() -> dict[str, str]:
    """How this machine reaches the registry."""
    passed = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or "CERT" in name}
    patient = {"PIP_RETRIES": "10", "PIP_DEFAULT_TIMEOUT": "60"}
    # Of thousands of installed modules the tests import few: those are compiled when they are.
    patient["PIP_NO_COMPILE"] = "1"
    return {"LANG": "C.UTF-8", "PIP_CACHE_DIR": str(Path.home() / ".cache" / "pip"), **patient, **passed}


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
