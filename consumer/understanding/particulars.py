"""
What is new of people: "my new number is 0171 2345678", "our new address is 4 Mill Lane, York", "Ann Lee takes over as
chair from Bob Stone", "I have moved to room 4260".

As ``announced``: the words say that it was another before.
"""

from __future__ import annotations

import re
from typing import Final

from consumer.understanding import announced
from consumer.understanding.facts import Plain
from consumer.understanding.grammar import SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.text import fold
from renderers import persons

#: "My new cell number is", by language, up to what is new.
_NEW: Final = {
    "en": r"(?P<what>(?:\b(?:my|our|his|her|their|the|its|(?:\w+ )?[\w'\u2019-]+['\u2019]s?)\s)?new "
    r"(?:(?:phone|cell|mobile|cellular|home|work|office|fax|direct|contact|business|telephone|pager|e-?mail|mailing"
    r"|street"
    r"|postal|personal)\s){0,2}(?:(?<=my new )number|(?<=our new )number|(?<=his new )number|(?<=her new )number"
    r"|(?<! new )number|phone|extension|cell|mobile|fax|pager|e-?mail|address|telephone)(?:\s(?:number|address"
    r"|extension|id|#))?)"
    r"(?: (?:here|there|at \w+|for \w+(?: \w+)?|in \w+))?(?:, (?:by the way|btw),)?(?: (?:is|will be)(?: now)?:?|:)"
    r"|(?P<also>\b(?:my|our|his|her|their) (?:(?:phone|cell|mobile|home|work|office|e-?mail|mailing) )?(?:number"
    r"|address|e-?mail))"
    r" (?:has|is) (?:now )?chang(?:ed|ing)(?: to| and it's now| and is now| and it is now)(?=\s)",
    "de": r"(?P<what>\b(?:mein|unser|ihr|sein|die|\w+s)e?\w* neuen? (?:[\w-]*nummer|(?:[\w-]*)adresse|anschrift"
    "|e-?mail))"
    r"(?: (?:ist|lautet)(?: jetzt| ab sofort)?:?|:)",
    "fr": r"(?P<what>\b(?:mon|ma|notre|son|sa|leur|le|la) (?:nouveau numéro(?: de \w+)?|nouvelle adresse(?:"
    " e?-?mail)?))"
    r"(?: est(?: désormais| maintenant)?(?: le| :)?|\s?:)",
    "es": r"(?P<what>\b(?:mi|nuestr[oa]|su|el|la) (?:nuevo (?:número|teléfono|móvil|correo)(?: de \w+)?|nueva"
    " dirección))"
    r"(?: (?:es|será)(?: el| ahora)?:?|:)",
    "pt": r"(?P<what>\b(?:o |a )?(?:meu|minha|nosso|nossa|o|a) (?:novo (?:número|telefone|telemóvel|email|endereço)"
    "|nova morada))"
    r"(?: (?:é|será)(?: o)?:?|:)",
    "it": r"(?P<what>\b(?:il |la )?(?:mio|nostro|suo|il) nuovo (?:numero(?: di \w+)?|indirizzo(?: \w+)?))(?: (?:è"
    "|sarà)(?: il)?:?|:)",
    "nl": r"(?P<what>\b(?:mijn|ons|onze|zijn|haar|het) nieuwe? (?:[\w-]*nummer|[\w-]*adres))(?: (?:is|wordt)(?:"
    " nu)?:?|:)",
}
_MAIL: Final = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w")
_PHONE: Final = re.compile(r"(?:\+|00)?\(?\d[\d ()/.\-]{5,}\d(?![\w%])")
_EXTENSION: Final = re.compile(r"(?:#|x|ext\.?)?\s?(\d{3,6})(?![ .,:/-]\d|\w)")
#: A street with its number, and what follows up to the end of the sentence.
_STREET: Final = re.compile(r"(?=[^\d]{0,40}\d)[^.;!?()@]{6,90}")
#: Digits of a phone number.
_SHORTEST: Final = 7
_LONGEST: Final = 15
_STREETS: Final = re.compile(
    r"str(?:eet|\.|aße|asse)?\b|\w+(?:straße|strasse|weg|platz|allee|gasse|straat|laan|plein)\b|\b(?:street|road"
    r"|avenue|ave|lane|drive"
    r"|court|square|way|place|close|blvd|boulevard|suite|floor|rd|dr|ln|rue|place|quai|chemin|calle|plaza|paseo"
    r"|avenida|rua|praça"
    r"|travessa|via|piazza|viale|corso)\b"
)

