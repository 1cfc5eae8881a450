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
