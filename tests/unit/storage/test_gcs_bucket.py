"""A bucket is fit for memories if erased data is gone at once and only our accounts read it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from google.api_core.exceptions import NotFound, RetryError, ServiceUnavailable

from consumer.errors import BlobUnavailable
from consumer.storage import gcs_bucket
from tests.tables import table


def a_bucket(**changes: Any) -> Any:
    access = {"uniform_bucket_level_access_enabled": True, "public_access_prevention": "enforced"}
    plain = {"versioning_enabled": False, "soft_delete_s": None, "retention_period": None, **access, **changes}
    return SimpleNamespace(
        versioning_enabled=plain["versioning_enabled"],
        soft_delete_policy=SimpleNamespace(retention_duration_seconds=plain["soft_delete_s"]),
        retention_period=plain["retention_period"],
        iam_configuration=SimpleNamespace(**{name: plain[name] for name in access}),
        test_iam_permissions=lambda asked, **_: [name for name in asked if name not in plain.get("lacks", ())],
    )


@table(
    ("changes", "faults"),
    [
        ({}, []),
        ({"versioning_enabled": True}, ["object versioning is on"]),
        ({"soft_delete_s": 604_800}, ["soft delete is on"]),
        ({"uniform_bucket_level_access_enabled": False}, ["uniform bucket-level access is off"]),
        ({"public_access_prevention": "inherited"}, ["public access prevention is not enforced"]),
        ({"retention_period": 60}, ["a retention policy is set"]),
        (
            {"lacks": gcs_bucket.PERMISSIONS[:1], "retention_period": 60},
            [f"permission {gcs_bucket.PERMISSIONS[0]} is missing", "a retention policy is set"],
        ),
    ],
)
def test_each_setting_that_keeps_or_shows_data_is_named(changes: dict[str, Any], faults: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gcs_bucket, "_bucket", lambda *_: a_bucket(**changes))
        named = gcs_bucket.faults_of("b", project="p", endpoint=None)
    assert [fault.partition(":")[0] for fault in named] == faults


def test_a_bucket_that_is_not_there_or_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def raising(error: Exception) -> None:
        def refuse(*_: object) -> None:
            raise error

        monkeypatch.setattr(gcs_bucket, "_bucket", refuse)

    raising(NotFound("no"))
    assert gcs_bucket.faults_of("b", project="p", endpoint=None) == ("bucket 'b' does not exist: create it",)
    raising(RetryError("out of time", ServiceUnavailable("503")))
    with pytest.raises(BlobUnavailable, match="inspect bucket 'b': ServiceUnavailable"):
        gcs_bucket.faults_of("b", project="p", endpoint=None)
