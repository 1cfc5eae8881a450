"""Words of questions and of their answers, one module a language. They hold no code."""

from __future__ import annotations

from typing import Final

from consumer.understanding.questions.tables import de, en, es, fr, it, nl, pt
from consumer.understanding.questions.tables.form import QuestionWords

TABLES: Final[dict[str, QuestionWords]] = {each.WORDS.code: each.WORDS for each in (en, de, fr, es, pt, it, nl)}

__all__ = ["TABLES", "QuestionWords"]
