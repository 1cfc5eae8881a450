"""The certificate authorities that HTTP clients trust."""

from __future__ import annotations

import ssl
from functools import cache

import httpx


@cache
def trusted() -> ssl.SSLContext:
    """For ``verify`` of every client of a process: each would read the certificates again, which takes 20 ms."""
    return httpx.create_ssl_context()
