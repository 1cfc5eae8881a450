"""
The exact rights of each of this project's logins in the app's database. A process that lacks a right reports it in its
readiness check, with the statement that grants it.

The migrations grant the same rights; tests compare the two.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

#: Runs a query with named parameters; returns its rows as mappings by column.
Execute = Callable[[bytes, Mapping[str, Any]], Iterable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Right:
    """``privilege``: PostgreSQL's keyword. ``name``: qualified; for a function, with its argument types."""

    privilege: str
    kind: Literal["schema", "table", "function"]
    name: str
    column: str = ""

    def __str__(self) -> str:
        column = f" ({self.column})" if self.column else ""
        kind = "" if self.kind == "table" else f"{self.kind} "
        return f"{self.privilege}{column} on {kind}{self.name}"


@dataclass(frozen=True, slots=True)
class Grantee:
    """A role that the migrations grant rights to: a group of logins, or a login itself."""

    role: str
    rights: tuple[Right, ...]


@dataclass(frozen=True, slots=True)
class Lack:
    """A missing right, and the statement that grants it. ``absent``: the object itself does not exist."""

    text: str
    remedy: str
    absent: bool = False


def _tables(names: str, privileges: str) -> list[Right]:
    return [Right(p, "table", name) for name in names.split() for p in privileges.split()]


def _columns(table: str, privilege: str, names: str) -> list[Right]:
    return [Right(privilege, "table", table, name) for name in names.split()]


def _schemas(names: str) -> list[Right]:
    return [Right("usage", "schema", name) for name in names.split()]


def _functions(*names: str) -> list[Right]:
    return [Right("execute", "function", name) for name in names]


#: The control plane. It reads the app's tables only through memory_private.
SERVICE: Final = Grantee(
    "memory_service",
    (
        *_schemas("public memory_private"),
        *_tables(
            "public.memory_workspaces public.memory_jobs public.memory_claim_marks public.memory_deletions"
            " public.memory_reconciliation public.memory_erasures",
            "select insert update",
        ),
        *_tables("public.memory_suppressions", "select insert"),
        *_tables(
            "public.memory_corrections public.memory_correction_places public.memory_assistant_tokens"
            " public.memory_proposals public.memory_orders public.memory_order_records public.memory_rule_switches"
            " public.memory_exclusions public.memory_queue_pauses",
            "select insert update delete",
        ),
        *_tables("public.memory_deletion_events", "select update delete"),
        *_columns("public.memory_job_tokens", "update", "may_export"),
        *_tables(
            "public.memory_artifacts public.memory_job_tokens public.memory_outbox public.memory_cohorts"
            " public.memory_news",
            "select insert delete",
        ),
        *_tables("public.memory_flags", "select insert update delete"),
        *_tables("public.memory_audit", "select insert"),
        *_tables("memory_private.accounts", "select"),
        *_functions(
            "memory_private.accounts_by_email(text)",
            "memory_private.timezone_of(uuid)",
            "memory_private.has_news(uuid, timestamp with time zone)",
            "memory_private.flag(text, uuid, text)",
            "memory_private.catch_up(integer)",
            "memory_private.accounts_hidden()",
            "memory_private.live_accounts(uuid[])",
            "memory_private.orphans()",
            "memory_private.erase_rows(uuid)",
            "memory_private.erase_assistants(uuid)",
            "memory_private.forget_rows(uuid)",
            "memory_private.rules_of(uuid)",
            "memory_private.drop_tombstones(uuid)",
        ),
    ),
)

#: The publisher: jobs and wake-ups, no content.
PUBLISHER: Final = Grantee(
    "memory_publisher",
    (
        *_schemas("public"),
        *_tables("public.memory_outbox public.memory_jobs", "select"),
        *_columns("public.memory_outbox", "insert", "job_id user_id payload"),
        *_columns("public.memory_outbox", "update", "published_at message_id attempts"),
        *_columns("public.memory_jobs", "update", "published_at retry_at"),
        *_columns("public.memory_queue_pauses", "select", "target resumed_at"),
    ),
)

