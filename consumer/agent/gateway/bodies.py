"""
Request bodies: parsed strictly, checked, and rebuilt from an allow-list. Unlisted fields are never sent.

A misled agent may write these bodies. A field that makes the provider fetch, store, search or share something
(``image_url``, ``store``, ``web_search_options``) would be a way out of the agent's network, and two parsers may read a
duplicate key differently. So no body is passed on as it came: the provider gets a new document.

A field is allowed and checked, or left out because an answer does not depend on it, or refused with the whole body; the
error then names the field by its JSON path. docs/agent.md has the table.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

import orjson

from consumer.ports import ModelView

#: A prompt of 200,000 tokens is under 1 MiB; a batch of pages to embed takes a few.
BODY_BYTES: Final = 16 * 1024 * 1024
#: Values in one body, of any kind. A long conversation with many tools has a few thousand.
BODY_VALUES: Final = 100_000
#: Nesting depth of the body. A request with a tool's schema has about twelve levels.
BODY_DEPTH: Final = 64
#: Digits of an integer; the largest useful one is a seed of 64 bits.
INTEGER_DIGITS: Final = 20
#: Characters of the field's name that an error repeats.
NAME_CHARACTERS: Final = 64

#: Hermes tells its model to take what stands between two of these marks in a tool's answer for the user's own orders.
#: Nobody steers a job, so whoever wrote them there wrote evidence.
STEER: Final = "OUT-OF-BAND USER MESSAGE"

#: A value at a JSON path -> the value to send instead. Raises BodyRefused.
Check = Callable[[Any, str], Any]


class BodyRefused(Exception):
    """``path``: JSON path of the refused value. ``code``: invalid_json, invalid_field, field_not_allowed."""

    def __init__(self, path: str, reason: str, code: str = "invalid_field") -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.code = code


def parse(body: bytes) -> dict[str, Any]:
    """The body's JSON object.

    Raises BodyRefused where two parsers could disagree, or where it is larger than any legitimate request:
    not UTF-8, a key given twice at any depth, NaN or Infinity, a number beyond a double, too deep, too many values.
    """
    _bounded(body)
    try:
        document = json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_float=_float,
            parse_int=_integer,
        )
    except UnicodeDecodeError:
        raise BodyRefused("$", "the body is not UTF-8", "invalid_json") from None
    except (ValueError, RecursionError):
        raise BodyRefused("$", "the body is not JSON", "invalid_json") from None
    if not isinstance(document, dict):
        raise BodyRefused("$", "the body must be a JSON object", "invalid_json")
    return document


def chat(document: Mapping[str, Any], view: ModelView | None = None) -> bytes:
    """The body for the provider of ``POST /v1/chat/completions``, narrowed to ``view``. Raises BodyRefused."""
    rebuilt = _CHAT(document, "$")
    if view is not None:
        _narrow(rebuilt, view)
    if rebuilt.get("stream"):
        # Without it a stream does not report its usage.
        rebuilt["stream_options"] = {"include_usage": True}
    return _dump(rebuilt)


def embeddings(document: Mapping[str, Any]) -> bytes:
    """The body for the provider of ``POST /v1/embeddings``. Raises BodyRefused."""
    return _dump(_EMBEDDINGS(document, "$"))


def _narrow(rebuilt: dict[str, Any], view: ModelView) -> None:
    """Drop the tools that the model is not offered, and the run folder's path from system prompts."""
    offered = [tool for tool in rebuilt.get("tools", ()) if tool["function"]["name"] in view.tools]
    if offered:
        rebuilt["tools"] = offered
    else:
        # A provider refuses an empty list, and a choice among no tools.
        for name in ("tools", "tool_choice", "parallel_tool_calls"):
            rebuilt.pop(name, None)
    for message in rebuilt["messages"]:
        if message["role"] == "system" and isinstance(message.get("content"), str):
            for folder in sorted(view.folders, key=len, reverse=True):
                message["content"] = message["content"].replace(folder, ".")
        elif message["role"] == "tool":
            _unsteer(message)


def _unsteer(message: dict[str, Any]) -> None:
    content = message.get("content")
    if isinstance(content, str):
        message["content"] = content.replace(STEER, STEER.lower())
    for part in content if isinstance(content, list) else ():
        part["text"] = part["text"].replace(STEER, STEER.lower())


# --- parsing ---------------------------------------------------------------------------------------------------------

#: A string, or the start of an unterminated one: whatever the body is, each byte is read once.
_STRINGS: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_BRACKETS: Final = re.compile(rb"[\[\]{}]")


