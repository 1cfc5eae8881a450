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
