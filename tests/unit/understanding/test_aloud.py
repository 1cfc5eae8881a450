"""What is taken on, asked for and handed out in a talk, and what is settled on the spot."""

from __future__ import annotations

from consumer.understanding import rules, speech
from consumer.understanding.statements import Answer, Commitment, Request, Statement
from consumer.understanding.utterances import Person, RecordText, Utterance
from tests.tables import table

ANN, BOB, CAT = Person("Ann Lee", "ann@lee.example"), Person("Bob Marsh", "bob@marsh.example"), Person("Cat Ono", "")
PEOPLE = {"Ann": ANN, "Bob": BOB, "Cat": CAT}
SAID = "2026-11-27 15:03 +01:00"


def talk(text: str, *, language: str = "en", people: tuple[Person, ...] = (ANN, BOB, CAT)) -> RecordText:
    """A talk: ``Ann: ... / Bob: ...``."""
    lines = [line.split(": ", 1) for line in text.split(" / ")]
    utterances = tuple(
        Utterance(
            number,
            PEOPLE[name],
            tuple(each for each in people if each != PEOPLE[name]),
            SAID,
            "spoken",
            words,
            language,
        )
        for number, (name, words) in enumerate(lines)
    )
    return RecordText("granola_transcripts", "1", "meeting:1", utterances, people)


def shown(statement: Statement) -> str:
    """``Ann: act`` of a promise, ``Ann > Bob: act`` of a request, with its day."""
    assert isinstance(statement, Commitment | Request)
    day = f" by {statement.due.day}" if statement.due else ""
    if isinstance(statement, Commitment):
        return f"{statement.owner.name.split()[0]}: {statement.object}{day}"
    asked = ",".join(each.name.split()[0] for each in statement.asked)
    return f"{statement.asker.name.split()[0]} > {asked}: {statement.object}{day}"


def loops(record: RecordText) -> str:
    statements, refusals = rules.read(record)
    assert not refusals
    return "; ".join(shown(each) for each in statements if isinstance(each, Commitment | Request))


