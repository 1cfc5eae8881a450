"""People as records name them: a name and an address in one form each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from consumer.understanding.utterances import ME, UNKNOWN, Person
from renderers import persons

#: Keys under which integrations keep a name and an address.
_NAMES: Final = ("name", "display_name", "displayName", "full_name", "fullName", "label")
_ADDRESSES: Final = ("email", "address", "email_address", "emailAddress", "mail", "phone", "phone_number", "number")
_MAIL: Final = re.compile(r"(?:[^\s<>\"'(),:;\[\]]|(?<=\w)'(?=\w)){1,64}@[^\s<>\"'(),:;\[\]@]{1,190}")
_PHONE: Final = re.compile(r"(?:\+|00)[\d\s().\-/]{6,24}\d")
_MESSENGER: Final = re.compile(r"(\d{7,15})(?:@s\.whatsapp\.net|@c\.us)")
#: A header's longest name; what is longer is a text.
_NAME_CHARS: Final = 120
_PEOPLE: Final = 200


def person(name: object, address: object = "") -> Person:
    """Somebody by name and address as a record's fields hold them; UNKNOWN without either."""
    shown = _clean(name) if isinstance(name, str) else ""
    known = normal_address(address) if isinstance(address, str) and address else ""
    if not known and isinstance(name, str) and ("@" in name or name.lstrip().startswith("+")):
        return named(name)
    shown, known = persons.writer(shown, known)
    # An address in place of a name, perhaps with a phone number behind it, is no name.
    return Person(_clean(_MAIL.sub(" ", shown)) if "@" in shown else shown, known)


def named(text: str) -> Person:
    """``Rob Müller <rob@x.example>``, ``rob@x.example``, ``Rob Müller [mailto:rob@x.example]`` or a name."""
    text = text.strip()[: 3 * _NAME_CHARS]
    match = _MAIL.search(text)
    if match is None:
        phone = normal_address(text)
        return Person("", phone) if phone else Person(_clean(text), "")
    name = _clean(re.sub(r"[<\[(]\s*(?:mailto:|via\s)?\s*$", "", text[: match.start()]))
    return Person(*persons.writer(name, match[0].lower().strip(".")))


def normal_address(text: str) -> str:
    """An e-mail address in lower case or a phone number in E.164 form; "" for what is neither."""
    text = text.strip().removeprefix("mailto:").removeprefix("tel:").removeprefix("whatsapp:")
    if match := _MESSENGER.fullmatch(text):
        return f"+{match[1]}"
    if match := _MAIL.fullmatch(text.strip("<>")):
        return match[0].lower()
    if _PHONE.fullmatch(text):
        digits = re.sub(r"\D", "", text)
        return "+" + (digits if text.startswith("+") else digits[2:])
    return ""


def people(value: object) -> tuple[Person, ...]:
    """Attendees or recipients in any shape that integrations write: names, addresses, objects with either."""
    if isinstance(value, str):
        value = re.split(r"[;,]\s*(?=[^,;]*(?:@|$))", value) if "@" in value else re.split(r"[;,\n]", value)
    elif isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, Sequence):
        return ()
    return distinct(_entry(entry) for entry in value[:_PEOPLE])


def distinct(several: Iterable[Person]) -> tuple[Person, ...]:
    """Each once, in order, UNKNOWN left out."""
    return tuple(dict.fromkeys(person for person in several if person != UNKNOWN))


def match(label: str, known: Sequence[Person]) -> Person | None:
    """The one of these people whom this name means: the whole name, or a first name that only one of them has."""
    wanted = fold(label)
    if not wanted:
        return None
    whole = [
        person
        for person in known
        if fold(person.name) == wanted or (person.address and person.address == label.lower())
    ]
    if whole:
        return whole[0]
    parts = [person for person in known if person != ME and (wanted in _short(person) or _begins(wanted, person))]
    return parts[0] if len({(person.name, person.address) for person in parts}) == 1 else None


def nicknamed(name: str, known: Sequence[Person]) -> Person | None:
    """The only one of these people whose given name begins with the same two letters: "Jake" for Jacob."""
    start = fold(name)[:_NICKNAME]
    likely = {person for person in known if person.name and _given(person).startswith(start)}
    return likely.pop() if len(start) == _NICKNAME and len(likely) == 1 else None


#: A nickname keeps so many letters of the given name.
_NICKNAME: Final = 2


def _given(person: Person) -> str:
    last, comma, first = fold(person.name).partition(",")
    return first.strip() if comma else last


def fold(name: str) -> str:
    """A name as it is compared here."""
    return " ".join(name.replace(".", " ").casefold().split())


def _begins(wanted: str, person: Person) -> bool:
    """Whether it is a given name with the initial of the family name: "Mara L."."""
    given, _, initial = wanted.partition(" ")
    words = fold(person.name).split()
    return len(initial) == 1 and len(words) > 1 and words[0] == given and words[-1].startswith(initial)


def _short(person: Person) -> tuple[str, ...]:
    """What somebody may be called for short."""
    words = fold(person.name).split()
    if not words:
        return (person.address.split("@")[0].split(".")[0],) if "@" in person.address else ()
    if "," in person.name:  # "Müller, Robert"
        last, _, first = fold(person.name).partition(",")
        return (first.strip().split(" ")[0], last.strip(), f"{first.strip()} {last.strip()}")
    return (words[0], words[-1])


def _entry(entry: Any) -> Person:
    if isinstance(entry, str):
        return named(entry)
    if not isinstance(entry, dict):
        return UNKNOWN
    nested = entry.get("emailAddress")  # Microsoft Graph: {"emailAddress": {"name": ..., "address": ...}}
    if isinstance(nested, dict):
        return _entry(nested)
    if entry.get("self") is True or entry.get("is_self") is True or entry.get("me") is True:
        return ME
    return person(_first(entry, _NAMES), _first(entry, _ADDRESSES))


def _first(entry: Mapping[str, Any], keys: Sequence[str]) -> str:
    for key in keys:
        value = entry.get(key)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _clean(name: str) -> str:
    name = " ".join(persons.shown(name[: 3 * _NAME_CHARS]).split()).strip("\"'*_, <>`;:/")
    if name.count("(") > name.count(")"):
        name = name[: name.rindex("(")].rstrip()
    return name if len(name) <= _NAME_CHARS and any(sign.isalpha() for sign in name) else ""
