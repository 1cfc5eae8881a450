"""
Samples of secrets, one for each alternative of a form. They are put together at run time: the repository holds no text
that looks like a secret, neither to people nor to scanners.
"""

# ruff: noqa: RUF001 - other scripts

from __future__ import annotations

import itertools
import string
from typing import Final

_MIXED: Final = "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ"


def chars(count: int, alphabet: str = _MIXED) -> str:
    """So many characters, letters and digits mixed."""
    return "".join(itertools.islice(itertools.cycle(alphabet), count))


LOWER: Final = "a1b2c3d4e5f6g7h8i9j0"
UPPER: Final = "A1B2C3D4E5F6G7H8I9J0"
DIGITS: Final = "1234567890"


def key_block(kind: str, dashes: int = 5) -> str:
    line = "-" * dashes
    gap = " " if dashes == 4 else ""
    return f"{line}{gap}BEGIN {kind}{gap}{line}\n{chars(40)}\n{line}{gap}END {kind}{gap}{line}"


#: Name of the form -> texts of which all but what stands before "|" is the secret; without "|" all is.
TOKENS: Final[dict[str, list[str]]] = {
    "private_key": [
        *(key_block(f"{kind}PRIVATE " + "KEY") for kind in ("", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ")),
        key_block("PGP PRIVATE " + "KEY BLOCK"),
        key_block("SSH2 ENCRYPTED PRIVATE " + "KEY", dashes=4),
        "PuTTY-User-Key-" + f"File-2: ssh-rsa\n{chars(40)}\nPrivate-MAC: {chars(20)}",
    ],
    "jwt": [
        ".".join(("ey" + "J" + chars(16), "ey" + "J" + chars(16), chars(20))),
        "ey" + "J" + ".".join([chars(12)] * 5),
    ],
    "model_key": ["sk" + mark + chars(40) for mark in ("-", "-ant-", "-proj-", "-svcacct-", "-or-v1-")],
    "github_token": [*(f"gh{kind}_" + chars(36) for kind in "pousr"), "github" + "_pat_" + chars(22) + "_" + chars(59)],
    "gitlab_token": [
        *(f"gl{kind}-" + chars(20) for kind in ("pat", "dt", "ft", "soat", "rt", "cbt", "ffct")),
        *("glimt-" + chars(25), "glptt-" + chars(40), "glagent-" + chars(50), "gloas-" + chars(64)),
        *("GR" + "1348941" + chars(20), "glcbt-" + "a1_" + chars(20)),
    ],
    "slack_token": [
        *(f"xox{kind}-" + chars(12, DIGITS) + "-" + chars(24) for kind in "abeoprs"),
        "xapp-1-" + chars(11, UPPER) + "-" + chars(13, DIGITS) + "-" + chars(64, LOWER),
        "https://hooks." + "slack.com/services/T" + chars(8, UPPER) + "/B" + chars(8, UPPER) + "/" + chars(24),
    ],
    "google_token": [
        "ya" + "29." + chars(60),
        "AI" + "za" + chars(35),
        "GOC" + "SPX-" + chars(28),
        "1" + "//" + chars(40),
    ],
    "aws_key": [
        *(mark + chars(16, UPPER) for mark in ("AK" + "IA", "AS" + "IA", "AB" + "IA", "AC" + "CA", "A3" + "TX")),
        "aws_" + 'key "' + chars(40) + '"',
    ],
    "stripe_key": [kind + mark + chars(24) for kind in "sr" for mark in ("k_li" + "ve_", "k_te" + "st_")]
    + ["wh" + "sec_" + chars(32)],
    "sendgrid_key": ["S" + "G." + chars(22) + "." + chars(43)],
    "npm_token": ["np" + "m_" + chars(36), "//registry.example/:_auth" + "Token=|" + chars(36)],
    "hugging_face_token": ["h" + "f_" + chars(34)],
    "pypi_token": ["py" + "pi-" + "AgEIcHlwaS5vcmc" + chars(80), "py" + "pi-" + "AgENdGVzdC5weXBpLm9yZw" + chars(80)],
    "artifactory_token": ["AK" + "C" + chars(20)],
    "telegram_token": [chars(9, DIGITS) + ":A" + "A" + chars(33)],
    "service_token": [
        mark + chars(40, LOWER)
        for mark in (
            *("dop_v1" + "_", "shpat" + "_", "shpss" + "_", "lin_api" + "_", "ntn" + "_", "figd" + "_", "sbp" + "_"),
            *("sb_secret" + "_", "sntrys" + "_", "rubygems" + "_", "PMAK" + "-", "dckr_pat" + "_", "gsk" + "_"),
            *("xai" + "-", "pplx" + "-", "nvapi" + "-", "tskey" + "-", "AGE-SECRET" + "-KEY-1", "ATA" + "TT3x"),
            *(
                "ATC" + "TT3x",
                "pat" + "-na1-",
                "pat" + "-eu1-",
                "pat" + "-ap1-",
                "rpa" + "_",
                "tvly" + "-",
                "vck" + "_",
            ),
            "r8" + "_",
        )
    ]
    + ["ke" + "y-" + chars(32, LOWER)]
    + ["https://disc" + "ord.com/api/webhooks/" + chars(18, DIGITS) + "/" + chars(68)],
    "bearer_token": ["Bearer |" + chars(30), "authorization: bearer |" + chars(40) + "=="],
    "basic_credentials": ["Authorization: Basic |" + chars(20) + "=="],
    "azure_key": ["Account" + "Key=" + chars(86) + "=="],
    "mailchimp_key": [chars(32, LOWER) + "-us" + "12"],
    "square_token": ["sq0" + "csp-" + chars(43)],
    "url_password": ["postgres://|app:" + chars(12), "redis://|:" + chars(12), "mongodb+srv://|me:" + "p%40ss!"],
    "api_key": [
        *(
            f"{name}|{chars(24)}"
            for name in ("api_key=", "API key: ", "apikey: ", 'api-key="', "api.key => ", '"apiKey": "')
        ),
        *(
            f"{name}|{chars(24)}"
            for name in ("client_secret = ", "secret_access_key=", "auth token is ", "encryption key: ")
        ),
        *(
            f"{name}|{chars(24)}"
            for name in ("access_token=", "token=", "secret: ", "API-Schlüssel: ", "clé API : ", "clave API: ")
        ),
    ],
}
TOKENS.update(
    {
        "authorization": ["Authorization: |Token " + chars(24), "Authorization: |ApiKey " + chars(24)],
        "cookie": ["Cookie: |sid=" + chars(20), "Set-Cookie: |sid=" + chars(20) + "; Path=/; HttpOnly"],
        "signed_url": [
            "https://files.example/x?sig=|" + chars(24),
            "https://files.example/x?a=1&X-Amz-Signature=|" + chars(64),
        ],
        "recovery_code": ["Recovery codes: |1a2b-3c4d 5e6f-7a8b", "Backup codes:\n|12345678\n23456789"],
        "pin": [
            "PIN-Code der Karte: |4821",
            "暗証番号: |4821",
            "пин-код: |4821",
            "PIN: |4821",
            "Your PIN is |4821",
            "PIN |4821",
        ],
    }
)
_CHOSEN: Final = "Tulp" + "3n!zwiebel"
PASSWORDS: Final = [
    *(
        f"{word}: |{_CHOSEN}"
        for word in ("password", "Password", "PASSWORD", "passwd", "passcode", "passphrase", "pwd")
    ),
    *(
        f"{word}: |{_CHOSEN}"
        for word in ("Passwort", "Kennwort", "WLAN-Passwort", "Zugangscode", "mot de passe", "mdp")
    ),
    *(f"{word}: |{_CHOSEN}" for word in ("contraseña", "CONTRASEÑA", "clave", "parola d'ordine", "senha")),
    *(f"{word}: |{_CHOSEN}" for word in ("palavra-passe", "wachtwoord", "lösenord", "LÖSENORD", "salasana", "hasło")),
    *(f"{word}: |{_CHOSEN}" for word in ("adgangskode", "passord", "kodeord")),
    *(f"{says}|{_CHOSEN}" for says in ("the password is ", "Das Passwort lautet ", "Das Passwort ist ")),
    *(f"{says}|{_CHOSEN}" for says in ("le mot de passe est ", "la contraseña es ", "la password è ", "a senha é ")),
    *(f"{says}|{_CHOSEN}" for says in ("het wachtwoord is ", "lösenordet är ", "salasana on ", "hasło to ")),
    *(f"{word}|{_CHOSEN}" for word in ("pw: ", "PW = ", "psw: ", "PGPASSWORD=", "parola chiave: ")),
    *(f"password{gap}|{_CHOSEN}" for gap in ("=", " = ", ":", " :", " =>", " -> ", " \u2013 ")),
    f"password: **|{_CHOSEN}^",
    *(f"password is {mark[0]}|correct horse battery" + f"^{mark[1]}" for mark in ('""', "''", "“”", "„“", "«»", "``")),
    'Passwort: "|Sommer^"',
    f'my password "|{_CHOSEN}^"',
    f'"password": "|{_CHOSEN}^"',
    *(
        f"{says}|{_CHOSEN}"
        for says in (
            "Пароль: ",
            "пароль от wifi: ",
            "пароля — ",
            "密码：",
            "密碼: ",
            "口令是",
            "パスワード: ",
            "パスワードは ",
        )
    ),
    *(
        f"{says}|{_CHOSEN}"
        for says in ("비밀번호: ", "비밀번호는 ", "รหัสผ่าน: ", "كلمة المرور: ", "סיסמה: ", "पासवर्ड: ")
    ),
    "password: |correct-horse-battery",
    "password: |tulpenZwiebel",
    "Server=db;User Id=app;Password=|" + _CHOSEN,
    "WIFI:S:Quay;T:WPA;P:|" + _CHOSEN + "^;;",
]
ONE_TIME_CODES: Final = [
    *(f"{says}|482915" for says in ("Your code is ", "your verification code is ", "Your verification code: ")),
    *(
        f"{says}|482915"
        for says in ("Security code: ", "login code ", "Sign-in code: ", "One-time code: ", "OTP: ", "2FA code ")
    ),
    *(
        f"{says}|482915"
        for says in ("Ihr Code lautet ", "Dein Code ist ", "Ihr Bestätigungscode lautet: ", "Sicherheitscode: ")
    ),
    *(f"{says}|482915" for says in ("Votre code est ", "Votre code de vérification est ", "code de sécurité : ")),
    *(
        f"{says}|482915"
        for says in ("Tu código es ", "Su código de verificación es ", "Il tuo codice è ", "codice di verifica: ")
    ),
    *(
        f"{says}|482915"
        for says in ("Seu código é ", "código de verificação: ", "Je code is ", "Uw verificatiecode is ")
    ),
    *(
        f"{says}|482915"
        for says in ("Din kod är ", "Din verifieringskod: ", "Vahvistuskoodi: ", "Twój kod to ", "kod weryfikacyjny: ")
    ),
    *("Your code is |482 915", "Your code is |482-915", "Your code is |4829", "Your verification code is:\n\n|482915"),
    *(
        "Use verification code |482915^ to sign in",
        "|482915^ is your verification code",
        "|G-482915^ is your Google code",
    ),
    *(
        "|482915^ is your Example verification code",
        "|482915^ ist Ihr Code",
        "mTAN: |482915",
        "Votre code à usage unique est |482915",
        "Tu código de un solo uso: |482915",
        *(f"{says}|482915" for says in ("Код подтверждения: ", "Ваш одноразовый код — ", "验证码：", "您的验证码是")),
        *(f"{says}|482915" for says in ("認証コードは", "인증번호: ", "인증번호는 ", "รหัสยืนยัน: ", "رمز التحقق: ")),
        "|482915^ — ваш код подтверждения",
        "|482915^ 是您的验证码",
        "one-time PIN is |482915",
    ),
]


def parts(sample: str) -> tuple[str, str, str]:
    """Before the secret, the secret, after it."""
    before, _, rest = sample.rpartition("|") if "|" in sample else ("", "", sample)
    secret, _, after = rest.partition("^")
    return before, secret, after


def iban(country: str, bban: str) -> str:
    """With its check digits."""
    plain = "".join(str(int(character, 36)) for character in f"{bban}{country}00")
    return f"{country}{98 - int(plain) % 97:02d}{bban}"


def card(prefix: str, length: int) -> str:
    """A number that begins so, with its check digit."""
    digits = prefix + chars(length - 1 - len(prefix), DIGITS)
    doubled = [int(d) * 2 if n % 2 == 0 else int(d) for n, d in enumerate(reversed(digits))]
    return digits + str(-sum(d - 9 if d > 9 else d for d in doubled) % 10)


def grouped(text: str, separator: str, size: int = 4) -> str:
    return separator.join(text[start : start + size] for start in range(0, len(text), size))


assert set(_MIXED) <= set(string.ascii_letters + string.digits)
