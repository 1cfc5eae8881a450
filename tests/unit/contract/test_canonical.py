"""Our encoder is RFC 8785's, whichever way it takes; the reference implementation is the judge."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from contract import canonical
from contract.event import utc_text
from tests.tables import table

texts = st.text(st.characters(codec=None)) | st.sampled_from(["", "\x7f", "\x00\x1f\b\f\n\r\t", '"\\/', "\u2028", "😀"])
names = st.text(max_size=8) | st.sampled_from(["a", "aa", "Z", "_", "\ufb33", "😀", "é", "\x80"])
atoms = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.floats(0, 1e6).map(lambda seconds: round(seconds, 3))
    | st.sampled_from(
        [0.0, -0.0, 120.0, -1.0, 1e-4, 9.9999e-5, 1e-7, 2.0**53, 2.0**53 - 1, -(2.0**53), 1e16, 1e21, 0.1]
    )
    | texts
)
values = st.recursive(atoms, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=5))


@given(values)
def test_every_value_is_encoded_as_the_reference_does(value: Any) -> None:
    try:
        expected = bytes(rfc8785.dumps(value))
    except rfc8785.CanonicalizationError:
        with pytest.raises(ValueError, match="UTF-8"):
            canonical.dumps(value)
        return
    assert canonical.dumps(value) == expected


@given(values, values)
def test_a_known_digest_is_found_again_in_no_other_value(value: Any, other: Any) -> None:
    try:
        known, others = canonical.digest(value), canonical.digest(other)
    except ValueError:
        return
    assert not canonical.has_digest(other, known) or known == others


def test_plain_data_at_its_digest_is_known_again() -> None:
    plain = {"title": "Zoë", "done": None, "people": [{"name": "Ann"}], "n": 3}
    assert canonical.has_digest(plain, canonical.digest(plain))
    assert not canonical.has_digest({**plain, "n": 2**70}, canonical.digest(plain))


@table("value", [2**53, -(2**53), float("nan"), float("inf"), {"a": [2**60]}, ["\ud800"], {1: 2}])
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError)):
        rfc8785.dumps(value)
    with pytest.raises((ValueError, TypeError, AttributeError)):
        canonical.dumps(value)


def test_deep_data_is_encoded_like_shallow_data() -> None:
    deep: Any = {"b": 1, "a": 2}
    for _ in range(100):
        deep = [deep]
    assert canonical.dumps(deep) == b"[" * 100 + b'{"a":2,"b":1}' + b"]" * 100


@given(st.datetimes(timezones=st.just(UTC) | st.just(timezone(timedelta(hours=5, minutes=30)))))
def test_a_moment_is_the_same_moment_again(moment: datetime) -> None:
    try:
        text = utc_text(moment)
    except OverflowError:
        return  # the first hours of year 1 east of Greenwich have no UTC year
    assert len(text) == 27
    assert datetime.fromisoformat(text) == moment


def test_a_naive_moment_is_refused_with_advice() -> None:
    with pytest.raises(ValueError, match="attach a zone"):
        utc_text(datetime(2026, 1, 1))  # noqa: DTZ001 (the point)
