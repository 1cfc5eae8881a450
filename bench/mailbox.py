"""The digests that the owner of a mailbox would have had, hour by hour, each line with the mail that it cites.

    python -m bench.mailbox MBOX [MBOX ...] --me ADDRESS [ADDRESS ...] [--name "Ann Lee"] [--zone Europe/London]
                            [--since 2026-03-01] [--weeks 3]

For judging what memory says by mail that nobody here wrote: your own, or a public archive. Mails become rows as the
app writes them, and run through the real export, render and report stages (``tests/replay.py``), without a model and a
brain. The 45 days before ``--since`` are backfilled. A mail is sent if its sender is one of ``--me``. Conversations are
told by subjects. Nothing is sent or kept anywhere.

``--since`` is by default the first day of the weeks in which the owner wrote most. Prints the lines in the order in
which they were told, numbered, with their quotations; what was told before, and is told again, has no number.
"""

from __future__ import annotations

import argparse
import mailbox
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, date, datetime, time, timedelta
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import getaddresses, parsedate_to_datetime
from pathlib import Path
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from tests.fake_export import EPOCH, Row
from tests.replay import Replay, ToldDigest

BACKFILLED: Final = timedelta(days=45)
#: Characters of a body that are read.
BODY: Final = 20_000
_REPLY: Final = re.compile(r"(?:(?:re|fwd?|aw|wg|tr|sv)\s*:\s*)+", re.IGNORECASE)


class Mail(NamedTuple):
    """``sent``: whether the owner of the mailbox wrote it."""

    at: datetime
    sent: bool
    message: EmailMessage
    text: str


def mails(paths: Iterable[Path], me: Iterable[str]) -> list[Mail]:
    """The mails of these files in the order of their times, each once; without those that have no time or text."""
    own = {address.casefold() for address in me}
    known: dict[tuple[datetime, str], Mail] = {}
    for path in paths:
        with closing(mailbox.mbox(path, create=False)) as box:
            for raw in box:
                message = BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(raw.as_bytes())
                text, at = _text(message), _time(message)
                if at and text.strip():
                    sender = {address.casefold() for _, address in _sides(message, "From")}
                    mail = Mail(at, not own.isdisjoint(sender), message, text[:BODY])
                    known.setdefault((at, mail.text), mail)
    return sorted(known.values(), key=lambda mail: mail.at)


def versions(
    several: Iterable[Mail], name: str, zone: str, start: datetime
) -> Iterator[tuple[datetime, str, str, Row]]:
    """(time, source, record id, row) of each, as the app would write it, and of the owner's profile."""
    profile = {"display_name": name, "timezone": zone}
    yield start, "user_profiles", "owner", _row(start, profile)
    for number, mail in enumerate(several):
        source = "outbound_messages" if mail.sent else "inbound_messages"
        yield mail.at, source, f"mail-{number}", _row(mail.at, (_outbound if mail.sent else _inbound)(mail))


def busiest(several: Sequence[Mail], weeks: int) -> date:
    """The first day of the weeks in which the owner wrote most."""
    days = Counter(mail.at.date() for mail in several if mail.sent) or Counter(mail.at.date() for mail in several)
    return max(sorted(days), key=lambda day: sum(days[day + timedelta(ahead)] for ahead in range(7 * weeks)))


def shown(digests: Iterable[ToldDigest], by_id: Mapping[str, Mail]) -> Iterator[str]:
    """The lines of the digests as text; a line that an earlier digest had has no number."""
    known: set[str] = set()
    for digest in digests:
        yield f"\n=== {digest.at:%a %d %b %Y %H:%M}, {digest.document['edition']}"
        for line in (line for part in ("lines", "day_ahead", "since_evening") for line in digest.document[part]):
            text = line["text"]
            is_new = text not in known
            known.add(text)
            yield f"{f'[{len(known)}]' if is_new else '   '} ({line['kind']}) {text}"
            if is_new:
                yield from _cited(line, digest, by_id)


