"""Answers of agents and subagents in the bucket, one object for each question.

An answer is stored outside the commit, as soon as its agent has ended, so that a later attempt of the job does not pay
for it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import orjson

from consumer import paths
from consumer.errors import BlobNotFound, PreconditionFailed
from consumer.ports import BlobStore
from contract import canonical

#: user_id -> the bucket narrowed to that user's prefix.
BucketOf = Callable[[str], BlobStore]
Answer = TypeVar("Answer")


def key(question: Mapping[str, Any]) -> str:
    """The name of the answer to this question: a digest of all that the answer depends on."""
    return canonical.digest(question).removeprefix("sha256:")


def read(bucket_of: BucketOf, user_id: str, key: str, parse: Callable[[Any], Answer]) -> Answer | None:
    """The stored answer; None if there is none, or none that ``parse`` can use: asking again is always safe.

    ``parse`` gets the JSON document, and may raise ValueError, KeyError or TypeError. Raises BlobUnavailable.
    """
    try:
        return parse(orjson.loads(bucket_of(user_id).read(paths.answer(user_id, key)).data))
    except (BlobNotFound, ValueError, KeyError, TypeError):
        return None


def write(bucket_of: BucketOf, user_id: str, key: str, document: Mapping[str, Any]) -> None:
    """Store an answer. Repeatable: the first one stays, since both are valid. Raises BlobUnavailable."""
    name, data = paths.answer(user_id, key), orjson.dumps(document)
    try:
        bucket_of(user_id).write(name, data, if_generation=0, content_type="application/json")
    except PreconditionFailed:
        return
