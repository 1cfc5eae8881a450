"""How many utterances a second the rules read, against a floor measured in the same run.

    python -m bench.rules [--rounds 5]

The floor folds the same utterances and splits them into words, which any reader by rules must do.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from consumer.understanding import rules
from consumer.understanding.text import fold, tokens
from consumer.understanding.utterances import Person, RecordText, Utterance
from tests import promises

BAR: int = 5_000
MARA, BOB = Person("Mara Silva", "mara@example.org"), Person("Bob Stone", "bob@example.org")


def records(ordinary: int) -> list[RecordText]:
    """Every sentence of the tables that says something or nearly does, and ``ordinary`` others to each of them."""
    hard = (promises.PROMISES, promises.ANSWERS, promises.FACTS, promises.UNSETTLED, promises.IDLE)
    telling = [row for table in hard for row in promises.rows(table)]
    plain = promises.rows(promises.PLAIN)
    rows = telling + plain * (ordinary * len(telling) // len(plain))
    return [_record(number, row[0], row[1]) for number, row in enumerate(rows)]


def _record(number: int, language: str, text: str) -> RecordText:
    utterance = Utterance(0, MARA, (BOB,), "2026-11-26", "written", text, language)
    return RecordText("email", str(number), "", (utterance,), (MARA, BOB))


def per_second(work: Callable[[RecordText], object], several: list[RecordText], rounds: int) -> float:
    """The best of some rounds, by this process's CPU."""
    best = 0.0
    for _ in range(rounds):
        began = time.process_time()
        for record in several:
            work(record)
        best = max(best, len(several) / (time.process_time() - began))
    return best


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args(argv).rounds
    mail, hard = records(5), records(0)
    floor = per_second(lambda record: tokens(fold(record.utterances[0].text)), mail, rounds)
    read = per_second(lambda record: rules.read(record, region="US"), mail, rounds)
    worst = per_second(lambda record: rules.read(record, region="US"), hard, rounds)
    print(f"{read:,.0f} utterances a second (bar {BAR:,}); floor, words only: {floor:,.0f}")
    print(f"where every utterance looks like a promise: {worst:,.0f}")
    return 0 if read >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
