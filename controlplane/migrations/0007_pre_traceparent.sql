-- Every job has a trace from its insert on: the one that the app brings, or a new one (W3C Trace Context, sampled).
create or replace function memory_private.fill_job() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  w public.memory_workspaces;
begin
  select * into w from public.memory_workspaces where user_id = new.user_id;
  if not found then
    raise exception 'user % has no memory workspace', new.user_id
      using errcode = 'foreign_key_violation', hint = 'Enable the user first: cloop-memory user enable.';
  end if;
  if new.workspace_id is not null and new.workspace_id <> w.id then
    raise exception 'workspace % is not that of user %', new.workspace_id, new.user_id
      using errcode = 'foreign_key_violation';
  end if;
  new.workspace_id := w.id;
  new.runtime_profile := coalesce(new.runtime_profile, w.runtime_profile);
  new.template_version := coalesce(new.template_version, w.template_version);
  new.traceparent := coalesce(new.traceparent, '00-' || replace(gen_random_uuid()::text, '-', '') || '-'
    || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16) || '-01');
  return new;
end $$;
