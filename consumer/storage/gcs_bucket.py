"""Check that the bucket's settings suit users' data. Run by operators, through google-cloud-storage's own client.

Needs storage.buckets.get besides what the store itself needs. The client's import takes most of a second, so it happens
at the first check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import requests
from google.api_core.exceptions import GoogleAPIError, NotFound
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import GoogleAuthError

from consumer.errors import BlobUnavailable

if TYPE_CHECKING:
    from google.cloud.storage import Bucket

#: Permissions that the consumer's account needs on objects.
PERMISSIONS: Final = (
    "storage.objects.create",
    "storage.objects.delete",
    "storage.objects.get",
    "storage.objects.list",
)
TIMEOUT_S: Final = 20.0
#: How long a failing request is repeated; the library's two minutes are too long for a waiting operator.
PATIENCE_S: Final = 5.0


def faults_of(bucket: str, *, project: str, endpoint: str | None = None) -> tuple[str, ...]:
    """The bucket's faults, one line each; none if it is suitable.

    Raises BlobUnavailable: the service cannot be reached.
    """
    try:
        inspected = _bucket(bucket, project, endpoint)
        granted = inspected.test_iam_permissions(list(PERMISSIONS), timeout=TIMEOUT_S, retry=_retry())
    except NotFound:
        return (f"bucket {bucket!r} does not exist: create it",)
    except (GoogleAPIError, GoogleAuthError, requests.RequestException) as exc:
        # A RetryError only says that time ran out; its cause is the service's last answer.
        cause = getattr(exc, "cause", None) or exc
        raise BlobUnavailable(f"inspect bucket {bucket!r}: {type(cause).__name__}") from exc
    missing = sorted(set(PERMISSIONS) - set(granted))
    return (*(f"permission {name} is missing: grant roles/storage.objectUser" for name in missing), *_unfit(inspected))


def _bucket(bucket: str, project: str, endpoint: str | None) -> Bucket:
    from google.cloud import storage  # noqa: PLC0415 - see above

    options: dict[str, Any] = {}
    if endpoint:
        options = {"client_options": {"api_endpoint": endpoint}, "credentials": AnonymousCredentials()}
    client = storage.Client(project=project, **options)
    return client.get_bucket(bucket, timeout=TIMEOUT_S, retry=_retry())


def _retry() -> Any:
    from google.cloud.storage.retry import DEFAULT_RETRY  # noqa: PLC0415 - see above

    return DEFAULT_RETRY.with_timeout(PATIENCE_S)


def _unfit(bucket: Bucket) -> list[str]:
    """Settings that would keep erased data, or let others than our accounts read."""
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
