"""
Where sentences end.

Our own rule over tables of abbreviations, for a reason. pysbd reads 1,240 sentences a second, takes five seconds for
10 kB of ``1. `` and ends sentences at "approx.", "Mme." and "2 déc."; syntok is fast and ends them at "2. Dezember".
This one cuts only at white space, so that joined sentences are the text again, and its time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from consumer.understanding.reading.tables import word_set

#: A sign that may end a sentence, what may close behind it, and white space; or an ideographic full stop.
_END: Final = re.compile(
    r"(?P<sign>[.!?\u2026]{1,8})(?P<close>[\"'\u201c\u201d\u2019\u00bb)\]*_]{0,4})\s+(?=(?P<next>\S))"
    r"|(?P<wide>[\u3002\uff01\uff1f]{1,8}[\u300d\u300f\u201d]{0,2})\s*(?=\S)|"
    r"(?P<india>[\u0964\u06d4\u061f]{1,4})\s+(?=\S)"
)
#: What never ends a sentence: something follows it.
_NEVER: Final = word_set(
    "p.s al dr mr mrs ms mx prof st sr sra srta dott dra drs ing dipl hr fr frau herr mme mmes mlle mm messrs rev hon "
    "gen col capt lt sgt gov sen rep pres mag univ dipl-ing sig sigg sigra dott.ssa dhr mevr mw mej exmo exma v "
    "vs fig figs abb tab sec chap kap vol art arts nr no nos núm num nº pp pg p ex eg ie bzgl bzw ca cca approx "
    "about zb dh ua uu vgl sog ggf evtl inkl incl exkl excl zzgl einschl max min tel telf tél fax mob ref attn re "
    "cf ibid resp geb gest bspw insb bd hrsg env pl fam jan feb mar apr jun jul aug sep sept oct okt nov dec dez "
    "déc janv févr avr juil ene abr ago dic gen mag giu lug set ott fev fév mai out mrt mei sept ave blvd rd hwy "
    "str mt ft dept depto av avda apdo plz ud uds ustedes cía c/o a.k.a zn dwz bijv enz. o.a m.b.t t.a.v d.w.z "
    "hrn fa avv ee uu pág págs pag pagg blz afd apt bât cía gral atte mln mld ust mwst "
    "arq arqª arch geom dott.ssa sig.ra prof.ssa sig.na on.le enga engª ingª drª profª srª profa profs "
    "lic sres dres dña d.d mgr dre ste sté éts stb dipl.-ing z.hd gez betr d.m.v i.v.m t.n.v excmo ilmo lda "
    "z.b d.h u.a i.d.r i.e e.g p.ex p.e n.chr v.chr s.o s.u u.u m.e o.g z.t"
)
#: Titles with a capital, and words without one: "Me. Roche", "call me.".
_CAPITALS: Final = frozenset({"Me", "Eng", "Rag"})
#: A month or an abbreviation that often ends a sentence too; it does when a capital follows that is no name.
_SOMETIMES: Final = word_set(
    "ir inc ltd co corp llc plc gmbh jr sr etc usw enz ecc bros p.m a.m pm am u.s u.k e.u s.a s.l s.p.a b.v n.v d.c"
)
#: Words that begin a sentence and no name.
_BEGINS: Final = word_set(
    "i we you he she it they the this that these those a an and but then so if when please thanks thank our my "
    "his her their what who how where why can could would will do does did is are was not no yes let for in on at "
    "as ich wir du er sie es der die das ein eine und aber dann wenn bitte danke nous je tu il elle on le la les "
    "un une et mais yo el los nosotros pero si por gracias eu ele ela nós mas obrigado io lui lei noi ma grazie "
    "ik wij hij zij de het een en maar"
)
_WORD_BEFORE: Final = re.compile(r"[^\s\"'(\[\u201c\u201e\u00ab]{1,24}\Z")
_WORD: Final = re.compile(r"[^\W\d_]+")
_OPENING: Final = "\"'(\u201c\u201e\u00ab\u2018[*_¿¡"
#: "2. Dezember", "3. Quartal": a number with a dot in languages that write ordinals so.
_ORDINAL: Final = re.compile(r"\d{1,2}\Z")
_ORDINAL_NEXT: Final = re.compile(
    r"(?:jan|feb|mär|mar|apr|mai|maj|jun|jul|aug|sep|okt|oct|nov|dez|dec|des|prosinc|led|q[1-4]\b|quartal|"
    r"halbjahr|woche|kw\b|stock|etage|klasse|runde|teil|kapitel|advent|weihnacht)",
    re.IGNORECASE,
)
#: Markdown's links: citations compare their text alone, so a cut inside one could not be quoted.
_LINKS: Final = re.compile(r"\[[^\[\]]{0,300}\](?:\([^()\s]{0,2000}\))?")
#: A longer run without an end is no sentence that somebody quotes: it is cut at white space.
SENTENCE_CHARS: Final = 1000


def sentences(line: str) -> Iterator[str]:
    """One line's sentences, without the white space around them; none for a blank line."""
    start = 0
    if len(line) > 3:
        links = [match.span() for match in _LINKS.finditer(line)] if "](" in line or "[[" in line else []
        link = 0
        for end in _END.finditer(line):
            while link < len(links) and links[link][1] <= end.start():
                link += 1
            if link < len(links) and links[link][0] < end.start():
                continue
            if end["sign"] and not _ends(line, start, end):
                continue
            yield from _short(line[start : end.end()])
            start = end.end()
    yield from _short(line[start:])


def _ends(line: str, start: int, end: re.Match[str]) -> bool:
    """Whether this sign ends a sentence that began at ``start``."""
    sign, following = end["sign"], end["next"]
    at = end.start("next")
    if following in _OPENING and at + 1 < len(line):
        following = line[at + 1]
    if following.islower():
        # People who write without capitals end sentences too, but not behind an abbreviation or an ellipsis.
        return (sign[0] in "!?" and not end["close"]) or (sign == "." and _long_word(line, start, end.start()))
    if sign != ".":
        return True
    before = _WORD_BEFORE.search(line, max(start, end.start() - 24), end.start())
    written = before[0] if before else ""
    word = written.casefold()
    if word in _NEVER or written in _CAPITALS or (len(word) == 1 and word.isalpha() and word != "i"):
        return False
    if word in _SOMETIMES or ("." in word and all(len(part) <= 2 for part in word.split(".")) and word[0].isalpha()):
        next_word = _WORD.match(line, at)
        return next_word is not None and next_word[0].casefold() in _BEGINS
    if _ORDINAL.fullmatch(word):
        # A list's number at the start belongs to what follows.
        return bool(line[start : end.start()].strip() != word and not _ORDINAL_NEXT.match(line, at))
    return True


def _long_word(line: str, start: int, end: int) -> bool:
    """Whether an ordinary word stands before the sign: two letters or more, and no abbreviation."""
    before = _WORD_BEFORE.search(line, max(start, end - 24), end)
    word = before[0].casefold() if before else ""
    return len(word) >= 2 and word.isalpha() and word not in _NEVER and word not in _SOMETIMES


def _short(sentence: str) -> Iterator[str]:
    sentence = sentence.strip()
    while len(sentence) > SENTENCE_CHARS:
        cut = sentence.rfind(" ", SENTENCE_CHARS // 2, SENTENCE_CHARS)
        cut = cut if cut > 0 else SENTENCE_CHARS
        yield sentence[:cut].rstrip()
        sentence = sentence[cut:].lstrip()
    if sentence:
        yield sentence
