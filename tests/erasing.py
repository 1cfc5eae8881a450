"""Random workspaces with a history, a random selection of records, and what has to be true once they are purged.

Each version of a record has words that no other text has, so that whether a file holds anything of it can be told
without the code under test. One number makes one case; ``check`` raises AssertionError for a case that breaks a rule
of docs/erasure.md.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import shutil
import sqlite3
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import zstandard

import manifests
import renderers
from consumer import layout, paths
from consumer.clients.signing import Ed25519Signer
from consumer.erasure import matching, restore_erased
from consumer.erasure.forget import Forget
from consumer.erasure.matching import RecordKey
from consumer.erasure.purge import Announce, Purge, Purged
from consumer.erasure.selecting import Selection
from consumer.erasure.suppressions import Suppressions
from consumer.evidence.index import open_index
from consumer.locking.exclusive import Exclusive
from consumer.locking.lease import Lease
from consumer.locking.lock import Locks
from consumer.maintenance.restore import restore
from consumer.maintenance.verify import Verification
from consumer.repository import packs
from consumer.repository.history import History
from consumer.repository.workspace import WorkspaceStore
from consumer.snapshot.chain import CommitMeta
from consumer.snapshot.snapshot import FOLDER
from consumer.stages.render import Render
from consumer.storage.conditional import ConditionalWriter
from consumer.storage.memory import Fault, MemorySuppressions, no_fault
from contract.api import CommitRef
from contract.derived import split
from contract.records import record_digest
from renderers import markdown
from tests.copies import copied_without
from tests.fake_export import FakeExport, Row, export_and_render, job_id, run_of
from tests.noting import OpensNotesAll
from tests.unit.repository.workspaces import PEM, USER, Bench, Free

#: A template of few folders: most of a small case would be making and removing the real one's.
TEMPLATES: Final = Path(__file__).parent / "data" / "templates"
DAY: Final = datetime(2026, 3, 5, 15, 0, tzinfo=UTC)
#: Titles that occur everywhere as words, that say nothing, or that look like something else.
TITLES: Final = [
    "all",
    "All",
    "Ann",
    "plan",
    "undated",
    "2026-03-05",
    "daily",
    "Übung",
    "张伟",
    "[x](all.md)",
    "",
    "r-all",
    'C:\\notes\\"new" <b>',
    "https://news.example/a?b=%20c#d",
    "\u05e9\u05dc\u05d5\u05dd \u202bABC\u202c \u0645\u0631\u062d\u0628\u0627",
    "👩‍👩‍👧 party 🎉",
    "first line\nsecond line",
    "- [ ] # `x` | *y* & __z__ &amp; ~~",
    "long " * 60,
]
PEOPLE: Final = [
    *("Ann", "Ann Lee", "ANN LEE", "Bob", "Zoë Ray", "张伟", ""),
    *("ann.lee@example.com", 'Bob "B\\n" Ray', "دانا\u200f", "Ann\nLee", "🦄", "Ann%20Lee"),
]
#: Said by several records: no trace of one as long as another that stays says it too.
SHARED: Final = [
    "we meet again next week at the usual place near the river",
    "Please send the signed copy to the office before noon on Friday",
    "nothing new here, but thank you all for asking so kindly",
]
#: Ids that begin like others, that other sources have too, that are words, numbers, or not ASCII.
IDS: Final = [
    *("note-4711", "note-47110", "note-4711-b", "NOTE-4711", "17", "170", "all", "Ann", "straße-001", "STRASSE-001"),
    *("evt:2026:0001", "evt:2026:00012", "0b8a7f0e-5c1d-4c55-9d55-0f6d2f3f1a01", "zażółć_gęślą_7", "preferences"),
    *("https://mail.example/u/0/#inbox/4711", "https://mail.example/u/0/#inbox/47112", "msg%3Cab.1%40x.example%3E"),
    *('urn:x:"q"-00001', "C:\\news\\tab\\00001", "C:\\news\\tab\\00002", "back\\slash-at-end-1\\", "<tag-0001>&amp;"),
    *("\u05de\u05e1\u05de\u05da-0001", "abc\u202edef-0001", "🎉party-0001🎉", "two\nlines-0001", "two  words\t-0001"),
    *("`code`-[0001](x.md)", "long/" + "0123456789abcdef " * 20 + "end", "X" * 1000 + "1", "X" * 1000 + "2"),
    *("../../../etc/passwd-0001", "a;b--c'd-0001", "*.0001_ _x_", "#r-0001"),
]
#: What stands between the own words of a text: they are these words whatever the signs around them are.
BETWEEN: Final = [
    " ",
    " ",
    "\n",
    "\t",
    "  ",
    '" "',
    "\\",
    "\\n ",
    " \u202b",
    "\u200b ",
    "🎉",
    " <b>",
    " &amp; ",
    "%20",
    "/",
    " | ",
    "\r\n",
]


def _note(title: str, person: str, text: str) -> dict[str, Any]:
    return {"title": title, "meeting_started_at": DAY.isoformat(), "attendees": [person], "note_text": text}


def _item(title: str, person: str, text: str) -> dict[str, Any]:
    return {"title": title, "people": [person], "project": person, "description": text}


def _message(title: str, person: str, text: str) -> dict[str, Any]:
    return {"channel": "email", "thread_id": title[:4], "sender_name": person, "normalized_text": text}


def _feedback(title: str, person: str, text: str) -> dict[str, Any]:
    return {"kind": title, "message": text, "context": {"by": person}}


def _contact(title: str, person: str, text: str) -> dict[str, Any]:
    return {"display_name": person, "company": title, "summary": text}


def _edge(title: str, person: str, text: str) -> dict[str, Any]:
    return {"contact_id": IDS[len(title) % len(IDS)], "event_id": IDS[len(person)], "role": person, "note": text}


def _event(title: str, person: str, text: str) -> dict[str, Any]:
    return {"title": title, "source": person, "event_type": "mail", "project": title, "body": text}


SHAPES: Final = {
    "meeting_notes": _note,
    "checklist_items": _item,
    "inbound_messages": _message,
    "feedback": _feedback,
    "contacts": _contact,
    "event_contacts": _edge,
    "activity_events": _event,
}


def rerender() -> Forget:
    manifest = manifests.export_manifest()
    return Forget(Render(manifest, open_index))


@dataclass
class World:
    """One bucket with one user's workspace, the tables it is read from, and all that was ever read of them."""

    tmp: Path
    bench: Bench = field(init=False)
    server: FakeExport = field(default_factory=FakeExport)
    mirror: MemorySuppressions = field(default_factory=MemorySuppressions)
    #: Every version of every record that was read: key -> [(data, its own words)].
    versions: dict[RecordKey, list[tuple[dict[str, Any], list[str]]]] = field(default_factory=dict)
    #: When each record happened, as its newest version says.
    happened: dict[RecordKey, datetime] = field(default_factory=dict)
    #: Commit -> the tables as they were read.
    states: dict[int, dict[str, dict[str, Row]]] = field(default_factory=dict)
    #: Commit -> the files of the job's folder.
    kept: dict[int, dict[str, bytes]] = field(default_factory=dict)
    changed_s: int = 0
    jobs: int = 0
    words: int = 0

    def __post_init__(self) -> None:
        self.bench = Bench(self.tmp)
        self.looking = self._store()

    def __deepcopy__(self, memo: dict[int, Any]) -> World:
        return copied_without(self, memo, looking=lambda made: made._store())

    def _store(self, fault: Fault = no_fault) -> WorkspaceStore:
        return self.bench.store(fault, templates=TEMPLATES)

    # --- what happens in it

    def put(self, key: RecordKey, title: str, person: str, shared: str = "", *, bare: bool = False) -> None:
        """A record, or a new version of it; ``bare``: without a word of its own, so that only its marks tell it."""
        self.words += 1
        own = [] if bare else [f"zq{self.words}{letter}" for letter in "abcdefgh"]
        named = f"{title} {own[0]}" if own and self.words % 3 else title
        between = BETWEEN[self.words % len(BETWEEN)]
        data = SHAPES[key[0]](named, person, between.join(own) + (f". {shared}" if shared else ""))
        self.changed_s += 1
        when = DAY + timedelta(hours=self.words % 40)
        self.server.put(key[0], key[1], Row(self.changed_s, when, data))
        self.versions.setdefault(key, []).append((data, own))
        self.happened[key] = when

    def delete(self, key: RecordKey) -> None:
        self.changed_s += 1
        self.server.delete(*key, self.changed_s)

    def job(
        self, job_type: str = "hourly_digest", quoted: list[RecordKey] | None = None, fault: Fault = no_fault
    ) -> int:
        """One job as the pipeline runs it, with what an agent leaves behind; -> its commit."""
        self.jobs += 1
        store = self._store(fault)
        root, workspace = self.bench.hydrate(store)
        run = run_of(root, self.server, job_type, self.jobs, allowed_sources=tuple(SHAPES))
        known = {"base": workspace.base, "cursors": workspace.cursors, "suppressed": self.suppressions().read(USER)}
        run = export_and_render(type(run)(**{**_fields(run), **known}), by_model=OpensNotesAll())
        self._agent(root, quoted or [])
        head = store.of(USER).read_head()
        meta = CommitMeta(
            job_id(self.jobs), 1, head.epoch if head else 1, job_type, "v1", self.bench.clock.now(), run.cursors
        )
        ref = store.of(USER).persist(root, workspace.base, meta, Free())
        self.kept[ref.seq] = {
            path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
        }
        self.states.setdefault(ref.seq, {source: dict(rows) for source, rows in self.server.rows.items()})
        for path in sorted((root / "brain/reports/digest").glob("*.md")):
            store.of(USER).publish(ref.seq, [path.relative_to(root).as_posix()])
        beside = (paths.answer(USER, f"{self.jobs:064x}"), paths.paid_readings(USER, "model-1", f"{self.jobs:064x}"))
        for name in beside:
            self.bench.blobs.write(name, json.dumps(self._said(quoted or [])).encode(), if_generation=None)
        store.close()
        shutil.rmtree(root)
        return ref.seq

    def _said(self, quoted: list[RecordKey]) -> list[str]:
        return [" ".join(self.versions[key][-1][1]) for key in quoted]

    def _agent(self, root: Path, quoted: list[RecordKey]) -> None:
        """A report of statements, notes, a concept, a brain and a session: each quotes or cites these records."""
        places: list[tuple[str, str, str, str, str]] = []
        with closing(open_index(root / layout.RENDER_INDEX)) as index:
            for key in quoted:
                record = index.find(*key)
                data, words = self.versions[key][-1]
                source = max(matching.texts_of(data), key=lambda text: text.count("zq"), default="")
                places += [(record.page, record.anchor, " ".join(words), source, key[1])] if record else []
        lines, statements = [], []
        for number, (page, anchor, text, source, record_id) in enumerate(places):
            link = f"../../{page}#{anchor}" if anchor else f"../../{page}"
            # Every second statement is in words of its own, and says only by its citation what it rests on.
            own = [*text.split(), "it", "is"]
            sentence = text if number % 2 else f"{own[0]} as told"
            lines.append(f"- {sentence}\n  - [there]({link}): “{own[1]}”")
            if own[2:-2]:
                # In the signs of the record itself, as it stands between its own words.
                lines.append(f"- {markdown.inline(source, len(source))}")
            lines.append(f"- named: {markdown.inline(record_id, len(record_id))}")
            cited = {
                "id": record_id,
                "page": page.removesuffix(".md"),
                "anchor": anchor or None,
                "quote": own[1],
                "all": source,
            }
            statements.append({"text": sentence, "citations": [cited]})
        name = f"{self.jobs:03d}"
        report = '---\ntitle: "Report"\ntype: "report"\n---\n\n# Report\n\nNothing else.\n\n' + "\n".join(lines)
        _write(root / f"brain/reports/digest/{name}.md", report + "\n")
        document = {"sections": {"themes": statements}, "job": self.jobs}
        _write(root / f"runtime/reports/digest/{name}.json", json.dumps(document))
        _write(root / "brain/concepts/plan.md", "# Plan\n\n" + "\n".join(lines) + "\n")
        for person in sorted((root / "brain/people").glob("*.md"))[:2]:
            above, below = split(person.read_text())
            _write(person, f"{above}\n\n{below}\n" + "\n".join(lines) + "\n")
        _write(root / "hermes-home/sessions/s.json", json.dumps(self._said(quoted)))
        with closing(sqlite3.connect(root / "gbrain-home/brain.sqlite")) as brain:
            brain.execute("create table if not exists pages (text)")
            brain.executemany("insert into pages values (?)", [(text,) for text in self._said(quoted)])
            brain.commit()

    def restore(self, seq: int, fault: Fault = no_fault) -> CommitRef:
        store, locks = self._writer(fault)
        with Exclusive(locks, store, "operator", threads=False).hold(USER, "restore") as hold:
            compose = restore_erased.composer(store.of(USER), rerender(), hold)
            ref = restore(store.of(USER), seq, "back", hold, compose=compose)
        self.states[ref.seq] = self.states[seq]
        store.close()
        return ref

    def purge(
        self,
        query: Selection,
        fault: Fault = no_fault,
        announce: tuple[Announce, ...] = (),
        *,
        drop_unreadable: bool = False,
    ) -> Purged:
        store, locks = self._writer(fault)
        with Exclusive(locks, store, "operator", threads=False).hold(USER, "purge") as hold:
            suppressions = self.suppressions(fault)
            purge = Purge(store.of(USER), query, "asked by the person", hold, rerender(), suppressions, announce)
            purge.drop_unreadable = drop_unreadable
            done = purge.run()
        if done.commit:
            self.states[done.commit.seq] = self.states[done.commit.seq - 1]
        store.close()
        return done

    def _writer(self, fault: Fault) -> tuple[WorkspaceStore, Locks]:
        ids = itertools.count(len(self.bench.blobs.ops) * 1000)
        blobs, clock = self.bench.blobs.as_seen_by(fault), self.bench.clock
        clock.advance(200)
        return self._store(fault), Locks(ConditionalWriter(blobs, clock), clock, lambda: f"id-{next(ids)}", Lease())

    def suppressions(self, fault: Fault = no_fault) -> Suppressions:
        blobs = self.bench.blobs.as_seen_by(fault)
        return Suppressions(lambda _user: blobs, self.mirror, self.bench.clock, self.bench.entropy)

    # --- what it holds

    def verify(self) -> None:
        made = Verification(self.bench.blobs, Ed25519Signer(PEM), self.bench.clock, USER, Free())
        assert made.run().ok, made.report.faults

    def files(self, seq: int) -> dict[str, bytes]:
        """Path -> bytes of every file of a commit."""
        reader = History(self.looking.of(USER)).reader(seq)
        files = [entry for entry in reader.tree.entries.values() if entry.size != FOLDER]
        contents = {
            digest: bytes(data) for digest, data in reader.contents(d for entry in files for d in entry.contents)
        }
        return {entry.path: b"".join(contents[digest] for digest in entry.contents) for entry in files}

    def pages(self, seq: int) -> dict[str, str]:
        return rendered({path: data for path, data in self.files(seq).items() if path.endswith(".md")})

    def fresh(self, seq: int, without: frozenset[RecordKey]) -> dict[str, str]:
        """The pages of a new workspace over the tables as a commit read them, without these records."""
        server = FakeExport()
        for source, rows in self.states[seq].items():
            for record_id, row in rows.items():
                if row.data is not None and (source, record_id) not in without:
                    server.put(source, record_id, row)
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            export_and_render(run_of(root, server, "backfill_digest", allowed_sources=tuple(SHAPES)))
            return rendered({f"{path.relative_to(root)}": path.read_bytes() for path in (root / "brain").rglob("*.md")})

    def texts(self) -> Iterator[tuple[str, bytes]]:
        """(object, bytes) of everything in the bucket, unpacked."""
        for name, (_, data) in self.bench.blobs.contents().items():
            for part in unpacked(name, data):
                yield name, part


