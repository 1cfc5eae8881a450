"""What the sources have and an export did not bring is told, and never taken for deleted."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import manifests
from consumer import errors, layout
from consumer.evidence.index import open_index, open_sightings
from consumer.evidence.streams import MAX_EMPTY_PAGES
from consumer.reports import summary, view
from consumer.run import Exported, Run, Short
from consumer.snapshot import suppression
from consumer.snapshot.suppression import Suppressed
from consumer.stages.export import Export
from contract.api import BatchRequest, BatchResponse, RefusedRecord
from contract.records import Record
from renderers.report import render
from tests.fake_export import EPOCH, USER, FakeExport, OpenGuard, Row, export_and_render, record, run_of

SOURCE = "checklist_items"
OTHER = "99999999-9999-4999-8999-999999999999"


def _filled(items: int = 30) -> FakeExport:
    server = FakeExport()
    for n in range(items):
        server.put(SOURCE, f"i{n:02}", Row(n, EPOCH, {"title": f"Item {n}"}))
    return server


class Editing(FakeExport):
    """A server whose pages somebody edits, by its rows as they are then."""

    def __init__(self, server: FakeExport, edit: Callable[[BatchRequest, BatchResponse], BatchResponse]) -> None:
        super().__init__(server.rows)
        self.edit = edit

    def batch(self, request: BatchRequest) -> BatchResponse:
        answer = FakeExport.batch(self, request)
        return answer if request.mode == "inventory" else self.edit(request, answer)


def _without(*ids: str) -> Callable[[BatchRequest, BatchResponse], BatchResponse]:
    def edit(_: BatchRequest, answer: BatchResponse) -> BatchResponse:
        kept = tuple(record for record in answer.records if record.record_id not in ids)
        return answer.model_copy(update={"records": kept})

    return edit


def _broken(*ids: str, **changes: Any) -> Callable[[BatchRequest, BatchResponse], BatchResponse]:
    def edit(request: BatchRequest, answer: BatchResponse) -> BatchResponse:
        gone = [record for record in answer.records if record.record_id in ids]
        fields = {"reason": "record: json_invalid", "user_id": USER, "record_type": "checklist_item", **changes}
        refused = tuple(
            RefusedRecord.model_validate({"source_key": record.source_key, "record_id": record.record_id, **fields})
            for record in gone
        )
        return _without(*ids)(request, answer).model_copy(update={"refused": refused})

    return edit


def _export(run: Run, *, force: bool = False, page: int = 7) -> Run:
    # Thin evidence is another matter: one source with 20 records is enough here.
    manifest = manifests.export_manifest().model_copy(update={"sufficient_sources": 1})
    return Export(manifest, open_sightings, page, force).run(run, OpenGuard())


def _exported(run: Run) -> Exported:
    assert run.exported is not None
    return run.exported


def _indexed(root: Path) -> set[str]:
    with open_index(root / layout.RENDER_INDEX) as index:
        return {f"i{n:02}" for n in range(60) if index.find(SOURCE, f"i{n:02}")}


# --- shortfall


def test_a_backfill_that_gives_fewer_than_it_counts_fails_and_leaves_nothing(tmp_path: Path) -> None:
    server = Editing(_filled(), _without(*(f"i{n:02}" for n in range(10, 30))))
    with pytest.raises(errors.ExportShort, match=r"fewer records than counted: checklist_items 10 of 30"):
        _export(run_of(tmp_path, server, "backfill_digest"))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("by_job", [True, False])
def test_forced_it_goes_on_tells_the_shortfall_and_takes_nothing_for_deleted(tmp_path: Path, by_job: bool) -> None:
    export_and_render(run_of(tmp_path, _filled(), "backfill_digest"))
    server = Editing(_filled(), _without("i03", "i04"))
    done = _export(run_of(tmp_path, server, "backfill_digest", 2, force=by_job), force=not by_job)
    assert _exported(done).short == (Short(SOURCE, 30, 28),)
    assert _exported(done).deleted == 0
    assert done.counts["records_missing"] == 2
    assert summary.left_out(done) == ["2 records missing from the export"]


def test_rows_that_come_and_go_while_the_export_runs_are_no_shortfall(tmp_path: Path) -> None:
    """Ten are deleted that were not read yet, one that was, and ten come too late for their page."""
    base = _filled(60)
    pages = 0

    def edit(request: BatchRequest, answer: BatchResponse) -> BatchResponse:
        nonlocal pages
        pages += 1
        if pages == 2:
            for n in [1, *range(40, 50)]:
                base.delete(SOURCE, f"i{n:02}", 200)
            for n in range(10):
                base.put(SOURCE, f"late{n}", Row(-100 + n, EPOCH, {"title": "Late"}))
        return answer

    done = _export(run_of(tmp_path, Editing(base, edit), "backfill_digest"))
    assert _exported(done).short == ()
    brought = [
        json.loads(line)["record_id"]
        for path in tmp_path.rglob("*.batch-*.jsonl")
        for line in path.read_text().splitlines()
    ]
    assert {f"late{n}" for n in range(10)} <= set(brought), "what came meanwhile is exported with the rest"


def test_rows_that_come_while_it_is_counted_again_are_no_shortfall(tmp_path: Path) -> None:
    base = _filled()
    counts = 0

    class Moving(FakeExport):
        def batch(self, request: BatchRequest) -> BatchResponse:
            nonlocal counts
            counts += request.mode == "inventory"
            if (request.mode, counts) == ("inventory", 2):
                base.put(SOURCE, "late", Row(1000, EPOCH, {"title": "Late"}))
            answer = FakeExport.batch(self, request)
            if (request.mode, counts) == ("inventory", 1):
                base.delete(SOURCE, "i29", 200)
            return answer

    done = _export(run_of(tmp_path, Moving(base.rows), "backfill_digest"))
    assert (_exported(done).short, counts) == ((), 3)


def test_a_source_that_only_grows_is_counted_once(tmp_path: Path) -> None:
    base = _filled()
    counts = 0

    class Growing(FakeExport):
        def batch(self, request: BatchRequest) -> BatchResponse:
            nonlocal counts
            counts += request.mode == "inventory"
            answer = FakeExport.batch(self, request)
            base.put(SOURCE, f"new{counts}-{self.requests}", Row(1000 + self.requests, EPOCH, {"title": "x"}))
            return answer if self.requests < 20 else answer.model_copy(update={"has_more": False})

    done = _export(run_of(tmp_path, Growing(base.rows), "backfill_digest"), page=500)
    assert (_exported(done).short, counts) == ((), 1)


def test_purged_records_count_as_given(tmp_path: Path) -> None:
    path = tmp_path / suppression.PATH
    path.parent.mkdir(parents=True)
    path.write_bytes(Suppressed().adding([(SOURCE, "i03")], b"k" * 32).encode())
    done = _export(run_of(tmp_path, _filled(), "backfill_digest"))
    assert (_exported(done).records, _exported(done).short) == (29, ())


# --- broken records


def test_of_many_broken_records_some_are_named_and_all_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consumer.stages.export.NAMED_REFUSALS", 2)
    gone = [f"i{number:02}" for number in range(7)]

    def edit(request: BatchRequest, answer: BatchResponse) -> BatchResponse:
        broken = [record.record_id for record in answer.records if record.record_id in gone]
        refused = tuple(
            RefusedRecord(source_key=SOURCE, record_id="" if name in gone[5:] else name, reason="record: json_invalid")
            for name in broken
        )
        rest = tuple(record for record in answer.records if record.record_id not in gone)
        return answer.model_copy(update={"records": rest, "refused": refused})

    done = _export(run_of(tmp_path, Editing(_filled(), edit), "backfill_digest"))
    assert done.counts["records_refused"] == 7
    assert _exported(done).manifest is not None
    path = (tmp_path / str(_exported(done).manifest)).with_name("refused.jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len([line for line in lines if "record_id" in line]) == 2
    assert sum(line.get("records", 1) for line in lines) == 7
    assert {line["reason"]: line["records"] for line in lines if "records" in line} == {
        "no id can be read": 2,
        "record: json_invalid": 3,
    }
    assert all(line["source_key"] == SOURCE for line in lines)


def test_one_broken_record_is_left_out_named_and_counted(tmp_path: Path) -> None:
    done = _export(run_of(tmp_path, Editing(_filled(), _broken("i17")), "backfill_digest"))
    exported = _exported(done)
    assert (exported.records, exported.refused, exported.short) == (29, {SOURCE: 1}, ())
    assert exported.manifest is not None
    manifest = tmp_path / exported.manifest
    assert json.loads(manifest.read_text())["sources"][SOURCE]["refused"] == 1
    (line,) = manifest.with_name("refused.jsonl").read_text().splitlines()
    assert json.loads(line) == {"source_key": SOURCE, "record_id": "i17", "reason": "record: json_invalid"}
    assert done.counts["records_refused"] == 1
    page = render(view.inventory(done))
    assert "1 broken record left out" in page
    assert "| checklist_items | 1 | 0 |" in page
    assert "i17" not in page


@pytest.mark.parametrize("data", [{"title": float("nan")}, {"title": 2**60}, {"title": "\ud800"}])
def test_data_without_a_canonical_form_costs_its_record_alone(tmp_path: Path, data: dict[str, Any]) -> None:
    def edit(_: BatchRequest, answer: BatchResponse) -> BatchResponse:
        records = tuple(
            record.model_copy(update={"data": data}) if record.record_id == "i17" else record
            for record in answer.records
        )
        return answer.model_copy(update={"records": records})

    done = _export(run_of(tmp_path, Editing(_filled(), edit), "backfill_digest"))
    assert (_exported(done).records, _exported(done).refused) == (29, {SOURCE: 1})


def test_what_is_known_of_a_record_stays_while_it_is_broken(tmp_path: Path) -> None:
    export_and_render(run_of(tmp_path, _filled(), "backfill_digest"))
    server = _filled()
    del server.rows[SOURCE]["i05"]
    done = export_and_render(run_of(tmp_path, Editing(server, _broken("i17")), "backfill_digest", 2))
    assert (_exported(done).deleted, _exported(done).refused) == (1, {SOURCE: 1})
    assert _indexed(tmp_path) == {f"i{n:02}" for n in range(30)} - {"i05"}


def test_where_a_broken_record_has_no_name_nothing_is_taken_for_deleted(tmp_path: Path) -> None:
    export_and_render(run_of(tmp_path, _filled(), "backfill_digest"))
    server = _filled()
    del server.rows[SOURCE]["i05"]
    done = _export(run_of(tmp_path, Editing(server, _broken("i17", record_id="")), "backfill_digest", 2))
    assert (_exported(done).deleted, _exported(done).refused) == (0, {SOURCE: 1})


def test_a_purged_record_that_is_broken_is_not_named_again(tmp_path: Path) -> None:
    path = tmp_path / suppression.PATH
    path.parent.mkdir(parents=True)
    path.write_bytes(Suppressed().adding([(SOURCE, "i17")], b"k" * 32).encode())
    done = _export(run_of(tmp_path, Editing(_filled(), _broken("i17")), "backfill_digest"))
    assert (_exported(done).refused, _exported(done).short) == ({}, ())
    assert all("i17" not in file.read_text() for file in tmp_path.rglob("*") if file.is_file())


def test_an_increment_with_nothing_but_a_broken_record_is_idle_and_counts_it(tmp_path: Path) -> None:
    first = export_and_render(run_of(tmp_path, _filled(), "backfill_digest"))
    server = _filled()
    server.put(SOURCE, "i17", Row(2000, EPOCH, {"title": "changed"}))
    run = replace(run_of(tmp_path, Editing(server, _broken("i17")), number=2), cursors=first.cursors)
    done = _export(run)
    assert (_exported(done).records, _exported(done).refused, _exported(done).manifest) == (0, {SOURCE: 1}, None)


@pytest.mark.parametrize(
    ("stated", "error"),
    [
        ({"user_id": OTHER}, errors.TenantMismatch),
        ({"user_id": ""}, errors.TenantMismatch),
        ({"source_key": "contacts"}, errors.SourceMismatch),
        ({"source_key": ""}, errors.SourceMismatch),
        ({"record_type": "contact"}, errors.SourceMismatch),
    ],
    ids=["tenant", "no-owner", "source", "no-source", "type"],
)
@pytest.mark.parametrize("job_type", ["backfill_digest", "hourly_digest", "inventory"])
def test_a_broken_record_that_is_not_the_users_own_still_ends_the_run(
    tmp_path: Path, job_type: str, stated: dict[str, Any], error: type[errors.ConsumerError]
) -> None:
    run = run_of(tmp_path, Editing(_filled(), _broken("i17", **stated)), job_type, allowed_sources=(SOURCE,))
    with pytest.raises(error):
        _export(run)
    assert list(tmp_path.rglob("*.jsonl")) == []


def test_a_server_that_refuses_a_record_itself_need_not_say_whose_it_is(tmp_path: Path) -> None:
    run = run_of(tmp_path, Editing(_filled(), _broken("i17", user_id=None, record_type=None)), "inventory")
    assert _exported(_export(run)).refused == {SOURCE: 1}


def _newer(server: FakeExport) -> Record:
    return record(SOURCE, "i17", {"title": "mended"}, EPOCH + timedelta(seconds=50), EPOCH)


def test_a_record_that_is_mended_on_a_later_page_counts_once_and_is_not_told_as_broken(tmp_path: Path) -> None:
    server = _filled()

    def edit(request: BatchRequest, answer: BatchResponse) -> BatchResponse:
        edited = _broken("i17")(request, answer)
        return edited if edited.has_more else edited.model_copy(update={"records": (*edited.records, _newer(server))})

    done = _export(run_of(tmp_path, Editing(server, edit), "backfill_digest"))
    assert (_exported(done).records, _exported(done).short) == (30, ())
    assert _exported(done).refused == {}


def test_broken_records_without_a_name_do_not_make_up_for_missing_ones(tmp_path: Path) -> None:
    """What changed since is read again with some of what came before: the nameless one comes three times."""
    server = _filled()

    def edit(request: BatchRequest, answer: BatchResponse) -> BatchResponse:
        return _without("i20")(request, _broken("i29", record_id="")(request, answer))

    with pytest.raises(errors.ExportShort, match="29 of 30"):
        _export(run_of(tmp_path, Editing(server, edit), "backfill_digest"))


def test_a_long_row_of_pages_with_nothing_but_broken_records_is_read_to_its_end(tmp_path: Path) -> None:
    class Broken(FakeExport):
        total = MAX_EMPTY_PAGES + 10

        def batch(self, request: BatchRequest) -> BatchResponse:
            if request.mode == "inventory":
                return BatchResponse(source_counts={SOURCE: self.total})
            place = int(request.cursor.get("place", 0)) + 1
            refused = RefusedRecord(source_key=SOURCE, record_id=f"i{place}", reason="data: ValueError")
            return BatchResponse(refused=(refused,), next_cursor={"place": place}, has_more=place < self.total)

    run = run_of(tmp_path, Broken(), "backfill_digest", allowed_sources=(SOURCE,))
    done = _exported(_export(run, force=True))
    assert (done.refused, done.short) == ({SOURCE: Broken.total}, ())


def test_a_version_that_a_backfill_brings_replaces_the_stored_one_also_after_a_broken_one(tmp_path: Path) -> None:
    """Keeping what is known of a broken record must not make it a version that this backfill brought."""
    server = _filled(2)
    server.put(SOURCE, "i00", Row(90, EPOCH, {"title": "Taken back since"}))
    export_and_render(run_of(tmp_path, server, "backfill_digest", 1))
    server.put(SOURCE, "i00", Row(5, EPOCH, {"title": "As restored"}))
    whole = server.batch(BatchRequest(mode="backfill", source_keys=(SOURCE,)))
    broken = _broken("i00")(BatchRequest(mode="backfill", source_keys=(SOURCE,)), whole)

    def twice(request: BatchRequest, answer: BatchResponse) -> BatchResponse:
        first = not request.cursor
        return (broken if first else whole).model_copy(update={"next_cursor": {"n": 2 - first}, "has_more": first})

    run = run_of(tmp_path, Editing(server, twice), "backfill_digest", 2, allowed_sources=(SOURCE,))
    exported = _exported(export_and_render(run))
    assert (exported.records, dict(exported.refused)) == (1, {})
    with closing(open_index(tmp_path / layout.RENDER_INDEX)) as index:
        record = index.find(SOURCE, "i00")
    assert record is not None
    assert record.updated_at == "2026-03-01T00:00:05.000000Z"
