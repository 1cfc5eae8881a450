"""The operator's look at a bucket: fit, unfit in each way, missing, unreachable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests

from consumer.errors import BlobUnavailable
from consumer.storage.gcs_bucket import faults_of
from local.faults import Rule, http_proxy
from local.gcs.__main__ import FIT
from local.gcs.server import serve
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(tmp_path_factory.mktemp("gcs")) as url:
        yield url


def made(base_url: str, name: str, **settings: Any) -> str:
    answer = requests.post(f"{base_url}/storage/v1/b", json={"name": name, **FIT, **settings}, timeout=PATIENCE_S)
    assert answer.status_code == 200
    return name


def test_a_fit_bucket_has_no_faults(base_url: str) -> None:
    assert faults_of(made(base_url, "fit"), project="test", endpoint=base_url) == ()


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"versioning": {"enabled": True}}, "versioning"),
        ({"softDeletePolicy": {"retentionDurationSeconds": "604800"}}, "soft delete"),
        ({"iamConfiguration": {"publicAccessPrevention": "enforced"}}, "uniform"),
        ({"iamConfiguration": {"uniformBucketLevelAccess": {"enabled": True}}}, "public access"),
        ({"retentionPolicy": {"retentionPeriod": "3600"}}, "retention policy"),
    ],
)
def test_each_unfitness_is_named(base_url: str, settings: dict[str, Any], word: str) -> None:
    name = made(base_url, "unfit-" + word.replace(" ", "-"), **settings)
    (fault,) = faults_of(name, project="test", endpoint=base_url)
    assert word in fault


def test_a_missing_bucket_is_a_fault(base_url: str) -> None:
    assert faults_of("nowhere", project="test", endpoint=base_url) == ("bucket 'nowhere' does not exist: create it",)


def test_what_cannot_be_asked_is_unavailable(base_url: str) -> None:
    with http_proxy(base_url) as proxy:
        proxy.plan.add(Rule("status", nth=0, status=403))
        with pytest.raises(BlobUnavailable, match="Forbidden"):
            faults_of("fit", project="test", endpoint=proxy.url)
