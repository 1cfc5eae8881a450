"""An hour's digest as a person reads it: a few lines, only what is new or due, in their language, and told once."""

from __future__ import annotations

import dataclasses
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from consumer import layout
from consumer.delivery import settlement
from consumer.delivery.pipeline import is_idle
from consumer.evidence.index import open_index
from consumer.evidence.records import IndexedRecord, ReadingRow
from consumer.reports import evidence
from consumer.run import Exported, Run
from consumer.stages.report import Report
from consumer.understanding import encoding, reader
from consumer.understanding.statements import Quote, Reading
from consumer.understanding.utterances import ME, Person
from renderers.report import DIGEST_WORDS
from tests import brains
from tests.tables import table
from tests.unit.understanding.talks import ANN, BOB, decision, event, fact, promise, record, request, task

GOLDEN = Path(__file__).parent.parent.parent / "golden" / "report"
FOLDER = "sources/cloop/inbound-messages"
#: The Saturday of the story; its hour is the one after.
DAY = "2026-11-28"
AT = datetime(2026, 11, 28, 14, 5, tzinfo=UTC)


def at(hour: int, day: str = DAY) -> str:
    return f"{day} {hour:02}:00 +00:00"


def quoting(statement: Any, words: str) -> Any:
    return dataclasses.replace(statement, quotes=(Quote(0, words),))


def due(statement: Any, clock: str) -> Any:
    return dataclasses.replace(statement, due=statement.due._replace(time=clock))


def story() -> list[tuple[Reading, str]]:
    """One of each kind of news: (reading, text of its page)."""

    def mail(name: str, statement: Any, words: str, *, author: Any = ME, more: str = "", hour: int = 9) -> Any:
        to = (ME,) if author != ME else (ANN,)
        spoken = record(
            quoting(statement, words),
            author=author,
            to=to,
            said_at=at(hour),
            thread=name,
            record_id=name,
            language="en",
        )
        return spoken, f"{words} {more}".strip()

    slot = "I will send you the furnace drawings by Sunday noon."
    return [
        mail(
            *("drawings", due(promise(ME, "the furnace drawings", (ANN,), by="2026-11-29"), "12:00"), slot),
            more="Otherwise the furnace slot lapses on 2 December.",
        ),
        mail("room", promise(ME, "a room", (ANN,)), "I will book a room for the review."),
        mail("figures", promise(BOB, "the figures", (ME,)), "I will send you the figures.", author=BOB),
        mail("review", request(BOB, "the review", (ME,)), "Could you review the contract?", author=BOB),
        mail("ship", decision("to ship in June", "Kestrel"), "We decided to ship Kestrel in June.", author=ANN),
        mail("low", fact("Harbor", "budget", "48000"), "The Harbor budget is 48,000 EUR.", author=ANN),
        mail("high", fact("Harbor", "budget", "62000"), "The Harbor budget is 62,000 EUR.", author=BOB),
        (
            record(
                event("Kestrel review", "2026-11-29 10:00 +00:00", (ANN,), key="k"),
                said_at=at(9, "2026-11-20"),
                record_id="meeting",
                source="inbound_messages",
            ),
            "Kestrel review",
        ),
    ]


def world(root: Path, *several: tuple[Reading, str]) -> None:
    """Pages and readings, one page a record, and a ledger that has begun."""
    with open_index(root / layout.RENDER_INDEX) as index:
        for reading, text in several:
            page = f"{FOLDER}/{reading.record_id}-aaaaaaaaaaaa.md"
            path = root / layout.BRAIN / page
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(brains.evidence(reading.record_id, f"```text\n{text}\n```", reading.source, DAY), "utf-8")
            key = (reading.source, reading.record_id)
            day = reading.said_at[:10]
            record = IndexedRecord(*key, "c", "t", "", "", "s", page, "", "p", "raw", 0, 1, day, "")
            index.put(record, [], [], index.find(*key))
            index.put_reading(ReadingRow(*key, reader.NAME, "1", "c", encoding.encode(reading)))
        index.commit()
    if not (root / layout.TOLD).exists():
        brains.begin_ledger(root, daily=DAY)


