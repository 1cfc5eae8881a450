"""
Life: what all current readings together say is true now.

``fold`` is pure. Nothing of its answer is stored, so it cannot depend on the order in which records arrived, and when
the record that closed a loop is purged, the loop is open again. docs/memory.md explains the rules to a user.

Closing needs the same object and the right person, later. Likeness of words closes nothing.
"""

from __future__ import annotations

from consumer.understanding.life.folding import fold
from consumer.understanding.life.loops import stage_of

__all__ = ["fold", "stage_of"]
