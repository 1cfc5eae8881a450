"""
Restricted values - payment, identity, health, credentials - become placeholders before anything is rendered.

They stay in the raw export only: no page, index, prompt or report ever holds them. The placeholder names the kind and
nothing of the value. A detector prefers to miss an odd form over hiding ordinary text; the manifest's classes and the
control plane's redaction stand before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

#: Bumped with every change of a detector; every page is then rendered once more.
VERSION: Final = 1
#: No form is shorter: "pin 123".
SHORTEST: Final = 7
#: Digits become 0, capitals A, all else a dot; separators go: one pass in C that tells which shapes can occur.
_SHAPES: Final = bytes.maketrans(
    bytes(range(256)), re.sub(rb"[^0A]", b".", re.sub(rb"[A-Z]", b"A", re.sub(rb"[0-9]", b"0", bytes(range(256)))))
)
_SEPARATORS: Final = b" -"
_CONTAINERS: Final = (dict, list)


@dataclass(frozen=True, slots=True)
class Detector:
    """``form``: group "value" is what is replaced. ``valid``: a check of the value that its form cannot make.

    ``words`` (lower-case) and ``shape`` (see _shape) are cheap: without one of them in a text the form is not tried.
    """

    kind: str
    form: re.Pattern[str]
    words: tuple[str, ...] = ()
    shape: bytes = b""
    valid: Callable[[str], bool] = bool

    def tries(self, lower: str, shape: bytes) -> bool:
        """Whether a text can hold such a value at all."""
        if self.shape:
            return self.shape in shape
        return any(word in lower for word in self.words)


def _card(value: str) -> bool:
    """A known issuer's prefix and length, and the Luhn check digit."""
    digits = re.sub(r"\D", "", value)
    if not re.fullmatch(
        r"4\d{12}(\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|6(011|5\d\d)\d{12}", digits
    ):
        return False
    doubled = [int(d) * 2 if n % 2 else int(d) for n, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def _iban(value: str) -> bool:
    """ISO 13616: the number is 1 modulo 97."""
    plain = value.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


def _secret_like(value: str) -> bool:
    """A chosen password has something besides letters; "is expired" has not."""
    return bool(re.search(r"[^A-Za-z.,;]", value))


_DETECTORS = (
    Detector(
        "private key",
        re.compile(r"(?P<value>-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z))", re.S),
        ("-----begin",),
    ),
    Detector(
        "access token",
        re.compile(r"(?P<value>\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}|\bsk-[\w-]{20,})"),
        ("eyj", "sk-"),
    ),
    Detector(
        "password",
        re.compile(r"(?i)\bpass(?:word|code|phrase|wd)\b\s*(?::|=|\bis\b)\s*(?P<value>(?!\[)[^\s\"'<>]{4,})"),
        ("pass",),
        valid=_secret_like,
    ),
    Detector(
        "pin",
        re.compile(r"(?i)\b(?:pin|cvv|cvc)(?: (?:code|number))?\b\s*(?::|=|\bis\b|\s)\s*(?P<value>\d{3,8})\b"),
        ("pin", "cvv", "cvc"),
    ),
    Detector(
        "payment card",
        re.compile(r"(?<![\d.,-])(?P<value>\d(?:[ -]?\d){12,18})(?![\d-]|[.,]\d)"),
        shape=b"0" * 13,
        valid=_card,
    ),
    Detector(
        "bank account",
        re.compile(r"\b(?P<value>[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)\b"),
        shape=b"AA00",
        valid=_iban,
    ),
    Detector(
        "social security number",
        re.compile(r"(?<![\d-])(?P<value>(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4})(?![\d-])"),
        shape=b"0" * 9,
    ),
    Detector(
        "passport number",
        re.compile(r"(?i)\bpassport(?: (?:no\.?|number|nr\.?))?\s*[:#]?\s*(?P<value>(?=[a-z]*\d)[a-z0-9]{6,9})\b"),
        ("passport",),
    ),
    Detector(
        "medical record",
        re.compile(
            r"\b(?:MRN|[Mm]edical [Rr]ecord(?: [Nn](?:o\.?|umber))?)\s*[:#]?\s*(?P<value>[A-Z0-9-]*\d[A-Z0-9-]{3,})\b"
        ),
        ("mrn", "medical record"),
    ),
    Detector(
        "diagnosis",
        re.compile(r"\bICD-?1?[019]?(?:-CM)?(?: code)?\s*[:#]?\s*(?P<value>[A-Z]\d{2}(?:\.\d{1,4})?)\b"),
        ("icd",),
    ),
    Detector(
        "diagnosis",
        re.compile(r"\b[Dd]iagnos(?:ed with|is of|is:)\s+(?P<value>(?!\[)[^\n.,;:()]{3,60})"),
        ("diagnos",),
    ),
)
_WORDS: Final = tuple({word for detector in _DETECTORS for word in detector.words})
_POSSIBLE: Final = tuple(detector.shape for detector in _DETECTORS if detector.shape)
KINDS: Final = frozenset(detector.kind for detector in _DETECTORS)


def mask(data: Mapping[str, Any]) -> tuple[Mapping[str, Any], int]:
    """Plain JSON data with every restricted value replaced, and how many there were; field names stay."""
    # Nearly all records hold none: one look at all their texts together tells.
    tried = _tried("\n".join(_texts(data)))
    if not tried:
        return data, 0
    found: list[str] = []
    masked = {name: _value(value, tried, found) for name, value in data.items()}
    return (masked, len(found)) if found else (data, 0)


def mask_text(text: str) -> tuple[str, list[str]]:
    """One text with its restricted values replaced, and their kinds."""
    found: list[str] = []
    return _text(text, _tried(text), found), found


def _texts(data: Mapping[str, Any]) -> list[str]:
    """All texts that are values, at any depth."""
    texts: list[str] = []
    containers: list[Any] = [data]
    # Grows as containers are found in containers.
    for container in containers:
        for one in container.values() if isinstance(container, dict) else container:
            if isinstance(one, str):
                texts.append(one)
            elif isinstance(one, _CONTAINERS):
                containers.append(one)
    return texts


def _value(value: Any, tried: Sequence[Detector], found: list[str]) -> Any:
    if isinstance(value, str):
        return _text(value, tried, found)
    if isinstance(value, dict):
        return {name: _value(one, tried, found) for name, one in value.items()}
    return [_value(one, tried, found) for one in value] if isinstance(value, list) else value


def _tried(text: str) -> list[Detector]:
    """The detectors whose form may occur in a text."""
    lower = text.lower()
    shape = _shape(text)
    if not any([word in lower for word in _WORDS]) and not any([one in shape for one in _POSSIBLE]):
        return []
    return [detector for detector in _DETECTORS if detector.tries(lower, shape)]


def _shape(text: str) -> bytes:
    if text.isascii():
        return text.encode("ascii").translate(_SHAPES, _SEPARATORS)
    if any(one.isdecimal() for one in set(text) if one > "\x7f"):
        # Forms take the digits of every script.
        text = "".join("0" if one.isdecimal() else one for one in text)
    return text.encode("ascii", "replace").translate(_SHAPES, _SEPARATORS)


def _text(text: str, tried: Iterable[Detector], found: list[str]) -> str:
    if len(text) >= SHORTEST:
        for detector in tried:
            text = _replace(detector, text, found)
    return text


def _replace(detector: Detector, text: str, found: list[str]) -> str:
    def placeholder(match: re.Match[str]) -> str:
        if not detector.valid(match["value"]):
            return match[0]
        found.append(detector.kind)
        start, end = match.start("value") - match.start(), match.end("value") - match.start()
        return f"{match[0][:start]}[restricted: {detector.kind}]{match[0][end:]}"

    return detector.form.sub(placeholder, text)
