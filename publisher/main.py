"""``python -m publisher.main``: webhook and relay until SIGTERM; ``--once``: publish waiting rows, then exit.

The first line on stdout is JSON with the webhook's address. Exit codes: 0 done, 1 rows are left or the database is
unreachable, 2 wrong settings.
"""

from __future__ import annotations

import argparse
import json
import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable

import psycopg
import uvicorn

from contract import dsn
from publisher import settings, webhook
from publisher.outbox import Outbox, connect, pools_transactions
from publisher.relay import OutboxRelay
from publisher.topic import JobsTopic, topic_name
from service import serving, telemetry
from service.databases import certificates

#: Cloud Run kills ten seconds after SIGTERM; the last spans take up to two of them.
STOP_S = 7.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m publisher.main", description=__doc__)
    parser.add_argument("--once", action="store_true", help="publish waiting, due and stale jobs, then exit")
    args = parser.parse_args()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    try:
        config = settings.load()
    except settings.SettingsError as exc:
        sys.stderr.write(f"{exc}\n")
        return 2
    if config.otlp_endpoint:
        telemetry.setup_export("publisher")
    topic = JobsTopic(topic_name(config.project, config.jobs_topic))

    ca = certificates(config.database_ca)

    def open_outbox() -> Outbox:
        return Outbox(connect(config.database_url, ca))

    relay = OutboxRelay(
        open_outbox,
        topic,
        time.monotonic,
        poll_s=config.poll_s,
        stale_s=config.stale_after_s,
        sweep_every_s=config.sweep_every_s,
        hint=dsn.parse(config.database_url).hint(),
    )
    if _is_pooled(open_outbox):
        sys.stderr.write(
            "publisher: DATABASE_URL leads to a transaction pooler, which ends LISTEN and locks with each transaction;"
            " use the direct connection or the session pooler\n"
        )
        return 2
    try:
        return once(relay) if args.once else serve(relay, topic, open_outbox, config)
    finally:
        topic.close()


def _is_pooled(open_outbox: Callable[[], Outbox]) -> bool:
    try:
        return pools_transactions(open_outbox)
    except psycopg.Error:
        return False  # unreachable; the relay says so, and retries


def once(relay: OutboxRelay) -> int:
    try:
        sys.stdout.write(json.dumps({"published": relay.once()}) + "\n")
    except (psycopg.Error, RuntimeError) as exc:
        sys.stderr.write(f"publisher: {type(exc).__name__}: {exc}\n")
        return 1
    return 0


def serve(
    relay: OutboxRelay, topic: JobsTopic, open_outbox: Callable[[], Outbox], config: settings.PublisherSettings
) -> int:
    for number in (signal.SIGTERM, signal.SIGINT):
        # uvicorn stops on these signals, then raises them again for the previous handler: this one.
        signal.signal(number, lambda *_: relay.stop())
    rights = webhook.Rights(open_outbox, time.monotonic)
    app = webhook.WebhookApp(relay, webhook.Nudge(open_outbox), config.webhook_secret, rights).build()
    with socket.create_server((config.host, config.port), reuse_port=False) as listener:
        worker = threading.Thread(target=_work, args=(relay, topic), name="relay", daemon=True)
        worker.start()
        host, port = listener.getsockname()[:2]
        sys.stdout.write(json.dumps({"ready": "publisher", "host": host, "port": port}) + "\n")
        sys.stdout.flush()
        uvicorn.Server(serving.configuration(app, log_level="warning")).run(sockets=[listener])
    relay.stop()
    worker.join(STOP_S)
    return 0


def _work(relay: OutboxRelay, topic: JobsTopic) -> None:
    topic.warm()
    relay.run()


class JsonLines(logging.Formatter):
    """One JSON object per line, as Cloud Logging reads it. Messages carry ids and counts, never content."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {"severity": record.levelname, "message": record.getMessage(), "logger": record.name}
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry)


if __name__ == "__main__":
    sys.exit(main())
