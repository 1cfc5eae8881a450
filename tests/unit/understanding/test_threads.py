"""Chats as they are written: what is open some hours later, and who is meant in a group.

Olive and Sam write to the user, Max, a minute apart from ten in the morning of a Tuesday; ``open_at_six`` tells what is
open at six.
"""

from __future__ import annotations

from functools import cache

import manifests
import renderers
from consumer.understanding import life, reader, signs, threads
from consumer.understanding.people import USER
from consumer.understanding.statements import Reading
from contract.manifest import SourceEntry
from renderers.base import Item
from tests.tables import table

ZONE = "Europe/London"
DAY = "2026-11-24"
PHONES = {"Olive": "+447700900101", "Sam": "+447700900102", "Ida": "+447700900103"}


@cache
def _sources() -> dict[str, SourceEntry]:
    return {entry.source_key: entry for entry in manifests.export_manifest().sources}


def _item(source: str, number: int, **data: str) -> Item:
    at = f"{DAY}T10:{number:02}:00.000000Z"
    exported = {"record_id": f"m{number:02}", "occurred_at": at, "updated_at": at, "data": data, "checksum": "sha256:0"}
    return renderers.item({"source_key": source, **exported}, _sources()[source], ZONE)


def readings(*lines: str, channel: str = "whatsapp") -> list[Reading]:
    """Of lines such as "Olive: can you bring the drill?"; those of Max are the user's."""
    written = [line.partition(": ")[::2] for line in lines]
    others = {name for name, _ in written} - {"Max"}
    items = [_item("user_profiles", 0, display_name="Max Quill", timezone=ZONE)]
    for number, (name, text) in enumerate(written, start=1):
        thread = {"channel": channel, "thread_id": "1"}
        if name == "Max":
            other = next(iter(others)) if len(others) == 1 else ""
            to = {"recipient_name": other, "recipient_address": PHONES[other]} if other else {}
            items.append(_item("outbound_messages", number, body_text=text, status="sent", **thread, **to))
        else:
            sender = {"sender_name": name, "sender_address": PHONES[name]}
            items.append(_item("inbound_messages", number, normalized_text=text, **thread, **sender))
    return [reader.read(item, ZONE, "GB") for item in items]


def open_at_six(*lines: str, channel: str = "whatsapp", day: str = DAY) -> list[tuple[str, str, str]]:
    """(direction, object, due) of what is told."""
    memory = life.fold(readings(*lines, channel=channel), (), f"{day} 18:00 +00:00")
    listed = [loop for loop in memory.loops if loop.state == "open" and loop.direction != "others"]
    return [
        (loop.direction, loop.object, f"{loop.due.day} {loop.due.time}".strip() if loop.due else "") for loop in listed
    ]


DRILL = "Olive: Can you bring me the drill?"


@table(
    "lines",
    [
        (DRILL, "Max: Yes"), (DRILL, "Max: ok, what time?"), (DRILL, "Max: Of course I can!"), (DRILL, "Max: yep np"),
        (DRILL, "Max: oh", "Max: sure"), (DRILL, "Max: Which one?", "Olive: the blue one", "Max: ok"),
        ("Olive: Kannst du mir die Leiter mitbringen?", "Max: Ja klar, wann?"),
        ("Olive: Tu peux m'apporter la lampe ?", "Max: oui, bien sûr"),
        ("Olive: ¿Puedes traerme la lámpara?", "Max: vale"),
        ("Olive: Could you water the plants on Friday?", "Max: no worries"),
        ("Olive: Please send me the invoice by Friday.", "Max: It will be ready."),
        ("Olive: Bring me the crates on your way", "Max: okay!"),
        ("Olive: Honey, bring me the painkillers", "Max: ok"),
        ("Olive: could you send me the map?", "Max: sure, I'll do so on Friday"),
        (DRILL, "Max: I can bring it tomorrow to the office"),
    ],
)  # fmt: skip
def test_a_yes_in_any_words_accepts_what_was_just_asked(lines: tuple[str, ...]) -> None:
    assert [direction for direction, *_ in open_at_six(*lines)] == ["you_owe"]


