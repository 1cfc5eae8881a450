"""The ways a body comes in through the JSON API: simple media, multipart/related, and resumable sessions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from local.gcs import multipart, preconditions
from local.gcs.errors import GcsError, invalid, not_found
from local.gcs.messages import HttpRequest, Response, json_response, parse_object
from local.gcs.model import Hashes, ObjectVersion, writable
from local.gcs.preconditions import Preconditions
from local.gcs.store import ObjectStore

#: The service takes a chunk that is not the last only in multiples of this.
CHUNK_BYTES = 256 * 1024
#: Finished sessions kept, so that a client whose reply was lost may ask how it ended.
FINISHED_SESSIONS = 1000
_RANGE = re.compile(r"bytes (?:(?P<first>\d+)-(?P<last>\d+)|\*)/(?P<total>\d+|\*)")


@dataclass(slots=True)
class _UploadSession:
    bucket: str
    name: str
    document: Mapping[str, Any]
    conditions: Preconditions
    chunks: list[bytes] = field(default_factory=list)
    received: int = 0
    result: ObjectVersion | None = None


@dataclass(slots=True)
class Uploads:
    store: ObjectStore
    new_id: Callable[[], str]
    sessions: dict[str, _UploadSession] = field(default_factory=dict)

    def insert(self, request: HttpRequest, bucket: str) -> Response:
        """POST /upload/.../o: what ``uploadType`` says; with an upload_id, a chunk, which clients in Go POST."""
        if "upload_id" in request.query:
            return self.resume(request)
        kind = request.query.get("uploadType")
        starts = {"media": self._media, "multipart": self._multipart, "resumable": self._start}
        if kind not in starts:
            raise invalid(f"Invalid upload type: {kind}")
        return starts[kind](request, bucket)

    def resume(self, request: HttpRequest) -> Response:
        """A chunk of a session, its last chunk, or a query of its progress."""
        session = self._session(request)
        if session.result is None and not self._receive(session, request):
            sent = {"range": f"bytes=0-{session.received - 1}"} if session.received else {}
            # Clients in Go ask for 200 instead, since their HTTP library would follow a 308.
            if request.headers.get("x-guploader-no-308") == "yes":
                return Response(200, b"", {**sent, "x-http-status-code-override": "308"})
            return Response(308, b"", sent)
        result = session.result or self._finish(session, request)
        return json_response(result.resource(request.base_url))

    def cancel(self, request: HttpRequest) -> Response:
        self._session(request)
        del self.sessions[request.query["upload_id"]]
        return Response(499)

    def _media(self, request: HttpRequest, bucket: str) -> Response:
        document = {"contentType": request.headers.get("content-type")}
        return self._put(request, bucket, document, request.body, request.headers)

    def _multipart(self, request: HttpRequest, bucket: str) -> Response:
        parts = multipart.split(request.headers.get("content-type", ""), request.body)
        if len(parts) != 2:
            raise invalid(f"Malformed multipart body: {len(parts)} parts, expected metadata and media")
        document = {"contentType": parts[1].headers.get("content-type"), **parse_object(parts[0].body)}
        return self._put(request, bucket, document, parts[1].body, request.headers)

    def _put(
        self, request: HttpRequest, bucket: str, document: Mapping[str, Any], data: bytes, headers: Mapping[str, str]
    ) -> Response:
        name = str(document.get("name") or request.query.get("name", ""))
        hashes = require_hashes(data, document, headers)
        conditions = preconditions.from_query(request.query, request.headers)
        version = self.store.put(bucket, name, data, writable(document), conditions, hashes=hashes)
        return json_response(version.resource(request.base_url))

    def _start(self, request: HttpRequest, bucket: str) -> Response:
        document = {"contentType": request.headers.get("x-upload-content-type"), **request.json()}
        name = str(document.get("name") or request.query.get("name", ""))
        conditions = preconditions.from_query(request.query, request.headers)
        self.store.bucket(bucket)
        conditions.require(self.store.live(bucket, name))
        upload_id = self.new_id()
        self._forget_oldest_finished()
        self.sessions[upload_id] = _UploadSession(bucket, name, document, conditions)
        location = f"{request.base_url}{request.path}?uploadType=resumable&upload_id={upload_id}"
        return Response(200, b"", {"location": location, "x-guploader-uploadid": upload_id})

    def _session(self, request: HttpRequest) -> _UploadSession:
        session = self.sessions.get(request.query.get("upload_id", ""))
        if session is None:
            raise not_found("upload session")
        return session

    def _receive(self, session: _UploadSession, request: HttpRequest) -> bool:
        """Accept a chunk; returns whether the upload is complete."""
        header = request.headers.get("content-range")
        if header is None:
            session.chunks.append(request.body)
            session.received += len(request.body)
            return True
        match = _RANGE.fullmatch(header)
        if not match:
            raise invalid("Invalid Content-Range")
        total = None if match["total"] == "*" else int(match["total"])
        if match["first"] is not None:
            self._append(session, int(match["first"]), request.body, last=total is not None)
        return total is not None and session.received >= total

    def _append(self, session: _UploadSession, first: int, body: bytes, *, last: bool) -> None:
        if first > session.received:
            raise GcsError(503, "backendError", f"Chunk starts at {first}, {session.received} bytes were received")
        if not last and len(body) % CHUNK_BYTES:
            raise invalid(f"A chunk that is not the last must be a multiple of {CHUNK_BYTES} bytes, got {len(body)}")
        fresh = body[session.received - first :]
        session.chunks.append(fresh)
        session.received += len(fresh)

    def _finish(self, session: _UploadSession, request: HttpRequest) -> ObjectVersion:
        """The preconditions hold for the moment of the last byte, not of the start."""
        data = b"".join(session.chunks)
        hashes = require_hashes(data, session.document, request.headers)
        fields = writable(session.document)
        session.result = self.store.put(session.bucket, session.name, data, fields, session.conditions, hashes=hashes)
        session.chunks.clear()
        return session.result

    def _forget_oldest_finished(self) -> None:
        finished = [key for key, session in self.sessions.items() if session.result]
        for key in finished[: max(0, len(finished) - FINISHED_SESSIONS)]:
            del self.sessions[key]


def require_hashes(data: bytes, document: Mapping[str, Any], headers: Mapping[str, str]) -> Hashes:
    """The hashes of the data.

    Raises 400 when one that the client states, in the document or in X-Goog-Hash, is another.
    """
    stated = dict(entry.strip().partition("=")[::2] for entry in headers.get("x-goog-hash", "").split(","))
    actual = Hashes.of(data)
    pairs = (
        (document.get("crc32c") or stated.get("crc32c"), actual.crc32c, "CRC32C"),
        (document.get("md5Hash") or stated.get("md5"), actual.md5, "MD5"),
    )
    for claimed, real, kind in pairs:
        if claimed and claimed != real:
            raise invalid(f"Provided {kind} hash {claimed!r} doesn't match calculated {kind} hash {real!r}.")
    return actual
