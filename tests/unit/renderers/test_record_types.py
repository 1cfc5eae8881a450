"""What each record type takes from its fields: from the golden record, and from it with one field absent or turned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import renderers
from renderers.base import Item, RecordRenderer
from tests import goldens

GOLDEN: Final = goldens.FOLDER / "record_types.txt"
#: A line of the golden shows the beginning of a longer text.
CHARS: Final = 200


def taken(renderer: RecordRenderer, item: Item) -> list[str]:
    """One line for each thing that a renderer takes from a record."""
    return [
        f"title: {renderer.title(item)}",
        *(f"{label}: {value}" for label, value in renderer.facts(item)),
        *(f"## {heading}: {[*texts, *notes]}" for heading, texts, notes in renderer.sections(item)),
        *(f"names {mention.kind} {mention[1:]}" for mention in renderer.mentions(item)),
        *(f"see {ref}" for ref in renderer.refs(item)),
    ]


def turned(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case str():
            return "zz"
        case dict():
            return {name: turned(each) for name, each in value.items()}
        case list():
            return [turned(value[0]), *value] if value else ["zz"]
        case None:
            return "zz"
        case _:
            return 7


def lines() -> Iterator[str]:
    for record_type, entry in sorted(goldens.entries().items()):
        renderer = renderers.renderer_of(entry)
        days = "in the day's events" if renderer.eventful else "not in the day's events"
        yield f"# {record_type}: {renderer.singular}, {renderer.plural}, {days}, told by {renderer.told_by or 'itself'}"
        for item in goldens.records(record_type):
            whole = taken(renderer, item)
            yield from (f"  {line}"[:CHARS] for line in whole)
            for name in item.data:
                without = taken(
                    renderer, item._replace(data={key: each for key, each in item.data.items() if key != name})
                )
                other = taken(renderer, item._replace(data={**item.data, name: turned(item.data[name])}))
                yield from changed(f"without {name}", whole, without)
                yield from changed(f"other {name}", whole, other)


def changed(what: str, before: list[str], after: list[str]) -> Iterator[str]:
    if before != after:
        yield f"  {what}:"
        yield from (f"    - {line}"[:CHARS] for line in before if line not in after)
        yield from (f"    + {line}"[:CHARS] for line in after if line not in before)


def document() -> str:
    return "".join(line.replace("\n", "\\n") + "\n" for line in lines())


def write_golden() -> None:
    GOLDEN.write_text(document(), "utf-8")


def test_each_field_of_a_record_is_told_as_it_was() -> None:
    goldens.compare(GOLDEN, document())
