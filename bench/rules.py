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


def records() -> list[RecordText]:
    """One of each sentence that may say something to ten ordinary ones, as mail has them."""
    telling = promises.rows(promises.PROMISES) + promises.rows(promises.ANSWERS) + promises.rows(promises.FACTS)
    plain = promises.rows(promises.UNSETTLED) + promises.rows(promises.IDLE) + promises.rows(promises.PLAIN)
    rows = [(row[0], row[1]) for row in telling + plain * (10 * len(telling) // len(plain))]
    return [
        RecordText("email", str(n), "", (Utterance(0, MARA, (BOB,), "2026-11-26", "written", text, language),), (MARA, BOB))
        for n, (language, text) in enumerate(rows)
    ]  # fmt: skip


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
    several = records()
    floor = per_second(lambda record: tokens(fold(record.utterances[0].text)), several, rounds)
    read = per_second(lambda record: rules.read(record, region="US"), several, rounds)
    print(f"{len(several)} utterances: {read:,.0f} a second; floor (words only) {floor:,.0f}; bar {BAR:,}")
    return 0 if read >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
