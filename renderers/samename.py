"""
Which addresses of one full name are one person's.

A firm tells its people of one name apart, and a private address belongs to no firm. So addresses of one name at one
firm are one person's, and so are private ones, unless people of that name are at several firms. How many share the
given and the family name tells whether chance may have given the name to two, or can hardly have.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from renderers import persons


class NameBearer(NamedTuple):
    """Somebody who bears a name, folded and given name first, with all addresses that are known to be theirs."""

    id: str
    name: str
    addresses: tuple[str, ...]
    #: Whether the user keeps a contact of theirs.
    is_contact: bool = False


def pairs(bearers: Iterable[NameBearer]) -> Iterator[tuple[str, str]]:
    """Pairs of ids that are one person. Somebody who goes by several names is given once for each."""
    by_name: dict[str, dict[str, NameBearer]] = defaultdict(dict)
    spelled: dict[str, str] = {}
    for bearer in bearers:
        name = without_initials(bearer.name)
        # "AnnMarie" is "Ann Marie".
        name = spelled.setdefault(letters(name), name)
        by_name[name].setdefault(bearer.id, bearer)
    by_name.pop("", None)
    given = Counter(name.split()[0] for name in by_name)
    family = Counter(name.split()[-1] for name in by_name)
    for name, several in by_name.items():
        # A name of more addresses is a sender's of mail with new ones each time.
        if 1 < len(several) <= _MOST:
            words = name.split()
            chance = (given[words[0]] - 1) * (family[words[-1]] - 1) / len(by_name)
            is_common = chance > _CHANCE or len(words) == 1
            is_rare = family[words[-1]] == 1 and len(by_name) >= _MANY
            people = [bearer for bearer in several.values() if _may_be_person(bearer)]
            yield from _of_one_name(words, people, is_common=is_common, is_rare=is_rare)


def _may_be_person(bearer: NameBearer) -> bool:
    return any(persons.is_person(bearer.name, address) for address in bearer.addresses or ("",))


def _of_one_name(
    words: Sequence[str], bearers: Sequence[NameBearer], *, is_common: bool, is_rare: bool
) -> Iterator[tuple[str, str]]:
    # Two contacts are two people, and an initial tells one from another.
    if sum(bearer.is_contact for bearer in bearers) > 1 or len(set(filter(None, map(_initials, bearers)))) > 1:
        return
    groups: list[list[NameBearer]] = []
    for bearer in bearers:
        alike = [group for group in groups if any(_are_one(words, bearer, other, is_common) for other in group)]
        groups = [group for group in groups if group not in alike]
        groups.append([bearer, *(other for group in alike for other in group)])
    at_firms = [group for group in groups if any(firm(each, words) for bearer in group for each in bearer.addresses)]
    if not is_common and (is_rare or len(at_firms) < 2):
        groups = [[bearer for group in groups for bearer in group]]
    for group in groups:
        yield from ((group[0].id, other.id) for other in group[1:])


def _are_one(words: Sequence[str], bearer: NameBearer, other: NameBearer, is_common: bool) -> bool:
    """Whether an address of one and an address of the other tell that these are one person."""
    for left in bearer.addresses:
        for right in other.addresses:
            mine, others = left.partition("@")[0], right.partition("@")[0]
            if mine == others and "@" in left and len(mine) > _SHORT and not _is_of_name(mine, words):
                return True
            if is_common or not firm(left, words) or firm(left, words) != firm(right, words):
                continue
            # A number tells the second of a name at a firm from the first.
            is_numbered = mine != others and _NUMBER.sub("", mine) == _NUMBER.sub("", others)
            if bears(mine, words) and bears(others, words) and not is_numbered:
                return True
    return False


def firm(address: str, words: Sequence[str] = ("-",)) -> str:
    """The domain of a firm or another body, without its hosts; "" for a private address and for a phone.

    ``words``: of the name; a domain that is the name is private.
    """
    labels = address.partition("@")[2].split(".")
    if len(labels) < 2 or labels[-1].isdigit() or not _NO_FIRM.isdisjoint(labels):
        return ""
    kept = labels[-3:] if len(labels[-1]) == 2 and labels[-2] in _SECOND else labels[-2:]
    domain, name = ".".join(kept), kept[0]
    if name in _PROVIDERS or domain in _PROVIDERS:
        return ""
    return "" if len(name) > _SHORT and name != words[0] and _is_of_name(name, words) else domain


def without_initials(name: str) -> str:
    """A full name without single letters; "t. v. kurian" as it is; "" for a name that is not full."""
    words = [word for word in name.split() if len(word.strip(".")) > 1]
    if len(words) > 1 or _UNSPACED.fullmatch(name):
        return " ".join(words)
    return name if len(words) == 1 and name.count(" ") > 1 and name.endswith(words[0]) else ""


def letters(name: str) -> str:
    """A name in one word."""
    return _SIGNS.sub("", name)


def written_whole(names: Iterable[str]) -> dict[str, str]:
    """Full names, by what ``in_address`` makes of them."""
    return {in_address(name): name for name in sorted(names, reverse=True) if without_initials(name)}


def in_address(name: str) -> str:
    """A name in one word, without what an address writes in place of a letter's dots: "juergen.mueller"."""
    return _DOTTED.sub(r"\1", letters(name))


