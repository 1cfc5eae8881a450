"""Whether a later record makes a fact unsure."""

from __future__ import annotations

from consumer.understanding.questions.newer import Stated, differs
from tests.tables import table

DELIVERY = Stated("scanner", "delivery", "2026-12-10", "", "2026-11-02 09:00 +00:00")
BUDGET = Stated("Falcon", "budget", "40000", "EUR", "2026-11-02", frozenset({"q1"}))
TOUR = Stated("tour", "start", "2027-03-05", "", "2026-11-12")


@table(
    ("stated", "text", "unsure"),
    [
        (DELIVERY, "Sorry Tessa, the scanner delivery is now on 17 December.", True),
        (DELIVERY, "Hi. The scanner is on 17 December. Bye.", True),
        (DELIVERY, "The scanner delivery is on 10 December.", False),
        (DELIVERY, "The scanner delivery is late.", False),
        (DELIVERY, "Is the scanner delivery on 17 December?", False),
        (DELIVERY, "I'll send the scanner manual by 17 December.", False),
        (DELIVERY, "The printer delivery is on 17 December.", False),
        (DELIVERY, "The scanner closes at 17 December.", False),
        (DELIVERY, "", False),
        (TOUR, "The tour ends on April 2, 2027.", False),
        (TOUR, "The tour is on March 9, 2027.", True),
        (BUDGET, "By the way, the Falcon budget is 52,000 euros now.", True),
        (BUDGET, "The Falcon budget for Q2 is 52,000 euros.", False),
        (BUDGET, "The Falcon budget for Q1 is 40k euros.", False),
        (BUDGET, "The Falcon budget for Q1 is 52 people.", False),
        (BUDGET, "The Falcon party is 52,000 euros.", False),
        (
            Stated("Miete", "rent", "950", "EUR", "2026-11-02"),
            "Übrigens: Die Miete für die Wohnung beträgt jetzt 1.020 Euro.",
            True,
        ),
    ],
)
def test_a_later_sentence_with_another_value_of_the_same_thing_makes_it_unsure(
    stated: Stated, text: str, unsure: bool
) -> None:
    assert differs(text, "2026-11-24", stated) == unsure


@table("day", ["", "2026-11-02", "2026-10-30"])
def test_a_record_that_is_not_later_changes_nothing(day: str) -> None:
    assert not differs("The scanner delivery is now on 17 December.", day, DELIVERY)
