"""Signs that nobody is bound: terms of a bargain that nobody took up, notices of what follows a silence, jokes."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from consumer.understanding import chatter


def binds_nobody(sentence: str, following: str, you: Collection[str], *, dated: bool) -> bool:
    """Whether a promise says only on what terms something would be done: "I will pay 40 euros a dozen", "I can ship it
    tomorrow. If you are interested, let me know", "I'll put them up for sale if I don't hear from you".

    ``following``: what its author says next. ``you``: words for the reader, who waits for what is for them even if they
    stay silent. ``dated``: whether it has a day; a price of each piece is then no bid.
    """
    if _INTEREST.match(following):
        return True
    silence = _SILENCE.search(sentence)
    if silence and not _FROM_ANOTHER.search(silence[0]):
        return set(you).isdisjoint(_WORD.findall(_SILENCE.sub("", sentence).casefold()))
    return not dated and _BID.search(sentence) is not None


def is_in_jest(sentence: str, following: str) -> bool:
    """Whether its author laughs at it or takes it back: "I'll bring the crown, haha", "Send me an elephant. Just
    kidding!".
    """
    return (
        chatter.is_laughing(sentence) or _JEST.search(sentence) is not None or _TAKEN_BACK.match(following) is not None
    )


def _any_of(*lines: str) -> str:
    """A pattern of phrases, which bars part."""
    return "(?:" + "|".join(phrase.strip() for line in lines for phrase in line.split(" | ")) + ")"


_WORD: Final = re.compile(r"[^\W\d_]+")
_PRICE: Final = (
    r"(?:[$\u20ac\u00a3]\s?\d[\d.,]*k?|\b\d[\d.,]*k?\s?(?:[$\u20ac\u00a3]|(?:eur|usd|gbp|chf|euros?|dollars?|bucks|pounds"
    r"|dólares|dollari|reais)\b))"
)
#: Who pays or sells *40 euros a piece* bids; "the 40 euros a piece" and "an invoice of 40 euros" are agreed.
_BID: Final = re.compile(
    r"\b(?:pay|sell|offer|zahle|biete|verkaufe|paie|paye|vends|offre|pago|pagar(?:é|ei|emos)|vend[oe]"
    r"|offro|betaal|bied|verkoop)\w*"
    r"(?:[ -](?!(?:the|those|die|den|der|les|des|los|las|il|gli|of|de|di|von|van|über|over)\s\S*\d)[^\s,.;:]+){0,4}?\s"
    + _PRICE
    + r"\s?"
    + _any_of(
        r"/\s?\w | per \w | each\b | apiece\b | a (?:piece|dozen|unit|box|head|pound|pair|case|ticket|night)\b",
        r"pro \w | je \w | das stück | la pièce | (?:par|l') ?(?:pièce|unité|personne)\b | chacune?\b",
        r"por \w | la unidad | a unidade | al pezzo\b",
        r"l'un[oa]\b | ciascun[oa]\b | a testa\b | (?:per|het) stuk\b",
    ),
    re.IGNORECASE,
)
#: With who was silent, as far as words say so. "Unless I hear otherwise, I'll book it" begins with no terms.
_SILENCE: Final = re.compile(
    r"(?<!\A)\bunless (?:i|we) he(?:ar|re) otherwise\b|\b"
    + _any_of(
        r"(?:if|unless) (?:i|we)(?: do| have)?(?: not|n['\u2019]t)? "
        r"he(?:ar|re|ard) (?:\w+ )?(?:from \w+|back|anything)",
        r"if (?:i|we) (?:get|receive) no (?:answer|reply|response)",
        r"(?:wenn|falls) (?:ich|wir) (?:[^,.;]{0,30} )?nichts (?:[^,.;]{0,20} )?(?:höre|hören)",
        r"(?:wenn|falls) (?:ich|wir) (?:[^,.;]{0,30} )?keine (?:antwort|rückmeldung)",
        r"sans (?:nouvelles?|réponse|retour)(?= de (?:ta|votre) part)",
        r"si je n['\u2019]ai (?:pas|aucune?) (?:de )?(?:nouvelles?|réponse|retour)",
        r"si no (?:recibo|tengo|recibimos) (?:\w+ )?(?:respuesta|noticias) | si no (?:sé|sabemos) nada",
        r"se não (?:receber|tiver|recebermos) (?:\w+ )?(?:resposta|notícias)",
        r"se non (?:ricevo|ho|riceviamo|abbiamo) (?:\w+ )?(?:risposta|notizie)",
        r"als (?:ik|we|wij) (?:[^,.;]{0,30} )?niets (?:[^,.;]{0,20} )?(?:hoor|horen)",
    )
    + r"\b(?:\s(?:(?:from|von|vom|der|des|de|du|da|do|dal|dalla|di|del|della|van)\s\w+|d['\u2019]|dall['\u2019]))?",
    re.IGNORECASE,
)
#: Of a silence: that it is another's than the reader's.
_FROM_ANOTHER: Final = re.compile(
    r"\b(?:d['\u2019]|dall['\u2019]|(?:vom|du|do|dal|dalla|del|della)\s(?!not\b)|(?:from|von|der|des|de|da|di|van)\s"
    r"(?!(?:you|u|any|anyone|anybody|dir|euch|ihnen|toi|vous|ta|votre|ti|usted|ustedes|vosotros|tu|su|si|você|vocês|vós"
    r"|tua|sua|te|lei|voi|je|jou|jullie|nouvelles?|réponse|retour)\b))",
    re.IGNORECASE,
)
#: At the beginning of the words behind the terms: whoever is interested is to say so.
_INTEREST: Final = re.compile(
    r"\W*(?:so |please )?(?:let (?:me|us) know if (?:you(?:['\u2019]re| are) )?interested\b|"
    + _any_of(
        r"if (?:you(?:['\u2019]re| are) )?interested\W",
        r"(?:bei|falls|wenn|sollten) (?:[^,.;]{0,20} ?)?interesse\b | si (?:ça|cela) (?:t['\u2019]|vous )intéresse",
        r"si (?:tu es|vous êtes) intéressé | si (?:te|le|les|os) interesa\b | si (?:estás?|están) interesad",
        r"se (?:te|lhe|vos) interessar?\b | se (?:estiver(?:es)?|tiver(?:es)?) interess | se (?:ti|le|vi) interessa\b",
        r"se (?:sei|è|siete) interessat | (?:bij|als) (?:[^,.;]{0,20} ?)?interesse\b",
    )
    + r"[^.!?\n]*\b"
    + _any_of(
        r"(?:let|tell|write|call|e-?mail|contact|text) (?:me|us) | reply | get in touch",
        r"(?:melde?|sag|sagt|sagen|gib|gebt|geben|schreib|schreibt|schreiben|ruf|ruft|rufen)",
        r"dis | dites | fais | faites | écri(?:s|vez) | contacte[zr]?",
        r"av[ií]s\w+ | d[ií](?:me|ga|z)\w* | escr[ei][bv]\w+",
        r"contáct\w+ | contacta | fammi | mi faccia | dimmi | scriv\w+ | contatt\w+ | hoor ik | laat | mail",
    )
    + r"\b)",
    re.IGNORECASE,
)
_JEST: Final = re.compile(r"\b(?:j/k|just kidding)\b|(?<!\S);-p\b", re.IGNORECASE)
#: At the beginning of what follows. "Never mind the typos" takes back nothing.
_TAKEN_BACK: Final = re.compile(
    r"\W*(?:oh |ok |but |no |well |i(?:['\u2019]m| am) )*"
    + _any_of(
        r"(?:just |only )?(?:kidding|joking) | j/k | never ?mind | forget (?:it|that)",
        r"(?:(?:[hj]a){2,}|lol+)(?=\W*\Z)",
        r"(?:war )?nur (?:ein )?(?:spaß|scherz) | schon gut | je (?:plaisante|rigole) | laisse tomber",
        r"(?:es|era) (?:una )?broma | olvídalo | (?:é|estou a|estou) (?:brincadeira|brincar|brincando) | deixa estar",
        r"(?:sto )?scherz(?:o|ando) | lascia stare | (?:was een )?grapje | laat maar",
    )
    + r"(?=\W*\Z|\s*[.!;)]|\s*,(?!\s*(?:dass|que|che|dat)\b))",
    re.IGNORECASE,
)
