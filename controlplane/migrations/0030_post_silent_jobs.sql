-- transaction: off
-- Open jobs by the time from which their silence counts. A job planned for later is silent only after that time: by the
-- earlier index, every sweep read all of tonight's dreams.
drop index concurrently if exists public.memory_jobs_silent;
create index concurrently memory_jobs_silent
  on public.memory_jobs (greatest(retry_at, coalesce(heartbeat_at, published_at, created_at)))
  where status in ('queued', 'running');
drop index concurrently if exists public.memory_jobs_open;
