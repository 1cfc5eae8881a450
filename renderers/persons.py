"""Whether a header's name and address are a person's: rooms, lists, firms and their mailboxes are nobody."""

from __future__ import annotations

import re
import unicodedata
from email.errors import HeaderParseError
from email.header import decode_header
from functools import lru_cache
from typing import Final

#: Local parts of addresses that no person answers.
NOBODY: Final = re.compile(
    r"(?:.*[._+-])?(?:no|ne[-_.]?pas|do[-_.]?not|don[-_.]?t|never|non|nao|keine?)[-_.]?(?:reply|respond|respon[ds]er|"
    r"antwort(?:en)?|rispondere|repondre)(?:[._+-].*|\d*)|"
    r"(?:mailer-daemon|postmaster|bounces?|listserv|majordomo|daemon|root|cron|abuse|mdaemon|"
    r"autoresponder)(?:[._+=-].*)?|"
    r"(?:.*[._-])?(?:notif(?:y|ier|ications?)|newsletters?|news|alerts?|digests?|updates?|mailing(?:s|list)?|"
    r"marketing|promo(?:s|tions?)?|offers?|deals|announcements?|notices?|opt-?in|circulation|prices|automat(?:ed|ic|ion)|"
    r"auto-?(?:confirm|reply|mailer)|calendar-(?:notification|invite)s?|calendar-notification|invit(?:e|ations?)|"
    r"messages-noreply|reminders?|system|robot|bot|webmaster|campaigns?|"
    r"order-?(?:updates?|reply|status)|reports?|ship-?confirm|shipment-tracking|store-news|receipts?|verify|verification|security-noreply|"
    r"comment-reply|jobalerts?|e-?tickets?|surveys?|e-?bills?|e-?statements?|listmanager|lists?|(?:[a-z]{3,20}-?)?(?:bestaetigung|bevestiging)(?:en)?"
    r"|benachrichtigung(?:en)?|meldung(?:en)?|"
    r"(?:order-?|booking-?)?confirmations?|confirmacion(?:es)?|confirmac(?:ao|oes)|conferm[ae]"
    r"|avisos?|notificacion(?:es)?|"
    r"notificac(?:ao|oes)|notifich?[ae]|meldingen|jira|confluence|bitbucket|gitlab|github|trello"
    r"|asana|dse(?:_[a-z]+\d)?)"
    r"(?:[._+-].*|\d*)|"
    # In place of an address that a program did not know.
    r"no[._-]?address|undisclosed(?:[._-]?recipients?)?|unlisted[._-]recipients?|unknown[._-](?:sender|recipient|user)|"
    r".*\[bot\]|"
    r"reply\+.*|.*-noreply|.*noreply.*",
    re.IGNORECASE,
)
#: Mailboxes of a firm, and words of their names beside the firm's own.
_OFFICE: Final = re.compile(
    r"(?:service|support|feedback|team|help|helpdesk|info|hello|hallo|hola|ciao|office|billing|accounts?|care|contact"
    r"|kontakt|contacto|kundenservice|customer-?(?:service|care)|sales|orders?|shop|members?|events?|press|media|admin"
    r"|administration|reception|rezeption|empfang|bookings?|reservations?|jobs|careers|hr|webinars?|subscriptions?"
    r"|regist(?:er|ration)|general-?info|information|communications|(?:public|investor|media)[._-]?relations"
    r"|human[._-]?resources|president|chair|ceo|director|secretary|treasurer|administrator)(?:[._+-].*)?"
)
_OFFICE_WORDS: Final = frozenset(
    (
        *("the", "team", "support", "service", "services", "help", "desk", "helpdesk", "info", "customer", "care"),
        *("kundenservice", "feedback", "billing", "office", "shop", "sales", "via", "and", "und", "et", "e", "y"),
        *("events", "press", "media", "admin", "reception", "rezeption", "empfang", "booking", "bookings", "jobs"),
        *("reservations", "careers", "webinars", "registration", "members", "information", "general", "generalinfo"),
        *("communications", "public", "investor", "relations", "human", "resources"),
        *("president", "chair", "ceo", "director", "secretary", "treasurer", "administrator"),
    )
)
#: Beside these before the "@", nothing spells a name.
_DESK_WORDS: Final = frozenset(
    ("order", "orders", "sales", "info", "support", "service", "billing", "customer", "care")
)
#: Addresses of rooms and of lists.
_LIST_OR_ROOM: Final = re.compile(
    r".*@(?:resource\.calendar\.google\.com|group\.(?:v\.)?calendar\.google\.com|googlegroups\.com|yahoogroups\.com"
    r"|groups\.io|(?:lists?|listserv|mailman|marketing|newsletters?|mailer)\..*"
    # Who mails advertisements for others.
    r"|.*\.(?:ccsend|constantcontact|createsend|exacttarget|mailchimpapp|mcsv|mcdlv|rsgsv|rm0\d|m0|bfi0"
    r"|cheetahmail|responsys|postmasterdirect|yesmail|sendgrid|amazonses|hubspotemail|klaviyomail)"
    r"\.(?:com|net|org)|(?:e|e?mailings?|emails)\.[^.]+\.(?!edu|ac\.).*"
    r"|(?:e?news|alerts?|offers?|promos?|bounces?|notifications?)\.[^.]+\.(?!edu|ac\.).*)"
    r"|list-?admin@.*|.*[._-](?:list|mailinglist|distribution|verteiler|owner|request|bounces?|announce)@.*|(?:owner|list)-.*@.*"
    # A machine's number of a message or of a subscription.
    r"|(?=[^@]{20})(?:[^@\d]*\d){8}.*@.*|(?:\d[._-]?){12,}@.*"
)
#: What names a group, a place or an organisation, and no family.
_GROUP: Final = re.compile(
    r"^(?:open|moderated) list\b"
    r"|\b(?:mailing ?list|committee|department|dept|newsletter|corporation|incorporated|association|foundation"
    r"|institute|ministry|agency|helpdesk|help desk|hotline|webinars?|all[ -](?:staff|hands)|everyone|notifications?"
    r"|(?:meeting|conference|conf\.?|board|training|huddle|phone|class) ?rooms?|journal of"
    r"|university of|office of|board of"
    r"|^no address$|(?:undisclosed|unlisted)[ -]recipients?|^(?:\w+ )*(?:users?|administrator)$"
    r"|note ?taker|otterpilot|meeting assistant|bank of|society (?:of|for)|bureau of|council of"
    r"|abteilung|besprechungs\w*raum|konferenzraum|sitzungs(?:zimmer|saal|raum)|seminarraum|ministerium|stiftung"
    r"|sekretariat|kundenservice|verwaltung|verteiler"
    r"|salle de (?:reunion|conference)|comite|departement|fondation|ministere|secretariat|direction generale"
    r"|sala (?:de )?(?:juntas|reuniones|reuniao|reunioes|riunioni|conferenze)|departamento|fundacion|ministerio"
    r"|fundacao|comitato|dipartimento|fondazione|ministero|segreteria|secretaria|associazione|asociacion|associacao"
    r"|vergader(?:ruimte|zaal|kamer)|stichting|vereniging|afdeling|secretariaat)\b"
    r"|^(?:room|raum|salle|sala|zaal|saal) [\d.a-z]{1,5}$"
    r"|\b(?:teams?|admins?|(?:ro)?bots?)(?:[+-].*)?$|\w-ci$|\w system$|\b[a-z]+notices?\b"
    r"|^good (?:morning|afternoon|evening)\b"
    r"|[\w.)] (?:(?:public|investor|media) relations|human resources|services?(?: \d)?|solutions"
    r"|systems|technologies|technology|communications|information|magazine|group|coalition|congress|council"
    r"|international|network|alliance|federation|embassy|consulate|library|museum|campaign|centers?|centres?|club"
    r"|society|company|college|academy|laboratory|laboratories|holdings|partners|ventures|industries|enterprises"
    r"|software|labs|headquarters|operations|logistics|marketing|publications|consulting|reports?|university"
    r"|universitat|universite|hospital|hotel|airlines|airways|registrar|coordinator|moderator|webmaster|receptionist"
    r"|dispatcher|recruiting|recruitment|rewards|project|alerts?|updates?|news|newswire|bulletin|digest|survey|events"
    r"|security|distribution|central|management|messaging|administration|compliance|accounting|payroll"
    r"|benefits|facilities|maintenance|engineering|procurement|purchasing|training|development|payments|underwriting"
    r"|control|settlements|scheduling|dispatch|nominations|audit|treasury|tax|records|claims|collections|receivables"
    r"|payables|sourcing|planning|research|analytics|investments|insurance|capital|financial|securities|travel|tours"
    r"|bookings|helpline|desk|office|energy|infrastructure|controls|e-?services|sheets|brewing|brewery|foods|airport|church|school|restaurant|magazine|family|familie|famille|familia|famiglia|bonus|folks|friends?|shifts?|requests|notices?|weekly|messenger|points|savings|specials|coupons|sweepstakes|deals|offers|subscribers|members|customers|employees|residents|neighbou?rs|parents|volunteers"
    r"|process|program(?:me)?|initiative|realty|properties|trust|fund)$"
    # "Shopper's Bonus"; "O's" is nobody's name either.
    r"|\w's \w"
    # Parents of a class, clubs, choirs, those of an age.
    r"|^(?:parents|eltern|parents d'eleves|genitori|padres|pais|ouders) (?:\w+ )*\d\w?$|\b(?:u|under|unter) ?\d{1,2}\b"
    r"|^(?:klasse|classe|clase|turma|groep|gruppe|groupe|grupo|gruppo|equipe|equipo|squadra|chorale|orchestre|orchester"
    r"|orquesta|orchestra|club|nachbarn|voisins|vecinos|vizinhos) \w|^coro (?:de|del|di|della|san|santa) "
    r"|^(?:fc|sc|sv|tsv|afc) \w|\b\w*(?:verein|beirat|elternrat|commissie)\b|\b(?:tennis|sport|schach|schaak|reit|boots"
    r"|ruder|roei)club\b|\b(?:kirchen|kinder|schul)chor\b| (?:moms|mums|dads|coaches|players)$"
    r"|^(?:team|members|friends|project) |^(?:dl|dg|grp|lst|pdl)[_-]|\b(?:of|the|your|our) "
    r"|(?:^|\s)[\w-]+\.(?:com|net|org)(?=\s)"
    r"|^(?:public relations|human resources|system attendant|auto-?reply\b.*|class(?: of)? ?\d+)$"
    # A site, an event's year, the sixth of a kind, and two who write together.
    r"|^[^\s@]+\.(?:com|net|org|info|biz|edu|gov|co\.uk)$|\w (?:19|20)\d\d$|^(?:\w+ ){2,}\d{1,3}$"
    r"|\w & \w|\w (?:and|und|et|och|og) \w|^famil(?:y|ie|le|ia) |^famiglia "
    r"|\b(?:inc|ltd|llc|llp|plc|gmbh|corp|e\.v|s\.r\.l|s\.a\.s|b\.v)$"
    r"|\u4f1a\u8b70\u5ba4|\u4f1a\u8bae\u5ba4|\u6703\u8b70\u5ba4|\u682a\u5f0f\u4f1a\u793e|\u6709\u9650\u516c\u53f8"
    r"|\u59d4\u5458\u4f1a|\u59d4\u54e1\u4f1a|\ud68c\uc758\uc2e4"
    r"|(?:\u516c\u53f8|\u5927\u5b66|\u5927\u5b78|\u75c5\u9662|\u533b\u9662|\u94f6\u884c|\u9280\u884c"
    r"|\u30bb\u30f3\u30bf\u30fc|\u4e8b\u52d9\u6240|\u5354\u4f1a|\u534f\u4f1a|\u5ba2\u670d|\uc740\ud589"
    r"|\ub300\ud559\uad50|\uace0\uac1d\uc13c\ud130|\uc8fc\uc2dd\ud68c\uc0ac)$"
)
#: What a recorder or minutes call a voice: a part in the meeting, which another has in the next one.
_ROLE: Final = re.compile(
    r"(?:the )?"
    r"(?:(?:project|product|program(?:me)?|sales|account|general|marketing|engineering|office) manager|marketing"
    r"|sales|finance|legal|user interface|(?:industrial|interface|graphic|ux|ui|product) designer|interviewe[er]"
    r"|moderator|host|guest|chair(?:man|woman|person)?|presenter|narrator|facilitator|operator|customer|client|agent"
    r"|teacher|student|doctor|patient|nurse|assistant|unknown|attendee|participant|caller)"
    r"|(?:grad|undergrad|phd|postdoc|professor|student|speaker|participant|person|voice|caller|attendee|guest|unknown"
    r"|sprecher|teilnehmer|locuteur|hablante|orador|spreker|parlante)(?: speaker)? ?[a-z\d]{1,2}"
)
#: An office in place of a name, which others hold before and after.
_OFFICE_NAME: Final = re.compile(
    r"(?:(?:the|mr\.?|mrs\.?|madam|madame|herr|frau|monsieur|senor|senora|acting|deputy|vice|assistant|executive|general"
    r"|prime|first|chief|former) )*"
    r"(?:president|vice[- ]president|minister|secretary|secretary[- ]general|ambassador|governor|mayor|senator"
    r"|director|managing director|ceo|cfo|cto|coo|principal|provost|rector|editor|publisher|treasurer|manager"
    r"|receptionist|concierge|registrar|principal investigator|webmaster|postmaster|root|nobody|anonymous"
    r"|prasident|geschaftsfuhrer(?:in)?|burgermeister(?:in)?|direktor(?:in)?|hausmeister|schulleitung|redaktion"
    r"|buchhaltung|personalabteilung|geschaftsstelle|hausverwaltung|directeur|directrice|secretaire|accueil|mairie"
    r"|presidente|directora?|secretario|secretaria|gerente|tesorero|recepcion|direttore|direttrice|segretario"
    r"|direzione|ufficio|diretor|diretora|recepcao|dyrektor|sekretariat|kierownik|biuro|directie|secretaris)"
    r"(?: (?:of|for|de|del|della|do|da|der|des|van) .+)?"
    r"|(?:\u793e\u9577|\u90e8\u9577|\u8ab2\u9577|\u4e8b\u52d9\u5c40|\u7de8\u96c6\u90e8|\u7dcf\u52d9\u90e8"
    r"|\u4eba\u4e8b\u90e8|\u55b6\u696d\u90e8|\u603b\u7ecf\u7406|\u8001\u677f|\u529e\u516c\u5ba4"
    r"|\u5ba2\u670d|\u4eba\u4e8b\u90e8|\u8d22\u52a1\u90e8|\u9500\u552e\u90e8|\uc0ac\ubb34\uad6d|\uc0ac\uc7a5\ub2d8)"
)
#: What stands in a subject or an address of a page, and in no name.
_NO_NAME: Final = re.compile(
    r"@.*@|[$\u20ac\u00a3%=]\s*\d|\d\s*[$\u20ac\u00a3%]|https?:|\bwww\.|\[bot\]$"
    # Part of a department in short: "ACME, MarketDvp"; "AnnMarie" has vowels.
    r"|, ?[A-Z][a-z]{2,}[A-Z][b-df-hj-np-tv-xz]{2,}\b"
)
#: Behind a person's name: their firm, their department.
_BEHIND: Final = re.compile(r"\s*\|.*|\s+[-\u2013\u2014@]\s.*|\s+(?:at|bei|chez)\s.*", re.DOTALL)
_TITLE: Final = re.compile(
    r"(?:(?:dr|prof|professor|rev|reverend|mr|mrs|ms|miss|mx|sir|dame|lt|col|capt|sgt|gen|maj|rev"
    r"|hon|sen|rep|gov|amb|herr|frau|hr"
    r"|fr|dipl|ing|mag|mme|mlle|monsieur|madame|senor|senora|srta|sra|sr|dott|dottssa|avv|sig|sigra|signor|signora"
    r"|dhr|mevr|mw)\.?\s+)+"
)


