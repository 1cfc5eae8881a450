"""Counts of requests and body bytes by call: what benches and the cost estimate read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from local.gcs.messages import HttpRequest, Response


@dataclass(slots=True)
class Stats:
    requests: Counter[str] = field(default_factory=Counter)
    bytes_in: Counter[str] = field(default_factory=Counter)
    bytes_out: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)

    def count(self, call: str, request: HttpRequest, response: Response) -> None:
        self.requests[call] += 1
        self.bytes_in[call] += len(request.body)
        self.bytes_out[call] += len(response.body)
        self.statuses[str(response.status)] += 1

    def document(self) -> dict[str, object]:
        return {
            "requests": self.requests.total(),
            "bytes_in": self.bytes_in.total(),
            "bytes_out": self.bytes_out.total(),
            "by_status": dict(self.statuses),
            "by_call": {
                call: {"requests": count, "bytes_in": self.bytes_in[call], "bytes_out": self.bytes_out[call]}
                for call, count in sorted(self.requests.items())
            },
        }
