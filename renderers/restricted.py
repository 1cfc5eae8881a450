"""
Forms of restricted values: secrets, payment, identity and health.

Secrets have one list of forms, contract/secretforms.py, which the control plane uses too: here it finds what was
exported before a form was known. To import this module takes a third of a second, so renderers/sensitivity.py imports
it when it is first asked to mask something.
"""

from __future__ import annotations

import re
from typing import Final

from contract import secretforms
from contract.forms import Form, Forms

#: Between two groups of a number: one character.
_GAP: Final = "[ -]"
#: Digits of the shortest card number; its form is made of this, and so is what a text is searched for first.
_CARD_DIGITS: Final = 14


def _card(value: str) -> bool:
    """A known issuer's prefix and length, and the Luhn check digit.

    Visa's numbers of 13 digits are long out of use, and article numbers and times have as many.
    """
    digits = re.sub(r"\D", "", value)
    if not re.fullmatch(
        r"4\d{15}(\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|6(011|5\d\d)\d{12}", digits
    ):
        return False
    doubled = [int(d) * 2 if n % 2 else int(d) for n, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


#: Length of an IBAN -> the countries whose IBANs have it (ISO 13616 registry).
IBAN_COUNTRIES: Final = {
    15: "NO",
    16: "BE",
    18: "DK FI FK FO GL NL SD",
    19: "MK SI",
    20: "AT BA EE KZ LT LU MN XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ OM SO TL",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU YE",
    31: "MT SC",
    32: "LC",
    33: "RU",
}
_IBAN_STARTS: Final = f"(?:{'|'.join(' '.join(IBAN_COUNTRIES.values()).split())})"
_IBANS: Final = "|".join(
    rf"(?:{'|'.join(countries.split())})\d\d(?:[ .-]?[A-Z0-9]){{{length - 4}}}"
    for length, countries in IBAN_COUNTRIES.items()
)


def _iban(value: str) -> bool:
    """ISO 13616: the number is 1 modulo 97. Half of it are digits, or it is a sentence that begins like one."""
    plain = re.sub(r"[^A-Z0-9]", "", value.upper())
    if sum(map(str.isdigit, plain)) * 2 < len(plain):
        return False
    return int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


def _written(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE | re.ASCII)


#: Kinds of secrets that a page tells apart; all others are access tokens.
_SECRET_KINDS: Final = {
    secretforms.PRIVATE_KEY: "private key",
    secretforms.PASSWORD: "password",
    secretforms.ONE_TIME_CODE: "one-time code",
    secretforms.PIN: "pin",
}
RESTRICTED: Final = (
    Form(
        "pin",
        _written(r"\b(?:cvv|cvc)2?(?: (?:code|number))?\b\s*(?::|=|\bis\b|\s)\s*(?P<value>\d{3,4})\b"),
    ),
    Form(
        "payment card",
        re.compile(
            rf"(?<![\w.,-])(?<!\d\d\d[ ])(?P<value>\d(?:{_GAP}?\d){{{_CARD_DIGITS - 1},18}}"
            r"|\d{4}(?:\.\d{4}){2}\.\d{2,7}|\d{4}\.\d{6}\.\d{4,5})(?![\w-]|[.,]\d)"
        ),
        _card,
        digits=_CARD_DIGITS,
    ),
    # The look ahead is how all of them begin: it is what a text is searched for first.
    Form("bank account", _written(rf"(?<![A-Z0-9])(?={_IBAN_STARTS}\d)(?P<value>{_IBANS})(?![A-Z0-9])"), _iban),
    # Only where it is called so: an order's number may have the same groups.
    Form(
        "social security number",
        _written(
            r"(?<![A-Z])(?:ssn|social security|soc\.? sec|social)(?: (?:no\.?|number|nr\.?|#))?(?: is)?"
            r"\s{0,2}[:#=]?\s{0,2}"
            rf"(?P<value>(?!000|666|9)\d{{3}}{_GAP}?(?!00)\d\d{_GAP}?(?!0000)\d{{4}})(?![\d-])"
        ),
    ),
    Form(
        "passport number",
        _written(
            r"\b(?:passport|reisepass|passnummer|passeport|pasaporte|passaporte|passaporto|paspoort)"
            r"(?: (?:no\.?|number|nr\.?|num[e\u00e9]ro|n\u00famero|numero|nummer))?\s*[:#]?\s*"
            r"(?P<value>(?=[a-z]*\d)[a-z0-9]{6,9})\b"
        ),
    ),
    # A state's number of a person, only where it is called so.
    Form(
        "identity number",
        _written(
            r"(?<![A-Z])(?:dni|nif|cpf|bsn|burgerservicenummer|nhs|pesel|ahv|personnummer"
            r"|num[e\u00e9]ro de s[e\u00e9]curit[e\u00e9] sociale|steuer-?id|steueridentifikationsnummer"
            r"|sozialversicherungsnummer|rentenversicherungsnummer)"
            r"(?:[ -](?:no\.?|number|nr\.?|nummer|num[e\u00e9]ro|n\u00famero))?"
            r"(?: (?:is|ist|est|es|\u00e9))?\s{0,2}[:#=]?\s{0,2}"
            r"(?P<value>\d(?:[ .-]?\d){7,14}(?:[ -]?[A-Z](?: ?\d{3})?)?)(?![A-Za-z0-9])"
        ),
    ),
    Form(
        "medical record",
        re.compile(
            r"\b(?:MRN|[Mm]edical [Rr]ecord(?: [Nn](?:o\.?|umber))?)\s*[:#]?\s*(?P<value>[A-Z0-9-]*\d[A-Z0-9-]{3,})\b",
            re.ASCII,
        ),
    ),
    Form(
        "diagnosis",
        re.compile(r"\bICD-?1?[019]?(?:-CM)?(?: code)?\s*[:#]?\s*(?P<value>[A-Z]\d{2}(?:\.\d{1,4})?)\b", re.ASCII),
    ),
    Form("diagnosis", re.compile(r"\b[Dd]iagnos(?:ed with|is of|is:)\s+(?P<value>(?!\[)[^\n.,;:()]{3,60})", re.ASCII)),
)
FORMS: Final = Forms((*secretforms.FORMS, *RESTRICTED))
#: Kind of value by the name of its form.
KIND_OF: Final = {form.name: _SECRET_KINDS.get(form.name, "access token") for form in secretforms.FORMS} | {
    form.name: form.name for form in RESTRICTED
}
KINDS: Final = frozenset(KIND_OF.values())
