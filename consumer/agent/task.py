"""The agent's input: a short prompt, and a file with excerpts and hints.

The prompt is passed on the command line, which other processes of the machine may read, so it holds no user data:
excerpts and hints are in a file of the run folder. What differs between two jobs of one type stands at the prompt's
end, so that a provider's prompt cache takes all before it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import Template
from typing import Any, Final

import orjson

from consumer import layout
from consumer.agent.briefing import Briefing, Hint, PageExcerpts
from consumer.errors import TemplateUnknown
from consumer.reports import claims
from consumer.reports.claims import Citation
from consumer.run import Run

SKILLS: Final = {"insight": "cloop-insight-report"}
DIGEST_SKILL: Final = "cloop-memory-digest"


@dataclass(frozen=True, slots=True)
class Work:
    """``input`` and ``output``: paths relative to the run folder. ``folder``: the job's own.

    ``input_bytes``: the input as the agent reads it. ``kept_bytes``: as the workspace keeps it, with page, anchor and
    quote of each id, so that a purge finds what a hint rests on, whatever its words are.
    ``offered``: id -> the citations that it stands for, of every excerpt and hint in the input.
    """

    prompt: str
    folder: str
    input: str
    output: str
    input_bytes: bytes
    kept_bytes: bytes
    skill: str = DIGEST_SKILL
    offered: Mapping[str, Sequence[Citation]] = field(default_factory=dict)


def prepare(run: Run, prompts: Mapping[str, str], brief: Briefing) -> Work:
    """Prompt and input of a job. Raises TemplateUnknown when the template version has no prompt for this job type."""
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
        "input": source,
        "output": output,
    }
    text = Template(template).substitute(
        task=orjson.dumps(task, option=orjson.OPT_INDENT_2).decode(),
    )
    skill = SKILLS.get(job.job_type, DIGEST_SKILL)
    work = Work(text, output.rpartition("/")[0], source, output, b"", b"", skill)
    return with_input(work, run, brief)


def with_input(work: Work, run: Run, brief: Briefing) -> Work:
    """The same work with this briefing as its input."""
    return replace(work, input_bytes=encoded(run, brief), kept_bytes=_kept(run, brief), offered=offered(brief))


def repair(work: Work, prompts: Mapping[str, str], fault: str) -> str:
    """The prompt of the second try, with the fault of the first."""
    return Template(prompts["repair"]).substitute(prompt=work.prompt, fault=fault)


def written(path: Path) -> bytes | None:
    """The file that an agent has written so far, up to one byte more than a claims file may have; None if it is no
    regular file.
    """
    try:
        # Follow no link out of the run folder, and open no pipe, which could block.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            return file.read(claims.FILE_BYTES + 1)
    except OSError:
        return None


def offered(brief: Briefing) -> dict[str, tuple[Citation, ...]]:
    """Id -> the citations that it stands for, of every excerpt and hint."""
    by_id = {ident: (citation,) for ident, citation in brief.offered.items()}
    return by_id | {_hint_id(hint): hint.claim.citations for hint in brief.hints}


def _hint_id(hint: Hint) -> str:
    return claims.hint_id(hint.claim.text, hint.claim.citations)


def encoded(run: Run, brief: Briefing) -> bytes:
    """The input as an agent reads it.

    One line for each excerpt and hint: indented JSON costs a third more tokens, and Hermes cuts long lines.
    """
    lists: dict[str, list[str]] = {
        "context": [_text(line) for line in brief.context.text.splitlines() if line] if brief.context else [],
        "pages": [_page(page) for page in brief.pages],
        "hints": [_hint(hint) for hint in brief.hints],
    }
    parts = [f"{_text(name)}:{_text(value)}" for name, value in _head(run, brief).items()]
    parts += [f"{_text(name)}:[\n" + ",\n".join(rows) + "\n]" for name, rows in lists.items() if rows]
    return ("{" + ",\n".join(parts) + "}\n").encode()


def _kept(run: Run, brief: Briefing) -> bytes:
    document = {
        **_head(run, brief),
        # Without its words, which a purge would have to find: the same commit gives the same text again.
        "context": brief.context.digest if brief.context else None,
        "excerpts": [
            {"excerpt": ident, **citation.model_dump(mode="json")} for ident, citation in brief.offered.items()
        ],
        "hints": [{"id": _hint_id(hint), **hint.claim.model_dump(mode="json")} for hint in brief.hints],
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2)


def _head(run: Run, brief: Briefing) -> dict[str, Any]:
    return {
        "job_type": run.job.job_type,
        "period": run.period,
        "timezone": run.job.timezone,
        "language": brief.language,
        "changed_pages_total": len(brief.changed),
    }


def _page(page: PageExcerpts) -> str:
    marks = {**({"changed": True} if page.changed else {}), **({"more": True} if page.more else {})}
    head = _text({"page": page.page, "title": page.title, "day": page.day, **marks}).removesuffix("}")
    quotes = ",\n".join(f"{_text(ident)}:{_text(quote)}" for ident, quote in page.excerpts)
    return f'{head},"excerpts":{{\n{quotes}}}}}'


def _hint(hint: Hint) -> str:
    finder = {"found_by": hint.claim.found_by} if hint.claim.found_by else {}
    head = {"id": _hint_id(hint), **finder, "kind": hint.claim.kind, "text": hint.claim.text}
    return _text({**head, "excerpts": hint.excerpts})


def _text(value: Any) -> str:
    return orjson.dumps(value).decode()
