"""Fixed phrases of reports, one table a language. Days and numbers come from Babel (``consumer.reports.wording``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from consumer.reports.phrases import de, en, es, fr, it, nl, pt
from consumer.reports.phrases.table import Plural, ReportPhrases

__all__ = ["BY_LANGUAGE", "DEFAULT", "Plural", "ReportPhrases", "of"]

DEFAULT: Final = "en"
BY_LANGUAGE: Final[Mapping[str, ReportPhrases]] = {
    phrases.language: phrases
    for phrases in (de.PHRASES, en.PHRASES, es.PHRASES, fr.PHRASES, it.PHRASES, nl.PHRASES, pt.PHRASES)
}


def of(language: str) -> ReportPhrases:
    """The phrases of an ISO 639-1 language; the English ones for a language without a table."""
    return BY_LANGUAGE.get(language, BY_LANGUAGE[DEFAULT])
