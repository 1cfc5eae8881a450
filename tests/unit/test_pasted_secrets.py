"""A secret that was pasted ends in a newline, and no process keeps it: each reads its environment by one function."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import consumer.settings
import controlplane.settings
import publisher.settings
from consumer.console import settings as console_settings
from tests.tables import table

Load = Callable[[Mapping[str, str]], Any]

FAULTS = (consumer.settings.SettingsError, publisher.settings.SettingsError, controlplane.settings.SettingsError)
PROCESSES: dict[str, tuple[Load, dict[str, str]]] = {
    "consumer": (
        consumer.settings.load,
        {
            **{
                variable.name: variable.example
                for variable in consumer.settings.variables()
                if variable.default is None
            },
            **{variable.name: "sk-1" for variable in consumer.settings.variables() if variable.secret},
            "DISPATCH": "inline",
        },
    ),
    "command line": (
        consumer.settings.load_operator,
        {variable.name: variable.example for variable in consumer.settings.variables() if variable.default is None},
    ),
    "console": (
        console_settings.load,
        {
            "CONSOLE_OIDC_ISSUER": "https://accounts.google.com",
            "CONSOLE_OIDC_CLIENT_ID": "client",
            "CONSOLE_OIDC_CLIENT_SECRET": "s3cret",
            "CONSOLE_EMAILS": "ann@example.com",
        },
    ),
    "publisher": (
        publisher.settings.load,
        {
            "DATABASE_URL": "postgresql://memory_relay@db:5432/postgres",
            "WEBHOOK_SECRET": "0123456789abcdef0123456789abcdef",
            "GOOGLE_CLOUD_PROJECT": "project",
        },
    ),
    "control plane": (
        controlplane.settings.load,
        {
            "DATABASE_URL": "postgresql://memory@db:5432/postgres",
            "EXPORT_DATABASE_URL": "postgresql://memory_export_reader@db:5432/postgres",
            "CONTROLPLANE_AUDIENCE": "https://control.example",
            "CONSUMER_SERVICE_ACCOUNTS": "worker@example.com",
            "JOB_TOKEN_KEY": "/keys/10.pem",
            "WORKSPACE_BUCKET": "bucket",
        },
    ),
}


@table("process", PROCESSES)
@table("around", ["{}\n", "{}\r\n", " {} \t\n"])
def test_no_process_keeps_white_space_around_a_value(process: str, around: str) -> None:
    load, environ = PROCESSES[process]
    pasted = {name: around.format(value) for name, value in environ.items()}
    assert dataclasses.asdict(load(pasted)) == dataclasses.asdict(load(environ))


@table("process", PROCESSES)
def test_white_space_alone_is_no_value(process: str) -> None:
    load, environ = PROCESSES[process]
    name = next(iter(environ))
    without = {key: value for key, value in environ.items() if key != name}
    assert outcome(load, {**without, name: " \n"}) == outcome(load, without)


def outcome(load: Load, environ: Mapping[str, str]) -> Any:
    """The settings as a mapping, or what is wrong with the environment."""
    try:
        return dataclasses.asdict(load(environ))
    except FAULTS as exc:
        return str(exc)
