"""How every process reads an environment variable. Pure: the environment is an argument."""

from __future__ import annotations

from collections.abc import Mapping


def given(source: Mapping[str, str], name: str) -> str:
    """A variable's value without surrounding white space; "" if it is not set.

    A secret that was pasted, or added from a file, ends in a newline: there is no database named "postgres\\n", and a
    header must not hold one.
    """
    return source.get(name, "").strip()
