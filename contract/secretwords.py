"""
Words by which a secret is labelled or told, in the languages of ``contract/secretforms.py``: English, German, French,
Spanish, Italian, Portuguese, Dutch, Swedish, Finnish, Polish, Danish, Norwegian and Turkish.

Lists are read by ``alternatives``: a hyphen may be a space or be left out, and a letter with a mark may stand without
it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

#: Letters that Unicode does not take apart.
_WITHOUT_MARK: Final = {"\u0142": "l", "\u00f8": "o", "\u0131": "i", "\u00e6": "ae"}
#: Characters that may be written otherwise.
_WRITTEN: Final = {"-": "[- ]?", " ": "[ ]", "'": "['\u2019]"}


def alternatives(listed: str, *, backwards: bool = False) -> str:
    """Expression for the words of a list with commas; ``backwards``: for a text that is read from its end.

    Words share their beginnings, since the engine tries alternatives one by one.
    """
    words = {" ".join(word.split()) for word in listed.split(",")}
    branches = _branches({word[::-1] if backwards else word for word in words}, backwards=backwards)
    return f"(?:{branches})"


def _branches(words: Iterable[str], *, backwards: bool) -> str:
    rests: defaultdict[str, set[str]] = defaultdict(set)
    for word in words:
        if word:
            rests[word[0]].add(word[1:])
    branches = [
        _character(first, backwards=backwards) + (_branches(rest, backwards=backwards) if rest != {""} else "")
        for first, rest in sorted(rests.items())
    ]
    if len(branches) == 1 and "" not in words:
        return branches[0]
    return f"(?:{'|'.join(branches)})" + ("?" if "" in words else "")


def _character(character: str, *, backwards: bool) -> str:
    if character in _WRITTEN or character.isascii():
        return _WRITTEN.get(character) or re.escape(character)
    plain = _WITHOUT_MARK.get(character) or unicodedata.normalize("NFD", character)[0]
    if len(plain) > 1:
        return f"(?:[{character}{character.upper()}]|{plain[::-1] if backwards else plain})"
    return f"[{character}{character.upper()}{plain}]"


#: "is" in the languages of the labels below: English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish,
#: Finnish, Polish, Danish, Norwegian, Turkish.
IS: Final = """
    is, ist, lautet, heißt, heisst, est, es, è, é, e', är, on, to, to jest, jest, er, var, was, war, were, are,
    será, sera, sarà, remains, stays, reads, will be, would be, has been set to, was set to, luidt, wordt, wird,
    bleibt, devient, reste, brzmi, lyder, olarak, aynı, on nyt, ora è, ahora es, agora é, jetzt, now, nu
"""
ADVERB: Final = """
    now, currently, still, just, simply, jetzt, nun, aktuell, weiterhin, neu, maintenant, désormais, ahora, ora,
    adesso, agora, nu, nyt, teraz, nå, şimdi, again, wieder, weer, ab sofort, from now on, desde ahora, vanaf nu
"""
#: Where letters may stand before them: "Masterpasswort".
LONG_LABELS: Final = """
    password, passwort, kennwort, passphrase, passwd, passcode, passord, wachtwoord, lösenord, salasana,
    adgangskode, passwörter, kennwörter, pass-phrase, pass-code
"""
SHORT_LABELS: Final = """
    pwd, pw, psw, pswd, pword, pass word, zugangscode, zugangsschlüssel, losungswort, mot de passe, mots de passe,
    mdp, contraseña, clave, parola d'ordine, parola chiave, senha, palavra-passe, kodeord, hasło, hasła,
    toegangscode, şifre, şifresi, şifreniz, şifrem, şifren, parolanız, parolası, parola, passkey
"""
#: A network's key is a password, whatever it is called.
NETWORK: Final = """
    wi-fi, wlan, wpa3, wpa2, wpa, network, netzwerk, router, hotspot, vpn, réseau, red, rete, rede, guest, gäste
"""
NETWORK_KEY: Final = """
    key, code, schlüssel, sleutel, avain, klucz, nyckel, nøgle, nøkkel, kod, kode, koodi, kodu, anahtarı
