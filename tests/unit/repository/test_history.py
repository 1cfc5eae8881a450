"""The chain of commits as its readers see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer.errors import HeadMoved
from consumer.repository.history import History, NoSuchCommit
from tests.unit.repository.workspaces import USER, Bench


def test_of_two_commits_with_one_number_the_chain_says_which_is_meant(tmp_path: Path) -> None:
    """A writer that lost the race for HEAD leaves its commit's object behind."""
    bench = Bench(tmp_path)
    winner, loser = bench.store(), bench.store()
    (winning, base), (losing, other) = bench.hydrate(winner), bench.hydrate(loser)
    (winning / "brain/people/ann.md").write_text("# Ann\n")
    (losing / "brain/people/bob.md").write_text("# Bob\n")
    ref = bench.commit(winner, winning, base.base, "job-1")
    with pytest.raises(HeadMoved):
        bench.commit(loser, losing, other.base, "job-2")
    left = [name for name in bench.blobs.names(f"users/{USER}/") if "/commits/" in name]
    if len(left) == 1:  # the loser noticed before its commit was written
        blob = bench.blobs.peek(left[0])
        assert blob is not None
        for digest in ("0" * 64, "f" * 64):
            bench.blobs.write(left[0].replace(ref.digest, digest), blob.data, if_generation=0)
    again = bench.store()
    root, workspace = bench.hydrate(again)
    (root / "brain/people/ann.md").write_text("# Ann Lee\n")
    last = bench.commit(again, root, workspace.base, "job-3")

    history = History(bench.store().of(USER))
    digest, commit = history.commit(1)
    assert (digest, commit.seq, commit.job_id) == (ref.digest, 1, "job-1")
    digest, commit = history.commit(2)
    assert (digest, commit.seq, commit.job_id) == (last.digest, 2, "job-3")
    assert history.read("brain/people/ann.md", 1) == b"# Ann\n"
    with pytest.raises(NoSuchCommit, match="has no commit 3: it has commits 1 to 2"):
        history.commit(3)
