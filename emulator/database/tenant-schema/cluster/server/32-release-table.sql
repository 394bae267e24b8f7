-- Makes a table of the platform droppable, although dumps omit it (40-dumps.sql).
create or replace function platform.release_table(wanted regclass)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from pg_depend where classid = 'pg_class'::regclass and objid = wanted and deptype = 'e') then
    execute format('alter extension plpgsql drop table %s', wanted);
  end if;
end
$$;
revoke all on function platform.release_table(regclass) from public;
