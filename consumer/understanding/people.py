"""
Who is who across records.

An address, a phone number or a contact's id identifies somebody. A name only suggests: it is somebody where exactly one
known person carries it, in the same conversation first. Names that nobody or several carry stay names of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import chain
from typing import Final, Literal, NamedTuple

from consumer.understanding import familynames
from consumer.understanding.statements import Reading, Statement
from consumer.understanding.utterances import ME, THEM, Person
from renderers import persons, samename

#: ``me``, ``contact/<record id>``, ``address/<address or number>`` or ``name/<folded name>``.
PersonId = str
#: What names somebody: a full name; an address that spells one; nothing, or a word.
Naming = Literal["name", "address", ""]
USER: Final[PersonId] = "me"
#: The source whose records each describe one person, and the one that describes the user.
CONTACTS: Final = "contacts"
PROFILES: Final = "user_profiles"
#: What mail programs add to a name: quotation marks, and what stands in parentheses.
_ADDED: Final = re.compile(r"[\"\u2018\u201c\u201d]|(?<![^\W\d_])['\u2019]|['\u2019](?![^\W\d_])|\([^()]{0,80}\)")
#: In place of what identifies the people of a conversation, where they make no difference.
_ANYWHERE: Final = 0
#: One in so many of the records that have the most common name of an address has to have another that counts.
_OFTEN: Final = 3
#: How many people a report lists who may be meant by a name.
_MEANT: Final = 2
_SPACE: Final = re.compile(r"\s+")


class Known(NamedTuple):
    """A person as all records together know them. ``aliases``: other spellings of the name, most common first."""

    id: PersonId
    name: str
    aliases: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()


@lru_cache(maxsize=65536)
def fold_name(name: str) -> str:
    """The form in which names are compared: given name first, small letters, no accents; "" for no name."""
    shown = persons.capitals_last(_ADDED.sub(" ", name))
    # Ids have been made of Korean signs that are taken apart.
    text = unicodedata.normalize("NFKD", persons.plain(shown))
    family, comma, given = text.partition(",")
    if comma and given.strip() and "," not in given:
        text = family if persons.is_behind(shown) else f"{given} {family}"
    return persons.untitled(_SPACE.sub(" ", text).strip(" .,;<>"))


def _is_same_but_initials(left: str, right: str) -> bool:
    """Whether two folded names are one: "Kim S. Ward" is Kim Ward and Kim S Ward, and not Kim T. Ward."""
    if left == right:
        return True
    bare = [samename.without_initials(name) for name in (left, right)]
    initials = [[word[0] for word in name.split() if len(word.strip(".")) == 1] for name in (left, right)]
    return bare[0] == bare[1] != "" and ([] in initials or initials[0] == initials[1])


def identities(readings: Iterable[Reading]) -> set[PersonId]:
    """Every identity that records name by itself: contacts, addresses and names, before any is joined with another."""
    named: set[PersonId] = {USER}
    for reading in readings:
        if reading.source == CONTACTS:
            named.add(f"contact/{reading.record_id}")
        statements = chain.from_iterable(_people_of(statement) for statement in reading.statements)
        speakers = chain.from_iterable((author, *to) for author, to, _ in reading.cited.values())
        for person in {*reading.people, *reading.own, *statements, *speakers}:
            if person.address:
                named.add(_address(person))
            # Of an address that several people use, the name tells who it is.
            if person.name:
                named.add(f"name/{fold_name(person.name)}")
    return named


def _people_of(statement: Statement) -> Iterator[Person]:
    """Whoever a statement names."""
    for name in ("owner", "asker", "by", "organizer"):
        person = getattr(statement, name, None)
        if person is not None:
            yield person
    for name in ("beneficiaries", "asked", "to", "who", "people", "attendees"):
        yield from getattr(statement, name, ())


def conversation(reading: Reading) -> str:
    """The key of the conversation that a reading belongs to: its thread, or itself."""
    return reading.thread or f"{reading.source}\0{reading.record_id}"


def _is_full(name: str) -> bool:
    """Whether it is more than what stands before the "@" of an address, or a first name."""
    folded = fold_name(name)
    return " " in folded or _UNSPACED.fullmatch(folded) is not None


def _is_whole(name: str, addresses: Iterable[str]) -> bool:
    """Whether it is a full name, and no pen name of signs that are written without a blank.

    A firm, a school, an office write the names of their people, and no pen names.
    """
    folded = fold_name(name)
    if " " in folded:
        return True
    whole = name.strip()
    is_told = familynames.begins(whole) or any(samename.firm(address, (folded,)) for address in addresses)
    return is_told and _UNSPACED.fullmatch(folded) is not None


#: A family name and a given name in Chinese, Japanese or Korean, which are written without a blank. Folded, a Korean
#: sign is two or three letters.
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{2,}|[\u1100-\u11ff]{4,}")


def _full_words(name: str) -> int:
    """Words of a name that are no initials."""
    return sum(len(word.rstrip(".")) > 1 for word in name.split())


def _is_shouted(name: str) -> bool:
    """ "ANA SOUZA", "ZHANG Li": in capitals, as forms write names; "AJ Smith" is not."""
    return any(len(word) > 2 and word.isupper() for word in name.replace(",", " ").split())


def _is_nobodys(spellings: Iterable[str], addresses: Iterable[str]) -> bool:
    """Whether none of these names and addresses is a person's. Beside a full name, others tell nothing: "sales"."""
    names, boxes = tuple(spellings) or ("",), tuple(addresses) or ("",)
    names = tuple(filter(_is_full, names)) or names
    return not any(persons.is_person(name, address) for name in names for address in boxes)