"""
#: Words that stand between the label and the mark; not after what a sentence on passwords tells.
TALK: Final = """
    manager, policy, policies, reset, change, changed, changing, expire, expires, expired, expiry, length, hash,
    hashes, attempt, attempts, strength, rotation, require, required, requires, requirement, requirements, rule,
    rules, generator, vault, minimum, maximum, characters, field, prompt, protection, protected, version, ticket,
    update, updated, hashing, algorithm, richtlinie, änderung, geändert, abgelaufen, zurückgesetzt, zurücksetzen,
    länge, regel, regeln, zeichen, vergessen, expiré, modifié, réinitialisé, oublié, longueur, caractères, caducada,
    cambiada, olvidada, caracteres, longitud, scaduta, cambiata, dimenticata, caratteri, alterada, expirada,
    esquecida, gewijzigd, verlopen, vergeten, tekens, zmienione, wygasło, znaków, değiştirildi, karakter, unuttum,
    ändrat, tecken, vaihdettu, merkkiä, ændret, tegn, forgot, forgotten, lost, again, by, from, since, until, seit,
    bis, depuis, desde, dal, sinds, od
"""
CHANGED_TO: Final = """
    changed to, set to, reset to, updated to, geändert in, geändert auf, geändert zu, gesetzt auf, changé en,
    cambiada a, cambiata in, alterada para, gewijzigd in, zmienione na, ändrat till, ændret til, endret til
"""
#: After a password or code that is said to be one.
AS: Final = """
    as, als, comme, como, come, jako, som
"""
#: Of whom the code is that stands before: "482915 is your code".
OWNED: Final = """
    your, the, ihr, dein, der, votre, ton, le, su, tu, el, il tuo, il, o seu, seu, je, uw, din, ditt, twój, sinun
"""
#: The same after a mark only: "482915 - your code".
OWNED_BY_YOU: Final = """
    your, ihr, dein, votre, ton, su, tu
"""
#: Words that stand where a password would, and tell of it: "Password: optional".
TELLING: Final = """
    optional, required, mandatory, none, null, empty, blank, hidden, masked, redacted, removed, unknown, unchanged,
    default, same, needed, missing, invalid, wrong, incorrect, correct, valid, weak, strong, string, text, hashed,
    encrypted, below, above, attached, enclosed, follows, separately, later, soon, pending, disabled, enabled, true,
    false, saved, stored, sent, resent, revoked, accepted, rejected, confidential, varchar, boolean, integer,
    object, erforderlich, notwendig, nötig, benötigt, kein, keine, keines, keins, leer, unbekannt, unverändert,
    falsch, richtig, folgt, separat, später, pflichtfeld, pflicht, standard, siehe, gleich, ungültig, fehlt, anbei,
    gespeichert, gesendet, obligatoire, facultatif, optionnel, requis, aucun, vide, inconnu, inchangé, invalide,
    suit, masqué, obligatorio, obligatoria, opcional, requerido, requerida, ninguno, ninguna, vacío, vacía,
    desconocida, incorrecta, pendiente, obbligatorio, obbligatoria, opzionale, richiesta, facoltativo, facoltativa,
    nessuna, vuota, errata, sconosciuta, obrigatório, obrigatória, nenhuma, vazia, incorreta, desconhecida,
    verplicht, optioneel, vereist, geen, leeg, onbekend, onjuist, volgt, ongewijzigd, obligatoriskt, valfritt,
    krävs, inget, tomt, okänt, felaktigt, pakollinen, valinnainen, vaaditaan, tyhjä, väärä, wymagane, opcjonalne,
    brak, puste, nieznane, nieprawidłowe, påkrævet, valgfri, valgfrit, påkrevd, ingen, ukendt, ukjent, forkert,
    gerekli, zorunlu, bilinmiyor, yanlış
"""
WHOSE: Final = """
    the, your, my, our, das, dein, ihr, unser, mein, le, ton, votre, notre, la, tu, su, la tua, la sua, a sua, a, o,
    het, je, uw, ditt, det, to, twoje, din, new, neues, das neue, temporary, wifi, wlan, admin
"""
USER: Final = """
    user, username, user name, login, log-in, account, email, e-mail, mail, id, name, benutzer, benutzername,
    nutzer, konto, utilisateur, identifiant, usuario, utente, utilizador, usuário, gebruiker, gebruikersnaam,
    användare, användarnamn, käyttäjä, użytkownik, bruger, brugernavn, bruker, brukernavn, kullanıcı, kullanıcı adı
"""
ACCESS: Final = """
    credentials, credential, creds, logins, login, login data, login details, zugangsdaten, anmeldedaten,
    logindaten, zugang, identifiants, accès, credenciales, acceso, credenziali, accesso, credenciais, acesso,
    inloggegevens, inloggningsuppgifter, tunnukset, dane logowania, loginoplysninger, giriş bilgileri, wifi, wlan
