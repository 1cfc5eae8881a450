"""How people ask for an act or an answer, by language: the words of ``acts``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from consumer.understanding.languages.words import words as table


def _any_of(*patterns: str) -> re.Pattern[str]:
    """One pattern of several; what the first group of each of them holds is the thing."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


QUESTION_WORDS: Final = table(
    """
    whether if what which when where who whom how ob was wann wer wo wie welche welcher welches si ce quand quel quelle
    comment cuándo qué cuál cómo dónde se quando quale quali cosa come dove qual quais of wanneer wat welk welke hoe
    """
)
#: Behind these, a question goes on to why it is asked.
BECAUSE: Final = table("because since so car parce porque perché weil omdat")
_MY_OWN: Final = r"(?:the|a|an|our|my|their|his|her|this|these|your)"
#: What is to be answered: "whether we may proceed", "what you think of the draft", "a good time".
_ANSWER: Final = (
    r"((?:whether|if|what|which|when|where|who|whom|how) .+"
    r"|your (?:thoughts|views?|opinion|answer|decision|preferences?|availability|choice|plans|response|reply|comments"
    r"|feedback|schedule)\b.*"
    r"|(?:a|any) (?:good |better |convenient |suitable )?(?:time|date|day)s?\b.*"
    r"|(?:of|about) (?:the|your|our|these|those) .+"
    r"|the (?:best |new |final |exact )?(?:times?|dates?|days?|status|outcome|results?|price|cost|amount|details|number"
    r"|names?|address|location|place)\b.*)"
)
#: From "let me know" on.
_KNOW: Final = (
    r"(?:let (?!alone|you)\w+(?: (?:please|both|all|\w+))? know|advise|confirm|tell (?:me|us)|inform (?:me|us))"
)
LET_KNOW: Final = re.compile(
    rf"{_KNOW}(?: (?:please|asap|soon|first|also|quickly|by e-?mail|by (?:\w+ ){{1,3}}?))* ?,? ?{_ANSWER}"
)
#: What "call" and "write to" have as their object, and no thing.
_SOMEBODY: Final = r"(?!(?:me|us)\b)(?:him|her|them|\w+(?: \w+)?)"
#: From the verb on, after "could you" or "please".
ACTS: Final = _any_of(
    r"(?:introduce|connect|put) (?:me|us) (?:to|with|in touch with|in contact with) (.+)",
    rf"(?:give|deliver|make|hold|do) ({_MY_OWN} (?:\w+ ){{0,3}}"
    r"(?:talk|keynote|speech|lecture|presentation|workshop|reading|interview|toast|address)\b.*)",
    rf"(?:(?:speak|present|perform|lecture) at|speak to (?=our)) ?({_MY_OWN} .+)",
    r"(?:serve|act|stand) as (.+)",
    rf"(?:join|sit on|serve on|be on|chair) ({_MY_OWN} (?:\w+ ){{0,3}}"
    r"(?:board|panel|committee|jury|council))\b",
    rf"(?:attend|come to|stop by) ({_MY_OWN} (?:\w+ ){{0,3}}"
    r"(?:meeting|call|hearing|session|review|interview|office|site|house|flat|school|bank|court))\b",
    rf"(?:advise|comment|respond|reply|weigh in|report)(?: back)?(?: to (?:me|us))? (?:on|to|about|with|of) "
    rf"({_MY_OWN} .+)",
    r"(?:update|brief|inform) (?:me|us) (?:on|about) (.+)|fill (?:me|us) in (?:on|about) (.+)",
    r"(?:get|come|circle) back to (?:me|us) (?:as soon as possible |asap |soon |quickly )?(?:on|about|with) "
    rf"({_MY_OWN} .+)",
    r"(?:say|check|check to see|find out|see|verify|double-check) ((?:whether|if) .+)",
    r"(?:see(?: to it)?|make sure|ensure|check|verify) that ((?:the|your|our|my|all) .+)",
    r"(?:advise|tell|inform|notify|ask) (?:\w+ ){1,2}?((?:what|which|when|where|whether|if|how|who) .+)",
    r"give (?:me|us) (?:a |an |some )?(?:sense|idea|feel|feeling|indication|update|status) (?:of|on|about|as to) (.+)",
    r"have (?:\w+ ){1,3}?(?:send|deliver|fax|forward|call|bring|mail|e-?mail|give) (?:to )?(?:me|us) (?:back )?(.+)",
    rf"{_KNOW}(?: (?:please|asap|soon|first|also|by e-?mail))* ?,? ?{_ANSWER}",
    rf"help (?:me|us)(?: out)? with ({_MY_OWN} .+)",
    rf"(?:set|hook) (?:me|us) up with ({_MY_OWN} .+)",
    r"(?:find|make|take|spare)(?: \w+)? time (?:in (?:your|a) (?:\w+ ){0,2}(?:schedule|day|week|calendar) )?"
    r"(?:to|for) (.+)",
    r"(?:vouch|stand in|fill in|cover) for (.+)",
    r"(?:have|get|borrow|see|receive) (a copy of .+)",
    r"(?:advise|confirm|tell me) (?:\w+ ){1,5}?(the status .+)",
    r"(?:answer|respond to|reply to) ((?:the|these|my|our|those) (?:following )?(?:\w+ )?questions?\b.*)",
    # "Please forward to the accountant": what came with the words.
    r"((?:forward|send|return|mail|e-?mail|fax|submit|pass on|give|distribute|circulate)(?: \w+ly)?(?: on| back)? to "
    r"(?!(?:any|others|those|whoever|friends|everyone|everybody|all|this|that|these)\b).+)",
    rf"(give {_SOMEBODY} a (?:call|ring)\b(?: back)?)",
)
#: All that waits for the answer to the question before it.
AWAITING: Final[Mapping[str, re.Pattern[str]]] = {
    code: re.compile(several)
    for code, several in {
        "en": r"(?:so |and |also |thanks )?(?:please |pls |kindly |can you |could you )*"
        r"(?:let (?:me|us) know(?: (?:either way|what you think|your thoughts|your response|your answer))?"
        r"|let (?:me|us) hear from you|advise(?: (?:me|us))?|get back to (?:me|us)|respond|reply|tell (?:me|us))"
        r"(?: (?:please|asap|soon|as soon as possible|as soon as you can|when you can|at your convenience|thanks"
        r"|when you (?:get|have) a (?:chance|minute|moment)))*",
        "de": r"(?:bitte )?(?:(?:gib|gebt|geben sie|sag|sagt|sagen sie) (?:mir |uns )?(?:bitte |kurz |doch )*bescheid"
        r"|lass(?:t|en sie)? (?:es )?(?:mich|uns) (?:es )?(?:bitte )?wissen)(?: bitte)?",
        "fr": r"(?:merci de |peux-tu |pouvez-vous |pourriez-vous )(?:me |nous )(?:le )?"
        r"(?:dire|faire savoir|répondre|confirmer|tenir au courant)"
        r"|(?:dis|dites|tiens|tenez)-(?:moi|nous)(?: au courant)?",
        "es": r"(?:por favor )?(?:avísame|avíseme|avísanos|dime|dígame|házmelo saber|hágamelo saber)(?: por favor)?",
        "it": r"(?:per favore )?(?:fammi|fatemi|mi faccia|facci|fateci) sapere(?: per favore)?",
        "pt": r"(?:por favor )?(?:(?:diz|diga|avisa|avise)-? ?me|me (?:diga|avise))(?: por favor)?",
        "nl": r"laat (?:het )?(?:me|mij|ons) (?:het )?(?:even |alsjeblieft |graag )*weten(?: alsjeblieft)?",
    }.items()
}
#: Between the verb and what is asked: "bis Montag", "d'ici lundi".
_BY_DE: Final = r"(?:(?:bis|vor|spätestens|noch) (?:[^ ,]+ ){1,3}?)?"
_BY_FR: Final = r"(?:(?:d ici|avant|au plus tard) (?:[^ ,]+ ){1,3}?)?"
_BY_ES: Final = r"(?:(?:antes|para) (?:[^ ,]+ ){1,3}?)?"
_BY_IT: Final = r"(?:(?:entro|prima) (?:[^ ,]+ ){1,3}?)?"
_BY_PT: Final = r"(?:(?:até|antes) (?:[^ ,]+ ){1,3}?)?"
_BY_NL: Final = r"(?:(?:voor|uiterlijk|tegen) (?:[^ ,]+ ){1,3}?)?"
_ASKED_ES: Final = (
    r"((?:si (?!tienes|tiene|necesit|hay|surge|cambia|algo|(?:l[oae]s? |te |le )?(?:quier|prefier|gust|interes|hace))"
    r"|cuándo |cuál(?:es)? |qué |cómo |dónde |cuánt\w+ ).+)"
)
_ASKED_DE: Final = r"((?:ob|wann|was|welche\w?) .+)"
_WISHED_DE: Final = (
    r"(?:(?:ich|wir) würden? (?:mich|uns) (?:sehr )?freuen"
    r"|(?:ich|wir) wären? (?:dir |ihnen |euch )?(?:sehr )?dankbar|es würde (?:mir|uns) (?:sehr )?helfen"
    r"|(?:es )?wäre? (?:es )?(?:sehr |echt |ganz |wirklich )?"
    r"(?:toll|super|schön|nett|lieb|gut|hilfreich|klasse|prima|großartig)) ,? ?wenn (?:du|sie|ihr) "
)
_CAN_DE: Final = "(?:kannst|könntest|können|könnten|könnt|würdest|würden)"
_GLAD_DE: Final = (
    r"(?:(?:würden wir uns|würde ich mich) (?:sehr )?freuen|freuen wir uns|freue ich mich|wären wir|wäre ich)\b"
)
_ASKED_FR: Final = r"((?:si|ce que|quand|quel\w*) .+)"
_ASKED_IT: Final = r"((?:se|quando|quale|quali|cosa|come|dove) .+)"
_ASKED_PT: Final = r"((?:se|quando|qual|quais|o que|como|onde) .+)"
_ASKED_NL: Final = r"((?:of|wanneer|wat|welke?|hoe|waar) .+)"
#: From the first word on, by language.
OPENINGS: Final[Mapping[str, re.Pattern[str]]] = {
    "en": _any_of(
        r"(?:i|we)(?: also| still| really| just)* (?:need|have) to know (?:asap |soon |by \w+ )?"
        r"((?:whether|if|when|what|how|which|where|who) .+)",
        r"(?:i|we)(?:'d| would) (?:also |really |just )*(?:like|love|be (?:interested|curious|happy|glad)) to know "
        r"((?:whether|if|when|which|what|how (?:many|much)) .+)",
        r"(?:i |we )?(?:just )?want(?:ed)? to (?:see|know|check|ask|find out) ((?:if|whether) you .+)",
        r"(?:i|we)(?: was| were|'m| am|'re| are) (?:just )?wondering (?:if|whether) (?:i|we) (?:can|could|might) "
        r"(?:please )?(?:get|have|receive|see|borrow) (.+)",
        r"(?:i|we)(?: will|'ll)?(?: still| really| urgently| also| just| only)? (?:need|require) (?:to have )?"
        r"(your (?:comments?|approval|signature|feedback|input|answer|decision|confirmation|consent"
        r"|reply|response|advice"
        r"|opinion|help|sign-off|address|number|details) .+|a copy of .+)",
        r"(?:i|we)(?:'d| would)(?: really| very much)? (?:love|like|welcome|appreciate|value) "
        r"(?:to (?:have|hear|get|know) )?(your (?:comments?|feedback|input|thoughts|views?|opinion|advice|help) .+)",
        r"(?:can|could|may|might) (?:i|we) (?:please |also |just )?(?:have|get|borrow|receive) "
        r"(a copy of .+|your .+|the (?:\w+ ){0,3}?(?:version|list|file|report|number|address|details|draft|document"
        r"|names?|figures|schedule|invoice|contract|form|minutes|recipe|photos|keys)\b.*)",
        r"(?:can|could|may) (?:i|we) (?:please |also )?(?:get|have) ((?:an?|the|my|our|this) .+? (?:put together"
        r"|done|sent|set up|prepared|drafted|signed|fixed|printed|approved|reviewed|delivered|changed|added|moved))\b",
        r"(?:can|could|may|might) (?:i|we) (?:please |also )?be (?:sent|given|provided with) (.+)",
        r"(your (?:comments?|feedback|input|thoughts|response|reply)(?: on .+)?|your help (?:on|with|in) .+"
        r"|any information .+)"
        r" would be (?:greatly |much |very |highly |most )*(?:appreciated|welcome|helpful)",
        r"would it be possible (?:for (?:me|us) )?to (?:have|get|receive|see) (.+)",
        r"(?:can|could|may) i trouble you for (.+)",
        r"(your (?:comments?|approval|signature|feedback|input|answer|decision|confirmation|consent)) "
        r"(?:is|are) (?:needed|required|requested)\b",
    ),
    "de": _any_of(
        rf"(?:gib|gebt|geben sie) (?:mir|uns) (?:bitte |doch |kurz |gern |gerne )*{_BY_DE}bescheid ,? ?{_ASKED_DE}",
        r"(?:sag|sagt|sagen sie|schreib|schreiben sie) (?:mir|uns) (?:bitte |doch |kurz |noch )*"
        rf"{_BY_DE}(?:bescheid )?,? ?{_ASKED_DE}",
        r"(?:kannst|könntest|können|könnten|könnt|würdest|würden|magst|mögen) (?:du|sie|ihr) (?:mir|uns) "
        rf"(?:bitte |kurz |noch )*{_BY_DE}"
        rf"(?:sagen|bescheid geben|bescheid sagen|mitteilen|schreiben) ,? ?{_ASKED_DE}",
        r"(?:kannst|könntest|können|könnten|könnt|magst|mögen) (?:du|sie|ihr) (?:bitte |kurz |noch )*"
        rf"{_BY_DE}(?:bitte |kurz )*bescheid (?:geben|sagen) ,? ?{_ASKED_DE}",
        rf"(?:lass|lasst|lassen sie) (?:mich|uns) (?:bitte )?{_BY_DE}wissen ,? ?{_ASKED_DE}",
        rf"(?:teile|teil|teilt|teilen sie) (?:mir|uns) (?:bitte |kurz )*{_BY_DE}mit ,? ?{_ASKED_DE}",
        r"(?:ich|wir) (?:bräuchten?|brauchen?|benötigen?) (?:bitte |noch |dringend |dafür )*((?:deine?n?"
        r"|ihre?n?|eure?n?) .+)",
        r"(?:ich|wir) (?:wollten?|möchten?) (?:dich |sie |euch |nur |kurz |mal )*fragen ,? ?ob (?:du|sie|ihr) "
        r"(.+ (?:könnte\w*|kannst|können|würde\w*|magst))\b",
        rf"{_WISHED_DE}(?:mir|uns) (?:bitte |kurz )*{_BY_DE}(?:sagen|bescheid geben|bescheid sagen|mitteilen)"
        rf" könnte\w* "
        rf",? ?{_ASKED_DE}",
        rf"{_WISHED_DE}(?!(?:mir |uns )?(?:einmal |kurz |bitte |bis \w+ )*(?:dabei|damit|diese[rs]?|das|es"
        rf"|sagen|bestätigen|helfen"
        r"|bescheid|mitteilen) )(.+ (?:könnte|würde)\w*)\b",
        rf"{_WISHED_DE}(?:mir|uns) {_BY_DE}(.+) \w*(?:schick|send|reich|liefer|bring|überweis|bestätig|unterschreib)"
        r"(?:en|e?st|e?t)\b",
        rf"(?:{_CAN_DE} (?:du|sie|ihr)|(?:bitte )?(?:lassen sie|lasst?)) (?:mir|uns) (?:bitte |noch )*{_BY_DE}"
        r"(.+) zukommen\b",
        r"über (?:eine?n? |die |ihre |deine )?(?:baldige |kurze |zeitnahe )?"
        rf"((?:rücksendung|zusendung|übersendung|rückgabe|einreichung) (?:der|des|ihre[rs]|deine[rs]|eure[rs]) .+?"
        rf"|(?:rück\w+|antwort|zusage|bestätigung) (?:.+ )?bis .+?) {_GLAD_DE}",
        r"wäre es möglich ,? ?dass (?:du|sie|ihr) (.+)",
        r"(?:bist du|sind sie|seid ihr) (?:schon )?dazu gekommen ,? ?(.+)",
        r"(?:dürften?|darf|könnten?|kann|möchten?) (?:ich|wir) (?:dich|sie|euch) (?:noch |kurz )?bitten ,? ?(.+)",
        r"(?:ich|wir) (?:bitten?|möchten?) (?:dich|sie|euch) (?:bitten )?,? ?(?!um\b)(.+ (?:zu \w+|\w+zu\w+))",
        r"(?:ich|wir) bitten? (?:dich |sie |euch )?um ((?:deine|ihre|eure|eine|die|den|das) .+|rück\w+ .+|zu\w+ .+)",
    ),
    "fr": _any_of(
        r"(?:dites|dis|dites-moi|dis-moi|dites-nous|dis-nous|(?:fais|faites)-(?:moi|nous) savoir) ?(?:moi|nous)? ?"
        rf"{_BY_FR}{_ASKED_FR}",
        rf"merci de (?:bien vouloir )?(?:me|nous) (?:dire|faire savoir|confirmer|indiquer) {_BY_FR}{_ASKED_FR}",
        r"(?:pourriez-vous|pouvez-vous|peux-tu|pourrais-tu|tu peux|vous pouvez|tu pourrais|vous pourriez) (?:me|nous) "
        rf"(?:dire|faire savoir|confirmer|indiquer) {_BY_FR}{_ASKED_FR}",
        r"(?:j aimerais|je voudrais|je souhaiterais"
        r"|ce serait (?:super|bien|gentil|parfait|top|génial|formidable|sympa)) (?:que|qu) (?:tu|vous) (?:me|m"
        r"|nous) \w+ ((?:le|la|les|l|ton|ta|tes|votre|vos|un|une) .+)",
        r"(?:je|nous) (?:voulais|voulions|voudrais|voudrions|aimerais|souhaitais) (?:vous|te) demander "
        r"(?:si (?:vous|tu) (?:pouviez|pourriez|pouvais|pourrais)|de) (.+)",
        r"(?:je|nous) (?:vous|te) (?:serais|serait|serions) (?:très )?reconnaissante?s? (?:de|d)(?: bien "
        r"vouloir)? (.+)",
        r"serait-il possible (?:que (?:vous|tu)|d|de) (.+)",
        r"(?:j|nous) (?:aurais|aurions|ai|avons) (?:encore )?besoin de ((?:votre|vos|ta|ton|tes) .+)",
        r"(?:auriez-vous|aurais-tu|as-tu eu|avez-vous eu|avez-vous|as-tu) (?:un peu )?(?:de |le )?temps "
        r"(?:de|d|pour) (.+)",
        r"(?:puis-je|pourrais-je|pourrait-on) (?:vous|te) demander (?:de|d) (.+)",
        r"(?:je|nous) (?:vous|te) (?:prie|prions|demande|demandons) (?:de|d)(?: bien vouloir)? (.+)",
    ),
    "es": _any_of(
        r"(?:quería|queríamos|quisiera|quisiéramos) (?:preguntar|pedir)(?:te|le|os|les) "
        r"(?:si (?:podrías|podría|podríais|puedes|puede)|que) (.+)",
        rf"(?:dime|dígame|dinos|díganos) {_BY_ES}{_ASKED_ES}",
        rf"(?:házmelo|hágamelo|hazme|hágame) saber {_BY_ES}{_ASKED_ES}",
        r"(?:me |nos )?(?:puedes|podrías|puede|podría|podéis|podríais) (?:decir|confirmar|indicar)(?:me|nos)? "
        rf"{_BY_ES}{_ASKED_ES}",
        rf"(?:me|nos) (?:dices|dice|confirmas|confirma) {_BY_ES}{_ASKED_ES}",
        r"(?:sería|estaría) (?:genial|estupendo|bueno|bien|ideal|fantástico|perfecto|de gran ayuda) (?:si|que) "
        r"(?:me|nos) (?!pud)\w+s (?!una mano\b)((?:el|la|los|las|tu|tus|su|sus|un|una) .+)",
        r"sería posible que (.+)",
        r"(?:necesito|necesitamos|necesitaría|necesitaríamos) ((?:tu|tus|su|sus|vuestra|vuestro) .+)",
        r"(?:sería|estaría) (?:genial|estupendo|bueno|bien|ideal|fantástico|perfecto|de gran ayuda) (?:si|que) "
        r"(?:me |nos )?(?:pudieras|pudiera|pudierais|pudieses|pudiese) (.+)",
        r"(?:tendrías|tendría|has tenido|ha tenido) (?:un poco de )?tiempo (?:de|para) (.+)",
        r"(?:puedo|podría|podríamos) pedir(?:te|le|os|les) (?:que )?(.+)",
        r"(?:le|te|les|os) (?:ruego|rogamos|pido|pedimos) que (.+)",
        r"(?:haz|haga|hagan) el favor de (.+)",
        r"(?:podrías|podría|puedes|puede) poner(?:me|nos) en contacto con (.+)",
    ),
    "it": _any_of(
        r"(?:fammi|fatemi|mi faccia|facci|fateci|ci faccia) sapere (?:per favore |per cortesia |entro \w+ )*,? ?"
        rf"{_ASKED_IT}",
        r"(?:dimmi|mi dica|ditemi|mi dici|mi fai sapere|confermami|mi confermi|ci confermi) (?:per favore )?,? ?"
        rf"{_BY_IT}{_ASKED_IT}",
        r"(?:mi |ci )?(?:puoi|potresti|può|potrebbe|potete|potreste) (?:dir|far sapere|farmi sapere|farci sapere"
        rf"|conferm)\w* ?{_BY_IT}{_ASKED_IT}",
        r"(?:volevo|vorrei|volevamo|vorremmo) chieder(?:ti|le|vi) "
        r"(?:se (?:potresti|potrebbe|potreste|puoi|può|potete)|di) (.+)",
        r"(?:ho|abbiamo|avrei|avremmo) bisogno (?:del|della|dei|delle) ((?:tu[oaei]|suo[iae]?|sua|sue|vostr[oaie]) .+)",
        r"(?:mi|ci) (?:serve|servirebbe|servono) (?:ancora )?(?:il|la|i|le) "
        r"((?:tu[oae]|tuoi|su[oae]|suoi|vostr[oaie]) .+)",
        r"(?:sarebbe (?:molto )?(?:bello|utile|fantastico|ottimo|gentile|di grande aiuto)|sar(?:ei|emmo) (?:molto )?"
        r"(?:felic[ei]|grat[oaie]|liet[oaie])) se (?:tu |lei |voi )?(?:mi |ci )?"
        r"(?:potessi|potesse|poteste) (.+)",
        r"sarebbe (?:molto )?(?:bello|utile|fantastico|ottimo|gentile|di grande aiuto) se (?:tu )?(?:mi|ci) "
        r"(?!potes)\w+(?:ssi|ste) ((?:il|lo|la|l|i|gli|le|un|una|uno) .+)",
        r"(?:posso|potrei|possiamo|potremmo) chieder(?:ti|le|vi) (?:di|se (?:puoi|può)) (.+)",
        r"(?:ti|la|le|vi) (?:prego|chiedo|preghiamo|chiediamo|chiederei) (?:cortesemente |gentilmente )?di (.+)",
        r"(?:hai|ha|avete) avuto (?:il )?tempo (?:di|per) (.+)",
        r"(?:avresti|avrebbe|avreste|hai|trovi) (?:un po di )?tempo (?:di|per) (.+)",
        r"(?:puoi|potresti|può|potrebbe) metter(?:mi|ci) in contatto con (.+)",
        r"(?:attendo|aspetto|attendiamo|aspettiamo) (?:il|la|i|le) ((?:tu[oae]|su[oae]|vostr[oaie]) "
        r"(?:risposta|conferma|parere|commenti|firma|decisione)\b.*)",
    ),
    "pt": _any_of(
        r"(?:(?:diz|diga|avisa|avise|informe|informa)-? ?(?:me|nos)"
        r"|(?:me|nos) (?:diz|diga|avisa|avise|informe|informa))"
        rf"(?: por favor)? ,? ?{_BY_PT}{_ASKED_PT}",
        r"(?:podes|pode|podias|podia|poderias|poderia|consegues|consegue) (?:me |nos )?"
        rf"(?:dizer|informar|confirmar|avisar)(?:-me|-nos)? {_BY_PT}{_ASKED_PT}",
        r"(?:queria|queríamos|gostaria de|gostava de) (?:te |lhe )?(?:perguntar|pedir)(?:-te|-lhe|-vos)? "
        r"(?:se (?:podias|podia|poderias|poderia|podes|pode)|que|para) (.+)",
        r"(?:preciso|precisamos|precisava|precisávamos) (?:ainda )?(?:do|da|dos|das|de) "
        r"((?:teu|tua|teus|tuas|seu|sua|seus|suas|vosso|vossa) .+)",
        r"(?:(?:seria|era) (?:muito )?(?:ótimo|bom|excelente|fantástico|útil|de grande ajuda)"
        r"|ficaria (?:muito )?grat[oa]) se (?:tu |você |o senhor |a senhora )?(?:me |nos )?(?:pudesses|pudesse"
        r"|pudessem) (.+)",
        r"(?:seria|era) (?:muito )?(?:ótimo|bom|excelente|fantástico|útil|de grande ajuda) (?:se|que) (?:me|nos) "
        r"(?!pud)\w+sses ((?:o|a|os|as|um|uma) .+)",
        r"(?:posso|poderia|podemos|podíamos|podia) (?:te |lhe )?pedir(?:-te|-lhe|-vos)? (?:que|para) (.+)",
        r"(?:peço|pedimos|solicito|solicitamos|agradeço|agradecemos)(?:-te|-lhe|-vos| te| lhe| vos)? (?:que|para) (.+)",
        r"(?:tiveste|teve|tiveram|tens|tem|terias|teria) (?:um pouco de |algum )?tempo (?:de|para) (.+)",
        r"(?:podes|pode|podias|podia|poderias|poderia) (?:me )?(?:pôr|colocar)(?:-me|-nos)? em conta(?:c)?to com (.+)",
        r"(?:faz|faça)(?:-me)? o favor de (.+)",
        r"(?:aguardo|aguardamos|fico a aguardar) [ao]s? ((?:tua|sua|vossa|teu|seu) "
        r"(?:resposta|confirmação|opinião|parecer|decisão|assinatura)\b.*)",
    ),
    "nl": _any_of(
        rf"laat (?:het )?(?:me|mij|ons) (?:alsjeblieft |alstublieft |even |graag |s\.v\.p\. )*{_BY_NL}weten ,? ?"
        rf"{_ASKED_NL}",
        r"(?:graag hoor(?: ik|en we|en wij)|(?:ik|we|wij) hoor(?:en)? (?:het )?graag) (?:van (?:je|u|jullie) )?"
        rf"{_BY_NL}((?:of|wanneer|welke?) .+)",
        rf"(?:zeg|vertel|schrijf|meld) (?:me|mij|ons) (?:even |alsjeblieft )*,? ?{_ASKED_NL}",
        r"(?:kun|kan|zou|wil|kunt|wilt|kunnen) (?:je|jij|u|jullie) (?:me |mij |ons )?(?:alsjeblieft |even |ook )*"
        rf"{_BY_NL}(?:laten weten|zeggen|vertellen|bevestigen) ,? ?{_ASKED_NL}",
        r"(?:ik|we|wij) (?:wilden?|wou|wil|willen|zou|zouden) (?:je |u |jullie )?(?:even |graag )*(?:willen )?"
        r"vragen ,? ?(?:of (?:je|u|jullie) (.+ (?:kunt|kan|kunnen|wilt|wil|willen)(?: \w+)?)|om (.+ te \w+))",
        r"(?:het )?zou (?:heel |erg |echt )?(?:(?:fijn|mooi|leuk|geweldig|goed|handig|prettig) zijn|helpen) ,? ?als "
        r"(?:je|u|jullie) (.+ (?:kunt|kan|kunnen|wilt|wil|zou|zouden)(?: \w+)?|(?:me|mij|ons) "
        r"(?:.+ )?(?:stuurt|geeft|brengt|mailt|bezorgt|teruggeeft|terugstuurt|doorstuurt))\b",
        r"(?:ik|we|wij) (?:heb|hebben) (?:nog |dringend )*((?:je|jouw|uw|jullie) .+?) nodig\b",
        r"(?:ik|we|wij) (?:verzoek|verzoeken|vraag|vragen) (?:je|u|jullie) (?:vriendelijk )?(?:om )?,? ?(.+ te \w+)",
        r"(?:mag|kan|zou) ik (?:je|u|jullie) (?:even )?(?:mogen )?vragen (?:om )?(.+ te \w+)",
        r"(?:heb|hebt|heeft|hebben) (?:je|jij|u|jullie) (?:al |nog )?(?:de )?(?:tijd|kans) (?:gehad |gezien )?om (.+)",
        r"zou het mogelijk zijn (?:dat (?:je|u|jullie)|om) (.+)",
        r"(?:kun|kan|zou|kunt) (?:je|jij|u) (?:me|mij|ons) in contact (?:kunnen )?brengen met (.+)",
    ),
}
HINTS: Final[Mapping[str, frozenset[str]]] = {
    # First words of what asks without "could you" and "please".
    "en": table("i we i'd we'd i'll we'll can could may might would have did your any just wanted"),
    "de": table(
        """
        hast haben habt
        bescheid sag sagt sagen schreib schreiben wissen brauche brauchen bräuchte bräuchten benötige benötigen
        fragen freuen freue dankbar zukommen wenn möglich gekommen bitten bitte mitteilen teile teil teilt teilen
        """
    ),
    "fr": table(
        """
        as-tu avez-vous
        dites dis dites-moi dis-moi dites-nous dis-nous dire savoir confirmer indiquer demander reconnaissant
        reconnaissante reconnaissants serait-il besoin temps aimerais voudrais souhaiterais serait fais-moi
        faites-moi fais-nous faites-nous prie prions demande demandons
        """
    ),
    "es": table(
        """
        has ha habéis
        preguntarte preguntarle preguntaros pedirte pedirle pediros pedirles posible necesito necesitamos
        necesitaría necesitaríamos pudieras pudiera pudierais pudieses pudiese sería estaría dime dígame dinos
        díganos saber decir decirme decirnos confirmarme confirmar indicarme dices dice
        confirmas confirma tiempo ruego rogamos pido pedimos favor contacto
        """
    ),
    "it": table(
        """
        hai ha avete
        sapere dimmi ditemi dica dici dire dirmi dirci farmi farci confermare confermarmi confermami confermi chiederti
        chiederle chiedervi bisogno serve servirebbe servono sarebbe sarei saremmo prego chiedo preghiamo chiediamo
        chiederei tempo contatto attendo aspetto attendiamo aspettiamo
        """
    ),
    "pt": table(
        """
        responda responde respondam
        diz diga avisa avise informe informa diz-me diga-me avisa-me avise-me informe-me informa-me diz-nos diga-nos
        avise-nos dizer dizer-me dizer-nos informar informar-me confirmar confirmar-me avisar avisar-me perguntar pedir
        perguntar-te perguntar-lhe pedir-te pedir-lhe pedir-vos preciso precisamos precisava precisávamos seria era
        ficaria peço
        peço-te peço-lhe peço-vos pedimos solicito solicitamos agradeço agradecemos tempo contacto contato favor aguardo
        aguardamos aguardar
        """
    ),
    "nl": table(
        """
        heb hebt heeft hebben
        weten zeg vertel schrijf meld laten zeggen vertellen bevestigen vragen fijn mooi leuk geweldig goed handig
        prettig helpen hoor horen nodig verzoek verzoeken vraag tijd kans mogelijk contact
        """
    ),
}
#: What names nothing that could be asked for, and answers that only some may have.
VAGUE: Final = re.compile(
    r"^(?:if|whether) (?:(?:you|your \w+|anyone|(?:either|any) of you)(?: still| also| ever| do| would|'d)* "
    r"(?:need|want|wish|desire|require|see|show|hear"
    r"|find|notice|spot|disagree|encounter|experience|run into|come across"
    r"|know of|feel|think|cannot|can't|not"
    r"|do not|don't|did not|didn't"
    r"|have not|haven't|won't|will not|are unable|are not|aren't|change|decide|plan|get|receive|learn|prefer"
    r"|are (?:still )?interested|have (?:further|more|additional|other|any|an? (?:need|interest|desire)|(?:\w+ ){0,4}?"
    r"(?:questions?|concerns?|comments?|problems?|issues?|changes?|suggestions?|trouble|difficult\w+|objections?"
    r"|thoughts|opinions|ideas|doubts|corrections|additions))"
    r"|like (?:me|us|for|more|any|a copy|information|additional|further|help"
    r"|to (?:discuss|talk|chat|meet|see|receive|have|join|attend|participate|learn|get|go|come|do)))"
    r"|(?:this|that|it)(?: |'s )(?:helps|(?:is )?(?:not|a problem|helpful|unclear|wrong|incorrect)|isn't"
    r"|does(?: not|n't)|causes"
    r"|(?:will|would|is going to) (?:cause|create|be a problem)|presents|creates|poses|changes|becomes|can't|cannot"
    r"|won't|will not)|(?:we|i) (?:can|could|may) (?:help|be of|assist|do|provide|answer|offer)"
    r"|(?:your|their|the|our|his|her|my) (?:\w+ )?(?:change|changes)|there|any|anything|something|everything)\b"
    r"|\bany (?:\w+ )?(?:problems?|issues?|concerns?|questions?|comments?|changes?|trouble|difficult\w+|errors?"
    r"|discrepanc\w+)\b"
    r"|^when(?:ever)? you (?:need|want (?:help|more|any)|get(?! (?:the|my|your|it)\b)"
    r"|arrive|land|come(?! to (?:a|an|the|your) \w+)|feel|are (?:back|in|home|there)"
    r"|have (?:any|plans|a (?:chance|minute|moment|second)))\b"
    r"|^how (?:it|things|this|that|everything|he|she|they) (?:goes|go|went|turns?|works? out|is|are|feel|do|does)\b"
    r"|^how you (?:guys |all |both |two )?(?:are(?! getting)|feel|do|like)\b"
    r"|^what(?: is|'s) (?:up|new|going on|happening)\b"
    r"|^what (?:happens|happened|else|comes|turns|i can|we can|you need|i may|we may)\b"
    r"|^(?:if|whether) (?:another|(?:it|this|that)(?: is|'s) what you)\b"
    r"|^si (?:tu veux|vous voulez)\b|^(?:cómo|como|come|comment|hoe) (?:est\w+|vais?|sta\w*|tu vas|vous allez|gaat)\b"
    r"|^qué tal\b|^(?:this|that|these|those|it|if|whether|what|which|when|where|who|how)$|^what (?:\w+ )?questions?\b"
    r"|\b(?:is|are|am) (?:unable|not able)\b"
    r"|\b(?:is|are|was|were) (?:helpful|useful|of (?:interest|help|use))\b"
    r"|\b(?:anything|survey|questionnaire|poll|understanding|patience|attention|cooperation|support"
    r"|verständnis|geduld|nachsicht|entschuldigung|verzeihung|beachtung"
    r"|serve qualcosa|bisogno di altro|precisa\w+ de alguma coisa"
    r"|fragen (?:hast|haben|habt)|\w+ brauch\w+|compréhension|excuser|pardonner|agréer|croire"
    r"|salutations|comprensión|paciencia|saludos?|disculpe\w*|perdone\w*"
    r"|pazienza|comprensione|scusar\w*|perdonar\w*|(?:hai|ha|avete) (?:\w+ )?(?:domande|dubbi|bisogno)"
    r"|paciência|compreensão|desculp\w+|(?:tem|tens|tiver|tiveres) (?:\w+ )?(?:dúvidas?|perguntas?)"
    r"|precis(?:as?|ar|ares)"
    r"|(?:as|avez) (?:\w+ )?(?:besoin|questions?|remarques?)|intéresse|interesse"
    r"|geduld|begrip|excuses|verontschuldig\w+|vragen (?:hebt|heeft|hebben)|hulp nodig)\b"
)
