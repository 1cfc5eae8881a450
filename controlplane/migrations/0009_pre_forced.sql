-- An operator may let a backfill go on although the evidence is thin; the consumer learns of it with its token.
alter table public.memory_jobs add column forced boolean not null default false;
