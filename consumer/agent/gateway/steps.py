"""The steps of an agent's session that need no model. Pure.

Each request repeats the conversation, and a provider bills all of it. The first step is always the same tool call (to
read the task's input), and the last one is a sentence that nobody reads. The gateway answers both itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from consumer.ports import ModelView

CLOSING: Final = "The task's file is written."
#: What OpenAI's clients expect of a call's id.
CALL_ID: Final = "call_input"
_USAGE: Final = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


def own_answer(document: Mapping[str, Any], view: ModelView | None) -> dict[str, Any] | None:
    """The assistant's message with which the gateway answers this chat request; None: the model is asked.

    ``document``: a request that was accepted. The first call is made only if its tool is offered and nobody has
    answered yet, so that a summary of a shortened conversation, or a title, is never taken for a session's beginning.
    """
    if view is None:
        return None
    roles = [message["role"] for message in document["messages"]]
    if view.first_call and _begins(roles) and view.first_call[0] in _offered(document):
        name, arguments = view.first_call
        function = {"name": name, "arguments": orjson.dumps(arguments).decode()}
        call = {"id": CALL_ID, "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    if view.is_finished and roles[-1] == "tool" and view.is_finished():
        return {"role": "assistant", "content": CLOSING}
    return None


def forbidden(document: Mapping[str, Any], view: ModelView | None) -> str | None:
    """The first tool called in the conversation that the session does not offer, if such a call ends the session."""
    if view is None or view.limits is None:
        return None
    calls = (call for message in document["messages"] for call in message.get("tool_calls") or ())
    return next((name for call in calls if (name := call["function"]["name"]) not in view.tools), None)


def encoded(message: Mapping[str, Any], model: str, *, streamed: bool) -> tuple[bytes, bytes]:
    """Content type and body of an answer with this message, in the form that the request asked for."""
    head = {"id": "chatcmpl-gateway", "created": 0, "model": model}
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    if not streamed:
        choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
        document = {**head, "object": "chat.completion", "choices": [choice], "usage": _USAGE}
        return b"application/json", orjson.dumps(document)
    calls = [{"index": number, **call} for number, call in enumerate(message.get("tool_calls", ()))]
    delta = {**message, **({"tool_calls": calls} if calls else {})}
    chunk = {**head, "object": "chat.completion.chunk"}
    events = (
        {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]},
        {**chunk, "choices": [], "usage": _USAGE},
    )
    lines = [b"data: " + orjson.dumps(event) + b"\n\n" for event in events]
    return b"text/event-stream", b"".join((*lines, b"data: [DONE]\n\n"))


def _begins(roles: Sequence[str]) -> bool:
    return roles.count("user") == 1 and roles[-1] == "user" and not {"assistant", "tool"} & set(roles)


def _offered(document: Mapping[str, Any]) -> set[str]:
    return {tool["function"]["name"] for tool in document.get("tools") or ()}
