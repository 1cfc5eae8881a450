"""MODEL_UPSTREAMS: what is accepted, and where keys come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from service.settings import SettingsError, Variable, read_all
from service.upstreams import ModelUpstream, resolve, upstreams
from tests.tables import table

URL = "https://models.example/v1"


def test_each_model_gets_its_endpoint_and_a_reference_to_its_key() -> None:
    text = json.dumps({"b": {"base_url": f"{URL}/", "key": "env:B_KEY"}, "a": {"base_url": URL, "key": "none"}})
    assert upstreams(text) == (ModelUpstream("a", URL, "none"), ModelUpstream("b", URL, "env:B_KEY"))
    assert upstreams("") == ()


@table(
    ("value", "reason"),
    [
        ("gpt=https://x", "JSON object"),
        ("[]", "JSON object"),
        ('{"m": "https://x"}', "exactly base_url and key"),
        (json.dumps({"m": {"base_url": URL}}), "exactly base_url and key"),
        (json.dumps({"m": {"base_url": URL, "key": "none", "tier": "flex"}}), "exactly base_url and key"),
        (json.dumps({"": {"base_url": URL, "key": "none"}}), "exactly base_url and key"),
        (f'{{"m": {{"base_url": "{URL}", "key": "none"}}, "m": {{"base_url": "{URL}", "key": "none"}}}}', "once"),
        (json.dumps({"m": {"base_url": "models.example", "key": "none"}}), "http or https URL"),
        (json.dumps({"m": {"base_url": "https://u:p@models.example", "key": "none"}}), "without user name"),
        (json.dumps({"m": {"base_url": f"{URL}?key=1", "key": "none"}}), "without user name"),
        (json.dumps({"m": {"base_url": f"{URL}#private-key-1", "key": "none"}}), "and fragment"),
        (json.dumps({"m": {"base_url": "https://h:private-key-1/v1", "key": "none"}}), "http or https URL"),
        (json.dumps({"m": {"base_url": "https://h:99999/v1", "key": "none"}}), "http or https URL"),
        (json.dumps({"m": {"base_url": "https://[private-key-1]/v1", "key": "none"}}), "http or https URL"),
        (json.dumps({"m": {"base_url": "https://h\x00/v1", "key": "none"}}), "http or https URL"),
        (json.dumps({"m": {"base_url": "https://:80/v1", "key": "none"}}), "http or https URL"),
        (json.dumps({"m": {"base_url": URL, "key": "env:private_key_1"}}), "never the key itself"),
        (json.dumps({"m": {"base_url": URL, "key": "private-key-1"}}), "never the key itself"),
        (json.dumps({"m": {"base_url": URL, "key": "env:not a name"}}), "never the key itself"),
        (json.dumps({"m": {"base_url": URL, "key": "file:relative"}}), "never the key itself"),
        (json.dumps({"m": {"base_url": URL, "key": 7}}), "never the key itself"),
    ],
)
def test_what_is_wrong_is_named_and_no_value_is_repeated(value: str, reason: str) -> None:
    variable = Variable(
        "MODEL_UPSTREAMS", upstreams, "providers", example="x", default="", field="upstreams", guarded=True
    )
    with pytest.raises(SettingsError, match=reason) as caught:
        read_all({"MODEL_UPSTREAMS": value}, [variable])
    assert "private" not in str(caught.value)
    assert "u:p@" not in str(caught.value)


def test_keys_are_read_from_where_their_references_say(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("from-file\n")
    several = (
        ModelUpstream("a", URL, "env:A_KEY"),
        ModelUpstream("b", URL, f"file:{file}"),
        ModelUpstream("c", URL, "none"),
    )
    endpoints = resolve(several, {"A_KEY": " from-env\n"})
    assert {model: endpoint.key for model, endpoint in endpoints.items()} == {
        "a": "from-env",
        "b": "from-file",
        "c": "",
    }
    assert endpoints["a"].host == "models.example"
    assert "from-" not in repr(endpoints)
    with pytest.raises(ValueError, match=r"key of a: the variable .* is not set") as unset:
        resolve(several, {})
    assert "A_KEY" not in str(unset.value), "it may be a key"
    file.write_text("\n")
    with pytest.raises(ValueError, match="is empty"):
        resolve(several[1:], {})
    file.unlink()
    with pytest.raises(ValueError, match="FileNotFoundError"):
        resolve(several[1:], {})
