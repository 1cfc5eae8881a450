"""German."""

from __future__ import annotations

from typing import Final

from consumer.understanding.questions.tables.form import QuestionWords, pairs, phrases, words

WORDS: Final = QuestionWords(
    code="de",
    when=phrases(
        "wann | bis wann | ab wann | welcher tag | an welchem tag | welches datum | um wie viel uhr | um wieviel uhr |"
        " wie lange noch | wie lange habe ich"
    ),
    who=phrases("wer | wem | wen | von wem | an wen | mit wem"),
    much=phrases("wie viel | wieviel | wie viele | wie hoch | wie teuer | was kostet | was kosten | welcher betrag"),
    elsewhere=phrases("wo | wohin | woher | warum | wieso | weshalb | wie | welcher raum | welche adresse"),
    what=words("was welche welcher welches welchen"),
    dates=words("datum termin"),
    subject_i=words("ich wir"),
    owe=phrases(
        "schulde | schuldet | schulden | schuldest | versprochen | verspricht | verspreche | muss | müssen | soll |"
        " sollte | zu tun | zu erledigen | zugesagt | auf meiner liste | offene aufgaben | todo | todos | to-dos"
    ),
    owed_me=phrases(
        "schuldet man mir | schuldet man uns | schuldet mir | schuldet uns | schulden mir | schulden uns | mir"
        " geschuldet | mir versprochen | uns versprochen | mir zugesagt | uns zugesagt"
    ),
    promise=phrases("versprochen | verspricht | verspreche | zugesagt"),
    must=phrases("muss | müssen | soll | sollte"),
    want=phrases("will | wollte | wollen | möchte | braucht | gebeten | gefragt | bittet | verlangt | erwartet"),
    wait=phrases("warte ich | warten wir | ich warte | bekomme ich noch | bekomme ich | kriege ich"),
    due=phrases("fällig | steht an | steht | an | ansteht | zu erledigen bis"),
    overdue=phrases("überfällig | verspätet | zu spät | versäumt"),
    changed=phrases("geändert | ändert | änderung | verschoben | verlegt | anders | neu"),
    changed_past=words("geändert verschoben verlegt"),
    not_yet=words(
        """
        wird werden würde würden kann können könnte könnten darf dürfen dürfte will wollen möchte sollen
        sollten
        """
    ),
    decided=phrases("beschlossen | entschieden | beschluss | entscheidung | vereinbart | ausgemacht"),
    last=words("zuletzt letzte letzten letzter letztes vorige vorigen voriger voriges"),
    next=words("nächste nächsten nächster nächstes kommende kommenden"),
    over=words("war waren wurde wurden fand fanden hatte hatten gesehen getroffen traf trafen gehabt gemacht"),
    toward=words("nach zu zum zur"),
    away=words("von vom aus ab"),
    heard=words(
        "gemeldet geschrieben schrieb gehört nachricht mail meldete angerufen geantwortet gesprochen telefoniert"
    ),
    hears=words("gehört"),
    meet=words(
        "treffe treffen getroffen traf sehe sehen gesehen termin besprechung meeting nächste nächsten"
        " nächster nächstes mal"
    ),
    meeting=words("termin besprechung meeting treffen sitzung"),
    attend=words("dabei kommt kommen teil nimmt nehmen eingeladen anwesend teilnehmer teilnehmen"),
    phone=phrases("telefonnummer | nummer | handynummer | telefon | handy | mobilnummer | tel"),
    email=phrases("e-mail | email | mail | e-mail-adresse | mailadresse | emailadresse"),
    still_on=phrases("findet statt | statt | noch geplant | bleibt es bei"),
    called_off=phrases("abgesagt | ausgefallen | fällt aus"),
    yes_no=words("habe hab hat haben hatte ist sind war waren wird werden muss müssen soll findet fällt bleibt kommt"),
    past=words("habe hab hat haben hatte war waren wurde wurden schon bereits"),
    filler=words(
        """
        bezüglich betreffend wegen
        der die das den dem des ein eine einen einem einer eines und oder von vom für zu zum zur mit bei beim im in am
        an auf um aus ist sind war waren wird werden wurde wurden sein hat habe haben hatte es er sie mir mich mein
        meine meinen meiner uns unser unsere du dir dich dein ihr ihnen sich noch schon jetzt bereits bitte mal doch
        denn eigentlich gerade aktuell genau was welche welcher welches etwas alles alle jemand irgendwas irgendetwas
        wer's sag sage zeig zeige weißt weiss über bis tun machen erledigen gemacht dabei datum tag uhr hoch viel heute
        hallo danke kannst da dann als gibt geben bekommen nächste nächsten nächster nächstes so man leute person frau
        herr herrn findet finden fand fanden statt
        """
    ),
    attributes=pairs(
        """
        beginnt beginn anfang fängt startet losgeht los start: start date | endet ende läuft aus: end | schließt:
        closing end | öffnet eröffnet: opening start | geliefert lieferung liefert liefertermin kommt: delivery |
        frist deadline fällig: deadline | kostet kosten preis teuer: price cost fee rate rent total offer deposit |
        gebühr beitrag: fee | launch: date start
        """
    ),
    wording=dict(
        you_owe="Sie haben {names} zugesagt: {what}",
        quoted="\u201e{words}\u201c",
        your_task="Auf Ihrer Liste: {what}",
        owed_to_you="{owner} hat Ihnen zugesagt: {what}",
        asked_of_you="{names} hat Sie gebeten: {what}",
        asked_by_you="Sie haben {names} gebeten: {what}",
        others="{owner} hat {names} zugesagt: {what}",
        alone="{owner} hat zugesagt: {what}",
        you_alone="Sie haben zugesagt: {what}",
        due=", fällig am {day}",
        overdue=", war fällig am {day}",
        due_before=", fällig vor {day}",
        delivered=", erledigt am {day}",
        done=", erledigt",
        declined=", abgelehnt",
        taken_back=", zurückgenommen",
        withdrawn=", nicht mehr nötig",
        condition=", falls {condition}",
        fact="{subject}: {value}",
        since=", seit {day}",
        replaced=", vorher {value}",
        disputed="{subject}: {sides}",
        side="{who} sagte {value} ({day})",
        side_you="Sie sagten {value} ({day})",
        side_nobody="ein Eintrag sagt {value} ({day})",
        change="{subject}: jetzt {after}, vorher {before} ({day})",
        meeting="{title}: {day}",
        meeting_undated="{title}",
        attendees=", mit {names}",
        cancelled="{title} am {day} wurde abgesagt",
        contact="{name}: {value}",
        heard="{name}: letzte Nachricht am {day}",
        decided="Beschlossen am {day}: {what}",
        said_by="{text}, sagte {who}",
        yes="Ja. {text}",
        no="Nein. {text}",
        no_word="Davon steht noch nichts da. {text}",
        conjunction="und",
        day="{day}. {month} {year}",
        at="{day}, {time} Uhr",
        you="Ihnen",
    ),
    names=pairs(
        """
        date: Termin | deadline: Frist | start: Beginn | end: Ende | delivery: Lieferung | opening: Eröffnung |
        closing: Schluss | budget: Budget | price: Preis | cost: Kosten | fee: Gebühr | rent: Miete | deposit:
        Kaution | salary: Gehalt | discount: Rabatt | phone: Telefon | email: E-Mail | version: Version | rate: Satz
        | target: Ziel | capacity: Kapazität | revenue: Umsatz | margin: Marge | total: Summe | offer: Angebot
        """
    ),
)
