"""The changes that operators make by form: the same calls as the command line's, with the same questions for a reason.

Every action redirects to the page that shows its effect, so that reloading that page repeats nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

import manifests
from consumer.console.requests import Ask, Goto, RequestRefusal
from contract.api import EnableUserRequest, ReasonRequest, RerunRequest, SetFlagRequest, UnsetFlagRequest
from service import telemetry

if TYPE_CHECKING:
    from consumer.bootstrap import Operations, OperatorApi

MAX_REASON: Final = 500
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Actions:
    """Every method: a posted form -> where to go. Raises RequestRefusal and the operations' errors."""

    operations: Operations

    def cancel(self, ask: Ask) -> Goto:
        """Ask a job to stop at its next stage."""
        job_id, request = ask.path["job_id"], ReasonRequest(reason=reason(ask))
        self._api(ask).cancel(job_id, request)
        return self._done(ask, f"/jobs/{job_id}", "cancel", job_id=job_id)

    def rerun(self, ask: Ask) -> Goto:
        """Queue a new job like one that has ended."""
        old = ask.path["job_id"]
        new = self._api(ask).rerun(old, RerunRequest(force_render=ask.field("force_render") == "yes"))
        return self._done(ask, f"/jobs/{new.job_id}", "rerun", job_id=new.job_id)

    def enable(self, ask: Ask) -> Goto:
        """Give a user a workspace, or enable it again; by id or e-mail address."""
        who = ask.field("who")
        key = "email" if "@" in who else "user_id"
        request = _valid(EnableUserRequest, {key: who, "runtime_profile": ask.field("profile") or None})
        user_id = str(self._api(ask).enable_user(request)["user_id"])
        return self._done(ask, f"/users/{user_id}", "enable", user_id=user_id)

    def disable(self, ask: Ask) -> Goto:
        """Plan nothing more for a user, and ask open jobs to stop. Only the command line can also erase."""
        user_id = ask.path["user_id"]
        if ask.field("sure") != "yes":
            raise RequestRefusal(422, "Nothing was done", "Tick the box to confirm: open jobs are asked to stop.")
        self._api(ask).disable_user(user_id)
        return self._done(ask, f"/users/{user_id}", "disable", user_id=user_id)

    def flag(self, ask: Ask) -> Goto:
        """Set a flag on or off, or remove the setting."""
        verb, scope = ask.field("verb"), ask.field("scope")
        place = {
            "name": ask.field("name"),
            "scope": scope,
            "target": "*" if scope == "all" else ask.field("target"),
            "reason": reason(ask),
        }
        if verb not in ("on", "off", "unset"):
            raise RequestRefusal(400, "Nothing was done", "Choose on, off or unset.")
        if verb == "unset":
            self._api(ask).unset_flag(_valid(UnsetFlagRequest, place))
        else:
            self._api(ask).set_flag(_valid(SetFlagRequest, {**place, "value": verb == "on"}))
        return self._done(ask, "/flags", "flag", flag=place["name"], scope=scope, value=verb)

    def _api(self, ask: Ask) -> OperatorApi:
        return self.operations.acting_for(ask.session.operator)

    def _done(self, ask: Ask, path: str, action: str, **ids: Any) -> Goto:
        telemetry.log(f"console_{action}", operator=ask.session.operator, **ids)
        return Goto(path)


def profiles() -> tuple[str, ...]:
    """Runtime profiles that a user may have."""
    return tuple(name for name, profile in manifests.profiles().items() if profile.enabled)


def reason(ask: Ask) -> str:
    """The form's reason. Raises RequestRefusal: none, or too long."""
    text = ask.field("reason")
    if not text or len(text) > MAX_REASON:
        raise RequestRefusal(422, "Nothing was done: a reason is required", f"Up to {MAX_REASON} characters.")
    return text


def _valid(kind: type[Model], values: dict[str, Any]) -> Model:
    try:
        return kind.model_validate(values)
    except ValidationError as exc:
        # Only locations and reasons: the input may be anything.
        parts = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in exc.errors()]
        raise RequestRefusal(422, "Nothing was done", "; ".join(parts[:3])) from None