@dataclass(frozen=True)
class Traces:
    """What shows that a file holds something of purged records: words, marks, and ids that no other record names."""

    pattern: re.Pattern[bytes]
    ids: re.Pattern[bytes] | None

    def within(self, data: bytes, *, ids: bool = True) -> str:
        """The first trace; "": none. An id counts in each of the writings of ``writings``."""
        match = self.pattern.search(data)
        if match is None and ids and self.ids is not None:
            match = self.ids.search(data)
        return match[0].decode() if match else ""


def traces(world: World, purged: frozenset[RecordKey]) -> Traces:
    staying = [(key, data) for key, versions in world.versions.items() if key not in purged for data, _ in versions]
    names = {text for key, data in staying for text in (key[1], *matching.texts_of(data))}
    stays = "\n".join(form for name in names for form in writings(name))
    words = [word for key in purged for _, own in world.versions[key] for word in own]
    marks = [stand_in for key in purged for stand_in in (renderers.mark(*key), record_digest(*key))]
    purged_text = json.dumps([data for key in purged for data, _ in world.versions[key]])
    alone = [text for text in SHARED if text in purged_text and text not in stays]
    ids = [
        re.escape(form)
        for _, record_id in purged
        if len(record_id) >= 8 and not record_id.isalpha()
        for form in sorted(writings(record_id))
        if not re.search(_alone(re.escape(form)), stays)
    ]
    return Traces(
        re.compile("|".join([*(rf"{word}\b" for word in words), *marks, *map(re.escape, alone)]).encode()),
        re.compile(_alone(f"(?:{'|'.join(ids)})").encode()) if ids else None,
    )


