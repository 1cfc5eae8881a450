"""Which elements of an HTML body are hidden by a class or an id of its own styles."""

from __future__ import annotations

from renderers import visible
from tests.tables import table

STYLES = "<style>.gone{display:none} #off{display:none}</style>"


@table(
    "attributes, shown",
    [
        ('class="gone"', False),
        ('class="kept gone"', False),
        ('id="off"', False),
        ('class="kept"', True),
        ('id="on"', True),
        ('class="off"', True),
        ('id="gone"', True),
        ('title="gone"', True),
        ('title="off"', True),
        ("hidden", False),
        ('hidden="false"', True),
    ],
)
def test_an_element_is_hidden_by_its_own_class_or_id_alone(attributes: str, shown: bool) -> None:
    assert visible.text(f"{STYLES}<p {attributes}>words</p>") == ("words" if shown else "")
