"""Whom the user is in touch with, and which mail of other people is still meant for the user.

Announcements, newsletters and form letters ask and promise as people do. They differ from mail that is meant for the
user in that the user has nothing to do with their sender.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from consumer.understanding import mentions, signs
from consumer.understanding.people import PROFILES, USER, Directory, PersonId, conversation, fold_name, nicknames
from consumer.understanding.reading import mailwords, names, salutations
from consumer.understanding.reading.messages import INBOUND, OUTBOUND, is_chat
from consumer.understanding.reading.tables import word_set
from consumer.understanding.statements import Reading
from consumer.understanding.utterances import Person, RecordText

#: A user who has sent fewer mails may write to people elsewhere, so their mail does not show whom they know.
MAILS_SENT: Final = 20
#: A longer mail (in sentences) from a stranger that does not greet the user by name is a form letter.
BRIEF: Final = 6
_LINK: Final = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
#: Of a mail to the user that offers the services of a house.
_OFFERS: Final = "offers"
#: Of a mail to the user: a name that it surely greets, and a word before a comma that may be one.
_GREETS, _CALLS = "greets:", "calls:"
#: Of a mail of the user's: the name below it.
_SIGNS: Final = "signs:"
#: Of a mail: whom it quotes first.
QUOTES: Final = "quotes:"
#: People of a mail to the user alone.
_SENDER_AND_USER: Final = 2
#: Letters of the user's initials that an address may begin with.
_INITIALS: Final = 2
#: So many people call the user by a name, or so many of the user's mails have it below, if it is theirs.
_USUAL: Final = 2
#: A name by which fewer than one of so many call the user is somebody else's.
_CALLED: Final = 8


def received(text: RecordText) -> str:
    """Signs of a mail to the user (``Reading.turn``): the names that it begins with, "brief" if it is short, whether it
    offers services, whom it quotes, and what their words answer.
    """
    written = _written(text)
    if not written:
        return ""
    mark = _GREETS if salutations.is_salutation(written[0]) else _CALLS
    is_brief = len(written) <= BRIEF and not any(map(_LINK.search, written))
    called = [mark + name for name in salutations.names_begun_with(written[0])]
    # Sent to its author, it goes to many unseen.
    to_one = all(each.author not in each.addressees for each in text.utterances if each.kind == "written")
    how = {"brief": is_brief and to_one, _OFFERS: mailwords.offers_services("\n".join(written))}
    is_so = [sign for sign, is_given in how.items() if is_given]
    return " ".join([*called, *is_so, *_quotes(text), *signs.answer(_quoted(text))])


def sent(text: RecordText) -> str:
    """Signs of a mail of the user's (``Reading.turn``): how they are called, whom it quotes, what it answers, and
    whether it only asks something back.
    """
    lines = [each.text for each in text.utterances if each.kind in ("written", "boilerplate")]
    words = [line for line in _written(text) if not salutations.greets_one(line) and _BELOW.fullmatch(line) is None]
    only_asks = bool(words) and all(line.rstrip().endswith("?") and _STOPS.search(line) is None for line in words)
    asks = [signs.ASKS] if only_asks else []
    return " ".join([*_signature(lines), *_quotes(text), *asks, *signs.answer(_written(text))])


def _written(text: RecordText) -> list[str]:
    return [each.text for each in text.utterances if each.kind == "written"]


def _quoted(text: RecordText) -> list[str]:
    """The words that a mail quotes first."""
    quoted = [each for each in text.utterances if each.kind == "quoted"]
    return [each.text for each in quoted if each.author == quoted[0].author]


def _quotes(text: RecordText) -> list[str]:
    """The signs of whom a mail quotes first, which it answers, by their address, else their name; and of what."""
    quoted = [each for each in text.utterances if each.kind == "quoted"]
    first = quoted[0].author if quoted else None
    whom = [QUOTES + "_".join((first.address or first.name).split())] if first else []
    return [*whom, *signs.repeated([each.text for each in quoted])]


#: A sentence before the last one of a line.
_STOPS: Final = re.compile(r"[^\W\d_]{2}[.!]+\s")


def _signature(lines: Sequence[str]) -> list[str]:
    """The sign of the name below a mail, of its lines in order."""
    below = [match[1] for line in lines[-SIGNED:] if (match := _BELOW.fullmatch(line))]
    names_below = [word for word in below if word.casefold() not in _CLOSINGS]
    return [_SIGNS + names_below[-1]] if names_below else []


#: What a mail may end with instead of a name.
_CLOSINGS: Final = word_set(
    "thanks thx cheers best regards sincerely bye love xoxo danke gruß grüße lg vg mfg merci cordialement bises "
    "gracias saludos abrazos obrigado obrigada abraço grazie saluti ciao bedankt groeten groetjes"
)
#: The name stands on one of the last lines, above a title and numbers.
SIGNED: Final = 4
#: "Bob", "- Bob", "Best regards, Bob".
_BELOW: Final = re.compile(r"(?:[^\n,]{0,30},)?[\s-]*([^\W\d_]{2,20})[\s,.!-]*")


def _marked(reading: Reading, mark: str) -> list[str]:
    """The folded words behind this mark in a record's signs."""
    return [fold_name(word.removeprefix(mark)) for word in reading.turn.split() if word.startswith(mark)]


def _domain(person: Person) -> str:
    return person.address.casefold().partition("@")[2]


