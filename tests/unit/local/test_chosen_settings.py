"""Which of the consumer's settings whoever starts the embedded stack may choose."""

from __future__ import annotations

from local.__main__ import CHOSEN, GRACE, chosen
from local.stack import ROOT


def test_what_is_chosen_reaches_the_consumer_and_nothing_else_does() -> None:
    chosen_by_hand = {"MAX_ATTEMPTS": "2", "GBRAIN_PLUGIN_PATH": "/opt/plugins/house-style"}
    assert chosen({**chosen_by_hand, "WARM_FOLDERS": "", "RUN_ROOT": "/elsewhere"}) == chosen_by_hand


def test_the_quickstart_names_them() -> None:
    text = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
    assert [name for name in (*CHOSEN, GRACE) if f"`{name}`" not in text] == []
