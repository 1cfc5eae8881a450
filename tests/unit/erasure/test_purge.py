"""After a purge nothing of the content is found in any object, and the history still verifies and says that it was."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import renderers
from consumer import layout, paths
from consumer.agent.judging import Judging
from consumer.clients.signing import Ed25519Signer
from consumer.erasure import late_writers
from consumer.erasure.matching import RecordKey
from consumer.erasure.purge import Purge, Purged
from consumer.erasure.selecting import Selection
from consumer.erasure.suppressions import Suppressions
from consumer.errors import RestoreRefused, SnapshotIncomplete, SnapshotRefused
from consumer.evidence import pagefiles, search
from consumer.evidence.index import open_index
from consumer.layout import RENDER_INDEX, SEARCH_INDEX
from consumer.locking.exclusive import Exclusive
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.maintenance.verify import Verification
from consumer.ports import ModelTags
from consumer.reports import toldledger
from consumer.reports.toldledger import Mark, ToldLedger
from consumer.repository.history import History
from consumer.repository.warm import WarmFolders
from consumer.snapshot import suppression
from consumer.snapshot.catalog import places
from consumer.snapshot.snapshot import BLOCK_BYTES
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import Fault, Faults, Killed, MemorySuppressions, no_fault
from consumer.understanding.support import Judgement, Question
from contract.api import Usage
from contract.records import record_digest
from renderers import pages
from tests import erasing
from tests.fake_export import FakeExport, OpenGuard, Row, export_and_render, job_id, run_of
from tests.noting import OpensNotesAll
from tests.unit.repository.workspaces import PEM, USER, Bench, Free, Instance, listing

#: EXHAUSTIVE=1: a purge dies at each of its writes and deletes, not at some.
EXHAUSTIVE = os.environ.get("EXHAUSTIVE") == "1"
DAY = datetime(2026, 3, 5, 15, 0, tzinfo=UTC)
SECRET_ID = "note-4711-secret"
SECRET = "The merger with Blue Harbor closes on the ninth and nobody outside this room may know about it."
OTHER = "Ann will send the revised budget to the whole team before the weekly review on Thursday."
TASK_ID = "task-0815-secret"
TASK = "Wire the second instalment to the Blue Harbor escrow account before noon"
NOTES = {"title": "Board meeting", "meeting_started_at": "2026-03-05T15:00:00Z", "attendees": []}
ONE = Selection(frozenset({("meeting_notes", SECRET_ID)}))
#: No selector at all.
#: Anything of the purged records, in any writing.
TRACES = (
    SECRET_ID.encode(),
    b"Blue Harbor",
    b"blue-harbor",
    TASK_ID.encode(),
    b"escrow account",
    b"merger with",
    b"Nia Okafor",
)


class Workspace:
    """Three commits by real export and render stages, with a report, a brain and an agent's session that quote."""

    def __init__(self, tmp: Path) -> None:
        self.bench = Bench(tmp)
        self.server = FakeExport()
        self.mirror = MemorySuppressions()
        self.cursors: dict[str, Any] = {}
        self.server.put("meeting_notes", SECRET_ID, Row(1, DAY, {**NOTES, "note_text": SECRET}))
        self.server.put("meeting_notes", "note-0001-plain", Row(2, DAY, {**NOTES, "note_text": OTHER}))
        self.server.put("checklist_items", TASK_ID, Row(3, DAY, {"title": TASK}))
        self.server.put("checklist_items", "task-0001-plain", Row(4, DAY, {"title": "Water the plants in the office"}))
        self.run(1, f"# Report\n\n> {SECRET[:60]}\n\nAnn sends the budget.\n")
        self.server.put("meeting_notes", SECRET_ID, Row(5, DAY, {**NOTES, "note_text": SECRET + " Really nobody."}))
        self.run(2, f"# Report\n\n- {TASK.upper()} (open)\n- {OTHER}\n")
        self.run(3, "# Report\n\nNothing new.\n")

    def run(self, number: int, report: str, job_type: str = "hourly_digest", *, quoting: bool = True) -> None:
        store = self.bench.store()
        root, workspace = self.bench.hydrate(store)
        run = replace(
            run_of(root, self.server, job_type, number),
            base=workspace.base,
            cursors=self.cursors,
            suppressed=self.suppressions().read(USER),
        )
        self.cursors = dict(export_and_render(run, by_model=OpensNotesAll()).cursors)
        (root / f"brain/reports/digest/r{number}.md").write_text(report)
        if quoting:
            self._quote(root, number)
        search.update(root, pagefiles.digests(root, OpenGuard()), OpenGuard())
        self.bench.commit(store, root, workspace.base, f"job-{number}", epoch=number)
        store.of(USER).publish(number, [f"brain/reports/digest/r{number}.md"])
        if quoting:
            for name in (paths.answer(USER, f"{number:064x}"), paths.paid_readings(USER, "model-1", f"{number:064x}")):
                self.bench.blobs.write(name, SECRET.encode(), if_generation=None)
        store.close()
        shutil.rmtree(root)

    def _quote(self, root: Path, number: int) -> None:
        """A report, a page, a brain and an agent's session that say what the secret record says."""
        held = root / layout.HELD
        held.parent.mkdir(parents=True, exist_ok=True)
        held.write_text(
            f"# What your rules hold back\n\n## {TASK}\n\nRead as people: Nia Okafor. It holds for every report.\n\n"
            f"- [{TASK}](../../brain/a.md)\n- [{OTHER}](b.md)\n"
        )
        (root / "runtime/reports/digest/r.json").write_text(
            f'{{"claims": [{{"quote": "{SECRET[4:70]}"}}], "n": {number}}}'
        )
        pages = sorted(path.name for path in (root / "brain/sources").rglob("*.md"))
        (root / "runtime/manifests/index-state.json").write_text(json.dumps(pages))
        (root / "brain/concepts/merger.md").write_text("# Deals\n\n" + "".join(f"- see [[{page}]]\n" for page in pages))
        # In words of the brain's own, which no search for the record's could find.
        dream = root / layout.DREAMS / "people/ann.md"
        dream.parent.mkdir(parents=True, exist_ok=True)
        dream.write_text("# Ann\n\n- Two firms become a single one, and few people are aware. *(no source)*\n")
        (root / "hermes-home/sessions/s.json").write_text(f'{{"seen": "{SECRET}"}}')
        (root / layout.AGENT_MEMORY).mkdir(parents=True, exist_ok=True)
        # A note may say it in words of its own.
        (root / layout.AGENT_NOTES).write_text(f"Two firms become a single one. [{pages[0]}]")
        with closing(sqlite3.connect(root / "gbrain-home/brain.sqlite")) as brain:
            brain.execute("create table if not exists pages (text)")
            brain.execute("insert into pages values (?)", (SECRET,))
            brain.commit()

    def purge(self, selection: Selection, fault: Fault = no_fault, warm: WarmFolders | None = None) -> Purged:
        ids = itertools.count(len(self.bench.blobs.ops) * 1000)
        blobs, clock = self.bench.blobs.as_seen_by(fault), self.bench.clock
        locks = Locks(ConditionalWriter(blobs, clock), clock, lambda: f"id-{next(ids)}", Lease())
        store = self.bench.store(fault, warm=warm)
        reason = "asked by the person"
        with Exclusive(locks, store, "operator", threads=False).hold(USER, "purge") as hold:
            suppressions = self.suppressions(fault)
            return Purge(store.of(USER), selection, reason, hold, erasing.rerender(), suppressions).run()

    def suppressions(self, fault: Fault = no_fault) -> Suppressions:
        blobs = self.bench.blobs.as_seen_by(fault)
        return Suppressions(lambda _user: blobs, self.mirror, self.bench.clock, self.bench.entropy)

    def objects_with(self, traces: tuple[bytes, ...]) -> list[str]:
        """Objects that hold any of these, however they are packed."""
        return [
            name
            for name, (_, data) in self.bench.blobs.contents().items()
            if any(trace in part for part in erasing.unpacked(name, data) for trace in traces)
        ]

    def sound(self) -> Verification:
        made = Verification(self.bench.blobs, Ed25519Signer(PEM), self.bench.clock, USER, Free())
        assert made.run().ok, made.report.faults
        return made


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("purge"))


