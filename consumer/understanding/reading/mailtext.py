"""
What in a message its sender wrote, what it quotes or passes on, and what is signature or disclaimer.

Our own line reader over tables of words, for a reason. mail-parser-reply was tried: it does not end on ``On On On``,
cuts "Le ven. ... a écrit :" in the middle and names no first author; quotequail knows no Outlook blocks of a reply, and
takes a forwarded mail's ``From:`` for words of the sender. One pass over the lines; nothing is looked at twice but the
few lines of a header block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from consumer.understanding.reading import headerdates, mailwords, names, salutations, wrapping
from consumer.understanding.utterances import UNKNOWN, Person

Part = Literal["own", "quoted", "forwarded", "boilerplate"]


class MailLine(NamedTuple):
    """One line, without the marks of quotes. ``author`` and ``day`` of who first wrote it; own lines have neither."""

    part: Part
    text: str
    author: Person = UNKNOWN
    day: str = ""


#: ">", "BS>" with the initials of who wrote it, ": " and "| " at the start of a line.
_QUOTE: Final = re.compile(
    r"[ \t]{0,3}(?:[^\W\d_]{1,10}(?=>(?:\s|\Z)))?(?:>(?![\d=])[ \t]?)+|[ \t]{0,3}(?:[|:][ \t]+>?[ \t]?){1,3}(?=\S)"
)
#: A mark that also stands elsewhere: a quote only where something introduces it, or in several lines.
_PIPE: Final = re.compile(r"\s*[|:]")
_HEADER: Final = re.compile(
    r"\s*(?:[*_]{1,2})?(?P<label>[^\W\d_][^\W\d_'-]{0,20}(?:[ '-][^\W\d_]{1,12})?)\s*[*_]{0,2}\s*"
    r"[:\uff1a]\s*[*_]{0,2}\s*(?P<value>.*)"
)
#: "Mara,", "Hi Mara,", "Sehr geehrte Frau Vogt,".
_GREETING: Final = re.compile(r"\s*(?:[^\W\d_][\w'.-]*\s){0,3}[^\W\d_][\w'.-]*\s?,\s*")
#: Lines over which "On ... wrote:" may be wrapped, and characters of it.
_WRAPPED: Final = 3
_ATTRIBUTION_CHARS: Final = 400
#: Lines that a header block has at most, without those of addresses, and with them.
_HEADER_LINES: Final = 20
_RECIPIENT_LINES: Final = 300
_DASHES: Final = re.compile(r"\s*(?:--|\u2014|\u2013|_{3,}|-{3,}|={3,}|\*{3,})\s*")
_SIGNATURE_MARK: Final = re.compile(r"\s*(?:--|\u2014\s?)\s*")
_ADDRESS: Final = re.compile(r"<?([^\s<>\"'(),:;\[\]]{1,64}@[^\s<>\"'(),:;\[\]@]{1,190})>?")
#: A signature has no more lines than that, and no longer ones.
_SIGNATURE_LINES: Final = 12
_SIGNATURE_CHARS: Final = 100
_POSTSCRIPT: Final = re.compile(
    r"\s*(?:p\.?\s?(?:p\.?\s?)?s\b\.?|n\.?\s?b\b\.?|edit|update)\s*[:.,)\u2013-]?\s", re.IGNORECASE
)
_CONTACT: Final = re.compile(
    r"(?:\+|\(?\b0)\d[\d\s()./-]{6,}|https?://|www\.|@|\b(?:tel|phone|mobile|mobil|fax|cell|office|direct|skype|"
    r"linkedin)\b\s*[:.]?|"
    r"\b(?:head|director|manager|engineer|ceo|cto|cfo|coo|founder|partner|president|vp|lead|officer|consultant|"
    r"analyst|assistant|"
    r"leiter(?:in)?|geschäftsführer(?:in)?|vorstand|responsable|directeur|directrice|directora?|gerente|direttore|"
    r"direttrice|"
    r"projectleider|chef|professor|dr\.|phd|gmbh|inc\.?|ltd\.?|llc|s\.a\.|s\.r\.l\.|b\.v\.|ag)\b|\s\|\s",
    re.IGNORECASE,
)
_PROSE: Final = re.compile(r"[.!?:]\s*\Z")
_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|i'll|i'm|we|we'll|you|your|my|please|ich|wir|sie|du|bitte|je|j'|nous|vous|tu|yo|nosotros|usted|eu|"
    r"nós|você|io|noi|lei|ik|wij|jij|u)\b",
    re.IGNORECASE,
)


def lines(text: str, sender: Person = UNKNOWN, subject: str = "") -> list[MailLine]:
    """The lines of a message in order, blank ones too."""
    if "\n" not in text and len(text) < 400 and text[:1] not in (">", "-") and "@" not in text:
        return [MailLine("own", text)]  # one short line quotes and signs nothing
    read = _without_chats(_without_calendars(list(_parts(text.split("\n"), subject))))
    return _without_earlier(_without_introduced(_without_published(_signed(read, sender))), sender)


def _without_earlier(read: list[MailLine], sender: Person) -> list[MailLine]:
    """The same lines; an earlier mail begins where a line greets anew below the sender's name, or calls the sender
    ("Ann:" by Ann).
    """
    filled = [number for number, line in enumerate(read) if line.text.strip()]
    for above, below in pairwise(filled) if sender.name else ():
        text = read[below].text.strip()
        greets = _names(read[above].text, sender) and salutations.is_salutation(text)
        calls = text.endswith(":") and _names(text.rstrip(":"), sender)
        if read[below].part == "own" and (greets or calls):
            return [
                line._replace(part="forwarded") if line.part == "own" and number >= below else line
                for number, line in enumerate(read)
            ]
    return read


def _names(text: str, sender: Person) -> bool:
    return names.match(text.strip("-\u2013\u2014 ,./"), [sender]) is not None


def _without_published(read: list[MailLine]) -> list[MailLine]:
    """The same lines; where a copyright stands among the own ones, all behind the first paragraph is passed on."""
    if not any(line.part == "own" and mailwords.PUBLISHED.search(line.text) for line in read):
        return read
    first = next((n for n, line in enumerate(read) if line.text.strip() and not _greets(line.text)), 0)
    end = next((n for n in range(first, len(read)) if not read[n].text.strip()), len(read))
    return [
        line._replace(part="forwarded") if line.part == "own" and number > end else line
        for number, line in enumerate(read)
    ]


def _without_calendars(read: list[MailLine]) -> list[MailLine]:
    """The same lines; an invitation as calendars write it, an attachment among the text, is boilerplate."""
    made, inside = list[MailLine](), False
    for line in read:
        mark = line.text.strip().upper()
        inside = inside or mark == "BEGIN:VCALENDAR"
        made.append(line._replace(part="boilerplate", author=UNKNOWN, day="") if inside else line)
        inside = inside and mark != "END:VCALENDAR"
    return made


def _without_chats(read: list[MailLine]) -> list[MailLine]:
    """The same lines; a chat that was copied into a mail is passed on, each paragraph from its first message on."""
    is_chat = [line.part == "own" and _CHAT_LINE.match(line.text) is not None for line in read]
    if sum(is_chat) < _CHAT_LINES:
        return read
    made, inside = list[MailLine](), False
    for line, begins in zip(read, is_chat, strict=True):
        inside = begins or (inside and line.part == "own" and bool(line.text.strip()))
        made.append(line._replace(part="forwarded") if inside else line)
    return made


#: What programs write in front of a message: "ann42 (11:04:29 AM): ", "[10:15] Ann: ", "12/03/2021, 10:15 - Ann: ".
_CHAT_LINE: Final = re.compile(
    r"\s*(?:[^\d\W][^():\n]{0,40}\s\(\d{1,2}:\d\d:\d\d(?:\s?[ap]m)?\):\s"
    r"|\[(?:[\d./-]{6,10},?\s+)?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[ap]m)?\]\s?<?[^\d\W][^:>\n]{0,40}[:>]\s"
    r"|[\d./-]{6,10},?\s+\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[ap]m)?\s-\s[^\d\W][^:\n]{0,40}:\s"
    r"|\d{1,2}:\d\d(?::\d\d)?\s<[^<>\n]{1,40}>\s)",
    re.IGNORECASE,
)
#: A single line may be part of a schedule.
_CHAT_LINES: Final = 2


def _without_introduced(read: list[MailLine]) -> list[MailLine]:
    """The same lines; the paragraph behind "Ann's mail from Monday:" or "Ann wrote:" is passed on."""
    if not any(line.part == "own" and _introduces(line.text) for line in read):
        return read
    made, inside, begun = list[MailLine](), False, False
    for line in read:
        blank = not line.text.strip()
        inside = inside and not (blank and begun)
        begun = inside and (begun or not blank)
        made.append(line._replace(part="forwarded") if inside and line.part == "own" else line)
        if line.part == "own" and _introduces(line.text):
            inside, begun = True, False
    return made


def _introduces(line: str) -> bool:
    text = line.rstrip()
    return text.endswith(":") and len(text) < _ATTRIBUTION_CHARS and mailwords.INTRODUCED.search(text) is not None


def unwrapped(several: Sequence[MailLine]) -> list[MailLine]:
    """The lines with those of the sender joined that are one (``wrapping``)."""
    widest = max((len(line.text) for line in several if line.part == "own"), default=0)
    made: list[MailLine] = []
    for line in several:
        before = made[-1] if made else None
        own = before is not None and before.part == line.part == "own"
        if before is not None and own and wrapping.goes_on(before.text, line.text, widest):
            made[-1] = before._replace(text=f"{before.text.rstrip()} {line.text.lstrip()}")
        else:
            made.append(line)
    return made


def own_lines(text: str) -> list[str]:
    """The lines of a message that its sender wrote, without greeting, signature and what is quoted."""
    return [
        line.text
        for line in lines(text)
        if line.part == "own" and (len(line.text) > 60 or not _GREETING.fullmatch(line.text))
    ]


def _parts(raw: Sequence[str], subject: str) -> Iterator[MailLine]:
    """Own, quoted and forwarded lines; what only introduces a quote is boilerplate."""
    #: Of all that follows; ``own`` lines have no first author.
    around = MailLine("own", "")
    #: Of the lines behind ">" while the message goes on around them; and whether it quotes by "|".
    marked, by_pipes = MailLine("quoted", ""), _quotes_by_pipes(raw)
    answers = False
    at = 0
    while at < len(raw):
        own = around.part == "own"
        is_marked = _QUOTE.match(raw[at]) and not mailwords.GROUPWISE.fullmatch(raw[at])
        if own and is_marked and (by_pipes or not _PIPE.match(raw[at])):
            # Inside a quote there may be another attribution; all of it was written by others, and is not read on.
            yield marked._replace(text=_unquoted(raw[at]))
            at += 1
            continue
        begins = _begins(raw, at)
        if begins is None:
            text = raw[at] if own else _unquoted(raw[at])
            yield around._replace(text=text)
            answers = answers or (own and any(sign.isalpha() for sign in text) and not _greets(text))
            at += 1
            continue
        yield from (MailLine("boilerplate", _unquoted(line)) for line in raw[at : begins.end])
        at = begins.end
        if begins.kind == "attribution" and own and _QUOTE.match(next(filter(str.strip, raw[at : at + 4]), "")):
            marked = MailLine("quoted", "", begins.author, begins.day)
            by_pipes = by_pipes or _PIPE.match(next(filter(str.strip, raw[at : at + 4]))) is not None
        else:
            passes_on = not answers or mailwords.FORWARD_SUBJECT.match(subject) is not None
            around = _around(begins, around, passes_on=passes_on)


def _quotes_by_pipes(raw: Sequence[str]) -> bool:
    """Whether several lines in a row begin with a pipe, and are no rows of a table."""
    run = 0
    for line in raw:
        run = run + 1 if line.lstrip().startswith("|") and line.count("|") == 1 else 0
        if run >= _PIPED:
            return True
    return False


#: So many lines behind pipes are a quote, even where nothing introduces them.
_PIPED: Final = 3


def _around(begins: _Begins, around: MailLine, *, passes_on: bool) -> MailLine:
    """What all lines are behind this beginning. What a forwarded mail quotes is passed on with it."""
    forwarded = (
        around.part == "forwarded"
        or begins.kind == "forwarded"
        or (begins.kind == "block" and around.part == "own" and passes_on)
    )
    part: Part = "forwarded" if forwarded else "quoted"
    if begins.author == UNKNOWN and begins.kind != "block":
        return around._replace(part=part)
    return MailLine(part, "", begins.author, begins.day)


def _unquoted(line: str) -> str:
    mark = _QUOTE.match(line)
    return line[mark.end() :] if mark else line


class _Begins(NamedTuple):
    """Something of somebody else begins; its introduction ends before line ``end``."""

    kind: Literal["attribution", "block", "original", "forwarded"]
    end: int
    author: Person = UNKNOWN
    day: str = ""


def _begins(raw: Sequence[str], at: int) -> _Begins | None:
    line = _unquoted(raw[at])
    if not line or line.isspace() or len(line) > 2 * _ATTRIBUTION_CHARS:
        return None
    if mailwords.FORWARDED.fullmatch(line):
        block = _block(raw, _next(raw, at + 1))
        return _Begins("forwarded", *((block.end, block.author, block.day) if block else (at + 1,)))
    if mailwords.FORWARDED_BY.match(line):  # Lotus Notes, wrapped over two lines
        block = next((made for n in range(at + 1, min(at + _WRAPPED + 4, len(raw))) if (made := _block(raw, n))), None)
        return _Begins("forwarded", *((block.end, block.author, block.day) if block else (at + 1,)))
    if mailwords.ORIGINAL.fullmatch(line):
        block = _block(raw, _next(raw, at + 1))
        return _Begins("block", block.end, block.author, block.day) if block else _Begins("original", at + 1)
    if _DASHES.fullmatch(line) or mailwords.RESPOND_TO.match(line):
        # Outlook draws a line above its block, Lotus Notes says whom to answer.
        block = _block(raw, _next(raw, at + 1))
        return _Begins("block", block.end, block.author, block.day) if block else None
    return _groupwise(raw[at], at) or _noted(line, at) or _columns(raw, at) or _block(raw, at) or _attribution(raw, at)


def _groupwise(line: str, at: int) -> _Begins | None:
    match = mailwords.GROUPWISE.fullmatch(line)
    return _Begins("block", at + 1, names.named(match["name"].strip())) if match else None


def _noted(line: str, at: int) -> _Begins | None:
    """A Lotus Notes head on one line: "Ann Lee/HQ 03/27/01 07:57 AM  To: Bob Stone  cc:  Subject: Quay"."""
    match = _NOTED.match(line)
    return _Begins("block", at + 1, names.named(match["name"]), headerdates.day(match["sent"])) if match else None


def _columns(raw: Sequence[str], at: int) -> _Begins | None:
    """A Lotus Notes head in two columns: the sender and the day, and beside them "To:", "cc:" and "Subject:"."""
    if not _COLUMN_TO.match(raw[at]):
        return None
    head = range(at + 1, min(at + _HEADER_LINES, len(raw)))
    subject = next((number for number in head if _COLUMN_SUBJECT.match(raw[number])), None)
    if subject is None or not all(
        raw[number][:1] in ("", " ", "\t") or "@" in raw[number] for number in head[: subject - at]
    ):
        return None
    end = next((n for n in range(subject + 1, len(raw)) if not raw[n].strip() or not _COLUMN.match(raw[n])), len(raw))
    return _Begins("block", end)


_COLUMN: Final = re.compile(r"\s{8}")
_COLUMN_TO: Final = re.compile(r"[ \t]{2,}(?:\S.{0,40}?)?[ \t]{2,}To:\s")
_COLUMN_SUBJECT: Final = re.compile(r"[ \t]{2,}(?:\S.{0,40}?)?[ \t]{2,}Subject:\s")
_NOTED: Final = re.compile(
    r"\s*(?P<name>[^\d:]{2,60}?)\s+(?P<sent>\d{1,4}/\d{1,2}/\d{1,4} \d{1,2}:\d\d(?: [AP]M)?)\s+To:\s.*\b(?:cc|Subject):"
)


def _next(raw: Sequence[str], at: int) -> int:
    """The next line that is not blank, of the three from here."""
    return next((number for number in range(at, min(at + 3, len(raw))) if raw[number].strip(" \t>")), at)


def _block(raw: Sequence[str], at: int) -> _Begins | None:
    """Lines like ``From: ...``, ``Sent: ...``, ``Subject: ...``: at least three of them, the sender's too."""
    labels: dict[str, str] = {}
    end = at
    last = ""
    for number in _head(raw, at):
        line = _unquoted(raw[number])
        match = _HEADER.match(line[:600])
        kind = mailwords.LABELS.get(" ".join(match["label"].casefold().split())) if match else None
        if match and kind in labels and kind not in ("to", "cc", "other"):
            break  # another block, or no header at all
        if match and kind:
            labels[kind] = match["value"]
            last = kind
        elif last and _is_within(raw, number, last):
            pass
        elif number == at or not (last == "from" and (line.strip().startswith("<") or not line.strip())):
            break
        end = number + 1
    if "from" not in labels and {"to", "subject"} <= labels.keys() and ("cc" in labels or "sent" in labels):
        return _Begins("block", end)  # Lotus Notes has the sender's name above, without a label
    if "from" not in labels or len(labels) < 3 or not {"sent", "subject", "to"} & set(labels):
        return None
    return _Begins("block", end, names.named(labels["from"]), headerdates.day(labels.get("sent", "")))


