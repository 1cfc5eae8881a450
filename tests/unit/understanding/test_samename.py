"""Addresses of one full name: one person's at one firm or in private, perhaps two people's at two firms."""

from __future__ import annotations

from itertools import permutations

from consumer.understanding.people import Directory
from consumer.understanding.utterances import Person
from renderers.samename import NameBearer, pairs
from tests.tables import table
from tests.unit.understanding.talks import contact, record


def _are_one(*people: Person, others: tuple[Person, ...] = ()) -> bool:
    directory = Directory.of([record(people=(person,)) for person in (*people, *others)])
    return len({directory.who(person) for person in people}) == 1


@table(
    ("name", "address", "other", "joined"),
    [
        # At one firm, with or without its hosts.
        ("Iva Broz", "iva.broz@kettle.example", "ivabroz@kettle.example", True),
        ("Iva Broz", "ibroz@kettle.example", "iva@lab.kettle.example", True),
        ("Iva Broz", "broz@physics.kettle.ac.uk", "iva.broz@kettle.ac.uk", True),
        ("Broz, Iva", "j..broz@kettle.example", "iva.broz@kettle.example", True),
        # Nothing of the name stands in the address: an assistant's, or a machine's.
        ("Iva Broz", "tomas.kral@kettle.example", "iva.broz@kettle.example", False),
        ("Iva Broz", "desk4@kettle.example", "iva.broz@kettle.example", False),
        # A firm tells its second one from the first by a number.
        ("Iva Broz", "iva.broz2@kettle.example", "iva.broz@kettle.example", False),
        ("Iva Broz", "ibroz01@kettle.example", "ibroz02@kettle.example", False),
        # A private address is nobody else's.
        ("Iva Broz", "rainydays@gmail.com", "iva.broz@kettle.example", True),
        ("Iva Broz", "rainy@debian.org", "iva.broz@kettle.example", True),
        ("Iva Broz", "ivka77@yahoo.co.uk", "iva.broz@gmx.de", True),
        ("Iva Broz", "+420601234567", "iva.broz@kettle.example", True),
        ("Iva Broz", "iva@broz.cz", "iva.broz@kettle.example", True),
        ("Iva Broz", "mail@ivabroz.example", "iva.broz@kettle.example", True),
        ("Iva Broz", "iva@laptop.local", "iva.broz@kettle.example", True),
        ("王小明", "xiaoming99@qq.com", "wang@kettle.example", False),
        # Two firms may have one each, unless both have what nobody's name makes.
        ("Iva Broz", "iva.broz@kettle.example", "iva.broz@anvil.example", False),
        ("Iva Broz", "ibroz@kettle.example", "broz@anvil.example", False),
        ("Iva Broz", "rainydays@kettle.example", "rainydays@anvil.example", True),
        ("Iva Broz", "ib@kettle.example", "ib@anvil.example", False),
        ("王小明", "xmwang88@kettle.example", "xmwang88@anvil.example", True),
        # No full name.
        ("Iva", "iva@kettle.example", "iva2001@gmail.com", False),
        ("I. Broz", "ibroz@kettle.example", "ivka77@gmail.com", False),
        ("I. M. Broz", "ibroz@kettle.example", "ivka77@gmail.com", True),
        ("王", "wang@kettle.example", "wang@kettle.example.cn", False),
        # No person: a firm, a list, an office, a machine.
        ("Kettle Services", "kettle@kettle.example", "kettle.services@gmail.com", False),
        ("Iva Broz", "noreply@kettle.example", "iva.broz@kettle.example", False),
    ],
)
def test_addresses_of_one_name(name: str, address: str, other: str, joined: bool) -> None:
    assert _are_one(Person(name, address), Person(name, other)) is joined


@table(
    ("name", "other", "joined"),
    [
        ("Iva Broz", "Iva M. Broz", True),
        ("Iva M Broz", "Iva M. Broz", True),
        ("BROZ Iva M", "Iva Broz", False),
        ("Broz, Iva M.", "Iva Broz", True),
        ("Dr. Iva Bro\u017e", "iva broz", True),
        ("IvaMaria Broz", "Iva Maria Broz", True),
        ("Iva-Maria Broz", "Iva Maria Broz", True),
        ("Iva K. Broz", "Iva M. Broz", False),
        ("Iva Broz Jr", "Iva Broz", False),
        ("Iva Broz III", "Iva Broz", False),
        ("Iva Maria Broz", "Iva Broz", False),
        ("Ivo Broz", "Iva Broz", False),
    ],
)
def test_spellings_of_one_name(name: str, other: str, joined: bool) -> None:
    assert _are_one(Person(name, "broz@kettle.example"), Person(other, "iva.broz@kettle.example")) is joined


@table(
    ("address", "joined"),
    [
        ("iva.broz@kettle.example", True),
        ("iva.m.broz@kettle.example", True),
        ("iva_broz@kettle.example", True),
        ("broz.iva@kettle.example", False),
        ("ibroz@kettle.example", False),
        ("ivo.broz@kettle.example", False),
    ],
)
def test_an_address_without_a_name_may_be_one(address: str, joined: bool) -> None:
    assert _are_one(Person("Iva Broz", "ivka77@gmail.com"), Person("", address)) is joined


