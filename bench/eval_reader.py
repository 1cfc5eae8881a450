"""Precision and recall of a reader on the labelled set, by kind and language.

    python -m bench.eval_reader [--reader rules] [--misses]
    OPENAI_API_KEY=... python -m bench.eval_reader [--model gpt-5.4-nano] [--misses]
    python -m bench.eval_reader --base-url http://127.0.0.1:8080/v1 --model NAME

The model is asked through the gateway, with the code that a run uses. Any OpenAI-compatible endpoint will do that takes
structured output by JSON schema. With ``--base-url`` no key is needed: one on this machine may have none.
tests/data/labelled/README.md says what is labelled. The rules are measured on the held-out utterances too.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import manifests
from consumer import paths
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import LoopbackGateway
from consumer.agent.reader import ModelReader, PaidReadings
from consumer.ports import ModelSession, ModelTags
from consumer.storage.memory import MemoryBlobStore
from consumer.understanding.languages import LANGUAGES
from consumer.understanding.readers import RecordReader, RulesReader
from consumer.understanding.statements import Answer, Commitment, Decision, Fact, Request, Statement
from consumer.understanding.utterances import ME, Person, RecordText
from contract.api import Usage
from service.clock import SystemClock
from tests import labelled
from tests.labelled import Labelled

#: What is told as an open loop or closes one.
LOOPS = ("commitment", "request", "answer")
KINDS = (*LOOPS, "decision", "fact")
RECALL_BAR = 0.8
PRECISION_BAR = 0.95
USER = "eval"
OPENAI = "https://api.openai.com/v1"
#: Of all questions; the whole set takes some 40,000 tokens.
LIMITS = UsageLimits(requests=500, tokens=1_000_000, cost_usd=2.0)


@dataclass(slots=True)
class Score:
    """Counts by (language, kind); ``right`` and ``asked`` by name of a field of what was found."""

    hits: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def recall(self, languages: Sequence[str], kinds: Sequence[str]) -> float | None:
        hits, missed = _sum(self.hits, languages, kinds), _sum(self.missed, languages, kinds)
        return hits / (hits + missed) if hits + missed else None

    def precision(self, languages: Sequence[str], kinds: Sequence[str]) -> float | None:
        hits, wrong = _sum(self.hits, languages, kinds), _sum(self.wrong, languages, kinds)
        return hits / (hits + wrong) if hits + wrong else None


def score(reader: RecordReader, several: Sequence[Labelled]) -> Score:
    made = Score()
    for example, result in zip(several, reader.read([each.record for each in several]), strict=True):
        made.refusals.update(refusal.reason for refusal in result.refusals)
        _compare(example, result.statements, made)
    return made


def _compare(example: Labelled, statements: Sequence[Statement], made: Score) -> None:
    texts = {utterance.number: utterance.text for utterance in example.record.utterances}
    left = [(kind(each), texts[quotes(each)[0].utterance], each) for each in statements]
    for label in example.labels:
        key = (example.language, label["kind"])
        same = [each for each in left if each[0] == label["kind"] and label["in"] in each[1]]
        if not same:
            made.missed[key] += 1
            made.notes.append(f"missed {label['kind']:10} {example.record.record_id}: {label['in']}")
            continue
        made.hits[key] += 1
        left = [each for each in left if each not in same]
        _fields(example, label, [each[2] for each in same], made)
    for name, text, _ in left:
        if not any(name in each["kinds"] and each["in"] in text for each in example.optional):
            made.wrong[example.language, name] += 1
            made.notes.append(f"wrong  {name:10} {example.record.record_id}: {text}")


def _fields(example: Labelled, label: Mapping[str, Any], same: Sequence[Statement], made: Score) -> None:
    """Of several statements of one utterance the best counts."""
    for name, wanted in (("owner", [label["owner"]]), ("to", label.get("to")), ("object", label.get("object"))):
        if wanted is not None:
            _count(example, name, wanted, [_given(each, name) for each in same], made)
    for name in ("day", "verdict"):
        if name in label:
            _count(example, name, label[name], [_given(each, name) for each in same], made)
    if "day" not in label and "due" not in label and label["kind"] in ("commitment", "request"):
        _count(example, "no day", "", [_given(each, "day") for each in same], made)


def _count(example: Labelled, name: str, wanted: Any, given: Sequence[Any], made: Score) -> None:
    made.asked[name] += 1
    right = any(wanted.lower() in each.lower() for each in given) if name == "object" else wanted in given
    if right:
        made.right[name] += 1
    else:
        made.notes.append(f"{name:6} {example.record.record_id}: {wanted} expected, got {given}")


def _given(statement: Statement, name: str) -> Any:
    if name == "owner":
        return [person_name(each) for each in owners(statement)]
    if name == "to":
        return [person_name(each) for each in beneficiaries(statement)]
    if name == "object":
        return thing(statement)
    if name == "verdict":
        return getattr(statement, "verdict", "")
    due = getattr(statement, "due", None)
    return due.day if due else ""


def kind(statement: Statement) -> str:
    return type(statement).__name__.lower()


def quotes(statement: Statement) -> tuple[Any, ...]:
    return statement.quotes


def owners(statement: Statement) -> tuple[Person, ...]:
    if isinstance(statement, Commitment):
        return (statement.owner,)
    if isinstance(statement, Request):
        return (statement.asker,)
    if isinstance(statement, Answer | Fact):
        return (statement.by,)
    return statement.who if isinstance(statement, Decision) else ()


def beneficiaries(statement: Statement) -> tuple[Person, ...]:
    if isinstance(statement, Commitment):
        return statement.beneficiaries
    if isinstance(statement, Request):
        return statement.asked
    return statement.to if isinstance(statement, Answer) else ()


def thing(statement: Statement) -> str:
    if isinstance(statement, Decision):
        return f"{statement.what} {statement.about}"
    if isinstance(statement, Fact):
        return f"{statement.subject} {statement.attribute}"
    return statement.object if isinstance(statement, Commitment | Request | Answer) else ""


def person_name(person: Person) -> str:
    return "me" if person == ME else person.name


def report(made: Score, languages: Sequence[str], *, misses: bool) -> str:
    lines = [f"{'':10} " + " ".join(f"{name:>15}" for name in KINDS) + f" {'loops':>15}"]
    for language in languages:
        cells = [_cell(made, [language], [name]) for name in KINDS]
        lines.append(f"{language:10} " + " ".join(cells) + " " + _cell(made, [language], LOOPS))
    cells = [_cell(made, languages, [name]) for name in KINDS]
    lines.append(f"{'all':10} " + " ".join(cells) + " " + _cell(made, languages, LOOPS))
    lines.append("precision/recall (labels)")
    shares = [f"{name} {made.right[name]}/{made.asked[name]}" for name in sorted(made.asked)]
    lines.append("of what was found: " + ", ".join(shares))
    if made.refusals:
        counts = sorted(made.refusals.items())
        lines.append("refused: " + ", ".join(f"{reason} {count}" for reason, count in counts))
    return "\n".join([*lines, *(made.notes if misses else [])])


def held_out(reader: RecordReader, languages: Sequence[str], *, misses: bool) -> str:
    made = score(reader, [each for each in labelled.load_held_out() if each.language in languages])
    return "\nheld out:\n" + report(made, languages, misses=misses) + "\n"


def _cell(made: Score, languages: Sequence[str], kinds: Sequence[str]) -> str:
    labels = _sum(made.hits, languages, kinds) + _sum(made.missed, languages, kinds)
    precision, recall = made.precision(languages, kinds), made.recall(languages, kinds)
    return f"{f'{_share(precision)}/{_share(recall)} ({labels})':>15}"


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.2f}"


def _sum(counts: Counter[tuple[str, str]], languages: Sequence[str], kinds: Sequence[str]) -> int:
    return sum(counts[language, name] for language in languages for name in kinds)


class _Free:
    """A guard that lets everything pass."""

    def check(self) -> None:
        return

    def time_left(self) -> float:
        return 3600.0


@contextmanager
def model_reader(base_url: str, key: str, model: str) -> Iterator[tuple[ModelReader, ModelSession]]:
    clock = SystemClock()
    blobs = MemoryBlobStore(clock).for_prefix(paths.user(USER))
    gateway = LoopbackGateway(base_url, key, frozenset({model}), LIMITS, manifests.model_prices(), clock)
    tags = ModelTags("eval", USER, "eval", "eval", "v1")
    with gateway.open(tags, Usage()) as session:
        yield (
            ModelReader(session, model, PaidReadings(blobs, USER), _NoReader(), _Free(), LIMITS.tokens),
            session,
        )


class _NoReader(RulesReader):
    """In place of the rules: what the model cannot read must not count as read."""

    def read(self, records: Sequence[RecordText]) -> list[Any]:
        return [super(_NoReader, self)._read(record)._replace(statements=()) for record in records]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.eval_reader", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--reader", choices=("rules", "model"), help="default: model with OPENAI_API_KEY or --base-url, else rules"
    )
    parser.add_argument("--base-url", help=f"OpenAI-compatible endpoint instead of {OPENAI}")
    parser.add_argument("--model", default="gpt-5.4-nano")
    parser.add_argument("--language", action="append", help="only these; may be repeated")
    parser.add_argument("--misses", action="store_true", help="list what was missed, wrong or of other fields")
    parser.add_argument("--held-out-misses", action="store_true", help="the same for the held-out utterances")
    args = parser.parse_args(argv)
    key = os.environ.get("OPENAI_API_KEY", "")
    chosen = args.reader or ("model" if key or args.base_url else "rules")
    several = [each for each in labelled.load() if not args.language or each.language in args.language]
    languages = sorted({each.language for each in several})
    if chosen == "model":
        base_url = args.base_url or OPENAI
        with model_reader(base_url, key, args.model) as (reader, session):
            made = score(reader, several)
            usage = session.usage()
        print(f"{args.model} at {base_url}, reader {reader.version}")
        cost = f"{usage.cost_usd} USD" if args.model in manifests.model_prices() else "cost unknown"
        print(f"{usage.requests} requests, {usage.input_tokens} + {usage.output_tokens} tokens, {cost}")
        if reader.stopped:
            print(f"the reader stopped ({reader.stopped}): what it did not ask about counts as missed")
        print(report(made, languages, misses=args.misses))
        measured = languages
    else:
        rules = RulesReader()
        made = score(rules, several)
        measured = [each for each in languages if each in LANGUAGES]
        print(f"no model, reader {rules.version}; it reads {', '.join(measured)}")
        print(report(made, languages, misses=args.misses))
        print(held_out(rules, measured, misses=args.held_out_misses))
    recall, precision = made.recall(measured, LOOPS), made.precision(measured, LOOPS)
    print(f"loops: recall {_share(recall)} (bar {RECALL_BAR}), precision {_share(precision)} (bar {PRECISION_BAR})")
    return 0 if (recall or 0) >= RECALL_BAR and (precision or 0) >= PRECISION_BAR else 1


if __name__ == "__main__":
    sys.exit(main())
