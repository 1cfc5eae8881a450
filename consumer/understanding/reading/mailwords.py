"""Words by which mail programs and people mark what is quoted, forwarded, signed, automatic; tables, no code.

Expressions without ``_I`` are searched in small letters: in a third of the time.
"""

from __future__ import annotations

import re
from typing import Final

from consumer.understanding.reading.tables import word_set

_I: Final = re.IGNORECASE

#: The verb of "On ... Bob wrote:" in the languages of mail programs.
WROTE: Final = re.compile(
    r"\b(?:wrote|writes|schrieb|geschrieben|schreibt|a écrit|ha scritto|escribió|ha escrito|escreveu|schreef|"
    r"geschreven|skrev|"
    r"napisał(?:a|\(a\))?|napsal(?:a|\(a\))?|kirjoitti|a scris|írta|yazd\u0131|написал[аи]?|пише|написав|έγραψε|viết|"
    r"menulis)\b",
    _I,
)
#: A date as such a line has one: a year, a time of day, or a day of a month in digits.
DATED: Final = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d{2}\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\d{1,2}\u65e5")

#: Label in small letters -> what the line of a header block tells.
LABELS: Final = {
    label: kind
    for kind, labels in {
        "from": "from von de da van från fra fran od lähettäjä kimden от expéditeur absender remitente mittente "
        "afzender avsändare 差出人 发件人 寄件者 보낸사람",
        "sent": "sent date gesendet datum envoyé enviado enviada inviato verzonden skickat sendt wysłano odesláno "
        "fecha data dato lähetetty gönderildi отправлено дата 送信日時 日付 "
        "发送时间 日期 보낸날짜 날짜 d'envoi",
        "to": "to an à a para aan till til do komu vastaanottaja kime кому 宛先 收件人 받는사람 destinataire empfänger",
        "cc": "cc bcc kopie copie kopia копия 抄送",
        "subject": "subject betreff objet asunto assunto oggetto onderwerp ämne emne temat aihe konu тема 件名 主题 "
        "主旨 제목",
        "other": "reply-to importance priority wichtigkeit attachments anlagen",
    }.items()
    for label in labels.split()
} | {"gesendet am": "sent", "envoyé le": "sent", "enviado el": "sent", "enviado em": "sent", "reply to": "other"}

_FORWARDED: Final = (
    r"begin forwarded message|forwarded message|forwarded by|anfang der weitergeleiteten (?:e-?mail|nachricht)|"
    r"weitergeleitete nachricht|début du (?:message|courriel) (?:transféré|réexpédié)|message (?:transféré|réexpédié)|"
    r"inicio del mensaje reenviado|mensaje reenviado|início da mensagem (?:reencaminhada|encaminhada)|"
    r"mensagem (?:reencaminhada|encaminhada)|inizio messaggio inoltrato|messaggio inoltrato|"
    r"begin doorgestuurd bericht|doorgestuurd bericht|vidarebefordrat meddelande|videresendt (?:besked|melding)|"
    r"przekazana wiadomość|wiadomość przekazana|přeposlaná zpráva|välitetty viesti|iletilen ileti|"
    r"пересылаемое сообщение|"
    r"転送されたメッセージ|转发的邮件|전달된 메시지"
)
_ORIGINAL: Final = (
    r"original message|original-nachricht|originalnachricht|ursprüngliche nachricht|ursprüngliche e-?mail|"
    r"message d[\u2019']origine|message original|mensaje original|mensagem original|messaggio originale|"
    r"oorspronkelijk bericht|origineel bericht|ursprungligt meddelande|oprindelig meddelelse|původní zpráva|"
    r"wiadomość oryginalna|alkuperäinen viesti|original appointment|original email|原始邮件|元のメッセージ"
)
FORWARDED: Final = re.compile(rf"\s*[-_=*\s]{{0,40}}(?:{_FORWARDED})\b[^\w]{{0,60}}\s*", _I)
#: The end of a line before somebody else's words: "Ann's mail from Monday:", "this from Ann:", "Ann wrote:".
INTRODUCED: Final = re.compile(
    r"\b[A-Z]\w+['\u2019]s? (?:e-?mail|mail|message|note|text|letter|reply|response|memo|statement)\b[^.!?:]{0,40}:\Z"
    r"|\b(?:e-?mail|mail|message|note|text|letter|reply|response|memo|statement|this|following) from [A-Z]"
    r"[^.!?:]{0,40}:\Z"
    r"|(?:\A|[.!?,] )(?!I |We )(?:[A-Z]\w+ ){1,3}(?:wrote|writes|said|says|replied|sent|schrieb|schreibt|meinte|a écrit"
    r"|escribió|escreveu|ha scritto|schreef)\b(?: (?:me|us|to me|to us|this|back|mir|uns|me dit))?:\Z"
)
#: The head of GroupWise, above lines without a mark: ">>> "Ann Lee" <ann@lee.example> 12/03/26 11:05AM >>>".
GROUPWISE: Final = re.compile(r"\s*>>>\s*(?P<name>[^\d>][^>]{0,80}(?:<[^<>\s]{1,80}>)?)\s[^>]{0,60}>>>\s*")
#: "---- Forwarded by Ann Lee/Harbour on 12/03/2026".
FORWARDED_BY: Final = re.compile(r"\s*[-_=*]{3,}\s*(?:forwarded by|weitergeleitet von|transmis par)\s\S", _I)
RESPOND_TO: Final = re.compile(
    r"\s*(?:please respond to|bitte antworten an|veuillez répondre à|por favor, responda a)\s", _I
)
#: The address behind it is lost: "Please respond to", "Please respond to Dear Ann,".
LEFT_RESPOND_TO: Final = re.compile(
    r"\s*please respond to\s*(?P<greeting>(?:(?:hi|hello|hey|dear) )?[\w.'-]+(?: [\w.'-]+)?[,:])?\s*", _I
)
ORIGINAL: Final = re.compile(
    rf"\s*(?:>?[-_=*]{{2,40}}\s*(?:{_ORIGINAL})(?: (?:from|von|de|da|van) [^\n]{{1,120}}?)?\s*[-_=*]{{0,40}}"
    rf"|(?:{_ORIGINAL})\s*[-_=*]{{2,40}})\s*",
    _I,
)
#: A line of whoever publishes a text: a mail that has one passes that text on.
PUBLISHED: Final = re.compile(
    r"\u00a9\s*(?:copyright\s*)?(?:19|20)\d\d|\bcopyright\s*+(?:\u00a9|\(c\))?\s*+,?\s*+(?:19|20)\d\d|"
    r"\ball rights reserved\b|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|"
    r"todos os direitos reservados|tutti i diritti riservati|alle rechten voorbehouden|"
    r"personal,? non-?commercial use",
    _I,
)
#: What a subject begins with when its mail passes another one on.
FORWARD_SUBJECT: Final = re.compile(r"\s*(?:fwd?|wg|tr|rv|enc|i|doorst|vs|pd|fs|weitergeleitet|转发)\s*:", _I)
#: What a subject begins with when its mail answers another one.
REPLY_SUBJECT: Final = re.compile(r"\s*(?:re|aw|sv|antw|res|odp|ynt|回复|返信)\s*:", _I)

