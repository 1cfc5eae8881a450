"""Ticks: insert due jobs, once however often a tick repeats, and publish stale ones again.

A dream is planned for the user's next night (``dream_hours`` of the local time) when a job ends and the memory changed
since the last dream. Planned once a day, it would miss the news of a day that began after the night before. It starts
after the digest of its hour, since it makes way for any other job.

An hourly digest is due when the user's data has changed, or when something falls due in this hour (``wake_at``, which
the last digest reported). What falls due later in an hour that had its digest gets one of its own.

A tick looks at users who may be due, in three rounds: those with marks of news, which triggers leave; those whose
``wake_at`` has come; and a twenty-fourth of all, so that each is looked at once a day whatever the triggers missed.
"""

from __future__ import annotations

import hashlib
import itertools
import uuid
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, Literal, get_args
from zoneinfo import ZoneInfo

import manifests
from contract.api import TickRequest, TickResponse
from contract.event import planned_job_id, utc_text
from controlplane.db import Database, Row, Tx
from controlplane.errors import invalid
from controlplane.jobs import known_zone

#: Workspaces planned in one call; the caller repeats with the next page until there is none.
PAGE: Final = 500
#: Published outbox rows removed by one sweep; the next ones remove the rest.
OUTBOX_PIECE: Final = 10_000
#: Old marks removed by one sweep; the next ones remove the rest.
MARKS_PIECE: Final = 10_000
#: Marks older than this are removed by any sweep: every user has been looked at since.
MARKS_KEEP_S: Final = 2 * 86400
_HOUR: Final = timedelta(hours=1)
_NOBODY: Final = uuid.UUID(int=0)
_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
Round = Literal["marked", "waking", "daily"]
_ROUNDS: Final[tuple[Round, ...]] = get_args(Round)


@dataclass(frozen=True, slots=True)
class PlanningPlace:
    """Where a page of an hourly tick begins: its round, and after whom; ``at``: the wake time of that user.

    Its text is opaque to callers.
    """

    round: Round = "marked"
    after: uuid.UUID = _NOBODY
    at: datetime = _LONG_AGO

    def __str__(self) -> str:
        return f"{self.round}/{self.after}/{utc_text(self.at)}"

    @staticmethod
    def read(text: str | None) -> PlanningPlace:
        """Raises ApiFault 422: this server did not write it."""
        if not text:
            return PlanningPlace()
        name, _, rest = text.partition("/")
        after, _, at = rest.partition("/")
        try:
            # An earlier release wrote the user alone.
            return (
                PlanningPlace(_round(name), uuid.UUID(after), _utc(at))
                if rest
                else PlanningPlace("marked", uuid.UUID(name))
            )
        except ValueError as exc:
            raise invalid("page is not a next_page that this server issued", "Begin again without it.") from exc

    def next_round(self) -> PlanningPlace | None:
        left = _ROUNDS[_ROUNDS.index(self.round) + 1 :]
        return PlanningPlace(left[0]) if left else None


