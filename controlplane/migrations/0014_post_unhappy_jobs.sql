-- transaction: off
-- What an operator looks for among many jobs that went well.
drop index concurrently if exists public.memory_jobs_unhappy;
create index concurrently memory_jobs_unhappy on public.memory_jobs (status, requested_at desc, id desc)
  where status in ('failed', 'cancelled');
