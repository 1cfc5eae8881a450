"""Whether a header's name and address are a person's: rooms, lists, firms and their mailboxes are nobody."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

#: Local parts of addresses that no person answers.
NOBODY: Final = re.compile(
    r"(?:.*[._+-])?(?:no|ne[-_.]?pas|do[-_.]?not|don[-_.]?t|never|non|nao|keine?)[-_.]?(?:reply|respond|respon[ds]er|"
    r"antwort(?:en)?|rispondere|repondre)(?:[._+-].*|\d*)|"
    r"(?:mailer-daemon|postmaster|bounces?|listserv|majordomo|daemon|root|cron|abuse|mdaemon|"
    r"autoresponder)(?:[._+=-].*)?|"
    r"(?:.*[._-])?(?:notif(?:y|ier|ications?)|newsletters?|news|alerts?|digests?|updates?|mailing(?:s|list)?|"
    r"marketing|promo(?:s|tions?)?|offers?|deals|announcements?|automat(?:ed|ic|ion)|"
    r"auto-?(?:confirm|reply|mailer)|calendar-(?:notification|invite)s?|calendar-notification|invit(?:e|ations?)|"
    r"messages-noreply|reminders?|system|robot|bot|webmaster|campaigns?|"
    r"order-update|ship-?confirm|shipment-tracking|store-news|receipts?|verify|verification|security-noreply|"
    r"comment-reply|jobalerts?|(?:[a-z]{3,20}-?)?(?:bestaetigung|bevestiging)(?:en)?"
    r"|benachrichtigung(?:en)?|meldung(?:en)?|"
    r"(?:order-?|booking-?)?confirmations?|confirmacion(?:es)?|confirmac(?:ao|oes)|conferm[ae]"
    r"|avisos?|notificacion(?:es)?|"
    r"notificac(?:ao|oes)|notifich?[ae]|meldingen|jira|confluence|bitbucket|gitlab|github|trello"
    r"|asana|dse(?:_[a-z]+\d)?)"
    r"(?:[._+-].*|\d*)|"
    r"reply\+.*|.*-noreply|.*noreply.*",
    re.IGNORECASE,
)
#: Mailboxes of a firm, and words of their names beside the firm's own.
_OFFICE: Final = re.compile(
    r"(?:service|support|feedback|team|help|helpdesk|info|hello|hallo|hola|ciao|office|billing|accounts?|care|contact"
    r"|kontakt|contacto|kundenservice|customer-?(?:service|care)|sales|orders?|shop|members?|events?|press|media|admin"
    r"|administration|reception|rezeption|empfang|bookings?|reservations?|jobs|careers|hr|webinars?|subscriptions?"
    r"|registration|general-?info|information|communications|(?:public|investor|media)[._-]?relations"
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
#: Addresses of rooms and of lists.
_LIST_OR_ROOM: Final = re.compile(
    r".*@(?:resource\.calendar\.google\.com|group\.(?:v\.)?calendar\.google\.com|googlegroups\.com|yahoogroups\.com"
    r"|groups\.io|(?:lists?|listserv|mailman|marketing|newsletters?|mailer)\..*)"
    r"|.*[._-](?:list|mailinglist|distribution|verteiler|owner|request|bounces?|announce)@.*|(?:owner|list)-.*@.*"
    # A machine's number of a message or of a subscription.
    r"|(?=[^@]{20})(?:[^@\d]*\d){8}.*@.*"
)
#: What names a group, a place or an organisation, and no family.
_GROUP: Final = re.compile(
    r"\b(?:mailing ?list|committee|department|newsletter|corporation|incorporated|association|foundation|institute"
    r"|ministry|agency|helpdesk|help desk|hotline|webinars?|all[ -](?:staff|hands)|everyone|notifications?"
    r"|(?:meeting|conference|board|training|huddle|phone|class) ?rooms?|journal of|university of|office of|board of"
    r"|^no address$|(?:undisclosed|unlisted)[ -]recipients?|^(?:\w+ )*(?:users?|administrator)$"
    r"|note ?taker|otterpilot|meeting assistant|bank of|society (?:of|for)|bureau of|council of"
    r"|abteilung|besprechungs\w*raum|konferenzraum|sitzungs(?:zimmer|saal|raum)|seminarraum|ministerium|stiftung"
    r"|sekretariat|kundenservice|verwaltung|verteiler"
    r"|salle de (?:reunion|conference)|comite|departement|fondation|ministere|secretariat|direction generale"
    r"|sala (?:de )?(?:juntas|reuniones|reuniao|reunioes|riunioni|conferenze)|departamento|fundacion|ministerio"
    r"|fundacao|comitato|dipartimento|fondazione|ministero|segreteria|secretaria|associazione|asociacion|associacao"
    r"|vergader(?:ruimte|zaal|kamer)|stichting|vereniging|afdeling|secretariaat)\b"
    r"|^(?:room|raum|salle|sala|zaal|saal) [\d.a-z]{1,5}$"
    r"|\bteams?$|[\w.)] (?:(?:public|investor|media) relations|human resources|services?|solutions|systems|technologies"
    r"|communications|information|magazine|headquarters|operations|logistics|marketing|publications|consulting"
    r"|reports?|university|universitat|universite|hospital|hotel|airlines|airways)$"
    r"|^(?:public relations|human resources)$"
    r"|\b(?:inc|ltd|llc|llp|plc|gmbh|corp|e\.v|s\.r\.l|s\.a\.s|b\.v)$"
    r"|\u4f1a\u8b70\u5ba4|\u4f1a\u8bae\u5ba4|\u6703\u8b70\u5ba4|\u682a\u5f0f\u4f1a\u793e|\u6709\u9650\u516c\u53f8"
    r"|\u59d4\u5458\u4f1a|\u59d4\u54e1\u4f1a|\ud68c\uc758\uc2e4"
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
#: What stands in a subject or an address of a page, and in no name.
_NO_NAME: Final = re.compile(r"@.*@|[$\u20ac\u00a3%=]\s*\d|\d\s*[$\u20ac\u00a3%]|https?:|\bwww\.")
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


def is_titled(name: str) -> bool:
    """Whether a name in small letters begins with a title: "frau berg"."""
    return _TITLE.match(name) is not None


@lru_cache(maxsize=16384)
def is_person(name: str, address: str) -> bool:
    """Whether these may be a person's. Of a firm's mailbox, only the name tells: "Ann Lee" <info@lee.example> is."""
    local, at, domain = address.casefold().partition("@")
    if at and (is_machine(address) or _LIST_OR_ROOM.fullmatch(f"{local[:100]}@{domain[:190]}")):
        return False
    if _NO_NAME.search(name):
        return False
    words = plain(re.sub(r"\([^()]{0,80}\)", " ", name)).strip(" \"'.,;<>")
    first, comma, behind = _BEHIND.sub("", words).partition(",")
    # "Lee, Ann" and "Ann Lee, Acme Inc." are people, "Acme, Inc." is not.
    shown = first if comma and " " in first.strip() else f"{first} {behind}"
    if _ROLE.fullmatch(words):
        return False
    if not is_titled(words) and _GROUP.search(" ".join(shown.split()).strip(" .")):
        return False
    return not at or not _is_office(words, local, domain)


def is_machine(address: str) -> bool:
    """Whether no person answers at this address."""
    local, at, _ = address.casefold().partition("@")
    return bool(at) and NOBODY.fullmatch(local[:100]) is not None


def without_path(name: str) -> str:
    """A name without the path by which a mail server knows somebody: "Roth, Mia </O=ACME/OU=NA/CN=MROTH>"."""
    return _PATH.sub(" ", name) if "/" in name else name


_PATH: Final = re.compile(r"<?/o=[^<>]*/cn=[^<>]*>?", re.IGNORECASE)
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