#: What triggers and SECURITY DEFINER functions do for other roles, as the role that ran the migrations.
OWNER: Final = (
    *_tables("auth.users memory_private.seal public.memory_signup public.memory_deletions", "select"),
    *_tables("public.memory_workspaces", "select insert delete"),
    *_tables("public.memory_jobs", "select insert update delete"),
    *_tables("public.memory_outbox", "insert delete"),
    *_tables("public.memory_audit", "insert update"),
    *_tables("public.memory_deletion_events", "insert"),
    *_tables("public.memory_news", "select insert"),
    *_tables("public.memory_tombstones", "select insert update delete"),
    *_tables("public.memory_job_tokens", "select delete"),
    *_tables("public.memory_artifacts public.memory_claim_marks public.memory_cohorts public.memory_flags", "delete"),
    *_tables("public.memory_corrections public.memory_erasures", "select delete"),
    *_tables("public.memory_assistant_tokens public.memory_proposals", "select delete"),
    *_tables("public.memory_suppressions", "select"),
    *_tables("public.memory_missed", "select insert update delete"),
)


def reader(views: Iterable[str]) -> Grantee:
    """The export: each source's view by its qualified name, and the functions that open it for one user."""
    return Grantee(
        "memory_export_reader",
        (
            *_schemas("memory_export"),
            *_tables(" ".join([*views, "memory_export.tombstones"]), "select"),
            *_functions(
                "memory_export.bind(uuid, text)",
                "memory_export.bound_user()",
                "memory_export.horizon()",
                "memory_export.utc(timestamp with time zone)",
            ),
        ),
    )


#: Reads only the catalogs, so that a lock or a large table does not delay it. Names are looked up there as well,
#: because a cast to regclass fails where the schema's USAGE is missing. Each row is a right that its role lacks:
#: `problem` is absent (no such object), grant, policy (row level security hides rows that no policy shows) or
#: restricted (a restrictive policy hides some).
QUERY: Final = b"""
with owners as (
  select c.relowner as role from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('memory_export', 'memory_private') and c.relkind = 'v'
  union
  select p.proowner from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname in ('memory_export', 'memory_private') and p.prosecdef
), shown as (
  -- The tables behind the project's views, read as the views' owner.
  select distinct tn.nspname || '.' || t.relname as name
  from pg_class v join pg_namespace vn on vn.oid = v.relnamespace
  join pg_rewrite w on w.ev_class = v.oid
  join pg_depend d on (d.classid, d.objid) = ('pg_rewrite'::regclass, w.oid) and d.refclassid = 'pg_class'::regclass
  join pg_class t on t.oid = d.refobjid and t.relkind in ('r', 'p', 'f')
  join pg_namespace tn on tn.oid = t.relnamespace
  where vn.nspname in ('memory_export', 'memory_private') and v.relkind = 'v'
), wanted as (
  select (select oid from pg_roles where rolname = current_user) as role, r.*
  from jsonb_to_recordset(%(rights)s::jsonb) as r (privilege text, kind text, name text, "column" text)
  union
  select o.role, r.*
  from owners o, jsonb_to_recordset(%(owner_rights)s::jsonb) as r (privilege text, kind text, name text, "column" text)
  where %(with_owner)s
  union
  select o.role, 'select', 'table', s.name, '' from owners o, shown s where %(with_owner)s
), resolved as (
  select w.*, r.rolname, r.rolsuper or r.rolbypassrls as exempt, case w.kind
    when 'schema' then (select n.oid from pg_namespace n where n.nspname = w.name)
    when 'table' then (
      select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = split_part(w.name, '.', 1) and c.relname = split_part(w.name, '.', 2))
    else (
      select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = split_part(w.name, '.', 1) and p.proname = split_part(split_part(w.name, '(', 1), '.', 2)
        and oidvectortypes(p.proargtypes) = rtrim(split_part(w.name, '(', 2), ')'))
    end as oid
  from wanted w join pg_roles r on r.oid = w.role
), policies as (
  -- Those that apply to the role and the command, and whether they show every row.
  select f.role, f.oid, f.privilege, p.polname, p.polpermissive,
    coalesce(pg_get_expr(p.polqual, p.polrelid), 'true') = 'true'
      and coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'true') = 'true' as shows_all
  from resolved f join pg_policy p on f.kind = 'table' and p.polrelid = f.oid
  where p.polcmd in ('*', case f.privilege when 'select' then 'r' when 'insert' then 'a' when 'update' then 'w'
      when 'delete' then 'd' end)
    and exists (select from unnest(p.polroles) as r (oid) where r.oid = 0 or pg_has_role(f.role, r.oid, 'usage'))
), judged as (
  select f.*, case
    when f.oid is null then 'absent'
    when not case
      when f.kind = 'schema' then has_schema_privilege(f.role, f.oid, f.privilege)
      when f.kind = 'function' then has_function_privilege(f.role, f.oid, f.privilege)
      when f."column" <> '' then has_column_privilege(f.role, f.oid, f."column", f.privilege)
      else has_table_privilege(f.role, f.oid, f.privilege) end then 'grant'
    when f.kind = 'table' and not f.exempt and exists (
      select from pg_class c where c.oid = f.oid and c.relrowsecurity
        and (c.relforcerowsecurity or not pg_has_role(f.role, c.relowner, 'usage'))
    ) then case
      when not exists (select from policies p where (p.role, p.oid, p.privilege) = (f.role, f.oid, f.privilege)
        and p.polpermissive and p.shows_all) then 'policy'
      when exists (select from policies p where (p.role, p.oid, p.privilege) = (f.role, f.oid, f.privilege)
        and not p.polpermissive and not p.shows_all) then 'restricted' end
    end as problem
  from resolved f
)
select quote_ident(rolname) as role, rolname = current_user as own, privilege, kind, name, "column", problem,
  (select array_agg(quote_ident(p.polname) order by p.polname) from policies p
    where (p.role, p.oid, p.privilege) = (j.role, j.oid, j.privilege) and not p.polpermissive and not p.shows_all)
  as hiding
from judged j where problem is not null order by own desc, kind, name, privilege, "column"
"""
#: Tables of this project without row level security. Signed-in users of the app have rights on whole tables, and
#: policies limit them to their own rows; without row level security the policies do nothing, and no error shows it.
EXPOSED: Final = b"""
select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'public' and c.relname like 'memory\\_%%' and c.relkind in ('r', 'p') and not c.relrowsecurity
order by 1
"""
MEMBERSHIP: Final = b"""
select quote_ident(current_user) as login, r.rolname is not null as known,
  coalesce(pg_has_role(r.oid, 'usage'), false) as member,
  -- From PostgreSQL 16 on inheritance is an option of each membership; before, of the member.
  case when l.rolinherit and not coalesce(pg_has_role(r.oid, 'member'), false) then ';'
    when current_setting('server_version_num')::int >= 160000 then ' with inherit true;'
    else '; alter role ' || quote_ident(current_user) || ' inherit;' end as ending
from pg_roles l left join pg_roles r on r.rolname = %(role)s where l.rolname = current_user
"""


