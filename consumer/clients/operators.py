"""The control plane's operator API over HTTP, for the CLI. Needs an ID token of an account with the operator role."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import httpx
from pydantic import ValidationError

from consumer.errors import ControlPlaneUnavailable, NotAllowed, RequestRefused
from consumer.snapshot import suppression
from consumer.snapshot.suppression import Suppressed
from contract.api import (
    ACTING_FOR,
    BucketDeedRequest,
    CohortRequest,
    DeletionList,
    DeletionReceipt,
    DeletionView,
    DiscardRequest,
    EnableUserRequest,
    ErasureResponse,
    FlagList,
    FlagView,
    JobList,
    JobView,
    MarkList,
    MarkRequest,
    MarkResponse,
    PauseList,
    PauseRequest,
    PauseView,
    QueueView,
    ReasonRequest,
    ReplayRequest,
    RerunRequest,
    SetFlagRequest,
    SubmitJobRequest,
    SuppressedPage,
    SuppressRequest,
    UnsetFlagRequest,
    UserDetails,
    UserList,
    WaveRequest,
    WaveResponse,
    Wire,
    error_of,
)

TIMEOUT_S: Final = 15.0
Reply = TypeVar("Reply", bound=Wire)


@dataclass
class OperatorApi:
    """Every call raises ControlPlaneUnavailable, NotAllowed, or RequestRefused with the control plane's own hint."""

    client: httpx.Client
    identity_token: Callable[[], str]
    #: The operator for whom a console calls; the control plane accepts it only from CONSOLE_ACCOUNTS.
    acting_for: str | None = None

    def enable_user(self, request: EnableUserRequest) -> dict[str, Any]:
        return self._json("POST", "/memory-users", body=request)

    def disable_user(self, user_id: str) -> dict[str, Any]:
        return self._json("DELETE", f"/memory-users/{user_id}")

    def user(self, user_id: str) -> UserDetails:
        return self._model(UserDetails, "GET", f"/memory-users/{user_id}")

    def deletions(self, filters: Mapping[str, str]) -> DeletionList:
        return self._model(DeletionList, "GET", "/memory-deletions", params=filters)

    def receipt(self, user_id: str) -> DeletionReceipt:
        return self._model(DeletionReceipt, "GET", f"/memory-deletions/{user_id}/receipt")

    def keep_deleted(self, user_id: str, request: ReasonRequest) -> DeletionView:
        return self._model(DeletionView, "POST", f"/memory-deletions/{user_id}/keep", body=request)

    def users(self, filters: Mapping[str, str]) -> UserList:
        return self._model(UserList, "GET", "/memory-users", params=filters)

    def provision(self, request: WaveRequest) -> WaveResponse:
        """A repeated call starts the next wave, so after a lost reply read ``users`` instead of calling again."""
        return self._model(WaveResponse, "POST", "/memory-users/waves", body=request)

    def queue(self) -> QueueView:
        return self._model(QueueView, "GET", "/memory-queue")

    def pauses(self) -> PauseList:
        return self._model(PauseList, "GET", "/memory-queue/pauses")

    def pause(self, request: PauseRequest) -> PauseView:
        """Repeatable: a pause in force stays as it is."""
        return self._model(PauseView, "POST", "/memory-queue/pause", body=request)

    def resume(self, request: PauseRequest) -> PauseView:
        return self._model(PauseView, "POST", "/memory-queue/resume", body=request)

    def submit(self, request: SubmitJobRequest) -> JobView:
        return self._model(JobView, "POST", "/memory-jobs", body=request)

    def jobs(self, filters: Mapping[str, str]) -> JobList:
        return self._model(JobList, "GET", "/memory-jobs", params=filters)

    def job(self, job_id: str) -> JobView:
        return self._model(JobView, "GET", f"/memory-jobs/{job_id}")

    def cancel(self, job_id: str, request: ReasonRequest) -> JobView:
        return self._model(JobView, "POST", f"/memory-jobs/{job_id}/cancel", body=request)

    def replay(self, job_id: str, request: ReplayRequest) -> JobView:
        """Idempotent by replay_id."""
        return self._model(JobView, "POST", f"/memory-jobs/{job_id}/replay", body=request)

    def note_discard(self, request: DiscardRequest) -> None:
        """Record who discards a dead letter and why. Idempotent by its key."""
        self._json("POST", "/memory-dead-letters/discards", body=request)

    def note_deed(self, request: BucketDeedRequest) -> None:
        """Record an action that is about to happen in the bucket, with its reason. The identity tells the operator."""
        self._json("POST", "/memory-bucket-deeds", body=request)

    def suppressed(self, user_id: str) -> Suppressed:
        """As ``ports.SuppressionMirror``."""
        return suppression.fetched(partial(self._union, user_id))

    def suppress(self, user_id: str, added: Suppressed) -> Suppressed:
        """As ``ports.SuppressionMirror``."""
        return suppression.sent(added, partial(self._union, user_id))

    def mark_erased(self, user_id: str, reason: str) -> ErasureResponse:
        """Record that all of this user is about to be erased. Repeatable. RequestRefused: the user is enabled."""
        body = ReasonRequest(reason=reason)
        return self._model(ErasureResponse, "POST", f"/memory-users/{user_id}/erasure", body=body)

    def _union(self, user_id: str, request: SuppressRequest) -> SuppressedPage:
        return self._model(SuppressedPage, "POST", f"/memory-users/{user_id}/suppressions", body=request)

    def rerun(self, job_id: str, request: RerunRequest | None = None) -> JobView:
        return self._model(JobView, "POST", f"/memory-jobs/{job_id}/rerun", body=request or RerunRequest())

    def flags(self, filters: Mapping[str, str]) -> FlagList:
        return self._model(FlagList, "GET", "/memory-flags", params=filters)

    def set_flag(self, request: SetFlagRequest) -> FlagView:
        return self._model(FlagView, "POST", "/memory-flags", body=request)

    def unset_flag(self, request: UnsetFlagRequest) -> FlagView:
        return self._model(FlagView, "POST", "/memory-flags/unset", body=request)

    def change_cohort(self, request: CohortRequest) -> dict[str, Any]:
        return self._json("POST", "/memory-cohorts", body=request)

    def mark_claim(self, job_id: str, request: MarkRequest) -> MarkResponse:
        return self._model(MarkResponse, "POST", f"/memory-jobs/{job_id}/marks", body=request)

    def marks(self, job_id: str) -> MarkList:
        return self._model(MarkList, "GET", f"/memory-jobs/{job_id}/marks")

    def _headers(self) -> dict[str, str]:
        headers = {"authorization": f"Bearer {self.identity_token()}", "content-type": "application/json"}
        return {**headers, ACTING_FOR: self.acting_for} if self.acting_for else headers

    def _model(self, reply: type[Reply], method: str, path: str, **kw: Any) -> Reply:
        data = self._json(method, path, **kw)
        try:
            return reply.model_validate(data)
        except ValidationError as exc:
            raise ControlPlaneUnavailable(f"{method} {path}: the response is not a {reply.__name__}") from exc

    def _json(
        self, method: str, path: str, *, body: Wire | None = None, params: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        try:
            response = self.client.request(
                method,
                f"/api/internal{path}",
                content=body.model_dump_json(exclude_none=True) if body else None,
                params=params,
                headers=self._headers(),
                timeout=TIMEOUT_S,
            )
            data: dict[str, Any] = response.json() if response.is_success and response.content else {}
        except httpx.HTTPError as exc:
            raise ControlPlaneUnavailable(f"{method} {path}: {type(exc).__name__}") from exc
        except ValueError as exc:
            raise ControlPlaneUnavailable(f"{method} {path}: the response is not JSON") from exc
        if not response.is_success:
            raise _refusal(f"{method} {path}", response)
        return data


def _refusal(call: str, response: httpx.Response) -> Exception:
    error = error_of(response.headers.get("content-type"), response.content)
    if error is None:
        return ControlPlaneUnavailable(
            f"{call}: {response.status_code} without the control plane's error body, so something between this machine"
            " and the control plane answered: check CONTROLPLANE_URL, proxies and access rules"
        )
    sentences = ". ".join(part.rstrip(".") for part in (error.message, error.hint) if part)
    text = f"{call}: {response.status_code} {error.code}: {sentences}"
    if response.status_code in (401, 403):
        return NotAllowed(text, response.status_code)
    if response.status_code >= 500:
        return ControlPlaneUnavailable(text)
    return RequestRefused(text, response.status_code)
