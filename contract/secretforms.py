"""
Secrets by their form: one list for the control plane, which removes them before anything leaves the database, and for
the pages, on which none may stand even so.

Forms of token makers come from detect-secrets where its expression is complete by itself; the others, and passwords and
one-time codes as people write them, are ours. Not taken from detect-secrets, where ``tests/unit/contract/
test_secretforms.py`` lists each with its reason: what hides ordinary text, what finds only a part of what must go, and
what takes long on a hostile text. Its expressions are read and nothing of it is called, so its verification, which
sends a secret to its maker, never runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.openai import OpenAIDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector

from contract.forms import SPACES, Form, Forms

PRIVATE_KEY: Final = "private_key"
PASSWORD: Final = "password"
ONE_TIME_CODE: Final = "one_time_code"


def _has_digit(value: str) -> bool:
    """A generated key of twenty characters has a digit; a word of a slug has none."""
    return any(character.isdigit() for character in value)


def _no_slug(value: str) -> bool:
    """A name of words with hyphens between them is no key; what has no more than the mark's hyphen may be one."""
    return _has_digit(value) or value.count("-") == 1


def _written(expression: str) -> re.Pattern[str]:
    """An expression over several lines that ignores case; a space in it is written ``[ ]``."""
    return re.compile(expression, re.IGNORECASE | re.ASCII | re.VERBOSE)


def _token(name: str, expression: str, *, digit: bool = True) -> Form:
    """A token that begins with its maker's mark, case as written."""
    return Form(name, re.compile(expression, re.ASCII), _has_digit if digit else bool)


def _library(name: str, detector: type[RegexBasedDetector]) -> Iterable[Form]:
    patterns: Iterable[re.Pattern[str]] = detector.denylist  # type: ignore[assignment]  # declared as a method there
    for pattern in patterns:
        yield Form(name, re.compile(pattern.pattern, (pattern.flags & ~re.UNICODE) | re.ASCII), _has_digit)


# --- passwords, as people write them ---------------------------------------------------------------------------------

#: English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Finnish, Polish, Danish, Norwegian.
_PASSWORD_WORD: Final = r"""
    (?<![A-Za-z])
    (?: pass(?:word|wort|code|phrase|wd|ord) | pwd | pw | psw | pgpassword | kennwort
      | zugangscode | (?:mot|mots)[ ]de[ ]passe | mdp
      | contrase[\u00f1\u00d1n]a | clave | parola[ ](?:d['\u2019]ordine|chiave) | senha | palavra[- ]passe | wachtwoord
      | l[\u00f6\u00d6o]senord | salasana | has[\u0142\u0141l]o | adgangskode | kodeord )
    (?:s|e|n|et|si|ni|sana)? (?![A-Za-z0-9])
    ["'`*]{0,2}
"""
_IS: Final = r"(?:is|ist|lautet|est|es|\u00e8|\u00e9|\u00e4r|\u00c4r|on|to|to[ ]jest|jest|er|was|war)"
_SAYS: Final = rf"(?: [^\S\n]{{0,3}} (?::=|=>|->|=|:|\u2013) \s{{0,4}} (?:\*\*)? | [ ]{{1,3}} {_IS} :? [ ]{{1,3}} )"
_OPEN, _CLOSE = "[\"'`\u201c\u201e\u00ab\u2018\u201a]", "[\"'`\u201d\u201c\u00bb\u2019\u2018]"
_QUOTED: Final = rf"{_OPEN} (?P<value> [^\"'`\u201c\u201d\u00bb\u2019\n\[]{{4,80}} ) {_CLOSE}"
#: Not a placeholder, an address, a date, or the beginning of markup.
_UNQUOTED: Final = r"(?P<value> (?! [\[<{(*\u2022] | https?:// | \d{4}-\d\d-\d\d ) [^\s\"'`<>\u201c\u201d]{4,128} )"


def _chosen(value: str) -> bool:
    """What a person or a generator chose as a password; a word of a sentence ("expired", "see-above") is none."""
    value = value.rstrip(".,;:!?)")
    if len(value) < 4 or not any(map(str.isalnum, value)):
        return False
    if any(character.isdigit() or character in "!@#$%^&*+=?~_|\\" for character in value):
        return True
    return value.count("-") >= 2 or bool(re.search(r"[a-z][A-Z]", value))


def _any_word(value: str) -> bool:
    return any(map(str.isalnum, value))


