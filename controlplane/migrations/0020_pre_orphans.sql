-- The same orphans, found by one join. Asking for each workspace's latest deletion was quadratic: while the table of
-- deletions is small or has no statistics, the planner reads all of it for every workspace.
create or replace function memory_private.orphans() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select w.user_id from public.memory_workspaces w
  left join (
    select distinct on (d.user_id) d.* from public.memory_deletions d order by d.user_id, d.id desc) as latest
    on latest.user_id = w.user_id
  where not exists (select from memory_private.accounts a where a.id = w.user_id)
    and (latest.cancelled_by <> 'account'
      or latest.cancelled_at is null and latest.forgotten_at is null
        and (latest.source <> 'reconciliation' or latest.erasing_at is not null)) is not true
$$;
