"""Numbers written as words, in seven languages: "forty-eight thousand", "achtundvierzig", "treinta y dos".

"One" is left out: in each of the languages it is an article or a pronoun as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from consumer.understanding import languages


class Numeral(NamedTuple):
    """``number`` is what the words between ``start`` and ``end`` of the folded text mean."""

    number: int
    start: int
    end: int


#: From one to twenty, in order; alternatives of a word are parted by a slash.
_UP_TO_TWENTY: Final[Mapping[str, str]] = {
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty",
    "de": "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn"
    " achtzehn neunzehn zwanzig",
    "fr": "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit"
    " dix-neuf vingt",
    "es": "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete"
    " dieciocho diecinueve veinte",
    "pt": "um dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze"
    " dezasseis/dezesseis dezassete/dezessete dezoito dezanove/dezenove vinte",
    "it": "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"
    " diciassette diciotto diciannove venti",
    "nl": "een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien"
    " achttien negentien twintig",
}
#: Twenty, thirty, ... ninety, hundred.
_TENS: Final[Mapping[str, str]] = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety hundred",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert",
    "fr": "vingt trente quarante cinquante soixante soixante-dix quatre-vingts/quatre-vingt quatre-vingt-dix"
    " cent/cents",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien/ciento/cientos",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem/cento",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd",
}
_REPEATED: Final[Mapping[str, Mapping[str, int]]] = {
    "en": {"twice": 2, "thrice": 3, "dozen": 12},
    "de": {"zweimal": 2, "dreimal": 3, "viermal": 4, "dutzend": 12},
    "nl": {"tweemaal": 2, "driemaal": 3, "dozijn": 12},
    "fr": {"douzaine": 12, "quinzaine": 15, "vingtaine": 20},
    "es": {"docena": 12},
    "it": {"dozzina": 12},
    "pt": {"dúzia": 12},
}
#: Between the words of one number.
_JOINTS: Final[Mapping[str, frozenset[str]]] = {
    "en": frozenset({"and"}), "fr": frozenset({"et"}), "es": frozenset({"y"}), "pt": frozenset({"e"}),
}  # fmt: skip
#: An article, or a one, that is a number only at the end of a larger one: "twenty-one", "vingt et un".
_ONES: Final[Mapping[str, frozenset[str]]] = {
    "en": frozenset({"one"}), "fr": frozenset({"un", "une"}), "es": frozenset({"un", "uno", "una"}),
    "pt": frozenset({"um", "uma"}),
}  # fmt: skip
#: Forms of verbs and other words that are numbers only beside what they count.
_AMBIGUOUS: Final[Mapping[str, frozenset[str]]] = {
    "it": frozenset({"sei"}),
    "fr": frozenset({"neuf"}),
    "en": frozenset(),
}
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@cache
def up_to_twenty(language: str) -> Mapping[str, int]:
    """Words that count a few days or weeks, of one of the seven languages: from one, articles too, to twenty."""
    return {
        **{word: n for n, forms in _counting(language).items() for word in forms},
        **languages.LANGUAGES[language].other_numbers,
    }


@cache
def counted_in_words(language: str) -> re.Pattern[str]:
    """The words that count days or weeks, from one to ninety-nine; ``count`` says how many they are."""
    small = _longest_first(up_to_twenty(language))
    tens = _longest_first(word for forms in _TENS[language].split() for word in forms.split("/"))
    if language in ("de", "nl"):
        larger = r"[^\W\d_]{4,14}ig"  # "zwanzig", "eenentwintig"; what else ends so is no number
    elif language == "it":
        stems = _longest_first(word[:-1] for word in _TENS["it"].split())
        larger = rf"(?:{stems})(?:[ia]?(?:due|tr\u00e9|tre|quattro|cinque|sei|sette|nove)|uno?|otto|[ia])"
    else:
        joints = "|".join(_JOINTS[language])
        ones = _longest_first({*small.split("|"), *_ONES[language]})
        joint = rf"\s+(?:{joints})\s+" if language in ("es", "pt") else rf"[\s-]+(?:(?:{joints})[\s-]+)?"
        larger = rf"(?:{tens})(?:{joint}(?:{ones}))?"
        if language == "es":
            larger = rf"veinti(?:{ones}|[^\W\d_]+)|{larger}"
    return re.compile(rf"(?:{larger}|{small})(?![\w-])")


def count(words: str, language: str) -> int:
    """How many a number or words of ``counted_in_words`` are; 0 where they are no number."""
    if words.isdigit():
        return int(words)
    if number := up_to_twenty(language).get(words):
        return number
    numerals = find(words, language)
    whole = numerals[0] if len(numerals) == 1 else None
    return whole.number if whole and (whole.start, whole.end) == (0, len(words)) else 0


def _longest_first(several: Iterable[str]) -> str:
    return "|".join(
        re.escape(word).replace(r"\ ", r"\s+") for word in sorted(set(several), key=lambda each: (-len(each), each))
    )


def find(folded: str, language: str) -> tuple[Numeral, ...]:
    """The spelled numbers of a folded text, in order."""
    table = _table(language)
    if not table:
        return ()
    numerals: list[Numeral] = []
    chain = _Chain()
    joints = _JOINTS.get(language, frozenset())
    for match in _WORD.finditer(folded):
        gap = folded[chain.end : match.start()] if chain.begun else " "
        values = _values(match[0], language, table) or chain.final_one(match[0], language, gap)
        if chain.begun and not values and match[0] in joints and not gap.strip():
            chain.end, chain.joined = match.end(), True
            continue
        if not values or gap.strip() or not chain.takes(values[0]):
            numerals += chain.close()
        if values:
            for value in values:
                chain.add(value, match.start(), match.end())
        elif match[0] in _AMBIGUOUS.get(language, ()):
            numerals += _counted(match, folded, language)
    numerals += chain.close()
    return tuple(numerals)


class _Chain:
    """Words of one number as they come: "two hundred and forty thousand"."""

    def __init__(self) -> None:
        self.total = self.current = self.start = self.end = self.last = 0
        self.begun = self.joined = False

    def final_one(self, word: str, language: str, gap: str) -> list[int]:
        """[1] for a one that ends this number: English needs no "and" before it."""
        ends = self.begun and not gap.strip() and (self.joined or language == "en") and self.takes(1)
        return [1] if ends and word in _ONES.get(language, ()) else []

    def takes(self, value: int) -> bool:
        if not self.begun:
            return True
        if value >= 100:
            return value > self.last or value >= 1000
        if self.joined and value == 11 and self.last == 60:
            return True  # "soixante et onze"
        return self.current % 100 == 0 or (value < 10 and self.current % 10 == 0 and self.current % 100 >= 20)

    def add(self, value: int, start: int, end: int) -> None:
        if not self.begun:
            self.begun, self.start, self.total, self.current = True, start, 0, 0
        if value >= 1000:
            self.total += max(self.current, 1) * value
            self.current = 0
        elif value >= 100:
            self.current = max(self.current, 1) * 100
        else:
            self.current += value
        self.last, self.end, self.joined = value, end, False

    def close(self) -> Iterator[Numeral]:
        number, begun = self.total + self.current, self.begun
        span = self.start, self.end
        self.__init__()  # type: ignore[misc]
        if begun and number > 1:
            yield Numeral(number, *span)


def _values(word: str, language: str, table: Mapping[str, int]) -> list[int]:
    if word in table:
        return [table[word]]
    first, *others = word.split("-")
    others = [part for part in others if part not in _JOINTS.get(language, ())]
    ones = _ONES.get(language, ())
    if first not in table or not others or not all(part in table or part in ones for part in others):
        return []
    return [table[first], *(table.get(part, 1) for part in others)]


def _counted(match: re.Match[str], folded: str, language: str) -> Iterator[Numeral]:
    """ "sei mesi" counts, "sei pronto" does not."""
    following = _WORD.match(folded, match.end() + 1)
    words = languages.get(language)
    if words and following and (following[0] in words.counted or following[0] in words.currencies):
        yield Numeral({"sei": 6, "neuf": 9}[match[0]], *match.span())


@cache
def _table(language: str) -> Mapping[str, int]:  # noqa: C901 - one branch a language
    words = languages.get(language)
    if words is None:
        return {}
    language = words.code
    units = _counting(language)
    tens = {n * 10: each.split("/") for n, each in enumerate(_TENS[language].split(), 2)}
    table = {word: n for several in (units, tens) for n, forms in several.items() for word in forms}
    table.update(_REPEATED.get(language, {}))
    if language in ("de", "nl"):
        _compound(table, units, tens, language)
    elif language == "it":
        _italian(table, units, tens)
    elif language == "es":
        for n in range(1, 10):
            table["veinti" + {2: "dós", 3: "trés", 6: "séis"}.get(n, units[n][0])] = 20 + n
        table["veintiún"] = table["veintiuna"] = 21
    elif language == "fr":
        for n in range(11, 20):
            table[f"soixante-{units[n][0]}"] = 60 + n
            table[f"quatre-vingt-{units[n][0]}"] = 80 + n
        for n in range(1, 10):
            table[f"quatre-vingt-{units[n][0]}"] = 80 + n
        # "Neuf" alone is "new" as well.
        table |= {f"{tens[ten][0]}-neuf": ten + 9 for ten in range(20, 70, 10)}
    table.update({word: n for word, n in words.scales.items() if len(word) > 2 and word.isalpha()})
    for word in (*units[1], *_AMBIGUOUS.get(language, ()), "mio", "mrd", "mld", "mln", "tsd"):
        table.pop(word, None)
    return table


def _counting(language: str) -> Mapping[int, list[str]]:
    return {n: each.split("/") for n, each in enumerate(_UP_TO_TWENTY[language].split(), 1)}


def _compound(
    table: dict[str, int], units: Mapping[int, list[str]], tens: Mapping[int, list[str]], language: str
) -> None:
    """ "achtundvierzig", "achtenveertig", "zweihundert", "achtundvierzigtausend"."""
    joint, hundred, thousand = ("und", "hundert", "tausend") if language == "de" else ("en", "honderd", "duizend")
    small = {n: forms[0] for n, forms in units.items()}
    for ten in range(20, 100, 10):
        for n in range(1, 10):
            between = "ën" if language == "nl" and small[n].endswith("e") else joint
            small[ten + n] = f"{small[n]}{between}{tens[ten][0]}"
        small[ten] = tens[ten][0]
    for n, word in small.items():
        table[word] = n
        table[f"{word}{thousand}"] = n * 1000
        if n < 10:
            table[f"{word}{hundred}"] = n * 100
            table[f"{word}{hundred}{thousand}"] = n * 100_000


def _italian(table: dict[str, int], units: Mapping[int, list[str]], tens: Mapping[int, list[str]]) -> None:
    for ten in range(20, 100, 10):
        for n in range(1, 10):
            word = units[n][0]
            stem = tens[ten][0][:-1] if word[0] in "uo" else tens[ten][0]
            table[stem + ("tré" if n == 3 else word)] = ten + n
        table[tens[ten][0][:-1] + "un"] = ten + 1
    for n, word in [(n, word) for word, n in table.items() if 1 < n < 100]:
        table[f"{word}mila"] = n * 1000
        if n < 10:
            table[f"{word}cento"] = n * 100