_PASSWORDS: Final = (
    Form(PASSWORD, _written(rf"{_PASSWORD_WORD} {_SAYS} {_QUOTED}"), _any_word),
    Form(PASSWORD, _written(rf"{_PASSWORD_WORD} [ ]{{1,3}} {_QUOTED}"), _chosen),
    Form(PASSWORD, _written(rf"{_PASSWORD_WORD} {_SAYS} {_UNQUOTED}"), _chosen),
)

# --- one-time codes --------------------------------------------------------------------------------------------------

_GAP: Final = rf"[ {SPACES}-]"
_CODE: Final = (
    rf"(?P<value> (?<![\w.,:/-]) (?: [A-Z]{{1,3}}- )? (?: \d{{3}}{_GAP}\d{{3}} | \d{{4,8}} ) (?![\w/-]|[.,:]\d) )"
)
#: The word "code" in compounds and with endings.
_CODE_WORD: Final = r"""
    (?: code | kode? | c[o\u00f3\u00d3]digo | codice | koodi | kod )
    (?: s | n | en | si | ni | et )? (?![A-Za-z])
"""
_MADE_FOR: Final = r"""
    (?: verification | verify | security | log-?[ ]?in | sign-?[ ]?in | confirmation | authentication | authorization
      | one[- ]time | access | activation | 2fa | mfa | otp | sms
      | best[\u00e4\u00c4]tigungs | sicherheits | verifizierungs | anmelde | einmal | zugangs
      | verificatie | beveiligings | inlog | verifierings | s[\u00e4\u00c4]kerhets | eng[\u00e5\u00c5]ngs
      | vahvistus | varmennus | weryfikacyjny | jednorazowy | bekr[\u00e6\u00c6]ftelses | engangs )
"""
#: Of whom: "your code". Right before the word, since "your postal code is 10115" is none.
_YOUR: Final = r"""
    (?<![A-Za-z]) (?: your | ihr | dein | votre | ton | su | tu | il[ ]tuo | il[ ]suo | seu | o[ ]seu | uw | je | jouw
      | din | ditt | tw[o\u00f3\u00d3]j | sinun | the )
"""
_AFTER: Final = r"(?: de | di | d['\u2019] )"
_FOR: Final = r"""
    (?: v[e\u00e9\u00c9]rification | verificaci[o\u00f3\u00d3]n | verifica | verifica[c\u00e7\u00c7][a\u00e3\u00c3]o
      | confirmation | confirmaci[o\u00f3\u00d3]n | conferma | confirma[c\u00e7\u00c7][a\u00e3\u00c3]o
      | s[e\u00e9\u00c9]curit[e\u00e9\u00c9] | seguridad | sicurezza | seguran[c\u00e7\u00c7]a
      | acceso | accesso | acesso | acc[e\u00e8\u00c8]s | weryfikacyjny | jednorazowy )
"""
_TELLS: Final = rf"(?: \s{{0,3}} (?::|=) | [ ]{{1,3}} (?:{_IS} | voor | for | f[\u00fc\u00dc]r) :? )? \s{{0,6}}"
_SURELY: Final = rf"(?: \s{{0,3}} (?::|=) | [ ]{{1,3}} {_IS} :? ) \s{{0,6}}"
_ONE_TIME_CODES: Final = (
    Form(ONE_TIME_CODE, _written(rf"(?<![A-Za-z]) {_MADE_FOR} [- ]? {_CODE_WORD} {_TELLS} {_CODE}")),
    Form(ONE_TIME_CODE, _written(rf"(?<![A-Za-z]) {_CODE_WORD} [ ] (?:{_AFTER} [ ]?)? {_FOR} {_TELLS} {_CODE}")),
    Form(ONE_TIME_CODE, _written(rf"{_YOUR} [ ] {_CODE_WORD} {_SURELY} {_CODE}")),
    Form(ONE_TIME_CODE, _written(rf"(?<![A-Za-z]) (?: otp | m-?tan | one[- ]time[ ]p(?:in|assword)) {_TELLS} {_CODE}")),
    Form(
        ONE_TIME_CODE,
        _written(
            rf"{_CODE} [ ] (?:is|ist|est|es) [ ] (?:your|ihr|dein|votre|su|tu) [ ] (?: \w{{1,20}} [ ] )?"
            rf"(?: {_MADE_FOR} [- ]? )? (?: {_CODE_WORD} | otp | passcode )"
        ),
    ),
)

# --- keys that are named ---------------------------------------------------------------------------------------------

