"""The eight stages in order, nothing else."""

from __future__ import annotations

from typing import Final

from contract.event import StageName

ORDER: Final[tuple[StageName, ...]] = (
    "hydrate",
    "export",
    "render",
    "index",
    "synthesize",
    "report",
    "persist",
    "complete",
)
