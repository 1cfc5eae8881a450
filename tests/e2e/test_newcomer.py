"""A newcomer's first hour with "My memory", in a real Chromium on the embedded stack, by keyboard, on a phone and on a
screen: signs in, sees today, asks and gets the evidence, marks a loop done, forgets a topic, and the next digest obeys.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from consumer import bootstrap, layout, settings
from contract.api import EnableUserRequest
from contract.event import TickEvent
from local import cloud, seed
from local.jobs import AppJobs
from local.stack import Stack
from renderers.grouping import mark
from tests.browser.test_my_memory import PHONE, SCREEN, ReaderWindow
from tests.chromium import started
from tests.e2e.conftest import JOB_S, System
from tests.waiting import until

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not shutil.which("chromedriver"), reason="needs chromium and chromedriver"),
]
PICTURES = Path(__file__).parents[2] / ".cache" / "newcomer"
WIDTHS = (PHONE, SCREEN)
QUESTION = "When does Kestrel launch?"


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """A stack whose main user has had their backfill."""
    with Stack(tmp_path_factory.mktemp("newcomer") / "state") as stack:
        with psycopg.connect(stack.dsn) as connection:
            users = seed.seed(connection, datetime.now(UTC).date())
        operations = bootstrap.operations(settings.load_operator(stack.operator_env()))
        operations.api.enable_user(EnableUserRequest(email=users.main.email))
        system = System(stack, users, AppJobs(stack.dsn), operations)
        completed(system, "backfill_digest", None)
        yield system
        operations.close()


def completed(system: System, job_type: str, period: str | None) -> str:
    job_id = system.jobs.insert(system.me, job_type, period)
    row = system.jobs.wait(job_id, timeout_s=JOB_S)
    assert row["status"] == "completed", row
    return job_id


def get(system: System, path: str) -> Any:
    headers = {"authorization": f"Bearer {system.stack.user_token(system.me)}"}
    answer = httpx.get(f"{system.stack.reader_url}{path}", headers=headers, timeout=60, trust_env=False)
    assert answer.status_code == 200, answer.text
    return answer.json()


def loops(today: dict[str, Any]) -> list[dict[str, Any]]:
    return [loop for name in ("due", "you_owe", "asked_of_you", "owed_to_you", "asked_by_you") for loop in today[name]]


def test_from_the_address_to_a_digest_that_obeys(walk: System) -> None:
    with started() as chromium:
        window = ReaderWindow(chromium, walk.stack.reader_url, PICTURES)
        # The address that `make demo` prints.
        chromium.get(walk.stack.my_memory(walk.me))
        window.shape(PHONE)
        window.enter("main button")
        window.wait(lambda: chromium.current_url == f"{window.origin}/today")
        before = loops(get(walk, "/v1/me/today"))
        done = dict(zip(WIDTHS, before, strict=False))
        other = next(loop for loop in before[len(done) :] if loop["citations"] and loop["citations"][0]["anchor"])
        lists = []
        for width in WIDTHS:
            window.shape(width)
            window.open("/today")
            window.is_for_everybody("today", width)
            assert done[width]["text"] in window.text
            gets_the_date_and_its_evidence(window, width)
            marks_as_done(window, width, done[width])
            lists.append(finds_what_to_forget(window, width, other))
        assert lists[0] == lists[1], "the same records, on a phone and on a screen"
        marks = lists[-1]
        window.enter("form[action='/forget'] button")
        assert "hidden from now on" in window.text
    gone = {loop["id"] for loop in (*done.values(), other)}
    left = {loop["id"] for loop in loops(get(walk, "/v1/me/today"))}
    assert left.isdisjoint(gone), "all are gone at once"
    is_purged(walk, len(marks))
    assert marks_in(walk) & marks == set()

    # The app's data changes, and the next digest tells of neither.
    with psycopg.connect(walk.stack.dsn) as connection:
        seed.insert_changes(connection, walk.users, datetime.now(UTC).date())
    job_id = completed(walk, "hourly_digest", datetime.now(UTC).strftime("%Y-%m-%dT%H"))
    report = json.loads(walk.history(walk.me).read(layout.report_json("hourly_digest", job_id)))
    assert report["corrections"]["new"] == len(done), "the digest says how many corrections are in"
    report_text = json.dumps({name: part for name, part in report.items() if name != "corrections"})
    assert not [loop["text"] for loop in done.values() if loop["text"] in report_text]
    assert marks_in(walk) & marks == set(), "nothing brings back what was forgotten"
    left = {loop["id"] for loop in loops(get(walk, "/v1/me/today"))}
    assert left
    assert left.isdisjoint(gone)


def gets_the_date_and_its_evidence(window: ReaderWindow, width: int) -> None:
    window.open("/search")
    window.enter("#q", QUESTION)
    sentence = window.find("section[aria-labelledby=said]").text
    assert re.search(r"Kestrel launch: \d{1,2} \w+( \d{4})?, since \d{1,2} \w+", sentence), sentence
    window.is_for_everybody("answer", width)
    quote = window.find("section[aria-labelledby=said] .quote").text.strip("“”")
    window.enter("section[aria-labelledby=said] .cited a")
    assert quote in " ".join(window.text.split())
    assert window.all(":target")


def marks_as_done(window: ReaderWindow, width: int, loop: dict[str, Any]) -> None:
    window.open("/loops")
    window.is_for_everybody("loops", width)
    window.enter(f"#loop-{loop['id']} ~ form button[value=done]")
    assert f"Done: {loop['text']}" in window.text


def finds_what_to_forget(window: ReaderWindow, width: int, loop: dict[str, Any]) -> set[str]:
    """Open the list of what a search for the words behind a loop ticks; the marks of these records."""
    window.open("/forget")
    window.is_for_everybody("forget", width)
    window.enter("#topic", " ".join(loop["citations"][0]["quote"].split()[:8]))
    window.is_for_everybody("forget-list", width)
    ticked = [tick.get_attribute("value") for tick in window.all("input[name=forget]") if tick.is_selected()]
    marks = {mark(*record.split("/", 1)) for record in ticked}
    assert loop["citations"][0]["anchor"].removeprefix("r-") in marks
    return marks


def is_purged(system: System, records: int) -> None:
    """A sweep tick, as a stack that stays up and the cloud's scheduler send it, has the order carried out."""
    cloud.publish(system.stack.pubsub_host, cloud.TICKS, TickEvent(kind="sweep").encode(), {})
    until(lambda: get(system, "/v1/me/forget")["orders"][0]["state"] == "sweeping", "the purge")
    [order] = get(system, "/v1/me/forget")["orders"]
    assert (order["records"], order["result"]["commit"]["seq"]) == (records, 2)


def marks_in(system: System) -> set[str]:
    """What looks like a record's mark, in the whole of HEAD's brain and reports."""
    history = system.history(system.me)
    reader = history.reader()
    paths = [path for path, entry in history.tree().entries.items() if entry.digest and path.endswith((".md", ".json"))]
    texts = (text for path in paths for text in (path, reader.read(path).decode(errors="replace")))
    return {each for text in texts for each in re.findall(r"(?<=-)[a-z2-7]{12}(?![a-z2-7])", text)}
