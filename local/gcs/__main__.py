"""python -m local.gcs --port 0 --data DIR: prints one JSON line when it serves.

Stops on SIGINT or SIGTERM, and when the process that started it ends.
"""

from __future__ import annotations

import argparse
import json
import signal
from pathlib import Path
from typing import Any

from local.gcs.server import listen, make_server
from local.gcs.store import ObjectStore
from local.machine import die_with_parent

#: Like a deployment's bucket: a purge leaves no copies, and nothing is public.
FIT: dict[str, Any] = {
    "softDeletePolicy": {"retentionDurationSeconds": "0"},
    "iamConfiguration": {"uniformBucketLevelAccess": {"enabled": True}, "publicAccessPrevention": "enforced"},
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m local.gcs", description="A GCS server for one machine.")
    parser.add_argument("--port", type=int, default=0, help="TCP port on 127.0.0.1; 0 takes a free one (default)")
    parser.add_argument("--data", type=Path, required=True, help="folder for buckets and objects; created if absent")
    parser.add_argument("--bucket", action="append", default=[], help="create this bucket if absent (repeatable)")
    parser.add_argument(
        "--write-interval",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="refuse a faster overwrite of one object with 429, as the service does at about 1 s (default: never)",
    )
    parser.add_argument(
        "--no-sync", action="store_true", help="faster: writes outlive a kill of the server, but not a power cut"
    )
    arguments = parser.parse_args()
    die_with_parent(signal.SIGTERM)
    store = ObjectStore(arguments.data, write_interval_s=arguments.write_interval, durable=not arguments.no_sync)
    existing = {bucket["name"] for bucket in store.buckets()}
    for name in arguments.bucket:
        if name not in existing:
            store.create_bucket({"name": name, **FIT})
    sock = listen(arguments.port)
    print(json.dumps({"ready": True, "port": sock.getsockname()[1]}), flush=True)
    try:
        make_server(store).run(sockets=[sock])
    finally:
        store.close()


if __name__ == "__main__":
    main()
