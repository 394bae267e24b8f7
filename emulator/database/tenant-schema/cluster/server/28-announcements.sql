-- Announces what a transaction will commit. The engine listens (postgres/changes/), so it also learns of commits that others
-- make, such as psql. Notifications are delivered in the order of commits: a transaction that notifies holds a lock of the whole
-- server from before its commit until others see the commit.

create schema if not exists platform;
revoke all on schema platform from public;

-- INFO informs a connection of the engine about its own announcement. Programs of the user, whose logins end with
-- `.client`, do not get it. `tenantry.announced` saves the second INFO of a transaction. Tenants' code may call this from inside
-- a statement, so every name is qualified, and no operator is looked up.
create or replace function platform.announce_commit(kind text, request_id text)
returns void
language plpgsql
as $$
declare
  id constant text := pg_catalog.concat(pg_catalog.pg_current_xact_id());
begin
  perform pg_catalog.pg_notify('tenantry_commits',
    pg_catalog.concat(kind, ' ', id, ' ', pg_catalog.left(request_id, 100)));
  if coalesce(pg_catalog.current_setting('tenantry.announced', true), '') operator(pg_catalog.<>) id then
    perform pg_catalog.set_config('tenantry.announced', id, true);
    if pg_catalog.right(session_user::pg_catalog.text, 7) operator(pg_catalog.<>) '.client' then
      raise info using errcode = 'TY001', message = 'commit announced';
    end if;
  end if;
end
$$;
revoke all on function platform.announce_commit(text, text) from public;

-- The roles of the capture of row changes (change-capture/). Rights that exist when 40-dumps.sql runs are not in dumps.
grant execute on function platform.announce_commit(text, text) to change_capture;
grant usage on schema platform to change_capture, change_reader;

create or replace function platform.announce_schema_change()
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform platform.announce_commit('schema', null);
end
$$;
revoke all on function platform.announce_schema_change() from public;