def hour(root: Path, **job: Any) -> Run:
    run = brains.run(root, "hourly_digest", period=f"{DAY}T14", started_at=AT, exported=Exported(8, 0, {}, {}))
    return dataclasses.replace(run, job=run.job.model_copy(update=job))


def written(run: Run) -> tuple[Run, str, dict[str, Any]]:
    after = Report(brains.desk()).run(run, brains.Free())
    assert after.reported is not None, "a report was expected"
    text = (run.root / after.reported.markdown).read_text("utf-8")
    return after, text, orjson.loads((run.root / after.reported.json).read_bytes())


@pytest.mark.parametrize(("locale", "name"), [("en-GB", "digest_en"), ("de-AT", "digest_de")])
def test_the_same_hour_in_two_languages(tmp_path: Path, locale: str, name: str) -> None:
    world(tmp_path, *story())
    brains.speaking(tmp_path, locale)
    _, text, _ = written(hour(tmp_path))
    golden = GOLDEN / f"{name}.md"
    assert text == golden.read_text("utf-8"), f"write {golden} anew with: python -m tests.unit.stages.write_reports"


def fold_of(text: str) -> list[str]:
    """The lines between the title and the first heading below it."""
    return [line for line in text.split("\n# ", 1)[1].split("\n## ", 1)[0].splitlines()[1:] if line]


def chapters_to(who: Person, count: int, hour: int = 9) -> list[tuple[Reading, str]]:
    """That many promises to somebody."""
    several = []
    for n in range(count):
        words, name = f"I will write chapter {n} of the book.", f"{who.name[:3]}{n}"
        spoken = quoting(promise(ME, f"chapter {n}", (who,)), words)
        several.append((record(spoken, author=ME, to=(who,), said_at=at(hour), thread=name, record_id=name), words))
    return several


def test_seven_lines_stand_above_the_fold_and_nothing_is_lost(tmp_path: Path) -> None:
    world(tmp_path, *chapters_to(ANN, 10))
    _, first, document = written(hour(tmp_path))
    lines = [line for line in fold_of(first) if line.startswith("- ")]
    assert len(lines) == 7
    assert "3 more next time; [10 open loops](../../OPEN_LOOPS.md)." in first
    assert (len(document["lines"]), document["more"]) == (7, 3)
    job = {"job_id": "11111111-5c1d-4c55-9d55-0f6d2f3f1a01", "period": f"{DAY}T15"}
    _, second, document = written(hour(tmp_path, **job))
    assert len(document["lines"]) == 3
    chapters = set(re.findall(r"chapter (\d)", "\n".join([*lines, *fold_of(second)])))
    assert chapters == set(map(str, range(10)))


def test_what_waits_and_cannot_be_told_any_more_wakes_nobody(tmp_path: Path) -> None:
    world(tmp_path, *chapters_to(ANN, 10))
    after, _, _ = written(hour(tmp_path))
    assert after.wake_at is not None, "three wait for room"
    for page in (tmp_path / layout.BRAIN / FOLDER).glob("*.md"):
        page.write_text(brains.evidence(page.stem, "Rewritten.", "inbound_messages", DAY), "utf-8")
    job = {"job_id": "11111111-5c1d-4c55-9d55-0f6d2f3f1a01", "period": f"{DAY}T15"}
    quiet = Report(brains.desk()).run(hour(tmp_path, **job), brains.Free())
    assert (quiet.reported, quiet.wake_at) == (None, None)


def test_many_things_that_a_rule_holds_do_not_keep_others_from_being_told(tmp_path: Path) -> None:
    world(tmp_path, *chapters_to(BOB, 60, hour=12), *chapters_to(ANN, 1))
    brains.indexed(tmp_path, "user_rules", {"rule_text": "Never mention Bob Marsh", "enabled": True})
    _, text, document = written(hour(tmp_path))
    assert (len(document["lines"]), document["more"]) == (1, 0)
    assert "Bob" not in text


