"""No user reaches another's memory: ids swapped, stale and foreign tokens, a wrong grant, tricks with paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from consumer import paths
from reader.errors import CallRefusal
from tests.tables import table
from tests.unit.reader.worlds import ADA, ADA_TOKEN, BOB, BOB_TOKEN, MAIL, REPORT_ID, World, both, refusal

OTHER_REPORT = "66666666-6666-4666-8666-666666666666"
CALLS = [
    "/v1/me/reports",
    f"/v1/me/reports/{REPORT_ID}",
    f"/v1/me/reports/{REPORT_ID}?format=markdown",
    f"/v1/me/reports/{REPORT_ID}?format=html",
    f"/v1/me/pages/{MAIL}",
    "/v1/me/search?q=kestrel",
    "/v1/me/people",
    "/v1/me/today",
    "/v1/me/sources",
    "/v1/me/access",
    "/v1/me/corrections",
]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return both(tmp_path)


def test_each_user_sees_their_own_and_nothing_of_the_other(world: World) -> None:
    for call in CALLS * 2:
        ada, bob = world.get(call).text, world.get(call, BOB_TOKEN).text
        assert "BOBWORD" not in ada
        assert BOB not in ada
        assert "ADAWORD" not in bob
        assert ADA not in bob
    mentioned = [call for call in CALLS if "ADAWORD" in world.get(call).text or ADA in world.get(call).text]
    assert len(mentioned) >= 5, "the words that tell users apart stand in what is compared"


def test_what_only_the_other_has_is_not_there(world: World) -> None:
    world.commit(
        BOB,
        {
            f"brain/reports/digest/2026-11-27T10__{OTHER_REPORT}.md": "# BOBWORD\n",
            f"runtime/reports/digest/{OTHER_REPORT}.json": "{}",
            "brain/people/only-bob.md": "# BOBWORD\n",
        },
    )
    for call in (
        f"/v1/me/reports/{OTHER_REPORT}",
        f"/v1/me/reports/{OTHER_REPORT}?format=html",
        "/v1/me/pages/people/only-bob",
    ):
        assert world.get(call, BOB_TOKEN).status_code == 200
        assert refusal(world.get(call)) == (404, "not_found")


@table(
    "path",
    [
        f"../../{BOB}/HEAD",
        f"..%2f..%2fusers%2f{BOB}%2fHEAD",
        "..%2Fhermes-home%2Fstate.txt",
        "../runtime/exports/hourly/x/raw.jsonl",
        "%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "//brain/people/ann-lee-x",
        "people//ann-lee-x",
        "people/ann-lee-x%00",
        "people/ann-lee-x%00.md",
        "people\\ann-lee-x",
        "people%5cann-lee-x",
        "people%0a/ann-lee-x",
        "people/ann-lee-x/",
        "people",
        "",
        ".md",
        "PEOPLE/ANN-LEE-X",
        "people/ann-lee-x.md.md",
        "a" * 5000,
        "%ff%fe",
    ],
)
def test_no_trick_with_a_path_leads_out_of_the_pages(path: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        world = both(Path(folder))
        world.json("/v1/me/reports")
        before = len(world.reads())
        answer = world.get(f"/v1/me/pages/{path}")
        assert answer.status_code in (404, 422), answer.text
        names = {name for _, name in world.reads()[before:]}
        assert names <= {paths.head(ADA)}, "nothing but HEAD is read for a page that is not there"


def test_files_that_are_no_pages_cannot_be_read(world: World) -> None:
    for path in (
        "../runtime/today.json",
        f"..%2Fruntime%2Fexports%2Fhourly%2F{REPORT_ID}%2Fraw.jsonl",
        "runtime/manifests/today.json",
        "hermes-home/state.txt",
    ):
        assert world.get(f"/v1/me/pages/{path}").status_code == 404


def test_a_report_id_is_no_path(world: World) -> None:
    for report_id in (f"..%2F..%2F{REPORT_ID}", f"{REPORT_ID}%00", f"{REPORT_ID}.json", "..", "*", "%2e%2e"):
        assert world.get(f"/v1/me/reports/{report_id}").status_code == 404


@table(
    "value",
    ["", "Bearer", "Bearer ", "Basic YWRhOng=", "Bearer x", "Bearer a.b", "Bearer a.b.c.d", "Bearer a b c", ADA_TOKEN],
)
def test_what_is_no_bearer_token_is_refused_before_anybody_is_asked(value: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        world = both(Path(folder))
        answer = world.client.get("/v1/me/today", headers={"authorization": value})
        assert refusal(answer) == (401, "user_token_invalid")
        assert answer.headers["www-authenticate"] == "Bearer"
        assert world.controlplane.asked == []
        assert world.granted == []


def test_a_token_that_the_control_plane_refuses_reads_nothing(world: World) -> None:
    before = len(world.reads())
    for call in CALLS:
        assert refusal(world.get(call, "stranger.token.x")) == (401, "user_token_invalid")
    assert world.reads()[before:] == []
    # The refusal is kept, so that repeating the token is no load on the control plane.
    assert world.controlplane.asked == [("grant", "stranger.token.x")]


def test_a_very_long_token_is_refused(world: World) -> None:
    assert refusal(world.get("/v1/me/today", "a." + "b" * 9000 + ".c")) == (401, "user_token_invalid")


def test_a_token_ends_at_its_time_whatever_is_kept(world: World) -> None:
    from datetime import timedelta

    world.controlplane.user_life = timedelta(seconds=20)
    world.json("/v1/me/today")
    world.clock.advance(21)
    world.controlplane.refusals[ADA_TOKEN] = CallRefusal(401, "user_token_invalid", "it has expired")
    assert refusal(world.get("/v1/me/today")) == (401, "user_token_invalid")


@table("code", ["account_closed", "memory_off"])
def test_an_account_that_ends_reads_for_a_minute_at_most(code: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        world = both(Path(folder))
        world.json("/v1/me/today")
        world.controlplane.refusals[ADA_TOKEN] = CallRefusal(403, code, "no memory")
        world.clock.advance(60)
        for call in CALLS:
            assert refusal(world.get(call)) == (403, code)
        assert world.get("/v1/me/today", BOB_TOKEN).status_code == 200


def test_a_memory_that_is_enabled_again_is_there_within_a_minute(world: World) -> None:
    world.controlplane.refusals[ADA_TOKEN] = CallRefusal(403, "memory_off", "no memory")
    assert world.get("/v1/me/today").status_code == 403
    del world.controlplane.refusals[ADA_TOKEN]
    world.clock.advance(60)
    assert world.get("/v1/me/today").status_code == 200


def test_a_grant_for_another_prefix_is_not_used(world: World) -> None:
    world.controlplane.prefixes[ADA_TOKEN] = BOB
    assert refusal(world.get("/v1/me/today")) == (500, "internal_error")
    assert world.granted == []


def test_a_head_that_somebody_copied_from_another_user_shows_nothing(world: World) -> None:
    world.json("/v1/me/today")
    blobs = world.bench.blobs
    stolen = blobs.read(paths.head(BOB)).data
    own = blobs.read(paths.head(ADA))
    blobs.write(paths.head(ADA), stolen, if_generation=own.stat.generation)
    # Its objects are looked for below the reader's own prefix, and are not there.
    assert refusal(world.get("/v1/me/today")) == (503, "memory_changing")
    assert "BOBWORD" not in world.get(f"/v1/me/pages/{MAIL}").text


def test_the_store_of_a_grant_refuses_other_names(world: World) -> None:
    from consumer.errors import ScopeViolation

    world.json("/v1/me/today")
    [grant] = world.granted
    store = world.library.bucket(grant)
    with pytest.raises(ScopeViolation):
        store.read(paths.head(BOB))


def test_a_control_plane_that_is_away_lets_nobody_in_after_a_minute(world: World) -> None:
    world.json("/v1/me/today")
    world.controlplane.refusals[ADA_TOKEN] = CallRefusal(503, "controlplane_unavailable", "away", retryable=True)
    assert world.get("/v1/me/today").status_code == 200
    world.clock.advance(60)
    assert refusal(world.get("/v1/me/today")) == (503, "controlplane_unavailable")
    # Such a refusal is not kept: it may be gone at once.
    del world.controlplane.refusals[ADA_TOKEN]
    assert world.get("/v1/me/today").status_code == 200
