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
