"""Authenticates callers by Google-signed ID tokens: service accounts of consumer and reader, operators, consoles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from controlplane.errors import ApiFault, unavailable
from controlplane.tokens import bearer
from service.clock import SystemClock
from service.oidc import Claims, KeySet, KeysUnreachable, TokenRefused, check_token, signed_claims

Role = Literal["consumer", "operator", "reader"]


@dataclass(frozen=True)
class Identities:
    """``accounts``: the e-mail addresses that have each role."""

    keys: KeySet
    issuers: frozenset[str]
    audience: str
    accounts: dict[Role, frozenset[str]]
    clock: SystemClock
    #: Accounts of consoles. They have no role of their own and act for the operator who signed in.
    consoles: frozenset[str] = frozenset()

    def require(self, authorization: str | None, role: Role, acting_for: str | None = None) -> str:
        """The caller's e-mail address; with ``acting_for``, which only a console may send, that of the operator.

        Raises ApiFault 401 no valid identity, 403 not in this role, 503 the issuer's keys cannot be fetched.
        """
        email = self._caller(authorization)
        if acting_for is not None:
            if email not in self.consoles or role != "operator":
                raise ApiFault(403, "not_allowed", f"{email} may not act for others", hint="Only CONSOLE_ACCOUNTS may.")
            email = acting_for
        if email not in self.accounts[role]:
            hint = "Add the account to the control plane's list for this role."
            raise ApiFault(403, "not_allowed", f"{email} is not in the {role} role", hint=hint)
        return email

    def _caller(self, authorization: str | None) -> str:
        claims = self._verified(bearer(authorization))
        email = claims.get("email")
        if claims.get("email_verified") is not True or not isinstance(email, str):
            raise ApiFault(403, "not_allowed", "the identity token carries no verified e-mail address")
        return email

    def _verified(self, token: str) -> Claims:
        try:
            _, claims = signed_claims(token, self.keys)
            check_token(claims, self.issuers, (self.audience,), self.clock.now().timestamp())
        except TokenRefused as exc:
            raise ApiFault(401, "identity_invalid", f"identity {exc}") from exc
        except KeysUnreachable as exc:
            raise unavailable("keys_unavailable", "cannot fetch the identity issuer's keys") from exc
        return claims
