"""The names inside a hydrated workspace. All are relative to the run folder, with forward slashes."""

from __future__ import annotations

import hashlib
from typing import Final

from contract.event import JobType

HERMES_HOME: Final = "hermes-home"
GBRAIN_HOME: Final = "gbrain-home"
BRAIN: Final = "brain"
EVIDENCE: Final = "brain/sources/cloop"
RUNTIME: Final = "runtime"
EXPORTS: Final = "runtime/exports"
CURSORS: Final = "runtime/cursors"
MANIFESTS: Final = "runtime/manifests"
RENDER_INDEX: Final = "runtime/manifests/render-index.sqlite"
#: The evidence index (consumer.evidence.search), built from the pages after render.
SEARCH_INDEX: Final = "runtime/manifests/search-index.sqlite"
#: What the owner sees first: open loops, next meetings, people, as of the last report.
TODAY: Final = "runtime/manifests/today.json"
#: Themes and projects as last counted, with their quotations.
STANDING: Final = "runtime/manifests/standing.json"
#: A judge's rulings on claims, by the digest of a claim and its quotes.
RULINGS: Final = "runtime/manifests/rulings.json"
#: A second reader's rulings on open loops, by a digest of each (``reports.doubts``).
DOUBTS: Final = "runtime/manifests/doubts.json"
#: Ids of the corrections that the last report had applied.
CORRECTED: Final = "runtime/manifests/corrections.json"
#: What the user's standing rules hold, in words: only in commits of earlier versions.
HELD: Final = "runtime/rules/held.md"
#: What the user's standing rules hold, for the reader (``reports.holds``).
HOLDS: Final = "runtime/rules/held.json"
#: What agents may have seen since their brain and sessions were last begun anew; absent: everything.
AGENT_SIGHT: Final = "runtime/manifests/agent-sight.json"
#: The memory of staff profiles' agents: the MEMORY.md and USER.md that the next agent gets, and the agents' notes in
#: them that evidence supports (``reports.agentmemory``).
AGENT_MEMORY: Final = "runtime/agent-memory"
AGENT_NOTES: Final = f"{AGENT_MEMORY}/NOTES.md"
#: During a run: the workspace as an agent may see it. Never in a snapshot.
AGENT_VIEW: Final = ".agent-view"
#: During a run, each subagent has a folder here. Never in a snapshot.
SUBAGENTS: Final = ".subagents"
#: Digests of the rules of which a report said that they are not applied.
UNREAD_RULES: Final = "runtime/manifests/unread-rules.json"
#: What the user was told, and what waits to be told.
TOLD: Final = "runtime/manifests/told.json"
_TOPS: Final = frozenset({HERMES_HOME, GBRAIN_HOME, BRAIN, RUNTIME})
#: Derived pages that the renderer stubs and synthesis extends below a marker.
DERIVED: Final = ("brain/people", "brain/projects", "brain/concepts", "brain/meetings", "brain/daily")

#: Lists of open loops and decisions, and a page for each insight. Each run writes them again, from the evidence alone.
OPEN_LOOPS: Final = "brain/OPEN_LOOPS.md"
DECISIONS: Final = "brain/DECISIONS.md"
INSIGHTS: Final = "brain/insights"

#: What a brain wrote at night about its pages. Derived, and cited; never evidence.
DREAMS: Final = "brain/dreams"

#: The specification's folder names for each job type's reports.
REPORT_FOLDER: Final[dict[JobType, str]] = {
    "inventory": "inventory",
    "backfill_digest": "backfill",
    "hourly_digest": "digest",
    "insight": "insights",
}


def unnamed(path: str) -> str:
    """A path in a form for messages: a page's name contains its title, and an agent may name files as it likes.

    ``brain/(sha256 0123456789abcdef)``: a reader of the workspace finds the path by its digest.
    """
    top = path.partition("/")[0]
    # A name from a file system may contain bytes that are not UTF-8.
    digest = hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{top + '/' if top in _TOPS else ''}(sha256 {digest})"


def exports(job_type: JobType, job_id: str) -> str:
    """The folder of a job's raw JSONL batches and their manifest."""
    kind = "hourly" if job_type == "hourly_digest" else "backfill"
    return f"{EXPORTS}/{kind}/{job_id}"


def report_markdown(job_type: JobType, job_id: str, period: str) -> str:
    """brain/reports/<kind>/<period>__<job_id>.md; period is a date, or a date and hour for digests."""
    return f"{BRAIN}/reports/{REPORT_FOLDER[job_type]}/{period}__{job_id}.md"


def report_json(job_type: JobType, job_id: str) -> str:
    """runtime/reports/<kind>/<job_id>.json."""
    return f"{RUNTIME}/reports/{REPORT_FOLDER[job_type]}/{job_id}.json"


def job_run(job_id: str) -> str:
    """The summary of one job's run."""
    return f"{RUNTIME}/job-runs/{job_id}.json"


def job_folder(job_id: str) -> str:
    """The folder of one job's own files."""
    return f"{RUNTIME}/job-runs/{job_id}"


def job_stage(job_id: str, number: int, stage: str) -> str:
    """One stage's result, e.g. runtime/job-runs/<job_id>/02-export.json."""
    return f"{RUNTIME}/job-runs/{job_id}/{number:02d}-{stage}.json"


def synthesis(job_id: str) -> str:
    """The claims file that the agent writes and the synthesize stage validates."""
    return f"{RUNTIME}/job-runs/{job_id}/claims.json"


def synthesis_input(job_id: str) -> str:
    """The agent's input: window, changed pages, hints."""
    return f"{RUNTIME}/job-runs/{job_id}/synthesis-input.json"


def model_calls(job_id: str) -> str:
    """One line per model call, without content: time, model, tokens, cost, status."""
    return f"{RUNTIME}/job-runs/{job_id}/model-calls.jsonl"


def reader_calls(job_id: str) -> str:
    """The same for the calls of the reader by model."""
    return f"{RUNTIME}/job-runs/{job_id}/reader-calls.jsonl"


def judge_calls(job_id: str) -> str:
    """The same for the calls of the judge: about claims, and about open loops."""
    return f"{RUNTIME}/job-runs/{job_id}/judge-calls.jsonl"


def agent_steps(job_id: str) -> str:
    """One line per tool call of the agent, without content: time, tool, outcome, duration."""
    return f"{RUNTIME}/job-runs/{job_id}/agent-steps.jsonl"


def tampering(job_id: str) -> str:
    """The sealed files that an agent changed, and whether the change was undone."""
    return f"{RUNTIME}/job-runs/{job_id}/evidence-tampered.json"
