"""
Whether two claims say much the same.

They do not if each names what the other does not name: a person, a place, a day, a number. Nor if one of them says no,
or if only their names stand in another order.
Otherwise the share of their words decides.

Scripts without capitals or blanks show no names, so there any words may be one: two claims say the same only if no more
than one of them has words of its own, apart from grammar. Code knows no synonyms; claims that differ by one are two.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import date
from difflib import SequenceMatcher
from itertools import groupby
from typing import Final, NamedTuple

from consumer.evidence.search.words import RUN, runs, spaced
from consumer.understanding import languages, mentions, modality
from consumer.understanding.mentions import Mentions
from consumer.understanding.questions.stems import stem
from consumer.understanding.text import fold

#: Share of the words of the shorter of two texts above which they say the same; of texts of few words, which differ in
#: one word where they say something else.
ALIKE: Final = 0.6
ALIKE_SHORT: Final = 0.75
#: Letters of a longer word, and longer words that are enough to compare.
_LONG: Final = 4
_ENOUGH: Final = 2
#: Signs that a shared piece of a script without blanks has at least.
_PIECE: Final = 2
#: Letters of an inflected name that stay.
_STEM: Final = 3
#: Words for the user, who has no name in a report.
_ADDRESSED: Final = frozenset({"you", "i", "me", "du", "dir", "dich", "sie", "ihnen"})
_AND: Final = frozenset({"and", "und", "et", "y", "e", "en", "и", "i", "ve"})
#: "Friday" is counted from here in both texts.
_SOME_DAY: Final = date(2024, 1, 1)

#: Before a piece of a run, in one text and in the other: it begins a word, or follows something.
_MARKS: Final = (("\x01", "\x02"), ("\x03", "\x04"))
_MARKED: Final = re.compile("([\x01-\x04])([^\x01-\x04]+)")

#: Particles, auxiliaries and endings, which never begin a word, in Chinese, Japanese, Korean and Thai.
_GRAMMAR: Final = re.compile(
    "(?:"
    "[将將会會要已经經了的地得在是把被就也都还還又再正着著过過和与與及给給对對向为為于於这這那个個]"
    "|[はがをにでともへやか、・うくぐすつぬぶむるいてただ]|から|まで|より|さん|様|です|でした|だった|である|という"
    "|[いきしちにびみりぎえけせてねべめれげ]?ま(?:す|した|して|しょう)|し|した|して|[いっんし][てでただ]|こと|予定"
    "|ません|な(?:い|かった)"
    "|[은는이가을를의에로과와도만]|에서|에게|께서|으로|부터|까지|입니다|이다|였다|[한된했됐하되할될]|다|[합됩습]니다"
    "|[했됐었았겠]?습니다|했다|됐다|하는|하고|해요?|예정|것"
    "|จะ|ได้|แล้ว|กำลัง|ที่|ใน|ของ|และ|เป็น|คือ|ว่า|ก็|ให้|กับ|นี้|นั้น|มี|อยู่|ครับ|ค่ะ|คะ|คุณ"
    ")+$"
)
#: A Korean verb in plain and in polite speech; by its ending, the number of the last letter that belongs to it.
_POLITE: Final = re.compile("([가-힣])(니다|다)(?![가-힣])")
_ENDS_IN: Final = {"다": 4, "니다": 17}
_FIRST_HANGUL: Final = 0xAC00
_FINALS: Final = 28
#: Numbers with the sign for what they count, and in other signs than 0 to 9: 12月, 十三, ๑๓.
_COUNTED: Final = re.compile(
    r"\d+[年月日号號時时点點分円元人名个個回년월일시분원명]|[\u0e50-\u0e59]+|[〇零一二三四五六七八九十百千万萬]+"
)
#: Mr Klein is not Mrs Klein.
_MR_OR_MRS: Final = re.compile(
    r"\b(?:(herrn?|mr|monsieur|señor|sr|senhor|signor|meneer)"
    r"|frau|mrs|ms|madame|mme|señora|sra|senhora|signora|mevrouw)\b",
    re.IGNORECASE,
)
#: In the same languages, and in Russian, Ukrainian, Polish and Turkish. Japanese writes many words with the Chinese
#: signs, such as 不動産, and says no in kana.
_NEGATION: Final = re.compile(
    "^(?!.*[\u3040-\u30ff]).*(?:不(?!过|過|但|仅|僅|断|斷|久|动产|動產)|[没沒勿]|未(?!来|來))"
    r"|(?<![少危])(?<!しれ)(?<!違い)な(?:い|かった)|ません"
    r"|(?<!\S)(?:안\s|못)|않|아니|아닌|아닙|없|ไม่|มิได้|อย่า"
    r"|(?<!\w)(?:не|нет|ні|nie|değil)(?!\w)|m[ae]y[ae]c[ae][kğ]|m[iıuü]yor|m[ae]d[iı](?!\w)",
    re.DOTALL | re.IGNORECASE,
)


def alike(text: str, other: str) -> bool:
    """Whether two claims say much the same of the same people and values."""
    language = _language(text, other)
    if not _share_words(text, other, language):
        return False
    own = _own(text, other)
    if _name_others(text, other, language, own) or all(each.pieces for each in own):
        return False
    return _negates(text, language) == _negates(other, language)


def name_others(text: str, other: str) -> bool:
    """Whether each claim surely names what the other does not name.

    In scripts without capitals it is sure of values, and of claims that begin with different words: these mostly name
    whom a claim is about.
    """
    return _name_others(text, other, _language(text, other), _own(text, other))


def _name_others(text: str, other: str, language: str, own: tuple[_OwnWords, _OwnWords]) -> bool:
    several, others = (_ThingsNamed.of(each, language) for each in (text, other))
    if several.are_not(others) or all(each.begins for each in own):
        return True
    return _exchange(text, other, several.names, others.names)


def _exchange(text: str, other: str, names: frozenset[str], other_names: frozenset[str]) -> bool:
    """Whether only the names stand in another order, as in "Ana owes Bob" and "Bob owes Ana"; with "and" between them,
    the order says nothing.
    """
    people, shared = names | other_names | _ADDRESSED, (names & other_names) | _ADDRESSED
    (frame, several), (other_frame, others) = (_named_in_order(each, people) for each in (text, other))
    if frame != other_frame or not _AND.isdisjoint(frame):
        return False
    order, other_order = ([sorted(name & shared) for name in each if name & shared] for each in (several, others))
    return order != other_order and sorted(order) == sorted(other_order)


def _named_in_order(text: str, people: Collection[str]) -> tuple[list[str], list[set[str]]]:
    """The beginnings of the words, "" for each name; and the words of each name, in order."""
    frame: list[str] = []
    named: list[set[str]] = []
    for is_name, words in groupby(map(mentions.key, spaced(text)), people.__contains__):
        if is_name:
            frame.append("")
            named.append(set(words))
        else:
            frame += [word[:_STEM] for word in words]
    return frame, named


def _language(text: str, other: str) -> str:
    return languages.guess(fold(f"{text} {other}")) or "en"


def _share_words(text: str, other: str, language: str) -> bool:
    """By the stems of their longer words, or of all words where one text has few longer ones, as "Bob is CEO"; in
    scripts without blanks each sign counts as a word.
    """
    (long, every), (long_others, others) = (_stems(each, language) for each in (text, other))
    if min(len(long), len(long_others)) >= _ENOUGH:
        return len(long & long_others) >= ALIKE * min(len(long), len(long_others))
    least = ALIKE if RUN.search(text) and RUN.search(other) else ALIKE_SHORT
    shorter = min(len(every), len(others))
    return shorter > 0 and len(every & others) >= least * shorter


def _stems(text: str, language: str) -> tuple[set[str], set[str]]:
    """(of the longer words, of all words and signs) of a text."""
    several = {word: stem(word, language) for word in spaced(text)}
    long = {several[word] for word in several if len(word) >= _LONG}
    return long, {*several.values(), *"".join(runs(text))}


def _negates(text: str, language: str) -> bool:
    return modality.read(text, language).negated or _NEGATION.search(text) is not None


class _ThingsNamed(NamedTuple):
    """The days and values of a text by kind, and the words of its names, initials apart."""

    values: dict[str, Counter[object]]
    names: frozenset[str]

    @classmethod
    def of(cls, text: str, language: str) -> _ThingsNamed:
        text = unicodedata.normalize("NFKC", text)
        mentioned = mentions.find(RUN.sub(" ; ", text), _SOME_DAY, language)
        names = {word for word in mentions.words(" ".join(mentioned.names)) if len(word) > 1}
        return cls(_values(text, mentioned), frozenset(names - mentions.PARTICLES))

    def are_not(self, other: _ThingsNamed) -> bool:
        """Whether of one kind, or of names, each has what the other has not."""
        values, others = self.values, other.values
        if any(values[kind] - others[kind] and others[kind] - values[kind] for kind in values):
            return True
        return bool(_without(self.names, other.names) and _without(other.names, self.names))


def _values(text: str, mentioned: Mentions) -> dict[str, Counter[object]]:
    """The days and values that a text names, by kind: of two kinds, "Friday" and "3 December", may be one day."""
    dated = [day for day in mentioned.days if re.search(r"\d", day.words)]
    return {
        "day": Counter(day.day[len("2024-") :] for day in dated),
        "year": Counter(year for day in dated for year in re.findall(r"\d{4}", day.words)),
        "weekday": Counter(day.day for day in mentioned.days if day not in dated),
        "time": Counter(mentioned.times),
        "month": Counter(mentioned.months),
        "quarter": Counter(mentioned.quarters),
        "number": Counter(value.number for value, _ in mentioned.numbers),
        "unit": Counter(value.unit for value, _ in mentioned.numbers if value.unit),
        "counted": Counter(_COUNTED.findall(text)),
        "unit of time": Counter(mentioned.per),
        "code": Counter(mentioned.codes),
        "form of address": Counter("m" if match[1] else "f" for match in _MR_OR_MRS.finditer(text)),
    }


def _without(names: frozenset[str], others: frozenset[str]) -> set[str]:
    """The names that are not among the others. Those of other alphabets than Latin may be inflected."""
    stems = {other[:_STEM] for other in others}
    return {name for name in names - others if name.isascii() or name[:_STEM] not in stems}


class _OwnWords(NamedTuple):
    """What a text has of its own in scripts without blanks; ``begins``: the text begins with it."""

    pieces: Counter[str]
    begins: bool


def _own(text: str, other: str) -> tuple[_OwnWords, _OwnWords]:
    """What remains of each text without the longest pieces that both have, wherever they stand, and without grammar."""
    (begins, follows), (other_begins, other_follows) = _MARKS
    left, other_left = _marked(text, begins, follows), _marked(other, other_begins, other_follows)
    while True:
        shared = SequenceMatcher(None, left, other_left, autojunk=False).find_longest_match()
        if shared.size < _PIECE:
            break
        left = left[: shared.a] + follows + left[shared.a + shared.size :]
        other_left = other_left[: shared.b] + other_follows + other_left[shared.b + shared.size :]
    pieces, others = Counter(_content(left, begins)), Counter(_content(other_left, other_begins))
    return (
        _OwnWords(pieces - others, left.startswith(begins) and left[1] != follows),
        _OwnWords(others - pieces, other_left.startswith(other_begins) and other_left[1] != other_follows),
    )


def _marked(text: str, begins: str, follows: str) -> str:
    """The runs of signs without blanks, each behind its mark."""
    text = _POLITE.sub(_without_final, unicodedata.normalize("NFKC", text))
    return "".join((follows if text[: run.start()][-1:].isalnum() else begins) + run[0] for run in RUN.finditer(text))


def _without_final(ending: re.Match[str]) -> str:
    """The sign before a verb's ending, without its last letter where that belongs to the ending: 보낸다, 보냅니다.

    는다 and 습니다 are endings as a whole.
    """
    if ending[1] in "는습":
        return ""
    sign = ord(ending[1]) - _FIRST_HANGUL
    return chr(_FIRST_HANGUL + sign - sign % _FINALS) if sign % _FINALS == _ENDS_IN[ending[2]] else ending[0]


def _content(left: str, begins: str) -> Iterator[str]:
    """The marked pieces without the grammar with which they end. What begins a word is none."""
    for mark, piece in _MARKED.findall(left):
        grammar = _GRAMMAR.search(piece, 1 if mark == begins else 0)
        content = piece[: grammar.start()] if grammar else piece
        if content:
            yield content