def writings(text: str) -> set[str]:
    """A text as something of this system may write it: as it is, on a page, in front matter, and each inside JSON."""
    plain = {text, markdown.inline(text, len(text)), markdown.quoted(text)[1:-1]}
    return plain | {json.dumps(form, ensure_ascii=ascii_only)[1:-1] for form in plain for ascii_only in (True, False)}


def _alone(pattern: str) -> str:
    return rf"(?<![\w-]){pattern}(?![\w-])"


def rendered(files: dict[str, bytes]) -> dict[str, str]:
    """What records alone say: evidence, and of pages that rendering shares with synthesis what is above the marker."""
    shared = ("brain/people/", "brain/projects/", "brain/meetings/", "brain/daily/")
    commits = {}
    for path, data in files.items():
        text = data.decode()
        if path.startswith(f"{layout.EVIDENCE}/"):
            commits[path] = text
        elif path.startswith(shared) and not is_orphan(text):
            commits[path] = split(text)[0]
    return {path: re.sub(r'(?m)^digest_job_id: ".*"$', "", text) for path, text in commits.items()}


def is_orphan(text: str) -> bool:
    """A page that no record speaks of any more, kept for the notes on it."""
    return "\nevidence_count: 0\n" in text


def unpacked(name: str, data: bytes) -> Iterator[bytes]:
    """An object, its name, and what is packed in it; databases as their own program shows them too.

    Compressed bytes count only unpacked: packed, they hold any word of four letters by chance, once in some thousand
    cases.
    """
    yield name.encode()
    if "/packs/" in name:
        offset = 0
        for frame in packs.directory(data, name.rpartition("/")[2]).frames:
            raw = packs.unpack(data[offset : offset + frame.stored], frame.raw, name)
            offset += frame.stored
            yield raw
            yield from _inside(raw)
    elif "/trees/" in name or "/index/" in name:
        yield zstandard.ZstdDecompressor().decompress(data, max_output_size=1 << 28)
    else:
        yield data


