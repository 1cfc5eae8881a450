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
