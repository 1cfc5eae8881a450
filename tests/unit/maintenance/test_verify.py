"""Every invariant is broken once, alone, and the object that breaks it is named; and no flipped byte goes unseen."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import zstandard

from consumer import layout, paths
from consumer.clients.signing import Ed25519Signer
from consumer.errors import SnapshotIncomplete
from consumer.maintenance.verify import INVARIANTS, Verification, VerifyReport
from consumer.repository.objects import Objects
from consumer.storage.memory import MemoryBlobStore
from contract.canonical import sha256_hex
from tests.fake_export import FakeExport, Row, export_and_render, run_of
from tests.unit.repository.workspaces import PEM, USER, Bench, Free

COMMITS = 50
#: EXHAUSTIVE=1: every byte of every object; minutes instead of seconds.
EXHAUSTIVE = os.environ.get("EXHAUSTIVE") == "1"


def verify(blobs: MemoryBlobStore, bench: Bench, canaries: tuple[bytes, ...] = ()) -> VerifyReport:
    return Verification(blobs, Ed25519Signer(PEM), bench.clock, USER, Free(), canaries).run()


def history(bench: Bench, commits: int) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    base = workspace.base
    store.of(USER).fence(1)
    (root / "gbrain-home/heap").write_bytes(random.Random(1).randbytes(140_000))
    for n in range(1, commits + 1):
        (root / f"brain/people/p{n % 7}.md").write_text(f"# Person {n}\n" * 20)
        (root / f"runtime/exports/hourly/b{n}.jsonl").write_text(f'{{"n": {n}}}\n')
        ref = store.of(USER).persist(root, base, bench.meta(f"job-{n}"), Free())
        head = store.of(USER).read_head()
        assert head is not None
        base = replace(base, seq=ref.seq, digest=ref.digest, head_generation=head.generation)
    store.of(USER).publish(commits, ["brain/people/p1.md"])
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
    assert unchecked <= {"orphans-only-young", "reports-cited"}
    assert set(report.checked) == set(INVARIANTS)


def flipped(data: bytes, at: int, draw: random.Random) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]


@pytest.fixture(scope="module")
def fifty(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    made = Bench(tmp_path_factory.mktemp("fifty"))
    history(made, COMMITS)
    return made


@pytest.mark.properties
@pytest.mark.timeout(3600 if EXHAUSTIVE else 300)
def test_any_flipped_byte_of_fifty_commits_is_found_and_named(fifty: Bench) -> None:
    """A whole verify a flip. HEAD and published copies are read by their own ways, so every byte of them is flipped;
    of all the others verify knows only what ``Objects.get`` says, which the next test asks about every byte.
    """
    assert verify(fifty.blobs, fifty).ok
    draw = random.Random(2)
    for name in fifty.blobs.names(f"users/{USER}/"):
        blob = fifty.blobs.peek(name)
        assert blob is not None
        for at in whole_flips(name, len(blob.data), draw):
            fifty.blobs.write(name, flipped(blob.data, at, draw), if_generation=None)
            faults = [fault for fault in verify(fifty.blobs, fifty).faults if fault.object == name]
            assert faults, f"byte {at} of {name} changed unseen"
            if by_digest(name):
                assert faults[0].detail == refusal(fifty.blobs, fifty, name)
        fifty.blobs.write(name, blob.data, if_generation=None)
    assert verify(fifty.blobs, fifty).ok


@pytest.mark.properties
@pytest.mark.timeout(3600 if EXHAUSTIVE else 300)
def test_every_single_byte_of_every_object_is_vouched_for(fifty: Bench) -> None:
    """Whichever byte is flipped, an object's reader says the same of it, word for word; the test above shows that
    verify passes these words on. A whole verify for each of a million bytes would take a day and find the same.
    """
    draw = random.Random(3)
    for name in filter(by_digest, fifty.blobs.names(f"users/{USER}/")):
        blob = fifty.blobs.peek(name)
        assert blob is not None
        alone, details = MemoryBlobStore(fifty.clock), set()  # it keeps a list of its operations: one bucket an object
        for at in byte_flips(len(blob.data), draw):
            alone.write(name, flipped(blob.data, at, draw), if_generation=None)
            details.add(refusal(alone, fifty, name))
        assert len(details) == 1, details
        assert "whose digest differs from the name's" in details.pop()


def whole_flips(name: str, size: int, draw: random.Random) -> list[int]:
    """Where to flip a byte for a whole verify."""
    if not EXHAUSTIVE:
        # Of objects named by their digest every fourth: the next test asks about each of them.
        return [draw.randrange(size)] if not by_digest(name) or draw.randrange(4) == 0 else []
    return sorted({0, size - 1, *draw.sample(range(size), 4)}) if by_digest(name) else list(range(size))


def byte_flips(size: int, draw: random.Random) -> Sequence[int]:
    return range(size) if EXHAUSTIVE else draw.sample(range(size), min(size, 32))


def by_digest(name: str) -> bool:
    """Is this one of the objects that are named by the digest of their bytes?"""
    return name.split("/")[2] in ("commits", "trees", "index", "packs")


def refusal(blobs: MemoryBlobStore, bench: Bench, name: str) -> str:
    """What is said of an object whose bytes are wrong, where verify, hydrate and every verb read it."""
    with pytest.raises(SnapshotIncomplete) as caught:
        Objects(blobs, bench.clock, USER).get(name, name.rpartition("/")[2].rpartition("-")[2])
    return str(caught.value)


def test_what_nothing_names_may_only_be_young(bench: Bench) -> None:
    name = f"users/{USER}/packs/{'0' * 64}"
    bench.blobs.write(name, b"left behind", if_generation=0)
    assert verify(bench.blobs, bench).ok
    bench.clock.advance(timedelta(hours=25).total_seconds())
    report = verify(bench.blobs, bench)
    assert report.broken() == {"orphans-only-young"}
    assert name in {fault.object for fault in report.faults}


@pytest.mark.parametrize("place", ["HEAD", "nowhere"])
def test_a_catalog_that_somebody_made_up_is_named(bench: Bench, place: str) -> None:
    """Who may write the bucket gives it its right digest; that ends no verification."""
    forms: list[dict[str, object]] = [
        {"seq": None},
        {"epochs": 7},
        {"epochs": []},
        {"recent": [[1, [[0] * 5], [], [], []]]},
    ]
    whole = {"format": 1, "seq": 5, "epochs": [], "recent": [], "live": [], "cold": [], "packs": [], "frontier": []}
    for form in forms:
        data = zstandard.compress(json.dumps({**whole, **form}).encode())
        digest = sha256_hex(data)
        bench.blobs.write(paths.index(USER, digest), data, if_generation=0)
        store = bench.store()
        if place == "HEAD":
            head = store.of(USER).read_head()
            assert head is not None
            store.of(USER).heads.swap(head, replace(head, index=digest))
            with pytest.raises(SnapshotIncomplete):
                store.of(USER).load()
        report = verify(bench.blobs, bench)
        if place == "HEAD":
            assert "index-complete" in {fault.invariant for fault in report.faults}
        store.close()


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
    root, workspace = bench.hydrate(store)
    (root / "runtime/exports/hourly/b2.jsonl").write_text("other\n")
    bench.commit(store, root, workspace.base, "job-6")
    report = verify(bench.blobs, bench)
    assert report.broken() == {"exports-preserved"}
    assert "b2.jsonl" in report.faults[0].detail


def test_a_strange_folder_is_named(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "elsewhere").mkdir()
    bench.commit(store, root, workspace.base, "job-6")
    report = verify(bench.blobs, bench)
    assert report.broken() == {"layout-canonical"}
    assert "elsewhere" in report.faults[0].detail


def _another_key() -> bytes:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(b"\1" * 32).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def test_a_report_may_cite_only_what_is_in_its_snapshot(bench: Bench) -> None:
    page = b"# Ann\n\nAnn will send the budget on Friday.\n"
    good = {"page": "people/ann", "checksum": "sha256:" + sha256_hex(page), "quote": "send the budget", "anchor": None}
    wrong = {
        "no such page": {**good, "page": "people/bob"},
        "not on the page": {**good, "quote": "never send anything"},
        "checksum differs": {**good, "checksum": "sha256:" + "0" * 64},
    }
    for number, (reason, citation) in enumerate([("", good), *wrong.items()]):
        store = bench.store()
        root, workspace = bench.hydrate(store)
        (root / "brain/people/ann.md").write_bytes(page)
        report = {"citations": {"total": 1, "resolved": 1, "citations": [citation]}}
        (root / f"runtime/reports/digest/r{number}.json").write_text(json.dumps(report))
        bench.commit(store, root, workspace.base, f"report-{number}")
        result = verify(bench.blobs, bench)
        faults = [fault for fault in result.faults if fault.invariant == "reports-cited"]
        assert len(faults) == number
        assert result.broken() <= {"reports-cited"}
        if reason:
            assert reason in faults[-1].detail
            assert "never send" not in faults[-1].detail


def test_the_words_before_a_change_must_be_in_a_raw_file_of_the_snapshot(bench: Bench) -> None:
    raw = "runtime/exports/hourly/old.jsonl"
    earlier = {"quote": "She may agree", "source": "checklist_items", "record_id": "x", "checksum": "c1", "raw": raw}
    wrong = {
        "no such raw file": {**earlier, "raw": "runtime/exports/hourly/none.jsonl"},
        "does not hold": {**earlier, "checksum": "c2"},
    }
    for number, (reason, before) in enumerate([("", earlier), *wrong.items()]):
        store = bench.store()
        root, workspace = bench.hydrate(store)
        row = {"source_key": "checklist_items", "record_id": "x", "checksum": "c1"}
        (root / raw).parent.mkdir(parents=True, exist_ok=True)
        (root / raw).write_text(json.dumps(row) + "\n")
        statement = {"text": "Changed", "citations": [], "before": [before]}
        report = {"citations": {"citations": []}, "sections": {"changes": [statement]}}
        (root / f"runtime/reports/digest/r{number}.json").write_text(json.dumps(report))
        bench.commit(store, root, workspace.base, f"report-{number}")
        faults = [fault for fault in verify(bench.blobs, bench).faults if fault.invariant == "reports-cited"]
        assert len(faults) == number
        if reason:
            assert reason in faults[-1].detail
            assert "agree" not in faults[-1].detail


@pytest.mark.parametrize(
    "data",
    [
        "{ cut off",
        '{"citations": {}}',
        '{"citations": 3}',
        '{"sections": 3}',
        '{"sections": {"changes": ["x"]}}',
        '{"sections": {"changes": [{"before": ["x"]}]}}',
        '{"sections": {"changes": [{"before": 3}]}}',
    ],
)
def test_a_damaged_report_is_one_fault(bench: Bench, data: str) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "runtime/reports/digest/r9.json").write_text(data)
    bench.commit(store, root, workspace.base, "report-9")
    (fault,) = verify(bench.blobs, bench).faults
    assert (fault.invariant, fault.detail) == ("reports-cited", "runtime/reports/digest/r9.json is not a report")


def test_a_document_that_is_no_object_cites_nothing(bench: Bench) -> None:
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "runtime/reports/digest/r9.json").write_text("[]")
    bench.commit(store, root, workspace.base, "report-9")
    assert verify(bench.blobs, bench).faults == []


def test_an_evidence_page_must_be_as_it_was_rendered(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    server = FakeExport()
    moment = datetime(2026, 3, 5, 15, tzinfo=UTC)
    server.put("checklist_items", "task-1", Row(1, moment, {"title": "Water the plants"}))
    store = bench.store()
    root, workspace = bench.hydrate(store)
    export_and_render(run_of(root, server))
    bench.commit(store, root, workspace.base)
    sound = verify(bench.blobs, bench)
    assert sound.ok, sound.faults
    assert sound.checked["render-index-coherent"] == 1
    page = "brain/sources/cloop/checklist-items/2026-03-05.md"
    changes: tuple[Callable[[Path], object], ...] = (lambda path: path.write_text("other"), lambda path: path.unlink())
    for number, change in enumerate(changes, start=2):
        root, workspace = bench.hydrate(store)
        change(root / page)
        bench.commit(store, root, workspace.base, f"job-{number}")
        result = verify(bench.blobs, bench)
        assert result.broken() == {"render-index-coherent"}
        assert page in result.faults[0].detail


@pytest.mark.parametrize("hurt", ["every second page", "its second half"])
def test_a_damaged_record_index_is_named(tmp_path: Path, hurt: str) -> None:
    bench = Bench(tmp_path)
    server = FakeExport()
    for number in range(60):
        moment = datetime(2026, 3, 5, 15, tzinfo=UTC) + timedelta(days=number)
        server.put("checklist_items", f"task-{number}", Row(number, moment, {"title": "Water", "people": ["Ann"]}))
    store = bench.store()
    root, workspace = bench.hydrate(store)
    export_and_render(run_of(root, server))
    index = root / layout.RENDER_INDEX
    data = bytearray(index.read_bytes())
    if hurt == "its second half":
        del data[len(data) // 2 :]
    else:
        for start in range(4096, len(data), 8192):
            data[start : start + 4096] = bytes(4096)
    index.write_bytes(data)
    bench.commit(store, root, workspace.base)
    result = verify(bench.blobs, bench)
    assert result.broken() == {"render-index-coherent"}
    assert [fault.detail.split(" ")[0] for fault in result.faults] == [layout.RENDER_INDEX]
