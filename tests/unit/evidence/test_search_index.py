"""The evidence index: what it finds, what it must not show, and that it can always be built anew."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consumer import layout
from consumer.errors import CancelRequested
from consumer.evidence import pagefiles, pages, search
from consumer.evidence.search import EvidenceIndex, IndexUnusable, terms
from consumer.evidence.search.searching import MOST_LOOKED_UP
from tests import brains
from tests.cases import cases
from tests.tables import table

CHATS = "sources/cloop/chat-sessions"
ANNA = "[Anna Kowal](../../../people/anna-kowal-9f.md)"


def evidence(title: str, body: str, record_id: str = "", day: str = "2026-11-02", source: str = "meeting_notes") -> str:
    return brains.page(title, body, source_key=source, source_id=f'"{record_id}"', date=f'"{day}"')


def grouped(*records: tuple[str, str, str]) -> str:
    """A page of several records: (anchor, record id, body)."""
    rows = "".join(f'\n  - {{anchor: "{anchor}", record_id: "{record_id}"}}' for anchor, record_id, _ in records)
    body = "\n\n".join(f'<a id="{anchor}"></a>\n\n## Item\n\n{text}' for anchor, _, text in records)
    return brains.page("Items", body, source_key="checklist_items", date='"2026-11-02"', records=rows)


def build(root: Path, texts: Mapping[str, str | None] | None = None) -> Path:
    """Write these pages (None: remove) and update the index."""
    for name, text in (texts or {}).items():
        if text is None:
            (root / layout.BRAIN / name).unlink()
        else:
            brains.write(root, {name: text})
    search.update(root, pagefiles.digests(root, brains.Free()), brains.Free())
    return root / layout.SEARCH_INDEX


def pages_for(path: Path, text: str, **filters: object) -> list[str]:
    with EvidenceIndex(path) as index:
        return [passage.page for passage in index.search(text, **filters)]  # type: ignore[arg-type]


def everything(path: Path, *asked: str) -> list[object]:
    with EvidenceIndex(path) as index:
        return [index.search(text, limit=50) for text in asked] + [index.pages()]


def test_a_long_text_is_searched_by_its_rarest_words(tmp_path: Path) -> None:
    rare = [f"kro{chr(97 + n)}x" for n in range(MOST_LOOKED_UP)]
    pages = {f"{CHATS}/rare-{word}.md": evidence("Rare", f"The {word} came.") for word in rare}
    pages |= {f"{CHATS}/often-{n}.md": evidence("Often", f"A pelican, number {n}.") for n in range(10)}
    path = build(tmp_path, pages)
    text = " ".join(["pelican", *rare])
    with EvidenceIndex(path) as index:
        few = {hit.page for hit in index.search(text, limit=MOST_LOOKED_UP)}
        many = {hit.page for hit in index.search(text, limit=MOST_LOOKED_UP + 1)}
        short = {hit.page for hit in index.search(" ".join(["pelican", *rare[1:]]), limit=MOST_LOOKED_UP)}
        known = [f"{CHATS}/rare-{word}" for word in rare]
        others = {hit.page for hit in index.search(text, limit=3, besides=known)}
    assert few == {f"{CHATS}/rare-{word}" for word in rare}
    # These words find fewer pages than were asked for, and of a shorter text all words count.
    assert many > few
    assert any("often" in page for page in short)
    # Pages that the caller has are none that were found.
    assert len(others) == 3
    assert others.isdisjoint(known)


def test_a_passage_says_where_it_is_from(tmp_path: Path) -> None:
    name = "sources/cloop/checklist-items/2026-11-02"
    path = build(
        tmp_path,
        {
            f"{name}.md": grouped(
                ("r-1", "id-1", "Buy oranges."), ("r-2", "id-2", "- When: 2026-10-05 09:00 +01:00\n\nSell quinces.")
            )
        },
    )
    with EvidenceIndex(path) as index:
        passage = index.search("quinces")[0]
    assert (passage.page, passage.anchor, passage.record_id) == (name, "r-2", "id-2")
    assert (passage.title, passage.day, passage.source, passage.type) == (
        "Items",
        "2026-10-05",
        "checklist_items",
        "source",
    )
    assert "Sell quinces." in passage.text
    assert "oranges" not in passage.text


def test_increments_answer_like_a_fresh_build(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = build(tmp_path, brains.STORY)
    names = sorted(brains.STORY)
    for number in range(3):
        build(
            tmp_path,
            {
                names[number]: evidence("Changed", f"The pelican number {number} moved."),
                f"{CHATS}/new-{number}.md": evidence("New", "A pelican arrives."),
            },
        )
    build(tmp_path, {names[1]: None, f"{CHATS}/new-0.md": None})
    other = tmp_path_factory.mktemp("fresh")
    brains.write(
        other,
        {
            p.relative_to(tmp_path / layout.BRAIN).as_posix(): p.read_text()
            for p in (tmp_path / layout.BRAIN).rglob("*.md")
        },
    )
    asked = ("pelican", "Lighthouse launch in November", "Anna deck", "venue offsite")
    assert everything(path, *asked) == everything(build(other), *asked)


def test_the_kept_numbers_are_those_of_the_passages(tmp_path: Path) -> None:
    chat = f"{CHATS}/long.md"
    turns = "\n\n".join(f"Turn {n}: the kiln and the glaze, painted on day {n}." for n in range(60))
    path = build(tmp_path, {**brains.STORY, chat: evidence("Pottery", turns)})
    _assert_numbers(path)
    build(
        tmp_path, {chat: evidence("Pottery", turns.replace("glaze", "walrus")), f"{CHATS}/b.md": evidence("B", "Kiln.")}
    )
    _assert_numbers(path)
    build(tmp_path, {chat: None, sorted(brains.STORY)[0]: None})
    numbers = _assert_numbers(path)
    assert numbers["kiln"] == 1
    assert "walrus" not in numbers


def _assert_numbers(path: Path) -> dict[str, int]:
    """What the index keeps of its passages is what counting them gives; the passages of each term."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("create virtual table temp.counted using fts5vocab(main, words, row)")
        kept = dict(db.execute("select term, passages from frequencies").fetchall())
        assert kept == dict(db.execute("select term, doc from temp.counted").fetchall())
        counted = (
            "select (select count(*) from passages), (select sum(end - start) from passages), max(day) from records"
        )
        assert db.execute("select * from totals").fetchall() == db.execute(counted).fetchall()
    return kept