"""
MADE_FOR: Final = """
    verification, verify, security, log-in, sign-in, confirmation, authentication, authenticator, authorization,
    one-time, access, activation, 2fa, mfa, otp, sms, tan, passkey, reset, recovery, unlock, whatsapp, two-factor,
    pairing, pickup, pick-up, abhol,
    bestätigungs, sicherheits, verifizierungs, anmelde, einmal, zugangs, aktivierungs, freischalt, prüf,
    zugriffs, sms-, entsperr, verificatie, beveiligings, inlog, bevestigings, toegangs, activerings, eenmalige,
    verifierings, säkerhets, engångs, aktiverings, bekräftelse, inloggnings, vahvistus, varmennus, kerta, turva,
    kirjautumis, weryfikacyjny, jednorazowy, bekræftelses, bekreftelses, engangs, sikkerheds, sikkerhets, doğrulama,
    onay, güvenlik, giriş, tek kullanımlık, sms onay
"""
#: Of a place: who knows it, comes in.
PLACE: Final = """
    door, gate, alarm, entry, entrance, garage, locker, safe, lock, keypad, lockbox, building, front door,
    office door, tür, haustür, tor, eingangs, tresor, garagen, deur, poort, dørkode, dör, port, ovi, portal, kapı
"""
PLACES: Final = """
    the door, the front door, the gate, the alarm, the safe, the garage, the building, the lockbox, the office,
    the entrance, die tür, die haustür, den tresor, das tor, die alarmanlage, la porte, portail, immeuble,
    l'immeuble, d'entrée, l'entrée, porte, alarme, l'alarme, la puerta, puerta, portal, la alarma, alarma, portone,
    cancello, allarme, porta, portão, de deur, het alarm, dörren, porten, ovi, bramy, drzwi, domofonu, døren, døra,
    kapı
"""
#: Of whom or which: "your code". Right before the word, since "your postal code is 10115" is none.
YOUR: Final = """
    your, the, this, my, our, new, following, ihr, ihren, dein, deinen, der, den, mein, dieser, diesen, neuer,
    votre, ton, le, ce, voici le, mon, su, tu, el, este, mi, il tuo, il suo, il, questo, tuo, seu, o seu, o, teu,
    uw, je, jouw, de, deze, din, ditt, denne, tämä, tämän, sinun, twój, ten, mój, senin, sizin, google, microsoft,
    apple, whatsapp, telegram, amazon, paypal, steam, signal, instagram, facebook
"""
FOR: Final = """
    vérification, verificación, verifica, verificação, confirmation, confirmación, conferma, confirmação, sécurité,
    seguridad, sicurezza, segurança, acceso, accesso, acesso, accès, d'accès, activation, activación, attivazione,
    ativação, connexion, autenticación, autenticazione, autenticação, authentification, sms, otp, 2fa, unique,
    único, whatsapp, weryfikacyjny, jednorazowy, autoryzacyjny, dostępu, aktywacyjny, z sms, temporaire, temporal,
    temporaneo, temporário, usage unique, à usage unique, un solo uso, uso único, uso singolo, monouso,
    utilização única
"""
ENTER: Final = """
    enter, type, use, input, submit, provide, enter in, reply with, saisissez, saisis, saisir, entrez, tapez,
    utilisez, composez, indiquez, renseignez, geben sie, gib, gebe, tippe, nutzen sie, nutze, verwenden sie,
    verwende, benutze, introduce, introduzca, introduzir, ingrese, ingresa, escribe, escriba, teclea, usa, utiliza,
    utilice, inserisci, inserire, inserisca, digita, digitare, immetti, utilizza, insira, introduza, digite,
    utilize, voer, vul, gebruik, typ, toets, ange, skriv, använd, mata in, syötä, anna, käytä, kirjoita, wpisz,
    podaj, wprowadź, użyj, indtast, brug, tast, skriv inn, tast inn, bruk, girin, gir, kullan
"""
POLITE: Final = """
    bitte, please, the, this, following, den, folgenden, diesen, le, ce, el, este, il, questo, o, de, deze, koden,
    ten, den her, svp, por favor
"""
#: What stands between "enter" and PIN besides.
OWN: Final = """
    your, ihre, ihren, votre, tu, su, my, die
"""
TO: Final = """
    to, in order to, um, pour, para, per, om, för att, aby, żeby, til at, for at, for å, zum, zur, als, as, jako,
    como, comme, come, ile, where, when