@pytest.fixture
def workspace(template: Workspace, tmp_path: Path) -> Iterator[Workspace]:
    contents = dict(template.bench.blobs._bucket.objects)
    template.bench.tmp = tmp_path
    yield template
    template.bench.blobs._bucket.objects.clear()
    template.bench.blobs._bucket.objects.update(contents)


def test_a_purge_empties_the_warm_folders_of_this_machine_and_the_next_hydrate_those_of_others(
    workspace: Workspace,
) -> None:
    instances = [Instance(workspace.bench.tmp / name, workspace.bench) for name in ("here", "there")]
    for instance in instances:
        instance.look()
        assert _on_disk(instance.root)
    here = instances[0]
    workspace.purge(ONE, warm=WarmFolders(here.root / "warm", workspace.bench.clock))
    assert not _on_disk(here.root)
    for instance in instances:
        _, seen = instance.look()
        root, _ = workspace.bench.hydrate(workspace.bench.store())
        assert seen == listing(root)
        assert not _on_disk(instance.root)


def _on_disk(root: Path) -> list[str]:
    traces = (SECRET_ID.encode(), b"merger with")
    files = (path for path in root.rglob("*") if path.is_file())
    return [str(path) for path in files if any(trace in path.read_bytes() for trace in traces)]


def test_before_the_purge_the_content_is_everywhere(workspace: Workspace) -> None:
    assert len(workspace.objects_with(TRACES)) >= 4
    workspace.sound()


