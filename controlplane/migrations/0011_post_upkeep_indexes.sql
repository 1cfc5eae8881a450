-- transaction: off
-- What the daily choice and the removal of old wake-ups look for.
drop index concurrently if exists public.memory_workspaces_verify;
create index concurrently memory_workspaces_verify on public.memory_workspaces (verify_period nulls first, user_id);
drop index concurrently if exists public.memory_outbox_published;
create index concurrently memory_outbox_published on public.memory_outbox (published_at) where published_at is not null;
