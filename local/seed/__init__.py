"""Sample users in clo0p-app's own tables: one rich, two small ones for isolation. The same rows for the same day.

``seed`` fills an empty app database; ``insert_changes`` does what a morning does: a new meeting, an item ticked off, a
promise in a chat, a row deleted.
"""

from __future__ import annotations

from local.seed.changes import insert_busy_hour, insert_changes
from local.seed.sample import SampleUser, SampleUsers, sample_users, seed

__all__ = ["SampleUser", "SampleUsers", "insert_busy_hour", "insert_changes", "sample_users", "seed"]
