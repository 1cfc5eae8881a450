"""Embeddings over OpenAI's API: of passages through a job's gateway, and of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from os import environ  # noqa: TID251 - see embedder_of_agent
from typing import Any, Final

import httpx

from consumer.agent import answers
from consumer.errors import ToolFailed
from consumer.ports import ModelAccess

#: Numbers of a vector. Models that give other lengths by default are asked for this one, which keeps the index small.
DIMENSIONS: Final = 384
#: Characters of a text that are embedded: the limit of OpenAI's models is about 8,000 tokens.
_MOST_CHARS: Final = 4000
_LEAST_S: Final = 0.01


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
        try:
            post = self.client.post if self.client else partial(httpx.post, trust_env=False)
            response = post(
                f"{self.access.base_url}/embeddings",
                json=body,
                headers={"authorization": f"Bearer {self.access.token}"},
                timeout=max(limit_s, _LEAST_S),
            )
        except httpx.HTTPError as exc:
            raise ToolFailed(f"{self.model}: {type(exc).__name__}") from None
        if response.status_code != httpx.codes.OK:
            raise ToolFailed(f"{self.model}: {response.status_code} {answers.error_code(response.content)}".rstrip())
        try:
            rows: list[dict[str, Any]] = response.json()["data"]
            vectors = [tuple(map(float, row["embedding"])) for row in sorted(rows, key=lambda row: row["index"])]
        except (KeyError, TypeError, ValueError):
            raise ToolFailed(f"{self.model}: an answer of another form") from None
        if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) != 1:
            raise ToolFailed(f"{self.model}: {len(vectors)} vectors for {len(texts)} texts, or of several lengths")
        return vectors


def embedder_of_agent(model: str) -> ModelEmbedder:
    """The embedder of a process that an agent starts: its environment has the gateway's address and token."""
    return ModelEmbedder(ModelAccess(environ["OPENAI_BASE_URL"], environ["OPENAI_API_KEY"]), model)