def test_a_yes_with_a_day_is_due_on_it() -> None:
    for reply in ("sure, I'll do so on Friday", "I can bring it on Friday to the office"):
        assert open_at_six("Olive: could you bring me the map?", f"Max: {reply}") == [("you_owe", "map", "2026-11-27")]


@table(
    "lines",
    [
        (DRILL, "Max: ok but I can't find it"), (DRILL, "Max: I lent it to Ed"), (DRILL, "Max: hmm not sure"),
        (DRILL, "Max: Sorry, no"), (DRILL, "Max: maybe"), (DRILL, "Max: no", "Olive: fine then", "Max: ok"),
        (DRILL, "Max: it's at my parents'", "Olive: oh. Wanna come over anyway?", "Max: sure"),
        ("Olive: Can you send me the address?", "Olive: Are you free at 6?", "Max: Sure"),
        ("Olive: Can you bring the drill by Friday?", "Max: Ed has it"),
        ("Olive: Could you take my van today?", "Max: what for?", "Olive: for a look", "Max: I know nothing of vans"),
        (DRILL, "Max: sure, bringing it now"), (DRILL, "Max: ok, right away"),
        ("Olive: can you send me the link?", "Max: yes, here you go"),
        ("Olive: Can you give me your mail?", "Max: sure, it's max@quill.example"),
        ("Olive: Can you give me your size?", "Max: yeah, I wear M"), ("Olive: I need a name", "Max: yes its Ida"),
        ("Olive: can you send me the plan?", "Max: yes emailing you, it's long"),
        ("Max: I'll send you the plan tomorrow", "Olive: no, please don't"),
        ("Max: ich schicke dir morgen den Plan", "Olive: nein, brauchst du nicht"),
        ("Max: je t'envoie le plan demain", "Olive: non, pas besoin"),
        ("Max: mañana te mando el plano", "Olive: no, no te molestes"),
        ("Max: amanhã mando-te o mapa", "Olive: não, não é preciso"),
        ("Max: domani ti mando la mappa", "Olive: no, non farlo"),
        ("Max: ik stuur je morgen de kaart", "Olive: nee, hoeft niet"),
        ("Olive: Bring mir bitte die Rechnung", "Max: Ja, klar, bin gleich wieder da"),
        ("Olive: Schickst du mir die Liste?", "Max: Klar. Hier bitte"),
        ("Olive: Mi mandi la lista?", "Max: certo, subito"),
        ("Olive: Tu peux m'envoyer la liste ?", "Max: oui, tout de suite"),
        ("Olive: ¿Me mandas la lista?", "Max: claro, aquí tienes"),
    ],
)  # fmt: skip
def test_what_is_refused_answered_or_done_at_once_is_not_owed(lines: tuple[str, ...]) -> None:
    assert not open_at_six(*lines)


@table(
    ("lines", "count"),
    [
        ((DRILL, "Max: Sure", "Olive: oh wait, never mind"), 0), ((DRILL, "Max: Sure", "Olive: I found mine, nvm"), 0),
        ((DRILL, "Max: ok", "Olive: false alarm, we have one"), 0), ((DRILL, "Max: ok", "Olive: no need, Ed did"), 0),
        (("Olive: Kannst du Milch kaufen?", "Max: Klar", "Olive: hat sich erledigt, danke"), 0),
        ((DRILL, "Max: ok", "Olive: never mind the mess in the kitchen"), 1),
    ],
)  # fmt: skip
def test_whoever_asked_may_take_it_back_in_passing(lines: tuple[str, ...], count: int) -> None:
    assert len(open_at_six(*lines)) == count


@table(
    ("reply", "count"),
    [
        ("I will tell you this afternoon", 0), ("I'll bring you tomorrow :)", 1), ("ok, will give you on Friday", 1),
        ("I'll let you know by Friday", 1), ("I'll call you tomorrow", 1),
        ("I'll let you know", 0), ("I'll text you when I'm home", 0), ("gotta run, I'll call you later", 0),
        ("I'll call you in five minutes", 0), ("maybe I'll call you tomorrow", 0),
    ],
)  # fmt: skip
def test_a_chat_promises_an_answer_by_a_day(reply: str, count: int) -> None:
    assert len(open_at_six("Olive: And?", f"Max: {reply}")) == count


