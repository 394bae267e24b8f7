-- Makes a table of the platform droppable, although dumps omit it (40-dumps.sql).
create or replace function platform.release_table(wanted regclass)
returns void
language sql
set search_path = pg_catalog, pg_temp
as $$ delete from pg_depend where classid = 'pg_class'::regclass and objid = wanted and deptype = 'e' $$;
revoke all on function platform.release_table(regclass) from public;
