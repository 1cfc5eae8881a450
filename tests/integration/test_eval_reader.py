"""`make eval-reader`: a model that knows the labels is right in all; what one leaves out or adds is counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bench import eval_reader
from bench.eval_reader import KINDS, LOOPS, Score
from consumer.understanding.languages import LANGUAGES
from consumer.understanding.utterances import COMMITTING
from local.offline import OfflineAnswer
from tests import labelled, models
from tests.labelled import Labelled

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]
EXAMPLES = list(labelled.load())
LANGUAGE_CODES = sorted({each.language for each in EXAMPLES})


def noted(label: dict[str, Any], shown: dict[str, Any], line: dict[str, Any]) -> dict[str, Any]:
    """A label in the form in which a model answers."""
    labels = {name: key for key, name in shown["people"].items()} | {"me": "me"}
    common = {"kind": label["kind"], "record": shown["record"], "line": line["line"], "quote": label["in"]}
    common["by"] = labels.get(label["owner"], label["owner"])
    to = [labels.get(name, name) for name in label.get("to", [])]
    thing = label.get("object", "")
    forms: dict[str, dict[str, Any]] = {
        "commitment": {"to": to, "object": thing, "due": label.get("due", ""), "condition": ""},
        "request": {"to": to, "object": thing, "due": label.get("due", "")},
        "answer": {"to": to, "object": thing, "verdict": label.get("verdict", "")},
        "decision": {"what": thing, "about": ""},
        "fact": {"subject": thing, "attribute": thing, "value": label.get("value", ""), "scope": []},
    }
    return common | forms[label["kind"]]


def oracle(keep: Callable[[dict[str, Any]], bool] = lambda _: True, *more: dict[str, Any]) -> models.Turn:
    """A model that knows the labels. It finds a record by its lines."""

    def turn(messages: Sequence[dict[str, Any]], _tools: Sequence[str]) -> OfflineAnswer:
        statements = list(more)
        for row in messages[1]["content"].splitlines()[1:]:
            shown = json.loads(row)
            for example in EXAMPLES:
                own = [each.text for each in example.record.utterances if each.kind in COMMITTING]
                if own != [line["text"] for line in shown["lines"] if "by" in line]:
                    continue
                for label in example.labels:
                    line = next(line for line in shown["lines"] if "by" in line and label["in"] in line["text"])
                    if keep(label):
                        statements.append(noted(label, shown, line))
                break
        return OfflineAnswer(text=json.dumps({"statements": statements}))

    return turn


def measured(turn: models.Turn, examples: Sequence[Labelled] = EXAMPLES) -> Score:
    with models.serving(turn) as base_url, eval_reader.model_reader(base_url, "key", "m") as (reader, _):
        return eval_reader.score(reader, examples)


def test_every_label_passes_the_checks_that_any_reader_must_pass() -> None:
    made = measured(oracle())
    assert made.notes == [note for note in made.notes if note.split()[0] == "day"], "only days can differ"
    assert (made.recall(LANGUAGE_CODES, KINDS), made.precision(LANGUAGE_CODES, KINDS)) == (1.0, 1.0)
    without_day = {note.split()[1].strip(":") for note in made.notes}
    # No table has "by the 19th"; where a language has no table, no date of it is resolved.
    assert {name for name in without_day if name[:2] in LANGUAGES} == {"en-11"}


def test_what_is_left_out_costs_recall_and_what_is_made_up_precision() -> None:
    english = [each for each in EXAMPLES if each.language == "en"]
    silent = measured(oracle(lambda label: label["kind"] != "commitment"), english)
    assert silent.recall(["en"], ["commitment"]) == 0.0
    assert silent.recall(["en"], ["answer"]) == 1.0
    greeting = next(each for each in english if each.record.record_id == "en-01").record.utterances[1]
    made_up = {
        "kind": "commitment",
        "record": "r1",
        "line": greeting.number,
        "quote": greeting.text,
        "by": "p1",
        "to": [],
        "object": "move",
        "due": "",
        "condition": "",
    }
    wrong = measured(oracle(lambda _: True, made_up), english)
    assert sum(wrong.wrong.values()) == 1
    precision = wrong.precision(["en"], LOOPS)
    assert precision is not None
    assert precision < 1.0


def test_the_command_tells_a_models_figures(capsys: pytest.CaptureFixture[str]) -> None:
    with models.serving(oracle()) as base_url:
        code = eval_reader.main(["--reader", "model", "--base-url", base_url, "--model", "m", "--language", "de"])
    output = capsys.readouterr().out
    assert code == 0
    assert "loops: recall 1.00 (bar 0.8), precision 1.00 (bar 0.95)" in output
    assert "de          1.00/1.00 (10)" in output


def test_the_command_needs_no_key_for_the_rules(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    eval_reader.main(["--language", "en", "--misses"])
    assert "no model, reader rules-" in capsys.readouterr().out


def test_the_set_is_large_and_of_every_kind() -> None:
    utterances = [each for example in EXAMPLES for each in example.record.utterances]
    assert len(utterances) >= 320
    assert len(LANGUAGE_CODES) >= 8
    assert {each.kind for each in utterances} >= {"spoken", "written", "quoted", "generated", "machine", "boilerplate"}
    for example in EXAMPLES:
        for part in (*example.labels, *example.optional):
            where = [each for each in example.record.utterances if part["in"] in each.text]
            assert len(where) == 1, (example.record.record_id, part)
