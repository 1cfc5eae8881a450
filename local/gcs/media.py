"""Object bodies on their way out: whole or a range, with the headers that let a client check them."""

from __future__ import annotations

import re
from datetime import datetime
from email.utils import format_datetime

from local.gcs.errors import GcsError
from local.gcs.messages import HttpRequest, Response
from local.gcs.model import ObjectVersion
from local.gcs.store import ObjectStore

_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
_PASSED_ON = {
    "cacheControl": "cache-control",
    "contentEncoding": "content-encoding",
    "contentDisposition": "content-disposition",
    "contentLanguage": "content-language",
}


def response(store: ObjectStore, version: ObjectVersion, request: HttpRequest) -> Response:
    """200 with the body, or 206 with the range asked for. Raises 416 when the range starts behind the end."""
    headers = _headers(version)
    match = _RANGE.fullmatch(request.headers.get("range", ""))
    if request.method == "HEAD":
        return Response(200, b"", {**headers, "content-length": str(version.size)})
    if not match or match.groups() == ("", ""):
        return Response(200, store.body(version), headers)
    first, last = _bounds(*match.groups(), size=version.size)
    if first >= version.size:
        raise GcsError(416, "requestedRangeNotSatisfiable", "Request range not satisfiable")
    headers["content-range"] = f"bytes {first}-{last}/{version.size}"
    return Response(206, store.part(version, first, last + 1 - first), headers)


def _bounds(first: str, last: str, *, size: int) -> tuple[int, int]:
    if first == "":
        return max(0, size - int(last)), size - 1
    return int(first), min(int(last), size - 1) if last else size - 1


def _headers(version: ObjectVersion) -> dict[str, str]:
    headers = {
        "content-type": version.content_type,
        "etag": f'"{version.etag}"',
        "accept-ranges": "bytes",
        "last-modified": format_datetime(datetime.fromisoformat(version.updated), usegmt=True),
        "x-goog-generation": str(version.generation),
        "x-goog-metageneration": str(version.metageneration),
        "x-goog-storage-class": "STANDARD",
        "x-goog-stored-content-encoding": str(version.fields.get("contentEncoding", "identity")),
        "x-goog-stored-content-length": str(version.size),
        "x-goog-hash": version.hashes.header(),
    }
    passed = {header: str(version.fields[key]) for key, header in _PASSED_ON.items() if key in version.fields}
    return {**headers, **passed}
