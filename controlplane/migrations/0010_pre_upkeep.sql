-- Which histories were verified when, and a wake-up of the publisher only where there is something to publish.
alter table public.memory_workspaces add column verify_period text check (verify_period ~ '^\d{4}-\d{2}-\d{2}$');
comment on column public.memory_workspaces.verify_period is
  'Day of the tick that last chose this workspace for verification; those that waited longest come next.';

create or replace function memory_private.notify_outbox() returns trigger language plpgsql set search_path = '' as $$
begin
  -- The statement's trigger fires for no rows as well: the publisher's own polls insert none most of the time.
  if exists (select from added) then
    perform pg_notify('memory_outbox', '');
  end if;
  return null;
end $$;
create or replace trigger notify_outbox after insert on public.memory_outbox
  referencing new table as added for each statement execute function memory_private.notify_outbox();
