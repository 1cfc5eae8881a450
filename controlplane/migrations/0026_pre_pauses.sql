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
