"""Which capitals of German name something: nouns have capitals, too."""

from __future__ import annotations

from datetime import date

from consumer.understanding import mentions
from tests.tables import table


@table(
    "text, names",
    [
        ("Das Budget von Kestrel", ("Kestrel",)),
        # After an inflected adjective stands a noun ...
        ("Das ist ein grosser Kestrel.", ()),
        ("Schick mir das neue Angebot.", ()),
        # ... but an adjective with a capital is part of the name, and not every word that ends so is an adjective.
        ("Wir nehmen Neue Falcon.", ("Neue Falcon",)),
        ("Sag oder Kestrel.", ("Kestrel",)),
    ],
)
def test_a_noun_after_an_adjective_is_no_name(text: str, names: tuple[str, ...]) -> None:
    assert mentions.find(text, date(2026, 1, 1), "de").names == names
