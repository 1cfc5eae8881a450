"""
Evidence recall of the brain, and citation precision of the report, over the sample user.

    python -m bench.quality [--gbrain /path/to/gbrain] [--vectors] [--dream] [--misses]

Recall@5 of a question: the share of its facts of which a page that holds them is among the five best. Precision: the
share of the report's citations whose page holds the quoted words, checked here by plain search in the file, not by the
code that made the report. ``--gbrain`` (or GBRAIN_BIN): every question is also asked of GBrain, with every tool that an
agent has for searching, in the order in which the skills name them; "gbrain" is what these find together.

``--dream``: GBrain then dreams with the offline model, the index stage indexes what the dream wrote, and the bench asks
every question again, of each tool as before.

Exit code 1: recall is below 0.95 with either brain, GBrain's is below the local brain's, or a citation does not hold.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import orjson
import yaml

import manifests
from bench import brain_server
from bench.agent import offline_model
from bench.brain_server import SEARCHES, BrainServer
from bench.quality import sample
from consumer import layout
from consumer.agent.embedder import ModelEmbedder
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.agent.localbrain import tools
from consumer.agent.localbrain.brain import COPY, LocalBrain
from consumer.agent.localbrain.tools import ToolContext
from consumer.evidence import pages, search
from consumer.evidence.index import open_index
from consumer.ports import ModelAccess
from consumer.reports import citations, evidence
from consumer.reports.evidence import PageCache
from consumer.run import Run
from consumer.stages.dream import Dream
from consumer.stages.index import Index
from consumer.stages.report import Report
from local.model import MODEL as OFFLINE_MODEL
from local.seed.mail import in_words
from service.clock import SystemClock
from tests import minilm
from tests.fake_export import OpenGuard

TOP: Final = 5
#: The least recall at TOP, with either brain.
BAR: Final = 0.95
#: Seconds for embedding all pages.
EMBEDDING_S: Final = 3600.0
RESULTS: Final = Path(__file__).parent.parent / "results"
Find = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class QualityQuestion:
    kind: str
    ask: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """``recall``: share of facts found among the best; ``rank`` of the first page with any of them, 0 for none."""

    question: QualityQuestion
    recall: float
    rank: int


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.quality", description=__doc__)
    parser.add_argument("--gbrain", default=os.environ.get("GBRAIN_BIN", ""), help="also measure this GBrain")
    parser.add_argument("--vectors", action="store_true", help="embed with the packaged model (all-MiniLM-L6-v2)")
    parser.add_argument("--dream", action="store_true", help="also ask GBrain after a dream")
    parser.add_argument("--misses", action="store_true", help="list the questions that were not fully answered")
    args = parser.parse_args()
    with ExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        run = sample.build(root)
        run = Index(LocalBrain()).run(run, OpenGuard())
        embedder = _embedder(root, stack) if args.vectors else None
        texts = {
            slug: citations.normalize(f"{page.title}\n{page.body}")
            for slug, page in evidence.load(root, OpenGuard()).items()
            if slug.startswith("sources/")
        }
        verdicts_by_brain = {"local": judge(texts, local_find(root, embedder))}
        if args.gbrain:
            with brain_server.gbrain(root, args.gbrain, embedder.access if embedder else None) as brain:
                verdicts_by_brain |= judged_with(texts, brain)
            if args.dream:
                verdicts_by_brain |= after_a_dream(run, texts, args.gbrain, embedder)
        written = Report(PageCache(open_index)).run(run, OpenGuard())
        assert written.reported
        precision = report_precision(root, written.reported.json)
    show(verdicts_by_brain, precision, misses=args.misses)
    recalls = {name: recall(verdicts) for name, verdicts in verdicts_by_brain.items()}
    # Evidence that GBrain's tools find together: at least what the local brain finds.
    below = recalls.get("gbrain", 1.0) < max(BAR, recalls["local"]) or recalls["local"] < BAR
    return 1 if below or precision["hold"] != precision["total"] else 0


def recall(verdicts: Sequence[Verdict]) -> float:
    """The mean over the questions that have an answer."""
    return statistics.mean(verdict.recall for verdict in verdicts if verdict.question.kind != "absent")


def questions() -> list[QualityQuestion]:
    """All questions with their dates filled in."""
    text = Path(__file__).with_name("questions.yaml").read_text("utf-8")
    filled = re.sub(r"\{day\+(\d+)\}", lambda m: in_words(sample.TODAY + timedelta(days=int(m[1]))), text)
    return [QualityQuestion(row["kind"], row["ask"], tuple(row["facts"])) for row in yaml.safe_load(filled)]


def judge(texts: Mapping[str, str], find: Find) -> list[Verdict]:
    """Every question against one brain. A fact that no page holds is a fault of the questions, not of the brain."""
    verdicts = []
    for question in questions():
        if question.kind == "absent":
            answering = [
                slug for slug, text in texts.items() if all(fact.casefold() in text for fact in question.facts)
            ]
            assert not answering, f"{question.ask}: answered by {answering[0]}"
            verdicts.append(Verdict(question, 1.0, 0))
            continue
        best = find(question.ask)[:TOP]
        sets = [{slug for slug, text in texts.items() if citations.normalize(fact) in text} for fact in question.facts]
        assert all(sets), f"{question.ask}: no page holds {question.facts}"
        hits = [bool(wanted & set(best)) for wanted in sets]
        rank = next((n for n, slug in enumerate(best, 1) if any(slug in wanted for wanted in sets)), 0)
        verdicts.append(Verdict(question, sum(hits) / len(hits), rank))
    return verdicts


def _embedder(root: Path, stack: ExitStack) -> ModelEmbedder:
    """The packaged model that embedded the evidence index. ``stack`` ends its server."""
    access = ModelAccess(stack.enter_context(minilm.serving(minilm.MiniLM(), brain_server.NUMBERS)), "none")
    embedder = ModelEmbedder(access, minilm.MODEL)
    made = search.embed(root, embedder, SystemClock(), EMBEDDING_S, OpenGuard(), most=sys.maxsize)
    assert not made.waiting, made.note
    return embedder


def local_find(root: Path, embedder: ModelEmbedder | None = None) -> Find:
    session = ToolContext(root / layout.SEARCH_INDEX, root / COPY, root / layout.BRAIN)
    if embedder is not None:
        session.embedder = embedder

    def find(ask: str) -> list[str]:
        answer, failed = tools.call(session, "query", {"query": ask, "limit": TOP})
        assert not failed, answer
        return [row["slug"] for row in answer]

    return find


def finding(brain: BrainServer, *asked: str) -> Find:
    """What an agent finds that asks these tools, one after the other."""

    def find(ask: str) -> list[str]:
        answers = [brain.rows(tool, query=ask, limit=TOP) for tool in asked]
        return [row["slug"] for row in brain_server.together(answers)]

    return find


def judged_with(texts: Mapping[str, str], brain: BrainServer, when: str = "") -> dict[str, list[Verdict]]:
    """The verdicts of GBrain's tools together and of each search alone. ``when`` ends their names."""
    verdicts = {f"gbrain{when}": judge(texts, finding(brain, *SEARCHES))}
    for tool in SEARCHES:
        verdicts[f"gbrain {tool}{when}"] = judge(texts, finding(brain, tool))
    return verdicts


