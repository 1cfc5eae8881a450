"""The agent's answer: a JSON file of claims, each citing the pages it rests on.

Checks the form only; consumer.reports.citations checks the cited pages. Agents tend to add ``brain/``, ``.md`` and
``#``: these are accepted, every other deviation is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

import orjson
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from consumer.errors import SynthesisInvalid
from contract import canonical, jsonobject

SCHEMA: Final = "memory.claims.v1"
ClaimKind = Literal["theme", "person", "project", "open_loop", "contradiction", "change", "insight"]

#: The offline model begins every claim with this. Small letters: it is no name that a page would have to give.
OFFLINE_MARK: Final = "offline model"

#: The claims of the sample user's backfill take about 20 KB. The limit stops a model that loops.
FILE_BYTES: Final = 1024 * 1024
CLAIMS: Final = 200
CITATIONS: Final = 12
TEXT_CHARS: Final = 2000
#: Findings kept of each subagent. Each is a line of the agent's input.
FINDINGS: Final = 8
#: A reader looks for the quote on the page: longer ones hide what supports the claim.
QUOTE_CHARS: Final = 1000
PAGE_CHARS: Final = 400
REASON_CHARS: Final = 400
#: Problems named in one refusal: enough for a repair round.
PROBLEMS: Final = 12


def _page(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return value.strip().removeprefix("/").removeprefix("brain/").removesuffix(".md")


def _inside(value: str) -> str:
    parts = value.split("/")
    if "\\" in value or any(part in ("", ".", "..") for part in parts) or not value.isprintable():
        raise ValueError("a page is a path below brain/, without .md, e.g. sources/cloop/meeting-notes/x-1a2b3c4d")
    return value


def _anchor(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return value.strip().removeprefix("#") or None


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Citation(_Form):
    """``page``: path relative to ``brain/`` without ``.md``, which is also the brain's slug."""

    page: Annotated[str, BeforeValidator(_page), AfterValidator(_inside), Field(min_length=1, max_length=PAGE_CHARS)]
    anchor: Annotated[Annotated[str, Field(max_length=200)] | None, BeforeValidator(_anchor)] = None
    quote: Annotated[str, Field(min_length=1, max_length=QUOTE_CHARS)]


class RefusedExcerpt(_Form):
    """A citation by an id that its job did not hand out, or with words that are not the excerpt's (``excerpts``)."""

    excerpt: Annotated[str, Field(max_length=40)]
    reason: Annotated[str, Field(max_length=REASON_CHARS)]


class Claim(_Form):
    """One statement. Without citations, or with a refused one, it is printed as unverified."""

    text: Annotated[str, Field(min_length=1, max_length=TEXT_CHARS)]
    kind: ClaimKind
    citations: Annotated[tuple[Citation, ...], Field(max_length=CITATIONS)] = ()
    refused: Annotated[tuple[RefusedExcerpt, ...], Field(max_length=CITATIONS)] = ()
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.5
    #: The subagent that found it; "": the agent itself. Code sets it.
    found_by: Annotated[str, Field(max_length=64)] = ""


class Rejection(_Form):
    """A hint that the agent rejects, by the hint's id, with the reason."""

    hint: Annotated[str, Field(min_length=1, max_length=40)]
    reason: Annotated[str, Field(min_length=1, max_length=REASON_CHARS)]


class ClaimSet(_Form):
    schema_version: Literal["memory.claims.v1"] = Field(default=SCHEMA, alias="schema")
    job_id: str
    claims: Annotated[tuple[Claim, ...], Field(max_length=CLAIMS)]
    rejects: Annotated[tuple[Rejection, ...], Field(max_length=CLAIMS)] = ()

    def encode(self) -> bytes:
        """The file's bytes in the form that ``parse`` reads: indented, keys in schema order."""
        document = self.model_dump(mode="json", by_alias=True, exclude=None if self.rejects else {"rejects"})
        for claim in document["claims"]:
            for name in ("refused", "found_by"):
                if not claim[name]:
                    del claim[name]
        return orjson.dumps(document, option=orjson.OPT_INDENT_2)


def hint_id(text: str, citations: Sequence[Citation]) -> str:
    """The id by which an agent rejects a hint; the same text and places give the same id."""
    places = [[citation.page, citation.anchor, citation.quote] for citation in citations]
    return f"h-{canonical.sha256_hex(orjson.dumps([text, places]))[:12]}"


def parse(data: bytes, job_id: str) -> ClaimSet:
    """The claims file's bytes -> ClaimSet.

    Raises SynthesisInvalid: too large, not JSON, another job's, or not in the schema. The message names places and
    reasons without content, so that it can be sent to the agent and logged.
    """
    if len(data) > FILE_BYTES:
        raise SynthesisInvalid(f"claims of job {job_id}: {len(data)} bytes, at most {FILE_BYTES} are read")
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError as exc:
        raise SynthesisInvalid(f"claims of job {job_id}: not JSON ({len(data)} bytes): {exc.msg}") from None
    if isinstance(document, dict) and document.get("job_id") != job_id:
        raise SynthesisInvalid(f"claims of job {job_id}: job_id is another or missing; write this job's id")
    try:
        return ClaimSet.model_validate(document)
    except ValidationError as exc:
        raise SynthesisInvalid(f"claims of job {job_id}: {problems(exc)}") from None


def salvaged(data: bytes, found_by: str) -> tuple[tuple[Claim, ...], int]:
    """The valid claims of a subagent's file, at most CLAIMS, and the number of claims whose form is not valid.

    The file of a stopped subagent may be invalid as a whole. A file that is not JSON has no claims.
    """
    listed = jsonobject.parsed(data[:FILE_BYTES]).get("claims")
    entries = listed if isinstance(listed, list) else []
    valid: list[Claim] = []
    for entry in entries:
        try:
            valid.append(Claim.model_validate(entry).model_copy(update={"found_by": found_by}))
        except ValidationError:
            continue
    return tuple(valid[:CLAIMS]), len(entries) - len(valid)


def problems(exc: ValidationError) -> str:
    """``claims[3].citations[0].quote: Field required; ...``: places and reasons without the input."""
    reasons = [f"{_place(error['loc'])}: {error['msg']}" for error in exc.errors()]
    rest = f"; and {len(reasons) - PROBLEMS} more" if len(reasons) > PROBLEMS else ""
    return "; ".join(reasons[:PROBLEMS]) + rest


def _place(location: tuple[int | str, ...]) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return text.removeprefix(".") or "the file"