def test_a_digest_keeps_to_its_words_and_folds_how_it_was_made(tmp_path: Path) -> None:
    long = "and as we said before, " * 8
    several = [
        (
            record(
                quoting(promise(ME, f"part {n}", (ANN,)), f"I will write part {n}, {long}for the book."),
                author=ME, to=(ANN,), said_at=at(9), thread=f"t{n}", record_id=f"r{n}",
            ),
            f"I will write part {n}, {long}for the book.",
        )
        for n in range(9)
    ]  # fmt: skip
    world(tmp_path, *several)
    _, text, _ = written(hour(tmp_path))
    body = text.split("\n---\n", 1)[1]
    shown, _, folded = body.partition("<details>")
    assert len(shown.split()) <= DIGEST_WORDS
    assert body.rstrip().endswith("</details>")
    for heading in ("Counts", "How it was made", "Capabilities"):
        assert f"## {heading}" in folded
        assert f"## {heading}" not in shown


def test_each_line_cites_its_places_and_says_what_follows(tmp_path: Path) -> None:
    world(tmp_path, *story())
    _, text, document = written(hour(tmp_path))
    first = document["lines"][0]
    assert first["kind"] == "due"
    assert first["text"] == (
        "You promised Ann Lee: “I will send you the furnace drawings by Sunday noon”,"
        " due tomorrow, Sun 29 Nov, 12:00."
        " “Otherwise the furnace slot lapses on 2 December”."
    )
    assert [citation["quote"] for citation in first["citations"]] == [
        "I will send you the furnace drawings by Sunday noon.",
        "Otherwise the furnace slot lapses on 2 December.",
    ]
    assert [line["kind"] for line in document["lines"]] == [
        "due", "you_owe", "owed_to_you", "asked_of_you", "decided", "contradicts", "prepare"
    ]  # fmt: skip
    total = sum(len(line["citations"]) for line in document["lines"])
    assert len(re.findall(r"^\d+\. \[", text, re.MULTILINE)) <= total
    assert document["citations"]["total"] == document["citations"]["resolved"] >= total


def test_an_hour_in_which_nothing_matters_commits_its_evidence_and_writes_no_report(tmp_path: Path) -> None:
    quiet = record(said_at=at(9), people=(ANN,), record_id="hello")
    world(tmp_path, (quiet, "Hello."))
    run = hour(tmp_path)
    after = Report(brains.desk()).run(run, brains.Free())
    assert (after.reported, after.artifacts) == (None, ())
    assert not (tmp_path / "brain/reports").exists()
    assert not (tmp_path / "runtime/reports").exists()
    assert (tmp_path / "brain/OPEN_LOOPS.md").is_file()
    note = orjson.loads((tmp_path / layout.job_run(brains.JOB)).read_bytes())
    assert (note["reports"], note["citations"]) == (None, {"total": 0, "resolved": 0})
    completion = settlement.completion_of(after)
    assert (completion.outcome, completion.report_uri) == ("completed", None)
    assert settlement.published_of(after) == (layout.job_run(brains.JOB),)


def test_what_falls_due_without_news_is_told_in_its_hour_and_says_when_the_next_is_due(tmp_path: Path) -> None:
    world(tmp_path, *story()[:1])
    first, _, _ = written(hour(tmp_path))
    assert first.wake_at == datetime(2026, 11, 29, 7, tzinfo=UTC), "the morning of its day"
    assert settlement.completion_of(first).wake_at == first.wake_at
    empty = Exported(0, 0, {}, {})
    overdue = datetime(2026, 11, 29, 12, 1, tzinfo=UTC)
    job: dict[str, Any] = {"job_id": "11111111-5c1d-4c55-9d55-0f6d2f3f1a01", "period": "2026-11-29T12"}
    job["requested_at"] = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
    ledger = dataclasses.replace(evidence.told_ledger(tmp_path), wake_at=overdue, daily="2026-11-29")
    (tmp_path / layout.TOLD).write_bytes(ledger.encode())
    sleeping = dataclasses.replace(hour(tmp_path, **job), exported=empty)
    assert is_idle(sleeping)
    woken = dataclasses.replace(sleeping, woken_at=overdue)
    assert not is_idle(woken)
    after, text, document = written(woken)
    assert [line["kind"] for line in document["lines"]] == ["due"]
    assert "overdue since 12:00 today" in text
    assert after.wake_at is None, "nothing is left that could fall due"


