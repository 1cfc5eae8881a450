"""``python -m local dev`` keeps the embedded stack up; ``python -m local demo`` takes real jobs through it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from local.stack import Stack, hold


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m local", description=__doc__)
    parser.add_argument("command", choices=["dev", "demo"])
    parser.add_argument("--folder", type=Path, default=Path(".local"), help="where the stack keeps everything")
    parser.add_argument("--json", action="store_true", help="demo: one summary object on the last line")
    parser.add_argument("--keep", action="store_true", help="demo: leave the stack up afterwards")
    arguments = parser.parse_args()
    stack = Stack(
        arguments.folder / arguments.command,
        model_key=os.environ.get("OPENAI_API_KEY") or None,
        environment_file=arguments.folder / "environment.json",
    )
    if arguments.command == "dev":
        with stack:
            _say(
                f"ready in {stack.ready_s:.1f} s: control plane {stack.controlplane_url}, consumer {stack.consumer_url}"
            )
            hold(stack, _say)
        return 0
    from local.demo import run  # noqa: PLC0415 (the demo's imports are not the stack's)

    return run(stack, as_json=arguments.json, keep=arguments.keep)


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
