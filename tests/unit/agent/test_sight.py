"""What an agent may see of the pages: by which digest an answer belongs to it."""

from __future__ import annotations

from consumer.agent.sight import Sight


def test_each_sight_has_a_digest_and_one_that_holds_nothing_has_none() -> None:
    """An answer that an agent gave under other rules is not used again."""
    rules = frozenset({"r"})
    sights = [
        Sight(),
        Sight(rules=rules),
        Sight(rules=rules | {"s"}),
        Sight(rules=rules, hidden=frozenset({"a.md"})),
        Sight(rules=rules, shown={"a.md": b"some"}),
        Sight(rules=rules, shown={"a.md": b"more"}),
    ]
    digests = [sight.digest for sight in sights]
    assert digests[0] == ""
    assert len(set(digests)) == len(sights)
    assert Sight(rules=frozenset({"s", "r"})).digest == digests[2], "whatever the order"
