"""What words show: denial, doubt, questions, conditions, plans and what is done."""

from __future__ import annotations

from consumer.understanding import modality
from tests.tables import table


@table(
    "language, text, shown",
    [
        ("en", "The room is free.", ""),
        ("en", "Is the room free?", "question asking"),
        ("en", "Please tell Ann if it is.", "condition conditional asking planned"),
        ("en", "We will not move.", "negated future planned"),
        ("en", "We don't move.", "negated"),
        ("en", "We refuse to move.", "denying refuses"),
        ("en", "Maybe we move.", "doubt doubtful"),
        ("en", "We could move.", "doubtful planned"),
        ("en", "We plan to move.", "planned"),
        ("en", "We moved.", "done"),
        # The month is no doubt.
        ("en", "The room is free on 3 May.", ""),
        ("de", "Wir ziehen nicht um.", "negated"),
        ("de", "Wir werden umziehen.", "future planned"),
        # There is no table of this language.
        ("xx", "Will we not move if it rains?", ""),
    ],
)
def test_what_a_sentence_shows(language: str, text: str, shown: str) -> None:
    read = modality.read(text, language)._asdict()
    assert " ".join(name for name, value in read.items() if value) == shown


@table(
    "language, text, asks",
    [
        ("en", "Anna wants to know if it is free.", True),
        ("en", "Please check whether the room is free.", True),
        ("de", "Anna fragt, ob der Raum frei ist.", True),
        ("fr", "Anna demande si la salle est libre.", True),
        ("es", "Ana pregunta si la sala está libre.", True),
        ("pt", "Ana pergunta se a sala está livre.", True),
        ("it", "Anna chiede se la sala è libera.", True),
        ("nl", "Anna vraagt of de zaal vrij is.", True),
        # What is asked stands behind the word of asking, near it and in its sentence.
        ("en", "If you know the price, tell me.", False),
        ("en", "We know it; if not, call.", False),
        ("en", "We know it very well if you ask.", True),
        ("en", "We know that all too very well, if.", False),
        ("de", "Anna fragt die Tochter.", False),
        ("nl", "Anna of Ben komt.", False),
        ("xx", "Anna wants to know if it is free.", False),
    ],
)
def test_a_question_that_a_sentence_tells_of(language: str, text: str, asks: bool) -> None:
    assert modality.is_indirect_question(text, language) is asks
