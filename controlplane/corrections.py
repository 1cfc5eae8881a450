"""What users, or operators for them, say about statements of a memory; and the overlay, which runs and readers ask for.

Stored are ids, keyed digests and times, never content. ``by`` in the methods: ``user``, or an operator's address.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from contract.event import utc_text
from contract.exclusions import Exclusion
from contract.overlay import (
    PERSONS,
    CorrectionList,
    CorrectionPlace,
    CorrectionRequest,
    CorrectionView,
    Overlay,
    PlaceRequest,
    RuleRef,
    person_digest,
)
from controlplane.db import Database, Row, Tx
from controlplane.deletions import require_rows_stay
from controlplane.errors import ApiFault, existing, not_found

#: Corrections in force of one user. A run reads all of them, and somebody who taps all day makes a few hundred.
MOST: Final = 5_000
#: Corrections in one listing.
LISTED: Final = 500
#: Who ``by`` is where the user speaks for themselves.
USER: Final = "user"
#: The user in the audit.
OWNER: Final = "owner"
_KEY_BYTES: Final = 32
#: The word that two opposite verdicts replace each other by.
_OPPOSITE: Final = {"same_person": "different_person", "different_person": "same_person"}


@dataclass(frozen=True, slots=True)
class Corrections:
    database: Database

    def make(self, by: str, user_id: str, request: CorrectionRequest) -> CorrectionView:
        """Note a correction. Repeatable: the same one again is the row that is there. That two people are one takes
        back that they are two, and the reverse; another day for ``later`` replaces the one before.

        Raises ApiFault 404 user_not_found, 404 job_not_found, claim_not_found; 409 too_many_corrections.
        """
        with self.database.transaction() as tx:
            return view(make(tx, by, user_id, request))

    def listed(self, user_id: str) -> CorrectionList:
        with self.database.transaction() as tx:
            rows = tx.rows("list_corrections", user_id=user_id, limit=LISTED)
        return CorrectionList(corrections=tuple(view(row) for row in rows))

    def undo(self, by: str, user_id: str, correction_id: str) -> CorrectionView:
        """Take a correction back. Repeatable: the first time counts.

        Raises ApiFault 404 correction_not_found: this user has none with that id.
        """
        with self.database.transaction() as tx:
            row = tx.row("undo_correction", user_id=user_id, id=correction_id, by=by)
            if row is not None:
                _audit(tx, by, "correction.undo", row)
            else:
                row = tx.row("read_correction", user_id=user_id, id=correction_id)
        return view(existing(row, "correction", correction_id))

    def place(self, user_id: str, request: PlaceRequest) -> None:
        """Keep what a run found that corrections speak of. Repeatable: the first answer stands, and one about a
        correction that is gone, or another user's, changes nothing.
        """
        with self.database.transaction() as tx:
            for placed in request.placed:
                about = bytes.fromhex(placed.about) if placed.about else None
                if tx.row("place_correction", user_id=user_id, id=placed.id, about=about) is None:
                    continue
                tx.run_many(
                    "add_correction_place",
                    [
                        {
                            "id": placed.id,
                            "user_id": user_id,
                            "record": bytes.fromhex(place.record),
                            "marks": [bytes.fromhex(mark) for mark in place.marks],
                        }
                        for place in placed.places
                    ],
                )

    def overlay(self, user_id: str) -> Overlay:
        """Everything that is to be honoured for this user now. Ids, digests and times only; one transaction."""
        with self.database.transaction() as tx:
            erasure = tx.row("erasure_of", user_id=user_id)
            rows = tx.rows("standing_corrections", user_id=user_id, limit=MOST)
            places: dict[str, list[CorrectionPlace]] = {}
            for place in tx.rows("correction_places", user_id=user_id):
                entry = CorrectionPlace(record=place["record"], marks=tuple(place["marks"]))
                places.setdefault(str(place["correction_id"]), []).append(entry)
            key = erasure["key"] if erasure else None
            hidden = tx.rows("hidden_records", user_id=user_id, key=key) if key else []
            rules = tx.rows("rules_of", user_id=user_id)
            exclusions = tx.rows("exclusions_of", user_id=user_id)
        return _versioned(
            Overlay(
                version="",
                key=key,
                hidden_records=tuple(row["hash"] for row in hidden),
                corrections=tuple(view(row, places.get(str(row["id"]), ())) for row in rows),
                rules=tuple(RuleRef.model_validate(row) for row in rules),
                exclusions=tuple(Exclusion.model_validate({**row, "id": str(row["id"])}) for row in exclusions),
            )
        )


def make(tx: Tx, by: str, user_id: str, request: CorrectionRequest, *, audited: bool = True) -> Row:
    """``Corrections.make`` inside of a transaction. ``audited``: whether the audit gets a line of its own."""
    existing(tx.row("lock_user", user_id=user_id), "user", user_id)
    require_rows_stay(tx, user_id)
    _require_own_claim(tx, user_id, request)
    values = _values(tx, user_id, request)
    if request.verdict in PERSONS:
        tx.run("undo_persons", user_id=user_id, by=by, **{**values, "verdict": _OPPOSITE[request.verdict]})
    same = tx.row("same_correction", user_id=user_id, **values)
    if same is not None and str(same["until"] or "") == str(values["until"] or ""):
        return same
    if same is not None:
        tx.row("undo_correction", user_id=user_id, id=same["id"], by=by)
    count = tx.only("count_corrections", user_id=user_id)["corrections"]
    if count >= MOST:
        message = f"user {user_id} has {count} corrections in force, which is the maximum"
        raise ApiFault(409, "too_many_corrections", message, hint="Undo some of them first.")
    row = tx.only("make_correction", user_id=user_id, by=by, **values)
    if audited:
        _audit(tx, by, "correction.make", row)
    return row


def _require_own_claim(tx: Tx, user_id: str, request: CorrectionRequest) -> None:
    if request.job_id is not None and request.claim is not None:
        job = tx.row("read_job", job_id=request.job_id)
        if job is None or str(job["user_id"]) != user_id:
            raise not_found("job", request.job_id)
        require_claim(tx, request.job_id, request.claim)


def undo_claim(tx: Tx, by: str, user_id: str, job_id: str, claim: int) -> None:
    """Take back that a claim is wrong, where somebody said so."""
    request = CorrectionRequest(verdict="wrong", job_id=job_id, claim=claim)
    same = tx.row("same_correction", user_id=user_id, **_values(tx, user_id, request))
    if same is not None:
        tx.row("undo_correction", user_id=user_id, id=same["id"], by=by)


def _values(tx: Tx, user_id: str, request: CorrectionRequest) -> dict[str, Any]:
    """A request as columns: people as digests, the smaller one first, so that their order makes no difference."""
    values = request.model_dump(exclude={"person", "other"})
    # Also without people: the run that places the correction needs the key.
    key = user_key(tx, user_id)
    person, other = None, None
    if request.person is not None and request.other is not None:
        person, other = sorted(bytes.fromhex(person_digest(key, each)) for each in (request.person, request.other))
    return {**values, "person": person, "other": other}


def user_key(tx: Tx, user_id: str) -> str:
    """The user's key in hexadecimal; the first caller makes it."""
    tx.run("claim_suppression_key", user_id=user_id, key=secrets.token_hex(_KEY_BYTES), erased_at=None)
    return str(tx.only("erasure_of", user_id=user_id)["key"])


