"""Each form finds each of its alternatives, and no gate keeps a form from a text that it would find something in."""

from __future__ import annotations

import importlib
import pkgutil
import re

import detect_secrets.plugins
import pytest
from detect_secrets.plugins.base import RegexBasedDetector
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract.forms import Form, Forms, needed
from contract.secretforms import FORMS, NAMES, SECRETS
from renderers import restricted, sensitivity
from tests import secret_samples as samples
from tests.cases import cases
from tests.tables import table

SAMPLES = [
    *((name, sample) for name, some in samples.TOKENS.items() for sample in some),
    *(("password", sample) for sample in samples.PASSWORDS),
    *(("one_time_code", sample) for sample in samples.ONE_TIME_CODES),
]


def hidden(text: str) -> tuple[str, list[str]]:
    return SECRETS.replace(text, lambda _: "[x]")


@table(("name", "sample"), SAMPLES)
def test_each_alternative_is_found_and_nothing_around_it(name: str, sample: str) -> None:
    before, secret, after = samples.parts(sample)
    if name == "url_password":
        after = "@db.example/x"
    for left, right in [("", ""), ("See ", " there"), ("a\n", "\nb"), ("(", ")")]:
        text, names = hidden(f"{left}{before}{secret}{after}{right}")
        assert names == [name]
        assert secret not in text
        # A password is any text up to a space.
        assert text in {f"{left}{before}[x]{after}{right}", f"{left}{before}[x]{after}{right.lstrip(')')}"}
        assert hidden(text) == (text, []), "what was replaced is found again"


def test_every_form_has_samples() -> None:
    assert {name for name, _ in SAMPLES} == NAMES


#: Why a detector of detect-secrets is not used.
LEFT_OUT = {
    "Base64HighEntropyString": "hides ids, hashes and addresses",
    "HexHighEntropyString": "hides ids, hashes and addresses",
    "HighEntropyStringsPlugin": "the base of both",
    "IPPublicDetector": "an address is no secret",
    "KeywordDetector": "knows code, not sentences: api_key and password are ours",
    "TwilioKeyDetector": "the id of an account or key, not its secret",
    "DiscordBotTokenDetector": "nothing in it is rare enough to look for first",
    "NpmDetector": "its time grows with the square of a hostile line; npm_token is ours",
    "TelegramBotTokenDetector": "any two numbers with a colon; telegram_token asks for the mark",
    "PrivateKeyDetector": "finds the first line of a key; private_key is ours",
    "JwtTokenDetector": "leaves the signature; jwt is ours",
    "BasicAuthDetector": "url_password finds a password without a user name too",
    "ArtifactoryDetector": "its second expression hides words that begin with AP; artifactory_token is its first",
    **dict.fromkeys(
        ("CloudantDetector", "IbmCloudIamDetector", "IbmCosHmacDetector", "SoftlayerDetector"),
        "a name of a key and its value: api_key and password find those",
    ),
}


def test_every_detector_of_the_library_is_used_or_left_out_for_a_reason() -> None:
    used = {form.pattern.pattern for form in FORMS}
    there = set()
    for module in pkgutil.iter_modules(detect_secrets.plugins.__path__):
        for name, value in vars(importlib.import_module(f"detect_secrets.plugins.{module.name}")).items():
            if name.endswith(("Detector", "String", "Plugin")) and name not in {"RegexBasedDetector", "BasePlugin"}:
                there.add(name)
                if name in LEFT_OUT:
                    continue
                assert issubclass(value, RegexBasedDetector)
                patterns: list[re.Pattern[str]] = list(value.denylist)
                assert {pattern.pattern for pattern in patterns} <= used, name
    assert there >= LEFT_OUT.keys()


#: Its expression is too long to make texts from: test_sensitivity.py has an IBAN of each country.
MADE_FROM = [form for form in (*FORMS, *restricted.RESTRICTED) if form.name != "bank account"]


@pytest.mark.properties
@pytest.mark.parametrize("form", MADE_FROM, ids=lambda form: form.name)
def test_a_gate_is_never_stricter_than_its_form(form: Form) -> None:
    """Any text that matches, in any case that it matches in, passes the gate that was derived from the form."""
    alone = Forms([form], shortest=0)

    @settings(max_examples=cases(10), deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(form.pattern), st.sampled_from([str, str.upper, str.lower, str.title]))
    def check(text: str, changed: object) -> None:
        text = changed(text)  # type: ignore[operator]
        if form.pattern.search(text):
            assert alone.possible(text) == [form]

    check()


