-- Gives the oids of built-in objects (below 16384) to what pg_dump shall take for built-in. It reads no views of a user, and it
-- omits built-in extensions, which only their owner can drop and comment on. PostgreSQL gives an object another oid only in a
-- later transaction than the one that creates it.

create or replace function platform.move_dependencies(catalogue regclass, old oid, new oid)
returns void
language sql
begin atomic
  update pg_catalog.pg_depend set objid = new where classid = catalogue and objid = old;
  update pg_catalog.pg_depend set refobjid = new where refclassid = catalogue and refobjid = old;
  update pg_catalog.pg_shdepend_of_server set objid = new
  where dbid = (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database())
    and classid = catalogue and objid = old;
  update pg_catalog.pg_description set objoid = new where classoid = catalogue and objoid = old;
  update pg_catalog.pg_init_privs set objoid = new where classoid = catalogue and objoid = old;
end;
revoke all on function platform.move_dependencies(regclass, oid, oid) from public;

do $$
declare
  moved record;
begin
  for moved in
    select pg_class.oid as old, wanted.oid as new
    from (values (16291, 'pg_db_role_setting'), (16292, 'pg_parameter_acl'), (16293, 'pg_shdepend')) as wanted (oid, name)
    join pg_catalog.pg_class on relname = wanted.name and relnamespace = 'pg_catalog'::regnamespace
    where pg_class.oid >= 16384
  loop
    update pg_catalog.pg_class set oid = moved.new where oid = moved.old;
    update pg_catalog.pg_attribute set attrelid = moved.new where attrelid = moved.old;
    update pg_catalog.pg_type set typrelid = moved.new where typrelid = moved.old;
    update pg_catalog.pg_rewrite set ev_class = moved.new where ev_class = moved.old;
    perform platform.move_dependencies('pg_catalog.pg_class', moved.old, moved.new);
  end loop;
  for moved in
    select oid as old, (row_number() over (order by extname) + (
      select coalesce(max(oid::integer), 16300) from pg_catalog.pg_extension where oid between 16301 and 16382))::oid as new
    from pg_catalog.pg_extension
    where oid >= 16384
  loop
    update pg_catalog.pg_extension set oid = moved.new where oid = moved.old;
    perform platform.move_dependencies('pg_catalog.pg_extension', moved.old, moved.new);
  end loop;
end
$$;
