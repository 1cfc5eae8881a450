"""The offline model's answers: a pure function of the conversation, by extraction, without state, clock or randomness.

It drives an agent through the steps of a real model, each based on the conversation so far: read the task's input file,
search the brain, open pages, write the claims file with quotes from those pages, report. Every text names the offline
model as its author.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from local.extract import NAME, PromptTask, claims, keywords

#: Pages opened in one turn, and turns that open pages.
PAGES_A_TURN = 8
PAGE_TURNS = 1
QUERIES = 4
#: Questions of an hour.
HOURLY_QUERIES = 2


@dataclass(frozen=True, slots=True)
class ToolCall:
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OfflineAnswer:
    """Either tool calls or a text."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one tool call."""

    call: ToolCall
    text: str


@dataclass(frozen=True, slots=True)
class Conversation:
    prompt: str
    tools: tuple[str, ...]
    results: tuple[Result, ...] = ()
    #: The agent has shortened its history: reading more would only make it do so again.
    shortened: bool = False

    def tool(self, *names: str) -> str | None:
        """The full name of the first of these tools that is offered; MCP tools carry a prefix."""
        for name in names:
            for offered in self.tools:
                if offered == name or offered.endswith(f"__{name}") or offered.endswith(f"_gbrain_{name}"):
                    return offered
        return None

    def of(self, name: str | None) -> list[Result]:
        return [result for result in self.results if result.call.name == name]


def answer(messages: Sequence[Mapping[str, Any]], tools: Sequence[str]) -> OfflineAnswer:
    """The next turn of the assistant."""
    talk = conversation(messages, tools)
    task = find_task(talk)
    if task is None:
        return OfflineAnswer(text=summary(talk.prompt))
    return next(steps(talk, task))


def conversation(messages: Sequence[Mapping[str, Any]], tools: Sequence[str]) -> Conversation:
    """Chat messages -> the last prompt and, since then, each tool result beside its call.

    An agent whose context is full adds its own message as a user's; a task before it stays valid.
    """
    users = [i for i, message in enumerate(messages) if message.get("role") == "user"]
    tasks = [i for i in users if _given(_text(messages[i].get("content")))]
    start = (tasks or users or [0])[-1]
    calls: dict[str, ToolCall] = {}
    results = []
    for message in messages[start:]:
        for call in message.get("tool_calls") or ():
            function = call["function"]
            calls[call["id"]] = ToolCall(function["name"], _object(function.get("arguments") or "{}"))
        if message.get("role") == "tool" and message.get("tool_call_id") in calls:
            results.append(Result(calls[message["tool_call_id"]], _text(message.get("content"))))
    prompt = _text(messages[start].get("content")) if messages else ""
    return Conversation(prompt, tuple(tools), tuple(results), shortened=users[-1:] != [start] and bool(tasks))


def find_task(talk: Conversation) -> PromptTask | None:
    """The task of a memory job's prompt; None for any other conversation."""
    given = _given(talk.prompt)
    if given is None:
        return None
    read = [
        result for result in talk.of(talk.tool("read_file")) if result.call.arguments.get("path") == given.get("input")
    ]
    document = _object(unnumbered(read[-1].text)) if read else {}
    return PromptTask(
        str(given["job_id"]),
        str(given.get("job_type", "")),
        str(given["output"]),
        str(given.get("input", "")),
        tuple(page for page in document.get("pages", ()) if isinstance(page, dict)),
        tuple(hint for hint in document.get("hints", ()) if isinstance(hint, dict)),
    )


def _given(prompt: str) -> dict[str, Any] | None:
    """The JSON block by which a memory job's prompt is known."""
    blocks = map(_object, re.findall(r"```json\s*\n(.*?)\n```", prompt, re.DOTALL))
    return next((block for block in blocks if "job_id" in block and "output" in block), None)