_KEY_NAME: Final = r"""
    (?<![A-Za-z0-9])
    (?: (?: api | access | secret | private | auth | client | app | application | account | service | encryption
          | signing | master | shared | refresh | session | bearer | deploy | webhook )
        [ _.-]? (?: key | token | secret )
      | api-?schl[\u00fc\u00dc]ssel | cl[e\u00e9\u00c9][ ]api | clave[ ]api | chiave[ ]api | zugriffstoken )
    s? (?![A-Za-z0-9]) ["'`\])]{0,3}
"""
_NAMED: Final = (
    Form("api_key", _written(rf"{_KEY_NAME} {_SAYS} [\"'`]? {_UNQUOTED.replace('{4,128}', '{8,512}')}"), _has_digit),
    Form(
        "api_key",
        _written(
            r"(?<![A-Za-z]) (?:token|secret) [\"'`]? [ ]{0,3} (?:=|:) [ ]{0,3} [\"'`]? (?P<value> [\w.~+/=-]{12,512})"
        ),
        _has_digit,
    ),
)

#: Secrets by form, in the order in which they are tried: a whole key before a part of it, a maker's mark before a name.
FORMS: Final[tuple[Form, ...]] = (
    Form(
        PRIVATE_KEY,
        re.compile(
            r"-----? ?BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)? ?-----?"
            r".*?(?:-----? ?END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)? ?-----?|\Z)",
            re.DOTALL | re.ASCII,
        ),
    ),
    Form(PRIVATE_KEY, re.compile(r"PuTTY-User-Key-File-\d.*?(?:Private-MAC: ?[A-Za-z0-9]*|\Z)", re.DOTALL | re.ASCII)),
    _token("jwt", r"\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{4,}){1,3}\.[A-Za-z0-9_-]{8,}", digit=False),
    Form("url_password", re.compile(r"(?<=://)(?!\[)[^\s/:@]{0,64}:[^\s/@]{1,128}(?=@)", re.ASCII)),
    Form("model_key", re.compile(r"\bsk-[A-Za-z0-9_-]{20,}", re.ASCII), _no_slug),
    _token("github_token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})", digit=False),
    _token("gitlab_token", r"\bgl(?:pat|dt|ft|soat|rt|cbt|ptt|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{20,}", digit=False),
    _token("slack_token", r"\b(?:xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,})"),
    _token(
        "google_token", r"\b(?:ya29\.[A-Za-z0-9_-]{20,}|AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,})", digit=False
    ),
    _token("google_token", r"(?<![\w/])1//[A-Za-z0-9_-]{30,}", digit=False),
    _token("aws_key", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b", digit=False),
    _token("stripe_key", r"\b(?:[rs]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}", digit=False),
    _token("sendgrid_key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}", digit=False),
    _token("npm_token", r"\bnpm_[A-Za-z0-9]{30,}", digit=False),
    _token("npm_token", r":_authToken=\s?(?P<value>[^\s\[]{8,200})"),
    _token("hugging_face_token", r"\bhf_[A-Za-z0-9]{30,}", digit=False),
    _token("pypi_token", r"\bpypi-[A-Za-z0-9_-]{60,}"),
    _token("artifactory_token", r"\bAKC[A-Za-z0-9]{10,}"),
    _token("telegram_token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,35}\b", digit=False),
    _token(
        "service_token",
        r"\b(?:dop_v1_|shpat_|shpss_|lin_api_|ntn_|figd_|sbp_|sb_secret_|sntrys_|rubygems_|PMAK-|dckr_pat_|gsk_|xai-|pplx-"
        r"|nvapi-|tskey-)[A-Za-z0-9_=-]{20,}",
    ),
    Form("bearer_token", _written(r"\bbearer \s{1,3} (?P<value> [A-Za-z0-9._~+/-]{20,}=* )"), _has_digit),
    Form(
        "basic_credentials",
        _written(r"authorization [\"']? \s{0,3} : \s{0,3} [\"']? basic \s (?P<value> [\w+/]{8,}=* )"),
    ),
    *_library("aws_key", AWSKeyDetector),
    *_library("azure_key", AzureStorageKeyDetector),
    *_library("github_token", GitHubTokenDetector),
    *_library("gitlab_token", GitLabTokenDetector),
    *_library("mailchimp_key", MailchimpDetector),
    *_library("model_key", OpenAIDetector),
    *_library("pypi_token", PypiTokenDetector),
    *_library("sendgrid_key", SendGridDetector),
    *_library("slack_token", SlackDetector),
    *_library("square_token", SquareOAuthDetector),
    *_library("stripe_key", StripeDetector),
    *_NAMED,
    *_PASSWORDS,
    *_ONE_TIME_CODES,
)
SECRETS: Final = Forms(FORMS)
NAMES: Final = frozenset(form.name for form in FORMS)
