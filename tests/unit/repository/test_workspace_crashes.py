"""Persist dies, or is not answered, at every one of its requests: the next reader sees old or new, never a mix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from consumer.clients.signing import Ed25519Signer
from consumer.errors import BlobUnavailable, LockLost
from consumer.maintenance.verify import Verification
from consumer.storage.memory import Faults
from tests.unit.repository.workspaces import PEM, USER, Bench, Free, listing

Plan = Callable[[Faults, int], Faults]
PLANS: dict[str, Plan] = {
    "killed before": lambda faults, k: faults.kill(k),
    "killed after": lambda faults, k: faults.kill(k, after=True),
    "refused": lambda faults, k: faults.refuse(k),
    "reply lost": lambda faults, k: faults.lose_reply(k),
}
#: What is found afterwards over all k. A single refused or lost answer is overcome; a death before the swap is not.
OUTCOMES = {"killed before": {"old"}, "killed after": {"old", "new"}, "refused": {"new"}, "reply lost": {"new"}}


def prepared(tmp_path: Path) -> tuple[Bench, dict[str, tuple[int, bytes | None]]]:
    """One commit, and what it holds."""
    bench = Bench(tmp_path)
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "brain/people/ann.md").write_text("# Ann\n")
    bench.commit(store, root, workspace.base)
    store.close()
    return bench, listing(root)


def second(bench: Bench, faults: Faults) -> tuple[dict[str, tuple[int, bytes | None]], BaseException | None]:
    """Hydrate, change, persist under these faults; what the folder held, and what was raised."""
    store = bench.store()
    root, workspace = bench.hydrate(store)
    (root / "brain/people/ann.md").write_text("# Ann Smith\n")
    (root / "gbrain-home/heap").write_bytes(b"page" * 100_000)
    bench.blobs._bucket.ops.clear()
    faulty = bench.store(faults)
    try:
        bench.commit(faulty, root, workspace.base, "job-2")
    except BaseException as exc:  # noqa: BLE001 (a kill is one)
        return listing(root), exc
    finally:
        store.close()
        faulty.close()
    return listing(root), None


def requests(tmp_path: Path) -> int:
    bench, _ = prepared(tmp_path)
    second(bench, Faults())
    return len(bench.blobs.ops)


@pytest.mark.properties
@pytest.mark.parametrize("plan", PLANS)
def test_persist_is_all_or_nothing_at_every_request(tmp_path: Path, plan: str) -> None:
    total = requests(tmp_path / "count")
    assert total >= 4
    outcomes = set()
    for k in range(1, total + 1):
        bench, old = prepared(tmp_path / str(k))
        new, error = second(bench, PLANS[plan](Faults(), k))
        reader = bench.store()
        root, workspace = bench.hydrate(reader)
        seen = listing(root)
        assert seen in (old, new)
        committed = reader.of(USER).committed_by("job-2", 1)
        assert (committed is not None) == (seen == new)
        if error is None:
            assert seen == new
        report = Verification(bench.blobs, Ed25519Signer(PEM), bench.clock, USER, Free()).run()
        assert report.ok, report.faults
        if committed is None:
            (root / "brain/people/ann.md").write_text("# Ann Smith\n")
            assert bench.commit(reader, root, workspace.base, "job-2").seq == 2
        outcomes.add("new" if seen == new else "old")
        reader.close()
    assert outcomes == OUTCOMES[plan]


def test_a_bucket_that_stays_silent_at_the_swap_leaves_an_open_question(tmp_path: Path) -> None:
    bench, old = prepared(tmp_path)
    faults = Faults()
    total = requests(tmp_path / "count")
    for k in range(total, total + 40):
        faults.refuse(k)
    _, error = second(bench, faults)
    assert isinstance(error, BlobUnavailable)
    root, _ = bench.hydrate(bench.store())
    assert listing(root) == old


def test_a_fence_between_upload_and_swap_beats_the_old_holder(tmp_path: Path) -> None:
    bench, old = prepared(tmp_path)
    total = requests(tmp_path / "count")
    faults = Faults().call(total, lambda: bench.store().of(USER).fence(9))
    _, error = second(bench, faults)
    assert isinstance(error, LockLost)
    root, workspace = bench.hydrate(bench.store())
    assert listing(root) == old
    head = bench.store().of(USER).read_head()
    assert head is not None
    assert (head.epoch, head.seq, workspace.base.seq) == (9, 1, 1)


def test_fencing_never_lowers_an_epoch_and_survives_lost_replies(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    for k in (1, 2, 3):
        store = bench.store(Faults().lose_reply(len(bench.blobs.ops) + 2))
        assert store.of(USER).fence(k).epoch == k
    assert bench.store().of(USER).fence(3).epoch == 3
    with pytest.raises(LockLost, match="epoch 3; this holder's is 2"):
        bench.store().of(USER).fence(2)
