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
