"""multipart/related and multipart/mixed bodies, as clients really send them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from local.gcs.errors import invalid


@dataclass(frozen=True, slots=True)
class BodyPart:
    headers: dict[str, str]
    body: bytes


def split(content_type: str, body: bytes) -> list[BodyPart]:
    """The parts of a body. Raises 400 when there is no boundary, or a part does not end."""
    match = re.search(r'boundary=(?:"([^"]+)"|\'([^\']+)\'|([^;\s]+))', content_type)
    if not match:
        raise invalid("Malformed multipart body: no boundary in Content-Type")
    delimiter = b"--" + next(group for group in match.groups() if group).encode()
    parts: list[BodyPart] = []
    position = body.find(delimiter)
    while position >= 0:
        position += len(delimiter)
        if body[position : position + 2] == b"--":
            return parts
        line_end = body.find(b"\n", position)
        end = body.find(b"\n" + delimiter, max(line_end, 0))
        if line_end < 0 or end < 0:
            break
        parts.append(_part(body[line_end + 1 : end].removesuffix(b"\r")))
        position = end + 1
    raise invalid("Malformed multipart body: a part does not end")


def _part(raw: bytes) -> BodyPart:
    if raw.startswith((b"\r\n", b"\n")):
        # Clients written in Go send parts without headers.
        return BodyPart({}, raw.partition(b"\n")[2])
    ends = [(at, len(gap)) for gap in (b"\r\n\r\n", b"\n\n") if (at := raw.find(gap)) >= 0]
    if not ends:
        raise invalid("Malformed multipart body: a part without an end of headers")
    at, width = min(ends)
    return BodyPart(parse_headers(raw[:at]), raw[at + width :])


def parse_headers(raw: bytes) -> dict[str, str]:
    lines = (line.partition(":") for line in raw.decode("latin-1").splitlines())
    return {name.strip().lower(): value.strip() for name, colon, value in lines if colon}