@table(("more", "count"), [("bye, love you too!", 1), ("Thanks :)", 1), ("What for?", 1), ("It starts at 7", 0)])
def test_any_words_but_a_good_bye_are_the_promised_answer(more: str, count: int) -> None:
    assert len(open_at_six("Olive: And?", "Max: I'll let you know by Friday", "Olive: ok", f"Max: {more}")) == count


@table(
    ("text", "count"),
    [
        ("I'll pick you up at 8", 0), ("I'll come by at 7", 0), ("Pick me up at 7", 0), ("I'll drop by tonight", 0),
        ("Meet me at the gate at 4:15", 0), ("Meet me tomorrow at lunch", 0), ("I'll pick you up tomorrow at 8", 1),
        ("I'll stop by on Friday", 1), ("Call me tomorrow", 1), ("Give me a ring at 12ish", 0),
        ("Could you give me a call in an hour or so?", 0), ("We'll order some pizza", 0),
        ("we'll book the court for Friday", 0), ("we will send you the key", 1),
        ("Could you take a look through the window?", 0), ("Can you take the bus?", 0),
        ("Can you explain the plan?", 0),
        ("Give me a few minutes", 0), ("I need your opinion on a suit", 0),
        ("can i borrow your bike?", 0), ("can i borrow your bike on Friday?", 1), ("remember to lock the shed", 0),
        ("don't forget to bring the keys tomorrow", 1), ("I need your help", 0), ("I need your help with my van", 0),
    ],
)  # fmt: skip
def test_what_two_arrange_to_do_together_is_no_loop(text: str, count: int) -> None:
    assert len(open_at_six(f"Olive: {text}", "Max: ok")) == count


@table(
    ("text", "count"),
    [
        ("I'll ask my mum", 0), ("I'll call the office", 0), ("I'll text Ed", 0), ("I'll invite Ann too", 0),
        ("I'll talk to the people at work", 0), ("I'll talk to Ann today", 0), ("I'll send her a text", 0),
        ("I'll schedule a new appointment", 0), ("I'm going to have my room painted", 0),
        ("I'll fix something nice", 0), ("I could book it for tomorrow", 0), ("I can pay half next week", 0),
        ("I'll do without a van until Friday", 0), ("I'm finishing my report for tomorrow", 0),
        ("I'll have a look at a van tomorrow", 0), ("I'll bake a cake tonight and invite you", 0),
        ("I'll paint the fence tomorrow", 0),
        ("I'll collect the keys on Monday", 0), ("I have to give a talk on Friday", 0),
        ("I'll book the court on Friday", 1),
        ("let me send you a picture", 0), ("I'll give it to mum tomorrow", 0),
        ("I'll bring a date", 0),
        ("I'll get the texts on Friday", 0), ("I'll have a look at the price list first", 0),
        ("I'll ask Ed to send you the list", 1), ("I'll ask my bro to get us some crates", 0),
        ("I'll call the bank for you tomorrow", 1), ("I'll get you the texts on Friday", 1),
    ],
)  # fmt: skip
def test_what_one_goes_on_with_is_owed_to_nobody(text: str, count: int) -> None:
    assert len(open_at_six("Olive: Is he in?", f"Max: {text}")) == count


HELP = "Olive: could you help me move on Saturday?"
LAMP = "Max: do you still have my lamp?"


