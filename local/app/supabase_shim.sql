-- What Supabase gives every project and a stock PostgreSQL lacks: the API's roles, the auth server's, and auth.users with
-- its owner, its row level security and its grants. Run by the superuser; only for the embedded stack and tests.
do $$
begin
  if not exists (select from pg_roles where rolname = 'anon') then
    create role anon nologin;
    create role authenticated nologin;
    create role service_role nologin bypassrls;
    create role supabase_auth_admin login noinherit createrole;
    alter role supabase_auth_admin set search_path = 'auth';
    grant anon, authenticated, service_role to postgres with admin option;
  end if;
end $$;

grant usage on schema public to anon, authenticated, service_role;
create schema auth;
grant usage on schema auth to anon, authenticated, service_role;
grant all on schema auth to postgres, supabase_auth_admin;

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  email text unique,
  encrypted_password text,
  confirmation_token text,
  recovery_token text,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
alter table auth.users owner to supabase_auth_admin;
-- No policy: only the owner, and roles that bypass row level security as `postgres` does, see a row.
alter table auth.users enable row level security;
grant all on auth.users to postgres;

create function auth.uid() returns uuid language sql stable as $$
  select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;

create function auth.role() returns text language sql stable as $$
  select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
$$;

-- Supabase grants the API roles on whatever is made in public from here on; row level security is what holds.
alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant execute on functions to anon, authenticated, service_role;
