"""Settings of the publisher: what each of them may be."""

from __future__ import annotations

import pytest

from publisher.settings import SettingsError, load
from tests.tables import table

GOOD = {"DATABASE_URL": "postgresql://memory_publisher@db:5432/postgres", "GOOGLE_CLOUD_PROJECT": "clo0p-prod"}


def test_what_is_not_set_has_its_default() -> None:
    settings = load(GOOD)
    assert (settings.jobs_topic, settings.host, settings.port) == ("memory-jobs", "0.0.0.0", 8080)
    assert (settings.webhook_secret, settings.sweep_every_s) == ("", 60)


@table(
    ("name", "value", "is_taken"),
    [
        # Its lock and its notices belong to a session, which a pooler of transactions does not keep.
        ("DATABASE_URL", "postgresql://x.y:z@db.example:6543/x", False),
        ("DATABASE_URL", "postgresql://x.y:z@db.example:5432/x", True),
        ("WEBHOOK_SECRET", "s" * 16, True),
        ("WEBHOOK_SECRET", "s" * 15, False),
        ("WEBHOOK_SECRET", "", True),
        ("POLL_S", "0.5", True),
        ("POLL_S", "0", False),
        ("POLL_S", "-1", False),
        ("POLL_S", "soon", False),
        ("SWEEP_STALE_AFTER_S", "180", True),
        ("PORT", "0", True),
        ("PORT", "65536", False),
    ],
)
def test_a_setting_that_cannot_work_is_named(name: str, value: str, is_taken: bool) -> None:
    if is_taken:
        load({**GOOD, name: value})
        return
    with pytest.raises(SettingsError, match=name) as caught:
        load({**GOOD, name: value})
    assert value not in str(caught.value) or name != "WEBHOOK_SECRET"