#: A talk and what it leaves open.
OPEN = [
    # Work that outlasts the talk, by its verb.
    ("Ann: Yeah, I'll update the handbook to reflect that.", "Ann: handbook"),
    ("Ann: I'm gonna check with the landlord.", "Ann: landlord"),
    ("Ann: So what I'll do is I'll reach out to the printers.", "Ann: reach out to the printers"),
    ("Ann: okay so i'll look into the parking and get back to you", "Ann: parking"),
    ("Ann: I'll ask the hotel for a group rate.", "Ann: hotel for a group rate"),
    ("Ann: I'll ask Dana about the keys.", "Ann: Dana about the keys"),
    ("Ann: Let me take that one offline.", "Ann: take that one offline"),
    ("Ann: Let me talk to our lawyer and get back to you.", "Ann: talk to our lawyer and get back to you"),
    ("Ann: We'll get back to you on the price.", "Ann: price"),
    ("Ann: I'll have to ask around.", "Ann: ask around"),
    ("Ann: I'll put the minutes in the shared folder.", "Ann: put the minutes in the shared folder"),
    ("Ann: I'll ask Dana, she has the keys.", "Ann: Dana"),
    ("Ann: I'll escalate because nobody answers.", "Ann: escalate"),
    ("Ann: I'll follow up and we see.", "Ann: follow up"),
    # Words that put it off.
    ("Ann: I'll share the slides after the call.", "Ann: slides"),
    ("Ann: I'll do that right after the meeting.", "Ann: do that right after the meeting"),
    ("Ann: I'll get the plans up for next time.", "Ann: get the plans up for next time"),
    ("Ann: I'll post the link, right after the call.", "Ann: link"),
    ("Ann: I'll post the link, later today I guess.", "Ann: post the link"),
    ("Ann: I'll show the plan by Monday.", "Ann: plan by 2026-11-30"),
    # Speech has fillers, repeats and pauses, and recorders cut it in pieces.
    ("Ann: I'll, uh, I'll send the, the lease to, um, legal.", "Ann: lease"),
    ("Ann: I will open… open an issue there.", "Ann: open an issue there"),
    ("Ann: Fine. / Bob: Yes. / Ann: I'll send the lease / Bob: Mm-hmm. / Ann: to legal by Monday.",
     "Ann: lease to legal by 2026-11-30"),
    ("Ann: I'll send the lease… / Ann: to legal by Monday.", "Ann: lease to legal by 2026-11-30"),
    ("Ann: I'll reach out to the printers… Is that fine?", "Ann: printers"),
    ("Ann: I'll reach out to the / Bob: What is that? / Ann: printers.", "Ann: reach out"),
    # An offer counts if somebody takes it up, or if it is put off.
    ("Ann: I can open an issue for it. / Bob: Yeah, that would be great.", "Ann: open an issue for it"),
    ("Ann: I can ping him offline.", "Ann: ping him offline"),
    # A request counts if it calls somebody by name, or if somebody says yes.
    ("Ann: Could you check with the landlord? / Bob: Mm-hmm. / Bob: Yeah, sure.", "Ann > Bob: check with the landlord"),
    ("Ann: Could you check with the landlord? / Ann: Is that possible now? / Bob: Yeah, sure.",
     "Ann > Bob: check with the landlord"),
    # The asker may add 30 words.
    ("Ann: Could you check with the landlord? / Ann: The one who lives in the house at the corner, with the two dogs"
     " and the old car that is always in the way when we come home late again. / Bob: Yeah, sure.",
     "Ann > Bob: check with the landlord"),
    ("Ann: Can you draft a letter to the bank? / Cat: Okay, I will.", "Ann > Cat: draft a letter to the bank"),
    ("Ann: Bob, you're going to write up the notes.", "Ann > Bob: write up the notes"),
    ("Ann: Bob, check with marketing on the flyer.", "Ann > Bob: check with marketing on the flyer"),
    ("Ann: Draft the letter to the bank, Bob.", "Ann > Bob: Draft the letter to the bank"),
    # What is handed out by name.
    ("Ann: I think Bob's gonna write up the notes.", "Ann > Bob: write up the notes"),
    ("Ann: So, to recap, Bob's gonna write up the notes, and Cat will check with the bank.",
     "Cat: bank; Ann > Bob: write up the notes"),
    ("Ann: Bob's going to draft the letter and I'll send it to legal by Monday.",
     "Ann: send it to legal by 2026-11-30; Ann > Bob: draft the letter"),
    # The same act again is the same promise.
    ("Ann: I'll reach out to the printers. / Bob: Good. / Ann: So I'll reach out to them.",
        "Ann: printers; Ann: printers",
    ),
]  # fmt: skip


@table(("text", "expected"), OPEN)
def test_a_talk_leaves_open_what_outlasts_it(text: str, expected: str) -> None:
    assert loops(talk(text)) == expected


#: What is done while people talk, thought of, or said to nobody in particular.
SETTLED = [
    "Ann: I'll share my screen.",
    "Ann: I will share the link in the chat.",
    "Ann: Let me post it here.",
    "Ann: I'll just email you the file.",
    "Ann: I'll give it another minute.",
    "Ann: I'm gonna review the minutes of the last meeting.",
    "Ann: I'll make a note of that.",
    "Ann: I'll ask Bob to keep it short.",
    "Ann: I'll ask her another question.",
    "Ann: I'll call it a monster.",
    "Ann: I'm gonna ping Dana, see if she's joining.",
    "Ann: Let's say I'll open a ticket as a user.",
    "Ann: If you want it, I'll send the file to Dana.",
    "Ann: Maybe I'll reach out to them.",
    "Ann: I won't reach out to them.",
    "Ann: I'll go with five.",
    "Ann: I can open an issue for it. / Bob: No, I did already.",
    "Ann: I can open an issue for it. / Bob: Which one?",
    "Ann: Could you check with the landlord? / Bob: I don't know.",
    "Ann: Could you check with the landlord? / Ann: Or is that too much for you to do? / Bob: Yeah, sure.",
    "Ann: You need to send the signal out. / Bob: Yeah.",
    "Ann: Bob, could you verify if the door is closed?",
    "Ann: Bob, go ahead.",
    "Ann: Bob, can you make the argument for your plan?",
    "Ann: Whoever likes can ping me, and I'll add you to the list.",
    "Ann: I'm happy to talk to you offline.",
    "Ann: I'll pass it on to you.",
    "Ann: What would you like us to look at before the next meeting? / Bob: Yeah, the plan.",
    "Ann: I'm going to resign after the call.",
    "Ann: I'll invite Bob to speak first.",
    "Ann: Let me double-check the number.",
    "Ann: How can you open an issue in that program? / Bob: Yes, with a click.",
    "Ann: So Bob will check with the bank? / Bob: I don't know.",
    "Ann: I'll show the plan on Monday.",
    "Ann: I'll walk the dog tonight.",
    "Ann: I'll feed the dog today.",
    "Ann: I'll send anything that's missing to legal.",
    "Ann: For example, I'll open an issue there.",
    "Ann: Usually, I'll open an issue there.",
    "Ann: I'll post the link, and Bob talks after the call.",
    "Ann: I'll post the link, we talk after the call.",
]


