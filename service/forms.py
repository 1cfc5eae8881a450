"""Posted forms, of which neither size nor form can be trusted."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.requests import Request


class FormRefused(Exception):
    """``status``: 415 the body is not a form, 413 it is too large, 400 it cannot be read."""

    def __init__(self, status: int) -> None:
        super().__init__(f"form refused: {status}")
        self.status = status


async def read(request: Request, most_bytes: int, most_fields: int) -> dict[str, list[str]]:
    """The fields of a posted form, each with its values. Raises FormRefused."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
        raise FormRefused(415)
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most_bytes:
            raise FormRefused(413)
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=most_fields)
    except ValueError:
        raise FormRefused(400) from None