def after_a_dream(
    run: Run, texts: Mapping[str, str], binary: str, embedder: ModelEmbedder | None = None
) -> dict[str, list[Verdict]]:
    """The verdicts of both brains after a dream in the workspace of ``run``, whose GBrain has all pages.

    Prints the dream's phases and its requests to the model.
    """
    access, guard, clock = embedder.access if embedder else None, OpenGuard(), SystemClock()
    brain = brain_server.new_brain(binary, access)
    dreaming = replace(run, job=run.job.model_copy(update={"job_type": "dream"}))
    with offline_model() as url:
        limits = UsageLimits(10**4, 10**8, 10.0)
        models = frozenset({OFFLINE_MODEL, brain.embedding_model})
        gateway = LoopbackGateway(url, "key", models, limits, manifests.model_prices(), clock)
        brain.open(run.root, guard)
        done = Dream(brain, gateway, OFFLINE_MODEL, manifests.model_prices()).run(dreaming, guard)
    assert done.dreamt
    outcomes = ", ".join(f"{phase.name} {phase.outcome} {phase.seconds} s" for phase in done.dreamt.phases)
    print(f"dream: {len(done.dreamt.pages)} pages; {outcomes}")
    print(
        f"dream: {done.usage.requests} requests, {done.usage.input_tokens:,} tokens in, "
        f"{done.usage.output_tokens:,} out"
    )
    Index(brain).run(done, guard)
    Index(LocalBrain()).run(done, guard)
    verdicts = {"local after a dream": judge(texts, local_find(run.root, embedder))}
    with brain_server.serve(brain, run.root, access) as server:
        verdicts |= judged_with(texts, server, " after a dream")
    return verdicts


def report_precision(root: Path, report: str) -> dict[str, int]:
    """How many citations of the report hold, by a search of our own in the files."""
    cited: list[dict[str, Any]] = orjson.loads((root / report).read_bytes())["citations"]["citations"]
    holds = 0
    for citation in cited:
        text = (root / layout.BRAIN / pages.path_of(citation["page"])).read_text("utf-8")
        holds += _letters(citation["quote"]) in _letters(text)
    return {"total": len(cited), "hold": holds}


def _letters(text: str) -> str:
    """Letters and digits alone: what no markup can change."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def show(verdicts_by_brain: Mapping[str, list[Verdict]], precision: Mapping[str, int], *, misses: bool) -> None:
    summary: dict[str, Any] = {"citations": precision}
    for name, verdicts in verdicts_by_brain.items():
        by_kind: dict[str, list[float]] = defaultdict(list)
        for verdict in verdicts:
            by_kind[verdict.question.kind].append(verdict.recall)
        answerable = [verdict for verdict in verdicts if verdict.question.kind != "absent"]
        total = recall(verdicts)
        first = statistics.mean(1 / verdict.rank if verdict.rank else 0.0 for verdict in answerable)
        print(f"{name}: {len(verdicts)} questions, recall@{TOP} {total:.3f}, mean reciprocal rank {first:.3f}")
        for kind, values in by_kind.items():
            print(f"  {kind:14} {len(values):3} {statistics.mean(values):.3f}")
        summary[name] = {"recall_at_5": round(total, 4), "mrr": round(first, 4)}
        for verdict in verdicts if misses else ():
            if verdict.recall < 1:
                print(f"  missed {verdict.recall:.2f}: {verdict.question.ask}")
    print(f"report: {precision['hold']} of {precision['total']} citations hold")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "quality.json").write_bytes(orjson.dumps(summary, option=orjson.OPT_INDENT_2))


if __name__ == "__main__":
    sys.exit(main())
