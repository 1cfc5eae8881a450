"""Every link of every report resolves, whatever moved since: days, titles, the user's zone."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from consumer import layout
from consumer.evidence import moved, pagefiles, pages, search
from consumer.evidence.search import EvidenceIndex
from tests.brains import Free
from tests.fake_export import EPOCH, FakeExport, Row
from tests.overlays import FakeOverlays
from tests.unit.stages.test_ruled_reports import DAY, Reports, mail

INCREMENTS = 10


def item(changed_s: int, days: int, title: str) -> Row:
    due = (EPOCH + (days + 4) * DAY).isoformat()
    return Row(changed_s, EPOCH + days * DAY + timedelta(hours=3), {"title": title, "checked": False, "due_at": due})


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backfill and ten increments, with a moved record, a changed one, and a new zone."""
    server = FakeExport()
    server.put("user_profiles", "p", Row(0, None, {"display_name": "Mara Lind"}))
    for number in range(5):
        text = f"I'll send you the price deck {number} by Friday."
        server.put("inbound_messages", f"m{number}", mail(3 + number, "Ann Lee", text, days=number))
        server.put("checklist_items", f"k{number}", item(10 + number, number, f"Call landlord {number}"))
    root = tmp_path_factory.mktemp("moved")
    reports = Reports(root, server, FakeOverlays(server))
    reports.write()
    for number in range(INCREMENTS):
        text = f"I'll send you the lease {number} by Friday."
        server.put("inbound_messages", f"n{number}", mail(100 + number, "Ann Lee", text, days=5))
        if number == 3:
            server.put("checklist_items", "k1", item(200, 20, "Call landlord again"))
        if number == 5:
            server.put("inbound_messages", "m1", mail(201, "Ann Lee", "I'll send the new deck by Friday.", days=3))
        zone = "Pacific/Auckland" if number > 5 else "America/New_York"
        at = EPOCH + 5 * DAY + timedelta(hours=number)
        # An hour in which nothing matters writes no report.
        with contextlib.suppress(AssertionError):
            reports.write(job_type="hourly_digest", requested_at=at, timezone=zone)
    search.update(root, pagefiles.digests(root, Free()), Free())
    return root


def texts(root: Path) -> Iterator[tuple[str, str]]:
    for path in sorted((root / layout.BRAIN / "reports").rglob("*.md")):
        yield path.relative_to(root).as_posix(), path.read_text("utf-8")


def dead(root: Path, path: str, text: str) -> list[str]:
    """The links of a page that lead to no page, or to no anchor of it."""
    slug = pages.slug_of(path.removeprefix(f"{layout.BRAIN}/"))
    links = []
    for link in pages.parse(slug, text.encode()).links:
        file = root / layout.BRAIN / pages.path_of(link.target)
        if not file.exists() or (link.anchor and link.anchor not in pages.parse(slug, file.read_bytes()).anchors):
            links.append(f"{link.target}#{link.anchor}")
    return links


def test_links_follow_their_records(workspace: Path) -> None:
    before, after = [], []
    with EvidenceIndex(workspace / layout.SEARCH_INDEX) as index:
        for path, text in texts(workspace):
            links = index.places(moved.marks(text, path)).items()
            places = {mark: moved.LinkedPlace(f"{layout.BRAIN}/{slug}.md", anchor) for mark, (slug, anchor) in links}
            followed = moved.followed(text, path, places, lambda target: (workspace / target).exists())
            before += dead(workspace, path, text)
            after += dead(workspace, path, followed)
            assert len(followed.splitlines()) == len(text.splitlines())
    assert len(before) > INCREMENTS, "nothing moved, so nothing was tested"
    assert after == []


def test_a_link_to_a_page_that_is_there_stays() -> None:
    text = "[a](../../sources/cloop/notes/a-aaaaaaaaaaaa.md) [b](../../sources/cloop/notes/b-bbbbbbbbbbbb.md) [c](x)"
    place = moved.LinkedPlace("brain/sources/cloop/notes/new-aaaaaaaaaaaa.md", "")
    known = {"a" * 12: place, "b" * 12: moved.LinkedPlace("brain/sources/cloop/notes/other-bbbbbbbbbbbb.md", "")}
    followed = moved.followed(text, "brain/reports/digest/x.md", known, lambda path: "/b-" in path)
    assert followed == text.replace("/a-", "/new-")