_MOMENT: Final = re.compile(r"\s*\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? \d{1,2}:\d\d")
#: Lotus Notes has up to so many lines from one of its header to the next.
_BLANKS: Final = 5


def _head(raw: Sequence[str], at: int) -> Iterator[int]:
    """The lines that a header block may have, however many recipients it names."""
    left = _HEADER_LINES
    for number in range(at, min(at + _RECIPIENT_LINES, len(raw))):
        left -= "@" not in raw[number]
        if left < 0:
            return
        yield number


def _is_within(raw: Sequence[str], at: int, last: str) -> bool:
    """Whether a line without a label is part of a header: wrapped recipients, or what Lotus Notes puts between its
    lines: the day, whom to answer, blank lines. ``last``: the kind of the label before.
    """
    line = _unquoted(raw[at])
    if last == "from" and (_MOMENT.match(line) or mailwords.RESPOND_TO.match(line)):
        return True
    if not line.strip():
        ahead = range(at + 1, min(at + _BLANKS, len(raw)))
        return _is_labelled(raw, next((number for number in ahead if _unquoted(raw[number]).strip()), at))
    is_address = "@" in line or ";" in line or line.startswith((" ", "\t"))
    return last in ("to", "cc") and (is_address or _is_labelled(raw, at + 1))