def require_claim(tx: Tx, job_id: str, claim: int) -> None:
    """Raises ApiFault 404 claim_not_found: the job's report numbers no such claim."""
    claims = tx.only("claims_of_job", job_id=job_id)["claims"]
    if claim > claims:
        message = f"the report of job {job_id} has {claims} claims; there is no claim {claim}"
        raise ApiFault(404, "claim_not_found", message, hint="The report prints each claim's number.")


def _audit(tx: Tx, by: str, action: str, row: Row) -> None:
    # The access log calls the user the owner, as it does for their reading.
    actor = OWNER if by == USER else by
    tx.audit(actor, action, row["user_id"], row["job_id"], correction=str(row["id"]), verdict=row["verdict"])


def view(row: Row, places: Sequence[CorrectionPlace] = ()) -> CorrectionView:
    """A row as it is on the wire."""
    stated = {
        **{name: row[name].hex() if row[name] else None for name in ("person", "other", "about")},
        "id": str(row["id"]),
        "job_id": str(row["job_id"]) if row["job_id"] else None,
        "until": row["until"].isoformat() if row["until"] else None,
        "places": places,
        "made_by": "user" if row["made_by"] == USER else "operator",
    }
    return CorrectionView.model_validate({**row, **stated})


def _versioned(overlay: Overlay) -> Overlay:
    """With the digest of all that a caller must honour. That a run found a place changes nothing for anybody."""
    kept = {
        "hidden": overlay.hidden_records,
        "corrections": [[each.id, each.verdict, each.until] for each in overlay.corrections],
        "exclusions": [each.id for each in overlay.exclusions],
        "rules": [[rule.source_key, rule.record_id, utc_text(rule.changed_at), rule.off] for rule in overlay.rules],
    }
    return overlay.model_copy(update={"version": hashlib.sha256(orjson.dumps(kept)).hexdigest()[:32]})
