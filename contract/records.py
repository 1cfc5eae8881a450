"""An exported record: the envelope that all sources share, with a checksum that detects changes."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from contract.canonical import sha256_hex
from contract.event import Uuid


def record_digest(source_key: str, record_id: str) -> str:
    """The hexadecimal SHA-256 that names a record where its id must not appear."""
    return sha256_hex(f"{source_key}\0{record_id}".encode())


#: The beginning of an RFC 3339 time. pydantic would read a bare number as seconds or milliseconds since 1970.
_DATED: Final = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]", re.ASCII)


def _written_out(moment: Any) -> Any:
    if isinstance(moment, (int, float)) or (isinstance(moment, str) and not _DATED.match(moment)):
        raise ValueError("a time that is not in RFC 3339 form")
    return moment


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("a time outside the years 1 to 9999 in UTC") from None


#: Accepts any offset; converts to UTC.
Moment = Annotated[AwareDatetime, BeforeValidator(_written_out), AfterValidator(_in_utc)]


class Record(BaseModel):
    """A row of a source, in the form of the export API.

    ``data`` is plain JSON: the included fields after redaction; numbers that a double cannot hold are strings.
    ``checksum`` is ``sha256:<hex>`` over RFC 8785 canonical ``data`` (of ``null`` for a tombstone).
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    source_key: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    record_id: Annotated[str, Field(min_length=1, max_length=1024)]
    record_type: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    user_id: Uuid
    occurred_at: Moment | None = None
    updated_at: Moment
    deleted: Annotated[bool, Field(strict=True)] = False
    data: dict[str, Any] | None = None
    checksum: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]

    @model_validator(mode="after")
    def _tombstone_is_empty(self) -> Self:
        if self.deleted != (self.data is None):
            raise ValueError("a tombstone has deleted=true and data=null, a live record deleted=false and data")
        return self