def _spells(box: str, own: Sequence[str]) -> bool:
    """Whether what stands before the "@" may spell a name: "joerg", "xuli", "bill77", "lindq"; "mq" by its initials."""
    parts = [mentions.key(part) for part in _LETTERS.findall(box)]
    words, whole = list(map(mentions.key, own)), "".join(parts)
    return whole[:_INITIALS] in "".join(word[0] for word in own) or any(
        (len(word) > _INITIALS and word in whole)
        or (len(word) == _INITIALS and (whole.startswith(word) or whole.endswith(word)))
        or any(len(part) >= _PREFIX and word.startswith(part) for part in parts)
        or any(nicknames(part) & nicknames(word) for part in parts)
        for word in words
    )


_LETTERS: Final = re.compile(r"[^\W\d_]+")
#: So many first letters of a name may stand for it in an address.
_PREFIX: Final = 4
#: Addresses of desks that no name is written with, beside those that ``persons`` knows.
_DESKS: Final = word_set(
    "bestellung bestellungen rechnung rechnungen buchhaltung post mail commande commandes facture factures "
    "pedido pedidos factura facturas encomendas faturas ordini ordine fatture bestelling bestellingen facturen"
)


class Acquaintances:
    """Whom the user has written to or met, and in which conversations."""

    def __init__(self, readings: Iterable[Reading], people: Directory) -> None:
        self._people = people
        self._own = people.known(USER).name
        self._talks: set[str] = set()
        self._known: set[PersonId] = {USER}
        self._writers: set[PersonId | None] = set()
        #: Behind the "@" of those whom the user writes to or meets.
        self._domains: set[str] = set()
        #: Who writes to somebody alone.
        self._boxes: dict[PersonId | None, set[Person]] = defaultdict(set)
        called, signed = defaultdict[str, set[Person]](set), Counter[str]()
        own = fold_name(self._own).split()
        mails = 0
        for reading in readings:
            if reading.source == INBOUND and reading.people:
                self._writers.add(people.who(reading.people[0], conversation(reading)))
                if len(reading.people) == _SENDER_AND_USER:
                    self._boxes[people.who(reading.people[1], conversation(reading))].add(reading.people[0])
                for name in _marked(reading, _GREETS) if len(reading.people) <= _SENDER_AND_USER else ():
                    called[name].add(reading.people[0])
            if reading.source in (INBOUND, PROFILES):
                continue
            self._known |= people.all_of(reading.people, conversation(reading))
            self._domains.update(_domain(person) for person in reading.people)
            if reading.source == OUTBOUND:
                self._talks.add(reading.thread)
                mails += not is_chat(reading.thread)
                signed.update(_marked(reading, _SIGNS))
        self._tells = mails >= MAILS_SENT
        # A nickname has some callers beside those of the user's own name; an assistant who reads along has few.
        most = max((len(called[name]) for name in own), default=0)
        self._usual = {name for name, callers in called.items() if len(callers) >= max(_USUAL, most // _CALLED)}
        self._usual |= {name for name, count in signed.items() if count >= _USUAL}

    def is_meant(self, reading: Reading) -> bool:
        """Whether a record is meant for the user.

        A mail is not if a stranger offers services in it. Else it is if it greets the user, and is not if it greets
        somebody else. It also is if its sender is known, if the user wrote in its conversation, or if it is brief and
        for the user alone, unless all its recipients are other people. Other records always are.
        """
        if reading.source != INBOUND or is_chat(reading.thread) or not reading.people:
            return True
        sender, *others = (self._people.who(person, reading.thread) for person in reading.people)
        knows = sender in self._known or (reading.thread != "" and reading.thread in self._talks)
        offers = not knows and _OFFERS in reading.turn.split() and QUOTES not in reading.turn
        begins_with = [*_marked(reading, _GREETS), *_marked(reading, _CALLS)]
        if any(map(self.is_own, begins_with)):
            return not offers
        if offers or any(map(self._is_anothers, _marked(reading, _GREETS))) or self._is_circular(reading):
            return False
        is_copy = bool(others) and all(map(self._is_other, others, reading.people[1:]))
        if is_copy and (self._tells or not (knows or _domain(reading.people[0]) in self._domains)):
            return False
        if not self._tells:
            return True
        return knows or ("brief" in reading.turn.split() and all(who == USER for who in others))

    def _is_circular(self, reading: Reading) -> bool:
        """Whether strangers sent it to an address of their own house, and to the user unseen: "To: training@"."""
        sender, *others = reading.people
        domain = _domain(sender)
        if not others or not domain or domain in self._domains:
            return False
        return all(_domain(person) == domain and self._people.who(person, reading.thread) != USER for person in others)

    def _is_other(self, who: PersonId | None, person: Person) -> bool:
        """Whether a recipient is not the user under another address, nor a desk or a list of theirs.

        What several people write to alone is one of these; so is an address that spells the user.
        """
        if who in (None, USER) or self._people.is_nobody(who):
            return False
        own, words = fold_name(self._own).split(), fold_name(person.name).split()
        is_named = len(words) > 1 and bool(own) and set(own).isdisjoint(words)
        if is_named or (who in self._known and who in self._writers):
            return True
        box = person.address.casefold().partition("@")[0]
        if not own or not box or box in _DESKS or _spells(box, own):
            return False
        return len(self._boxes[who]) < _USUAL

    def is_own(self, name: str) -> bool:
        """Whether the user is called by a name, as far as their profile, their mails and those to them tell."""
        name, own = fold_name(name), fold_name(self._own).split()
        if not own or name in self._usual:
            return True
        is_initial = len(name) == 1 and any(word.startswith(name) for word in own)
        return is_initial or name in own or names.nicknamed(name, [Person(self._own)]) is not None

    def _is_anothers(self, name: str) -> bool:
        """Whether a name that is not the user's can be compared with theirs: it may be the same in another script."""
        return name.isascii() == fold_name(self._own).isascii()
