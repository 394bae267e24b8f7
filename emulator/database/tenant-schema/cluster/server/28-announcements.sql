-- Reports a changed schema: an INFO message to the engine that runs the statement (ddl-notice.ts), and a notification for
-- changes that others make, such as psql. INFO is sent whatever `client_min_messages` is, so programs of the user, whose logins
-- end with `.client`, do not get it.

create schema if not exists platform;
revoke all on schema platform from public;

create or replace function platform.announce_schema_change()
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if right(session_user, 7) <> '.client' then
    raise info using errcode = 'TY001', message = 'schema changed';
  end if;
  perform pg_catalog.pg_notify('tenantry_schema', '');
end
$$;
revoke all on function platform.announce_schema_change() from public;
