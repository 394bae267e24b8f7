-- Reports a changed schema to the engine that runs the statement. INFO is sent whatever `client_min_messages` is, also for DDL
-- inside a function. ddl-notice.ts recognises it by SQLSTATE TY001.

create schema if not exists platform;
revoke all on schema platform from public;

create or replace function platform.announce_schema_change()
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise info using errcode = 'TY001', message = 'schema changed';
end
$$;
revoke all on function platform.announce_schema_change() from public;