#: A line that says which program wrote the mail.
SENT_FROM: Final = re.compile(
    r"\s*(?:(?:sent|gesendet|versendet|verschickt|envoyé|enviado|enviada|inviato|verzonden|verstuurd|skickat|"
    r"sendt|wysłane)\s+"
    r"(?:from|with|via|by|using|von|mit|aus|depuis|de|à partir de|avec|desde|do|da|con|pelo|vanaf|van|met|från|"
    r"fra|z)\b[^.!?]{1,60}"
    r"|von (?:meinem|mein) \S+(?: \S+)? gesendet|von \S+(?: \S+)? gesendet|get outlook for \S+.{0,60}|"
    r"holen sie sich outlook.{0,80}"
    r"|télécharge[rz] outlook.{0,80}|obtener outlook.{0,80}|obter o outlook.{0,80}|scarica outlook.{0,80}"
    r"|(?:please )?excuse (?:any |the )?(?:brevity|typos).{0,80})[.!]?\s*",
    _I,
)
#: A closing formula, alone on its line or before a name.
_CLOSINGS: Final = (
    r"(?:with\s+)?(?:my\s+|the\s+)?(?:(?:best|kind(?:est)?|warm(?:est)?|many|kindly)\s+)+(?:regards|wishes|"
    r"thanks)?|regards|best|cheers|"
    r"thanks(?:\s+(?:again|so much|a lot|in advance|and best regards|and regards))?|many thanks|thank you|thx|"
    r"yours(?:\s+(?:sincerely|truly|faithfully))?|sincerely(?:\s+yours)?|all the best|all best|take care|"
    r"talk soon|love|xo+|"
    r"(?:mit\s+)?(?:freundlichen|besten|herzlichen|lieben|schönen|vielen|sonnigen|freundliche|beste|herzliche|"
    r"liebe|schöne|viele|"
    r"sonnige)\s+gr(?:ü|ue)(?:ß|ss)en?|gr(?:ü|ue)(?:ß|ss)e|gruß|gruss|mfg|lg|vg|bg|hg|herzlichst|(?:vielen\s+|"
    r"besten\s+|herzlichen\s+)?dank|"
    r"danke|bis (?:bald|dann|morgen)|hochachtungsvoll|"
    r"(?:bien\s+)?(?:cordialement|à vous|à toi|amicalement)|bien à (?:vous|toi)|sincères salutations|"
    r"salutations(?: distinguées)?|"
    r"meilleures salutations|merci(?: d'avance| beaucoup)?|bonne journée|bises?|amitiés|à bientôt|"
    r"(?:un\s+)?(?:cordial\s+|afectuoso\s+)?saludos?(?:\s+cordiales)?|un abrazo|abrazos|atentamente|atte|"
    r"(?:muchas\s+)?gracias|"
    r"cordialmente|atenciosamente|att|(?:um\s+)?abraços?|cumprimentos|(?:com os\s+)?melhores cumprimentos|obrigad[oa]|"
    r"beijos?|cordiali saluti|distinti saluti|saluti|un saluto|un abbraccio|(?:grazie|tante grazie)(?: mille)?|"
    r"a presto|"
    r"(?:met\s+)?(?:vriendelijke|hartelijke|beste)\s+groet(?:en)?|groet(?:en|jes)?|mvg|gr|bedankt|(?:alvast|"
    r"hartelijk)\s+(?:dank|bedankt)|"
    r"(?:med\s+)?(?:vänliga|vennlig|venlig)\s+h(?:älsningar|ilsen)|mvh|hälsningar|hilsen|tack|pozdrawiam|"
    r"s pozdravem|terveisin"
)
#: Two of them may stand together: "Many thanks and best wishes".
CLOSING: Final = re.compile(
    rf"\s*(?:{_CLOSINGS})(?:\s*(?:,|&|\b(?:and|und|et|y|e|en))\s+(?:{_CLOSINGS}))?\s*[,.!\u2014\u2013-]*\s*", _I
)
#: "Best, Noor" as a sentence of its own.
CLOSING_AND_NAME: Final = re.compile(
    rf"\s*(?:{_CLOSINGS})\s*(?:,|-|\u2013|\u2014|/)\s*[^\W\d_][\w'.-]*(?: [^\W\d_][\w'.-]*){{0,3}}[.!]?\s*", _I
)
#: How a paragraph begins or what stands in it when it is written by a company and not by the sender.
DISCLAIMER: Final = re.compile(
    r"\A\W{0,6}(?:confidentiality notice|disclaimer|legal notice|privileged and confidential|vertraulichkeitshinweis|"
    r"avis de confidentialité|aviso legal|aviso de confidencial|avviso di riservatezza|vertrouwelijkheid)|"
    r"confidentiality footer|privileged\s?/\s?confidential|not the (?:named )?addressee|"
    r"(?<!\bi )(?<!\bwe )received (?:this|the) (?:e-?mail|message|communication|transmission|fax) "
    r"(?:in error|by mistake)|"
    r"intended (?:recipient|solely|only)|(?:e-?mail|message|communication)[^.]{0,80}\bconfidential\b|"
    r"\bvertrauliche[^.]{0,40}informationen\b|nicht der (?:richtige|beabsichtigte|vorgesehene) (?:adressat|empfänger)|"
    r"(?:message|courriel)[^.]{0,80}confidentiel|destinataire (?:prévu|désigné)|"
    r"(?:mensaje|correo)[^.]{0,80}confidencial|destinatario (?:indicado|previsto)|(?:mensagem|"
    r"e-?mail)[^.]{0,80}confidenciai?l|"
    r"(?:messaggio|e-?mail)[^.]{0,80}(?:riservat|confidenzial)|(?:bericht|e-?mail)[^.]{0,80}vertrouwelijk|"
    r"consent to (?:internet )?e-?mail|"
    r"rules governing (?:commentaries|comments|discussions)|fully responsible for the content|"
    r"consider the environment before printing|denken sie an die umwelt|pensez à l[\u2019']environnement|"
    r"sitz der gesellschaft|handelsregister|amtsgericht\b|geschäftsführ(?:er|ung)\s*:|registered (?:in england|"
    r"office|number)|"
    r"company (?:no|number|registration)\b|(?:this|external) (?:e-?mail|message) (?:originated|came|"
    r"was sent) from outside|"
    r"\bscanned (?:for|by)\b.{0,40}virus|virus-?free|\A\W{0,4}caution\W{1,3}(?:external|this)",
)
#: A line by which one leaves a list or opens its web version, and what stands around it.
UNSUBSCRIBE: Final = re.compile(
    r"\bunsubscribe\b|\bopt[- ]?out\b|manage (?:your )?(?:email )?(?:preferences|subscriptions?|notifications?)|"
    r"update (?:your )?(?:email )?preferences|email preferences|notification settings|\babmelden\b|"
    r"\babbestellen\b|newsletter abmelden|"
    r"(?:se|vous|te|me) désabonner|ne (?:plus|souhaitez plus) recevoir|désinscri(?:re|ption|vez)|"
    r"désabonnement|darse de baja|cancelar (?:la |a )?(?:suscripción|inscrição|subscrição)|"
    r"\bdesuscrib|descadastr|disiscriv|cancella (?:la tua )?iscrizione|annulla l'iscrizione|\bafmelden\b|"
    r"\bcancellar(?:si|ti|vi|mi) (?:dalla|da)\b|non (?:ricevere|desideri ricevere) più|\bdarte de baja|"
    r"dejar de recibir|anular (?:a |la |tu |su )?(?:subscrição|suscripción)|deixar de receber|remover.{0,20}\blista|"
    r"\buit te schrijven\b|\baf te melden\b|niet (?:meer|langer) (?:wilt )?ontvangen|"
    r"\bum (?:sich|dich|euch) (?:\w+ ){0,4}?abzumelden\b|"
    r"\b(?:mails|newsletter|rundbriefe?) (?:nicht )?(?:mehr|länger) (?:erhalten|bekommen)(?: (?:möcht|woll"
    r"|willst)|, klick)|"
    r"\bno (?:desea|deseas|quiere|quieres) (?:recibir más|seguir recibiendo)|"
    r"não (?:quiser|quiseres|deseja|desejar) (?:receber mais|mais receber|continuar a receber)|"
    r"non (?:desidera|vuoi|vuole) (?:più ricevere|ricevere più)|\bmeld (?:je|u) hier af\b|"
    r"keine (?:weiteren )?(?:newsletter|e-?mails) mehr|\buitschrijven\b|avregistrera|"
    r"отписаться|退订|配信停止",
)
#: Of what mailings consist: what one may leave is also a course, a plan or a team.
_MAILING: Final = (
    r"\b(?:e-?mails?|mailings?|mails|messages?|newsletters?|reports|notices|notifications|announcements|promotions|updates"
    r"|(?:mail|mailing|distribution) list|rundbriefe?|nachrichten|lettres?|courriels?|infolettres?|cartas?|correos?"
    r"|correspondencia|mensaje(?:s)?|mensage(?:m|ns)|comunica\w+|bolet\w+|lettere|messaggi\w*|nieuwsbrie\w+|berichten)\b"
)
#: Where a footer leads: a link, or an answer to the very mail.
_FOOTER: Final = (
    r"(?:\bklick|\bcliqu|\bclic|\bpuls[ae]\b|\bklik\b|\blink\b|\blien\b|\benlace\b|\bhttps?:|\bwww\b"
    r"|\bnewsletter|\brundbrief|\bverteiler\b|\binfolettre|\bnieuwsbrief|\bboletín\b|\bboletim\b"
    r"|\b(?:diese[rn]?|cet?|este|esta|quest[oa]|dit|deze) (?:e-?mail|mail|nachricht|message|courriel|correo|mensaje"
    r"|mensagem|messaggio|bericht)\b)"
)
#: How to leave a sender's mailings, told to whoever reads them. A footer of "this list" or "this group" is no such
#: sentence, since a list adds one to what a person writes; nor is one in which the reader should tell the author.
OPT_OUT: Final = re.compile(
    r"(?:(?:\A|[\n.!?:;,>*(|])[ \t]*to|\b(?:if you|should you)(?:'d| would)? (?:like|wish|want|prefer) to) "
    r"(?:(?:unsubscribe|be unsubscribed)\b"
    r"|(?:opt[- ]?out|be (?:removed|deleted|taken off)|be excluded|stop receiving"
    r"|(?:remove|delete) your(?:self| name| e-?mail| address)|cancel your (?:\w+ )?subscription)\b"
    rf"(?=[^.?\n]{{0,60}}{_MAILING}|[,:]? (?:please )?(?:click|follow|https?:|www)))"
    r"(?![^.?\n]{0,40}\b(?:this|the) (?:mailing )?(?:list|group)\b)[^?\n]{0,200}?"
    r"(?:\bclick\b|\breply\b|\bvisit\b|\bgo to\b|\bsend\b|\bfollow\b|\be-?mail\b|\bhttps?:|\bwww\b|<|@)"
    r"|\bif you (?:no longer (?:wish|want|care)|(?:do not|don[\u2019']t) (?:wish|want)|(?:would )?prefer not)"
    rf" to (?:\w+ )?receive\b(?=[^.?\n]{{0,60}}{_MAILING})(?![^.?\n]{{0,100}}\bme\b)"
    r"|\b(?:zum (?:abmelden|abbestellen)|um (?:sich|dich|euch) (?:\w+ ){0,4}?(?:abzumelden|auszutragen))\b"
    rf"(?=[^.?\n]{{0,80}}{_FOOTER})"
    r"|\b(?:mails|newsletter|rundbriefe?) (?:nicht )?(?:mehr|länger) (?:erhalten|bekommen) (?:möcht|woll|willst)"
    r"(?![^.?\n]{0,60}\bmir\b)"
    rf"|\bpour (?:vous|te) (?:désabonner|désinscrire)\b(?=[^.?\n]{{0,80}}{_FOOTER})"
    rf"|\b(?:pour ne|ne souhaite[zs]) plus recevoir\b(?=[^,.?\n]{{0,40}}{_MAILING})"
    rf"|\bpara (?:darse|darte) de baja\b(?=[^.?\n]{{0,80}}{_FOOTER})"
    r"|\b(?:para (?:dejar de|no) recibir|si ya no (?:desea|quiere)s? recibir|si no (?:desea|quiere)s? (?:recibir más"
    rf"|seguir recibiendo))\b(?=[^,.?\n]{{0,40}}{_MAILING})"
    r"|\bpara (?:cancelar|anular) (?:a )?(?:sua |tua )?(?:subscrição|inscrição|assinatura)\b"
    rf"(?=[^.?\n]{{0,80}}{_FOOTER})"
    r"|\b(?:para (?:deixar de|não) receber|se não (?:deseja|desejar|quiser|quiseres|pretende) (?:continuar a receber"
    rf"|receber mais))\b(?=[^,.?\n]{{0,40}}{_MAILING})"
    rf"|\bper (?:cancellar[st]i|disiscriver[st]i|annullare l'iscrizione)\b(?=[^.?\n]{{0,80}}{_FOOTER})"
    r"|\b(?:per non ricevere più|se non (?:desider[ai]|vuoi|vuole) (?:più ricevere|ricevere più))\b"
    rf"(?=[^,.?\n]{{0,40}}{_MAILING})"
    rf"|\bom (?:u|je|jezelf) (?:uit te schrijven|af te melden)\b(?=[^.?\n]{{0,80}}{_FOOTER})"
    r"|\b(?:mails|nieuwsbrief|berichten) (?:niet )?(?:meer|langer) (?:wilt|wenst) (?:te )?ontvangen\b",
)
#: Beside it in a line: a link, where the line is longer than a command.
CLICK: Final = re.compile(
    r"\b(?:klick(?:en|e|t)?|cliquez|clique|cliquer|haga clic|haz clic|pulse|pulsa|clicca|clicchi|cliccate|klik) "
    r"(?:\w+ ){0,2}?(?:hier|ici|aquí|aqui|qui)\b"
)
#: In it: somebody speaks of themselves, "ich muss mich noch vom Kurs abmelden".
OF_SELF: Final = re.compile(
    r"\b(?:ich|ik|io|vou|voy|je (?:vais|veux|dois|me|ne|n'ai|voudrais)|quiero|quero|voglio|devo)\b"
)
BULK_SIGNS: Final = re.compile(
    r"view (?:this (?:e-?mail|message) )?(?:in|on) (?:your |a |the )?(?:browser|web)|im browser (?:ansehen|"
    r"anzeigen|öffnen)|"
    r"(?:voir|afficher|ouvrir) (?:\S+ ){0,3}dans (?:votre|le|un) navigateur|ver (?:\S+ ){0,3}(?:en|no) (?:el |tu |"
    r"su |seu )?navega|"
    r"visualizza (?:\S+ ){0,3}nel browser|bekijk (?:\S+ ){0,4}browser|"
    r"you(?:[\u2019']re| are) receiving this|you received this (?:e-?mail|message) because|this (?:e-?mail|"
    r"message) was sent to|"
    r"sie erhalten diese (?:e-?mail|nachricht)|diese (?:e-?mail|nachricht) wurde an|vous recevez ce|"
    r"recibe[s]? este (?:correo|mensaje)|"
    r"está recebendo|recebeu este|ricevi questa|je ontvangt dez?e|u ontvangt dez?e|"
    r"privacy policy|terms of (?:service|use)|datenschutz|politique de confidentialité|política de privacidad|"
    r"all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos|todos os direitos|"
    r"tutti i diritti|"
    r"(?:^|\n)\s*(?:\u00a9|\(c\)|copyright)|add us to your address book|do not reply to this|"
    r"\bnewsletter\b|follow us on|folgen sie uns|suivez-nous|síguenos|siga-nos|seguici|volg ons",
)
#: What advertising says, in seven languages.
SELLING: Final = re.compile(
    r"\b(?:unsubscrib|opt[- ]out|newsletter|subscri|promotion|discount|brochure|no[- ]obligation|100% free"
    r"|toll[- ]free|webinar|free (?:shipping|trial|gift|quote)"
    r"|limited time|special offer|exclusive|valued (?:customer|client|member)|(?:register|order|buy|shop) (?:now|today)"
    r"|click (?:here|below|on)|\d+ ?% off|money[- ]back|risk[- ]free|don't miss|act now|sign up (?:now|today)"
    r"|our (?:customers|members|subscribers|readers|store|shop|website|web site|products|sponsors|donors)"
    r"|abbestell|abmelden|rabatt|gutschein|jetzt (?:kaufen|bestellen|sichern|anmelden)|hier klicken|unsere kunden"
    r"|désabonn|désinscri|remise|cliquez|offre (?:spéciale|exclusive)|nos clients|darse de baja|suscri|descuento"
    r"|haz clic|oferta (?:especial|exclusiva)|nuestros clientes|disiscri|sconto|clicca|offerta (?:speciale|esclusiva)"
    r"|nostri clienti|desconto|clique|nossos clientes|afmeld|uitschrijv|korting|aanbieding|klik hier|onze klanten)",
    re.IGNORECASE,
)
#: What a house says of itself to those who do not know it, in seven languages.
_OF_HOUSE: Final = re.compile(
    r"\b(?:our (?:\w+ ){0,2}?(?:services|solutions|products|clients|customers|firm|company|companies|consultants)"
    r"|(?:to|would like to) introduce (?:you|our|my|myself)|synerg(?:y|ies)|cost[- ]effective"
    r"|executive search|search firm|(?:executive |search )?recruit(?:er|ing firm|ment firm)|represent a firm"
    r"|(?:great|exciting|career|job) opportunit(?:y|ies)|we (?:also |can )?(?:speciali[sz]e|offer|provide)\b"
    r"|free (?:demo|trial|consultation)|minutes? of your time|\w+ minute (?:\w+ )?(?:call|conversation|meeting|demo)"
    r"|unsere? (?:leistungen|lösungen|dienstleistungen|produkte|kunden|unternehmen)|wir bieten|unverbindlich"
    r"|nos (?:services|solutions|produits|clients)|notre (?:société|entreprise)|nous (?:proposons|offrons)"
    r"|nuestr[oa]s? (?:servicios|soluciones|productos|clientes|empresa)|ofrecemos|sin compromiso"
    r"|noss[oa]s? (?:serviços|soluções|produtos|clientes|empresa)|oferecemos|sem compromisso"
    r"|(?:i )?nostr[ioa] (?:servizi|soluzioni|prodotti|clienti|azienda)|offriamo|senza impegno"
    r"|onze (?:diensten|oplossingen|producten|klanten)|ons bedrijf|wij bieden|vrijblijvend)",
    re.IGNORECASE,
)


