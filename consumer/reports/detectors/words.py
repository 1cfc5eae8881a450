"""The detectors' vocabulary: English, the language of the sources. Another language needs a list of its own."""

from __future__ import annotations

from typing import Final


def _listed(text: str) -> tuple[str, ...]:
    """Words or phrases separated by commas."""
    return tuple(" ".join(word.split()) for word in text.split(","))


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
#: Function words: the closed classes (articles, pronouns, prepositions, conjunctions, auxiliary verbs) and the most
#: common adverbs. Counting finds other words that occur everywhere, in any language.
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
