"""The JSON API's calls. Each takes the request and the path's decoded names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from local.gcs import listing, media, preconditions, projection
from local.gcs.errors import invalid, precondition_failed
from local.gcs.messages import HttpRequest, Response, json_response
from local.gcs.model import ObjectVersion, writable
from local.gcs.preconditions import integer
from local.gcs.store import ObjectStore

COMPOSE_SOURCES = 32


@dataclass(frozen=True, slots=True)
class JsonApi:
    store: ObjectStore

    # buckets

    def list_buckets(self, request: HttpRequest) -> Response:
        prefix = request.query.get("prefix", "")
        items = [bucket for bucket in self.store.buckets() if bucket["name"].startswith(prefix)]
        return _shown({"kind": "storage#buckets", "items": items}, request)

    def insert_bucket(self, request: HttpRequest) -> Response:
        return _shown(self.store.create_bucket(request.json()), request)

    def get_bucket(self, request: HttpRequest, bucket: str) -> Response:
        return _shown(self.store.bucket(bucket), request)

    def patch_bucket(self, request: HttpRequest, bucket: str) -> Response:
        conditions = preconditions.from_query(request.query, request.headers)
        return _shown(self.store.change_bucket(bucket, request.json(), conditions), request)

    def delete_bucket(self, _request: HttpRequest, bucket: str) -> Response:
        self.store.delete_bucket(bucket)
        return Response(204)

    def test_permissions(self, request: HttpRequest, bucket: str) -> Response:
        """Everybody may do everything here."""
        self.store.bucket(bucket)
        return _shown(
            {"kind": "storage#testIamPermissionsResponse", "permissions": request.query_lists["permissions"]}, request
        )

    # objects

    def list(self, request: HttpRequest, bucket: str) -> Response:
        page = listing.page(self.store, bucket, listing.ListingQuery.parse(request.query))
        return _shown(page.resource(request.base_url), request)

    def get(self, request: HttpRequest, bucket: str, name: str) -> Response:
        version = self._addressed(request, bucket, name)
        if request.query.get("alt") == "media":
            return media.response(self.store, version, request)
        return _shown(version.resource(request.base_url), request, {"etag": version.etag})

    def download(self, request: HttpRequest, bucket: str, name: str) -> Response:
        return media.response(self.store, self._addressed(request, bucket, name), request)

    def delete(self, request: HttpRequest, bucket: str, name: str) -> Response:
        conditions = preconditions.from_query(request.query, request.headers)
        self.store.delete(bucket, name, integer(request.query, "generation"), conditions)
        return Response(204)

    def patch(self, request: HttpRequest, bucket: str, name: str) -> Response:
        return self._change(request, bucket, name, replace_all=False)

    def update(self, request: HttpRequest, bucket: str, name: str) -> Response:
        return self._change(request, bucket, name, replace_all=True)

    def compose(self, request: HttpRequest, bucket: str, name: str) -> Response:
        document = request.json()
        sources = document.get("sourceObjects") or []
        if not 1 <= len(sources) <= COMPOSE_SOURCES:
            raise invalid(f"The number of source components provided ({len(sources)}) is not in [1, {COMPOSE_SOURCES}]")
        sources_found = [self._source(bucket, source) for source in sources]
        version = self.store.put(
            bucket,
            name,
            b"".join(self.store.body(source) for source in sources_found),
            writable(document.get("destination") or {}),
            preconditions.from_query(request.query, request.headers),
            components=sum(source.components or 1 for source in sources_found),
        )
        return _shown(version.resource(request.base_url), request)

    def copy(self, request: HttpRequest, bucket: str, name: str, to_bucket: str, to_name: str) -> Response:
        version = self._copied(request, (bucket, name), (to_bucket, to_name))
        return _shown(version.resource(request.base_url), request)

    def rewrite(self, request: HttpRequest, bucket: str, name: str, to_bucket: str, to_name: str) -> Response:
        """Always done in one call; the service splits large ones."""
        version = self._copied(request, (bucket, name), (to_bucket, to_name))
        document = {
            "kind": "storage#rewriteResponse",
            "totalBytesRewritten": str(version.size),
            "objectSize": str(version.size),
            "done": True,
            "resource": version.resource(request.base_url),
        }
        return _shown(document, request)

    # inside

    def _addressed(self, request: HttpRequest, bucket: str, name: str) -> ObjectVersion:
        version = self.store.find(bucket, name, integer(request.query, "generation"))
        preconditions.from_query(request.query, request.headers).require(version, reading=True)
        return version

    def _change(self, request: HttpRequest, bucket: str, name: str, *, replace_all: bool) -> Response:
        version = self.store.change(
            bucket,
            name,
            integer(request.query, "generation"),
            request.json(),
            preconditions.from_query(request.query, request.headers),
            replace_all=replace_all,
        )
        return _shown(version.resource(request.base_url), request)

    def _source(self, bucket: str, source: dict[str, Any]) -> ObjectVersion:
        generation = source.get("generation")
        version = self.store.find(bucket, str(source.get("name")), int(generation) if generation else None)
        required = (source.get("objectPreconditions") or {}).get("ifGenerationMatch")
        if required is not None and int(required) != version.generation:
            raise precondition_failed()
        return version

    def _copied(self, request: HttpRequest, source: tuple[str, str], target: tuple[str, str]) -> ObjectVersion:
        version = self.store.find(*source, integer(request.query, "sourceGeneration"))
        preconditions.from_query(request.query, source=True).require(version)
        # Metadata sent along replaces the source's as a whole; without any, the source's is kept.
        fields = writable(request.json()) or version.fields
        conditions = preconditions.from_query(request.query)
        return self.store.put(*target, self.store.body(version), fields, conditions, components=version.components)


def _shown(document: dict[str, Any], request: HttpRequest, headers: dict[str, str] | None = None) -> Response:
    fields = request.query.get("fields")
    return json_response(projection.project(document, projection.parse(fields)) if fields else document, 200, headers)
