-- When a user's next hourly digest is due although nothing new came in: something falls due by then. Null: with the next
-- news. Written when a digest or a backfill completes.
alter table public.memory_workspaces add column wake_at timestamptz;
