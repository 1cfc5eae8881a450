-- transaction: off
-- Jobs of one type, newest first, however rare it is; and whether the audit knows of a closed dead letter.
drop index concurrently if exists public.memory_jobs_type;
create index concurrently memory_jobs_type on public.memory_jobs (job_type, requested_at desc, id desc);
drop index concurrently if exists public.memory_audit_discard;
create index concurrently memory_audit_discard on public.memory_audit ((details ->> 'key'))
  where action = 'dead_letter.discard';
