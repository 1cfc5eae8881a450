"""A small brain to test against: written by hand, every page's text known."""

from __future__ import annotations

from pathlib import Path

from consumer.core import layout


class Free:
    """A guard that lets everything pass."""

    def check(self) -> None:
        return

    def time_left(self) -> float:
        return 60.0


def page(title: str, body: str, **front: object) -> str:
    """A page's text; ``front`` adds front matter fields."""
    fields = {"title": f'"{title}"', "type": "source", **front}
    head = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f"---\n{head}---\n# {title}\n\n{body}\n"


NOTES = "sources/cloop/meeting-notes"
PAGES = {
    f"{NOTES}/atlas-kickoff-1a2b.md": page(
        "Atlas kickoff",
        "With [Anna Kowal](../../../people/anna-kowal-9f.md) about [[projects/atlas|Atlas]].\n\n"
        '<a id="dates"></a>\n## Dates\n\nThe launch of Atlas is planned for 2026-11-20.',
        occurred_at='"2026-10-01T09:00:00Z"',
        updated_at='"2026-10-01T10:00:00Z"',
    ),
    f"{NOTES}/billing-review-3c4d.md": page(
        "Billing review",
        "The invoices of Borealis are late. Refunds need a renewal check by Ravi.",
        occurred_at='"2026-11-01T09:00:00Z"',
        updated_at='"2026-11-01T10:00:00Z"',
    ),
    "people/anna-kowal-9f.md": page("Anna Kowal", "Works on [Atlas](../projects/atlas.md).", type="person"),
    "projects/atlas.md": page("Atlas", "The new billing platform.", type="project"),
}


def write(root: Path, files: dict[str, str]) -> None:
    """Write pages below ``root``'s brain folder."""
    for name, text in files.items():
        path = root / layout.BRAIN / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
