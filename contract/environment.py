"""How every process reads an environment variable. Pure: the environment is an argument."""

from __future__ import annotations

from collections.abc import Mapping


def given(source: Mapping[str, str], name: str) -> str:
    """A variable's value without white space around it; "" where it is not set.

    A secret that was pasted, or added from a file, ends in a newline: a database of the name "postgres\\n" does not
    exist, and a header must not hold one.
    """
    return source.get(name, "").strip()