def _bounded(body: bytes) -> None:
    """Counts brackets and commas before parsing: sixteen MiB of "[]," would become a gigabyte of lists."""
    if len(body) > BODY_BYTES:
        raise BodyRefused("$", f"a body holds at most {BODY_BYTES} bytes", "invalid_json")
    skeleton = _STRINGS.sub(b"", body)
    if sum(skeleton.count(mark) for mark in (b",", b"[", b"{")) > BODY_VALUES:
        raise BodyRefused("$", f"a body holds at most {BODY_VALUES} values", "invalid_json")
    depth = 0
    for bracket in _BRACKETS.findall(skeleton):
        depth += 1 if bracket in b"[{" else -1
        if depth > BODY_DEPTH:
            raise BodyRefused("$", f"a body nests at most {BODY_DEPTH} deep", "invalid_json")


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise BodyRefused("$", f"the key {_shown(twice)} is given twice in one object", "invalid_json")
    return fields


def _constant(name: str) -> NoReturn:
    raise BodyRefused("$", f"{name} is not JSON", "invalid_json")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise BodyRefused("$", "a number is larger than a double can be", "invalid_json")
    return number


def _integer(digits: str) -> int:
    if len(digits) > INTEGER_DIGITS:
        raise BodyRefused("$", f"an integer has at most {INTEGER_DIGITS} digits", "invalid_json")
    return int(digits)


