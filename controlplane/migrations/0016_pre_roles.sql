-- The control plane's rights as a group of its own, without BYPASSRLS; triggers that never wait and never fail the app.
do $$
begin
  if not exists (select from pg_roles where rolname = 'memory_service') then
    create role memory_service nologin noinherit;
  end if;
end $$;
-- A login in the app's service_role stays enough: it inherits, where it does not inherit that role's BYPASSRLS.
grant memory_service to service_role;

-- What a trigger on the app's tables could not do at once. memory_private.catch_up does it later.
create table public.memory_missed (
  id bigint generated always as identity primary key,
  work text not null,
  user_id uuid not null,
  details jsonb not null default '{}',
  error text not null,
  noted_at timestamptz not null default clock_timestamp(),
  tried_at timestamptz
);
comment on column public.memory_missed.error is 'SQLSTATE of what kept the trigger, or the last try, from it.';
alter table public.memory_missed enable row level security;
revoke all on public.memory_missed from public, anon, authenticated, service_role;

-- --- the app's rows, as far as the control plane needs them -----------------------------------------------------------

-- Evaluated as this view's owner: the control plane sees which accounts there are, and no other column.
create view memory_private.accounts as select u.id, u.created_at from auth.users u;

create function memory_private.accounts_by_email(email text) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select u.id from auth.users u where lower(u.email) = lower(accounts_by_email.email)
$$;

create function memory_private.timezone_of(who uuid) returns text
language sql stable security definer set search_path = '' as $$
  select p.timezone from public.user_profiles p where p.user_id = timezone_of.who
$$;

-- --- triggers on the app's tables -------------------------------------------------------------------------------------

-- Null: a trigger may do its work at once. Otherwise why it only notes it for later: this transaction was kept from it
-- before, and 5,000 rows must not wait 5,000 times; or the transaction is serializable, and what the work reads could
-- make the app's commit fail.
create function memory_private.only_note() returns text
language sql stable set search_path = '' as $$
  select coalesce(nullif(current_setting('memory.kept_from_work', true), ''),
    case when current_setting('transaction_isolation') = 'serializable' then '40001' end)
$$;

-- The last resort of a trigger: an insert that no row of ours can hold up. Only a table lock could, for 50 ms at most,
-- and once in a transaction: what comes after is lost with one warning. The next backfill finds rows that are gone.
create function memory_private.note_missed(work text, who uuid, details jsonb, error text) returns void
language plpgsql security definer set search_path = '' set lock_timeout = '50ms' as $$
begin
  if current_setting('memory.kept_from_notes', true) = 'yes' then
    return;
  end if;
  perform set_config('memory.kept_from_work', note_missed.error, true);
  begin
    insert into public.memory_missed (work, user_id, details, error)
    values (note_missed.work, note_missed.who, note_missed.details, note_missed.error);
  exception when query_canceled or assert_failure or others then
    perform set_config('memory.kept_from_notes', 'yes', true);
    raise warning 'memory: % of user % failed (%) and could not be noted (%); more in this transaction is not told',
      work, who, error, sqlstate;
  end;
end $$;

create function memory_private.add_tombstone(source text, record text, who uuid, parent text) returns void
language sql security definer set search_path = '' as $$
  insert into public.memory_tombstones (source_key, record_id, user_id, parent_id)
  values (add_tombstone.source, add_tombstone.record, add_tombstone.who, add_tombstone.parent)
  on conflict (user_id, source_key, record_id)
    do update set deleted_at = clock_timestamp(), parent_id = excluded.parent_id
$$;

-- Arguments: source key, id column, parent column or ''. A row that changes its user or parent is gone for the old one.
-- The app's statement goes on whatever happens here: locks are not waited for, and a failure is noted for later. An
-- account that is gone leaves no tombstones: its deletion brings each of its rows here.
create or replace function memory_private.leave_tombstone() returns trigger
language plpgsql security definer set search_path = '' set lock_timeout = '1ms' as $$
declare
  gone jsonb := to_jsonb(old);
  parent text := tg_argv[2];
  who uuid;
  why_later text;
begin
  if tg_op = 'UPDATE'
     and gone ->> 'user_id' = to_jsonb(new) ->> 'user_id'
     and (parent = '' or gone ->> parent is not distinct from to_jsonb(new) ->> parent) then
    return null;
  end if;
  who := (gone ->> 'user_id')::uuid;
  why_later := memory_private.only_note();
  begin
    if why_later is null and exists (select from auth.users u where u.id = who) then
      perform memory_private.add_tombstone(tg_argv[0], gone ->> tg_argv[1], who, nullif(gone ->> parent, ''));
    end if;
  exception when query_canceled or assert_failure or others then
    why_later := sqlstate;
  end;
  if why_later is not null then
    perform memory_private.note_missed('tombstone', who, jsonb_build_object(
      'source', tg_argv[0], 'record', gone ->> tg_argv[1], 'parent', nullif(gone ->> parent, '')), why_later);
  end if;
  return null;
