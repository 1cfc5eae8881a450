"""Environment variables: how to read and describe one. Secret values are never shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from contract import dsn
from contract.environment import given

T = TypeVar("T")
#: A rule between variables: (a check, what to do if it fails).
Rule = tuple[Callable[[T], bool], str]


class SettingsError(Exception):
    """Variables are missing or wrong; the message lists each one and what to set."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable: how to read and describe it."""

    name: str
    parse: Callable[[str], Any]
    about: str
    #: A right value; without one, the default is.
    example: str = ""
    #: None: required, unless the parser takes nothing for None.
    default: str | None = None
    unit: str = ""
    secret: bool = False
    #: The value is not secret, but somebody may enter a secret by mistake, so errors do not show a wrong value.
    guarded: bool = False
    #: The name of the setting; without one, the variable's in lower case.
    field: str = ""

    def __post_init__(self) -> None:
        if self.default is None and self.parse in (optional, optional_path, optional_url, user):
            object.__setattr__(self, "default", "")
        object.__setattr__(self, "example", self.example or self.default)
        object.__setattr__(self, "field", self.field or self.name.lower())


def text(value: str) -> str:
    """Any text."""
    return value


def optional(value: str) -> str | None:
    """Text, or None if empty."""
    return value or None


def listed(value: str) -> tuple[str, ...]:
    """Comma-separated parts, without space around them and without empty ones."""
    return tuple(part.strip() for part in value.split(",") if part.strip())


def path(value: str) -> Path:
    """An absolute path."""
    return Path(value).expanduser().absolute()


def optional_path(value: str) -> Path | None:
    """An absolute path, or None if empty."""
    return path(value) if value else None


def positive(value: str) -> int:
    """A whole number above 0."""
    number = int(value)
    if number <= 0:
        raise ValueError("must be a whole number above 0")
    return number


def port(value: str) -> int:
    """A TCP port; 0: any free one."""
    number = int(value)
    if not 0 <= number <= 65535:
        raise ValueError("must be 0 (any free port) to 65535")
    return number


def user(value: str) -> tuple[int, int] | None:
    """``uid:gid``, or None if empty."""
    if not value:
        return None
    uid, _, gid = value.partition(":")
    return positive(uid), positive(gid)


def url(value: str) -> str:
    """An http or https URL without a slash at its end.

    Raises ValueError: says what must be there. It never repeats the value: somebody may have written a key into it.
    """
    try:
        parts = urlsplit(value)
        is_complete = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        # urlsplit repeats a host or a port that it cannot read.
        is_complete = False
    if not is_complete or not value.isprintable() or " " in value:
        raise ValueError("must be an http or https URL")
    if "#" in value:
        raise ValueError("must be a URL without a fragment (#...)")
    return value.rstrip("/")


def optional_url(value: str) -> str | None:
    """A URL, or None if empty."""
    return url(value) if value else None


def choice(*allowed: str) -> Callable[[str], str]:
    """A parser of one of these words."""

    def parse(value: str) -> str:
        if value not in allowed:
            raise ValueError(f"must be one of: {', '.join(allowed)}")
        return value

    return parse


#: The same in every process that speaks to PostgreSQL.
DATABASE_CA = Variable("DATABASE_CA", optional, dsn.CA_ABOUT, example="/secrets/supabase-ca.pem")
#: The same in every process that sends spans only.
SPANS = Variable(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    optional,
    "OTLP endpoint for spans; empty: none are sent. The OpenTelemetry SDK reads others",
    example="http://collector:4318",
    field="otlp_endpoint",
)


def read_all(source: Mapping[str, str], wanted: Iterable[Variable]) -> dict[str, Any]:
    """Field -> value of each variable. Raises SettingsError: lists every missing or wrong one."""
    values: dict[str, Any] = {}
    faults: list[str] = []
    for variable in wanted:
        try:
            values[variable.field] = _read(variable, source)
        except ValueError as exc:
            faults.append(f"{variable.name}: {exc} (e.g. {variable.example})")
    if faults:
        raise cannot_start(*faults)
    return values


def hold(settings: T, rules: Iterable[Rule[T]]) -> T:
    """The settings, if all rules between variables hold. Raises SettingsError: what to do about each broken rule."""
    if faults := [advice for holds, advice in rules if not holds(settings)]:
        raise cannot_start(*faults)
    return settings


def masked(settings: Any, wanted: Iterable[Variable]) -> str:
    """A ``repr`` of settings without the values of secret variables."""
    secret = {variable.field for variable in wanted if variable.secret}
    shown = (f"{f.name}={'***' if f.name in secret else repr(getattr(settings, f.name))}" for f in fields(settings))
    return f"{type(settings).__name__}({', '.join(shown)})"


def cannot_start(*faults: str) -> SettingsError:
    """The error for wrong variables; each fault has the variable's name and what to do."""
    return SettingsError("cannot start, correct these variables:\n  " + "\n  ".join(faults))


def _read(variable: Variable, source: Mapping[str, str]) -> Any:
    raw = given(source, variable.name) or variable.default
    if raw is None:
        raise ValueError(f"not set; {variable.about}")
    try:
        return variable.parse(raw)
    except ValueError as exc:
        shown = "a value that" if variable.secret or variable.guarded else repr(raw[:80])
        reason = str(exc) if "must" in str(exc) else "has the wrong form"
        raise ValueError(f"{shown} {reason}") from None
