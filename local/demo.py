"""The main job, narrated: real jobs of the sample user through the embedded stack, with a duplicate and a crash."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg

from consumer import bootstrap, layout, paths, settings
from consumer.repository.history import History
from consumer.run import NoDeadline
from contract.api import EnableUserRequest
from contract.event import JobType
from local import cloud, seed
from local.jobs import AppJobs
from local.stack import Stack, hold, wipe

#: How many findings of each of these sections of the backfill report the summary repeats.
EXAMPLES = {"open_loops": 4, "changes": 2, "contradictions": 1}
#: The consumer is killed in this stage, the most expensive one to lose. In an insight an agent takes seconds in it; an
#: hour that needs no judgement is past it before anybody could see it.
KILLED_IN = "synthesize"
Say = Callable[[str], None]


@dataclass
class Demo:
    """``say`` gets the narration; ``facts`` becomes the summary object."""

    stack: Stack
    say: Say
    jobs: AppJobs
    today: datetime
    operations: bootstrap.Operations
    facts: dict[str, Any] = field(default_factory=lambda: {"jobs": []})

    def play(self) -> dict[str, Any]:
        """Every act in order; the summary."""
        try:
            return self._play()
        finally:
            self.operations.close()

    def _play(self) -> dict[str, Any]:
        users = self._users()
        me = users.main.user_id
        hour = self.today.strftime("%Y-%m-%dT%H")
        self._job(me, "inventory", None)
        backfill = self._job(me, "backfill_digest", None)
        self._duplicate(backfill)
        changed = self._change(users)
        self.say(f"Meanwhile the user's data changes: {', '.join(changed)}")
        self._job(me, "hourly_digest", hour)
        self._job(me, "insight", self.today.strftime("%Y-%m-%d"), kill=True)
        self._look(users)
        return self.facts

    def _users(self) -> seed.SampleUsers:
        with psycopg.connect(self.stack.dsn) as connection:
            users = seed.seed(connection, self.today.date())
        for user in users.all:
            enabled = self.operations.api.enable_user(EnableUserRequest(email=user.email))
            if user is users.main:
                self.say(f"Enabled {user.name} <{user.email}>, workspace {enabled.get('workspace_uri', '')}")
                self.say(
                    "She is invented, and so are her sixty days of mails, chats, meetings and lists: local/seed/story"
                )
        return users

    def _change(self, users: seed.SampleUsers) -> dict[str, str]:
        with psycopg.connect(self.stack.dsn) as connection:
            return seed.insert_changes(connection, users, self.today.date())

    def _job(self, user_id: str, job_type: JobType, period: str | None, *, kill: bool = False) -> str:
        began = time.monotonic()
        job_id = self.jobs.insert(user_id, job_type, period)
        self.say(f"\nINSERT INTO memory_jobs: {job_type} {job_id}")
        row = self.jobs.wait(job_id, timeout_s=self.stack.patience_s, seen=Narrator(self.say, self._killer(kill)))
        seconds = round(time.monotonic() - began, 1)
        if row["status"] != "completed":
            raise RuntimeError(f"{job_type} {job_id} ended {row['status']}: {row['error_summary']}")
        ledger = json.loads(self.stack.read_object(paths.ledger(job_id)))
        stages = {mark["stage"]: mark["seconds"] for mark in ledger["stages"]}
        attempts = row["attempt"]
        self.say(f"  {row['outcome']} in {seconds} s, attempt {attempts}, commit {row['commit_seq']}")
        self.facts["jobs"].append(
            {
                "id": job_id,
                "type": job_type,
                "outcome": row["outcome"],
                "seconds": seconds,
                "attempts": attempts,
                "stages": stages,
            }
        )
        return job_id

    def _killer(self, wanted: bool) -> Callable[[str], None]:
        done = not wanted

        def kill(stage: str) -> None:
            nonlocal done
            if not done and stage == KILLED_IN:
                done = True
                self.stack.parts["consumer"].kill()
                self.facts["killed"] = {"process": "consumer", "stage": stage, "signal": "SIGKILL"}
                self.say("  the demo kills the consumer (kill -9); it restarts, the lease expires, the job continues")

        return kill

    def _duplicate(self, job_id: str) -> None:
        """Deliver the same event again and check whether anything was written."""
        event = self.jobs.event(job_id)
        watched = (paths.head(event.user_id), paths.ledger(job_id))
        before = self._generations(watched)
        seen = len(self._outcomes(job_id))
        cloud.publish(self.stack.pubsub_host, cloud.JOBS, event.encode(), event.attributes(), event.user_id)
        deadline = time.monotonic() + 15
        while len(outcomes := self._outcomes(job_id)) == seen and time.monotonic() < deadline:
            time.sleep(0.02)
        written = self._generations(watched) != before
        outcome = outcomes[-1] if len(outcomes) > seen else "no answer"
        self.facts["duplicate"] = {"outcome": outcome, "written": written}
        self.say(f"  the same message is delivered again: {outcome}, {'SOMETHING' if written else 'nothing'} written")

    def _outcomes(self, job_id: str) -> list[str]:
        return [
            line["message"] for line in self.stack.consumer_log() if line.get("job_id") == job_id and "status" in line
        ]

    def _generations(self, names: tuple[str, ...]) -> dict[str, str]:
        return {o["name"]: o["generation"] for name in names for o in self.stack.list_objects(name)}

    def _look(self, users: seed.SampleUsers) -> None:
        """Open the results: history, reports, citations; and a plain copy to read."""
        operations = self.operations
        history = History(operations.workspaces.of(users.main.user_id))
        digest, commit = history.commit(operations.workspaces.of(users.main.user_id).read_head().seq)  # type: ignore[union-attr]
        tree = history.tree()
        files = [entry for entry in tree.entries.values() if entry.digest]
        self.facts["workspace"] = {
            "user_id": users.main.user_id,
            "seq": commit.seq,
            "commit": digest,
            "files": len(files),
            "bytes": sum(entry.size for entry in files),
        }
        self._read_reports(history)
        copy = self.stack.state / "workspace"
        shutil.rmtree(copy, ignore_errors=True)
        history.hydrate(copy, NoDeadline())
        foreign = [user.canary for user in users.others if _contains(copy, user.canary.encode())]
        self.facts["isolation"] = {"words_of_other_users_found": foreign}
        self.facts["copy"] = str(copy)

    def _read_reports(self, history: History) -> None:
        reports, total, resolved = [], 0, 0
        for job in self.facts["jobs"]:
            path = layout.report_json(job["type"], job["id"])
            if path not in history.tree().entries:
                # An hour in which nothing mattered has no report.
                continue
            document = json.loads(history.read(path))
            citations = document.get("citations", {})
            total += citations.get("total", 0)
            resolved += citations.get("resolved", 0)
            if job["type"] == "backfill_digest":
                self.facts["examples"] = examples(document)
            made_by = document["made_by"] or {}
            reports.append(layout.report_markdown(job["type"], job["id"], document["period"]))
        self.facts |= {
            "reports": reports,
            "citations": {"total": total, "resolved": resolved},
            "brain": document["brain"],
            "model": made_by["model"],
            "agent": made_by["agent"],
        }


def examples(report: Mapping[str, Any]) -> list[str]:
    """Some of the findings that a report's JSON has, in its own words."""
    sections = report.get("sections", {})
    return [entry["text"] for name, count in EXAMPLES.items() for entry in sections.get(name, [])[:count]]


