"""``dev`` keeps the embedded stack up, ``demo`` runs real jobs on it, ``tick KIND`` sends a tick at once.

A stack that stays up has a scheduler like the cloud's: it sweeps, and plans digests, insights and dreams.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from contract.event import TickEvent, TickKind
from local.signin import BASE
from local.stack import Stack, StackRunning, hold

if TYPE_CHECKING:
    from local.seed import SampleUser

#: Settings of the consumer that whoever starts the stack may choose; HERMES_BIN and GBRAIN_BIN are the stack's own.
CHOSEN = (
    *("MAX_ATTEMPTS", "WARM_FOLDERS", "AGENT_FENCE", "GBRAIN_TEMPLATE", "GBRAIN_PLUGIN_PATH"),
    *("MODEL_READER", "MODEL_JUDGE", "MODEL_UPSTREAMS"),
)

#: The control plane's own setting that whoever starts the stack may choose.
GRACE = "PURGE_AFTER_DELETION_S"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m local", description=__doc__)
    parser.add_argument("command", choices=["dev", "demo", "tick"])
    parser.add_argument("kind", nargs="?", choices=get_args(TickKind), help="tick: the kind to send")
    parser.add_argument("--folder", type=Path, default=Path(".local"), help="folder for the stack's state")
    parser.add_argument("--json", action="store_true", help="demo: one summary object on the last line")
    parser.add_argument("--keep", action="store_true", help="demo: leave the stack up afterwards")
    arguments = parser.parse_args()
    if (arguments.command == "tick") != bool(arguments.kind):
        parser.error(f"tick takes one of {', '.join(get_args(TickKind))}, and only tick does")
    if arguments.command == "tick":
        return _tick(arguments.folder / "environment.json", arguments.kind)
    # A demo that ends by itself leaves the file of the stack that stays alone.
    stays = arguments.command == "dev" or arguments.keep
    environment = arguments.folder / "environment.json" if stays else None
    grace = os.environ.get(GRACE)
    if grace and not grace.isdecimal():
        parser.error(f"{GRACE} is a number of seconds, not {grace!r}")
    stack = Stack(
        arguments.folder / arguments.command,
        model_key=os.environ.get("OPENAI_API_KEY") or None,
        environment_file=environment,
        extra_env=chosen(os.environ),
        purge_after_deletion_s=int(grace) if grace else None,
    )
    try:
        return _run(stack, arguments)
    except StackRunning as exc:
        _say(str(exc))
        return 1


def chosen(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables of ``CHOSEN`` that are set."""
    return {name: environ[name] for name in CHOSEN if environ.get(name)}


def _run(stack: Stack, arguments: argparse.Namespace) -> int:
    if arguments.command == "dev":
        with stack:
            _say(
                f"ready in {stack.ready_s:.1f} s: control plane {stack.controlplane_url}, consumer {stack.consumer_url}"
            )
            _say(f"database: {stack.dsn}")
            users = _sample_users(stack)
            _say(f"sample users: {', '.join(user.email for user in users)}")
            _say(f"an issuer for the console's sign-in: {stack.oidc_url}{BASE}")
            _say("begin with: .venv/bin/cloop-memory --local user enable <one of them>")
            if users:
                _say(f"my memory: {stack.my_memory(users[0].user_id)}")
                _say("(the first sample user's; the address works once, within ten minutes)")
            hold(stack, _say)
        return 0
    from local.demo import run  # noqa: PLC0415 (the demo's imports are not the stack's)

    return run(stack, as_json=arguments.json, keep=arguments.keep)


def _tick(environment: Path, kind: TickKind) -> int:
    """Send a tick like Cloud Scheduler's to the stack that this environment file names."""
    from local import cloud  # noqa: PLC0415 (--help stays fast)

    if not environment.exists():
        _say(f"no embedded stack here ({environment} is missing): run `make dev` in another terminal first")
        return 1
    host = json.loads(environment.read_text(encoding="utf-8"))["PUBSUB_EMULATOR_HOST"]
    cloud.publish(host, cloud.TICKS, TickEvent(kind=kind).encode(), {})
    _say(f"{kind} tick sent")
    return 0


def _sample_users(stack: Stack) -> list[SampleUser]:
    """The sample users that are there; they are inserted into an empty database."""
    import psycopg  # noqa: PLC0415 (--help stays fast)

    from local import seed  # noqa: PLC0415

    today = datetime.now(UTC).date()
    with psycopg.connect(stack.dsn) as connection:
        empty = connection.execute("select not exists (select from auth.users)").fetchone() == (True,)
        users = seed.seed(connection, today) if empty else seed.sample_users(today)
        existing = [email for (email,) in connection.execute("select email from auth.users").fetchall()]
    return [user for user in users.all if user.email in existing]


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