@table(("text",), [(text,) for text in SETTLED])
def test_a_talk_settles_the_rest_on_the_spot(text: str) -> None:
    assert loops(talk(text)) == ""


@table(
    ("language", "text", "expected"),
    [
        ("de", "Ann: Ja, ich kümmere mich um die Raumbuchung.", "Ann: Raumbuchung"),
        ("de", "Ann: Ich, ähm, ich schicke dir den, den Plan bis Montag.", "Ann: Plan by 2026-11-30"),
        ("de", "Ann: Ich schicke euch jetzt den Plan.", ""),
        ("de", "Ann: Ich schicke euch hier heute den Plan.", ""),
        ("de", "Ann: Ich schicke euch den Plan nach dem Termin.", "Ann: Plan nach dem Termin"),
        ("de", "Ann: Ich schicke euch den Plan hinterher im Chat.", "Ann: Plan hinterher im Chat"),
        ("de", "Ann: Ich will euch den Plan am Montag schicken.", "Ann: Plan by 2026-11-30"),
        ("de", "Ann: Bob will den Plan am Montag haben.", ""),
        ("fr", "Ann: Euh, je me charge de la, de la réservation.", "Ann: réservation"),
        ("es", "Ann: Vale, me encargo de la reserva.", "Ann: reserva"),
        ("es", "Ann: Te mando ahora el plano.", ""),
        ("pt", "Ann: Certo, eu trato da reserva.", "Ann: reserva"),
        ("it", "Ann: Va bene, mi occupo io della prenotazione.", "Ann: prenotazione"),
        ("nl", "Ann: Prima, ik, uhm, ik stuur je de planning morgen.", "Ann: planning by 2026-11-28"),
    ],
)
def test_other_languages_read_speech_without_its_fillers(language: str, text: str, expected: str) -> None:
    assert loops(talk(text, language=language)) == expected


def test_a_yes_accepts_what_was_asked_aloud() -> None:
    statements, _ = rules.read(talk("Ann: Can you draft the letter to the council? / Bob: Sure, will do."))
    request, answer = statements
    assert isinstance(request, Request) and isinstance(answer, Answer)
    assert (request.asked, answer.verdict) == ((BOB,), "accepted")


def test_a_promise_in_pieces_quotes_all_of_them() -> None:
    text = "Ann: Right. / Bob: Yes. / Ann: I'll send the / Ann: lease to Tom."
    [made], refusals = rules.read(talk(text))
    assert isinstance(made, Commitment) and not refusals
    assert [quote.text for quote in made.quotes] == ["I'll send the", "lease to Tom."]


@table(
    ("text", "language", "smooth"),
    [
        ("I'll, uh, I'll send the, the lease", "en", "I'll send the lease"),
        ("I, you know, sent it, like, twice", "en", "I, sent it, twice"),
        ("Er schickt es um drei", "de", "Er schickt es um drei"),
        ("este mes no", "es", "este mes no"),
        ("10 10 is fine", "en", "10 10 is fine"),
        ("That is very very late", "en", "That is very late"),
    ],
)
def test_speech_is_read_without_its_fillers(text: str, language: str, smooth: str) -> None:
    assert speech.smooth(text, language) == smooth