def _dump(rebuilt: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(rebuilt)
    except orjson.JSONEncodeError:
        raise BodyRefused("$", "a text holds half a surrogate pair, or a number has more than 64 bits") from None


def _shown(name: str) -> str:
    """A name that the caller wrote, as JSON in ASCII, cut."""
    return json.dumps(name[:NAME_CHARACTERS])


def _step(path: str, name: str) -> str:
    return f"{path}.{name}" if re.fullmatch(r"[A-Za-z_]\w{0,63}", name, re.ASCII) else f"{path}[{_shown(name)}]"


# --- what a value may be ---------------------------------------------------------------------------------------------


def _kind(value: Any) -> str:
    """JSON's name for a value's type, for errors."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    kinds = {str: "a string", int: "a number", float: "a number", list: "an array", dict: "an object"}
    return kinds[type(value)]


def text(value: Any, path: str) -> str:
    """Any text: it costs tokens, and reaches only the model."""
    if not isinstance(value, str):
        raise BodyRefused(path, f"must be a string, not {_kind(value)}")
    return value


def boolean(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise BodyRefused(path, f"must be true or false, not {_kind(value)}")
    return value


def nothing(value: Any, path: str) -> None:
    """Only JSON's null."""
    if value is not None:
        raise BodyRefused(path, f"must be null, not {_kind(value)}")


def anything(value: Any, path: str) -> Any:
    """Only for fields that are left out."""
    return value


def word(pattern: str) -> Check:
    """A name or an id that fully matches."""
    form = re.compile(pattern, re.ASCII)

    def check(value: Any, path: str) -> str:
        if not form.fullmatch(text(value, path)):
            raise BodyRefused(path, f"must match {pattern}")
        return str(value)

    return check


def constant(*values: str | bool | int | None) -> Check:
    """Exactly one of these values; ``true`` is not 1."""

    def check(value: Any, path: str) -> Any:
        if not any(type(value) is type(allowed) and value == allowed for allowed in values):
            raise BodyRefused(path, f"must be one of {', '.join(map(json.dumps, values))}")
        return value

    return check


def number(low: float, high: float, *, integer: bool = False) -> Check:
    def check(value: Any, path: str) -> Any:
        kinds: tuple[type, ...] = (int,) if integer else (int, float)
        if type(value) not in kinds or not low <= value <= high:
            raise BodyRefused(path, f"must be {'an integer' if integer else 'a number'} from {low} to {high}")
        return value

    return check


def array(item: Check, maximum: int, minimum: int = 0) -> Check:
    def check(value: Any, path: str) -> list[Any]:
        if not isinstance(value, list):
            raise BodyRefused(path, f"must be an array, not {_kind(value)}")
        if not minimum <= len(value) <= maximum:
            raise BodyRefused(path, f"must hold {minimum} to {maximum} items, not {len(value)}")
        return [item(element, f"{path}[{index}]") for index, element in enumerate(value)]

    return check


def by_kind(**checks: Check) -> Check:
    """A value of one of several types: ``string``, ``array``, ``object``, ``null``."""

    def check(value: Any, path: str) -> Any:
        name = _kind(value).split()[-1]
        if name not in checks:
            raise BodyRefused(path, f"must be {' or '.join(checks)}, not {_kind(value)}")
        return checks[name](value, path)

    return check


@dataclass(frozen=True, slots=True)
class Fields:
    """An object with these fields only. An optional field that is null is left out, which the API treats the same.

    ``dropped``: left out too, if the check accepts the value. ``what``: what this object is, for the error.
    """

    what: str
    allowed: Mapping[str, Check]
    required: frozenset[str] = frozenset()
    dropped: Mapping[str, Check] = field(default_factory=dict)

    def __call__(self, value: Any, path: str) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise BodyRefused(path, f"must be an object, not {_kind(value)}")
        for name in sorted(self.required - value.keys()):
            raise BodyRefused(_step(path, name), f"is missing: {self.what} needs it")
        rebuilt = {}
        for name, given in value.items():
            field_path = _step(path, name)
            if name in self.dropped:
                if given is not None:
                    self.dropped[name](given, field_path)
            elif name not in self.allowed:
                raise BodyRefused(field_path, f"is not allowed in {self.what}", "field_not_allowed")
            elif given is not None or name in self.required:
                rebuilt[name] = self.allowed[name](given, field_path)
        return rebuilt


@dataclass(frozen=True, slots=True)
class Tagged:
    """An object whose field ``tag`` names its form."""

    what: str
    tag: str
    forms: Mapping[str, Check]

    def __call__(self, value: Any, path: str) -> Any:
        if not isinstance(value, Mapping):
            raise BodyRefused(path, f"must be an object, not {_kind(value)}")
        form = value.get(self.tag)
        if not isinstance(form, str) or form not in self.forms:
            allowed = " or ".join(map(json.dumps, self.forms))
            raise BodyRefused(_step(path, self.tag), f"{self.what} must be {allowed}", "field_not_allowed")
        return self.forms[form](value, path)


# --- JSON schemas of tools and answers -------------------------------------------------------------------------------

#: The name of a tool or a speaker.
NAME: Final = word(r"[A-Za-z0-9_.$:@/-]{1,128}")
#: Characters of a property's name.
LABEL_CHARACTERS: Final = 256
#: References within the schema itself. A provider might fetch a URL.
LOCAL_REF: Final = word(r"#(?:/[A-Za-z0-9_.$%~-]{1,128}){0,8}")


def schema(value: Any, path: str) -> Any:
    """A JSON schema of known keywords; others are left out, since they do not change the schema's meaning."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, Mapping):
        raise BodyRefused(path, f"a schema must be an object or true or false, not {_kind(value)}")
    return {
        name: _KEYWORDS[name](given, _step(path, name))
        for name, given in value.items()
        if name in _KEYWORDS and given is not None
    }


def _schemas_by_name(value: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise BodyRefused(path, f"must be an object, not {_kind(value)}")
    for name in value:
        if len(name) > LABEL_CHARACTERS:
            raise BodyRefused(_step(path, name), f"a name has at most {LABEL_CHARACTERS} characters")
    return {name: schema(given, _step(path, name)) for name, given in value.items()}


def _example(value: Any, path: str) -> Any:
    """A value within a schema. A nested object or array is replaced by an empty one."""
    if isinstance(value, dict):
        return {}
    if isinstance(value, list):
        return [element for element in value if not isinstance(element, list | dict)]
    return value


#: JSON Schema has seven; some clients write them in capitals.
_KIND: Final = word(r"[A-Za-z]{1,32}")
_SIZE: Final = number(0, 2**53, integer=True)
_BOUND: Final = number(-(2.0**63), 2.0**64)
_ONE_SCHEMA: Final = ("items", "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties")
_KEYWORDS: Final[Mapping[str, Check]] = {
    "type": by_kind(string=_KIND, array=array(_KIND, 8)),
    **dict.fromkeys(("title", "description", "format", "pattern"), text),
    **dict.fromkeys(("default", "const"), _example),
    **dict.fromkeys(("enum", "examples"), by_kind(array=_example)),
    "required": array(text, 1000),
    **dict.fromkeys(("properties", "patternProperties", "$defs", "definitions"), _schemas_by_name),
    **dict.fromkeys(_ONE_SCHEMA, schema),
    **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), array(schema, 200)),
    **dict.fromkeys(("minimum", "maximum", "multipleOf"), _BOUND),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), _BOUND),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _SIZE),
    **dict.fromkeys(("uniqueItems", "nullable", "deprecated", "readOnly", "writeOnly"), boolean),
    "$ref": LOCAL_REF,
}

# --- the endpoints ---------------------------------------------------------------------------------------------------

_TEXT_PART: Final = Fields(
    "a text part",
    {"type": constant("text"), "text": text},
    frozenset({"type", "text"}),
    # A hint for other providers.
    {"cache_control": anything},
)
_REFUSAL_PART: Final = Fields(
    "a refusal part", {"type": constant("refusal"), "refusal": text}, frozenset({"type", "refusal"})
)
_PARTS: Final = array(Tagged("a content part", "type", {"text": _TEXT_PART}), 1000)
_CONTENT: Final = by_kind(string=text, array=_PARTS)
_SAID: Final = by_kind(
    string=text, array=array(Tagged("a content part", "type", {"text": _TEXT_PART, "refusal": _REFUSAL_PART}), 1000)
)
_CALL: Final = Fields(
    "a tool call",
    {
        "id": word(r"[A-Za-z0-9_.:|+/=-]{1,256}"),
        "type": constant("function"),
        "function": Fields("a called function", {"name": NAME, "arguments": text}, frozenset({"name", "arguments"})),
    },
    frozenset({"id", "type", "function"}),
    # Part of a streamed call.
    {"index": anything},
)
_ROLE: Final = constant("system", "developer", "user", "assistant", "tool")


def _message(
    content: Check, *, dropped: Sequence[str] = (), needs: Sequence[str] = ("content",), **more: Check
) -> Fields:
    allowed = {"role": _ROLE, "content": content, "name": NAME, **more}
    return Fields("a message of this role", allowed, frozenset(needs), dict.fromkeys(dropped, anything))


_MESSAGE: Final = Tagged(
    "a message's role",
    "role",
    {
        **dict.fromkeys(("system", "developer", "user"), _message(_CONTENT)),
        "tool": _message(_CONTENT, needs=("content", "tool_call_id"), tool_call_id=word(r"[A-Za-z0-9_.:|+/=-]{1,256}")),
        "assistant": _message(
            _SAID,
            needs=(),
            tool_calls=array(_CALL, 256),
            refusal=text,
            reasoning_content=text,
            # Fields of an answer that a client sends back unchanged.
            dropped=("reasoning", "reasoning_details", "annotations", "finish_reason", "timestamp"),
        ),
    },
)
_DEFINED: Final = {"name": NAME, "description": text, "strict": boolean}
_TOOL: Final = Tagged(
    "a tool's type",
    "type",
    {
        "function": Fields(
            "a tool",
            {
                "type": constant("function"),
                "function": Fields("a function", {**_DEFINED, "parameters": schema}, frozenset({"name"})),
            },
            frozenset({"type", "function"}),
        )
    },
)
_NAMED_TOOL: Final = Tagged(
    "a chosen tool's type",
    "type",
    {
        "function": Fields(
            "a choice of a tool",
            {
                "type": constant("function"),
                "function": Fields("a chosen function", {"name": NAME}, frozenset({"name"})),
            },
            frozenset({"type", "function"}),
        )
    },
)
_PLAIN_FORMAT: Final = Fields("a response format", {"type": constant("text", "json_object")})
_SCHEMA_FORMAT: Final = Fields(
    "a response format",
    {
        "type": constant("json_schema"),
        "json_schema": Fields("a schema of an answer", {**_DEFINED, "schema": schema}, frozenset({"name"})),
    },
    frozenset({"json_schema"}),
)
_FORMAT: Final = Tagged(
    "a response format's type",
    "type",
    {"text": _PLAIN_FORMAT, "json_object": _PLAIN_FORMAT, "json_schema": _SCHEMA_FORMAT},
)
#: The gateway alone identifies the caller, and the provider's default tier is the one that is paid for.
_WHO: Final[Mapping[str, Check]] = {"user": anything, "safety_identifier": anything, "prompt_cache_key": anything}
_TOKENS: Final = number(1, 10_000_000, integer=True)
_CHAT: Final = Fields(
    "a chat completion",
    {
        "model": text,
        "messages": array(_MESSAGE, 10_000, 1),
        "tools": array(_TOOL, 512),
        "tool_choice": by_kind(string=constant("none", "auto", "required"), object=_NAMED_TOOL),
        "parallel_tool_calls": boolean,
        "response_format": _FORMAT,
        "max_tokens": _TOKENS,
        "max_completion_tokens": _TOKENS,
        "temperature": number(0, 2),
        "top_p": number(0, 1),
        "presence_penalty": number(-2, 2),
        "frequency_penalty": number(-2, 2),
        "seed": number(-(2**63), 2**63 - 1, integer=True),
        "stop": by_kind(string=text, array=array(text, 16)),
        "stream": boolean,
        "reasoning_effort": constant("none", "minimal", "low", "medium", "high", "xhigh"),
        "verbosity": constant("low", "medium", "high"),
    },
    frozenset({"model", "messages"}),
    {
        **_WHO,
        "n": constant(1),  # each answer costs money, and no call reads more than one
        "store": constant(False),
        "logprobs": constant(False),
        "service_tier": constant("auto", "default"),
        "stream_options": anything,  # written anew for a stream
    },
)
_EMBEDDINGS: Final = Fields(
    "a request for embeddings",
    {
        "model": text,
        "input": by_kind(string=text, array=array(text, 2048, 1)),
        "dimensions": number(1, 16_384, integer=True),
        "encoding_format": constant("float", "base64"),
    },
    frozenset({"model", "input"}),
    _WHO,
)
