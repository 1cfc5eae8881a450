"""A reader over a bucket in memory: two users with committed workspaces, and a control plane that tests steer."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from consumer import layout, paths
from consumer.clients.signing import Ed25519Signer, PublicRing
from consumer.evidence import pagefiles, search
from consumer.evidence.index.store import open_index
from consumer.evidence.search import building
from consumer.ports import Embedder, ReadBlobs
from consumer.storage.memory import FakeClock, no_fault
from contract.api import AccessEntry, AccessList
from contract.assistants import (
    AssistantTokenList,
    AssistantTokenRequest,
    AssistantTokenView,
    Decided,
    NewAssistantToken,
    Proposal,
    ProposalList,
)
from contract.orders import (
    ConfirmedForget,
    ConfirmForgetRequest,
    ExclusionList,
    ExclusionView,
    OrderList,
    OrderView,
    RecordRef,
    ShownForget,
)
from contract.overlay import (
    EMPTY,
    CorrectionList,
    CorrectionRequest,
    CorrectionView,
    Overlay,
    RuleRef,
    record_digest,
)
from contract.reading import ReadGrant
from reader.app import Doors, create_app
from reader.errors import CallRefusal
from reader.grants import Grant, Grants
from reader.library import OpenMemories
from reader.limits import RATES, Limits
from reader.meaning import VectorOf, no_vector
from reader.model import AskModel
from reader.service import ReaderService
from renderers.grouping import mark
from tests.asgi import Client
from tests.copies import copied
from tests.unit.repository.workspaces import PEM, Bench, Free

ADA = "11111111-1111-4111-8111-111111111111"
BOB = "22222222-2222-4222-8222-222222222222"
#: What stands for a signed access token here: the control plane of tests knows whose it is.
ADA_TOKEN, BOB_TOKEN = "ada.token.x", "bob.token.x"
ORIGIN = "http://127.0.0.1:8080"
APP = "https://app.example"
BUCKET = "workspaces"
KEY = b"k" * 32
OVERLAY_KEY = "ab" * 32
SOURCE = "inbound_messages"
RECORD = "record-7"
MARK = mark(SOURCE, RECORD)
OWN_MARK = mark("granola_transcripts", "note-1")
MAIL = "sources/cloop/inbound-messages/2026-11-20-kestrel"
NOTE = f"sources/cloop/granola-transcripts/2026-11-21-review-{OWN_MARK}"
REPORT_ID = "33333333-3333-4333-8333-333333333333"
OLD_REPORT_ID = "44444444-4444-4444-8444-444444444444"


#: The loops of ``today_document``, and another statement that speaks of the first.
S1, S2, S3, S4 = (f"{number:016x}" for number in range(1, 5))
S1_AGAIN = f"{1:015x}b"


def record_index() -> bytes:
    """A record index with the records of these pages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite"
        with open_index(path) as index:
            index.commit()
        with closing(sqlite3.connect(path)) as database:
            row = "insert into records values (?,?,'','2026-11-20','','','s','','','',0,0,1,null,'','')"
            database.executemany(row, [(SOURCE, RECORD), (SOURCE, "record-8"), ("granola_transcripts", "note-1")])
            database.commit()
            return bytes(database.serialize())


def hiding(*records: tuple[str, str]) -> Overlay:
    """The overlay that hides these records."""
    return Overlay(version="2", key=OVERLAY_KEY, hidden_records=tuple(record_digest(OVERLAY_KEY, *r) for r in records))


def files(word: str) -> dict[str, str | bytes]:
    """A workspace's files by path; ``word`` stands in all of them and tells users apart."""
    mail = (
        f'---\ntitle: "Kestrel {word}"\ntype: "source"\n---\n# Kestrel {word}\n\n'
        f'<a id="r-{MARK}"></a>\n## Launch\n\nThe launch of Kestrel is on Friday, says {word}.\n\n'
        f'<a id="r-aaaaaaaaaaaa"></a>\n## Lunch\n\nLunch with {word}.\n'
    )
    note = f'---\ntitle: "Review"\n---\n# Review\n\nA review of {word}.\n'
    report = (
        f'---\ntitle: "Digest"\n---\n# Digest {word}\n\n## Open loops\n\n'
        f"- Launch Kestrel.\n  - [Kestrel](../../{MAIL}.md#r-{MARK}): “The launch of Kestrel is on Friday”\n"
        f"- Have lunch.\n  - [Lunch](../../{MAIL}.md#r-aaaaaaaaaaaa): “Lunch with {word}”\n"
    )
    statement = {"text": f"Launch {word}", "citations": [{"page": MAIL, "anchor": f"r-{MARK}", "quote": "x"}]}
    other = {"text": f"Lunch {word}", "citations": [{"page": MAIL, "anchor": "r-aaaaaaaaaaaa", "quote": "y"}]}
    document = {"schema": "memory.report.v1", "sections": {"open_loops": [statement, other]}}
    return {
        f"brain/{MAIL}.md": mail,
        f"brain/{NOTE}.md": note,
        "brain/people/ann-lee-x.md": f'---\ntitle: "Ann Lee"\n---\n# Ann Lee\n\n{word}\n',
        f"brain/reports/digest/2026-11-27T09__{REPORT_ID}.md": report,
        f"brain/reports/insights/2026-11-20__{OLD_REPORT_ID}.md": report,
        f"runtime/reports/digest/{REPORT_ID}.json": json.dumps(document),
        layout.RENDER_INDEX: record_index(),
        layout.TODAY: json.dumps(today_document(word)),
        f"runtime/exports/hourly/{REPORT_ID}/raw.jsonl": f"raw {word}\n",
        "hermes-home/state.txt": word,
    }


