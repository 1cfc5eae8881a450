"""
The record index in SQLite: which checksum of every record is rendered, where, and from which raw line.

One file, runtime/manifests/render-index.sqlite, with a rollback journal so that nothing but the file itself has to be
kept. All of a run's changes are one transaction: until ``commit`` the file is as the last snapshot had it.
"""

from consumer.evidence.index.sightings import open_sightings
from consumer.evidence.index.store import open_index

__all__ = ["open_index", "open_sightings"]