def _is_labelled(raw: Sequence[str], at: int) -> bool:
    """Whether a line of a header stands there: "Subject: ..."."""
    match = _HEADER.match(_unquoted(raw[at])[:600]) if at < len(raw) else None
    return match is not None and " ".join(match["label"].casefold().split()) in mailwords.LABELS


def _attribution(raw: Sequence[str], at: int) -> _Begins | None:
    """``On ... Bob <bob@...> wrote:`` in any of the languages, on up to three lines."""
    joined = ""
    for number in range(at, min(at + _WRAPPED, len(raw))):
        line = _unquoted(raw[number]).strip()
        if not line or len(joined) + len(line) > _ATTRIBUTION_CHARS:
            return None
        joined = f"{joined} {line}" if joined else line
        if joined.endswith((":", "\uff1a")):
            verb = mailwords.WROTE.search(joined)
            address = _ADDRESS.search(joined)
            dated = mailwords.DATED.search(joined)
            if (verb and (dated or address)) or (address and dated):
                return _Begins("attribution", number + 1, _author(joined, verb, address), headerdates.day(joined))
            return None
    return None


_TIME: Final = re.compile(
    r"\d{1,2}[:.h]\d{2}(?::\d{2})?(?:\s*(?:[ap]\.?m\.?|uhr|h|[A-Z]{2,4}|[+-]\d{4}))?\b", re.IGNORECASE
)
_NAME_END: Final = re.compile(r"((?:[^\W\d_][\w.'-]*,? ){0,5}[^\W\d_][\w.'-]*)\W*\Z")
_NAME_START: Final = re.compile(r"\W*((?:[^\W\d_][\w.'-]*,? ){0,5}[^\W\d_][\w.'-]*)")


