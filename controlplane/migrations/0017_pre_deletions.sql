-- An account that is deleted takes its memory with it: a trigger notes it, ticks carry it out after a grace period.
-- docs/erasure.md, "When an account is deleted", has the order and what each crash leaves.
-- What the trigger saw. No reference and no unique key but the number: an insert waits for no other transaction.
create table public.memory_deletion_events (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  event text not null check (event in ('deleted', 'restored')),
  at timestamptz not null default clock_timestamp()
);

-- One row for each time that an account was deleted; at most one of a user's is open.
create table public.memory_deletions (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  source text not null check (source in ('trigger', 'reconciliation', 'operator')),
  seen_at timestamptz not null default clock_timestamp(),
  purge_after timestamptz,
  was_enabled boolean not null default false,
  cancelled_at timestamptz,
  cancelled_by text,
  cancel_reason text,
  erasing_at timestamptz,
  erased_at timestamptz,
  erased jsonb,
  swept_at timestamptz,
  receipt jsonb,
  forgotten_at timestamptz,
  check ((cancelled_at is null) = (cancelled_by is null)),
  check (cancelled_at is null or erasing_at is null),
  check ((swept_at is null) = (receipt is null))
);
comment on column public.memory_deletions.purge_after is
  'Nothing is erased before. Null: the reconciliation has seen the account missing once, and looks again a day later.';
comment on column public.memory_deletions.erasing_at is 'From here on nothing can be cancelled.';
comment on column public.memory_deletions.receipt is 'Ids, times and counts; given after the second sweep.';
create unique index memory_deletions_open on public.memory_deletions (user_id)
  where cancelled_at is null and receipt is null;
create index memory_deletions_user on public.memory_deletions (user_id, id desc);
create index memory_deletions_due on public.memory_deletions (purge_after)
  where cancelled_at is null and forgotten_at is null;

-- How the last comparison of workspaces with accounts ended; the doctor reads it.
create table public.memory_reconciliation (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null default clock_timestamp(),
  verdict text not null check (verdict in ('sound', 'too_many', 'blind')),
  detail text not null default '',
  workspaces bigint not null,
  orphans bigint not null
);

alter table public.memory_deletion_events enable row level security;
alter table public.memory_deletions enable row level security;
alter table public.memory_reconciliation enable row level security;
revoke all on public.memory_deletion_events, public.memory_deletions, public.memory_reconciliation
  from public, anon, authenticated, service_role;
create policy service on public.memory_deletion_events to memory_service using (true) with check (true);
create policy service on public.memory_deletions to memory_service using (true) with check (true);
create policy service on public.memory_reconciliation to memory_service using (true) with check (true);
-- Update of the events only to lock them.
grant select, update, delete on public.memory_deletion_events to memory_service;
grant select, insert, update on public.memory_deletions, public.memory_reconciliation to memory_service;
grant update (may_export) on public.memory_job_tokens to memory_service;

-- A soft-deleted account is none: it is not listed, not enabled, and no wave takes it.
create or replace view memory_private.accounts as
  select u.id, u.created_at from auth.users u where u.deleted_at is null;
create or replace function memory_private.accounts_by_email(email text) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select u.id from auth.users u where lower(u.email) = lower(accounts_by_email.email) and u.deleted_at is null
$$;

-- The app's transaction must neither wait nor fail because of us. A lock that is taken is given up after 1 ms (0 would
-- mean for ever); a statement_timeout that strikes in here is query_canceled, which `others` leaves out. What is
-- missed by this is found by the daily reconciliation.
create function memory_private.note_account_change() returns trigger
language plpgsql security definer set search_path = '' set lock_timeout = '1ms' as $$
begin
  if tg_op = 'DELETE' then
    insert into public.memory_deletion_events (user_id, event) values (old.id, 'deleted');
  elsif (old.deleted_at is null) <> (new.deleted_at is null) then
    insert into public.memory_deletion_events (user_id, event)
    values (new.id, case when new.deleted_at is null then 'restored' else 'deleted' end);
  end if;
  return null;
exception when query_canceled or assert_failure or others then
  raise warning 'the memory of account % learns of its change only by the daily reconciliation: %', old.id, sqlstate;
  return null;
end $$;
revoke all on function memory_private.note_account_change() from public;
create trigger memory_note_account_change after delete or update of deleted_at on auth.users
  for each row execute function memory_private.note_account_change();

-- Whether what we see of auth.users can be believed: null, or why not. A role from which row level security hides rows
-- sees an account that is hidden exactly as one that was deleted, so where it applies to us nothing is concluded.
create function memory_private.accounts_hidden() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if to_regclass('auth.users') is null then
    return 'table_missing';
  end if;
  if row_security_active('auth.users') then
    return 'row_security';
  end if;
  if not exists (
    select from public.memory_workspaces w join memory_private.accounts a on a.id = w.user_id) then
    return 'no_known_account';
  end if;
  return null;
