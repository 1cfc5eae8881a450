-- transaction: off
-- Users whose digest something makes due at a time, and users with a digest that no insight has seen.
drop index concurrently if exists public.memory_workspaces_wake;
create index concurrently memory_workspaces_wake on public.memory_workspaces (wake_at, user_id)
  where status = 'enabled' and wake_at is not null;
drop index concurrently if exists public.memory_workspaces_unseen;
create index concurrently memory_workspaces_unseen on public.memory_workspaces (user_id)
  where status = 'enabled' and last_backfill_at is not null
    and coalesce(last_insight_at < greatest(last_backfill_at, last_digest_at), true);
