"""Records as utterances: who says what to whom, when, and in which kind of text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import manifests
import renderers
from consumer.reports.citations import normalize
from consumer.understanding import reader, reading, recorded
from consumer.understanding.reading import headerdates, mailtext
from consumer.understanding.reading.language import language
from consumer.understanding.reading.sentences import sentences
from consumer.understanding.utterances import COMMITTING, ME, THEM, UNKNOWN, Person, Utterance
from renderers.base import Item, RenderContext
from tests.tables import table

ENTRIES = {entry.source_key: entry for entry in manifests.export_manifest().sources}
ZONE = "America/New_York"
AT = "2026-11-27T14:03:00.000000Z"
BOB = Person("Bob Lee", "bob@x.example")


def item(source: str, data: dict[str, Any], at: str = AT, zone: str = ZONE) -> Item:
    record = {
        "source_key": source,
        "record_id": "r1",
        "occurred_at": at,
        "updated_at": AT,
        "data": data,
        "checksum": "sha256:0",
    }
    return renderers.item(record, ENTRIES[source], zone)


def utterances(source: str, data: dict[str, Any]) -> tuple[Utterance, ...]:
    return reading.read(item(source, data), ZONE).utterances


def mail(text: str, **columns: Any) -> tuple[Utterance, ...]:
    sender = {"channel": "email", "sender_name": "Bob Lee", "sender_address": "Bob@X.example"}
    return utterances("inbound_messages", {**sender, "normalized_text": text, **columns})


def of_kind(utterances: tuple[Utterance, ...], *kinds: str) -> list[str]:
    return [utterance.text for utterance in utterances if utterance.kind in kinds]


def committing(utterances: tuple[Utterance, ...]) -> list[str]:
    return of_kind(utterances, *COMMITTING)


def test_mail_belongs_to_its_sender_and_is_told_to_the_user() -> None:
    (utterance,) = mail("I will send it.")
    assert utterance == Utterance(0, BOB, (ME,), "2026-11-27 09:03 -05:00", "written", "I will send it.", "en")
    assert utterance.day == "2026-11-27"


def test_sent_mail_is_the_users() -> None:
    data = {"recipient_name": "Bob Lee", "recipient_address": "bob@x.example", "status": "sent", "sent_at": AT}
    (utterance,) = utterances(
        "outbound_messages", {**data, "body_text": "I will send you the signed contract by Friday."}
    )
    assert (utterance.author, utterance.addressees, utterance.kind) == (ME, (BOB,), "written")


#: What no reply-to, list header or form of a person has.
MACHINES: list[dict[str, Any]] = [
    {"sender_address": "no-reply@shop.example", "normalized_text": "Please review our updated privacy policy."},
    {"sender_address": "donotreply@bank.example", "normalized_text": "I will never ask for your password."},
    {"sender_address": "notifications@github.com", "normalized_text": "I will fix the build by Friday."},
    {"sender_address": "MAILER-DAEMON@mx.example", "normalized_text": "Your message could not be delivered."},
    {"sender_address": "newsletter@news.example", "normalized_text": "We will send you a free mug."},
    {"parse_result": {"headers": {"List-Unsubscribe": "<https://u.example>"}}, "normalized_text": "We will call you."},
    {"parse_result": {"headers": [{"name": "Precedence", "value": "bulk"}]}, "normalized_text": "I will call you."},
    *(
        {"sender_address": f"{local}@shop.example", "normalized_text": "We will send you the parcel."}
        for local in (
            "versandbestaetigung",
            "order-confirmation",
            "orderreply",
            "reports",
            "notificaciones",
            "conferme",
            "jira",
            "gitlab",
            "dse_na4",
        )
    ),
    {"parse_result": {"auto_submitted": "auto-replied"}, "normalized_text": "I will answer on Monday."},
    {"parse_result": {"category": "newsletter"}, "normalized_text": "I will tell you more."},
    {"parse_result": {"labels": ["INBOX", "CATEGORY_PROMOTIONS"]}, "normalized_text": "We will send you a mug."},
    {"parse_result": {"subject": "Automatic reply: deck"}, "normalized_text": "I will be back on Monday."},
    {"parse_result": {"subject": "Accepted: Budget @ Fri Nov 27, 2026 9am"}, "normalized_text": "Bob will be there."},
    {"normalized_text": "Order now and we will send you a free mug.\n\nUnsubscribe | View in browser\n© Shop Inc."},
    {"normalized_text": "Your order 123 has shipped. We will tell you when it arrives."},
    {"normalized_text": "I am out of the office until Monday with limited access to email. I will answer then."},
    {"normalized_text": "Vielen Dank für Ihre Nachricht. Ich bin bis 3.12. nicht im Büro."},
    {"normalized_text": "Je suis actuellement absent. En cas d'urgence, écrivez à Marie."},
    {"normalized_text": "Abwesenheitsnotiz: Ich bin bis Montag nicht im Büro und melde mich danach."},
    {"normalized_text": "Risposta automatica: sono fuori ufficio fino a lunedì."},
    {"sender_address": "tickets@noreply.train.example", "normalized_text": "We will send you your ticket by Friday."},
    {"normalized_text": "Estoy fuera de la oficina. En caso de urgencia escriba a Ana."},
    {"normalized_text": "Estou de férias. Responderei quando regressar. Em caso de urgência ligue para a Ana."},
    {"normalized_text": "Sono fuori ufficio. Risponderò al mio rientro."},
    {"normalized_text": "Ik ben afwezig tot maandag. In dringende gevallen kunt u Jan bellen."},
    {"normalized_text": "Rate our app and we will send you a mug.\nYou are getting this e-mail because you signed up."},
    {"normalized_text": "Wir schicken Ihnen eine Tasse. Sie erhalten diese Mail, weil Sie Kunde sind."},
    {"normalized_text": "Nous vous enverrons une tasse. Vous recevez cet e-mail car vous êtes client."},
    {"normalized_text": "Te enviaremos una taza. Recibes este correo porque eres cliente."},
    {"normalized_text": "Enviaremos uma caneca. Recebeu este e-mail porque é cliente."},
    {"normalized_text": "Ti manderemo una tazza. Ricevi questa e-mail perché sei cliente."},
    {"normalized_text": "We sturen je een mok. Je ontvangt deze mail omdat je klant bent."},
    {"normalized_text": "Tack för ditt mejl. Jag är på semester till måndag."},
    {"normalized_text": "[Ticket #4411] We have received your request and will answer by Friday."},
    {"normalized_text": "Click here to join. You will receive a mail from us. Our members get a discount."},
    *(
        {"normalized_text": f"{body}\n\n{footer}"}
        for body, footer in (
            ("Liebe Mitglieder, bitte schickt uns die Fotos bis Montag.", "Newsletter abbestellen"),
            ("Liebe Mitglieder, bitte schickt uns die Fotos bis Montag.", "Um sich abzumelden, klicken Sie hier."),
            (
                "Liebe Mitglieder, bitte schickt uns die Fotos bis Montag.",
                "Möchten Sie diesen Rundbrief nicht mehr erhalten, klicken Sie bitte hier.",
            ),
            ("Chers amis, merci de nous envoyer vos photos avant lundi.", "Pour vous désabonner, cliquez ici."),
            (
                "Chers amis, merci de nous envoyer vos photos avant lundi.",
                "Si vous ne souhaitez plus recevoir ces messages, cliquez ici.",
            ),
            ("Queridos socios: os enviaremos el calendario el lunes.", "Para darse de baja, haga clic aquí."),
            (
                "Queridos socios: os enviaremos el calendario el lunes.",
                "Si no desea recibir más correos de la asociación, pulse aquí.",
            ),
            (
                "Caros sócios, enviaremos o calendário até segunda.",
                "Se não quiser receber mais mensagens, clique aqui.",
            ),
            ("Cari soci, vi invieremo il calendario entro lunedì.", "Per cancellarsi dalla lista clicca qui."),
            (
                "Cari soci, vi invieremo il calendario entro lunedì.",
                "Se non desideri ricevere più le nostre e-mail, clicca qui.",
            ),
            ("Beste leden, we sturen jullie maandag de kalender.", "Meld je hier af voor de nieuwsbrief."),
            ("Beste leden, we sturen jullie maandag de kalender.", "Deze brief niet meer ontvangen? Klik hier."),
            ("Dear members, we'll send you the calendar by Monday.", "To unsubscribe, click here."),
        )
    ),
    {"normalized_text": "Fixed in #12.\n\nReply to this email directly or view it on GitHub"},
    # Wherever it says how to leave: in a line of a paragraph, and before other words.
    *(
        {"normalized_text": f"{way}\nThe mill has news of the harbour.\nWe look forward to your visit next week."}
        for way in (
            "We will send you our report. To be removed from this mailing, click here <http://mill.example/out>.",
            "Please send us your thoughts. To opt out of further mails, reply to us with the word out.",
            "Please send us your thoughts. If you no longer wish to receive our weekly reports, tell the mill.",
            "Please send us your thoughts. If you would like to unsubscribe, please visit the page of the mill.",
            "Our report is at [ http://mill.example/7 ]. Copy the address above and paste it into your browser.",
            "Wir schicken Ihnen den Bericht. Zum Abbestellen genügt eine kurze Antwort auf diese Mail der Mühle.",
            "Der Bericht: http://mill.example/7. Kopieren Sie die Adresse in die Zeile Ihres Browsers.",
            "Nous vous enverrons le rapport. Pour ne plus recevoir nos lettres, répondez simplement à ce message.",
            "Les enviaremos el informe. Para dejar de recibir nuestras cartas, respondan a este mensaje del molino.",
            "Enviaremos o relatório. Para deixar de receber as nossas cartas, responda a esta mensagem do moinho.",
            "Vi manderemo il rapporto. Per non ricevere più le nostre lettere, rispondete a questo messaggio.",
            "Ihr Parkschein gilt bis 12 Uhr. Bitte bewahren Sie ihn auf. Dies ist eine automatische Nachricht.",
            "Ik ben tot en met vrijdag afwezig. Ik beantwoord je mail op maandag. Stuur dringende vragen naar Noor.",
            "We sturen u het rapport. Om u af te melden volstaat een kort antwoord op dit bericht van de molen.",
        )
    ),
]


@table("columns", MACHINES, ids=lambda columns: str(columns)[:60])
def test_what_a_program_or_a_list_sends_commits_nobody(columns: dict[str, Any]) -> None:
    utterances = mail(**{"text": columns["normalized_text"], **{k: v for k, v in columns.items() if k[0] != "n"}})
    assert utterances
    assert not committing(utterances)


@table(
    "text",
    [
        "I am out of the office on Friday but I'll send it by Tuesday.",
        "Ich bin am Freitag nicht im Büro, schicke es aber am Dienstag.",
        "Please unsubscribe me from the other list, will you?",
        "I'll update the privacy policy and send you the draft.",
        "The order of the slides is wrong. I will fix it.",
        "Can you order the newsletter print today?",
        "I have no access to the data room. Please open it.",
        "I'll be on leave in May, so let us meet in June.",
        "The notification settings are fine, I checked them.",
        "Ich schicke dir die Liste am Montag.\n\nIch muss mich noch vom Kurs abmelden.",
        "Je t'envoie la liste lundi.\n\nJe vais me désabonner du journal.",
        "Envio-te a lista até segunda.\n\nVou deixar de receber o jornal em maio.",
        "Ik stuur je maandag de lijst.\n\nIk moet me nog afmelden voor de borrel.",
        "I will call about the shipment tomorrow.",
        "You are receiving the chairs tomorrow because I sent them early.",
        "Our customers want a discount, so I'll send you the new terms.",
        "The newsletter has an exclusive promotion; please check the discount for our members.",
        "I'll send you the deck. How did you manage to unsubscribe from the mill's letters?",
        "I want to be removed from the board, so I'll send the letter on Monday.",
        "Please copy the plan for Ida. She has no browser.",
        *(
            f"Please send me the signed lease by Friday. {words}"
            for words in (
                "Please copy the log from the browser console.",
                "Copy Noor on the mail about the browser bug.",
                "To opt out of the dental plan, send the form to HR.",
                "If you no longer want to receive the status updates, let me know.",
                "Für die Abmeldung brauchen wir deinen Ausweis.",
                "Para no recibir multas, tenemos que pagar hoy.",
                "Pour ne plus recevoir de pénalités, il faut payer.",
                "Om je af te melden voor de cursus, bel Noor.",
            )
        ),
    ],
)
def test_a_person_who_uses_such_words_is_no_machine(text: str) -> None:
    assert {utterance.kind for utterance in mail(text)} == {"written"}


def test_whoever_answers_an_invitation_is_no_machine() -> None:
    title = "Invitation: Kestrel review @ Thu 3 Dec 2026 10am (GMT)"
    for subject, kind in ((title, "machine"), (f"Re: {title}", "written")):
        assert {each.kind for each in mail("I'll bring the plan.", parse_result={"subject": subject})} == {kind}


ATTRIBUTIONS = [
    "On Fri, Nov 27, 2026 at 9:03 AM Ana Ruiz <ana@y.example> wrote:",
    "On Fri, Nov 27, 2026 at 9:03 AM Ana Ruiz\n<ana@y.example> wrote:",
    "On 27 Nov 2026, at 09:03, Ana Ruiz <ana@y.example> wrote:",
    "Am Fr., 27. Nov. 2026 um 09:03 Uhr schrieb Ana Ruiz <ana@y.example>:",
    "Le ven. 27 nov. 2026 à 09:03, Ana Ruiz <ana@y.example> a écrit :",
    "El vie, 27 nov 2026 a las 9:03, Ana Ruiz (<ana@y.example>) escribió:",
    "Em sex., 27 de nov. de 2026 às 09:03, Ana Ruiz <ana@y.example> escreveu:",
    "Il giorno ven 27 nov 2026 alle ore 09:03 Ana Ruiz <ana@y.example> ha scritto:",
    "Op vr 27 nov 2026 om 09:03 schreef Ana Ruiz <ana@y.example>:",
    "Den fre 27 nov. 2026 kl 09:03 skrev Ana Ruiz <ana@y.example>:",
    "2026年11月27日(金) 9:03 Ana Ruiz <ana@y.example>:",
    "W dniu 27.11.2026 09:03, Ana Ruiz <ana@y.example> napisał(a):",
]


@table("mark", ["> ", ">", ""])
@table("attribution", ATTRIBUTIONS)
def test_a_quoted_reply_belongs_to_who_wrote_it_first(attribution: str, mark: str) -> None:
    utterances = mail(f"Sure.\n\n{attribution}\n\n{mark}I will send the deck.\n")
    assert committing(utterances) == ["Sure."]
    (quoted,) = (utterance for utterance in utterances if utterance.kind == "quoted")
    assert (quoted.text, quoted.author.address) == ("I will send the deck.", "ana@y.example")
    assert quoted.said_at == "2026-11-27"
    assert quoted.author.name in ("Ana Ruiz", "Ruiz")


#: Heads without the sender's label, or of one line only.
HEADS = [
    "Ana.Ruiz@y.example on 11/27/2026 09:03:57 AM\n\n\n\n To:      Mara Lind/HARBOUR\n\n cc:\n\n\n\n Subject: Deck\n",
    ">===== Original Message From ana@y.example =====",
    '===== Original Message From "Ana Ruiz" <ana@y.example> =====',
    '>>> "Ruiz, Ana (Legal)" <ana@y.example> 11/27/26 11:05AM >>>',
    ">>> <ana@y.example> 11/27/26 12:31PM >>>",
    ">>> Ana Ruiz 11/27/26 12:31PM >>>",
]


@table("head", HEADS)
def test_a_head_without_labels_begins_what_another_wrote(head: str) -> None:
    own = committing(mail(f"That works for me.\n\n{head}\n\nI will send the deck.\n"))
    assert own[0] == "That works for me."
    assert "I will send the deck." not in own


def test_a_sentence_about_an_original_message_begins_nothing() -> None:
    text = "The original message from Ana was lost. I will send the deck."
    assert "I will send the deck." in " ".join(committing(mail(text)))


BLOCKS = [
    "From: Ana Ruiz <ana@y.example>\nSent: Friday, November 27, 2026 9:03 AM\nTo: Mara\nSubject: Deck",
    "*From:* Ana Ruiz <ana@y.example>\n*Sent:* Friday, November 27, 2026\n*To:* Mara\n*Subject:* Deck",
    "________________________________\nFrom: Ana Ruiz <ana@y.example>\nDate: 27 November 2026\nTo: Mara",
    "-----Original Message-----\nFrom: Ana Ruiz [mailto:ana@y.example]\nSent: 27 Nov 2026\nSubject: Deck",
    "Von: Ana Ruiz <ana@y.example>\nGesendet: Freitag, 27. November 2026 09:03\nAn: Mara\nBetreff: Deck",
    "-----Ursprüngliche Nachricht-----\nVon: Ana Ruiz <ana@y.example>\nGesendet: 27.11.2026\nAn: Mara",
    "De : Ana Ruiz <ana@y.example>\nEnvoyé : vendredi 27 novembre 2026\nÀ : Mara\nObjet : Deck",
    "De: Ana Ruiz <ana@y.example>\nEnviado el: viernes, 27 de noviembre de 2026\nPara: Mara\nAsunto: Deck",
    "Da: Ana Ruiz <ana@y.example>\nInviato: venerdì 27 novembre 2026\nA: Mara\nOggetto: Deck",
    "Van: Ana Ruiz <ana@y.example>\nVerzonden: vrijdag 27 november 2026\nAan: Mara\nOnderwerp: Deck",
]


@table("block", BLOCKS)
def test_a_header_block_begins_what_another_wrote(block: str) -> None:
    utterances = mail(f"That works for me.\n\n{block}\n\nI will send the deck.\n")
    assert committing(utterances) == ["That works for me."]
    (quoted,) = (utterance for utterance in utterances if utterance.kind == "quoted")
    assert (quoted.author, quoted.said_at) == (Person("Ana Ruiz", "ana@y.example"), "2026-11-27")


FORWARDS = [
    "Begin forwarded message:",
    "---------- Forwarded message ---------",
    "Anfang der weitergeleiteten Nachricht:",
    "-------- Weitergeleitete Nachricht --------",
    "---------- Message transféré ---------",
    "Début du message réexpédié :",
    "---------- Mensaje reenviado ---------",
    "Inizio messaggio inoltrato:",
    "---------- Mensagem encaminhada ---------",
    "Begin doorgestuurd bericht:",
]


@table("marker", FORWARDS)
def test_a_forwarded_mail_belongs_to_its_first_author(marker: str) -> None:
    header = "From: Ana Ruiz <ana@y.example>\nSubject: Deck\nDate: 27 November 2026\nTo: Bob"
    utterances = mail(f"What do you think?\n\n{marker}\n\n{header}\n\nI will send the deck.\n\n> Can you?\n")
    assert committing(utterances) == ["What do you think?"]
    first = next(utterance for utterance in utterances if utterance.kind == "forwarded")
    assert (first.text, first.author) == ("I will send the deck.", Person("Ana Ruiz", "ana@y.example"))


def test_a_mail_that_only_passes_on_is_forwarded_and_answers_between_quotes_are_own() -> None:
    assert of_kind(mail(f"FYI\n\n{BLOCKS[0]}\n\nI will send it.\n"), "forwarded") == ["I will send it."]
    between = mail("> Can you send the deck?\nYes, tomorrow.\n> And the report?\nNo.\n")
    assert committing(between) == ["Yes, tomorrow.", "No."]


def test_prose_that_looks_like_a_header_is_prose() -> None:
    text = "On Monday Bob wrote: the deck is done.\nFrom: now on we meet on Fridays.\n>50% of users agree."
    assert len(committing(mail(text))) == 3


SIGNATURES = [
    "Best regards,\nBob Lee\nHead of Partnerships, Kaohsiung Optics",
    "-- \nBob Lee\nHead of Partnerships, Kaohsiung Optics",
    "Bob Lee\nHead of Partnerships, Kaohsiung Optics\n+49 30 1234567",
    "Bob",
    "Mit freundlichen Grüßen\nBob Lee\nLeiter Partnerschaften",
    "Viele Grüße, Bob",
    "Cordialement,\nBob Lee",
    "Un saludo,\nBob",
    "Atenciosamente,\nBob Lee\nDiretor",
    "Cordiali saluti\nBob Lee",
    "Met vriendelijke groet,\nBob Lee",
    "Sent from my iPhone",
    "Von meinem iPhone gesendet",
    "Envoyé de mon iPhone",
    "Cheers\nBob\n\nThis e-mail is confidential and intended solely for the recipient.",
    "Bob\n*****E-mail Confidentiality Footer*****\n\nPrivileged/Confidential matters may be in this note. If\n"
    "you are not the addressee indicated here, please tell us at once if you or your\nfirm do not allow e-mail.",
    "Regards,\nBob\nPort Offices\n\nPlease consider the environment before printing this e-mail.",
    "Thanks,\nBob\n\nCONFIDENTIALITY NOTICE: We will prosecute whoever reads this.",
    "Thanks,\nBob\n\nRECEIVED THIS E-MAIL IN ERROR, PLEASE DELETE IT.",
    "Best,\nBob\n--\nBob Lee | Quay Optics | +49 30 1234567",
    "Viele Grüße aus Kiel\nBob Lee\nVertriebsleiter, Quay Optics GmbH",
    "Amicalement,\nBob",
    "Un abrazo,\nBob Lee",
    "Abraços,\nBob",
    "A presto,\nBob Lee",
    "Groetjes,\nBob Lee",
    "Bob Lee\nSenior Manager, Quay Optics GmbH\nTel. +49 30 1234567",
    "Sent from Outlook for Android",
    "Envoyé de mon mobile",
    "Sent via Cingular Xpress Mail with Blackberry",
    "Many thanks and best wishes,\nBob",
]


@table("signature", SIGNATURES)
def test_signatures_and_disclaimers_are_boilerplate(signature: str) -> None:
    utterances = mail(f"I will send the report.\n\n{signature}\n")
    assert committing(utterances) == ["I will send the report."]
    assert {utterance.kind for utterance in utterances[1:]} == {"boilerplate"}


def test_of_a_message_its_own_lines_are_those_that_state_something() -> None:
    own = "the deck is ready, twelve pages.\nYes, and bound."
    quoted = "On 3 Nov 2026, at 08:55, Bob <b@x.example> wrote:\n\n> How is the deck?\n"
    text = f"Hi Bob,\n\n{own}\n\nBest,\nAna Ruiz\n\n{quoted}"
    assert [line for line in mailtext.own_lines(text) if line] == own.split("\n")


def test_what_follows_a_signature_in_the_senders_words_counts() -> None:
    utterances = mail("Here it is.\n\nBest,\nBob\n\nP.S. I will bring the probe.\n")
    assert committing(utterances) == ["Here it is.", "P.S. I will bring the probe."]
    assert committing(mail("Thanks,\nBob")) == ["Thanks,"]


def test_ten_mails_with_one_signature_have_it_as_boilerplate_or_quoted() -> None:
    signed = "Yes.\n\nAna Ruiz\nHead of Partnerships, Kaohsiung Optics\n"
    quoted = "".join(f"> {line}\n" for line in signed.splitlines())
    for text in (signed, f"Good.\n\n{ATTRIBUTIONS[0]}\n{quoted}"):
        for utterance in mail(text, sender_name="Ana Ruiz", sender_address="ana@y.example"):
            assert "Partnerships" not in utterance.text or utterance.kind not in COMMITTING


GENERATED: list[tuple[str, dict[str, Any]]] = [
    *(
        ("agentic_drafts", {"status": state, "body": "I will deliver the pilot contract by December 9."})
        for state in ("discarded", "draft", "failed", "pending", None, "approved")
    ),
    *(
        ("chat_sessions", {"messages": [{"role": role, "content": "I'll send you a summary by Friday."}]})
        for role in ("assistant", "tool", "system", "model", None)
    ),
    ("chat_sessions", {"summary": "I will send it."}),
    ("briefings", {"content_markdown": "You still need to book the offsite venue by Friday."}),
    ("briefings", {"summary": "I will remind you."}),
    ("checklists", {"summary": "We will see three people."}),
    ("checklist_items", {"source": "briefing", "description": "I will send it.", "reasoning": "He will call."}),
    ("contacts", {"summary": "I will send it.", "dossier_md": "She will lead."}),
    ("outbound_messages", {"status": "queued", "body_text": "I will send it."}),
    ("outbound_messages", {"status": "sent", "template": "daily", "body_text": "I will remind you."}),
    ("activity_events", {"source": "gmail", "direction": "in", "body": "", "summary": "", "title": "x"}),
    ("activity_events", {"source": "github", "event_type": "commit", "summary": "I will fix it."}),
]


@table(("source", "data"), GENERATED, ids=lambda value: str(value)[:50])
def test_generated_text_commits_nobody(source: str, data: dict[str, Any]) -> None:
    assert not committing(utterances(source, data))


def test_a_sent_draft_and_the_users_turns_are_their_own() -> None:
    data = {"status": "sent", "body": "I will come.", "recipients": [{"email": "bob@x.example", "name": "Bob Lee"}]}
    (draft,) = utterances("agentic_drafts", data)
    assert (draft.author, draft.addressees, draft.kind) == (ME, (BOB,), "written")
    turns = [
        {"role": "assistant", "content": "Shall I?", "created_at": "2026-11-27T15:00:00Z"},
        {"role": "user", "content": "I will call Tom.", "created_at": "2026-11-28T04:10:00Z"},
    ]
    _, mine = utterances("chat_sessions", {"messages": turns})
    assert (mine.author, mine.addressees, mine.said_at) == (ME, (), "2026-11-27 23:10 -05:00")


TRANSCRIPTS = [
    "Bob: I'll send the numbers.\nMara: I will book the room.",
    "[00:12] Bob: I'll send the numbers.\n[00:15] Mara: I will book the room.",
    "00:00:12 Bob Lee: I'll send the numbers.\n00:00:15 Mara: I will book the room.",
    "**Bob:** I'll send the numbers.\n**Mara:** I will book the room.",
    "Bob (00:12): I'll send the numbers.\nMara (00:15): I will book the room.",
    "Bob Lee  0:12\nI'll send the numbers.\n\nMara  0:15\nI will book the room.",
    "Bob\nI'll send the numbers.\nMara: I will book the room.",
    "WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000\n<v Bob Lee>I'll send the numbers.</v>\n\n2\n"
    "00:00:05.000 --> 00:00:06.000\n<v Mara>I will book the room.</v>",
    "Bob Lee: I'll send\nthe numbers.\nMara: I will book the room.",
    "- Bob: I'll send the numbers.\n- Mara: I will book the room.",
    "Bob:\nI'll send the numbers.\nMara:\nI will book the room.",
]


@table("transcript", TRANSCRIPTS)
def test_a_transcript_has_speakers(transcript: str) -> None:
    data = {"attendees": [{"name": "Bob Lee", "email": "bob@x.example"}], "transcript": transcript}
    spoken = [utterance for utterance in utterances("granola_transcripts", data) if utterance.kind == "spoken"]
    by_bob = " ".join(utterance.text for utterance in spoken if utterance.author == BOB)
    by_mara = [utterance for utterance in spoken if utterance.author == Person("Mara", "")]
    assert by_bob == "I'll send the numbers."
    assert [utterance.text for utterance in by_mara] == ["I will book the room."]
    assert by_mara[0].addressees == (BOB,)


def test_labels_that_name_an_end_or_nobody() -> None:
    text = "Me: I will pay.\nThem: Fine.\nSpeaker 2: Good.\nNote: nothing was said.\nhttps://x.example: a link"
    authors = {
        utterance.text: utterance.author for utterance in utterances("granola_transcripts", {"transcript": text})
    }
    assert authors["I will pay."] == ME
    assert authors["Fine."] == THEM
    assert authors["Good."] == authors["Note: nothing was said."] == UNKNOWN


def test_initials_are_those_of_somebody_known() -> None:
    text = "BL: Good.\nXY: Bad."
    data = {"transcript": text, "attendees": [{"name": "Bob Lee", "email": "bob@x.example"}]}
    authors = {utterance.text: utterance.author for utterance in utterances("granola_transcripts", data)}
    assert authors == {"Good.": BOB, "Bad.": Person("XY")}


def test_notes_are_the_users_but_for_what_somebody_known_says() -> None:
    data = {"attendees": ["Bob Lee"], "note_text": "I promised the deck.\nBob: I'll send the numbers.\nBudget: 5"}
    first, second, third = utterances("meeting_notes", data)
    assert (first.author, second.author, third.author) == (ME, Person("Bob Lee"), ME)
    assert not committing(utterances("meeting_notes", {**data, "source_ref": {"generated_by": "ai"}})[:1])


@table(
    ("sentence", "heard"),
    [
        ("Tom, can you pay?", "Tom Ray"),
        ("@tom can you pay?", "Tom Ray"),
        ("Hi Tom, can you pay?", "Tom Ray"),
        ("Can you pay, @Ana?", "Ana Ruiz"),
        ("Ana - please pay.", "Ana Ruiz"),
        ("Tom Ray: please pay.", "Tom Ray"),
        ("Tom and Ana, please pay.", "Tom Ray, Ana Ruiz"),
        ("Today, we pay.", "Tom Ray, Ana Ruiz"),
        ("Tom-based plans fail.", "Tom Ray, Ana Ruiz"),
        ("Tom pays.", "Tom Ray, Ana Ruiz"),
        ("Write to tom@x.example.", "Tom Ray, Ana Ruiz"),
    ],
)
def test_a_name_at_the_start_or_a_mention_narrows_the_hearers(sentence: str, heard: str) -> None:
    data = {"attendees": ["Tom Ray", "Ana Ruiz"], "transcript": f"Me: {sentence}"}
    (utterance,) = utterances("granola_transcripts", data)
    assert ", ".join(person.name for person in utterance.addressees) == heard


@table(
    ("sentence", "heard"),
    [
        ("Tom and Ana, please pay.", "Tom Ray, Ana Ruiz"),
        ("Ana und Tom, bitte zahlt.", "Ana Ruiz, Tom Ray"),
        ("@ana @tom please pay.", "Ana Ruiz, Tom Ray"),
        ("@all @tom please pay.", "Tom Ray"),
        # Somebody unknown is named, or everybody: all hear it.
        ("Tom and Zoe, please pay.", "Tom Ray, Ana Ruiz, Max Orth"),
        ("Zoe and Tom, please pay.", "Tom Ray, Ana Ruiz, Max Orth"),
        ("Zoe, please pay.", "Tom Ray, Ana Ruiz, Max Orth"),
        ("@all please pay.", "Tom Ray, Ana Ruiz, Max Orth"),
        ("@zoe please pay.", "zoe"),
    ],
)
def test_of_several_hearers_those_are_meant_who_are_all_known(sentence: str, heard: str) -> None:
    data = {"attendees": ["Tom Ray", "Ana Ruiz", "Max Orth"], "transcript": f"Me: {sentence}"}
    (utterance,) = utterances("granola_transcripts", data)
    assert ", ".join(person.name for person in utterance.addressees) == heard


@table(
    ("text", "count"),
    [
        ("Drawings to Dr. Weber by December 2", 1),
        ("Drawings to Dr. Weber by December 2. Then call.", 2),
        ("I met J. R. R. Tolkien Jr. yesterday. He works.", 2),
        ("Ask Prof. Lee and Mrs. Ray, e.g. on Friday.", 1),
        ("It costs approx. $3.50 vs. $4.", 1),
        ("Das ist z. B. bzw. ca. 3 Tage früher. Gut.", 2),
        ("Die Zeichnungen bis zum 2. Dezember. Danke.", 2),
        ("M. Dupont et Mme. Martin arrivent le 2 déc. 2026. Bien.", 2),
        ("La Sra. García envía el contrato. Gracias.", 2),
        ("De heer mr. Jansen belt a.u.b. morgen.", 1),
        ("Really?! Yes. “I will.” She left.", 4),
        ("See v1.2.3 and example.com. Then go.", 2),
        ("了解です。明日送ります。", 2),
        ("ok i will send it. thanks", 2),
        ("See [a. B](http://x.example) now. Go.", 2),
        ("Van ir. Vos, d.d. 3 nov., uiterlijk 2 december.", 1),
        ("O plano do Eng. Luz e do Arq. Reis.", 1),
        ("Il piano dell'arch. Bini e della dott.ssa Conti.", 1),
        ("Le dossier de Me. Roche et de Mgr. Roux.", 1),
        ("Die Listen von Dipl.-Ing. Kern.", 1),
        ("Call me. Bob is here.", 2),
        ("Quero ir. Eu levo o carro.", 2),
    ],
)
def test_where_sentences_end(text: str, count: int) -> None:
    parts = list(sentences(text))
    assert len(parts) == count
    assert "".join("".join(parts).split()) == "".join(text.split())


@table(
    ("text", "code"),
    [
        ("I will send you the report by Friday.", "en"),
        ("Ich schicke dir den Bericht bis Freitag.", "de"),
        ("Je vous envoie le rapport avant vendredi.", "fr"),
        ("Te envío el informe mañana por la tarde.", "es"),
        ("Vou enviar o relatório para você até sexta.", "pt"),
        ("Ti mando il rapporto entro venerdì, grazie.", "it"),
        ("Ik stuur je het rapport voor vrijdag.", "nl"),
        ("Jag skickar rapporten till dig på fredag.", "sv"),
        ("明日レポートを送ります。", "ja"),
        ("我明天把报告发给你。", "zh"),
        ("내일 보고서를 보내겠습니다.", "ko"),
        ("Я пришлю отчёт завтра.", "ru"),
        ("سأرسل التقرير غدا", "ar"),
        ("mandaste a fatura? esquece a escada", ""),
        ("bijgevoegd de tekening die je vroeg", "nl"),
        ("Kestrel 3.2", ""),
        ("", ""),
        ("Harbour Pilot, Dafydd Pryce", ""),
    ],
)
def test_languages(text: str, code: str) -> None:
    assert language(text) == code


def test_a_few_words_at_the_beginning_do_not_tell_the_language_of_a_talk() -> None:
    lines = ["Petra: So, fangen wir an?", "Uwe: Ja.", "Petra: Die Testphase beginnt am 2. April und wir sind bereit."]
    talk = item("granola_transcripts", {**COLUMNS, "attendees": ["Petra", "Uwe"], "transcript": "\n".join(lines)})
    assert {each.language for each in reading.read(talk, ZONE).utterances} == {"de"}


@table(
    ("source", "data", "thread"),
    [
        ("inbound_messages", {"channel": "Email", "thread_id": "t1"}, "email:t1"),
        ("inbound_messages", {"channel": "whatsapp", "sender_address": "+1 555 0100"}, "whatsapp:with:+15550100"),
        ("outbound_messages", {"channel": "whatsapp", "recipient_address": "+1 555-0100"}, "whatsapp:with:+15550100"),
        ("inbound_messages", {"channel": "email", "sender_address": "a@b.example"}, ""),
        ("chat_sessions", {}, "chat:r1"),
        ("meeting_notes", {"calendar_event_id": "ev-9", "meeting_started_at": AT}, "meeting:ev-9"),
        ("meeting_notes", {"title": "A", "meeting_started_at": AT}, "meeting:2026-11-27T14:03+00:00"),
        ("granola_transcripts", {"title": "B", "meeting_started_at": AT}, "meeting:2026-11-27T14:03+00:00"),
        ("activity_events", {"source": "calendar", "event_type": "meeting", "source_ref": "ev-9"}, "meeting:ev-9"),
        ("activity_events", {"source": "slack", "event_type": "message", "source_ref": "x"}, ""),
    ],
)
def test_threads(source: str, data: dict[str, Any], thread: str) -> None:
    assert reading.read(item(source, data), ZONE).thread == thread


def test_one_address_is_one_form_under_all_spellings() -> None:
    spellings = ("Rob Müller", "Müller, Robert", "R. Mueller", "rob@x.example", "", '"Rob"', "ROB", "Rob (Optics)")
    read = [
        reading.read(item("inbound_messages", {"sender_name": name, "sender_address": " Rob@X.example "}), ZONE)
        for name in spellings
    ]
    assert {record.people[0].address for record in read} == {"rob@x.example"}


@table(
    "hidden",
    [
        '<div style="display:none">{}</div>',
        "<p hidden>{}</p>",
        '<span style="font-size:0px">{}</span>',
        '<span style="visibility: hidden">{}</span>',
        '<div style="max-height:0;overflow:hidden">{}</div>',
        '<span style="color:#fff;background:#FFF">{}</span>',
        '<style>.pre{{display:none}}</style><i class="pre">{}</i>',
        "<!-- {} -->",
        "<script>{}</script>",
        "<title>{}</title>",
        '<div style="opacity:0">{}</div>',
        '<div style="display:&#110;one"><b>{}</b></div>',
    ],
)
def test_what_is_not_seen_is_not_said(hidden: str) -> None:
    body = f"<html><body><p>Hello Bob,<br>I will pay.</p>{hidden.format('I owe nothing.')}<p>Bye.</p></body></html>"
    record = item("inbound_messages", {"normalized_text": body, "sender_name": "X", "sender_address": "x@y.example"})
    texts = [utterance.text for utterance in reading.read(record, ZONE).utterances]
    assert texts == ["Hello Bob,", "I will pay.", "Bye."]
    assert "I owe nothing" not in page(record)


def test_signs_that_show_nothing_are_out_and_flags_stay() -> None:
    (utterance,) = mail("I w\u00adill\u200b pay\U000e0041\U000e0042 the 🏴󠁧󠁢󠁷󠁬󠁳󠁿 👩🏽‍🔬.")
    assert utterance.text == "I will pay the 🏴󠁧󠁢󠁷󠁬󠁳󠁿 👩🏽‍🔬."


def page(record: Item) -> str:
    entry = ENTRIES[record.source_key]
    context = RenderContext("u", ZONE, "j")
    return "\n".join(p.text for p in renderers.render_group(renderers.place(record, entry), entry, [record], context))


#: What markdown, mail programs and transcripts make of a text.
MARKS = ["\n", "\n\n", "> ", ">> ", "- ", "# ", "```\n", "[a. B](http://x)", "[[a|b. C]]", "*x. Y* ", "`a. b` "]
MARKS += ["Best regards,\nBob\n", "From: Bob\nSent: 2026\nTo: M\n", "-- \n", "- [ ] do it\n", "1. ", "Bob: hi. "]
MARKS += ["On Fri, Nov 27, 2026 at 9:03 AM Bob <bob@x.example> wrote:\n", "[00:12] Mara: ok? ", "| a | b |", "~~x~~ "]
MARKS += ["I'll send it. ", "Dr. Weber! ", "<div>", "</div>", "<br>", "<p hidden>", "&lt;b&gt; ", "&amp;lt; ", "\\* "]
MARKS += ["\\", "___ ", "… ", "!? ", "。", "\u200b", "\u00ad", "\U000e0041", "\u2028", "\r\n", "\x07", "ﬁ ", "e\u0301 "]
PIECES = st.one_of(st.sampled_from(MARKS), st.text(max_size=12))
TEXTS = st.lists(PIECES, max_size=25).map("".join)
FIELDS = {
    "inbound_messages": ["normalized_text"],
    "outbound_messages": ["body_text"],
    "granola_transcripts": ["notes", "transcript"],
    "meeting_notes": ["note_text"],
    "activity_events": ["body", "summary"],
    "agentic_drafts": ["body"],
    "briefings": ["summary", "content_markdown"],
    "contacts": ["summary"],
    "checklist_items": ["description"],
    "feedback": ["message"],
}
RECORDS = st.sampled_from(sorted(FIELDS)).flatmap(
    lambda source: st.tuples(st.just(source), st.fixed_dictionaries(dict.fromkeys(FIELDS[source], TEXTS)))
)
COLUMNS = {"title": "T", "source": "gmail", "direction": "in", "event_type": "mail", "status": "sent"}


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(RECORDS)
@example(("granola_transcripts", {"notes": "", "transcript": "> "}))
def test_every_utterance_can_be_quoted_from_its_page(record_of: tuple[str, dict[str, str]]) -> None:
    source, data = record_of
    record = item(source, {**COLUMNS, **data, "attendees": ["Bob"]})
    shown = normalize(page(record))
    for utterance in reading.read(record, ZONE).utterances:
        assert normalize(utterance.text) in shown


@settings(deadline=None)
@given(st.text(alphabet="abc AB.,!?\n:", max_size=200))
def test_the_words_of_a_plain_text_are_there_once_and_in_order(text: str) -> None:
    words = [word for utterance in mail(text) for word in utterance.text.split()]
    assert words == text.split()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["name", "email", "text", "x"]), inner),
    max_leaves=12,
)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_json_makes_it_raise(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(sorted(ENTRIES)))
    fields = data.draw(st.fixed_dictionaries({}, optional=dict.fromkeys(ENTRIES[source].include_fields, JSON)))
    record = item(source, json.loads(json.dumps(fields)))
    reading.read(record, ZONE)
    recorded.statements(record, "No/Such_Zone")


@pytest.mark.properties
@pytest.mark.parametrize(
    "unit",
    [">", "> \n", "<div>", "<", "a: b\n", ":", "On ", "From: a\n", "1. ", ". ", "[", "@", "<!--", "-- \n", "[00:12] "],
)
def test_hostile_text_is_read(unit: str) -> None:
    """It ends: what is not linear would take hours."""
    assert mail(unit * (250_000 // len(unit))) is not None


@table(
    "head",
    [
        "Jordan Blake\n09/18/2001 04:20 PM\nTo: Pat Morgan\ncc: Rosa Lind\n\nSubject: Plates\n\n",
        "Jordan Blake\n09/18/2001 04:20 PM\nTo: Pat Morgan\ncc:\n\nSubject: Plates\n\n",
        "Please respond to <jb@x.example>\n\nTo: Pat Morgan\ncc: Rosa Lind\nSubject: Plates\n\n",
        "From: Jordan Blake\nTo: Pat Morgan\n\nSubject: Plates\n\n",
        "\tJordan Blake/HQ@hqMail 09/18/01 04:20 PM \t   To: Pat Morgan/HQ@HQ  cc:   Subject: Plates\t\n\n",
        "\tJordan Blake 2001/09/18 16:20 \t  To: Pat Morgan/HQ@HQ  cc:   Subject: Plates \t\n\n",
    ],
)
def test_what_follows_the_head_of_a_lotus_notes_mail_is_that_mail(head: str) -> None:
    several = mail(f"Fine by me.\n\n{head}Pat, I need your help with the plates by Friday.")
    assert [each.text for each in several if each.kind == "written"] == ["Fine by me."]
    assert several[-1].kind == "quoted"


@pytest.mark.properties
@pytest.mark.parametrize("source", ["inbound_messages", "meeting_notes", "granola_transcripts"])
@pytest.mark.parametrize(
    "unit",
    [
        *("a", "_", " ", "\n", "=\n", "- a\n", "\u2026 ", ". ", "1,2\n", "copyright ", "Sure.\n"),
        *("Could you send it? Yes, sure.\n", "Bitte senden Sie den Plan.\n"),
    ],
)
def test_statements_of_hostile_text_are_read(source: str, unit: str) -> None:
    """It ends: of 30,000 characters, what is not linear would take minutes."""
    (text,) = {"inbound_messages": ["normalized_text"], "meeting_notes": ["note_text"]}.get(source, ["transcript"])
    data = {**COLUMNS, "channel": "email", "sender_address": "ann@x.example", text: unit * (30_000 // len(unit))}
    assert reader.read(item(source, data), ZONE) is not None


@table(("asked", "read_as_loops"), [(reader.MOST_LOOPS, reader.MOST_LOOPS), (reader.MOST_LOOPS + 1, 0)])
def test_who_asks_more_than_anybody_can_mean_writes_a_text(asked: int, read_as_loops: int) -> None:
    text = "\n".join(f"Please send me the plan of berth {number}." for number in range(asked))
    data = {**COLUMNS, "channel": "email", "sender_address": "ann@x.example", "normalized_text": text}
    assert len(reader.read(item("inbound_messages", data), ZONE).statements) == read_as_loops


LONG = "You are right and I am sorry about the delay. I will send the calibration report of"


@table(
    ("text", "expected"),
    [
        (f"{LONG}\nprobe four by Friday.", "I will send the calibration report of probe four by Friday."),
        # A name begins with a capital: it had no room in a text of this width.
        (f"{LONG}\nDafydd by Friday.", "I will send the calibration report of Dafydd by Friday."),
        ("Please send the plan to the\nHarbour Office today.", "Please send the plan to the Harbour Office today."),
        (f"{LONG}\n\nProbe four is next.", "I will send the calibration report of"),
        (f"{LONG}\n- probe four\n- probe five", "I will send the calibration report of"),
        # Nor does a line end behind "of the" or a comma, however wide the others are.
        (f"{LONG} the\nPier by Friday.\n{LONG} probe four, five, six and seven.",
         "I will send the calibration report of the Pier by Friday."),
        (f"{LONG} the pier,\nDafydd.\n{LONG} probe four, five, six and seven.",
         "I will send the calibration report of the pier, Dafydd."),
        ("I will call the venue\nbring the projector please", "I will call the venue"),
        # However short they are: a day is parted from its month, and what is due by then from its day.
        ("Ich schicke dir den Plan bis 3.\nDezember.", "Ich schicke dir den Plan bis 3. Dezember."),
        ("I'll send you the plan\nby Monday", "I'll send you the plan by Monday"),
        ("I'll send you the plan\nby the way I saw Bob", "I'll send you the plan"),
        (f"{LONG} probe four.\nplease confirm", "I will send the calibration report of probe four."),
    ],
)  # fmt: skip
def test_a_line_that_a_program_wrapped_is_one_sentence(text: str, expected: str) -> None:
    for several in (mail(text), utterances("meeting_notes", {"note_text": text})):
        assert expected in [utterance.text for utterance in several]


TO_THREE = {"parse_result": {"headers": {"To": "Tom Moss <tom@x.example>, Jacob Bly <jb@x.example>, me@y.example"}}}


@table(
    ("first", "to"),
    [
        ("Hi Tom,", "tom@x.example"),
        ("Tom -", "tom@x.example"),
        ("Dear Mr. Moss,", "tom@x.example"),
        ("Jake:", "jb@x.example"),
        ("Hi Tom, thanks for the news.", "tom@x.example"),
        ("Ok Tom, that is fine with me.", "tom@x.example"),
        ("Thanks Rex, that is fine.", ""),
        ("Ok Friday, then.", "me tom@x.example jb@x.example me@y.example"),
        ("Tom and Jake,", "tom@x.example jb@x.example"),
        ("Dear Ekaterina,", ""),
        ("Hi all,", "me tom@x.example jb@x.example me@y.example"),
        ("Thanks!", "me tom@x.example jb@x.example me@y.example"),
        ("The shed is open.", "me tom@x.example jb@x.example me@y.example"),
    ],
)
def test_a_mail_to_several_speaks_to_whom_it_greets(first: str, to: str) -> None:
    *_, last = mail(f"{first}\nPlease send the plan.", **TO_THREE)
    assert last.text == "Please send the plan."
    assert " ".join(person.address for person in last.addressees) == to


@table(
    ("text", "to"),
    [
        ("Please send the plan.", "tom@x.example"),
        ("Hi Jacob,\nPlease send the plan.", "jb@x.example"),
        ("I agree.\nJACOB -- Please send the plan.", "jb@x.example"),
    ],
)
def test_whoever_gets_a_copy_is_asked_only_by_name(text: str, to: str) -> None:
    headers = {"To": "Tom Moss <tom@x.example>", "Cc": "Jacob Bly <jb@x.example>, me@y.example"}
    *_, last = mail(text, parse_result={"headers": headers})
    assert [person.address for person in last.addressees] == [to]


def test_a_mail_to_one_speaks_to_them_whatever_they_are_called() -> None:
    *_, last = mail("Dear Ekaterina,\nPlease send the plan.")
    assert last.addressees == (ME,)


def test_a_mail_to_one_with_copies_speaks_to_them_whatever_they_are_called() -> None:
    copies = {"Cc": "Tom Moss <tom@x.example>, Jacob Bly <jb@x.example>"}
    for to, heard in (("me@y.example", ["me@y.example"]), ("me@y.example, ann@x.example", [""])):
        *_, last = mail("Hi Bobby,\nPlease send the plan.", parse_result={"headers": {"To": to, **copies}})
        assert [person.address for person in last.addressees] == heard


def test_whoever_is_called_later_is_spoken_to_though_another_was_greeted() -> None:
    *_, last = mail("Hi Tom,\nThe shed is open.\nJacob, please send the plan.", **TO_THREE)
    assert [person.address for person in last.addressees] == ["jb@x.example"]


@table("call", ["Jacob:\n", "Jacob Bly,\n", "Jacob:\n\n"])
def test_a_line_that_calls_one_of_several_turns_to_them(call: str) -> None:
    *_, last = mail(f"Hi Tom,\nThe shed is open.\n\n{call}Please send the plan.", **TO_THREE)
    assert [person.address for person in last.addressees] == ["jb@x.example"]


@table(
    ("text", "own"),
    [
        ("Please respond to\nHi Ann,\nthe shed is open.", ["Hi Ann,", "the shed is open."]),
        ("Please respond to Dear Ann,\n\nThe shed is open.", ["Dear Ann,", "The shed is open."]),
        ("Please respond to the offer.\nThe shed is open.", ["Please respond to the offer.", "The shed is open."]),
    ],
)
def test_what_a_mail_program_leaves_of_an_address_is_no_text(text: str, own: list[str]) -> None:
    assert committing(mail(text)) == own


@table(
    "quoted",
    [
        "> Please send the plan.",
        "AB> Please send the plan.",
        "Yudi> Please send the plan.",
        "| Please send the plan\n| to the office\n| in the quay.",
    ],
)
def test_lines_behind_marks_and_initials_are_somebody_elses(quoted: str) -> None:
    lines = mail(f"I agree with this.\n\n{quoted}\n\nThe shed is open.")
    assert committing(lines) == ["I agree with this.", "The shed is open."]


@table(
    "chat",
    [
        "ann42 (11:07:50 AM): let me send you a shirt\nnever mind\nbob_x (11:08:07 AM): ok",
        "[10:15] Ann Lee: I'll call you\n[10:16] Bob: ok, send me the list",
        "[12/03/26, 10:15:22] Ann: I'll call\n[12/03/26, 10:16:02] Bob: ok",
        "12/03/2026, 10:15 - Ann Lee: I'll call\n12/03/2026, 10:16 - Bob: ok",
        "10:15 <ann> I'll call\n10:16 <bob> ok",
    ],
)
def test_a_chat_that_is_copied_into_a_mail_is_passed_on(chat: str) -> None:
    lines = mail(f"I agree with this.\n\n{chat}\n\nThe shed is open.")
    assert committing(lines) == ["I agree with this.", "The shed is open."]


@table("line", ["10:15 Welcome: Ann speaks", "Lunch (12:00): pizza", "Ann: I'll call", "[1] Ann: I'll call"])
def test_a_schedule_is_no_chat(line: str) -> None:
    assert len(committing(mail(f"{line}\n{line}"))) == 2


@table(
    ("text", "own"),
    [
        ('How is this: "It was hard. I will send it. We are strong." Fine?', ['How is this: "It was hard.', "Fine?"]),
        ("He wrote \u201cI agree. I'll pay.\u201d I am glad.", ["He wrote \u201cI agree.", "I am glad."]),
        ("\u201eIch komme. Ich bringe es.\u201c Ich rufe an.", ["\u201eIch komme.", "Ich rufe an."]),
        ('She said "I agree." I\'ll pay.', ['She said "I agree."', "I'll pay."]),
        ('A 5" pipe is here. I need 3" of it.', ['A 5" pipe is here.', 'I need 3" of it.']),
        ('He wrote "I agree. I will pay.', ['He wrote "I agree.', "I will pay."]),
        ('I call it "the shed. The "barn" is old.', ['I call it "the shed.', 'The "barn" is old.']),
    ],
)
def test_sentences_within_a_quotation_are_somebody_elses(text: str, own: list[str]) -> None:
    assert committing(mail(text)) == own


def test_a_table_between_pipes_is_the_senders() -> None:
    assert len(committing(mail("| shed | open |\n| quay | shut |\n| barn | open |"))) == 3


def test_what_lotus_notes_forwards_is_its_first_authors() -> None:
    text = (
        "---------------------- Forwarded by Bob Lee/Harbour on 11/03/2026\n11:48 AM ---------------------------\n\n"
        "From:\tKate Brown\t11/03/2026 11:33 AM\n\t\nTo:\tBob Lee/Harbour\ncc:\t\nSubject:\tThe report\n\n"
        "Please approve the report and send it on."
    )
    assert committing(mail(text)) == []


@table(
    "head",
    [
        "Bob\n\nPaula,",
        "Please read it.\nBob:",
        "From:  Kate Brown <kate@x.example>\n01/03/2026 02:28 PM\nPlease respond to Kate Brown\nTo: "
        + "<a@x.example>, \n" * 40
        + "cc:\nSubject: The hall\n",
        "      Kate.Brown\n      @x.example           To:     Bob Lee\n      11/03/2026           Subject:  The hall\n",
    ],
)
def test_an_earlier_mail_without_a_mark_is_passed_on(head: str) -> None:
    """It greets behind its sender's name, calls the sender, or has a head of Lotus Notes."""
    lines = mail(f"The shed is open.\n\n{head}\n\nCan you add the price of the hall?\nI'll call Tom.", subject="Hall")
    assert not {"Can you add the price of the hall?", "I'll call Tom."} & set(committing(lines))


