"""The agent's input: a short prompt, and a file with pages and hints.

The prompt is passed on the command line, which other processes of the machine may read, so it holds no user data: pages
and hints are in a file of the run folder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Template
from typing import Any, Final

import orjson

from consumer import layout
from consumer.agent.briefing import Briefing
from consumer.agent.plugins import Subagent
from consumer.errors import TemplateUnknown
from consumer.reports import claims
from consumer.reports.claims import Claim
from consumer.run import Run

#: The most pages named in the input file; a backfill has thousands, for which the brain's search is better than a list.
PAGES: Final = 200
HINTS: Final = 72
SKILLS: Final = {"insight": "cloop-insight-report"}
DIGEST_SKILL: Final = "cloop-memory-digest"


@dataclass(frozen=True, slots=True)
class Work:
    """``input`` and ``output``: paths relative to the run folder. ``folder``: the job's own."""

    prompt: str
    folder: str
    input: str
    output: str
    input_bytes: bytes


def prepare(run: Run, prompts: Mapping[str, str], brief: Briefing, subagents: Sequence[Subagent] = ()) -> Work:
    """Prompt and input of a job. ``subagents``: those that its profile lists.

    Raises TemplateUnknown when the template version has no prompt for this job type.
    """
    job = run.job
    template = prompts.get(job.job_type)
    if template is None:
        raise TemplateUnknown(f"job {job.job_id}: no prompt for {job.job_type} in template {job.template_version}")
    output = layout.synthesis(job.job_id)
    source = layout.synthesis_input(job.job_id)
    task = {
        "job_id": job.job_id,
        "job_type": job.job_type,
        "period": run.period,
        "skill": SKILLS.get(job.job_type, DIGEST_SKILL),
        "input": source,
        "output": output,
    }
    text = Template(template).substitute(
        task=orjson.dumps(task, option=orjson.OPT_INDENT_2).decode(),
        changed_pages=len(brief.changed),
        timezone=job.timezone,
    )
    return Work(text, output.rpartition("/")[0], source, output, _input(run, brief, subagents))


def repair(work: Work, prompts: Mapping[str, str], fault: str) -> str:
    """The prompt of the second try, with the fault of the first."""
    return Template(prompts["repair"]).substitute(prompt=work.prompt, fault=fault)


def _hint(hint: Claim) -> dict[str, Any]:
    return {"id": claims.hint_id(hint.text, hint.citations), **hint.model_dump(mode="json")}


def _input(run: Run, brief: Briefing, subagents: Sequence[Subagent]) -> bytes:
    document: dict[str, Any] = {
        "job_type": run.job.job_type,
        "period": run.period,
        "timezone": run.job.timezone,
        "changed_pages_total": len(brief.changed),
        "changed_pages": brief.changed[:PAGES],
        "hints": [_hint(hint) for hint in brief.hints[:HINTS]],
        "subagents": [subagent.to_json() for subagent in subagents],
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2)