def test_a_purged_record_is_found_in_no_object_and_the_rest_stays(workspace: Workspace) -> None:
    old = History(workspace.bench.store().of(USER))
    pages = {path for path in old.tree().entries if "meeting-notes/" in path and SECRET.encode() in old.read(path)}
    (own,) = (Path(path).stem.encode() for path in pages)
    traces = (SECRET_ID.encode(), b"Two firms become", b"merger with", b"nobody outside", b"MERGER WITH", own)
    kept = old.read("brain/reports/digest/r3.md")
    task_page = old.read("brain/sources/cloop/checklist-items/2026-03-05.md")
    done = workspace.purge(ONE)
    assert done.commit is not None
    assert (done.commit.seq, done.records) == (4, 1)
    assert workspace.objects_with(traces) == []
    report = workspace.sound().report
    assert report.erased > 0
    history = History(workspace.bench.store().of(USER))
    _, commit = history.commit(4)
    assert (commit.job_type, commit.reason, commit.counts["purged_records"]) == ("purge", "asked by the person", 1)
    assert history.read("brain/reports/digest/r3.md") == kept
    assert history.read("brain/sources/cloop/checklist-items/2026-03-05.md") == task_page
    assert history.read("brain/reports/digest/r1.md") == b"# Report\n\n[purged]\n\nAnn sends the budget.\n"
    assert json.loads(history.read("runtime/reports/digest/r.json")) == {"claims": [], "n": 3}
    assert OTHER.encode() in b"".join(
        history.read(path)
        for path in history.tree().entries
        if path.startswith("brain/sources/") and path.endswith(".md")
    )
    assert "gbrain-home/brain.sqlite" not in history.tree().entries
    assert layout.AGENT_NOTES not in history.tree().entries
    assert suppression.PATH not in history.tree().entries
    suppressed = suppression.decode(workspace.bench.blobs.read(paths.suppressed(USER)).data)
    assert workspace.mirror.suppressed(USER) == suppressed
    assert suppressed.hides("meeting_notes", SECRET_ID)
    assert not suppressed.hides("meeting_notes", "note-0001-plain")


def test_how_a_purged_rule_was_read_goes_with_it(workspace: Workspace) -> None:
    assert workspace.objects_with((b"Nia Okafor",))
    workspace.purge(Selection(frozenset({("checklist_items", TASK_ID)})))
    assert workspace.objects_with((b"Nia Okafor",)) == []


def test_what_stays_is_rendered_as_if_the_record_had_never_been(workspace: Workspace, tmp_path: Path) -> None:
    workspace.purge(Selection(frozenset({("checklist_items", TASK_ID)})))
    assert workspace.objects_with((TASK_ID.encode(), b"escrow account", b"ESCROW ACCOUNT")) == []
    root, _ = workspace.bench.hydrate(workspace.bench.store())
    page = (root / "brain/sources/cloop/checklist-items/2026-03-05.md").read_text()
    assert "Water the plants" in page
    assert "escrow" not in page


def test_the_next_jobs_go_on_from_a_purged_workspace(workspace: Workspace) -> None:
    workspace.purge(ONE)
    workspace.server.delete("meeting_notes", SECRET_ID, 6)
    workspace.server.put(
        "checklist_items", "task-0002-plain", Row(7, DAY, {"title": "Call the landlord about the door"})
    )
    workspace.run(5, "# Report\n\nGoing on.\n")
    workspace.sound()
    root, hydrated = workspace.bench.hydrate(workspace.bench.store())
    assert hydrated.base.seq == 5
    assert "Call the landlord" in (root / "brain/sources/cloop/checklist-items/2026-03-05.md").read_text()


@pytest.mark.parametrize("job_type", ["hourly_digest", "backfill_digest"])
@pytest.mark.parametrize("selection", [ONE, Selection(source="meeting_notes")], ids=str)
def test_what_the_source_still_has_does_not_come_back(
    workspace: Workspace, selection: Selection, job_type: str
) -> None:
    workspace.purge(selection)
    # The source touches the purged record, so that an increment brings it again, and has news beside it.
    workspace.server.put("meeting_notes", SECRET_ID, Row(9, DAY, {**NOTES, "note_text": SECRET + " Edited since."}))
    workspace.server.put("checklist_items", "task-0002-plain", Row(9, DAY, {"title": "Call the landlord at nine"}))
    workspace.run(5, "# Report\n\nGoing on.\n", job_type, quoting=False)
    # Not its id: this server's cursors say where they stopped by naming a record.
    assert workspace.objects_with((b"merger with", b"Edited since")) == []
    workspace.sound()
    history = History(workspace.bench.store().of(USER))
    (raw,) = [path for path in history.tree().entries if job_id(5) in path and path.endswith("/manifest.json")]
    notes = json.loads(history.read(raw))["sources"]["meeting_notes"]
    assert notes["suppressed"] >= 1
    assert "landlord" in history.read("brain/sources/cloop/checklist-items/2026-03-05.md").decode()


