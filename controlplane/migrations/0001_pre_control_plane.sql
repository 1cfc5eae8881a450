-- Workspaces, jobs, artifacts: what clo0p-app knows of its users' memories. Contents stay in the bucket.
create schema memory_private;
revoke all on schema memory_private from public;

do $$
begin
  if not exists (select from pg_roles where rolname = 'memory_publisher') then
    create role memory_publisher nologin noinherit;
  end if;
  if not exists (select from pg_roles where rolname = 'memory_export_reader') then
    create role memory_export_reader nologin noinherit;
  end if;
end $$;

create table public.memory_workspaces (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique,
  workspace_uri text not null check (workspace_uri like 'gs://%/users/' || user_id::text || '/'),
  runtime_profile text not null default 'internal-full' check (runtime_profile ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  template_version text not null default 'v1' check (template_version ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  last_backfill_at timestamptz,
  last_digest_at timestamptz,
  last_insight_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column public.memory_workspaces.last_digest_at is
  'Start of the last digest that completed or found nothing: later changes are news.';

create table public.memory_jobs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  workspace_id uuid not null references public.memory_workspaces (id),
  job_type text not null check (job_type in ('inventory', 'backfill_digest', 'hourly_digest', 'insight')),
  runtime_profile text not null,
  template_version text not null,
  period text check (period ~ '^\d{4}-\d{2}-\d{2}(T\d{2})?$'),
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  substate text check (substate in ('retrying', 'parked', 'dispatched', 'no_change', 'superseded')),
  attempt integer not null default 0 check (attempt >= 0),
  owner text,
  triggered_by text not null default 'app',
  requested_at timestamptz not null default now(),
  published_at timestamptz,
  started_at timestamptz,
  heartbeat_at timestamptz,
  retry_at timestamptz,
  finished_at timestamptz,
  stage text,
  progress jsonb not null default '{}',
  cancel_requested_at timestamptz,
  cancel_reason text,
  replay_id uuid,
  from_stage text,
  replay_reason text,
  rerun_of uuid references public.memory_jobs (id),
  traceparent text,
  outcome text check (outcome in ('completed', 'no_change', 'superseded', 'failed', 'cancelled')),
  commit_seq bigint,
  commit_digest text,
  report_uri text,
  source_counts jsonb not null default '{}',
  output_counts jsonb not null default '{}',
  usage jsonb not null default '{}',
  error_summary jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (from_stage is null or replay_id is not null),
  check ((commit_seq is null) = (commit_digest is null))
);
-- A planned job exists once a user, type and period, however often its tick comes.
create unique index memory_jobs_planned on public.memory_jobs (user_id, job_type, period)
  where triggered_by = 'schedule';
create index memory_jobs_user on public.memory_jobs (user_id, requested_at desc, id);
create index memory_jobs_listing on public.memory_jobs (requested_at desc, id);
create index memory_jobs_open on public.memory_jobs (coalesce(heartbeat_at, published_at, created_at))
  where status in ('queued', 'running');
create index memory_jobs_retry on public.memory_jobs (retry_at)
  where status in ('queued', 'running') and retry_at is not null;

create table public.memory_artifacts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  job_id uuid not null references public.memory_jobs (id) on delete cascade,
  artifact_type text not null check (artifact_type in
    ('inventory_report', 'backfill_report', 'digest_report', 'insight_report', 'raw_export_manifest')),
  workspace_path text not null,
  summary text not null default '',
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  unique (job_id, artifact_type, workspace_path)
);

-- One row a minted token: what an export must show before the database binds it to a user.
create table public.memory_job_tokens (
  jti_digest bytea primary key,
  job_id uuid not null references public.memory_jobs (id) on delete cascade,
  attempt integer not null,
  may_export boolean not null,
  expires_at timestamptz not null
);
create index memory_job_tokens_job on public.memory_job_tokens (job_id);

-- What operators did, in their words; no content.
create table public.memory_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  user_id uuid,
  job_id uuid,
  details jsonb not null default '{}'
);
create index memory_audit_job on public.memory_audit (job_id);

create function memory_private.fill_job() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  w public.memory_workspaces;
begin
  select * into w from public.memory_workspaces where user_id = new.user_id;
  if not found then
    raise exception 'user % has no memory workspace', new.user_id
      using errcode = 'foreign_key_violation', hint = 'Enable the user first: cloop-memory user enable.';
  end if;
  if new.workspace_id is not null and new.workspace_id <> w.id then
    raise exception 'workspace % is not that of user %', new.workspace_id, new.user_id
      using errcode = 'foreign_key_violation';
  end if;
  new.workspace_id := w.id;
  new.runtime_profile := coalesce(new.runtime_profile, w.runtime_profile);
  new.template_version := coalesce(new.template_version, w.template_version);
  return new;
end $$;
create trigger fill_job before insert on public.memory_jobs
  for each row execute function memory_private.fill_job();

-- The state machine, below every program: docs/delivery.md draws it.
create function memory_private.check_job_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  if (old.id, old.user_id, old.workspace_id, old.job_type, old.runtime_profile, old.template_version, old.requested_at)
     is distinct from
     (new.id, new.user_id, new.workspace_id, new.job_type, new.runtime_profile, new.template_version, new.requested_at)
     or old.period is distinct from new.period then
    raise exception 'job %: what a job is never changes', old.id using errcode = 'check_violation';
  end if;
  if new.attempt < old.attempt then
    raise exception 'job %: attempt % after %', old.id, new.attempt, old.attempt using errcode = 'check_violation';
  end if;
  if old.status in ('completed', 'cancelled') and new.status <> old.status
     or old.status = 'failed' and new.status not in ('failed', 'queued') then
    raise exception 'job %: % never becomes %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if old.status = 'failed' and new.status = 'queued' and new.replay_id is not distinct from old.replay_id then
    raise exception 'job %: only a new replay reopens a failed job', old.id using errcode = 'check_violation';
  end if;
  if old.status in ('completed', 'failed', 'cancelled') and new.status = old.status
     and (old.outcome, old.commit_digest) is distinct from (new.outcome, new.commit_digest) then
    raise exception 'job %: the result of a job never changes', old.id using errcode = 'check_violation';
  end if;
  new.updated_at := clock_timestamp();
  return new;
end $$;
create trigger check_job_change before update on public.memory_jobs
  for each row execute function memory_private.check_job_change();

create function memory_private.touch() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end $$;
create trigger touch before update on public.memory_workspaces
  for each row execute function memory_private.touch();

-- A signed-in user may look at own rows; only the service writes. The other tables are nobody's but the service's.
alter table public.memory_workspaces enable row level security;
alter table public.memory_jobs enable row level security;
alter table public.memory_artifacts enable row level security;
alter table public.memory_job_tokens enable row level security;
alter table public.memory_audit enable row level security;
revoke all on public.memory_workspaces, public.memory_jobs, public.memory_artifacts, public.memory_job_tokens,
  public.memory_audit from public, anon, authenticated;
grant select on public.memory_workspaces, public.memory_jobs, public.memory_artifacts to authenticated;
create policy own_rows on public.memory_workspaces for select to authenticated using (user_id = auth.uid());
create policy own_rows on public.memory_jobs for select to authenticated using (user_id = auth.uid());
create policy own_rows on public.memory_artifacts for select to authenticated using (user_id = auth.uid());
grant all on public.memory_workspaces, public.memory_jobs, public.memory_artifacts, public.memory_job_tokens,
  public.memory_audit to service_role;
