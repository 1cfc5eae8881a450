"""
People whose names suggest that they are one, although nothing proves it.

Somebody writes from work and from home, drops a middle name, puts the family name first. To join such people could mix
two up, and to tell each by itself tells most of them twice. So a report tells them once and says that it is not sure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from consumer.understanding.people import Directory, PersonId, fold_name, name_in, nicknames
from renderers import samename

#: More people of that given and family name than that, as the other names suggest, are possible.
_CHANCE: Final = 0.03
#: A nickname that is the beginning of a given name has so many letters, and the name so many more: "Dan" of Daniel.
_NICKNAME: Final = range(3, 6)
_LONGER: Final = 2
_STEM: Final = 3
_BEGINNING: Final = 3


class _FullName(NamedTuple):
    id: PersonId
    #: Words of the folded name, given name first, without initials.
    words: tuple[str, ...]
    initials: tuple[str, ...]


def groups(people: Sequence[PersonId], directory: Directory) -> Iterator[tuple[PersonId, ...]]:
    """Groups of these people that may be one person each. Nobody is in two groups, and most are in none."""
    named = [person for who in people if (person := _named(who, directory))]
    bearing: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for person in named:
        for word in person.words:
            bearing[word].add(person.words)
    wholes: dict[PersonId, frozenset[_FullName]] = {}
    for left, right in _alike(named):
        whole = wholes.get(left.id, frozenset((left,))) | wholes.get(right.id, frozenset((right,)))
        wholes.update((person.id, whole) for person in whole)
    for group in set(wholes.values()):
        if _may_be_one(group, bearing, directory):
            yield tuple(sorted(person.id for person in group))


def _alike(named: Iterable[_FullName]) -> Iterator[tuple[_FullName, _FullName]]:
    together: dict[frozenset[str], list[_FullName]] = defaultdict(list)
    for person in named:
        for key in _keys(person.words):
            together[key].append(person)
    for several in together.values():
        for left, right in combinations(several, 2) if len(several) <= _MOST else ():
            if _are_alike(left, right):
                yield left, right


#: So many of one name are several people.
_MOST: Final = 8


def _named(who: PersonId, directory: Directory) -> _FullName | None:
    known = directory.known(who)
    spelled = name_in(known.name or next(iter(known.addresses), ""))
    folded = spelled or fold_name(known.name)
    words = tuple(samename.without_initials(folded).replace("-", " ").split())
    # Firms put letters into addresses that tell nothing: "x" for no middle name.
    initials = () if spelled else tuple(word[0] for word in folded.split() if len(word.strip(".")) == 1)
    return _FullName(who, words, initials) if words else None


def _keys(words: Sequence[str]) -> set[frozenset[str]]:
    """Any two words of a name, in any order; the family name and what somebody of this given name is called."""
    pairs = {frozenset(pair) for pair in combinations(words, 2)} or {frozenset(words)}
    if len(words) > 1:
        pairs |= {frozenset((words[-1], f"{short}*")) for short in (words[0][:_BEGINNING], *nicknames(words[0]))}
    return pairs


def _are_alike(left: _FullName, right: _FullName) -> bool:
    """Whether one name is the other, or the other with more or fewer words, in another order, or with a nickname."""
    few, many = sorted((left.words, right.words), key=len)
    if left.initials and right.initials and left.initials != right.initials:
        return False
    if set(few) <= set(many):
        return True
    short, long = sorted((few[0], many[0]), key=len)
    # "Randy" of Randall; "Mar" of "Mary" is too little.
    stem = short.removesuffix("y").removesuffix("ie")
    is_nickname = long.startswith(short) and len(short) in _NICKNAME and len(long) - len(short) >= _LONGER
    is_nickname |= len(short) > len(stem) > _STEM and long.startswith(stem)
    is_nickname |= not nicknames(short).isdisjoint(nicknames(long))
    return is_nickname and few[-1] == many[-1] and set(few[1:]) <= set(many[1:])


def _may_be_one(group: Iterable[_FullName], bearing: Mapping[str, set[tuple[str, ...]]], directory: Directory) -> bool:
    """Whether all are alike, the user keeps no two apart, and others do not make the name a common one."""
    for left, right in combinations(group, 2):
        if not _are_alike(left, right) or directory.are_two(left.id, right.id):
            return False
    own = {person.words for person in group}
    everybody = len(set().union(*bearing.values()))
    return all(
        len(bearing[words[0]] - own) * len(bearing[words[-1]] - own) <= _CHANCE * everybody
        for words in own
        if len(words) > 1
    )
