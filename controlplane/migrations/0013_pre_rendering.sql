-- An operator may have every page compared with what its records make, and written anew where it differs.
alter table public.memory_jobs add column force_render boolean not null default false;
