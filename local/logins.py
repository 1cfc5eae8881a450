"""
The roles of the embedded database: who sets it up, who owns the app's tables, and as whom the three processes log in.

They are Supabase's and docs/deploy.md's, by name. The passwords protect nothing: the server listens on loopback only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Supabase's internal superuser. Sets up the cluster; no process of this project connects as it afterwards.
SUPERUSER: Final = "supabase_admin"
#: The role that a Supabase project is given: owns the app's tables and runs migrations, but is no superuser.
OWNER: Final = "postgres"
#: Supabase's auth server: owns auth.users and inserts the rows of new accounts.
AUTH: Final = "supabase_auth_admin"

CONTROLPLANE: Final = "memory_controlplane"
READER: Final = "memory_export_reader"
RELAY: Final = "memory_relay"

#: Roles that need a password, as in the cloud; the others are trusted on loopback.
PASSWORDS: Final[Mapping[str, str]] = {name: f"local-{name}" for name in (CONTROLPLANE, READER, RELAY)}


def dsn(port: int, database: str = "postgres", user: str = OWNER) -> str:
    """A libpq URL of the embedded server, with the login's password where it has one."""
    password = f":{PASSWORDS[user]}" if user in PASSWORDS else ""
    return f"postgresql://{user}{password}@127.0.0.1:{port}/{database}"
