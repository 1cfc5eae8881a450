"""The pages: who may see them, how a session begins and ends, and that nothing of the evidence gets out of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from consumer import layout
from contract.overlay import CorrectionRequest
from reader.errors import CallRefusal
from reader.sessions import LIFE, UserSessions, cookie_name
from reader.site import templates
from service import security
from tests.tables import table
from tests.unit.console.consoles import HOSTILE_TEXTS, RAW_ATTACKS
from tests.unit.reader.worlds import (
    ADA,
    ADA_TOKEN,
    APP,
    BOB_TOKEN,
    KEY,
    MAIL,
    MARK,
    ORIGIN,
    RECORD,
    REPORT_ID,
    S1,
    SOURCE,
    World,
    both,
    hiding,
    today_document,
)

PAGES = (
    "/today",
    "/loops",
    "/search",
    "/people",
    "/reports",
    f"/reports/{REPORT_ID}",
    f"/pages/{MAIL}",
    "/sources",
    "/access",
)
HTTPS = "https://memory.example"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return both(tmp_path)


def post(world: World, path: str, origin: str | None = ORIGIN, **form: str) -> Any:
    headers = {"origin": origin} if origin else {}
    return world.client.post(path, data=form, headers=headers, follow_redirects=False)


def sign_in(world: World, token: str = ADA_TOKEN) -> Any:
    answer = post(world, "/sign-in", APP, access_token=token)
    assert answer.status_code == 200, answer.text
    return answer


def form_token(world: World) -> str:
    match = re.search(r'name="form_token" value="([0-9a-f]+)"', world.client.get("/today").text)
    assert match
    return match[1]


BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_a_browser_at_an_unknown_address_gets_a_page_that_leads_on(world: World) -> None:
    paths = ("/nothing", "/today/x", "/v1/me/nothing")
    for path in paths:
        page = world.client.get(path, headers=BROWSER)
        assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert ("Open your memory from the app." in page.text, "<nav" in page.text) == (True, False)
        assert world.client.get(path).json()["error"]["code"] == "not_found"
    sign_in(world)
    for path in paths:
        page = world.client.get(path, headers=BROWSER)
        assert (page.status_code, "Go back to Today." in page.text, "<nav" in page.text) == (404, True, True)


def test_a_fault_of_the_reader_is_a_page_to_a_browser_and_says_nothing_of_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("SECRETWORD")

    sign_in(world)
    monkeypatch.setattr(type(world.service), "answer", fails)
    page = world.client.get("/today", headers=BROWSER)
    assert (page.status_code, "Try again in a minute." in page.text) == (500, True)
    assert "SECRETWORD" not in page.text
    assert security.HEADERS.items() <= dict(page.headers).items()
    assert world.client.get("/today").json()["error"]["code"] == "internal_error"


def test_the_app_can_read_a_fault(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(type(world.service), "answer", fails)
    headers = {"origin": APP, "authorization": f"Bearer {ADA_TOKEN}"}
    answer = world.client.get("/v1/me/today", headers=headers)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (500, APP)


def test_a_stranger_sees_nothing(world: World) -> None:
    for path in PAGES:
        answer = world.client.get(path)
        assert answer.status_code == 401
        assert "You are not signed in" in answer.text
        assert "ADAWORD" not in answer.text
    assert world.controlplane.asked == []


def test_every_page_shows_the_owner_their_own(world: World) -> None:
    sign_in(world)
    for path in PAGES:
        answer = world.client.get(path)
        assert answer.status_code == 200, (path, answer.text)
        assert "BOBWORD" not in answer.text
        assert 'lang="en"' in answer.text
        assert answer.text.count("<h1") == 1, path
    assert "Loop 1 of ADAWORD" in world.client.get("/today").text
    assert "Was due Thu 26 Nov 2026" in world.client.get("/today").text
    assert f'href="/pages/{MAIL}#r-{MARK}"' in world.client.get("/today").text
    assert f'href="/pages/{MAIL}#r-{MARK}"' in world.client.get(f"/reports/{REPORT_ID}").text
    assert 'href="/pages/people/ann-lee-x"' in world.client.get("/people").text
    assert "ann@ops.example" in world.client.get("/access").text


def test_today_counts_all_and_says_what_it_leaves_out(world: World) -> None:
    today = today_document("ADAWORD")
    loop, meeting = today["loops"][2], today["meetings"][0]
    loops = [{**loop, "id": f"{n:016x}", "statements": [f"{n:016x}"], "text": f"Loop {n}."} for n in range(100, 110)]
    meetings = [{**meeting, "id": f"n{n}", "starts": f"2026-12-{n:02} 12:00 +01:00", "ends": ""} for n in range(1, 12)]
    world.commit(ADA, {layout.TODAY: json.dumps({**today, "loops": loops, "meetings": meetings})}, "job-2")
    sign_in(world)
    text = world.client.get("/today").text
    assert 'You owe <span class="count">10</span>' in text
    assert (text.count('id="loop-'), "And 2 more" in text) == (8, True)
    assert 'Next meetings <span class="count">11</span>' in text
    assert (text.count("Board call</p>"), "And 3 more." in text) == (8, True)
    assert world.client.get("/loops").text.count('id="loop-') == 10


def test_reports_are_listed_by_what_they_are_and_in_the_users_time(world: World) -> None:
    sign_in(world)
    assert ">Digest, Fri 27 Nov 2026, 09:00<" in world.client.get("/reports").text
    path = f"runtime/reports/digest/{REPORT_ID}.json"
    world.commit(ADA, {path: json.dumps({"timezone": "Asia/Kolkata"})}, "job-2")
    text = world.client.get("/reports").text
    assert ">Digest, Fri 27 Nov 2026, 14:30<" in text
    assert ">What no single page shows, Fri 20 Nov 2026<" in text


@table(
    "zone", ["Europe", "America/Argentina", "zone.tab", "", "../UTC", "Mars/Base", "A" * 300, "Europe/Wien\n", None, 7]
)
def test_reports_of_an_unknown_zone_are_listed_in_utc(world: World, zone: object) -> None:
    sign_in(world)
    world.commit(ADA, {f"runtime/reports/digest/{REPORT_ID}.json": json.dumps({"timezone": zone})}, f"job-{zone!r:.9}")
    assert ">Digest, Fri 27 Nov 2026, 09:00<" in world.client.get("/reports").text


@table(
    ("page", "text"),
    [
        ("sources/cloop/inbound-messages/2026-11-25-email-deck-abc", "Wed 25 Nov 2026 · inbound messages"),
        ("sources/cloop/checklist-containers/all", "checklist containers"),
        ("", ""),
    ],
)
def test_records_of_one_title_are_told_apart_by_day_and_source(page: str, text: str) -> None:
    assert templates().filters["origin"](page) == text


def test_the_front_door_leads_to_today(world: World) -> None:
    answer = world.client.get("/", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/today")


def test_the_cookie_is_strict_and_over_tls_bound_to_the_host(tmp_path: Path) -> None:
    for origin, name in ((ORIGIN, cookie_name(ORIGIN)), (HTTPS, "__Host-memory")):
        world = both(tmp_path / name, origin=origin)
        cookie = sign_in(world).headers["set-cookie"]
        assert cookie.startswith(f"{name}=")
        parts = {part.strip().lower() for part in cookie.split(";")[1:]}
        assert {"httponly", "samesite=strict", "path=/"} <= parts
        assert ("secure" in parts) == origin.startswith("https://")
        assert not any(part.startswith("domain") for part in parts)
        assert ADA_TOKEN not in cookie


def test_a_session_of_one_user_is_not_anothers(world: World) -> None:
    sign_in(world, BOB_TOKEN)
    assert "BOBWORD" in world.client.get("/today").text
    sign_in(world)
    assert "ADAWORD" in world.client.get("/today").text


@table(
    "origin", [None, "null", "https://evil.example", "http://app.example", ORIGIN, "https://app.example.evil.example"]
)
def test_only_the_app_may_sign_somebody_in(origin: str | None) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        world = both(Path(folder))
        answer = post(world, "/sign-in", origin, access_token=ADA_TOKEN)
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


def a_code(world: World, token: str = ADA_TOKEN) -> str:
    answer = world.client.post("/v1/me/codes", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["sign_in"] == f"{ORIGIN}/sign-in?code={body['code']}"
    assert token not in answer.text
    return str(body["code"])


def test_a_code_works_once_and_looking_at_it_does_not_use_it_up(world: World) -> None:
    code = a_code(world)
    for _ in range(2):
        shown = world.client.get(f"/sign-in?code={code}")
        assert (shown.status_code, f'value="{code}"' in shown.text) == (200, True)
    assert post(world, "/sign-in", code=code).status_code == 200
    assert "ADAWORD" in world.client.get("/today").text
    world.client.cookies.clear()
    again = post(world, "/sign-in", code=code)
    assert again.status_code == 403
    assert "This link is not valid" in again.text


def test_a_code_ends_after_ten_minutes(world: World) -> None:
    code = a_code(world)
    world.clock.advance(600)
    assert post(world, "/sign-in", code=code).status_code == 403


def test_a_code_from_another_site_signs_nobody_in(world: World) -> None:
    code = a_code(world)
    assert post(world, "/sign-in", "https://evil.example", code=code).status_code == 403
    assert world.client.get("/today").status_code == 401


def test_who_is_unknown_gets_no_code_and_who_is_off_does(world: World) -> None:
    answer = world.client.post("/v1/me/codes", headers={"authorization": "Bearer stranger.token.x"})
    assert answer.status_code == 401
    world.controlplane.refusals[ADA_TOKEN] = CallRefusal(
        403, "memory_off", "the memory is not enabled yet", hint="Ask."
    )
    assert post(world, "/sign-in", code=a_code(world)).status_code == 200
    page = world.client.get("/today")
    assert page.status_code == 403
    assert "the memory is not enabled yet" in page.text


def test_codes_are_not_there_where_they_are_off(tmp_path: Path) -> None:
    world = both(tmp_path, codes=False)
    answer = world.client.post("/v1/me/codes", headers={"authorization": f"Bearer {ADA_TOKEN}"})
    assert answer.status_code == 404
    assert post(world, "/sign-in", code="x").status_code == 403


def test_too_many_codes_are_refused(world: World) -> None:
    for _ in range(10):
        a_code(world)
    answer = world.client.post("/v1/me/codes", headers={"authorization": f"Bearer {ADA_TOKEN}"})
    assert answer.status_code == 429


def test_signing_out_ends_the_session_for_every_copy_of_the_cookie(world: World) -> None:
    sign_in(world)
    kept = dict(world.client.cookies)
    assert post(world, "/sign-out", form_token="0" * 64).status_code == 403
    assert world.client.get("/today").status_code == 200
    answer = post(world, "/sign-out", form_token=form_token(world))
    assert "You are signed out" in answer.text
    assert world.client.get("/today").status_code == 401
    for name, value in kept.items():
        world.client.cookies.set(name, value)
    assert world.client.get("/today").status_code == 401


def test_a_form_of_another_session_does_nothing(world: World) -> None:
    sign_in(world, BOB_TOKEN)
    foreign = form_token(world)
    world.client.cookies.clear()
    sign_in(world)
    assert post(world, "/sign-out", form_token=foreign).status_code == 403
    assert world.client.get("/today").status_code == 200


def tap(world: World, verdict: str = "done", **more: str) -> Any:
    form = {"form_token": form_token(world), "statement": S1, "verdict": verdict, "back": "today", **more}
    return post(world, "/corrections", **form)


def followed(world: World, answer: Any) -> str:
    assert answer.status_code == 303, answer.text
    return str(world.client.get(answer.headers["location"]).text)


TAPPED = {
    "done": "Done:",
    "not_mine": "Not yours:",
    "not_a_task": "Not a task:",
    "later": "Put off until Fri 4 Dec 2026:",
}


@table("verdict", list(TAPPED))
def test_a_tap_closes_a_loop_at_once_and_undo_opens_it_again(verdict: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        world = both(Path(folder))
        sign_in(world)
        before = world.client.get("/loops").text
        for name in ("Done", "Not mine", "Not a task", "Later"):
            assert f">{name}" in before
        page = followed(world, tap(world, verdict, back="loops"))
        assert TAPPED[verdict] in page
        assert f'id="loop-{S1}"' not in page
        assert f'id="loop-{S1}"' not in world.client.get("/today").text
        [view] = world.controlplane.made[ADA]
        assert (view.verdict, view.statement) == (verdict, S1)
        assert f'name="correction" value="{view.id}"' in page
        # Without the notice it can still be undone on the page of all loops.
        assert f'name="correction" value="{view.id}"' in world.client.get("/loops").text
        undone = post(world, "/corrections/undo", form_token=form_token(world), correction=view.id, back="loops")
        assert undone.headers["location"] == f"/loops#loop-{S1}"
        page = followed(world, undone)
        assert f'id="loop-{S1}"' in page
        assert view.id not in page


def test_a_tap_without_the_sessions_token_does_nothing(world: World) -> None:
    sign_in(world, BOB_TOKEN)
    foreign = form_token(world)
    world.client.cookies.clear()
    sign_in(world)
    for token in ("", "0" * 64, foreign):
        assert tap(world, form_token=token).status_code == 403
        assert post(world, "/corrections/undo", form_token=token, correction=REPORT_ID).status_code == 403
    bare = post(world, "/corrections", statement=S1, verdict="done")
    assert bare.status_code == 403
    assert "That form is not from this session" in bare.text
    world.client.cookies.clear()
    assert post(world, "/corrections", statement=S1, verdict="done").status_code == 401
    assert world.controlplane.made == {}


def test_a_form_that_says_something_else_is_refused(world: World) -> None:
    sign_in(world)
    for more in ({"verdict": "funny"}, {"verdict": "same_person"}, {"statement": "x"}, {"statement": ""}):
        assert tap(world, **more).status_code == 422
    assert world.controlplane.made == {}
    for correction in ("x", "", REPORT_ID):
        answer = post(world, "/corrections/undo", form_token=form_token(world), correction=correction)
        assert answer.status_code == 404
    # A form leads to our own pages only, and a foreign id in an address shows nothing.
    for back in ("//evil.example", "https://evil.example", "../x", ""):
        assert tap(world, back=back).headers["location"].startswith("/today?corrected=")
    assert "Undo" not in world.client.get(f"/today?corrected={REPORT_ID}").text


def test_what_one_corrects_another_does_not_see(world: World) -> None:
    sign_in(world)
    shown = tap(world).headers["location"]
    world.client.cookies.clear()
    sign_in(world, BOB_TOKEN)
    page = world.client.get(shown).text
    assert "Loop 1 of BOBWORD" in page
    assert "Undo" not in page
    [view] = world.controlplane.made[ADA]
    undone = post(world, "/corrections/undo", form_token=form_token(world), correction=view.id)
    assert undone.status_code == 404


def test_a_forgotten_loop_is_not_shown_as_corrected(world: World) -> None:
    sign_in(world)
    shown = tap(world).headers["location"]
    world.controlplane.overlay = hiding((SOURCE, RECORD))
    world.clock.advance(61)
    assert "Loop 1" not in world.client.get(shown).text
    assert "Loop 1" not in world.client.get("/loops").text


def test_a_session_ends_with_its_token_and_after_its_life(world: World) -> None:
    sign_in(world)
    world.controlplane.refusals[ADA_TOKEN] = CallRefusal(401, "user_token_invalid", "expired")
    world.clock.advance(61)
    page = world.client.get("/today")
    assert page.status_code == 401
    assert "Your sign-in has ended" in page.text
    del world.controlplane.refusals[ADA_TOKEN]
    world.clock.advance(LIFE.total_seconds())
    assert "You are not signed in" in world.client.get("/today").text


def test_a_cookie_of_another_key_or_with_a_changed_byte_is_none(world: World) -> None:
    sessions = UserSessions(KEY, world.clock.now)
    value = sessions.seal(sessions.start(ADA_TOKEN))
    assert sessions.open(value)
    changed = value[:40] + ("B" if value[40] == "A" else "A") + value[41:]
    for bad in (None, "", "x", value[:-2], changed, "é", value * 90):
        assert sessions.open(bad) is None
    assert UserSessions(b"x" * 32, world.clock.now).open(value) is None


def test_a_token_that_no_cookie_holds_is_refused_with_advice(world: World) -> None:
    token = "a." + "b" * 4000 + ".c"
    world.controlplane.users[token] = ADA
    answer = post(world, "/sign-in", APP, access_token=token)
    assert answer.status_code == 413
    assert "custom claims" in answer.text


def test_hostile_evidence_adds_no_markup_and_no_way_out(world: World) -> None:
    texts = [*RAW_ATTACKS, *(entry["text"] for entry in HOSTILE_TEXTS)]
    hostile = "\n\n".join(texts).encode(errors="surrogatepass").decode(errors="replace")
    world.commit(ADA, {"brain/hostile.md": f'---\ntitle: "<script>x</script>"\n---\n{hostile}'})
    sign_in(world)
    answer = world.client.get("/pages/hostile")
    assert answer.status_code == 200
    for tag in ("<script", "<img", "<svg", "<iframe", "<style", "onerror=", 'onclick="', 'javascript:window.owned=1"'):
        assert tag not in re.sub(r"&lt;.*?&gt;|<code>.*?</code>|<pre>.*?</pre>", "", answer.text, flags=re.DOTALL), tag
    for href in re.findall(r'href="([^"]*)"', answer.text):
        assert href.startswith(("/", "#")), href
        assert not href.startswith("//")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "script-src" not in policy


def test_every_answer_has_the_headers(world: World) -> None:
    for path in ("/today", "/memory.css", "/v1/me/today", "/openapi.json", "/nothing", "/sign-in", "/healthz"):
        headers = world.client.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_another_name_for_this_address_gets_nothing(world: World) -> None:
    for path in ("/today", "/v1/me/today", "/sign-in", "/openapi.json"):
        assert world.client.get(path, headers={"host": "evil.example"}).status_code == 400
    # A platform probes by an address of its own.
    for path in ("/healthz", "/readyz"):
        assert world.client.get(path, headers={"host": "10.0.0.7:8080"}).status_code == 200


def test_the_app_may_call_from_its_pages_and_no_other_site(world: World) -> None:
    asked = {"access-control-request-method": "GET", "access-control-request-headers": "authorization"}
    allowed = world.client.options("/v1/me/today", headers={"origin": APP, **asked})
    assert allowed.headers["access-control-allow-origin"] == APP
    assert "access-control-allow-credentials" not in allowed.headers
    refused = world.client.options("/v1/me/today", headers={"origin": "https://evil.example", **asked})
    assert "access-control-allow-origin" not in refused.headers


def test_no_address_and_no_log_holds_a_token_or_content(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    from service import telemetry

    telemetry.setup("reader", "")
    sign_in(world)
    text = "".join(world.client.get(path).text for path in PAGES)
    world.get("/v1/me/search?q=SECRETQUESTION")
    world.get(f"/v1/me/pages/{MAIL}")
    assert ADA_TOKEN not in text
    lines = capsys.readouterr().out
    assert "reader_request" in lines
    for word in ("ADAWORD", "SECRETQUESTION", "kestrel", ADA_TOKEN, ADA):
        assert word not in lines


def test_a_correction_that_an_assistant_proposes_is_shown_with_the_words_of_its_loop(world: World) -> None:
    sign_in(world)
    made = world.post("/v1/me/tokens", {"name": "A", "scopes": ["memory:read", "memory:correct"]}).json()
    world.controlplane.propose(made["token"], CorrectionRequest(verdict="done", statement=S1))
    assert "Loop 1 of" in world.client.get("/access").text


def test_assistants_are_let_in_and_answered_by_the_forms_of_the_page(world: World) -> None:
    sign_in(world)

    def send(path: str, **form: str) -> Any:
        return post(world, path, form_token=form_token(world), **form)

    made = send("/tokens", name="Helper", days="30", correct="on")
    assert made.status_code == 200
    [token] = world.json("/v1/me/tokens")["tokens"]
    assert (token["name"], token["scopes"]) == ("Helper", ["memory:read", "memory:correct"])
    secret = re.search("cma_[A-Za-z0-9_-]{43}", made.text)
    assert secret
    assert secret[0] not in world.client.get("/access").text, "shown once"
    for wrong in ({"name": "x" * 61, "days": "30"}, {"name": "A", "days": "366"}, {"name": "A"}, {}):
        assert send("/tokens", **wrong).status_code == 422
    world.controlplane.propose(secret[0], CorrectionRequest(verdict="done", statement=S1))
    [proposal] = world.json("/v1/me/proposals")["proposals"]
    assert send("/proposals", proposal=proposal["id"], accept="perhaps").status_code == 422
    assert len(world.json("/v1/me/proposals")["proposals"]) == 1
    answered = send("/proposals", proposal=proposal["id"], accept="yes")
    assert (answered.status_code, answered.headers["location"]) == (303, "/access#proposals")
    assert world.json("/v1/me/proposals")["proposals"] == []
    ended = send("/tokens/revoke", token=token["id"])
    assert (ended.status_code, ended.headers["location"]) == (303, "/access#assistants")
    assert world.json("/v1/me/tokens")["tokens"][0]["revoked_at"]


@table(
    ("kind", "body", "status", "reason"),
    [
        ("text/plain", b"x=1", 415, "not a form"),
        ("application/x-www-form-urlencoded", b"x=" + b"y" * (512 * 1024 - 1), 413, "too large"),
        ("application/x-www-form-urlencoded", b"x=" + b"y" * (512 * 1024 - 2), 403, "not from this session"),
        ("application/x-www-form-urlencoded", b"&".join([b"x=1"] * 2021), 400, "cannot be read"),
    ],
)
def test_what_is_no_form_of_this_site_is_refused(
    world: World, kind: str, body: bytes, status: int, reason: str
) -> None:
    sign_in(world)
    answer = world.client.post("/sign-out", content=body, headers={"content-type": kind, "origin": ORIGIN})
    assert (answer.status_code, reason in answer.text) == (status, True)
