-- New accounts get a memory by themselves, where an operator has said so: a row here is the switch, no row is off.
create table public.memory_signup (
  only_row boolean primary key default true check (only_row),
  bucket text not null check (bucket ~ '^[a-z0-9][a-z0-9._-]{1,221}[a-z0-9]$'),
  cap integer not null check (cap >= 0),
  runtime_profile text not null default 'internal-full' check (runtime_profile ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  backfill_after interval default '1 day' check (backfill_after >= '0')
);
comment on column public.memory_signup.cap is 'Enabled users in all; above it accounts wait for a wave.';
comment on column public.memory_signup.backfill_after is 'When the first backfill starts; null: none is queued.';
alter table public.memory_signup enable row level security;
revoke all on public.memory_signup from public, anon, authenticated;
grant all on public.memory_signup to service_role;

create function memory_private.note_signup_switch() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.memory_audit (actor, action, details)
  values (session_user, 'signup.' || lower(tg_op), case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end);
  return null;
end $$;
create trigger note_signup_switch after insert or update or delete on public.memory_signup
  for each row execute function memory_private.note_signup_switch();

-- Nobody's sign-up may fail or wait for us: no lock is taken (accounts of one instant may pass the cap by a few), and
-- whatever goes wrong is undone alone, as a warning. The account then waits for a wave.
create function memory_private.enable_at_signup() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  s public.memory_signup;
  job uuid;
begin
  select * into s from public.memory_signup;
  if not found or (select count(*) from public.memory_workspaces where status = 'enabled') >= s.cap then
    return null;
  end if;
  insert into public.memory_workspaces (user_id, workspace_uri, runtime_profile)
  values (new.id, 'gs://' || s.bucket || '/users/' || new.id || '/', s.runtime_profile)
  on conflict (user_id) do nothing;
  if found and s.backfill_after is not null then
    -- Forced: a new account has little evidence by nature.
    insert into public.memory_jobs (user_id, job_type, triggered_by, retry_at, forced)
    values (new.id, 'backfill_digest', 'signup', now() + s.backfill_after, true) returning id into job;
  end if;
  insert into public.memory_audit (actor, action, user_id, job_id, details)
  values ('sign-up', 'user.enable', new.id, job, jsonb_build_object('profile', s.runtime_profile, 'cap', s.cap));
  return null;
exception when others then
  raise warning 'memory of new user % is not enabled: % %', new.id, sqlstate, sqlerrm;
  return null;
end $$;
create trigger memory_enable_at_signup after insert on auth.users
  for each row execute function memory_private.enable_at_signup();
