"""Maps requests to calls. /_stats counts by the names on the left."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from local.gcs import batch
from local.gcs.access import AccessTokens
from local.gcs.errors import GcsError
from local.gcs.json_api import JsonApi
from local.gcs.messages import HttpRequest, Response, json_response
from local.gcs.stats import Stats
from local.gcs.store import ObjectStore
from local.gcs.uploads import Uploads
from local.gcs.xml_api import XmlApi, error_body

Call = Callable[..., Response]
_ONE = "([^/]+)"
_BUCKETS = "/storage/v1/b"
_OBJECTS = f"{_BUCKETS}/{_ONE}/o"
_OBJECT = f"{_OBJECTS}/{_ONE}"
_TARGET = f"/b/{_ONE}/o/{_ONE}"


@dataclass(frozen=True, slots=True)
class Route:
    name: str
    methods: frozenset[str]
    pattern: re.Pattern[str]
    call: Call


class Router:
    """Routes are tried in order; the XML API's /bucket/object comes last, since it matches nearly anything."""

    def __init__(self, store: ObjectStore, new_id: Callable[[], str]) -> None:
        self._stats = Stats()
        self._access = AccessTokens(store.now)
        self._routes = [*self._json_routes(JsonApi(store)), *self._upload_routes(Uploads(store, new_id))]
        xml = XmlApi(store, new_id)
        self._routes.append(_route("xml", "GET HEAD PUT POST DELETE", f"/{_ONE}/(.+)", xml.handle))

    def __call__(self, request: HttpRequest) -> Response:
        """Never raises GcsError: a refusal is a response."""
        route, names = self._match(request)
        try:
            if route is None:
                raise GcsError(404, "notFound", "Not Found")  # noqa: TRY301 - one place turns refusals into responses
            self._access.require(request, route.name, names)
            response = route.call(request, *names)
        except GcsError as error:
            response = _refusal(error, xml=route is not None and route.name == "xml")
        if not request.path.startswith("/_"):
            self._stats.count(route.name if route else "unknown", request, response)
        return response

    def _match(self, request: HttpRequest) -> tuple[Route | None, list[str]]:
        path = request.path.rstrip("/") if request.path.endswith("/o/") else request.path
        for route in self._routes:
            match = route.pattern.fullmatch(path) if request.method in route.methods else None
            if match:
                return route, [unquote(name) for name in match.groups()]
        return None, []

    def _json_routes(self, api: JsonApi) -> list[Route]:
        return [
            _route("stats", "GET", "/_stats", lambda _request: json_response(self._stats.document())),
            _route("stats", "DELETE", "/_stats", self._reset),
            _route("sts", "POST", "/sts/v1/token", self._access.exchange),
            _route("batch", "POST", "/batch/storage/v1", lambda request: batch.answer(request, self)),
            _route("buckets.list", "GET", _BUCKETS, api.list_buckets),
            _route("buckets.insert", "POST", _BUCKETS, api.insert_bucket),
            _route("buckets.get", "GET", f"{_BUCKETS}/{_ONE}", api.get_bucket),
            _route("buckets.patch", "PATCH PUT", f"{_BUCKETS}/{_ONE}", api.patch_bucket),
            _route("buckets.delete", "DELETE", f"{_BUCKETS}/{_ONE}", api.delete_bucket),
            _route("buckets.testIamPermissions", "GET", f"{_BUCKETS}/{_ONE}/iam/testPermissions", api.test_permissions),
            _route("objects.list", "GET", _OBJECTS, api.list),
            _route("objects.get", "GET HEAD", _OBJECT, api.get),
            _route("objects.download", "GET HEAD", f"/download{_OBJECT}", api.download),
            _route("objects.delete", "DELETE", _OBJECT, api.delete),
            _route("objects.patch", "PATCH", _OBJECT, api.patch),
            _route("objects.update", "PUT", _OBJECT, api.update),
            _route("objects.compose", "POST", f"{_OBJECT}/compose", api.compose),
            _route("objects.copy", "POST", f"{_OBJECT}/copyTo{_TARGET}", api.copy),
            _route("objects.rewrite", "POST", f"{_OBJECT}/rewriteTo{_TARGET}", api.rewrite),
        ]

    def _upload_routes(self, uploads: Uploads) -> list[Route]:
        path = f"(?:/resumable)?/upload{_OBJECTS}"
        return [
            _route("objects.insert", "POST", path, uploads.insert),
            _route("objects.insert", "PUT", path, lambda request, _bucket: uploads.resume(request)),
            _route("objects.insert", "DELETE", path, lambda request, _bucket: uploads.cancel(request)),
        ]

    def _reset(self, _request: HttpRequest) -> Response:
        self._stats = Stats()
        return Response(204)


def _route(name: str, methods: str, pattern: str, call: Call) -> Route:
    return Route(name, frozenset(methods.split()), re.compile(pattern), call)


def _refusal(error: GcsError, *, xml: bool) -> Response:
    if error.status == 304:
        return Response(304)
    if xml:
        return Response(error.status, error_body(error), {"content-type": "application/xml; charset=UTF-8"})
    return json_response(error.body(), error.status)
