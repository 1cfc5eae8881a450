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
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
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

from contract import secretwords as words
from contract.forms import Around, Form, Forms, Places, Span
from contract.secretwords import alternatives

PRIVATE_KEY: Final = "private_key"
PASSWORD: Final = "password"
ONE_TIME_CODE: Final = "one_time_code"
PIN: Final = "pin"


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


# --- words -----------------------------------------------------------------------------------------------------------

_IS: Final = alternatives(words.IS)
_ADVERB: Final = alternatives(words.ADVERB)
_LONG_LABELS: Final = alternatives(words.LONG_LABELS)
_SHORT_LABELS: Final = alternatives(words.SHORT_LABELS)
_NETWORK: Final = alternatives(words.NETWORK)
_NETWORK_KEY: Final = alternatives(words.NETWORK_KEY)
_TALK: Final = alternatives(words.TALK)
_CHANGED_TO: Final = alternatives(words.CHANGED_TO)
_USER: Final = alternatives(words.USER)
_ACCESS: Final = alternatives(words.ACCESS)
_PLACES: Final = alternatives(words.PLACES)
_FOR: Final = alternatives(words.FOR)
_ENTER: Final = alternatives(words.ENTER)
_POLITE: Final = alternatives(words.POLITE)
_TO: Final = alternatives(words.TO)
_DO: Final = alternatives(words.DO)
_CODE_WORDS: Final = alternatives(words.CODE_WORDS)
_NUMBER: Final = alternatives(words.NUMBER)
_PIN: Final = alternatives(words.PIN)
_RECOVERY: Final = alternatives(words.RECOVERY)
_RECOVERY_CODES: Final = alternatives(words.RECOVERY_CODES)
_RECOVERY_PHRASES: Final = alternatives(words.RECOVERY_PHRASES)
_WHOSE_PASS: Final = alternatives(words.WHOSE_PASS)
_SEED: Final = alternatives(words.SEED)
_OTHER_PASSWORDS: Final = alternatives(words.OTHER_PASSWORDS)
_OTHER_CODES: Final = alternatives(words.OTHER_CODES)
_OTHER_PINS: Final = alternatives(words.OTHER_PINS)


def _reversed(listed: str) -> str:
    return alternatives(listed, backwards=True)


# --- what stands between a label and its value ------------------------------------------------------------------------

_QUOTE: Final = "[\"'`\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u201a]"
#: Ends of a label: closing quotes and marks of markup, a remark in parentheses, a number.
_LABEL_END: Final = (
    r"(?![A-Za-z0-9]) [\"'`*_)\]]{0,4} (?: [ ]{0,2} \( [^()\n]{1,40} \) )? (?: [ ] [#]? \d (?=[ ]?[:=]) )?"
)
#: From one cell of a table to the next, or from one element to the next.
_NEXT_CELL: Final = (
    r"(?: [ ]{0,40} \| [ ]{0,40} | [ ]{0,8} \t \s{0,8} | \s{0,8} (?: </?[a-z][^<>\n]{0,80}> \s{0,20} ){1,6} )"
)
_MARK: Final = r"(?: :=|=>|->|=|:|\u2013|\u2014|\u2192|\uff1a|\u2794 | (?<=[ ])-(?=[ ]) )"
#: Of bold text, at its end or beginning.
_MARKUP: Final = r"(?: [*_]{1,3} | \|\| | </?[a-z]{1,9}> ){0,2}"
_SAYS: Final = rf"""
    (?: [^\S\n]{{0,3}} {_MARK} {_MARKUP} (?: \s{{0,4}} | [^\S\n]{{0,40}} ) {_MARKUP}
      | [ ]{{1,3}} {_IS} (?: [ ] {_ADVERB} )? [ ]?:? \s{{1,4}} [*_]{{0,3}}
      | {_NEXT_CELL} [*_]{{0,3}} )
"""

# --- passwords, as people write them ---------------------------------------------------------------------------------

