"""What a mail to one or few asks or promises in any words: "please put her on the list", "I'll bring them up"."""

from __future__ import annotations

from consumer.understanding import rules
from consumer.understanding.statements import Commitment, Request
from consumer.understanding.utterances import RecordText, Utterance
from tests.readings import BOB, MARA, SAID
from tests.tables import table


def in_mail(text: str, channel: str = "email", language: str = "en") -> list[tuple[str, str, str]]:
    """(kind, thing, due day) of each loop of a mail from Mara to Bob."""
    utterance = Utterance(0, MARA, (BOB,), SAID, "written", text, language)
    made, refusals = rules.read(
        RecordText("inbound_messages", "1", f"{channel}:1", (utterance,), (MARA, BOB)), region="US"
    )
    assert not refusals
    return [
        (type(each).__name__.lower(), each.object, each.due.day if each.due else "")
        for each in made
        if isinstance(each, Request | Commitment)
    ]


@table(
    ("text", "what", "due"),
    [
        ("Please put her on the list of guests.", "put her on the list of guests", ""),
        ("Please put this on my calendar for Friday at 3:30.", "put this on my calendar", ""),
        ("Can you please get with Olaf on the fence.", "get with Olaf on the fence", ""),
        ("Can you help with this?", "help with this", ""),
        ("Please step by the office and sign the lease.", "step by the office and sign the lease", ""),
        ("Please proceed with the repairs by Friday.", "proceed with the repairs", "2026-11-27"),
        ("Please let your crew know that the boat is full.", "let your crew know that the boat is full", ""),
        ("Could you resend?", "resend", ""),
        ("can you resend it.", "resend it", ""),
        ("Please see if Olaf can come.", "if Olaf can come", ""),
        ("Please find out who has the keys.", "find out who has the keys", ""),
        ("Per our talk, please order another for Olaf.", "order another for Olaf", ""),
        ("Would you also mind letting him know?", "letting him know", ""),
        ("Have Olaf call her because she has ideas.", "Have Olaf call her", ""),
        ("Give me a call when you get a chance.", "Give me a call", ""),
        ("Call me at home.", "Call me at home", ""),
        ("In order to update the list, please provide the following:", "provide the following", ""),
        ("Please let me know if I need to order more lamps.", "if I need to order more lamps", ""),
        ("Look at the price in the last row.", "Look at the price in the last row", ""),
        ("Make sure that the boxes are closed.", "Make sure that the boxes are closed", ""),
        ("Ask Olaf about the roof.", "Ask Olaf about the roof", ""),
        ("Do you have an address for him?", "Do you have an address for him", ""),
        ("Do you happen to have a phone number for the mill.", "Do you happen to have a phone number for the mill", ""),
        ("Do you know who pays the porter?", "Do you know who pays the porter", ""),
        ("Any news on the lease?", "Any news on the lease", ""),
        ("Were you able to open the gate?", "Were you able to open the gate", ""),
        ("Can we meet about the lease?", "Can we meet about the lease", ""),
        ("I would appreciate a call when you have a minute.", "I would appreciate a call", ""),
        ("When you get a chance, I'd like to talk to you about it.", "I'd like to talk to you about it", ""),
        ("Do you guys have a map of the island?", "Do you guys have a map of the island", ""),
        ("Which price should I add?", "Which price should I add", ""),
        ("Can I use the boat on Friday?", "Can I use the boat", ""),
        ("Have you received the keys?", "Have you received the keys", ""),
        ("What is the status of the mill?", "What is the status of the mill", ""),
        ("Do you know Olaf's number?", "Do you know Olaf's number", ""),
        ("Is this correct?", "Is this correct", ""),
        ("Figure out how to print it.", "Figure out how to print it", ""),
        ("Should this boat be sold?", "Should this boat be sold", ""),
        ("I was wondering if you could provide any photos of the mill?", "provide any photos of the mill", ""),
        ("Please read it over and if you have doubts, come by.", "it", ""),
        ("On Friday, please go over to the mill.", "go over to the mill", "2026-11-27"),
        ("I need a table set up in the hall.", "I need a table set up in the hall", ""),
    ],
)  # fmt: skip
def test_a_mail_to_one_asks_in_any_verb(text: str, what: str, due: str) -> None:
    assert in_mail(text) == [("request", what, due)]


