"""Keys: made once, rotated without losing what older ones signed, named by their own digest."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

from consumer.clients import signing


def test_a_new_ring_gets_one_key_and_keeps_it(tmp_path: Path) -> None:
    first, second = signing.open_ring(tmp_path / "keys"), signing.open_ring(tmp_path / "keys")
    assert first.key_id == second.key_id
    assert (tmp_path / "keys" / signing.PRIVATE).stat().st_mode & 0o777 == 0o600
    assert second.verify(first.key_id, b"commit", first.sign(b"commit"))
    assert first.sign(b"commit") == second.sign(b"commit")


def test_a_key_that_others_may_read_is_named_with_its_mode(tmp_path: Path) -> None:
    assert signing.exposed(tmp_path) is None, "no key, nothing to read"
    signing.open_ring(tmp_path)
    key = tmp_path / signing.PRIVATE
    for mode in (0o600, 0o400):
        key.chmod(mode)
        assert signing.exposed(tmp_path) is None
    for mode in (0o444, 0o440, 0o644):
        key.chmod(mode)
        assert signing.exposed(tmp_path) == (
            f"{key} has mode {mode:04o}; other users of this machine must not read it: set mode 0400"
        )


def test_what_is_changed_or_signed_by_a_stranger_is_not_believed(tmp_path: Path) -> None:
    ours, theirs = signing.open_ring(tmp_path / "a"), signing.open_ring(tmp_path / "b")
    signature = ours.sign(b"commit")
    assert not ours.verify(ours.key_id, b"other", signature)
    assert not ours.verify(ours.key_id, b"commit", signature[:-1] + bytes([signature[-1] ^ 1]))
    assert not ours.verify(theirs.key_id, b"commit", theirs.sign(b"commit"))
    assert not ours.verify(ours.key_id, b"commit", theirs.sign(b"commit"))


def test_rotation_keeps_old_public_keys(tmp_path: Path) -> None:
    old = signing.open_ring(tmp_path)
    signature = old.sign(b"commit")
    new = signing.rotate(tmp_path)
    assert new.key_id != old.key_id
    assert new.verify(old.key_id, b"commit", signature)
    ring = signing.public_ring(tmp_path)
    assert set(ring) == {old.key_id, new.key_id}
    assert signing.verify(ring, old.key_id, b"commit", signature)


def test_processes_that_start_together_agree_on_the_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(lambda _: signing.open_ring(tmp_path).key_id, range(8)))
    assert ids == {signing.open_ring(tmp_path).key_id}


def test_a_key_under_another_name_is_refused(tmp_path: Path) -> None:
    signer = signing.open_ring(tmp_path)
    (tmp_path / f"{signer.key_id}.pub").rename(tmp_path / "ed25519-0000000000000000.pub")
    with pytest.raises(ValueError, match="name must be its key's id"):
        signing.public_ring(tmp_path)


def test_another_kind_of_key_is_refused() -> None:
    pem = generate_private_key(SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with pytest.raises(TypeError, match="expected an Ed25519 private key"):
        signing.Ed25519Signer(pem)
