"""Each page: what is asked for -> the template and what it shows."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, get_args
from urllib.parse import quote, urlencode

import orjson

from consumer.console.actions import MAX_REASON, profiles, reason
from consumer.console.dead_letters import DeadLetterAction, DeadLetterList, Period, Verb
from consumer.console.library import PATHS, Library
from consumer.console.readings import Readings
from consumer.console.requests import Ask, Goto, RequestRefusal, parse_number
from consumer.delivery import deadquery
from consumer.delivery.timeline import timeline
from consumer.errors import RequestRefused
from consumer.evidence import html as markdown
from contract.api import EVERYBODY, TERMINAL, FlagName, FlagScope, JobStatus, JobView
from contract.event import JobType
from contract.profile import DEFAULT_PROFILE
from service import telemetry

if TYPE_CHECKING:
    from consumer.bootstrap import Operations, OperatorApi

STATES: Final = ("open", "replayed", "discarded")
#: Seconds after which a page with live content reloads itself.
LIVE_S: Final = 3
LIST_S: Final = 10
#: Records of one fingerprint that a page shows and lets select; an action on all open ones includes the others.
RECORDS: Final = 200
#: The largest page shown as markdown, in bytes; a larger one is shown as plain text. Rendered pages are much smaller.
RENDERED: Final = 256 * 1024
_TEXT: Final = (".md", ".json", ".jsonl", ".yaml", ".txt", ".log")

Shown = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Pages:
    """Every method: a request -> (template, its values). Raises RequestRefusal and the operations' errors."""

    operations: Operations
    library: Library
    dead_letter_list: DeadLetterList
    readings: Readings
    #: The path of the console's pages.
    root: str = ""

    def jobs(self, ask: Ask) -> Shown:
        filters = _filters(ask, "status", "type", "user_id", "after")
        listing = self._api(ask).jobs(_stated(filters))
        live = any(job.status not in TERMINAL for job in listing.jobs)
        return "jobs.html", {
            "filters": filters,
            "jobs": listing.jobs,
            "waiting": _waiting(listing.jobs),
            "following": _following(filters, listing.next_after),
            "statuses": get_args(JobStatus),
            "types": get_args(JobType),
            "refresh_s": LIST_S if live else None,
            **self._banner(ask),
        }

    def job(self, ask: Ask) -> Shown:
        job = self._api(ask).job(ask.path["job_id"])
        entry = self.operations.ledgers.find(job.job_id)
        history = {"last_failure": None, **timeline(job, entry.ledger if entry else None)}
        attempts = history.get("history", ())
        longest = max((mark["seconds"] for attempt in attempts for mark in attempt["stages"]), default=0) or 1
        return "job.html", {
            "job": job,
            "timeline": history,
            "longest": longest,
            "seq": job.commit.seq if job.commit else None,
            "over": job.status in TERMINAL,
            "pauses": [job.pause] if job.pause else [],
            "refresh_s": None if job.status in TERMINAL else LIVE_S,
        }

    def cancelling(self, ask: Ask) -> Shown:
        """The cancel form. It is a separate page because the job's page reloads itself, which would clear the form."""
        job = self._api(ask).job(ask.path["job_id"])
        return "cancel.html", {"job": job, "over": job.status in TERMINAL, "max_reason": MAX_REASON}

    def dead_letters(self, ask: Ask) -> Shown:
        state = _choice(ask.query.get("state", "open"), (*STATES, "all"))
        letters = self.dead_letter_list.letters(state="" if state == "all" else state)
        values = {"groups": deadquery.groups(letters), "state": state, "states": (*STATES, "all")}
        return "dead_letters.html", {**values, **self._banner(ask)}

    def dead_group(self, ask: Ask) -> Shown:
        letters = self.dead_letter_list.letters(ask.path["fingerprint"])
        if not letters:
            raise RequestRefusal(404, "No dead letter has that fingerprint", "It may have expired; see Dead letters.")
        return "dead_group.html", {
            "fingerprint": ask.path["fingerprint"],
            "head": letters[0],
            "letters": letters[:RECORDS],
            "more": max(0, len(letters) - RECORDS),
            "open": sum(dead_letter.state == "open" for dead_letter in letters),
            "max_reason": MAX_REASON,
        }

    def act_on_dead(self, ask: Ask) -> Shown:
        verb, keys = ask.field("verb"), ask.form.get("key", [])
        if verb not in ("replay", "discard"):
            raise RequestRefusal(400, "Nothing was done", "Choose replay or discard.")
        why = reason(ask)
        whole = ask.field("scope") == "group"
        if not keys and not whole:
            raise RequestRefusal(422, "Nothing was done: no dead letter was selected", "Select at least one.")
        go_on = ask.field("go_on") == "yes"
        chosen: Verb = "replay" if verb == "replay" else "discard"
        action = DeadLetterAction(self._api(ask), ask.session.operator, chosen, why, go_on)
        if whole:
            period = Period(_moment(ask, "since"), _moment(ask, "until"))
            done = self.dead_letter_list.act_on_group(action, ask.path["fingerprint"], period)
        else:
            done = self.dead_letter_list.act(action, keys)
        return "dead_done.html", {"fingerprint": ask.path["fingerprint"], "verb": verb, "done": done, "reason": why}

    def users(self, ask: Ask) -> Shown:
        filters = _filters(ask, "status", "after")
        listing = self._api(ask).users(_stated(filters))
        states = ("enabled", "disabled", "none")
        values = {"users": listing.users, "filters": filters, "following": _following(filters, listing.next_after)}
        return "users.html", {**values, "states": states, **_profiles(), **self._banner(ask)}

    def user(self, ask: Ask) -> Shown:
        user_id = ask.path["user_id"]
        commits = self.library.commits(user_id)
        jobs = self._api(ask).jobs({"user_id": user_id}).jobs
        reports = self.library.reports(user_id) if commits else []
        values = {"user_id": user_id, "commits": commits, "reports": reports, "jobs": jobs[:10]}
        return "user.html", {**values, **_profiles(), **self._banner(ask, user_id)}

    def flags(self, ask: Ask) -> Shown:
        flags = self._api(ask).flags({"name": "", "target": ask.query.get("target", "").strip()}).flags
        values = {"flags": flags, "names": get_args(FlagName), "scopes": get_args(FlagScope), "max_reason": MAX_REASON}
        return "flags.html", values

    def _banner(self, ask: Ask, user_id: str | None = None) -> dict[str, Any]:
        """The pauses to show above a page: everybody's, and on a user's page only that user's."""
        try:
            listing = self._api(ask).pauses()
        except RequestRefused:  # A control plane without pauses.
            return {"pauses": []}
        wanted = (EVERYBODY, user_id) if user_id else None
        return {"pauses": [pause for pause in listing.pauses if wanted is None or pause.target in wanted]}

    def _api(self, ask: Ask) -> OperatorApi:
        return self.operations.acting_for(ask.session.operator)

    def _why(self, ask: Ask) -> Shown:
        """The form that asks for a reason; it reveals nothing of the page."""
        return "reading.html", {"user_id": ask.path["user_id"], "page": _own_address(ask), "max_reason": MAX_REASON}

    def reading(self, ask: Ask) -> Goto:
        """Record the operator's reason to read, then go to the requested page."""
        page = _own_address(ask)
        self.readings.begin(ask)
        return Goto(page)

    def commit(self, ask: Ask) -> Shown:
        if not self.readings.allowed(ask):
            return self._why(ask)
        user_id, seq = ask.path["user_id"], parse_number(ask.path["seq"], "seq")
        changes = self.library.changes(user_id, seq)
        values = {"user_id": user_id, "seq": seq, "changes": changes[:PATHS], "more": max(0, len(changes) - PATHS)}
        return "commit.html", {**values, "shown": _TEXT}

    def file(self, ask: Ask) -> Shown:
        if not self.readings.allowed(ask):
            return self._why(ask)
        user_id, path = ask.path["user_id"], ask.path["path"]
        if not path.endswith(_TEXT):
            raise RequestRefusal(415, "The console shows text files only", "Use `cloop-memory workspace cat`.")
        try:
            seq, data = self.library.read(user_id, path, ask.number("seq"))
        except (KeyError, IsADirectoryError):
            raise RequestRefusal(
                404, "That file is not in this commit", "It was added later, or a purge erased it."
            ) from None
        # Log only the folder: a page's name is made from its title.
        folder = posixpath.dirname(path)
        telemetry.log("console_read", operator=ask.session.operator, user_id=user_id, seq=seq, folder=folder)
        values = {"user_id": user_id, "path": path, "seq": seq, "bytes": len(data)}
        text = data.decode("utf-8", errors="replace")
        if not path.endswith(".md") or len(data) > RENDERED:
            return "file.html", {**values, "plain": _pretty(path, text)}
        front, body = markdown.split_front(text)
        html = markdown.render(body, path, lambda to, anchor: self.root + address(user_id, to, seq, anchor))
        return "file.html", {**values, "front": front, "html": html}