def test_purged_records_do_not_hide_that_others_are_gone(workspace: Workspace) -> None:
    """A backfill concludes from absence only when it saw all that the source counted; purged ones were seen too."""
    workspace.purge(ONE)
    del workspace.server.rows["checklist_items"]["task-0001-plain"]
    del workspace.server.rows["meeting_notes"]["note-0001-plain"]
    workspace.run(5, "# Report\n", "backfill_digest", quoting=False)
    root, _ = workspace.bench.hydrate(workspace.bench.store())
    assert "Water the plants" not in (root / "brain/sources/cloop/checklist-items/2026-03-05.md").read_text()
    assert not list((root / "brain/sources/cloop/meeting-notes").rglob("*plain*"))
    with closing(open_index(root / "runtime/manifests/render-index.sqlite")) as index:
        assert index.find("meeting_notes", "note-0001-plain") is None


def test_an_unreadable_list_of_purged_records_stops_the_export(workspace: Workspace) -> None:
    workspace.purge(ONE)
    root, _ = workspace.bench.hydrate(workspace.bench.store())
    (root / suppression.PATH).write_bytes(b"{}")
    with pytest.raises(SnapshotRefused, match="not a list of suppressed records"):
        export_and_render(run_of(root, workspace.server, number=6))


def test_what_a_paused_run_writes_after_the_purge_is_swept_later(workspace: Workspace) -> None:
    workspace.purge(ONE)
    for late in (paths.answer(USER, "e" * 64), paths.paid_readings(USER, "model-1", "e" * 64)):
        workspace.bench.blobs.write(late, SECRET.encode(), if_generation=None)
    note = late_writers.noted(workspace.bench.store().of(USER))
    assert note is not None
    assert (note.why, note.seq) == ("purge", 3)
    workspace.bench.clock.advance(late_writers.HORIZON.total_seconds())
    assert [owed.user_id for owed in late_writers.owed(workspace.bench.blobs)] == [USER]
    store, clock = workspace.bench.store(), workspace.bench.clock
    locks = Locks(ConditionalWriter(workspace.bench.blobs, clock), clock, lambda: "second sweep", Lease())
    with Exclusive(locks, store, "operator", threads=False).hold(USER, "sweep") as hold:
        assert late_writers.sweep(store.of(USER), hold).due is None
    assert workspace.objects_with((SECRET.encode(),)) == []
    assert late_writers.noted(store.of(USER)) is None
    workspace.sound()


def test_a_whole_source_goes(workspace: Workspace) -> None:
    done = workspace.purge(Selection(source="meeting_notes"))
    assert done.records == 2
    assert workspace.objects_with((b"merger with", OTHER.encode(), b"note-0001-plain")) == []
    workspace.sound()


def test_purging_what_is_not_there_makes_no_commit(workspace: Workspace) -> None:
    done = workspace.purge(Selection(frozenset({("meeting_notes", "no-such-record")})))
    assert done.commit is None
    head = workspace.bench.store().of(USER).read_head()
    assert head is not None
    assert head.seq == 3


def test_a_blanked_file_keeps_its_mode(workspace: Workspace) -> None:
    store = workspace.bench.store()
    root, hydrated = workspace.bench.hydrate(store)
    [raw] = [path for path in (root / "runtime/exports").rglob("meeting_notes*.jsonl") if job_id(1) in str(path)]
    raw.chmod(0o444)
    workspace.bench.commit(store, root, hydrated.base, "job-4", epoch=9)
    before = History(workspace.bench.store().of(USER)).tree().entries
    workspace.purge(ONE)
    after = History(workspace.bench.store().of(USER)).tree().entries
    path = raw.relative_to(root).as_posix()
    assert after[path].digest != before[path].digest
    assert (before[path].mode, after[path].mode) == (0o444, 0o444)


def test_the_evidence_index_is_built_anew_without_the_purged_records(workspace: Workspace) -> None:
    def search_for(asked: str) -> list[search.Passage]:
        root, _ = workspace.bench.hydrate(workspace.bench.store())
        with search.EvidenceIndex(root / SEARCH_INDEX) as index:
            passages = index.search(asked)
        shutil.rmtree(root)
        return passages

    assert any(passage.record_id == SECRET_ID for passage in search_for("merger Harbor"))
    workspace.purge(ONE)
    # It can be searched at once, not only after the next run.
    assert search_for("revised budget weekly review")[0].record_id == "note-0001-plain"
    for asked in ("merger", "ninth", "nobody outside this room"):
        assert not any(passage.record_id == SECRET_ID or "merger" in passage.text for passage in search_for(asked))
    with closing(sqlite3.connect(":memory:")) as database:
        root, _ = workspace.bench.hydrate(workspace.bench.store())
        database.deserialize((root / SEARCH_INDEX).read_bytes())
        database.execute("create virtual table temp.terms using fts5vocab(main, words, row)")
        terms = {term for (term,) in database.execute("select term from terms")}
    assert {"budget", "thursdai"} <= terms
    assert terms.isdisjoint({"merger", "ninth"})
    # No older commit has an index any more: those held the words.
    history = History(workspace.bench.store().of(USER))
    assert [SEARCH_INDEX in history.tree(seq).entries for seq in (1, 2, 3, 4)] == [False, False, False, True]


