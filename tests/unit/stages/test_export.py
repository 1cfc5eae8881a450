"""Export against a correct server and against hostile ones."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import manifests
from consumer import errors
from consumer.evidence.index import open_sightings
from consumer.evidence.streams import MAX_EMPTY_PAGES
from consumer.run import Run
from consumer.snapshot.suppression import Suppressed
from consumer.stages import export
from consumer.stages.export import Export
from contract import canonical
from contract.api import BatchRequest, BatchResponse, Redaction
from contract.records import Record
from tests.fake_export import EPOCH, FakeExport, OpenGuard, Row, export_and_render, job_id, record, run_of

OTHER = "99999999-9999-4999-8999-999999999999"


def _export(run: Run, *, force: bool = True, page_records: int = 500) -> Run:
    return Export(manifests.export_manifest(), open_sightings, page_records, force).run(run, OpenGuard())


def _filled(items: int = 7) -> FakeExport:
    server = FakeExport()
    for n in range(items):
        server.put("checklist_items", f"i{n}", Row(n, EPOCH, {"title": f"Item {n}", "note": "é\u2028"}))
    server.put("user_profiles", "u", Row(1, EPOCH, {"display_name": "D"}))
    return server


def _files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_a_backfill_keeps_every_record_as_a_canonical_line_under_a_manifest(tmp_path: Path) -> None:
    done = _export(run_of(tmp_path, _filled(), "backfill_digest"), page_records=3)
    assert done.exported is not None
    assert (done.exported.records, done.exported.deleted) == (8, 0)
    assert done.exported.source_counts["checklist_items"] == 7
    folder = tmp_path / f"runtime/exports/backfill/{job_id(1)}"
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [file["path"] for file in manifest["files"]] == [
        "user_profiles.batch-000.jsonl",
        "checklist_items.batch-000.jsonl",
    ]
    for file in manifest["files"]:
        data = (folder / file["path"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == file["sha256"]
        assert (len(data), data.count(b"\n")) == (file["bytes"], file["records"])
        for line in data.splitlines():
            document = json.loads(line)
            assert canonical.dumps(document) == line
            assert canonical.digest(document["data"]) == document["checksum"]
    (stream,) = manifest["streams"]
    assert done.cursors == {"streams": [{"source_keys": stream["source_keys"], "cursor": stream["cursor_after"]}]}
    assert json.loads((tmp_path / "runtime/cursors/export.json").read_text()) == done.cursors
    assert [artifact.artifact_type for artifact in done.artifacts] == ["raw_export_manifest"]
    assert done.artifacts[0].workspace_path == done.exported.manifest


def test_a_run_without_changes_writes_nothing_and_says_so(tmp_path: Path) -> None:
    server = _filled()
    first = export_and_render(run_of(tmp_path, server, "backfill_digest"))
    before = _files(tmp_path)
    again = _export(replace(run_of(tmp_path, server, number=2), cursors=first.cursors))
    assert again.exported is not None
    assert (again.exported.records, again.exported.deleted, again.exported.manifest) == (0, 0, None)
    assert _files(tmp_path) == before


def test_an_increment_without_changes_is_one_request(tmp_path: Path) -> None:
    server = _filled()
    first = export_and_render(run_of(tmp_path, server, "backfill_digest"))
    server.requests = 0
    _export(replace(run_of(tmp_path, server, number=2), cursors=first.cursors))
    assert server.requests == 1


def test_a_source_that_comes_later_starts_at_its_beginning_and_the_others_go_on(tmp_path: Path) -> None:
    server = _filled()
    early = ("checklist_items", "contacts")
    first = export_and_render(run_of(tmp_path, server, "backfill_digest", allowed_sources=early))
    server.put("meeting_notes", "n", Row(-900_000, EPOCH, {"title": "Long ago"}))
    server.put("checklist_items", "new", Row(100, EPOCH, {"title": "New"}))
    asked: list[tuple[tuple[str, ...], bool]] = []

    class Listening(FakeExport):
        def batch(self, request: BatchRequest) -> BatchResponse:
            asked.append((request.source_keys, bool(request.cursor)))
            return FakeExport.batch(self, request)

    run = run_of(tmp_path, Listening(server.rows), number=2, allowed_sources=("meeting_notes", "checklist_items"))
    done = _export(replace(run, cursors=first.cursors))
    assert asked == [(("checklist_items",), True), (("meeting_notes",), False)]
    assert done.exported is not None
    assert done.exported.source_counts == {"checklist_items": 1, "meeting_notes": 1}


def test_a_deletion_is_exported_once(tmp_path: Path) -> None:
    server = _filled()
    first = export_and_render(run_of(tmp_path, server, "backfill_digest"))
    server.delete("checklist_items", "i3", 50)
    second = export_and_render(replace(run_of(tmp_path, server, number=2), cursors=first.cursors))
    assert second.exported is not None
    assert (second.exported.records, second.exported.deleted) == (0, 1)
    third = _export(replace(run_of(tmp_path, server, number=3), cursors=second.cursors))
    assert third.exported is not None
    assert third.exported.deleted == 0


def test_a_second_backfill_finds_what_vanished_without_a_tombstone(tmp_path: Path) -> None:
    server = _filled()
    export_and_render(run_of(tmp_path, server, "backfill_digest"))
    del server.rows["checklist_items"]["i3"]
    done = export_and_render(run_of(tmp_path, server, "backfill_digest", 2))
    assert done.exported is not None
    assert done.exported.deleted == 1
    assert all('record_id: "i3"' not in path.read_text() for path in tmp_path.rglob("*.md"))


def test_absence_proves_nothing_when_the_server_shows_less_than_it_counts(tmp_path: Path) -> None:
    server = _filled()
    export_and_render(run_of(tmp_path, server, "backfill_digest"))

    class Forgetful(FakeExport):
        def batch(self, request: BatchRequest) -> BatchResponse:
            answer = FakeExport.batch(self, request)
            return answer.model_copy(update={"records": answer.records[:-1]})

    done = _export(run_of(tmp_path, Forgetful(server.rows), "backfill_digest", 2))
    assert done.exported is not None
    assert done.exported.deleted == 0


def test_back_to_an_earlier_version_within_one_run_is_not_mistaken_for_unchanged(tmp_path: Path) -> None:
    server = FakeExport()
    server.put("checklist_items", "i", Row(0, EPOCH, {"title": "A"}))
    export_and_render(run_of(tmp_path, server, "backfill_digest"))
    versions = [
        record("checklist_items", "i", {"title": title}, EPOCH + timedelta(seconds=n), EPOCH)
        for n, title in enumerate("ABA")
    ]
    done = export_and_render(run_of(tmp_path, _Serves(versions), number=2))
    assert done.exported is not None
    assert done.exported.records == 2
    (page,) = (tmp_path / "brain/sources/cloop/checklist-items").glob("*.md")
    assert "## A\n" in page.read_text()


def test_a_record_whose_time_alone_is_another_moves_to_its_page(tmp_path: Path) -> None:
    server = FakeExport()
    server.put("checklist_items", "i", Row(0, None, {"title": "A"}))
    export_and_render(run_of(tmp_path, server, "backfill_digest"))
    server.put("checklist_items", "i", Row(0, EPOCH, {"title": "A"}))
    export_and_render(run_of(tmp_path, server, number=2))
    assert [page.stem for page in (tmp_path / "brain/sources/cloop/checklist-items").glob("*.md")] == ["2026-02-28"]


def test_a_repeat_of_the_same_job_rewrites_its_own_files(tmp_path: Path) -> None:
    server = _filled()
    first = _export(run_of(tmp_path, server, "backfill_digest"))
    left = tmp_path / f"runtime/exports/backfill/{job_id(1)}/stale.batch-000.jsonl"
    left.write_text("half a line")
    second = _export(run_of(tmp_path, server, "backfill_digest"))
    assert second.exported == first.exported
    assert not left.exists()


def test_only_allowed_sources_are_asked_for(tmp_path: Path) -> None:
    asked: list[str] = []

    class Listening(FakeExport):
        def batch(self, request: BatchRequest) -> BatchResponse:
            asked.extend(request.source_keys)
            return FakeExport.batch(self, request)

    _export(run_of(tmp_path, Listening(_filled().rows), allowed_sources=("user_profiles",)))
    assert set(asked) == {"user_profiles"}


def test_redactions_add_up(tmp_path: Path) -> None:
    class Redacting(FakeExport):
        def batch(self, request: BatchRequest) -> BatchResponse:
            redaction = {"source_key": request.source_keys[0], "field": "token", "reason": "name", "count": 2}
            answer = FakeExport.batch(self, request)
            return BatchResponse.model_validate({**answer.model_dump(), "redactions": [redaction]})

    done = _export(run_of(tmp_path, Redacting(_filled().rows), allowed_sources=("checklist_items",)), page_records=3)
    assert done.exported is not None
    assert [(redaction.field, redaction.count) for redaction in done.exported.redactions] == [("token", 6)]


class _Serves(FakeExport):
    """One page of the records given, for their source; nothing else."""

    def __init__(self, records: list[Record], source: str = "checklist_items") -> None:
        super().__init__()
        self._records = records
        self._source = source

    def batch(self, request: BatchRequest) -> BatchResponse:
        mine = self._source in request.source_keys and request.mode != "inventory"
        return BatchResponse(records=tuple(self._records) if mine else (), next_cursor={"n": 1})


def _bad(**other: Any) -> list[Record]:
    good = record("checklist_items", "ok", {"title": "kept back"})
    return [good, record("checklist_items", "bad", {"title": "x"}, **other)]


@pytest.mark.parametrize(
    ("records", "error"),
    [
        (_bad(user_id=OTHER), errors.TenantMismatch),
        (_bad(source_key="contacts"), errors.SourceMismatch),
        (_bad(record_type="contact"), errors.SourceMismatch),
        (_bad(checksum="sha256:" + "0" * 64), errors.ChecksumMismatch),
    ],
    ids=["tenant", "source", "type", "checksum"],
)
def test_a_bad_record_refuses_the_export_and_leaves_nothing(
    tmp_path: Path, records: list[Record], error: type[errors.ConsumerError]
) -> None:
    with pytest.raises(error, match=job_id(1)) as caught:
        _export(run_of(tmp_path, _Serves(records)))
    assert "title" not in str(caught.value)
    assert _files(tmp_path) == {}


def test_other_data_at_a_checksum_seen_before_is_refused(tmp_path: Path) -> None:
    server = _filled()
    server.put("checklist_items", "known", Row(1, EPOCH, {"title": "Buy", "n": None}))
    export_and_render(run_of(tmp_path, server, "backfill_digest"))
    known = record("checklist_items", "known", {"title": "Buy", "n": None}, EPOCH + timedelta(seconds=2), EPOCH)
    lying = known.model_copy(update={"data": {"title": "another"}})
    with pytest.raises(errors.ChecksumMismatch):
        _export(run_of(tmp_path, _Serves([lying]), number=2))


def _pages(answer: Callable[[int], BatchResponse]) -> FakeExport:
    class Pages(FakeExport):
        def batch(self, request: BatchRequest) -> BatchResponse:
            self.requests += 1
            return answer(self.requests)

    return Pages()


@pytest.mark.parametrize(
    "answer",
    [
        lambda n: BatchResponse(next_cursor={}, has_more=True),
        lambda n: BatchResponse(next_cursor={"n": n}, has_more=True),
    ],
    ids=["no-cursor", "endless-empty-pages"],
)
def test_a_server_that_leads_nowhere_is_left(tmp_path: Path, answer: Callable[[int], BatchResponse]) -> None:
    server = _pages(answer)
    with pytest.raises(errors.ExportStalled, match="user_profiles"):
        _export(run_of(tmp_path, server))
    assert server.requests <= MAX_EMPTY_PAGES + 1


@pytest.mark.parametrize(("before", "length"), [(0, 1), (0, 2), (0, 7), (5, 3), (40, 25)])
def test_a_server_whose_cursors_go_round_is_left_although_every_page_has_records(
    tmp_path: Path, before: int, length: int
) -> None:
    """``before`` pages with cursors of their own, then the same ``length`` cursors for ever."""

    def answer(n: int) -> BatchResponse:
        again = record("checklist_items", f"i{n}", {"title": f"Item {n}"})
        cursor = n if n <= before else before + 1 + (n - before) % length
        return BatchResponse(records=(again,), next_cursor={"n": cursor}, has_more=n < 2000)

    server = _pages(answer)
    with pytest.raises(errors.ExportStalled, match="the cursor repeats"):
        _export(run_of(tmp_path, server))
    # Brent: the kept cursor is inside the circle, and as old as the circle is long, after that many steps.
    assert server.requests <= 4 * (before + length) + 2
    assert _files(tmp_path) == {}


def test_short_and_empty_pages_are_not_the_end(tmp_path: Path) -> None:
    server = _filled()
    server.page_limit = 1
    inner = server.batch

    class Sparse(FakeExport):
        """Every other page is empty, with a cursor of its own."""

        def batch(self, request: BatchRequest) -> BatchResponse:
            cursor = request.cursor
            if request.mode != "inventory" and not cursor.get("skip"):
                return BatchResponse(next_cursor={**cursor, "skip": True}, has_more=True)
            real = {name: value for name, value in cursor.items() if name != "skip"}
            return inner(request.model_copy(update={"cursor": real}))

    done = _export(run_of(tmp_path, Sparse(), "backfill_digest"))
    assert done.exported is not None
    assert done.exported.records == 8


def test_the_guard_is_asked_for_every_page(tmp_path: Path) -> None:
    class Closing(OpenGuard):
        def check(self) -> None:
            super().check()
            if self.asked == 5:
                raise errors.CancelRequested("job x: cancelled")

    stage = Export(manifests.export_manifest(), open_sightings, page_records=1, force=True)
    with pytest.raises(errors.CancelRequested):
        stage.run(run_of(tmp_path, _filled(), "backfill_digest"), Closing())
    assert _files(tmp_path) == {}


def test_an_inventory_counts_and_writes_nothing(tmp_path: Path) -> None:
    done = _export(run_of(tmp_path, _filled(), "inventory"))
    assert done.exported is not None
    assert done.inventory is not None
    assert done.exported.source_counts["checklist_items"] == 7
    assert done.inventory.verdict == "insufficient"
    assert _files(tmp_path) == {}


class _Redacting(FakeExport):
    """One field is left out of its rows by name, and a secret is found in each page."""

    def batch(self, request: BatchRequest) -> BatchResponse:
        answer = FakeExport.batch(self, request)
        reason, count = ("excluded", 7) if request.mode == "inventory" else ("jwt", 2)
        redaction = Redaction(source_key="checklist_items", field="title", reason=reason, count=count)
        return answer.model_copy(update={"redactions": (redaction,)})


def test_an_inventory_counts_what_is_left_out_by_name_and_inside_of_values(tmp_path: Path) -> None:
    done = _export(run_of(tmp_path, _Redacting(_filled().rows), "inventory"), page_records=4)
    assert done.exported is not None
    assert (done.exported.records, done.exported.examined) == (0, 8)
    assert [(redaction.reason, redaction.count) for redaction in done.exported.redactions] == [
        ("excluded", 7),
        ("jwt", 4),
    ]
    assert _files(tmp_path) == {}


def test_an_inventory_reads_no_more_than_it_has_time_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "EXAMINED_RECORDS", 3)
    done = _export(run_of(tmp_path, _filled(), "inventory"), page_records=2)
    assert done.exported is not None
    assert done.exported.examined == 4
    assert done.exported.source_counts["checklist_items"] == 7


def test_an_inventory_refuses_what_is_another_users(tmp_path: Path) -> None:
    with pytest.raises(errors.TenantMismatch):
        _export(run_of(tmp_path, _Serves(_bad(user_id=OTHER)), "inventory"))


def test_thin_evidence_blocks_a_backfill_unless_forced(tmp_path: Path) -> None:
    with pytest.raises(errors.EvidenceInsufficient, match="checklist_items 7/20"):
        _export(run_of(tmp_path, _filled(), "backfill_digest"), force=False)
    forced = _export(run_of(tmp_path, _filled(), "backfill_digest", force=True), force=False)
    assert forced.exported is not None
    assert forced.exported.records == 8
    rich = _filled(30)
    for n in range(10):
        rich.put("granola_transcripts", f"g{n}", Row(n, EPOCH, {"title": f"G {n}"}))
    done = _export(run_of(tmp_path, rich, "backfill_digest"), force=False)
    assert done.inventory is not None
    assert done.inventory.verdict == "sufficient"


def test_what_must_stay_away_is_passed_over_and_counted(tmp_path: Path) -> None:
    by_name = Suppressed().adding([("checklist_items", "i3")], b"k" * 32)
    done = _export(replace(run_of(tmp_path / "a", _filled(), "backfill_digest"), suppressed=by_name))
    assert done.exported is not None
    assert done.exported.source_counts["checklist_items"] == 6
    assert not any(b'"i3"' in data for data in _files(tmp_path / "a").values())
    # Everything was erased, and one record changed since.
    server = _filled()
    server.put("checklist_items", "later", Row(99, EPOCH, {"title": "Later"}))
    erased = Suppressed(erased_at=EPOCH + timedelta(seconds=50))
    done = _export(replace(run_of(tmp_path / "b", server, "backfill_digest"), suppressed=erased))
    assert done.exported is not None
    assert (done.exported.records, done.exported.source_counts["checklist_items"]) == (1, 1)
