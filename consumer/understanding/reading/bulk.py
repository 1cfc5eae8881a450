"""Whether a program or a list sent a message, and not a person to this user."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from consumer.understanding.reading import mailwords
from consumer.understanding.reading.tables import word_set
from renderers import persons

#: Where headers and labels may lie inside ``parse_result``: so deep, and so many.
_DEPTH: Final = 4
_ENTRIES: Final = 400
#: A footer stands at the end, a form at the start or the end: of a long text no more is looked at.
_EDGE: Final = 6000
_LABEL_KEYS: Final = word_set(
    "category categories kind type class classification intent label labels tags mail-type message-type"
)
_FLAGS: Final = word_set(
    "bulk is-bulk newsletter is-newsletter automated is-automated auto-reply is-auto-reply auto-generated "
    "is-auto-generated is-notification is-spam noreply is-noreply no-reply mailing-list is-mailing-list "
    "out-of-office is-out-of-office machine is-machine"
)
_AUTO_KEYS: Final = word_set(
    "list-unsubscribe list-unsubscribe-post list-id list-post list-help list-subscribe list-archive list-owner "
    "feedback-id x-github-reason x-github-sender x-gitlab-project x-autoreply x-autorespond x-auto-response-id "
    "x-mailchimp-id x-campaign-id x-campaign x-mailgun-sid x-sg-eid x-ses-outgoing x-google-calendar "
    "x-failed-recipients"
)


_AUTO_VALUES: Final[Mapping[str, frozenset[str]]] = {
    "precedence": word_set("bulk junk list auto_reply auto-reply"),
    "x-auto-response-suppress": word_set("all"),
    "return-path": word_set("<>"),
}


def by_program(sender: str, parsed: object, subject: str, text: str) -> bool:
    """Whether nobody wrote this message to the user. ``sender``: an address; ``text``: visible, quotes left out."""
    if persons.is_machine(sender):
        return True
    if isinstance(parsed, Mapping | list) and any(_automatic(key, value) for key, value in _entries(parsed, _DEPTH)):
        return True
    if subject and mailwords.PROGRAM_SUBJECT.match(subject):
        return True
    if len(text) < 20:
        return False
    edges = (text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]}\n{text[-_EDGE:]}").lower()
    signs = (mailwords.PROGRAM, mailwords.OPT_OUT)
    return any(sign.search(edges) for sign in signs) or _absence(edges) or _list_footer(edges) or _advertises(edges)


def _absence(text: str) -> bool:
    """An out-of-office note: it says that somebody is away, and what else such a note says."""
    start = text[:600]
    return bool(mailwords.ABSENT.search(start) and mailwords.ABSENCE_FORM.search(text[:1500]))


def _advertises(text: str) -> bool:
    """Whether a text sells to many: it calls on them to buy or to subscribe, and has another sign of advertising. A way
    to leave a list is none, since a list adds one to what a person writes.
    """
    if not mailwords.CALLS_TO_BUY.search(text):
        return False
    signs = {match[0].casefold() for match in mailwords.SELLING.finditer(text)}
    return len([sign for sign in signs if not mailwords.LEAVING.match(sign)]) > 1


def _list_footer(text: str) -> bool:
    """A line by which one leaves a list, and another sign of a mail to many."""
    leave = list(mailwords.UNSUBSCRIBE.finditer(text))
    if not leave:
        return False
    signs = {match[0].casefold().strip()[:12] for match in mailwords.BULK_SIGNS.finditer(text)}
    if signs:
        return True
    last = text[text.rfind("\n", 0, leave[-1].start()) + 1 :].split("\n", 1)[0].strip()
    # A line of its own at the end, in the form of a link or a command.
    if mailwords.OF_SELF.search(last):
        return False
    short = len(last.split()) <= 8 and "?" not in last
    return (short or mailwords.CLICK.search(last) is not None) and leave[-1].start() > len(text) // 2 and "\n" in text


def _automatic(key: str, value: Any) -> bool:
    """Whether a header or a label of a parser says that a program or a list sent this."""
    if key in _AUTO_KEYS:
        return value not in (None, False, "", [], {})
    if key in _FLAGS:
        return value is True or (isinstance(value, str) and value.casefold() in ("true", "yes", "1"))
    label = value.strip().casefold()[:200] if isinstance(value, str) else ""
    if key == "auto-submitted":
        return label != "" and not label.startswith("no")
    if key == "content-type":
        return label.startswith(("multipart/report", "text/calendar"))
    if key in _LABEL_KEYS:
        return label.replace(" ", "_") in mailwords.BULK_LABELS
    return label in _AUTO_VALUES.get(key, ())


def _entries(parsed: object, depth: int) -> Iterator[tuple[str, Any]]:
    """(key as headers write it, value) at any place that a parser puts headers and labels."""
    left = _ENTRIES
    level: list[Any] = [parsed]
    for _ in range(depth):
        pairs = [pair for container in level for pair in islice(_pairs(container), left)][:left]
        left -= len(pairs)
        yield from pairs
        level = [value for _, value in pairs if isinstance(value, Mapping | list)]


def _pairs(container: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(container, list):
        yield from (("", value) for value in container)
        return
    name, value = container.get("name"), container.get("value")
    if isinstance(name, str) and value is not None:  # [{"name": "List-Id", "value": "..."}]
        yield _key(name), value
    for name, value in container.items():
        key = _key(str(name))
        if key in _LABEL_KEYS and isinstance(value, list):
            yield from ((key, label) for label in value)
        yield key, value


def _key(name: str) -> str:
    """``List-Unsubscribe``, ``list_unsubscribe``, ``listUnsubscribe`` -> ``list-unsubscribe``."""
    name = name[:60]
    if not name.isupper() and not name.islower() and "-" not in name and "_" not in name:
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name)
    return name.casefold().replace("_", "-").replace(" ", "-")
