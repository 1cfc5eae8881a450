-- The sum of all migrations, written by `python -m controlplane.schema write`. To read, or to set up an empty
-- database in one go; `controlplane.migrate` is what a living one needs.

-- -------------------- 0001_pre_control_plane.sql

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

-- -------------------- 0002_pre_outbox.sql

-- A job and its wake-up are written in one transaction; a publisher carries the outbox to the topic.
create table public.memory_outbox (
  id bigint generated always as identity primary key,
  job_id uuid not null references public.memory_jobs (id) on delete cascade,
  user_id uuid not null,
  payload jsonb,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  message_id text,
  attempts integer not null default 0
);
create index memory_outbox_waiting on public.memory_outbox (id) where published_at is null;
create index memory_outbox_job on public.memory_outbox (job_id);

-- A statement of 10,000 rows writes 10,000 outbox rows and notifies once.
create function memory_private.outbox_new_jobs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.memory_outbox (job_id, user_id)
  -- A job planned for later has retry_at; the publisher's poll brings it when that is due.
  select id, user_id from new_jobs where status = 'queued' and retry_at is null order by requested_at, id;
  return null;
end $$;
create trigger outbox_new_jobs after insert on public.memory_jobs
  referencing new table as new_jobs for each statement execute function memory_private.outbox_new_jobs();

create function memory_private.notify_outbox() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('memory_outbox', '');
  return null;
end $$;
create trigger notify_outbox after insert on public.memory_outbox
  for each statement execute function memory_private.notify_outbox();

alter table public.memory_outbox enable row level security;
revoke all on public.memory_outbox from public, anon, authenticated;
grant all on public.memory_outbox to service_role;

-- The publisher: reads jobs, marks what it published, and nothing else.
grant usage on schema public to memory_publisher;
grant select on public.memory_outbox, public.memory_jobs, public.memory_workspaces to memory_publisher;
grant insert (job_id, user_id, payload) on public.memory_outbox to memory_publisher;
grant update (published_at, message_id, attempts) on public.memory_outbox to memory_publisher;
grant update (published_at, retry_at) on public.memory_jobs to memory_publisher;
create policy publisher on public.memory_outbox to memory_publisher using (true) with check (true);
create policy publisher on public.memory_jobs to memory_publisher using (true) with check (true);
create policy publisher on public.memory_workspaces for select to memory_publisher using (true);

-- -------------------- 0003_pre_tombstones.sql

-- A deleted row leaves its id, so that an increment can say so. TRUNCATE is not seen: the app never truncates.
create table public.memory_tombstones (
  source_key text not null,
  record_id text not null,
  user_id uuid not null,
  parent_id text,
  deleted_at timestamptz not null default clock_timestamp(),
  primary key (user_id, source_key, record_id)
);
create index memory_tombstones_change on public.memory_tombstones (user_id, source_key, deleted_at, record_id);
create index memory_tombstones_parent on public.memory_tombstones (user_id, parent_id) where parent_id is not null;

alter table public.memory_tombstones enable row level security;
revoke all on public.memory_tombstones from public, anon, authenticated;
grant all on public.memory_tombstones to service_role;

-- Arguments: source key, id column, parent column or ''. A row that changes its user or parent is gone for the old one.
create function memory_private.leave_tombstone() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  gone jsonb := to_jsonb(old);
  parent text := tg_argv[2];
begin
  if tg_op = 'UPDATE'
     and gone ->> 'user_id' = to_jsonb(new) ->> 'user_id'
     and (parent = '' or gone ->> parent is not distinct from to_jsonb(new) ->> parent) then
    return null;
  end if;
  insert into public.memory_tombstones (source_key, record_id, user_id, parent_id)
  values (tg_argv[0], gone ->> tg_argv[1], (gone ->> 'user_id')::uuid, nullif(gone ->> parent, ''))
  on conflict (user_id, source_key, record_id)
    do update set deleted_at = clock_timestamp(), parent_id = excluded.parent_id;
  return null;
end $$;

do $$
declare
  source record;
begin
  for source in
    select * from (values
      ('user_profiles', 'public.user_profiles', 'user_id', ''),
      ('user_rules', 'public.user_rules', 'id', ''),
      ('user_preferences', 'public.user_preferences', 'id', ''),
      ('granola_transcripts', 'granola1.granola_transcripts', 'id', ''),
      ('chat_sessions', 'public.chat_sessions', 'id', ''),
      ('chat_messages', 'public.chat_messages', 'id', 'session_id'),
      ('meeting_notes', 'public.meeting_notes', 'id', ''),
      ('inbound_messages', 'msg.inbound_messages', 'id', ''),
      ('activity_events', 'social.activity_events', 'id', ''),
      ('contacts', 'social.contacts', 'id', ''),
      ('event_contacts', 'social.event_contacts', 'id', ''),
      ('checklist_items', 'public.checklist_items', 'id', ''),
      ('checklists', 'public.checklists', 'id', ''),
      ('checklist_containers', 'public.checklist_containers', 'id', ''),
      ('briefings', 'public.briefings', 'id', ''),
      ('feedback', 'public.feedback', 'id', ''),
      ('connections', 'public.connections', 'id', ''),
      ('heartbeat_poll_log', 'public.heartbeat_poll_log', 'id', ''),
      ('agentic_drafts', 'public.agentic_drafts', 'id', ''),
      ('checklist_action_log', 'public.checklist_action_log', 'id', ''),
      ('outbound_messages', 'msg.outbound_messages', 'id', ''),
      ('delivery_log', 'msg.delivery_log', 'id', ''),
      ('message_events', 'msg.message_events', 'id', ''),
      ('digest_subscriptions', 'rules.digest_subscriptions', 'id', '')
    ) as s (source_key, relation, id_column, parent_column)
  loop
    execute format(
      'create trigger memory_tombstone after delete or update on %s for each row
       execute function memory_private.leave_tombstone(%L, %L, %L)',
      source.relation::regclass, source.source_key, source.id_column, source.parent_column);
  end loop;
