"""Feature flags, set for a user, a cohort, a profile or everybody. Each change records its reason in the audit."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

import manifests
from contract.api import CohortRequest, FlagList, FlagName, FlagView, SetFlagRequest, UnsetFlagRequest
from controlplane.db import Database, Row, Tx
from controlplane.errors import ApiFault, existing, invalid, one_of

#: Flags in one listing. Cohorts and profiles keep the number small.
LISTED: Final = 500
_COHORT: Final = re.compile(r"^[a-z0-9][a-z0-9._-]{0,63}$")


@dataclass(frozen=True, slots=True)
class Flags:
    """``actor``: the operator's e-mail address, for the audit. A flag that nobody set is on."""

    database: Database

    def listed(self, filters: Mapping[str, str]) -> FlagList:
        """The flags that are set. Raises ApiFault 422: no such flag."""
        name = one_of(filters, "name", get_args(FlagName))
        with self.database.transaction() as tx:
            rows = tx.rows("list_flags", flag=name, target=filters.get("target") or None, limit=LISTED)
        return FlagList(flags=tuple(FlagView.model_validate(row) for row in rows))

    def put(self, actor: str, request: SetFlagRequest) -> FlagView:
        """Set a flag. Repeatable. Raises ApiFault 404 user_not_found, 422: the target does not fit the scope."""
        with self.database.transaction() as tx:
            self._check(tx, request)
            return FlagView.model_validate(put(tx, actor, request))

    def unset(self, actor: str, request: UnsetFlagRequest) -> FlagView:
        """Remove a setting, so that the next wider one applies. Raises ApiFault 404 flag_not_set."""
        with self.database.transaction() as tx:
            row = tx.row("unset_flag", flag=request.name, scope=request.scope, target=request.target)
            if row is None:
                raise ApiFault(404, "flag_not_set", f"{request.name} is not set for {request.scope} {request.target}")
            _audit(tx, actor, "flag.unset", request, value=row["value"])
            return FlagView.model_validate(row)

    def cohort(self, actor: str, request: CohortRequest) -> dict[str, Any]:
        """Add a user to a cohort or remove them. Repeatable. Raises ApiFault 404 user_not_found."""
        with self.database.transaction() as tx:
            _require_user(tx, request.user_id)
            action = "join_cohort" if request.member else "leave_cohort"
            if tx.run(action, cohort=request.cohort, user_id=request.user_id):
                name = "cohort.join" if request.member else "cohort.leave"
                tx.audit(actor, name, request.user_id, cohort=request.cohort, reason=request.reason)
        return {"cohort": request.cohort, "user_id": request.user_id, "member": request.member}

    def _check(self, tx: Tx, request: SetFlagRequest) -> None:
        scope, target = request.scope, request.target
        if (scope == "all") != (target == "*"):
            raise invalid(f"scope all needs the target *, other scopes need another; got {scope} with {target[:64]!r}")
        if scope == "profile" and target not in manifests.profiles():
            raise invalid(f"profile must be one of {', '.join(sorted(manifests.profiles()))}, not {target[:64]!r}")
        if scope == "cohort" and not _COHORT.match(target):
            raise invalid("a cohort's name may have lower-case letters, digits, '.', '_' and '-'")
        if scope == "user":
            _require_user(tx, _user_id(target))


def put(tx: Tx, actor: str, request: SetFlagRequest) -> Row:
    """Set a flag whose target was checked, and record it in the audit; returns the row."""
    row = tx.only("set_flag", **request.model_dump(exclude={"name"}), flag=request.name, set_by=actor)
    _audit(tx, actor, "flag.set", request, value=request.value)
    return row


def _audit(tx: Tx, actor: str, action: str, request: UnsetFlagRequest, *, value: bool) -> None:
    details = {**request.model_dump(include={"name", "scope", "target", "reason"}), "value": value}
    user_id = request.target if request.scope == "user" else None
    tx.audit(actor, action, user_id, **details)


def _user_id(target: str) -> str:
    try:
        canonical = str(uuid.UUID(target))
    except ValueError:
        canonical = ""
    # The database compares text: only its own spelling of a UUID can match.
    if canonical != target:
        raise invalid("scope user takes a lower-case UUID as target")
    return canonical


def _require_user(tx: Tx, user_id: str) -> None:
    existing(tx.row("user_by_id", user_id=user_id), "user", user_id)
