"""``python -m local.pubsub --port 0 --data .local/pubsub --oidc-issuer http://127.0.0.1:4001``"""

from __future__ import annotations

import argparse
from pathlib import Path

from local import serving
from local.pubsub import push, server


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m local.pubsub", description="Pub/Sub server of the embedded stack")
    parser.add_argument("--port", type=int, default=0, help="0 = any free port")
    parser.add_argument("--data", type=Path, required=True, help="folder of topics, subscriptions and unacked messages")
    parser.add_argument("--oidc-issuer", help="base URL of local.oidc; without it pushes carry no token")
    parser.add_argument(
        "--push-max-backoff-s", type=float, default=push.MAX_BACKOFF_S, help="longest wait after failed pushes"
    )
    args = parser.parse_args()
    token_url = f"{args.oidc_issuer.rstrip('/')}/token" if args.oidc_issuer else None
    serving.run(
        "pubsub",
        lambda: server.start(args.data, args.port, token_url=token_url, push_max_backoff_s=args.push_max_backoff_s),
    )


if __name__ == "__main__":
    main()