@lru_cache(maxsize=16384)
def plain(name: str) -> str:
    """Small letters without accents."""
    text = unicodedata.normalize("NFKD", name.translate(LETTERS)).casefold()
    return unicodedata.normalize("NFC", "".join(sign for sign in text if not unicodedata.combining(sign)))


#: Letters that Unicode takes apart into no plain letter and an accent.
LETTERS: Final = str.maketrans("\u0142\u0141\u00f8\u00d8\u0111\u0110\u0131\u00f0\u00d0\u2019", "lLoOdDidD'")


def untitled(name: str) -> str:
    """A name in small letters without "Dr." and the like in front, where that leaves more than one word."""
    match = _TITLE.match(name)
    rest = name[match.end() :] if match else ""
    return rest if " " in rest.strip() else name


def capitals_last(name: str) -> str:
    """ "SHIMADA Koji" as "Koji SHIMADA": beside a given name, capitals first are a family name."""
    family, _, given = name.strip().partition(" ")
    turned = len(family) > _TELLING and family.isalpha() and family.isupper() and given.isalpha() and given.istitle()
    return f"{given} {family}" if turned else name


def is_titled(name: str) -> bool:
    """Whether a name in small letters begins with a title: "frau berg"."""
    return _TITLE.match(name) is not None


@lru_cache(maxsize=16384)
def is_person(name: str, address: str) -> bool:
    """Whether these may be a person's. Of a firm's mailbox, only the name tells: "Ann Lee" <info@lee.example> is."""
    local, at, domain = without_number(address.casefold()).partition("@")
    if at and (is_machine(address) or _LIST_OR_ROOM.fullmatch(f"{local[:100]}@{domain[:190]}")):
        return False
    words = re.sub(r"\([^()]{0,80}\)", " ", plain(name)).strip(" \"'.,;<>")
    if _NO_NAME.search(name) or _ROLE.fullmatch(words) or _OFFICE_NAME.fullmatch(words) or _is_site(words, domain):
        return False
    if _is_domain(words, local[:100], domain[:190]):
        return False
    first, comma, behind = _BEHIND.sub("", words).partition(",")
    # "Lee, Ann" and "Ann Lee, Acme Inc." are people, "Acme, Inc." is not.
    shown = first if comma and " " in first.strip() else f"{first} {behind}"
    is_box = _SIGNS.sub("", words) == _SIGNS.sub("", local[:100])
    if at and (words in ("", local) or is_box or not any(map(str.isalpha, words))):
        # Schools number their people, others what they send.
        numbered = sum(map(str.isdigit, local[:100])) >= _CODED and not _SCHOOL.search(domain[:190])
        is_desk = words in ("", local) and not _DESK_WORDS.isdisjoint(re.split(r"[._-]", local[:100]))
        if numbered or is_desk or _NAMELESS.fullmatch(local[:100]):
            return False
    if not is_titled(words) and _GROUP.search(" ".join(shown.split()).strip(" .")):
        return False
    return not at or not _is_office(words, local, domain)


