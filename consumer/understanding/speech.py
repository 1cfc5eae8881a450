"""Speech as recorders write it down: fillers, repeated words, sentences in pieces, nods; what is done on the spot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from consumer.understanding.languages.words import words as table
from consumer.understanding.text import Sentence
from consumer.understanding.utterances import RecordText, Utterance

#: Sounds of thinking, and what only fills a pause between two commas: "I'll, uh, send it, you know, tomorrow".
_SOUNDS: Final = {
    "en": r"u+h+|u+m+|er+m?|uhm|eh+|a+h+|h+m+|mm+|mm+ ?-? ?h+m+",
    "de": r"ähm?|öhm?|hm+|mhm",
    "fr": r"euh+|heu|hm+",
    "es": r"eh+|em+|hm+",
    "pt": r"ahn?|hã|hum|hm+",
    "it": r"ehm?|mh+|hm+",
    "nl": r"uhm?|ehm?|hm+",
}
_ASIDES: Final = {
    "en": "like|you know|i mean|sort of|kind of",
    "de": "sozusagen|halt|also",
    "fr": "du coup|enfin|tu vois",
    "es": "o sea|bueno|este|digamos",
    "pt": "tipo|quer dizer|digamos",
    "it": "cioè|diciamo|insomma",
    "nl": "zeg maar|nou ja",
}
_FILLERS: Final = {
    code: re.compile(
        rf"(?:(?<=^)|(?<=[\s,\u2026]))(?:{sounds})(?:[,.\u2026]+|(?=\s|$))\s*|,\s*(?:{_ASIDES[code]})(?=,)",
        re.IGNORECASE,
    )
    for code, sounds in _SOUNDS.items()
}
#: "I'll I'll send the, the list": up to three words again.
_REPEATED: Final = re.compile(
    r"(?<![\w'-])((?!\d)[\w']+(?: [\w']+){0,2})(?:\s*[,\u2026-]+\s*|\s+|\s*\.{2,}\s*)\1(?![\w'-])", re.IGNORECASE
)
#: A pause within a sentence.
_PAUSES: Final = re.compile(r"\s*(?:\u2026|\.{2,})\s+(?=[a-zà-ÿ])|(?<=\w),\s*,")
#: Words may be repeated around others that are.
_TIMES: Final = 3


def smooth(text: str, code: str) -> str:
    """A sentence without what only speech has: fillers, repeated words, pauses."""
    text = _FILLERS.get(code, _FILLERS["en"]).sub("", _PAUSES.sub(" ", text))
    for _ in range(_TIMES):
        text = _REPEATED.sub(r"\1", text)
    return text.strip(" ,\u2026-")


def joined(several: Sequence[Sentence], text: str) -> list[Sentence]:
    """Sentences, with those in one that only a pause parts: "after\u2026 after the call"."""
    made: list[Sentence] = []
    for sentence in several:
        if made and made[-1].text.endswith(("\u2026", "...")) and sentence.text[0].islower():
            start = made.pop().start
            made.append(Sentence(text[start : sentence.start + len(sentence.text)], start))
        else:
            made.append(sentence)
    return made


def sequel(record: RecordText, place: int, *, ends: bool) -> int | None:
    """The place of the utterance that goes on with the sentence which the one at ``place`` leaves open; None for none.

    Recorders begin a new line at each breath, and for each "mm-hmm" of somebody else. ``ends``: whether this one ends
    its sentences with a sign.
    """
    first = record.utterances[place]
    if not _is_open(first.text, ends=ends):
        return None
    for after, following in enumerate(record.utterances[place + 1 :], place + 1):
        if following.author == first.author and following.kind == "spoken":
            return after
        if following.kind == "spoken" and not _NODDING.fullmatch(following.text):
            return None
    return None


_NODDING: Final = re.compile(
    r"\W*(?:(?:mm+|mhm+|m+-?h+m+|uh-?huh|yeah|yep|yes|right|okay|ok|sure|ja|genau|oui|sí|sì|sim|claro|hm+)\W*)+",
    re.IGNORECASE,
)


def _is_open(text: str, *, ends: bool) -> bool:
    """Whether a line ends amid its sentence: with a comma, a pause, or a word behind which something must follow."""
    *before, last = text.split() or [""]
    if not before:
        return False
    if last.endswith((",", "\u2026", "...", "-", "\u2013", "\u2014")):
        return True
    return (ends and last[-1].isalnum()) or last.casefold() in _LEADING


#: Words that end no sentence.
_LEADING: Final = table(
    """
    the a an my your our their his i i'll i'm i've we we'll and but so because with for from of by about into to can
    could will would send check update write review ask der die das den dem ein eine einen ich wir und aber weil mit
    für von bis zum zur le la les un une je nous et mais de du des pour avec el los las una yo y pero con para por
    o os as um uma eu e mas il lo gli uno io ma per di het een ik wij en maar met voor van
    """
)


def agreeing(record: RecordText, place: int) -> Utterance | None:
    """The yes to what is said at ``place``: the first words of somebody else right behind it; None without one."""
    author, added = record.utterances[place].author, 0
    for utterance in record.utterances[place + 1 :]:
        if utterance.author == author and utterance.kind == "spoken":
            length = len(utterance.text.split())
            added += length
            if added > _ADDED or ("?" in utterance.text and length > _TAG):
                return None
        elif utterance.kind == "spoken" and any(map(str.isalnum, text := smooth(utterance.text, utterance.language))):
            return utterance if _YES.match(text) and not _YES_BUT.search(text) and "?" not in text else None
    return None


#: The asker may add so many words before the answer comes.
_ADDED: Final = 30
#: "Is that possible?"
_TAG: Final = 4
_YES: Final = re.compile(
    r"\W*(?:(?:oh|ah|uh|um|mm-?hmm|well|so|and|great|cool|okay|ok|alright|all right)\W+)*"
    r"(?:yes|yeah|yep|yup|sure|of course|absolutely|definitely|certainly|will do|no problem|no worries|happy to|gladly"
    r"|sounds good|i will|i'll do|i can|can do|on it|got it|please|perfect|if you (?:wouldn't mind|would|could)"
    r"|that(?:'d| would) be (?:\w+ )?(?:great|awesome|good|nice|lovely|helpful|perfect|amazing|wonderful)"
    r"|(?:ok|okay|alright)(?=\W*\Z|\W+(?:i|sure|will|yes|thanks|sounds)\b)"
    r"|ja|klar|gerne|natürlich|mach ich|oui|d'accord|bien sûr|sí|vale|claro|sì|va bene|certo|sim|prima|doe ik|goed)\b",
    re.IGNORECASE,
)
_YES_BUT: Final = re.compile(
    r"\b(?:but|not|no(?! (?:problem|worries))|don't|can't|cannot|won't|already|just did|did (?:it|that)|done"
    r"|if(?! you (?:would|could|can))|maybe|though|aber|nicht|mais|pas|pero|ma|non|mas|não|maar|niet|schon)\b",
    re.IGNORECASE,
)


def is_on_the_spot(words: Sequence[str], code: str) -> bool:
    """Whether something is done while people still talk: "I'll share my screen", "let me put it in the chat"."""
    return _ON_THE_SPOT[code].search(" ".join(words)) is not None


def is_afterwards(words: Sequence[str], code: str) -> bool:
    """Whether the words put it off until people have parted: "after the call", "offline", "for the next meeting"."""
    text = " ".join(words)
    return _AFTERWARDS[code].search(text) is not None and (code != "en" or not _CHAT.search(text))


#: The chat of a call ends with it.
_CHAT: Final = re.compile(r"(?!.*\bafter the (?:call|meeting)\b).*\bchats?\b")


def _patterns(**several: str) -> dict[str, re.Pattern[str]]:
    return {code: re.compile(rf"\b(?:{pattern})\b") for code, pattern in several.items()}


_ON_THE_SPOT: Final = _patterns(
    en=r"now|here|quickly|quick|briefly|(?:i'll|will|gonna|going to|let me) just|screen|joining|ambulance|on the line"
    r"|(?:in|into|to|on|through|via) (?:the |zoom )*chats?|in the meantime|meanwhile|at the end"
    r"|(?:in|for) (?:a|one|another|the next) (?:\w+ )?(?:sec|seconds?|minutes?|moments?|bit|while)"
    r"|next (?:slide|topic|item|point|section|speaker|question)",
    de=r"jetzt|gerade|schnell|kurz|hier|gleich|(?:im|in den) chat|bildschirm|moment|sekunde|minute",
    fr=r"maintenant|ici|vite|rapidement|(?:dans|sur) le chat|(?:mon )?écran|(?:une|deux) (?:seconde|minute)s?",
    es=r"ahora|aquí|rápidamente|(?:en|por) el chat|(?:mi )?pantalla|un (?:segundo|minuto|momento)",
    pt=r"agora|aqui|rapidamente|no chat|ecrã|tela|um (?:segundo|minuto|momento)",
    it=r"ora|adesso|qui|velocemente|(?:in|nella) chat|schermo|un (?:secondo|minuto|attimo)",
    nl=r"nu|hier|snel|in de chat|scherm|een (?:seconde|minuut|momentje)|zo meteen",
)
_AFTERWARDS: Final = _patterns(
    en=r"(?:right |straight |directly )?after (?:the |this |that |our |today's )*"
    r"(?:call|meeting|session|stand-?up|talk|show|presentation|lunch|workshop)"
    r"|after this(?! (?:one|slide|point|topic|item|question|part))|afterwards?(?! (?:\w+ )*chats?\b)|offline|async"
    r"|separately|over the weekend|later (?:today|on today|this (?:week|afternoon|evening))|end(?: of)?(?: the)? "
    r"(?:day|week)|(?:before|for|by|in|until) (?:the |our )?next (?:\w+ )?(?:call|meeting|session|stand-?up|time|sync"
    r"|release)|when (?:i|i'm|we|we're) (?:get |am |are )?(?:back|home)|as soon as (?:i|we|it|that|they)\b.*"
    r"|once (?:i|it|it's|that|that's|this|they)\b.*",
    de=r"(?:nach|im anschluss an) (?:dem|der|diesem|dieser|unserem|unserer) (?:\w*termin|call|meeting|besprechung"
    r"|sitzung|gespräch|telefonat|runde)|im anschluss|hinterher|danach|übers wochenende|sobald .*"
    r"|(?:bis|für|vor) (?:zum|zur|das|den|dem|der|die) nächste[nrm]? \w+",
    fr=r"après (?:la|cette|notre|le|cet|l') ?(?:réunion|appel|call|séance|point|visio)|ce week-end|dès que .*"
    r"|(?:d'ici|pour|avant) (?:à )?(?:la|le) prochaine? \w+",
    es=r"después de (?:la|esta|el|este) (?:reunión|llamada|sesión|call)|en cuanto .*"
    r"|(?:para|antes de) (?:la|el) próxim[ao] \w+",
    pt=r"depois d(?:a|o|esta|este) (?:reunião|chamada|sessão|call)|assim que .*"
    r"|(?:para|até|antes d)[ao]? (?:a |o )?próxim[ao] \w+",
    it=r"dopo (?:la|questa|il|questo) (?:riunione|chiamata|sessione|call)|appena .*"
    r"|(?:per|entro|prima del)(?:la)? (?:la |il )?prossim[ao] \w+",
    nl=r"na (?:de|deze|dit|het) (?:vergadering|call|meeting|gesprek|overleg)|daarna|zodra .*"
    r"|(?:voor|vóór|tot) (?:de|het) volgende \w+",
)