@table(
    ("text", "what", "due"),
    [
        ("I'll call.", "call", ""),
        ("Will call when I leave.", "call", ""),
        ("I will bring them up as soon as they are dry.", "bring them", ""),
        ("I'm just finishing the list and will forward it tonight.", "forward it", "2026-11-26"),
        ("We'll follow up with Olaf.", "follow up with Olaf", ""),
        ("I'll return by mail the signed form.", "return by mail the signed form", ""),
        ("I will be calling you next week.", "be calling you", "2026-12-04"),
        ("I'll get back to you once they have signed.", "get back to you", ""),
        ("I have your list and will review it.", "review it", ""),
        ("I should have the answer by Friday.", "have the answer", "2026-11-27"),
    ],
)
def test_a_mail_promises_without_a_thing(text: str, what: str, due: str) -> None:
    assert in_mail(text) == [("commitment", what, due)]


@table(
    "text",
    [
        # Courtesies and offers.
        "Please let me know if you have any questions.", "Please call me with any questions.", "Please note the time.",
        "Keep me posted on everything.", "I'll keep you posted.", "Will keep you in the loop.",
        "Thanks, talk to ya later.", "I got no answer from Olaf, so I'll ask you.",
        "Olaf Lund is looking at the list and will send me a copy.",
        "I would appreciate any help.", "I'll be in touch.", "I will see what we can do.",
        "Get it for just 49?", "Take care and I'll talk to you again soon.",
        "Let me know if I can help.", "Please feel free to call.", "Please give my regards to Olaf.",
        "Give her my love.",
        "Please accept my thanks.", "If you want to come, please call Olaf.", "Questions? Give me a call.",
        "Call me at home if you need me.", "Let me know if you'd like to get together.", "Tell Olaf I said hi.",
        "Please email me!",
        "I'll let you know if there are any changes.", "Please help us by taking the survey.",
        "Let me know what is up with you.", "Can I help?", "Should I ask how old you are?",
        "I will pay the price for the summer.", "I'm going to talk to him tonight.",
        "Olaf can look quickly and see what is left.",
        "Give me a call and I can tell you the price.", "Please enjoy the view.", "Have a good trip.", "Take care.",
        # Hypotheticals, jokes and what is only said.
        "Can you believe the price of it?", "Could you imagine such a noise?", "Please tell me you are kidding.",
        "Call me old and slow.", "Order now and I'll send you a mug!", "Olaf said: I'll call.", "I'll call, said Olaf.",
        "I guess I'll call him.", "I'll probably call him.", "I won't call him.", "If it rains, I'll call.",
        "I wanted to call and make sure that you are well.", "Do you know what I mean?", "I'll call it a day.",
        "I'll see you on Friday.", "I'll talk to you later.", "I will check my email.", "Let me know, and I'll fix it.",
        "We will contact you individually.", "I'll send it monthly.", "Bob and I will call.", "I'll get the door.",
        "The new plan is ready and will give us more room.", "Dinner here will be calm and will give me a day off.",
        "Prices (find out what they are)", "Tell Olaf I missed seeing him.", "Tell Olaf that it will all work out!",
        "Look at this great letter that I got.", "I'll give you all you want.",
        # The heads of forwarded mails, notices, and what is told to all.
        "Please respond to Ann Lee", "Please visit our shop.", "Please refer to the list.",
        "Can anyone help with this?",
        "Please keep in mind that it is late.", "Please delete this message.", "You have to go through the gate.",
        # Cases of the reader's own wish or need, whatever verbs follow.
        "Should you have any additional questions or comments, please give me a call or come by.",
        "Should you need anything else, please stop by my office or send me a note.",
        "If you need a receipt, please send me your address and sign the form.",
        "If you require a berth, please give the harbour a ring.",
        "In order to avoid delays, please send me your number.",
        "I would appreciate your help and time in advance.", "I'll call you on Friday to see if you need anything.",
        "I will check back with you in a week to see if you have questions.",
        "Drop me an email from time to time.", "Or you can give them to me and I'll fax them over.",
        "If you would rather me just print this out for you, I will.", "I will tell  you that his boat is slow.",
        "I will give you credit for one thing.", "I'll give you the benefit of the doubt.",
        "Otherwise, I'll ask Tom on Friday and send you the list.",
        "Please rate the work of our team.", "You'll have to tell me about your trip.",
        "To retrieve a copy of the memo, please contact Olaf for the address.",
        "Make sure you mark the entire link, copy it, and paste it in your web browser.",
        # Puzzles, bets, ways home, rules for always, and the programme of a meeting.
        "Can you spot what is wrong with this picture?", "Just see what they do with it.",
        "I will pick the Sharks to win on Sunday.", "I'll give you my best card, you give me your two old ones.",
        "I have to see the doctor, but I will get back as soon as I can.",
        "A calm dinner will do and will give me another day to rest.",
        "Please talk to me prior to signing any of the leases.",
        "Please enroll at https://www.harbour.example or by mail.", "Ask God for help.",
        "We will review all of the results in an upcoming meeting.",
        'There is a note that says "Please enter 40 boxes a day.',
    ],
)  # fmt: skip
def test_courtesies_and_talk_ask_for_nothing(text: str) -> None:
    assert not in_mail(text)


