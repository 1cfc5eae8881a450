"""
One test for a table of cases: as ``pytest.mark.parametrize``, where a test of its own for each row would cost more than
what it checks.

    @table("text, day", [("tomorrow", "2026-11-10"), ("on Friday", "2026-11-13")])
    def test_words_mean_a_day(text: str, day: str) -> None: ...

Every row is checked, also after one that fails. The failure names each row that failed and shows its traceback. Tests
that need a fresh fixture for each row take ``parametrize``: in a table all rows share one.
"""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

#: What a row may end with and the next one is still checked. A row that skips would hide that it was not checked.
_FAILS = (Exception, pytest.fail.Exception, pytest.skip.Exception)
#: Characters of a value that stand in the name of a row.
_NAME_CHARS = 80

Test = Callable[..., None]


def table(
    names: str | Sequence[str], rows: Iterable[Any], ids: Iterable[str] | Callable[[Any], object] | None = None
) -> Callable[[Test], Test]:
    """The arguments are those of ``pytest.mark.parametrize``; a row may be a ``pytest.param`` with an id."""
    arguments = [name.strip() for name in names.split(",") if name.strip()] if isinstance(names, str) else list(names)
    single = isinstance(names, str) and "," not in names
    cases = _cases(arguments, list(rows), ids, single=single)
    if not cases:
        raise ValueError(f"a table of {', '.join(arguments)} without a row checks nothing")

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def check(**fixtures: Any) -> None:
            failures: list[tuple[str, BaseException]] = []
            for name, values in cases:
                try:
                    test(**fixtures, **values)
                except _FAILS as exc:
                    failures.append((name, exc))
            if failures:
                pytest.fail(_report(failures, len(cases)), pytrace=False)

        signature = inspect.signature(test)
        unknown = set(arguments) - set(signature.parameters)
        if unknown:
            raise ValueError(f"{test.__name__} takes no {', '.join(sorted(unknown))}")
        others = [parameter for name, parameter in signature.parameters.items() if name not in arguments]
        setattr(check, "__signature__", signature.replace(parameters=others))  # noqa: B010 (mypy knows no such attribute)
        setattr(check, "rows", len(cases) * getattr(test, "rows", 1))  # noqa: B010
        return check

    return decorate


def _cases(
    arguments: list[str], rows: list[Any], ids: Iterable[str] | Callable[[Any], object] | None, *, single: bool
) -> list[tuple[str, dict[str, Any]]]:
    given = list(ids) if ids is not None and not callable(ids) else None
    if given is not None and len(given) != len(rows):
        raise ValueError(f"{len(given)} ids for {len(rows)} rows")
    cases = []
    for number, row in enumerate(rows):
        name = given[number] if given is not None else None
        if isinstance(row, type(pytest.param())):
            if row.marks:
                raise ValueError(f"row {number} has marks, which only pytest.mark.parametrize can apply")
            name, values = str(row.id or name or number), row.values
        else:
            values = (row,) if single else tuple(row)
        if len(values) != len(arguments):
            raise ValueError(f"row {number} has {len(values)} values for {', '.join(arguments)}")
        if name is None:
            name = "-".join(_shown(ids(value) if callable(ids) else value) for value in values)
        cases.append((f"{number} ({name})", dict(zip(arguments, values, strict=True))))
    return cases


def _shown(value: object) -> str:
    text = getattr(value, "__name__", None) or repr(value)
    return text if len(text) <= _NAME_CHARS else f"{text[:_NAME_CHARS]}..."


def _report(failures: list[tuple[str, BaseException]], rows: int) -> str:
    """The names of all rows that failed, then the traceback of each without the frame of this module."""
    lines = [f"{len(failures)} of {rows} rows failed: {', '.join(name for name, _ in failures)}"]
    for name, exc in failures:
        frames = exc.__traceback__ and exc.__traceback__.tb_next
        lines += ["", f"--- row {name}", "".join(traceback.format_exception(exc.with_traceback(frames))).rstrip()]
    return "\n".join(lines)
