-- Shared roles and platform schemas of the embedded engine's cluster (docs/wire/data-plane.md#isolation). Runs once, when the
-- cluster image is made. No role can log in: the engine makes one of these roles the session user.

create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role auth_admin nologin noinherit;
-- The session user between jobs. It owns nothing and has no privileges.
create role platform_idle nologin noinherit;

revoke all on schema public from public;
create schema extensions;
grant usage on schema extensions to public;

-- One row and one function that only the fence can refuse: the engine proves with them at start that the fence works.
create schema platform;
grant usage on schema platform to platform_idle;
create table platform.canary (id integer primary key);
insert into platform.canary values (1);
grant select on platform.canary to platform_idle;
-- Written in C, because the planner would inline SQL and loading a language costs time at every start.
create function platform.canary_call() returns integer
  language internal stable strict
  as 'pg_backend_pid';
revoke all on function platform.canary_call() from public;
grant execute on function platform.canary_call() to platform_idle;

-- Built-in functions that change the session: the engine cleans it afterwards.
create table platform.session_routines as
  select oid
  from pg_catalog.pg_proc
  where pronamespace = 'pg_catalog'::regnamespace
    and proname in ('set_config', 'setseed');
grant select on platform.session_routines to platform_idle;

-- Inside pg_sleep the embedded engine notices a cancel only at the end. A built-in function is called by its oid whatever the
-- catalogue contains, so these are new functions with the same names.
delete from pg_catalog.pg_proc
where pronamespace = 'pg_catalog'::regnamespace
  and proname in ('pg_sleep', 'pg_sleep_for', 'pg_sleep_until');

create function pg_catalog.pg_sleep(double precision) returns void
  language plpgsql volatile strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$
declare
  until timestamptz := clock_timestamp() + make_interval(secs => $1);
begin
  while clock_timestamp() < until loop null; end loop;
end
$$;

create function pg_catalog.pg_sleep_for(interval) returns void
  language sql volatile strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$ select pg_catalog.pg_sleep(extract(epoch from $1)::double precision) $$;

create function pg_catalog.pg_sleep_until(timestamptz) returns void
  language sql volatile strict parallel safe
  set search_path = pg_catalog, pg_temp
  as $$ select pg_catalog.pg_sleep(extract(epoch from $1 operator(pg_catalog.-) clock_timestamp())::double precision) $$;

-- The libraries of conversions do not work in this engine: calling one ends it. Only reading LATIN1 works. Their functions are
-- deleted, too, because a tenant could create a conversion with them.
delete from pg_catalog.pg_proc
where oid in (select conproc from pg_catalog.pg_conversion)
  and proname <> 'iso8859_1_to_utf8';
delete from pg_catalog.pg_conversion
where conname <> 'iso_8859_1_to_utf8';

create extension pgcrypto schema extensions;
create extension "uuid-ossp" schema extensions;
create extension citext schema extensions;
create extension pg_trgm schema extensions;
create extension btree_gist schema extensions;
create extension btree_gin schema extensions;
create extension unaccent schema extensions;
create extension hstore schema extensions;
create extension ltree schema extensions;
create extension intarray schema extensions;
create extension fuzzystrmatch schema extensions;
create extension tablefunc schema extensions;

-- A backend creates the schema of its temporary tables once and never forgets it, so every state that is restored while it runs
-- (engine-states.ts) must have it.
create temporary table first_temporary ();
drop table first_temporary;
