-- Capture triggers of the embedded engine: creates the triggers of exactly the relations of `wanted` in `project`, and drops
-- others. Platform work only. They are marked
-- as internal and as a part of their table: catalogues omit them, DISABLE TRIGGER USER ignores them, and the table's owner can
-- neither drop nor disable them.
create or replace function platform.capture_relations(project name, wanted oid[])
returns void
language plpgsql
as $$
declare
  found record;
  event record;
begin
  for found in
    select captured.oid, captured.relation, captured.name
    from platform.capture_triggers as captured
    join pg_catalog.pg_namespace as namespace on namespace.oid = captured.namespace
    where namespace.nspname = project and captured.relation <> all (wanted)
  loop
    update pg_catalog.pg_depend set deptype = 'a'
    where classid = 'pg_catalog.pg_trigger'::regclass and objid = found.oid and deptype = 'i';
    execute pg_catalog.format('drop trigger %I on %s', found.name, found.relation::regclass);
  end loop;
  for found in
    select relation.oid, relation.oid::regclass as name
    from pg_catalog.pg_class as relation
    join pg_catalog.pg_namespace as namespace on namespace.oid = relation.relnamespace
    where namespace.nspname = project and relation.oid = any (wanted)
      and not exists (select from platform.capture_triggers as captured where captured.relation = relation.oid)
  loop
    for event in
      select * from (values
        ('insert', 'new table as new_rows', 'inserted'),
        ('update', 'old table as old_rows new table as new_rows', 'updated'),
        ('delete', 'old table as old_rows', 'deleted')) as event (name, rows, function)
    loop
      execute pg_catalog.format(
        'create trigger platform_capture_%1$s after %1$s on %2$s referencing %3$s
         for each statement execute function platform.capture_%4$s()',
        event.name, found.name, event.rows, event.function);
    end loop;
    update pg_catalog.pg_trigger set tgisinternal = true
    where oid in (select captured.oid from platform.capture_triggers as captured where captured.relation = found.oid);
    update pg_catalog.pg_depend set deptype = 'i'
    where classid = 'pg_catalog.pg_trigger'::regclass and deptype = 'a'
      and refclassid = 'pg_catalog.pg_class'::regclass and refobjid = found.oid
      and objid in (select captured.oid from platform.capture_triggers as captured where captured.relation = found.oid);
  end loop;
end
$$;
revoke all on function platform.capture_relations(name, oid[]) from public;