@table(
    "introduction",
    [
        "Sarah's email from Monday:",
        "Just got this from Kate Brown:",
        "Kate wrote:",
        "Kate Brown schrieb:",
        "Thanks. Kate said:",
    ],
)
def test_the_paragraph_behind_an_introduction_is_passed_on(introduction: str) -> None:
    lines = mail(f"{introduction}\n\nPlease confirm the seats.\nBring the tickets.\n\nI will call her.")
    assert committing(lines)[-1] == "I will call her."
    assert "Please confirm the seats." in of_kind(lines, "forwarded")
    assert "Bring the tickets." in of_kind(lines, "forwarded")


@table("introduction", ["My plan for Monday:", "I wrote:", "To do:", "The message is short:"])
def test_what_introduces_the_senders_own_words_passes_nothing_on(introduction: str) -> None:
    assert "Please confirm the seats." in committing(mail(f"{introduction}\n\nPlease confirm the seats."))


@table(
    ("text", "day"),
    [
        ("2026-11-27 09:03", "2026-11-27"),
        ("2026/1/7", "2026-01-07"),
        ("2026\u5e7411\u670827\u65e5", "2026-11-27"),
        ("Fri, 27 Nov 2026 at 9:03", "2026-11-27"),
        ("27th of November 2026", ""),
        ("27. August 2026", "2026-08-27"),
        ("27 ao\u00fbt 2026", "2026-08-27"),
        ("27 de julio de 2026", "2026-07-27"),
        ("November 27, 2026", "2026-11-27"),
        ("Foo 27, 2026", ""),
        ("27 foo 2026", ""),
        ("27.11.26", "2026-11-27"),
        ("3.4.2026", "2026-04-03"),  # with stops the day comes first
        ("27/11/2026", "2026-11-27"),
        ("11/27/2026", "2026-11-27"),
        ("13/1/2026", "2026-01-13"),
        ("1/13/2026", "2026-01-13"),
        ("12/11/2026", ""),  # either of two days
        ("11/12/2026", ""),
        ("12/12/2026", "2026-12-12"),
        ("5/5/99", "2099-05-05"),
        ("31.2.2026", ""),
        ("Friday", ""),
        ("x" * 390 + " 27.11.2026", ""),
        ("x" * 389 + " 27.11.2026", "2026-11-27"),
    ],
)
def test_a_mail_program_states_a_day_that_can_be_read_in_one_way_only(text: str, day: str) -> None:
    assert headerdates.day(text) == day
