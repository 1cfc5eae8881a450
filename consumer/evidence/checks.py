"""
The first checks of an exported record: it belongs to the user, was requested, and matches its checksum.

The server itself writes a record's user, source, type and checksum. If one of them is wrong, the run ends, because
nothing else from that server can be trusted. The user's own data may be broken; then only that record is refused
(``Broken``).
"""

from __future__ import annotations

from collections.abc import Mapping

from consumer.errors import ChecksumMismatch, SourceMismatch, TenantMismatch
from contract import canonical
from contract.api import JobSpec, RefusedRecord
from contract.records import Record


def require_asked(job: JobSpec, types: Mapping[str, str], record: Record) -> None:
    """``types``: requested source -> the type of its records.

    Raises TenantMismatch: the record belongs to another user. SourceMismatch: its source was not requested, or has
    records of another type.
    """
    if record.user_id != job.user_id:
        raise TenantMismatch(f"{_where(job, record)}: asked for user {job.user_id}, got one of user {record.user_id}")
    if record.source_key not in types:
        raise SourceMismatch(f"{_where(job, record)}: not among the sources asked for: {', '.join(types)}")
    if record.record_type != types[record.source_key]:
        raise SourceMismatch(f"{_where(job, record)}: a {record.record_type} is no record of this source")


def require_refused(job: JobSpec, types: Mapping[str, str], refused: RefusedRecord) -> None:
    """Check that a broken record belongs to the user and was requested.

    Raises TenantMismatch: the record belongs to another user, or names none. SourceMismatch: its source was not
    requested, or has records of another type. ChecksumMismatch: its checksum is malformed.
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
    """One record's data cannot be stored. The message is a short reason without content."""


def canonical_data(job: JobSpec, record: Record) -> bytes:
    """The record's data in canonical form.

    Raises Broken: it has no canonical form, for example a number too large for a double or an unpaired surrogate.
    ChecksumMismatch: its checksum differs from the stated one.
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
    # An id can contain any text, so an error names its digest.
    ident = canonical.sha256_hex(record.record_id.encode())[:16]
    return f"job {job.job_id}, source {record.source_key}, record sha256 {ident}"