def test_a_condition_that_begins_with_should_asks_for_nothing() -> None:
    text = "Should we need a second boat, I will gladly order it."
    assert [kind for kind, _, _ in in_mail(text)] == ["commitment"]
    assert not in_mail("Should the boat leak, please stay ashore.")


@table(
    ("language", "text", "kind", "due"),
    [
        # A case of another, or with a day.
        ("en", "Should the baker not answer, please call Olaf.", "request", ""),
        ("en", "Should we lose the bid, please call Olaf.", "request", ""),
        ("en", "Should you be late, please call Olaf by Friday.", "request", "2026-11-27"),
        ("de", "Haben Sie noch die Rechnung, bitte schicken Sie sie mir.", "request", ""),
        ("en", "To avoid delays, please send me the signed lease.", "request", ""),
        # To rate for the author.
        ("en", "Please rate the three candidates and send me your ranking.", "request", ""),
        ("en", "Please rate your team and send me the sheet by Friday.", "request", "2026-11-27"),
        # Beside an offer or thanks.
        ("en", "You can find the draft on the drive and I will send you the last version.", "commitment", ""),
        ("en", "You can count on it, and we'll send the lease by Friday.", "commitment", "2026-11-27"),
        ("en", "You could ask Olaf for the key and I will bring the lamp.", "commitment", ""),
        ("en", "Thank you in advance for your patience, I'll send you the lease.", "commitment", ""),
        ("en", "I'd appreciate it if you could send me the lease in advance.", "request", ""),
        ("en", "I'll call the bank to find out if you need a new form.", "commitment", ""),
        ("en", "You will have to tell us the number of guests by Friday.", "request", "2026-11-27"),
    ],
)
def test_a_case_an_offer_or_thanks_beside_it_hide_no_loop(language: str, text: str, kind: str, due: str) -> None:
    assert [(made, day) for made, _, day in in_mail(text, language=language)] == [(kind, due)]


def test_a_chat_is_read_more_strictly() -> None:
    assert not in_mail("Can you help with this?", "whatsapp")


@table(
    "text",
    [
        "He is not sure about the rest of the week, so will call you about other days.",
        "Olaf is busy today, so will call you tomorrow.",
        "They were late, but will send you the form tomorrow.",
        "You should have received the form from me last week.",
        "You should have gotten my note by now.",
        "I'm off to the island but will speak to you all in the next couple of weeks I'm sure.",
        "I will be out on Monday and will return on Tuesday.",
        "We will move the crew meeting to 11:00 a.m. - 12:00 p.m. tomorrow, Friday, November 27.",
        "We will close the office on Friday.",
        "We will finish the year at approximately 40 million.",
        "We are reviewing the tapes today.",
        "I'll talk to you guys soon.",
        "I'll have Olaf call ENA, and without giving anything away, find out how their plans are coming along.",
        "We plan to have a conference call at 2pm on Sunday to discuss the lease.",
    ],
)
def test_what_others_do_what_was_sent_and_when_a_house_is_closed_promises_nothing(text: str) -> None:
    assert in_mail(text) == []


@table(
    ("text", "due"),
    [
        ("Was away yesterday, will call you tomorrow.", "2026-11-27"),
        ("You should have the form from me by Monday.", "2026-11-30"),
        ("Will return the list on Monday.", "2026-11-30"),
        ("I will reschedule the visit with Olaf and let you know by Friday.", "2026-11-27"),
        ("I will ask about the island weekend.", ""),
        ("I'll look at the weekend plan.", ""),
        ("I'll send the list over the weekend.", "2026-11-29"),
        ("I'll update the sheet for the new year.", ""),
        ("Please prepare a lease for Olaf with the end date moved from November 30, 2026 to December 31, 2026.", ""),
        ("Please book a room from December 3 to December 5.", ""),
        ("Please prepare a lease for Olaf by December 31, 2026.", "2026-12-31"),
    ],
)
def test_a_day_of_the_thing_is_no_due_day(text: str, due: str) -> None:
    assert [each[2] for each in in_mail(text)] == [due]