def today_document(word: str) -> dict[str, Any]:
    def loop(number: int, due: str, direction: str, record: str) -> dict[str, Any]:
        return {
            "id": f"{number:016x}",
            "statements": [f"{number:016x}", f"{number:015x}b"],
            "kind": "commitment",
            "direction": direction,
            "text": f"Loop {number} of {word}",
            "people": ["Ann Lee"],
            "due": due,
            "due_time": "",
            "since": "2026-11-20",
            "condition": "",
            "records": [record],
            "citations": [{"page": MAIL, "anchor": f"r-{MARK}" if record == RECORD else "", "quote": "q"}],
        }

    meeting = {
        "id": "m1",
        "title": "Board call",
        "starts": "2026-11-27 12:00 +01:00",
        "ends": "2026-11-27 13:00 +01:00",
        "organizer": "Ann Lee",
        "people": ["Ann Lee"],
        "loops": [S2],
        "records": ["record-8"],
        "citations": [],
    }
    person = {
        "name": "Ann Lee",
        "aliases": ["Ann"],
        "addresses": ["ann@example.com"],
        "records": 3,
        "last_day": "2026-11-20",
        "pages": ["people/ann-lee-x"],
        "loops": [S1, S2],
    }
    return {
        "schema": "memory.today.v1",
        "at": "2026-11-27 09:40 +01:00",
        "loops": [
            loop(1, "2026-11-26", "you_owe", RECORD),
            loop(2, "2026-11-28", "owed_to_you", "record-8"),
            loop(3, "2026-12-24", "you_owe", "record-8"),
            loop(4, "", "asked_of_you", "record-8"),
        ],
        "meetings": [meeting, {**meeting, "id": "m0", "starts": "2026-11-26 12:00 +01:00", "ends": ""}],
        "people": [person],
        "projects": [{"name": "Kestrel", "page": "projects/kestrel-x"}],
    }


