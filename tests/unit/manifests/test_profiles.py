"""What profiles may declare."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

import manifests
from contract.profile import DEFAULT_PROFILE, Profile


def test_the_milestone_profile_is_as_specified() -> None:
    profile = manifests.profiles()["internal-full"]
    assert profile.enabled
    assert profile.toolsets == ("skills", "file", "terminal")
    assert {"search", "query", "get_page", "put_page"} <= set(profile.brain_tool_names)
    assert profile.strict_evidence


def test_what_users_get_by_default_is_enabled_and_narrow() -> None:
    assert DEFAULT_PROFILE == "user-memory-prod"
    profile = manifests.profiles()[DEFAULT_PROFILE]
    assert profile.enabled
    assert profile.strict_evidence
    assert "terminal" not in profile.toolsets
    assert profile.hermes_tool_names == ("read_file", "write_file")
    assert all(tool.risk == "read" for tool in profile.brain_tools)


@pytest.mark.parametrize(("name", "risk"), [("internal-full", "outward"), ("user-memory-prod", "run")])
def test_a_profile_cannot_declare_more_than_it_may(name: str, risk: str) -> None:
    profile = manifests.profiles()[name].model_dump()
    profile["hermes_toolsets"] = [{"name": "more", "risk": risk, "tools": ["more"]}]
    with pytest.raises(ValidationError, match=name):
        Profile.model_validate(profile)


def test_prices_are_whole() -> None:
    for price in manifests.model_prices().values():
        assert set(price) == {"input", "cached", "output"}
        assert all(value >= 0 for value in price.values())
