"""The parts of the XML API that clients use beside the JSON API: plain objects, and multipart uploads.

Preconditions come in ``x-goog-if-...`` headers; an answer's generation goes out in ``x-goog-generation``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from local.gcs import media, preconditions
from local.gcs.errors import GcsError, invalid, not_found
from local.gcs.messages import HttpRequest, Response
from local.gcs.model import Hashes, ObjectVersion
from local.gcs.preconditions import integer
from local.gcs.store import ObjectStore
from local.gcs.uploads import require_hashes

_NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"
PARTS = 10_000


@dataclass(slots=True)
class _Multipart:
    bucket: str
    name: str
    fields: Mapping[str, object]
    parts: dict[int, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class XmlApi:
    store: ObjectStore
    new_id: Callable[[], str]
    multiparts: dict[str, _Multipart] = field(default_factory=dict)

    def handle(self, request: HttpRequest, bucket: str, name: str) -> Response:
        query = request.query
        if request.method in ("GET", "HEAD"):
            return self._get(request, bucket, name)
        if request.method == "POST" and "uploads" in query:
            return self._initiate(request, bucket, name)
        if request.method == "POST" and "uploadId" in query:
            return self._complete(request)
        if request.method == "PUT":
            return self._put_part(request) if "uploadId" in query else self._put(request, bucket, name)
        if request.method == "DELETE":
            return self._abort(request) if "uploadId" in query else self._delete(request, bucket, name)
        raise GcsError(405, "methodNotAllowed", f"{request.method} is not allowed here")

    def _get(self, request: HttpRequest, bucket: str, name: str) -> Response:
        version = self.store.find(bucket, name, integer(request.query, "generation"))
        preconditions.from_xml_headers(request.headers).require(version, reading=True)
        return media.response(self.store, version, request)

    def _put(self, request: HttpRequest, bucket: str, name: str) -> Response:
        require_hashes(request.body, {}, request.headers)
        conditions = preconditions.from_xml_headers(request.headers)
        version = self.store.put(bucket, name, request.body, _fields(request), conditions)
        return Response(200, b"", _written(version))

    def _delete(self, request: HttpRequest, bucket: str, name: str) -> Response:
        conditions = preconditions.from_xml_headers(request.headers)
        self.store.delete(bucket, name, integer(request.query, "generation"), conditions)
        return Response(204)

    def _initiate(self, request: HttpRequest, bucket: str, name: str) -> Response:
        self.store.bucket(bucket)
        upload_id = self.new_id()
        self.multiparts[upload_id] = _Multipart(bucket, name, _fields(request))
        return _xml("InitiateMultipartUploadResult", {"Bucket": bucket, "Key": name, "UploadId": upload_id})

    def _put_part(self, request: HttpRequest) -> Response:
        upload = self._multipart(request)
        number = integer(request.query, "partNumber") or 0
        if not 1 <= number <= PARTS:
            raise invalid(f"Part number must be 1 to {PARTS}, got {number}")
        require_hashes(request.body, {}, request.headers)
        upload.parts[number] = request.body
        hashes = Hashes.of(request.body)
        return Response(200, b"", {"etag": f'"{hashes.md5}"', "x-goog-hash": hashes.header()})

    def _complete(self, request: HttpRequest) -> Response:
        upload = self._multipart(request)
        numbers = _part_numbers(request.body)
        missing = [number for number in numbers if number not in upload.parts]
        if missing or not numbers or numbers != sorted(set(numbers)):
            raise GcsError(400, "InvalidPart", f"Parts unknown or out of order: {missing or numbers}")
        data = b"".join(upload.parts[number] for number in numbers)
        conditions = preconditions.from_xml_headers(request.headers)
        version = self.store.put(upload.bucket, upload.name, data, upload.fields, conditions, components=len(numbers))
        del self.multiparts[request.query["uploadId"]]
        answer = {"Bucket": upload.bucket, "Key": upload.name, "ETag": f'"{version.etag}"'}
        return _xml("CompleteMultipartUploadResult", answer, _written(version))

    def _abort(self, request: HttpRequest) -> Response:
        self._multipart(request)
        del self.multiparts[request.query["uploadId"]]
        return Response(204)

    def _multipart(self, request: HttpRequest) -> _Multipart:
        upload = self.multiparts.get(request.query["uploadId"])
        if upload is None:
            raise not_found("multipart upload")
        return upload


def error_body(error: GcsError) -> bytes:
    return _xml("Error", {"Code": error.reason, "Message": error.message}).body


def _part_numbers(body: bytes) -> list[int]:
    try:
        root = ElementTree.fromstring(body)
        return [int(element.text or "") for element in root.iter() if element.tag.rpartition("}")[2] == "PartNumber"]
    except (ElementTree.ParseError, ValueError) as exc:
        raise GcsError(
            400, "MalformedCompleteMultipartUploadRequest", "The XML you provided was not well-formed"
        ) from exc


def _fields(request: HttpRequest) -> dict[str, object]:
    kind = request.headers.get("content-type")
    metadata = {
        name.removeprefix("x-goog-meta-"): value
        for name, value in request.headers.items()
        if name.startswith("x-goog-meta-")
    }
    return {**({"contentType": kind} if kind else {}), **({"metadata": metadata} if metadata else {})}


def _written(version: ObjectVersion) -> dict[str, str]:
    return {
        "etag": f'"{version.etag}"',
        "x-goog-generation": str(version.generation),
        "x-goog-metageneration": str(version.metageneration),
        "x-goog-hash": version.hashes.header(),
    }


def _xml(root: str, values: Mapping[str, str], headers: Mapping[str, str] | None = None) -> Response:
    inner = "".join(f"<{tag}>{escape(value)}</{tag}>" for tag, value in values.items())
    text = f'<?xml version="1.0" encoding="UTF-8"?><{root} xmlns="{_NAMESPACE}">{inner}</{root}>'
    return Response(200, text.encode(), {"content-type": "application/xml; charset=UTF-8", **(headers or {})})
