"""
What users order for their own memory: that records are forgotten, and that everything is exported.

The control plane keeps ids, keyed digests, times and counts. The reader shows what would be forgotten and gets a token
for it; the confirmation brings the token back, once. A tick then names the user, and the consumer asks for the step
that is due, under the user's lock, and reports what it did (docs/erasure.md, "When a user forgets").
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AwareDatetime, Field

from contract.api import CommitRef, Counts, Hex64, ReadGrantRequest, Wire
from contract.event import Uuid
from contract.exclusions import ExclusionRequest

#: Records in one list. Whoever wants to forget more does so in several steps.
MAX_FORGOTTEN: Final = 2_000
OrderKind = Literal["forget", "export"]
#: ``forgetting`` and ``exporting``: begun at least once. ``sweeping``: purged; the second sweep and the receipt follow.
OrderState = Literal["waiting", "forgetting", "exporting", "sweeping", "ready", "closed"]
OrderStep = Literal["purge", "sweep", "export", "expire"]
Code = Annotated[str, Field(pattern=r"^[a-z_]{1,64}$")]
#: How the records were selected, in the reader's own canonical words; only a digest is kept.
SelectionText = Annotated[str, Field(min_length=1, max_length=4000)]


class RecordRef(Wire):
    """A record of the memory by its source and id."""

    source: Annotated[str, Field(min_length=1, max_length=64)]
    id: Annotated[str, Field(min_length=1, max_length=1024)]


class ShowForgetRequest(ReadGrantRequest):
    """What the reader is about to show as what would be forgotten. ``head_seq``: the commit it was found in."""

    records: Annotated[tuple[RecordRef, ...], Field(min_length=1, max_length=MAX_FORGOTTEN)]
    selection: SelectionText
    head_seq: Annotated[int, Field(ge=0)]


class ShownForget(Wire):
    """``token``: confirms this list, for this user, once, until ``until``."""

    token: str
    until: AwareDatetime


class ConfirmForgetRequest(ReadGrantRequest):
    """``records``: those of the list that are to be forgotten. ``matching``: what the selection finds now.

    ``keep_out``: what later exports leave out, too.
    """

    token: Annotated[str, Field(min_length=1, max_length=200)]
    records: Annotated[tuple[RecordRef, ...], Field(min_length=1, max_length=MAX_FORGOTTEN)]
    matching: Annotated[tuple[RecordRef, ...], Field(max_length=MAX_FORGOTTEN)] = ()
    selection: SelectionText
    keep_out: ExclusionRequest | None = None


class OrderResult(Wire):
    """``commit``: of a forgetting, the signed commit of its purge; of an export, the one that was exported.

    ``objects``: deleted in the bucket, by kind. ``bytes`` and ``sha256``: of an export.
    """

    commit: CommitRef | None = None
    records: int = 0
    objects: Counts = Field(default_factory=dict)
    bytes: int = 0
    sha256: Hex64 | None = None


class OrderView(Wire):
    """``records``: how many are forgotten. ``failure``: why the last try failed; it is tried again. ``shown_seq``: the
    commit in which the forgotten records were shown.
    """

    id: Uuid
    kind: OrderKind
    state: OrderState
    ordered_at: AwareDatetime
    records: int = 0
    shown_seq: int | None = None
    done_at: AwareDatetime | None = None
    closed_at: AwareDatetime | None = None
    ends_at: AwareDatetime | None = None
    failure: str | None = None
    result: OrderResult = OrderResult()


class ConfirmedForget(Wire):
    """``arrived``: what matches now and was not in the list; it is not touched."""

    order: OrderView
    arrived: tuple[RecordRef, ...] = ()


class OrderList(Wire):
    """Newest first."""

    orders: tuple[OrderView, ...] = ()


class OrderRequest(ReadGrantRequest):
    """An order of the token's user."""

    order_id: Uuid


class RuleSwitchRequest(ReadGrantRequest):
    """Switch one of the user's standing rules off, or on again."""

    source_key: Literal["user_rules", "user_preferences"]
    record_id: Annotated[str, Field(min_length=1, max_length=1024)]
    on: bool


class ExclusionView(Wire):
    """``source_key``: only of a source. Nobody can say any more which person or topic it is."""

    id: Uuid
    kind: Literal["source", "person", "topic"]
    source_key: str | None = None
    made_at: AwareDatetime


class ExclusionList(Wire):
    """Those in force, newest first."""

    exclusions: tuple[ExclusionView, ...] = ()


class EndExclusionRequest(ReadGrantRequest):
    exclusion_id: Uuid


class OrderedStep(Wire):
    """The step that is due for a user; ``step`` None: none. ``key`` and ``records``: digests of what to purge.

    ``order``: as it stands.
    """

    step: OrderStep | None = None
    order: OrderView | None = None
    key: Hex64 | None = None
    records: tuple[Hex64, ...] = ()


class StepReport(Wire):
    """A step that was done, or (``failure``) that could not be. Repeatable."""

    order_id: Uuid
    step: OrderStep
    result: OrderResult = OrderResult()
    failure: Code | None = None
