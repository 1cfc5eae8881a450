"""What a message of a chat does beside what its sentences state: it agrees, asks, takes back, hands over, parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2s
from typing import Final

#: The sign of a message that asks.
ASKS: Final = "asks"
#: The signs of one that says yes, and of one that says yes, thanks or praises.
AGREES: Final = "agrees"
TAKES: Final = "takes"
#: The signs of a mail that says where a thing is, and of one that only puts its answer off.
PLACES: Final = "places"
DEFERS: Final = "defers"
#: The sign of one that gives a number or an address at which somebody is reached.
GIVES: Final = "gives"
#: In front of the sign of words that a mail repeats.
REPEATS: Final = "repeats:"
#: A mail has the signs of so many sentences at most that it quotes; what it answers comes first.
_REPEATED: Final = 24
#: By so many words a sentence is known; fewer than the second number may stand in any mail.
_KNOWN_BY, _TELLING = 8, 4


def turn(texts: Sequence[str]) -> str:
    """What a message does, a word each.

    It "asks"; it "agrees" with a plain yes; it "takes" up what was proposed, with a yes, thanks or praise; it "hands" a
    photo, a file or a link; it "parts", or only thanks; what it or the message before says is done "soon"; it "tells",
    in more sentences than one.
    """
    whole = " ".join(texts).strip()
    signs = {
        ASKS: whole.endswith(_ASKS),
        AGREES: bool(texts) and (_PLAINLY.match(texts[0]) is not None or does(whole)) and agrees(texts),
        TAKES: bool(texts) and _TAKEN.match(texts[0]) is not None and not any(map(_NO.search, texts)),
        "hands": any(map(_HANDED.search, texts)),
        "parts": _PARTING.fullmatch(whole) is not None,
        "soon": _SOON.fullmatch(whole) is not None or _DOING.match(whole) is not None,
        "tells": len(texts) > 1 and not whole.endswith(_ASKS),
    }
    return " ".join(sign for sign, is_given in signs.items() if is_given)


def answer(texts: Sequence[str]) -> list[str]:
    """The signs of what a mail of the user's says to what it was asked."""
    sentences = [each.strip() for text in texts for each in _SENTENCE_END.split(text) if each.strip()]
    deferring = [each for each in sentences if _DEFERRED.search(each)]
    signs = {
        PLACES: not any("?" in text for text in texts) and any(map(_PLACED.match, sentences)),
        GIVES: any(map(_REACH.search, texts)),
        DEFERS: bool(deferring) and all(len(each.split()) <= _OF_NAME for each in sentences if each not in deferring),
    }
    return [sign for sign, is_given in signs.items() if is_given]


def repeated(texts: Sequence[str]) -> list[str]:
    """The signs of the sentences that a mail quotes, by which a later reader knows what it answers."""
    return list(dict.fromkeys(_marks("\n".join(texts))))[:_REPEATED]


def of_words(text: str) -> str:
    """The sign of a mail that quotes this sentence; "" where it is too short to be known by."""
    first = _WORDS.findall(_STOP.split(text, maxsplit=1)[0])[:_KNOWN_BY]
    return f"{REPEATS}{_digest(first)}" if len(first) >= _TELLING else ""


def _marks(text: str) -> Iterator[str]:
    # Quotes are wrapped anew: a sentence goes on in the next line, and each line may begin one.
    for start in _STARTS.finditer(text):
        if mark := of_words(text[start.end() : start.end() + _LOOKED_AT]):
            yield mark


def _digest(words: Sequence[str]) -> str:
    return blake2s(" ".join(words).casefold().encode("utf-8", "surrogatepass"), digest_size=3).hexdigest()


#: So many characters hold the words that a sentence is known by.
_LOOKED_AT: Final = 160
_WORDS: Final = re.compile(r"[^\W_]+")
_STOP: Final = re.compile(r"[.!?]+(?=\s|\Z)")
_STARTS: Final = re.compile(r"\A|\n|[.!?:]\s+")


def agrees(texts: Sequence[str]) -> bool:
    """Whether a reply begins with a yes, and takes nothing back: "Ok, what time?", "of course I can!".

    Other words behind the yes are what was asked for: "yes, it's Ida", "sure, sending it over".
    """
    return _AGREED.match(texts[0]) is not None and not any(map(_NO.search, texts))


