"""Every number of manifests/limits.yaml has an effect."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import manifests

ROOT: Final = Path(__file__).parents[3]
#: What reads limits: the packages that ship, and terraform.
READERS: Final = ("consumer", "contract", "controlplane", "local", "publisher", "reader", "renderers", "service")


def test_every_limit_is_read_by_code_or_terraform() -> None:
    sources = [path for folder in READERS for path in (ROOT / folder).rglob("*.py")]
    text = "\n".join(path.read_text() for path in (*sources, *(ROOT / "terraform").glob("*.tf")))
    named = set(re.findall(r"[\"'](\w+)[\"']|limits\.(\w+)", text))
    read = {name for pair in named for name in pair}
    assert sorted(set(manifests.limits()) - read) == []