def offers_services(text: str) -> bool:
    """Whether a text says several such things, as whoever looks for customers does."""
    return len({" ".join(match[0].casefold().split()) for match in _OF_HOUSE.finditer(text)}) >= _OFFERING


#: One may stand in any mail.
_OFFERING: Final = 3
#: Of these, how one leaves a list.
LEAVING: Final = re.compile(r"unsubscrib|opt|abbestell|abmelden|désabonn|désinscri|darse|disiscri|afmeld|uitschrijv")
#: What calls on many to buy or to subscribe; somebody who prepares advertising speaks of all the other signs, too.
CALLS_TO_BUY: Final = re.compile(
    r"\b(?:unsubscrib|opt[- ]out|subscription list|click (?:here|below)|money[- ]back|risk[- ]free|don't miss|act now"
    r"|(?:register|order|buy|shop|sign up) (?:now|today)|abbestell|hier klicken|désabonn|cliquez|darse de baja"
    r"|haz clic|disiscri|clicca|clique|afmeld|uitschrijv|klik hier)",
    re.IGNORECASE,
)
#: What only a program writes, whoever the sender seems to be.
PROGRAM: Final = re.compile(
    r"do not reply (?:directly )?to this (?:e-?mail|message)|this is an auto(?:mated|"
    r"matic(?:ally generated)?) (?:e-?mail|message|reply|response|notification)|"
    r"automatically generated (?:e-?mail|message)|diese (?:e-?mail|nachricht) wurde automatisch|"
    r"bitte antworten sie nicht auf diese|"
    r"ne (?:pas|répondez pas) (?:répondre )?à ce(?:t)? (?:e-?mail|message|courriel)|message (?:généré|"
    r"envoyé) automatiquement|no responda a este|"
    r"mensaje (?:generado )?automático|não responda a (?:este|esta)|mensagem automática|non rispondere a quest|"
    r"messaggio automatico|"
    r"dies(?:e nachricht)? ist eine automatische (?:e-?mail|nachricht|benachrichtigung)|dit is een automatisch|"
    r"ceci est un (?:message|e-?mail|courriel) automatique|(?:this is a )?system[- ]generated (?:e-?mail|mail|message)|"
    r"(?:automatisch gegenereerd|niet te (?:be)?antwoorden)|"
    r"reply to this email directly,? (?:or )?view it on (?:github|gitlab)|you are receiving this because (?:you|"
    r"your|of)|"
    r"you(?:[\u2019']re| are) (?:receiving|getting) (?:this|these) (?:e-?mails?|messages?|newsletters?) because|"
    r"(?:sie erhalten|du erhältst|ihr erhaltet) diese (?:e-?mail|mail|nachricht),? (?:weil|da)\b|"
    r"vous recevez cet? (?:e-?mail|courriel|mail|message) (?:car|parce que)|"
    r"(?:recibes?|está recibiendo|estás recibiendo) este (?:correo|mensaje|e-?mail) porque|"
    r"(?:recebe|recebeu|está a receber|está recebendo) (?:este e-?mail|esta mensagem) porque|"
    r"(?:ricevi|riceve|stai ricevendo) quest[ao] (?:e-?mail|mail|messaggio) perché|"
    r"(?:je|u) ontvangt (?:deze|dit) (?:e-?mail|mail|bericht),? omdat|"
    r"view it on github|"
    # "Copy the address below and paste it into your browser."
    r"\b(?:cop(?:y|iez?|i[ea]r?|iate)|kopier(?:en sie|e|t)|kopieer|kopieert u)\b[^.?\n]{0,60}"
    r"\b(?:address|link|url|adresse|lien|dirección|enlace|endereço|indirizzo|adres)\b[^.?\n]{0,60}"
    r"\b(?:your|ihren?|ihres|deinen|votre|ton|tu|su|seu|teu|tuo|suo|uw|je) (?:\w+ )?"
    r"(?:browsers?|navigateur|navegador)\b|"
    r"we(?:[\u2019']ve| have) received your (?:\w+ )?(?:request|ticket|enquiry|inquiry)\b|"
    r"wir haben ihre anfrage (?:erhalten|empfangen)|nous avons bien reçu votre (?:demande|requête)|"
    r"hemos recibido (?:su|tu) (?:solicitud|consulta)|recebemos o seu pedido|abbiamo ricevuto la (?:sua|tua) richiesta|"
    r"we hebben (?:uw|je) (?:aanvraag|verzoek|vraag) ontvangen|"
    r"(?:verification|security|one-time|login|sign-in|confirmation) code(?: is|:)|(?:bestätigungs|sicherheits|"
    r"verifizierungs)code(?: lautet|:| ist)|"
    r"delivery (?:has failed|status notification)|undeliverable:|mail delivery (?:failed|subsystem)|"
    r"returned mail:|unzustellbar|"
    r"invitation from google calendar|has (?:accepted|declined|tentatively accepted) (?:this|your) (?:invitation|"
    r"meeting)|"
    r"this event has been (?:canceled|cancelled|updated|changed)|"
    r"(?:your|ihre?|votre|tu|su|seu|sua|il tuo|je|uw) (?:order|bestellung|commande|pedido|encomenda|ordine|"
    r"bestelling|package|paket|lieferung|colis|paquete|"
    r"pacote|pacco|pakket|shipment|sendung)\b[^.\n]{0,60}?(?:has (?:been )?(?:shipped|dispatched|delivered|"
    r"confirmed)|is on (?:its|the) way|"
    r"wurde (?:versandt|verschickt|zugestellt)|ist unterwegs|a été (?:expédiée?|livrée?)|ha sido enviad[oa]|"
    r"foi enviad[oa]|è stato spedito|is (?:verzonden|onderweg))",
)
#: Subjects of mails that a program sent.
PROGRAM_SUBJECT: Final = re.compile(
    r"\s*(?:(?:re|aw|sv|fwd?)\s*:\s*)?(?:auto(?:matic)?[- ]?(?:reply|response)|automatische antwort|"
    r"automatisch antwoord|réponse automatique|"
    r"respuesta automática|resposta automática|risposta automatica|automatiskt? svar|autosvar|autoreply|auto\s*:|"
    r"out of (?:the )?office|ooo\s*:|"
    r"abwesen(?:d|heit)\w*|absence du bureau|fuera de (?:la )?oficina|fora do escritório|fuori ufficio|"
    r"afwezig(?:heid)?\b|frånvaro|"
    r"undeliver(?:able|ed)|unzustellbar|delivery status notification|mail delivery|returned mail|"
    r"\[[\w.-]+/[\w.-]+\] )"
    # Whoever answers an invitation or a receipt is a person.
    r"|\s*(?:(?:updated |new )?invitation(?: \S+)?: .*@ .*\d|(?:accepted|declined|tentatively accepted|tentative|"
    r"cancell?ed(?: event)?): .*@ .*\d|"
    r"(?:your )?(?:order|receipt|invoice payment) (?:confirmation|#|from)|bestellbestätigung|versandbestätigung|"
    r"confirmation de commande|"
    r"confirmación de pedido|conferma (?:d[\u2019']|dell[\u2019'])?ordine|orderbevestiging|confirmação d[eo] pedido)",
    _I,
)
#: An absence note: what it says of the absence, and what else such a note says. A person who writes one of the two is
#: no machine: "I am out of the office on Friday but I'll send it by Tuesday."
ABSENT: Final = re.compile(
    r"\b(?:out of (?:the )?office|out of office|on (?:annual |parental |maternity |paternity |sick |"
    r"medical )?leave|on vacation|on holiday|away from (?:my|the) (?:desk|office|email))\b|"
    r"\bnicht im (?:büro|hause?)|\babwesend\b|\bim urlaub\b|\bnicht erreichbar\b|elternzeit|"
    r"\b(?:absente?|en congés?|en vacances|hors du bureau)\b|"
    r"\b(?:fuera de la oficina|ausente|de vacaciones|de baja)\b|\b(?:fora do escritório|de férias|de licença|"
    r"ausente)\b|"
    r"\b(?:fuori (?:ufficio|sede)|in ferie|assente|in vacanza)\b|\b(?:niet op kantoor|afwezig|met vakantie|"
    r"met verlof|op vakantie)\b|"
    r"\b(?:inte på kontoret|på semester|tjänstledig|föräldraledig|på ferie|ikke på kontoret|na urlopie|poza biurem)\b",
)
ABSENCE_FORM: Final = re.compile(
    r"(?:limited|no|intermittent|infrequent) access to (?:my )?(?:e-?mails?|messages)|(?:not be|won[\u2019']t be|"
    r"not|unable to) (?:check(?:ing)?|read(?:ing)?|monitor(?:ing)?|access) (?:my )?(?:e-?mails?|messages)|"
    r"(?:reply|respond|answer|get back|read)\b[^.\n]{0,40}\b(?:when|upon|after|on) (?:i (?:return|am back|"
    r"get back)|my return)|"
    r"(?:in|for) (?:any )?urgent (?:cases?|matters?)|if (?:it|this|your (?:request|message|matter))(?: is|"
    r"[\u2019']s) urgent|for (?:immediate|urgent) (?:assistance|help)|thank you for your (?:e-?mail|message)|"
    r"in dringenden (?:fällen|angelegenheiten)|vielen dank für (?:ihre|deine) (?:e-?mail|nachricht|mail)|"
    r"dringende (?:fragen|anfragen)|ihre (?:e-?mail|mail|nachricht) (?:beantworte|lese) ich|"
    r"(?:nach meiner|ab dem|bei meiner) rückkehr|abwesenheits(?:notiz|nachricht|assistent)|automatische antwort|"
    r"automatic reply|auto-?reply|réponse automatique|message d[\u2019']absence|respuesta automática|"
    r"resposta automática|risposta automatica|automatisch antwoord|afwezigheidsbericht|"
    r"(?:wird|werden) nicht weitergeleitet|wende[nt]? sie sich (?:bitte )?an|"
    r"en cas d[\u2019']urgence|merci (?:de|pour) votre (?:message|e-?mail|courriel|mail)|(?:à|dès) mon retour|"
    r"en caso (?:de urgencia|urgente)|para (?:asuntos|temas) urgentes|gracias por su (?:mensaje|correo)|(?:a mi|"
    r"cuando) (?:regreso|vuelva|regrese)|acceso limitado|"
    r"em caso de urgência|(?:assuntos|casos) urgentes|obrigad[oa] (?:pela sua|pelo seu)|(?:no meu|após o meu|"
    r"quando) (?:regresso|retorno|regressar|voltar)|acesso limitado|"
    r"in caso di urgenza|per (?:urgenze|questioni urgenti)|grazie per (?:la (?:sua|tua)|il (?:suo|tuo))|"
    r"al mio (?:rientro|ritorno)|accesso limitato|"
    r"in dringende gevallen|voor (?:dringende|spoedeisende)|bedankt voor (?:uw|je) (?:bericht|e-?mail|mail)|"
    r"dringende vragen|(?:ik )?beantwoord (?:je|uw) (?:bericht|e-?mail|mail)|na mijn terugkeer|beperkt(?:e)? toegang|"
    r"vid brådskande|tack för ditt (?:meddelande|mejl|mail)|när jag är tillbaka|begränsad tillgång|w pilnych sprawach",
)
#: "System" words under which a parser files what a program sent to many.
BULK_LABELS: Final = word_set(
    "newsletter notification notifications bulk promotion promotions promotional marketing advertisement ad ads "
    "spam automated auto_reply autoreply auto-reply out_of_office ooo out-of-office transactional receipt system "
    "list mailing_list digest social_notification category_promotions category_updates category_social "
    "category_forums machine bounce no_reply noreply calendar_notification calendar_invite"
)
URL_LINE: Final = re.compile(r"\s*(?:<|\()?(?:https?://|www\.)\S+(?:>|\))?\s*", _I)
#: Lines that conference services add to an invitation.
CONFERENCE: Final = re.compile(
    r"\s*(?:join (?:zoom|microsoft teams|teams|with google meet|the|our|webex)\b.{0,60}|(?:meeting|webinar|"
    r"conference) id\s*:.{0,60}|passcode\s*:.{0,40}|"
    r"one tap mobile|dial(?:-in| by).{0,80}|find your local number.{0,80}|(?:microsoft )?teams[- ]?(?:meeting|"
    r"besprechung)|learn more \|.{0,60}|"
    r"an besprechung teilnehmen.{0,60}|meeting options.{0,40}|phone conference id.{0,40}|"
    r"you have been invited to.{0,80}|video call link.{0,80}|"
    r"or dial\s*:.{0,60}|more phone numbers\s*:.{0,60})\s*",
    _I,
)
