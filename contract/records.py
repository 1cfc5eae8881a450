"""One exported record: the envelope that every source shares, and the checksum that says when it changed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from contract.canonical import sha256_hex
from contract.event import Uuid


def record_digest(source_key: str, record_id: str) -> str:
    """What stands for a record where its id must not: hexadecimal SHA-256."""
    return sha256_hex(f"{source_key}\0{record_id}".encode())


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("a time that in UTC is in no year from 1 to 9999") from None


#: Of any offset when it comes, in UTC from then on.
Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]


class Record(BaseModel):
    """A row of a source, as the export API shows it.

    ``data`` is plain JSON: included fields after redaction; numbers that a double would not hold arrive as strings.
    ``checksum`` is ``sha256:<hex>`` over RFC 8785 canonical ``data`` (of ``null`` for a tombstone).
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    source_key: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    record_id: Annotated[str, Field(min_length=1, max_length=1024)]
    record_type: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    user_id: Uuid
    occurred_at: Moment | None = None
    updated_at: Moment
    deleted: bool = False
    data: dict[str, Any] | None = None
    checksum: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]

    @model_validator(mode="after")
    def _tombstone_is_empty(self) -> Self:
        if self.deleted != (self.data is None):
            raise ValueError("a tombstone has deleted=true and data=null, a live record deleted=false and data")
        return self