end $$;

-- Gives an account its memory, if the switch is on and the cap leaves room. No lock is taken for the count: accounts of
-- one instant may pass the cap by a few.
create function memory_private.enable_account(who uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  s public.memory_signup;
  job uuid;
begin
  select * into s from public.memory_signup;
  if not found or (select count(*) from public.memory_workspaces where status = 'enabled') >= s.cap then
    return;
  end if;
  insert into public.memory_workspaces (user_id, workspace_uri, runtime_profile)
  values (who, 'gs://' || s.bucket || '/users/' || who || '/', s.runtime_profile)
  on conflict (user_id) do nothing;
  if not found then
    return;
  end if;
  if s.backfill_after is not null then
    -- Forced: a new account has little evidence by nature.
    insert into public.memory_jobs (user_id, job_type, triggered_by, retry_at, forced)
    values (who, 'backfill_digest', 'signup', now() + s.backfill_after, true) returning id into job;
  end if;
  insert into public.memory_audit (actor, action, user_id, job_id, details)
  values ('sign-up', 'user.enable', who, job, jsonb_build_object('profile', s.runtime_profile, 'cap', s.cap));
end $$;

-- Nobody's sign-up may fail or wait for us: whatever goes wrong is undone alone and noted for later.
create or replace function memory_private.enable_at_signup() returns trigger
language plpgsql security definer set search_path = '' set lock_timeout = '1ms' as $$
declare
  why_later text := memory_private.only_note();
begin
  if why_later is null then
    begin
      perform memory_private.enable_account(new.id);
      return null;
    exception when query_canceled or assert_failure or others then
      why_later := sqlstate;
      raise warning 'memory of new user % is not enabled yet: %', new.id, why_later;
    end;
  end if;
  perform memory_private.note_missed('sign_up', new.id, '{}', why_later);
  return null;
end $$;

-- Does what the triggers missed, those that were tried longest ago first; how much. What fails again stays, and one
-- row's failure is no other's.
create function memory_private.catch_up(most integer) returns integer
language plpgsql security definer set search_path = '' set lock_timeout = '1s' as $$
declare
  missed public.memory_missed;
  done integer := 0;
begin
  for missed in
    select * from public.memory_missed where work in ('sign_up', 'tombstone')
    order by tried_at nulls first, id limit most for update skip locked
  loop
    begin
      -- An account that is gone by now needs neither.
      if exists (select from auth.users u where u.id = missed.user_id) then
        if missed.work = 'sign_up' then
          perform memory_private.enable_account(missed.user_id);
        else
          perform memory_private.add_tombstone(missed.details ->> 'source', missed.details ->> 'record',
            missed.user_id, missed.details ->> 'parent');
        end if;
      end if;
      delete from public.memory_missed where id = missed.id;
      done := done + 1;
    exception when others then
      raise warning 'memory: % of user % failed again: %', missed.work, missed.user_id, sqlstate;
      update public.memory_missed set tried_at = clock_timestamp(), error = sqlstate where id = missed.id;
    end;
  end loop;
  return done;
end $$;

-- --- grants and policies ----------------------------------------------------------------------------------------------

-- contract/rights.py declares the same rights, and /readyz names the one that is missing.
revoke all on all functions in schema memory_private from public;
grant usage on schema public, memory_private to memory_service;
grant select on memory_private.accounts to memory_service;
grant execute on function memory_private.accounts_by_email(text), memory_private.timezone_of(uuid),
  memory_private.has_news(uuid, timestamptz), memory_private.flag(text, uuid, text), memory_private.catch_up(integer)
  to memory_service;
grant select, insert, update on public.memory_workspaces, public.memory_jobs, public.memory_claim_marks
  to memory_service;
grant select, insert, delete on public.memory_artifacts, public.memory_job_tokens, public.memory_outbox,
  public.memory_cohorts to memory_service;
grant select, insert, update, delete on public.memory_flags to memory_service;
grant select, insert on public.memory_audit to memory_service;

create policy service on public.memory_workspaces to memory_service using (true) with check (true);
create policy service on public.memory_jobs to memory_service using (true) with check (true);
create policy service on public.memory_artifacts to memory_service using (true) with check (true);
create policy service on public.memory_job_tokens to memory_service using (true) with check (true);
create policy service on public.memory_audit to memory_service using (true) with check (true);
create policy service on public.memory_outbox to memory_service using (true) with check (true);
create policy service on public.memory_cohorts to memory_service using (true) with check (true);
create policy service on public.memory_flags to memory_service using (true) with check (true);
create policy service on public.memory_claim_marks to memory_service using (true) with check (true);

-- The publisher never read workspaces: a job's row has all that an event needs.
revoke select on public.memory_workspaces from memory_publisher;
drop policy publisher on public.memory_workspaces;
