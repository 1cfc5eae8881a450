"""Embeddings over OpenAI's API: of passages through a job's gateway, and of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import environ  # noqa: TID251 - see embedder_of_agent
from typing import Any, Final

import httpx
import orjson

from consumer.agent import gateway_requests
from consumer.errors import ToolFailed
from consumer.ports import ModelAccess

#: Numbers of a vector. Models that give other lengths by default are asked for this one, which keeps the index small.
DIMENSIONS: Final = 384
#: Characters of a text that are embedded: the limit of OpenAI's models is about 8,000 tokens.
_MOST_CHARS: Final = 4000


@dataclass(frozen=True, slots=True)
class ModelEmbedder:
    """Implements consumer.ports.Embedder."""

    access: ModelAccess
    model: str
    #: Whose connections are used; None: a new one for each request.
    client: httpx.Client | None = None

    def embed(self, texts: Sequence[str], limit_s: float) -> Sequence[Sequence[float]]:
        """See ports.Embedder."""
        body = {
            "model": self.model,
            "input": [text[:_MOST_CHARS] for text in texts],
            "dimensions": DIMENSIONS,
            "encoding_format": "float",
        }
        response = gateway_requests.post(
            self.access, gateway_requests.EMBEDDINGS, orjson.dumps(body), limit_s, self.client
        )
        if response.body is None:
            raise ToolFailed(f"{self.model}: {response.failure}")
        try:
            rows: list[dict[str, Any]] = orjson.loads(response.body)["data"]
            vectors = [tuple(map(float, row["embedding"])) for row in sorted(rows, key=lambda row: row["index"])]
        except (KeyError, TypeError, ValueError):
            raise ToolFailed(f"{self.model}: an answer of another form") from None
        if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) != 1:
            raise ToolFailed(f"{self.model}: {len(vectors)} vectors for {len(texts)} texts, or of several lengths")
        return vectors


def embedder_of_agent(model: str) -> ModelEmbedder:
    """The embedder of a process that an agent starts: its environment has the gateway's address and token."""
    return ModelEmbedder(ModelAccess(environ["OPENAI_BASE_URL"], environ["OPENAI_API_KEY"]), model)
