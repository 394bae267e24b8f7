-- What a server's shared catalogues say about other projects. A tenant reads the roles that its own database names, and the
-- settings of its own logins. Names of databases stay readable, because psql and pg_dump read them, and so do memberships and
-- locks, which have numbers only.

set local allow_system_table_mods = on;
create schema if not exists platform;
revoke all on schema platform from public;

-- Some catalogues are filtered by views that take their names. PostgreSQL itself finds a catalogue by its oid, and names and
-- rights belong to one database, so nothing else notices. Policies would not do: pg_dump turns row-level security off.
create or replace function platform.make_way(catalogue name)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from pg_class where relnamespace = 'pg_catalog'::regnamespace and relname = catalogue and relkind = 'r') then
    execute format('revoke all on pg_catalog.%I from public, project_owner', catalogue);
    execute format('alter table pg_catalog.%I rename to %I', catalogue, catalogue || '_of_server');
  end if;
end
$$;

revoke all on function platform.make_way(name) from public;

-- All databases share these catalogues. Later statements lock them in another order and partly only while they run, so one could
-- wait for an emulator or a VACUUM that waits for another. These locks last until the end, and always come in this order. This
-- file and 40-dumps.sql take them.
create or replace function platform.lock_shared_catalogues()
returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  locked record;
begin
  for locked in
    select relname as name, case when relname = wanted.name and is_renamed then 'access exclusive' else 'share update exclusive' end as mode
    from (values
      (1, 'pg_db_role_setting', true), (2, 'pg_shseclabel', false), (3, 'pg_parameter_acl', true),
      (4, 'pg_replication_origin', false), (5, 'pg_shdepend', true)) as wanted (place, name, is_renamed)
    join pg_class on relnamespace = 'pg_catalog'::regnamespace and relkind = 'r'
      and relname in (wanted.name, wanted.name || '_of_server')
    order by place
  loop
    execute format('lock table pg_catalog.%I in %s mode', locked.name, locked.mode);
  end loop;
end
$$;
revoke all on function platform.lock_shared_catalogues() from public;
select platform.lock_shared_catalogues();

select platform.make_way('pg_db_role_setting'), platform.make_way('pg_parameter_acl'), platform.make_way('pg_shdepend');

revoke select on
  pg_catalog.pg_shseclabel,
  pg_catalog.pg_replication_origin,
  pg_catalog.pg_replication_slots
from public;

-- pg_dump reads the labels of its database for archives (`-Fc`).
grant select on pg_catalog.pg_shseclabel to project_owner;

-- Every view below is a security barrier: its condition runs before any expression of a tenant.

create or replace view pg_catalog.pg_shdepend with (security_barrier) as
select dependency.*
from pg_catalog.pg_shdepend_of_server as dependency
cross join (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()) as own
where dependency.dbid = own.oid
  or (dependency.dbid = 0 and dependency.classid = 'pg_catalog.pg_database'::regclass and dependency.objid = own.oid)
  or (select rolsuper from pg_catalog.pg_authid where rolname = current_user);

-- The roles that objects and rights of this database name. `is_own` is true for the project's owner and logins, which have rights
-- on the database itself. Other roles belong to several projects.
create or replace function platform.project_roles()
returns table (oid oid, is_own boolean)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  with named as (
    select dependency.refobjid as oid, dependency.dbid = 0 and dependency.deptype = 'a' as is_own
    from pg_shdepend_of_server as dependency, (select oid from pg_database where datname = current_database()) as own
    where dependency.refclassid = 'pg_authid'::regclass
      and (dependency.dbid = own.oid
        or (dependency.dbid = 0 and dependency.classid = 'pg_database'::regclass and dependency.objid = own.oid))
  )
  select oid, bool_or(is_own)
  from (
    select named.oid, named.is_own from named
    union all
    select membership.roleid, false
    from named join pg_auth_members as membership on membership.member = named.oid
    where named.is_own
  ) as roles
  group by oid
$$;

create or replace view pg_catalog.pg_db_role_setting with (security_barrier) as
select settings.*
from pg_catalog.pg_db_role_setting_of_server as settings
cross join (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()) as own
where (settings.setdatabase in (0, own.oid)
    and settings.setrole in (select oid from platform.project_roles() where is_own))
  or (settings.setrole = 0 and settings.setdatabase = own.oid)
  or (select rolsuper from pg_catalog.pg_authid where rolname = current_user);

-- Rights on parameters belong to the server.
create or replace view pg_catalog.pg_parameter_acl with (security_barrier) as
select *
from pg_catalog.pg_parameter_acl_of_server
where (select rolsuper from pg_catalog.pg_authid where rolname = current_user);

