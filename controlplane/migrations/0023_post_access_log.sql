-- transaction: off
-- What was done to one user's memory, newest first: for the owner, who asks at any time.
drop index concurrently if exists public.memory_audit_user;
create index concurrently memory_audit_user on public.memory_audit (user_id, id desc) where user_id is not null;
