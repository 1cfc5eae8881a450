"""French. An apostrophe ends a word: "qu'est-ce" is "qu est-ce" here."""

from __future__ import annotations

from typing import Final

from consumer.understanding.questions.tables.form import QuestionWords, pairs, phrases, words

WORDS: Final = QuestionWords(
    code="fr",
    when=phrases(
        "quand | pour quand | jusqu quand | jusqu à quand | c est quand | quel jour | à quelle date | quelle date |"
        " à quelle heure | quelle heure"
    ),
    who=phrases("qui | à qui | de qui | avec qui"),
    much=phrases("combien | à combien | quel montant | quel prix"),
    elsewhere=phrases("où | pourquoi | comment | quelle adresse | quelle salle"),
    what=words("que qu quoi quel quelle quels quelles"),
    dates=words("date"),
    subject_i=words("je j ai-je dois-je nous"),
    owe=phrases(
        "dois | doit | dois-je | doit-il | doit-elle | devons | promis | promet | ai à faire | à faire | faut |"
        " dû | mes tâches | sur ma liste"
    ),
    owed_me=phrases(
        "me doit | me doivent | nous doit | nous doivent | m a promis | m ont promis | nous a promis | nous ont promis"
    ),
    promise=phrases("promis | promet"),
    must=phrases("dois | dois-je | devons | faut"),
    want=phrases("veut | voulait | demande | demandé | a besoin | attend de moi | souhaite | réclame"),
    wait=phrases("attends | j attends | attendons"),
    due=phrases("à rendre | échéance | à échéance | prévu"),
    overdue=phrases("en retard | dépassé | dépassée"),
    changed=phrases(
        "changé | change | changement | déplacé | déplacée | reporté | reportée | décalé | décalée | modifié"
    ),
    changed_past=words("changé déplacé déplacée reporté reportée décalé décalée modifié"),
    not_yet=words(
        """
        être sera seront serait seraient va vont aura auront doivent devra devrait devraient peut peuvent
        pourra pourrait pourraient faudra faudrait
        """
    ),
    decided=phrases("décidé | décision | décisions | convenu"),
    last=words("dernier dernière dernièrement"),
    next=words("prochain prochaine"),
    over=words("était étaient vu vue vus rencontré rencontrée eu"),
    toward=words("à au vers pour"),
    away=words("de du depuis"),
    heard=words("écrit nouvelles message mail contacté appelé répondu"),
    hears=words("nouvelles"),
    meet=words("vois voir vu vue rencontre rencontrer rencontré rendez-vous réunion prochain prochaine fois"),
    meeting=words("réunion rendez-vous rdv séance"),
    attend=words("vient viennent participe participent invité invités présent présents sera participants"),
    phone=phrases("téléphone | numéro | numéro de téléphone | portable | tél"),
    email=phrases("mail | e-mail | email | adresse mail | adresse e-mail | courriel"),
    still_on=phrases("toujours prévu | toujours prévue | a lieu | maintenu | maintenue"),
    called_off=phrases("annulé | annulée"),
    yes_no=words("est-ce ai-je a-t-il a-t-elle as-tu est-il est-elle dois-je"),
    past=words("ai ai-je a-t-il a-t-elle déjà"),
    filler=words(
        """
        concernant
        le la les l un une des de du d au aux à en et ou pour par sur dans avec chez est sont était a ai as ont être
        avoir c ce cet cette ces ça il elle on ils elles me m moi mon ma mes nous notre nos te toi ton ta tes vous votre
        vos se s son sa ses leur que qu qui quoi quel quelle quels quelles est-ce encore déjà maintenant plus y ne pas
        quelque chose tout dis dit dites montre sais date jour heure s'il plaît svp faire fait exactement va vont jusqu
        prochain prochaine
        """
    ),
    attributes=pairs(
        """
        commence début débute démarre: start | finit fin termine: end | ferme fermeture: closing end | ouvre
        ouverture: opening start date | livraison livré livrée livre arrive: delivery | échéance délai limite:
        deadline | coûte coût prix tarif: price cost fee rate rent total offer deposit | lancement: date start
        """
    ),
    wording=dict(
        you_owe="Vous avez promis à {names} : {what}",
        quoted="\xab\xa0{words}\xa0\xbb",
        your_task="Sur votre liste : {what}",
        owed_to_you="{owner} vous a promis : {what}",
        asked_of_you="{names} vous demande : {what}",
        asked_by_you="Vous demandez à {names} : {what}",
        others="{owner} a promis à {names} : {what}",
        alone="{owner} a promis : {what}",
        you_alone="Vous avez promis : {what}",
        due=", pour le {day}",
        overdue=", c'était pour le {day}",
        due_before=", avant {day}",
        delivered=", fait le {day}",
        done=", fait",
        declined=", refusé",
        taken_back=", promesse retirée",
        withdrawn=", plus nécessaire",
        condition=", si {condition}",
        fact="{subject} : {value}",
        since=", depuis le {day}",
        replaced=", avant {value}",
        disputed="{subject} : {sides}",
        side="{who} dit {value} ({day})",
        side_you="vous dites {value} ({day})",
        side_nobody="une note dit {value} ({day})",
        change="{subject} : {after} maintenant, {before} avant ({day})",
        meeting="{title} : {day}",
        meeting_undated="{title}",
        attendees=", avec {names}",
        cancelled="{title} du {day} : annulé",
        contact="{name} : {value}",
        heard="{name} : dernier message le {day}",
        decided="Décidé le {day} : {what}",
        said_by="{text}, dit {who}",
        yes="Oui. {text}",
        no="Non. {text}",
        no_word="Aucune trace pour l'instant. {text}",
        conjunction="et",
        day="{day} {month} {year}",
        at="{day}, {time}",
        you="vous",
    ),
    names=pairs(
        """
        date: date | deadline: échéance | start: début | end: fin | delivery: livraison | opening: ouverture |
        closing: fermeture | budget: budget | price: prix | cost: coût | fee: frais | rent: loyer | deposit: caution
        | salary: salaire | discount: remise | phone: téléphone | email: e-mail | version: version | rate: taux |
        target: objectif | capacity: capacité | revenue: chiffre d'affaires | margin: marge | total: total | offer:
        devis
        """
    ),
)