def _author(joined: str, verb: re.Match[str] | None, address: re.Match[str] | None) -> Person:
    """Who wrote it, by the name next to the address or to the verb."""
    mail = address[1].lower() if address else ""
    before = joined[: address.start() if address else verb.start() if verb else 0].rstrip(" <([\"'")
    if not address and verb:
        behind = joined[verb.end() :].strip(" :")
        if behind and not mailwords.DATED.search(behind):
            before = behind
    times = list(_TIME.finditer(before))
    if times:
        before = before[times[-1].end() :]
    elif verb and address and verb.end() <= address.start():
        before = before[verb.end() :]
    dates = list(re.finditer(r"(?:19|20)\d\d\b,?", before))
    if dates:
        before = before[dates[-1].end() :]
    wrote = mailwords.WROTE.search(before)
    if wrote and before[wrote.end() :].strip():
        before = before[wrote.end() :]
    for word in ("um", "at", "à", "alle ore", "schrieb", "hat", "Uhr", "AM", "PM", "von"):
        before = (
            before.strip(" ,").removeprefix(word + " ")
            if before.strip(" ,").startswith(word + " ")
            else before.strip(" ,")
        )
    match = _NAME_END.search(before[-120:])
    return names.person(match[1] if match else "", mail)


def _greets(line: str) -> bool:
    """Whether a line alone is no reason to take a mail for an answer: "FYI", "Hi Bob,"."""
    return (
        re.fullmatch(
            r"\s*(?:fyi|f\.y\.i\.?|see below|siehe unten|z(?:ur)? ?\.?k(?:enntnis)?\.?|zur info(?:rmation)?|"
            r"pour info(?:rmation)?|para tu información|"
            r"ter info(?:rmatie)?|per conoscenza|para (?:seu )?conhecimento|(?:\S{1,12} )?\S{1,20},)\s*[.!]?\s*",
            line,
            re.IGNORECASE,
        )
        is not None
        and len(line) < 60
    )