def does(text: str) -> bool:
    """English: whether a reply says that its author will do what was asked: "sure, I'll do it on Friday"."""
    return _DOES.search(text) is not None


def releases(text: str) -> bool:
    """Whether a message takes back what it asked for, in one of its clauses: "oh, I see it, never mind"."""
    return _RELEASED.search(text) is not None


def without_tag(text: str) -> str:
    """A sentence without what only asks for a nod, or calls the other: "I'll send it tomorrow, ok?", "... list luv"."""
    asked = _ASKS_BACK.match(text)
    return _TAG.sub("", text[: asked.end("own")] if asked else text)


def calling(text: str) -> re.Match[str] | None:
    """What a chat calls the other by before a sentence: "honey, buy me ..."."""
    return _CALLED.match(text)


def _any_of(*lines: str) -> str:
    """A pattern of phrases, which bars part."""
    return "(?:" + "|".join(phrase.strip() for line in lines for phrase in line.split("|")) + ")"


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts), re.IGNORECASE)


_ASKS: Final = ("?", "\uff1f", "\u061f")
#: A message of nothing but thanks, signs and a good-bye answers nothing.
_PARTING: Final = _pattern(
    "(?:",
    _any_of(
        "oh|ah|aw+|hm+|haha|lol|wow|omg|hi|hey|hello|thank you|thanks?|thx|ty|ta|cheers|great|cool|nice|perfect",
        "awesome|lovely|super|ok|okay|kk?|bye|good ?bye|see you|see ya|too|you too|u too|same here|no problem|np",
        "you'?re welcome|cu|cya|ttyl|later|soon|then|tomorrow|tonight|there|good ?night|night|take care|love you|love",
        "hugs|dear|honey|darling|mate|man|dude|guys|so much|a lot|very|in advance|yay|talk to you|speak",
        r"have a (?:nice|good|great) \w+",
        "x+|danke|tschüss?|bis dann|bis morgen|merci|salut|à demain|bisous|gracias|adiós|hasta luego|mañana",
        "obrigad[oa]|tchau|até logo|grazie|ciao|a domani|bedankt|doei|tot morgen",
    ),
    r"\b|<3|[\W_]|[dpo]\b)*+",
)
#: A greeting or a name below has so many words at most.
_OF_NAME: Final = 2
_SENTENCE_END: Final = re.compile(r"[.!?]+(?:\s|\Z)|\n")
#: "It is with the notary": more may follow, but no other time.
_PLACED: Final = _pattern(
    r"(?:(?:it|they|that)(?:['\u2019]s| is|['\u2019]re| are) (?:already |now )?(?:with|in|on|at|under)",
    r"|(?:er|sie|es|das) (?:ist|sind|liegt|liegen|steht|hängt) (?:schon |bereits |jetzt )?(?:bei|beim|im|in|an|am|auf)",
    r"|(?:il est|elle est|c['\u2019]est|ils sont) (?:déjà )?(?:chez|dans|sur|au)|(?:ya )?está con|já está com",
    r"|(?:è|sono) già (?:dal|dalla|nel|nella)|(?:het|hij|die) (?:is|ligt|staat|zit) (?:al )?(?:bij|in|op))",
    r"\b(?!.*\b(?:not|yet|soon|later|nicht|pas|no|não|non|niet|tomorrow|morgen)\b)",
)
_REACH: Final = re.compile(r"\S@\S+\.\w|\+?\d(?:[ ./()-]{0,2}\d){6,}")
_DEFERRED: Final = _pattern(
    r"\b(?:(?:have not|haven['\u2019]?t|not) (?:yet )?(?:had|got|found|looked|read|seen|managed)|no time",
    r"|get (?:back )?to (?:it|you)|let me (?:check|think|see|ask|look|read)|for the delay",
    r"|(?:look|think) (?:at|about) it (?:later|soon|tomorrow)|keine zeit|komme? (?:noch )?darauf zurück",
    r"|noch nicht (?:dazu )?(?:gekommen|geschafft|gelesen|angesehen)|(?:pas (?:encore )?eu|pas) le temps",
    r"|no he tenido tiempo|não tive tempo|non ho avuto tempo|(?:nog )?geen tijd)\b",
)
_BRIEFLY: Final = r"(?:an?|a few|\d+) ?(?:mins?|minutes?|secs?|seconds?|moment)\b"
#: "In 40 minutes": when what the message before says is done.
_SOON: Final = _pattern(
    r"\W*(?:(?:(?:just )?give me|in) (?:like |about |just )?",
    rf"(?:{_BRIEFLY}|(?:an?|a few|\d+) (?:bit|hour))",
    r"|right now|now|asap|brb|one (?:sec|min|moment)|(?:just )?a (?:sec|min|minute|moment))\W*",
)
_ALSO_YES: Final = _any_of(
    "oh|ok|okay|sure|yes|yeah|yep|yup|of course|no problem|haha|lol|xd|hey|ja|klar|sicher|natürlich|gerne?",
    "oui|d'accord|bien sûr|sí|vale|claro|sim|sì|certo|va bene|zeker|goed",
)
#: "Sure, turning it down", "ok, right away": who says yes is at it.
_DOING: Final = _pattern(
    rf"\W*(?:{_ALSO_YES}\W+)+",
    r"(?:(?:i'm |im |am )?(?:just |already )?(?!thing)\w+ing(?: (?:it|them|that|this|now|right|to)\b|\W*\Z)",
    r"|right (?:away|now)|straight away|immediately|(?:in )?(?:just )?(?:a|one) (?:sec|second|min|minute|moment)\b",
    rf"|(?:\w+ )?give me (?:like |about )?{_BRIEFLY}",
    r"|(?:ich )?(?:bin |komme? |mache? ich )?(?:gleich|sofort)\b|j['\u2019]arrive|je reviens|tout de suite",
    r"|ahora mismo|enseguida|ya voy|agora mesmo|já (?:vou|volto)|(?:torno )?subito|arrivo|meteen|zo terug|kom eraan)",
)
#: A link, or what stands in an export for a photo or a file: "[photo]", "<Media omitted>", "IMG-1.jpg (file attached)".
_HANDED: Final = _pattern(
    r"https?://|\S@\S+\.\w|\b\d[\d ./-]{5,}\d\b|\(file attached\)|\b(?:u|you|ya) (?:got|get) (?:it|them)\?",
    r"|\b(?:here you (?:go|are)|here it is|there you go|check your (?:e-?mail(?:box)?|mail|inbox|dms?|messages))\b",
    r"|\b(?:hier,? bitte|bitte sehr|(?:da|hier) (?:hast du|haben sie)|hier ist (?:er|sie|es)|tenez|tiens|l[ea] voilà",
    r"|aquí (?:tienes?|está)|aqui (?:tens|tem|está)|ecco a (?:te|lei|voi)|ecco(?:l[oaie]|ti)|hier heb je)\b",
    r"|(?:^|[.,!] ?)\W*(?:just )?(?:sending|forwarding|uploading|e?mailing) ?(?:it|them|now|right|over|\d|[.!]|$)",
    r"|[\[<][^\[\]<>]{0,20}(?:photo|foto|image|imagen|immagine|imagem|picture|video|file|datei|media|medien|document",
    r"|attachment|audio|link|url|location|contact)\b[^\[\]<>]{0,20}[\]>]",
)
_I_WILL: Final = r"i(?:'ll|\u2019ll|ll| will| can)"
_YES: Final = _any_of(
    "yes+|yeah|yea|yep|yup|ye|ok|okay|okey|oki|okie|kk?|sure|ofc|of course|course|no prob(?:lem)?s?|np|alright",
    "all right|fine|will do|absolutely|definitely|certainly|gladly|with pleasure|consider it done",
    rf"no worries(?=\W*\Z)|{_I_WILL} do (?:it|that|so)|i will|(?:it|they) will be (?:ready|done|there)",
    "(?:i )?won'?t forget|roger that|on it|oke|deal|it's a deal|you got it|sure thing|no probs",
    "ja|jo|jap|jup|klar|na klar|alles klar|geht klar|logo|sicher|natürlich|gerne?|passt|okidoki|mach ich|mache ich",
    "wird gemacht|wird erledigt|erledige ich|übernehm(?:e)? ich|kein(?:e)? (?:problem|thema|ding)|versprochen",
    r"(?:(?:ich kümmer|ich kümmere|kümmer|kümmere)(?: ich)? mich) (?:darum|drum)",
    "oui|ouais|ouep|d'accord|d'acc|dac|bien sûr|ça marche|ca marche|pas de souci|pas de soucis|pas de problème",
    "entendu|volontiers|avec plaisir|carrément|je m'en occupe|je m'en charge|c'est noté|noté",
    "sí|si+|vale|dale|claro|por supuesto|listo|de acuerdo|venga|sin problema|cuenta con ello|yo me encargo|me encargo",
    r"\w{3,}o sim|claro que sim",
    "sim|beleza|blz|pode deixar|deixa comigo|combinado|fechado|com certeza|tá bom|está bem|tranquilo|sem problema",
    "sì|va bene|certo|certamente|volentieri|ci penso io|nessun problema|come no|me ne occupo io|tranquillo",
    "jazeker|zeker|natuurlijk|tuurlijk|goed|prima|oké|is goed|doe ik|komt goed|geen probleem|regel ik|ga ik doen",
)
#: What may stand behind a yes: courtesies, and a name.
_WITH_YES: Final = _any_of(
    "thing|can|do|will|i will|i can|i do|then|for you|thanks|thank you|thx|great|cool|perfect|nice|good idea",
    "sounds good|happy to|why not|haha|xd|too|please|anything",
    "x+|porfa|por favor|s'il te plaît|stp|bitte|per favore|alsjeblieft",
    "man|mate|dude|bro|sis|mum|mom|mama|dad|honey|babe|baby|love|dear|sir|boss|buddy|sweetie|darling|schatz",
    "natürlich|naturalmente|graag|danke|merci|gracias|obrigad[oa]|grazie|bedankt|mach ich|ci penso io",
    r"(?-i:@?[A-Z][\w-]+(?=\W*\Z))",
)
#: "Klar bring ich mit", "claro, te lo llevo yo", "certo te la porto io", "tuurlijk, ik breng m langs".
_DOES_IT: Final = (
    r"(?:(?:bring|nehm|mach|schick|leih|geb|hol)e? ich|ich (?:bring|nehm|mach|schick|leih|geb|hol)e?"
    r"|je (?:te |t['\u2019]|vous )|(?:te|ti|te lo|ve) l[oaie]s? \w+|ik (?:breng|neem|stuur|geef|leen|doe))"
)
#: The yes may ask back, and say when.
_AGREED: Final = _pattern(
    rf"\W*(?:(?:oh|ah|aww?|hmm?|cool|great|well|haha|hey)\W+)*{_YES}(?!\w)(?:\W+(?:{_YES}|{_WITH_YES})(?!\w))*",
    rf"(?:\W*(?:\Z|[.!\n])|[^.!?]{{1,40}}\?|\W+(?:{_I_WILL}|will|as soon as|when|once|after|later|tomorrow|tonight",
    r"|today|on|by|in the|this|next|at|before|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    rf"|\W+{_DOES_IT}\b)",
)
#: A yes with nothing else that its author would do.
_PLAINLY: Final = _pattern(
    rf"\W*(?:(?:oh|ah|aww?|hmm?|cool|great|well|haha|hey)\W+)*{_YES}(?!\w)(?:\W+(?:{_YES}|{_WITH_YES})(?!\w))*",
    r"(?:\W*(?:\Z|[.!\n])|[^.!?]{1,40}\?)",
)
_NO: Final = _pattern(
    r"\b",
    _any_of(
        "but|sorry|not|can't|cant|cannot|won't(?! forget)|wont(?! forget)|don't|dont|didn't|isn't|unless|depends",
        "though|however|if|maybe",
        "aber|nicht|keine?(?! (?:problem|thema|ding))|mais|pas(?! de (?:souci|problème))|pero|puedo|ma|non",
        "mas|não(?! tem problema)|maar|niet|geen(?! probleem)",
    ),
    r"\b",
)
_TAKEN: Final = _pattern(
    r"\W*(?:(?:oh|ah|aww?|hmm?|well|haha|hey|wow|omg)\W+)*",
    _any_of(
        rf"{_YES}|thank|thanks|thx|ty|tnx|cheers|great|gr8|perfect|awesome|cool|nice|good|sounds? \w+|lovely",
        r"brilliant|deal|it's a deal|fantastic|wonderful|amazing|excellent|you're \w+|you are \w+|that's|that would be",
        "super|genial|génial|genau|prima|perfekt|danke|tausend dank|parfait|merci|top|nickel|perfecto|gracias",
        "estupendo|perfeito|ótimo|obrigad[oa]|valeu|perfetto|ottimo|grazie|grande|bedankt|dankje|dank je|fijn",
        "please|yes please|go for it|go ahead|do that|would love|i'd love|would be|love it|love that|brill",
    ),
    r"\b|\W*[\U0001f44d\U0001f44c\U0001f64f\u2764]",
)
_DOES: Final = _pattern(
    r"\b(?:i(?:'ll|\u2019ll| will|ll)|will) ",
    _any_of("do|send|email|mail|forward|print|upload|bring|get|give|pay|fix|write|make|buy|call|return|post|hand|take"),
    r" (?:you )?(?:it|that|so|this|them)\b",
)
_RELEASED: Final = _pattern(
    r"(?:\A|[.,!?;:-]\s*)(?:(?:oh|ok|okay|actually|but|so|well|ach|ah)\W+)*",
    _any_of(
        "never ?mind|nvm|forget it|false alarm|no need(?: any ?more)?|don'?t bother|schon gut|hat sich erledigt",
        "lass (?:mal|gut sein)|laisse tomber|c'est bon|olvídalo|déjalo|deixa(?: pra lá)?|lascia stare|laat maar",
    ),
    r"\s*(?=[.,!?;:)(-]|\Z|(?:je|ich|hab|ho|ya|já|ik|i(?:'ve)?|got|found)\b|j['\u2019])",
)
_NOD: Final = _any_of(
    "oké|right|is that ok(?:ay)?|does that work|is that fine|fine",
    "passt das|passt|in ordnung|ist das (?:ok|okay|in ordnung)|geht das|d[\u2019']accord|ça (?:te|vous) va",
    "vale|te parece|está bien|tá(?: bom)?|pode ser|tudo bem|va bene|ti va|is dat goed|goed",
)
_TAG: Final = _pattern(
    r",?\s*\b(?:(?:ok(?:ay|ey)?|k|alright|all right)\s*\?+|(?:luv|hon|honey|babe|bro|dude|mate|x{2,})\W*)\s*\Z",
    rf"|\s*[,\u2013\u2014-]\s*{_NOD}\s*\?+\s*\Z",
)
#: What the author says of themself before a question whether, or when, it suits: "I'll bring it at 8, is that ok?"
_ASKS_BACK: Final = _pattern(
    r"(?P<own>[^?]*\b(?:i['\u2019]?ll|i will|i can|gonna|imma|ich|je|j'\w+|yo|eu|io|ik|te|ti|lo|la)\b[^?]*?)",
    r"\s*[,.;\u2013-]\s+",
    _any_of(
        "ok|okay|(?:is|does|would|will) (?:that|this|it)|what time|when|where|how does|what do you (?:think|say)",
        "passt|ist das|in ordnung|ça (?:te|vous) va|d'accord|ça marche|te parece|vale|está bien|pode ser|tá bom",
        "está bem|va bene|ti va|goed|oké|is dat",
    ),
    r"\b[^?]*\?\W*\Z",
)
_CALLED: Final = _pattern(
    r"(?:(?:hey|hi|ok|okay|oh)\s+)?",
    _any_of(
        "honey|hon|hun|babe|baby|mum|mom|mama|dad|daddy|sis|bro|man|dude|mate|buddy|love|darling|dear|sweetie",
        "sweetheart|guys|girls|schatz|papa|chérie?|cariño|amore|schat",
    ),
    r"\s*,\s*(?=\S)",
)