_NAME: Final = (
    r"(?:(?:Mr|Mrs|Ms|Dr|Prof|Frau|Herr|Mme|M)\.? )?[A-Z][\w'\u2019-]+"
    r"(?: (?:[A-Z]\.|[A-Z][\w'\u2019-]+|van|von|de|del|da|dos)){0,3}"
)
_ROLE: Final = (
    r"(?:the |our |your |its )?(?P<role>[\w&/'\u2019-]+(?: [\w&/'\u2019-]+){0,5}?)"
    r"(?=$|[.,;!]| (?:effective|starting|beginning|from|on|as of|with|while|when|and|after|until|this|next|since"
    r"|because|as|so|by|for|here)\b)"
)
#: Who has a role from now on, and who had it.
_ROLES: Final = tuple(
    map(
        re.compile,
        (
            rf"(?P<new>{_NAME}) (?:(?:will|is going to|has|is) )?(?:be )?(?:replac(?:ing|ed|es?)|succeed(?:ing|ed|s)?) "
            rf"(?P<old>{_NAME}) as {_ROLE}",
            rf"(?P<new>{_NAME}) (?:(?:will|is|has|is going to) )?(?:be )?(?:takes?|took|taken|taking) over "
            rf"(?:as |the (?:role|position|job) of |from (?P<old>{_NAME}) as ){_ROLE}(?: from (?P<older>{_NAME}))?",
            rf"(?P<new>{_NAME}) (?:has been|is being|will be) (?:promoted to|appointed(?: as)?|named(?: as)?) {_ROLE}",
            rf"\b(?:[Yy]our|[Oo]ur|[Mm]y|[Tt]he) new (?P<role>[a-z]+(?: [a-z]+){{0,3}}) (?:is"
            rf"|will be) (?P<new>{_NAME})(?=$|[.,;!]| (?:and|who)\b)",
            rf"(?P<new>{_NAME}) (?:übernimmt|hat)(?: \w+){{0,3}}? (?:die|den|das) (?P<role>[A-ZÄÖÜ]\w+(?: (?:der"
            rf"|des|von) \w+){{0,2}}?) "
            rf"von (?P<old>{_NAME})",
            rf"(?P<new>{_NAME}) löst (?P<old>{_NAME}) als (?P<role>[\wäöüß-]+(?: [\wäöüß-]+){{0,2}}?) ab",
            rf"(?P<new>{_NAME}) (?:remplace|remplacera|succède à|a remplacé) (?P<old>{_NAME}) (?:comme|en tant que"
            rf"|au poste de) {_ROLE}",
            rf"(?P<new>{_NAME}) (?:sustituye|sustituirá|reemplaza|reemplazará"
            rf"|ha sustituido) a (?P<old>{_NAME}) como {_ROLE}",
        ),
    )
)
#: Whose desk is somewhere else now.
_MOVED: Final = re.compile(
    r"\b(?:i|we)(?: have|'ve|'m| am| are|'re| will be)?(?: now| just| recently| both| all)? (?:moved|moving"
    r"|relocated|relocating)"
    r"(?: (?:my|our) (?:desk|office)s?)? to (?:the )?"
)
#: Who works in another team now.
_TEAM: Final = re.compile(
    rf"(?P<who>{_NAME}) (?:will be|will|is|has|has been) (?:now )?(?:moving|moved|transferring"
    rf"|transferred|joining|join|joined)"
    r" (?:over )?(?:to )?(?:the |our )(?P<team>[A-Z][\w&-]*(?: [\w&-]+){0,4}? (?:group|team|desk|department|office"
    r"|unit|Group|Team|Department))\b"
)
_TITLED: Final = (
    rf"[A-Z][\w&/'\u2019.-]*(?:,(?= {announced.LEGAL_FORMS}))?"
    r"(?: (?:[A-Z][\w&/'\u2019.,-]*|\d+|of|and|de|du|für)){0,6}"
)
_LEGAL: Final = re.compile(rf"(?<=[ ,]){announced.LEGAL_FORMS}")
_RENAMED: Final = re.compile(
    rf"(?P<old>{_TITLED})(?:, [^,]{{3,40}},|, an? [^.;]{{3,90}},)? "
    rf"(?:(?:has|have) (?:been renamed(?: to| as)?|changed (?:its|their) name to)|changed (?:its|their) name to"
    rf"|(?:is|was|will be) (?:now called|renamed(?: to| as)?|now known as)) (?P<new>{_TITLED}[\w.])"
)
#: Capital words of a person's name at most.
_NAMES: Final = 3
_NO_ROLES: Final = table("by in at on for to most more best i you he she it they we who this that")
#: What has a new name or day, and nobody a role: "the new short name is Quay".
_NO_PERSONS: Final = table("name date time day location place version number address policy title code product id")
#: Words behind which a clause begins.
_THAT: Final = re.compile(r"\b(?:that|is|will be|dass|que|che|dat)\s\Z")
_FEW: Final = table("he she it they we i who this that there here everyone nobody")