def _signed(read: list[MailLine], sender: Person) -> list[MailLine]:
    """The same lines with signature, closing, disclaimer and programs' lines among the own ones as boilerplate."""
    own = [number for number, line in enumerate(read) if line.part == "own" and line.text.strip()]
    marked = {number for number in own if _lone(read[number].text)}
    marked |= _disclaimers(read, own)
    rest = [number for number in own if number not in marked]
    # A signature ends the own text, or a stretch of it before a quote.
    for end in _ends(read, rest):
        marked |= _signature(read, rest[max(0, end - _SIGNATURE_LINES - 2) : end], sender, rest[0])
    return [line._replace(part="boilerplate") if number in marked else line for number, line in enumerate(read)]


def _ends(read: Sequence[MailLine], own: Sequence[int]) -> Iterator[int]:
    """Positions in ``own`` behind which a quote or the end of the message follows."""
    for position in range(1, len(own) + 1):
        if position == len(own) or any(
            read[number].part in ("quoted", "forwarded")
            for number in range(own[position - 1] + 1, min(own[position - 1] + 8, own[position]))
        ):
            yield position


def _lone(text: str) -> bool:
    """A line that is boilerplate wherever it stands."""
    if len(text) > 240:
        return False
    return bool(
        mailwords.SENT_FROM.fullmatch(text)
        or mailwords.CONFERENCE.fullmatch(text)
        or mailwords.URL_LINE.fullmatch(text)
        or (
            mailwords.UNSUBSCRIBE.search(text.lower())
            and len(text.split()) <= 14
            and not _FIRST_PERSON.search(text.split(" ", maxsplit=1)[0])
            and not mailwords.OF_SELF.search(text.lower())
        )
        or re.fullmatch(
            r"\s*\[?(?:external|extern|externe|externo)(?: (?:e-?mail|sender|absender))?\]?:?\s*", text, re.IGNORECASE
        )
    )


