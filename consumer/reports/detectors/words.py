"""The detectors' vocabulary. English, as the sources are; another language is another list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final


def _listed(text: str) -> tuple[str, ...]:
    """Words or phrases separated by commas."""
    return tuple(" ".join(word.split()) for word in text.split(","))


def _groups(text: str) -> tuple[tuple[str, ...], ...]:
    """Groups of synonyms separated by semicolons; the first of a group is its name."""
    return tuple(_listed(group) for group in text.split(";"))


#: Attribute words by the kind of value they can have; words of one group mean the same attribute.
ATTRIBUTES: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "date": _groups(
        "launch, launches, launching, go-live, goes live, go live, going live, ship, ships, shipping,"
        " release, released, rollout; deadline, due, no later than; kickoff, kick-off, kicks off, starts,"
        " start date, begins; renewal, renews, renew, expires, expiry, expiration; delivery, deliver,"
        " delivered; cutover, migration, migrate; signing, sign, closing, close; demo; beta; pilot; review;"
        " offsite, retreat; workshop; board meeting; interview; opening, opens; move-in, moves in, moving;"
        " wedding; flight, departure"
    ),
    "amount": _groups(
        "budget; cost, costs; price, pricing, priced; quote, quoted, estimate, estimated; invoice, invoiced;"
        " salary, compensation; fee, fees, retainer; rent; revenue, arr; funding, round, raise, raising; deal,"
        " contract; spend, spending; cap, limit; deposit"
    ),
    "share": _groups("discount; margin; equity, stake; growth; churn; conversion; uptime; rate; share"),
    "count": (),
    "state": _groups(
        "contract, agreement, msa, sow, nda; invoice, payment; budget; proposal, offer; release, launch;"
        " hire, role, position; ticket, bug, incident; venue, booking"
    ),
}
#: Capitalized words that name nothing.
NO_NAME: Final = frozenset(
    _listed(
        "I, We, The, A, An, It, This, That, They, He, She, You, Our, My, Your, And, But, So, If, On, In, At,"
        " For, To, From, With, By, As, Is, Are, Not, No, Yes, Ok, Okay, Can, Could, Will, Would, Should, Let,"
        " Please, Action, Todo, Notes, Note, Budget, Launch, Release, Deadline, Meeting, Weekly, Daily, Sync,"
        " Review, Planning, Status, Update, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday,"
        " January, February, March, April, May, June, July, August, September, October, November, December,"
        " Jan, Feb, Mar, Apr, Jun, Jul, Aug, Sep, Sept, Oct, Nov, Dec, USD, EUR, GBP, Re, Fwd, There, What,"
        " When, Who, How, Why"
    )
)
#: Words before an attribute that do not tell one from another ("the budget", but not "marketing budget").
PLAIN: Final = frozenset(
    _listed(
        "the, a, an, our, my, your, their, its, is, to, of, for, will, we, and, on, total, full, that, this,"
        " new, can, it, current, approved, final, overall, planned, s, project"
    )
)
#: Words that join others and name nothing: the closed classes (articles, pronouns, prepositions, conjunctions,
#: auxiliary verbs) and the most common adverbs. What else is said everywhere is told by counting, in any language.
FUNCTION: Final = frozenset(
    _listed(
        "a, about, after, again, all, also, an, and, any, are, as, at, be, because, been, before, but, by, can, could,"
        " did, do, does, for, from, get, got, had, has, have, he, her, here, his, how, i, if, in, into, is, it, its,"
        " just, many, may, me, might, more, most, much, must, my, no, not, now, of, off, on, one, only, or, other, our,"
        " out, over, shall, she, should, so, some, such, than, that, the, their, them, then, there, these, they, this,"
        " those, through, to, too, up, us, very, was, we, were, what, when, where, which, while, who, whom, whose, why,"
        " will, with, without, would, yet, you, your"
    )
)
#: Words that many promises share.
WEAK: Final = frozenset(
    _listed(
        "will, with, that, this, from, have, need, needs, please, before, after, about, next, send, share,"
        " review, confirm, check, should, still, going, into, they, them, their, your, would, could, follow,"
        " action, item, todo, waiting"
    )
)
MONTHS: Final = _listed(
    "january, february, march, april, may, june, july, august, september, october, november, december"
)

#: Letters that a search which ignores case takes for the plain ones; lower() would leave them or make two of one.
_PLAIN_LETTERS: Final = str.maketrans({"\u0130": "i", "\u0131": "i", "\u017f": "s"})


def fold(text: str) -> str:
    """Text in small letters, sign by sign: where something stands in it is where it stands in the text.

    A pattern of small letters finds here what it would find in the text if it ignored case.
    """
    return text.lower() if text.isascii() else text.translate(_PLAIN_LETTERS).lower()
