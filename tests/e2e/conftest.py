"""One embedded stack a test process, and the sample users in it. Each module works on jobs and users of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import psycopg
import pytest

from consumer import bootstrap, layout, settings
from consumer.maintenance.verify import Verification
from consumer.repository.history import History
from consumer.run import NoDeadline
from contract.api import EnableUserRequest
from local import seed
from local.jobs import AppJobs
from local.stack import Stack
from tests.fixtures_pages import rendered_pages

#: For a job, on a busy machine and with its retries.
JOB_S = 240.0
#: For a command; the longest of them waits for a job.
CLI_S = JOB_S
#: Stands in for the model provider's key: it may be found nowhere.
CANARY_KEY = "sk-canary-7f3a91c2e5d84b60a1"


@dataclass(frozen=True)
class System:
    """The running stack, its sample users, and the ways to look at both."""

    stack: Stack
    users: seed.SampleUsers
    jobs: AppJobs
    operations: bootstrap.Operations

    @property
    def me(self) -> str:
        return self.users.main.user_id

    def history(self, user_id: str) -> History:
        return History(self.operations.workspaces.of(user_id))

    def pages(self, user_id: str, into: Path) -> dict[str, str]:
        """Path below ``brain/`` -> text of every page that rendering made of this user; ``into`` is not there yet."""
        self.history(user_id).hydrate(into, NoDeadline())
        return rendered_pages(into / layout.BRAIN)

    def cli(self, *arguments: str, env: Mapping[str, str] = MappingProxyType({})) -> subprocess.CompletedProcess[str]:
        """``cloop-memory`` as an operator runs it, against this stack."""
        return subprocess.run(
            [sys.executable, "-m", "consumer.cli.main", *arguments],
            env={**os.environ, **self.stack.operator_env(), **env},
            capture_output=True,
            text=True,
            timeout=CLI_S,
            check=False,
        )

    def faults(self, user_id: str) -> list[str]:
        """The faults that ``workspace verify`` reports in the user's history, without the second for its start."""
        repository = self.operations.workspaces.of(user_id)
        store = repository.store
        report = Verification(repository.blobs, store.signer, store.clock, user_id, NoDeadline()).run()
        return [f"{fault.invariant}: {fault.object}: {fault.detail}" for fault in report.faults]

    def commits_of(self, user_id: str, job_id: str) -> list[int]:
        """Seqs of the commits that this job made: one, or the history is wrong."""
        return [commit.seq for _, commit in self.history(user_id).log() if commit.job_id == job_id]


@pytest.fixture(scope="session")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    folder: Path = tmp_path_factory.mktemp("stack")
    with Stack(folder / "state", extra_env={"OPENAI_API_KEY": CANARY_KEY}, purge_after_deletion_s=0) as stack:
        with psycopg.connect(stack.dsn) as connection:
            users = seed.seed(connection, datetime.now(UTC).date())
        operations = bootstrap.operations(settings.load_operator(stack.operator_env()))
        for user in users.all:
            operations.api.enable_user(EnableUserRequest(email=user.email))
        yield System(stack, users, AppJobs(stack.dsn), operations)
        operations.close()
    assert [part.name for part in stack.parts.values() if part.alive()] == []
