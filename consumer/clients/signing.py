"""Ed25519 keys that sign commits: the current private key, and all public keys.

Locally a key ring is a folder with ``<key id>.pub`` for every key ever used, and ``current.key``, the private key that
signs. In the cloud the same PEM text comes from Secret Manager. A key's id is the start of its public key's digest, so
no two keys share an id.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from consumer.errors import SigningKeyMissing
from service.keys import pem

PRIVATE: Final = "current.key"


def exposed(folder: Path) -> str | None:
    """The fault of the private key's mode, since a reader can sign any history. None: no fault, or no key."""
    try:
        mode = stat.S_IMODE((folder / PRIVATE).stat().st_mode)
    except OSError:
        return None
    if not mode & 0o077:
        return None
    return f"{folder / PRIVATE} has mode {mode:04o}; other users of this machine must not read it: set mode 0400"


class Ed25519Signer:
    """``ports.Signer`` with the private key in this process. ``public_keys`` maps key id to 32 raw bytes."""

    def __init__(self, private_pem: bytes, public_keys: Mapping[str, bytes] | None = None) -> None:
        """Raises ValueError (not a PEM), TypeError (not an Ed25519 key)."""
        key = serialization.load_pem_private_key(private_pem, password=None)
        if not isinstance(key, Ed25519PrivateKey):
            raise TypeError(f"expected an Ed25519 private key, got {type(key).__name__}")
        self._key = key
        own = _raw(key.public_key())
        self.key_id = key_id(own)
        self.public_keys = {**(public_keys or {}), self.key_id: own}

    def sign(self, payload: bytes) -> bytes:
        return self._key.sign(payload)

    def verify(self, key_id: str, payload: bytes, signature: bytes) -> bool:
        return verify(self.public_keys, key_id, payload, signature)


class PublicRing:
    """``ports.Signer`` of a folder without a private key: it only verifies."""

    key_id = ""

    def __init__(self, public_keys: Mapping[str, bytes]) -> None:
        self.public_keys = dict(public_keys)

    def sign(self, payload: bytes) -> bytes:
        """Raises SigningKeyMissing."""
        raise SigningKeyMissing(f"cannot sign {len(payload)} bytes: the key ring has no {PRIVATE}")

    def verify(self, key_id: str, payload: bytes, signature: bytes) -> bool:
        return verify(self.public_keys, key_id, payload, signature)


def verify(public_keys: Mapping[str, bytes], key_id: str, payload: bytes, signature: bytes) -> bool:
    """Whether a key of the ring made this signature. Works offline."""
    raw = public_keys.get(key_id)
    if raw is None:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signature, payload)
    except InvalidSignature:
        return False
    return True


def key_id(public: bytes) -> str:
    """The id of a public key (32 raw bytes)."""
    return "ed25519-" + hashlib.sha256(public).hexdigest()[:16]


def is_empty(folder: Path) -> bool:
    """Whether this ring never had a key. A ring with only public keys was interrupted in a rotation."""
    return not (folder / PRIVATE).exists() and not any(folder.glob("*.pub"))


def read_ring(folder: Path) -> Ed25519Signer | PublicRing:
    """The signer of this key ring; without a private key, it only verifies. Writes nothing.

    Raises ValueError if a file's name is not the id of its key.
    """
    public_keys = public_ring(folder)
    if not (folder / PRIVATE).is_file():
        return PublicRing(public_keys)
    return Ed25519Signer((folder / PRIVATE).read_bytes(), public_keys)


def open_ring(folder: Path) -> Ed25519Signer:
    """The signer of this key ring; a ring without a private key gets one. For a ring that never had a key, first check
    that there is no history that it would have to verify.

    Two processes that create the first key at once agree on one of them.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (folder / PRIVATE).exists():
        _add_key(folder)
    signer = Ed25519Signer((folder / PRIVATE).read_bytes(), public_ring(folder))
    public = folder / f"{signer.key_id}.pub"
    if not public.exists():
        _replace(public, signer.public_keys[signer.key_id].hex().encode())
    return signer


def rotate(folder: Path) -> Ed25519Signer:
    """Sign with a new key from now on; signatures of older keys still verify."""
    open_ring(folder)
    (folder / PRIVATE).unlink()
    return open_ring(folder)


def public_ring(folder: Path) -> dict[str, bytes]:
    """key id -> public key of every ``.pub`` file. Raises ValueError: a file's name is not the id of its key."""
    ring: dict[str, bytes] = {}
    for path in sorted(folder.glob("*.pub")):
        raw = bytes.fromhex(path.read_text(encoding="ascii").strip())
        if key_id(raw) != path.stem:
            raise ValueError(f"{path.name} has key {key_id(raw)}; the file's name must be its key's id")
        ring[path.stem] = raw
    return ring


def _add_key(folder: Path) -> None:
    draft = _draft(folder, pem(Ed25519PrivateKey.generate()))
    try:
        (folder / PRIVATE).hardlink_to(draft)  # A link fails where a rename would replace another process's key.
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def _replace(path: Path, data: bytes) -> None:
    """Replace a file atomically: other processes read all of it or none."""
    _draft(path.parent, data).rename(path)


def _draft(folder: Path, data: bytes) -> Path:
    handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return Path(name)


def _raw(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