end $$;

-- -------------------- 0004_pre_export.sql

-- What memory export may see, and of whom. The API reads as memory_export_reader: it owns nothing and may select from
-- these views only. Each view shows the rows of the user that this transaction is bound to, and none without. A view is
-- ordered because a security barrier hides the order that a reader asks for from the planner: so the index serves it.
create schema memory_export;
revoke all on schema memory_export from public;
grant usage on schema memory_export to memory_export_reader;

-- Seals a binding, so that a session cannot bind itself by setting a variable. Never leaves the database.
create table memory_private.seal (
  only_row boolean primary key default true check (only_row),
  key bytea not null
);
insert into memory_private.seal (key)
values (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

create function memory_private.sealed(bound text) returns text
language sql stable security definer set search_path = '' as $$
  -- The backend and the transaction's start are part of it: a seal is worth nothing in another transaction.
  select encode(sha256(s.key || sha256(s.key || convert_to(
    bound || '/' || pg_backend_pid() || '/' || extract(epoch from transaction_timestamp()), 'UTF8'))), 'hex')
  from memory_private.seal s
$$;
revoke all on function memory_private.sealed(text) from public;

-- Binds the transaction to the user of a running job, for whoever holds one of the job's live tokens.
create function memory_export.bind(job uuid, jti text) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  bound uuid;
begin
  select j.user_id into bound
  from public.memory_jobs j join public.memory_job_tokens t on t.job_id = j.id and t.attempt = j.attempt
  where j.id = bind.job and t.jti_digest = sha256(convert_to(bind.jti, 'UTF8'))
    and t.may_export and t.expires_at > clock_timestamp() and j.status = 'running';
  if bound is null then
    raise exception 'job % has no such live token', job using errcode = 'insufficient_privilege';
  end if;
  perform set_config('memory_export.user_id', bound::text, true);
  perform set_config('memory_export.seal', memory_private.sealed(bound::text), true);
  return bound;
end $$;
revoke all on function memory_export.bind(uuid, text) from public;

create function memory_export.bound_user() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  bound text := current_setting('memory_export.user_id', true);
begin
  if coalesce(bound, '') = ''
     or current_setting('memory_export.seal', true) is distinct from memory_private.sealed(bound) then
    return null;
  end if;
  return bound::uuid;
end $$;
revoke all on function memory_export.bound_user() from public;

-- Whatever is not yet committed now will carry a change time at or after this. Without the right to see other sessions'
-- times (pg_read_all_stats) this is the present, and the overlap window alone covers late commits.
create function memory_export.horizon() returns timestamptz
language sql volatile security definer set search_path = '' as $$
  select least(clock_timestamp(), min(a.xact_start))
  from pg_stat_activity a where a.datname = current_database()
$$;
revoke all on function memory_export.horizon() from public;

-- One text form for times inside JSON, whatever the session's settings.
create function memory_export.utc(moment timestamptz) returns text language sql immutable as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;
revoke all on function memory_export.utc(timestamptz) from public;

create view memory_export.user_profiles with (security_barrier) as
select t.user_id::text as record_id, t.user_id, t.created_at as occurred_at, t.updated_at as changed_at,
  t.display_name, t.timezone, t.user_md, t.onboarding_responses, t.preferences, t.created_at, t.updated_at
from public.user_profiles t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.user_id::text collate "C";

create view memory_export.user_rules with (security_barrier) as
select t.id::text as record_id, t.user_id, t.created_at as occurred_at, t.updated_at as changed_at,
  t.rule_text, t.category, t.enabled, t.priority, t.source_ref, t.created_at, t.updated_at
from public.user_rules t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.user_preferences with (security_barrier) as
select t.id::text as record_id, t.user_id, t.created_at as occurred_at, t.updated_at as changed_at,
  t.key, t.value, t.created_at, t.updated_at
from public.user_preferences t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.granola_transcripts with (security_barrier) as
select t.id::text as record_id, t.user_id, t.meeting_started_at as occurred_at, t.updated_at as changed_at,
  t.title, t.meeting_started_at, t.meeting_ended_at, t.attendees, t.notes, t.transcript, t.analysis,
  t.content_hash, t.fetched_at, t.analyzed_at, t.created_at, t.updated_at
from granola1.granola_transcripts t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.chat_sessions with (security_barrier) as
select s.id::text as record_id, s.user_id, s.started_at as occurred_at,
  greatest(s.updated_at, m.changed_at, gone.changed_at) as changed_at,
  s.title, s.surface, s.model, s.summary, s.started_at, s.last_message_at,
  -- Gathered only for rows that are really read: the export chooses a page by its keys first.
  coalesce((
    select jsonb_agg(jsonb_build_object('id', c.id, 'role', c.role, 'content', c.content, 'tool_name', c.tool_name,
      'created_at', memory_export.utc(c.created_at)) order by c.created_at, c.id)
    from public.chat_messages c where c.session_id = s.id and c.user_id = s.user_id
  ), '[]') as messages,
  s.created_at, s.updated_at
from public.chat_sessions s
left join lateral (
  select max(c.updated_at) as changed_at from public.chat_messages c
  where c.session_id = s.id and c.user_id = s.user_id
) m on true
-- A message that went away is a change of its session.
left join lateral (
  select max(d.deleted_at) as changed_at from public.memory_tombstones d
  where d.user_id = s.user_id and d.source_key = 'chat_messages' and d.parent_id = s.id::text
) gone on true
where s.user_id = (select memory_export.bound_user());

create view memory_export.meeting_notes with (security_barrier) as
select t.id::text as record_id, t.user_id, t.meeting_started_at as occurred_at, t.updated_at as changed_at,
  t.calendar_event_id, t.title, t.meeting_started_at, t.attendees, t.note_text, t.note_json, t.source_ref,
  t.created_at, t.updated_at
from public.meeting_notes t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.inbound_messages with (security_barrier) as
select t.id::text as record_id, t.user_id, t.received_at as occurred_at, t.updated_at as changed_at,
  t.channel, t.thread_id, t.sender_name, t.sender_address, t.normalized_text, t.parse_result, t.received_at,
  t.created_at, t.updated_at
from msg.inbound_messages t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.activity_events with (security_barrier) as
select t.id::text as record_id, t.user_id, t.occurred_at, t.updated_at as changed_at,
  t.source, t.event_type, t.title, t.summary, t.body, t.direction, t.source_ref, t.url, t.project,
  t.importance, t.amount, t.external_seq, t.created_at, t.updated_at
from social.activity_events t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.contacts with (security_barrier) as
select t.id::text as record_id, t.user_id, t.first_seen_at as occurred_at, t.updated_at as changed_at,
  t.display_name, t.emails, t.phones, t.company, t.job_title, t.relationship, t.summary, t.dossier_md, t.tags,
  t.importance, t.first_seen_at, t.last_interaction_at, t.created_at, t.updated_at
from social.contacts t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.event_contacts with (security_barrier) as
select t.id::text as record_id, t.user_id, t.created_at as occurred_at, t.updated_at as changed_at,
  t.event_id, t.contact_id, t.role, t.note, t.created_at, t.updated_at
from social.event_contacts t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.checklist_items with (security_barrier) as
select t.id::text as record_id, t.user_id, t.created_at as occurred_at, t.updated_at as changed_at,
  t.checklist_id, t.container_id, t.title, t.description, t.reasoning, t.source, t.source_ref, t.people,
  t.project, t.priority, t.due_at, t.checked, t.checked_at, t.dismissed, t.dismissed_at, t.dismissed_reason,
  t.created_at, t.updated_at
from public.checklist_items t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.checklists with (security_barrier) as
select t.id::text as record_id, t.user_id, t.checklist_date::timestamp at time zone 'UTC' as occurred_at,
  t.updated_at as changed_at,
  t.checklist_date, t.title, t.status, t.summary, t.item_count, t.completed_count, t.generated_at, t.created_at,
  t.updated_at
from public.checklists t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.checklist_containers with (security_barrier) as
select t.id::text as record_id, t.user_id, t.created_at as occurred_at, t.updated_at as changed_at,
  t.name, t.description, t.priority, t.color, t.status, t.landscape, t.created_at, t.updated_at
from public.checklist_containers t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.briefings with (security_barrier) as
select t.id::text as record_id, t.user_id, t.briefing_date::timestamp at time zone 'UTC' as occurred_at,
  t.updated_at as changed_at,
  t.briefing_date, t.kind, t.title, t.summary, t.content_markdown, t.sections, t.model, t.generated_at,
  t.created_at, t.updated_at
from public.briefings t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.feedback with (security_barrier) as
select t.id::text as record_id, t.user_id, t.created_at as occurred_at, t.updated_at as changed_at,
  t.kind, t.rating, t.message, t.context, t.created_at, t.updated_at
from public.feedback t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.connections with (security_barrier) as
select t.id::text as record_id, t.user_id, t.created_at as occurred_at, t.updated_at as changed_at,
  t.provider, t.display_name, t.status, t.heartbeat_count, t.heartbeat_failures, t.last_heartbeat_at,
  t.last_success_at, t.created_at, t.updated_at
from public.connections t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.heartbeat_poll_log with (security_barrier) as
select t.id::text as record_id, t.user_id, t.polled_at as occurred_at, t.created_at as changed_at,
  t.connection_id, t.provider, t.status, t.items_seen, t.items_new, t.bytes_fetched, t.duration_ms, t.error_code,
  t.polled_at, t.created_at
from public.heartbeat_poll_log t where t.user_id = (select memory_export.bound_user())
order by t.created_at, t.id::text collate "C";

create view memory_export.agentic_drafts with (security_barrier) as
select t.id::text as record_id, t.user_id, t.created_at as occurred_at, t.updated_at as changed_at,
  t.item_id, t.kind, t.title, t.body, t.status, t.recipients, t.source_ref, t.model, t.sent_at, t.created_at,
  t.updated_at
from public.agentic_drafts t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.checklist_action_log with (security_barrier) as
select t.id::text as record_id, t.user_id, t.created_at as occurred_at, t.created_at as changed_at,
  t.item_id, t.action, t.actor, t.details, t.created_at
from public.checklist_action_log t where t.user_id = (select memory_export.bound_user())
order by t.created_at, t.id::text collate "C";

create view memory_export.outbound_messages with (security_barrier) as
select t.id::text as record_id, t.user_id, coalesce(t.sent_at, t.created_at) as occurred_at, t.updated_at as changed_at,
  t.channel, t.thread_id, t.recipient_name, t.recipient_address, t.body_text, t.template, t.in_reply_to, t.status,
  t.sent_at, t.created_at, t.updated_at
from msg.outbound_messages t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.delivery_log with (security_barrier) as
select t.id::text as record_id, t.user_id, t.attempted_at as occurred_at, t.created_at as changed_at,
  t.message_id, t.channel, t.status, t.attempt, t.provider, t.error_code, t.attempted_at, t.created_at
from msg.delivery_log t where t.user_id = (select memory_export.bound_user())
order by t.created_at, t.id::text collate "C";

create view memory_export.message_events with (security_barrier) as
select t.id::text as record_id, t.user_id, t.occurred_at, t.created_at as changed_at,
  t.message_id, t.channel, t.thread_id, t.event_type, t.details, t.created_at
from msg.message_events t where t.user_id = (select memory_export.bound_user())
order by t.created_at, t.id::text collate "C";

create view memory_export.digest_subscriptions with (security_barrier) as
select t.id::text as record_id, t.user_id, t.created_at as occurred_at, t.updated_at as changed_at,
  t.digest_kind, t.channel, t.schedule, t.timezone, t.enabled, t.preferences, t.last_sent_at, t.created_at,
  t.updated_at
from rules.digest_subscriptions t where t.user_id = (select memory_export.bound_user())
order by t.updated_at, t.id::text collate "C";

create view memory_export.tombstones with (security_barrier) as
select t.source_key, t.record_id, t.user_id, t.deleted_at as changed_at
from public.memory_tombstones t where t.user_id = (select memory_export.bound_user());

grant select on all tables in schema memory_export to memory_export_reader;
grant execute on all functions in schema memory_export to memory_export_reader;
-- For a login of its own; the API sets the same for each transaction.
alter role memory_export_reader set default_transaction_read_only = on;
alter role memory_export_reader set statement_timeout = '30s';
alter role memory_export_reader set search_path = 'memory_export';

-- -------------------- 0005_post_export_indexes.sql

-- An export page reads a user's rows in order of change; without these each page would sort them all.
-- Built concurrently: the app goes on writing. An index that failed half way is dropped and built again.
drop index if exists public.memory_export_user_profiles;
create index memory_export_user_profiles on public.user_profiles (user_id, updated_at);
drop index if exists public.memory_export_user_rules;
create index memory_export_user_rules on public.user_rules (user_id, updated_at);
drop index if exists public.memory_export_user_preferences;
create index memory_export_user_preferences on public.user_preferences (user_id, updated_at);
drop index if exists granola1.memory_export_granola_transcripts;
create index memory_export_granola_transcripts on granola1.granola_transcripts (user_id, updated_at);
drop index if exists public.memory_export_chat_sessions;
create index memory_export_chat_sessions on public.chat_sessions (user_id, updated_at);
drop index if exists public.memory_export_meeting_notes;
create index memory_export_meeting_notes on public.meeting_notes (user_id, updated_at);
drop index if exists msg.memory_export_inbound_messages;
create index memory_export_inbound_messages on msg.inbound_messages (user_id, updated_at);
drop index if exists social.memory_export_activity_events;
create index memory_export_activity_events on social.activity_events (user_id, updated_at);
drop index if exists social.memory_export_contacts;
create index memory_export_contacts on social.contacts (user_id, updated_at);
drop index if exists social.memory_export_event_contacts;
create index memory_export_event_contacts on social.event_contacts (user_id, updated_at);
drop index if exists public.memory_export_checklist_items;
create index memory_export_checklist_items on public.checklist_items (user_id, updated_at);
drop index if exists public.memory_export_checklists;
create index memory_export_checklists on public.checklists (user_id, updated_at);
drop index if exists public.memory_export_checklist_containers;
create index memory_export_checklist_containers on public.checklist_containers (user_id, updated_at);
drop index if exists public.memory_export_briefings;
create index memory_export_briefings on public.briefings (user_id, updated_at);
drop index if exists public.memory_export_feedback;
create index memory_export_feedback on public.feedback (user_id, updated_at);
drop index if exists public.memory_export_connections;
create index memory_export_connections on public.connections (user_id, updated_at);
drop index if exists public.memory_export_heartbeat_poll_log;
create index memory_export_heartbeat_poll_log on public.heartbeat_poll_log (user_id, created_at);
drop index if exists public.memory_export_agentic_drafts;
create index memory_export_agentic_drafts on public.agentic_drafts (user_id, updated_at);
drop index if exists public.memory_export_checklist_action_log;
create index memory_export_checklist_action_log on public.checklist_action_log (user_id, created_at);
drop index if exists msg.memory_export_outbound_messages;
create index memory_export_outbound_messages on msg.outbound_messages (user_id, updated_at);
drop index if exists msg.memory_export_delivery_log;
create index memory_export_delivery_log on msg.delivery_log (user_id, created_at);
drop index if exists msg.memory_export_message_events;
create index memory_export_message_events on msg.message_events (user_id, created_at);
drop index if exists rules.memory_export_digest_subscriptions;
create index memory_export_digest_subscriptions on rules.digest_subscriptions (user_id, updated_at);
drop index if exists public.memory_export_chat_messages;
create index memory_export_chat_messages on public.chat_messages (user_id, updated_at);
drop index if exists public.memory_tombstones_time;
create index memory_tombstones_time on public.memory_tombstones (user_id, deleted_at);

-- -------------------- 0006_pre_news.sql

-- Whether anything of a user changed since a moment: what decides if an hourly job is worth planning. Stops at the first.
create function memory_private.has_news(who uuid, since timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select since is null or
    exists (select from public.memory_tombstones where user_id = has_news.who and deleted_at >= has_news.since) or
    exists (select from public.chat_messages where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.user_profiles where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.user_rules where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.user_preferences where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from granola1.granola_transcripts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.chat_sessions where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.meeting_notes where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from msg.inbound_messages where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from social.activity_events where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from social.contacts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from social.event_contacts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklist_items where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklists where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklist_containers where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.briefings where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.feedback where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.connections where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.heartbeat_poll_log where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from public.agentic_drafts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklist_action_log where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from msg.outbound_messages where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from msg.delivery_log where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from msg.message_events where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from rules.digest_subscriptions where user_id = has_news.who and updated_at >= has_news.since)
$$;
revoke all on function memory_private.has_news(uuid, timestamptz) from public;

-- -------------------- 0007_pre_traceparent.sql

-- Every job has a trace from its insert on: the one that the app brings, or a new one (W3C Trace Context, sampled).
create or replace function memory_private.fill_job() returns trigger
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
  new.traceparent := coalesce(new.traceparent, '00-' || replace(gen_random_uuid()::text, '-', '') || '-'
    || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16) || '-01');
  return new;
end $$;

-- -------------------- 0008_pre_flags.sql

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

-- -------------------- 0009_pre_forced.sql

-- An operator may let a backfill go on although the evidence is thin; the consumer learns of it with its token.
alter table public.memory_jobs add column forced boolean not null default false;

-- -------------------- 0010_pre_upkeep.sql

-- Which histories were verified when, and a wake-up of the publisher only where there is something to publish.
alter table public.memory_workspaces add column verify_period text check (verify_period ~ '^\d{4}-\d{2}-\d{2}$');
comment on column public.memory_workspaces.verify_period is
  'Day of the tick that last chose this workspace for verification; those that waited longest come next.';

create or replace function memory_private.notify_outbox() returns trigger language plpgsql set search_path = '' as $$
begin
  -- The statement's trigger fires for no rows as well: the publisher's own polls insert none most of the time.
  if exists (select from added) then
    perform pg_notify('memory_outbox', '');
  end if;
  return null;
end $$;
create or replace trigger notify_outbox after insert on public.memory_outbox
  referencing new table as added for each statement execute function memory_private.notify_outbox();

-- -------------------- 0011_post_upkeep_indexes.sql

-- What the daily choice and the removal of old wake-ups look for.
drop index if exists public.memory_workspaces_verify;
create index memory_workspaces_verify on public.memory_workspaces (verify_period nulls first, user_id);
drop index if exists public.memory_outbox_published;
create index memory_outbox_published on public.memory_outbox (published_at) where published_at is not null;

-- -------------------- 0012_pre_signup.sql

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

-- -------------------- 0013_pre_rendering.sql

-- An operator may have every page compared with what its records make, and written anew where it differs.
alter table public.memory_jobs add column force_render boolean not null default false;

-- -------------------- 0014_post_unhappy_jobs.sql

-- What an operator looks for among many jobs that went well.
drop index if exists public.memory_jobs_unhappy;
create index memory_jobs_unhappy on public.memory_jobs (status, requested_at desc, id desc)
  where status in ('failed', 'cancelled');

-- -------------------- 0015_post_console.sql

-- Jobs of one type, newest first, however rare it is; and whether the audit knows of a closed dead letter.
drop index if exists public.memory_jobs_type;
create index memory_jobs_type on public.memory_jobs (job_type, requested_at desc, id desc);
drop index if exists public.memory_audit_discard;
create index memory_audit_discard on public.memory_audit ((details ->> 'key'))
  where action = 'dead_letter.discard';

-- -------------------- 0016_pre_roles.sql

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

-- -------------------- 0017_pre_deletions.sql

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

-- -------------------- 0018_pre_suppressions.sql

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

-- -------------------- 0019_post_narrow_profile.sql

-- New users get the narrow profile unless somebody names another. After the new code: workers of before refuse jobs of a
-- profile that their manifest does not enable. Users who are there keep theirs; the switch for new accounts follows,
-- where it named the wide profile only because that was the default.
alter table public.memory_workspaces alter column runtime_profile set default 'user-memory-prod';
alter table public.memory_signup alter column runtime_profile set default 'user-memory-prod';
update public.memory_signup set runtime_profile = 'user-memory-prod' where runtime_profile = 'internal-full';

-- -------------------- 0020_pre_orphans.sql

-- The same orphans, found by one join. Asking for each workspace's latest deletion was quadratic: while the table of
-- deletions is small or has no statistics, the planner reads all of it for every workspace.
create or replace function memory_private.orphans() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select w.user_id from public.memory_workspaces w
  left join (
    select distinct on (d.user_id) d.* from public.memory_deletions d order by d.user_id, d.id desc) as latest
    on latest.user_id = w.user_id
  where not exists (select from memory_private.accounts a where a.id = w.user_id)
    and (latest.cancelled_by <> 'account'
      or latest.cancelled_at is null and latest.forgotten_at is null
        and (latest.source <> 'reconciliation' or latest.erasing_at is not null)) is not true
$$;

-- -------------------- 0021_pre_corrections.sql

-- The user's own word about what their memory says. Ids, digests and times; never content (docs/memory.md, "Corrections").
do $$ begin
  if not exists (select from pg_roles where rolname = 'memory_service') then
    create role memory_service nologin noinherit;
  end if;
end $$;
grant memory_service to service_role;

create table public.memory_corrections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  verdict text not null check (verdict in (
    'done', 'not_mine', 'not_a_task', 'wrong', 'private', 'later', 'same_person', 'different_person')),
  statement text check (statement ~ '^([0-9a-f]{16}){1,2}$'),
  job_id uuid,
  claim integer check (claim >= 1),
  person bytea check (length(person) = 32),
  other bytea check (length(other) = 32),
  until date,
  about bytea check (length(about) = 32),
  made_at timestamptz not null default clock_timestamp(),
  made_by text not null,
  placed_at timestamptz,
  undone_at timestamptz,
  undone_by text,
  check (num_nonnulls(statement, job_id, person) = 1),
  check ((job_id is null) = (claim is null)),
  check ((person is null) = (other is null)),
  check ((verdict in ('same_person', 'different_person')) = (person is not null)),
  check ((verdict = 'later') = (until is not null)),
  check ((undone_at is null) = (undone_by is null))
);
comment on table public.memory_corrections is 'What a user, or an operator for them, said about statements of the memory.';
comment on column public.memory_corrections.statement is 'Id of a statement; of both sides for a contradiction.';
comment on column public.memory_corrections.person is
  'HMAC-SHA256 of a person id under the key in memory_erasures, and so is other. The smaller one is person.';
