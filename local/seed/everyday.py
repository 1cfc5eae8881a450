"""The quiet days between the scenes: events, checklists, mails, polls.

Nothing here states a date, a sum or a promise, so that those of the scenes stand out.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from datetime import datetime, timedelta

from local.seed.cast import BY_NAME, PEOPLE, PROJECTS, CastMember
from local.seed.rows import Rows
from local.seed.story import add_briefing, add_chat, add_mail, add_note, add_sent, add_transcript

#: Days of history; the specification's sample asks for at least sixty.
DAYS = 75
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_SOURCES = (("github", "commit"), ("calendar", "meeting"), ("slack", "message"), ("linear", "issue"), ("gmail", "mail"))
_QUESTIONS = (
    "Which notes mention {topic}?",
    "Summarize what is known about {project}.",
    "Who was in the room when we spoke about {project}?",
    "What did {person} say last time?",
)
_CHORES = ("Read", "Tidy up", "Think through", "Write down", "Talk about", "Look at")


def _shortened(topic: str, limit: int) -> str:
    """A subject as people write it: it ends at a word."""
    return textwrap.shorten(topic, limit, placeholder=" …")


def add_everyday(rows: Rows) -> None:
    """Every weekday has work in it; weekends only have polls."""
    for days_ago in range(DAYS, 0, -1):
        _polls(rows, days_ago)
        if rows.day(days_ago).weekday() < 5:
            _events(rows, days_ago)
            _checklist(rows, days_ago)
            _mails(rows, days_ago)
            _talks(rows, days_ago)


def topics(rows: Rows, purpose: str, days_ago: int, count: int) -> Iterator[tuple[str, CastMember, str]]:
    """(project, person, topic) as everyday work has them."""
    chance = rows.random(f"{purpose}/{days_ago}")
    for _ in range(count):
        project = chance.choice(list(PROJECTS))
        people, _, sentences = PROJECTS[project]
        yield project, BY_NAME[chance.choice(people)], chance.choice(sentences)


def _events(rows: Rows, days_ago: int) -> None:
    for number, (project, person, topic) in enumerate(topics(rows, "events", days_ago, 9)):
        source, event_type = _SOURCES[(number + days_ago) % len(_SOURCES)]
        when = rows.at(days_ago, 8 + number, (days_ago * 7 + number * 11) % 60)
        event = rows.id("event", f"{days_ago}/{number}")
        rows.add(
            "social.activity_events",
            when,
            id=event,
            source=source,
            event_type=event_type,
            title=f"{project}: {_shortened(topic, 60)}",
            summary=f"{person.name}: {topic}.",
            direction="in" if number % 3 else "out",
            occurred_at=when,
            source_ref=f"{source}-{days_ago}-{number}",
            project=project,
            importance=round(0.1 + (number * 37 % 80) / 100, 2),
            external_seq=10**15 + days_ago * 100 + number,
            raw={"etag": "raw payload of the integration"},
        )
        if number % 2 == 0:
            rows.add(
                "social.event_contacts",
                when,
                id=rows.id("edge", f"{days_ago}/{number}"),
                event_id=event,
                contact_id=rows.id("contact", person.name),
                role="author" if number % 4 else "participant",
            )


def _checklist(rows: Rows, days_ago: int) -> None:
    """Four items: what is older than a week is settled one way or the other; of younger ones only the first."""
    checked = 3 if days_ago > 6 else 1
    morning = rows.at(days_ago, 6, 30)
    rows.add(
        "public.checklists",
        morning,
        changed=rows.at(days_ago, 18),
        id=rows.id("checklist", days_ago),
        checklist_date=rows.day(days_ago),
        title=f"Checklist {rows.day(days_ago).isoformat()}",
        status="done" if checked == 3 else "open",
        item_count=4,
        completed_count=checked,
        generated_at=morning,
    )
    for number, what in enumerate(topics(rows, "items", days_ago, 4)):
        settled = rows.at(days_ago, 17, number * 9) if number < checked or number == 3 else None
        _item(rows, days_ago, number, what, settled)


def _item(rows: Rows, days_ago: int, number: int, what: tuple[str, CastMember, str], settled: datetime | None) -> None:
    """One item; the fourth of a day is dismissed, the others are checked, when settled at all."""
    project, person, topic = what
    item, dismissed = rows.id("item", f"{days_ago}/{number}"), number == 3
    morning = rows.at(days_ago, 6, 30)
    rows.add(
        "public.checklist_items",
        morning,
        changed=settled or morning,
        id=item,
        checklist_id=rows.id("checklist", days_ago),
        container_id=rows.id("container", project),
        title=f"{_CHORES[(number + days_ago) % len(_CHORES)]}: {topic}",
        description=f"Came up with {person.name}.",
        source="briefing",
        source_ref={"briefing": rows.day(days_ago).isoformat()},
        people=[person.attendee()],
        project=project,
        priority=number + 1,
        checked=settled is not None and not dismissed,
        checked_at=None if dismissed else settled,
        dismissed=dismissed,
        dismissed_at=settled if dismissed else None,
        dismissed_reason="no longer needed" if dismissed else None,
        embedding_cache={"v": [0.1, 0.2]},
    )
    if settled:
        action = "dismiss" if dismissed else "check"
        rows.add("public.checklist_action_log", settled, item_id=item, action=action, details={"from": "app"})


def _mails(rows: Rows, days_ago: int) -> None:
    for number, (project, person, topic) in enumerate(topics(rows, "mails", days_ago, 4)):
        when = rows.at(days_ago, 7 + number * 3, (days_ago * 13) % 60)
        text = f"Hi Mara, {topic}. More when we speak. {person.first}"
        subject = f"{project}: {_shortened(topic, 40)}"
        if number < 3:
            add_mail(rows, subject, when, (person.name, person.address), text)
        else:
            add_sent(rows, subject, when, (person.name, person.address), f"Noted: {topic}. Mara")
            details = {"client": "desktop"}
            opened = when + timedelta(minutes=20)
            rows.add(
                "msg.message_events", opened, channel="email", event_type="opened", details=details, occurred_at=opened
            )


def _talks(rows: Rows, days_ago: int) -> None:
    """Every third day a meeting, every other day a chat; a briefing each morning that no scene has one."""
    ((project, person, topic), (other, second, remark)) = topics(rows, "talks", days_ago, 2)
    scene = {
        "title": f"{project}, week {rows.day(days_ago).isocalendar().week}, {_WEEKDAYS[rows.day(days_ago).weekday()]}",
        "project": project,
        "people": sorted({person.name, second.name}),
        "text": f"{person.name} reports that {topic}.\nFrom {other}: {remark}.\n",
    }
    if days_ago % 3 == 0:
        add_transcript(rows, {**scene, "notes": f"{topic.capitalize()}."}, rows.at(days_ago, 14))
    elif days_ago % 3 == 1:
        add_note(rows, scene, rows.at(days_ago, 15))
    if days_ago % 2 == 0:
        question = _QUESTIONS[days_ago % len(_QUESTIONS)].format(topic=topic, project=project, person=person.name)
        turns = [("user", question), ("assistant", f"{person.name}: {topic}."), ("user", "Thanks, that is enough.")]
        add_chat(rows, f"Question {rows.day(days_ago).isoformat()}", rows.at(days_ago, 20, 10), turns)
    if days_ago != 9:
        add_briefing(rows, days_ago, rows.at(days_ago, 7), "Daily briefing", f"## {project}\n{person.name}: {topic}.\n")


def _polls(rows: Rows, days_ago: int) -> None:
    for number, provider in enumerate(("gmail", "calendar")):
        when = rows.at(days_ago, 5, 10 + number)
        failed = (days_ago * 7 + number) % 29 == 0
        rows.add(
            "public.heartbeat_poll_log",
            when,
            connection_id=rows.id("connection", provider),
            provider=provider,
            status="error" if failed else "ok",
            items_seen=0 if failed else 12,
            items_new=0 if failed else days_ago % 5,
            bytes_fetched=0 if failed else 20_000 + days_ago,
            duration_ms=180 + days_ago,
            error_code="timeout" if failed else None,
            cursor_before="opaque-before",
            cursor_after="opaque-after",
            polled_at=when,
        )


def add_contacts(rows: Rows) -> None:
    for number, person in enumerate(PEOPLE):
        when = rows.at(DAYS - number, 12)
        rows.add(
            "social.contacts",
            when,
            changed=rows.at(max(1, 30 - number), 12),
            id=rows.id("contact", person.name),
            display_name=person.name,
            emails=[person.address],
            phones=[person.phone] if person.phone else [],
            company=person.company or None,
            job_title=person.job or None,
            relationship=person.relationship,
            summary=person.about,
            dossier_md=f"# {person.name}\n\n{person.about}\n",
            tags=[person.relationship],
            importance=round(0.95 - number * 0.05, 3),
            first_seen_at=when,
            last_interaction_at=rows.at(1 + number % 6, 16),
            external_ids={"crm": number},
            enrichment_raw={"vendor": "raw"},
        )