@dataclass(slots=True)
class _Groups:
    """Identities that are one person, joined pair by pair. The answer does not depend on the order of joining."""

    parents: dict[PersonId, PersonId] = field(default_factory=dict)
    #: Pairs that the user has said are two. A joining that would make one of them is left out, so the order of joinings
    #: counts then: ``Directory`` sorts them.
    apart: tuple[tuple[PersonId, PersonId], ...] = ()

    def find(self, identity: PersonId) -> PersonId:
        root = identity
        while (parent := self.parents.get(root, root)) != root:
            root = parent
        while (parent := self.parents.get(identity, identity)) != root:
            self.parents[identity], identity = root, parent
        return root

    def join(self, left: PersonId, right: PersonId) -> None:
        first, second = sorted((self.find(left), self.find(right)), key=_rank)
        if any({self.find(left), self.find(right)} == {first, second} for left, right in self.apart):
            return
        self.parents[second] = first


class _Boxes(NamedTuple):
    #: Mailboxes that people of one family, or several at a firm's desk, use: each has a name of their own there.
    shared: frozenset[str] = frozenset()
    #: Mailboxes that stand in place of anybody's: a program had no address of these people.
    nobodys: frozenset[str] = frozenset()


def _boxes(readings: Iterable[Reading]) -> _Boxes:
    """Mailboxes that are not one person's."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    contacts: dict[str, set[str]] = defaultdict(set)
    own: set[str] = set()
    for reading in readings:
        own.update(person.address for person in reading.own)
        for person in reading.people:
            if person.address and person.name and " " in person.name:
                names[person.address][person.name] += 1
                if reading.source == CONTACTS:
                    contacts[person.address].add(person.name)
    boxes: dict[str, Counter[str]] = defaultdict(Counter)
    listed: dict[str, set[str]] = defaultdict(set)
    for address, several in names.items():
        if address not in own and address != ME.address:
            for name, records in several.items():
                boxes[mailbox(address)][fold_name(name)] += records
            listed[mailbox(address)] |= set(map(fold_name, contacts.get(address, ())))
    carried = Counter(name for several in boxes.values() for name in several)
    elsewhere = frozenset(name for name, count in carried.items() if count > 1)
    nobodys = frozenset(box for box, several in boxes.items() if not listed[box] and _is_anybodys(box, several))
    shared = frozenset(
        box
        for box, several in boxes.items()
        if len(several) > 1
        and box not in nobodys
        and not persons.is_machine(box)
        and (
            _are_two(several, "" if persons.is_office_box(box) else box, elsewhere)
            or (len(listed[box]) > 1 and _are_two(listed[box], "", elsewhere))
        )
    )
    return _Boxes(shared, nobodys)


def _is_anybodys(box: str, names: Mapping[str, int]) -> bool:
    """Whether a mailbox goes by many names that have nothing in common, and none of which is its own.

    At a desk, many may write.
    """
    if len(names) < _MANY or persons.is_office_box(box) or 2 * max(names.values()) > sum(names.values()):
        return False
    local = box.partition("@")[0]
    several = [name.split() for name in sorted(names) if _WESTERN.fullmatch(name)]
    if any(word[:_INITIALS] in local for words in several for word in words if len(word) >= _INITIALS):
        return False
    families: dict[str, list[str]] = {words[-1]: words for words in several}
    strangers: list[list[str]] = []
    for words in families.values():
        if all(_differ(words, others) for others in strangers):
            strangers.append(words)
            if len(strangers) == _MANY:
                return True
    return False


#: So many people who have nothing in common share no mailbox.
_MANY: Final = 5


def _are_two(names: Iterable[str], box: str, elsewhere: frozenset[str]) -> bool:
    """Whether some two of these folded names are two people: of one family, or one of them writes for the other.

    ``box``: the mailbox, where it is a person's; "" for that of a desk, where anybody may write. ``elsewhere``: names
    that several mailboxes have.
    """
    several = sorted(name.split() for name in names if _WESTERN.fullmatch(name))
    writers = [name.split() for name in elsewhere.intersection(names)]
    return any(
        _differ(words, others)
        and (
            not box
            or words[-1] == others[-1]
            or (others in writers and _is_of_first(box, words, others))
            or (words in writers and _is_of_first(box, others, words))
        )
        for number, words in enumerate(several)
        for others in several[number + 1 :]
    )


def _is_of_first(box: str, owner: Sequence[str], writer: Sequence[str]) -> bool:
    """Whether a mailbox has the family name of its owner and nothing of the name of whoever writes there too."""
    local = box.partition("@")[0]
    has_owner = len(owner[-1]) > _INITIALS and owner[-1] in local
    return has_owner and not any(word[:_INITIALS] in local for word in writer)


def _differ(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two names cannot be one person's: given names that no nickname, initial, or slip joins."""
    first, second = words[0], others[0]
    if first in others or second in words or min(len(first), len(second)) < _INITIALS:
        return False
    if {*words, *others} & _COUPLE or first[:2] == second[:2] or nicknames(first) & nicknames(second):
        return False
    return SequenceMatcher(None, first, second).ratio() < _ALIKE


