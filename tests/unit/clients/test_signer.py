"""Which key a process signs with: never a new one where there is history that it could neither verify nor continue."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from consumer import bootstrap, paths
from consumer.clients import signing
from consumer.errors import SigningKeyMissing
from consumer.locking.exclusive import Exclusive
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.repository.workspace import WorkspaceStore
from consumer.settings import SettingsError
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import FakeClock, MemoryBlobStore
from tests.unit.repository.workspaces import TEMPLATES, USER

BLOBS = MemoryBlobStore(FakeClock())


def with_history() -> MemoryBlobStore:
    blobs = MemoryBlobStore(FakeClock())
    blobs.write(paths.head(USER), b"{}", if_generation=0)
    blobs.write(paths.commit(USER, 1, "0" * 64), b"{}", if_generation=0)
    return blobs


def test_a_new_bucket_gets_a_new_ring(tmp_path: Path) -> None:
    ring = tmp_path / "keys"
    made = bootstrap._signer(ring, "local", BLOBS)
    assert bootstrap._signer(ring, "local", with_history()).key_id == made.key_id, "the same ring, and history since"


def test_a_ring_that_was_deleted_is_not_made_anew_under_existing_commits(tmp_path: Path) -> None:
    ring = tmp_path / "keys"
    bootstrap._signer(ring, "local", BLOBS)
    shutil.rmtree(ring)
    with pytest.raises(
        SettingsError, match=r"SIGNING_KEY: .*/keys has no key, but the bucket has signed commits .users/"
    ):
        bootstrap._signer(ring, "local", with_history())
    assert not ring.exists()


def test_a_rotation_that_stopped_half_way_is_ended(tmp_path: Path) -> None:
    old = bootstrap._signer(tmp_path, "local", BLOBS)
    signature = old.sign(b"commit")
    (tmp_path / signing.PRIVATE).unlink()
    new = bootstrap._signer(tmp_path, "local", with_history())
    assert new.key_id != old.key_id
    assert new.verify(old.key_id, b"commit", signature)


def test_in_the_cloud_a_ring_without_a_key_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"SIGNING_KEY: no current\.key in "):
        bootstrap._signer(tmp_path, "cloud", BLOBS)
    assert list(tmp_path.iterdir()) == []


def test_public_keys_are_enough_to_look_and_not_to_write(tmp_path: Path) -> None:
    signer = signing.open_ring(tmp_path)
    signature = signer.sign(b"commit")
    (tmp_path / signing.PRIVATE).unlink()
    looking = signing.read_ring(tmp_path)
    assert looking.verify(signer.key_id, b"commit", signature)
    with pytest.raises(SigningKeyMissing, match=r"no current\.key"):
        looking.sign(b"commit")
    clock = FakeClock()
    blobs = MemoryBlobStore(clock)
    locks = Locks(ConditionalWriter(blobs, clock), clock, lambda: "id", Lease())
    store = WorkspaceStore(blobs, looking, clock, templates=TEMPLATES)
    with pytest.raises(SigningKeyMissing), Exclusive(locks, store, "operator", threads=False).hold(USER, "gc"):
        raise AssertionError("the lock was given to somebody who cannot sign")
    store.close()
    assert blobs.names() == []