def test_the_first_digest_of_the_day_has_the_day_ahead_and_what_came_in_over_night(tmp_path: Path) -> None:
    called = record(task("Call the bank", by=DAY), source="checklist_items", said_at=at(9, "2026-11-20"), record_id="b")
    held = record(
        event("Board", f"{DAY} 16:00 +00:00", (BOB,), key="m"), said_at=at(9, "2026-11-20"), record_id="board"
    )
    night = story()[1]
    world(tmp_path, (called, "State: open"), (held, "Board"), night)
    brains.begin_ledger(tmp_path, daily="2026-11-27")
    marks = [
        mark.model_copy(update={"at": f"{DAY} 02:00"})
        for mark in brains.desk().find(hour(tmp_path), brains.desk().load(hour(tmp_path), brains.Free())).edition.marks
    ]
    brains.begin_ledger(tmp_path, *marks, daily="2026-11-27")
    _, text, document = written(hour(tmp_path))
    assert document["edition"] == "daily"
    assert text.split("\n# ", 1)[1].startswith("Your day, Sat 28 Nov 2026")
    assert [line["kind"] for line in document["day_ahead"]] == ["prepare", "due"]
    # Of the day ahead, a meeting needs no word for what it is.
    assert "\n- “Board”, today, Sat 28 Nov, 16:00, with Bob Marsh." in text
    assert [line["text"] for line in document["since_evening"]] == [
        "You promised Ann Lee: “I will book a room for the review”."
    ]
    assert evidence.told_ledger(tmp_path).daily == DAY


@pytest.mark.parametrize(
    ("source", "by", "kinds"),
    [
        ("chat", "2026-12-09", []),
        ("", "2026-12-09", []),
        ("chat", "", []),
        # It is due tomorrow, and the user wrote it down in this hour.
        ("chat", "2026-11-29", []),
        ("whatsapp", "2026-12-09", ["you_owe"]),
        ("whatsapp", "", ["you_owe"]),
        ("assistant", "2026-12-09", ["you_owe"]),
        ("briefing", "", []),
    ],
)
def test_a_task_is_news_only_if_the_user_did_not_record_it_themselves(
    tmp_path: Path, source: str, by: str, kinds: list[str]
) -> None:
    """Nor does the morning tell it as what came in since last evening."""
    recorded = record(task("Call the bank", by=by), source="checklist_items", said_at=at(13), record_id="b")
    world(tmp_path, (recorded, ""))
    facts = "- State: open" + f"\n- Source: {source}" * bool(source)
    page = tmp_path / layout.BRAIN / f"{FOLDER}/b-aaaaaaaaaaaa.md"
    page.write_text(brains.evidence("Call the bank", facts, "checklist_items", DAY), "utf-8")
    run = hour(tmp_path)
    after = Report(brains.desk()).run(run, brains.Free())
    made = orjson.loads((run.root / after.reported.json).read_bytes()) if after.reported else {"lines": []}
    assert [line["kind"] for line in made["lines"]] == kinds
    marks = evidence.told_ledger(tmp_path).marks.values()
    assert [mark.is_told for mark in marks] == [True], "what is known is marked as told"
    evening = [mark.model_copy(update={"at": "2026-11-27 20:00"}) for mark in marks]
    brains.begin_ledger(tmp_path, *evening, daily="2026-11-27")
    morning = hour(tmp_path, job_id="11111111-5c1d-4c55-9d55-0f6d2f3f1a01")
    basis = brains.desk().find(morning, brains.desk().load(morning, brains.Free()))
    assert [line.kind for line in basis.edition.since_evening] == kinds


