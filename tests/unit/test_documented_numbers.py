"""Numbers that the documents promise to users, clients and operators, in the words of the documents."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from annotated_types import MaxLen
from pydantic import BaseModel

from consumer import breakers
from consumer.agent import (
    answerer,
    bounds,
    embedder,
    netfence,
    subagents,
)
from consumer.agent import (
    reader as model_reader,
)
from consumer.agent.gateway import app as gateway
from consumer.agent.gateway import bodies, server, upstream, usage
from consumer.agent.hermes import agent as hermes
from consumer.agent.hermes import state as hermes_state
from consumer.agent.localbrain import tools as localbrain
from consumer.console import dead_letters as console_letters
from consumer.console import library as console_library
from consumer.console import pages as console_pages
from consumer.console import sessions as console_sessions
from consumer.delivery import ledger, resolving
from consumer.erasure import late_writers
from consumer.evidence.search import embedding, passages, ranking, related, searching, words
from consumer.maintenance import gc
from consumer.reports import (
    agentmemory,
    asking,
    claims,
    context,
    dreams,
    news,
    preferences,
    remembered,
    reporting,
    standing,
    today,
    view,
    waking,
)
from consumer.reports.detectors import revisions, terms, themes
from consumer.snapshot import snapshot
from consumer.stages import export as export_stage
from contract import assistants as tokens
from contract import orders as forget
from contract.api import BatchRequest
from controlplane import bucket_tokens, corrections, export, feedback, operators, orders
from controlplane import settings as controlplane_settings
from reader import grants, library, meaning, model, sessions
from reader.limits import RATES
from renderers import grouping, samename, splitting
from service import telemetry
from tests.tables import table

DOCS: Final = Path(__file__).parents[2] / "docs"
MIB: Final = 1024 * 1024
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@cache
def text(document: str) -> str:
    return " ".join((DOCS / f"{document}.md").read_text(encoding="utf-8").split())


def longest(form: type[BaseModel], name: str) -> int:
    (limit,) = [each.max_length for each in form.model_fields[name].metadata if isinstance(each, MaxLen)]
    return limit


@table(
    ("document", "promise", "number", "wanted"),
    [
        # What a user or a client of "My memory" meets.
        ("reader", "a user may make 240 calls", RATES["read"].a_minute, 240),
        ("reader", "ask 30 questions", RATES["ask"].a_minute, 30),
        ("reader", "of which a model answers at most 10", RATES["model"].a_minute, 10),
        ("reader", "make or undo 60 corrections", RATES["correct"].a_minute, 60),
        ("reader", "request 10 lists of what to forget", RATES["forget"].a_minute, 10),
        ("reader", "and order one export", RATES["export"].a_minute, 1),
        ("reader", "12 questions at once in this process", model.AT_ONCE, 12),
        ("reader", "nothing within 20 seconds", answerer.ANSWER_S, 20),
        ("reader", "opens the pages once, within ten minutes", sessions.CODE_LIFE, 10 * MINUTE),
        ("reader", "It ends with the token, after 8 hours", sessions.LIFE, 8 * HOUR),
        ("reader", "keeps this grant for a minute at most", grants.KEEP_S, 60),
        ("reader", "idle ones after 15 minutes", library.IDLE_S, 900),
        ("reader", "the list is older than ten minutes", orders.TOKEN_LIFE_S, 600),
        ("reader", "`days` up to 365", tokens.MOST_DAYS, 365),
        ("reader", "`facts` | 8,000", context.LIMITS["facts"], 8000),
        ("search", "waits at most one second", meaning.WAIT_S, 1),
        ("search", "the vectors of the last 200 questions", meaning.KEPT, 200),
        # What calls of the control plane may ask and get.
        ("contract", "`source_keys` names at most 64 sources", longest(BatchRequest, "source_keys"), 64),
        ("contract", "lives for at most 15 minutes", bucket_tokens.LIFE, 15 * MINUTE),
        ("contract", "(`source`, `id`; at most 2,000)", forget.MAX_FORGOTTEN, 2000),
        ("contract", "also reads the first 100,000 records", export_stage.EXAMINED_RECORDS, 100_000),
        ("contract", "compares again (at most twice)", export_stage.RECOUNTS, 2),
        ("controlplane", "at most 8 MiB of records", export.PAGE_BYTES, 8 * MIB),
        ("controlplane", "At most 5,000 corrections of a user can be in force", corrections.MOST, 5000),
        ("controlplane", "If at least 20 claims of a user have a verdict", feedback.LEAST_MARKS, 20),
        ("controlplane", "more than 5 % of these verdicts are `wrong`", feedback.WRONG_SHARE, 0.05),
        ("controlplane", "less than half are `useful`", feedback.USEFUL_SHARE, 0.5),
        ("operations", "at most 32 days", controlplane_settings.MAX_GRACE_S, 32 * 86_400),
        ("data-model", "at most 1,000 of a source", export_stage.NAMED_REFUSALS, 1000),
        # What an operator sees.
        ("console", "50 a page", operators.PAGE, 50),
        ("console", "refreshes every 10 s while a job runs", console_pages.LIST_S, 10),
        ("console", "Refreshes every 3 s until the job is over", console_pages.LIVE_S, 3),
        ("console", "at most 2,000 at once", console_letters.MOST_AT_ONCE, 2000),
        ("console", "files over 256 KiB as plain text", console_pages.RENDERED, 256 * 1024),
        ("console", "works once, within ten minutes", console_sessions.LINK_LIFE, 10 * MINUTE),
        ("console", "ends after 30 idle minutes", console_sessions.IDLE, 30 * MINUTE),
        ("console", "after 8 hours, or at sign-out", console_sessions.LIFE, 8 * HOUR),
        ("console", "keeps the last four viewed snapshots", console_library.KEPT, 4),
        ("operations", "spends at most two seconds on sending the rest", telemetry.FLUSH_S, 2),
        # What becomes of a job.
        ("delivery", "From 5 on, each interruption logs an error", resolving.ALARM_INTERRUPTIONS, 5),
        ("delivery", "the next attempt waits a minute", resolving.ALARM_DELAY_S, 60),
        ("delivery", "until it is ten minutes old", resolving.UNKNOWN_GRACE_S, 600),
        ("delivery", "30 s to 4 min", (ledger.SHORTEST_WAIT_S, ledger.LONGEST_WAIT_S), (30, 240)),
        ("delivery", "from calling the service for 5 s", breakers.FIRST_PAUSE_S, 5),
        ("delivery", "for up to 60 s if the service keeps failing", breakers.LONGEST_PAUSE_S, 60),
        ("delivery", "delivered for the first time for only 2 s", breakers.NEW_PAUSE_S, 2),
        ("delivery", "gc removes the objects after 24 h", gc.GRACE, DAY),
        ("erasure", "Three hours later (longer than the longest run", late_writers.HORIZON, 3 * HOUR),
        ("workspace", "Files over 128 KiB are split into blocks of that size", snapshot.BLOCK_BYTES, 128 * 1024),
        # What an agent may do.
        ("agent", "no log line, session write or claims file for four minutes", hermes.STALL_S, 240),
        ("agent", "The newest 200 stay in `hermes-home/state.db`", hermes_state.SESSIONS, 200),
        ("agent", "Only the last two keep their tool results", hermes_state.WHOLE_SESSIONS, 2),
        ("agent", "16 MiB, 100,000 values or 64 levels", bodies.BODY_BYTES, 16 * MIB),
        ("agent", "16 MiB, 100,000 values or 64 levels", (bodies.BODY_VALUES, bodies.BODY_DEPTH), (100_000, 64)),
        ("agent", "at four characters a token", usage.BYTES_A_TOKEN, 4),
        ("agent", "a stream is cut after 128 MiB", usage.STREAM_BYTES, 128 * MIB),
        ("agent", "or after 1 MiB of one line", usage.EVENT_BYTES, MIB),
        ("agent", "is read up to 64 KiB or 10 s", (upstream.ERROR_BYTES, upstream.ERROR_S), (64 * 1024, 10)),
        ("agent", "after the pause that the provider asks for, up to 20 s", upstream.LONGEST_PAUSE_S, 20),
        ("agent", "at most 128 connections; headers and body have 60 s each", server.CONNECTIONS, 128),
        ("agent", "headers and body have 60 s each", (server.HEAD_S, gateway.BODY_S), (60, 60)),
        ("agent", "at most four completions and twenty embeddings", tuple(gateway.AT_ONCE.values()), (4, 20)),
        ("agent", "holds at most 128 connections", netfence.MOST, 128),
        ("agent", "An answer has at most 200 claims", claims.CLAIMS, 200),
        ("agent", "A search answers with 8 snippets of at most 60 words", bounds.SNIPPETS, 8),
        ("agent", "8 snippets of at most 60 words", bounds.SNIPPET_WORDS, 60),
        ("agent", "a subagent that would have less than 30 s does not start", subagents.LEAST_S, 30),
        ("agent", "2,200 characters, of which notes 1,100", agentmemory.CHARS[agentmemory.MEMORY], 2200),
        ("agent", "of which notes 1,100", agentmemory.NOTES_CHARS, 1100),
        ("memory", "After five such records and no usable answer", model_reader.MOST_UNUSABLE, 5),
        # What a search finds.
        ("search", "at most eight pages by default (20 on request)", localbrain.HITS, 8),
        ("search", "at most eight pages by default (20 on request)", localbrain.MOST_HITS, 20),
        ("search", "The local brain waits for it at most two seconds", localbrain.QUESTION_S, 2),
        ("search", "384 numbers of eight bits", embedder.DIMENSIONS, 384),
        ("search", "A passage has about 1,200 characters", passages.PASSAGE_CHARS, 1200),
        ("search", "a snippet of 60 words of its best passage", words.SNIPPET_WORDS, 60),
        ("search", "A word of six letters or more", searching._STEM_LETTERS, 6),
        ("search", "the search looks up the twelve that the fewest passages have", searching.MOST_LOOKED_UP, 12),
        ("search", "The hundred pages with the most of these words move up", ranking.RELATED_PAGES, 100),
        ("search", "at most three passages of a page", ranking.PASSAGES_PER_PAGE, 3),
        ("search", "At most two pages keep the first places", ranking.KEPT_BY_WORDS, 2),
        ("search", "the 40 words that count most", related.TERMS, 40),
        ("search", "more than 250, or more than 30 percent", related.MOST_PASSAGES, 250),
        ("search", "64 passages at a time", embedding.BATCH, 64),
        ("search", "about 2,000 passages a run", embedding.MOST_PASSAGES, 2000),
        # What a report says, and when.
        ("reports", "Night begins 14 hours after the user's morning", preferences.DAY_LONG, 14 * HOUR),
        ("reports", "most records in which the user says something (at least three)", preferences.OWN_RECORDS, 3),
        ("reports", "Each line cites at most two places", today.CITED, 2),
        ("reports", "lists the open loops (the first 100", remembered.LISTED, 100),
        ("reports", "a meeting begins within 24 hours", (news.AHEAD_HOURS, waking.AHEAD), (24, DAY)),
        ("reports", "dated, or at most 14 days old", news.NEWS_DAYS, 14),
        ("reports", "an hour later, if an item waits for room", waking.SOON, HOUR),
        ("reports", "leaves one of the seven lines free", view.LINES, 7),
        ("asking", "changes in the last 14 days", remembered.NEWS_DAYS, 14),
        ("asking", "at most four standing facts and four open loops", asking.RECORDS, 4),
        ("brains", "30 days, or until a page that it cites is removed", dreams.KEPT_DAYS, 30),
        ("memory", "a verified claim whose confidence is below 0.5 separately", reporting.SURE, 0.5),
        ("memory", "on at least three days and in at least two sources", terms.LEAST_DAYS, 3),
        ("memory", "in at least two sources", themes.LEAST_SOURCES, 2),
        ("memory", "(at most three passages)", revisions.PER_RECORD, 3),
        ("memory", "With 500 pages of evidence or more", standing.LEAST_PAGES, 500),
        ("memory", "Nobody else among 300 names or more has the family name", samename._MANY, 300),
        ("concepts", "A record of 20,000 characters or more has a page of its own", grouping.LONG_RECORD, 20_000),
        ("concepts", "divided into parts of at most 40,000 characters", splitting.PART_CHARS, 40_000),
    ],
)
def test_what_a_document_promises_holds(document: str, promise: str, number: Any, wanted: Any) -> None:
    assert promise in text(document)
    assert number == wanted
