"""Calls by which users rule over their memory: rules, forgetting, exports. ``CALLS`` and ``POSTS`` are the routes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from consumer import paths
from consumer.errors import BlobNotFound
from contract.orders import OrderList, OrderView
from reader import forgetting, rules, wire
from reader.bodies import id_of, sent
from reader.errors import CallRefusal, not_found
from reader.service import ReaderService

Call = Callable[[ReaderService, str, Request], BaseModel | Response]


def list_rules(service: ReaderService, token: str, _: Request) -> BaseModel:
    return service.answer(token, rules.listed)


def rule(service: ReaderService, token: str, request: Request) -> BaseModel:
    rule_id = request.path_params["rule_id"]
    return service.answer(token, lambda memory: rules.detail(memory, rule_id))


def switch_rule(service: ReaderService, token: str, request: Request) -> BaseModel:
    return switched(service, token, request.path_params["rule_id"], on=sent(request, wire.RuleSwitch).on)


def switched(service: ReaderService, token: str, rule_id: str, *, on: bool) -> wire.Rules:
    """The rules after one was switched. Raises CallRefusal 404."""
    source, record_id = rules.split_id(rule_id)
    service.change(token, lambda plane: plane.switch_rule(token, source, record_id, on=on))
    return service.answer(token, rules.listed)


def forget(service: ReaderService, token: str, request: Request) -> BaseModel:
    return forgetting.forget(service, token, sent(request, wire.ForgetRequest))


def forgets(service: ReaderService, token: str, _: Request) -> BaseModel:
    return orders_of(service, token, "forget")


def exports(service: ReaderService, token: str, _: Request) -> BaseModel:
    return orders_of(service, token, "export")


def orders_of(service: ReaderService, token: str, kind: Literal["forget", "export"]) -> OrderList:
    """The user's orders of one kind, newest first."""
    orders = service.look(token, lambda plane: plane.orders(token)).orders
    return OrderList(orders=tuple(order for order in orders if order.kind == kind))


def export(service: ReaderService, token: str, _: Request) -> BaseModel:
    return service.look(token, lambda plane: plane.order_export(token), "export")


def receipt(service: ReaderService, token: str, request: Request) -> Response:
    return receipt_file(service, token, request.path_params["order_id"])


def receipt_file(service: ReaderService, token: str, order_id: str) -> Response:
    """The receipt of a forgetting, with its proof. Raises CallRefusal 404: it is not closed yet, or not this user's."""
    order = _order(service, token, order_id, "forget")
    if order.state != "closed":
        raise CallRefusal(
            404, "receipt_not_ready", "The receipt is written after the second sweep, about two hours after the purge"
        )
    return _file(service, token, lambda user: paths.receipt(user, order.id), f"receipt-{order.id}.json")


def export_file(service: ReaderService, token: str, request: Request) -> Response:
    return download(service, token, request.path_params["order_id"], proof=False)


def export_proof(service: ReaderService, token: str, request: Request) -> Response:
    return download(service, token, request.path_params["order_id"], proof=True)


def download(service: ReaderService, token: str, order_id: str, *, proof: bool) -> Response:
    """An export, or its proof. Raises CallRefusal 404: it is not ready, has ended, or is not this user's."""
    order = _order(service, token, order_id, "export")
    if order.state != "ready" or order.result.commit is None:
        raise CallRefusal(
            404, "export_not_ready", f"This export is {order.state}", hint="GET /v1/me/export shows its state."
        )
    seq = order.result.commit.seq
    if proof:
        return _file(service, token, lambda user: paths.takeout_proof(user, seq, order.id), f"memory-{seq}.proof.json")
    return _file(service, token, lambda user: paths.takeout(user, seq, order.id), f"memory-{seq}.tar")


def exclusions(service: ReaderService, token: str, _: Request) -> BaseModel:
    return service.look(token, lambda plane: plane.exclusions(token))


def end_exclusion(service: ReaderService, token: str, request: Request) -> BaseModel:
    exclusion_id = id_of(request.path_params["exclusion_id"], "exclusion")
    service.look(token, lambda plane: plane.end_exclusion(token, exclusion_id), "correct")
    return service.look(token, lambda plane: plane.exclusions(token))


def _order(service: ReaderService, token: str, order_id: str, kind: str) -> OrderView:
    own = id_of(order_id, "order")
    order = service.look(token, lambda plane: plane.order(token, own))
    if order.kind != kind:
        raise not_found("order")
    return order


def _file(service: ReaderService, token: str, name_of: Callable[[str], str], name: str) -> Response:
    try:
        data = service.object_of(token, name_of)
    except BlobNotFound:
        raise CallRefusal(
            404, "export_gone", "This file was deleted", hint="A purge deletes exports made before it; order a new one."
        ) from None
    media_type = "application/x-tar" if name.endswith(".tar") else "application/json"
    return Response(data, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})


CALLS: Final[tuple[tuple[str, Call], ...]] = (
    ("/v1/me/rules", list_rules),
    ("/v1/me/rules/{rule_id:path}", rule),
    ("/v1/me/forget", forgets),
    ("/v1/me/forget/{order_id}/receipt", receipt),
    ("/v1/me/export", exports),
    ("/v1/me/export/{order_id}/file", export_file),
    ("/v1/me/export/{order_id}/proof", export_proof),
    ("/v1/me/exclusions", exclusions),
)
POSTS: Final[tuple[tuple[str, Call], ...]] = (
    ("/v1/me/rules/{rule_id:path}", switch_rule),
    ("/v1/me/forget", forget),
    ("/v1/me/export", export),
    ("/v1/me/exclusions/{exclusion_id}/end", end_exclusion),
)
