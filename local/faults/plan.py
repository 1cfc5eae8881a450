"""Assigns faults to requests by count, so that a test can fault every request of a run in turn."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

Action = Literal["delay", "status", "drop_reply", "reset", "kill"]
When = Literal["before", "after"]
HEAD_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Rule:
    """One fault.

    ``nth`` counts matching requests, from 1, after the rule is added; 0 = each of them. ``method`` and ``path`` are
    regular expressions to find in the request's; the path includes the query. So is ``body``, for the first
    ``HEAD_BYTES`` of the request's body: an upload names its object there.

    delay       wait ``delay_s``, before the request is forwarded or after the upstream answered
    status      answer ``status`` with ``headers``; the upstream never hears of it
    drop_reply  forward, wait for the upstream's answer, then cut the connection without it
    reset       cut the connection; the upstream never hears of it
    kill        SIGKILL process ``pid``: before = the upstream never hears of it, after = it has answered
    """

    action: Action
    nth: int = 1
    method: str = ""
    path: str = ""
    body: str = ""
    status: int = 503
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    pid: int = 0
    when: When = "before"

    def __post_init__(self) -> None:
        if self.action not in get_args(Action) or self.when not in get_args(When):
            raise ValueError(f"unknown action {self.action!r} or moment {self.when!r}: {get_args(Action)}")
        if self.action == "kill" and self.pid <= 1:
            raise ValueError(f"kill needs the pid of a process of its own, got {self.pid}")
        if self.nth < 0:
            raise ValueError(f"nth counts from 1, or is 0 for each request; got {self.nth}")
        re.compile(self.method), re.compile(self.path), re.compile(self.body)

    def matches(self, method: str, path: str, body: bytes = b"") -> bool:
        if not (re.search(self.method, method) and re.search(self.path, path)):
            return False
        return not self.body or bool(re.search(self.body.encode(), body[:HEAD_BYTES]))


@dataclass(frozen=True, slots=True)
class Seen:
    """A recorded request. ``number`` counts all, from 1; ``fault``: the injected fault."""

    number: int
    method: str
    path: str
    fault: str = ""


class FaultPlan:
    """The rules with their match counts, and the log of requests. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rules: list[tuple[Rule, list[int]]] = []
        self._seen: list[Seen] = []

    def add(self, *rules: Rule) -> FaultPlan:
        with self._lock:
            self._rules.extend((rule, [0]) for rule in rules)
        return self

    def clear(self) -> None:
        """Forget rules and log: the next request is number 1."""
        with self._lock:
            self._rules.clear()
            self._seen.clear()

    @property
    def seen(self) -> list[Seen]:
        with self._lock:
            return list(self._seen)

    def meet(self, method: str, path: str, body: bytes = b"") -> list[Rule]:
        """Count one request; returns the rules that apply to it, in the order they were added."""
        with self._lock:
            struck = [rule for rule, count in self._rules if self._strikes(rule, count, method, path, body)]
            fault = ",".join(rule.action for rule in struck)
            self._seen.append(Seen(len(self._seen) + 1, method, path, fault))
        return struck

    def document(self) -> dict[str, Any]:
        """For the admin endpoint."""
        with self._lock:
            return {
                "requests": len(self._seen),
                "rules": [{**asdict(rule), "matched": count[0]} for rule, count in self._rules],
                "seen": [asdict(request) for request in self._seen],
            }

    @staticmethod
    def _strikes(rule: Rule, count: list[int], method: str, path: str, body: bytes) -> bool:
        if not rule.matches(method, path, body):
            return False
        count[0] += 1
        return rule.nth in (0, count[0])
