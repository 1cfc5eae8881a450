"""Every invariant is broken once, alone, and the object that breaks it is named; and no flipped byte goes unseen."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from consumer.adapters.memory import MemoryBlobStore
from consumer.adapters.signing import Ed25519Signer
from consumer.engine.verify import INVARIANTS, Report, Verification
from tests.unit.engine.workspaces import PEM, USER, Bench, Free

COMMITS = 50


def verify(blobs: MemoryBlobStore, bench: Bench, canaries: tuple[bytes, ...] = ()) -> Report:
    return Verification(blobs, Ed25519Signer(PEM), bench.clock, USER, Free(), canaries).run()


def history(bench: Bench, commits: int) -> None:
    store = bench.store()
    root, found = bench.hydrate(store)
    base = found.base
    store.fence(USER, 1)
    (root / "gbrain-home/heap").write_bytes(random.Random(1).randbytes(300_000))
    for n in range(1, commits + 1):
        (root / f"brain/people/p{n % 7}.md").write_text(f"# Person {n}\n" * 20)
        (root / f"runtime/exports/hourly/b{n}.jsonl").write_text(f'{{"n": {n}}}\n')
        ref = store.persist(USER, root, base, bench.meta(f"job-{n}"), Free())
        head = store.read_head(USER)
        assert head is not None
        base = replace(base, seq=ref.seq, digest=ref.digest, head_generation=head.generation)
    store.publish(USER, commits, ["brain/people/p1.md"])
    store.close()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    history(made, 5)
    return made


def test_a_sound_history_passes_every_invariant(bench: Bench) -> None:
    report = verify(bench.blobs, bench, (b"canary-key",))
    assert report.faults == []
    assert report.seq == 5
    unchecked = {name for name, count in report.checked.items() if not count}
    assert unchecked <= {"orphans-only-young"}
    assert set(report.checked) == set(INVARIANTS)


def test_any_flipped_byte_of_fifty_commits_is_found_and_named(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    history(bench, COMMITS)
    assert verify(bench.blobs, bench).ok
    draw = random.Random(2)
    for name in bench.blobs.names(f"users/{USER}/"):
        blob = bench.blobs.peek(name)
        assert blob is not None
        at = draw.randrange(len(blob.data))
        flipped = bytearray(blob.data)
        flipped[at] ^= 1 << draw.randrange(8)
        bench.blobs.write(name, bytes(flipped), if_generation=None)
        report = verify(bench.blobs, bench)
        assert any(fault.object == name for fault in report.faults), f"byte {at} of {name} changed unseen"
        bench.blobs.write(name, blob.data, if_generation=None)
    assert verify(bench.blobs, bench).ok


def test_what_nothing_names_may_only_be_young(bench: Bench) -> None:
    name = f"users/{USER}/packs/{'0' * 64}"
    bench.blobs.write(name, b"left behind", if_generation=0)
    assert verify(bench.blobs, bench).ok
    bench.clock.advance(timedelta(hours=25).total_seconds())
    report = verify(bench.blobs, bench)
    assert report.broken() == {"orphans-only-young"}
    assert name in {fault.object for fault in report.faults}


def test_a_secret_in_any_content_is_named_by_its_page(bench: Bench) -> None:
    report = verify(bench.blobs, bench, (b"Person 3",))
    assert report.broken() == {"no-secret-canary"}
    assert all(fault.object.startswith("brain/people/p3.md of ") for fault in report.faults)
    assert "Person 3" not in str(report.faults)


def test_a_history_signed_by_another_key_is_not_believed(bench: Bench) -> None:
    other = Ed25519Signer(_another_key())
    report = Verification(bench.blobs, other, bench.clock, USER, Free()).run()
    assert report.broken() == {"signatures"}
    assert report.checked["signatures"] == 5


def test_a_raw_export_may_not_change(bench: Bench) -> None:
    store = bench.store()
    root, found = bench.hydrate(store)
    (root / "runtime/exports/hourly/b2.jsonl").write_text("other\n")
    bench.commit(store, root, found.base, "job-6")
    report = verify(bench.blobs, bench)
    assert report.broken() == {"exports-preserved"}
    assert "b2.jsonl" in report.faults[0].detail


def test_a_strange_folder_is_named(bench: Bench) -> None:
    store = bench.store()
    root, found = bench.hydrate(store)
    (root / "elsewhere").mkdir()
    bench.commit(store, root, found.base, "job-6")
    report = verify(bench.blobs, bench)
    assert report.broken() == {"layout-canonical"}
    assert "elsewhere" in report.faults[0].detail


def _another_key() -> bytes:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(b"\1" * 32).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
