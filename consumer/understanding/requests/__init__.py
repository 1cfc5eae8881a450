"""Requests: what a sentence asks of its reader, where it asks, and of whom it asks nothing."""

from consumer.understanding.requests.asking import Asking, ask
from consumer.understanding.requests.loose import is_ability, is_duty, is_habit, is_name_given
from consumer.understanding.requests.parts import ANY_THING
from consumer.understanding.requests.places import asks_at, is_reported, past_please, verb_asked
from consumer.understanding.requests.some import (
    ANYBODY,
    is_for_asker,
    is_for_some,
    is_for_some_in_front,
    is_offer,
    is_unsure,
)

__all__ = [
    "ANYBODY",
    "ANY_THING",
    "Asking",
    "ask",
    "asks_at",
    "is_ability",
    "is_duty",
    "is_for_asker",
    "is_for_some",
    "is_for_some_in_front",
    "is_habit",
    "is_name_given",
    "is_offer",
    "is_reported",
    "is_unsure",
    "past_please",
    "verb_asked",
]