def steps(talk: Conversation, task: PromptTask) -> Iterator[OfflineAnswer]:
    """The turns still to take, in order; the first is the answer."""
    reader, searcher, opener = (
        talk.tool("read_file"),
        talk.tool("query", "search", "evidence_search"),
        talk.tool("get_page"),
    )
    if reader and task.input and not talk.of(reader):
        yield OfflineAnswer(calls=(ToolCall(reader, {"path": task.input, "limit": 2000}),))
    hourly = task.job_type == "hourly_digest"
    asked = queries(task)[: HOURLY_QUERIES if hourly else QUERIES]
    if searcher and not talk.of(searcher) and not talk.shortened and asked:
        yield OfflineAnswer(calls=tuple(ToolCall(searcher, {"query": text, "limit": 8}) for text in asked))
    opened = talk.of(opener)
    # An hour has its sentences in the input; its prompt asks to open a page only where a snippet settles nothing.
    pages_wanted = () if hourly else wanted(talk, task, searcher)[: PAGES_A_TURN * PAGE_TURNS]
    unread = [slug for slug in pages_wanted if slug not in {str(r.call.arguments.get("slug")) for r in opened}]
    if opener and unread and not talk.shortened:
        yield OfflineAnswer(calls=tuple(ToolCall(opener, {"slug": slug}) for slug in unread[:PAGES_A_TURN]))
    writer = talk.tool("write_file")
    if writer and not talk.of(writer):
        content = json.dumps(claims(task, pages(opened)), ensure_ascii=False)
        yield OfflineAnswer(calls=(ToolCall(writer, {"path": task.output, "content": content}),))
    yield OfflineAnswer(text=closing(talk, task, writer))


def queries(task: PromptTask) -> list[str]:
    """Questions from the hints' words, then those of every job."""
    questions = [" ".join(keywords(str(hint.get("text", "")))[:6]) for hint in task.hints]
    questions += [
        "decisions and commitments",
        "open action items and deadlines",
        "plans that changed",
        "people and projects",
    ]
    return list(dict.fromkeys(text for text in questions if text))


def wanted(talk: Conversation, task: PromptTask, searcher: str | None) -> list[str]:
    """Pages to open: search results, then pages whose excerpts are not all that they say; each once."""
    hits = [slug for result in talk.of(searcher) for slug in slugs(result.text)]
    more = [str(page["page"]) for page in task.pages if page.get("more")]
    return [slug for slug in dict.fromkeys(hits[:12] + more[:4]) if slug]


def slugs(text: str) -> list[str]:
    """Page slugs in a search result, in its order."""
    return list(dict.fromkeys(re.findall(r'"(?:slug|page)"\s*:\s*"([^"\s]+)"', text.replace('\\"', '"'))))


def pages(opened: Sequence[Result]) -> dict[str, str]:
    """slug -> get_page's answer as plain text, a paragraph per string.

    Leaves out pages of which the agent kept only a note.
    """
    return {
        str(r.call.arguments.get("slug")): plain(r.text)
        for r in opened
        if not failed(r.text) and not r.text.startswith((f"[{r.call.name}] ", "<persisted-output>"))
    }


def failed(text: str) -> bool:
    return bool(re.match(r'\s*(\{"error"|Error\b|error:)', text))


def plain(text: str) -> str:
    """Every string of a (nested, perhaps wrapped) JSON answer, one after the other; other text as it stands."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return text
    try:
        value = json.loads(text[start : end + 1], strict=False)
    except ValueError:
        return text
    return "\n".join(_strings(value))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        inner = value.strip()
        nested = _object(inner) if inner.startswith("{") else {}
        yield from _strings(nested) if nested else (value,)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def closing(talk: Conversation, task: PromptTask, writer: str | None) -> str:
    """The last text: the result, and the model's name."""
    written = talk.of(writer)
    if not written:
        return f"{NAME}: no tool to write files was offered, so job {task.job_id} has no claims file."
    count = len(_object(str(written[-1].call.arguments.get("content", ""))).get("claims", ()))
    fault = " The file tool reported an error." if failed(written[-1].text) else ""
    return (
        f"{NAME}: this answer was made without a language model, by extracting from {len(talk.results)} tool results. "
        f"{count} claims of job {task.job_id} are in {task.output}.{fault}"
    )


def summary(prompt: str) -> str:
    """Answer to anything that is not a memory job: its own first words."""
    return f"{NAME}: {' '.join(prompt.split())[:400]}"


def unnumbered(text: str) -> str:
    """The content of a read_file result, without its line numbers."""
    raw = _object(text).get("content", text)
    return "\n".join(re.sub(r"^\s*\d+\|", "", line) for line in str(raw).splitlines())


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, strict=False)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")
