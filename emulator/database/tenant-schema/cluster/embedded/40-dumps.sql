-- Rights and group roles of the embedded engine's one database, and the objects that a dump of a project omits. Like all files
-- from 20 on, it runs again on a cluster of an earlier version (cluster-sql.ts).

-- The engine hides other roles' rows (catalogue-filter.ts) and checks the owner behind an oid (object-routines.ts).
grant select on pg_catalog.pg_db_role_setting to public;

-- Owner roles may create temporary tables, through one group role, so that the database's list of privileges does not grow with
-- the number of tenants.
do $$ begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'project_owner') then
    create role project_owner nologin noinherit;
  end if;
end $$;
grant temporary on database postgres to project_owner;

-- These check any function by oid and name it in their errors. CREATE FUNCTION needs no privilege for them.
revoke execute on function
  pg_catalog.fmgr_internal_validator(oid),
  pg_catalog.fmgr_c_validator(oid),
  pg_catalog.fmgr_sql_validator(oid),
  pg_catalog.plpgsql_validator(oid)
from public;

-- `pg_dump -j` calls this function. The built-in one is called by its oid whatever the catalogue contains.
delete from pg_catalog.pg_proc
where pronamespace = 'pg_catalog'::regnamespace and proname = 'pg_export_snapshot' and oid < 16384;
create or replace function pg_catalog.pg_export_snapshot() returns text
language plpgsql
as $$
begin
  raise exception using
    errcode = 'feature_not_supported',
    message = 'the embedded engine runs one session at a time, so it exports no snapshot',
    hint = 'Leave the option -j out.';
end
$$;
grant execute on function pg_catalog.pg_export_snapshot() to public;

-- `\l+` calls this function. A tenant gets the size of the relations that it sees, which are its own and the catalogues.
delete from pg_catalog.pg_proc
where pronamespace = 'pg_catalog'::regnamespace and proname = 'pg_database_size' and oid < 16384;
create or replace function pg_catalog.pg_database_size(database oid) returns bigint
language sql stable strict
set search_path = pg_catalog, pg_temp
as $$ select sum(pg_total_relation_size(oid))::bigint from pg_class where relkind in ('r', 'm') $$;
create or replace function pg_catalog.pg_database_size(database name) returns bigint
language sql stable strict
set search_path = pg_catalog, pg_temp
as $$ select pg_database_size(oid) from pg_database where datname = database $$;
grant execute on function pg_catalog.pg_database_size(oid), pg_catalog.pg_database_size(name) to public;

-- The one session that works, under the name of its role.
create or replace function platform.own_sessions()
returns table (datid oid, datname name, pid integer, leader_pid integer, usesysid oid, usename name, application_name text,
  client_addr inet, client_hostname text, client_port integer, backend_start timestamptz, xact_start timestamptz,
  query_start timestamptz, state_change timestamptz, wait_event_type text, wait_event text, state text, backend_xid xid,
  backend_xmin xid, query_id bigint, query text, backend_type text)
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  select session.datid, current_database(), session.pid, null::integer, role.oid, role.rolname,
    current_setting('application_name'), null::inet, null::text, null::integer, session.backend_start, session.xact_start,
    session.query_start, session.state_change, session.wait_event_type, session.wait_event, session.state,
    session.backend_xid, session.backend_xmin, session.query_id, session.query, 'client backend'
  from pg_stat_get_activity(pg_backend_pid()) as session
  join pg_authid as role on role.rolname = session_user
$$;
revoke all on function platform.own_sessions() from public;
create or replace view pg_catalog.pg_stat_activity as select * from platform.own_sessions();
grant execute on function platform.own_sessions() to project_owner;
grant select on pg_catalog.pg_stat_activity to project_owner;

-- pg_dump omits the members of extensions, and extensions with a built-in oid. The platform's objects, which every new project
-- has, are members of such an extension, so that a dump contains the tenant's objects only and restores without errors.
insert into pg_catalog.pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
select 16383, 'tenantry', 10, 'auth'::regnamespace, false, '1'
where not exists (select from pg_catalog.pg_extension where extname = 'tenantry');

-- The extensions of every cluster get built-in oids, too: only their owner could drop them or comment on them.
do $$
declare
  found record;
