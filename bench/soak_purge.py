"""Soak of the purge: thousands of random workspaces and selections, each looked through afterwards to the last byte.

    python -m bench.soak_purge [--cases 5000] [--first 1000]

The property is that of tests/unit/erasure/test_purge_property.py, over other cases.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests import erasing

#: Cases between two lines of progress.
TOLD_EVERY = 250


def main() -> int:
    """0: every case holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--first", type=int, default=1000, help="the number of the first case")
    args = parser.parse_args()
    began, failed = time.monotonic(), []
    with erasing.in_memory():
        for number, seed in enumerate(range(args.first, args.first + args.cases), start=1):
            try:
                erasing.check(seed)
            except Exception as exc:  # noqa: BLE001 (whatever breaks a case is told, and the others still run)
                failed.append(seed)
                print(f"case {seed}: {type(exc).__name__}: {exc}", flush=True)
            if number % TOLD_EVERY == 0 or number == args.cases:
                print(f"{number} cases in {time.monotonic() - began:.0f} s, {len(failed)} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