"""
DO: Final = """
    verify, confirm, log in, log into, login, sign in, sign into, sign up, complete, reset, access, unlock,
    continue, finish, activate, authenticate, validate, authorize, approve, join, link, pair, proceed, verifying,
    log, sign, se, sich, ihre, ihren, deine, dein, ihr, fortzufahren, einloggen, anmeldung, bestätigung, vérifier,
    confirmer, valider, vous, te, finaliser, continuer, accéder, activer, réinitialiser, verificar, confirmar,
    iniciar, acceder, activar, continuar, restablecer, entrar, validar, aceder, ativar, verificare, confermare,
    accedere, attivare, completare, continuare, in te loggen, in, uw, je, logga, verifiera, bekräfta, zalogować,
    potwierdzić, zweryfikować, się, bekræfte, bekrefte, logge, verificere, your, votre, tu, su, il
"""
#: Of a network, before its name.
KEY: Final = """
    code, clé, clef, clave, código, chiave, codice, chave, kod, klucz, code d'accès, key
"""
OF: Final = """
    du, de la, de, del, della, di, do, da, al, to the, for the, dla, sieci
"""
#: A code, alone and at the end of compounds.
CODE_WORDS: Final = """
    code, kode, kod, código, codice, koodi, codes, koden, coden
"""
#: Behind PIN.
NUMBER: Final = """
    code, nummer, number, no., nr., num, kode, kod, koodi, kodunuz, número
"""
#: A PIN in other words.
PIN: Final = """
    code pin, código pin, codice pin, kod pin, geheimzahl, pincode, código puk, code puk
"""
#: Before RECOVERY_CODES.
RECOVERY: Final = """
    recovery, backup, back-up, emergency, scratch, wiederherstellungs, ersatz, notfall, backup-, herstel,
    återställnings, reserv, palautus, vara, gendannelses, gjenopprettings, reserve, nød, kurtarma, yedek
"""
RECOVERY_CODES: Final = """
    codes, code, koder, koden, kode, koodit, koodi, keys, key, kodları, kodu, schlüssel
"""
#: Codes of recovery as a phrase.
RECOVERY_PHRASES: Final = """
    codes de récupération, codes de secours, code de récupération, codes de restauration, códigos de recuperación,
    códigos de respaldo, códigos de seguridad, códigos de recuperação, códigos de segurança, códigos de backup,
    codici di recupero, codici di backup, codici di emergenza, kody odzyskiwania, kody zapasowe, kod odzyskiwania,
    clé de récupération, clave de recuperación
"""
#: What a pass may be of, which is a password then.
WHOSE_PASS: Final = """
    user, login, wifi, wi-fi, wlan, admin, root, db, database, smtp, ftp, email, mail, vpn, guest, my, your, the
"""
#: The words that restore a wallet.
SEED: Final = """
    seed phrase, recovery phrase, mnemonic, mnemonic phrase, secret phrase, secret recovery phrase, seed words,
    recovery words, seed, wiederherstellungsphrase, phrase de récupération, frase semilla, frase de recuperación,
    frase seed, frase di recupero
"""
#: Words of a sentence, which a passphrase of plain words has none of: "passphrase: to be announced".
OF_SENTENCES: Final = """
    a an the to be is are was it its this that of on in at by for from with as and or not no if you your my me we us our
    i he she they will can see ask use get same please who what der die das den und ist im an zu mit von für nicht bitte
    le la les de du et est pour el los las y es por il lo di e o os as da do het een en van te
"""
#: Passwords in languages of other scripts: Russian, Ukrainian, Chinese, Japanese, Korean, Thai, Arabic, Hebrew, Greek,
#: Hindi.
OTHER_PASSWORDS: Final = """
    пароль, пароля, паролем, паролі, 密码, 密碼, 口令, パスワード, 비밀번호, 패스워드, รหัสผ่าน,
    كلمة المرور, كلمة السر, סיסמה, סיסמא, κωδικός πρόσβασης, συνθηματικό, पासवर्ड
"""
#: Codes that are sent for one use, in the same languages.
OTHER_CODES: Final = """
    ваш код, твой код,
    код подтверждения, код доступа, код для входа, код входа, код из смс, одноразовый код, одноразовый пароль,
    проверочный код, код підтвердження, одноразовий код, 验证码, 驗證碼, 校验码, 动态码, 動態碼, 認証コード,
    確認コード, 認証番号, 確認番号, ワンタイムパスワード, 인증번호, 인증 번호, 인증코드, 인증 코드,
    일회용 비밀번호, รหัสยืนยัน, รหัส otp, رمز التحقق, رمز التأكيد,
    קוד אימות, קוד האימות, κωδικός επαλήθευσης, κωδικός επιβεβαίωσης,
    सत्यापन कोड, ओटीपी
"""
OTHER_PINS: Final = """
    暗証番号, пин-код, пинкод, пін-код, 핀번호, 핀 번호, 个人识别码, รหัสพิน
"""
