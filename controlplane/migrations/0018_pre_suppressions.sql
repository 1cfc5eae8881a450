-- What was purged from memories and must not come back with the next export: keyed hashes, which name no record. The
-- same stands beside each workspace in the bucket; whichever copy is lost is made again from the other. No reference to
-- auth.users: what was erased stays erased when the account is gone.
do $$ begin
  if not exists (select from pg_roles where rolname = 'memory_service') then
    create role memory_service nologin noinherit;
  end if;
end $$;
grant memory_service to service_role;

create table public.memory_erasures (
  user_id uuid primary key,
  key bytea not null check (length(key) = 32),
  erased_at timestamptz,
  begun_anew_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
comment on table public.memory_erasures is 'One row a user from whose memory something was ever purged.';
comment on column public.memory_erasures.key is 'What the records of this user are hashed with; the first writer chose it.';
comment on column public.memory_erasures.erased_at is
  'When everything was erased last. Until somebody begins anew after it, no record of before may be exported.';

create table public.memory_suppressions (
  user_id uuid not null,
  key bytea not null check (length(key) = 32),
  hash bytea not null check (length(hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, key, hash)
);
comment on table public.memory_suppressions is
  'HMAC-SHA256 of source key and record id under key: records that no export may bring into this memory again.';

alter table public.memory_erasures enable row level security;
alter table public.memory_suppressions enable row level security;
revoke all on public.memory_erasures, public.memory_suppressions from public, anon, authenticated, service_role;
-- Nothing is ever deleted here by a service.
grant select, insert, update on public.memory_erasures to memory_service;
grant select, insert on public.memory_suppressions to memory_service;
create policy service on public.memory_erasures to memory_service using (true) with check (true);
create policy service on public.memory_suppressions to memory_service using (true) with check (true);
