"""What the report's file says of claims that do not hold."""

from __future__ import annotations

from consumer.reports.citations import Checked, Resolved, Unresolved
from consumer.reports.claims import Claim
from consumer.reports.reporting import Unverified, unverified_json
from consumer.understanding.support import Check, CheckName
from tests.tables import table


def unverified(found_by: str = "") -> Unverified:
    claim = Claim(text="It is late.", kind="theme", found_by=found_by)
    checks = (Check("quotes", True), Check("values", False, "184 is in no quote"))
    return Unverified(3, Checked(claim, (), (), checks))


def test_each_has_its_number_its_checks_and_why_it_failed() -> None:
    (told_of,) = unverified_json([unverified()])
    assert (told_of["text"], told_of["kind"], told_of["claim"]) == ("It is late.", "theme", 3)
    assert told_of["checks"] == [
        {"check": "quotes", "passed": True, "reason": None},
        {"check": "values", "passed": False, "reason": "184 is in no quote"},
    ]
    assert "184 is in no quote" in told_of["reasons"]
    assert told_of["score"] == unverified().checked.score


def test_only_what_a_subagent_found_says_who_found_it() -> None:
    by_agent, by_subagent = unverified_json([unverified(), unverified("loops")])
    assert "found_by" not in by_agent
    assert by_subagent["found_by"] == "loops"


def checked(checks: dict[CheckName, bool | None], held: int = 1, failed: int = 0) -> Checked:
    places = tuple(Resolved("notes/a", None, "q", "c", "t") for _ in range(held))
    others = tuple(Unresolved("notes/a", "q", "why") for _ in range(failed))
    claim = Claim(text="It is late.", kind="theme", confidence=0.9)
    return Checked(claim, places, others, tuple(Check(name, passed) for name, passed in checks.items()))


@table(
    ("checks", "verified", "stands", "doubted"),
    [
        ({}, True, True, False),
        ({"evidence": True, "judge": True}, True, True, False),
        ({"evidence": False}, False, False, False),
        ({"quotes": False}, False, False, False),
        ({"values": False}, False, True, False),
        ({"judge": False}, False, True, False),
        ({"judge": None}, True, True, True),
        ({"judge": None, "values": False}, False, True, False),
        ({"meaning": None}, True, True, False),
    ],
)
def test_a_claim_is_verified_without_a_fault_and_stands_on_its_quotes(
    checks: dict[CheckName, bool | None], verified: bool, stands: bool, doubted: bool
) -> None:
    made = checked(checks)
    assert (made.verified, made.stands, made.doubted) == (verified, stands, doubted)


@table(
    ("checks", "held", "failed", "score"),
    [
        ({}, 1, 0, 0.9),
        ({}, 1, 2, 0.3),
        ({}, 0, 1, 0.0),
        ({}, 0, 0, 0.0),
        ({"evidence": False}, 1, 1, 0.45),
        *(({name: False}, 1, 0, 0.0) for name in ("values", "meaning", "judge")),
        ({"judge": None}, 1, 0, 0.9),
    ],
)
def test_a_claims_score_is_its_confidence_times_the_share_of_its_quotes(
    checks: dict[CheckName, bool | None], held: int, failed: int, score: float
) -> None:
    assert checked(checks, held, failed).score == score