@table(
    ("lines", "expected"),
    [
        ((HELP, "Max: sure mate, what time exactly do you need me?"), "you_owe 2026-11-28"),
        ((HELP, "Max: ok, it's a deal"), "you_owe 2026-11-28"), ((HELP, "Max: can't, sorry"), ""),
        ((HELP, "Max: ok, I'll ask Ed"), ""), ((HELP,), ""),
        (("Olive: shall I book the hotel?", "Max: go for it!"), "owed_to_you "),
        (("Olive: shall I book the hotel?", "Max: which one?", "Olive: the Swan", "Max: great"), "owed_to_you "),
        (("Olive: shall I book the hotel?", "Max: no need, Ed did"), ""),
        (("Olive: want me to bring your drill on Friday?", "Max: that would be great"), "owed_to_you 2026-11-27"),
        (("Olive: I can help you paint on Friday", "Max: you're a star"), "owed_to_you 2026-11-27"),
        (("Olive: I'll try to send you the rent tomorrow", "Max: Thanks!"), "owed_to_you 2026-11-25"),
        (("Olive: I can help you paint on Friday", "Max: no, Ed will"), ""),
        (("Olive: I'll help you paint lol on Friday", "Max: ok"), ""),
        (("Olive: I can take the bus on Friday", "Max: great"), ""),
        (("Olive: can you write me a reference?", "Max: sure"), "you_owe "),
        (("Olive: could you send me a text later?", "Max: sure"), ""), (("Olive: can you call Ed?", "Max: sure"), ""),
        ((LAMP, "Olive: I'll bring it tomorrow"), "owed_to_you 2026-11-25"),
        ((LAMP, "Olive: I'll watch it tomorrow"), ""), ((LAMP, "Olive: I have to return it by Friday"), ""),
        ((LAMP, "Olive: I'll give it to my sister tomorrow"), ""),
        (("Max: hast du die Liste?", "Olive: bring ich dir morgen mit"), "owed_to_you 2026-11-25"),
        (("Max: e a lista?", "Olive: te mando amanhã"), "owed_to_you 2026-11-25"),
        (("Max: heb je de lijst?", "Olive: stuur ik je morgen"), "owed_to_you 2026-11-25"),
        (("Max: tu as la liste ?", "Olive: jte l'envoie demain"), "owed_to_you 2026-11-25"),
        (("Max: tienes la lista?", "Olive: mañana te la paso"), "owed_to_you 2026-11-25"),
        (("Max: hai la lista?", "Olive: te la mando domani"), "owed_to_you 2026-11-25"),
        (("Olive: soll ich dir am Freitag das Buch bringen?", "Max: ja gerne"), "owed_to_you 2026-11-27"),
        (("Olive: tu veux que je ramène la tente vendredi ?", "Max: oui merci"), "owed_to_you 2026-11-27"),
        (("Olive: quieres que te traiga el taladro el viernes?", "Max: sí por favor"), "owed_to_you 2026-11-27"),
        (("Olive: vuoi che porti il vino venerdì?", "Max: sì grazie"), "owed_to_you 2026-11-27"),
        (("Olive: zal ik vrijdag de lamp meenemen?", "Max: ja graag"), "owed_to_you 2026-11-27"),
        (("Olive: quer que eu leve o bolo na sexta?", "Max: sim, obrigado"), "owed_to_you 2026-11-27"),
        (("Olive: vergiss nicht morgen den Schlüssel mitzubringen", "Max: ok"), "you_owe 2026-11-25"),
        (("Olive: ill send u the pics 2moro", "Max: k"), "owed_to_you 2026-11-25"),
        ((LAMP, "Olive: I'll bring it tomorrow, is that ok?", "Max: sure"), "owed_to_you 2026-11-25"),
        (("Olive: I'll drop the keys at your place tmr, when are you in?", "Max: at 9"), "owed_to_you 2026-11-25"),
        (("Olive: ich bring dir das Buch morgen mit, passt das?", "Max: ja"), "owed_to_you 2026-11-25"),
        (("Olive: remember to buy some paper for me", "Max: ok, I won't forget"), "you_owe "),
        (("Olive: can you get a drink for me?", "Max: sure"), ""),
        (("Olive: Great, can you book two tickets for us?", "Max: I will"), "you_owe "),
        (("Olive: let me send you a picture", "Max: ok"), ""),
        (("Olive: I can send a scan too", "Max: oh thanks"), "owed_to_you "),
        (("Olive: I'll think about it and let you know tomorrow", "Max: bye"), "owed_to_you 2026-11-25"),
        (("Olive: I'll think about it and let you know", "Max: bye"), ""),
    ],
)  # fmt: skip
def test_what_a_chat_proposes_is_owed_once_the_other_takes_it_up(lines: tuple[str, ...], expected: str) -> None:
    several = [f"{direction} {day}" for direction, _, day in open_at_six(*lines) if direction != "asked_of_you"]
    assert several == ([expected] if expected else [])


