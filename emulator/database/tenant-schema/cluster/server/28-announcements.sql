-- Records what a transaction will commit beside captured rows: changes of the schema, and ids of requests. The engine reads it in
-- rounds (postgres/changes/), so it also learns of commits that others make, such as psql. Nothing here sends NOTIFY: all databases
-- of a server share its queue, which a tenant can fill, and a commit fails when the queue is full.

create schema if not exists platform;
revoke all on schema platform from public;

-- Numbers announcements and captured rows (change-capture/server.sql) together.
create unlogged sequence if not exists platform.change_ids;

-- No index: the engine takes rows out as soon as their transaction has committed.
create unlogged table if not exists platform.announcements (
  id bigint not null default pg_catalog.nextval('platform.change_ids'),
  transaction xid8 not null default pg_catalog.pg_current_xact_id(),
  is_schema_change boolean not null,
  request_id text
);
revoke all on platform.announcements from public;

-- INFO informs a connection of the engine about its own announcement. Programs of the user, whose logins end with
-- `.client`, do not get it. `tenantry.announced` saves the second INFO of a transaction. Tenants' code may call this from inside
-- a statement, so every name is qualified, and no operator is looked up.
create or replace function platform.announce_commit(kind text, request_id text)
returns void
language plpgsql
as $$
declare
  id constant text := pg_catalog.concat(pg_catalog.pg_current_xact_id());
  is_schema_change constant boolean := kind operator(pg_catalog.=) 'schema';
  is_first constant boolean :=
    coalesce(pg_catalog.current_setting('tenantry.announced', true), '') operator(pg_catalog.<>) id;
begin
  if is_schema_change or (is_first and request_id operator(pg_catalog.<>) '') then
    insert into platform.announcements (is_schema_change, request_id)
    values (is_schema_change, pg_catalog.left(request_id, 100));
  end if;
  if is_first then
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
grant usage on sequence platform.change_ids to change_capture;
grant insert on platform.announcements to change_capture;

create or replace function platform.announce_schema_change()
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform platform.announce_commit('schema', current_setting('tenantry.request_id', true));
end
$$;
revoke all on function platform.announce_schema_change() from public;