def _disclaimers(read: Sequence[MailLine], own: Sequence[int]) -> set[int]:
    """Paragraphs that a company adds."""
    lines: set[int] = set()
    paragraph: list[int] = []
    for number in (*own, -1):
        if paragraph and (number < 0 or number != paragraph[-1] + 1):
            text = " ".join(read[each].text for each in paragraph)[:4000]
            match = mailwords.DISCLAIMER.search(text.lower())
            # A short sentence of the sender's may hold such words; one that is little else does not.
            if match and (
                len(paragraph) > 1
                or len(text) > 60
                or not _FIRST_PERSON.search(text)
                or 2 * (match.end() - match.start()) > len(text)
            ):
                lines.update(_company_lines(read, paragraph))
            paragraph = []
        paragraph.append(number)
    return lines


def _company_lines(read: Sequence[MailLine], paragraph: Sequence[int]) -> Iterator[int]:
    """From the first line of a paragraph that reads like a disclaimer on; what stands above it was written."""
    first = next(
        (at for at, number in enumerate(paragraph) if mailwords.DISCLAIMER.search(read[number].text[:2000].lower())), 0
    )
    # A sentence of the disclaimer may begin a line or two above its telling words, never behind a person's own.
    while (
        first
        and not _PROSE.search(read[paragraph[first - 1]].text)
        and not _FIRST_PERSON.search(read[paragraph[first - 1]].text)
    ):
        first -= 1
    yield from paragraph[first:]


