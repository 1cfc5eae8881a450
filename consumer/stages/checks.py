"""What a record must be before anything else looks at it: the user's own, asked for, and as its checksum says."""

from __future__ import annotations

from collections.abc import Mapping

from consumer.core.errors import ChecksumMismatch, SourceMismatch, TenantMismatch
from contract import canonical
from contract.api import JobSpec
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


def canonical_data(job: JobSpec, record: Record) -> bytes:
    """The record's data in canonical form.

    Raises:
        ChecksumMismatch: it has none, or another checksum than it states.
    """
    try:
        data = canonical.dumps(record.data)
    except ValueError as exc:
        raise ChecksumMismatch(f"{_where(job, record)}: its data has no canonical form: {type(exc).__name__}") from None
    computed = "sha256:" + canonical.sha256_hex(data)
    if computed != record.checksum:
        raise ChecksumMismatch(f"{_where(job, record)}: stated {record.checksum}, computed {computed}")
    return data


def _where(job: JobSpec, record: Record) -> str:
    # An id can be any text, so an error names its digest.
    ident = canonical.sha256_hex(record.record_id.encode())[:16]
    return f"job {job.job_id}, source {record.source_key}, record sha256 {ident}"