@table(("day", "by", "kinds"), [(10, "", []), (20, "", ["asked_of_you"]), (10, "2026-12-05", ["asked_of_you"])])
def test_the_morning_after_a_backfill_repeats_nothing_that_is_long_past(
    tmp_path: Path, day: int, by: str, kinds: list[str]
) -> None:
    asked = request(ANN, "the acceptance table", (ME,), by=by)
    old = record(asked, author=ANN, to=(ME,), said_at=f"2026-11-{day} 09:00 +00:00", thread="t", record_id="asked")
    world(tmp_path, (old, asked.quotes[0].text))
    brains.begin_ledger(tmp_path, daily="2026-11-27")
    run = hour(tmp_path)
    basis = brains.desk().find(run, brains.desk().load(run, brains.Free()))
    marks = [mark.model_copy(update={"at": "2026-11-27 20:00", "is_told": True}) for mark in basis.edition.marks]
    brains.begin_ledger(tmp_path, *marks, daily="2026-11-27")
    morning = hour(tmp_path)
    basis = brains.desk().find(morning, brains.desk().load(morning, brains.Free()))
    assert [line.kind for line in basis.edition.since_evening] == kinds


def test_what_came_in_over_night_and_has_moved_on_is_told_once_in_the_morning(tmp_path: Path) -> None:
    def spoken(statement: Any, name: str, hour_of_day: int, author: Any, to: Any) -> tuple[Reading, str]:
        made = record(statement, author=author, to=(to,), said_at=at(hour_of_day), thread="t", record_id=name)
        return made, statement.quotes[0].text

    world(tmp_path, spoken(request(ANN, "the acceptance table", (ME,)), "asked", 2, ANN, ME))
    brains.begin_ledger(tmp_path, daily="2026-11-27")
    marks = [
        mark.model_copy(update={"at": f"{DAY} 02:00"})
        for mark in brains.desk().find(hour(tmp_path), brains.desk().load(hour(tmp_path), brains.Free())).edition.marks
    ]
    world(tmp_path, spoken(promise(ME, "the acceptance table", (ANN,), by="2026-12-05"), "promised", 10, ME, ANN))
    brains.begin_ledger(tmp_path, *marks, daily="2026-11-27")
    _, _, document = written(hour(tmp_path))
    assert [line["kind"] for line in document["lines"]] == ["you_owe"]
    assert document["since_evening"] == []


def test_a_second_attempt_tells_the_same_because_nothing_of_the_first_was_committed(tmp_path: Path) -> None:
    world(tmp_path, *story())
    base = (tmp_path / layout.TOLD).read_bytes()
    _, first, _ = written(hour(tmp_path))
    (tmp_path / layout.TOLD).write_bytes(base)
    (tmp_path / "runtime/manifests/covered-digest.json").unlink()
    _, second, _ = written(dataclasses.replace(hour(tmp_path), attempt=1))
    assert second == first


@table(("locale", "words"), [("fr", "Vous avez promis"), ("es", "Usted prometió"), ("it", "Lei ha promesso")])
def test_each_language_has_its_phrases(tmp_path: Path, locale: str, words: str) -> None:
    root = tmp_path / locale
    world(root, *story())
    brains.speaking(root, locale)
    assert words in written(hour(root))[1]


def test_without_a_locale_the_language_is_that_of_most_of_what_the_user_says(tmp_path: Path) -> None:
    texts = ["Ich schicke dir die Zeichnungen.", "Ich bestelle die Kartons.", "Ich rufe die Bank an."]
    spoken = [
        (
            record(
                quoting(promise(ME, text, (ANN,)), text),
                author=ME, to=(ANN,), said_at=at(9), thread=text, record_id=f"d{n}", language="de",
            ),
            text,
        )
        for n, text in enumerate(texts)
    ]  # fmt: skip
    english = [story()[2], story()[3]]
    world(tmp_path, *spoken, *english)
    _, text, document = written(hour(tmp_path))
    assert document["language"] == "de"
    assert "Ihre Zusage an Ann Lee" in text
