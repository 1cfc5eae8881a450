"""Which mail is meant for the user: a story of Max, who writes to Olive, and of others who write to him."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import manifests
import renderers
from consumer.understanding import acquaintances, life, reader
from consumer.understanding.memory import Memory
from consumer.understanding.reading import salutations
from contract.manifest import SourceEntry
from renderers.base import Item

ZONE = "Europe/London"
MAX = {"name": "Max Quill", "email": "max@quill.example"}
OLIVE = {"name": "Olive Tarn", "email": "olive@tarn.example"}
FIRM = {"name": "Tarn Seeds", "email": "seeds@tarn-seeds.example"}
IDA = {"name": "Ida Brook", "email": "ida@brook.example"}
TOM = {"name": "Tom Reed", "email": "tom@reed.example"}
ASKS = "Please send me the signed lease."


@cache
def _sources() -> dict[str, SourceEntry]:
    return {entry.source_key: entry for entry in manifests.export_manifest().sources}


def _item(source: str, ident: str, **data: object) -> Item:
    at = f"2026-11-{int(ident[-2:]):02}T10:00:00.000000Z"
    exported = {"record_id": ident, "occurred_at": at, "updated_at": at, "data": data, "checksum": "sha256:0"}
    return renderers.item({"source_key": source, **exported}, _sources()[source], ZONE)


def _memory(
    text: str,
    sender: dict[str, str] = FIRM,
    *,
    to: object = (MAX,),
    sent: int = 20,
    thread: str = "",
    subject: str = "",
    signed: str = "",
    called: str = "It is.",
    user: str = "Max Quill",
) -> Memory:
    """Max has written ``sent`` mails to Olive, the first in the conversation "lease", and got one; now he gets this."""
    items = [_item("user_profiles", "p01", display_name=user, timezone=ZONE)]
    items += [
        _item(
            "outbound_messages",
            f"o{number:02}",
            channel="email",
            thread_id="lease" if number == 1 else f"t{number}",
            recipient_name=OLIVE["name"],
            recipient_address=OLIVE["email"],
            body_text=f"Lovely weather today.\n\n{signed}",
            status="sent",
        )
        for number in range(1, sent + 1)
    ]
    wrote = {"sender_name": OLIVE["name"], "sender_address": OLIVE["email"], "normalized_text": called}
    items.append(_item("inbound_messages", "i23", channel="email", parse_result={"to": [MAX]}, **wrote))
    parsed = {"to": list(to), "subject": subject} if isinstance(to, tuple) else {}
    received = {"sender_name": sender["name"], "sender_address": sender["email"], "normalized_text": text}
    items.append(_item("inbound_messages", "i24", channel="email", thread_id=thread, parse_result=parsed, **received))
    return life.fold([reader.read(item, ZONE, "GB") for item in items], (), "2026-11-24 18:00 +00:00")


def _asks(*args: object, **kwargs: object) -> bool:
    return any(loop.direction == "asked_of_you" for loop in _memory(*args, **kwargs).loops)  # type: ignore[arg-type]


LETTER = "\n".join(
    f"The {day} market opens at nine." for day in ("first", "second", "third", "fourth", "fifth", "sixth")
)

OFFERS = "I would like to introduce our company. We offer repairs, and our services are cost-effective."


@pytest.mark.parametrize(
    ("text", "sender", "more", "expected"),
    [
        pytest.param(f"{LETTER}\n{ASKS}", FIRM, {}, False, id="a letter of somebody unknown"),
        pytest.param(f"{LETTER}\n{ASKS}", OLIVE, {}, True, id="of somebody to whom the user writes"),
        pytest.param(f"{LETTER}\n{ASKS}", FIRM, {"thread": "lease"}, True, id="in a conversation of the user's"),
        pytest.param(f"Dear Max,\n{LETTER}\n{ASKS}", IDA, {}, True, id="that greets the user"),
        pytest.param(f"Dear Mr Quill,\n{LETTER}\n{ASKS}", IDA, {}, True, id="that greets the user by family name"),
        pytest.param(f"Max, {ASKS}\n{LETTER}", IDA, {}, True, id="that calls the user"),
        pytest.param(f"Dear Tom,\n{LETTER}\n{ASKS}", IDA, {}, False, id="that greets somebody else"),
        pytest.param(f"Dear Tom,\n{ASKS}", OLIVE, {}, False, id="of somebody known that greets somebody else"),
        pytest.param(f"Tom/Ida, here it is.\n{ASKS}", OLIVE, {}, False, id="that calls two others"),
        pytest.param(f"Tom and Max,\n{ASKS}", OLIVE, {}, True, id="that greets the user and somebody else"),
        pytest.param(f"Hi Dad,\n{ASKS}", OLIVE, {}, True, id="that greets the user as a relative"),
        pytest.param(f"Tom:\n{ASKS}", OLIVE, {}, False, id="that calls somebody else on a line of its own"),
        pytest.param(f"Questions:\n{ASKS}", OLIVE, {}, True, id="that begins with a heading"),
        pytest.param(f"Good Job! {ASKS}", OLIVE, {}, True, id="that begins with praise"),
        pytest.param(f"Houston, we have it.\n{ASKS}", OLIVE, {}, True, id="that may begin with no name"),
        pytest.param(f"Hi 小明,\n{ASKS}", OLIVE, {}, True, id="that greets by a name in another script"),
        pytest.param(f"Hi Rex,\n{ASKS}", OLIVE, {"signed": "Rex"}, True, id="that greets as the user signs"),
        pytest.param(f"Hi Rex,\n{ASKS}", IDA, {"called": "Hi Rex,\nit is."}, True, id="that greets as others do"),
        pytest.param(f"Hi Rex,\n{ASKS}", OLIVE, {"called": "Hi Rex,\nit is."}, False, id="as only one person does"),
        pytest.param(ASKS, IDA, {}, True, id="a brief one to the user alone"),
        pytest.param(ASKS, IDA, {"to": (MAX, OLIVE)}, False, id="a brief one to several"),
        pytest.param(ASKS, IDA, {"to": None}, True, id="a brief one whose recipients are not known"),
        pytest.param(f"{ASKS} See https://tarn-seeds.example/x.", FIRM, {}, False, id="a brief one with a link"),
        pytest.param(f"{LETTER}\n{ASKS}", FIRM, {"sent": 19}, True, id="if the user hardly writes mail here"),
        pytest.param(f"Dear Max,\n{OFFERS} {ASKS}", IDA, {}, False, id="a stranger who offers services"),
        pytest.param(f"Dear Max,\n{OFFERS} {ASKS}", OLIVE, {}, True, id="somebody known who offers services"),
        pytest.param(ASKS, IDA, {"to": (IDA,)}, False, id="a stranger, to themself and others unseen"),
        pytest.param("Any ideas or volunteers?", OLIVE, {"to": (OLIVE,)}, False, id="somebody known, to themself"),
        pytest.param(ASKS, OLIVE, {"to": (OLIVE,)}, True, id="and asks to be sent something"),
    ],
)
def test_mail_asks_the_user_if_they_know_its_sender_or_it_is_for_them_alone(
    text: str, sender: dict[str, str], more: dict[str, object], expected: bool
) -> None:
    assert _asks(text, sender, **more) is expected


@pytest.mark.parametrize(
    ("greeting", "expected"),
    [
        ("Dear Neighbour,", True),
        ("Hola Guapa,", True),
        ("Liebe Schwester,", True),
        ("Chère voisine,", True),
        ("Hi M,", True),
        ("Hi T,", False),
        ("Hi Tom,", False),
    ],
)
def test_a_user_without_mails_of_their_own_is_greeted_as_kin_or_by_an_initial(greeting: str, expected: bool) -> None:
    assert _asks(f"{greeting}\n{ASKS}", IDA, sent=0) is expected


TRAINING = {"name": "", "email": "training@brook.example"}
CREW = {"name": "", "email": "crew@tarn.example"}


@pytest.mark.parametrize(
    ("text", "sender", "to", "expected"),
    [
        pytest.param(ASKS, IDA, (TRAINING,), False, id="strangers, to an address of their own house"),
        pytest.param(f"Max, {ASKS}", IDA, (TRAINING,), True, id="strangers who call the user"),
        pytest.param(ASKS, IDA, (MAX,), True, id="strangers, to the user"),
        pytest.param(
            ASKS, {"name": "Bo Tarn", "email": "bo@tarn.example"}, (CREW,), True, id="of a house of the user's"
        ),
    ],
)
def test_a_circular_that_the_user_gets_unseen_asks_nothing(
    text: str, sender: dict[str, str], to: tuple[dict[str, str], ...], expected: bool
) -> None:
    assert _asks(text, sender, to=to, sent=3) is expected


@pytest.mark.parametrize(
    ("text", "to", "expected"),
    [
        pytest.param(ASKS, (OLIVE,), False, id="to somebody else whom the user knows"),
        pytest.param(ASKS, (OLIVE, MAX), True, id="to the user as well"),
        pytest.param(ASKS, (TOM,), False, id="to somebody with a full name"),
        pytest.param(ASKS, ({"name": "Max Q.", "email": "m.q@post.example"},), True, id="to a short form of the user"),
        pytest.param(ASKS, ({"name": "Seed Desk", "email": "desk@quill.example"},), True, id="to a desk"),
        pytest.param(f"Max, {ASKS}", (OLIVE,), True, id="that calls the user"),
        pytest.param(
            ASKS, ({"name": "", "email": "m.q@post.example"},), True, id="to an address that may be the user's"
        ),
    ],
)
def test_a_copy_of_what_somebody_else_is_asked_asks_the_user_nothing(text: str, to: object, expected: bool) -> None:
    assert (_memory(text, IDA, to=to, thread="lease").loops != ()) is expected


def test_a_strangers_copy_asks_nothing_even_if_the_user_hardly_writes_mail_here() -> None:
    assert not _asks(ASKS, IDA, to=(TOM,), sent=3)
    assert _asks(ASKS, OLIVE, to=({"name": "Max Q.", "email": "m.q@post.example"},), sent=3)


@pytest.mark.parametrize(
    ("user", "box", "expected"),
    [
        ("Jörg Müller", "mueller", True),
        ("Jörg Müller", "joerg", True),
        ("Li Xu", "xuli", True),
        ("Li Xu", "dxu", True),
        ("William Hart", "bill77", True),
        ("Mara Lindqvist", "lindq", True),
        ("Mara Lindqvist", "bestellung", True),
        ("Mara Lindqvist", "olive", False),
        ("Li Xu", "felix.tarn", False),
    ],
)
def test_an_address_that_may_spell_the_user_is_no_copy(user: str, box: str, expected: bool) -> None:
    to = ({"name": "", "email": f"{box}@post.example"},)
    assert (_memory(ASKS, IDA, to=to, thread="lease", user=user).loops != ()) is expected


@pytest.mark.parametrize(
    ("text", "sender", "more", "listed"),
    [
        pytest.param(f"{LETTER}\n{ASKS}", IDA, {}, False, id="a letter of somebody unknown"),
        pytest.param(f"{LETTER}\n{ASKS}", {**IDA, "email": "ida@quill.example"}, {}, True, id="of the user's own firm"),
        pytest.param(f"Dear Max,\n{LETTER}\n{ASKS}", IDA, {}, True, id="that greets the user"),
        pytest.param(f"{LETTER}\n{ASKS}", IDA, {"thread": "lease"}, True, id="in a conversation of the user's"),
        pytest.param(f"{LETTER}\n{ASKS}", IDA, {"sent": 19}, True, id="if the user hardly writes mail here"),
    ],
)
def test_a_stranger_whose_mail_is_meant_for_others_is_no_person_of_the_users(
    text: str, sender: dict[str, str], more: dict[str, Any], listed: bool
) -> None:
    memory = _memory(text, sender, **more)
    assert (IDA["name"] in {memory.directory.known(seen.id).name for seen in memory.people}) is listed


OTHERS = tuple({"name": f"{name} Reed", "email": f"{name.casefold()}@reed.example"} for name in ("Ada", "Ben", "Cora"))


@pytest.mark.parametrize(
    ("subject", "to", "owed"),
    [
        ("Re: lease", (MAX, TOM, *OTHERS), True),
        ("Re: lease", (TOM, MAX, *OTHERS), False),
        ("lease", (TOM, MAX, *OTHERS), True),
        ("Re: lease", (TOM, MAX), True),
    ],
)
def test_an_answer_to_many_promises_to_whom_it_answers(subject: str, to: object, owed: bool) -> None:
    memory = _memory("I'll bring the signed lease on Friday.", IDA, to=to, thread="lease", subject=subject)
    assert [loop.direction == "owed_to_you" for loop in memory.loops] == [owed]


def test_a_mail_is_brief_up_to_six_sentences() -> None:
    sentences = ["The gate is open."] * (acquaintances.BRIEF - 1)
    assert _asks(" ".join([ASKS, *sentences]), IDA)
    assert not _asks(" ".join([ASKS, *sentences, sentences[0]]), IDA)


def test_promises_and_decisions_of_somebody_unknown_are_not_told() -> None:
    text = f"{LETTER}\nI'll send you the price list by Friday.\nWe decided to close the old shop."
    known, unknown = _memory(text, OLIVE), _memory(text, FIRM)
    assert [loop.object for loop in known.loops] == ["price list"]
    assert [decision.what for decision in known.decisions] != []
    assert (unknown.loops, unknown.decisions) == ((), ())


def test_a_change_is_told_whoever_announces_it() -> None:
    text = f"{LETTER}\nThe autumn fair on Saturday has been moved to Sunday, 29 November."
    assert [change.after for change in _memory(text, FIRM).changes] == ["2026-11-29"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Hi Max,", ("Max",)),
        ("Max, could you help?", ("Max",)),
        ("Liebe Ida,", ("Ida",)),
        ("Dear Mr Quill:", ("Quill",)),
        ("Dear all,", ()),
        ("Hi Dad,", ()),
        ("Hi Max and Ida,", ("Max", "Ida")),
        ("Max/Ida, here it is.", ("Max", "Ida")),
        ("The gate is open.", ()),
    ],
)
def test_the_names_that_a_mail_begins_with(text: str, names: tuple[str, ...]) -> None:
    assert salutations.names_begun_with(text) == names
