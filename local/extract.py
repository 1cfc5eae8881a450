"""Claims from pages without a model: hints with valid quotes, subjects in several sources, sentences worth quoting."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from consumer.reports.claims import OFFLINE_MARK

NAME = "Offline model"
#: Ahead of every claim.
MARK = OFFLINE_MARK
CLAIMS = 60
#: Of an hour, which is asked for at most ten claims.
HOURLY_CLAIMS = 10
EXTRACTS = 8
THEMES = 6
#: A name or the like inside a sentence: two words, the first with a capital and not at the line's start.
PHRASE = re.compile(r"(?<=[a-z,;] )[A-Z][\w'-]+ [\w'-]{3,}")
#: A line with fewer words is too short to quote.
WORDS_A_QUOTE = 7
WORDS = re.compile(r"[^\W\d_][\w'-]{2,}")
STOP = frozenset(
    re.findall(
        r"\w+",
        "about after again also and any are because been before being but can could did does for from had has have her "
        "his how into its just more most not now off one only other our out over own said same she should some such "
        "than that the their them then there these they this those through too under until very was were what when "
        "where which while who why will with would you your",
    )
)
#: Typical content of sentences worth quoting. They are ranked by weight, then by their order on the page.
SIGNALS = (
    (re.compile(r"\b(decid|agree|promis|commit|deadline|due|overdue)", re.I), 4),
    (re.compile(r"\b(risk|block|delay|budget|contract|launch|hire|move[sd]?)\b", re.I), 3),
    (re.compile(r"\b\d{1,2}[:.]\d{2}\b|\b\d{4}-\d{2}-\d{2}\b|[$€£]\s?\d"), 2),
)


@dataclass(frozen=True, slots=True)
class PromptTask:
    """The JSON block of a job's prompt, and the input file once it is read."""

    job_id: str
    job_type: str
    output: str
    input: str = ""
    pages: tuple[Mapping[str, Any], ...] = field(default=())
    hints: tuple[Mapping[str, Any], ...] = field(default=())

    @property
    def excerpts(self) -> dict[str, str]:
        """Id -> quote of all excerpts."""
        return {str(ident): str(quote) for page in self.pages for ident, quote in page.get("excerpts", {}).items()}

    @property
    def changed_pages(self) -> tuple[str, ...]:
        return tuple(str(page["page"]) for page in self.pages if page.get("changed"))


def claims(task: PromptTask, read: Mapping[str, str]) -> dict[str, Any]:
    """The claims file: hints, themes across pages, sentences worth quoting. Cites excerpts and hints by their ids."""
    extracts = [claim for hint in task.hints if (claim := hinted(task, hint))]
    extracts += [claim for page in task.pages if (claim := excerpted(task, page))]
    sources = {slug: text for slug, text in read.items() if slug.startswith("sources/")}
    extracts += themes(task, sources)
    ranked = sorted(filter(None, (extracted(task, slug, text) for slug, text in sources.items())), key=lambda e: -e[0])
    extracts += [claim for _, claim in ranked[:EXTRACTS]]
    most = HOURLY_CLAIMS if task.job_type == "hourly_digest" else CLAIMS
    return {"job_id": task.job_id, "claims": extracts[:most]}


def themes(task: PromptTask, read: Mapping[str, str]) -> list[dict[str, Any]]:
    """Subjects that come up on several pages of several sources, with a line of each."""
    places: dict[str, dict[str, str]] = {}
    for slug, text in read.items():
        for line in lines(text):
            for phrase in dict.fromkeys(PHRASE.findall(line)):
                if not STOP.intersection(phrase.lower().split()):
                    places.setdefault(phrase, {}).setdefault(slug, line)
    spread = {phrase: pages for phrase, pages in places.items() if len({_source(slug) for slug in pages}) > 1}
    ranked = sorted(spread, key=lambda phrase: (-len(spread[phrase]), phrase))[:THEMES]
    return [theme(task, phrase, spread[phrase]) for phrase in ranked]


