"""
What a record must be before anything else looks at it: the user's own, asked for, and as its checksum says.

What the server itself writes of a record (whose it is, its source, its type, its checksum) must be right, or the run
ends: such a server cannot be believed in the rest either. What comes out of the user's row may be broken, and costs
that record alone (``Broken``).
"""

from __future__ import annotations

from collections.abc import Mapping

from consumer.errors import ChecksumMismatch, SourceMismatch, TenantMismatch
from contract import canonical
from contract.api import JobSpec, RefusedRecord
from contract.records import Record


def require_asked(job: JobSpec, types: Mapping[str, str], record: Record) -> None:
    """``types``: the sources asked for, and the type of their records.

    Raises:
        TenantMismatch: it is another user's.
        SourceMismatch: its source was not asked for, or has other records.
    """
    if record.user_id != job.user_id:
        raise TenantMismatch(f"{_where(job, record)}: asked for user {job.user_id}, got one of user {record.user_id}")
    if record.source_key not in types:
        raise SourceMismatch(f"{_where(job, record)}: not among the sources asked for: {', '.join(types)}")
    if record.record_type != types[record.source_key]:
        raise SourceMismatch(f"{_where(job, record)}: a {record.record_type} is no record of this source")


def require_refused(job: JobSpec, types: Mapping[str, str], refused: RefusedRecord) -> None:
    """A record that is broken must be the user's own and asked for, like any other.

    Raises:
        TenantMismatch: it is another user's, or does not say whose.
        SourceMismatch: its source was not asked for, or has other records.
        ChecksumMismatch: its checksum is none.
    """
    where = f"job {job.job_id}, a broken record"
    if refused.user_id is not None and refused.user_id.lower() != job.user_id:
        raise TenantMismatch(f"{where}: asked for user {job.user_id}, and it does not say that it is theirs")
    if refused.source_key not in types:
        raise SourceMismatch(f"{where}: not among the sources asked for: {', '.join(types)}")
    if refused.record_type is not None and refused.record_type != types[refused.source_key]:
        raise SourceMismatch(f"{where}: its record type is not {types[refused.source_key]}")
    if refused.reason.startswith("checksum:"):
        raise ChecksumMismatch(f"{where} of source {refused.source_key}: what it states is no checksum")


class Broken(Exception):
    """One record's data cannot be kept; the message is a short reason without content."""


def canonical_data(job: JobSpec, record: Record) -> bytes:
    """The record's data in canonical form.

    Raises:
        Broken: it has none, like a number that no double holds or half a character.
        ChecksumMismatch: it has another checksum than it states.
    """
    try:
        data = canonical.dumps(record.data)
    except (ValueError, RecursionError) as exc:
        raise Broken(f"data: {type(exc).__name__}") from None
    computed = "sha256:" + canonical.sha256_hex(data)
    if computed != record.checksum:
        raise ChecksumMismatch(f"{_where(job, record)}: stated {record.checksum}, computed {computed}")
    return data


def _where(job: JobSpec, record: Record) -> str:
    # An id can be any text, so an error names its digest.
    ident = canonical.sha256_hex(record.record_id.encode())[:16]
    return f"job {job.job_id}, source {record.source_key}, record sha256 {ident}"
