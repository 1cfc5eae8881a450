"""
The owner's way to their own memory: the reader presents a user's access token and gets the right to read one prefix.

The user's id comes from the token alone. Each grant is checked against the account and the workspace, so that a deleted
or disabled account can read for a minute at most (the time for which a reader may keep a grant).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol
from uuid import UUID

from contract.api import AccessEntry, AccessList, AccessRequest, ReadGrantRequest
from contract.assistants import PREFIX
from contract.overlay import EMPTY, Overlay
from contract.reading import ReadGrant
from controlplane.assistants import Assistant, Assistants
from controlplane.db import Database, Tx
from controlplane.errors import ApiFault, unavailable
from service.oidc import Claims, KeySet, KeysUnreachable, TokenRefused, check_token, signed_claims

#: Supabase's audience and role of a signed-in user. Its keys for servers and for visitors have other roles.
AUDIENCE: Final = "authenticated"
ROLE: Final = "authenticated"
#: Entries of a page of the access log.
ENTRIES: Final = 50


@dataclass(frozen=True, slots=True)
class BucketToken:
    """An access token for the bucket, and its end."""

    token: str
    expires_at: datetime


class BucketTokens(Protocol):
    """Makes tokens that only read, and only objects whose names begin with a prefix. Raises ApiFault 503."""

    def reading(self, prefix: str) -> BucketToken: ...


@dataclass(frozen=True, slots=True)
class AppUser:
    """A signed-in user of the app, as their token says, and the token's end. ``assistant``: whose token it is, where
    it is not the user's own.
    """

    user_id: str
    expires_at: datetime
    assistant: Assistant | None = None


@dataclass(frozen=True)
class AppUsers:
    """Recognizes the app's users by the access tokens of the app's sign-in service (Supabase Auth)."""

    keys: KeySet
    issuer: str
    now: Callable[[], datetime]

    def require(self, token: str) -> AppUser:
        """The token's user. Raises ApiFault 401 user_token_invalid, 503 the issuer's keys cannot be fetched."""
        try:
            _, claims = signed_claims(token, self.keys)
            check_token(claims, (self.issuer,), (AUDIENCE,), self.now().timestamp())
            user_id = _user_id(claims)
        except TokenRefused as exc:
            raise ApiFault(
                401, "user_token_invalid", f"the user's {exc}", hint="Sign in to the app again and send its new token."
            ) from exc
        except KeysUnreachable as exc:
            raise unavailable("keys_unavailable", "cannot fetch the keys of the app's sign-in service") from exc
        return AppUser(user_id, datetime.fromtimestamp(float(claims["exp"]), UTC))


def _user_id(claims: Claims) -> str:
    if claims.get("role") != ROLE:
        raise TokenRefused(f"token refused: its role is not {ROLE}")
    subject = claims.get("sub")
    try:
        # Object names and the database compare text: only a UUID's own spelling may pass.
        if isinstance(subject, str) and str(UUID(subject)) == subject:
            return subject
    except ValueError:
        pass
    raise TokenRefused("token refused: sub is not a lower-case UUID")


@dataclass(frozen=True)
class ReadGrants:
    """``users`` or ``tokens`` None: reading is not set up in this deployment. ``overlay``: ``Corrections.overlay``.

    ``grant`` and ``assistant`` take an assistant's token; everything else needs the user's own.
    """

    database: Database
    bucket: str
    users: AppUsers | None = None
    tokens: BucketTokens | None = None
    overlay: Callable[[str], Overlay] = lambda _user_id: EMPTY

    def grant(self, request: ReadGrantRequest) -> ReadGrant:
        """The right to read the memory of the token's user.

        Raises ApiFault 401 user_token_invalid; 403 account_closed, memory_off; 503 also reading_off.
        """
        user = self._user(request, assistants=True)
        if self.tokens is None:
            raise _off()
        with self.database.transaction() as tx:
            _require_enabled(tx, user.user_id)
            if user.assistant is None:
                tx.run("note_reading", user_id=user.user_id)
            else:
                tx.run("note_assistant_reading", token_id=user.assistant.token_id)
        prefix = f"users/{user.user_id}/"
        token = self.tokens.reading(prefix)
        return ReadGrant(
            user_id=user.user_id,
            bucket=self.bucket,
            prefix=prefix,
            bucket_token=token.token,
            bucket_token_expires_at=token.expires_at,
            user_token_expires_at=user.expires_at,
            overlay=self.overlay(user.user_id),
            scopes=user.assistant.scopes if user.assistant else None,
        )

    def owner(self, request: ReadGrantRequest) -> str:
        """The id of the token's user, whose memory is enabled. Raises ApiFault 401, 403 and 503 as ``grant``."""
        user = self._user(request)
        with self.database.transaction() as tx:
            _require_enabled(tx, user.user_id)
        return user.user_id

    def assistant(self, request: ReadGrantRequest) -> Assistant:
        """The assistant whose token it is, of a user whose memory is enabled. Raises ApiFault 401, 403, 503."""
        user = self._user(request, assistants=True)
        if user.assistant is None:
            raise ApiFault(403, "not_an_assistant", "this call is for tokens of assistants")
        with self.database.transaction() as tx:
            _require_enabled(tx, user.user_id)
        return user.assistant

    def access(self, request: AccessRequest) -> AccessList:
        """Who did what to this memory through operator commands, when and why. Raises ApiFault as ``grant``."""
        user = self._user(request)
        with self.database.transaction() as tx:
            rows = tx.rows("access_log", user_id=user.user_id, after=request.after, limit=ENTRIES + 1)
        entries = tuple(AccessEntry.model_validate(row) for row in rows[:ENTRIES])
        return AccessList(entries=entries, next_after=rows[ENTRIES - 1]["id"] if len(rows) > ENTRIES else None)

    def _user(self, request: ReadGrantRequest, *, assistants: bool = False) -> AppUser:
        if self.users is None:
            raise _off()
        if assistants and request.user_token.startswith(PREFIX):
            assistant = Assistants(self.database).require(request.user_token)
            return AppUser(assistant.user_id, assistant.expires_at, assistant)
        return self.users.require(request.user_token)


def _require_enabled(tx: Tx, user_id: str) -> None:
    """Raises ApiFault 403 account_closed, memory_off."""
    status = tx.row("reading_status", user_id=user_id) or {}
    if not status.get("account"):
        raise ApiFault(403, "account_closed", f"the account {user_id} no longer exists")
    if status.get("status") != "enabled":
        state = "disabled" if status.get("status") else "not enabled yet"
        raise ApiFault(403, "memory_off", f"the memory of {user_id} is {state}", hint="An operator can enable it.")


def _off() -> ApiFault:
    return ApiFault(
        503,
        "reading_off",
        "reading is not set up on this control plane",
        hint="Set APP_ISSUER and READER_SERVICE_ACCOUNTS.",
    )
