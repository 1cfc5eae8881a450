"""Rows for users of the end-to-end tests, as the app would write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import psycopg


def thicken(dsn: str, user_id: str) -> None:
    """Enough rows in enough sources for the inventory to call the evidence sufficient."""
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "insert into public.user_profiles (user_id, display_name) values (%s, 'Sam') on conflict do nothing",
            (user_id,),
        )
        for number in range(40):
            when = datetime.now(UTC) - timedelta(days=number, hours=1)
            connection.execute(
                "insert into public.checklist_items (user_id, title, created_at, updated_at) values (%s, %s, %s, %s)",
                (user_id, f"Errand {number}", when, when),
            )
            connection.execute(
                "insert into public.meeting_notes (user_id, title, note_text, created_at, updated_at)"
                " values (%s, %s, %s, %s, %s)",
                (user_id, f"Meeting {number}", f"We spoke about errand {number}.", when, when),
            )
            connection.execute(
                "insert into social.activity_events (user_id, source, event_type, title, occurred_at)"
                " values (%s, 'calendar', 'meeting', %s, %s)",
                (user_id, f"Event {number}", when),
            )


def add_many_items(dsn: str, user_id: str, count: int) -> None:
    """So many checklist items, each on a day of its own: rendering them takes long enough to be interrupted."""
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "insert into public.checklist_items (user_id, title, created_at)"
            " select %s, 'Errand ' || n, now() - n * interval '1 day' from generate_series(1, %s) n",
            (user_id, count),
        )


def add_item(dsn: str, user_id: str, title: str) -> None:
    """One new task that the app found in a meeting, of which a digest tells."""
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "insert into public.checklist_items (user_id, title, source) values (%s, %s, 'meeting')", (user_id, title)
        )


def add_user(dsn: str, user_id: str) -> str:
    """A user of the app whose memory is not enabled yet; the e-mail address."""
    email = f"{user_id}@new.example"
    with psycopg.connect(dsn) as connection:
        connection.execute("insert into auth.users (id, email) values (%s, %s)", (user_id, email))
    return email


def audit(dsn: str, user_id: str) -> list[tuple[str, str]]:
    """(action, reason) of what operators did about a user, oldest first."""
    with psycopg.connect(dsn) as connection:
        rows = connection.execute(
            "select action, coalesce(details->>'reason', '') from public.memory_audit where user_id = %s order by at",
            (user_id,),
        )
        return [(str(action), str(reason)) for action, reason in rows]


def completions(dsn: str, job_id: str) -> int:
    """How often the job's row became completed: its artifacts are written with it, once each."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute(
            "select count(*), count(distinct (artifact_type, workspace_path)) from public.memory_artifacts"
            " where job_id = %s",
            (job_id,),
        ).fetchone()
    assert row is not None
    assert row[0] == row[1] > 0
    return 1