exception when insufficient_privilege then
  return 'not_permitted';
end $$;
revoke all on function memory_private.accounts_hidden() from public;
grant execute on function memory_private.accounts_hidden() to memory_service;

-- Those of these accounts that exist and are not soft-deleted. Ask accounts_hidden() in the same transaction.
create function memory_private.live_accounts(who uuid[]) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select a.id from memory_private.accounts a where a.id = any(who)
$$;
revoke all on function memory_private.live_accounts(uuid[]) from public;
grant execute on function memory_private.live_accounts(uuid[]) to memory_service;

-- Workspaces without a live account, but those whose deletion was told by the app or an operator, those that an operator
-- keeps, and those that are erased already. Ask accounts_hidden() in the same transaction.
create function memory_private.orphans() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select w.user_id from public.memory_workspaces w
  where not exists (select from memory_private.accounts a where a.id = w.user_id)
    and not exists (
      select from (
        select * from public.memory_deletions d where d.user_id = w.user_id order by d.id desc limit 1) as latest
      where latest.cancelled_by <> 'account'
        or latest.cancelled_at is null and latest.forgotten_at is null
          and (latest.source <> 'reconciliation' or latest.erasing_at is not null))
$$;
revoke all on function memory_private.orphans() from public;
grant execute on function memory_private.orphans() to memory_service;

-- Removes what the database keeps of a user whose workspace is being erased, and gives the number of rows by table.
-- Jobs stay as bare rows (id, type, times, status), so that a message that comes late finds them over; the audit keeps
-- who did what and when, and loses what was typed. Repeatable.
create function memory_private.erase_rows(who uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  counts jsonb := '{}';
  name text;
  n bigint;
begin
  if not exists (select from public.memory_deletions where user_id = who and erasing_at is not null) then
    raise exception 'no erasure of user % has begun', who using errcode = 'object_not_in_prerequisite_state';
  end if;
  foreach name in array array['memory_artifacts', 'memory_claim_marks', 'memory_cohorts', 'memory_missed',
    'memory_outbox', 'memory_tombstones'] loop
    execute format('delete from public.%I where user_id = $1', name) using who;
    get diagnostics n = row_count;
    counts := counts || jsonb_build_object(name, n);
  end loop;
  delete from public.memory_flags where scope = 'user' and target = who::text;
  get diagnostics n = row_count;
  counts := counts || jsonb_build_object('memory_flags', n);
  delete from public.memory_job_tokens t using public.memory_jobs j where j.id = t.job_id and j.user_id = who;
  get diagnostics n = row_count;
  counts := counts || jsonb_build_object('memory_job_tokens', n);
  update public.memory_audit set details = '{}' where user_id = who and details <> '{}';
  get diagnostics n = row_count;
  counts := counts || jsonb_build_object('memory_audit', n);
  update public.memory_jobs set
    owner = null, stage = null, progress = '{}', cancel_reason = null, replay_reason = null, traceparent = null,
    report_uri = null, source_counts = '{}', output_counts = '{}', usage = '{}', error_summary = null
  where user_id = who and status in ('completed', 'failed', 'cancelled')
    and (coalesce(owner, stage, cancel_reason, replay_reason, traceparent, report_uri) is not null
      or error_summary is not null or progress <> '{}' or source_counts <> '{}' or output_counts <> '{}'
      or usage <> '{}');
  get diagnostics n = row_count;
  return counts || jsonb_build_object('memory_jobs', n);
end $$;
revoke all on function memory_private.erase_rows(uuid) from public;
grant execute on function memory_private.erase_rows(uuid) to memory_service;

-- The last step: the rows that late messages were answered with. Only of a user whose erasure has its receipt.
create function memory_private.forget_rows(who uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from public.memory_deletions where user_id = who and receipt is not null and forgotten_at is null) then
    raise exception 'user % has no receipt whose rows are left', who using errcode = 'object_not_in_prerequisite_state';
  end if;
  delete from public.memory_jobs where user_id = who;
  delete from public.memory_workspaces where user_id = who;
end $$;
revoke all on function memory_private.forget_rows(uuid) from public;
grant execute on function memory_private.forget_rows(uuid) to memory_service;

-- The ids of deleted rows that an account without a memory left behind.
create function memory_private.drop_tombstones(who uuid) returns void
language sql security definer set search_path = '' as $$
  delete from public.memory_tombstones t
  where t.user_id = who and not exists (select from memory_private.accounts a where a.id = t.user_id)
$$;
revoke all on function memory_private.drop_tombstones(uuid) from public;
grant execute on function memory_private.drop_tombstones(uuid) to memory_service;
