-- The catalogue of a server is not changed, so the owner of a table sees the triggers of its history.
create or replace function platform.hide_history_triggers(wanted oid)
returns void
language sql
set search_path = pg_catalog, pg_temp
as $$ select $$;
revoke all on function platform.hide_history_triggers(oid) from public;
