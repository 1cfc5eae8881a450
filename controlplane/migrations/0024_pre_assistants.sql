-- Tokens for a user's own assistants, hashed, and the corrections that they propose (docs/reader.md, "Assistants").
do $$ begin
  if not exists (select from pg_roles where rolname = 'memory_service') then
    create role memory_service nologin noinherit;
  end if;
end $$;
grant memory_service to service_role;

create table public.memory_assistant_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  name text not null check (length(name) between 1 and 60),
  scopes text[] not null check (scopes <@ array['memory:read', 'memory:correct'] and 'memory:read' = any (scopes)),
  hash bytea not null unique check (length(hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  check (expires_at <= created_at + interval '366 days')
);
comment on table public.memory_assistant_tokens is
  'Tokens that open the reader''s MCP endpoint for one user''s assistants, and nothing else.';
comment on column public.memory_assistant_tokens.hash is 'SHA-256 of the token, which has 256 random bits.';
comment on column public.memory_assistant_tokens.used_at is 'When it was last used, to the hour.';
create index memory_assistant_tokens_user on public.memory_assistant_tokens (user_id, created_at desc);

create table public.memory_proposals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  token_id uuid not null references public.memory_assistant_tokens (id) on delete cascade,
  verdict text not null check (verdict in ('done', 'not_mine', 'not_a_task', 'wrong', 'private', 'later')),
  statement text not null check (statement ~ '^([0-9a-f]{16}){1,2}$'),
  until date,
  proposed_at timestamptz not null default clock_timestamp(),
  check ((verdict = 'later') = (until is not null)),
  unique (user_id, verdict, statement)
);
comment on table public.memory_proposals is
  'Corrections that assistants propose and the owner has not answered. An answer deletes the row.';

alter table public.memory_assistant_tokens enable row level security;
alter table public.memory_proposals enable row level security;
revoke all on public.memory_assistant_tokens, public.memory_proposals from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.memory_assistant_tokens, public.memory_proposals to memory_service;
create policy service on public.memory_assistant_tokens to memory_service using (true) with check (true);
create policy service on public.memory_proposals to memory_service using (true) with check (true);
-- The app may list a user's tokens. A hash is nobody's business.
grant select (id, user_id, name, scopes, created_at, expires_at, used_at, revoked_at)
  on public.memory_assistant_tokens to authenticated;
create policy own_rows on public.memory_assistant_tokens for select to authenticated using (user_id = auth.uid());

-- An account's deletion takes them, beside what erase_rows takes.
create function memory_private.erase_assistants(who uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  proposals bigint;
  tokens bigint;
begin
  if not exists (select from public.memory_deletions where user_id = who and erasing_at is not null) then
    raise exception 'no erasure of user % has begun', who using errcode = 'object_not_in_prerequisite_state';
  end if;
  delete from public.memory_proposals where user_id = who;
  get diagnostics proposals = row_count;
  delete from public.memory_assistant_tokens where user_id = who;
  get diagnostics tokens = row_count;
  return jsonb_build_object('memory_proposals', proposals, 'memory_assistant_tokens', tokens);
end $$;
revoke all on function memory_private.erase_assistants(uuid) from public;
grant execute on function memory_private.erase_assistants(uuid) to memory_service;