def without_number(address: str) -> str:
    """An address that a code host gives in place of one's own, without the number before the login."""
    return _HOSTED.sub("", address)


_HOSTED: Final = re.compile(r"^\d+[+-](?=[^@]+@users\.noreply\.git(?:hub|lab)\.com$)")


def _is_site(words: str, domain: str) -> bool:
    """Whether a name of several words begins with the name of its domain: "Alder Fares" <fares@alder.example>."""
    first, blank, _ = words.partition(" ")
    return bool(blank) and len(first) > _TELLING and first in domain.split(".")


def _is_domain(words: str, local: str, domain: str) -> bool:
    """Whether a name is that of a firm's domain: "Ohio Falcons" <tickets@ohiofalcons.example>.

    People have domains of their own name, too, but no host there that sends for nobody, and no desks.
    """
    whole, labels = _SIGNS.sub("", words), domain.replace("-", "").split(".")
    if not whole or " " not in words or whole not in labels:
        return False
    is_sender = labels[0] in _SENDERS and words[:_TELLING] not in local
    return is_sender or _SELLING.fullmatch(local) is not None


_SIGNS: Final = re.compile(r"[^a-z\d]")
_SENDERS: Final = frozenset(
    ("mail", "email", "emails", "em", "reply", "info", "go", "my", "shop", "account", "connect")
)
_SELLING: Final = re.compile(
    r"(?:.*[._-])?(?:tickets?|fans?|clubs?|store|rewards?|points?|bonus|miles|loyalty|savings?|specials?|vip"
    r"|reply|subscribers?|customers?|guests?|travel|concierge)(?:[._-].*|\d*)"
)