@table(
    "word, term",
    [
        ("painting", "paint"),
        ("Caf\u00e9s", "cafe"),
        ("\u0431\u044e\u0434\u0436\u0435\u0442", "\u0431\u044e\u0434\u0436\u0435\u0442"),
        ("don't", ""),
        ("--", ""),
    ],
)
def test_a_word_is_the_term_that_the_index_has(word: str, term: str) -> None:
    assert terms.of_words(["kiln", word, "glazes"]) == ["kiln", term, "glaze"]


def test_an_update_reads_changed_pages_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = build(tmp_path, brains.PAGES)
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    build(tmp_path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    read: list[str] = []
    parse = pages.parse

    def counted(slug: str, data: bytes) -> pages.Page:
        read.append(slug)
        return parse(slug, data)

    monkeypatch.setattr(pages, "parse", counted)
    build(tmp_path, {"projects/atlas.md": brains.page("Atlas", "Moved.", type="project")})
    assert read == ["projects/atlas"]


def test_nothing_of_a_removed_page_stays_in_answers_or_tables(tmp_path: Path) -> None:
    path = build(
        tmp_path,
        {
            f"{CHATS}/a.md": evidence("Xylographer", "A xylographer met Quagga."),
            f"{CHATS}/b.md": evidence("B", "Nothing."),
        },
    )
    build(tmp_path, {f"{CHATS}/a.md": None})
    assert pages_for(path, "xylographer quagga") == []
    assert "chat-sessions/a" not in path.read_bytes().decode("latin-1")


@table(
    "text, asked",
    [
        ("我们下周三在北京开会讨论预算。", "预算"),
        ("我们下周三在北京开会讨论预算。", "北京开会"),
        ("来週の水曜日に東京で会議をします。", "会議"),
        ("来週の水曜日に東京で会議をします。", "東"),
        ("다음 주 수요일에 예산회의를 합니다.", "예산회의"),
        ("다음 주 수요일에 회의는 서울에서 합니다.", "회의"),
        ("เราจะประชุมเรื่องงบประมาณวันพุธ", "งบประมาณ"),
        ("हम बुधवार को बजट पर बैठक करेंगे।", "बजट"),
        ("请把合同发给李经理。", "合同"),
        ("会议改到星期五下午三点。", "星期五"),
        ("租約已經簽署。", "租約"),
        ("契約書を金曜日までに送ってください。", "契約書"),
        ("カタカナのレポートを東京駅で渡します。", "レポート"),
        ("Kestrelの発表会は二月三日です。", "発表会"),
        ("김민수 씨에게 계약서를 보냈습니다.", "계약서를"),
        ("보증금은 천이백 유로입니다.", "보증금은"),
        ("สัญญาเช่าอยู่ในลิ้นชัก", "สัญญาเช่า"),
        ("ค่ามัดจำหนึ่งพันยูโร", "มัดจำ"),
        ("Мы обсудим бюджет в среду.", "БЮДЖЕТ"),
        ("Das Café in Besançon öffnet früh.", "cafe besancon"),
        ("Die Hafenstraße ist gesperrt.", "HAFENSTRASSE"),
        ("Notre œuvre complète arrive.", "oeuvre complete"),
        ("A trip to Łódź and Ørsted.", "lodz orsted"),
        ("\u0397 σύμβαση θα σταλεί την Παρασκευή.", "συμβαση"),
        ("العقد سيصل يوم الجمعة", "عقد"),
        ("\ufb01nal \uff42\uff55\uff44\uff47\uff45\uff54 draft", "final budget"),
        ("O'Brien's idea was accepted.", "What is O\u2019Brien's idea?"),
    ],
)
def test_words_of_any_script_are_found(tmp_path_factory: pytest.TempPathFactory, text: str, asked: str) -> None:
    root = tmp_path_factory.mktemp("script")
    path = build(
        root, {f"{CHATS}/a.md": evidence("A", text), f"{CHATS}/b.md": evidence("B", "Other words stand here.")}
    )
    assert pages_for(path, asked) == [f"{CHATS}/a"], asked


@pytest.mark.parametrize(
    "text",
    ["", "   ", "\0", "a\0b", '"', "''", "NEAR(a b)", "a AND OR NOT", "title:x", "*", "a*", "^a", "-a", "(", "{x y}: z",
     "; drop table words", "word " * 10_000, "\ud800", "\U0001d518\U0001d52b", "\u202e", "who", "%s %d {0}"],
)  # fmt: skip
def test_hostile_questions_are_questions(tmp_path: Path, text: str) -> None:
    path = build(tmp_path, brains.PAGES)
    with EvidenceIndex(path) as index:
        assert len(index.search(text)) <= 10
        assert index.search("billing platform")


@settings(max_examples=cases(60), deadline=None)
@given(text=st.text(max_size=80))
def test_any_text_can_be_asked(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    root = tmp_path_factory.getbasetemp() / "any"
    path = root / layout.SEARCH_INDEX
    if not path.is_file():
        build(root, brains.PAGES)
    with EvidenceIndex(path) as index:
        assert len(index.search(text, people=[text], types=[text], sources=[text], withheld=[text])) <= 10


def test_filters(tmp_path: Path) -> None:
    path = build(
        tmp_path,
        {
            f"{CHATS}/a.md": evidence(
                "A", f"The walnut is here.\n\n- People: {ANNA}", day="2026-11-02", source="chat_sessions"
            ),
            f"{CHATS}/b.md": evidence("B", "The walnut is there.", day="2026-11-20"),
            f"{CHATS}/c.md": brains.page("C", "The walnut is nowhere.", source_key="meeting_notes"),
            "people/anna-kowal-9f.md": brains.page(
                "Anna Kowal", "- Email: `anna@kowal.example`\n\nA walnut.", type="person"
            ),
        },
    )
    assert len(pages_for(path, "walnut")) == 4
    assert set(pages_for(path, "walnut", since=date(2026, 11, 3))) == {f"{CHATS}/b"}
    assert set(pages_for(path, "walnut", since=date(2026, 11, 2), until=date(2026, 11, 2))) == {f"{CHATS}/a"}
    assert set(pages_for(path, "walnut", sources=["chat_sessions"])) == {f"{CHATS}/a"}
    assert pages_for(path, "walnut", types=["person"]) == ["people/anna-kowal-9f"]
    for name in ("Anna Kowal", "anna@kowal.example", "people/anna-kowal-9f"):
        assert pages_for(path, "walnut", people=[name]) == [f"{CHATS}/a"], name
    assert pages_for(path, "walnut", people=["Nobody"]) == []
    assert pages_for(path, "walnut", limit=1, offset=1) == pages_for(path, "walnut")[1:2]


def test_pages_of_other_types_count_towards_the_order(tmp_path: Path) -> None:
    texts = {
        f"themes/t{n}.md": brains.page(f"Theme {n}", f"Pottery with the kiln, number {n}.", type="theme")
        for n in range(3)
    }
    texts |= {f"{CHATS}/fired.md": evidence("Fired", "The kiln broke at noon.")}
    texts |= {f"{CHATS}/other-{n}.md": evidence("Other", f"A pelican, number {n}.") for n in range(30)}
    path = build(tmp_path, texts)
    whole = pages_for(path, "pottery", limit=40)
    assert whole[-1] == f"{CHATS}/fired"
    # No page of evidence has the question's word: the themes lead to the one that tells of it.
    assert pages_for(path, "pottery", types=["source"]) == [f"{CHATS}/fired"]
    assert pages_for(path, "pottery", types=["theme"]) == [page for page in whole if page.startswith("themes/")]


def test_an_answer_of_one_type_is_full(tmp_path: Path) -> None:
    texts = {f"themes/t{n}.md": brains.page(f"Walnut {n}", "Walnut, walnut.", type="theme") for n in range(20)}
    texts |= {f"{CHATS}/c{n}.md": evidence("Tree", f"A walnut in garden {n} by a wall.") for n in range(9)}
    path = build(tmp_path, texts)
    for kind, total in (("source", 9), ("theme", 20)):
        answer = pages_for(path, "walnut", types=[kind], limit=40)
        assert len(answer) == total, kind
        for limit in (1, 3, 8):
            assert pages_for(path, "walnut", types=[kind], limit=limit) == answer[:limit], (kind, limit)


def test_withheld_records_are_nowhere_in_an_answer(tmp_path: Path) -> None:
    link = "(../../../sources/cloop/checklist-items/x.md#r-2)"
    path = build(
        tmp_path,
        {
            "sources/cloop/checklist-items/x.md": grouped(
                ("r-1", "id-1", "Walnut one."), ("r-2", "id-2", "Walnut secret.")
            ),
            "sources/cloop/checklist-action-log/y.md": grouped(
                ("r-8", "id-8", f"- Item: [Walnut secret]{link}"), ("r-9", "id-9", "Walnut nine.")
            ),
            "people/p.md": brains.page(
                "P", "- [Walnut secret](../sources/cloop/checklist-items/x.md#r-2)", type="person"
            ),
            "people/q.md": brains.page("Q", "- [Walnut one](../sources/cloop/checklist-items/x.md#r-1)", type="person"),
        },
    )
    with EvidenceIndex(path) as index:
        assert len(index.search("walnut")) == 6
        shown = index.search("walnut", withheld=["id-2"])
        assert {(passage.page, passage.record_id) for passage in shown} == {
            ("sources/cloop/checklist-items/x", "id-1"),
            ("sources/cloop/checklist-action-log/y", "id-9"),
            ("people/q", ""),
        }
        assert not any("secret" in passage.text for passage in shown)


def test_evidence_comes_before_the_page_that_repeats_it(tmp_path: Path) -> None:
    sentence = "The quince harvest begins on Sunday."
    path = build(
        tmp_path,
        {
            "concepts/quince.md": brains.page("Quince harvest", sentence, type="concept"),
            f"{CHATS}/q.md": evidence("Chat", sentence),
        },
    )
    assert pages_for(path, "When does the quince harvest begin?") == [f"{CHATS}/q", "concepts/quince"]


def test_a_day_in_the_question_prefers_that_day(tmp_path: Path) -> None:
    days = {"a": "2025-12-11", "b": "2026-11-12", "c": "2026-05-20"}
    path = build(
        tmp_path,
        {f"{CHATS}/{name}.md": evidence("Talk", "We spoke about the boat.", day=day) for name, day in days.items()},
    )
    today = date(2026, 11, 27)
    for asked, best in {
        "What did we say about the boat on 11 December, 2025?": "a",
        "boat, week before 16 November": "b",
        "What was with the boat last May?": "c",
        "Was war mit dem boat am 20. Mai?": "c",
        "boat vor zwei Wochen": "b",
        "boat 2025-12-11": "a",
    }.items():
        assert pages_for(path, asked, today=today)[0] == f"{CHATS}/{best}", asked


def test_an_instruction_does_not_steer_the_ranking(tmp_path: Path) -> None:
    path = build(
        tmp_path,
        {
            f"{CHATS}/boat.md": evidence("Talk", "The boat needs a new mast before spring."),
            f"{CHATS}/noise.md": evidence(
                "Summary of the discussion", "Summarize the discussion, list the notes, give me an overview."
            ),
        },
    )
    for asked in (
        "Summarize the discussion about the boat",
        "Give me an overview of the boat",
        "please list all notes about the boat",
    ):
        assert pages_for(path, asked)[0] == f"{CHATS}/boat", asked
        with EvidenceIndex(path) as index:
            plain, instructed = index.search("the boat"), index.search(asked)
        assert [(each.page, each.score) for each in instructed] == [(each.page, each.score) for each in plain], asked


def test_a_short_answer_is_the_beginning_of_a_long_one(tmp_path: Path) -> None:
    """What cannot reach a short answer is not looked up: neither rare pages nor frequent words may be lost by that."""
    texts: dict[str, str | None] = {}
    for number in range(60):
        # "und" is on most pages; a passage of its own has nothing else of the question.
        words = f"Das Boot {'mit Segel ' * (number % 3)}und {'Anker ' * (number % 4)}{'etwas ' * number}"
        more = "Und noch etwas, lang und breit. " * 40 if number % 2 else ""
        body = f"{words}\n\n{more}" if number % 3 else more or "Nichts."
        day = f"2026-{1 + number % 11:02d}-{1 + number % 28:02d}"
        name = f"concepts/{number}.md" if number % 5 == 0 else f"{CHATS}/{number}.md"
        texts[name] = evidence(f"T{number}", body, day=day)
    path = build(tmp_path, texts)
    asked = ("und", "Segel und Anker", "Boot Anker 3 March 2026", "Was war mit dem Boot im Mai 2026?", "Anker etwas")
    with EvidenceIndex(path) as index:
        for text in asked:
            whole = index.search(text, limit=200)
            assert len(whole) > 20, text
            for limit, offset in ((1, 0), (3, 0), (5, 4), (10, 0)):
                part, wanted = index.search(text, limit=limit, offset=offset), whole[offset : offset + limit]
                assert [each.score for each in part] == pytest.approx([each.score for each in wanted], abs=1e-4), text
            by_page = index.search_pages(text, limit=60)
            assert [len(page) for page in index.search_pages(text, limit=4)] == [len(page) for page in by_page[:4]], (
                text
            )


def test_a_person_is_found_by_another_spelling(tmp_path: Path) -> None:
    person = "../../../people/robert-mueller-1.md"
    path = build(
        tmp_path,
        {
            f"{CHATS}/a.md": evidence("A", f"The keel is cracked.\n\n- People: [Robert Müller]({person})"),
            f"{CHATS}/b.md": evidence("B", f"Fine.\n\n- People: [Rob]({person})"),
            f"{CHATS}/c.md": evidence("C", "The keel is new. The keel is painted."),
        },
    )
    assert pages_for(path, "What did Rob say about the keel?")[0] == f"{CHATS}/a"


def test_a_conversation_gives_overlapping_passages_with_speakers(tmp_path: Path) -> None:
    turns = "\n".join(
        f"{'Ana' if n % 2 else 'Ben'}: turn {n} is about the harbour and its {n} boats, said slowly." for n in range(60)
    )
    chat = "\n\n".join(
        f"## Message: user, 2026-11-02 10:{n:02} UTC\n\n```text\nchat turn {n} of the walrus\n```" for n in range(40)
    )
    path = build(
        tmp_path,
        {
            f"{CHATS}/t.md": evidence("T", f"## Transcript\n\n```text\n{turns}\n```"),
            f"{CHATS}/m.md": evidence("M", chat),
        },
    )
    with EvidenceIndex(path) as index:
        passages = [each for each in index.search("turn 30 harbour boats", limit=50) if each.page == f"{CHATS}/t"]
        assert len(passages) == 3
        assert all(len(passage.text) <= 1300 for passage in passages)
        assert any("\nAna: turn 31" in passage.text and "\nBen: turn 30" in passage.text for passage in passages)
        assert "user: chat turn 3 of the walrus" in index.search("chat turn 3 walrus", limit=1)[0].text


@pytest.mark.parametrize("damage", [b"", b"nothing of the kind" * 99, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_damaged_index_is_named_and_built_anew(tmp_path: Path, damage: bytes) -> None:
    path = build(tmp_path, brains.PAGES)
    path.write_bytes(damage)
    with pytest.raises(IndexUnusable):
        EvidenceIndex(path)
    assert pages_for(build(tmp_path), "Borealis")


def test_damage_inside_the_file_is_named_without_content(tmp_path: Path) -> None:
    path = build(tmp_path, brains.STORY)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\x5a" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(IndexUnusable) as failure:
        pages_for(path, "Lighthouse")
    assert "cannot be read" in str(failure.value)


def test_an_absent_index_is_named(tmp_path: Path) -> None:
    with pytest.raises(IndexUnusable):
        EvidenceIndex(tmp_path / "absent.sqlite")


@pytest.mark.parametrize("version", [3, 99])
def test_an_index_of_another_release_is_named_and_built_anew(tmp_path: Path, version: int) -> None:
    path = build(tmp_path, brains.STORY)
    asked = ("Lighthouse launch in November", "Anna deck")
    before = everything(path, *asked)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(f"drop table frequencies; drop table totals; pragma user_version = {version}")
    with pytest.raises(IndexUnusable, match=f"version {version}"):
        EvidenceIndex(path)
    assert everything(build(tmp_path), *asked) == before


def test_a_writer_that_is_stopped_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    path = build(tmp_path, brains.PAGES)
    before = path.read_bytes()

    class Cancelled(brains.Free):
        def check(self) -> None:
            raise CancelRequested("job cancelled")

    brains.write(tmp_path, {"projects/atlas.md": "# Atlas\n\nNew.\n"})
    with pytest.raises(CancelRequested):
        search.change(tmp_path, ["projects/atlas.md"], [], Cancelled())
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


_READER = """
import sys
from pathlib import Path
from consumer.evidence.search import EvidenceIndex
print("ready", flush=True)
path, total = Path(sys.argv[1]), 0
while not (path.parent / "stop").exists():
    with EvidenceIndex(path) as index:
        hits = index.search("pelican", limit=50)
        assert {hit.page for hit in hits} >= {"sources/cloop/chat-sessions/first"}, hits
        total += 1
print(total)
"""


@pytest.mark.integration
def test_processes_read_while_a_writer_builds(tmp_path: Path) -> None:
    path = build(tmp_path, {f"{CHATS}/first.md": evidence("First", "A pelican.")})
    command = [sys.executable, "-c", _READER, str(path)]
    readers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    try:
        for reader in readers:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "ready\n"
        for number in range(15):
            build(tmp_path, {f"{CHATS}/next-{number}.md": evidence("Next", f"Pelican {number}.")})
        (path.parent / "stop").touch()
        for reader in readers:
            assert int(reader.communicate(timeout=60)[0]) > 0
            assert reader.returncode == 0
    finally:
        for reader in readers:
            reader.kill()
            reader.wait()
    assert len(pages_for(path, "pelican", limit=50)) == 16


def test_sessions_that_share_words_with_the_best_pages_follow_them(tmp_path: Path) -> None:
    hobby = {"clay": "Melanie took up pottery as a hobby; her kiln and glaze are new."}
    hobby["fire"] = "A hobby of evenings: pottery, glaze, and a kiln that is hot."
    stories = {"cup": "She broke a cup fresh from the kiln, glaze and all, then went back to pottery."}
    other = {f"noise{at}": f"The invoice number {at} of the harbour was paid on time." for at in range(12)}
    build(
        tmp_path,
        {f"sources/cloop/meeting-notes/{k}.md": evidence(k, v) for k, v in {**hobby, **stories, **other}.items()},
    )
    hits = pages_for(tmp_path / layout.SEARCH_INDEX, "Which hobby is it?")
    assert hits[2:] == ["sources/cloop/meeting-notes/cup"]


@pytest.mark.parametrize("asked", ["Summarize the discussion about", "Please list all notes on", "Describe"])
def test_an_instruction_does_not_change_the_order(tmp_path: Path, asked: str) -> None:
    texts = {
        "lease": "The lease of the quay ends in May.",
        "talk": "We had a discussion about the summary, a list of notes, and how to describe the quay.",
        "quay": "The quay is long, and the lease of it is dear.",
    }
    path = build(tmp_path, {f"sources/cloop/meeting-notes/{k}.md": evidence(k, v) for k, v in texts.items()})
    assert pages_for(path, f"{asked} the quay lease") == pages_for(path, "the quay lease")
