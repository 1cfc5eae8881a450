"""
Evidence found in the public conversations of LoCoMo, through the local brain's own tool.

    python -m bench.locomo --data locomo10.zip [--json] [--keep FOLDER] [--misses] [--gbrain /path/to/gbrain]
                           [--conversations 2]
                           [--vectors | --embeddings http://127.0.0.1:8000/v1 --embedding-model NAME]

``--embeddings``: the index also gets vectors of a model behind OpenAI's API, and the questions too. ``--vectors``: the
same with a small packaged model (``tests.minilm``). ``--gbrain`` (or GBRAIN_BIN): the bench also asks GBrain every
question over the merged pages, with each search tool that an agent has, in the order in which the skills name them. All
tools together must find no less than the local brain.

Every session is one record that goes through the real export, render and index stages. P@k: a page of an evidence
session is among the first k pages of the answer. T@k: the text of an evidence turn is in what the answer gives of these
pages (up to three passages each). "all": every evidence session is among the first ten. Brains: "merged" has the
transcripts of all conversations, "own" and "chat" have one conversation each, as transcripts or as chats.

"tuned" are the first, third, ... conversation of the list, and "other" the rest, which the last choice of constants
has seen too. The last line is JSON. Exit code 1: a figure is below its bar.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from bench import brain_server
from bench.brain_server import SEARCHES
from bench.locomo import conversations, workspaces
from bench.locomo.conversations import CATEGORIES, AskedQuestion, RecordedConversation
from bench.locomo.workspaces import Kind
from consumer import layout
from consumer.agent.embedder import ModelEmbedder
from consumer.agent.localbrain import tools
from consumer.agent.localbrain.brain import COPY, LocalBrain
from consumer.agent.localbrain.tools import EVIDENCE_SEARCH, ToolContext
from consumer.evidence import search
from consumer.ports import Embedder, ModelAccess
from consumer.stages.index import Index
from service.clock import SystemClock
from tests import minilm
from tests.fake_export import FakeExport, OpenGuard, run_of

RESULTS: Final = Path(__file__).parent.parent / "results"
FIRST: Final = (5, 10)
#: Seconds for embedding one brain, and for one request to the model. The limits allow for a busy machine: if the vector
#: of a question came too late, the search would use only its words, and the figure would still count as one with
#: vectors.
EMBEDDING_S: Final = 7200.0
REQUEST_S: Final = 600.0
#: Texts in one request.
BATCH: Final = 8
#: (brain, figure) -> percent.
BARS: Final[Mapping[tuple[str, str], float]] = {
    ("merged", "p5"): 92.0,
    ("merged", "t5"): 90.0,
    ("chat", "t5"): 85.0,
    ("own", "multi_hop_all10"): 62.0,
}


@dataclass(frozen=True, slots=True)
class PatientEmbedder:
    """Implements consumer.ports.Embedder with small requests and a limit of REQUEST_S each, whatever limit the caller
    sets.
    """

    inner: ModelEmbedder

    @property
    def model(self) -> str:
        return self.inner.model

    def embed(self, texts: Sequence[str], limit_s: float) -> Sequence[Sequence[float]]:
        """See ports.Embedder; raises what it raises."""
        batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
        return [vector for batch in batches for vector in self.inner.embed(batch, REQUEST_S)]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the answer to a question has: whether it has any evidence page or turn, and all pages, by k."""

    conversation: str
    question: AskedQuestion
    page: Mapping[int, bool]
    turn: Mapping[int, bool]
    every_page: Mapping[int, bool]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.locomo", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="LoCoMo's archive or JSON file")
    parser.add_argument("--json", action="store_true", help="print the last line alone")
    parser.add_argument("--keep", type=Path, help="keep the rendered workspaces here, for the next run")
    parser.add_argument("--misses", action="store_true", help="list the questions without an evidence page at five")
    parser.add_argument("--embeddings", default="", help="base URL of an embedding model; OPENAI_API_KEY: its key")
    parser.add_argument("--embedding-model", default="text-embedding-3-small", help="the model's name")
    parser.add_argument("--vectors", action="store_true", help="embed with the packaged model (all-MiniLM-L6-v2)")
    parser.add_argument("--gbrain", default=os.environ.get("GBRAIN_BIN", ""), help="also ask this GBrain")
    parser.add_argument("--conversations", type=int, help="use only the first N; then only GBrain's bar applies")
    args = parser.parse_args()
    several = conversations.read(args.data)[: args.conversations]
    with ExitStack() as stack:
        folder = args.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        embedder = _embedder(args, stack)
        judged = {
            "merged": measure(folder / "merged", several, "transcript", embedder),
            "own": [
                each
                for talk in several
                for each in measure(folder / f"own-{talk.name}", [talk], "transcript", embedder)
            ],
            "chat": [
                each for talk in several for each in measure(folder / f"chat-{talk.name}", [talk], "chat", embedder)
            ],
        }
        if args.gbrain:
            judged |= measure_gbrain(folder / "merged", several, args.gbrain, embedder)
    tuned = {talk.name for talk in several[::2]}
    summary = {brain: figures(each, tuned) for brain, each in judged.items()}
    if not args.json:
        show(summary)
    if args.misses:
        for each in judged["merged"]:
            if not each.page[5]:
                print(f"  missed ({CATEGORIES[each.question.category]}): {each.question.text}")
    bars = {} if args.conversations else dict(BARS)
    if "gbrain" in summary:
        bars |= {("gbrain", name): summary["merged"][name] for name in ("p5", "t5")}
    below = [f"{brain} {name}" for (brain, name), bar in bars.items() if summary[brain][name] < bar]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "locomo.json").write_bytes(orjson.dumps(summary, option=orjson.OPT_INDENT_2))
    print(json.dumps({**summary, "below_bars": below}))
    return 1 if below else 0


