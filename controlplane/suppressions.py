"""Records purged from memories, as keyed hashes in lists that only grow, and when a user was erased."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Any, Final

from contract.api import MAX_SUPPRESSED, ErasureResponse, ReasonRequest, SuppressedPage, SuppressRequest
from controlplane.db import Database, Row
from controlplane.errors import ApiFault, invalid

_AFTER: Final = re.compile(r"([0-9a-f]{64})([0-9a-f]{64})")
_KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Suppressing:
    """``page``: hashes in one response."""

    database: Database
    page: int = MAX_SUPPRESSED

    def union(self, user_id: str, request: SuppressRequest) -> SuppressedPage:
        """Add the request's hashes, if any, and return a page of all the user's hashes. Repeatable.

        Corrections that rest only on these records go in the same transaction, and all of them with an erasure.

        Raises ApiFault 422.
        """
        after = _after(request.after)
        if sum(map(len, request.lists.values())) > MAX_SUPPRESSED:
            raise invalid(f"at most {MAX_SUPPRESSED} hashes in one call", hint="Send the rest with the next call.")
        if (request.lists or request.erased_at) and request.key is None:
            raise invalid("key is missing: hashes and erased_at need the user's key; the first caller generates it")
        with self.database.transaction() as tx:
            if request.key is not None:
                tx.run("claim_suppression_key", user_id=user_id, key=request.key, erased_at=request.erased_at)
            for key, hashes in request.lists.items():
                tx.run("add_suppressions", user_id=user_id, key=key, hashes=list(hashes))
                tx.run("drop_correction_places", user_id=user_id, key=key, hashes=list(hashes))
            if request.erased_at is not None:
                tx.run("drop_corrections", user_id=user_id)
                tx.run("drop_assistant_tokens", user_id=user_id)
            erasure = tx.row("erasure_of", user_id=user_id)
            rows = tx.rows(
                "suppressions_page", user_id=user_id, after_key=after[0], after_hash=after[1], limit=self.page + 1
            )
        return _page(erasure, rows[: self.page], more=len(rows) > self.page)

    def erase(self, actor: str, user_id: str, request: ReasonRequest) -> ErasureResponse:
        """Record that everything of this user is about to be erased. From now on exports leave out everything older,
        until an operator begins anew. Repeatable; the latest time counts.

        Raises ApiFault 409 user_enabled: a job could bring everything back.
        """
        with self.database.transaction() as tx:
            workspace = tx.row("workspace_of", user_id=user_id)
            if workspace is not None and workspace["status"] == "enabled":
                raise ApiFault(
                    409,
                    "user_enabled",
                    f"user {user_id} is enabled, and their next job would bring everything back",
                    hint=f"Run `cloop-memory user disable {user_id} --purge --reason '...'`, which does both.",
                )
            row = tx.only("mark_erased", user_id=user_id, key=secrets.token_hex(_KEY_BYTES))
            tx.run("drop_corrections", user_id=user_id)
            tx.run("drop_assistant_tokens", user_id=user_id)
            tx.audit(actor, "user.erase", user_id, reason=request.reason)
        return ErasureResponse(user_id=str(row["user_id"]), erased_at=row["erased_at"])


def _after(token: str | None) -> tuple[str | None, str | None]:
    if token is None:
        return None, None
    match = _AFTER.fullmatch(token)
    if match is None:
        raise invalid("after is not a next_after that this server issued", "Begin again without it.")
    return match[1], match[2]


def _page(erasure: Row | None, rows: list[Row], *, more: bool) -> SuppressedPage:
    lists: dict[str, list[str]] = {}
    for row in rows:
        lists.setdefault(row["key"], []).append(row["hash"])
    state: dict[str, Any] = {name: erasure[name] for name in ("key", "erased_at", "begun_anew_at")} if erasure else {}
    after = f"{rows[-1]['key']}{rows[-1]['hash']}" if more else None
    return SuppressedPage.model_validate({**state, "lists": lists, "next_after": after})
