"""
Removes secrets from exported columns. A secret is recognised by its field's name or by its own form.

Deterministic: the same row gives the same bytes and the same counts, so a checksum moves only when content does.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from contract.forms import Forms

#: Field names (inside JSON too) whose value is always removed. Matched on snake_case.
NAMES: Final = re.compile(
    r"(^|_)(password|passwd|passphrase|secret|secrets|api_?key|private_?key|client_?secret|authorization|cookie|cookies"
    r"|credential|credentials|otp|verification_?code|recovery_?code|raw_?payload|sync_?cursor"
    r"|(access|refresh|id|auth|bearer|session|csrf|api|oauth|unsubscribe|webhook)_?token)($|_)|^token$"
)
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def names_secret(field: str) -> bool:
    """Whether a field of this name holds a secret, written in snake, kebab or camel case."""
    return NAMES.search(_CAMEL.sub("_", field).lower().replace("-", "_")) is not None


def without_secrets(text: str) -> tuple[str, list[str]]:
    """The text with every recognised secret replaced, and one reason for each (contract/secretforms.py)."""
    return _secrets().replace(text, "[redacted:{}]".format)


@cache
def _secrets() -> Forms:
    from contract.secretforms import SECRETS  # noqa: PLC0415 (compiling them takes a quarter of a second)

    return SECRETS