def measure(
    root: Path, several: Sequence[RecordedConversation], kind: Kind, embedder: Embedder | None = None
) -> list[Judged]:
    """Every question of these conversations, asked of one brain that has their sessions."""
    if not (root / layout.BRAIN).is_dir():
        root.mkdir(parents=True, exist_ok=True)
        workspaces.build(root, several, kind)
    Index(LocalBrain()).run(run_of(root, FakeExport()), OpenGuard())
    session = ToolContext(root / layout.SEARCH_INDEX, root / COPY, root / layout.BRAIN)
    if embedder is not None:
        session.embedder = embedder
        made = search.embed(root, embedder, SystemClock(), EMBEDDING_S, OpenGuard(), most=sys.maxsize)
        assert not made.waiting, made.note
    places = workspaces.places(root, several)
    judged = []
    for talk in several:
        for question in talk.questions:
            arguments = {"query": question.text, "limit": max(FIRST), "full": True}
            rows, failed = tools.call(session, "query", arguments)
            assert not failed, rows
            judged.append(judge(talk, question, rows, places))
    session.close()
    return judged


def _embedder(args: argparse.Namespace, stack: ExitStack) -> PatientEmbedder | None:
    """The embedder that the arguments name; ``stack`` ends its server."""
    if args.vectors:
        url = stack.enter_context(minilm.serving(minilm.MiniLM(), brain_server.NUMBERS))
        return PatientEmbedder(ModelEmbedder(ModelAccess(url, "none"), minilm.MODEL))
    access = ModelAccess(args.embeddings, os.environ.get("OPENAI_API_KEY", "none"))
    return PatientEmbedder(ModelEmbedder(access, args.embedding_model)) if args.embeddings else None


def measure_gbrain(
    root: Path, several: Sequence[RecordedConversation], binary: str, embedder: PatientEmbedder | None = None
) -> dict[str, list[Judged]]:
    """Every question, asked of each tool of GBrain and the index beside it: by tool, and of all tools together."""
    places = workspaces.places(root, several)
    judged: dict[str, list[Judged]] = {"gbrain": [], **{f"gbrain {tool}": [] for tool in SEARCHES}}
    with brain_server.gbrain(root, binary, embedder.inner.access if embedder else None) as brain:
        for talk in several:
            for question in talk.questions:
                answers = []
                for tool in SEARCHES:
                    whole = {"full": True, "limit": max(FIRST)} if tool == EVIDENCE_SEARCH else {}
                    answers.append(brain.rows(tool, query=question.text, **whole))
                    judged[f"gbrain {tool}"].append(judge(talk, question, answers[-1], places))
                judged["gbrain"].append(judge(talk, question, brain_server.together(answers), places))
    return judged


def judge(
    talk: RecordedConversation,
    question: AskedQuestion,
    rows: Sequence[Mapping[str, Any]],
    places: Mapping[str, workspaces.SessionPlace],
) -> Judged:
    """``rows``: the tool's answer, a page each, best first."""
    sessions: list[int | None] = []
    for row in rows:
        place = places.get(row["slug"])
        sessions.append(place.session if place and place.conversation == talk.name else None)
    evidence = [talk.turn(turn_id) for turn_id in question.evidence]
    wanted = {session.number for session, _ in evidence}
    turns = [_plain(workspaces.line_of(turn)) for _, turn in evidence]
    texts = [_plain(row.get("chunk_text") or row.get("snippet") or "") for row in rows]
    return Judged(
        talk.name,
        question,
        {k: any(session in wanted for session in sessions[:k]) for k in FIRST},
        {k: any(turn in text for turn in turns for text in texts[:k]) for k in FIRST},
        {k: wanted <= set(sessions[:k]) for k in FIRST},
    )


def figures(judged: Sequence[Judged], tuned: set[str]) -> dict[str, Any]:
    """Percent, of all questions, of each category and of each half."""
    by_category: dict[str, list[Judged]] = defaultdict(list)
    for each in judged:
        by_category[CATEGORIES[each.question.category]].append(each)
    multi_hop = by_category["multi-hop"]
    return {
        **dict(_percent(judged)),
        "questions": len(judged),
        "multi_hop_all5": _share([each.every_page[5] for each in multi_hop]),
        "multi_hop_all10": _share([each.every_page[10] for each in multi_hop]),
        "categories": {name: dict(_percent(each)) for name, each in sorted(by_category.items())},
        "tuned": dict(_percent([each for each in judged if each.conversation in tuned])),
        "other": dict(_percent([each for each in judged if each.conversation not in tuned])),
    }


def _percent(judged: Sequence[Judged]) -> Iterator[tuple[str, float]]:
    for k in FIRST:
        yield f"p{k}", _share([each.page[k] for each in judged])
        yield f"t{k}", _share([each.turn[k] for each in judged])
    yield "all10", _share([each.every_page[10] for each in judged])


def _share(values: Sequence[bool]) -> float:
    return round(100 * sum(values) / len(values), 1) if values else 0.0


def _plain(text: str) -> str:
    """Words and signs with single blanks: how lines are broken does not matter."""
    return " ".join(text.split())


def show(summary: Mapping[str, Mapping[str, Any]]) -> None:
    for brain, each in summary.items():
        rows = {"all": each, **each["categories"], "tuned half": each["tuned"], "other half": each["other"]}
        print(f"{brain}: {each['questions']} questions, multi-hop with all pages @10 {each['multi_hop_all10']}")
        for name, row in rows.items():
            values = "  ".join(f"{key} {row[key]:5.1f}" for key in ("p5", "p10", "t5", "t10", "all10"))
            print(f"  {name:12} {values}")


if __name__ == "__main__":
    sys.exit(main())