class Narrator:
    """Tells each stage once, then hands it to the killer."""

    def __init__(self, say: Say, kill: Callable[[str], None]) -> None:
        self._say, self._kill = say, kill
        self._line, self._stage, self._attempt = "", "", 0

    def __call__(self, row: Mapping[str, Any]) -> None:
        stage, attempt = row["stage"], row["attempt"]
        # Before a new attempt's first stage, the row still shows the previous attempt's stage.
        if not stage or (attempt != self._attempt and stage == self._stage):
            return
        self._stage, self._attempt = stage, attempt
        where = f"{row['status']}{' ' + row['substate'] if row['substate'] else ''}"
        line = f"{where} {stage} (attempt {attempt})"
        if line != self._line:
            self._line = line
            self._say(f"  {line}")
        if row["status"] == "running":
            self._kill(stage)


def _contains(folder: Path, word: bytes) -> bool:
    return any(word in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def shown(path: Path) -> str:
    """A path relative to the working folder, if it is below it."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def run(stack: Stack, *, as_json: bool, keep: bool) -> int:
    """Play the demo on a fresh state; exit code 0 only if every step succeeds."""
    began = time.monotonic()
    stack.require_free()
    wipe(stack.state)
    with stack:
        _say(f"Embedded stack ready in {stack.ready_s:.1f} s: PostgreSQL, GCS, Pub/Sub, Cloud Run Jobs, OIDC, model,")
        _say("control plane, publisher, consumer, reader. State and logs: " + shown(stack.state))
        operations = bootstrap.operations(settings.load_operator(stack.operator_env()))
        demo = Demo(stack, _say, AppJobs(stack.dsn), datetime.now(UTC), operations)
        facts = {"ready_s": round(stack.ready_s, 1), **demo.play()}
        facts["seconds"] = round(time.monotonic() - began, 1)
        _summary(facts)
        facts["my_memory"] = stack.my_memory(facts["workspace"]["user_id"])
        _say(f"my memory: {facts['my_memory']}")
        _say(
            "(the address works once, within ten minutes)"
            if keep
            else "(the stack ends now; to open the address, run `make demo ARGS=--keep`)"
        )
        if as_json:
            sys.stdout.write(json.dumps(facts, ensure_ascii=False) + "\n")
            sys.stdout.flush()
        if keep:
            hold(stack, _say)
    return 0


def _summary(facts: Mapping[str, Any]) -> None:
    workspace, citations = facts["workspace"], facts["citations"]
    _say(f"\nworkspace  seq {workspace['seq']}, commit {workspace['commit'][:16]}…")
    _say(f"           {workspace['files']} files, {workspace['bytes']:,} bytes")
    _say(f"citations  {citations['resolved']} of {citations['total']} resolve, each in the snapshot of its report")
    _say(f"made with  brain {facts['brain']}, model {facts['model']}")
    foreign = len(facts["isolation"]["words_of_other_users_found"])
    _say(f"isolation  other users whose data is in the workspace: {foreign}")
    _say("\nFrom the sample user's backfill report:")
    for text in facts["examples"]:
        _say(f"  {text}")
    _say(f"\ntotal      {facts['seconds']} s. The reports, in {shown(Path(facts['copy']))}/:")
    for report in facts["reports"]:
        _say(f"             {report}")


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
