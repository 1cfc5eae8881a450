"""What posted forms of "My memory" ask for, and where they lead."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from contract.orders import RecordRef
from reader import forgetting, owncalls, ownpages
from reader.errors import CallRefusal
from reader.site import PostedForm
from reader.wire import ForgetRequest
from tests.tables import table

TOKEN = "ada.token.x"
SITE: Any = SimpleNamespace(service="service")


def form(*forget: str, **fields: str) -> PostedForm:
    made = PostedForm(fields)
    made.several = {"forget": list(forget)}
    return made


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[ForgetRequest]:
    requests: list[ForgetRequest] = []

    def forget(service: object, token: str, request: ForgetRequest) -> str:
        assert (service, token) == ("service", TOKEN)
        requests.append(request)
        return "answer"

    monkeypatch.setattr(forgetting, "forget", forget)
    return requests


def test_what_is_ticked_is_forgotten_and_kept_out_only_if_that_is_ticked_too(asked: list[ForgetRequest]) -> None:
    for keep, kept_out in (("yes", True), ("no", False), ("", False)):
        posted = form("mails/a/1", "notes/2", topic=" the roof ", token="t", keep_out=keep)
        assert ownpages.forget(SITE, TOKEN, posted) == ("forgot.html", {"answer": "answer", "current": "forget"})
        assert asked.pop() == ForgetRequest(
            topic="the roof",
            token="t",
            records=(RecordRef(source="mails", id="a/1"), RecordRef(source="notes", id="2")),
            keep_out=kept_out,
        )
    ownpages.forget(SITE, TOKEN, form(person="Ann", token="t"))
    assert asked.pop() == ForgetRequest(person="Ann", token="t")


def test_a_list_of_what_would_be_forgotten_keeps_what_was_chosen(asked: list[ForgetRequest]) -> None:
    template, values = ownpages.list_forget(SITE, TOKEN, form(before="2026-11-01", keep_out="yes"))
    assert template == "forget_list.html"
    assert (values["answer"], values["current"], list(values["selection"])) == ("answer", "forget", ["before"])
    (request,) = asked
    assert (request.token, request.records, request.keep_out) == (None, (), False)


@table(
    ("posted", "reason"),
    [
        (form(token="t"), "Choose what to forget"),
        (form(topic="a", person="b", token="t"), "Choose what to forget"),
        (form(before="soon", token="t"), "Choose what to forget"),
        (form("mails", topic="a", token="t"), "This record is not in the list"),
        (form("/1", topic="a", token="t"), "This record is not in the list"),
        (form(topic="a"), "This selection is not from the list"),
        (form(topic="a", token="t" * 201), "This selection is not from the list"),
    ],
)
def test_a_form_that_no_page_makes_is_refused(posted: PostedForm, reason: str) -> None:
    with pytest.raises(CallRefusal) as caught:
        ownpages.forget(SITE, TOKEN, posted)
    assert caught.value.status == 422
    assert reason in str(caught.value.body())


def test_a_rule_is_switched_on_by_yes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    switched: list[tuple[str, bool]] = []
    monkeypatch.setattr(owncalls, "switched", lambda _service, _token, rule, on: switched.append((rule, on)))
    for on in ("yes", "no", ""):
        assert ownpages.switch_rule(SITE, TOKEN, form(rule="r1", on=on)) == "/rules"
    assert switched == [("r1", True), ("r1", False), ("r1", False)]


def test_a_receipt_an_export_and_its_proof_are_files_of_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    request: Any = SimpleNamespace(path_params={"order_id": "o1"})
    calls: list[tuple[Any, ...]] = []
    monkeypatch.setattr(owncalls, "download", lambda *given, proof: calls.append((*given, proof)))
    monkeypatch.setattr(owncalls, "receipt_file", lambda *given: calls.append(given))
    ownpages.export_file(SITE, TOKEN, request)
    ownpages.export_proof(SITE, TOKEN, request)
    ownpages.receipt(SITE, TOKEN, request)
    place = ("service", TOKEN, "o1")
    assert calls == [(*place, False), (*place, True), place]