def lacking(execute: Execute, grantee: Grantee, *, owner: bool = False) -> list[Lack]:
    """
    The grantee's rights that the session's login lacks; with ``owner``, also those that the migrating role lacks.

    Raises whatever ``execute`` raises.
    """
    values = {
        "rights": json.dumps([asdict(right) for right in grantee.rights]),
        "owner_rights": json.dumps([asdict(right) for right in OWNER]),
        "with_owner": owner,
    }
    rows = list(execute(QUERY, values))
    lacks = [_lack(row, grantee.role if row["own"] else row["role"]) for row in rows]
    if owner:
        lacks += [_exposed(row["name"]) for row in execute(EXPOSED, {})]
    own = [row for row in rows if row["own"] and row["problem"] != "absent"]
    if not own:
        return lacks
    [membership] = execute(MEMBERSHIP, {"role": grantee.role})
    if membership["known"] and not membership["member"]:
        # One statement that grants all of them.
        remedy = f"grant {grantee.role} to {membership['login']}{membership['ending']}"
        return [Lack(f"membership of {membership['login']} in {grantee.role}", remedy), *lacks]
    return lacks


def _exposed(table: str) -> Lack:
    return Lack(
        f"row level security of {table}: it is off, so any reader of the table sees every user's rows",
        f"alter table {table} enable row level security;",
    )


def _lack(row: Mapping[str, Any], role: str) -> Lack:
    right = Right(row["privilege"], row["kind"], row["name"], row["column"])
    if row["problem"] == "absent":
        return Lack(f"{right.kind} {right.name} does not exist", "run the migrations", absent=True)
    if row["problem"] == "grant":
        column = f" ({right.column})" if right.column else ""
        target = right.name if right.kind == "table" else f"{right.kind} {right.name}"
        return Lack(f"{right} (role {role})", f"grant {right.privilege}{column} on {target} to {role};")
    if row["problem"] == "restricted":
        text = f"rows for {right} (role {role}): a restrictive policy hides some: {', '.join(row['hiding'])}"
        if right.name.startswith("public.memory_"):
            return Lack(text, " ".join(f"drop policy {name} on {right.name};" for name in row["hiding"]))
        # The app's own policy must stay; only a role exempt from policies sees all rows.
        return Lack(text, f"alter role {role} bypassrls;")
    return Lack(
        f"rows for {right} (role {role}): row level security hides them, and no policy shows them",
        f"create policy {role} on {right.name} to {role} using (true) with check (true);",
    )
