"""
What never leaves although its column may: secrets, recognised by the name of a field or by their own form.

Deterministic: the same row gives the same bytes and the same counts, so a checksum moves only when content does.
"""

from __future__ import annotations

import re
from typing import Final

#: Field names (inside JSON too) whose whole value goes, whatever it is. Matched on snake_case.
NAMES: Final = re.compile(
    r"(^|_)(password|passwd|passphrase|secret|secrets|api_?key|private_?key|client_?secret|authorization|cookie|cookies"
    r"|credential|credentials|otp|verification_?code|recovery_?code|raw_?payload|sync_?cursor"
    r"|(access|refresh|id|auth|bearer|session|csrf|api|oauth|unsubscribe|webhook)_?token)($|_)|^token$"
)
#: Secrets by form. Order matters: the longer form first, so that a key is not cut in two.
FORMS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    (
        "private_key",
        re.compile(
            r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----.*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----|\Z)", re.DOTALL
        ),
    ),
    ("jwt", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}")),
    ("model_key", re.compile(r"\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{20,}")),
    ("github_token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})")),
    ("slack_token", re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}")),
    ("google_token", re.compile(r"\b(?:ya29\.[A-Za-z0-9_-]{20,}|AIza[A-Za-z0-9_-]{35}|1//[A-Za-z0-9_-]{30,})")),
    ("aws_key", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    ("stripe_key", re.compile(r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}")),
    ("bearer_token", re.compile(r"(?i)\bbearer\s+[A-Za-z0-9._~+/-]{20,}=*")),
    ("url_password", re.compile(r"(?<=://)[^\s/:@]{1,64}:[^\s/@]{1,128}(?=@)")),
)
#: Cheap test before ten expressions run: every form contains one of these.
_HINTS: Final = (
    *("-----BEGIN", "eyJ", "sk-", "gh", "xox", "ya29.", "AIza", "1//", "AKIA", "ASIA"),
    *("k_live_", "k_test_", "://"),
)
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def names_secret(field: str) -> bool:
    """Whether a field of this name holds a secret, written in snake, kebab or camel case."""
    return NAMES.search(_CAMEL.sub("_", field).lower().replace("-", "_")) is not None


def without_secrets(text: str) -> tuple[str, list[str]]:
    """The text with every recognised secret replaced, and the reasons, one for each."""
    if not any(hint in text for hint in _HINTS) and "earer" not in text.lower():
        return text, []
    reasons: list[str] = []
    for reason, form in FORMS:
        text, count = form.subn(f"[redacted:{reason}]", text)
        reasons += [reason] * count
    return text, reasons
