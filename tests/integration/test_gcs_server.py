"""The embedded GCS server against the unmodified google-cloud-storage client: preconditions above all."""

from __future__ import annotations

import base64
import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import google_crc32c
import pytest
import requests
from google.api_core import exceptions as api
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage
from google.cloud.storage import transfer_manager

from local.gcs.server import serve
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]
BIG = bytes(range(256)) * 4096 + b"tail"  # 1 MiB and a bit: a file, not a row


@contextmanager
def client_of(base_url: str) -> Iterator[storage.Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORAGE_EMULATOR_HOST", base_url)
        client = storage.Client(project="test", credentials=AnonymousCredentials())
    try:
        yield client
    finally:
        client.close()


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(tmp_path_factory.mktemp("gcs")) as url:
        yield url


@pytest.fixture(scope="module")
def client(base_url: str) -> Iterator[storage.Client]:
    with client_of(base_url) as client:
        client.create_bucket("plain")
        kept = client.bucket("kept")
        kept.versioning_enabled = True
        client.create_bucket(kept)
        yield client


@pytest.fixture
def bucket(client: storage.Client) -> storage.Bucket:
    return client.bucket("plain")


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


def put(bucket: storage.Bucket, name: str, data: bytes | str = b"x", **conditions: Any) -> storage.Blob:
    blob = bucket.blob(name)
    blob.upload_from_string(data, retry=None, **conditions)
    return blob


def get(bucket: storage.Bucket, name: str, **conditions: Any) -> bytes:
    return bytes(bucket.blob(name).download_as_bytes(retry=None, **conditions))


# --- buckets ------------------------------------------------------------------------------------------------------


def test_bucket_life(client: storage.Client) -> None:
    created = client.create_bucket("life")
    with pytest.raises(api.Conflict):
        client.create_bucket("life")
    created.labels = {"a": "b"}
    created.add_lifecycle_delete_rule(age=1)
    created.patch(retry=None)
    bucket = client.get_bucket("life")
    assert bucket.labels == {"a": "b"}
    assert next(iter(bucket.lifecycle_rules))["action"] == {"type": "Delete"}
    with pytest.raises(api.PreconditionFailed):
        created.patch(if_metageneration_match=99, retry=None)
    put(created, "x")
    with pytest.raises(api.Conflict):
        created.delete()
    created.blob("x").delete()
    created.delete()
    with pytest.raises(api.NotFound):
        client.get_bucket("life", retry=None)


def test_versioning_flag_is_kept(client: storage.Client) -> None:
    assert client.get_bucket("kept").versioning_enabled
    assert not client.get_bucket("plain").versioning_enabled
    assert {"kept", "plain"} <= {bucket.name for bucket in client.list_buckets()}


@pytest.mark.parametrize("bad", ["ab", "UPPER", "-dash"])
def test_bad_bucket_names(base_url: str, bad: str) -> None:
    assert requests.post(f"{base_url}/storage/v1/b", json={"name": bad}, timeout=PATIENCE_S).status_code == 400


def test_missing_bucket(client: storage.Client) -> None:
    with pytest.raises(api.NotFound):
        put(client.bucket("nowhere"), "x")
    with pytest.raises(api.NotFound):
        list(client.bucket("nowhere").list_blobs(retry=None))


# --- uploads ------------------------------------------------------------------------------------------------------


def _resumable(bucket: storage.Bucket, name: str, data: bytes, **conditions: Any) -> storage.Blob:
    blob = bucket.blob(name, chunk_size=256 * 1024)
    blob.upload_from_file(io.BytesIO(data), size=len(data), retry=None, **conditions)
    return blob


@pytest.mark.parametrize("upload", [put, _resumable], ids=["multipart", "resumable"])
def test_upload_preconditions(bucket: storage.Bucket, name: str, upload: Callable[..., storage.Blob]) -> None:
    first = upload(bucket, name, BIG, if_generation_match=0)
    refused: list[dict[str, int]] = [
        {"if_generation_match": 0},
        {"if_generation_match": first.generation + 1},
        {"if_generation_not_match": first.generation},
        {"if_metageneration_match": 99},
        {"if_metageneration_not_match": 1},
    ]
    for conditions in refused:
        with pytest.raises(api.PreconditionFailed):
            upload(bucket, name, b"other", **conditions)
    assert get(bucket, name) == BIG
    second = upload(bucket, name, b"two", if_generation_match=first.generation, if_metageneration_match=1)
    assert second.generation > first.generation
    assert get(bucket, name) == b"two"


def test_media_upload_preconditions(bucket: storage.Bucket, base_url: str, name: str) -> None:
    url = f"{base_url}/upload/storage/v1/b/plain/o"
    params = {"uploadType": "media", "name": name, "ifGenerationMatch": "0"}
    assert requests.post(url, params=params, data=b"1", timeout=PATIENCE_S).status_code == 200
    assert requests.post(url, params=params, data=b"2", timeout=PATIENCE_S).status_code == 412
    assert get(bucket, name) == b"1"


def test_resumable_precondition_holds_at_the_last_byte(bucket: storage.Bucket, name: str) -> None:
    generation = put(bucket, name, b"1").generation
    session = bucket.blob(name).create_resumable_upload_session(
        content_type="text/plain", size=5, if_generation_match=generation, retry=None
    )
    put(bucket, name, b"2")
    assert requests.put(session, data=b"hello", timeout=PATIENCE_S).status_code == 412
    assert get(bucket, name) == b"2"


def test_resumable_session_tells_how_far_it_is(bucket: storage.Bucket, name: str) -> None:
    half = 256 * 1024
    session = bucket.blob(name).create_resumable_upload_session(size=2 * half, retry=None)

    def send(content_range: str, data: bytes = b"") -> requests.Response:
        return requests.put(
            session, data=data, headers={"content-range": content_range}, timeout=PATIENCE_S, allow_redirects=False
        )

    assert "range" not in send(f"bytes */{2 * half}").headers
    assert send(f"bytes 0-{half - 1}/{2 * half}", b"a" * half).headers["range"] == f"bytes=0-{half - 1}"
    assert send(f"bytes */{2 * half}").status_code == 308
    assert send(f"bytes {2 * half}-{3 * half - 1}/{3 * half}", b"c" * half).status_code == 503, "a gap"
    done = send(f"bytes {half}-{2 * half - 1}/{2 * half}", b"b" * half)
    assert (done.status_code, done.json()["size"]) == (200, str(2 * half))
    # The answer was lost: asking again gives the same, and writes nothing.
    assert send(f"bytes */{2 * half}").json()["generation"] == done.json()["generation"]
    assert get(bucket, name) == b"a" * half + b"b" * half


def test_resumable_chunks_as_clients_in_go_send_them(bucket: storage.Bucket, name: str) -> None:
    half = 256 * 1024
    session = bucket.blob(name).create_resumable_upload_session(size=2 * half, retry=None)
    headers = {"x-guploader-no-308": "yes", "content-range": f"bytes 0-{half - 1}/*"}
    first = requests.post(session, data=b"a" * half, headers=headers, timeout=PATIENCE_S)
    assert (first.status_code, first.headers["x-http-status-code-override"]) == (200, "308")
    headers["content-range"] = f"bytes {half}-{2 * half - 1}/{2 * half}"
    assert requests.post(session, data=b"b" * half, headers=headers, timeout=PATIENCE_S).json()["size"] == str(2 * half)
    assert get(bucket, name) == b"a" * half + b"b" * half


def test_resumable_session_may_be_cancelled(bucket: storage.Bucket, name: str) -> None:
    session = bucket.blob(name).create_resumable_upload_session(size=5, retry=None)
    assert requests.delete(session, timeout=PATIENCE_S).status_code == 499
    assert requests.put(session, data=b"hello", timeout=PATIENCE_S).status_code == 404


def test_multipart_of_the_xml_api(bucket: storage.Bucket, tmp_path: Path, name: str) -> None:
    data = BIG * 11
    (tmp_path / "big").write_bytes(data)
    transfer_manager.upload_chunks_concurrently(
        str(tmp_path / "big"), bucket.blob(name), chunk_size=5 << 20, max_workers=2, worker_type=transfer_manager.THREAD
    )
    assert get(bucket, name) == data


def test_hashes_are_returned_and_checked(bucket: storage.Bucket, base_url: str, name: str) -> None:
    blob = put(bucket, name, b"123456789")
    assert blob.crc32c == "4waSgw=="
    assert blob.md5_hash == "JfnnlDI7RTiF9RgfG2JNCw=="
    for checksum in ("md5", "crc32c"):
        blob.upload_from_string(b"q", checksum=checksum, retry=None)
        assert get(bucket, name, checksum=checksum) == b"q"
    answer = requests.get(f"{base_url}/download/storage/v1/b/plain/o/{name}?alt=media", timeout=PATIENCE_S)
    crc32c = base64.b64encode(google_crc32c.Checksum(b"q").digest()).decode()
    assert answer.headers["x-goog-hash"].startswith(f"crc32c={crc32c},md5=")


@pytest.mark.parametrize("document", [{"md5Hash": "AAAAAAAAAAAAAAAAAAAAAA=="}, {"crc32c": "AAAAAA=="}])
def test_wrong_hashes_are_refused(bucket: storage.Bucket, base_url: str, name: str, document: dict[str, str]) -> None:
    url = f"{base_url}/upload/storage/v1/b/plain/o?uploadType=multipart"
    metadata = json.dumps({"name": name, **document})
    body = f"--b\r\ncontent-type: application/json\r\n\r\n{metadata}\r\n--b\r\ncontent-type: a/b\r\n\r\nabc\r\n--b--"
    answer = requests.post(
        url, data=body, headers={"content-type": "multipart/related; boundary=b"}, timeout=PATIENCE_S
    )
    assert answer.status_code == 400
    assert not bucket.blob(name).exists()


def test_metadata_set_at_upload(bucket: storage.Bucket, name: str) -> None:
    blob = bucket.blob(name)
    blob.metadata, blob.cache_control, blob.custom_time = {"m": "1"}, "no-store", datetime(2026, 1, 1, tzinfo=UTC)
    blob.upload_from_string(b"x", content_type="text/markdown")
    stored = bucket.get_blob(name)
    assert (stored.metadata, stored.cache_control, stored.content_type) == ({"m": "1"}, "no-store", "text/markdown")
    assert stored.custom_time == datetime(2026, 1, 1, tzinfo=UTC)


# --- reads --------------------------------------------------------------------------------------------------------


def test_read_preconditions(bucket: storage.Bucket, name: str) -> None:
    stale = put(bucket, name, b"1").generation
    current = put(bucket, name, b"2").generation
    read: list[Callable[..., object]] = [
        lambda **conditions: get(bucket, name, **conditions),
        lambda **conditions: bucket.blob(name).reload(retry=None, **conditions),
        lambda **conditions: bucket.blob(name).exists(retry=None, **conditions),
    ]
    for call in read:
        call(if_generation_match=current, if_metageneration_match=1)
        for conditions in ({"if_generation_match": stale}, {"if_metageneration_match": 99}):
            with pytest.raises(api.PreconditionFailed):
                call(**conditions)
        for conditions in ({"if_generation_not_match": current}, {"if_metageneration_not_match": 1}):
            with pytest.raises(api.NotModified):
                call(**conditions)


def test_etags(bucket: storage.Bucket, name: str) -> None:
    put(bucket, name)
    etag = bucket.get_blob(name).etag
    assert get(bucket, name, if_etag_match=etag) == b"x"
    with pytest.raises(api.PreconditionFailed):
        get(bucket, name, if_etag_match="other")
    with pytest.raises(api.NotModified):
        get(bucket, name, if_etag_not_match=etag)


def test_ranges(bucket: storage.Bucket, base_url: str, name: str) -> None:
    put(bucket, name, BIG)
    assert get(bucket, name, start=100, end=199) == BIG[100:200]
    assert get(bucket, name, start=len(BIG) - 4) == b"tail"
    put(bucket, f"{name}/small", b"0123456789")
    assert get(bucket, f"{name}/small", start=3, end=5) == b"345"
    assert get(bucket, f"{name}/small", start=8, end=50) == b"89"
    url = f"{base_url}/download/storage/v1/b/plain/o/{name}?alt=media"
    assert requests.get(url, headers={"range": "bytes=-4"}, timeout=PATIENCE_S).content == b"tail"
    assert requests.get(url, headers={"range": f"bytes={len(BIG)}-"}, timeout=PATIENCE_S).status_code == 416


def test_missing_object(bucket: storage.Bucket, name: str) -> None:
    with pytest.raises(api.NotFound):
        get(bucket, name)
    assert bucket.get_blob(name) is None
    assert not bucket.blob(name).exists()


@pytest.mark.parametrize(
    "odd", ["we ird/ü#?%25+&.md", "a/../b", "//x//", "𝄞/\u202eabc", "tab\tand 'quotes\" <&>", "dir"]
)
def test_odd_names(bucket: storage.Bucket, odd: str) -> None:
    put(bucket, odd, odd.encode())
    put(bucket, f"{odd}/below", b"")
    assert get(bucket, odd) == odd.encode()
    (blob,) = [blob for blob in bucket.list_blobs(prefix=odd) if blob.name == odd]
    # The client follows this link after a listing.
    assert blob.download_as_bytes() == odd.encode()


@pytest.mark.parametrize("bad", ["..", ".", "line\nbreak", "x" * 1025])
def test_bad_names(bucket: storage.Bucket, bad: str) -> None:
    with pytest.raises(api.BadRequest):
        put(bucket, bad)


# --- metadata changes ---------------------------------------------------------------------------------------------


def test_patch_and_update_preconditions(bucket: storage.Bucket, name: str) -> None:
    stale = put(bucket, name).generation
    current = put(bucket, name).generation
    for change in ("patch", "update"):
        for conditions in ({"if_generation_match": stale}, {"if_metageneration_match": 99}):
            blob = bucket.get_blob(name)
            blob.metadata = {"k": change}
            with pytest.raises(api.PreconditionFailed):
                getattr(blob, change)(retry=None, **conditions)
        before = bucket.get_blob(name)
        before.metadata = {"k": change}
        getattr(before, change)(retry=None, if_metageneration_match=before.metageneration)
        after = bucket.get_blob(name)
        assert (after.metadata, after.generation) == ({"k": change}, current)
    assert bucket.get_blob(name).metageneration == 3


# --- copies and compositions --------------------------------------------------------------------------------------


def test_copy_preconditions(bucket: storage.Bucket, name: str) -> None:
    source = bucket.blob(f"{name}/source")
    source.upload_from_string(b"s", content_type="x/y")
    source.reload()
    copies: list[Callable[..., object]] = [
        lambda **conditions: bucket.copy_blob(source, bucket, f"{name}/copy", retry=None, **conditions),
        lambda **conditions: bucket.blob(f"{name}/rewritten").rewrite(source, retry=None, **conditions),
    ]
    for copy, target in zip(copies, ("copy", "rewritten"), strict=True):
        copy(if_generation_match=0, if_source_generation_match=source.generation)
        for conditions in (
            {"if_generation_match": 0},
            {"if_source_generation_match": source.generation - 1},
            {"if_source_metageneration_match": 99},
            {"if_source_generation_not_match": source.generation},
        ):
            with pytest.raises(api.PreconditionFailed):
                copy(**conditions)
        blob = bucket.get_blob(f"{name}/{target}")
        assert (blob.download_as_bytes(), blob.content_type) == (b"s", "x/y")


def test_compose_preconditions(bucket: storage.Bucket, name: str) -> None:
    parts = [put(bucket, f"{name}/{number}", f"{number}") for number in range(3)]
    whole = bucket.blob(f"{name}/whole")
    whole.compose(parts, if_generation_match=0, retry=None)
    assert (whole.download_as_bytes(), whole.component_count, whole.md5_hash) == (b"012", 3, None)
    for conditions in ({"if_generation_match": 0}, {"if_generation_match": 77}):
        with pytest.raises(api.PreconditionFailed):
            bucket.blob(whole.name).compose(parts, retry=None, **conditions)
    with pytest.raises(api.PreconditionFailed):
        bucket.blob(whole.name).compose(parts[:1], if_source_generation_match=[5], retry=None)
    with pytest.raises(api.NotFound):
        bucket.blob(whole.name).compose([parts[0], bucket.blob(f"{name}/missing")], retry=None)


# --- deletes ------------------------------------------------------------------------------------------------------


def test_delete_preconditions(bucket: storage.Bucket, name: str) -> None:
    stale = put(bucket, name, b"1").generation
    current = put(bucket, name, b"2").generation
    for conditions in (
        {"if_generation_match": stale},
        {"if_generation_match": 0},
        {"if_metageneration_match": 99},
        {"if_generation_not_match": current},
    ):
        with pytest.raises(api.PreconditionFailed):
            bucket.blob(name).delete(retry=None, **conditions)
    with pytest.raises(api.NotFound):
        bucket.blob(name, generation=stale).delete(retry=None)
    assert get(bucket, name) == b"2"
    bucket.blob(name).delete(if_generation_match=current, retry=None)
    with pytest.raises(api.NotFound):
        bucket.blob(name).delete(retry=None)
    assert put(bucket, name).generation > current


def test_batch(client: storage.Client, bucket: storage.Bucket, name: str) -> None:
    for number in range(25):
        put(bucket, f"{name}/{number}")
    with client.batch():
        for number in range(25):
            bucket.blob(f"{name}/{number}").delete()
    assert list(bucket.list_blobs(prefix=name)) == []


# --- listings -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tree(client: storage.Client) -> storage.Bucket:
    bucket = client.create_bucket("tree")
    for number in range(25):
        put(bucket, f"L/{number % 5}/f{number:02d}")
    for name in ("top", "L/", "M/one", "dot.txt"):
        put(bucket, name)
    return bucket


def _names(listing: Any) -> list[str]:
    return [blob.name for blob in listing]


def test_list_prefix_order_and_offsets(tree: storage.Bucket) -> None:
    every = _names(tree.list_blobs())
    assert every == sorted(every)
    assert len(every) == 29
    assert _names(tree.list_blobs(prefix="L/1/")) == [f"L/1/f{n:02d}" for n in range(1, 25, 5)]
    assert len(_names(tree.list_blobs(prefix="L/", start_offset="L/2/", end_offset="L/4/"))) == 10
    assert _names(tree.list_blobs(prefix="nothing")) == []


@pytest.mark.parametrize("page_size", [1, 2, 3, 100])
def test_list_folders(tree: storage.Bucket, page_size: int) -> None:
    listing = tree.list_blobs(delimiter="/", page_size=page_size)
    assert _names(listing) == ["dot.txt", "top"]
    assert listing.prefixes == {"L/", "M/"}
    listing = tree.list_blobs(prefix="L/", delimiter="/", page_size=page_size)
    assert _names(listing) == ["L/"]
    assert listing.prefixes == {f"L/{number}/" for number in range(5)}
    listing = tree.list_blobs(delimiter="/", include_trailing_delimiter=True, page_size=page_size)
    assert _names(listing) == ["L/", "dot.txt", "top"]


def test_list_pages(tree: storage.Bucket) -> None:
    pages = [len(list(page)) for page in tree.list_blobs(prefix="L/", page_size=10).pages]
    assert pages == [10, 10, 6]
    assert len(_names(tree.list_blobs(max_results=7))) == 7


@pytest.mark.parametrize(
    ("glob", "count"),
    [("L/*/f0*", 10), ("**f0*", 10), ("*", 2), ("{top,M/one}", 2), ("L/[0-1]/**", 10), ("*.tx?", 1), ("t[!x]p", 1)],
)
def test_list_glob(tree: storage.Bucket, glob: str, count: int) -> None:
    assert len(_names(tree.list_blobs(match_glob=glob))) == count


def test_list_fields(tree: storage.Bucket) -> None:
    (blob,) = tree.list_blobs(prefix="M/", fields="items(name,generation),nextPageToken")
    assert blob.generation
    assert blob.size is None


# --- noncurrent versions ------------------------------------------------------------------------------------------


def test_versions(client: storage.Client, bucket: storage.Bucket, name: str) -> None:
    kept = client.bucket("kept")
    old, new = put(kept, name, BIG).generation, put(kept, name, b"2").generation
    assert [b.generation for b in kept.list_blobs(prefix=name, versions=True)] == [old, new]
    kept.blob(name).delete()
    with pytest.raises(api.NotFound):
        get(kept, name)
    assert kept.blob(name, generation=old).download_as_bytes() == BIG
    assert kept.blob(name, generation=new).download_as_bytes() == b"2"
    kept.blob(name, generation=old).delete()
    assert [b.generation for b in kept.list_blobs(prefix=name, versions=True)] == [new]
    stale = put(bucket, name, b"1").generation
    put(bucket, name, b"2")
    with pytest.raises(api.NotFound):
        bucket.blob(name, generation=stale).download_as_bytes(retry=None)


# --- time, counters ----------------------------------------------------------------------------------------------


def test_date_header_and_updated_are_one_clock(tmp_path: Path) -> None:
    clock = {"now": datetime(2030, 5, 17, 12, 0, 0, 999_900, tzinfo=UTC)}
    with serve(tmp_path, now=lambda: clock["now"]) as base_url:
        requests.post(f"{base_url}/storage/v1/b", json={"name": "bucket"}, timeout=PATIENCE_S)
        url = f"{base_url}/upload/storage/v1/b/bucket/o?uploadType=media&name=x"
        first = requests.post(url, data=b"", timeout=PATIENCE_S)
        assert first.json()["updated"] == "2030-05-17T12:00:00.999Z"
        assert parsedate_to_datetime(first.headers["date"]) == datetime(2030, 5, 17, 12, tzinfo=UTC)
        clock["now"] -= timedelta(days=1)
        second = requests.post(url, data=b"", timeout=PATIENCE_S)
        assert int(second.json()["generation"]) > int(first.json()["generation"]), "the clock stepped back"


def test_too_fast_overwrites_are_refused_where_asked_for(tmp_path: Path) -> None:
    clock = {"now": datetime(2030, 5, 17, 12, tzinfo=UTC)}
    with serve(tmp_path, now=lambda: clock["now"], write_interval_s=1.0) as base_url, client_of(base_url) as client:
        bucket = client.create_bucket("bucket")
        put(bucket, "x", b"1")
        put(bucket, "y", b"1")
        clock["now"] += timedelta(seconds=0.9)
        with pytest.raises(api.TooManyRequests):
            put(bucket, "x", b"2")
        with pytest.raises(api.PreconditionFailed):
            put(bucket, "x", b"2", if_generation_match=0)
        clock["now"] += timedelta(seconds=0.1)
        put(bucket, "x", b"2")
        assert get(bucket, "x") == b"2"


def test_stats_count_calls_and_bytes(tmp_path: Path) -> None:
    with serve(tmp_path) as base_url, client_of(base_url) as client:
        bucket = client.create_bucket("bucket")
        put(bucket, "x", b"12345")
        get(bucket, "x")
        missing = requests.get(f"{base_url}/download/storage/v1/b/bucket/o/y?alt=media", timeout=PATIENCE_S)
        assert missing.status_code == 404
        stats = requests.get(f"{base_url}/_stats", timeout=PATIENCE_S).json()
        assert stats["requests"] == 4
        assert stats["by_call"]["objects.download"] == {
            "requests": 2,
            "bytes_in": 0,
            "bytes_out": 5 + len(missing.content),
        }
        assert stats["by_call"]["objects.insert"]["bytes_in"] > 5
        assert stats["by_status"] == {"200": 3, "404": 1}
        requests.delete(f"{base_url}/_stats", timeout=PATIENCE_S)
        assert requests.get(f"{base_url}/_stats", timeout=PATIENCE_S).json()["requests"] == 0


# --- durability ---------------------------------------------------------------------------------------------------


def test_everything_outlives_a_restart(tmp_path: Path) -> None:
    with serve(tmp_path) as base_url, client_of(base_url) as client:
        bucket = client.create_bucket("bucket")
        small, big = put(bucket, "small", b"s").generation, put(bucket, "big", BIG).generation
        put(bucket, "gone").delete()
        last = put(bucket, "last").generation
        bucket.blob("last").delete()
    with serve(tmp_path) as base_url, client_of(base_url) as client:
        bucket = client.get_bucket("bucket")
        assert {b.name: b.generation for b in bucket.list_blobs()} == {"small": small, "big": big}
        assert get(bucket, "big", if_generation_match=big) == BIG
        with pytest.raises(api.PreconditionFailed):
            put(bucket, "small", if_generation_match=small - 1)
        assert put(bucket, "last").generation > last


@contextmanager
def _process(data: Path, *options: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    argv = [sys.executable, "-m", "local.gcs", "--data", str(data), "--bucket", "bucket", *options]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout
        try:
            ready = json.loads(process.stdout.readline())
            assert ready["ready"]
            yield process, f"http://127.0.0.1:{ready['port']}"
        finally:
            process.kill()


class Writer(threading.Thread):
    """Overwrites one object, body after body, until the server is gone. A body is one number, over and over."""

    def __init__(self, base_url: str, name: str, size: int) -> None:
        super().__init__(daemon=True)
        self.url = f"{base_url}/upload/storage/v1/b/bucket/o?uploadType=media&name={name}"
        self.repeats = size // 7
        self.confirmed = -1
        self.enough = threading.Event()

    def run(self) -> None:
        with requests.Session() as session:
            while self._write(session, b"%07d" % (self.confirmed + 1)):
                self.confirmed += 1
                if self.confirmed == 10:
                    self.enough.set()

    def _write(self, session: requests.Session, unit: bytes) -> bool:
        try:
            return session.post(self.url, data=unit * self.repeats, timeout=PATIENCE_S).ok
        except requests.RequestException:
            return False


@pytest.mark.parametrize("options", [(), ("--no-sync",)], ids=["durable", "no-sync"])
@pytest.mark.parametrize("size", [1000, 700_000], ids=["row", "file"])
def test_killed_at_any_time_an_object_is_old_or_new(tmp_path: Path, size: int, options: tuple[str, ...]) -> None:
    """Writers overwrite while the server is killed: then every object is whole, and no confirmed write is lost."""
    for _ in range(1 + bool(options)):
        with _process(tmp_path, *options) as (process, base_url):
            writers = {name: Writer(base_url, name, size) for name in ("a", "b", "c")}
            for writer in writers.values():
                writer.start()
            assert all(writer.enough.wait(PATIENCE_S) for writer in writers.values())
            os.kill(process.pid, signal.SIGKILL)
            for writer in writers.values():
                writer.join()
        with serve(tmp_path) as base_url, client_of(base_url) as client:
            for name, writer in writers.items():
                data = get(client.bucket("bucket"), name)
                assert data == data[:7] * (size // 7), "half of one, half of another"
                assert int(data[:7]) in (writer.confirmed, writer.confirmed + 1)
        assert len(list((tmp_path / "bodies").iterdir())) == (3 if size > 256 * 1024 else 0), "an unnamed body stayed"


def test_stops_on_sigterm(tmp_path: Path) -> None:
    with _process(tmp_path) as (process, base_url):
        assert requests.get(f"{base_url}/storage/v1/b/bucket", timeout=PATIENCE_S).status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) in (0, -signal.SIGTERM)
