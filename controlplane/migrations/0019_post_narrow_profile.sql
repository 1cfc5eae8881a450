-- New users get the narrow profile unless somebody names another. After the new code: workers of before refuse jobs of a
-- profile that their manifest does not enable. Users who are there keep theirs; the switch for new accounts follows,
-- where it named the wide profile only because that was the default.
alter table public.memory_workspaces alter column runtime_profile set default 'user-memory-prod';
alter table public.memory_signup alter column runtime_profile set default 'user-memory-prod';
update public.memory_signup set runtime_profile = 'user-memory-prod' where runtime_profile = 'internal-full';