def may_be(reading: SentenceReading) -> bool:
    return not _WORDS.isdisjoint(reading.words)


_WORDS: Final = table(
    """
    new neue neuer neues neuen nouveau nouvelle nuevo nueva novo nova nuovo nuova nieuwe nieuw moved moving relocated
    relocating joining joins join transferring transferred renamed name known called replacing replaced replaces
    replace succeeds succeeding succeeded takes taken took taking over promoted
    appointed named übernimmt übernommen löst remplace remplacera sustituye sustituirá reemplaza reemplazará
    """
)


def find(reading: SentenceReading) -> Plain | None:
    """The new number, address, role or desk that the sentence tells; None for wishes, questions and conditions."""
    if reading.is_question or reading.condition or len(reading.text) > announced.LONGEST or not may_be(reading):
        return None
    if announced.is_unsure(reading):
        return None
    return _contact(reading) or _role(reading) or _team(reading) or _renamed(reading) or _desk(reading)


def _contact(reading: SentenceReading) -> Plain | None:  # noqa: PLR0911 - one return a form
    folded = fold(reading.text)
    match = re.search(_NEW[reading.lexicon.words.code], folded)
    if match is None or _ANOTHERS.match(folded, match.start()):
        return None
    if match["what"] and not _OWNED.match(match["what"]):
        return None  # "New phone: 020 7946 0018", "the new extension is 619": whose it is, no word says.
    at = match.end() + len(folded[match.end() :]) - len(folded[match.end() :].lstrip(" *:#"))
    group = "what" if match["what"] else "also"
    subject = reading.text[match.start(group) : match.end(group)]
    words = [word for word in subject.split() if fold(word) not in reading.lexicon.words.articles | _NEWS]
    subject, rest = " ".join(words), reading.text[at:]
    if (mail := _MAIL.match(rest)) is not None:
        return Plain(subject, "email", mail[0].lower(), "", (), alone=True, changed=True)
    if (phone := _PHONE.match(rest)) and _SHORTEST <= sum(map(str.isdigit, phone[0])) <= _LONGEST:
        return Plain(subject, "phone", re.sub(r"[^\d+]", "", phone[0]), "", (), alone=True, changed=True)
    if (extension := _EXTENSION.match(rest)) and "address" not in subject and "adres" not in subject:
        return Plain(subject, "phone", extension[1], "", (), alone=True, changed=True)
    street = _STREET.match(rest)
    is_cut = street is not None and re.match(r"\.\w", rest[street.end() :])  # "21 Mill Road, Whitehorse, Y.T."
    if street and not is_cut and _STREETS.search(fold(street[0])):
        return Plain(subject, "address", " ".join(street[0].split()).rstrip(" ,"), "", (), alone=True, changed=True)
    return None


