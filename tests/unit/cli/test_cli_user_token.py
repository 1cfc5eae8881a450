"""``user token``: only the embedded stack issues users' tokens, and the command says so anywhere else."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from typer.testing import CliRunner

from consumer.cli import main
from tests.spine import USER


@pytest.fixture
def issuer() -> Iterator[str]:
    """An issuer and a reader in one, at this address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if self.path == "/app/token":
                answer = {"token": f"token-of-{body['user_id']}"}
            else:
                answer = {"sign_in": f"http://reader/sign-in?code={self.headers['authorization'].split()[1][-4:]}"}
            data = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.integration
def test_the_embedded_stack_gives_a_token_and_an_address(issuer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER_TOKEN_URL", f"{issuer}/app/token")
    monkeypatch.setenv("READER_URL", issuer)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    done = CliRunner().invoke(main.app, ["user", "token", USER])
    assert (done.exit_code, done.output) == (0, f"token-of-{USER}\n")
    link = CliRunner().invoke(main.app, ["user", "token", USER, "--link"])
    assert link.output == f"http://reader/sign-in?code={USER[-4:]}\n"


def test_nothing_else_issues_users_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("USER_TOKEN_URL", raising=False)
    done = CliRunner().invoke(main.app, ["user", "token", USER])
    assert done.exit_code == 1
    assert "only the embedded stack issues users' tokens" in done.output


def test_a_stack_that_is_away_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER_TOKEN_URL", "http://127.0.0.1:9/app/token")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    done = CliRunner().invoke(main.app, ["user", "token", USER])
    assert done.exit_code == 4
    assert "make dev" in done.output