begin
  for found in
    select oid as old, (row_number() over (order by extname) + (
      select coalesce(max(oid::integer), 16300) from pg_catalog.pg_extension where oid between 16301 and 16382))::oid as new
    from pg_catalog.pg_extension
    where oid >= 16384
  loop
    update pg_catalog.pg_extension set oid = found.new where oid = found.old;
    update pg_catalog.pg_depend set objid = found.new
    where classid = 'pg_catalog.pg_extension'::regclass and objid = found.old;
    update pg_catalog.pg_depend set refobjid = found.new
    where refclassid = 'pg_catalog.pg_extension'::regclass and refobjid = found.old;
    update pg_catalog.pg_description set objoid = found.new
    where classoid = 'pg_catalog.pg_extension'::regclass and objoid = found.old;
  end loop;
end
$$;

-- Makes one object a member. Its present privileges become the initial ones: pg_dump writes only changes of them.
create or replace function platform.adopt(catalogue oid, object oid, privileges aclitem[])
returns void
language plpgsql
as $$
begin
  if not exists (
    select from pg_catalog.pg_depend
    where classid = catalogue and objid = object and objsubid = 0
      and refclassid = 'pg_catalog.pg_extension'::regclass and refobjid = 16383
  ) then
    insert into pg_catalog.pg_depend (classid, objid, objsubid, refclassid, refobjid, refobjsubid, deptype)
    values (catalogue, object, 0, 'pg_catalog.pg_extension'::regclass, 16383, 0, 'e');
  end if;
  delete from pg_catalog.pg_init_privs where objoid = object and classoid = catalogue and objsubid = 0;
  if privileges is not null then
    insert into pg_catalog.pg_init_privs (objoid, classoid, objsubid, privtype, initprivs)
    values (object, catalogue, 0, 'e', privileges);
  end if;
end
$$;

-- A schema and the platform's relations in it.
create or replace function platform.adopt_schema(schema_name name)
returns void
language plpgsql
as $$
begin
  perform platform.adopt('pg_catalog.pg_namespace'::regclass, oid, nspacl)
  from pg_catalog.pg_namespace where nspname = schema_name;
  perform platform.adopt('pg_catalog.pg_class'::regclass, relation.oid, relation.relacl)
  from pg_catalog.pg_class as relation
  join pg_catalog.pg_namespace as namespace on namespace.oid = relation.relnamespace
  where namespace.nspname = schema_name and relation.relkind in ('r', 'S') and relation.relowner = namespace.nspowner;
end
$$;

-- Members cannot be dropped.
create or replace function platform.release_schema(schema_name name)
returns void
language sql
begin atomic
  delete from pg_catalog.pg_depend
  where classid = 'pg_catalog.pg_class'::regclass
    and objid = any (array(
      select relation.oid from pg_catalog.pg_class as relation
      join pg_catalog.pg_namespace as namespace on namespace.oid = relation.relnamespace
      where namespace.nspname = schema_name))
    and refclassid = 'pg_catalog.pg_extension'::regclass and refobjid = 16383;
  delete from pg_catalog.pg_depend
  where classid = 'pg_catalog.pg_namespace'::regclass
    and objid = (select oid from pg_catalog.pg_namespace where nspname = schema_name)
    and refclassid = 'pg_catalog.pg_extension'::regclass and refobjid = 16383;
end;

revoke all on function
  platform.adopt(oid, oid, aclitem[]), platform.adopt_schema(name), platform.release_schema(name)
from public;

select platform.adopt_schema(nspname)
from pg_catalog.pg_namespace
where nspname in ('auth', 'extensions') or (starts_with(nspname, 'proj_') and nspowner = 10);
select platform.adopt('pg_catalog.pg_proc'::regclass, oid, proacl)
from pg_catalog.pg_proc
where pronamespace = 'auth'::regnamespace;

-- Makes the privileges that these files changed the initial ones, so that a dump omits them.
delete from pg_catalog.pg_init_privs as known
where objsubid = 0 and (
  (classoid = 'pg_catalog.pg_class'::regclass
    and objoid in (select oid from pg_catalog.pg_class where relnamespace = 'pg_catalog'::regnamespace))
  or (classoid = 'pg_catalog.pg_proc'::regclass
    and objoid in (select oid from pg_catalog.pg_proc where pronamespace = 'pg_catalog'::regnamespace))
);
insert into pg_catalog.pg_init_privs (objoid, classoid, objsubid, privtype, initprivs)
select oid, 'pg_catalog.pg_class'::regclass, 0, 'i', relacl
from pg_catalog.pg_class where relnamespace = 'pg_catalog'::regnamespace and relacl is not null
union all
select oid, 'pg_catalog.pg_proc'::regclass, 0, 'i', proacl
from pg_catalog.pg_proc where pronamespace = 'pg_catalog'::regnamespace and proacl is not null;