-- Roles with a built-in oid exist on every server.
create or replace view pg_catalog.pg_roles with (security_barrier) as
select role.rolname, role.rolsuper, role.rolinherit, role.rolcreaterole, role.rolcreatedb, role.rolcanlogin, role.rolreplication,
  role.rolconnlimit, '********'::text as rolpassword, role.rolvaliduntil, role.rolbypassrls,
  case when visible.is_own or viewer.rolsuper then settings.setconfig end as rolconfig, role.oid
from pg_catalog.pg_authid as role
cross join (select rolsuper from pg_catalog.pg_authid where rolname = current_user) as viewer
left join platform.project_roles() as visible on visible.oid = role.oid
left join pg_catalog.pg_db_role_setting_of_server as settings on settings.setrole = role.oid and settings.setdatabase = 0
where role.oid < 16384 or visible.oid is not null or viewer.rolsuper;

create or replace view pg_catalog.pg_user with (security_barrier) as
select rolname as usename, oid as usesysid, rolcreatedb as usecreatedb, rolsuper as usesuper, rolreplication as userepl,
  rolbypassrls as usebypassrls, rolpassword as passwd, rolvaliduntil as valuntil, rolconfig as useconfig
from pg_catalog.pg_roles
where rolcanlogin;

create or replace view pg_catalog.pg_group with (security_barrier) as
select rolname as groname, oid as grosysid,
  array(
    select membership.member
    from pg_catalog.pg_auth_members as membership join pg_catalog.pg_roles as member on member.oid = membership.member
    where membership.roleid = role.oid) as grolist
from pg_catalog.pg_roles as role
where not rolcanlogin;

grant select on
  pg_catalog.pg_shdepend,
  pg_catalog.pg_db_role_setting,
  pg_catalog.pg_parameter_acl,
  pg_catalog.pg_roles,
  pg_catalog.pg_user,
  pg_catalog.pg_group
to public;

revoke execute on function
  pg_catalog.pg_safe_snapshot_blocking_pids(integer),
  pg_catalog.pg_isolation_test_session_is_blocked(integer, integer[]),
  pg_catalog.pg_get_replication_slots(),
  pg_catalog.pg_control_checkpoint(),
  pg_catalog.pg_control_system(),
  pg_catalog.pg_control_init(),
  pg_catalog.pg_control_recovery(),
  pg_catalog.pg_tablespace_databases(oid),
  pg_catalog.pg_current_wal_lsn(),
  pg_catalog.pg_current_wal_insert_lsn(),
  pg_catalog.pg_current_wal_flush_lsn(),
  pg_catalog.pg_hba_file_rules()
from public;

-- `pg_dump -j` gives its other sessions the snapshot of its first one.
grant execute on function pg_catalog.pg_export_snapshot() to project_owner;

-- PostgreSQL gives the size of a database to roles that may connect to it.
grant execute on function pg_catalog.pg_database_size(oid), pg_catalog.pg_database_size(name) to public;

-- The sessions of the login that asks, which all work as the role that asks.
create or replace function platform.own_sessions()
returns table (datid oid, datname name, pid integer, leader_pid integer, usesysid oid, usename name, application_name text,
  client_addr inet, client_hostname text, client_port integer, backend_start timestamptz, xact_start timestamptz,
  query_start timestamptz, state_change timestamptz, wait_event_type text, wait_event text, state text, backend_xid xid,
  backend_xmin xid, query_id bigint, query text, backend_type text)
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  select session.datid, database.datname, session.pid, session.leader_pid, session.usesysid, role.rolname,
    session.application_name, session.client_addr, session.client_hostname, session.client_port, session.backend_start,
    session.xact_start, session.query_start, session.state_change, session.wait_event_type, session.wait_event, session.state,
    session.backend_xid, session.backend_xmin, session.query_id, session.query, session.backend_type
  from pg_stat_get_activity(null) as session
  left join pg_database as database on database.oid = session.datid
  left join pg_authid as role on role.oid = session.usesysid
  cross join (select oid, rolsuper from pg_authid where rolname = session_user) as viewer
  where viewer.rolsuper or (session.usesysid = viewer.oid and database.datname = current_database())
$$;
revoke all on function platform.own_sessions() from public;
create or replace view pg_catalog.pg_stat_activity as select * from platform.own_sessions();

-- Only owners: several users of an application share the other logins.
grant execute on function platform.own_sessions() to project_owner;
grant select on pg_catalog.pg_stat_activity to project_owner;
