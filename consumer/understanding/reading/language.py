"""
Which language a text is written in: a guess from function words and scripts, "" where it is unsure.

Deterministic and cheap (a dictionary look-up a word). Libraries that know 97 languages (py3langid) always name one,
also for "ok, 3 pm" or a list of names, and a wrong language reads wrong promises.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
#: Words that few other languages of the table have, most frequent first. Languages that no reader knows are here so
#: that they are not taken for one of those it knows.
_FUNCTION_WORDS: Final[Mapping[str, str]] = {
    "en": "the and you to of is that it for with are have this will be was not we can your from they what there "
    "which would about please could should i'll i'm don't it's we'll has been send just our my if how when "
    "who get let thanks do by an at on or but all any he she his her them then than i so as up out by me us "
    "yes today tomorrow a in",
    "de": "der die das und ich ist nicht sie es ein eine mit den dem auf für sich von zu im wir auch werden wird "
    "kann habe hat sind noch bis bitte oder wenn nur aber wie einen ihnen ihr mir mich dir dich uns schicke "
    "sende dass bei am zum zur du heute morgen nach über vor schon danke haben mein dein kein keine er "
    "so an in was war",
    "fr": "le la les et je est pas vous nous que qui une des dans pour avec sur ne ce il elle sont au aux du plus "
    "cette mais votre notre ai été avons merci bonjour suis vais peux pouvez être ça c'est j'ai j'envoie "
    "d'ici avant demain on en un de tu te mon ma mes leur aussi envoie l'ai n'est fait a ci",
    "es": "el los las y que es una por con para del se lo su al más pero como está yo tú usted nosotros les muy "
    "este esta ya hay voy puedo gracias hola también cuando hasta mañana antes envío enviaré nuestro te me mi "
    "no la de en un sí tengo favor sobre porque son ser a",
    "pt": "o os as e que é uma para com não por do da dos das no na em um ao mais mas como está eu você nós ele ela "
    "seu sua muito já até amanhã obrigado obrigada olá também vou posso envio enviarei nosso isso foi tem são "
    "me te lhe pela pelo sem quando a nao pra diz diga",
    "it": "il lo gli e che è una per con non di del della dei nel al alla più ma come io tu lei noi voi sono sei ho "
    "ha abbiamo questo questa anche grazie ciao mando invio entro domani prima quando da un mi ti ci vi le la "
    "si posso sarà essere nostro c'è dell'ho l'ho a in",
    "nl": "de het een en ik is niet je dat van op te voor met zijn er aan ook maar als bij naar uit door nog wij "
    "jij zal kan heb heeft hebben worden wordt graag dank bedankt groeten morgen vandaag stuur sturen onze "
    "mijn deze dit om we ze hij u uw wat die moet moeten ben bel ga hoi in laat weten "
    "alsjeblieft alstublieft kun kunt",
    "sv": "och att det som på är inte jag för med till den av ett om vi du har kan ska från hej tack imorgon eller "
    "men skickar också när mig dig en i så var",
    "da": "og at det er på jeg ikke en for med til den af der vi du har kan skal fra hej tak eller men som mig dig "
    "også blev hvad",
    "pl": "i w nie na się że jest jak ale za co ja dla czy tak od już proszę dziękuję jutro jestem będzie wyślę",
    "cs": "se na je že v ne pro jsem jako ale za by co tak prosím děkuji zítra nebo jsme bude pošlu",
    "tr": "ve bir bu da de için ile çok ben ne var yok ama gibi daha kadar sen biz teşekkürler lütfen yar\u0131n "
    "olarak",
    "fi": "ja on ei että se en hän mutta kun niin ole minä sinä tai jos kiitos huomenna olen voi sitten",
    "ro": "și nu este în pe cu la că pentru din mai sunt sau dar de care mulțumesc mâine voi trimite un o",
    "hu": "és a az hogy nem is egy van de meg már csak ez én kell köszönöm holnap vagy küldöm",
}
_WORDS_OF: Final = {code: frozenset(words.split()) for code, words in _FUNCTION_WORDS.items()}
_LANGUAGES: Final[Mapping[str, tuple[str, ...]]] = {
    word: tuple(code for code, words in _WORDS_OF.items() if word in words)
    for word in frozenset[str]().union(*_WORDS_OF.values())
}
#: What a word counts for its language: less where several have it.
_WEIGHTS: Final[Mapping[str, tuple[tuple[str, int], ...]]] = {
    word: tuple((code, {1: 6, 2: 3, 3: 2}.get(len(codes), 1)) for code in codes) for word, codes in _LANGUAGES.items()
}
#: A script that one language writes, or that tells enough for a reader that knows none of its languages.
_SCRIPTS: Final = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile("[\u4e00-\u9fff\u3400-\u4dbf]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("fa", re.compile("[\u067e\u0686\u0698\u06af\u06cc]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("uk", re.compile("[\u0404\u0406\u0407\u0454\u0456\u0457\u0490\u0491]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
)
_OTHER_SCRIPT: Final = re.compile("[\u0370-\u1fff\u3040-\ud7ff]")
#: As much of a text as tells its language.
_LOOKED_AT: Final = 2000
#: The least that a guess rests on: one word that no other language has, or several that some share.
_ENOUGH: Final = 6


def language(text: str, otherwise: str = "") -> str:
    """ISO 639-1 of a text; ``otherwise`` where it alone does not tell."""
    text = text[:_LOOKED_AT]
    if not text.isascii() and (script := _script(text)):
        return script
    scores: dict[str, int] = {}
    words = _WORD.findall(text.replace("\u2019", "'").casefold())
    for word in words:
        if word in _WEIGHTS:
            for code, weight in _WEIGHTS[word]:
                scores[code] = scores.get(code, 0) + weight
    if not scores:
        return otherwise
    ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    best, score = ranked[0]
    second = ranked[1][1] if len(ranked) > 1 else 0
    if otherwise and best != otherwise:
        # A sentence speaks against the text around it only when it says so clearly.
        return best if len(words) >= 4 and score >= 3 * _ENOUGH and score >= 2 * scores.get(otherwise, 0) else otherwise
    # In a text of names and numbers one small word tells nothing.
    return best if score >= _ENOUGH and 2 * score >= 3 * second and score >= len(words) else otherwise


def _script(text: str) -> str:
    """A language by the script of most letters, "" for the Latin one."""
    others = len(_OTHER_SCRIPT.findall(text))
    if not others or others * 3 < sum(sign.isalpha() for sign in text):
        return ""
    for code, pattern in _SCRIPTS:
        if pattern.search(text):
            return code
    return ""
