"""Promises: who says in a sentence that they will do something."""

from consumer.understanding.promises.finding import find, handed_over
from consumer.understanding.promises.parts import Promise

__all__ = ["Promise", "find", "handed_over"]
