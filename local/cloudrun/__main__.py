"""``python -m local.cloudrun --port 0 --data .local/cloudrun``"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from local import serving
from local.cloudrun import rest


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m local.cloudrun", description="Cloud Run Jobs of the embedded stack"
    )
    parser.add_argument("--port", type=int, default=0, help="0 = any free port")
    parser.add_argument("--data", type=Path, required=True, help="folder of jobs, executions and their logs")
    parser.add_argument(
        "--secret", action="append", default=[], metavar="NAME=VARIABLE", help="a secret, from this process's variable"
    )
    args = parser.parse_args()
    pairs = (pair.split("=", 1) for pair in args.secret)
    secrets = {name: os.environ[variable] for name, variable in pairs}
    serving.run("cloudrun", lambda: rest.start(args.data, args.port, secrets=secrets))


if __name__ == "__main__":
    main()
