"""What a login lacks is told with the statement that grants it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from contract import rights
from contract.rights import Grantee, Lack, Right
from tests.tables import table

ROW = {
    "role": "app",
    "own": True,
    "privilege": "select",
    "kind": "table",
    "name": "public.t",
    "column": "",
    "hiding": None,
}
TABLE = "rows for select on public.t (role app)"


def lacks(*rows: Mapping[str, Any], known: bool = True, member: bool = True, owner: bool = False) -> list[Lack]:
    def execute(query: bytes, values: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
        if query == rights.MEMBERSHIP:
            return [{"login": "job", "known": known, "member": member, "ending": " with inherit true;"}]
        return [{"name": "public.memory_jobs"}] if query == rights.EXPOSED else rows

    return rights.lacking(execute, Grantee("app", (Right("select", "table", "public.t"),)), owner=owner)


@table(
    ("changed", "text", "remedy", "absent"),
    [
        ({"problem": "absent"}, "table public.t does not exist", "run the migrations", True),
        (
            {"problem": "absent", "kind": "function", "name": "public.f(uuid)"},
            "function public.f(uuid) does not exist", "run the migrations", True,
        ),
        ({"problem": "grant"}, "select on public.t (role app)", "grant select on public.t to app;", False),
        (
            {"problem": "grant", "column": "status"},
            "select (status) on public.t (role app)", "grant select (status) on public.t to app;", False,
        ),
        (
            {"problem": "grant", "privilege": "usage", "kind": "schema", "name": "social"},
            "usage on schema social (role app)", "grant usage on schema social to app;", False,
        ),
        (
            {"problem": "restricted", "hiding": ["a", "b"]},
            f"{TABLE}: a restrictive policy hides some: a, b", "alter role app bypassrls;", False,
        ),
        (
            {"problem": "restricted", "hiding": ["a", "b"], "name": "public.memory_t"},
            "rows for select on public.memory_t (role app): a restrictive policy hides some: a, b",
            "drop policy a on public.memory_t; drop policy b on public.memory_t;", False,
        ),
        (
            {"problem": "rows"},
            f"{TABLE}: row level security hides them, and no policy shows them",
            "create policy app on public.t to app using (true) with check (true);", False,
        ),
        # Another role's right is told with that role.
        (
            {"problem": "grant", "own": False, "role": "owner"},
            "select on public.t (role owner)", "grant select on public.t to owner;", False,
        ),
    ],
)  # fmt: skip
def test_a_lack_names_the_right_and_its_grant(changed: dict[str, Any], text: str, remedy: str, absent: bool) -> None:
    assert lacks({**ROW, **changed}) == [Lack(text, remedy, absent=absent)]


def test_a_login_outside_its_group_is_told_the_one_statement_first() -> None:
    row = {**ROW, "problem": "grant"}
    membership = Lack("membership of job in app", "grant app to job with inherit true;")
    assert lacks(row, member=False) == [membership, *lacks(row)]
    assert lacks(row, member=False, known=False) == lacks(row), "there is no such group"
    assert lacks({**row, "own": False, "role": "x"}, member=False) == [
        Lack("select on public.t (role x)", "grant select on public.t to x;")
    ]
    assert lacks({**row, "problem": "absent"}, member=False) == lacks({**row, "problem": "absent"})


def test_tables_without_row_level_security_are_told_to_the_owner_alone() -> None:
    assert lacks() == []
    (exposed,) = lacks(owner=True)
    assert exposed.text.startswith("row level security of public.memory_jobs: it is off")
    assert exposed.remedy == "alter table public.memory_jobs enable row level security;"