def _own_address(ask: Ask) -> str:
    """The address of the requested commit or file, rebuilt from its parts.

    Raises RequestRefusal: a browser would resolve it to another address, and send the reason and form token there.
    """
    user_id = ask.path["user_id"]
    if "seq" in ask.path:
        return f"/users/{user_id}/commits/{parse_number(ask.path['seq'], 'seq')}"
    path = ask.path["path"]
    if {"", ".", ".."} & set(path.split("/")):
        raise RequestRefusal(
            400, "That address is not one of the console's", "A file's path has no empty part, `.` or `..`."
        )
    return address(user_id, path, ask.number("seq"))


def address(user_id: str, path: str, seq: int | None = None, anchor: str = "") -> str:
    """The viewer's address of a workspace file."""
    query = f"?seq={seq}" if seq else ""
    return f"/users/{user_id}/files/{quote(path)}{query}" + (f"#{anchor}" if anchor else "")


def _moment(ask: Ask, name: str) -> datetime | None:
    """A time (UTC) of a form, as browsers send it; None: left open. Raises RequestRefusal."""
    text = ask.field(name)
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        raise RequestRefusal(
            422, f"Nothing was done: {name} is not a time", "Write it as 2026-11-27T14:00, or leave it empty."
        ) from None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


def _waiting(jobs: Sequence[JobView]) -> dict[str, int]:
    """How many of these open jobs wait for which service that all jobs share."""
    services = (job.progress.get("waiting_for") for job in jobs if job.status not in TERMINAL)
    return dict(sorted(Counter(str(service) for service in services if service).items()))


def _filters(ask: Ask, *names: str) -> dict[str, str]:
    """A list's filters from its address; "" for each one not set."""
    return {name: ask.query.get(name, "").strip() for name in names}


def _profiles() -> dict[str, object]:
    return {"profiles": profiles(), "default_profile": DEFAULT_PROFILE}


def _stated(filters: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in filters.items() if value}


def _following(filters: dict[str, str], after: str | None) -> str:
    """The query of the list's next page; "" on the last page."""
    return urlencode({**filters, "after": after}) if after else ""


def _choice(value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise RequestRefusal(400, "That address is not one of the console's", f"Choose one of {', '.join(allowed)}.")
    return value


def _pretty(path: str, text: str) -> str:
    if not path.endswith(".json"):
        return text
    try:
        return orjson.dumps(orjson.loads(text), option=orjson.OPT_INDENT_2).decode()
    except orjson.JSONDecodeError:
        return text
