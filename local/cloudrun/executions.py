"""Builds an execution from the job's template, the overrides of run_job, and Cloud Run's own variables."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping
from typing import Any

import grpc
from google.cloud.run_v2 import types

Execution = types.Execution.pb()


class ExecutionRefusal(Exception):
    """A request that the real service would refuse as well."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def build(job: Any, overrides: Any) -> Any:
    """A new execution of this job, as the overrides change it."""
    short = job.name.rsplit("/", 1)[-1]
    execution = Execution(
        name=f"{job.name}/executions/{short}-{secrets.token_hex(4)}",
        uid=str(uuid.uuid4()),
        job=short,
        generation=1,
        parallelism=1,
        task_count=overrides.task_count or job.template.task_count or 1,
        reconciling=True,
    )
    execution.template.CopyFrom(job.template.template)
    execution.create_time.GetCurrentTime()
    if overrides.HasField("timeout"):
        execution.template.timeout.CopyFrom(overrides.timeout)
    for override in overrides.container_overrides:
        _override(_container(execution, override.name), override)
    return execution


def _container(execution: Any, name: str) -> Any:
    for container in execution.template.containers:
        if name in ("", container.name):
            return container
    raise ExecutionRefusal(grpc.StatusCode.INVALID_ARGUMENT, f"The job has no container {name[:100]}.")


def _override(container: Any, override: Any) -> None:
    if override.args or override.clear_args:
        del container.args[:]
        container.args.extend(override.args)
    merged = {variable.name: variable for variable in container.env}
    merged.update({variable.name: variable for variable in override.env})
    kept = [type(variable).FromString(variable.SerializeToString()) for variable in merged.values()]
    del container.env[:]
    container.env.extend(kept)


def environment(execution: Any, index: int, attempt: int, secrets: Mapping[str, str]) -> dict[str, str]:
    """The container's variables and those that Cloud Run adds. ``secrets``: the content of Secret Manager, by name.

    Raises ExecutionRefusal: a variable refers to a secret that does not exist.
    """
    return {
        **{variable.name: _value(variable, secrets) for variable in execution.template.containers[0].env},
        "CLOUD_RUN_JOB": execution.job,
        "CLOUD_RUN_EXECUTION": execution.name.rsplit("/", 1)[-1],
        "CLOUD_RUN_TASK_INDEX": str(index),
        "CLOUD_RUN_TASK_ATTEMPT": str(attempt),
        "CLOUD_RUN_TASK_COUNT": str(execution.task_count),
    }


def _value(variable: Any, secrets: Mapping[str, str]) -> str:
    if variable.WhichOneof("values") != "value_source":
        return str(variable.value)
    secret = variable.value_source.secret_key_ref.secret
    if secret not in secrets:
        raise ExecutionRefusal(
            grpc.StatusCode.INVALID_ARGUMENT, f"{variable.name} refers to secret {secret!r}, which does not exist"
        )
    return secrets[secret]