comment on column public.memory_corrections.about is
  'HMAC of kind, subject and attribute of what was corrected; a run fills it in, with memory_correction_places.';
comment on column public.memory_corrections.placed_at is 'When a run found what the correction speaks of.';
create index memory_corrections_user on public.memory_corrections (user_id, made_at);
-- The same word twice is one row. A word that was taken back may be given again.
create unique index memory_corrections_standing on public.memory_corrections
  (user_id, verdict, coalesce(statement, job_id::text || '/' || claim::text, encode(person || other, 'hex')))
  where undone_at is null;

create table public.memory_correction_places (
  correction_id uuid not null references public.memory_corrections (id) on delete cascade,
  user_id uuid not null,
  record bytea not null check (length(record) = 32),
  marks bytea[] not null,
  primary key (correction_id, record)
);
create index memory_correction_places_record on public.memory_correction_places (user_id, record);
comment on table public.memory_correction_places is
  'The records that a corrected statement rests on, as memory_suppressions names records. A purge takes their rows.';
comment on column public.memory_correction_places.marks is
  'HMACs of the wordings of the statement in this record, by which it is known again when it is read anew.';

alter table public.memory_corrections enable row level security;
alter table public.memory_correction_places enable row level security;
revoke all on public.memory_corrections, public.memory_correction_places from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.memory_corrections, public.memory_correction_places to memory_service;
create policy service on public.memory_corrections to memory_service using (true) with check (true);
create policy service on public.memory_correction_places to memory_service using (true) with check (true);
-- The app may show users what they corrected. Digests are nobody's business.
grant select (id, user_id, verdict, statement, job_id, claim, until, made_at, placed_at, undone_at)
  on public.memory_corrections to authenticated;