def test_two_records_of_a_page_called_all_cost_nothing_else(tmp_path: Path) -> None:
    """Their page goes by the name of a word that every other page has too."""
    world = erasing.World(tmp_path)
    for number in range(12):
        world.put(("meeting_notes", f"note-{number:04d}"), "We are all here", "Ann Lee")
    for number in range(2):
        world.put(("feedback", f"opinion-{number:04d}"), "all", "")
    last = world.job("backfill_digest")
    before = world.files(last)
    index = open_index_rows(before[RENDER_INDEX])
    done = world.purge(Selection(source="feedback"))
    assert done.records == 2
    lost = before.keys() - world.files(last).keys()
    assert {path for path in lost if "sources" in path} == {"brain/sources/cloop/feedback/all.md"}
    left = world.files(last + 1)
    assert open_index_rows(left[RENDER_INDEX]) == index - {("feedback", "opinion-0000"), ("feedback", "opinion-0001")}
    world.job()
    world.verify()


def test_words_that_every_page_or_template_says_are_nobodys(tmp_path: Path) -> None:
    """A record that quotes what rendering or a template writes on each page: these pages are no trace of it."""
    world = erasing.World(tmp_path)
    given = (erasing.TEMPLATES / "v1/brain/RESOLVER.md").read_text()
    quoting = ("meeting_notes", "note-0001")
    world.put(quoting, "Quoting", "Ann Lee", f"{pages.NOTICE} {given}")
    world.put(("meeting_notes", "note-0002"), "Other", "Ann Lee")
    last = world.job("backfill_digest")
    before = world.files(last)
    purged = frozenset({quoting})
    world.purge(Selection(purged))
    sought = erasing.traces(world, purged)
    erasing.require_no_collateral(world, {last: before}, sought, purged)
    erasing.require_gone(world, sought)
    assert world.pages(last + 1) == world.fresh(last, purged)
    assert world.files(last + 1)["brain/RESOLVER.md"].decode() == given


class Lenient:
    """A judge that finds everything supported."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def judge(self, questions: Sequence[Question], tags: ModelTags, spent: Usage, limit_s: float) -> Judgement:
        self.asked += [question.claim for question in questions]
        return Judgement(["supported"] * len(questions))


def test_no_ruling_on_a_claim_about_a_purged_record_is_left(tmp_path: Path) -> None:
    """A digest without a key is nobody's only until somebody guesses the words, and no ruling says whose it is."""
    world = erasing.World(tmp_path)
    keys = [("meeting_notes", f"note-{number:04d}") for number in (1, 2)]
    for key in keys:
        world.put(key, "Harbor", "Ann Lee")
    world.job("backfill_digest")
    texts = [" ".join(world.versions[key][0][1]) for key in keys]
    questions = [Question(f"Ann says: {text}", (("sources/cloop/x", text),)) for text in texts]
    store = world.bench.store(templates=erasing.TEMPLATES)
    root, hydrated = world.bench.hydrate(store)
    run = run_of(root, world.server)
    assert set(Judging(run, OpenGuard()).rulings(Lenient(), questions)) == {question.key for question in questions}
    store.of(USER).persist(root, hydrated.base, world.bench.meta("job-2"), Free())
    world.states[2] = world.states[1]

    def stored(question: Question) -> list[str]:
        return [name for name, data in world.texts() if question.key.encode() in data]

    assert all(stored(question) for question in questions)
    world.purge(Selection(frozenset({keys[0]})))
    assert [stored(question) for question in questions] == [[], []]
    world.verify()
    root, _ = world.bench.hydrate(store)
    judge = Lenient()
    Judging(run_of(root, world.server), OpenGuard()).rulings(judge, questions[1:])
    assert judge.asked == [questions[1].claim], "what stays is asked once more, and nothing else is lost by it"


def open_index_rows(data: bytes) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(data)
        return set(database.execute("select source, record_id from records").fetchall())


def test_what_a_restore_left_in_older_commits_alone_is_found_there(tmp_path: Path) -> None:
    world = erasing.World(tmp_path)
    world.put(("meeting_notes", "note-0001"), "First", "Ann Lee")
    world.job("backfill_digest")
    gone, beside = ("meeting_notes", "note-0002"), ("meeting_notes", "note-0003")
    world.put(gone, "Second", "Ann Lee")
    world.put(beside, "Third", "Ann Lee")
    world.job()
    world.restore(1)
    assert not [path for path in world.files(3) if job_id(2) in path]
    sought = erasing.traces(world, frozenset({gone}))
    assert world.purge(Selection(frozenset({gone}))).records == 1
    erasing.require_gone(world, sought)
    world.verify()
    # And what lay beside it in the same raw file can be restored.
    erasing.require_restorable(world, 2, sought, frozenset({gone}))


