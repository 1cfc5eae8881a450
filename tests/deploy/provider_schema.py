"""
What ``terraform validate`` would say of arguments, without the provider's registry.

``python -m tests.deploy.provider_schema WHEEL``: WHEEL is cdktf-cdktf-provider-google from PyPI. Its description of the
provider lists every argument and block of every resource. Exit code 1 names what the provider does not know or misses.
"""

from __future__ import annotations

import io
import json
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.deploy import hcl

#: Of terraform itself, known to every resource.
META = {"count", "for_each", "provider", "depends_on", "lifecycle", "timeouts", "provisioner", "connection"}
Shape = dict[str, tuple[str | None, bool]]


def shapes(wheel: Path) -> dict[str, Shape]:
    """Name of a described structure -> argument -> (structure of a block, whether it is required)."""
    with zipfile.ZipFile(wheel) as archive:
        inner = next(name for name in archive.namelist() if name.endswith(".jsii.tgz"))
        with tarfile.open(fileobj=io.BytesIO(archive.read(inner))) as package:
            described = package.extractfile("package/.jsii")
            assert described
            types = json.load(described)["types"]
    return {
        name: {
            _snake(p["name"]): (next(_references(p["type"]), None), not p.get("optional")) for p in entry["properties"]
        }
        for name, entry in types.items()
        if entry["kind"] == "interface" and "properties" in entry
    }


def faults(known: dict[str, Shape]) -> Iterator[str]:
    """Every argument that is unknown, and every required one that is missing."""
    by_lower = {name.rsplit(".", 1)[1].lower(): name for name in known}
    for kind, name, body in hcl.resources():
        config = by_lower.get(kind.removeprefix("google_").replace("_", "") + "config")
        if config is None:
            yield f"{kind}.{name}: no such resource"
        else:
            yield from _body(f"{kind}.{name}", body, config, known)


def _body(where: str, body: dict[str, Any], shape: str, known: dict[str, Shape]) -> Iterator[str]:
    blocks = {key: value for entry in body.get("dynamic", []) for key, value in entry.items()}
    given = {key: value for key, value in body.items() if key != "dynamic" and key not in META}
    given |= {key: value["content"] for key, value in blocks.items()}
    arguments = known[shape]
    yield from (f"{where}: no argument {key}" for key in given if key not in arguments)
    yield from (
        f"{where}: {key} is missing" for key, (_, required) in arguments.items() if required and key not in given
    )
    for key, value in given.items():
        inner = arguments.get(key, (None, False))[0]
        for block in value if isinstance(value, list) else []:
            if inner in known and isinstance(block, dict):
                yield from _body(f"{where}.{key}", block, inner, known)


def _references(described: Any) -> Iterator[str]:
    if isinstance(described, dict):
        if str(described.get("fqn", "")).startswith("@cdktf/provider-google."):
            yield described["fqn"]
        for inner in described.values():
            yield from _references(inner)
    elif isinstance(described, list):
        for inner in described:
            yield from _references(inner)


def _snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda match: "_" + match[0].lower(), name)


def main(arguments: list[str]) -> int:
    known = shapes(Path(arguments[0]))
    lines = list(faults(known))
    for fault in lines:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write(f"{len(list(hcl.resources()))} resources, {len(lines)} faults\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
