-- A fixture of clo0p-app's own tables, in their schemas, as far as memory export touches them. Real columns that must
-- never leave (tokens, raw payloads, cursors) are here on purpose: the export views have to leave them out.
create schema granola1;
create schema social;
create schema msg;
create schema rules;
grant usage on schema granola1, social, msg, rules to service_role;

create function public.touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := clock_timestamp();
  return new;
end $$;

create table public.user_profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  display_name text,
  email text,
  timezone text not null default 'UTC',
  user_md text,
  onboarding_responses jsonb not null default '{}',
  preferences jsonb not null default '{}',
  phone_verification_code text,
  stripe_customer_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.user_rules (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  rule_text text not null,
  category text,
  enabled boolean not null default true,
  priority integer not null default 0,
  source_ref jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.user_preferences (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  key text not null,
  value jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, key)
);

create table public.feedback (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null default 'general',
  rating smallint,
  message text,
  context jsonb,
  user_agent text,
  ip_address inet,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.connections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  provider text not null,
  display_name text,
  account_email text,
  status text not null default 'active',
  scopes text[] not null default '{}',
  access_token text,
  refresh_token text,
  token_expires_at timestamptz,
  webhook_secret text,
  sync_cursor text,
  raw_credentials jsonb,
  heartbeat_count bigint not null default 0,
  heartbeat_failures bigint not null default 0,
  last_heartbeat_at timestamptz,
  last_success_at timestamptz,
  last_error text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.heartbeat_poll_log (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  connection_id uuid references public.connections (id) on delete set null,
  provider text not null,
  status text not null,
  items_seen integer not null default 0,
  items_new integer not null default 0,
  bytes_fetched bigint not null default 0,
  duration_ms integer,
  error_code text,
  cursor_before text,
  cursor_after text,
  polled_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);

create table granola1.granola_transcripts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  granola_document_id text not null,
  title text,
  meeting_started_at timestamptz,
  meeting_ended_at timestamptz,
  attendees jsonb not null default '[]',
  notes text,
  transcript text,
  analysis jsonb,
  content_hash text,
  raw_payload jsonb,
  fetch_cursor text,
  fetched_at timestamptz not null default now(),
  analyzed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, granola_document_id)
);

create table public.chat_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  title text,
  surface text not null default 'app',
  model text,
  summary text,
  started_at timestamptz not null default now(),
  last_message_at timestamptz,
  provider_thread_token text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.chat_messages (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references public.chat_sessions (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null,
  content text,
  tool_name text,
  tool_payload jsonb,
  token_count integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index chat_messages_session on public.chat_messages (session_id, created_at, id);

create table public.meeting_notes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  calendar_event_id text,
  title text,
  meeting_started_at timestamptz,
  attendees jsonb not null default '[]',
  note_text text,
  note_json jsonb,
  source_ref jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.checklists (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  checklist_date date not null,
  title text,
  status text not null default 'open',
  summary text,
  item_count integer not null default 0,
  completed_count integer not null default 0,
  generated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.checklist_containers (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null,
  description text,
  priority integer not null default 0,
  color text,
  status text not null default 'active',
  landscape jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.checklist_items (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  checklist_id uuid references public.checklists (id) on delete set null,
  container_id uuid references public.checklist_containers (id) on delete set null,
  title text not null,
  description text,
  reasoning text,
  source text,
  source_ref jsonb,
  people jsonb not null default '[]',
  project text,
  priority integer,
  due_at timestamptz,
  checked boolean not null default false,
  checked_at timestamptz,
  dismissed boolean not null default false,
  dismissed_at timestamptz,
  dismissed_reason text,
  embedding_cache jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.checklist_action_log (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  item_id uuid,
  action text not null,
  actor text not null default 'user',
  details jsonb not null default '{}',
  request_id text,
  created_at timestamptz not null default now()
);

create table public.briefings (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  briefing_date date not null,
  kind text not null default 'daily',
  title text,
  summary text,
  content_markdown text,
  sections jsonb,
  model text,
  prompt_snapshot text,
  generated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table public.agentic_drafts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  item_id uuid,
  kind text not null,
  title text,
  body text,
  status text not null default 'draft',
  recipients jsonb not null default '[]',
  source_ref jsonb,
  model text,
  sent_at timestamptz,
  provider_payload jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table social.contacts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  display_name text not null,
  emails text[] not null default '{}',
  phones text[] not null default '{}',
  company text,
  job_title text,
  relationship text,
  summary text,
  dossier_md text,
  tags text[] not null default '{}',
  importance numeric(6, 3),
  first_seen_at timestamptz,
  last_interaction_at timestamptz,
  external_ids jsonb not null default '{}',
  enrichment_raw jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table social.activity_events (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  source text not null,
  event_type text not null,
  title text,
  summary text,
  body text,
  direction text,
  occurred_at timestamptz not null,
  source_ref text,
  url text,
  project text,
  importance double precision,
  amount numeric(38, 10),
  external_seq bigint,
  raw jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table social.event_contacts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  event_id uuid not null references social.activity_events (id) on delete cascade,
  contact_id uuid not null references social.contacts (id) on delete cascade,
  role text not null default 'participant',
  note text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table msg.inbound_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  channel text not null,
  thread_id text,
  sender_name text,
  sender_address text,
  normalized_text text,
  parse_result jsonb,
  received_at timestamptz not null default now(),
  provider_message_id text,
  raw_payload jsonb,
  signature text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table msg.outbound_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  channel text not null,
  thread_id text,
  recipient_name text,
  recipient_address text,
  body_text text,
  template text,
  in_reply_to uuid,
  status text not null default 'queued',
  sent_at timestamptz,
  provider_message_id text,
  raw_request jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table msg.delivery_log (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  message_id uuid,
  channel text not null,
  status text not null,
  attempt integer not null default 1,
  provider text,
  error_code text,
  error_message text,
  provider_response jsonb,
  attempted_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);

create table msg.message_events (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  message_id uuid,
  channel text not null,
  thread_id text,
  event_type text not null,
  details jsonb not null default '{}',
  raw_event jsonb,
  occurred_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);

create table rules.digest_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  digest_kind text not null,
  channel text not null,
  schedule text not null,
  timezone text,
  enabled boolean not null default true,
  preferences jsonb not null default '{}',
  unsubscribe_token text,
  last_sent_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Tables that memory must never see; they are here so that tests can try.
create schema infra;
create table infra.jobs (id bigint generated always as identity primary key, user_id uuid, kind text, payload jsonb);
create table public.channel_verifications (user_id uuid, channel text, code text, secret text);
create table public.contact_form_submissions (id uuid primary key default gen_random_uuid(), email text, message text);

-- updated_at follows every change, whoever makes it; the append-only logs have no such column.
do $$
declare
  t regclass;
begin
  for t in
    select c.oid::regclass from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'updated_at' and not a.attisdropped
    where c.relkind = 'r' and n.nspname in ('public', 'granola1', 'social', 'msg', 'rules')
  loop
    execute format('create trigger touch_updated_at before update on %s
                    for each row execute function public.touch_updated_at()', t);
  end loop;
end $$;

-- The app's own row level security: a signed-in user sees own rows. Memory export does not rely on it.
do $$
declare
  t regclass;
begin
  for t in
    select c.oid::regclass from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
    where c.relkind = 'r' and n.nspname in ('public', 'granola1', 'social', 'msg', 'rules')
  loop
    execute format('alter table %s enable row level security', t);
    execute format('create policy own_rows on %s for select to authenticated using (user_id = auth.uid())', t);
    execute format('create index on %s (user_id)', t);
  end loop;
end $$;
