"""Simple facts: "Falcon budget for Q1 is 40k euros", "the launch moved to May 4", "Anna's phone is +49 30 1234567"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from typing import Final, NamedTuple

from consumer.understanding import languages, mentions, phrases, values
from consumer.understanding.grammar import CLOSING, Phrase, Phrases, SentenceReading
from consumer.understanding.languages.words import phrases as phrases_of
from consumer.understanding.languages.words import words as table
from consumer.understanding.text import fold

_PERIOD: Final = re.compile(r"^(?:q[1-4]|h[12]|20\d\d|fy\d\d)$")
_MAIL: Final = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
_LONGEST: Final = 10
#: Words that name what begins or ends.
_SUBJECT: Final = 5
#: Words of whoever changes something: "the board has cut ...".
_CHANGER: Final = 4
#: Which kinds of values an attribute can have.
_DATED: Final = frozenset({"date", "deadline", "start", "end", "delivery"})
#: A number without a unit is a value of these, and what is counted is named by the attribute.
_COUNTED: Final = frozenset({"headcount", "seats", "capacity", "guests", "participants", "count"})
_HEADS: Final = frozenset({"person", "guest", "participant", "seat"})
_TEXTUAL: Final = frozenset({"phone", "email", "version"})


#: Of the phrases of "it moved to" those that also tell of a day that never was another.
_STANDING: Final = frozenset(
    (
        *(
            "is on",
            "will be on",
            "takes place on",
            "will take place on",
            "is held on",
            "will be held on",
            "is scheduled for",
            "goes live on",
            "ist am",
            "findet am",
            "ist auf",
            "aura lieu le",
        ),
        *("será el", "sarà il", "será no dia", "is op"),
        "is planned for",
        *("est prévu le", "est prévue le", "est prévu pour le", "est prévue pour le", "se tiendra le"),
        *("está previsto para el", "está prevista para el", "tendrá lugar el", "se celebrará el", "queda para el"),
        *("queda fijado para el", "queda fijada para el"),
        *("está previsto para", "está prevista para", "está marcado para", "está marcada para"),
        *("è previsto per il", "è prevista per il", "è fissato per il", "è fissata per il", "si terrà il"),
        *("staat gepland op", "staat gepland voor", "is gepland op", "is gepland voor"),
    )
)


class Plain(NamedTuple):
    """As ``statements.Fact`` without its quotes and its voice.

    ``alone``: the sentence leaves to its conversation whose it is ("the budget is 40k"); ``subject`` is that word.
    ``changed``: it says that there was another value before. ``before``: that value, "" where it is not named.
    ``moved``: it says who has changed it.
    """

    subject: str
    attribute: str
    value: str
    unit: str
    scope: tuple[tuple[str, str], ...]
    alone: bool = False
    changed: bool = False
    before: str = ""
    moved: bool = False


def find(reading: SentenceReading) -> Plain | None:  # noqa: C901, PLR0911 - one branch a form
    """The fact that the sentence states; None for questions, conditions, negations, and what has no plain form."""
    asks = reading.is_question or not _ASKING.isdisjoint(reading.words[: reading.begin + 1])
    if asks:
        return None
    lex = reading.lexicon
    happens = lex.happens.anywhere(reading)
    demands = lex.attributes.anywhere(reading) and not _DEMANDS[lex.words.code].isdisjoint(reading.words)
    if not happens and not demands and not lex.copula.anywhere(reading) and not lex.moving.anywhere(reading):
        return None
    if (not any(map(str.isdigit, reading.text)) and not reading.dates) or _HEDGED.search(reading.text):
        return None
    happening = _happening(reading) if happens else None
    if happening:
        return happening
    if demands and (demanded := _demanded(reading)):
        return demanded
    place, after, phrase = _copula(reading)
    if phrase is None or reading.condition or _is_denied(reading):
        return None
    if not _OPINION.isdisjoint(reading.words[:place]) or not _STATES.isdisjoint(reading.words[place:after]):
        return None
    left = _left(reading, place) or _event(reading, place, after, phrase)
    value = _value(reading, after, left[1]) if left and lex.words.hedges.isdisjoint(reading.words) else None
    if left is None or value is None:
        return None
    subject, attribute, scope = left
    scope = tuple(sorted({*scope, *_qualified(reading, value[2])}))
    subject, is_new = _plainly(subject)
    name = subject or _name(reading, place)
    # Of a program, each has their own version.
    bare = not subject or _VAGUE.issuperset(fold(subject).split())
    unnamed = not any(map(str.isupper, subject)) and not _left(reading, place)
    alone = (
        bare
        or unnamed
        or attribute == "version"
        or _is_somebodys(reading, place, name)
        or _is_any(reading, name, attribute)
    )
    moved = phrase.kind == "moving"
    before = _before(reading, 0 if moved else place, after, attribute, value[:2])
    changed = (
        (is_new and attribute in ("phone", "email") and phrase.words != (":",))
        or bool(before)
        or (phrase.kind in ("moved", "moving") and " ".join(phrase.words) not in _STANDING)
    )
    is_relative = attribute in _DATED and not changed and not _NEXT.isdisjoint(fold(name).split())
    if name.casefold() in _BARE or is_relative or not _is_subject(reading, name):
        return None
    if any(sign in name for sign in "$\u20ac\u00a3"):
        return None  # "The cost of our $1,295 seminars"
    if changed and any(hit.due and hit.due.day == value[0] and hit.due.basis == "period" for hit in reading.dates):
        return None  # "moved to next week" names no day
    if attribute == "price" and subject and _QUOTED.issuperset(fold(subject).split()):
        return None
    return Plain(name, attribute, value[0], value[1], scope, alone, changed, before, moved)


#: Words beside an attribute that name nothing: "the real deadline", "the initial budget".
_VAGUE: Final = table(
    """
    real initial new current final total whole original next last early late first overall revised estimated actual
    annual monthly weekly daily regular usual standard correct right normal average maximum minimum full approximate
    jährliche monatliche wöchentliche tägliche reguläre übliche normale durchschnittliche maximale minimale volle
    annuel annuelle mensuel mensuelle normal normale moyen moyenne anual mensual habitual medio media mensal médio
    annuale mensile abituale massimo massima minimo minima jaarlijkse maandelijkse gewone gemiddelde
    neue neuer neues aktuelle aktueller endgültige ursprüngliche gesamte nächste letzte erste eigentliche
    nouveau nouvelle actuel actuelle final finale initial initiale total totale prochain prochaine dernier dernière
    nuevo nueva actual inicial próximo próxima último última novo nova atual
    nuovo nuova attuale finale iniziale totale prossimo prossima ultimo ultima
    nieuwe huidige definitieve oorspronkelijke totale volgende laatste eerste
    """
)
#: Of these, those that say that there was another value before.
_NEW: Final = table("new revised neue neuer neues nouveau nouvelle nuevo nueva novo nova nuovo nuova nieuwe")


def _plainly(subject: str) -> tuple[str, bool]:
    """A subject without "new" beside its name, and whether it was there: "Ann Lee's new phone"."""
    words = subject.split()
    named = [word for word in words if fold(word) not in _NEW]
    return (" ".join(named), len(named) < len(words)) if named else (subject, False)


#: Words that say how something is, and not when: "the line will be down on Friday".
_STATES: Final = table("down off away out open closed")
#: Verbs before what somebody only thinks: "the office estimates the total cost ... is".
_OPINION: Final = table(
    """
    estimates expects believes thinks says reports claims predicts suggests hopes assumes understanding
    estimated expected believed thought said claimed predicted suggested hoped assumed told heard wrote
    schätzt erwartet glaubt denkt sagt meint vermutet hofft estime pense croit dit suppose espère
    schätzte erwartete glaubte dachte sagte meinte vermutete hoffte
    estima espera cree piensa dice supone acha pensa diz supõe stima crede ritiene suppone
    dijo creía pensaba disse achava pensava diceva credeva pensava
    schat verwacht gelooft denkt zegt hoopt zei dacht verwachtte
    """
)
_NOTING: Final = frozenset({"note", "notice"})
#: Another one each time: "the next meeting is on Friday".
_NEXT: Final = table(
    """
    next nächste nächster nächstes prochain prochaine próximo próxima prossimo prossima volgende
    """
)
#: Field names that do not say what the day is for: "Date: Tuesday".
_BARE: Final = frozenset({"date", "datum", "fecha", "data"})


def _is_subject(reading: SentenceReading, name: str) -> bool:
    """Whether the words name a thing; "we'll get through this day" and "since the application" do not."""
    w = reading.lexicon.words
    first = fold(name).split()[0]
    return (
        first not in w.subordinate
        and first not in _SINCE
        and ("'" not in first or first.partition("'")[0] not in w.pronouns)
    )


#: Of a market: its price is another every day, and nobody changed it.
_QUOTED: Final = table(
    """
    stock share shares price closing opening close open market spot strike day-ahead index last bid ask high low
    cash regular retail list sale settlement futures
    aktie aktien börse bourse acción acciones bolsa azione azioni borsa ação ações
    aandeel
    """
)
_SINCE: Final = table(
    "since starting beginning effective given either whether da weil puisque comme dado já poiché aangezien it this"
    " that es dies"
)
#: Small verbs that a phrase of the tables may leave beside a subject: "it has now been", "the reception will".
_AUXILIARIES: Final = table(
    """
    has have had been be being will would was were is are hat haben hatte wird wurde worden ist sind ont été est sera
    sont ha han sido será foi é sido è stato stata hanno sarà heeft hebben wordt werd worden zal
    """
)


def change(reading: SentenceReading) -> Plain | None:
    """The fact of a sentence that says who changed it: "we've moved the launch to 3 February"; None for every other."""
    plain = find(reading) if reading.lexicon.moving.anywhere(reading) else None
    return plain if plain and plain.moved else None


def _before(reading: SentenceReading, place: int, after: int, attribute: str, value: tuple[str, str]) -> str:
    """The value that the sentence says holds no more: "moved from 20 January to ...", "... instead of 20 January"."""
    lex, start = reading.lexicon, reading.tokens[place].start
    end = reading.tokens[after - 1].end
    if attribute in _DATED:
        days = {
            hit.due.day
            for hit in reading.dates
            if hit.due and hit.start >= start and (hit.role == "never" or (hit.role == "of" and hit.end < end))
        } - {value[0]}
        return _nearest(days.pop(), value[0]) if len(days) == 1 else ""
    for other in values.find(reading.text, lex.words.code, reading.region):
        words = f" {fold(reading.text[start : other.start]).rstrip()}"
        if other.unit in (value[1], "") and other.number != value[0] and words.endswith(_instead(lex.words.code)):
            return other.number
    return ""


def _nearest(before: str, after: str) -> str:
    """A day that was corrected, in the year in which it is near the other: "the 22nd of October, not of August"."""
    first, second = date.fromisoformat(before), date.fromisoformat(after)
    if (first - second).days > _HALF_A_YEAR:
        return f"{first.year - 1}{before[4:]}" if before[5:] != "02-29" else before
    return before


_HALF_A_YEAR: Final = 182


@cache
def _instead(code: str) -> tuple[str, ...]:
    dates = languages.LANGUAGES[code].dates
    return tuple(f" {fold(words)}" for words in (*dates.never, *_FROM[code]))


#: Before the value that was: "raised *from* 1,200 euros to 1,500 euros".
_FROM: Final = {
    "en": ("from",),
    "de": ("von",),
    "fr": ("de",),
    "es": ("de",),
    "pt": ("de",),
    "it": ("da",),
    "nl": ("van",),
}


def _name(reading: SentenceReading, place: int) -> str:
    """The attribute as the sentence calls it."""
    first, phrase = next(reading.lexicon.attributes.within(reading.words, 0, place))
    return reading.slice(first, first + len(phrase.words) - 1)


_BECAUSE: Final = table("because since as porque weil da denn car parce ya perché poiché omdat want pois")
_NO: Final = table("no nope nein nee non não actually")
#: Words before a statement that add nothing to it.
_JOINS: Final = table(
    "also and so fyi please note update und nun et donc alors y pues entonces e então quindi allora en dus"
)
_OPENERS: Final = phrases_of(
    """
    no problem | kein problem | pas de problème | sin problema | sem problema | nessun problema | geen probleem |
    no | nope | nein | nee | non | não | actually | yes | ok | okay | sure | right | well | so | sorry | good news |
    great news | bad news | unfortunately | sadly | i was wrong | ja | gut | also | leider | gute nachrichten |
    schlechte nachrichten | ich lag falsch | oui | bon | bonne nouvelle | malheureusement | je me suis trompé |
    je me suis trompée | sí | vale | bueno | buenas noticias | lamentablemente | me equivoqué | sim | pronto |
    boas notícias | infelizmente | enganei-me | sì | va bene | buone notizie | purtroppo | mi sono sbagliato |
    mi sono sbagliata | goed | goed nieuws | helaas | slecht nieuws | ik had het mis
    """
)
_GREETINGS: Final = table(
    """
    hi hello hey hiya dear morning madame monsieur mesdames messieurs mates team all
    everyone folks hallo liebe lieber moin bonjour salut bonsoir cher chère hola buenas estimado
    estimada querido querida olá oi caro cara prezado prezada ciao buongiorno gentile hoi beste geachte dag
    """
)
#: Words of a greeting: "Dear Mr. Lee".
_GREETED: Final = 4
#: Words of a name that is called: "Mr. Lee, the rent ...".
_CALLED: Final = 2
#: Lead-ins of one sentence: "Madame, Monsieur, pour rappel, ...".
_LEAD_INS: Final = 3
#: Words before a colon that announce a statement: "Reminder to all parents: ...".
_NOTICES: Final = table(
    """
    reminder update change correction note notice info news heads-up fyi hinweis info erinnerung änderung korrektur
    rappel changement rectification recordatorio cambio aviso corrección lembrete mudança alteração correção
    promemoria avviso correzione herinnering wijziging correctie
    """
)
_NOTICED: Final = 5
#: What a statement can stand behind without another word of its own.
_ANNOUNCED: Final = Phrases(
    ((each, "announced") for each in phrases_of(
        """
        please note that | please be advised that | we regret to inform you that | we are writing to let you know that |
        just to let you know that | this is to confirm that | i can confirm that | we can confirm that | sorry but |
        just to say that | quick note that | a reminder that | just a reminder that | this is a reminder that |
        nous vous informons que | je vous informe que | je vous confirme que | nous vous confirmons que |
        je te confirme que | veuillez noter que | sachez que |
        le informamos de que | le informamos que | les informamos de que | os informamos de que | le recordamos que |
        les recordamos que | le confirmamos que | te confirmo que | te recuerdo que | al final | finalmente |
        informamos que | informo que | confirmo que | lembramos que | la informiamo che | vi informiamo che |
        le confermiamo che | ti confermo che | le ricordiamo che | vi ricordiamo che | alla fine | finalement
        """
    )),
    elided=False,
)  # fmt: skip


def _is_denied(reading: SentenceReading) -> bool:
    """Whether its first clause says no: "... starts on the 8th, not the 1st" does not."""
    words = reading.words[_first(reading, len(reading.words)) :]
    negation = reading.lexicon.words.negation
    reason = next((n for n, word in enumerate(words) if n and word in _BECAUSE), len(words))
    words = words[:reason]
    if len(words) > 1 and words[1] == "," and words[0] in _NO:
        words = words[2:]  # "No, the budget is 55k euros."
    end = next((n for n in range(1, len(words)) if words[n] == ","), len(words))
    return not negation.isdisjoint(words[:end]) or (end < 4 and not negation.isdisjoint(words))


def _happening(  # noqa: C901, PLR0911 - one branch a reason
    reading: SentenceReading,
) -> Plain | None:
    """ "The pilot starts on 8 December", "the office closes at 18:00"."""
    lex, words = reading.lexicon, reading.words
    begin = _first(reading, len(words))
    place, phrase = next(lex.happens.within(words, max(1, begin), begin + _LONGEST), (0, None))
    if phrase is None or reading.condition or _is_denied(reading):
        return None
    first = _first(reading, place)
    named = [n for n in range(first, place) if words[n] not in lex.empty or words[n] in lex.words.prepositions]
    while named and (words[named[0]] in lex.empty or words[named[0]] in CLOSING):
        named.pop(0)
    while named and (words[named[-1]] in lex.empty or words[named[-1]] in _AUXILIARIES):
        named.pop()
    plain = range(first, place)
    if not named or len(named) > _SUBJECT or any(
        words[n] in CLOSING or words[n] == "," or words[n] in lex.words.subordinate or words[n] in lex.words.subjects
        for n in plain
    ):  # fmt: skip
        return None
    if words[place - 1] in _ABLE or (len(named) == 1 and words[named[0]] in lex.words.adverbs):
        return None
    start = reading.tokens[place].start
    hit = next((hit for hit in reading.dates if hit.due and hit.start >= start and hit.role != "never"), None)
    if hit is None or hit.due is None or not _is_next(reading, place + len(phrase.words), hit.start):
        return None
    subject = reading.slice(named[0], named[-1])
    if phrases.is_at_once(hit.due) or hit.starts or not _is_subject(reading, subject):
        return None  # "in five minutes"; "in October" names no day
    if _OR.match(fold(reading.text[hit.end :])):
        return None
    alone = _is_any(reading, subject, "start") or _is_somebodys(reading, place, subject)
    if hit.due.time and hit.due.basis == "relative" and hit.due.day == reading.said_on.isoformat():
        return Plain(subject, phrase.kind, hit.due.time, "time", (), alone)
    return Plain(subject, phrase.kind, hit.due.day, "", (), alone)


def _demanded(reading: SentenceReading) -> Plain | None:
    """ "The landlord wants a deposit of 1,200", "wants a deposit of 1,200": what a conversation tells of."""
    lex, words = reading.lexicon, reading.words
    w, verbs = lex.words, _DEMANDS[lex.words.code]
    for place, phrase in lex.attributes.within(words, 1, _LONGEST):
        end = place + len(phrase.words)
        front = [word for word in words[:place] if word not in w.articles and word not in ("for", "nach", "om")]
        if not front or front[-1] not in verbs or phrase.kind in _DATED or words[end : end + 1] not in _OF_VALUE:
            continue
        hedged = not w.hedges.isdisjoint(words) or bool(reading.condition) or _is_denied(reading)
        # "I want", "if they want": a wish of one's own, or no statement.
        if hedged or not {*w.subjects, *w.subordinate}.isdisjoint(front):
            return None
        value = _value(reading, end + 1, phrase.kind)
        if value is None:
            return None
        scope = tuple(sorted(_qualified(reading, value[2])))
        name = reading.slice(place, end - 1)
        return Plain(name, phrase.kind, value[0], value[1], scope, alone=True)
    return None


_DEMANDS: Final = {
    "en": table("wants want asks asked asking requires demands demanded charges charged requested needs"),
    "de": table("will wollen verlangt verlangen fordert fordern möchte möchten verlangte forderte"),
    "fr": table("demande demandent exige exigent veut veulent réclame"),
    "es": table("pide piden quiere quieren exige exigen"),
    "pt": table("pede pedem quer querem exige exigem"),
    "it": table("chiede chiedono vuole vogliono pretende"),
    "nl": table("vraagt vragen wil willen eist eisen"),
}
_OF_VALUE: Final = (("of",), ("von",), ("de",), ("di",), ("van",), ("in",))


def _is_somebodys(reading: SentenceReading, place: int, name: str) -> bool:
    """ "My phone", "her term": whose it is, only its conversation tells; "our Falcon budget" has a name."""
    code = reading.lexicon.words.code
    if _OWNED[code].isdisjoint(reading.words[:place]):
        return False
    if code == "de":
        return not any(_is_german_name(reading, word) for word in name.split())
    return not any(letter.isupper() for letter in name)


def _is_any(reading: SentenceReading, name: str, attribute: str) -> bool:
    """ "The meeting", "a launch": which one, only its conversation tells."""
    words = fold(name).split()
    indefinite = reading.words[0] in INDEFINITE[reading.lexicon.words.code] and len(words) < 3
    everyday = _EVERYDAY[reading.lexicon.words.code] if attribute in _DATED else frozenset()
    return indefinite or all(word in everyday or word in _VAGUE for word in words)


INDEFINITE: Final = {
    "en": table("a an any another"),
    "de": table("ein eine"),
    "fr": table("un une"),
    "es": table("un una"),
    "pt": table("um uma"),
    "it": table("un uno una"),
    "nl": table("een"),
}


def _is_german_name(reading: SentenceReading, word: str) -> bool:
    """Whether a word with a capital letter is more than a common noun: "Falcon", "Falcon-Pilot"; German writes both."""
    w, folded = reading.lexicon.words, fold(word)
    common = w.attributes.keys() | w.counted.keys() | w.idle | w.help | _EVERYDAY["de"] | _GERMAN_NOUNS
    return word[:1].isupper() and folded not in common and ("-" in word or not folded.endswith(_NOUN_ENDINGS))


_OWNED: Final = {
    "en": table("my our your his her their"),
    "de": table(
        """
        mein meine meiner meinem meinen meines unser unsere unserer unserem unseren unseres dein deine deiner deinem
        deinen deines euer eure eurer eurem euren eures ihr ihre ihrer ihrem ihren ihres sein seine seiner seinem
        seinen seines
        """
    ),
    "fr": table("mon ma mes notre nos ton ta tes votre vos son sa ses leur leurs"),
    "es": table("mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra vuestros vuestras"),
    "pt": table("meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos nossas"),
    "it": table(
        """
        mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri vostre loro
        """
    ),
    "nl": table("mijn ons onze jouw je jullie uw zijn haar hun"),
}
#: What everybody has one of, so that two conversations speak of two.
_EVERYDAY: Final = {
    "en": table(
        """
        meeting meetings call conference class session event course game party show office store shop door window
        program lunch dinner breakfast reception flight train bus shift term comments registration review interview
        appointment training workshop webinar presentation demo payment school
        """
    ),
    "de": table(
        "besprechung treffen meeting event termin kurs feier party show programm büro laden shop tür bus zug flug "
        "schicht schule anmeldung schulung workshop vorstellung zahlung empfang"
    ),
    "fr": table(
        "réunion meeting session programme appel cours fête bureau magasin porte bus train vol école inscription "
        "formation atelier présentation paiement rendez-vous entretien"
    ),
    "es": table(
        "reunión sesión programa llamada clase curso fiesta oficina tienda puerta bus tren vuelo escuela inscripción "
        "formación taller presentación pago cita entrevista"
    ),
    "pt": table(
        "reunião sessão programa chamada aula curso festa escritório loja porta comboio voo escola inscrição formação "
        "apresentação pagamento entrevista"
    ),
    "it": table(
        "riunione sessione programma chiamata lezione corso festa ufficio negozio porta bus treno volo scuola "
        "iscrizione formazione presentazione pagamento appuntamento colloquio"
    ),
    "nl": table(
        "vergadering meeting event programma les cursus feest kantoor winkel deur bus trein vlucht school inschrijving "
        "training presentatie betaling afspraak"
    ),
}
#: German common nouns of what people have and the other tables have not.
_GERMAN_NOUNS: Final = table(
    """
    urlaub umzug vertrag mietvertrag arbeitsvertrag amtszeit probezeit elternzeit arbeitszeit gehalt praktikum studium
    semester handy telefon telefonnummer handynummer projekt start team
    """
)
#: How German common nouns end.
_NOUN_ENDINGS: Final = ("ung", "heit", "keit", "schaft", "tion", "tät", "nis")
#: Before a verb that tells what somebody may do, and not what happens: "you can start in ten minutes".
_ABLE: Final = frozenset({"can", "could", "may", "might", "should", "to", "please", "let"})


def _is_next(reading: SentenceReading, place: int, date_start: int) -> bool:
    """Whether only small words stand between the verb and the date: not "the start time of the match on Friday"."""
    w = reading.lexicon.words
    small = w.prepositions | w.adverbs | w.articles | frozenset(word for text in w.dates.on for word in text.split())
    small |= frozenset(word for text in (*w.dates.by, *w.dates.at) for word in text.split())
    between = [n for n in range(place, len(reading.words)) if reading.tokens[n].start < date_start]
    return all(reading.words[n] in small or n in reading.dated for n in between)


def _event(
    reading: SentenceReading, place: int, after: int, phrase: Phrase
) -> tuple[str, str, tuple[tuple[str, str], ...]] | None:
    """ "The Winter Gala has been moved to 19 December": an event without a name of what the day is for."""
    lex, words = reading.lexicon, reading.words
    # "El estreno es el 5 de diciembre": in English "is on" says so.
    if phrase.kind not in ("moved", "moving") and lex.words.code not in ("fr", "es", "pt", "it"):
        return None
    first, until = _named(reading, place)
    while first < until and words[first] in lex.words.adverbs:
        first += 1
    while first < until and words[first] in lex.words.articles:
        first += 1
    plain = range(first, until)
    is_named = any(reading.capital(n) for n in plain)
    if not 0 < len(plain) <= _SUBJECT or not (is_named or _is_definite(reading, first, until)) or any(
        words[n] in CLOSING or words[n] == "," or words[n] in lex.words.subordinate or words[n] in lex.words.subjects
        or n in reading.dated or words[n] in _AUXILIARIES for n in plain
    ):  # fmt: skip
        return None
    start = reading.tokens[after - 1].end
    hit = next((hit for hit in reading.dates if hit.due and hit.start >= start and hit.role != "never"), None)
    if hit is None or not _is_next(reading, after, hit.start):
        return None
    return reading.slice(first, until - 1), "date", ()


def _is_definite(reading: SentenceReading, first: int, until: int) -> bool:
    """ "The school fair", "your dental appointment": one certain event, although without a name."""
    lex, words = reading.lexicon, reading.words
    w = lex.words
    if first == 0 or words[first - 1] not in w.articles | _OWNED[w.code] or words[first - 1] in INDEFINITE[w.code]:
        return False
    return not any(words[n] in w.adverbs or words[n][0].isdigit() for n in range(first, until)) and (
        _REPEATED.isdisjoint(words[first:until])
    )


#: Events of which there are many in one conversation, so that another day need not be another day of the same.
_REPEATED: Final = table(
    """
    shift shifts lesson lessons class classes training practice session sessions match game next first second last
    other day days week
    """
)


def _copula(reading: SentenceReading) -> tuple[int, int, Phrase | None]:
    """(its first word, the one behind it, the phrase)."""
    moving = _moving(reading)
    if moving[2]:
        return moving
    if not reading.lexicon.copula.anywhere(reading):
        return 0, 0, None
    from_to = _moved_from(reading)
    if from_to[2]:
        return from_to
    first = _first(reading, len(reading.words))
    for place, phrase in reading.lexicon.copula.within(reading.words, max(1, first), first + _LONGEST + 2):
        return place, place + len(phrase.words), phrase
    return 0, 0, None


def _moving(reading: SentenceReading) -> tuple[int, int, Phrase | None]:
    """ "We've moved the launch to 3 February": its "to"."""
    lex, words = reading.lexicon, reading.words
    begin, phrase = _mover(reading)
    if phrase is None or (lex.words.moved_ends and lex.words.moved_ends.isdisjoint(words)):
        return 0, 0, None
    to = lex.words.moved_to
    if not any(word.startswith(("resched", "postpon")) for word in phrase.words):
        to = to - {"for"}  # "The quay was cut 12 for the 1st"
    until = next((n for n in range(len(words) - 1, begin, -1) if words[n] in to), 0)
    return (until, until + 1, phrase) if until else (0, 0, None)


def _mover(reading: SentenceReading) -> tuple[int, Phrase | None]:
    """ "We've moved", "the board has cut": where what is moved begins, and the phrase."""
    lex, words = reading.lexicon, reading.words
    first = _first(reading, len(words))
    for place, phrase in lex.moving.within(words, first, first + _CHANGER + 1):
        begin = place + len(phrase.words)
        # "The launch moved to May": nothing stands between.
        if begin < len(words) and words[begin] not in lex.words.moved_to and words[begin] not in _from(lex.words.code):
            return begin, phrase
    return first, None


@cache
def _from(code: str) -> frozenset[str]:
    return frozenset(fold(words) for words in _FROM[code])


def _named(reading: SentenceReading, place: int) -> tuple[int, int]:
    """Where the name of what has a value begins, and where it ends: before "from 48k"."""
    words = reading.words
    begin, phrase = _mover(reading)
    first = begin if phrase and phrase.kind == "moving" and begin < place else _first(reading, place)
    last = next(
        (n for n in range(place - 1, first, -1) if words[n] in _from(reading.lexicon.words.code)
         and n + 1 < place and all(_is_of_value(reading, each) for each in range(n + 1, place))),
        place,
    )  # fmt: skip
    return first, last


def _moved_from(reading: SentenceReading) -> tuple[int, int, Phrase | None]:
    """ "Moved from 20 January to 3 February": "moved to", with the day before inside."""
    words = reading.words
    first = _first(reading, len(words))
    for place in range(max(1, first), min(len(words), first + _LONGEST)):
        for phrase in reading.lexicon.copula.first.get(words[place], ()):
            *verb, last = phrase.words
            inside = place + len(verb)
            if phrase.kind != "moved" or not verb or words[place:inside] != tuple(verb):
                continue
            if inside < len(words) and words[inside] in reading.lexicon.words.moved_to:
                continue  # "est reportée au 15 décembre à 18h"
            until = next((n for n in range(inside, min(inside + 8, len(words))) if words[n] == last), 0)
            if until > inside and all(_is_of_value(reading, n) for n in range(inside, until)):
                return place, until + 1, phrase
    return 0, 0, None


def _is_of_value(reading: SentenceReading, place: int) -> bool:
    """Whether a word may stand in "from 20 January" or "from 1,200 euros"."""
    w, word = reading.lexicon.words, reading.words[place]
    amount = word[0].isdigit() or word in w.currencies or word in w.scales or not word[0].isalnum()
    return amount or place in reading.dated or word in reading.lexicon.empty


def _first(reading: SentenceReading, place: int) -> int:
    """Where the statement begins: behind a lead-in such as "for the record,"."""
    words = reading.words
    first = 0
    while first < place and (
        words[first] == "," or words[first] in CLOSING or (first + 1 < place and words[first] in _JOINS)
    ):
        first += 1
    for _ in range(_LEAD_INS):
        end = next((n for n in range(first, place) if words[n] in (",", ":")), first)
        if end > first and _is_lead_in(reading, first, end):
            first = end + 1
    phrase = _ANNOUNCED.at(words, first) if first < place else None
    return first + len(phrase.words) if phrase and first + len(phrase.words) < place else first


def _is_lead_in(reading: SentenceReading, first: int, end: int) -> bool:
    """Whether the words before a comma or colon only greet, call somebody or announce the statement."""
    lex, words = reading.lexicon, reading.words
    if words[first] in _GREETINGS and end - first <= _GREETED:
        return True
    if lex.lead_ins.at_length(words, first, end - first) or " ".join(words[first:end]) in _OPENERS:
        return True
    if words[end] == ":":
        return end - first <= _NOTICED and not _NOTICES.isdisjoint(words[first:end])
    # "Rui, a renda ...": a name, and then the subject. "In Berlin, the rent ..." narrows what is said.
    w = lex.words
    small = {*w.subjects, *w.subordinate, *w.prepositions, *w.negation, *w.articles, *w.dates.weekdays}
    is_called = end - first <= _CALLED and small.isdisjoint(words[first:end]) and (first not in reading.dated)
    return is_called and not any(map(str.isdigit, reading.slice(first, end - 1))) and (
        end + 1 < len(words) and (words[end + 1] in w.articles or words[end + 1] in _OWNED[w.code])
    )  # fmt: skip


def _left(reading: SentenceReading, place: int) -> tuple[str, str, tuple[tuple[str, str], ...]] | None:
    """(subject, attribute, scope) of the words before "is"."""
    lex, words = reading.lexicon, reading.words
    first, place = _named(reading, place)
    bases = _bases(reading, first, place)
    if any(
        words[n] in CLOSING or words[n] == "," or words[n] in lex.words.subordinate or words[n] in lex.words.subjects
        for n in range(first, place)
        if n not in bases
    ):
        return None
    hits = list(lex.attributes.within(words, first, place))
    if not hits:
        return _compound(reading, first, place, bases)
    at, phrase = _attribute(reading, hits)
    periods = _periods(reading, first, place)
    rest = [
        n for n in range(first, place) if not at <= n < at + len(phrase.words) and n not in periods and n not in bases
    ]
    scope = _scope(periods, bases)
    months = tuple(
        ("period", str(lex.words.dates.months[words[n]]))
        for n in rest
        if words[n] in lex.words.dates.months and reading.capital(n)
    )
    named = [n for n in rest if not (words[n] in lex.words.dates.months and reading.capital(n))]
    # "Please notice the deadline is ..."
    kept = [n for n in named if words[n] not in lex.empty and words[n][0].isalnum() and words[n] not in _NOTING]
    while kept and words[kept[-1]] in _AUXILIARIES:
        kept.pop()
    if any(words[n] in _AUXILIARIES for n in kept):
        return None
    if not kept:
        alone = words[at] if phrase.kind in _DATED and len(phrase.words) == 1 else ""
        return alone, phrase.kind, tuple(sorted({*scope, *months}))
    if not any(reading.capital(n) for n in kept) and len(kept) > 3:
        return None
    is_around = phrase.kind == "date" and kept[0] < at < kept[-1]  # "plan meeting with Stan"
    subject = reading.slice(kept[0], kept[-1]) if is_around else _joined(reading, named, kept)
    if phrase.kind == "date" and not is_around and words[at] not in ("date", "datum", "data", "fecha", "termin"):
        subject = f"{subject} {reading.slice(at, at)}"
    return subject, phrase.kind, tuple(sorted({*scope, *months}))


def _joined(reading: SentenceReading, named: Sequence[int], kept: Sequence[int]) -> str:
    """The words of a subject without small ones; all of a longer one, or of one with a verb: "applying to fill it"."""
    small = (reading.lexicon.words.articles | reading.lexicon.words.prepositions) - {"to"}
    left_out = [reading.words[n] for n in named if kept[0] < n < kept[-1] and n not in kept]
    if left_out and (len(kept) > _SUBJECT_WORDS or not small.issuperset(left_out)):
        return reading.slice(kept[0], kept[-1])
    return " ".join(reading.slice(n, n).removesuffix("'s").removesuffix("\u2019s") for n in kept)


#: Words of a subject that is understood also without its small words: "launch Kestrel".
_SUBJECT_WORDS: Final = 2


def _attribute(reading: SentenceReading, hits: Sequence[tuple[int, Phrase]]) -> tuple[int, Phrase]:
    """Which of the attributes named is stated: the head of the phrase, "budget" of "launch budget for the wedding"."""
    lex = reading.lexicon
    if lex.words.code not in ("en", "de", "nl"):
        return min(hits, key=lambda hit: (-len(hit[1].words), hit[0]))
    ends = [place + len(phrase.words) for place, phrase in hits]
    hits = [hit for n, hit in enumerate(hits) if not n or hit[0] >= ends[n - 1]]  # "due date" is no "date"
    prepositions = (n for n in range(hits[0][0], hits[-1][0]) if reading.words[n] in lex.words.prepositions)
    end = next((n for n in prepositions if n >= hits[0][0] + len(hits[0][1].words)), len(reading.words))
    return [hit for hit in hits if hit[0] < end][-1]


def _periods(reading: SentenceReading, first: int, place: int) -> dict[int, str]:
    """Each word between two places that names a period -> the period: "Q1", "2027", "das zweite Quartal"."""
    spans = mentions.named_periods(fold(reading.text[: reading.tokens[place].start]))
    return {
        n: next((span.name for span in spans if span.start <= token.start < span.end), token.word)
        for n, token in enumerate(reading.tokens[first:place], first)
        if _PERIOD.match(token.word) or any(span.start <= token.start < span.end for span in spans)
    }


def _bases(reading: SentenceReading, first: int, place: int) -> dict[int, str]:
    """Each word between two places that says with or without a tax -> these words: "sin IVA", "inkl. MwSt."."""
    begin, end = reading.tokens[first].start, reading.tokens[place].start
    spans = [
        (begin + match.start(), begin + match.end(), match["basis"].rstrip("."))
        for match in _BESIDE.finditer(fold(reading.text[begin:end]))
    ]
    return {
        n: basis
        for n, token in enumerate(reading.tokens[first:place], first)
        for start, until, basis in spans
        if start <= token.start < until
    }


def _scope(periods: dict[int, str], bases: dict[int, str]) -> tuple[tuple[str, str], ...]:
    named = {*(("period", period) for period in periods.values()), *(("basis", basis) for basis in bases.values())}
    return tuple(sorted(named))


def _compound(
    reading: SentenceReading, first: int, place: int, bases: dict[int, str]
) -> tuple[str, str, tuple[tuple[str, str], ...]] | None:
    """ "Das Falcon-Budget f\u00fcr Q1"."""
    attributes = reading.lexicon.words.attributes
    for n in range(first, place):
        name, sign, last = reading.words[n].rpartition("-")
        if sign and last in attributes:
            scope = _scope(_periods(reading, first, place), bases)
            return reading.slice(n, n)[: len(name)], attributes[last], scope
    return None


#: Where a question begins whose mark was forgotten: "Could we postpone the review to Friday."
_ASKING: Final = table("could can would should shall könnten könntest können pourrions pourrait podemos podríamos")
#: In front of or behind a statement: its author only believes it, rounds it, or has it from somebody else.
_BELIEVED: Final = (
    r"(?:i (?:think|guess|believe|suppose|heard?)|if i remember (?:right|correctly|well)|as far as i (?:know|remember)"
    r"|or so|or thereabouts|more or less|give or take|apparently|supposedly|allegedly"
    r"|(?:glaube|denke|meine|schätze|vermute) ich|nehme ich an|ich (?:glaube|denke|vermute|schätze)"
    r"|so(?:viel|weit) ich weiß|oder so|angeblich|anscheinend"
    r"|je (?:crois|pense|suppose)|il me semble|à peu près|paraît-il|apparemment"
    r"|sauf erreur|(?:yo )?(?:creo|pienso|supongo)(?: yo)?|me parece|o así|más o menos|al parecer|por lo visto"
    r"|(?:io )?(?:credo|penso|suppongo)|mi (?:pare|sembra)|o giù di lì|più o meno|a quanto pare"
    r"|(?:eu )?(?:acho|creio|penso|suponho)(?: eu)?|parece-me|mais ou menos|ou assim|pelos vistos|aparentemente"
    r"|(?:denk|geloof|meen|dacht|gok) ik|ik (?:denk|geloof|meen|gok)|of zo|naar het schijnt|schijnbaar)"
)
_HEDGED: Final = re.compile(
    rf"^\W*{_BELIEVED}\b|\b{_BELIEVED}\s*(?:[.!,;)\u2026]|\Z)"
    r"|(?:^\W*|[,(]\s*)(?:according to|laut|nach angaben von|selon|d'après|según|segun|de acordo com|volgens|stando a"
    r"|(?:segundo|secondo)(?: [oail]{1,2})?(?= (?-i:[A-Z])))\s"
    r"|\b(?:according to|laut|selon|según|volgens) (?-i:[A-Z])",
    re.IGNORECASE,
)
#: Before a value: it is a bound of what is meant, or near it, and not the value.
_BOUNDS: Final = table(
    """
    about around roughly approximately approx circa nearly almost some etwa rund ungefähr zirka ca knapp gut fast
    environ autour près presque unos unas aproximadamente alrededor casi cerca quase intorno quasi ongeveer rond bijna
    under below over above between unter über zwischen mindestens höchstens maximal sous entre moins plus bajo menos
    más sotto sopra tra fra meno più onder boven tussen hoogstens minstens abaixo acima mais less more
    """
)
#: Before how much a value has changed: "reduced by 245".
_CHANGED_BY: Final = table("by um met")
#: Before the value that was: "increased from 920".
_THEN: Final = table("from van")
#: Behind a value: of how much it is the value. A month is what rents and fees are counted by.
_PER: Final = re.compile(
    r"\W{0,2}(?P<per>(?:(?:per|each|every|pro|par|por)\s|/\s?)(?!month|monat|mois|m[e\u00ea]s\b|mese|maand"
    r"|mo\b)[^\W\d_]+"
    r"|(?:a|an|im|je|al|all'|l'|\u00e0 l'|\u00e0 la|ao|op)\s?"
    r"(?:year|week|day|hour|quarter|person|head|night|piece|jahr|woche|tag|stunde|quartal|kopf|nacht|st\u00fcck"
    r"|an|semaine|jour|heure|trimestre|personne|t\u00eate|nuit|pi\u00e8ce|a\u00f1o|semana|d\u00eda|hora|persona|noche"
    r"|anno|settimana|giorno|ora|notte|ano|dia|pessoa|noite|jaar|week|dag|uur|kwartaal|persoon)"
    r"|each|apiece|yearly|annually|weekly|daily|j\u00e4hrlich|w\u00f6chentlich|t\u00e4glich|annuel|anual|annuo"
    r"|jaarlijks)\b"
)
_TAX: Final = r"(?:vat|tax(?:es)?|mwst|ust|mehrwertsteuer|umsatzsteuer|tva|iva|btw)\b\.?"
#: Beside an attribute or behind an amount: with or without a tax.
_TAXED: Final = (
    r"(?:nets?|gross|nett[oiea]|brutto|brutos?|bruts?|netos?|lord[oi]|l[ií]quidos?|ht|ttc|hors taxes?"
    r"|(?:with|without|plus|before|after|mit|ohne|avec|sans|hors|con|sin|más|com|sem|mais|senza|più|met|zonder"
    rf"|in[ck]l\w*\.?|ex(?:[ck]l\w*\.?)?|zzgl\.?|zuzüglich) (?:the |der |la |l'|o |de )?{_TAX}"
    rf"|{_TAX} (?:in(?:cl|kl|begr)\w*|e[sx][ck]l\w*|comprise|aparte))(?!\w)"
)
_BESIDE: Final = re.compile(rf"(?<![\w'-])\(?(?P<basis>{_TAXED})(?!-)\)?")
_PLUS_TAX: Final = re.compile(rf"(?:plus|más|mais|più) (?:the |la |l'|o )?{_TAX}")
#: Behind an amount: with or without a tax, or what else comes with a rent.
_BASIS: Final = re.compile(
    rf"\W{{0,2}}(?P<basis>{_TAXED}|(?:cold|warm|kalt|(?:bills|utilities) included"
    r"|(?:with|without|plus|incl\w*\.?|excl\w*\.?) (?:bills|utilities|service|servicekosten)"
    r"|(?:inkl|zzgl|exkl|plus)\w*\.? (?:nk|nebenkosten)|hors charges|charges comprises|gastos (?:incluidos|aparte)"
    r"|spese (?:incluse|escluse)|despesas incluídas)\b)"
)


#: Prepositions behind an amount that narrow what it holds for, with words that narrow nothing: "for the moment". Others
#: narrow only with a day or a month: "on weekends", and not "in the paper that the board has".
_NARROWING: Final = table("for with without für mit ohne pour avec sans para con sin com sem per senza voor met zonder")
_FOR: Final = table("for für pour para per voor on")
_AT_LARGE: Final = phrases_of(
    """
    moment | now | present | today | all | month | jetzt | heute | monat | maintenant | mois | ahora | mes | agora |
    mês | ora | mese | nu | maand
    """
)
_DAYS: Final = table(
    """
    weekday weekend season werktag werktagen wochenende wochenenden saison semaine week-end temporada época stagione
    settimana semana seizoen werkdagen weekends
    """
)


def _is_of_days(what: Sequence[str], w: languages.Words) -> bool:
    return any(word.removesuffix("s") in w.dates.weekdays or word.removesuffix("s") in _DAYS for word in what)


_YEAR: Final = re.compile(r"\s(?:(?:in|en|em|im|nel|for|f\u00fcr|pour|para|per|voor) )?(?P<period>20\d\d)\b")


def _qualified(reading: SentenceReading, end: int) -> Iterator[tuple[str, str]]:
    """What a value is counted by or holds for, as it was said: "a year", "per person", "netto", "for children"."""
    w = reading.lexicon.words
    folded = fold(reading.text[end:])
    for hit in reading.dates:
        between = reading.text[end : hit.start]
        if hit.due and hit.start >= end and len(between.split()) <= 2 and not any(sign in between for sign in ",.;:("):
            yield "day", hit.due.day  # "200 euros until 30 November"
            return
    while match := _PER.match(folded) or _BASIS.match(folded) or _YEAR.match(folded):
        yield from ((name, text.rstrip(".")) for name, text in match.groupdict().items() if text)
        folded = folded[match.end() :]
    if period := _period(folded):
        yield "period", period.name
    elif (match := _NARROWED.match(folded)) and match["preposition"] in w.prepositions:
        what = [word for word in match["for"].split() if word not in w.articles]
        if len(what) == 1 and what[0] in w.dates.months:
            yield "period", str(w.dates.months[what[0]])
        elif what and (match["preposition"] in _NARROWING or _is_of_days(what[:3], w)):
            kept = what if match["preposition"] in _FOR else [match["preposition"], *what]
            yield from (("for", " ".join(kept)) for text in (" ".join(what),) if text not in _AT_LARGE)


#: "240 euros for children", "120 euros on weekdays".
_NARROWED: Final = re.compile(r"\s(?P<preposition>[^\W\d]+)\s(?P<for>[^.,;:()!?]+)")


def _period(folded: str) -> mentions.NamedPeriod | None:
    """The period that stands right here, behind a small word or two: "for Q1", "f\u00fcr das zweite Quartal"."""
    period = next(iter(mentions.named_periods(folded)), None)
    between = re.findall(r"\w+", folded[: period.start]) if period else []
    clean = not any(sign in folded[: period.start] for sign in ",.;:") if period else False
    return period if period and clean and len(between) <= 2 and all(len(word) <= 4 for word in between) else None


def _value(reading: SentenceReading, after: int, attribute: str) -> tuple[str, str, int] | None:
    """(value, unit, where the value ends) of what stands next to the copula."""
    lex, words = reading.lexicon, reading.words
    place = after
    while place < len(words) and (
        words[place] in lex.words.articles | lex.words.prepositions | lex.words.adverbs | _BOUNDS | {":"}
    ):
        place += 1
    if place >= len(words):
        return None
    begin = reading.tokens[after].start
    start = reading.tokens[place].start
    if not _BOUNDS.isdisjoint(words[after:place]) or words[after] in _CHANGED_BY or words[after] in _THEN:
        return None
    if attribute in _TEXTUAL:
        text = _textual(reading, start, attribute)
        return (*text, len(reading.text)) if text else None
    return _day(reading, begin, start) if attribute in _DATED else _number(reading, begin, start, attribute)


def _day(reading: SentenceReading, begin: int, start: int) -> tuple[str, str, int] | None:
    hit = next(
        (
            each
            for each in reading.dates
            if each.due and begin <= each.start <= start < each.end and each.role != "never"
        ),
        None,
    )
    if hit is None or hit.due is None or _HOUR.fullmatch(reading.text[hit.start : hit.end]):
        return None
    if hit.elsewhere:
        return None  # "Moved to 11:00 (CDT)"
    if STRETCH.match(reading.text, hit.end) or _OR.match(fold(reading.text[hit.end :])):
        return None
    return hit.due.day, "", len(reading.text)


def _number(reading: SentenceReading, begin: int, start: int, attribute: str) -> tuple[str, str, int] | None:
    code = reading.lexicon.words.code
    for value in values.find(reading.text, code, reading.region):
        if begin <= value.start <= start < value.end and not _continues(reading, value.end):
            return value.number, "" if attribute in _COUNTED and value.unit in _HEADS else value.unit, value.end
    if attribute in _MONEY:
        return _plain_amount(reading, start)
    match = _BARE_NUMBER.match(reading.text, start) if attribute in _COUNTED else None
    number = values.number(match[0], code) if match and not _continues(reading, match.end()) else None
    whole = match and number is not None and number == number.to_integral()
    return (str(int(number)), "", match.end()) if match and whole and number is not None else None


def _plain_amount(reading: SentenceReading, start: int) -> tuple[str, str, int] | None:
    """ "62,000": an amount without its currency."""
    match = _GROUPED.match(reading.text, start)
    number = values.number(match[0], reading.lexicon.words.code) if match else None
    if match is None or number is None or number < _THOUSAND or _continues(reading, match.end()):
        return None
    return str(number), "", match.end()


#: What is an amount also without its currency, if the number is written like one: "the budget is 62,000".
_MONEY: Final = table("budget price cost fee rent deposit salary offer total revenue")
_GROUPED: Final = re.compile(r"\d{1,3}(?:[.,'\u2019\u00a0]\d{3})+(?![\w%]|[.,:/-]\d|\s?(?:k|m)\b)")
_THOUSAND: Final = 1000


def _continues(reading: SentenceReading, end: int) -> bool:
    """Whether the value is a part of a range or a comparison: "40k euros more than", "10 to 20 seats"."""
    if reading.text[end : end + 1].isalpha():
        return True  # "$2.5B"
    rest = fold(reading.text[end:]).lstrip()
    return not _PLUS_TAX.match(rest) and bool(
        re.match(
            r"(?:more|less|over|under|above|below|too|higher|lower|to \d|-\s?\d|\u2013|mehr|weniger"
            r"|plus|moins|m\u00e1s|menos|mais|pi\u00f9|meno|meer|minder)",
            rest,
        )
    )


#: Behind a day that only begins a stretch: "6/1 - 9/30".
STRETCH: Final = re.compile(r"\s?[-\u2013]\s?\d{1,2}[/.]\d")
#: Behind a day that is one of two: "Wednesday/Thursday", "Wed (4/19) or Thurs".
_OR: Final = re.compile(r"(?:\s?\([\d/.]+\))?(?:\s?/\s?[^\W\d_]|,?\s(?:or|oder|ou|o|of)\s)")
#: A time alone is no day: "moved up to 1:00".
_HOUR: Final = re.compile(
    r"\W*(?:at|um|à|a las|às|alle|om)?\s*\d{1,2}(?:[:.h]\d\d)?\s*(?:[ap]\.?m\.?|uhr|h|uur)?\W*", re.I
)
_BARE_NUMBER: Final = re.compile(r"\d{1,3}(?:[.,\u2019]\d{3})+(?![\w,.]\d)|\d+(?![\w:/%)]|[.,]\d)")


def _textual(reading: SentenceReading, start: int, attribute: str) -> tuple[str, str] | None:
    rest = reading.text[start:]
    if attribute == "email":
        match = _MAIL.match(rest)
        return (match[0].lower().rstrip("."), "") if match else None
    if attribute == "version":
        match = re.match(r"v?(\d+(?:\.\d+)*)", rest)
        return (match[1], "") if match else None
    match = values.PHONE.match(rest)
    return (re.sub(r"[^\d+]", "", match[0]), "") if match and values.is_phone(match[0]) else None