_KEY_OF_NETWORK: Final = rf"(?: [ ] {_reversed(words.OF)} )? [ ] {_reversed(words.KEY)} (?![A-Za-z])"
_PASSWORD_WORD: Final = rf"""
    (?<!class[ ]) (?: {_LONG_LABELS} | (?<![A-Za-z]) {_SHORT_LABELS} )
    (?: s | e | n | en | et | er | si | ni | sana | em )?
"""
#: A pass is also for boarding, and a test may pass.
_PASS: Final = r"(?<![A-Za-z-]) pass (?![A-Za-z0-9]) " + " ".join(
    rf"(?<!{kind}[ ]pass)"
    for kind in (
        *("ing", "ski", "bus", "day", "tain", "rail", "son", "lift"),
        *("first", "second", "train", "tor", "ekend", "event", "press", "seum"),
    )
)
#: Not a placeholder, a variable, an address, a date, or the beginning of markup.
_NO_VALUE: Final = (
    r"(?! [\[<{(*\u2022|] | \$[{(] | (?-i:\$[A-Z][A-Z0-9_]*\b) | %[A-Z_]+% | %\( "
    r"| https?:// | \d{4}-\d\d-\d\d | \d{1,2}[./]\d{1,2}[./]\d{2,4} )"
)
_QUOTED: Final = rf"{_QUOTE} {_NO_VALUE} (?P<value> [^\"'`\u201c\u201d\u00bb\u2019\n\[]{{4,80}} ) {_QUOTE}"
_UNQUOTED: Final = rf"{_NO_VALUE} (?P<value> [^\s\"'`<>\u201c\u201d]{{4,128}} )"
_SPECIAL: Final = frozenset("!@#$%^&*+=?~_|\\")
#: What a sentence on passwords says: a norm, an algorithm, a time, a version, a file, a measure, an address, a host.
_NAMED_THING: Final = re.compile(
    r"(?:sha|md|aes|utf|ipv|iso|base|rsa|o?auth|tls|ssl|wpa|http|web|argon|bcrypt|"
    r"pbkdf|2fa|mfa|sso|nist|rfc|1password"
    r"|keepass|office|windows|q[1-4]\b|w?kw)[-\d.]*\S{0,12}"
    r"|\d{1,2}[.-]?(?:jan|feb|mar|m\u00e4r|apr|mai|may|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*[.-]?\d{0,4}"
    r"|v?\d+(?:[.:]\d+)+[a-z]*|\d+(?:st|nd|rd|th|er|ème|h|min|s|ms|d|px|[kmg]b|k|m|x|%|\+|-\d+)"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\S+\.(?:py|js|ts|go|md|pdf|docx?|xlsx?|pptx?|"
    r"zip|7z|rar|gz|tar|exe|msg|eml|ics|svg|mp[34]|mov|sh|sql|log|ini|conf|cfg|"
    r"toml|xml|css|rb|java|rs|txt|html?|png|jpe?g|csv|ya?ml|json|com|org|net|de|"
    r"fr)"
    r"|[A-Z]{2,6}-\d+|[#]\d+|\w*test\w*_\w+|/\S*|\d+/\d+|[A-Za-z.]+\(.*",
    re.IGNORECASE | re.ASCII,
)


def _trimmed(value: str) -> str:
    return value.rstrip(".,;:!?)*_|")


def _chosen(value: str) -> bool:
    """What a person or a generator chose as a password; a word of a sentence ("expired", "see-above") is none."""
    whole, value = value, value.rstrip(".,;:!?)")
    if len(value) < 4 or not any(map(str.isalnum, value)):
        return False
    if any(character.isdigit() or character in _SPECIAL for character in value):
        return not _NAMED_THING.fullmatch(value) or whole.endswith("!")
    return value.count("-") >= 2 or bool(re.search(r"[a-z][A-Z]", value))


def _mixed(value: str) -> bool:
    """What was chosen, and is no number, amount or name of a thing: for labels that have other meanings, too."""
    value = _trimmed(value)
    letters = sum(map(str.isalpha, value))
    if len(value) < 5 or letters < 2 or _NAMED_THING.fullmatch(value):
        return False
    return any(map(str.isdigit, value)) or (any(map(_SPECIAL.__contains__, value)) and not value.endswith("="))


def _any_word(value: str) -> bool:
    return any(map(str.isalnum, value))


def _given(value: str) -> bool:
    """Any value, but not what stands for one in code and documentation."""
    return _any_word(value) and not re.fullmatch(
        r"(?i)\$[\w.{(].*|\{\{.*|%.*%|\W*(?:none|null|nil|true|false|yes|no|undefined|"
        r"string|str|text|required|optional|password|passwort|secret"
        r"|your[\w-]*|my[_-]?\w*|x{3,}|\.{3}|example|env\W.*|os\.\w+.*|process\.env.*|"
        r"getpass.*|\w+\(.*|self\..*|args\..*)\W*",
        value,
    )


def _argument(value: str) -> bool:
    """A password of a command line, where a port may stand as well."""
    return _given(value) and _chosen(value) and not re.fullmatch(r"[\d:.]+", value)


_OF_SENTENCES: Final = frozenset(words.OF_SENTENCES.split())


def _plain_words(value: str) -> bool:
    """Words that nobody has put into a sentence: "lamp river seven", and not "to be announced"."""
    return _OF_SENTENCES.isdisjoint(re.split(r"[ ,-]+", value)) and _no_telling(value.split(maxsplit=1)[0])


#: Cells of one row, by what stands between them.
_ROWS: Final = {mark: re.compile(rf"[^{mark}\n]+") for mark in "|\t;,"}
_HTML_ROW: Final = re.compile(r"<tr\b.{0,4000}?</tr>", re.IGNORECASE | re.DOTALL)
_HTML_CELL: Final = re.compile(r"<t[dh]\b[^<>]{0,200}>(?P<cell>.{0,400}?)</t[dh]>", re.IGNORECASE | re.DOTALL)
_MOST_ROWS: Final = 200


class Column(Form):
    """Values below a label at the head of a column: Markdown, HTML, and lines with tabs, semicolons or commas."""

    __slots__ = ()

    def spans(self, text: str, places: Places | None = None) -> list[Span]:
        return Form.spans(self, text, places) if "\n" in text or "<" in text else []

    def _values(self, match: re.Match[str]) -> tuple[list[Span], int]:
        head, *rows = islice(_rows(match.string, match.start()), _MOST_ROWS)
        column = next((n for n, (start, end) in enumerate(head) if start <= match.start() < end), None)
        if column is None or len(head) < 2 or max(end - start for start, end in head) > 40:
            return [], match.end()
        spans = []
        for row in takewhile(lambda row: len(row) == len(head), rows):
            start, end = row[column]
            cell = match.string[start:end]
            value = cell.strip(" \"'`*_\r")
            if " " not in value and self.valid(value):
                start += cell.index(value)
                spans.append((start, start + len(value)))
        return spans, max([match.end(), *(end for _, end in spans)])


def _rows(text: str, place: int) -> Iterator[list[Span]]:
    """Start and end of each cell: of the row that holds a place, then of those below it."""
    start = text.rfind("\n", 0, place) + 1
    opened = text.rfind("<tr", max(0, place - 4000), place)
    # "<trude@..." is no row of a table, nor is one that does not end.
    if opened >= 0 and _HTML_ROW.match(text, opened):
        for row in _HTML_ROW.finditer(text, opened):
            yield [cell.span("cell") for cell in _HTML_CELL.finditer(text, row.start(), row.end())]
        return
    mark = next((mark for mark in _ROWS if mark in text[start : _end_of_line(text, start)]), "|")
    while start < len(text):
        end = _end_of_line(text, start)
        if not re.fullmatch(r"[\s|:-]*", text[start:end]):
            yield [cell.span() for cell in _ROWS[mark].finditer(text, start, end) if not cell[0].isspace()]
        elif start == end:
            return
        start = end + 1


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


#: Cheap to look for before words are tried one by one: a value that counts as mixed is on the same line.
_MIXED_AHEAD: Final = r"(?= [^\n\d!@\#$%^&*+?~_\\]{0,240}+ [\d!@\#$%^&*+?~_\\] )"
_BETWEEN: Final = rf"""
    (?: [ ] (?! {_TALK} (?![A-Za-z]) ) (?: [^\s:=|<>\"?!;.,] | [.](?=\w) ){{1,24}} ){{1,8}}?
"""
_AND: Final = r"[ ]? (?: / | & | \+ | , | \| | [ ] (?: and|und|et|y|e|en|och|ja|i|og|ve ) [ ] ) [ ]?"
_USER_VALUE: Final = r"[^\s/:|,]{1,64} (?: [ ]{0,3} (?:/|\||:|,) [ ]{0,3} | [ ]+(?:and|und|et|y|e)[ ]+ )"
#: What begins an option of a command line.
_OPTION: Final = _written(r"(?:-[a-z]{1,16}){0,3} --? (?![\w-])")
#: No letter stands before the label.
_WORD_START: Final = _written(r"(?![A-Za-z])")
_TELLING: Final = frozenset(word.strip() for word in f"{words.TALK},{words.TELLING}".split(","))


def _no_telling(value: str) -> bool:
    return _given(value) and value.lower() not in _TELLING


_VALUE: Final = _written(_NO_VALUE)


def _said(value: str) -> bool:
    """A mixed value that stands before its label."""
    return _mixed(value) and _VALUE.match(value) is not None


_BARE: Final = r"[\"']? (?! [-$<\[{(*|&;%] ) (?P<value> [^\s\"'`]{3,256} )"


def _after_password() -> tuple[Around, ...]:
    """What follows a word for a password, unless the sentence goes on."""
    return (
        Around(
            _written(rf"{_LABEL_END} {_SAYS}"),
            inner=(
                Around(_written(rf"{_LABEL_END} {_SAYS} {_QUOTED}"), _any_word),
                Around(_written(rf"{_LABEL_END} {_SAYS} {_UNQUOTED}"), _chosen),
                # In a line of its own any word is one that does not tell of the password.
                Around(
                    _written(
                        r"[*_]{0,3} [ ]{0,2} : [*_]{0,3} [^\S\n]{1,4} (?P<value> [A-Za-z\u00c0-\u024f]{4,40} )"
                        r" (?= [^\S\n]{0,4} (?:\r?\n|\Z) )"
                    ),
                    _no_telling,
                    _written(r"(?: -?[A-Za-z]{1,20} )? [^\S\n]{0,8} [>*\u2022-]{0,3} [^\S\n]{0,8} (?: \n | \Z )"),
                ),
            ),
        ),
        Around(_written(rf"{_LABEL_END} [ ]{{1,3}} {_QUOTED}"), _chosen),
        Around(
            _written(_MIXED_AHEAD),
            inner=(
                Around(_written(rf"{_LABEL_END} {_BETWEEN} {_SAYS} {_QUOTE}? {_UNQUOTED}"), _mixed),
                Around(
                    _written(
                        rf"{_LABEL_END} (?: [ ][^\s:=|<>\"?!;.,]{{1,24}} ){{0,4}}? [ ] {_CHANGED_TO} [ ]?:?[ ]"
                        rf" {_QUOTE}? {_UNQUOTED}"
                    ),
                    _mixed,
                ),
                # Nothing but a space, or the end of the line, is between them.
                Around(_written(rf"{_LABEL_END} [^\S\n]{{1,3}} {_UNQUOTED}"), _mixed),
            ),
        ),
        Around(
            _written(r"[^\n>]{0,90}+ [\n>]"),
            inner=(
                Around(
                    _written(
                        rf"{_LABEL_END} [ ]{{0,2}} :? [*_]{{0,3}} [^\S\n]{{0,4}} \r?\n (?: [^\S\n]* \r?\n )?"
                        rf" [^\S\n]{{0,8}} (?: [-*>\u2022] [ ]{{1,3}} )? [*_`]{{0,3}} {_UNQUOTED}"
                        r" (?= [^\S\n]{0,4} (?:\r?\n|\Z) )"
                    ),
                    _chosen,
                ),
                # Between tags any value is one.
                Around(
                    _written(r"(?: [ ][^<>\n]{0,80}+ )? (?<!/) > \s{0,20} (?P<value> [^<>\n\[]{3,128}? ) \s{0,20} </"),
                    _given,
                ),
            ),
        ),
    )


_PASSWORDS: Final = (
    Form(
        PASSWORD,
        _written(rf"{_PASSWORD_WORD} (?![A-Za-z0-9])"),
        around=lambda: (
            # On a command line; the password first; then a label and what follows it.
            Around(
                _written("[= ]"),
                before=_OPTION,
                inner=(
                    Around(_written(rf"(?: =[ ]? | [ ]{{1,3}} ) {_BARE}"), _chosen),
                    Around(_written(rf"= {_BARE}"), _given),
                ),
            ),
            Around(
                _written(
                    r"(?![A-Za-z0-9-]) (?! [ ] (?:manager|policy|vault|generator|app|tool|reset) ) (?! [ ]?[:=] )"
                ),
                _said,
                _written(
                    rf"(?: -\w{{1,20}} )? (?: [ ][\w-]{{1,20}} ){{0,2}}? [ ] {_reversed(words.WHOSE)}"
                    rf" [ ] (?: {_reversed(words.IS)} | {_reversed(words.AS)} | - ) [ ] {_QUOTE}?"
                    rf" (?P<value> [^\s\"'`<>\u201c\u201d]{{4,128}} ) (?![^\s\"'`(*:])"
                ),
            ),
            Around(
                # No sentence goes on.
                _written("(?! [,.;!?] )"),
                inner=_after_password(),
            ),
        ),
    ),
    Form(
        PASSWORD,
        _written(rf"(?<![A-Za-z]) {_NETWORK}"),
        around=lambda: (
            Around(_written(rf"[- ]? {_NETWORK_KEY} {_LABEL_END} {_SAYS} {_QUOTE}? {_UNQUOTED}"), _chosen),
            Around(
                _written(rf"{_LABEL_END} {_SAYS} {_QUOTE}? {_UNQUOTED}"),
                _chosen,
                _written(_KEY_OF_NETWORK),
            ),
        ),
    ),
    Column(
        PASSWORD,
        _written(rf"{_PASSWORD_WORD} (?![A-Za-z0-9]) | (?<![A-Za-z]) pass (?= [\s*_`\"']* (?: [|\t;,<] | $ ) )"),
        _chosen,
    ),
    # The code that a guest's telephone reads.
    Form(PASSWORD, re.compile(r"WIFI:[^\n]{0,100}?\bP:(?P<value>[^;\n\[]{4,63});", re.ASCII), _given),
    # In an assignment of a shell any value is one.
    Form(
        PASSWORD,
        re.compile(
            r"[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|PASSPHRASE|_PASS|_PWD|_PW)=[\"']?(?P<value>(?![$<{*\[%])[^\s\"'&;]{3,256})",
            re.ASCII,
        ),
        _given,
    ),
    Form(
        PASSWORD,
        _written(
            rf"{_PASS} {_LABEL_END} (?: [^\S\n]{{0,3}} (?: = | : | => | -> ) [^\S\n]{{0,4}} "
            rf"| [ ]is[ ] | {_NEXT_CELL} ) {_QUOTE}? {_UNQUOTED}"
        ),
        _mixed,
    ),
    Form(
        PASSWORD,
        _written(rf"{_WHOSE_PASS} [ _-]? pass {_LABEL_END} {_SAYS} {_QUOTE}? {_UNQUOTED}"),
        _chosen,
    ),
    # Several plain words, to the end of the line.
    Form(
        PASSWORD,
        _written(
            r"(?<![A-Za-z]) (?: pass-?phrase | (?:seed|recovery|mnemonic) [ ] (?:phrase|words) )"
            r" [*_]{0,3} [ ]{0,2} [:=]"
            r" [*_]{0,3} [^\S\n]{1,4} (?P<value> (?-i:[a-z]{2,14}) (?: [ ,-]{1,2} (?-i:[a-z]{2,14}) ){2,23} )"
            r" (?= [^\S\n]{0,4} (?:\r?\n|\Z) )"
        ),
        _plain_words,
    ),
    # A user's name comes first.
    Form(
        PASSWORD,
        _written(
            rf"(?<![A-Za-z]) {_USER} {_AND} (?: {_PASSWORD_WORD} | pass ) {_LABEL_END} [ ]{{0,3}} "
            rf"(?: {_MARK} | {_IS} | \|) \s{{0,4}}"
            rf" {_USER_VALUE} {_UNQUOTED}"
        ),
        _given,
    ),
    Form(
        PASSWORD,
        _written(
            rf"(?<![A-Za-z]) {_ACCESS} [*_]{{0,3}} (?: [ ](?:are|sind|is|sont|son|sono) "
            rf")? [ ]{{0,2}} [:=-]? [*_]{{0,3}} \s{{1,4}} {_USER_VALUE} {_UNQUOTED}"
        ),
        _mixed,
    ),
)

# --- passwords and keys on a command line ----------------------------------------------------------------------------

_COMMAND: Final = r"[^\n|;]{0,200}? [ ]"
_COMMANDS: Final = (
    Form(
        PASSWORD,
        _written(r"(?<![\w-]) (?:mysql(?:dump|admin|import|sh)?|mariadb(?:-dump)?|mycli) (?![\w-])"),
        around=lambda: (Around(_written(rf"{_COMMAND} (?-i:-p) {_BARE}"), _given),),
    ),
    Form(PASSWORD, _written(rf"(?<![\w-]) sshpass [ ]+ -p [ ]* {_BARE}"), _given),
    Form(
        PASSWORD,
        _written(r"(?<![\w-]) (?:curl|wget|http|xh) [ ]"),
        around=lambda: (
            Around(
                _written(
                    r"[^\n|;]{0,300}? (?<=[ ]) (?: (?-i:-u)[ ]* | --(?:proxy-)?user[ =] ) [\"']? [^\s:\"']{0,64}:"
                    + _BARE.replace("3,256", "1,256")
                ),
                _given,
            ),
        ),
    ),
    Form(
        PASSWORD,
        _written(r"(?<![\w-]) (?:docker|podman|helm|oc|az|mongo|mongosh|mongodump|ftp|psql) [ ]"),
        around=lambda: (Around(_written(rf"{_COMMAND} (?-i:-p) [ ]* {_BARE}"), _argument),),
    ),
    Form(
        PASSWORD,
        _written(r"(?<![\w-]) (?:redis-cli|ldapsearch|sqlcmd|bcp|mosquitto_pub|mosquitto_sub|zip|unzip) [ ]"),
        around=lambda: (Around(_written(rf"{_COMMAND} (?-i:-[awP]) [ ]* {_BARE}"), _argument),),
    ),
    Form(PASSWORD, _written(r"-pass(?:in|out)? [ ] pass: (?P<value> [^\s\"']{3,256} )")),
    Form(PASSWORD, _written(r"identified [ ]{1,3} by [ ]{1,3} [\"'] (?P<value> [^\"'\n\[]{3,128} ) [\"']")),
)

# --- one-time codes --------------------------------------------------------------------------------------------------

_DIGITS: Final = (
    r"(?: \d{3}[ -]\d{3} | \d{4}[ -]\d{4} | \d\d[ -]\d\d[ -]\d\d | \d (?:[ ]\d){3,7} "
    r"| \d{4,8} ) (?![\w/-]|[.,:]\d|[ ]?[%\u20ac$\u00a3])"
    # What is counted is no code.
    r"(?! [ ] (?: lines?|characters|bytes|pages?|words|edition|commits|files|tests|"
    r"rows|years|days|times|steps|items|modules|samples"
    r"|zeilen|zeichen|seiten|mal|stunden|lignes|pages|fois|l[i\u00ed]neas|veces|"
    r"righe|volte|linhas|vezes|regels|keer|rader|linii|sat[i\u0131]r|kez|eur|usd|"
    r"euro) \b )"
)
_CODE: Final = rf"{_QUOTE}? [*_]{{0,3}} (?P<value> (?<![\w.,/-]) (?<!\d:) (?: [A-Z]{{1,3}}- )? {_DIGITS} )"
#: Letters and digits, capitals: only where it is said what the code is for.
_LETTER_CODE: Final = (
    r"[*_]{0,3} (?P<value> (?-i: (?<![\w-]) (?=[A-Z-]*\d) (?=[\d-]*[A-Z]) [A-Z0-9]{3,5}-?[A-Z0-9]{2,6} "
    r"(?![\w-]) ) )"
)
#: The word "code" in compounds and with endings.
_CODE_WORD: Final = rf"""
    (?: {_CODE_WORDS}
        (?: s | n | en | si | ni | et | unuz | unu | u )? (?![A-Za-z]) )
"""
_AFTER: Final = (
    r"(?: de[ ]la | de | di | do | da | del | du | d['\u2019] | pour | para | per "
    r"| for | f[u\u00fc\u00dc]r | voor | till | til | dla )"
)
_HERE: Final = (
    r"(?: [ ] (?: for | f[u\u00fc\u00dc]r | pour | para | per | voor | f[o\u00f6\u00d6]r | dla | till? | at | bei | to)"
    r" (?: [ ][^\s:=.?!]{1,30}+ ){1,6}? )?"
)
_SURELY: Final = (
    rf"(?: \s{{0,3}} (?::|=|\u2013|\u2192|\|) | [ ]{{1,3}} {_IS} (?: [ ] {_ADVERB} "
    rf")? :? ) {_MARKUP} \s{{0,6}} {_MARKUP}"
)
_TELLS: Final = rf"(?: {_SURELY} | [ ]{{1,3}} (?: voor | for | f[u\u00fc\u00dc]r) :? \s{{0,6}} | \s{{0,6}} )"


def _year(value: str) -> bool:
    return re.fullmatch(r"(?:19[89]|20[0-4])\d", value) is not None


def _no_year(value: str) -> bool:
    return not _year(value)


#: A code that stands before its label.
_FIRST_CODE: Final = (
    r"(?P<value> (?: \d{3}[ -]\d{3} | \d{4}[ -]\d{4} | \d\d[ -]\d\d[ -]\d\d | \d (?:[ ]\d){3,7} | \d{4,8} )"
    r" (?: - (?-i:[A-Z]{1,3}) )? ) (?![\w.,/-] | :\d)"
)

#: Right before a word for a code, backwards.
_MADE: Final = rf"(?: [- ]? {_reversed(words.MADE_FOR)} )"
_BEFORE_CODE: Final = {
    "made for": rf"{_MADE} (?![A-Za-z])",
    "place": rf"[- ]? {_reversed(words.PLACE)} (?![A-Za-z])",
    "enter": rf"{_MADE}? (?: [ ] {_reversed(words.POLITE)} ){{0,3}} [ ] {_reversed(words.ENTER)} (?![A-Za-z])",
    "your, or nothing": rf"""
            [ ] {_reversed(words.YOUR)} (?![A-Za-z]) | \Z | \n | [ ]? [.!?:;,(>*\]|\u2022\"'\u2013\u2014-]""",
    "value": rf"""
            (?: {_MADE} (?: [- ]\w{{1,20}} )? )? (?: [ ]\w{{1,20}} ){{0,2}}? [ ]
            (?: {_reversed(words.OWNED)} [ ] (?: {_reversed(words.IS)} | {_reversed(words.AS)} ) [ ]
              | {_reversed(words.OWNED_BY_YOU)} [ ] (?: -[ ] | [\u2013\u2014:,][ ]? ) )
            [*_]{{0,3}} {_QUOTE}? {_FIRST_CODE}""",
    "value, then for what": rf"(?: [ ] {_reversed(words.MADE_FOR)} )? [ ] {_FIRST_CODE}",
}
_NO_CHECKOUT: Final = r"(?! .{0,30} (?: checkout | discount | off\b | rabatt | coupon | promo ) )"
_NO_REVIEW: Final = r"(?! [ -]? (?:review|base|line|count|style|quality|of\b|name|block|freeze|change) )"
_ONE_TIME_CODES: Final = (
    Form(
        ONE_TIME_CODE,
        _written(_CODE_WORD),
        around=lambda: (
            Around(
                _written(
                    rf"(?: [ -] (?: {_AFTER} [ ]? )? (?: {_FOR} | {_PLACES} ) )? {_LABEL_END}"
                    rf" (?: {_HERE} {_SURELY} | {_TELLS} ) {_QUOTE}? [*_]{{0,3}} (?-i: [A-Z\d] )"
                ),
                inner=(
                    Around(
                        _written(rf"{_LABEL_END} (?: {_HERE} {_SURELY} | {_TELLS} ) {_CODE}"),
                        bool,
                        _written(_BEFORE_CODE["made for"]),
                    ),
                    Around(
                        _written(rf"{_LABEL_END} {_SURELY} {_LETTER_CODE}"), bool, _written(_BEFORE_CODE["made for"])
                    ),
                    Around(_written(rf"{_LABEL_END} {_TELLS} {_CODE}"), bool, _written(_BEFORE_CODE["place"])),
                    Around(_written(rf"{_LABEL_END} {_SURELY} {_LETTER_CODE}"), bool, _written(_BEFORE_CODE["place"])),
                    Around(
                        _written(rf"[ -] (?: {_AFTER} [ ]? )? (?: {_FOR} | {_PLACES} ) {_LABEL_END} {_TELLS} {_CODE}"),
                        bool,
                        _WORD_START,
                    ),
                    # "Code: 482915" where no other word says what it is the code of.
                    Around(
                        _written(rf"{_LABEL_END} {_SURELY} {_CODE}"),
                        _no_year,
                        _written(_BEFORE_CODE["your, or nothing"]),
                    ),
                    Around(
                        _written(
                            rf"(?: [ ] (?: {_AFTER} [ ]? )? {_FOR} )? (?: [ ]?: )? \s{{1,4}} {_CODE} {_NO_CHECKOUT}"
                        ),
                        _no_year,
                        _written(_BEFORE_CODE["enter"]),
                    ),
                    Around(_written(rf"[ ] {_CODE} ,? [ ] {_TO} [ ] {_DO} (?![A-Za-z])"), _no_year, _WORD_START),
                    Around(
                        _written(rf"[ ] {_CODE} [ ] (?: eingeben | ein\b | invoeren | in\b[ ]te | girin | kullan )"),
                        _no_year,
                        _WORD_START,
                    ),
                ),
            ),
            Around(_written(rf"(?![A-Za-z]) {_NO_REVIEW}"), _no_year, _written(_BEFORE_CODE["value"])),
        ),
    ),
    Form(
        ONE_TIME_CODE,
        _written(r"kodu (?:nu|nuz)? (?![A-Za-z])"),
        around=lambda: (Around(_written(""), bool, _written(_BEFORE_CODE["value, then for what"])),),
    ),
    Form(
        ONE_TIME_CODE,
        _written(
            r"""(?<![A-Za-z]) (?: otp | one[- ]time[ ]p(?:in|assword|asscode) | passcode | kenncode | m-?tan
                | (?-i: TAN | Tan ) | einmal(?:passwort|kennwort|pin) ) (?:[- ](?:code|nummer|nr\.?))? (?![A-Za-z])"""
        ),
        around=lambda: (
            Around(_written(rf"{_LABEL_END} {_HERE} {_SURELY} {_CODE}")),
            Around(_written(rf"(?<!asscode) [ ] {_CODE}")),
            Around(_written(_NO_REVIEW), _no_year, _written(_BEFORE_CODE["value"])),
        ),
    ),
    # smsTAN, push-TAN.
    Form(
        ONE_TIME_CODE,
        re.compile(r"(?<=[a-z-])TAN(?![A-Za-z])", re.ASCII),
        around=lambda: (
            Around(_written(rf"{_LABEL_END} {_HERE} {_SURELY} {_CODE}")),
            Around(_written(rf"[ ] {_CODE}")),
        ),
    ),
    Form(
        ONE_TIME_CODE,
        _written(rf"(?<![A-Za-z]) {_ENTER} (?= [ ])"),
        around=lambda: (
            Around(_written(rf"[ ] (?: {_POLITE} [ ] ){{0,2}} {_CODE} ,? [ ] {_TO} [ ] {_DO} (?![A-Za-z])"), _no_year),
        ),
    ),
)


_PIN_WORD: Final = rf"""
    (?: (?:e?sim|card|karten|bank|handy|banking|debit|kort|login|app|geheim)? [- ]? (?: pin | puk )
        (?: [- ]? {_NUMBER} )?
      | {_PIN} )
    (?: en | i | y | koden | koodi )? (?![A-Za-z])
"""
_PIN_DIGITS: Final = (
    r"[*_]{0,3} (?P<value> (?<![\w.,:/-]) (?: \d{4,12} | \d{2,4}[ ]\d{2,4} ) (?![\w/-]|"
    r"[.,:]\d|[ ]?[%\u20ac$\u00a3]) )"
)
_OF_CARD: Final = (
    r"(?: [ ] (?: der | meiner | deiner | of (?:[ ]the|[ ]my)? | de[ ]la | de[ ]ma | della | da | do | del | van[ ]de)"
    r" [ ] [^\s:=.?!\d]{1,30} )?"
)
_PINS: Final = (
    Form(
        PIN,
        _written(rf"(?<![A-Za-z]) {_PIN_WORD}"),
        around=lambda: (
            # Six digits after "PIN code:" are a postal code of India.
            Around(
                _written(
                    r"(?! (?: (?<=pin[ ]code) | (?<=pincode) ) [ ]? [:=\u2013-] [ ]{0,3} [1-9]\d\d[ ]?\d{3} (?!\d) )"
                    rf" {_LABEL_END} {_HERE} {_OF_CARD} {_SURELY} {_PIN_DIGITS}"
                )
            ),
            Around(
                _written(rf"[ ] {_PIN_DIGITS}"),
                bool,
                _written(
                    rf"(?: [ ] (?: {_reversed(words.POLITE)} | {_reversed(words.OWN)} ) ){{0,3}}"
                    rf" [ ] {_reversed(words.ENTER)} (?![A-Za-z])"
                ),
            ),
            Around(_written(_NO_REVIEW), _no_year, _written(_BEFORE_CODE["value"])),
        ),
    ),
    # Without a mark only in capitals: "pin 2024 to the board".
    Form(
        PIN,
        re.compile(
            r"(?<![A-Za-z])(?:PIN|PUK)(?:[- ](?:[Cc]ode|[Nn]r\.?))? (?P<value>\d{4,8})(?![\w/-]|[.,:]\d)", re.ASCII
        ),
    ),
    # "Die PIN der Karte ist 4711", "the PIN for my card is 4711".
    Form(
        PIN,
        re.compile(
            r"(?<![A-Za-z])(?:PIN|PUK)(?: [A-Za-z\u00c0-\u00ff']{1,12}){1,4} (?:is|ist|es|est|\u00e8|\u00e9):? "
            r"(?P<value>\d{4,8})(?![\w/-]|[.,:]\d)",
            re.ASCII,
        ),
    ),
)

# --- recovery codes and phrases --------------------------------------------------------------------------------------

_RECOVERY_WORD: Final = rf"""
    (?: {_RECOVERY}
        [- ]? {_RECOVERY_CODES}
      | {_RECOVERY_PHRASES} )
"""
_ITEM: Final = (
    r"(?: (?=[A-Za-z-]*\d) [A-Za-z0-9]{4,12} (?: -[A-Za-z0-9]{3,12} ){0,7} | [a-z0-9]{4,6}-[a-z0-9]{4,6} "
    r"(?:-[a-z0-9]{4,6}){0,6} ) (?![\w-])"
)
_RECOVERY_CODE_FORMS: Final = (
    Form(
        "recovery_code",
        _written(
            rf"(?<![A-Za-z]) {_RECOVERY_WORD} (?![A-Za-z]) (?: [ ] [^\n:=]{{1,60}}? )? [\"'*_)\]]{{0,4}} [ ]{{0,2}}"
            rf" (?: (?: : | = | \| | \u2013 | -[ ] ) | [ ] (?: are | is | sind | sont | "
            rf"son | sono | s\u00e3o | zijn ) :? (?=\s) | (?=\n) )"
            rf" (?: [\s*_`\"'\[>|-]{{0,12}} (?: \d{{1,2}}[.)] [ ]{{1,3}} )? (?P<value> {_ITEM} "
            rf"(?: (?: [\s,;|\u2022*`\"'-]{{1,12}} (?: \d{{1,2}}[.)] [ ]{{1,3}} )? (?: and[ ] "
            rf"| und[ ] )? ) {_ITEM} ){{0,29}} ) )"
        ),
        lambda value: not re.fullmatch(r"\d{4}-\d\d-\d\d", value) and not _year(value),
    ),
    Form(
        "recovery_code",
        _written(
            rf"(?<![A-Za-z]) {_SEED}"
            rf" (?: [ ]is )? [\"'*_]{{0,3}} [ ]{{0,2}} [:=]? \s{{1,4}} [\"']? (?P<value> "
            rf"[a-z]{{3,8}} (?: \s [a-z]{{3,8}} ){{11,23}} ) (?![a-z])"
        ),
    ),
)

# --- keys that are named ---------------------------------------------------------------------------------------------

_KEY_NAME: Final = r"""
    (?<![A-Za-z0-9])
    (?: (?: api | access | secret | private | auth | client | app | application | account | service | encryption
          | signing | master | shared | refresh | session | bearer | deploy | webhook | license | subscription | role
          | sharedaccess | shared[ _-]access | service[ _-]role | secret[ _-]access )
        [ _.-]? (?: key | token | secret | signature )
      | api-?schl[\u00fc\u00dc]ssel | cl[e\u00e9\u00c9][ ]api | clave[ ]api | chiave[ ]api | chave[ ](?:de[ ])?api
      | api-?sleutel | klucz[ ]api | api-?nyckel | zugriffstoken | jeton[ ]d['\u2019]acc[e\u00e8\u00c8]s )
    s? (?![A-Za-z0-9])
"""
_LONG_VALUE: Final = _UNQUOTED.replace("{4,128}", "{8,512}")


def _no_name(value: str) -> bool:
    """Words and numbers with marks between them are a name ("customer-4829"), or a time."""
    return (
        _has_digit(value)
        and any(
            any(map(str.isdigit, part)) and any(map(str.isalpha, part)) and not re.fullmatch(r"\d\dT\d\d|\d\dZ", part)
            for part in re.split(r"[-_.:/,;]", value)
        )
    ) or (len(value) >= 16 and not re.search(r"[-_.:/,; ]", value) and _has_digit(value))


def _key(value: str) -> bool:
    """A generated key that stands right after its name: digits and letters, and more than a word with a number."""
    return _no_name(value) and len(value) >= 12 and sum(map(str.isdigit, value)) >= 2 and any(map(str.isalpha, value))


#: Keys of tables and caches.
_NO_SECRET_KEY: Final = _reversed("primary, foreign, sort, cache, public, partition, idempotency, object, page, next")


def _variable(value: str) -> bool:
    return _key(value) and len(set(value)) > 6


def _key_argument(value: str) -> bool:
    return len(value) >= 8 and _has_digit(value) and _mixed(value)


_NAMED: Final = (
    # A signed address: who has it, has what it leads to.
    Form(
        "signed_url",
        _written(
            r"(?: (?<=[?&]) | (?<=&amp;) ) (?: x-amz-signature | x-amz-security-token |"
            r" x-goog-signature | x-oss-signature | sig | signature | hmac | access_token"
            r" | auth_token | auth | token | api_?key | key | code | pwd | password | secret "
            r"| ticket | otp | jwt | session | sid ) = (?P<value> [^&\s\"'<>#\[\])]{8,2048} "
            r")"
        ),
        lambda value: _has_digit(value) and not value.isdigit(),
    ),
    Form(
        "api_key",
        _written(_KEY_NAME),
        around=lambda: (
            Around(_written(rf"[\"'`\])*]{{0,4}} {_SAYS} [\"'`]? {_LONG_VALUE}"), _no_name),
            Around(_written(rf"[\"'`\])*]{{0,4}} [ ]{{1,3}} [\"'`]? {_LONG_VALUE}"), _key),
            Around(_written(rf"(?: [ ][^\s:=|<>\"?!;.,]{{1,24}} ){{1,6}}? {_SAYS} [\"'`]? {_LONG_VALUE}"), _key),
            Around(_written(r"> \s{0,9} (?P<value> [^<>\s\[]{8,512} ) \s{0,9} </"), _has_digit),
        ),
    ),
    Form(
        "api_key",
        _written(r"(?:key|token|secret|credentials|auth|signature) (?![A-Za-z0-9])"),
        around=lambda: (
            Around(
                _written(""),
                before=_written(r"[\w-]"),
                inner=(
                    # A variable of an environment: its name ends with what it holds.
                    Around(
                        _written(
                            r"[\"']? [ ]{0,3} [=:] [ ]{0,3} [\"']? (?P<value> (?![$<{*\[%]) [\w.~+/=:-]{16,2048} )"
                        ),
                        _variable,
                        _written(rf"_ (?! {_NO_SECRET_KEY} ) [A-Z0-9_]"),
                    ),
                    Around(
                        _written(r"[\"'`]? \s{0,3} [:=] \s{0,3} [\"'`]? (?P<value> (?![\[<{$]) [^\s\"'`]{8,1024} )"),
                        _has_digit,
                        _written(r"[a-z-]{0,30} -x (?![A-Za-z])"),
                    ),
                    Around(_written(rf"(?: = | [ ]{{1,3}} ) {_BARE}"), _key_argument, _OPTION),
                ),
            ),
            Around(
                _written(
                    r"""(?<!key)(?<!auth)(?<!credentials)(?<!signature)
                        [\"'`*]{0,3} [ ]{0,3} (?:=|:|\||[ ]is[ ]|[ ]ist[ ]|[ ]est[ ])
                        [ ]{0,3} [\"'`]? (?P<value> [\w.~+/=-]{12,512})"""
                ),
                _has_digit,
                _WORD_START,
            ),
        ),
    ),
)

# --- passwords, codes and PINs in other scripts than Latin -----------------------------------------------------------

#: "Is" in these languages: Japanese, Chinese, Russian, Korean.
_OTHER_IS: Final = r"(?: \u306f | \u662f | \u4e3a | \u70ba | \u044d\u0442\u043e | \uc740 | \ub294 )"
#: Between a label and its value: a few words and a mark, "is", or nothing.
_OTHER_SAYS: Final = rf"""
    (?: (?: [ ][^\s:=\uff1a]{{1,20}} ){{0,3}}? [ ]{{0,3}} {_MARK} | [ ]{{0,3}} {_OTHER_IS}? )
    {_MARKUP} \s{{0,4}} {_MARKUP} {_QUOTE}?
"""
_OTHER_SCRIPTS: Final = (
    Form(
        ONE_TIME_CODE,
        _written(_OTHER_CODES),
        around=lambda: (
            Around(_written(rf"{_OTHER_SAYS} {_CODE}")),
            Around(
                _written(""),
                _no_year,
                _written(rf"(?: [ ]? [^\x00-\x7f]{{1,8}} ){{0,2}} [ ]? [:\u2013\u2014-]? [ ]? {_FIRST_CODE}"),
            ),
        ),
    ),
    Form(PIN, _written(rf"{_OTHER_PINS} {_OTHER_SAYS} {_PIN_DIGITS}"), _no_year),
    Form(PASSWORD, _written(rf"{_OTHER_PASSWORDS} {_OTHER_SAYS} {_NO_VALUE} (?P<value> [!-~]{{4,128}} )"), _chosen),
)

_AUTH: Final = r"(?<![A-Za-z]) (?:proxy-)? authorization [\"'`]{0,2} \s{0,3} [:=,] \s{0,3} [\"'`]?"
_HEADERS: Final = (
    Form("bearer_token", _written(r"\bbearer \s{1,3} (?P<value> [A-Za-z0-9._~+/-]{20,}=* )"), _has_digit),
    Form("basic_credentials", _written(rf"{_AUTH} basic \s (?P<value> [\w+/]{{8,}}=* )")),
    Form(
        "authorization",
        _written(
            rf"{_AUTH} (?P<value> (?: (?:token|bearer|apikey|api-key|key|digest|negotiate|"
            rf"ntlm|hmac|aws4-hmac-sha256|sharedaccesssignature|snowflake|bot|oauth|splunk|"
            rf"genie\w*|\w{{2,16}})[ ] )? (?![\[<{{$]) (?: [\w-]+=\"[^\"\n]{{0,200}}\" |"
            rf" [^\s\"'`\[]{{8,2048}} ) (?: ,?[ ]?[\w-]+= (?: \"[^\"\n]{{0,200}}\" | [^\s\"',]+ "
            rf") ){{0,12}} )"
        ),
        lambda value: any(map(str.isdigit, value)),
    ),
    Form(
        "cookie",
        _written(
            r"(?<![A-Za-z]) (?:set-)? cookie2? [\"'`]? \s{0,3} [:=] \s{0,3} [\"'`]? (?P<value> "
            r"[\w.%-]{1,80} = [^\s;\"',\[]{1,4096} (?: ; [ ]? [\w.%-]{1,80} (?: = [^;\"'\r\n]{0,4096} "
            r")? ){0,60} )"
        ),
        _any_word,
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
    Form(
        "url_password",
        re.compile(r"://(?P<value>(?!\[)[^\s/:@]{0,64}+:[^\s/@]{1,128}+)(?=@)", re.ASCII),
    ),
    Form("model_key", re.compile(r"\bsk-[A-Za-z0-9_-]{20,}", re.ASCII), _no_slug),
    _token("github_token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})", digit=False),
    _token("gitlab_token", r"\bgl(?:pat|dt|ft|soat|rt|cbt|ptt|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{20,}", digit=False),
    _token("slack_token", r"\b(?:xox[a-z]-[A-Za-z0-9-]{10,}|xox[a-z]=[A-Za-z0-9%-]{10,}|xapp-[A-Za-z0-9-]{10,})"),
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
        r"https://discord(?:app)?\.com/api/webhooks/\d{15,20}/[A-Za-z0-9_-]{40,}",
        digit=False,
    ),
    _token(
        "service_token",
        r"\b(?:dop_v1_|shpat_|shpss_|lin_api_|ntn_|figd_|sbp_|sb_secret_|sntrys_|rubygems_|"
        r"PMAK-|dckr_pat_|gsk_|xai-|pplx-"
        r"|nvapi-|tskey-|AGE-SECRET-KEY-1|ATATT3x|ATCTT3x|pat-(?:na|eu|ap)\d-|rpa_|tvly-|vck_|r8_)[A-Za-z0-9_=-]{20,}",
    ),
    _token("service_token", r"\bkey-[0-9a-z]{32}\b"),
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
    *_HEADERS,
    *_NAMED,
    *_COMMANDS,
    *_RECOVERY_CODE_FORMS,
    *_PASSWORDS,
    *_ONE_TIME_CODES,
    *_PINS,
    *_OTHER_SCRIPTS,
)
SECRETS: Final = Forms(FORMS)
NAMES: Final = frozenset(form.name for form in FORMS)