create policy own_rows on public.memory_corrections for select to authenticated using (user_id = auth.uid());

-- Which standing rules a user has, by id and time of change: what a run compares with the rules that it applied.
create function memory_private.rules_of(who uuid)
returns table (source_key text, record_id text, changed_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select 'user_rules', r.id::text, r.updated_at from public.user_rules r where r.user_id = rules_of.who
  union all
  select 'user_preferences', p.id::text, p.updated_at from public.user_preferences p where p.user_id = rules_of.who
$$;
revoke all on function memory_private.rules_of(uuid) from public;
grant execute on function memory_private.rules_of(uuid) to memory_service;

-- A correction is news: the next hour's digest says that it is in.
create or replace function memory_private.has_news(who uuid, since timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select since is null or
    exists (select from public.memory_corrections where user_id = has_news.who
      and greatest(made_at, undone_at) >= has_news.since) or
    exists (select from public.memory_tombstones where user_id = has_news.who and deleted_at >= has_news.since) or
    exists (select from public.chat_messages where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.user_profiles where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.user_rules where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.user_preferences where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from granola1.granola_transcripts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.chat_sessions where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.meeting_notes where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from msg.inbound_messages where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from social.activity_events where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from social.contacts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from social.event_contacts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklist_items where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklists where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklist_containers where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.briefings where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.feedback where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.connections where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.heartbeat_poll_log where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from public.agentic_drafts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklist_action_log where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from msg.outbound_messages where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from msg.delivery_log where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from msg.message_events where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from rules.digest_subscriptions where user_id = has_news.who and updated_at >= has_news.since)
$$;

-- An account's deletion takes its corrections; their places go with them.
create or replace function memory_private.erase_rows(who uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  counts jsonb := '{}';
  name text;
  n bigint;
begin
  if not exists (select from public.memory_deletions where user_id = who and erasing_at is not null) then
    raise exception 'no erasure of user % has begun', who using errcode = 'object_not_in_prerequisite_state';
  end if;
  foreach name in array array['memory_artifacts', 'memory_claim_marks', 'memory_cohorts', 'memory_corrections',
    'memory_missed', 'memory_outbox', 'memory_tombstones'] loop
    execute format('delete from public.%I where user_id = $1', name) using who;
    get diagnostics n = row_count;
    counts := counts || jsonb_build_object(name, n);
  end loop;
  -- The key of digests that are gone, where it names no purged record and no erasure.
  delete from public.memory_erasures e where e.user_id = who and e.erased_at is null
    and not exists (select from public.memory_suppressions s where s.user_id = who);
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

-- -------------------- 0022_pre_wake.sql

-- When a user's next hourly digest is due although nothing new came in: something falls due by then. Null: with the next
-- news. Written when a digest or a backfill completes.
alter table public.memory_workspaces add column wake_at timestamptz;

-- -------------------- 0023_post_access_log.sql

-- What was done to one user's memory, newest first: for the owner, who asks at any time.
drop index if exists public.memory_audit_user;
create index memory_audit_user on public.memory_audit (user_id, id desc) where user_id is not null;

-- -------------------- 0024_pre_assistants.sql

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

-- -------------------- 0025_pre_orders.sql

-- What users order for themselves: that records are forgotten, that everything is exported; which standing rules they
-- switched off; what later exports are to leave out. Ids, keyed digests, times and counts; never content
-- (docs/erasure.md, "When a user forgets").
do $$ begin
  if not exists (select from pg_roles where rolname = 'memory_service') then
    create role memory_service nologin noinherit;
  end if;
end $$;
grant memory_service to service_role;

create table public.memory_orders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  kind text not null check (kind in ('forget', 'export')),
  -- Of a list that was shown before something is forgotten: what a confirmation must bring.
  token bytea unique check (length(token) = 32),
  token_until timestamptz,
  selection bytea check (length(selection) = 32),
  head_seq bigint,
  shown_at timestamptz not null default clock_timestamp(),
  ordered_at timestamptz,
  records integer not null default 0,
  begun_at timestamptz,
  tried_at timestamptz,
  tries integer not null default 0,
  done_at timestamptz,
  result jsonb not null default '{}',
  closed_at timestamptz,
  failure text check (failure ~ '^[a-z_]{1,64}$'),
  check ((kind = 'forget') = (token is not null)),
  check ((token is null) = (token_until is null)),
  check (kind = 'forget' or ordered_at is not null),
  check (begun_at is null or ordered_at is not null),
  check (done_at is null or begun_at is not null),
  check (closed_at is null or done_at is not null)
);
comment on table public.memory_orders is
  'What a user ordered: waiting (ordered_at), begun, done, closed (second sweep of a forgetting, end of an export).';
comment on column public.memory_orders.token is 'SHA-256 of the token that confirms what was shown, once.';
comment on column public.memory_orders.selection is 'HMAC of how the records were selected, under the user''s key.';
comment on column public.memory_orders.result is 'Counts, and the commit or the object that the order made.';
create index memory_orders_user on public.memory_orders (user_id, shown_at desc);
create index memory_orders_open on public.memory_orders (ordered_at) where ordered_at is not null and closed_at is null;

create table public.memory_order_records (
  order_id uuid not null references public.memory_orders (id) on delete cascade,
  user_id uuid not null,
  record bytea not null check (length(record) = 32),
  primary key (order_id, record)
);
comment on table public.memory_order_records is
  'The records of a forgetting, as memory_suppressions names records: those shown, and once it is ordered those chosen.';

create table public.memory_rule_switches (
  user_id uuid not null,
  source_key text not null check (source_key in ('user_rules', 'user_preferences')),
  record_id text not null check (length(record_id) between 1 and 1024),
  off_at timestamptz not null default clock_timestamp(),
  primary key (user_id, source_key, record_id)
);
comment on table public.memory_rule_switches is
  'Standing rules that the user switched off. A rule that is changed afterwards holds again.';

create table public.memory_exclusions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  kind text not null check (kind in ('source', 'person', 'topic')),
  source_key text,
  parts bytea[] not null default '{}',
  made_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  check ((kind = 'source') = (source_key is not null)),
  check ((kind = 'source') = (parts = '{}'))
);
comment on table public.memory_exclusions is
  'What the user wants kept out of later exports: a source, a person or a topic. parts: HMACs of names or words.';
create index memory_exclusions_user on public.memory_exclusions (user_id) where ended_at is null;

alter table public.memory_orders enable row level security;
alter table public.memory_order_records enable row level security;
alter table public.memory_rule_switches enable row level security;
alter table public.memory_exclusions enable row level security;
revoke all on public.memory_orders, public.memory_order_records, public.memory_rule_switches, public.memory_exclusions
  from public, anon, authenticated, service_role;
grant select, insert, update, delete
  on public.memory_orders, public.memory_order_records, public.memory_rule_switches, public.memory_exclusions
  to memory_service;
create policy service on public.memory_orders to memory_service using (true) with check (true);
create policy service on public.memory_order_records to memory_service using (true) with check (true);
create policy service on public.memory_rule_switches to memory_service using (true) with check (true);
create policy service on public.memory_exclusions to memory_service using (true) with check (true);

-- An account's deletion takes what its user ordered; the records of orders go with them.
create or replace function memory_private.erase_rows(who uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  counts jsonb := '{}';
  name text;
  n bigint;
begin
  if not exists (select from public.memory_deletions where user_id = who and erasing_at is not null) then
    raise exception 'no erasure of user % has begun', who using errcode = 'object_not_in_prerequisite_state';
  end if;
  foreach name in array array['memory_artifacts', 'memory_claim_marks', 'memory_cohorts', 'memory_corrections',
    'memory_exclusions', 'memory_missed', 'memory_orders', 'memory_outbox', 'memory_rule_switches',
    'memory_tombstones'] loop
    execute format('delete from public.%I where user_id = $1', name) using who;
    get diagnostics n = row_count;
    counts := counts || jsonb_build_object(name, n);
  end loop;
  -- The key of digests that are gone, where it names no purged record and no erasure.
  delete from public.memory_erasures e where e.user_id = who and e.erased_at is null
    and not exists (select from public.memory_suppressions s where s.user_id = who);
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

-- -------------------- 0026_pre_pauses.sql

-- Pauses of the queue: for everybody (target *) or for one user. One row a target; memory_audit has the earlier ones.
create table public.memory_queue_pauses (
  target text primary key check (target = '*' or target ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  paused_at timestamptz not null default clock_timestamp(),
  paused_by text not null,
  reason text not null check (length(reason) between 1 and 500),
  resumed_at timestamptz,
  resumed_by text,
  check ((resumed_at is null) = (resumed_by is null))
);
comment on column public.memory_queue_pauses.resumed_at is
  'Null: the pause is in force. The publisher withholds messages of open jobs, and no attempt begins.';

alter table public.memory_queue_pauses enable row level security;
revoke all on public.memory_queue_pauses from public, anon, authenticated, service_role;
create policy service on public.memory_queue_pauses to memory_service using (true) with check (true);
grant select, insert, update, delete on public.memory_queue_pauses to memory_service;
-- The publisher needs to know who is paused, not why.
create policy publisher on public.memory_queue_pauses for select to memory_publisher using (true);
grant select (target, resumed_at) on public.memory_queue_pauses to memory_publisher;

-- -------------------- 0027_pre_marks.sql

-- Marks of news: who changed something, so that an hourly tick looks at these users and not at every enabled one.
-- Rows are only added and deleted, never updated: the app's statements wait for none of ours.
create table public.memory_news (
  user_id uuid not null,
  at timestamptz not null default clock_timestamp()
);
comment on table public.memory_news is 'A hint that a user has news. A tick asks the tables themselves, and drops old marks.';
create index memory_news_user on public.memory_news (user_id, at);
create index memory_news_at on public.memory_news (at);

alter table public.memory_news enable row level security;
revoke all on public.memory_news from public, anon, authenticated, service_role;
create policy service on public.memory_news to memory_service using (true) with check (true);
grant select, insert, delete on public.memory_news to memory_service;

-- One mark for each enabled user of the statement, unless there is one of the last five minutes: the planner deletes no
-- mark that young. A serializable transaction reads nothing, which could make the app's commit fail. Whatever goes wrong
-- is left to the tick that looks at this user anyway, once a day.
create function memory_private.mark_news() returns trigger
language plpgsql security definer set search_path = '' set lock_timeout = '1ms' as $$
begin
  if current_setting('memory.kept_from_marks', true) = 'yes' then
    return null;
  end if;
  if current_setting('transaction_isolation') = 'serializable' then
    insert into public.memory_news (user_id) select distinct c.user_id from changed c where c.user_id is not null;
  else
    insert into public.memory_news (user_id)
    select distinct c.user_id from changed c
    join public.memory_workspaces w on w.user_id = c.user_id and w.status = 'enabled'
    where not exists (select from public.memory_news n
      where n.user_id = c.user_id and n.at > clock_timestamp() - interval '5 minutes');
  end if;
  return null;
exception when query_canceled or assert_failure or others then
  -- Once in a transaction: 5,000 statements must not wait 5,000 times.
  perform set_config('memory.kept_from_marks', 'yes', true);
  raise warning 'memory: news of this transaction are found within a day only: %', sqlstate;
  return null;
end $$;
revoke all on function memory_private.mark_news() from public;

-- Every table that memory_private.has_news reads.
do $$
declare
  source regclass;
begin
  foreach source in array array[
    'public.memory_corrections', 'public.memory_tombstones', 'public.chat_messages', 'public.user_profiles',
    'public.user_rules', 'public.user_preferences', 'granola1.granola_transcripts', 'public.chat_sessions',
    'public.meeting_notes', 'msg.inbound_messages', 'social.activity_events', 'social.contacts',
    'social.event_contacts', 'public.checklist_items', 'public.checklists', 'public.checklist_containers',
    'public.briefings', 'public.feedback', 'public.connections', 'public.heartbeat_poll_log', 'public.agentic_drafts',
    'public.checklist_action_log', 'msg.outbound_messages', 'msg.delivery_log', 'msg.message_events',
    'rules.digest_subscriptions']::regclass[]
  loop
    execute format('create trigger memory_mark_added after insert on %s referencing new table as changed
      for each statement execute function memory_private.mark_news()', source);
    execute format('create trigger memory_mark_changed after update on %s referencing new table as changed
      for each statement execute function memory_private.mark_news()', source);
  end loop;
end $$;

-- What is news already when this is installed.
insert into public.memory_news (user_id) select user_id from public.memory_workspaces where status = 'enabled';

-- -------------------- 0028_post_due_indexes.sql

-- Users whose digest something makes due at a time, and users with a digest that no insight has seen.
drop index if exists public.memory_workspaces_wake;
create index memory_workspaces_wake on public.memory_workspaces (wake_at, user_id)
  where status = 'enabled' and wake_at is not null;
drop index if exists public.memory_workspaces_unseen;
create index memory_workspaces_unseen on public.memory_workspaces (user_id)
  where status = 'enabled' and last_backfill_at is not null
    and coalesce(last_insight_at < greatest(last_backfill_at, last_digest_at), true);

-- -------------------- 0029_pre_dream.sql

-- A job type for a brain's nightly upkeep. Earlier rows met the narrower check, so none is read again.
-- A wider check takes its place in the same transaction.
-- squawk-ignore ban-drop-constraint
alter table public.memory_jobs drop constraint memory_jobs_job_type_check;
alter table public.memory_jobs add constraint memory_jobs_job_type_check
  check (job_type in ('inventory', 'backfill_digest', 'hourly_digest', 'insight', 'dream')) not valid;
-- The start of the last one that completed or found nothing to do.
alter table public.memory_workspaces add column last_dream_at timestamptz;

-- -------------------- 0030_post_silent_jobs.sql

-- Open jobs by the time from which their silence counts. A job planned for later is silent only after that time: by the
-- earlier index, every sweep read all of tonight's dreams.
drop index if exists public.memory_jobs_silent;
create index memory_jobs_silent
  on public.memory_jobs (greatest(retry_at, coalesce(heartbeat_at, published_at, created_at)))
  where status in ('queued', 'running');
drop index if exists public.memory_jobs_open;