#: So many digits are a machine's number.
_CODED: Final = 8
_SCHOOL: Final = re.compile(r"(?:^|\.)(?:edu|ac)(?:\.|$)")
#: Before the "@" of an address that bears no name: a pager, a desk, a group.
_NAMELESS: Final = re.compile(
    r"\d{6,}|[\w.-]*(?:services?|help|messages|desk|news|info|support|feedback|surveys?|alerts?|office|rewards|registration|online"
    r"|admin|promotions?|specials|headlines|magazine)\d*|\w{5,}(?:daily|weekly|today|shop|store|club|center|centre)\d*"
    r"|(?:customer|subscri|newsletter|webinar|conference|confirm)[\w.-]*|no[._-]?address|\w+[._-](?:e?mail|security)|[\w.-]*(?:mgmt|dept|team|relations|requests?)|(?:.*[._-])?(?:staff|faculty|students|alumni|group|department"
    r"|committee|council|desk|board|class|everyone|management|publications?|events?|tickets?|accounting|payroll"
    r"|frontdesk|frontoffice|notes?|mailbox|membership|admissions?|enquiries|inquiries|inquiry|enquiry|editors?"
    r"|redaktion|verwaltung|buchhaltung|sekretariat|rechnung(?:en)?|accueil|comptabilite|secretariat|administracion"
    r"|ventas|atencion|segreteria|amministrazione|financeiro|biuro|support|helpdesk|feedback|services?|communications?)"
    r"(?:[._-].*|\d*)"
)


