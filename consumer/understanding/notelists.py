"""
Tasks and decisions that people list in notes: boxes of markdown, "TODO: ...", tables with an owner, and lists below
headings such as "Action items" and "Decisions".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from consumer.understanding.languages.words import phrases
from consumer.understanding.reading import names
from consumer.understanding.reading.tables import word_set
from consumer.understanding.utterances import ME, UNKNOWN, Person
from renderers import markdown as md
from renderers import visible

State = Literal["open", "done", "dismissed"]


class ListedTask(NamedTuple):
    """``owner``: UNKNOWN where no name stands with it; with ``own``, it is then of whoever wrote the list.

    ``due``: words of a table's cell.
    """

    owner: Person
    state: State
    text: str
    own: bool = False
    due: str = ""


class ListedDecision(NamedTuple):
    text: str


#: Words for the writer.
ME_WORDS: Final = word_set("me i myself you user ich moi yo eu io ik self")
_BOX: Final = re.compile(
    r"\s*(?:[-*+]|\d{1,3}[.)])?\s*(?:\[(?P<mark>[ xX\u2713\u2714-]?)\]|"
    r"(?P<sign>[\u2610\u2611\u2612\u2705]))\s+(?P<text>\S.*)"
)
_LABEL: Final = re.compile(
    r"\s*(?:@(?P<at>[\w.-]{1,60})[:,]?|(?P<name>[^\W\d_][\w .'-]{0,50}?)\s*(?:[:\u2013\u2014]|->|=>|\u2192))"
    r"\s+(?P<text>\S.*)"
)
_LAST: Final = re.compile(
    r"(?P<text>.*\S)\s*(?:[(\[]@?(?P<name>[^\W\d_][\w .'-]{0,50})[)\]]|@(?P<at>[\w.-]{1,60}))\s*[.;]?\s*"
)
#: "Bob to send the numbers": who will do it.
_WILL: Final = re.compile(
    r"(?P<name>[^\W\d_][\w.'-]{0,30}(?: [^\W\d_][\w.'-]{0,30}){0,2}?)\s+"
    r"(?:to|will|should|soll|wird|muss|va|doit|devra|debe|va a|deve|vai|moet|zal|gaat)\s+(?P<text>\S.*)"
)
#: "Mara bestellt die Banner", "Bob books the van": a name and a verb of the third person.
_DOES: Final = re.compile(r"(?P<name>[^\W\d_][\w'-]{1,30})\s+(?-i:[a-zà-ÿ]+[stea])\s\S")
_BULLET: Final = re.compile(r"\s*(?:[-*+\u2022\u2013]|\d{1,3}[.)])\s+(?P<text>\S.*)")
_TODO: Final = re.compile(
    r"\s*(?:[-*+]\s+)?(?:to-?do|a faire|\u00e0 faire|zu tun)\s*(?::|\s(?=@))\s*(?P<text>\S.*)", re.IGNORECASE
)
_HEADING: Final = re.compile(
    r"\s*(?:#{1,6}\s+)?[*_]{0,3}(?:\d{1,2}[.)]\s+)?(?P<words>[^:*_#|]{2,40}?)\s*:?[*_]{0,3}:?\s*"
)
_HEADINGS: Final = frozenset(
    phrases(
        """
        action items | action points | actions | action | action list | next steps | next actions | to do | todo |
        to-do | to dos | todos | to-dos | tasks | follow-ups | follow ups | followups | follow-up | commitments |
        assignments | aufgaben | aufgabe | nächste schritte | to-do-liste | massnahmen | maßnahmen | offene punkte |
        actions à mener | actions à faire | à faire | tâches | prochaines étapes | suites à donner | acciones | tareas |
        próximos pasos | pendientes | compromisos | azioni | attività | prossimi passi | da fare | ações | tarefas |
        próximos passos | pendências | a fazer | acties | actiepunten | taken | vervolgstappen | volgende stappen |
        te doen
        """
    )
)
_DECISION_HEADINGS: Final = frozenset(
    phrases(
        """
        decisions | decision | key decisions | decisions made | decisions taken | agreed | agreements | resolutions |
        beschlüsse | beschluss | entscheidungen | décisions | décisions prises | decisiones | decisiones tomadas |
        acuerdos | decisioni | decisioni prese | decisões | decisões tomadas | besluiten | beslissingen
        """
    )
)
#: In place of an entry.
_NONE: Final = word_set(
    "none nothing n/a tbd open keine keiner aucune aucun ninguna ninguno nessuna nessuno nenhuma geen"
)
_ROW: Final = re.compile(r"\s*\|(?P<cells>.*)\|\s*")
_OWNER_HEADS: Final = word_set(
    "owner who assignee responsible person name assigned wer verantwortlich zuständig qui responsable quién quien chi "
    "responsabile quem responsável wie verantwoordelijk"
)
_TASK_HEADS: Final = word_set(
    "task action item what todo description aufgabe massnahme maßnahme was tâche action quoi tarea acción qué "
    "attività azione cosa tarefa ação o-quê taak actie wat"
)
_DUE_HEADS: Final = word_set(
    "due deadline when date by until fällig bis wann termin frist échéance quand délai vence plazo cuándo fecha "
    "scadenza quando prazo vencimento wanneer datum"
)
_STATE_HEADS: Final = word_set("status state done stand statut état estado stato")
_DONE: Final = word_set(
    "done completed complete closed finished x yes erledigt fertig fait terminé hecho completado fatto feito klaar"
)
#: "(done)", "- done 24 Nov", a check mark behind a task, a task that is struck out.
_DONE_BEHIND: Final = re.compile(
    r"(?P<text>.*\S)\s*(?:[(\[]\s*(?P<bracketed>{words})\s*[)\]]|\s[-\u2013\u2014:=>]+\s*(?P<dashed>{words})|[,;:]\s*(?P<after>{words})"
    r"|(?P<sign>[\u2705\u2713\u2714\u2611]\ufe0f?)|\[[xX\u2713\u2714]\])\s*[.!]*\s*".replace(
        "{words}",
        r"(?:(?:already|bereits|schon|déjà|ya|già|já|al)\s)?"
        rf"(?:{'|'.join(sorted(_DONE - {'x', 'yes', 'complete', 'closed'}))})"
        r"(?:,?\s(?:on |am |le |el |il |em |op )?\d[\w ./-]{0,14}|\s?[\u2705\u2713\u2714]\ufe0f?)?",
    ),
    re.IGNORECASE,
)
_DONE_BEFORE: Final = re.compile(rf"(?:{'|'.join(sorted(_DONE - {'x', 'yes'}))}):\s+(?P<text>\S.*)", re.IGNORECASE)
_STRUCK: Final = re.compile(r"\s*(?:[-*+\u2022]\s+)?~~(?P<text>.+)~~\s*")
#: Characters of a task, and of a line that is looked at.
_CHARS: Final = 1000


def may_list(body: str) -> bool:
    """Whether a note may list something; of most notes a short look says no."""
    return bool(_SIGNS.search(body))


_SIGNS: Final = re.compile(
    r"\[[ xX\u2713\u2714-]?\]|[\u2610\u2611\u2612\u2705]|^[ \t\u00a0\u3000]*\||"
    # No line break: of many blank lines, each would be read to the last one.
    + r"^[ \t\u00a0\u3000#*_\d.)-]*(?:"
    + "|".join(sorted(map(re.escape, _HEADINGS | _DECISION_HEADINGS), key=len, reverse=True))
    + r")\b",
    re.IGNORECASE | re.MULTILINE,
)


def listed(body: str, present: Sequence[Person]) -> Iterator[ListedTask | ListedDecision]:
    """What a note lists, in its order. ``present``: the people whose names count."""
    lists = _Lists(present)
    for text_line in body.split("\n"):
        if text_line.strip() and len(text_line) <= 2 * _CHARS:
            entry = lists.entry(text_line)
            if entry and not (entry.text.endswith("?") or names.fold(entry.text) in _NONE):
                yield entry


@dataclass(slots=True)
class _Lists:
    """Reads a note line by line. ``heading``: of the list in which a line stands; ``heads``: columns of a table."""

    present: Sequence[Person]
    heading: Literal["", "tasks", "decisions"] = ""
    heads: dict[str, int] = field(default_factory=dict)

    def entry(self, text_line: str) -> ListedTask | ListedDecision | None:
        """What this line lists, if anything."""
        row = _ROW.fullmatch(text_line) if "|" in text_line else None
        if row is not None:
            return self._of_row([cell.strip() for cell in row["cells"].split("|")])
        self.heads = {}
        if box := _BOX.fullmatch(text_line):
            owner, state, text = line(box["text"], self.present)
            return ListedTask(owner, state if box_state(box) == "open" else box_state(box), text, own=True)
        if todo := _TODO.fullmatch(text_line):
            return ListedTask(*line(todo["text"], self.present), own=True)
        heading = _heading(text_line)
        bullet = _BULLET.fullmatch(text_line) if self.heading and not heading else None
        if bullet and self.heading == "decisions":
            return ListedDecision(bullet["text"].strip())
        if bullet or (self.heading == "tasks" and not heading and _LABEL.fullmatch(text_line)):
            return ListedTask(*line(bullet["text"] if bullet else text_line, self.present))
        self.heading = heading
        return None

    def _of_row(self, cells: Sequence[str]) -> ListedTask | None:
        if not self.heads:
            self.heads = _heads(cells)
            return None
        cell = {kind: cells[number] for kind, number in self.heads.items() if number < len(cells)}
        if not cell.get("text", "").strip(":-"):
            return None
        owner, state, text = line(cell["text"], self.present)
        named = _by_name(cell.get("owner", "").lstrip("@"), self.present, sure=False)
        is_done = bool(set(names.fold(cell.get("state", "")).split()) & _DONE)
        return ListedTask(named or owner, "done" if is_done else state, text, due=cell.get("due", ""))


def _heading(text_line: str) -> Literal["", "tasks", "decisions"]:
    match = _HEADING.fullmatch(text_line)
    words = " ".join(match["words"].casefold().split()) if match else ""
    if words in _HEADINGS:
        return "tasks"
    return "decisions" if words in _DECISION_HEADINGS else ""


def _heads(cells: Sequence[str]) -> dict[str, int]:
    """The columns of a table of tasks; empty for another table."""
    kinds = {"owner": _OWNER_HEADS, "text": _TASK_HEADS, "due": _DUE_HEADS, "state": _STATE_HEADS}
    heads: dict[str, int] = {}
    for number, cell in enumerate(cells):
        words = set(names.fold(cell).split())
        for kind, known in kinds.items():
            if words & known:
                heads.setdefault(kind, number)
                break
    return heads if "text" in heads and "owner" in heads else {}


def line(text: str, present: Sequence[Person]) -> tuple[Person, State, str]:
    """(owner, state, the task alone) of a task in one line: ``[x] Bob: send the numbers``, ``Book the room (Mara)``."""
    struck = _STRUCK.fullmatch(text)
    text = struck["text"] if struck else text
    text = next((line.strip() for line in md.clean(visible.text(text)).split("\n") if line.strip()), "")[:_CHARS]
    state: State = "done" if struck else "open"
    if box := _BOX.fullmatch(text):
        state, text = box_state(box), box["text"].strip()
    if done := _DONE_BEHIND.fullmatch(text) or _DONE_BEFORE.fullmatch(text):
        state, text = "done", done["text"]
    if label := _LABEL.fullmatch(text):
        owner = _by_name(label["at"] or label["name"], present, sure=bool(label["at"]))
        if owner is not None:
            return owner, state, label["text"].strip()
    if last := _LAST.fullmatch(text):
        owner = _by_name(last["at"] or last["name"], present, sure=bool(last["at"]))
        if owner is not None:
            return owner, state, last["text"].strip()
    return _subject(text, present), state, text


def _subject(text: str, present: Sequence[Person]) -> Person:
    """Whom a task begins with: "Bob to send the numbers", "Mara bestellt die Banner"."""
    several = (match["name"] for match in (_WILL.match(text), _DOES.match(text)) if match)
    return next((known for name in several if (known := names.match(name, present))), UNKNOWN)


def _by_name(label: str, present: Sequence[Person], *, sure: bool) -> Person | None:
    """Who is meant by a name in front of a task or behind it; None for no name."""
    if names.fold(label) in ME_WORDS:
        return ME
    known = names.match(label, present)
    return known if known is not None or not sure else Person(label, "")


def box_state(box: re.Match[str]) -> State:
    """What a box says of its task."""
    if box["sign"]:
        return {"\u2610": "open", "\u2612": "dismissed"}.get(box["sign"], "done")  # type: ignore[return-value]
    if box["mark"] == "-":
        return "dismissed"
    return "done" if box["mark"].strip() else "open"
