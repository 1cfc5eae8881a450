"""What a call brings: its body as a model, and ids in its path."""

from __future__ import annotations

from typing import Final, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.requests import Request

from contract.event import Uuid
from reader.errors import invalid, not_found

#: Where the endpoint put the body that it read.
BODY: Final = "cloop.body"
_UUID: Final[TypeAdapter[str]] = TypeAdapter(Uuid)
Model = TypeVar("Model", bound=BaseModel)


def sent(request: Request, form: type[Model]) -> Model:
    """The body of a call as a model. Raises CallRefusal 422."""
    return parsed(request.scope[BODY], form)


def parsed(body: bytes, form: type[Model]) -> Model:
    """JSON as a model. Raises CallRefusal 422."""
    try:
        return form.model_validate_json(body)
    except ValidationError as exc:
        # Without the input: it is a user's text.
        reasons = [f"{'.'.join(map(str, e['loc'])) or 'body'}: {e['msg']}" for e in exc.errors()]
        raise invalid("; ".join(reasons[:8])) from exc


def id_of(text: str, what: str) -> str:
    """An id in a path or form. Raises CallRefusal 404: nothing has such an id."""
    try:
        return _UUID.validate_python(text)
    except ValidationError:
        raise not_found(what) from None