@dataclass
class FakeControlPlane:
    """Knows two tokens. ``refusals``: token -> how it is refused. ``asked``: every call."""

    now: Callable[[], datetime]
    users: dict[str, str] = field(default_factory=lambda: {ADA_TOKEN: ADA, BOB_TOKEN: BOB})
    refusals: dict[str, CallRefusal] = field(default_factory=dict)
    overlay: Overlay = EMPTY
    bucket_life: timedelta = timedelta(minutes=15)
    user_life: timedelta = timedelta(hours=1)
    asked: list[tuple[str, str]] = field(default_factory=list)
    #: user -> their corrections, oldest first.
    made: dict[str, list[CorrectionView]] = field(default_factory=dict)
    #: token of a list -> (user, records, selection, commit); confirmed requests; user -> their orders, exclusions.
    shown: dict[str, tuple[str, tuple[RecordRef, ...], str, int]] = field(default_factory=dict)
    confirmed: list[ConfirmForgetRequest] = field(default_factory=list)
    ordered: dict[str, list[OrderView]] = field(default_factory=dict)
    kept_out: dict[str, list[ExclusionView]] = field(default_factory=dict)
    #: user -> rules of their own, beside those of ``overlay``.
    rules: dict[str, tuple[RuleRef, ...]] = field(default_factory=dict)
    #: Tokens of assistants: token -> (user, what is listed of it); and what they propose.
    assistants: dict[str, tuple[str, AssistantTokenView]] = field(default_factory=dict)
    proposed: dict[str, tuple[str, Proposal]] = field(default_factory=dict)
    #: token -> the user whose prefix is granted instead, as a faulty control plane would.
    prefixes: dict[str, str] = field(default_factory=dict)

    def grant(self, user_token: str) -> ReadGrant:
        self.asked.append(("grant", user_token))
        user_id = self._assistants_user(user_token) or self._user(user_token)
        return ReadGrant(
            user_id=user_id,
            bucket=BUCKET,
            prefix=paths.user(self.prefixes.get(user_token, user_id)),
            bucket_token=f"bucket-token-of-{user_id}",
            bucket_token_expires_at=self.now() + self.bucket_life,
            user_token_expires_at=self.now() + self.user_life,
            overlay=self._overlay(user_id),
            scopes=self.assistants[user_token][1].scopes if user_token in self.assistants else None,
        )

    def _overlay(self, user_id: str) -> Overlay:
        views = tuple(view for view in self.made.get(user_id, ()) if view.undone_at is None)
        rules = self.rules.get(user_id, ())
        if not (views or rules):
            return self.overlay
        version = f"{self.overlay.version} {[view.id for view in views]} {rules}"
        more = {"corrections": (*self.overlay.corrections, *views), "rules": (*self.overlay.rules, *rules)}
        return self.overlay.model_copy(update={"version": version, **more})

    def corrections(self, user_token: str) -> CorrectionList:
        self.asked.append(("corrections", user_token))
        return CorrectionList(corrections=tuple(reversed(self.made.get(self._user(user_token), []))))

    def correct(self, user_token: str, request: CorrectionRequest) -> CorrectionView:
        self.asked.append(("correct", user_token))
        user_id = self._user(user_token)
        count = sum(map(len, self.made.values()))
        view = CorrectionView(
            id=f"99999999-9999-4999-8999-{count + 1:012d}",
            verdict=request.verdict,
            statement=request.statement,
            job_id=request.job_id,
            claim=request.claim,
            until=request.until.isoformat() if request.until else None,
            made_at=self.now(),
        )
        self.made.setdefault(user_id, []).append(view)
        return view

    def undo(self, user_token: str, correction_id: str) -> CorrectionView:
        self.asked.append(("undo", user_token))
        views = self.made.get(self._user(user_token), [])
        for number, view in enumerate(views):
            if view.id == correction_id:
                views[number] = view.model_copy(update={"undone_at": view.undone_at or self.now()})
                return views[number]
        raise CallRefusal(404, "correction_not_found", f"no correction {correction_id}")

    # --- orders: lists that were shown, and what was ordered

    def show_forget(self, user_token: str, records: Sequence[RecordRef], selection: str, head_seq: int) -> ShownForget:
        self.asked.append(("show_forget", user_token))
        user_id = self._user(user_token)
        token = f"forget-{len(self.shown) + 1}"
        self.shown[token] = (user_id, tuple(records), selection, head_seq)
        return ShownForget(token=token, until=self.now() + timedelta(minutes=10))

    def confirm_forget(self, request: ConfirmForgetRequest) -> ConfirmedForget:
        self.asked.append(("confirm_forget", request.user_token))
        user_id = self._user(request.user_token)
        owner, shown, selection, seq = self.shown.get(request.token, ("", (), "", 0))
        if owner != user_id:
            raise CallRefusal(404, "forget_not_shown", "no list has been shown with this token")
        if selection != request.selection:
            raise CallRefusal(409, "forget_changed", "another selection")
        assert set(request.records) <= set(shown)
        self.confirmed.append(request)
        hidden = {record_digest(OVERLAY_KEY, each.source, each.id) for each in request.records}
        self.overlay = self.overlay.model_copy(
            update={
                "version": f"forgot {len(self.confirmed)}",
                "key": OVERLAY_KEY,
                "hidden_records": tuple(sorted({*self.overlay.hidden_records, *hidden})),
            }
        )
        order = self._ordered(user_id, "forget", records=len(request.records), shown_seq=seq)
        arrived = tuple(each for each in request.matching if each not in shown)
        return ConfirmedForget(order=order, arrived=arrived)

    def order_export(self, user_token: str) -> OrderView:
        self.asked.append(("order_export", user_token))
        return self._ordered(self._user(user_token), "export")

    def orders(self, user_token: str) -> OrderList:
        self.asked.append(("orders", user_token))
        return OrderList(orders=tuple(reversed(self.ordered.get(self._user(user_token), []))))

    def order(self, user_token: str, order_id: str) -> OrderView:
        self.asked.append(("order", user_token))
        for order in self.ordered.get(self._user(user_token), []):
            if order.id == order_id:
                return order
        raise CallRefusal(404, "order_not_found", f"no order {order_id}")

    def _ordered(self, user_id: str, kind: Any, **fields: Any) -> OrderView:
        count = sum(map(len, self.ordered.values()))
        order_id = f"77777777-7777-4777-8777-{count + 1:012d}"
        view = OrderView(id=order_id, kind=kind, state="waiting", ordered_at=self.now(), **fields)
        self.ordered.setdefault(user_id, []).append(view)
        return view

    def switch_rule(self, user_token: str, source: str, record_id: str, *, on: bool) -> None:
        self.asked.append(("switch_rule", user_token))
        user_id, named = self._user(user_token), (source, record_id)

        def switched(rules: Sequence[RuleRef]) -> tuple[RuleRef, ...]:
            return tuple(
                rule.model_copy(update={"off": not on}) if (rule.source_key, rule.record_id) == named else rule
                for rule in rules
            )

        if named not in {(rule.source_key, rule.record_id) for rule in self._overlay(user_id).rules}:
            raise CallRefusal(404, "rule_not_found", f"no rule {source}/{record_id}")
        rules = switched(self.overlay.rules)
        self.overlay = self.overlay.model_copy(update={"version": f"rules {rules}", "rules": rules})
        self.rules[user_id] = switched(self.rules.get(user_id, ()))

    def exclusions(self, user_token: str) -> ExclusionList:
        self.asked.append(("exclusions", user_token))
        return ExclusionList(exclusions=tuple(self.kept_out.get(self._user(user_token), [])))

    def end_exclusion(self, user_token: str, exclusion_id: str) -> None:
        self.asked.append(("end_exclusion", user_token))
        mine = self.kept_out.get(self._user(user_token), [])
        if exclusion_id not in {each.id for each in mine}:
            raise CallRefusal(404, "exclusion_not_found", f"no exclusion {exclusion_id}")
        self.kept_out[self._user(user_token)] = [each for each in mine if each.id != exclusion_id]

    def tokens(self, user_token: str) -> AssistantTokenList:
        user_id = self._user(user_token)
        return AssistantTokenList(tokens=tuple(view for user, view in self.assistants.values() if user == user_id))

    def create_token(self, user_token: str, request: AssistantTokenRequest) -> NewAssistantToken:
        user_id, number = self._user(user_token), len(self.assistants)
        token = f"cma_{number:043d}"
        view = AssistantTokenView(
            id=f"88888888-8888-4888-8888-{number:012d}",
            name=request.name,
            scopes=request.scopes,
            created_at=self.now(),
            expires_at=self.now() + timedelta(days=request.days),
        )
        self.assistants[token] = (user_id, view)
        return NewAssistantToken(**view.model_dump(), token=token)

    def revoke_token(self, user_token: str, token_id: str) -> AssistantTokenView:
        user_id = self._user(user_token)
        for token, (user, view) in self.assistants.items():
            if (user, view.id) == (user_id, token_id):
                ended = view.model_copy(update={"revoked_at": self.now()})
                self.assistants[token] = (user, ended)
                return ended
        raise CallRefusal(404, "token_not_found", f"no token {token_id}")

    def proposals(self, user_token: str) -> ProposalList:
        user_id = self._user(user_token)
        return ProposalList(proposals=tuple(each for user, each in self.proposed.values() if user == user_id))

    def propose(self, assistant_token: str, request: CorrectionRequest) -> Proposal:
        user_id = self._assistants_user(assistant_token)
        _, view = self.assistants[assistant_token]
        if "memory:correct" not in view.scopes:
            raise CallRefusal(403, "scope_missing", "this token lacks the scope memory:correct")
        proposal = Proposal(
            id=f"77777777-7777-4777-8777-{len(self.proposed):012d}",
            verdict=request.verdict,
            statement=request.statement or "",
            by=view.name,
            proposed_at=self.now(),
        )
        self.proposed[proposal.id] = (user_id, proposal)
        return proposal

    def decide(self, user_token: str, proposal_id: str, *, accept: bool) -> Decided:
        user_id = self._user(user_token)
        user, proposal = self.proposed.get(proposal_id, ("", None))
        if proposal is None or user != user_id:
            raise CallRefusal(404, "proposal_not_found", f"no proposal {proposal_id}")
        del self.proposed[proposal_id]
        request = CorrectionRequest.model_validate({"verdict": proposal.verdict, "statement": proposal.statement})
        return Decided(correction=self.correct(user_token, request) if accept else None)

    def _assistants_user(self, token: str) -> str:
        """The user of an assistant's token; "" for a token of the app."""
        if not token.startswith("cma_"):
            return ""
        user_id, view = self.assistants.get(token, ("", None))
        if view is None or view.revoked_at or view.expires_at <= self.now():
            raise CallRefusal(401, "user_token_invalid", "the assistant's token is unknown, expired or revoked")
        return user_id

    def access(self, user_token: str, after: int | None) -> AccessList:
        self.asked.append(("access", user_token))
        user_id = self._user(user_token)
        entry = AccessEntry(at=self.now(), actor="ann@ops.example", action="workspace.read", reason=f"about {user_id}")
        return AccessList(entries=(entry,), next_after=None if after else 7)

    def _user(self, user_token: str) -> str:
        if user_token in self.refusals:
            raise self.refusals[user_token]
        if user_token not in self.users:
            raise CallRefusal(401, "user_token_invalid", "the user's token is not valid")
        return self.users[user_token]


