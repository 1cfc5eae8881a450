"""Which of two claims from the same places is left out."""

from __future__ import annotations

from typing import Any

import pytest

from consumer.reports import repeats
from consumer.reports.claims import OFFLINE_MARK, Citation, Claim, RefusedExcerpt

PLACE = Citation(page="sources/cloop/notes/a-1", quote="Kestrel is late, and Ann decides on Friday")
LATE, MORE = "Kestrel is late.", "Kestrel is late. Ann decides on Friday whether to pay 40k more."


def claim(text: str, confidence: float = 0.5, **more: Any) -> Claim:
    return Claim(**{"text": text, "kind": "open_loop", "citations": (PLACE,), "confidence": confidence, **more})


def kept(*texts: str) -> list[str]:
    return [each.text for each in repeats.unrepeated(map(claim, texts))]


@pytest.mark.parametrize(
    "texts",
    [
        ("the launch is on time", "Noor doubts that the launch is on time"),
        ("Ann pays 40", "Ann pays 40.5k"),
        ("Ann pays 40", "Ann pays 400"),
        ("Ann is late", "Anna is late"),
        ("Kestrel is late. Ann decides.", "Kestrel is late. Bo decides."),
        ("owes the deck", "owes the invoice"),
    ],
)
def test_claims_of_which_none_begins_with_the_other_are_both_kept(texts: tuple[str, str]) -> None:
    assert kept(*texts) == list(texts)
    assert kept(*reversed(texts)) == list(reversed(texts))


def test_of_two_that_begin_alike_the_longer_is_kept() -> None:
    assert kept(LATE, MORE) == kept(MORE, LATE) == [MORE]
    assert kept("Kestrel is late", "Kestrel is late, says Ann") == ["Kestrel is late, says Ann"]
    assert kept(LATE, f"{OFFLINE_MARK}: {MORE}", "X") == [f"{OFFLINE_MARK}: {MORE}", "X"]
    others = ["Kestrel is late. Ann decides.", "Kestrel is late. Bo decides."]
    assert kept(others[0], LATE, others[1]) == others


@pytest.mark.parametrize("again", [LATE, "kestrel is  late", "**Kestrel** is late.", f"{OFFLINE_MARK}: {LATE}"])
def test_of_equals_the_surer_is_kept_and_else_the_first(again: str) -> None:
    assert kept(LATE, again) == [LATE]
    surer = [claim(LATE, 0.4), claim("X"), claim(again, 0.9)]
    assert [each.confidence for each in repeats.unrepeated(surer)] == [0.5, 0.9]
    assert [each.confidence for each in repeats.unrepeated(reversed(surer))] == [0.9, 0.5]


def test_claims_of_other_kinds_or_places_repeat_nothing() -> None:
    place = Citation(page=PLACE.page, quote="another sentence")
    several = [claim(LATE), claim(LATE, kind="change"), claim(LATE, citations=(place,)), claim(MORE, citations=())]
    assert repeats.unrepeated(several) == several


def test_a_claim_with_a_refused_citation_hides_no_sound_one() -> None:
    refused = (RefusedExcerpt(excerpt="s1", reason="not handed out"),)
    sound = claim(LATE, 0.1)
    assert repeats.unrepeated([claim(LATE, 0.9, refused=refused), sound]) == [sound]
    assert sound in repeats.unrepeated([claim(MORE, 0.9, refused=refused), sound])


def test_what_adds_nothing_to_an_earlier_one_is_left_out_and_what_adds_to_it_is_kept() -> None:
    again, more = claim("kestrel is late", 0.9), claim(MORE)
    assert repeats.unrepeated([again, more], earlier=[claim(LATE)]) == [more]
    assert repeats.unrepeated([again, more], earlier=[claim(MORE)]) == []
