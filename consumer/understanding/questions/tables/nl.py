"""Dutch."""

from __future__ import annotations

from typing import Final

from consumer.understanding.questions.tables.form import QuestionWords, pairs, phrases, words

WORDS: Final = QuestionWords(
    code="nl",
    when=phrases(
        "wanneer | tot wanneer | voor wanneer | welke dag | op welke dag | welke datum | op welke datum | hoe laat |"
        " hoe lang nog"
    ),
    who=phrases("wie | wie's | aan wie | van wie | met wie"),
    much=phrases("hoeveel | hoe veel | hoe hoog | hoe duur | wat kost | wat kosten | welk bedrag"),
    elsewhere=phrases("waar | waarom | hoezo | hoe | welke zaal | welk adres"),
    what=words("wat welk welke"),
    dates=words("datum"),
    subject_i=words("ik we wij"),
    owe=phrases(
        "verschuldigd | schuldig | beloofd | belooft | beloofde | moet | moeten | te doen | toegezegd | mijn lijst |"
        " openstaand | openstaande"
    ),
    owed_me=phrases(
        "mij beloofd | me beloofd | ons beloofd | mij verschuldigd | ons verschuldigd | mij schuldig | me"
        " schuldig | ons schuldig"
    ),
    promise=phrases("beloofd | belooft | beloofde | toegezegd"),
    must=phrases("moet | moeten"),
    want=phrases("wil | wilde | vraagt | vroeg | gevraagd | verwacht | nodig van"),
    wait=phrases("wacht ik | ik wacht | krijg ik nog | krijg ik"),
    due=phrases("moet af | verloopt | staat er op de planning | gepland"),
    overdue=phrases("te laat | verlopen | achterstallig"),
    changed=phrases("veranderd | verandert | gewijzigd | verplaatst | verschoven | verzet | uitgesteld | wijziging"),
    changed_past=words("veranderd gewijzigd verplaatst verschoven verzet uitgesteld"),
    not_yet=words("wordt worden zal zullen zou zouden kan kunnen kon mag mogen gaat gaan wil"),
    decided=phrases("besloten | besluit | beslissing | afgesproken"),
    last=words("laatst laatste"),
    next=words("volgende eerstvolgende"),
    over=words("was waren werd werden had zag gezien gehad"),
    toward=words("naar"),
    away=words("van uit vanaf"),
    heard=words("geschreven schreef gehoord bericht mail gebeld gereageerd"),
    hears=words("gehoord"),
    meet=words("zie zien zag gezien ontmoet afspraak vergadering overleg volgende"),
    meeting=words("vergadering afspraak overleg bijeenkomst"),
    attend=words("komt komen mee aanwezig uitgenodigd deelnemers doet deel neemt"),
    phone=phrases("telefoonnummer | nummer | telefoon | mobiel | mobiele nummer"),
    email=phrases("e-mail | email | mail | mailadres | e-mailadres"),
    still_on=phrases("gaat door | nog door | door"),
    called_off=phrases("afgelast | geannuleerd | afgezegd"),
    yes_no=words("heb heeft hebben is zijn was waren wordt moet gaat"),
    past=words("heb heeft hebben werd werden al"),
    filler=words(
        """
        betreffende
        de het een van voor in op aan bij met om te naar uit over en of is zijn was waren wordt worden werd heb heeft
        hebben er mij me mijn ons onze je jij jou jouw u uw hij zij ze hun zich wat welke welk iets alles iemand nog al
        nu alsjeblieft even eens toch precies datum dag tijd doen gedaan meer zeg weet staat volgende dat dit die deze
        """
    ),
    attributes=pairs(
        """
        begint begin start: start date | eindigt einde loopt af: end | sluit: closing end | opent opening: opening
        start date | levering geleverd komt: delivery | deadline termijn: deadline | kost kosten prijs: price cost
        fee rate rent total offer deposit | lancering: date start
        """
    ),
    wording=dict(
        you_owe="U hebt {names} beloofd: {what}",
        quoted="\u201c{words}\u201d",
        your_task="Op uw lijst: {what}",
        owed_to_you="{owner} heeft u beloofd: {what}",
        asked_of_you="{names} vraagt u: {what}",
        asked_by_you="U vraagt {names}: {what}",
        others="{owner} heeft {names} beloofd: {what}",
        alone="{owner} heeft beloofd: {what}",
        you_alone="U hebt beloofd: {what}",
        due=", uiterlijk {day}",
        overdue=", moest af zijn op {day}",
        due_before=", vóór {day}",
        delivered=", gedaan op {day}",
        done=", gedaan",
        declined=", afgewezen",
        taken_back=", ingetrokken",
        withdrawn=", niet meer nodig",
        condition=", als {condition}",
        fact="{subject}: {value}",
        since=", sinds {day}",
        replaced=", eerder {value}",
        disputed="{subject}: {sides}",
        side="{who} zei {value} ({day})",
        side_you="u zei {value} ({day})",
        side_nobody="een notitie zegt {value} ({day})",
        change="{subject}: nu {after}, eerder {before} ({day})",
        meeting="{title}: {day}",
        meeting_undated="{title}",
        attendees=", met {names}",
        cancelled="{title} op {day} is afgezegd",
        contact="{name}: {value}",
        heard="{name}: laatste bericht op {day}",
        decided="Besloten op {day}: {what}",
        said_by="{text}, zei {who}",
        yes="Ja. {text}",
        no="Nee. {text}",
        no_word="Daar staat nog niets van. {text}",
        conjunction="en",
        day="{day} {month} {year}",
        at="{day}, {time} uur",
        you="u",
    ),
    names=pairs(
        """
        date: datum | deadline: deadline | start: begin | end: einde | delivery: levering | opening: opening |
        closing: sluiting | budget: budget | price: prijs | cost: kosten | fee: tarief | rent: huur | deposit: borg
        | salary: salaris | discount: korting | phone: telefoon | email: e-mail | version: versie | rate: rente |
        target: doel | capacity: capaciteit | revenue: omzet | margin: marge | total: totaal | offer: offerte
        """
    ),
)
