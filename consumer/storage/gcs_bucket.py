"""Is the bucket fit to hold people's memory? Asked seldom, by an operator, through google-cloud-storage's own client.

Needs storage.buckets.get beside what the store itself needs. The client's import takes most of a second, so it waits
until somebody asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import requests
from google.api_core.exceptions import GoogleAPIError, NotFound
from google.auth.credentials import AnonymousCredentials, Credentials
from google.auth.exceptions import GoogleAuthError

from consumer.errors import BlobUnavailable

if TYPE_CHECKING:
    from google.cloud.storage import Bucket

#: What the consumer's account does with objects.
PERMISSIONS: Final = (
    "storage.objects.create",
    "storage.objects.delete",
    "storage.objects.get",
    "storage.objects.list",
)
TIMEOUT_S: Final = 20.0
#: How long a failing question is repeated; the library's own two minutes are too long for somebody who waits.
PATIENCE_S: Final = 5.0


def faults_of(
    bucket: str, *, project: str, endpoint: str | None = None, credentials: Credentials | None = None
) -> tuple[str, ...]:
    """What is wrong with the bucket, one line each; nothing when it is fit.

    Raises:
        BlobUnavailable: the service cannot be asked.
    """
    try:
        found = _bucket(bucket, project, endpoint, credentials)
        granted = found.test_iam_permissions(list(PERMISSIONS), timeout=TIMEOUT_S, retry=_retry())
    except NotFound:
        return (f"bucket {bucket!r} does not exist: create it",)
    except (GoogleAPIError, GoogleAuthError, requests.RequestException) as exc:
        raise BlobUnavailable(f"inspect bucket {bucket!r}: {type(exc).__name__}") from exc
    missing = sorted(set(PERMISSIONS) - set(granted))
    return (*(f"permission {name} is missing: grant roles/storage.objectUser" for name in missing), *_unfit(found))


def _bucket(bucket: str, project: str, endpoint: str | None, credentials: Credentials | None) -> Bucket:
    from google.cloud import storage  # noqa: PLC0415 - see above

    options: dict[str, Any] = {"project": project}
    if endpoint:
        options["client_options"] = {"api_endpoint": endpoint}
        credentials = credentials or AnonymousCredentials()
    client = storage.Client(credentials=credentials, **options)
    return client.get_bucket(bucket, timeout=TIMEOUT_S, retry=_retry())


def _retry() -> Any:
    from google.cloud.storage.retry import DEFAULT_RETRY  # noqa: PLC0415 - see above

    return DEFAULT_RETRY.with_timeout(PATIENCE_S)


def _unfit(bucket: Bucket) -> list[str]:
    """Erasure must erase, and nobody but our accounts may read."""
    access = bucket.iam_configuration
    checks = (
        (bucket.versioning_enabled, "object versioning is on: a purge would leave noncurrent copies; turn it off"),
        (
            bool(bucket.soft_delete_policy.retention_duration_seconds),
            "soft delete is on: a purge would leave copies; set its retention to 0",
        ),
        (not access.uniform_bucket_level_access_enabled, "uniform bucket-level access is off: turn it on"),
        (access.public_access_prevention != "enforced", "public access prevention is not enforced: enforce it"),
        (bool(bucket.retention_period), "a retention policy is set: nothing could be purged; remove it"),
    )
    return [text for unfit, text in checks if unfit]
