-- Switches by user, cohort or profile, and what readers say of single claims. Who changed what stands in memory_audit.
create table public.memory_cohorts (
  cohort text not null check (cohort ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  user_id uuid not null,
  primary key (cohort, user_id)
);
create index memory_cohorts_user on public.memory_cohorts (user_id);

create table public.memory_flags (
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,63}$'),
  scope text not null check (scope in ('user', 'cohort', 'profile', 'all')),
  target text not null check ((scope = 'all') = (target = '*')),
  value boolean not null,
  reason text not null,
  set_by text not null,
  set_at timestamptz not null default clock_timestamp(),
  primary key (name, scope, target)
);

create table public.memory_claim_marks (
  job_id uuid not null references public.memory_jobs (id) on delete cascade,
  claim integer not null check (claim >= 1),
  user_id uuid not null,
  verdict text not null check (verdict in ('useful', 'not-useful', 'wrong')),
  reason text not null,
  marked_by text not null,
  marked_at timestamptz not null default clock_timestamp(),
  primary key (job_id, claim)
);
create index memory_claim_marks_user on public.memory_claim_marks (user_id, marked_at);

alter table public.memory_cohorts enable row level security;
alter table public.memory_flags enable row level security;
alter table public.memory_claim_marks enable row level security;
revoke all on public.memory_cohorts, public.memory_flags, public.memory_claim_marks from public, anon, authenticated;
grant all on public.memory_cohorts, public.memory_flags, public.memory_claim_marks to service_role;

-- The narrowest setting counts: user, cohort, profile, all. Between two cohorts of one user, off does.
create function memory_private.flag(flag text, who uuid, profile text)
returns table (value boolean, scope text, reason text)
language sql stable set search_path = '' as $$
  select f.value, f.scope, f.reason from public.memory_flags f
  where f.name = flag.flag and (
    f.scope = 'all'
    or f.scope = 'user' and f.target = flag.who::text
    or f.scope = 'profile' and f.target = flag.profile
    or f.scope = 'cohort' and exists (
      select from public.memory_cohorts c where c.cohort = f.target and c.user_id = flag.who))
  order by array_position(array['user', 'cohort', 'profile', 'all'], f.scope), f.value
  limit 1
$$;
revoke all on function memory_private.flag(text, uuid, text) from public;
