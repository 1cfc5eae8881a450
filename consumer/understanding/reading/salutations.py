"""Whom a message greets: of several who get it, the one that it speaks to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from consumer.understanding.reading import names
from consumer.understanding.reading.tables import word_set
from consumer.understanding.reading.turns import NO_SPEAKERS
from consumer.understanding.utterances import ME, Person

_GREETINGS: Final = (
    r"hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening)|morning|hallo|guten (?:tag|morgen|abend)|moin|"
    r"liebe[rs]?|sehr geehrte[rs]?|bonjour|salut|bonsoir|cher|chère|hola|buenos días|buenas|estimad[oa]|querid[oa]|"
    r"olá|oi|bom dia|car[oa]|prezad[oa]|ciao|buongiorno|gentile|egregio|hoi|beste|geachte|dag"
)
_TITLES: Final = (
    r"(?:mr|mrs|ms|miss|dr|prof|professor|sir|herrn?|frau|madame|monsieur|mme|m|señora?|sr|sra|dona|signora?|"
    r"sig|dott|dottoressa|heer|mevrouw)\.?\s+"
)
_SALUTATION: Final = re.compile(
    rf"\s*(?:(?P<greeting>{_GREETINGS})[,!]?\s+)?(?:{_TITLES})*"
    r"(?P<names>[^\W\d_][\w'.-]{0,30}(?:(?:\s*(?:,|&|/|\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b)\s*|\s)"
    r"[^\W\d_][\w'.-]{0,30}){0,3})"
    r"\s*(?:[,:;!\u2013\u2014]|\.|-{1,2}(?=\s|\Z)|\Z)",
    re.IGNORECASE,
)
#: What answers, right before a name: "Ok Bob, that works".
_ANSWERING: Final = re.compile(
    r"\A\s*(?i:ok|okay|thanks|thank you|sorry|sure|yes|no)\s+"
    r"(?=(?!(?i:mon|tues|wednes|thurs|fri|satur|sun)day)[A-Z][a-z]{2,20}\s*,)"
)
_JOINT: Final = re.compile(r"\s*(?:,|&|/|\b(?:and|und|et|y|e|en)\b)\s*", re.IGNORECASE)
#: Words that greet all, or nobody by name.
_ALL: Final = word_set(
    "all team everyone everybody folks friends colleagues both there again guys sir madam ladies gentlemen members "
    "mom mum mommy mummy mama dad daddy papa grandma grandpa nana aunt uncle sis bro son daughter love honey hon babe "
    "baby sweetie sweetheart darling dear buddy dude man boss chief coach stranger mutti vati mutter vater oma opa "
    "schatz liebling maman chéri chérie mon ma mi mamá papá abuela abuelo amor cariño mãe pai avó avô mamma babbo "
    "nonna nonno tesoro amore schat lieverd "
    "neighbour neighbor neighbours neighbors sister brother cousin friend pal nachbar nachbarin nachbarn schwester "
    "bruder freund freundin tante onkel kollege kollegin voisin voisine voisins sœur soeur frère ami amie cousine "
    "tonton tata vecino vecina vecinos hermana hermano amigo amiga primo tía tío guapa guapo vizinho vizinha vizinhos "
    "irmã irmão tia tio vicino vicina sorella fratello amico amica zia zio cugina cugino buur buurman buurvrouw zus "
    "broer vriend vriendin oom "
    "alle zusammen kollegen tous toutes équipe todos todas equipo equipe pessoal tutti tutte allen iedereen"
)
#: What may stand alone on a first line, or before a comma or a colon, and is nobody's name.
NO_NAMES: Final = (
    _ALL
    | NO_SPEAKERS
    | word_set(
        "thanks thx danke merci gracias grazie obrigado bedankt greetings hi hello hey fyi urgent reminder note "
        "attachment attachments importance ok okay yes no sorry done sure great perfect congratulations congrats "
        "agreed approved received anyone btw wow hmm oh ah ps well besides meanwhile lastly finally otherwise however "
        "therefore additionally alternatively request option step bonus tip help attention logistics plus "
        "übrigens außerdem zudem ferner apropos trouwens overigens bovendien daarnaast tevens aliás além além disso "
        "además bueno inoltre comunque dunque ailleurs ensuite sinon"
    )
)


def greeted(text: str, hearers: tuple[Person, ...], first: tuple[Person, ...] = ()) -> tuple[Person, ...]:
    """Those of several hearers whom the first line of a message greets; all of them where it greets nobody by name.

    "Hi Tom," in a mail to three asks Tom. A name that none of them has is somebody all the same: a nickname, or one who
    got the mail by a list. A single hearer is meant, whatever they are called, and so is the only one of a mail's
    ``first`` line, where the others only get a copy.
    """
    if len(hearers) < 2 or not text[:1].strip():
        return hearers
    text, answers = _ANSWERING.subn("", text[:120])
    match = _SALUTATION.match(text)
    if match is None:
        return hearers
    whole = names.match(match["names"], hearers)
    if whole is not None:
        return (whole,)
    parts = _JOINT.split(match["names"])
    hits = [_meant(part, hearers) for part in parts]
    # "Hi Tom, thanks", and "Tom and somebody else".
    end = next((n for n, hit in enumerate(hits) if hit is None), len(hits))
    if end and (end == len(parts) or match["names"][sum(map(len, parts[:end])) :].lstrip().startswith(",")):
        return names.distinct(hit for hit in hits[:end] if hit is not None)
    alone = match.end() == len(text.rstrip()) and len(parts) == 1 and " " not in parts[0]
    called = (alone or answers) and parts[0].casefold() not in NO_NAMES and not parts[0].isupper()
    greets = match["greeting"] or called
    several = len({person for person in hearers if person != ME}) > 1
    unknown = several and greets and not end and _is_name(parts[0])
    if unknown and len(first) == 1 and len(parts) == 1:
        return first
    return (Person(parts[0], ""),) if unknown else hearers


def greets_all(text: str) -> bool:
    """Whether a message greets many: "Dear all,", "Hi everyone -", "Liebes Team,", "Team:"."""
    return _TO_ALL.match(text[:120]) is not None


def past(text: str) -> int:
    """Where a sentence goes on behind "Hi Tom, " or "Liebe Frau Klein - "; 0 where it begins with no such greeting."""
    match = _GREETED.match(text[:80])
    return match.end() if match else 0


def is_greeting_alone(text: str) -> bool:
    """Whether a sentence greets and says nothing more: "Guten Morgen", "Hi Tom,", "Good evening everyone!"."""
    return _GREETING_ALONE.fullmatch(text[:120]) is not None


_GREETING_ALONE: Final = re.compile(rf"\s*(?:{_GREETINGS})(?:[,\s]+[^\W\d_][\w'.-]*){{0,2}}[\s\W]*", re.IGNORECASE)
#: Of one or two capitalised words.
_GREETED: Final = re.compile(
    rf"\s*(?i:{_GREETINGS})\s+(?i:{_TITLES})*[A-Z\u00c0-\u00de][\w'.-]*(?: [A-Z\u00c0-\u00de][\w'.-]*)?"
    r"\s*[,:!\u2013\u2014-]\s+(?=\w)"
)


def greeting_words(words: Sequence[str]) -> int:
    """How many words greet before a name: 1 in "hi tom can you", 0 in "tom can you"."""
    return next((n for n in (2, 1) if _HAIL.fullmatch(" ".join(words[:n]))), 0)


_HAIL: Final = re.compile(rf"hee|hej|yo|coucou|oye|servus|{_GREETINGS}", re.IGNORECASE)


def greets_one(text: str) -> bool:
    """Whether a message begins with the name of one person: "Hi Tom,", "Dear Ms Klein:"."""
    match = _SALUTATION.match(text[:120])
    ends = match is not None and text[: match.end()].rstrip().endswith((",", ":", "!", "-", "."))
    return match is not None and ends and bool(match["greeting"]) and len(names_begun_with(text)) == 1


def names_begun_with(text: str) -> tuple[str, ...]:
    """The first words of the names that a message begins with: "Hi Tom,", "Tom, could you", "Ann/Bob, here it is"."""
    match = _SALUTATION.match(text[:120])
    if match is None or greets_all(text):
        return ()
    is_called = match["greeting"] or text[: match.end()].rstrip().endswith((",", ":", "!", "-"))
    parts = _JOINT.split(match["names"])
    return tuple(part.split()[0] for part in parts) if is_called and all(map(_is_name, parts)) else ()


def is_salutation(text: str) -> bool:
    """Whether the names that a message begins with are surely those of whom it is for.

    "Hi Tom" is, as are "Tom:" alone on its line and two names at once; "Good Job!", "Houston, we" and "Monday: we" need
    not be.
    """
    match = _SALUTATION.match(text[:120])
    called = [part.casefold() for part in _JOINT.split(match["names"])] if match else []
    if match is None or not NO_NAMES.isdisjoint(called):
        return False
    joint = re.search(r"[/&]|\s(?:and|und|et|y|e|en)\s", match["names"])
    alone = match.end() == len(text.rstrip()) and text.rstrip().endswith((",", ":", "-"))
    return bool(match["greeting"] or joint or alone)


#: Words for all who get a message.
_MANY: Final = (
    r"all|team|everyone|everybody|folks|friends|colleagues|guys|ladies|gentlemen|members|users|alle|zusammen|"
    r"kolleg(?:en|innen)|freunde|mitglieder|damen und herren|tous|toutes|équipe|collègues|ami(?:s|es)|todos|todas|"
    r"equipo|compañer[oa]s|amig[oa]s|colegas|equipe|pessoal|tutti|tutte|squadra|colleghi|colleghe|amici|allen|allemaal|"
    r"iedereen|collega's|vrienden|leden|participants|customers|clients|students|parents|partners|teilnehmer(?:innen)?|"
    r"kund(?:en|innen)|eltern|étudiants|clientes|participantes|clienti|partecipanti|klanten|deelnemers|ouders"
)
_TO_ALL: Final = re.compile(
    rf"\s*(?:(?:{_GREETINGS}|liebes|chers|chères|caros|caras|cari|care|queridos|estimados|thanks|attention)[,!]?\s+(?:[^\W\d_]+\s+){{0,2}}?(?:{_MANY})\b|"
    rf"(?:{_MANY})\s*(?:[,:;!\u2013\u2014-]|\Z))",
    re.IGNORECASE,
)


def _meant(name: str, hearers: tuple[Person, ...]) -> Person | None:
    """The hearer of that name, or the only one whose name begins like it: "Rob" for Robert, "Jake" for Jacob."""
    hit = names.match(name, hearers)
    if hit is not None or not _is_name(name):
        return hit
    return names.nicknamed(name, hearers)


def _is_name(text: str) -> bool:
    words = text.split()
    return (
        bool(words) and all(word[0].isupper() for word in words) and _ALL.isdisjoint(word.casefold() for word in words)
    )
