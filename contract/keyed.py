"""Digests under a user's key (32 bytes in hexadecimal), by which records, people and words are known but not named."""

from __future__ import annotations

import hashlib
import hmac


def digest(key: str, *parts: str) -> str:
    """HMAC-SHA256 of the parts, parted by zero bytes, in hexadecimal."""
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hmac.new(bytes.fromhex(key), text, hashlib.sha256).hexdigest()


def record_digest(key: str, source: str, record_id: str) -> str:
    """As suppressions name a purged record, so that a purge finds the corrections that rest on it."""
    return digest(key, source, record_id)