def _inside(raw: bytes) -> Iterator[bytes]:
    start = raw.find(b"SQLite format 3\0")
    if start >= 0:
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(raw[start:])
            try:
                yield "\n".join(database.iterdump()).encode()
            except sqlite3.DatabaseError:
                return  # a piece of one


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _fields(run: Any) -> dict[str, Any]:
    return {name: getattr(run, name) for name in run.__dataclass_fields__}


# --- a case ------------------------------------------------------------------------------------------------------


def a_world(rng: random.Random, tmp: Path) -> World:
    """Two or three jobs over a few records, sometimes with a restore and another between."""
    world = World(tmp)
    keys = sorted({(rng.choice(sorted(SHAPES)), rng.choice(IDS)) for _ in range(rng.randint(2, 9))})
    for number in range(rng.randint(2, 3)):
        for key in rng.sample(keys, rng.randint(1, len(keys))):
            if key in world.versions and rng.random() < 0.2:
                world.delete(key)
            else:
                shared = rng.choice(SHARED) if rng.random() < 0.5 else ""
                bare = rng.random() < 0.15
                world.put(key, rng.choice(TITLES), rng.choice(PEOPLE), "" if bare else shared, bare=bare)
        live = [key for key in keys if key in world.versions]
        world.job(
            "backfill_digest" if number == 0 else "hourly_digest", rng.sample(live, rng.randint(0, min(3, len(live))))
        )
        if number and rng.random() < 0.2:
            world.restore(rng.randint(1, max(world.states)))
            world.job()
    return world