def is_machine(address: str) -> bool:
    """Whether no person answers at this address."""
    local, at, domain = address.casefold().partition("@")
    return bool(at) and (NOBODY.fullmatch(local[:100]) or _NO_REPLY.match(domain)) is not None


#: Where nobody answers, whatever stands before the "@".
_NO_REPLY: Final = re.compile(r"(?:no-?reply|do-?not-?reply)\.")


def shown(name: str) -> str:
    """A name without what mail programs and servers add to it: paths, departments, kinds of addresses, codes.

    "Roth, Mia </O=ACME/OU=NA/CN=MROTH>", "Mia Roth/HOU/ACME@ACME", "Mia Roth (E-mail)", "Mia Roth @ACME".
    """
    # What is longer is a text; the time of some patterns grows with its square.
    name = name[:_LONGEST]
    if "=?" in name:
        name = _decoded(name)
    if name.isascii() and name.replace(" ", "").isalpha():
        return name
    if _JOINED.fullmatch(name) and not _TOP_DOMAIN.search(name):
        return " ".join(word[0].upper() + word[1:] for word in re.split(r"[._-]+", name) if word)
    name = _ADDED.sub(" ", _PATH.sub(" ", name).replace("\\", "")).strip()
    if name.startswith("(") and name.endswith(")") and name.count("(") == 1:
        name = name[1:-1]
    name = _IN_FRONT.sub("", _BEFORE.sub("", name))
    name = name.replace('"', " ") if name.count('"') % 2 else name
    if match := _UNITS.fullmatch(name):
        name = match[1]
    return "" if _ADDRESS.fullmatch(name) else name


