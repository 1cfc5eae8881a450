-- A job type for a brain's nightly upkeep. Earlier rows met the narrower check, so none is read again.
-- A wider check takes its place in the same transaction.
-- squawk-ignore ban-drop-constraint
alter table public.memory_jobs drop constraint memory_jobs_job_type_check;
alter table public.memory_jobs add constraint memory_jobs_job_type_check
  check (job_type in ('inventory', 'backfill_digest', 'hourly_digest', 'insight', 'dream')) not valid;
-- The start of the last one that completed or found nothing to do.
alter table public.memory_workspaces add column last_dream_at timestamptz;