def _cited(line: Mapping[str, Any], digest: ToldDigest, by_id: Mapping[str, Mail]) -> Iterator[str]:
    for place in line.get("citations", ()):
        key = digest.records.get(
            (place["page"].removeprefix("brain/").removesuffix(".md"), place.get("anchor") or None)
        )
        mail = by_id.get(key[1]) if key else None
        if mail:
            header = ", ".join(
                f"{name} {mail.message[name]}" for name in ("From", "To", "Subject") if mail.message[name]
            )
            yield f"      {mail.at:%d %b %H:%M} {header}\n      \u201c{place['quote']}\u201d"


def _row(at: datetime, data: Mapping[str, Any]) -> Row:
    return Row(int((at - EPOCH).total_seconds()), at, data)


def _inbound(mail: Mail) -> dict[str, Any]:
    [(name, address), *_] = [*_sides(mail.message, "From"), ("", "")]
    headers = {key.casefold(): str(value) for key, value in mail.message.items() if key.casefold().startswith(_KEPT)}
    to, copied = (
        [{"name": each, "email": box} for each, box in _sides(mail.message, header)] for header in ("To", "Cc")
    )
    return {
        "channel": "email",
        "thread_id": _thread(mail),
        "sender_name": name,
        "sender_address": address,
        "normalized_text": mail.text,
        "received_at": mail.at.isoformat(),
        "parse_result": {"subject": str(mail.message["Subject"] or ""), "to": to, "cc": copied, "headers": headers},
    }


#: Headers that tell a list or a program.
_KEPT: Final = ("list-", "precedence", "auto-submitted", "x-auto", "feedback-id", "return-path")


def _outbound(mail: Mail) -> dict[str, Any]:
    people = [
        {"name": name, "email": address} for header in ("To", "Cc") for name, address in _sides(mail.message, header)
    ]
    first = people[0] if people else {"name": "", "email": ""}
    return {
        "channel": "email",
        "thread_id": _thread(mail),
        "title": str(mail.message["Subject"] or ""),
        "recipient_name": first["name"],
        "recipient_address": first["email"],
        "recipients": people,
        "body_text": mail.text,
        "status": "sent",
        "sent_at": mail.at.isoformat(),
    }


def _thread(mail: Mail) -> str | None:
    return _REPLY.sub("", str(mail.message["Subject"] or "").strip()).casefold() or None


def _sides(message: EmailMessage, header: str) -> list[tuple[str, str]]:
    return [(name, address) for name, address in getaddresses(map(str, message.get_all(header, []))) if address]


def _text(message: EmailMessage) -> str:
    body = message.get_body(preferencelist=("plain", "html"))
    if body is None:
        return ""
    try:
        return str(body.get_content())
    except (LookupError, UnicodeError):  # a charset that is none
        content = body.get_payload(decode=True)
        return content.decode("latin-1") if isinstance(content, bytes) else ""


def _time(message: EmailMessage) -> datetime | None:
    try:
        at = parsedate_to_datetime(str(message["Date"]))
    except ValueError:
        return None
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.mailbox", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="files in the form mbox")
    parser.add_argument("--me", nargs="+", required=True, help="addresses of the owner")
    parser.add_argument("--name", default="", help="full name of the owner")
    parser.add_argument("--zone", default="UTC", help="IANA name of the owner's time zone")
    parser.add_argument("--since", type=date.fromisoformat, help="first day that is replayed")
    parser.add_argument("--weeks", type=int, default=3)
    args = parser.parse_args()
    several = mails(args.files, args.me)
    if not several:
        parser.error("no mail with a time and a text in these files")
    zone = ZoneInfo(args.zone)
    start = datetime.combine(args.since or busiest(several, args.weeks), time(5), zone)
    end = start + timedelta(weeks=args.weeks)
    several = [mail for mail in several if start - BACKFILLED <= mail.at < end]
    rows = list(versions(several, args.name, args.zone, start - BACKFILLED))
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        replay = Replay(Path(folder), zone=zone, written=rows)
        digests = [replay.backfill(start), *replay.until(start + timedelta(hours=1), end)]
    by_id = {f"mail-{number}": mail for number, mail in enumerate(several)}
    sys.stdout.write(f"{len(several)} mails, {start:%d %b %Y} to {end:%d %b %Y}, {len(digests) - 1} digests\n")
    sys.stdout.write("\n".join(shown(digests, by_id)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