def _decoded(name: str) -> str:
    """A name whose letters a mail program has put in words of a header: "=?utf-8?Q?Zo=C3=AB?= Lee"."""
    try:
        return "".join(
            part if isinstance(part, str) else part.decode(charset or "ascii", "replace")
            for part, charset in decode_header(name)
        )
    except (LookupError, ValueError, HeaderParseError):
        return name


#: A full name as an address has it: "mia.roth", "Mia.K.Roth---", "Mia_Roth".
_JOINED: Final = re.compile(
    r"[^\W\d_]{3,}(?:\.[^\W\d_])?\.[^\W\d_]{3,}[-_.]*|[A-Z][^\W\d_]{2,}_[A-Z][^\W\d_]{2,}[-_.]*"
)
_TOP_DOMAIN: Final = re.compile(r"\.(?:com|net|org|info|biz|edu|gov|dev|app|online|shop)[-_.]*$", re.IGNORECASE)
_PATH: Final = re.compile(r"<?/o=[^<>]*/cn=[^<>]*>?", re.IGNORECASE)
#: A kind of address, a department behind "@", a code in brackets.
_ADDED: Final = re.compile(
    r"\((?:e-?mail|home|work|business|private|office|mobile|cell|fax|business fax)(?: ?\d)?\)|\(\s*\)"
    r"|(?<![\w.]@)(?:^|(?<=[\s\w\"]))@ ?[A-Z][A-Z\d&-]+(?=[\s\"]|$)|\s\[[^\[\]@]{1,20}\]|(?<=\w)[\"']?\s*<.*$"
    r"|\s\*{1,3}\w+\s*$|\s(?:(?:home|work|office|personal|private) )?e-?mail(?: address)?\s*$",
    re.IGNORECASE,
)
_LONGEST: Final = 400
#: Signs before a name, by which an address book puts it first or last.
_BEFORE: Final = re.compile(r"^[\s*_.~#!+=-]+(?=\w)")
#: An office in front of whoever holds it: "Finance - Mia Roth".
_IN_FRONT: Final = re.compile(
    r"^(?:finance|accounting|accounts?(?: (?:payable|receivable))?|sales|hr|human resources|legal|marketing|billing"
    r"|(?:customer )?(?:service|support|care)|it|payroll|purchasing|procurement|operations|office|admin|administration"
    r"|treasury|tax|audit|credit|trading|logistics|engineering|press|secretariat|buchhaltung|vertrieb|verwaltung"
    r"|sekretariat|comptabilite|ventas|amministrazione)(?:\s+[-\u2013\u2014]|:)\s+(?=[^\W\d_]+[.,]? [^\W\d_])",
    re.IGNORECASE,
)
#: The departments of a Notes server.
_UNITS: Final = re.compile(r"([^/@]+?)(?:(?:/[\w .&-]{1,30})+@[\w .&-]+|(?:/[A-Z\d][\w .&-]{1,30}){2,})")
#: An address in place of a name, as archives write it.
_ADDRESS: Final = re.compile(r"[\w.+-]+ (?:at|\[at\]|\(at\)) [\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
#: Between who writes and for whom, or through which service.
_FOR: Final = re.compile(
    r"\s+[(\[]?(?:on behalf of|via|p\.p\.|im auftrag (?:von|der|des)|i\. ?a\. (?:von|der|des)|de la part de"
    r"|pour le compte de|en nombre de|de parte de|em nome de|por conta de|per conto di|a nome di|namens)\s",
    re.IGNORECASE,
)
#: So many letters of a name tell whose address it is.
_TELLING: Final = 3


def writer(name: str, address: str) -> tuple[str, str]:
    """Name and address of who writes for somebody ("Mia Roth on behalf of Jon Beck") or through a service ("via").

    The address is theirs only if it bears their name; else it is the other's, or the service's.
    """
    match = _FOR.search(name) if " " in name and not is_machine(address) else None
    shown = name[: match.start()].strip("\"'*_, <>`;:") if match else ""
    if not any(sign.isalpha() for sign in shown):
        return name, address
    local = address.partition("@")[0]
    parts = re.split(r"[\s,.]+", plain(shown))
    return shown, address if any(len(part) >= _TELLING and part in local for part in parts) else ""


def without_firm(name: str) -> str:
    """A name without the firm or the department that stands behind it: "Mia Roth | Acme", "Mia Roth - Acme"."""
    rest = _BEHIND.sub("", name).strip()
    return rest if " " in rest or "," in name else name


def given_first(name: str) -> str:
    """ "Silva, Mara (Sales)" as "Mara Silva"; what stands behind the comma of "Mara Silva, PhD" stays there."""
    if name.count(" ") == 1 and name.replace(" ", "").isalpha():
        return name.strip()
    shown = " ".join(without_firm(_REMARKS.sub("", name)).split()).strip(" \"'\u2018\u2019\u201c\u201d")
    family, comma, given = shown.partition(",")
    if not any(map(str.isalpha, shown)):
        return name
    turned = comma and given.strip() and "," not in given and not is_behind(shown)
    return f"{given.strip()} {family.strip()}" if turned else shown


def is_behind(name: str) -> bool:
    """Whether what follows the comma stands behind a whole name: "Mara Silva, PhD", "Acme, Inc.", "Ann Lee, TX"."""
    before, _, behind = name.partition(",")
    behind = behind.strip(" .")
    if behind.casefold() in _BEHIND_NAMES or "/" in behind or not is_person(behind, ""):
        return True
    return " " in before.strip() and not before.isupper() and behind.isupper() and len(behind) <= _CODE


#: Letters of a state, or of a degree, behind a name.
_CODE: Final = 4
_REMARKS: Final = re.compile(r"(?:\s*\([^()]{0,80}\))+\s*$")
#: Behind a comma and the whole name.
_BEHIND_NAMES: Final = frozenset(
    [
        *("jr", "sr", "ii", "iii", "iv", "phd", "ph.d", "md", "m.d", "mba", "esq", "dds", "cpa", "inc"),
        *("ltd", "llc", "llp", "gmbh", "ag", "sa", "s.a", "srl", "s.r.l", "bv", "b.v"),
    ]
)


def is_office_box(address: str) -> bool:
    """Whether a mailbox is a desk's: "info@acme.example"."""
    local, at, _ = address.casefold().partition("@")
    return bool(at) and _OFFICE.fullmatch(local[:80]) is not None


def _is_office(name: str, local: str, domain: str) -> bool:
    """Whether a firm's mailbox bears the name of its firm and of nobody: "PayPal" <service@paypal.example>."""
    if _OFFICE.fullmatch(local[:80]) is None:
        return False
    firm = domain.replace("-", "").rpartition(".")[0]
    return all(word in _OFFICE_WORDS or word in firm for word in name.replace("-", "").split())
