"""python -m local.faults --upstream URL [--port 0]: the HTTP proxy as a process; rules come in over POST /_faults."""

from __future__ import annotations

import argparse

from local.faults.http_proxy import start
from local.serving import run


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m local.faults", description="A proxy that breaks requests.")
    parser.add_argument("--upstream", required=True, help="base URL of the server behind it")
    parser.add_argument("--port", type=int, default=0, help="TCP port on 127.0.0.1; 0 takes a free one (default)")
    arguments = parser.parse_args()
    run("faults", lambda: start(arguments.upstream, arguments.port))


if __name__ == "__main__":
    main()