def a_world_with_a_damaged_older_pack(tmp_path: Path) -> tuple[erasing.World, dict[str, RecordKey], str]:
    """Commit 2 was left by a restore to 1, and its pack, which HEAD does not read, is damaged: the pack's name."""
    world = erasing.World(tmp_path)
    keys = {name: ("meeting_notes", f"note-{name}-0001") for name in ("first", "second", "third")}
    world.put(keys["first"], "First", "Ann Lee")
    world.job("backfill_digest")
    before = set(world.bench.blobs.names(f"users/{USER}/packs/"))
    world.put(keys["second"], "Second", "Ann Lee")
    world.job()
    (name,) = set(world.bench.blobs.names(f"users/{USER}/packs/")) - before
    world.restore(1)
    world.put(keys["third"], "Third", "Ann Lee")
    world.job()
    blob = world.bench.blobs.read(name)
    world.bench.blobs.write(name, b"?" + blob.data[1:], if_generation=None)
    return world, keys, name


def test_a_damaged_older_pack_stops_a_purge_unless_it_may_go_with_it(tmp_path: Path) -> None:
    world, keys, damaged = a_world_with_a_damaged_older_pack(tmp_path)
    purged = frozenset({keys["first"]})
    sought = erasing.traces(world, purged)
    head = world.looking.of(USER).read_head()
    with pytest.raises(SnapshotIncomplete, match="packs/"):
        world.purge(Selection(purged))
    after = world.looking.of(USER).read_head()
    assert head is not None
    assert after is not None
    assert after.commit == head.commit, "what cannot be looked into is not taken without a word"
    done = world.purge(Selection(purged), drop_unreadable=True)
    assert done.records == 1
    assert done.unreadable_entries > 0
    erasing.require_gone(world, sought)
    # The damaged pack goes too: what of it can be read by other means may be what was purged.
    assert world.bench.blobs.peek(damaged) is None
    assert not [path for path in world.files(2) if f"{renderers.mark(*keys['second'])}.md" in path]
    world.verify()
    assert world.pages(5) == world.fresh(4, purged)
    erasing.require_restorable(world, 4, sought, purged)
    world.job()
    world.verify()


def test_a_purge_takes_an_archive_at_once_and_only_if_it_takes_records(tmp_path: Path) -> None:
    """What a reset set aside cannot be rewritten, and may hold what is purged."""
    world = erasing.World(tmp_path)
    world.put(("meeting_notes", "note-0001"), "First", "Ann Lee")
    world.job("backfill_digest")
    aside = paths.archive(USER, "20260301T000000000000Z") + "packs/" + "a" * 64
    world.bench.blobs.write(aside, b"of before", if_generation=None)
    assert world.purge(Selection(source="feedback")).commit is None
    assert world.bench.blobs.peek(aside) is not None
    world.purge(Selection(source="meeting_notes"))
    assert world.bench.blobs.peek(aside) is None


def test_a_purge_that_matches_nothing_drops_nothing_unreadable(tmp_path: Path) -> None:
    world, *_ = a_world_with_a_damaged_older_pack(tmp_path)
    names = world.bench.blobs.names(f"users/{USER}/packs/")
    done = world.purge(Selection(source="feedback"), drop_unreadable=True)
    assert done.commit is None
    assert world.bench.blobs.names(f"users/{USER}/packs/") == names


def test_what_head_needs_is_never_dropped(tmp_path: Path) -> None:
    world = erasing.World(tmp_path)
    key = ("meeting_notes", "note-0001")
    world.put(key, "First", "Ann Lee")
    world.job("backfill_digest")
    for name in world.bench.blobs.names(f"users/{USER}/packs/"):
        world.bench.blobs.write(name, b"damaged", if_generation=None)
    with pytest.raises(SnapshotIncomplete):
        world.purge(Selection(frozenset({key})), drop_unreadable=True)
    head = world.looking.of(USER).read_head()
    assert head is not None
    assert head.seq == 1


