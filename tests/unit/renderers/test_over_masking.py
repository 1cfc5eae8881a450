"""
How much ordinary text is hidden by mistake: at most one line in a thousand, of ten thousand.

The lines: half are sentences as people write at work, in eleven languages, of Faker's words and names with numbers of
every kind in them (orders, invoices, phones, parcels, UUIDs, hashes, dates, prices, versions, addresses). Half are
prose and tables of the descriptions of installed packages, which is text that nobody wrote for this test; it talks of
passwords, tokens and keys more than a person does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import distributions
from string import ascii_uppercase
from typing import Final
from uuid import UUID

import pytest
from faker import Faker

from controlplane.redaction import without_secrets
from renderers.sensitivity import mask_text

pytestmark = pytest.mark.properties

LINES: Final = 10_000
LOCALES: Final = (
    "en_US",
    "en_GB",
    "de_DE",
    "fr_FR",
    "es_ES",
    "it_IT",
    "pt_PT",
    "nl_NL",
    "sv_SE",
    "fi_FI",
    "pl_PL",
    "tr_TR",
)
#: One in each line, besides a sentence of its language.
TEMPLATES: Final = (
    "Order {n3}-{n2}-{n4} was shipped, tracking {n12}",
    "Invoice INV-{year}-{n6} over EUR {n1}.{n3},{n2} is due on {date}",
    "Bestellung {n3}-{n7}-{n7} / Rechnung {n10} vom {date}",
    "Parcel 1Z{n3}{n3}{n10}, DHL {n12}, USPS 9400 {n4} {n4} {n4} {n4} {n2}",
    "Call {name} under {phone}",
    "{name} ({email}) moved the meeting to {date} {time}",
    "ticket PRJ-{n4}, commit {sha}, build {n6}",
    "id {uuid}, see https://{domain}/{slug}?id={n10}&page={n2}",
    "{name} needs a new password, the old password is expired",
    "The access code for the door and the postal code {n5} are in the note of {name}",
    "code review of {slug}: {n3} lines, {n2} comments, version {n1}.{n2}.{n3}",
    "Price {n4}.{n2} USD, {n2} % off with the promo code SPRING{n2}",
    "Room {n3}, {street}, {n5}",
    "IP {ipv4}, MAC {mac}, port {n4}, at {timestamp}",
    "Case {n10}, reference {n4} {n4} {n4}, customer {n8}",
    "the secret of {name} is to ask early, and the token of thanks was a cake",
    "Your code is in review, {name}: line {n4} of {slug}.py",
    "Flight LH{n4}, seat {n2}A, booking {letters}",
    "{name} wrote: \"pin the list, key point {n1}: ship {slug} by {date}\"",
    "ISBN 978-{n1}-{n4}-{n4}-{n1}, {n13}",
    "bearer of the news is {name}; the passport office opens at {time}",
    "pass: the salt, {name}; pass rate {n2} %, {n3} tests pass / {n2} fail, PASS={n4}",
    "code: {n3}, status code: {n4}, error code {n5}, promo code: {n6}, product code: {n6}",
    "zip code: {n5}, PLZ {n5}, code postal : {n5}, c\u00f3digo postal: {n5}, kod pocztowy {n5}",
    "pin {n4} to the board, {name}; the token count is {n6}, max_tokens={n6}",
    "Artikelcode: {n6}, Kundencode {n8}, Bestellnummer: {n8}, Passwort ge\u00e4ndert am {date}",
    "code produit : {n6}, mot de passe modifi\u00e9 le {date}, r\u00e9f\u00e9rence {n8}",
    "c\u00f3digo de producto: {n6}, la clave del \u00e9xito: {n4} clientes, contrase\u00f1a cambiada el {date}",
    "codice cliente: {n6}, parola chiave del progetto, password scaduta il {date}",
    "c\u00f3digo do produto: {n6}, senha alterada em {date}, pedido {n8}",
    "productcode: {n6}, wachtwoord gewijzigd op {date}, ordernummer {n8}",
    "kod produktu: {n6}, has\u0142o zmienione {date}, numer {n8}",
    "\u00fcr\u00fcn kodu: {n6}, posta kodu: {n5}, \u015fifre {date} tarihinde de\u011fi\u015ftirildi",
    "Use {n4} to {n5} words, enter {n5} {street}, type {n4} lines",
    "Password policy {year}: at least {n2} characters; password reset ticket {n8}; cookies: {n2}",
)  # fmt: skip


def written_lines(count: int) -> Iterator[str]:
    """Sentences at work with numbers in them."""
    dice = random.Random(20261128)
    speakers = {locale: Faker(locale) for locale in LOCALES}
    for number, speaker in enumerate(speakers.values()):
        speaker.seed_instance(number)

    def digits(size: int) -> str:
        return str(dice.randrange(10 ** (size - 1), 10**size))

    dates = [f"{d}{m}{y}" for d in ("03.", "17 ") for m in ("05.", "Nov ") for y in (2024, 2026)] + [
        "2026-05-30",
        "5/30/26",
    ]
    for number in range(count):
        fake = speakers[LOCALES[number % len(LOCALES)]]
        values = Made(
            **{f"n{size}": partial(digits, size) for size in range(1, 14)},
            year=lambda: dice.randrange(1990, 2031),
            date=lambda: dice.choice(dates),
            time=lambda: f"{dice.randrange(24):02d}:{dice.randrange(60):02d}",
            timestamp=lambda: f"2026-0{dice.randrange(1, 10)}-1{dice.randrange(10)}T10:30:00.{digits(6)}Z",
            sha=lambda: f"{dice.getrandbits(160):040x}",
            uuid=lambda: UUID(int=dice.getrandbits(128)),
            ipv4=lambda: ".".join(str(dice.randrange(256)) for _ in range(4)),
            mac=lambda: ":".join(f"{dice.randrange(256):02x}" for _ in range(6)),
            letters=lambda: "".join(dice.choices(ascii_uppercase, k=6)),
            phone=fake.phone_number,
            name=fake.name,
            email=fake.ascii_safe_email,
            domain=partial(domain, fake),
            slug=partial(slug, fake),
            street=fake.street_address,
        )
        yield f"{TEMPLATES[number % len(TEMPLATES)].format_map(values)}. {fake.sentence(8)}"


def domain(fake: Faker) -> str:
    return f"{fake.domain_word()}.example"


def slug(fake: Faker) -> str:
    return "-".join(fake.words(3))


class Made(dict[str, Callable[[], object]]):
    """Values that are made when a template asks for them: Faker takes long for each."""

    def __getitem__(self, name: str) -> object:  # type: ignore[override]  # a template wants values
        return super().__getitem__(name)()


def described_lines(count: int) -> list[str]:
    """Lines of the descriptions of what is installed, evenly from all of them that show no secrets on purpose."""
    lines: set[str] = set()
    for distribution in distributions():
        if distribution.name in {"detect-secrets", "PyJWT", "cloop-memory"}:
            continue
        body = distribution.metadata.get_payload()  # type: ignore[attr-defined]  # it is an e-mail message
        lines.update(line.strip() for line in str(body).splitlines() if len(line.strip()) > 20)
    return random.Random(1).sample(sorted(lines), count)


@pytest.mark.parametrize("made", [written_lines, described_lines], ids=["written", "described"])
def test_of_a_thousand_ordinary_lines_at_most_one_is_hidden(made: object) -> None:
    lines = list(made(LINES // 2))  # type: ignore[operator]
    assert len(lines) == LINES // 2
    hidden = [(masked, line) for line in lines for masked, kinds in [mask_text(line)] if kinds]
    assert len(hidden) <= len(lines) / 1000, "\n".join(f"{masked}\n  of {line}" for masked, line in hidden)
    # What the control plane removes, pages hide too: its forms are among theirs.
    assert {line for line in lines if without_secrets(line)[1]} <= {line for _, line in hidden}