@dataclass(frozen=True, slots=True)
class Planning:
    """
    ``spread``: the part of its hour over which a tick's jobs start, by a hash of the user; the rest lets them end.

    Zero starts everything at once: right for one machine, wrong for a million users.
    """

    database: Database
    spread: timedelta
    page_size: int = PAGE
    #: None: the limit in manifests/limits.yaml.
    verify_size: int | None = None

    def tick(self, request: TickRequest) -> TickResponse:
        """Plan one page. Repeatable: ids follow from user, type and period.

        Raises ApiFault 422 the page or the period is malformed.
        """
        if request.kind == "sweep":
            return self._sweep()
        start = _start_of(request)
        with self.database.transaction() as tx:
            return self._hourly(tx, request, start) if request.kind == "hourly" else self._daily(tx, request, start)

    def _starts(self, tx: Tx, request: TickRequest, start: datetime) -> tuple[datetime, timedelta]:
        """From when on, and over how long, the jobs of a tick start. A daily tick comes hours after its day began, and
        an hourly one may be late: what is over by then is no part of it, or all jobs would start at once.
        """
        if not self.spread:
            return start, self.spread
        begin = max(start, tx.only("planning_time")["now"])
        whole = self.spread if request.kind == "daily" else start + self.spread - begin
        return begin, max(whole, timedelta(0))

    def _hourly(self, tx: Tx, request: TickRequest, start: datetime) -> TickResponse:
        place: PlanningPlace | None = PlanningPlace.read(request.page)
        starts = self._starts(tx, request, start)
        overlap_s, planned, room = manifests.export_manifest().overlap_s, 0, self.page_size
        while place is not None and room > 0:
            page = self._candidates(tx, place, start, room)
            user_ids = [row["user_id"] for row in page]
            rows = tx.rows("due_workspaces", user_ids=user_ids, overlap_s=overlap_s) if user_ids else []
            due = [row for row in rows if _is_due(row, start)]
            planned += tx.run_many("plan_job", [self._job(row, request, *starts) for row in due])
            if place.round == "marked" and user_ids:
                with_news = [row["user_id"] for row in rows if row["has_news"]]
                # Twice the overlap: no change that an older mark stands for can still be on its way.
                tx.run("renew_marks", user_ids=user_ids, with_news=with_news, keep_s=2 * overlap_s)
            if len(page) < room:
                place = place.next_round()
            else:
                place = PlanningPlace(place.round, page[-1]["user_id"], page[-1].get("wake_at", _LONG_AGO))
            room -= len(page)
        return TickResponse(planned=planned, next_page=str(place) if place else None)

    def _candidates(self, tx: Tx, place: PlanningPlace, start: datetime, limit: int) -> list[Row]:
        """Up to so many users of a round, each with ``user_id``."""
        if place.round == "marked":
            return tx.rows("marked_users", after=place.after, limit=limit)
        if place.round == "waking":
            until = start + _HOUR
            return tx.rows("waking_users", after=place.after, after_at=place.at, until=until, limit=limit)
        before, last = hours_share(start.hour)
        return tx.rows("users_between", after=max(before, place.after), to=last, limit=limit)

    def _daily(self, tx: Tx, request: TickRequest, start: datetime) -> TickResponse:
        page = tx.rows("unseen_workspaces", after=_page(request.page), limit=self.page_size)
        starts = self._starts(tx, request, start)
        planned = tx.run_many("plan_job", [self._job(row, request, *starts) for row in page])
        verify = self._to_verify(tx, request.period) if request.page is None else ()
        more = str(page[-1]["user_id"]) if len(page) == self.page_size else None
        return TickResponse(planned=planned, next_page=more, verify=verify)

    def _to_verify(self, tx: Tx, period: str) -> tuple[str, ...]:
        size = self.verify_size or manifests.limits()["verified_per_day"]
        tx.run("choose_for_verification", period=period, limit=size)
        return tuple(str(row["user_id"]) for row in tx.rows("chosen_for_verification", period=period))

    def _sweep(self) -> TickResponse:
        limits = manifests.limits()
        with self.database.transaction() as tx:
            tx.run("delete_published", keep_s=limits["outbox_keep"], limit=OUTBOX_PIECE)
            tx.run("drop_old_marks", keep_s=MARKS_KEEP_S, limit=MARKS_PIECE)
            tx.row("catch_up", limit=self.page_size)
            stale_s = limits["sweep_stale_after"]
            republished = tx.run("republish_stale", stale_s=stale_s, limit=self.page_size)
            return TickResponse(republished=republished, **tx.only("count_withheld"))

    def _job(self, row: Row, request: TickRequest, begin: datetime, whole: timedelta) -> dict[str, Any]:
        user_id = str(row["user_id"])
        job_type = "hourly_digest" if request.kind == "hourly" else "insight"
        start_at = begin + whole * share(user_id)
        if request.kind == "hourly" and not row["has_news"]:
            # Before that time it would have nothing to tell.
            start_at = max(start_at, row["wake_at"])
        return {
            "id": planned_job_id(user_id, job_type, request.period),
            "user_id": user_id,
            "workspace_id": row["workspace_id"],
            "job_type": job_type,
            "period": request.period,
            "start_at": start_at,
        }


