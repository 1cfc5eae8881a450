"""A PostgreSQL address as publisher and control plane use it: TLS, poolers, and what is wrong with it. Pure.

Facts about Supabase that this holds (docs/deploy.md tells them to people):
- db.<ref>.supabase.co:5432 is the database itself, by IPv6 alone unless the project has the IPv4 add-on.
- <region>.pooler.supabase.com is the shared pooler: port 5432 gives a client a session of its own, port 6543 one for a
  transaction at a time. Both know a login as <role>.<ref>.
- Port 6543 of db.<ref>.supabase.co is the dedicated pooler, for transactions too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

SHARED_POOLER: Final = ".pooler.supabase.com"
DIRECT_HOST: Final = ".supabase.co"
TRANSACTION_PORT: Final = 6543
CA_ABOUT: Final = (
    "certificates (PEM text, or the path of a file) that the database's must be signed by, e.g. Supabase's root;"
    " empty: libpq's own place, ~/.postgresql/root.crt"
)
_SCHEMES: Final = ("postgresql", "postgres")
_LOCAL: Final = ("", "localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Address:
    """``host`` is "" where the address leads over a socket of this machine, or is libpq's ``key=value`` form."""

    host: str = ""
    port: int = 5432
    user: str = ""
    sslmode: str | None = None

    @property
    def is_local(self) -> bool:
        """Whether the connection leaves no machine."""
        return self.host in _LOCAL or self.host.startswith("/")

    @property
    def pools_transactions(self) -> bool:
        """Whether each transaction may run in another session: a setting, a lock or a statement does not outlive it."""
        return self.port == TRANSACTION_PORT

    def options(self, ca: str | None = None) -> dict[str, Any]:
        """Keyword arguments for psycopg. ``ca``: path of the certificates that the server's must be signed by.

        The server's name and certificate are checked unless the URL says otherwise or the server is this machine.
        """
        found: dict[str, Any] = {}
        if not self.is_local and self.sslmode is None:
            found["sslmode"] = "verify-full"
        if ca:
            found["sslrootcert"] = ca
        if self.pools_transactions:
            # A statement prepared in one session is unknown in the next.
            found["prepare_threshold"] = None
        return found

    def hint(self) -> str:
        """What to look at when this address does not answer, or refuses the login; "" where nothing is known of it."""
        if self.host.endswith(SHARED_POOLER):
            return "The pooler knows a login as <role>.<project ref>; copy its host from Supabase's Connect page."
        if self.host.endswith(DIRECT_HOST):
            return (
                "Supabase's direct connection needs IPv6, or the project's IPv4 add-on, and Cloud"
                " Run goes out by IPv4: use the session pooler, <region>.pooler.supabase.com:5432."
            )
        return ""


def parse(dsn: str) -> Address:
    """A URL's parts; libpq's other form is left to libpq. Raises ValueError: a URL that is none."""
    if "://" not in dsn:
        return Address()
    parts = urlsplit(dsn)
    if parts.scheme not in _SCHEMES:
        raise ValueError("must begin with postgresql://")
    try:
        port = parts.port or 5432
    except ValueError:
        raise ValueError(
            "must have a number as its port; escape special characters of the password (%40 for @)"
        ) from None
    query = parse_qs(parts.query)
    host = (query.get("host") or [parts.hostname or ""])[0]
    return Address(host, port, unquote(parts.username or ""), query["sslmode"][0] if "sslmode" in query else None)


def checked(dsn: str, *, session: bool) -> str:
    """The address, if it can serve. ``session``: its user needs one session that lasts (LISTEN, advisory locks).

    Raises:
        ValueError: what is wrong and what to do; never a part of the address.
    """
    address = parse(dsn)
    if session and address.pools_transactions:
        raise ValueError(
            "must not lead to a transaction pooler (port 6543): LISTEN and locks end there with each transaction;"
            " use the session pooler (port 5432)"
        )
    if address.host.endswith(SHARED_POOLER) and "." not in address.user:
        raise ValueError(
            "must name the login as <role>.<project ref>, e.g. memory_relay.abcdefghijklmnopqrst, at this pooler"
        )
    return dsn
