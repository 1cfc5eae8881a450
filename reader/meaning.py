"""
The vectors of questions, so that a search finds what is meant in other words.

The provider is asked with the key of this process, which no other process has, and is given the question alone. One
question costs some millionths of a dollar; how often a user may search is limited (``reader.limits``).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from consumer.errors import ToolFailed
from consumer.evidence.search import QuestionVector
from consumer.ports import Embedder

#: Seconds that a search waits for the question's vector; then its words alone are searched.
WAIT_S: Final = 1.0
#: Questions whose vectors are kept, in this process's memory: the next page of an answer asks the same again.
KEPT: Final = 200

#: A question, and the model whose vectors the index has ("": none) -> the question's vector, None without one.
VectorOf = Callable[[str, str], QuestionVector | None]


def no_vector(question: str, model: str) -> None:
    """A reader without an embedding model."""


@dataclass
class QuestionVectors:
    """Implements VectorOf. Thread-safe."""

    embedder: Embedder
    _kept: OrderedDict[str, QuestionVector] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, question: str, model: str) -> QuestionVector | None:
        """None also for an index with another model's vectors, and where the model does not answer in time."""
        if model != self.embedder.model:
            return None
        with self._lock:
            if question in self._kept:
                self._kept.move_to_end(question)
                return self._kept[question]
        try:
            (numbers,) = self.embedder.embed([question], WAIT_S)
        except ToolFailed:
            return None
        vector = QuestionVector(model, tuple(numbers))
        with self._lock:
            self._kept[question] = vector
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return vector