def theme(task: PromptTask, phrase: str, lines_by_page: Mapping[str, str]) -> dict[str, Any]:
    sources = sorted({_source(slug).replace("-", " ") for slug in lines_by_page})
    text = f"{MARK}: {phrase} comes up in {', '.join(sources)}."
    # One line of each source first: a theme with more sources is stronger.
    firsts = {_source(slug): slug for slug in reversed(list(lines_by_page))}
    citations = [{"page": slug, "anchor": None, "quote": lines_by_page[slug]} for slug in list(firsts.values())[:3]]
    kind = "insight" if task.job_type == "insight" else "theme"
    return {"text": text, "kind": kind, "citations": citations, "confidence": 0.5}


def _source(slug: str) -> str:
    return slug.split("/")[-2]


def hinted(task: PromptTask, hint: Mapping[str, Any]) -> dict[str, Any] | None:
    """A hint as a claim, if the task has every excerpt that it quotes."""
    quoted = hint.get("excerpts") or ()
    if not quoted or not set(quoted) <= set(task.excerpts):
        return None
    # A subagent's finding has the mark.
    text = str(hint.get("text", "")).strip().removeprefix(f"{MARK}: ")
    return {
        "text": f"{MARK}: {text}"[:1000],
        "kind": hint.get("kind", "insight"),
        "citations": [hint["id"]],
        "confidence": 0.6,
    }


def excerpted(task: PromptTask, page: Mapping[str, Any]) -> dict[str, Any] | None:
    """The heaviest excerpt of a changed page as a claim, if no hint quotes it."""
    hinted_at = {ident for hint in task.hints for ident in hint.get("excerpts") or ()}
    ranked = [
        (weight(quote), ident, quote)
        for ident, quote in page.get("excerpts", {}).items()
        if ident not in hinted_at and weight(quote) and lines(quote)
    ]
    if not page.get("changed") or not ranked:
        return None
    _, ident, quote = max(ranked)
    statement = f"{MARK}: {page.get('title', '')} says: {quote}"
    kind = "change" if task.job_type == "hourly_digest" else "theme"
    return {"text": statement[:1000], "kind": kind, "citations": [ident], "confidence": 0.4}


def extracted(task: PromptTask, slug: str, text: str) -> tuple[int, dict[str, Any]] | None:
    """(weight, the heaviest sentence of a page as a claim); a change only where the page is among the changed."""
    heading = title(slug, text)
    ranked = [(weight(line), -i, line) for i, line in enumerate(lines(text)) if weight(line) and line not in heading]
    if not ranked:
        return None
    heaviest, _, quote = max(ranked)
    changed = task.job_type == "hourly_digest" and slug in task.changed_pages
    kind = "change" if changed else "theme"
    statement = f"{MARK}: {heading} says: {quote}"
    claim = {
        "text": statement[:1000],
        "kind": kind,
        "citations": [{"page": slug, "anchor": None, "quote": quote}],
        "confidence": 0.4,
    }
    # Changes come first.
    return heaviest + 100 * changed, claim


def lines(text: str) -> list[str]:
    """Prose lines of a page without front matter, headings, fences and markup, of a length that can be quoted."""
    body = re.sub(r"^---\n.*?\n---\n", "", text, flags=re.DOTALL | re.MULTILINE)
    quotable = []
    for line in body.splitlines():
        stripped = re.sub(r"^\s*(?:[-*>]\s+|\d+\.\s+)*(?:\[[ xX]\]\s+)?", "", line).strip()
        prose = len(stripped.split()) >= WORDS_A_QUOTE and not re.match(r"[#`|<{]|\"?[\w-]+\"?: ", stripped)
        if prose and len(stripped) <= 300:
            quotable.append(stripped)
    return quotable


def weight(line: str) -> int:
    return sum(points for pattern, points in SIGNALS if pattern.search(line))


def title(slug: str, text: str) -> str:
    """The page's own title: its front matter's, or the string that follows the slug in what get_page answers."""
    named = re.search(r'^title:\s*"?(.+?)"?\s*$', text, re.MULTILINE)
    after = text.splitlines()[1:2] if text.startswith(slug + "\n") else []
    return named[1] if named else next(iter(after), slug.rsplit("/", 1)[-1])


def keywords(text: str) -> list[str]:
    return [word for word in WORDS.findall(text) if word.lower() not in STOP]