@table(
    ("lines", "count"),
    [
        (("Max: can you get me the newspaper?", "Olive: ok"), 0),
        (("Olive: could you water the plants?", "Max: ok"), 0),
        (("Olive: bring me a sandwich", "Max: okay!"), 0), (("Olive: give me ten minutes", "Max: ok"), 0),
        (("Olive: can you call my mum?", "Max: sure"), 0), (("Olive: can you paint the fence today?", "Max: ok"), 0),
        (("Olive: can you review my text?", "Max: sure"), 1), (("Olive: please send me pictures", "Max: sure"), 1),
        (("Olive: send me your details", "Max: Ok", "Max: Quay Street 3"), 0),
        (("Olive: I'll send you the plan in the next text", "Max: ok"), 0),
        (("Max: can you call my phone?", "Olive: haha ok give me 10secs"), 0),
        (("Max: Can you send it via mail?", "Olive: sure.", "Olive: u got it?", "Max: yes"), 0),
        (("Olive: Check your inbox please", "Max: ok"), 0),
        (("Max: Give me the name.", "Olive: All right. It's Ida."), 0),
        (("Olive: I will send a car to fetch you.", "Olive: in 40 minutes.", "Max: ok"), 0),
        (("Olive: I'll send you the draft", "Olive: give me 30 min"), 0),
        (("Olive: I'll send you the draft", "Olive: tomorrow"), 1),
        (("Max: can you send me the number?", "Olive: Sure", "Olive: [contact]"), 0),
    ],
)  # fmt: skip
def test_what_is_done_in_the_minutes_of_a_chat_is_over(lines: tuple[str, ...], count: int) -> None:
    assert len(open_at_six(*lines)) == count


def test_in_a_room_a_link_hands_over_what_was_asked_for_and_other_words_do_not() -> None:
    for reply, count in (("Sure, here it is: https://example.org/a", 0), ("Sure", 1), ("Sure. Nice day", 1)):
        assert len(open_at_six("Olive: Can you send me the draft?", f"Max: {reply}", channel="slack")) == count


def test_on_a_messenger_what_has_no_day_is_over_after_a_week() -> None:
    for channel, day, count in (("sms", "2026-12-01", 1), ("sms", "2026-12-02", 0), ("slack", "2026-12-02", 1)):
        assert len(open_at_six("Olive: I'll send you the plans", channel=channel, day=day)) == count
    for day, count in (("2026-11-30", 1), ("2026-12-01", 0)):
        assert len(open_at_six("Olive: I'll bring you the ladder on Friday", day=day)) == count


def test_what_is_promised_for_the_same_day_is_over_with_it() -> None:
    for day, count in ((DAY, 1), ("2026-11-25", 0)):
        assert len(open_at_six("Olive: I'll bring you the ladder tonight", channel="slack", day=day)) == count


@table(
    ("lines", "count"),
    [
        (("Olive: Max, can you bring me the ladder?", "Max: hi Sam", "Sam: hi"), 0),
        (("Olive: Max, can you bring me the ladder?", "Sam: hi"), 1),
        (("Olive: Max, can you bring me the ladder?", "Max: sure", "Sam: hi"), 1),
        (("Olive: Max, can you bring me the ladder?", "Max: sure", *["Sam: hi"] * 6, "Max: the fence stands"), 0),
    ],
)
def test_in_a_room_whoever_writes_on_has_answered(lines: tuple[str, ...], count: int) -> None:
    assert len(open_at_six(*lines, channel="slack")) == count