@table(
    ("name", "address", "joined"),
    [
        ("Iva del Broz", "iva.del.broz@kettle.example", True),
        ("Iva del Broz", "ivadelbroz@kettle.example", True),
        ("Iva Broz Kral", "iva.broz-kral@lab.kettle.example", True),
        ("AnnMarie Broz", "ann.marie.broz@kettle.example", True),
        ("Anne-Marie Br\u00f6z", "annemarie.broez@kettle.example", True),
        ("Jos\u00e9 Bro\u017e", "josebroz@kettle.example", True),
        ("Iva del Broz", "iva.del.broz@anvil.example", False),
        ("Iva del Broz", "iva.del.broz2@kettle.example", False),
        ("Iva del Broz", "iva.del@kettle.example", False),
        ("Iva", "iva@anvil.kettle.example", False),
        # Who goes by a short name may be another.
        ("Maximilian Broz", "max.broz@gmail.com", False),
    ],
)
def test_an_address_without_a_name_may_be_all_of_one_in_the_firm(name: str, address: str, joined: bool) -> None:
    assert _are_one(Person(name, "desk.broz.iva.max.ann.jos@kettle.example"), Person("", address)) is joined


def test_a_private_address_is_nobodys_where_two_firms_have_the_name() -> None:
    private = Person("Iva Broz", "ivka77@gmail.com")
    firms = [Person("Iva Broz", f"iva.broz@{firm}.example") for firm in ("kettle", "anvil")]
    assert _are_one(private, firms[0])
    assert not _are_one(private, firms[0], others=(firms[1],))


def test_two_contacts_of_one_name_stay_two_and_one_takes_what_is_private() -> None:
    private = Person("Iva Broz", "ivka77@gmail.com")
    lists = [contact("k", "Iva Broz", "iva@kettle.example"), contact("a", "Iva Broz", "ivab@yahoo.com")]
    assert Directory.of([*lists, record(people=(private,))]).who(private) == "address/ivka77@gmail.com"
    assert Directory.of([lists[0], record(people=(private,))]).who(private) == "contact/k"


def test_the_user_keeps_apart_whom_the_name_would_join() -> None:
    people = [Person("Iva Broz", address) for address in ("ivka77@gmail.com", "iva.broz@kettle.example")]
    apart = [tuple(f"address/{person.address}" for person in people)]
    directory = Directory.of([record(people=(person,)) for person in people], apart=apart)  # type: ignore[arg-type]
    assert directory.who(people[0]) != directory.who(people[1])


def test_a_name_that_headers_have_now_and_then_joins_nobody() -> None:
    often, private = Person("Tomas Kral", "kral@kettle.example"), Person("Iva Broz", "ivka77@gmail.com")
    wrong = Person("Iva Broz", often.address)
    readings = [record(people=(person,)) for person in (*[often] * 4, wrong, private)]
    directory = Directory.of(readings)
    assert directory.who(often) != directory.who(private)


def test_an_address_of_two_family_names_joins_nobody() -> None:
    gateway = [Person(name, "iva@kettle.example") for name in ("Iva Broz", "Iva Kral")]
    private = Person("Iva Broz", "ivka77@gmail.com")
    assert not _are_one(gateway[0], private, others=(gateway[1],))
    assert _are_one(gateway[0], private, others=(Person("Iva M. Broz", "iva@kettle.example"),))


def test_a_common_name_joins_nobody_by_chance_and_a_rare_one_two_firms() -> None:
    crowd = [NameBearer(str(number), f"given{number} family{number}", ("",)) for number in range(400)]
    common = [NameBearer(f"c{number}", f"given{number} broz", ("",)) for number in range(20)]
    common += [NameBearer(f"d{number}", f"iva family{number}", ("",)) for number in range(20)]
    private = [
        NameBearer("p", "iva broz", ("ivka77@gmail.com",)),
        NameBearer("q", "iva broz", ("broz@kettle.example",)),
    ]
    assert list(pairs([*crowd, *private])) == [("p", "q")]
    assert not list(pairs([*crowd, *common, *private]))
    firms = [NameBearer(firm, "iva broz", (f"iva.broz@{firm}.example",)) for firm in ("anvil", "kettle")]
    assert list(pairs([*crowd, *firms])) == [("anvil", "kettle")]
    assert not list(pairs([*crowd, *common[:1], *firms]))
    assert not list(pairs(firms))


@table("order", list(permutations(range(3))))
def test_the_order_of_records_makes_no_difference(order: tuple[int, ...]) -> None:
    addresses = ("ivka77@gmail.com", "iva.broz@kettle.example", "broz@lab.kettle.example")
    people = [Person("Iva Broz", addresses[number]) for number in order]
    directory = Directory.of([record(people=(person,)) for person in people])
    assert {directory.who(person) for person in people} == {"address/broz@lab.kettle.example"}
