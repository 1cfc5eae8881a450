"""Who is who: an address identifies, a name suggests."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from consumer.understanding.life import fold
from consumer.understanding.people import USER, Directory, conversation, fold_name
from consumer.understanding.reading import names
from consumer.understanding.utterances import ME, UNKNOWN, Person
from renderers import entities, fields, persons
from tests.tables import table
from tests.unit.understanding.talks import ANN, BOB, contact, profile, record

SPELLINGS = [
    "Rob M\u00fcller",
    "M\u00fcller, Robert",
    "R. Mueller",
    "Robert M\u00fcller",
    "rob mueller",
    "ROB M\u00dcLLER",
    "'Rob M\u00fcller'",
    "M\u00fcller Rob (Acme)",
]


def test_spellings_under_one_address_are_one_person() -> None:
    people = [Person(name, "rob@acme.example") for name in SPELLINGS]
    directory = Directory.of([record(people=(person,)) for person in people])
    assert {directory.who(person) for person in people} == {"address/rob@acme.example"}
    known = directory.known("address/rob@acme.example")
    assert known.name in ("Rob M\u00fcller", "Robert M\u00fcller")
    assert sorted(known.aliases) == sorted({*SPELLINGS} - {known.name})


@table(
    ("address", "other", "same"),
    [
        ("rob@acme.example", "rob+news@acme.example", True),
        ("rob.ray@gmail.com", "robray+x@googlemail.com", True),
        ("rob.ray@acme.example", "robray@acme.example", False),
        ("rob@acme.example", "rob@acme.test", False),
        ("123+rob@users.noreply.github.com", "rob@users.noreply.github.com", True),
        ("123+rob@users.noreply.github.com", "123+ray@users.noreply.github.com", False),
        ("123-rob@users.noreply.gitlab.com", "rob@users.noreply.gitlab.com", True),
        ("+442079460018", "+442079460019", False),
    ],
)
def test_one_mailbox_is_one_person(address: str, other: str, same: bool) -> None:
    people = [Person("Rob Ray", address), Person("R. R.", other)]
    directory = Directory.of([record(people=(person,)) for person in people])
    assert (directory.who(people[0]) == directory.who(people[1])) is same
    assert "@" not in other or directory.carriers(other) == {directory.who(people[1])}


def test_a_given_name_with_an_initial_is_the_only_one_who_has_both() -> None:
    talk = record(people=(Person("Bob"), Person("Mara L.")), source="granola_transcripts", thread="t")
    directory = Directory.of([profile("Mara Lindqvist"), contact("m", "Mara Moor", "m@moor.example"), talk])
    assert directory.who(Person("Mara L."), conversation(talk)) == USER
    assert directory.who(Person("Mara M.")) == "contact/m"
    assert directory.who(Person("Mara X.")) == "name/mara x"
    namesake = Directory.of([profile("Mara Lindqvist"), contact("m", "Mara Lund", "m@lund.example"), talk])
    assert namesake.who(Person("Mara L.")) == "name/mara l"


@table("name", ["王小明", "山田太郎", "김민준"])
def test_a_name_without_a_blank_may_be_the_users_whole_name(name: str) -> None:
    private = Person(name, "private@home.example")
    assert Directory.of([profile(name), record(people=(ANN, private))]).who(private) == USER


@table(
    ("user", "name", "is_user"),
    [
        ("Katherine Wells", "Katie Wells", True),
        ("Katherine Wells", "Kathy Wells", True),
        ("Elizabeth Wells", "Lizzie Wells", True),
        ("Bob Wells", "Robert Wells", True),
        ("Johannes Wells", "Hannes Wells", True),
        ("Giovanni Pozzi", "Gianni Pozzi", True),
        ("Katherine Wells", "Katie Moor", False),
        ("Katherine Wells", "Karl Wells", False),
    ],
)
def test_an_address_with_a_short_form_of_the_users_name_is_the_users(user: str, name: str, is_user: bool) -> None:
    private = Person(name, "private@home.example")
    directory = Directory.of([profile(user), record(people=(ANN, private))])
    assert (directory.who(private) == USER) == is_user


@table("name", ["Mara", "王", "김"])
def test_a_given_or_family_name_alone_is_not_the_users_whole_name(name: str) -> None:
    private = Person(name, "private@home.example")
    assert Directory.of([profile(name), record(people=(ANN, private))]).who(private) != USER


@table(
    ("spellings", "name"),
    [
        # The spelling of most records speaks for a person, and not the odd one without a comma.
        (("Silva, Maria J",) * 5 + ("mobile", "M. Silvo"), "Maria J Silva"),
        (("Silva, Maria",) * 2 + ("Maria Silva",), "Maria Silva"),
        (("maria.silva",) * 4 + ("Maria Silva",), "Maria Silva"),
        (("Silva, Maria (Sales/DE)",), "Maria Silva"),
        (("Maria Silva, PhD",), "Maria Silva, PhD"),
        (("Silva GmbH, Ltd",), "Silva GmbH, Ltd"),
    ],
)
def test_a_person_is_told_by_the_name_of_most_records_given_name_first(spellings: tuple[str, ...], name: str) -> None:
    directory = Directory.of([record(people=(Person(each, "maria@bank.example"),)) for each in spellings])
    assert directory.known("address/maria@bank.example").name == name


def test_a_name_without_an_address_is_told_given_name_first() -> None:
    directory = Directory.of([record(people=(Person("Silva, Maria"),))])
    assert directory.name(directory.who(Person("Silva, Maria")) or "") == "Maria Silva"


@pytest.mark.parametrize("spelling", ["Rob M\u00fcller", "M\u00fcller, Robert", "robert muller", "Robert  M\u00fcller"])
def test_a_name_that_only_one_known_person_carries_is_that_person(spelling: str) -> None:
    directory = Directory.of([record(people=(Person(name, "rob@acme.example"),)) for name in SPELLINGS])
    assert directory.who(Person(spelling)) == "address/rob@acme.example"


@pytest.mark.parametrize("addresses", [(), ("maria@bank.example",), ("maria@bank.example", "maria@bakery.example")])
def test_two_contacts_with_one_name_stay_two(addresses: tuple[str, ...]) -> None:
    first, second = addresses[:1], addresses[1:]
    readings = [contact("bank", "Maria Silva", *first), contact("bakery", "Maria Silva", *second)]
    directory = Directory.of(readings)
    assert directory.who(Person("Maria Silva")) == "name/maria silva"
    for address, who in zip(addresses, ("contact/bank", "contact/bakery"), strict=False):
        assert directory.who(Person("M. Silva", address)) == who


def test_a_report_says_which_of_two_people_of_one_name_is_meant() -> None:
    bello, okonkwo = Person("Amara Bello", "amara@bello.example"), Person("Amara Okonkwo", "amara@oko.example")
    phone = Person("Amara", "+46701234567")
    often = [record(people=(Person("Amara", okonkwo.address),)) for _ in range(3)]
    both = Directory.of([record(people=(bello,)), record(people=(okonkwo,)), *often])
    assert [both.name(both.who(person) or "") for person in (bello, okonkwo)] == ["Amara Bello", "Amara Okonkwo"]
    unclear = Directory.of([record(people=(bello,)), record(people=(okonkwo,))])
    assert unclear.name(unclear.who(Person("Amara")) or "") == "Amara (Amara Bello / Amara Okonkwo?)"
    named_alike = Directory.of([record(people=(okonkwo,)), record(people=(phone,))])
    assert named_alike.name(named_alike.who(phone) or "") == "Amara (+46701234567)"
    assert named_alike.name(named_alike.who(okonkwo) or "") == "Amara Okonkwo"
    alone = Directory.of([record(people=(phone,)), record(people=(BOB,))])
    assert alone.name(alone.who(Person("Amara")) or "") == "Amara"
    banks = [Person("Maria Silva", f"maria@{place}.example") for place in ("bank", "bakery", "boat")]
    several = Directory.of([record(people=(person,)) for person in banks])
    assert (
        several.name(several.who(Person("Maria Silva")) or "")
        == "Maria Silva (maria@bakery.example / maria@bank.example / \u2026?)"
    )


def test_a_name_that_two_carry_is_the_one_who_takes_part_in_the_conversation() -> None:
    bank, bakery = Person("Maria Silva", "maria@bank.example"), Person("Maria Silva", "maria@bakery.example")
    talk = record(people=(bank, BOB), thread="t")
    both = record(people=(bank, bakery), thread="u")
    directory = Directory.of([talk, both, record(people=(bakery,))])
    assert directory.who(Person("Maria Silva"), "t") == "address/maria@bank.example"
    assert directory.who(Person("Maria"), "t") == "address/maria@bank.example"
    assert directory.who(Person("Maria Silva"), "u") == "name/maria silva"
    assert directory.who(Person("Maria Silva"), "elsewhere") == "name/maria silva"


def test_a_name_is_asked_for_anew_in_each_conversation_of_other_people() -> None:
    bank, bakery = Person("Maria Silva", "maria@bank.example"), Person("Maria Silva", "maria@bakery.example")
    people = {"t": (bank, BOB), "u": (bakery, BOB), "v": (bank, BOB), "w": (bank, bakery)}
    readings = [record(people=several, thread=talk) for talk, several in people.items()]
    names = (Person("Maria"), BOB, Person("Maria Silva"))
    for order in (list(people), list(reversed(people))):
        directory = Directory.of(readings)
        by_talk = {talk: directory.all_of(names, talk) for talk in order}
        bob = "address/bob@marsh.example"
        assert by_talk["t"] == by_talk["v"] == {"address/maria@bank.example", bob}
        assert by_talk["u"] == {"address/maria@bakery.example", bob}
        assert by_talk["w"] == {"name/maria", bob, "name/maria silva"}


def test_a_contact_with_two_addresses_is_one_person() -> None:
    directory = Directory.of([contact("k", "Ann Lee", "ann@lee.example", "+4915112345678"), record(people=(ANN,))])
    assert directory.who(Person("", "+4915112345678")) == directory.who(ANN) == "contact/k"
    assert directory.known("contact/k").addresses == ("+4915112345678", "ann@lee.example")


def test_a_contact_without_an_address_is_the_only_one_who_carries_its_name() -> None:
    assert Directory.of([contact("k", "Ann Lee"), record(people=(ANN,))]).who(ANN) == "contact/k"
    other = Person("Ann Lee", "ann@other.example")
    assert Directory.of([contact("k", "Ann Lee"), record(people=(ANN, other))]).who(ANN) == "address/ann@lee.example"


def test_a_first_name_in_a_transcript_is_the_attendee_who_has_it() -> None:
    talk = record(people=(Person("Bob Marsh"), Person("Mara Lind")), source="granola_transcripts")
    directory = Directory.of([talk, profile("Mara Lind")])
    assert directory.who(Person("Bob"), conversation(talk)) == "name/bob marsh"
    assert directory.who(Person("Mara"), conversation(talk)) == USER
    assert directory.name("name/bob marsh") == "Bob Marsh"


def test_the_user_is_known_by_profile_header_and_role() -> None:
    own = Person("M. Lind", "mara@lind.example")
    directory = Directory.of([profile("Mara Lind"), record(people=(ANN,), own=(own,))])
    private = Person("Mara Lind", "mara@home.example")
    directory = Directory.of([profile("Mara Lind"), record(people=(ANN, private), own=(own,))])
    assert {directory.who(person) for person in (ME, own, private, Person("Lind, Mara"), Person("mara lind"))} == {USER}
    assert directory.name(USER) == "you"


@table(
    ("written", "is_user"),
    [("Mara K. Lind", True), ("Lind, Mara K", True), ("Mara Lind", True), ("Mara Linde", False), ("M. Lind", False)],
)
def test_the_users_name_may_have_an_initial(written: str, is_user: bool) -> None:
    person = Person(written, "mkl@firm.example")
    directory = Directory.of([profile("Mara Lind"), record(people=(person,))])
    assert (directory.who(person) == USER) is is_user


@table(
    ("written", "is_user"),
    [("Mara K. Lind", True), ("Lind, Mara K", True), ("Mara Lind", True), ("Mara T. Lind", False)],
)
def test_the_initial_of_the_users_name_may_have_a_point_or_be_left_out(written: str, is_user: bool) -> None:
    person = Person(written, "mkl@firm.example")
    directory = Directory.of([profile("Mara K Lind"), record(people=(person,))])
    assert (directory.who(person) == USER) is is_user


def test_a_couples_name_is_told_only_where_neither_has_one() -> None:
    people = [Person(name, "pope@home.example") for name in ("Kent & Ida Vang", "Kent & Ida Vang", "Kent Vang")]
    assert (
        Directory.of([record(people=(person,)) for person in people]).name("address/pope@home.example") == "Kent Vang"
    )


def test_a_contact_of_the_users_name_with_an_address_of_its_own_is_somebody_else() -> None:
    namesake = Person("Mara Lind", "mara@elsewhere.example")
    directory = Directory.of(
        [profile("Mara Lind"), contact("k", "Mara Lind", namesake.address), record(people=(namesake,))]
    )
    assert directory.who(namesake) == "contact/k"


@table(
    ("name", "address", "is_office"),
    [
        ("PayPal", "service@paypal.example", True),
        ("Notion Team", "team@mail.notion.example", True),
        ("Support", "support+id482913@zendesk.example", True),
        ("Slack", "feedback@slack.example", True),
        ("Nord Bank", "info@nord-bank.example", True),
        ("Ann Lee", "info@lee-bakery.example", False),
        ("Malermeister Kunz", "info@farben-kunz.example", False),
        ("", "service@paypal.example", True),
        ("Events", "events@fairs.example", True),
        ("info", "info@nord-bank.example", True),
        ("Ann Lee", "events@fairs.example", False),
    ],
)
def test_a_mailbox_that_bears_only_its_firms_name_is_no_person(name: str, address: str, is_office: bool) -> None:
    person = Person(name, address)
    people = fold([record(people=(person,), said_at="2026-11-20 09:00 +00:00")], (), "2026-11-27 12:00").people
    assert len(people) == (not is_office)
    known = [record(people=(person,), said_at="2026-11-20 09:00 +00:00"), contact("c", name or "Desk", address)]
    assert len(fold(known, (), "2026-11-27 12:00").people) == 1


def test_a_name_is_told_as_people_write_it_and_not_in_capitals() -> None:
    people = [Person(name, "ana@souza.example") for name in ("ANA SOUZA", "ANA SOUZA", "Ana Souza")]
    directory = Directory.of([record(people=(person,)) for person in people])
    assert directory.name("address/ana@souza.example") == "Ana Souza"


def test_machines_are_nobody_and_an_out_of_office_reply_makes_nobody_one() -> None:
    github = Person("octocat", "notifications@github.example")
    notice = record(people=(github,), machines=(github,))
    away = record(people=(ANN,), machines=(ANN,))
    directory = Directory.of([notice, notice._replace(record_id="other"), away, record(people=(ANN,))])
    assert directory.who(github) is None
    assert directory.who(Person("octocat")) == "name/octocat"
    assert directory.who(ANN) == "address/ann@lee.example"
    assert directory.who(UNKNOWN) is None


def test_the_user_may_say_that_two_are_one() -> None:
    other = Person("A. Lee", "ann@home.example")
    readings = [record(people=(ANN,)), record(people=(other,)), record(people=(other,))]
    merged = Directory.of(readings, [("address/ann@home.example", "address/ann@lee.example")])
    assert merged.who(ANN) == merged.who(other)
    assert merged.known(merged.who(ANN) or "").addresses == ("ann@home.example", "ann@lee.example")


def test_the_order_of_readings_does_not_matter() -> None:
    readings = [
        contact("k", "Ann Lee"),
        contact("l", "Bob Marsh", BOB.address),
        profile("Mara Lind"),
        record(people=(Person("Lee, Ann", ANN.address), Person("Bob"))),
        record(people=(Person("Mara Lind", "mara@lind.example"), ANN)),
    ]
    asked = [ANN, BOB, Person("Bob"), Person("ann lee"), Person("Mara", ""), Person("x", "mara@lind.example")]
    answers = {tuple(map(Directory.of(order).who, asked)) for order in permutations(readings)}
    assert len(answers) == 1
    random.seed(1)
    names = {Directory.of(order).known("contact/k") for order in permutations(readings)}
    assert len(names) == 1


@table(
    ("spelling", "folded"),
    [
        ("M\u00fcller, Robert", "robert muller"),
        ("  Zo\u00eb ", "zoe"),
        ("Ann (via Docs)", "ann"),
        ("", ""),
        ("\u5f20\u4f1f", "\u5f20\u4f1f"),
        ("SHIMADA Koji", "koji shimada"),
        ("AJ Smith", "aj smith"),
        ("ANA SOUZA", "ana souza"),
    ],
)
def test_names_are_compared_in_one_form(spelling: str, folded: str) -> None:
    assert fold_name(spelling) == folded


@table(
    ("name", "address"),
    [
        ("Boardroom", ""),
        ("Conference Room 3", "c_1@resource.calendar.google.com"),
        ("Besprechungsraum Nord", ""),
        ("Sala de reuniones", ""),
        ("Ann Lee", "c_1@resource.calendar.google.com"),
        ("Kestrel Users", "kestrel-users@googlegroups.com"),
        ("", "owner-gardeners@club.example"),
        ("Harbour Committee", "chair@harbour.example"),
        ("Public Relations", "public.relations@firm.example"),
        ("Alder Information", "info@alder-shop.example"),
        ("Acme, Inc.", "ann@acme.example"),
        ("Sales Team", ""),
        ("Meeting Notetaker", ""),
        ("(WIN $5.00 NOW)", "win@prizes.example"),
        ("", "r-8-730829-2742009-2-us2@mail.example"),
        ("GitHub", "notifications@github.example"),
        ("No Address", "no.address@firm.example"),
        ("Undisclosed recipients", ""),
        ("Expense Report", "expense.report@firm.example"),
        ("RX Linux User", "rx@firm.example"),
        ("President", "president@forum.example"),
        ("Project Manager", ""),
        ("Speaker 2", ""),
        # Offices, which others hold before and after.
        ("Vice President of Sales", ""),
        ("Madam Secretary", ""),
        ("Secretary of State", "office@state.example"),
        ("Herr Direktor", ""),
        ("Bürgermeisterin", ""),
        ("Directora", "dir@escuela.example"),
        ("Kierownik", ""),
        ("社長", ""),
        ("总经理", ""),
        ("Root", "admin@host.example"),
        # Desks, groups and bodies by the end of their name.
        ("ISC Registrar", "isc@firm.example"),
        ("Messaging Administration", ""),
        ("Harbour Security", "hs@firm.example"),
        ("Rewards Distribution", ""),
        ("Alder Group", ""),
        ("Northern Coalition", ""),
        ("PayCo Customer Service 2", "pc@payco.example"),
        ("Mail Admin", "ma@host.example"),
        ("Night Temp 6", ""),
        ("Kestrel Days 2026", ""),
        ("山田大学", ""),
        ("고객센터", "help@shop.example"),
        # Sites, and two who share a name.
        ("harbour-law.com", "post@harbour-law.example"),
        ("Parking & Transport", ""),
        ("Ida & Per Vang", "vang@home.example"),
        ("Ida Holm and Per Vang", ""),
        # Machines, and what sends with a new address each time.
        ("Coast Air", "eticket@coast.example"),
        ("Gourmet", "reader@news.gourmet.example.com"),
        ("Card Rewards", "407982.125607718.1@1.cards.example"),
        # Mailboxes without a name.
        ("", "community-relations@firm.example"),
        ("perfmgmt", "perfmgmt@firm.example"),
        ("", "9069876@pager.example"),
        ("class1", "class1@school.example"),
        ("", "admissions@school.example"),
        ("Approval Dept", "approved@loans.example"),
        ("Work Review Process", "wrp@firm.example"),
        ("DL-RAC Underwriting", "dl@firm.example"),
        ("Alder Fares", "alder@ca.alder.example"),
        ("Alder Fare Tracker", "faretracker_0314@alder.customer-mail.example"),
        ("DL-Harbour North", ""),
        ("Team Tide-Sta4", ""),
        ("Members of the Harbour Society", "ida@alder.example"),
        ("Your Table", ""),
        ("Gas Control", "gascontrol@firm.example"),
        ("Alder.com Orders", "orders@alder.example"),
        ("", "tidehelp@tide.example"),
        ("", "pay-messages@tide.example"),
        ("", "tideheadlines@tide.example"),
        ("", "newsdesk@tide.example"),
        ("", "assessmentservices@school.example"),
        ("", "tidetabledaily@tide.example"),
        ("", "customerfirst@shop.example"),
        ("", "no.address@firm.example"),
        ("", "om_2568758533@cards.example"),
        ("", "sap_security@firm.example"),
        ("", "travel_mail@gate.example"),
        ("", "confirmit@firm.example"),
        ("", "critical.notice@firm.example"),
        ("", "prices@firm.example"),
        ("Alder Deals", "opt-in@alder.example"),
        ("open list", "alder@home.example"),
        ("kernel test robot", "ktr@alder.example"),
        ("patch-bot+tide", ""),
        ("Holm Brewing", "holmbrewing@alder.example"),
        ("Alder Energy", "alder1@home.example"),
        ("Alder Security and Controls", "controls@alder.example"),
        # Several people.
        ("Ann and Bob Lee", ""),
        ("Ute und Per Vang", ""),
        ("Holm Family", "holms@home.example"),
        # In place of an address.
        ("Ida Holm", "no.address@firm.example"),
        ("Ida Holm", "undisclosed-recipients@firm.example"),
        ("Ida Holm", "unknown.sender@firm.example"),
        ("Invoice Desk", "ivd@firm.example"),
        ("Ticket Office", "to@firm.example"),
        ("HRBR, MarketDvp", "hrbr@firm.example"),
        ("tide[bot]", ""),
        # Clubs, programmes and advertisements.
        ("My Travel Points", "mtp@alder.example"),
        ("Shopper's Bonus", "sb@alder.example"),
        ("Diner's World", "world@alder.example"),
        ("Ohio Falcons", "tickets@ohiofalcons.example"),
        ("Ohio Falcons", "nest@mail.ohio-falcons.example"),
        ("Alder Fare", "alder@mail1.ccsend.com"),
        ("Conf. Room Alder", "calder@firm.example"),
        ("Alder folks", "alderfolks@firm.example"),
        ("Project Alder Reports Factory", "factory.project@firm.example"),
        ("Harbour Shift", "harbour.shift@firm.example"),
        ("A Friend", "alder@firm.example"),
        ("", "tide_order@firm.example"),
        ("CustomerNotices, TIDEHOU", "tidehou.customernotices@firm.example"),
        ("alder on tide-ci", "alder@firm.example"),
        ("alder system", "alder@firm.example"),
        ("Good morning from Alder", "ida@firm.example"),
        ("Alder Messenger", "alder@firm.example"),
        ("Alder Requests", "listadmin@firm.example"),
        ("Alder Fare", "fare@e.alder.example"),
        # Parents of a class, clubs, choirs and teams.
        ("Parents 4b", "parents-4b@groups.example"),
        ("Eltern 3a", "eltern3a@alder.example"),
        ("Genitori 2B", "g2b@alder.example"),
        ("Padres 3B", "p3b@alder.example"),
        ("Pais do 5A", "p5a@alder.example"),
        ("Parents d'\u00e9l\u00e8ves 6B", "p6b@alder.example"),
        ("Ouders groep 5", "o5@alder.example"),
        ("Alder Moms", "moms@alder.example"),
        ("Tigers U12", "tigers@alder.example"),
        ("FC Alder", "fc@alder.example"),
        ("Ruderverein Hafen", "post@alder.example"),
        ("Kirchenchor", "chor@alder.example"),
        ("Chorale du Port", "chorale@alder.example"),
        ("Club de Remo", "remo@alder.example"),
        ("Coro Santa Lucia", "coro@alder.example"),
        ("Tennisclub Oost", "tc@alder.example"),
        ("Nachbarn Hafenstra\u00dfe", "nachbarn@alder.example"),
    ],
)
def test_rooms_lists_firms_machines_and_parts_are_no_people(name: str, address: str) -> None:
    assert not persons.is_person(name, address)


@table(
    ("name", "address"),
    [
        ("Ann Lee, Acme Inc.", "ann@acme.example"),
        ("Ann Lee (Acme Inc)", "ann@acme.example"),
        ("Ann Lee | Sales Team", "ann@acme.example"),
        ("Lt. Per Vang Campus Department", "per@vang.example"),
        ("Ann", "ann@ann.example"),
        ("X", "x@home.example"),
        ("", "an169306@home.example"),
        ("\u738b\u5c0f\u660e", "wang@home.example"),
        ("Anna Room", ""),
        ("Dean", "dean@home.example"),
        ("Major Vang", ""),
        ("Direktor Holm", ""),
        ("Pamela Daily", ""),
        ("Nguyen Manh The", ""),
        ("DG Holm", ""),
        ("Adam Sales", "asales@home.example"),
        ("Jonas Støre", ""),
        ("東京大学 山田太郎", ""),
        ("Ida Holm (Alder Group)", ""),
        ("Ida Holm - Alder Group", "ida@alder.example"),
        ("Holm, Ida (Support)", "ida@alder.example"),
        ("", "holm.staffan@alder.example"),
        ("", "abishop@alder.example"),
        ("ida@alder.com", ""),
        ("ida.holm@mail.alder.com", "ida.holm@mail.alder.com"),
        ("", "s2023998871@school.edu"),
        ("", "s2023998871@stu.school.ac.uk"),
        ("", "newsome@alder.example"),
        ("", "jandrews@alder.example"),
        ("Xu", "2023998871@qq.example"),
        ("Ida Holm", "support@alder.example"),
        ("", "ida@news.school.edu"),
        ("Ida Holm", "ida@idaholm.example"),
        ("Ida Holm", "mail@idaholm.example"),
        # At a firm of another name, a desk's address may be a person's.
        ("Ida Holm", "tickets@alder.example"),
        ("Ida Holm", "code@ida-holm.example"),
        ("Ida Holm", "holm@master.idaholm.example"),
        ("Ida Holm", "ida@mail.idaholm.example"),
        ("Ida Holm", "ida@e.school.edu"),
        ("Ida Holm", "ida@sendgrid.com"),
        ("KestrelSpb", "kestrel@alder.example"),
        ("Tom O'Neil", "tom@alder.example"),
        ("Holm, AnnMarie", "amh@alder.example"),
        ("Iain McGrth", "im@alder.example"),
        ("Ida Holm", "1234567890+holm-ida@users.noreply.github.com"),
        ("", "+46701234567"),
        ("Elena Pais", "ep@alder.example"),
        ("Ana Padres", "ap@alder.example"),
        ("Coro Vidal", "cv@alder.example"),
        ("Melchor Ruiz", "mr@alder.example"),
    ],
)
def test_a_person_may_name_their_firm_or_have_a_name_like_one(name: str, address: str) -> None:
    assert persons.is_person(name, address)


@table(
    ("written", "name"),
    [
        ("Roth, Mia </O=ACME/OU=NA/CN=MROTH>", "Mia Roth"),
        ("Mia Roth/HOU/ACME@ACME", "Mia Roth"),
        ("Mia Roth/NA/ACME", "Mia Roth"),
        ("Mia Roth (E-mail)", "Mia Roth"),
        ("Roth, Mia (E-mail 2)", "Mia Roth"),
        ("Mia Roth (Home)", "Mia Roth"),
        ("Mia Roth \\(E-mail\\)", "Mia Roth"),
        ("Mia Roth @ACME", "Mia Roth"),
        ("Roth, Mia E [PVTC]@ACME", "Mia E Roth"),
        ('Mia Roth" @ACME', "Mia Roth"),
        ("Mia Roth @ ACME", "Mia Roth"),
        ("Roth, Mia@HR", "Mia Roth"),
        ("Roth, Mia (NIH/NCI) [E]", "Mia Roth"),
        ('Mia Roth <"MIA ROTH', "Mia Roth"),
        ("=?utf-8?Q?Zo=C3=AB?= Roth", "Zo\u00eb Roth"),
        ("Zo=?iso-8859-1?Q?=EB Roth?=", "Zo\u00eb Roth"),
        ("=?nothing?Q?x?= Roth", "=?nothing?Q?x?= Roth"),
        ("Roth, Mia - SALES", "Mia Roth"),
        ("Mia Roth | Acme", "Mia Roth"),
        ("Finance - Mia Roth Jr.", "Mia Roth Jr."),
        ("Customer Service: Mia Roth", "Mia Roth"),
        ("Roth Finance - Mia Kral", "Roth Finance"),
        ("'Mia Roth'", "Mia Roth"),
        ("Mia.Roth", "Mia Roth"),
        ("mia.k.roth", "Mia K Roth"),
        ("Mia_Roth---", "Mia Roth"),
        ("Roth.com", "Roth.com"),
        ("roth_tide", "roth_tide"),
        ("Mia Roth, TX", "Mia Roth, TX"),
        ("MIA ROTH, TIDE/ NORTH COAST", "MIA ROTH, TIDE/ NORTH COAST"),
        ("ROTH KRAL, MIA", "MIA ROTH KRAL"),
        ("Roth Kral, Mia", "Mia Roth Kral"),
        ("Mia Roth (PS, NE)", "Mia Roth"),
        ("mia99 at acme.example", "mia@acme.example"),
        ("@ACME", "mia@acme.example"),
        ("(Mia Roth)", "Mia Roth"),
        ("- *Roth, Mia", "Mia Roth"),
        ("~Mia Roth/", "Mia Roth"),
        ("Mia Roth **AOL", "Mia Roth"),
        ("Mia Roth (ACE) Home Email", "Mia Roth"),
        ('William "Bill" Roth', 'William "Bill" Roth'),
        ("Mia Roth/Per Vang", "Mia Roth/Per Vang"),
    ],
)
def test_a_name_is_told_without_what_programs_add_to_it(written: str, name: str) -> None:
    person = names.person(written, "mia@acme.example")
    directory = Directory.of([record(people=(person,))])
    assert (directory.name("address/mia@acme.example") or person.address) == name


@table(
    "name", ["Silva, Mara", "Dr. Mara Silva", "Mara Silva, PhD", "Mara Silva (Acme)", "MARA SILVA", "Mara Silva | Acme"]
)
def test_spellings_of_one_name_have_one_page(name: str) -> None:
    (mention,) = fields.person(name, "mara@acme.example")
    assert entities.path("person", mention.key) == entities.path("person", "mara silva")


def test_a_full_name_that_several_have_is_no_further_person() -> None:
    both = [Person("Maria Silva", f"maria@{firm}.example") for firm in ("bank", "bakery")]
    readings = [
        record(people=(person,), said_at="2026-11-20 09:00 +00:00") for person in (*both, Person("Maria Silva"))
    ]
    (seen,) = fold(readings, (), "2026-11-27 12:00").people
    assert {each.id for each in seen.each} == {"address/maria@bank.example", "address/maria@bakery.example"}
    assert seen.records == len(both)


@table(
    ("name", "address", "wrote", "answered", "listed"),
    [
        ("", "tidewire@tide.example", True, False, False),
        ("iTide", "itide@tide.example", True, False, False),
        ("PayPal", "ann@paypal.example", True, False, False),
        # It may be mistyped.
        ("", "jlee@tide.example", False, True, False),
        ("", "ida.holm@tide.example", False, True, False),
        ("", "jlee@tide.example", True, True, False),
        ("Ida", "ida@tide.example", True, True, False),
        ("Ida", "ida@tide.example", False, True, False),
        ("", "ida.holm@tide.example", True, False, True),
        ("", "ida_m_holm@tide.example", True, False, True),
        ("", "ida.vang-holm@tide.example", True, False, True),
        ("Ida", "ida.holm@tide.example", True, False, True),
        ("tidal", "ida.holm@tide.example", True, False, False),
        ("", "harbour.realty@tide.example", True, True, False),
        ("Ann", "al@tide.example", True, False, False),
        ("moonwalk", "moon.walk@gmail.com", True, True, False),
        ("", "ida_holm@gmail.com", True, False, True),
        ("", "tide.relations@tide.example", True, True, False),
        ("\u738b\u5c0f\u660e", "xm@qq.com", True, False, True),
        ("\u9ad8\u6a4b\u5065\u4e00", "kt@gmail.com", True, False, True),
        ("\u5c0f\u5c0f\u77f3", "xm@qq.com", True, False, False),
        ("\u5c0f\u5c0f\u77f3", "xm@tide.example", True, False, True),
        ("Ida Holm", "iholm@tide.example", False, True, True),
        # From an address without the name, to somebody who never wrote there.
        ("Spice Nights", "party@tide.example", True, False, False),
        ("Spice Nights", "party@tide.example", True, True, True),
        ("Ida Holm", "ih7@tide.example", True, False, True),
        ("Ida Holm", "fox12@gmail.com", True, False, True),
        ("Ida Holm", "mail@idaholm.example", True, False, True),
        ("", "+46701234567", True, False, True),
    ],
)
def test_who_has_no_full_name_in_mail_is_a_person_if_the_address_spells_one(
    name: str, address: str, wrote: bool, answered: bool, listed: bool
) -> None:
    person, day = Person(name, address), "2026-11-20 09:00 +00:00"
    readings = [record(people=(ANN,), said_at=day, record_id="ann")]
    if wrote:
        readings.append(record(people=(person,), said_at=day, record_id="in"))
    if answered:
        readings.append(record(source="outbound_messages", people=(person,), said_at=day, record_id="out"))
    people = fold(readings, (), "2026-11-27 12:00").people
    assert (f"address/{address}" in {seen.id for seen in people}) is listed


HOLM, WANG = Person("Ida Holm", "iholm@tide.example"), Person("Ida Wang", "iw@gmail.com")
#: Others, who make Kim and Wang common and Holm rare.
CROWD = tuple(
    Person(f"{given} {family}", f"{given}{family}@x.example".lower())
    for given in ("Kim", "Per", "Ute", "Olaf")
    for family in ("Wang", "Vang", "Roth", "Klar")
)


@table(
    ("person", "other", "once"),
    [
        (HOLM, Person("Ida Holm", "ida@reef.example"), True),
        (HOLM, Person("Ida Kari Holm", "ida@reef.example"), True),
        (HOLM, Person("Holm Ida", "ida@reef.example"), True),
        (Person("Matthew Holm", "mh@tide.example"), Person("Matt Holm", "matt@reef.example"), True),
        (Person("Randall Holm", "rh@tide.example"), Person("Randy Holm", "randy@reef.example"), True),
        (Person("Mark Holm", "mh@tide.example"), Person("Mary Holm", "mary@reef.example"), False),
        (Person("Stephen Holm", "sh@tide.example"), Person("Steve Holm", "sh2@tide.example"), True),
        (Person("Robert Holm", "rh@tide.example"), Person("Bob Holm", "bob@reef.example"), True),
        (Person("Daniel Holm", "dh@tide.example"), Person("Daniela Holm", "dh@reef.example"), False),
        (Person("Ida K. Holm", "ikh@tide.example"), Person("Ida M. Holm", "imh@reef.example"), False),
        (Person("Ida Kari Holm", "ikh@tide.example"), Person("Ida Mia Holm", "imh@reef.example"), False),
        (HOLM, Person("Olaf Holm", "olaf@reef.example"), False),
        (HOLM, WANG, False),
        (HOLM, Person("", "ida.x.holm@reef.example"), True),
        # There are too many of each.
        (Person("Kim Wang", "kw@tide.example"), Person("Kim Wang", "kim@reef.example"), False),
    ],
)
def test_people_who_may_be_one_are_told_once(person: Person, other: Person, once: bool) -> None:
    days = "2026-11-20 09:00 +00:00", "2026-11-21 09:00 +00:00"
    readings = [record(people=(who,), said_at=day) for who, day in zip((person, other), days, strict=True)]
    readings += [record(people=(who,), said_at=days[0]) for who in CROWD]
    people = fold(readings, (), "2026-11-27 12:00").people
    addresses = {f"address/{who.address}" for who in (person, other)}
    entries = [seen for seen in people if addresses & {*seen.ids}]
    assert [{*seen.ids} for seen in entries] == (
        [addresses] if once else [{who} for who in (seen.id for seen in entries)]
    )
    assert max(seen.last_day for seen in entries) == "2026-11-21"
    assert sum(seen.records for seen in entries) == len(days)


def test_who_may_be_the_user_is_nobody_else() -> None:
    home = Person("Randy Holm", "randy@reef.example")
    readings = [profile("Randall Holm"), record(people=(home,)), *(record(people=(who,)) for who in CROWD)]
    assert home.name not in {seen.written for seen in fold(readings, (), "2026-11-27 12:00").people}
    readings.append(contact("randy", home.name, home.address))
    assert home.name in {seen.written for seen in fold(readings, (), "2026-11-27 12:00").people}
    spelled = [profile("Jürgen Groß"), record(people=(Person("Juergen Gross", "groß@reef.example"),))]
    assert fold(spelled, (), "2026-11-27 12:00").people == ()


def test_two_contacts_of_one_name_are_told_twice() -> None:
    pair = [Person("Ida Holm", f"ida@{firm}.example") for firm in ("bank", "bakery")]
    readings = [contact(who.address, who.name, who.address) for who in pair] + [record(people=(who,)) for who in pair]
    assert len(fold(readings, (), "2026-11-27 12:00").people) == len(pair)


def test_a_couple_and_its_handle_are_nobody() -> None:
    box = "vang@home.example"
    readings = [record(people=(Person(name, box),), record_id=name) for name in ("Kim & Per Vang", "vang")]
    assert Directory.of(readings).is_nobody(f"address/{box}")


HOME = "holm@home.example"


@table(
    ("first", "second", "address", "same"),
    [
        ("Ida Holm", "Olaf Holm", HOME, False),
        ("Ute Klar", "Per Vang", "info@desk.example", False),
        ("Bob Kern", "Robert Kern", HOME, True),
        ("Ida Holm", "Ida Vang", HOME, True),
        ("Ida Holm", "Holm, Ida", HOME, True),
        ("I. Holm", "Ida Holm", HOME, True),
        ("Dr. Ida Holm", "Ida Holm", HOME, True),
        ("Jeffrey Holm", "Ieffrey Holm", HOME, True),
        ("\u0418\u0432\u0430\u043d \u041f\u0435\u0442\u0440\u043e\u0432", "Ivan Petrov", HOME, True),
        ("Ann and Bob Holm", "Bob Holm", HOME, True),
    ],
)
def test_two_of_one_mailbox_are_two_where_no_name_is_the_others(
    first: str, second: str, address: str, same: bool
) -> None:
    people = [Person(first, address), Person(second, address)]
    directory = Directory.of([record(people=(person,)) for person in people])
    assert (directory.who(people[0]) == directory.who(people[1])) is same
    contacts = [contact("a", first, address), contact("b", second, address)]
    listed = Directory.of(contacts)
    assert (listed.who(people[0]) == listed.who(people[1])) is same


STRANGERS = ("Ida Holm", "Per Vang", "Ute Klar", "Bob Kern", "Zoe Adler", "Carl Moor")


@table(
    ("names", "address", "nobody"),
    [
        (STRANGERS, "post44@firm.example", True),
        (STRANGERS, "announcements@firm.example", True),
        (STRANGERS, "no.address@firm.example", True),
        (STRANGERS[:3], "post44@firm.example", False),
        # A desk has people, and a mailbox whoever it is named after, or mostly goes by.
        (STRANGERS, "info@firm.example", False),
        (STRANGERS, "vang@firm.example", False),
        ((*STRANGERS, *["Ida Holm"] * 6), "post44@firm.example", False),
        # One person under many names.
        (("Ida Holm", "Ida Vang", "Ida Klar", "Ida Kern", "Ida Moor", "Ida Berg"), "post44@firm.example", False),
    ],
)
def test_an_address_in_place_of_anybodys_is_nobody(names: tuple[str, ...], address: str, nobody: bool) -> None:
    readings = [record(people=(ANN, Person(name, address)), said_at="2026-11-20 09:00 +00:00") for name in names]
    readings.append(record(source="outbound_messages", people=(Person(names[0], address),)))
    people = fold(readings, (), "2026-11-27 12:00").people
    assert ({person.id for person in people} == {"address/ann@lee.example"}) is nobody


def test_a_contact_is_somebody_however_many_names_its_address_has() -> None:
    readings = [record(people=(Person(name, "post44@firm.example"),)) for name in STRANGERS]
    listed = contact("k", "Mia Roth", "post44@firm.example")
    assert Directory.of([*readings, listed]).who(Person("", "post44@firm.example")) == "contact/k"


def test_an_assistant_who_writes_from_anothers_mailbox_stays_themself() -> None:
    boss, lent = Person("Per Vang", "per.vang@firm.example"), Person("Ute Klar", "per.vang@firm.example")
    own = Person("Ute Klar", "ute@firm.example")
    directory = Directory.of([record(people=(person,)) for person in (boss, lent, own)])
    assert directory.who(boss) != directory.who(lent) == directory.who(own)


@table(
    ("name", "address", "person"),
    [
        ("Ute Klar on behalf of Per Vang", "per.vang@firm.example", Person("Ute Klar")),
        ("Ute Klar im Auftrag von Per Vang", "u.klar@firm.example", Person("Ute Klar", "u.klar@firm.example")),
        ("Ute Klar via Sign Desk", "team@signdesk.example", Person("Ute Klar")),
        ("Ute Klar via Sign Desk", "noreply@desk.example", Person("Ute Klar via Sign Desk", "noreply@desk.example")),
        ("ute@old.example +1-510-555-0199", "ute@klar.example", Person("", "ute@klar.example")),
        ("Klar, Ute </O=ACME/OU=NA/CN=RECIPIENTS/CN=UKLAR>", "", Person("Klar, Ute")),
    ],
)
def test_who_writes_for_somebody_or_through_a_service_is_named(name: str, address: str, person: Person) -> None:
    assert names.person(name, address) == person


def test_whoever_only_got_the_same_message_was_not_in_touch() -> None:
    mail = record(people=(ANN, BOB), said_at="2026-11-20 09:00 +00:00")
    draft = record(people=(BOB,), source="agentic_drafts", said_at="2026-11-21 09:00 +00:00")
    later = record(people=(BOB,), source="meeting_notes", said_at="2026-12-21 09:00 +00:00")
    seen = fold([mail, draft, later], (), "2026-11-27 12:00").people
    assert {person.id: person.last_day for person in seen} == {
        "address/ann@lee.example": "2026-11-20",
        f"address/{BOB.address}": "",
    }


@table(("name", "folded"), [("Dr. \u0141ukasz \u017bak", "lukasz zak"), ("Tom O\u2019Neil", "tom o'neil")])
def test_titles_and_accents_make_no_other_name(name: str, folded: str) -> None:
    assert fold_name(name) == folded


def test_a_title_is_nobodys_given_name() -> None:
    directory = Directory.of([record(people=(Person("Frau Berg", "berg@home.example"),))])
    assert directory.who(Person("Frau")) == "name/frau"


@table(
    ("header", "address"),
    [
        ("Tom O'Neil <tom.o'neil@alder.example>", "tom.o'neil@alder.example"),
        ("'ann@lee.example'", "ann@lee.example"),
        ("Lee' <ann@lee.example>", "ann@lee.example"),
    ],
)
def test_an_address_may_have_an_apostrophe(header: str, address: str) -> None:
    assert names.named(header).address == address
