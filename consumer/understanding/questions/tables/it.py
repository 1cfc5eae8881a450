"""Italian. A verb's ending says who does it: "devo" is "I owe". An apostrophe ends a word."""

from __future__ import annotations

from typing import Final

from consumer.understanding.questions.tables.form import QuestionWords, pairs, phrases, words

WORDS: Final = QuestionWords(
    code="it",
    when=phrases(
        "quando | entro quando | fino a quando | per quando | che giorno | in che giorno | che data | in che data |"
        " a che ora | che ora | quand"
    ),
    who=phrases("chi | a chi | da chi | con chi"),
    much=phrases("quanto | quant | quanti | quante | quanta | a quanto | che importo"),
    elsewhere=phrases("dove | dov | perché | perche | come | com | che indirizzo"),
    what=words("che cosa cos quale quali"),
    dates=words("data"),
    subject_i=words("io devo ho dobbiamo noi abbiamo"),
    owe=phrases(
        "devo | deve | devono | dobbiamo | promesso | promette | ha promesso | da fare | bisogna | in sospeso |"
        " mia lista"
    ),
    owed_me=phrases(
        "mi deve | mi devono | ci deve | ci devono | mi ha promesso | mi hanno promesso | ci ha promesso | ci"
        " hanno promesso"
    ),
    promise=phrases("promesso | promette | ha promesso"),
    must=phrases("devo | dobbiamo | bisogna"),
    want=phrases("vuole | voleva | chiede | ha chiesto | chiesto | si aspetta | ha bisogno"),
    wait=phrases("aspetto | sto aspettando | aspettiamo"),
    due=phrases("scade | scadono | in scadenza"),
    overdue=phrases("in ritardo | scaduto | scaduta | scaduti"),
    changed=phrases(
        "cambiato | cambiata | cambia | cambiamento | spostato | spostata | rinviato | rinviata | slittato"
    ),
    changed_past=words("cambiato cambiata spostato spostata rinviato rinviata slittato"),
    not_yet=words(
        """
        essere sarà saranno sarebbe va vanno viene vengono verrà verranno può possono potrà potrebbe
        potrebbero dovrà dovrebbe dovrebbero
        """
    ),
    decided=phrases("deciso | decisione | decisioni | concordato"),
    last=words("ultima ultimo ultimamente"),
    next=words("prossima prossimo"),
    over=words("era erano stato stata visto vista incontrato incontrata avuto"),
    toward=words("a al per verso"),
    away=words("da dal dalla"),
    heard=words("scritto scrisse sentito messaggio mail contattato chiamato risposto"),
    hears=words("sentito"),
    meet=words("vedo vedere visto incontrato incontro incontrare riunione appuntamento prossima prossimo"),
    meeting=words("riunione appuntamento incontro"),
    attend=words("viene vengono partecipa partecipano invitato invitati partecipanti sarà"),
    phone=phrases("telefono | numero | numero di telefono | cellulare"),
    email=phrases("mail | e-mail | email | indirizzo mail | indirizzo email"),
    still_on=phrases("si fa ancora | è confermato | è confermata"),
    called_off=phrases("annullato | annullata | cancellato | cancellata"),
    yes_no=words("ho ha hanno è sono era"),
    past=words("ho ha hanno già"),
    filler=words(
        """
        riguardo
        il lo la i gli le l un uno una ad ed
        di del dello della dei degli delle d a al allo alla ai agli alle in nel nella nei
        su sul sulla e o per con da dal dalla è sono era essere ha ho hanno c ci mi me mio mia miei mie io noi nostro
        nostra ti te tuo tua si suo sua che cosa cos quale quali questo quello qualcosa tutto ancora già ora adesso
        favore dimmi di' sai data giorno ora più esattamente fare fatto va prossima prossimo
        """
    ),
    attributes=pairs(
        """
        inizia inizio comincia parte: start date | finisce fine termina: end | chiude chiusura: closing end | apre
        apertura inaugurazione: opening start date | consegna arriva consegnato: delivery | scadenza termine scade:
        deadline | costa costo prezzo: price cost fee rate rent total offer deposit | lancio: date start
        """
    ),
    wording=dict(
        you_owe="Lei ha promesso a {names}: {what}",
        quoted="\xab{words}\xbb",
        your_task="Nella Sua lista: {what}",
        owed_to_you="{owner} Le ha promesso: {what}",
        asked_of_you="{names} Le chiede: {what}",
        asked_by_you="Lei chiede a {names}: {what}",
        others="{owner} ha promesso a {names}: {what}",
        alone="{owner} ha promesso: {what}",
        you_alone="Lei ha promesso: {what}",
        due=", entro il {day}",
        overdue=", era per il {day}",
        due_before=", prima di {day}",
        delivered=", fatto il {day}",
        done=", fatto",
        declined=", rifiutato",
        taken_back=", promessa ritirata",
        withdrawn=", non serve più",
        condition=", se {condition}",
        fact="{subject}: {value}",
        since=", dal {day}",
        replaced=", prima {value}",
        disputed="{subject}: {sides}",
        side="{who} dice {value} ({day})",
        side_you="Lei dice {value} ({day})",
        side_nobody="una nota dice {value} ({day})",
        change="{subject}: ora {after}, prima {before} ({day})",
        meeting="{title}: {day}",
        meeting_undated="{title}",
        attendees=", con {names}",
        cancelled="{title} del {day}: annullato",
        contact="{name}: {value}",
        heard="{name}: ultimo messaggio il {day}",
        decided="Deciso il {day}: {what}",
        said_by="{text}, dice {who}",
        yes="Sì. {text}",
        no="No. {text}",
        no_word="Non risulta ancora. {text}",
        conjunction="e",
        day="{day} {month} {year}",
        at="{day}, {time}",
        you="Lei",
    ),
    names=pairs(
        """
        date: data | deadline: scadenza | start: inizio | end: fine | delivery: consegna | opening: apertura |
        closing: chiusura | budget: budget | price: prezzo | cost: costo | fee: tariffa | rent: affitto | deposit:
        cauzione | salary: stipendio | discount: sconto | phone: telefono | email: e-mail | version: versione |
        rate: tasso | target: obiettivo | capacity: capacità | revenue: fatturato | margin: margine | total: totale
        | offer: offerta
        """
    ),
)