def plan_wake(tx: Tx, row: Row, wake_at: datetime) -> None:
    """Plan the digest of what falls due before the next tick could plan one, after the job of ``row`` said so.

    A tick makes one job an hour, and that of this hour may have run. Repeatable: the id follows from user and time.
    """
    period = f"{wake_at.astimezone(UTC):%Y-%m-%dT%H}"
    job_id = planned_job_id(str(row["user_id"]), "hourly_digest", utc_text(wake_at))
    tx.run("plan_wake", id=job_id, job_id=row["id"], period=period, wake_at=wake_at)


def plan_dream(tx: Tx, row: Row, spread: timedelta) -> None:
    """After the job of ``row`` ended: plan a dream in the user's next night, if the memory changed since the last one.

    Repeatable: the id follows from user and night. ``spread``: see Planning.
    """
    due = tx.row("dream_due", job_id=row["id"])
    if due is None:
        return
    user_id = str(due["user_id"])
    night, start_at = next_dream(user_id, ZoneInfo(known_zone(due["timezone"]) or "UTC"), spread, due["now"])
    job = {
        "id": planned_job_id(user_id, "dream", night.isoformat()),
        "user_id": user_id,
        "workspace_id": due["workspace_id"],
        "job_type": "dream",
        "period": night.isoformat(),
        "start_at": start_at,
    }
    tx.run("plan_job", **job)


def next_dream(user_id: str, zone: ZoneInfo, spread: timedelta, now: datetime) -> tuple[date, datetime]:
    """(the night's date, the start) of the user's first dream after ``now``.

    Each night has an hour of its own, so that no other plan meets all of them. In it the dream follows the digest.
    """
    limits = manifests.limits()
    first, end = limits["dream_hours"]
    minute = spread * share(user_id) + timedelta(seconds=limits["dream_after_digest"])
    for night in itertools.count(now.astimezone(zone).toordinal()):
        day = date.fromordinal(night)
        hour = first + int((end - first) * share(f"{user_id} {day}"))
        begin = datetime.combine(day, time(hour), zone).astimezone(UTC)
        start_at = begin + (minute - timedelta(minutes=begin.minute)) % _HOUR
        if start_at > now:
            return day, start_at
    raise AssertionError("there is always another night")


def share(name: str) -> float:
    """From 0 to 1, uniform over many names. Of a user: when in the hour the jobs start, the same every hour."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]) / 2**64


def hours_share(hour: int) -> tuple[uuid.UUID, uuid.UUID]:
    """The users at whom this hour (0 to 23) looks without any mark: after the first id, up to the second."""
    before, last = (part * 2**128 // 24 - 1 for part in (hour, hour + 1))
    return uuid.UUID(int=max(0, before)), uuid.UUID(int=last)


def _is_due(row: Row, start: datetime) -> bool:
    wakes = row["wake_at"] is not None and row["wake_at"] < start + _HOUR
    return bool(row["wants_hourly"] and (row["has_news"] or wakes))


def _start_of(request: TickRequest) -> datetime:
    form = "%Y-%m-%dT%H" if request.kind == "hourly" else "%Y-%m-%d"
    try:
        return datetime.strptime(request.period, form).replace(tzinfo=UTC)
    except ValueError as exc:
        raise invalid(f"a {request.kind} tick has a period like {form}, got {request.period!r}") from exc


def _round(name: str) -> Round:
    if name not in _ROUNDS:
        raise ValueError(f"{name!r} is no round")
    return name


def _utc(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time without its zone")
    return moment


def _page(page: str | None) -> uuid.UUID:
    try:
        return uuid.UUID(page) if page else _NOBODY
    except ValueError as exc:
        raise invalid("page is not a next_page that this server issued", "Begin again without it.") from exc
