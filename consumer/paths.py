"""The names of all objects in the bucket."""

from __future__ import annotations

from typing import Final

from consumer.errors import ScopeViolation

HEAD: Final = "HEAD"
#: Everything of all users.
USERS: Final = "users/"


def user(user_id: str) -> str:
    """Everything of one user, with a trailing slash; the prefix that stage credentials are narrowed to."""
    return f"users/{user_id}/"


def head(user_id: str) -> str:
    """The only mutable object of a workspace's history."""
    return f"users/{user_id}/HEAD"


def commit(user_id: str, seq: int, digest: str) -> str:
    """One commit; seq is zero-padded so that a listing is in order."""
    return f"users/{user_id}/commits/{seq:012d}-{digest}"


def tree(user_id: str, digest: str) -> str:
    return f"users/{user_id}/trees/{digest}"


def index(user_id: str, digest: str) -> str:
    return f"users/{user_id}/index/{digest}"


def pack(user_id: str, digest: str) -> str:
    return f"users/{user_id}/packs/{digest}"


def published(user_id: str, seq: int, path: str) -> str:
    """A readable copy of a committed file; the name carries the seq."""
    return f"users/{user_id}/published/{seq:012d}/{path}"


def lock(user_id: str) -> str:
    return f"users/{user_id}/lock.json"


def suppressed(user_id: str) -> str:
    """The records that exports must leave out of this workspace; the list only grows."""
    return f"users/{user_id}/suppressed.json"


def archive(user_id: str, name: str = "") -> str:
    """The history that a reset archived, in a folder named by the time; or the folder of all archives."""
    return f"users/{user_id}/archive/{name}/" if name else f"users/{user_id}/archive/"


def takeouts(user_id: str) -> str:
    """The folder of exports that the user ordered. They end after some days, and with each purge."""
    return f"users/{user_id}/takeout/"


def takeout(user_id: str, seq: int, order_id: str) -> str:
    """An export of a commit. Its name has the commit's number, so that a sweep knows those from before a purge."""
    return f"users/{user_id}/takeout/{seq:012d}-{order_id}.tar"


def takeout_proof(user_id: str, seq: int, order_id: str) -> str:
    """The proof of an export, beside it."""
    return f"users/{user_id}/takeout/{seq:012d}-{order_id}.json"


def receipt(user_id: str, order_id: str) -> str:
    """The receipt of what a user ordered to be forgotten: counts, times and a proof, no content."""
    return f"users/{user_id}/receipts/{order_id}.json"


def late(user_id: str = "") -> str:
    """The note that a second sweep of this user is owed, or the folder of all such notes."""
    return f"late/{user_id}.json" if user_id else "late/"


def dead_letters() -> str:
    """The folder of all dead letters."""
    return "dead/"


def parked(user_id: str, job_id: str = "") -> str:
    """One parked job, or the folder of them."""
    return f"users/{user_id}/parked/{job_id}.json" if job_id else f"users/{user_id}/parked/"


def ledger(job_id: str) -> str:
    """The run ledger: outside the user's prefix, written by the engine, never by a stage."""
    return f"jobs/{job_id}.json"


def dead_letter(date: str, key: str) -> str:
    """A dead-letter record; key is <job_id>-<attempt>, or m-<message id> for a message of no job."""
    return f"dead/{date}/{key}.json"


def provider_slot(provider: str, number: int) -> str:
    """One of the slots that cap concurrent jobs at a model provider; outside every user's prefix."""
    return f"providers/{provider}/{number:04d}.json"


def require_prefix(prefix: str, name: str) -> None:
    """A narrowed store's own check, in addition to its credentials.

    Raises ScopeViolation: the name (or the prefix to list) is outside.
    """
    if not name.startswith(prefix):
        raise ScopeViolation(f"this store is narrowed to {prefix!r}, so it refuses {name!r}")


def checkpoint(user_id: str, digest: str) -> str:
    """A run's checkpoint, named by its ledger only; gc deletes it once it is a day old."""
    return f"users/{user_id}/checkpoints/{digest}.json"


def answer(user_id: str, digest: str) -> str:
    """A validated synthesis, named by its input's digest; a resumed job reads it instead of paying twice."""
    return f"users/{user_id}/answers/{digest}.json"


def paid_readings(user_id: str, version: str, name: str = "") -> str:
    """What a model noted of one batch of records, or the folder of all of this reader version.

    ``name`` begins with the job that paid. Kept until that job has committed; gc removes it once it is a day old.
    """
    folder = f"users/{user_id}/readings/{version}/"
    return f"{folder}{name}.json" if name else folder
