"""``python -m local.cloudrun --port 0 --data .local/cloudrun``"""

from __future__ import annotations

import argparse
from pathlib import Path

from local import serving
from local.cloudrun import rest


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m local.cloudrun", description="Cloud Run Jobs of the embedded stack"
    )
    parser.add_argument("--port", type=int, default=0, help="0 = any free port")
    parser.add_argument("--data", type=Path, required=True, help="folder of jobs, executions and their logs")
    args = parser.parse_args()
    serving.run("cloudrun", lambda: rest.start(args.data, args.port))


if __name__ == "__main__":
    main()