@table(
    ("pattern", "words"),
    [
        ("abc", {"abc"}),
        ("ABC", {"abc"}),
        ("(?:ab|cd)e", {"abe", "cde"}),
        ("g(?:h[po]_x+|lab_y+)", {"ghp_x", "gho_x", "glab_y"}),
        ("x?abc", {"abc", "xabc"}),
        ("a?b?", set()),
        ("(?:abc)?", set()),
        ("(?:abc)+", {"abc"}),
        ("(?:abc|.)", set()),
        ("[a-z]{3}", set()),
        (r"ab\d", {f"ab{digit}" for digit in range(10)}),
        ("(?=abc).", {"abc"}),
        ("(?<=://)x", {"://"}),
        ("(?!abc)xy", {"xy"}),
        ("(?i)Straxe|Abc", {"straxe", "abc"}),
        ("a{2}b", {"aab"}),
        ("ab{1,2}c", {"abc", "abbc"}),
        (".*", set()),
    ],
)
def test_the_words_that_an_expression_needs(pattern: str, words: set[str]) -> None:
    assert needed(re.compile(pattern, re.ASCII)).words == words


def test_an_expression_that_would_take_other_letters_for_ascii_is_refused() -> None:
    with pytest.raises(ValueError, match="ASCII"):
        needed(re.compile("(?i)secret"))
    with pytest.raises(ValueError, match="word"):
        Form("any", re.compile(r"\d+", re.ASCII))


@table(
    "text",
    [
        *("the password is expired", "Password: required", "reset your password here", "password: see attached"),
        *("Passwort ist abgelaufen", "Passwort: siehe unten", "forgot password? https://example.com/reset?x=1"),
        *("password changed: 2026-05-30", "Password: 2026-05-30", "le mot de passe est obligatoire"),
        *(
            "the password policy is strict",
            "my password manager is 1Password",
            "hasło to podstawa",
            "clave: es la idea",
        ),
        *("your postal code is 10115", "zip code 94107", "promo code 123456", "error code 404404", "code 2026-05-30"),
        *(
            "The code is in src/app.py line 1234",
            "dress code: smart",
            "Ihr Code ist toll",
            "country code +4930",
            "area code 0301",
        ),
        *("10 is your number", "2026 is your year to code", "bearer of bad news about risk-free task-1234567890"),
        *(
            "token of appreciation",
            "secret: we all meet on Friday at noon",
            "API key: ask Anna",
            "access token: expires soon",
        ),
        *(
            "パスワードは8文字以上です",
            "Пароль истёк 12.05.2026",
            "密码长度为8-16位",
            "Забыли пароль? https://example.com/r?x=1",
        ),
        *(
            "код 2026 года",
            "비밀번호는 8자 이상",
            "验证码已发送",
            "Номер заказа 123456789",
            "订单号 12345678",
            "コードレビューは10時",
        ),
        *(
            "sk-learn-is-a-nice-library-for-us-all",
            "the gh in ghost, the eyJ in nothing, AKIAshort",
            "12:30 meeting @ noon://x",
        ),
        *("https://example.com/path?sk-ip=1", "https://example.com/a:b@c", "an asian market, a tapestry, a shape"),
        *("550e8400-e29b-41d4-a716-446655440000", "da39a3ee5e6b4b0d3255bfef95601890afd80709", "v1.2.3-rc.4+build.567"),
        *(
            "2026-05-30T13:30:00.000000Z",
            "+49 30 1234567-89",
            "1Z 999 AA1 01 2345 6784",
            "INV-2026-004711",
            "EUR 1.234.567,89",
        ),
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert hidden(text) == (text, [])
    assert sensitivity.mask_text(text) == (text, [])


@table(
    ("text", "shown"),
    [
        ("passphrase: lamp river seven quay", "passphrase: [x]"),
        ("See the Wi-Fi.\nPassphrase: lamp-river-seven\nBob", "See the Wi-Fi.\nPassphrase: [x]\nBob"),
        ("Seed phrase: lamp river seven quay barn shed", "Seed phrase: [x]"),
        ("passphrase: to be announced", "passphrase: to be announced"),
        ("passphrase: ask bob for it", "passphrase: ask bob for it"),
        ("Passphrase: lamp river seven is what Bob said", "Passphrase: lamp river seven is what Bob said"),
    ],
)
def test_a_passphrase_of_plain_words_is_hidden(text: str, shown: str) -> None:
    assert hidden(text)[0] == shown
