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