def _signature(read: Sequence[MailLine], tail: Sequence[int], sender: Person, first: int) -> set[int]:
    """The lines of a signature at the end of these own lines; ``first`` of the message: "Thanks" alone is an answer."""
    for at, number in enumerate(tail):
        text = read[number].text
        if _SIGNATURE_MARK.fullmatch(text):
            return set(_until_postscript(read, tail[at:], strict=True))
        if mailwords.CLOSING.fullmatch(text) or (mailwords.CLOSING_AND_NAME.fullmatch(text) and at >= len(tail) - 8):
            behind = list(_until_postscript(read, tail[at:]))
            if all(len(read[each].text) <= _SIGNATURE_CHARS for each in behind):
                return set(behind) - {first}
    return _unannounced(read, tail, sender)


def _until_postscript(read: Sequence[MailLine], numbers: Sequence[int], *, strict: bool = False) -> Iterator[int]:
    """Lines up to where the sender goes on writing: a postscript, or prose in a paragraph of its own."""
    for at, number in enumerate(numbers):
        text = read[number].text
        if at and (_POSTSCRIPT.match(text) or (not strict and _goes_on(read, number))):
            return
        yield number


def _goes_on(read: Sequence[MailLine], number: int) -> bool:
    text = read[number].text.strip()
    apart = number > 0 and not read[number - 1].text.strip()
    return bool(apart and len(text.split()) >= 4 and _PROSE.search(text) and _FIRST_PERSON.search(text))


def _unannounced(read: Sequence[MailLine], tail: Sequence[int], sender: Person) -> set[int]:
    """A last paragraph that begins with the sender's name, or is one of titles and numbers behind a name."""
    if not tail:
        return set()
    first = len(tail) - 1
    while first > 0 and tail[first - 1] == tail[first] - 1 and len(tail) - first < _SIGNATURE_LINES:
        first -= 1
    paragraph = tail[first:]
    texts = [read[number].text.strip() for number in paragraph]
    for at, text in enumerate(texts):
        below = texts[at + 1 :]
        if any(len(line) > _SIGNATURE_CHARS or (_PROSE.search(line) and _FIRST_PERSON.search(line)) for line in below):
            continue
        if sender.name and _names(text, sender):
            return set(paragraph[at:])
        looks = (
            _NAME_START.fullmatch(text)
            and len(text.split()) in (2, 3, 4)
            and text[:1].isupper()
            and text.split()[-1][:1].isupper()
        )
        if (
            below
            and looks
            and sum(bool(_CONTACT.search(line)) for line in below) * 2 >= len(below)
            and (at == 0 or _PROSE.search(texts[at - 1]))
            and first + at > 0
        ):
            return set(paragraph[at:])
    return set()
