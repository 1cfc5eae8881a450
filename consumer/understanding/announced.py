"""
What a sentence says has changed: "the review has been moved to Friday", "the fee rises from 25 to 30 euros",
"wir haben das Treffen auf den 3. verschoben", "Ann Lee takes over as chair from Bob Stone".

``facts`` reads values that hold, and compares them with what was said before. Here the words themselves say that there
was another value, so that nobody needs to have heard of it. Anything that is only wished, asked for or possible is
none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from typing import Final, NamedTuple

from consumer.understanding import dates, facts, values
from consumer.understanding.facts import Plain
from consumer.understanding.grammar import SentenceReading
from consumer.understanding.languages.words import words as table
from consumer.understanding.text import fold


class _Tongue(NamedTuple):
    """Patterns of a language over folded text."""

    #: Behind what changed: "has been moved".
    changed: str
    #: Before it, with whoever changes it: "we have moved".
    active: str
    #: Behind what has a value, which is news only instead of another: "will be", and by itself: "will now be".
    stands: str
    stands_now: str
    #: Before a new value, before a day or place of something, before the old value, and before one that is excluded.
    to: str
    at: str
    of: str
    instead: str
    #: Behind what changed: the day that was planned for it.
    planned: str
    #: Words where a clause begins, so that nothing before them belongs to what changed.
    joints: str
    #: What is only wished, possible or under a condition.
    unsure: str
    #: Nothing that anybody could look up: "it", "this".
    pronouns: str
    #: Of which there are many: "every", "weekly".
    last: str = ""


_EN: Final = _Tongue(
    changed=r"(?:(?:has|have|had to|was|were|is|are|will|got)(?: (?:now|since|just|also|been|be|being|had to be))*\s)?"
    r"(?:moved|moving|re-?scheduled|postponed|pushed(?: back| out)?|put back|brought forward|shifted|bumped|changed"
    r"|extended|delayed|relocated|relocating|switched|increased|increases|raised|rises|reduced|lowered)(?: up| back"
    r"| out| forward)?"
    r"|will (?:move|change|increase|rise|go up|go down|drop)|(?:goes|going|gone) (?:up|down)"
    r"|(?:has|have|was|were|is|are|will be|been) cut",
    stands=r"(?:is|are|will be|takes place|starts)(?: going to be)?(?: held| played| coming| arriving| leaving)?"
    r"|arrives|departs|leaves|opens|closes|costs",
    stands_now=r"(?:is|are) now(?: going to be)?(?: scheduled| planned| held| due)?|will now (?:be|start|begin"
    r"|take place)"
    r"(?: held| due| meeting)?|now (?:starts|begins|takes place|costs|departs|arrives|leaves|opens|closes)"
    r"|has been (?:rescheduled|moved|postponed) and (?:will be|is now)(?: held)?",
    active=r"(?:(?:i|we|they|he|she)(?: have|'ve| has|'re| are| am|'m| had to)?(?: now| just| also)?|has|have|had to)\s"
    r"(?:moved?|moving|re-?schedul(?:ed|ing)|postpon(?:ed|ing)|push(?:ed|ing)(?: back)?|shift(?:ed|ing)|bump(?:ed"
    r"|ing)|chang(?:ed|ing)"
    r"|extend(?:ed|ing)|delay(?:ed|ing)|brought forward|raised|raising|increased|increasing|cut|reduc(?:ed|ing))",
    to=r"to|until|till",
    at=r"for|on|at|in|@|but on|but",
    of=r"from",
    instead=r"instead of|rather than|and not|not|\(not|\(from|\(instead of|(?:, |\()?(?:originally|previously"
    r"|formerly)(?: scheduled| planned)?(?: for| on| at)?|\(was|down from|up from",
    planned=r"(?:(?:that|which) (?:was|is|were|had been) )?(?:(?:originally|previously|formerly|first|initially)\s)?"
    r"(?:scheduled|planned|set|announced)(?: for| on| at)?|(?:originally|previously) (?:for|on)|on|of|for",
    joints=r"please note|note|reminder|that|but|and|so|because|since|as|therefore|however"
    r"|which|who|while|although"
    r"|if|when"
    r"|where|whereby|until|after|before|also|now|then|fyi|i see|i understand",
    unsure=r"can|could|may(?= \D)|might|should|would|must|let's|if|unless|propos\w+|suggest\w*|want\w*|hope\w*"
    r"|try\w*|wish\w*"
    r"|perhaps|either|maybe|possibl[ey]|probably|likely|whether|request\w*|like to|need\w*|think\w*|consider\w*"
    r"|rumou?r\w*",
    pronouns="it this that these those they he she we i you there what which one everything nothing some all both",
)
_DE: Final = _Tongue(
    changed=r"wurde|wird|werden|wurden|ist|sind|verschiebt sich|steigt|sinkt|verlängert sich",
    stands=r"ist|sind|findet|beginnt|startet|beträgt|kostet|liegt bei",
    stands_now=r"(?:ist|sind|findet|beginnt|startet|kostet) (?:jetzt|nun|neu)(?: erst)?",
    active=r"(?:(?:ich|wir)\s(?:habe|haben|verschiebe|verschieben|verlege|verlegen|mussten|musste)"
    r"|(?:habe|haben|verschiebe|verschieben|verlege|verlegen|mussten|musste)\s(?:ich|wir)|hat|haben)",
    to=r"auf|bis(?: zum)?|ins|in den|in die",
    at=r"um|am|im|in|sondern(?: am| um)?",
    of=r"von|vom|von bisher",
    instead=r"statt(?: am| wie geplant am| wie bisher)?|anstatt|anstelle von|und nicht|nicht|\(statt|\(bisher|bisher",
    planned=r"(?:(?:ursprünglich|zunächst|eigentlich)\s)?(?:für den|am|für)?",
    joints=r"dass|aber|und|weil|da|denn|deshalb|daher|außerdem|der|die|das(?= \w+ \w+ )",
    unsure=r"könn\w+|kann|dürfte\w*|sollte\w*|würde\w*|wollen|möchte\w*|wenn|falls|vielleicht|eventuell|vermutlich"
    r"|wahrscheinlich|ob|vorschlag\w*|schlage\w*|bitte|lass uns|hoffe\w*|müsste\w*",
    pronouns="es das dies dieser diese er sie wir ich alles nichts man",
    last=r"verschoben|verlegt|vorverlegt|vorgezogen|vertagt|geändert|erhöht|gesenkt|verlängert|angehoben|gekürzt"
    r"|verschieben|verlegen|ändern|erhöhen|statt|stattfinden",
)
_FR: Final = _Tongue(
    changed=r"(?:(?:est|a été|sera|sont|ont été)(?: finalement| désormais| maintenant)?\s)?"
    r"(?:reportée?s?|déplacée?s?|décalée?s?|avancée?s?|repoussée?s?|passée?s?|prolongée?s?|augmentée?s?|réduite?s?)"
    r"|passe(?:nt|ra|ront)?|augmente(?:ra)?",
    stands=r"(?:est|sera)(?: de)?|aura lieu|commence|coûte",
    stands_now=r"(?:aura|auront) (?:finalement|désormais) lieu|(?:est|sera) (?:désormais|maintenant"
    r"|finalement)(?: prévue?)?"
    r"|commence (?:désormais|maintenant|finalement)",
    active=r"(?:j'ai|nous avons|on a|a|ont)\s(?:dû\s)?(?:reporté|déplacé|décalé|avancé|repoussé|changé|prolongé"
    r"|augmenté"
    r"|réduit|baissé|reporter|déplacer|décaler|avancer)",
    to=r"au|aux|à|jusqu'au|pour le",
    at=r"le|à|en",
    of=r"du|de",
    instead=r"au lieu du|au lieu de|et non(?: pas)?(?: le)?|plutôt que(?: le)?|\(au lieu du|\(au lieu de",
    planned=r"(?:initialement\s)?prévue?s?(?: pour)?(?: le)?|du",
    joints=r"que|mais|et|donc|car|parce que|puisque|qui|comme|si|quand",
    unsure=r"peut|peux|pourrait|pourrions|pourrais|devrait|devrions|serait|si|peut-être|voudrai\w*|aimerai\w*"
    r"|propose\w*"
    r"|souhait\w+|probablement|veuillez|faudrait|espère",
    pronouns="il elle ce cela ça on nous je tout rien",
)
_ES: Final = _Tongue(
    changed=r"(?:(?:se )?(?:ha|han)(?: sido)?\s|fue\s|queda\s|será\s|ha quedado\s)?"
    r"(?:aplazad[oa]s?|pospuest[oa]s?|retrasad[oa]s?|trasladad[oa]s?|cambiad[oa]s?|movid[oa]s?|adelantad[oa]s?"
    r"|prorrogad[oa]s?|ampliad[oa]s?|pasado)"
    r"|se (?:aplaza|pospone|retrasa|traslada|cambia|mueve|adelanta|amplía|aplazó|pospuso|retrasó|trasladó|cambió|movió"
    r"|adelantó)|pasa(?:rá)?|pasó|cambia|sube|subirá|baja(?:rá)?",
    stands=r"(?:es|será)(?: de)?|empieza|cuesta",
    stands_now=r"ahora (?:es|será|empieza)|(?:es|será|empieza) (?:ahora|finalmente)|será finalmente",
    active=r"(?:he|hemos|ha|han|hemos tenido que|he tenido que)\s(?:aplazado|pospuesto|retrasado|trasladado|cambiado"
    r"|movido|adelantado|pasado|ampliado|subido|bajado|reducido|aumentado|aplazar|mover|cambiar|retrasar)",
    to=r"al|a la|a las|a|para el|hasta el|hasta las",
    at=r"el|a las|a la|en",
    of=r"del|de la|de las|de",
    instead=r"en lugar del?|en vez del?|y no(?: el)?|no el|\(en vez del?|\(en lugar del?",
    planned=r"(?:inicialmente\s)?previst[oa]s? para el|del",
    joints=r"que|pero|y|así que|porque|ya que|como|si|cuando",
    unsure=r"puede|podría\w*|podemos|debería\w*|sería|si|quizás?|tal vez|quisiera|quiero|queremos|propongo|propone\w*"
    r"|gustaría|probablemente|habría|ojalá|espero",
    pronouns="eso esto esta ello él ella lo todo nada",
)
_PT: Final = _Tongue(
    changed=r"(?:(?:foi|será|fica|ficou|está)\s)?(?:adiad[oa]s?|transferid[oa]s?|movid[oa]s?|alterad[oa]s?"
    r"|antecipad[oa]s?"
    r"|remarcad[oa]s?|prorrogad[oa]s?|mudad[oa]s?)|passa|passou|passará|muda|mudou|sobe|subiu|desce",
    stands=r"(?:é|será)(?: de)?|começa|custa",
    stands_now=r"agora (?:é|será|começa)|(?:é|será|começa) agora",
    active=r"(?:adiei|adiámos|adiamos|mudei|mudámos|mudamos|remarquei|remarcámos|remarcamos|antecipámos|antecipamos"
    r"|tivemos de (?:adiar|mudar)|adiou|adiaram|mudou|mudaram)",
    to=r"para o dia|para o|para a|para as|para|até",
    at=r"no dia|às|em|a",
    of=r"do dia|do|da|das|de",
    instead=r"em vez do dia|em vez d[oea]s?|e não|\(em vez d[oea]",
    planned=r"(?:inicialmente\s)?previst[oa]s? para(?: o dia| o)?|do dia|do",
    joints=r"que|mas|e|por isso|porque|já que|como|se|quando",
    unsure=r"pode\w*|poderia\w*|deveria\w*|seria|se|talvez|gostaria\w*|quero|queremos|proponho|provavelmente|espero",
    pronouns="isso isto este ele ela tudo nada",
)
_IT: Final = _Tongue(
    changed=r"(?:(?:è stat[oa]|sarà|viene|è|sono stat[ie])\s)?(?:rinviat[oaie]|spostat[oaie]|posticipat[oaie]"
    r"|anticipat[oaie]"
    r"|rimandat[oaie]|prorogat[oaie]|cambiat[oaie])|passa|passerà|sale|salirà|scende|slitta",
    stands=r"(?:è|sarà)(?: di)?|inizia|costa",
    stands_now=r"ora (?:è|sarà|inizia)|(?:è|sarà|inizia) ora",
    active=r"(?:ho|abbiamo|ha|hanno)\s(?:dovuto\s)?(?:rinviato|spostato|posticipato|anticipato|rimandato|prorogato"
    r"|cambiato"
    r"|aumentato|ridotto|spostare|rinviare)",
    to=r"al|alla|alle|all'|a|fino al",
    at=r"il|alle|in",
    of=r"dal|dalla|dalle|dall'|da",
    instead=r"invece d[ie]l?|anziché(?: il)?|e non(?: il)?|\(invece del",
    planned=r"(?:inizialmente\s)?previst[oa]s? per il|del",
    joints=r"che|ma|e|quindi|perché|poiché|come|se|quando",
    unsure=r"può|potrebbe\w*|possiamo|dovrebbe\w*|sarebbe|se|forse|vorrei|vogliamo|propongo|probabilmente|spero",
    pronouns="esso questo questa ciò lui lei tutto niente",
)
_NL: Final = _Tongue(
    changed=r"(?:is|wordt|werd|zijn|worden)(?: (?:verplaatst|verschoven|uitgesteld|verzet|vervroegd|verlengd"
    r"|verhoogd|verlaagd))?"
    r"|stijgt|daalt|verschuift",
    stands=r"is|zijn|begint",
    stands_now=r"(?:is|zijn|begint|kost) nu(?: pas)?",
    active=r"(?:(?:ik|we|wij)\s(?:heb|hebben|verplaats|verplaatsen|verschuif|verschuiven)|heeft|hebben)",
    to=r"naar|tot",
    at=r"op|om|in",
    of=r"van",
    instead=r"in plaats van|niet(?: op)?|\(in plaats van",
    planned=r"(?:oorspronkelijk\s)?(?:gepland )?(?:op|van)",
    joints=r"dat|maar|en|dus|omdat|want|die|als|toen|of",
    unsure=r"kan|kunnen|kon|zou|zouden|moet|als|misschien|wil|willen|graag|voorstel\w*|waarschijnlijk|hoop",
    pronouns="het dit dat deze hij zij we ik alles niets",
    last=r"verplaatst|verschoven|uitgesteld|verzet|vervroegd|verlengd|verhoogd|verlaagd|gewijzigd|verplaatsen",
)
_TONGUES: Final = {"en": _EN, "de": _DE, "fr": _FR, "es": _ES, "pt": _PT, "it": _IT, "nl": _NL}

#: Verbs of what is counted.
_AMOUNTS: Final = re.compile(
    r"increas|rais|rise|reduc|lower|\bcut|\b(?:up|down)\b|steigt|sinkt|erhöh|senk|augment|rédui|sube|baja|sobe|sale"
    r"|scende"
    r"|stijg|daal|verhoog|verlaag"
)
#: How a language whose participle comes last says that something changes without one.
_WHOLE: Final = re.compile(
    r"verplaatst|verschoven|uitgesteld|verzet|vervroegd|verlengd|verhoogd|verlaagd|verschiebt sich|steigt|sinkt"
    r"|verlängert sich|verschiebe|verschieben|verlege|verlegen|stijgt|daalt|verschuift"
    r"|verplaats|verplaatsen|verschuif|verschuiven"
)
#: Words of a value's place: "the Opera room", "3rd floor".
_PLACES: Final = table(
    """
    room hall floor street avenue road office building hotel school centre center library cafe café restaurant park
    church station gym studio clinic theatre theater museum house lounge suite auditorium annex terminal gate campus
    raum saal zimmer straße platz büro gebäude schule bibliothek kirche bahnhof halle stock etage haus aula
    salle rue bureau école bibliothèque église gare étage bâtiment hôtel sala calle oficina edificio escuela biblioteca
    iglesia planta aula edifício escola igreja rua andar ufficio scuola chiesa via piano zaal straat kantoor gebouw kerk
    verdieping
    """
)
#: What is a place, so that its value needs no word for one.
_PLACED: Final = table(
    """
    location venue place room office address site desk ort treffpunkt raum adresse büro veranstaltungsort saal lieu
    salle adresse bureau lugar sitio sala dirección oficina local endereço luogo sede indirizzo ufficio locatie plaats
    zaal adres
    """
)
_ROOM: Final = re.compile(
    # "1030" is an hour.
    r"[a-z]{1,4}[- ]?\d{2,5}[a-z]?\d*|(?!(?:(?:19|20)\d\d|(?:[01]?\d|2[0-3])(?:00|15|30|45))\Z)\d{3,5}[a-z]?"
)
_NAMED_PLACE: Final = re.compile(
    r"(?P<place>(?:(?:(?:video |conference |meeting |board )*room|suite|raum|zimmer|salle|bureau|sala"
    r"|kamer)\s)?(?:\d+(?:st|nd|rd|th)|[A-Z0-9][\w'\u2019&./#-]*)(?:\s+(?:[A-Z0-9][\w'\u2019&./#-]*|of|the|de|du"
    r"|del|am|an"
    r"|floor|room|hall|office|building|house|[sS]tock)\b)*)"
)
#: Letters of a sentence that is read: an announcement is short, and patterns take longer than a text grows.
LONGEST: Final = 1_000
#: Words of a subject at most, and a value's start may lie so far behind its preposition: "on the".
_SUBJECT: Final = 9
_VALUES: Final = 4
_BOUNDARY: Final = re.compile(r"[.;:!?\u2013\u2014*\"\u201c\u201d]|\s-\s|,(?!\s?\d)")
#: Before the day that something was planned for.
_SET: Final = re.compile(r"(?:scheduled|planned|set|due|geplant|prévue?s?|previst[oa]s?|gepland)(?: \w+){0,3} \Z")
#: A sentence that begins behind a line without an end.
_ANEW: Final = re.compile(r"\s(?=(?:The|This|Our|Your|My|Please|Die|Der|Das|Le|La|El) )")
_GROUPED: Final = re.compile(r"\([^)]*\)")


class _Held(NamedTuple):
    kind: str
    value: str
    unit: str
    end: int


class _Change(NamedTuple):
    new: _Held
    old: _Held | None
    end: int


@cache
def _patterns(code: str) -> dict[str, re.Pattern[str]]:
    tongue = _TONGUES[code]
    made = {
        name: re.compile(rf"(?<![\w'])(?:{getattr(tongue, name)})(?![\w'])".replace(" ", r"\s+"))
        for name in ("changed", "active", "stands", "stands_now", "unsure", "joints")
    }
    made["since"] = re.compile(
        r"\s(?:ab(?: dem)?|vanaf|effective|à partir d[eu]|a partir del?|desde(?: el)?|dal|(?:d')?ora)\s"
    )
    made["relative"] = re.compile(
        r"\b(?:that|which) (?=(?:was|is|were|had been) (?:originally|previously|scheduled|planned|set)\b)"
    )
    made["planned"] = re.compile(rf"(?:(?<=\s)(?:{tongue.planned}))?\s*\Z")
    made["last"] = re.compile(rf"[\s,]*(?:{tongue.last})(?!\w)") if tongue.last else re.compile("")
    made["linked"] = re.compile(
        rf"[\s,]*(?:(?:(?P<instead>{tongue.instead})(?:\s(?:{tongue.at}))?|(?P<of>{tongue.of})|(?P<to>{tongue.to})"
        rf"|(?P<at>{tongue.at}))\s)?"
        rf"\s*(?:(?:the|den|dem|der|die|das|le|la|les|el|los|o|il|lo|de|het|new date(?: & time)?,?|weekend of"
        rf"|week of|previous|original|earlier|existing|current)\s)*"
    )
    return made


def may_be(reading: SentenceReading) -> bool:
    """Whether any word of it can say that something changes; most sentences have none."""
    return not _stems(reading.lexicon.words.code).isdisjoint([word[:_STEM] for word in reading.words])


@cache
def _stems(code: str) -> frozenset[str]:
    tongue = _TONGUES[code]
    text = " ".join((tongue.changed, tongue.active, tongue.stands_now, tongue.instead, tongue.last))
    return frozenset(word[:_STEM] for word in re.findall(r"[^\W\d_]{3,}", text) if word not in _SMALL) | {
        "resch",
        "re-sc",
    }


_STEM: Final = 5
#: Words of the patterns that stand in most sentences.
_SMALL: Final = table(
    """
    has have had was were are will got the been being also and not for going has they she can
    wurde wird werden wurden ist sind hat haben habe ich wir wie sich nicht und von
    est sera ont été nous avons sont elle pas que ser fue han hemos del con una será
    foi fica está ter non sono sarà viene abbiamo hanno nel zijn wordt werd worden heeft hebben niet ora
    """
)


def find(reading: SentenceReading) -> Plain | None:
    """The change that the sentence announces; None where it only asks for one or leaves open what changes, or how."""
    code = reading.lexicon.words.code
    if reading.is_question or len(reading.text) > LONGEST or not may_be(reading):
        return None
    folded, patterns = fold(reading.text), _patterns(code)
    for name in ("active", "changed", "stands_now", "stands"):
        for match in patterns[name].finditer(folded):
            plain = _announced(reading, folded, name, match)
            if plain:
                return plain
    return None


def as_news(plain: Plain, reading: SentenceReading) -> Plain | None:
    """The change as it is told; None for half a subject, for a figure of a report, and for what was long ago.

    Whoever reads these words alone must know what has changed, and it must be one thing with one new value.
    """
    folded = fold(reading.text)
    is_figure = plain.attribute in _REPORTED or (plain.attribute == "total" and not plain.before) or plain.unit == "%"
    plain = plain._replace(subject=_with_date(_BULLET.sub("", plain.subject), reading))
    if is_figure or not _is_whole(plain.subject, reading) or _is_any_price(plain, reading):
        return None
    ahead = folded.partition(fold(plain.subject))[0].split() if plain.subject else []
    if not plain.before and ahead[-1:] and ahead[-1] in facts.INDEFINITE[reading.lexicon.words.code]:
        return None  # "A workshop is now scheduled for Friday": it is new, and was on no other day.
    if ahead[-1:] and (ahead[-1] in _OF_ANOTHER or _THAT.search(" ".join(ahead))):
        return None  # "Its start date", "that week's meeting": of what, only the sentences before tell.
    if plain.attribute == "date" and _EXTENDED.search(folded) and not _DEADLINES.search(fold(plain.subject)):
        return None  # "The cap was extended until 30 June": it is the end of a period.
    is_old = _NO_NEWS.search(folded) or _is_of_the_past(reading, folded)
    if is_old or _is_left_open(reading) or folded.endswith((",", "(", "-", ":")):
        return None
    return _on_its_day(plain, reading) if re.match(r"\d{4}-\d\d-\d\d", plain.value) else plain


#: Before a subject: it belongs to what other sentences name. "Ihre" and "su" may also be the reader's.
_OF_ANOTHER: Final = table(
    "its his her their those sein seine seiner seinem seinen son sa ses leur leurs zijn haar hun"
)
#: "Note that the call" points to no call.
_THAT: Final = re.compile(r"(?:\A|[,;:] )that\Z")


def _with_date(subject: str, reading: SentenceReading) -> str:
    """ "Stop Date" for "Stop", which names nothing by itself."""
    match = re.search(rf"\b{re.escape(subject)} (?:date|day)\b", reading.text, re.I) if " " not in subject else None
    return match[0] if match and subject else subject


def _is_any_price(plain: Plain, reading: SentenceReading) -> bool:
    """ "The price", "the purchase price", "variable costs": each order has its own, and no word says which."""
    name = plain.subject[reading.text.startswith(plain.subject) :]
    return plain.attribute in ("price", "cost") and not any(letter.isupper() or letter.isdigit() for letter in name)


#: Before a subject: "*** Outage dates", "--the return flight".
_BULLET: Final = re.compile(r"\A[^\w'\u2019]+(?:the\s)?", re.I)
#: What reports and headlines count anew every day, and what nobody changes.
_REPORTED: Final = frozenset({"count", "capacity", "revenue", "target", "end", "start"})
#: Words of a proposal, of a rule for every time, of a time long past, of an advert, and of several new values at once.
_NO_NEWS: Final = re.compile(
    r"\b(?:(?:i|we)(?:'re| are|'m| am|'ve| have)? propos(?:e|ed|ing)|whenever|every|each|at that time"
    r"|price targets?|(?:i|we) (?:also )?expect(?:ed)?"
    r"|sometime|some time|back then|ago|(?:was|were) then|(?:you|to) save|last (?:year|month|summer|winter)"
    r"|(?:letztes|voriges) jahr|(?:letzten|vorigen) monat|l'an dernier|l'année dernière|le mois dernier"
    r"|(?:el )?(?:año|mes) pasado|(?:o |no )?(?:ano|mês) passado|(?:l'anno|il mese) scorso"
    r"|(?:vorig|afgelopen) jaar|(?:vorige|afgelopen) maand)\b|\band to [$\u20ac\u00a3]?\d"
)
#: Words that end a subject that lacks its verb, and that begin one that lacks its head.
_UNENDED: Final = table("will be is are was were has have had been being would shall")
_HEADLESS: Final = table("please since upon just scheduled planned")
_TITLES: Final = table("note change update reminder correction notice")
#: How a company's name may end.
LEGAL_FORMS: Final = (
    r"(?:Inc|LLC|L\.L\.C|LLP|L\.L\.P|LP|L\.P|Ltd|Corp|plc|PLC|PBC|GmbH|KG|SE|AB|Oy|AG|B\.V|BV|N\.V|S\.A|SA|S\.p\.A)"
    r"\b\.?"
)


def _is_left_open(reading: SentenceReading) -> bool:
    """Whether what is said of the change leaves open whether it is made: "the review may be moved", "Tom wants it to be
    moved", or says that it was undone: "it had been moved, but is back".
    """
    moving = next((at for at, _ in reading.lexicon.moving.within(reading.words, 0, len(reading.words))), None)
    day = reading.dates[0].start if reading.dates else len(reading.text)
    clause = re.split(r"[,;:]\s", fold(reading.text[: day if moving is None else reading.tokens[moving].end]))[-1]
    unsure = _patterns(reading.lexicon.words.code)["unsure"]
    return _UNDONE.search(clause) is not None or unsure.search(clause) is not None


_UNDONE: Final = re.compile(
    r"\b(?:had been|war \w+ worden|avait été|avaient été|había sido|tinha sido|era stat[oa]|was \w+ geweest)\b"
)


def _is_whole(subject: str, reading: SentenceReading) -> bool:
    """Whether a subject is a whole noun phrase: not "by HR", "we've", "Inc." or "the simulation will"."""
    words, w = fold(subject).split(), reading.lexicon.words
    if not words:
        return True  # Their own name comes later.
    first = words[0].replace("\u2019", "'").partition("'")[0]
    pronouns = table(_TONGUES[w.code].pronouns) - {text for (text,) in _THIS}
    headless = {*pronouns, *w.subjects, *w.subordinate} - {text for (text,) in _THIS}
    if first in headless or (w.code == "en" and first in w.prepositions - _SHOWN) or " ".join(words) in _TITLES:
        return False
    if not _VERBS.isdisjoint(words) or (w.code == "en" and "by" in words) or (len(words) > 1 and [words[-1]] in _THIS):
        return False  # "Ida got the dinner changed to Friday", "Ida reported this has been moved to Friday", "by a day"
    if first in _HEADLESS and (len(words) == 1 or words[1] in w.prepositions):
        return False
    if _TORN.search(subject) or not (words[-1][-1].isalnum() or words[-1][-1] in ".'\u2019"):
        return False  # "Review in QB4-", "Ida's 4- section" of "Ida's Tue 4-5pm section"
    return words[-1] not in _UNENDED and not re.fullmatch(LEGAL_FORMS, subject) and _ODD.isdisjoint(subject)


_TORN: Final = re.compile(r"\w[-\u2013]\s")
#: Signs of a table, of broken letters, and of half a parenthesis.
_ODD: Final = frozenset('="()[]<>|\u201c\u201d')


#: Of prepositions those that only show where a thing is written: "the below meeting".
_SHOWN: Final = table("below above")


def _is_of_the_past(reading: SentenceReading, folded: str) -> bool:
    """ "In 1994 the office moved", "1/11/94 - the firm was renamed": what happened more than a year ago."""
    today = reading.said_on
    if any(int(year[1]) < today.year - 1 for year in _IN_YEAR.finditer(folded)):
        return True
    return any(hit.due and hit.due.day < (today - timedelta(days=_LONG_AGO)).isoformat() for hit in reading.dates)


_IN_YEAR: Final = re.compile(r"\b(?:in|im jahr|en|em|nel|/)\s?((?:19|20)\d\d)\b")
_LONG_AGO: Final = 366


def _on_its_day(plain: Plain, reading: SentenceReading) -> Plain | None:
    """The change with the day that is written behind its weekday; None for a weekday of every week.

    "Moved to Thursday (02/07)" is the one of 7 February and 2 July that is a Thursday.
    """
    day, today, weekdays = plain.value[:10], reading.said_on, reading.lexicon.words.dates.weekdays
    before = plain.before
    last_week = today + timedelta(days=7)
    is_written = any(
        hit.due and hit.due.day == before and any(map(str.isdigit, reading.text[hit.start : hit.end]))
        for hit in reading.dates
    )
    if before == last_week.isoformat() and before > day and not is_written:
        before = today.isoformat()  # "From Thursday to Friday", written on a Thursday.
    for hit in reading.dates:
        words = _LETTERS.finditer(reading.text, hit.start, hit.end)
        named, weekday = next(
            ((word, n) for word in words if (n := _weekday(word[0], weekdays)) is not None), (None, 0)
        )
        if not hit.due or hit.due.day != day or not named:
            continue
        rest = _WITH.match(reading.text, hit.end)
        if _EVERY_WEEK.match(reading.text, hit.end) or (
            rest and rest[1][:1].isupper() and _weekday(rest[1], weekdays) is not None
        ):
            return None  # "To Thursday nights", "to Tues-Fri", "until Monday or Tuesday".
        written = _WRITTEN.match(reading.text, named.start())
        if written:
            days = (each for each in _days(written, today) if each.weekday() == weekday)
            day = str(next(days, ""))
            return plain._replace(value=f"{day}{plain.value[10:]}", before=before) if day else None
        if date.fromisoformat(day).weekday() != weekday:
            return None  # "Friday, 8 September", of the year before.
    if date.fromisoformat(day) > today + timedelta(days=_FAR_AHEAD) and not _IN_A_YEAR.search(reading.text):
        return None  # "8 September", said in October.
    return plain._replace(before=before)


def _weekday(word: str, weekdays: Mapping[str, int]) -> int | None:
    """The number of a weekday, of which a word may be the beginning: "Tues"."""
    few = len(word) < _ABBREVIATED
    return None if few else next((n for name, n in weekdays.items() if name.startswith(fold(word))), None)


_ABBREVIATED: Final = 3
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_FAR_AHEAD: Final = 300
_IN_A_YEAR: Final = re.compile(r"\d[/.-]\d{1,2}[/.-](?:20)?\d\d\b|\b20\d\d\b")
_WITH: Final = re.compile(r"\s?(?:[-\u2013&/]|and|to|through|und|bis|et|y|e|en)\s?([^\W\d_]+)", re.I)
_EVERY_WEEK: Final = re.compile(
    r"(?:['\u2019]?s\b(?! \w*\d)|\s(?:nights|mornings|afternoons|evenings)\b|,?\s(?:or|oder|ou|o)\s)", re.I
)
#: A weekday, its hours perhaps, and the day in numbers.
_WRITTEN: Final = re.compile(
    r"[^\W\d_]+\.?,?\s(?:(?:at |from )?\d{1,2}(?::\d\d)?\s?(?:[ap]m)?(?:\s?(?:to|-)\s?"
    r"\d{1,2}(?::\d\d)?\s?(?:[ap]m)?)?,?\s)?\(?(?P<first>\d{1,2})/(?P<second>\d{1,2})(?:/(?P<year>\d{4}|\d\d))?\b",
    re.I,
)


def _days(written: re.Match[str], today: date) -> list[date]:
    """The days that numbers can mean, of this year or the next: month first, and day first."""
    year, days = written["year"], []
    years = [int(year) % 100 + 2000] if year else [today.year, today.year + 1]
    for month, day in ((written["first"], written["second"]), (written["second"], written["first"])):
        for each in years:
            try:
                days.append(date(each, int(month), int(day)))
            except ValueError:
                continue
    return [each for each in days if each >= today]


def is_unsure(reading: SentenceReading) -> bool:
    """Whether any word of it leaves open whether it is so: "may", "would", "if"."""
    return bool(_patterns(reading.lexicon.words.code)["unsure"].search(fold(reading.text)))


def place(reading: SentenceReading, at: int) -> str:
    """The room, floor or building that is named here; "" for anything else."""
    held = _place(reading, at, is_placed=False)
    return held.value if held else ""


def _announced(reading: SentenceReading, folded: str, name: str, match: re.Match[str]) -> Plain | None:
    patterns, condition = _patterns(reading.lexicon.words.code), reading.condition
    if condition and reading.tokens[condition[0]].start < match.end():
        return None
    begin = _begin(reading, folded, match.start())
    if patterns["unsure"].search(folded[begin : match.end()]):
        return None
    if name == "active":
        ends = _tails(reading, folded, match.end())
        several = (_plain(reading, folded, name, match, (match.end(), end), end) for end in ends)
        return next(filter(None, several), None)
    return _plain(reading, folded, name, match, (begin, match.start()), match.end())


def _tails(reading: SentenceReading, folded: str, begin: int) -> Iterator[int]:
    """Where the values may begin behind what is moved: "we have moved the review | to Friday"."""
    tongue = _TONGUES[reading.lexicon.words.code]
    for match in re.finditer(rf"\s(?=(?:{tongue.of}|{tongue.to}|{tongue.at})\s)", folded[begin:]):
        yield begin + match.start()
        if re.match(rf"\s(?:{tongue.to})\s", folded[begin + match.start() :]):
            return  # "changed the deal to reflect this for Saturday"


def _plain(  # noqa: C901, PLR0911, PLR0917 - one return a reason
    reading: SentenceReading, folded: str, name: str, match: re.Match[str], span: tuple[int, int], tail: int
) -> Plain | None:
    patterns = _patterns(reading.lexicon.words.code)
    is_moved = name in ("active", "changed")
    is_placed = _head(reading, folded[slice(*span)].split()) in _PLACED or bool(_HELD.search(match[0]))
    is_planned = not is_moved or bool(_PLANNED.search(match[0]))
    change = _change(reading, folded, tail, is_placed=is_placed, is_moved=is_moved, is_planned=is_planned)
    subject, planned = _subject(reading, *span, is_day=change.new.kind == "day") if change else ("", None)
    if name == "active" and re.match(rf"\s*(?:{_TONGUES[reading.lexicon.words.code].of})\s", folded[span[0] :]):
        return None  # "Ann has moved from the York office": it is Ann who moves.
    if not subject or (name == "active" and not _is_named(reading, span[0], subject)):
        return None
    if change is None or (name == "stands" and (change.old is None or change.old.kind != change.new.kind)):
        return None
    needs_last = _TONGUES[reading.lexicon.words.code].last and name in ("active", "changed")
    if needs_last and not _WHOLE.search(match[0]) and not patterns["last"].match(folded, change.end):
        return None
    new, old = change.new, change.old
    if [fold(subject)] in _THIS and (new.kind == "amount" or name == "stands"):
        return None
    if old is None and planned and new.kind == "day":
        old = planned
    before = old.value if old and old.kind == new.kind and not new.value.startswith(old.value) else ""
    if new.kind == "time" and (_EXTENDED.search(match[0]) or ([fold(subject)] in _THIS and match[0] == "is now")):
        return None  # Until when it lasts, and what time it is.
    if re.search(r"mov|chang|switch", match[0]) and re.match(r"\s(?:until|till)\s", folded[tail:]):
        return None  # "I did not know that it was moved until today"
    if (
        name == "changed"
        and re.sub(r"(?:has|have|had|just|now|also|\s)+", "", match[0]) in _BARE
        and _OBJECT.match(folded, change.end)
    ):
        return None  # "The committee postponed until Friday a vote"
    if new.kind == "amount" and not _attribute(reading, span):
        return None
    if new.kind != "amount" and _AMOUNTS.search(match[0]):
        return None
    if new.kind == "day" and new.value[:10] < reading.said_on.isoformat():
        return None  # It tells what happened long ago.
    attribute = {"day": "date", "time": "date", "place": "place"}.get(new.kind) or _attribute(reading, span)
    unit = "time" if new.kind == "time" else new.unit
    return Plain(subject, attribute, new.value, unit, (), alone=True, changed=True, before=before)


def _head(reading: SentenceReading, words: list[str]) -> str:
    """The word that what changes is: "venue" of "the new venue of the summit", and not "site" of "the site plan"."""
    end = next((n for n, word in enumerate(words) if n and word in reading.lexicon.words.prepositions), len(words))
    return next((word for word in reversed(words[:end]) if word.isalpha() and word not in reading.lexicon.empty), "")


_EXTENDED: Final = re.compile(r"extend|verläng|prolong|prorog|ampliad|verlengd")
#: What has an end that somebody keeps.
_DEADLINES: Final = re.compile(
    r"deadline|date|period|registration|submission|enrol|nomination|application|offer|frist|termin|abgabe|anmeldung"
    r"|délai|inscription|plazo|fecha|inscripci|prazo|data|inscriç|scadenza|termine|iscrizion|inschrijving"
)
#: A verb that has an object of its own, if one stands behind.
_BARE: Final = table("moved postponed delayed shifted changed extended rescheduled re-scheduled")
_OBJECT: Final = re.compile(r"\s(?:a|an|the)\s(?=[a-z])")


def _is_named(reading: SentenceReading, begin: int, subject: str) -> bool:
    """Whether what somebody moves is a thing: "the review", "Kestrel", and not "upstairs"."""
    rest = fold(reading.text[begin:]).split()
    return bool(rest) and (rest[0] in reading.lexicon.words.articles or any(map(str.isupper, subject)))


#: Of reports and analysts, who name another figure every day.
_FIGURES: Final = frozenset({"offer", "total", "revenue"})


def _attribute(reading: SentenceReading, span: tuple[int, int]) -> str:
    """What an amount is of: "price"; "" where the words of what changes name nothing that has one."""
    within = [n for n, token in enumerate(reading.tokens) if span[0] <= token.start < span[1]]
    hits = reading.lexicon.attributes.within(reading.words, within[0], within[-1] + 1) if within else ()
    return next((phrase.kind for _, phrase in hits if phrase.kind not in _FIGURES), "")


def _begin(reading: SentenceReading, folded: str, end: int) -> int:
    """Where the clause begins whose verb begins here."""
    patterns = _patterns(reading.lexicon.words.code)
    text = _GROUPED.sub(lambda match: " " * len(match[0]), folded[:end])
    text = patterns["relative"].sub(lambda match: "_" * len(match[0]), text)
    for hit in reading.dates:  # "scheduled for Monday, 10 June, has been"
        last = hit.end + (reading.text[hit.end : hit.end + 1] == "," and bool(_SET.search(text[: hit.start])))
        if last <= end:
            text = f"{text[: hit.start]}{'_' * (last - hit.start)}{text[last:]}"
    begin = max((match.end() for match in _BOUNDARY.finditer(text)), default=0)
    begin = max((match.end() for match in _ANEW.finditer(reading.text, begin, end)), default=begin)
    w = reading.lexicon.words
    for match in patterns["joints"].finditer(text, begin):
        rest = text[match.end() :].split()
        if match[0] in _ADDING and rest and rest[0] not in w.articles and not reading.text[match.end() + 1].isupper():
            continue  # "the files and applications"
        begin = match.end()
    return begin


_ADDING: Final = table("and but und aber et mais y pero e mas ma en maar")


_FROM: Final = re.compile(r"\sfrom\s.*")
#: What stands for the thing that the mail is about, if its title names one: "It has been moved to Friday".
_THIS: Final = tuple([each] for each in ("it", "this", "es", "dies", "elle", "il", "het"))
#: "That was scheduled to be held in York on 12 November".
_RELATIVE: Final = re.compile(
    r"\s(?:that|which)\s+(?:was|is|were|are|had been)\s+(?:originally\s+|previously\s+)?(?:scheduled|planned|set)\b",
    re.I,
)
_PLANNED_TAIL: Final = re.compile(
    r"\s(?:originally|previously|initially)\b.*|\s(?:scheduled|planned|set)(?:\s(?:for|on|at|from|to))?[\W_]*\Z", re.I
)
_VERBS: Final = table("got get is are was were has have had been why how ist sind war hat est sont été son era è zijn")
_SINCE: Final = table("starting from effective beginning as since on in for ab seit à desde dal vanaf due wegen")
_ELIDED: Final = re.compile(r"(?:[LlDd]|[Uu]n)['\u2019](?=\w)")
#: Verbs of events, behind which "at" names a place.
_HELD: Final = re.compile(r"held|take place|takes place|lieu|findet|celebrar")


def _subject(  # noqa: C901, PLR0912 - one branch a form
    reading: SentenceReading, begin: int, end: int, *, is_day: bool
) -> tuple[str, _Held | None]:
    """(what changes, the day that was planned for it); ``is_day``: it gets another day, so its name needs no day."""
    w, planned = reading.lexicon.words, None
    text = _GROUPED.sub(lambda match: " " * len(match[0]), reading.text[begin:end])
    if relative := _RELATIVE.search(text):
        hit = next((each for each in reading.dates if each.due and begin + relative.end() <= each.start < end), None)
        if hit and not _is_hour(reading, hit):
            planned = _Held("day", _moment(hit), "", 0)
        end, text = begin + relative.start(), text[: relative.start()]
    for hit in reversed(reading.dates):
        if hit.due is None or not begin <= hit.start < hit.end <= end:
            continue
        start = hit.start - begin
        lead = _patterns(w.code)["planned"].search(fold(text[:start]))
        at_end = not text[hit.end - begin :].strip(" ,")
        if not at_end and not is_day:
            continue  # "the time of her Thursday meeting"
        before = text[: lead.start()] if lead and at_end else text[:start]
        is_about = bool(lead and at_end and lead[0].strip() in _ABOUT and hit.due.day < reading.said_on.isoformat())
        if not (_is_hour(reading, hit) or hit.due.basis == "period" or is_about):
            planned = _Held("day", _moment(hit), "", 0)
        text = before + text[hit.end - begin :].removeprefix("'s").removeprefix("\u2019s")
    words, is_named = text.split(), False
    while words and fold(words[0]) in (w.articles | w.adverbs | {",", "will", "have"}):
        is_named |= fold(words.pop(0)) in w.articles
    while words and fold(words[-1]) in (w.adverbs | w.prepositions | {","}):
        words.pop()
    if words and not is_named and (fold(words[0]) in _SINCE or fold(words[0]) in w.prepositions):
        # "From January the fee": what changes begins with its article. "On the quay" lacks what it belongs to.
        if not _is_dated(reading, begin, end):
            return "", None
        first = next((n for n, word in enumerate(words) if fold(word) in w.articles), len(words))
        words = words[first + 1 :]
    if words and (match := _ELIDED.match(words[0])):
        words[0] = words[0][match.end() :]
    small = [fold(word) for word in words]
    pronouns = table(_TONGUES[w.code].pronouns)
    if (
        not words
        or len(words) > _SUBJECT
        or (small[0] in pronouns and small not in _THIS)
        or not w.negation.isdisjoint(small)
    ):
        return "", None
    if not {*w.subjects, *w.subordinate, *_VERBS}.isdisjoint(small[small in _THIS :]) or (
        not any(map(str.isalpha, "".join(small))) and "1:1" not in small
    ):
        return "", None
    if any(sign in " ".join(words) for sign in "$\u20ac\u00a3"):
        return "", None
    name = _PLANNED_TAIL.sub("", _FROM.sub("", " ".join(words)).strip(" ,").removesuffix("'s"))
    return name, planned


def _is_dated(reading: SentenceReading, begin: int, end: int) -> bool:
    """Whether it begins with a day or a month: "From January"."""
    words = fold(reading.text[begin:end]).replace(",", " ").split()[:_LEAD]
    hits = (hit for hit in reading.dates if begin <= hit.start < end)
    return not reading.lexicon.words.dates.months.keys().isdisjoint(words) or any(
        len(reading.text[begin : hit.start].split()) < _LEAD for hit in hits
    )


#: Words of "as of January".
_LEAD: Final = 3
#: Before the day that a report is about: "the summary for the 26th".
_ABOUT: Final = ("for", "of")


def _is_hour(reading: SentenceReading, hit: dates.Found) -> bool:
    """Whether a hit is a time without a day."""
    due = hit.due
    return bool(
        due
        and due.time
        and due.basis == "relative"
        and due.day == reading.said_on.isoformat()
        and _HOUR.fullmatch(reading.text[hit.start : hit.end])
    )


_HOUR: Final = re.compile(
    r"\W*(?:at|um|à|a las?|às|alle|om|noon|midday)?\s*(?:\d{1,2}(?:[:.h]\d\d)?)?\s*(?:[ap]\.?m\.?|uhr|h|uur"
    r"|o'clock)?\W*",
    re.I,
)


def _moment(hit: dates.Found) -> str:
    assert hit.due is not None
    return f"{hit.due.day} {hit.due.time}".rstrip()


def _change(  # noqa: C901, PLR0912 - one branch a kind of value
    reading: SentenceReading, folded: str, tail: int, *, is_placed: bool, is_moved: bool, is_planned: bool
) -> _Change | None:
    """The values that stand right behind: "from Monday to Tuesday at ten", "to 30 euros instead of 25"."""
    new: _Held | None = None
    old: _Held | None = None
    place = tail
    since = _patterns(reading.lexicon.words.code)["since"].match(folded, place)
    if since and (hit := next((hit for hit in reading.dates if hit.start <= since.end() < hit.end), None)):
        place = hit.end  # "rises from 1 January from 900 to 950 euros"
    elif since and (month := re.compile(r"[^\W\d_]+").match(folded, since.end())):
        place = month.end() if month[0] in reading.lexicon.words.dates.months else place
    for _ in range(_VALUES):
        link = _patterns(reading.lexicon.words.code)["linked"].match(folded, place)
        if link is None:
            break
        is_old = bool(link["instead"] or (link["of"] and is_moved))
        held = _held(reading, link.end())
        if held is None and (link["to"] or is_old or (link["at"] and not is_moved)) and (new is None or is_old):
            held = _place(reading, link.end(), is_placed=is_placed)
        if held is None or (link["of"] and not is_old and (held.kind != "time" or new)):
            break
        if link["instead"] in _DOWN and held.kind != "amount":
            return None  # "will be down from 5 to 7 AM"
        if held.kind == "day" and facts.STRETCH.match(folded, held.end):
            return None  # "from 6/1 - 9/30 to 9/1 - 9/30"
        if new is None and is_moved and not is_old and not (link["to"] or is_planned or old):
            break  # "was delayed on Tuesday"
        last = old if new is None else new
        if new and new.kind == "day" and held.kind == "time" and link["to"]:
            break  # Until when it lasts: "on Thursday from 10 to 11:30".
        if last and not is_old and (last.kind, held.kind) == ("day", "time") and len(last.value) == len("2026-11-27"):
            held = _Held("day", f"{last.value} {held.value}", "", held.end)
            old, new = (held, new) if last is old else (old, held)
        elif is_old:
            old = old or held
        elif new is None:
            new = held
        elif new.kind != "amount" or held.kind != "day":
            break  # Not "to $4 on Monday from $56".
        place = _AFTER.match(folded, held.end).end()  # type: ignore[union-attr]
    if new and new.kind == "time" and (day := _day_behind(reading, place)):
        new = _Held("day", f"{day} {new.value}", "", new.end)
    if new is None or not (new.unit or new.kind != "amount" or (old and old.unit)):
        return None
    if new.kind == "amount" and old and old.kind == "amount":
        new, old = new._replace(unit=new.unit or old.unit), old._replace(unit=new.unit or old.unit)
    if old and new.kind == old.kind == "time" and _AFTERNOON.search(folded, tail, place):
        old = old._replace(value=_later_half(folded[tail:place], old.value))
    return _Change(new, old, place)


def _day_behind(reading: SentenceReading, place: int) -> str:
    """The day of an hour, some words behind: "3:00pm Eastern on Friday"; "" for none."""
    today = reading.said_on.isoformat()
    for hit in reading.dates:
        if hit.due and hit.end > place and hit.due.day > today and hit.due.basis != "period":
            between = reading.text[place : max(place, hit.start)]
            is_near = len(between.split()) <= _NEAR and not any(sign in between for sign in ",.;(")
            return hit.due.day if is_near else ""
    return ""


#: Words between an hour and its day at most: "Eastern / 12:00pm Pacific on".
_NEAR: Final = 6
_NOON: Final = 12
_AFTERNOON: Final = re.compile(r"\dp\.?m|\d pm\b")


def _later_half(text: str, time: str) -> str:
    """The hour after noon of "6:00pm not 7:30": only one of the two has a half of the day."""
    hours, minutes = map(int, time.split(":"))
    shown = re.compile(rf"(?<!\d){hours}(?::{minutes:02})?(?!\d|:)\s?[ap]\.?m")
    return f"{hours + 12}:{minutes:02}" if hours < _NOON and not shown.search(text) else time


_DOWN: Final = ("down from", "up from")
#: Of what is planned anew, and not of what is moved: "rescheduled for Friday", "has moved the ticket for July".
_PLANNED: Final = re.compile(r"schedul|planned|fixée?|fijad[oa]|marcad[oa]|fissat[oa]|gepland")
#: "26-29, 2027", "31,2027": the year of a day stands behind the last one.
_YEAR: Final = re.compile(r"(?:\s?(?:[-\u2013&]|and)\s?\d{1,2}(?:st|nd|rd|th)?)?,?\s?(20\d\d)(?!\d)")
#: Behind a value: to when it lasts, and its zone.
_AFTER: Final = re.compile(
    r"(?:\s?[-\u2013]\s?\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\.?|uhr|h)?(?!\w))?(?:\s?\([a-z]{2,5}\))?(?:\s?(?:/\s?\w+|"
    r"(?:per|pro|par|por|al|a) (?:month|year|week|day|hour|person|monat|jahr|mois|an|mes|mese|maand)))?"
    r"(?:\s(?:now|jetzt|maintenant|désormais|ahora|agora|ora|nu)(?!\w))?"
)


def _held(reading: SentenceReading, at: int) -> _Held | None:
    for hit in reading.dates:
        if hit.due and hit.start <= at < hit.end and not hit.starts and hit.due.basis != "period":
            is_decimal = re.fullmatch(r"\d+\.\d+\.?", reading.text[hit.start : hit.end]) is not None
            if hit.elsewhere or (is_decimal and reading.lexicon.words.code == "en"):
                return None  # "11:00 (CDT)", "the rate is now 2.5"
            if _is_hour(reading, hit):
                return _Held("time", hit.due.time, "", hit.end)
            year = _YEAR.match(reading.text, hit.end)
            day = f"{year[1]}{_moment(hit)[4:]}" if year else _moment(hit)
            return _Held("day", day, "", hit.end)
    for value in values.find(reading.text, reading.lexicon.words.code, reading.region):
        if (
            value.start <= at < value.end
            and value.kind != "version"
            and not reading.text[value.end : value.end + 1].isalpha()
        ):
            return _Held("amount", value.number, value.unit, value.end)
    plain = _PLAIN.match(reading.text, at)
    if plain and _ROOM.fullmatch(plain[0]) and _RELOCATED.search(reading.text[:at]):
        return None  # "has moved to 5075"
    number = values.number(plain[0], reading.lexicon.words.code) if plain else None
    return _Held("amount", str(number), "", plain.end()) if plain and number is not None else None


_RELOCATED: Final = re.compile(
    r"\b(?:moved|moving|relocated|held|room|umgezogen|verlegt|déplacée?|trasladad[oa])\b[^.]{0,25}\Z", re.I
)
#: A number whose unit the other value has: "from 900 to 950 euros".
_PLAIN: Final = re.compile(r"\d+(?:[.,]\d{3})*(?:[.,]\d{1,2})?(?![\w:/.-]\d|[\w%])")


_NEXT: Final = re.compile(r"\s([a-z][\w-]*)")


def _place(reading: SentenceReading, at: int, *, is_placed: bool) -> _Held | None:
    match = _NAMED_PLACE.match(reading.text, at)
    name = match["place"].rstrip(".,/&-") if match else ""
    if reading.text.isupper() and not any(map(str.isdigit, name)):
        return None  # "MY ADDRESS HAS CHANGED TO REFLECT THE MERGER"
    words = fold(name).split()
    w = reading.lexicon.words
    if not name or not w.dates.months.keys().isdisjoint(words) or not w.dates.weekdays.keys().isdisjoint(words):
        return None
    if not (is_placed or not _PLACES.isdisjoint(words) or any(map(_ROOM.fullmatch, words))) or values.is_phone(name):
        return None
    rest = _NEXT.match(reading.text, at + len(name))
    if rest and rest[1] not in w.prepositions | w.adverbs | w.articles | w.subordinate | _ADDING:
        return None  # "To the Equity" of "to the Equity desk"
    return _Held("place", " ".join(name.split()), "", at + len(name))
