"""Tables of words are written as texts: they read better than lists of quoted words."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text, parted by white space."""
    return frozenset(text.split())