def test_a_record_that_is_gone_leads_nowhere() -> None:
    text = "[a](../../sources/cloop/notes/2026-03-01.md#r-aaaaaaaaaaaa)"
    assert moved.followed(text, "brain/reports/digest/x.md", {}, lambda _: False) == text


MONTH = 30
#: The increment of this number -> what happened before it.
MOVES: dict[int, str] = {
    2: "title",
    4: "earlier",
    6: "later",
    7: "west",
    9: "contact",
    11: "gone",
    12: "back",
    14: "thread",
    15: "time",
    17: "east",
    19: "note",
}


def note(changed_s: int, days: int, title: str) -> Row:
    when = EPOCH + days * DAY + timedelta(hours=10)
    return Row(changed_s, when, {"title": title, "meeting_started_at": when.isoformat(), "notes": f"Notes on {title}."})


def changed(at: int) -> dict[str, tuple[str, str, Row]]:
    """The row that each kind of move writes: it brings a record to another page or anchor."""
    lease = "I'll send you the price deck 2 by Friday."
    contact = {"display_name": "Ann Lee-Park", "email": "ann@example.com"}
    return {
        "title": ("checklist_items", "k0", item(at, 0, "Call landlord about the quay")),
        "earlier": ("checklist_items", "k1", item(at, 0, "Call landlord 1")),
        "later": ("checklist_items", "k2", item(at, 9, "Call landlord 2")),
        "contact": ("contacts", "c", Row(at, None, contact)),
        "gone": ("inbound_messages", "m2", Row(at, None, None)),
        "back": ("inbound_messages", "m2", mail(at, "Ann Lee", lease, days=2)),
        "thread": ("inbound_messages", "m3", mail(at, "Ann Lee", "I'll send the deck 3 by Monday.", days=4)),
        "time": ("inbound_messages", "m4", mail(at, "Ann Lee", "I'll send you the price deck 4 by Friday.", days=6)),
        "note": ("meeting_notes", "t", note(at, 3, "Quay review, second part")),
    }


def test_every_link_of_a_months_reports_resolves(tmp_path: Path) -> None:
    """21 increments over 30 days: titles, days, hours, contacts and zones change, and a record goes and comes back."""
    server = FakeExport()
    server.put("user_profiles", "p", Row(0, None, {"display_name": "Mara Lind"}))
    server.put("contacts", "c", Row(1, None, {"display_name": "Ann Lee", "email": "ann@example.com"}))
    server.put("meeting_notes", "t", note(2, 3, "Quay review"))
    for number in range(5):
        text = f"I'll send you the price deck {number} by Friday."
        server.put("inbound_messages", f"m{number}", mail(3 + number, "Ann Lee", text, days=number))
        server.put("checklist_items", f"k{number}", item(10 + number, number, f"Call landlord {number}"))
    reports = Reports(tmp_path, server, FakeOverlays(server))
    reports.write()
    zone = "America/New_York"
    for number in range(1, 22):
        day = 5 + number * (MONTH - 5) // 21
        text = f"I'll send you the lease {number} by Friday."
        server.put("inbound_messages", f"n{number}", mail(100 + number, "Ann Lee", text, days=day))
        kind = MOVES.get(number, "")
        zone = {"west": "Pacific/Honolulu", "east": "Pacific/Auckland"}.get(kind, zone)
        if row := changed(1000 + number).get(kind):
            server.put(*row)
        # An hour in which nothing matters writes no report.
        with contextlib.suppress(AssertionError):
            reports.write(job_type="hourly_digest", requested_at=EPOCH + (day + 1) * DAY, timezone=zone)
    search.update(tmp_path, pagefiles.digests(tmp_path, Free()), Free())
    broken, after = 0, []
    with EvidenceIndex(tmp_path / layout.SEARCH_INDEX) as index:
        for path, text in texts(tmp_path):
            links = index.places(moved.marks(text, path)).items()
            places = {mark: moved.LinkedPlace(f"{layout.BRAIN}/{slug}.md", anchor) for mark, (slug, anchor) in links}
            followed = moved.followed(text, path, places, lambda target: (tmp_path / target).exists())
            broken += bool(dead(tmp_path, path, text))
            after += dead(tmp_path, path, followed)
    assert broken > len(MOVES), "few reports had links that moved"
    assert after == []
