"""An object version: what is stored of it, and the JSON resource it is shown as."""

from __future__ import annotations

import base64
import hashlib
import struct
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import quote

import google_crc32c

#: Fields a client may set at upload and change later.
WRITABLE = (
    "contentType",
    "contentEncoding",
    "contentDisposition",
    "contentLanguage",
    "cacheControl",
    "customTime",
    "metadata",
    "storageClass",
    "temporaryHold",
    "eventBasedHold",
)


@dataclass(frozen=True, slots=True)
class Hashes:
    """Base64, as on the wire: CRC32C big-endian, MD5 (absent for composed objects)."""

    crc32c: str
    md5: str | None

    @staticmethod
    def of(data: bytes) -> Hashes:
        crc = base64.b64encode(struct.pack(">I", google_crc32c.value(data))).decode()
        # Identification, as the wire format has it; nothing trusts it.
        md5 = base64.b64encode(hashlib.md5(data, usedforsecurity=False).digest()).decode()
        return Hashes(crc, md5)

    def header(self) -> str:
        return f"crc32c={self.crc32c}" + (f",md5={self.md5}" if self.md5 else "")


@dataclass(frozen=True, slots=True)
class ObjectVersion:
    """Times are RFC 3339 in UTC with milliseconds, as the service gives them."""

    bucket: str
    name: str
    generation: int
    metageneration: int
    size: int
    crc32c: str
    md5: str | None
    created: str
    updated: str
    deleted: str | None = None
    components: int | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def etag(self) -> str:
        return base64.b64encode(struct.pack(">QI", self.generation, self.metageneration)).decode()

    @property
    def hashes(self) -> Hashes:
        return Hashes(self.crc32c, self.md5)

    @property
    def content_type(self) -> str:
        return str(self.fields.get("contentType", "application/octet-stream"))

    def stored(self) -> dict[str, Any]:
        return asdict(self)

    def resource(self, base_url: str) -> dict[str, Any]:
        """The JSON API's representation; links are absolute, since clients follow mediaLink as it stands."""
        path = f"/storage/v1/b/{self.bucket}/o/{quote(self.name, safe='')}"
        resource: dict[str, Any] = {
            "kind": "storage#object",
            "id": f"{self.bucket}/{self.name}/{self.generation}",
            "selfLink": f"{base_url}{path}",
            "mediaLink": f"{base_url}/download{path}?generation={self.generation}&alt=media",
            "name": self.name,
            "bucket": self.bucket,
            "generation": str(self.generation),
            "metageneration": str(self.metageneration),
            "contentType": self.content_type,
            "storageClass": "STANDARD",
            **self.fields,
            "size": str(self.size),
            "crc32c": self.crc32c,
            "md5Hash": self.md5,
            "etag": self.etag,
            "timeCreated": self.created,
            "updated": self.updated,
            "timeFinalized": self.created,
            "timeDeleted": self.deleted,
            "componentCount": self.components,
        }
        return {key: value for key, value in resource.items() if value is not None}


def writable(document: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a client's document that an object keeps."""
    return {key: document[key] for key in WRITABLE if document.get(key) is not None}


def changed(fields: Mapping[str, Any], document: Mapping[str, Any], *, replace: bool) -> dict[str, Any]:
    """Fields after a PATCH (null removes, metadata merges) or, with ``replace``, after an update."""
    if replace:
        return writable(document)
    result = dict(fields)
    for key in (k for k in WRITABLE if k in document):
        value = document[key]
        if key == "metadata" and isinstance(value, dict):
            merged = {**result.get("metadata", {}), **value}
            value = {k: v for k, v in merged.items() if v is not None}
        if value is None:
            result.pop(key, None)
        else:
            result[key] = value
    return result
