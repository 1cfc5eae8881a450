"""Pages of "My memory" by which users rule over it: Rules, Forget with its list and confirmation, and exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from contract.orders import RecordRef
from reader import forgetting, owncalls, rules, wire
from reader.bodies import id_of
from reader.errors import invalid
from reader.memory import MemoryView

if TYPE_CHECKING:
    from reader.site import Change, PostedForm, Show, Site

Values = dict[str, Any]
#: Orders that the page lists.
LISTED: Final = 20


def show_rules(site: Site, token: str, _: Request) -> tuple[str, Values]:
    return "rules.html", {"rules": site.service.answer(token, rules.listed), "current": "rules"}


def show_rule(site: Site, token: str, request: Request) -> tuple[str, Values]:
    rule_id = request.path_params["rule_id"]
    rule = site.service.answer(token, lambda memory: rules.detail(memory, rule_id))
    return "rule.html", {"rule": rule, "current": "rules"}


def switch_rule(site: Site, token: str, form: PostedForm) -> str:
    """Switch a rule off or on."""
    owncalls.switched(site.service, token, form.get("rule", ""), on=form.get("on") == "yes")
    return "/rules"


def show_forget(site: Site, token: str, _: Request) -> tuple[str, Values]:
    sources = site.service.answer(token, MemoryView.sources).sources
    orders = owncalls.orders_of(site.service, token, "forget").orders[:LISTED]
    exclusions = site.service.look(token, lambda plane: plane.exclusions(token)).exclusions
    values = {"sources": sources, "orders": orders, "exclusions": exclusions, "current": "forget"}
    return "forget.html", values


def list_forget(site: Site, token: str, form: PostedForm) -> tuple[str, Values]:
    """What would be forgotten, each with a tick."""
    selection = _selection(form)
    answer = forgetting.forget(site.service, token, _request(selection))
    values = {"answer": answer, "selection": selection.chosen(), "current": "forget"}
    return "forget_list.html", values


def forget(site: Site, token: str, form: PostedForm) -> tuple[str, Values]:
    """Forget what is ticked."""
    selection = _selection(form)
    more = {
        "token": form.get("token", ""),
        "records": tuple(_ref(text) for text in form.several.get("forget", ())),
        "keep_out": form.get("keep_out") == "yes",
    }
    answer = forgetting.forget(site.service, token, _request(selection, **more))
    return "forgot.html", {"answer": answer, "current": "forget"}


def receipt(site: Site, token: str, request: Request) -> Response:
    return owncalls.receipt_file(site.service, token, request.path_params["order_id"])


def end_exclusion(site: Site, token: str, form: PostedForm) -> str:
    exclusion_id = id_of(form.get("exclusion", ""), "exclusion")
    site.service.look(token, lambda plane: plane.end_exclusion(token, exclusion_id), "correct")
    return "/forget#kept-out"


def export(site: Site, token: str, form: PostedForm) -> str:
    site.service.look(token, lambda plane: plane.order_export(token), "export")
    return "/sources#along"


def export_file(site: Site, token: str, request: Request) -> Response:
    return owncalls.download(site.service, token, request.path_params["order_id"], proof=False)


def export_proof(site: Site, token: str, request: Request) -> Response:
    return owncalls.download(site.service, token, request.path_params["order_id"], proof=True)


def _selection(form: PostedForm) -> wire.ForgetSelection:
    given = {name: form[name].strip() for name in wire.ForgetSelection.model_fields if form.get(name, "").strip()}
    try:
        return wire.ForgetSelection.model_validate(given)
    except ValidationError:
        raise invalid("Choose what to forget: a topic, a person, a source, a day or a record") from None


def _request(selection: wire.ForgetSelection, **more: Any) -> wire.ForgetRequest:
    try:
        return wire.ForgetRequest.model_validate({**selection.chosen(), **more})
    except ValidationError:
        raise invalid("This selection is not from the list") from None


def _ref(text: str) -> RecordRef:
    """``source/record id``: a source has no slash."""
    source, _, record_id = text.partition("/")
    try:
        return RecordRef(source=source, id=record_id)
    except ValidationError:
        raise invalid("This record is not in the list") from None


PAGES: Final[tuple[tuple[str, Show], ...]] = (
    ("/rules", show_rules),
    ("/rules/{rule_id:path}", show_rule),
    ("/forget", show_forget),
    ("/forget/{order_id}/receipt", receipt),
    ("/export/{order_id}/file", export_file),
    ("/export/{order_id}/proof", export_proof),
)
CHANGES: Final[tuple[tuple[str, Change], ...]] = (
    ("/rules", switch_rule),
    ("/forget/list", list_forget),
    ("/forget", forget),
    ("/exclusions/end", end_exclusion),
    ("/export", export),
)
