"""A morning of changes: what the demo does before the hourly job."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, LiteralString
from zoneinfo import ZoneInfo

import psycopg

from local.seed.cast import BY_KEY
from local.seed.mail import in_words
from local.seed.rows import Rows, insert
from local.seed.sample import CHANGED_TITLE, SampleUsers
from local.seed.story import add_mail, add_transcript

MEETING = "Kestrel date settled"
MAIL = "Supply agreement received"
SUPPLIER = "Wei-Ling Chou"
TICKED = "Send the revised supply agreement to Wei-Ling Chou"
_OF_USER: LiteralString = "where user_id = %s and"
_TICK: LiteralString = f"update public.checklist_items set checked = true, checked_at = now() {_OF_USER} title = %s"
_DESCRIBE: LiteralString = f"update public.checklist_items set description = 'He agreed.' {_OF_USER} title = %s"
_PROMOTE: LiteralString = f"update social.contacts set job_title = 'Head of supply' {_OF_USER} display_name = %s"
_DELETE: LiteralString = f"delete from public.agentic_drafts {_OF_USER} title = %s"
DELETED = "Note to Jonas Verhoeven"


def insert_changes(connection: psycopg.Connection[Any], users: SampleUsers, today: date) -> dict[str, str]:
    """A new meeting and mail, an item ticked off, a contact promoted, a draft deleted; the title of each.

    The caller commits. Change times are the database's own, so that an incremental export sees them for any ``today``.
    """
    rows = Rows(users.main.user_id, today, ZoneInfo(users.main.timezone))
    add_morning(rows)
    insert(connection, {table: [_fresh(row) for row in entries] for table, entries in rows.tables.items()})
    me = users.main.user_id
    _one(connection, _TICK, (me, TICKED))
    _one(connection, _DESCRIBE, (me, CHANGED_TITLE))
    _one(connection, _PROMOTE, (me, SUPPLIER))
    _one(connection, _DELETE, (me, DELETED))
    return {
        "new_meeting": MEETING,
        "new_mail": MAIL,
        "checked_item": TICKED,
        "changed_item": CHANGED_TITLE,
        "changed_contact": SUPPLIER,
        "deleted_draft": DELETED,
    }


def insert_busy_hour(connection: psycopg.Connection[Any], users: SampleUsers, today: date) -> int:
    """Ten mails of one hour, about which an agent is asked; how many there are.

    The caller commits. Change times are the database's own, as those of ``insert_changes``.
    """
    rows = Rows(users.main.user_id, today, ZoneInfo(users.main.timezone))
    due = in_words(today + timedelta(days=5), "day")
    for number, (sender, text) in enumerate(_BUSY_HOUR):
        person = BY_KEY[sender]
        add_mail(
            rows, f"Busy hour {number}", rows.at(0, 9, number), (person.name, person.address), text.format(due=due)
        )
    insert(connection, {table: [_fresh(row) for row in entries] for table, entries in rows.tables.items()})
    return len(_BUSY_HOUR)


#: One value that somebody replaces and others dispute, one decision, a promise, two requests, and mails that only tell.
_BUSY_HOUR = (
    ("Priya Raman", "Hi Mara,\n\nfor the record, the Kestrel launch budget is 191,000 euros, the hall is dearer."),
    ("Ingrid Solheim", "We decided that the Kestrel launch shows the harbour on its first slide."),
    ("Amara Okonkwo", "Hi Mara,\n\nI'll send you the seating plan by {due}. The sea is calm today."),
    ("Jonas Verhoeven", "Hi Mara,\n\ncould you sign the order for the new windows by {due}? They wait for it."),
    ("Noor Haddad", "Hi Mara,\n\ncould you send me the churn table by {due}? One page is enough."),
    ("Tomás Aguirre", "Hi Mara,\n\nthe image of Osprey 2.2 is on the bench and behaves."),
    ("Dafydd Pryce", "Mara,\n\nthe harbour office likes the new chart. The seal is back on probe six."),
    ("Wei-Ling Chou", "Dear Mara,\n\nthe second furnace is warm again. The yield is good."),
    ("Katrin Vogt", "Hallo Mara,\n\nder Hund hat die neue Fräse adoptiert."),
    ("Lucía Ferrer", "Hola Mara,\n\nel contrato está firmado y en la carpeta."),
)


def add_morning(rows: Rows) -> None:
    """The new meeting and mail."""
    launch = in_words(rows.today + timedelta(days=67))
    meeting = {
        "title": MEETING,
        "project": "Kestrel launch",
        "people": ["Amara Okonkwo", "Ingrid Solheim"],
        "notes": f"We decided: the Kestrel launch is moved to {launch}, and everybody hears it from Amara Okonkwo.",
        "text": (
            "Ingrid: Which of the two is it?\n"
            f"Amara: The hall was only free later. The Kestrel launch moved to {launch}.\n"
            f"Mara: Then I will write to the resellers by {in_words(rows.today + timedelta(days=2), 'weekday')}.\n"
        ),
    }
    add_transcript(rows, meeting, rows.at(1, 17))
    supplier = BY_KEY[SUPPLIER]
    text = f"Dear Mara, thank you, the supply agreement has arrived. The windows ship before {launch}. Wei-Ling"
    add_mail(rows, MAIL, rows.at(1, 18), (supplier.name, supplier.address), text)


def _fresh(row: dict[str, Any]) -> dict[str, Any]:
    """The row without its times of writing: the database's clock gives them."""
    return {name: value for name, value in row.items() if name not in ("created_at", "updated_at")}


def _one(connection: psycopg.Connection[Any], statement: LiteralString, values: tuple[str, ...]) -> None:
    """Raises RuntimeError unless exactly one row was touched: the sample users are not as seeded."""
    touched = connection.execute(statement, values).rowcount
    if touched != 1:
        raise RuntimeError(f"expected to change one row of the sample user, changed {touched}: seed first")