def test_a_nod_that_is_asked_for_and_a_pet_name_are_no_part_of_the_thing() -> None:
    assert open_at_six("Olive: I'll send you the list luv :)") == [("owed_to_you", "list", "")]
    assert open_at_six("Olive: I'll bring the ladder tomorrow, ok?") == [("owed_to_you", "ladder", "2026-11-25")]


def test_an_hour_that_is_over_is_one_of_the_evening() -> None:
    assert open_at_six("Olive: I'll call you at 8") == [("owed_to_you", "call you", f"{DAY} 20:00")]
    assert open_at_six("Olive: I'll call you at 8 am") == [("owed_to_you", "call you", f"{DAY} 08:00")]


@table(
    ("lines", "directions"),
    [
        # Only whoever is called is asked, and of what all are asked whoever says yes.
        (("Olive: Max, can you bring me the drill?", "Sam: hi"), ["asked_of_you"]),
        (("Olive: can you bring me the drill, Max?", "Sam: hi"), ["asked_of_you"]),
        (("Olive: Sam, can you bring me the drill?", "Sam: ok", "Max: hi"), []),
        (("Max: Bring us the drill!", "Sam: lol", "Olive: :)"), []),
        (("Olive: Bring us the drill!", "Sam: lol", "Max: :)"), []),
        (("Olive: could you bring me the boards", "Sam: no problem", "Max: cool"), []),
        (("Olive: could you bring me the boards", "Max: no problem", "Sam: cool"), ["you_owe"]),
        (("Olive: could you bring me the boards", "Sam: I have some", "Max: ok"), []),
        # A promise is to whoever is called or answered.
        (("Sam: where's my book?", "Max: dunno", "Sam: I need it", "Olive: I'll bring the book tomorrow"), []),
        (("Sam: where's my book?", "Max: dunno", "Olive: Sam, I'll bring the book tomorrow"), []),
        (
            ("Max: where's my book?", "Max: I need it", "Sam: hm", "Olive: I'll bring the book tomorrow"),
            ["owed_to_you"],
        ),
        # What is proposed is to whoever takes it up.
        (("Max: I need the notes", "Sam: I lost mine", "Olive: I can send a scan", "Max: thanks!"), ["owed_to_you"]),
        (("Max: hi", "Sam: I need the notes", "Max: hm", "Olive: I can send a scan", "Sam: thanks!"), []),
    ],
)
def test_in_a_group_the_order_of_messages_tells_who_is_meant(lines: tuple[str, ...], directions: list[str]) -> None:
    for channel in ("whatsapp", "slack"):
        assert [direction for direction, *_ in open_at_six(*lines, channel=channel)] == directions


@table(
    ("text", "given"),
    [
        ("Which one?", "asks"), ("[photo]", "hands"), ("here you go", "hands"), ("ok bye!! <3", "takes parts"),
        ("12345", ""), ("in 10 min", "soon"), ("sure, turning it down", "takes soon"),
        ("It rains.|It pours.", "tells"),
        ("mach ich", "agrees takes"), ("ouais pas de souci", "agrees takes"),
        ("kein Problem", "agrees takes"), ("Kein Bier", ""), ("geen probleem", "agrees takes"),
        ("dale", "agrees takes"),
        ("kümmer mich drum", "agrees takes"), ("super merci", "takes parts"), ("Thanks, but no", ""),
        ("It rains", ""), ("!" * 200 + "a", ""),
    ],
)  # fmt: skip
def test_a_message_does_something_beside_what_it_states(text: str, given: str) -> None:
    assert signs.turn(text.split("|")) == given


def test_the_user_is_a_member_of_each_chat_and_of_no_mail() -> None:
    several = readings("Olive: hi", "Sam: hi")
    made = threads.Threads(several, lambda reading: reading.people[0].name if reading.people else None)
    assert made.members("whatsapp:1") == {USER, "Olive", "Sam"} and made.is_group("whatsapp:1")
    assert made.members("email:1") == {USER} and not made.is_group("email:1")