def nicknames(given: str) -> set[str]:
    """The given name, and the first of each group of ``_CALLED`` that has it: two that share one may be one person."""
    return {given, *(group[0] for group in _CALLED if given in group)}


def _is_called(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two names of one family have given names of which one is short for the other: "Katie Wells"."""
    same = len(words) == len(others) > 1 and words[1:] == others[1:]
    return same and any({words[0], others[0]} <= {*group} for group in _CALLED)


#: Fewer letters may be initials, or a piece of any word.
_INITIALS: Final = 3
#: Two given names with more in common than that may be one, written otherwise.
_ALIKE: Final = 0.6
_WESTERN: Final = re.compile(r"[a-z][a-z'.-]*(?: [a-z'.-]+){1,4}")
#: "Ann and Bob Lee" are told by no name of one of them.
_COUPLE: Final = frozenset(("and", "und", "et", "y", "e", "en"))
#: Given names and what people are called whose short name begins with another letter.
_CALLED: Final = tuple(
    tuple(line.split())
    for line in (
        *(
            "robert bob bobby rob robbie",
            "william bill billy liam will willy",
            "richard dick rick",
            "margaret peggy meg greta grete",
        ),
        *(
            "elizabeth elisabeth betty liz lizzie lizzy lisa beth elsa libby bess",
            "edward edmund ted ned",
            "theodore ted theo",
        ),
        *("henry harry hank heinrich heinz", "john jack johannes hans juan", "alexander alexandra sasha sascha sandro"),
        *("alejandro sandro alexander", "charles chuck karl carlos", "francis francisco frank paco pancho kiko"),
        *("eugene gene", "albert albrecht bert", "joseph josef jose sepp joe pepe beppe giuseppe", "ignacio nacho"),
        *("mary maria molly polly mimi", "sarah sally", "helen nell nelly", "ellen nell", "ann anne anna nancy nan"),
        *(
            "antonio toni tony anton anthony",
            "james jim jaime",
            "catherine katherine kate katie katy kathy cathy kitty",
            "dorothy dolly dot",
        ),
        *("mikhail misha michael mike", "nikolai kolya nick", "jacob jakob jaap jim", "lawrence larry lorenz"),
        *("thomas tom tommy", "samuel sam sammy", "daniel dan danny", "benjamin ben benny", "susan sue suzie susie"),
        *("katharina kathi katja kathrin", "sebastian basti", "johannes hannes", "hendrik henk", "cornelis kees"),
        *("giovanni gianni nanni", "luigi gigi", "dolores lola", "concepcion concha", "francisca paca chica"),
        *("friedrich fritz fred frederick", "georg jorg george schorsch", "wilhelmina mina", "rosario charo"),
        *("christopher kit topher chris", "bernard barney", "rebecca becky", "patricia patty tricia trish"),
        *("martha patty", "matilda tilly", "isabel bella izzy", "eleanor nora ellie lenore", "abigail gail"),
        *(
            "stephen steve steven stefan esteban",
            "leonard lenny len",
            "gerald jerry gerry",
            "jeremy jerry",
            "geoffrey jeff jeffrey",
            "philip pip phil",
        ),
    )
)


def _rank(identity: PersonId) -> tuple[int, str]:
    """Which identity speaks for a person: the user, then a contact, an address, a name; ties by text."""
    kind = identity.partition("/")[0]
    return ({USER: 0, "contact": 1, "address": 2}.get(kind, 3), identity)


def name_in(address: str) -> str:
    """The full name, folded, that stands before the "@" of an address: of "ann.m.lee@acme.example"."""
    match = _NAMING.match(address)
    return _PARTS.sub(" ", match[0][:-1]) if match else ""


_NAMING: Final = re.compile(r"[a-z]{3,}[._](?:[a-z][._])?[a-z]{3,}(?:-[a-z]{3,})?@")
_PARTS: Final = re.compile(r"[._]")


def _is_contact(identity: PersonId) -> bool:
    return identity.startswith("contact/")


def _address(person: Person) -> PersonId:
    return USER if person.address == ME.address else f"address/{mailbox(person.address)}"


@lru_cache(maxsize=65536)
def mailbox(address: str) -> str:
    """The address of the mailbox that an address leads to: "ann+news@x.example" is "ann@x.example".

    Gmail has two domains, and ignores dots. A code host puts a number before the login: "123+ann@users.noreply...".
    """
    local, at, domain = persons.without_number(address).partition("@")
    if not at or address.startswith("+"):
        return address
    local = local.partition("+")[0] or local
    if domain in _GMAIL:
        return f"{local.replace('.', '') or local}@gmail.com"
    return f"{local}@{domain}"


_GMAIL: Final = frozenset({"gmail.com", "googlemail.com"})


@dataclass(slots=True)
class Directory:
    """Everybody that the readings name. Built by ``of``; answers depend on the set of readings only."""

    _groups: _Groups = field(default_factory=_Groups)
    #: Spellings of each person with the number of records that use them; a contact's own count most.
    _spellings: dict[PersonId, Counter[str]] = field(default_factory=dict)
    _addresses: dict[PersonId, set[str]] = field(default_factory=dict)
    #: Folded full name, and folded given name, -> the people that carry it.
    _named: dict[str, set[PersonId]] = field(default_factory=dict)
    _given: dict[str, set[PersonId]] = field(default_factory=dict)
    _machines: set[str] = field(default_factory=set)
    #: Mailboxes that several people use: there a name says who it is, as if it had no address.
    _shared: Set[str] = frozenset()
    #: Mailboxes that stand in place of anybody's.
    _nobodys: Set[str] = frozenset()
    _talks: dict[str, list[tuple[Person, ...]]] = field(default_factory=dict)
    #: By conversation, and by the people in it: who carries which name there.
    _carriers: dict[str, Mapping[str, set[PersonId]]] = field(default_factory=dict)
    _carried: dict[frozenset[Person], Mapping[str, set[PersonId]]] = field(default_factory=dict)
    _answers: dict[tuple[str, int], PersonId] = field(default_factory=dict)
    _together: dict[tuple[Person, ...], dict[int, frozenset[PersonId]]] = field(default_factory=dict)
    _addressed: dict[Person, PersonId | None] = field(default_factory=dict)
    #: By id: what is known of somebody whose name a header or a contact has.
    _known: dict[PersonId, Known] = field(default_factory=dict)
    #: How names that are nobody known are written.
    _written: dict[PersonId, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        readings: Iterable[Reading],
        merges: Iterable[tuple[PersonId, PersonId]] = (),
        apart: Iterable[tuple[PersonId, PersonId]] = (),
    ) -> Directory:
        """``merges``: identities that the user says are one person; ``apart``: pairs that the user says are two."""
        readings = list(readings)
        boxes = _boxes(readings)
        groups = _Groups(apart=tuple(sorted(apart)))
        directory = cls(_groups=groups, _shared=boxes.shared, _nobodys=boxes.nobodys)
        counts = directory._collect(readings)
        # The user's word before what records suggest.
        for left, right in (*sorted(merges), *sorted(counts.joined)):
            directory._groups.join(left, right)
        directory._learn(counts)
        return directory

    def _collect(self, readings: Iterable[Reading]) -> _Counts:
        counts = _Counts()
        talks: dict[str, list[tuple[Person, ...]]] = defaultdict(list)
        people: list[tuple[Person, ...]] = []
        machines: list[Person] = []
        for reading in readings:
            if reading.source == CONTACTS:
                self._contact(reading, counts)
                continue
            if reading.source == PROFILES:
                counts.profile.update(person.name for person in (*reading.people, *reading.own) if person.name)
            seen = tuple(map(self._own, reading.people)) if self._shared else reading.people
            for person in (*reading.own, *(reading.people if reading.source == PROFILES else ())):
                if person.address:
                    counts.joined.add((USER, _address(person)))
            people.append(seen)
            machines += reading.machines
            if seen:
                talks[conversation(reading)].append(seen)
        # Counted at once: a call for each of thousands of readings costs more than the counting.
        counts.people.update(chain.from_iterable(people))
        counts.machines.update(person for person in machines if person.address)
        self._talks = talks
        return counts

    def _own(self, person: Person) -> Person:
        """A person without the address that others use as well."""
        if self._shared and " " in person.name and mailbox(person.address) in self._shared:
            return Person(person.name)
        return person

    def _contact(self, reading: Reading, counts: _Counts) -> None:
        contact = f"contact/{reading.record_id}"
        counts.contacts[contact] = people = tuple(map(self._own, reading.people))
        for person in people:
            if person.address:
                counts.joined.add((contact, _address(person)))

    def _learn(self, counts: _Counts) -> None:
        self._machines = counts.only_machines()
        if self._nobodys:
            self._machines |= {person.address for person in counts.people if mailbox(person.address) in self._nobodys}
        for name in counts.profile:
            self._join_user(name, counts)
        self._join_bare_contacts(counts)
        self._join_one_name(counts)
        for contact, people in counts.contacts.items():
            self._spell_contact(self._groups.find(contact), people)
        for person, records in counts.people.items():
            if not person.address:
                self._write(person.name)
            elif person.address not in self._machines:
                self._spell(self._groups.find(_address(person)), person, records)
        for name in counts.profile:
            self._spell(USER, Person(name, ME.address), 1000)
        self._index_names()

    def _index_names(self) -> None:
        for who, spellings in self._spellings.items():
            for spelling in spellings:
                self._name(who, fold_name(spelling))

    def _spell(self, who: PersonId, person: Person, records: int) -> None:
        if person.name:
            self._spellings.setdefault(who, Counter())[person.name] += records
        if person.address and person.address != ME.address:
            self._addresses.setdefault(who, set()).add(person.address)

    def _spell_contact(self, who: PersonId, people: Iterable[Person]) -> None:
        # A contact's own spelling speaks before those of mails, however many there are.
        for person in people:
            self._spell(who, person, 1000)

    def _name(self, who: PersonId, folded: str) -> None:
        self._named.setdefault(folded, set()).add(who)
        for short in _short_names(folded):
            self._given.setdefault(short, set()).add(who)

    def _join_user(self, name: str, counts: _Counts) -> None:
        """An address that carries the user's full name is the user's, unless a contact of that name owns it."""
        folded = fold_name(name)
        if not _is_full(name):
            return
        owned = {self._groups.find(contact) for contact in counts.contacts}
        for person in sorted(counts.people):
            written = fold_name(person.name) if person.address else ""
            is_short = _is_called(samename.without_initials(written).split(), folded.split()) if written else False
            # "Juergen Gross" is Jürgen Groß.
            is_alike = bool(written) and samename.in_address(written) == samename.in_address(folded)
            if written and (is_short or is_alike or _is_same_but_initials(written, folded)):
                identity = self._groups.find(_address(person))
                if identity not in owned:
                    self._groups.join(USER, identity)

    def _join_bare_contacts(self, counts: _Counts) -> None:
        """A contact without an address is the one address that carries its name, where nobody else carries it."""
        carriers: dict[str, set[PersonId]] = defaultdict(set)
        bare: dict[str, set[PersonId]] = defaultdict(set)
        for contact, people in counts.contacts.items():
            for person in people:
                folded = fold_name(person.name)
                where = carriers if any(person.address for person in people) else bare
                where[folded].add(self._groups.find(contact))
        for person in counts.people:
            if person.address and person.address not in self._machines and person.name:
                carriers[fold_name(person.name)].add(self._groups.find(_address(person)))
        for folded, contacts in bare.items():
            others = carriers.get(folded, set())
            if folded and len(contacts) == 1 and len(others) == 1 and not _is_contact(next(iter(others))):
                self._groups.join(*contacts, *others)

    def _join_one_name(self, counts: _Counts) -> None:
        """Addresses that mostly go by one full name are one person's where they are at one firm, or private."""
        spelled: dict[PersonId, Counter[str]] = defaultdict(Counter)
        addresses: dict[PersonId, set[str]] = defaultdict(set)
        named = (*chain.from_iterable(counts.contacts.values()), *counts.people)
        whole = samename.written_whole({fold_name(person.name) for person in named if " " in person.name})
        for contact, people in counts.contacts.items():
            who = self._groups.find(contact)
            for person in people:
                spelled[who][fold_name(person.name)] += 1000
                addresses[who].update(filter(None, [person.address]))
        for person, records in counts.people.items():
            if person.address and person.address not in self._machines:
                who = self._groups.find(_address(person))
                addresses[who].add(mailbox(person.address))
                name = fold_name(person.name)
                if not name:
                    local = person.address.partition("@")[0]
                    name = whole.get(samename.in_address(local)) or name_in(person.address)
                if " " in name or _UNSPACED.fullmatch(name):
                    spelled[who][name] += records
        bearers = [
            samename.NameBearer(who, name, tuple(sorted(addresses[who])), _is_contact(who))
            for who, names in sorted(spelled.items())
            if who != USER and (len(names) < 2 or len(samename.families(names)) < 2)
            for name, records in sorted(names.items())
            # A header now and then has somebody else's name.
            if _OFTEN * records >= max(names.values())
        ]
        for left, right in sorted(samename.pairs(bearers)):
            self._groups.join(left, right)

    def who(self, person: Person, talk: str = "") -> PersonId | None:
        """The identity behind a person that a record names; None: unknown, or a machine.

        ``talk``: the conversation it stands in, see ``conversation``.
        """
        if person == THEM:
            return self._only_other(talk)
        person = self._own(person)
        if person.address:
            if person in self._addressed:
                return self._addressed[person]
            known = None if person.address in self._machines else self._groups.find(_address(person))
            self._addressed[person] = known
            if known and person.name:
                # Somebody whom no header names is told by the name that a statement gives them.
                self._written[known] = min(person.name, self._written.get(known, person.name))
            return known
        if not person.name:
            return None
        carriers = self._in_talk(talk)
        # Conversations of the same people give the same answers.
        key = (person.name, id(carriers))
        answer = self._answers.get(key)
        if answer is None:
            alone = self._write(person.name)
            answer = self._answers[key] = self._groups.find(self._by_name(alone.removeprefix("name/"), carriers))
        return answer

    def all_of(self, people: tuple[Person, ...], talk: str = "") -> frozenset[PersonId]:
        """The identities behind these people that are known, see ``who``."""
        if not people:
            return frozenset()
        by_carriers = self._together.get(people)
        if by_carriers is None:
            by_carriers = self._together[people] = {}
            if all(self._own(person).address and person != THEM for person in people):
                # An address is the same person in all conversations.
                by_carriers[_ANYWHERE] = self._all_of(people, talk)
        known = by_carriers.get(_ANYWHERE)
        if known is None:
            place = id(self._carriers.get(talk) or self._in_talk(talk))
            known = by_carriers.get(place)
            if known is None:
                known = by_carriers[place] = self._all_of(people, talk)
        return known

    def _only_other(self, talk: str) -> PersonId | None:
        """The one person besides the user who takes part in a conversation; None where there are several, or none."""
        others = set[PersonId]()
        for people in self._talks.get(talk, ()):
            others |= self.all_of(people, talk)
        others.discard(USER)
        return others.pop() if len(others) == 1 else None

    def _all_of(self, people: tuple[Person, ...], talk: str) -> frozenset[PersonId]:
        return frozenset(who for person in people if (who := self.who(person, talk)) is not None)

    def read_names(self, people: Iterable[Person]) -> None:
        """Learn how these people are written; names of the same person that were read before count too."""
        for person in people:
            self.who(person)

    def _write(self, name: str) -> PersonId:
        """The identity of a name that is nobody known, told by its least spelling: no order shows in it."""
        alone = f"name/{fold_name(name)}"
        self._written[alone] = min(name, self._written.get(alone, name))
        return alone

    def _by_name(self, folded: str, in_talk: Mapping[str, set[PersonId]]) -> PersonId:
        alone = f"name/{folded}"
        for carriers in (in_talk, self._named, self._given):
            known = carriers.get(folded)
            if known:
                return next(iter(known)) if len(known) == 1 else alone
        return alone

    def _in_talk(self, talk: str) -> Mapping[str, set[PersonId]]:
        """Full and given names of those who take part in a conversation, the user among them -> who carries them."""
        carriers = self._carriers.get(talk)
        if carriers is None:
            people = frozenset(chain.from_iterable(self._talks.get(talk, ())))
            carriers = self._carried.get(people)
            if carriers is None:
                carriers = self._carried[people] = self._carry_all(people)
            self._carriers[talk] = carriers
        return carriers

    def _carry_all(self, people: frozenset[Person]) -> Mapping[str, set[PersonId]]:
        made: dict[str, set[PersonId]] = defaultdict(set)
        for spelling in self._spellings.get(USER, ()) if people else ():
            self._carry(made, fold_name(spelling), USER)
        for person in people:
            folded = fold_name(person.name)
            if person.address:
                who = self.who(person)
                names = {folded, *map(fold_name, self._spellings.get(who or "", ()))}
            else:
                # A first name alone suggests the full name beside it, never the other way round.
                initialed = self._given.get(folded, set()) if " " in folded else set()
                only = self._named.get(folded) or initialed
                who = next(iter(only)) if len(only) == 1 else f"name/{folded}" if " " in folded else None
                names = {folded}
            for name in names if who else ():
                self._carry(made, name, who or "")
        return made

    @staticmethod
    def _carry(made: dict[str, set[PersonId]], folded: str, who: PersonId) -> None:
        if folded:
            made[folded].add(who)
            for short in _short_names(folded):
                made[short].add(who)

    def everybody(self) -> Iterator[Known]:
        """All whom a header or a contact gives a name or an address, in order of their ids; the user among them."""
        yield from map(self.known, sorted({*self._spellings, *self._addresses}))

    def known(self, who: PersonId) -> Known:
        """What is known of somebody that ``who`` gave."""
        known = self._known.get(who)
        if known is not None:
            return known
        spellings = self._spellings.get(who)
        if not spellings:
            name = "" if who == USER else self._written.get(who, who.partition("/")[2])
            return Known(who, persons.given_first(name), (), self._addresses_of(who))
        records: Counter[str] = Counter()
        for text, count in spellings.items():
            records[fold_name(text)] += count
        order = sorted(
            spellings,
            key=lambda text: (
                *(
                    not _is_full(text),
                    not persons.is_person(text, ""),
                    -records[fold_name(text)],
                    _is_shouted(text) or text.islower(),
                    "," in text,
                ),
                *(-spellings[text], -_full_words(text), -len(text), text),
            ),
        )
        name = persons.given_first(order[0])
        others = tuple(each for each in order if each != name)
        known = self._known[who] = Known(who, name, others, self._addresses_of(who))
        return known

    def _addresses_of(self, who: PersonId) -> tuple[str, ...]:
        return tuple(sorted(self._addresses.get(who, ())))

    def is_nobody(self, who: PersonId) -> bool:
        """Whether it is no person, as far as names and addresses tell: a room, a list, a firm. Contacts are people."""
        if _is_contact(who):
            return False
        addresses = self._addresses.get(who, ())
        named = self._spellings.get(who) or ([self._written[who]] if who in self._written else map(name_in, addresses))
        return _is_nobodys(named, addresses)

    def named_by(self, who: PersonId) -> Naming:
        """What names somebody: a full name, an address, or neither: first name, handle, desk. Contacts are named."""
        boxes = self._addresses_of(who)
        names = self._spellings.get(who) or ([self._written[who]] if who in self._written else [])
        is_phone = boxes and not any("@" in address for address in boxes)
        if _is_contact(who) or is_phone or any(_is_whole(name, boxes) for name in names):
            return "name"
        # Beside a handle, a private address has more of it.
        telling = boxes if not names else filter(samename.firm, boxes)
        spelled = {word for address in telling for word in name_in(address).split()}
        return "address" if spelled and (not names or not spelled.isdisjoint(map(fold_name, names))) else ""

    def is_borne(self, who: PersonId) -> bool:
        """Whether an address has anything of the name; a private one, a phone and a desk's need not."""
        known = self.known(who)
        words = fold_name(known.name).split()
        is_telling = words and all(
            samename.firm(each, words) and not persons.is_office_box(each) for each in known.addresses
        )
        if _is_contact(who) or not known.addresses or not is_telling:
            return True
        boxes = [address.partition("@")[0] for address in known.addresses]
        words += [word for name in known.aliases for word in fold_name(name).split()]
        initials = {word[0] for word in words}
        return any(samename.bears(box, words) or box[:1] in initials for box in boxes)

    def are_two(self, left: PersonId, right: PersonId) -> bool:
        """Whether the user keeps these apart: as two contacts, or by saying so. No contact is the user's own."""
        are_kept = all(_is_contact(who) or who == USER for who in (left, right))
        return are_kept or any(
            {self._groups.find(each) for each in pair} == {left, right} for pair in self._groups.apart
        )

    def is_unclear(self, who: PersonId) -> bool:
        """Whether it is a full name that records do not give to one of the several who have it."""
        return len(self._named.get(who.removeprefix("name/"), ())) > 1 and " " in who

    def carriers(self, name: str) -> frozenset[PersonId]:
        """Whoever carries this address, full name or given name; of a name that no address has, the name itself."""
        if "@" in name:
            identity = self._groups.find(f"address/{mailbox(name.casefold())}")
            return frozenset({identity}) if identity in self._spellings or identity in self._addresses else frozenset()
        folded = fold_name(name)
        known = self._named.get(folded, set()) | self._given.get(folded, set())
        nobody_known = (who for who in self._written if who.startswith("name/") and who[5:] not in self._named)
        written = {who for who in nobody_known if _has_name(who[5:], folded)}
        return frozenset(known | written)

    def name(self, who: PersonId) -> str:
        """The name that a report uses for a person; ``you`` for the user.

        If several people share the name, or the first name, it is the full name or has an address. If any of several
        people may be meant, the name is followed by the candidates: ``Amara (Amara Bello / Amara Okonkwo?)``.
        """
        if who == USER:
            return "you"
        known = self.known(who)
        folded = fold_name(known.name)
        others = self._carriers_of(folded) - {who}
        if not others:
            return known.name
        if " " not in folded:
            # Records mostly use their first name.
            full = (alias for alias in known.aliases if " " in fold_name(alias))
            name = next((alias for alias in full if self._carriers_of(fold_name(alias)) <= {who}), "")
            if name:
                return name
        if known.addresses:
            return f"{known.name} ({known.addresses[0]})"
        meant = sorted({self._told_apart(known.name, self.known(other)) for other in others if other != USER})
        if not who.startswith("name/") or len(meant) < _MEANT:
            return known.name
        listed = " / ".join(meant if len(meant) == _MEANT else [*meant[:_MEANT], "\u2026"])
        return f"{known.name} ({listed}?)"

    @staticmethod
    def _told_apart(name: str, known: Known) -> str:
        return known.addresses[0] if known.name == name and known.addresses else known.name

    def _carriers_of(self, folded: str) -> Set[PersonId]:
        """The people with a full name, or with a given name if it is one word."""
        carriers: Set[PersonId] = self._named.get(folded, set())
        return carriers if " " in folded else carriers | self._given.get(folded, set())


def _short_names(folded: str) -> tuple[str, ...]:
    """What somebody with this full name is called for short: "mara" and "mara l" of "mara lindqvist"."""
    given, _, rest = folded.partition(" ")
    if not rest or len(given) < 2 or persons.is_titled(folded):
        return ()
    return (given, f"{given} {rest.split()[-1][0]}")


def _has_name(folded: str, wanted: str) -> bool:
    """Whether a full name is the wanted one, or begins with it as its given name."""
    return folded == wanted or folded.startswith(f"{wanted} ")


@dataclass(slots=True)
class _Counts:
    """What a pass over the readings gathers before anybody is told apart."""

    people: Counter[Person] = field(default_factory=Counter)
    machines: Counter[Person] = field(default_factory=Counter)
    contacts: dict[PersonId, tuple[Person, ...]] = field(default_factory=dict)
    profile: Counter[str] = field(default_factory=Counter)
    #: Identities that a contact, or the user's own record, says are one.
    joined: set[tuple[PersonId, PersonId]] = field(default_factory=set)

    def only_machines(self) -> set[str]:
        """Addresses that are never seen but as a machine's: an out-of-office reply makes nobody one."""
        seen: Counter[str] = Counter()
        for person, records in self.people.items():
            seen[person.address] += records
        sent: Counter[str] = Counter()
        for person, records in self.machines.items():
            sent[person.address] += records
        return {address for address, records in sent.items() if records >= seen[address]}
