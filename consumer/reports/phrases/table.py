"""The form of a table of phrases. ``{name}`` is filled in by ``consumer.reports.wording``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Plural(NamedTuple):
    """A phrase with ``{count}``, for one and for several; Babel's rules choose between them."""

    singular: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPhrases:
    """Everything that a report says in words of its own. Text of the user's records is never translated."""

    language: str
    #: Babel patterns of a day: within the year of the report, and outside of it.
    day: str
    day_of_year: str

    # Titles of reports and of pages that reports link.
    hourly_title: str
    daily_title: str
    backfill_title: str
    insight_title: str
    open_loops_title: str
    decisions_title: str

    # The first word of a line: its kind.
    due_label: str
    you_owe_label: str
    owed_to_you_label: str
    asked_of_you_label: str
    decided_label: str
    changed_label: str
    contradicts_label: str
    prepare_label: str
    noted_label: str

    # People and lists.
    you: str
    one_record: str
    both: str
    #: Words of a record between the language's quotation marks.
    quoted: str

    # Loops. ``{what}`` is a quotation.
    you_promised: str
    you_promised_nobody: str
    promised_you: str
    promised_everyone: str
    asks_you: str
    you_asked: str
    on_your_list: str
    assigned: str
    #: Another person kept a promise, did what the user had asked for, or finished a task.
    delivered: str
    answered: str
    completed: str
    declined: str
    released: str
    cancelled: str
    condition: str

    # Days. ``{when}``: a day, with its time where that is known.
    due: str
    due_before: str
    was_due: str
    overdue_today: str
    moved: str
    was_due_days_ago: Plural
    today: str
    tomorrow: str
    yesterday: str
    before: str
    since: str
    #: The time in another place; ``{time}`` includes the day if it differs.
    time_in: str

    # Statements of value.
    decided: str
    decided_by: str
    replaces: str
    replaced: str
    #: What the user called wrong, and other records say.
    again: str
    says: str
    you_say: str
    but: str

    # Meetings.
    meeting: str
    with_people: str
    open_with_them: Plural

    # The line below the list.
    open_loops: Plural
    due_soon: Plural
    more: Plural
    nothing_open: str

    # Sections.
    quotes: str
    claims: str
    machinery: str
    day_ahead: str
    since_last_evening: str
    owed_by_you: str
    owed_to_you: str
    asked_of_you: str
    asked_by_you: str
    #: Of open loops that a second reader takes for a joke, a courtesy, somebody else's.
    doubted_title: str
    people: str
    projects: str
    decisions: str
    changes: str
    contradictions: str
    none: str
    and_more: Plural

    # The portrait.
    you_owe_them: Plural
    they_owe_you: Plural
    they_ask_you: Plural
    together_on: str
    next_meeting: str
    last_contact: str
    project_last: str

    # Insights.
    postponed_title: str
    postponed: Plural
    overdue_long: str
    waiting_undated: str
    faded_title: str
    faded: str
    details: str
    connected_title: str
    connected: str
    depends: str
    expected_title: str
    expected_late: str
    prediction: str
    no_insight: str

    # The user's rules and corrections.
    rules_title: str
    rules_held_back: str
    rules_list: str
    rule_count: Plural
    mark_count: Plural
    thing_count: Plural
    rules_idle: Plural
    rules_unreadable: Plural
    rules_allowing: Plural
    rules_empty: Plural
    rules_too_long: Plural
    rules_which: str
    rules_doubtful: Plural
    rules_narrowed: Plural
    rules_late: Plural
    rules_profile: str
    corrected_things: Plural
    corrections_unknown: Plural
    corrections_gone: Plural
    claims_repeated: Plural