class World:
    """``client`` calls the app; ``bench`` is the bucket; ``clock`` everybody's."""

    def __init__(
        self,
        tmp: Path,
        *,
        origin: str = ORIGIN,
        codes: bool = True,
        max_bytes: int = 1 << 26,
        read_fault: Any = no_fault,
        model: Callable[[Limits], AskModel] | None = None,
        bench: Bench | None = None,
        vector_of: VectorOf = no_vector,
    ) -> None:
        self.bench = bench or Bench(tmp / "bench")
        self.clock: FakeClock = self.bench.clock
        self.controlplane = FakeControlPlane(self.clock.now)
        self.folder = tmp / "indexes"
        self.folder.mkdir(parents=True)
        self.fault: Any = read_fault
        self.granted: list[Grant] = []
        self.library = OpenMemories(
            self._bucket, PublicRing(Ed25519Signer(PEM).public_keys), self.clock, self.folder, max_bytes
        )
        self.service_limits = Limits(self.clock.monotonic, RATES)
        self.service = ReaderService(
            Grants(self.controlplane, self.clock.now, self.clock.monotonic),
            self.controlplane,
            self.library,
            self.service_limits,
            self.clock,
            self.folder,
            model(self.service_limits) if model else None,
            vector_of,
        )
        self.app = create_app(self.service, Doors(origin, (APP,), KEY, codes=codes))
        self.client = Client(self.app, origin, raises=False, follow_redirects=True)

    def _bucket(self, grant: Grant) -> ReadBlobs:
        self.granted.append(grant)
        return self.bench.blobs.as_seen_by(self.fault).for_prefix(grant.prefix)

    def commit(
        self,
        user_id: str,
        contents: Mapping[str, str | bytes | None],
        job: str = "job-1",
        *,
        indexed: bool = False,
        embedder: Embedder | None = None,
    ) -> None:
        """A commit of one user: these files are written or (None) removed. ``indexed``: with their evidence index, and
        with ``embedder``'s vectors.
        """
        store = self.bench.store()
        root = self.bench.folder()
        workspace = store.of(user_id).hydrate(root, "v1", Free())
        for path, text in contents.items():
            place = root / path
            if text is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text if isinstance(text, bytes) else text.encode())
        if indexed:
            building.update(root, pagefiles.digests(root, Free()), Free())
        if embedder is not None:
            search.embed(root, embedder, self.clock, 60.0, Free())
        store.of(user_id).persist(root, workspace.base, self.bench.meta(job), Free())
        store.close()

    def get(self, path: str, token: str | None = ADA_TOKEN, **headers: str) -> Any:
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        return self.client.get(path, headers=headers)

    def post(self, path: str, body: Any = None, token: str | None = ADA_TOKEN) -> Any:
        headers = {"authorization": f"Bearer {token}"} if token is not None else {}
        return self.client.post(path, json=body, headers=headers)

    def json(self, path: str, token: str = ADA_TOKEN) -> Any:
        answer = self.get(path, token)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def reads(self) -> list[tuple[str, str]]:
        """(verb, name) of every read of the bucket so far."""
        return [(op.verb, op.name) for op in self.bench.blobs.ops]


def filled(tmp: Path, fill: Callable[[World], None], **options: Any) -> World:
    """A world with what ``fill`` commits. It commits once for all tests of a process; each world gets a copy."""
    bench = copied(_filled_bench(fill))
    bench.tmp = tmp / "bench"
    return World(tmp, bench=bench, **options)


@cache
def _filled_bench(fill: Callable[[World], None]) -> Bench:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        fill(world)
        return world.bench


def both(tmp: Path, **options: Any) -> World:
    """A world in which both users have the same files, with their own words."""
    return filled(tmp, commit_both, **options)


def commit_both(world: World) -> None:
    world.commit(ADA, files("ADAWORD"))
    world.commit(BOB, files("BOBWORD"))


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]
