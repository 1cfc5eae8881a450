"""A PostgreSQL address for publisher and control plane: TLS, poolers, and checks. Pure.

Facts about Supabase used in this module (docs/deploy.md explains them):
- db.<ref>.supabase.co:5432 is the database itself, over IPv6 only unless the project has the IPv4 add-on.
- <region>.pooler.supabase.com is the shared pooler: port 5432 gives a client its own session, port 6543 a session per
  transaction. Both name a login <role>.<ref>.
- Port 6543 of db.<ref>.supabase.co is the dedicated pooler, for transactions too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

SHARED_POOLER: Final = ".pooler.supabase.com"
DIRECT_HOST: Final = ".supabase.co"
TRANSACTION_PORT: Final = 6543
CA_ABOUT: Final = (
    "CA certificates (PEM text, or the path of a file) to trust for the database, e.g. Supabase's root;"
    " empty: libpq's default, ~/.postgresql/root.crt"
)
#: A connection whose other end is gone fails within half a minute, not after hours (libpq's names; s, and ms for the
#: last, which bounds what was sent and not acknowledged).
PATIENCE: Final[Mapping[str, Any]] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
_SCHEMES: Final = ("postgresql", "postgres")
_LOCAL: Final = ("", "localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Address:
    """``host`` is "" for a local socket, or when the address is in libpq's ``key=value`` form."""

    host: str = ""
    port: int = 5432
    user: str = ""
    sslmode: str | None = None

    @property
    def is_local(self) -> bool:
        """Whether the connection stays on this machine."""
        return self.host in _LOCAL or self.host.startswith("/")

    @property
    def pools_transactions(self) -> bool:
        """Whether each transaction may run in another session, so that settings, locks and statements end with it."""
        return self.port == TRANSACTION_PORT

    def options(self, ca: str | None = None) -> dict[str, Any]:
        """Keyword arguments for psycopg. ``ca``: path of the CA certificates to trust.

        The server's name and certificate are checked unless the URL says otherwise or the server is this machine.
        """
        arguments: dict[str, Any] = {}
        if not self.is_local and self.sslmode is None:
            arguments["sslmode"] = "verify-full"
        if ca:
            arguments["sslrootcert"] = ca
        # A transaction pooler runs a statement that another client prepared under the same name, and not every pooler
        # is known by its port.
        arguments["prepare_threshold"] = None
        return {**arguments, **PATIENCE}

    def hint(self) -> str:
        """What to check when this address does not answer or refuses the login; "" if there is no advice for it."""
        if self.host.endswith(SHARED_POOLER):
            return "The pooler names a login <role>.<project ref>; copy its host from Supabase's Connect page."
        if self.host.endswith(DIRECT_HOST):
            return (
                "Supabase's direct connection needs IPv6, or the project's IPv4 add-on, and Cloud"
                " Run uses IPv4: use the session pooler, <region>.pooler.supabase.com:5432."
            )
        return ""


def parse(dsn: str) -> Address:
    """A URL's parts; libpq's ``key=value`` form is left to libpq. Raises ValueError: not a valid URL."""
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
    """The address, if usable. ``session``: the caller needs one lasting session (LISTEN, advisory locks).

    Raises ValueError: the fault and what to do; never a part of the address.
    """
    address = parse(dsn)
    if session and address.pools_transactions:
        raise ValueError(
            "must not lead to a transaction pooler (port 6543), where LISTEN and locks end with each transaction;"
            " use the session pooler (port 5432)"
        )
    if address.host.endswith(SHARED_POOLER) and "." not in address.user:
        raise ValueError(
            "must name the login as <role>.<project ref>, e.g. memory_relay.abcdefghijklmnopqrst, at this pooler"
        )
    return dsn
