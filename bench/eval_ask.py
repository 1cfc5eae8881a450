"""How many questions are answered rightly, wrongly, or not at all, over the worlds of tests/data/questions.

    python -m bench.eval_ask [--misses]
    OPENAI_API_KEY=... python -m bench.eval_ask [--model gpt-5.4-nano] [--misses]
    python -m bench.eval_ask --base-url http://127.0.0.1:8080/v1 --model NAME

Facts answer first. With a key or ``--base-url`` a model is asked about the rest, through the gateway and with the
checks that users get. Passages come from the evidence index.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import manifests
from consumer.agent.answerer import ModelAnswerer
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.ports import ModelTags
from consumer.reports import asking, evidence, passages
from consumer.reports.asking import Asker
from contract.api import Usage
from service.clock import SystemClock
from tests import questions
from tests.fake_export import OpenGuard
from tests.questions import Verdict, World

OPENAI = "https://api.openai.com/v1"
#: Of all questions together.
LIMITS = UsageLimits(requests=1000, tokens=2_000_000, cost_usd=2.0)
OUTCOMES = ("right", "silent", "wrong")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.eval_ask", description=__doc__)
    parser.add_argument("--model", default="gpt-5.4-nano")
    parser.add_argument("--base-url", help=f"OpenAI-compatible endpoint instead of {OPENAI}")
    parser.add_argument("--misses", action="store_true", help="list the questions that were not answered rightly")
    args = parser.parse_args()
    key = os.environ.get("OPENAI_API_KEY", "")
    model = _model(args.base_url or OPENAI, key or "none", args.model) if key or args.base_url else None
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for world in questions.load():
        with tempfile.TemporaryDirectory() as folder:
            for question, said_by, verdict in _ask(world, Path(folder), model):
                counts[world.set.strip("-"), _group(question), said_by, verdict.outcome] += 1
                if args.misses and verdict.outcome != "right":
                    print(f"{verdict.outcome} ({said_by}) {question['ask']} {verdict.why}")
    _print(counts)
    if model:
        # An answerer that is made and not asked knows what all before it spent.
        usage = model().spent
        print(f"{args.model}: {usage.input_tokens} tokens in, {usage.output_tokens} out, {usage.cost_usd:.4f} USD")


def _model(base_url: str, key: str, name: str) -> Callable[[], ModelAnswerer]:
    """A fresh answerer for each question; what the ones before spent counts."""
    gateway = LoopbackGateway(base_url, key, frozenset({name}), LIMITS, manifests.model_prices(), SystemClock())
    asked: list[ModelAnswerer] = []

    def answerer() -> ModelAnswerer:
        spent = asked[-1].spent.plus(asked[-1].usage) if asked else Usage()
        asked.append(ModelAnswerer(gateway, name, ModelTags("eval", "eval", "ask", "eval", "v1"), spent))
        return asked[-1]

    return answerer


def _ask(
    world: World, root: Path, model: Callable[[], ModelAnswerer] | None
) -> list[tuple[Mapping[str, Any], str, Verdict]]:
    questions.rendered(world, root)
    pages = evidence.load(root, OpenGuard())
    memory = asking.load(lambda path: (root / path).read_bytes(), world.at)
    records = {(place.page, place.anchor): record_id for (_, record_id), place in memory.places.items()}
    people = passages.directory(pages.values())
    answers: list[tuple[Mapping[str, Any], str, Verdict]] = []
    with questions.searching(root) as search:
        for question in world.questions:
            asker = Asker(
                memory,
                pages.get,
                search,
                locale=world.locale,
                model=model() if model else None,
                people=people,
            )
            answer = asker.ask(question["ask"])
            cited = [records[cited.page, cited.anchor] for cited in answer.citations()]
            verdict = questions.judge(question, [sentence.text for sentence in answer.sentences], cited)
            answers.append((question, answer.said_by, verdict))
    return answers


def _group(question: Mapping[str, Any]) -> str:
    return "cannot be answered" if question.get("none") else "trap" if question.get("or_none") else "can be answered"


def _print(counts: Mapping[tuple[str, str, str, str], int]) -> None:
    print(f"{'set':12}{'questions':22}{'said by':10}" + "".join(f"{name:>8}" for name in OUTCOMES))
    for row in sorted({key[:3] for key in counts}):
        print(f"{row[0]:12}{row[1]:22}{row[2]:10}" + "".join(f"{counts.get((*row, name), 0):8}" for name in OUTCOMES))


if __name__ == "__main__":
    main()