def families(names: Mapping[str, int]) -> frozenset[str]:
    """The family names among full names of one address; those that few of its records have are slips."""
    often = max(names.values(), default=0) / _SLIPS
    return frozenset(name.split()[-1] for name, records in names.items() if records > often and without_initials(name))


def _initials(bearer: NameBearer) -> str:
    return "".join(word[0] for word in bearer.name.split() if len(word.strip(".")) == 1)


def bears(local: str, words: Sequence[str]) -> bool:
    """Whether the part of an address before the "@" has something of a name, as far as its letters can tell."""
    return any(word[:_TELLING] in local for word in words if len(word) >= _TELLING) or not words[-1].isascii()


def _is_of_name(local: str, words: Sequence[str]) -> bool:
    """Whether anybody of that name may have it before the "@": "ann.lee", "alee", "lee.a"."""
    first, last = words[0], words[-1]
    return re.sub(r"[^a-z]", "", local) in {
        *(first, last, first + last, last + first),
        *(first[0] + last, last + first[0], first + last[0], last[0] + first),
    }


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: More namesakes than that, as the people known who share the given or the family name suggest, are possible.
_CHANCE: Final = 0.03
#: Among so many names, a family name that only one has is rare.
_MANY: Final = 300
#: One in so many records has a name by mistake.
_SLIPS: Final = 5
#: Nobody has more addresses.
_MOST: Final = 30
#: So many letters before the "@" may be anybody's initials.
_SHORT: Final = 3
#: So many letters of a name tell whose address it is.
_TELLING: Final = 3
_NUMBER: Final = re.compile(r"\d+")
_SIGNS: Final = re.compile(r"[\W_]")
_DOTTED: Final = re.compile(r"([aou])e")
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{2,}|[\u1100-\u11ff]{4,}")
#: In these, the part before a country's letters belongs to no firm.
_SECOND: Final = _words("co com ac org net gov edu or ne go gob gouv")
_NO_FIRM: Final = _words("local localhost localdomain lan internal invalid noreply")
#: Who gives mailboxes to anybody, or to those who work with them beside a firm: by the name in all countries,
#: or in one.
_PROVIDERS: Final = _words(
    "gmail googlemail yahoo ymail rocketmail hotmail outlook live msn aol aim icloud gmx protonmail proton fastmail "
    "zoho tutanota tuta posteo hushmail mailbox freenet t-online arcor wanadoo laposte libero virgilio tiscali tin "
    "alice seznam centrum interia onet rambler yandex rediffmail naver daum hanmail foxmail qq 163 126 sina sohu nifty "
    "docomo ezweb softbank biglobe comcast verizon att sbcglobal bellsouth earthlink mindspring netzero juno "
    "roadrunner swbell pacbell btinternet ntlworld blueyonder bigpond optusnet sympatico videotron telenet skynet "
    "xs4all ziggo kpnmail planet chello uol bol terra "
    "ig.com.br me.com mac.com web.de mail.ru bk.ru inbox.ru list.ru free.fr orange.fr sfr.fr neuf.fr wp.pl o2.pl op.pl "
    "cox.net charter.net rr.com sky.com shaw.ca rogers.com telus.net xtra.co.nz mail.com email.com usa.net pobox.com "
    "inbox.com mail.de email.de online.de aon.at post.cz volny.cz "
    # Projects of volunteers, whose members mostly work for a firm.
    "kernel.org linux.dev debian.org gentoo.org freebsd.org netbsd.org openbsd.org gnu.org apache.org gnome.org "
    "kde.org archlinux.org fedoraproject.org opensuse.org python.org mozilla.org ruby-lang.org php.net perl.org"
)