def a_query(rng: random.Random, world: World) -> tuple[Selection, frozenset[RecordKey]]:
    """What is purged, and which records that has to be."""
    known = sorted(world.versions)
    if rng.random() < 0.25:
        source = rng.choice(known)[0]
        return Selection(source=source), frozenset(key for key in known if key[0] == source)
    for _ in range(12 if rng.random() < 0.5 else 0):
        query = Selection(
            source=rng.choice(known)[0] if rng.random() < 0.2 else None,
            about=rng.choice(some_words(rng, world)) if rng.random() < 0.4 else "",
            person=rng.choice(WHO) if rng.random() < 0.5 else "",
            before=(DAY + timedelta(days=rng.randint(1, 2))).date() if rng.random() < 0.2 else None,
        )
        meant = frozenset(key for key in known if is_meant(world, query, key))
        if query.selectors and meant:
            return query, meant
    chosen = frozenset(rng.sample(known, rng.randint(1, max(1, len(known) // 2))))
    return Selection(chosen), chosen


#: People to select by: names, an address, ids of contacts. None is both a name and an id.
WHO: Final = ["ann lee", "ANN  LEE", "Bob", "zoë ray", "ann.lee@example.com", "Ann Le", "17", "note-4711", "🦄", "دانا"]


def some_words(rng: random.Random, world: World) -> list[str]:
    """Words to select by: a record's own, a part of one (which is no word), and what several say."""
    own = [word for versions in world.versions.values() for _, words in versions for word in words] or ["none"]
    word, shared = rng.choice(own), rng.choice(SHARED).split()
    return [word, word.upper(), word[:-1], " ".join(shared[2:5]).title(), shared[-1], "Ann Lee", "next\nWEEK", "news"]


# --- the selectors as docs/erasure.md has them, by code of its own


def is_meant(world: World, query: Selection, key: RecordKey) -> bool:
    """Whether a record has to be selected; every selector that is given has to match."""
    versions = [data for data, _ in world.versions[key]]
    if query.source and key[0] != query.source:
        return False
    # By when it happened; these records all say when.
    if query.before and world.happened[key].date() >= query.before:
        return False
    # Each version is looked at by itself: words of one and a person of another are no record of both.
    return any(
        (not query.about or any(holds_words(text, query.about) for _, text in strings(data)))
        and (not query.person or is_persons(world, query.person, key, data))
        for data in versions
    )


def strings(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """(name of the field, text) of every string in a record's data."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, name)


def holds_words(text: str, wanted: str) -> bool:
    """Whole words one after the other; a backslash may begin an escape (``\\n``) or be a sign like others."""
    return any(f" {plain_words(wanted)} " in f" {plain_words(reading)} " for reading in (text, ESCAPE.sub(" ", text)))


ESCAPE: Final = re.compile(r"\\[nrtbf]")
INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def plain_words(text: str) -> str:
    plain = unicodedata.normalize("NFKC", INVISIBLE.sub("", text.replace("&amp;", " "))).casefold()
    return " ".join(re.findall(r"[^\W_]+", plain))


def is_persons(world: World, who: str, key: RecordKey, data: dict[str, Any]) -> bool:
    """That contact, or a field that is the person's name, is the contact's id, or holds the address."""
    names, ids = the_person(world, who)
    if key[0] == "contacts" and key[1] in ids:
        return True
    return any(
        (name == "contact_id" and text in ids)
        or plain_name(text) in names
        or ("@" in who and who in re.split(r"[\s,;<>]+", text.casefold()))
        for name, text in strings(data)
    )


def the_person(world: World, who: str) -> tuple[set[str], set[str]]:
    """(names, ids of contacts): who it is say the contact of this id and contacts of exactly this name."""
    texts = [
        (record_id, plain_name(data["display_name"]))
        for (source, record_id), versions in world.versions.items()
        for data, _ in versions
        if source == "contacts"
    ]
    meant = [(record_id, name) for record_id, name in texts if record_id == who or name == plain_name(who)]
    ids = {record_id for record_id, _ in meant}
    # An id is no name: other fields that say 17 do not mean contact 17.
    own = set() if who in ids else {plain_name(who)}
    return (own | {name for _, name in meant}) - {""}, ids


def plain_name(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def check(seed: int) -> None:
    """One case. Raises AssertionError."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="cloop-erasing-") as folder:
        world = a_world(rng, Path(folder))
        query, purged = a_query(rng, world)
        before = {seq: world.kept.get(seq) or world.files(seq) for seq in world.states}
        last = max(before)
        sought = traces(world, purged)
        done = world.purge(query)
        assert done.commit is not None
        assert done.records == len(purged)
        require_gone(world, sought)
        require_no_collateral(world, before, sought, purged)
        assert world.pages(last + 1) == world.fresh(last, purged)
        assert orphans(world.files(last + 1)) <= orphans(before[last]), "notes on what only purged records spoke of"
        world.verify()
        world.job("backfill_digest" if rng.random() < 0.3 else "hourly_digest")
        world.verify()
        require_gone(world, sought, ids=False)
        require_restorable(world, rng.randint(1, last), sought, purged)
        if rng.random() < 0.25:
            world.job()
            world.verify()
            require_gone(world, sought, ids=False)


@contextmanager
def in_memory() -> Iterator[None]:
    """Temporary folders in memory, where there is such a place: most of a small case would be the disk's work."""
    before, there = tempfile.tempdir, Path("/dev/shm")
    tempfile.tempdir = str(there) if os.access(there, os.W_OK) else before
    try:
        yield
    finally:
        tempfile.tempdir = before


def orphans(files: dict[str, bytes]) -> set[str]:
    return {path for path, data in files.items() if path.endswith(".md") and is_orphan(data.decode())}


def require_gone(world: World, sought: Traces, *, ids: bool = True) -> None:
    for name, data in world.texts():
        # A commit's signed cursors may name a record by its id.
        traces = sought.within(data, ids=ids and "/commits/" not in name)
        assert not traces, f"{name} holds {traces!r}"


def require_no_collateral(
    world: World, before: dict[int, dict[str, bytes]], sought: Traces, purged: frozenset[RecordKey]
) -> None:
    """Every entry that is gone from an older commit held something of the purged records, or is made again."""
    for seq, files in before.items():
        left = world.files(seq)
        assert left.items() <= files.items()
        for path in files.keys() - left.keys():
            held = matching.rebuilt(path) or sought.within(files[path]) or sought.within(path.encode())
            assert held or _has_line(path, files[path], purged), f"commit {seq} lost {path} for nothing"


def _has_line(path: str, data: bytes, purged: frozenset[RecordKey]) -> bool:
    if not path.endswith(".jsonl"):
        return False
    lines = [json.loads(line) for line in data.splitlines()]
    return any((line.get("source_key"), line.get("record_id")) in purged for line in lines)


def require_restorable(world: World, seq: int, sought: Traces, purged: frozenset[RecordKey]) -> None:
    left = world.files(seq)
    now = world.restore(seq).seq
    files = world.files(now)
    remade = {layout.RENDER_INDEX}
    assert {path: data for path, data in left.items() if path not in remade}.items() <= files.items()
    assert world.pages(now) == world.fresh(seq, purged)
    world.verify()
    require_gone(world, sought, ids=False)