def test_broken_records_without_an_id_are_no_record(tmp_path: Path) -> None:
    """Earlier versions wrote a line with an empty id for each of them; now a line says how many there are."""
    world = erasing.World(tmp_path)
    for number in range(2):
        world.put(("feedback", f"opinion-{number:04d}"), "all", "")
    world.job("backfill_digest")
    store = world.bench.store(templates=erasing.TEMPLATES)
    root, workspace = world.bench.hydrate(store)
    (folder,) = (root / "runtime/exports").glob(f"*/{job_id(1)}")
    lines = [
        {"source_key": "feedback", "record_id": "", "reason": "no id can be read"},
        {"source_key": "feedback", "records": 2, "reason": "no id can be read"},
        {"source_key": "feedback", "record_id": "broken-0001", "reason": "data: ValueError"},
    ]
    (folder / "refused.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    store.of(USER).persist(root, workspace.base, world.bench.meta("job-2"), Free())
    world.states[2] = world.states[1]
    assert world.purge(Selection(source="feedback")).records == 3
    (left,) = [data for path, data in world.files(3).items() if path.endswith("refused.jsonl")]
    assert [json.loads(line).get("records") for line in left.splitlines()] == [None, 2, None]
    assert b"broken-0001" not in left
    assert not world.suppressions().read(USER).hides("feedback", "")
    world.verify()


def test_a_quotation_is_found_where_a_large_file_is_cut(tmp_path: Path) -> None:
    world = erasing.World(tmp_path)
    key = ("meeting_notes", "note-0001")
    world.put(key, "First", "Ann Lee")
    world.put(("meeting_notes", "note-0002"), "Second", "Ann Lee")
    store = world.looking
    first = world.job("backfill_digest")
    words = " ".join(world.versions[key][0][1])
    root, workspace = world.bench.hydrate(store)
    padding = "x" * 60 + "\n"
    text = (padding * (BLOCK_BYTES // len(padding) + 1))[: BLOCK_BYTES - 20] + f" {words} " + padding * 2500
    (root / "brain/large.md").write_text(text)
    store.of(USER).persist(root, workspace.base, world.bench.meta("job-2"), Free())
    world.states[first + 1] = world.states[first]
    world.purge(Selection(frozenset({key})))
    erasing.require_gone(world, erasing.traces(world, frozenset({key})))
    world.verify()


def test_an_abandoned_statement_goes_with_what_it_cites(tmp_path: Path) -> None:
    """In its own words, and citing two records: one of them is enough."""
    world = erasing.World(tmp_path)
    purged, stays = ("checklist_items", "task-0001"), ("checklist_items", "task-0002")
    world.put(purged, "one", "Ann Lee")
    world.put(stays, "two", "Ann Lee")
    world.job("backfill_digest", [purged, stays])
    world.purge(Selection(frozenset({purged})))
    report = json.loads(world.files(2)["runtime/reports/digest/001.json"])
    (statement,) = report["sections"]["themes"]
    assert statement["text"] == " ".join(world.versions[stays][0][1])
    page = world.files(2)["brain/reports/digest/001.md"].decode()
    # The statement that cites both, the purged words alone, and the purged id.
    assert page.count("- [purged]") == 3
    assert "as told" not in page
    assert "Nothing else." in page


@pytest.mark.parametrize("damage", ["raw file", "page"])
def test_a_restore_that_cannot_be_whole_changes_nothing(tmp_path: Path, damage: str) -> None:
    world = erasing.World(tmp_path)
    for number in range(3):
        world.put(("meeting_notes", f"note-{number:04d}"), "First", "Ann Lee")
        world.job("hourly_digest")
    world.purge(Selection(frozenset({("meeting_notes", "note-0002")})))
    head = world.looking.of(USER).read_head()
    assert head is not None
    reader = History(world.looking.of(USER)).reader(2)
    suffix = ".jsonl" if damage == "raw file" else ".md"
    (entry,) = [e for path, e in reader.tree.entries.items() if job_id(2) in path and path.endswith(suffix)][:1] or [
        next(e for path, e in reader.tree.entries.items() if "note-" not in path and path.endswith(".md"))
    ]
    pack = places((*world.looking.of(USER).load().packs,))[entry.contents[0][:32]].pack
    name = paths.pack(USER, pack)
    blob = world.bench.blobs.read(name)
    world.bench.blobs.write(name, b"?" + blob.data[1:], if_generation=None)
    with pytest.raises(RestoreRefused):
        world.restore(2)
    after = world.looking.of(USER).read_head()
    assert after is not None
    assert (after.seq, after.commit) == (head.seq, head.commit)


def test_what_a_bucket_of_before_the_purge_brings_back_is_purged_by_its_suppression(tmp_path: Path) -> None:
    world = erasing.World(tmp_path)
    purged = frozenset({("meeting_notes", "note-0001"), ("feedback", "17")})
    for key in (*sorted(purged), ("meeting_notes", "note-0002"), ("feedback", "18")):
        world.put(key, "First", "Ann Lee")
    world.job("hourly_digest", [("meeting_notes", "note-0001")])
    world.job()
    sought = erasing.traces(world, purged)
    assert world.purge(Selection(suppressed=world.suppressions().read(USER))).records == 0
    backup = dict(world.bench.blobs._bucket.objects)
    world.purge(Selection(purged))
    world.bench.blobs._bucket.objects.clear()
    world.bench.blobs._bucket.objects.update(backup)
    known = world.suppressions().read(USER)
    assert world.purge(Selection(source="feedback", suppressed=known)).records == 1
    assert world.purge(Selection(suppressed=known)).records == 1
    erasing.require_gone(world, sought)
    assert world.pages(4) == world.fresh(2, purged)
    world.verify()


def test_a_refused_restore_names_a_commit_that_a_purge_took_entries_from(tmp_path: Path) -> None:
    world = erasing.World(tmp_path)
    for number in range(4):
        world.put(("meeting_notes", f"note-{number:04d}"), "First", "Ann Lee")
        world.job("hourly_digest")
    world.purge(Selection(frozenset({("meeting_notes", "note-0003")})))
    assert all(History(world.looking.of(USER)).tree(seq).erased for seq in range(1, 5))
    snapshot = History(world.looking.of(USER)).at(2)
    alone = {entry.digest: path for path, entry in History(world.looking.of(USER)).tree(1).entries.items()}
    lost = next(entry for entry in snapshot.tree.entries.values() if entry.size > 0 and entry.digest not in alone)
    name = paths.pack(USER, snapshot.places()[lost.contents[0][:32]].pack)
    world.bench.blobs.write(name, b"damaged", if_generation=None)
    with pytest.raises(RestoreRefused) as caught:
        world.restore(2)
    assert name in str(caught.value)
    named = re.search(r"the nearest complete commit is (\d+)", str(caught.value))
    assert named is not None
    assert int(named[1]) in {1, 3, 4}
    world.restore(int(named[1]))


@pytest.mark.properties
@pytest.mark.timeout(600 if EXHAUSTIVE else 300)
def test_a_restore_after_a_purge_may_die_anywhere_and_be_called_again(tmp_path: Path) -> None:
    world = erasing.World(tmp_path)
    purged = ("meeting_notes", "note-0000")
    for number in range(3):
        world.put(("meeting_notes", f"note-{number:04d}"), "First", "Ann Lee")
        world.job("hourly_digest", [purged])
    sought = erasing.traces(world, frozenset({purged}))
    world.purge(Selection(frozenset({purged})))
    contents = dict(world.bench.blobs._bucket.objects)
    world.bench.blobs._bucket.ops.clear()
    world.restore(2)
    writes = [op.number for op in world.bench.blobs.ops if op.verb in {"write", "delete"}]
    for number in writes if EXHAUSTIVE else writes[1::4]:
        world.bench.blobs._bucket.objects.clear()
        world.bench.blobs._bucket.objects.update(contents)
        world.bench.blobs._bucket.ops.clear()
        with pytest.raises(Killed):
            world.restore(2, Faults().kill(number, after=True))
        world.verify()
        erasing.require_restorable(world, 2, sought, frozenset({purged}))


@pytest.mark.properties
@pytest.mark.timeout(600 if EXHAUSTIVE else 300)
def test_a_purge_may_die_anywhere_and_be_called_again(workspace: Workspace) -> None:
    contents = dict(workspace.bench.blobs._bucket.objects)
    workspace.bench.blobs._bucket.ops.clear()
    selection = ONE
    workspace.purge(selection)
    writes = [op.number for op in workspace.bench.blobs.ops if op.verb in {"write", "delete"}]
    assert len(writes) > 20
    for number in writes if EXHAUSTIVE else writes[2::6]:
        workspace.bench.blobs._bucket.objects.clear()
        workspace.bench.blobs._bucket.objects.update(contents)
        workspace.bench.blobs._bucket.ops.clear()
        with pytest.raises(Killed):
            workspace.purge(selection, Faults().kill(number, after=True))
        workspace.bench.hydrate(workspace.bench.store())
        workspace.sound()
        workspace.bench.clock.advance(200)
        workspace.purge(selection)
        assert workspace.objects_with((SECRET_ID.encode(), b"merger with")) == []
        workspace.sound()


def test_a_purge_takes_the_marks_of_what_was_told_and_leaves_the_others(tmp_path: Path) -> None:
    world = Workspace(tmp_path)
    store = world.bench.store()
    root, workspace = world.bench.hydrate(store)
    marks = [
        Mark(key="aaaa1111", stage="due", rests_on=(record_digest("meeting_notes", SECRET_ID),)),
        Mark(key="bbbb2222", is_told=False, rests_on=(record_digest("meeting_notes", "note-0001-plain"),)),
    ]
    (root / layout.TOLD).write_bytes(ToldLedger({mark.key: mark for mark in marks}, daily="2026-03-05").encode())
    world.bench.commit(store, root, workspace.base, "job-4", epoch=4)
    store.close()
    world.purge(ONE)
    history = History(world.bench.store().of(USER))
    ledger = toldledger.parse(history.read(layout.TOLD))
    assert (ledger.marks, ledger.daily) == ({"bbbb2222": marks[1]}, "2026-03-05")
    assert layout.TOLD not in history.tree(4).entries, "an older commit loses the file as a whole"