#: Of somebody whom only the sentences before name, so that it would seem to be the author's.
_ANOTHERS: Final = re.compile(
    r"(?:his|her|their|its|the(?= new address is)|sein\w*|son|sa|leur|su|seu|sua|suo|zijn|haar)\s"
)
_OWNED: Final = re.compile(
    r"(?!(?:(?:the|die|das|der|le|la|el|o|a|il|het|de)\s)?(?:new|neue|nouveau|nouvelle|nuev|nov|nuov|nieuw))"
)
_NEWS: Final = table("new neue neuer neues neuen nouveau nouvelle nuevo nueva novo nova nuovo nuova nieuwe nieuw")


def _role(reading: SentenceReading) -> Plain | None:
    text = " ".join(reading.text.split())
    for pattern in _ROLES:
        if match := pattern.search(text):
            held = match.groupdict()
            role, new = held["role"], held["new"]
            if not _is_person(new, text[: match.start("new")], reading) or fold(role.split()[-1]) in _NO_PERSONS:
                return None
            if fold(role.split()[0]) in _NO_ROLES or _GOES_ON.match(text, match.end("role")):
                return None
            return Plain(
                role, "person", new, "", (), alone=True, changed=True, before=held.get("old") or held.get("older") or ""
            )
    return None


#: A role of two parts, or of what follows: "chair and treasurer", "manager - quay".
_GOES_ON: Final = re.compile(
    r" (?:and|und|et|y|e|en|&) (?!(?:will|is|has|he|she|wird|ist)\b)| ?[-/\u2013]|, [\w ]+ and "
)


def _is_person(name: str, before: str, reading: SentenceReading) -> bool:
    """Whether it is the whole name of one person, behind words that are none of it."""
    if not 1 < len([word for word in name.split() if word[0].isupper() and "." not in word]) <= _NAMES:
        return False  # Also words of the line before.
    if fold(name.split(maxsplit=1)[0]) in _FEW | reading.lexicon.words.articles or not persons.is_person(name, ""):
        return False
    return _begins(before)


def _begins(before: str) -> bool:
    """Whether a name may begin behind these words, and none of them belongs to it."""
    return not before.rstrip()[-1:].isalnum() or _THAT.search(before) is not None


def _team(reading: SentenceReading) -> Plain | None:
    text = " ".join(reading.text.split())
    match = _TEAM.search(text)
    if match is None or not _is_person(match["who"], text[: match.start()], reading):
        return None
    return Plain(match["who"], "team", match["team"], "", (), alone=True, changed=True)


def _renamed(reading: SentenceReading) -> Plain | None:
    text = " ".join(reading.text.split())
    match = _RENAMED.search(text)
    # A name at the end of a line without a full stop goes on in the next one.
    if match is None or match.end() == len(text) != len(text.rstrip(".!")) + 1 or fold(match["old"].split()[0]) in _FEW:
        return None
    if not _begins(text[: match.start()]):
        return None  # "Quay Ltd., a firm of the Province of Ternland, has changed"
    form = _LEGAL.search(match["new"])
    new = match["new"]
    new = new[: form.end()] if form else new.rstrip(".")  # "Quay Inc. The desk will"
    return Plain(match["old"].rstrip(","), "name", new, "", (), alone=True, changed=True)


def _desk(reading: SentenceReading) -> Plain | None:
    """Where the author sits now; their name is the subject."""
    match = _MOVED.search(fold(reading.text))
    place = announced.place(reading, match.end()) if match else None
    return Plain("", "place", place, "", (), alone=True, changed=True) if place else None
