"""Render: what is written, moved, kept and removed when records change."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import manifests
from consumer import errors, layout
from consumer.delivery.pipeline import is_idle
from consumer.evidence.index import open_index, open_sightings
from consumer.evidence.rawlines import RawLines
from consumer.run import Rendered, Run
from consumer.stages import render as render_stage
from consumer.stages.export import Export
from consumer.stages.render import Render
from contract import derived
from renderers import entities
from tests import goldens, pagecheck
from tests.fake_export import EPOCH, FakeExport, OpenGuard, Row, export_and_render, job_id, run_of

DAY = datetime(2026, 3, 5, 15, 0, tzinfo=UTC)
ITEMS = "sources/cloop/checklist-items/2026-03-05.md"


class Desk:
    """A server, a workspace, and jobs that follow each other. Pages of days have tests of their own (test_days.py)."""

    def __init__(self, root: Path) -> None:
        self.server = FakeExport()
        self.root = root
        self.cursors: dict[str, Any] = {}
        self.jobs = 0
        self.clock_s = 0

    def put(self, source: str, record_id: str, data: dict[str, Any], when: datetime | None = DAY) -> None:
        self.clock_s += 1
        self.server.put(source, record_id, Row(self.clock_s, when, data))

    def delete(self, source: str, record_id: str) -> None:
        self.clock_s += 1
        self.server.delete(source, record_id, self.clock_s)

    def run(self, job_type: str = "hourly_digest", **spec: Any) -> Run:
        self.jobs += 1
        run = run_of(self.root, self.server, job_type, self.jobs, **spec)
        done = export_and_render(replace(run, cursors=self.cursors))
        self.cursors = dict(done.cursors)
        return done

    def rendered(self, **spec: Any) -> Rendered:
        rendered = self.run(**spec).rendered
        assert rendered is not None
        return replace(rendered, changed=_no_days(rendered.changed), removed=_no_days(rendered.removed))

    def pages(self) -> dict[str, str]:
        return {path: text for path, text in self.all_pages().items() if not path.startswith("daily/")}

    def all_pages(self) -> dict[str, str]:
        brain = self.root / "brain"
        return {p.relative_to(brain).as_posix(): p.read_text() for p in sorted(brain.rglob("*.md"))}


def _no_days(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(path for path in paths if not path.startswith("daily/"))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_the_golden_records_together_make_pages_that_all_resolve(desk: Desk) -> None:
    for record_type, entry in goldens.entries().items():
        for document in json.loads((goldens.FOLDER / record_type / "records.json").read_text()):
            when = document["occurred_at"]
            desk.put(
                entry.source_key,
                document["record_id"],
                document["data"],
                datetime.fromisoformat(when) if when else None,
            )
    rendered = desk.rendered(job_type="backfill_digest")
    pages = desk.all_pages()
    pagecheck.check_all(pages)
    assert rendered.changed == _no_days(tuple(sorted(pages)))
    assert rendered.pages_total == len(pages)
    assert {path.split("/")[0] for path in pages} == {"sources", "people", "projects", "meetings", "daily"}
    (maya,) = [path for path in pages if path.startswith("people/maya-chen")]
    targets = {target for target, _ in pagecheck.links(maya, pages[maya])}
    back = {path for path in targets if path.startswith("sources/")}
    assert len(back) >= 5
    for path in back:
        assert maya in {target for target, _ in pagecheck.links(path, pages[path])}


def test_on_request_every_page_is_compared_with_what_its_records_make(desk: Desk) -> None:
    for n in range(3):
        desk.put("checklist_items", f"c{n}", {"title": f"C {n}", "people": ["Ann Lee"]}, DAY + timedelta(days=n))
    desk.run("backfill_digest")
    good = desk.pages()
    brain = desk.root / "brain"
    [person] = [path for path in good if path.startswith("people/")]
    hurt = [ITEMS, ITEMS.replace("05", "06"), person]
    (brain / hurt[0]).write_text("tampered")
    (brain / hurt[1]).unlink()
    (brain / person).write_text(good[person].replace("Ann Lee", "Eve", 1))
    unforced = desk.run()
    assert unforced.rendered is not None
    assert unforced.rendered.changed == ()
    assert is_idle(unforced)
    forced = desk.run(force_render=True)
    assert forced.rendered is not None
    assert forced.rendered.changed == tuple(sorted(hurt))
    assert desk.pages() == good
    assert not is_idle(forced), "a digest without news has something to commit"
    again = desk.rendered(force_render=True)
    assert (again.changed, again.removed) == ((), ())


def test_a_record_is_kept_parsed_until_its_group_is_rendered(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(4):
        desk.put("checklist_items", f"c{n}", {"title": f"C {n}"}, DAY + timedelta(days=n))
    run = run_of(desk.root, desk.server, "backfill_digest", 1, force_render=True)
    exported = Export(manifests.export_manifest(), open_sightings, force=True).run(run, OpenGuard())
    assert exported.exported is not None
    monkeypatch.setattr(render_stage, "KEPT_BYTES", sum(exported.exported.source_bytes.values()))
    read: list[str] = []
    monkeypatch.setattr(RawLines, "read", lambda _, record: read.append(record.record_id))
    rendered = Render(manifests.export_manifest(), open_index).run(exported, OpenGuard()).rendered
    assert rendered is not None
    assert len(rendered.changed) == 8, "four pages and their days"
    assert read == [], "each record is placed twice when all are rendered again, and counts once"


def test_only_what_changed_is_written(desk: Desk) -> None:
    for n in range(3):
        desk.put("granola_transcripts", f"g{n}", {"title": f"Meeting {n}", "transcript": "x"})
    assert len(desk.rendered().changed) == 3
    desk.put("granola_transcripts", "g1", {"title": "Meeting 1", "transcript": "y"})
    rendered = desk.rendered()
    assert [path.split("/")[-1][:20] for path in rendered.changed] == ["2026-03-05-meeting-1"]
    assert rendered.removed == ()
    assert desk.rendered() == Rendered(pages_total=4), "three pages and their day"


def test_a_new_title_moves_the_page(desk: Desk) -> None:
    desk.put("granola_transcripts", "g", {"title": "Old"})
    (old,) = desk.rendered().changed
    desk.put("granola_transcripts", "g", {"title": "New"})
    rendered = desk.rendered()
    (new,) = rendered.changed
    assert rendered.removed == (old,)
    assert list(desk.pages()) == [new]


def test_a_deleted_record_takes_its_anchor_or_its_page_along(desk: Desk) -> None:
    desk.put("checklist_items", "a", {"title": "Keep"})
    desk.put("checklist_items", "b", {"title": "Drop"})
    desk.rendered()
    desk.delete("checklist_items", "b")
    rendered = desk.rendered()
    assert (rendered.changed, rendered.removed) == ((ITEMS,), ())
    assert "Drop" not in desk.pages()[ITEMS]
    desk.delete("checklist_items", "a")
    rendered = desk.rendered()
    assert (rendered.changed, rendered.removed) == ((), (ITEMS,))
    assert desk.pages() == {}


def test_a_record_moves_between_days_and_both_days_follow(desk: Desk) -> None:
    desk.put("checklist_items", "a", {"title": "A"})
    desk.put("checklist_items", "b", {"title": "B"})
    desk.rendered()
    desk.put("checklist_items", "b", {"title": "B"}, DAY.replace(day=6))
    rendered = desk.rendered()
    assert rendered.changed == (ITEMS, ITEMS.replace("05", "06"))
    assert "## B" not in desk.pages()[ITEMS]


def test_a_page_that_moves_as_it_is_still_names_the_job_that_brought_it(desk: Desk) -> None:
    late = datetime(2026, 5, 30, 20, tzinfo=UTC)
    desk.put("granola_transcripts", "g", {"title": "Late call", "transcript": "all of it"}, late)
    desk.run("backfill_digest", timezone="UTC")
    desk.put("user_profiles", "u", {"timezone": "Asia/Tokyo"})
    moved = desk.rendered(timezone="Asia/Tokyo")
    (new,) = [path for path in moved.changed if "granola" in path]
    (old,) = [path for path in moved.removed if "granola" in path]
    assert ("2026-05-30" in old, "2026-05-31" in new) == (True, True)
    assert pagecheck.split(desk.pages()[new])[0]["digest_job_id"] == job_id(1)
    desk.put("granola_transcripts", "g", {"title": "Late call", "transcript": "all of it, and more"}, late)
    desk.run(timezone="Asia/Tokyo")
    assert pagecheck.split(desk.pages()[new])[0]["digest_job_id"] == job_id(3)


def test_another_time_zone_regroups_everything(desk: Desk) -> None:
    desk.put("checklist_items", "a", {"title": "A"}, datetime(2026, 3, 5, 23, 30, tzinfo=UTC))
    assert desk.rendered(timezone="UTC").changed == (ITEMS,)
    desk.put("user_profiles", "u", {"timezone": "Asia/Tokyo"})
    rendered = desk.rendered(timezone="Asia/Tokyo")
    assert rendered.removed == (ITEMS,)
    assert ITEMS.replace("05", "06") in rendered.changed


def test_the_job_that_first_delivered_a_page_stays_on_it(desk: Desk) -> None:
    desk.put("checklist_items", "a", {"title": "A"})
    desk.put("granola_transcripts", "g", {"title": "G"})
    desk.rendered()
    desk.put("checklist_items", "b", {"title": "B"})
    desk.rendered(timezone="Europe/Berlin")
    jobs = {path: str(pagecheck.split(text)[0]["digest_job_id"]) for path, text in desk.pages().items()}
    assert sorted(set(jobs.values())) == [job_id(1), job_id(2)]
    assert all(job == job_id(1) for path, job in jobs.items() if "granola" in path)


def test_text_below_the_marker_is_kept_whatever_happens_above(desk: Desk) -> None:
    desk.put("checklist_items", "a", {"title": "A", "people": ["Ann Lee"]})
    (person,) = [path for path in desk.rendered().changed if path.startswith("people/")]
    file = desk.root / "brain" / person
    file.write_text(f"{file.read_text()}\n## Notes\n\nAnn leads.\n")
    desk.put("checklist_items", "b", {"title": "B", "people": ["Ann Lee"]})
    assert person in desk.rendered().changed
    text = file.read_text()
    assert text.endswith(f"{derived.MARKER}\n\n## Notes\n\nAnn leads.\n")
    assert text.count("](../sources/") == 2
    desk.delete("checklist_items", "a")
    desk.delete("checklist_items", "b")
    assert person not in desk.rendered().removed
    assert "Ann leads." in file.read_text()
    assert "No record mentions this any more" in file.read_text()


def test_people_of_one_name_at_several_firms_have_a_page_each(desk: Desk) -> None:
    def mail(record_id: str, address: str, when: datetime = DAY) -> None:
        data = {"channel": "email", "sender_name": "Ann Lee", "sender_address": address, "normalized_text": record_id}
        desk.put("inbound_messages", record_id, data, when)

    def titles() -> dict[str, list[str]]:
        """Title of each page of Ann Lee -> the messages that it lists."""
        desk.rendered()
        shown = {path: text for path, text in desk.pages().items() if path.startswith("people/")}
        return {
            str(pagecheck.split(text)[0]["title"]): re.findall(
                r"^- 2026[^[]*\[(\w+)\]\(\.\./sources", text, re.MULTILINE
            )
            for text in shown.values()
        }

    mail("acme", "ann.lee@acme.example")
    mail("home", "annlee@gmail.com")
    assert titles() == {"Ann Lee": ["acme", "home"]}
    mail("tide", "alee@tide.example")
    mail("hosted", "ann@mail.acme.example")
    mail("nobodys", "")
    apart = {
        "Ann Lee": ["nobodys"],
        "Ann Lee (alee@tide.example)": ["tide"],
        "Ann Lee (ann.lee@acme.example)": ["acme", "hosted"],
        "Ann Lee (annlee@gmail.com)": ["home"],
    }
    assert titles() == apart
    (name,) = [text for path, text in desk.pages().items() if pagecheck.split(text)[0]["title"] == "Ann Lee"]
    linked = re.findall(r"- Person: \[([^]]*)\]\(\.\./(people/[^)]*)\)", name)
    assert [address.strip("`") for address, _ in linked] == [title[9:-1] for title in list(apart)[1:]]
    assert {path for _, path in linked} < set(desk.pages())
    desk.delete("inbound_messages", "tide")
    assert titles() == {"Ann Lee": sorted(["acme", "home", "hosted", "nobodys"])}


def test_a_name_that_is_the_marker_does_not_divide_its_page(desk: Desk) -> None:
    desk.put("checklist_items", "a", {"title": derived.MARKER, "people": [derived.MARKER, "Ann"]})
    desk.rendered()
    first = desk.pages()
    desk.put("checklist_items", "b", {"title": derived.MARKER, "people": [derived.MARKER, "Ann"]})
    desk.rendered()
    for path, text in desk.pages().items():
        assert text.count(derived.MARKER) == (path in first and path.startswith("people/"))
        assert not derived.notes(text) or not path.startswith("people/")


def test_a_page_an_agent_made_first_keeps_its_text(desk: Desk) -> None:
    person = entities.path("person", "ann lee")
    file = desk.root / "brain" / person
    file.parent.mkdir(parents=True)
    file.write_text("---\ntitle: Ann\n---\n\n# Ann\n\nKnown from before.\n")
    desk.put("checklist_items", "a", {"title": "A", "people": ["Ann Lee"]})
    desk.rendered()
    above, _, below = file.read_text().partition(derived.MARKER)
    assert "[A](../sources/" in above
    assert below == "\n\n# Ann\n\nKnown from before.\n"


def test_an_event_edge_leads_to_contact_event_and_person_and_follows_both(desk: Desk) -> None:
    desk.put("event_contacts", "x", {"contact_id": "k", "event_id": "e", "role": "sender"})
    (edge,) = desk.rendered().changed
    assert "- Contact: k" in desk.pages()[edge]
    desk.put("contacts", "k", {"display_name": "Ann Lee"})
    desk.put("activity_events", "e", {"title": "Draft", "source": "gmail"})
    assert edge in desk.rendered().changed
    pages = desk.pages()
    pagecheck.check_all(pages)
    assert {target.split("/")[-2] for target, _ in pagecheck.links(edge, pages[edge])} == {
        "contacts",
        "activity-events",
        "people",
    }
    assert edge in {target for target, _ in pagecheck.links(*_person(pages, "ann-lee"))}
    desk.put("contacts", "k", {"display_name": "Ann Ray"})
    rendered = desk.rendered()
    assert [path.split("/")[1][:7] for path in rendered.removed if path.startswith("people/")] == ["ann-lee"]
    assert edge in {target for target, _ in pagecheck.links(*_person(desk.pages(), "ann-ray"))}
    desk.delete("contacts", "k")
    assert edge in desk.rendered().changed
    assert "- Contact: k" in desk.pages()[edge]


def test_an_edge_is_called_by_its_event_on_the_page_of_a_person(desk: Desk) -> None:
    desk.put("contacts", "k", {"display_name": "Ann Lee"})
    desk.put("activity_events", "e", {"title": "Draft", "source": "gmail"})
    desk.put("event_contacts", "x", {"contact_id": "k", "event_id": "e", "role": "sender"})

    def listed() -> str:
        desk.rendered()
        (line,) = [line for line in _person(desk.pages(), "ann-lee")[1].splitlines() if line.endswith("(sender)")]
        return line.partition("](../sources/cloop/event-contacts/2026-w10.md#r-")[0]

    assert listed() == "- 2026-03-05: [Draft"
    desk.put("activity_events", "e", {"title": "Offer", "source": "gmail"})
    assert listed() == "- 2026-03-05: [Offer"
    desk.delete("activity_events", "e")
    assert listed() == "- 2026-03-05: [sender"


def test_a_message_is_called_by_its_words_on_the_page_of_its_sender(desk: Desk) -> None:
    desk.put("inbound_messages", "a", {"sender_name": "Ann Lee", "normalized_text": "> The *quote* is in.\n\nAnn"})
    desk.put("inbound_messages", "b", {"sender_name": "ann lee", "normalized_text": ""}, DAY + timedelta(days=1))
    long = " ".join(f"word{number}" for number in range(60))
    desk.put("inbound_messages", "c", {"sender_name": "Ann Lee", "normalized_text": long}, DAY - timedelta(days=1))
    desk.put("meeting_notes", "n", {"title": "Plan", "note_text": "Ship it.", "attendees": ["Ann Lee"]})
    desk.rendered()
    lines = [line.partition("](")[0] for line in _person(desk.pages(), "ann-lee")[1].splitlines() if "](../s" in line]
    *short, cut = lines
    assert short == ["- 2026-03-06: [ann lee", r"- 2026-03-05: [The \*quote\* is in.", "- 2026-03-05: [Plan"]
    assert (cut[:24], cut[-1], len(cut) <= len("- 2026-03-04: [") + 80) == ("- 2026-03-04: [word0 wor", "…", True)


def test_a_meeting_is_told_by_the_users_day_and_keeps_its_page_when_the_user_moves(desk: Desk) -> None:
    late = datetime(2026, 3, 6, 1, 0, tzinfo=UTC)
    start = {"title": "Standup", "meeting_started_at": late.isoformat(), "attendees": ["Ann Lee"]}
    desk.put("granola_transcripts", "g", start, late)
    desk.put("meeting_notes", "n", start, late)
    desk.rendered(timezone="America/New_York")
    (path,) = [path for path in desk.pages() if path.startswith("meetings/")]
    assert pagecheck.split(desk.pages()[path])[0]["title"] == "Standup (2026-03-05)"
    assert "[Standup (2026-03-05)](" in desk.all_pages()["daily/2026-03-05.md"]
    assert desk.rendered(timezone="Europe/Berlin").removed
    assert pagecheck.split(desk.pages()[path])[0]["title"] == "Standup (2026-03-06)"


def test_of_a_persons_meetings_the_newest_come_first(desk: Desk) -> None:
    for days in range(60):
        when = DAY + timedelta(days=days)
        data = {"title": "Weekly", "meeting_started_at": when.isoformat(), "attendees": ["Ann Lee", "Bob"]}
        desk.put("meeting_notes", f"n{days}", data, when)
    desk.rendered()
    (line,) = [line for line in _person(desk.pages(), "ann-lee")[1].splitlines() if line.startswith("- Meetings")]
    dates = re.findall(r"Weekly \(([0-9-]+)\)", line)
    assert dates == sorted(dates, reverse=True)
    assert (len(dates), dates[0]) == (49, (DAY + timedelta(days=59)).date().isoformat())


def _person(pages: dict[str, str], name: str) -> tuple[str, str]:
    (path,) = [path for path in pages if path.startswith(f"people/{name}")]
    return path, pages[path]


def test_a_heartbeat_of_a_connection_does_not_rewrite_the_polls_that_name_it(desk: Desk) -> None:
    desk.put("connections", "o", {"provider": "google", "heartbeat_count": 1})
    desk.put("heartbeat_poll_log", "1", {"connection_id": "o", "provider": "google"})
    desk.rendered()
    desk.put("connections", "o", {"provider": "google", "heartbeat_count": 2})
    assert desk.rendered().changed == ("sources/cloop/connections/all.md",)


def test_ids_of_any_text_become_pages_inside_the_folder_and_come_back_out(desk: Desk) -> None:
    lines = (Path(__file__).parents[2] / "data" / "hostile.jsonl").read_text().splitlines()
    ids = [text[:1024] for line in lines if (text := json.loads(line)["text"])]
    for ident in ids:
        desk.put("granola_transcripts", ident, {"title": ident})
        desk.put("checklist_items", ident, {"title": "x"})
    rendered = desk.rendered()
    assert len([path for path in rendered.changed if "granola" in path]) == len(ids)
    assert all(path.startswith("sources/cloop/") for path in rendered.changed)
    for ident in ids:
        desk.delete("granola_transcripts", ident)
        desk.delete("checklist_items", ident)
    assert desk.rendered().removed == rendered.changed
    assert desk.pages() == {}


def test_a_restricted_value_is_in_the_raw_export_and_nowhere_else(desk: Desk) -> None:
    secret = "4111 1111 1111 1111"
    desk.put("checklist_items", "a", {"title": f"Pay with {secret}", "people": [f"Ann {secret}"], "project": secret})
    desk.put("granola_transcripts", "g", {"title": secret, "transcript": f"It is {secret}."})
    desk.rendered()
    holders = [p for p in desk.root.rglob("*") if p.is_file() and secret.encode() in p.read_bytes()]
    assert {path.suffix for path in holders} == {".jsonl"}
    assert all(secret.replace(" ", "-") not in path.name for path in desk.root.rglob("*"))
    front, body = pagecheck.split(desk.pages()[ITEMS])
    assert front["restricted_values"] == 3
    assert "restricted: payment card" in body


def test_a_missing_raw_line_is_a_damaged_snapshot(desk: Desk) -> None:
    desk.put("checklist_items", "a", {"title": "A"})
    desk.rendered()
    for path in (desk.root / layout.EXPORTS).rglob("*.jsonl"):
        path.write_bytes(path.read_bytes()[:40])
    desk.put("checklist_items", "b", {"title": "B"})
    with pytest.raises(errors.SnapshotIncomplete, match=r"checklist_items\.batch-000\.jsonl"):
        desk.run()


def test_a_failed_render_leaves_the_index_as_it_was(desk: Desk) -> None:
    class Lost(OpenGuard):
        def check(self) -> None:
            raise errors.LockLost("user x: taken over")

    desk.put("checklist_items", "a", {"title": "A"})
    first = desk.run()
    for n in range(400):
        desk.put("checklist_items", f"n{n}", {"title": "N"})
    index = desk.root / layout.RENDER_INDEX
    before = index.read_bytes()
    run = desk.run()
    index.write_bytes(before)
    with pytest.raises(errors.LockLost):
        Render(manifests.export_manifest(), open_index).run(run, Lost())
    assert index.read_bytes() == before
    assert first.rendered is not None


def test_an_index_that_is_none_is_a_damaged_snapshot(desk: Desk) -> None:
    index = desk.root / layout.RENDER_INDEX
    index.parent.mkdir(parents=True)
    index.write_bytes(b"not a database at all, but long enough to be read as one" * 20)
    desk.put("checklist_items", "a", {"title": "A"})
    with pytest.raises(errors.SnapshotIncomplete, match="render-index"):
        desk.run()


def test_the_index_is_one_file(desk: Desk) -> None:
    desk.put("checklist_items", "a", {"title": "A"}, EPOCH)
    desk.rendered()
    names = [path.name for path in (desk.root / layout.MANIFESTS).iterdir()]
    assert names == ["render-index.sqlite"]


def test_pages_that_refer_to_a_record_follow_its_title_and_its_end(desk: Desk) -> None:
    later = DAY + timedelta(days=3)
    desk.put("checklists", "l1", {"title": "Harbor move"})
    desk.put("checklist_items", "c1", {"title": "Call Ann", "checklist_id": "l1"}, later)
    desk.put("checklist_items", "c2", {"title": "Call Bob"}, later + timedelta(days=1))
    desk.run("backfill_digest")
    page, other = (ITEMS.replace("05", day) for day in ("08", "09"))
    assert "Harbor move" in desk.pages()[page]
    desk.put("checklists", "l1", {"title": "Quay move"})
    changed = desk.rendered().changed
    assert "Quay move" in desk.pages()[page]
    assert "Harbor move" not in desk.pages()[page]
    assert page in changed
    assert other not in changed
    desk.delete("checklists", "l1")
    desk.run()
    assert "Quay move" not in desk.pages()[page]
    pagecheck.check_all(desk.all_pages())
