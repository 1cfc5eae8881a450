"""The quiet days around the story: what machines log, what colleagues drop into a channel, what is on a day's list.

Nothing here states a sum, promises or asks (``everyday.yaml``), so that the story stands out.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from local.seed import mail
from local.seed.cast import BY_KEY, PEOPLE, data_file
from local.seed.rows import Rows
from local.seed.story import add_briefing, add_chat, add_mail, add_sent

#: Days of history; the specification's sample asks for at least sixty.
DAYS: Final = 75
_EVERYDAY: Final = data_file("everyday.yaml")
_ACTIVITY: Final[dict[str, dict[str, list[str]]]] = _EVERYDAY["activity"]
#: The app's table of event types, by source.
_TYPES: Final = {"github": "commit", "linear": "issue", "slack": "message"}
#: How many activity events a weekday has, and items of its list.
_EVENTS: Final = 9
_ITEMS: Final = 4
_MAILS: Final = 2


def add_everyday(rows: Rows, name: str) -> None:
    """Every weekday of the user of this name has work in it; weekends only have polls."""
    for days_ago in range(DAYS, 0, -1):
        _polls(rows, days_ago)
        if rows.day(days_ago).weekday() < 5:
            _events(rows, days_ago)
            _checklist(rows, days_ago)
            _mails(rows, days_ago, name)
            _assistant(rows, days_ago)


def _events(rows: Rows, days_ago: int) -> None:
    """Texts go round, so that neighbouring days have different ones."""
    every = [
        (project, source, text)
        for project, sources in _ACTIVITY.items()
        for source, texts in sources.items()
        for text in texts
    ]
    chance = rows.random(f"events/{days_ago}")
    for number, (project, source, text) in enumerate(chance.sample(every, _EVENTS)):
        person = BY_KEY[chance.choice(_EVERYDAY["people"][project])]
        when = rows.at(days_ago, 8 + number, (days_ago * 7 + number * 11) % 60)
        event = rows.id("event", f"{days_ago}/{number}")
        rows.add(
            "social.activity_events",
            when,
            id=event,
            source=source,
            event_type=_TYPES[source],
            title=f"{project}: {text}",
            summary=f"{person.name}: {text}." if source != "slack" else None,
            body=f"{text}" if source == "slack" else None,
            direction="in",
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
                contact_id=rows.id("contact", person.key),
                role="author" if number % 4 else "participant",
            )


def _checklist(rows: Rows, days_ago: int) -> None:
    """Four items of a list that the app drew up; by the evening three are checked and one is dismissed."""
    morning, chance = rows.at(days_ago, 6, 30), rows.random(f"items/{days_ago}")
    day = rows.day(days_ago)
    rows.add(
        "public.checklists",
        morning,
        changed=rows.at(days_ago, 18),
        id=rows.id("checklist", days_ago),
        checklist_date=day,
        title=f"Checklist {day.isoformat()}",
        status="done",
        item_count=_ITEMS,
        completed_count=_ITEMS - 1,
        generated_at=morning,
    )
    every = [(project, chore) for project, chores in _EVERYDAY["chores"].items() for chore in chores]
    for number, (project, chore) in enumerate(chance.sample(every, _ITEMS)):
        _item(rows, days_ago, number, project, chore)


def _item(rows: Rows, days_ago: int, number: int, project: str, chore: str) -> None:
    settled, dismissed = rows.at(days_ago, 17, number * 9), number == _ITEMS - 1
    item = rows.id("item", f"{days_ago}/{number}")
    rows.add(
        "public.checklist_items",
        rows.at(days_ago, 6, 30),
        changed=settled,
        id=item,
        checklist_id=rows.id("checklist", days_ago),
        container_id=rows.id("container", project) if project else None,
        title=chore,
        source="briefing",
        source_ref={"briefing": rows.day(days_ago).isoformat()},
        people=[],
        project=project or None,
        priority=number + 1,
        checked=not dismissed,
        checked_at=None if dismissed else settled,
        dismissed=dismissed,
        dismissed_at=settled if dismissed else None,
        dismissed_reason="not today" if dismissed else None,
        embedding_cache={"v": [0.1, 0.2]},
    )
    action = "dismiss" if dismissed else "check"
    rows.add("public.checklist_action_log", settled, item_id=item, action=action, details={"from": "app"})


def _mails(rows: Rows, days_ago: int, name: str) -> None:
    """Two mails that tell something, one of them answered. They go round, so that none comes twice within weeks."""
    every: list[dict[str, str]] = _EVERYDAY["mails"]
    answers: list[str] = _EVERYDAY["answers"]
    order = rows.random("mails").sample(every, len(every))
    for number in range(_MAILS):
        entry = order[(_MAILS * (DAYS - days_ago) + number) % len(order)]
        sender, subject = BY_KEY[entry["from"]], entry["subject"]
        when = rows.at(days_ago, 9 + 4 * number, (days_ago * 13) % 60)
        text = mail.signed(entry["text"], sender.signs)
        key = f"everyday/{days_ago}/{number}"
        add_mail(rows, subject, when, (sender.name, sender.address), text, key=key)
        if number == days_ago % _MAILS:
            answered = mail.WrittenMail(sender.name, sender.address, name, subject, when.astimezone(rows.zone), text)
            short = mail.signed(answers[days_ago % len(answers)], name.split(maxsplit=1)[0])
            answer = mail.answering(short, answered, "apple-en")
            add_sent(
                rows, subject, when + timedelta(minutes=25), (sender.name, sender.address), answer, key=f"{key}/answer"
            )


def _assistant(rows: Rows, days_ago: int) -> None:
    """A briefing each morning that the story has none for, and a short question every third day."""
    chance = rows.random(f"assistant/{days_ago}")
    project = chance.choice(list(_ACTIVITY))
    topic: str = chance.choice(_ACTIVITY[project]["slack"])
    person: str = chance.choice(_EVERYDAY["people"][project])
    if days_ago % 3 == 0:
        talk: list[str] = chance.choice(_EVERYDAY["talk"])
        when = rows.at(days_ago, 20, 10)
        texts = [text.format(project=project, topic=topic, person=person) for text in talk]
        turns = [
            (role, text, when + timedelta(seconds=30 * number))
            for number, (role, text) in enumerate(zip(("user", "assistant", "user"), texts, strict=True))
        ]
        add_chat(rows, f"Question {rows.day(days_ago).isoformat()}", turns)
    day = rows.day(days_ago)
    if all(row["briefing_date"] != day for row in rows.tables.get("public.briefings", ())):
        add_briefing(rows, day, rows.at(days_ago, 7), "Daily briefing", f"## {project}\n{person}: {topic}.\n")


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
    """Everybody of the cast; two of them share a name."""
    for number, person in enumerate(PEOPLE):
        when = rows.at(DAYS - number, 12)
        columns: dict[str, Any] = {
            "company": person.company or None,
            "job_title": person.job or None,
            "relationship": person.relationship,
            "summary": person.about,
        }
        rows.add(
            "social.contacts",
            when,
            changed=rows.at(max(1, 30 - number), 12),
            id=rows.id("contact", person.key),
            display_name=person.name,
            emails=list(person.addresses),
            phones=list(person.phones),
            dossier_md=f"# {person.name}\n\n{person.about}\n",
            tags=[person.relationship],
            importance=round(0.95 - number * 0.05, 3),
            first_seen_at=when,
            last_interaction_at=rows.at(1 + number % 6, 16),
            external_ids={"crm": number},
            enrichment_raw={"vendor": "raw"},
            **columns,
        )
